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


def _can_write(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


# numba refuses to import a cached function when it can write neither beside the source nor in the
# home folder, as in a read-only container; a temporary folder costs a compilation a process only.
if "NUMBA_CACHE_DIR" not in os.environ and not (
    _can_write(Path(__file__).parent / "__pycache__")
    or _can_write(Path.home() / ".cache" / "numba")
):
    os.environ["NUMBA_CACHE_DIR"] = tempfile.mkdtemp(prefix="wordgames-numba-")

import numba  # noqa: E402 - it reads NUMBA_CACHE_DIR when imported

compiled = partial(numba.njit, cache=True, nogil=True)


def processors() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@cache
def _threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(processors(), thread_name_prefix="wordgames")


def in_ranges(kernel, n: int, *arrays, step: int | None = None) -> None:
    """Run ``kernel(start, stop, *arrays)`` over ``range(n)`` on every processor and wait.

    `step` is how much work one call takes; by default the work is cut into four pieces a
    processor. Small work runs in the calling thread.
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
