"""Drawing: the same bytes each time, alt text required, dark mode, small pictures."""

import base64
import io
import re

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt
from PIL import Image

from wordgames import figures

mpl.use("agg")


def draw(points: int = 0):
    with mpl.rc_context(figures.STYLE):
        figure, axes = plt.subplots()
        axes.plot([1, 2, 3], [2.123456, 1.5, 3], label="line")
        if points:
            places = np.random.default_rng(0).normal(size=(2, points))
            axes.scatter(*places, s=3, c=places[0], rasterized=True)
        axes.set(title="It's a line", xlabel="x", ylabel="y")
        axes.legend()
        return figure


def test_two_drawings_are_the_same_bytes():
    with mpl.rc_context(figures.STYLE):
        first, second = figures.figure_svg(draw(2000)), figures.figure_svg(draw(2000))
    plt.close("all")
    assert first == second
    assert "<metadata>" not in first and "<!--" not in first
    assert first.startswith("<svg")


def test_ink_turns_in_dark_mode_on_the_screen_only():
    with mpl.rc_context(figures.STYLE):
        svg = figures.figure_svg(draw())
    plt.close("all")
    assert "@media screen and (prefers-color-scheme:dark)" in svg
    assert f"fill: {figures.INK}" in svg  # the rule meets something


def test_shortened_paths_stay_within_a_hundredth():
    path = "M 52.996099 266.398901 L -536.99976 22.1 Q 1 2 3.000001 4 z \n"
    short = figures._short_path(path)
    assert re.findall(r"[A-Za-z]", short) == re.findall(r"[A-Za-z]", path)
    numbers = [[float(n) for n in re.findall(r"-?\d+(?:\.\d+)?", text)] for text in (path, short)]
    assert numbers[0] == pytest.approx(numbers[1], abs=0.005)
    assert len(short) < len(path)


def test_many_points_drawn_as_pixels_look_the_same_with_fewer_colours():
    with mpl.rc_context(figures.STYLE):
        figure = draw(3000)
        raw = io.StringIO()
        figure.savefig(raw, format="svg")
        svg = figures.figure_svg(figure)
    plt.close("all")
    pictures = [
        re.search(r"data:image/png;base64,([^\"]*)", text)[1] for text in (raw.getvalue(), svg)
    ]
    before, after = (
        np.asarray(Image.open(io.BytesIO(base64.b64decode(data))).convert("RGBA"), dtype=float)
        for data in pictures
    )
    # Where nothing is seen, colour is of no matter.
    error = np.abs(before * before[..., 3:] / 255 - after * after[..., 3:] / 255)
    assert error.mean() < 4
    assert len(pictures[1]) < len(pictures[0]) / 2


@pytest.mark.parametrize("alt", ["", "  \n"])
def test_a_figure_without_alt_text_is_refused(alt):
    with pytest.raises(ValueError, match="alt text"):
        figures.show_figure(draw(), alt=alt)
    plt.close("all")


def test_drawn_figures_describe_themselves():
    series = pd.Series({"entropy": 8272, "mine": 1.5})
    frame = pd.DataFrame({"a": [1.0, 2.5], "b": [np.nan, 4.0]}, [10, 20])
    described = {
        figures.draw_bars(series, "guesses"): "Bars of guesses: most bits 8,272, mine 1.5.",
        figures.draw_funnel([("all", 12972), ("YG..G", 71)]): "all 12,972, YG..G 71",
        figures.draw_agreement(
            [("A", pd.DataFrame({"predicted": [0.5, 20], "real": [1, 10]}))], "n"
        ): "Points of n, real against predicted, around the line where both are the same, "
        "from 0.5 to 20. Points: A 2.",
        figures.draw_lines(frame, "x", "y"): "from 10 to 20. a: 1 to 2.5; b: 4 to 4.",
        figures.draw_histogram(pd.Series([1, 2, 2, 9]), "n"): "from 1 to 9, the median 2",
        figures.draw_dumbbells(frame.fillna(3), "x"): "a and b: 10 1 and 3; 20 2.5 and 4.",
        figures.draw_pattern_maps({"A": [1.0, np.nan, 1.0]}, "", 1): "fields filled: A 2.",
        figures.draw_pattern_maps(
            {"": [2, 1, np.nan]}, "", 1, {2: "both", 1: "one"}
        ): "fields filled: 2. Of these, both 1, one 1.",
    }
    for figure, text in described.items():
        assert text in figure.alt
    plt.close("all")


def test_an_icicle_counts_games_and_parts_and_leaves_won_games_blank():
    """By hand: one word is won at once, two share a pattern, and one of these takes three."""
    games = {
        "ab": (["ab"], ["GG"]),
        "ac": (["ab", "ac"], ["G.", "GG"]),
        "ad": (["ab", "ac", "ad"], ["G.", "G.", "GG"]),
    }
    figure = figures.draw_icicle(games)
    assert figure.alt.endswith("1: 3 games, 1 parts; 2: 2 games, 1 parts; 3: 1 games, 1 parts.")
    shades = np.asarray(figure.axes[0].images[0].get_array().filled(0))
    assert shades.tolist() == [[3, 3, 3], [2, 2, 0], [1, 0, 0]]
    guesses = [text.get_text() for text in figure.axes[0].texts]
    plt.close(figure)
    assert guesses == ["AB", "AC", "AD"]


def test_shown_figures_carry_alt_caption_and_one_thumbnail(monkeypatch):
    shown = []
    monkeypatch.setattr("IPython.display.display", lambda data, **options: shown.append(options))
    monkeypatch.setattr(figures, "_shown", iter(range(9)))
    for _ in range(2):
        figures.show_figure(draw(), alt="A line.", caption="Up and down.")
    about = [options["metadata"]["image/svg+xml"] for options in shown]
    assert about[1] == {"alt": "A line.", "caption": "Up and down."}
    # On the first page there is no room for words, and dark mode turns its ink too.
    small = about[0]["thumbnail"]
    assert small.startswith("<svg") and "prefers-color-scheme" in small and len(small) < 10_000
    assert "DejaVu" not in small
    assert not re.findall(r'id="d\d', small)
    assert not plt.get_fignums()  # shown figures are closed


def test_squares():
    assert figures.squares(0) == "⬛⬛⬛⬛⬛"
    assert figures.squares(1 * 81 + 2) == "🟨⬛⬛⬛🟩"
    assert figures.squares(8, 2) == "🟩🟩"
    assert figures.squares("...YG") == "⬛⬛⬛🟨🟩"
    assert figures.squares("Y.") == "🟨⬛"


@pytest.mark.parametrize(
    "values", [[1], [1, 1], [0, 1], [47, 211], range(1000), [5, 10_000], [3, 42], [0, 40]]
)
def test_bins_hold_every_value_and_have_whole_width(values):
    edges = figures.histogram_bins(values)
    assert np.histogram(values, edges)[0].sum() == len(values)
    widths = np.diff(edges)
    assert (widths == widths[0]).all() and widths[0] == int(widths[0]) >= 1
    assert len(widths) <= 41


def test_drawn_grids_show_colour_and_mark():
    _, axes = plt.subplots()
    figures.draw_grid(axes, ["G.Y..", 242])
    marks = [text.get_text() for text in axes.texts]
    assert marks == ["■", "", "•", "", "", *["■"] * 5]
    figures.draw_grid(axes, ["GYGYG"], words=["crane"])
    assert [text.get_text() for text in axes.texts[-10:]] == [*"C■", *"R•", *"A■", *"N•", *"E■"]
    plt.close("all")


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (x / 12.92 if x <= 0.03928 else ((x + 0.055) / 1.055) ** 2.4 for x in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def colours_in_dark_mode(svg: str) -> set[str]:
    """The colours of what an SVG draws, as dark mode turns them."""
    return {
        figures._DARK.get(colour, colour)
        for colour in re.findall(r"(?:fill|stroke): (#[0-9a-f]{6})", svg)
    }


@pytest.mark.parametrize("ground", ["#fcfbf8", "#15181c"])
def test_every_colour_can_be_seen_on_both_grounds(ground):
    turned = figures._DARK if ground == "#15181c" else {}
    used = {figures.INK, figures.GREY, *figures.COLOURS, *figures.CELL_COLOURS.values()}
    used |= {colour for _, colour in figures.METHODS.values()}
    for colour in used:
        # Bars and points are large; the yellow and sky of the palette carry marks or names too.
        assert contrast(turned.get(colour, colour), ground) > 1.75, colour


def test_a_method_has_one_colour_by_any_of_its_names():
    for name, (called, colour) in figures.METHODS.items():
        assert figures.method_colour(name) == colour
        assert figures.method_name(name) == called
    assert figures.method_colour("optimal-beam-10") == figures.method_colour("optimal")
    assert figures.method_name("optimal-beam-10") == "tree search, 10 wide"
    assert figures.method_name("no such method") == "no such method"


def test_maps_of_patterns_have_none_of_the_games_colours():
    shades = figures.DEPTH(np.linspace(0, 1, 50))[:, :3]
    assert (np.diff(shades @ [0.2126, 0.7152, 0.0722]) < 0).all()  # deeper means more
    assert (shades[:, 2] >= shades[:, 0]).all()  # blue, never the game's yellow


def test_thumbnails_are_small_and_wordless():
    with mpl.rc_context(figures.STYLE):
        small = figures.thumbnail(draw(2000))
        games = figures.draw_games({"one": (["crane", "caper"], [".YG..", "GGGGG"])})
        tiles = figures.thumbnail(games)
    plt.close("all")
    assert not re.findall(r'id="d\d', small)
    assert re.findall(r'id="d\d', tiles)  # the letters of a game are the picture
