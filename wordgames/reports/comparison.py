"""The page that sets the runs of a sweep side by side, and the same as a table for pandas."""

import csv
import hashlib
import io
import json
import shlex
from dataclasses import asdict, dataclass
from numbers import Real
from pathlib import Path
from urllib.parse import quote

from wordgames._files import Staging
from wordgames.reports.recording import as_text, shown_value
from wordgames.reports.sweep import DONE, FAILED, Run

_LONG = 60  # characters of a value that is shown whole


def _is_number(value) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def flat(results: dict, prefix: str = "") -> dict:
    """Results by name, those inside a dict as ``name.key``."""
    found = {}
    for name, value in results.items():
        if isinstance(value, dict):
            found |= flat(value, f"{prefix}{name}.")
        else:
            found[prefix + name] = value
    return found


def _csv(runs: list[Run], results: list[dict], names: list[str]) -> str:
    parameters = list(runs[0].parameters)
    # A result that is called as a parameter must not take its column.
    heads = [f"result.{name}" if name in (*parameters, "run", "state") else name for name in names]

    def text(value):
        plain = value is None or isinstance(value, (bool, int, float, str))
        return value if plain else json.dumps(value, ensure_ascii=False)

    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(["run", "state", *parameters, *heads])
    for run, found in zip(runs, results, strict=True):
        given = (run.parameters[name] for name in parameters)
        writer.writerow(
            [run.folder.name, run.state, *given, *(text(found.get(name)) for name in names)]
        )
    return buffer.getvalue()


@dataclass(frozen=True)
class _Cell:
    """A value of the table: its text, what it is sorted by, and how it differs from the first."""

    text: str
    key: str
    kind: str
    change: str = ""


def _shown(value) -> str:
    text = shown_value(value) if _is_number(value) else as_text(value)
    if isinstance(value, (list, tuple)) and len(text) > _LONG:
        return f"{len(value):,} values"
    return text


def _cell(found: dict, first: dict | None, name: str) -> _Cell:
    value = found.get(name)
    if value is None:
        return _Cell("", "", "")
    number = _is_number(value)
    kind, key, change = "number" if number else "", str(value), ""
    if len(key) > _LONG / 2 and not number:
        kind = "long"
    if first is not None and value != first.get(name):
        before = first.get(name)
        change = "differs"
        if number and _is_number(before):
            change = f"{'+' if value > before else '−'}{shown_value(abs(value - before))}"  # noqa: RUF001 - a minus sign
    return _Cell(_shown(value), key, kind, change)


def _varied(runs: list[Run]) -> list[str]:
    return [
        name
        for name in runs[0].values
        if any(run.values[name] != runs[0].values[name] for run in runs)
    ]


def _label(run: Run, names: list[str]) -> str:
    return ", ".join(f"{name} = {as_text(run.values[name]) or '(empty)'}" for name in names)


@dataclass(frozen=True)
class _Picture:
    name: str
    svg: str
    alt: str


def _across(runs: list[Run], varied: list[str]) -> str:
    """The varied parameter that figures have as an axis: numbers before others, most values."""

    def rank(name):
        values = {run.values[name] for run in runs}
        return all(map(_is_number, values)), len(values)

    return max(varied, key=rank)


def _pictures(done: list[tuple[Run, dict]], names: list[str]) -> list[_Picture]:
    """A small figure for each numeric result, over the varied parameter."""
    varied = _varied([run for run, _ in done]) if done else []
    if not varied:
        return []
    from wordgames.figures import draw_runs, figure_svg, use_style
    from wordgames.reports.fragments import svg_address

    use_style()
    across = _across([run for run, _ in done], varied)
    others = [name for name in varied if name != across]
    pictures = []
    for name in names:
        groups: dict[str, list[tuple]] = {}
        for run, found in done:
            if found.get(name) is not None:
                point = run.values[across], found[name]
                groups.setdefault(_label(run, others), []).append(point)
        figure = draw_runs(groups, across, name)
        pictures.append(_Picture(name, svg_address(figure_svg(figure)), figure.alt))
    return pictures


def _command(path: Path, runs: list[Run]) -> str:
    """The command that makes the same runs, in the folder of the repository."""
    from wordgames.reports.site import command

    words = []
    for name in runs[0].values:
        buffer = io.StringIO()
        values = dict.fromkeys(as_text(run.values[name]) for run in runs)
        # A value that begins with @ would be taken for a pattern of files.
        escaped = [f"@{value}" if value.startswith("@") else value for value in values]
        csv.writer(buffer, lineterminator="").writerow(escaped)
        words.append(f"-p {shlex.quote(f'{name}={buffer.getvalue()}')}")
    start = command(path.stem, {}).replace("wordgames run", "wordgames sweep")
    return " ".join([start, *words])


def _page(path: Path, runs: list[Run], results: list[dict], names: list[str], key: str) -> str:
    from wordgames.reports import site
    from wordgames.reports.fragments import shown_inline

    varied = _varied(runs)
    done = [(run, found) for run, found in zip(runs, results, strict=True) if run.state == DONE]
    first = done[0][1] if done else {}
    differ = [
        name for name in names if any(found.get(name) != first.get(name) for _, found in done)
    ]
    shown = differ if len(done) > 1 else names
    numeric = [
        name
        for name in names
        if all(_is_number(found.get(name)) or found.get(name) is None for _, found in done)
    ]
    rows = [
        {
            "run": run,
            "label": _label(run, varied) or run.folder.name,
            "page": quote(f"{run.folder.name}/{run.page}"),
            "failed_page": quote(f"{run.folder.name}/{Path(run.page).stem}.FAILED.html"),
            "parameters": [_cell(run.values, None, name) for name in varied],
            "results": [_cell(found, None if found is first else first, name) for name in shown]
            if run.state == DONE
            else [],
        }
        for run, found in zip(runs, results, strict=True)
    ]
    failed = [row for row, run in zip(rows, runs, strict=True) if run.state == FAILED]
    page = {
        "key": key,
        "title": shown_inline(site.title_of(path)),
        "name": path.stem,
        "rows": rows,
        "varied": varied,
        "shown": shown,
        "done": len(done),
        "failed": failed,
        "missing": len(runs) - len(done) - len(failed),
        "fixed": [
            (name, as_text(value) or "(empty)")
            for name, value in runs[0].parameters.items()
            if name not in varied
        ],
        "same": [(name, _shown(first[name]) or "(empty)") for name in names if name not in shown],
        "pictures": _pictures(done, numeric),
        "command": _command(path, runs),
    }
    return site.sweep_html(page)


def write_comparison(path: Path, runs: list[Run], output_dir: Path) -> None:
    """Write ``index.html`` and ``results.csv`` of the runs, unless they are as they should be."""
    results = [flat(run.results) if run.state == DONE else {} for run in runs]
    names = list(dict.fromkeys(name for found in results for name in found))
    about = [{**asdict(run), "folder": run.folder.name} for run in runs]
    key = hashlib.sha256(json.dumps(about, ensure_ascii=False).encode()).hexdigest()
    table, index = _csv(runs, results, names), output_dir / "index.html"
    try:
        same = (output_dir / "results.csv").read_text(encoding="utf-8") == table
        if same and key in index.read_text(encoding="utf-8"):
            return
    except (OSError, UnicodeDecodeError):
        pass
    page = _page(path, runs, results, names, key)
    with Staging(output_dir) as staging:
        staging.write(output_dir / "results.csv", table)
        staging.write(index, page)
