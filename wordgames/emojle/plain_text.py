"""One kind of text of what chats, mails, pages and tools make of a post.

Escapes, tags and shortcodes become characters, and each character has one form. Marks that no text
holds say who speaks and what is quoted.
"""

# ruff: noqa: RUF001 - characters that look like others are the subject here.

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from html.entities import html5

# One character for each kind of cell; ◻ and its like are squares of other fonts.
_GREYS = "⬛⬜◼◻▪▫◾◽■□"
CELLS = "⬛🟨🟩🟦🟧"
# Squares and discs of other colours: other games, or a player's own art.
OTHER_SQUARES = "🔲🔳🟥🟪🟫🟠🟡🟢🟣🟤⚫⚪🔴🔵"


def _translation() -> dict[int, str | None]:
    table: dict[int, str | None] = {}
    for first, last in (  # what has no width: controls, selectors, marks of direction, joiners
        (0x00, 0x1B), (0x7F, 0x7F), (0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C),
        (0x180B, 0x180E), (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F),
        (0x20E3, 0x20E3), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xE0000, 0xE01EF),
    ):  # fmt: skip
        table |= dict.fromkeys(range(first, last + 1))
    table |= {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}  # full width
    table |= {
        code: unicodedata.normalize("NFKC", chr(code)) for code in range(0x1D400, 0x1D800)
    }  # bold, italic and so on
    for zero in "٠۰߀०০੦૦୦௦౦೦൦෦๐໐༠၀០០᠐":
        if unicodedata.decimal(zero, None) == 0:
            table |= {ord(zero) + digit: str(digit) for digit in range(10)}
    for characters, meaning in (
        ("\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029", "\n"),
        ("\t\x1f\xa0\u1680\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B))), " "),
        (_GREYS, "⬛"),
        ("⁄∕╱⧸", "/"),
        ("∗✱⁎﹡٭✳", "*"),
        ("×Хх", "x"),
        ("’‘ʼʹ′`´", "'"),
        ("،٬﹐、", ","),
        ("٫·˙", "."),
        ("‐‑‒–—−", "-"),
        ("\u0130", "I"),  # the only character that lower() makes longer
    ):
        table |= dict.fromkeys(map(ord, characters), meaning)
    return {code: meaning for code, meaning in table.items() if meaning != chr(code)}


def _any_of(codes: Iterable[int]) -> re.Pattern:
    """What finds a character with one of these codes, which are in order; quick as ranges."""
    ranges: list[list[int]] = []
    for code in codes:
        if not ranges or code > ranges[-1][1] + 1:
            ranges.append([code, code])
        ranges[-1][1] = code
    inside = (f"{re.escape(chr(first))}-{re.escape(chr(last))}" for first, last in ranges)
    return re.compile(f"[{''.join(inside)}]")


_TRANSLATION = _translation()
_USUAL = "⬜"
_UNUSUAL = _any_of(sorted(_TRANSLATION.keys() - {ord(_USUAL)}))

_ESCAPE = re.compile(
    r"(?<!\\)\\++(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})"
    r"|([nrtfv])|([^\w\s\\]))"
)
_ENTITY = re.compile(r"&(?:#(\d{1,8})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z][a-zA-Z0-9]{1,30}))(;?)")
# UTF-8 as bytes: in addresses, in mail (quoted-printable), in Python's and C's text.
_UTF8_BYTES = re.compile(r"(?i)([%=]|(?<!\\)\\++x)(?:f0|e2)\1[0-9a-f]{2}")
_LATIN_BYTES = re.compile(r"(?i)(?:\\u00[c-f][0-9a-f])(?:\\u00[89ab][0-9a-f])++")
_BYTES = re.compile(r"(?i)(?:[%=][0-9a-f]{2}|(?<!\\)\\++x[0-9a-f]{2})++")

_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)(?![\w:])([^<>]*)>")
_ALT = re.compile(r"""\balt\s{0,3}=\s{0,3}(?:"([^"]{1,80})"|'([^']{1,80})'|([^\s"'>]{1,80}))""")
_PICTURE = re.compile(r"\b(1f7e[5-9a]|1f53[23]|2b1[bc])(?:-fe0f)?\.(?:svg|png|webp|gif)")  # in src=
_CLASS = re.compile(
    r"""\bclass\s{0,3}=\s{0,3}(?:"([^"]{1,200})"|'([^']{1,200})'|([^\s"'>]{1,200}))"""
)
_NICK = re.compile(r"(?m)^\[?\d\d:\d\d(?::\d\d)?\]? <[@+% ]?([^<>\s]{1,30})> ")  # IRC
_LINE_TAGS = frozenset(
    [
        "address",
        "article",
        "aside",
        "blockquote",
        "br",
        "dd",
        "div",
        "dl",
        "dt",
        "figure",
        "footer",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hr",
        "li",
        "main",
        "ol",
        "p",
        "pre",
        "section",
        "table",
        "tr",
        "ul",
    ]
)

_SHORTCODE = re.compile(
    r"(?i)<?a?:(?=[a-z0-9_+-]{0,40}?(?:square|circle))([a-z0-9_+-]{3,48}):(?:\d{5,25}>)?"
    r"|[(\[]([a-z][a-z _-]{2,30}square)[)\]]"
)
_COLOUR = re.compile(r"green|yellow|blue|orange|black|white|gr[ea]y|red|purple|brown")
_COLOURED = {"green": "🟩", "yellow": "🟨", "blue": "🟦", "orange": "🟧"} | dict.fromkeys(
    ("black", "white", "grey", "gray"), "⬛"
)


def _character(code: int) -> str:
    return chr(code) if code < 0x110000 else "\ufffd"


def _unescape(found: re.Match) -> str:
    braced, short, long, letter, other = found.groups()
    if letter:
        return "\n" if letter in "nr" else " "
    return other or _character(int(braced or short or long, 16))


def _entity(found: re.Match) -> str:
    decimal, hexadecimal, name, end = found.groups()
    if name:
        return html5.get(name + end, found[0])
    return _character(int(decimal) if decimal else int(hexadecimal, 16))


def _from_bytes(found: re.Match) -> str:
    digits = re.sub(r"[%=]|\\+x", "", found[0])
    return bytes.fromhex(digits).decode("utf-8", "replace")


# What tags say of who speaks, as characters that no text has.
AUTHOR, QUOTE, UNQUOTE = "\ufdd0", "\ufdd1", "\ufdd2"
MARK = re.compile(f"[{AUTHOR}{QUOTE}{UNQUOTE}]")
_QUOTING_TAGS = frozenset(("blockquote", "aside"))


def _from_latin(found: re.Match) -> str:
    digits = found[0].lower().replace("\\u00", "")
    return bytes.fromhex(digits).decode("utf-8", "replace")


def _tag(found: re.Match) -> str:
    closing, name, attributes = found.groups()
    if "alt" in attributes and (alt := _ALT.search(attributes)):
        return alt[1] or alt[2] or alt[3]
    name = name.lower()
    if name == "img" and (picture := _PICTURE.search(attributes)):
        return chr(int(picture[1], 16))
    mark = ""
    if name in _QUOTING_TAGS:
        mark = UNQUOTE if closing else QUOTE
    elif "class" in attributes and (names := _CLASS.search(attributes)):
        names = (names[1] or names[2] or names[3]).lower()
        mark = QUOTE if "reply" in names or "quote" in names else ""
        if "author" in names or "from_name" in names or "sender" in names or "username" in names:
            mark += "\n" + AUTHOR
    return mark + "\n" if name in _LINE_TAGS and not mark.endswith(AUTHOR) else mark


@lru_cache(1024)
def _tile(name: str) -> str | None:
    """The square that a shortcode means; None when it means something else."""
    name = name.lower()
    colour = _COLOUR.search(name)
    if "button" in name or not colour:
        return None
    return "🟢" if "circle" in name else _COLOURED.get(colour[0], "🟥")


def plain(text: str) -> str:
    """The text of a post, with one form for each thing that it may hold."""
    for _ in range(3):  # what was escaped twice is unescaped twice
        before = text
        if ("%" in text or "=" in text or "\\x" in text) and _UTF8_BYTES.search(text):
            text = _BYTES.sub(_from_bytes, text.replace("=\r\n", "").replace("=\n", ""))
        if "\\u00" in text:  # Messenger's and Instagram's escapes, in JSON that is cut off
            text = _LATIN_BYTES.sub(_from_latin, text)
        if "\\" in text:
            text = _ESCAPE.sub(_unescape, text)
        if "&" in text:
            text = _ENTITY.sub(_entity, text)
        if text == before:
            break
    try:
        text.encode()
    except UnicodeEncodeError:  # surrogates: pairs become characters, single ones are damage
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if "<" in text:
        text = _NICK.sub(rf"\n{AUTHOR}\1\n", text)
        text = _TAG.sub(_tag, text)
    if "quare" in text or "ircle" in text:
        text = _SHORTCODE.sub(lambda found: _tile(found[1] or found[2]) or found[0], text)
    if _UNUSUAL.search(text):
        return text.translate(_TRANSLATION)
    return text.replace(_USUAL, "⬛")  # ten times quicker
