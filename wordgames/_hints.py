"""What errors have in common: near matches of a wrong name, and numbers that must be whole."""

import difflib
from collections.abc import Iterable
from numbers import Integral


def ask(near: Iterable[str]) -> str:
    """The question after an error that some of these words were meant; empty for none.

    >>> ask(["crane", "crank"])
    "; did you mean 'crane' or 'crank'?"
    """
    *others, last = [repr(word) for word in near] or [""]
    if not last:
        return ""
    return f"; did you mean {' or '.join([', '.join(others), last] if others else [last])}?"


def did_you_mean(word: str, choices: Iterable[str], most: int = 3, cutoff: float = 0.6) -> str:
    """`ask` about the choices that are spelt most like a word."""
    return ask(difflib.get_close_matches(word, list(choices), n=most, cutoff=cutoff))


def whole_number(value, name: str, least: int = 1, of: str = "") -> int:
    """The value as int; ValueError for what is not a whole number, `least` or more.

    >>> whole_number(2.5, "width", of="guesses at each set")
    Traceback (most recent call last):
    ValueError: width = 2.5: it is a number of guesses at each set, a whole one from 1
    """
    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        meaning = f"a number of {of}, a whole one" if of else "a whole number"
        raise ValueError(f"{name} = {value!r}: it is {meaning} from {least}")
    return int(value)
