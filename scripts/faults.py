"""Do harm to the work of the package, and look at what is left.

    python scripts/faults.py [--short] [--seed N] [--minutes M] [--only PART] [--trial N]

The parts: `texts` (mutated from the cases of posts), `flips` (of bytes in every file that the
project writes and reads back), `options` (of the wrong type), `disks` (of a few megabytes that
fill up) and `kills` (at random moments and at random changes of files). It counts wrong results,
lost good files, tracebacks and hangs, and prints how to repeat each.

The next trial is always of the part that is furthest behind: when the time runs out, all parts have
come equally far. Every trial is a forked child of this process, which has imported and compiled
everything: so a trial costs its work alone.

Exit status: 0; 1 for faults; 2 when the time was over before all trials (with --short it is only
said).
"""

import argparse
import contextlib
import dataclasses
import functools
import hashlib
import importlib.util
import json
import os
import pickle
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

from wordgames import PatternSets, _cluster, load_embedding, load_words, optimal_tree, parse_shares
from wordgames import __main__ as command_line
from wordgames import _compiled as compiling
from wordgames._progress import progress
from wordgames._warm import warm
from wordgames.grids.model import GuessModel
from wordgames.reports import site, sweep
from wordgames.reports.settings import MADE_FROM, declared_parameters
from wordgames.vectors import files as vector_files
from wordgames.wordle.openers import read_openers
from wordgames.wordle.proofs import read_proof
from wordgames.wordle.tree import DecisionTree

ROOT = Path(__file__).resolve().parent.parent
KINDS = ("wrong results", "lost good files", "tracebacks", "hangs")
WRONG, LOST, TRACEBACK, HANG = KINDS
PATIENCE = 60  # seconds after which a child hangs, on a machine that may be busy
MEMORY_DISK = 4 << 20  # bytes
CRASHED = 70

# Trials in full, and with --short.
KILLS = {
    "store": (90, 4), "proof": (40, 3), "openers": (22, 2), "cache": (26, 3), "run": (14, 1),
    "reports": (8, 0),
}  # fmt: skip
DISKS = {"store": (24, 2), "proof": (24, 2), "openers": (16, 1), "cache": (16, 1), "run": (8, 1)}
FLIPS = (100, 2)
SITE_FLIPS = (20, 1)  # each of them makes a first page
CACHE_FLIPS = (30, 2)
TEXTS = (200, 4)
# To fork a process takes longer than to read a post or a small file: so many in a trial.
FLIPS_AT_ONCE, TEXTS_AT_ONCE = 5, 50
SHORT_OPTIONS = 25

Faults = list[tuple[str, str]]


# --- a child that is harmed -----------------------------------------------------------------------


@dataclasses.dataclass
class Outcome:
    """How a child ended: its exit status (minus the signal that ended it), said and returned."""

    status: int
    said: str
    value: object = None
    changes: int = 0
    hung: bool = False

    @property
    def faults(self) -> Faults:
        """What is wrong however the work went."""
        found = [(HANG, f"still at work after {PATIENCE} s")] if self.hung else []
        crashed = self.status == CRASHED or (self.status < 0 and self.status != -signal.SIGKILL)
        if "Traceback (most recent call last)" in self.said or crashed:
            found.append((TRACEBACK, f"status {self.status}: {self.said.strip()[-900:]}"))
        return found


def _count_changes(folder: Path, last: int) -> list[int]:
    """Count this process's changes of files in the folder; at number `last` it dies."""
    count, within = [0], str(folder)

    def hook(event: str, arguments: tuple) -> None:
        writes = event == "open" and isinstance(arguments[2], int) and arguments[2] & os.O_CREAT
        if not writes and event not in ("os.rename", "os.remove", "os.mkdir", "os.utime"):
            return
        if within in str(arguments[0]):
            count[0] += 1
            if count[0] == last:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(hook)
    return count


def _in_child(work, arguments, folder: Path, at: int, file_limit: int) -> tuple[int, bytes]:
    """The exit status of the work, and what it returned as `child` reads it."""
    value, count = None, [0]
    try:
        if file_limit:
            resource.setrlimit(resource.RLIMIT_FSIZE, (file_limit, resource.RLIM_INFINITY))
        count = _count_changes(folder, at)
        value = work(*arguments)
        status = value if isinstance(value, int) else 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 1
    except (OSError, ValueError) as error:  # those that a caller is meant to get
        print(f"error: {error}", file=sys.stderr)
        status = 2
    except BaseException:
        traceback.print_exc()
        status = CRASHED
    with contextlib.suppress(Exception):
        sys.stdout.flush()
        sys.stderr.flush()
    return status, pickle.dumps((value, count[0]))


def _read(pipe: int) -> bytes:
    found = b""
    with contextlib.suppress(BlockingIOError):
        while data := os.read(pipe, 1 << 16):
            found += data
    return found


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
    said_here, said_there = os.pipe()
    told_here, told_there = os.pipe()
    process = os.fork()
    if not process:
        os.setsid()
        for number, name in ((1, "stdout"), (2, "stderr")):
            os.dup2(said_there, number)
            stream = open(number, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
            setattr(sys, name, stream)
        status = CRASHED
        with contextlib.suppress(Exception):
            status, told = _in_child(work, arguments, folder, at, file_limit)
            while told:
                told = told[os.write(told_there, told) :]
        os._exit(status)
    os.close(said_there)
    os.close(told_there)
    for pipe in (said_here, told_here):
        os.set_blocking(pipe, False)
    started, hung, killed, ended = time.monotonic(), False, False, 0
    said = told = b""
    while not ended:
        ended, code = os.waitpid(process, os.WNOHANG)
        passed = time.monotonic() - started
        if not (ended or killed) and (passed > PATIENCE or 0 < after <= passed):
            hung, killed = passed > PATIENCE, True
            os.kill(process, signal.SIGKILL)
        said, told = said + _read(said_here), told + _read(told_here)
        time.sleep(0.002)
    os.close(said_here)
    os.close(told_here)
    status = os.waitstatus_to_exitcode(code)
    value, changes = pickle.loads(told) if told and status >= 0 else (None, 0)
    return Outcome(status, said.decode(errors="replace"), value, changes, hung)


def peaceful(folder: Path, work, *arguments) -> Outcome:
    """An outcome that has to be good, or the harness itself is at fault."""
    outcome = child(folder, work, *arguments)
    if outcome.status or outcome.hung:
        raise RuntimeError(f"work that nobody harmed fails: {outcome.said[-900:]}")
    return outcome


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


def words_file(home: Path) -> Path:
    path = home / "few.txt"
    if not path.exists():
        path.write_text("\n".join(load_words().answers[::12]) + "\n", encoding="utf-8")
    return path


# --- works: each is begun, harmed, done again, and has one right end ------------------------------


class Work:
    """Something that writes files into a folder, and what is right of them at every moment.

    `rehearse` does it in peace: it sets what is right at the end, and what the work takes.
    """

    def __init__(self, home: Path):
        self.home = home

    def prepare(self, folder: Path, rng: random.Random) -> None:
        """The state before: at times with a good file of an earlier time."""

    def do(self, folder: Path):
        """The work, in the child."""
        raise NotImplementedError

    def look(self, folder: Path) -> Faults:
        """Faults in what the harmed work left, before it is done again."""
        return []

    def end(self, folder: Path, outcome: Outcome) -> object:
        """What there is at the end: equal after every trial."""
        return contents(folder)

    def rehearse(self) -> None:
        folder = self.home / "whole"
        folder.mkdir()
        self.prepare(folder, random.Random(0))
        started = time.monotonic()
        outcome = peaceful(folder, self.do, folder)
        self.seconds, self.changes = time.monotonic() - started, outcome.changes
        self.bytes = sum(map(len, contents(folder).values()))
        self.right = self.end(folder, outcome)

    def again(self, folder: Path) -> Faults:
        """Faults in doing it once more: it has to end as work in peace does."""
        outcome = child(folder, self.do, folder)
        if outcome.status:
            return [*outcome.faults, (LOST, f"cannot be done again: {outcome.said[-300:]}")]
        if not outcome.hung and self.end(folder, outcome) != self.right:
            return [*outcome.faults, (WRONG, "another end than that of a run in peace")]
        return outcome.faults


class Store(Work):
    """A file of vectors becomes a store; at times one of an older version of the file is there."""

    def __init__(self, home):
        super().__init__(home)
        rng = np.random.default_rng(1)
        self.versions = []
        for _ in range(2):
            rows = rng.normal(size=(4000, 24)).astype(np.float32).round(4)
            lines = (f"w{n} {' '.join(map(str, row))}" for n, row in enumerate(rows))
            self.versions.append(("\n".join(lines) + "\n").encode())

    def prepare(self, folder, rng):
        source = folder / "v.txt"
        for version, data in enumerate(self.versions):
            source.write_bytes(data)
            os.utime(source, (1e9 + version, 1e9 + version))
            if version == 0 and rng.random() < 0.5:
                peaceful(folder, self.do, folder)

    def do(self, folder):
        vector_files.CHUNK = 1 << 16  # many small steps, so that there are many moments
        found = load_embedding(folder / "v.txt", cache=folder / "cache")
        return digest(found.rows, found.norms, found.index_to_key.text)

    def end(self, folder, outcome):
        return outcome.value


class Proof(Work):
    """A proof, and one that is there is kept until the new one is whole."""

    def __init__(self, home):
        super().__init__(home)
        self.words = words_file(home)

    def prepare(self, folder, rng):
        if hasattr(self, "right") and rng.random() < 0.5:
            (folder / "proof.csv").write_bytes(self.right["proof.csv"])

    def do(self, folder):
        return command("proof", "--words", self.words, "--output", folder / "proof.csv")

    def look(self, folder):
        path = folder / "proof.csv"
        if path.exists() and path.read_bytes() != self.right["proof.csv"]:
            return [(LOST, f"{path.name} is neither the old nor the new one")]
        return []


class Openers(Work):
    """The totals of first guesses, in a file that an interrupted run goes on with."""

    def __init__(self, home):
        super().__init__(home)
        self.words = words_file(home)
        self.guesses = self.words.read_text(encoding="utf-8").split()[::6]

    def do(self, folder):
        return command(
            "openers", *self.guesses, "--words", self.words, "--output", folder / "openers.csv"
        )

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


def notebook_file(home: Path) -> Path:
    path = home / "61-many.ipynb"
    if not path.exists():
        path.write_text(json.dumps(NOTEBOOK), encoding="utf-8")
    return path


def _make(verb: str, home: Path, many: int, folder: Path) -> int:
    return command(verb, notebook_file(home), "-p", f"many={many}", "--output-dir", folder)


@functools.cache
def site_of(home: Path) -> Path:
    """A site of the small notebook, made once for all parts."""
    folder = home / "site"
    folder.mkdir()
    peaceful(folder, _make, "run", home, 1, folder)
    return folder


class Run(Work):
    """A report is made anew with another parameter; its page and its results belong together."""

    verb = "run"

    def __init__(self, home):
        super().__init__(home)
        self.before = site_of(home.parent)

    def pair(self, folder):
        found = contents(folder)
        return [found.get(name) for name in ("61-many.html", "results/61-many.json")]

    def prepare(self, folder, rng):
        if rng.random() < 0.8:
            shutil.copytree(self.before, folder, dirs_exist_ok=True)
        if rng.random() < 0.3:
            (folder / "scratch").mkdir()

    def do(self, folder):
        if (folder / "scratch").exists():  # temporary files lie on the disk that fills up
            os.environ["TMPDIR"] = tempfile.tempdir = str(folder / "scratch")
        return _make(self.verb, self.home.parent, 2, folder)

    def look(self, folder):
        there = (folder / "61-many.html").exists()
        outcome = child(folder, command, "index", "--output-dir", folder)
        found = outcome.faults
        if outcome.status:
            found.append((LOST, f"no index can be made: {outcome.said}"))
        if self.pair(folder) not in [self.pair(self.before), self.right] + [[None, None]] * (
            not there
        ):
            found.append((LOST, "a page and its results are not of one run"))
        left = [path.name for path in folder.glob(".*") if re.search("moving|tmp", path.name)]
        return found + [(LOST, f"left behind: {left}")] * bool(left)

    def end(self, folder, outcome):
        return self.pair(folder)


class Reports(Run):
    """The same by another command, which has to leave the same."""

    verb = "reports"

    def rehearse(self):
        vars(self).update(vars(work_of("run", self.home.parent)) | vars(self))


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
        return [kernels.summed(0, 10, numbers), *numbers.tolist()]

    def end(self, folder, outcome):
        return outcome.value


WORKS = {
    "store": Store, "proof": Proof, "openers": Openers, "cache": Cache, "run": Run,
    "reports": Reports,
}  # fmt: skip


@functools.cache
def work_of(name: str, home: Path) -> Work:
    """A work, rehearsed; the same for its kills, its disks and its flips."""
    own = home / name
    own.mkdir()
    work = WORKS[name](own)
    work.rehearse()
    return work


# --- the parts: each gives a function that does one trial and returns its faults ------------------


@contextlib.contextmanager
def fresh(home: Path):
    """A new folder for one trial."""
    with tempfile.TemporaryDirectory(dir=home, ignore_cleanup_errors=True) as folder:
        yield Path(folder)


def kills(home: Path, name: str):
    work = work_of(name, home)

    def trial(rng: random.Random, _number: int) -> Faults:
        with fresh(work.home) as folder:
            work.prepare(folder, rng)
            when = {"after": rng.uniform(0.01, 1.05 * work.seconds)}
            if rng.random() < 0.5:
                when = {"at": rng.randint(1, work.changes)}
            harmed = child(folder, work.do, folder, **when)
            return harmed.faults + work.look(folder) + work.again(folder)

    return trial


@contextlib.contextmanager
def memory_disk(home: Path):
    """A folder on a disk of a few megabytes; None where none can be mounted."""
    folder = home / "disk"
    folder.mkdir()
    options = ["mount", "-t", "tmpfs", "-o", f"size={MEMORY_DISK}", "tmpfs", str(folder)]
    mounted = (
        shutil.which("mount") is not None
        and subprocess.run(options, capture_output=True, check=False).returncode == 0
    )
    if not mounted:
        warnings.warn("no tmpfs (it takes root), so the size of files is limited", stacklevel=1)
    try:
        yield folder if mounted else None
    finally:
        if mounted:
            subprocess.run(["umount", "-l", str(folder)], check=False)  # killed kernels may linger
        folder.rmdir()


def disks(home: Path, name: str):
    work = work_of(name, home)

    def trial(rng: random.Random, _number: int) -> Faults:
        with memory_disk(work.home) as disk, fresh(disk or work.home) as folder:
            work.prepare(folder, rng)
            free, filler = int(rng.uniform(0, 1.2) * work.bytes), folder.parent / "filler"
            if disk:
                with contextlib.suppress(OSError):
                    filler.write_bytes(bytes(max(0, shutil.disk_usage(disk).free - free)))
            harmed = child(folder, work.do, folder, file_limit=0 if disk else free + 1)
            filler.unlink(missing_ok=True)
            faults = harmed.faults
            if harmed.status == 2 and not harmed.said.strip().split("\n")[-1].startswith("error: "):
                faults.append((TRACEBACK, f"no message: {harmed.said[-300:]}"))
            return faults + work.look(folder) + work.again(folder)

    return trial


# --- flips ----------------------------------------------------------------------------------------


def _sets(path):
    found = PatternSets.from_file(path)
    return digest(found.bits), list(found.words)


def _tree(path):
    tree = DecisionTree.from_file(path, load_words(path.parent / "few.txt"))
    return tree.total, tree.to_text()


def _model(path):
    return dataclasses.astuple(GuessModel.from_file(path))


def _openers(path):
    return read_openers(path, load_words(path.parent / "few.txt")).to_csv()


def _proof(path):
    total, bounds = read_proof(path, load_words(path.parent / "few.txt"))
    return total, bounds.to_csv()


def _results(path):
    """What the site finds in a folder of one report; it must be able to make its first page."""
    folder = next(f for f in path.parents if (f / "61-many.html").exists())
    site.build_index(folder)
    found = {report.name: report.results for report in site.look(folder)}["61-many"]
    return found and json.dumps(found, sort_keys=True)


def _run_of_a_sweep(home: Path) -> sweep.Run:
    notebook = notebook_file(home)
    (run,) = sweep._runs(notebook, declared_parameters(notebook), home / "sweep", [{}])
    return run


def _sweep(path):
    """What a sweep takes for done; None: it would run again."""
    run = _run_of_a_sweep(next(f.parent for f in path.parents if f.name == "sweep"))
    run.look()
    return run.results or None


def _store(path):
    found = load_embedding(path.parent / "v.txt", cache=path.parent)
    return digest(found.rows, found.norms, found.index_to_key.text)


def _make_files(home: Path) -> None:
    words = load_words(words_file(home))
    PatternSets.build(words).to_file(home / "sets.txt")
    tree = optimal_tree(words)
    tree.to_file(home / "tree.txt")
    tree.to_file(home / "tree.txt.gz")
    GuessModel.of(words).to_file(home / "model.json")
    some = words.allowed[::40]
    command("openers", *some, "--words", home / "few.txt", "--output", home / "openers.csv")
    command("proof", "--words", home / "few.txt", "--output", home / "proof.csv.gz")
    (home / "vectors").mkdir()
    rows = np.random.default_rng(3).normal(size=(300, 8)).round(3)
    lines = (f"w{n} {' '.join(map(str, row))}\n" for n, row in enumerate(rows))
    (home / "vectors" / "v.txt").write_text("".join(lines))
    load_embedding(home / "vectors" / "v.txt", cache=home / "vectors")


@functools.cache
def files_of(home: Path) -> Path:
    """A folder with a good file of each kind."""
    own = home / "files"
    own.mkdir()
    peaceful(own, _make_files, own)
    return own


@functools.cache
def sites_of(home: Path) -> Path:
    """A folder with a site of one report, and with a sweep of one run."""
    own = home / "sites"
    own.mkdir()
    run = _run_of_a_sweep(own)
    for folder in (own / "site", run.folder):
        shutil.copytree(site_of(home), folder)
    (run.folder / MADE_FROM).write_text(run.made_from, encoding="utf-8")
    return own


# Every file that is written and read back: where it is made, its path, and what is read from it.
READERS = {
    "sets": (files_of, "sets.txt", _sets),
    "tree": (files_of, "tree.txt", _tree),
    "tree.gz": (files_of, "tree.txt.gz", _tree),
    "model": (files_of, "model.json", _model),
    "openers": (files_of, "openers.csv", _openers),
    "proof": (files_of, "proof.csv.gz", _proof),
    "store": (files_of, "vectors/*.vectors", _store),
    "results": (sites_of, "site/results/61-many.json", _results),
    "page": (sites_of, "site/61-many.html", _results),
    "executed": (sites_of, "site/notebooks/61-many.ipynb", _results),
    "sweep": (sites_of, "sweep/*/results/61-many.json", _sweep),
    "made-from": (sites_of, f"sweep/*/{MADE_FROM}", _sweep),
}


def harm(data: bytes, rng: random.Random) -> bytes:
    """The bytes with one to three of them changed, or cut short."""
    if rng.random() < 0.1:
        return data[: rng.randrange(len(data))]
    harmed = bytearray(data)
    for _ in range(rng.choice((1, 1, 3))):
        harmed[rng.randrange(len(data))] ^= rng.randint(1, 255)
    return bytes(harmed)


def flips(home: Path, kind: str):
    make, pattern, read = READERS[kind]
    files = make(home)
    (path,) = files.glob(pattern)
    data, state = path.read_bytes(), path.stat()
    right = peaceful(files, lambda: [read(path)]).value[0]

    def attempt(harmed: bytes) -> Faults:
        path.write_bytes(harmed)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found = read(path)
        except (ValueError, OSError) as error:
            named = path.name in str(error)
            return [] if named else [(TRACEBACK, f"a message without the file: {error!r}")]
        return [] if found in (right, None) else [(WRONG, f"{path.name} was read as another")]

    def batch(rng: random.Random) -> Faults:
        return [fault for _ in range(FLIPS_AT_ONCE) for fault in attempt(harm(data, rng))]

    def trial(rng: random.Random, _number: int) -> Faults:
        outcome = child(files, batch, rng)
        path.write_bytes(data)
        os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))
        return outcome.faults + (outcome.value or [])

    return trial


def cache_flips(home: Path, _name: str):
    work = work_of("cache", home)

    def trial(rng: random.Random, _number: int) -> Faults:
        with fresh(work.home) as folder:
            shutil.copytree(work.home / "whole", folder, dirs_exist_ok=True)
            path = rng.choice(sorted(folder.rglob("*.nb?")))
            path.write_bytes(harm(path.read_bytes(), rng))
            return work.again(folder)

    return trial


@functools.cache
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


def _faults_of_text(text: str) -> Faults:
    found, started = [], time.monotonic()
    for share in parse_shares(text).shares:
        whole = all(re.fullmatch("[.YG]{5}", row) for row in share.rows)
        rows = 6 if share.score == "X" else int(share.score)
        won = share.rows[-1:] == ("GGGGG",)
        if not whole or len(share.rows) != rows or won != (share.score != "X"):
            found.append((WRONG, f"{share} of {text!r}"[:600]))
    seconds = time.monotonic() - started
    return found + [(HANG, f"{seconds:.1f} s for {text!r}"[:600])] * (seconds > 10)


def texts(home: Path, _name: str):
    cases = share_texts()

    def batch(rng: random.Random) -> Faults:
        return [
            fault
            for _ in range(TEXTS_AT_ONCE)
            for fault in _faults_of_text(mutate(rng.choice(cases), cases, rng))
        ]

    def trial(rng: random.Random, _number: int) -> Faults:
        outcome = child(home, batch, rng)
        return outcome.faults + (outcome.value or [])

    return trial


# --- options of the wrong type --------------------------------------------------------------------

NUMBERS = ["x", "", "1e3x", "0x10", "-1", "nan"]
FRACTIONS = {"agreement", "cell_limit", "run_limit"}
INPUTS = {
    "words", "allowed", "file", "model", "answers", "embedding", "notebook", "paths", "grids",
    "word_list", "notebooks",
}  # fmt: skip
# Values that are wrong for other text; none where any text will do.
TEXT = {
    "cluster": ["", "nosuch", "tcp://127.0.0.1:1"],
    "group": [],
    "openers": ["nosuch", ""],
    "parameter": ["x", "=1", "nosuch=1", "many=x"],
    "sizes": ["x", "0", "1,,2", ""],
    "strategies": ["nosuch", ""],
    "sweep": ["nosuch"],
}


def good_values(home: Path) -> dict[str, object]:
    """By the name of an argument: what each command that has it is given, so that it works."""
    post, answers, grids = (home / name for name in ("post.txt", "answers.csv", "grids.csv"))
    post.write_text("Wordle 210 2/6\n\n🟨⬛⬛⬛⬛\n🟩🟩🟩🟩🟩\n", encoding="utf-8")
    puzzles = {210: "crank", 211: "drink", 212: "prick", 213: "wrung"}
    lines = [f"{puzzle},{answer}\n" for puzzle, answer in puzzles.items()]
    answers.write_text("puzzle,answer\n" + "".join(lines), encoding="utf-8")
    lines = [f"{puzzle},2,0,Y....|GGGGG\n" for puzzle in puzzles for _ in range(4)]
    grids.write_text("puzzle,score,hard,grid\n" + "".join(lines), encoding="utf-8")
    return {
        "notebook": notebook_file(home),
        "notebooks": notebook_file(home),
        "openers": "aback",
        "strategies": "minimax",
        "grids": grids,
        "answers": answers,
        "paths": post,
        "words": words_file(home),
        "output": home / "made" / "table.csv",
        "output_dir": home / "made" / "site",
        "games": 1,
        "most": 1,
        "draws": 1,
        "sizes": 1,
    }


def _wrong(name: str, action: argparse.Action, home: Path) -> list[str]:
    """Values that are wrong for an argument."""
    below = str(home / "noise.bin" / "x")
    if action.choices:
        return ["nosuch", ""]
    if action.type is command_line.new_file:
        missing = str(home / "nosuch" / "x")
        return [below, missing, str(home / "folder"), str(home / ("x" * 300)), "\0", ""]
    if action.type is not None:
        return NUMBERS + ["2.5"] * (action.dest not in FRACTIONS)
    if action.dest == "output_dir":
        return [below, ""]
    if action.dest in INPUTS:
        return [str(home / "nosuch.txt"), str(home / "noise.bin"), str(home / "folder"), "\0", ""]
    if action.dest not in TEXT:
        raise ValueError(f"scripts/faults.py: say in TEXT what is wrong for {name}: {action.dest}")
    return TEXT[action.dest]


def _with(action: argparse.Action, value) -> str:
    return f"{action.option_strings[-1]}={value}" if action.option_strings else str(value)


def command_lines(home: Path) -> list[tuple[int, list[str]]]:
    """For every argument of every command, lines that have to end with this status."""
    (home / "folder").mkdir()
    (home / "noise.bin").write_bytes(random.Random(5).randbytes(4000))
    (commands,) = command_line.build_parser()._subparsers._group_actions
    good, lines = good_values(home), [(2, ["nosuch"]), (2, [])]
    for name, parser in commands.choices.items():
        actions = [a for a in parser._actions if not isinstance(a, argparse._HelpAction)]
        actions.sort(key=lambda action: bool(action.option_strings))  # first those without a name
        given = {a.dest: _with(a, good[a.dest]) for a in actions if a.dest in good}
        lines += [(0, [name, *given.values()]), (2, [name, *given.values(), "--nosuch"])]
        for action in actions:
            wrong = ["x"] if action.nargs == 0 else _wrong(name, action, home)
            for value in wrong:
                lines.append((2, [name, *{**given, action.dest: _with(action, value)}.values()]))
    return lines


def options(home: Path, _name: str):
    own = home / "options"
    own.mkdir()
    lines = command_lines(own)
    random.Random(1).shuffle(lines)

    def trial(_rng: random.Random, number: int) -> Faults:
        status, line = lines[number]
        (own / "made").mkdir()
        outcome = child(own, command, *line)
        shutil.rmtree(own / "made")
        faults, said = outcome.faults, outcome.said.strip().split("\n")
        if outcome.status != status or (status == 2 and "error: " not in said[-1]):
            what = f"status {outcome.status}, not {status}: {said[-1][-200:]!r}"
            faults.append((WRONG, f"{' '.join(line)!r}: {what}"))
        elif status == 2 and len(said) > 2 and not said[0].startswith("usage: "):
            faults.append((WRONG, f"{' '.join(line)!r} is refused after work: {said[:-1]}"[:600]))
        return faults

    return trial


# --- the whole ------------------------------------------------------------------------------------


@dataclasses.dataclass
class Part:
    """A name, how many trials are wanted, what begins it, and what its trials took."""

    name: str
    count: int
    begin: object
    trial: object = None
    done: int = 0
    seconds: float = 0
    processor: float = 0

    def step(self, home: Path, number: int, seed: int) -> Faults:
        """One trial; the first is prepared before."""
        started, before = time.monotonic(), sum(os.times()[:4])
        if self.trial is None:
            self.trial = self.begin(home, self.name.partition("-")[2])
        faults = self.trial(random.Random(f"{seed} {self.name} {number}"), number)
        self.done += 1
        self.seconds += time.monotonic() - started
        self.processor += sum(os.times()[:4]) - before
        return faults


def parts_of(home: Path, *, short: bool) -> list[Part]:
    """All parts; first those whose trials cost least."""
    scratch = home / "count"
    scratch.mkdir()
    lines = len(command_lines(scratch))
    return [
        Part("texts", TEXTS[short], texts),
        *(
            Part(f"flips-{kind}", (SITE_FLIPS if read is _results else FLIPS)[short], flips)
            for kind, (_, _, read) in READERS.items()
        ),
        Part("flips-cache", CACHE_FLIPS[short], cache_flips),
        Part("options", SHORT_OPTIONS if short else lines, options),
        *(Part(f"disks-{name}", count[short], disks) for name, count in DISKS.items()),
        *(Part(f"kills-{name}", count[short], kills) for name, count in KILLS.items()),
    ]


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
    warm()  # a forked child has what is compiled, but not the threads
    compiling._threads().shutdown()
    compiling._threads.cache_clear()
    _cluster._PATIENCE = 1
    started, found, failures = time.monotonic(), Counter(), []
    until = started + 60 * (given.minutes or (0.8 if given.short else 14))
    with tempfile.TemporaryDirectory(prefix="faults-") as folder:
        parts = [
            part
            for part in parts_of(Path(folder), short=given.short)
            if part.count and f"{part.name}-".startswith(given.only and f"{given.only}-")
        ]
        if given.trial is not None:
            parts = [dataclasses.replace(part, count=1) for part in parts]
        with progress(total=sum(part.count for part in parts), what="trials") as bar:
            while time.monotonic() < until:
                part = min(parts, key=lambda part: part.done / part.count)
                if part.done == part.count:
                    break
                number = part.done if given.trial is None else given.trial
                for kind, what in part.step(Path(folder), number, given.seed):
                    found[kind] += 1
                    again = f"scripts/faults.py --seed {given.seed} --only {part.name}"
                    failures.append(f"{kind}: {what}\n  again: python {again} --trial {number}")
                    print(failures[-1], file=sys.stderr, flush=True)
                bar.update()
    for part in parts:
        over = "" if part.done >= part.count else ": THE TIME WAS OVER"
        took = f"{part.seconds:.1f} s, {part.processor:.1f} s of processor time"
        print(f"{part.name}: {part.done} of {part.count} trials in {took}{over}")
    counted = ", ".join(f"{found[kind]} {kind}" for kind in KINDS)
    trials, wanted = (sum(getattr(part, name) for part in parts) for name in ("done", "count"))
    seconds = time.monotonic() - started
    print(f"seed {given.seed}, {trials} of {wanted} trials, {seconds:.0f} s: {counted}")
    return 1 if failures else 2 if trials < wanted and not given.short else 0


if __name__ == "__main__":
    sys.exit(main())
