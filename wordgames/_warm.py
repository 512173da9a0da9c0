"""Everyday calls on something tiny, so that what they compile is ready and no two kernels compete.

Notebooks that ran side by side on a fresh installation would compile the same kernels each for
itself. So `make setup` runs this once, by `python -m wordgames warm`, whenever a source changed.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from wordgames.emojle.pattern_sets import PatternSets, fewest_missing, pattern_counts
from wordgames.grids.learning import fit_guess_model
from wordgames.grids.likelihood import posterior
from wordgames.grids.players import grids_until_named, simulate_grids, simulate_players
from wordgames.semantle.game import Semantle
from wordgames.semantle.solver import best_opener
from wordgames.semantle.solvers import solve_semantle
from wordgames.vectors.load import load_embedding
from wordgames.wordle.partitions import partition_statistics
from wordgames.wordle.strategies import tournament
from wordgames.wordle.tree_search import optimal_tree
from wordgames.words import WordList, load_words

_FIVE = ("abbey", "crane", "erase", "sense", "slate", "trace")
_SIX = ("abbeys", "cranes", "erases", "senses", "slates", "traces")
_STRATEGIES = ("letter-score", "letter-score-cover", "letter-score-placed", "entropy", "most-parts")


def _sets_and_games() -> None:
    for answers in (_FIVE, _SIX):  # patterns of one byte and of two
        words = WordList(answers, answers, "warm")
        sets = PatternSets.build(words)
        sets.superset_counts()
        fewest_missing(sets.bits)
        partition_statistics(pattern_counts(answers, answers))
        tournament(_STRATEGIES, words)


def _trees() -> None:
    some = load_words().answers[::20]  # enough words that a tree needs the search
    words = WordList(some, some, "warm")
    for hard in (False, True):
        optimal_tree(words, some[0], hard=hard)
    optimal_tree(words, some[0], width=3)


def _grids() -> None:
    words = WordList(_FIVE, _FIVE, "warm")
    grids = [["....G", "GGGGG"]]
    posterior(grids, words)
    fit_guess_model(grids, ["slate"], words, most_steps=1)
    grids_until_named(words, most=1)
    simulate_grids(_FIVE, 1, words)
    simulate_players(_FIVE, 1, words)


def _embeddings() -> None:
    few = load_embedding(limit=2000)
    places = np.arange(200)
    best_opener(few, places, places)
    few.near_spellings("computr")
    for method in ("essay", "rounded", "soft", "order"):
        solve_semantle(Semantle(few, "music"), method, few)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "tiny.txt"
        path.write_text("3 2\na 1 0\nb 0 1\nc 1 1\n", encoding="utf-8")
        load_embedding(path, cache=False)["a"]


def warm() -> None:
    """Run every kernel of the package once."""
    for part in (_sets_and_games, _trees, _grids, _embeddings):
        part()
