"""The optimal tree from SALET over the original list, against doddle 1.6.0's `tree_search`."""

import random
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from benchmarks.common import (
    compare,
    compile_seconds,
    in_megabytes,
    in_seconds,
    peak_memory,
    row,
    timed,
)
from wordgames import load_words, optimal_tree
from wordgames.wordle import tree_search
from wordgames.wordle.openers import solve_openers

# doddle needs numpy below 2, so it gets an environment of its own, made for this run.
PEER = ("doddle==1.6.0", "numpy<2", "numba")
PATIENCE = 120  # seconds that the peer's search may take

SETUP = "from wordgames import load_words, optimal_tree\nwords = load_words()\n"
WARM = "optimal_tree(words, first='salet', candidates=words.answers[:40])\n"

_PEER_CODE = """
import time
from doddle import Doddle
doddle = Doddle()
doddle.histogram_builder.score_matrix.precompute()
print("ready", flush=True)
start = time.perf_counter()
doddle.tree_search("SALET")
print(time.perf_counter() - start, flush=True)
"""


def peer_seconds() -> tuple[float, bool]:
    """Seconds of doddle's search, its score matrix made before, and whether it came to an end.

    RuntimeError when the environment cannot be made, which needs pip and a package index.
    """
    with tempfile.TemporaryDirectory() as folder:
        python = Path(folder) / ("Scripts" if sys.platform == "win32" else "bin") / "python"
        try:
            subprocess.run([sys.executable, "-m", "venv", folder], check=True, capture_output=True)
            pip = [python, "-m", "pip", "install", "--quiet", *PEER]
            subprocess.run(pip, check=True, capture_output=True, text=True)
        except subprocess.CalledProcessError as error:
            raise RuntimeError(f"no environment for doddle: {error.stderr}") from error
        with subprocess.Popen(
            [python, "-c", _PEER_CODE], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as process:
            if process.stdout.readline().strip() != "ready":
                raise RuntimeError(f"doddle did not start: {process.stderr.read()}")
            start = time.perf_counter()
            try:
                out, error = process.communicate(timeout=PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                return time.perf_counter() - start, False
            if process.returncode:
                raise RuntimeError(f"doddle failed: {error}")
            return float(out), True


def openers_row(words, n_groups: int) -> dict:
    """`solve_openers` beside one search after another, for seeded words of the same letters."""
    groups = defaultdict(list)
    for word in words.allowed:
        groups[frozenset(word)].append(word)
    threes = [group[:3] for group in groups.values() if len(group) >= 3]
    sample = [word for three in random.Random(0).sample(threes, n_groups) for word in three]

    def together():
        with ThreadPoolExecutor(1) as one:
            return solve_openers(words, sample, executor=one)["total"].to_dict()

    def one_by_one():
        return {word: optimal_tree(words, first=word).total for word in sample}

    if together() != one_by_one():
        raise AssertionError("solve_openers and optimal_tree do not agree")
    return compare(
        f"exact totals of {len(sample)} first guesses by solve_openers",
        together,
        one_by_one,
        "at least 1",
        f"against optimal_tree one by one; {n_groups} sets of letters, three words each",
        repeats=1,
    )


def rows(quick: bool = False) -> list[dict]:
    words = load_words()

    def salet():
        return optimal_tree(words, first="salet")

    (seconds,) = timed(salet, repeats=3 if quick else 7)
    if salet().total != 7920:
        raise AssertionError("the tree from SALET has not its 7,920 guesses")
    what = "optimal tree from SALET, 2,315 answers, exact"
    if quick:
        tree = row(what, in_seconds(seconds), note="the peer is left out of the quick run")
    else:
        try:
            theirs, ended = peer_seconds()
            note = "doddle 1.6.0, tree_search, in its own environment; its score matrix not counted"
            if not ended:
                note += f"; stopped after {PATIENCE} s, so the ratio is more than this"
            other = f"{'' if ended else 'more than '}{in_seconds(theirs)}"
            tree = row(what, in_seconds(seconds), other, theirs / seconds, "at least 100", note)
        except RuntimeError as error:
            tree = row(what, in_seconds(seconds), note=f"not compared: {str(error)[:80]}")

    sample = words.allowed[:: 1000 if quick else 100]
    solver = tree_search.TreeSolver(tree_search.searched_game(words))
    (bounded,) = timed(
        lambda: [solver.bounds(solver.prepared.place[guess], 7920) for guess in sample], repeats=3
    )
    memory = peak_memory("optimal_tree(words, first='salet')", SETUP + WARM)
    compiling = compile_seconds(WARM, SETUP)
    limit = 1.5e9
    return [
        tree,
        openers_row(words, 1 if quick else 20),
        row(
            "bounds of a first guess by sizes and one scan",
            in_seconds(bounded / len(sample)),
            note=f"mean of {len(sample)} first guesses, one processor; nearly all need no more",
        ),
        row(
            "memory of the tree from SALET",
            in_megabytes(memory),
            in_megabytes(limit),
            memory / limit,
            "at most 1",
            "the limit is 1.5 GB",
        ),
        row("compiling, once", in_seconds(compiling), note="kept on disk; make setup does it"),
    ]
