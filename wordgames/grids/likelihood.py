"""From posted grids to a probability for each answer, and learning how a group of people guesses.

A set of patterns can say that a word is impossible, and nothing else. A likelihood also says how
often each pattern should be seen. The model, in the order in which a grid comes about:

* The unit of noise is the grid. It is of this puzzle, or of another puzzle (then its likelihood is
  the average over the candidates), or a joke (every pattern as likely as every other), or, where
  the original list's order is given, of that list's answer of the day.
* The first row is an opener. Its probability given an answer is the summed weight of the guesses
  that would give it.
* A later row is a guess drawn by other weights, and kept with a probability that falls with every
  green and every hit (a green or a yellow) that it gives up: `lose_green` and `lose_hit` for each.
  Most people use what they know; their rows tell little by keeping a green, and the normaliser of
  this step says how little. What is known is the places of the greens and the largest number of
  hits in any row so far. Some players pay no heed; the grid is a mixture of the two kinds. A grid
  played in hard mode gives up nothing.
* The last row, all green, tells nothing: everyone who solves ends with it. The rows before it are
  rows that did not solve.

Things about the group are unknown, and summed over. It may be the one that a model was learnt on;
another whose members choose their openers each for himself; or another small one. A small group
shares a few openers, so that its first rows repeat each other and tell less than they seem to. With
a Dirichlet prior over its openers the first rows follow Pólya's urn: a row is one that was seen
before with probability (times seen) / (strength + rows seen), else one drawn by the weights. And it
may be a group that pays no heed to earlier rows. So a model of one group does little harm to
another's grids.

Every table is the weight of guesses by (pattern, candidate). It is summed from the parts of
`patterns.letter_parts` in tiles of candidates, so the full matrix of patterns is never held.
"""

import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial

import numpy as np
import pandas as pd

from wordgames._compiled import compiled, in_ranges
from wordgames.grids.model import GuessModel, frequency_weights
from wordgames.patterns import format_pattern, letter_parts, pattern_code, solved
from wordgames.words import WordList, is_word, letters, normalise

# What is not known of a group before its grids are seen.
STRANGERS = 0.02  # share of strangers in the group that a model was learnt on
SMALL_GROUP = 0.5  # probability that another group is a small one, which shares a few openers
FEW_OPENERS = 10.0  # how varied those are: the strength of the Dirichlet prior around the weights
HEEDLESS_GROUP = 0.1  # probability that nobody in the group uses what the rows before have shown

_CHUNK = 32  # grids at a time: their product stays far from the limits of a float
_TILE = 64  # candidates at a time: their sums stay in a near cache


# --- what earlier rows have shown -----------------------------------------------------------------


@dataclass(frozen=True)
class _Knowledge:
    """All states of knowledge of a player, as seen from the patterns alone.

    A state is the set of places known to be green and the largest number of hits so far; its
    number is ``greens * (length + 1) + hits``, and 0 is the start. Arrays are (states, patterns).
    """

    after: np.ndarray  # the state after seeing a pattern
    lost_greens: np.ndarray  # known greens that a pattern gives up
    lost_hits: np.ndarray

    def kept(self, states, lose_green: float, lose_hit: float) -> np.ndarray:
        """The factor on each pattern in some states: (n_states, n_patterns)."""
        return lose_green ** self.lost_greens[states] * lose_hit ** self.lost_hits[states]


@cache
def knowledge_for(length: int) -> _Knowledge:
    """What a pattern of this length tells a player: its greens and its hits."""
    patterns = np.arange(3**length)
    cells = patterns[:, None] // 3 ** np.arange(length - 1, -1, -1) % 3
    greens = ((cells == 2) << np.arange(length)).sum(axis=1)
    hits = (cells > 0).sum(axis=1)
    known, most = np.divmod(np.arange(2**length * (length + 1)), length + 1)
    after = (known[:, None] | greens) * (length + 1) + np.maximum(most[:, None], hits)
    lost_greens = np.bitwise_count(known[:, None] & ~greens)
    lost_hits = np.maximum(0, most[:, None] - hits)
    return _Knowledge(
        after.astype(np.int32), lost_greens.astype(np.uint8), lost_hits.astype(np.uint8)
    )


# --- tables: weight of guesses by pattern and candidate -------------------------------------------


@compiled
def _weigh(start, stop, parts, rows, weights, out):
    """Sum two weights of guesses by pattern, for tiles of `_TILE` candidates.

    parts, rows: of `letter_parts`. weights: (n_guesses, 2). out: (2, n_patterns, n_candidates).
    """
    n_patterns, n_candidates = out.shape[1:]
    tile_size = np.uint64(_TILE)
    sums = np.empty((_TILE, n_patterns, 2))
    codes = np.empty(_TILE, parts.dtype)
    near = np.zeros((len(parts), _TILE), parts.dtype)
    one, other = np.uint64(0), np.uint64(1)
    for tile in range(start, stop):
        low = tile * _TILE
        width = min(_TILE, n_candidates - low)
        near[:, :width] = parts[:, low : low + width]
        sums[:] = 0
        for guess in range(len(rows)):
            row = rows[guess]
            codes[:] = near[row[0]]
            for place in range(1, row.size):
                if row[place] == 0:
                    break
                part = near[row[place]]
                for j in range(_TILE):
                    codes[j] += part[j]
            for j in range(tile_size):
                cell = sums[j, codes[j]]
                cell[one] += weights[guess, 0]
                cell[other] += weights[guess, 1]
        for kind in range(2):
            for pattern in range(n_patterns):
                for j in range(width):
                    out[kind, pattern, low + j] = sums[j, pattern, kind]


def pattern_weights(words: WordList, candidates: Sequence[str], weights: np.ndarray) -> np.ndarray:
    """Summed weight of the guesses that give each pattern.

    Parameters
    ----------
    candidates : sequence of str
        Any words of the list's length; they need not be allowed.
    weights : ndarray (n_kinds, n_allowed)
        Weights of the allowed words as guesses.

    Returns
    -------
    ndarray (n_kinds, 3**length, n_candidates), float32
    """
    parts, rows = letter_parts(words.allowed, candidates)
    out = np.empty((len(weights), 3**words.length, len(candidates)), np.float32)
    # Two kinds at a time: the compiler makes one wide addition of a pair.
    for low in range(0, len(weights), 2):
        pair = np.zeros((len(words.allowed), 2))
        pair[:, : len(weights) - low] = weights[low : low + 2].T
        target = out[low : low + 2]
        both = target if len(target) == 2 else np.empty((2, *out.shape[1:]), np.float32)
        in_ranges(_weigh, -(-len(candidates) // _TILE), parts, rows, pair, both, step=4)
        target[:] = both[: len(target)]
    return out


def chances_of_lines(
    words: WordList, candidates: Sequence[str], patterns: Sequence[str | int]
) -> pd.Series:
    """How likely each candidate is, the likeliest first, if each pattern is a guess of its own.

    Guesses are drawn by `frequency_weights`, and all candidates are as likely to be the answer. The
    pattern of all greens, with which everybody ends, says nothing.

    Parameters
    ----------
    candidates : sequence of str
        Words that can give every pattern; none give an empty series.
    """
    codes = [pattern_code(pattern, words.length) for pattern in patterns]
    codes = [code for code in codes if code != solved(words.length)]
    if not candidates:
        return pd.Series(dtype=float, name="probability")
    weights = pattern_weights(words, candidates, frequency_weights(words)[None])[0]
    logs = np.log(weights[codes].astype(float)).sum(axis=0)
    return _normalised(logs[None], candidates, 1)


class _Tables:
    """Probabilities of rows for some candidates, before the last row (which is all green).

    first : (1 or 2, n_patterns, n_candidates), by the model's openers, then by strangers' (left
        out when nothing was learnt: they are the same)
    later : (n_patterns, n_candidates)
    solved_first, solved_later : (n_candidates,), weight of the candidate itself as a guess
    """

    def __init__(self, words, candidates, openers, strangers, later):
        kinds = [openers, later] if strangers is None else [openers, strangers, later]
        table = pattern_weights(words, candidates, np.array(kinds))
        solved = table[:, -1].copy()
        table[:, -1] = 0
        left = table.sum(axis=1)
        # Where every guess would solve (a list of one word) no row can come before the last.
        table /= np.where(left > 0, left, 1)[:, None]
        self.first, self.later = table[:-1], table[-1]
        self.solved_first, self.solved_later = solved[0], solved[-1]
        self._normalisers = {}

    def normalisers(self, states, factors) -> np.ndarray:
        """1 over the kept weight of later guesses: (n_states, n_candidates), 0 where none is."""
        keys = [(state, row.tobytes()) for state, row in zip(states, factors, strict=True)]
        missing = [place for place, key in enumerate(keys) if key not in self._normalisers]
        if missing:
            kept = factors[missing].astype(np.float32) @ self.later
            found = np.divide(1, kept, out=np.zeros_like(kept), where=kept > 0)
            self._normalisers |= dict(zip([keys[place] for place in missing], found, strict=True))
        return np.array([self._normalisers[key] for key in keys])


@lru_cache(maxsize=4)
def _cached_tables(words, candidates, opener_counts, opener_prior, strength, later_mix):
    # Only what the tables depend on is the key: noise and care may differ between models.
    model = GuessModel(
        words.name, "", opener_counts, opener_prior, strength=strength, later_mix=later_mix
    )
    strangers = frequency_weights(words) if model.knows_openers else None
    return _Tables(
        words, candidates, model.opener_weights(words), strangers, model.later_weights(words)
    )


def tables_for(words: WordList, candidates: tuple[str, ...], model: GuessModel) -> _Tables:
    """The chances of each row against each candidate under a model; kept for long lists."""
    # A few candidates are soon summed, and must not push the tables of a whole list out.
    build = _cached_tables if len(candidates) > 100 else _cached_tables.__wrapped__
    return build(
        words,
        candidates,
        model.opener_counts,
        model.opener_prior,
        model.strength,
        model.later_mix,
    )


# --- grids ----------------------------------------------------------------------------------------


@dataclass(frozen=True, order=True)
class Grid:
    """A posted grid as codes."""

    rows: tuple[int, ...]  # without the all-green row
    hard: bool


def encode_grids(grids: Iterable, length: int) -> list[Grid]:
    """Grids as codes; ValueError for none, rows of another length, rows after the solved one."""
    if isinstance(grids, str) or hasattr(grids, "rows"):
        raise TypeError(f"grids are a sequence of grids, not the one {grids!r}")
    read, single = [], []
    # Rows repeat; typed, because True and 1.0 equal 1.
    code_of = lru_cache(maxsize=None, typed=True)(partial(pattern_code, length=length))
    for number, grid in enumerate(grids, 1):
        rows = getattr(grid, "rows", grid)
        if isinstance(rows, str):
            rows = rows.replace("|", "\n").split()
            single += rows if len(rows) == 1 else []
        codes = []
        for row in rows:
            try:
                codes.append(code_of(row))
            except (ValueError, TypeError) as error:
                raise type(error)(f"grid {number}: {error}") from None
        if not codes:
            raise ValueError(f"grid {number} has no rows: leave it out")
        if solved(length) in codes[:-1]:
            raise ValueError(f"grid {number} goes on after the row that solved it")
        hard = bool(getattr(grid, "hard", False))
        read.append(Grid(tuple(code for code in codes if code != solved(length)), hard))
    if not read:
        raise ValueError("there are no grids: give at least one")
    if len(single) > 1:
        warnings.warn(
            f"{single[0]!r}, {single[1]!r}{', …' * (len(single) > 2)} are read as "
            f"{len(single)} grids of one row each; if they are the rows of one grid, put them in a "
            f"list of their own: [[{single[0]!r}, {single[1]!r}{', …' * (len(single) > 2)}]]",
            stacklevel=3,
        )
    return read


class _Encoded:
    """Grids as arrays for the kernels, with the states of knowledge that they pass through."""

    def __init__(self, grids: Sequence[Grid], model: GuessModel, length: int):
        knowledge = knowledge_for(length)
        widest = max((len(grid.rows) - 1 for grid in grids), default=0)
        self.first = np.full(len(grids), -1, np.int64)
        self.later = np.full((len(grids), max(widest, 1)), -1, np.int64)
        self.states = np.zeros_like(self.later)
        self.hard = np.array([grid.hard for grid in grids])
        self.before = np.zeros((len(grids), 2), np.int64)
        seen: Counter[int] = Counter()
        numbers: dict[tuple[int, bool], int] = {(0, False): 0}
        for place, grid in enumerate(grids):
            if grid.rows:
                self.before[place] = seen[grid.rows[0]], seen.total()
                seen[grid.rows[0]] += 1
            state = 0
            for turn, code in enumerate(grid.rows):
                if turn:
                    self.later[place, turn - 1] = code
                    number = numbers.setdefault((state, grid.hard), len(numbers))
                    self.states[place, turn - 1] = number
                else:
                    self.first[place] = code
                state = int(knowledge.after[state, code])
        self.used = list(numbers)
        self.factors = np.empty((len(numbers), 3**length))
        for number, (state, hard) in enumerate(numbers):
            lose = (0.0, 0.0) if hard else (model.lose_green, model.lose_hit)
            self.factors[number] = knowledge.kept(state, *lose)


@compiled
def multiply_rows(
    low, high, first, later, inverse, factors, opener, codes, states, hard, before, few, out
):  # fmt: skip
    """Likelihood of one grid for the candidates low to high.

    before: how many grids before had this first row, and how many had any. out: (2 * kinds, n):
    for each kind of openers, the last one being that of a small group, of a player who uses what
    is known and of one who does not.
    """
    careful, careless = out[0], out[1]
    for c in range(low, high):
        careful[c] = 1
        careless[c] = 1
    for turn in range(codes.size):
        code = codes[turn]
        if code < 0:
            break
        state = states[turn]
        factor = factors[state, code]
        weight, norm = later[code], inverse[state]
        for c in range(low, high):
            careful[c] *= factor * weight[c] * norm[c]
            careless[c] *= weight[c]
    if hard:
        careless[low:high] = careful[low:high]
    # The last kind first and in place: out[0] and out[1] are read until the end.
    for kind in range(len(first), -1, -1):
        one, other = out[2 * kind], out[2 * kind + 1]
        weights = first[min(kind, len(first) - 1), max(opener, 0)]
        scale, rest = 1.0, 0.0
        if kind == len(first):
            scale = few / (few + before[1])
            rest = before[0] / (few + before[1])
        for c in range(low, high):
            weight = scale * weights[c] + rest if opener >= 0 else 1.0
            one[c] = careful[c] * weight
            other[c] = careless[c] * weight


@compiled
def _multiply_all(
    start, stop, first, later, inverse, factors, openers, codes, states, hard, before, few, out
):  # fmt: skip
    for grid in range(len(out)):
        multiply_rows(
            start, stop, first, later, inverse, factors,
            openers[grid], codes[grid], states[grid], hard[grid], before[grid], few, out[grid],
        )  # fmt: skip


@compiled
def _mix(start, stop, products, shares, background, scale, totals):
    """Add the log of the product of all grids' mixtures.

    products: (n_grids, n_kinds, n_candidates); shares: (n_levels, n_kinds); background:
    (n_grids, n_levels), what the rest of the mixture adds to every candidate; totals: (n_levels,
    n_candidates), added to.
    """
    total = np.empty(stop - start)
    for level in range(len(totals)):
        total[:] = 1
        for grid in range(len(products)):
            rest = background[grid, level] * scale[grid]
            for c in range(start, stop):
                one = 0.0
                for kind in range(shares.shape[1]):
                    one += shares[level, kind] * products[grid, kind, c]
                total[c - start] *= one * scale[grid] + rest
        for c in range(start, stop):
            totals[level, c] += np.log(total[c - start])


def levels_of(model: GuessModel) -> tuple[np.ndarray, np.ndarray]:
    """What is unknown of the group: shares of (opener, care) by level, and log probabilities."""
    if model.knows_openers:
        openers = [(1 - STRANGERS, STRANGERS, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)]
        own, other = model.own_group, 1 - model.own_group
        chances = [own, other * (1 - SMALL_GROUP), other * SMALL_GROUP]
    else:
        openers, chances = [(1.0, 0.0), (0.0, 1.0)], [1 - SMALL_GROUP, SMALL_GROUP]
    care = [(1 - model.careless, model.careless), (0.0, 1.0)]
    care_chances = [1 - HEEDLESS_GROUP, HEEDLESS_GROUP]
    shares = [np.outer(opener, heed).ravel() for opener in openers for heed in care]
    chances = np.outer(chances, care_chances).ravel()
    possible = chances > 0
    return np.array(shares)[possible], np.log(chances[possible])


def grid_products(grids: Sequence[Grid], words, candidates, model):
    """Likelihoods of grids of this puzzle, in chunks: yields (slice of grids, products).

    products: (n, kinds, n_candidates) for the kinds of `levels_of`.
    """
    tables = tables_for(words, candidates, model)
    encoded = _Encoded(grids, model, words.length)
    inverse = tables.normalisers(encoded.used, encoded.factors)
    arrays = (tables.first, tables.later, inverse, encoded.factors)
    for low in range(0, len(grids), _CHUNK):
        chunk = slice(low, min(low + _CHUNK, len(grids)))
        codes = (encoded.first, encoded.later, encoded.states, encoded.hard, encoded.before)
        products = np.empty((chunk.stop - low, 2 * len(tables.first) + 2, len(candidates)))
        in_ranges(
            _multiply_all,
            len(candidates),
            *arrays,
            *(array[chunk] for array in codes),
            FEW_OPENERS,
            products,
        )
        yield chunk, products


def joke_chances(grids: Sequence[Grid], length: int) -> np.ndarray:
    """Probability of each grid as a joke.

    All patterns alike: that a few of them cannot be is left aside, so that an impossible row has
    an explanation too.
    """
    return float(3**length) ** -np.array([len(grid.rows) for grid in grids])


def log_likelihoods(
    grids: Sequence[Grid],
    words: WordList,
    candidates: tuple[str, ...],
    model: GuessModel,
    original: str | None = None,
) -> np.ndarray:
    """Log probability of the level and all grids, up to a constant: (n_levels, n_candidates)."""
    shares, log_chances = levels_of(model)
    totals = np.tile(log_chances[:, None], len(candidates))
    own = candidates.index(original) if original in candidates else None
    originals = (
        grid_products(grids, words, (original,), model) if original and own is None else None
    )
    original_list = model.original_list if original else 0.0
    keep = 1 - model.other_puzzle - model.joke - original_list
    jokes = model.joke * joke_chances(grids, words.length)
    for chunk, products in grid_products(grids, words, candidates, model):
        others = products.mean(axis=2) @ shares.T
        background = model.other_puzzle * others + jokes[chunk, None]
        if original:
            of_original = products[:, :, own] if own is not None else next(originals)[1][:, :, 0]
            background += original_list * (of_original @ shares.T)
        # One scale for all levels keeps the products near 1 and what the levels say comparable.
        typical = (keep * others + background).mean(axis=1)
        scale = np.divide(1, typical, out=np.ones_like(typical), where=typical > 0)
        in_ranges(_mix, len(candidates), products, keep * shares, background, scale, totals)
    return totals


def check_candidates(candidates: Iterable[str] | None, words: WordList) -> tuple[str, ...]:
    """The candidates, checked and sorted; the answers if None. ValueError names a bad word."""
    if candidates is None or candidates is words.answers:
        return words.answers
    if candidates is words.allowed:
        return words.allowed
    if isinstance(candidates, str):
        raise TypeError(f"candidates are a sequence of words, not the one text {candidates!r}")
    spelt = tuple(sorted({normalise(word) for word in candidates}))
    if not spelt:
        raise ValueError("there are no candidates: leave them out for the list's answers")
    for word in spelt:
        if len(letters(word)) != words.length or not is_word(word):
            raise ValueError(
                f"candidate {word!r}: a candidate is a word of {words.length} letters, "
                f"as those of {words.name} are"
            )
    return spelt


def _original_answer(grids: Sequence, order, words: WordList) -> str | None:
    if order is None:
        return None
    puzzles = Counter(getattr(grid, "puzzle", None) for grid in grids)
    if None in puzzles:
        raise ValueError(
            "original_order needs grids that know their puzzle's number: give Share objects"
        )
    commonest = min(puzzles, key=lambda puzzle: (-puzzles[puzzle], puzzle))
    try:
        original = normalise(order[commonest])
    except (KeyError, IndexError):
        return None
    if len(letters(original)) != words.length:
        raise ValueError(f"original_order: {original!r} has not {words.length} letters")
    return original


def _normalised(log_likelihoods: np.ndarray, candidates: Sequence[str], power: float) -> pd.Series:
    # The levels are summed at their common scale, then the candidates share a probability of 1.
    most = log_likelihoods.max()
    if not np.isfinite(most):
        raise ValueError(
            "no candidate can give these grids under this model: "
            "set other_puzzle or joke above 0, for a grid may be wrong"
        )
    mass = np.exp(log_likelihoods - most).sum(axis=0) ** power
    # Candidates are sorted: a stable sort breaks ties by the alphabet.
    order = np.argsort(-mass, kind="stable")
    return pd.Series(
        (mass / mass.sum())[order],
        index=pd.Index([candidates[place] for place in order], name="answer"),
        name="probability",
    )


def posterior(
    grids: Iterable,
    words: WordList,
    candidates: Iterable[str] | None = None,
    model: GuessModel | None = None,
    *,
    original_order: Sequence[str] | Mapping[int, str] | None = None,
) -> pd.Series:
    """Probability of each candidate to be the answer, given the grids of one puzzle.

    Every candidate is as likely as every other before the first grid.

    Parameters
    ----------
    grids : iterable
        `Share` objects, or lists of rows; a row is text such as ``"YG..G"`` (or squares) or a code.
    words : WordList
        People guess its allowed words.
    candidates : iterable of str, optional
        What the answer may be; None: the list's answers. Words that are not allowed may be among
        them.
    model : GuessModel, optional
        How people guess; None: by word frequency (`GuessModel.of`).
    original_order : sequence or mapping, optional
        The original list's answer by the number of the puzzle: some players had that list still.
        Needs `Share` objects. A puzzle beyond it has none.

    Returns
    -------
    Series
        Probability by answer, descending, ties by the alphabet; sums to 1. It does not depend on
        the order of the grids.

    Raises
    ------
    ValueError
        For no grids, rows that do not have the list's length, an unfit candidate, or a model of
        another word list.

    Warns
    -----
    UserWarning
        For shares of several puzzles, and for several texts of one row each, which may be meant as
        the rows of one grid.
    """
    if isinstance(grids, Iterator):
        grids = list(grids)
    read = sorted(encode_grids(grids, words.length))
    puzzles = sorted({grid.puzzle for grid in grids if hasattr(grid, "puzzle")})
    if len(puzzles) > 1:
        # Numbers are wrong at times, and grids of another puzzle are part of the model.
        warnings.warn(
            f"the grids are of {len(puzzles)} puzzles, {puzzles[0]} to {puzzles[-1]}: those of "
            "all but one count as noise; give those of one puzzle if you can",
            stacklevel=2,
        )
    candidates = check_candidates(candidates, words)
    model = GuessModel.of(words) if model is None else model
    if not isinstance(model, GuessModel):
        raise TypeError(f"model is a GuessModel or None, not {model!r}")
    model.check(words)
    original = _original_answer(grids, original_order, words)
    totals = log_likelihoods(read, words, candidates, model, original)
    return _normalised(totals, candidates, model.power)


# --- what decides between two answers -------------------------------------------------------------


def deciding_patterns(
    answer: str,
    rival: str,
    words: WordList,
    model: GuessModel | None = None,
    *,
    candidates: tuple[str, ...] | None = None,
) -> pd.DataFrame:
    """First rows that would speak for one answer or the other.

    Parameters
    ----------
    candidates : tuple of str, optional
        Those of a posterior that has the two words: its tables are there already.

    Returns
    -------
    DataFrame
        A row per pattern that either can give: `pattern`, the probability of it as a first row
        under each answer (columns named by the words), `factor` (how many times as likely under
        `answer`, infinite where `rival` cannot give it) and `information` in bits: what the row
        is expected to add to the decision, half the time the one and half the time the other
        being right. Sorted by information, descending, ties by pattern.
    """
    model = GuessModel.of(words) if model is None else model
    model.check(words)
    pair = check_candidates([answer, rival], words)
    answer, rival = normalise(answer), normalise(rival)
    if len(pair) < 2:
        raise ValueError(f"{answer!r} twice: give two words to decide between")
    candidates = candidates or pair
    table = tables_for(words, candidates, model).first[0]
    one, other = (table[:, candidates.index(word)].astype(float) for word in (answer, rival))
    seen = np.flatnonzero(one + other > 0)
    one, other = one[seen], other[seen]
    middle = (one + other) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        factor = one / other
        information = sum(np.where(p > 0, p * np.log2(p / middle), 0) for p in (one, other)) / 2
    frame = pd.DataFrame(
        {
            "pattern": [format_pattern(code, words.length) for code in seen],
            answer: one,
            rival: other,
            "factor": factor,
            "information": information,
        }
    )
    return frame.sort_values(["information", "pattern"], ascending=[False, True], ignore_index=True)
