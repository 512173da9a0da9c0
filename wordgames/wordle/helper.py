"""Playing along with a game: enter what it showed, get the next guess and why."""

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pandas as pd

from wordgames.patterns import (
    format_pattern,
    hard_mode_violation,
    is_possible,
    pattern_code,
    solved,
)
from wordgames.wordle import partitions
from wordgames.wordle.strategies import Position, Strategy, find_strategy, opening_position
from wordgames.words import WordList


@dataclass(frozen=True, eq=False)
class Helper:
    """Play along with a game: enter what it showed, get the next guess and why.

    Immutable: `enter` and `undo` return a new helper. In a notebook it shows as a table.

    Parameters
    ----------
    words : WordList
    strategy : str or Strategy
    candidates, hard, weights
        As for `play`.

    Raises
    ------
    ValueError
        As `play`.

    >>> from wordgames import load_words
    >>> helper = Helper(load_words(), "most-parts").enter("trace", "YGGY.")
    >>> helper.remaining, helper.guess
    (('craft',), 'craft')
    """

    words: WordList
    strategy: str | Strategy = "entropy"
    candidates: Sequence[str] | None = None
    hard: bool = False
    weights: Mapping[str, float] | None = None
    entries: tuple[tuple[str, int], ...] = ()
    _before: "Helper | None" = field(default=None, repr=False)

    def __post_init__(self):
        if self.candidates is not None and not isinstance(self.candidates, (str, tuple)):
            # Every entry looks at the candidates again: a generator could be read only once.
            object.__setattr__(self, "candidates", tuple(self.candidates))
        self._position  # noqa: B018 - so that wrong input is an error here, not later

    @cached_property
    def _strategy(self) -> Strategy:
        return find_strategy(self.strategy)

    @cached_property
    def _position(self) -> Position:
        if self._before is None:
            return opening_position(
                self._strategy,
                self.words,
                candidates=self.candidates,
                hard=self.hard,
                weights=self.weights,
            )
        guess, pattern = self.entries[-1]
        return self._after(self._before._position, guess, pattern)

    def _after(self, position: Position, guess: str, pattern: int) -> Position:
        place = self.words.index[guess]
        fits = self._strategy.split(position, place, [pattern])[pattern]
        return position.after(place, pattern, fits)

    @property
    def remaining(self) -> tuple[str, ...]:
        """Words that may be the answer, sorted."""
        return tuple(self.words.allowed[i] for i in self._position.candidates)

    @property
    def solved(self) -> bool:
        """Whether the last pattern was all green."""
        return bool(self.entries) and self.entries[-1][1] == solved(self.words.length)

    def enter(self, guess: str, pattern: str | int) -> "Helper":
        """The helper after one more guess and what the game showed.

        Parameters
        ----------
        guess : str
        pattern : str or int
            Text such as ``..Y.G``, squares, or a pattern's code.

        Raises
        ------
        ValueError
            For a game that is solved, a guess that is not allowed or that hard mode forbids (with
            the letter), a pattern of another length, or one that leaves no word: the message names
            the entry, and the earlier one, if any, without which words would be left.
        """
        if self.solved:
            raise ValueError(
                f"the game is over: {self.entries[-1][0]!r} was the answer; undo it first"
            )
        guess = self.words.check(guess)
        length = self.words.length
        pattern = pattern_code(pattern, length)
        if not is_possible(pattern, length):
            raise ValueError(
                f"{format_pattern(pattern, length)} is impossible: with every other letter green "
                "the last one is green or grey; look at the colours again"
            )
        if self.hard:
            for number, (earlier, shown) in enumerate(self.entries, 1):
                wrong = hard_mode_violation(guess, earlier, shown)
                if wrong:
                    raise ValueError(f"hard mode: {wrong} (entry {number}, {earlier})")
        after = Helper(
            self.words,
            self.strategy,
            self.candidates,
            self.hard,
            self.weights,
            (*self.entries, (guess, pattern)),
            self,
        )
        if not len(after.remaining):
            raise ValueError(self._contradiction(after))
        return after

    def _contradiction(self, after: "Helper") -> str:
        shown = [
            f"entry {number} ({guess} {format_pattern(pattern, self.words.length)})"
            for number, (guess, pattern) in enumerate(after.entries, 1)
        ]
        position = opening_position(
            self._strategy,
            self.words,
            candidates=self.candidates,
            hard=self.hard,
            weights=self.weights,
        )
        message = f"{shown[-1]} excludes every word: {len(self.remaining):,} were left before it"
        if not len(self._after(position, *after.entries[-1]).candidates):
            return message + ", and no candidate gives that pattern at all; check its colours"
        for left_out in range(len(self.entries)):
            kept = position
            for number, entry in enumerate(after.entries):
                kept = kept if number == left_out else self._after(kept, *entry)
            n = len(kept.candidates)
            if n:
                return message + f"; without {shown[left_out]} it would leave {n:,}: check both"
        return message + "; it contradicts more than one earlier entry: check its colours first"

    def undo(self) -> "Helper":
        """The helper without the last entry; ValueError if there is none."""
        if self._before is None:
            raise ValueError("there is nothing to undo: no guess has been entered")
        return self._before

    @property
    def guess(self) -> str:
        """The next guess; empty when the game is solved."""
        return "" if self.solved else self.suggest(1).index[0]

    @cached_property
    def _ranking(self) -> np.ndarray:
        return self._strategy.rank(self._position).order()

    def suggest(self, top: int = 10) -> pd.DataFrame:
        """The strategy's best next guesses, the best first, and why.

        Returns
        -------
        DataFrame by guess
            words_left: how many words are left after it on average; win_now: the chance that it
            is the answer; parts: how many different answers the game can give to it; worst: the
            most words that can be left; entropy: bits that it tells on average. With weights,
            averages and chances are under the weights, and worst is a share of them.
        """
        return self.why([self.words.allowed[i] for i in self._ranking[:top]])

    def why(self, guesses: Sequence[str]) -> pd.DataFrame:
        """The same for guesses of your own; ValueError for one that is not allowed."""
        position, left = self._position, self._position.candidates
        places = np.array(self.words.indices(guesses), np.int64)
        chances = np.zeros(len(self.words.allowed))
        chances[left] = 1 if position.weights is None else position.weights[left]
        masses = position.masses(left)
        total = len(left) if masses is None else int(masses.sum())
        table = partitions.statistics(position.measure(places), total)
        return pd.DataFrame(
            {
                "words_left": table["expected_size"].to_numpy(),
                "win_now": chances[places] / chances.sum(),
                "parts": table["parts"].to_numpy(),
                "worst": (table["worst"] if masses is None else table["worst"] / total).to_numpy(),
                "entropy": table["entropy"].to_numpy(),
            },
            index=pd.Index([self.words.allowed[i] for i in places], name="guess"),
        )

    def _repr_html_(self) -> str:
        length, left = self.words.length, self.remaining
        entered = "".join(
            f"<li>{html.escape(guess)} {format_pattern(pattern, length, 'dark')}</li>"
            for guess, pattern in self.entries
        )
        shown = " ".join(html.escape(word) for word in left[:20])
        more = f" and {len(left) - 20:,} more" if len(left) > 20 else ""
        noun = "word is" if len(left) == 1 else "words are"
        text = f"<ol>{entered}</ol><p>{len(left):,} {noun} left: {shown}{more}</p>"
        if self.solved:
            return text + "<p>Solved.</p>"
        rows = "".join(
            f"<tr><th scope='row'>{html.escape(str(row.Index))}</th><td>{row.words_left:,.2f}</td>"
            f"<td>{row.win_now:.1%}</td><td>{row.parts:,}</td></tr>"
            for row in self.suggest(5).itertuples()
        )
        return (
            f"{text}<table><caption>Next guess: <b>{html.escape(self.guess)}</b></caption>"
            "<thead><tr><th scope='col'>guess</th>"
            "<th scope='col'>words left on average</th><th scope='col'>chance to win now</th>"
            f"<th scope='col'>parts</th></tr></thead><tbody>{rows}</tbody></table>"
        )
