"""How this package compiles its kernels: cached on disk, free of the GIL, driven by threads.

A kernel takes a half-open range of work, ``kernel(start, stop, *arrays)``, and writes into arrays
that it is given; `in_ranges` runs it over all the work on every processor. Threads over kernels
that release the GIL start in microseconds and do not need numba's own thread pool.
"""

import os
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from pathlib import Path

import numba


def _can_write(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _choose_cache() -> None:
    """Give numba a folder for compiled kernels where it would find none.

    It refuses to define a cached function when it can write neither beside the source nor in the
    home folder, as in a read-only container. A temporary folder costs a compilation a process.
    """
    if numba.config.CACHE_DIR or _can_write(Path(__file__).parent / "__pycache__"):
        return
    folder = Path("~/.cache/wordgames")
    home = Path(os.path.expanduser(folder))  # noqa: PTH111 - Path.expanduser raises without a home
    if home == folder or not _can_write(home):
        global _temporary  # noqa: PLW0603 - it has to outlive this call
        _temporary = tempfile.TemporaryDirectory(prefix="wordgames-")  # removed at exit
        home = Path(_temporary.name)
    numba.config.CACHE_DIR = os.environ["NUMBA_CACHE_DIR"] = str(home)


_choose_cache()

compiled = partial(numba.njit, cache=True, nogil=True)


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
