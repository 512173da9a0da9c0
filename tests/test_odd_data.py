"""Reports on word lists and vectors that are nothing like the project's own."""

import json
import os
import re
import subprocess
import sys

import numpy as np
import pytest

from wordgames.reports import run_report
from wordgames.reports.runner import ReportError
from wordgames.reports.settings import notebook_paths

pytestmark = pytest.mark.slow

RUSSIAN = "и в на слово дом ёлка Москва книга вода мир рука город лес снег ночь день свет . 1995"
FEW = "NATO EU of a *x* b_c <unk> I"


def notebook(number: str):
    return next(path for path in notebook_paths() if path.stem.startswith(number))


def vectors(path, words: list[str], dimensions: int):
    rows = np.random.default_rng(2).normal(size=(len(words), dimensions)).round(3).astype(str)
    lines = [" ".join([word, *row]) for word, row in zip(words, rows, strict=True)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    "number, words, message",
    [
        ("04", "crane\n", "one holds one word"),
        ("04", "planet\nplanes\n", "5 cells: .* parameter patterns"),
        ("08", "crane\n", "one holds one answer"),
    ],
)
def test_a_report_says_what_its_list_lacks(tmp_path, number, words, message):
    (tmp_path / "one.txt").write_text(words)
    with pytest.raises(ReportError, match=message):
        run_report(notebook(number), {"word_list": str(tmp_path / "one.txt")}, tmp_path / "out")


def test_report_07_takes_a_list_of_one_word(tmp_path):
    (tmp_path / "one.txt").write_text("crane\n")
    page = run_report(notebook("07"), {"word_list": str(tmp_path / "one.txt")}, tmp_path / "out")
    results = json.loads((tmp_path / "out" / "results" / f"{page.stem}.json").read_text())
    assert results["results"]["answer"]


@pytest.mark.parametrize("number", ["09", "10"])
@pytest.mark.parametrize("words, dimensions", [(RUSSIAN, 5), (FEW, 2)], ids=["russian", "few"])
def test_semantles_reports_take_any_vocabulary(tmp_path, number, words, dimensions):
    path = vectors(tmp_path / "own.vec", words.split(), dimensions)
    page = run_report(notebook(number), {"embedding": path, "games": 10}, tmp_path)
    results = json.loads((tmp_path / "results" / f"{page.stem}.json").read_text())
    assert re.search("vectors of own[,:] ", results["results"]["answer"])


def test_limit_and_lower_case_are_parameters(tmp_path):
    path = vectors(tmp_path / "own.vec", RUSSIAN.split(), 5)
    given = {"embedding": path, "games": 10, "limit": 12, "lower_case": True}
    page = run_report(notebook("09"), given, tmp_path)
    results = json.loads((tmp_path / "results" / f"{page.stem}.json").read_text())
    assert "vectors of own, lower case, first 12" in results["results"]["answer"]
    assert results["results"]["words"] == 12


def test_a_file_of_the_packages_name_in_the_current_folder(tmp_path, root):
    (tmp_path / "wordgames.py").write_text("raise SystemExit('the wrong wordgames')")
    (tmp_path / "post.txt").write_text("Wordle 210 2/6\n\n🟨⬛⬛⬛⬛\n🟩🟩🟩🟩🟩\n")
    way = "python -P -m wordgames"
    assert way in (root / "README.md").read_text(encoding="utf-8")
    run = subprocess.run(
        [sys.executable, *way.split()[1:], "solve", "post.txt"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "210" in run.stdout and not run.stderr
