"""The likelihood over grids: against enumeration in plain Python, and in simulation."""

import itertools
import json
import math
import warnings
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wordgames import Share, load_words
from wordgames.grids import likelihood as module
from wordgames.grids.evaluation import calibration_table
from wordgames.grids.learning import fit_guess_model
from wordgames.grids.likelihood import deciding_patterns, pattern_weights, posterior
from wordgames.grids.model import GuessModel, frequency_weights, word_ranks
from wordgames.grids.players import (
    grids_until_named,
    simulate_grids,
    simulate_players,
)
from wordgames.patterns import format_pattern, parse_pattern, score
from wordgames.words import WordList

TINY = WordList(
    answers=("crane", "lemon", "melon", "trace"),
    allowed=("caret", "caret"[::-1], "crane", "eerie", "lemon", "melon", "nerve", "trace"),
    name="tiny",
)
TINY = WordList(TINY.answers, tuple(sorted(TINY.allowed)), "tiny")
SOLVED = "GGGGG"


# --- an obvious evaluator: every guess, in plain Python -------------------------------------------


def plain_weights(words, temper, answers_factor):
    ranks = dict(zip(words.allowed, word_ranks(words).tolist(), strict=True))
    raw = {
        word: (100 + ranks[word]) ** -temper * (answers_factor if word in words.answers else 1)
        for word in words.allowed
    }
    whole = sum(raw.values())
    return {word: weight / whole for word, weight in raw.items()}


def plain_later(words, model):
    only_answers = {
        temper: {w: f for w, f in plain_weights(words, temper, 1).items() if w in words.answers}
        for temper in (0.0, 0.5)
    }
    parts = [plain_weights(words, 0.0, 1), only_answers[0.0]]
    parts += [plain_weights(words, 0.5, 1), only_answers[0.5]]
    mixed = Counter()
    for share, part in zip(model.later_mix, parts, strict=True):
        whole = sum(part.values())
        for word, weight in part.items():
            mixed[word] += share * weight / whole
    return mixed


def plain_openers(words, model):
    prior = dict(model.opener_prior) or plain_weights(words, 0.5, 10)
    whole = sum(prior.values())
    weights = Counter({word: model.strength * w / whole for word, w in prior.items()})
    weights.update(dict(model.opener_counts))
    return {word: weight / sum(weights.values()) for word, weight in weights.items()}


def given_up(known_greens, most_hits, row):
    greens = sum(row[place] != "G" for place in known_greens)
    return greens, max(0, most_hits - sum(cell != "." for cell in row))


def plain_grid(rows, hard, answer, openers, later, model, careless):
    """Probability of a grid of this puzzle, by summing over all guesses.

    Without openers: of the later rows alone.
    """
    rows = [row for row in rows if row != SOLVED]
    parts = {"careful": 1.0, "careless": 1.0}
    greens, hits = set(), 0
    for turn, row in enumerate(rows):
        weights = later if turn or openers is None else openers
        by_pattern = Counter()
        for guess, weight in weights.items():
            if guess != answer:
                by_pattern[format_pattern(score(guess, answer))] += weight
        factors = {
            pattern: math.prod(
                (0.0 if hard else base) ** lost
                for base, lost in zip(
                    (model.lose_green, model.lose_hit),
                    given_up(greens, hits, pattern),
                    strict=True,
                )
            )
            for pattern in by_pattern
        }
        plain = by_pattern[row] / sum(by_pattern.values())
        if not turn and openers is None:
            plain = 1.0
        kept = sum(by_pattern[pattern] * factors[pattern] for pattern in by_pattern)
        careful = by_pattern[row] * factors.get(row, 0) / kept if kept else 0.0
        parts["careful"] *= careful if turn else plain
        parts["careless"] *= careful if turn and hard else plain
        greens |= {place for place, cell in enumerate(row) if cell == "G"}
        hits = max(hits, sum(cell != "." for cell in row))
    return (1 - careless) * parts["careful"] + careless * parts["careless"]


def plain_posterior(grids, words, candidates, model, original=None):
    """Sum over what the group may be: (share of own openers, Polya's urn or not), and its care."""
    small = module.SMALL_GROUP
    groups = [((0.0, False), 1 - small), ((0.0, True), small)]
    if model.knows_openers:
        groups = [(kind, chance * (1 - model.own_group)) for kind, chance in groups]
        groups.append(((1 - module.STRANGERS, False), model.own_group))
    own, strangers = plain_openers(words, model), plain_weights(words, 0.5, 10)
    later = plain_later(words, model)
    list_rate = model.original_list if original else 0
    grids = [(tuple(row for row in rows if row != SOLVED), hard) for rows, hard in grids]
    grids.sort(key=lambda grid: ([parse_pattern(row) for row in grid[0]], grid[1]))
    total = Counter()
    for ((share, urn), chance), (careless, other) in itertools.product(
        groups, ((model.careless, 1 - module.HEEDLESS_GROUP), (1.0, module.HEEDLESS_GROUP))
    ):
        logs = dict.fromkeys(candidates, math.log(chance * other))
        seen = []
        for rows, hard in grids:
            chances = {}
            for word in {*candidates, original or candidates[0]}:
                by_own, by_others, rest = (
                    plain_grid(played, hard, word, weights, later, model, careless)
                    for played, weights in ((rows, own), (rows, strangers), (rows, None))
                )
                if urn and rows:
                    few = module.FEW_OPENERS
                    by_others = few * by_others + seen.count(rows[0]) * rest
                    by_others /= few + len(seen)
                chances[word] = share * by_own + (1 - share) * by_others
            mean = sum(chances[word] for word in candidates) / len(candidates)
            for word in candidates:
                mixed = (1 - model.other_puzzle - model.joke - list_rate) * chances[word]
                mixed += model.other_puzzle * mean + model.joke * 243.0 ** -len(rows)
                mixed += list_rate * chances[original] if original else 0
                logs[word] += math.log(mixed)
            seen += rows[:1]
        for word in candidates:
            total[word] += math.exp(logs[word])
    whole = sum(total.values())
    return {word: mass / whole for word, mass in total.items()}


GRIDS = [
    ((".Y..G", ".YYGG", SOLVED), False),
    (("Y...Y", ".....", "..GGG"), False),
    (("..G.G", "..G.G", SOLVED), True),
    ((".Y..G", SOLVED), False),
    ((SOLVED,), False),
    (("GGGGY", "YYYYY"), False),
]
MODELS = {
    "by frequency": GuessModel.of(TINY),
    "known openers": GuessModel.of(
        TINY, {"eerie": 3, "caret": 1}, careless=0.4, lose_hit=0.5, own_group=0.7
    ),
    "learnt": fit_guess_model([["Y..GG", SOLVED], ["..G.G"]], ["crane", "trace"], TINY),
}


def as_shares(grids, puzzle=7):
    return [Share(puzzle, "X", hard, rows) for rows, hard in grids]


@pytest.mark.parametrize("original", [None, "lemon", "eerie"])
@pytest.mark.parametrize("name", MODELS)
def test_the_posterior_is_that_of_enumeration(name, original):
    candidates = ("crane", "lemon", "melon", "nerve", "ocean", "trace")  # ocean is not allowed
    order = {7: original} if original else None
    for grids in (GRIDS[:1], GRIDS[:2], GRIDS):
        ours = posterior(as_shares(grids), TINY, candidates, MODELS[name], original_order=order)
        theirs = plain_posterior(grids, TINY, candidates, MODELS[name], original)
        assert ours.sum() == pytest.approx(1)
        assert ours.to_dict() == pytest.approx(theirs, rel=1e-4, abs=1e-9)
        assert list(ours) == sorted(ours, reverse=True)


def test_pattern_weights_are_sums_over_guesses():
    weights = np.array([frequency_weights(TINY), np.arange(8.0), np.ones(8)])
    table = pattern_weights(TINY, ("ocean", "trace"), weights)
    assert table.shape == (3, 243, 2)
    for place, answer in enumerate(("ocean", "trace")):
        wanted = np.zeros((3, 243))
        for guess, column in zip(TINY.allowed, weights.T, strict=True):
            wanted[:, score(guess, answer)] += column
        assert table[:, :, place] == pytest.approx(wanted, rel=1e-6)


@settings(max_examples=25, deadline=None)
@given(st.permutations(range(len(GRIDS))))
def test_the_order_of_grids_does_not_matter(order):
    wanted = posterior(as_shares(GRIDS), TINY, model=MODELS["learnt"])
    again = posterior([as_shares(GRIDS)[place] for place in order], TINY, model=MODELS["learnt"])
    assert again.equals(wanted)


def test_the_solved_row_tells_nothing_and_ties_go_by_the_alphabet():
    found = posterior([[SOLVED], [SOLVED]], TINY)
    assert list(found.index) == list(TINY.answers)
    assert found.to_list() == pytest.approx([0.25] * 4)
    short, long = ["Y...Y"], ["Y...Y", SOLVED]
    assert posterior([short], TINY).equals(posterior([long], TINY))


def test_rows_may_be_text_squares_or_codes_and_grids_shares_or_lists():
    text = ["Y..GG", "..G.G"]
    squares = [row.replace(".", "⬛").replace("Y", "🟨").replace("G", "🟩") for row in text]
    wanted = posterior([text], TINY)
    assert posterior([squares], TINY).equals(wanted)
    assert posterior([[parse_pattern(row) for row in text]], TINY).equals(wanted)
    assert posterior(["|".join(text)], TINY).equals(wanted)
    assert posterior([Share(1, "X", False, tuple(text))], TINY).equals(wanted)


def test_a_wrong_grid_does_not_remove_the_answer():
    words = load_words()
    grids = simulate_grids(["crimp"], 40, words, seed=3)["crimp"]
    wrong = simulate_grids(["banal"], 4, words, seed=3)["banal"]
    codes = {parse_pattern(row) for grid in wrong for row in grid}
    possible = {score(guess, "crimp") for guess in words.allowed}
    assert codes - possible, "the wrong grids must contradict the answer, or this shows nothing"
    assert posterior(grids, words).index[0] == "crimp"
    assert posterior(grids[:36] + wrong, words)["crimp"] > 0.99


def test_a_grid_of_the_original_list_counts_less_when_its_order_is_given():
    words = load_words()
    old = simulate_grids(["caulk"], 20, words, seed=1)["caulk"]
    new = simulate_grids(["aroma"], 20, words, seed=1)["aroma"]
    shares = [Share(242, "X", False, tuple(grid)) for grid in old + new]
    model = GuessModel.of(words)
    # Half the grids are of the old list's answer, but only the new one explains all of them.
    told = posterior(shares, words, model=model, original_order={242: "caulk"})
    assert told.index[0] == "aroma"
    assert posterior(shares, words, model=model).index[0] == "caulk"
    beyond = posterior(shares, words, model=model, original_order=["cigar"])
    assert beyond.equals(posterior(shares, words, model=model))


def test_hard_mode_rules_out_what_gives_a_green_up():
    words = load_words()
    rows = ("G....", ".....")  # the second row gives up a green
    easy = posterior([Share(1, "X", False, rows)], words)
    hard = posterior([Share(1, "X", True, rows)], words)
    # In hard mode no game can look like this, so the grid is noise and says nothing.
    assert hard.to_list() == pytest.approx([1 / len(words.answers)] * len(words.answers))
    assert easy.max() > 2 / len(words.answers)


# --- learning -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def group():
    """A group of four openers, its past grids and what was learnt from them."""
    words = load_words()
    model = GuessModel.of(
        words, {"raise": 4, "toner": 3, "mulch": 2, "adieu": 1}, careless=0.05, strength=1
    )
    puzzles = [words.answers[place] for place in np.random.default_rng(2).permutation(2315)]
    past = simulate_grids(puzzles[:150], 3, words, model, seed=4)
    pairs = [(grid, answer) for answer, grids in past.items() for grid in grids]
    learnt = fit_guess_model(*zip(*pairs, strict=True), words)
    return words, model, puzzles, pairs, learnt


def test_learning_finds_the_openers_of_a_group_and_never_gets_worse(group):
    _, _, _, pairs, learnt = group
    found = learnt.openers(4)
    assert set(found.index) == {"raise", "toner", "mulch", "adieu"}
    shares = found / len(pairs)
    assert shares.to_dict() == pytest.approx(
        {"raise": 0.4, "toner": 0.3, "mulch": 0.2, "adieu": 0.1}, abs=0.08
    )
    assert np.diff(learnt.objective).min() >= -1e-6
    assert learnt.objective[-1] > learnt.objective[0] + 100
    assert learnt.careless < 0.15


@settings(max_examples=15, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(TINY.answers), st.integers(0, 10**6), st.booleans()),
        min_size=1,
        max_size=12,
    ),
    st.floats(0.5, 200),
)
def test_the_density_never_falls_on_any_grids(cases, strength):
    answers = [answer for answer, _, _ in cases]
    grids = []
    for answer, seed, hard in cases:
        rows = simulate_players([answer], 1, TINY, careless=0.5, seed=seed)[answer][0]
        grids.append(Share(1, "X", hard, tuple(rows)))
    learnt = fit_guess_model(grids, answers, TINY, strength=strength)
    scale = abs(learnt.objective[0]) + 1
    assert np.diff(learnt.objective).min(initial=0) >= -1e-9 * scale
    assert learnt.opener_weights(TINY).sum() == pytest.approx(1)


def test_the_first_density_is_that_of_enumeration():
    grids = [(".Y..G", ".YYGG", SOLVED), ("..G.G", "Y....")]
    answers = ["trace", "crane"]
    model = GuessModel.of(TINY)
    openers, later = plain_openers(TINY, model), plain_later(TINY, model)
    wanted = 0.0
    for rows, answer in zip(grids, answers, strict=True):
        chances = {
            word: plain_grid(rows, False, word, openers, later, model, model.careless)
            for word in TINY.answers
        }
        mixed = (1 - model.other_puzzle - model.joke) * chances[answer]
        mixed += model.other_puzzle * sum(chances.values()) / len(chances)
        mixed += model.joke * 243.0 ** -sum(row != SOLVED for row in rows)
        wanted += math.log(mixed)
    means = (model.lose_green, model.lose_hit, model.careless)
    prior = sum(m * math.log(m) + (1 - m) * math.log(1 - m) for m in means)
    prior += sum(share * math.log(share) for share in model.later_mix)
    prior += sum(weight * math.log(weight) for weight in openers.values())
    learnt = fit_guess_model(grids, answers, TINY, most_steps=1)
    assert learnt.objective[0] == pytest.approx(wanted + model.strength * prior, rel=1e-5)


def test_what_was_learnt_names_more_and_does_little_harm_to_another_group(group):
    words, model, puzzles, _, learnt = group
    judged = puzzles[150:330]
    other = GuessModel.of(
        words, {"slate": 3, "irate": 2, "soare": 2, "house": 2, "audio": 1}, strength=1
    )
    for players, at_least in ((model, 0.1), (other, None)):
        grids = simulate_grids(judged, 3, words, players, seed=5)
        right = {
            use: np.array(
                [posterior(grids[a], words, model=used).index[0] == a for a in sorted(judged)],
                float,
            )
            for use, used in (("learnt", learnt), ("frequency", None))
        }
        gain = right["learnt"] - right["frequency"]
        error = gain.std(ddof=1) / math.sqrt(len(gain))
        if at_least is not None:
            assert gain.mean() - 2 * error > at_least
        else:
            assert gain.mean() >= -2 * error


def test_a_model_goes_through_a_file_unchanged(group, tmp_path):
    words, _, _, _, learnt = group
    path = tmp_path / "model.json"
    learnt.to_file(path)
    assert path.stat().st_size < 20_000
    assert "wordle-2021" in path.read_text()
    again = GuessModel.from_file(path, words)
    assert again == learnt
    assert again.objective == learnt.objective
    grids = [["YG..G", "GGGGG"]]
    assert posterior(grids, words, model=again).equals(posterior(grids, words, model=learnt))
    prior = GuessModel.of(TINY, {"eerie": 2.5}, careless=0.25)
    prior.to_file(path)
    assert GuessModel.from_file(path) == prior


def test_a_model_can_be_learnt_on_from(group):
    words, _, _, pairs, learnt = group
    grids, answers = zip(*pairs[:6], strict=True)
    more = fit_guess_model(grids, answers, words, prior=learnt, strength=50)
    assert more.prior_weights(words) == pytest.approx(learnt.opener_weights(words))
    assert more.opener_weights(words).argmax() == words.allowed.index("raise")


# --- simulation -----------------------------------------------------------------------------------


def test_what_is_stated_is_right_as_often_as_stated():
    words = load_words()
    answers = words.answers[::6]
    grids = simulate_grids(answers, 6, words, seed=8)
    stated, right = [], []
    for answer in answers:
        for size in (2, 4, 6):
            found = posterior(grids[answer][:size], words)
            stated.append(found.iloc[0])
            right.append(found.index[0] == answer)
    table = calibration_table(stated, right, bins=5)
    assert (table["cases"] > 50).all()
    # 4 standard errors over five bins; the model's caution about noise and strangers leaves 0.05.
    assert (abs(table["stated"] - table["right"]) < 4 * table["error"] + 0.05).all()
    assert abs(np.mean(stated) - np.mean(right)) < 0.05


def test_simulated_grids_follow_the_model():
    model = GuessModel.of(TINY, {"eerie": 1, "caret": 3}, careless=0.0)
    grids = simulate_grids(["trace"], 3000, TINY, model, seed=1)["trace"]
    first = Counter(grid[0] for grid in grids)
    weights = plain_openers(TINY, model)
    wanted = Counter()
    for guess, weight in weights.items():
        wanted[format_pattern(score(guess, "trace"))] += weight
    for pattern, share in wanted.items():
        assert first[pattern] / 3000 == pytest.approx(share, abs=0.04)
    assert set(first) <= set(wanted)
    assert all(len(grid) == 6 or grid[-1] == SOLVED for grid in grids)
    assert all(SOLVED not in grid[:-1] for grid in grids)
    # A careful player gives up a known green rarely.
    pairs = [(a, b) for grid in grids for a, b in itertools.pairwise(grid)]
    lost = [sum(x == "G" != y for x, y in zip(a, b, strict=True)) for a, b in pairs]
    assert np.mean(np.array(lost) > 0) < 0.2
    assert simulate_grids(["crane", "trace"], 5, TINY, model, seed=1)["trace"] == grids[:5]


def test_simulated_players_guess_what_could_be_the_answer():
    grids = simulate_players(["crane"], 40, TINY, seed=2)["crane"]
    for grid in grids:
        # Some sequence of allowed words gives the rows, each word fit for all rows before it.
        states = [()]
        for row in grid:
            states = [
                (*past, guess)
                for past in states
                for guess in TINY.allowed
                if format_pattern(score(guess, "crane")) == row
                and all(
                    format_pattern(score(before, guess)) == seen
                    for before, seen in zip(past, grid, strict=False)
                )
            ]
        assert states
        assert grid[-1] == SOLVED
    with pytest.raises(ValueError, match="later"):
        simulate_players(["crane"], 1, TINY, later=-np.ones(len(TINY.allowed)))


def test_grids_until_named_is_the_posterior_after_each_grid():
    words = load_words()
    candidates = words.answers[::23]
    model = GuessModel.of(words, {"crane": 2, "slate": 1}, strength=3)
    for used in (GuessModel.of(words), model):
        found = grids_until_named(
            words, candidates[:6], candidates=candidates, model=used, most=12, seed=9
        )
        grids = simulate_grids(candidates[:6], 12, words, used, seed=9)
        for answer, named, rival in found.itertuples(index=False):
            first, last_rival = math.inf, ""
            for count in range(1, 13):
                stated = posterior(grids[answer][:count], words, candidates, used)
                others = stated.drop(answer)
                if stated[answer] > others.max() * (1 + 1e-9):
                    first = min(first, count)
                else:
                    first, last_rival = math.inf, others.index[0]
            assert named == first
            assert rival == last_rival


def test_deciding_patterns_against_plain_counts():
    table = deciding_patterns("lemon", "melon", TINY)
    weights = plain_weights(TINY, 0.5, 10)
    for word in ("lemon", "melon"):
        wanted = Counter()
        for guess, weight in weights.items():
            if guess != word:
                wanted[format_pattern(score(guess, word))] += weight / (1 - weights[word])
        ours = dict(zip(table["pattern"], table[word], strict=True))
        assert {p: w for p, w in ours.items() if w} == pytest.approx(dict(wanted), rel=1e-5)
    assert table["information"].is_monotonic_decreasing
    assert 0 < table["information"].sum() <= 1


def test_other_lengths_and_alphabets():
    words = WordList(("äpfel", "öfens"), ("abend", "äpfel", "öfens"), "german")
    assert posterior([["....."]], words).index[0] in words.answers
    six = WordList(("planet", "silver"), ("planer", "planet", "silver", "sliver"), "six")
    found = posterior([["GGGGG.", "GGGGGG"]], six)
    assert found.index[0] == "planet"


def test_shares_of_several_puzzles_are_taken_with_a_warning():
    mixed = as_shares(GRIDS[:1], 7) + as_shares(GRIDS[1:2], 8)
    with pytest.warns(UserWarning, match="2 puzzles, 7 to 8"):
        found = posterior(mixed, TINY)
    assert found.equals(posterior(as_shares(GRIDS[:2]), TINY))


# --- bad input ------------------------------------------------------------------------------------

ONE = [["Y...Y"]]


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: posterior([], TINY), "there are no grids"),
        (lambda: posterior([[]], TINY), "grid 1 has no rows"),
        (lambda: posterior([["Y...Y"], ["Y...YY"]], TINY), "grid 2: .*6 cells"),
        (lambda: posterior([["Y...Y", "Y.?.Y"]], TINY), "grid 1: .*no cell"),
        (lambda: posterior([[243]], TINY), "grid 1: pattern code 243"),
        (lambda: posterior([[SOLVED, "....."]], TINY), "goes on after"),
        (lambda: posterior(ONE, TINY, ["crane", "planet"]), "candidate 'planet'"),
        (lambda: posterior(ONE, TINY, []), "no candidates"),
        (lambda: posterior(ONE, TINY, model=GuessModel.of(load_words())), "wordle-2021"),
        (lambda: posterior(ONE, TINY, original_order=["crane"]), "Share"),
        (lambda: GuessModel.of(TINY, {"zzzzz": 1}), "'zzzzz' is not an allowed word of tiny"),
        (lambda: GuessModel.of(TINY, {"crane": -1}), "weight of 'crane' is -1"),
        (lambda: GuessModel.of(TINY, {"crane": 0}), "no word has a weight"),
        (lambda: GuessModel.of(TINY, careless=1.5), "careless = 1.5"),
        (lambda: GuessModel.of(TINY, other_puzzle=0.9, joke=0.2), "add up to 1 or more"),
        (lambda: GuessModel.of(TINY, later_mix=(1.0,)), "later_mix"),
        (lambda: GuessModel.of(TINY, strength=0.0), "strength"),
        (lambda: fit_guess_model([], [], TINY), "there are no grids"),
        (lambda: fit_guess_model(ONE, [], TINY), "1 grids and 0 answers"),
        (lambda: fit_guess_model(ONE, ["planet"], TINY), "candidate 'planet'"),
        (lambda: fit_guess_model(ONE, ["crane"], TINY, {"zzzzz": 1}), "'zzzzz'"),
        (lambda: fit_guess_model(ONE, ["crane"], TINY, {"crane": -2}), "weight of 'crane'"),
        (
            lambda: fit_guess_model(ONE, ["crane"], TINY, GuessModel.of(load_words())),
            "word list wordle-2021",
        ),
        (lambda: grids_until_named(TINY, ["ocean"]), "'ocean' is not among"),
        (lambda: deciding_patterns("crane", "CRANE", TINY), "twice"),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_texts_in_place_of_sequences_are_refused():
    with pytest.raises(TypeError, match="grids are a sequence"):
        posterior("YG..G", TINY)
    with pytest.raises(TypeError, match="grids are a sequence"):
        posterior(Share(1, "2", False, (".....", "GGGGG")), TINY)
    with pytest.raises(TypeError, match="candidates are a sequence"):
        posterior(ONE, TINY, "crane")
    with pytest.raises(TypeError, match="model is a GuessModel"):
        posterior(ONE, TINY, model="model.json")


def test_without_noise_an_impossible_row_is_an_error():
    strict = GuessModel.of(TINY, other_puzzle=0.0, joke=0.0, original_list=0.0)
    with pytest.raises(ValueError, match="no candidate can give"):
        posterior([["GGGGY"]], TINY, model=strict)


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"format": "other"}', '{"format": 3'])
def test_a_file_that_is_no_model_is_refused(tmp_path, text):
    path = tmp_path / "model.json"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"model\.json is no guess model"):
        GuessModel.from_file(path)
    with pytest.raises(FileNotFoundError, match="no guess model"):
        GuessModel.from_file(tmp_path / "none.json")


def test_a_model_file_of_another_list_is_refused(tmp_path):
    path = tmp_path / "model.json"
    GuessModel.of(TINY).to_file(path)
    with pytest.raises(ValueError, match="made for the word list tiny"):
        GuessModel.from_file(path, load_words())


def test_rows_that_may_be_one_grid_are_pointed_out():
    with pytest.warns(UserWarning, match=r"2 grids of one row each.*\[\['\.\.Y\.\.', 'GGGGG'\]\]"):
        apart = posterior(["..Y..", "GGGGG"], TINY)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert apart.equals(posterior([["..Y.."], ["GGGGG"]], TINY))
        posterior([["..Y..", "GGGGG"]], TINY)
        posterior(["..Y..|GGGGG", "....."], TINY)


def test_an_altered_model_is_refused_and_an_old_one_read(tmp_path):
    path = tmp_path / "model.json"
    model = GuessModel.of(TINY)
    model.to_file(path)
    entries = json.loads(path.read_text())
    checksum = entries.pop("file checksum")
    path.write_text(json.dumps(entries))
    assert GuessModel.from_file(path) == model
    entries["power"] = 0.123
    path.write_text(json.dumps({**entries, "file checksum": checksum}))
    with pytest.raises(ValueError, match="it was altered"):
        GuessModel.from_file(path)
