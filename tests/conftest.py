"""What several test files need: a slow, obvious evaluator, and words to try it on."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from browsing import browser, new_page, open_page  # noqa: F401
from hypothesis import settings
from notebook_runs import SETS, Runs

from wordgames._compiled import processors
from wordgames.reports.settings import notebook_paths
from wordgames.reports.site import build_index

ROOT = Path(__file__).resolve().parent.parent

# An example that compiles a kernel, or meets a busy machine, is slow and no defect.
settings.register_profile("wordgames", deadline=None)
settings.load_profile("wordgames")


def obvious_pattern(guess: str, answer: str) -> str:
    """The game's rule as its help page tells it, on pencil and paper; `.YG` text.

    Strike out the letters that stand right. Then go through the others of the guess from left to
    right: yellow if that letter is among those of the answer not yet struck out; strike it out.
    """
    open_letters = list(answer)
    cells = ["."] * len(guess)
    for place, letter in enumerate(guess):
        if answer[place] == letter:
            cells[place] = "G"
            open_letters.remove(letter)
    for place, letter in enumerate(guess):
        if cells[place] != "G" and letter in open_letters:
            cells[place] = "Y"
            open_letters.remove(letter)
    return "".join(cells)


@pytest.fixture(scope="session")
def obvious():
    """The slow evaluator: guess and answer to `.YG` text."""
    return obvious_pattern


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository's folder."""
    return ROOT


@pytest.fixture
def word_file(tmp_path):
    """Write words, one a line, into a file and return its path."""

    def write(*words: str, name: str = "mine.txt", encoding: str = "utf-8", end: str = "\n"):
        path = tmp_path / name
        path.write_bytes("".join(word + end for word in words).encode(encoding))
        return path

    return write


def pytest_collection_modifyitems(items):
    """Tests that look at runs of notebooks are slow."""
    for item in items:
        if {"runs", "site"} & set(item.fixturenames):
            item.add_marker(pytest.mark.slow)


def _wanted(items) -> set[tuple[str, str]]:
    """The runs that some tests look at: (set of parameters, notebook)."""
    wanted = set()
    for item in items:
        values = item.callspec.params if hasattr(item, "callspec") else {}
        if "site" in item.fixturenames:
            wanted |= {("defaults", path.stem) for path in notebook_paths()}
        elif "runs" in item.fixturenames and "name" in values:
            kinds = [values["kind"]] if "kind" in values else SETS
            wanted |= {(kind, values["name"]) for kind in kinds}
    return wanted


@pytest.fixture(scope="session")
def runs(tmp_path_factory, request):
    """The runs of notebooks that the chosen tests want, all under way; the default ones first."""
    with ThreadPoolExecutor(processors()) as executor:
        runs = Runs(tmp_path_factory.mktemp("site"), executor)
        for kind, name in sorted(
            _wanted(request.session.items), key=lambda pair: (SETS.index(pair[0]), pair[1])
        ):
            runs.start(kind, name)
        try:
            yield runs
        finally:
            runs.stop()


@pytest.fixture(scope="session")
def site(runs) -> Path:
    """The folder of the whole site, every notebook with its defaults."""
    for path in notebook_paths():
        runs.start("defaults", path.stem).result()
    build_index(runs.folder / "defaults")
    return runs.folder / "defaults"
