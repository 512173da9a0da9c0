"""The benchmark's own machinery: what it measures, judges and writes. No time is tested."""

import json
import sys
import types

import pytest

from benchmarks import __main__ as run
from benchmarks.common import (
    compare,
    compile_seconds,
    in_megabytes,
    in_seconds,
    peak_memory,
    row,
    timed,
)

pytestmark = pytest.mark.slow


def test_functions_are_called_in_turns_after_one_call_each():
    calls = []
    seconds = timed(lambda: calls.append("a"), lambda: calls.append("b"), repeats=3)
    assert "".join(calls) == "abababab"
    assert len(seconds) == 2 and min(seconds) >= 0


def test_a_comparison_knows_which_way_round_and_how_much_work(monkeypatch):
    clock = [0.0]
    monkeypatch.setattr("benchmarks.common.perf_counter", lambda: clock[0])

    def slow():
        clock[0] += 8

    def fast():
        clock[0] += 2

    faster = compare("x", fast, slow, wanted="at least 2", repeats=3)
    assert (faster["ours"], faster["other"], faster["ratio"]) == ("2 s", "8 s", 4)
    assert compare("x", fast, slow, repeats=3, scale=10)["ratio"] == 40
    assert compare("x", fast, slow, wanted="at most 2", repeats=3)["ratio"] == 0.25


def test_units():
    shown = [in_seconds(value) for value in (2.5e-5, 0.0123, 3.456, 126, 7200)]
    assert shown == ["25 µs", "12.3 ms", "3.46 s", "2.1 min", "120 min"]
    assert in_megabytes(123_456_789) == "123 MB"


def test_memory_counts_the_work_and_not_the_preparation():
    setup = "import numpy as np; before = np.ones(10_000_000)"
    taken = peak_memory("np.ones(5_000_000).sum()", setup)
    assert 38e6 < taken < 60e6
    assert peak_memory("pass", setup) < 5e6
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        peak_memory("1 / 0")


def test_compilation_is_what_the_first_call_takes_more():
    setup = "import numba\n@numba.njit\ndef double(x):\n    return 2 * x"
    assert compile_seconds("double(1.5)", setup) > 0


def test_what_was_wanted_is_judged():
    for ratio, wanted, good in [
        (4.9, "at most 5", True),
        (5.1, "at most 5", False),
        (51, "at least 50", True),
        (49, "at least 50", False),
        (None, "", True),
    ]:
        assert run.reached(row("x", "1 s", ratio=ratio, wanted=wanted)) is good
    with pytest.raises(ValueError, match="'at most N' or 'at least N'"):
        run.reached(row("x", "1 s", ratio=1, wanted="below 3"))
    with pytest.raises(ValueError, match="a row has the keys"):
        run.check([{"what": "x"}])


def test_the_table_says_what_was_not_reached_and_keeps_its_columns():
    rows = [
        row("a|b", "1 s", "2 s", 10_200.4, "at least 50", "a note"),
        row("c", "1 s", "2 s", 2, "at most 1"),
        row("d", "3 MB"),
    ]
    head, line, *body = run.table(rows).splitlines()
    assert head.count("|") == line.count("|") == 7
    assert body[0] == r"| a\|b | 1 s | 2 s | 10,200 | at least 50 | a note |"
    assert body[1] == "| c | 1 s | 2 s | 2 (not reached) | at most 1 |  |"
    assert body[2] == "| d | 3 MB |  |  |  |  |"


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A README, an empty folder of results, and two topics of which one fails."""
    readme = tmp_path / "README.md"
    readme.write_text(f"before\n{run.START}\nold\n{run.END}\nafter\n")
    monkeypatch.setattr(run, "README", readme)
    monkeypatch.setattr(run, "RESULTS", tmp_path / "results")
    monkeypatch.setattr(run, "topics", lambda: ["bad_one", "good_one"])

    def good(quick):
        return [row("work", "1 s", "9 s", 9, "at least 50" if quick else "at least 5")]

    def bad(quick):
        raise OSError("no disk")

    for topic, rows in (("good_one", good), ("bad_one", bad)):
        monkeypatch.setitem(
            sys.modules, f"benchmarks.bench_{topic}", types.SimpleNamespace(rows=rows)
        )
    return tmp_path


def test_a_topic_that_fails_does_not_lose_the_others(place, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["benchmarks"])
    assert run.main() == 1
    shown = capsys.readouterr()
    assert "no disk" in shown.err and "failed: bad_one" in shown.err
    result = json.loads((place / "results" / "good_one.json").read_text())
    assert result["rows"][0]["ratio"] == 9 and result["python"]
    text = (place / "README.md").read_text()
    assert text.startswith("before\n") and text.endswith("\nafter\n") and "old" not in text
    assert "**good one**" in text and "| work | 1 s | 9 s | 9 | at least 5 |  |" in text


def test_a_quick_run_writes_nothing(place, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["benchmarks", "good_one", "--quick"])
    before = (place / "README.md").read_text()
    assert run.main() == 0
    assert "not reached" not in capsys.readouterr().out
    assert (place / "README.md").read_text() == before
    assert not (place / "results").exists()


def test_an_unknown_topic_and_missing_markers(place, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["benchmarks", "other"])
    with pytest.raises(SystemExit):
        run.main()
    assert "no benchmark other; there are bad_one, good_one" in capsys.readouterr().err
    (place / "README.md").write_text("no markers")
    with pytest.raises(ValueError, match=r"README\.md needs the markers"):
        run.refresh_readme()
    assert (place / "README.md").read_text() == "no markers"


def test_the_readme_shows_the_committed_results(root):
    text = (root / "README.md").read_text(encoding="utf-8")
    shown = text.partition(run.START)[2].partition(run.END)[0]
    results = sorted((root / "benchmarks" / "results").glob("*.json"))
    assert results
    for path in results:
        assert run.table(json.loads(path.read_text(encoding="utf-8"))["rows"]) in shown, path.name
