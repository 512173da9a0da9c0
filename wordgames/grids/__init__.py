"""Probability in place of elimination: how people guess, and what their grids then say."""
