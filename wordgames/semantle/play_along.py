"""Playing along with a game of Semantle that is played elsewhere, with one's own vectors."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import log

import numpy as np
import pandas as pd

from wordgames.semantle.experience import learn_experience
from wordgames.semantle.game import (
    check_score,
    find_word,
    fitting_words,
    is_win,
    near_misses,
    read_score,
)
from wordgames.semantle.other_vectors import Calibration, OtherVectors
from wordgames.vectors.embedding import Embedding
from wordgames.vectors.load import load_embedding
from wordgames.words import is_word

# A cosine falls about so much with each step of the rank's natural logarithm. How much exactly is
# learnt with the rest of the calibration.
PER_LOG_RANK = 0.075
RECENT = 10  # past games that are learnt from; more would take long and add little
SAME = 1e-5  # that the vectors at hand are the game's: who had those would hardly need this


class SemantleHelper:
    """Type the guesses and what the game showed; get the leading words and a next guess.

    The game's vectors are not needed. How its scores go with the vectors at hand is learnt from the
    scores typed, so the first few words are hardly more than a search.

    Parameters
    ----------
    embedding : Embedding, optional
        The vectors at hand; by default those that come with this project.
    ranks : bool
        The game shows no score but a rank, 1 for the target, as Contexto does. Where a game shows
        both, the score tells more.
    past : sequence of (str, mapping of str to float)
        Games of the same kind that were played before: the target of each, and what the game
        showed for each guess. What they tell of the two models makes the guesses better.

    Attributes
    ----------
    entries : dict
        What was entered: score, or rank, by word as the embedding spells it.
    past : list of (str, dict)
        The games before this one. A game that was won joins them when it is cleared.

    Notes
    -----
    To use it, for instance behind a board::

        helper = SemantleHelper(load_embedding())
        helper.guess                     # what to try first: a word
        helper.enter("philosophy", 6.02) # what the game showed for a word
        helper.enter("biology", 27.55)
        helper.leading(10)               # Series: probability by word, the highest first
        helper.guess                     # the next guess; None after a win
        helper.remaining                 # so many words hold nine tenths of the probability
        helper.refuse(helper.guess)      # the game does not know that word
        helper.remove("biology")         # a score that was mistyped
        helper.calibration               # offset, slope, error, correlation; None at first
        helper.remark                    # empty, or that nothing correlates
        helper.entries, helper.solved    # {word: score}; the target, or None
        helper.clear()                   # a new game, which profits from the ones that were won
    """

    def __init__(
        self,
        embedding: Embedding | None = None,
        *,
        ranks: bool = False,
        past: Sequence[tuple[str, Mapping[str, float]]] = (),
    ):
        self.embedding = load_embedding() if embedding is None else embedding
        self.ranks = ranks
        self._possible = np.array([is_word(word) for word in self.embedding.index_to_key])
        if not self._possible.any():
            self._possible[:] = True
        self._learn(list(past))
        self.entries: dict[str, float] = {}
        self.clear()

    def clear(self) -> None:
        """Forget all entries: a new game. What a game that was won tells of the models is kept."""
        if self.solved:
            self._learn([*self.past, (self.solved, self.entries)])
        self.entries = {}
        self._refused: set[str] = set()
        self._solver = self._new_solver()

    def _learn(self, past: list) -> None:
        recent = past[-RECENT:]
        if self.ranks:
            recent = [(target, self._as_scores(shown)) for target, shown in recent]
        self._experience = replace(learn_experience(self.embedding, recent), same=SAME)
        self.past = past

    def _as_scores(self, ranks: Mapping[str, float]) -> dict[str, float]:
        return {word: self._score(self._check(rank, word)) for word, rank in ranks.items()}

    def enter(self, word: str, shown: float) -> None:
        """Take a guess and what the game showed for it into account.

        Raises
        ------
        KeyError
            For a word that the vectors do not have, with near spellings. It can be left out.
        ValueError
            For a score that is not a number within ±100, a rank below 1, another value than was
            entered for the word before, or a second word that wins.
        """
        place = find_word(self.embedding, word)
        word = self.embedding.index_to_key[place]
        value = self._check(shown, word)
        before = self.entries.get(word)
        if before is not None:
            if before != value:
                raise ValueError(
                    f"{word!r} was entered with {before:g} and now with {value:g}: a word has one "
                    "value in a game; remove it and enter the right one"
                )
            return
        if self.solved and self._wins(value):
            raise ValueError(
                f"{word!r} cannot win too: {self.solved!r} did; remove it if that was a mistake"
            )
        self.entries[word] = value
        if not self._wins(value):
            self._solver.learn(place, self._score(value))

    def remove(self, word: str) -> None:
        """Take an entry, or a refusal, back. KeyError for a word that was not entered."""
        word = self.embedding.index_to_key[find_word(self.embedding, word)]
        if word in self._refused:
            self._refused.remove(word)
        elif word in self.entries:
            del self.entries[word]
        else:
            raise KeyError(f"{word!r} was not entered: entered are {', '.join(self.entries)}")
        self._solver = self._new_solver()

    def refuse(self, word: str) -> None:
        """Take note that the game does not know a word: it is not suggested again."""
        place = find_word(self.embedding, word)
        self._refused.add(self.embedding.index_to_key[place])
        self._solver.refuse(place)

    @property
    def solved(self) -> str | None:
        """The target, once it was entered as a win."""
        return next((word for word, value in self.entries.items() if self._wins(value)), None)

    @property
    def guess(self) -> str | None:
        """The next guess; None when the game is won or no word is left."""
        place = None if self.solved else self._solver.choose()
        return None if place is None else self.embedding.index_to_key[place]

    def leading(self, count: int = 10) -> pd.Series:
        """The words most likely to be the target: probability by word, over all words."""
        if self.solved:
            return pd.Series({self.solved: 1.0}, name="probability").rename_axis("word")
        return self._solver.leading(count)

    @property
    def remaining(self) -> int:
        """How many words, the most probable first, hold nine tenths of the probability."""
        return 1 if self.solved else self._solver.remaining()

    @property
    def calibration(self) -> Calibration | None:
        """How what the game shows goes with the vectors; None before three entries."""
        return self._solver.calibration() if len(self._solver.guessed) >= 3 else None

    @property
    def remark(self) -> str:
        """Says so when what was entered has nothing to do with the vectors; as a rule empty."""
        return self._solver.remark()

    def _new_solver(self) -> OtherVectors:
        solver = OtherVectors(
            self.embedding,
            np.random.default_rng(0),
            experience=self._experience,
            possible=self._possible,
        )
        for word, value in self.entries.items():
            if not self._wins(value):
                solver.learn(self.embedding.place(word), self._score(value))
        for word in self._refused:
            solver.refuse(self.embedding.place(word))
        return solver

    def _check(self, shown, word: str) -> float:
        if not self.ranks:
            return check_score(shown, word)
        try:
            rank = int(shown)
        except (OverflowError, TypeError, ValueError):
            rank = 0
        if rank < 1 or rank != float(shown):
            raise ValueError(f"the rank of {word!r} is {shown!r}: a rank is a whole number from 1")
        return float(rank)

    def _wins(self, value: float) -> bool:
        return value == 1 if self.ranks else is_win(value)

    def _score(self, value: float) -> float:
        return max(100 * (1 - PER_LOG_RANK * log(value)), -100.0) if self.ranks else value


# --- as a person types them -----------------------------------------------------------------------


def read_typed(embedding: Embedding, typed: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Guesses and scores as they were typed, each guess once, as the embedding spells it.

    The later score of a guess counts. KeyError for a guess that the vectors do not have; ValueError
    for what is no score, or a second guess that wins.
    """
    pairs, won = {}, ""
    for word, shown in typed:
        spelt = embedding.index_to_key[find_word(embedding, word)]
        if is_win(read_score(shown, word)[0]):
            if won not in ("", spelt):
                raise ValueError(f"{won} got 100 already.")
            won = spelt
        pairs[spelt] = str(shown)
    return list(pairs.items())


def fitting_typed(embedding: Embedding, typed: Sequence[tuple[str, str]]) -> list[str]:
    """The words that fit all scores as they were typed (`read_score`), the most frequent first."""
    read = [read_score(text, word) for word, text in typed]
    scores, rooms = np.reshape(read, (-1, 2)).T
    return fitting_words(embedding, [word for word, _ in typed], scores, tolerance=rooms)


def advise(helper: SemantleHelper, typed: Sequence[tuple[str, str]]) -> dict:
    """What to say of a game of which a person typed guesses and scores.

    The helper's entries become what was typed.

    Parameters
    ----------
    helper : SemantleHelper
    typed : sequence of (str, str)
        Each guess once, and its score as `read_score` takes it.

    Returns
    -------
    dict
        ``said``: a sentence or two; ``next``: a guess, or empty text; ``likely``: words and their
        probabilities; ``suspect``: the guess whose score looks wrong, or empty text; ``remaining``:
        how many words fit all scores exactly; ``rows``: what was typed.
    """
    scores = {word: read_score(shown, word)[0] for word, shown in typed}
    for word, score in list(helper.entries.items()):
        if scores.get(word) != score:
            helper.remove(word)
    for word, score in scores.items():
        helper.enter(word, score)
    advice: dict = {"rows": list(map(list, typed)), "suspect": "", "next": "", "likely": []}
    fits = fitting_typed(helper.embedding, typed) if scores else []
    fits = [word for word in fits if word not in scores]
    advice["remaining"] = len(fits)
    if not scores:
        said = "Type a guess that you made, and the score that it got."
    elif helper.solved:
        said = f"{helper.solved} is the word. Start again, and this game helps with the next."
    else:
        advice["likely"] = [[word, float(chance)] for word, chance in helper.leading(8).items()]
        advice["next"] = fits[0] if fits else helper.guess or ""
        said = f"If the game has these vectors, {len(fits):,} words fit exactly."
        if fits:
            said = f"{said[:-1]}: {', '.join(fits[:8])}{', …' * (len(fits) > 8)}."
        elif len(scores) > 2:
            shown = list(scores.values())
            miss = near_misses(helper.embedding, list(scores), shown, count=1).iloc[0]
            if miss["fits"] == len(scores) - 1:
                advice["suspect"] = miss["suspect"]
                said = (
                    f"All scores but one fit {miss['word']}; for {miss['suspect']} it would "
                    f"show {miss['own']:.2f}, not {miss['shown']:.2f}."
                )
    return advice | {"said": said}
