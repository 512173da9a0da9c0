"""Building the sets of patterns, containment of all pairs of sets, and looking up candidates."""

import tempfile
from pathlib import Path

import numpy as np

from benchmarks.common import compare, in_megabytes, in_seconds, peak_memory, row, timed
from wordgames import PatternSets, load_words
from wordgames.emojle.pattern_sets import count_contained
from wordgames.patterns import encode
from wordgames.words import WordList

PUBLISHED_SECONDS = 120  # E06: a Node script on a laptop of 2022
MEMORY_LIMIT = 300e6
CANDIDATES_LIMIT = 1e-3  # seconds
POSTED = ["YG..G", "YYYG.", "GYGYY", "GGGYY", ".G.YG"]


def numpy_patterns(letters: np.ndarray, answer: np.ndarray) -> np.ndarray:
    """Patterns of all guesses against one answer, letter by letter, as numpy code often does."""
    n, length = letters.shape
    cells = np.zeros((n, length), np.int64)
    green = letters == answer
    cells[green] = 2
    used = green.copy()
    for place in range(length):
        open_ = ~green[:, place]
        for other in range(length):
            hit = open_ & (letters[:, place] == answer[other]) & ~used[:, other]
            cells[hit, place] = 1
            used[hit, other] = True
            open_ &= ~hit
    return cells @ 3 ** np.arange(length - 1, -1, -1)


def numpy_sets(words: WordList, n_answers: int) -> np.ndarray:
    """The sets of the first answers as bytes (answer, pattern)."""
    letters = encode(words.allowed)
    seen = np.zeros((n_answers, 3**words.length), bool)
    for place in range(n_answers):
        seen[place, numpy_patterns(letters, letters[place])] = True
    return seen


def product_counts(members: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Supersets and subsets by the sizes of all common parts, a float32 matrix product."""
    common = members @ members.T
    sizes = np.diag(common)
    inside = common == sizes[:, None]
    return inside.sum(axis=1) - 1, inside.sum(axis=0) - 1


def rows(quick: bool = False) -> list[dict]:
    """The table of this topic; quick: of every sixth word."""
    words = load_words()
    if quick:
        some = words.allowed[::6]
        words = WordList(some, some, "every sixth word")
    n = len(words.allowed)
    sets = PatternSets.build(words)
    slice_ = 10 if quick else 60
    assert np.array_equal(numpy_sets(words, slice_).sum(axis=1), sets.cardinality()[:slice_])
    build = compare(
        f"Sets of {n:,} words",
        lambda: PatternSets.build(words),
        lambda: numpy_sets(words, slice_),
        note=f"numpy, an answer at a time; measured on {slice_} answers",
        repeats=3 if quick else 5,
        scale=n / slice_,
    )

    setup = "from wordgames import PatternSets, load_words; words = load_words()"
    taken = peak_memory("PatternSets.build(words)", setup)
    memory = row(
        "Memory of build above the imports, compilation included",
        in_megabytes(taken),
        in_megabytes(MEMORY_LIMIT),
        taken / MEMORY_LIMIT,
        "at most 1",
        "compared with the limit that was set; the whole matrix alone takes 168 MB",
    )

    codes = np.arange(3**words.length)
    fields = (sets.bits[:, codes // 64] >> (codes % 64).astype(np.uint64)) & np.uint64(1)
    members = fields.astype(np.float32)
    for ours, other in zip(count_contained(sets.bits), product_counts(members), strict=True):
        assert np.array_equal(ours, other)
    contained = compare(
        "Counts of supersets and subsets, all pairs",
        lambda: count_contained(sets.bits),
        lambda: product_counts(members),
        "at least 10",
        "float32 matrix product",
        repeats=3 if quick else 5,
    )

    python_sets = {
        word: set(np.flatnonzero(field).tolist())
        for word, field in zip(sets.words, fields, strict=True)
    }
    needed = set(sets.codes(POSTED))

    def python_candidates():
        return [word for word, field in python_sets.items() if needed <= field]

    assert python_candidates() == sets.candidates(POSTED)
    ours, other = timed(lambda: sets.candidates(POSTED), python_candidates, repeats=25)
    found = [
        row(
            "Candidates of five patterns",
            in_seconds(ours),
            in_seconds(other),
            other / ours,
            note="a set in Python for each word",
        ),
        row(
            "Candidates of five patterns, against the limit",
            in_seconds(ours),
            in_seconds(CANDIDATES_LIMIT),
            ours / CANDIDATES_LIMIT,
            "at most 1",
            "the limit that was set",
        ),
    ]

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sets.txt"
        (seconds,) = timed(lambda: PatternSets.build(load_words()).to_file(path), repeats=5)
    published = row(
        "E06 dictionary file of 12,972 words",
        in_seconds(seconds),
        in_seconds(PUBLISHED_SECONDS),
        PUBLISHED_SECONDS / seconds,
        note="the essay's Node script on a laptop of 2022, as published",
    )
    return [build, memory, contained, *found, published]
