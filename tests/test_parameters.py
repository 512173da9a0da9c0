"""Parameters of a notebook: what the cell declares, what a command line may say."""

import pytest

from wordgames.reports.parameters import (
    ParameterError,
    check_names,
    check_parameters,
    read_parameters,
)
from wordgames.reports.settings import check_values, read_settings

CELL = """# The parameters of this report
word_list = "wordle-2021"  # a name, or the path of a file
top = 10  # 1 to 100: rows of each table
shift = -2  # -5 to 5: a whole number that may be negative
noise = 0.2  # 0 to 1: a chance
rate = 1.5  # any number
order = "size"  # one of size, name: how the table is sorted
hard = False  # whether hard mode is played
words = ""  # words to try, such as a=b # or "quoted"
"""
PARAMETERS = read_parameters(CELL)

# name, text of the command line, value
RIGHT = [
    ("word_list", "wordle-nyt-2023", "wordle-nyt-2023"),
    ("word_list", "", ""),
    ("word_list", "nan", "nan"),
    ("word_list", "none", "none"),
    ("word_list", "None", "None"),
    ("word_list", "true", "true"),
    ("word_list", "30", "30"),
    ("word_list", " spaced name.txt ", " spaced name.txt "),
    ("words", "a=b", "a=b"),
    ("words", "k=v=w#x", "k=v=w#x"),
    ("words", 'a "quoted" \\ back\nline', 'a "quoted" \\ back\nline'),
    ("words", "ärger, niño, ёлка 🟩", "ärger, niño, ёлка 🟩"),
    ("top", "1", 1),
    ("top", "100", 100),
    ("top", " 7 ", 7),
    ("shift", "-5", -5),
    ("shift", "0", 0),
    ("noise", "0", 0.0),
    ("noise", "1", 1.0),
    ("noise", "1e-3", 0.001),
    ("rate", "-3", -3.0),
    ("order", "name", "name"),
    ("hard", "true", True),
    ("hard", "False", False),
]

# name, text of the command line, words that the message has
WRONG = [
    ("top", "0", "from 1 to 100"),
    ("top", "101", "from 1 to 100"),
    ("top", "ten", "a whole number"),
    ("top", "2.5", "a whole number"),
    ("top", "", "a whole number"),
    ("top", "nan", "a whole number"),
    ("top", "true", "a whole number"),
    ("shift", "-6", "from -5 to 5"),
    ("noise", "1.01", "from 0 to 1"),
    ("noise", "nan", "a number from 0 to 1"),
    ("noise", "inf", "a number from 0 to 1"),
    ("noise", "none", "a number"),
    ("rate", "nan", "a number"),
    ("rate", "-inf", "a number"),
    ("rate", "1,5", "a number"),
    ("order", "nam", "one of size, name; did you mean 'name'?"),
    ("order", "", "one of size, name"),
    ("order", "Size", "one of size, name; did you mean 'size'?"),
    ("hard", "1", "true or false"),
    ("hard", "yes", "true or false"),
]


@pytest.mark.parametrize("name, text, value", RIGHT)
def test_right_values(name, text, value):
    found = PARAMETERS[name].parse(text)
    assert found == value and type(found) is type(value)


@pytest.mark.parametrize("name, text, message", WRONG)
def test_wrong_values_say_what_is_taken(name, text, message):
    with pytest.raises(ParameterError) as error:
        PARAMETERS[name].parse(text)
    assert name in str(error.value) and text in str(error.value)
    assert message in str(error.value)


# values in Python's own types, as run_report takes them
@pytest.mark.parametrize(
    "name, value",
    [
        ("top", "30"),
        ("top", True),
        ("top", 3.0),
        ("top", None),
        ("hard", 1),
        ("hard", "true"),
        ("word_list", 2021),
        ("word_list", None),
        ("word_list", float("nan")),
        ("noise", "0.1"),
        ("noise", True),
        ("rate", [1.5]),
    ],
)
def test_another_type_is_wrong(name, value):
    with pytest.raises(ParameterError, match=name):
        PARAMETERS[name].check(value)


def test_a_whole_number_serves_as_a_number():
    assert PARAMETERS["noise"].check(1) == 1.0
    assert isinstance(PARAMETERS["noise"].check(1), float)


def test_what_a_cell_declares():
    assert list(PARAMETERS) == [
        *("word_list", "top", "shift", "noise", "rate", "order", "hard", "words")
    ]
    top = PARAMETERS["top"]
    assert (top.default, top.low, top.high, top.help) == (10, 1, 100, "rows of each table")
    assert PARAMETERS["order"].choices == ("size", "name")
    assert PARAMETERS["order"].help == "how the table is sorted"
    assert PARAMETERS["shift"].default == -2
    assert PARAMETERS["words"].help == 'words to try, such as a=b # or "quoted"'


def test_letters_of_more_than_one_byte_do_not_shift_the_comment():
    assert read_parameters('word = "äöü"  # a word')["word"].help == "a word"


@pytest.mark.parametrize(
    "line, message",
    [
        ("top = 10", "needs a comment"),
        ("top = 5 + 5  # rows", "literal"),
        ("top = [1]  # rows", "literal"),
        ("top = None  # rows", "literal"),
        ("a = b = 1  # two", "not one assignment"),
        ("a, b = 1, 2  # two", "not one assignment"),
        ("import os  # no", "not one assignment"),
        ("top: int = 3  # rows", "not one assignment"),
    ],
)
def test_cells_that_declare_something_else_are_refused(line, message):
    with pytest.raises(ValueError, match=message):
        read_parameters(line)


@pytest.mark.parametrize(
    "name, near",
    [("topp", "'top'"), ("wordlist", "'word_list'"), ("Top", "'top'"), ("ordre", "'order'")],
)
def test_a_misspelt_name_gets_the_nearest_and_all_names(name, near):
    with pytest.raises(ParameterError) as error:
        check_names([name], PARAMETERS)
    assert near in str(error.value) and repr(name) in str(error.value)
    assert all(right in str(error.value) for right in PARAMETERS)


def test_a_name_like_no_other_gets_all_names():
    with pytest.raises(ParameterError) as error:
        check_names(["zzz"], PARAMETERS)
    assert "did you mean" not in str(error.value) and "word_list" in str(error.value)


def test_a_word_list_that_does_not_exist_is_a_wrong_parameter():
    assert check_values(PARAMETERS, {"top": 3}) == {"top": 3}
    with pytest.raises(ParameterError, match=r"word_list: no word list 'wordle-2012'.*wordle-2021"):
        check_values(PARAMETERS, {"word_list": "wordle-2012"})


def test_settings_keep_every_character():
    assert read_settings(["a=b=c", "word=nan", "empty=", "list=x y,z"]) == {
        "a": "b=c",
        "word": "nan",
        "empty": "",
        "list": "x y,z",
    }


@pytest.mark.parametrize("pairs", [["top"], ["=3"], ["to p=3"], ["top=1", "top=2"]])
def test_settings_that_are_no_pairs(pairs):
    with pytest.raises(ParameterError, match="-p"):
        read_settings(pairs)


def test_settings_of_a_file_are_text_and_pairs_come_first(tmp_path):
    path = tmp_path / "quick.yml"
    path.write_text("# quick\ntop: 3\nword: no\nother: .nan\nnull_word: null\nlong: 'a: b'\n")
    assert read_settings(["top=9"], str(path)) == {
        "top": "9",
        "word": "no",
        "other": ".nan",
        "null_word": "null",
        "long": "a: b",
    }
    path.write_text("")
    assert read_settings([], str(path)) == {}


@pytest.mark.parametrize(
    "text, message",
    [("- 1\n- 2\n", "name: value"), ("top: [1, 2]\n", "top takes one value"), ("a: b: c", "YAML")],
)
def test_files_that_are_no_settings(tmp_path, text, message):
    path = tmp_path / "bad.yml"
    path.write_text(text)
    with pytest.raises(ParameterError, match=message):
        read_settings([], str(path))


def test_outside_a_notebook_nothing_is_checked():
    assert check_parameters() is None


def test_a_file_of_settings_that_is_not_there(tmp_path):
    with pytest.raises(ParameterError, match="no file of parameters"):
        read_settings([], str(tmp_path / "quik.yml"))


def test_an_empty_name_of_a_file_is_not_passed_over():
    with pytest.raises(ParameterError, match="no file of parameters ''"):
        read_settings([], "")
