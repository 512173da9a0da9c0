"""The site: a page for each report, and a first page with the answers and the ledger.

Pages are made with jinja2 from the templates in ``templates/report``. A page holds all that it
shows. The first page is made of what lies in the output folder, so that it can be made again at
any time: results that are missing or damaged are said to be so.
"""

import contextlib
import csv
import io
import json
import re
import shlex
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path
from urllib.parse import quote

import jinja2
import nbformat
from markupsafe import Markup, escape

from wordgames import _playable
from wordgames._files import Staging
from wordgames.places import NOTEBOOKS, TEMPLATES
from wordgames.reports import fragments
from wordgames.reports.parameters import Parameter, parameters_cells, read_parameters
from wordgames.reports.recording import (
    CONTRADICTED,
    GIVEN,
    NOT_CARRIED_OVER,
    NOT_COMPARABLE,
    NOT_TESTED,
    PUBLISHED,
    REPRODUCED,
    TABLE,
    TRY,
    VERDICTS,
    WITH_CAVEAT,
    as_text,
    essays,
    published_rows,
    shown_pair,
    tolerance_text,
)
from wordgames.reports.settings import altered, notebook_paths

TEMPLATE = TEMPLATES / "report"

SITE_NAME = "Word games, checked"
NOT_RUN = "not yet run"
UNTESTED = {NOT_COMPARABLE, NOT_TESTED, NOT_RUN}
_MEANINGS = {**VERDICTS, NOT_RUN: "no report that checks it has been made"}
# The verdict of a claim of several rows is the first of these that one of them has.
_GRAVEST = (
    *(CONTRADICTED, NOT_CARRIED_OVER, WITH_CAVEAT, NOT_COMPARABLE, REPRODUCED),
    *(NOT_TESTED, NOT_RUN),
)
_PLAIN = (REPRODUCED, GIVEN)

# By essay: what people call its game, what its reports are about, and their numbers.
GROUPS = {
    "emojle": (
        "Emojle: the answer from posted squares",
        "People post the colours of their guesses and keep the words to themselves.",
        ("01", "02", "03", "04", "05"),
    ),
    "letter-score": (
        "Wordle: which word to guess next",
        "From a rule that counts letters to the best possible play.",
        ("06", "07", "08"),
    ),
    "semantle": (
        "Semantle: a word from its likeness to others",
        "The game answers each guess with a score of how alike two words are in meaning.",
        ("09", "10", "11"),
    ),
}
# What reports that follow no one essay are about, and their numbers.
BEYOND = (
    "Beyond the essays: other languages",
    "What the essays asked of English, asked of other languages.",
    ("12",),
)
# The findings on the first screen: the report that records each, and the sketch beside it.
_FRONT = (("05", "grids"), ("03", "swap"), ("10", "ladder"))
# In the sketches: posted grids of one answer; a guess, its pattern and the answer, both ways.
SKETCHES = {
    "answer": "crane",
    "grids": (
        {"slate": "..G.G", "brace": ".GGYG", "crane": "GGGGG"},
        {"audio": "Y....", "learn": ".YGYY", "crane": "GGGGG"},
        {"raise": "YY..G", "trace": ".GGYG", "crane": "GGGGG"},
    ),
    "swap": (("chair", "YYG.Y", "reach"), ("reach", "Y.GYY", "chair")),
}

_AROUND = re.compile(r"<!--around-->.*?<!--/around-->", re.DOTALL)


def _version() -> str:
    try:
        return metadata.version("wordgames")
    except metadata.PackageNotFoundError:  # run from a folder that was never installed
        return ""


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATE), autoescape=True, undefined=jinja2.StrictUndefined
    )
    environment.filters["squares"] = lambda text: Markup(fragments.with_squares(escape(text)))
    environment.globals.update(
        site_name=SITE_NAME,
        home="index.html",
        essays=list(essays().values()),
        version=_version(),
        style=(TEMPLATE / "style.css").read_text(encoding="utf-8"),
        script=(TEMPLATE / "page.js").read_text(encoding="utf-8"),
    )
    return environment


def command(name: str, changed: dict) -> str:
    """The command that makes a report again, run in the repository's folder."""
    found = re.match(r"(\d\d)-", name) if (NOTEBOOKS / f"{name}.ipynb").exists() else None
    settings = (f"-p {shlex.quote(f'{key}={as_text(value)}')}" for key, value in changed.items())
    notebook = found[1] if found else shlex.quote(f"{name}.ipynb")
    return " ".join([".venv/bin/python -m wordgames run", notebook, *settings])


@dataclass(frozen=True)
class About:
    """Of which notebook a page is, with which values it ran, and its results' checksum."""

    name: str
    parameters: dict
    declared: dict[str, Parameter]
    home: str = "index.html"  # the page above it
    results: str = ""

    @property
    def changed(self) -> dict:
        """The parameters that are not at their defaults."""
        return {
            name: value
            for name, value in self.parameters.items()
            if value != self.declared[name].default
        }


def _essay_of(name: str) -> str:
    """The essay whose group a report belongs to, "" if none."""
    return next((essay for essay, (*_, numbers) in GROUPS.items() if name[:2] in numbers), "")


def _checked(entries: list[dict]) -> list[tuple[dict, int, int, int]]:
    """Of each essay that a report checks: its statements; those plainly reproduced, not tested."""
    verdicts: dict[str, list[str]] = {}
    for entry in entries:
        if entry["verdict"] != GIVEN:
            essay = published_rows()[entry["id"]]["essay"]
            verdicts.setdefault(essay, []).append(entry["verdict"])
    return [
        (essays()[essay], len(found), found.count(REPRODUCED), found.count(NOT_TESTED))
        for essay, found in verdicts.items()
    ]


def page_html(notebook, about: About, failure: str = "") -> str:
    """The page of an executed notebook; `failure` says why it is no good one."""
    parts, contents = fragments.parts(notebook, f"tables/{about.name}")
    steps = (number for number in range(1, len(parts) + 1))
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    tables = {output.data[TABLE]["name"] for output in outputs if TABLE in output.get("data", {})}
    published = {
        output.data[PUBLISHED]["id"]: output.data[PUBLISHED]
        for output in outputs
        if PUBLISHED in output.get("data", {})
    }
    shown = [
        {
            "prose": part.prose,
            "code": part.code,
            "outputs": part.outputs,
            "number": next(steps) if part.code else None,
        }
        for part in parts
    ]
    # The title, the question and the answer come before the contents on a small screen.
    head = next(
        (
            place
            for place, part in enumerate(parts[:4], 1)
            if any(fragments.ANSWER in output for output in part.outputs)
        ),
        min(len(parts), 1),
    )
    page = {
        "name": about.name,
        "title": Markup(contents.title) or about.name,
        "has_title": bool(contents.title),
        "contents": [(level, anchor, Markup(text)) for level, anchor, text in contents.entries],
        "head": shown[:head],
        "body": shown[head:],
        "checked": _checked(list(published.values())),
        "essay": essays().get(_essay_of(about.name)),
        "parameters": [
            {
                "name": name,
                "value": as_text(value),
                "changed": name in about.changed,
                "help": about.declared[name].help,
            }
            for name, value in about.parameters.items()
        ],
        "command": command(about.name, about.changed),
        "tables": sorted(tables),
        "failure": failure,
        "results": about.results,
        "style": _playable.style() if any(TRY in o.get("data", {}) for o in outputs) else "",
    }
    return _environment().get_template("page.html.j2").render(page=page, home=about.home)


def title_of(path: Path) -> str:
    """The title of a notebook, as Markdown; its name if it has none."""
    return _title_and_question(nbformat.read(path, as_version=4))[0] or path.stem


def sweep_html(page: dict) -> str:
    """The page of a sweep, of what `wordgames.reports.comparison` found."""
    sorting = (TEMPLATE / "sorting.js").read_text(encoding="utf-8")
    page = {**page, "title": Markup(page["title"])}
    return _environment().get_template("sweep.html.j2").render(page=page, sorting=sorting)


@dataclass(frozen=True)
class Found:
    """What the output folder holds of one notebook."""

    name: str
    title: str
    question: str
    thumbnail: str
    results: dict | None
    changed: dict
    problem: str
    page: str
    failed_page: str

    @property
    def number(self) -> str:
        found = re.match(r"\d\d", self.name)
        return found[0] if found else ""


def _title_and_question(notebook) -> tuple[str, str]:
    """The heading of a notebook's first cell and its first question, as Markdown.

    A heading that is a question needs no second one; text without a question gives its first
    sentence.
    """
    first = next((c.source for c in notebook.cells if c.cell_type == "markdown"), "")
    heading, _, rest = first.strip().partition("\n")
    if not heading.startswith("# "):
        return "", ""
    title = heading.removeprefix("# ").strip()
    if title.endswith("?"):
        return title, ""
    sentences = re.split(r"(?<=[.?!])\s+", " ".join(rest.split()))
    return title, next((sentence for sentence in sentences if "?" in sentence), sentences[0])


def _thumbnail(notebook) -> str:
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if thumbnail := output.get("metadata", {}).get("image/svg+xml", {}).get("thumbnail"):
                # Reports of an older version hold a PNG: better none than a broken picture.
                return "" if not thumbnail.startswith("<svg") else fragments.svg_address(thumbnail)
    return ""


def _changed(notebook, results: dict | None) -> dict:
    """The parameters of a run that are not at the defaults."""
    given = results["parameters"] if results else {}
    declared = {}
    for cell in parameters_cells(notebook):
        with contextlib.suppress(ValueError, SyntaxError):
            declared = read_parameters(cell.source)
    return {
        name: value
        for name, value in given.items()
        if name in declared and value != declared[name].default
    }


def _read_results(path: Path) -> tuple[dict | None, str]:
    """Results, or None and what is wrong with them."""
    try:
        results = json.loads(path.read_text(encoding="utf-8"))
        entries = results["published"]
        if not isinstance(results["results"], dict) or not isinstance(results["parameters"], dict):
            raise TypeError("no results")
        for entry in entries:
            if entry["verdict"] not in VERDICTS or not {"id", "ours", "why"} <= set(entry):
                raise ValueError("no comparison")
    except FileNotFoundError:
        return None, "Not run yet."
    except (OSError, ValueError, KeyError, TypeError):
        return None, f"Its results ({path.parent.name}/{path.name}) cannot be read: run it again."
    return results, ""


def _can_read(page: Path) -> bool:
    with contextlib.suppress(OSError, UnicodeDecodeError):
        return page.read_text(encoding="utf-8") is not None
    return False


def _look(name: str, output_dir: Path) -> Found:
    path = output_dir / "results" / f"{name}.json"
    results, problem = _read_results(path)
    if results and altered(path, output_dir / f"{name}.html"):
        results, problem = None, f"Its results (results/{path.name}) were altered: run it again."
    title = question = thumbnail = ""
    changed = {}
    for path in (output_dir / "notebooks" / f"{name}.ipynb", NOTEBOOKS / f"{name}.ipynb"):
        try:
            notebook = nbformat.read(path, as_version=4)
        except Exception:  # missing or damaged in whatever way: the next one may serve
            continue
        title, question = _title_and_question(notebook)
        thumbnail = _thumbnail(notebook)
        changed = _changed(notebook, results)
        break
    pages = {kind: output_dir / (name + kind) for kind in (".html", ".FAILED.html")}
    here = {kind: page.name if _can_read(page) else "" for kind, page in pages.items()}
    if results and not here[".html"]:
        state = "cannot be read" if pages[".html"].exists() else "is missing"
        problem = f"Its page {state}: run it again."
    return Found(
        name,
        title or name,
        question,
        thumbnail,
        results,
        changed,
        problem,
        here[".html"],
        here[".FAILED.html"],
    )


def look(output_dir: Path) -> list[Found]:
    """What the folder holds of each notebook: the repository's, and others that ran into it."""
    names = {path.stem for path in notebook_paths()}
    names |= {path.stem for path in (output_dir / "results").glob("*.json")}
    names |= {path.name.removesuffix(".FAILED.html") for path in output_dir.glob("*.FAILED.html")}
    return [_look(name, output_dir) for name in sorted(names)]


def ledger(found: list[Found]) -> list[dict]:
    """Every row of data/published.csv with what the reports found of it.

    Where several reports check a row, the first that could compare it speaks; all are named.
    """
    rows = []
    for row_id, row in published_rows().items():
        entries = [
            (report, entry)
            for report in found
            for entry in (report.results or {}).get("published", ())
            if entry["id"] == row_id
        ]
        entries.sort(key=lambda pair: pair[1]["verdict"] == NOT_TESTED)
        entry = entries[0][1] if entries else {"ours": None, "verdict": NOT_RUN, "why": ""}
        rows.append(
            {
                "id": row_id,
                "essay": row["essay"],
                "counts_as": row["counts_as"],
                "quantity": row["quantity"],
                "subject": row["subject"],
                "published": row["published"],
                "tolerance": tolerance_text(row),
                "ours": None if entry["ours"] is None else as_text(entry["ours"]),
                "verdict": entry["verdict"],
                "why": entry["why"],
                "reports": sorted(report.name for report, _ in entries),
            }
        )
    return rows


def tally(rows: list[dict]) -> dict[str, int]:
    """How many claims have each verdict.

    Rows that are parts of one claim count once, with the gravest of their verdicts; what is given
    does not count.
    """
    claims: dict[str, list[str]] = {}
    for row in rows:
        if row["counts_as"] != GIVEN:
            claim = row["id"] if row["counts_as"] == "finding" else row["counts_as"]
            claims.setdefault(claim, []).append(row["verdict"])
    verdicts = [min(found, key=_GRAVEST.index) for found in claims.values()]
    return {name: verdicts.count(name) for name in _MEANINGS if name in verdicts}


def _ledger_csv(rows: list[dict]) -> str:
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(rows[0])
    for row in rows:
        writer.writerow(
            " ".join(value) if isinstance(value, list) else "" if value is None else value
            for value in row.values()
        )
    return buffer.getvalue()


def _text(report: Found, name: str) -> Markup:
    """A sentence that a report records, as HTML."""
    results = (report.results or {}).get("results", {})
    return Markup(fragments.shown_inline(str(results.get(name, ""))))


def _card(report: Found) -> dict:
    return {
        "number": report.number,
        "title": Markup(fragments.shown_inline(report.title)),
        "question": Markup(fragments.shown_inline(report.question)),
        "answer": _text(report, "answer"),
        "assuming": _text(report, "assuming"),
        "thumbnail": Markup(report.thumbnail if report.results else ""),
        "changed": ", ".join(f"{key} = {as_text(v)}" for key, v in report.changed.items()),
        "page": quote(report.page),
        "failed_page": quote(report.failed_page),
        "problem": report.problem,
        "command": command(report.name, report.changed) if report.problem else "",
    }


def _groups(found: list[Found]) -> list[dict]:
    """The cards of the reports, those of one essay together."""
    groups: list[dict] = [
        {
            "name": name,
            "about": about,
            "essay": essays()[essay],
            "cards": [_card(report) for report in found if report.number in numbers],
        }
        for essay, (name, about, numbers) in GROUPS.items()
    ]
    others = [report for report in found if not _essay_of(report.name)]
    *beyond, numbers = BEYOND
    for name, about, within in ((*beyond, True), ("Other reports", "", False)):
        cards = [_card(report) for report in others if (report.number in numbers) == within]
        groups.append({"name": name, "about": about, "essay": None, "cards": cards})
    return [group for group in groups if group["cards"]]


def _findings(found: list[Found]) -> list[dict]:
    """What the first screen tells, of the reports that are there.

    A recorded finding says what it assumes; without one, a report's answer and assumption stand.
    """
    findings = []
    for number, sketch in _FRONT:
        for report in found:
            if report.number == number and report.page and report.results:
                finding = _text(report, "finding")
                findings.append(
                    {
                        "sketch": sketch,
                        "text": finding or _text(report, "answer"),
                        "assuming": "" if finding else _text(report, "assuming"),
                        "page": quote(report.page),
                    }
                )
    return findings


_TRY = re.compile(r'<p class="try-title" id="(try-[\w-]+)-title">(?:Try it: )?(.*?)</p>')


def _playable_parts(page: str, report: Found) -> list[tuple[str, str, Markup, str]]:
    """The parts of a page that a reader can play with: page, anchor, title, number."""
    return [
        (quote(report.page), anchor, Markup(title[:1].upper() + title[1:]), report.number)
        for anchor, title in _TRY.findall(page)
    ]


def _step(report: Found, relation: str, place: str) -> str:
    """A link to the report before or after; its whole title at the foot, its number above."""
    word, title = (
        {"prev": "Previous", "next": "Next"}[relation],
        fragments.shown_inline(report.title),
    )
    text = f"<span>{word}: {title}</span>"
    if place == "before":
        text = f'{word}<span class="hidden">: {title}</span>'
    text = f"← {text}" if relation == "prev" else f"{text} →"
    return f'<a class="{relation}" rel="{relation}" href="{quote(report.page)}">{text}</a>'


def _around(before: Found | None, after: Found | None, place: str) -> str:
    kind = ' class="hidden"' if place == "before" else ""
    links = [
        _step(before, "prev", place) if before else "",
        f'<a class="up" href="index.html">All reports<span{kind}> and the ledger</span></a>',
        _step(after, "next", place) if after else "",
    ]
    label = "Reports" if place == "before" else "Reports, again"
    return f'<nav class="around {place}" aria-label="{label}">{"".join(links)}</nav>'


def _linked(page: str, before: Found | None, after: Found | None) -> str:
    places = iter(("before", "after"))
    return _AROUND.sub(
        lambda _: f"<!--around-->{_around(before, after, next(places))}<!--/around-->",
        page,
        count=2,
    )


def build_index(output_dir: str | Path) -> Path:
    """Make the first page, the ledger's files and the links between the pages that there are."""
    output_dir = Path(output_dir)
    with Staging(output_dir) as staging:
        return _stage_index(output_dir, staging)


def _shown(row: dict, entry_reports: list) -> dict:
    """A row of the ledger as the first page shows it."""
    published, ours = shown_pair(row)
    return {
        **row,
        "essay_name": essays()[row["essay"]]["name"],
        "shown_published": published or "–",  # noqa: RUF001 - a dash for nothing
        "shown_ours": ours if row["ours"] is not None else "–",  # noqa: RUF001
        "tolerance": row["tolerance"] if row["ours"] is not None else "",
        "plain": row["verdict"] in _PLAIN,
        "reports": entry_reports,
    }


def _stage_index(output_dir: Path, staging: Staging) -> Path:
    found = look(output_dir)
    rows = ledger(found)
    pages = {report.name: report.page for report in found}
    numbers = {report.name: report.number for report in found}
    shown = [
        _shown(row, [(numbers[n] or n, quote(pages[n])) for n in row["reports"] if pages[n]])
        for row in rows
    ]
    count = {verdict: sum(row["verdict"] == verdict for row in rows) for verdict in _MEANINGS}
    filters = [
        (
            "essay",
            "Essay",
            [
                (e, essay["name"], sum(r["essay"] == e for r in rows))
                for e, essay in essays().items()
            ],
        ),
        ("verdict", "Verdict", [(verdict, verdict, n) for verdict, n in count.items() if n]),
    ]
    with_page = [report for report in found if report.page]
    texts = {
        report.name: (output_dir / report.page).read_text(encoding="utf-8") for report in with_page
    }
    counted = tally(rows)
    api = "api/index.html"  # `make reports` makes them beside the reports
    index = (
        _environment()
        .get_template("front.html.j2")
        .render(
            groups=_groups(found),
            findings=_findings(found),
            sketches=SKETCHES,
            playable=[
                part for report in with_page for part in _playable_parts(texts[report.name], report)
            ],
            ledger=shown,
            verdicts=[(name, text) for name, text in _MEANINGS.items() if count[name]],
            total=sum(counted.values()),
            tested=sum(counted[name] for name in counted.keys() - UNTESTED),
            tally=list(counted.items()),
            filters=filters,
            api=api if (output_dir / api).exists() else "",
        )
    )
    for place, report in enumerate(with_page):
        before = with_page[place - 1] if place else None
        after = with_page[place + 1] if place + 1 < len(with_page) else None
        linked = _linked(texts[report.name], before, after)
        if linked != texts[report.name]:
            staging.write(output_dir / report.page, linked)
    for report in found:
        if report.failed_page:
            path = output_dir / report.failed_page
            staging.write(path, _linked(path.read_text(encoding="utf-8"), None, None))
    staging.write(output_dir / "ledger.csv", _ledger_csv(rows))
    staging.write(output_dir / "ledger.json", json.dumps(rows, ensure_ascii=False, indent=1) + "\n")
    staging.write(output_dir / "index.html", index)
    return output_dir / "index.html"
