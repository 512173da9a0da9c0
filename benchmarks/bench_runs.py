"""Runs of notebooks: where the seconds of one go, many against papermill once a run, and a cluster.

Processor time is that of this process and of the children that have ended; it says more than the
clock where others use the machine too.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter

import nbformat

from benchmarks.common import in_seconds, row, timed
from wordgames._cluster import workers
from wordgames._compiled import processors
from wordgames.reports import run_report
from wordgames.reports.settings import find_notebook
from wordgames.reports.sweep import sweep
from wordgames.wordle.tree_search import good_total, prove_optimal
from wordgames.words import WordList, load_words

# A small report: what nearly every one imports, a table and a picture.
SMALL = (
    "# The parameters of this report\ntop = 3  # 1 to 1000: rows of the table",
    "import pandas as pd\nfrom matplotlib import pyplot as plt\n"
    "from wordgames import load_words\nfrom wordgames.figures import show_figure\n"
    "from wordgames.reports import begin_report, record, show_table\n"
    "words = load_words()\nbegin_report(words.name)",
    'frame = pd.DataFrame({"word": words.answers[:top]})\nshow_table(frame, "Words.")',
    'figure, axes = plt.subplots()\naxes.plot(range(top))\nshow_figure(figure, alt="A line.")',
    'record("letters", int(frame["word"].str.len().sum()))',
)


def _notebook(folder: str, *sources: str) -> Path:
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    cells[0].metadata["tags"] = ["parameters"]
    path = Path(folder) / "90-small.ipynb"
    spec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": spec}), path)
    return path


def _spent(work: Callable[[], object]) -> float:
    """Seconds of processor time, of this process and of its children."""
    before = sum(os.times()[:4])
    work()
    return sum(os.times()[:4]) - before


def _fresh(code: str) -> None:
    subprocess.run([sys.executable, "-c", code], check=True)


def _papermill(path: Path, folder: str, tops: list[int]) -> None:
    for top in tops:
        command = [sys.executable, "-m", "papermill", path, f"{folder}/out.ipynb"]
        command += ["-k", "python3", "--no-progress-bar", "-p", "top", str(top)]
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)


def _sweep(path: Path, folder: str, tops: list[int]) -> float:
    start = perf_counter()
    runs = sweep(path, {"top": [str(top) for top in tops]}, folder)
    if any(run.state != "done" for run in runs):
        raise RuntimeError("a run failed")
    return perf_counter() - start


def _one_run() -> list[dict]:
    """Of report 02: the kernel's start, imports, the page; the rest is its own computing."""
    path = find_notebook("02")
    start = _spent(partial(_fresh, "import ipykernel.kernelapp, ipykernel.ipkernel"))
    both = "import ipykernel.kernelapp, ipykernel.ipkernel, pandas, matplotlib.pyplot, numba"
    imports = _spent(partial(_fresh, both)) - start
    with tempfile.TemporaryDirectory() as folder:
        run_report(path, output_dir=folder)  # what is compiled is compiled
        whole = _spent(partial(run_report, path, output_dir=folder))
        executed = nbformat.read(Path(folder) / "notebooks" / path.name, as_version=4)
    from wordgames.reports import site

    about = site.About(path.stem, {}, {})
    page = _spent(partial(site.page_html, executed, about))
    parts = {
        "start of its kernel": start,
        "imports": imports,
        "computing, and messages between the processes": whole - start - imports - page,
        "page": page,
    }
    return [
        row(f"one run of report 02, {name}", in_seconds(spent), in_seconds(whole), spent / whole)
        for name, spent in parts.items()
    ]


def rows(quick: bool = False) -> list[dict]:
    number = 4 if quick else 12
    tops = list(range(1, number + 1))
    with tempfile.TemporaryDirectory() as folder:
        path = _notebook(folder, *SMALL)
        run_report(path, output_dir=f"{folder}/warm")
        start = perf_counter()
        for top in tops:
            run_report(path, {"top": top}, f"{folder}/one")
        in_turn = perf_counter() - start
        start = perf_counter()
        _papermill(path, folder, tops[: max(2, number // 4)])
        papermill = (perf_counter() - start) / max(2, number // 4) * number
        at_once = _sweep(path, f"{folder}/sweep", tops)
        again = _sweep(path, f"{folder}/sweep", tops)
    # Long enough that what each worker prepares for itself is a small part of it.
    some = load_words().answers[:: 50 if quick else 3]
    words = WordList(some, load_words().allowed, "some")
    proof = partial(prove_optimal, words, good_total(words))
    start = perf_counter()
    with workers(2) as executor:
        up = perf_counter() - start
        there, here = timed(partial(proof, executor), proof, repeats=1)
    return [
        *_one_run(),
        row(
            f"{number} small runs in a sweep, against papermill called once a run",
            in_seconds(at_once),
            in_seconds(papermill),
            papermill / at_once,
            "at least 1.8",
            f"on {processors()} processors; papermill one run after another",
        ),
        row(
            f"the same, against run_report one after another on {processors()} processors",
            in_seconds(at_once),
            in_seconds(in_turn / processors()),
            at_once / (in_turn / processors()),
            "at most 1.15",
            "the time of its runs one after another, divided by the processors",
        ),
        row(
            "the same sweep again, nothing changed, against the limit",
            in_seconds(again),
            "5 s",
            again / 5,
            "at most 1",
        ),
        row(
            f"a proof over {len(some):,} answers on 2 local workers, against 2 threads",
            in_seconds(there),
            in_seconds(here),
            there / here,
            "at most 1.25",
            f"starting the workers took {in_seconds(up)} more",
        ),
    ]
