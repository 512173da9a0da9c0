"""Text that people post to grids, and why a text was refused.

`messages` takes an export apart. Each of its texts goes through three passes. `plain` makes one
kind of text of what chats, mails, pages and tools make of a post: escapes, tags and shortcodes
become characters, and each character has one form. `_blocks` walks once over the tokens of that
text (headers, scores, runs of squares, spoken lines) and gathers what belongs to one post. `_judge`
makes a `Share` of a block, or says why it is none. In the end each post is left once, however often
the export holds it.

Every expression here has bounded or possessive repeats, so that the time grows with the length of
the text whatever the text is. Nothing is escaped: excerpts are text, and whoever shows them
escapes them.
"""

# ruff: noqa: RUF001, SIM905 - characters that look like others are the subject here, and lists of
# words read best as text.

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from wordgames.emojle.messages import Message, messages_of
from wordgames.emojle.plain_text import (
    AUTHOR,
    CELLS,
    MARK,
    OTHER_SQUARES,
    QUOTE,
    UNQUOTE,
    plain,
)
from wordgames.patterns import GUESSES, format_pattern, is_possible, parse_pattern

EXCERPT = 160  # characters of a refused text that are kept
_LENGTH = 5
_SOLVED = "G" * _LENGTH

REASONS = {
    "other_game": "it is from another game",
    "no_puzzle_number": "nothing says which puzzle it is from",
    "no_grid": "it has no grid",
    "bad_score": "its score is none of 1/6 to 6/6 and X/6",
    "corrupt_tiles": "its squares are damaged",
    "unknown_tiles": "it has cells that are no squares of the game",
    "wrong_width": f"a row does not have {_LENGTH} squares",
    "ambiguous_palette": "a row mixes the normal and the high-contrast colours",
    "too_many_rows": f"it has more than {GUESSES} rows",
    "rows_after_solve": "it goes on after the solved row",
    "row_count_mismatch": "the number of rows is not that of the score",
    "score_grid_conflict": "the score says solved and the grid does not, or the other way round",
    "impossible_row": "four greens and a yellow are impossible",
}


@dataclass(frozen=True)
class Share:
    """One posted grid.

    Attributes
    ----------
    puzzle : int
        The number of the puzzle.
    score : str
        ``"1"`` to ``"6"``, or ``"X"``: not solved.
    hard : bool
        Whether the post says that it was played in hard mode.
    rows : tuple of str
        Patterns as ``.YG`` text, in the order played.
    """

    puzzle: int
    score: str
    hard: bool
    rows: tuple[str, ...]


@dataclass(frozen=True)
class Post:
    """A share, with who posted it and when where the source says so; empty text where not.

    `is_quoted`: it was found in the message of somebody else only.
    """

    share: Share
    author: str = ""
    time: str = ""
    is_quoted: bool = False


@dataclass(frozen=True)
class ShareReport:
    """What a text holds.

    Attributes
    ----------
    posts : list of Post
        In the text's order; `shares` are their grids.
    rejected : list of (str, str)
        Excerpts and reasons, which are keys of `REASONS`. An excerpt has at most `EXCERPT`
        characters and is not escaped.
    copies : int
        How many further times the text holds a post that it has already: the same message in two
        forms, quoted, shared or reacted to, or posted twice by one person.
    problem : str
        Of a file that was not read, or in part only: why.
    """

    posts: list[Post] = field(default_factory=list)
    rejected: list[tuple[str, str]] = field(default_factory=list)
    copies: int = 0
    problem: str = ""

    @property
    def shares(self) -> list[Share]:
        return [post.share for post in self.posts]


# --- Tokens and blocks ----------------------------------------------------------------------------

_CELL = f"[{CELLS}{OTHER_SQUARES}\ufffd]"
# The game's name as a word of its own: no part of an address, no Wordle+, Wordle-IT, wordle.de
_NAME_END = r"(?![^\W\d_]|\+|[-.][^\W\d])"
_NAME = rf"(?<![^\W_])(?<![/@+-])(?<!www\.)wordle{_NAME_END}"
_RUN = rf"(?:[ |]{{0,3}}{_CELL})*+"
# Each kind begins with a character outside its group and looks back only then: twice as quick.
_TOKEN = re.compile(
    rf"{_CELL}(?P<run>{_RUN}(?:\n{_CELL}{_RUN})*+)"
    rf"|w(?P<wordle>(?<![^\W_]w)(?<![/@+-]w)(?<!www\.w)ordle{_NAME_END})"
    r"|[lrg](?P<line>(?<!\w.)(?:(?<=l)ine|(?<=r)ow|(?<=g)uess) ?\#?[1-9]\d? ?[:.)-])"
    r"|[\dx](?P<score>(?<![\w/.,-].)(?:(?<!x)\d{1,2})? ?/ ?(?:\d{1,2}|∞)(?![\d/]))"
    r"|[^\W\d_](?P<title>(?<!\w.)\w{2,30}+(?= ?[#№]? ?\d))"
)
_SENTENCE = re.compile(rf"(?:(?!(?:line|row|guess) ?\#?\d)[^\n{CELLS}]){{0,240}}")

# Between the name and the number nothing but signs and words for "number".
_NUMBER = re.compile(
    r"(?:[\s#:*_~|\"'()\[™®№>-]|n[.]?[º°o][.]?|n[or][.]|nr|num(?:ber)?|puzzle|game|day|for|today)"
    r"{0,12}+((\d{1,3})(?:[.,' _]\d{3})++(?!\d)|\d++)(?! ?/)"
)
_MONTH = (
    r"(?:jan|feb|fév|mar|mär|maa|apr|avr|abr|may|mai|mag|mei|jun|jui|giu|jul|lug|aug|aoû|ago|sep|set"
    r"|oct|okt|out|ott|nov|dec|dez|déc|dic)[a-zà-ÿ]{0,7}[.]?"
)
_ENDING = r"(?:st|nd|rd|th|er|[.º°])?"
# What stands between the number and the score, or beside them, and has digits of its own: dates,
# times, and what bots add.
_ASIDE = (
    r"(?:\([^()/\n]{0,30}\)"
    r"|\d{1,4}[-/.]\d{1,2}[-/.]\d{2,4}(?!\d)"
    rf"|(?<!\w)(?:\d{{1,2}}{_ENDING},? (?:de |of )?)?{_MONTH}"
    rf"(?:,? (?:de )?\d{{1,2}}{_ENDING}(?![\d/:])(?! ?/))?(?:,? (?:de )?(?:19|20)\d\d(?!\d))?(?!\w)"
    r"|\d{1,2}[:h]\d\d(?::\d\d)?(?: ?[ap][.]?m[.]?)?(?![\w:])"
    r"|\d{1,4} ?(?:hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s|days?|%)(?!\w)"
    r"|(?<!\w)(?:streak|day|week|avg|average|mean|skill|luck|rank|level|played|games|max|no)\W{0,3}"
    r"\d{1,4}(?:[.,]\d+)?(?: ?/ ?(?:[7-9]|[1-9]\d\d?))?(?![\d/])(?! ?/)"
    r"|\d{1,3} ?/ ?(?:[7-9]|[1-9]\d\d?)(?![\d/])"
    r"|\d+(?:st|nd|rd|th)(?!\w)"
    r")"
)
_COUNTED = r"(?:guesses|tries|attempts|turns|goes)"
_FAILED = (
    r"(?:failed|fail|lost|dnf|unsolved|missed it|gave up|no luck|not solved"
    r"|out of (?:guesses|tries)"
    r"|did(?:n't| not) (?:solve|get|finish|make)|could(?:n't| not) (?:solve|get|finish)"
    r"|(?:all )?(?:guesses|tries|attempts) (?:were )?(?:incorrect|wrong))"
    rf"(?: (?:in|after|with) (?:all )?\d(?: {_COUNTED})?)?(?![\w/])"
)
# Between the number and the score anything but other digits.
_SCORE = re.compile(
    rf"((?>{_ASIDE}|[^\d/{CELLS}]){{0,60}}?)(?<![a-z])(?P<made>\d{{1,3}}|[x?-])"
    r"(?: ?/ ?| (?:out )?of )(?P<of>\d{1,2})(?![\d/])"
)
_PLAIN_SCORE = re.compile(  # of any game: what stands first is the score
    rf"([^\d/{CELLS}]{{0,40}}?)(?<![a-z])(?P<made>\d{{1,3}}|[x?-])"
    r"(?: ?/ ?| (?:out )?of )(?P<of>\d{1,2})(?![\d/])"
)
_SCORE_IN_WORDS = re.compile(
    rf"((?>{_ASIDE}|[^\d/{CELLS}]){{0,60}}?)(?<![a-z])"
    r"(?:(?:guessed|solved|got|done|finished|won|completed|cracked|made)(?: it)? in "
    r"(?P<solved>\d)(?![\d/.,:])"
    rf"|(?:{_COUNTED}|score|result) ?[:=] ?(?P<given>\d|x)(?![\d/])"
    rf"|(?P<counted>\d) {_COUNTED}(?!\w)|(?P<failed>{_FAILED}))"
)
_ASIDES = re.compile(_ASIDE)
_NO_DIGIT = re.compile(r"\D+")
_WORD = re.compile(r"[^\W\d_]{2,}")
_ALPHANUMERIC = re.compile(r"[^\W_]")
_CAPITAL_CODE = re.compile(r"\b[A-Z]{2}\b")  # ES, FR: a clone in another language
_STARS = re.compile(r"[^\w\s*]{0,2} ?(\*+)")
_BAR = re.compile(r" {0,2}\(?\d* ?%")  # a bar of a chart: 🟩🟩🟩 19%
_CUT = re.compile(r" ?(?:…|\.\.\.)")
_EXACT_NAME = re.compile(_NAME)
_VARIANT = re.compile(r"unlimited|archive|infinite|hourly|plus|mini|kids|(?<!wor)dle\b|rdl\b")
_NAMED = re.compile(r"[#\d]")
_SPEAKER = (": ", "] ", "> ")  # before this stands who wrote, and when
_MOST_OF = 12  # guesses that any game allows; 83/99 is something else
_CHATTER = frozenset(
    "average avg had he her his i luck me mine my our par she skill streak than they was we "
    "were yesterday".split()
)
_FILLER = frozenset(
    "done finished game got grid guesses hard here in is it mine mode my result results score "
    "scored solved the today wordle".split()
)
# Names that can stand without a # before their number and are no words of English.
_OTHER_GAMES = frozenset(
    "absurdle antiwordle binerdle canuckle chengyu cloudle contexto crosswordle dordle "
    "duotrigordle explordle flagle globle gramle heardle kilordle lewdle mathler mathle moviedle "
    "nerdle nerdlegame octordle phoodle plusword posterdle primel quardle quordle redactle "
    "sanuli sedecordle semantle squaredle squardle squareword statele subwaydle sweardle swordle "
    "taylordle termo tradle wheredle woordle woordle6 wordhurdle worldle xordle zoodle".split()
)
# Words that make another game's name of this one's, and words that people put before it.
_CLONES = frozenset(
    "absurd adult animal anime anti arabic backwards baseball basketball battle bengali bible "
    "blind bts bulgarian canadian cantonese catalan cheat cheating chemistry chess chinese "
    "cities city countries country cricket croatian crossword custom czech danish dirty double "
    "dual duel dutch emoji endless evil fake filipino film finnish flag flags food football "
    "french gaelic game geo geography german giant greek hebrew hidden hindi hockey hungarian "
    "icelandic indian indonesian infinite inverse irish italian japanese junior kids korean "
    "latin letter letters lewd malay math maths mega micro mini movie multi multiplayer music "
    "musical nano naughty nba nerd nerdy nfl nhl norwegian not number numbers nsfw persian "
    "pokemon pokémon polish portuguese potter quad quadruple reverse reversed romanian royale "
    "rude russian scottish serbian soccer spanish speed spelling sports swedish tagalog tamil "
    "thai triple turkish ukrainian unlimited urdu vietnamese wars welsh world".split()
)
_BEFORE = frozenset(
    "a aargh after afternoon again ah also an and another argh at awful bad blimey brutal but "
    "by classic complete congrats daily damn dang day dear did do done early easy english "
    "evening final finally finish first for fri friday from fun fw fwd get good got great happy "
    "hard hard-mode hate he hello here hey hi hm hmm i in interesting is it it's its just last "
    "late lazy like love lovely lucky me mon monday morning my new nice night no nope normal "
    "now nyt nytimes of official oh ok okay old omg on only oof original our ouch phew play "
    "plus post quick re real regular result results sat saturday saw scary score second see "
    "share she simple slow so solve still strange subject sun sunday terrible that the their "
    "these third this thu thurs thursday times tough tricky try tue tues tuesday ugh was we wed "
    "wednesday weird well whew with woo woohoo wow yay yes yesterday your".split()
)
_WORD_BEFORE = re.compile(r"(?<![^\W_])([^\W\d_][^\W_]*(?:['-][^\W_]+)*'?) $")
_NOT_TITLES = frozenset("line row guess day week try number puzzle streak game".split())

_GUESSES = {str(n): n for n in range(1, GUESSES + 1)} | {"x": GUESSES}


@dataclass(slots=True)
class _Block:
    """A header, or a line that looks like one, and the rows that follow it."""

    start: int
    kind: str  # wordle; other: surely another game; maybe: a score without a header; bare: rows
    title: str = ""
    puzzle: int | None = None
    made: str = ""
    of: str = ""
    is_hard: bool = False
    runs: list[tuple[str, int, int]] = field(default_factory=list)
    lines: list[str | None] = field(default_factory=list)
    is_cut: bool = False  # a row was cut off, by … or the like
    end: int = 0  # of the name and number, or of the score, that began it

    @property
    def is_empty(self) -> bool:
        return not (self.runs or self.lines or self.is_cut)

    @property
    def guesses(self) -> int:
        """How many rows its score promises; 0 when that is no score of this game."""
        return _GUESSES.get(self.made, 0) if self.of == str(GUESSES) else 0

    def take_score(self, low: str, score: re.Match) -> None:
        """Take the score of a token that is no part of a header."""
        self.made, _, self.of = score[0].replace(" ", "").partition("/")
        self.is_hard = _is_hard(low, score.start(), score.start(), score.end())

    def take_rows(self, other: "_Block") -> None:
        self.runs, self.lines = self.runs + other.runs, self.lines + other.lines
        self.is_cut |= other.is_cut


def _line_start(text: str, place: int) -> int:
    """Where the line of a place begins; at most 120 characters back, so that time stays linear."""
    low = max(0, place - 120)
    return max(low, text.rfind("\n", low, place) + 1)


def _is_hard(low: str, name: int, score_start: int, score_end: int) -> bool:
    """Whether a header has the star of hard mode; stars in pairs are bold or italic type."""
    if low.find("*", max(0, name - 120), score_end + 5) < 0:
        return False
    start = _line_start(low, name)
    line = low[start:score_start]
    before = line.count("*") - line.lstrip(" >").startswith("* ")
    if found := _STARS.match(low, score_end):
        return (before + len(found[1])) % 2 == 1
    opening = low[start:name].rstrip("#")
    return before % 2 == 1 and (len(opening) - len(opening.rstrip("*"))) % 2 == 0


def _header(text: str, low: str, name: int, end: int) -> tuple[_Block | None, int]:
    """The block that the game's name opens, and where its header ends; None: it is no header."""
    number = _NUMBER.match(low, end)
    if not number:
        return None, end
    digits, stop = number[1], number.end()
    if number.start(1) == end and " " in digits:  # "Wordle2 345" is another game
        digits, stop = number[2], number.end(2)
    if not digits.isdecimal():
        digits = _NO_DIGIT.sub("", digits)
    if len(digits) > 5:
        return None, end
    block = _Block(name, "wordle", puzzle=int(digits))
    if _is_clone(text, low, name):
        block.kind = "other"
    made, of, score = _score_after(low, stop)
    if score is None:
        return block, stop
    gap = score[1]
    if not gap.isspace() and (words := _WORD.findall(gap)):
        words = _WORD.findall(_ASIDES.sub(" ", gap))
        if "\n" in gap.strip() and not _FILLER.issuperset(words):
            return block, stop
        if _VARIANT.search(gap) or _CAPITAL_CODE.search(text, stop, score.end(1)):
            block.kind = "other"
    block.made, block.of = made, of
    block.is_hard = _is_hard(low, name, score.end(1), score.end())
    return block, score.end()


def _score_after(low: str, stop: int) -> tuple[str, str, re.Match | None]:
    """The score behind a puzzle's number, in digits or in words: what was made, and of how many."""
    six = str(GUESSES)
    first = _PLAIN_SCORE.match(low, stop)
    if first and first["of"] == six:
        return first["made"], six, first
    if (other := _SCORE.match(low, stop)) and other["of"] == six:
        return other["made"], six, other
    if said := _SCORE_IN_WORDS.match(low, stop):
        return said["solved"] or said["given"] or said["counted"] or "x", six, said
    return (first["made"], first["of"], first) if first else ("", "", None)


def _is_clone(text: str, low: str, name: int) -> bool:
    """Whether the word before the game's name makes another name of it: "Not Wordle".

    A word that is known to do so counts anywhere; any other only as a name is written, in capitals
    at the beginning of the line, and when it is no word that people put before the game's name.
    """
    if low[name - 1 : name] != " " or not (low[name - 2].isalnum() or low[name - 2] == "'"):
        return False
    before = low[_line_start(low, name) : name]
    word = _WORD_BEFORE.search(before)
    if not word:
        return False
    if word[1] in _CLONES:
        return True
    start = name - len(before) + word.start(1)
    named = text[start].isupper() and text[name : name + 2] == "Wo"
    is_whole = not _WORD.search(before[: word.start(1)].rpartition(": ")[2])
    said = word[1] in _BEFORE or word[1].endswith(("'s", "ed", "ing", "s'"))
    return named and is_whole and not said


def _is_beside(low: str, end: int, start: int) -> bool:
    """Whether little and no line break stands between two places."""
    return start - end <= 40 and "\n" not in low[end:start]


def _title(low: str, place: int) -> str:
    """What stands before a score on its line, without who wrote it and when."""
    line = _line_start(low, place)
    said = max(low.rfind(end, line, place) for end in _SPEAKER)
    return low[line if said < 0 else said + 2 : place]


def _is_said(block: _Block, text: str, low: str) -> bool:
    """Whether what began a block stands in a sentence: "better than Nerdle 12 anyway"."""
    if block.of and int(block.of) > _MOST_OF:
        return True
    stop = low.find("\n", block.end, block.end + 120)
    rest = low[block.end : stop if stop >= 0 else block.end + 120]
    after = [word for word in _WORD.findall(_ASIDES.sub(" ", rest)) if len(word) > 2]
    title = _title(low, block.start)
    before = _WORD.findall(title)
    begins = text[block.start - len(title) : block.start].lstrip(" >*_~|-")[:1]
    return (
        not _FILLER.issuperset(after)
        or len(before) > 2
        or not _CHATTER.isdisjoint(before)
        or (begins.islower() and not _NAMED.search(title))
    )


def _is_filler(title: str) -> bool:
    return not _NAMED.search(title) and _FILLER.issuperset(_WORD.findall(title))


def _is_score_of(block: _Block, low: str, place: int) -> bool:
    """Whether a score that is no part of a header is the one that the open block lacks."""
    if block.made:
        return False
    if block.kind == "wordle":
        return _is_filler(_title(low, place))
    return block.kind != "bare" and block.is_empty and block.start >= _line_start(low, place)


def _blocks(text: str, low: str) -> list[_Block]:  # noqa: C901 - one pass over the lines
    """Headers and what looks like one, each with the rows up to the next, in their order."""
    block = _Block(0, "bare")
    blocks = [block]
    header_end = 0
    passing = None  # the last score that belongs to no header; rows after it make it one
    for token in _TOKEN.finditer(low):
        kind, start, end = token.lastgroup, token.start(), token.end()
        if start < header_end:
            if "\n" not in token[0]:
                continue
            start = low.find("\n", header_end, end) + 1  # what stands below the header's line
            if not start:
                continue
        if passing and kind in ("run", "line"):
            block = _Block(passing.start(), "maybe", end=passing.end())
            block.title = _title(low, passing.start())
            block.take_score(low, passing)
            blocks.append(block)
            passing = None
        if kind == "run":
            for cells in low[start:end].replace("|", " ").split("\n"):
                block.runs.append((cells, start, start + len(cells)))
                start += len(cells) + 1
            if end < len(low) and low[end] != "\n":
                if not block.made and _BAR.match(low, end):
                    block.runs.pop()
                elif _CUT.match(low, end) and len(cells.replace(" ", "")) % _LENGTH:
                    block.runs.pop()
                    block.is_cut = True
        elif kind == "score":
            if _is_score_of(block, low, start):
                block.take_score(low, token)
            elif not (block.runs and _is_beside(low, block.runs[-1][2], start)):
                passing = token
        elif kind == "wordle":
            opened, header_end = _header(text, low, start, end)
            if opened:
                block = opened
                block.end = header_end
                blocks.append(block)
                if passing and not block.made:  # "3/6 on Wordle 243"
                    between = low[passing.end() : start]
                    if len(between) <= 40 and not re.search(r"[\n\d]", between):
                        block.take_score(low, passing)
                passing = None
        elif kind == "line":
            sentence = _SENTENCE.match(low, end)
            block.lines.append(_spoken(sentence[0]))
            header_end = sentence.end()
        else:
            is_known = token[0] in _OTHER_GAMES
            if is_known or ("#" in low[end : end + 2] and token[0] not in _NOT_TITLES):
                kind = "other" if is_known else "maybe"
                block = _Block(start, kind, token[0] + "#", end=end)
                blocks.append(block)
                passing = None
    return blocks


def _gather(blocks: list[_Block], text: str, low: str) -> list[_Block]:
    """The blocks that are posts: what stood in passing is dropped, what belongs together joined."""
    posts: list[_Block] = []
    for block in blocks:
        if block.is_empty and block.kind in ("maybe", "bare"):
            continue
        last = posts[-1] if posts else None
        if last is None:
            posts.append(block)
        elif last.kind == "wordle" and _is_in_passing(block, last, text, low):
            last.take_rows(block)
            if not last.made:
                last.made, last.of, last.is_hard = block.made, block.of, block.is_hard
        elif block.kind != "wordle":
            posts.append(block)
        elif last.puzzle == block.puzzle and last.is_empty and last.made in ("", block.made):
            posts[-1] = block  # said twice, as in a mail's subject and its text
        elif last.puzzle == block.puzzle and block.is_empty and not block.made:
            continue
        elif last.kind == "bare" and block.is_empty and _fits(last.runs, block):
            block.take_rows(last)  # the grid stood above its header
            posts[-1] = block
        else:
            posts.append(block)
    return posts


def _is_in_passing(block: _Block, header: _Block, text: str, low: str) -> bool:
    """Whether a line with a number or a score stood between a header and its rows.

    So it is when the rows fit what the header says, and do not fit what the line says or the line
    is a sentence.
    """
    if block.kind == "bare":
        return False
    if not header.made:
        return header.is_empty and block.kind == "maybe" and _is_filler(block.title)
    if not _fits(header.runs + block.runs, header):
        return False
    is_said = _is_said(block, text, low)
    if block.kind == "wordle":
        return (is_said or not block.made) and not _fits(block.runs, block)
    is_named = block.kind == "other" or _NAMED.search(block.title)
    return is_said or (not is_named and not _fits(block.runs, block))


# --- Judging --------------------------------------------------------------------------------------

_ROWS = {
    format_pattern(code, _LENGTH, style): format_pattern(code, _LENGTH)
    for code in range(3**_LENGTH)
    for style in ("dark", "contrast")
}
_IMPOSSIBLE = {
    row for row in _ROWS.values() if not is_possible(parse_pattern(row, _LENGTH), _LENGTH)
}

_SQUARES, _OTHERS = frozenset(CELLS), frozenset(OTHER_SQUARES)
_MOST_RUNS = 60  # in what can still be one post, squares in its chatter included
_SAYS = {"grey": ".", "yellow": "Y", "green": "G"}

_DAMAGED = re.compile(
    rf"\ufffd|{_CELL}\?|\?{_CELL}|(?<![\w?!.])\?{{4,}}+(?![\w!])"
    # UTF-8 read as Windows-1252, Latin-1, Windows-1251, or twice over
    r"|â¬|ðŸŸ|ð\x9f\x9f|в¬|рџџ|Ã¢Â¬|Ã°Å¸"
)
_ART = re.compile(r"(?m)^[> |*]{0,8}(?:[^\w\s\x21-\x7e] ?){5}$")  # five signs: 🍏🍋🖤🖤🖤

_ORDINALS = {
    **{word: place for place in range(_LENGTH) for word in (
        ("1st", "2nd", "3rd", "4th", "5th")[place],
        ("first", "second", "third", "fourth", "fifth")[place],
    )},
    "last": _LENGTH - 1,
}  # fmt: skip
_PLACES = re.compile(
    r"(?:letters?|positions?|places?|tiles?|squares?) "
    r"(([1-5])(?!\d)(?:(?:,? and |, ?| ?& ?| )[1-5](?![\dsnrt]))*)"
)
_DIGIT = re.compile("[1-5]")
_NTH = {"1": "1st", "2": "2nd", "3": "3rd", "4": "4th", "5": "5th"}
_COLOUR_WORDS = {
    **dict.fromkeys(("grey", "gray", "black", "white", "absent"), "."),
    **dict.fromkeys(("yellow", "blue", "present", "misplaced"), "Y"),
    **dict.fromkeys(("green", "orange", "correct"), "G"),
}
_COLOUR_WORD = re.compile("|".join(_COLOUR_WORDS))
_SPOKEN = re.compile(
    r"(?P<won>\b(?:won|win|winner|got it|solved|complete|(?:correct|right) word|bingo)\b)"
    r"|(?P<place>\b(?:[1-5](?:st|nd|rd|th)|first|second|third|fourth|fifth|last)\b)"
    r"|(?P<except>\b(?:except|apart from|other than|all but)\b)"
    r"|(?P<grey>\b(?:nothing|none|absent|incorrect|gr[ea]y|black|no (?:letters?|matches)|not in)\b"
    r"|\b(?:fully|completely|all) wrong\b(?! (?:place|position|order|spot)))"
    r"|(?P<all>\b(?:all|everything)\b)"
    r"|(?P<yellow>(?:\b(?:correct|right|good)\b(?: letters?)?,? (?:but )?)?"
    r"(?:in )?(?:the |a )?"
    r"\b(?:wrong (?:place|position|order|spot|location)s?|misplaced|yellow|elsewhere|present"
    r"|out of (?:place|position))\b)"
    r"|(?P<green>\b(?:perfect|correct|green|right|spot on|exact)\b)"
)


def _spoken(sentence: str) -> str | None:  # noqa: C901 - one pass over the tokens
    """The row that a line of a description for screen readers tells; None when it tells none.

    "2nd and 4th correct but in the wrong place.", "1st is perfect but 3rd and 5th are in the
    wrong place.", "Letters 2, 4 misplaced. Letter 1 correct.", "Nothing.", "Won!"
    """
    sentence = _PLACES.sub(
        lambda found: _DIGIT.sub(lambda digit: _NTH[digit[0]], found[1]), sentence
    )
    colours = _COLOUR_WORD.findall(sentence)
    if len(colours) == _LENGTH and not re.search(r"\d|all|wrong", sentence):
        return "".join(map(_COLOUR_WORDS.get, colours))
    cells = ["."] * _LENGTH
    places: list[int] = []  # named, and waiting for what is said of them
    leading = ""  # what was said before any place: "Perfect: 1st and 3rd"
    is_spared = is_nothing = is_leading = says_something = False
    for found in _SPOKEN.finditer(sentence):
        kind = found.lastgroup
        if kind == "won":
            return _SOLVED
        if kind == "place":
            place = _ORDINALS[found[0]]
            if is_spared:
                cells[place] = "."
                places = [other for other in places if other != place]
            elif leading:
                cells[place] = leading
                is_leading = True
            else:
                places.append(place)
        elif kind == "all":
            places = list(range(_LENGTH))
        elif kind == "except":
            is_spared = True
            places = list(range(_LENGTH)) if found[0] == "all but" else places
        else:
            says_something = True
            if places:
                for place in places:
                    cells[place] = _SAYS[kind]
                places = []
            elif kind == "grey":
                is_nothing = True  # "none correct"
            elif not is_nothing:
                leading = _SAYS[kind]
    if leading and not is_leading and cells.count(".") == _LENGTH:  # "Perfect!" and no more
        return _SOLVED if leading == "G" else None
    return "".join(cells) if says_something and not places else None


def _split(cells: str) -> list[str] | None:
    """A run of cells as rows of five; None when its spaces or its length do not allow that.

    Rows may have lost the breaks between them, and cells may stand apart; a group between spaces
    is never cut but into whole rows.
    """
    place = 0
    for group in cells.split():
        inside = place % _LENGTH
        if inside + len(group) > _LENGTH and (inside or len(group) % _LENGTH):
            return None
        place += len(group)
    if place % _LENGTH:
        return None
    joined = cells.replace(" ", "")
    return [joined[first : first + _LENGTH] for first in range(0, place, _LENGTH)]


def _contradiction(rows: list[str], block: _Block) -> str:
    """Why these rows cannot be those of the block's score; empty text when they can."""
    if len(rows) > GUESSES:
        return "too_many_rows"
    if _SOLVED in rows[:-1]:
        return "rows_after_solve"
    if len(rows) != block.guesses:
        return "row_count_mismatch"
    if (rows[-1] == _SOLVED) == (block.made == "x"):
        return "score_grid_conflict"
    return "" if _IMPOSSIBLE.isdisjoint(rows) else "impossible_row"


def _rows_of(runs: list[tuple[str, int, int]]) -> tuple[list[str], str]:
    """Runs of cells as rows of ``.YG`` text, and what is wrong with them, if anything."""
    rows = [_ROWS.get(cells) for cells, _, _ in runs]
    if None not in rows:
        return rows, ""
    rows, problem = [], ""
    for cells, _, _ in runs:
        if not _OTHERS.isdisjoint(cells):
            if not _SQUARES.isdisjoint(cells):
                return [], "unknown_tiles"
            continue  # discs in a sentence
        parts = _split(cells)
        if parts is None:
            problem = "wrong_width"
        else:
            rows += map(_ROWS.get, parts)
    if None in rows:
        problem = problem or "ambiguous_palette"
    return rows, problem


def _fits(runs: list[tuple[str, int, int]], block: _Block) -> bool:
    """Whether these runs are a grid of the block's score."""
    if len(runs) > _MOST_RUNS:
        return False
    rows, problem = _rows_of(runs)
    return bool(rows) and not problem and not _contradiction(rows, block)


def _stands_alone(run: tuple[str, int, int], text: str) -> bool:
    """Whether a line holds nothing but one run and signs."""
    _, start, end = run
    stop = text.find("\n", end, end + 120)
    line = text[_line_start(text, start) : start] + text[end : stop if stop >= 0 else end + 120]
    return not _ALPHANUMERIC.search(line)


def _judge(block: _Block, text: str, stop: int) -> tuple[list[str], str, int]:  # noqa: C901 - one rule a line
    """The rows of a block under the game's own name, else the reason why there is no share.

    The third value is the number of runs that the rows take: what follows them after a word is
    another grid, without a header.
    """
    runs = block.runs
    rows, problem = _rows_of(runs) if runs else ([], "no_grid")
    if block.guesses:
        problem = problem or _contradiction(rows, block)
        if not problem:
            return rows, "", len(runs)
        if len(runs) == block.guesses and problem != "unknown_tiles":
            # As many runs as rows: a wide one has lost no break
            widths = {len(cells.replace(" ", "")) for cells, _, _ in runs}
            problem = "wrong_width" if max(widths) > _LENGTH else problem
        alone = [run for run in runs[:_MOST_RUNS] if _stands_alone(run, text)]
        if len(alone) < len(runs) and _fits(alone, block):
            return _rows_of(alone)[0], "", len(runs)
        # A second grid may stand below the first, without a header.
        for n in range(1, min(len(runs), GUESSES + 1)):
            if _WORD.search(text, runs[n - 1][2], runs[n][1]) and _fits(runs[:n], block):
                return _rows_of(runs[:n])[0], "", n
        if block.lines and None not in block.lines and not _contradiction(block.lines, block):
            return block.lines, "", len(runs)
    if block.made and not block.guesses:
        return [], "bad_score", 0
    if not block.made:
        valid = not problem and _SOLVED not in rows[:-1] and len(rows) <= GUESSES
        return [], "bad_score" if valid else "no_grid", 0
    if _DAMAGED.search(text, block.start, stop):
        problem = "corrupt_tiles"
    elif not rows and (runs or _ART.search(text, block.start, stop)):
        problem = problem if problem == "wrong_width" else "unknown_tiles"
    elif block.is_cut and not runs:
        problem = "row_count_mismatch"
    elif block.lines and not runs:
        problem = "unknown_tiles" if None in block.lines else _contradiction(block.lines, block)
    return [], problem, 0


def _judge_other(block: _Block) -> str:
    """Why a block without the game's header is refused; empty text when it is no grid at all."""
    if block.kind == "other":
        return "other_game"
    cells = sum(len(run[0].replace(" ", "")) for run in block.runs)
    if block.kind == "bare":
        is_grid = any(_split(run[0]) and run[0][0] in CELLS for run in block.runs)
        if is_grid or any(block.lines):
            return "no_puzzle_number"
        # A grid of another width, such as that of Connections.
        return "other_game" if sum(len(run[0]) >= _LENGTH - 1 for run in block.runs) > 1 else ""
    if cells < 3 and not any(block.lines):
        return ""
    if name := _EXACT_NAME.search(block.title):
        rest = block.title[name.end() :]
        is_other = any(c.isdigit() for c in rest) or _VARIANT.search(rest)
        return "other_game" if is_other else "no_puzzle_number"
    is_other = not _is_filler(block.title)
    return "other_game" if is_other else "no_puzzle_number"


def _excerpt(text: str, start: int, stop: int) -> str:
    piece = MARK.sub("", text[start : min(stop, start + 2 * EXCERPT)]).strip()
    return piece if len(piece) <= EXCERPT else piece[: EXCERPT - 1].rstrip() + "…"


# --- Who speaks -----------------------------------------------------------------------------------

_DAY = r"\d{1,4}[./-]\d{1,2}[./-]\d{2,4}"
_CLOCK = r"\d{1,2}[:.]\d\d(?:[:.]\d\d)?(?: ?[ap]\.?m\.?)?"
_VOICE = re.compile(
    "(?im)^(?:"
    # WhatsApp: [17/02/2022, 08:03:12] Ann: …   17.02.22, 08:03 - Ann: …
    rf"\[?(?P<t1>{_DAY},? (?:at |um |à )?{_CLOCK})\]?(?: -)? (?:~ ?)?(?P<a1>[^:\n]{{1,60}}): "
    # Telegram and Discord, copied or exported: the text follows on the next line
    rf"|(?P<a2>[^\n\[\]]{{1,60}}), \[(?P<t2>[^\]\n]{{0,20}}{_CLOCK})\]:?$"
    rf"|\[(?P<t3>[^\]\n]{{0,20}}{_CLOCK})\] (?P<a3>[^:\n]{{1,60}})$"
    rf"|(?P<a4>[^\n]{{1,40}}?) - (?P<t4>(?:today|yesterday|{_DAY}),? (?:at )?{_CLOCK})$"
    rf"|(?P<a5>[^\n:()]{{1,40}}) \((?P<t5>{_CLOCK})\): "  # Signal, copied
    r"|(?:from|von|de): (?P<a6>[^\n]{1,80})$"
    r"|(?P<quote>[^\n]{0,120}\b(?:wrote|schrieb|écrit|escribió|scritto|skrev|schreef|escreveu)\b"
    r"[^\n]{0,80}: *$|[> ]*-{2,} ?(?:original|forwarded|weitergeleitet|ursprüngl)[^\n]{0,40}"
    r"|begin forwarded message)"
    rf")|{AUTHOR}\s*(?P<a7>[^\n{AUTHOR}{QUOTE}{UNQUOTE}]{{1,60}})"
    rf"|(?P<open>{QUOTE})|(?P<close>{UNQUOTE})"
)
_SAYS_SO = re.compile(r"(?:^|[>\]] ?)([^\W\d_][\w .'-]{0,30}): $")
_NO_NAMES = frozenset("me mine re fw fwd subject result results score today yesterday".split())
_RETWEET = re.compile(r"(?i)\brt @?(\w{1,30}):? ?$")
_MARKS = frozenset('“„«「『"')
_OPENING = re.compile(
    r"(?:[“„«「『]|(?i:liked|loved|laughed at|emphasi[sz]ed|questioned|reacted .{1,12}|to) \")"
    r"[*_#~` ]*$"
)


@dataclass(slots=True)
class _Voices:
    """Who speaks in a plain text, followed from one post to the next."""

    text: str
    author: str = ""
    time: str = ""
    is_quoted: bool = False
    place: int = 0

    def at(self, start: int, about: Message) -> tuple[str, str, bool]:
        """Author, time, and whether it is quoted, of the post whose header is at a place."""
        for voice in _VOICE.finditer(self.text, self.place, start):
            kind = voice.lastgroup
            if kind in ("quote", "open"):
                self.author, self.time, self.is_quoted = "", "", True
            elif kind == "close":
                self.is_quoted = False
            else:
                number = kind[1]
                self.author = voice["a" + number].strip()
                self.time = (voice["t" + number] if number in "12345" else None) or ""
                # The fields of a quoted mail follow the line that quotes it.
                self.is_quoted = self.is_quoted and number == "6"
        self.place = start
        before = self.text[_line_start(self.text, start) : start] if start else ""
        if not before:  # a header that begins its line, as most do
            if self.is_quoted:
                return self.author, "", True
            return self.author or about.author, self.time or about.time, about.is_quoted
        if "rt" in before.lower() and (retweet := _RETWEET.search(before)):
            return retweet[1], "", True
        is_opened = before.rstrip("*_#~` ")[-1:] in _MARKS and _OPENING.search(before)
        if self.is_quoted or is_opened or before.lstrip().startswith(">"):
            return (self.author if self.is_quoted else ""), "", True
        named = _SAYS_SO.search(before)
        if named and named[1].lower() not in _NO_NAMES and not self.time:
            return named[1], "", about.is_quoted
        return self.author or about.author, self.time or about.time, about.is_quoted

    def skip(self, place: int) -> None:
        """Pass over the rows of a post."""
        self.place = max(self.place, place)


# --- Reading --------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Refusal:
    excerpt: str
    reason: str
    puzzle: int | None = None
    made: str = ""
    is_quoted: bool = False

    @property
    def key(self) -> tuple[str, str]:
        return self.reason, "".join(self.excerpt.split())[:40]


@dataclass(slots=True)
class _Reading:
    """What one text holds; mentions count as refused when there is nothing else."""

    posts: list[Post] = field(default_factory=list)
    refused: list[_Refusal] = field(default_factory=list)
    mentions: list[_Refusal] = field(default_factory=list)


_AS_SHARED = re.compile(
    r"Wordle ([0-9]{1,2},?[0-9]{3}|[0-9]{1,3}) ([1-6X])/6(\*?)\n\n?((?:\S{5}\n){0,5}\S{5})\n*"
)


def _as_shared(text: str) -> Share | None:
    """The share of a text that is what the game gives and nothing else, as most posts are."""
    post = _AS_SHARED.fullmatch(text)
    if post is None:
        return None
    rows = [_ROWS.get(row) for row in post[4].replace("⬜", "⬛").split("\n")]
    if None in rows or _contradiction(rows, _Block(0, "wordle", made=post[2].lower(), of="6")):
        return None
    return Share(int(post[1].replace(",", "")), post[2], bool(post[3]), tuple(rows))


def _read(about: Message) -> _Reading:
    """The posts in one text."""
    reading = _Reading()
    if share := _as_shared(about.text):
        reading.posts.append(Post(share, about.author, about.time, about.is_quoted))
        return reading
    text = plain(about.text)
    low = text.lower()
    blocks = _gather(_blocks(text, low), text, low)
    voices = _Voices(text)
    for place, block in enumerate(blocks):
        stop = blocks[place + 1].start if place + 1 < len(blocks) else len(text)
        if block.kind != "wordle":
            start = _line_start(low, block.start)
            if block.kind == "bare" and block.runs:
                start = block.runs[0][1]
            if reason := _judge_other(block):
                is_mention = block.is_empty and _is_said(block, text, low)
                kept = reading.mentions if is_mention else reading.refused
                kept.append(_Refusal(_excerpt(text, start, stop), reason))
            continue
        author, time, is_quoted = voices.at(block.start, about)
        rows, reason, used = _judge(block, text, stop)
        if block.runs:
            voices.skip(block.runs[(used or len(block.runs)) - 1][2])
        if not reason:
            share = Share(block.puzzle, block.made.upper(), block.is_hard, tuple(rows))
            reading.posts.append(Post(share, author, time, is_quoted))
            if used < len(block.runs):
                rest = _Block(block.start, "bare", runs=block.runs[used:])
                if reason := _judge_other(rest):
                    excerpt = _excerpt(text, rest.runs[0][1], stop)
                    reading.refused.append(_Refusal(excerpt, reason, is_quoted=is_quoted))
            continue
        refusal = _Refusal(
            _excerpt(text, block.start, stop), reason, block.puzzle, block.made.upper(), is_quoted
        )
        is_mention = reason == "no_grid" and not block.made
        (reading.mentions if is_mention else reading.refused).append(refusal)
    return reading


class _Seen:
    """What was found in which text, to tell copies: found again in another text of one thing.

    A thing is a path; it is one with all that it is in and all that is in it.
    """

    def __init__(self):
        self._at = defaultdict(list)  # by (what, thing): texts and authors
        self._in = defaultdict(list)  # the same by every thing that holds it

    def is_copy(self, what, thing: tuple[int, ...], text: int, author: str = "") -> bool:
        """Note a finding, unless another text of its thing had it before."""
        ways = [thing[:length] for length in range(len(thing) + 1)]
        others = [one for way in ways for one in self._at[what, way]] + self._in[what, thing]
        if any(other != text and _may_be_one(by, author) for other, by in others):
            return True
        own = (text, author)
        if own not in self._at[what, thing]:
            self._at[what, thing].append(own)
            for way in ways[:-1]:
                self._in[what, way].append(own)
        return False


def _may_be_one(one: str, other: str) -> bool:
    """Whether two authors, as the source has them, may be the same person."""
    return not one or not other or _person(one) == _person(other)


@lru_cache(1024)
def _person(author: str) -> str:
    return unicodedata.normalize("NFKC", author).strip(" ~@\u202a\u202c").casefold()


def _read_things(messages: list[Message]) -> tuple[_Reading, int]:
    """The posts in some messages, without those that two texts of one thing hold; how many."""
    things: dict[tuple[int, ...], list[Message]] = defaultdict(list)
    for message in messages:
        things[message.thing].append(message)
    found = _Reading()
    seen = _Seen()
    copies = number = 0
    for thing, texts in things.items():
        readings = [_read(text) for text in texts]
        if len(texts) > 1 and not any(reading.posts for reading in readings):
            whole = "\n".join(text.text for text in texts)
            joined = _read(replace(texts[0], text=whole))
            readings = [joined] if joined.posts else readings
        for number, reading in enumerate(readings, number + 1):  # noqa: B020 - goes on counting
            found.mentions += reading.mentions
            new = [p for p in reading.posts if not seen.is_copy(p.share, thing, number, p.author)]
            copies += len(reading.posts) - len(new)
            found.posts += new
            found.refused += [o for o in reading.refused if not seen.is_copy(o.key, thing, number)]
    return found, copies


def read_messages(messages: Iterable[Message]) -> ShareReport:
    """The posts in some messages, each once.

    Texts of one thing are copies of each other: a grid that stands in several of them counts once.
    A thing whose texts hold no grid each, but do together, is read as one text.
    """
    messages = list(messages)
    if len(messages) == 1:
        reading, copies = _read(messages[0]), 0
    else:
        reading, copies = _read_things(messages)
    posts, refused = reading.posts, reading.refused
    kept = posts
    if len(posts) > 1:
        kept = [post for post, new in zip(posts, is_first(posts), strict=True) if new]
    if any(one.is_quoted for one in refused):
        # A quotation that is cut off is nothing new when its post was read.
        scores = {(post.share.puzzle, post.share.score) for post in kept}
        scores |= {(puzzle, "") for puzzle, _ in scores}
        refused = [o for o in refused if not (o.is_quoted and (o.puzzle, o.made) in scores)]
    if not kept and not refused:
        refused = reading.mentions
    return ShareReport(
        kept, [(one.excerpt, one.reason) for one in refused], copies + len(posts) - len(kept)
    )


def is_first(posts: Sequence[Post]) -> list[bool]:
    """Whether each of some posts is new, and no repetition of one before.

    A quoted post counts when its original is not there. One person's grid of one puzzle counts
    once. The same grid by somebody else, or by nobody knows whom, counts again.
    """
    authors: dict[Share, set[str]] = defaultdict(set)
    chosen = [False] * len(posts)
    for quoted in (False, True):
        for place, post in enumerate(posts):
            if post.is_quoted != quoted:
                continue
            others, person = authors[post.share], _person(post.author)
            is_copy = bool(person) and person in others
            if quoted and others and (not person or "" in others):
                is_copy = True
            if not is_copy:
                chosen[place] = True
                others.add(person)
    return chosen


def parse_shares(text: str) -> ShareReport:
    r"""The grids in a text: one post or many, plain, quoted, exported, escaped, or marked up.

    A post needs the game's name with the number of the puzzle, a score and a grid that agree.
    Squares may be of the light, dark and high-contrast palettes (⬛ and ⬜ are both grey; one row
    keeps to one palette), shortcodes of chat tools, or lines of a description for screen readers.
    JSON, mail and backups of text messages are read message by message. A post that the text holds
    twice counts once (`ShareReport.copies`).

    Parameters
    ----------
    text : str
        Any text; nothing in it raises.

    Returns
    -------
    ShareReport
        What was read, and what was refused, each with its reason. A bad post does not lose the
        others. A mere mention of a puzzle is reported (``no_grid``) only when there is nothing
        else.

    >>> report = parse_shares("Wordle 1,009 3/6*\\n\\n⬛⬛🟨⬛⬛\\n⬛🟩🟩⬛🟨\\n🟩🟩🟩🟩🟩")
    >>> report.shares
    [Share(puzzle=1009, score='3', hard=True, rows=('..Y..', '.GG.Y', 'GGGGG'))]
    >>> parse_shares("Wordle 214 4/6 (see picture)").rejected
    [('Wordle 214 4/6 (see picture)', 'no_grid')]
    """
    if not isinstance(text, str):
        raise TypeError(f"a share is text, not {type(text).__name__}: decode bytes first")
    return read_messages(messages_of(text))
