"""Solvers of Semantle: each keeps, or weighs, the words that fit all scores so far."""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from inspect import signature
from weakref import WeakKeyDictionary

import numpy as np
import pandas as pd

from wordgames._hints import whole_number
from wordgames.semantle.game import (
    HALF_STEP,
    SLACK,
    check_score,
    find_word,
    fitting_places,
    is_win,
    near_misses,
    same_word,
)
from wordgames.semantle.half_spaces import HalfSpaces
from wordgames.semantle.other_vectors import OtherVectors
from wordgames.semantle.solver import Solver
from wordgames.vectors.embedding import Embedding
from wordgames.vectors.load import load_embedding

ESSAY_TOLERANCE = 0.01  # the essay's 1e-4 of the cosine, on the scale of scores


class Elimination(Solver):
    """Keeps the words that fit every score; the next guess is one of them.

    Parameters
    ----------
    embedding, rng, opener
        As for `Solver`.
    tolerance : float
        How far a word's own score may be from the one shown.
    frequent : bool
        Guess the most frequent of the words; False: a random one.
    """

    explains = True

    def __init__(self, embedding, rng, opener=None, *, tolerance=HALF_STEP + SLACK, frequent=False):
        self.tolerance, self.frequent = tolerance, frequent
        self.places = None
        super().__init__(embedding, rng, opener)

    def own_opener(self) -> int:
        return 0 if self.frequent else int(self.rng.integers(len(self.embedding)))

    def choose(self) -> int | None:
        if self.places is None:
            return self.opener
        if not len(self.places):
            return None
        return int(self.places[0 if self.frequent else self.rng.integers(len(self.places))])

    def looks_at_all(self, score: float) -> bool:
        return self.places is None

    def learn(self, guess: int, score: float, cosines=None) -> int:
        self.places = fitting_places(
            self.embedding, guess, score, self.places, tolerance=self.tolerance, cosines=cosines
        )
        self.places = self.places[self.places != guess]
        return len(self.places)

    def alike(self, place: int) -> np.ndarray | None:
        return self.places


@lru_cache(maxsize=2)
def log_prior(count: int) -> np.ndarray:
    """Log probability, up to a constant, of each word by its place in the order of frequency.

    Zipf's law as Mandelbrot gave it: proportional to 1 / (rank + 2.7), ranks from 1.
    """
    prior = -np.log(np.arange(count, dtype=np.float32) + np.float32(3.7))
    prior.setflags(write=False)
    return prior


class Soft(Solver):
    """A posterior over all words in which any score may be wrong.

    A score is right with probability 1 - `wrong`, else that of a random word. What a random word
    scores is read off the guess's own similarities: the share of words within half a point of the
    score, spread evenly over that window. A word that fits a score gains the log ratio.

    Parameters
    ----------
    embedding, rng, opener
        As for `Solver`.
    wrong : float
        The share of scores taken to be wrong, above 0 and below 1.
    """

    explains = True
    WINDOW = 0.5  # points to either side: wide enough to hold some words, where any are

    def __init__(self, embedding, rng, opener=None, *, wrong=0.1):
        if not 0 < wrong < 1:
            raise ValueError(f"wrong={wrong!r}: a share of wrong scores lies between 0 and 1")
        super().__init__(embedding, rng, opener)
        self.wrong = wrong
        self.log = log_prior(len(embedding)).copy()
        self.fits = np.zeros(len(embedding), np.uint16)
        self.guessed: list[int] = []

    def choose(self) -> int | None:
        if not self.guessed:
            return self.opener
        if len(self.guessed) == len(self.embedding):
            return None
        return int(np.argmax(self.log))

    def looks_at_all(self, score: float) -> bool:
        return True

    def learn(self, guess: int, score: float, cosines=None) -> int:
        if cosines is None:
            cosines = self.embedding.cosines(guess)
        fit = fitting_places(self.embedding, guess, score, cosines=cosines)
        distances = np.abs(cosines - np.float32(score / 100))
        around = np.count_nonzero(distances <= self.WINDOW / 100)
        by_chance = self.wrong * (around + 1) / (len(cosines) + 1) * (HALF_STEP / self.WINDOW)
        self.log[fit] += np.log((1 - self.wrong + by_chance) / by_chance)
        self.fits[fit] += 1
        self.guessed.append(guess)
        self.log[guess] = -np.inf
        self.fits[guess] = 0
        return int(np.count_nonzero(self.fits == self.fits.max()))

    def alike(self, place: int) -> np.ndarray | None:
        return np.flatnonzero(self.fits == self.fits[place])


# By embedding: a first guess, and what is left after it and up to two more. Nearly all words are
# looked at there, and all games from that guess share these few positions.
_BEGINNINGS: WeakKeyDictionary = WeakKeyDictionary()


class Order(Solver):
    """Knows only which of two guesses is warmer.

    Keeps the guesses sorted, and the words whose own similarities stand in the same order; each
    new guess is compared with its two neighbours.
    """

    def __init__(self, embedding, rng, opener=None):
        super().__init__(embedding, rng, opener)
        self.places = np.arange(len(embedding))
        self.scores: list[float] = []  # of the guesses, falling
        self.similar: list[np.ndarray] = []  # of the candidates with each guess
        self.history: tuple[tuple[int, int, int], ...] = ()  # each guess and its neighbours

    def choose(self) -> int | None:
        if not self.scores:
            return self.opener
        return int(self.places[0]) if len(self.places) else None

    def looks_at_all(self, score: float) -> bool:
        return not self.scores

    def learn(self, guess: int, score: float, cosines=None) -> int:
        # Equal scores tell nothing of the order beneath their rounding: they are passed over.
        warmer = int(np.searchsorted(-np.array(self.scores), -score, side="left")) - 1
        colder = int(np.searchsorted(-np.array(self.scores), -score, side="right"))
        self.history = (*self.history, (guess, warmer, colder))
        if not self.scores and _BEGINNINGS.get(self.embedding, (None,))[0] != guess:
            _BEGINNINGS[self.embedding] = guess, {}
        first, known = _BEGINNINGS[self.embedding]
        left = known.get(self.history)
        if left is None:
            left = self._left(guess, warmer, colder, cosines)
            if len(self.history) <= 3 and self.history[0][0] == first:
                known[self.history] = left
        self.places, self.similar = left
        self.scores.insert(colder, score)
        return len(self.places)

    def _left(self, guess: int, warmer: int, colder: int, cosines):
        """The words that are left, and their similarities with the guesses, the warmest first."""
        mine = self.embedding.cosines(guess, self.places) if cosines is None else cosines
        room = 2 * np.float32(self.embedding.rounding)
        keep = self.places != guess
        if warmer >= 0:
            keep &= self.similar[warmer] >= mine - room
        if colder < len(self.scores):
            keep &= mine >= self.similar[colder] - room
        kept = np.flatnonzero(keep)
        similar = [*self.similar[:colder], mine, *self.similar[colder:]]
        return self.places[kept], [cosines[kept] for cosines in similar]

    def alike(self, place: int) -> np.ndarray | None:
        return self.places


class Climb(Solver):
    """A player who climbs: guesses the nearest word, not yet guessed, to the warmest guess."""

    def __init__(self, embedding, rng, opener=None):
        super().__init__(embedding, rng, opener)
        self.guessed: list[int] = []
        self.warmest, self.cosines = -np.inf, None

    def own_opener(self) -> int:
        return int(self.rng.integers(min(5000, len(self.embedding))))

    def choose(self) -> int | None:
        if not self.guessed:
            return self.opener
        return int(np.argmax(self.cosines)) if len(self.guessed) < len(self.embedding) else None

    def looks_at_all(self, score: float) -> bool:
        return score > self.warmest

    def learn(self, guess: int, score: float, cosines=None) -> int:
        self.guessed.append(guess)
        if score > self.warmest:
            own = self.embedding.cosines(guess) if cosines is None else cosines.copy()
            self.warmest, self.cosines = score, own
        self.cosines[self.guessed] = -np.inf
        return len(self.embedding) - len(self.guessed)


SOLVERS: dict[str, Callable[..., Solver]] = {
    "essay": partial(Elimination, tolerance=ESSAY_TOLERANCE),
    "rounded": Elimination,
    "frequent": partial(Elimination, frequent=True),
    "soft": Soft,
    "order": Order,
    "climb": Climb,
    "other-vectors": OtherVectors,
    "half-spaces": HalfSpaces,
}
METHODS = tuple(SOLVERS)


def make_solver(
    method: str | Callable[..., Solver],
    embedding: Embedding,
    seed: int = 0,
    opener: str | None = None,
    **options,
) -> Solver:
    """A solver at the start of a game; parameters and errors as for `solve_semantle`."""
    if callable(method):
        make, name = method, getattr(method, "__name__", "this solver")
    elif method in SOLVERS:
        make, name = SOLVERS[method], f"the method {method}"
    else:
        raise ValueError(f"no method {method!r}: the methods are {', '.join(SOLVERS)}")
    known = signature(make).parameters
    odd = next((option for option in options if option not in known), None)
    if odd is not None:
        raise TypeError(f"{name} has no option {odd!r}: leave it out")
    first = None if opener is None else find_word(embedding, opener)
    return make(embedding, np.random.default_rng(seed), first, **options)


# --- games ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SemantleGame:
    """A game as a solver played it.

    Attributes
    ----------
    guesses, scores : tuple
        The words guessed, and what the game said of each.
    remaining : tuple of int
        Words left after each guess, the guess itself not among them unless it won. `soft` never
        rules a word out: it counts the words that fit as many scores as any does. Nor do
        `other-vectors` and `half-spaces`: they count the words that hold nine tenths of the
        probability.
    answer : str or None
        The target; None when no word fits, or the guesses ran out.
    tied : frozenset of str
        The words that share the answer's vector, itself among them; empty when there is but one.
    note : str
        Where there is no answer: that the guesses ran out; or, where no word fits all scores, the
        nearest miss and the score that looks wrong, if three or more scores can tell. From
        `other-vectors` also that its vectors have nothing to do with the game's.
    """

    guesses: tuple[str, ...]
    scores: tuple[float, ...]
    remaining: tuple[int, ...]
    answer: str | None
    tied: frozenset[str] = frozenset()
    note: str = ""

    def to_frame(self) -> pd.DataFrame:
        """A row for each guess: guess, score, remaining."""
        return pd.DataFrame(
            {"guess": self.guesses, "score": self.scores, "remaining": self.remaining}
        )


def _explain(embedding: Embedding, guesses: list[str], scores: list[float]) -> str:
    """Which score looks wrong, where no word fits all; empty where one does."""
    best = near_misses(embedding, guesses, scores, count=1).iloc[0]
    if best["fits"] == len(scores):
        return ""
    if best["fits"] < 2:
        return (
            f"no word fits all {len(scores)} scores, nor any two of them, so which is wrong cannot "
            f"be told; the nearest miss is {best['word']!r}, which would get {best['own']:.2f} for "
            f"{best['suspect']!r} (it was {best['shown']:.2f})"
        )
    return (
        f"no word fits all {len(scores)} scores; the nearest miss is {best['word']!r}, which fits "
        f"{best['fits']}: the score of {best['suspect']!r} looks wrong "
        f"(it was {best['shown']:.2f}; {best['word']!r} would get {best['own']:.2f})"
    )


def _twins(solver: Solver, guesses: list[str]) -> frozenset[str]:
    """The words that share the last guess's vector, itself among them, if there is another.

    What shares its vector fits the scores that it fits, so only these and the guesses are compared.
    """
    embedding = solver.embedding
    *others, answer = [embedding.place(word) for word in guesses]
    places = solver.alike(answer)
    if places is None:
        places = np.flatnonzero(embedding.cosines(answer) >= 1 - 2 * embedding.rounding)
    places = np.union1d(places, [*others, answer])
    same = places[embedding.exact_cosines(answer, places) >= 1 - 1e-12]
    return frozenset(embedding.index_to_key[place] for place in same if len(same) > 1)


FEW = 5  # guesses whose similarities are computed sooner one by one


def play_out(games: Sequence, solvers: Sequence[Solver], *, most: int = 100) -> list[SemantleGame]:
    """Play games side by side, each by its own solver.

    The similarities with all words that several solvers look at are computed together, many times
    as fast as for each.

    Parameters
    ----------
    games, most
        As for `solve_semantle`.
    solvers : sequence of Solver
        One for each game, at its start; all with one embedding.
    """
    most = whole_number(most, "most", of="guesses")
    playing = dict(enumerate(map(partial(_play, most=most), games, solvers)))
    ended: dict[int, SemantleGame] = {}
    looked: dict[int, np.ndarray] = {}
    while playing:
        asked = {}
        for number, steps in list(playing.items()):
            try:
                asked[number] = steps.send(looked.get(number))
            except StopIteration as end:
                ended[number] = end.value
                del playing[number]
        embedding, places = solvers[0].embedding, sorted({*asked.values()})
        if len(places) < FEW:
            rows = map(embedding.cosines, places)
        else:
            rows = embedding.cosines_of_many(embedding.vectors(places))
        similar = dict(zip(places, rows, strict=True))
        looked = {number: similar[place] for number, place in asked.items()}
    return [ended[number] for number in sorted(ended)]


def _play(game, solver: Solver, most: int) -> Generator[int, np.ndarray, SemantleGame]:
    """Play a game; yield the place of each guess that the solver compares with all words."""
    embedding = solver.embedding
    guesses, scores, remaining, answer = [], [], [], None
    # A game that has been won before stays won, so then only a score can tell.
    tells = getattr(game, "solved", None) is False
    while answer is None and len(guesses) < most and (place := solver.choose()) is not None:
        word = embedding.index_to_key[place]
        try:
            shown = game.guess(word)
        except KeyError:
            if not solver.refuse(place):
                raise
            continue
        score = check_score(shown, word)
        guesses.append(word)
        scores.append(score)
        if game.solved if tells else is_win(score):
            # A game may take another case of its target's word for it, and tell its own spelling.
            known = getattr(game, "guesses", ())
            answer = guesses[-1] = next((own for own in known if same_word(own, word)), word)
            remaining.append(1)
        else:
            cosines = (yield place) if solver.looks_at_all(score) else None
            remaining.append(solver.learn(place, score, cosines))
    tied, note = frozenset(), ""
    if answer is not None:
        tied = _twins(solver, guesses)
    else:
        note = _explain(embedding, guesses, scores) if solver.explains else ""
        if not note and len(guesses) == most and remaining[-1]:
            note = f"no answer in {most} guesses; words left: {remaining[-1]:,}"
    note = "; ".join(filter(None, (note, solver.remark())))
    return SemantleGame(tuple(guesses), tuple(scores), tuple(remaining), answer, tied, note)


def solve_semantle(
    game,
    method: str | Callable[..., Solver] = "soft",
    embedding: Embedding | None = None,
    seed: int = 0,
    *,
    opener: str | None = None,
    most: int = 100,
    **options,
) -> SemantleGame:
    """Play a game by guesses alone.

    Parameters
    ----------
    game : Semantle or like it
        Only ``game.guess(word)`` and, if there is one, ``game.solved`` are used. Without `solved`,
        or where the game has been won before, a score of 100.00 wins; words that share that vector
        are then told by `tied` alone.
    method : str or subclass of Solver
        A name of `SOLVERS`. ``essay``: a random word among those within 0.0001 of each cosine.
        ``rounded``: a random word among those that each score can be, rounded to two decimals.
        ``frequent``: the most frequent of these, from the first guess on. ``soft``: the most
        probable word, where every score may be wrong. ``order``: only which guess is warmer is
        used, not how warm. ``climb``: no solver but a player to compare with, who guesses the
        nearest neighbour of the warmest word so far. ``other-vectors`` and ``half-spaces`` are
        for a solver whose vectors are not the game's: the first takes each score with an error
        that near guesses share, and knows more with the ``experience`` of past games
        (`learn_experience`); the second only takes which of two guesses is warmer.
    embedding : Embedding, optional
        The words that are candidates and their vectors; by default the game's own, and of a game
        that shows none the default of `load_embedding`. A word that the game refuses with a
        KeyError does not count as a guess of ``other-vectors`` and ``half-spaces``; it ends the
        game of other methods, which take the game's words for their own.
    seed : int
        Of the random choices.
    opener : str, optional
        The first guess, instead of a random or a computed one.
    most : int
        Guesses after which it gives up.
    **options
        Of the solver, such as ``wrong=0.2`` for ``soft`` (see `Soft`).

    Raises
    ------
    ValueError
        For an unknown method, an option beyond its range, or a score that is not a number within
        ±100.
    TypeError
        For an option that the solver does not have.
    KeyError
        For an opener that the embedding does not have.
    """
    if embedding is None:
        embedding = getattr(game, "embedding", None)
    if embedding is None:
        embedding = load_embedding()
    solver = make_solver(method, embedding, seed, opener, **options)
    return play_out([game], [solver], most=most)[0]
