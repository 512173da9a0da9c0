"""The notebook that CONTRIBUTING says to copy has the shape, runs strictly, and counts right."""

import importlib.util
import json

import pytest

from wordgames import load_words, run_report

pytestmark = pytest.mark.slow


def test_the_template_has_the_shape_that_lint_asks_for(root):
    spec = importlib.util.spec_from_file_location("check", root / "scripts" / "check_notebooks.py")
    check = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(check)
    notebook = json.loads((root / "templates" / "notebook-template.ipynb").read_text("utf-8"))
    assert check.unclean(notebook) == []
    assert check.misshapen(notebook) == []


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
