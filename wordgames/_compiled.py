"""How this package compiles its kernels: cached on disk, free of the GIL, driven by threads.

A kernel takes a half-open range of work, ``kernel(start, stop, *arrays)``, and writes into arrays
that it is given; `in_ranges` runs it over all the work on every processor. Threads over kernels
that release the GIL start in microseconds and do not need numba's own thread pool.

numba's own cache asks only whether a kernel's own file has changed. A kernel takes in the kernels
and constants of other files as they are when it is compiled, so here it is compiled again when any
file of the package changes that its own file imports, directly or through others.
"""

import hashlib
import os
import re
import shutil
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from pathlib import Path

import numba
from numba.core import caching

from wordgames._files import cache_home, locked

_PACKAGE = Path(__file__).resolve().parent
_IMPORT = re.compile(
    rb"^\s*(?:from wordgames([\w.]*) import (\([^)]*\)|.*)|import wordgames([\w.]+))", re.MULTILINE
)


@cache
def _read(path: Path) -> tuple[bytes, tuple[Path, ...]]:
    """A source's text, and the files of the package that it imports."""
    text = path.read_bytes()
    found = []
    for module, names, whole in _IMPORT.findall(text):
        place = _PACKAGE.joinpath(*(module or whole).decode().split("."))
        submodules = [place / f"{name.decode()}.py" for name in re.findall(rb"\w+", names)]
        found += [file for file in (place.with_suffix(".py"), *submodules) if file.is_file()]
    return text, tuple(found)


@cache
def _stamp(source: str) -> str:
    """SHA-256 of a file and of all files of the package that it depends on."""
    seen, waiting = {}, [Path(source).resolve()]
    while waiting:
        path = waiting.pop()
        if path not in seen:
            seen[path], imported = _read(path)
            waiting += imported
    parts = [hashlib.sha256(seen[path]).digest() for path in sorted(seen)]
    return hashlib.sha256(b"".join(parts)).hexdigest()


def _can_write(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


@cache
def _folder() -> Path:
    """Where this copy of the package keeps its compiled kernels.

    A folder of `cache_home`, or of NUMBA_CACHE_DIR where that is set; beside the sources where
    that cannot be written, as in a container; else one for this process and those it starts.
    """
    named = os.environ.get("NUMBA_CACHE_DIR")
    home = Path(named) if named else cache_home() / "kernels"
    name = hashlib.sha256(str(_PACKAGE).encode()).hexdigest()[:12]
    for folder in (home / name, _PACKAGE / "__pycache__" / "kernels"):
        if folder.is_dir():  # even one that can only be read has what was compiled
            return folder
        if _can_write(folder):
            _remove_lost(home)
            with suppress(OSError):
                (folder / "made-for").write_text(str(_PACKAGE), encoding="utf-8")
            return folder
    os.environ["NUMBA_CACHE_DIR"] = _temporary().name
    return Path(_temporary().name) / name


@cache
def _temporary() -> tempfile.TemporaryDirectory:
    return tempfile.TemporaryDirectory(prefix="wordgames-")  # removed at exit


def _remove_lost(home: Path) -> None:
    """Remove the kernels of copies of the package that are no longer there."""
    for note in home.glob("*/made-for"):
        with suppress(OSError, ValueError):  # a damaged note names nothing
            if not Path(note.read_text(encoding="utf-8")).exists():
                shutil.rmtree(note.parent, ignore_errors=True)


class _Locator(caching.UserProvidedCacheLocator):
    """Where a kernel's files are, and when they are out of date."""

    def __init__(self, _function, source: str):
        self._source = self._py_file = source
        self._cache_path = str(_folder() / self.get_suitable_cache_subpath(source))

    @classmethod
    def from_function(cls, py_func, py_file):
        return cls(py_func, py_file)

    def get_source_stamp(self) -> str:
        return _stamp(self._source)

    def get_disambiguator(self) -> str:
        return "0"  # no line number: a kernel that moves within its file leaves no files behind


class _Impl(caching.CompileResultCacheImpl):
    _locator_classes = [_Locator]  # noqa: RUF012 - as numba has it


class _File(caching.IndexDataCacheFile):
    """A kernel's files; compiled code carries its checksum, for damaged code would crash."""

    def _dump(self, obj) -> bytes:
        data = super()._dump(obj)
        return data + hashlib.sha256(data).digest()  # unpickling passes over what follows

    def _load_data(self, name: str):
        data = Path(self._data_path(name)).read_bytes()
        if hashlib.sha256(data[:-32]).digest() != data[-32:]:
            raise ValueError(f"{name} is damaged")
        return super()._load_data(name)


class _Cache(caching.FunctionCache):
    """numba's cache, which damaged files, a full disk and other processes do not break."""

    _impl_class = _Impl

    def __init__(self, function):
        super().__init__(function)
        locator = self._impl.locator
        self._cache_file = _File(
            self.cache_path, self._impl.filename_base, locator.get_source_stamp()
        )

    def load_overload(self, sig, target_context):
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # what damaged files raise is anything
            with suppress(OSError):
                Path(self._cache_file._index_path).unlink(missing_ok=True)
            return None

    def save_overload(self, sig, data) -> None:
        # What cannot be written is compiled again next time. Two processes that write at once
        # would give two kernels one file.
        with suppress(OSError):
            self._impl.locator.ensure_cache_path()
            with locked(Path(self.cache_path)):
                super().save_overload(sig, data)


def compiled(function=None, **options):
    """Compile a function with numba, free of the GIL, and keep the result on disk.

    A decorator, bare or with options of `numba.njit`.
    """
    if function is None:
        return lambda function: compiled(function, **options)
    kernel = numba.njit(function, nogil=True, **options)
    if hasattr(kernel, "enable_caching"):  # not under NUMBA_DISABLE_JIT
        kernel._cache = _Cache(function)
    return kernel


def processors() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@cache
def _threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(processors(), thread_name_prefix="wordgames")


# A forked child has the executor but not its threads: it would wait for them for ever.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_threads.cache_clear)


def in_ranges(kernel, n: int, *arrays, step: int | None = None) -> None:
    """Run ``kernel(start, stop, *arrays)`` over ``range(n)`` on every processor and wait.

    `step` is how much work one call takes; by default the work is cut into four pieces a
    processor. Work of one piece runs in the calling thread.
    """
    step = step or max(1, -(-n // (4 * processors())))
    if n <= step:
        kernel(0, n, *arrays)
        return
    jobs = [
        _threads().submit(kernel, start, min(start + step, n), *arrays)
        for start in range(0, n, step)
    ]
    for job in jobs:
        job.result()
