"""Drawings of Semantle: what scores leave, and what a solver believes."""

import numpy as np

from wordgames.figures import BLUE, GREY, ORANGE, RED, SKY, TEAL, with_alt


def _ring(centre: np.ndarray, cosine: float) -> np.ndarray:
    """The points of the unit sphere that have a given cosine with a centre: (200, 3)."""
    across = np.cross(centre, np.eye(3)[np.argmin(np.abs(centre))])
    across /= np.linalg.norm(across)
    turns = np.linspace(0, 2 * np.pi, 200)[:, None]
    around = np.cos(turns) * across + np.sin(turns) * np.cross(centre, across)
    return cosine * centre + np.sqrt(1 - cosine**2) * around


def draw_beliefs(beliefs, target: str):
    """The most probable words after each of some guesses, in panels below each other.

    Parameters
    ----------
    beliefs : dict of str to Series
        By what stands above the panel: probabilities by word, the first on top.
    target : str
        The word that is drawn in another colour, with a star.

    Returns
    -------
    matplotlib.figure.Figure
    """
    from matplotlib import pyplot as plt

    most = max(map(len, beliefs.values()))
    figure, panels = plt.subplots(
        len(beliefs),
        1,
        figsize=(5.0, len(beliefs) * (0.4 + 0.22 * most) + 0.4),
        sharex=True,
        squeeze=False,
        layout="constrained",
    )
    for axes, (name, belief) in zip(panels.flat, beliefs.items(), strict=True):
        colours = [TEAL if word == target else SKY for word in belief.index]
        axes.barh(range(len(belief)), belief, color=colours, height=0.75, linewidth=0)
        words = [f"{word} *" if word == target else word for word in belief.index]
        axes.set_yticks(range(len(belief)), words)
        axes.set(xlim=(0, 1), ylim=(most - 0.5, -0.5), title=name)
        axes.grid(visible=False, axis="y")
    panels[-1, 0].set_xlabel("probability")
    rows = [
        f"{name}: " + ", ".join(f"{word} {chance:.0%}" for word, chance in belief.items())
        for name, belief in beliefs.items()
    ]
    return with_alt(figure, f"Probabilities; the target is {target}. {'; '.join(rows)}.")


def draw_rings():
    """Two guesses on a sphere, a ring of equal similarity around each, and where the rings cross.

    Returns
    -------
    matplotlib.figure.Figure
    """
    from matplotlib import pyplot as plt

    centres = np.array([[0.1, -0.75, 0.65], [0.75, -0.6, 0.1]])
    centres /= np.linalg.norm(centres, axis=1, keepdims=True)
    cosines = np.array([0.8, 0.85])
    figure = plt.figure(figsize=(4.6, 3.8))
    axes = figure.add_subplot(projection="3d", computed_zorder=False)
    up, around = np.mgrid[0 : np.pi : 25j, 0 : 2 * np.pi : 49j]
    ball = np.sin(up) * np.cos(around), np.sin(up) * np.sin(around), np.cos(up)
    axes.plot_wireframe(*ball, color=GREY, linewidth=0.25, rasterized=True)
    for centre, cosine, colour in zip(centres, cosines, (BLUE, ORANGE), strict=True):
        axes.plot(*_ring(centre, cosine).T, color=colour, linewidth=2)
        axes.scatter(*centre, color=colour, s=25)
    across = np.cross(*centres)
    between = np.linalg.solve([*centres, across], [*cosines, 0])
    step = across / np.linalg.norm(across) * np.sqrt(1 - between @ between)
    axes.scatter(*np.array([between + step, between - step]).T, color=RED, s=60, zorder=9)
    axes.set_box_aspect((1, 1, 1), zoom=1.45)
    axes.set_axis_off()
    axes.view_init(elev=18, azim=-62)
    return with_alt(
        figure,
        "A sphere with two guesses as dots, a ring of equal similarity around each, and the two "
        "points where the rings cross.",
    )
