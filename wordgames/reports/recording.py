"""What a notebook records of itself: its answer, named results, published figures, tables.

Everything travels inside the notebook's own outputs, as outputs of private media types: a notebook
writes no file, and plain papermill keeps the records too. The runner reads them back
(`wordgames.reports.runner`). In JupyterLab these outputs show as their plain text.
"""

import csv
import html
import json
import math
import numbers
import re
from decimal import Decimal
from functools import cache

from wordgames.places import DATA

RECORD = "application/vnd.wordgames.record+json"
PUBLISHED = "application/vnd.wordgames.published+json"
TABLE = "application/vnd.wordgames.table+json"

SAME, DIFFERS, NOT_TESTABLE = "same", "differs", "not testable here"
CLAIMS = ("true", "false", "partly")

# What this kernel has recorded so far, for the notebook's last cell; a cell that is run again
# replaces what it recorded.
_results: dict[str, object] = {}
_published: dict[str, dict] = {}


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
    The name ``answer`` is shown on the site's first page.
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


def verdict(row: dict, ours) -> str:
    """Whether our figure is the published one, by the row's own way of comparing.

    exact: numbers within the absolute tolerance, text and lists word for word; approx: every
    number within the tolerance in per cent, or inside a published range widened by it; claim:
    ours says true, false or partly; faster: ours is the smaller number.
    """
    how, published, tolerance = row["compare"], row["published"], float(row["tolerance"] or 0)
    values = [ours] if not isinstance(ours, (list, tuple)) else list(ours)
    all_numbers = all(isinstance(v, numbers.Real) and not isinstance(v, bool) for v in values)
    if how == "show":
        return NOT_TESTABLE
    if how == "claim":
        if ours not in CLAIMS:
            raise ValueError(f"{row['id']} is a claim: ours must be one of {', '.join(CLAIMS)}")
        same = ours == "true"
    elif how == "faster":
        same = ours < float(published)
    elif how == "approx":
        margin = tolerance / 100
        if re.fullmatch(r"\d+-\d+", published):
            low, high = map(float, published.split("-"))
            same = all(low * (1 - margin) <= value <= high * (1 + margin) for value in values)
        else:
            theirs = _numbers(published)
            same = len(theirs) == len(values) and all(
                abs(value - other) <= margin * abs(other)
                for value, other in zip(values, theirs, strict=True)
            )
    elif all_numbers and re.fullmatch(r"[-\d. ]+", published):
        theirs = list(map(float, published.split()))
        # The slack is for the binary form of a decimal tolerance, not for the figure.
        same = len(theirs) == len(values) and all(
            abs(value - other) <= tolerance + 1e-12
            for value, other in zip(values, theirs, strict=True)
        )
    else:
        same = as_text(ours) == published
    return SAME if same else DIFFERS


class _Shown(str):
    """Text that a notebook has shown already: as the last value of a cell it shows nothing."""

    def _ipython_display_(self):
        pass


def check_published(row_id: str, ours, why: str = "", using=()) -> str:
    """Compare our figure with a row of data/published.csv, show both and record the verdict.

    Parameters
    ----------
    row_id : str
        The row's id, such as ``E12a``.
    ours : number, str, bool or list of these
        What we found; for a claim one of true, false, partly. None: it cannot be had in this run.
    why : str
        The evidence for a claim, or what can be said of a difference.
    using : str or sequence of str
        The word list and embedding of this run. A row that needs another one is not compared.

    Returns
    -------
    str
        ``same``, ``differs`` or ``not testable here``.
    """
    rows = published_rows()
    if row_id not in rows:
        raise KeyError(f"data/published.csv has no row {row_id!r}")
    row = rows[row_id]
    using = [using] if isinstance(using, str) else list(using)
    ours = plain(ours)
    if row["needs"] and row["needs"] not in using:
        ours, result = None, NOT_TESTABLE
        used = ", ".join(using) or "other data"
        why = f"The statement is about {row['needs']}; this run used {used}."
    elif ours is None:
        result = NOT_TESTABLE
    else:
        result = verdict(row, ours)
    entry = {
        "id": row_id,
        "published": row["published"],
        "ours": ours,
        "verdict": result,
        "why": why,
    }
    _published[row_id] = entry
    shown = "-" if ours is None else as_text(ours)
    subject = f" ({row['subject']})" if row["subject"] else ""
    text = (
        f"{row_id}: {row['quantity']}{subject}: "
        f"published {row['published'] or '(no figure)'}, ours {shown}: {result}"
    )
    markup = (
        f'<p class="published {result.replace(" ", "-")}"><b>{row_id}</b> '
        f"{html.escape(row['quantity'])}{html.escape(subject)}: "
        f"published <b>{html.escape(row['published'] or '(no figure)')}</b>, "
        f"ours <b>{html.escape(shown)}</b>: <em>{result}</em>"
        + (f". {html.escape(why)}" if why else "")
        + "</p>"
    )
    _emit({PUBLISHED: entry, "text/html": markup, "text/plain": text})
    return _Shown(result)


def _is_number(value) -> bool:
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def _cell(value) -> str:
    if isinstance(value, numbers.Integral) and not isinstance(value, bool):
        return f"{value:,}"
    if _is_number(value):
        return (
            "" if math.isnan(value) else f"{value:,.4g}" if abs(value) < 1000 else f"{value:,.0f}"
        )
    return html.escape(as_text(value))


def table_html(frame, caption: str) -> str:
    """A table as HTML with its caption and with scopes for the headings; all text is escaped."""
    rows = list(frame.itertuples(index=False))
    head = []
    for place, column in enumerate(frame.columns):
        kind = ' class="number"' if place and all(_is_number(row[place]) for row in rows) else ""
        head.append(f'<th scope="col"{kind}>{html.escape(str(column))}</th>')
    body = []
    for row in rows:
        cells = [
            f'<td class="number">{_cell(value)}</td>'
            if _is_number(value)
            else f"<td>{_cell(value)}</td>"
            for value in row[1:]
        ]
        body.append(f'<tr><th scope="row">{_cell(row[0])}</th>{"".join(cells)}</tr>')
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


def show_results() -> None:
    """In a notebook's last cell: show what this run has recorded."""
    import pandas as pd

    results = pd.DataFrame(
        {
            "result": list(_results),
            "value": [json.dumps(value, ensure_ascii=False) for value in _results.values()],
        }
    )
    results["value"] = results["value"].str.slice(0, 200)
    show_table(results, "Results that this run recorded.", top=len(results))
    if _published:
        ledger = pd.DataFrame(_published.values())[["id", "published", "ours", "verdict"]]
        # From the entries: in a column of numbers, pandas makes None a NaN.
        ours = [entry["ours"] for entry in _published.values()]
        ledger["ours"] = ["-" if value is None else as_text(value) for value in ours]
        show_table(ledger, "Published statements that this run checked.", top=len(ledger))
