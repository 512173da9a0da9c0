"""The notebook that CONTRIBUTING says to copy has the shape, runs strictly, and counts right."""

import json

import pytest

from scripts import check_notebooks as check
from wordgames import load_words, run_report

pytestmark = pytest.mark.slow


def test_the_template_has_the_shape_that_lint_asks_for(root):
    notebook = json.loads((root / "templates" / "notebook-template.ipynb").read_text("utf-8"))
    assert check.unclean(notebook) == []
    assert check.misshapen(notebook) == []
    # It shows each call once, so that it talks more than a notebook may.
    assert [problem for problem in check.wordy(notebook) if "say, show" not in problem] == []


def test_the_template_runs(root, tmp_path):
    page = run_report(root / "templates" / "notebook-template.ipynb", {"top": 3}, tmp_path)
    assert page.is_file()
    result = json.loads((tmp_path / "results" / "notebook-template.json").read_text("utf-8"))
    answers = load_words().answers
    counts = {c: sum(c in word for word in answers) for c in "abcdefghijklmnopqrstuvwxyz"}
    best = max(counts, key=counts.get)
    assert result["results"]["answer"] == f"Most words hold {best}: {counts[best]:,} of 2,315."
    (row,) = result["published"]
    assert (row["id"], row["verdict"]) == ("E02", "given")
