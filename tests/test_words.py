"""Word lists: what is loaded, and what each kind of bad input says."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordgames import format_pattern, load_words, score, score_matrix
from wordgames.words import MAX_LENGTH, check_words, is_word, letters, normalise


@pytest.mark.parametrize(
    "name, answers, allowed, an_answer, only_allowed",
    [
        ("wordle-2021", 2315, 12972, "could", "tares"),
        ("wordle-nyt-2023", 3158, 14855, "guano", "aahed"),
    ],
)
def test_named_lists(name, answers, allowed, an_answer, only_allowed):
    words = load_words(name)
    assert (len(words.answers), len(words.allowed)) == (answers, allowed)
    assert words.length == 5
    assert set(words.answers) < set(words.allowed)
    assert list(words.answers) == sorted(set(words.answers))
    assert list(words.allowed) == sorted(set(words.allowed))
    assert an_answer in words.answers
    assert only_allowed in words.allowed and only_allowed not in words.answers


def test_the_default_is_the_original_list():
    assert load_words() is load_words("wordle-2021")


def test_index_and_indices():
    words = load_words()
    assert words.indices(["aahed", "ZYMIC", " tares "]) == [
        0,
        len(words.allowed) - 1,
        words.allowed.index("tares"),
    ]
    with pytest.raises(
        ValueError, match=r"'tarez' is not an allowed word of wordle-2021; did you mean .*warez"
    ):
        words.indices(["tares", "tarez"])
    with pytest.raises(ValueError, match=r"'tare' has 4 letters; .* have 5"):
        words.check("tare")
    with pytest.raises(TypeError, match="a word is text, not 5"):
        words.check(5)


def test_a_list_from_one_file_and_from_two(word_file):
    answers = word_file("pear", "PLUM ", " kiwi", name="fruit.txt")
    words = load_words(answers)
    assert words.answers == words.allowed == ("kiwi", "pear", "plum")
    assert (words.name, words.length) == ("fruit", 4)

    more = word_file("lime", "pear", name="more.txt")
    words = load_words(str(answers), allowed=str(more))
    assert words.answers == ("kiwi", "pear", "plum")
    assert words.allowed == ("kiwi", "lime", "pear", "plum")
    assert words.name == "fruit+more"


def test_own_answers_with_the_guesses_of_a_named_list(word_file):
    words = load_words(word_file("tares", "zzzzz"), allowed="wordle-2021")
    assert words.answers == ("tares", "zzzzz")
    assert set(words.allowed) == {*load_words().allowed, "zzzzz"}


def test_a_file_called_as_a_named_list_is_does_not_pass_for_it(word_file):
    assert load_words(word_file("pears", name="wordle-2021.txt")).name == "wordle-2021.txt"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\n\n", " \t\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_line_ends_blank_lines_and_the_byte_order_mark(word_file, end, encoding):
    path = word_file("äpfel", "birne", end=end, encoding=encoding)
    assert load_words(path).answers == ("birne", "äpfel")


def test_letters_of_other_alphabets_are_one_letter_each(word_file):
    decomposed = [unicodedata.normalize("NFD", word) for word in ("ÄPFEL", "NIÑOS", "ЁЛКИИ")]
    assert len(decomposed[0]) == 6
    assert load_words(word_file(*decomposed)).answers == ("niños", "äpfel", "ёлкии")


@given(st.text(max_size=8))
def test_normalising_twice_changes_nothing(text):
    assert normalise(normalise(text)) == normalise(text)


@pytest.mark.parametrize("length", range(1, MAX_LENGTH + 1))
def test_every_supported_length(length):
    assert check_words(["b" * length, "a" * length], "here") == ("a" * length, "b" * length)


def test_checked_words_are_sorted_whatever_their_order():
    assert check_words(["pear", "Äpfl", "lime"], "here") == ("lime", "pear", "äpfl")


# What the file holds, and what the message must say beside the name of the file.
BAD_FILES = {
    "empty": (b"", "holds no words"),
    "only blank lines": (b"\n  \n\n", "holds no words"),
    "mixed lengths": (b"pears\napple\nfig\n", "'fig' has 3 letters and others have 5"),
    "duplicate": (b"pears\napple\npears\n", "'pears' stands in it more than once"),
    "duplicate in capitals": (b"pears\nPEARS\n", "'pears' stands in it more than once"),
    "digit": (b"pears\napp1e\n", "word 2: 'app1e' has '1', which is no letter"),
    "hyphen": (b"pears\nap-le\n", "'ap-le' has '-'"),
    "apostrophe": (b"pears\ndon't\n", 'has "\'", which is no letter'),
    "two words a line": (b"pears apple\n", "'pears apple' has ' '"),
    "a table": (b"word,count\n", "has ','"),
    "lone accent": ("\u0308pears\n".encode(), "which is no letter"),
    "zero byte": (b"pea\x00s\n", "which is no letter"),
    "too long": (b"pineapple\nraspberry\n", "words of 9 letters; at most 8 are supported"),
    "latin-1": ("äpfel\n".encode("latin-1"), "byte 0 is not UTF-8"),
    "utf-16": ("pears\n".encode("utf-16"), "is not UTF-8"),
    "binary": (bytes(range(256)), "is not UTF-8"),
}


@pytest.mark.parametrize("kind", BAD_FILES)
@pytest.mark.parametrize("as_allowed", [False, True])
def test_bad_files_name_the_file_and_the_word(tmp_path, word_file, kind, as_allowed):
    content, message = BAD_FILES[kind]
    path = tmp_path / "bad list.txt"
    path.write_bytes(content)
    arguments = (word_file("lemon"), path) if as_allowed else (path,)
    with pytest.raises(ValueError, match=r"bad list\.txt") as raised:
        load_words(*arguments)
    if not (as_allowed and kind == "too long"):  # there the unlike length comes first
        assert message in str(raised.value)


def test_answers_and_guesses_of_unlike_length(word_file):
    answers, allowed = word_file("pears"), word_file("pear", "plum", name="four.txt")
    with pytest.raises(ValueError, match=r"four\.txt: 'pear' has 4 letters and others have 5"):
        load_words(answers, allowed=allowed)


def test_missing_files_and_misspelt_names(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"no word list .*gone\.txt"):
        load_words(tmp_path / "gone.txt")
    with pytest.raises(FileNotFoundError, match="names are wordle-2021, wordle-nyt-2023"):
        load_words("unheard-of")
    with pytest.raises(FileNotFoundError, match="did you mean 'wordle-2021'"):
        load_words("wordle2021")
    with pytest.raises(ValueError, match="is a folder"):
        load_words(tmp_path)
    with pytest.raises(ValueError, match="has its own allowed words"):
        load_words("wordle-2021", allowed="more.txt")
    with pytest.raises(ValueError, match="name of a word list is empty"):
        load_words("")


def test_what_is_neither_a_name_nor_a_path(word_file):
    for arguments in [(None,), (["abide"],), (word_file("pears"), 5)]:
        with pytest.raises(TypeError, match="a word list is a name or the path of a file, not "):
            load_words(*arguments)


@pytest.mark.parametrize("word", ["nan", "none", "true", "null"])
def test_words_that_other_programs_take_for_values(word_file, word):
    assert load_words(word_file(word)).answers == (word,)


def test_a_list_says_what_it_is(word_file):
    assert repr(load_words(word_file("fig", "nut"))) == (
        "WordList('mine': 2 answers, 2 allowed, 3 letters)"
    )


MARKED = {
    # Turkish capitals, Hindi, Thai, pointed Hebrew, Persian with a joiner: letters as readers count
    "İSTAN": ("i̇", "s", "t", "a", "n"),
    "नमस्ते": 3,
    "ภาษาไทย": 7,
    "שָׁלוֹם": ("שָׁ", "ל", "וֹ", "ם"),
    "กำลัง": 3,
    "piñata": ("p", "i", "ñ", "a", "t", "a"),
    "a\u0308pfel": ("ä", "p", "f", "e", "l"),
}


@pytest.mark.parametrize("word", MARKED)
def test_letters_are_what_readers_take_for_one(word):
    found, wanted = letters(normalise(word)), MARKED[word]
    if isinstance(wanted, int):
        assert len(found) == wanted
    else:
        assert found == tuple(map(normalise, wanted))
    assert "".join(found) == normalise(word)
    assert is_word(normalise(word))


@pytest.mark.parametrize("text", ["a-b", "3", "\u0301a", "a b", "it's", "\u200d"])
def test_what_is_no_word(text):
    assert not is_word(text)


def test_a_list_of_words_with_marks(word_file):
    # क and कि are two letters; the first and the third word share the letter कि.
    words = load_words(word_file("किताब", "कमाल", "किरण"))
    assert words.length == 3
    assert format_pattern(score("किताब", "किरण"), 3) == "G.."
    assert format_pattern(score("कमाल", "किरण"), 3) == "..."
    matrix = score_matrix(words.allowed, words.answers)
    assert matrix.tolist() == [[score(g, a) for a in words.answers] for g in words.allowed]
    with pytest.raises(ValueError, match="has 4 letters; the words of mine have 3"):
        words.check("किताबम")
