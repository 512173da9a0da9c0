"""Ranked answers of many puzzles: the right list, wrong grids, copies, a group's own model."""

import dataclasses
import json
from datetime import date
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from wordgames import GuessModel, Share, fit_guess_model, load_words, posterior
from wordgames.__main__ import main
from wordgames.emojle.grid_tables import read_grids
from wordgames.emojle.share_files import read_shares
from wordgames.grids.evaluation import read_answers
from wordgames.grids.learning import KNOWN_GROUP
from wordgames.grids.players import simulate_grids
from wordgames.grids.solving import as_text, day_of, list_for, rank_puzzles
from wordgames.patterns import format_pattern, parse_pattern

SHARED = Path(__file__).resolve().parents[2] / "shared" / "reference"
EXAMPLE = Path(__file__).resolve().parents[1] / "data" / "example-chat"
LEFT = {1441: "check", 1442: "siege", 1443: "hyped", 1444: "amuse"}  # what its script says


def share(puzzle, rows):
    return Share(puzzle, str(len(rows)) if rows[-1] == "GGGGG" else "X", False, tuple(rows))


def test_number_day_and_list():
    assert day_of(0) == date(2021, 6, 19)
    assert day_of(224) == date(2022, 1, 29)  # the essay's post
    assert list_for(645) == load_words("wordle-2021")
    late = list_for(646)
    assert late == load_words("wordle-nyt-2023")
    # The first answers outside the original list
    assert {"guano", "snafu", "balsa", "kazoo"} <= set(late.answers) - set(list_for(0).answers)


def test_late_answers_are_in_the_list_of_their_number():
    answers, _ = read_answers(SHARED / "answers_by_puzzle.csv") if SHARED.is_dir() else ({}, {})
    missing = [
        answer for number, answer in answers.items() if answer not in list_for(number).answers
    ]
    assert len(missing) <= 2


def test_each_puzzle_by_its_list():
    shares = [share(number, ["..Y..", "GGGGG"]) for number in (700, 600)]
    early, late = rank_puzzles(shares)
    assert [one.puzzle for one in (early, late)] == [600, 700]
    assert (early.words.name, late.words.name) == ("wordle-2021", "wordle-nyt-2023")
    assert "guano" in late.probabilities and "guano" not in early.probabilities
    chosen = rank_puzzles(shares, load_words("wordle-2021"), "allowed")
    assert [len(one.probabilities) for one in chosen] == [12972, 12972]
    with pytest.raises(ValueError, match="answers or allowed"):
        rank_puzzles(shares, among="words")


def test_several_hundred_grids_with_one_in_fifty_of_another_puzzle():
    words = load_words()
    grids = simulate_grids(["crimp"], 300, words, seed=5)["crimp"]
    others = simulate_grids(["banal"], 6, words, seed=5)["banal"]
    (one,) = rank_puzzles([share(300, rows) for rows in grids + others])
    assert one.probabilities.index[0] == "crimp"
    assert one.probabilities.iloc[0] > 0.99 and one.sure == "sure"
    # Elimination is led astray by the six; the ranking says which it disbelieves.
    assert "crimp" not in one.left
    assert one.disbelieved
    assert {s.rows for s in one.disbelieved} <= {tuple(rows) for rows in others}
    assert "crimp means to disbelieve the grid" in as_text(one, 3)


def test_what_elimination_leaves_against_plain_loops(obvious):
    words = load_words("wordle-2021")
    rows = ["YG..Y", "G.GGG", "GGGGG"]
    (one,) = rank_puzzles([share(3, rows)])
    some = words.answers[::57]
    for word in some:
        given = {format_pattern(parse_pattern(row)) for row in rows[:2]}
        for guess in words.allowed:
            given.discard(obvious(guess, word))
            if not given:
                break
        assert (word in one.left) == (not given)


def test_posts_that_an_export_holds_twice_change_nothing(tmp_path):
    words = load_words()
    answers = words.answers[7::400]
    grids = simulate_grids(answers, 3, words, seed=3)
    plain, doubled = [], []
    for number, answer in enumerate(answers, 300):
        for rows in grids[answer]:
            squares = [format_pattern(parse_pattern(row), style="dark") for row in rows]
            one = share(number, rows)
            text = "\n".join([f"Wordle {number} {one.score}/6", *squares])
            plain.append(one)
            doubled.append({"body": text, "formatted_body": text.replace("\n", "<br>")})
    (tmp_path / "room.json").write_text(json.dumps({"messages": doubled}), encoding="utf-8")
    ((_, report),) = read_shares(tmp_path / "room.json")
    assert report.shares == plain and report.copies == len(plain)
    for wanted, found in zip(rank_puzzles(plain), rank_puzzles(report.shares), strict=True):
        pd.testing.assert_series_equal(found.probabilities, wanted.probabilities)
        # Counted twice, the same three grids would claim more than they show.
        twice = posterior([*wanted.shares, *wanted.shares], words)
        assert twice.iloc[0] > wanted.probabilities.iloc[0]


def test_the_example_chat_from_its_posts_to_its_answers(tmp_path, capsys):
    model = tmp_path / "family.json"
    arguments = ["--answers", str(EXAMPLE / "answers.csv"), "--group", "the family"]
    assert main(["learn", str(EXAMPLE), *arguments, "--output", str(model)]) == 0
    assert "grids of the family" in capsys.readouterr().out
    learnt = GuessModel.from_file(model)
    assert learnt.group == "the family"
    assert set(learnt.openers(4).index) == {"slate", "house", "adieu", "crane"}
    assert main(["solve", str(EXAMPLE), "--json", "--model", str(model)]) == 0
    puzzles = {one["puzzle"]: one for one in json.loads(capsys.readouterr().out)["puzzles"]}
    assert len(puzzles) == 44
    ranks = []
    for puzzle, answer in LEFT.items():
        assert puzzles[puzzle]["list"] == "wordle-nyt-2023"
        ranks.append([one["word"] for one in puzzles[puzzle]["candidates"]].index(answer) + 1)
    assert ranks == [3, 2, 1, 1]


def test_a_model_of_another_list_of_the_same_game():
    early, late = load_words(), load_words("wordle-nyt-2023")
    model = GuessModel.of(late, {"slate": 2.0, "adieu": 1.0}, careless=0.3, group="us")
    moved = model.on(early)
    moved.check(early)
    assert (moved.careless, moved.group) == (0.3, "us")
    assert moved.opener_weights(early).sum() == pytest.approx(1)
    assert model.on(late) is model
    only = next(word for word in late.allowed if word not in early.index)
    with pytest.raises(ValueError, match="no words of wordle-2021"):
        GuessModel.of(late, {only: 1.0}).on(early)


def test_learning_needs_a_known_answer(tmp_path, capsys):
    (tmp_path / "answers.csv").write_text("puzzle,answer\n1,cigar\n", encoding="utf-8")
    model = tmp_path / "m.json"
    arguments = ["--answers", str(tmp_path / "answers.csv"), "--output", str(model)]
    assert main(["learn", str(EXAMPLE), *arguments]) == 2
    assert "no grid is of a puzzle whose answer" in capsys.readouterr().err
    assert not model.exists()


def fifths(stated, right):
    """(cases, mean stated, share right) of each fifth of the range with at least 50 cases."""
    stated, right = np.array(stated), np.array(right, float)
    place = np.minimum((stated * 5).astype(int), 4)
    return [
        ((place == n).sum(), stated[place == n].mean(), right[place == n].mean())
        for n in range(5)
        if (place == n).sum() >= 50
    ]


def test_a_learnt_model_is_calibrated_on_its_own_group():
    """On real grids, split by puzzle; a clone that has none has nothing to compare."""
    if not SHARED.is_dir():
        return
    shares, words = read_grids(SHARED / "real_grids.csv"), load_words()
    answers, originals = read_answers(SHARED / "answers_by_puzzle.csv")
    by_puzzle = {}
    for one in shares:
        by_puzzle.setdefault(one.puzzle, []).append(one)
    candidates = tuple(sorted({*words.answers, *(answers[puzzle] for puzzle in by_puzzle)}))
    puzzles = np.random.default_rng(7).permutation(sorted(by_puzzle)).tolist()
    half = len(puzzles) // 2
    past = [one for puzzle in sorted(puzzles[:half]) for one in by_puzzle[puzzle]]
    learnt = fit_guess_model(past, [answers[one.puzzle] for one in past], words)
    for share_of_group, least in ((learnt.own_group, 0.58), (KNOWN_GROUP, 0.66)):
        model = dataclasses.replace(learnt, own_group=share_of_group)
        stated, right, three = [], [], []
        for puzzle in puzzles[half:]:
            for size in {min(3, len(by_puzzle[puzzle])), len(by_puzzle[puzzle])}:
                found = posterior(
                    by_puzzle[puzzle][:size],
                    words,
                    candidates,
                    model,
                    original_order=originals,
                )
                stated.append(found.iloc[0])
                right.append(found.index[0] == answers[puzzle])
                if size == 3:
                    three.append(right[-1])
        for cases, said, was in fifths(stated, right):
            # 0.05, and what chance does to a share of so many cases
            assert abs(said - was) < 0.05 + 2 * np.sqrt(said * (1 - said) / cases)
        assert np.mean(three) > least - 2 * np.sqrt(least * (1 - least) / len(three))
