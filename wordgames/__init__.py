"""Helpers of the word-games notebooks: pure functions over arrays and a few frozen dataclasses.

The names below are the package's public face. They load on first use, so that a notebook pays
only for what it calls.
"""

import importlib

_HOMES = {
    "words": ("WordList", "load_words"),
    "patterns": ("format_pattern", "parse_pattern", "score", "score_matrix"),
    "pattern_sets": ("PatternSets", "examples"),
    "shares": ("Share", "ShareReport", "parse_shares"),
    "likelihood": ("GuessModel", "posterior"),
    "guess_learning": ("fit_guess_model",),
    "partitions": ("partition_statistics",),
    "strategies": ("Game", "games", "play", "tournament"),
    "helper": ("Helper",),
    "decision_tree": ("DecisionTree", "optimal_tree", "prove_optimal"),
    "embeddings": ("load_embedding",),
    "semantle": ("Semantle", "SemantleGame", "solve_semantle"),
    "reports": ("run_report",),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}

__all__ = sorted(_HOME_OF)


def __getattr__(name: str):
    if name not in _HOME_OF:
        raise AttributeError(f"module 'wordgames' has no attribute {name!r}")
    return getattr(importlib.import_module(f"wordgames.{_HOME_OF[name]}"), name)


def __dir__():
    return sorted({*globals(), *__all__})
