"""How people guess: word frequencies, the weights of guesses, and a learnt model with its file."""

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from pathlib import Path

import numpy as np
import pandas as pd

from wordgames._files import write_whole
from wordgames._hints import did_you_mean
from wordgames.words import WordList, normalise

# Weight of a guess: (RANK_OFFSET + its rank by frequency)**-TEMPER, answers times ANSWERS_FACTOR.
# The offset keeps the few commonest words from taking all the weight; the power flattens the rest,
# for people choose their guesses by letters too.
RANK_OFFSET = 100
TEMPER = 0.5
ANSWERS_FACTOR = 10
# Later rows are a mixture of these: (power of the rank, whether answers only).
LATER_COMPONENTS = ((0.0, False), (0.0, True), (TEMPER, False), (TEMPER, True))


@lru_cache(maxsize=16)
def word_ranks(words: WordList) -> np.ndarray:
    """Rank by frequency of each allowed word, 0 the most frequent; int64 of shape (n_allowed,).

    A list that does not say how common its words are goes by the order of words in the default
    embedding, GloVe 6B, which is by frequency. A word that it does not have ranks behind all that
    it has.
    """
    if words.frequencies:
        ranks = np.argsort(np.argsort(-np.array(words.frequencies), kind="stable"))
        ranks.setflags(write=False)
        return ranks
    from wordgames.vectors.load import load_embedding

    places = load_embedding().key_to_index
    ranks = np.array([places.get(word, len(places)) for word in words.allowed])
    ranks.setflags(write=False)
    return ranks


def frequency_weights(
    words: WordList, temper: float = TEMPER, answers_factor: float = ANSWERS_FACTOR
) -> np.ndarray:
    """Weight of each allowed word as a guess, by its frequency; float64, sums to 1.

    Parameters
    ----------
    temper : float
        Power of the rank: 0 makes all words alike, 1 is near the frequency itself.
    answers_factor : float
        How many times as likely a possible answer is as another word of its frequency;
        infinity leaves the answers only.
    """
    weights = (RANK_OFFSET + word_ranks(words).astype(float)) ** -temper
    if math.isinf(answers_factor):
        weights = weights * words.is_answer
    else:
        weights = np.where(words.is_answer, answers_factor, 1.0) * weights
    return weights / weights.sum()


def later_components(words: WordList) -> np.ndarray:
    """The weights that later rows are a mixture of: (n_components, n_allowed)."""
    return np.array(
        [
            frequency_weights(words, temper, math.inf if answers_only else 1.0)
            for temper, answers_only in LATER_COMPONENTS
        ]
    )


def _weight_pairs(weights: Mapping[str, float], words: WordList, what: str):
    """Weights by word, checked against a word list: sorted pairs of the positive ones."""
    pairs = {}
    for word, weight in weights.items():
        spelt = normalise(word)
        if spelt not in words.index:
            hint = did_you_mean(spelt, words.allowed)
            raise ValueError(f"{what}: {word!r} is not an allowed word of {words.name}{hint}")
        if not (weight >= 0 and math.isfinite(weight)):
            raise ValueError(f"{what}: the weight of {word!r} is {weight}: it must be 0 or more")
        pairs[spelt] = float(weight)
    if not sum(pairs.values()) > 0:
        raise ValueError(f"{what}: no word has a weight above 0")
    return tuple(sorted((word, weight) for word, weight in pairs.items() if weight > 0))


_SHARES = (
    "lose_green",
    "lose_hit",
    "careless",
    "other_puzzle",
    "joke",
    "original_list",
    "own_group",
)


@dataclass(frozen=True)
class GuessModel:
    """How a group of people guesses, for one word list.

    The defaults of the numbers are round ones near what real grids gave; the notebook on this
    model shows what other values change.

    Attributes
    ----------
    word_list, checksum : str
        Name and SHA-256 of the word list; the model is refused with another.
    opener_counts : tuple of (word, count)
        How many grids, in expectation, each opener explained in learning; empty: nothing learnt.
    opener_prior : tuple of (word, weight)
        Prior weights of openers; empty: by word frequency.
    strength : float
        Grids that the prior counts for.
    later_mix : tuple of float
        Shares of `LATER_COMPONENTS` in the guesses of later rows.
    lose_green, lose_hit : float
        Factor on a later guess for each green, and each hit, that it gives up.
    careless : float
        Share of players who pay no heed to earlier rows.
    other_puzzle, joke, original_list : float
        Share of grids of another puzzle, that are no games, and that are of the original list's
        answer (where that is given; otherwise nothing).
    own_group : float
        Probability, before any grid is seen, that grids come from the group that the openers are
        of. It is low, so that a model used on others' grids is no worse than word frequency; the
        grids soon show it when it is wrong. Set it near 1 where you know whose grids they are
        (``dataclasses.replace(model, own_group=0.9)``): then it names more answers.
    sharpness : tuple of (own_group, power)
        Powers of the likelihood of all grids, by `own_group`; between two of them `power`
        interpolates. Learning sets them so that on the group's own grids what is stated is right
        as often as stated: a power is above 1 when the grids of a puzzle tell more than the model
        makes of them. Empty: the power is 1.
    group : str
        Whose grids it was learnt from; a name for people to read.
    grids : int
        Grids that it was learnt from.
    objective : tuple of float
        Log posterior density after each step of learning; it never falls.
    """

    word_list: str
    checksum: str
    opener_counts: tuple[tuple[str, float], ...] = ()
    opener_prior: tuple[tuple[str, float], ...] = ()
    strength: float = 30.0
    later_mix: tuple[float, ...] = (0.2, 0.45, 0.1, 0.25)
    lose_green: float = 0.03
    lose_hit: float = 0.1
    careless: float = 0.1
    other_puzzle: float = 0.02
    joke: float = 0.003
    original_list: float = 0.02
    own_group: float = 0.1
    sharpness: tuple[tuple[float, float], ...] = ()
    group: str = ""
    grids: int = 0
    objective: tuple[float, ...] = field(default=(), compare=False)

    def __post_init__(self):
        for name in _SHARES:
            value = getattr(self, name)
            if not 0 <= value <= 1:
                raise ValueError(f"{name} = {value!r}: it is a share, from 0 to 1")
        if self.other_puzzle + self.joke + self.original_list >= 1:
            raise ValueError(
                "other_puzzle, joke and original_list add up to 1 or more: "
                "they are shares of the grids, and most are of this puzzle"
            )
        if not (self.strength > 0 and math.isfinite(self.strength)):
            raise ValueError(f"strength = {self.strength!r}: it is a number of grids above 0")
        for own_group, power in self.sharpness:
            if not (0 <= own_group <= 1 and power > 0 and math.isfinite(power)):
                raise ValueError(
                    f"sharpness = {self.sharpness!r}: it is pairs of a share and a power above 0"
                )
        mix = self.later_mix
        if len(mix) != len(LATER_COMPONENTS) or min(mix) < 0 or abs(sum(mix) - 1) > 1e-6:
            raise ValueError(
                f"later_mix = {mix!r}: it is {len(LATER_COMPONENTS)} shares that add up to 1"
            )
        for word, weight in (*self.opener_counts, *self.opener_prior):
            if not (weight >= 0 and math.isfinite(weight)):
                raise ValueError(f"the weight of {word!r} is {weight}: it must be 0 or more")

    @classmethod
    def of(cls, words: WordList, openers: Mapping[str, float] | None = None, **numbers):
        """The model before learning, for a word list.

        Parameters
        ----------
        openers : mapping of word to weight, optional
            Which openers the group is thought to use; None: by word frequency.
        **numbers
            Any of the numbers above, such as ``careless=0.5``.

        Raises
        ------
        ValueError
            For a word that is not allowed, a negative weight, or a number out of its range.
        """
        prior = () if openers is None else _weight_pairs(openers, words, "openers")
        return cls(words.name, words.checksum, opener_prior=prior, **numbers)

    def check(self, words: WordList) -> None:
        """ValueError when the model is for another word list."""
        if self.checksum != words.checksum:
            raise ValueError(
                f"this model was made for the word list {self.word_list} "
                f"(checksum {self.checksum[:12]}…), not for {words.name} "
                f"(checksum {words.checksum[:12]}…): learn one with fit_guess_model"
            )

    def on(self, words: WordList) -> "GuessModel":
        """The same group with another word list of the same game.

        Openers that the list does not allow are left out.

        Raises
        ------
        ValueError
            When the list allows none of the openers.
        """
        if self.checksum == words.checksum:
            return self
        kept = {
            name: tuple(pair for pair in getattr(self, name) if pair[0] in words.index)
            for name in ("opener_counts", "opener_prior")
        }
        if self.knows_openers and not any(kept.values()):
            raise ValueError(
                f"the openers of this model ({self.word_list}) are no words of {words.name}: "
                "learn a model with that list"
            )
        return replace(self, word_list=words.name, checksum=words.checksum, **kept)

    @property
    def power(self) -> float:
        """The power of the likelihood at this `own_group`."""
        if not self.sharpness:
            return 1.0
        shares, powers = zip(*sorted(self.sharpness), strict=True)
        shares = np.clip([self.own_group, *shares], 1e-6, 1 - 1e-6)
        odds = np.log(shares / (1 - shares))
        return float(np.interp(odds[0], odds[1:], powers))

    @property
    def knows_openers(self) -> bool:
        """Whether its openers are others than those by word frequency."""
        return bool(self.opener_counts or self.opener_prior)

    def prior_weights(self, words: WordList) -> np.ndarray:
        """Prior weights of openers: float64 of shape (n_allowed,), sums to 1."""
        if not self.opener_prior:
            return frequency_weights(words)
        weights = np.zeros(len(words.allowed))
        chosen, values = zip(*self.opener_prior, strict=True)
        weights[words.indices(chosen)] = values
        return weights / weights.sum()

    def opener_weights(self, words: WordList) -> np.ndarray:
        """Weights of openers, prior and learnt together: (n_allowed,), sums to 1."""
        weights = self.strength * self.prior_weights(words)
        if self.opener_counts:
            chosen, counts = zip(*self.opener_counts, strict=True)
            weights[words.indices(chosen)] += counts
        return weights / weights.sum()

    def later_weights(self, words: WordList) -> np.ndarray:
        """Weights of later guesses, before those that give up what is known are thinned out."""
        return np.array(self.later_mix) @ later_components(words)

    def openers(self, top: int = 10) -> pd.Series:
        """The openers that explained most grids in learning: expected grids by word."""
        pairs = sorted(self.opener_counts, key=lambda pair: (-pair[1], pair[0]))[:top]
        return pd.Series(
            [count for _, count in pairs],
            index=pd.Index([word for word, _ in pairs], name="opener"),
            name="grids",
            dtype=float,
        )

    def to_file(self, path: str | Path) -> None:
        """Write the model as a small JSON file that names its word list and the list's checksum."""
        entries = {entry.name: getattr(self, entry.name) for entry in fields(self)}
        for name in ("opener_counts", "opener_prior"):
            entries[name] = dict(entries[name])
        entries = json.loads(json.dumps({"format": _FORMAT, **entries}))
        text = json.dumps({**entries, "file checksum": _checksum(entries)}, ensure_ascii=False)
        write_whole(path, (text + "\n").encode())

    @classmethod
    def from_file(cls, path: str | Path, words: WordList | None = None) -> "GuessModel":
        """Read a model that `to_file` wrote; with `words`, refuse one of another word list.

        Raises
        ------
        FileNotFoundError, ValueError
            With the file and what is wrong with it.
        """
        try:
            entries = json.loads(Path(path).read_text(encoding="utf-8"))
            checksum = entries.pop("file checksum", None)  # old files have none
            if checksum is not None and checksum != _checksum(entries):
                raise ValueError("it was altered")
            if entries.pop("format") != _FORMAT:
                raise ValueError("its format is unknown")
            for name in ("opener_counts", "opener_prior"):
                entries[name] = tuple((word, float(w)) for word, w in entries[name].items())
            for name in ("later_mix", "objective"):
                entries[name] = tuple(map(float, entries[name]))
            pairs = entries.get("sharpness", ())
            entries["sharpness"] = tuple((float(own), float(power)) for own, power in pairs)
            model = cls(**entries)
        except FileNotFoundError:
            raise FileNotFoundError(
                f"no guess model {str(path)!r}: write one with to_file"
            ) from None
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise ValueError(
                f"{path} is no guess model ({error}): write one with GuessModel.to_file"
            ) from None
        if words is not None:
            model.check(words)
        return model


_FORMAT = "wordgames guess model 1"


def _checksum(entries: dict) -> str:
    return hashlib.sha256(json.dumps(entries, sort_keys=True).encode()).hexdigest()
