"""The notebooks: their shape, and each of them run with its defaults and with other parameters.

All runs go through the strict runner, two at a time, and a test waits for those that it is about.
"""

import json
import re
from pathlib import Path

import nbformat
import pytest
from pages import Page, asks_or_runs

from scripts import check_notebooks as check
from wordgames.reports.recording import published_rows
from wordgames.reports.settings import notebook_paths
from wordgames.reports.site import ledger, look
from wordgames.reports.site import tally as tally_of

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = notebook_paths()
NAMES = [path.stem for path in NOTEBOOKS]
EACH = pytest.mark.parametrize("name", NAMES)


def files(folder: Path, name: str) -> dict[str, bytes]:
    """The files of one report."""
    paths = [*folder.glob(f"*/{name}.*"), *folder.glob(f"tables/{name}/*")]
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


@EACH
def test_shape(name):
    assert check.problems(ROOT / "notebooks" / f"{name}.ipynb") == []


@pytest.mark.parametrize("path", sorted((ROOT / "notebooks" / "play").glob("*.ipynb")), ids=str)
def test_notebooks_to_play_with_are_clean(path):
    assert check.problems(path) == []


@EACH
@pytest.mark.parametrize("kind", ["defaults", "small", "other"])
def test_runs_and_records_its_answer(runs, kind, name):
    found = runs.results(kind, name)
    assert re.search(r"\w", found["results"]["answer"])
    assert set(found) == {"parameters", "results", "published"}
    if kind == "small":
        assert found["parameters"]["top"] == 3


@EACH
def test_prose_under_other_parameters_holds_no_leftovers(runs, name):
    """Words such as nan, inf or an empty bold show that a sentence met a case unforeseen."""
    for kind in ("defaults", "small", "other"):
        runs.results(kind, name)
        notebook = nbformat.read(runs.folder / kind / "notebooks" / f"{name}.ipynb", as_version=4)
        for cell in notebook.cells:
            for output in cell.get("outputs", []):
                said = output.get("data", {}).get("text/markdown", "")
                assert not re.search(r"\b(nan|NaN|inf|NaT)\b|\*\*\*\*", said), said


@EACH
def test_two_runs_are_the_same_bytes(runs, name):
    for kind in ("small", "again"):
        runs.results(kind, name)
    first, second = (files(runs.folder / kind, name) for kind in ("small", "again"))
    assert len(first) >= 2 and first == second


@EACH
def test_pages_ask_for_nothing_and_are_small(runs, name):
    text = runs.page("defaults", name)
    page = Page(text)
    assert asks_or_runs(page) == []
    assert len(text.encode()) < 500_000
    assert len(page.all("h1")) == 1
    assert all(image["alt"].strip() for image in page.all("img")) and page.all("img")


@EACH
def test_ledger_rows_are_compared_with_what_they_need(runs, name):
    rows = published_rows()
    for kind in ("defaults", "small", "other"):
        found = runs.results(kind, name)
        used = set(map(str, found["parameters"].values()))
        for entry in found["published"]:
            needs = rows[entry["id"]]["needs"]
            assert entry["published"] == rows[entry["id"]]["published"]
            if needs and needs not in used:
                assert entry["verdict"] in ("not tested here", "given") and entry["ours"] is None
            if entry["verdict"] == "not tested here":
                assert entry["why"], f"{entry['id']} says not why"


def compared(runs) -> dict[str, dict]:
    """The ledger's rows as the default runs compare them."""
    found = {}
    for name in NAMES:
        for entry in runs.results("defaults", name)["published"]:
            if entry["verdict"] != "not tested here" or entry["id"] not in found:
                found[entry["id"]] = entry
    return found


# What the statements come to with the defaults, where they are not plainly reproduced. A change
# here is a finding that changed, and has to be told.
VERDICTS_NOW = {
    **dict.fromkeys(["E10", "E11", "E22", "E25"], "contradicted"),
    **dict.fromkeys(["E27", "W05", "W06a", "W08", "W09a", "S08", "S09"], "with a caveat"),
    "W06": "does not carry over",
    **dict.fromkeys(["E23", "E28"], "not comparable"),
    **dict.fromkeys(["S03", "S03a", "S03b", "S03c", "S04", "S07", "S07a"], "not tested here"),
    **dict.fromkeys(["E01", "E02", "E03", "E04", "E06", "E29", "W01", "W02"], "given"),
    **dict.fromkeys(["W07", "W07a", "S01", "S01a", "S02", "S06", "S07b"], "given"),
}


def test_the_whole_ledger(runs):
    found = compared(runs)
    assert set(found) == set(published_rows())
    verdicts = {row: entry["verdict"] for row, entry in found.items()}
    assert verdicts == dict.fromkeys(verdicts, "reproduced") | VERDICTS_NOW
    assert (found["E10"]["ours"], found["E11"]["ours"]) == (4464, 8508)


def test_totals_of_the_ledger(site):
    """Claims count once, with their gravest verdict; what is given does not count."""
    tally = tally_of(ledger(look(site)))
    assert tally == {
        "reproduced": 25,
        "with a caveat": 7,
        "contradicted": 3,
        "does not carry over": 1,
        "not comparable": 2,
        "not tested here": 3,
    }


def code(notebook: dict) -> list[dict]:
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def text(cell: dict) -> str:
    return "".join(cell["source"])


def changed(path: Path, change) -> list[str]:
    """What the check finds in a sound notebook after a change."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    change(notebook)
    return check.unclean(notebook) + check.misshapen(notebook) + check.wordy(notebook)


@pytest.mark.parametrize(
    "change, message",
    [
        (lambda n: n["cells"][2].update(execution_count=3), "outputs or a count"),
        (lambda n: n["cells"][2].update(outputs=[{"output_type": "stream"}]), "outputs or a"),
        (lambda n: n["metadata"].update(papermill={}), "metadata papermill"),
        (lambda n: n["metadata"]["kernelspec"].update(name="ir"), "another kernel"),
        (lambda n: n["cells"][3]["metadata"].update(editable=True), "metadata editable"),
        (lambda n: n["cells"][3]["metadata"].update(tags=["slow"]), "tags slow"),
        (lambda n: n["cells"][3].update(id=n["cells"][4]["id"]), "id of its own"),
        (lambda n: n["cells"][3]["metadata"].update(tags=["parameters"]), "tagged parameters"),
        (lambda n: n["cells"][1]["metadata"].update(tags=[]), "tagged parameters"),
        (lambda n: n["cells"][1].update(source="top = 1  # rows"), "does not begin with"),
        (lambda n: n["cells"][1].update(source=check.MARKER + "\ntop = 1"), "needs a comment"),
        (lambda n: n["cells"].pop(), "show_results()"),
        (lambda n: n["cells"].__delitem__(slice(8, -1)), "it should have 15 to 50"),
        (lambda n: n["cells"][0].update(source="No title"), "title"),
        (lambda n: n["cells"][-1].update(source=""), "is empty"),
        (lambda n: n["cells"][-1].update(source="x = 1\n" * 19 + "show_results()"), "20 lines"),
        (lambda n: [c.update(source="x = 1\n" * 9) for c in code(n)[2:]], "over 8 lines"),
        (
            lambda n: n["cells"][-2].update(cell_type="code", source="say(1)\n" * 150),
            "% of its code",
        ),
        (lambda n: [c.update(source="x = 1") for c in code(n) if "assert" in text(c)], "an assert"),
        (lambda n: n["cells"][0].update(source="# Title\n\n### Deep"), "skip a level"),
    ],
)
def test_the_check_finds(change, message):
    path = NOTEBOOKS[0]
    assert changed(path, lambda notebook: None) == []
    assert any(message in problem for problem in changed(path, change))


def test_the_check_finds_what_is_no_notebook(tmp_path):
    path = tmp_path / "x.ipynb"
    for text in ("{", "[]", '{"cells": 3}'):
        path.write_text(text)
        assert "no notebook" in check.problems(path)[0]
