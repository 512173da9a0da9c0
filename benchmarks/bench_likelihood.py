"""The posterior of a thousand grids over all words, against numpy row by row; learning."""

import numpy as np

from benchmarks.common import compare, in_seconds, row, timed
from wordgames import Share, load_words, parse_pattern
from wordgames.grids import likelihood
from wordgames.grids.learning import fit_guess_model
from wordgames.grids.likelihood import posterior
from wordgames.grids.model import frequency_weights
from wordgames.grids.players import simulate_grids
from wordgames.grids.solving import rank_puzzles

RANKED = 60  # seconds for an export of 50,000 posts
GOAL = 0.5  # seconds for the posterior of 1,000 grids over 12,972 answers


def numpy_posterior(grids, table):
    """The simplest model, with numpy: log weights added row by row, no state and no noise."""
    totals = np.zeros(table.shape[1])
    for grid in grids:
        for text in grid:
            totals += np.log(table[parse_pattern(text)] + 1e-12)
    masses = np.exp(totals - totals.max())
    return masses / masses.sum()


def rows(quick: bool = False) -> list[dict]:
    words = load_words()
    candidates = words.answers if quick else words.allowed
    count = 100 if quick else 1000
    some = words.answers[:: 231 if quick else 23]
    past = simulate_grids(some, count // len(some) + 1, words)
    grids = simulate_grids(["crane"], count, words)["crane"]
    what = f"posterior of {count:,} grids over {len(candidates):,} answers"
    table = likelihood.pattern_weights(words, candidates, frequency_weights(words)[None])[0]

    def with_new_tables():
        likelihood._cached_tables.cache_clear()
        return posterior(grids, words, candidates)

    warm = compare(
        f"{what}, against numpy for the simplest model",
        lambda: posterior(grids, words, candidates),
        lambda: numpy_posterior(grids, table),
        repeats=3,
    )
    (cold,) = timed(with_new_tables, repeats=3)
    pairs = [(grid, answer) for answer, played in past.items() for grid in played][:count]
    learnt_from, answers = zip(*pairs, strict=True)
    (learning,) = timed(lambda: fit_guess_model(learnt_from, answers, words), repeats=1)
    goal = "" if quick else "at most 1"
    return [
        warm,
        row(
            f"{what}, tables made anew, by the goal of {GOAL} s",
            in_seconds(cold),
            in_seconds(GOAL),
            cold / GOAL,
            goal,
        ),
        row(f"learning from {len(pairs):,} grids", in_seconds(learning)),
        _ranking(words, quick),
    ]


def _ranking(words, quick: bool) -> dict:
    """An export of many puzzles, from its posts to a ranked answer for each."""
    puzzles, answers = 20 if quick else 2_000, words.answers[:: 231 if quick else 24]
    played = simulate_grids(answers, 25, words)
    shares = [
        Share(number, str(len(rows)) if rows[-1] == "GGGGG" else "X", False, tuple(rows))
        for number in range(puzzles)
        for rows in played[answers[number % len(answers)]]
    ]
    (seconds,) = timed(lambda: rank_puzzles(shares, words), repeats=1)
    what = f"{len(shares):,} posts of {puzzles:,} puzzles ranked, by the goal of {RANKED} s"
    goal = "" if quick else "at most 1"
    return row(what, in_seconds(seconds), in_seconds(RANKED), seconds / RANKED, goal)
