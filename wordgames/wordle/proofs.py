"""Proofs that no first guess beats a tree: what they say, and the files that keep them."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from wordgames._files import compose, read_text, write_text
from wordgames.patterns import GUESSES
from wordgames.places import COMPUTED
from wordgames.wordle.tree import kept_for, list_of
from wordgames.words import WordList

LEVELS = 64  # no search goes deeper; a limit of as many guesses or more is no limit

_TITLE = "Lower bounds of first guesses, by wordgames"


@dataclass(frozen=True)
class SearchedGame:
    """What is searched: the list, who may be the answer, the rule, and the longest game."""

    words: WordList
    candidates: tuple[str, ...]
    hard: bool = False
    limit: int = LEVELS


def bounds_frame(bounds: dict[str, tuple[int, str]]) -> pd.DataFrame:
    """A row for each first guess, in the order of the alphabet: guess, bound, reason."""
    rows = [(guess, bound, reason) for guess, (bound, reason) in sorted(bounds.items())]
    return pd.DataFrame(rows, columns=["guess", "bound", "reason"])


def _head(game: SearchedGame, total: int) -> dict[str, str]:
    checksum = hashlib.sha256(" ".join(game.candidates).encode()).hexdigest()
    return {
        "list": game.words.name,
        "list checksum": game.words.checksum,
        "candidates": f"{len(game.candidates)}, checksum {checksum}",
        "total": str(total),
        "hard mode": "yes" if game.hard else "no",
        "longest game": str(game.limit) if game.limit < LEVELS else "any",
    }


def _total(path: str | Path, head: dict[str, str]) -> int:
    try:
        return int(head["total"])
    except (KeyError, ValueError):
        raise ValueError(f"{path} does not say the total: it needs '# total: 7920'") from None


def write_bounds(path, game: SearchedGame, total: int, bounds: dict[str, tuple[int, str]]) -> None:
    """Write a proof, finished or not: the bound of each first guess, and what gave it."""
    body = bounds_frame(bounds).to_csv(index=False, lineterminator="\n")
    write_text(path, compose(_TITLE, _head(game, total), body))


def read_bounds(path, game: SearchedGame, total: int | None) -> dict[str, tuple[int, str]]:
    """Bounds by first guess, and what gave each.

    `total`: what the file must be about; None: whatever it says. ValueError for a file that is
    not of this game and total, or not whole.
    """
    head, body = read_text(path, _TITLE)
    list_of(path, head, game.words)
    if total is None:
        total = _total(path, head)
    for key, value in _head(game, total).items():
        if head.get(key) != value:
            raise ValueError(
                f"{path} has {key}: {head.get(key)}, and this run has {value}: "
                "give another file, or move this one away"
            )
    rows = (line.split(",") for line in body.splitlines()[1:])
    return {guess: (int(bound), reason) for guess, bound, reason in rows}


def read_proof(
    path: str | Path, words: WordList, *, hard: bool = False
) -> tuple[int, pd.DataFrame]:
    """The total and the bounds of a file that `prove_optimal` has finished.

    Raises
    ------
    ValueError
        For a file that is no proof, of another list or other candidates than its answers, of the
        other rule, cut short, altered or not finished.
    """
    game = proved_game(words, hard)
    bounds = read_bounds(path, game, None)
    if set(bounds) != set(words.allowed):
        raise ValueError(
            f"{path} bounds {len(bounds):,} of {len(words.allowed):,} first guesses: "
            "finish it with prove_optimal and resume"
        )
    return _total(path, read_text(path, _TITLE)[0]), bounds_frame(bounds)


def proved_game(words: WordList, hard: bool) -> SearchedGame:
    """What a list's proof is about: its answers, and in hard mode games of six guesses."""
    return SearchedGame(words, words.answers, hard, GUESSES if hard else LEVELS)


def proof_path(words: WordList, *, hard: bool = False) -> Path:
    """Where the repository keeps the proof of a list, if it has one."""
    return COMPUTED / f"optimal-proof-{'hard-' if hard else ''}{words.name}.csv.gz"


def proof_of(words: WordList, *, hard: bool = False) -> pd.DataFrame | None:
    """The bounds that ``data/`` holds for all first guesses of a list; None if it holds none.

    A list of the name of another, with other words, has none.
    """
    path = proof_path(words, hard=hard)
    return read_proof(path, words, hard=hard)[1] if kept_for(path, _TITLE, words) else None
