"""Shares: the collected cases, ten more of each kind, and properties that hold for any text."""

# ruff: noqa: RUF001, E501 - characters that look like others are the subject here

import json
import re
import urllib.parse
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wordgames.emojle.shares import EXCERPT, REASONS, Share, parse_shares

CASES = [
    json.loads(line)
    for name in ("share_cases.jsonl", "share_cases_2.jsonl")
    for line in (Path(__file__).parent / "data" / name).read_text("utf-8").splitlines()
]

ROWS = ("..Y..", ".GG.Y", "GGGGG")
GRID = "⬛⬛🟨⬛⬛\n⬛🟩🟩⬛🟨\n🟩🟩🟩🟩🟩"
SHARE = f"Wordle 243 3/6\n\n{GRID}"
PALETTES = {
    "dark": "⬛🟨🟩",
    "light": "⬜🟨🟩",
    "contrast dark": "⬛🟦🟧",
    "contrast light": "⬜🟦🟧",
}
NBSP, NARROW, THIN, FIGURE = "\u00a0", "\u202f", "\u2009", "\u2007"


def painted(rows, palette):
    return "\n".join(row.translate(str.maketrans(".YG", palette)) for row in rows)


def the_share(text):
    """The one share of a text that holds nothing else."""
    report = parse_shares(text)
    assert (len(report.shares), report.rejected) == (1, []), report
    return report.shares[0]


def the_reason(text):
    report = parse_shares(text)
    assert (len(report.rejected), report.shares) == (1, []), report
    return report.rejected[0][1]


def as_dict(share):
    return {**vars(share), "rows": list(share.rows)}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_collected_cases(case):
    report, expected = parse_shares(case["text"]), case["expected"]
    if "reject" in expected:
        assert report.shares == []
        assert [reason for _, reason in report.rejected] == [expected["reject"]]
    else:
        assert [as_dict(share) for share in report.shares] == expected.get("multi", [expected])
        assert report.rejected == []


def test_there_are_all_the_collected_cases():
    assert len(CASES) == 62 + 22


HEADERS = {
    # separators of thousands, in the locales' own digits too
    **{
        f"Wordle 1{sep}234 3/6": (1234, False)
        for sep in (",", ".", " ", NBSP, NARROW, THIN, FIGURE, "'", "’", "‘", "٬", "،", "，", "·", "")
    },
    "Wordle 12,345 3/6": (12345, False),
    "Wordle 1&nbsp;234 3/6": (1234, False),
    "Wordle 1&#8239;234 3/6": (1234, False),
    "Wordle 1&thinsp;234 3/6": (1234, False),
    "Wordle 1&#x2019;234 3/6": (1234, False),
    "Wordle ١٬٢٣٤ ٣/٦": (1234, False),
    "Wordle ۱۲۳۴ ۳/۶": (1234, False),
    "Wordle १,२३४ ३/६": (1234, False),
    "Ｗｏｒｄｌｅ　２４３　３／６": (243, False),
    "𝗪𝗼𝗿𝗱𝗹𝗲 𝟮𝟰𝟯 𝟯/𝟲": (243, False),
    "Wordle 2️⃣4️⃣3️⃣ 3️⃣/6️⃣": (243, False),
    "Wordle 0 3/6": (0, False),
    # ways to write the header
    **dict.fromkeys(
        (
            "WORDLE 243 3/6", "wordle #243 3/6", "#wordle #243 3/6", "#Wordle243 3/6",
            "Wordle: 243 3/6", "Wordle No. 243 3/6", "Wordle nº 243 3/6", "Wordle n.º 243 3/6",
            "Wordle № 243 3/6", "Wordle (243) 3/6", "Wordle 243: 3/6", "Wordle 243 - 3/6",
            "Wordle 243 — 3/6", "Wordle 243 (3/6)", "Wordle 243, 3/6", "Wordle 243 | 3/6",
            "Wordle 243\n3/6", "Wordle 243\n\n3/6", "Wordle\n243 3/6", "Wordle 243 3 / 6",
            "Wordle 243 3⁄6", "Wordle™ 243 3/6", "Wordle puzzle 243 3/6", "Wordle day 243: 3/6",
            "Wordle 243 (Feb 17) 3/6", "Wordle 243 2022-02-17 3/6", "Wordle 243 17/02/2022 3/6",
            "Wordle 243 3 of 6",
            "Wordle 243 3 out of 6",
            "Wordle 243 got it in 3/6", "Wordle 243\nScore: 3/6", "3/6 on Wordle 243",
            "I got 3/6 on Wordle 243", "Today's Wordle 243 3/6", "NYT Wordle 243 3/6",
            "P: Wordle 243 3/6", "Wordle 243 3/6!", "Wordle 243 3/6 😅", "Wordle 243 3/6🥵🥵",
            "Wordle 243 3/6 🟩 yes", "_Wordle 243 3/6_", "__Wordle 243 3/6__", "~Wordle 243 3/6~",
            "`Wordle 243 3/6`", "# Wordle 243 3/6", "- Wordle 243 3/6", "* Wordle 243 3/6",
            "Hm...Wordle 243 3/6", "“Wordle 243 3/6”", "> > Wordle 243 3/6", ">> Wordle 243 3/6",
            "<b>Wordle 243</b> 3/6", "Wordle 243 <b>3/6</b>", "Wordle\u200b 243\u2060 3/6",
            "Wor\u00addle 243 3/6", "\u202aWordle 243 3/6\u202c", "\u2068Wordle 243\u2069 3/6",
            "\u200fWordle 243 3/6", "\ufeffWordle 243 3/6", "\u061cWordle 243 3/6",
            "*Wordle 243 3/6*", "**Wordle 243 3/6**", "***Wordle 243 3/6***", "*Wordle* 243 3/6",
            "Wordle *243* 3/6", "**Wordle 243** **3/6**", "Wordle 243 **3/6**", "*Wordle 243 3/6",
        ),
        (243, False),
    ),
    # the star of hard mode
    **dict.fromkeys(
        (
            "Wordle 243 3/6*", "Wordle 243 3/6 *", "Wordle 243 3/6＊", "Wordle 243 3/6∗",
            "Wordle 243 3/6✱", "Wordle 243 3/6\\*", "Wordle 243 3/6&ast;", "Wordle 243 3/6&#42;",
            "Wordle 243 *3/6", "Wordle 243 (3/6*)", "Wordle 243 (3/6)*", "Wordle 243 3/6*!",
            "**Wordle 243 3/6***", "**Wordle 243 3/6\\***", "*Wordle 243 3/6**", "* Wordle 243 3/6*",
            "_Wordle 243 3/6*_", "Wordle 243 3/6🔥*", "Wordle 243 3/6\ufe0f*", "> Wordle 243 3/6*",
            "*Wordle* 243 3/6*", "<b>Wordle 243 3/6*</b>", "Wordle 243 3/6\u200e*", "3/6* Wordle 243",
        ),
        (243, True),
    ),
}  # fmt: skip


@pytest.mark.parametrize("header", HEADERS)
def test_headers(header):
    puzzle, hard = HEADERS[header]
    assert the_share(f"{header}\n\n{GRID}") == Share(puzzle, "3", hard, ROWS)
    assert the_share(f"Look at this!\n{header}\nnot bad\n{GRID}\nbye") == Share(
        puzzle, "3", hard, ROWS
    )


@pytest.mark.parametrize("x", ["X", "x", "Ｘ", "Х", "х", "×"])
def test_not_solved(x):
    grid = "\n".join(["⬛🟨⬛⬛🟩"] * 6)
    assert the_share(f"Wordle 243 {x}/6\n{grid}") == Share(243, "X", False, (".Y..G",) * 6)
    assert the_share(f"Wordle 243 {x}/6*\n{grid}").hard


def twice(text):
    return text.replace("&", "&amp;")


def as_json(text):
    return json.dumps(text)[1:-1]


def entities(text, form):
    return "".join(c if c.isascii() and c != "\n" else form(ord(c)) for c in text)


LOOKS = {
    "CRLF": SHARE.replace("\n", "\r\n"),
    "CR": SHARE.replace("\n", "\r"),
    "NEL": SHARE.replace("\n", "\x85"),
    "line separators": SHARE.replace("\n", "\u2028"),
    "paragraph separators": SHARE.replace("\n", "\u2029"),
    "vertical tabs": SHARE.replace("\n", "\v"),
    "blank lines": SHARE.replace("\n", "\n\n\n"),
    "one line": SHARE.replace("\n", " "),
    "no breaks": SHARE.replace("\n", ""),
    "no breaks in the grid": "Wordle 243 3/6\n" + GRID.replace("\n", ""),
    "some breaks": "Wordle 243 3/6\n⬛⬛🟨⬛⬛⬛🟩🟩⬛🟨\n🟩🟩🟩🟩🟩",
    "cells apart": "Wordle 243 3/6\n" + re.sub("([⬛🟨🟩])", r"\1 ", GRID),
    "cells far apart": "Wordle 243 3/6\n" + re.sub("([⬛🟨🟩])", "\\1\u3000 ", GRID),
    "cells apart by tabs": "Wordle 243 3/6\n" + re.sub("([⬛🟨🟩])", "\\1\t", GRID),
    "cells joined": "Wordle 243 3/6\n" + re.sub("([⬛🟨🟩])", "\\1\u200d", GRID),
    "cells isolated": "Wordle 243 3/6\n" + re.sub("([⬛🟨🟩])", "\u2068\\1\u2069", GRID),
    "emoji style": "Wordle 243 3/6\n" + re.sub("([⬛🟨🟩])", "\\1\ufe0f", GRID),
    "text style": "Wordle 243 3/6\n" + re.sub("([⬛🟨🟩])", "\\1\ufe0e", GRID),
    "other greys": SHARE.replace("⬛", "◼️"),
    "small greys": SHARE.replace("⬛", "▪️"),
    "both greys": SHARE.replace("⬛🟩🟩⬛", "⬜🟩🟩⬛").replace("⬛⬛🟨", "⬜⬛🟨"),
    "a palette a row": "Wordle 243 3/6\n⬜⬜🟨⬜⬜\n⬛🟧🟧⬛🟦\n🟩🟩🟩🟩🟩",
    "text on the rows' lines": "Wordle 243 3/6\n⬛⬛🟨⬛⬛ crane\n⬛🟩🟩⬛🟨 ouch!\n🟩🟩🟩🟩🟩 could",
    "text before the rows": "Wordle 243 3/6\ncrane ⬛⬛🟨⬛⬛\nsound:⬛🟩🟩⬛🟨\nwin 🟩🟩🟩🟩🟩",
    "cells in a table": "Wordle 243 3/6\n" + re.sub("([⬛🟨🟩])", r"| \1 ", GRID),
    "per cent": "Wordle 243 3/6\n⬛⬛🟨⬛⬛ 45%\n⬛🟩🟩⬛🟨 87%\n🟩🟩🟩🟩🟩 100%",
    "numbered rows": "Wordle 243 3/6\n1. ⬛⬛🟨⬛⬛\n2. ⬛🟩🟩⬛🟨\n3. 🟩🟩🟩🟩🟩",
    "named rows": "Wordle 243 3/6\nLine 1: ⬛⬛🟨⬛⬛\nLine 2: ⬛🟩🟩⬛🟨\nLine 3: 🟩🟩🟩🟩🟩",
    "counted rows": "Wordle 243 3/6\n⬛⬛🟨⬛⬛ 1/6\n⬛🟩🟩⬛🟨 2/6\n🟩🟩🟩🟩🟩 3/6",
    "addresses": "Wordle 243 3/6\n⬛⬛🟨⬛⬛ https://t.example/a?b=1\n⬛🟩🟩⬛🟨\n🟩🟩🟩🟩🟩 http://x.example/2/6",
    "chatter between": "Wordle 243 3/6\nhello\n⬛⬛🟨⬛⬛\nwhy\n⬛🟩🟩⬛🟨\nyes: 2 letters\n🟩🟩🟩🟩🟩",
    "a score in the chatter": "Wordle 243 3/6\nyesterday I had 5/6\n" + GRID,
    "another number in the chatter": "Wordle 243 3/6\nharder than Wordle 242\n" + GRID,
    "the same number in the chatter": SHARE + "\nWordle 243 was fun",
    "a question before": "Did you see Wordle 243? " + SHARE,
    "a header twice": "Subject: Wordle 243 3/6\n\n" + SHARE,
    "squares in the chatter": SHARE + "\n\nThree 🟩🟩🟩 at once, then 🟩🟩🟩🟩🟩 by luck",
    "the grid first": f"{GRID}\nWordle 243 3/6",
    "the score last": f"Wordle 243\n{GRID}\n3/6",
    "mail": "> " + SHARE.replace("\n", "\n> "),
    "mail in mail": "> > " + SHARE.replace("\n", "\n> > "),
    "old mail": "On Mon, 1/2/22 at 9:15, A <a@b.example> wrote:\n>" + SHARE.replace("\n", "\n>"),
    "quoted-printable": "".join(
        c if c.isascii() else "".join(f"={b:02X}" for b in c.encode()) for c in SHARE
    ),
    "quoted-printable, folded": "".join(
        c if c.isascii() else "".join(f"={b:02X}" for b in c.encode()) for c in SHARE
    ).replace("=E2=AC=9B=E2", "=E2=AC=9B=\n=E2"),
    "an address's query": "https://x.example/intent?text=" + urllib.parse.quote(SHARE),
    "WhatsApp, iOS": f"[17/02/2022, 08:03:12] Ann: {SHARE}\n[17/02/2022, 08:05:00] Bob: 4/6 me",
    "WhatsApp, Android": f"2/17/22, 8:03 AM - Ann: {SHARE}\n2/17/22, 8:04 AM - Bob: nice",
    "WhatsApp, German": f"17.02.22, 08:03 - Ann: {SHARE}",
    "Telegram": f"Ann, [17.02.22 08:03]\n{SHARE}\n\nBob, [17.02.22 08:04]\nwow",
    "Discord": f"Ann — Today at 8:03 AM\n{SHARE}\nBob — Today at 8:04 AM\n1/6 someday",
    "Signal": f"Ann (08:03): {SHARE}",
    "IRC": "[08:03] <ann> Wordle 243 3/6\n" + "".join(
        f"[08:03] <ann> {row}\n" for row in GRID.split("\n")),
    "code fence": f"```text\n{SHARE}\n```",
    "spoiler": "Wordle 243 3/6\n||" + GRID.replace("\n", "||\n||") + "||",
    "HTML paragraphs": "<p>Wordle 243 3/6</p><p>" + GRID.replace("\n", "</p><p>") + "</p>",
    "HTML divs": '<div dir="auto">Wordle 243 3/6</div><div>' + GRID.replace("\n", "</div><div>"),
    "HTML breaks": SHARE.replace("\n", "<br />"),
    "HTML upper case": SHARE.replace("\n", "<BR>"),
    "HTML list": "<h1>Wordle 243 3/6</h1><ul><li>" + GRID.replace("\n", "</li><li>") + "</ul>",
    "HTML table": "Wordle 243 3/6<table><tr>" + "</tr><tr>".join(
        "".join(f"<td>{c}</td>" for c in row) for row in GRID.split("\n")) + "</tr></table>",
    "HTML pictures": "Wordle 243 3/6<br>" + re.sub(
        "([⬛🟨🟩])", r'<img class="emoji" alt="\1" src="a.png"/>', GRID).replace("\n", "<br>"),
    "decimal entities": entities(SHARE, "&#{};".format),
    "hex entities": entities(SHARE, "&#x{:x};".format),
    "hex entities, upper case": entities(SHARE, "&#X{:X};".format),
    "entities of surrogates": SHARE.replace("🟩", "&#55357;&#57321;").replace("🟨", "&#55357;&#57320;"),
    "entities twice": twice(entities(SHARE, "&#x{:x};".format)),
    "entities three times": twice(twice(entities(SHARE, "&#{};".format))),
    "tags as entities": SHARE.replace("\n", "&lt;br&gt;"),
    "named entities": SHARE.replace("\n", "&NewLine;").replace(" 3/6", "&nbsp;3&sol;6"),
    "JSON text": json.dumps(SHARE),
    "JSON text, plain": json.dumps(SHARE, ensure_ascii=False),
    "JSON inside": as_json(SHARE),
    "JSON twice": as_json(as_json(SHARE)),
    "JSON object": json.dumps({"id": 17, "text": SHARE, "likes": 3, "user": {"name": "Ann"}}),
    "JSON list": json.dumps([{"a": None}, [SHARE], 1.5, True]),
    "JSON lines": json.dumps({"text": "hello"}) + "\n" + json.dumps({"text": SHARE}) + "\n",
    "JSON, indented": json.dumps({"messages": [{"content": SHARE}]}, indent=2),
    "JSON of lines": json.dumps({"lines": SHARE.split("\n")}),
    "JSON with HTML": json.dumps({"content": SHARE.replace("\n", "<br>")}),
    "JSON, Telegram's": json.dumps({
        "text": [{"type": "hashtag", "text": "#Wordle"}, f" 243 3/6\n\n{GRID}"],
        "text_entities": [{"type": "plain", "text": SHARE}]}),
    "JSON, Slack's": json.dumps({"text": SHARE, "blocks": [{"text": {"text": SHARE}}]}),
    "JSON, broken off": '{"text": "' + as_json(SHARE) + '", "user": {',
    "code point escapes": SHARE.replace("🟩", "\\u{1F7E9}").replace("🟨", "\\U0001F7E8"),
    "Python bytes": repr(SHARE.encode()),
    "Python text": repr([SHARE]),
    "lone halves": SHARE.encode("utf-16", "surrogatepass").decode("utf-16").replace(
        "🟩", "\ud83d\udfe9"),
}  # fmt: skip


@pytest.mark.parametrize("look", LOOKS)
def test_looks(look):
    assert the_share(LOOKS[look]) == Share(243, "3", False, ROWS)


SHORTCODES = {
    "Slack": (":black_large_square:", ":large_yellow_square:", ":large_green_square:"),
    "Slack, light": (":white_large_square:", ":large_yellow_square:", ":large_green_square:"),
    "Slack, contrast": (":black_large_square:", ":large_blue_square:", ":large_orange_square:"),
    "Discord": (":black_large_square:", ":yellow_square:", ":green_square:"),
    "Discord, own": (
        "<:grey_square:901234567>",
        "<:yellow_square:9012345>",
        "<a:green_square:90123>",
    ),
    "Discourse": (":black_medium_square:", ":yellow_square:", ":green_square:"),
    "contrast": (":white_medium_square:", ":blue_square:", ":orange_square:"),
    "upper case": (":Black_Large_Square:", ":Yellow_Square:", ":Green_Square:"),
    "hyphens": (":black-large-square:", ":yellow-square:", ":green-square:"),
    "one word": (":blacksquare:", ":yellowsquare:", ":greensquare:"),
    "Teams": ("(blacksquare)", "(yellowsquare)", "(greensquare)"),
    "words": ("[black square]", "[yellow square]", "[green square]"),
}


@pytest.mark.parametrize("gap", ["", " ", "  ", NBSP])
@pytest.mark.parametrize("tool", SHORTCODES)
def test_shortcodes(tool, gap):
    codes = dict(zip(".YG", SHORTCODES[tool], strict=True))
    grid = "\n".join(gap.join(codes[cell] for cell in row) for row in ROWS)
    assert the_share(f"Wordle 243 3/6\n{grid}") == Share(243, "3", False, ROWS)
    assert the_share(f"08:15 Ann: look: Wordle 243 3/6\n{grid} :tada:").rows == ROWS


SPOKEN = {
    "Nothing.": ".....",
    "nothing": ".....",
    "None correct.": ".....",
    "no letters correct": ".....",
    "Fully wrong.": ".....",
    "All wrong!": ".....",
    "all grey": ".....",
    "Won!": "GGGGG",
    "got it!": "GGGGG",
    "Solved!": "GGGGG",
    "all perfect": "GGGGG",
    "Perfect!": "GGGGG",
    "All correct!": "GGGGG",
    "Correct word!": "GGGGG",
    "all green": "GGGGG",
    "1st, 2nd, 3rd, 4th and 5th perfect!": "GGGGG",
    "all the correct letters but in the wrong order.": "YYYYY",
    "all correct but in the wrong place": "YYYYY",
    "All letters misplaced.": "YYYYY",
    "all in the wrong place.": "YYYYY",
    "2nd and 4th correct but in the wrong place.": ".Y.Y.",
    "3rd correct but in the wrong place.": "..Y..",
    "2nd is correct but in the wrong position": ".Y...",
    "1st and 3rd are perfect.": "G.G..",
    "1st, 2nd and 3rd perfect!": "GGG..",
    "5th is perfect.": "....G",
    "1st is perfect but 3rd and 5th are in the wrong place.": "G.Y.Y",
    "2nd perfect, but 3rd and 5th in the wrong place.": ".GY.Y",
    "1st perfect, but 2nd and 4th correct but in the wrong place.": "GY.Y.",
    "1st and 2nd in the wrong place but 5th is perfect": "YY..G",
    "First and third are in the right place; fifth is in the wrong spot.": "G.G.Y",
    "All perfect except 4th": "GGG.G",
    "all but the 1st perfect": ".GGGG",
    "Letters 2, 4 misplaced. Letter 1 correct.": "GY.Y.",
    "Letter 3 misplaced.": "..Y..",
    "Letters 1, 2, 3, 5 correct.": "GGG.G",
    "green 1st and 2nd, yellow 4th": "GG.Y.",
    "Perfect: 1st, 3rd. Wrong place: 2nd.": "GYG..",
    "1st green, 2nd grey, 3rd yellow": "G.Y..",
    "grey, grey, yellow, grey, green": "..Y.G",
    "absent, present, correct, absent, absent": ".YG..",
}


@pytest.mark.parametrize("end", [".", "", "\r", "<br>"])
@pytest.mark.parametrize("head", ["Line {}: ", "line {}:", "Row {}: ", "Guess #{}: ", "Line {} - "])
@pytest.mark.parametrize("said", SPOKEN)
def test_lines_for_screen_readers(said, head, end):
    row = SPOKEN[said]
    lines = [said, "Won!"] if row != "GGGGG" else [said]
    text = f"Wordle 589 {len(lines)}/6\n\n" + "\n".join(
        head.format(n) + line + end for n, line in enumerate(lines, 1)
    )
    assert the_share(text).rows == tuple(
        [row, "GGGGG"][2 - len(lines) - (row == "GGGGG") :][:1]
    ) + (("GGGGG",) if len(lines) == 2 else ())


def test_lines_without_breaks_and_with_the_squares_below():
    said = "Line 1: 3rd correct but in the wrong place.Line 2: 2nd and 3rd perfect, but 5th in the "
    said += "wrong place.Line 3: Won!"
    assert the_share("Wordle 243 3/6 " + said).rows == ROWS
    assert the_share(f"Wordle 243 3/6\n{said}\n\n{GRID}").rows == ROWS
    alt = "Wordle #243. Guessed in 3 tries.\nGuess #1: Letter 3 misplaced.\n"
    alt += "Guess #2: Letter 5 misplaced. Letters 2, 3 correct.\nGuess #3: Correct word!"
    assert the_share(alt) == Share(243, "3", False, ROWS)


OTHERS = [
    "Daily Dordle #0023 3&5/7", "Daily Quordle 25", "Daily Octordle #12", "Sedecordle #12",
    "#Worldle #12 3/6 (100%)", "#Heardle #12", "Framed #12", "#waffle12 3/5", "Absurdle 3/∞",
    "Lewdle 🍆 12 3/6", "Sweardle #12 3/4", "Termo #19 3/6", "joguei term.ooo #19 3/6 *",
    "Sanuli #40 3/6", "Wordle (ES) #12 3/6", "La palabra del día #12 3/6", "Wördl #12 3/6",
    "Le Mot (@WordleFR) #12 3/6", "Wordle-IT 12 3/6", "Wordle DE 12 3/6", "Wordle 🇪🇸 12 3/6",
    "Wordle+ 12 3/6", "Wordle Unlimited 3/6", "Wordle Archive 12 3/6", "Hurdle 12 3/6",
    "Canuckle 12 3/6", "WordleBot 243 3/6", "wordle.de 12 3/6", "Wordle2 345 3/6",
    "Wordle2 34 3/6", "wordle-fr #12 3/6", "Antiwordle #12 3/6", "Anti-Wordle 12 3/6",
    "Par🇮🇹le 12 3/6", "Woordle 12 3/6", "nerdlegame 12 3/6", "Primel 12 3/6", "Taylordle 12 3/6",
    "Squaredle 12 3/6", "Wordle Español #12 3/6", "Wordle en français 12 3/6",
    "Словль #12 3/6", "ことのはたんご 第120回 3/10", "꼬들 12 3/6", "וורדל 12 3/6", "015 (3/6)",
    "Word Hurdle #12 3/6", "Wordle 12 ES 3/6", "Wordle 12 (FR) 3/6", "Word Master 3/6",
]  # fmt: skip


@pytest.mark.parametrize("title", OTHERS)
def test_other_games(title):
    assert the_reason(f"{title}\n\n{GRID}") == "other_game"
    report = parse_shares(f"{SHARE}\n\n{title}\n\n{GRID}\n\nWordle 244 3/6\n{GRID}")
    assert [share.puzzle for share in report.shares] == [243, 244]
    assert [reason for _, reason in report.rejected] == ["other_game"]


REFUSED = {
    "no_puzzle_number": [
        GRID, f"My grid:\n{GRID}", f"Wordle 3/6\n{GRID}", f"3/6\n{GRID}", f"Wordle\n{GRID}",
        f"today I got it in 3!\n\n{GRID}", f"I got 3/6\n{GRID}", f"Wordle today 3/6\n{GRID}",
        f"Ann: 3/6\n{GRID}", f"Wordle: 3/6\n{GRID}",
    ],
    "no_grid": [
        "Wordle 243 3/6", "Wordle 243 X/6 see picture", "#Wordle 243 3/6*\n[image]", "Wordle 243",
        "I loved Wordle 243!", "Wordle 1,243 4/6 https://x.example/p.png", "Wordle 243 3/6\n\n\n",
        "#Wordle 694\n1: 1%\n2: 🟩 5%\n3: 🟩🟩🟩🟩 19%\n4: 🟩🟩🟩🟩🟩 24%\nX: 2%",
        "Wordle 243 stats\n3: 🟩🟩🟩 19 %\n4: 🟩🟩🟩🟩🟩🟩 (29%)", '{"text": "Wordle 243 3/6"}',
    ],
    "bad_score": [
        f"Wordle 243 {score}\n{GRID}"
        for score in ("0/6", "7/6", "10/6", "3/7", "3/5", "?/6", "-/6", "33/6", "3/66", "")
    ],
    "row_count_mismatch": [
        SHARE.replace("3/6", "4/6"), SHARE.replace("3/6", "2/6").replace("⬛⬛🟨⬛⬛\n", "⬛⬛🟨⬛⬛\n"),
        SHARE.replace("3/6", "X/6"), "Wordle 243 1/6\n⬛⬛🟨⬛⬛\n🟩🟩🟩🟩🟩",
        "Wordle 243 4/6\n⬛⬛🟨⬛⬛\n⬛🟩🟩⬛🟨\n⬛🟩…", "Wordle 243 4/6\n⬛⬛🟨⬛⬛\n⬛🟩🟩⬛🟨\n⬛🟩...",
        "Wordle 243 5/6 ⬛⬛🟨⬛⬛ ⬛🟩🟩⬛🟨 🟩… https://x.example/1", "Wordle 243 2/6\n🟩🟩🟩🟩🟩",
        "Wordle 243 4/6\nLine 1: Nothing.\nLine 2: Won!", "Wordle 243 4/6\n🟥🟩…",
    ],
    "too_many_rows": [
        f"Wordle 243 {score}\n" + "⬛⬛⬛⬛🟨\n" * n + "🟩🟩🟩🟩🟩"
        for score in ("6/6", "X/6", "4/6") for n in (6, 7, 9)
    ],
    "rows_after_solve": [
        "Wordle 243 3/6\n🟩🟩🟩🟩🟩\n⬛⬛🟨⬛⬛\n⬛🟩🟩⬛🟨", "Wordle 243 2/6\n🟩🟩🟩🟩🟩\n🟩🟩🟩🟩🟩",
        "Wordle 243 3/6\n⬛⬛🟨⬛⬛\n🟩🟩🟩🟩🟩\n🟩🟩🟩🟩🟩", "Wordle 243 4/6\n🟧🟧🟧🟧🟧\n⬛⬛🟦⬛⬛",
        "Wordle 243 X/6\n" + "🟩🟩🟩🟩🟩\n" * 6, "Wordle 243 3/6 ⬛⬛🟨⬛⬛ 🟩🟩🟩🟩🟩 ⬛⬛🟨⬛⬛",
        "Wordle 243 2/6\n⬛⬛🟨⬛⬛\n🟩🟩🟩🟩🟩\n⬛⬛🟨⬛⬛", "Wordle 243 3/6⬛⬛🟨⬛⬛🟩🟩🟩🟩🟩⬛⬛🟨⬛⬛",
        "Wordle 243 3/6\nLine 1: Won!\nLine 2: Nothing.\nLine 3: Nothing.",
        "Wordle 243 3/6\n🟩🟩🟩🟩🟩 yes\n⬛⬛🟨⬛⬛ hm\n⬛🟩🟩⬛🟨 oh",
    ],
    "score_grid_conflict": [
        "Wordle 243 2/6\n⬛⬛🟨⬛⬛\n⬛🟩🟩⬛🟨", "Wordle 243 1/6\n⬛⬛🟨⬛⬛",
        "Wordle 243 X/6\n" + "⬛⬛🟨⬛⬛\n" * 5 + "🟩🟩🟩🟩🟩", "Wordle 243 6/6\n" + "⬛⬛🟨⬛⬛\n" * 6,
        "Wordle 243 2/6*\n⬜⬜🟦⬜⬜\n⬜🟧🟧⬜🟦", "Wordle 243 x/6\n" + "⬜⬜⬜⬜⬜\n" * 5 + "🟧🟧🟧🟧🟧",
        "Wordle 243 2/6⬛⬛🟨⬛⬛⬛🟩🟩⬛🟨", "Wordle 243 1/6\nLine 1: Nothing.",
    ],
    "wrong_width": [
        SHARE.replace("⬛⬛🟨⬛⬛", "⬛⬛🟨⬛"), SHARE.replace("⬛⬛🟨⬛⬛", "⬛⬛🟨⬛⬛⬛"),
        SHARE.replace("🟩🟩🟩🟩🟩", "🟩🟩🟩🟩"), "Wordle 34 2/6\n⬛⬛🟨⬛⬛⬛\n🟩🟩🟩🟩🟩🟩",
        "Wordle 34 2/6\n⬛⬛🟨⬛\n🟩🟩🟩🟩", "Wordle 34 2/6\n⬛⬛🟨⬛⬛⬛⬛\n🟩🟩🟩🟩🟩🟩🟩",
        "Wordle 243 3/6 ⬛⬛🟨⬛ ⬛⬛🟩🟩⬛🟨 🟩🟩🟩🟩🟩", "Wordle 243 3/6⬛⬛🟨⬛⬛⬛🟩🟩⬛🟨🟩🟩🟩🟩",
        "Wordle 34 2/6\n⬛⬛⬛⬛🟨🟨⬛⬛⬛⬛\n🟩🟩🟩🟩🟩🟩🟩🟩🟩🟩", "Wordle 243 2/6\n⬛ ⬛ 🟨 ⬛\n🟩 🟩 🟩 🟩 🟩",
    ],
    "corrupt_tiles": [
        "Wordle 243 2/6\n?????\n?????", "Wordle 243 2/6\n??????????\n??????????",
        "Wordle 243 2/6\n�����\n�����", SHARE.replace("🟨", "�"), SHARE.replace("🟩🟩⬛", "🟩?⬛"),
        "Wordle 243 3/6\n" + GRID.encode().decode("cp1252", "replace"),
        "Wordle 243 3/6\n" + GRID.encode().decode("latin-1"), SHARE.replace("🟨", "\ud83d"),
        "Wordle 243 2/6\n> ?????\n> ?????", SHARE.replace("🟨", "\\ud83d"),
    ],
    "unknown_tiles": [
        SHARE.translate(str.maketrans("⬛🟨🟩", cells))
        for cells in ("⚫🟡🟢", "⚪🟡🟢", "🖤💛💚", "🟥🟨🟩", "🟫🟪🟩", "⬛🟡🟩", "🌑🌓🌕", "❌🔶✅",
                      "🍏🍋🖤", "🔲🟪🟩")
    ] + ["Wordle 243 2/6\n:black_circle:" + ":green_circle:" * 4 + "\n" + ":green_circle:" * 5],
    "ambiguous_palette": [
        SHARE.replace("⬛🟩🟩⬛🟨", row)
        for row in ("⬛🟩🟧⬛🟨", "⬛🟩🟩⬛🟦", "⬛🟧🟧⬛🟨", "🟦🟨⬛⬛⬛", "🟦🟨🟧🟩⬛", "🟩🟧⬛⬛⬛", "⬜🟦⬛🟨⬛",
                    "🟨🟦🟨🟦🟨", "🟧🟩🟧🟩🟧", "⬜🟨⬜⬜🟧")
    ],
    "impossible_row": [
        SHARE.replace("⬛🟩🟩⬛🟨", row)
        for row in ("🟩🟩🟩🟩🟨", "🟨🟩🟩🟩🟩", "🟩🟨🟩🟩🟩", "🟧🟧🟦🟧🟧", "🟩 🟩 🟩 🟨 🟩")
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    "text,reason", [(text, reason) for reason, texts in REFUSED.items() for text in texts]
)
def test_refusals(text, reason):
    assert the_reason(text) == reason


def test_every_reason_is_explained_and_tested():
    assert set(REFUSED) | {"other_game"} == set(REASONS)


def test_a_bad_share_does_not_lose_the_others():
    texts = [
        SHARE,
        *(texts[0] for reason, texts in REFUSED.items() if reason != "no_puzzle_number"),
    ]
    report = parse_shares("\n\nand then\n\n".join([*texts, "Wordle 1,300 3/6\n" + GRID]))
    assert [share.puzzle for share in report.shares] == [243, 1300]
    assert [r for _, r in report.rejected] == [r for r in REFUSED if r != "no_puzzle_number"]


def test_several_people():
    report = parse_shares(f"Ann: {SHARE}\n\nBob: {SHARE.replace('3/6', '3/6*')}\nCy: {SHARE}")
    assert [(share.puzzle, share.hard) for share in report.shares] == [
        (243, False), (243, True), (243, False),
    ]  # fmt: skip
    report = parse_shares(f"{SHARE}\nand mine:\n{GRID}")
    assert [share.rows for share in report.shares] == [ROWS]
    assert [reason for _, reason in report.rejected] == ["no_puzzle_number"]


def test_excerpts_are_bounded_and_show_the_text():
    report = parse_shares("Wordle 243 <b>4/6</b> " + "very long " * 1000)
    ((excerpt, reason),) = report.rejected
    assert reason == "no_grid"
    assert excerpt.startswith("Wordle 243 4/6 very long")
    assert len(excerpt) <= EXCERPT


@pytest.mark.parametrize("text", ["", " \n", "hello", "a 3/6 chance", "wordle", "🟩 nice", "12/31"])
def test_nothing_is_nothing(text):
    report = parse_shares(text)
    assert (report.shares, report.rejected) == ([], [])


def test_a_grid_of_another_width_is_of_another_game():
    assert (
        the_reason("Connections\nPuzzle #234\n🟨🟨🟨🟨\n🟩🟩🟩🟩\n🟦🟦🟦🟦\n🟪🟪🟪🟪")
        == "other_game"
    )


def test_bytes_are_refused():
    with pytest.raises(TypeError, match="decode"):
        parse_shares(b"Wordle 243 3/6")


rows = st.text(".YG", min_size=5, max_size=5).filter(
    lambda row: sorted(row) != sorted("GGGGY") and row != "GGGGG"
)
grids = st.one_of(
    st.lists(rows, max_size=5).map(lambda before: (*before, "GGGGG")),
    st.lists(rows, min_size=6, max_size=6).map(tuple),
)


@settings(deadline=None)
@given(
    grids,
    st.integers(0, 99_999),
    st.booleans(),
    st.sampled_from(sorted(PALETTES)),
    st.sampled_from(["\n", "\r\n", "\n\n", "<br>", "\\n", "\u2028", " ", "\n> "]),
    st.sampled_from(["", ",", ".", NBSP, "’"]),
    st.text("abc ,.!\n😀éß", max_size=30),
)
def test_round_trip(grid, puzzle, hard, palette, newline, separator, chatter):
    score = str(len(grid)) if grid[-1] == "GGGGG" else "X"
    number = f"{puzzle:,}".replace(",", separator)
    text = f"Wordle {number} {score}/6{'*' * hard}\n\n{painted(grid, PALETTES[palette])}"
    wanted = Share(puzzle, score, hard, grid)
    assert the_share(text.replace("\n", newline)) == wanted
    assert the_share(f"{chatter}\n{text}\n{chatter}") == wanted


BESIDE = [
    "Wordle 243 17 February 2022 3/6", "Wordle 243 Tuesday, Feb 17th 3/6", "Wordle 243 (Feb 17) 3/6",
    "Wordle 243 am 17. Februar 3/6", "Wordle 243 02/17/22 3/6", "Wordle 243 Streak: 45 3/6",
    "Wordle 243 WordleBot: Skill 93/99, Luck 83/99 3/6", "Wordle 243 Day 12 3/6",
    "Wordle 243 3/6\nSkill 90, Luck 55", "Wordle 243 3/6 took 12 minutes",
    "Wordle 243 3/6\nI give it 7/10, Quordle 25 was worse", "Wordle 243 3/6\nThat's 2/3 this week",
    "Wordle 243 3/6\nmy Worldle #244 was 3/6 too", "Hello Wordle 243 3/6",
    "Wordle: #243 2022-02-17\nAttempts: 3", "Wordle 243 solved in 3",
]  # fmt: skip


@pytest.mark.parametrize("header", BESIDE)
def test_dates_bots_and_chatter_beside_the_score(header):
    assert the_share(f"{header}\n\n{GRID}") == Share(243, "3", False, ROWS)


@pytest.mark.parametrize(
    "said",
    ["failed", ": FAIL", " - did not solve", "lost", "DNF", "X of 6", "couldn't get it",
     "failed in 6", "\nGuesses: X", ". All guesses incorrect."],
)  # fmt: skip
def test_failures_in_words(said):
    grid = "\n".join(["⬛🟨⬛⬛🟩"] * 6)
    assert the_share(f"Wordle 243 {said}\n{grid}") == Share(243, "X", False, (".Y..G",) * 6)


@pytest.mark.parametrize("name", ["Not Wordle", "Evil Wordle", "Spanish Wordle", "NotWordle"])
def test_clones_whose_name_contains_the_name(name):
    assert the_reason(f"{name} 22 3/6\n\n{GRID}") == "other_game"
    assert the_reason(f"{name}: #724 3/6\n{GRID}") == "other_game"


PIECES = [
    "Wordle", " ", "243", "1,234", " 3/6", "*", "\n", GRID, "⬛", "🟩🟩", "🟥", ":green_square:",
    "Line 1: ", "1st perfect", "<br>", "<img alt='🟩'>", "&#x2B1B;", "&amp;", "\\n", "\\ud83d",
    "\ud83d", "\udfe9", "\ufffd", "????", "{", "[", '"', "}", "]", "…", "%F0%9F", "=E2=AC=9B",
    "Quordle 12", "#", "(", ")", "x/6", "9" * 5000, "&#" + "9" * 5000, "\u202e", "\x00", "İ", "ẞ",
]  # fmt: skip


@settings(max_examples=300, deadline=None)  # a busy machine is no defect
@given(
    st.one_of(st.text(max_size=200), st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
)
def test_no_text_raises_and_what_is_read_is_sound(text):
    report = parse_shares(text)
    for share in report.shares:
        assert set("".join(share.rows)) <= set(".YG")
        assert all(len(row) == 5 for row in share.rows)
        assert (share.rows[-1] == "GGGGG") == (share.score != "X")
        assert len(share.rows) == (6 if share.score == "X" else int(share.score))
        assert 0 <= share.puzzle < 100_000
    for excerpt, reason in report.rejected:
        assert reason in REASONS
        assert len(excerpt) <= EXCERPT


JUNK = [
    "⬛", "⬛ ", "⬛.", "1", "1 ", "3/6 ", "x/6 ", "5/6\n⬛⬛⬛\n", "Wordle ", "Wordle 1 ", "[", "{", "(",
    "Wordle 243 4/6 ", "Wordle 1 (a)(b)", "Wordle 1’", "\\", "\\u", "&", "&#9", "&amp;", "<", "<a ",
    ":square", ":a", "?", "line 1: 1st ", "letter 1, ", "a b ", "word #1 ", "\n", " ", "*", "_",
    "Wordle 1 1/6 🟩🟩🟩🟩🟩 a ⬛⬛⬛⬛⬛\n", "\\x", "%F0", "🍏", "\ud83d", "Wordle 1 a-", '"" ', "{}\n",
]  # fmt: skip


def steps(text):
    """Lines of Python that parsing takes: a count, so that no clock decides the test."""
    import sys

    count = 0

    def tracer(frame, event, _):
        nonlocal count
        count += event == "line"
        return tracer

    old = sys.gettrace()
    sys.settrace(tracer)
    try:
        parse_shares(text)
    finally:
        sys.settrace(old)
    return count


@pytest.mark.parametrize("unit", JUNK)
def test_steps_grow_with_the_length(unit):
    short, long = (steps(unit * (n // len(unit))) for n in (1_000, 4_000))
    assert long <= 4.5 * short + 200
