"""What the notebooks on Semantle measure: many games, and how much a score tells."""

import re
from collections.abc import Callable, Sequence
from itertools import islice

import numpy as np
import pandas as pd
from scipy.optimize import brentq

from wordgames._progress import progress
from wordgames.semantle.experience import Experience, learn_experience
from wordgames.semantle.game import (
    Semantle,
    UnreliableSemantle,
)
from wordgames.semantle.solvers import SemantleGame, Solver, make_solver, play_out
from wordgames.vectors.embedding import Embedding
from wordgames.words import is_word

EXPERIENCED = "experienced"  # `other-vectors` once it has played other games
AGREEMENTS = (0.98, 0.77, 0.46, 0.29)  # of another model with the game's
PAST_GAMES = 30  # that the measured solver with experience had played before


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

    The games are played side by side: see `play_out`.

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
    played = []
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
        played += play_out(games, solvers, most=most)
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
    if len(embedding) < 3:
        raise ValueError(f"{embedding.name} has {len(embedding)} words: two models need three")
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


def guesses_by_agreement(
    embedding: Embedding,
    targets: Sequence[str],
    agreements: Sequence[float] = AGREEMENTS,
    methods: Sequence[str] = ("other-vectors", "half-spaces"),
    *,
    solver_embedding: Embedding | None = None,
    experience: Callable[[Embedding], Experience] | None = None,
    seed: int = 0,
    most: int = 400,
) -> pd.DataFrame:
    """Games of each method with vectors that agree more or less with the game's.

    Parameters
    ----------
    embedding : Embedding
        The game's; its words are what the solvers take for possible.
    targets : sequence of str
        One game each.
    agreements : sequence of float
        What the made second models agree (`other_model`).
    methods : sequence of str
    solver_embedding : Embedding, optional
        A second model that is there already, instead of made ones.
    experience : function of the solver's embedding, optional
        What `other-vectors` has learnt from games before (`gain_experience`). If it is given, games
        with it follow, as the method `experienced`.
    seed : int
        Of the made models.
    most : int
        Guesses after which a game is given up.

    Returns
    -------
    DataFrame
        A row a game: agreement, method, target, guesses, won.
    """
    if solver_embedding is not None:
        agreements = (round(correlation(embedding, solver_embedding), 4),)
    rows = []
    for agreement in agreements:
        own = solver_embedding or other_model(embedding, agreement, seed=seed)

        def play(aims, method, own=own, **options):
            return play_games(embedding, aims, method, most=most, solver_embedding=own, **options)

        played = {method: play(targets, method) for method in methods}
        if experience is not None:
            played[EXPERIENCED] = play(targets, "other-vectors", experience=experience(own))
        for method, games in played.items():
            rows += [
                (agreement, method, target, len(game.guesses), game.answer == target)
                for target, game in zip(targets, games, strict=True)
            ]
    return pd.DataFrame(rows, columns=["agreement", "method", "target", "guesses", "won"])


def gain_experience(
    embedding: Embedding, targets: Sequence[str], own: Embedding, *, most: int = 400
) -> Experience:
    """What a solver learns that plays `other-vectors` for some targets, one after another.

    Parameters
    ----------
    embedding, own : Embedding
        The game's, and the solver's.
    targets : sequence of str
    most : int
        Guesses after which a game is given up.
    """
    games = play_games(embedding, targets, "other-vectors", most=most, solver_embedding=own)
    return learn_experience(
        own,
        [
            (target, dict(zip(game.guesses, game.scores, strict=True)))
            for target, game in zip(targets, games, strict=True)
        ],
    )


def popular_words(embedding: Embedding, count: int = 5000, pattern: str | None = None) -> list[str]:
    """The first words of an embedding that a game may hide: its possible targets.

    Parameters
    ----------
    embedding : Embedding
    count : int
        At most so many.
    pattern : str, optional
        What a word has to match as a whole. None: the first of these kinds that is at home in the
        embedding, which a tenth of its first thousand words show: three lower-case letters from a
        to z or more, three letters of any script in lower case or more, letters, any words.
    """
    words = embedding.index_to_key
    wanted = re.compile(pattern).fullmatch if pattern else None
    if wanted is None:
        first = words[:1000]
        wanted = next(kind for kind in _KINDS if 10 * len([*filter(kind, first)]) >= len(first))
    return list(islice(filter(wanted, words), count))


_KINDS = (
    re.compile("[a-z]{3,}").fullmatch,
    lambda word: is_word(word) and len(word) > 2 and word == word.lower(),
    is_word,
    lambda word: True,
)


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
