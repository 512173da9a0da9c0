"""An embedding gives each word a vector: cosines with all words, exact ones, near spellings."""

from collections.abc import Sequence

import numpy as np
from numba.extending import overload

from wordgames._compiled import compiled, in_ranges
from wordgames._hints import ask
from wordgames.vectors.vocabulary import Places, Words, spelling_distances

# --- embeddings -------------------------------------------------------------------------------


def _number(value):
    """A stored number as float32: bfloat16 is the upper half of one."""
    raise NotImplementedError  # only compiled code calls it


@overload(_number)
def _number_of(value):
    if getattr(value, "bitwidth", 0) == 16:
        return lambda value: np.uint32(np.uint32(value) << np.uint32(16)).view(np.float32)
    return lambda value: value


# Sums may be reordered, so that the processor adds many lanes at once: `Embedding.rounding` covers
# any order.
@compiled(fastmath={"reassoc", "contract"})
def _scan(start, stop, rows, norms, query, places, cosines):
    """Cosines, float32, of rows (all, or those at `places`) with a query of length 1."""
    for item in range(start, stop):
        row = item if places is None else places[item]
        total = np.float32(0)
        for column in range(rows.shape[1]):
            total += _number(rows[row, column]) * query[column]
        cosines[item] = total / np.float32(norms[row])


@compiled
def _scan_exactly(start, stop, rows, norms, query, places, cosines):
    for item in range(start, stop):
        row = places[item]
        total = 0.0
        for column in range(rows.shape[1]):
            total += np.float64(_number(rows[row, column])) * query[column]
        cosines[item] = total / norms[row]


@compiled
def row_norms(start, stop, rows, norms):
    """Kernel: the lengths of the rows."""
    for row in range(start, stop):
        total = 0.0
        for column in range(rows.shape[1]):
            value = np.float64(_number(rows[row, column]))
            total += value * value
        norms[row] = np.sqrt(total)


class Embedding:
    """Words with a vector each; reads like gensim's KeyedVectors.

    Attributes
    ----------
    name : str
    index_to_key : Words
        The words, a sequence of str; the most frequent first, as files of vectors keep them.
    key_to_index : Places
        A mapping from word to place.
    rows : array (n, d)
        float32, or uint16: the bits of bfloat16, where every number is exact in these.
    norms : float64 array (n)
        Euclidean length of each row.
    details : dict
        Of an embedding from a file: its `sha256`, and how many words were left out (`dropped`).
    """

    def __init__(self, name, words: Words, rows, norms=None, details=None):
        if len(words) != len(rows):
            raise ValueError(f"{name}: {len(words):,} words but {len(rows):,} vectors")
        if norms is None:
            norms = np.empty(len(rows))
            in_ranges(row_norms, len(rows), rows, norms)
        self.name, self.index_to_key, self.rows, self.norms = name, words, rows, norms
        self.key_to_index, self.details = Places(words), details or {}

    @property
    def vector_size(self) -> int:
        """Dimensions of a vector."""
        return self.rows.shape[1]

    @property
    def bits(self) -> int:
        """Bits of a stored number: 16 (bfloat16) or 32."""
        return 8 * self.rows.itemsize

    @property
    def rounding(self) -> float:
        """How far a cosine of `cosines` can be from the true one, in any order of its sums."""
        return (self.vector_size + 8) * 2.0**-24

    def __len__(self) -> int:
        return len(self.rows)

    def __contains__(self, word) -> bool:
        return word in self.index_to_key

    def __getitem__(self, word: str) -> np.ndarray:
        """The word's vector, float32 (d). KeyError names near spellings."""
        return self.vectors(self.place(word))

    def place(self, word: str) -> int:
        """The word's place, from 0. KeyError names near spellings."""
        place = self.index_to_key.find(word)
        if place < 0:
            near = self.near_spellings(word) if isinstance(word, str) else []
            first = ", ".join(map(repr, self.index_to_key[:3]))
            hint = ask(near) or f": give one of its {len(self):,} words, such as {first}"
            raise KeyError(f"{word!r} is not a word of {self.name}{hint}")
        return place

    def near_spellings(self, word: str, most: int = 3) -> list[str]:
        """Words at most two edits off; the nearest first, then the most frequent."""
        words = self.index_to_key
        key = np.frombuffer(word.lower().encode("utf-8", "replace"), np.uint8)
        distances = np.empty(len(self), np.uint8)
        in_ranges(spelling_distances, len(self), words.text, words.offsets, key, distances)
        limit = 1 if len(key) < 4 else 2
        found = np.flatnonzero(distances <= limit)
        found = found[np.argsort(distances[found], kind="stable")][:most]
        return [words[place] for place in found]

    def vectors(self, places) -> np.ndarray:
        """The vectors at some places, float32 (…, d)."""
        rows = self.rows[places]
        if self.bits == 16:
            return (rows.astype(np.uint32) << np.uint32(16)).view(np.float32)
        return np.array(rows)

    def units(self, places) -> np.ndarray:
        """The vectors of one or many words, of length 1: float64 (d) or (n, d)."""
        return self.vectors(places) / self.norms[places][..., None]

    def cosines(self, query, places: np.ndarray | None = None) -> np.ndarray:
        """Cosine similarity with a word, or a vector, in single precision.

        Parameters
        ----------
        query : str, int or array (d)
            A word, its place, or any vector but zero.
        places : int array (m), optional
            Of which words; None: of all.

        Returns
        -------
        float32 array (m,) or (n,), each within `rounding` of the true one.
        """
        unit, places = self._unit(query).astype(np.float32), self._indices(places)
        cosines = np.empty(len(self) if places is None else len(places), np.float32)
        in_ranges(
            _scan, len(cosines), self.rows, self.norms, unit, places, cosines, step=_step(cosines)
        )
        return cosines

    def cosines_of_many(self, queries: np.ndarray) -> np.ndarray:
        """Cosine similarity of all words with some vectors: (k, d) to float32 (k, n).

        One product of matrices; several times as fast as `cosines` one by one, from about ten on.
        """
        units = np.stack([self._unit(query) for query in queries]).astype(np.float32)
        cosines = np.empty((len(units), len(self)), np.float32)
        for start in range(0, len(self), 1 << 16):
            block = slice(start, start + (1 << 16))
            rows = self.vectors(block)
            rows /= self.norms[block, None].astype(np.float32)
            np.matmul(units, rows.T, out=cosines[:, block])
        return cosines

    def exact_cosines(self, query, places) -> np.ndarray:
        """Cosine similarity with the words at `places`, in double precision: float64 (m)."""
        unit, places = self._unit(query), self._indices(np.atleast_1d(places))
        cosines = np.empty(len(places))
        in_ranges(
            _scan_exactly,
            len(cosines),
            self.rows,
            self.norms,
            unit,
            places,
            cosines,
            step=_step(cosines),
        )
        return cosines

    def similarity(self, one: str, other: str) -> float:
        """Cosine similarity of two words, in double precision."""
        return float(self.exact_cosines(one, self.place(other))[0])

    def nearest(self, query, count: int, but: Sequence[int] = ()) -> np.ndarray:
        """Places of the words nearest to a word or vector, the nearest first, without those `but`.

        Ties stand in the order of frequency. A word is nearest to itself.
        """
        cosines = self.cosines(query)
        cosines[list(but)] = -np.inf
        count = min(count, len(self) - len(set(but)))
        if count < 1:
            return np.empty(0, np.int64)
        least = np.partition(cosines, -count)[-count]
        places = np.flatnonzero(cosines >= least - 2 * self.rounding)
        return places[np.argsort(-self.exact_cosines(query, places), kind="stable")][:count]

    def select(self, places, name: str | None = None) -> "Embedding":
        """An embedding of the words at some places, in that order, in memory."""
        places = np.asarray(places)
        words = self.index_to_key.take(places)
        return Embedding(name or self.name, words, self.rows[places], self.norms[places])

    def cut(self, dimensions: int) -> "Embedding":
        """The same words with the first numbers of their vectors; one left without any is out."""
        rows = np.ascontiguousarray(self.rows[:, :dimensions])
        part = Embedding(f"{self.name}, {dimensions} dimensions", self.index_to_key, rows)
        return part if part.norms.all() else part.select(np.flatnonzero(part.norms))

    def _unit(self, query) -> np.ndarray:
        if isinstance(query, (str, int, np.integer)):
            place = self.place(query) if isinstance(query, str) else query
            return self.units(place)
        query = np.asarray(query, np.float64)
        length = np.linalg.norm(query)
        if query.shape != (self.vector_size,) or not 0 < length < np.inf:
            raise ValueError(
                f"a vector to compare with has {self.vector_size} finite numbers, not all zero"
            )
        return query / length

    @staticmethod
    def _indices(places):
        return None if places is None else np.asarray(places, np.int64)

    def __repr__(self) -> str:
        return (
            f"Embedding({self.name!r}: {len(self):,} words, {self.vector_size} dimensions, "
            f"{self.bits} bits)"
        )


def _step(array: np.ndarray) -> int:
    """Work for one call: small arrays are not worth a thread."""
    return max(8192, -(-len(array) // 32))


# --- from a file to arrays, or to a store -----------------------------------------------------
