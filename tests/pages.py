"""What a browser would take from the HTML of a page; several test files use it."""

import re
from html.parser import HTMLParser


class Page(HTMLParser):
    """Some HTML as tags with their attributes, and text."""

    def __init__(self, markup: str):
        super().__init__()
        self.tags: list[tuple[str, dict]] = []
        self.text = ""
        self.feed(markup)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_data(self, data):
        self.text += data

    def all(self, tag: str) -> list[dict]:
        return [attributes for name, attributes in self.tags if name == tag]


def asks_or_runs(page: Page) -> list:
    """The tags of a page that would fetch something or run something."""
    found = []
    for tag, attributes in page.tags:
        fetched = [attributes.get(key) for key in ("src", "srcset", "data", "poster", "background")]
        if tag in ("link", "image", "use"):
            fetched += [attributes.get("href"), attributes.get("xlink:href")]
        found += [(tag, value) for value in fetched if value and not value.startswith("data:")]
        if tag in ("iframe", "object", "embed", "base", "meta") and "http-equiv" in attributes:
            found.append((tag, attributes))
        if tag in ("iframe", "object", "embed", "base"):
            found.append((tag, attributes))
        found += [(tag, key) for key in attributes if key.startswith("on")]
        if re.search(r"url\(|expression", attributes.get("style") or ""):
            found.append((tag, attributes["style"]))
        if re.match(r"\s*(javascript|vbscript|data):", attributes.get("href") or "", re.IGNORECASE):
            found += [(tag, attributes["href"])] if attributes["href"] != "data:," else []
    return found
