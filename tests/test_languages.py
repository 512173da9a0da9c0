"""Words of other languages: against counts of wordfreq's own files, and what bad input says.

The files are read here in the plainest way, and the rules are written out once more.
"""

import gzip
import sys
import unicodedata
from pathlib import Path

import msgpack
import numpy as np
import pytest
import wordfreq
from matplotlib import pyplot as plt

from wordgames import GuessModel, PatternSets, load_words, score
from wordgames.__main__ import main
from wordgames.figures import draw_games
from wordgames.grids.model import word_ranks
from wordgames.languages import NAMES, scripts
from wordgames.reports.parameters import ParameterError
from wordgames.reports.settings import check_values, declared_parameters
from wordgames.words import letters, normalise

FILES = Path(wordfreq.__file__).parent / "data"
LATIN = "ca cs da de en es fi fil fr hu id is it lt lv ms nb nl pl pt ro sh sk sl sv tr vi"
LATIN = LATIN.split()


def raw(language: str) -> dict[str, int]:
    """How rare each word of a language is, in centibels: -100 is one word in ten."""
    with gzip.open(FILES / f"small_{language}.msgpack.gz") as file:
        header, *entries = msgpack.load(file, raw=False)
    assert header == {"format": "cB", "version": 1}
    return {word: -place for place, words in enumerate(entries) for word in words}


def written_in(name: str, word: str) -> bool:
    """Whether all characters are letters whose Unicode names begin with a script's."""
    return all(c.isalpha() and unicodedata.name(c).startswith(name) for c in word)


@pytest.mark.parametrize(
    "language, script, length, n_answers, n_allowed",
    [
        ("ru", "CYRILLIC", 5, 1343, 5451),
        ("el", "GREEK", 5, 1010, 3763),
        ("he", "HEBREW", 5, 3618, 17205),
        ("uk", "CYRILLIC", 8, 1184, 6728),
    ],
)
def test_a_script_of_few_languages(language, script, length, n_answers, n_allowed):
    """Words of its letters only; each a millionth of all words or more, answers ten times that."""
    words = load_words(f"wordfreq:{language}:{length}")
    composed = {unicodedata.normalize("NFC", w): rarity for w, rarity in raw(language).items()}
    found = {w: cb for w, cb in composed.items() if len(w) == length and written_in(script, w)}
    assert words.allowed == tuple(sorted(found))
    assert words.answers == tuple(sorted(word for word in found if found[word] >= -500))
    assert (len(words.answers), len(words.allowed)) == (n_answers, n_allowed)
    assert min(found.values()) >= -600
    shares = [10 ** (found[word] / 100) for word in words.allowed]
    assert np.allclose(words.frequencies, shares, rtol=1e-12)


@pytest.fixture(scope="module")
def latin():
    return {language: raw(language) for language in LATIN}


@pytest.mark.parametrize(
    "language, length, n_answers, n_allowed",
    [("de", 5, 862, 2742), ("en", 5, 1052, 3110), ("en", 4, 0, 0), ("fi", 8, 0, 0)],
)
def test_names_and_foreign_words(latin, language, length, n_answers, n_allowed):
    """A word goes that is at least half as common in half of the other languages, or more."""
    own, kept = latin[language], []
    for word, rarity in own.items():
        if len(word) == length and written_in("LATIN", word):
            elsewhere = [
                other[word] for code, other in latin.items() if code != language and word in other
            ]
            if sum(one >= rarity - 30 for one in elsewhere) < 13:
                kept.append(word)
    words = load_words(f"wordfreq:{language}:{length}")
    assert words.allowed == tuple(sorted(kept))
    assert words.answers == tuple(sorted(word for word in kept if own[word] >= -500))
    if n_allowed:
        assert (len(words.answers), len(words.allowed)) == (n_answers, n_allowed)


def test_what_the_rule_takes_and_what_it_leaves():
    german, english = (load_words(f"wordfreq:{language}:5").allowed for language in ("de", "en"))
    assert not {"james", "https", "would", "peter", "world"} & set(german)
    assert {"nicht", "woche", "apfel", "küche"} <= set(german)
    assert {"would", "world", "water"} <= set(english)
    assert not {"helen", "radio"} & set(english)  # radio belongs to many languages
    assert {"james", "hague"} <= set(english)  # English uses them more, and they may be its words
    assert {"strasse"} <= set(load_words("wordfreq:de:7").allowed)  # wordfreq writes ß as ss


def test_letters_with_their_marks_count_as_one():
    words = load_words("wordfreq:hi:5")
    assert {len(letters(word)) for word in words.allowed} == {5}
    assert any(len(word) > 8 for word in words.allowed)
    obvious = {
        word
        for word in raw("hi")
        if len(letters(word)) == 5
        and all(unicodedata.name(c).startswith("DEVANAGARI") or c in "\u200c\u200d" for c in word)
        and not any(unicodedata.category(c)[0] not in "LMC" for c in word)
    }
    assert words.allowed == tuple(sorted(obvious))
    sets = PatternSets.build(words)
    assert sets.length == 5 and len(sets.popularity()) == 3**5
    assert sets.cardinality().min() >= 1


def test_drawn_games_hold_a_letter_in_a_square():
    words = load_words("wordfreq:hi:5").allowed[:2]
    figure = draw_games({"": (words, ["G....", "GGGGG"])})
    drawn = [text.get_text() for text in figure.axes[0].texts]
    assert [text for text in drawn if text not in ("", "■")] == [
        letter for word in words for letter in letters(word)
    ]
    plt.close(figure)


def test_greek_has_one_sigma():
    words = load_words("wordfreq:el:5")
    assert normalise("ΣΤΟΥΣ") == normalise("στους") == words.check("στουσ") == "στουσ"
    assert score("στους", "σσσσς") == 2 * 3**4 + 2


def test_the_frequencies_weigh_the_guesses():
    words = load_words("wordfreq:de:5")
    ranks = word_ranks(words)
    assert sorted(ranks) == list(range(len(words.allowed)))
    by_rank = [words.allowed[place] for place in np.argsort(ranks)]
    counted = raw("de")
    assert by_rank == sorted(words.allowed, key=lambda word: (-counted[word], word))
    assert by_rank[0] == "nicht"
    weights = dict(zip(words.allowed, GuessModel.of(words).opener_weights(words), strict=True))
    assert weights["nicht"] == max(weights.values())


def test_the_languages():
    assert len(scripts()) == 39 and set(NAMES) == set(scripts())
    assert [code for code, script in scripts().items() if script == "Latn"] == LATIN


@pytest.mark.parametrize(
    "name, message",
    [
        ("wordfreq:xx:5", r"no words of a language 'xx': the languages are ar, bg, .*, vi"),
        ("wordfreq:fill:5", "did you mean 'fil'"),
        ("wordfreq::5", "no words of a language ''"),
        ("wordfreq:ja:5", "'ja' are not written in separate letters"),
        ("wordfreq:zh:5", "'zh' are not written in separate letters"),
        ("wordfreq:ko:5", "'ko' are not written in separate letters"),
        ("wordfreq:de:3", "number of letters from 4 to 8, as in wordfreq:de:5"),
        ("wordfreq:de:9", "number of letters from 4 to 8"),
        ("wordfreq:de:five", "number of letters from 4 to 8"),
        ("wordfreq:de", "give a language and a number of letters"),
        ("wordfreq:", "give a language and a number of letters"),
        ("wordfreq:de:5:6", "give a language and a number of letters"),
        ("wordfreq:hi:8", "no word of 8 letters is common enough"),
    ],
)
def test_bad_names(name, message):
    with pytest.raises(ValueError, match=message):
        load_words(name)


def test_its_allowed_words_are_its_own(word_file):
    with pytest.raises(ValueError, match="has its own allowed words"):
        load_words("wordfreq:de:5", allowed=word_file("nicht"))
    words = load_words(word_file("nicht", "woche"), allowed="wordfreq:de:5")
    assert words.answers == ("nicht", "woche")
    assert words.allowed == load_words("wordfreq:de:5").allowed


def test_without_the_package(monkeypatch, root, capsys):
    monkeypatch.setitem(sys.modules, "wordfreq", None)
    scripts.cache_clear()
    name = "wordfreq:da:5"
    with pytest.raises(ModuleNotFoundError, match=r"pip install '\.\[languages\]'"):
        load_words(name)
    declared = declared_parameters(root / "notebooks" / "01-pattern-cardinality.ipynb")
    with pytest.raises(ParameterError, match=r"word_list: .* pip install '\.\[languages\]'"):
        check_values(declared, {"word_list": name})
    assert main(["openers", "nicht", "--words", name]) == 2
    assert "pip install '.[languages]'" in capsys.readouterr().err
    scripts.cache_clear()


def test_a_notebook_takes_a_language(root):
    declared = declared_parameters(root / "notebooks" / "03-subsets-and-supersets.ipynb")
    assert check_values(declared, {"word_list": "wordfreq:fr:6"}) == {"word_list": "wordfreq:fr:6"}
    with pytest.raises(ParameterError, match="parameter word_list: there are no words of a"):
        check_values(declared, {"word_list": "wordfreq:xy:5"})
