"""Strategies against a slow player written anew here, published games and totals, and brute force.

`slow_game` shares no code with the package: words are text, a pattern is text, and every guess is
chosen again in every game.
"""

from collections import Counter
from fractions import Fraction
from itertools import product
from math import log2

import numpy as np
import pandas as pd
import pytest
from conftest import obvious_pattern
from hypothesis import given, settings
from hypothesis import strategies as st

from wordgames import (
    format_pattern,
    load_words,
    parse_pattern,
    play,
    score,
    score_matrix,
    tournament,
)
from wordgames.patterns import hard_mode_violation
from wordgames.wordle import partitions
from wordgames.wordle.helper import Helper
from wordgames.wordle.partitions import partition_statistics
from wordgames.wordle.strategies import (
    STRATEGIES,
    LetterScore,
    Optimal,
    Partition,
    Ranking,
    Strategy,
    find_strategy,
    games,
    opening_position,
)
from wordgames.words import WordList

NAMES = [name for name in STRATEGIES if name != "optimal"]
FIELD = ["entropy", "expected-size", "most-parts", "minimax"]


@pytest.fixture(scope="module")
def words():
    return load_words("wordle-2021")


# --------------------------------------------------------------------------- the slow player


def passes_essay(word, guess, shown):
    for place, (letter, cell) in enumerate(zip(guess, shown, strict=True)):
        if cell == "." and letter in word:
            return False
        if cell == "Y" and (letter not in word or word[place] == letter):
            return False
        if cell == "G" and word[place] != letter:
            return False
    return True


def obeys(word, guess, shown):
    revealed = Counter(c for c, cell in zip(guess, shown, strict=True) if cell != ".")
    in_place = all(word[i] == guess[i] for i in range(len(word)) if shown[i] == "G")
    return in_place and all(word.count(c) >= n for c, n in revealed.items())


def counted(words):
    return Counter(letter for word in words for letter in set(word))


def key_of(name, guess, fits, weights=None):
    """Small is good; exact but for entropy, which is rounded as the field does."""
    parts = Counter()
    masses = Counter()
    for word in fits:
        shown = obvious_pattern(guess, word)
        parts[shown] += 1
        masses[shown] += weights[word] if weights else 1
    if name == "entropy":
        return round(sum(m * log2(m) for m in masses.values()), 6)
    if name == "expected-size":
        return sum(Fraction(masses[shown]) * parts[shown] for shown in parts)
    return -len(parts) if name == "most-parts" else max(masses.values())


def letter_choice(name, pool, start, history, length):
    if name == "letter-score-cover":

        def value(word):
            return sum(bool(set(word) & set(other)) for other in pool)
    else:
        over = pool if name == "letter-score-rescored" else start
        count = counted(over)
        at = Counter((i, word[i]) for word in over for i in range(length))
        known = Counter()
        for guess, shown in history:
            known |= Counter(c for c, cell in zip(guess, shown, strict=True) if cell != ".")
        k = min(sum(known.values()), length) if name == "letter-score-placed" else 0

        def value(word):
            placed = sum(at[i, word[i]] for i in range(length))
            return (length - k) * sum(count[c] for c in set(word)) + k * placed

    return value


def slow_game(name, answer, words, candidates, hard=False, few=100):
    """(guesses, remaining, solved) of one game."""
    length = words.length
    start = list(words.allowed) if name == "letter-score-late-answers" else sorted(candidates)
    fits, history, remaining = start, [], []
    while True:
        legal = [w for w in words.allowed if not hard or all(obeys(w, *h) for h in history)]
        if name in FIELD:
            # sorted is stable: the alphabet decides what the key leaves open.
            order = sorted(legal, key=lambda w: (key_of(name, w, fits), w not in fits))
        else:
            pool = [w for w in fits if w in legal]
            value = letter_choice(name, fits, start, history, length)
            if name == "letter-score-late-answers" and len(fits) <= few:
                pool = [w for w in pool if w in candidates and w in words.answers] or pool
            order = sorted(pool, key=lambda w: -value(w))
        if not order or not fits:
            return tuple(g for g, _ in history), tuple(remaining), False
        guess = order[0]
        shown = obvious_pattern(guess, answer)
        history.append((guess, shown))
        if name == "letter-score-essay":
            fits = [w for w in fits if passes_essay(w, guess, shown)]
        else:
            fits = [w for w in fits if obvious_pattern(guess, w) == shown]
        remaining.append(sum(w in candidates for w in fits))
        if guess == answer:
            return tuple(g for g, _ in history), tuple(remaining), True


@st.composite
def small_lists(draw):
    """A list of a few words over few letters, so that letters repeat and keys tie."""
    length = draw(st.integers(2, 4))
    every = ["".join(letters) for letters in product("abcd"[: 6 - length], repeat=length)]
    allowed = draw(st.lists(st.sampled_from(every), min_size=2, max_size=14, unique=True))
    answers = draw(st.lists(st.sampled_from(allowed), min_size=1, max_size=10, unique=True))
    return WordList(tuple(sorted(answers)), tuple(sorted(allowed)), "small")


@pytest.mark.parametrize("name", NAMES)
@given(words=small_lists(), hard=st.booleans(), everything=st.booleans())
@settings(max_examples=40, deadline=None)
def test_games_of_small_lists_are_those_of_the_slow_player(name, words, hard, everything):
    candidates = words.allowed if everything else words.answers
    strategy = LetterScore(late_answers=True, few=4) if "late" in name else name
    for game in games(strategy, words, candidates, candidates, hard):
        expected = slow_game(name, game.answer, words, candidates, hard, few=4)
        assert (game.guesses, game.remaining, game.solved) == expected
        shown = tuple(obvious_pattern(guess, game.answer) for guess in game.guesses)
        assert tuple(format_pattern(p, words.length) for p in game.patterns) == shown
        assert play(strategy, game.answer, words, candidates, hard) == game


@pytest.mark.parametrize("name", [*FIELD, "letter-score-essay", "letter-score-placed"])
def test_games_of_the_full_list_are_those_of_the_slow_player(name, words):
    """A few games, from the second guess on as slow as it gets."""
    short = WordList(words.answers[::25], words.allowed[::40] + words.answers[::25], "short")
    short = WordList(short.answers, tuple(sorted(set(short.allowed))), "short")
    for answer in short.answers[::9]:
        candidates = short.allowed if "essay" in name else short.answers
        game = play(name, answer, short)
        assert (game.guesses, game.remaining, game.solved) == slow_game(
            name, answer, short, candidates
        )


# --------------------------------------------------------------------------- what is published


def test_most_parts_opens_with_trace_and_needs_7949(words):
    table = tournament("most-parts", words)
    assert play("most-parts", "crank", words).guesses[0] == "trace"
    assert table.loc["most-parts", ["total", "worst", "failed"]].tolist() == [7949, 6, 0]


@pytest.mark.parametrize(
    "name, opener",
    # Published many times over for this list; 'arise' shares its worst part of 168 with 'raise'.
    [("entropy", "soare"), ("expected-size", "roate"), ("minimax", "arise")],
)
def test_openers_of_the_field(name, opener, words):
    assert Helper(words, name).guess == opener


def test_entropy_opener_over_all_allowed_words(words):
    """Published for this list by the emojle essay (E24)."""
    assert Helper(words, "entropy", candidates=words.allowed).guess == "tares"


def test_the_essays_opener_and_what_it_leaves(words):
    game = play("letter-score-essay", "crank", words)
    assert (game.guesses[0], game.remaining[0]) == ("aeros", 289)
    assert len(words.allowed) - game.remaining[0] == 12683


@pytest.mark.parametrize("candidates", [None, "allowed"])
def test_the_crank_game_is_that_of_late_answers_alone(candidates, words):
    """W05; no other single improvement plays it, nor does the essay's own rule."""
    candidates = candidates and words.allowed
    published = ("aeros", "liart", "grand", "crank")
    for name in NAMES:
        guesses = play(name, "crank", words, candidates).guesses
        assert (guesses == published) == (name == "letter-score-late-answers")


def test_the_strategy_ranks_by_letter_score(words):
    count = counted(words.allowed)
    scores = {word: sum(count[letter] for letter in set(word)) for word in words.allowed}
    ranked = Helper(words, "letter-score-essay").suggest(50).index.tolist()
    assert ranked[:3] == ["aeros", "arose", "soare"]
    assert ranked == sorted(scores, key=lambda word: (-scores[word], word))[:50]


# --------------------------------------------------------------------------- the essay's filter


def naive(words, guesses):
    """Patterns of some guesses against all answers by the rule that the essay's filter expects."""
    lexicon = opening_position(find_strategy("letter-score"), words).lexicon
    answers = np.flatnonzero(words.is_answer)
    return np.stack([lexicon.naive_patterns(words.index[guess], answers) for guess in guesses])


def test_essay_filter_and_exact_feedback_differ_only_on_repeated_letters(words):
    """They differ only if a letter stands in the guess more often than in the answer."""
    guesses = words.allowed[::5]
    exact, essay = score_matrix(guesses, words.answers), naive(words, guesses)
    differ = exact != essay
    repeats = np.array([len(set(guess)) < len(guess) for guess in guesses])
    assert not differ[~repeats].any()
    places = np.argwhere(differ)
    assert len(places) > 20_000
    for guess, answer in places[::1000]:
        g, a = guesses[guess], words.answers[answer]
        assert any(g.count(c) > a.count(c) > 0 for c in g)
        assert not passes_essay(a, g, obvious_pattern(g, a))
    for guess, answer in np.argwhere(~differ)[::20_000]:
        g, a = guesses[guess], words.answers[answer]
        assert not any(g.count(c) > a.count(c) > 0 for c in g)
        assert passes_essay(a, g, obvious_pattern(g, a))


@given(
    st.lists(st.text("abc", min_size=4, max_size=4), min_size=1, max_size=30, unique=True),
    st.integers(0, 29),
    st.integers(0, 80),
)
def test_essay_filter_follows_its_words(pool, number, code):
    pool = sorted(pool)
    words, guess = WordList(tuple(pool), tuple(pool), "pool"), pool[number % len(pool)]
    kept = naive(words, [guess])[0] == code
    shown = format_pattern(code, 4)
    assert [word for word, keep in zip(pool, kept, strict=True) if keep] == [
        word for word in pool if passes_essay(word, guess, shown)
    ]


def test_the_answer_that_the_filter_loses_is_never_found(words):
    played = games("letter-score-essay", words)
    failed = [game for game in played if not game.solved]
    assert failed
    for game in failed:
        assert game.remaining[-1] == 0
        shown = [obvious_pattern(guess, game.answer) for guess in game.guesses]
        assert not all(
            passes_essay(game.answer, g, s) for g, s in zip(game.guesses, shown, strict=True)
        )
    # Exact feedback never loses it.
    assert tournament("letter-score", words, candidates=words.allowed)["failed"].item() == 0


def test_no_candidate_comes_back(words):
    """W10: what a filter leaves of the whole list, with all feedback so far, only shrinks."""
    for game in games("letter-score-essay", words)[::400]:
        before = set(words.allowed)
        for number in range(len(game.guesses)):
            left = [
                w
                for w in words.allowed
                if all(
                    passes_essay(w, guess, obvious_pattern(guess, game.answer))
                    for guess in game.guesses[: number + 1]
                )
            ]
            assert set(left) <= before
            assert len(left) == game.remaining[number]
            before = set(left)


@given(st.lists(st.text("abcdef", min_size=3, max_size=3), min_size=1, unique=True))
def test_cover_ranks_by_the_words_that_share_a_letter(pool):
    shared = {w: sum(bool(set(w) & set(other)) for other in pool) for w in pool}
    words = WordList(tuple(sorted(pool)), tuple(sorted(pool)), "pool")
    ranked = Helper(words, "letter-score-cover").suggest(len(pool)).index.tolist()
    assert ranked == sorted(pool, key=lambda w: (-shared[w], w))


# --------------------------------------------------------------------------- the tournament


def test_tournament_counts_each_game_once(words):
    answers = words.answers[::7]
    table = tournament(NAMES, words, answers)
    assert table.index.tolist() == NAMES
    counts = table[[column for column in table if column.isdigit()]]
    assert counts.columns.tolist() == [str(n) for n in range(1, table["worst"].max() + 1)]
    assert (counts.sum(axis=1) + table["failed"] == len(answers)).all()
    numbers = counts.columns.astype(int)
    assert (counts @ numbers == table["total"]).all()
    assert np.allclose(table["total"] / counts.sum(axis=1), table["mean"])
    assert (table["solved_in_six"] == counts.iloc[:, :6].sum(axis=1)).all()
    assert table.loc["letter-score-essay", "failed"] > 0


def test_answers_from_all_allowed_words(words):
    answers = words.allowed[::5]
    table = tournament(["letter-score", "entropy"], words, answers, words.allowed)
    counts = table[[column for column in table if column.isdigit()]]
    assert counts.sum(axis=1).tolist() == [len(answers)] * 2
    assert (table["failed"] == 0).all()


def test_the_other_list():
    words = load_words("wordle-nyt-2023")
    table = tournament(FIELD, words)
    assert (table["failed"] == 0).all() and (table["worst"] <= 7).all()


def test_a_strategy_that_never_ends_fails(words):
    class Stubborn(Strategy):
        name = "stubborn"

        def rank(self, position):
            return Ranking(np.array([0]), np.zeros(1))

    first = words.allowed[0]
    table = tournament(Stubborn(), words, [first, "crank"], words.allowed)
    assert table.loc["stubborn", ["total", "failed", "1"]].tolist() == [1, 1, 1]
    assert not play(Stubborn(), "crank", words).solved


# --------------------------------------------------------------------------- hard mode


@pytest.mark.parametrize("name", ["entropy", "most-parts", "letter-score-essay"])
def test_hard_mode_guesses_use_every_hint(name, words):
    for game in games(name, words, words.answers[::20], hard=True):
        for number, guess in enumerate(game.guesses):
            for earlier in game.guesses[:number]:
                assert obeys(guess, earlier, obvious_pattern(earlier, game.answer))


@given(
    st.text("abc", min_size=4, max_size=4),
    st.text("abc", min_size=4, max_size=4),
    st.text("abc", min_size=4, max_size=4),
)
def test_hard_mode_violation_agrees_with_the_rule(word, guess, answer):
    message = hard_mode_violation(word, guess, score(guess, answer))
    assert (message == "") == obeys(word, guess, obvious_pattern(guess, answer))


def test_hard_mode_names_the_letter(words):
    helper = Helper(words, hard=True).enter("geese", ".Y.G.")
    with pytest.raises(ValueError, match="green S as letter 4"):
        helper.enter("crane", ".....")
    with pytest.raises(ValueError, match="revealed E again"):
        helper.enter("abyss", ".....")
    twice = Helper(words, hard=True).enter("geese", ".YY..")
    with pytest.raises(ValueError, match="revealed E at least 2 times"):
        twice.enter("crane", ".....")


# --------------------------------------------------------------------------- priors


@given(small_lists(), st.data())
@settings(max_examples=40, deadline=None)
def test_weights_guide_the_first_guess(words, data):
    powers = data.draw(
        st.lists(st.integers(0, 4), min_size=len(words.answers), max_size=len(words.answers))
    )
    weights = dict(zip(words.answers, (2**p for p in powers), strict=True))
    name = data.draw(st.sampled_from(FIELD))
    keys = {w: key_of(name, w, words.answers, weights) for w in words.allowed}
    best = min(keys.values())
    # Weights are kept to 2**-20 of their sum, so keys that are nearly equal may tie.
    guess = Helper(words, name, weights=weights).guess
    assert float(keys[guess]) <= float(best) + 1e-3 * max(1, abs(float(best)))


def test_a_sure_word_is_guessed_at_once(words):
    weights = pd.Series(1.0, index=list(words.answers))
    weights["fuzzy"] = 1e6
    assert play("minimax", "fuzzy", words, weights=weights).guesses == ("fuzzy",)
    pair = {"fully": 1, "bully": 3}
    assert Helper(words, "entropy", weights=pair).guess == "bully"
    assert Helper(words, "entropy", candidates=list(pair)).guess == "bully"
    assert Helper(words, "entropy", weights={"fully": 3, "bully": 1}).guess == "fully"


def test_equal_weights_change_nothing(words):
    weights = dict.fromkeys(words.answers, 0.25)
    plain = tournament(FIELD, words, words.answers[::50])
    pd.testing.assert_frame_equal(
        plain, tournament(FIELD, words, words.answers[::50], weights=weights)
    )


# --------------------------------------------------------------------------- optimal


def fewest(words, fits):
    """The least total of guesses over some words, by trying everything."""
    if len(fits) == 1:
        return 1
    totals = []
    for guess in words.allowed:
        parts = {}
        for word in fits:
            parts.setdefault(obvious_pattern(guess, word), []).append(word)
        if len(parts) > 1:
            rest = [part for shown, part in parts.items() if set(shown) != {"G"}]
            totals.append(len(fits) + sum(fewest(words, part) for part in rest))
    return min(totals)


@given(small_lists())
@settings(max_examples=30, deadline=None)
def test_optimal_needs_the_fewest_guesses(words):
    totals = tournament([*FIELD, "letter-score", "optimal"], words)["total"]
    assert totals["optimal"] == fewest(words, words.answers) == totals.min()


def test_optimal_plays_the_tree_and_mends_other_guesses(words):
    strategy = Optimal(first="salet")
    assert tournament(strategy, words).loc["optimal-from-salet", "total"] == 7920
    helper = Helper(words, strategy)
    assert helper.guess == "salet"
    helper = helper.enter("crank", "Y.Y..")
    left = helper.remaining
    after = tournament(Optimal(), words, left, left)["total"].item()
    assert helper.guess == play(Optimal(), left[0], words, left).guesses[0]
    assert after <= tournament("entropy", words, left, left)["total"].item()
    hard = Helper(words, strategy, words.answers[:40], hard=True)
    assert hard.guess == "salet"
    with pytest.raises(ValueError, match="does not begin with crank"):
        hard.enter("crank", "..G..").guess  # noqa: B018 - the property raises


# --------------------------------------------------------------------------- statistics


@given(st.lists(st.integers(0, 30), min_size=1, max_size=12).filter(any))
def test_partition_statistics(sizes):
    row = partition_statistics([sizes]).iloc[0]
    n = sum(sizes)
    assert row["entropy"] == pytest.approx(sum(s / n * log2(n / s) for s in sizes if s), abs=1e-8)
    assert row["expected_size"] == pytest.approx(sum(s * s for s in sizes) / n)
    assert (row["parts"], row["worst"]) == (sum(s > 0 for s in sizes), max(sizes))


def test_entropies_that_are_equal_on_paper_tie():
    """6 log 6 + six ones, and twice 3 log 3 + three times 2 log 2, are one number."""
    counts = [[6] + [1] * 6, [3, 3, 2, 2, 2, 0, 0]]
    assert partition_statistics(counts)["entropy"].diff().iloc[1] == 0


def test_keys_of_entropy_tie_within_rounding_and_not_beyond():
    exact = int(12.34 * 2**partitions.FINE)
    rounded = [exact - 300, exact, exact + 300]  # as far apart as many rounded terms can come
    fewer = exact - int(1e-5 * 2**partitions.FINE)
    keys = partitions.entropy_key(np.array([[value, 0, 0, 0] for value in [*rounded, fewer]]))
    assert keys[0] == keys[1] == keys[2] > keys[3]


@pytest.mark.parametrize(
    "counts, says",
    [
        ([1, 2], "a row for each guess"),
        ([[0.5, 0.5]], "whole numbers"),
        ([[-1, 2]], "whole numbers from 0"),
        ([[1, 2], [1, 1]], "one sum"),
        ([[0, 0]], "at least one"),
    ],
)
def test_partition_statistics_refuses(counts, says):
    with pytest.raises(ValueError, match=says):
        partition_statistics(counts)


# --------------------------------------------------------------------------- playing along


def test_the_helper_plays_the_strategys_game(words):
    game = play("most-parts", "crank", words)
    helper = Helper(words, "most-parts")
    for guess, pattern, left in zip(game.guesses, game.patterns, game.remaining, strict=True):
        assert helper.guess == guess
        helper = helper.enter(guess, pattern)
        assert len(helper.remaining) == left
    assert helper.solved and helper.guess == ""


def test_the_helpers_reasons(words):
    helper = Helper(words).enter("trace", "Y.Y..")
    left = helper.remaining
    assert left == tuple(w for w in words.answers if obvious_pattern("trace", w) == "Y.Y..")
    reasons = helper.why(["crane", left[0]])
    for guess, row in reasons.iterrows():
        parts = Counter(obvious_pattern(guess, word) for word in left)
        assert row["words_left"] == pytest.approx(sum(n * n for n in parts.values()) / len(left))
        assert row["win_now"] == pytest.approx((guess in left) / len(left))
        assert (row["parts"], row["worst"]) == (len(parts), max(parts.values()))
    assert helper.suggest(3).index[0] == helper.guess
    assert len(helper.suggest(3)) == 3


def test_undo(words):
    helper = Helper(words).enter("crane", "..Y.G")
    assert helper.entries == (("crane", parse_pattern("..Y.G")),)
    assert helper.undo().entries == () and helper.undo().remaining == words.answers
    with pytest.raises(ValueError, match="nothing to undo"):
        helper.undo().undo()


def test_contradictory_feedback_names_the_entries(words):
    helper = Helper(words).enter("crane", "....G").enter("moist", ".....")
    with pytest.raises(ValueError, match=r"entry 3 \(crank GGGGG\).*no word|entry 3 \(crank"):
        helper.enter("crank", "GGGGG")
    with pytest.raises(ValueError, match=r"without entry 1 \(crane \.\.\.\.G\)"):
        Helper(words).enter("crane", "....G").enter("abide", ".....")
    with pytest.raises(ValueError, match="no candidate gives that pattern at all"):
        Helper(words).enter("xylyl", "GGGGG")


def test_the_helper_shows_as_html(words):
    html = Helper(words).enter("crane", "..Y.G")._repr_html_()
    assert "⬛⬛🟨⬛🟩" in html and "words left on average" in html
    assert f"Next guess: <b>{Helper(words).enter('crane', '..Y.G').guess}</b>" in html
    assert html.count("<thead>") == html.count("<tbody>") == 1


# --------------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    "call, says",
    [
        (lambda w: play("entropi", "crank", w), "did you mean 'entropy'"),
        (lambda w: play("letterscore", "crank", w), "did you mean 'letter-score'"),
        (lambda w: tournament(["minmax"], w), "did you mean 'minimax'"),
        (lambda w: tournament([], w), "no strategies"),
        (lambda w: tournament(["entropy", "entropy"], w), "given twice"),
        (lambda w: play("entropy", "xxxxx", w), "'xxxxx' is not an allowed word"),
        (lambda w: play("entropy", "cran", w), "has 4 letters"),
        (lambda w: play("entropy", "aahed", w), "not among the 2,315 candidates"),
        (lambda w: tournament("entropy", w, ["aahed"]), "candidates=words.allowed"),
        (lambda w: tournament("entropy", w, []), "no answers"),
        (lambda w: tournament("entropy", w, candidates=[]), "no candidates"),
        (lambda w: tournament("entropy", w, candidates=["aahed"]), "possible answer"),
        (lambda w: play("entropy", "crank", w, ["crank", "qqqqq"]), "'qqqqq' is not an allowed"),
        (lambda w: play("letter-score", "crank", w, weights={"crank": 1}), "takes no weights"),
        (lambda w: play("entropy", "crank", w, weights={"crank": -1}), "weights are numbers"),
        (lambda w: play("entropy", "crank", w, weights={"crank": 0}), "all weights are zero"),
        (lambda w: Helper(w).enter("xxxxx", "....."), "not an allowed word"),
        (lambda w: Helper(w).enter("crane", "...."), "4 cells"),
        (lambda w: Helper(w).enter("crane", "GGGGY"), "is impossible"),
        (lambda w: Helper(w).enter("crane", 243), "0 to 242"),
        (lambda w: Helper(w, "entropie"), "did you mean 'entropy'"),
        (lambda w: Partition("size"), "expected-size"),
        (lambda w: LetterScore(few=-1), "few = -1"),
        (lambda w: LetterScore(cover=True, placed=True), "cover counts words"),
        (lambda w: LetterScore(unknown_only=True), "set cover too"),
    ],
)
def test_bad_input(call, says, words):
    with pytest.raises(ValueError, match=says):
        call(words)


def test_wrong_types(words):
    with pytest.raises(TypeError, match="a strategy is a name"):
        find_strategy(3)
    with pytest.raises(TypeError, match="candidates are a sequence"):
        play("entropy", "crank", words, candidates="crank")


def test_names_are_those_of_the_objects():
    for name, strategy in STRATEGIES.items():
        assert strategy.name == name and find_strategy(name) is strategy
    assert LetterScore(late_answers=True, few=7).name == "letter-score-late-answers-7"
