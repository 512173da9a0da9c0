"""Grids of simulated players, and how many of them name an answer.

Two kinds of player: one takes the likelihood's own steps, so that its posterior can be checked for
what it claims; the other knows words and not only patterns, so that the model can be checked
against people who are not like it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from wordgames._compiled import compiled, in_ranges
from wordgames._hints import whole_number
from wordgames.grids.likelihood import (
    FEW_OPENERS,
    check_candidates,
    knowledge_for,
    levels_of,
    multiply_rows,
    tables_for,
)
from wordgames.grids.model import GuessModel, frequency_weights
from wordgames.patterns import GUESSES, format_pattern, letter_parts, score_matrix
from wordgames.words import WordList


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


def _chances(seed: int, answer: str, n: int) -> np.ndarray:
    # The word is part of the seed, so that a word's grids do not depend on which others are drawn.
    return np.random.default_rng([seed, *map(ord, answer)]).random((n, GUESSES + 1))


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
    rows = np.empty(GUESSES, np.int64)
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
    *,
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
    most = whole_number(most, "most", of="grids")
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


def _guess_weights(name: str, weights, words: WordList) -> np.ndarray:
    n = len(words.allowed)
    weights = frequency_weights(words) if weights is None else np.asarray(weights, float)
    if weights.shape != (n,) or not (weights >= 0).all() or not 0 < weights.sum() < np.inf:
        raise ValueError(
            f"{name}: give {n:,} weights, one for each allowed word, 0 or more and not all 0"
        )
    return weights


@dataclass(frozen=True, eq=False)
class Players:
    """Players who know words, not only patterns.

    The first guess is any allowed word, drawn by `openers`. A later one is drawn by `later` among
    the allowed words that could still be the answer; a careless guess among all. They stop when
    they have solved it or after six guesses.

    Attributes
    ----------
    words : WordList
    openers, later : ndarray (n_allowed,)
        Weights of guesses.
    careless : float
        Share of later guesses that pay no heed to earlier rows.
    """

    words: WordList
    openers: np.ndarray
    later: np.ndarray
    careless: float

    @classmethod
    def of(cls, words: WordList, openers=None, later=None, *, careless: float = 0.0) -> "Players":
        """Players of a word list; weights are 0 or more, None: by word frequency.

        ValueError for weights of another number, negative or all zero, or a `careless` beyond
        0 to 1.
        """
        if not 0 <= careless <= 1:
            raise ValueError(f"careless = {careless!r}: it is a share, from 0 to 1")
        openers = _guess_weights("openers", openers, words)
        return cls(words, openers, _guess_weights("later", later, words), careless)

    @cached_property
    def _parts(self) -> tuple[np.ndarray, np.ndarray]:
        return letter_parts(self.words.allowed, self.words.allowed)

    def games(self, answer: str, n: int, rng: np.random.Generator) -> list[list[int]]:
        """The patterns of `n` games, game by game, the solving guess included.

        The answer need not be an allowed word; ValueError when it has another length.
        """
        (answer,) = check_candidates([answer], self.words)
        own = score_matrix(self.words.allowed, [answer])[:, 0]
        codes = np.full((n, GUESSES), -1, np.int32)
        drawn = rng.random((n, GUESSES))
        heedless = np.zeros((n, GUESSES), bool)
        if self.careless:
            heedless[:] = rng.random((n, GUESSES)) < self.careless
        in_ranges(_play, n, *self._parts, self.openers, self.later, drawn, heedless, own, codes)
        return [[code for code in game if code >= 0] for game in codes.tolist()]


@compiled
def _play(  # noqa: C901 - a kernel
    start, stop, parts, rows, openers, later, drawn, heedless, own, codes
):
    """Play games; `fits` holds the words that could be the answer, then the others."""
    n_words, n_parts = rows.shape
    all_green = 3**n_parts - 1
    fits = np.empty(n_words, np.int32)
    for game in range(start, stop):
        for word in range(n_words):
            fits[word] = word
        n_fits = n_words
        for turn in range(codes.shape[1]):
            weights = later if turn else openers
            total = 0.0
            n_pool = n_words if heedless[game, turn] else n_fits
            for place in range(n_pool):
                total += weights[fits[place]]
            if total == 0:  # an answer that is not allowed may leave no guess that could be it
                n_pool = n_words
                for place in range(n_pool):
                    total += weights[fits[place]]
            aim, guess = drawn[game, turn] * total, -1
            for place in range(n_pool):
                weight = weights[fits[place]]
                if weight > 0:
                    guess = fits[place]  # the last one stands where rounding leaves a rest
                    aim -= weight
                    if aim < 0:
                        break
            code = own[guess]
            codes[game, turn] = code
            if code == all_green:
                break
            kept = 0
            for place in range(n_fits):
                word = fits[place]
                its = 0
                for part in range(n_parts):
                    its += parts[rows[guess, part], word]
                if its == code:
                    fits[place], fits[kept] = fits[kept], word
                    kept += 1
            n_fits = kept


def simulate_players(
    answers: Sequence[str],
    n: int,
    words: WordList,
    *,
    openers: np.ndarray | None = None,
    later: np.ndarray | None = None,
    careless: float = 0.0,
    seed: int = 0,
) -> dict[str, list[list[str]]]:
    """Grids of `Players`, to test the model against people who are not like it.

    Parameters
    ----------
    answers : sequence of str
        Allowed words or not.
    n : int
        Grids of each answer.
    words : WordList
    openers, later, careless
        As for `Players.of`.
    seed : int
        A word's grids do not depend on which others are drawn.

    Returns
    -------
    dict
        By answer, n lists of rows as ``.YG`` text, at most six.
    """
    players = Players.of(words, openers, later, careless=careless)
    grids = {}
    for answer in check_candidates(answers, words):
        played = players.games(answer, n, np.random.default_rng([seed, *map(ord, answer)]))
        grids[answer] = [[format_pattern(code, words.length) for code in game] for game in played]
    return grids
