"""Check that the notebooks are clean and have their shape; `make lint` runs it.

Reports (``notebooks/NN-name.ipynb``) have the shape that CONTRIBUTING.md describes; the notebooks
to play with only have to be clean. Prints what is wrong and ends with status 1 if anything is.

    python scripts/check_notebooks.py [--measures] [NOTEBOOK ...]

With --measures it prints how long the cells of each are and what share of the lines is talk.
"""

import argparse
import ast
import json
import re
import sys
from itertools import pairwise
from pathlib import Path
from statistics import median

from wordgames.reports.parameters import MARKER, read_parameters

NOTEBOOKS = Path(__file__).resolve().parent.parent / "notebooks"
TAGS = {"parameters", "hide-input"}
FEWEST_CELLS, MOST_CELLS = 15, 50
MOST_LINES, MOST_MEDIAN, MOST_TALK = 15, 8, 0.30
SMALL_CASE = re.compile(r"\bby (eye|hand)\b", re.IGNORECASE)
# What a notebook calls to say, show, record and check: not what it has to teach.
TALK = {
    *("begin_report", "check_parameters", "use_style", "say", "record", "check_published", "check"),
    *("show_answer", "show_figure", "show_results", "show_table"),
}


def unclean(notebook: dict) -> list[str]:
    """What a notebook file holds that only running it, or an editor, put there."""
    found = []
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = notebook["metadata"]
    if metadata.get("kernelspec") != kernel or metadata.get("language_info") != {"name": "python"}:
        found.append(f"its metadata names another kernel than plain python3: {metadata}")
    if odd := sorted(set(metadata) - {"kernelspec", "language_info"}):
        found.append(f"metadata {', '.join(odd)}: remove it")
    ids = [cell.get("id") for cell in notebook["cells"]]
    if None in ids or len(set(ids)) < len(ids):
        found.append("each cell needs an id of its own")
    for number, cell in enumerate(notebook["cells"], 1):
        if cell.get("outputs") or cell.get("execution_count"):
            found.append(f"cell {number} holds outputs or a count: clear all outputs")
        if odd := sorted(set(cell["metadata"]) - {"tags"}):
            found.append(f"cell {number} holds metadata {', '.join(odd)}: remove it")
        if odd := sorted(set(cell["metadata"].get("tags", ())) - TAGS):
            found.append(f"cell {number} has tags {', '.join(odd)}: the tags are {sorted(TAGS)}")
        if not "".join(cell["source"]).strip():
            found.append(f"cell {number} is empty")
    return found


def _headings(cells: list[tuple[str, str]]) -> list[int]:
    text = "\n".join(source for kind, source in cells if kind == "markdown")
    text = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    return [len(marks) for marks in re.findall(r"^(#+) ", text, re.MULTILINE)]


def _code_lines(source: str) -> set[int]:
    """The numbers of the lines that hold code: neither blank nor comment alone."""
    return {
        number
        for number, line in enumerate(source.splitlines(), 1)
        if line.strip() and not line.lstrip().startswith("#")
    }


def _is_talk(node: ast.AST) -> bool:
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return True
    call = node.value if isinstance(node, ast.Expr) else None
    return isinstance(call, ast.Call) and getattr(call.func, "id", "") in TALK


def _talk_lines(source: str) -> set[int]:
    """The numbers of the lines that say, show, record, check or import."""
    plain = re.sub(r"^[%!].*$", "pass", source, flags=re.MULTILINE)
    return {
        line
        for node in ast.walk(ast.parse(plain))
        if _is_talk(node)
        for line in range(node.lineno, node.end_lineno + 1)
    } & _code_lines(source)


def measures(notebook: dict) -> dict[str, float]:
    """How long the code cells are, as formatted, and what share of their lines is talk."""
    code = ["".join(c["source"]) for c in notebook["cells"] if c["cell_type"] == "code"]
    lengths = [len(source.rstrip().splitlines()) for source in code]
    lines = sum(len(_code_lines(source)) for source in code)
    return {
        "longest": max(lengths),
        "median": median(lengths),
        "talk": sum(len(_talk_lines(source)) for source in code) / lines,
        "asserts": sum(
            isinstance(node, ast.Assert)
            for source in code
            for node in ast.walk(ast.parse(re.sub(r"^[%!].*$", "", source, flags=re.MULTILINE)))
        ),
    }


def wordy(notebook: dict) -> list[str]:
    """In what a report's notebook hides its idea behind long cells and talk."""
    found = []
    cells = [(cell["cell_type"], "".join(cell["source"])) for cell in notebook["cells"]]
    for number, (kind, source) in enumerate(cells, 1):
        if kind == "code" and len(source.rstrip().splitlines()) > MOST_LINES:
            found.append(
                f"cell {number} has {len(source.rstrip().splitlines())} lines: {MOST_LINES} at most"
            )
    measured = measures(notebook)
    if measured["median"] > MOST_MEDIAN:
        found.append(f"half of its code cells have over {MOST_MEDIAN} lines: {measured['median']}")
    if measured["talk"] > MOST_TALK:
        found.append(
            f"{measured['talk']:.0%} of its code lines say, show, record, check or import: "
            f"{MOST_TALK:.0%} at most"
        )
    # A section goes from one heading of level 2 to the next.
    sections, assertion = [], re.compile(r"^\s*assert ", re.MULTILINE)
    for kind, source in cells:
        if kind == "markdown" and (heading := re.search(r"^## (.+)$", source, re.MULTILINE)):
            sections.append([heading[1] + source, False])
        elif kind == "code" and sections:
            sections[-1][1] |= bool(assertion.search(source))
    small = [has_assert for text, has_assert in sections if SMALL_CASE.search(text)]
    if not small or not all(small):
        found.append("each section with a small case, to check by eye or by hand, needs an assert")
    return found


def misshapen(notebook: dict) -> list[str]:  # noqa: C901 - one question a line
    """In what a report's notebook has not the shape of the others."""
    found = []
    cells = [(cell["cell_type"], "".join(cell["source"])) for cell in notebook["cells"]]
    tags = [cell["metadata"].get("tags", []) for cell in notebook["cells"]]
    if not FEWEST_CELLS <= len(cells) <= MOST_CELLS:
        found.append(f"{len(cells)} cells: it should have {FEWEST_CELLS} to {MOST_CELLS}")
    if cells[0][0] != "markdown" or not re.match(r"# [^#]", cells[0][1]):
        found.append("the first cell is not the title and the question")
    headings = _headings(cells)
    if headings.count(1) != 1:
        found.append(f"{headings.count(1)} titles: it should have one heading of level 1")
    if any(after > before + 1 for before, after in pairwise(headings)):
        found.append(f"its headings skip a level: {headings}")
    if [place for place, names in enumerate(tags) if "parameters" in names] != [1]:
        found.append("the second cell, and only that, is tagged parameters")
    elif not cells[1][1].startswith(MARKER):
        found.append(f"the parameters cell does not begin with {MARKER!r}")
    else:
        try:
            names = read_parameters(cells[1][1])
        except ValueError as error:
            found.append(str(error))
        else:
            if not names:
                found.append("the parameters cell declares nothing")
    code = [source for kind, source in cells if kind == "code"]
    if len(code) < 2 or not re.search(r"\b(check_parameters|begin_report)\(", code[1]):
        found.append("the setup cell after the parameters does not call begin_report(...)")
    if not any("show_answer(" in source for source in code[2:7]):
        found.append("no show_answer(...) soon after the setup")
    if "show_results()" not in cells[-1][1]:
        found.append("the last cell does not call show_results()")
    prose = "\n".join(source for kind, source in cells if kind == "markdown")
    if len(re.findall(r"\bpapermill \S+\.ipynb \S+\.ipynb ", prose)) != 3:
        found.append("what to try next is not three papermill commands")
    return found


def problems(path: Path) -> list[str]:
    """What is wrong with a notebook file; nothing if it is sound."""
    try:
        notebook = json.loads(path.read_text(encoding="utf-8"))
        found = unclean(notebook)
        if path.parent != NOTEBOOKS:
            return found
        return found + misshapen(notebook) + wordy(notebook)
    except (ValueError, KeyError, TypeError, IndexError) as error:
        return [f"it is no notebook of format 4.5: {type(error).__name__}: {error}"]


def main(arguments: list[str] | None = None) -> int:
    """Check the notebooks, all of them if none is named; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("notebooks", nargs="*", type=Path)
    parser.add_argument("--measures", action="store_true", help="print them for each notebook")
    given = parser.parse_args(arguments)
    everything = sorted([*NOTEBOOKS.glob("*.ipynb"), *NOTEBOOKS.glob("play/*.ipynb")])
    paths = [path.resolve() for path in given.notebooks] or everything
    bad = 0
    for path in paths:
        for problem in problems(path):
            print(f"{path.relative_to(NOTEBOOKS.parent)}: {problem}", file=sys.stderr)
            bad = 1
        if given.measures and path.parent == NOTEBOOKS:
            measured = measures(json.loads(path.read_text(encoding="utf-8")))
            print(
                f"{path.stem}: longest cell {measured['longest']}, median {measured['median']:g} "
                f"lines, {measured['talk']:.0%} talk, {measured['asserts']} asserts"
            )
    print(f"{len(paths)} notebooks checked")
    return bad


if __name__ == "__main__":
    sys.exit(main())
