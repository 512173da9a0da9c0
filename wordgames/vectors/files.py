"""Files of word vectors, read in chunks and checked: word2vec's binary, GloVe's text, and others.

Whatever the format, a file becomes chunks of (words, vectors): the words as one block of UTF-8
text, each followed by a newline, and the vectors as a float32 array with a row per word. No chunk
is larger than some tens of megabytes, and gensim is needed only for its own formats.
"""

import bz2
import gzip
import hashlib
import io
import lzma
import re
import warnings
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from wordgames._compiled import compiled

CHUNK = 1 << 24  # bytes read at a time
LONGEST_WORD = 4096  # bytes; where no space comes sooner, the file is not what it says

_HEADER = re.compile(rb"[ \t]*(\d+)[ \t]+(\d+)[ \t]*(\r\n|\r|\n)")
_FASTTEXT = (793712314).to_bytes(4, "little")
_PACKED = (
    (rb"\x1f\x8b", "gzip", gzip.open),
    (rb"BZh[1-9]1AY&SY", "bzip2", bz2.open),
    (rb"\xfd7zXZ\0", "xz", lzma.open),
)
_TO_UNPACK = (
    (rb"7z\xbc\xaf'\x1c", "a 7-Zip archive"),
    (rb"Rar!", "a RAR archive"),
    (rb"\x28\xb5\x2f\xfd", "packed by Zstandard"),
    (rb"(?s).{257}ustar", "a tar archive"),
)
_BLANK = b" \t\x0b\x0c"

# The published files of Google News by their sizes in bytes: the kind of checksum that is known of
# each, and the checksum. The first is the project's own GoogleNews-vectors-negative300.bin.gz, the
# second that of gensim's downloader.
GOOGLE_NEWS_FILES = {
    1_647_046_227: ("sha256", "21c05ae916a67a4da59b1d006903355cced7de7da1e42bff9f0504198c748da8"),
    1_743_563_840: ("md5", "a5e5354d40acb95f9ec66d5977d140ef"),
}

Chunk = tuple[bytes, np.ndarray]


class _Tracked(io.RawIOBase):
    """A file whose bytes are hashed and counted as they are read."""

    def __init__(self, path: Path, progress):
        self.file, self.progress = path.open("rb"), progress
        kind, self._published = GOOGLE_NEWS_FILES.get(path.stat().st_size, ("sha256", ""))
        self.digest = hashlib.sha256()
        self._other = hashlib.new(kind, usedforsecurity=False)

    @property
    def google_news(self) -> bool:
        """Whether what was read is the whole of a published file of Google News."""
        return self._other.hexdigest() == self._published

    def readable(self) -> bool:
        return True

    def readinto(self, buffer) -> int:
        count = self.file.readinto(buffer)
        self.digest.update(memoryview(buffer)[:count])
        if self._published:
            self._other.update(memoryview(buffer)[:count])
        self.progress.update(count)
        return count

    def close(self) -> None:
        self.file.close()
        super().close()


class VectorFile:
    """A file of vectors, open for one reading from start to end.

    Parameters
    ----------
    path : Path
    progress
        Its ``update`` is told how many bytes were read.
    errors : str
        What becomes of a word that is not UTF-8, as Python's decoders name it: ``strict``,
        ``replace`` or ``ignore``.

    Attributes
    ----------
    dimensions : int
    expected : int or None
        How many words the file's header promises.
    sha256 : str
        Of the bytes read so far; of the whole file once the chunks have been read to the end.
    google_news : bool
        Whether these bytes are a published file of Google News.
    """

    def __init__(self, path: Path, progress, errors: str = "strict"):
        self.path, self.errors = path, errors
        self._tracked = _Tracked(path, progress)
        self._stream = self._packed = io.BufferedReader(self._tracked, 1 << 20)
        self._kind = ""
        try:
            self._unpack(self._packed.peek(512)[:512])
            self._open(self._read(CHUNK))
        except BaseException:
            self.close()
            raise

    @property
    def sha256(self) -> str:
        return self._tracked.digest.hexdigest()

    @property
    def google_news(self) -> bool:
        return self._tracked.google_news

    def close(self) -> None:
        self._stream.close()
        self._tracked.close()

    def __enter__(self) -> "VectorFile":
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def _unpack(self, magic: bytes) -> None:
        """Read what is packed in the file, if it is packed."""
        for pattern, kind, opened in _PACKED:
            if re.match(pattern, magic):
                self._kind, self._stream = kind, opened(self._packed)
        if magic.startswith(b"PK\x03\x04"):
            self._kind, self._stream = "zip", self._member()
        for pattern, what in _TO_UNPACK:
            if re.match(pattern, magic):
                raise ValueError(f"{self.path} is {what}: unpack it, and give the file in it")

    def _member(self):
        """The only file of a zip archive."""
        try:
            archive = zipfile.ZipFile(self.path)
            names = [entry.filename for entry in archive.infolist() if not entry.is_dir()]
            names = [name for name in names if not name.startswith("__MACOSX/")]
            if len(names) == 1:
                return archive.open(names[0])
        except (zipfile.BadZipFile, RuntimeError, NotImplementedError) as error:
            raise ValueError(
                f"{self.path}: its zip archive cannot be read ({error}): fetch it again, or "
                "unpack it and give the file in it"
            ) from None
        raise ValueError(
            f"{self.path} holds {len(names)} files ({', '.join(names[:6])}): unpack it, and give "
            "the path of the one that you want"
        )

    def _read(self, size: int) -> bytes:
        broken = (EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile)
        try:
            return self._stream.read(size)
        except (*broken, OSError) as error:
            if isinstance(error, OSError) and error.errno is not None:
                raise  # of the disk; those of the unpackers have no number
            raise ValueError(
                f"{self.path}: its {self._kind} stream is broken or cut off ({error}): "
                "fetch it again"
            ) from None

    def _open(self, head: bytes) -> None:
        if not head:
            raise ValueError(f"{self.path} is empty: give a file of word vectors")
        self.expected = None
        if head[:4] == _FASTTEXT or re.match(rb"\x80[\x02-\x05]", head):
            if self._kind == "zip":
                raise ValueError(
                    f"{self.path} holds a file in fastText's or gensim's own format: unpack it, "
                    "and give that file"
                )
            self._kv = _load_by_gensim(self.path, fasttext=head[:4] == _FASTTEXT)
            self.expected, self.dimensions = self._kv.vectors.shape
            self._chunks = self._from_gensim
            return
        if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
            raise ValueError(f"{self.path} is in UTF-16: save it anew in UTF-8")
        whole = head.removeprefix(b"\xef\xbb\xbf")
        self._pending = whole.lstrip(b"\r\n")
        self._line = 1 + len(whole[: len(whole) - len(self._pending)].splitlines())
        found = _HEADER.match(self._pending)
        if found:
            self.expected, self.dimensions = int(found[1]), int(found[2])
            if not self.expected or not self.dimensions:
                raise ValueError(
                    f"{self.path}: its header promises {self.expected} words of "
                    f"{self.dimensions} dimensions: a file of vectors has some of each"
                )
            self._pending = self._pending[found.end() :]
            self._line += 1
        line = (self._pending.lstrip(b"\r\n").splitlines() or [b""])[0]
        if found:
            least = min(2, self.dimensions) if re.search(rb"[\0-\x08\x0e-\x1f]", line) else 1
            self._chunks = self._from_text if _is_text(line, least) else self._from_binary
            return
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
            yield self._check_text(text, len(vectors), count), vectors
            count += len(vectors)
        if self.expected is not None and count != self.expected:
            raise ValueError(
                f"{self.path}: its header promises {self.expected:,} words but "
                f"{'only ' if count < self.expected else ''}{count:,} stand there: "
                "the file is cut off or its header is wrong; fetch it again or mend its first line"
            )
        while self._packed.read(CHUNK):  # for the hash of the whole file
            pass

    def _check_text(self, text: bytes, words: int, before: int) -> bytes:
        """The words, in UTF-8; where `errors` leaves nothing of a word, it is empty."""
        empty = text.startswith(b"\n") or b"\n\n" in text
        if empty or text.count(b"\n") != words:
            what = "an empty word" if empty else "a line break within a word"
            raise ValueError(
                f"{self.path}, records {before + 1:,} to {before + words:,}: {what}: "
                f"the file is broken or its header's dimensions ({self.dimensions}) are wrong"
            )
        try:
            return text.decode("utf-8", self.errors).encode()
        except UnicodeDecodeError as error:
            record = before + text.count(b"\n", 0, error.start) + 1
            raise ValueError(
                f"{self.path}, record {record:,}: its word is not UTF-8 "
                f"(byte {text[error.start]:#04x}). If it is one word cut within a letter, as old "
                "files of word2vec and fastText have, read the file with errors='replace' or "
                "errors='ignore'. Else the words have another encoding, then save the file anew "
                f"in UTF-8, or the header's dimensions ({self.dimensions}) are wrong"
            ) from None

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
            rest = block[used:].tobytes().lstrip(b"\r\n" if count == self.expected else b"\n")
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
        rest, line, first = self._pending, self._line, True
        while True:
            more = self._read(CHUNK)
            block = rest + more
            # A carriage return at the end may be the first half of a line's end.
            ends = max(block.rfind(b"\n"), block.rfind(b"\r", 0, max(0, len(block) - 1)))
            cut = ends + 1 if more else len(block)
            rest = block[cut:]
            lines = block[:cut].splitlines()
            if any(map(bytes.strip, lines)):
                words, vectors = self._parse(lines, line)
                if first:
                    self._check_width(words, line)
                first = False
                yield b"\n".join(words) + b"\n", vectors
            line += len(lines)
            if not more:
                return

    def _parse(self, lines: list[bytes], first: int) -> tuple[list[bytes], np.ndarray]:
        words, values, kept = [], [], []
        for number, whole in enumerate(lines, first):
            if not (line := whole.strip(_BLANK)):
                continue
            word, _, numbers = line.partition(b" ")
            if numbers.count(b" ") != self.dimensions - 1 or b"\t" in line:
                word, numbers = self._part(line, number)
            words.append(word)
            values.append(numbers)
            kept.append((number, line))
        vectors = _parse_numbers(b" ".join(values))
        if vectors.size != len(words) * self.dimensions:
            words, values = zip(*(self._part(line, number) for number, line in kept), strict=True)
            vectors = _parse_numbers(b" ".join(values))
        return words, vectors.reshape(len(words), self.dimensions)

    def _part(self, line: bytes, number: int) -> tuple[bytes, bytes]:
        """A line's word, and its numbers with a space between each two; any blanks part them."""
        word, *values = line.rsplit(None, self.dimensions)
        numbers = b" ".join(values)
        if len(values) == self.dimensions == _parse_numbers(numbers).size:
            return word, numbers
        source = "the header" if self.expected is not None else "the first line"
        word = line.split(None, 1)[0][:40].decode(errors="replace")
        raise ValueError(
            f"{self.path}, line {number:,} ({word!r}): it does not hold a word and "
            f"{self.dimensions} numbers, as {source} promises: "
            "mend or remove one of the two, or fetch the file again"
        )

    def _check_width(self, words: list[bytes], line: int) -> None:
        """ValueError when most lines hold more numbers than the first line promises."""
        longer = [word for word in words if b" " in word and _numbers_at_end(word)]
        if 2 * len(longer) > len(words):
            word, *more = longer[0].split()
            source = "the header" if self.expected is not None else "the first line"
            raise ValueError(
                f"{self.path}, line {line:,} and others ({word[:40].decode(errors='replace')!r}): "
                f"they hold {self.dimensions + len(more)} numbers, and {source} promises "
                f"{self.dimensions}: mend or remove the first line"
            )

    def _from_gensim(self) -> Iterator[Chunk]:
        step = max(1, CHUNK // (4 * self.dimensions))
        for start in range(0, self.expected, step):
            words = list(map(str, self._kv.index_to_key[start : start + step]))
            for number, word in enumerate(words, start + 1):
                if not word or "\n" in word:
                    what = "holds a line end" if word else "is empty"
                    raise ValueError(
                        f"{self.path}: its word {number:,} ({word[:40]!r}) {what}, and words are "
                        "kept one a line: rename or remove it in gensim, and save the vectors anew"
                    )
            text = "".join(f"{word}\n" for word in words).encode("utf-8", "surrogatepass")
            yield text, np.asarray(self._kv.vectors[start : start + step], np.float32)


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
    for field in reversed(line.split()[1:]):
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
