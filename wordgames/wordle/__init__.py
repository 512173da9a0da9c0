"""Choosing guesses: partitions, strategies, decision trees and their search."""
