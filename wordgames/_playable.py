"""Parts of a page that a reader can play with: their scripts, and the HTML around one.

Each part is one file of plain JavaScript in ``templates/boards``; its first line may name the files
that stand in front of it. The same text serves a page of the report and, through anywidget, a
notebook in JupyterLab.
"""

import html
import json
import re
from functools import cache

from wordgames.places import TEMPLATES

FOLDER = TEMPLATES / "boards"

_NEEDS = re.compile(r"// needs: (.*)\n")
_COMMENTS = re.compile(r"(?m)^ *//.*\n")


def _read(name: str) -> str:
    try:
        return (FOLDER / name).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise FileNotFoundError(
            f"no file {str(FOLDER / name)!r}: the boards need the folder templates/boards of the "
            "repository; install the package from it"
        ) from None


@cache
def script(name: str) -> str:
    """The whole script of a part: an ES module whose default export has ``render``."""
    if not re.fullmatch(r"[a-z][a-z-]*", name):
        raise ValueError(f"{name!r} is no name of a part: small letters and hyphens")
    text = _read(f"{name}.js")
    needs = _NEEDS.match(text)
    return "\n".join([*(_read(other) for other in (needs[1].split() if needs else ())), text])


@cache
def style() -> str:
    """The style of all parts."""
    return _read("boards.css")


def section(name: str, state: dict, title: str, hint: str, example: str) -> str:
    """A part as HTML with its script.

    Parameters
    ----------
    name : str
        Of the file in ``templates/boards``.
    state : dict
        What the script asks for by ``model.get``; plain values.
    title : str
        What can be done, as a short imperative.
    hint : str
        What to try first, and what to look out for.
    example : str
        HTML that stands in its place without scripts: what it does, and a worked example.
    """
    # Inside a script, only "</" and "<!" could end it.
    data = json.dumps(state, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    code = _COMMENTS.sub("", script(name))  # pages are small; who reads the code has the files
    return (
        f'<section class="try-part" id="try-{name}" data-try="{name}" '
        f'aria-labelledby="try-{name}-title">'
        f'<p class="try-title" id="try-{name}-title">{html.escape(title)}</p>'
        f"<p>{html.escape(hint)}</p>"
        f'<div class="try"><div class="try-example">{example}</div></div>'
        f'<script type="application/json">{data}</script></section>\n'
        f'<script type="module">\n{code}\nstart("{name}", render);\n</script>'
    )


def frame(name: str, state: dict, title: str, hint: str, example: str) -> str:
    """The same in a frame of its own, for an output in JupyterLab."""
    page = (
        f"<!DOCTYPE html><html lang='en'><meta charset='utf-8'><meta name='color-scheme' "
        f"content='light dark'><title>{html.escape(title)}</title><style>{style()}</style>"
        f"<body>{section(name, state, title, hint, example)}<script>new ResizeObserver(() => {{"
        "if (window.frameElement) frameElement.style.height = "
        "`${document.documentElement.offsetHeight + 4}px`;}).observe(document.body);</script>"
    )
    return (
        f'<iframe srcdoc="{html.escape(page)}" title="{html.escape(title)}" '
        'style="width:100%;border:0;height:24em"></iframe>'
    )
