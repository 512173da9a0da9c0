"""The Wordle board: play along with a game, with an adviser."""

import traitlets

from wordgames._playable import script
from wordgames.boards.pieces import Board
from wordgames.patterns import format_pattern
from wordgames.wordle.helper import Helper
from wordgames.words import WordList


class WordleBoard(Board):
    """Play along with a game of Wordle: enter a guess and what it showed, get the next guess.

    Parameters
    ----------
    words : WordList
    strategy : str
        One of `WordleBoard.STRATEGIES`; it can be changed while playing.
    pool : str
        ``answers`` or ``allowed``: which words may be the answer.
    hard : bool

    Attributes
    ----------
    helper : Helper
        The game so far; it can be set.
    """

    _esm = script("wordle")
    STRATEGIES = ("entropy", "expected-size", "most-parts", "minimax", "letter-score-rescored")

    length = traitlets.Int().tag(sync=True)
    strategies = traitlets.List().tag(sync=True)
    pools = traitlets.List().tag(sync=True)
    state = traitlets.Dict().tag(sync=True)

    def __init__(self, words: WordList, *, strategy="entropy", pool="answers", hard=False):
        self.words = words
        self._settings = {"strategy": strategy, "pool": pool, "hard": hard}
        self._helper = self._new(**self._settings)
        super().__init__(
            length=words.length,
            strategies=list(self.STRATEGIES),
            pools=[
                ["answers", f"one of the {len(words.answers):,} possible answers"],
                ["allowed", f"any of the {len(words.allowed):,} allowed words"],
            ],
            state=self._state(),
        )

    def _new(self, strategy: str, pool: str, hard: bool) -> Helper:
        candidates = {"answers": self.words.answers, "allowed": self.words.allowed}[pool]
        return Helper(self.words, strategy, candidates, hard)

    @property
    def helper(self) -> Helper:
        """The game so far."""
        return self._helper

    @helper.setter
    def helper(self, helper: Helper) -> None:
        self._helper = helper
        self.state = self._state()

    @property
    def candidates(self) -> list[str]:
        """Words that may be the answer, sorted."""
        return list(self.helper.remaining)

    def _state(self, field=None) -> dict:
        helper, length = self.helper, self.words.length
        entries = [[word, format_pattern(code, length)] for word, code in helper.entries]
        columns = ["words_left", "win_now", "parts"]
        table = [] if helper.solved else helper.suggest(5)[columns].itertuples()
        return {
            **self._settings,
            "entries": entries,
            "solved": helper.solved,
            "guess": helper.guess,
            "field": field or [helper.guess, "." * length],
            "remaining": len(helper.remaining),
            "words": list(helper.remaining[:24]),
            "table": [[row[0], float(row[1]), float(row[2]), int(row[3])] for row in table],
        }

    def answer_enter(self, guess: str, pattern: str) -> None:
        """One more guess and what it showed."""
        self.helper = self.helper.enter(guess, pattern)

    def answer_undo(self) -> None:
        """Take the last entry back, into the field and the squares."""
        self._helper, (word, code) = self.helper.undo(), self.helper.entries[-1]
        self.state = self._state([word, format_pattern(code, self.words.length)])

    def answer_restart(self) -> None:
        """A new game."""
        self.helper = self._new(**self._settings)

    def answer_change(self, **setting) -> dict | None:
        """The same guesses under another setting."""
        settings = self._settings | setting
        helper = self._new(**settings)
        try:
            for guess, pattern in self.helper.entries:
                helper = helper.enter(guess, pattern)
        except ValueError as error:
            return {"problem": f"The guesses so far do not allow this setting: {error}."}
        self._settings, self.helper = settings, helper
        return None
