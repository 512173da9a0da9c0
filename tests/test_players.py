"""Players who know words, against the evaluator and a search for guesses that explain a game."""

import math

import numpy as np
import pytest

from wordgames.grids.players import Players
from wordgames.patterns import GUESSES, score
from wordgames.words import WordList

FEW = ("abide", "alien", "could", "grail", "loupe", "mould", "pesos", "posse", "solve", "speed",
       "sposh", "would")  # fmt: skip
WORDS = WordList(FEW, FEW, "few")


def fitting(guesses, codes):
    return [w for w in FEW if all(score(g, w) == c for g, c in zip(guesses, codes, strict=True))]


def explanations(codes, answer, guesses=()):
    """Whether some guesses that fit what was seen before them give these patterns: by search."""
    if len(guesses) == len(codes):
        return True
    return any(
        score(guess, answer) == codes[len(guesses)]
        and explanations(codes, answer, (*guesses, guess))
        for guess in fitting(guesses, codes[: len(guesses)])
    )


@pytest.mark.parametrize("answer", ["could", "posse", "speed"])
def test_simulated_players_play_by_the_evaluator(answer):
    players = Players.of(WORDS, *2 * [np.arange(1.0, len(FEW) + 1)])
    games = players.games(answer, 60, np.random.default_rng(1))
    assert len(games) == 60
    for codes in games:
        assert 1 <= len(codes) <= GUESSES
        assert 242 not in codes[:-1]
        assert codes[-1] == 242 or len(codes) == GUESSES
        assert explanations(codes, answer)


def test_openers_follow_the_weights():
    weights = np.ones(len(FEW))
    weights[FEW.index("alien")] = len(FEW) - 1  # half of all
    games = Players.of(WORDS, weights, weights).games("could", 4000, np.random.default_rng(2))
    seen = np.mean([codes[0] == score("alien", "could") for codes in games])
    others = sum(score(g, "could") == score("alien", "could") for g in FEW if g != "alien")
    assert seen == pytest.approx(0.5 + others / (2 * (len(FEW) - 1)), abs=0.03)


def test_games_repeat_with_a_seed_and_differ_without():
    players = Players.of(WORDS, *2 * [np.ones(len(FEW))])
    first, again, other = (
        players.games("could", 50, np.random.default_rng(seed)) for seed in (3, 3, 4)
    )
    assert first == again != other


@pytest.mark.parametrize("weights", [[1.0], [0.0] * len(FEW), [math.nan] * len(FEW)])
def test_bad_weights_are_refused(weights):
    with pytest.raises(ValueError, match="openers: give 12 weights"):
        Players.of(WORDS, np.array(weights))
