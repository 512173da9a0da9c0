"""What a notebook records of itself: its answer, named results, published figures, tables.

Everything travels inside the notebook's own outputs, as outputs of private media types: a notebook
writes no file, and plain papermill keeps the records too. The runner reads them back
(`wordgames.reports.runner`). In JupyterLab these outputs show as their plain text.
"""

import csv
import html
import math
import numbers
import re
from decimal import Decimal
from functools import cache

import numpy as np

from wordgames._playable import frame
from wordgames.places import DATA
from wordgames.reports.parameters import check_parameters

RECORD = "application/vnd.wordgames.record+json"
PUBLISHED = "application/vnd.wordgames.published+json"
TABLE = "application/vnd.wordgames.table+json"
TRY = "application/vnd.wordgames.try+json"

REPRODUCED = "reproduced"
WITH_CAVEAT = "with a caveat"
CONTRADICTED = "contradicted"
NOT_CARRIED_OVER = "does not carry over"
NOT_COMPARABLE = "not comparable"
NOT_TESTED = "not tested here"
GIVEN = "given"
# What a verdict says, in the order in which the site shows them.
VERDICTS = {
    REPRODUCED: "it comes out as published, within the tolerance of its row",
    WITH_CAVEAT: "it comes out under a condition that its row names",
    CONTRADICTED: "we show otherwise",
    NOT_CARRIED_OVER: "true of what its author saw, but not in general",
    NOT_COMPARABLE: "there is no figure to compare, or it measures something else",
    NOT_TESTED: "it needs data that these reports were made without",
    GIVEN: "an input or a definition, not a finding",
}
_CLAIMS = {"true": REPRODUCED, "partly": WITH_CAVEAT, "false": CONTRADICTED}
# A figure may be explained, but a wrong one can never be called reproduced.
_STATED = {
    "claim": {REPRODUCED, WITH_CAVEAT, CONTRADICTED, NOT_CARRIED_OVER, NOT_COMPARABLE, NOT_TESTED},
    "show": {NOT_COMPARABLE, NOT_TESTED},
    "exact": {CONTRADICTED, NOT_CARRIED_OVER, NOT_COMPARABLE, NOT_TESTED},
    "approx": {CONTRADICTED, NOT_CARRIED_OVER, NOT_COMPARABLE, NOT_TESTED},
}

# What this kernel has recorded so far, for the notebook's last cell; a cell that is run again
# replaces what it recorded.
_results: dict[str, object] = {}
_published: dict[str, dict] = {}
# The word lists and embeddings that this report uses.
_using: list[str] = []


def begin_report(*using: str) -> None:
    """Begin a report: check the parameters, set the style, remember the data of the run.

    Parameters
    ----------
    *using : str
        The names of the word list and the embedding of this run. `check_published` leaves rows
        alone that need another one.
    """
    from wordgames.figures import use_style

    check_parameters()
    use_style()
    _using[:] = using


def _emit(data: dict, **metadata) -> None:
    from IPython.display import display

    display(data, raw=True, metadata=metadata)


def plain(value):
    """A value in plain Python types, as JSON keeps it; NaN and infinities become None."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, dict):
        return {str(key): plain(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(entry) for entry in value]
    if isinstance(value, (set, frozenset)):
        return sorted(map(plain, value))
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise TypeError(f"cannot record {value!r} of type {type(value).__name__}: use plain values")


def record(name: str, value):
    """Record a named result; it appears in ``reports/results/<notebook>.json``.

    The value is numbers, text, lists or dicts of these; numpy and pandas values are converted.
    The site's first page shows ``answer`` and ``assuming``, which `show_answer` records, and of
    some reports the ``finding``: the one sentence that a passer-by should read.
    """
    value = plain(value)
    _results[name] = value
    _emit({RECORD: {"name": name, "value": value}, "text/plain": f"{name}: {value}"})


def say(markdown: str) -> None:
    """Show prose that holds computed numbers, as Markdown."""
    _emit({"text/markdown": markdown, "text/plain": markdown})


def show_answer(sentence: str, assuming: str = "") -> None:
    """Show the notebook's answer in bold, with its assumptions, and record it as ``answer``."""
    markdown = f"**{sentence}**" + (f" *Assuming {assuming}.*" if assuming else "")
    _emit({"text/markdown": markdown, "text/plain": markdown}, answer=True)
    record("answer", sentence)
    record("assuming", assuming)


@cache
def essays() -> dict[str, dict]:
    """The essays of data/essays.csv by their short names: title, author, date and link."""
    with (DATA / "essays.csv").open(encoding="utf-8", newline="") as file:
        return {row["essay"]: row for row in csv.DictReader(file)}


@cache
def published_rows() -> dict[str, dict]:
    """The rows of data/published.csv by id, each a dict of text."""
    with (DATA / "published.csv").open(encoding="utf-8", newline="") as file:
        return {row["id"]: row for row in csv.DictReader(file)}


def as_text(value) -> str:
    """A plain value as a reader sees it, and as a command line takes it."""
    if isinstance(value, (list, tuple)):
        return " ".join(map(as_text, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, float):
        return str(value)
    # Six digits like %g, but never as 5e-05, which few readers know.
    return f"{Decimal(f'{value:.6g}').normalize():f}" if math.isfinite(value) else str(value)


def _numbers(text: str) -> list[float]:
    return [float(number) for number in re.findall(r"\d+(?:\.\d+)?", text.replace(",", ""))]


def tolerance_text(row: dict) -> str:
    """How closely our figure has to meet that of a row, in words; "" where none is compared."""
    if row["compare"] == "approx":
        return f"within {row['tolerance']}%"
    if row["compare"] == "exact":
        return f"within {as_text(float(row['tolerance']))}" if row["tolerance"] else "exactly"
    return ""


def _meets(row: dict, ours) -> bool:
    """Whether our figure is the published one, exactly or within the tolerance of the row."""
    published, tolerance = row["published"], float(row["tolerance"] or 0)
    values = ours if isinstance(ours, (list, tuple)) else [ours]
    all_numbers = all(map(_is_number, values))
    if row["compare"] == "approx":
        margin = tolerance / 100
        if re.fullmatch(r"\d+-\d+", published):
            low, high = map(float, published.split("-"))
            return all(low * (1 - margin) <= value <= high * (1 + margin) for value in values)
        theirs = _numbers(published)
        return len(theirs) == len(values) and all(
            abs(value - other) <= margin * abs(other)
            for value, other in zip(values, theirs, strict=True)
        )
    if all_numbers and re.fullmatch(r"[-\d. ]+", published):
        theirs = list(map(float, published.split()))
        # The slack is for the binary form of a decimal tolerance, not for the figure.
        return len(theirs) == len(values) and all(
            abs(value - other) <= tolerance + 1e-12
            for value, other in zip(values, theirs, strict=True)
        )
    return as_text(ours) == published


def compare(row: dict, ours, using=(), *, caveat: str = "", verdict: str = "") -> str:
    """The verdict on a row of data/published.csv.

    exact: numbers within the absolute tolerance, text and lists word for word; approx: every
    number within the tolerance in per cent, or inside a published range widened by it; claim: we
    say true, partly or false, or state the verdict; show: there is nothing to compare.

    Parameters
    ----------
    row : dict
    ours : number, str, bool, list of these or None
        None: this run cannot tell.
    using : sequence of str
        The word list and embedding of the run.
    caveat : str
        The condition under which the statement comes out, if there is one.
    verdict : str
        A verdict that the notebook states: any for a claim; for a figure that is not met, the
        reason why that is no contradiction.

    Raises
    ------
    ValueError
        A claim without a verdict whose `ours` is none of true, partly, false; a verdict that the
        row cannot have.
    """
    how, row_id = row["compare"], row["id"]
    if ours is None or (row["needs"] and row["needs"] not in using):
        return GIVEN if row["counts_as"] == GIVEN else NOT_TESTED
    if verdict and verdict not in _STATED[how]:
        raise ValueError(
            f"{row_id}: verdict={verdict!r} cannot be stated of a row that is compared by {how}: "
            f"it can be {', '.join(name for name in VERDICTS if name in _STATED[how])}"
        )
    if how == "claim":
        if not verdict and ours not in _CLAIMS:
            raise ValueError(
                f"{row_id} is a claim: ours must be one of {', '.join(_CLAIMS)}, or give verdict="
            )
        found = verdict or _CLAIMS[ours]
    elif how == "show":
        found = verdict or (GIVEN if row["counts_as"] == GIVEN else NOT_COMPARABLE)
    else:
        found = REPRODUCED if _meets(row, ours) else verdict or CONTRADICTED
    if found == REPRODUCED:
        return GIVEN if row["counts_as"] == GIVEN else WITH_CAVEAT if caveat else REPRODUCED
    return found


class _Shown(str):
    """Text that a notebook has shown already: as the last value of a cell it shows nothing."""

    def _ipython_display_(self):
        pass


def check_published(
    row_id: str, ours, why: str = "", *, caveat: str = "", verdict: str = "", using=None
) -> str:
    """Compare our figure with a row of data/published.csv, show both and record the verdict.

    Parameters
    ----------
    row_id : str
        The row's id, such as ``E12a``.
    ours : number, str, bool or list of these
        What we found; for a claim a bool or true, partly or false, or with `verdict` any words.
        None: this run cannot tell.
    why : str
        The evidence, as a sentence.
    caveat : str
        A condition under which the statement comes out, as a sentence: the verdict is then
        ``with a caveat`` in place of ``reproduced``.
    verdict : str
        What a claim comes to, or why a figure that is not met is no contradiction; see `compare`.
    using : str or sequence of str, optional
        The word list and embedding of this run, if not those that `begin_report` was told.

    Returns
    -------
    str
        One of `VERDICTS`.
    """
    rows = published_rows()
    if row_id not in rows:
        raise KeyError(f"data/published.csv has no row {row_id!r}")
    row, ours = rows[row_id], plain(ours)
    if row["compare"] == "claim" and isinstance(ours, bool):
        ours = "true" if ours else "false"
    using = _using if using is None else [using] if isinstance(using, str) else list(using)
    result = compare(row, ours, using, caveat=caveat, verdict=verdict)
    if result == WITH_CAVEAT and not (caveat or why):
        raise ValueError(f"{row_id}: {WITH_CAVEAT!r} needs caveat=, the condition in words")
    if row["needs"] and row["needs"] not in using:
        ours, caveat = None, ""
        why = f"It needs {row['needs']}; this report uses {', '.join(using) or 'other data'}."
        why = "" if result == GIVEN else why
    entry = {
        "id": row_id,
        "published": row["published"],
        "ours": ours,
        "verdict": result,
        "why": " ".join(filter(None, (caveat, why))),
    }
    _published[row_id] = entry
    text, markup = published_text(entry), published_html(entry)
    _emit({PUBLISHED: entry, "text/html": markup, "text/plain": text})
    return _Shown(result)


def thousands(text: str) -> str:
    """The same text with commas in its whole numbers."""
    return re.sub(r"(?<![\w.,])\d{4,}(?![\w,]|\.\d)", lambda found: f"{int(found[0]):,}", text)


def shown_value(value) -> str:
    """A published figure or ours as a reader sees it."""
    if value is None:
        return "none"
    if isinstance(value, (list, tuple)) and all(map(_is_number, value)):
        return ", ".join(map(shown_value, value))
    if _is_number(value) and float(value).is_integer():
        return f"{int(value):,}"
    return thousands(as_text(value))


_HOLDS = {"true": "holds", "partly": "holds in part", "false": "does not hold"}


def shown_pair(entry: dict) -> tuple[str, str]:
    """What was published and what we found, as a reader sees them; "" where it is no figure."""
    row = published_rows()[entry["id"]]
    published = "" if entry["published"] == "true" else thousands(entry["published"])
    ours = shown_value(entry["ours"])
    return published, _HOLDS.get(ours, ours) if row["compare"] == "claim" else ours


def _statement(row: dict) -> str:
    """What a row is about, in words."""
    return f"{row['subject']}: {row['quantity']}" if row["subject"] else row["quantity"]


def published_text(entry: dict) -> str:
    """A comparison in one line of text."""
    row = published_rows()[entry["id"]]
    published, ours = shown_pair(entry)
    figures = f"published {published}, ours {ours}" if published else f"ours: {ours}"
    return f"{entry['id']}: {_statement(row)}: {figures}: {entry['verdict']}"


def published_html(entry: dict) -> str:
    """A comparison as a paragraph of HTML."""
    row = published_rows()[entry["id"]]
    published, ours = map(html.escape, shown_pair(entry))
    held = tolerance_text(row)
    held = f" ({held})" if held not in ("", "exactly") else ""
    figures = f"published <b>{published}</b>" if published else ""
    if published and entry["ours"] is not None:
        figures += f", ours <b>{ours}</b>{held}"
    kind = entry["verdict"].replace(" ", "-")
    return (
        f'<p class="published {kind}"><b>{entry["id"]}</b> {html.escape(_statement(row))}: '
        + (f"{figures}. " if figures else "")
        + f"<em>{entry['verdict'].capitalize()}</em>."
        + (f" {html.escape(entry['why'])}" if entry["why"] else "")
        + "</p>"
    )


def _is_number(value) -> bool:
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def _decimals(value) -> int:
    """How many decimals a number has when it is shown with four digits."""
    if not _is_number(value) or isinstance(value, numbers.Integral) or not abs(value) < 1000:
        return 0
    return max(0, -int(Decimal(f"{value:.4g}").normalize().as_tuple().exponent))


def _cell(value, decimals: int = 0) -> str:
    """A value as a table shows it; `decimals` is what the column's numbers need."""
    value = value.item() if isinstance(value, np.bool_) else value
    if not _is_number(value):
        return html.escape(as_text(value))
    if isinstance(value, numbers.Integral):
        return f"{value:,}"
    if math.isnan(value):
        return ""
    # A column of like numbers has like decimals; in others, none has more than its four digits.
    if abs(value) >= 1000:
        decimals = 0
    elif decimals > 3 and value:
        decimals = min(decimals, 3 - math.floor(math.log10(abs(value))))
    return f"{value:,.{decimals}f}"


def table_html(frame, caption: str) -> str:
    """A table as HTML with its caption and with scopes for the headings; all text is escaped."""
    rows, n = list(frame.itertuples(index=False)), len(frame.columns)
    head = []
    for place, column in enumerate(frame.columns):
        kind = ' class="number"' if place and all(_is_number(row[place]) for row in rows) else ""
        head.append(f'<th scope="col"{kind}>{html.escape(str(column))}</th>')
    body = []
    # Columns of long text get room, so that none breaks into a word a line.
    long = [max((len(str(row[place])) for row in rows), default=0) > 16 for place in range(n)]
    decimals = [max((_decimals(row[place]) for row in rows), default=0) for place in range(n)]
    for row in rows:
        kinds = [' class="long"' if is_long else "" for is_long in long]
        cells = [
            f'<td class="number">{_cell(value, places)}</td>'
            if _is_number(value)
            else f"<td{kind}>{_cell(value)}</td>"
            for value, kind, places in zip(row[1:], kinds[1:], decimals[1:], strict=True)
        ]
        body.append(
            f'<tr><th scope="row"{kinds[0]}>{_cell(row[0], decimals[0])}</th>{"".join(cells)}</tr>'
        )
    return (
        f"<table><caption>{html.escape(caption)}</caption>"
        f"<thead><tr>{''.join(head)}</tr></thead><tbody>{''.join(body)}</tbody></table>"
    )


def show_table(frame, caption: str, name: str = "", top: int = 20) -> None:
    """Show a table's first rows; with a `name`, the whole of it is kept beside the report as CSV.

    Parameters
    ----------
    frame : DataFrame or Series
        A named or non-trivial index becomes the first column. The first column heads its row.
    caption : str
        What the table shows, as a sentence.
    name : str
        File name of the full table, without folder or ending: letters, digits and hyphens.
    top : int
        Rows to show.
    """
    import pandas as pd

    if name and not re.fullmatch(r"[a-z0-9-]+", name):
        raise ValueError(f"table name {name!r}: small letters, digits and hyphens only")
    frame = frame.to_frame() if isinstance(frame, pd.Series) else frame
    if not isinstance(frame.index, pd.RangeIndex):
        frame = frame.reset_index()
    shown = frame.head(top)
    if len(frame) > len(shown):
        caption = f"{caption} The first {len(shown):,} of {len(frame):,} rows."
    data = {"text/html": table_html(shown, caption), "text/plain": shown.to_string(index=False)}
    if name:
        data[TABLE] = {"name": name, "csv": frame.to_csv(index=False, lineterminator="\n")}
    _emit(data)


def show_try(name: str, state: dict, title: str, hint: str, example: str) -> None:
    """Show a part that the reader can play with, from ``templates/boards/<name>.js``.

    Parameters
    ----------
    name : str
    state : dict
        What the script starts from, as plain values; it travels in the page.
    title : str
        What can be done, as a short imperative.
    hint : str
        What to try first, and what to look out for.
    example : str
        HTML for pages without scripts: what the part does, and a worked example.
    """
    part: dict = {"name": name, "state": state, "title": title, "hint": hint, "example": example}
    _emit({TRY: part, "text/html": frame(**part), "text/plain": f"{title} (to play, see the page)"})


def show_results() -> None:
    """In a notebook's last cell: list what this report recorded and checked.

    It is for JupyterLab: a page says the same where it is found, and links to the file of results.
    """
    names = ", ".join(_results)
    lines = [f"This report records {names or 'no results'}."]
    lines += [published_text(entry) for entry in _published.values()]
    text = "\n\n".join(lines)
    _emit({"text/markdown": text, "text/plain": text}, in_lab_only=True)
