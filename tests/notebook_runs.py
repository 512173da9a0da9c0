"""Runs of the notebooks that several test files look at, each started when it is first wanted."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from wordgames.reports import run_report
from wordgames.reports.settings import declared_parameters, parse_parameters

ROOT = Path(__file__).resolve().parent.parent

# A user's own list: few words, of another length, one letter that is not English.
FEW = "able back cape dare each face gale hare idle jade kale lake make näme oats pace rare sale"

# Beside the defaults: small parameters, and another list. FILE is a file of the words above.
# What a notebook does not declare is left out.
SMALL = {
    "word_list": "FILE",
    "top": "3",
    "seed": "5",
    "games": "20",
    "grids": "12",
    "days": "3",
    "tested": "4",
}
OTHER = {"word_list": "wordle-nyt-2023"}
OWN = {
    "small": {
        "04": {"patterns": "Y..G ....", "grids": "50", "days": "4"},
        "11": {"new_games": "5", "targets": "1000"},
        "12": {"languages": "fi, ru bn", "list_size": "200"},
    },
    "other": {
        "04": {"days": "4", "grids": "200"},
        "05": {"tested": "30"},
        "07": {"every": "20", "width": "5"},
        "09": {"target": "music", "games": "50", "seed": "7"},
        "10": {"games": "50", "seed": "7"},
        "11": {"agreement": "0.98", "new_games": "5", "seed": "7"},
        "12": {"languages": "da he ta tr", "length": "6", "list_size": "300"},
    },
}
SETS = ("defaults", "small", "again", "other")  # "again": the small ones a second time


def parameters(kind: str, path: Path, words: Path) -> dict[str, str]:
    """The parameters of one run as text, of those that its notebook declares."""
    if kind == "defaults":
        return {}
    kind = "small" if kind == "again" else kind
    texts = {**(SMALL if kind == "small" else OTHER), **OWN[kind].get(path.stem[:2], {})}
    declared = declared_parameters(path)
    return {n: str(words) if t == "FILE" else t for n, t in texts.items() if n in declared}


class Runs:
    """Runs of notebooks, each started when it is first wanted, as many at once as processors."""

    def __init__(self, folder: Path, executor: ThreadPoolExecutor):
        self.folder = folder
        self.words = folder / "few.txt"
        self.words.write_text("\n".join(FEW.split()) + "\n", encoding="utf-8")
        self._executor = executor
        self._started = {}

    def _run(self, kind: str, name: str) -> Path:
        path = ROOT / "notebooks" / f"{name}.ipynb"
        texts, folder = parameters(kind, path, self.words), self.folder / kind
        if kind != "again":
            return run_report(path, parse_parameters(path, texts), folder)
        # By the command, and with sets in another order: neither may change a byte.
        command = [sys.executable, "-m", "wordgames", "run", path, "--output-dir", folder]
        command += [part for pair in texts.items() for part in ("-p", "=".join(pair))]
        subprocess.run(command, check=True, env={**os.environ, "PYTHONHASHSEED": "1"})
        return folder / f"{name}.html"

    def start(self, kind: str, name: str):
        if (kind, name) not in self._started:
            self._started[kind, name] = self._executor.submit(self._run, kind, name)
        return self._started[kind, name]

    def stop(self) -> None:
        for run in self._started.values():
            run.cancel()

    def page(self, kind: str, name: str) -> str:
        return self.start(kind, name).result().read_text(encoding="utf-8")

    def results(self, kind: str, name: str) -> dict:
        """What a run recorded, once it is done; its error if it failed."""
        self.start(kind, name).result()
        return json.loads(
            (self.folder / kind / "results" / f"{name}.json").read_text(encoding="utf-8")
        )
