"""Helpers of the word-games notebooks: pure functions over arrays and a few frozen dataclasses.

The names below are the package's public face. They load on first use, so that a notebook pays
only for what it calls.
"""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # so that editors and type checkers see the names too
    from wordgames.emojle.pattern_sets import PatternSets as PatternSets
    from wordgames.emojle.pattern_sets import examples as examples
    from wordgames.emojle.shares import Share as Share
    from wordgames.emojle.shares import ShareReport as ShareReport
    from wordgames.emojle.shares import parse_shares as parse_shares
    from wordgames.grids.learning import fit_guess_model as fit_guess_model
    from wordgames.grids.likelihood import posterior as posterior
    from wordgames.grids.model import GuessModel as GuessModel
    from wordgames.patterns import format_pattern as format_pattern
    from wordgames.patterns import parse_pattern as parse_pattern
    from wordgames.patterns import score as score
    from wordgames.patterns import score_matrix as score_matrix
    from wordgames.reports import run_report as run_report
    from wordgames.semantle.game import Semantle as Semantle
    from wordgames.semantle.play_along import SemantleHelper as SemantleHelper
    from wordgames.semantle.solvers import SemantleGame as SemantleGame
    from wordgames.semantle.solvers import solve_semantle as solve_semantle
    from wordgames.vectors.load import load_embedding as load_embedding
    from wordgames.wordle.helper import Helper as Helper
    from wordgames.wordle.openers import solve_openers as solve_openers
    from wordgames.wordle.partitions import partition_statistics as partition_statistics
    from wordgames.wordle.strategies import Game as Game
    from wordgames.wordle.strategies import games as games
    from wordgames.wordle.strategies import play as play
    from wordgames.wordle.strategies import tournament as tournament
    from wordgames.wordle.tree import DecisionTree as DecisionTree
    from wordgames.wordle.tree_search import optimal_tree as optimal_tree
    from wordgames.wordle.tree_search import prove_optimal as prove_optimal
    from wordgames.words import WordList as WordList
    from wordgames.words import load_words as load_words

_HOMES = {
    "words": ("WordList", "load_words"),
    "patterns": ("format_pattern", "parse_pattern", "score", "score_matrix"),
    "emojle.pattern_sets": ("PatternSets", "examples"),
    "emojle.shares": ("Share", "ShareReport", "parse_shares"),
    "grids.likelihood": ("posterior",),
    "grids.model": ("GuessModel",),
    "grids.learning": ("fit_guess_model",),
    "wordle.partitions": ("partition_statistics",),
    "wordle.strategies": ("Game", "games", "play", "tournament"),
    "wordle.helper": ("Helper",),
    "wordle.openers": ("solve_openers",),
    "wordle.tree": ("DecisionTree",),
    "wordle.tree_search": ("optimal_tree", "prove_optimal"),
    "vectors.load": ("load_embedding",),
    "semantle.game": ("Semantle",),
    "semantle.play_along": ("SemantleHelper",),
    "semantle.solvers": ("SemantleGame", "solve_semantle"),
    "reports": ("run_report",),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}

__all__ = sorted(_HOME_OF)  # noqa: PLE0605 - a list all the same


def __getattr__(name: str):
    if name == "__version__":
        from importlib.metadata import version

        return version("wordgames")
    if name not in _HOME_OF:
        raise AttributeError(f"module 'wordgames' has no attribute {name!r}")
    return getattr(importlib.import_module(f"wordgames.{_HOME_OF[name]}"), name)


def __dir__():
    return sorted({*globals(), *__all__})
