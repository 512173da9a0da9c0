"""The site and the boards in a real browser, with the network cut.

Needs a Chromium on the machine (Debian: ``apt-get install chromium``). Without one these tests are
skipped with a message, except where CI=true, where they fail. Screenshots for a person to look at
are left in reports/screenshots/.
"""

import os
import re
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path
from urllib.request import urlopen

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parent.parent
SCREENSHOTS = ROOT / "reports" / "screenshots"
SIZES = {"phone": (360, 740), "large phone": (390, 844), "desktop": (1280, 900)}
ALWAYS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync")


@pytest.fixture(scope="session")
def browser():
    names = ("chromium", "chromium-browser", "google-chrome", "chrome")
    path = next(filter(None, map(shutil.which, names)), None)
    if path is None:
        message = "no Chromium on this machine: install one (Debian: apt-get install chromium)"
        if os.environ.get("CI") == "true":
            pytest.fail(message)
        pytest.skip(message)
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=list(ALWAYS))
        yield browser
        browser.close()


@pytest.fixture
def open_page(browser):
    """Open a file of the site; the page remembers its errors and what it asked the network for."""
    contexts = []

    def open_(path: Path, size: str = "desktop", scheme: str = "light"):
        width, height = SIZES[size]
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, offline=True
        )
        contexts.append(context)
        page = context.new_page()
        page.problems = []
        page.on(
            "console",
            lambda message: (
                page.problems.append(f"console: {message.text}") if message.type == "error" else 0
            ),
        )
        page.on("pageerror", lambda error: page.problems.append(f"error: {error}"))
        page.on(
            "request",
            lambda request: (
                page.problems.append(f"asked for {request.url}")
                if not request.url.startswith(("file:", "data:"))
                else 0
            ),
        )
        page.goto(path.resolve().as_uri(), wait_until="load")
        return page

    yield open_
    for context in contexts:
        context.close()


def _pages(site: Path) -> list[Path]:
    pages = sorted(site.glob("*.html"))
    assert site / "index.html" in pages
    return pages


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_pages_are_sound(site, open_page, size, scheme):
    from axe_playwright_python.sync_playwright import Axe

    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    faults = []
    for path in _pages(site):
        page = open_page(path, size, scheme)
        faults += [f"{path.name}: {problem}" for problem in page.problems]
        wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        if wide > 0:
            faults.append(f"{path.name}: {wide} pixels wider than the window")
        found = Axe().run(page).response["violations"]
        for violation in found:
            serious = violation["impact"] in ("serious", "critical")
            if serious or violation["id"] == "heading-order":
                where = [node["target"] for node in violation["nodes"][:3]]
                faults.append(f"{path.name}: {violation['id']}: {violation['help']}: {where}")
        page.screenshot(path=SCREENSHOTS / f"{path.stem}-{size}-{scheme}.png")
        page.close()
    assert not faults, "\n".join(faults)


def test_links_resolve(site, open_page):
    faults = []
    for path in _pages(site):
        page = open_page(path)
        links = page.eval_on_selector_all(
            "a[href]", "all => all.map(a => [a.getAttribute('href'), a.textContent.trim()])"
        )
        ids = page.eval_on_selector_all("[id]", "all => all.map(e => e.id)")
        if len(ids) != len(set(ids)):
            faults.append(f"{path.name}: an id stands twice")
        for href, _ in links:
            target, _, fragment = href.partition("#")
            if re.match(r"[a-z]+:", href):
                continue  # a link to elsewhere, which a reader may follow; no page loads it
            if target and not (path.parent / target).exists():
                faults.append(f"{path.name}: {href} leads nowhere")
            if fragment and not target and fragment not in ids:
                faults.append(f"{path.name}: {href} leads nowhere")
        page.close()
    assert not faults, "\n".join(faults)


def test_folded_code_opens_with_the_keyboard(site, open_page):
    path = next(path for path in _pages(site) if path.name.startswith("01-"))
    page = open_page(path)
    fold = page.locator("main details:has(pre) summary").first
    assert not fold.evaluate("e => e.parentElement.open")
    fold.focus()
    page.keyboard.press("Enter")
    assert fold.evaluate("e => e.parentElement.open")
    assert page.locator("main details[open] pre").first.is_visible()


# Of each table: its caption, how many pixels of it are out of sight, and the heads of rows that
# stand one word on a line.
TABLES = """all => all.filter(t => t.offsetParent).map(t => {
  const box = t.closest(".scroll") || t.parentElement;
  const tall = [...t.querySelectorAll("tbody th")].filter(h => {
    const words = h.textContent.trim().split(/\\s+/).length, style = getComputedStyle(h);
    const height = h.firstChild ? (() => {
      const range = document.createRange();
      range.selectNodeContents(h);
      return range.getBoundingClientRect().height;
    })() : 0;
    return words > 2 && Math.round(height / parseFloat(style.lineHeight)) >= words;
  });
  return [t.caption ? t.caption.textContent.slice(0, 60) : "", box.scrollWidth - box.clientWidth,
    tall.map(h => h.textContent.trim())];
})"""


@pytest.mark.parametrize("size", SIZES)
def test_tables_and_pictures_fit(site, open_page, size):
    width = SIZES[size][0]
    faults = []
    for path in _pages(site):
        page = open_page(path, size)
        page.eval_on_selector_all("details:not(.code)", "all => all.forEach(d => d.open = true)")
        for caption, hidden, tall in page.eval_on_selector_all("main table", TABLES):
            # On a phone a wide table scrolls inside its own box; on a desk nothing is out of sight.
            if hidden > 1 and size == "desktop":
                faults.append(f"{path.name}: {caption!r} hides {hidden} pixels")
            if tall:
                faults.append(f"{path.name}: {caption!r}: one word a line: {tall[:3]}")
        for left, right, wide in page.eval_on_selector_all(
            "main img",
            "all => all.map(i => i.getBoundingClientRect()).map(b => [b.left, b.right, b.width])",
        ):
            if left < 0 or right > width or wide > width:
                faults.append(f"{path.name}: a picture from {left:.0f} to {right:.0f} of {width}")
        page.close()
    assert not faults, "\n".join(faults)


def test_the_title_comes_first_on_a_phone(site, open_page):
    for path in _pages(site):
        page = open_page(path, "phone")
        places = page.evaluate(
            "['h1', '.contents', '#show-code'].map(s => document.querySelector(s))"
            ".filter(e => e).map(e => e.getBoundingClientRect().top)"
        )
        assert places == sorted(places) and places[0] < 300, path.name
        page.close()


def test_a_link_to_a_folded_statement_shows_it(site, open_page):
    page = open_page(site / "index.html", "phone")
    row = page.locator("#E12")
    assert not row.is_visible()
    page.evaluate("location.hash = 'E12'")
    row.wait_for(state="visible")
    page.locator(".tally a", has_text="contradicted").click()
    shown = [one for one in page.locator("#ledger tbody tr").all() if one.is_visible()]
    assert shown and all(one.get_attribute("data-verdict") == "contradicted" for one in shown)


def test_pictures_are_seen_and_described(site, open_page):
    for path in _pages(site):
        page = open_page(path, "phone")
        pictures = page.eval_on_selector_all(
            "img", "all => all.map(i => [i.alt, i.complete && i.naturalWidth > 0])"
        )
        for alt, loaded in pictures:
            assert loaded, f"{path.name}: a picture did not load: {alt[:60]}"
            assert alt or path.name == "index.html", f"{path.name}: a picture without alt text"
        page.close()


def test_ledger_filters_by_essay_and_verdict(site, open_page):
    page = open_page(site / "index.html")
    rows = page.locator("#ledger tbody tr")
    everything = rows.count()
    assert everything >= 73
    page.locator("#filter input[name=verdict][value=contradicted]").focus()
    page.keyboard.press("Space")
    shown = [row for row in rows.all() if row.is_visible()]
    assert 0 < len(shown) < everything
    assert all("contradicted" in row.inner_text() for row in shown)
    page.locator("#filter input[name=essay][value=semantle]").focus()
    page.keyboard.press("Space")
    fewer = [row for row in rows.all() if row.is_visible()]
    assert len(fewer) < len(shown)


# --- the boards in JupyterLab --------------------------------------------------------------------


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """JupyterLab over a copy of the play notebooks; its address with the token."""
    folder = tmp_path_factory.mktemp("lab")
    for notebook in (ROOT / "notebooks" / "play").glob("*.ipynb"):
        shutil.copy(notebook, folder)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    home = tmp_path_factory.mktemp("home")
    environment = {
        **os.environ,
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_DATA_DIR": str(home / "data"),
        "JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces"),
    }
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"]
    command += [
        f"--ServerApp.port={port}",
        "--ServerApp.port_retries=0",
        "--IdentityProvider.token=t",
    ]
    command += [f"--ServerApp.root_dir={folder}"]
    log = home / "log.txt"
    with log.open("wb") as out:
        server = subprocess.Popen(command, stdout=out, stderr=out, env=environment)
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(240):
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


@pytest.fixture
def board(browser, lab):
    """Open a play notebook in JupyterLab and run all its cells; what it asked of the network."""
    contexts = []

    def open_(name: str):
        context = browser.new_context(viewport={"width": 1300, "height": 1500})
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
        page.set_default_timeout(60_000)
        page.goto(f"{lab}/doc/tree/{name}.ipynb?token=t")
        page.wait_for_selector(".jp-Notebook .jp-CodeCell")
        # The menu does nothing before the kernel of the notebook is there.
        page.get_by_text("Python 3 (ipykernel) | Idle").wait_for()
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
        try:
            page.wait_for_selector(".jp-OutputArea .widget-button")
        except Exception:
            page.screenshot(path=SCREENSHOTS / f"failed-{name}.png")
            raise
        return page

    yield open_
    for context in contexts:
        context.close()


def _finish(page, name: str) -> None:
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SCREENSHOTS / f"{name}.png")
    assert page.outside == []


def test_emojle_board_in_the_lab(board):
    page = board("emojle-board")
    cells = page.locator(".jp-OutputArea button", has_text=re.compile("grey|yellow|green"))
    # YG..G, by mouse and by keyboard
    cells.nth(0).click()
    cells.nth(1).click()
    cells.nth(1).click()
    cells.nth(4).focus()
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    for place, name in enumerate(("yellow", "green", "grey", "grey", "green")):
        cells.nth(place).filter(has_text=name).wait_for()
    page.get_by_role("button", name="Add this pattern").click()
    page.locator(".jp-OutputArea textarea").fill("YYYG. GYGYY GGGYY .G.YG")
    page.get_by_role("button", name="Read the text").click()
    output = page.locator(".jp-OutputArea .widget-html", has_text="1 candidate")
    output.wait_for()
    assert "posse" in output.inner_text()
    page.locator(".jp-OutputArea textarea").fill("<script>document.title = 'pasted'</script>")
    page.get_by_role("button", name="Read the text").click()
    page.get_by_role("alert").filter(has_text="Nothing was added").wait_for()
    assert page.title() != "pasted"
    _finish(page, "board-emojle")


def test_wordle_helper_in_the_lab(board):
    page = board("wordle-helper")
    page.locator(".jp-OutputArea select").first.select_option("most-parts")
    guess = page.locator(".jp-OutputArea input[type=text]")
    page.wait_for_function(
        "() => document.querySelector('.jp-OutputArea input[type=text]').value === 'trace'"
    )
    cells = page.locator(".jp-OutputArea button", has_text=re.compile("grey|yellow|green"))
    for place, clicks in enumerate((0, 2, 2, 1, 2)):
        for _ in range(clicks):
            cells.nth(place).click()
    page.get_by_role("button", name="Enter guess and colours").click()
    page.get_by_text("3 words are left: crane crave craze").wait_for()
    guess.fill("zzzzz")
    guess.press("Enter")
    page.get_by_role("alert").filter(has_text="not an allowed word").wait_for()
    page.get_by_role("button", name="Undo").click()
    page.get_by_text("2,315 words are left").wait_for()
    _finish(page, "board-wordle")


def test_semantle_board_in_the_lab(board):
    page = board("semantle-board")
    guess = page.locator(".jp-OutputArea input[type=text]")
    guess.fill("house")
    guess.press("Enter")
    for _ in range(8):
        page.get_by_role("button", name="Hint").click()
        status = page.locator(".jp-OutputArea [role=status]")
        page.wait_for_function(
            "() => /is the most frequent/.test("
            "document.querySelector('.jp-OutputArea [role=status]').textContent)"
        )
        hint = status.locator("b").first.inner_text()
        guess.fill(hint)
        guess.press("Enter")
        page.wait_for_function(
            "() => !/is the most frequent/.test("
            "document.querySelector('.jp-OutputArea [role=status]').textContent)"
        )
        if "it is, with" in status.inner_text():
            break
    assert "it is, with" in status.inner_text()
    _finish(page, "board-semantle")
