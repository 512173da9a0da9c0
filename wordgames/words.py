"""A word list: the possible answers and the allowed guesses, loaded and checked.

Words are text of letters only, lower case and in Unicode's composed form (NFC), so that ä, ñ and ё
are one letter each. A letter is what readers take for one, a grapheme of Unicode's: a character
with the marks that combine with it, as in Hindi, Thai, pointed Hebrew, or a Turkish İ in lower
case. Greek's final sigma is the same letter as the other. Every list is sorted by code point.
"""

import hashlib
import os
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path

import numpy as np
import regex

from wordgames._hints import did_you_mean
from wordgames.places import DATA

MAX_LENGTH = 8  # 3**8 patterns still fit 16 bits; a longer word's pattern sets would not fit memory

# name: (file of the possible answers, file of the further allowed guesses)
NAMED_LISTS = {
    "wordle-2021": ("wordle-2021-answers.txt", "wordle-2021-allowed.txt"),
    "wordle-nyt-2023": ("wordle-nyt-2023-answers.txt", "wordle-nyt-2023-allowed.txt"),
}

LANGUAGES = "wordfreq:"  # begins the name of a list of another language, such as wordfreq:de:5
NAMES = f"{', '.join(NAMED_LISTS)}, or {LANGUAGES}de:5 and the like"
FEWEST_LETTERS = 4  # of such a list
COMMON = 1e-5  # the share of all words from which one of such a list can be the answer


@dataclass(frozen=True)
class WordList:
    """Possible answers and allowed guesses of one game.

    Attributes
    ----------
    answers, allowed : tuple of str
        Sorted, without duplicates; `allowed` includes the answers.
    name : str
        What the list is called in reports and files: its own name, or the files' names.
    frequencies : tuple of float
        The share of all words in texts that each allowed word makes up; empty where the list does
        not say it.
    """

    answers: tuple[str, ...]
    allowed: tuple[str, ...]
    name: str
    frequencies: tuple[float, ...] = field(default=(), repr=False)

    @property
    def length(self) -> int:
        """Letters in each word."""
        return len(letters(self.allowed[0]))

    @cached_property
    def index(self) -> dict[str, int]:
        """Place of each allowed word in `allowed`."""
        return {word: place for place, word in enumerate(self.allowed)}

    @cached_property
    def is_answer(self) -> np.ndarray:
        """Which allowed words can be the answer: bool (n_allowed,), read-only."""
        answers = np.zeros(len(self.allowed), bool)
        answers[[self.index[word] for word in self.answers]] = True
        answers.setflags(write=False)
        return answers

    @cached_property
    def checksum(self) -> str:
        """SHA-256 of the answers and the allowed words, as hexadecimal text.

        Files that belong to a list carry it, so that they are not used with another.
        """
        text = " ".join(self.answers) + "\n" + " ".join(self.allowed)
        return hashlib.sha256(text.encode()).hexdigest()

    def indices(self, words: Iterable[str]) -> list[int]:
        """Places in `allowed` of some words; ValueError names a word that is not allowed."""
        return [self.index[self.check(word)] for word in words]

    def check(self, word: str) -> str:
        """The word as the list spells it; ValueError when it is not an allowed word."""
        spelt = normalise(word)
        if spelt in self.index:
            return spelt
        if (length := len(letters(spelt))) != self.length:
            raise ValueError(
                f"{word!r} has {length} letters; the words of {self.name} have {self.length}"
            )
        hint = did_you_mean(spelt, self.allowed)
        raise ValueError(f"{word!r} is not an allowed word of {self.name}{hint}")

    def __repr__(self) -> str:
        return (
            f"WordList({self.name!r}: {len(self.answers):,} answers, "
            f"{len(self.allowed):,} allowed, {self.length} letters)"
        )


def normalise(word: str) -> str:
    r"""A word in lower case and composed form (NFC), without surrounding space.

    Greek's final sigma, a matter of spelling, becomes the other sigma.

    >>> normalise(" A\u0308PFEL")
    'äpfel'
    """
    if not isinstance(word, str):
        raise TypeError(f"a word is text, not {word!r} of type {type(word).__name__}")
    word = word.strip().lower()
    return (
        word if word.isascii() else unicodedata.normalize("NFC", word).replace("\u03c2", "\u03c3")
    )


def letters(word: str) -> tuple[str, ...]:
    r"""The letters of a normalised word, each with its marks.

    >>> letters("piñata"), len(letters("नमस्ते"))
    (('p', 'i', 'ñ', 'a', 't', 'a'), 3)
    """
    # Up to Armenian every letter stands for itself; so it need not be looked for.
    alone = word.isascii() or (word.isalpha() and max(word) < "\u0590")
    return tuple(word) if alone else tuple(_GRAPHEME.findall(word))


_GRAPHEME = regex.compile(r"\X")
# A letter with what belongs to it: marks, joiners, and the consonants of a Hindi conjunct.
_LETTERS = regex.compile(r"(?:\p{L}[\p{L}\p{M}\u200c\u200d]*)+")


def is_word(word: str) -> bool:
    """Whether a normalised word is letters only."""
    return word.isalpha() or bool(_LETTERS.fullmatch(word))


def _read(path: Path) -> list[str]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise FileNotFoundError(
            f"no word list {str(path)!r}: give a file with one word a line, or a name: {NAMES}"
        ) from None
    except IsADirectoryError:
        raise ValueError(f"{str(path)!r} is a folder: give a file with one word a line") from None
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{path}: byte {error.start} is not UTF-8: save the file with the encoding UTF-8"
        ) from None
    return [line for line in text.splitlines() if line.strip()]


def check_words(lines: Iterable[str], where: str, length: int | None = None) -> tuple[str, ...]:
    """Sorted words of some lines, one a line, all of one length.

    Raises
    ------
    ValueError
        For an empty list, a duplicate, a character that is no letter, mixed or unfit lengths;
        the message names `where` and the word.
    """
    words = [normalise(line) for line in lines]
    if not words:
        raise ValueError(f"{where} holds no words: it needs one word a line")
    for number, word in enumerate(words, 1):
        if not is_word(word):
            odd = next((c for c in letters(word) if not is_word(c)), "")
            raise ValueError(
                f"{where}, word {number}: {word!r} has {odd!r}, which is no letter: "
                "words are letters only, one word a line"
            )
    sizes = {word: len(letters(word)) for word in words}
    lengths = Counter(sizes.values())
    length = length or lengths.most_common(1)[0][0]
    if len(lengths) > 1 or length not in lengths:
        odd = next(word for word in words if sizes[word] != length)
        raise ValueError(
            f"{where}: {odd!r} has {sizes[odd]} letters and others have {length}: "
            "all words of a list have one length"
        )
    if length > MAX_LENGTH:
        raise ValueError(f"{where}: words of {length} letters; at most {MAX_LENGTH} are supported")
    if len(set(words)) < len(words):
        twice = next(word for word, times in Counter(words).items() if times > 1)
        raise ValueError(f"{where}: {twice!r} stands in it more than once: keep one")
    return tuple(sorted(words))


def is_name(source) -> bool:
    """Whether a word list's source is a name, not the path of a file."""
    return isinstance(source, str) and (source in NAMED_LISTS or source.startswith(LANGUAGES))


@cache
def _of_language(name: str) -> WordList:
    """The words of a list such as ``wordfreq:de:5``."""
    from wordgames.languages import frequencies

    language, _, digits = name.removeprefix(LANGUAGES).partition(":")
    if digits not in map(str, range(FEWEST_LETTERS, MAX_LENGTH + 1)):
        raise ValueError(
            f"{name!r}: give a language and a number of letters from {FEWEST_LETTERS} to "
            f"{MAX_LENGTH}, as in wordfreq:de:5"
        )
    length = int(digits)

    def fits(word: str) -> bool:
        # It has as many letters as when it is normalised, which takes longer than all else here.
        return is_word(word) and len(letters(word)) == length

    found: dict[str, float] = {}  # where two spellings become one word, the commoner one counts
    for word, share in frequencies(language, fits).items():
        found.setdefault(normalise(word), share)
    allowed = tuple(sorted(found))
    answers = tuple(word for word in allowed if found[word] >= COMMON)
    if not answers:
        raise ValueError(
            f"{name!r}: no word of {length} letters is common enough to be the answer: "
            "try another number of letters"
        )
    return WordList(answers, allowed, name, tuple(found[word] for word in allowed))


@cache
def _named(name: str) -> WordList:
    if name.startswith(LANGUAGES):
        return _of_language(name)
    answers, others = (check_words(_read(DATA / file), file) for file in NAMED_LISTS[name])
    return WordList(answers, tuple(sorted({*answers, *others})), name)


def load_words(source: str | Path = "wordle-2021", allowed: str | Path | None = None) -> WordList:
    """A word list by name, or from files of one word a line.

    Parameters
    ----------
    source : str or path
        A name (``wordle-2021``: the original game; ``wordle-nyt-2023``: the newspaper's list of
        July 2023; ``wordfreq:de:5``: common German words of five letters, and so for other
        languages and for 4 to 8 letters), or the path of a UTF-8 file of possible answers.
    allowed : str or path, optional
        With a path: a second file, of allowed guesses, or a name, for the allowed guesses of that
        list. They need not repeat the answers. None: the answers are all that is allowed.

    Returns
    -------
    WordList
        Of another language, allowed are the words that make up a millionth of its texts or more,
        and the answers are those that make up ten times as much. `wordgames.languages` says what
        is left out. They need the package wordfreq.

    Raises
    ------
    FileNotFoundError, ValueError
        With the file, the word and how to mend it.
    ModuleNotFoundError
        For another language, where wordfreq is not installed.

    >>> load_words()
    WordList('wordle-2021': 2,315 answers, 12,972 allowed, 5 letters)
    """
    if is_name(source):
        if allowed is not None:
            raise ValueError(
                f"the list {source!r} has its own allowed words: leave `allowed` out, "
                "or give the path of an answers file too"
            )
        return _named(source)
    for given in (source, source if allowed is None else allowed):
        if not isinstance(given, (str, os.PathLike)):
            raise TypeError(f"a word list is a name or the path of a file, not {given!r}")
        if given == "":
            raise ValueError(
                "the name of a word list is empty: give a file with one word a line, "
                f"or a name: {NAMES}"
            )
    path = Path(source)
    if not path.exists() and not path.suffix and len(path.parts) == 1:
        hint = did_you_mean(str(source), NAMED_LISTS, most=1)
        raise FileNotFoundError(
            f"no word list {str(source)!r}: the names are {NAMES}, "
            f"anything else is the path of a file{hint}"
        )
    answers = check_words(_read(path), str(source))
    # A file that is called as a named list is must not pass for it in reports.
    name = path.name if path.stem in NAMED_LISTS else path.stem
    if allowed is None:
        return WordList(answers, answers, name)
    lines = _named(allowed).allowed if is_name(allowed) else _read(Path(allowed))
    others = check_words(lines, str(allowed), length=len(letters(answers[0])))
    return WordList(answers, tuple(sorted({*answers, *others})), f"{name}+{Path(allowed).stem}")
