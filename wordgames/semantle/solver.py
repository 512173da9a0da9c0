"""What every solver of Semantle shares: the form of one, and its first guess."""

from weakref import WeakKeyDictionary

import numpy as np

from wordgames._compiled import compiled, in_ranges
from wordgames.vectors.embedding import Embedding


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
    units = embedding.units(answers)
    counts = np.empty(len(guesses), np.int64)
    for start in range(0, len(guesses), 256):
        some = guesses[start : start + 256]
        cosines = embedding.units(some) @ units.T
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


_OPENERS: WeakKeyDictionary = WeakKeyDictionary()  # computed once for an embedding


class Solver:
    """A way to choose the next guess from the scores so far. Places are indices into the embedding.

    A subclass gives `choose` and `learn`. One that keeps anything sets it up in `__init__`, whose
    first three parameters are these; further ones are options that `solve_semantle` passes on.

    Parameters
    ----------
    embedding : Embedding
        The words that it takes for possible, and their vectors.
    rng : numpy.random.Generator
        The source of all its random choices.
    opener : int, optional
        The place of the first guess. None: the solver's own.

    Attributes
    ----------
    opener : int
        The place of the first guess.
    explains : bool
        Whether the solver trusts the scores, so that when no word fits them it makes sense to ask
        which one is wrong.
    """

    explains = False

    def __init__(self, embedding: Embedding, rng: np.random.Generator, opener: int | None = None):
        self.embedding, self.rng = embedding, rng
        self.opener = self.own_opener() if opener is None else opener

    def own_opener(self) -> int:
        """The place of its first guess where none is given: by default that of `best_opener`."""
        if self.embedding not in _OPENERS:
            _OPENERS[self.embedding] = best_opener(self.embedding)
        return _OPENERS[self.embedding]

    def choose(self) -> int | None:
        """The place of the next guess, or None when no word is left."""
        raise NotImplementedError

    def looks_at_all(self, score: float) -> bool:
        """Whether `learn`, with that score of its guess, compares the guess with all words.

        If so it is given the similarities, which are quicker to compute for many games at once.
        """
        return False

    def learn(self, guess: int, score: float, cosines: np.ndarray | None = None) -> int:
        """Take the score of a guess into account.

        Parameters
        ----------
        guess : int
        score : float
        cosines : float32 array (n,), optional
            ``embedding.cosines(guess)``, if known; it must not be changed.

        Returns
        -------
        int
            How many words are left, the guess not among them.
        """
        raise NotImplementedError

    def refuse(self, place: int) -> bool:
        """Take note that the game does not know a word.

        False where the solver takes the game's words for its own: the game's error then ends it.
        """
        return False

    def remark(self) -> str:
        """What a reader of the game's result should know; as a rule nothing."""
        return ""

    def alike(self, place: int) -> np.ndarray | None:
        """Places of the words that fit all scores that this one fits; None: any may."""
        return None


# --- what those share that rule no word out ---------------------------------------------------

COMMON = 20_000  # half of the targets are taken to be among so many most frequent words


def target_log_prior(count: int) -> np.ndarray:
    """Log probability, up to a constant, that a word is a game's target, by its place: float32 (n).

    Proportional to 1 / (place + 20,000)²: nearly flat over the words that games choose from, which
    are frequent but not chosen by their frequency, and falling beyond them.
    """
    return -2 * np.log(np.arange(count, dtype=np.float32) + np.float32(COMMON))


def chances_of(log: np.ndarray) -> np.ndarray:
    """Probabilities, of sum 1, from their logs up to a constant; zeros where no word is left."""
    highest = log.max()
    if highest == -np.inf:
        return np.zeros(len(log))
    chances = np.exp(log - highest, dtype=float)
    return chances / chances.sum()


def holding(chances: np.ndarray, share: float = 0.9) -> int:
    """How many of the words, the most probable first, hold a share of the probability."""
    falling = np.cumsum(np.sort(chances[chances > 1e-9])[::-1])
    return min(int(np.searchsorted(falling, share)) + 1, len(falling))
