"""Files of posts to grids, and the candidates that the grids of each puzzle leave.

A file is text of any kind, a table (csv, tsv), JSON or lines of JSON, or a zip of these; a folder
holds such files. Every file is read whole before any of it counts, and what cannot be read is an
error that names the file and the place in it.
"""

import csv
import io
import json
import lzma
import sys
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path

import pandas as pd

from wordgames.emojle.pattern_sets import PatternSets
from wordgames.emojle.shares import Share, ShareReport, json_texts, parse_shares
from wordgames.words import WordList

MOST_BYTES = 200_000_000  # of one file, and of all that a zip unpacks to
MOST_MEMBERS = 10_000  # files in a zip

_TABLES = {".csv": ",", ".tsv": "\t"}
_JSON_LINES = (".jsonl", ".ndjson")
_ENDINGS = (".txt", ".csv", ".tsv", ".json", *_JSON_LINES, ".zip", ".md", ".html", ".htm", ".eml")
_TEXT_COLUMNS = ("text", "full_text", "content", "message", "body", "tweet", "post", "share")
_GRID_COLUMNS = {"puzzle", "score", "grid"}
_SQUARES = str.maketrans(".-YyGg", "⬛⬛🟨🟨🟩🟩")
_YES = {"1", "true", "yes", "y", "*"}

csv.field_size_limit(MOST_BYTES)


def read_shares(path: str | Path) -> list[tuple[str, ShareReport]]:
    """The shares of a file, a folder of files, or standard input.

    Parameters
    ----------
    path : str or path
        A file (txt, csv, tsv, json, jsonl, a zip of these; any other ending is read as text),
        a folder, searched with all its folders for such files, or ``-`` for standard input.
        A table has a column of full posts (`text`, `content`, `message`, …), or columns `puzzle`,
        `score`, `grid` and perhaps `hard`, with the rows of a grid as ``.YG`` text joined by
        ``|``; in any other table each row is one post. Text is UTF-8, or UTF-16 with its mark.

    Returns
    -------
    list of (str, ShareReport)
        The name of each file, or of the zip and its member, and what it holds, sorted by name.

    Raises
    ------
    FileNotFoundError, ValueError
        With the file, what is wrong with it, and how to mend it.
    """
    return [(name, _report(texts)) for name, texts in _sources(path)]


def _report(texts: Iterable[str]) -> ShareReport:
    whole = ShareReport()
    for text in texts:
        part = parse_shares(text)
        whole.shares.extend(part.shares)
        whole.rejected.extend(part.rejected)
    return whole


def _sources(path: str | Path) -> Iterator[tuple[str, list[str]]]:
    if str(path) == "-":
        yield "standard input", _texts("standard input", _limited(sys.stdin.buffer, "it"))
        return
    path = Path(path)
    if not path.exists():
        raise FileNotFoundError(
            f"no file {str(path)!r}: give a file or a folder of posts, or - for standard input"
        )
    files = [path]
    if path.is_dir():
        files = sorted(
            file
            for file in path.rglob("*")
            if file.is_file()
            and file.suffix.lower() in _ENDINGS
            and not any(part.startswith(".") for part in file.relative_to(path).parts)
        )
        if not files:
            raise ValueError(
                f"the folder {str(path)!r} holds no posts: it needs files that end in "
                f"{', '.join(_ENDINGS)}"
            )
    for file in files:
        with file.open("rb") as stream:
            data = _limited(stream, str(file))
        if file.suffix.lower() == ".zip":
            yield from _unpacked(str(file), data)
        else:
            yield str(file), _texts(str(file), data)


def _limited(stream, name: str, most: int = MOST_BYTES) -> bytes:
    data = stream.read(most + 1)
    if len(data) > most:
        raise ValueError(f"{name}: more than {most:,} bytes: split it into smaller files")
    return data


def _unpacked(name: str, data: bytes) -> Iterator[tuple[str, list[str]]]:
    """The files of a zip; what a member unpacks to is counted as it unpacks, not as it claims."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = sorted(
                (m for m in archive.infolist() if not m.is_dir()), key=lambda m: m.filename
            )
            members = [m for m in members if not _is_hidden(m.filename)]
            if len(members) > MOST_MEMBERS:
                raise ValueError(
                    f"{name}: {len(members):,} files in one zip; at most {MOST_MEMBERS:,} are read"
                )
            left = MOST_BYTES
            for member in members:
                where = f"{name}: {member.filename}"
                if member.filename.lower().endswith(".zip"):
                    raise ValueError(f"{where}: a zip in a zip is not read: unpack it first")
                with archive.open(member) as stream:
                    unpacked = stream.read(left + 1)
                left -= len(unpacked)
                if left < 0:
                    raise ValueError(
                        f"{name}: its files unpack to more than {MOST_BYTES:,} bytes: "
                        "unpack it and give a part"
                    )
                yield where, _texts(where, unpacked)
    except RuntimeError:  # what zipfile raises for a member with a password
        raise ValueError(f"{name}: a file in it needs a password: unpack it first") from None
    except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, NotImplementedError) as error:
        raise ValueError(f"{name}: the zip is damaged or of an unknown kind ({error})") from None


def _is_hidden(name: str) -> bool:
    return any(part.startswith((".", "__MACOSX")) for part in name.split("/"))


def _decode(name: str, data: bytes) -> str:
    """Text of UTF-8, with or without its mark, or of UTF-16 with its mark."""
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        # Behind its mark, which is left out of the count, UTF-8 goes on.
        start = error.start + (3 if encoding == "utf-8-sig" and data[:3] == b"\xef\xbb\xbf" else 0)
        label = "UTF-16" if encoding == "utf-16" else "UTF-8"
        raise ValueError(
            f"{name}: byte {start:,} is not {label}: save the file with the encoding UTF-8"
        ) from None


def _texts(name: str, data: bytes) -> list[str]:
    """The posts of one file."""
    text = _decode(name, data)
    ending = Path(name).suffix.lower()
    if ending in _TABLES:
        return _table_texts(name, text, _TABLES[ending])
    if ending in _JSON_LINES:
        return [
            "\n".join(json_texts([_json(name, line, number)]))
            for number, line in enumerate(text.split("\n"), 1)
            if line.strip()
        ]
    if ending == ".json":
        return ["\n".join(json_texts([_json(name, text)]))]
    return [text]


def _json(name: str, text: str, line: int = 0):
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(
            f"{name}, line {line or error.lineno}, column {error.colno}: this is no JSON "
            f"({error.msg}): mend it, or give the file the ending .txt"
        ) from None
    except (ValueError, RecursionError):
        raise ValueError(f"{name}: JSON with a number too long or nested too deep") from None


def _table_texts(name: str, text: str, delimiter: str) -> list[str]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        table = [row for row in reader if any(cell.strip() for cell in row)]
    except csv.Error as error:
        raise ValueError(f"{name}, line {reader.line_num}: this is no table ({error})") from None
    if not table:
        return []
    columns = [cell.strip().lower() for cell in table[0]]
    if _GRID_COLUMNS.issubset(columns):
        return [_as_post(name, number, columns, row) for number, row in enumerate(table[1:], 2)]
    for column in _TEXT_COLUMNS:
        if column in columns:
            place = columns.index(column)
            return [row[place] for row in table[1:] if len(row) > place]
    return ["\n".join(row) for row in table]


def _as_post(name: str, number: int, columns: list[str], row: list[str]) -> str:
    """A row of a table of grids as the post that it stands for, so that it is judged as one."""
    if len(row) != len(columns):
        raise ValueError(
            f"{name}, row {number}: {len(row)} cells where the first row has {len(columns)}: "
            "a cell that holds a comma or a line break needs quotes"
        )
    cells = dict(zip(columns, row, strict=True))
    score = cells["score"].strip().removesuffix("/6")
    star = "*" if cells.get("hard", "").strip().lower() in _YES else ""
    grid = cells["grid"].replace("|", "\n").translate(_SQUARES)
    return f"Wordle {cells['puzzle'].strip()} {score}/6{star}\n\n{grid}"


def candidates_by_puzzle(
    shares: Iterable[Share], words: WordList, sets: PatternSets, among: str = "answers"
) -> pd.DataFrame:
    """What the grids of each puzzle leave.

    Parameters
    ----------
    shares : iterable of Share
    words, sets : WordList and its PatternSets
    among : str
        ``answers`` or ``allowed``: which words can be the answer.

    Returns
    -------
    DataFrame
        By puzzle number, rising: `grids`, `patterns` (different ones, solved rows left out),
        `candidates` (a list of words) and `note` (why there are none, if so).

    Raises
    ------
    ValueError
        For words that are not of the length of the grids, or another `among`.
    """
    if among not in ("answers", "allowed"):
        raise ValueError(f"candidates among {among!r}: it takes answers or allowed")
    shares = list(shares)
    shares = tuple(shares)
    odd = next((s for s in shares if len(s.rows[0]) != sets.length), None)
    if odd:
        raise ValueError(
            f"the words of {words.name} have {sets.length} letters and the grids have "
            f"{len(odd.rows[0])} cells in a row: choose a word list of that length"
        )
    answers = set(words.answers)
    rows = []
    for puzzle in sorted({share.puzzle for share in shares}):
        grids = [share.rows for share in shares if share.puzzle == puzzle]
        patterns = sorted({row for grid in grids for row in grid} - {"G" * sets.length})
        fitting = sets.candidates(patterns)
        left = [word for word in fitting if word in answers] if among == "answers" else fitting
        note = "" if left else sets.why_empty(patterns)
        if fitting and not left:
            note = f"No answer of the list can give them all; {len(fitting):,} other words can."
        rows.append((puzzle, len(grids), len(patterns), left, note))
    return pd.DataFrame(rows, columns=["puzzle", "grids", "patterns", "candidates", "note"])
