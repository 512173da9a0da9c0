"""Optimal play: exact search for the tree of fewest guesses, and its proof.

A decision tree says what to guess first and what to guess after every pattern. Its total is the
number of guesses over all candidates, each the answer once. `optimal_tree` finds a tree of the
smallest total, `prove_optimal` bounds every first guess from below.

The method is alpha-beta on the sum of guesses. Let a guess split n candidates into parts. Each
candidate costs this guess; the guess itself, if it is a candidate, nothing more; and a part of m
candidates at least 2m - 1 further guesses: one of them is hit at once, the others need two. So

    total >= 3 n - parts - (1 if the guess is itself a candidate),

with equality when no part has more than two candidates. A part of a set is never split into more
parts than the best guess splits the set, which sharpens the 2m - 1 for large m to 3m - most - 1.
Guesses are tried in the order of this bound, and each is examined in four passes of rising cost,
until its bound exceeds what is still allowed: the sizes of its parts; what is known of each part,
or whether a member of it separates it (then 2m - 1 is exact); the bound of the best guess at each
part, "one scan"; and at last the search of the parts, small ones first, each with the budget that
the bounds of the others leave.

One scan counts the parts that every guess makes. Of a large set of which many parts are scanned it
first keeps the guesses that no other beats, by falling number of parts of the large set, and stops
where no guess that follows can make more.

What was found for a set of candidates is kept in a hash table under a 128-bit key: random numbers
of its members, combined by exclusive or. In hard mode the allowed guesses are part of the key.
Two of a hundred million sets share a key with probability 10**-22.

Sources: the bound and the order of passes are our own form of what A. Selby ("The best strategies
for Wordle", 2022) and others use; 7,920 for the original list is also their figure.
"""

import math
import threading
from collections.abc import Iterable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from time import monotonic

import numpy as np
import pandas as pd

from wordgames._compiled import processors
from wordgames._hints import whole_number
from wordgames._progress import progress
from wordgames.patterns import (
    GUESSES,
    encode,
    letter_parts,
    score_matrix,
)
from wordgames.wordle import partitions
from wordgames.wordle.proofs import (
    LEVELS,
    SearchedGame,
    bounds_frame,
    proof_of,
    proved_game,
    read_bounds,
    write_bounds,
)
from wordgames.wordle.tree import DecisionTree
from wordgames.wordle.tree_kernels import (
    NEVER,
    allowed_after,
    bounds_of,
    estimate_totals,
    find_guess,
    search_set,
)
from wordgames.words import WordList

SMALL = 200  # up to so many candidates, one search over all first guesses is quick
GOOD_OPENERS = 10  # first guesses of good estimate that are searched before all the others
CHUNK = 16  # first guesses that a worker bounds at a time
SAVE_EVERY = 5  # seconds between two writes of what has been proved


@dataclass(frozen=True)
class _Prepared:
    """A game as arrays. Guesses are in the order of falling numbers of parts, then the alphabet."""

    guesses: tuple[str, ...]
    place: dict[str, int]
    arrays: tuple
    most: int  # parts that the best guess makes of all candidates


@lru_cache(maxsize=2)
def _prepare(words: WordList, candidates: tuple[str, ...]) -> _Prepared:
    length = words.length
    parts, rows = letter_parts(words.allowed, candidates)
    counts = partitions.measure(parts, rows, 3**length)
    n_parts = counts[:, partitions.PARTS]
    order = np.argsort(-n_parts, kind="stable")
    guesses = tuple(words.allowed[i] for i in order)
    patterns = np.ascontiguousarray(score_matrix(guesses, candidates).T)
    place = {guess: i for i, guess in enumerate(guesses)}
    guess_of = np.array([place[word] for word in candidates], np.int32)
    # The keys only have to be random; that they are the same in every run makes runs repeat.
    rng = np.random.default_rng(0)
    candidate_keys, guess_keys = (
        rng.integers(1, 2**64, (n, 2), dtype=np.uint64) for n in (len(candidates), len(guesses))
    )
    letters = np.ascontiguousarray(encode(guesses), np.uint32)
    all_guesses = np.arange(len(guesses), dtype=np.int32)
    arrays = (patterns, guess_of, candidate_keys, letters, guess_keys, all_guesses)
    return _Prepared(guesses, place, arrays, int(n_parts.max()))


def _expected_totals(n: int) -> np.ndarray:
    """Rough total of a set of each size up to n, by which a beam ranks the guesses at large sets.

    A line through the mean totals of the sets in a good tree over the whole dictionary, by the
    logarithm of their size. No bound depends on it.
    """
    sizes = np.arange(n + 1, dtype=np.float32)
    totals = np.zeros(n + 1, np.float32)
    totals[1:] = sizes[1:] * (1 + 0.5 * np.minimum(1, np.log2(sizes[1:])))
    large = sizes > 2
    totals[large] = sizes[large] * (BEAM_A + BEAM_B * np.log2(sizes[large]))
    return totals


BEAM_A, BEAM_B = 1.1, 0.28


class TreeSolver:
    """The search over one game, with the table of what it has found."""

    def __init__(self, game: SearchedGame, width: int = 0, slots: int | None = None):
        self.game, self.width = game, width
        self.prepared = _prepare(game.words, game.candidates)
        n = len(game.candidates)
        slots = slots or 1 << (24 if n > 5000 else 22 if n > 500 else 15)
        self.table = np.zeros((slots, 2), np.uint64), np.zeros((slots, 2), np.int32)
        self.everything = np.arange(n, dtype=np.int32)
        self._expected = _expected_totals(n if width else 0)

    def search(self, budget: int = NEVER - 1, first: int = -1) -> int:
        """The least total, exact when it is at most `budget`, else a bound above it."""
        return self._search(self.everything, budget, first, self.game.limit, self._all_guesses)

    def bounds(self, first: int, budget: int) -> tuple[int, int]:
        """Bounds of a first guess from sizes and from one scan, which is left out above budget."""
        return bounds_of(first, self.everything, self.prepared.most, budget, self.prepared.arrays)

    def games(
        self, first: int | None = None, part: np.ndarray | None = None
    ) -> dict[str, tuple[str, ...]] | None:
        """Every candidate's guesses in the best tree (with a first guess); None if there is none.

        Each set that the tree meets and the table does not hold is searched when it is met.
        `part`: only of these candidates, which the first guess has left.
        """
        words, guesses = self.game.candidates, self.prepared.guesses
        patterns, letters = self.prepared.arrays[0], self.prepared.arrays[3]
        games = {}
        # Of equally large sets the one met first comes first: the order only guides progress.
        sets: list[tuple] = [(self.everything, (), self._all_guesses)]
        if part is not None and first is not None:
            sets = [(part, (guesses[first],), self._all_guesses)]
        with progress(what="games", total=len(sets[0][0])) as bar:
            while sets:
                members, path, allowed = sets.pop()
                if path or first is None:
                    left = self.game.limit - len(path)
                    if len(members) > 2:
                        guess = self._best_guess(members, left, allowed)
                        if guess < 0:
                            return None
                    elif len(members) > left:
                        return None
                    else:
                        guess = self.prepared.arrays[1][members[0]]
                else:
                    guess = first
                path = (*path, guesses[guess])
                codes = patterns[members, guess]
                for code in np.unique(codes):
                    part = members[codes == code]
                    if words[part[0]] == path[-1]:
                        games[words[part[0]]] = path
                        bar.update()
                        continue
                    still = allowed
                    if self.game.hard:
                        still = np.empty_like(allowed)
                        n = allowed_after(allowed, guess, int(code), letters, still)
                        still = still[:n].copy()
                    sets.append((part, path, still))
        return dict(sorted(games.items()))

    def openers(self, n: int) -> list[int]:
        """The n first guesses of the best estimate."""
        patterns, *_ = self.prepared.arrays
        out = np.empty(len(self.prepared.guesses), np.float32)
        expected = _expected_totals(len(self.everything))
        n_patterns = 3**self.game.words.length
        estimate_totals(self.everything, self._all_guesses, patterns, n_patterns, expected, out)
        return np.argsort(out, kind="stable")[:n].tolist()

    def best_of(self, openers: Iterable[int]) -> tuple[int | None, int]:
        """The best of some first guesses, the earliest of equals, and its total."""
        best, total = None, NEVER - 1
        for guess in progress(openers, "first guesses"):
            value = self.search(total - 1, guess)
            if value < total:
                best, total = guess, value
        return best, total

    @property
    def _all_guesses(self) -> np.ndarray:
        return self.prepared.arrays[-1]

    def _best_guess(self, members: np.ndarray, left: int, allowed: np.ndarray) -> int:
        _, _, candidate_keys, _, guess_keys, _ = self.prepared.arrays
        look = (allowed, self.game.hard, left if self.game.limit < LEVELS else LEVELS)
        look = (members, *look, candidate_keys, guess_keys, *self.table)
        _, guess = find_guess(*look)
        if guess < 0 and self._search(members, NEVER - 1, -1, left, allowed) < NEVER:
            _, guess = find_guess(*look)
        return guess

    def _search(self, members, budget, first, left, allowed) -> int:
        if len(members) < 3 and first < 0:
            return NEVER if len(members) > left else 2 * len(members) - 1
        value = search_set(
            members, budget, first, left if self.game.limit < LEVELS else LEVELS, self.width,
            self.game.hard, allowed, self.prepared.most, self.prepared.arrays, self.table,
            self._expected,
        )  # fmt: skip
        if value < 0:
            raise RuntimeError(
                f"{self.game.words.name}: some game would take {LEVELS} guesses or more, "
                "which is deeper than the search goes"
            )
        return value


def optimal_tree(
    words: WordList,
    first: str | None = None,
    candidates: Iterable[str] | None = None,
    hard: bool = False,
    width: int | None = None,
    *,
    worst: float | None = None,
) -> DecisionTree:
    """The decision tree of fewest guesses in total.

    Parameters
    ----------
    words : WordList
        Every allowed word may be guessed.
    first : str, optional
        The first guess. None: the best. For a list whose proof is in ``data/`` that is read from
        it; else every first guess is searched, on all processors: seconds for some hundred
        candidates, minutes for thousands. Of equally good ones the first in the alphabet.
    candidates : iterable of str, optional
        The words that may be the answer. None: `words.answers`.
    hard : bool
        Hard mode: green letters stay in place, and every revealed letter is used again at least
        as many times as it was revealed.
    width : int, optional
        None: the search is exact. A number: a beam, which tries so many guesses at each set (and
        so many first guesses), those of the best bound; at sets of more than 40 those of the best
        estimate. What it finds is a tree, not a proof.
    worst : int or math.inf, optional
        No game may take more guesses. None: no limit, but in hard mode the game's own six, as in
        published totals, if any tree keeps to them; math.inf: no limit there either. (From SALET,
        8,122 guesses within six; one game of seven would save six guesses in all.)

    Raises
    ------
    ValueError
        For a word that is not allowed, no candidates, a width or worst below 1, or when no tree
        keeps to `worst` (with a beam: when none was found).

    >>> from wordgames.words import load_words
    >>> tree = optimal_tree(load_words(), first="salet")
    >>> tree.total, tree.worst
    (7920, 5)
    """
    game = searched_game(words, candidates, hard, worst)
    if width is not None:
        width = whole_number(width, "width", of="guesses that a beam tries at each set")
    opener = None if first is None else words.check(first)
    games = _solve(game, opener, width or 0)
    if games is None and hard and worst is None:
        games = _solve(replace(game, limit=LEVELS), opener, width or 0)
    if games is None:
        found = "a beam of this width found no tree" if width else "there is no tree"
        start = f" that begins with {opener!r}" if opener else ""
        raise ValueError(
            f"{found}{start} in which every game ends within {worst} guesses: allow more"
            + (", or a wider beam" if width else "")
        )
    return DecisionTree(words, games, hard)


def improve_tree(
    tree: DecisionTree,
    *,
    largest: int | None = None,
    width: int | None = None,
    worst: float | None = None,
) -> DecisionTree:
    """A tree of the same first guess and no more guesses in total.

    What the first guess leaves after each pattern is searched again, small parts first, for less
    than it takes in the tree. That budget makes an exact search of some hundred candidates quick
    where a beam over the whole list had to be narrow.

    Parameters
    ----------
    tree : DecisionTree
        Not one of hard mode.
    largest : int, optional
        Parts of more candidates stay as they are. None: all are searched.
    width, worst
        As for `optimal_tree`; with `worst` the tree has to keep to it too.

    Raises
    ------
    ValueError
        For a tree of hard mode, or one with a longer game than `worst`.

    >>> from wordgames.words import load_words
    >>> words = load_words()
    >>> beam = optimal_tree(words, "salet", words.answers[:200], width=1)
    >>> beam.total, improve_tree(beam).total
    (577, 576)
    """
    if tree.hard:
        raise ValueError("a tree of hard mode cannot be improved: give one made without hard=True")
    game = searched_game(tree.words, tree.candidates, False, worst)
    if tree.worst > game.limit:
        raise ValueError(f"the tree has a game of {tree.worst} guesses, and worst is {worst}")
    solver = TreeSolver(game, width or 0)
    games, first = dict(tree.games), solver.prepared.place[tree.first]
    codes = solver.prepared.arrays[0][:, first]
    parts = [np.flatnonzero(codes == code).astype(np.int32) for code in np.unique(codes)]
    limit = game.limit - 1 if game.limit < LEVELS else LEVELS
    for part in progress(sorted(parts, key=len), "parts"):
        if len(part) < 3 or len(part) > (largest or len(codes)):
            continue
        now = sum(len(games[game.candidates[i]]) - 1 for i in part)
        if solver._search(part, now - 1, -1, limit, solver._all_guesses) < now:
            games |= solver.games(first, part) or {}
    return DecisionTree(tree.words, games)


def searched_game(words, candidates=None, hard=False, worst=None) -> SearchedGame:
    """What `optimal_tree` is asked for, checked; its errors."""
    if isinstance(candidates, str):
        raise TypeError(f"candidates are a sequence of words, not the one text {candidates!r}")
    if candidates is not None:
        candidates = tuple(sorted({words.check(word) for word in candidates}))
        if not candidates:
            raise ValueError("no candidates: at least one word has to be possible")
    if worst is None:
        worst = GUESSES if hard else LEVELS
    elif worst != math.inf:
        worst = whole_number(worst, "worst", of="guesses that a game may take")
    return SearchedGame(words, candidates or words.answers, bool(hard), min(worst, LEVELS))


def _solve(game: SearchedGame, first: str | None, width: int) -> dict[str, tuple[str, ...]] | None:
    solver = TreeSolver(game, width)
    if first is not None:
        return solver.games(solver.prepared.place[first])
    if len(game.candidates) <= SMALL:
        return solver.games()
    # In a beam the good first guesses are all that is tried.
    best, total = solver.best_of(solver.openers(width or GOOD_OPENERS))
    if best is None and width:
        return None
    if not width:
        first = _proved_opener(game)
        if first is None:
            bounds = _bound_all(game, total, game.words.allowed)
            least = bounds["bound"].min()
            if least >= NEVER:
                return None
            first = bounds["guess"][bounds["bound"] == least].min()
        best = solver.prepared.place[first]
    return solver.games(best)


def prove_optimal(
    words: WordList,
    total: int,
    executor: Executor | None = None,
    resume: str | Path | None = None,
    *,
    guesses: Iterable[str] | None = None,
    candidates: Iterable[str] | None = None,
    hard: bool = False,
    worst: float | None = None,
) -> pd.DataFrame:
    """A lower bound of every first guess, as good as it takes to tell it from `total`.

    Parameters
    ----------
    words : WordList
    total : int
        The guesses of a known tree. Each first guess is either shown to need more, or its least
        total is found.
    executor : concurrent.futures.Executor, optional
        Where the work runs. None: a thread for each processor. Each worker keeps about 100 MB.
    resume : str or path, optional
        A file that keeps what has been proved, written whole every few seconds and when the run
        is interrupted. If it exists the run goes on from it; compressed when it ends in ``.gz``.
    guesses : iterable of str, optional
        The first guesses to bound. None: all allowed words.
    candidates, hard, worst
        As for `optimal_tree`.

    Returns
    -------
    DataFrame, a row for each first guess in the order of the alphabet
        guess; bound: no tree that begins with it has fewer guesses; reason: what gave the bound.
        ``size``: the sizes of its parts. ``one scan``: the best next guess for each part, by the
        bound of that guess. ``search``: a search, which stops at ``total + 1``; so a bound of at
        most `total` is the exact least total of that first guess.

    Raises
    ------
    ValueError
        For a `resume` file of other parameters or another list, cut short or altered, a guess
        that is not allowed, or what `optimal_tree` refuses.

    >>> from wordgames.words import load_words
    >>> proof = prove_optimal(load_words(), 7920, guesses=["salet", "reast", "qajaq"])
    >>> proof.to_numpy().tolist()
    [['qajaq', 8533, 'size'], ['reast', 7921, 'search'], ['salet', 7920, 'search']]
    """
    game = searched_game(words, candidates, hard, worst)
    total = whole_number(total, "total", of="guesses of a known tree")
    guesses = words.allowed if guesses is None else [words.check(word) for word in guesses]
    return _bound_all(game, total, guesses, executor, resume)


def _bound_all(game, total, guesses, executor=None, resume=None) -> pd.DataFrame:
    wanted = sorted(set(guesses))
    done = {}
    if resume is not None and Path(resume).exists():
        done = read_bounds(resume, game, total)
    todo = [guess for guess in wanted if guess not in done]
    chunks = [tuple(todo[i : i + CHUNK]) for i in range(0, len(todo), CHUNK)]

    def save():
        if resume is not None:
            write_bounds(resume, game, total, done)

    gather(partial(_bound_chunk, game, total), chunks, done, executor, save)
    return bounds_frame({guess: done[guess] for guess in wanted})


def gather(work, chunks, done, executor, save, weigh=len) -> None:
    """Add to `done` what ``work(chunk)`` finds of each chunk's first guesses; `save` now and then.

    It saves every few seconds, and at the end, also when interrupted. `weigh` says how long a
    chunk takes beside the others.
    """
    workers = executor or ThreadPoolExecutor(processors())
    futures = {workers.submit(work, chunk): chunk for chunk in chunks}
    saved, found = monotonic(), 0
    bar = progress(
        what="first guesses",
        total=sum(map(weigh, chunks)),
        bar_format="{desc}: {percentage:3.0f}%|{bar}|{postfix} [{elapsed}<{remaining}]",
    )
    try:
        for future in as_completed(futures):
            chunk = futures[future]
            done.update(future.result())
            found += len(chunk)
            bar.set_postfix_str(f"{found:,} of {sum(map(len, chunks)):,}", refresh=False)
            bar.update(weigh(chunk))
            if monotonic() - saved > SAVE_EVERY:
                save()
                saved = monotonic()
    finally:
        bar.close()
        for future in futures:
            future.cancel()
        if executor is None:
            workers.shutdown()
        # After an interruption: what was running has ended, and is worth keeping.
        for future in futures:
            if future.done() and not future.cancelled() and future.exception() is None:
                done.update(future.result())
        save()


_workers = threading.local()


def _bound_chunk(
    game: SearchedGame, total: int, guesses: Sequence[str]
) -> dict[str, tuple[int, str]]:
    # One table for each worker: what it learnt of one first guess serves the next.
    if getattr(_workers, "game", None) != game:
        _workers.game, _workers.solver = game, TreeSolver(game)
    solver = _workers.solver
    bounds = {}
    for guess in guesses:
        first = solver.prepared.place[guess]
        by_size, by_scan = solver.bounds(first, total)
        if by_size > total:
            bounds[guess] = by_size, "size"
        elif by_scan > total:
            bounds[guess] = by_scan, "one scan"
        else:
            # What a search that fails has found depends on what the table held before.
            bounds[guess] = min(solver.search(total, first), total + 1), "search"
    return bounds


def good_total(words: WordList, *, hard: bool = False) -> int:
    """The least total of a few first guesses of good estimate: what a proof may start from."""
    solver = TreeSolver(proved_game(words, hard))
    return solver.best_of(solver.openers(GOOD_OPENERS))[1]


def first_guess_bound(words: WordList, first: str, candidates: Iterable[str] | None = None) -> int:
    """A lower bound of the total of every tree that begins with a guess, by one scan of its parts.

    Parameters and errors as for `optimal_tree`.

    >>> from wordgames.words import load_words
    >>> first_guess_bound(load_words(), "salet")
    7812
    """
    solver = TreeSolver(searched_game(words, candidates, False, None))
    return solver.bounds(solver.prepared.place[words.check(first)], NEVER)[1]


def _proved_opener(game: SearchedGame) -> str | None:
    if game != proved_game(game.words, game.hard):
        return None
    bounds = proof_of(game.words, hard=game.hard)
    if bounds is None:
        return None
    # The total that was proved is reached, so the least bound is the least total.
    return bounds.sort_values(["bound", "guess"])["guess"].iloc[0]
