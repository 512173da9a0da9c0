"""What every benchmark needs: ratios in one run, peak memory, and the cost of compiling.

A topic is a file `bench_<topic>.py` with a function ``rows(quick=False)`` that returns the rows of
its table, each a dict made by `compare` or `row`. Times on a shared machine drift, so only the
ratio of two things measured in turns is worth quoting.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from statistics import median
from time import perf_counter

KEYS = ("what", "ours", "other", "ratio", "wanted", "note")


def timed(*functions: Callable[[], object], repeats: int = 5) -> list[float]:
    """Median seconds of each function, called in turns so that drift hits all of them alike.

    Each is called once before, unmeasured: compilation and first touch of memory stay out.
    """
    for function in functions:
        function()
    seconds = [[] for _ in functions]
    for _ in range(repeats):
        for function, taken in zip(functions, seconds, strict=True):
            start = perf_counter()
            function()
            taken.append(perf_counter() - start)
    return [median(taken) for taken in seconds]


def row(
    what: str, ours: str, other: str = "", ratio=None, wanted: str = "", note: str = ""
) -> dict:
    """A row of the table.

    `ours` and `other` are text with a unit; `ratio` is a number that `wanted` (``at most 5``,
    ``at least 50`` or nothing) judges.
    """
    ratio = None if ratio is None else float(f"{float(ratio):.3g}")
    return dict(zip(KEYS, (what, ours, other, ratio, wanted, note), strict=True))


def compare(
    what: str,
    ours: Callable[[], object],
    other: Callable[[], object],
    wanted: str = "",
    note: str = "",
    repeats: int = 5,
    scale: float = 1,
) -> dict:
    """Measure two functions in turns and make the row.

    With `wanted` ``at most N`` the ratio is our time by the other's; otherwise it is how many
    times as fast ours is. `scale`: how many times as much work ours does as the other, for a
    slow peer that gets a slice only; the other's time is multiplied by it.
    """
    mine, theirs = timed(ours, other, repeats=repeats)
    theirs *= scale
    ratio = mine / theirs if wanted.startswith("at most") else theirs / mine
    return row(what, in_seconds(mine), in_seconds(theirs), ratio, wanted, note)


def in_seconds(value: float) -> str:
    """Seconds with a fitting unit: ``12 ms``, ``3.4 s``, ``2.1 min``."""
    if value < 1e-3:
        return f"{value * 1e6:.3g} µs"
    if value < 1:
        return f"{value * 1e3:.3g} ms"
    return f"{value:.3g} s" if value < 120 else f"{value / 60:.3g} min"


def in_megabytes(value: float) -> str:
    """Bytes as ``12 MB``."""
    return f"{value / 1e6:.3g} MB"


_MEMORY = """
import resource, sys
from pathlib import Path

def field(name):
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(name):
            return int(line.split()[1]) * 1024

linux = sys.platform == "linux"
scope = {{}}  # the measured code's own names
exec({setup!r}, scope)
if linux:
    # The high-water mark starts anew here, so that what the imports took does not hide the rest.
    Path("/proc/self/clear_refs").write_text("5")
    before = field("VmRSS")
else:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
exec({run!r}, scope)
after = field("VmHWM") if linux else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(after - before)
"""


def peak_memory(run: str, setup: str = "") -> int:
    """Bytes that the statements `run` take at their peak above what is held after `setup`.

    Both are Python text, run in a fresh process; put imports, data and a first call on a small
    case (compilation takes memory too) into `setup`.
    """
    return int(_in_fresh_process(_MEMORY.format(setup=setup, run=run)))


_COMPILATION = """
from time import perf_counter
scope = {{}}  # the measured code's own names
exec({setup!r}, scope)
start = perf_counter()
exec({run!r}, scope)
first = perf_counter()
exec({run!r}, scope)
print((first - start) - (perf_counter() - first))
"""


def compile_seconds(run: str, setup: str = "") -> float:
    """Seconds by which the first call is slower than the second, with an empty kernel cache.

    `run` and `setup` are Python text as for `peak_memory`; choose a small case for `run`.
    """
    with tempfile.TemporaryDirectory() as cache:
        return float(
            _in_fresh_process(_COMPILATION.format(setup=setup, run=run), NUMBA_CACHE_DIR=cache)
        )


def _in_fresh_process(code: str, **environment: str) -> str:
    result = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    if result.returncode:
        raise RuntimeError(f"the measured process failed:\n{result.stderr.strip()}")
    return result.stdout.splitlines()[-1]
