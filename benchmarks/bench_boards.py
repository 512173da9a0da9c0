"""The boards in the pages: how long until the first answer, a click, and a pasted megabyte take.

Everything is timed inside the page, in a headless browser with the network cut: from the start of
the page's loading, or from the event, until an output shows what it did not show before. The
longest time for which the page did not answer is the browser's own count of tasks over 50 ms.
"""

import shutil
import tempfile
from pathlib import Path
from statistics import median

from benchmarks.common import in_seconds, row
from wordgames import load_embedding, load_words, optimal_tree
from wordgames._playable import section, style
from wordgames.boards import pages
from wordgames.semantle.experiments import popular_words
from wordgames.wordle.openers import openers_of

POST = "Wordle 224 4/6\n\n⬛⬛⬛⬛⬛\n⬛🟩⬛🟩⬛\n⬛🟩🟩🟩🟩\n🟩🟩🟩🟩🟩\nwhat a day\n"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")

# In every page before its own scripts: `seen` ends when the values of the outputs have changed.
WATCH = """
globalThis.values = () => [...document.querySelectorAll("[data-try-output]")]
  .map((one) => one.dataset.value ?? one.textContent).filter(Boolean).join("|");
globalThis.seen = (before, start) => new Promise((resolve, reject) => {
  const look = () => {
    if (values() === before) return;
    watch.disconnect();
    resolve(performance.now() - start);
  };
  const watch = new MutationObserver(look);
  const all = { subtree: true, childList: true, attributes: true, characterData: true };
  watch.observe(document, all);
  look();
  setTimeout(() => reject(new Error(`still ${before}`)), 20000);
});
globalThis.first = seen("", 0);
globalThis.longest = 0;
new PerformanceObserver((list) => {
  for (const task of list.getEntries()) longest = Math.max(longest, task.duration);
}).observe({ type: "longtask", buffered: true });
"""
ACT = """async ([selector, text]) => {
  const one = document.querySelector(selector), before = values(), start = performance.now();
  if (text === null) one.click();
  else {
    one.focus();
    const data = new DataTransfer();
    data.setData("text/plain", text);
    const how = { clipboardData: data, bubbles: true, cancelable: true };
    const paste = new ClipboardEvent("paste", how);
    if (text.length < 1e5 || one.dispatchEvent(paste)) {
      one.value = text;
      one.dispatchEvent(new Event("input", { bubbles: true }));
    }
    if (one.form) one.form.requestSubmit();
  }
  return seen(before, start);
}"""


def field(name: str) -> str:
    return f"[data-try-input={name}]"


def _parts() -> list[tuple[dict, list[tuple[str, str | None]]]]:
    """Each part, and what is done on it: a click (None) or a text that is typed."""
    words, vectors = load_words(), load_embedding()
    lines = ["YG..G", "YYYG.", "GYGYY", "GGGYY", ".G.YG"]
    typed = [(field("lines"), " ".join(lines[:n])) for n in (1, 2, 3, 4, 5)]
    return [
        (
            pages.word_map(words, ["tares", "qajaq"]),
            [(field("word"), word) for word in ("crane", "aahed", "zaxes", "sissy", "least")],
        ),
        (
            pages.pair(words, "speed", "abide"),
            [(field("answer"), word) for word in ("crane", "erase", "least", "steal", "tales")],
        ),
        (
            pages.emojle(words, lines, [("two lines", "GYGGY YGYGG")]),
            [*typed, (".try-lines button", None), (".try-lines button", None)],
        ),
        (
            pages.tree(optimal_tree(words, first="salet")),
            [(".try-branches button", None)] * 3 + [(field("back"), None)] * 3,
        ),
        (
            pages.opener(words, openers_of(words), ["salet", "crane", "adieu"]),
            [(field("word"), word) for word in ("raise", "soare", "fuzzy", "audio", "stare")],
        ),
        (
            pages.semantle(vectors, popular_words(vectors, 2000), "medical", ["house", "music"]),
            [(field("guess"), word) for word in ("people", "water", "school", "night", "money")],
        ),
    ]


def _browser(driver):
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        raise RuntimeError("no Chromium on this machine: install one (apt-get install chromium)")
    return driver.chromium.launch(executable_path=path, args=["--no-sandbox"])


def _played(browser, path: Path, acts: list, times: int) -> tuple[float, float, float]:
    """Seconds until the first answer, of a click, and of the longest task; the median each."""
    firsts, clicks, longest = [], [], []
    for _ in range(times):
        page = browser.new_context(offline=True).new_page()
        page.add_init_script(WATCH)
        page.goto(path.as_uri(), wait_until="load")
        firsts.append(page.evaluate("first"))
        page.wait_for_timeout(500)  # what the page prepares while nobody asks
        page.evaluate("longest = 0")
        clicks.append(max(page.evaluate(ACT, list(act)) for act in acts))
        longest.append(page.evaluate("longest"))
        page.context.close()
    return tuple(median(some) / 1000 for some in (firsts, clicks, longest))


def rows(quick: bool = False) -> list[dict]:
    from playwright.sync_api import sync_playwright

    times = 1 if quick else 5
    found = []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        browser = _browser(driver)
        for part, acts in _parts():
            name = part["name"]
            path = Path(folder, f"{name}.html")
            start = (
                f"<!DOCTYPE html><meta charset='utf-8'><title>part</title><style>{style()}</style>"
            )
            path.write_text(start + section(**part), encoding="utf-8")
            first, click, longest = _played(browser, path, acts, times)
            for what, seconds, limit in (
                ("until the first answer", first, 1.0),
                ("the slowest of its clicks", click, 0.1),
            ):
                shown = in_seconds(seconds), in_seconds(limit)
                found.append(row(f"{name}: {what}", *shown, seconds / limit, "at most 1"))
            shown = in_seconds(longest), in_seconds(0.05)
            found.append(
                row(f"{name}: the longest time that the page is busy", *shown, longest / 0.05)
            )
            if name == "emojle":
                empty = section(**pages.emojle(load_words(), [], []))
                path.write_text(start + empty, encoding="utf-8")
                paste = [(field("lines"), POST * (1000 if quick else 10_000))]
                _, pasted, busy = _played(browser, path, paste, times)
                note = f"the page is busy for at most {in_seconds(busy)} of it"
                what = f"{name}: a pasted megabyte"
                found.append(row(what, in_seconds(pasted), "1 s", pasted, "at most 1", note))
        browser.close()
    return found
