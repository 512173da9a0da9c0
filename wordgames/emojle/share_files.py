"""Files of posts to grids, each post once.

A file is text of any kind, a table (csv, tsv), JSON or lines of JSON, a mail or a mailbox, or a zip
of these; a folder holds such files. What is no text, or cannot be read, is named with the reason
and stops nothing else.
"""

import csv
import hashlib
import io
import json
import re
import sys
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pandas as pd

from wordgames._progress import progress
from wordgames.emojle.messages import (
    Message,
    is_mail,
    json_messages,
    json_values,
    mail_messages,
    messages_of,
)
from wordgames.emojle.pattern_sets import PatternSets
from wordgames.emojle.shares import Share, ShareReport, is_first, read_messages
from wordgames.words import WordList

MOST_BYTES = 200_000_000  # of one file, and of all that a zip unpacks to
MOST_MEMBERS = 10_000  # files of text in a zip

_MAILS = (".eml", ".mbox", ".mbx")
_TABLES = (".csv", ".tsv")
_JSON = (".json", ".jsonl", ".ndjson", ".js")
_DELIMITERS = ",;\t|"
_GRID_COLUMNS = {"puzzle", "score", "grid"}
_SQUARES = str.maketrans(".-YyGg", "⬛⬛🟨🟨🟩🟩")
_YES = {"1", "true", "yes", "y", "*"}

# How files that are no text begin, and how their names end.
_BEGINNINGS = {
    b"\x89PNG": "a picture", b"\xff\xd8\xff": "a picture", b"GIF8": "a picture", b"BM": "",
    b"II*\0": "a picture", b"MM\0*": "a picture", b"%PDF": "a PDF",
    b"SQLite format 3": "an SQLite database", b"\x1f\x8b": "a gzip archive", b"7z\xbc\xaf": "a 7z "
    "archive", b"Rar!": "a RAR archive", b"OggS": "a sound", b"ID3": "a sound", b"fLaC": "a sound",
    b"\xd0\xcf\x11\xe0": "an Office document", b"bplist": "a binary property list",
    b"\x7fELF": "a program", b"wOF": "a font", b"\xfd7zXZ": "an xz archive",
}  # fmt: skip
_ENDINGS = {
    "a picture": ".jpg .jpeg .png .gif .webp .heic .heif .bmp .tif .tiff .ico .avif",
    "a film": ".mp4 .mov .avi .mkv .webm .3gp .m4v",
    "a sound": ".mp3 .m4a .opus .ogg .oga .wav .aac .amr .flac",
    "an Office document": ".docx .xlsx .pptx .doc .xls .ppt .odt .ods .odp .pages .numbers",
    "a PDF": ".pdf",
    "an SQLite database": ".sqlite .sqlite3 .db .db-wal .db-shm .crypt14 .crypt15",
    "a font": ".ttf .otf .woff .woff2",
    "an archive": ".gz .tgz .bz2 .xz .7z .rar .tar",
    "a program or a style sheet": ".exe .dll .so .css .map .pyc",
}
_KINDS = {ending: kind for kind, endings in _ENDINGS.items() for ending in endings.split()}
_OFFICE = ("[Content_Types].xml", "mimetype")  # members of documents that are zips


class _Unread(ValueError):
    """Why a file is not read."""


def read_shares(*paths: str | Path) -> list[tuple[str, ShareReport]]:
    """The shares of files, folders of files, or standard input, each post once.

    Parameters
    ----------
    *paths : str or path
        Files (a zip too), folders, searched with all their folders, or ``-`` for standard input.
        A file is read by what it holds: JSON, lines of JSON and Twitter's scripts, mails, backups
        of text messages, tables, web pages, or any other text. A table that names the columns
        `puzzle`, `score`, `grid` and perhaps `hard` holds a grid a row, as ``.YG`` text joined by
        ``|``. Text is UTF-8, or UTF-16 or UTF-32.

    Returns
    -------
    list of (str, ShareReport)
        The name of each file, or of the zip and its member, and what it holds; `problem` says why
        a file was not read. A post that stands in several files is in the first of them.

    Raises
    ------
    FileNotFoundError, ValueError
        When nothing at all could be read: with the file, what is wrong with it, and how to mend it.
    """
    found: list[tuple[str, ShareReport]] = []
    missing = False
    known: dict[bytes, str] = {}
    for path in paths:
        for name, data in _files(path):
            if isinstance(data, _Unread):
                missing = missing or isinstance(data.__cause__, FileNotFoundError)
                report = ShareReport(problem=str(data))
            elif (digest := hashlib.sha256(data).digest()) in known and data.strip():
                report = ShareReport(problem=f"the same as {known[digest]}")
            else:
                known[digest] = name
                report = _report(name, data)
            found.append((name, report))
    if not any(report.posts or report.rejected or not report.problem for _, report in found):
        if not found:
            raise ValueError("no path: give a file or a folder of posts, or - for standard input")
        # Of several problems, one that can be mended: last come files that hold nothing to read.
        name, report = min(found, key=lambda pair: pair[1].problem.startswith(("this is", "the")))
        kind = FileNotFoundError if missing else ValueError
        raise kind(f"{name}: {report.problem}")
    return _each_in_one(found)


def _each_in_one(found: list[tuple[str, ShareReport]]) -> list[tuple[str, ShareReport]]:
    """The same, without the posts that stand in several files."""
    new = iter(is_first([post for _, report in found for post in report.posts]))
    result = []
    for name, report in found:
        kept = [post for post in report.posts if next(new)]
        copies = report.copies + len(report.posts) - len(kept)
        result.append((name, replace(report, posts=kept, copies=copies)))
    return result


# --- From paths to bytes --------------------------------------------------------------------------


def _files(path: str | Path) -> Iterator[tuple[str, bytes | _Unread]]:
    """The name and the bytes of each file at a path, or why it is not read."""
    if str(path) == "-":
        yield "standard input", _caught(_limited, getattr(sys.stdin, "buffer", sys.stdin))
        return
    path = Path(path)
    files = [path]
    if path.is_dir():
        files = sorted(
            file
            for file in path.rglob("*")
            if file.is_file() and not _is_hidden(file.relative_to(path).as_posix())
        )
        if not files:
            yield str(path), _Unread("the folder holds no files: give a folder of posts")
    for file in files:
        data = _caught(_read_file, file)
        if isinstance(data, bytes) and data[:4] == b"PK\x03\x04":
            yield from _unpacked(str(file), data)
        else:
            yield str(file), data


def _caught(read, source) -> bytes | _Unread:
    try:
        return read(source)
    except _Unread as error:
        return error
    except FileNotFoundError as error:
        problem = _Unread("no such file: give a file or a folder of posts, or - for standard input")
        problem.__cause__ = error
        return problem
    except OSError as error:
        return _Unread(f"it cannot be read: {(error.strerror or str(error)).lower()}")


def _read_file(file: Path) -> bytes:
    with file.open("rb") as stream:
        start = stream.read(16)
        if kind := _binary_kind(start, file.name):
            raise _Unread(f"this is {kind}, not text")
        return start + _limited(stream, MOST_BYTES - len(start))


def _limited(stream, most: int | None = None) -> bytes:
    most = MOST_BYTES if most is None else most
    data = stream.read(most + 1)
    if len(data) > most:
        raise _Unread(f"more than {MOST_BYTES:,} bytes: split it into smaller files")
    return data


def _binary_kind(start: bytes, name: str) -> str:
    """What a file is by its first bytes or its name's ending, when it is no text."""
    for beginning, kind in _BEGINNINGS.items():
        if kind and start.startswith(beginning):
            return kind
    if start[4:8] == b"ftyp":
        return "a film"
    if start[:4] == b"RIFF":
        return "a picture" if start[8:12] == b"WEBP" else "a film or a sound"
    return _KINDS.get(Path(name).suffix.lower(), "")


def _is_hidden(name: str) -> bool:
    return any(part.startswith((".", "__MACOSX")) for part in name.split("/"))


def _unpacked(name: str, data: bytes) -> Iterator[tuple[str, bytes | _Unread]]:
    """The files of a zip; what a member unpacks to is counted as it unpacks, not as it claims."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = sorted(
                (m for m in archive.infolist() if not m.is_dir() and not _is_hidden(m.filename)),
                key=lambda m: m.filename,
            )
            if members and any(m.filename in _OFFICE for m in members):
                yield name, _Unread("this is an Office document, not text")
                return
            left, read = MOST_BYTES, 0
            for member in members:
                where = f"{name}: {member.filename}"
                unpacked = _caught(partial(_member, archive, left), member)
                if isinstance(unpacked, bytes):
                    left -= len(unpacked)
                    read += 1
                if left < 0 or read > MOST_MEMBERS:
                    limit = f"unpack to more than {MOST_BYTES:,} bytes" if left < 0 else (
                        f"are more than {MOST_MEMBERS:,}"
                    )  # fmt: skip
                    yield name, _Unread(f"its files {limit}: unpack it and give a part")
                    return
                yield where, unpacked
    except zipfile.BadZipFile as error:
        yield name, _Unread(f"the zip is damaged or of an unknown kind ({error})")


def _member(archive: zipfile.ZipFile, left: int, member: zipfile.ZipInfo) -> bytes:
    try:
        with archive.open(member) as stream:
            start = stream.read(16)
            if start[:4] == b"PK\x03\x04":
                raise _Unread("a zip in a zip is not read: unpack it first")
            if kind := _binary_kind(start, member.filename):
                raise _Unread(f"this is {kind}, not text")
            return start + stream.read(left + 1)
    except RuntimeError:  # what zipfile raises for a member with a password
        raise _Unread("it needs a password: unpack the zip first") from None
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError) as error:
        raise _Unread(f"this part of the zip is damaged or of an unknown kind ({error})") from None


# --- From bytes to messages -----------------------------------------------------------------------


def _report(name: str, data: bytes) -> ShareReport:
    problem = ""
    try:
        messages, problem = _messages(name, data)
    except _Unread as error:
        return ShareReport(problem=str(error))
    steps = progress(messages, "reading", unit=" messages")
    return replace(read_messages(steps), problem=problem)


def _messages(name: str, data: bytes) -> tuple[list[Message], str]:
    """The messages of a file, and what was wrong with it."""
    if not data.strip():
        return [], "the file is empty"
    ending = Path(name).suffix.lower()
    if ending in _MAILS or is_mail(data[:5_000].decode("latin-1")):
        head = data[:5_000].decode("latin-1")
        if is_mail(head):
            return mail_messages(data), ""
    text = _decode(data)
    if ending in _TABLES:
        return _table_messages(text), ""
    if ending in _JSON:
        values = json_values(text)
        if values is not None:
            return json_messages(values), ""
        if ending in (".jsonl", ".ndjson"):
            return _line_messages(text)
        if ending != ".js":
            return [Message(text)], _what_is_wrong(text)
    messages = messages_of(text)
    if len(messages) == 1 and messages[0].text is text:
        messages = [Message(part, thing=(n,)) for n, part in enumerate(_portions(text))]
    return messages, ""


def _decode(data: bytes) -> str:
    """Text of UTF-8, UTF-16 or UTF-32, with or without a mark; _Unread names the place."""
    encoding = "utf-8-sig"
    zeros = [data[place:2_000:2].count(0) for place in (0, 1)]
    if data[:4] in (b"\xff\xfe\0\0", b"\0\0\xfe\xff"):
        encoding = "utf-32"
    elif data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        encoding = "utf-16"
    elif max(zeros) > 4 * (min(zeros) + 1):
        encoding = "utf-16-be" if zeros[0] > zeros[1] else "utf-16-le"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        # Behind its mark, which is left out of the count, UTF-8 goes on.
        start = error.start + (3 if encoding == "utf-8-sig" and data[:3] == b"\xef\xbb\xbf" else 0)
        if encoding == "utf-8-sig" and data[:4_000].count(0):
            raise _Unread("this is no text: save the posts as text") from None
        label = encoding.upper().removesuffix("-SIG")[:6].removesuffix("-")
        raise _Unread(
            f"byte {start:,} is not {label}: save the file with the encoding UTF-8"
        ) from None


def _what_is_wrong(text: str, line: int = 0) -> str:
    """Why a text is no JSON, for a reader of it."""
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        place = f"line {line or error.lineno}, column {error.colno}"
        return f"{place}: this is no whole JSON ({error.msg}), so it was read as plain text"
    except (ValueError, RecursionError):
        return "JSON with a number too long or nested too deep, so it was read as plain text"
    return ""


def _line_messages(text: str) -> tuple[list[Message], str]:
    """The messages of lines of JSON; a line that is none is read as plain text."""
    messages, problem = [], ""
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        values = json_values(line)
        if values is None:
            problem = problem or _what_is_wrong(line, number)
            messages.append(Message(line, thing=(number,)))
        else:
            messages += [replace(m, thing=(number, *m.thing)) for m in json_messages(values)]
    return messages, problem


_CHAT_LINE = re.compile(r"(?m)^\W{0,2}\d{1,4}[./-]\d{1,2}[./-]\d{2,4},? ")
_PORTION = 100_000  # characters; long chats are read in portions, so that progress can be shown


def _portions(text: str) -> Iterator[str]:
    """A text cut before lines that open a message of a chat."""
    start = 0
    while len(text) - start > 2 * _PORTION:
        found = _CHAT_LINE.search(text, start + _PORTION, start + 2 * _PORTION)
        if not found:
            break
        yield text[start : found.start()]
        start = found.start()
    yield text[start:]


# --- Tables ---------------------------------------------------------------------------------------


def _table_messages(text: str) -> list[Message]:
    """The messages of a table: a thing a row."""
    text = text.removeprefix("\ufeff")
    head = text[:2_000].lstrip().partition("\n")[0]
    if said := re.fullmatch(r"sep=(.)\r?", head):  # a hint for spreadsheets
        delimiter, text = said[1], text.lstrip().partition("\n")[2]
    else:
        unquoted = re.sub(r'"[^"]*"?', "", head)
        delimiter = max(_DELIMITERS, key=unquoted.count)
    limit = csv.field_size_limit(MOST_BYTES)
    try:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
        table = [row for row in reader if any(cell.strip() for cell in row)]
    except csv.Error as error:
        raise _Unread(f"line {reader.line_num}: this is no table ({error})") from None
    finally:
        csv.field_size_limit(limit)
    if not table:
        return []
    columns = [cell.strip().lower() for cell in table[0]]
    if _GRID_COLUMNS.issubset(columns):
        posts = [_as_post(number, columns, row) for number, row in enumerate(table[1:], 2)]
        return [Message(post, thing=(number,)) for number, post in enumerate(posts)]
    named = len(set(columns)) == len(columns) > 1 and all(
        0 < len(column) <= 40 and re.search(r"[^\W\d]", column) for column in columns
    )
    if named and not any("wordle" in column and re.search(r"\d", column) for column in columns):
        return json_messages([[dict(zip(columns, row, strict=False)) for row in table[1:]]])
    return json_messages([table])


def _as_post(number: int, columns: list[str], row: list[str]) -> str:
    """A row of a table of grids as the post that it stands for, so that it is judged as one."""
    if len(row) != len(columns):
        raise _Unread(
            f"row {number}: {len(row)} cells where the first row has {len(columns)}: "
            "a cell that holds a comma or a line break needs quotes"
        )
    cells = dict(zip(columns, row, strict=True))
    score = cells["score"].strip().removesuffix("/6")
    star = "*" if cells.get("hard", "").strip().lower() in _YES else ""
    grid = cells["grid"].replace("|", "\n").translate(_SQUARES)
    return f"Wordle {cells['puzzle'].strip()} {score}/6{star}\n\n{grid}"


# --- What grids leave -----------------------------------------------------------------------------


def candidates_by_puzzle(
    shares: Iterable[Share], words: WordList, sets: PatternSets, candidates: str = "answers"
) -> pd.DataFrame:
    """What the grids of each puzzle leave.

    Parameters
    ----------
    shares : iterable of Share
    words, sets : WordList and its PatternSets
    candidates : str
        ``answers`` or ``allowed``: which words can be the answer.

    Returns
    -------
    DataFrame
        By puzzle number, rising: `grids`, `patterns` (different ones, solved rows left out),
        `candidates` (a list of words) and `note` (why there are none, if so).

    Raises
    ------
    ValueError
        For words that are not of the length of the grids, or other `candidates`.
    """
    if candidates not in ("answers", "allowed"):
        raise ValueError(f"candidates {candidates!r}: it takes answers or allowed")
    grids_of: dict[int, list[Share]] = {}
    for share in shares:
        grids_of.setdefault(share.puzzle, []).append(share)
    odd = next(
        (s for some in grids_of.values() for s in some if len(s.rows[0]) != sets.length), None
    )
    if odd:
        raise ValueError(
            f"the words of {words.name} have {sets.length} letters and the grids have "
            f"{len(odd.rows[0])} cells in a row: choose a word list of that length"
        )
    answers = set(words.answers)
    rows = []
    for puzzle, some in sorted(grids_of.items()):
        grids = [share.rows for share in some]
        patterns = sorted({row for grid in grids for row in grid} - {"G" * sets.length})
        fitting = sets.candidates(patterns)
        left = [word for word in fitting if word in answers] if candidates == "answers" else fitting
        note = "" if left else sets.why_empty(patterns)
        if fitting and not left:
            note = f"No answer of the list can show them all; {len(fitting):,} other words can."
        rows.append((puzzle, len(grids), len(patterns), left, note))
    return pd.DataFrame(rows, columns=["puzzle", "grids", "patterns", "candidates", "note"])
