"""Drawing that several notebooks share: emoji grids, one style, pictures with alt text.

Colours are those of Okabe and Ito, which colour-blind readers can tell apart. Pictures are SVG, the
same bytes each time, with a transparent ground and ink that turns light in dark mode.
"""

import base64
import io
import itertools
import re
import textwrap
from collections import Counter
from itertools import count

import matplotlib as mpl
import numpy as np

from wordgames.patterns import format_pattern, parse_pattern
from wordgames.words import letters

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
INK, GRID, GREY = "#24292f", "#d0d7de", "#7d858e"
# What dark mode changes: the ink, and the one colour of the palette that is too dark for it.
_DARK = {INK: "#e6edf3", GRID: "#444c56", BLUE: "#3d9fe0"}

# What people call the methods that the reports compare, and the colour that each has everywhere.
METHODS = {
    "letter-score-essay": ("the essay's rule", ORANGE),
    "letter-score": ("exact feedback", PURPLE),
    "letter-score-rescored": ("letters counted again", RED),
    "letter-score-late-answers": ("answers when few are left", TEAL),
    "letter-score-cover": ("no word counted twice", SKY),
    "letter-score-cover-unknown-only": ("no word counted twice, new letters only", BLUE),
    "letter-score-placed": ("letters in place", GREY),
    "entropy": ("most bits", SKY),
    "expected-size": ("fewest words left", TEAL),
    "most-parts": ("most parts", BLUE),
    "minimax": ("smallest worst part", PURPLE),
    "optimal": ("the best tree", INK),
    "elimination": ("striking words out", GREY),
    "sets": ("sets", GREY),
    "uniform": ("every word alike", PURPLE),
    "frequency": ("word frequency", BLUE),
    "frequency, rows independent": ("word frequency, lines independent", SKY),
    "learnt": ("learnt", ORANGE),
    "learnt on the other half": ("learnt from other puzzles", ORANGE),
    "learnt on the other half, group known": ("learnt, and told the group", TEAL),
    "essay": ("the essay's filter", ORANGE),
    "rounded": ("exact rounding", PURPLE),
    "frequent": ("frequent words first", SKY),
    "soft": ("probability", BLUE),
    "order": ("warmer or colder", TEAL),
    "climb": ("a climber", RED),
    "other-vectors": ("the scores", BLUE),
    "experienced": ("the scores, after other games", TEAL),
    "half-spaces": ("the warmer of two", PURPLE),
}


def method_name(method: str) -> str:
    """What people call a method; a name that is not in `METHODS` stays as it is."""
    beam = re.fullmatch(r"optimal-beam-(\d+)", method)
    return f"tree search, {beam[1]} wide" if beam else METHODS.get(method, (method,))[0]


def method_colour(method: str) -> str:
    """The colour of a method in every picture, by its identifier or by what people call it."""
    for name, (called, colour) in METHODS.items():
        if method in (name, called) or (name == "optimal" and method.startswith(name)):
            return colour
    return INK


# One hue, from pale to deep, and none of the game's colours: for maps of patterns.
DEPTH = mpl.colors.LinearSegmentedColormap.from_list(
    "depth", ["#dbe9f6", "#8fbfe0", "#3f8fc5", "#0b4f8a", "#0a2f5c"]
)
mpl.colormaps.register(DEPTH, force=True)

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
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "axes.titlepad": 6,
    "figure.constrained_layout.use": True,
    "figure.facecolor": "none",
    "figure.figsize": (5.0, 3.2),
    "font.family": "DejaVu Sans",  # comes with matplotlib: the same picture on every machine
    "font.size": 10,
    "grid.color": GRID,
    "grid.linewidth": 0.6,
    "image.cmap": DEPTH.name,
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


def _short_move(found: re.Match) -> str:
    x, y = (f"{float(number):.2f}".rstrip("0").rstrip(".") for number in found.groups())
    return f"translate({x} {y})"


def _short_names(svg: str) -> str:
    """Short names for the shapes of letters (d, as DejaVu) and marks: every use names them."""
    names = dict.fromkeys(re.findall(r'\bid="([^"]+)"', svg))
    short = {name: f"{name[0].lower()}{number}" for number, name in enumerate(names)}
    used = r'(\bid="|#)([\w.-]+)(?=["\')])'
    return re.sub(used, lambda found: found[1] + short.get(found[2], found[2]), svg)


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
    # Names of groups, which nothing refers to, and more decimals than a screen shows.
    svg = re.sub(r'<g id="[^"]*"', "<g", svg)
    svg = re.sub(r"<g>\s*(<path [^>]*/>)\s*</g>", r"\1", svg)
    svg = re.sub(r"translate\(([-\d.]+) ([-\d.]+)\)", _short_move, svg)
    svg = re.sub(r'\bd="([^"]*)"', lambda found: f'd="{_short_path(found[1])}"', svg)
    svg = re.sub(r"(data:image/png;base64,)([^\"]*)", _few_colours, svg)
    svg = _short_names(re.sub(r">\s+<", "><", svg))
    return re.sub(r"(<svg[^>]*>)", lambda found: found[1] + style, svg, count=1)


_shown = count()  # the pictures that this kernel has shown


def thumbnail(figure) -> str:
    """A figure as a small SVG without its words, for the site's first page. It changes the figure.

    Letters in drawn cells stay: they are the picture.
    """
    shrink = min(np.array([3.2, 1.8]) / figure.get_size_inches())
    for text in [*figure.texts, *figure.legends]:
        text.set_visible(False)
    for axes in figure.axes:
        if not axes.axison:
            for letter in axes.texts:
                letter.set_fontsize(letter.get_fontsize() * shrink)
        else:
            if axes.get_legend():
                axes.get_legend().set_visible(False)
            for text in axes.texts:
                text.set_visible(False)
            axes.set(xlabel="", ylabel="")
            axes.tick_params(which="both", length=0, labelbottom=False, labelleft=False)
            axes.grid(visible=False, which="both")
            axes.spines[:].set_visible(False)
        for place in ("left", "center", "right"):
            axes.set_title("", loc=place)
    figure.set_size_inches(3.2, 1.8)
    return figure_svg(figure)


def show_figure(
    figure, title: str = "", *, alt: str = "", subtitle: str = "", caption: str = ""
) -> None:
    """Show a matplotlib figure in a notebook, with its title and alt text, and close it.

    Title and subtitle stand above the picture as text, so that they wrap on a narrow screen.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        No wider than 5 inches: a page shows it from 330 to 640 pixels wide.
    title : str
        The finding, as a sentence without a full stop.
    alt : str
        What the picture shows, for those who cannot see it, with the numbers that matter. Figures
        of the `draw_…` functions bring one along.
    subtitle : str
        What is plotted, of what.
    caption : str
        A sentence below the picture: a source, or how to read it.
    """
    from IPython.display import display
    from matplotlib import pyplot as plt

    alt = alt or getattr(figure, "alt", "")
    if not alt.strip():
        raise ValueError("a figure needs alt text: say what the picture shows")
    for axis in (axis for axes in figure.axes for axis in (axes.xaxis, axes.yaxis)):
        plain = isinstance(axis.get_major_formatter(), mpl.ticker.ScalarFormatter)
        logarithmic = isinstance(axis.get_major_formatter(), mpl.ticker.LogFormatter)
        if logarithmic or (plain and max(axis.get_view_interval()) >= 1000):  # 1,000, not 10³, 1000
            axis.set_major_formatter(lambda value, _: f"{value:,.10g}")
    svg = figure_svg(figure)
    about = {"alt": alt, "title": title, "subtitle": subtitle, "caption": caption}
    about = {name: text for name, text in about.items() if text}
    if next(_shown) == 0:  # the site's first page shows a report's first picture
        about["thumbnail"] = thumbnail(figure)
    plt.close(figure)
    if title or subtitle:  # for JupyterLab: a page takes both from the picture's own metadata
        words = "  \n".join(filter(None, (f"**{title}**" if title else "", subtitle)))
        display(
            {"text/markdown": words, "text/plain": words}, raw=True, metadata={"in_lab_only": True}
        )
    display(
        {"image/svg+xml": svg, "text/plain": alt},
        raw=True,
        metadata={"image/svg+xml": about},
    )


def with_alt(figure, alt: str):
    """The figure with a description that `show_figure` takes when it is given none."""
    figure.alt = alt
    return figure


def _short(value: float) -> str:
    """A number for a description: four digits, and never as 4e+05 or 8e-05."""
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return np.format_float_positional(float(f"{value:.4g}"), trim="-")


def _listed(pairs, number: str = ",.4g") -> str:
    """Names with their numbers, for a description."""
    return ", ".join(f"{name} {format(value, number)}" for name, value in pairs)


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
                    clip_on=False,
                )
            )
            mark = {".": "", "Y": "•", "G": "■"}[cell]
            signs = [(0.5, 0.5, mark, 10)]
            if words is not None:  # the mark goes into the corner, beside the letter
                signs = [(0.46, 0.53, letters(words[y])[x].upper(), 10), (0.8, 0.24, mark, 4)]
            for dx, dy, sign, size in signs:
                axes.text(
                    *(x + dx, y + dy, sign),
                    ha="center",
                    va="center",
                    size=size,
                    color="white",
                    weight="bold",
                )
    axes.set(xlim=(0, max(map(len, rows), default=1)), ylim=(len(rows), 0), aspect="equal")
    axes.axis("off")


def draw_games(games, columns: int = 3):
    """Games as rows of lettered squares, side by side, each below its name.

    Parameters
    ----------
    games : dict of str to Game, or to (guesses, patterns)
        By the name that stands above the game; patterns as text or codes.
    columns : int
        Games beside each other.

    Returns
    -------
    matplotlib.figure.Figure
    """
    from matplotlib import pyplot as plt

    played = {
        name: (game.guesses, game.patterns) if hasattr(game, "guesses") else game
        for name, game in games.items()
    }
    columns = min(columns, len(played))
    lines = -(-len(played) // columns)
    most = max(len(guesses) for guesses, _ in played.values())
    length = max(len(letters(guesses[0])) for guesses, _ in played.values())
    cell = min(0.27, 4.9 / (columns * (length + 0.6)))
    titles = max(len(textwrap.wrap(name, 4 * length)) for name in played)
    figure, grid = plt.subplots(
        lines,
        columns,
        figsize=(5.0, lines * (most * cell + 0.16 + 0.16 * titles)),
        squeeze=False,
        layout="constrained",
    )
    for axes in grid.flat:
        axes.axis("off")
    for axes, (name, (guesses, patterns)) in zip(grid.flat, played.items(), strict=False):
        draw_grid(axes, patterns, guesses, len(letters(guesses[0])))
        axes.set_ylim(most, 0)
        axes.set_title(textwrap.fill(name, 4 * length), fontsize=9, loc="center")
    lines = [f"{name}: {' '.join(guesses)}" for name, (guesses, _) in played.items()]
    return with_alt(figure, f"Games as rows of coloured squares. {'; '.join(lines)}.")


def draw_parts(parts, of: str = "words", most: int = 0):
    """The parts into which guesses split the words: a bar for each part, the largest first.

    Parameters
    ----------
    parts : dict of str to sizes
        By guess, the sizes of its parts in any order; parts of no words are left out.
    of : str
        What the sizes count.
    most : int
        Bars to show; 0 for all.

    Returns
    -------
    matplotlib.figure.Figure
        A panel for each guess, one below the other, on the same scales.
    """
    from matplotlib import pyplot as plt

    sizes = {guess: np.sort(np.asarray(of_one))[::-1] for guess, of_one in parts.items()}
    sizes = {guess: of_one[of_one > 0] for guess, of_one in sizes.items()}
    figure, panels = plt.subplots(
        len(sizes),
        1,
        figsize=(5.0, 0.5 + 1.25 * len(sizes)),
        sharex=True,
        sharey=True,
        squeeze=False,
        layout="constrained",
    )
    for axes, (guess, of_one) in zip(panels.flat, sizes.items(), strict=True):
        shown = of_one[: most or None]
        axes.bar(range(1, len(shown) + 1), shown, width=1, color=BLUE, linewidth=0)
        text = f"{guess.upper()}: {len(of_one):,} parts, the largest of {of_one[0]:,}"
        axes.text(0.98, 0.9, text, transform=axes.transAxes, ha="right", va="top", weight="bold")
    panels[-1, 0].set_xlabel("parts, the largest first")
    figure.supylabel(of, fontsize=10)
    return with_alt(
        figure,
        f"Bars of the {of} in each part. "
        + "; ".join(f"{guess}: {len(n)} parts, the largest {n[0]:,}" for guess, n in sizes.items())
        + ".",
    )


def draw_funnel(steps, of: str = "words left"):
    """How the words that are left shrink, step by step: a bar for each, on a logarithmic scale.

    Parameters
    ----------
    steps : sequence of (label, count)
        A label that is a pattern (``YG..G``) is drawn as squares.
    of : str
        What the counts are of.

    Returns
    -------
    matplotlib.figure.Figure
    """
    from matplotlib import pyplot as plt

    labels, counts = zip(*steps, strict=True)
    figure, axes = plt.subplots(figsize=(5.0, 0.6 + 0.34 * len(counts)), layout="constrained")
    places = range(len(counts))
    axes.barh(places, np.maximum(counts, 1) - 0.4, left=0.6, height=0.7, color=BLUE, linewidth=0)
    for place, count_left in enumerate(counts):
        axes.annotate(
            f"{count_left:,}",
            (max(count_left, 1.05), place),
            (4, 0),
            textcoords="offset points",
            va="center",
        )
    axes.set(xscale="log", xlim=(0.6, max(counts) * 6), ylim=(len(counts) - 0.5, -0.5))
    axes.set(xlabel=f"{of} (logarithmic)")
    axes.set_yticks(places, labels)
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=False, axis="y")
    for place, (label, tick) in enumerate(zip(labels, axes.get_yticklabels(), strict=True)):
        if re.fullmatch(r"[.YG]+", label):
            tick.set(text="", visible=False)
            _squares_beside(axes, place, label)
    return with_alt(figure, f"Bars of {of}: {_listed(steps, ',')}.")


def _squares_beside(axes, y: float, pattern: str) -> None:
    """Draw a pattern as squares to the left of the axes, where a tick's label would stand."""
    for place, cell in enumerate(reversed(pattern)):
        at = mpl.transforms.ScaledTranslation(
            (-10 - 12 * place) / 72, 0, axes.figure.dpi_scale_trans
        )
        axes.plot(
            *(0, y, "s"),
            markersize=10.5,
            markeredgewidth=0,
            color=CELL_COLOURS[".YG".index(cell)],
            transform=axes.get_yaxis_transform() + at,
            clip_on=False,
        )
        axes.annotate(
            {".": "", "Y": "•", "G": "■"}[cell],
            (0, y),
            (-10 - 12 * place, 0),
            xycoords=axes.get_yaxis_transform(),
            textcoords="offset points",
            ha="center",
            va="center",
            size={"Y": 8, "G": 4}.get(cell, 8),
            color="white",
            annotation_clip=False,
        )


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
    main.set_facecolor("white")  # in dark mode, too, an empty field is paler than a deep one
    readable = len(last) <= 27
    if marks and readable:
        for (y, x), code in np.ndenumerate(codes):
            if code in marks:
                main.text(x, y, marks[code], ha="center", va="center", color="black", fontsize=9)
    cells = mpl.colors.ListedColormap([CELL_COLOURS[cell] for cell in range(3)])
    for axes, strip in ((top, np.array(last).T), (left, np.array(first))):
        if strip.size:
            axes.imshow(strip, cmap=cells, vmin=0, vmax=2, aspect="auto", interpolation="none")
        if readable:
            lines = {"colors": "white", "linewidth": 0.5}
            axes.hlines(np.arange(0.5, len(strip) - 1), -0.5, strip.shape[-1] - 0.5, **lines)
            axes.vlines(np.arange(0.5, strip.shape[-1] - 1), -0.5, len(strip) - 0.5, **lines)
            for (y, x), cell in np.ndenumerate(strip):
                sign, size = (("", 6), ("•", 10), ("■", 6))[cell]
                axes.text(x, y, sign, ha="center", va="center", color="white", fontsize=size)
    for axes in (top, left, main):
        axes.set(xticks=[], yticks=[])
        axes.grid(False)
        axes.spines[:].set_visible(False)
    main.set_xlabel(f"the last {length - n_first} squares")
    left.set_ylabel(f"the first {n_first} squares")
    return image, top


def draw_pattern_maps(maps, label: str, length: int = 5, kinds=None, **colouring):
    """Maps of the patterns below each other, on one scale: see `draw_pattern_map`.

    Parameters
    ----------
    maps : dict of str to array (3**length,)
        The values by name, by the codes of the patterns; NaN leaves a cell empty.
    label : str
        What the shades mean; they need no key if all values are one.
    kinds : dict of float to str, optional
        What each value means, where there are few: a legend takes the place of the scale.

    Returns
    -------
    matplotlib.figure.Figure
    """
    from matplotlib import pyplot as plt

    everything = np.concatenate([np.asarray(values, float).ravel() for values in maps.values()])
    low, high = np.nanmin(everything), np.nanmax(everything)
    if kinds:
        colouring = {"vmin": min(kinds) - 1, "vmax": max(kinds)}
    elif low == high:  # which patterns, and nothing more: one shade from the middle
        colouring = {"vmin": low - 1, "vmax": high + 1}
    elif "norm" not in colouring:
        colouring = {"vmin": low, "vmax": high, **colouring}
    scaled = low < high and not kinds
    heights = [*[2.1] * (len(maps) - 1), 2.1 + 0.6 * scaled]  # the scale stands below the last map
    height = sum(heights) + 0.4 * bool(kinds)
    figure = plt.figure(figsize=(5.0, height), layout="constrained")
    parts = figure.subfigures(len(maps), 1, squeeze=False, height_ratios=heights)[:, 0]
    for part, (name, values) in zip(parts, maps.items(), strict=True):
        image, top = draw_pattern_map(part, values, length, **colouring)
        top.set_title(name)
    if kinds:
        patches = [mpl.patches.Patch(color=image.to_rgba(value)) for value in kinds]
        figure.legend(patches, kinds.values(), loc="outside lower left", ncols=len(kinds))
    elif scaled:
        bar = parts[-1].colorbar(
            image, ax=parts[-1].axes, location="bottom", label=label, aspect=40
        )
        inner = [tick for tick in bar.get_ticks() if low < tick < high]
        ticks = [low, *(tick for tick in inner if tick < 0.6 * high and tick > 1.5 * low), high]
        bar.set_ticks(
            ticks,
            labels=[f"{tick:,.3g}" if tick < 1000 else f"{tick:,.0f}" for tick in ticks],
            minor=False,
        )
    filled = {name: np.isfinite(np.asarray(values, float)).sum() for name, values in maps.items()}
    scale = f" Shades: {label}, from {low:,.4g} to {high:,.4g}." if scaled else ""
    if kinds:
        each = {name: np.count_nonzero(everything == value) for value, name in kinds.items()}
        scale = f" Of these, {_listed(each.items(), ',')}."
    named = _listed(filled.items(), ",").strip()
    return with_alt(figure, f"Map of all patterns; fields filled: {named}.{scale}")


def draw_game_lengths(counts, xlabel: str = "guesses"):
    """How many games end with each guess: a row of bars for each strategy, as the game shows them.

    Parameters
    ----------
    counts : DataFrame
        By strategy, a column for each number of guesses; the first row is drawn on top. Rows are
        named as people name them and take their colours from `method_colour`.

    Returns
    -------
    matplotlib.figure.Figure
    """
    from matplotlib import pyplot as plt

    shares = counts.div(counts.sum(axis=1), axis=0).to_numpy()
    figure, axes = plt.subplots(figsize=(5.0, 0.6 + 0.6 * len(counts)), layout="constrained")
    for row, method in enumerate(counts.index):
        heights = 0.72 * shares[row] / shares.max()
        bottom = np.full(len(heights), row + 0.4)
        axes.bar(
            range(len(heights)),
            -heights,
            bottom=bottom,
            width=0.8,
            color=method_colour(method),
            linewidth=0,
        )
        for x, height in enumerate(heights):
            if counts.iat[row, x]:
                axes.text(
                    *(x, row + 0.38 - height, f"{counts.iat[row, x]:,}"),
                    ha="center",
                    va="bottom",
                    fontsize=8.5,
                )
    axes.set_xticks(range(counts.shape[1]), counts.columns)
    names = ["\n".join(textwrap.wrap(method_name(name), 18)) for name in counts.index]
    axes.set_yticks(np.arange(len(counts)) + 0.15, names)
    axes.set(xlabel=xlabel, ylim=(len(counts) - 0.5, -0.62))
    axes.grid(visible=False)
    axes.tick_params(axis="y", length=0)
    lines = [
        f"{method_name(name)}: {_listed(counts.loc[name].items(), ',')}" for name in counts.index
    ]
    return with_alt(figure, f"Games by {xlabel}. {'; '.join(lines)}.")


def draw_dumbbells(frame, xlabel: str, colours=(BLUE, ORANGE)):
    """Two values in each row, joined by a line: such as stated and right, by kind of player.

    Parameters
    ----------
    frame : DataFrame
        A row for each, the first on top, and two columns, whose names stand above the picture.

    Returns
    -------
    matplotlib.figure.Figure
    """
    from matplotlib import pyplot as plt

    first, second = frame.columns
    figure, axes = plt.subplots(figsize=(5.0, 0.9 + 0.42 * len(frame)), layout="constrained")
    places = range(len(frame))
    axes.hlines(places, frame[first], frame[second], color=GREY, linewidth=1.5, zorder=1)
    for column, marker, colour in zip((first, second), "os", colours, strict=True):
        axes.plot(frame[column], places, marker, color=colour, label=column)
    names = ["\n".join(textwrap.wrap(method_name(str(name)), 22)) for name in frame.index]
    axes.set_yticks(places, names)
    axes.set(xlabel=xlabel, ylim=(len(frame) - 0.5, -0.5))
    figure.legend(loc="outside upper left", ncols=2)
    lines = [
        f"{method_name(str(name))} {' and '.join(f'{value:.4g}' for value in row.dropna())}"
        for name, row in frame.iterrows()
    ]
    return with_alt(figure, f"{xlabel}, {first} and {second}: {'; '.join(lines)}.")


def draw_stacked(frame, xlabel: str):
    """A bar for each row of a DataFrame, made of its columns end to end, the first row on top.

    Returns
    -------
    matplotlib.figure.Figure
    """
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(5.0, 0.9 + 0.36 * len(frame)), layout="constrained")
    places, start = range(len(frame)), np.zeros(len(frame))
    for colour, (column, values) in zip((ORANGE, BLUE, *COLOURS[2:]), frame.items(), strict=False):
        axes.barh(places, values, left=start, height=0.7, color=colour, label=column, linewidth=0)
        start = start + values.to_numpy()
    names = [textwrap.fill(method_name(str(name)), 22) for name in frame.index]
    axes.set_yticks(places, names)
    axes.set(xlabel=xlabel, ylim=(len(frame) - 0.5, -0.5))
    axes.grid(visible=False, axis="y")
    figure.legend(loc="outside upper left", ncols=2)
    rows = [
        f"{method_name(str(name))}: "
        + ", ".join(f"{value:,.4g} {column}" for column, value in row.items())
        for name, row in frame.iterrows()
    ]
    return with_alt(figure, f"{xlabel}. {'; '.join(rows)}.")


def draw_branches(first: str, branches):
    """The branches of a tree after its first guess: pattern, second guess, and answers as bars.

    Parameters
    ----------
    first : str
        The first guess.
    branches : DataFrame
        By the code of the pattern, the first on top: second (a guess), answers (how many) and soon
        (those that a game wins by its third guess), which is the dark part of the bar.

    Returns
    -------
    matplotlib.figure.Figure
    """
    from matplotlib import pyplot as plt

    length = len(letters(first))
    figure, (left, right) = plt.subplots(
        1,
        2,
        figsize=(5.0, 0.6 + 0.3 * len(branches)),
        width_ratios=(1, 2.4),
        layout="constrained",
    )
    draw_grid(left, branches.index.tolist(), [first] * len(branches), length)
    left.set_aspect("auto")
    places = np.arange(len(branches)) + 0.5
    right.barh(places, branches["answers"], color=GREY, label="won later", linewidth=0)
    right.barh(places, branches["soon"], color=BLUE, label="won by the third guess", linewidth=0)
    for place, row in zip(places, branches.itertuples(), strict=True):
        text = f" {row.second.upper()}, {row.answers:,}"
        right.text(row.answers, place, text, va="center", fontsize=9)
    right.set(ylim=(len(branches), 0), yticks=[], xlim=(0, 1.4 * branches["answers"].max()))
    right.set(xlabel="answers")
    figure.legend(loc="outside lower right", ncols=2)
    rows = [
        f"{format_pattern(code, length)} {row['second']}, {row['answers']:,} answers"
        for code, row in branches.iterrows()
    ]
    return with_alt(figure, f"Second guesses after {first}: {'; '.join(rows)}.")


def draw_icicle(games):
    """A whole tree as an icicle: how the words part, guess by guess, until each game is won.

    An answer is a column, and the rows are guesses. Words that have shown the same patterns so far
    stand side by side and share a shade, which says how many they are; a game that is won is blank.

    Parameters
    ----------
    games : dict of str to (guesses, patterns)
        By answer: all games of one tree, patterns as codes or text, the last one all green.

    Returns
    -------
    matplotlib.figure.Figure
        Parts that are wide enough bear their guess.
    """
    from matplotlib import pyplot as plt

    paths = {answer: tuple(patterns) for answer, (_, patterns) in games.items()}
    nodes = [(path[:step], step) for path in paths.values() for step in range(len(path))]
    sizes = Counter(path for path, _ in nodes)

    def place_of(answer):  # large parts first, and in each part the game that is won last
        path = paths[answer]
        return [*((-sizes[path[:step]], path[:step]) for step in range(1, len(path))), (1, ())]

    order = sorted(paths, key=place_of)
    left = np.full((max(map(len, paths.values())), len(order)), np.nan)
    figure, axes = plt.subplots(figsize=(5.0, 0.9 + 0.55 * len(left)), layout="constrained")
    # From below one word, so that a single word is not too pale to be seen.
    norm, labelled = mpl.colors.LogNorm(0.3, max(2, len(order))), set()
    for x, answer in enumerate(order):
        for step in range(len(paths[answer])):
            path = paths[answer][:step]
            left[step, x] = size = sizes[path]
            if path in labelled or size < 0.01 * len(order):
                continue
            labelled.add(path)
            axes.vlines([x - 0.5, x + size - 0.5], step - 0.5, step + 0.5, "white", linewidth=0.6)
            if size >= 0.04 * len(order):
                axes.text(
                    *(x + size / 2 - 0.5, step, games[answer][0][step].upper()),
                    ha="center",
                    va="center",
                    rotation=90 if size < 0.2 * len(order) else 0,
                    fontsize=8.5,
                    color="white" if norm(size) > 0.5 else "black",
                )
    image = axes.imshow(left, aspect="auto", interpolation="none", norm=norm)
    axes.set(xlabel=f"the {len(order):,} answers side by side", ylabel="guess", xticks=[])
    axes.set_yticks(range(len(left)), range(1, len(left) + 1))
    axes.tick_params(length=0)
    axes.grid(visible=False)
    axes.spines[:].set_visible(False)
    bar = figure.colorbar(image, location="bottom", label="words left before the guess", aspect=40)
    bar.ax.xaxis.set_major_formatter(mpl.ticker.StrMethodFormatter("{x:,.0f}"))
    bar.minorticks_off()
    bar.ax.set_xlim(1, max(2, len(order)))
    parts = Counter(step + 1 for _, step in {*nodes})
    still = Counter(step + 1 for _, step in nodes)
    rows = [f"{step}: {still[step]:,} games, {parts[step]:,} parts" for step in sorted(parts)]
    return with_alt(figure, f"The whole tree, guess by guess. {'; '.join(rows)}.")


def draw_bars(values, xlabel: str, errors=None, number: str = ",.4g", colour: str = ""):
    """A bar with its number for each row of a Series, the first on top.

    Parameters
    ----------
    values : Series
        By name; methods take their own colours unless `colour` is given.
    errors : sequence of float, optional
        Half the length of each error bar.
    number : str
        How to format the numbers.

    Returns
    -------
    matplotlib.figure.Figure
    """
    from matplotlib import pyplot as plt

    places = np.arange(len(values))
    known = {name for name, (called, _) in METHODS.items() for name in (name, called)}
    names = [*map(str, values.index)]
    other = BLUE if known.isdisjoint(names) else GREY  # beside methods, no bar has one's colour
    colours = [colour or (method_colour(name) if name in known else other) for name in names]
    figure, axes = plt.subplots(figsize=(5.0, 0.6 + 0.36 * len(values)), layout="constrained")
    axes.barh(places, values, color=colours, height=0.7, linewidth=0, xerr=errors)
    offsets = np.zeros(len(values)) if errors is None else np.asarray(errors)
    for place, (value, offset) in enumerate(zip(values, offsets, strict=True)):
        axes.annotate(
            format(value, number),
            (value + offset, place),
            (4, 0),
            textcoords="offset points",
            va="center",
        )
    axes.set_yticks(places, ["\n".join(textwrap.wrap(method_name(name), 24)) for name in names])
    axes.set(xlabel=xlabel, ylim=(len(values) - 0.5, -0.5))
    axes.margins(x=0.12)
    axes.grid(visible=False, axis="y")
    axes.tick_params(axis="y", length=0)
    named = [(method_name(name), value) for name, value in zip(names, values, strict=True)]
    return with_alt(figure, f"Bars of {xlabel}: {_listed(named, number)}.")


def draw_histogram(values, xlabel: str, ylabel: str = "words", most: int = 40):
    """How often whole numbers occur, with the middle half marked.

    Parameters
    ----------
    values : Series of int, or dict of str to Series
        With a dict, each of its Series is drawn in a colour of its own, on the same bins.
    most : int
        Bins at most.

    Returns
    -------
    matplotlib.figure.Figure
    """
    from matplotlib import pyplot as plt

    groups = values if isinstance(values, dict) else {"": values}
    everything = np.concatenate([np.asarray(group) for group in groups.values()])
    edges = histogram_bins(everything, most)
    figure, axes = plt.subplots(figsize=(5.0, 3.0), layout="constrained")
    for colour, (name, group) in zip(COLOURS, groups.items(), strict=False):
        axes.hist(group, edges, color=colour, alpha=0.7 if len(groups) > 1 else 1, label=name)
    axes.set(xlabel=xlabel, ylabel=ylabel)
    low, middle, high = np.percentile(everything, [25, 50, 75])
    if len(groups) > 1:
        figure.legend(loc="outside lower left", ncols=1)
    else:
        axes.axvspan(low, high, color=ORANGE, alpha=0.3, zorder=0, linewidth=0)
    return with_alt(
        figure,
        f"Histogram of {xlabel}: from {everything.min():,} to {everything.max():,}, "
        f"the median {middle:,.0f}, the middle half {low:,.0f} to {high:,.0f}.",
    )


def draw_lines(frame, xlabel: str, ylabel: str, errors=None, marker: str = "o", **axes_settings):
    """A line for each column of a DataFrame, over its index, with a legend below the picture.

    Parameters
    ----------
    frame : DataFrame
        Columns that name a method take its colour; the others take colours in their order.
    errors : DataFrame, optional
        Half the length of the error bars, of the same shape.
    axes_settings
        What ``axes.set`` takes: xscale, ylim and so on.

    Returns
    -------
    matplotlib.figure.Figure
    """
    from matplotlib import pyplot as plt

    known = {name for name, (called, _) in METHODS.items() for name in (name, called)}
    frame = frame.dropna(axis="columns", how="all")  # a line of nothing needs no legend
    figure, axes = plt.subplots(figsize=(5.0, 3.4), layout="constrained")
    signs = itertools.cycle("osD^vP")
    styles = itertools.cycle(["-", "--", "-.", ":"])
    for place, column in enumerate(frame.columns):
        axes.errorbar(
            frame.index,
            frame[column],
            None if errors is None else errors[column],
            color=method_colour(column) if column in known else COLOURS[place % len(COLOURS)],
            linestyle=next(styles),
            marker=next(signs) if marker else "",
            markersize=4,
            capsize=0 if errors is None else 3,
            label=method_name(str(column)),
        )
    axes.set(xlabel=xlabel, ylabel=ylabel, **axes_settings)
    if frame.index.dtype.kind in "iu" and axes.get_xscale() == "linear":
        axes.xaxis.get_major_locator().set_params(integer=True)
    if len(frame.columns) > 1:
        wide = max(len(method_name(str(column))) for column in frame.columns) > 22
        figure.legend(loc="outside lower left", ncols=1 if wide else 2)
        figure.set_figheight(3.0 + 0.2 * (len(frame.columns) if wide else 2))
    lines = []
    for column, values in frame.items():
        drawn = values.dropna()
        ends = f"{_short(drawn.iloc[0])} to {_short(drawn.iloc[-1])}"
        lines.append(f"{method_name(str(column))}: {ends}")
    return with_alt(
        figure,
        f"Lines of {ylabel} by {xlabel}, from {_short(frame.index[0])} to "
        f"{_short(frame.index[-1])}. {'; '.join(lines)}.",
    )


def draw_runs(groups: dict[str, list[tuple]], across: str, result: str):
    """One result of many runs, small: over a parameter, a line for each combination of the others.

    Parameters
    ----------
    groups : dict of str to list of (value, number)
        By what the line is called. Values that are no numbers stand one below another.
    across, result : str
        The names of the parameter and of the result.

    Returns
    -------
    matplotlib.figure.Figure
    """
    from matplotlib.figure import Figure

    def named(value) -> str:
        return str(value) or "(empty)"

    places = list(dict.fromkeys(x for points in groups.values() for x, _ in points))
    by_number = all(isinstance(x, (int, float)) and not isinstance(x, bool) for x in places)
    few = len(groups) <= len(COLOURS)  # more lines cannot be told apart
    keyed = len(groups) > 1 and few
    height = 2.2 if by_number else max(1.4, 0.7 + 0.2 * len(places))
    figure = Figure(figsize=(3.3, height + 0.2 * len(groups) * keyed))
    axes = figure.subplots()
    for (label, points), colour, sign in zip(
        groups.items(), itertools.cycle(COLOURS), itertools.cycle("osD^vP"), strict=False
    ):
        xs, ys = zip(*(sorted(points) if by_number else points), strict=True)
        style = {"color": colour if few else GREY, "marker": sign, "markersize": 4, "label": label}
        if by_number:
            axes.plot(xs, ys, linewidth=1.2, **style)
        else:
            axes.plot(ys, [places.index(x) for x in xs], linestyle="", **style)
    if by_number:
        axes.set(xlabel=across, ylabel=result)
        if len(places) <= 6:
            axes.set_xticks(places)
    else:
        names = [named(x) if len(named(x)) < 25 else f"…{named(x)[-23:]}" for x in places]
        axes.set_yticks(range(len(places)), names)
        axes.set(xlabel=result, ylim=(len(places) - 0.5, -0.5))
        axes.locator_params(axis="x", nbins=5)
    if keyed:
        figure.legend(loc="outside lower left", fontsize=8)
    lines = []
    for label, points in list(groups.items())[: len(COLOURS)]:
        told = points if len(points) <= 12 else [points[0], points[-1]]
        values = ", ".join(f"{named(x)}: {_short(y)}" for x, y in told)
        lines.append(f"{label}: {values}" if label else values)
    lines += [] if few else [f"and {len(groups) - len(lines)} more"]
    return with_alt(figure, f"{result} by {across}. {'; '.join(lines)}.")


def draw_agreement(groups, what: str):
    """Predicted values against real ones, on logarithmic scales, with the line where they agree.

    Parameters
    ----------
    groups : iterable of (name, DataFrame)
        The columns predicted and real; each group in a colour and with a sign of its own.
    what : str
        What the values are, with the unit.

    Returns
    -------
    matplotlib.figure.Figure
    """
    from matplotlib import pyplot as plt

    groups = list(groups)
    figure, axes = plt.subplots(figsize=(5.0, 4.2), layout="constrained")
    for (name, frame), colour, sign in zip(groups, COLOURS, "osD^vP", strict=False):
        axes.plot(frame["predicted"], frame["real"], sign, color=colour, alpha=0.8, label=name)
    predicted = np.concatenate([frame["predicted"] for _, frame in groups])
    ends = [np.nanmin(predicted), np.nanmax(predicted)]
    axes.plot(ends, ends, color=GREY, linewidth=1)
    axes.set(xscale="log", yscale="log", xlabel=f"predicted: {what}", ylabel=f"real: {what}")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(mpl.ticker.StrMethodFormatter("{x:g}"))
    figure.legend(loc="outside lower left", ncols=2)
    sizes = _listed(((name, len(frame)) for name, frame in groups), ",")
    return with_alt(
        figure,
        f"Points of {what}, real against predicted, around the line where both are the same, "
        f"from {_short(ends[0])} to {_short(ends[1])}. Points: {sizes}.",
    )


def squares(pattern: int | str, length: int = 5) -> str:
    """A pattern, as a code or as text, in emoji squares, for tables and prose.

    >>> squares(242)
    '🟩🟩🟩🟩🟩'
    >>> squares("Y..G")
    '🟨⬛⬛🟩'
    """
    if isinstance(pattern, str):
        pattern, length = parse_pattern(pattern, len(pattern)), len(pattern)
    return format_pattern(pattern, length, "dark")


def histogram_bins(values, most: int = 40) -> np.ndarray:
    """Bin edges of whole width for whole numbers: at most `most` bins, each value inside one."""
    low, high = int(np.min(values)), int(np.max(values))
    width = max(1, -(-(high - low + 1) // most))
    return np.arange(low, high + width + 1, width) - 0.5
