"""A decision tree: what to guess first and after every pattern; its checks and its file."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pandas as pd

from wordgames._files import compose, read_text, write_text
from wordgames.patterns import (
    format_pattern,
    hard_mode_violation,
    parse_pattern,
    score,
)
from wordgames.places import COMPUTED
from wordgames.words import WordList, is_name, load_words

_TREE_TITLE = "A decision tree of wordgames"
_TREE_HELP = (
    "the first line is the first guess; each other line is a pattern that the guess further out "
    "was answered with, and what to guess then; * may be the answer"
)


@dataclass(frozen=True)
class DecisionTree:
    """What to guess first, and what to guess after every pattern.

    Attributes
    ----------
    words : WordList
    games : dict of str to tuple of str
        For each candidate, in the order of the alphabet, the guesses of its game; the last is the
        candidate itself.
    hard : bool
        Whether every guess keeps the rule of hard mode.
    """

    words: WordList
    games: dict[str, tuple[str, ...]]
    hard: bool = False

    @property
    def first(self) -> str:
        """The first guess."""
        return next(iter(self.games.values()))[0]

    @property
    def candidates(self) -> tuple[str, ...]:
        """The words that may be the answer."""
        return tuple(self.games)

    @cached_property
    def total(self) -> int:
        """Guesses over all candidates."""
        return sum(map(len, self.games.values()))

    @property
    def mean(self) -> float:
        """Guesses a game."""
        return self.total / len(self.games)

    @cached_property
    def worst(self) -> int:
        """Guesses of the longest game."""
        return max(map(len, self.games.values()))

    def guesses_for(self, answer: str) -> list[str]:
        """The guesses of the game for an answer; ValueError when it is not a candidate.

        >>> from wordgames import load_words, optimal_tree
        >>> optimal_tree(load_words(), first="salet").guesses_for("crane")
        ['salet', 'beard', 'cezve', 'crane']
        """
        spelt = self.words.check(answer)
        if spelt not in self.games:
            raise ValueError(
                f"{answer!r} is not one of the {len(self.games):,} candidates of this tree"
            )
        return list(self.games[spelt])

    @cached_property
    def nodes(self) -> dict[tuple[int, ...], str]:
        """What to guess after some patterns: by the codes of the patterns so far."""
        nodes = {}
        for answer, guesses in self.games.items():
            seen = ()
            for guess in guesses:
                if nodes.setdefault(seen, guess) != guess:
                    raise ValueError(
                        f"not a tree: after {self._shown(seen)} it guesses {nodes[seen]!r} "
                        f"and, for {answer!r}, {guess!r}"
                    )
                seen = (*seen, score(guess, answer))
        return nodes

    def check(self) -> int:
        """Walk through the tree, playing every candidate's game with `score` alone.

        Returns
        -------
        int
            The number of guesses over all games, which is what `total` says.

        Raises
        ------
        ValueError
            When a game does not end with its answer, a guess is not allowed, or in hard mode
            leaves out what was revealed.
        """
        played = 0
        for answer in self.games:
            history = []
            while not history or history[-1][0] != answer:
                guess = self.nodes.get(tuple(code for _, code in history))
                if guess is None:
                    raise ValueError(f"the game for {answer!r} does not end: {history}")
                self.words.check(guess)
                for earlier in history if self.hard else ():
                    if broken := hard_mode_violation(guess, *earlier):
                        raise ValueError(f"the game for {answer!r} is not hard mode: {broken}")
                history.append((guess, score(guess, answer)))
            played += len(history)
        return played

    def to_frame(self) -> pd.DataFrame:
        """A row for each candidate: answer, guesses (how many) and game (the guesses as text)."""
        return pd.DataFrame(
            {
                "answer": list(self.games),
                "guesses": [len(game) for game in self.games.values()],
                "game": [" ".join(game) for game in self.games.values()],
            }
        )

    def to_text(self, note: str = "") -> str:
        """The tree as text that a person can follow; see `to_file`."""
        body = []
        length = self.words.length
        answers = set(self.games)
        # Depth first, patterns in the order of their codes: parents stand above their children.
        for seen, guess in sorted(self.nodes.items()):
            pattern = f"{format_pattern(seen[-1], length)} " if seen else ""
            star = " *" if guess in answers and self._leads_to(guess, seen) else ""
            body.append(f"{'  ' * len(seen)}{pattern}{guess}{star}")
        head = {
            "list": self.words.name,
            "list checksum": self.words.checksum,
            "candidates": len(self.games),
            "total": self.total,
            "worst": self.worst,
            "hard mode": "yes" if self.hard else "no",
        }
        if note:
            head["note"] = " ".join(note.split())
        head["to read it"] = _TREE_HELP
        return compose(_TREE_TITLE, head, "".join(f"{line}\n" for line in body))

    def _leads_to(self, answer: str, seen: tuple[int, ...]) -> bool:
        game = self.games[answer]
        return len(game) == len(seen) + 1 and all(
            score(guess, answer) == code for guess, code in zip(game[:-1], seen, strict=True)
        )

    def _shown(self, seen: Sequence[int]) -> str:
        return " ".join(format_pattern(code, self.words.length) for code in seen) or "no pattern"

    def to_file(self, path: str | Path, note: str = "") -> None:
        """Write the tree as text; compressed when the path ends with ``.gz``.

        Lines that begin with # say what it is: list, total, worst, and checksums of the list and
        of the lines below. Then one guess a line. The first line is the first guess. Each line
        after it is indented by two spaces a guess made before, and holds a pattern, the answer of
        the game to the guess one level further out, and what to guess then; * marks a guess that
        may be the answer::

            salet
              ..... courd
                ..... pinky *
                  .G.GG kinky *

        Parameters
        ----------
        path : str or path
        note : str
            A line on how the tree was made.
        """
        write_text(path, self.to_text(note))

    @classmethod
    def from_file(cls, path: str | Path, words: WordList | None = None) -> "DecisionTree":
        """Read a tree that `to_file` wrote.

        Parameters
        ----------
        path : str or path
        words : WordList, optional
            The list that it is of. None: the named list that the file says.

        Raises
        ------
        ValueError
            For a file that is no tree, of another list, cut short or altered.
        """
        head, body = read_text(path, _TREE_TITLE)
        words = list_of(path, head, words)
        lines = body.splitlines()
        nodes, answers, seen = {}, [], ()
        for number, line in enumerate(lines, 1):
            fields = line.split()
            depth = (len(line) - len(line.lstrip(" "))) // 2
            try:
                star = fields[-1] == "*"
                *pattern, guess = fields[:-1] if star else fields
                if len(pattern) != (depth > 0) or (depth == 0) != (number == 1):
                    raise ValueError("it needs its indent, one pattern and one guess")
                code = [parse_pattern(pattern[0], words.length)] if pattern else []
                seen = (*seen[: max(0, depth - 1)], *code)
                nodes[seen] = words.check(guess)
            except (ValueError, IndexError) as error:
                raise ValueError(f"{path}: line {number} of the tree, {line!r}: {error}") from None
            if star:
                answers.append(guess)
        games = {}
        for answer in sorted(answers):
            seen, guesses = (), []
            while not guesses or guesses[-1] != answer:
                if seen not in nodes:
                    raise ValueError(f"{path}: the tree has no line for the answer {answer!r}")
                guesses.append(nodes[seen])
                seen = (*seen, score(guesses[-1], answer))
            games[answer] = tuple(guesses)
        tree = cls(words, games, head.get("hard mode") == "yes")
        found = {"candidates": len(games), "total": tree.total, "worst": tree.worst}
        for key, value in found.items():
            if head.get(key) != str(value):
                raise ValueError(f"{path} says {key}: {head.get(key)}, but its lines give {value}")
        if tree.nodes != nodes:
            raise ValueError(f"{path} has lines that no game reaches")
        return tree


def list_of(path, head: dict[str, str], words: WordList | None) -> WordList:
    """The list that a file is of: the one given, or the named one; ValueError for another."""
    name = head.get("list", "")
    if words is None:
        if not is_name(name):
            raise ValueError(f"{path} is of the list {name!r}: give that WordList too")
        words = load_words(name)
    if head.get("list checksum") != words.checksum:
        raise ValueError(
            f"{path} is of the list {name!r}, and its checksum is not that of "
            f"{words.name!r}: give the list that it was made for"
        )
    return words


def dictionary_tree_path(words: WordList, within_six: bool = False) -> Path:
    """Where the repository keeps the best tree found over all allowed words of a list, if any.

    `within_six`: the best tree found in which every game ends within six guesses.
    """
    limit = "-within-six" if within_six else ""
    return COMPUTED / f"dictionary-tree{limit}-{words.name}.txt.gz"


def kept_for(path: Path, title: str, words: WordList) -> bool:
    """Whether ``data/`` holds that file, and of this list: another list may have its name."""
    return path.exists() and read_text(path, title)[0].get("list checksum") == words.checksum
