"""Boards to play on in JupyterLab: Emojle, a Wordle helper, Semantle.

Each board is an ipywidgets box around the package's own functions; it holds what the player has
entered and nothing else. Everything is a button, a text field or a list, so the keyboard reaches it
all. Text that a player typed or pasted is escaped before it is shown.
"""

import html

import ipywidgets as widgets

from wordgames.figures import CELL_COLOURS
from wordgames.patterns import format_pattern
from wordgames.words import WordList

_NAMES = ("grey", "yellow", "green")
_SQUARES = "⬛🟨🟩"
SHOWN = 60  # candidates listed on a board; the count is always of all


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


def status(text: str, kind: str = "status") -> str:
    """A line that screen readers announce."""
    """A message that screen readers announce."""
    colour = "inherit" if kind == "status" else "#b42318"
    return f'<div role="{kind}" style="color:{colour}">{text}</div>'


def word_cloud(words, shown: int = SHOWN) -> str:
    """The first words, and how many more there are."""
    listed = " ".join(html.escape(word) for word in words[:shown])
    more = f" and {len(words) - shown:,} more" if len(words) > shown else ""
    return f'<div style="line-height:1.7;max-width:46em">{listed}{more}</div>'


def pool(words: WordList, chosen: str) -> widgets.Dropdown:
    """Which words may be the answer: ``answers`` or ``allowed``."""
    return widgets.Dropdown(
        options=[
            (f"the {len(words.answers):,} possible answers", "answers"),
            (f"all {len(words.allowed):,} allowed words", "allowed"),
        ],
        value=chosen,
        description="candidates",
    )


def on_enter(text: widgets.Text, act) -> None:
    """Call `act` when Enter is pressed in a text field, and not when the field is left."""

    def handle(_, content, _buffers):
        if content.get("event") == "submit":
            act()

    text.on_msg(handle)
