"""The site: a page for each report, and a first page with the answers and the ledger.

Pages are made by nbconvert with the template in ``templates/report``. A page holds all that it
shows. The first page is made of what lies in the output folder, so that it can be made again at
any time: results that are missing or damaged are said to be so.
"""

import base64
import contextlib
import csv
import io
import json
import re
import shlex
import struct
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import quote

import nbformat
from markupsafe import Markup, escape
from nbconvert.exporters import TemplateExporter

from wordgames import _playable
from wordgames._files import Staging, locked
from wordgames.places import NOTEBOOKS, TEMPLATES
from wordgames.reports import fragments
from wordgames.reports.parameters import Parameter, parameters_cells, read_parameters
from wordgames.reports.recording import (
    NOT_TESTED,
    TABLE,
    TRY,
    VERDICTS,
    as_text,
    published_rows,
)

TEMPLATE = TEMPLATES / "report"

SITE_NAME = "Word games, checked"
SITE_LINE = (
    "Three essays on Emojle, Wordle and Semantle, run again: each statement and what we found."
)
NOT_RUN = "not yet run"
ESSAYS = {"emojle": "Emojle", "letter-score": "Letter score", "semantle": "Semantle"}

_AROUND = re.compile(r"<!--around-->.*?<!--/around-->", re.DOTALL)


def notebook_paths() -> list[Path]:
    """The repository's notebooks, in reading order."""
    return sorted(NOTEBOOKS.glob("[0-9][0-9]-*.ipynb"))


@cache
def _environment():
    exporter = TemplateExporter(
        template_name="report", extra_template_basedirs=[str(TEMPLATE.parent)], file_extension=".j2"
    )
    environment = exporter.environment
    environment.autoescape = True
    environment.filters["squares"] = lambda text: Markup(fragments.with_squares(escape(text)))
    environment.globals.update(
        site_name=SITE_NAME,
        site_line=SITE_LINE,
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
    """Of which notebook a page is, and with which values it ran."""

    name: str
    parameters: dict
    declared: dict[str, Parameter]

    @property
    def changed(self) -> dict:
        """The parameters that are not at their defaults."""
        return {
            name: value
            for name, value in self.parameters.items()
            if value != self.declared[name].default
        }


def page_html(notebook, about: About, failure: str = "") -> str:
    """The page of an executed notebook; `failure` says why it is no good one."""
    parts, contents = fragments.parts(notebook, f"tables/{about.name}")
    steps = (number for number in range(1, len(parts) + 1))
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    tables = {output.data[TABLE]["name"] for output in outputs if TABLE in output.get("data", {})}
    page = {
        "name": about.name,
        "title": Markup(contents.title) or about.name,
        "has_title": bool(contents.title),
        "contents": [(level, anchor, Markup(text)) for level, anchor, text in contents.entries],
        "parts": [
            {
                "prose": part.prose,
                "code": part.code,
                "outputs": part.outputs,
                "number": next(steps) if part.code else None,
            }
            for part in parts
        ],
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
        "style": _playable.style() if any(TRY in o.get("data", {}) for o in outputs) else "",
    }
    return _environment().get_template("index.html.j2").render(page=page)


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
                with contextlib.suppress(ValueError, struct.error):
                    _png_size(thumbnail)
                    return thumbnail
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


def _look(name: str, output_dir: Path) -> Found:
    results, problem = _read_results(output_dir / "results" / f"{name}.json")
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
    here = {
        kind: name + kind if (output_dir / (name + kind)).is_file() else ""
        for kind in (".html", ".FAILED.html")
    }
    if results and not here[".html"]:
        problem = "Its page is missing: run it again."
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
                "quantity": row["quantity"],
                "subject": row["subject"],
                "published": row["published"],
                "ours": None if entry["ours"] is None else as_text(entry["ours"]),
                "verdict": entry["verdict"],
                "why": entry["why"],
                "reports": sorted(report.name for report, _ in entries),
            }
        )
    return rows


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


def _png_size(thumbnail: str) -> tuple[int, int]:
    return struct.unpack(">II", base64.b64decode(thumbnail[:64])[16:24])


def _card(report: Found) -> dict:
    results = report.results or {"results": {}, "parameters": {}}
    return {
        "number": report.number,
        "title": Markup(fragments.shown_inline(report.title)),
        "question": Markup(fragments.shown_inline(report.question)),
        "answer": Markup(fragments.shown_inline(str(results["results"].get("answer", "")))),
        "thumbnail": report.thumbnail if report.results else "",
        "size": _png_size(report.thumbnail) if report.thumbnail else (0, 0),
        "changed": ", ".join(f"{key} = {as_text(v)}" for key, v in report.changed.items()),
        "page": quote(report.page),
        "failed_page": quote(report.failed_page),
        "problem": report.problem,
        "command": command(report.name, report.changed) if report.problem else "",
    }


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
    with locked(Path(output_dir)):
        return _build_index(Path(output_dir))


def _build_index(output_dir: Path) -> Path:
    found = look(output_dir)
    rows = ledger(found)
    pages = {report.name: report.page for report in found}
    numbers = {report.name: report.number for report in found}
    shown = [
        {
            **row,
            "essay_title": ESSAYS.get(row["essay"], row["essay"]),
            "reports": [
                (numbers[name] or name, quote(pages[name]))
                for name in row["reports"]
                if pages[name]
            ],
        }
        for row in rows
    ]
    count = {
        verdict: sum(row["verdict"] == verdict for row in rows) for verdict in (*VERDICTS, NOT_RUN)
    }
    essays = dict.fromkeys(row["essay"] for row in rows)
    filters = [
        (
            "essay",
            "Essay",
            [(e, ESSAYS.get(e, e), sum(row["essay"] == e for row in rows)) for e in essays],
        ),
        ("verdict", "Verdict", [(verdict, verdict, n) for verdict, n in count.items() if n]),
    ]
    index = (
        _environment()
        .get_template("front.html.j2")
        .render(
            cards=[_card(report) for report in found],
            ledger=shown,
            tally_words={},
            tally=[(verdict, n) for verdict, n in count.items() if n],
            filters=filters,
        )
    )
    with_page = [report for report in found if report.page]
    with Staging() as staging:
        for place, report in enumerate(with_page):
            path = output_dir / report.page
            page = path.read_text(encoding="utf-8")
            before = with_page[place - 1] if place else None
            after = with_page[place + 1] if place + 1 < len(with_page) else None
            linked = _linked(page, before, after)
            if linked != page:
                staging.write(path, linked)
        for report in found:
            if report.failed_page:
                path = output_dir / report.failed_page
                staging.write(path, _linked(path.read_text(encoding="utf-8"), None, None))
        staging.write(output_dir / "ledger.csv", _ledger_csv(rows))
        staging.write(
            output_dir / "ledger.json", json.dumps(rows, ensure_ascii=False, indent=1) + "\n"
        )
        staging.write(output_dir / "index.html", index)
    return output_dir / "index.html"
