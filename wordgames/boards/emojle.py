"""The Emojle board: click or paste patterns and see which candidates are left."""

import html

import ipywidgets as widgets

from wordgames.boards.pieces import SHOWN, Cells, pool, status, word_cloud
from wordgames.emojle.pattern_sets import PatternSets, examples
from wordgames.emojle.shares import parse_shares
from wordgames.patterns import format_pattern, is_possible, parse_pattern
from wordgames.words import WordList


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
        self.pool = pool(words, candidates)
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
        self.message.value = status(message)
        self._update()

    def remove(self, code: int) -> None:
        """Take a pattern away again."""
        self.patterns.remove(code)
        self.message.value = status("Removed.")
        self._update()

    def clear(self) -> None:
        """Take all patterns away."""
        self.patterns.clear()
        self.message.value = status("All patterns removed.")
        self._update()

    def read(self, text: str) -> None:
        """Add the patterns that a text holds: patterns between spaces, or whole shares."""
        report = parse_shares(text)
        if report.shares:
            codes = [parse_pattern(row) for share in report.shares for row in share.rows]
            if self.words.length != 5:
                self.message.value = status(
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
            self.message.value = status(
                f"Nothing was added. {html.escape(str(error))}"
                + (f" (read as a post: {html.escape(reasons)})" if reasons else ""),
                "alert",
            )
            return
        if not codes:
            self.message.value = status("There is no text to read.", "alert")
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
        self.count.value = status(f"<b>{len(left):,} {noun}</b>{word_cloud(left)}")
        offered = left[:SHOWN]
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
