"""Semantle with vectors that are not the game's: the posterior written out, and many games."""

from functools import partial

import numpy as np
import pandas as pd
import pytest
from scipy.special import logsumexp
from scipy.stats import multivariate_t

from wordgames import Semantle, SemantleHelper, load_embedding, solve_semantle
from wordgames.__main__ import main
from wordgames.places import COMPUTED
from wordgames.semantle import other_vectors as model
from wordgames.semantle.experience import Experience, learn_experience
from wordgames.semantle.experiments import (
    AGREEMENTS,
    EXPERIENCED,
    correlation,
    gain_experience,
    guesses_by_agreement,
    other_model,
    play_games,
    popular_words,
)
from wordgames.semantle.half_spaces import HalfSpaces
from wordgames.semantle.other_vectors import OtherVectors
from wordgames.semantle.solver import target_log_prior
from wordgames.vectors.embedding import Embedding
from wordgames.vectors.vocabulary import Words


@pytest.fixture(scope="module")
def game_vectors():
    glove = load_embedding()
    places = [glove.place(word) for word in popular_words(glove, 2000)]
    return glove.select(places, "2,000 popular words")


@pytest.fixture(scope="module")
def own_vectors(game_vectors):
    return other_model(game_vectors, 0.77)


def new(embedding, **options) -> OtherVectors:
    return OtherVectors(embedding, np.random.default_rng(0), **options)


def units_of(embedding) -> np.ndarray:
    rows = np.array(embedding.rows, float)
    return rows / np.linalg.norm(rows, axis=1)[:, None]


@pytest.fixture(scope="module")
def few():
    """Forty words in five dimensions, and scores that only roughly go with the first of them."""
    rng = np.random.default_rng(1)
    vectors = rng.normal(size=(40, 5)).astype(np.float32)
    embedding = Embedding("few", Words.of([f"w{n}" for n in range(40)]), vectors)
    guesses = [7, 3, 21, 38, 12, 30]
    unit = units_of(embedding)
    return embedding, guesses, list(np.round(70 * unit[guesses] @ unit[0] + 8 * rng.normal(size=6)))


LEARNT = Experience(0.1, 0.7, 0.1, 5.0, 0.3, 0.8, (0.02, 0.06), -0.4, 0.2, 1e-12)


def in_directions(unit, power) -> np.ndarray:
    """The matrix whose product between unit vectors counts directions by their spread."""
    values, directions = np.linalg.eigh(unit.T @ unit / len(unit))
    matrix = directions @ np.diag(values**power) @ directions.T
    return matrix * len(unit) / np.einsum("ij,jk,ik->", unit, matrix, unit)


def posterior_by_scipy(embedding, guesses, scores, given: Experience):
    """The same model in one matrix for each word: a multivariate Student's t density."""
    unit, y = units_of(embedding), np.array(scores) / 100 - given.offset
    kernel = unit @ in_directions(unit, given.error_power) @ unit.T
    expected = given.slope * unit @ in_directions(unit, given.cosine_power) @ unit.T
    levels = []
    for nugget in given.nuggets:
        errors = kernel[np.ix_(guesses, guesses)]
        errors = errors + given.offset_spread**2 + nugget * np.eye(len(y))

        def density(mean, errors=errors):
            spread = errors + given.slope_spread**2 * np.outer(mean, mean)
            return multivariate_t.logpdf(y, mean, given.error**2 * spread, df=2 * given.shape)

        share = np.log((1 - given.same - model.UNRELATED) / len(given.nuggets))
        levels.append(np.array([density(mean) for mean in expected[:, guesses]]) + share)
    noise = given.error**2 * (np.eye(len(y)) + given.offset_spread**2)
    unrelated = multivariate_t.logpdf(y, np.zeros(len(y)), noise, df=2 * given.shape)
    levels.append(np.full(len(unit), unrelated + np.log(model.UNRELATED)))
    log = logsumexp(levels, axis=0) + target_log_prior(len(unit))
    log[guesses] = -np.inf
    return np.exp(log - logsumexp(log))


@pytest.mark.parametrize("given", [Experience(same=1e-12), LEARNT], ids=["first game", "learnt"])
def test_the_posterior_is_the_one_that_scipy_gives(few, given):
    embedding, guesses, scores = few
    solver = new(embedding, experience=given)
    for count, (guess, score) in enumerate(zip(guesses, scores, strict=True), 1):
        solver.learn(guess, score)
        expected = posterior_by_scipy(embedding, guesses[:count], scores[:count], given)
        assert solver.probabilities() == pytest.approx(expected, rel=2e-3, abs=1e-7)
    assert expected.max() > 3 * np.median(expected)  # the scores tell something


def test_the_order_of_guesses_does_not_matter(few):
    embedding, guesses, scores = few
    beliefs = []
    for order in (range(6), [5, 4, 3, 2, 1, 0], [2, 0, 4, 1, 5, 3]):
        solver = new(embedding)
        for at in order:
            solver.learn(guesses[at], scores[at])
        beliefs.append(solver.probabilities())
    assert beliefs[1] == pytest.approx(beliefs[0], rel=1e-3, abs=1e-9)
    assert beliefs[2] == pytest.approx(beliefs[0], rel=1e-3, abs=1e-9)


def test_half_spaces_against_plain_loops(few):
    embedding, guesses, scores = few
    solver = HalfSpaces(embedding, np.random.default_rng(0), softness=0.2)
    for guess, score in zip(guesses, scores, strict=True):
        solver.learn(guess, score)
    unit = units_of(embedding)
    weights = np.exp(target_log_prior(40).astype(float))
    for word in range(40):
        for one in range(6):
            for other in range(one):
                if scores[one] != scores[other]:
                    warm, cold = (one, other) if scores[one] > scores[other] else (other, one)
                    beyond = unit[word] @ (unit[guesses[warm]] - unit[guesses[cold]])
                    weights[word] *= 1 / (1 + np.exp(-beyond / 0.2))
        if word in guesses:
            weights[word] = 0
    assert solver.probabilities() == pytest.approx(weights / weights.sum(), rel=1e-4)
    with pytest.raises(ValueError, match="softness=0"):
        HalfSpaces(embedding, np.random.default_rng(0), softness=0)


class Sealed:
    """A game that shows scores and nothing else."""

    def __init__(self, game):
        self.guess = game.guess


@pytest.mark.parametrize("method, limit", [("other-vectors", 45), ("half-spaces", 70)])
def test_games_are_won_with_another_model_from_scores_alone(
    game_vectors, own_vectors, method, limit
):
    targets = list(game_vectors.index_to_key[5::230])
    counts = []
    for target in targets:
        game = Semantle(game_vectors, target)
        result = solve_semantle(Sealed(game), method, own_vectors, most=300)
        assert result.answer == target
        assert list(result.guesses) == game.guesses  # no word twice, none beside the game
        counts.append(len(result.guesses))
    assert np.mean(counts) < limit


def test_the_right_vectors_cost_hardly_more_than_with_soft(game_vectors):
    targets = game_vectors.index_to_key[3::29]
    means = [
        np.mean([len(game.guesses) for game in play_games(game_vectors, targets, method)])
        for method in ("other-vectors", "soft")
    ]
    assert means[0] <= means[1] + 0.3


@pytest.mark.parametrize("given", [Experience(same=1e-12), LEARNT], ids=["first game", "learnt"])
def test_probabilities_are_calibrated_where_the_model_holds(given):
    """Scores drawn from the model itself: what it gives a word is how often that is the target."""
    rng = np.random.default_rng(8)
    rows = rng.normal(size=(40, 5)).astype(np.float32)
    embedding = Embedding("few", Words.of([f"w{n}" for n in range(40)]), rows)
    prior = np.exp(target_log_prior(40).astype(float))
    said, was = [], []
    for _ in range(400):
        target = rng.choice(40, p=prior / prior.sum())
        guesses = rng.choice(np.delete(np.arange(40), target), 5, replace=False)
        solver = new(embedding, experience=given)
        for guess, score in zip(
            guesses, drawn_scores(rng, embedding, target, guesses, given), strict=True
        ):
            solver.learn(guess, 100 * score)
        said.append(solver.probabilities())
        was.append(np.arange(40) == target)
    said, was = np.concatenate(said), np.concatenate(was)
    for low, high in ((0.01, 0.05), (0.05, 0.2), (0.2, 0.6), (0.6, 1)):
        band = (said > low) & (said <= high)
        spread = np.sqrt(np.sum(said[band] * (1 - said[band])))
        assert band.sum() > 20
        assert abs(said[band].sum() - was[band].sum()) < 3.5 * spread


def drawn_scores(rng, embedding, target, guesses, given: Experience, unrelated=model.UNRELATED):
    """Scores of one game, on the scale of cosines, as the model says that they come about."""
    unit = units_of(embedding)
    size = given.error * np.sqrt(given.shape / rng.gamma(given.shape))
    scores = given.offset + size * given.offset_spread * rng.normal() + np.zeros(len(guesses))
    if rng.random() < unrelated:
        return scores + size * rng.normal(size=len(guesses))
    expected = given.slope * unit[guesses] @ in_directions(unit, given.cosine_power) @ unit[target]
    scores += expected * (1 + size * given.slope_spread * rng.normal())
    root = np.linalg.cholesky(in_directions(unit, given.error_power))
    scores += size * unit[guesses] @ root @ rng.normal(size=unit.shape[1])
    return scores + size * np.sqrt(rng.choice(given.nuggets)) * rng.normal(size=len(guesses))


# --- learning from past games ---


def test_what_past_games_follow_is_found_again():
    """Games drawn from a known experience, of random guesses: the learnt one is near it."""
    rng = np.random.default_rng(4)
    rows = (rng.normal(size=(300, 8)) * np.linspace(0.4, 2, 8)).astype(np.float32)
    embedding = Embedding("some", Words.of([f"w{n}" for n in range(300)]), rows)
    given = Experience(0.1, 0.7, 0.1, 20.0, 0.5, 1.0, (0.1,), -0.5, 1.0)
    games = []
    for _ in range(60):
        target, *guesses = rng.choice(300, 21, replace=False)
        scores = 100 * drawn_scores(rng, embedding, target, guesses, given, unrelated=0)
        words = [embedding.index_to_key[place] for place in guesses]
        games.append((embedding.index_to_key[target], dict(zip(words, scores, strict=True))))
    learnt = learn_experience(embedding, games)
    assert learnt.offset == pytest.approx(given.offset, abs=0.05)
    assert learnt.slope == pytest.approx(given.slope, abs=0.05)
    assert learnt.error == pytest.approx(given.error, rel=0.2)
    assert 0.05 < learnt.nuggets[1] < 0.2
    assert learnt.cosine_power == pytest.approx(given.cosine_power, abs=0.2)
    assert learnt.error_power == pytest.approx(given.error_power, abs=0.3)
    assert learnt.same < 1e-3


@pytest.mark.slow
def test_experience_helps_in_new_games(game_vectors):
    own = other_model(game_vectors, 0.46, seed=2)
    targets, past = game_vectors.index_to_key[7::160], game_vectors.index_to_key[11::130]
    games = guesses_by_agreement(
        game_vectors,
        targets,
        (0.46,),
        ("other-vectors",),
        experience=partial(gain_experience, game_vectors, past),
        seed=2,
    )
    means = games.groupby("method")["guesses"].mean()
    assert set(means.index) == {"other-vectors", EXPERIENCED} and games["won"].all()
    assert means[EXPERIENCED] < 0.8 * means["other-vectors"]
    assert correlation(game_vectors, own) == pytest.approx(0.46, abs=0.02)


def test_experience_of_the_right_vectors_is_that_they_are_the_games(game_vectors):
    game, targets = Semantle(game_vectors, "river"), game_vectors.index_to_key[9::250]
    experience = gain_experience(game_vectors, targets, game_vectors)
    assert experience.same > 0.5 and experience.error < 0.01
    result = solve_semantle(game, "other-vectors", game_vectors, experience=experience)
    assert result.answer == "river" and len(result.guesses) <= 5


def test_a_few_words_and_odd_games_can_be_learnt_from(few):
    embedding, guesses, scores = few
    words = [embedding.index_to_key[guess] for guess in guesses]
    for odd in (scores, [12.5] * 6, [100.0] * 6):
        shown = dict(zip(words, odd, strict=True))
        for past in ([("w0", shown)] * 2, [("w0", {"w7": 3.0})]):
            solver = new(embedding, experience=learn_experience(embedding, past))
            solver.learn(4, 20.0)
            assert solver.probabilities().sum() == pytest.approx(1)
            assert solver.choose() is not None


def test_past_games_of_unknown_words_teach_nothing(game_vectors):
    unknown = [("no such word", {"river": 3.0}), ("river", {"no such word": 3.0}), ("river", {})]
    assert learn_experience(game_vectors, unknown) == Experience()
    assert learn_experience(game_vectors, []) == Experience()
    with pytest.raises(ValueError, match="a score is 100 times a cosine"):
        learn_experience(game_vectors, [("river", {"house": 120})])
    with pytest.raises(ValueError, match="a score is 100 times a cosine"):
        learn_experience(game_vectors, [("river", {"no such word": 120})])
    for odd in ("river", None, ("river",), ("river", [("house", 20.5)]), (None, {"house": 20.5})):
        with pytest.raises(TypeError, match="its target and its scores by word"):
            learn_experience(game_vectors, [odd])


def test_past_games_are_found_as_guesses_are(game_vectors):
    as_typed = learn_experience(game_vectors, [("River", {"House ": 20.5, "MUSIC": 3})])
    assert as_typed == learn_experience(game_vectors, [("river", {"house": 20.5, "music": 3})])
    assert as_typed != Experience()


@pytest.mark.parametrize(
    "values, said",
    [
        ({"same": 1}, "same=1: a probability"),
        ({"same": 0}, "same=0: a number above 0"),
        ({"error": 0}, "error=0: a number above 0"),
        ({"shape": -1}, "shape=-1: a number above 0"),
        ({"nuggets": ()}, "at least one share"),
        ({"nuggets": (0.1, 0)}, r"nuggets\[1\]=0: a number above 0"),
        ({"offset": float("nan")}, "offset=nan: a finite number"),
    ],
)
def test_what_cannot_be_an_experience(few, values, said):
    with pytest.raises(ValueError, match=said):
        new(few[0], experience=Experience(**values))


def test_a_file_with_the_second_model_works_as_the_made_one(game_vectors, own_vectors, tmp_path):
    path = tmp_path / "second.txt"
    with path.open("w") as file:
        for word, row in zip(own_vectors.index_to_key, own_vectors.rows, strict=True):
            print(word, *(repr(float(value)) for value in row), file=file)
    loaded = load_embedding(path, cache=False)
    made, read = (
        solve_semantle(Semantle(game_vectors, "river"), "other-vectors", vectors)
        for vectors in (own_vectors, loaded)
    )
    assert made == read and made.answer == "river"


@pytest.mark.parametrize("agreement", [0.98, 0.46, 1])
def test_the_made_model_agrees_as_wanted(game_vectors, agreement):
    other = other_model(game_vectors, agreement, seed=3)
    assert correlation(game_vectors, other, seed=9) == pytest.approx(agreement, abs=0.02)
    unit, again = units_of(game_vectors), units_of(other)
    pairs = ~np.eye(len(unit), dtype=bool)
    plain = np.corrcoef((unit @ unit.T)[pairs], (again @ again.T)[pairs])[0, 1]
    assert plain == pytest.approx(agreement, abs=0.02)
    with pytest.raises(ValueError, match="agreement=0"):
        other_model(game_vectors, 0)


def test_the_measured_games_are_those_that_the_command_plays(capsys, tmp_path):
    measured = pd.read_csv(COMPUTED / "semantle-other-vectors.csv")
    assert set(measured["agreement"]) == set(AGREEMENTS)
    means = measured.pivot_table("guesses", "agreement", "method")
    assert (means["other-vectors"] < means["half-spaces"]).all()
    assert (means[EXPERIENCED] < means["other-vectors"]).all()
    path = tmp_path / "games.csv"
    main(["other-vectors", "--games", "3", "--agreement", "0.98", "--output", str(path)])
    again = pd.read_csv(path).merge(measured, on=["agreement", "method", "target"])
    assert len(again) == 9 and again[["won_x", "won_y"]].all(axis=None)
    # Another processor may add in another order and so guess another word now and then.
    assert (again["guesses_x"] - again["guesses_y"]).abs().max() <= 8
    assert "half-spaces" in capsys.readouterr().out


# --- bad input ---


def test_words_that_only_one_of_the_two_knows(game_vectors, own_vectors):
    """The game refuses some of the solver's words; other words of the game the solver lacks."""
    known = game_vectors.select(np.arange(0, 400, 2), "every other word")
    own_vectors = own_vectors.select(np.arange(400))
    target = known.index_to_key[100]
    for method in ("other-vectors", "half-spaces"):
        result = solve_semantle(Semantle(known, target), method, own_vectors, most=200)
        assert result.answer == target
        assert all(word in known for word in result.guesses)
    foreign = own_vectors.select([place for place in range(400) if place != 200])
    lost = solve_semantle(Semantle(known, target), "other-vectors", foreign, most=500)
    assert lost.answer is None and len(lost.guesses) == 199
    with pytest.raises(KeyError):  # other solvers take the game's words for their own
        solve_semantle(Semantle(known, target), "soft", own_vectors)
    other = known.select(np.arange(2), "two")
    with pytest.raises(ValueError, match="1 words in common"):
        correlation(known, Embedding("x", Words.of([other.index_to_key[0], "qq"]), other.rows))


def test_scores_that_are_all_alike(own_vectors):
    class Deaf:
        def guess(self, word):
            return 12.5

    for method in ("other-vectors", "half-spaces"):
        result = solve_semantle(Deaf(), method, own_vectors, most=25)
        assert result.answer is None and len(set(result.guesses)) == 25
        assert result.note.startswith("no answer in 25 guesses")


def test_vectors_of_another_language_are_told_and_the_game_goes_on(game_vectors):
    rng = np.random.default_rng(5)
    rows = rng.normal(size=(2000, 60)).astype(np.float32)
    foreign = Embedding("foreign", game_vectors.index_to_key, rows)
    result = solve_semantle(Semantle(game_vectors, "music"), "other-vectors", foreign, most=150)
    assert len(result.guesses) == 150 or result.answer == "music"
    assert "do not go with the vectors of foreign: nothing correlates" in result.note
    places = [foreign.place(word) for word in result.guesses[-20:]]
    assert places == sorted(places) and places[-1] < 150  # by frequency


# --- playing along ---


def test_the_helper_leads_to_the_word(game_vectors, own_vectors):
    game, helper = Semantle(game_vectors, "doctor"), SemantleHelper(own_vectors)
    while not helper.solved:
        word = helper.guess
        helper.enter(word, game.guess(word))
        assert len(helper.entries) < 80
        if len(helper.entries) == 8:
            belief, calibration = helper.leading(3), helper.calibration
            assert len(belief) == 3 and 0 < belief.sum() <= 1
    assert helper.solved == "doctor" and helper.guess is None
    assert helper.leading().to_dict() == {"doctor": 1.0}
    assert 0.4 < calibration.correlation < 1 and calibration.error > 2
    assert calibration.unrelated < 0.5 and not helper.remark


@pytest.mark.slow
@pytest.mark.parametrize("ranks", [False, True])
def test_the_helper_learns_from_the_games_that_were_won(game_vectors, ranks):
    own = other_model(game_vectors, 0.46, seed=2)

    def shown(target, word):
        if word == target:
            return 1 if ranks else 100
        rank = 1 + game_vectors.cosines(target).argsort()[::-1].tolist().index(
            game_vectors.place(word)
        )
        return rank if ranks else 100 * game_vectors.similarity(target, word)

    def play(helper, target):
        for _ in range(300):
            word = helper.guess
            helper.enter(word, shown(target, word))
            if helper.solved:
                return len(helper.entries)
        pytest.fail("300 guesses")

    helper = SemantleHelper(own, ranks=ranks)
    targets = game_vectors.index_to_key[11::400]
    for target in targets:
        play(helper, target)
        helper.clear()
    assert [target for target, _ in helper.past] == targets
    new = game_vectors.index_to_key[7::400]
    alone = [play(SemantleHelper(own, ranks=ranks), target) for target in new]
    learnt = []
    for target in new:
        learnt.append(play(helper, target))
        helper = SemantleHelper(own, ranks=ranks, past=helper.past)
    assert np.mean(learnt) < np.mean(alone)


def test_the_helper_takes_back_what_was_entered(own_vectors):
    helper, other = SemantleHelper(own_vectors), SemantleHelper(own_vectors)
    for word, score in (("river", 20.5), ("house", 41.0), ("music", 3.25)):
        helper.enter(word, score)
    helper.enter("house", 41.0)  # the same again changes nothing
    with pytest.raises(ValueError, match="'house' was entered with 41 and now with 14"):
        helper.enter("house", 14)
    helper.remove("house")
    for word, score in (("music", 3.25), ("river", 20.5)):
        other.enter(word, score)
    assert helper.leading(20).to_dict() == pytest.approx(other.leading(20).to_dict(), rel=1e-3)
    refused = helper.guess
    helper.refuse(refused)
    assert helper.guess != refused and refused not in helper.leading(2000)
    helper.remove(refused)
    assert helper.guess == refused
    with pytest.raises(KeyError, match="was not entered: entered are river, music"):
        helper.remove("house")
    with pytest.raises(KeyError, match="did you mean 'house'"):
        helper.enter("howse", 3)
    with pytest.raises(ValueError, match="a score is 100 times a cosine"):
        helper.enter("water", 120)
    helper.enter("water", 100)
    with pytest.raises(ValueError, match="'house' cannot win too: 'water' did"):
        helper.enter("house", 100)


def test_the_helper_suggests_words_only(game_vectors):
    signs = ["=", "1965", "--"]
    embedding = Embedding(
        "with signs",
        Words.of([*signs, *game_vectors.index_to_key[:200]]),
        np.vstack([game_vectors.vectors([1, 2, 3]), game_vectors.vectors(np.arange(200))]),
    )
    helper = SemantleHelper(embedding)
    helper.enter("=", 12)  # it may be typed
    assert helper.leading(300).index.isin(game_vectors.index_to_key).all()


def test_the_helper_plays_where_only_ranks_are_shown(game_vectors, own_vectors):
    target = game_vectors.place("doctor")
    order = np.argsort(-game_vectors.cosines(target), kind="stable")
    ranks = {game_vectors.index_to_key[place]: at for at, place in enumerate(order, 1)}
    helper = SemantleHelper(own_vectors, ranks=True)
    while not helper.solved:
        helper.enter(helper.guess, ranks[helper.guess])
        assert len(helper.entries) < 100
    assert helper.solved == "doctor"
    helper.clear()
    helper.enter("house", 10**13)  # so far away that it says nothing
    helper.enter("river", 1)
    helper.clear()
    assert [target for target, _ in helper.past] == ["doctor", "river"]
    for wrong in (0, 2.5, "third", float("inf")):
        with pytest.raises(ValueError, match="a rank is a whole number from 1"):
            helper.enter("river", wrong)
