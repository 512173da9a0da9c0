"""Make the chat of an invented family in data/example-chat/, and tell the words behind it.

    python scripts/example_chat.py

Nothing in it is real: not the people, not their words, not the day's answers. The games are those
of `simulate_players`, each member with openers of their own; the words are drawn from the list of
2023. The same posts are kept as four exports would have them, with what such exports hold besides:
chatter, other games, quoted answers, a picture, a grid under a wrong number.
"""

import base64
import email.message
import json
import random
from datetime import date, datetime, timedelta
from pathlib import Path

import numpy as np

from wordgames import format_pattern, load_words, parse_pattern
from wordgames.grids.players import simulate_players

FOLDER = Path(__file__).resolve().parent.parent / "data" / "example-chat"
FIRST, PUZZLES, KNOWN = 1401, 44, 40  # the answers of the last four are for the reader to find
OPENERS = {
    "Ada": {"slate": 1},
    "Ben": {"adieu": 4, "audio": 1},
    "Cleo": {"crane": 3, "trace": 1},
    "Otto": {"house": 1},
}
CHATTER = (
    "good morning all", "so close again", "10/10 would guess again", "who is cooking on sunday?",
    "that one was mean", "well done!", "I did not dare", "4/6 for grandma, by phone",
)  # fmt: skip
# The smallest picture there is: one grey point.
PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg=="
)


def post(puzzle: int, rows: list[str], *, light: bool, hard: bool) -> str:
    """A grid as the game would share it."""
    score = len(rows) if rows[-1] == "GGGGG" else "X"
    style = "light" if light else "dark"
    squares = [format_pattern(parse_pattern(row), style=style) for row in rows]
    return "\n".join([f"Wordle {puzzle:,} {score}/6{'*' * hard}", "", *squares])


def games(answers: dict[int, str], words) -> dict[tuple[str, int], list[str]]:
    """The rows of each member's game of each puzzle."""
    played = {}
    for number, (member, openers) in enumerate(OPENERS.items()):
        weights = np.zeros(len(words.allowed))
        weights[words.indices(openers)] = list(openers.values())
        careless = 0.0 if member == "Ada" else 0.08  # Ada plays in hard mode
        found = simulate_players(
            list(answers.values()), 1, words, openers=weights, careless=careless, seed=number
        )
        played |= {(member, puzzle): found[answer][0] for puzzle, answer in answers.items()}
    return played


def main(folder: Path = FOLDER) -> dict[int, str]:
    """Write the files, and return the words that are for the reader to find."""
    words = load_words("wordle-nyt-2023")
    rng = random.Random(14)
    answers = dict(zip(range(FIRST, FIRST + PUZZLES), rng.sample(words.answers, PUZZLES)))  # noqa: B905
    played = games(answers, words)
    whatsapp, messenger, mails, page = [], [], [], []
    posted: dict[str, str] = {}
    for puzzle in answers:
        day = datetime.combine(date(2021, 6, 19) + timedelta(puzzle), datetime.min.time())
        for place, member in enumerate(OPENERS):
            if rng.random() < 0.15:
                continue
            rows, number = played[member, puzzle], puzzle
            if (member, puzzle) == ("Ben", FIRST + PUZZLES - 1):  # he played yesterday's once more
                rows = played[member, puzzle - 5]
            text = post(number, rows, light=member == "Cleo", hard=member == "Ada")
            time = day + timedelta(hours=7 + place, minutes=rng.randrange(60))
            if member == "Otto":
                mails.append((time, text, posted.get("Ada", "") if rng.random() < 0.2 else ""))
            elif puzzle < FIRST + 12:
                whatsapp.append((time, member, text))
            elif puzzle < FIRST + 26:
                messenger.append((time, member, text))
            else:
                page.append((time, member, text))
            posted[member] = text
            if rng.random() < 0.25 and member != "Otto":
                chat = (
                    whatsapp if puzzle < FIRST + 12 else messenger if puzzle < FIRST + 26 else page
                )
                other = rng.choice([name for name in OPENERS if name != "Otto"])
                chat.append((time + timedelta(minutes=3), other, rng.choice(CHATTER)))
    whatsapp.append((whatsapp[-1][0], "Ben", "<Media omitted>"))
    whatsapp.append((whatsapp[-1][0], "Cleo", "Daily Quordle 930\n5️⃣7️⃣\n4️⃣8️⃣\nquordle.com"))
    folder.mkdir(parents=True, exist_ok=True)
    write(folder, whatsapp, messenger, mails, page)
    known = [f"{puzzle},{answers[puzzle]}" for puzzle in list(answers)[:KNOWN]]
    (folder / "answers.csv").write_text("\n".join(["puzzle,answer", *known, ""]), encoding="utf-8")
    return {puzzle: answers[puzzle] for puzzle in list(answers)[KNOWN:]}


def write(folder: Path, whatsapp, messenger, mails, page) -> None:
    """The four exports and the picture."""
    lines = [f"[{t:%d/%m/%Y, %H:%M:%S}] {who}: {text}" for t, who, text in whatsapp]
    (folder / "whatsapp.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    # Messenger writes the bytes of UTF-8 as if each were a character.
    entries = [
        {
            "sender_name": who,
            "timestamp_ms": int((t - datetime(1970, 1, 1)) / timedelta(milliseconds=1)),
            "content": text.encode().decode("latin-1"),
        }
        for t, who, text in reversed(messenger)
    ]
    export = {
        "participants": [{"name": n} for n in OPENERS],
        "messages": entries,
        "title": "family",
    }
    (folder / "messenger.json").write_text(json.dumps(export, indent=1) + "\n", encoding="ascii")
    rows = [
        f"<div class=chatlog__message-group><span class=chatlog__author>{who}</span>\n"
        f"<span class=chatlog__timestamp>{t:%d-%b-%y %H:%M}</span>\n<div class=chatlog__content>"
        f"{as_pictures(text)}</div></div>"
        for t, who, text in page
    ]
    html = (
        "<!DOCTYPE html>\n<html lang=en>\n<title>family</title>\n" + "\n".join(rows) + "\n</html>\n"
    )
    (folder / "discord.html").write_text(html, encoding="utf-8")
    box = []
    for t, text, quoted in mails:
        mail = email.message.EmailMessage()
        mail["From"], mail["To"] = "Otto <otto@family.example>", "family@family.example"
        mail["Subject"], mail["Date"] = "my squares", t.strftime("%a, %d %b %Y %H:%M:%S +0000")
        below = "".join(f"\n> {line}" for line in quoted.split("\n")) if quoted else ""
        below = f"\n\nOn that morning Ada wrote:{below}" if quoted else ""
        mail.set_content(f"{text}{below}\n", cte="base64")
        mail.add_alternative(f"<p>{text.replace(chr(10), '<br>')}</p>\n", "html", cte="base64")
        mail.set_boundary(f"family-{t:%Y%m%d}")
        box.append(f"From otto@family.example {t:%a %b %d %H:%M:%S %Y}\n{mail.as_string()}\n")
    (folder / "otto.mbox").write_text("".join(box), encoding="ascii")
    (folder / "breakfast.png").write_bytes(PICTURE)


def as_pictures(text: str) -> str:
    """Text as Discord's pages have it: each emoji a picture."""
    return "".join(
        f"<img class=chatlog__emoji alt={c} src={ord(c):x}.svg>" if c in "⬛⬜🟨🟩" else c
        for c in text.replace("\n", "<br>\n")
    )


if __name__ == "__main__":
    for puzzle, answer in main().items():
        print(puzzle, answer)
