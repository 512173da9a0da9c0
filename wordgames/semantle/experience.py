"""What games played before tell of how the scores of a game go with a solver's vectors."""

import reprlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.linalg import solve_triangular
from scipy.optimize import minimize
from threadpoolctl import threadpool_limits

from wordgames._progress import progress
from wordgames.semantle.game import HALF_STEP, check_score, known_place
from wordgames.semantle.solver import target_log_prior
from wordgames.vectors.embedding import Embedding

FREQUENT = 5000  # words that stand for all where the spread of vectors is measured
FLAT = 1e-3  # a direction with less than so much of the average spread counts as having so much
NEAR, FAR = 150, 150  # words that a past game's target is to be told from


@dataclass(frozen=True)
class Experience:
    """What a solver takes for granted before the first score of a game.

    The defaults are for a solver that has never seen a game: little is certain. `learn_experience`
    makes one from past games.

    Attributes
    ----------
    offset, slope : float
        A score is 100 (offset + slope x weighted cosine) on average over games.
    error, shape : float
        The size of the errors on the scale of cosines, and how sure that size is: its inverse
        square has a gamma distribution of this shape.
    offset_spread, slope_spread : float
        Standard deviations of a game's own offset and slope, the latter as a share of the slope,
        as multiples of the error.
    nuggets : tuple of float
        What the independent part of an error's variance may be, each as likely as the others, as a
        multiple of the part that near guesses share.
    cosine_power, error_power : float
        How much the directions count in which the vectors are spread more than in others: the
        variance in a direction to this power weighs it in the cosines, or in the shared errors.
        With 0 all directions count alike.
    same : float
        Probability that the vectors are the game's own. A word that fits a score to its two
        decimals then counts for much.
    """

    offset: float = 0.0
    slope: float = 1.0
    error: float = 0.08
    shape: float = 2.0
    offset_spread: float = 1.0
    slope_spread: float = 3.0
    nuggets: tuple[float, ...] = (0.01, 0.1, 1.0)
    cosine_power: float = 0.0
    error_power: float = 0.5
    same: float = 0.5

    def __post_init__(self):
        above_zero = {name: getattr(self, name) for name in ("slope", "error", "shape", "same")}
        above_zero |= {f"nuggets[{n}]": nugget for n, nugget in enumerate(self.nuggets)}
        for name, value in above_zero.items():
            if not 0 < value < np.inf:
                raise ValueError(f"{name}={value!r}: a number above 0")
        if not self.nuggets:
            raise ValueError("nuggets=(): at least one share of an error's variance")
        for name in ("offset", "offset_spread", "slope_spread", "cosine_power", "error_power"):
            if not np.isfinite(getattr(self, name)):
                raise ValueError(f"{name}={getattr(self, name)!r}: a finite number")


def spread_of(embedding: Embedding) -> tuple[np.ndarray, np.ndarray]:
    """Variance of the frequent words' unit vectors, 1 on average: float64 (d); directions (d, d).

    The columns of the second are the directions.
    """
    places = np.arange(min(FREQUENT, len(embedding)))
    # In double precision: powers of a matrix are sensitive.
    units = embedding.units(places)
    values, directions = np.linalg.eigh(units.T @ units / len(units))
    return np.maximum(values / values.mean(), FLAT), directions


def weights_of(values: np.ndarray, power: float) -> np.ndarray:
    """What each direction counts in a product of two unit vectors: float64 (d).

    Scaled so that the product of a frequent word with itself is 1 on average.
    """
    weights = values**power
    return weights * (len(values) / (weights @ values))


# By parameter that is learnt: whether as its logarithm, how far from the default it may well be,
# and its bounds. The first games say little, and this keeps them from saying too much.
LEARNT = {
    "offset": (False, 0.2, (-1, 1)),
    "slope": (True, 0.5, (0.05, 20)),
    "error": (True, 1.0, (1e-3, 2)),
    "shape": (True, 1.0, (0.5, 50)),
    "offset_spread": (True, 1.0, (0.01, 10)),
    "slope_spread": (True, 1.0, (0.01, 20)),
    "nugget": (True, 1.5, (1e-3, 20)),
    "cosine_power": (False, 0.5, (-1.5, 1.5)),
    "error_power": (False, 0.5, (-1.5, 1.5)),
}


def learn_experience(
    embedding: Embedding, games: Sequence[tuple[str, Mapping[str, float]]]
) -> Experience:
    """What past games tell: the parameters that make their targets most probable in hindsight.

    Parameters
    ----------
    embedding : Embedding
        The solver's own.
    games : sequence of (str, mapping of str to float)
        The target of each, and the score of each guess in the order of the game, found as guesses
        are. Words that the embedding lacks are left out, and so are games of which nothing is left.

    Returns
    -------
    Experience
        The default one where there are no games.

    Raises
    ------
    ValueError
        For a score that is not a number within ±100.
    TypeError
        For what is no pair of a target and its scores.

    Notes
    -----
    What is maximised is the log probability of the target after 2, 4, 8 and so on guesses, among
    the words near it and a sample of the others, and the log of a prior about the defaults. The
    likelihood of the scores alone would do where the model of `OtherVectors` is true to the letter.
    Where it is not, it may explain the scores well and find targets badly.
    """
    values, directions = spread_of(embedding)
    past, fits = [], []
    for game in games:
        try:
            target, scores = game
            place = known_place(embedding, target)
            pairs = [(known_place(embedding, word), word, shown) for word, shown in scores.items()]
        except (AttributeError, TypeError, ValueError) as error:
            raise TypeError(
                f"a past game is {reprlib.repr(game)}: it has to be its target and its scores by "
                "word, such as ('river', {'house': 20.5, 'water': 48.12})"
            ) from error
        known = {guess: check_score(shown, word) for guess, word, shown in pairs}
        known = {guess: score for guess, score in known.items() if guess not in (-1, place)}
        if place < 0 or not known:
            continue
        guesses, shown = np.array([*known]), np.array([*known.values()])
        fits.append(np.abs(100 * embedding.cosines(place, guesses) - shown) <= 2 * HALF_STEP)
        past.append(_prepare(embedding, directions, place, guesses, shown / 100))
    if not past:
        return Experience()
    # On small matrices, threads that wait for each other cost many times what they save.
    with threadpool_limits(1, "blas"), progress(what="learning", unit=" steps") as bar:
        best = minimize(
            _misfit, _START, (past, values), method="L-BFGS-B", bounds=_BOUNDS,
            options={"ftol": 1e-5}, callback=lambda _: bar.update(),
        ).x  # fmt: skip
    learnt = _named(best)
    nugget = learnt.pop("nugget")
    same = 0.9 if np.mean(np.concatenate(fits)) > 0.5 else 1e-6
    return Experience(nuggets=(nugget / 3, nugget, 3 * nugget), same=same, **learnt)


@dataclass(frozen=True)
class _Past:
    """A past game: the target is the first of some words, each with its log weight."""

    guesses: np.ndarray  # unit vectors: (guesses, d)
    scores: np.ndarray  # on the scale of cosines
    words: np.ndarray  # (d, words)
    log_weights: np.ndarray
    until: np.ndarray  # number of the guess that a word was, and infinity if it was none


def _prepare(embedding, directions, target, guesses, scores) -> _Past:
    cosines = embedding.cosines(target)
    cosines[target] = np.inf
    order = np.argsort(-cosines, kind="stable")
    near, others = order[:NEAR], order[NEAR:]
    far = others[:: max(1, len(others) // FAR)]
    words = np.concatenate([near, far])
    log_weights = target_log_prior(len(embedding))[words].astype(float)
    log_weights[len(near) :] += np.log(max(1, len(others)) / max(1, len(far)))  # stands for many
    number = {place: at for at, place in enumerate(guesses, 1)}

    until = np.array([number.get(place, np.inf) for place in words])
    guess_units, word_units = (embedding.units(some) @ directions for some in (guesses, words))
    return _Past(guess_units, scores, word_units.T, log_weights, until)


_DEFAULTS = vars(Experience()) | {"nugget": np.median(Experience().nuggets)}
_START = np.array([
    np.log(_DEFAULTS[name]) if as_log else _DEFAULTS[name] for name, (as_log, *_) in LEARNT.items()
])  # fmt: skip
_SPREADS = np.array([spread for _, spread, _ in LEARNT.values()])
_BOUNDS = [tuple(np.log(bounds)) if as_log else bounds for as_log, _, bounds in LEARNT.values()]


def _named(vector: np.ndarray) -> dict[str, float]:
    return {
        name: float(np.exp(value) if as_log else value)
        for (name, (as_log, *_)), value in zip(LEARNT.items(), vector, strict=True)
    }


def _misfit(vector: np.ndarray, past: list[_Past], values: np.ndarray) -> float:
    """Minus the log of what is maximised, up to a constant."""
    given = _named(vector)
    cosine_weights = given["slope"] * weights_of(values, given["cosine_power"])
    error_weights = weights_of(values, given["error_power"])
    scale, slope2 = given["shape"] * given["error"] ** 2, given["slope_spread"] ** 2
    total = 0.0
    for game in past:
        count = len(game.scores)
        covariance = (game.guesses * error_weights) @ game.guesses.T + given["offset_spread"] ** 2
        covariance[np.diag_indices(count)] += given["nugget"]
        expected = (game.guesses * cosine_weights) @ game.words
        columns = np.column_stack([game.scores - given["offset"], expected])
        columns = solve_triangular(np.linalg.cholesky(covariance), columns, lower=True)
        whitened = columns[:, 1:]
        residuals = columns[:, :1] - whitened
        looks = [2**power for power in range(1, 10) if 2**power < count] + [count]
        # The sums over guesses, as in `OtherVectors`, after some of them.
        misfit, cross, squares = (
            np.cumsum(terms, axis=0)[np.array(looks) - 1]
            for terms in (residuals**2, residuals * whitened, whitened**2)
        )
        spread = 1 + slope2 * squares
        left = np.maximum(misfit - slope2 * cross**2 / spread, 0)
        power = given["shape"] + np.array(looks)[:, None] / 2
        log = game.log_weights - power * np.log(scale + left / 2) - np.log(spread) / 2
        log[game.until <= np.array(looks)[:, None]] = -np.inf
        total += 2 * np.mean(log[:, 0] - np.logaddexp.reduce(log, axis=1))
    away = (vector - _START) / _SPREADS
    return float(away @ away / 2 - total)
