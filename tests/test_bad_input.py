"""What is no pattern, no number and no list of words is refused wherever one is asked for."""

import math

import pytest

from wordgames import (
    Helper,
    PatternSets,
    WordList,
    examples,
    format_pattern,
    load_embedding,
    load_words,
    optimal_tree,
    play,
    posterior,
    prove_optimal,
    score_matrix,
    tournament,
)
from wordgames.__main__ import main
from wordgames.grids.players import grids_until_named
from wordgames.patterns import pattern_code
from wordgames.wordle.strategies import LetterScore

FEW = ("abide", "alien", "crane", "speed")
WORDS = WordList(FEW, FEW, "few")

TAKES_PATTERN = {
    "pattern_code": pattern_code,
    "examples": lambda pattern: examples("crane", pattern, WORDS),
    "PatternSets.candidates": lambda pattern: PatternSets.build(WORDS).candidates([pattern]),
    "PatternSets.can_give": lambda pattern: PatternSets.build(WORDS).can_give([pattern]),
    "Helper.enter": lambda pattern: Helper(WORDS).enter("crane", pattern),
    "posterior": lambda pattern: posterior([[pattern]], WORDS),
}


@pytest.mark.parametrize("pattern", [3.7, 3.0, True, None, 243, -1, "YG", "YG?.."])
@pytest.mark.parametrize("name", TAKES_PATTERN)
def test_what_is_no_pattern(name, pattern):
    with pytest.raises((TypeError, ValueError), match=r"pattern|cells|rows"):
        TAKES_PATTERN[name](pattern)


@pytest.mark.parametrize("code", [3.0, True, "GGGGG", 243])
def test_a_code_is_a_whole_number_in_its_range(code):
    with pytest.raises((TypeError, ValueError)):
        format_pattern(code)


TAKES_NUMBER = {
    "worst": lambda n: optimal_tree(WORDS, worst=n),
    "width": lambda n: optimal_tree(WORDS, width=n),
    "total": lambda n: prove_optimal(WORDS, n),
    "few": lambda n: LetterScore(late_answers=True, few=n),
    "limit": lambda n: load_embedding(limit=n),
    "most": lambda n: grids_until_named(WORDS, most=n),
}


@pytest.mark.parametrize("number", [2.5, True, -1, "3", math.nan])
@pytest.mark.parametrize("name", TAKES_NUMBER)
def test_what_is_no_number_of_things(name, number):
    with pytest.raises(ValueError, match=rf"{name} = .*whole"):
        TAKES_NUMBER[name](number)


TAKES_WORDS = {
    "optimal_tree": lambda words: optimal_tree(WORDS, candidates=words),
    "play": lambda words: play("entropy", "crane", WORDS, candidates=words),
    "posterior": lambda words: posterior([["GGGGG"]], WORDS, words),
    "score_matrix": lambda words: score_matrix(words, FEW),
    "Helper": lambda words: Helper(WORDS, candidates=words),
}


@pytest.mark.parametrize("name", TAKES_WORDS)
def test_one_text_is_no_list_of_words(name):
    with pytest.raises(TypeError, match="the one text 'crane'"):
        TAKES_WORDS[name]("crane")


@pytest.mark.parametrize("name", [name for name in TAKES_WORDS if name != "score_matrix"])
def test_words_may_come_one_by_one(name):
    assert TAKES_WORDS[name](iter(FEW)) is not None


def test_a_helper_reads_its_candidates_once():
    helper = Helper(WORDS, candidates=iter(FEW)).enter("speed", "..Y.Y")
    assert helper.remaining == ("abide",)
    assert helper.undo().remaining == FEW


def test_two_strategies_that_differ_have_two_names():
    with pytest.raises(ValueError, match="set late_answers too"):
        LetterScore(few=3)
    names = [LetterScore(late_answers=True, few=few).name for few in (3, 4, 100)]
    assert len(set(names)) == 3
    table = tournament([LetterScore(late_answers=True, few=few) for few in (1, 3)], WORDS)
    assert len(table) == 2


def test_a_game_that_is_solved_takes_no_more_guesses():
    solved = Helper(load_words()).enter("crane", "GGGGG")
    with pytest.raises(ValueError, match="the game is over: 'crane' was the answer"):
        solved.enter("speed", ".....")


@pytest.mark.parametrize(
    "arguments",
    [
        ["openers", "salet", "--workers", "0"],
        ["proof", "--total", "0"],
        ["solve", "chat.txt", "--top", "0"],
        ["name-words", "--most", "-1"],
    ],
)
def test_a_number_below_the_least_is_refused_before_any_work(capsys, arguments):
    with pytest.raises(SystemExit) as end:
        main(arguments)
    error = capsys.readouterr().err
    assert end.value.code == 2
    assert arguments[-2] in error and "whole number from 1" in error
