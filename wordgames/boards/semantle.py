"""The Semantle board: guess a hidden word by similarity, against a solver."""

import html
import math

import ipywidgets as widgets
import numpy as np

from wordgames.boards.pieces import on_enter, status
from wordgames.figures import BLUE
from wordgames.semantle.experiments import popular_words
from wordgames.semantle.game import Semantle, fitting_places
from wordgames.semantle.solvers import solve_semantle


def _row_head(word: str) -> str:
    return f"<th scope='row' style='text-align:left'>{html.escape(word)}</th>"


def _cell(value) -> str:
    return f"<td style='padding:0 1em;text-align:right'>{value}</td>"


def _bar(count: int, whole: int) -> str:
    """A bar on a logarithmic scale, for the eye; the number stands beside it."""
    width = 15 * math.log1p(count) / math.log1p(whole)
    return (
        f"<div aria-hidden='true' style='background:{BLUE};height:.7em;width:{width:.2f}em'></div>"
    )


class SemantleBoard(widgets.VBox):
    """Guess a hidden word by its similarity with your guesses, against a solver.

    The solver has the same hidden word; after each guess of yours it makes one of its own. Its
    words stay hidden until the game is over, its scores do not. The board counts the words of the
    vocabulary that fit all your scores, which is what the solver lives on.

    Parameters
    ----------
    embedding : Embedding
    seed : int
        Chooses the hidden word among the first words of the embedding that are of three or more
        letters a to z; the same seed gives the same word.
    method : str
        The solver's method (`wordgames.semantle.METHODS`).
    targets : int
        How many words the hidden word is drawn from.
    """

    def __init__(self, embedding, seed: int = 0, method: str = "soft", targets: int = 5000):
        self.embedding, self.method, self.seed = embedding, method, seed
        self._targets = popular_words(embedding, targets)
        self.guess = widgets.Text(description="guess", placeholder="any word")
        self.guess_button = widgets.Button(description="Guess")
        self.hint_button = widgets.Button(description="Hint")
        self.give_up_button = widgets.Button(description="Show the word")
        self.new_button = widgets.Button(description="New word")
        self.message = widgets.HTML()
        self.state = widgets.HTML()
        self.guess_button.on_click(lambda _: self.enter())
        self.hint_button.on_click(lambda _: self.hint())
        self.give_up_button.on_click(lambda _: self.give_up())
        self.new_button.on_click(lambda _: self.restart(self.seed + 1))
        on_enter(self.guess, self.enter)
        buttons = [self.guess_button, self.hint_button, self.give_up_button, self.new_button]
        super().__init__(
            [
                self.guess,
                widgets.HBox(buttons, layout=widgets.Layout(flex_flow="row wrap")),
                self.message,
                self.state,
            ]
        )
        self.restart(seed)

    def restart(self, seed: int) -> None:
        """A new hidden word."""
        self.seed = seed
        target = self._targets[np.random.default_rng(seed).integers(len(self._targets))]
        self._target = target
        self.game = Semantle(self.embedding, target)
        self.machine = solve_semantle(Semantle(self.embedding, target), self.method, seed=seed)
        self.fits = None  # places of the words that fit every score; None: all
        self.left = [len(self.embedding)]
        self.over = False
        self._show(status("A new word is hidden. Guess any word to start."))

    def enter(self) -> None:
        """Guess the word in the field."""
        word = self.guess.value.strip()
        if not word:
            self.message.value = status("Type a word to guess.", "alert")
            return
        known = len(self.game.guesses)
        try:
            score = self.game.guess(word)
        except KeyError as error:
            self.message.value = status(html.escape(str(error.args[0])), "alert")
            return
        if len(self.game.guesses) == known:
            self._show(status(f"{html.escape(word)} was guessed before: {score:.2f}."))
            return
        spelt = self.game.guesses[-1]
        place = self.embedding.place(spelt)
        self.fits = fitting_places(self.embedding, place, score, self.fits)
        if not self.game.solved:
            self.fits = self.fits[self.fits != place]
        self.left.append(len(self.fits))
        self.guess.value = ""
        if self.game.solved:
            self.over = True
            self._show(status(self._result()))
        else:
            self._show(status(f"{html.escape(spelt)}: {score:.2f}."))

    def hint(self) -> None:
        """Name the most frequent word that fits every score so far."""
        if self.over:
            self.message.value = status("The game is over: ask for a new word.")
        elif self.fits is None:
            self.message.value = status("Any word will do as a first guess, even a random one.")
        else:
            word = html.escape(self.embedding.index_to_key[self.fits[0]])
            self.message.value = status(
                f"<b>{word}</b> is the most frequent of the words that fit all your scores "
                f"({len(self.fits):,} in all)."
            )

    def give_up(self) -> None:
        """End the game and show the word."""
        self.over = True
        self._show(status(f"The word was <b>{html.escape(self._target)}</b>."))

    def _result(self) -> str:
        mine, machine = len(self.game.guesses), len(self.machine.guesses)
        end = "as many as the machine" if mine == machine else f"the machine needed {machine}"
        return f"<b>{html.escape(self._target)}</b> it is, with {mine} guesses: {end}."

    def _show(self, message: str) -> None:
        self.message.value = message
        game, machine = self.game, self.machine
        warmest = "".join(
            f"<tr>{_row_head(word)}{_cell(f'{score:.2f}')}{_cell(game.rank(word) or '')}</tr>"
            for score, word in sorted(zip(game.scores, game.guesses, strict=True), reverse=True)
        )
        falling = "".join(
            f"<tr>{_row_head(word)}{_cell(f'{left:,}')}<td>{_bar(left, self.left[0])}</td></tr>"
            for word, left in zip(["before the first guess", *game.guesses], self.left, strict=True)
        )
        turns = len(machine.guesses) if self.over else len(game.guesses)
        moves = "".join(
            f"<li>{html.escape(word) if self.over else 'a hidden word'}: {score:.2f}"
            f"{', the answer' if step == len(machine.guesses) else ''}</li>"
            for step, (word, score) in enumerate(
                zip(machine.guesses, machine.scores, strict=True), 1
            )
            if step <= turns
        )
        self.state.value = (
            "<table><caption>Words that fit all your scores</caption>"
            f"<tr><th>guess</th><th>words left</th><th>on a log scale</th></tr>{falling}</table>"
        )
        if warmest:
            self.state.value += (
                "<table><caption>Your guesses, the warmest first</caption>"
                f"<tr><th>guess</th><th>score</th><th>rank of 1,000</th></tr>{warmest}</table>"
                f"<p>The machine's guesses, one for each of yours:</p><ol>{moves}</ol>"
            )
