"""Tables of grids: CSV files with a row for each grid, as data sets of grids are kept."""

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path

from wordgames.emojle.shares import Share
from wordgames.patterns import GUESSES, parse_pattern, solved


def read_table(path: str | Path, columns: Sequence[str]) -> Iterator[tuple[int, dict]]:
    """The rows of a CSV file that has some columns, and perhaps others: (line number, values).

    FileNotFoundError, or ValueError for what is not UTF-8, a missing column, or a row with too
    few or too many values.
    """
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not UTF-8 text ({error}): save it as UTF-8") from None
    except FileNotFoundError:
        raise FileNotFoundError(
            f"no file {str(path)!r}: give a CSV file with the columns {', '.join(columns)}"
        ) from None
    reader = csv.DictReader(io.StringIO(text, newline=""))
    missing = [name for name in columns if name not in (reader.fieldnames or ())]
    if missing:
        raise ValueError(
            f"{path} has no column {missing[0]!r}: its first line names the columns "
            f"{','.join(columns)}"
        )
    for row in reader:
        if None in row or None in row.values():
            few = "too many" if None in row else "too few"
            raise ValueError(f"{path}, line {reader.line_num}: it has {few} values")
        yield reader.line_num, row


def read_grids(path: str | Path) -> list[Share]:
    """Grids from a CSV file with the columns puzzle, score, hard (0 or 1) and grid.

    A grid is its rows as ``.YG`` text, joined by ``|``. FileNotFoundError, or ValueError with the
    line and what is wrong in it.
    """
    shares = []
    for number, row in read_table(path, ("puzzle", "score", "hard", "grid")):
        try:
            rows = tuple(row["grid"].split("|"))
            codes = [parse_pattern(text, len(rows[0])) for text in rows]
            _check_end(row["score"], codes, len(rows[0]))
            hard = {"0": False, "1": True}[row["hard"]]
            shares.append(Share(int(row["puzzle"]), row["score"], hard, rows))
        except (ValueError, KeyError) as error:
            raise ValueError(
                f"{path}, line {number}: {error}; a line is puzzle, score, hard (0 or 1) and "
                "rows joined by |, such as 260,3,0,YY...|.GGG.|GGGGG"
            ) from None
    if not shares:
        raise ValueError(f"{path} has no grids")
    return shares


def _check_end(score: str, codes: Sequence[int], length: int) -> None:
    """ValueError for a score that the rows do not have."""
    ended = [code == solved(length) for code in codes]
    wanted = str(len(codes)) if ended[-1] else "X"
    if len(codes) > GUESSES or any(ended[:-1]) or score != wanted:
        raise ValueError(f"score {score!r} is not that of these {len(codes)} rows")
    if score == "X" and len(codes) < GUESSES:
        raise ValueError(f"score 'X' needs {GUESSES} rows, not {len(codes)}")
