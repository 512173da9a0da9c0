"""Exports as chats, networks and phones write them: each post once, with who wrote it and when."""

# ruff: noqa: E501 - texts as they are

import base64
import email.message
import json

import pytest
from archives import zipped

from wordgames.emojle.messages import messages_of
from wordgames.emojle.share_files import read_shares
from wordgames.emojle.shares import Post, Share, parse_shares

GRID = "⬛⬛🟨⬛⬛\n⬛🟩🟩⬛🟨\n🟩🟩🟩🟩🟩"
TEXT = f"Wordle 1,503 3/6\n\n{GRID}"
SHARE = Share(1503, "3", False, ("..Y..", ".GG.Y", "GGGGG"))
HTML = "<p>" + TEXT.replace("\n\n", "</p><p>").replace("\n", "<br />") + "</p>"
REFUSED = "Sanuli #40 3/6\n\n" + GRID


def mail(text=TEXT, html=HTML, sender="Ann <ann@a.example>", **fields):
    message = email.message.EmailMessage()
    message["From"], message["Subject"] = sender, "today"
    message["Date"] = "Thu, 31 Jul 2025 08:00:00 +0000"
    for name, value in fields.items():
        message[name] = value
    message.set_content(text, cte="base64")
    if html:
        message.add_alternative(html, "html", cte="quoted-printable")
    return message


def forwarded():
    message = mail("see below\n", None, "Bob <bob@b.example>")
    message.add_attachment(mail())
    return message.as_string()


# Everything here is one post.
ONCE = {
    "plain and HTML keys": json.dumps({"body": TEXT, "formatted_body": HTML}),
    "raw and cooked": json.dumps({"posts": [{"raw": TEXT, "cooked": HTML}]}),
    "a post in two languages": json.dumps({"content": HTML, "contentMap": {"en": HTML, "de": HTML}}),
    "text and its pieces": json.dumps({"text": TEXT, "blocks": [{"elements": [{"text": TEXT}]}]}),
    "a deep copy": json.dumps([{"text": TEXT, "edit": {"history": [{"body": TEXT}, {"body": TEXT}]}}]),
    "a pinned message": json.dumps(
        {"messages": [{"from": "Ann", "text": TEXT}], "pinned": [{"from": "Ann", "text": TEXT}]}
    ),
    "a quoted answer": json.dumps(
        [{"from": "Ann", "text": TEXT}, {"from": "Bob", "text": "wow", "quote": {"text": TEXT}}]
    ),
    "an answer with its author": json.dumps(
        [
            {"user": {"name": "Ann"}, "text": TEXT},
            {"user": {"name": "B"}, "text": "!", "reply_to": {"user": {"name": "Ann"}, "text": TEXT}},
        ]
    ),
    "retweets": "\n".join(f"RT @ann: {TEXT}" for _ in range(3)),
    "a retweet in JSON": json.dumps(
        [{"full_text": f"RT @a: {TEXT}", "retweeted_status": {"full_text": TEXT}}]
    ),
    "a boost": json.dumps(
        [{"account": {"acct": "ann"}, "content": HTML}, {"account": {"acct": "bob"},
          "content": "", "reblog": {"account": {"acct": "ann"}, "content": HTML}}]
    ),
    "forwarded in Telegram": json.dumps(
        [{"from": "Ann", "text": TEXT}, {"from": "Bob", "forwarded_from": "Ann", "text": TEXT}]
    ),
    "a reaction": f"{TEXT}\nLoved “{TEXT}”",
    "a reaction that is cut off": f"{TEXT}\nLaughed at “Wordle 1,503 3/6\n\n⬛⬛🟨…”",
    "reactions of three": f"{TEXT}\nLiked “{TEXT}”\nEmphasized “{TEXT}”\nReacted 😂 to “{TEXT}”",
    "a reaction with straight marks": f'{TEXT}\nLoved "{TEXT}"',
    "an answered mail": f"{TEXT}\n\nOn Tue, Jul 29, 2025 Ann wrote:\n> " + TEXT.replace("\n", "\n> "),
    "an answer without marks": f"{TEXT}\n\nAm 29.07.2025 um 08:00 schrieb Ann:\n{TEXT}",
    "a forwarded mail": f"{TEXT}\n\n---------- Forwarded message ---------\nFrom: Ann\n\n{TEXT}",
    "a quotation in HTML": f"<div>{HTML}</div><blockquote>{HTML}</blockquote>",
    "quotations alone": f"<blockquote>{HTML}</blockquote><p>ha</p><blockquote>{HTML}</blockquote>",
    "one person twice": f"[1/2/25, 08:00:00] Ann: {TEXT}\n[1/2/25, 08:01:00] Ann: {TEXT}",
    "one person twice, Android": f"1/2/25, 08:00 - Ann: {TEXT}\n1/2/25, 08:01 - Ann: {TEXT}",
    "multipart mail": mail().as_string(),
    "a mail in a mail": forwarded(),
    "a mailbox": f"From a@a Thu Jul 31 08:00:00 2025\n{mail().as_string()}\n"
    f"From b@b Thu Jul 31 09:00:00 2025\n"
    + mail("me too\n\n> " + TEXT.replace("\n", "\n> "), None, "Bob <b@b>").as_string(),
    "title and text": json.dumps({"title": "Wordle 1,503 3/6", "selftext": GRID}),
    "Twitter's archive": f"window.YTD.tweets.part0 = {json.dumps([{'tweet': {'full_text': TEXT}}])}",
    "Messenger, cut off": json.dumps({"content": TEXT.encode().decode("latin-1")})[:-1],
    "text messages": '<?xml version="1.0"?>\n<smses count="1"><sms address="+1" date="1" type="1" '
    'contact_name="Ann" body="' + "".join(
        f"&#{0xD800 + (ord(c) - 0x10000 >> 10)};&#{0xDC00 + (ord(c) - 0x10000 & 0x3FF)};"
        if ord(c) > 0xFFFF else f"&#{ord(c)};" for c in TEXT) + '" /></smses>',
    "a text message with parts": '<smses><mms msg_box="1" contact_name="Ann"><parts>'
    f'<part ct="application/smil" text="null" /><part ct="text/plain" text="{TEXT}" /></parts></mms>'
    "</smses>",
    "Discord's page": "<div class=chatlog__reply><span class=chatlog__reply-author>Ann</span>"
    f"<span class=chatlog__reply-link>{TEXT}</span></div><span class=chatlog__author>Bob</span>"
    f"<div>hm</div><span class=chatlog__author>Ann</span><div>{HTML}</div>",
    "emoji that are pictures without text": "Wordle 1,503 3/6<br>" + "".join(
        "<br>" if c == "\n" else f"<img class=emoji src=https://cdn.example/svg/{ord(c):x}.svg>"
        for c in GRID),
}  # fmt: skip


@pytest.mark.parametrize("name", ONCE)
def test_each_post_counts_once(name):
    report = parse_shares(ONCE[name])
    assert report.shares == [SHARE]
    assert report.rejected == []


# And here two people posted the same grid.
TWICE = {
    "a chat": f"[1/2/25, 08:00:00] Ann: {TEXT}\n[1/2/25, 08:01:00] Bob: {TEXT}",
    "a list": json.dumps([{"text": TEXT}, {"text": TEXT}]),
    "authors": json.dumps([{"from": "Ann", "text": TEXT}, {"from": "Bob", "text": TEXT}]),
    "names for keys": json.dumps({"Ann": TEXT, "Bob": TEXT}),
    "messages by their numbers": json.dumps({"7": {"text": TEXT}, "9": {"text": TEXT}}),
    "plain text": f"{TEXT}\n\n{TEXT}",
    "an answer with a grid of its own": f"{TEXT}\n\nOn Tue, 29 Jul 2025 Ann wrote:\n> "
    + TEXT.replace("1,503", "1,502").replace("\n", "\n> "),
    "a quotation of somebody else": json.dumps(
        [{"from": "Bob", "text": TEXT, "quote": {"from": "Ann", "text": TEXT}}]
    ),
    "two forms of two messages": json.dumps([{"body": TEXT, "html": HTML}] * 2),
}


@pytest.mark.parametrize("name", TWICE)
def test_the_same_grid_by_somebody_else_counts_again(name):
    report = parse_shares(TWICE[name])
    assert [share.rows for share in report.shares] == [SHARE.rows] * 2


def test_a_refused_post_is_refused_once():
    text = json.dumps({"body": REFUSED, "formatted_body": REFUSED.replace("\n", "<br>")})
    assert [reason for _, reason in parse_shares(text).rejected] == ["other_game"]


AUTHORS = {
    f"[17/02/2022, 08:03:12] Ann B.: {TEXT}": ("Ann B.", "17/02/2022, 08:03:12"),
    f"2/17/22, 8:03 AM - Ann: look!\n{TEXT}": ("Ann", "2/17/22, 8:03 AM"),
    f"Ann, [17.02.22 08:03]\n{TEXT}": ("Ann", "17.02.22 08:03"),
    f"Ann — Today at 8:03 AM\n{TEXT}": ("Ann", "Today at 8:03 AM"),
    f"[08:03] <ann> {TEXT}": ("ann", ""),
    f"Ann: {TEXT}": ("Ann", ""),
    f"Subject: {TEXT}": ("", ""),
    mail().as_string(): ("Ann <ann@a.example>", "Thu, 31 Jul 2025 08:00:00 +0000"),
    json.dumps({"sender_name": "Ann", "timestamp_ms": 5, "content": TEXT}): ("Ann", "5"),
    json.dumps({"author": {"id": 1, "username": "ann"}, "content": TEXT}): ("ann", ""),
    json.dumps({"account": {"acct": "ann@x"}, "created_at": "2025", "content": HTML}): (
        "ann@x", "2025",
    ),
    json.dumps({"from": {"user": {"displayName": "Ann"}}, "body": {"content": HTML}}): ("Ann", ""),
    TEXT: ("", ""),
}  # fmt: skip


@pytest.mark.parametrize("text", AUTHORS)
def test_author_and_time_are_kept(text):
    author, time = AUTHORS[text]
    assert parse_shares(text).posts == [Post(SHARE, author, time)]


def test_messages_of_plain_text_and_of_one_value():
    (message,) = messages_of("hello")
    assert message.text == "hello"
    assert [m.text for m in messages_of('["a", "b"]\n{"c": [1, {"d": "e"}]}')] == ["a\nb", "e"]


# --- files ----------------------------------------------------------------------------------------


PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256))
FILES = {
    "tweets.js": f"window.YTD.tweets.part0 = {json.dumps([{'tweet': {'full_text': TEXT}}])}".encode(),
    "message_1.json": json.dumps(
        {"messages": [{"sender_name": "A", "content": TEXT.encode().decode("latin-1")}]}
    ).encode(),
    "base64.eml": mail().as_bytes(),
    "latin.eml": b"From: a@a\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n"
    b"Content-Transfer-Encoding: quoted-printable\nX: \xe9\n\n"
    + b"".join(b"=%02X" % b if b > 126 or b == 61 else bytes([b]) for b in TEXT.encode()),
    "box.mbox": b"From a@a Thu Jul 31 08:00:00 2025\n" + mail().as_bytes(),
    "semicolon.csv": f'wann;wer;was\n1;Ann;"{TEXT}"\n2;Bob;hm\n'.encode(),
    "excel.csv": f'sep=;\nname;text\nAnn;"{TEXT}"\n'.encode("utf-16"),
    "twice.csv": f'author,content,html\nAnn,"{TEXT}","{HTML}"\n'.encode(),
    "no-mark.txt": TEXT.encode("utf-16-le"),
    "no-mark-be.txt": TEXT.encode("utf-16-be"),
    "utf-32.txt": TEXT.encode("utf-32"),
    "nul.txt": TEXT.replace("\n", "\0\n").encode(),
    "pictures.zip": zipped(a__png=PNG, chat__txt=TEXT, b__jpg=b"\xff\xd8\xff\xe0" + PNG),
    "cut.json": json.dumps({"text": TEXT})[:-2].encode(),
}


@pytest.mark.parametrize("name", FILES)
def test_files_as_they_come(tmp_path, name):
    (tmp_path / name).write_bytes(FILES[name])
    found = read_shares(tmp_path / name)
    assert [share for _, report in found for share in report.shares] == [SHARE]


NO_TEXT = {
    "a.png": (PNG, "a picture"),
    "b.pdf": (b"%PDF-1.7 \xff", "a PDF"),
    "c.docx": (zipped(**{"[Content_Types].xml": "<x/>", "word/document.xml": TEXT}), "Office"),
    "d.db": (b"SQLite format 3\0\xff", "an SQLite database"),
    "picture.txt": (PNG, "a picture"),
    "film": (b"\0\0\0\x18ftypmp42" + PNG, "a film"),
    "bytes.txt": (bytes(range(255)) * 4, "no text"),
    "latin.txt": ("Wördle".encode("latin-1"), "byte 1 is not UTF-8"),
    "empty.txt": (b" \n", "empty"),
}


@pytest.mark.parametrize("name", NO_TEXT)
def test_what_is_no_text_is_named_and_stops_nothing(tmp_path, name):
    data, problem = NO_TEXT[name]
    (tmp_path / name).write_bytes(data)
    with pytest.raises(ValueError, match=problem):
        read_shares(tmp_path / name)
    (tmp_path / "chat.txt").write_text(TEXT, encoding="utf-8")
    found = dict(read_shares(tmp_path))
    assert problem in found[str(tmp_path / name)].problem
    assert found[str(tmp_path / "chat.txt")].shares == [SHARE]


def test_one_post_in_several_files_counts_once(tmp_path):
    chat = f"[1/2/25, 08:00:00] Ann: {TEXT}\n[1/2/25, 09:00:00] Bob: {TEXT}\n"
    (tmp_path / "a.txt").write_text(chat, encoding="utf-8")
    (tmp_path / "b.txt").write_text(chat, encoding="utf-8")
    (tmp_path / "c.txt").write_text(chat + "[1/2/25, 10:00:00] Bob: hi\n", encoding="utf-8")
    (tmp_path / "d.json").write_text(json.dumps({"author": "ann", "text": TEXT}), encoding="utf-8")
    found = dict(read_shares(tmp_path))
    first, same, longer, other = found.values()
    assert [post.author for post in first.posts] == ["Ann", "Bob"]
    assert "the same as" in same.problem
    assert (longer.posts, longer.copies) == ([], 2)
    assert (other.posts, other.copies) == ([], 1)
    assert len(read_shares(tmp_path / "a.txt", tmp_path / "c.txt")) == 2


def test_what_cannot_be_opened_is_named(tmp_path, monkeypatch):
    (tmp_path / "a.txt").write_text(TEXT, encoding="utf-8")
    (tmp_path / "b.txt").write_text(TEXT, encoding="utf-8")
    normal = type(tmp_path).open

    def refuse(path, *args, **kwargs):
        if path.name == "a.txt":
            raise PermissionError(13, "Permission denied", str(path))
        return normal(path, *args, **kwargs)

    monkeypatch.setattr(type(tmp_path), "open", refuse)
    first, second = read_shares(tmp_path)
    assert first[1].problem == "it cannot be read: permission denied"
    assert second[1].shares == [SHARE]
    assert len(read_shares(tmp_path / "none.txt", tmp_path / "b.txt")) == 2
    with pytest.raises(ValueError, match="permission denied"):
        read_shares(tmp_path / "a.txt")


def test_a_zip_in_a_zip_and_a_long_chat(tmp_path):
    inner = zipped(x__txt=TEXT)
    (tmp_path / "outer.zip").write_bytes(zipped(a__zip=inner, chat__txt=TEXT))
    found = read_shares(tmp_path / "outer.zip")
    assert [report.problem[:14] for _, report in found] == ["a zip in a zip", ""]
    chat = "".join(
        f"[1/2/25, 08:{n % 60:02}:00] Ann{n}: {TEXT.replace('1,503', str(n))}\n"
        for n in range(9000)
    )
    (tmp_path / "long.txt").write_text(chat, encoding="utf-8")
    ((_, report),) = read_shares(tmp_path / "long.txt")
    assert [share.puzzle for share in report.shares] == list(range(9000))
    assert report.rejected == []


def test_base64_of_a_mail_is_read_in_any_text():
    head = "Subject: x\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n"
    body = base64.b64encode(TEXT.encode()).decode()
    assert parse_shares(f"{head}Content-Transfer-Encoding: base64\n\n{body}\n").shares == [SHARE]
