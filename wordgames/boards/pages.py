"""What the parts of the pages that a reader can play with start from.

Each function gives the arguments of `wordgames.reports.show_try`. Word lists travel as text with
what a word shares with the one before it cut away, numbers as bytes in base64.
"""

import base64
import html
from collections.abc import Sequence

import numpy as np
import pandas as pd

from wordgames.emojle.pattern_sets import PatternSets, examples
from wordgames.figures import squares
from wordgames.grids.model import ANSWERS_FACTOR, RANK_OFFSET, TEMPER, word_ranks
from wordgames.patterns import format_pattern, parse_pattern, score
from wordgames.wordle.tree import DecisionTree
from wordgames.words import WordList, letters

COVERS_NAMED = 6  # words that are named of those that a word hides behind


def pack_words(words: Sequence[str]) -> str:
    """Sorted words: for each, how many letters it shares with the one before, and the rest.

    >>> pack_words(["crane", "crate", "slate"])
    '0crane3te0slate'
    """
    packed, before = [], ""
    for word in words:
        shared = 0
        while shared < min(len(word), len(before)) and word[shared] == before[shared]:
            shared += 1
        packed.append(f"{shared}{word[shared:]}")
        before = word
    return "".join(packed)


def pack_bytes(data: bytes) -> str:
    """Bytes in base64."""
    return base64.b64encode(data).decode()


def pack_numbers(numbers, width: int) -> str:
    """Whole numbers as so many bytes each, the least byte first, in base64."""
    bytes_ = np.asarray(numbers, "<u4").view(np.uint8).reshape(-1, 4)
    return pack_bytes(np.ascontiguousarray(bytes_[:, :width]).tobytes())


def pack_marks(words: Sequence[str], chosen) -> str:
    """Which of some words are among others, as a field of bits in base64."""
    return pack_bytes(np.packbits(np.isin(words, list(chosen)), bitorder="little").tobytes())


def list_state(words: WordList) -> dict:
    """A word list, and the ranks that its words' weights as guesses are made of."""
    return {
        "words": pack_words(words.allowed),
        "answers": pack_marks(words.allowed, words.answers),
        "ranks": pack_numbers(word_ranks(words), 3),
        "offset": RANK_OFFSET,
        "power": TEMPER,
        "factor": ANSWERS_FACTOR,
    }


def word_map(words: WordList, shown: Sequence[str]) -> dict:
    """Type a word: the patterns that it can give as the answer light up on a map."""
    sets = PatternSets.build(words)
    count = sets.cardinality()
    lines = "".join(f"<li>{word.upper()}: {count[word]} patterns</li>" for word in shown)
    return {
        "name": "word-map",
        "state": {"data": {"words": pack_words(words.allowed), "examples": list(shown)}},
        "title": "Try it: which patterns can your word show?",
        "hint": "Type a word. Try one with common letters, such as crate, then one with a letter "
        "twice, such as mamma, and see which fields go out. Click a field of the map to "
        "see which guesses give its pattern.",
        "example": "<p>With scripts, this part lights up every pattern that some allowed guess "
        f"gives when your word is the answer, and counts them. For example:</p><ul>{lines}</ul>",
    }


def pair(words: WordList, guess: str, answer: str) -> dict:
    """Type two words: the pattern both ways, and the words that the answer hides behind."""
    sets, ranks = PatternSets.build(words), word_ranks(words)
    bits, flat = sets.bits, []
    for place, count in enumerate(sets.superset_counts()):
        flat.append(count)
        if not count:
            continue
        row, covers = bits[place], np.arange(len(bits))
        for column in np.argsort(-np.bitwise_count(row)):  # the fullest leaves fewest
            covers = covers[bits[covers, column] & row[column] == row[column]]
        covers = covers[covers != place]
        flat += covers[np.argsort(ranks[covers], kind="stable")][:COVERS_NAMED].tolist()
    width = 2 if len(bits) < 2**16 else 3
    there, back = score(guess, answer), score(answer, guess)
    return {
        "name": "pair",
        "state": {
            "data": {
                "words": pack_words(words.allowed),
                "covers": pack_numbers(flat, width),
                "width": width,
                "named": COVERS_NAMED,
                "guess": guess,
                "answer": answer,
            }
        },
        "title": "Try it: two words, both ways",
        "hint": "Take two words that share letters in other places, such as least and steal, and "
        "see which squares move. Then type jazzy as the answer, and see how many words "
        "it hides behind.",
        "example": "<p>With scripts, this part shows the pattern of any two words both ways, says "
        "why only yellows move, and names the words that the answer hides behind. For example: "
        f"{guess.upper()} against {answer.upper()} gives {squares(there, words.length)}, "
        f"{answer.upper()} against {guess.upper()} gives {squares(back, words.length)}.</p>",
    }


def emojle(words: WordList, patterns: Sequence[str], cases: Sequence[tuple[str, str]]) -> dict:
    """Paste lines: the words that can give them all, and guesses that would have."""
    codes = [parse_pattern(pattern, words.length) for pattern in patterns]
    left = PatternSets.build(words).candidates(codes)
    lines = "".join(
        f"<li>{squares(code, words.length)} {', '.join(examples(left[0], code, words)[:3])}</li>"
        for code in codes[:6]
        if left
    )
    return {
        "name": "emojle",
        "state": {
            "data": list_state(words) | {"examples": [list(case) for case in cases]},
            "patterns": [format_pattern(code, words.length) for code in codes],
            "pool": "allowed",
        },
        "title": "Try it: find the word from posted squares",
        "hint": "Remove the first line, and see which word comes back. Then clear the field and "
        "paste posts of your own, or click a line together.",
        "example": "<p>With scripts, this part finds the words that can show every line you type "
        f"or paste. For example, these {len(codes)} lines leave {len(left):,}: "
        f"{', '.join(left[:5])}. For the first, guesses that give each line:</p><ul>{lines}</ul>",
    }


def _preorder(games: Sequence[tuple[str, ...]], step: int = 0) -> list[str]:
    """The guesses of a tree where more than one word is left, each before those that follow it."""
    if len(games) == 1:
        return []
    guess, parts = games[0][step], {}
    for game in games:
        parts.setdefault(score(guess, game[-1]), []).append(game)
    solved = 3 ** len(letters(guess)) - 1
    rest = (_preorder(parts[code], step + 1) for code in sorted(parts) if code != solved)
    return [guess, *(word for part in rest for word in part)]


def tree(tree: DecisionTree) -> dict:
    """Walk a tree of guesses by clicking colours."""
    games = [tree.games[answer] for answer in sorted(tree.games)]
    longest = max(tree.games.values(), key=len)
    steps = "".join(
        f"<li>{guess.upper()} {squares(score(guess, longest[-1]), tree.words.length)}</li>"
        for guess in longest
    )
    return {
        "name": "tree",
        "state": {
            "data": {
                "answers": pack_words([game[-1] for game in games]),
                "guesses": " ".join(_preorder(games)),
            }
        },
        "title": "Try it: walk the tree",
        "hint": "Think of a word, click the colours that it gives, and take the next guess. Or "
        "always take the pattern with most words behind it: how long does that game get?",
        "example": "<p>With scripts, this part tells you the next guess after the colours that "
        f"your game shows, and how many words are left. For example, when the answer is "
        f"{longest[-1].upper()}:</p><ol>{steps}</ol>",
    }


def opener(words: WordList, costs: pd.DataFrame, shown: Sequence[str]) -> dict:
    """Type a first guess: what the best play after it costs.

    costs: as of `wordgames.wordle.openers.openers_of`.
    """
    totals = costs["total"]
    width = 2 if totals.max() < 1 << 16 else 3  # bytes of each
    exact = set(costs.index[costs["exact"]])
    shown = [word for word in shown if word in words.index]
    lines = "".join(
        f"<li>{word.upper()}: {'' if word in exact else 'at least '}{totals[word]:,}</li>"
        for word in shown
    )
    return {
        "name": "opener",
        "state": {
            "data": {
                "words": pack_words(words.allowed),
                "totals": pack_numbers(totals, width),
                "width": width,
                "exact": pack_marks(words.allowed, exact),
                "answers": len(words.answers),
                "examples": shown,
            }
        },
        "title": "Try it: what does your first guess cost?",
        "hint": "Type the word that you start with.",
        "example": "<p>With scripts, this part names the guesses that the best play after your "
        f"first guess needs for all {len(words.answers):,} answers, and its rank. For example:"
        f"</p><ul>{lines}</ul>",
    }


def semantle(embedding, words: Sequence[str], target: str, guesses: Sequence[str]) -> dict:
    """Play Semantle on some frequent words whose vectors, rounded, travel in the page."""
    places = [embedding.place(word) for word in words]
    vectors = embedding.vectors(np.array(places)).astype(float)
    small = np.rint(127 * vectors / np.abs(vectors).max(axis=1, keepdims=True)).astype(np.int8)
    index = {word: place for place, word in enumerate(words)}
    unit = small / np.linalg.norm(small.astype(float), axis=1, keepdims=True)
    shown = np.round(100 * unit @ unit[index[target]], 2)
    fits, lines = np.ones(len(words), bool), ""
    for guess in guesses:
        fits &= np.round(100 * unit @ unit[index[guess]], 2) == shown[index[guess]]
        score = f"{shown[index[guess]]:.2f}"
        lines += f"<li>{html.escape(guess)}: {score}, words that fit: {fits.sum():,}</li>"
    return {
        "name": "semantle",
        "state": {
            "data": {
                "vocabulary": "\n".join(words),
                "vectors": pack_bytes(small.tobytes()),
                "first": {"target": index[target], "guesses": list(guesses[:1])},
            }
        },
        "title": "Try it: play against the count of words",
        "hint": "One guess is made. Ask for a hint, guess it, and see how few words are left. "
        "Then take a new word and play by getting warmer: how many guesses do you need?",
        "example": "<p>With scripts, this part hides a word, scores your guesses, and counts the "
        f"words that fit every score. For example, when {html.escape(target)} is hidden:</p>"
        f"<ol>{lines}</ol>",
    }
