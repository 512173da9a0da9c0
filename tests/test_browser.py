"""The site in a real browser, with the network cut."""

import re
from pathlib import Path

import pytest
from browsing import SCREENSHOTS, SIZES, faults_of

pytestmark = pytest.mark.slow


def _pages(site: Path) -> list[Path]:
    pages = sorted(site.glob("*.html"))
    assert site / "index.html" in pages
    return pages


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_pages_are_sound(site, open_page, size, scheme):
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    faults = []
    for path in _pages(site):
        page = open_page(path, size, scheme)
        faults += [f"{path.name}: {fault}" for fault in faults_of(page)]
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
            # On a phone, rows of a wide table stand below each other.
            if hidden > 1:
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


def test_a_wide_table_is_stacked_on_a_phone(site, open_page):
    stacked = 0
    for path in _pages(site):
        page = open_page(path, "phone")
        tables = page.locator("main table.stacked").all()
        stacked += len(tables)
        for table in tables:
            heads = table.locator("thead th").all_inner_texts()
            row = table.locator("tbody tr").first
            labels = row.locator("td").evaluate_all("all => all.map(cell => cell.dataset.label)")
            assert labels == heads[1:], path.name
            assert row.get_attribute("role") == "row"
        page.set_viewport_size({"width": 1280, "height": 900})
        page.wait_for_function("!document.querySelector('table.stacked')")
        page.close()
    assert stacked


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
