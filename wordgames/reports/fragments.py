"""From the cells of an executed notebook to pieces of HTML that ask for nothing.

They run nothing but our own scripts, those of the parts that a reader can play with.

Prose that an author wrote in the notebook may hold HTML of its own. What a cell shows may carry
text that somebody pasted: in Markdown every tag is shown as text, in HTML only the tags and
attributes of tables and text pass. No piece holds an address that a browser would fetch by itself.
"""

import html
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import quote
from xml.etree import ElementTree

import bleach
import mistune
from latex2mathml.converter import convert as latex_to_mathml
from mistune.plugins.math import math as math_plugin
from nbconvert.filters import Highlight2HTML, strip_ansi

from wordgames import _playable
from wordgames.reports.recording import (
    GIVEN,
    NOT_TESTED,
    PUBLISHED,
    RECORD,
    REPRODUCED,
    TABLE,
    TRY,
    published_html,
)

_HEADINGS_OF_PAGE = (2, 3)
ANSWER = 'class="answer"'  # marks the output that holds a report's answer

_TAGS = {
    *("a", "abbr", "b", "blockquote", "br", "caption", "code", "col", "colgroup", "dd", "div"),
    *("dl", "dt", "em", "hr", "i", "kbd", "li", "ol", "p", "pre", "s", "small", "span", "strong"),
    *("sub", "sup", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul"),
}
_ATTRIBUTES = {
    "*": ["class", "dir", "lang", "title"],
    "a": ["href"],
    "th": ["scope", "colspan", "rowspan"],
    "td": ["colspan", "rowspan"],
}
# Their content is no text: it goes with its tag.
_SILENT = re.compile(
    r"<(script|style|iframe|svg|math|template)\b.*?</\1\s*>", re.DOTALL | re.IGNORECASE
)

# Most tokens are plain names and points: unmarked, the page has half the size.
_UNCOLOURED = re.compile(
    r'<span class="(?:n|nn|na|nv|o|p|w|fm|bp|vm|si|sx)">([^<]*)</span>|<span></span>'
)

_cleaner = bleach.Cleaner(
    tags=_TAGS, attributes=_ATTRIBUTES, protocols={"http", "https", "mailto"}, strip=True
)
_highlight = Highlight2HTML(pygments_lexer="ipython3")


def clean_html(markup: str) -> str:
    """HTML that a cell showed, reduced to tables and text."""
    return _cleaner.clean(_SILENT.sub("", markup))


def scrolling(content: str, label: str, kind: str = "") -> str:
    """Content that scrolls sideways where it is too wide, with the keyboard too.

    The page's script takes the tab stop away where nothing needs to scroll.
    """
    return (
        f'<div class="scroll {kind}" tabindex="0" role="group" '
        f'aria-label="{html.escape(label)}">{content}</div>'
    )


_UNSAFE = {"href", "src", "style"}


def _is_mathml(markup: str) -> bool:
    # The converter copies what stands in \text{...} as it is, tags too.
    try:
        elements = list(ElementTree.fromstring(markup).iter())
    except ElementTree.ParseError:
        return False
    return all(
        element.tag.startswith("{http://www.w3.org/1998/Math/MathML}m")
        and not any(name in _UNSAFE or name.startswith(("on", "{")) for name in element.attrib)
        for element in elements
    )


def mathml(latex: str, display: str) -> str:
    """A formula as MathML; as code when it cannot be one."""
    try:
        formula = latex_to_mathml(latex, display=display)
    except Exception:  # of many kinds, all for text that is no formula
        formula = ""
    if not _is_mathml(formula):
        return f"<code>{html.escape(latex)}</code>"
    return scrolling(formula, "Formula", "formula") if display == "block" else formula


@dataclass
class Contents:
    """The headings of a page with their unique ids, gathered while its prose is rendered."""

    entries: list[tuple[int, str, str]] = field(default_factory=list)  # level, id, HTML of the text
    title: str = ""

    def anchor(self, text: str) -> str:
        """A new id made of a heading's text."""
        plain = html.unescape(re.sub(r"<[^>]*>", "", text)).lower()
        plain = unicodedata.normalize("NFKD", plain).encode("ascii", "ignore").decode()
        slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-") or "section"
        taken = {anchor for _, anchor, _ in self.entries}
        number = 2
        anchor = slug
        while anchor in taken or anchor in {"top", "main", "contents"}:
            anchor, number = f"{slug}-{number}", number + 1
        return anchor


class _Renderer(mistune.HTMLRenderer):
    """Markdown without pictures from elsewhere; formulas as MathML; headings into the contents."""

    def __init__(self, contents: Contents | None):
        super().__init__(escape=contents is None)
        self.contents = contents

    def heading(self, text: str, level: int, **attributes) -> str:
        contents = self.contents
        if contents is None:  # what a cell shows is no section of the page
            return f"<p><strong>{text}</strong></p>\n"
        if level == 1 and not contents.title:
            contents.title = text
            return f"<h1>{text}</h1>\n"
        level = max(level, 2)
        anchor = contents.anchor(text)
        contents.entries.append((level, anchor, text))
        return f'<h{level} id="{anchor}">{text}</h{level}>\n'

    def image(self, text: str, url: str, title: str | None = None) -> str:
        return text

    def block_code(self, code: str, info: str | None = None) -> str:
        return f"<pre><code>{html.escape(code)}</code></pre>\n"

    def inline_math(self, latex: str) -> str:
        return mathml(latex, "inline")

    def block_math(self, latex: str) -> str:
        return mathml(latex, "block")

    def table(self, text: str) -> str:
        return scrolling(f"<table>\n{text}</table>\n", "Table")

    def table_head(self, text: str) -> str:
        return f"<thead><tr>{text}</tr></thead>\n"

    def table_body(self, text: str) -> str:
        return f"<tbody>{text}</tbody>\n"

    def table_row(self, text: str) -> str:
        return f"<tr>{text}</tr>\n"

    def table_cell(self, text: str, align: str | None = None, head: bool = False) -> str:
        kind = ' class="number"' if align == "right" else ""
        return f'<th scope="col"{kind}>{text}</th>' if head else f"<td{kind}>{text}</td>"


def _without_hooks(plugin, markdown) -> None:
    # A plugin also registers its own HTML; the methods of _Renderer are ours and stay.
    renderer, markdown.renderer = markdown.renderer, None
    plugin(markdown)
    markdown.renderer = renderer


def _markdown(contents: Contents | None):
    markdown = mistune.create_markdown(renderer=_Renderer(contents), plugins=["strikethrough"])
    for plugin in (math_plugin, mistune.plugins.import_plugin("table")):
        _without_hooks(plugin, markdown)
    return markdown


_shown_markdown = _markdown(None)


def prose(markdown: str, contents: Contents) -> str:
    """An author's Markdown as HTML; its headings go into the contents."""
    return str(_markdown(contents)(markdown))


def shown(markdown: str) -> str:
    """Markdown that a cell showed, as HTML: tags in it become text."""
    return str(_shown_markdown(markdown))


def shown_inline(markdown: str) -> str:
    """The same for one sentence: without the paragraph around it."""
    return re.sub(r"</?p>", " ", with_squares(shown(" ".join(markdown.split())))).strip()


_SQUARES = {"⬛": 0, "⬜": 0, "🟨": 1, "🟦": 1, "🟩": 2, "🟧": 2}
_TAG_OR_SQUARES = re.compile(f"<[^>]*>|(?:[{''.join(_SQUARES)}]\ufe0f?)+")


def with_squares(markup: str) -> str:
    """Emoji squares in the text of some HTML, set so that the page draws them itself.

    Not every machine has a font with them. They stay text: they are copied and read aloud.
    """

    def drawn(found: re.Match) -> str:
        if found[0][0] == "<":
            return found[0]
        squares = re.findall(".\ufe0f?", found[0])
        cells = "".join(f'<i class="q{_SQUARES[square[0]]}">{square}</i>' for square in squares)
        return f'<span class="q">{cells}</span>'

    return _TAG_OR_SQUARES.sub(drawn, markup)


def alt_text(output, kind: str) -> str:
    """The alt text that an output gives for its picture of a media type; "" if none."""
    metadata = output.get("metadata", {})
    return (metadata.get(kind, {}).get("alt") or metadata.get("alt") or "").strip()


def _pixels(svg: str, side: str) -> float:
    found = re.search(rf'<svg[^>]*\b{side}="([\d.]+)(pt|px)?"', svg)
    return float(found[1]) * (4 / 3 if found[2] == "pt" else 1) if found else 0


def svg_address(svg: str) -> str:
    """A picture's own text as its address, to stand between double quotes."""
    # A quarter smaller than base64.
    svg = " ".join(svg.split())
    svg = svg if "'" in svg else svg.replace('"', "'")
    return quote(svg, safe=" '/:=;,()!*+-._~@?$|<>")


def figure(output, kind: str) -> str:
    """A picture inside the page, with its alt text and caption."""
    data, alt = output["data"][kind], alt_text(output, kind)
    size = ""
    if kind == "image/svg+xml":
        width, height = _pixels(data, "width"), _pixels(data, "height")
        if width and height:
            size = f' width="{width:.0f}" height="{height:.0f}" style="--natural:{width:.0f}px"'
        source = "data:image/svg+xml," + svg_address(data)
    else:
        source = f"data:{kind};base64," + "".join(data.split())
    about = output.get("metadata", {}).get(kind, {})
    title, subtitle, caption = (
        shown_inline(about.get(part, "")) for part in ("title", "subtitle", "caption")
    )
    heading = (f"<strong>{title}</strong>" if title else "") + (
        f"<span>{subtitle}</span>" if subtitle else ""
    )
    return (
        "<figure>"
        + (f"<figcaption>{heading}</figcaption>" if heading else "")
        + f'<div class="picture"><img src="{source}" alt="{html.escape(alt)}"{size}></div>'
        + (f'<p class="note">{caption}</p>' if caption else "")
        + "</figure>"
    )


def _table(markup: str) -> str:
    found = re.search(r"<caption>(.*?)</caption>", markup, re.DOTALL)
    caption = html.unescape(re.sub(r"<[^>]*>", "", found[1])) if found else ""
    # The span stays in view while the table scrolls below it.
    markup = re.sub(
        r"(<caption>)(.*?)(</caption>)", r"\1<span>\2</span>\3", markup, flags=re.DOTALL
    )
    return scrolling(markup, f"Table: {caption}" if caption else "Table")


def _download(table: dict, folder: str) -> str:
    path = quote(f"{folder}/{table['name']}.csv")
    return (
        f'<p class="download"><a href="{path}" download>'
        f"All rows as CSV ({html.escape(table['name'])}.csv)</a></p>"
    )


def playable(part: dict) -> str:
    """A part that a reader can play with; it runs our own script and no other."""
    return _playable.section(**part | {"example": with_squares(clean_html(part["example"]))})


def _comparison(entry: dict) -> str:
    row_id = html.escape(entry["id"])
    link = f'<a href="index.html#{row_id}">{row_id}</a>'
    return published_html(entry).replace(f"<b>{row_id}</b>", link, 1)


def _folded(summary: str, entries: list[dict]) -> str:
    inside = "".join(map(_comparison, entries))
    return f'<details class="fold"><summary>{html.escape(summary)}</summary>{inside}</details>'


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _compared(entries: list[dict]) -> str:
    """Comparisons with published statements; what comes out as published folds into one line."""
    plain = [entry for entry in entries if entry["verdict"] in (REPRODUCED, GIVEN)]
    untested = [entry for entry in entries if entry["verdict"] == NOT_TESTED]
    told = "".join(_comparison(e) for e in entries if e not in plain and e not in untested)
    if plain:
        reproduced = sum(entry["verdict"] == REPRODUCED for entry in plain)
        parts = [f"{_counted(reproduced, 'statement')} reproduced"] if reproduced else []
        if given := len(plain) - reproduced:
            what = f"{given}" if reproduced else _counted(given, "statement")
            parts.append(f"{what} taken as given")
        told += _folded(" and ".join(parts), plain)
    for why in dict.fromkeys(entry["why"] for entry in untested):
        same = [entry for entry in untested if entry["why"] == why]
        reason = why.replace("It needs", "They need", 1) if len(same) > 1 else why
        summary = f"{_counted(len(same), 'statement')} not tested here. {reason}"
        told += _folded(summary, [entry | {"why": ""} for entry in same])
    return told


def output_html(output, tables: str) -> str:
    """What one output shows; `tables` is the folder of the CSV files, as seen from the page."""
    if output.output_type == "stream":
        return scrolling(f"<pre>{html.escape(output.text)}</pre>", "Printed text", "text")
    if output.output_type == "error":
        trace = strip_ansi("\n".join(output.traceback)) or f"{output.ename}: {output.evalue}"
        return scrolling(f"<pre>{html.escape(trace)}</pre>", "Error", "text error")
    data = output.data
    if RECORD in data or output.get("metadata", {}).get("in_lab_only"):
        return ""  # for the runner, or for JupyterLab: a page shows the same elsewhere
    for kind in ("image/svg+xml", "image/png", "image/jpeg"):
        if kind in data:
            return figure(output, kind)
    if PUBLISHED in data:
        return _compared([data[PUBLISHED]])
    if "text/html" in data:
        markup = clean_html(data["text/html"])
        markup = _table(markup) if "<table" in markup else markup
        return markup + (_download(data[TABLE], tables) if TABLE in data else "")
    if "text/markdown" in data:
        kind = ANSWER if output.get("metadata", {}).get("answer") else 'class="said"'
        return f"<div {kind}>{shown(data['text/markdown'])}</div>"
    if "text/latex" in data:
        return mathml(data["text/latex"].strip().strip("$"), "block")
    if "text/plain" in data:
        return scrolling(f"<pre>{html.escape(data['text/plain'])}</pre>", "Text", "text")
    return ""


def code_html(source: str) -> str:
    """Code, highlighted; only kinds of token that the page colours are marked."""
    return _UNCOLOURED.sub(lambda found: found[1] or "", _highlight(source.strip("\n")))


@dataclass(frozen=True)
class Part:
    """A cell of a page: prose, or code with what it shows."""

    prose: str = ""
    code: str = ""
    outputs: tuple[str, ...] = ()


def _outputs(cell, tables: str) -> Iterator[str]:
    """What a cell shows; its comparisons with published statements stand together."""
    compared = [o.data[PUBLISHED] for o in cell.outputs if PUBLISHED in o.get("data", {})]
    for output in cell.outputs:
        data = output.get("data", {})
        if TRY in data:
            yield playable(data[TRY])
        elif PUBLISHED not in data:
            yield with_squares(output_html(output, tables))
        elif compared:
            yield with_squares(_compared(compared))
            compared = []


def parts(notebook, tables: str) -> tuple[list[Part], Contents]:
    """The cells of an executed notebook as parts of a page, and the page's contents.

    Code that shows nothing goes together with the code after it: one fold, not several in a row.
    """
    contents = Contents()
    result = []
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            result.append(Part(prose=with_squares(prose(cell.source, contents))))
        elif cell.cell_type == "code" and cell.source.strip():
            code = code_html(cell.source)
            outputs = tuple(filter(None, _outputs(cell, tables)))
            if result and result[-1].code and not result[-1].outputs:
                code = result.pop().code + code
            result.append(Part(code=code, outputs=outputs))
    contents.entries = [entry for entry in contents.entries if entry[0] in _HEADINGS_OF_PAGE]
    return result, contents
