"""A process that has imported what kernels need, and forks one for each run.

Most of a small run's time goes into importing numpy, pandas, matplotlib and numba. This process
does it once. When it forks, no thread runs in it but those of OpenBLAS and jemalloc, which see to
that themselves. Each kernel is a process of its own, with its own environment, files and sockets.

On standard input comes a JSON object a line: what to start. On standard output go lines too: the
numbers of processes that were started, and of those that have ended, with how.
"""

import atexit
import contextlib
import gc
import json
import os
import queue
import select
import signal
import subprocess
import sys
import threading
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

_NEEDED = (
    *("ipykernel.ipkernel", "ipykernel.kernelapp", "ipykernel.zmqshell"),
    *("matplotlib.pyplot", "numba", "pandas"),
    *("wordgames.figures", "wordgames.reports", "wordgames.words"),
)

# The kernels run side by side, one for each processor: with threads of BLAS on top they would wait
# for each other. It is read when a library that has BLAS is imported, here or in the kernel.
_ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1"}


def _be_kernel(request: dict) -> None:
    """In the forked process: become the kernel that `python -m ipykernel_launcher` would be."""
    signal.set_wakeup_fd(-1)
    for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    atexit._clear()  # what the nursery would do at its own end
    os.setsid()
    os.chdir(request["cwd"])
    said = os.open(request["said"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for here, there in ((nothing, 0), (said, 1), (said, 2)):
        os.dup2(here, there)
    os.closerange(3, 256)
    os.environ.clear()
    os.environ.update(request["env"])
    # The kernel ends when the process that it was started by does.
    os.environ["JPY_PARENT_PID"] = str(os.getppid())
    launcher = find_spec("ipykernel_launcher")
    sys.argv = [str(launcher and launcher.origin), *request["argv"]]
    import numpy as np

    np.random.seed()  # noqa: NPY002 - as in a new process; else all kernels would draw the same
    from ipykernel.kernelapp import launch_new_instance

    launch_new_instance()


def _ended(running: set[int]) -> None:
    while running:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if not pid:
            return
        running.discard(pid)
        print(json.dumps({"ended": pid, "status": os.waitstatus_to_exitcode(status)}), flush=True)


def main() -> None:
    """Fork a kernel for each line, until standard input ends; then end those that still run."""
    # matplotlib reads it when it is imported; a kernel would set it at its start.
    os.environ.setdefault("MPLBACKEND", "module://matplotlib_inline.backend_inline")
    for name in _NEEDED:
        import_module(name)
    gc.freeze()  # a forked process shares what it never touches
    wake, waker = os.pipe()
    for end in (wake, waker):
        os.set_blocking(end, False)
    signal.set_wakeup_fd(waker)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    running: set[int] = set()
    waiting = b""
    while True:
        ready, _, _ = select.select([0, wake], [], [])
        if wake in ready:
            os.read(wake, 4096)
            _ended(running)
        if 0 not in ready:
            continue
        data = os.read(0, 1 << 16)
        if not data:
            break
        *lines, waiting = (waiting + data).split(b"\n")
        for line in lines:
            request = json.loads(line)
            pid = os.fork()
            if not pid:
                return _be_kernel(request)
            running.add(pid)
            print(json.dumps({"started": pid}), flush=True)
    for pid in running:
        os.kill(pid, signal.SIGKILL)
    return None


class Forked:
    """A kernel's process, as jupyter_client handles one: what it needs of `subprocess.Popen`."""

    stdin = stdout = stderr = None

    def __init__(self, pid: int):
        self.pid = pid
        self.returncode: int | None = None
        self._ended = threading.Event()

    def end(self, status: int) -> None:
        """The nursery says that the process has ended."""
        self.returncode = status
        self._ended.set()

    def poll(self) -> int | None:
        return self.returncode

    def wait(self, timeout: float | None = None) -> int | None:
        self._ended.wait(timeout)
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


class Nursery:
    """The nursery's process as the runner sees it. It starts with the first kernel.

    Only where forking is safe: on Linux. OSError when it cannot start a kernel.
    """

    def __init__(self):
        self._lock = threading.Lock()
        self._process: subprocess.Popen | None = None
        self._started: queue.Queue[Forked | None] = queue.Queue()

    def start(self, argv: list[str], env: dict[str, str], said: Path) -> Forked:
        """Fork a kernel with these arguments; what its process says goes into the file `said`."""
        request = {
            "argv": argv,
            "env": _ONE_THREAD | env,
            "said": str(said),
            "cwd": str(Path.cwd()),
        }
        with self._lock:
            if self._process is None:
                self._process = subprocess.Popen(
                    [sys.executable, "-P", "-m", "wordgames.reports.nursery"],
                    env=_ONE_THREAD | os.environ,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    start_new_session=True,  # Ctrl-C is the runner's
                )
                threading.Thread(target=self._listen, args=[self._process], daemon=True).start()
            assert self._process.stdin is not None
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
            forked = self._started.get()
        if forked is None:
            self._started.put(None)  # for the next one who asks
            raise OSError("the nursery of kernels has ended")
        return forked

    def _listen(self, process: subprocess.Popen) -> None:
        kernels = {}
        with process.stdout as lines:  # type: ignore[union-attr]
            for line in lines:
                said = json.loads(line)
                if "started" in said:
                    kernels[said["started"]] = Forked(said["started"])
                    self._started.put(kernels[said["started"]])
                else:
                    kernels.pop(said["ended"]).end(said["status"])
        for kernel in kernels.values():  # the nursery has ended, and they end with it
            kernel.end(-signal.SIGKILL)
        self._started.put(None)

    def close(self) -> None:
        """End the nursery, and with it every kernel that still runs."""
        if self._process is not None:
            with contextlib.suppress(OSError):
                self._process.stdin.close()  # type: ignore[union-attr]
            self._process.wait()


if __name__ == "__main__":
    main()
