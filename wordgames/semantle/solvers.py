"""Solvers of Semantle: each keeps, or weighs, the words that fit all scores so far."""

from collections.abc import Callable
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from wordgames._compiled import compiled, in_ranges
from wordgames.semantle.game import HALF_STEP, SLACK, check_score, find_word, fitting, near_misses
from wordgames.vectors.embedding import Embedding
from wordgames.vectors.load import load_embedding

ESSAY_TOLERANCE = 0.01  # the essay's 1e-4 of the cosine, on the scale of scores


# --- the first guess --------------------------------------------------------------------------


@compiled
def _count_distinct(start, stop, cosines, counts):
    """Distinct scores in each row of cosines; every score has its own mark."""
    seen = np.full(20_003, -1, np.int64)
    for row in range(start, stop):
        count = 0
        for column in range(cosines.shape[1]):
            score = np.int64(np.floor(1e4 * cosines[row, column] + 0.5)) + 10_001
            if seen[score] != row:
                seen[score] = row
                count += 1
        counts[row] = count


def count_buckets(embedding: Embedding, guesses: np.ndarray, answers: np.ndarray) -> np.ndarray:
    """How many different scores each guess gets over some answers: int (n_guesses).

    The score of a guess names its target among the answers when no other shares it; so the more
    buckets, the better the guess as an opener.
    """
    guesses, answers = np.asarray(guesses), np.asarray(answers)
    units = embedding.vectors(answers) / embedding.norms[answers, None]
    counts = np.empty(len(guesses), np.int64)
    for start in range(0, len(guesses), 256):
        some = guesses[start : start + 256]
        cosines = (embedding.vectors(some) / embedding.norms[some, None]) @ units.T
        in_ranges(_count_distinct, len(some), cosines, counts[start : start + 256], step=32)
    return counts


def best_opener(
    embedding: Embedding, guesses: np.ndarray | None = None, answers: np.ndarray | None = None
) -> int:
    """Place of the guess with the most buckets; ties go to the most frequent.

    By default the guess is one of the first 250 words and the answer one of the first 5,000.
    """
    if guesses is None:
        guesses = np.arange(min(250, len(embedding)))
    if answers is None:
        answers = np.arange(min(5000, len(embedding)))
    return int(guesses[np.argmax(count_buckets(embedding, guesses, answers))])


_OPENERS: WeakKeyDictionary = WeakKeyDictionary()


def _opener(embedding: Embedding) -> int:
    """The default opener, computed once for an embedding."""
    if embedding not in _OPENERS:
        _OPENERS[embedding] = best_opener(embedding)
    return _OPENERS[embedding]


# --- solvers ----------------------------------------------------------------------------------


class _Elimination:
    """Keeps the words that fit every score; the next guess is one of them."""

    def __init__(self, embedding, rng, opener, tolerance, frequent):
        self.embedding, self.rng = embedding, rng
        self.tolerance, self.frequent = tolerance, frequent
        self.places = None
        if opener is None:
            opener = 0 if frequent else int(rng.integers(len(embedding)))
        self.first = opener

    def choose(self) -> int | None:
        if self.places is None:
            return self.first
        if not len(self.places):
            return None
        return int(self.places[0 if self.frequent else self.rng.integers(len(self.places))])

    def learn(self, guess: int, score: float, cosines=None) -> int:
        self.places = fitting(self.embedding, guess, score, self.places, self.tolerance, cosines)
        self.places = self.places[self.places != guess]
        return len(self.places)

    def alike(self, place: int) -> np.ndarray | None:
        """Words that fit all that this one fits; None: all."""
        return self.places


def log_prior(count: int) -> np.ndarray:
    """Log probability, up to a constant, of each word by its place in the order of frequency.

    Zipf's law as Mandelbrot gave it: proportional to 1 / (rank + 2.7), ranks from 1.
    """
    return -np.log(np.arange(count, dtype=np.float32) + np.float32(3.7))


class _Soft:
    """A posterior over all words in which any score may be wrong.

    A score is right with probability 1 - w, else that of a random word. What a random word scores
    is read off the guess's own similarities. A word that fits a score gains the log ratio.
    """

    def __init__(self, embedding, rng, opener, wrong):
        self.embedding, self.wrong = embedding, wrong
        self.first = _opener(embedding) if opener is None else opener
        self.log = log_prior(len(embedding))
        self.fits = np.zeros(len(embedding), np.uint16)
        self.guessed: list[int] = []

    def choose(self) -> int | None:
        if not self.guessed:
            return self.first
        if len(self.guessed) == len(self.embedding):
            return None
        return int(np.argmax(self.log))

    def learn(self, guess: int, score: float, cosines=None) -> int:
        if cosines is None:
            cosines = self.embedding.cosines(guess)
        fit = fitting(self.embedding, guess, score, cosines=cosines)
        around = np.count_nonzero(np.abs(cosines - np.float32(score / 100)) <= 0.005)
        by_chance = self.wrong * (around + 1) / (len(cosines) + 1) * (HALF_STEP / 0.5)
        self.log[fit] += np.log((1 - self.wrong + by_chance) / by_chance)
        self.fits[fit] += 1
        self.guessed.append(guess)
        self.log[guess] = -np.inf
        self.fits[guess] = 0
        return int(np.count_nonzero(self.fits == self.fits.max()))

    def alike(self, place: int) -> np.ndarray | None:
        return np.flatnonzero(self.fits == self.fits[place])


class _Order:
    """Knows only which of two guesses is warmer.

    Keeps the guesses sorted, and the words whose own similarities stand in the same order; each
    new guess is compared with its two neighbours.
    """

    def __init__(self, embedding, rng, opener):
        self.embedding = embedding
        self.first = _opener(embedding) if opener is None else opener
        self.places = np.arange(len(embedding))
        self.scores: list[float] = []  # of the guesses, falling
        self.similar: list[np.ndarray] = []  # of the candidates with each guess

    def choose(self) -> int | None:
        if not self.scores:
            return self.first
        return int(self.places[0]) if len(self.places) else None

    def learn(self, guess: int, score: float, cosines=None) -> int:
        mine = self.embedding.cosines(guess, self.places) if cosines is None else cosines
        # Equal scores tell nothing of the order beneath their rounding: they are passed over.
        warmer = int(np.searchsorted(-np.array(self.scores), -score, side="left")) - 1
        colder = int(np.searchsorted(-np.array(self.scores), -score, side="right"))
        room = 2 * np.float32(self.embedding.rounding)
        keep = self.places != guess
        if warmer >= 0:
            keep &= self.similar[warmer] >= mine - room
        if colder < len(self.scores):
            keep &= mine >= self.similar[colder] - room
        self.scores.insert(colder, score)
        self.similar.insert(colder, mine)
        self.places = self.places[keep]
        self.similar = [cosines[keep] for cosines in self.similar]
        return len(self.places)

    def alike(self, place: int) -> np.ndarray | None:
        return self.places


class _Climb:
    """A player who climbs: guesses the nearest word, not yet guessed, to the warmest guess."""

    def __init__(self, embedding, rng, opener):
        self.embedding, self.guessed = embedding, []
        self.first = int(rng.integers(min(5000, len(embedding)))) if opener is None else opener
        self.warmest, self.cosines = -np.inf, None

    def choose(self) -> int | None:
        if not self.guessed:
            return self.first
        return int(np.argmax(self.cosines)) if len(self.guessed) < len(self.embedding) else None

    def learn(self, guess: int, score: float, cosines=None) -> int:
        self.guessed.append(guess)
        if score > self.warmest:
            own = self.embedding.cosines(guess) if cosines is None else cosines.copy()
            self.warmest, self.cosines = score, own
        self.cosines[self.guessed] = -np.inf
        return len(self.embedding) - len(self.guessed)

    def alike(self, place: int) -> np.ndarray | None:
        return None


# Each makes a solver of (embedding, random generator, first guess or None, share of wrong scores).
# A solver has `first`, the place of its first guess; `choose()`, the next one, None when no word
# is left; `learn(guess, score)`, how many words are left; and `alike(place)`.
_SOLVERS: dict[str, Callable] = {
    "essay": lambda e, rng, opener, wrong: _Elimination(e, rng, opener, ESSAY_TOLERANCE, False),
    "rounded": lambda e, rng, opener, wrong: _Elimination(e, rng, opener, HALF_STEP + SLACK, False),
    "frequent": lambda e, rng, opener, wrong: _Elimination(e, rng, opener, HALF_STEP + SLACK, True),
    "soft": _Soft,
    "order": lambda e, rng, opener, wrong: _Order(e, rng, opener),
    "climb": lambda e, rng, opener, wrong: _Climb(e, rng, opener),
}
METHODS = tuple(_SOLVERS)


@dataclass(frozen=True)
class SemantleGame:
    """A game as a solver played it.

    Attributes
    ----------
    guesses, scores : tuple
        The words guessed, and what the game said of each.
    remaining : tuple of int
        Words left after each guess, the guess itself not among them unless it won. `soft` never
        rules a word out: it counts the words that fit as many scores as any does.
    answer : str or None
        The target; None when no word fits, or the guesses ran out.
    tied : frozenset of str
        The words that share the answer's vector, itself among them; empty when there is but one.
    note : str
        Where there is no answer: the nearest miss and the score that looks wrong, if three or
        more scores can tell.
    """

    guesses: tuple[str, ...]
    scores: tuple[float, ...]
    remaining: tuple[int, ...]
    answer: str | None
    tied: frozenset[str] = frozenset()
    note: str = ""


def _explain(embedding: Embedding, guesses: list[str], scores: list[float]) -> str:
    best = near_misses(embedding, guesses, scores, count=1).iloc[0]
    if best["fits"] < 2:
        return (
            f"no word fits all {len(scores)} scores, nor any two of them, so which is wrong cannot "
            f"be told; the nearest miss is {best['word']!r}, which would get {best['own']:.2f} for "
            f"{best['suspect']!r} (it was {best['shown']:.2f})"
        )
    return (
        f"no word fits all {len(scores)} scores; the nearest miss is {best['word']!r}, which fits "
        f"{best['fits']}: the score of {best['suspect']!r} looks wrong "
        f"(it was {best['shown']:.2f}; {best['word']!r} would get {best['own']:.2f})"
    )


def _twins(solver, guesses: list[str]) -> frozenset[str]:
    """The words that share the last guess's vector, itself among them, if there is another.

    What shares its vector fits the scores that it fits, so only these and the guesses are compared.
    """
    embedding = solver.embedding
    *others, answer = [embedding.place(word) for word in guesses]
    places = solver.alike(answer)
    if places is None:
        places = np.flatnonzero(embedding.cosines(answer) >= 1 - 2 * embedding.rounding)
    places = np.union1d(places, [*others, answer])
    same = places[embedding.exact_cosines(answer, places) >= 1 - 1e-12]
    return frozenset(embedding.index_to_key[place] for place in same if len(same) > 1)


def play_out(game, solver, most: int, cosines: np.ndarray | None = None) -> SemantleGame:
    """A game by a solver; `cosines` are those of all words with its first guess, if known."""
    embedding = solver.embedding
    guesses, scores, remaining, answer = [], [], [], None
    # A game that has been won before stays won, so then only a score can tell.
    tells = getattr(game, "solved", None) is False
    while answer is None and len(guesses) < most and (place := solver.choose()) is not None:
        word = embedding.index_to_key[place]
        score = check_score(game.guess(word), word)
        guesses.append(word)
        scores.append(score)
        if game.solved if tells else score >= 100 - HALF_STEP:
            answer = word
            remaining.append(1)
        else:
            remaining.append(solver.learn(place, score, cosines if len(guesses) == 1 else None))
    tied, note = frozenset(), ""
    if answer is not None:
        tied = _twins(solver, guesses)
    elif not isinstance(solver, (_Order, _Climb)):
        note = _explain(embedding, guesses, scores)
    return SemantleGame(tuple(guesses), tuple(scores), tuple(remaining), answer, tied, note)


def solve_semantle(
    game,
    method: str = "soft",
    embedding: Embedding | None = None,
    seed: int = 0,
    opener: str | None = None,
    wrong: float = 0.1,
    most: int = 100,
) -> SemantleGame:
    """Play a game by guesses alone.

    Parameters
    ----------
    game : Semantle or like it
        Only ``game.guess(word)`` and, if there is one, ``game.solved`` are used. Without `solved`,
        or where the game has been won before, a score of 100.00 wins; words that share that vector
        are then told by `tied` alone.
    method : str
        ``essay``: a random word among those within 0.0001 of each cosine. ``rounded``: a random
        word among those that each score can be, rounded to two decimals. ``frequent``: the most
        frequent of these, from the first guess on. ``soft``: the most probable word, where every
        score may be wrong. ``order``: only which guess is warmer is used, not how warm.
        ``climb``: no solver but a player to compare with, who guesses the nearest neighbour of
        the warmest word so far.
    embedding : Embedding, optional
        The words that are candidates and their vectors; by default the game's own, and of a game
        that shows none the default of `load_embedding`.
    seed : int
        Of the random choices.
    opener : str, optional
        The first guess, instead of a random or a computed one.
    wrong : float
        `soft` only: the share of scores taken to be wrong, above 0 and below 1.
    most : int
        Guesses after which it gives up.

    Raises
    ------
    ValueError
        For an unknown method, a share beyond its range, a score that is no number within ±100.
    KeyError
        For an opener that the embedding does not have.
    """
    if embedding is None:
        embedding = getattr(game, "embedding", None)
    if embedding is None:
        embedding = load_embedding()
    first = None if opener is None else find_word(embedding, opener)
    return play_out(game, make_solver(embedding, method, seed, first, wrong), most)


def make_solver(embedding: Embedding, method: str, seed: int, opener: int | None, wrong: float):
    """The solver of a name; ValueError for a name or a share out of range."""
    if method not in _SOLVERS:
        raise ValueError(f"no method {method!r}: the methods are {', '.join(METHODS)}")
    if not 0 < wrong < 1:
        raise ValueError(f"wrong={wrong!r}: a share of wrong scores lies between 0 and 1")
    return _SOLVERS[method](embedding, np.random.default_rng(seed), opener, wrong)


# --- what the notebooks measure ---------------------------------------------------------------
