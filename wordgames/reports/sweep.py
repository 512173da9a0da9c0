"""Many runs of one notebook: every combination of some parameters, a folder each, and a page.

A folder keeps what its run was made from: parameters, notebook, package and data. A second call
runs only what is missing or has changed. To find that out takes no papermill.
"""

import hashlib
import itertools
import json
import math
import re
from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path

from wordgames._files import OutputError, check_writable, claimed, digest_of
from wordgames.places import DATA, TEMPLATES
from wordgames.reports.parameters import Parameter, ParameterError, check_names
from wordgames.reports.settings import (
    MADE_FROM,
    NO_LIMITS,
    Limits,
    altered,
    check_output,
    check_values,
    declared_parameters,
    find_notebook,
)

MANY = 100  # runs that need no second thought

_PACKAGE = Path(__file__).resolve().parent.parent

DONE, FAILED, NOT_RUN = "done", "failed", "not run"


@dataclass
class Run:
    """One combination: its values, the folder that holds what it leaves, and how it went.

    Attributes
    ----------
    values : dict
        What was given, by parameter.
    parameters : dict
        Every parameter, those left at their defaults too.
    state : str
        ``done``, ``failed`` or ``not run``.
    reason : str
        Why it failed.
    results : dict
        What the notebook recorded.
    """

    values: dict
    parameters: dict
    folder: Path
    page: str
    made_from: str
    state: str = NOT_RUN
    reason: str = ""
    results: dict = field(default_factory=dict)

    def look(self) -> None:
        """Take what the folder holds, if it was made from the same and is whole."""
        stem = Path(self.page).stem
        try:
            found = (self.folder / MADE_FROM).read_text(encoding="utf-8")
            path, page = self.folder / "results" / f"{stem}.json", self.folder / self.page
            results = json.loads(path.read_bytes())
            whole = found == self.made_from and page.is_file() and not altered(path, page)
            if whole and not (self.folder / f"{stem}.FAILED.html").exists():
                self.results, self.state = dict(results["results"]), DONE
        except (OSError, ValueError, KeyError, TypeError):
            pass  # missing or damaged: it is run again


def combinations(
    declared: dict[str, Parameter], texts: dict[str, list[str]], *, many: bool = False
) -> list[dict]:
    """Every combination of the values, the last parameter changing fastest.

    Parameters
    ----------
    declared : dict of str to Parameter
    texts : dict of str to list of str
        The values of each parameter, as a command line gives them.
    many : bool
        Whether more than `MANY` are wanted.

    Raises
    ------
    ParameterError
        An unknown parameter, a value that it cannot take or that stands there twice; too many
        combinations.
    """
    check_names(texts, declared)
    values = {}
    for name, given in texts.items():
        values[name] = [declared[name].parse(text) for text in given]
        for place, value in enumerate(values[name]):
            if value in values[name][:place]:
                raise ParameterError(f"parameter {name} is {value!r} twice: keep one")
    number = math.prod(map(len, values.values()))
    if number > MANY and not many:
        raise ParameterError(
            f"these parameters make {number:,} runs, and more than {MANY} need --yes: "
            "add it, or give fewer values"
        )
    return [
        dict(zip(values, combination, strict=True))
        for combination in itertools.product(*values.values())
    ]


def _folder_name(parameters: dict, declared: dict[str, Parameter]) -> str:
    """A name that tells the parameters which are not at their defaults, whatever else varies."""
    changed = {n: str(v) for n, v in parameters.items() if v != declared[n].default}
    whole = ",".join(f"{name}={text}" for name, text in changed.items()) or "defaults"
    plain = {n: re.sub(r"[^a-z0-9_.+-]+", "-", t.lower())[-24:] for n, t in changed.items()}
    if changed == plain and len(whole) <= 80:
        return whole
    short = ",".join(f"{name}={text}" for name, text in plain.items())[:80].rstrip(".")
    return f"{short}-{hashlib.sha256(whole.encode()).hexdigest()[:8]}"


def _is_there(text: str) -> bool:
    try:
        return bool(text.strip()) and Path(text).exists()
    except (OSError, ValueError):  # too long for a path, or no path at all
        return False


def _runs(path: Path, declared: dict[str, Parameter], output_dir: Path, values) -> list[Run]:
    code = digest_of(_PACKAGE, TEMPLATES)
    shared = {"notebook": digest_of(path), "package": code, "data": digest_of(DATA)}
    named: dict[str, str] = {}  # the digest of each file that a parameter names
    runs = []
    for given in values:
        parameters = {**{name: p.default for name, p in declared.items()}, **given}
        texts = [value for value in parameters.values() if isinstance(value, str)]
        for text in filter(_is_there, texts):
            named.setdefault(text, digest_of(Path(text)))
        made_from = {
            "parameters": parameters,
            **shared,
            "files": {text: named[text] for text in texts if text in named},
        }
        text = json.dumps(made_from, ensure_ascii=False, indent=1) + "\n"
        folder = output_dir / _folder_name(parameters, declared)
        runs.append(Run(given, parameters, folder, f"{path.stem}.html", text))
    return runs


def sweep(
    notebook: str | int | Path,
    texts: dict[str, list[str]],
    output_dir: str | Path = "",
    *,
    many: bool = False,
    say: Callable[[str], None] = lambda line: None,
    limits: Limits = NO_LIMITS,
    workers: Callable[[], AbstractContextManager[Executor | None]] = nullcontext,
) -> list[Run]:
    """Run a notebook for every combination of the values, and compare the results on one page.

    Parameters
    ----------
    notebook : str, int or path
    texts : dict of str to list of str
        The values of each parameter, as a command line gives them.
    output_dir : str or path
        Where a folder for each run, ``index.html`` and ``results.csv`` go.
    many : bool
        Whether more than `MANY` combinations are wanted.
    say : function of a line of text
        Hears of the progress.
    limits : Limits
        Seconds that a cell and each run may take.
    workers : function that returns a context
        Called when something is to run: of an executor over a cluster, or of None, which means
        as many runs at once as this machine has processors.

    Returns
    -------
    list of Run
        In the order of `combinations`. One that fails does not stop the others.

    Raises
    ------
    ParameterError, OutputError, FileNotFoundError, ValueError
        Something is wrong with the input, before anything has started; or another sweep uses the
        folder.
    """
    path = find_notebook(notebook)
    declared = declared_parameters(path)
    output_dir = check_output(output_dir, path)
    if (output_dir / "ledger.csv").exists():
        raise OutputError(
            f"{str(output_dir)!r} holds a site, whose first page a sweep would replace: "
            "name another folder with --output-dir"
        )
    runs = _runs(path, declared, output_dir, combinations(declared, texts, many=many))
    for run in runs:
        run.look()
    stale = [run for run in runs if run.state != DONE]
    lists = {run.values["word_list"] for run in stale if "word_list" in run.values}
    for name in sorted(lists):
        check_values(declared, {"word_list": name})
    check_writable(output_dir)
    with claimed(output_dir):
        kept = len(runs) - len(stale)
        say(f"{len(runs)} runs of {path.stem}" + (f", {kept} of them as they are" if kept else ""))
        try:
            if stale:
                with workers() as executor:
                    _run(path, stale, limits, say, executor)
        finally:  # after Ctrl-C too: the page shows what there is
            from wordgames.reports.comparison import write_comparison

            write_comparison(path, runs, output_dir)
    return runs


def _run(path: Path, stale: list[Run], limits: Limits, say, executor: Executor | None) -> None:
    """Run what is missing or has changed; each Run hears how it went."""
    from wordgames.reports import runner

    declared = declared_parameters(path)
    jobs = []
    for run in stale:
        # A value at its default need not be given: the same run leaves the same bytes.
        values = {n: v for n, v in run.values.items() if v != declared[n].default}
        jobs.append(runner.prepare(path, values, run.folder, limits, run.made_from))
    runs = {run.folder: run for run in stale}
    count = itertools.count(1)

    def finished(job, outcome) -> None:
        run = runs[job.output_dir]
        run.look()
        if isinstance(outcome, runner.ReportError):
            run.state, run.reason = FAILED, str(outcome)
        say(f"{next(count)} of {len(jobs)}: {run.folder.name}: {run.state}")
        if run.reason:
            say(run.reason)

    if executor is None:
        runner.run_all(jobs, finished)
    else:
        runner.run_on(executor, jobs, finished)
