"""The play notebooks in JupyterLab and in Voilà, in a real browser, with the kernel's answers."""

import os
import re
import shutil
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from urllib.request import urlopen

import pytest
from browsing import ROOT, SCREENSHOTS

from wordgames import load_words
from wordgames.boards.widgets import EmojleBoard, WordleBoard

pytestmark = pytest.mark.slow


@contextmanager
def _server(home, command, port_option: str, ready: str):
    """Start a Jupyter server with settings of its own; gives its address once it answers."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {
        **os.environ,
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_DATA_DIR": str(home / "data"),
        "JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces"),
        "PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")])),
    }
    command = [sys.executable, *command, "--no-browser", f"{port_option}={port}"]
    log, address = home / "log.txt", f"http://127.0.0.1:{port}"
    with log.open("wb") as out:
        server = subprocess.Popen(command, stdout=out, stderr=out, env=environment)
    try:
        for _ in range(480):
            try:
                with urlopen(address + ready, timeout=5):
                    break
            except OSError:
                assert server.poll() is None, log.read_text(encoding="utf-8")
                time.sleep(0.25)
        else:
            pytest.fail(f"the server did not start: {log.read_text(encoding='utf-8')}")
        yield address
    finally:
        server.terminate()
        server.wait(30)


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """JupyterLab as `make lab` opens it, over a copy of the notebooks; its address.

    After the last game the notebooks of the copy are as they were: only the folder lab changed.
    """
    clone = tmp_path_factory.mktemp("clone")
    shutil.copytree(ROOT / "notebooks", clone / "notebooks")
    shutil.copytree(ROOT / "scripts", clone / "scripts")
    before = {path: path.read_bytes() for path in clone.rglob("notebooks/**/*.ipynb")}
    command = [clone / "scripts" / "lab.py", "--allow-root", "--IdentityProvider.token=t"]
    home = tmp_path_factory.mktemp("home")
    with _server(home, command, "--ServerApp.port", "/api?token=t") as address:
        yield address
    assert {path: path.read_bytes() for path in clone.rglob("notebooks/**/*.ipynb")} == before
    assert (clone / "lab" / "play" / "emojle-board.ipynb").read_bytes() not in before.values()


@pytest.fixture(scope="module")
def voila(tmp_path_factory):
    """Voilà over the play notebooks; its address."""
    command = ["-m", "voila", ROOT / "notebooks" / "play"]
    with _server(tmp_path_factory.mktemp("home"), command, "--port", "/") as address:
        yield address


def _open(new_page, address: str, path: str, width: int = 1300):
    page = new_page((width, 1500), (address, address.replace("http", "ws"), "data:", "blob:"))
    page.set_default_timeout(180_000)
    page.goto(address + path)
    return page


@pytest.fixture
def board(new_page, lab):
    """Open a play notebook in JupyterLab and run all its cells."""

    def open_(name: str, width: int = 1300):
        page = _open(new_page, lab, f"/doc/tree/play/{name}.ipynb?token=t", width)
        page.wait_for_selector(".jp-Notebook .jp-CodeCell")
        # The menu does nothing before the kernel of the notebook is there.
        page.get_by_text("Python 3 (ipykernel) | Idle").wait_for()
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
        page.wait_for_selector(".jp-OutputArea .try button")
        return page

    return open_


def _finish(page, name: str) -> None:
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SCREENSHOTS / f"{name}.png")
    # Voilà's own page asks for a font from elsewhere; ours ask for nothing.
    assert [asked for asked in page.outside if "fontawesome" not in asked] == []


def _wait(page, output: str, value) -> None:
    page.locator(f"[data-try-output={output}][data-value='{value}']").wait_for(state="attached")


def _restart(page) -> None:
    page.get_by_role("menuitem", name="Kernel", exact=True).click()
    page.get_by_role("menuitem", name=re.compile("^Restart Kernel…")).click()
    page.get_by_role("button", name="Confirm Kernel Restart").click()
    page.get_by_text("Python 3 (ipykernel) | Idle").wait_for()


def test_emojle_board_in_the_lab(board):
    page = board("emojle-board")
    words = load_words()
    _wait(page, "count", len(words.answers))
    expected = EmojleBoard(words)
    expected.patterns = ["YG..G"]
    for place, turns in enumerate([1, 2, 0, 0, 2]):  # YG..G
        for _ in range(turns):
            page.locator(f"[data-try-input=cell-{place + 1}]").click()
    page.get_by_role("button", name="Add this line").click()
    _wait(page, "candidates", " ".join(expected.candidates))
    page.locator("[data-try-input=lines]").focus()
    page.keyboard.press("End")
    page.keyboard.type(" YYYG. GYGYY GGGYY .G.YG", delay=10)
    _wait(page, "candidates", "posse")
    # Letters on a button are no shortcuts of JupyterLab, and the focus stays.
    cells = page.locator(".jp-Cell").count()
    page.get_by_role("button", name="remove the line yellow green grey grey green").focus()
    for key in ("b", "d", "d", "Enter"):
        page.keyboard.press(key)
    _wait(page, "candidates", "alien posse")
    assert page.evaluate("document.activeElement.textContent") == "Put back"
    assert page.locator(".jp-Cell").count() == cells
    page.keyboard.press("Control+S")
    page.locator("[data-try-input=lines]").fill("<script>document.title = 'pasted'</script>")
    page.locator(".try-problem", has_text="is not a line").wait_for()
    assert page.title() != "pasted"
    _finish(page, "board-emojle")
    _restart(page)  # it does without the kernel
    page.locator("[data-try-input=lines]").fill("YG..G YYYG. GYGYY GGGYY .G.YG")
    _wait(page, "candidates", "posse")


def test_wordle_helper_in_the_lab(board):
    page = board("wordle-helper")
    page.locator("select[data-setting=strategy]").select_option("most-parts")
    _wait(page, "guess", "trace")
    guess = page.locator("[data-try-input=guess]")
    guess.press("Enter")
    page.locator(".try-problem", has_text="Click the squares").wait_for()
    for place, turns in enumerate([0, 2, 2, 1, 2]):
        for _ in range(turns):
            page.locator(f"[data-try-input=cell-{place + 1}]").click()
    page.get_by_role("button", name="Enter", exact=True).dblclick()
    page.get_by_text("Left: crane, crave, craze").wait_for()
    assert page.locator(".try-lines li").count() == 1, "a double click enters one guess"
    guess.fill("zzzzz")
    page.get_by_role("button", name="All grey").click()
    page.locator(".try-problem", has_text="not an allowed word").wait_for()
    assert guess.input_value() == "zzzzz"
    page.get_by_role("button", name="Undo").click()
    _wait(page, "remaining", 2315)
    assert guess.input_value() == "trace"
    for place, colour in enumerate(["grey", "green", "green", "yellow", "green"], 1):
        square = page.locator(f"[data-try-input=cell-{place}]")
        assert square.get_attribute("aria-label").endswith(f": {colour}")
    guess.fill("slimy")
    page.locator("select[data-setting=strategy]").select_option("entropy")
    page.get_by_text("The best guesses by entropy").wait_for()
    assert guess.input_value() == "slimy"
    _finish(page, "board-wordle")
    _restart(page)
    page.locator("[data-try-input=cell-1]").click()
    page.get_by_role("button", name="Enter", exact=True).click()
    page.locator(".try-problem", has_text="run the cell again").wait_for()
    page.locator("[data-try-input=cell-1]").click()
    assert page.locator(".try-problem", has_text="run the cell again").is_visible()


def test_semantle_board_in_the_lab(board):
    page = board("semantle-board", 1000)
    guess = page.locator("[data-try-input=guess]")
    guess.focus()
    for word in ("house", "music"):  # quicker than the kernel answers
        page.keyboard.type(word, delay=30)
        page.keyboard.press("Enter")
    page.get_by_role("rowheader", name="2. music").wait_for()
    assert page.get_by_role("rowheader", name="1. house").count() == 1
    for turn in range(3, 10):
        page.get_by_role("button", name="Hint").click()
        page.wait_for_function("document.querySelector('[data-try-input=guess]').value")
        guess.press("Enter")
        page.locator("tbody th", has_text=f"{turn}. ").wait_for()
        if page.locator("[data-try-output=score][data-value='100']").count():
            break
    page.get_by_label("text to share").wait_for()
    page.get_by_text("Nearest to it").wait_for()
    # A game elsewhere
    page.get_by_label("is hidden in a game elsewhere").check()
    for word, score in (("house", "42,91"), ("music", "26.21 %")):  # of the word hidden above
        page.locator("[data-try-input=typed-guess]").fill(word)
        page.locator("[data-try-input=typed-score]").fill(score)
        page.keyboard.press("Enter")
        page.get_by_role("button", name=f"remove {word}").wait_for()
    page.locator("[data-try-output=advice]", has_text="remarks").wait_for()
    page.locator("[data-try-input=typed-guess]").fill("tree")
    page.locator("[data-try-input=typed-score]").fill("warm")
    page.keyboard.press("Enter")
    page.locator(".try-problem", has_text="is not a score").wait_for()
    _finish(page, "board-semantle")
    # A restarted kernel does not know the board any more.
    page.get_by_label("is hidden here").check()
    page.get_by_role("button", name="New word").click()
    page.get_by_text("A word is hidden").wait_for()
    _restart(page)
    guess.fill("house")
    guess.press("Enter")
    page.locator(".try-problem", has_text="run the cell again").wait_for()
    page.wait_for_function("document.querySelector('[data-try-input=guess]').value === 'house'")


def test_boards_in_voila(new_page, voila):
    """Each board asks the kernel something, and shows what it answers."""
    page = _open(new_page, voila, "/voila/render/emojle-board.ipynb")
    page.locator("[data-try-input=lines]").fill("YG..G YYYG. GYGYY GGGYY .G.YG")
    _wait(page, "candidates", "posse")
    _finish(page, "voila-emojle")
    page = _open(new_page, voila, "/voila/render/wordle-helper.ipynb")
    page.locator("[data-try-input=guess]").fill("crane")
    page.get_by_role("button", name="All grey").click()
    expected = WordleBoard(load_words())
    expected.helper = expected.helper.enter("crane", ".....")
    _wait(page, "remaining", len(expected.candidates))
    _finish(page, "voila-wordle")
    page = _open(new_page, voila, "/voila/render/semantle-board.ipynb")
    page.locator("[data-try-input=guess]").fill("house")
    page.keyboard.press("Enter")
    page.get_by_role("rowheader", name="1. house").wait_for()
    _finish(page, "voila-semantle")


def test_a_newer_play_notebook_takes_the_place_of_its_copy(tmp_path):
    import runpy

    prepare = runpy.run_path(str(ROOT / "scripts" / "lab.py"))["prepare"]
    play = tmp_path / "notebooks" / "play"
    play.mkdir(parents=True)
    (tmp_path / "notebooks" / "01-one.ipynb").write_text("report")
    (play / "board.ipynb").write_text("first")
    lab = prepare(tmp_path)
    assert (lab / "01-one.ipynb").read_text() == "report"
    copy = lab / "play" / "board.ipynb"
    copy.write_text("played")
    prepare(tmp_path)
    assert copy.read_text() == "played"
    (play / "board.ipynb").write_text("second")
    later = copy.stat().st_mtime + 5
    os.utime(play / "board.ipynb", (later, later))
    prepare(tmp_path)
    assert copy.read_text() == "second"
    assert (lab / "play" / "board-old.ipynb").read_text() == "played"
