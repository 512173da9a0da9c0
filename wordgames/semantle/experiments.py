"""What the notebooks on Semantle measure: many games, and how much a score tells."""

import re
from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
from scipy.optimize import brentq

from wordgames._progress import progress
from wordgames.semantle.game import (
    SLACK,
    Semantle,
    UnreliableSemantle,
    check_scores,
    fitting_places,
)
from wordgames.semantle.solvers import SemantleGame, Soft, Solver, make_solver, play_out
from wordgames.vectors.embedding import Embedding


def least_mean(buckets: int, answers: int) -> float:
    """The least mean number of guesses after an opener with so many buckets: 3 - B/N.

    A second guess wins at most once a bucket; every other target needs a third. (An opener that
    is itself an answer wins one game in N at once, which lowers the mean by 1/N.)
    """
    return 3 - buckets / answers


def play_games(
    embedding: Embedding,
    targets: Sequence[str],
    method: str | Callable[..., Solver],
    seed: int = 0,
    *,
    share: float = 0.0,
    most: int = 100,
    solver_embedding: Embedding | None = None,
    **options,
) -> list[SemantleGame]:
    """One game a target, each as `solve_semantle` would play it with seed + its number.

    The first guesses' similarities with all words, most of the work, are computed together.

    Parameters
    ----------
    embedding : Embedding
        Of the games and, where no other is given, of the solvers.
    targets : sequence of str
    method, seed, most, **options
        As for `solve_semantle`.
    share : float
        Chance that a score is replaced by that of a random word (`UnreliableSemantle`).
    solver_embedding : Embedding, optional
        Of the solvers, where it is not the games'.
    """
    own = embedding if solver_embedding is None else solver_embedding
    played, last = [], (None, None)
    block = max(1, min(64, (1 << 26) // len(own)))  # some 256 MB of similarities
    for start in progress(range(0, len(targets), block), "playing"):
        games, solvers = [], []
        for number, target in enumerate(targets[start : start + block], start):
            games.append(
                UnreliableSemantle(embedding, target, share, seed + number)
                if share
                else Semantle(embedding, target)
            )
            solvers.append(make_solver(method, own, seed + number, **options))
        firsts = [solver.opener for solver in solvers]
        if len(set(firsts)) > 1:
            cosines = own.cosines_of_many(own.vectors(firsts))
        else:
            if last[0] != firsts[0]:
                last = firsts[0], own.cosines(firsts[0])
            cosines = [last[1]] * len(games)
        played += [
            play_out(*game, most=most, cosines=first)
            for *game, first in zip(games, solvers, cosines, strict=True)
        ]
    return played


def correlation(one: Embedding, other: Embedding, *, pairs: int = 100_000, seed: int = 0) -> float:
    """Correlation of two models' cosines over random pairs of different words that both have."""
    shared = [(at, other.index_to_key.find(word)) for at, word in enumerate(one.index_to_key)]
    places = np.array([pair for pair in shared if pair[1] >= 0]).reshape(-1, 2)
    if len(places) < 3:
        raise ValueError(
            f"{one.name} and {other.name} have {len(places)} words in common: no correlation"
        )
    first, second = np.random.default_rng(seed).integers(len(places), size=(2, pairs))
    apart = first != second
    first, second = places[first[apart]], places[second[apart]]
    cosines = [
        _cosines_of_pairs(vectors, first[:, side], second[:, side])
        for side, vectors in enumerate((one, other))
    ]
    return float(np.corrcoef(cosines)[0, 1])


def _cosines_of_pairs(embedding: Embedding, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    products = np.einsum("ij,ij->i", embedding.vectors(first), embedding.vectors(second))
    return products / embedding.norms[first] / embedding.norms[second]


def other_model(
    embedding: Embedding, agreement: float, *, dimensions: int = 50, seed: int = 0
) -> Embedding:
    """A second model of the same words, made by adding random dimensions.

    Each word's vector of length 1 is followed by independent normal numbers, as large as makes the
    two models agree as wanted. The models then err as two trained ones might: in the same way for
    words that are near each other in the second.

    Parameters
    ----------
    embedding : Embedding
    agreement : float
        The `correlation` of the two models' cosines over random pairs, above 0, at most 1.
    dimensions : int
        How many are added.
    seed : int

    >>> from wordgames import load_embedding
    >>> glove = load_embedding(limit=5000)
    >>> round(correlation(glove, other_model(glove, 0.77)), 2)
    0.77
    """
    if not 0 < agreement <= 1:
        raise ValueError(f"agreement={agreement!r}: a correlation above 0 and at most 1")
    rng = np.random.default_rng(seed)
    units = embedding.vectors(slice(None)) / embedding.norms[:, None].astype(np.float32)
    added = rng.standard_normal((len(units), dimensions), np.float32) / np.sqrt(dimensions)
    first, second = rng.integers(len(units), size=(2, 100_000))
    first, second = first[first != second], second[first != second]
    own, noise = (
        np.einsum("ij,ij->i", vectors[first], vectors[second]) for vectors in (units, added)
    )
    lengths = np.sum(added**2, axis=1)

    def agrees(size: float) -> float:
        norms = np.sqrt(1 + size**2 * lengths)
        return np.corrcoef(own, (own + size**2 * noise) / norms[first] / norms[second])[0, 1]

    size = 0.0 if agreement == 1 else brentq(lambda size: agrees(size) - agreement, 0, 100)
    rows = np.hstack([units, np.float32(size) * added]).astype(np.float32)
    name = f"{embedding.name}, another model that agrees {agreement:.2f}"
    return Embedding(name, embedding.index_to_key, rows)


def popular_words(embedding: Embedding, count: int = 5000, pattern: str = "[a-z]{3,}") -> list[str]:
    """The first words of an embedding that match a pattern as a whole: its possible targets."""
    wanted, words = re.compile(pattern), []
    for word in embedding.index_to_key:
        if wanted.fullmatch(word):
            words.append(word)
            if len(words) == count:
                break
    return words


def summary(games: Sequence[SemantleGame], targets: Sequence[str]) -> dict:
    """Mean guesses of some games, its standard error, the most guesses, and the games that failed.

    A game failed when its answer is not its target; its guesses count all the same.
    """
    counts = np.array([len(game.guesses) for game in games])
    return {
        "mean": float(counts.mean()),
        "standard_error": float(counts.std() / np.sqrt(len(counts))),
        "worst": int(counts.max()),
        "failed": sum(game.answer != word for game, word in zip(games, targets, strict=True)),
        "games": len(counts),
    }


def before_the_win(
    embedding: Embedding, targets: Sequence[str], games: Sequence[SemantleGame]
) -> dict:
    """How warm the last guess before the winning one was, over the won games with two or more.

    Returns
    -------
    dict
        Mean first score, mean score of the last guess but one, and the share of games in which
        that guess was among the WARM words nearest to the target.
    """
    won = [
        (word, game)
        for word, game in zip(targets, games, strict=True)
        if game.answer == word and len(game.guesses) > 1
    ]
    ranks = [Semantle(embedding, word).rank(game.guesses[-2]) for word, game in won]
    return {
        "first_score": float(np.mean([game.scores[0] for _, game in won])),
        "last_but_one": float(np.mean([game.scores[-2] for _, game in won])),
        "last_but_one_is_warm": float(np.mean([rank is not None for rank in ranks])),
    }


def score_posterior(
    embedding: Embedding,
    guesses: Sequence[str],
    scores: Sequence[float],
    wrong: float = 0.1,
    count: int = 20,
) -> pd.Series:
    """What `soft` believes after some guesses: probability by word, the most probable first.

    The probabilities are over all words; `count` says how many to return.
    """
    solver = Soft(embedding, np.random.default_rng(0), 0, wrong=wrong)
    for guess, score in check_scores(embedding, guesses, scores):
        solver.learn(guess, score)
    chance = np.exp(solver.log - solver.log.max(), dtype=np.float64)
    order = np.argsort(-chance, kind="stable")[:count]
    return pd.Series(
        chance[order] / chance.sum(),
        index=pd.Index([embedding.index_to_key[place] for place in order], name="word"),
        name="probability",
    )


def guesses_to_identify(
    embedding: Embedding, targets: Sequence[str], decimals: int = 2, seed: int = 0, most: int = 50
) -> np.ndarray:
    """Guesses until one word fits, whether or not it has been guessed: int (n_targets).

    Each guess is a random word among those that fit. Scores have the given number of decimals.
    A game that is not decided after `most` guesses, as when words share a vector, counts as `most`.
    """
    tolerance = 0.5 * 10.0**-decimals + SLACK * 10.0 ** min(0, 2 - decimals)
    counts = np.empty(len(targets), np.int64)
    for number, word in enumerate(progress(targets, "identifying")):
        target, rng = embedding.place(word), np.random.default_rng(seed + number)
        places, count = None, 0
        while count < most and (places is None or len(places) > 1):
            guess = int(rng.integers(len(embedding)) if places is None else rng.choice(places))
            score = round(100 * float(embedding.exact_cosines(guess, target)[0]), decimals)
            places = fitting_places(embedding, guess, score, places, tolerance=tolerance)
            if guess != target:
                places = places[places != guess]
            count += 1
        counts[number] = count
    return counts


def solve_equations(
    embedding: Embedding, target: str, guesses: Sequence[str], scores: Sequence[float]
) -> pd.DataFrame:
    """The target's direction by least squares, from the first 1, 2, … of some guesses.

    The score of a guess is a linear equation in the target's unit vector. Of all vectors that
    fit the equations best, the shortest is taken, and the word nearest to it named.

    Returns
    -------
    DataFrame
        A row for each number of guesses: guesses, word (the nearest), named (whether that is the
        target) and error (the distance of the vector found from the target's unit vector).
    """
    pairs = check_scores(embedding, guesses, scores)
    places = [place for place, _ in pairs]
    units = embedding.vectors(places) / embedding.norms[places, None]
    right = np.array([score for _, score in pairs]) / 100
    found = np.stack(
        [
            np.linalg.lstsq(units[:count], right[:count], rcond=None)[0]
            for count in range(1, len(pairs) + 1)
        ]
    )
    place = embedding.place(target)
    truth = embedding.vectors(place) / embedding.norms[place]
    nearest = embedding.cosines_of_many(found).argmax(1)
    return pd.DataFrame(
        {
            "guesses": np.arange(1, len(pairs) + 1),
            "word": [embedding.index_to_key[at] for at in nearest],
            "named": nearest == place,
            "error": np.linalg.norm(found - truth, axis=1),
        }
    )


def ring(centre: np.ndarray, cosine: float, points: int = 200) -> np.ndarray:
    """The points of the unit sphere that have a given cosine with a centre: (points, 3)."""
    centre = np.asarray(centre, float) / np.linalg.norm(centre)
    across = np.cross(centre, np.eye(3)[np.argmin(np.abs(centre))])
    across /= np.linalg.norm(across)
    turns = np.linspace(0, 2 * np.pi, points)[:, None]
    around = np.cos(turns) * across + np.sin(turns) * np.cross(centre, across)
    return cosine * centre + np.sqrt(1 - cosine**2) * around
