"""The store: a large file of vectors, converted once to a file that is memory-mapped.

Vectors are checked as they are read, and kept as bfloat16 where that loses nothing.
"""

import errno
import hashlib
import json
import os
import shutil
import time
import warnings
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from wordgames._progress import progress
from wordgames.vectors.embedding import Embedding, row_norms
from wordgames.vectors.files import Chunk, VectorFile
from wordgames.vectors.vocabulary import Words, WordsBuilder


class _NotBfloat16(Exception):
    """A number of the file needs more than 16 bits."""


@dataclass(frozen=True)
class Options:
    """Which words of a file to keep."""

    limit: int | None
    lower_case: bool
    errors: str = "strict"


class _Intake:
    """What is kept of the chunks of a file: checks the vectors, gathers the words."""

    def __init__(self, path: Path, options: Options):
        self.path, self.options = path, options
        self.words, self.norms, self.seen = WordsBuilder(), [], 0
        self.dropped = dict.fromkeys(
            ("duplicates", "zero vectors", "words of which nothing is left", "not lower case"), 0
        )

    @property
    def full(self) -> bool:
        return self.options.limit is not None and self.words.count >= self.options.limit

    def take(self, chunk: Chunk) -> np.ndarray:
        """The vectors of a chunk that are kept; their words and norms are gathered."""
        text, vectors = chunk
        norms = np.empty(len(vectors))
        row_norms(0, len(vectors), vectors, norms)
        self._check(text, norms)
        keep = np.ones(len(vectors), bool)
        if self.options.errors != "strict" and (text[:1] == b"\n" or b"\n\n" in text):
            keep = np.fromiter(map(bool, text.split(b"\n")[:-1]), bool, len(vectors))
            self.dropped["words of which nothing is left"] += int(np.count_nonzero(~keep))
        if self.options.lower_case:
            words = text.decode().split("\n")[:-1]
            keep &= np.fromiter((word == word.lower() for word in words), bool, len(words))
            self.dropped["not lower case"] += sum(word != word.lower() for word in words)
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


def _each_width(path: Path, errors: str, read):
    """What `read(file, bits)` gives in 16 bits, or where these do not hold the numbers, in 32."""
    for bits in (16, 32):
        with (
            progress(
                what=f"reading {path.name}",
                total=path.stat().st_size,
                unit="B",
                unit_scale=True,
            ) as bar,
            VectorFile(path, bar, errors) as file,
            suppress(_NotBfloat16),
        ):
            return read(file, bits)
    raise AssertionError("32 bits hold every number")


def read_into_memory(path: Path, name: str, options: Options) -> Embedding:
    """A file of vectors, checked, as an embedding in memory."""

    def read(file, bits):
        intake = _Intake(path, options)
        rows = np.concatenate(list(_take_all(file, intake, bits)))
        return Embedding(
            name, intake.words.words(), rows, np.concatenate(intake.norms), _details(file, intake)
        )

    return _each_width(path, options.errors, read)


def _details(file: VectorFile, intake: _Intake) -> dict:
    return {
        "sha256": file.sha256,
        "google_news": file.google_news,
        "dropped": intake.dropped,
    }


# A store is one file: a header of _HEAD bytes (a magic line and JSON), then the sections, each at
# a multiple of _HEAD. It carries the time of its source, so that a change to either shows.
_HEAD = 4096
_MAGIC = b"wordgames vectors 2\n"
_SECTIONS = {"norms": "<f8", "text": "|u1", "offsets": "<i8", "table": "<i4"}


class Refused(Exception):
    """Why a store cannot be used."""


def _identity(source: Path, options: Options) -> dict:
    return {
        "source": str(source.resolve()),
        "bytes": source.stat().st_size,
        "limit": options.limit,
        "lower_case": options.lower_case,
        "errors": options.errors,
    }


def store_path(folder: Path, source: Path, options: Options) -> Path:
    """Where the store of a file lies: its name, and a mark of its path and the options."""
    others = [] if options.errors == "strict" else [options.errors]
    key = json.dumps([str(source.resolve()), options.limit, options.lower_case, *others])
    return folder / f"{source.name}-{hashlib.sha256(key.encode()).hexdigest()[:12]}.vectors"


def convert(source: Path, store: Path, options: Options) -> None:
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

    _each_width(source, options.errors, read)


def _check_space(folder: Path, needed: int) -> None:
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise OSError(
            errno.ENOSPC,
            f"the vectors need {_size(needed)}, {_size(needed - free)} more than is free: name a "
            "cache folder on another disk by cache= or WORDGAMES_CACHE, or use limit=",
            str(folder),
        )


def _size(count: int) -> str:
    """A number of bytes, in the unit that suits it."""
    for size, unit in ((10**9, "GB"), (10**6, "MB"), (10**3, "kB")):
        if count >= size:
            return f"{count / size:.2f} {unit}"
    return f"{count} byte{'s' * (count != 1)}"


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
        **_details(file, intake),
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


def open_store(store: Path, source: Path, name: str, options: Options) -> Embedding:
    """The embedding of a store, mapped; Refused when it is not the whole store of this source."""
    state = store.stat()
    if state.st_mtime_ns != source.stat().st_mtime_ns:
        raise Refused("its time is not that of its source: one of them was changed")
    with store.open("rb") as file:
        head = file.read(_HEAD)
    if not head.startswith(_MAGIC):
        raise Refused("it is no store of vectors")
    try:
        header = json.loads(head[len(_MAGIC) :].rstrip(b"\0"))
        if {**header, **_identity(source, options)} != header:
            raise Refused("it was made from another file or with other options")
        if state.st_size != header["size"]:
            raise Refused(f"it has {state.st_size:,} bytes of {header['size']:,}")
        dtype = {16: "<u2", 32: "<f4"}[header["bits"]]
        shape = tuple(header["shape"])
        rows = np.memmap(store, dtype, "r", _HEAD, shape)
        maps = {
            section: np.memmap(store, _SECTIONS[section], "r", start, (count,))
            for section, (start, count) in header["sections"].items()
        }
        details = {key: header[key] for key in ("sha256", "google_news", "dropped")}
        words = Words(maps["text"], maps["offsets"], maps["table"])
        embedding = Embedding(name, words, rows, maps["norms"], details)
    except (KeyError, TypeError, ValueError) as error:
        raise Refused(f"its header is broken ({error})") from None
    return embedding
