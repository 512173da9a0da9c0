"""The game Semantle and its solvers.

A guess is scored by 100 times its cosine similarity with a hidden word, shown with two decimals.
So each score says on which ring around the guess, 0.01 wide, the target lies, and a solver keeps
the words on all rings.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from weakref import WeakKeyDictionary

import numpy as np
import pandas as pd
from tqdm import tqdm

from wordgames._compiled import compiled, in_ranges
from wordgames.embeddings import Embedding, load_embedding

HALF_STEP = 0.005  # a score of two decimals is the true one within this
# What single precision may add: 16 units in the last place of a cosine. Whoever computed the
# score may have used float32; the true target must fit all the same.
SLACK = 1e-4
ESSAY_TOLERANCE = 0.01  # the essay's 1e-4 of the cosine, on the scale of scores
WARM = 1000  # the game ranks this many words, the target included


def shown_score(cosine: float) -> float:
    """The score that the page shows: 100 times the cosine, two decimals, halves away from zero.

    >>> shown_score(0.0602), shown_score(-0.00125)
    (6.02, -0.13)
    """
    exact = Decimal(100 * float(cosine)).quantize(Decimal("0.01"), ROUND_HALF_UP)
    return float(exact) + 0.0  # no minus before a zero


# --- the game ---------------------------------------------------------------------------------

# British endings and their American forms; only what is a word of the embedding is ever tried.
_AMERICAN = (
    (r"our(?=$|s$|ed$|ing$|ful|less|ite|able|hood)", "or"),
    (r"is(?=e$|es$|ed$|er$|ers$|ing$|ation$|ations$)", "iz"),
    (r"ys(?=e$|es$|ed$|er$|ers$|ing$)", "yz"),
    (r"(?<=[bcdghptv])re$", "er"),
    (r"(?<=[bcdghptv])res$", "ers"),
    (r"ogue(?=$|s$)", "og"),
    (r"ence$", "ense"),
    (r"ll(?=ed$|ing$|er$|ers$)", "l"),
    (r"(?<=i)l(?=ment|ful)", "ll"),
    (r"ae|oe", "e"),
    (r"grey", "gray"),
    (r"mould", "mold"),
    (r"plough", "plow"),
    (r"tyre", "tire"),
    (r"programme", "program"),
    (r"jewell", "jewel"),
)


def spellings(word: str) -> Iterator[str]:
    """The spellings that the game tries for what was typed, in order, each once.

    Spaces become underscores; then other case; then American spelling of these.

    >>> list(spellings("New york"))[:3]
    ['New_york', 'new_york', 'New_York']
    """
    typed = re.sub(r"\s+", "_", word.strip())
    yield typed  # as a rule this is it: the others are made only when it is not
    titled = "_".join(part[:1].upper() + part[1:] for part in typed.lower().split("_"))
    cases = [typed, typed.lower(), typed[:1].upper() + typed[1:].lower(), titled, typed.upper()]
    american = [re.sub(british, ours, case) for case in cases for british, ours in _AMERICAN]
    yield from list(dict.fromkeys(cases + american))[1:]


def find_word(embedding: Embedding, word: str) -> int:
    """Place of a typed word in the embedding, by the first of its `spellings` that is there.

    Raises
    ------
    KeyError
        With near spellings, when none is.
    TypeError
        For what is no text.
    """
    if not isinstance(word, str):
        raise TypeError(f"a guess is a word, not {word!r} of type {type(word).__name__}")
    for spelling in spellings(word):
        place = embedding.index_to_key.find(spelling)
        if place >= 0:
            return place
    return embedding.place(re.sub(r"\s+", "_", word.strip()))


class Semantle:
    """A game with a hidden target.

    Parameters
    ----------
    embedding : Embedding
    target : str
        A word of the embedding, found as guesses are. KeyError names near spellings.

    Attributes
    ----------
    guesses, scores : list
        Each word guessed, as the embedding spells it, and its score; a word counts once.
    solved : bool
        Whether the target's own word was guessed. A score of 100.00 is not enough: another word
        may have the same vector.

    >>> from wordgames import load_embedding
    >>> game = Semantle(load_embedding(), "medical")
    >>> game.guess("philosophy"), game.guess("Medicine"), game.solved
    (44.17, 87.19, False)
    """

    def __init__(self, embedding: Embedding, target: str):
        self.embedding = embedding
        self._target = find_word(embedding, target)
        self._ranks: dict[int, int] | None = None
        self.guesses: list[str] = []
        self.scores: list[float] = []
        self.solved = False

    def guess(self, word: str) -> float:
        """The score of a word: 100 times its cosine with the target, rounded to two decimals.

        KeyError, with near spellings, for a word that the embedding does not have.
        """
        place = find_word(self.embedding, word)
        spelt = self.embedding.index_to_key[place]
        if spelt not in self.guesses:
            cosine = self.embedding.exact_cosines(place, self._target)[0]
            self.guesses.append(spelt)
            self.scores.append(shown_score(cosine))
        self.solved = self.solved or place == self._target
        return self.scores[self.guesses.index(spelt)]

    def rank(self, word: str) -> int | None:
        """How near a word is: 1,000 for the target, 999 for the word nearest to it, down to 1.

        None for a word that is not among these.
        """
        if self._ranks is None:
            near = self.embedding.nearest(self._target, WARM - 1, but=[self._target])
            self._ranks = {int(place): WARM - 1 - step for step, place in enumerate(near)}
            self._ranks[self._target] = WARM
        return self._ranks.get(find_word(self.embedding, word))

    def nearest(self, count: int = 10) -> pd.DataFrame:
        """The words nearest to the target, and their scores. ValueError before the game is won."""
        if not self.solved:
            raise ValueError("the nearest words are shown after the target has been guessed")
        near = self.embedding.nearest(self._target, count, but=[self._target])
        cosines = self.embedding.exact_cosines(self._target, near)
        return pd.DataFrame(
            {
                "word": [self.embedding.index_to_key[place] for place in near],
                "score": [shown_score(cosine) for cosine in cosines],
            }
        )


# --- what a score says ------------------------------------------------------------------------


def fitting(
    embedding: Embedding,
    guess: int,
    score: float,
    places: np.ndarray | None = None,
    tolerance: float = HALF_STEP + SLACK,
    cosines: np.ndarray | None = None,
) -> np.ndarray:
    """Places of the words whose similarity with a guess is that of a score.

    A pass in single precision, with room for its rounding, and then the few that are left in
    double precision.

    Parameters
    ----------
    guess : int
        Place of the guessed word.
    score : float
        100 times the cosine, as shown.
    places : int array, optional
        Which words to look at; None: all.
    tolerance : float
        How far 100 times the cosine may be from the score; SLACK is part of the default.
    cosines : float32 array, optional
        ``embedding.cosines(guess, places)``, if known.
    """
    if cosines is None:
        cosines = embedding.cosines(guess, places)
    room = tolerance / 100 + embedding.rounding
    near = np.flatnonzero(np.abs(cosines - np.float32(score / 100)) <= room + 2.0**-24)
    near = near if places is None else places[near]
    exact = embedding.exact_cosines(guess, near)
    return near[np.abs(100 * exact - score) <= tolerance]


def check_score(score, word: str) -> float:
    """A score as float. ValueError for what is no number, or beyond 100 either way."""
    try:
        value = float(score)
    except (TypeError, ValueError):
        value = np.nan
    if not abs(value) <= 100 + SLACK:
        raise ValueError(
            f"the score of {word!r} is {score!r}: a score is 100 times a cosine, "
            "a number from -100 to 100"
        )
    return value


def _check_scores(embedding: Embedding, guesses: Sequence[str], scores: Sequence) -> list[tuple]:
    if len(guesses) != len(scores):
        raise ValueError(f"{len(guesses)} guesses but {len(scores)} scores: each has one")
    return [
        (find_word(embedding, word), check_score(score, word))
        for word, score in zip(guesses, scores, strict=True)
    ]


def candidates(
    embedding: Embedding,
    guesses: Sequence[str],
    scores: Sequence[float],
    tolerance: float = HALF_STEP + SLACK,
) -> list[str]:
    """The words that fit all scores, the most frequent first: the game replayed by elimination."""
    places = None
    for guess, score in _check_scores(embedding, guesses, scores):
        places = fitting(embedding, guess, score, places, tolerance)
    if places is None:
        return list(embedding.index_to_key)
    return [embedding.index_to_key[place] for place in places]


def near_misses(
    embedding: Embedding, guesses: Sequence[str], scores: Sequence[float], count: int = 5
) -> pd.DataFrame:
    """The words that fit the most scores, and of each the score that fits it least.

    Returns
    -------
    DataFrame
        A row a word, the best first: those that fit more scores, then the smaller worst miss.
        Columns word, fits (how many scores), suspect (the guess whose score fits least), shown
        (that score) and own (what the word would have got).
    """
    pairs = _check_scores(embedding, guesses, scores)
    if not pairs:
        raise ValueError("without a guess every word fits: give guesses and their scores")
    misses = np.stack(
        [np.abs(100 * embedding.cosines(guess) - np.float32(score)) for guess, score in pairs]
    )
    room = HALF_STEP + SLACK + 100 * embedding.rounding
    fits, worst = (misses <= room).sum(0), misses.max(0)
    count = min(count, len(embedding))
    at_least = np.bincount(fits, minlength=len(pairs) + 1)[::-1].cumsum()[::-1]
    places = np.flatnonzero(fits >= np.flatnonzero(at_least >= count).max())
    places = places[np.lexsort((worst[places], -fits[places]))[:count]]
    suspects = [pairs[step] for step in misses[:, places].argmax(0)]
    return pd.DataFrame(
        {
            "word": [embedding.index_to_key[place] for place in places],
            "fits": fits[places],
            "suspect": [embedding.index_to_key[guess] for guess, _ in suspects],
            "shown": [score for _, score in suspects],
            "own": [
                shown_score(embedding.exact_cosines(guess, place)[0])
                for (guess, _), place in zip(suspects, places, strict=True)
            ],
        }
    )


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


def least_mean(buckets: int, answers: int) -> float:
    """The least mean number of guesses after an opener with so many buckets: 3 - B/N.

    A second guess wins at most once a bucket; every other target needs a third. (An opener that
    is itself an answer wins one game in N at once, which lowers the mean by 1/N.)
    """
    return 3 - buckets / answers


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


def _play(game, solver, most: int, cosines: np.ndarray | None = None) -> SemantleGame:
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
    return _play(game, _solver(embedding, method, seed, first, wrong), most)


def _solver(embedding: Embedding, method: str, seed: int, opener: int | None, wrong: float):
    if method not in _SOLVERS:
        raise ValueError(f"no method {method!r}: the methods are {', '.join(METHODS)}")
    if not 0 < wrong < 1:
        raise ValueError(f"wrong={wrong!r}: a share of wrong scores lies between 0 and 1")
    return _SOLVERS[method](embedding, np.random.default_rng(seed), opener, wrong)


class UnreliableSemantle(Semantle):
    """A game that at times shows the score of a random word instead of the guess's own.

    Parameters
    ----------
    embedding, target
        As for `Semantle`; `solved` stays right.
    share : float
        Chance that a score is replaced.
    seed : int
        Of these chances.
    """

    def __init__(self, embedding: Embedding, target: str, share: float, seed: int = 0):
        super().__init__(embedding, target)
        self._share, self._rng = share, np.random.default_rng(seed)

    def guess(self, word: str) -> float:
        known = len(self.guesses)
        score = super().guess(word)
        if len(self.guesses) > known and self._rng.random() < self._share:
            other = int(self._rng.integers(len(self.embedding)))
            score = shown_score(self.embedding.exact_cosines(other, self._target)[0])
            self.scores[-1] = score
        return score


def play_games(
    embedding: Embedding,
    targets: Sequence[str],
    method: str,
    seed: int = 0,
    share: float = 0.0,
    opener: str | None = None,
    wrong: float = 0.1,
    most: int = 100,
) -> list[SemantleGame]:
    """One game a target, each as `solve_semantle` would play it with seed + its number.

    The first guesses' similarities with all words, most of the work, are computed together.

    Parameters
    ----------
    share : float
        Chance that a score is replaced by that of a random word (`UnreliableSemantle`).
    """
    first = None if opener is None else find_word(embedding, opener)
    played, last = [], (None, None)
    block = max(1, min(64, (1 << 26) // len(embedding)))  # some 256 MB of similarities
    for start in tqdm(range(0, len(targets), block), desc=f"Playing {method}", delay=2):
        games, solvers = [], []
        for number, target in enumerate(targets[start : start + block], start):
            games.append(
                UnreliableSemantle(embedding, target, share, seed + number)
                if share
                else Semantle(embedding, target)
            )
            solvers.append(_solver(embedding, method, seed + number, first, wrong))
        firsts = [solver.first for solver in solvers]
        if len(set(firsts)) > 1:
            cosines = embedding.cosines_of_many(embedding.vectors(firsts))
        else:
            if last[0] != firsts[0]:
                last = firsts[0], embedding.cosines(firsts[0])
            cosines = [last[1]] * len(games)
        played += [
            _play(*game, most, own) for *game, own in zip(games, solvers, cosines, strict=True)
        ]
    return played


# --- what the notebooks measure ---------------------------------------------------------------


def popular_words(embedding: Embedding, count: int = 5000, pattern: str = "[a-z]{3,}") -> list[str]:
    """The first words of an embedding that match a pattern as a whole: its possible targets."""
    wanted, words = re.compile(pattern), []
    for word in embedding.index_to_key:
        if wanted.fullmatch(word):
            words.append(word)
            if len(words) == count:
                break
    return words


def summarise(games: Sequence[SemantleGame], targets: Sequence[str]) -> dict:
    """Mean guesses of some games, its standard error, the most guesses, and the games lost.

    A game is lost when its answer is not its target; its guesses count all the same.
    """
    counts = np.array([len(game.guesses) for game in games])
    return {
        "mean guesses": float(counts.mean()),
        "standard error": float(counts.std() / np.sqrt(len(counts))),
        "most": int(counts.max()),
        "lost": sum(game.answer != word for game, word in zip(games, targets, strict=True)),
        "games": len(counts),
    }


def before_the_win(
    embedding: Embedding, targets: Sequence[str], games: Sequence[SemantleGame]
) -> dict:
    """How warm the last guess before the winning one was, over the won games with two or more.

    Returns
    -------
    dict
        Mean first score, mean score of the last guess but one, and the share of games in which
        that guess was among the WARM words nearest to the target.
    """
    won = [
        (word, game)
        for word, game in zip(targets, games, strict=True)
        if game.answer == word and len(game.guesses) > 1
    ]
    ranks = [Semantle(embedding, word).rank(game.guesses[-2]) for word, game in won]
    return {
        "first score": float(np.mean([game.scores[0] for _, game in won])),
        "last but one": float(np.mean([game.scores[-2] for _, game in won])),
        "last but one is warm": float(np.mean([rank is not None for rank in ranks])),
    }


def score_posterior(
    embedding: Embedding,
    guesses: Sequence[str],
    scores: Sequence[float],
    wrong: float = 0.1,
    count: int = 20,
) -> pd.Series:
    """What `soft` believes after some guesses: probability by word, the most probable first.

    The probabilities are over all words; `count` says how many to return.
    """
    solver = _solver(embedding, "soft", 0, 0, wrong)
    for guess, score in _check_scores(embedding, guesses, scores):
        solver.learn(guess, score)
    chance = np.exp(solver.log - solver.log.max(), dtype=np.float64)
    order = np.argsort(-chance, kind="stable")[:count]
    return pd.Series(
        chance[order] / chance.sum(),
        index=pd.Index([embedding.index_to_key[place] for place in order], name="word"),
        name="probability",
    )


def guesses_to_identify(
    embedding: Embedding, targets: Sequence[str], decimals: int = 2, seed: int = 0, most: int = 50
) -> np.ndarray:
    """Guesses until one word fits, whether or not it has been guessed: int (n_targets).

    Each guess is a random word among those that fit. Scores have the given number of decimals.
    A game that is not decided after `most` guesses, as when words share a vector, counts as `most`.
    """
    tolerance = 0.5 * 10.0**-decimals + SLACK * 10.0 ** min(0, 2 - decimals)
    counts = np.empty(len(targets), np.int64)
    for number, word in enumerate(tqdm(targets, desc="Identifying", delay=2)):
        target, rng = embedding.place(word), np.random.default_rng(seed + number)
        places, count = None, 0
        while count < most and (places is None or len(places) > 1):
            guess = int(rng.integers(len(embedding)) if places is None else rng.choice(places))
            score = round(100 * float(embedding.exact_cosines(guess, target)[0]), decimals)
            places = fitting(embedding, guess, score, places, tolerance)
            if guess != target:
                places = places[places != guess]
            count += 1
        counts[number] = count
    return counts


def solve_equations(
    embedding: Embedding, target: str, guesses: Sequence[str], scores: Sequence[float]
) -> pd.DataFrame:
    """The target's direction by least squares, from the first 1, 2, … of some guesses.

    The score of a guess is a linear equation in the target's unit vector. Of all vectors that
    fit the equations best, the shortest is taken, and the word nearest to it named.

    Returns
    -------
    DataFrame
        A row for each number of guesses: guesses, word (the nearest), named (whether that is the
        target) and error (the distance of the vector found from the target's unit vector).
    """
    pairs = _check_scores(embedding, guesses, scores)
    places = [place for place, _ in pairs]
    units = embedding.vectors(places) / embedding.norms[places, None]
    right = np.array([score for _, score in pairs]) / 100
    found = np.stack(
        [
            np.linalg.lstsq(units[:count], right[:count], rcond=None)[0]
            for count in range(1, len(pairs) + 1)
        ]
    )
    place = embedding.place(target)
    truth = embedding.vectors(place) / embedding.norms[place]
    nearest = embedding.cosines_of_many(found).argmax(1)
    return pd.DataFrame(
        {
            "guesses": np.arange(1, len(pairs) + 1),
            "word": [embedding.index_to_key[at] for at in nearest],
            "named": nearest == place,
            "error": np.linalg.norm(found - truth, axis=1),
        }
    )


def ring(centre: np.ndarray, cosine: float, points: int = 200) -> np.ndarray:
    """The points of the unit sphere that have a given cosine with a centre: (points, 3)."""
    centre = np.asarray(centre, float) / np.linalg.norm(centre)
    across = np.cross(centre, np.eye(3)[np.argmin(np.abs(centre))])
    across /= np.linalg.norm(across)
    turns = np.linspace(0, 2 * np.pi, points)[:, None]
    around = np.cos(turns) * across + np.sin(turns) * np.cross(centre, across)
    return cosine * centre + np.sqrt(1 - cosine**2) * around
