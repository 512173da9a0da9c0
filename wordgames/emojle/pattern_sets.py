"""For each word as the answer, which patterns some allowed guess can give: a matrix of bits.

People post the patterns of their guesses and hide the words. A posted pattern rules out every
answer against which no allowed guess gives it. So all that such posts can say of an answer is its
set of patterns, one bit a pattern: 243 bits for words of five letters. A word is a candidate for
some posted patterns when its set contains them all; and two answers whose sets contain one
another cannot be told apart by what is posted.

The sets come from tiles of the matrix of patterns, a few answers wide, so that the whole matrix
(168 million patterns for the original list) never exists. Containment of all pairs of sets is
``a & ~b == 0`` over columns of 64 patterns, without branches, so that the compiler makes vector
instructions of it.
"""

import base64
import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from numbers import Integral
from pathlib import Path

import numpy as np
import pandas as pd

from wordgames._compiled import compiled, in_ranges
from wordgames._files import write_whole
from wordgames.patterns import (
    format_pattern,
    is_possible,
    letter_parts,
    pattern_code,
    pattern_names,
    score_matrix,
    sum_parts,
)
from wordgames.words import WordList, check_words

_TILE = 128  # answers; for five letters, a tile's bytes (answer, pattern) fill a first cache
_BLOCK = 64  # guesses whose patterns are made before they are spread
_LEADING = 4  # columns of 64 patterns: all of them for words of five letters

_HEAD = re.compile(r"# pattern sets: ([1-9]\d*) words of ([1-8]) letters, sha256 ([0-9a-f]{64})")


@dataclass(frozen=True, eq=False)
class PatternSets:
    """The set of patterns that each word can give as the answer.

    Attributes
    ----------
    words : tuple of str
        The answers, in order.
    bits : ndarray (n, ceil(3**length / 64)), uint64, read-only
        Pattern p is bit p % 64 of column p // 64.
    """

    words: tuple[str, ...]
    bits: np.ndarray

    @classmethod
    def build(cls, words: WordList) -> "PatternSets":
        """The sets of all allowed words, by guesses from the same words.

        Beside the sets this holds the parts that patterns are sums of: for the original list 345
        bytes a word. The matrix of patterns is never held.
        """
        parts, rows = letter_parts(words.allowed, words.allowed)
        n_words, n_patterns = len(words.allowed), 3**words.length
        bits = np.zeros((n_words, -(-n_patterns // 64)), np.uint64)
        # A narrower tile for longer words keeps its bytes (answer, pattern) in the second cache.
        tile = max(8, min(_TILE, 2**18 // n_patterns))
        in_ranges(_collect, -(-n_words // tile), parts, rows, tile, bits)
        bits.setflags(write=False)
        return cls(words.allowed, bits)

    @property
    def length(self) -> int:
        """Letters in each word."""
        return self._list.length

    @cached_property
    def _list(self) -> WordList:
        return WordList(self.words, self.words, "these pattern sets")

    def cardinality(self) -> pd.Series:
        """How many patterns each word can give: int64 by word, in the order of `words`."""
        counts = np.bitwise_count(self.bits).sum(axis=1, dtype=np.int64)
        return pd.Series(counts, pd.Index(self.words, name="word"), name="patterns")

    def popularity(self) -> pd.Series:
        """How many words can give each pattern: int64 by pattern text, in the order of codes.

        All 3**length patterns are there, also those that no word can give.
        """
        n_patterns = 3**self.length
        counts = np.zeros(n_patterns, np.int64)
        for start in range(0, len(self.words), 2048):
            counts += _unpack(self.bits[start : start + 2048], n_patterns).sum(
                axis=0, dtype=np.int64
            )
        names = pd.Index(pattern_names(self.length), name="pattern")
        return pd.Series(counts, names, name="words")

    @cached_property
    def _contained(self) -> tuple[np.ndarray, np.ndarray]:
        return count_contained(self.bits)

    def superset_counts(self) -> pd.Series:
        """How many other words have a set that contains this word's: int64 by word.

        Where this is not 0, no posted patterns can tell the word from those others. Equal sets
        count; the word itself does not.
        """
        return pd.Series(
            self._contained[0], pd.Index(self.words, name="word"), name="supersets", copy=True
        )

    def subset_counts(self) -> pd.Series:
        """How many other words have a set that this word's contains: int64 by word.

        Equal sets count; the word itself does not.
        """
        return pd.Series(
            self._contained[1], pd.Index(self.words, name="word"), name="subsets", copy=True
        )

    def supersets(self, word: str) -> list[str]:
        """The other words whose set contains this word's, sorted. ValueError: no such word."""
        return self._others(word, lambda mine: ~(mine & ~self.bits).any(axis=1))

    def subsets(self, word: str) -> list[str]:
        """The other words whose set this word's contains, sorted. ValueError: no such word."""
        return self._others(word, lambda mine: ~(self.bits & ~mine).any(axis=1))

    def _others(self, word: str, test) -> list[str]:
        place = self._list.index[self._list.check(word)]
        found = test(self.bits[place])
        found[place] = False
        return self._named(found)

    def _named(self, mask: np.ndarray) -> list[str]:
        return [self.words[place] for place in np.flatnonzero(mask)]

    def codes(self, patterns: Iterable[str | int]) -> list[int]:
        """Patterns as codes, each once, in the order given.

        `patterns` are texts in any palette, or codes. ValueError or TypeError for one of another
        length, with an unknown character, or out of range.
        """
        if isinstance(patterns, (str, Integral)):
            raise TypeError(f"patterns are a list, such as ['YG..G'], not the one {patterns!r}")
        codes = {}
        for pattern in patterns:
            codes[pattern_code(pattern, self.length)] = None
        return list(codes)

    def can_give(self, patterns: Iterable[str | int] | None = None) -> np.ndarray:
        """Which words can give which patterns: bool (n_words, n_patterns).

        Patterns as for `codes`, a column for each different one; None: all, by code.
        """
        if patterns is None:
            return _unpack(self.bits, 3**self.length).view(bool)
        codes = self.codes(patterns)
        fits = np.empty((len(codes), len(self.words)), bool)
        for line, code in zip(fits, codes, strict=True):
            np.not_equal(self.bits[:, code // 64] & np.uint64(1 << code % 64), 0, out=line)
        return fits.T

    def mask(self, patterns: Iterable[str | int]) -> np.ndarray:
        """Which words can give all of some patterns: bool (n,). Patterns as for `codes`."""
        needed = np.zeros(self.bits.shape[1], np.uint64)
        for code in self.codes(patterns):
            needed[code // 64] |= np.uint64(1 << code % 64)
        fits = np.ones(len(self.words), bool)
        for column in np.flatnonzero(needed):
            fits &= (self.bits[:, column] & needed[column]) == needed[column]
        return fits

    def candidates(self, patterns: Iterable[str | int]) -> list[str]:
        """The words that can give all of some patterns, sorted; none for an impossible pattern.

        Patterns as for `codes`; `why_empty` says why there are none.

        >>> from wordgames import PatternSets, load_words
        >>> sets = PatternSets.build(load_words())
        >>> sets.candidates(["YG..G", "YYYG.", "GYGYY", "GGGYY", ".G.YG"])
        ['posse']
        >>> sets.candidates(["GGGGY"])
        []
        """
        return self._named(self.mask(patterns))

    def why_empty(self, patterns: Iterable[str | int]) -> str:
        """Why no word can give all of some patterns, in words; empty text when some word can.

        Names the patterns that cannot be, else those that no word of the list can give, else the
        pattern that removed the last candidates and, where the absence of one pattern would leave
        some, the one whose absence would leave most.
        """
        codes = self.codes(patterns)
        if self.mask(codes).any():
            return ""
        names = {code: repr(format_pattern(code, self.length)) for code in codes}
        cannot = [names[code] for code in codes if not is_possible(code, self.length)]
        if cannot:
            be = "is" if len(cannot) == 1 else "are"
            return (
                f"{_and(cannot)} {be} impossible: with one yellow and all other squares green, "
                "the yellow letter has no place left but its own, where it would be green."
            )
        nobody = [names[code] for code in codes if not self.mask([code]).any()]
        if nobody:
            return f"No word of the list can show {_and(nobody)}, whatever is guessed."
        until = next(n for n in range(1, len(codes) + 1) if not self.mask(codes[:n]).any())
        before = self._named(self.mask(codes[: until - 1]))
        shown = _and(before) if len(before) <= 3 else f"{before[0]}, {before[1]}, …"
        sentence = (
            f"{_count(before)} can show {_and([names[code] for code in codes[: until - 1]])} "
            f"({shown}), and none of them {names[codes[until - 1]]}."
        )
        left = {code: self.mask([c for c in codes if c != code]).sum() for code in codes}
        # The pattern whose absence leaves most words is the likeliest to be a slip.
        at_odds = max(codes, key=lambda code: (left[code], -code))
        if left[at_odds]:
            sentence += f" Without {names[at_odds]} alone, the rest would leave {left[at_odds]:,}."
        return sentence

    def to_file(self, path: str | Path) -> None:
        """Write the sets as a dictionary file; an older file is replaced only by a whole one.

        The file is UTF-8. Its first line is a comment, ``# pattern sets: 12972 words of 5
        letters, sha256 …``; the checksum is that of all bytes after this line. Then a line for
        each word: the word, a space, and its bit field in base64, ceil(3**length / 8) bytes in
        which pattern p is bit p % 8 of byte p // 8.
        """
        n_bytes = -(-(3**self.length) // 8)
        fields = self.bits.astype("<u8").view(np.uint8)[:, :n_bytes]
        body = b"".join(
            b"%b %b\n" % (word.encode(), base64.b64encode(field))
            for word, field in zip(self.words, map(bytes, fields), strict=True)
        )
        head = (
            f"# pattern sets: {len(self.words)} words of {self.length} letters, "
            f"sha256 {hashlib.sha256(body).hexdigest()}\n"
        )
        write_whole(path, head.encode() + body)

    @classmethod
    def from_file(cls, path: str | Path) -> "PatternSets":
        """Read what `to_file` wrote.

        Raises
        ------
        FileNotFoundError
            When there is no file.
        ValueError
            For a file that is truncated, altered, or no dictionary file at all.
        """
        path = Path(path)
        mend = "write it anew with PatternSets.build(words).to_file(path)"
        try:
            head, newline, body = path.read_bytes().partition(b"\n")
        except FileNotFoundError:
            raise FileNotFoundError(f"no dictionary file {str(path)!r}: {mend}") from None
        found = _HEAD.fullmatch(head.decode("utf-8", "replace"))
        if not found or not newline:
            raise ValueError(
                f"{path} is no dictionary file of pattern sets: its first line must be "
                f"'# pattern sets: N words of L letters, sha256 …', not {head[:40]!r}; {mend}"
            )
        n_words, length, checksum = int(found[1]), int(found[2]), found[3]
        n_lines = body.count(b"\n")
        if n_lines < n_words or not body.endswith(b"\n"):
            raise ValueError(
                f"{path} is truncated: its first line says {n_words} words and "
                f"{n_lines} whole lines follow; {mend}"
            )
        if n_lines > n_words or hashlib.sha256(body).hexdigest() != checksum:
            raise ValueError(
                f"{path} was altered: its {n_lines} lines do not have the checksum that its "
                f"first line gives for {n_words}; {mend}"
            )
        try:
            return cls._from_lines(body.decode().split("\n")[:-1], length)
        except ValueError as error:
            raise ValueError(f"{path} is no dictionary file of pattern sets: {error}") from None

    @classmethod
    def _from_lines(cls, lines: list[str], length: int) -> "PatternSets":
        pairs = [line.split(" ") for line in lines]
        if any(len(pair) != 2 for pair in pairs):
            raise ValueError("a line is a word, a space and a bit field")
        words = check_words((word for word, _ in pairs), "its words", length)
        if list(words) != [word for word, _ in pairs]:
            raise ValueError("its words are not sorted")
        n_bytes = -(-(3**length) // 8)
        fields = [base64.b64decode(field, validate=True) for _, field in pairs]
        if {len(field) for field in fields} != {n_bytes}:
            raise ValueError(f"a bit field of {length} letters has {n_bytes} bytes")
        data = np.zeros((len(words), 8 * -(-(3**length) // 64)), np.uint8)
        data[:, :n_bytes] = np.frombuffer(b"".join(fields), np.uint8).reshape(-1, n_bytes)
        bits = data.view("<u8").astype(np.uint64)
        if (bits[:, -1] >> np.uint64(3**length % 64)).any():
            raise ValueError(f"a bit beyond the {3**length} patterns is set")
        bits.setflags(write=False)
        return cls(words, bits)


def _unpack(bits: np.ndarray, n_patterns: int) -> np.ndarray:
    """Sets as an array (n, n_patterns) of 0 and 1, uint8."""
    data = bits.astype("<u8").view(np.uint8)
    return np.unpackbits(data, axis=1, bitorder="little")[:, :n_patterns]


def _and(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _count(words: Sequence[str]) -> str:
    return "One word" if len(words) == 1 else f"{len(words):,} words"


@compiled
def _collect(start, stop, parts, rows, tile, bits):
    n_guesses, n_answers = rows.shape[0], parts.shape[1]
    patterns = np.empty((_BLOCK, tile), parts.dtype)
    for number in range(start, stop):
        first = number * tile
        width = min(tile, n_answers - first)
        # The last tile is filled up, so that all loops over a tile have one length.
        here = np.zeros((parts.shape[0], tile), parts.dtype)
        here[:, :width] = parts[:, first : first + width]
        seen = np.zeros((tile, 64 * bits.shape[1]), np.uint8)
        for above in range(0, n_guesses, _BLOCK):
            count = min(_BLOCK, n_guesses - above)
            sum_parts(0, count, here, rows[above : above + count], patterns)
            for guess in range(count):
                for answer in range(tile):
                    seen[answer, patterns[guess, answer]] = 1
        for answer in range(width):
            for code in range(seen.shape[1]):
                bits[first + answer, code >> 6] |= np.uint64(seen[answer, code]) << np.uint64(
                    code & 63
                )


def count_contained(bits: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For each set, how many other sets contain it, and how many it contains.

    Parameters
    ----------
    bits : ndarray (n, columns), uint64
        Equal sets count in both; a set itself in neither.

    Returns
    -------
    supersets, subsets : ndarrays (n,), int64
    """
    n, columns = bits.shape
    # The columns in which most pairs of sets differ come first: for long words, the few pairs
    # that they leave are looked at one by one.
    shares = _unpack(bits, 64 * columns).mean(axis=0).reshape(columns, 64)
    order = np.argsort(-(shares * (1 - shares)).sum(axis=1), kind="stable")
    leading = np.zeros((_LEADING, n), np.uint64)
    leading[: min(_LEADING, columns)] = bits.T[order[:_LEADING]]
    rest = np.ascontiguousarray(bits[:, order[_LEADING:]])
    pieces = 8
    step = -(-n // pieces)
    supersets = np.zeros(n, np.int64)
    subsets = np.zeros((pieces, n), np.int64)
    in_ranges(_count_contained, n, leading, rest, step, supersets, subsets, step=step)
    return supersets - 1, subsets.sum(axis=0) - 1


@compiled
def _count_contained(start, stop, leading, rest, step, supersets, subsets):
    n, more = leading.shape[1], rest.shape[1]
    mine = subsets[start // step]  # a row of its own for each piece of work: no two threads meet
    fits = np.empty(512, np.uint8)
    for first in range(0, n, fits.size):
        width = min(fits.size, n - first)
        b0, b1 = leading[0, first : first + width], leading[1, first : first + width]
        b2, b3 = leading[2, first : first + width], leading[3, first : first + width]
        for a in range(start, stop):
            a0, a1, a2, a3 = leading[0, a], leading[1, a], leading[2, a], leading[3, a]
            found = 0
            for b in range(width):
                missing = (a0 & ~b0[b]) | (a1 & ~b1[b]) | (a2 & ~b2[b]) | (a3 & ~b3[b])
                fits[b] = missing == 0
                found += fits[b]
            if found and more:
                for b in range(width):
                    if fits[b]:
                        for column in range(more):
                            if rest[a, column] & ~rest[first + b, column]:
                                fits[b] = 0
                                found -= 1
                                break
            if found:
                for b in range(width):
                    mine[first + b] += fits[b]
                supersets[a] += found


def fewest_missing(bits: np.ndarray) -> np.ndarray:
    """For each set, the least number of its members that some other set lacks.

    0: another set contains it. 1: one member alone tells it from the nearest other set; and so on.

    Parameters
    ----------
    bits : ndarray (n, columns), uint64
        At least two sets; ValueError otherwise.

    Returns
    -------
    ndarray (n,), int64
    """
    if len(bits) < 2:
        raise ValueError("the nearest other set needs at least two sets")
    fewest = np.full(len(bits), 64 * bits.shape[1], np.int64)
    in_ranges(_fewest_missing, len(bits), np.ascontiguousarray(bits.T), fewest)
    return fewest


@compiled
def _fewest_missing(start, stop, columns, fewest):
    n = columns.shape[1]
    missing = np.empty(512, np.uint64)
    for first in range(0, n, missing.size):
        width = min(missing.size, n - first)
        for a in range(start, stop):
            missing[:width] = 0
            for column in range(columns.shape[0]):
                mine, theirs = columns[column, a], columns[column, first : first + width]
                for b in range(width):
                    # The number of bits set, by adding neighbours up.
                    x = mine & ~theirs[b]
                    x -= (x >> np.uint64(1)) & np.uint64(0x5555555555555555)
                    x = (x & np.uint64(0x3333333333333333)) + (
                        (x >> np.uint64(2)) & np.uint64(0x3333333333333333)
                    )
                    x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
                    missing[b] += (x * np.uint64(0x0101010101010101)) >> np.uint64(56)
            if first <= a < first + width:
                missing[a - first] = 64 * columns.shape[0]
            least = missing[0]
            for b in range(width):
                least = min(least, missing[b])
            fewest[a] = min(fewest[a], np.int64(least))


def pattern_counts(guesses: Sequence[str], answers: Sequence[str]) -> np.ndarray:
    """How many answers give each pattern, for each guess: what a guess leaves, pattern by pattern.

    Parameters
    ----------
    guesses, answers : sequences of str
        Words of one length. The matrix of their patterns is never held whole.

    Returns
    -------
    ndarray (n_guesses, 3**length), int32
        Each row sums to the number of answers.
    """
    parts, rows = letter_parts(guesses, answers)
    counts = np.zeros((len(rows), 3 ** rows.shape[1]), np.int32)
    in_ranges(_count_patterns, len(rows), parts, rows, counts)
    return counts


@compiled
def _count_patterns(start, stop, parts, rows, counts):
    patterns = np.empty((1, parts.shape[1]), parts.dtype)
    for guess in range(start, stop):
        sum_parts(0, 1, parts, rows[guess : guess + 1], patterns)
        mine = counts[guess]
        for answer in range(parts.shape[1]):
            mine[patterns[0, answer]] += 1


def examples(answer: str, pattern: str | int, words: WordList) -> list[str]:
    """The allowed guesses that give a pattern against an answer, sorted.

    Raises
    ------
    ValueError
        When the answer is no allowed word, or the pattern is of another length, has an unknown
        character or is out of range.

    >>> from wordgames import load_words
    >>> examples("posse", "GYGYY", load_words())
    ['pesos']
    """
    code = pattern_code(pattern, words.length)
    patterns = score_matrix(words.allowed, [words.check(answer)])[:, 0]
    return [words.allowed[place] for place in np.flatnonzero(patterns == code)]
