"""Work in pieces on a cluster: the same as without one, also when a worker is killed."""

import gc
import json
import os
import signal
import socket
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from wordgames import _cluster
from wordgames.__main__ import BAD_INPUT, main
from wordgames._cluster import in_pieces, workers
from wordgames.wordle.openers import solve_openers
from wordgames.wordle.strategies import tournament, tournaments
from wordgames.wordle.tree_search import prove_optimal
from wordgames.words import WordList, load_words

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="kills a process by its number"),
]


@pytest.fixture(scope="module")
def few() -> WordList:
    some = load_words().answers[::24]
    return WordList(some, some, "few")


@pytest.fixture(scope="module")
def cluster():
    """An executor over two processes."""
    pytest.importorskip("distributed")
    with workers(2) as executor:
        yield executor


def square(number: int) -> int:
    return number * number


class Shared:
    """Something that all pieces share; each process that receives it leaves a line in a file."""

    def __init__(self, log: Path):
        self.log = log

    def __setstate__(self, state):
        self.__dict__.update(state)
        with self.log.open("a") as file:
            file.write(f"{os.getpid()}\n")


def once(shared: Shared, folder: Path, piece: int) -> int:
    """Leave a line for the piece; the first piece waits at its first time until it is killed."""
    path = folder / str(piece)
    with path.open("a") as file:
        file.write(f"{os.getpid()}\n")
    if piece == 0 and path.read_text().count("\n") == 1:
        time.sleep(600)
    return piece * piece


def started(path: Path) -> int:
    """The number of the process that has begun the piece of this file."""
    for _ in range(1200):
        if path.exists() and path.read_text().endswith("\n"):
            return int(path.read_text())
        time.sleep(0.1)
    raise TimeoutError(f"nobody has begun {path.name}")


def test_results_come_in_the_order_of_the_pieces(cluster):
    pieces = list(range(20))
    wanted = [number**2 for number in pieces]
    assert in_pieces(square, pieces) == in_pieces(square, pieces, cluster) == wanted
    with ThreadPoolExecutor(3) as executor:
        assert in_pieces(square, pieces, executor) == wanted
    assert in_pieces(square, [], cluster) == []


def test_an_error_of_a_piece_comes_through(cluster):
    for executor in (None, cluster):
        with pytest.raises(TypeError):
            in_pieces(square, [1, "x", 3], executor)


def test_a_killed_worker_costs_its_piece_only(cluster, tmp_path):
    shared = Shared(tmp_path / "received")
    work = partial(once, shared, tmp_path)
    futures = [cluster.submit(work, 0)]
    pid = started(tmp_path / "0")
    futures += [cluster.submit(work, piece) for piece in range(1, 10)]
    os.kill(pid, signal.SIGKILL)
    assert [future.result(120) for future in futures] == [piece**2 for piece in range(10)]
    times = [len((tmp_path / str(piece)).read_text().split()) for piece in range(10)]
    assert times == [2] + [1] * 9
    # What the pieces share went to each process once.
    received = shared.log.read_text().split()
    assert len(received) == len(set(received)) <= 3


class Killing:
    """An executor that kills a worker as soon as a first piece is done."""

    def __init__(self, executor):
        self._executor = executor
        self._pid = next(iter(executor._client.run(os.getpid).values()))

    def _kill(self, _future):
        if self._pid:
            os.kill(self._pid, signal.SIGKILL)
        self._pid = None

    def submit(self, *arguments):
        future = self._executor.submit(*arguments)
        future.add_done_callback(self._kill)
        return future


def test_a_proof_is_the_same_bytes_and_survives_a_killed_worker(cluster, few, tmp_path):
    total = 350
    here = prove_optimal(few, total, resume=tmp_path / "here.csv")
    there = prove_optimal(few, total, cluster, resume=tmp_path / "there.csv")
    killed = prove_optimal(few, total, Killing(cluster), resume=tmp_path / "killed.csv")
    assert here.equals(there) and here.equals(killed)
    bytes_ = {path.read_bytes() for path in tmp_path.glob("*.csv")}
    assert len(bytes_) == 1


def test_openers_and_tournaments_are_the_same(cluster, few):
    openers = few.allowed[:6]
    assert solve_openers(few, openers).equals(solve_openers(few, openers, executor=cluster))
    other = WordList(few.answers[:40], few.allowed, "other")
    names = ["letter-score", "entropy"]
    here = tournaments(names, [few, other])
    assert here.equals(tournaments(names, [few, other], executor=cluster))
    assert here["words"].tolist() == ["few", "few", "other", "other"]
    alone = tournament("entropy", other).iloc[0]
    row = here.iloc[3]
    assert row["strategy"] == "entropy" and row["total"] == alone["total"]
    assert [row[str(n)] for n in range(1, 7)] == [alone[str(n)] for n in range(1, 7)]


def test_a_sweep_leaves_the_same_bytes(cluster, tmp_path, monkeypatch):
    import nbformat

    from wordgames.reports.sweep import sweep

    cells = [
        nbformat.v4.new_code_cell(
            "# The parameters of this report\n"
            'word_list = "wordle-2021"  # a list\n'
            "top = 2  # 1 to 9: a number",
            id="a",
            metadata={"tags": ["parameters"]},
        ),
        nbformat.v4.new_code_cell("print(word_list, top)\n1 / (top - 3)", id="b"),
    ]
    notebook = tmp_path / "70-demo.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=cells), notebook)
    mine = tmp_path / "mine.txt"
    mine.write_text("crane\n")
    texts = {"word_list": [str(mine)], "top": ["2", "3"]}
    left = {}
    for name, context in (("here", None), ("there", cluster)):
        with ThreadPoolExecutor(1):
            runs = sweep(notebook, texts, tmp_path / name, workers=lambda c=context: _given(c))
        assert [run.state for run in runs] == ["done", "failed"]
        assert "ZeroDivisionError" in runs[1].reason
        left[name] = {
            path.relative_to(tmp_path / name): path.read_bytes()
            for path in (tmp_path / name).rglob("*")
            if path.is_file()
        }
    assert left["here"] == left["there"] and len(left["here"]) > 8


def _given(executor):
    from contextlib import nullcontext

    return nullcontext(executor)


def test_a_file_that_a_machine_does_not_have_is_said(tmp_path):
    from wordgames.reports import runner
    from wordgames.reports.settings import NO_LIMITS

    made_from = json.dumps({"files": {str(tmp_path / "none.txt"): "0" * 64}})
    job = runner._Job(tmp_path / "a.ipynb", {}, {}, tmp_path, NO_LIMITS, made_from)
    made = runner._make_there(b"{}", job)
    assert "none.txt" in made.reason and "same path on every machine" in made.reason


# Bad input


def test_workers_of_another_version_are_refused(cluster, monkeypatch):
    monkeypatch.setattr(_cluster, "fingerprint", lambda: "another")
    with pytest.raises(ValueError, match="has another version of the package wordgames"):
        _cluster._check(cluster._client, "the cluster")
    # One that joins later is found by the first piece that it is given.
    with pytest.raises(ValueError, match="a worker has another version"):
        in_pieces(square, [1, 2], cluster)


def test_no_scheduler_at_the_address_is_said_within_seconds(capsys):
    pytest.importorskip("distributed")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    for address in (f"tcp://127.0.0.1:{port}", "not an address", "tcp://127.0.0.1:99999", ""):
        start = time.monotonic()
        assert main(["tournament", "entropy", "--cluster", address]) == BAD_INPUT
        gc.collect()  # a client that was only half made would say so at its end
        error = capsys.readouterr().err
        assert error.startswith(f"error: no scheduler at {address!r}") and "dask scheduler" in error
        assert error.count("\n") == 1
        assert time.monotonic() - start < 30


def test_a_scheduler_without_workers_is_said(monkeypatch):
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr(_cluster, "_ARRIVAL", 0.5)
    with (
        distributed.LocalCluster(n_workers=0, dashboard_address=None) as empty,
        pytest.raises(ValueError, match=r"has no workers: start one on each machine"),
        workers(address=empty.scheduler_address),
    ):
        pass


def test_no_process_at_all_is_refused():
    with pytest.raises(ValueError, match="--workers 0: at least 1 is needed"), workers(0):
        pass


def test_two_ways_at_once_are_refused(capsys):
    arguments = ["--workers", "2", "--cluster", "tcp://127.0.0.1:1"]
    assert main(["tournament", "entropy", *arguments]) == BAD_INPUT
    assert "give one of them" in capsys.readouterr().err


def test_distributed_is_loaded_only_when_it_is_asked_for(monkeypatch, capsys, word_file):
    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr(_cluster, "import_module", missing)
    file = str(word_file("crane", "slate", "trace", "abbey"))
    assert main(["tournament", "entropy", "--words", file]) == 0
    assert "entropy" in capsys.readouterr().out
    assert main(["tournament", "entropy", "--words", file, "--workers", "2"]) == BAD_INPUT
    assert "pip install '.[cluster]'" in capsys.readouterr().err
