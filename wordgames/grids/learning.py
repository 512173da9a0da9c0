"""Learning how a group of people guesses, from past puzzles whose answers are known.

Expectation and maximisation: each grid's guesses are unknown, so what the model of the last step
says of them is counted, and the counts are the model of the next. A prior of stated strength keeps
a group of few grids near what is known of all people.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np
from scipy import sparse
from scipy.optimize import brentq, minimize
from scipy.special import expit, logit, logsumexp, softmax

from wordgames.grids.likelihood import (
    Grid,
    check_candidates,
    encode_grids,
    grid_products,
    joke_chances,
    knowledge_for,
    levels_of,
    log_likelihoods,
    pattern_weights,
)
from wordgames.grids.model import LATER_COMPONENTS, GuessModel, later_components
from wordgames.patterns import score_matrix
from wordgames.words import WordList, normalise

PUZZLES_FOR_SHARPNESS = 30  # fewer held-out answers than that say little of a power
MOST_JUDGED = 150  # held-out answers of each half, evenly chosen: more make no difference
MODEST = 20  # held-out answers that a power of 1 counts for
KNOWN_GROUP = 0.9  # `own_group` where it is known whose grids they are


class _Training:
    """Past grids with their answers, as arrays, and the steps of learning from them."""

    def __init__(self, grids: list[Grid], answers: list[str], words: WordList, model: GuessModel):
        self.words, self.start = words, model
        places = {answer: place for place, answer in enumerate(sorted(set(answers)))}
        self.own_answer = np.array([places[answer] for answer in answers])
        self.allowed = np.array([words.index.get(answer, -1) for answer in answers])
        self.prior = model.prior_weights(words)
        self.background = model.other_puzzle * self._of_others(grids)
        self.background += model.joke * joke_chances(grids, words.length)
        self.keep = 1 - model.other_puzzle - model.joke
        self._read_openers(grids, tuple(places))
        self._read_later(grids, tuple(places))

    def _of_others(self, grids) -> np.ndarray:
        # Part of the model that does not learn: the average over answers by the prior model.
        start = replace(self.start, opener_counts=())
        means = np.empty(len(grids))
        for chunk, products in grid_products(grids, self.words, self.words.answers, start):
            careful, careless = products[:, :2].mean(axis=2).T
            means[chunk] = (1 - start.careless) * careful + start.careless * careless
        return means

    def _read_openers(self, grids, answers) -> None:
        """Which guesses give each first row: a sparse matrix (n_grids, n_allowed)."""
        self.has_opener = np.array([bool(grid.rows) for grid in grids])
        ends, guesses = [0], []
        by_answer = np.argsort(self.own_answer, kind="stable")
        low, step = -1, 256
        for place in by_answer:
            answer = self.own_answer[place]
            if answer >= low + step or low < 0:
                low = answer
                matrix = score_matrix(self.words.allowed, answers[low : low + step]).T
            if grids[place].rows:
                guesses.append(np.flatnonzero(matrix[answer - low] == grids[place].rows[0]))
            ends.append(ends[-1] + (len(guesses[-1]) if grids[place].rows else 0))
        columns = np.concatenate(guesses) if guesses else np.zeros(0, np.int64)
        shape = (len(grids), len(self.words.allowed))
        data = np.ones(len(columns))
        self.givers = sparse.csr_array((data, columns, ends), shape=shape)[np.argsort(by_answer)]

    def _read_later(self, grids, answers) -> None:
        """For each later row: its weight by component, and the weights by what they give up."""
        length = self.words.length
        knowledge = knowledge_for(length)
        table = pattern_weights(self.words, answers, later_components(self.words))
        table[:, -1] = 0
        left = table.sum(axis=1)
        table /= np.where(left > 0, left, 1)[:, None]
        n_kinds = (length + 1) ** 2
        self.lost = np.divmod(np.arange(n_kinds), length + 1)
        owner, weight, spread, given_up = [], [], [], []
        known: dict[tuple[int, int, bool], np.ndarray] = {}
        for place, grid in enumerate(grids):
            answer, state = self.own_answer[place], 0
            for turn, code in enumerate(grid.rows):
                lost = knowledge.lost_greens[state] * (length + 1) + knowledge.lost_hits[state]
                if turn:
                    key = (answer, state, grid.hard)
                    if key not in known:
                        known[key] = np.array(
                            [np.bincount(lost, row, n_kinds) for row in table[:, :, answer]]
                        )
                        if grid.hard:
                            known[key][:, 1:] = 0
                    broken = grid.hard and lost[code]
                    owner.append(place)
                    weight.append(table[:, code, answer] * (0 if broken else 1))
                    spread.append(known[key])
                    given_up.append(0 if grid.hard else lost[code])
                state = knowledge.after[state, code]
        self.owner = np.array(owner, np.int64)
        self.weight = np.array(weight).reshape(-1, len(LATER_COMPONENTS))
        self.spread = np.array(spread).reshape(-1, len(LATER_COMPONENTS), n_kinds)
        self.given_up = np.array(given_up, np.int64)
        self.hard = np.array([grid.hard for grid in grids])

    def opener_likelihoods(self, weights: np.ndarray) -> np.ndarray:
        """Probability of each grid's first row, given that it does not solve: (n_grids,)."""
        left = 1 - np.where(self.allowed >= 0, weights[self.allowed], 0)
        found = self.givers @ weights
        return np.where(self.has_opener, found / np.where(left > 0, left, 1), 1)

    def later_likelihoods(self, numbers: np.ndarray):
        """Log probability of each grid's later rows, with its derivative by the numbers.

        numbers: logits of lose_green, lose_hit and careless, then logs of the mixture's shares.
        Returns the logs (n_grids,) and a function from weights of grids to the derivative of
        their weighted sum.
        """
        lose_green, lose_hit, careless = expit(numbers[:3])
        mix = softmax(numbers[3:])
        n_grids = len(self.own_answer)
        factor = lose_green ** self.lost[0] * lose_hit ** self.lost[1]
        weight = np.maximum(self.weight @ mix, 1e-300)
        spread = mix @ self.spread
        kept = np.maximum(spread @ factor, 1e-300)
        heedless_rows = np.log(weight)
        careful_rows = heedless_rows + np.log(factor[self.given_up]) - np.log(kept)
        careful = np.bincount(self.owner, careful_rows, n_grids)
        heedless = np.bincount(self.owner, heedless_rows, n_grids)
        one, other = careful + np.log1p(-careless), heedless + np.log(careless)
        logs = np.where(self.hard, careful, np.logaddexp(one, other))
        share = np.where(self.hard, 1.0, np.exp(one - np.logaddexp(one, other)))

        def derivative(weights):
            rows, careful_part = weights[self.owner], (weights * share)[self.owner]
            mean_lost = [(spread @ (factor * lost)) / kept for lost in self.lost]
            by_loss = [
                (careful_part * (lost[self.given_up] - mean)).sum()
                for lost, mean in zip(self.lost, mean_lost, strict=True)
            ]
            by_share = (rows / weight) @ self.weight
            by_share -= (careful_part / kept) @ (self.spread @ factor)
            soft = weights[~self.hard] @ (1 - share[~self.hard] - careless)
            return np.array(
                [
                    by_loss[0] * (1 - lose_green),
                    by_loss[1] * (1 - lose_hit),
                    soft,
                    *(mix * (by_share - mix @ by_share)),
                ]
            )

        return logs, derivative

    def later_prior(self, numbers: np.ndarray):
        """Log prior density of the numbers, up to a constant, and its derivative."""
        start, strength = self.start, self.start.strength
        means = np.clip([start.lose_green, start.lose_hit, start.careless], 1e-6, 1 - 1e-6)
        shares, mix = expit(numbers[:3]), softmax(numbers[3:])
        mix_means = np.array(start.later_mix)
        value = means @ np.log(shares) + (1 - means) @ np.log1p(-shares)
        value += mix_means @ np.log(np.maximum(mix, 1e-300))
        return strength * value, strength * np.concatenate([means - shares, mix_means - mix])

    def learn_later(self, numbers: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """Numbers at which the weighted log likelihood and the prior are higher, or the same."""

        def loss(numbers):
            logs, derivative = self.later_likelihoods(numbers)
            prior, prior_derivative = self.later_prior(numbers)
            return -(weights @ logs + prior), -(derivative(weights) + prior_derivative)

        bounds = [(-12.0, 12.0)] * len(numbers)
        found = minimize(
            loss, numbers, jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": 5}
        )
        return found.x if found.fun <= loss(numbers)[0] else numbers

    def learn_openers(self, weights: np.ndarray, shares: np.ndarray) -> np.ndarray:
        """Expected number of grids that each word opened: (n_allowed,).

        Rows are known not to have solved, so each grid stands for 1 / (1 - weight of its answer)
        openings, of which those of the answer itself were not seen (Dempster, Laird and Rubin's
        truncated case).
        """
        shares = np.where(self.has_opener, shares, 0)
        found = self.givers @ weights
        counts = weights * (
            self.givers.T @ np.divide(shares, found, where=found > 0, out=0 * shares)
        )
        inside = self.allowed >= 0
        own = weights[self.allowed[inside]]
        unseen = np.divide(shares[inside] * own, 1 - own, where=own < 1, out=np.zeros(len(own)))
        np.add.at(counts, self.allowed[inside], unseen)
        return counts


def fit_guess_model(
    grids: Iterable,
    answers: Iterable[str],
    words: WordList,
    prior: Mapping[str, float] | GuessModel | None = None,
    *,
    strength: float | None = None,
    most_steps: int = 100,
    group: str = "",
) -> GuessModel:
    """Learn how a group of people guesses from past grids whose answers are known.

    Expectation-maximisation of the posterior density. Latent are the guess behind each first row
    and whether the grid is of its puzzle at all; a step re-estimates the weight of every opener
    in closed form (a Dirichlet prior), then improves the numbers of later rows (`lose_green`,
    `lose_hit`, `careless`, `later_mix`) by a few steps of L-BFGS. The shares of noise stay as they
    are. The density never falls from step to step; `GuessModel.objective` holds it.

    With grids of enough puzzles (`PUZZLES_FOR_SHARPNESS`), the powers of `sharpness` are learnt on
    puzzles held out: a model is learnt on each half of the puzzles, and the power is the one under
    which the leading words of the other half are right as often as stated.

    Parameters
    ----------
    grids : iterable
        As for `posterior`, of any puzzles.
    answers : iterable of str
        The answer of each grid's puzzle.
    words : WordList
    prior : mapping of word to weight, or GuessModel, optional
        What is thought of the openers beforehand; a model gives its other numbers too. None: by
        word frequency.
    strength : float, optional
        How many grids the prior counts for; None: the prior model's (30).
    most_steps : int
        Steps at most; learning ends before when the density rises by less than 0.01.
    group : str
        Whose grids these are; the model carries the name.

    Raises
    ------
    ValueError
        For no grids, another number of answers, rows or answers of another length, weights of
        words that are not allowed, negative weights, or a prior model of another word list.
    """
    read = encode_grids(grids, words.length)
    answers = [normalise(answer) for answer in answers]
    if len(answers) != len(read):
        raise ValueError(
            f"{len(read)} grids and {len(answers)} answers: give the answer of each grid's puzzle"
        )
    check_candidates(answers, words)
    if isinstance(prior, GuessModel):
        prior.check(words)
        weights = prior.opener_weights(words)
        pairs = (
            ()
            if not prior.knows_openers
            else tuple(
                (word, float(weight))
                for word, weight in zip(words.allowed, weights, strict=True)
                if weight > 0
            )
        )
        model = replace(prior, opener_counts=(), opener_prior=pairs, objective=())
    else:
        model = GuessModel.of(words, prior)
    model = replace(model, group=group or model.group, sharpness=())
    if strength is not None:
        model = replace(model, strength=strength)
    learnt = _fit(read, answers, words, model, most_steps)
    if len(set(answers)) < PUZZLES_FOR_SHARPNESS:
        return learnt
    return replace(learnt, sharpness=_sharpness(read, answers, words, model, most_steps))


def _fit(read, answers, words: WordList, model: GuessModel, most_steps: int) -> GuessModel:
    """Expectation-maximisation from a prior model, by `encode_grids`' grids."""
    training = _Training(read, answers, words, model)
    numbers = np.concatenate(
        [
            logit(np.clip([model.lose_green, model.lose_hit, model.careless], 1e-5, 1 - 1e-5)),
            np.log(np.maximum(model.later_mix, 1e-5)),
        ]
    )
    weights = training.prior
    counts = np.zeros(len(weights))
    positive = training.prior > 0
    objective = []
    for _ in range(most_steps):
        later = np.exp(training.later_likelihoods(numbers)[0])
        own = training.keep * training.opener_likelihoods(weights) * later
        whole = own + training.background
        density = np.log(whole).sum() + training.later_prior(numbers)[0]
        density += model.strength * (training.prior[positive] @ np.log(weights[positive]))
        objective.append(float(density))
        if len(objective) > 1 and objective[-1] - objective[-2] < 0.01:
            break
        shares = own / whole
        counts = training.learn_openers(weights, shares)
        weights = counts + model.strength * training.prior
        weights /= weights.sum()
        numbers = training.learn_later(numbers, shares)
    lose_green, lose_hit, careless = map(float, expit(numbers[:3]))
    return replace(
        model,
        # A hundredth of a grid is below what any learning can tell; the file stays small.
        opener_counts=tuple(
            (word, round(float(count), 4))
            for word, count in zip(words.allowed, counts, strict=True)
            if count >= 0.01
        ),
        later_mix=tuple(map(float, softmax(numbers[3:]))),
        lose_green=lose_green,
        lose_hit=lose_hit,
        careless=careless,
        grids=len(read),
        objective=tuple(objective),
    )


def _sharpness(read, answers, words: WordList, model: GuessModel, most_steps: int):
    """The powers under which leading words are right as often as stated, by puzzles held out.

    For grids that may be the group's, and for grids that are known to be. The grids of a puzzle are
    those with one answer.
    """
    by_answer: dict[str, list[Grid]] = {}
    for grid, answer in zip(read, answers, strict=True):
        by_answer.setdefault(answer, []).append(grid)
    candidates = tuple(sorted({*words.answers, *by_answer}))
    known = sorted(by_answer)
    halves = known[::2], known[1::2]
    # Neither 0 nor 1, which leave no doubt to weigh.
    shares = min(max(model.own_group, 0.01), 0.99), max(min(model.own_group, 0.99), KNOWN_GROUP)
    model = replace(model, own_group=shares[0])
    logs: list[list[np.ndarray]] = [[], []]
    own = []
    for judged, others in (halves, halves[::-1]):
        pairs = [(grid, answer) for answer in others for grid in by_answer[answer]]
        learnt = _fit(*map(list, zip(*pairs, strict=True)), words, model, most_steps)
        chances = [levels_of(replace(learnt, own_group=share))[1][:, None] for share in shares]
        for answer in judged[:: -(-len(judged) // MOST_JUDGED)]:
            totals = log_likelihoods(sorted(by_answer[answer]), words, candidates, learnt)
            for kept, chance in zip(logs, chances, strict=True):
                kept.append(logsumexp(totals - chances[0] + chance, axis=0))
            own.append(candidates.index(answer))
    return tuple(
        (share, _power(np.array(kept), np.array(own)))
        for share, kept in zip(shares, logs, strict=True)
    )


def _power(logs: np.ndarray, own: np.ndarray) -> float:
    """The power under which the mean probability of the leaders is the share of right ones.

    logs: log likelihoods (n_puzzles, n_candidates); own: places of the answers.
    """
    right = (logs.argmax(axis=1) == own).mean()
    logs = logs - logs.max(axis=1, keepdims=True)

    def excess(power: float) -> float:
        return float(np.exp(-logsumexp(np.exp(power) * logs, axis=1)).mean() - right)

    low, high = -1.0, 1.0
    if excess(low) >= 0 or excess(high) <= 0:
        power = low if excess(low) >= 0 else high
    else:
        power = brentq(excess, low, high, xtol=1e-3)
    return float(np.exp(power * len(own) / (len(own) + MODEST)))
