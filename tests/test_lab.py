"""The play notebooks in JupyterLab, in a real browser, with the kernel's answers."""

import os
import shutil
import socket
import subprocess
import sys
import time
from urllib.request import urlopen

import pytest
from browsing import ROOT, SCREENSHOTS

from wordgames import load_words
from wordgames.boards.emojle import EmojleBoard

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """JupyterLab as `make lab` opens it, over a copy of the notebooks; its address.

    After the last game the notebooks of the copy are as they were: only the folder lab changed.
    """
    clone, home = tmp_path_factory.mktemp("clone"), tmp_path_factory.mktemp("home")
    shutil.copytree(ROOT / "notebooks", clone / "notebooks")
    shutil.copytree(ROOT / "scripts", clone / "scripts")
    before = {path: path.read_bytes() for path in clone.rglob("notebooks/**/*.ipynb")}
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {
        **os.environ,
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_DATA_DIR": str(home / "data"),
        "JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces"),
        "PYTHONPATH": str(ROOT),
    }
    command = [sys.executable, str(clone / "scripts" / "lab.py"), "--no-browser", "--allow-root"]
    command += [
        f"--ServerApp.port={port}",
        "--ServerApp.port_retries=0",
        "--IdentityProvider.token=t",
    ]
    log = home / "log.txt"
    with log.open("wb") as out:
        server = subprocess.Popen(command, stdout=out, stderr=out, env=environment)
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(480):
            try:
                with urlopen(f"{address}/api?token=t", timeout=5):
                    break
            except OSError:
                assert server.poll() is None, log.read_text(encoding="utf-8")
                time.sleep(0.25)
        else:
            pytest.fail(f"JupyterLab did not start: {log.read_text(encoding='utf-8')}")
        yield address
    finally:
        server.terminate()
        server.wait(30)
    assert {path: path.read_bytes() for path in clone.rglob("notebooks/**/*.ipynb")} == before
    assert (clone / "lab" / "play" / "emojle-board.ipynb").read_bytes() not in before.values()


@pytest.fixture
def board(browser, lab):
    """Open a play notebook in JupyterLab and run all its cells; what it asked of the network."""
    contexts = []

    def open_(name: str, width: int = 1300):
        context = browser.new_context(viewport={"width": width, "height": 1500})
        contexts.append(context)
        page = context.new_page()
        page.outside = []
        page.on(
            "request",
            lambda request: (
                page.outside.append(request.url)
                if not request.url.startswith((lab, lab.replace("http", "ws"), "data:", "blob:"))
                else 0
            ),
        )
        page.set_default_timeout(180_000)
        page.goto(f"{lab}/doc/tree/play/{name}.ipynb?token=t")
        page.wait_for_selector(".jp-Notebook .jp-CodeCell")
        # The menu does nothing before the kernel of the notebook is there.
        page.get_by_text("Python 3 (ipykernel) | Idle").wait_for()
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
        page.wait_for_selector(".jp-OutputArea .try button")
        return page

    yield open_
    for context in contexts:
        context.close()


def _finish(page, name: str) -> None:
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SCREENSHOTS / f"{name}.png")
    assert page.outside == []


def _wait(page, output: str, value) -> None:
    page.locator(f"[data-try-output={output}][data-value='{value}']").wait_for(state="attached")


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
    _finish(page, "board-wordle")


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
