"""Semantle: scores by exact arithmetic, solvers against the plainest evaluator there is."""

import re
import subprocess
import sys
from decimal import ROUND_HALF_UP, Decimal, localcontext

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wordgames import Semantle, load_embedding, solve_semantle
from wordgames.boards.widgets import SemantleBoard
from wordgames.semantle.experiments import (
    play_games,
    popular_words,
    summary,
)
from wordgames.semantle.game import (
    HALF_STEP,
    SLACK,
    UnreliableSemantle,
    find_word,
    fitting_places,
    fitting_words,
    near_misses,
    same_word,
    shown_score,
    spellings,
)
from wordgames.semantle.solver import Solver, best_opener, count_buckets
from wordgames.semantle.solvers import METHODS, SemantleGame, Soft, _explain
from wordgames.vectors.embedding import Embedding
from wordgames.vectors.vocabulary import Words

# half-spaces takes seconds a game over all words: its tests are in test_other_vectors.
SOLVERS = [method for method in METHODS if method not in ("climb", "half-spaces")]


@pytest.fixture(scope="module")
def glove():
    return load_embedding()


@pytest.fixture(scope="module")
def popular(glove):
    return popular_words(glove)


def small(words, vectors, name="small") -> Embedding:
    return Embedding(name, Words.of(list(words)), np.asarray(vectors, np.float32))


@pytest.fixture
def corner():
    """Words of the plane whose scores are easy to know: sides 3, 4 and 5."""
    return small(
        ["east", "slope", "north", "west", "far_east", "color", "Paris"],
        [[1, 0], [3, 4], [0, 1], [-2, 0], [5, 0], [4, 3], [-3, 4]],
    )


# --- the game ---


def test_scores_of_a_triangle(corner):
    game = Semantle(corner, "slope")
    got = [game.guess(word) for word in ("east", "north", "west", "color", "Paris")]
    assert got == [60, 80, -60, 96, 28]
    assert game.guesses == ["east", "north", "west", "color", "Paris"] and game.scores == got
    assert not game.solved
    assert game.guess("slope") == 100 and game.solved


@pytest.mark.parametrize(
    "typed, word",
    [
        ("far east", "far_east"),
        (" EAST ", "east"),
        ("Far  East", "far_east"),
        ("colour", "color"),
        ("Colour", "color"),
        ("paris", "Paris"),
    ],
)
def test_other_spellings_are_tried(corner, typed, word):
    game = Semantle(corner, "slope")
    game.guess(typed)
    assert game.guesses == [word]
    game.guess(word)
    assert game.guesses == [word]  # the same word again counts once


@pytest.mark.parametrize(
    "british, american",
    [
        ("neighbours", "neighbors"),
        ("organisation", "organization"),
        ("analyse", "analyze"),
        ("theatre", "theater"),
        ("dialogue", "dialog"),
        ("defence", "defense"),
        ("travelling", "traveling"),
        ("fulfilment", "fulfillment"),
        ("encyclopaedia", "encyclopedia"),
        ("grey", "gray"),
    ],
)
def test_american_spelling(british, american):
    assert american in spellings(british)
    assert next(spellings(british)) == british


def test_a_word_out_of_vocabulary_gets_near_spellings(corner, glove):
    with pytest.raises(KeyError, match="did you mean 'slope'"):
        Semantle(corner, "slop")
    game = Semantle(glove, "medical")
    with pytest.raises(KeyError, match="did you mean"):
        game.guess("philosofy")
    with pytest.raises(TypeError, match="a guess is a word"):
        game.guess(3)
    assert game.guesses == []


ODD = [". . .", "10\xa0000", "new york", "New_York", "cafe\u0301", "naïve", "a\u3000b"]


def test_every_word_of_a_vocabulary_is_found_as_it_is_spelt():
    rng = np.random.default_rng(4)
    odd = small(ODD, rng.normal(size=(len(ODD), 4)))
    for place, word in enumerate(ODD):
        game = Semantle(odd, word)
        assert game.guess(word) == 100 and game.solved and game.guesses == [word]
        assert game.find(word) == place
    for method in SOLVERS:
        for word in ODD:
            assert solve_semantle(Semantle(odd, word), method).answer == word


@pytest.mark.parametrize(
    "typed, word",
    [
        ("café", "cafe\u0301"),
        ("CAFÉ", "cafe\u0301"),
        ("nai\u0308ve", "naïve"),
        ("Nai\u0308ve", "naïve"),
        ("10 000", "10\xa0000"),
        ("new  york", "new york"),
        ("new york", "new york"),
        ("NEW YORK", "New_York"),
        ("a b", "a\u3000b"),
    ],
)
def test_accents_and_spaces_are_found_in_any_form(typed, word):
    odd = small(ODD, np.eye(len(ODD)))
    got = odd.index_to_key[find_word(odd, typed)]
    assert same_word(got, word), (typed, got)
    game = Semantle(odd, word)
    game.guess(typed)
    assert game.solved and game.guesses == [word]


def test_the_target_in_another_case_wins_even_where_both_are_words():
    both = small(["Nice", "nice", "niece"], [[1, 0], [3, 4], [0, 1]])
    for target, typed in (("nice", "Nice"), ("nice", " NICE "), ("Nice", "nice")):
        game = Semantle(both, target)
        assert game.guess(typed) == 100 and game.solved
        assert game.guesses == [target] and game.rank(typed) == 1000
    other = Semantle(both, "niece")
    assert (other.guess("Nice"), other.guess("nice")) == (0, 80), "two words where none is hidden"
    result = solve_semantle(Semantle(both, "nice"), "rounded", opener="Nice")
    assert result.answer == "nice" and result.guesses == ("nice",)
    assert summary([result], ["nice"])["failed"] == 0


def test_a_word_that_is_near_to_none_names_some_that_are_there():
    russian = small(["и", "в", "на", "слово"], np.eye(4))
    with pytest.raises(KeyError, match="'medical' is not a word of small: give one of its 4 words"):
        Semantle(russian, "medical")


def test_a_score_of_100_is_no_win_when_two_words_share_a_vector(corner):
    game = Semantle(corner, "far east")
    assert game.guess("east") == 100 and not game.solved
    assert game.guess("far_east") == 100 and game.solved


def test_ranks_and_the_nearest_words(glove):
    game = Semantle(glove, "frog")
    with pytest.raises(ValueError, match="after the target has been guessed"):
        game.nearest()
    unit = glove.rows / np.linalg.norm(glove.rows.astype(float), axis=1)[:, None]
    order = np.argsort(-(unit @ unit[glove.place("frog")]))
    assert game.rank("frog") == 1000
    for step in (1, 2, 500, 999):
        assert game.rank(glove.index_to_key[order[step]]) == 1000 - step
    assert game.rank(glove.index_to_key[order[1000]]) is None
    game.guess("frog")
    nearest = game.nearest(5)
    assert list(nearest["word"]) == [glove.index_to_key[place] for place in order[1:6]]
    assert list(nearest["score"]) == [round(100 * unit[p] @ unit[order[0]], 2) for p in order[1:6]]


@settings(deadline=None)
@given(st.floats(-1, 1))
def test_shown_scores_are_the_nearest_hundredth(cosine):
    exact, shown = Decimal(100 * cosine), Decimal(str(shown_score(cosine)))
    assert abs(exact - shown) <= Decimal("0.005")
    assert shown == round(shown, 2)


# --- the filter, by exact arithmetic ---


def exact_cosine(one: list[int], other: list[int]) -> Decimal:
    with localcontext() as context:
        context.prec = 50
        dot = sum(a * b for a, b in zip(one, other, strict=True))
        norms = sum(a * a for a in one) * sum(b * b for b in other)
        return Decimal(dot) / Decimal(norms).sqrt()


@pytest.mark.parametrize("bits", [16, 32])
def test_the_rounding_filter_against_exact_arithmetic(bits):
    rng = np.random.default_rng(bits)
    # Whole numbers of 8 bits are exact in bfloat16, so both kinds of row hold the very same.
    whole = rng.integers(-255, 256, size=(400, 30))
    whole[1], whole[2] = 2 * whole[0], whole[0]
    whole[2, 0] += 1
    rows = np.where(np.abs(whole) > 256, whole // 2 * 2, whole).astype(np.float32)
    numbers = [[int(value) for value in row] for row in rows]
    stored = rows
    if bits == 16:
        stored = (rows.view(np.uint32) >> 16).astype(np.uint16)
        rows = (stored.astype(np.uint32) << 16).view(np.float32)
        numbers = [[int(value) for value in row] for row in rows]
    embedding = Embedding("whole", Words.of([f"w{n}" for n in range(400)]), stored)
    single = rows / np.linalg.norm(rows, axis=1)[:, None]
    pairs = 0
    for guess in range(0, 400, 25):
        exact = [100 * exact_cosine(numbers[guess], row) for row in numbers]
        for target in range(guess % 7, 400, 7):
            shown = exact[target].quantize(Decimal("0.01"), ROUND_HALF_UP)
            for tolerance in (HALF_STEP, HALF_STEP + SLACK, 0.01, 1.0):
                want = [
                    place
                    for place, score in enumerate(exact)
                    if abs(score - shown) <= Decimal(tolerance)
                ]
                got = fitting_places(embedding, guess, float(shown), tolerance=tolerance)
                assert got.tolist() == want
            assert target in fitting_places(embedding, guess, float(shown))
            # Whoever computed the score may have done so in single precision.
            rough = round(100 * float(single[guess] @ single[target]), 2)
            assert target in fitting_places(embedding, guess, rough)
            pairs += 1
    assert pairs > 900


def test_fitting_among_some_places(glove):
    guess, score = glove.place("frog"), 12.34
    everywhere = fitting_places(glove, guess, score)
    some = np.arange(0, len(glove), 3)
    np.testing.assert_array_equal(
        fitting_places(glove, guess, score, some), everywhere[everywhere % 3 == 0]
    )
    assert len(everywhere) > 50


@pytest.mark.parametrize("method", ["rounded", "frequent"])
def test_scores_of_single_precision_never_lose_the_target(glove, method):
    part = glove.select(np.arange(1000))
    unit = part.rows / np.linalg.norm(part.rows, axis=1, keepdims=True)
    rows = part.rows.astype(float)
    exact = rows @ rows.T / np.outer(*2 * [np.linalg.norm(rows, axis=1)])
    coarse = np.round(100 * (unit @ unit.T).astype(float), 2)
    pairs = np.argwhere(coarse != np.round(100 * exact, 2))  # the last digit is another
    assert unit.dtype == np.float32 and len(pairs) > 10
    words = part.index_to_key
    for guess, target in pairs[:: len(pairs) // 10]:
        assert target in fitting_places(part, guess, coarse[guess, target])
        scores = dict(zip(words, coarse[target], strict=True))
        game = type("Game", (), {"guess": lambda _, word, scores=scores: scores[word]})()
        assert solve_semantle(game, method, part, opener=words[guess]).answer == words[target]


# --- solvers ---


class Sealed:
    """A game that has nothing but `guess` and `solved`."""

    def __init__(self, game, change=lambda score: score):
        self.guess = lambda word: change(game.guess(word))
        type(self).solved = property(lambda _: game.solved)


@pytest.mark.parametrize("method", SOLVERS)
def test_every_method_finds_the_target_from_guesses_alone(glove, popular, method):
    for number, target in enumerate(popular[5::1200]):
        game = Semantle(glove, target)
        result = solve_semantle(Sealed(game), method, glove, seed=number)
        assert result.answer == target and game.solved
        assert list(result.guesses) == game.guesses and list(result.scores) == game.scores
        assert len(result.remaining) == len(result.guesses) and result.remaining[-1] == 1
        assert not result.tied and not result.note


def test_a_game_that_shows_no_embedding_is_played_with_the_default_one(glove):
    class Outside:
        def __init__(self, target):
            self._game = Semantle(glove, target)

        def guess(self, word):
            return np.float64(self._game.guess(word))

    assert solve_semantle(Outside("medical")) == solve_semantle(Semantle(glove, "medical"))
    with pytest.raises(ValueError, match="no method 'sfot'"):
        solve_semantle(Outside("medical"), "sfot")


@pytest.mark.parametrize("method, tolerance", [("essay", 0.01), ("rounded", 0.0051)])
def test_what_remains_against_the_plainest_evaluator(glove, method, tolerance):
    part = glove.select(np.arange(0, 30_000, 3))
    unit = part.rows.astype(float) / np.linalg.norm(part.rows.astype(float), axis=1)[:, None]
    words = list(part.index_to_key)
    for seed in range(5):
        target = words[1000 + seed]
        result = solve_semantle(Semantle(part, target), method, seed=seed)
        left = set(words)
        for guess, score, remaining in zip(
            result.guesses, result.scores, result.remaining, strict=True
        ):
            assert guess in left
            own = 100 * unit @ unit[words.index(guess)]
            left &= {w for w, s in zip(words, own, strict=True) if abs(s - score) <= tolerance}
            assert target in left
            left -= {guess} - {target}
            assert remaining == len(left)


@pytest.mark.parametrize("method", SOLVERS)
def test_the_same_seed_plays_the_same_game_and_many_games_are_the_single_ones(
    glove, popular, method
):
    targets = popular[7::1700]
    games = play_games(glove, targets, method, seed=4)
    for number, (target, game) in enumerate(zip(targets, games, strict=True)):
        assert solve_semantle(Semantle(glove, target), method, seed=4 + number) == game
    if method in ("essay", "rounded"):
        assert play_games(glove, targets, method, seed=5) != games


def test_the_mean_guesses_that_this_project_promises(glove, popular):
    def mean(method, targets, **options):
        games = play_games(glove, targets, method, **options)
        assert [game.answer for game in games] == list(targets)
        return np.mean([len(game.guesses) for game in games])

    # Standard errors are about 0.02 for 200 games and 0.01 for 1,000.
    assert mean("essay", popular[::25]) == pytest.approx(2.92, abs=0.08)
    assert mean("rounded", popular[::25]) == pytest.approx(2.84, abs=0.08)
    assert mean("frequent", popular[::5]) == pytest.approx(2.42, abs=0.06)
    assert mean("soft", popular[::25]) < 2.42
    assert mean("soft", popular[::50], share=0.2, seed=1) < 3
    assert mean("order", popular[::250]) < 9.6


def test_among_the_popular_words_a_computed_opener_comes_near_the_floor(glove, popular):
    part = glove.select([glove.place(word) for word in popular])
    opener = best_opener(part, np.arange(5000), np.arange(5000))
    buckets = count_buckets(part, [opener], np.arange(5000))[0]
    games = play_games(part, popular[::10], "frequent", opener=part.index_to_key[opener])
    mean = np.mean([len(game.guesses) for game in games])
    assert abs(mean - (3 - buckets / 5000)) < 0.08
    assert mean < 2.36
    assert max(len(game.guesses) for game in games) <= 4


def test_buckets_are_the_different_scores(glove):
    answers = np.arange(500, 900)
    unit = glove.vectors(answers) / glove.norms[answers, None]
    counts = count_buckets(glove, [3, 77, 600], answers)
    for guess, count in zip([3, 77, 600], counts, strict=True):
        scores = unit @ (glove.vectors(guess) / glove.norms[guess])
        assert count == len({shown_score(score) for score in scores})
    assert best_opener(glove, np.array([3, 77, 600]), answers) == [3, 77, 600][counts.argmax()]


@settings(deadline=None, max_examples=30)
@given(st.sampled_from(["cube", "signs", "far"]), st.integers(0, 4999))
def test_order_uses_only_which_guess_is_warmer(change, target):
    changes = {
        "cube": lambda score: (score / 100) ** 3 * 100,
        "signs": lambda score: np.sign(score) * abs(score / 100) ** 0.5 * 100,
        "far": lambda score: score / 1000 - 50,
    }
    plain = Semantle(PART, PART.index_to_key[target])
    other = Semantle(PART, PART.index_to_key[target])
    ours = solve_semantle(plain, "order")
    assert ours.answer == PART.index_to_key[target]
    assert solve_semantle(Sealed(other, changes[change]), "order", PART).guesses == ours.guesses


PART = load_embedding(limit=5000)


def test_identical_vectors_come_back_as_a_set():
    rng = np.random.default_rng(3)
    vectors = rng.normal(size=(300, 20)).astype(np.float32)
    vectors[[40, 200]] = vectors[7], 2 * vectors[7]
    embedding = small([f"w{n}" for n in range(300)], vectors)
    for method in SOLVERS:
        for target in ("w7", "w40", "w200"):
            game = Semantle(embedding, target)
            result = solve_semantle(game, method, seed=1)
            assert result.answer == target and result.tied == {"w7", "w40", "w200"}
    without = type("Bare", (), {"guess": Semantle(embedding, "w40").guess})()
    result = solve_semantle(without, "rounded", embedding)
    assert result.answer in result.tied == {"w7", "w40", "w200"}


def test_a_game_that_was_won_before_can_be_played_again(glove):
    game = Semantle(glove, "frog")
    for method in SOLVERS:
        assert solve_semantle(game, method).answer == "frog" and game.solved


def test_gensim_stays_out_of_the_loop(tmp_path):
    (tmp_path / "v.txt").write_text("a 1 2\nb 2 1\nc -1 3\n")
    code = (
        "import sys; from wordgames import Semantle, load_embedding, solve_semantle\n"
        f"vectors = load_embedding({str(tmp_path / 'v.txt')!r}, cache={str(tmp_path)!r})\n"
        "assert solve_semantle(Semantle(vectors, 'b')).answer == 'b'\n"
        "assert 'gensim' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_when_no_word_fits_the_wrong_score_is_named(glove):
    class OneLie(Semantle):
        def guess(self, word):
            score = super().guess(word)
            return score + 7 if len(self.guesses) == 1 else score

    result = solve_semantle(OneLie(glove, "frog"), "frequent", opener="medical")
    assert result.answer is None and result.remaining[-1] == 0
    assert "no word fits all 2 scores, nor any two" in result.note
    guesses, scores = ["medical", "philosophy", "river"], []
    game = Semantle(glove, "frog")
    scores = [game.guess(word) for word in guesses]
    scores[1] += 3
    assert fitting_words(glove, guesses, scores) == []
    best = near_misses(glove, guesses, scores).iloc[0]
    assert (best["word"], best["fits"], best["suspect"]) == ("frog", 2, "philosophy")
    assert best["own"] == pytest.approx(scores[1] - 3)
    assert solve_semantle(OneLie(glove, "frog"), "soft").answer == "frog"

    note = _explain(glove, guesses, scores)
    assert "nearest miss is 'frog', which fits 2: the score of 'philosophy' looks wrong" in note


@pytest.mark.parametrize("method", SOLVERS)
def test_a_game_out_of_guesses_blames_no_score(glove, method):
    result = solve_semantle(Semantle(glove, "medical"), method, opener="the", most=1)
    assert result.answer is None and result.remaining[-1] > 0
    assert result.note == f"no answer in 1 guesses; words left: {result.remaining[-1]:,}"


def test_a_solver_of_your_own(glove):
    class LastThatFits(Solver):
        def __init__(self, embedding, rng, opener=None, *, tolerance=0.0051):
            super().__init__(embedding, rng, opener)
            self.left, self.tolerance = np.arange(len(embedding)), tolerance

        def choose(self):
            return int(self.left[-1]) if len(self.left) else None

        def learn(self, guess, score, cosines=None):
            left = fitting_places(self.embedding, guess, score, self.left, tolerance=self.tolerance)
            self.left = left[left != guess]
            return len(self.left)

    own, second = solve_semantle(Semantle(glove, "medical"), LastThatFits), glove.index_to_key[-1]
    assert (own.answer, own.guesses[0]) == ("medical", second)
    assert solve_semantle(Semantle(glove, "medical"), LastThatFits, tolerance=0.0051) == own
    assert play_games(glove, ["medical"], LastThatFits) == [own]
    with pytest.raises(TypeError, match="LastThatFits has no option 'wrong'"):
        solve_semantle(Semantle(glove, "medical"), LastThatFits, wrong=0.1)
    assert own.to_frame()["remaining"].tolist() == list(own.remaining)


def test_a_target_that_is_not_among_the_candidates(glove):
    part = glove.select(np.arange(5000))
    result = solve_semantle(Semantle(glove, "corythosaurus"), "rounded", part)
    assert result.answer is None and "no word fits" in result.note
    assert solve_semantle(Semantle(glove, "corythosaurus"), "soft", part, most=9).answer is None


@pytest.mark.parametrize("score", ["hot", None, float("nan"), 101, -100.5, float("inf")])
def test_scores_that_are_no_scores(glove, score):
    game = type("Bad", (), {"guess": lambda self, word: score, "solved": False})()
    with pytest.raises(ValueError, match="a number from -100 to 100"):
        solve_semantle(game, "soft", glove)
    with pytest.raises(ValueError, match="a number from -100 to 100"):
        fitting_words(glove, ["frog"], [score])


def test_wrong_arguments(glove):
    game = Semantle(glove, "frog")
    with pytest.raises(ValueError, match="no method 'hard': the methods are essay"):
        solve_semantle(game, "hard")
    for wrong in (0, 1, -0.5):
        with pytest.raises(ValueError, match="share of wrong scores"):
            solve_semantle(game, wrong=wrong)
    for most in (0, 2.5, True):
        with pytest.raises(ValueError, match=r"most = .*a number of guesses"):
            solve_semantle(game, most=most)
    with pytest.raises(TypeError, match="the method order has no option 'wrong'"):
        solve_semantle(game, "order", wrong=0.1)
    with pytest.raises(KeyError, match="not a word"):
        solve_semantle(game, opener="qqqqqqqq")
    with pytest.raises(ValueError, match="1 guesses but 0 scores"):
        fitting_words(glove, ["frog"], [])
    with pytest.raises(ValueError, match="every word fits"):
        near_misses(glove, [], [])
    assert fitting_words(glove, [], [])[:3] == ["the", ",", "."]


def test_a_game_with_wrong_scores_stays_honest_about_the_win(glove):
    game = UnreliableSemantle(glove, "frog", share=1.0, seed=1)
    honest = Semantle(glove, "frog")
    words = ["toad", "river", "medical", "law"]
    assert all(game.guess(word) != honest.guess(word) for word in words)
    assert [game.guess(word) for word in words] == game.scores
    game.guess("frog")
    assert game.solved
    share = UnreliableSemantle(glove, "frog", share=0.2, seed=2)
    wrong = sum(share.guess(word) != Semantle(glove, "frog").guess(word) for word in PART_WORDS)
    assert 0.1 < wrong / len(PART_WORDS) < 0.3


PART_WORDS = PART.index_to_key[:300]


def test_the_posterior_by_bayes_rule_word_by_word():
    rng = np.random.default_rng(5)
    embedding = small([f"w{n}" for n in range(200)], rng.normal(size=(200, 3)))
    game = Semantle(embedding, "w60")
    guesses = ["w3", "w9", "w27"]
    scores = [game.guess(word) for word in guesses]
    scores[1] = shown_score(embedding.similarity("w9", "w100"))
    wrong = 0.15
    chances = {}
    for rank, word in enumerate(embedding.index_to_key, 1):
        if word in guesses:
            continue
        chances[word] = 1 / (rank + 2.7)
        for guess, score in zip(guesses, scores, strict=True):
            own = [100 * embedding.similarity(guess, other) for other in embedding.index_to_key]
            around = sum(abs(value - score) <= 0.5 for value in own)
            at_random = (around + 1) / 201 / 100
            fits = abs(100 * embedding.similarity(guess, word) - score) <= HALF_STEP + SLACK
            chances[word] *= wrong * at_random + (1 - wrong) * fits
    total = sum(chances.values())
    solver = Soft(embedding, rng, wrong=wrong)
    for guess, score in zip(guesses, scores, strict=True):
        solver.learn(embedding.place(guess), score)
    assert embedding.index_to_key[solver.choose()] == max(chances, key=chances.get)
    posterior = np.exp(solver.log - solver.log.max(), dtype=np.float64)
    posterior /= posterior.sum()
    for word, chance in chances.items():
        assert posterior[embedding.place(word)] == pytest.approx(chance / total, rel=1e-4)
    assert not posterior[[embedding.place(word) for word in guesses]].any()


# --- what the notebooks measure ---


def test_summaries_of_games(glove):
    near = [glove.index_to_key[place] for place in glove.nearest("frog", 1100)]
    games = [
        SemantleGame((near[999], "frog"), (10.0, 100.0), (5, 1), "frog"),
        SemantleGame(("law", near[1001], "frog"), (-4.0, 20.0, 100.0), (5, 4, 1), "frog"),
        SemantleGame(("frog",), (100.0,), (1,), "frog"),
        SemantleGame(("law", "frog"), (-4.0, 50.0), (5, 0), None),
    ]
    targets = ["frog"] * 4
    assert summary(games, targets) == {
        "mean": 2,
        "standard_error": pytest.approx(np.sqrt(0.5) / 2),
        "worst": 3,
        "failed": 1,
        "games": 4,
    }


def test_popular_words(glove, popular):
    assert len(popular) == 5000 and popular[:3] == ["the", "and", "for"]
    assert all(re.fullmatch("[a-z]{3,}", word) for word in popular)
    places = [glove.place(word) for word in popular]
    assert places == sorted(places)
    assert len(popular_words(PART, 10**6)) < 5000


KINDS_OF_WORDS = {
    "russian": ["и", "слово", "Москва", "ёлка", "в", "дом", "1995", ".", "the"],
    "hindi": ["नमस्ते", "है", "में", ".", "भारत"],
    "capitals": ["PARIS", "NATO", "ROME", "EU", ".", "the"],
    "short": ["a", "to", "I", "of", ",", "in"],
    "signs": [".", ",", "10\xa0000", "?!", ". ."],
    "one": ["."],
}
TARGETS_OF = {
    "russian": ["слово", "ёлка", "дом", "the"],
    "hindi": ["नमस्ते", "में", "भारत"],
    "capitals": ["PARIS", "NATO", "ROME", "EU", "the"],
    "short": ["a", "to", "I", "of", "in"],
    "signs": [".", ",", "10\xa0000", "?!", ". ."],
    "one": ["."],
}


def vocabulary_of(kind: str, repeats: int = 1) -> Embedding:
    """An embedding of a kind of words; of more words, each with a number of points behind it."""
    words = [word + "·" * n for n in range(repeats) for word in KINDS_OF_WORDS[kind]]
    vectors = np.random.default_rng(7).normal(size=(len(words), 6))
    return small(words, vectors, kind)


@pytest.mark.parametrize("kind", ["hindi", "short", "signs", "one"])
def test_targets_where_no_word_is_of_latin_letters(kind):
    assert popular_words(vocabulary_of(kind)) == TARGETS_OF[kind]


def test_targets_are_of_the_kind_that_is_at_home():
    # One Latin word among many Russian or capital ones makes no list of targets.
    for kind in ("russian", "capitals"):
        words = [*KINDS_OF_WORDS[kind], *KINDS_OF_WORDS[kind][:-1]]
        words = [word * (1 + n // len(KINDS_OF_WORDS[kind])) for n, word in enumerate(words)]
        found = popular_words(small(words, np.ones((len(words), 2))))
        assert found[: len(TARGETS_OF[kind])] == TARGETS_OF[kind]
    assert popular_words(vocabulary_of("russian"), pattern="[a-z]+") == ["the"]


@pytest.mark.parametrize("kind", KINDS_OF_WORDS)
def test_the_board_plays_with_any_vocabulary(kind):
    vectors = vocabulary_of(kind)
    for seed in range(3):
        board = SemantleBoard(vectors, seed=seed)
        for word in vectors.index_to_key:
            if not board.game.solved:
                assert board._on_guess(word)["word"] == word
        assert board.game.solved and board._on_hint() and board._on_reveal()["word"]
        board.typed = [(word, "12.3") for word in vectors.index_to_key[:3]]
        assert board.advice["said"]


def test_a_climber_goes_from_neighbour_to_neighbour(glove):
    game = Semantle(PART, "medical")
    result = solve_semantle(game, "climb", most=300, seed=2)
    assert len(set(result.guesses)) == len(result.guesses)
    for step in range(1, len(result.guesses)):
        warmest = result.guesses[int(np.argmax(result.scores[:step]))]
        near = [PART.index_to_key[place] for place in PART.nearest(warmest, step + 1)]
        assert result.guesses[step] == next(w for w in near if w not in result.guesses[:step])
