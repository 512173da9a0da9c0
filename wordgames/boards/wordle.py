"""The Wordle board: enter guesses and what they showed, get the next guess."""

import html

import ipywidgets as widgets

from wordgames.boards.pieces import Cells, on_enter, pool, status
from wordgames.wordle.helper import Helper
from wordgames.words import WordList


class WordleBoard(widgets.VBox):
    """Play along with a game of Wordle: enter a guess and what it showed, get the next guess.

    Parameters
    ----------
    words : WordList
    strategy : str
        A name of `wordgames.wordle.strategies`; it can be changed while playing.
    candidates : str
        ``answers`` or ``allowed``.
    """

    STRATEGIES = ("entropy", "expected-size", "most-parts", "minimax", "letter-score-rescored")

    def __init__(self, words: WordList, strategy: str = "entropy", candidates: str = "answers"):
        self.words = words
        self.strategy = widgets.Dropdown(
            options=self.STRATEGIES, value=strategy, description="strategy"
        )
        self.pool = pool(words, candidates)
        self.hard = widgets.Checkbox(description="hard mode", indent=False)
        self.guess = widgets.Text(description="guess", placeholder="the word that you played")
        self.cells = Cells(words.length)
        self.enter_button = widgets.Button(description="Enter guess and colours")
        self.undo_button = widgets.Button(description="Undo")
        self.new_button = widgets.Button(description="New game")
        self.message = widgets.HTML()
        self.state = widgets.HTML()
        self.enter_button.on_click(lambda _: self.enter())
        self.undo_button.on_click(lambda _: self.undo())
        self.new_button.on_click(lambda _: self.restart())
        on_enter(self.guess, self.enter)
        for setting in (self.strategy, self.pool, self.hard):
            setting.observe(lambda _: self._replay(), "value")
        super().__init__(
            [
                widgets.HBox(
                    [self.strategy, self.pool, self.hard],
                    layout=widgets.Layout(flex_flow="row wrap"),
                ),
                self.guess,
                self.cells,
                widgets.HBox([self.enter_button, self.undo_button, self.new_button]),
                self.message,
                self.state,
            ]
        )
        self.restart()

    def _new_helper(self) -> Helper:
        candidates = self.words.allowed if self.pool.value == "allowed" else self.words.answers
        return Helper(self.words, self.strategy.value, candidates, self.hard.value)

    def restart(self) -> None:
        """Forget what was entered."""
        self.helper = self._new_helper()
        self._show(status("A new game: play the suggested guess, or one of your own."))

    def enter(self) -> None:
        """Enter the guess in the field with the colours of the cells."""
        try:
            self.helper = self.helper.enter(self.guess.value, self.cells.code)
        except ValueError as error:
            self.message.value = status(html.escape(str(error)), "alert")
            return
        self._show(status("Solved!" if self.helper.solved else "Entered."))

    def undo(self) -> None:
        """Take the last entry back, and put it into the field and the cells again."""
        try:
            helper = self.helper.undo()
        except ValueError as error:
            self.message.value = status(html.escape(str(error)), "alert")
            return
        (guess, pattern), self.helper = self.helper.entries[-1], helper
        self._show(status("Taken back."))
        self.guess.value = guess
        self.cells.set(pattern)

    def _replay(self) -> None:
        """Enter the same guesses under other settings; settings that forbid them are said so."""
        helper = self._new_helper()
        try:
            for guess, pattern in self.helper.entries:
                helper = helper.enter(guess, pattern)
        except ValueError as error:
            self.message.value = status(
                f"With these settings the guesses so far are not possible: "
                f"{html.escape(str(error))}. The game goes on as before.",
                "alert",
            )
            return
        self.helper = helper
        self._show(status("The same guesses under the new settings."))

    def _show(self, message: str) -> None:
        self.message.value = message
        self.state.value = self.helper._repr_html_()
        self.guess.value = self.helper.guess
        self.cells.set(3**self.words.length - 1 if self.helper.solved else 0)
