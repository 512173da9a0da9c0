"""Semantle: the game, its solvers, and what the notebooks measure."""
