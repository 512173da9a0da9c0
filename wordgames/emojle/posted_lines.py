"""Lines of play seen without their words: which tell most, and how many it takes.

A line is a row of squares that someone posts. What lines say of the answer is in `pattern_sets`;
here is what to look for next, what no line can ever tell apart, and games played by simulated
players to see how fast the candidates fall.
"""

import lzma
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from wordgames.emojle.pattern_sets import PatternSets, pattern_counts
from wordgames.patterns import pattern_names, score_matrix, solved
from wordgames.words import WordList


def candidates_after(
    sets: PatternSets, codes: Sequence[int], candidates: np.ndarray | None = None
) -> np.ndarray:
    """How many words are candidates after 0, 1, 2, … of some patterns.

    Parameters
    ----------
    codes : sequence of int
    candidates : ndarray of bool (n_words,), optional
        Which words can be the answer; all by default.

    Returns
    -------
    ndarray (n_codes + 1,), int64
    """
    codes = np.asarray(codes, np.int64)
    different, first = np.unique(codes, return_index=True)
    fits = sets.can_give(different[np.argsort(first)])  # a pattern seen again says nothing new
    if candidates is not None:
        fits = fits[candidates]
    left = [len(fits)]
    alive = np.ones(len(fits), bool)
    for column in fits.T:
        alive &= column
        left.append(int(alive.sum()))
    is_new = np.zeros(len(codes) + 1, np.int64)
    is_new[first + 1] = 1
    return np.array(left, np.int64)[np.cumsum(is_new)]


def telling_order(
    sets: PatternSets, codes: Iterable[int], candidates: np.ndarray | None = None
) -> list[int]:
    """Patterns in the order in which each next one leaves fewest candidates.

    Greedy; ties by code. It ends when no further pattern removes a candidate. `candidates` as for
    `candidates_after`.
    """
    codes = np.array(sorted(set(codes)), np.int64)
    fits = sets.can_give(codes)
    if candidates is not None:
        fits = fits[candidates]
    order: list[int] = []
    while len(fits):
        left = fits.sum(axis=0)
        if not len(left) or left.min() == len(fits):
            break
        best = int(left.argmin())
        order.append(int(codes[best]))
        fits = fits[fits[:, best]]
    return order


def next_patterns(
    sets: PatternSets, patterns: Iterable[str | int], candidates: np.ndarray | None = None
) -> pd.DataFrame:
    """Which pattern to look for next, by how many candidates it is expected to remove.

    With n candidates, all alike in probability, c of them able to give a pattern: it can turn up
    with probability c / n at most, and then removes the n - c others. A pattern that does not turn
    up tells nothing, for perhaps nobody made the guess.

    Parameters
    ----------
    patterns : iterable of str or int
        What has been seen.
    candidates : ndarray of bool (n_words,), optional
        Which words can be the answer; all by default.

    Returns
    -------
    DataFrame
        `pattern`, `can_give` (c), `removed_if_seen` (n - c), `expected_removed` (c (n - c) / n);
        the best first, ties by the pattern's code. Patterns that no candidate or every candidate
        can give are left out.
    """
    fits = sets.mask(patterns)
    if candidates is not None:
        fits = fits & candidates
    n = int(fits.sum())
    counts = sets.can_give()[fits].sum(axis=0)
    frame = pd.DataFrame(
        {
            "pattern": pattern_names(sets.length),
            "can_give": counts,
            "removed_if_seen": n - counts,
            "expected_removed": counts * (n - counts) / max(n, 1),
        }
    )
    frame = frame[(frame["can_give"] > 0) & (frame["can_give"] < n)]
    return frame.sort_values("expected_removed", ascending=False, kind="stable").reset_index(
        drop=True
    )


def inseparable_pairs(sets: PatternSets, words: Iterable[str]) -> pd.DataFrame:
    """Which pairs of some words no line can tell apart.

    Returns
    -------
    DataFrame
        `answer`, `never_excluded`: when the first is the answer, every pattern that can be seen
        can come from the second too. In the order of the words; a pair with equal sets stands
        both ways. ValueError for a word that the sets do not have.
    """
    words = sorted(set(words))
    place = {word: n for n, word in enumerate(sets.words)}
    unknown = [word for word in words if word not in place]
    if unknown:
        raise ValueError(f"{unknown[0]!r} is not among the {len(place):,} words of these sets")
    bits = sets.bits[[place[word] for word in words]]
    pairs = []
    for answer, own in enumerate(bits):
        containing = np.flatnonzero(~(own & ~bits).any(axis=1))
        pairs += [(words[answer], words[other]) for other in containing if other != answer]
    return pd.DataFrame(pairs, columns=["answer", "never_excluded"], dtype=object)


def random_lines(words: WordList, answer: str, n: int, rng: np.random.Generator) -> list[int]:
    """The patterns of `n` allowed guesses against an answer, drawn with repeats."""
    guesses = [words.allowed[place] for place in rng.integers(len(words.allowed), size=n)]
    return score_matrix(guesses, [words.check(answer)])[:, 0].astype(int).tolist()


# The orders in which the lines of a day are looked at.
RANDOM, POSTED, RAREST, TELLING = (
    "random guesses",
    "as posted",
    "posted, rarest first",
    "posted, most telling first",
)


def simulate_day(
    sets: PatternSets, players, answer: str, grids: int, rng: np.random.Generator
) -> dict[str, np.ndarray]:
    """How the candidates fall as the lines of one day are looked at, in four orders.

    Parameters
    ----------
    sets : PatternSets
    players : wordgames.grids.players.Players
        Of the same word list.
    answer : str
    grids : int
        Games that are played; their solved rows are left out, for they say nothing.

    Returns
    -------
    dict of str to ndarray, int64
        Candidates among all words after 0, 1, 2, … lines: of as many random guesses as there are
        posted lines; of the posted lines as they come; of the different ones, those first that
        fewest words can give; and of those, each next one the most telling.
    """
    played = players.games(answer, grids, rng)
    posted = [code for game in played for code in game if code != solved(sets.length)]
    rarity = sets.popularity().to_numpy()
    rarest = sorted(set(posted), key=lambda code: (rarity[code], code))
    guessed = random_lines(players.words, answer, len(posted), rng)
    orders = {
        RANDOM: guessed,
        POSTED: posted,
        RAREST: rarest,
        TELLING: telling_order(sets, posted),
    }
    return {order: candidates_after(sets, codes) for order, codes in orders.items()}


def lines_needed(
    days: Sequence[dict[str, np.ndarray]], goals: Sequence[int] = (12, 5, 2)
) -> pd.DataFrame:
    """How many lines bring a typical day down to some numbers of candidates.

    Parameters
    ----------
    days : sequence of what `simulate_day` returns

    Returns
    -------
    DataFrame
        A row for each order and goal: `order`, `goal`, `reached` (the share of days that get
        there), `lines` (the median over all days; infinite unless more than half get there),
        `left` (the median of what all lines of a day leave).
    """
    rows = []
    for order in days[0]:
        for goal in goals:
            needed = [_first(day[order] <= goal) for day in days]
            left = float(np.median([day[order][-1] for day in days]))
            reached = float(np.isfinite(needed).mean())
            rows.append((order, goal, reached, float(np.median(needed)), left))
    return pd.DataFrame(rows, columns=["order", "goal", "reached", "lines", "left"])


def _first(reached: np.ndarray) -> float:
    places = np.flatnonzero(reached)
    return float(places[0]) if len(places) else float("inf")


def mean_removal(sets: PatternSets, words: WordList) -> pd.Series:
    """What a random line tells of each word as the answer: the share of words that it removes.

    The mean over all allowed guesses of 1 - (words that can give the guess's pattern) / (all
    words); float64 by word, in the order of `words.allowed`. The matrix of patterns is made in
    pieces.
    """
    removed = 1 - sets.popularity().to_numpy() / len(sets.words)
    means = np.empty(len(words.allowed))
    for start in range(0, len(means), 512):
        answers = words.allowed[start : start + 512]
        patterns = score_matrix(words.allowed, answers)
        means[start : start + 512] = removed[patterns].mean(axis=0)
    return pd.Series(means, pd.Index(words.allowed, name="word"), name="removed")


def telling_share(sets: PatternSets, words: WordList, answer: str) -> float:
    """Which share of the allowed guesses gives an answer a telling line.

    Telling is a line that fewer words can give than the median line: the line of a random guess
    at a random allowed word as the answer.
    """
    popular = sets.popularity().to_numpy()
    counts = pattern_counts(words.allowed, words.allowed).sum(axis=0, dtype=np.int64)
    order = np.argsort(popular, kind="stable")
    middle = np.searchsorted(np.cumsum(counts[order]), counts.sum() / 2)
    lines = score_matrix(words.allowed, [words.check(answer)])[:, 0]
    return float((popular[lines] < popular[order[middle]]).mean())


def file_sizes(sets: PatternSets) -> pd.DataFrame:
    """What it costs in bytes to keep pattern sets: `kept` and `bytes`, the dictionary file first.

    Compressed sizes are of xz (`lzma`) at its strongest.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sets.txt"
        sets.to_file(path)
        file = path.read_bytes()
    plain = "\n".join(sets.words).encode()
    best = lzma.PRESET_EXTREME | 9
    rows = [
        ("the dictionary file: words and bit fields", len(file)),
        ("the dictionary file, compressed", len(lzma.compress(file, preset=best))),
        ("the words alone", len(plain)),
        (
            "the words alone, compressed; the sets are rebuilt",
            len(lzma.compress(plain, preset=best)),
        ),
    ]
    return pd.DataFrame(rows, columns=["kept", "bytes"])
