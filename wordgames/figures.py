"""Drawing that several notebooks share: emoji grids, one style, pictures with alt text.

Colours are those of Okabe and Ito, which colour-blind readers can tell apart. Pictures are SVG, the
same bytes each time, with a transparent ground and ink that turns light in dark mode.
"""

import base64
import io
import itertools
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
INK, GRID = "#24292f", "#d0d7de"
# What dark mode changes: the ink, and the one colour of the palette that is too dark for it.
_DARK = {INK: "#e6edf3", GRID: "#444c56", BLUE: "#3d9fe0"}

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


def _short_path(path: str) -> str:
    """The same path to a hundredth of a point, without the spaces that it does not need."""
    path = re.sub(
        r"-?\d+\.\d+", lambda found: f"{float(found[0]):.2f}".rstrip("0").rstrip("."), path
    )
    return re.sub(r"\s*([A-Za-z])\s*", r"\1", " ".join(path.split()))


def _few_colours(found: re.Match) -> str:
    """A picture within a picture (many points, drawn as pixels) with 64 colours: a third of it."""
    from PIL import Image

    picture, small = Image.open(io.BytesIO(base64.b64decode(found[2]))), io.BytesIO()
    picture.convert("RGBA").quantize(64, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(
        small, format="png", optimize=True
    )
    return found[1] + base64.b64encode(small.getvalue()).decode("ascii")


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
    style = f"<style>@media screen and (prefers-color-scheme:dark){{{rules}}}</style>"
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->", "", svg, flags=re.DOTALL)
    svg = re.sub(r'\bd="([^"]*)"', lambda found: f'd="{_short_path(found[1])}"', svg)
    svg = re.sub(r"(data:image/png;base64,)([^\"]*)", _few_colours, svg)
    return re.sub(r"(<svg[^>]*>)", lambda found: found[1] + style, svg, count=1)


_shown = count()  # the pictures that this kernel has shown


def thumbnail(figure) -> str:
    """A small PNG of a figure on white ground, in base64, of some thousand bytes."""
    from PIL import Image

    drawn, small = io.BytesIO(), io.BytesIO()
    width = figure.get_size_inches()[0]
    figure.savefig(drawn, format="png", dpi=480 / width, facecolor="white")
    picture = Image.open(drawn).convert("RGB").quantize(64, dither=Image.Dither.NONE)
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


def _from_grey_to_green(n_cells: int) -> list[tuple[int, ...]]:
    """All patterns of some cells: those with few coloured cells first, then with few greens."""
    return sorted(
        itertools.product(range(3), repeat=n_cells),
        key=lambda cells: (sum(map(bool, cells)), cells.count(2), cells),
    )


def draw_pattern_map(figure, values, length: int = 5, marks=None, **colouring):
    """Draw a value for each pattern, all patterns of a length in one picture.

    A row holds the patterns with the same first cells, a column those with the same last cells;
    strips of coloured cells beside the rows and above the columns say which. Both go from all
    grey to all green, so that patterns with many coloured cells lie towards the lower right.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        An empty one.
    values : array (3**length,)
        By the codes of the patterns; NaN leaves a cell empty.
    marks : dict of int to str, optional
        A sign to write into a pattern's cell, by its code; left out where cells are too small.
    colouring
        What `imshow` takes: norm, cmap, vmin, vmax.

    Returns
    -------
    image, axes
        The image, for a colour bar, and the axes on top, for the title.
    """
    values = np.asarray(values, float)
    n_first = length // 2
    first, last = _from_grey_to_green(n_first), _from_grey_to_green(length - n_first)
    weights = 3 ** np.arange(length - 1, -1, -1)
    codes = np.array([[np.dot(weights, (*head, *tail)) for tail in last] for head in first])
    grid = figure.add_gridspec(
        2,
        2,
        width_ratios=[max(n_first, 0.2), len(last)],
        height_ratios=[length - n_first, len(first) * 1.4],
        hspace=0.02,
        wspace=0.01,
    )
    top, left, main = (figure.add_subplot(grid[place]) for place in ((0, 1), (1, 0), (1, 1)))
    image = main.imshow(values[codes], aspect="auto", interpolation="none", **colouring)
    readable = len(last) <= 27
    if marks and readable:
        for (y, x), code in np.ndenumerate(codes):
            if code in marks:
                colour = INK if np.isnan(values[code]) else "black"
                main.text(x, y, marks[code], ha="center", va="center", color=colour, fontsize=9)
    cells = mpl.colors.ListedColormap([CELL_COLOURS[cell] for cell in range(3)])
    for axes, strip in ((top, np.array(last).T), (left, np.array(first))):
        if strip.size:
            axes.imshow(strip, cmap=cells, vmin=0, vmax=2, aspect="auto", interpolation="none")
        if readable:
            for (y, x), cell in np.ndenumerate(strip):
                sign, size = (("", 6), ("•", 10), ("■", 6))[cell]
                axes.text(x, y, sign, ha="center", va="center", color="white", fontsize=size)
    for axes in (top, left, main):
        axes.set(xticks=[], yticks=[])
        axes.grid(False)
        axes.spines[:].set_visible(False)
    main.set_xlabel(f"the last {length - n_first} cells")
    left.set_ylabel(f"the first {n_first} cells")
    return image, top


def draw_distributions(axes, counts) -> None:
    """Draw how many games end with each guess, a row for each strategy: shade and number of games.

    `counts` is a DataFrame by strategy with a column for each number of guesses; the columns keep
    their order and names, and the first row is drawn on top.
    """
    shares = counts.div(counts.sum(axis=1), axis=0).to_numpy()
    axes.imshow(np.sqrt(shares), aspect="auto", vmin=0, vmax=1)  # so that rare ends show too
    for (y, x), share in np.ndenumerate(shares):
        if share:
            colour = "white" if share < 0.3 else "black"
            text = f"{counts.iat[y, x]:,}"
            axes.text(x, y, text, ha="center", va="center", color=colour, fontsize=9)
    axes.set_xticks(range(counts.shape[1]), counts.columns)
    axes.set_yticks(range(len(counts)), counts.index)
    axes.grid(visible=False)
    axes.set(xlabel="guesses")


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
