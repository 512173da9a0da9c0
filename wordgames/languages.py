"""The common words of other languages, from the package wordfreq.

wordfreq counts words in subtitles, news, encyclopedias, books and posts. Its "small" lists, which
are read here, hold the words of a language that make up a millionth of its texts or more. It
writes all words in small letters, ß as ss, and leaves out the vowel points of Arabic and Hebrew.

Left out are words with a letter of another script, and names and foreign words as far as they can
be told: in a script of many languages, words that are at least half as common in at least half of
the others. That takes *james*, *https* and *would* out of German, and *radio*, which belongs to
many languages, out of English.

wordfreq does not mark names, so names that few languages use stay, as do slips of the pen. In a
script of few languages, such as Cyrillic, nothing tells names from the words that relatives share:
there they stay too.
"""

import logging
from collections import Counter
from collections.abc import Callable
from functools import cache

import regex

from wordgames._hints import did_you_mean

# What the languages that are written in separate letters are called, by their codes.
NAMES = {
    "ar": "Arabic",
    "bg": "Bulgarian",
    "bn": "Bengali",
    "ca": "Catalan",
    "cs": "Czech",
    "da": "Danish",
    "de": "German",
    "el": "Greek",
    "en": "English",
    "es": "Spanish",
    "fa": "Persian",
    "fi": "Finnish",
    "fil": "Filipino",
    "fr": "French",
    "he": "Hebrew",
    "hi": "Hindi",
    "hu": "Hungarian",
    "id": "Indonesian",
    "is": "Icelandic",
    "it": "Italian",
    "lt": "Lithuanian",
    "lv": "Latvian",
    "mk": "Macedonian",
    "ms": "Malay",
    "nb": "Norwegian Bokmål",
    "nl": "Dutch",
    "pl": "Polish",
    "pt": "Portuguese",
    "ro": "Romanian",
    "ru": "Russian",
    "sh": "Serbo-Croatian",
    "sk": "Slovak",
    "sl": "Slovene",
    "sv": "Swedish",
    "ta": "Tamil",
    "tr": "Turkish",
    "uk": "Ukrainian",
    "ur": "Urdu",
    "vi": "Vietnamese",
}

_HALF = 30  # centibels, the unit of the lists: 10**0.3 is 2
_MANY = 10  # languages of a script


def _wordfreq():
    try:
        import wordfreq
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f"words of other languages come from the package wordfreq, and {error.name} is not "
            "installed: pip install '.[languages]'",
            name=error.name,
        ) from None
    logging.getLogger("wordfreq").setLevel(logging.ERROR)
    return wordfreq


@cache
def scripts() -> dict[str, str]:
    """The script of each language that is written in separate letters, by the language's code."""
    package = _wordfreq()
    from wordfreq.language_info import get_language_info

    known = {code: get_language_info(code) for code in sorted(package.available_languages("small"))}
    return {code: about["script"] for code, about in known.items() if about["tokenizer"] == "regex"}


def _script(language: str) -> str:
    """A language's script; ValueError where it has no list, or no separate letters."""
    if language in scripts():
        return scripts()[language]
    if language in _wordfreq().available_languages("small"):
        raise ValueError(
            f"the words of the language {language!r} are not written in separate letters, which a "
            f"pattern needs: the languages are {', '.join(scripts())}"
        )
    raise ValueError(
        f"there are no words of a language {language!r}: the languages are "
        f"{', '.join(scripts())}{did_you_mean(language, scripts(), most=1)}"
    )


def frequencies(language: str, fits: Callable[[str], bool]) -> dict[str, float]:
    """The common words of a language, the commonest first, each with its share of all words.

    Parameters
    ----------
    language : str
        A code such as ``de``: see `scripts`.
    fits : callable
        Which words are wanted.

    Returns
    -------
    dict of str to float
        Shares of a millionth or more; words of one share stand in the alphabet's order.

    Raises
    ------
    ModuleNotFoundError
        wordfreq is not installed.
    ValueError
        A language that has no list, or no separate letters.
    """
    package, script = _wordfreq(), _script(language)
    written = regex.compile(rf"[\p{{Script={script}}}\p{{M}}\u200c\u200d]+")
    # A list's n-th entry holds the words of a share of 10**(-n / 100).
    rarity = {
        word: centibels
        for centibels, words in enumerate(package.get_frequency_list(language, "small"))
        for word in words
        if written.fullmatch(word) and fits(word)
    }
    others = [code for code, its in scripts().items() if its == script and code != language]
    travels = Counter()  # in how many others a word is at least half as common
    if len(others) >= _MANY:
        own = frozenset(rarity)
        for code in others:
            for centibels, words in enumerate(package.get_frequency_list(code, "small")):
                travels.update(w for w in own.intersection(words) if centibels <= rarity[w] + _HALF)
    return {
        word: 10 ** (-centibels / 100)
        for word, centibels in rarity.items()
        if 2 * travels[word] < max(1, len(others))
    }
