"""The game Semantle, and what a score says.

A guess is scored by 100 times its cosine similarity with a hidden word, shown with two decimals.
So each score says on which ring around the guess, 0.01 wide, the target lies.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from decimal import ROUND_HALF_UP, Decimal
from functools import partial

import numpy as np
import pandas as pd

from wordgames.vectors.embedding import Embedding

HALF_STEP = 0.005  # a score of two decimals is the true one within this
# What single precision may add: 16 units in the last place of a cosine. Whoever computed the
# score may have used float32; the true target must fit all the same.
SLACK = 1e-4
WARM = 1000  # the game ranks this many words, the target included


def shown_score(cosine: float) -> float:
    """The score that the page shows: 100 times the cosine, two decimals, halves away from zero.

    >>> shown_score(0.0602), shown_score(-0.00125)
    (6.02, -0.13)
    """
    exact = Decimal(100 * float(cosine)).quantize(Decimal("0.01"), ROUND_HALF_UP)
    return float(exact) + 0.0  # no minus before a zero


def is_win(score: float) -> bool:
    """Whether a game shows this score, 100.00, for its target."""
    return score >= 100 - HALF_STEP


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

    What was typed comes first, for there are words with spaces. Then spaces become underscores;
    then other case; then American spelling of these; then spaces again, and accents in the other
    forms that Unicode has for them.

    >>> list(spellings("New york"))[:4]
    ['New york', 'New_york', 'new_york', 'New_York']
    """
    yield word  # as a rule this is it: the others are made only when it is not
    tried = {word: None}
    for form in (str, *(partial(unicodedata.normalize, form) for form in ("NFC", "NFD", "NFKC"))):
        parts = re.split(r"[\s_]+", form(word).strip())
        for mark in ("_", " ", "\xa0", "\u3000"):
            typed = mark.join(parts)
            titled = mark.join(part[:1].upper() + part[1:] for part in typed.lower().split(mark))
            capital = typed[:1].upper() + typed[1:].lower()
            cases = [typed, typed.lower(), capital, titled, typed.upper()]
            american = [re.sub(*pair, case) for case in cases for pair in _AMERICAN]
            tried |= dict.fromkeys(cases + american)
    yield from list(tried)[1:]


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
    place = known_place(embedding, word)
    return embedding.place(re.sub(r"\s+", "_", word.strip())) if place < 0 else place


def known_place(embedding: Embedding, word: str) -> int:
    """As `find_word`, but -1 for what is not there."""
    places = map(embedding.index_to_key.find, spellings(word))
    return next((place for place in places if place >= 0), -1)


def same_word(one: str, other: str) -> bool:
    """Whether two spellings differ in case, in the form of spaces or of accents only.

    >>> same_word("new york", "New_York"), same_word("nice", "niece")
    (True, False)
    """
    return _plain(one) == _plain(other)


def _plain(word: str) -> str:
    return re.sub(r"[\s_]+", "_", unicodedata.normalize("NFC", word).strip()).casefold()


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
        Whether the target's own word was guessed, in any case: *Nice* wins for *nice*, even where
        the embedding has both. A score of 100.00 is not enough: another word may have the same
        vector.

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

    def find(self, word: str) -> int:
        """Place of a typed word: the target's for its own word in any case, else by `find_word`."""
        if isinstance(word, str) and same_word(word, self.embedding.index_to_key[self._target]):
            return self._target
        return find_word(self.embedding, word)

    def guess(self, word: str) -> float:
        """The score of a word: 100 times its cosine with the target, rounded to two decimals.

        KeyError, with near spellings, for a word that the embedding does not have.
        """
        place = self.find(word)
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
        return self._ranks.get(self.find(word))

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


def fitting_places(
    embedding: Embedding,
    guess: int,
    score: float,
    places: np.ndarray | None = None,
    *,
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


_MINUS = dict.fromkeys(map(ord, "\u2212\u2013\u2014\u2010\u2011\u2012\ufe63\uff0d"), "-")


def read_score(text: str, word: str) -> tuple[float, float]:
    """A score as a person types it, and how far the true one may be from it.

    ValueError for what is no number, or beyond 100 either way.

    >>> read_score("\u22123,2 %", "house")
    (-3.2, 0.0501)
    """
    plain = re.sub(r"[\s%]", "", str(text)).translate(_MINUS).replace(",", ".")
    if not re.fullmatch(r"[-+]?\d{1,3}(\.\d*)?", plain):
        raise ValueError(f"“{str(text)[:20]}” is not a score: type a number such as 27.55 or -3.21")
    decimals = min(2, len(plain.partition(".")[2]))
    return check_score(plain, word), round(HALF_STEP * 10 ** (2 - decimals) + SLACK, 6)


def check_scores(embedding: Embedding, guesses: Sequence[str], scores: Sequence) -> list[tuple]:
    """Pairs (index of the guess, score), checked; ValueError or KeyError names a bad one."""
    if len(guesses) != len(scores):
        raise ValueError(f"{len(guesses)} guesses but {len(scores)} scores: each has one")
    return [
        (find_word(embedding, word), check_score(score, word))
        for word, score in zip(guesses, scores, strict=True)
    ]


def fitting_words(
    embedding: Embedding,
    guesses: Sequence[str],
    scores: Sequence[float],
    *,
    tolerance: float | Sequence[float] = HALF_STEP + SLACK,
) -> list[str]:
    """The words that fit all scores, the most frequent first: the game replayed by elimination.

    A tolerance for each score, or one for all: see `fitting_places`.
    """
    places = None
    pairs = check_scores(embedding, guesses, scores)
    for (guess, score), room in zip(pairs, np.broadcast_to(tolerance, len(pairs)), strict=True):
        places = fitting_places(embedding, guess, score, places, tolerance=room)
    if places is None:
        return list(embedding.index_to_key)
    return [embedding.index_to_key[place] for place in places]


def near_misses(
    embedding: Embedding, guesses: Sequence[str], scores: Sequence[float], *, count: int = 5
) -> pd.DataFrame:
    """The words that fit the most scores, and of each the score that fits it least.

    Returns
    -------
    DataFrame
        A row a word, the best first: those that fit more scores, then the smaller worst miss.
        Columns word, fits (how many scores), suspect (the guess whose score fits least), shown
        (that score) and own (what the word would have got).
    """
    pairs = check_scores(embedding, guesses, scores)
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
