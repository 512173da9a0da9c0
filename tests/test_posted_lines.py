"""Lines seen without their words, against plain loops over the evaluator and the sets."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wordgames.emojle import posted_lines as lines
from wordgames.emojle.pattern_sets import PatternSets
from wordgames.grids.players import Players
from wordgames.patterns import GUESSES, format_pattern, score
from wordgames.words import WordList, load_words

FEW = ("abide", "alien", "could", "grail", "loupe", "mould", "pesos", "posse", "solve", "speed",
       "sposh", "would")  # fmt: skip
WORDS = WordList(FEW, FEW, "few")
SETS = PatternSets.build(WORDS)
GIVEN = {answer: {score(guess, answer) for guess in FEW} for answer in FEW}
SOME_CODES = sorted(set.union(*GIVEN.values()))
codes_seen = st.lists(st.sampled_from(SOME_CODES), max_size=12)


@pytest.fixture(scope="module")
def original():
    words = load_words()
    return words, PatternSets.build(words)


def slow_candidates(codes, words=FEW):
    return [word for word in words if GIVEN[word] >= set(codes)]


@settings(deadline=None)
@given(codes_seen)
def test_candidates_after_each_line(codes):
    after = lines.candidates_after(SETS, codes)
    assert after.tolist() == [len(slow_candidates(codes[:n])) for n in range(len(codes) + 1)]
    among = np.array([word < "l" for word in FEW])
    after = lines.candidates_after(SETS, codes, among)
    wanted = [sum(w < "l" for w in slow_candidates(codes[:n])) for n in range(len(codes) + 1)]
    assert after.tolist() == wanted


@settings(deadline=None)
@given(codes_seen)
def test_one_mask_equals_one_by_one(codes):
    left = set(FEW)
    for code in codes:
        left &= set(SETS.candidates([code]))
    assert SETS.candidates(codes) == sorted(left) == slow_candidates(codes)


@settings(deadline=None)
@given(codes_seen)
def test_telling_order_leaves_what_all_lines_leave(codes):
    order = lines.telling_order(SETS, codes)
    assert len(set(order)) == len(order)
    assert set(order) <= set(codes)
    assert slow_candidates(order) == slow_candidates(codes)
    after = lines.candidates_after(SETS, order)
    assert (np.diff(after) < 0).all()
    if order:  # each is the best of all, by a plain search
        for n, code in enumerate(order):
            left = {c: len(slow_candidates([*order[:n], c])) for c in sorted(set(codes))}
            assert left[code] == min(left.values())


@settings(deadline=None)
@given(codes_seen)
def test_next_patterns(codes):
    frame = lines.next_patterns(SETS, codes)
    left = slow_candidates(codes)
    for row in frame.itertuples():
        able = [w for w in left if any(format_pattern(c) == row.pattern for c in GIVEN[w])]
        assert (row.can_give, row.removed_if_seen) == (len(able), len(left) - len(able))
        # the mean over the answers of what is removed, plainly
        removed = [len(left) - len(able) if word in able else 0 for word in left]
        assert row.expected_removed == pytest.approx(np.mean(removed))
        assert 0 < row.can_give < len(left)
    assert frame["expected_removed"].is_monotonic_decreasing


def test_next_pattern_of_two_words_by_hand():
    words = WordList(("ab", "ac", "bc"), ("ab", "ac", "bc"), "tiny")
    sets = PatternSets.build(words)
    # ab gives GG, G. (ac) and Y. (bc); ac gives GG, G. (ab) and .G (bc); bc gives GG, .Y and .G
    frame = lines.next_patterns(sets, [])
    assert frame["pattern"].tolist() == [".Y", ".G", "Y.", "G."]
    assert frame["can_give"].tolist() == [1, 2, 1, 2]
    assert frame["expected_removed"].tolist() == pytest.approx([2 / 3] * 4)
    only_ac = np.array([False, True, False])
    assert lines.next_patterns(sets, [], only_ac).empty


def test_inseparable_pairs_by_plain_sets(original):
    words, sets = original
    some = words.allowed[::397]
    given = {a: {score(g, a) for g in words.allowed[::1]} for a in some[:6]}
    pairs = set(lines.inseparable_pairs(sets, some[:6]).itertuples(index=False, name=None))
    assert pairs == {(a, b) for a in given for b in given if a != b and given[a] <= given[b]}


def test_inseparable_pairs_agree_with_the_supersets(original):
    _, sets = original
    some = ["qajaq", "tares", "posse", "ayaya", "jujus", "lares"]
    pairs = lines.inseparable_pairs(sets, some)
    assert not pairs.empty
    wanted = [(a, b) for a in sorted(some) for b in sets.supersets(a) if b in some]
    assert list(pairs.itertuples(index=False, name=None)) == wanted
    with pytest.raises(ValueError, match="zzzzz"):
        lines.inseparable_pairs(sets, ["zzzzz"])


def fitting(guesses, codes):
    return [w for w in FEW if all(score(g, w) == c for g, c in zip(guesses, codes, strict=True))]


def explanations(codes, answer, guesses=()):
    """Whether some guesses that fit what was seen before them give these patterns: by search."""
    if len(guesses) == len(codes):
        return True
    return any(
        score(guess, answer) == codes[len(guesses)]
        and explanations(codes, answer, (*guesses, guess))
        for guess in fitting(guesses, codes[: len(guesses)])
    )


@pytest.mark.parametrize("answer", ["could", "posse", "speed"])
def test_simulated_players_play_by_the_evaluator(answer):
    players = Players.of(WORDS, *2 * [np.arange(1.0, len(FEW) + 1)])
    games = players.games(answer, 60, np.random.default_rng(1))
    assert len(games) == 60
    for codes in games:
        assert 1 <= len(codes) <= GUESSES
        assert 242 not in codes[:-1]
        assert codes[-1] == 242 or len(codes) == GUESSES
        assert explanations(codes, answer)


def test_openers_follow_the_weights():
    weights = np.ones(len(FEW))
    weights[FEW.index("alien")] = len(FEW) - 1  # half of all
    games = Players.of(WORDS, weights, weights).games("could", 4000, np.random.default_rng(2))
    seen = np.mean([codes[0] == score("alien", "could") for codes in games])
    others = sum(score(g, "could") == score("alien", "could") for g in FEW if g != "alien")
    assert seen == pytest.approx(0.5 + others / (2 * (len(FEW) - 1)), abs=0.03)


def test_games_repeat_with_a_seed_and_differ_without():
    players = Players.of(WORDS, *2 * [np.ones(len(FEW))])
    first, again, other = (
        players.games("could", 50, np.random.default_rng(seed)) for seed in (3, 3, 4)
    )
    assert first == again != other


@pytest.mark.parametrize("weights", [[1.0], [0.0] * len(FEW), [math.nan] * len(FEW)])
def test_bad_weights_are_refused(weights):
    with pytest.raises(ValueError, match="openers: give 12 weights"):
        Players.of(WORDS, np.array(weights))


def test_a_day_in_four_orders(original):
    words, sets = original
    players = Players.of(words)
    day = lines.simulate_day(sets, players, "could", 40, np.random.default_rng(5))
    ends = {order: left[-1] for order, left in day.items()}
    assert ends[lines.POSTED] == ends[lines.RAREST] == ends[lines.TELLING] >= 1
    assert all(left[0] == len(words.allowed) for left in day.values())
    assert all((np.diff(left) <= 0).all() for left in day.values())
    assert len(day[lines.RANDOM]) == len(day[lines.POSTED]) > 40
    assert len(day[lines.TELLING]) <= len(day[lines.RAREST])


def test_lines_needed_by_hand():
    days = [{"x": np.array(left)} for left in ([90, 12, 4], [90, 50, 12, 3, 2], [90, 80])]
    table = lines.lines_needed(days, goals=(12, 2)).set_index("goal")
    assert table.loc[12, "lines"] == 2  # of 1, 2 and never
    assert table.loc[12, "reached"] == pytest.approx(2 / 3)
    assert table.loc[2, "lines"] == math.inf
    # Of an even number the mean of the two in the middle, as of what is left.
    even = lines.lines_needed(days[:2], goals=(12, 2, 1)).set_index("goal")
    assert even["lines"].tolist() == [1.5, math.inf, math.inf]
    assert (even["left"] == 3).all()
    assert table.loc[2, "left"] == 4


def test_random_lines_are_those_of_guesses():
    found = lines.random_lines(WORDS, "could", 300, np.random.default_rng(6))
    assert set(found) == GIVEN["could"]


def test_mean_removal_and_telling_share_by_plain_loops():
    able = {code: sum(code in GIVEN[w] for w in FEW) for code in SOME_CODES}
    removal = lines.mean_removal(SETS, WORDS)
    for answer in FEW:
        wanted = np.mean([1 - able[score(guess, answer)] / len(FEW) for guess in FEW])
        assert removal[answer] == pytest.approx(wanted)
    middle = sorted(able[score(g, a)] for g in FEW for a in FEW)[len(FEW) ** 2 // 2 - 1]
    wanted = np.mean([able[score(guess, "could")] < middle for guess in FEW])
    assert lines.telling_share(SETS, WORDS, "could") == pytest.approx(wanted)


def test_file_sizes(original, tmp_path):
    _, sets = original
    sizes = lines.file_sizes(sets)["bytes"].tolist()
    sets.to_file(tmp_path / "sets.txt")
    assert sizes[0] == (tmp_path / "sets.txt").stat().st_size
    assert sizes[2] == len(sets.words) * 6 - 1
    assert sizes[3] < 17_000 < sizes[1] < sizes[0]
    assert isinstance(lines.file_sizes(SETS), pd.DataFrame)
