"""How a guess splits the words that fit, and what the sizes of the parts say of it.

A guess gives each word that might be the answer a pattern; the words of one pattern are a part. The
strategies compare guesses by a number that depends only on the sizes of the parts. This module is
the one home of these numbers.
"""

from functools import lru_cache

import numpy as np
import pandas as pd

from wordgames._compiled import compiled, in_ranges
from wordgames.patterns import sum_parts

# Entropies are compared as whole numbers. A part of mass m adds m log2 m, rounded once in a table
# to 2**-38; sums of whole numbers do not depend on their order; and sums that agree to 2**-20 are
# ties, so that no machine's rounding decides between guesses that are equally good.
FINE, _COARSE = 38, 20
WHOLE = 1 << 20  # what weights add up to as whole numbers: sums of m log2 m then fit 64 bits

ENTROPY, SQUARES, PARTS, WORST = range(4)  # columns of what `measure` returns


@lru_cache(maxsize=2)
def _entropy_table(size: int) -> np.ndarray:
    masses = np.arange(size, dtype=float)
    masses[1:] *= np.log2(masses[1:])
    return np.rint(masses * 2.0**FINE).astype(np.int64)


def _table_for(total: int) -> np.ndarray:
    if total > WHOLE:
        raise ValueError(f"{total:,} words: partitions of at most {WHOLE:,} are supported")
    # Few sizes, so that the cache holds them: the tables of lists, and the one of weights.
    return _entropy_table(1 << 14 if total < 1 << 14 else WHOLE + 1)


@compiled
def _add_up(counts, masses, table, out):
    """The four statistics of one partition; leaves counts and masses all zero."""
    entropy, squares, n_parts, worst = 0, 0, 0, 0
    for place in range(counts.size):
        count = counts[place]
        if count:
            mass = masses[place] if masses.size else count
            entropy += table[mass]
            squares += mass * count
            n_parts += 1
            worst = max(worst, mass)
            counts[place] = 0
            if masses.size:
                masses[place] = 0
    out[0], out[1], out[2], out[3] = entropy, squares, n_parts, worst


@compiled
def _measure(start, stop, parts, rows, weights, n_patterns, table, out):
    """Statistics of the partitions that guesses start to stop make of the words of `parts`."""
    n = parts.shape[1]
    block = min(16, stop - start)
    tile = np.empty((block, n), parts.dtype)
    counts = np.zeros(n_patterns, np.int64)
    masses = np.zeros(n_patterns if weights.size else 0, np.int64)
    for first in range(start, stop, block):
        last = min(first + block, stop)
        sum_parts(0, last - first, parts, rows[first:last], tile)
        for guess in range(first, last):
            line = tile[guess - first]
            if n >= n_patterns:
                for j in range(n):
                    counts[line[j]] += 1
                if weights.size:
                    for j in range(n):
                        masses[line[j]] += weights[j]
                _add_up(counts, masses, table, out[guess])
                continue
            # Fewer words than patterns: what each word adds, without a branch, is quicker.
            entropy, squares, n_parts, worst = 0, 0, 0, 0
            for j in range(n):
                count = counts[line[j]]
                mass = masses[line[j]] if weights.size else count
                more = mass + (weights[j] if weights.size else 1)
                entropy += table[more] - table[mass]
                squares += more * (count + 1) - mass * count
                n_parts += count == 0
                worst = max(worst, more)
                counts[line[j]] = count + 1
                if weights.size:
                    masses[line[j]] = more
            for place in line:
                counts[place] = 0
                if weights.size:
                    masses[place] = 0
            out[guess, 0], out[guess, 1] = entropy, squares
            out[guess, 2], out[guess, 3] = n_parts, worst


@compiled
def _measure_counts(start, stop, counts, table, out):
    for row in range(start, stop):
        _add_up(counts[row].copy(), counts[row, :0].copy(), table, out[row])


def measure(
    parts: np.ndarray, rows: np.ndarray, n_patterns: int, weights: np.ndarray | None = None
) -> np.ndarray:
    """How guesses split some words: whole numbers that compare exactly, small to hold.

    Parameters
    ----------
    parts : ndarray (n_parts, n_words), uint8 or uint16
    rows : ndarray (n_guesses, length), uint32
        As `wordgames.patterns.letter_parts` gives them, for these words and guesses.
    n_patterns : int
        3**length.
    weights : ndarray (n_words,) of whole numbers, optional
        The mass of each word, `WHOLE` at most in all. None: one each.

    Returns
    -------
    ndarray (n_guesses, 4), int64
        ENTROPY: the sum of m log2 m over the masses of the parts, in units of 2**-FINE, so that
        small is good; SQUARES: the sum of mass times number of words; PARTS: how many; WORST: the
        largest mass.
    """
    n_words = parts.shape[1]
    weights = np.empty(0, np.int64) if weights is None else weights
    total = int(weights.sum()) if weights.size else n_words
    out = np.empty((len(rows), 4), np.int64)
    # Under a millisecond of work is not worth handing to a thread.
    step = None if len(rows) * n_words > 1_000_000 else max(1, len(rows))
    table = _table_for(total)
    in_ranges(_measure, len(rows), parts, rows, weights, n_patterns, table, out, step=step)
    return out


def entropy_key(measured: np.ndarray) -> np.ndarray:
    """The entropy column of `measure`, coarse enough that guesses equally good are equal."""
    shift = FINE - _COARSE
    return (measured[:, ENTROPY] + (1 << (shift - 1))) >> shift


def statistics(measured: np.ndarray, total: int) -> pd.DataFrame:
    """The statistics of `partition_statistics` from what `measure` gives; `total`: of all mass."""
    entropy = np.log2(total) - measured[:, ENTROPY] / 2.0**FINE / total
    return pd.DataFrame(
        {
            "entropy": np.round(np.maximum(entropy, 0), 9),
            "expected_size": measured[:, SQUARES] / total,
            "parts": measured[:, PARTS],
            "worst": measured[:, WORST],
        }
    )


def partition_statistics(counts) -> pd.DataFrame:
    """What the sizes of a partition's parts say of a guess.

    Parameters
    ----------
    counts : array (n_guesses, n_parts) of whole numbers
        Sizes of the parts; zeros are no parts. Every row has the same sum, the number of words.

    Returns
    -------
    DataFrame, a row for each guess
        entropy: bits learnt on average; expected_size: words left on average (the sum of squared
        sizes over the number of words); parts: how many; worst: size of the largest.

    Raises
    ------
    ValueError
        For sums that differ or are zero, negative sizes, or another shape.

    >>> partition_statistics([[1, 1, 2, 0]]).iloc[0].tolist()
    [1.5, 1.5, 3.0, 2.0]
    """
    counts = np.asarray(counts)
    if counts.ndim != 2 or counts.dtype.kind not in "ui" or (counts < 0).any():
        raise ValueError(
            f"counts have shape {counts.shape} and type {counts.dtype}: "
            "they are whole numbers from 0, a row for each guess and a column for each part"
        )
    totals = np.unique(counts.sum(axis=1))
    if len(totals) != 1 or totals[0] == 0:
        raise ValueError(
            f"rows of counts add up to {', '.join(map(str, totals[:3]))}: each guess splits "
            "the same words, at least one, so all rows have one sum"
        )
    measured = np.zeros((len(counts), 4), np.int64)
    in_ranges(
        _measure_counts, len(counts), counts.astype(np.int64), _table_for(totals[0]), measured
    )
    return statistics(measured, int(totals[0]))
