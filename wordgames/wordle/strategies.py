"""Ways to choose the next guess; playing a game; the tournament.

Two families of strategies. `LetterScore` is the letter-score essay's method with its faults, and
each improvement that its author proposed as a flag. `Partition` holds the field's strategies: a
guess splits the words that fit into parts, one for each pattern, and a number that is computed from
the sizes of the parts says how good the guess is. `Optimal` follows a tree of
`wordgames.wordle.tree_search`.

A strategy is deterministic, so all games that have shown the same feedback so far are one position.
`games` walks the tree of positions and chooses one guess at each, not one in each game. A position
is sets of indices into the allowed words; a guess's patterns are sums of the rows of a small table
(`wordgames.patterns.letter_parts`), so no matrix of patterns is held.
"""

import html
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from typing import NamedTuple

import numpy as np
import pandas as pd

from wordgames._cluster import in_pieces
from wordgames._compiled import compiled, in_ranges
from wordgames._hints import did_you_mean, whole_number
from wordgames._progress import progress
from wordgames.patterns import (
    GUESSES,
    encode,
    format_pattern,
    hard_mode_allows,
    letter_parts,
    revealed_letters,
    solved,
)
from wordgames.wordle import partitions
from wordgames.words import WordList

# ---------------------------------------------------------------------------------------------
# What a player knows


@dataclass(frozen=True, eq=False)
class Lexicon:
    """A word list as arrays; words are indices into `words.allowed`.

    Attributes
    ----------
    parts, rows : ndarray
        As `wordgames.patterns.letter_parts` of the allowed words against themselves.
    letters : ndarray (n_allowed, length), int32
        Letters as numbers from 0.
    has : ndarray (n_letters, n_allowed), bool
        Whether a word has a letter.
    sets : ndarray (n_sets, ceil(n_letters / 64)), uint64
        The different sets of letters that words have, a bit for each letter.
    set_of : ndarray (n_allowed,)
        The row of `sets` of each word.
    """

    words: WordList
    parts: np.ndarray
    rows: np.ndarray
    letters: np.ndarray
    has: np.ndarray
    sets: np.ndarray
    set_of: np.ndarray

    def patterns(self, guess: int, answers: np.ndarray) -> np.ndarray:
        """The pattern of one guess against some answers."""
        parts = self.parts[self.rows[guess][:, None], answers]
        return parts.sum(axis=0, dtype=parts.dtype)

    def naive_patterns(self, guess: int, answers: np.ndarray) -> np.ndarray:
        """The same by the rule that the letter-score essay's filter takes for the game's.

        A letter is green in its place, yellow wherever else the answer has it at all, and grey if
        the answer lacks it; how often it has it does not count. So the filter (absent letters,
        misplaced ones, placed ones) throws the answer away when the game shows something else.
        """
        letters = self.letters[guess]
        codes = np.zeros(len(answers), self.parts.dtype)
        for letter, column in zip(letters, self.letters[answers].T, strict=True):
            codes *= 3
            codes += self.has[letter, answers]
            codes += column == letter
        return codes


def _as_bits(flags: np.ndarray) -> np.ndarray:
    """Rows of flags as whole 64-bit words of bits."""
    n_bytes = -(-flags.shape[1] // 64) * 8
    bits = np.zeros((len(flags), n_bytes), np.uint8)
    bits[:, : -(-flags.shape[1] // 8)] = np.packbits(flags, axis=1)
    return bits.view(np.uint64)


@lru_cache(maxsize=4)
def _lexicon(words: WordList) -> Lexicon:
    parts, rows = letter_parts(words.allowed, words.allowed)
    codes = encode(words.allowed)
    alphabet, places = np.unique(codes, return_inverse=True)
    letters = places.reshape(codes.shape).astype(np.int32)
    has = np.zeros((len(alphabet), len(letters)), bool)
    has[letters, np.arange(len(letters))[:, None]] = True
    sets, set_of = np.unique(_as_bits(has.T), axis=0, return_inverse=True)
    return Lexicon(words, parts, rows, letters, has, sets, set_of.ravel())


@dataclass(frozen=True, eq=False)
class _Pool:
    """Some words, and how often they use each letter."""

    lexicon: Lexicon
    members: np.ndarray

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words themselves."""
        return tuple(self.lexicon.words.allowed[i] for i in self.members)

    @cached_property
    def with_letter(self) -> np.ndarray:
        """Words that have a letter: (n_letters,)."""
        return self.lexicon.has[:, self.members].sum(axis=1)

    @cached_property
    def with_letter_at(self) -> np.ndarray:
        """Words that have a letter at a place: (length, n_letters)."""
        letters, n = self.lexicon.letters[self.members], len(self.lexicon.has)
        return np.stack([np.bincount(column, minlength=n) for column in letters.T])

    def scores(self, words: np.ndarray) -> np.ndarray:
        """Letter scores of some words: these counts over their distinct letters."""
        return self.with_letter @ self.lexicon.has[:, words]

    @cached_property
    def score_of(self) -> np.ndarray:
        """The letter score of every allowed word."""
        return self.scores(np.arange(len(self.lexicon.letters)))

    def placed_scores(self, words: np.ndarray) -> np.ndarray:
        """The sum, over a word's places, of the words here with its letter there."""
        places = np.arange(self.lexicon.letters.shape[1])
        return self.with_letter_at[places, self.lexicon.letters[words]].sum(axis=1)


@dataclass(frozen=True, eq=False)
class Position:
    """What a player knows at one moment of a game.

    Attributes
    ----------
    lexicon : Lexicon
    start : _Pool
        The words that the strategy took for possible at the start.
    fits : ndarray of int
        Those of them that the strategy still takes for possible, in the order of the alphabet.
    is_candidate : ndarray (n_allowed,), bool
        Which words could be the answer at the start.
    weights : ndarray (n_allowed,) or None
        How likely each candidate is; None: equally.
    hard : bool
    history : tuple of (guess, pattern)
    legal : ndarray of int or None
        The guesses that hard mode allows; None: all.
    """

    lexicon: Lexicon
    start: _Pool
    fits: np.ndarray
    is_candidate: np.ndarray
    weights: np.ndarray | None = None
    hard: bool = False
    history: tuple[tuple[int, int], ...] = ()
    legal: np.ndarray | None = None

    @property
    def candidates(self) -> np.ndarray:
        """The candidates that the strategy still takes for possible."""
        return self.fits[self.is_candidate[self.fits]]

    def after(self, guess: int, pattern: int, fits: np.ndarray) -> "Position":
        """The position after one more guess, with what fits then."""
        legal = self.legal
        if self.hard:
            legal = np.arange(len(self.is_candidate)) if legal is None else legal
            letters = self.lexicon.letters
            legal = legal[hard_mode_allows(letters[legal], letters[guess], pattern)]
        history = (*self.history, (int(guess), int(pattern)))
        # By hand: `dataclasses.replace` would take as long as all else here, at every position.
        known = (self.lexicon, self.start, fits, self.is_candidate, self.weights, self.hard)
        return Position(*known, history, legal)

    def masses(self, words: np.ndarray) -> np.ndarray | None:
        """Weights of some words as whole numbers that add up to about 2**20; None: all equal."""
        if self.weights is None:
            return None
        weights = self.weights[words]
        # Room for those that round up to one.
        shares = np.rint(weights / weights.sum() * (partitions.WHOLE - len(words)))
        return np.maximum(shares, 1).astype(np.int64)

    def measure(self, guesses: np.ndarray | None = None) -> np.ndarray:
        """`partitions.measure` of each guess (None: every allowed word): (n_guesses, 4)."""
        lexicon, left = self.lexicon, self.candidates
        if guesses is None and self.weights is None and not self.history:
            return _measure_opening(lexicon.words, left.tobytes())
        return partitions.measure(
            np.take(lexicon.parts, left, axis=1),
            lexicon.rows if guesses is None else lexicon.rows[guesses],
            3 ** lexicon.letters.shape[1],
            self.masses(left),
        )


@lru_cache(maxsize=8)
def _measure_opening(words: WordList, left: bytes) -> np.ndarray:
    """All guesses at the start: the largest piece of work, and the same for all strategies."""
    lexicon = _lexicon(words)
    parts = np.take(lexicon.parts, np.frombuffer(left, np.intp), axis=1)
    measured = partitions.measure(parts, lexicon.rows, 3 ** lexicon.letters.shape[1])
    measured.setflags(write=False)
    return measured


# ---------------------------------------------------------------------------------------------
# Strategies


class Ranking(NamedTuple):
    """Guesses and how good each is; none at all: the game cannot be won any more.

    Attributes
    ----------
    guesses : ndarray (n,) of int
        In the order of the alphabet.
    keys : ndarray (n,)
        The smallest is the best.
    preference : ndarray (n,), optional
        What breaks ties: the largest is the best. Where it is equal too, or None, the first in the
        alphabet is.
    """

    guesses: np.ndarray
    keys: np.ndarray
    preference: np.ndarray | None = None

    @classmethod
    def none(cls) -> "Ranking":
        """No guess."""
        return cls(np.empty(0, np.int64), np.empty(0))

    def order(self) -> np.ndarray:
        """The guesses, the best first."""
        preference = np.zeros(len(self.keys)) if self.preference is None else self.preference
        return self.guesses[np.lexsort((self.guesses, -preference, self.keys))]

    def best(self) -> int | None:
        """The best guess, if there is any."""
        if not len(self.guesses):
            return None
        ties = np.flatnonzero(self.keys == self.keys.min())
        place = 0 if self.preference is None else np.argmax(self.preference[ties])
        return int(self.guesses[ties[place]])


class Strategy:
    """A way to choose the next guess. Deterministic: the same position, the same guess.

    Subclasses give `name` and `rank`. Those that begin with other words than the candidates, or
    filter in a way of their own, also give `pool` and `split`.
    """

    takes_weights = False

    @property
    def takes_all_allowed(self) -> bool:
        """Whether all allowed words are candidates unless others are given."""
        return False

    @property
    def name(self) -> str:
        """What it is called in tables; a plain attribute will do."""
        raise NotImplementedError

    def pool(self, lexicon: Lexicon, candidate: np.ndarray) -> np.ndarray:
        """The words that it takes for possible at the start."""
        return np.flatnonzero(candidate)

    def split(self, position: Position, guess: int, patterns) -> dict[int, np.ndarray]:
        """What fits after a guess, for each of some patterns."""
        codes = position.lexicon.patterns(guess, position.fits)
        return {pattern: position.fits[codes == pattern] for pattern in patterns}

    def rank(self, position: Position) -> Ranking:
        """The guesses that it weighs, and how good each is."""
        raise NotImplementedError

    def choose(self, position: Position) -> int | None:
        """The guess, an index into the allowed words; None: it knows none."""
        return self.rank(position).best()


@dataclass(frozen=True)
class LetterScore(Strategy):
    """The letter-score essay's method, and its author's improvements as flags.

    Every letter counts the words that have it; a word scores the sum over its distinct letters;
    the guess is the word with the highest score among those that still fit, ties to the alphabet.

    Attributes
    ----------
    exact : bool
        Filter by the exact feedback: a word fits if it would have given the same patterns. False:
        by the essay's filter (`Lexicon.naive_patterns`), which can throw the answer away.
    rescored : bool
        Count the letters over the words that still fit. False: once, over all at the start.
    late_answers : bool
        Choose among all allowed words that fit, whatever the candidates are, and count letters
        over them; once at most `few` of them are left, only among those that are candidates and
        that the word list calls possible answers (if one is left).
    few : int
        See `late_answers`.
    cover : bool
        No double counting: instead of the score, the number of words that still fit and share at
        least one letter with the guess.
    unknown_only : bool
        With `cover`: letters that the feedback has shown to be in the answer do not count as
        shared. Not the author's; it mends what `cover` loses.
    placed : bool
        To the letter score, times the share of letters not yet known, add the number of words
        with the guess's letter at each place, times the share of known ones. Known letters are
        those that the feedback has shown, counted with repeats; counts are over the same words
        as the letter scores.
    """

    exact: bool = True
    rescored: bool = False
    late_answers: bool = False
    few: int = 100
    cover: bool = False
    unknown_only: bool = False
    placed: bool = False

    def __post_init__(self):
        whole_number(self.few, "few", least=0, of="words")
        if self.few != type(self).few and not self.late_answers:
            raise ValueError("few says when late_answers acts: set late_answers too")
        if self.cover and (self.placed or self.rescored):
            raise ValueError("cover counts words, not scores: leave placed and rescored out")
        if self.unknown_only and not self.cover:
            raise ValueError("unknown_only changes what cover counts: set cover too")

    @property
    def name(self) -> str:
        """The flags, in one name."""
        flags = ("rescored", "late_answers", "cover", "unknown_only", "placed")
        given = [flag.replace("_", "-") for flag in flags if getattr(self, flag)]
        if self.late_answers and self.few != type(self).few:
            given.insert(given.index("late-answers") + 1, str(self.few))
        return "-".join(["letter-score", *([] if self.exact else ["essay"]), *given])

    @property
    def takes_all_allowed(self) -> bool:
        """The essay knows no shorter list."""
        return not self.exact

    def pool(self, lexicon: Lexicon, candidate: np.ndarray) -> np.ndarray:
        return np.arange(len(candidate)) if self.late_answers else np.flatnonzero(candidate)

    def split(self, position: Position, guess: int, patterns) -> dict[int, np.ndarray]:
        if self.exact:
            return super().split(position, guess, patterns)
        codes = position.lexicon.naive_patterns(guess, position.fits)
        return {pattern: position.fits[codes == pattern] for pattern in patterns}

    def rank(self, position: Position) -> Ranking:
        lexicon, guesses = position.lexicon, position.fits
        if position.legal is not None:
            guesses = np.intersect1d(guesses, position.legal, assume_unique=True)
        if self.late_answers and len(position.fits) <= self.few:
            likely = guesses[(position.is_candidate & lexicon.words.is_answer)[guesses]]
            guesses = likely if len(likely) else guesses
        if self.cover:
            known = _known(position) if self.unknown_only else ()
            scores = _touched(lexicon, position.fits, guesses, known)
        else:
            pool = _Pool(lexicon, position.fits) if self.rescored else position.start
            scores = pool.scores(guesses) if self.rescored else pool.score_of[guesses]
            if self.placed:
                length = lexicon.letters.shape[1]
                known = min(_known(position).total(), length)
                scores = (length - known) * scores + known * pool.placed_scores(guesses)
        return Ranking(guesses, -scores)

    def choose(self, position: Position) -> int | None:
        if len(position.fits) == 1 and position.legal is None:
            return int(position.fits[0])
        return super().choose(position)


def _touched(lexicon: Lexicon, fits: np.ndarray, guesses: np.ndarray, known=()) -> np.ndarray:
    """How many words that fit share a letter, other than the known ones, with each guess."""
    letters = np.ones((1, len(lexicon.has)), bool)
    letters[0, list(known)] = False
    # Words of the same letters touch the same words, so each set of letters is compared once.
    there, times = np.unique(lexicon.set_of[fits], return_counts=True)
    asked, which = np.unique(lexicon.set_of[guesses], return_inverse=True)
    touched = np.empty(len(asked), np.int64)
    in_ranges(
        _count_touched,
        len(asked),
        lexicon.sets[asked] & _as_bits(letters),
        lexicon.sets[there],
        times,
        touched,
        step=None if len(asked) * len(there) > 1_000_000 else max(1, len(asked)),
    )
    return touched[which]


@compiled
def _count_touched(start, stop, asked, there, times, touched):
    for guess in range(start, stop):
        total = 0
        for word in range(len(there)):
            shared = np.uint64(0)
            for part in range(there.shape[1]):
                shared |= asked[guess, part] & there[word, part]
            if shared:
                total += times[word]
        touched[guess] = total


def _known(position: Position) -> Counter:
    """The letters shown to be in the answer, each as often as one guess showed it."""
    known = Counter()
    for guess, pattern in position.history:
        known |= revealed_letters(position.lexicon.letters[guess].tolist(), pattern)
    return known


@dataclass(frozen=True)
class Partition(Strategy):
    """The field's strategies: the guess whose parts are best by one statistic.

    Any allowed word may be guessed. Ties: a candidate first (the likeliest, if there are weights),
    then the alphabet.

    Attributes
    ----------
    statistic : str
        entropy: most bits on average; expected-size: fewest words left on average; most-parts:
        most parts; minimax: smallest largest part. With weights, the size of a part is its share
        of the weights, in minimax and entropy; expected-size is then the number of words left,
        expected under the weights; most-parts does not use them but for ties.
    """

    statistic: str
    takes_weights = True

    # What is to be small: a column of `partitions.measure`, and its sign.
    _KEYS = {  # noqa: RUF012 - a constant
        "entropy": (partitions.ENTROPY, 1),
        "expected-size": (partitions.SQUARES, 1),
        "most-parts": (partitions.PARTS, -1),
        "minimax": (partitions.WORST, 1),
    }

    def __post_init__(self):
        if self.statistic not in self._KEYS:
            raise ValueError(f"no statistic {self.statistic!r}: there are {', '.join(self._KEYS)}")

    @property
    def name(self) -> str:
        """The statistic's name."""
        return self.statistic

    def rank(self, position: Position) -> Ranking:
        n_allowed = len(position.is_candidate)
        if not len(position.fits):
            return Ranking.none()
        guesses = np.arange(n_allowed) if position.legal is None else position.legal
        column, sign = self._KEYS[self.statistic]
        measured = position.measure(position.legal)
        keys = sign * measured[:, column]
        if self.statistic == "entropy":
            keys = partitions.entropy_key(measured)
        preference = np.zeros(n_allowed)
        fits = position.fits
        preference[fits] = 1 if position.weights is None else position.weights[fits]
        return Ranking(guesses, keys, preference[guesses])

    def choose(self, position: Position) -> int | None:
        fits, weights = position.fits, position.weights
        if len(fits) == 1 or (len(fits) == 2 and weights is None):  # one of two tells them apart
            return int(fits[0])
        # If a candidate tells all words apart, no guess is better by any of the statistics, and
        # the likeliest such candidate wins the tie: the other guesses need not be measured. Only
        # the smallest largest share, under weights, may be had without telling all apart.
        likely = np.ones(len(fits)) if weights is None else weights[fits]
        sure = weights is None or self.statistic != "minimax" or len(fits) <= 2
        if sure and 0 < len(fits) <= 3 ** position.lexicon.letters.shape[1]:
            perfect = position.measure(fits)[:, partitions.PARTS] == len(fits)
            if perfect.any():
                return int(fits[np.argmax(likely * perfect)])
        return super().choose(position)


@lru_cache(maxsize=8)
def _tree(words: WordList, candidates: tuple[str, ...], hard: bool, first, width):
    # The tree's module may come to use this one; imported here, neither needs the other to load.
    from wordgames.wordle.tree_search import optimal_tree

    return optimal_tree(words, first, candidates, hard, width)


@dataclass(frozen=True)
class Optimal(Strategy):
    """The guesses of `wordgames.wordle.tree_search.optimal_tree`: the fewest in total.

    After guesses that are not the tree's own, a tree is made for the words that fit; in hard mode
    that is a ValueError.

    Attributes
    ----------
    first : str or None
        The first guess; None: the best. Finding the best of a long list takes minutes, unless
        the list's proof is in the repository's ``data/``.
    width : int or None
        None: exact. A number: a beam of so many guesses at each set, in seconds; the total is then
        an upper bound of the fewest, and often equal to it.
    """

    first: str | None = None
    width: int | None = None

    @property
    def name(self) -> str:
        """With the first guess and the width, if they are given."""
        given = [f"from-{self.first}"] if self.first else []
        given += [f"beam-{self.width}"] if self.width else []
        return "-".join(["optimal", *given])

    def _guess(self, position: Position) -> str:
        words = position.lexicon.words
        tree = _tree(words, position.start.words, position.hard, self.first, self.width)
        path = tree.guesses_for(words.allowed[position.fits[0]])
        made = [words.allowed[guess] for guess, _ in position.history]
        if made == list(path[: len(made)]):
            return path[len(made)]
        if position.hard:
            raise ValueError(
                f"the tree for hard mode does not begin with {', '.join(made)}: "
                "follow its guesses, or choose another strategy"
            )
        fits = _Pool(position.lexicon, position.fits).words
        return _tree(words, fits, False, None, self.width).first

    def rank(self, position: Position) -> Ranking:
        if not len(position.fits):
            return Ranking.none()
        guess = position.lexicon.words.index[self._guess(position)]
        return Ranking(np.array([guess]), np.zeros(1))


STRATEGIES = {
    strategy.name: strategy
    for strategy in (
        LetterScore(exact=False),
        LetterScore(),
        LetterScore(rescored=True),
        LetterScore(late_answers=True),
        LetterScore(cover=True),
        LetterScore(placed=True),
        Partition("entropy"),
        Partition("expected-size"),
        Partition("most-parts"),
        Partition("minimax"),
        Optimal(),
    )
}


def find_strategy(strategy: str | Strategy) -> Strategy:
    """A strategy by its name, or itself.

    Raises
    ------
    ValueError
        For a name that does not exist, with the nearest ones.
    TypeError
        For anything that is neither.

    >>> find_strategy("letter-score-cover") == LetterScore(cover=True)
    True
    """
    if isinstance(strategy, Strategy):
        return strategy
    if not isinstance(strategy, str):
        raise TypeError(f"a strategy is a name or a Strategy, not {strategy!r}")
    if strategy in STRATEGIES:
        return STRATEGIES[strategy]
    hint = did_you_mean(strategy.strip().lower(), STRATEGIES, cutoff=0.4)
    raise ValueError(f"no strategy {strategy!r}: there are {', '.join(STRATEGIES)}{hint}")


# ---------------------------------------------------------------------------------------------
# Games


@dataclass(frozen=True)
class Game:
    """A game from the first guess to the last.

    Attributes
    ----------
    answer : str
    guesses : tuple of str
    patterns : tuple of int
        Codes as `wordgames.score` gives them.
    remaining : tuple of int
        Candidates left after each guess.
    solved : bool
        False: the strategy threw the answer away and has no word left to guess.
    """

    answer: str
    guesses: tuple[str, ...]
    patterns: tuple[int, ...]
    remaining: tuple[int, ...]
    solved: bool

    def to_frame(self, style: str = "dark") -> pd.DataFrame:
        """A row for each guess: guess, pattern as squares, remaining candidates."""
        length = len(self.answer)
        return pd.DataFrame(
            {
                "guess": self.guesses,
                "pattern": [format_pattern(code, length, style) for code in self.patterns],
                "remaining": self.remaining,
            }
        )

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th scope='row'>{html.escape(guess)}</th><td>{squares}</td><td>{left:,}</td></tr>"
            for guess, squares, left in self.to_frame().itertuples(index=False)
        )
        end = "solved" if self.solved else "not solved: no candidate is left"
        return (
            f"<table><caption>{html.escape(self.answer)}: {end}</caption>"
            "<tr><th scope='col'>guess</th>"
            f"<th scope='col'>pattern</th><th scope='col'>candidates left</th></tr>{rows}</table>"
        )


def _weights_of(weights: Mapping[str, float], words: WordList) -> np.ndarray:
    series = pd.Series(weights, dtype=float)
    array = np.zeros(len(words.allowed))
    array[words.indices(series.index)] = series.to_numpy()
    wrong = series[~np.isfinite(series) | (series < 0)]
    if len(wrong):
        raise ValueError(
            f"the weight of {wrong.index[0]!r} is {wrong.iloc[0]}: weights are numbers from 0"
        )
    if not array.any():
        raise ValueError("all weights are zero: at least one word must be possible")
    return array


def opening_position(
    strategy: Strategy, words: WordList, *, candidates=None, hard=False, weights=None
) -> Position:
    """What a player knows before the first guess; ValueError for bad candidates or weights."""
    lexicon = _lexicon(words)
    everything = words.allowed if strategy.takes_all_allowed else words.answers
    if weights is not None:
        if not strategy.takes_weights:
            able = ", ".join(name for name, one in STRATEGIES.items() if one.takes_weights)
            raise ValueError(f"{strategy.name} takes no weights; these do: {able}")
        weights = _weights_of(weights, words)
        everything = [words.allowed[i] for i in np.flatnonzero(weights)]
    candidates = everything if candidates is None else candidates
    candidate = np.zeros(len(words.allowed), bool)
    if candidates is words.allowed:
        candidate[:] = True
    elif candidates is words.answers:
        candidate |= lexicon.words.is_answer
    else:
        if isinstance(candidates, str):
            raise TypeError(f"candidates are a sequence of words, not the one text {candidates!r}")
        candidate[words.indices(candidates)] = True
    if weights is not None:
        candidate &= weights > 0
    if not candidate.any():
        raise ValueError("there are no candidates: give at least one word that may be the answer")
    fits = strategy.pool(lexicon, candidate)
    return Position(lexicon, _Pool(lexicon, fits), fits, candidate, weights, hard)


def _places(answers: Iterable[str], position: Position) -> np.ndarray:
    words = position.lexicon.words
    places = np.array(words.indices(answers), np.int64)
    outside = places[~position.is_candidate[places]]
    if len(outside):
        raise ValueError(
            f"{words.allowed[outside[0]]!r} is not among the {position.is_candidate.sum():,} "
            "candidates, so no strategy would guess it: give candidates that include it, "
            "for example candidates=words.allowed"
        )
    return places


def _walk(
    strategy: Strategy, position: Position, answers: np.ndarray
) -> Iterator[tuple[np.ndarray, tuple, tuple[int, ...], bool]]:
    """Yield (answers, history, remaining, solved) for each end of games; several may never end."""
    all_green = solved(position.lexicon.letters.shape[1])
    waiting: list[tuple[Position, np.ndarray, tuple]] = [(position, answers, ())]
    while waiting:
        position, answers, left = waiting.pop()
        guess = strategy.choose(position)
        # A guess that was made before shows nothing new: the game would go on for ever.
        if guess is None or any(guess == made for made, _ in position.history):
            yield answers, position.history, left, False
            continue
        found = answers == guess
        if found.any():
            history = (*position.history, (int(guess), all_green))
            yield answers[found], history, (*left, 1), True
            answers = answers[~found]
        if not len(answers):
            continue
        seen = position.lexicon.patterns(guess, answers)
        patterns = seen.tolist() if len(seen) == 1 else np.unique(seen).tolist()
        for pattern, fits in strategy.split(position, guess, patterns).items():
            after = position.after(guess, pattern, fits)
            waiting.append((after, answers[seen == pattern], (*left, len(after.candidates))))


def games(
    strategy: str | Strategy,
    words: WordList,
    answers: Iterable[str] | None = None,
    candidates: Iterable[str] | None = None,
    hard: bool = False,
    *,
    weights: Mapping[str, float] | None = None,
) -> list[Game]:
    """One strategy's game for every answer, in the order of the alphabet.

    Games that have shown the same feedback share their next guess, which is chosen once. The
    parameters and errors are those of `tournament`.
    """
    strategy = find_strategy(strategy)
    position = opening_position(strategy, words, candidates=candidates, hard=hard, weights=weights)
    if answers is None:
        places = np.flatnonzero(position.is_candidate & position.lexicon.words.is_answer)
        if not len(places):
            raise ValueError("no candidate is a possible answer of the list: give the answers")
    else:
        places = np.unique(_places(answers, position))
        if not len(places):
            raise ValueError("there are no answers: give at least one word")
    played = []
    with progress(what=strategy.name, total=len(places)) as bar:
        for ended, history, left, solved in _walk(strategy, position, places):
            guesses = tuple(words.allowed[guess] for guess, _ in history)
            patterns = tuple(pattern for _, pattern in history)
            played += [Game(words.allowed[a], guesses, patterns, left, solved) for a in ended]
            bar.update(len(ended))
    return sorted(played, key=lambda game: game.answer)


def play(
    strategy: str | Strategy,
    answer: str,
    words: WordList,
    candidates: Iterable[str] | None = None,
    hard: bool = False,
    *,
    weights: Mapping[str, float] | None = None,
) -> Game:
    """Play one game.

    Parameters
    ----------
    strategy : str or Strategy
        A name of `STRATEGIES`, or an object.
    answer : str
        One of the candidates.
    words : WordList
        Any of its allowed words may be guessed.
    candidates : sequence of str, optional
        What the strategy takes for possible answers. None: those of the list; for
        letter-score-essay all allowed words; with weights, the words that have some.
    hard : bool
        The game's own hard mode: green letters stay, and every revealed letter is used again at
        least as many times as it was revealed.
    weights : mapping or Series of word to number, optional
        How likely each candidate is, for the strategies that split the candidates.

    Raises
    ------
    ValueError
        For a strategy that does not exist (with the nearest names), a word that is not allowed,
        an answer that is no candidate, or unfit weights.

    >>> from wordgames import load_words
    >>> play("most-parts", "crank", load_words()).guesses
    ('trace', 'amyls', 'crank')
    """
    strategy = find_strategy(strategy)
    position = opening_position(strategy, words, candidates=candidates, hard=hard, weights=weights)
    answer = words.check(answer)
    ((_, history, left, solved),) = _walk(strategy, position, _places([answer], position))
    guesses = tuple(words.allowed[guess] for guess, _ in history)
    return Game(answer, guesses, tuple(pattern for _, pattern in history), left, solved)


def tournament(
    strategies: str | Strategy | Iterable[str | Strategy],
    words: WordList,
    answers: Iterable[str] | None = None,
    candidates: Iterable[str] | None = None,
    hard: bool = False,
    *,
    weights: Mapping[str, float] | None = None,
) -> pd.DataFrame:
    """Every strategy plays every answer.

    Parameters
    ----------
    strategies : names or Strategy objects, or one of them
    answers : sequence of str, optional
        The answers to play; each must be a candidate. None: the list's possible answers that are
        candidates.
    words, candidates, hard, weights
        As for `play`. Weights guide the guesses; every answer counts once.

    Returns
    -------
    DataFrame, a row for each strategy by name, in the order given
        total, mean and worst: guesses of the games that end; failed: games that never end;
        solved_in_six: games that end with the sixth guess or sooner; "1", "2", …: games that end
        with that guess, up to the worst of all strategies (at least "6").

    Raises
    ------
    ValueError
        As `play`, or for no strategy or one given twice.
    """
    if isinstance(strategies, (str, Strategy)):
        strategies = [strategies]
    chosen = [find_strategy(strategy) for strategy in strategies]
    if not chosen:
        raise ValueError(f"no strategies: give some of {', '.join(STRATEGIES)}")
    # A generator can be read once only, and every strategy needs the words.
    answers = answers if answers is None else list(answers)
    if candidates is not None and candidates is not words.allowed:
        candidates = list(candidates)
    rows = {}
    for strategy in chosen:
        if strategy.name in rows:
            raise ValueError(f"the strategy {strategy.name} is given twice")
        rows[strategy.name] = summary(
            games(strategy, words, answers, candidates=candidates, hard=hard, weights=weights)
        )
    counts = pd.DataFrame({name: row.pop("guesses") for name, row in rows.items()}).T
    counts = counts.reindex(columns=range(1, max(GUESSES, *counts.columns) + 1)).fillna(0)
    counts.columns = counts.columns.map(str)
    table = pd.DataFrame.from_dict(rows, orient="index")
    table = table.join(counts.astype(int))
    table.index.name = "strategy"
    return table


def tournaments(
    strategies: Sequence[str],
    lists: Sequence[WordList],
    *,
    allowed: bool = False,
    hard: bool = False,
    executor: Executor | None = None,
) -> pd.DataFrame:
    """A tournament on each of several lists.

    Parameters
    ----------
    strategies : sequence of str
        Names; none for all.
    lists : sequence of WordList
    allowed : bool
        Whether the strategies take all allowed words for possible, not only the answers.
    hard : bool
    executor : concurrent.futures.Executor, optional
        Where the work runs, a strategy and a list a piece. None: here.

    Returns
    -------
    DataFrame, a row for each list and strategy, in the order given
        words: the list's name; strategy; and the columns of `tournament`.
    """
    names = [find_strategy(name).name for name in strategies] or list(STRATEGIES)
    pieces = [(place, name) for place in range(len(lists)) for name in names]
    work = partial(_tournament_of, tuple(lists), allowed, hard)
    tables = in_pieces(work, pieces, executor, what="strategies")
    table = pd.concat(tables, ignore_index=True)
    counts = sorted((name for name in table.columns if name.isdecimal()), key=int)
    table[counts] = table[counts].fillna(0).astype(int)
    return table[[name for name in table.columns if not name.isdecimal()] + counts]


def _tournament_of(lists, allowed: bool, hard: bool, piece: tuple[int, str]) -> pd.DataFrame:
    words, strategy = lists[piece[0]], piece[1]
    candidates = words.allowed if allowed else None
    table = tournament(strategy, words, candidates=candidates, hard=hard).reset_index()
    table.insert(0, "words", words.name)
    return table


def summary(played: Sequence[Game]) -> dict:
    """What a row of `tournament` says of some games; `guesses`: games by number of guesses."""
    lengths = np.array([len(game.guesses) for game in played if game.solved], np.int64)
    counts = np.bincount(lengths, minlength=GUESSES + 1)
    return {
        "total": int(lengths.sum()),
        "mean": float(lengths.mean()) if len(lengths) else float("nan"),
        "worst": int(lengths.max(initial=0)),
        "failed": len(played) - len(lengths),
        "solved_in_six": int((lengths <= GUESSES).sum()),
        "guesses": dict(enumerate(counts.tolist()[1:], 1)),
    }
