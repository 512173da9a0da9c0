"""Files written whole or not at all, and checked when they are read; locked folders; the cache."""

import contextlib
import errno
import gzip
import hashlib
import json
import os
import tempfile
import threading
import zlib
from collections.abc import Iterator
from pathlib import Path

import platformdirs

try:
    import fcntl
except ImportError:  # Windows: two runs at once into one folder are on their own
    fcntl = None  # type: ignore[assignment]


_STAGED = ".tmp"  # how the names of staged files end
_LARGE = 1 << 26  # bytes: of larger files the size and the time of the last change must do
_PLAN = ".moving"  # which staged file takes which place, while they are moved
_PLAN_TITLE = "Files on the move, by wordgames"


def cache_home() -> Path:
    """The folder of all that is kept to be quick: WORDGAMES_CACHE, or the user's own cache.

    Everything in it can be removed at any time.
    """
    if named := os.environ.get("WORDGAMES_CACHE"):
        return Path(named).expanduser()
    return platformdirs.user_cache_path("wordgames", appauthor=False)


def _temporary(path: Path) -> Path:
    return path.with_name(f".{path.name}.{os.getpid()}.new")


def check_file(path: str | Path) -> Path:
    """The path, if `write_whole` can write there; else OSError that names it, before any work."""
    text, path = str(path), Path(path)
    try:
        if not text or path.is_dir():
            raise IsADirectoryError(errno.EISDIR, "this is a folder" if text else "it is empty")
        with contextlib.suppress(FileNotFoundError):
            os.lstat(_temporary(path))  # the name may be too long, or lie below a file
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise OutputError(f"cannot write {text!r} ({reason}): give the path of a file") from None
    return path


def write_whole(path: str | Path, data: bytes) -> None:
    """Write a file under a temporary name beside it, then let it take the place of the old one.

    OSError names the path when its folder is missing or cannot be written.
    """
    path = Path(path)
    if path.is_dir():
        raise IsADirectoryError(
            errno.EISDIR, "this is a folder, give the path of a file in it", str(path)
        )
    temporary = _temporary(path)
    try:
        temporary.write_bytes(data)
        temporary.replace(path)
    except OSError as error:
        # On a read-only disk even removing what is not there is an error.
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise type(error)(
            error.errno, f"{error.strerror}: cannot write this file, choose another", str(path)
        ) from error
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


# A text file that says what it is: lines that begin with #, a title and then `key: value`, and
# below them its lines. The last line of the head is the checksum of all the rest.


def compose(title: str, head: dict, body: str) -> str:
    """The text of such a file."""
    lines = [f"# {title}", *(f"# {key}: {value}" for key, value in head.items())]
    lines.append(f"# lines: {body.count(chr(10))}")
    return "\n".join([*lines, f"# checksum: {_checksum(lines, body)}", body])


def _checksum(head: list[str], body: str) -> str:
    return hashlib.sha256("\n".join([*head, body]).encode()).hexdigest()


def parse(path: str | Path, text: str, title: str) -> tuple[dict[str, str], str]:
    """Head and body of a text that `compose` made; ValueError names the path and what is wrong."""
    head, first, *rest = text.partition("\n# checksum: ")
    checksum, _, body = "".join(rest).partition("\n")
    lines = head.split("\n")
    if lines[0] != f"# {title}":
        raise ValueError(f"{path} does not begin with '# {title}': give a file that does")
    values = dict(line[2:].partition(": ")[::2] for line in lines[1:])
    if not first or values.get("lines") != str(body.count("\n")):
        raise ValueError(
            f"{path} is cut short: it has {body.count(chr(10))} lines of "
            f"{values.get('lines', 'an unknown number')}: get it again"
        )
    if checksum != _checksum(lines, body):
        raise ValueError(f"{path} was altered: its checksum is that of other text: get it again")
    return values, body


def write_text(path: str | Path, text: str) -> None:
    """Write a text file whole, compressed when the path ends with ``.gz``."""
    data = text.encode()
    write_whole(path, gzip.compress(data, mtime=0) if str(path).endswith(".gz") else data)


def read_text(path: str | Path, title: str) -> tuple[dict[str, str], str]:
    """Head and body of a file of `compose`, compressed or not; ValueError when it is not whole."""
    try:
        data = Path(path).read_bytes()
    except FileNotFoundError:
        raise FileNotFoundError(f"no file {str(path)!r}: give one that was written") from None
    try:
        text = (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode()
    except (EOFError, OSError, zlib.error, UnicodeDecodeError):
        raise ValueError(f"{path} is cut short or altered: get it again") from None
    return parse(path, text, title)


def _files(*places: Path) -> Iterator[Path]:
    for place in places:
        yield from sorted(place.rglob("*")) if place.is_dir() else [place]


def digest_of(*places: Path) -> str:
    """SHA-256 of the names and contents of files, and of the files in folders."""
    digest = hashlib.sha256()
    for path in _files(*places):
        if path.is_file() and "__pycache__" not in path.parts:
            about = path.stat()
            large = about.st_size > _LARGE
            content = (
                f"{about.st_size} {about.st_mtime_ns}".encode() if large else path.read_bytes()
            )
            digest.update(path.name.encode() + b"\0" + hashlib.sha256(content).digest())
    return digest.hexdigest()


class OutputError(OSError):
    """An output folder or file that cannot be written."""


class Staging:
    """Files of one folder, written under temporary names and moved into place together.

    As a context manager: it holds the folder's lock, so that other runs wait. Leaving it without an
    error moves every file, leaving it with one (or with Ctrl-C) removes the temporary files and
    leaves what was there before. If the process is killed while it moves, the next one that takes
    the folder finishes the move: files that belong together stay together.

    Parameters
    ----------
    folder : Path
        It exists; all files lie in it or below.

    Raises
    ------
    OutputError
        A file cannot be written; it names the file, and nothing is moved.
    """

    def __init__(self, folder: Path):
        self.folder = folder
        self._staged: list[tuple[Path, Path]] = []

    def write(self, path: Path, text: str) -> None:
        """Stage the text, in UTF-8 and with newlines as they are, as the later content of path."""
        temporary = path.with_name(f".{path.name}.{os.getpid()}-{threading.get_ident()}{_STAGED}")
        self._staged.append((temporary, path))
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            temporary.write_text(text, encoding="utf-8", newline="")
        except OSError as error:
            raise OutputError(
                error.errno, f"{error.strerror}: cannot write this file", str(path)
            ) from None

    def __enter__(self):
        self._lock = locked(self.folder)
        self._lock.__enter__()
        return self

    def __exit__(self, kind, error, traceback):
        try:
            if kind is None:
                self._move()
        finally:
            for temporary, _ in self._staged:
                temporary.unlink(missing_ok=True)
            self._lock.__exit__(kind, error, traceback)

    def _move(self) -> None:
        pairs = [[str(path.relative_to(self.folder)) for path in pair] for pair in self._staged]
        plan = self.folder / _PLAN
        write_text(plan, compose(_PLAN_TITLE, {}, json.dumps(pairs) + "\n"))
        for temporary, path in self._staged:
            temporary.replace(path)
        plan.unlink()


def check_writable(*folders: Path) -> None:
    """Make the folders, and raise OutputError for one that cannot be made or written."""
    for folder in folders:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                pass
        except OSError as error:
            raise OutputError(
                f"cannot write into {str(folder)!r} ({error.strerror}): "
                "name another folder with --output-dir"
            ) from None


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep other runs from changing the folder's files meanwhile; they wait.

    What a killed run left is put in order first: a move that it had begun is finished, other
    temporary files are removed.
    """
    with (folder / ".lock").open("w") as file:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX)  # closing the file unlocks
            _tidy(folder)
        yield


def _tidy(folder: Path) -> None:
    plan = folder / _PLAN
    with contextlib.suppress(FileNotFoundError, ValueError):  # no plan, or a damaged one
        for temporary, path in json.loads(read_text(plan, _PLAN_TITLE)[1]):
            with contextlib.suppress(FileNotFoundError):  # it was moved already
                (folder / temporary).replace(folder / path)
    plan.unlink(missing_ok=True)
    for left in (*folder.rglob(f".*{_STAGED}"), *folder.glob(f".{_PLAN}.*.new")):
        left.unlink(missing_ok=True)


@contextlib.contextmanager
def claimed(path: str | Path) -> Iterator[None]:
    """Keep a file or a folder to this run meanwhile: another that claims it gets ValueError."""
    path = Path(path)
    lock = path / ".claim" if path.is_dir() else path.with_name(f".{path.name}.lock")
    try:
        file = lock.open("w")
    except OSError as error:
        raise type(error)(
            error.errno, f"{error.strerror}: cannot write this file, choose another", str(path)
        ) from error
    with file:
        if fcntl is not None:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # the end of the run frees it
            except BlockingIOError:
                raise ValueError(
                    f"{path} is in use by another run: wait for it, or give another "
                    f"{'folder' if path.is_dir() else 'file'}"
                ) from None
        try:
            yield
        finally:
            lock.unlink(missing_ok=True)
