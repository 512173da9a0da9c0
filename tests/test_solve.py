"""Files of posts of each format, and the `solve` command from the outside."""

import io
import json
import os
import quopri
import subprocess
import sys

import pytest
from archives import zipped

from wordgames.__main__ import main
from wordgames.emojle import share_files
from wordgames.emojle.pattern_sets import PatternSets
from wordgames.emojle.share_files import candidates_by_puzzle, read_shares
from wordgames.emojle.shares import Share, parse_shares
from wordgames.patterns import score
from wordgames.words import WordList

SHARE = "Wordle 224 4/6*\n\n⬛⬛⬛⬛⬛\n⬛🟩⬛🟩⬛\n⬛🟩🟩🟩🟩\n🟩🟩🟩🟩🟩"
READ = Share(224, "4", True, (".....", ".G.G.", ".GGGG", "GGGGG"))
OTHER = "Sanuli #40 1/6\n\n🟩🟩🟩🟩🟩"
TWO = f"Ann: {SHARE}\n\n{OTHER}"


def quoted(text):
    return '"' + text.replace('"', '""') + '"'


FILES = {
    "chat.txt": TWO.encode(),
    "chat": TWO.encode(),
    "chat.TXT": TWO.replace("\n", "\r\n").encode(),
    "mark.txt": TWO.encode("utf-8-sig"),
    "utf-16.txt": TWO.encode("utf-16"),
    "utf-16-be.txt": b"\xfe\xff" + TWO.encode("utf-16-be"),
    "page.html": TWO.replace("\n", "<br>").encode(),
    "mail.eml": quopri.encodestring(TWO.encode()),
    "one.json": json.dumps({"text": TWO}).encode(),
    "list.json": json.dumps({"messages": [{"from": "a", "text": SHARE}, {"text": OTHER}]}).encode(),
    "lines.jsonl": f"{json.dumps({'content': SHARE})}\n\n{json.dumps([OTHER])}\n".encode(),
    "lines.ndjson": f"{json.dumps(SHARE)}\r\n{json.dumps(OTHER)}".encode(),
    "text.csv": f"id,Text\n1/6,{quoted(SHARE)}\n2,{quoted(OTHER)}\n".encode(),
    "message.tsv": f"message\tby\n{quoted(SHARE)}\tAnn\n{quoted(OTHER)}\tBob\n".encode(),
    "any.csv": f"day,what\nMonday,{quoted(SHARE)}\nTuesday,{quoted(OTHER)}\n".encode(),
    "nameless.csv": f"{quoted(SHARE)}\n{quoted(OTHER)}\n".encode(),
    "marked.csv": f"text\n{quoted(SHARE)}\n{quoted(OTHER)}\n".encode("utf-8-sig"),
    "utf-16.tsv": f"text\n{quoted(SHARE)}\n{quoted(OTHER)}\n".encode("utf-16"),
    "chat.zip": zipped(chat__txt=TWO),
    "some.zip": zipped(**{"a/b.json": json.dumps(SHARE), "c.txt": OTHER, "__MACOSX/c.txt": TWO}),
}  # fmt: skip


def joined(found):
    return (
        [share for _, report in found for share in report.shares],
        [reason for _, report in found for _, reason in report.rejected],
    )


@pytest.mark.parametrize("name", FILES)
def test_files_of_each_format(tmp_path, name):
    (tmp_path / name).write_bytes(FILES[name])
    assert joined(read_shares(tmp_path / name)) == ([READ], ["other_game"])


def test_a_folder_is_searched_and_its_names_are_told(tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / ".git").mkdir()
    (tmp_path / "deep" / "b.txt").write_text(SHARE, encoding="utf-8")
    (tmp_path / "a.zip").write_bytes(FILES["chat.zip"])
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\xff")
    (tmp_path / ".git" / "c.txt").write_text(SHARE, encoding="utf-8")
    found = read_shares(tmp_path)
    assert [(name.removeprefix(str(tmp_path)), report.problem) for name, report in found] == [
        ("/a.zip: chat.txt", ""),
        ("/deep/b.txt", ""),
        ("/picture.png", "this is a picture, not text"),
    ]
    assert joined(found) == ([READ, READ], ["other_game"])


TABLE = """puzzle,score,hard,grid
260,3,0,YY...|.GGG.|GGGGG
"1,264",3/6,yes,....G|YYY.G|GGGGG
999,X,1,...Y.|.G..Y|.GG.G|.GG.G|.GGGG|.GGGG
5,2,0,GGGGG
,2,0,.....|GGGGG
7,2,0,....|GGGGG
8,2,0,GGGGY|GGGGG
"""


@pytest.mark.parametrize("separator", [",", "\t"])
def test_a_table_of_grids_is_judged_like_posts(tmp_path, separator):
    text = TABLE if separator == "," else TABLE.replace('"1,264"', "1264").replace(",", "\t")
    path = tmp_path / ("grids.csv" if separator == "," else "grids.tsv")
    path.write_text(text, encoding="utf-8")
    shares, reasons = joined(read_shares(path))
    assert [(s.puzzle, s.score, s.hard) for s in shares] == [
        (260, "3", False),
        (1264, "3", True),
        (999, "X", True),
    ]
    assert shares[0].rows == ("YY...", ".GGG.", "GGGGG")
    assert reasons == [
        "row_count_mismatch",
        "no_puzzle_number",
        "wrong_width",
        "impossible_row",
    ]


BAD = {
    "latin.txt": ("é".encode("latin-1") + b" x", r"latin\.txt: byte 0 is not UTF-8"),
    "late.txt": (b"\xef\xbb\xbfab\xff", r"late\.txt: byte 5 is not UTF-8"),
    "odd.txt": (b"\xff\xfea", r"odd\.txt: byte 2 is not UTF-16"),
    "bad.json": (b'{"text": \n"a"', r"bad\.json: line 2, column 4"),
    "deep.json": (b"[" * 100_000, r"deep\.json"),
    "long.json": (b"9" * 10_000, r"long\.json"),
    "bad.jsonl": (b'"a"\n\n{"text"\n', r"bad\.jsonl: line 3, column 8"),
    "short.csv": (b"puzzle,score,hard,grid\n1,2\n", r"short\.csv: row 2: 2 cells"),
    "bad.zip": (b"PK\x03\x04 no zip", r"bad\.zip: the zip is damaged"),
    "nested.zip": (zipped(a__zip=zipped(b__txt="x")), r"a\.zip: a zip in a zip"),
    "encoding.zip": (zipped(a__txt=b"\xe9"), r"encoding\.zip: a\.txt: byte 0 is not UTF-8"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_files_are_errors_that_name_the_file_and_the_place(tmp_path, name, capsys):
    data, message = BAD[name]
    (tmp_path / name).write_bytes(data)
    with pytest.raises(ValueError, match=message):
        read_shares(tmp_path / name)
    assert main(["solve", str(tmp_path / name)]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("error: ") and err.count("\n") == 1


def test_bad_paths(tmp_path):
    with pytest.raises(FileNotFoundError, match="no such file"):
        read_shares(tmp_path / "none.txt")
    with pytest.raises(ValueError, match="holds no files"):
        read_shares(tmp_path)


def test_damaged_and_locked_members(tmp_path):
    data = bytearray(zipped(a__txt="Wordle " * 1000))
    data[60] ^= 0xFF
    (tmp_path / "damaged.zip").write_bytes(data)
    with pytest.raises(ValueError, match="damaged"):
        read_shares(tmp_path / "damaged.zip")
    data = bytearray(zipped(a__txt="hello"))
    for head in (data.index(b"PK\x03\x04") + 6, data.index(b"PK\x01\x02") + 8):
        data[head] |= 1  # the mark of a member with a password
    (tmp_path / "locked.zip").write_bytes(data)
    with pytest.raises(ValueError, match="password"):
        read_shares(tmp_path / "locked.zip")


def test_what_unpacks_to_too_much_is_not_unpacked(tmp_path, monkeypatch):
    monkeypatch.setattr(share_files, "MOST_BYTES", 10_000)
    (tmp_path / "bomb.zip").write_bytes(zipped(a__txt="a" * 6_000, b__txt="b" * 6_000))
    problems = [report.problem for _, report in read_shares(tmp_path / "bomb.zip")]
    assert problems[0] == "" and "unpack to more than 10,000 bytes" in problems[1]
    monkeypatch.setattr(share_files, "MOST_BYTES", 5_000)
    with pytest.raises(ValueError, match=r"bomb\.zip: more than 5,000 bytes|unpack to more"):
        read_shares(tmp_path / "bomb.zip")
    monkeypatch.setattr(share_files, "MOST_BYTES", 100_000)
    monkeypatch.setattr(share_files, "MOST_MEMBERS", 1)
    problems = [report.problem for _, report in read_shares(tmp_path / "bomb.zip")]
    assert "more than 1" in problems[1]


WORDS = WordList(("could", "mould"), ("could", "grail", "mould", "proud", "would"), "few")


def slow_candidates(patterns, words):
    return [
        word
        for word in words.allowed
        if all(any(score(g, word) == p for g in words.allowed) for p in patterns)
    ]


def test_candidates_by_puzzle_against_plain_loops():
    sets = PatternSets.build(WORDS)
    texts = [
        "Wordle 9 2/6\n⬛🟩🟩🟩🟩\n🟩🟩🟩🟩🟩", "Wordle 9 2/6\n⬛⬛⬛⬛⬛\n🟩🟩🟩🟩🟩",
        "Wordle 3 2/6\n⬛🟩🟩🟩🟩\n🟩🟩🟩🟩🟩", "Wordle 5 2/6\n🟩⬛⬛⬛⬛\n🟩🟩🟩🟩🟩",
        "Wordle 7 1/6\n🟩🟩🟩🟩🟩",
    ]  # fmt: skip
    shares = [share for text in texts for share in parse_shares(text).shares]
    table = candidates_by_puzzle(shares, WORDS, sets, "allowed").set_index("puzzle")
    assert table.index.tolist() == [3, 5, 7, 9]
    assert table["grids"].tolist() == [1, 1, 1, 2]
    assert table["patterns"].tolist() == [1, 1, 0, 2]
    for puzzle, row in table.iterrows():
        codes = [
            int(r.translate(str.maketrans(".YG", "012")), 3)
            for s in shares if s.puzzle == puzzle for r in s.rows
        ]  # fmt: skip
        assert row["candidates"] == slow_candidates(codes, WORDS)
        assert bool(row["note"]) == (not row["candidates"])
    answers = candidates_by_puzzle(shares, WORDS, sets).set_index("puzzle")
    assert answers.loc[3, "candidates"] == ["could", "mould"]
    with pytest.raises(ValueError, match="answers or allowed"):
        candidates_by_puzzle(shares, WORDS, sets, "all")


def test_words_of_another_length_are_refused():
    words = WordList(("able",), ("able", "back"), "four")
    with pytest.raises(ValueError, match="have 4 letters and the grids have 5 cells"):
        candidates_by_puzzle([READ], words, PatternSets.build(words))


@pytest.fixture
def lists(tmp_path):
    (tmp_path / "answers.txt").write_text("could\nmould\n", encoding="utf-8")
    (tmp_path / "more.txt").write_text("grail\nproud\nwould\nvirus\nnosed\n", encoding="utf-8")
    (tmp_path / "chat.txt").write_text(
        f"Wordle 224 3/6\n⬛⬛⬛⬛⬛\n⬛🟩🟩🟩🟩\n🟩🟩🟩🟩🟩\n{OTHER}", encoding="utf-8"
    )
    return ["--word-list", str(tmp_path / "answers.txt"), "--allowed", str(tmp_path / "more.txt")]


def test_solve_for_a_person(tmp_path, lists, capsys):
    assert main(["solve", str(tmp_path / "chat.txt"), *lists, "--candidates", "allowed"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    lines = out.splitlines()
    assert lines[0].startswith("Wordle 224 (29 January 2022): ")
    assert "1 grid, list answers+more" in lines[0]
    # No word can give both rows: grail and nosed alone give five greys.
    leader = lines[0].split(": ")[1].split(",")[0]
    assert lines[-4].strip() == (
        f"Elimination leaves 0 words; {leader} means to disbelieve the grid .....|.GGGG|GGGGG."
    )
    assert lines[-3:] == [
        "Refused: 1 post.",
        "    1  other_game: it is from another game",
        f"           {tmp_path / 'chat.txt'}: Sanuli #40 1/6 🟩🟩🟩🟩🟩",
    ]


def test_solve_in_json_and_csv(tmp_path, lists, capsys):
    (tmp_path / "b.txt").write_text("Wordle 1 2/6\n⬛🟩🟩🟩🟩\n🟩🟩🟩🟩🟩", encoding="utf-8")
    paths = [str(tmp_path / "chat.txt"), str(tmp_path / "b.txt")]
    assert main(["solve", *paths, *lists, "--json"]) == 0
    out, err = capsys.readouterr()
    found = json.loads(out)
    assert err == "" and set(found) == {"puzzles", "rejected"}
    assert found["rejected"] == {"other_game": 1}
    assert [one["puzzle"] for one in found["puzzles"]] == [1, 224]
    for one in found["puzzles"]:
        assert set(one) == {"puzzle", "list", "grids", "candidates", "eliminated_to"}
        assert one["list"] == "answers+more" and one["grids"] == 1
        chances = [candidate["probability"] for candidate in one["candidates"]]
        assert chances == sorted(chances, reverse=True)
        assert sum(chances) == pytest.approx(1)
    assert [one["eliminated_to"] for one in found["puzzles"]] == [2, 0]
    assert main(["solve", *paths, *lists, "--json", "--puzzle", "1", "--top", "1"]) == 0
    (one,) = json.loads(capsys.readouterr().out)["puzzles"]
    assert one["puzzle"] == 1 and len(one["candidates"]) == 1
    assert main(["solve", *paths, *lists, "--csv", "--top", "1"]) == 0
    rows = capsys.readouterr().out.splitlines()
    assert rows[0] == (
        "puzzle,day,list,grids,rank,word,probability,eliminated_to,grids_disbelieved"
    )
    assert rows[1].startswith("1,2021-06-20,answers+more,1,1,")


def test_what_solve_cannot_do(tmp_path, lists, capsys):
    chat = str(tmp_path / "chat.txt")
    assert main(["solve", chat, *lists, "--puzzle", "5"]) == 2
    assert "no grid of puzzle 5: there are 1 puzzles, from 224 to 224" in capsys.readouterr().err
    for option in ("--words", "--allowed", "--model"):
        assert main(["solve", chat, f"{option}="]) == 2
    assert main(["solve", str(tmp_path / "none.txt")]) == 2
    assert capsys.readouterr().err.endswith("or - for standard input\n")
    # One missing path of two is told, and the other is read.
    assert main(["solve", str(tmp_path / "none.txt"), chat, *lists]) == 0
    assert "none.txt: no such file" in capsys.readouterr().out


def test_refusals_by_reason_with_one_example_or_all(tmp_path, lists, capsys):
    texts = [OTHER, OTHER.replace("40", "41"), "Wordle 5 7/6\n🟩🟩🟩🟩🟩", SHARE]
    (tmp_path / "d.txt").write_text("\n\n".join(texts), encoding="utf-8")
    arguments = ["solve", str(tmp_path / "d.txt"), *lists]
    assert main(arguments) == 0
    out = capsys.readouterr().out
    assert "Refused: 3 posts." in out and "    2  other_game" in out and "    1  bad_score" in out
    assert out.count("Sanuli") == 1
    assert main([*arguments, "--refused"]) == 0
    assert capsys.readouterr().out.count("Sanuli") == 2


def test_solve_of_standard_input_and_of_nothing(lists, capsys, monkeypatch):
    class Stream:
        buffer = io.BytesIO(SHARE.encode("utf-16"))

    monkeypatch.setattr("sys.stdin", Stream)
    assert main(["solve", "-", *lists]) == 0
    assert capsys.readouterr().out.startswith("Wordle 224 (")
    Stream.buffer = io.BytesIO(OTHER.encode())
    assert main(["solve", "-", *lists]) == 2
    out, err = capsys.readouterr()
    assert out.startswith("Refused: 1 post.\n")
    assert err.startswith("error: no grid could be read")


def test_a_reader_that_stops_and_a_terminal_without_utf_8(root, tmp_path, lists):
    environment = {**os.environ, "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii", "LC_ALL": "C"}
    command = [sys.executable, "-m", "wordgames", "solve", str(tmp_path / "chat.txt"), *lists]
    shown = subprocess.run(command, cwd=root, env=environment, capture_output=True, check=True)
    assert shown.stdout.decode("ascii").count("\\U0001f7e9") == 5 and shown.stderr == b""
    reading, writing = os.pipe()
    os.close(reading)  # as `| head` does when it has enough
    stopped = subprocess.run(command, cwd=root, stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)
    assert (stopped.returncode, stopped.stderr) == (0, b"")
