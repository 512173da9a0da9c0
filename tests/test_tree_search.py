"""Optimal play against brute force, published totals, and files that are not as they should be."""

import functools
import gzip
import random
from collections import Counter
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest
from conftest import obvious_pattern

from wordgames.__main__ import main
from wordgames._files import compose, parse
from wordgames.wordle import tree_kernels, tree_search
from wordgames.wordle.openers import openers_of
from wordgames.wordle.proofs import proof_of, proof_path, read_proof
from wordgames.wordle.tree import DecisionTree, dictionary_tree_path
from wordgames.wordle.tree_search import (
    first_guess_bound,
    improve_tree,
    optimal_tree,
    prove_optimal,
)
from wordgames.words import WordList, load_words


@pytest.fixture(scope="module")
def words():
    return load_words()


@pytest.fixture(scope="module")
def salet(words):
    return optimal_tree(words, first="salet")


def keeps_to(word, guess, shown):
    """Hard mode: greens in place, revealed letters at least as often as revealed."""
    revealed = Counter(g for g, cell in zip(guess, shown, strict=True) if cell != ".")
    greens = all(word[i] == guess[i] for i, cell in enumerate(shown) if cell == "G")
    return greens and all(word.count(letter) >= times for letter, times in revealed.items())


def brute_force(words, hard=False, left=99):
    """The least total and, for each first guess, the least total of trees that begin with it."""

    def after(candidates, allowed, left, guess):
        parts = {}
        for answer in candidates:
            parts.setdefault(obvious_pattern(guess, answer), []).append(answer)
        total = len(candidates)
        for shown, part in parts.items():
            if guess not in part:
                still = tuple(w for w in allowed if not hard or keeps_to(w, guess, shown))
                total += least(tuple(part), still, left - 1)
        return total

    @functools.cache
    def least(candidates, allowed, left):
        if len(candidates) == 1:
            return 1 if left else 10**6
        if left < 2:
            return 10**6
        useful = [
            g for g in allowed if len({obvious_pattern(g, answer) for answer in candidates}) > 1
        ]
        return min(after(candidates, allowed, left, guess) for guess in useful)

    by_first = {g: after(words.answers, words.allowed, left, g) for g in words.allowed}
    return least(words.answers, words.allowed, left), by_first


def small_list(seed):
    """A list of few words, which half of the time look alike, so that hard mode costs something."""
    source = load_words()
    rng = random.Random(seed)
    stem = rng.choice(["?ight", "?a?er", "s??e?", "?????", "?????"])
    fits = [w for w in source.answers if all(s in ("?", c) for s, c in zip(stem, w, strict=True))]
    answers = rng.sample(fits, min(len(fits), rng.randint(3, 9)))
    others = rng.sample(source.allowed, rng.randint(0, 14))
    return WordList(tuple(sorted(answers)), tuple(sorted({*answers, *others})), f"small-{seed}")


@pytest.mark.parametrize("hard", [False, True], ids=["easy", "hard"])
@pytest.mark.parametrize("seed", range(25))
def test_total_is_that_of_brute_force(seed, hard):
    small = small_list(seed)
    least, by_first = brute_force(small, hard)
    tree = optimal_tree(small, hard=hard, worst=50)
    assert tree.total == tree.check() == least
    assert tree.candidates == small.answers
    first = random.Random(seed).choice(small.allowed)
    with_first = optimal_tree(small, first=first, hard=hard, worst=50)
    assert with_first.first == first
    assert with_first.total == with_first.check() == by_first[first]


@pytest.mark.parametrize("hard", [False, True], ids=["easy", "hard"])
@pytest.mark.parametrize("seed", range(25, 40))
def test_longest_game_is_limited_as_in_brute_force(seed, hard):
    small = small_list(seed)
    for worst in (2, 3, 4):
        least, _ = brute_force(small, hard, left=worst)
        if least < 10**6:
            tree = optimal_tree(small, hard=hard, worst=worst)
            assert tree.total == tree.check() == least
            assert tree.worst <= worst
        else:
            with pytest.raises(ValueError, match=f"within {worst} guesses"):
                optimal_tree(small, hard=hard, worst=worst)


@pytest.mark.parametrize("hard", [False, True], ids=["easy", "hard"])
@pytest.mark.parametrize("seed", range(40, 52))
def test_every_bound_holds_and_tells_the_first_guess_from_the_total(seed, hard):
    small = small_list(seed)
    least, by_first = brute_force(small, hard)
    for total in (least - 1, least, least + 2):
        proof = prove_optimal(small, total, hard=hard, worst=50)
        assert proof["guess"].tolist() == list(small.allowed)
        assert set(proof["reason"]) <= {"size", "one scan", "search"}
        for guess, bound in zip(proof["guess"], proof["bound"], strict=True):
            assert bound <= by_first[guess]
            assert bound > total or bound == by_first[guess]


def test_longer_words_and_other_alphabets():
    rng = random.Random(5)
    for letters, length in (("abcde", 7), ("аяжёñä", 6), ("ab", 8), ("xyz", 3)):
        pool = sorted({"".join(rng.choices(letters, k=length)) for _ in range(12)})
        small = WordList(tuple(pool[:7]), tuple(pool), f"{letters}-{length}")
        for hard in (False, True):
            tree = optimal_tree(small, hard=hard, worst=50)
            assert tree.total == tree.check() == brute_force(small, hard)[0]


def test_hard_mode_uses_a_letter_as_often_as_it_was_revealed():
    """AAZZZ shows two A; BCDEA would tell the four words apart, but has one."""
    answers = ("qqaab", "qqaac", "qqaad", "qqaae")
    small = WordList(answers, ("aazzz", "bcdea", *answers), "repeats")
    for hard, total in ((False, 4 * 3), (True, 2 + 3 + 4 + 5)):
        tree = optimal_tree(small, first="aazzz", hard=hard, worst=50)
        assert tree.total == brute_force(small, hard)[1]["aazzz"] == total


def test_published_totals_of_openers(words, salet):
    assert (salet.total, salet.check(), salet.worst) == (7920, 7920, 5)
    assert len(salet.games) == 2315
    assert optimal_tree(words, first="reast").total == 7923


def test_published_total_of_hard_mode_keeps_to_six_guesses(words):
    hard = optimal_tree(words, first="SALET", hard=True)
    assert (hard.total, hard.check(), hard.worst) == (8122, 8122, 6)


def test_one_or_two_candidates(words):
    assert optimal_tree(words, candidates=["crane"]).games == {"crane": ("crane",)}
    assert optimal_tree(words, first="salet", candidates=["crane"]).total == 2
    assert optimal_tree(words, candidates=["crane", "slate"]).total == 3
    assert optimal_tree(words, candidates=["salet"], first="salet").total == 1


def test_candidates_need_not_be_answers(words):
    tree = optimal_tree(words, candidates=["aahed", "Zymic", "tares"])
    assert tree.candidates == ("aahed", "tares", "zymic")
    assert tree.total == tree.check() == 5


def test_search_over_many_first_guesses_agrees_with_one_search(words):
    answers = tuple(sorted(random.Random(3).sample(words.answers, tree_search.SMALL + 20)))
    small = WordList(answers, answers, "sample")
    by_proof = optimal_tree(small)
    root = tree_search.TreeSolver(tree_search.searched_game(small, None, False, None)).search()
    assert by_proof.total == by_proof.check() == root


@pytest.mark.parametrize("seed", range(52, 60))
def test_beam_finds_a_tree_and_a_wide_one_the_best(seed):
    small = small_list(seed)
    least, _ = brute_force(small)
    narrow = optimal_tree(small, width=1)
    assert narrow.total == narrow.check() >= least
    assert optimal_tree(small, width=len(small.allowed)).total == least


def test_beam_on_the_whole_list(words, salet):
    beam = optimal_tree(words, first="salet", width=3)
    assert 7920 <= beam.total == beam.check() < 1.01 * salet.total


@pytest.mark.parametrize("worst", [None, 5])
def test_an_improved_tree_is_the_best_of_its_first_guess(words, worst):
    for seed, first in enumerate(("salet", "aback", "queue")):
        some = np.random.default_rng(seed).choice(words.answers, 150, replace=False)
        beam = optimal_tree(words, first, some, width=1, worst=worst)
        better = improve_tree(beam, worst=worst)
        exact = optimal_tree(words, first, some, worst=worst)
        assert better.check() == exact.total <= beam.total
        assert better.first == first and better.worst <= (worst or better.worst)
        kept = improve_tree(beam, largest=2, worst=worst)
        assert kept.games == beam.games


def test_improving_refuses_what_it_cannot_keep_to(words):
    tree = optimal_tree(words, "salet", words.answers[:100])
    with pytest.raises(ValueError, match=r"a game of [34] guesses, and worst is 2"):
        improve_tree(tree, worst=2)
    with pytest.raises(ValueError, match="hard mode"):
        improve_tree(optimal_tree(words, "salet", words.answers[:20], hard=True))


def test_bad_input_names_what_is_wrong(words):
    with pytest.raises(ValueError, match="'salxt' is not an allowed word"):
        optimal_tree(words, first="salxt")
    with pytest.raises(ValueError, match="4 letters"):
        optimal_tree(words, candidates=["bare"])
    with pytest.raises(ValueError, match="no candidates"):
        optimal_tree(words, candidates=[])
    with pytest.raises(ValueError, match="width = 0"):
        optimal_tree(words, first="salet", width=0)
    with pytest.raises(ValueError, match=r"width = 1\.5: .* a whole one from 1"):
        optimal_tree(words, first="salet", width=1.5)
    with pytest.raises(ValueError, match="worst = 0"):
        optimal_tree(words, first="salet", worst=0)
    with pytest.raises(ValueError, match=r"begins with 'salet'.* within 4 guesses"):
        optimal_tree(words, first="salet", worst=4)
    with pytest.raises(ValueError, match="total = 0"):
        prove_optimal(words, 0)
    with pytest.raises(ValueError, match="'xxxxx' is not an allowed word"):
        prove_optimal(words, 7920, guesses=["xxxxx"])


def test_games_of_the_tree(words, salet):
    assert salet.guesses_for("CRANE")[0] == "salet"
    assert salet.guesses_for("crane")[-1] == "crane"
    frame = salet.to_frame()
    assert frame["guesses"].sum() == 7920
    assert frame["answer"].tolist() == list(words.answers)
    assert frame["game"][0].split()[-1] == "aback"
    with pytest.raises(ValueError, match="not one of the 2,315 candidates"):
        salet.guesses_for("aahed")
    with pytest.raises(ValueError, match="not an allowed word"):
        salet.guesses_for("crxme")


def test_games_that_are_no_tree_are_found(words):
    torn = DecisionTree(words, {"crane": ("salet", "crane"), "brane": ("slate", "brane")})
    with pytest.raises(ValueError, match="not a tree: after no pattern"):
        torn.check()
    endless = DecisionTree(words, {"crane": ("salet",)})
    with pytest.raises(ValueError, match="does not end"):
        endless.check()
    lax = DecisionTree(words, {"crane": ("slate", "bound", "crane")}, hard=True)
    with pytest.raises(ValueError, match="not hard mode"):
        lax.check()


@pytest.mark.parametrize("name", ["tree.txt", "tree.txt.gz"])
def test_tree_read_back_plays_the_same_games(name, tmp_path, words, salet):
    salet.to_file(tmp_path / name, note="from SALET,\nexact")
    assert DecisionTree.from_file(tmp_path / name) == salet
    assert DecisionTree.from_file(tmp_path / name, words).games == salet.games
    again = (tmp_path / name).read_bytes()
    salet.to_file(tmp_path / name, note="from SALET,\nexact")
    assert (tmp_path / name).read_bytes() == again


def test_tree_text_can_be_followed_by_hand(words):
    tree = optimal_tree(words, first="salet", candidates=["crane", "slate", "salet", "plate"])
    lines = tree.to_text().splitlines()
    body = [line for line in lines if not line.startswith("#")]
    assert body[0] == "salet *"
    # The words of each game, from the lines alone.
    for answer in tree.candidates:
        level, guesses = 0, [body[0].split()[0]]
        place = 0
        while guesses[-1] != answer:
            shown = obvious_pattern(guesses[-1], answer)
            level += 1
            place = next(
                i
                for i in range(place + 1, len(body))
                if body[i].startswith("  " * level + shown + " ")
            )
            guesses.append(body[place].split()[1])
        assert guesses == tree.guesses_for(answer)


def refused(path, message, words=None):
    with pytest.raises(ValueError, match=message) as caught:
        DecisionTree.from_file(path, words)
    assert str(path) in str(caught.value)


def test_tree_files_that_are_refused(tmp_path, words, salet):
    path = tmp_path / "tree.txt"
    text = salet.to_text()
    path.write_text(text)
    refused(path, "of the list 'wordle-2021'", load_words("wordle-nyt-2023"))
    own = WordList(words.answers, words.answers, "mine")
    refused(path, "not that of 'mine'", own)
    optimal_tree(own, candidates=words.answers[:5]).to_file(path)
    refused(path, "'mine': give that WordList too")
    path.write_text(text[: len(text) // 2])
    refused(path, "cut short")
    path.write_text(text.replace("courd", "croud"))
    refused(path, "altered")
    for line in text.splitlines()[1:9]:
        assert line.startswith("# ")
        path.write_text(text.replace(line + "\n", ""))
        refused(path, "altered|cut short")
        path.write_text(text.replace(line, line + "0"))
        refused(path, "altered|cut short")
    path.write_text(with_right_checksum(text, "", "", total="7919"))
    refused(path, "says total: 7919, but its lines give 7920")
    path.write_text("salet\n")
    refused(path, "does not begin with")
    path.write_text("")
    refused(path, "does not begin with")
    path.write_bytes(gzip.compress(text.encode())[:-200])
    refused(path, "cut short or altered")
    path.write_bytes(b"\xff\xfe\x00")
    refused(path, "cut short or altered")
    with pytest.raises(FileNotFoundError, match=r"no file .*missing\.txt"):
        DecisionTree.from_file(tmp_path / "missing.txt")


def with_right_checksum(text, old, new, **changed):
    """A file of which someone changed a line or the head, and mended lines and checksum too."""
    title = text.partition("\n")[0].removeprefix("# ")
    head, body = parse("a", text, title)
    del head["lines"]
    assert old in body
    head = {key: changed.get(key, value) for key, value in head.items()}
    head = {key: value for key, value in head.items() if value is not None}
    return compose(title, head, body.replace(old, new, 1))


@pytest.mark.parametrize(
    "old, new, message",
    [
        ("..... courd\n", "..... coord\n", "not an allowed word"),
        ("..... courd\n", "...q. courd\n", "is no cell"),
        ("..... courd\n", "courd\n", "needs its indent"),
        ("..... courd\n", "....G courd\n", "no line for the answer|no game reaches"),
        ("salet\n", "salet\n  YYYYY abcde\n", "not an allowed word"),
        ("salet\n", "salet\n  YYYYY tales\n", "no game reaches"),
        ("salet\n", "\n", "needs its indent|line 1"),
        ("nymph *", "nymph", "says candidates"),
    ],
)
def test_tree_lines_that_make_no_sense(old, new, message, tmp_path, salet):
    path = tmp_path / "tree.txt"
    path.write_text(with_right_checksum(salet.to_text(), old, new))
    refused(path, message)


class Interrupted(Executor):
    """Runs what it is given at once, and is interrupted after some of it."""

    def __init__(self, after):
        self.after = after

    def submit(self, function, *arguments):
        future = Future()
        if self.after == 0:
            future.set_exception(KeyboardInterrupt())
        else:
            self.after -= 1
            future.set_result(function(*arguments))
        return future


@pytest.fixture(scope="module")
def medium(words):
    rng = random.Random(8)
    answers = tuple(sorted(rng.sample(words.answers, 60)))
    return WordList(answers, tuple(sorted({*answers, *rng.sample(words.allowed, 100)})), "medium")


@pytest.mark.parametrize("name", ["proof.csv", "proof.csv.gz"])
def test_interrupted_proof_goes_on_and_ends_the_same(name, tmp_path, medium, monkeypatch):
    total = optimal_tree(medium).total
    whole = prove_optimal(medium, total)
    assert (whole["bound"] == total).any()
    assert (whole["bound"] >= total).all()
    path = tmp_path / name
    with pytest.raises(KeyboardInterrupt):
        prove_optimal(medium, total, executor=Interrupted(after=3), resume=path)
    with pytest.raises(ValueError, match=r"finish it with prove_optimal and resume"):
        read_proof(path, medium)
    done = []
    bound = tree_search._bound_chunk
    monkeypatch.setattr(
        tree_search, "_bound_chunk", lambda g, t, c: done.extend(c) or bound(g, t, c)
    )
    resumed = prove_optimal(medium, total, resume=path)
    assert 0 < len(done) < len(medium.allowed)
    assert resumed.equals(whole)
    known, read = read_proof(path, medium)
    assert known == total
    assert read.equals(whole)
    done.clear()
    assert prove_optimal(medium, total, resume=path).equals(whole)
    assert done == []


def test_any_executor_gives_the_same_proof(medium):
    whole = prove_optimal(medium, 150)
    with ThreadPoolExecutor(3) as threads:
        assert prove_optimal(medium, 150, executor=threads).equals(whole)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as processes:
        assert prove_optimal(medium, 150, executor=processes).equals(whole)


def test_proof_files_that_are_refused(tmp_path, words, medium):
    path = tmp_path / "proof.csv"
    some = medium.allowed[:20]
    prove_optimal(medium, 150, resume=path, guesses=some)
    text = path.read_text()
    for arguments, message in (
        ({"total": 151}, "total: 150, and this run has 151"),
        ({"total": 150, "hard": True}, "hard mode: no, and this run has yes"),
        ({"total": 150, "worst": 5}, "longest game: any, and this run has 5"),
        ({"total": 150, "candidates": medium.answers[:9]}, "candidates: 60.* this run has 9"),
    ):
        with pytest.raises(ValueError, match=message):
            prove_optimal(medium, resume=path, **arguments)
    with pytest.raises(ValueError, match="of the list 'medium'"):
        prove_optimal(words, 150, resume=path)
    path.write_text(text[:-30])
    with pytest.raises(ValueError, match="cut short"):
        prove_optimal(medium, 150, resume=path)
    path.write_text(text.replace(",one scan", ",search").replace(",size", ",search"))
    with pytest.raises(ValueError, match="altered"):
        prove_optimal(medium, 150, resume=path)
    for line in text.splitlines()[1:9]:
        assert line.startswith("# ")
        for altered in (text.replace(line + "\n", ""), text.replace(line, line + "1")):
            path.write_text(altered)
            with pytest.raises(ValueError, match=r"altered|cut short"):
                read_proof(path, medium)
    for total in (None, "many"):
        path.write_text(with_right_checksum(text, "", "", total=total))
        with pytest.raises(ValueError, match="does not say the total"):
            read_proof(path, medium)
    path.write_text(with_right_checksum(text, "", "", **{"hard mode": None}))
    with pytest.raises(ValueError, match="has hard mode: None, and this run has no"):
        read_proof(path, medium)
    path.write_text("guess,bound,reason\n")
    with pytest.raises(ValueError, match="does not begin with"):
        read_proof(path, medium)
    assert path.read_text() == "guess,bound,reason\n"


@pytest.mark.parametrize("hard, least", [(False, 7920), (True, 8122)])
def test_committed_proof_says_that_salet_is_best(words, hard, least):
    total, proof = read_proof(proof_path(words, hard=hard), words, hard=hard)
    assert total == least
    assert (proof["bound"] >= least).all()
    assert proof["guess"][proof["bound"] == least].tolist() == ["salet"]
    # A sample of it, proved again.
    sample = random.Random(1).sample(words.allowed, 12)
    again = prove_optimal(words, total, guesses=sample, hard=hard)
    assert again.merge(proof).equals(again)
    tree = optimal_tree(words, hard=hard)
    assert tree.total == tree.check() == least
    assert tree.games == optimal_tree(words, first="salet", hard=hard).games
    with pytest.raises(ValueError, match="hard mode: "):
        read_proof(proof_path(words, hard=hard), words, hard=not hard)


def test_hard_mode_costs_no_first_guess_less(words):
    free, hard = (proof_of(words, hard=hard).set_index("guess") for hard in (False, True))
    exact = hard["bound"] <= 8122
    assert (hard["bound"][exact] >= free["bound"][exact]).all()
    kept = openers_of(words)
    assert (kept["total"][exact] <= hard["bound"][exact]).all()


def test_committed_tree_over_all_allowed_words(words):
    tree = DecisionTree.from_file(dictionary_tree_path(words))
    assert tree.candidates == words.allowed
    # The best public tree that we know of has 52,896.
    assert tree.check() == tree.total < 52_896
    assert first_guess_bound(words, tree.first, words.allowed) < tree.total


def test_another_list_of_the_same_name_has_no_proof(words):
    assert proof_of(words)["bound"].min() == 7920
    namesake = WordList(words.answers[:300], words.allowed, words.name)
    assert proof_of(namesake) is None
    assert proof_of(load_words("wordle-nyt-2023")) is None


@pytest.mark.parametrize("seed", range(60, 66))
def test_bound_of_one_first_guess_holds(seed):
    small = small_list(seed)
    _, by_first = brute_force(small)
    for guess, exact in by_first.items():
        assert first_guess_bound(small, guess) <= exact


@pytest.mark.parametrize("hard", [False, True])
def test_command_writes_a_proof_that_is_read_back(tmp_path, medium, capsys, hard):
    answers, allowed, output = (tmp_path / name for name in ("a.txt", "b.txt", "proof.csv.gz"))
    answers.write_text("\n".join(medium.answers))
    allowed.write_text("\n".join(medium.allowed))
    files = ["--words", str(answers), "--allowed", str(allowed), "--output", str(output)]
    assert main(["proof", *files, *["--hard"][:hard]]) == 0
    own = load_words(answers, allowed)
    total, bounds = read_proof(output, own, hard=hard)
    assert total == bounds["bound"].min() == optimal_tree(medium, hard=hard).total
    assert f"{total} is the least total" in capsys.readouterr().out
    assert {path.name for path in tmp_path.iterdir()} == {"a.txt", "b.txt", "proof.csv.gz"}


def test_a_proof_that_hard_mode_cannot_be_won(tmp_path, capsys):
    alike = tmp_path / "alike.txt"
    alike.write_text("\n".join(f"{letter}ight" for letter in "beflmnrst"))
    files = ["--words", str(alike), "--output", str(tmp_path / "proof.csv")]
    assert main(["proof", "--hard", *files]) == 0
    said = capsys.readouterr()
    assert "no first guess wins every game within six guesses" in said.out
    assert "268" not in said.out + said.err


@pytest.mark.parametrize("width", [None, 10])
def test_a_guess_from_outside_may_tell_all_of_the_last_words_apart(width):
    """Two guesses suffice where a word that cannot be the answer separates all that can."""
    words = load_words()
    family = [
        "tests",
        "rests",
        "zests",
        "fests",
        "gests",
        "wests",
        "hests",
        "bests",
        "vests",
        "jests",
    ]
    free = optimal_tree(words, candidates=family, width=width)
    kept = optimal_tree(words, candidates=family, width=width, worst=free.worst)
    assert (kept.total, kept.worst) == (free.total, free.worst)
    assert kept.check() == kept.total
    with pytest.raises(ValueError, match="within 2 guesses"):
        optimal_tree(words, candidates=family, width=width, worst=2)


def test_two_guesses_leave_no_room_for_parts_of_two():
    words = load_words()
    with pytest.raises(ValueError, match="within 2 guesses"):
        optimal_tree(words, first="fuzzy", candidates=["tests", "rests"], worst=2)
    pair = optimal_tree(words, first="tests", candidates=["tests", "rests"], worst=2)
    assert (pair.total, pair.worst) == (3, 2)


def test_the_dictionary_tree_within_six_keeps_to_it():
    words = load_words()
    tree = DecisionTree.from_file(dictionary_tree_path(words, within_six=True), words)
    assert tree.candidates == words.allowed
    assert tree.worst == 6
    assert tree.check() == tree.total


@pytest.mark.parametrize("opener", ["midis", "salet"])
def test_quick_count_finds_the_most_parts_of_any_guess(words, opener):
    """Against patterns counted one by one, for parts of the answers without letters of a word."""
    prepared = tree_search._prepare(words, words.answers)
    patterns, guess_of, _, letters, *_ = prepared.arrays
    here = np.array(
        [i for i, answer in enumerate(words.answers) if not set(answer) & set(opener)], np.int32
    )
    counts = np.array([len(set(patterns[here, g])) for g in range(len(letters))], np.uint16)
    best_first = np.empty(len(letters), np.int32)
    n = tree_kernels._undominated(here, counts, guess_of, letters, best_first)
    guesses = best_first[:n]
    assert 1000 < n < len(letters)
    assert (np.diff(counts[guesses].astype(int)) <= 0).all()
    columns = -(-n // tree_kernels.FEW) * tree_kernels.FEW
    numbers = np.empty((len(here), columns), np.uint8)
    row_of = np.empty(len(words.answers), np.int32)
    tree_kernels._number_parts(here, guesses, patterns, 243, numbers, row_of)
    rng = random.Random(2)
    sizes = []
    for _ in range(12):
        shown = patterns[here, rng.randrange(len(letters))]
        part = here[shown == rng.choice(shown)]
        members = guess_of[part]
        rows = patterns[part]
        plain = (np.diff(np.sort(rows, axis=0), axis=0) > 0).sum(axis=0) + 1
        most = max(plain.max(), plain[members].max() + 1)
        found = tree_kernels._most_parts(
            part, guesses, counts, patterns, 243, guess_of, numbers, row_of
        )
        assert found == most
        sizes.append(len(part))
    assert min(sizes) < 40 < 100 < max(sizes)


def test_words_of_too_many_letters_have_no_quick_count():
    letters = "".join(map(chr, range(0x4E00, 0x4E00 + 78)))
    answers = tuple(sorted(letters[i : i + 3] for i in range(0, 78, 3)))
    many = tree_search._prepare(WordList(answers, answers, "letters"), answers)
    _, guess_of, _, codes, *_ = many.arrays
    everything = np.arange(len(answers), dtype=np.int32)
    counts, out = np.ones(len(answers), np.uint16), np.empty(len(answers), np.int32)
    assert tree_kernels._undominated(everything, counts, guess_of, codes, out) == 0
