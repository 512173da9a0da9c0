"""The strict runner: a notebook and its parameters in; its page and results out, or nothing.

papermill only warns about a parameter that does not exist, calls ``sys.exit(0)`` in a cell a
success, and leaves a notebook that looks complete after its kernel was killed. So parameters are
checked before a kernel starts, every cell is checked after it, and only then is anything moved
into place. Each kernel is this interpreter's own and talks over sockets in a folder of its own:
ports that many kernels race for, and kernels that another installation registered, play no part.
"""

import contextlib
import copy
import hashlib
import json
import logging
import os
import signal
import socket
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor, as_completed, wait
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path

import nbformat
import papermill
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from papermill.engines import NBClientEngine, papermill_engines

from wordgames._compiled import processors
from wordgames._files import Staging, check_writable, digest_of
from wordgames.reports import fragments, site
from wordgames.reports.nursery import Nursery
from wordgames.reports.parameters import Parameter, check_names
from wordgames.reports.recording import PUBLISHED, RECORD, TABLE, published_rows
from wordgames.reports.settings import (
    MADE_FROM,
    NO_LIMITS,
    Limits,
    check_output,
    check_values,
    declared_parameters,
    find_notebook,
    notebook_paths,
    parse_parameters,
)

_SOCKET_PATH_LIMIT = 100  # bytes; macOS takes 103, Linux 107

# It warns about parameters whose default holds a "=", and cries out when a kernel is ended: the
# first we have checked ourselves, the second we report.
logging.getLogger("papermill").setLevel(logging.CRITICAL)


class ReportError(RuntimeError):
    """A notebook that failed.

    Attributes
    ----------
    page : Path or None
        The page kept aside, with what the notebook showed until then.
    """

    def __init__(self, message: str, page: Path | None = None):
        super().__init__(message)
        self.page = page


class _Kernels:
    """The kernels that are running now, so that an interruption can end them."""

    def __init__(self, nursery: Nursery | None = None):
        self.stopping = threading.Event()
        self._managers: set[AsyncKernelManager] = set()
        self._nursery = nursery

    def manager_class(self, folder: Path) -> type[AsyncKernelManager]:
        """A kind of kernel manager that keeps all of one kernel's files in the folder."""
        kernels = self

        class Manager(AsyncKernelManager):
            def __init__(self, **options):
                super().__init__(**options)
                self.kernel_spec_manager = KernelSpecManager(kernel_dirs=[])
                self.connection_file = str(folder / "kernel.json")
                if sys.platform != "win32" and len(os.fsencode(folder)) < _SOCKET_PATH_LIMIT:
                    self.transport, self.ip = "ipc", str(folder / "k")
                # A profile with start-up files of the user's own would change the report; a file
                # random.py in the current folder would take the place of Python's.
                self.kernel_spec.env["IPYTHONDIR"] = str(folder / "ipython")
                self.kernel_spec.argv.append("--IPKernelApp.ignore_cwd=True")
                kernels._managers.add(self)

            async def _async_launch_kernel(self, kernel_cmd, **options):
                if kernels._nursery is not None:
                    with contextlib.suppress(OSError):  # else it starts like any other process
                        arguments = kernel_cmd[kernel_cmd.index("ipykernel_launcher") + 1 :]
                        forked = kernels._nursery.start(arguments, options["env"], folder / "said")
                        self.provisioner.launch_kernel = partial(_adopt, self.provisioner, forked)
                # What the kernel's process itself says frightens on a good run; it explains a bad
                # one.
                with (folder / "said").open("ab") as said:
                    await super()._async_launch_kernel(
                        kernel_cmd, **{**options, "stdout": said, "stderr": said}
                    )

        return Manager

    def forget(self, manager_class: type) -> None:
        self._managers = {m for m in self._managers if not isinstance(m, manager_class)}

    def kill(self, manager_class: type = AsyncKernelManager) -> None:
        """End the running kernels of a kind at once."""
        for manager in [m for m in self._managers if isinstance(m, manager_class)]:
            process = getattr(manager.provisioner, "process", None)
            if process is not None and process.poll() is None:
                with contextlib.suppress(ProcessLookupError):
                    process.send_signal(getattr(signal, "SIGKILL", signal.SIGTERM))


async def _adopt(provisioner, process, _command, **_options):
    """Take a process that runs already for the kernel's, in place of starting one."""
    provisioner.process = process
    provisioner.pid = provisioner.pgid = process.pid
    return provisioner.connection_info


def _last_line(path: Path) -> str:
    """The last line of what a kernel's process said."""
    lines = path.read_text(encoding="utf-8", errors="replace").split("\n") if path.exists() else []
    return next((line.strip()[:200] for line in reversed(lines) if line.strip()), "")


@contextlib.contextmanager
def _short_folder() -> Iterator[Path]:
    # A socket's path has little room: where the usual folder is deep, /tmp may serve.
    base = tempfile.gettempdir()
    if len(os.fsencode(base)) > _SOCKET_PATH_LIMIT - 20 and os.access("/tmp", os.W_OK):
        base = "/tmp"
    with tempfile.TemporaryDirectory(prefix="wg-", dir=base, ignore_cleanup_errors=True) as folder:
        yield Path(folder).resolve()


@contextlib.contextmanager
def _time_limit(seconds: float | None, kill: Callable[[], None]) -> Iterator[threading.Event]:
    """An event that is set when the time was up and `kill` was called."""
    up = threading.Event()

    def end() -> None:
        up.set()
        kill()

    timer = threading.Timer(seconds, end) if seconds else None
    if timer:
        timer.start()
    try:
        yield up
    finally:
        if timer:
            timer.cancel()


def _where(cell) -> str:
    line = next((line for line in cell.source.splitlines() if line.strip()), "").strip()
    return f"in the cell that begins {line[:60]!r}"


def _failure(notebook: nbformat.NotebookNode) -> str:
    """Why a notebook that papermill returned or left behind is no success; "" if it is one."""
    for cell in notebook.cells:
        if cell.cell_type != "code" or not cell.source.strip():
            continue
        where = _where(cell)
        for output in cell.outputs:
            if output.output_type == "error":
                value = output.evalue.strip()
                return f"{output.ename}{': ' if value else ''}{value}, {where}"
        if cell.execution_count is None:
            return f"it stopped {where}"
        for output in cell.outputs:
            for kind in output.get("data", {}):
                if kind.startswith("image/") and not fragments.alt_text(output, kind):
                    return (
                        f"a picture without alt text {where}: "
                        "use show_figure(figure, alt=...), which says what it shows"
                    )
    return ""


class _Engine(NBClientEngine):
    """Papermill's own, but for one thing: the notebook is handed over once, as far as it came.

    Papermill would write it to a file before and after every cell, which takes longer than many of
    the cells.
    """

    @classmethod
    def execute_managed_notebook(cls, nb_man, kernel_name, *, keep, **options):
        try:
            super().execute_managed_notebook(nb_man, kernel_name, **options)
        finally:
            keep(nb_man.nb)


papermill_engines.register(_Engine.__name__, _Engine)


def _run_cells(
    path: Path, values: dict, kernels: _Kernels, limits: Limits, progress_bar
) -> tuple[nbformat.NotebookNode, str]:
    """The executed notebook, as far as it came, and why it failed ("" if it did not)."""
    kept: list[nbformat.NotebookNode] = []
    with _short_folder() as folder, contextlib.ExitStack() as stack:
        manager_class = kernels.manager_class(folder)
        time_is_up = stack.enter_context(
            _time_limit(limits.run, lambda: kernels.kill(manager_class))
        )
        reason, died, too_long, said = "", False, False, ""
        try:
            papermill.execute_notebook(
                path,
                None,
                values,
                engine_name=_Engine.__name__,
                kernel_name="python3",
                language="python",
                progress_bar=progress_bar,
                start_timeout=180,
                execution_timeout=limits.cell,
                kernel_manager_class=manager_class,
                keep=kept.append,
            )
        except papermill.PapermillExecutionError:
            pass  # the notebook tells more
        except DeadKernelError:
            died = True
            said = _last_line(folder / "said")
        except CellTimeoutError:
            too_long = True
            reason = f"one cell took longer than --cell-limit {limits.cell:g} seconds"
        except OSError as error:
            reason = (
                f"{error.strerror or error}: {error.filename or folder}: the temporary folder "
                f"{folder.parent} must be writable and have room (TMPDIR names another)"
            )
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
        finally:
            kernels.forget(manager_class)
    notebook = kept[0] if kept else nbformat.read(path, as_version=4)
    notebook.cells = [
        cell
        for cell in notebook.cells
        if "papermill-error-cell-tag" not in cell.metadata.get("tags", [])
    ]
    if time_is_up.is_set():
        reason = f"it took longer than --run-limit {limits.run:g} seconds"
    elif died:
        told = f" ({said})" if said else ""
        reason = f"its kernel died, killed or out of memory{told}"
    if died or too_long or time_is_up.is_set():
        states = ("running", "failed")  # papermill's
        stopped = [
            c for c in notebook.cells if c.metadata.get("papermill", {}).get("status") in states
        ]
        begun = stopped or [cell for cell in notebook.cells if cell.get("execution_count")]
        return notebook, reason + (f", {_where(begun[-1])}" if begun else "")
    return notebook, reason or _failure(notebook)


def _without_noise(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """The executed notebook without what differs from run to run or is of no use to a reader."""
    notebook = copy.deepcopy(notebook)
    notebook.metadata = nbformat.from_dict(
        {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        }
    )
    for cell in notebook.cells:
        tags = cell.metadata.get("tags", [])
        cell.metadata = nbformat.from_dict({"tags": tags} if tags else {})
        if "injected-parameters" in tags:
            cell.id = "injected-parameters"
        if cell.cell_type != "code":
            continue
        outputs = []
        for output in cell.outputs:
            if output.output_type == "stream":
                # Progress bars; and the kernel may cut one text into several messages.
                if output.name == "stderr":
                    continue
                if outputs and outputs[-1].output_type == "stream":
                    outputs[-1].text += output.text
                    continue
            outputs.append(output)
        cell.outputs = outputs
    return notebook


def _outputs(notebook: nbformat.NotebookNode, kind: str) -> Iterator:
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if kind in output.get("data", {}):
                yield output.data[kind]


def _to_json(value) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, indent=1, allow_nan=False) + "\n"


@dataclass(frozen=True)
class _Job:
    """One notebook to run: checked before any work.

    `made_from` says of one of many runs what it depends on; such a run has the first page of all
    in the folder above it.
    """

    path: Path
    declared: dict[str, Parameter]
    values: dict
    output_dir: Path
    limits: Limits
    made_from: str = ""

    @property
    def name(self) -> str:
        return self.path.stem

    @property
    def page(self) -> Path:
        return self.output_dir / f"{self.name}.html"

    @property
    def failed_page(self) -> Path:
        return self.output_dir / f"{self.name}.FAILED.html"

    @property
    def parameters(self) -> dict:
        """Every parameter of the run, those left at their defaults too."""
        defaults = {name: parameter.default for name, parameter in self.declared.items()}
        return {**defaults, **self.values}


def prepare(notebook, given: dict, output_dir, limits: Limits, made_from: str = "") -> _Job:
    """A run of a notebook, checked; its folders are made."""
    path = find_notebook(notebook)
    declared = declared_parameters(path)
    values = check_values(declared, given)
    output_dir = check_output(output_dir, path)
    check_writable(
        output_dir,
        output_dir / "results",
        output_dir / "notebooks",
        output_dir / "tables",
    )
    return _Job(path, declared, values, output_dir, limits, made_from)


def _tables(notebook: nbformat.NotebookNode) -> tuple[dict[str, str], str]:
    tables = {}
    for table in _outputs(notebook, TABLE):
        if tables.setdefault(table["name"], table["csv"]) != table["csv"]:
            return tables, f"two different tables are named {table['name']!r}: name each apart"
    return tables, ""


@dataclass(frozen=True)
class _Made:
    """What a run leaves: text by the path of its file in the output folder, or why it failed."""

    files: dict[str, str]
    reason: str = ""


def _make(job: _Job, kernels: _Kernels, progress_bar=False) -> _Made:
    """Run one notebook; nothing is written into the output folder."""
    notebook, reason = _run_cells(job.path, job.values, kernels, job.limits, progress_bar)
    if kernels.stopping.is_set():
        raise ReportError("interrupted")
    notebook = _without_noise(notebook)
    tables, clash = _tables(notebook)
    reason = reason or clash
    home = "../index.html" if job.made_from else "index.html"
    about = site.About(job.name, job.parameters, job.declared, home)
    if reason:
        page = site.page_html(notebook, about, failure=reason)
        return _Made({job.failed_page.name: page}, reason)
    records = {entry["name"]: entry["value"] for entry in _outputs(notebook, RECORD)}
    published = {entry["id"]: entry for entry in _outputs(notebook, PUBLISHED)}
    results = {
        "parameters": job.parameters,
        "results": records,
        "published": [published[row_id] for row_id in published_rows() if row_id in published],
    }
    recorded = _to_json(results)
    checksum = hashlib.sha256(recorded.encode()).hexdigest()
    page = site.page_html(notebook, replace(about, results=checksum))
    for output in (o for cell in notebook.cells for o in cell.get("outputs", [])):
        output.get("data", {}).pop(TABLE, None)  # the CSV files hold the whole tables
    files = {f"tables/{job.name}/{name}.csv": text for name, text in sorted(tables.items())}
    files[f"results/{job.name}.json"] = recorded
    files[f"notebooks/{job.name}.ipynb"] = nbformat.writes(notebook) + "\n"
    files[job.page.name] = page
    if job.made_from:
        files[MADE_FROM] = job.made_from
    return _Made(files)


def _keep(job: _Job, made: _Made) -> Path:
    """Move what a run left into place; ReportError when it failed."""
    with Staging(job.output_dir) as staging:
        for path, text in made.files.items():
            staging.write(job.output_dir / path, text)
    if made.reason:
        raise ReportError(f"{job.name} failed: {made.reason}", job.failed_page)
    for old in (job.output_dir / "tables" / job.name).glob("*.csv"):
        if f"tables/{job.name}/{old.name}" not in made.files:
            old.unlink()
    job.failed_page.unlink(missing_ok=True)
    return job.page


def _run(job: _Job, kernels: _Kernels, progress_bar=False) -> Path:
    return _keep(job, _make(job, kernels, progress_bar))


@cache
def _nursery() -> Nursery | None:
    """A nursery for as long as this process lives, where forking is safe."""
    return Nursery() if sys.platform == "linux" else None


def _make_there(notebook: bytes, job: _Job) -> _Made:
    """`_make` on a worker of a cluster, which may have no such notebook, nor the files it reads."""
    for text, digest in json.loads(job.made_from or "{}").get("files", {}).items():
        if not Path(text).exists() or digest_of(Path(text)) != digest:
            reason = (
                f"a parameter names {text}, and on {socket.gethostname()} that is "
                "missing or another: put it at the same path on every machine"
            )
            return _Made({job.failed_page.name: reason}, reason)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / job.path.name
        path.write_bytes(notebook)
        return _make(replace(job, path=path), _Kernels(_nursery()))


def run_on(
    executor: Executor, jobs: list[_Job], finished: Callable[[_Job, Path | ReportError], None]
) -> None:
    """`run_all` on the workers of a cluster: they make the files, and this process keeps them."""
    work = partial(_make_there, jobs[0].path.read_bytes())
    futures = {executor.submit(work, job): job for job in jobs}
    try:
        for future in as_completed(futures):
            job = futures[future]
            try:
                outcome: Path | ReportError = _keep(job, future.result())
            except ReportError as error:
                outcome = error
            finished(job, outcome)
    finally:
        for future in futures:
            future.cancel()


def run_all(
    jobs: list[_Job], finished: Callable[[_Job, Path | ReportError], None], progress_bar=False
) -> None:
    """Run jobs on every processor; `finished` hears of each. Ctrl-C kills the kernels."""
    # One kernel alone is quicker without a nursery.
    nursery = Nursery() if sys.platform == "linux" and len(jobs) > 1 else None
    kernels = _Kernels(nursery)
    # Threads, not processes: the work is in the kernels, and importing papermill takes seconds.
    with ThreadPoolExecutor(min(processors(), len(jobs) or 1)) as executor:
        # The last notebooks take the longest: begun first, none is left alone at the end.
        futures = {executor.submit(_run, job, kernels, progress_bar): job for job in jobs[::-1]}
        try:
            for future in as_completed(futures):
                error = future.exception()
                if error is not None and not isinstance(error, ReportError):
                    raise error
                finished(futures[future], error or future.result())
        except BaseException:
            for future in futures:
                future.cancel()
            # A kernel that was only just starting is met in the next round.
            kernels.stopping.set()
            kernels.kill()
            while wait(futures, timeout=0.1).not_done:
                kernels.kill()
            raise
        finally:
            if nursery is not None:
                nursery.close()


def run_report(
    notebook: str | int | Path,
    parameters: dict | None = None,
    output_dir: str | Path = "reports",
    *,
    progress: bool = False,
    limits: Limits = NO_LIMITS,
) -> Path:
    """Run one notebook strictly, and make its page, results, tables and the index anew.

    Parameters
    ----------
    notebook : str, int or path
        The path of a notebook, or a number such as ``"03"``, found in the repository from any
        folder.
    parameters : dict, optional
        Values by name; what is not given keeps its default.
    output_dir : str or path
        Where ``<name>.html``, ``results/``, ``tables/``, ``notebooks/`` and ``index.html`` go.
    progress : bool
        Show the cells that have run on stderr.
    limits : Limits
        Seconds that a cell and the whole run may take; by default any number.

    Returns
    -------
    Path
        The HTML page.

    Raises
    ------
    ParameterError
        A parameter that does not exist or a value that it cannot take.
    OutputError
        The output folder cannot be written, or its pages would replace sources. Like the above,
        before any work.
    ReportError
        The notebook failed: its page is kept as ``<name>.FAILED.html``; the last good page,
        results and tables stay as they were.
    FileNotFoundError, ValueError
        There is no such notebook, or it is none.
    """
    job = prepare(notebook, parameters or {}, output_dir, limits)
    outcomes = []
    bar = {"desc": job.name} if progress else False
    run_all([job], lambda job, outcome: outcomes.append(outcome), bar)
    site.build_index(job.output_dir)
    if isinstance(outcomes[0], ReportError):
        raise outcomes[0]
    return outcomes[0]


def run_reports(
    notebooks: Iterable = (),
    texts: dict[str, str] | None = None,
    output_dir: str | Path = "reports",
    *,
    say: Callable[[str], None] = lambda line: None,
    limits: Limits = NO_LIMITS,
) -> dict[str, Path | ReportError]:
    """Run notebooks side by side, all of them if none is named, and make the index.

    Parameters
    ----------
    notebooks : iterable of str, int or path
    texts : dict of str to str
        Parameters as a command line gives them. Each notebook takes those that it declares; one
        that no notebook declares is an error.
    say : function of a line of text
        Hears of the progress.
    limits : Limits
        Seconds that a cell and each whole run may take.

    Returns
    -------
    dict
        The page, or the error, by the notebook's name. One that fails does not stop the others.
    """
    texts = texts or {}
    paths = [find_notebook(notebook) for notebook in notebooks] or notebook_paths()
    declared = {path: declared_parameters(path) for path in paths}
    check_names(
        texts, {name: p for parameters in declared.values() for name, p in parameters.items()}
    )
    jobs = [
        prepare(
            path,
            parse_parameters(path, {n: text for n, text in texts.items() if n in declared[path]}),
            output_dir,
            limits,
        )
        for path in dict.fromkeys(paths)
    ]
    outcomes = {}

    def finished(job: _Job, outcome) -> None:
        outcomes[job.name] = outcome
        state = "FAILED" if isinstance(outcome, ReportError) else "done"
        say(f"{len(outcomes)} of {len(jobs)}: {job.name}: {state}")
        if isinstance(outcome, ReportError):
            say(str(outcome))

    say(f"running {len(jobs)} notebooks, {min(processors(), len(jobs) or 1)} at a time")
    try:
        run_all(jobs, finished)
    finally:  # after Ctrl-C too: the index shows the pages that are there
        site.build_index(Path(output_dir))
    return {name: outcomes[name] for name in sorted(outcomes)}
