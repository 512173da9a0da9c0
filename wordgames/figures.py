"""Drawing that several notebooks share: emoji grids, one style, pictures with alt text.

Colours are those of Okabe and Ito, which colour-blind readers can tell apart. Pictures are SVG, the
same bytes each time, with a transparent ground and ink that turns light in dark mode.
"""

import base64
import io
import re
from itertools import count

import matplotlib as mpl
import numpy as np

from wordgames.patterns import format_pattern

# Okabe and Ito's palette, in the order in which series take colours.
BLUE, ORANGE, TEAL, RED, PURPLE, SKY, YELLOW = (
    "#0072b2",
    "#e69f00",
    "#009e73",
    "#d55e00",
    "#cc79a7",
    "#56b4e9",
    "#f0e442",
)
COLOURS = (BLUE, ORANGE, TEAL, RED, PURPLE, SKY)
INK, GRID = "#24292f", "#d0d7de"  # the two colours that dark mode changes
_DARK = {INK: "#e6edf3", GRID: "#444c56"}

# Cells of drawn grids: the game's own colours for high contrast and for grey.
CELL_COLOURS = {0: "#787c7e", 1: "#e6b400", 2: "#3a8f5a"}

STYLE = {
    "axes.edgecolor": INK,
    "axes.facecolor": "none",
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.labelcolor": INK,
    "axes.prop_cycle": mpl.cycler(color=COLOURS),
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 12,
    "axes.titleweight": "bold",
    "axes.titlepad": 10,
    "figure.constrained_layout.use": True,
    "figure.facecolor": "none",
    "figure.figsize": (7.5, 4.2),
    "font.family": "DejaVu Sans",  # comes with matplotlib: the same picture on every machine
    "font.size": 11,
    "grid.color": GRID,
    "grid.linewidth": 0.6,
    "image.cmap": "cividis",
    "legend.frameon": False,
    "savefig.facecolor": "none",
    "svg.fonttype": "path",
    "svg.hashsalt": "wordgames",
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
}


def use_style() -> None:
    """Set the style of all reports for the pictures that follow."""
    mpl.rcParams.update(STYLE)


def figure_svg(figure) -> str:
    """A figure as SVG text: the same bytes each time, its ink changed by the reader's dark mode."""
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    svg = buffer.getvalue()
    rules = "".join(
        f'[style*="fill: {light}"]{{fill:{dark}!important}}'
        f'[style*="stroke: {light}"]{{stroke:{dark}!important}}'
        for light, dark in _DARK.items()
    )
    style = f"<style>@media(prefers-color-scheme:dark){{{rules}}}</style>"
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    return re.sub(r"(<svg[^>]*>)", lambda found: found[1] + style, svg, count=1)


_shown = count()  # the pictures that this kernel has shown


def thumbnail(figure) -> str:
    """A small PNG of a figure on white ground, in base64, of a few thousand bytes."""
    from PIL import Image

    drawn, small = io.BytesIO(), io.BytesIO()
    width = figure.get_size_inches()[0]
    figure.savefig(drawn, format="png", dpi=480 / width, facecolor="white")
    picture = Image.open(drawn).convert("RGB").quantize(16, dither=Image.Dither.NONE)
    picture.save(small, format="png", optimize=True)
    return base64.b64encode(small.getvalue()).decode("ascii")


def show_figure(figure, alt: str, caption: str = "") -> None:
    """Show a matplotlib figure in a notebook, with its alt text, and close it.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
    alt : str
        What the picture shows, for those who cannot see it, with the numbers that matter.
    caption : str
        A sentence below the picture, if its title does not say enough.
    """
    from IPython.display import display
    from matplotlib import pyplot as plt

    if not alt.strip():
        raise ValueError("a figure needs alt text: say what the picture shows")
    svg = figure_svg(figure)
    about = {"alt": alt, "caption": caption}
    if next(_shown) == 0:  # the site's first page shows a report's first picture
        about["thumbnail"] = thumbnail(figure)
    plt.close(figure)
    display(
        {"image/svg+xml": svg, "text/plain": alt},
        raw=True,
        metadata={"image/svg+xml": about},
    )


def draw_grid(axes, rows, words=None, length: int = 5) -> None:
    """Draw rows of patterns as coloured cells, with the letters of `words` in them if given.

    Each cell also carries a mark (none, a dot, a square) so that colour is never the only sign.
    """
    rows = [format_pattern(row, length) if not isinstance(row, str) else row for row in rows]
    for y, row in enumerate(rows):
        for x, cell in enumerate(row):
            axes.add_patch(
                mpl.patches.FancyBboxPatch(
                    (x + 0.06, y + 0.06),
                    0.88,
                    0.88,
                    boxstyle="round,pad=0,rounding_size=0.08",
                    linewidth=0,
                    facecolor=CELL_COLOURS[".YG".index(cell)],
                )
            )
            label = words[y][x].upper() if words else {".": "", "Y": "•", "G": "■"}[cell]
            axes.text(
                x + 0.5, y + 0.5, label, ha="center", va="center", color="white", weight="bold"
            )
    axes.set(xlim=(0, max(map(len, rows), default=1)), ylim=(len(rows), 0), aspect="equal")
    axes.axis("off")


def squares(code: int, length: int = 5) -> str:
    """A pattern as emoji squares, for tables and prose.

    >>> squares(242)
    '🟩🟩🟩🟩🟩'
    """
    return format_pattern(code, length, "dark")


def histogram_bins(values, most: int = 40) -> np.ndarray:
    """Bin edges of whole width for whole numbers: at most `most` bins, each value inside one."""
    low, high = int(np.min(values)), int(np.max(values))
    width = max(1, -(-(high - low + 1) // most))
    return np.arange(low, high + width + 1, width) - 0.5
