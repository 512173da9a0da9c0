"""How well answers are named from grids: on real grids whose answers are known, and in simulation.

Real grids are split by puzzle: a model that learns has never seen a puzzle that it is judged on.
"""

from collections.abc import Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

from wordgames._cluster import in_pieces
from wordgames.emojle.grid_tables import read_table
from wordgames.emojle.pattern_sets import PatternSets
from wordgames.emojle.shares import Share
from wordgames.grids.learning import KNOWN_GROUP, fit_guess_model
from wordgames.grids.likelihood import pattern_weights, posterior
from wordgames.grids.model import GuessModel
from wordgames.grids.players import grids_until_named
from wordgames.patterns import parse_pattern
from wordgames.words import WordList, normalise

ELIMINATION = "elimination"
INDEPENDENT = "frequency, rows independent"
FREQUENCY = "frequency"
LEARNT = "learnt on the other half"
SAME_GROUP = "learnt on the other half, group known"
_PIECE = 512  # answers that a worker follows at a time
METHODS = (ELIMINATION, INDEPENDENT, FREQUENCY, LEARNT, SAME_GROUP)


# --- real grids -----------------------------------------------------------------------------------


def read_answers(path: str | Path) -> tuple[dict[int, str], dict[int, str]]:
    """Answers, and the original list's answers, by puzzle, from a CSV file.

    Columns puzzle and answer; original_list_answer may be missing or empty.
    """
    answers, originals = {}, {}
    for number, row in read_table(path, ("puzzle", "answer")):
        try:
            puzzle = int(row["puzzle"])
        except ValueError:
            raise ValueError(
                f"{path}, line {number}: {row['puzzle']!r} is no puzzle number"
            ) from None
        answers[puzzle] = normalise(row["answer"])
        if row.get("original_list_answer"):
            originals[puzzle] = normalise(row["original_list_answer"])
    return answers, originals


@dataclass(frozen=True)
class Evaluation:
    """What `evaluate_grids` found.

    Attributes
    ----------
    summary : DataFrame
        A row per method and number of grids: method, grids, puzzles, top_1, top_1_error, top_10,
        median_rank, mean_log_probability, candidates, split, seeds. Errors are standard errors over
        puzzles of a puzzle's mean over draws.
    calibration : DataFrame
        A row per method, number of grids and range of the probability of the leader: method,
        grids, low, high, cases, stated (mean), right (share).
    """

    summary: pd.DataFrame
    calibration: pd.DataFrame


def evaluate_grids(
    shares: Sequence[Share],
    answers: dict[int, str],
    words: WordList,
    originals: dict[int, str] | None = None,
    *,
    sizes: Sequence[int] = (1, 2, 3, 4, 5),
    draws: int = 5,
    seed: int = 0,
    executor: Executor | None = None,
) -> Evaluation:
    """Judge every method on real grids of known puzzles.

    In each draw the puzzles are split at random into two halves; a model is learnt on each and
    judged on the other. Of each puzzle with enough grids, `sizes` of them are drawn at random.
    Candidates are the list's answers and all answers given, equally likely beforehand. Ranks of
    equal scores are shared: a word that ties with one other for the lead counts half.

    Given the answers of the original list, all models but elimination count with them. With an
    executor each draw is a piece of work; without one they run here.

    Raises
    ------
    ValueError
        For a grid whose puzzle has no answer, fewer than four puzzles, or no puzzle with enough
        grids.
    """
    unknown = sorted({share.puzzle for share in shares} - answers.keys())
    if unknown:
        raise ValueError(f"puzzle {unknown[0]} has grids but no answer: add it to the answers")
    by_puzzle: dict[int, list[Share]] = {}
    for share in shares:
        by_puzzle.setdefault(share.puzzle, []).append(share)
    if len(by_puzzle) < 4:
        raise ValueError(f"grids of {len(by_puzzle)} puzzles: an evaluation needs at least 4")
    if max(map(len, by_puzzle.values())) < min(sizes):
        raise ValueError(f"no puzzle has {min(sizes)} grids")
    candidates = tuple(sorted({*words.answers, *answers.values()}))
    models = {
        INDEPENDENT: GuessModel.of(words, careless=1.0),
        FREQUENCY: GuessModel.of(words),
    }
    case = _Case(words, candidates, by_puzzle, answers, originals, models, tuple(sizes), seed)
    found = in_pieces(partial(_judge_draw, case), range(draws), executor, what="draws")
    cases = [row for rows in found for row in rows]
    columns = ["method", "grids", "puzzle", "top_1", "top_10", "rank", "own", "leader", "right"]
    frame = pd.DataFrame(cases, columns=columns)
    about = {
        "candidates": f"{len(candidates)} words: answers of {words.name} and of the file",
        "split": "halves by puzzle, each judged by the other's model",
        "seeds": f"{seed}, draws 0 to {draws - 1}",
    }
    return Evaluation(_summary(frame).assign(**about), _calibration(frame))


@dataclass(frozen=True)
class _Case:
    """What all draws of an evaluation share."""

    words: WordList
    candidates: tuple[str, ...]
    by_puzzle: dict[int, list[Share]]
    answers: dict[int, str]
    originals: dict[int, str] | None
    models: dict[str, GuessModel]
    sizes: tuple[int, ...]
    seed: int


def _judge_draw(case: _Case, draw: int) -> list[tuple]:
    """Split the puzzles anew, and judge every method on each half by what the other taught."""
    words, candidates, by_puzzle = case.words, case.candidates, case.by_puzzle
    # Elimination knows only which patterns some allowed guess can give.
    uniform = np.full((1, len(words.allowed)), 1 / len(words.allowed))
    possible = pattern_weights(words, candidates, uniform)[0] > 0
    random = np.random.default_rng([case.seed, draw])
    puzzles = random.permutation(sorted(by_puzzle))
    halves = puzzles[: len(puzzles) // 2], puzzles[len(puzzles) // 2 :]
    cases = []
    for judged, learnt_on in (halves, halves[::-1]):
        past = [share for puzzle in sorted(learnt_on) for share in by_puzzle[puzzle]]
        learnt = fit_guess_model(past, [case.answers[share.puzzle] for share in past], words)
        group = replace(learnt, own_group=KNOWN_GROUP)
        models = {**case.models, LEARNT: learnt, SAME_GROUP: group}
        for puzzle in sorted(judged):
            own = by_puzzle[puzzle]
            order = random.permutation(len(own))
            for size in case.sizes:
                if len(own) < size:
                    continue
                chosen = [own[place] for place in order[:size]]
                codes = {parse_pattern(row) for share in chosen for row in share.rows}
                scores = pd.Series(possible[sorted(codes)].all(axis=0), index=candidates)
                found = {ELIMINATION: scores / max(1, scores.sum())}
                for method, model in models.items():
                    found[method] = posterior(
                        chosen, words, candidates, model, original_order=case.originals
                    )
                cases += [
                    (method, size, puzzle, *_judge(scores, case.answers[puzzle]))
                    for method, scores in found.items()
                ]
    return cases


def _judge(scores: pd.Series, answer: str) -> tuple[float, float, float, float, float, bool]:
    """Top 1, top 10, rank, own probability, the leader's, and whether the leader is right."""
    values = scores.to_numpy()
    own = values[scores.index.get_loc(answer)]
    above, equal = (values > own).sum(), (values == own).sum()
    top_1 = 1 / equal if above == 0 else 0.0
    top_10 = min(1.0, max(0.0, (10 - above) / equal))
    return top_1, top_10, above + (equal + 1) / 2, own, values.max(), top_1


def _summary(frame: pd.DataFrame) -> pd.DataFrame:
    rows = []
    for (method, size), part in frame.groupby(["method", "grids"], sort=False):
        by_puzzle = part.groupby("puzzle")["top_1"].mean()
        rows.append(
            {
                "method": method,
                "grids": size,
                "puzzles": len(by_puzzle),
                "top_1": round(by_puzzle.mean(), 4),
                "top_1_error": round(by_puzzle.std(ddof=1) / np.sqrt(len(by_puzzle)), 4),
                "top_10": round(part["top_10"].mean(), 4),
                "median_rank": part["rank"].median(),
            }
        )
    table = pd.DataFrame(rows)
    place = table["method"].map(METHODS.index)
    return (
        table.assign(place=place)
        .sort_values(["place", "grids"], ignore_index=True)
        .drop(columns="place")
    )


def calibration_table(stated: Iterable[float], right: Iterable[float], *, bins: int = 10):
    """How often a leader is right by the probability that was stated for it.

    Returns a DataFrame: low, high, cases, stated (mean), right (share), error (standard).
    """
    frame = pd.DataFrame({"stated": stated, "right": right}, dtype=float)
    place = np.minimum((frame["stated"] * bins).astype(int), bins - 1)
    grouped = frame.groupby(place)
    table = grouped.mean()
    table.insert(0, "low", table.index / bins)
    table.insert(1, "high", (table.index + 1) / bins)
    table.insert(2, "cases", grouped.size())
    share = table["stated"]
    table["error"] = np.sqrt(share * (1 - share) / table["cases"])
    return table.reset_index(drop=True)


def _calibration(frame: pd.DataFrame) -> pd.DataFrame:
    parts = []
    likely = frame[frame["method"].isin(METHODS[2:])]
    for (method, size), part in likely.groupby(["method", "grids"], sort=False):
        table = calibration_table(part["leader"], part["right"]).round(4)
        parts.append(table.assign(method=method, grids=size))
    table = pd.concat(parts, ignore_index=True)
    return table[["method", "grids", "low", "high", "cases", "stated", "right"]].sort_values(
        ["method", "grids", "low"], ignore_index=True
    )


# --- simulated grids ------------------------------------------------------------------------------


def naming_of_all(
    words: WordList, most: int, *, seed: int = 0, executor: Executor | None = None
) -> pd.DataFrame:
    """The simulated grids that it takes to name each allowed word, the hardest first.

    Parameters
    ----------
    words : WordList
    most : int
        Grids that every word is followed for. Few words are left over: these are followed for eight
        times as many, with the same first grids.
    seed : int
    executor : concurrent.futures.Executor, optional
        Where the work runs, in pieces. None: here.

    Returns
    -------
    DataFrame
        As `wordgames.grids.players.grids_until_named`, and ``never_by_sets``: whether pattern sets
        can never single the word out.
    """
    named = _named(words, words.allowed, most, seed, executor)
    left = named["answer"][np.isinf(named["grids"])]
    if len(left):
        more = _named(words, left.tolist(), 8 * most, seed, executor)
        named = pd.concat([named.drop(left.index), more], ignore_index=True)
    contained = PatternSets.build(words).superset_counts()
    hidden = named["answer"].isin(contained.index[contained > 0])
    return named.assign(never_by_sets=hidden).sort_values(
        ["grids", "answer"], ascending=[False, True]
    )


def _named(words: WordList, answers: Sequence[str], most: int, seed: int, executor):
    """`grids_until_named`, in pieces of some hundred answers if there is an executor."""
    if executor is None:
        return grids_until_named(words, answers, most=most, seed=seed)
    pieces = [answers[start : start + _PIECE] for start in range(0, len(answers), _PIECE)]
    found = in_pieces(partial(_named_piece, words, most, seed), pieces, executor, what="answers")
    return pd.concat(found, ignore_index=True)


def _named_piece(words: WordList, most: int, seed: int, answers: Sequence[str]) -> pd.DataFrame:
    return grids_until_named(words, answers, most=most, seed=seed)


def naming_distribution(named: pd.DataFrame, hard: Iterable[str]) -> pd.DataFrame:
    """How many words are named from each number of grids on, all and the hard ones.

    Parameters
    ----------
    named : DataFrame
        From `grids_until_named`.
    hard : iterable of str
        Words counted once more on their own, such as those that sets can never name.

    Returns
    -------
    DataFrame
        `grids` (from 1 on, infinite for those never named), `words`, `hard_words`.
    """
    is_hard = named["answer"].isin(set(hard))
    words = named.groupby("grids").size()
    hard_words = named[is_hard].groupby("grids").size().reindex(words.index, fill_value=0)
    return pd.DataFrame({"words": words, "hard_words": hard_words}).reset_index()
