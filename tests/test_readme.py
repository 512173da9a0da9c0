"""What the README tells a reader to type and to read is there and comes out."""

import doctest
import re

import pytest


@pytest.fixture(scope="module")
def text(root):
    return (root / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name, at_least", [("README.md", 12), ("CONTRIBUTING.md", 6)])
def test_the_python_examples_come_out(root, name, at_least):
    results = doctest.testfile(str(root / name), module_relative=False, encoding="utf-8")
    assert results.attempted >= at_least and results.failed == 0


def test_commands_name_what_exists(root, text):
    makefile = (root / "Makefile").read_text()
    commands = re.findall(r"(?:^|`)make ([a-z]+)\b", text, re.MULTILINE)
    assert {"reports", "test", "lab"} <= set(commands)
    for command in commands:
        assert re.search(rf"^{command}:", makefile, re.MULTILINE), command
    paths = re.findall(r"\b(?:notebooks|params|tests|scripts|data)/[\w./-]*\w\b", text)
    assert len(paths) > 8
    for path in paths:
        assert (root / path).exists(), path


def test_links_resolve(root):
    for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "data/README.md"):
        text = (root / name).read_text(encoding="utf-8")
        for target in re.findall(r"\]\(([^)#]+)\)", text):
            elsewhere = target.startswith("https://")
            assert elsewhere or ((root / name).parent / target).exists(), f"{name}: {target}"


def test_every_notebook_has_its_line(root, text):
    table = text.partition("<!-- notebooks: start -->")[2].partition("<!-- notebooks: end -->")[0]
    lines = re.findall(r"^\| `([^`]+)` \| (\S.*\?) \| (\d+ s) \|$", table, re.MULTILINE)
    there = sorted(path.stem for path in (root / "notebooks").glob("[0-9]*.ipynb"))
    assert [name for name, *_ in lines] == there


def test_the_picture_is_small_and_says_what_it_shows(root, text):
    part = text.partition("<!-- picture: start -->")[2].partition("<!-- picture: end -->")[0]
    (alt, path) = re.search(r"!\[([^\]]+)\]\(([^)]+)\)", part).groups()
    assert len(alt) > 40
    assert (root / path).stat().st_size < 100_000
    assert text.index(path) < text.index("make reports")
