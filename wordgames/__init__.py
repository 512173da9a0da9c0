"""Helpers of the word-games notebooks: pure functions over arrays and a few frozen dataclasses.

The names below are the package's public face. They load on first use, so that a notebook pays
only for what it calls.
"""

import importlib

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
