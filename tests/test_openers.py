"""What first guesses cost, against brute force; interruptions, executors, files that are wrong."""

import random
import signal
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import pytest
from test_tree_search import Interrupted, brute_force, small_list

from wordgames import _files
from wordgames.__main__ import main
from wordgames.wordle import openers as module
from wordgames.wordle.openers import openers_of, openers_path, read_openers, solve_openers
from wordgames.wordle.tree_search import optimal_tree, proof_of
from wordgames.words import WordList, load_words


@pytest.fixture(scope="module")
def words():
    return load_words()


@pytest.fixture(scope="module")
def medium(words):
    rng = random.Random(8)
    answers = tuple(sorted(rng.sample(words.answers, 60)))
    return WordList(answers, tuple(sorted({*answers, *rng.sample(words.allowed, 100)})), "medium")


@pytest.fixture(scope="module")
def whole(medium):
    return solve_openers(medium)


@pytest.mark.parametrize("seed", range(60, 80))
def test_totals_are_those_of_brute_force(seed):
    small = small_list(seed)
    found = solve_openers(small)
    _, by_first = brute_force(small)
    assert found.index.tolist() == list(small.allowed)
    assert found["total"].to_dict() == by_first
    assert found["exact"].all()
    for worst in set(found["worst"]):
        _, within = brute_force(small, left=worst)
        for first, row in found[found["worst"] == worst].iterrows():
            assert within[first] == row["total"]


def test_totals_and_longest_games_are_those_of_the_optimal_tree(words, medium, whole):
    for first in random.Random(4).sample(medium.allowed, 12):
        tree = optimal_tree(medium, first=first)
        assert (tree.total, tree.worst) == tuple(whole.loc[first, ["total", "worst"]])
    few = solve_openers(words, ["SALET", "reast", "least", "salet"])
    assert few.index.tolist() == ["least", "reast", "salet"]
    assert few.loc[["reast", "salet"], "total"].tolist() == [7923, 7920]
    assert few.loc["salet", "worst"] == 5
    tree = optimal_tree(words, first="least")
    assert (tree.total, tree.worst) == tuple(few.loc["least", ["total", "worst"]])


@pytest.mark.parametrize("name", ["openers.csv", "openers.csv.gz"])
@pytest.mark.parametrize("after", [0, 1, 17, 60])
def test_interrupted_run_goes_on_and_its_file_ends_the_same(name, after, tmp_path, medium, whole):
    straight, path = tmp_path / f"straight-{name}", tmp_path / name
    assert solve_openers(medium, resume=straight).equals(whole)
    with pytest.raises(KeyboardInterrupt):
        solve_openers(medium, executor=Interrupted(after=after), resume=path)
    half = read_openers(path, medium)
    assert half.index.tolist() == list(medium.allowed)
    assert after <= half["exact"].sum() < len(half)
    assert half["worst"].isna().equals(~half["exact"])
    assert (half["total"] <= whole["total"]).all()
    assert solve_openers(medium, resume=path).equals(whole)
    assert path.read_bytes() == straight.read_bytes()
    assert not list(tmp_path.glob(".*"))


def test_nothing_is_done_twice(tmp_path, medium, whole, monkeypatch):
    path = tmp_path / "openers.csv"
    solve_openers(medium, medium.allowed[10:30], resume=path)
    done = []
    solve = module._solve_group
    monkeypatch.setattr(module, "_solve_group", lambda w, s, g: done.extend(g) or solve(w, s, g))
    some = solve_openers(medium, medium.allowed[:25], resume=path)
    assert sorted(done) == list(medium.allowed[:10])
    assert some.equals(whole[:25])
    assert read_openers(path, medium).index.tolist() == list(medium.allowed[:30])


def test_first_guesses_come_in_the_order_given_with_those_of_the_same_letters(medium, monkeypatch):
    done = []

    def solve(words, slots, group):
        done.append(group)
        return dict.fromkeys(group, (1, 1, True))

    monkeypatch.setattr(module, "_solve_group", solve)
    answers = ("abc", "bca", "cab", "dde", "eed", "xyz")
    small = WordList(answers, answers, "order")
    with ThreadPoolExecutor(1) as one:
        solve_openers(small, ["xyz", "cab", "dde", "abc", "eed"], executor=one)
    assert done == [("xyz",), ("cab", "abc"), ("dde", "eed")]


def test_any_executor_gives_the_same_bytes(tmp_path, medium):
    paths = [tmp_path / f"{kind}.csv.gz" for kind in ("own", "threads", "processes")]
    solve_openers(medium, resume=paths[0])
    with ThreadPoolExecutor(3) as threads:
        solve_openers(medium, executor=threads, resume=paths[1])
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as processes:
        solve_openers(medium, executor=processes, resume=paths[2])
    assert len({path.read_bytes() for path in paths}) == 1


def test_files_that_are_refused(tmp_path, words, medium):
    path = tmp_path / "openers.csv"
    solve_openers(medium, medium.allowed[:9], resume=path)
    text = path.read_text()
    for spoilt, message in (
        (text[:-20], "cut short"),
        (text.replace(",yes", ",no", 1), "altered"),
        (text.replace("Least totals", "Totals"), "does not begin with"),
        ("", "does not begin with"),
    ):
        path.write_text(spoilt)
        for read in (read_openers, lambda p, w: solve_openers(w, resume=p)):
            with pytest.raises(ValueError, match=message):
                read(path, medium)
        assert path.read_text() == spoilt
    path.write_text(text)
    with pytest.raises(ValueError, match="of the list 'medium'"):
        solve_openers(words, ["salet"], resume=path)


def test_bad_input_names_what_is_wrong(tmp_path, medium):
    with pytest.raises(ValueError, match="'xxxxx' is not an allowed word"):
        solve_openers(medium, ["xxxxx"])
    with pytest.raises(ValueError, match="'salet' is one word"):
        solve_openers(medium, "salet")
    with pytest.raises(OSError, match="cannot write this file"):
        solve_openers(medium, medium.allowed[:2], resume=tmp_path / "none" / "openers.csv")
    assert solve_openers(medium, []).empty


def test_full_disk_leaves_the_last_good_file(tmp_path, medium, monkeypatch):
    path = tmp_path / "openers.csv"
    solve_openers(medium, medium.allowed[:3], resume=path)
    good = path.read_bytes()

    def full(self, data):
        raise OSError(28, "No space left on device", str(self))

    monkeypatch.setattr(_files.Path, "write_bytes", full)
    with pytest.raises(OSError, match=r"No space left on device: .*openers\.csv"):
        solve_openers(medium, medium.allowed[:9], resume=path)
    assert path.read_bytes() == good


@pytest.mark.skipif(_files.fcntl is None, reason="no locks of files on this system")
def test_two_runs_on_one_file(tmp_path, medium):
    path = tmp_path / "openers.csv"
    with (
        _files.claimed(path),
        pytest.raises(ValueError, match=r"openers\.csv is in use by another run"),
    ):
        solve_openers(medium, medium.allowed[:2], resume=path)
    assert len(solve_openers(medium, medium.allowed[:2], resume=path)) == 2


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_command_that_is_told_to_end_keeps_what_it_has(tmp_path, words):
    path = tmp_path / "openers.csv"
    command = [sys.executable, "-m", "wordgames", "openers"]
    with subprocess.Popen([*command, "--output", str(path)], stderr=subprocess.PIPE) as process:
        while not path.exists() and process.poll() is None:
            time.sleep(0.1)
        process.send_signal(signal.SIGTERM)
        assert process.wait() == 130, process.stderr.read()
    kept = read_openers(path, words)
    assert kept["exact"].any()
    assert kept.loc[kept["exact"], "total"].min() >= 7920
    best = str(kept["total"][kept["exact"]].idxmin())
    assert main(["openers", best, "--output", str(path)]) == 0
    assert read_openers(path, words).equals(kept)


def test_kept_totals_are_no_less_than_their_proved_bounds(words):
    kept, proof = openers_of(words), proof_of(words).set_index("guess")["bound"]
    assert kept.index.tolist() == list(words.allowed)
    assert (kept["total"] >= proof).all()
    assert kept.loc[["salet", "reast"], "total"].tolist() == [7920, 7923]
    assert kept["exact"].sum() >= 2
    exact = kept[kept["exact"]]
    assert exact["total"].idxmin() == "salet"
    assert exact["worst"].between(5, 9).all()
    some = exact[exact["total"] < 8000].sample(3, random_state=1)
    again = solve_openers(words, some.index)
    assert again["total"].tolist() == some.sort_index()["total"].tolist()
    assert again["worst"].tolist() == some.sort_index()["worst"].tolist()


def test_what_a_kept_file_lacks_has_a_bound(medium, whole, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "COMPUTED", tmp_path)
    solve_openers(medium, medium.allowed[3:5], resume=openers_path(medium))
    kept = openers_of(medium)
    assert kept.index.tolist() == list(medium.allowed)
    assert kept.index[kept["exact"]].tolist() == list(medium.allowed[3:5])
    assert (kept["total"] <= whole["total"]).all()


def test_a_list_of_which_nothing_is_kept(words):
    other = WordList(words.answers[:50], words.answers[:50], words.name)
    assert openers_path(other).exists()
    assert openers_of(other) is None
    assert openers_of(WordList(("abc",), ("abc",), "tiny")) is None
