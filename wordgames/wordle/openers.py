"""What every first guess costs: the least total over all answers and the longest game, exactly.

`solve_openers` searches one first guess after another as `optimal_tree` does, with a table that
they share. Nearly all of the work is the set of answers that have no letter of the first guess. It
depends on the letters alone, so first guesses of the same letters are searched together: the
second costs a tenth to a half of the first.
"""

import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from contextlib import nullcontext
from functools import partial
from pathlib import Path

import pandas as pd

from wordgames._files import claimed, compose, read_text, write_text
from wordgames.places import COMPUTED
from wordgames.wordle.proofs import proof_of
from wordgames.wordle.tree import kept_for, list_of
from wordgames.wordle.tree_search import NEVER, TreeSolver, gather, searched_game
from wordgames.words import WordList

MANY = 100  # first guesses that are worth a large table
LARGE_TABLE = 1 << 25  # slots, 24 bytes each

_TITLE = "Least totals of first guesses, by wordgames"

# A row of a file: the least total or a bound of it, the longest game or None, whether it is exact.
_Row = tuple[int, int | None, bool]


def solve_openers(
    words: WordList,
    openers: Iterable[str] | None = None,
    *,
    executor: Executor | None = None,
    resume: str | Path | None = None,
) -> pd.DataFrame:
    """The least total of each first guess over all answers, and its longest game.

    Parameters
    ----------
    words : WordList
    openers : iterable of str, optional
        The first guesses, which are searched in this order, those of the same letters together.
        None: all allowed words, first those of a low bound.
    executor : concurrent.futures.Executor, optional
        Where the work runs. None: a thread for each processor. Each worker keeps a table of
        100 MB, or 800 MB for more than `MANY` first guesses.
    resume : str or path, optional
        A file that keeps what has been found, written whole every few seconds and when the run is
        interrupted. If it exists the run goes on from it, and what else it holds stays in it;
        compressed when it ends in ``.gz``.

    Returns
    -------
    DataFrame, by first guess in the order of the alphabet
        total: guesses over all answers, each the answer once; worst: guesses of the longest game
        in the tree that `optimal_tree` gives; exact: True. The result does not depend on the
        executor, on interruptions or on what else was searched.

    Raises
    ------
    ValueError
        For a word that is not allowed, or a `resume` file of another list, cut short, altered or
        in use by another run.

    >>> from wordgames import load_words
    >>> solve_openers(load_words(), ["salet", "reast"]).reset_index().to_numpy().tolist()
    [['reast', 7923, 5, True], ['salet', 7920, 5, True]]
    """
    if isinstance(openers, str):
        raise ValueError(f"openers = {openers!r} is one word: give a list, [{openers!r}]")
    wanted = words.allowed if openers is None else [words.check(word) for word in openers]
    with claimed(resume) if resume is not None else nullcontext():
        rows = _read_rows(resume, words) if resume is not None and Path(resume).exists() else {}
        todo = list(dict.fromkeys(word for word in wanted if not rows.get(word, (0, 0, False))[2]))
        if resume is not None or openers is None:
            rows = _bounds(words, todo) | rows
        rank = {word: (rows[word][0], word) for word in todo} if openers is None else None
        groups = _by_letters(todo, rank)

        def save():
            if resume is not None:
                _write_rows(resume, words, rows)

        slots = LARGE_TABLE if len(todo) > MANY else None
        gather(partial(_solve_group, words, slots), groups, rows, executor, save, _weigh(words))
    return _frame({word: rows[word] for word in wanted}).astype({"worst": "int64"})


def _bounds(words: WordList, openers: Sequence[str]) -> dict[str, _Row]:
    """A bound for each first guess: of the list's proof if it has one, else by sizes alone."""
    if not openers:
        return {}
    proof = proof_of(words)
    if proof is not None:
        bounds = proof.set_index("guess")["bound"]
    else:
        solver = TreeSolver(searched_game(words, None, False, None))
        bounds = {word: solver.bounds(solver.prepared.place[word], 0)[0] for word in openers}
    return {word: (int(bounds[word]), None, False) for word in openers}


def _by_letters(openers: Sequence[str], rank: dict | None) -> list[tuple[str, ...]]:
    """First guesses of the same letters together, groups in the order of their first."""
    if rank is not None:
        openers = sorted(openers, key=rank.__getitem__)
    groups = {}
    for word in openers:
        groups.setdefault(frozenset(word), []).append(word)
    return [tuple(group) for group in groups.values()]


def _weigh(words: WordList) -> Callable[[Sequence[str]], int]:
    """How long a group takes beside others: by the cube of the answers without its letters.

    Fitted to the times of 60 random first guesses of the original list, from 0.2 to 39 s.
    """
    letters = [frozenset(answer) for answer in words.answers]
    return lambda group: 1 + sum(map(frozenset(group[0]).isdisjoint, letters)) ** 3


_workers = threading.local()


def _solve_group(words: WordList, slots: int | None, openers: Sequence[str]) -> dict[str, _Row]:
    # One table for each worker: what it learnt of one first guess serves the next.
    if getattr(_workers, "task", None) != (words, slots):
        _workers.task = words, slots
        _workers.solver = TreeSolver(searched_game(words, None, False, None), slots=slots)
    solver = _workers.solver
    rows: dict[str, tuple[int, int | None, bool]] = {}
    for word in openers:
        first = solver.prepared.place[word]
        total = solver.search(NEVER - 1, first)
        # Of equal guesses the search keeps the first in its own order, whatever the table held:
        # so the tree, and with it the longest game, is that of `optimal_tree`.
        rows[word] = int(total), max(map(len, solver.games(first).values())), True
    return rows


def _write_rows(path: str | Path, words: WordList, rows: dict[str, _Row]) -> None:
    head = {
        "list": words.name,
        "list checksum": words.checksum,
        "exact": sum(exact for _, _, exact in rows.values()),
        "made by": "python -m wordgames openers, which also goes on with what is not exact",
        "total": "guesses over all answers; where exact is no, there are no fewer",
        "worst": "guesses of the longest game in that tree",
    }
    lines = ["guess,total,worst,exact"] + [
        f"{word},{total},{worst or ''},{'yes' if exact else 'no'}"
        for word, (total, worst, exact) in sorted(rows.items())
    ]
    write_text(path, compose(_TITLE, head, "".join(f"{line}\n" for line in lines)))


def _read_rows(path: str | Path, words: WordList) -> dict[str, _Row]:
    head, body = read_text(path, _TITLE)
    list_of(path, head, words)
    fields = (line.split(",") for line in body.splitlines()[1:])
    return {
        word: (int(total), int(worst) if worst else None, exact == "yes")
        for word, total, worst, exact in fields
    }


def _frame(rows: dict[str, _Row]) -> pd.DataFrame:
    ordered = [(word, *row) for word, row in sorted(rows.items())]
    frame = pd.DataFrame(ordered, columns=["guess", "total", "worst", "exact"]).set_index("guess")
    return frame.astype({"total": "int64", "worst": "Int64", "exact": bool})


def read_openers(path: str | Path, words: WordList) -> pd.DataFrame:
    """What a file of `solve_openers` holds, finished or not.

    Returns
    -------
    DataFrame, by first guess in the order of the alphabet
        total: the least total, or where `exact` is False a bound: there are no fewer guesses;
        worst: guesses of the longest game, missing where `exact` is False; exact.

    Raises
    ------
    ValueError
        For a file that is none of `solve_openers`, of another list, cut short or altered.
    """
    return _frame(_read_rows(path, words))


def openers_path(words: WordList) -> Path:
    """Where the repository keeps what the first guesses of a list cost, if it does."""
    return COMPUTED / f"openers-{words.name}.csv.gz"


def openers_of(words: WordList) -> pd.DataFrame | None:
    """What ``data/`` holds of the first guesses of a list, as `read_openers`; None: nothing.

    A list of the name of another, with other words, has none. Of allowed words that the file lacks
    a bound stands there.
    """
    path = openers_path(words)
    if not kept_for(path, _TITLE, words):
        return None
    rows = _read_rows(path, words)
    return _frame(_bounds(words, [word for word in words.allowed if word not in rows]) | rows)
