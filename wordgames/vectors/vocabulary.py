"""The words of an embedding: one block of UTF-8 text with offsets and a hash table over it.

Three million of them load at once and cost no Python objects.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from wordgames._compiled import compiled


@compiled
def _hash(text, start, stop):
    """FNV-1a, 64 bits, of the bytes text[start:stop]; the high bits are folded into the low."""
    value = np.uint64(14695981039346656037)
    for place in range(start, stop):
        value = (value ^ np.uint64(text[place])) * np.uint64(1099511628211)
    return value ^ (value >> np.uint64(32))


@compiled
def _same(text, start, stop, other, other_start, other_stop):
    if stop - start != other_stop - other_start:
        return False
    for step in range(stop - start):  # noqa: SIM110 - numba compiles no generators
        if text[start + step] != other[other_start + step]:
            return False
    return True


@compiled
def _find(table, text, offsets, other, start, stop):
    """Slot of the word other[start:stop] in the table, or the empty slot where it would go."""
    mask = np.uint64(len(table) - 1)
    slot = _hash(other, start, stop) & mask
    while table[slot] >= 0:
        place = table[slot]
        if _same(text, offsets[place], offsets[place + 1] - 1, other, start, stop):
            break
        slot = (slot + np.uint64(1)) & mask
    return slot


@compiled
def _enter(more, keep, text, offsets, table, count, most):
    """Enter the kept words of the block `more`, each ended by a newline, behind `count` words.

    A word that stands there already is struck from `keep`, and so is every word once `most` stand
    there. Returns how many stand there now, and how many stood there already.
    """
    start = twice = 0
    for word in range(len(keep)):
        stop = start
        while more[stop] != 10:
            stop += 1
        if keep[word]:
            slot = _find(table, text, offsets, more, start, stop)
            if table[slot] >= 0:
                keep[word] = False
                twice += 1
            elif count == most:
                keep[word] = False
            else:
                to = offsets[count]
                text[to : to + stop - start + 1] = more[start : stop + 1]
                table[slot] = count
                count += 1
                offsets[count] = to + stop - start + 1
        start = stop + 1
    return count, twice


@compiled
def _enter_again(table, text, offsets, count):
    for word in range(count):
        table[_find(table, text, offsets, text, offsets[word], offsets[word + 1] - 1)] = word


class WordsBuilder:
    """Distinct words, gathered block by block."""

    def __init__(self):
        self.count = 0
        self._text = np.empty(1 << 12, np.uint8)
        self._offsets = np.zeros(1 << 9, np.int64)
        self._table = np.full(1 << 10, -1, np.int32)

    def add(self, text: bytes, keep: np.ndarray, most: int = 2**31 - 1) -> int:
        """Add the words of a block for which `keep` (bool) stands, up to `most` words in all.

        Those not added are struck from `keep`. Returns how many were known already.
        """
        more = np.frombuffer(text, np.uint8)
        self._text = _grown(self._text, int(self._offsets[self.count]) + len(more))
        self._offsets = _grown(self._offsets, self.count + len(keep) + 1)
        if 2 * (self.count + len(keep)) > len(self._table):
            size = 1 << int(2 * (self.count + len(keep))).bit_length()
            self._table = np.full(size, -1, np.int32)
            _enter_again(self._table, self._text, self._offsets, self.count)
        self.count, twice = _enter(
            more, keep, self._text, self._offsets, self._table, self.count, most
        )
        return twice

    def words(self) -> "Words":
        """What was gathered."""
        offsets = self._offsets[: self.count + 1]
        return Words(self._text[: offsets[-1]], offsets, self._table)


def _grown(array: np.ndarray, size: int) -> np.ndarray:
    """The array, or a longer copy that has room for `size` entries and as many again."""
    if size <= len(array):
        return array
    longer = np.empty(2 * size, array.dtype)
    longer[: len(array)] = array
    return longer


def _distinct(text: bytes, count: int) -> "Words":
    builder, keep = WordsBuilder(), np.ones(count, bool)
    builder.add(text, keep)
    if not keep.all():
        word = text.split(b"\n")[int(np.argmin(keep))].decode()
        raise ValueError(f"the word {word!r} stands there more than once: keep one of them")
    return builder.words()


class Words(Sequence):
    """Distinct words in order, as a sequence of str over one block of text; a slice is a list.

    Parameters
    ----------
    text : uint8 array
        The words in UTF-8, each followed by a newline.
    offsets : int64 array (n + 1)
        Where each word starts in `text`.
    table : int32 array
        Hash table of the words' places, -1 where empty; its length is a power of two.
    """

    def __init__(self, text: np.ndarray, offsets: np.ndarray, table: np.ndarray):
        self.text, self.offsets, self.table = text, offsets, table

    @classmethod
    def of(cls, words: Sequence[str]) -> "Words":
        """The words of a list. ValueError for a word that stands in it twice."""
        return _distinct("".join(f"{word}\n" for word in words).encode(), len(words))

    def take(self, places) -> "Words":
        """The words at some places, in that order. ValueError for a word that is taken twice."""
        places = np.arange(len(self))[places]
        starts = self.offsets[places]
        lengths = self.offsets[places + 1] - starts
        stops = lengths.cumsum()
        gaps = np.repeat(starts - stops + lengths, lengths)
        return _distinct(self.text[gaps + np.arange(len(gaps))].tobytes(), len(places))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, place):
        if isinstance(place, slice):
            start, stop, step = place.indices(len(self))
            if step != 1:
                return [self[at] for at in range(start, stop, step)]
            if start >= stop:
                return []
            block = self.text[self.offsets[start] : self.offsets[stop] - 1]
            return block.tobytes().decode().split("\n")
        place = int(place)
        if not -len(self) <= place < len(self):
            raise IndexError(f"place {place} of {len(self)} words")
        place %= len(self)
        return self.text[self.offsets[place] : self.offsets[place + 1] - 1].tobytes().decode()

    def __iter__(self) -> Iterator[str]:
        for start in range(0, len(self), 65536):
            yield from self[start : start + 65536]

    def __contains__(self, word) -> bool:
        return self.find(word) >= 0

    def __eq__(self, other) -> bool:
        if not isinstance(other, Sequence) or isinstance(other, str):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    __hash__ = None

    def find(self, word: str) -> int:
        """Place of a word, or -1."""
        if not isinstance(word, str):
            return -1
        key = np.frombuffer(word.encode("utf-8", "surrogatepass"), np.uint8)
        return int(self.table[_find(self.table, self.text, self.offsets, key, 0, len(key))])

    def __repr__(self) -> str:
        return f"Words({len(self):,}: {', '.join(map(repr, self[:3]))}, …)"


class Places(Mapping):
    """The place of each word: the mapping that `Words` is the sequence of."""

    def __init__(self, words: Words):
        self._words = words

    def __getitem__(self, word: str) -> int:
        place = self._words.find(word)
        if place < 0:
            raise KeyError(word)
        return place

    def __iter__(self) -> Iterator[str]:
        return iter(self._words)

    def __len__(self) -> int:
        return len(self._words)


@compiled
def spelling_distances(start, stop, text, offsets, key, distances):
    """Edit distance in bytes, 3 for more than 2, of each word in lower case (ASCII) and the key."""
    row = np.empty(len(key) + 1, np.int64)
    for word in range(start, stop):
        first, last = offsets[word], offsets[word + 1] - 1
        distances[word] = 3
        if abs(last - first - len(key)) > 2:
            continue
        for column in range(len(key) + 1):
            row[column] = column
        for at in range(first, last):
            byte = text[at]
            if 65 <= byte <= 90:
                byte += np.uint8(32)
            diagonal, row[0] = row[0], at - first + 1
            least = row[0]
            for column in range(1, len(key) + 1):
                cost = diagonal + (key[column - 1] != byte)
                diagonal = row[column]
                row[column] = min(cost, diagonal + 1, row[column - 1] + 1)
                least = min(least, row[column])
            if least > 2:
                break
        else:
            distances[word] = min(3, row[len(key)])
