"""The evaluator against the game's rule done slowly, and patterns as text."""

import itertools
import os
import random
import re
import subprocess
import sys
import unicodedata

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wordgames import format_pattern, load_words, parse_pattern, score, score_matrix
from wordgames.patterns import STYLES, encode, is_possible, pattern_dtype, pattern_names


def value(text: str) -> int:
    """A `.YG` text as a number in base 3, first cell most significant."""
    return int(text.translate(str.maketrans(".YG", "012")), 3)


# Worked out by hand from the rule: the pairs that programs most often get wrong.
HAND_CASES = [
    ("speed", "abide", "..Y.Y"),
    ("speed", "erase", "Y.YY."),
    ("speed", "steal", "G.G.."),
    ("speed", "crepe", ".YGY."),
    ("abide", "speed", "...YY"),
    ("allee", "apple", "GY..G"),
    ("eerie", "where", "Y.Y.G"),
    ("llama", "label", "GYY.."),
    ("aaabb", "bbaaa", "YYGYY"),
    ("geese", "elegy", "YYG.."),
    ("mamma", "magma", "GG.GG"),
    ("sassy", "glass", "YY.G."),
    ("a", "a", "G"),
    ("a", "b", "."),
    ("ab", "ba", "YY"),
    ("aaaaaaab", "baaaaaaa", "YGGGGGGY"),
]


@pytest.mark.parametrize("guess, answer, text", HAND_CASES)
def test_cases_worked_out_by_hand(guess, answer, text):
    assert format_pattern(score(guess, answer), len(guess)) == text


@pytest.mark.parametrize(
    "length, letters",
    [(1, "abc"), (2, "abcd"), (3, "abcd"), (4, "abc"), (5, "abc"), (6, "ab"), (7, "ab"), (8, "ab")],
)
def test_every_pair_over_a_small_alphabet(obvious, length, letters):
    words = ["".join(word) for word in itertools.product(letters, repeat=length)]
    matrix = score_matrix(words, words)
    assert matrix.dtype == (np.uint8 if length <= 5 else np.uint16)
    slow = [[value(obvious(guess, answer)) for answer in words] for guess in words]
    assert matrix.tolist() == slow


def shape(word: str) -> tuple[int, ...]:
    """Which letters of a word are equal: for each the place where it stands first."""
    return tuple(map(word.index, word))


def test_every_shape_of_repeated_letters_in_the_list(obvious):
    allowed = load_words().allowed
    of_shape = {}
    for word in allowed:
        of_shape.setdefault(shape(word), []).append(word)
    assert len(of_shape) > 30
    choose = random.Random(2022)
    for guesses, answers in itertools.product(of_shape.values(), repeat=2):
        guess, answer = choose.choice(guesses), choose.choice(answers)
        assert format_pattern(score(guess, answer)) == obvious(guess, answer)


@pytest.mark.parametrize("name", ["wordle-2021", "wordle-nyt-2023"])
def test_the_matrix_at_random_places(obvious, name):
    allowed = load_words(name).allowed
    matrix = score_matrix(allowed, allowed)
    choose = np.random.default_rng(7)
    for i, j in choose.integers(0, len(allowed), (20_000, 2)):
        assert matrix[i, j] == value(obvious(allowed[i], allowed[j]))
    assert (matrix.diagonal() == 242).all()
    seen = set(np.flatnonzero(np.bincount(matrix.ravel(), minlength=243)).tolist())
    assert {code for code in range(243) if not is_possible(code)} == set(range(243)) - seen


words_of_one_length = st.integers(1, 8).flatmap(
    lambda n: st.lists(st.text("abcäñё", min_size=n, max_size=n), min_size=2, max_size=9)
)


@given(words_of_one_length)
def test_properties_of_any_words(words):
    length = len(words[0])
    matrix = score_matrix(words, words)
    assert (matrix.diagonal() == 3**length - 1).all()
    for i, j in itertools.product(range(len(words)), repeat=2):
        here, there = (format_pattern(matrix[p], length) for p in ((i, j), (j, i)))
        assert matrix[i, j] == score(words[i], words[j])
        assert [here.count(c) for c in "YG"] == [there.count(c) for c in "YG"]
        assert [c == "G" for c in here] == [c == "G" for c in there]
        assert is_possible(int(matrix[i, j]), length)


@given(words=words_of_one_length)
def test_any_words_against_the_slow_evaluator(obvious, words):
    guesses, answers = words[::2], words[1::2]
    slow = [[value(obvious(guess, answer)) for answer in answers] for guess in guesses]
    assert score_matrix(guesses, answers).tolist() == slow


@pytest.mark.parametrize("length", range(1, 7))
def test_possible_patterns_are_exactly_those_that_some_pair_gives(length):
    answer = "abcdefgh"[:length]
    # Letters of the answer and one that it has not give every pattern that can be.
    guesses = ["".join(word) for word in itertools.product(answer + "x", repeat=length)]
    seen = set(score_matrix(guesses, [answer]).ravel().tolist())
    assert seen == {code for code in range(3**length) if is_possible(code, length)}
    assert 3**length - len(seen) == length


@pytest.mark.parametrize("guess, answer", [("äpfel", "fäden"), ("niños", "señor")])
def test_letters_with_accents_composed_or_not(obvious, guess, answer):
    expected = value(obvious(guess, answer))
    for form_of_guess, form_of_answer in itertools.product(("NFC", "NFD"), repeat=2):
        pair = (
            unicodedata.normalize(form_of_guess, guess),
            unicodedata.normalize(form_of_answer, answer.upper()),
        )
        assert score(*pair) == expected
        assert score_matrix(pair[:1], pair[1:]).tolist() == [[expected]]
    assert score("ёлка", "елка") == value(".GGG")
    assert score("nino", "niño") == value("GG.G")


@pytest.mark.parametrize("length", [1, 2, 5, 7, 8])
@pytest.mark.parametrize("style", STYLES)
def test_text_of_every_pattern_reads_back(length, style):
    texts = [format_pattern(code, length, style) for code in range(3**length)]
    assert [parse_pattern(text, length) for text in texts] == list(range(3**length))
    assert len(set(texts)) == 3**length
    assert all(len(text) == length for text in texts)


def test_pattern_names_are_in_the_order_of_their_codes():
    names = pattern_names(3)
    assert names[:4] == ["...", "..Y", "..G", ".Y."]
    assert [value(name) for name in names] == list(range(27))


@pytest.mark.parametrize(
    "text",
    [
        "YG..G",
        "yg--g",
        "12002",
        "Y G . . G",
        " YG_xG\t",
        "🟨🟩⬛⬛🟩",
        "🟨🟩⬜⬜🟩",
        "🟦🟧⬛⬛🟧",
        "🟦🟧⬜⬛🟧",
        "🟨🟩⬛\ufe0f⬜\ufe0f🟩",
        "\u200e🟨🟩◼️◻️🟩\u200f",
    ],
)
def test_ways_to_write_one_pattern(text):
    assert parse_pattern(text) == parse_pattern(text, 5) == 1 * 81 + 2 * 27 + 2


@pytest.mark.parametrize(
    "text, length, message",
    [
        ("", None, "has 0 cells: it needs 1 to 8"),
        ("   ", None, "has 0 cells"),
        ("YG..", 5, "has 4 cells: it needs 5"),
        ("YG..GG", 5, "has 6 cells: it needs 5"),
        (".........", None, "has 9 cells: it needs 1 to 8"),
        ("YG.?G", None, "'?' is no cell"),
        ("YG3.G", None, "'3' is no cell"),
        ("🟥🟩⬛⬛🟩", None, "'🟥' is no cell"),
        ("<b>YG</b>", None, "'<' is no cell"),
    ],
)
def test_bad_patterns_say_what_is_wrong(text, length, message):
    with pytest.raises(ValueError, match=re.escape(message)) as raised:
        parse_pattern(text, length)
    assert repr(text) in str(raised.value)


def test_wrong_types_and_codes():
    with pytest.raises(TypeError, match=r"a pattern is text such as 'YG\.\.G', not 5"):
        parse_pattern(5)
    for code in (-1, 243):
        with pytest.raises(ValueError, match=f"pattern code {code}: 5 cells have codes 0 to 242"):
            format_pattern(code)
    with pytest.raises(TypeError):
        format_pattern(1.5)
    with pytest.raises(ValueError, match="style 'dim': the styles are letters, light, dark"):
        format_pattern(0, style="dim")


@given(st.text(max_size=12))
@settings(max_examples=300)
def test_no_text_but_a_pattern_is_read_as_one(text):
    try:
        code = parse_pattern(text)
    except ValueError:
        return
    assert 0 <= code < 3**8


@pytest.mark.parametrize(
    "guess, answer, message",
    [
        ("tares", "tare", "'tares' has 5 letters and 'tare' has 4"),
        ("", "", "words of 0 letters: 1 to 8 are supported"),
        ("pineapple", "raspberry", "words of 9 letters: 1 to 8 are supported"),
    ],
)
def test_words_that_cannot_be_scored(guess, answer, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        score(guess, answer)


@pytest.mark.parametrize(
    "guesses, answers, message",
    [
        ([], ["tares"], "there are no words"),
        (["tares"], [], "there are no words"),
        (["tares", "tare"], ["tares"], "'tares' has 5 letters and 'tare' has 4"),
        (["tare"], ["tares"], "guesses have 4 letters and answers 5"),
        ([""], [""], "words of 0 letters"),
        (["a" * 9], ["a" * 9], "words of 9 letters"),
    ],
)
def test_lists_that_cannot_be_scored(guesses, answers, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        score_matrix(guesses, answers)


def test_one_text_is_no_list_of_words():
    with pytest.raises(TypeError, match="not the one text 'tares'"):
        score_matrix("tares", ["tares"])


@pytest.mark.parametrize("words", [None, 5, [1, 2], ["tares", None]])
def test_what_is_no_text_is_named(words):
    with pytest.raises(TypeError, match="words are a sequence of text, not "):
        score_matrix(words, ["tares"])


def test_out_is_filled_and_returned():
    words = load_words().answers[:50]
    out = np.full((50, 50), 255, np.uint8)
    assert score_matrix(words, words, out=out) is out
    assert np.array_equal(out, score_matrix(words, words))


def test_out_in_a_file(tmp_path):
    words = load_words().answers[:50]
    out = np.memmap(tmp_path / "matrix", np.uint8, "w+", shape=(50, 50))
    assert np.array_equal(score_matrix(words, words, out=out), score_matrix(words, words))


def test_an_out_that_does_not_fit():
    words = ["tares", "crane"]
    fitting = np.zeros((2, 2), np.uint8)
    for bad in (np.zeros((2, 3), np.uint8), np.zeros((2, 2), np.int64), np.zeros(4, np.uint8)):
        with pytest.raises(ValueError, match=r"out has shape .* must have shape \(2, 2\)"):
            score_matrix(words, words, out=bad)
    locked = fitting.copy()
    locked.setflags(write=False)
    for bad in (fitting.T[:, ::-1], np.asfortranarray(fitting), locked):
        with pytest.raises(ValueError, match="not C-ordered or is read-only"):
            score_matrix(words, words, out=bad)
    with pytest.raises(TypeError, match="out is a list"):
        score_matrix(words, words, out=[[0, 0], [0, 0]])


def test_encoding_and_types():
    assert encode(["ab", "cd"]).tolist() == [[97, 98], [99, 100]]
    assert encode(["AB"]).tolist() == encode(["ab"]).tolist()
    assert encode(["äb"]).tolist() == [[0xE4, 98]]
    assert pattern_dtype(5) == np.uint8 and pattern_dtype(6) == np.uint16


def run_python(code: str, **environment: str) -> str:
    result = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env=environment or None,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()


def test_kernels_compile_where_neither_source_nor_home_can_be_written(root, tmp_path):
    # A file in the place of each folder stops even root, whom permissions do not.
    package = tmp_path / "wordgames"
    package.mkdir()
    for name in (
        "__init__.py",
        "_compiled.py",
        "_files.py",
        "patterns.py",
        "places.py",
        "words.py",
    ):
        (package / name).write_bytes((root / "wordgames" / name).read_bytes())
    (package / "__pycache__").write_text("in the way")
    home, temporary = tmp_path / "home", tmp_path / "temporary"
    home.write_text("in the way")
    temporary.mkdir()
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "import wordgames\n"
        "from wordgames._compiled import _folder\n"
        "from wordgames.patterns import score_matrix\n"
        "print(wordgames.__path__[0], score_matrix(['speed'], ['abide'])[0, 0], _folder())"
    )
    where, code_of_pattern, cache = run_python(
        code, HOME=str(home), TMPDIR=str(temporary), PYTHONDONTWRITEBYTECODE="1"
    ).split()
    assert (where, code_of_pattern) == (str(package), "10")
    assert cache.startswith(str(temporary))
    assert list(temporary.iterdir()) == []  # and it is gone afterwards


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_the_matrix_in_a_forked_process():
    code = """
import os, signal, warnings
from wordgames import load_words, score_matrix
warnings.simplefilter("ignore")
words = load_words().answers[:200]
expected = score_matrix(words, words)
child = os.fork()
if child == 0:
    signal.alarm(30)
    os._exit(0 if (score_matrix(words, words) == expected).all() else 1)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    assert run_python(code) == "0"
