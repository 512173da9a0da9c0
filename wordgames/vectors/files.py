"""Files of word vectors, read in chunks and checked: word2vec's binary, GloVe's text, and others.

Whatever the format, a file becomes chunks of (words, vectors): the words as one block of UTF-8
text, each followed by a newline, and the vectors as a float32 array with a row per word. No chunk
is larger than some tens of megabytes, and gensim is needed only for its own formats.
"""

import gzip
import hashlib
import io
import re
import warnings
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from wordgames._compiled import compiled

CHUNK = 1 << 24  # bytes read at a time
LONGEST_WORD = 4096  # bytes; where no space comes sooner, the file is not what it says

_HEADER = re.compile(rb"(\d+)[ \t]+(\d+)[ \t]*\r?\n")
_FASTTEXT = (793712314).to_bytes(4, "little")

Chunk = tuple[bytes, np.ndarray]


class _Tracked(io.RawIOBase):
    """A file whose bytes are hashed and counted as they are read."""

    def __init__(self, path: Path, progress):
        self.file, self.progress = path.open("rb"), progress
        self.digest = hashlib.sha256()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer) -> int:
        count = self.file.readinto(buffer)
        self.digest.update(memoryview(buffer)[:count])
        self.progress.update(count)
        return count

    def close(self) -> None:
        self.file.close()
        super().close()


class VectorFile:
    """A file of vectors, open for one reading from start to end.

    Attributes
    ----------
    dimensions : int
    expected : int or None
        How many words the file's header promises.
    sha256 : str
        Of the bytes read so far; of the whole file once the chunks have been read to the end.
    """

    def __init__(self, path: Path, progress):
        self.path = path
        self._tracked = _Tracked(path, progress)
        self._stream = io.BufferedReader(self._tracked, 1 << 20)
        if self._stream.peek(2)[:2] == b"\x1f\x8b":
            self._stream = gzip.GzipFile(fileobj=self._stream)
        head = self._read(CHUNK)
        if not head:
            self.close()
            raise ValueError(f"{path} is empty: give a file of word vectors")
        try:
            self._open(head)
        except BaseException:
            self.close()
            raise

    @property
    def sha256(self) -> str:
        return self._tracked.digest.hexdigest()

    def close(self) -> None:
        self._stream.close()
        self._tracked.close()

    def __enter__(self) -> "VectorFile":
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def _read(self, size: int) -> bytes:
        try:
            return self._stream.read(size)
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise ValueError(
                f"{self.path}: its gzip stream is broken or cut off ({error}): fetch it again"
            ) from None

    def _open(self, head: bytes) -> None:
        self._pending = head
        self.expected = None
        if head[:4] == _FASTTEXT or re.match(rb"\x80[\x02-\x05]", head):
            self._kv = _load_by_gensim(self.path, fasttext=head[:4] == _FASTTEXT)
            self.expected, self.dimensions = self._kv.vectors.shape
            self._chunks = self._from_gensim
            return
        if found := _HEADER.match(head):
            self.expected, self.dimensions = int(found[1]), int(found[2])
            if not self.expected or not self.dimensions:
                raise ValueError(
                    f"{self.path}: its header promises {self.expected} words of "
                    f"{self.dimensions} dimensions: a file of vectors has some of each"
                )
            self._pending = head[found.end() :]
            line = self._pending.split(b"\n", 1)[0]
            self._chunks = (
                self._from_text
                if _is_text(line, least=min(2, self.dimensions))
                else self._from_binary
            )
            return
        line = head.split(b"\n", 1)[0]
        if not _is_text(line):
            raise ValueError(
                f"{self.path}: neither word2vec's format (a first line with the number of words "
                "and of dimensions) nor GloVe's (a word and its numbers on each line): its first "
                f"bytes are {head[:24]!r}"
            )
        self.dimensions = _numbers_at_end(line)
        self._chunks = self._from_text

    def chunks(self) -> Iterator[Chunk]:
        """The chunks in turn. ValueError names the file, the record and what is wrong with it."""
        count = 0
        for text, vectors in self._chunks():
            self._check_text(text, len(vectors), count)
            count += len(vectors)
            yield text, vectors
        if self.expected is not None and count != self.expected:
            raise ValueError(
                f"{self.path}: its header promises {self.expected:,} words but "
                f"{'only ' if count < self.expected else ''}{count:,} stand there: "
                "the file is cut off or its header is wrong; fetch it again or mend its first line"
            )

    def _check_text(self, text: bytes, words: int, before: int) -> None:
        try:
            text.decode()
        except UnicodeDecodeError as error:
            record = before + text.count(b"\n", 0, error.start) + 1
            raise ValueError(
                f"{self.path}, record {record:,}: its word is not UTF-8 "
                f"(byte {text[error.start]:#04x}): the header's dimensions ({self.dimensions}) are "
                "wrong, or the words have another encoding; save the file anew in UTF-8"
            ) from None
        empty = text.startswith(b"\n") or b"\n\n" in text
        if empty or text.count(b"\n") != words:
            what = "an empty word" if empty else "a line break within a word"
            raise ValueError(
                f"{self.path}, records {before + 1:,} to {before + words:,}: {what}: "
                f"the file is broken or its header's dimensions ({self.dimensions}) are wrong"
            )

    # word2vec's binary: after the header line each record is a word, a space and d float32, with
    # or without a newline at its end

    def _from_binary(self) -> Iterator[Chunk]:
        size, count, rest = 4 * self.dimensions, 0, self._pending
        while True:
            more = self._read(CHUNK)
            block = np.frombuffer(rest + more, np.uint8)
            starts = np.empty(len(block) // (size + 1) + 1, np.int64)
            ends = np.empty_like(starts)
            found, used = _split(block, size, starts, ends)
            if found:
                vectors = np.empty((found, size), np.uint8)
                text = np.empty(int((ends[:found] - starts[:found] + 1).sum()), np.uint8)
                _gather(block, starts[:found], ends[:found], text, vectors)
                yield text.tobytes(), vectors.view("<f4")
            count += found
            rest = block[used:].tobytes().lstrip(b"\n")
            no_space = len(rest) > LONGEST_WORD and b" " not in rest[:LONGEST_WORD]
            if no_space:
                raise ValueError(
                    f"{self.path}, record {count + 1:,}: no space ends its word: the header's "
                    f"dimensions ({self.dimensions}) are wrong or the file is broken"
                )
            if not more and not found:
                break
        if rest:
            word = rest.split(b" ")[0][:40].decode(errors="replace")
            raise ValueError(
                f"{self.path} ends within record {count + 1:,} of {self.expected:,} ({word!r}): "
                "the file is cut off, or its header's dimensions "
                f"({self.dimensions}) are wrong; fetch it again"
            )

    # text: on each line a word and d numbers; the word may hold spaces, as some GloVe words do

    def _from_text(self) -> Iterator[Chunk]:
        rest, line = self._pending, 2 if self.expected is not None else 1
        while True:
            more = self._read(CHUNK)
            block = rest + more
            cut = block.rfind(b"\n") + 1 if more else len(block)
            rest = block[cut:]
            lines = block[:cut].split(b"\n")
            if not lines[-1]:
                lines.pop()
            if lines:
                yield self._parse(lines, line)
            line += len(lines)
            if not more:
                return

    def _parse(self, lines: list[bytes], first: int) -> Chunk:
        words, numbers = [], []
        for number, line in enumerate(lines, first):
            word, _, values = line.rstrip(b" \t\r").partition(b" ")
            if values.count(b" ") != self.dimensions - 1:
                word, *values = line.rstrip(b" \t\r").rsplit(b" ", self.dimensions)
                values = b" ".join(values)
                self._check_line(word, values, number)
            words.append(word)
            numbers.append(values)
        vectors = _parse_numbers(b" ".join(numbers))
        if vectors.size != len(lines) * self.dimensions:
            for number, (word, values) in enumerate(zip(words, numbers, strict=True), first):
                self._check_line(word, values, number)
        return b"\n".join(words) + b"\n", vectors.reshape(len(lines), self.dimensions)

    def _check_line(self, word: bytes, values: bytes, number: int) -> None:
        found = _parse_numbers(values).size
        if found == self.dimensions == values.count(b" ") + 1:
            return
        source = "the header" if self.expected is not None else "the first line"
        raise ValueError(
            f"{self.path}, line {number:,} ({word[:40].decode(errors='replace')!r}): it does not "
            f"hold a word and {self.dimensions} numbers, as {source} promises: "
            "mend or remove the line, or fetch the file again"
        )

    def _from_gensim(self) -> Iterator[Chunk]:
        step = max(1, CHUNK // (4 * self.dimensions))
        for start in range(0, self.expected, step):
            words = self._kv.index_to_key[start : start + step]
            text = "".join(f"{word}\n" for word in words).encode("utf-8", "surrogatepass")
            yield text, np.asarray(self._kv.vectors[start : start + step], np.float32)
        while self._read(CHUNK):  # for the hash of the whole file
            pass


@compiled
def _split(block, size, starts, ends):
    """Where the words of the whole records in a block start and end; records, and bytes used."""
    found, used = 0, 0
    while True:
        start = used
        while start < len(block) and block[start] == 10:
            start += 1
        end = start
        stop = min(len(block), start + LONGEST_WORD)
        while end < stop and block[end] != 32:
            end += 1
        if end >= stop or end + 1 + size > len(block):
            return found, used
        starts[found], ends[found] = start, end
        found += 1
        used = end + 1 + size


@compiled
def _gather(block, starts, ends, text, vectors):
    """Copy the words, each with a newline after it, and the bytes of the vectors."""
    to = 0
    for record in range(len(starts)):
        start, end = starts[record], ends[record]
        text[to : to + end - start] = block[start:end]
        to += end - start
        text[to] = 10
        to += 1
        vectors[record] = block[end + 1 : end + 1 + vectors.shape[1]]


def _parse_numbers(text: bytes) -> np.ndarray:
    """The numbers of a text, float32, up to the first thing that is none."""
    if not text:
        return np.empty(0, np.float32)
    with warnings.catch_warnings(), np.errstate(over="ignore"):
        warnings.simplefilter("ignore", DeprecationWarning)  # it stops at what is no number
        try:
            return np.fromstring(text, np.float64, sep=" ").astype(np.float32)
        except ValueError:
            return np.empty(0, np.float32)


def _numbers_at_end(line: bytes) -> int:
    """How many of a line's fields, from the second on, are numbers up to the line's end."""
    count = 0
    for field in reversed(line.rstrip(b" \t\r").split(b" ")[1:]):
        try:
            float(field)
        except ValueError:
            break
        count += 1
    return count


def _is_text(line: bytes, least: int = 2) -> bool:
    return len(line) < 1 << 20 and _numbers_at_end(line) >= least


def _load_by_gensim(path: Path, fasttext: bool):
    """The KeyedVectors of a file in one of gensim's own formats, or in that of Facebook's fastText.

    gensim's own files are pickles: only open those that you trust.
    """
    from gensim.models import KeyedVectors
    from gensim.models.fasttext import load_facebook_vectors

    try:
        loaded = load_facebook_vectors(str(path)) if fasttext else KeyedVectors.load(str(path))
        loaded = getattr(loaded, "wv", loaded)
        loaded.vectors.shape, loaded.index_to_key  # noqa: B018 - any pickle may have been loaded
    except Exception as error:
        raise ValueError(
            f"{path}: gensim cannot read vectors from it ({type(error).__name__}: {error}): "
            "save them by KeyedVectors.save or save_word2vec_format"
        ) from error
    return loaded
