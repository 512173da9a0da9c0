"""Posts to grids, against a parser of two expressions; patterns to candidates, against plain sets.

The hard posts are a mix of what the parser's tests hold: plain ones, chats, mail, pages, JSON,
shortcodes, lines for screen readers, and refused ones, called one by one as a page would.
"""

import json
import re
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.common import compare, in_seconds, row, timed
from wordgames import PatternSets, format_pattern, load_words, parse_shares, score_matrix

CASES = Path(__file__).resolve().parent.parent / "tests" / "data" / "share_cases.jsonl"
PATTERNS = ["YG..G", "YYYG.", "GYGYY", "GGGYY", ".G.YG"]

_HEAD = re.compile(r"Wordle #?([\d.,]+) ([1-6X])/6(\*?)")
_ROW = re.compile("[⬛⬜🟨🟩🟦🟧]{5}")
_LETTERS = str.maketrans("⬛⬜🟨🟩🟦🟧", "..YGYG")


def two_expressions(text):
    """What most programs do: one header, then every run of five squares."""
    head = _HEAD.search(text)
    if not head:
        return None
    rows = tuple(found.translate(_LETTERS) for found in _ROW.findall(text))
    return int(re.sub(r"\D", "", head[1])), head[2], bool(head[3]), rows


def each(function, texts):
    for text in texts:
        function(text)


def as_shared(count=1000, seed=0):
    """Posts as the game gives them: random games that end after one to six guesses."""
    rng = np.random.default_rng(seed)
    rows = [format_pattern(code, style="dark") for code in range(242)]
    posts = []
    for number in range(count):
        made = int(rng.integers(1, 7))
        grid = [*rng.choice(rows, made - 1), format_pattern(242, style="dark")]
        posts.append(f"Wordle {number:,} {made}/6\n\n" + "\n".join(grid))
    return [post for post in posts if parse_shares(post).shares]


def given_sets(words):
    """The pattern sets as plain Python: a set of texts for each word."""
    names = [format_pattern(code) for code in range(243)]
    given = {}
    for start in range(0, len(words), 256):
        some = words[start : start + 256]
        for word, codes in zip(some, score_matrix(words, some).T, strict=True):
            given[word] = {names[code] for code in set(codes.tolist())}
    return given


def plain_candidates(given, patterns):
    wanted = set(patterns)
    return [word for word, able in given.items() if wanted <= able]


def rows(quick: bool = False) -> list[dict]:
    cases = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]
    texts = [case["text"] for case in cases]
    wanted = [case["expected"] for case in cases]
    right = sum(
        (naive := two_expressions(text)) is None
        if "reject" in case
        else (naive := two_expressions(text)) is not None
        and [naive[0], naive[1], naive[2], list(naive[3])] == list(case.values())
        for text, case in zip(texts, wanted, strict=True)
    )
    texts *= 2 if quick else 20
    repeats = 3 if quick else 7
    (seconds,) = timed(partial(each, parse_shares, texts), repeats=repeats)
    usual = as_shared()
    (as_given,) = timed(partial(each, parse_shares, usual), repeats=repeats)
    one_text = "\n\n".join(texts)
    (at_once,) = timed(partial(parse_shares, one_text), repeats=repeats)

    words = load_words().allowed
    sets = PatternSets.build(load_words())
    given = given_sets(words)
    if plain_candidates(given, PATTERNS) != sets.candidates(PATTERNS):
        raise AssertionError("plain sets and PatternSets differ")
    (solving,) = timed(partial(sets.candidates, PATTERNS), repeats=repeats)
    return [
        row(
            "posts read a second, as the game gives them",
            f"{len(usual) / as_given:,.0f}",
            ratio=len(usual) / as_given / 20_000,
            wanted="at least 1",
            note="the ratio is to 20,000 a second",
        ),
        row(
            "the hard ones of the tests, one by one",
            f"{len(texts) / seconds:,.0f}",
            ratio=len(texts) / seconds / 20_000,
            wanted="at least 1",
            note="the ratio is to 20,000 a second",
        ),
        row("the same, all in one text", f"{len(texts) / at_once:,.0f}"),
        compare(
            "reading posts, against a parser of two expressions",
            partial(each, parse_shares, texts),
            partial(each, two_expressions, texts),
            note=f"which gets {right} of {len(cases)} cases right; ours all of them",
            repeats=repeats,
        ),
        compare(
            f"from {len(PATTERNS)} patterns to candidates, {len(words):,} words",
            partial(sets.candidates, PATTERNS),
            partial(plain_candidates, given, PATTERNS),
            note="the other: a Python set of patterns for each word",
            repeats=repeats * 5,
        ),
        row(
            "the same, against one millisecond",
            in_seconds(solving),
            "1 ms",
            1e-3 / solving,
            "at least 1",
        ),
    ]
