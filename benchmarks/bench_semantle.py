"""Semantle over three million words: conversion, scan, and a whole solve, beside gensim's.

Makes a file in word2vec's binary format as large as the Google News vectors, with a spectrum like
that of real vectors, exact in bfloat16. It takes about 6 GB of disk, checked before and given back
after. BENCH_WORDS sets another number of words.
"""

import copy
import os
import shutil
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter

import numpy as np

from benchmarks.common import compare, in_megabytes, in_seconds, peak_memory, row, timed
from wordgames import Semantle, load_embedding, solve_semantle
from wordgames.semantle.experiments import other_model, popular_words
from wordgames.semantle.game import HALF_STEP, SLACK
from wordgames.semantle.solvers import make_solver

WORDS, QUICK_WORDS, DIMENSIONS = 3_000_000, 30_000, 300
SOLVE_MEMORY, CONVERSION_MEMORY = 2.5e9, 1.5e9
GLOVE_SOLVE, GLOVE_LOAD = 0.05, 2.0  # seconds
OTHER_WORDS, OTHER_GUESSES, OTHER_GUESS = 50_000, 100, 0.1  # the last in seconds
BLOCK = 50_000


def check_disk(folder: Path, words: int) -> None:
    """OSError when the folder's disk cannot hold the file and its store."""
    needed = words * DIMENSIONS * 6 + words * 50
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise OSError(
            f"the benchmark needs {needed / 1e9:.1f} GB in {folder}, {free / 1e9:.1f} GB are free: "
            "set TMPDIR to a larger disk, or BENCH_WORDS to fewer words"
        )


def make_file(path: Path, words: int, seed: int = 0) -> None:
    """A file of random vectors whose spectrum falls as that of real ones, exact in bfloat16."""
    rng = np.random.default_rng(seed)
    turn, _ = np.linalg.qr(rng.normal(size=(DIMENSIONS, DIMENSIONS)))
    scales = np.arange(1, DIMENSIONS + 1) ** -0.4
    mix = (scales[:, None] * turn).astype(np.float32)
    shared = (0.3 * turn[0]).astype(np.float32)  # real vectors are not centred
    with path.open("wb") as file:
        file.write(f"{words} {DIMENSIONS}\n".encode())
        for start in range(0, words, BLOCK):
            count = min(BLOCK, words - start)
            vectors = rng.standard_normal((count, DIMENSIONS), np.float32) @ mix + shared
            bits = vectors.view(np.uint32) & np.uint32(0xFFFF0000)
            records = bits.view(np.uint8).reshape(count, -1)
            for number, record in enumerate(records, start):
                file.write(b"word_%d " % number)
                file.write(record.data)


def gensim_solve(vectors, game, seed: int) -> str:
    """Elimination through gensim, with its list of candidate words; the answer."""
    rng = np.random.default_rng(seed)
    left = vectors.index_to_key
    while True:
        guess = left[rng.integers(len(left))]
        score = game.guess(guess)
        if game.solved:
            return guess
        cosines = 1 - vectors.distances(guess, other_words=left)
        near = np.abs(100 * cosines - score) <= HALF_STEP + SLACK
        left = [word for word, fits in zip(left, near, strict=True) if fits and word != guess]


def read_bytes(path: Path, buffer: bytearray) -> None:
    """Read a whole file through one buffer."""
    with path.open("rb", buffering=0) as file:
        while file.readinto(buffer):
            pass


def large_rows(folder: Path, words: int, quick: bool) -> list[dict]:
    """The rows about the large file, which is made in `folder`."""
    from gensim.models import KeyedVectors

    path, cache = folder / "vectors.bin", folder / "cache"
    make_file(path, words)
    small = folder / "small.bin"
    make_file(small, 1000)
    setup = (
        "import tqdm; from wordgames import Semantle, load_embedding, solve_semantle\n"
        f"small = load_embedding({str(small)!r}, cache={str(folder / 'small')!r})\n"
        "solve_semantle(Semantle(small, 'word_7'), 'rounded')"
    )
    load = f"vectors = load_embedding({str(path)!r}, cache={str(cache)!r})"
    converting = peak_memory(load, setup)
    shutil.rmtree(cache)
    start = perf_counter()
    load_embedding(path, cache=cache)
    conversion = perf_counter() - start
    solving = peak_memory(
        f"{load}; solve_semantle(Semantle(vectors, 'word_4321'), 'rounded', seed=1)", setup
    )
    start = perf_counter()
    theirs = KeyedVectors.load_word2vec_format(str(path), binary=True)
    gensim_load = perf_counter() - start

    ours = load_embedding(path, cache=cache)
    (store,) = cache.iterdir()
    assert ours.bits == 16 and len(ours) == words
    buffer = bytearray(1 << 24)
    scan = compare(
        f"A full scan of {words:,} words, after the first",
        lambda: ours.cosines(7),
        lambda: read_bytes(store, buffer),
        "at most 3",
        f"reading the store's {in_megabytes(store.stat().st_size)} from memory",
        repeats=3,
    )

    def solve():
        return solve_semantle(Semantle(ours, "word_4321"), "rounded", seed=1).answer

    def solve_by_gensim():
        return gensim_solve(theirs, Semantle(ours, "word_4321"), seed=1)

    assert solve() == solve_by_gensim() == "word_4321"
    solved = compare(
        f"A whole game by elimination, {words:,} words",
        solve,
        solve_by_gensim,
        "" if quick else "at least 10",
        "gensim's distances(..., other_words=list)",
        repeats=3 if quick else 1,
    )
    return [
        solved,
        scan,
        row(
            "Memory of loading and the game, mapped file included",
            in_megabytes(solving),
            in_megabytes(SOLVE_MEMORY),
            solving / SOLVE_MEMORY,
            "at most 1",
            "compared with the limit that was set",
        ),
        row(
            "Memory of the conversion",
            in_megabytes(converting),
            in_megabytes(CONVERSION_MEMORY),
            converting / CONVERSION_MEMORY,
            "at most 1",
            "compared with the limit that was set",
        ),
        row(
            "The conversion, done once",
            in_seconds(conversion),
            in_seconds(gensim_load),
            gensim_load / conversion,
            note="gensim's load_word2vec_format, done each time",
        ),
    ]


def glove_rows() -> list[dict]:
    """The rows about GloVe, compared with the limits that were set."""
    glove = load_embedding()
    targets = popular_words(glove)[50::500]

    def solve():
        for target in targets:
            solve_semantle(Semantle(glove, target))

    seconds = timed(solve, load_embedding, repeats=5)
    solved = seconds[0] / len(targets)
    return [
        row(
            f"A game over GloVe's {len(glove):,} words, method soft",
            in_seconds(solved),
            in_seconds(GLOVE_SOLVE),
            solved / GLOVE_SOLVE,
            "at most 1",
            "compared with the limit that was set",
        ),
        row(
            "Loading GloVe, imports not counted",
            in_seconds(seconds[1]),
            in_seconds(GLOVE_LOAD),
            seconds[1] / GLOVE_LOAD,
            "at most 1",
            "compared with the limit that was set",
        ),
    ]


def other_vector_rows() -> list[dict]:
    """The rows about vectors that are not the game's: a guess after a hundred others."""
    glove = load_embedding(limit=OTHER_WORDS)
    own, game = other_model(glove, 0.46), Semantle(glove, "medical")
    rng = np.random.default_rng(0)
    words = [glove.index_to_key[place] for place in rng.choice(5000, OTHER_GUESSES, replace=False)]

    def played(method):
        solver = make_solver(method, own)
        for word in words:
            solver.learn(own.place(word), game.guess(word))
        return solver

    # A copy learns one more score and chooses, again and again: the game does not get longer.
    solvers = {method: played(method) for method in ("other-vectors", "half-spaces")}
    guess = own.place("hospital")
    score = game.guess("hospital")

    def another(method):
        solver = copy.deepcopy(solvers[method])
        start = perf_counter()
        solver.learn(guess, score)
        solver.choose()
        return perf_counter() - start

    seconds = {}
    for method in solvers:
        another(method)
        seconds[method] = median(another(method) for _ in range(7))
    what = f"A guess by other-vectors, {OTHER_WORDS:,} words, after {OTHER_GUESSES} guesses"
    ours, theirs = seconds["other-vectors"], seconds["half-spaces"]
    return [
        row(what, in_seconds(ours), in_seconds(theirs), ours / theirs, note="half-spaces"),
        row(
            what,
            in_seconds(ours),
            in_seconds(OTHER_GUESS),
            ours / OTHER_GUESS,
            "at most 1",
            "compared with the limit that was set",
        ),
    ]


def rows(quick: bool = False) -> list[dict]:
    """The table of this topic; quick: 30,000 words in the large file."""
    words = QUICK_WORDS if quick else int(os.environ.get("BENCH_WORDS", WORDS))
    with tempfile.TemporaryDirectory(prefix="wordgames-bench-") as folder:
        check_disk(Path(folder), words)
        large = large_rows(Path(folder), words, quick)
    return large + glove_rows() + other_vector_rows()
