"""Do harm to the work of the package, and look at what is left.

    python scripts/faults.py [--short] [--seed N] [--minutes M] [--only PART] [--trial N]

The parts: `kills` (at random moments and at random file operations), `disks` (of a few megabytes
that fill up), `flips` (of bytes in every file that the project writes and reads back), `texts`
(mutated from the cases of posts) and `options` (of the wrong type). It counts wrong results, lost
good files, tracebacks and hangs; unless all are zero it prints how to repeat each failure and ends
with status 1. Each part has its share of the minutes; what they did not allow is said.

Every trial is a forked child of this process, which has imported everything and computed nothing:
so a trial costs its work, not the start of an interpreter.
"""

import argparse
import contextlib
import dataclasses
import hashlib
import importlib.util
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

from wordgames import PatternSets, load_embedding, load_words, optimal_tree, parse_shares
from wordgames import __main__ as command_line
from wordgames import _compiled as compiling
from wordgames.grids.model import GuessModel
from wordgames.reports import runner, site
from wordgames.wordle.openers import read_openers, solve_openers
from wordgames.wordle.proofs import read_proof
from wordgames.wordle.tree import DecisionTree

ROOT = Path(__file__).resolve().parent.parent
KINDS = ("wrong results", "lost good files", "tracebacks", "hangs")
WRONG, LOST, TRACEBACK, HANG = KINDS
PATIENCE = 90  # seconds after which a child hangs, on a machine that may be busy
MEMORY_DISK = 4 << 20  # bytes
CRASHED = 70

# Two hundred kills. Those of a notebook take seconds each, the others less than one.
KILLS = {"store": 90, "proof": 40, "openers": 22, "cache": 26, "run": 14, "reports": 8}
# What share of the time each part may take.
KILL_SHARES = {
    "store": 0.12, "proof": 0.10, "openers": 0.06, "cache": 0.06, "run": 0.14, "reports": 0.08,
}  # fmt: skip
DISK_SHARE, FLIPS_SHARE, OPTIONS_SHARE, TEXTS_SHARE = 0.02, 0.14, 0.12, 0.08
SHORT_KILLS = {"store": 5, "proof": 3, "openers": 1, "cache": 2, "run": 1}


# --- a child that is harmed -----------------------------------------------------------------------


@dataclasses.dataclass
class Outcome:
    """How a child ended: its exit status (None: killed, or hanging), and what it said."""

    status: int | None
    said: str
    hung: bool = False

    @property
    def faults(self) -> list[tuple[str, str]]:
        """What is wrong however the work went."""
        found = [(HANG, f"still at work after {PATIENCE} s")] if self.hung else []
        if "Traceback (most recent call last)" in self.said or self.status == CRASHED:
            found.append((TRACEBACK, self.said.strip()[-600:]))
        return found


def _die_at(folder: Path, number: int):
    """Let this process die at its `number`-th change of a file in the folder."""
    left, within = number, str(folder)

    def hook(event: str, arguments: tuple) -> None:
        nonlocal left
        writes = event == "open" and isinstance(arguments[2], int) and arguments[2] & os.O_CREAT
        if not writes and event not in ("os.rename", "os.remove", "os.mkdir", "os.utime"):
            return
        if within in str(arguments[0]):
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(hook)


def child(
    folder: Path, work, *arguments, after: float = 0, at: int = 0, file_limit: int = 0
) -> Outcome:
    """Do the work, with these arguments, in a forked child.

    Parameters
    ----------
    after : float
        Seconds after which it is killed; 0: never.
    at : int
        The change of a file in the folder at which it is killed; 0: at none.
    file_limit : int
        Bytes that a file may have; 0: any.
    """
    heard = tempfile.TemporaryFile()  # noqa: SIM115 - closed below
    process = os.fork()
    if not process:
        os.setsid()
        os.dup2(heard.fileno(), 1)
        os.dup2(heard.fileno(), 2)
        status = CRASHED
        try:
            if file_limit:
                resource.setrlimit(resource.RLIMIT_FSIZE, (file_limit, resource.RLIM_INFINITY))
            if at:
                _die_at(folder, at)
            status = work(*arguments) or 0
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 1
        except (OSError, ValueError) as error:  # those that a caller is meant to get
            print(f"error: {error}", file=sys.stderr)
            status = 2
        except BaseException:
            traceback.print_exc()
        finally:
            with contextlib.suppress(Exception):
                sys.stdout.flush()
                sys.stderr.flush()
            os._exit(status)
    started, hung, killed = time.monotonic(), False, False
    while True:
        ended, code = os.waitpid(process, os.WNOHANG)
        if ended:
            break
        passed = time.monotonic() - started
        if not killed and ((after and passed >= after) or passed > PATIENCE):
            hung, killed = not after or passed > PATIENCE, True
            os.kill(process, signal.SIGKILL)
        time.sleep(0.002)
    heard.seek(0)
    said = heard.read().decode(errors="replace")
    heard.close()
    return Outcome(os.WEXITSTATUS(code) if os.WIFEXITED(code) else None, said, hung)


def command(*arguments) -> int:
    return command_line.main([str(argument) for argument in arguments])


def digest(*arrays) -> str:
    found = hashlib.sha256()
    for array in arrays:
        found.update(np.ascontiguousarray(array).tobytes())
    return found.hexdigest()


def contents(folder: Path) -> dict[str, bytes]:
    """The files of a folder that last: no locks, nor what a killed child could not remove."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not re.search(r"\.(lock|part|tmp|new)$", path.name)
    }


# --- works: each is begun, harmed, finished, and has one right end --------------------------------


class Work:
    """Something that writes files into `folder`, and what is right of them at every moment."""

    def __init__(self, home: Path):
        self.home = home

    def prepare(self, folder: Path, rng: random.Random) -> None:
        """The state before: at times with a good file of an earlier time."""

    def do(self, folder: Path) -> int:
        """The work, in the child."""
        raise NotImplementedError

    def look(self, folder: Path) -> list[tuple[str, str]]:
        """Faults in what the harmed work left, before it is done again."""
        return []

    def end(self, folder: Path) -> object:
        """What there is at the end: equal after every trial."""
        return contents(folder)


def words_file(home: Path) -> Path:
    path = home / "few.txt"
    if not path.exists():
        answers = load_words().answers
        path.write_text("\n".join(answers[::12]) + "\n", encoding="utf-8")
    return path


class Store(Work):
    """A file of vectors becomes a store; at times one of an older version of the file is there."""

    def __init__(self, home: Path):
        super().__init__(home)
        rng = np.random.default_rng(1)
        self.versions = []
        for _ in range(2):
            rows = rng.normal(size=(4000, 24)).astype(np.float32).round(4)
            lines = (f"w{n} {' '.join(map(str, row))}" for n, row in enumerate(rows))
            self.versions.append(("\n".join(lines) + "\n").encode())

    def prepare(self, folder, rng):
        source = folder / "v.txt"
        source.write_bytes(self.versions[0])
        os.utime(source, (1e9, 1e9))
        if rng.random() < 0.5:
            child(folder, self.do, folder)
        source.write_bytes(self.versions[1])
        os.utime(source, (1.1e9, 1.1e9))

    def do(self, folder):
        from wordgames.vectors import files

        files.CHUNK = 1 << 16  # many small steps, so that there are many moments
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = load_embedding(folder / "v.txt", cache=folder / "cache")
        (self.home / "seen").write_text(digest(found.rows, found.norms, found.index_to_key.text))

    def end(self, folder):
        return (self.home / "seen").read_text()


class Proof(Work):
    """A proof, and one that is there is kept until the new one is whole."""

    def __init__(self, home):
        super().__init__(home)
        self.words = words_file(home)
        self.right = None

    def arguments(self, folder):
        return ("proof", "--words", self.words, "--output", folder / "proof.csv")

    def prepare(self, folder, rng):
        if self.right is not None and rng.random() < 0.5:
            (folder / "proof.csv").write_bytes(self.right)

    def do(self, folder):
        return command(*self.arguments(folder))

    def look(self, folder):
        path = folder / "proof.csv"
        if path.exists() and self.right is not None and path.read_bytes() != self.right:
            return [(LOST, f"{path.name} is neither the old nor the new one")]
        return []

    def end(self, folder):
        found = contents(folder)["proof.csv"]
        self.right = self.right or found
        return found


class Openers(Work):
    """The totals of first guesses, in a file that an interrupted run goes on with."""

    def __init__(self, home):
        super().__init__(home)
        self.words = words_file(home)

    def do(self, folder):
        guesses = self.words.read_text(encoding="utf-8").split()[::30]
        return command(
            "openers", *guesses, "--words", self.words, "--workers", 1,
            "--output", folder / "openers.csv",
        )  # fmt: skip

    def look(self, folder):
        path = folder / "openers.csv"
        if path.exists():
            try:
                read_openers(path, load_words(self.words))
            except ValueError as error:
                return [(LOST, str(error))]
        return []


NOTEBOOK = {
    "metadata": {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    },
    "nbformat": 4,
    "nbformat_minor": 5,
    "cells": [
        {"cell_type": "markdown", "id": "a", "metadata": {}, "source": "# How many?"},
        {
            "cell_type": "code", "id": "b", "metadata": {"tags": ["parameters"]},
            "execution_count": None, "outputs": [],
            "source": "# The parameters of this report\nmany = 1  # 1 to 9: so many",
        },
        {
            "cell_type": "code", "id": "c", "metadata": {}, "execution_count": None, "outputs": [],
            "source": "from wordgames.reports.recording import record\n"
            'record("answer", f"There are {many}.")\nrecord("assuming", "")\nrecord("n", many)',
        },
    ],
}  # fmt: skip


class Run(Work):
    """A report is made anew with another parameter; its page and its results belong together."""

    verb = "run"

    def __init__(self, home):
        super().__init__(home)
        self.notebook = home / "61-many.ipynb"
        self.notebook.write_text(json.dumps(NOTEBOOK), encoding="utf-8")
        self.states = []
        for many in (1, 2):
            folder = home / f"{self.verb}-{many}"
            folder.mkdir()
            outcome = child(folder, self.make, folder, many)
            if outcome.status:
                raise RuntimeError(f"the work itself fails: {outcome.said[-800:]}")
            child(folder, command, "index", "--output-dir", folder)
            self.states.append(folder)

    def make(self, folder, many):
        return command(self.verb, self.notebook, "-p", f"many={many}", "--output-dir", folder)

    def pair(self, folder):
        files = contents(folder)
        return [files.get(name) for name in ("61-many.html", "results/61-many.json")]

    def prepare(self, folder, rng):
        if rng.random() < 0.8:
            shutil.copytree(self.states[0], folder, dirs_exist_ok=True)

    def do(self, folder):
        return self.make(folder, 2)

    def look(self, folder):
        had = (folder / "61-many.html").exists()
        outcome = child(folder, command, "index", "--output-dir", folder)
        found = outcome.faults
        if outcome.status:
            found.append((LOST, f"no index can be made: {outcome.said}"))
        pairs = [self.pair(state) for state in self.states] + [[None, None]] * (not had)
        if self.pair(folder) not in pairs:
            found.append((LOST, "a page and its results are not of one run"))
        left = [path.name for path in folder.rglob(".*") if path.suffix in (".tmp", ".json")]
        found += [(LOST, f"left behind: {left}")] if left else []
        return found

    def end(self, folder):
        child(folder, command, "index", "--output-dir", folder)
        return self.pair(folder)


class Reports(Run):
    verb = "reports"


KERNELS = """
from wordgames._compiled import compiled

@compiled
def double(start, stop, numbers):
    for place in range(start, stop):
        numbers[place] *= 2

@compiled
def summed(start, stop, numbers):
    total = 0.0
    for place in range(start, stop):
        total += numbers[place]
    return total
"""


class Cache(Work):
    """Kernels are compiled and kept; whatever is left of them, they give what is right."""

    def __init__(self, home):
        super().__init__(home)
        self.source = home / "kernels.py"
        self.source.write_text(KERNELS, encoding="utf-8")

    def do(self, folder):
        os.environ["NUMBA_CACHE_DIR"] = str(folder / "kernels")
        compiling._folder.cache_clear()
        spec = importlib.util.spec_from_file_location("faults_kernels", self.source)
        kernels = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(kernels)
        numbers = np.arange(10.0)
        kernels.double(0, 10, numbers)
        total = kernels.summed(0, 10, numbers)
        (self.home / "seen").write_text(f"{total} {numbers.tolist()}")

    def end(self, folder):
        return (self.home / "seen").read_text()


WORKS = {
    "store": Store, "proof": Proof, "openers": Openers, "cache": Cache, "run": Run,
    "reports": Reports,
}  # fmt: skip


# --- the parts ------------------------------------------------------------------------------------


class Harness:
    """Runs trials, counts what they find, and knows how long it may take."""

    def __init__(self, seed: int, minutes: float, trial: int | None, *, alone: bool):
        self.seed, self.trial, self.alone = seed, trial, alone
        self.started, self.seconds = time.monotonic(), 60 * minutes
        self.until = self.started
        self.found = Counter()
        self.failures = []

    def part(self, share: float) -> None:
        """Give the next part its share of the time, and no more than there is."""
        now, end = time.monotonic(), self.started + self.seconds
        self.until = end if self.alone else min(end, now + share * self.seconds)

    def is_over(self, part: str) -> bool:
        """Whether all the time is over, which is said of the part."""
        over = time.monotonic() > self.started + self.seconds
        if over:
            print(f"{part}: none, the time was over", flush=True)
        return over

    def trials(self, part: str, count: int):
        """Numbers and random sources of trials, until they are all done or the time is over."""
        done = 0
        for number in range(count) if self.trial is None else [self.trial]:
            if time.monotonic() > self.until:
                break
            yield number, random.Random(f"{self.seed} {part} {number}")
            done += 1
        over = "" if done >= count or self.trial is not None else ", the time was over"
        print(f"{part}: {done} of {count}{over}", flush=True)

    def note(self, part: str, number: int, faults) -> None:
        for kind, what in faults:
            self.found[kind] += 1
            again = f"python scripts/faults.py --seed {self.seed} --only {part} --trial {number}"
            self.failures.append(f"{kind}: {what}\n  again: {again}")
            print(f"{kind}: {part} {number}", flush=True)


def _work_of(name: str, home: Path) -> tuple[Work, object, float, int]:
    """A work; its right end, how long it takes, and how many changes of files it makes."""
    own = home / name
    own.mkdir()
    work = WORKS[name](own)
    folder = own / "whole"
    folder.mkdir()
    for _ in range(1 if isinstance(work, Run) else 2):  # the first compiles
        shutil.rmtree(folder)
        folder.mkdir()
        work.prepare(folder, random.Random(0))
        started = time.monotonic()
        outcome = child(folder, work.do, folder)
        took = time.monotonic() - started
        if outcome.status:
            raise RuntimeError(f"{name}: the work itself fails: {outcome.said[-800:]}")
    right = work.end(folder)
    return work, right, took, {"run": 40, "reports": 40, "proof": 12}.get(name, 8)


def _faults_of_repeating(work, folder: Path, right) -> list:
    """Do the harmed work once more: it has to end as work in peace does."""
    again = child(folder, work.do, folder)
    if again.status:
        return [*again.faults, (LOST, f"cannot be done again: {again.said[-300:]}")]
    if work.end(folder) != right:
        return [*again.faults, (WRONG, "another end than that of a run in peace")]
    return again.faults


def kills(harness: Harness, home: Path, counts: dict[str, int]) -> None:
    for name, count in counts.items():
        if harness.is_over(f"kills-{name}"):
            continue
        work, right, took, changes = _work_of(name, home)
        harness.part(KILL_SHARES[name])
        for number, rng in harness.trials(f"kills-{name}", count):
            folder = work.home / f"trial-{number}"
            folder.mkdir()
            work.prepare(folder, rng)
            if rng.random() < 0.5:
                harmed = child(folder, work.do, folder, at=rng.randint(1, changes))
            else:
                moment = rng.uniform(0.01, 1.05 * took)
                harmed = child(folder, work.do, folder, after=moment)
            faults = harmed.faults + work.look(folder)
            faults += _faults_of_repeating(work, folder, right)
            harness.note(f"kills-{name}", number, faults)
            shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def memory_disk(home: Path):
    """A folder on a disk of a few megabytes; None where none can be mounted."""
    folder = home / "disk"
    folder.mkdir()
    options = ["mount", "-t", "tmpfs", "-o", f"size={MEMORY_DISK}", "tmpfs", str(folder)]
    mounted = False
    if hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("mount"):
        mounted = subprocess.run(options, capture_output=True, check=False).returncode == 0
    try:
        yield folder if mounted else None
    finally:
        if mounted:
            subprocess.run(["umount", str(folder)], check=False)


def _fill(folder: Path, free: int) -> None:
    """Leave about so many bytes free on the folder's disk."""
    with contextlib.suppress(OSError):
        (folder.parent / "filler").write_bytes(bytes(max(0, shutil.disk_usage(folder).free - free)))


def disks(harness: Harness, home: Path, counts: dict[str, int]) -> None:
    with memory_disk(home) as disk:
        print("disks: tmpfs" if disk else "disks: no tmpfs, so files are limited (RLIMIT_FSIZE)")
        for name, count in counts.items():
            if harness.is_over(f"disks-{name}"):
                continue
            work, right, _, _ = _work_of(name, home)
            harness.part(DISK_SHARE)
            needed = {"store": 900_000, "run": 150_000, "cache": 60_000}.get(name, 20_000)
            for number, rng in harness.trials(f"disks-{name}", count):
                folder = (disk or work.home) / f"trial-{number}"
                folder.mkdir()
                work.prepare(folder, rng)
                free = int(rng.uniform(0, 1.1) * needed)
                if disk:
                    _fill(folder, free)
                harmed = child(folder, work.do, folder, file_limit=0 if disk else free + 1)
                faults = list(harmed.faults)
                if harmed.status == 2 and not harmed.said.strip().splitlines()[-1].startswith(
                    "error: "
                ):
                    faults.append((TRACEBACK, f"no message: {harmed.said[-300:]}"))
                (folder.parent / "filler").unlink(missing_ok=True)
                faults += work.look(folder)
                faults += _faults_of_repeating(work, folder, right)
                harness.note(f"disks-{name}", number, faults)
                shutil.rmtree(folder, ignore_errors=True)


# Every file that is written and read back: how it is made, and what is read from it.


def _sets(path):
    found = PatternSets.from_file(path)
    return digest(found.bits), list(found.words)


def _tree(words):
    def read(path):
        tree = DecisionTree.from_file(path, words)
        return tree.total, tree.to_text()

    return read


def _proof(words):
    def read(path):
        total, bounds = read_proof(path, words)
        return total, bounds.to_csv()

    return read


def _model(path):
    return dataclasses.astuple(GuessModel.from_file(path))


def _results(path):
    found = {report.name: report.results for report in site.look(path.parent.parent)}
    return json.dumps(found["61-many"], sort_keys=True)


def _store(path):
    source = path.parent / "v.txt"
    found = load_embedding(source, cache=path.parent)
    return digest(found.rows, found.norms, found.index_to_key.text)


def _make_files(home: Path) -> dict[str, tuple[Path, object]]:
    """A good file of each kind, and the function that reads it."""
    words = load_words(words_file(home))
    PatternSets.build(words).to_file(home / "sets.txt")
    tree = optimal_tree(words)
    tree.to_file(home / "tree.txt")
    tree.to_file(home / "tree.txt.gz")
    GuessModel.of(words).to_file(home / "model.json")
    solve_openers(words, words.allowed[:4], resume=home / "openers.csv")
    command("proof", "--words", words_file(home), "--output", home / "proof.csv.gz")
    (home / "61-many.ipynb").write_text(json.dumps(NOTEBOOK), encoding="utf-8")
    runner.run_report(home / "61-many.ipynb", {}, home / "site")
    (home / "vectors").mkdir()
    rows = np.random.default_rng(3).normal(size=(300, 8)).round(3)
    lines = (f"w{n} {' '.join(map(str, row))}\n" for n, row in enumerate(rows))
    (home / "vectors" / "v.txt").write_text("".join(lines))
    load_embedding(home / "vectors" / "v.txt", cache=home / "vectors")
    return 0


def _readers(home: Path) -> dict[str, tuple[Path, object]]:
    words = load_words(words_file(home))
    return {
        "sets": (home / "sets.txt", _sets),
        "tree": (home / "tree.txt", _tree(words)),
        "tree.gz": (home / "tree.txt.gz", _tree(words)),
        "model": (home / "model.json", _model),
        "openers": (home / "openers.csv", lambda path: read_openers(path, words).to_csv()),
        "proof": (home / "proof.csv.gz", _proof(words)),
        "results": (home / "site" / "results" / "61-many.json", _results),
        "store": (next((home / "vectors").glob("*.vectors")), _store),
    }


def harm(data: bytes, rng: random.Random) -> bytes:
    """The bytes with one to three of them changed, or cut short."""
    if rng.random() < 0.1:
        return data[: rng.randrange(len(data))]
    harmed = bytearray(data)
    for _ in range(rng.choice((1, 1, 3))):
        harmed[rng.randrange(len(data))] ^= rng.randint(1, 255)
    return bytes(harmed)


def _read_harmed(path: Path, read, right, data: bytes, rng: random.Random) -> list:
    harmed = harm(data, rng)
    path.write_bytes(harmed)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = read(path)
    except (ValueError, OSError):
        return []
    except Exception:
        return [(TRACEBACK, traceback.format_exc()[-600:])]
    if found != right and found != "null":  # results that are refused are none
        return [(WRONG, f"{path.name} was read as another")]
    return []


def flips(harness: Harness, home: Path, each: int) -> None:
    if harness.is_over("flips"):
        return
    own = home / "flips"
    own.mkdir()
    made = child(own, _make_files, own)
    if made.status:
        raise RuntimeError(f"the files cannot be made: {made.said[-800:]}")
    harness.part(FLIPS_SHARE)
    for kind, (path, read) in _readers(own).items():
        data = path.read_bytes()
        told = own / "told.json"

        def batch(numbers, path=path, read=read, data=data, told=told, kind=kind):
            right = read(path)
            found = []
            for number in numbers:
                rng = random.Random(f"{harness.seed} flips-{kind} {number}")
                found += [(number, *fault) for fault in _read_harmed(path, read, right, data, rng)]
                path.write_bytes(data)
            told.write_text(json.dumps(found))

        numbers = [number for number, _ in harness.trials(f"flips-{kind}", each)]
        times = path.stat().st_mtime_ns
        for start in range(0, len(numbers), 50):
            some = numbers[start : start + 50]
            told.unlink(missing_ok=True)
            outcome = child(own, batch, some)
            path.write_bytes(data)
            os.utime(path, ns=(times, times))
            harness.note(f"flips-{kind}", some[0], outcome.faults)
            for number, *fault in json.loads(told.read_text()) if told.exists() else []:
                harness.note(f"flips-{kind}", number, [fault])
    work, right, _, _ = _work_of("cache", own)
    whole = own / "cache" / "whole"
    for number, rng in harness.trials("flips-cache", max(2, each // 10)):
        folder = own / "cache" / f"trial-{number}"
        shutil.copytree(whole, folder)
        path = rng.choice(sorted(folder.rglob("*.nb?")))
        path.write_bytes(harm(path.read_bytes(), rng))
        outcome = child(folder, work.do, folder)
        faults = outcome.faults
        if outcome.status or work.end(folder) != right:
            faults.append((WRONG, f"{path.suffix} harmed: {outcome.said[-300:]}"))
        harness.note("flips-cache", number, faults)
        shutil.rmtree(folder)


def share_texts() -> list[str]:
    files = sorted((ROOT / "tests" / "data").glob("share_cases*.jsonl"))
    lines = [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    return [json.loads(line)["text"] for line in lines if line.strip()]


SPRINKLED = "🟩🟨⬛⬜🟧🟦*/6XWordle 123,.\n\r\t\0\u200b\ufe0f\u202e\ud800é\u0301|<>&\"'`#"


def mutate(text: str, texts: list[str], rng: random.Random) -> str:
    for _ in range(rng.randint(1, 8)):
        at, to = sorted(rng.randint(0, len(text)) for _ in range(2))
        way = rng.randrange(6)
        if way == 0:
            text = text[:at] + text[min(to, at + 5) :]
        elif way == 1:
            text = text[:at] + rng.choice(SPRINKLED) + text[at:]
        elif way == 2:
            text = text[:at] + text[at:to] * rng.randint(2, 4) + text[to:]
        elif way == 3:
            text = text[:at] + rng.choice(texts) + text[to:]
        elif way == 4:
            text = text[:at] + rng.choice(SPRINKLED) * rng.randint(1, 300) + text[at:]
        else:
            text = text[:at] + "".join(rng.sample(text[at:to], to - at)) + text[to:]
    return text[:20_000]


def texts(harness: Harness, _home: Path, count: int) -> None:
    harness.part(TEXTS_SHARE)
    cases = share_texts()
    for number, rng in harness.trials("texts", count):
        text, started = mutate(rng.choice(cases), cases, rng), time.monotonic()
        try:
            report = parse_shares(text)
        except Exception:
            harness.note("texts", number, [(TRACEBACK, traceback.format_exc()[-600:])])
            continue
        if time.monotonic() - started > 10:
            harness.note("texts", number, [(HANG, f"{time.monotonic() - started:.1f} s")])
        for share in report.shares:
            whole = all(re.fullmatch("[.YG]{5}", row) for row in share.rows)
            rows = 6 if share.score == "X" else int(share.score)
            won = share.rows[-1:] == ("GGGGG",)
            if not whole or len(share.rows) != rows or won != (share.score != "X"):
                harness.note("texts", number, [(WRONG, f"{share} of {text!r}"[:600])])


# --- options of the wrong type --------------------------------------------------------------------

FREE = {"group"}  # any text will do
SPECIAL = {
    "sizes": ["x", "0", "1,,2"],
    "sweep": ["nosuch"],
    "parameter": ["x", "=1", "nosuch=1", "top=x"],
}
INPUTS = {
    "words", "allowed", "file", "model", "answers", "embedding", "notebook", "paths", "grids",
    "word_list", "notebooks", "openers",
}  # fmt: skip
OUTPUTS = {"output", "output_dir", "calibration", "hardest"}


def _base(home: Path) -> dict[str, list]:
    """Arguments with which each command would work."""
    few, post, answers = words_file(home), home / "post.txt", home / "answers.csv"
    post.write_text("Wordle 210 2/6\n\n🟨⬛⬛⬛⬛\n🟩🟩🟩🟩🟩\n", encoding="utf-8")
    answers.write_text("puzzle,answer\n210,crank\n", encoding="utf-8")
    grids = home / "grids.csv"
    grids.write_text("puzzle,score,hard,grid\n210,2,0,Y....|GGGGG\n", encoding="utf-8")
    site_folder = home / "options-site"
    return {
        "run": ["03", "--output-dir", site_folder],
        "reports": ["03", "--output-dir", site_folder],
        "sweep": ["03", "-p", "top=1,2", "--output-dir", site_folder],
        "proof": ["--words", few, "--output", home / "p.csv"],
        "openers": ["abbot", "--words", few, "--output", home / "o.csv"],
        "index": ["--output-dir", site_folder],
        "evaluate": [grids, answers],
        "name-words": ["--words", few],
        "other-vectors": ["--games", "1"],
        "solve": [post],
        "learn": [post, "--answers", answers, "--output", home / "m.json"],
    }


def _values(action, home: Path) -> list[str]:
    """Values that are wrong for an option."""
    if action.dest in SPECIAL:
        return SPECIAL[action.dest]
    if action.choices:
        return ["nosuch", ""]
    if action.type is not None:
        return ["x", "", "1e3x"] + (["2.5"] if action.type is int else ["nan"])
    if action.dest in INPUTS:
        return [str(home / "nosuch.txt"), str(home / "noise.bin"), str(home / "folder"), "\0", ""]
    if action.dest in OUTPUTS:
        beneath = str(home / "noise.bin" / "x")
        return [beneath] if action.dest == "output_dir" else [beneath, str(home / "folder"), "\0"]
    return []


def wrong_commands(home: Path) -> list[list[str]]:
    """Command lines that must be refused."""
    (home / "folder").mkdir(exist_ok=True)
    (home / "noise.bin").write_bytes(random.Random(5).randbytes(4000))
    parser = command_line.build_parser()
    (commands,) = (a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    base, lines = _base(home), [["nosuch"], []]
    for name, subparser in commands.choices.items():
        given = list(map(str, base.get(name, [])))
        lines.append([name, *given, "--nosuch"])
        for action in subparser._actions:
            if isinstance(action, argparse._HelpAction) or action.dest in FREE:
                continue
            if action.nargs == 0:  # a switch takes no value
                lines.append([name, *given, f"{action.option_strings[-1]}=x"])
                continue
            for value in _values(action, home):
                if action.option_strings:
                    lines.append([name, *given, f"{action.option_strings[-1]}={value}"])
                elif action.required or action.nargs in ("*", "+"):
                    rest = given[1:] if given and not given[0].startswith("-") else given
                    lines.append([name, value, *rest])
    return lines


def options(harness: Harness, home: Path, part_of: int) -> None:
    own = home / "options"
    own.mkdir()
    lines = wrong_commands(own)
    harness.part(OPTIONS_SHARE)
    for number, _ in harness.trials("options", len(lines)):
        if harness.trial is None and (number + harness.seed) % part_of:
            continue
        outcome = child(own, command, *lines[number])
        faults = outcome.faults
        last = (outcome.said.strip().splitlines() or [""])[-1]
        if outcome.status != 2 or "error: " not in last:
            what = f"status {outcome.status}, {last[-200:]!r}"
            faults.append((WRONG, f"{' '.join(lines[number])!r}: {what}"))
        harness.note("options", number, faults)


def main(arguments: list[str] | None = None) -> int:
    """Do the harm; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--short", action="store_true", help="a few trials of each kind")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--minutes", type=float, help="it begins nothing new after so many (14; short: 0.8)"
    )
    parser.add_argument("--only", default="", metavar="PART", help="such as kills or kills-store")
    parser.add_argument("--trial", type=int, metavar="N", help="only this one of the part")
    given = parser.parse_args(arguments)
    minutes = given.minutes or (0.8 if given.short else 14)
    harness = Harness(given.seed, minutes, given.trial, alone=bool(given.only))
    kill_counts = SHORT_KILLS if given.short else KILLS
    disk_counts = {"store": 12, "proof": 12, "openers": 12, "cache": 12, "run": 4}
    if given.short:
        disk_counts = {"store": 2, "proof": 1}
    if "-" in given.only:
        name = given.only.partition("-")[2]
        kill_counts = {name: kill_counts.get(name, 0)}
        disk_counts = {name: disk_counts.get(name, 0)}
    parts = {
        "kills": (kills, kill_counts),
        "disks": (disks, disk_counts),
        "flips": (flips, 10 if given.short else 300),
        "options": (options, 25 if given.short else 1),
        "texts": (texts, 200 if given.short else 10_000),
    }
    with tempfile.TemporaryDirectory(prefix="faults-") as home:
        for name, (part, measure) in parts.items():
            if given.only in ("", name) or given.only.startswith(f"{name}-"):
                folder = Path(home) / name
                folder.mkdir()
                part(harness, folder, measure)
    for failure in harness.failures:
        print(failure, file=sys.stderr)
    counted = ", ".join(f"{harness.found[kind]} {kind}" for kind in KINDS)
    print(f"seed {given.seed}, {time.monotonic() - harness.started:.0f} s: {counted}")
    return 1 if harness.failures else 0


if __name__ == "__main__":
    sys.exit(main())
