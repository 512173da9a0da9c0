"""Grids of simulated players, and how many of them name an answer.

Two kinds of player: one takes the likelihood's own steps, so that its posterior can be checked for
what it claims; the other knows words and not only patterns, so that the model can be checked
against people who are not like it.
"""

import math
from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd

from wordgames._compiled import compiled, in_ranges
from wordgames.grids.likelihood import (
    FEW_OPENERS,
    check_candidates,
    knowledge_for,
    levels_of,
    log_likelihoods,
    multiply_rows,
    read_grids,
    tables_for,
)
from wordgames.grids.model import GuessModel, frequency_weights
from wordgames.patterns import format_pattern, letter_parts
from wordgames.words import WordList, normalise


@compiled
def _draw(weights, chance):
    """The first place at which the running sum of weights passes `chance` of the whole."""
    total = 0.0
    for weight in weights:
        total += weight
    limit, total, last = chance * total, 0.0, 0
    for place in range(weights.size):
        if weights[place] > 0:
            total += weights[place]
            last = place
            if total > limit:
                return place
    return last


@compiled
def _simulate_grid(chances, opener, later, solved_first, solved_later, kept, after, careless, rows):
    """Play one game by the model's own steps; returns how many rows were played.

    chances: (turns + 1,) uniform numbers; opener, later: (n_patterns,) of rows that do not solve;
    kept, after: (n_states, n_patterns). The all-green row is the last pattern.
    """
    heedless = chances[-1] < careless
    state = 0
    weights = np.empty(later.size)
    for turn in range(rows.size):
        if turn == 0:
            weights[:] = opener * (1 - solved_first)
            weights[-1] = solved_first
        elif heedless:
            weights[:] = later * (1 - solved_later)
            weights[-1] = solved_later
        else:
            weights[:] = later * (1 - solved_later) * kept[state]
            weights[-1] = solved_later
        rows[turn] = _draw(weights, chances[turn])
        if rows[turn] == later.size - 1:
            return turn + 1
        state = after[state, rows[turn]]
    return rows.size


TURNS = 6  # guesses in a game


def _chances(seed: int, answer: str, n: int) -> np.ndarray:
    # The word is part of the seed, so that a word's grids do not depend on which others are drawn.
    return np.random.default_rng([seed, *map(ord, answer)]).random((n, TURNS + 1))


def simulate_grids(
    answers: Sequence[str], n: int, words: WordList, model: GuessModel | None = None, seed: int = 0
) -> dict[str, list[list[str]]]:
    """Grids by the model's own steps, without noise: by answer, n lists of rows as ``.YG`` text.

    A game has at most six rows. A word's grids do not depend on which others are simulated, and
    the first of a longer list are those of a shorter one.
    """
    model = GuessModel.of(words) if model is None else model
    model.check(words)
    answers = check_candidates(answers, words)
    tables = tables_for(words, answers, model)
    knowledge = knowledge_for(words.length)
    kept = knowledge.kept(slice(None), model.lose_green, model.lose_hit)
    rows = np.empty(TURNS, np.int64)
    grids = {}
    for place, answer in enumerate(answers):
        grids[answer] = []
        columns = tables.first[0, :, place].copy(), tables.later[:, place].copy()
        solved = tables.solved_first[place], tables.solved_later[place]
        for chances in _chances(seed, answer, n):
            played = _simulate_grid(
                chances, *columns, *solved, kept, knowledge.after, model.careless, rows
            )
            grids[answer].append([format_pattern(code, words.length) for code in rows[:played]])
    return grids


@compiled
def _name_answers(  # noqa: C901 - a kernel
    start, stop, first, later, solved_first, solved_later, inverse, kept, after, careless,
    few, shares, chances_of_levels, rates, answers, chances, named, rivals,
):  # fmt: skip
    """Simulate the grids of each answer and find from which grid on it leads, alone.

    chances: (n_answers, n_grids, turns + 1). named: set to that number of grids, 0 when it does
    not lead at the end; rivals: the last other leader, -1 when there was none.
    """
    n_kinds, n_candidates = 2 * len(first) + 2, later.shape[1]
    n_levels = len(shares)
    products = np.empty((n_kinds, n_candidates))
    masses = np.empty((n_levels, n_candidates))
    totals = np.empty(n_candidates)
    others, background = np.empty(n_kinds), np.empty(n_levels)
    rows = np.empty(chances.shape[2] - 1, np.int64)
    codes, states = np.empty_like(rows), np.empty_like(rows)
    keep = 1 - rates[0] - rates[1]
    seen, before = np.zeros(len(later), np.int64), np.zeros(2, np.int64)
    for place in range(start, stop):
        answer = answers[place]
        opener_weights, later_weights = first[0, :, answer].copy(), later[:, answer].copy()
        for level in range(n_levels):
            masses[level] = chances_of_levels[level]
        named[place], rivals[place] = 0, -1
        seen[:] = 0
        for grid in range(chances.shape[1]):
            played = _simulate_grid(
                chances[place, grid], opener_weights, later_weights, solved_first[answer],
                solved_later[answer], kept, after, careless, rows,
            )  # fmt: skip
            if rows[played - 1] == len(later) - 1:
                played -= 1
            codes[:] = -1
            state, joke = 0, 1.0
            for turn in range(played):
                if turn:
                    codes[turn - 1], states[turn - 1] = rows[turn], state
                state = after[state, rows[turn]]
                joke /= len(later)
            opener = rows[0] if played else -1
            if played:
                before[0], before[1] = seen[opener], seen.sum()
                seen[opener] += 1
            multiply_rows(
                0, n_candidates, first, later, inverse, kept, opener, codes, states, False,
                before, few, products,
            )  # fmt: skip
            for kind in range(n_kinds):
                others[kind] = products[kind].mean()
            typical = 0.0
            for level in range(n_levels):
                mean = (shares[level] * others).sum()
                background[level] = rates[0] * mean + rates[1] * joke
                typical += (keep * mean + background[level]) / n_levels
            totals[:] = 0
            for level in range(n_levels):
                rest, mass = background[level] / typical, masses[level]
                share = keep / typical * shares[level]
                for c in range(n_candidates):
                    one = rest
                    for kind in range(n_kinds):
                        one += share[kind] * products[kind, c]
                    mass[c] *= one
                    totals[c] += mass[c]
            own = totals[answer]
            totals[answer] = 0
            rival = totals.argmax()
            if own <= totals[rival]:
                named[place], rivals[place] = 0, rival
            elif named[place] == 0:
                named[place] = grid + 1
            # What falls below the smallest float is out of the race for good.
            masses /= max(own, totals[rival])


def grids_until_named(
    words: WordList,
    answers: Iterable[str] | None = None,
    candidates: Iterable[str] | None = None,
    model: GuessModel | None = None,
    most: int = 64,
    seed: int = 0,
) -> pd.DataFrame:
    """From how many simulated grids on each answer is named: it leads alone, and keeps the lead.

    Players are those of `simulate_grids`; the posterior is that of `posterior`, after each grid.

    Parameters
    ----------
    answers : iterable of str, optional
        Whose grids to simulate; each must be a candidate. None: all candidates.
    candidates : iterable of str, optional
        What the answer may be; None: every allowed word.
    most : int
        Grids simulated for each answer.

    Returns
    -------
    DataFrame
        In the order of the alphabet: `answer`, `grids` (infinite when it does not lead after
        `most`), `rival` (the last other word in the lead or level with it, "" if there was none).
    """
    model = GuessModel.of(words) if model is None else model
    model.check(words)
    candidates = check_candidates(words.allowed if candidates is None else candidates, words)
    answers = candidates if answers is None else check_candidates(answers, words)
    places = {word: place for place, word in enumerate(candidates)}
    missing = next((word for word in answers if word not in places), None)
    if missing:
        raise ValueError(f"{missing!r} is not among the candidates: add it to them")
    if most < 1:
        raise ValueError(f"most = {most}: simulate at least 1 grid")
    tables = tables_for(words, candidates, model)
    knowledge = knowledge_for(words.length)
    states = np.arange(len(knowledge.after))
    kept = knowledge.kept(states, model.lose_green, model.lose_hit)
    inverse = tables.normalisers(states.tolist(), kept)
    shares, log_chances = levels_of(model)
    rates = np.array([model.other_puzzle, model.joke])
    named = np.empty(len(answers), np.int64)
    rivals = np.empty(len(answers), np.int64)
    step = 256
    for low in range(0, len(answers), step):
        part = answers[low : low + step]
        chances = np.array([_chances(seed, answer, most) for answer in part])
        part_places = np.array([places[answer] for answer in part])
        in_ranges(
            _name_answers, len(part), tables.first, tables.later, tables.solved_first,
            tables.solved_later, inverse, kept, knowledge.after, model.careless, FEW_OPENERS,
            shares, np.exp(log_chances), rates, part_places, chances,
            named[low : low + step], rivals[low : low + step],
        )  # fmt: skip
    return pd.DataFrame(
        {
            "answer": answers,
            "grids": np.where(named > 0, named, np.inf),
            "rival": pd.Series(
                [candidates[rival] if rival >= 0 else "" for rival in rivals], dtype=object
            ),
        }
    )


def grids_needed(
    answer: str,
    rival: str,
    words: WordList,
    model: GuessModel | None = None,
    odds: float = 99.0,
    simulated: int = 400,
    seed: int = 0,
) -> float:
    """About how many grids it takes, if `answer` is right, to favour it over `rival` by `odds`.

    It is log(odds) over the mean log likelihood ratio of a grid, noise and all, by grids simulated
    from the model. From a posterior whose odds already stand at x, pass ``odds / x``.
    Infinite when the two words cannot be told apart.
    """
    model = GuessModel.of(words) if model is None else model
    model.check(words)
    pair = check_candidates([answer, rival], words)
    if len(pair) < 2:
        raise ValueError(f"{answer!r} twice: give two words to decide between")
    if not odds > 1:
        return 0.0
    answer = normalise(answer)
    grids = simulate_grids([answer], simulated, words, model, seed)[answer]
    # The first level is the group that the model is of.
    logs = log_likelihoods(read_grids(grids, words.length), words, pair, model)[0]
    own = pair.index(answer)
    gain = (logs[own] - logs[1 - own]) / simulated
    return math.log(odds) / gain if gain > 1e-9 else math.inf


def simulate_players(
    answers: Sequence[str],
    n: int,
    words: WordList,
    openers: np.ndarray | None = None,
    later: np.ndarray | None = None,
    careless: float = 0.0,
    seed: int = 0,
) -> dict[str, list[list[str]]]:
    """Grids of players who know words, not only patterns, to test the model against.

    The first guess is drawn by `openers`, every later one by `later` among the allowed words that
    could still be the answer; a careless guess, with the probability `careless`, among all.

    Parameters
    ----------
    answers : sequence of str
        Allowed words or not.
    openers, later : ndarray (n_allowed,), optional
        Weights of guesses; None: by word frequency.

    Returns
    -------
    dict
        By answer, n lists of rows as ``.YG`` text, at most six.
    """
    answers = check_candidates(answers, words)
    default = frequency_weights(words)
    openers = default if openers is None else np.asarray(openers, float)
    later = default if later is None else np.asarray(later, float)
    for name, weights in (("openers", openers), ("later", later)):
        if weights.shape != default.shape or not (weights >= 0).all() or not weights.sum() > 0:
            raise ValueError(
                f"{name}: give {len(default)} weights, one for each allowed word, 0 or more"
            )
    parts, rows = letter_parts(words.allowed, words.allowed)
    own_parts, own_rows = letter_parts(words.allowed, answers)
    solved = 3**words.length - 1
    grids = {}
    for place, answer in enumerate(answers):
        random = np.random.default_rng([seed, *map(ord, answer)])
        patterns = own_parts[own_rows, place].sum(axis=1, dtype=parts.dtype)
        grids[answer] = []
        for _ in range(n):
            possible, codes = np.ones(len(default), bool), []
            while len(codes) < TURNS and solved not in codes:
                weights = later if codes else openers
                # An answer that is not allowed may leave no guess that could still be it.
                if codes and random.random() >= careless and (weights * possible).any():
                    weights = weights * possible
                total = np.cumsum(weights)
                guess = min(
                    np.searchsorted(total, random.random() * total[-1], side="right"),
                    np.flatnonzero(weights)[-1],
                )
                codes.append(int(patterns[guess]))
                possible &= parts[rows[guess]].sum(axis=0, dtype=parts.dtype) == codes[-1]
            grids[answer].append([format_pattern(code, words.length) for code in codes])
    return grids


def warm() -> None:
    """Compile the kernels."""
    few = ("crane", "slate", "trace")
    words = WordList(few, few, "warm")
    grids_until_named(words, most=1)
    simulate_grids(few, 1, words)
