"""The harness of `make faults` finds faults that are planted, and its table names every option.

That it finds none in the package is what `make faults` itself says.
"""

import json
import os
import subprocess
import sys

import pytest

from scripts import faults
from wordgames.__main__ import build_parser

# By name: what is changed in the package, the part that has to find it, and as what.
PLANTED = {
    "posts are misread": (
        "faults.parse_shares = lambda text: Misread",
        "texts",
        faults.WRONG,
    ),
    "a post that nobody foresaw": (
        "faults.parse_shares = lambda text: 1 // 0",
        "texts",
        faults.TRACEBACK,
    ),
    "a crash of the whole process": (
        "faults.parse_shares = lambda text: os.kill(os.getpid(), 11)",
        "texts",
        faults.TRACEBACK,
    ),
    "a post without end": (
        "faults.PATIENCE = 0.5; faults.parse_shares = lambda text: time.sleep(60)",
        "texts",
        faults.HANG,
    ),
    "checksums are not looked at": (
        "_files._checksum = lambda head, body: 'any'; faults.harm = one_more",
        "flips-openers",
        faults.WRONG,
    ),
    "files are written in place": (
        "_files.write_whole = slowly",
        "kills-openers",
        faults.LOST,
    ),
    "a full disk is passed over": (
        "_files.write_whole = carelessly",
        "disks-openers",
        faults.LOST,
    ),
    "numbers out of range are changed in silence": (
        "command_line._count = lambda text: max(1, int(text))",
        "options",
        faults.WRONG,
    ),
    "nothing": ("", "texts", None),
}

# Each in a forked process of one that has imported and compiled everything.
SCRIPT = """
import contextlib, io, json, os, sys, time
from pathlib import Path
from scripts import faults
from scripts.faults import command_line
from wordgames import _files
from wordgames.emojle.shares import Share

class Misread:
    shares = [Share(1, "3", False, ("GGGGG",))]

def one_more(data, rng):
    return data.replace(b",4,yes", b",5,yes", 1)

def slowly(path, data):
    Path(path).unlink(missing_ok=True)
    for byte in range(0, len(data), 50):
        with Path(path).open("ab") as file:
            file.write(data[byte : byte + 50])
        time.sleep(0.02)

def carelessly(path, data):
    with contextlib.suppress(OSError):
        Path(path).write_bytes(data)

whole = faults.command_lines
faults.command_lines = lambda home: [
    line for line in whole(home) if any(text.startswith("--top=") for text in line[1])
]
faults.KILLS["openers"], faults.DISKS["openers"] = (5, 5), (2, 2)
faults.TEXTS, faults.SHORT_OPTIONS = (1, 1), 7
faults.warm()
for name, (plant, part, _) in json.loads(sys.argv[1]).items():
    print(f"planted: {name}", flush=True)
    if not os.fork():
        exec(plant)
        print("status", faults.main(["--short", "--only", part]), flush=True)
        os._exit(0)
    os.wait()
"""


@pytest.fixture(scope="module")
def said(root) -> dict[str, str]:
    """What the harness says, by what was planted."""
    ended = subprocess.run(
        [sys.executable, "-c", SCRIPT, json.dumps(PLANTED)],
        capture_output=True, text=True, cwd=root, env={**os.environ, "PYTHONPATH": str(root)},
        check=False,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    parts = (part.partition("\n") for part in ended.stdout.split("planted: ")[1:])
    return {name: text for name, _, text in parts}


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_fault_is_found(said, name):
    *_, counted, status = said[name].strip().splitlines()
    counts = dict(reversed(count.split(" ", 1)) for count in counted.partition(": ")[2].split(", "))
    kind = PLANTED[name][2]
    assert set(counts) == set(faults.KINDS)
    assert status == ("status 1" if kind else "status 0")
    assert {found for found, count in counts.items() if count != "0"} >= {kind} - {None}
    assert kind or set(counts.values()) == {"0"}


def test_trials_that_were_not_reached_are_no_success(capsys, monkeypatch):
    monkeypatch.setattr(faults, "warm", lambda: None)
    assert faults.main(["--only", "texts", "--minutes", "1e-9"]) == 2
    assert "0 of 200 trials" in capsys.readouterr().out
    assert faults.main(["--only", "texts", "--minutes", "1e-9", "--short"]) == 0
    assert "THE TIME WAS OVER" in capsys.readouterr().out


def _options():
    (commands,) = build_parser()._subparsers._group_actions
    for name, parser in commands.choices.items():
        for action in parser._actions:
            if action.option_strings and action.dest != "help":
                yield name, parser, action


def test_every_option_of_every_command_is_tried(tmp_path):
    lines = [line for _, line in faults.command_lines(tmp_path)]
    for name, _, action in _options():
        start = f"{action.option_strings[-1]}="
        tried = [line for line in lines if line[:1] == [name] and start in " ".join(line)]
        assert tried or not faults.TEXT[action.dest], (name, start)


def test_wrong_numbers_and_files_that_cannot_be_written_are_refused_at_once(tmp_path, capsys):
    (tmp_path / "folder").mkdir()
    (tmp_path / "noise.bin").write_bytes(b"noise")
    for name, parser, action in _options():
        if action.type not in (None, float):
            for value in faults._wrong(name, action, tmp_path):
                with pytest.raises(SystemExit) as end:
                    parser.parse_args([f"{action.option_strings[-1]}={value}"])
                said = capsys.readouterr().err
                assert end.value.code == 2
                assert f"argument {'/'.join(action.option_strings)}: " in said, (name, value)
    assert {path.name for path in tmp_path.iterdir()} == {"folder", "noise.bin"}
