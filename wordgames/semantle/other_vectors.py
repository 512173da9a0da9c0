"""A solver of Semantle whose vectors are not the game's.

The scores are taken as a Gaussian process over the guesses. Given a target t, the score of a guess
x is on average c0 + c1 times their cosine in the solver's own vectors; the errors of guesses that
are near each other agree. c0, c1 and the size of the errors are integrated out for every target, so
the two models are calibrated to each other while the game goes on.
"""

from dataclasses import dataclass
from math import lgamma, log, pi

import numpy as np
import pandas as pd

from wordgames._compiled import compiled, in_ranges
from wordgames.semantle.experience import FREQUENT, Experience, spread_of, weights_of
from wordgames.semantle.game import HALF_STEP, fitting_places
from wordgames.semantle.solver import Solver, holding, target_log_prior

# Before the first score, that the vectors have nothing to do with the game's; and from when on that
# is taken for a fact, said, and the most frequent word guessed.
UNRELATED, HOPELESS = 0.05, 0.9
WRONG = 0.01  # with the game's own vectors, the share of scores that do not fit all the same
STEP = 1e-4  # of a cosine: what two decimals of a score tell apart
SAMPLE, BONUS = 300, 0.5  # words that stand for all, and what a nat is worth beside a win
LIKELY = 0.25  # with the game's own vectors as likely as this, the most probable word is guessed


@compiled
def _add(start, stop, whitened, score, misfit, cross, squares):
    """Add a guess to the sums over guesses of each word: residual², residual x cosine, cosine²."""
    for level in range(len(score)):
        for word in range(start, stop):
            cosine = whitened[level, word]
            residual = score[level] - cosine
            misfit[level, word] += residual * residual
            cross[level, word] += residual * cosine
            squares[level, word] += cosine * cosine


@compiled
def _log_evidence(start, stop, misfit, cross, squares, constants, power, scale, slope2, out):
    """Log evidence of each word as the target, by level: Student's t with c1 integrated out."""
    for level in range(len(constants)):
        for word in range(start, stop):
            spread = 1 + slope2 * squares[level, word]
            left = misfit[level, word] - slope2 * cross[level, word] ** 2 / spread
            out[level, word] = (
                constants[level]
                - power * np.log(scale + 0.5 * max(left, 0.0))
                - 0.5 * np.log(spread)
            )


@dataclass(frozen=True)
class Calibration:
    """How the game's scores go with the solver's vectors, as learnt from the scores so far.

    Attributes
    ----------
    offset, slope : float
        A score is 100 (offset + slope x cosine) on average.
    error : float
        The standard deviation of a score from that, on the scale of scores.
    correlation : float
        Of the two models' cosines over pairs of frequent words, as estimated.
    same : float
        Probability that the vectors are the game's own.
    unrelated : float
        Probability that the vectors have nothing to do with the game's.
    """

    offset: float
    slope: float
    error: float
    correlation: float
    same: float
    unrelated: float


FIRST = Experience()


class OtherVectors(Solver):
    """Solver by a Gaussian process over guesses, for vectors that are not the game's.

    Parameters
    ----------
    embedding, rng, opener
        As for `Solver`; the embedding is the solver's own. There is no random choice.
    experience : Experience
        What is taken for granted before the first score; by default that of a first game.
    possible : bool array (n), optional
        Which words can be the target; by default all.
    independent : bool
        Take the errors of all guesses for independent, which they are not: to compare with.

    Notes
    -----
    Let K be the covariance of the errors of the guesses so far up to their size s², L its Cholesky
    factor, and k the guesses' cosines with a word. All that is needed of a word are sums over the
    entries of L⁻¹k and L⁻¹y. A new guess adds one entry to each. The new entry of L⁻¹k is linear in
    the word's vector, so it is the word's product with one vector: a guess costs one scan of the
    embedding for each level of noise, however many guesses were made.

    With s² inverse gamma, and c0, c1 normal with deviations proportional to s, the evidence of a
    word is a Student's t density: Bayesian linear regression (for instance Rasmussen and Williams,
    Gaussian Processes for Machine Learning, 2006, section 2.7).
    """

    def __init__(
        self, embedding, rng, opener=None, *, experience=FIRST, possible=None, independent=False
    ):
        if not experience.same < 1 - UNRELATED:
            raise ValueError(f"same={experience.same!r}: a probability below {1 - UNRELATED}")
        super().__init__(embedding, rng, opener)
        self.experience = experience
        words, levels = len(embedding), len(experience.nuggets)
        values, directions = spread_of(embedding)
        # The matrix between two unit vectors whose product is the expected score of one for the
        # other; and that which takes a unit vector to one whose products are covariances of errors.
        # An error is a linear function of the guess, as when one model's vectors are the other's
        # and some more.
        weights = experience.slope * weights_of(values, experience.cosine_power)
        self._mean = (directions * weights) @ directions.T
        weights = (not independent) * np.sqrt(weights_of(values, experience.error_power))
        self._root = (directions * weights) @ directions.T
        self._nuggets, self._shape = experience.nuggets, experience.shape
        self._scale = experience.shape * experience.error**2
        self._offset2, self._slope2 = experience.offset_spread**2, experience.slope_spread**2
        self._prior = target_log_prior(words)
        if possible is not None:
            self._prior[~possible] = -np.inf
        self._misfit = np.zeros((levels, words), np.float32)
        self._cross, self._squares = self._misfit.copy(), self._misfit.copy()
        self._fits = np.zeros(words, np.float32)  # log evidence of the fits beyond that of chance
        self._chance = 0.0
        self.guessed: list[int] = []
        self._refused: list[int] = []
        size, room = embedding.vector_size, 16
        self._scores = np.zeros(room)  # on the scale of cosines
        self._features = np.zeros((room, size))  # whose products are covariances
        self._inverse = np.zeros((levels, room, room))  # L⁻¹
        self._whitened = np.zeros((levels, room, size + 2))  # L⁻¹ of units, scores and ones
        self._log_det = np.zeros(levels)
        self._log: np.ndarray | None = None  # posterior, up to a constant; None: out of date

    # --- learning ---

    def learn(self, guess: int, score: float, cosines=None) -> int:
        """Take a score into account; how many words still have a fair chance."""
        count = len(self.guessed)
        self._grow(count + 1)
        unit = self.embedding.units(guess)
        row = np.concatenate([self._mean @ unit, [score / 100 - self.experience.offset, 1.0]])
        feature = self._root @ unit
        covariance = self._features[:count] @ feature + self._offset2
        for level, nugget in enumerate(self._nuggets):
            inverse, whitened = self._inverse[level], self._whitened[level]
            part = inverse[:count, :count] @ covariance
            variance = feature @ feature + self._offset2 + nugget
            # Guesses of one vector leave the nugget, so this is no root of nothing.
            pivot = np.sqrt(max(variance - part @ part, nugget / 2))
            inverse[count, :count] = -(part @ inverse[:count, :count]) / pivot
            inverse[count, count] = 1 / pivot
            whitened[count] = (row - part @ whitened[:count]) / pivot
            self._log_det[level] += 2 * log(pivot)
        self._features[count], self._scores[count] = feature, row[-2]
        new = self._whitened[:, count]
        self._scan(new[:, :-2], new[:, -2], guess, score, cosines)
        self.guessed.append(guess)
        self._log = None
        return self.remaining()

    def _scan(self, queries, scores, guess, score, cosines) -> None:
        products = self.embedding.cosines_of_many(queries)
        products *= np.linalg.norm(queries, axis=1)[:, None].astype(np.float32)
        in_ranges(
            _add,
            len(self._prior),
            products,
            scores.astype(np.float32),
            self._misfit,
            self._cross,
            self._squares,
            step=1 << 14,
        )
        cosines = self.embedding.cosines(guess) if cosines is None else cosines
        # As `Soft` does it, for the case that the vectors are the game's after all.
        fit = fitting_places(self.embedding, guess, score, cosines=cosines)
        around = np.count_nonzero(np.abs(cosines - np.float32(score / 100)) <= 0.005)
        by_chance = WRONG * (around + 1) / (len(cosines) + 1) * (HALF_STEP / 0.5)
        self._fits[fit] += np.float32(log((1 - WRONG + by_chance) / by_chance))
        self._chance += log(by_chance)

    def _grow(self, count: int) -> None:
        if count > len(self._scores):
            more = len(self._scores)
            self._scores = np.pad(self._scores, (0, more))
            self._features = np.pad(self._features, ((0, more), (0, 0)))
            self._inverse = np.pad(self._inverse, ((0, 0), (0, more), (0, more)))
            self._whitened = np.pad(self._whitened, ((0, 0), (0, more), (0, 0)))

    def refuse(self, place: int) -> bool:
        """Take note that the game does not know a word: it is not guessed again."""
        self._refused.append(place)
        self._log = None
        return True

    # --- what is believed ---

    def _update(self) -> np.ndarray:
        """Log posterior of every word, up to a constant; those guessed or refused have none."""
        if self._log is not None:
            return self._log
        count, words = len(self.guessed), len(self._prior)
        power, scale = self._shape + count / 2, self._scale
        constants = (
            self._log_norm()
            - 0.5 * self._log_det
            + log((1 - self.experience.same - UNRELATED) / len(self._nuggets))
        )
        evidence = np.empty((len(self._nuggets) + 1, words), np.float32)
        # Single precision has seven digits: what all words have in common is left out.
        self._common = float(constants.max() - power * log(scale))
        in_ranges(
            _log_evidence,
            words,
            self._misfit,
            self._cross,
            self._squares,
            constants - self._common,
            power,
            scale,
            self._slope2,
            evidence[:-1],
            step=1 << 14,
        )
        evidence[-1] = self._fits + np.float32(
            log(self.experience.same) + self._chance - self._common
        )
        unrelated = self._log_evidence_unrelated() + log(UNRELATED) - self._common
        prior = self._prior.copy()
        prior[self.guessed + self._refused] = -np.inf
        evidence += prior
        highest = max(float(evidence.max()), float(unrelated + prior.max()))
        if highest == -np.inf:  # every word was guessed or refused
            self._log = np.full(words, -np.inf)
            self._weights, self._same, self._unrelated = np.ones(len(self._nuggets)), 0.0, 0.0
            return self._log
        chances = np.exp(evidence - np.float32(highest))
        apart = np.exp(prior - prior.max()) * np.exp(unrelated + prior.max() - highest)
        by_level = chances.sum(axis=1, dtype=float)
        whole = by_level.sum() + apart.sum(dtype=float)
        self._weights = by_level[:-1]
        self._same, self._unrelated = by_level[-1] / whole, apart.sum(dtype=float) / whole
        with np.errstate(divide="ignore"):
            self._log = np.log((chances.sum(axis=0, dtype=float) + apart) / whole)
        return self._log

    def _log_norm(self) -> float:
        """What the evidence of any model has as a factor: from the prior of the errors' size."""
        count = len(self.guessed)
        return (
            lgamma(self._shape + count / 2)
            - lgamma(self._shape)
            + self._shape * log(self._scale)
            + count * (log(STEP) - 0.5 * log(2 * pi))
        )

    def _log_evidence_unrelated(self) -> float:
        """Of independent normal scores about a common mean, whatever was guessed."""
        scores = self._scores[: len(self.guessed)]
        spread = 1 + len(scores) * self._offset2
        left = scores @ scores - self._offset2 * scores.sum() ** 2 / spread
        power, scale = self._shape + len(scores) / 2, self._scale
        return self._log_norm() - power * log(scale + 0.5 * left) - 0.5 * log(spread)

    def probabilities(self) -> np.ndarray:
        """Probability of each word to be the target, over all words not yet guessed: float64."""
        return np.exp(self._update())

    def _top(self, count: int) -> np.ndarray:
        """Places of the most probable words, those with no chance left out."""
        chances = self.probabilities()
        count = min(count, np.count_nonzero(chances))
        places = np.argpartition(-chances, max(count - 1, 0))[:count]
        return places[np.lexsort((places, -chances[places]))]

    def _sample(self) -> tuple[np.ndarray, np.ndarray]:
        """Places that stand for all, and their shares: those at equal steps of the probability.

        A word with a fair chance is always among them; of many improbable words, a few are.
        """
        below = np.cumsum(self.probabilities())
        steps = (np.arange(SAMPLE) + 0.5) / SAMPLE * below[-1]
        places, times = np.unique(np.searchsorted(below, steps), return_counts=True)
        return places, times / SAMPLE

    def remaining(self) -> int:
        """How many of the words, the most probable first, hold nine tenths of the probability."""
        return holding(self.probabilities())

    def remark(self) -> str:
        """Says so when the scores have nothing to do with the vectors."""
        self._update()
        if self.guessed and self._unrelated > HOPELESS:
            return (
                f"the scores of the game do not go with the vectors of {self.embedding.name}: "
                "nothing correlates, so the guesses go by the frequency of the words"
            )
        return ""

    def leading(self, count: int = 10) -> pd.Series:
        """The most probable words: probability by word."""
        chances = self.probabilities()
        order = self._top(count)
        words = [self.embedding.index_to_key[place] for place in order]
        return pd.Series(chances[order], pd.Index(words, name="word"), name="probability")

    def calibration(self) -> Calibration:
        """What has been learnt of the two models, averaged over the likely targets."""
        sample, weights = self._sample()
        level = int(np.argmax(self._weights))
        slopes, errors, residuals = self._fit(level, sample)
        offsets = self._offset2 * self._whitened[level, : len(self.guessed), -1] @ residuals
        error = np.sqrt(weights @ errors * (1 + self._nuggets[level]))
        places = np.arange(min(FREQUENT, len(self.embedding)))
        units = self.embedding.units(places)
        some = units[:: max(1, len(units) // 100)].T
        cosines, expected = units @ some, (weights @ slopes) * (units @ self._mean @ some)
        slope, spread = np.vdot(cosines, expected) / np.vdot(cosines, cosines), np.std(expected)
        return Calibration(
            float(self.experience.offset + weights @ offsets),
            float(slope),
            float(100 * error),
            float(spread / np.hypot(spread, error)),
            float(self._same),
            float(self._unrelated),
        )

    def _fit(self, level: int, places: np.ndarray):
        """Of some targets: slopes (m), variances (m), whitened residuals (guesses, m)."""
        count = len(self.guessed)
        whitened = self._whitened[level, :count]
        vectors = self.embedding.units(places)
        cosines = whitened[:, :-2] @ vectors.T
        cross, squares = self._cross[level, places], self._squares[level, places]
        spread = 1 + self._slope2 * squares
        slopes = 1 + self._slope2 * cross / spread
        left = self._misfit[level, places] - self._slope2 * cross**2 / spread
        variances = (self._scale + 0.5 * np.maximum(left, 0)) / (self._shape + count / 2)
        return slopes, variances, whitened[:, -2, None] - slopes * cosines

    # --- the next guess ---

    def choose(self) -> int | None:
        """The next guess: probable, and apt to tell the probable targets apart."""
        if not self.guessed and self.opener not in self._refused:
            return self.opener
        chances = self.probabilities()
        best = int(np.argmax(chances))
        if not chances[best] > 0:
            return None
        if not self.guessed or self._same > LIKELY:
            return best
        if self._unrelated > HOPELESS:
            return int(np.argmax(chances > 0))
        places, weights = self._sample()
        return int(places[np.argmax(chances[places] + BONUS * self._information(places, weights))])

    def _information(self, places: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """What the score of each place would tell of which of them is the target, in nats.

        Half the log of 1 + the variance between the scores that the targets predict by the
        variance around each: exact if both were normal.
        """
        level, count = int(np.argmax(self._weights)), len(self.guessed)
        vectors = self.embedding.units(places)
        features = vectors @ self._root
        slopes, variances, residuals = self._fit(level, places)
        shared = self._inverse[level, :count, :count] @ (
            self._features[:count] @ features.T + self._offset2
        )
        predicted = (
            slopes * (vectors @ self._mean @ vectors.T) + shared.T @ residuals
        )  # (guess, target)
        around = np.sum(features**2, axis=1) + self._offset2 + self._nuggets[level]
        around = (weights @ variances) * np.maximum(around - np.sum(shared**2, axis=0), 1e-9)
        between = (predicted - (predicted @ weights)[:, None]) ** 2 @ weights
        return 0.5 * np.log1p(between / around)
