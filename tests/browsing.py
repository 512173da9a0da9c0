"""A real browser for the tests, with the network cut.

Needs a Chromium on the machine (Debian: ``apt-get install chromium``). Without one these tests are
skipped with a message, except where CI=true, where they fail. Screenshots for a person to look at
are left in reports/screenshots/.
"""

import os
import shutil
from pathlib import Path

import pytest

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
def new_page(browser):
    """Open an empty page; it remembers its errors, and what it asked of other addresses."""
    contexts = []

    def new(size: tuple[int, int], own: tuple[str, ...], **options):
        width, height = size
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        page = context.new_page()
        page.errors, page.outside = [], []

        def listen(message):
            if message.type == "error":
                page.errors.append(f"console: {message.text}")

        def watch(request):
            if not request.url.startswith(own):
                page.outside.append(f"asked for {request.url}")

        page.on("console", listen)
        page.on("pageerror", lambda error: page.errors.append(f"error: {error}"))
        page.on("request", watch)
        return page

    yield new
    for context in contexts:
        context.close()


@pytest.fixture
def open_page(new_page):
    """Open a file of the site, with the network cut."""

    def open_(path: Path, size: str = "desktop", scheme: str = "light"):
        page = new_page(SIZES[size], ("file:", "data:"), color_scheme=scheme, offline=True)
        page.goto(path.resolve().as_uri(), wait_until="load")
        return page

    return open_


def faults_of(page) -> list[str]:
    """What is wrong with a page: errors, requests, too wide, serious faults found by axe."""
    from axe_playwright_python.sync_playwright import Axe

    faults = page.errors + page.outside
    wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    if wide > 0:
        faults.append(f"{wide} pixels wider than the window")
    for violation in Axe().run(page).response["violations"]:
        serious = violation["impact"] in ("serious", "critical")
        if serious or violation["id"] == "heading-order":
            where = [node["target"] for node in violation["nodes"][:3]]
            faults.append(f"{violation['id']}: {violation['help']}: {where}")
    return faults
