"""The Emojle board: which words can give all the lines that people posted."""

import numpy as np
import pandas as pd
import traitlets
from scipy.special import softmax

from wordgames._playable import script
from wordgames.boards.pages import list_state
from wordgames.boards.pieces import Board
from wordgames.emojle.pattern_sets import PatternSets
from wordgames.grids.likelihood import pattern_weights
from wordgames.grids.model import frequency_weights
from wordgames.patterns import format_pattern, parse_pattern, solved
from wordgames.words import WordList


class EmojleBoard(Board):
    """Find the day's word from patterns alone, by the script of report 04.

    Parameters
    ----------
    words : WordList
    pool : str
        ``answers`` or ``allowed``: which words may be the answer at the start.

    Attributes
    ----------
    patterns : list of str
        The lines that count, as ``.YG`` text; they can be set, as any text of `parse_pattern`.
    pool : str
        As above; it can be set.
    """

    _esm = script("emojle")
    data = traitlets.Dict().tag(sync=True)
    patterns = traitlets.List(traitlets.Unicode()).tag(sync=True)
    pool = traitlets.Enum(("answers", "allowed"), "answers").tag(sync=True)

    def __init__(self, words: WordList, *, pool: str = "answers"):
        self.words = words
        self.sets = PatternSets.build(words)
        super().__init__(data=list_state(words), pool=pool)

    @traitlets.validate("patterns")
    def _as_letters(self, proposal):
        length = self.words.length
        codes = [parse_pattern(text, length) for text in proposal["value"]]
        return [format_pattern(code, length) for code in dict.fromkeys(codes)]

    @property
    def candidates(self) -> list[str]:
        """Words that can give every line, sorted."""
        left = self.sets.candidates(self.patterns)
        return left if self.pool == "allowed" else sorted(set(left) & set(self.words.answers))

    @property
    def probabilities(self) -> pd.Series:
        """How likely each candidate is, the likeliest first, if each line is a guess of its own.

        Guesses are drawn by `frequency_weights`; all words are as likely to be the answer, and the
        line of all greens, with which everybody ends, says nothing.
        """
        left, all_green = self.candidates, solved(self.words.length)
        codes = [code for code in map(parse_pattern, self.patterns) if code != all_green]
        if not left:
            return pd.Series(dtype=float, name="probability")
        weights = pattern_weights(self.words, left, frequency_weights(self.words)[None])[0]
        logs = np.log(weights[codes].astype(float)).sum(axis=0)
        chances = pd.Series(softmax(logs), pd.Index(left, name="answer"), name="probability")
        return chances.sort_values(ascending=False, kind="stable")
