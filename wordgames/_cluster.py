"""Work in pieces, here or on many machines: Dask's distributed as an executor, if it is asked for.

Everything that runs in pieces takes any `concurrent.futures.Executor`. The one of this module hands
pieces to the processes of a Dask cluster, on this machine or on others. What all pieces of a task
share, such as a word list, goes to each worker once. A piece whose worker ends is done by another.
"""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, as_completed
from functools import cache, partial
from importlib import import_module
from pathlib import Path

from wordgames._files import digest_of
from wordgames._progress import progress

_PACKAGE = Path(__file__).resolve().parent
_PATIENCE = 5  # seconds in which a scheduler must answer
_ARRIVAL = 20  # seconds in which a worker must be there
_SETTINGS = {
    # A process that compiles a kernel does nothing else meanwhile: no lost connection yet.
    "distributed.comm.timeouts.tcp": "300s",
    # No piece waits at a worker that is busy with a long one.
    "distributed.scheduler.worker-saturation": 1.0,
}


@cache
def fingerprint() -> str:
    """SHA-256 of the package's sources: the same on machines that compute the same."""
    return digest_of(*sorted(_PACKAGE.rglob("*.py")))


def _same(value):
    return value


def _piece(expected: str, work: Callable, *arguments):
    """Do a piece, if the package here is the same; workers that join late are checked too."""
    if fingerprint() != expected:
        raise ValueError(
            "a worker has another version of the package wordgames: install the same one on "
            "every machine, and start the workers again"
        )
    return work(*arguments)


def _executor_of(client) -> Executor:
    """An executor over a Dask client; what a `partial` holds is sent to each worker once."""
    from distributed.cfexecutor import ClientExecutor

    sent: dict[int, tuple] = {}  # by identity: the value, which must live on, and its place there

    def send(value):
        if id(value) not in sent:
            # Made by a task, not scattered: it can be made again when its only holder ends.
            sent[id(value)] = value, client.submit(_same, value, pure=False)
        return sent[id(value)][1]

    class Pieces(ClientExecutor):
        def submit(self, work, /, *arguments):
            shared = []
            if isinstance(work, partial) and not work.keywords:
                shared = [send(value) for value in work.args]
                work = work.func
            return super().submit(_piece, fingerprint(), work, *shared, *arguments)

        def _wrap_future(self, future):
            # A result that is here need not be made again when the worker that holds it ends.
            here = super()._wrap_future(future)
            here.add_done_callback(lambda _: future.release())
            return here

    return Pieces(client, pure=False)


def _distributed():
    try:
        return import_module("distributed")
    except ImportError:
        raise ValueError(
            "--workers and --cluster need the package distributed: "
            "install it with pip install '.[cluster]' in the folder of the repository"
        ) from None


def _join(distributed, address: str):
    try:
        # A client of what is no address would end ten seconds later, with a traceback.
        comm = import_module("distributed.comm")
        comm.get_address_host_port(address if "://" in address else f"tcp://{address}", strict=True)
        return distributed.Client(address, timeout=_PATIENCE, set_as_default=False)
    except (OSError, ValueError, RuntimeError) as error:
        raise ValueError(
            f"no scheduler at {address!r} ({type(error).__name__}): start one with `dask "
            "scheduler`, which says its address, such as tcp://192.168.0.2:8786"
        ) from None


def _check(client, where: str) -> None:
    """ValueError when there is no worker, or one that has another package."""
    try:
        client.wait_for_workers(1, timeout=_ARRIVAL)
    except TimeoutError:
        raise ValueError(
            f"{where} has no workers: start one on each machine with `dask worker ADDRESS`"
        ) from None
    found = client.run(_fingerprint_there, on_error="return")
    for worker, theirs in found.items():
        if theirs != fingerprint():
            problem = "no package wordgames" if isinstance(theirs, Exception) else "another version"
            raise ValueError(
                f"the worker {worker} has {problem} of the package wordgames: install the same "
                "one on every machine, and start the workers again"
            )


def _fingerprint_there() -> str:
    return fingerprint()


@contextlib.contextmanager
def workers(number: int | None = None, address: str | None = None) -> Iterator[Executor | None]:
    """An executor over processes of this machine or over a cluster; None if neither is asked for.

    Parameters
    ----------
    number : int, optional
        How many processes to start here.
    address : str, optional
        That of a Dask scheduler, such as ``tcp://192.168.0.2:8786``.

    Raises
    ------
    ValueError
        Both, no process at all, no scheduler at the address within seconds, no worker, a worker
        with another version of the package, or distributed is not installed.
    """
    if number is None and address is None:
        yield None
        return
    if number is not None and address is not None:
        raise ValueError("--workers and --cluster are two ways: give one of them")
    if number is not None and number < 1:
        raise ValueError(f"--workers {number}: at least 1 is needed")
    distributed = _distributed()
    with contextlib.ExitStack() as stack:
        stack.enter_context(import_module("dask.config").set(_SETTINGS))
        if address is None:
            cluster = distributed.LocalCluster(
                n_workers=number,
                threads_per_worker=1,
                memory_limit=0,  # the pieces know what they need
                dashboard_address=None,
                silence_logs=100,  # what it says at its end would frighten
            )
            stack.enter_context(cluster)
            client = distributed.Client(cluster, set_as_default=False)
        else:
            client = _join(distributed, address)
        stack.enter_context(client)
        _check(client, repr(address) if address else "the local cluster")
        yield _executor_of(client)


def in_pieces(
    work: Callable, pieces: Sequence, executor: Executor | None = None, *, what: str = ""
) -> list:
    """What `work` makes of each piece, in the order of the pieces; here without an executor.

    Give a `partial` for what all pieces share.
    """
    if executor is None:
        return [work(piece) for piece in progress(pieces, what)]
    futures = [executor.submit(work, piece) for piece in pieces]
    try:
        for future in progress(as_completed(futures), what, total=len(futures)):
            future.result()
    finally:
        for future in futures:
            future.cancel()
    return [future.result() for future in futures]
