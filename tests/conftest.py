"""What several test files need: a slow, obvious evaluator, and words to try it on."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def obvious_pattern(guess: str, answer: str) -> str:
    """The game's rule as its help page tells it, on pencil and paper; `.YG` text.

    Strike out the letters that stand right. Then go through the others of the guess from left to
    right: yellow if that letter is among those of the answer not yet struck out; strike it out.
    """
    open_letters = list(answer)
    cells = ["."] * len(guess)
    for place, letter in enumerate(guess):
        if answer[place] == letter:
            cells[place] = "G"
            open_letters.remove(letter)
    for place, letter in enumerate(guess):
        if cells[place] != "G" and letter in open_letters:
            cells[place] = "Y"
            open_letters.remove(letter)
    return "".join(cells)


@pytest.fixture(scope="session")
def obvious():
    """The slow evaluator: guess and answer to `.YG` text."""
    return obvious_pattern


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository's folder."""
    return ROOT


@pytest.fixture
def word_file(tmp_path):
    """Write words, one a line, into a file and return its path."""

    def write(*words: str, name: str = "mine.txt", encoding: str = "utf-8", end: str = "\n"):
        path = tmp_path / name
        path.write_bytes("".join(word + end for word in words).encode(encoding))
        return path

    return write
