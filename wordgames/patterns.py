"""The evaluator: a guess and an answer to a pattern; text and emoji to a pattern and back.

A pattern is a number in base 3, the first letter the most significant digit: 0 grey, 1 yellow,
2 green. The rule of the game: greens first; then, from left to right, a letter is yellow while
copies of it remain in the answer. So `score` depends on its direction.

The method. What the cells that carry one letter show depends on nothing but the places of that
letter in the guess and its places in the answer. Both are sets of places, so one small table of
2**length x 2**length entries holds the whole rule (`_letter_table`), and a pattern is the sum of
that table's entries over the distinct letters of the guess. For a whole list, the entries are
looked up once for each pair (letter, places) that some guess uses, 345 for the original list, and
each row of the matrix is the sum of at most `length` rows of bytes.
"""

import reprlib
from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import count
from numbers import Integral

import numpy as np

from wordgames._compiled import compiled, in_ranges
from wordgames.words import MAX_LENGTH, letters, normalise

GREY, YELLOW, GREEN = 0, 1, 2
GUESSES = 6  # that the game allows

STYLES = {
    "letters": ".YG",
    "light": "⬜🟨🟩",
    "dark": "⬛🟨🟩",
    "contrast": "⬛🟦🟧",
}

# Black and white squares are both grey: which one people see depends on their theme.
_CELLS = {
    **dict.fromkeys(".-_B0XNbxn⬛⬜◼◻▪▫◾◽", GREY),
    **dict.fromkeys("Yy1🟨🟦", YELLOW),
    **dict.fromkeys("Gg2🟩🟧", GREEN),
}
_IGNORED = dict.fromkeys(map(ord, "\ufe0f\ufe0e\u200d\u200e\u200f \t\u00a0"))


def solved(length: int = 5) -> int:
    """The code of the pattern that is green all over.

    >>> format_pattern(solved(3), 3)
    'GGG'
    """
    return 3**length - 1


def pattern_dtype(length: int) -> np.dtype:
    """Smallest unsigned type that holds every pattern of a length."""
    return np.dtype(np.uint8 if length <= 5 else np.uint16)


@cache
def _letter_table(length: int) -> np.ndarray:
    """What the cells of one letter add to the pattern: (places in guess, places in answer).

    Places are bit sets; bit 0 is the first letter. This is the only home of the rule for
    repeated letters.
    """
    weights = 3 ** np.arange(length - 1, -1, -1)
    table = np.zeros((2**length, 2**length), pattern_dtype(length))
    for in_guess in range(2**length):
        for in_answer in range(2**length):
            copies = (in_answer & ~in_guess).bit_count()
            code = 0
            for place in range(length):
                if not in_guess >> place & 1:
                    continue
                if in_answer >> place & 1:
                    code += GREEN * weights[place]
                elif copies:
                    copies -= 1
                    code += YELLOW * weights[place]
            table[in_guess, in_answer] = code
    table.setflags(write=False)
    return table


def score(guess: str, answer: str) -> int:
    """The pattern that `guess` gives when `answer` is the answer.

    Any two words of one length (at most 8 letters); ValueError otherwise.

    >>> format_pattern(score("speed", "abide")), format_pattern(score("abide", "speed"))
    ('..Y.Y', '...YY')
    """
    guess, answer = normalise(guess), normalise(answer)
    (length, asked), (other, hidden) = _spelling(guess), _spelling(answer)
    if length != other:
        raise ValueError(
            f"{guess!r} has {length} letters and {answer!r} has {other}: "
            "a guess and its answer have one length"
        )
    table = _letter_lists(length)
    return sum(table[places][hidden.get(letter, 0)] for letter, places in asked.items())


@cache
def _letter_lists(length: int) -> list[list[int]]:
    """`_letter_table` as lists, in which one number is found much sooner."""
    _check_length(length)
    return _letter_table(length).tolist()


@lru_cache(maxsize=1 << 15)
def _spelling(word: str) -> tuple[int, dict[str, int]]:
    """How many letters a word has, and the places of each, a bit set."""
    places: dict[str, int] = {}
    spelt = letters(word)
    for place, letter in enumerate(spelt):
        places[letter] = places.get(letter, 0) | 1 << place
    return len(spelt), places


def _check_length(length: int) -> None:
    if not 1 <= length <= MAX_LENGTH:
        raise ValueError(f"words of {length} letters: 1 to {MAX_LENGTH} are supported")


def parse_pattern(text: str, length: int | None = None) -> int:
    """The code of a pattern written as text.

    Letters (``.`` or ``-`` grey, ``Y`` yellow, ``G`` green), digits (``0``, ``1``, ``2``), or
    emoji squares of the light, dark and high-contrast palettes; spaces and variation selectors
    are passed over.

    Raises
    ------
    ValueError
        For an unknown character, or a number of cells that is not `length` (None: any up to 8).

    >>> parse_pattern("YG..G") == parse_pattern("🟨🟩⬛⬛🟩") == parse_pattern("🟦🟧⬜⬜🟧")
    True
    """
    if not isinstance(text, str):
        raise TypeError(f"a pattern is text such as 'YG..G', not {text!r}")
    cells = text.translate(_IGNORED)
    unknown = [c for c in cells if c not in _CELLS]
    if unknown:
        raise ValueError(
            f"pattern {text!r}: {unknown[0]!r} is no cell: "
            "use . Y G, or squares ⬛ 🟨 🟩 or ⬛ 🟦 🟧"
        )
    if (length is not None and len(cells) != length) or not 1 <= len(cells) <= MAX_LENGTH:
        wanted = f"{length}" if length is not None else f"1 to {MAX_LENGTH}"
        raise ValueError(f"pattern {text!r} has {len(cells)} cells: it needs {wanted}")
    code = 0
    for cell in cells:
        code = 3 * code + _CELLS[cell]
    return code


def format_pattern(code: int, length: int = 5, style: str = "letters") -> str:
    """A pattern as text; the inverse of `parse_pattern`.

    `style` is one of letters, light, dark, contrast; ValueError for another, or for a code
    outside 0 to 3**length - 1.

    >>> format_pattern(0), format_pattern(242, style="dark")
    ('.....', '🟩🟩🟩🟩🟩')
    """
    if style not in STYLES:
        raise ValueError(f"style {style!r}: the styles are {', '.join(STYLES)}")
    code = _check_code(code, length)
    cells = []
    for _ in range(length):
        code, cell = divmod(code, 3)
        cells.append(STYLES[style][cell])
    return "".join(reversed(cells))


def _check_code(code: int, length: int) -> int:
    if isinstance(code, (bool, np.bool_)) or not isinstance(code, Integral):
        raise TypeError(f"a pattern is text such as 'YG..G' or its code, not {code!r}")
    if not 0 <= code < 3**length:
        raise ValueError(f"pattern code {code}: {length} cells have codes 0 to {3**length - 1}")
    return int(code)


def pattern_code(pattern: str | int, length: int = 5) -> int:
    """The code of a pattern that is given as text or as its code.

    Raises
    ------
    ValueError
        For text that `parse_pattern` refuses, or a code outside 0 to 3**length - 1.
    TypeError
        For what is neither text nor a whole number.

    >>> pattern_code("YG..G"), pattern_code(137)
    (137, 137)
    """
    if isinstance(pattern, str):
        return parse_pattern(pattern, length)
    return _check_code(pattern, length)


def pattern_names(length: int = 5) -> list[str]:
    """All patterns of a length as ``.YG`` text, in the order of their codes."""
    return [format_pattern(code, length) for code in range(3**length)]


def is_possible(code: int, length: int = 5) -> bool:
    """Whether any guess and answer can give the pattern.

    Impossible are the patterns with one yellow and no grey: the yellow letter would have to
    stand in the one place left, where it would be green.
    """
    text = format_pattern(code, length)
    return not (text.count("Y") == 1 and text.count("G") == length - 1)


def encode(words: Sequence[str]) -> np.ndarray:
    """Words of one length as numbers of their letters: uint8 (ASCII) or uint32 (n, length).

    A letter of one character is its code point; others have numbers beyond all code points.

    ValueError when the lengths differ or there is no word.
    """
    if isinstance(words, str):
        raise TypeError(f"words are a sequence of text, not the one text {words!r}")
    try:
        words = list(words)
        joined = "".join(words)
    except TypeError:
        raise TypeError(f"words are a sequence of text, not {reprlib.repr(words)}") from None
    # The usual case, plain lower-case letters, costs a tenth of normalising word by word.
    plain = joined.isascii() and joined.isalpha() and joined.islower()
    if not plain:
        words = [normalise(word) for word in words]
    if not words:
        raise ValueError("there are no words")
    spelt = words if plain else [letters(word) for word in words]
    sizes = list(map(len, spelt))
    length = sizes[0]
    if len(set(sizes)) > 1:
        odd = next(place for place, size in enumerate(sizes) if size != length)
        raise ValueError(
            f"{words[0]!r} has {length} letters and {words[odd]!r} has {sizes[odd]}: "
            "all words need one length"
        )
    _check_length(length)
    if plain:
        return np.frombuffer(joined.encode(), np.uint8).reshape(len(words), length)
    if length == len(words[0]) and sum(sizes) == len("".join(words)):
        return np.array(words, f"<U{length}").view(np.uint32).reshape(len(words), length)
    return np.array([[_letter_number(letter) for letter in word] for word in spelt], np.uint32)


@cache
def _letter_number(letter: str) -> int:
    """A number for a letter, the same for the same one in one process and for no other."""
    return ord(letter) if len(letter) == 1 else _FIRST_FREE + next(_numbers)


_FIRST_FREE = 0x110000  # behind all code points
_numbers = count()


def letter_parts(guesses: Sequence[str], answers: Sequence[str]):
    """What patterns are sums of.

    Returns
    -------
    parts : ndarray (n_parts, n_answers), uint8 or uint16
        Row 0 is all zero; every other row is what one letter at one set of places in the guess
        adds to the pattern of each answer.
    rows : ndarray (n_guesses, length), uint32
        The parts whose sum is the pattern of a guess: one for each of its distinct letters, then
        zeros.
    """
    guess_letters = encode(guesses)
    answer_letters = guess_letters if answers is guesses else encode(answers)
    length = guess_letters.shape[1]
    if answer_letters.shape[1] != length:
        raise ValueError(
            f"guesses have {length} letters and answers {answer_letters.shape[1]}: "
            "all words need one length"
        )
    # Letters as small numbers; those that only answers have share the number 0.
    number_of = np.zeros(max(guess_letters.max(), answer_letters.max()) + 1, np.int32)
    alphabet = np.flatnonzero(np.bincount(guess_letters.ravel()))
    number_of[alphabet] = np.arange(1, len(alphabet) + 1)
    letters = number_of[guess_letters]
    bits = 1 << np.arange(length)
    equal = letters[:, :, None] == letters[:, None, :]
    places = (equal * bits).sum(axis=2)
    # A letter is counted where it stands first, so that each distinct letter counts once.
    first = (places & (bits - 1)) == 0
    keys = np.where(first, letters * 2**length + places, 0)
    part_of = np.zeros((len(alphabet) + 1) * 2**length, np.uint32)
    part_of[keys] = 1
    part_of[0] = 0
    used = np.flatnonzero(part_of)
    part_of[used] = np.arange(1, len(used) + 1)
    rows = np.ascontiguousarray(np.sort(part_of[keys], axis=1)[:, ::-1])
    part_letters, part_places = np.divmod(used, 2**length)
    table = _letter_table(length)
    parts = np.zeros((len(used) + 1, len(answer_letters)), table.dtype)
    in_answer = np.zeros((len(alphabet) + 1, len(answer_letters)), np.uint8)
    _find_places(number_of[answer_letters], in_answer)
    in_ranges(_look_up, len(used), table, part_letters, part_places, in_answer, parts[1:])
    return parts, rows


@compiled
def _find_places(letters, in_answer):
    for answer in range(letters.shape[0]):
        for place in range(letters.shape[1]):
            in_answer[letters[answer, place], answer] |= np.uint8(1 << place)


@compiled
def _look_up(start, stop, table, part_letters, part_places, in_answer, parts):
    for part in range(start, stop):
        entries = table[part_places[part]]
        places = in_answer[part_letters[part]]
        row = parts[part]
        for answer in range(row.size):
            row[answer] = entries[places[answer]]


@compiled
def sum_parts(start, stop, parts, rows, out):
    """Fill rows start to stop of `out` with patterns; parts and rows as of `letter_parts`."""
    for guess in range(start, stop):
        row, line = rows[guess], out[guess]
        done = 0
        if row.size >= 5:
            # A part of the original list is 13 kB: five of them and the sum stay in a near cache.
            # A word with fewer distinct letters adds the part of zeros, cheaper than a branch.
            a, b, c = parts[row[0]], parts[row[1]], parts[row[2]]
            d, e = parts[row[3]], parts[row[4]]
            for j in range(line.size):
                line[j] = a[j] + b[j] + c[j] + d[j] + e[j]
            done = 5
        else:
            line[:] = 0
        for place in range(done, row.size):
            if row[place]:
                part = parts[row[place]]
                for j in range(line.size):
                    line[j] += part[j]


def score_matrix(
    guesses: Sequence[str], answers: Sequence[str], out: np.ndarray | None = None
) -> np.ndarray:
    """The pattern of every guess against every answer.

    Parameters
    ----------
    guesses, answers : sequences of str
        Words of one length, at most 8 letters.
    out : ndarray (n_guesses, n_answers), optional
        A C-ordered array of the type below to write into.

    Returns
    -------
    ndarray (n_guesses, n_answers)
        Codes: uint8 up to 5 letters, uint16 beyond.

    Raises
    ------
    ValueError
        For words of mixed length, no words, or an `out` of another shape, type or order.
    TypeError
        For one text in place of a sequence of words, or an `out` that is no array.

    >>> score_matrix(["speed", "abide"], ["abide"]).tolist()
    [[10], [242]]
    """
    parts, rows = letter_parts(guesses, answers)
    shape = (len(rows), parts.shape[1])
    if out is None:
        out = np.empty(shape, parts.dtype)
    elif not isinstance(out, np.ndarray):
        raise TypeError(f"out is a {type(out).__name__}: it must be an array")
    elif out.shape != shape or out.dtype != parts.dtype:
        raise ValueError(
            f"out has shape {out.shape} and type {out.dtype}: "
            f"it must have shape {shape} and type {parts.dtype}"
        )
    elif not (out.flags.c_contiguous and out.flags.writeable):
        raise ValueError("out is not C-ordered or is read-only: it must be an array to write into")
    in_ranges(sum_parts, len(rows), parts, rows, out.view(np.ndarray))
    return out


def cells_of(pattern: int, length: int) -> list[int]:
    """The cells of a pattern, from the first: GREY, YELLOW or GREEN."""
    return [int(pattern) // 3**place % 3 for place in reversed(range(length))]


def revealed_letters(guess: Sequence, pattern: int) -> Counter:
    """How many of each letter a pattern shows to be in the answer."""
    cells = cells_of(pattern, len(guess))
    return Counter(letter for letter, cell in zip(guess, cells, strict=True) if cell)


def hard_mode_violation(word: str, guess: str, pattern: int) -> str:
    """What hard mode has against `word` after `guess` showed `pattern`; empty if nothing.

    >>> hard_mode_violation("crane", "trace", parse_pattern(".GGYG"))
    ''
    >>> hard_mode_violation("plant", "trace", parse_pattern(".GGYG"))
    "'plant' must keep the green R as letter 2"
    """
    own, asked = letters(word), letters(guess)
    for place, cell in enumerate(cells_of(pattern, len(asked))):
        if cell == GREEN and own[place] != asked[place]:
            return f"{word!r} must keep the green {asked[place].upper()} as letter {place + 1}"
    for letter, times in revealed_letters(asked, pattern).items():
        if own.count(letter) < times:
            again = "again" if times == 1 else f"at least {times} times"
            return f"{word!r} must use the revealed {letter.upper()} {again}"
    return ""


def hard_mode_allows(codes: np.ndarray, guess: np.ndarray, pattern: int) -> np.ndarray:
    """Which words hard mode allows after one guess: `hard_mode_violation` for many words.

    Parameters
    ----------
    codes : ndarray (n, length)
        The words, their letters as numbers.
    guess : ndarray (length,)
    pattern : int
        What the guess showed.

    Returns
    -------
    ndarray (n,), bool
    """
    allowed = np.ones(len(codes), bool)
    for place, cell in enumerate(cells_of(pattern, len(guess))):
        if cell == GREEN:
            allowed &= codes[:, place] == guess[place]
    for letter, times in revealed_letters(guess.tolist(), pattern).items():
        allowed &= (codes == letter).sum(axis=1) >= times
    return allowed
