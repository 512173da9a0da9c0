"""Evaluation on grids of known puzzles: what is counted, the files, the command."""

import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest

from wordgames import Share, load_words
from wordgames.__main__ import main
from wordgames.emojle.grid_tables import read_grids
from wordgames.grids.evaluation import (
    METHODS,
    _judge,
    calibration_table,
    evaluate_grids,
    naming_distribution,
    naming_of_all,
    read_answers,
)
from wordgames.grids.model import GuessModel
from wordgames.grids.players import simulate_grids
from wordgames.places import COMPUTED
from wordgames.words import WordList


@pytest.fixture(scope="module")
def case():
    """Thirty puzzles of a small list, three grids each, from a group with two openers."""
    words = load_words()
    group = GuessModel.of(words, {"raise": 2, "mulch": 1}, careless=0.0)
    answers = dict(enumerate(words.answers[40:2300:77], 300))
    played = simulate_grids(list(answers.values()), 3, words, group, seed=6)
    shares = [
        Share(puzzle, str(len(rows)) if rows[-1] == "GGGGG" else "X", False, tuple(rows))
        for puzzle, answer in answers.items()
        for rows in played[answer]
    ]
    return words, answers, shares


def test_evaluation_counts_puzzles_and_ranks_methods(case):
    words, answers, shares = case
    found = evaluate_grids(shares[:-1], answers, words, sizes=(1, 3), draws=1, seed=2)
    table = found.summary.set_index(["method", "grids"])
    assert set(table.index) == {(method, size) for method in METHODS for size in (1, 3)}
    assert (table.xs(1, level="grids")["puzzles"] == len(answers)).all()
    assert (table.xs(3, level="grids")["puzzles"] == len(answers) - 1).all()
    three = table.xs(3, level="grids")
    assert three.loc["elimination", "top_1"] < 0.1
    assert three.loc["learnt on the other half, group known", "top_1"] > 0.3
    assert three["top_1"].between(0, three["top_10"]).all()
    assert (three["top_1_error"] <= 0.5 / math.sqrt(len(answers) - 2)).all()
    assert found.calibration.groupby(["method", "grids"])["cases"].sum().isin([30, 29]).all()
    with ThreadPoolExecutor(2) as executor:  # and so it does in pieces
        again = evaluate_grids(
            shares[:-1], answers, words, sizes=(1, 3), draws=1, seed=2, executor=executor
        )
    pd.testing.assert_frame_equal(found.summary, again.summary)
    pd.testing.assert_frame_equal(found.calibration, again.calibration)


def test_words_are_named_in_pieces_as_in_one(monkeypatch):
    words = WordList(load_words().answers[::60], load_words().answers[::60], "few")
    whole = naming_of_all(words, 4, seed=1)
    monkeypatch.setattr("wordgames.grids.evaluation._PIECE", 7)
    with ThreadPoolExecutor(2) as executor:
        pd.testing.assert_frame_equal(whole, naming_of_all(words, 4, seed=1, executor=executor))
    assert whole["grids"].nunique() > 2


def test_ties_are_shared():
    scores = pd.Series({"a": 0.5, "b": 0.5, "c": 0.0, "d": 0.0})
    assert _judge(scores, "a") == (0.5, 1.0, 1.5, 0.5, 0.5, 0.5)
    assert _judge(scores, "d")[:3] == (0.0, 1.0, 3.5)
    flat = pd.Series(0.0, index=list(map(str, range(40))))
    assert _judge(flat, "7")[:3] == (1 / 40, 10 / 40, 20.5)


def test_calibration_table_by_hand():
    table = calibration_table([0.05, 0.15, 0.12, 1.0], [False, True, False, True], bins=10)
    assert table["low"].tolist() == [0.0, 0.1, 0.9]
    assert table["cases"].tolist() == [1, 2, 1]
    assert table["stated"].tolist() == pytest.approx([0.05, 0.135, 1.0])
    assert table["right"].tolist() == [0.0, 0.5, 1.0]


def test_naming_distribution_by_hand():
    named = pd.DataFrame({"answer": list("abcd"), "grids": [2, 2, 5, np.inf], "rival": ""})
    counts = naming_distribution(named, ["b", "d"])
    assert counts["grids"].tolist() == [2, 5, math.inf]
    assert counts["words"].tolist() == [2, 1, 1]
    assert counts["hard_words"].tolist() == [1, 0, 1]


def write(path, lines):
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_the_command_writes_what_it_found(case, tmp_path, capsys):
    _, answers, shares = case
    grids = write(
        tmp_path / "grids.csv",
        ["puzzle,score,hard,grid"]
        + [f"{share.puzzle},{share.score},0,{'|'.join(share.rows)}" for share in shares],
    )
    known = write(
        tmp_path / "answers.csv",
        ["puzzle,answer,original_list_answer"]
        + [f"{puzzle},{answer},cigar" for puzzle, answer in answers.items()],
    )
    assert read_grids(grids) == [Share(s.puzzle, s.score, s.hard, s.rows) for s in shares]
    assert read_answers(known) == (answers, dict.fromkeys(answers, "cigar"))
    output, calibration = tmp_path / "out.csv", tmp_path / "calibration.csv"
    arguments = ["evaluate", str(grids), str(known), "--sizes", "2", "--draws", "1"]
    assert main([*arguments, "--output", str(output), "--calibration", str(calibration)]) == 0
    table = pd.read_csv(output)
    assert table["method"].tolist() == list(METHODS)
    assert (table["grids"] == 2).all()
    assert pd.read_csv(calibration)["cases"].sum() == 3 * len(answers)
    assert "elimination" in capsys.readouterr().out


@pytest.mark.parametrize(
    "lines, message",
    [
        (["puzzle,score,hard"], "no column 'grid'"),
        (["puzzle,score,hard,grid"], "has no grids"),
        (["puzzle,score,hard,grid", "7,3,0"], "line 2: it has too few"),
        (["puzzle,score,hard,grid", "7,3,0,YY..?|GGGGG"], "line 2: .*no cell"),
        (["puzzle,score,hard,grid", "7,2,yes,YY...|GGGGG"], "line 2: 'yes'"),
        (["puzzle,score,hard,grid", "7,9,0,YY...|GGGGG"], "line 2: score '9' is not that of"),
        (["puzzle,score,hard,grid", "7,2,0,YY...|YY..."], "line 2: score '2' is not that of"),
        (["puzzle,score,hard,grid", "7,X,0,YY..."], "line 2: score 'X' needs 6 rows"),
        (["puzzle,score,hard,grid", "7,2,0,YY...|GGGGG,8"], "line 2: it has too many"),
        (["puzzle,score,hard,grid", "7,3,0,YY...|GGGG"], "line 2: .*4 cells"),
    ],
)
def test_bad_files_are_named(tmp_path, lines, message):
    with pytest.raises(ValueError, match=message):
        read_grids(write(tmp_path / "grids.csv", lines))


def test_bad_input_of_the_command(case, tmp_path, capsys):
    words, answers, shares = case
    with pytest.raises(ValueError, match="puzzle 300 has grids but no answer"):
        evaluate_grids(shares, {}, words)
    with pytest.raises(ValueError, match="at least 4"):
        evaluate_grids(shares[:3], answers, words)
    with pytest.raises(ValueError, match="no puzzle has 9 grids"):
        evaluate_grids(shares, answers, words, sizes=(9,))
    assert main(["evaluate", str(tmp_path / "no.csv"), "x"]) == 2
    assert "give a CSV file with the columns" in capsys.readouterr().err
    assert main(["evaluate", "a", "b", "--sizes", "1,x"]) == 2
    assert "whole numbers" in capsys.readouterr().err


def test_the_committed_results_reach_what_was_asked():
    table = pd.read_csv(COMPUTED / "real-grids-evaluation.csv").set_index(["method", "grids"])
    top_1 = table.xs(3, level="grids")["top_1"]
    assert top_1["elimination"] < 0.01
    assert top_1["frequency"] >= 0.09
    assert top_1["learnt on the other half"] >= 0.40
    named = pd.read_csv(COMPUTED / "simulated-naming.csv")
    assert named["words"].sum() == 12972
    assert named["hard_words"].sum() == 4464
    assert np.isfinite(named["grids"]).all()
