"""Boards of the play notebooks."""

from wordgames.boards.emojle import EmojleBoard
from wordgames.boards.semantle import SemantleBoard
from wordgames.boards.wordle import WordleBoard

__all__ = ["EmojleBoard", "SemantleBoard", "WordleBoard"]
