"""Boards to play on in JupyterLab: Emojle, a Wordle helper, Semantle.

Each board is an ipywidgets box around the package's own functions; it holds what the player has
entered and nothing else. Everything is a button, a text field or a list, so the keyboard reaches it
all. Text that a player typed or pasted is escaped before it is shown.
"""

import html
import math

import ipywidgets as widgets
import numpy as np

from wordgames.figures import BLUE, CELL_COLOURS
from wordgames.helper import Helper
from wordgames.pattern_sets import PatternSets, examples
from wordgames.patterns import format_pattern, is_possible, parse_pattern
from wordgames.semantle import Semantle, fitting, popular_words, solve_semantle
from wordgames.shares import parse_shares
from wordgames.words import WordList

_NAMES = ("grey", "yellow", "green")
_SQUARES = "⬛🟨🟩"
_SHOWN = 60  # candidates listed on a board; the count is always of all


class Cells(widgets.HBox):
    """A row of cells; a click, Enter or Space turns a cell grey, yellow, green and grey again."""

    def __init__(self, length: int):
        self._states = [0] * length
        buttons = []
        for place in range(length):
            button = widgets.Button(layout=widgets.Layout(width="6.5em"))
            button.style.text_color = "white"
            button.on_click(lambda _, place=place: self._turn(place))
            buttons.append(button)
        super().__init__(buttons, layout=widgets.Layout(flex_flow="row wrap"))
        self.set(0)

    @property
    def code(self) -> int:
        """The pattern that the cells show."""
        code = 0
        for state in self._states:
            code = 3 * code + state
        return code

    def set(self, code: int) -> None:
        """Show a pattern."""
        text = format_pattern(code, len(self._states))
        self._states = [".YG".index(cell) for cell in text]
        for place in range(len(self._states)):
            self._draw(place)

    def _turn(self, place: int) -> None:
        self._states[place] = (self._states[place] + 1) % 3
        self._draw(place)

    def _draw(self, place: int) -> None:
        button, state = self.children[place], self._states[place]
        button.description = f"{_SQUARES[state]} {_NAMES[state]}"
        button.tooltip = f"letter {place + 1} is {_NAMES[state]}; click to change"
        # Yellow is too light for white letters.
        button.style.button_color = CELL_COLOURS[state]
        button.style.text_color = "black" if state == 1 else "white"


def _status(text: str, kind: str = "status") -> str:
    """A message that screen readers announce."""
    colour = "inherit" if kind == "status" else "#b42318"
    return f'<div role="{kind}" style="color:{colour}">{text}</div>'


def _word_cloud(words, shown: int = _SHOWN) -> str:
    listed = " ".join(html.escape(word) for word in words[:shown])
    more = f" and {len(words) - shown:,} more" if len(words) > shown else ""
    return f'<div style="line-height:1.7;max-width:46em">{listed}{more}</div>'


def _pool(words: WordList, chosen: str) -> widgets.Dropdown:
    """Which words may be the answer: ``answers`` or ``allowed``."""
    return widgets.Dropdown(
        options=[
            (f"the {len(words.answers):,} possible answers", "answers"),
            (f"all {len(words.allowed):,} allowed words", "allowed"),
        ],
        value=chosen,
        description="candidates",
    )


class EmojleBoard(widgets.VBox):
    """Find the day's word from patterns alone.

    Click a pattern together and add it, type it (``YG..G``, several with spaces), or paste what
    people posted; see at once which candidates are left, and for each pattern a guess that would
    give it.

    Parameters
    ----------
    words : WordList
    candidates : str
        ``answers`` or ``allowed``: which words may be the answer at the start.
    """

    def __init__(self, words: WordList, candidates: str = "answers"):
        self.words = words
        self.sets = PatternSets.build(words)
        self.patterns: list[int] = []
        self._answers = set(words.answers)
        self.cells = Cells(words.length)
        self.add_button = widgets.Button(description="Add this pattern", icon="plus")
        self.text = widgets.Textarea(
            placeholder="YG..G GYGYY, squares, or whole posts",
            description="or paste",
            layout=widgets.Layout(width="95%", height="6em", max_width="46em"),
        )
        self.read_button = widgets.Button(description="Read the text")
        self.clear_button = widgets.Button(description="Remove all")
        self.pool = _pool(words, candidates)
        self.message = widgets.HTML()
        self.rows = widgets.VBox()
        self.count = widgets.HTML()
        self.answer = widgets.Dropdown(options=[], description="examples")
        self.examples = widgets.HTML()
        self.add_button.on_click(lambda _: self.add(self.cells.code))
        self.read_button.on_click(lambda _: self.read(self.text.value))
        self.clear_button.on_click(lambda _: self.clear())
        self.pool.observe(lambda _: self._update(), "value")
        self.answer.observe(lambda _: self._show_examples(), "value")
        super().__init__(
            [
                self.cells,
                widgets.HBox([self.add_button, self.clear_button]),
                self.text,
                self.read_button,
                self.message,
                self.rows,
                self.pool,
                self.count,
                self.answer,
                self.examples,
            ]
        )
        self._update()

    @property
    def candidates(self) -> list[str]:
        """Words that every pattern so far allows."""
        left = self.sets.candidates(self.patterns)
        if self.pool.value == "answers":
            left = [word for word in left if word in self._answers]
        return left

    def add(self, *codes: int) -> None:
        """Add patterns; those that are there already change nothing."""
        length = self.words.length
        fresh = [code for code in dict.fromkeys(codes) if code not in self.patterns]
        impossible = [code for code in fresh if not is_possible(code, length)]
        self.patterns += fresh
        message = f"{len(fresh)} new pattern{'' if len(fresh) == 1 else 's'}."
        if impossible:
            message += (
                f" {format_pattern(impossible[0], length, 'dark')} cannot be: with every other "
                "letter in place, the last one is green or grey. No word is left."
            )
        self.message.value = _status(message)
        self._update()

    def remove(self, code: int) -> None:
        """Take a pattern away again."""
        self.patterns.remove(code)
        self.message.value = _status("Removed.")
        self._update()

    def clear(self) -> None:
        """Take all patterns away."""
        self.patterns.clear()
        self.message.value = _status("All patterns removed.")
        self._update()

    def read(self, text: str) -> None:
        """Add the patterns that a text holds: patterns between spaces, or whole shares."""
        report = parse_shares(text)
        if report.shares:
            codes = [parse_pattern(row) for share in report.shares for row in share.rows]
            if self.words.length != 5:
                self.message.value = _status(
                    f"Shares have 5 cells and these words {self.words.length} letters.", "alert"
                )
                return
            self.add(*codes)
            puzzles = sorted({share.puzzle for share in report.shares})
            note = f" From {len(report.shares)} posts"
            if len(puzzles) > 1:
                note += f" of {len(puzzles)} different puzzles: keep to one puzzle"
            refused = "".join(
                f"<li>{html.escape(reason)}: {html.escape(excerpt)}</li>"
                for excerpt, reason in report.rejected[:5]
            )
            self.message.value += f"{note}.<ul>{refused}</ul>"
            return
        try:
            codes = [parse_pattern(part, self.words.length) for part in text.split()]
        except ValueError as error:
            reasons = ", ".join(sorted({reason for _, reason in report.rejected}))
            self.message.value = _status(
                f"Nothing was added. {html.escape(str(error))}"
                + (f" (read as a post: {html.escape(reasons)})" if reasons else ""),
                "alert",
            )
            return
        if not codes:
            self.message.value = _status("There is no text to read.", "alert")
            return
        self.add(*codes)

    def _update(self) -> None:
        length = self.words.length
        rows = []
        for code in self.patterns:
            button = widgets.Button(
                description=f"{format_pattern(code, length, 'dark')} remove",
                layout=widgets.Layout(width="auto"),
            )
            button.on_click(lambda _, code=code: self.remove(code))
            rows.append(button)
        self.rows.children = rows
        left = self.candidates
        noun = "candidate" if len(left) == 1 else "candidates"
        self.count.value = _status(f"<b>{len(left):,} {noun}</b>{_word_cloud(left)}")
        offered = left[:_SHOWN]
        chosen = self.answer.value if self.answer.value in offered else next(iter(offered), None)
        self.answer.options = offered
        self.answer.value = chosen
        self._show_examples()

    def _show_examples(self) -> None:
        if not self.answer.value or not self.patterns:
            self.examples.value = ""
            return
        lines = []
        for code in self.patterns:
            guesses = examples(self.answer.value, code, self.words)
            named = ", ".join(map(html.escape, guesses[:6]))
            squares = format_pattern(code, self.words.length, "dark")
            lines.append(f"<li>{squares} {named} ({len(guesses):,} in all)</li>")
        answer = html.escape(self.answer.value)
        self.examples.value = f"If the answer is <b>{answer}</b>:<ul>{''.join(lines)}</ul>"


def _on_enter(text: widgets.Text, act) -> None:
    """Call `act` when Enter is pressed in a text field, and not when the field is left."""

    def handle(_, content, buffers):
        if content.get("event") == "submit":
            act()

    text.on_msg(handle)


class WordleBoard(widgets.VBox):
    """Play along with a game of Wordle: enter a guess and what it showed, get the next guess.

    Parameters
    ----------
    words : WordList
    strategy : str
        A name of `wordgames.strategies`; it can be changed while playing.
    candidates : str
        ``answers`` or ``allowed``.
    """

    STRATEGIES = ("entropy", "expected-size", "most-parts", "minimax", "letter-score-rescored")

    def __init__(self, words: WordList, strategy: str = "entropy", candidates: str = "answers"):
        self.words = words
        self.strategy = widgets.Dropdown(
            options=self.STRATEGIES, value=strategy, description="strategy"
        )
        self.pool = _pool(words, candidates)
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
        _on_enter(self.guess, self.enter)
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
        self._show(_status("A new game: play the suggested guess, or one of your own."))

    def enter(self) -> None:
        """Enter the guess in the field with the colours of the cells."""
        try:
            self.helper = self.helper.enter(self.guess.value, self.cells.code)
        except ValueError as error:
            self.message.value = _status(html.escape(str(error)), "alert")
            return
        self._show(_status("Solved!" if self.helper.solved else "Entered."))

    def undo(self) -> None:
        """Take the last entry back, and put it into the field and the cells again."""
        try:
            helper = self.helper.undo()
        except ValueError as error:
            self.message.value = _status(html.escape(str(error)), "alert")
            return
        (guess, pattern), self.helper = self.helper.entries[-1], helper
        self._show(_status("Taken back."))
        self.guess.value = guess
        self.cells.set(pattern)

    def _replay(self) -> None:
        """Enter the same guesses under other settings; settings that forbid them are said so."""
        helper = self._new_helper()
        try:
            for guess, pattern in self.helper.entries:
                helper = helper.enter(guess, pattern)
        except ValueError as error:
            self.message.value = _status(
                f"With these settings the guesses so far are not possible: "
                f"{html.escape(str(error))}. The game goes on as before.",
                "alert",
            )
            return
        self.helper = helper
        self._show(_status("The same guesses under the new settings."))

    def _show(self, message: str) -> None:
        self.message.value = message
        self.state.value = self.helper._repr_html_()
        self.guess.value = self.helper.guess
        self.cells.set(3**self.words.length - 1 if self.helper.solved else 0)


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
        _on_enter(self.guess, self.enter)
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
        self._show(_status("A new word is hidden. Guess any word to start."))

    def enter(self) -> None:
        """Guess the word in the field."""
        word = self.guess.value.strip()
        if not word:
            self.message.value = _status("Type a word to guess.", "alert")
            return
        known = len(self.game.guesses)
        try:
            score = self.game.guess(word)
        except KeyError as error:
            self.message.value = _status(html.escape(str(error.args[0])), "alert")
            return
        if len(self.game.guesses) == known:
            self._show(_status(f"{html.escape(word)} was guessed before: {score:.2f}."))
            return
        spelt = self.game.guesses[-1]
        place = self.embedding.place(spelt)
        self.fits = fitting(self.embedding, place, score, self.fits)
        if not self.game.solved:
            self.fits = self.fits[self.fits != place]
        self.left.append(len(self.fits))
        self.guess.value = ""
        if self.game.solved:
            self.over = True
            self._show(_status(self._result()))
        else:
            self._show(_status(f"{html.escape(spelt)}: {score:.2f}."))

    def hint(self) -> None:
        """Name the most frequent word that fits every score so far."""
        if self.over:
            self.message.value = _status("The game is over: ask for a new word.")
        elif self.fits is None:
            self.message.value = _status("Any word will do as a first guess, even a random one.")
        else:
            word = html.escape(self.embedding.index_to_key[self.fits[0]])
            self.message.value = _status(
                f"<b>{word}</b> is the most frequent of the words that fit all your scores "
                f"({len(self.fits):,} in all)."
            )

    def give_up(self) -> None:
        """End the game and show the word."""
        self.over = True
        self._show(_status(f"The word was <b>{html.escape(self._target)}</b>."))

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
