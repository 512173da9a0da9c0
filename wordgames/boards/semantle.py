"""The Semantle board: a word hidden by the kernel, or advice on a game played elsewhere."""

import numpy as np
import traitlets

from wordgames._playable import script
from wordgames.boards.pieces import Board
from wordgames.semantle.experiments import popular_words
from wordgames.semantle.game import (
    HALF_STEP,
    Semantle,
    find_word,
    fitting_places,
    read_score,
)
from wordgames.semantle.play_along import SemantleHelper, advise, fitting_typed
from wordgames.semantle.solvers import solve_semantle


class SemantleBoard(Board):
    """Guess a hidden word by its similarity with your guesses.

    The words that fit every score are what the solver lives on; the board counts them. Its second
    half takes guesses and scores of a game that is played elsewhere.

    Parameters
    ----------
    embedding : Embedding
    seed : int
        Chooses the hidden word; the same seed gives the same word.
    method : str
        Of the solver that plays the same word, shown after the game.
    targets : int
        How many words the hidden word is drawn from, the most frequent (`popular_words`).

    Attributes
    ----------
    game : Semantle
    candidates : list of str
        Words that fit all scores of the game, the most frequent first.
    typed : list of (str, str)
        Guesses and scores of a game elsewhere; they can be set.
    fitting_typed : list of str
        Words that fit all of these exactly, which needs the game's own vectors.
    helper : SemantleHelper
        What can be said of these with other vectors.
    """

    _esm = script("semantle-board")
    advice = traitlets.Dict().tag(sync=True)
    typed = traitlets.List()

    def __init__(self, embedding, *, seed: int = 0, method: str = "soft", targets: int = 5000):
        self.embedding, self.method = embedding, method
        self._targets = popular_words(embedding, targets)
        self.helper = SemantleHelper(embedding)
        self._hide(seed)
        super().__init__()
        self._advise()

    def _hide(self, seed: int) -> None:
        self.seed = seed
        self._target = self._targets[np.random.default_rng(seed).integers(len(self._targets))]
        self.game = Semantle(self.embedding, self._target)
        self._places, self._rows = np.arange(len(self.embedding)), []

    @property
    def candidates(self) -> list[str]:
        """Words that fit all scores of the game, the most frequent first."""
        return [self.embedding.index_to_key[place] for place in self._places]

    def answer_start(self, fresh: bool = False) -> dict:
        """The game as it stands, or a new one."""
        if fresh:
            self._hide(self.seed + 1)
        return {"words": len(self.embedding), "rows": self._rows}

    def answer_guess(self, word: str) -> dict:
        """Score a guess."""
        known = len(self.game.guesses)
        score = self.game.guess(word)
        place = self.game.find(word)
        spelt = self.embedding.index_to_key[place]
        if len(self.game.guesses) == known:
            return {"word": spelt, "score": score, "again": True}
        self._places = fitting_places(self.embedding, place, score, self._places)
        self._places = self._places[(self._places != place) | self.game.solved]
        row = {"word": spelt, "score": score, "remaining": len(self._places)}
        rank = self.game.rank(spelt)
        self._rows.append(row | {"rank": rank and 1001 - rank, "solved": self.game.solved})
        return self._rows[-1]

    def answer_hint(self) -> dict:
        """The most frequent word that fits."""
        if not self.game.guesses:
            return {"problem": "Any word will do as a first guess, even a random one."}
        return {"word": self.candidates[0], "remaining": len(self._places)}

    def answer_reveal(self) -> dict:
        """The hidden word, the words nearest to it, and how the solver finds it."""
        game = Semantle(self.embedding, self._target)
        machine = solve_semantle(game, self.method, seed=self.seed)
        game.guess(self._target)
        near = game.nearest(10)
        moves = zip(machine.guesses, machine.scores, strict=True)
        told = ", ".join(f"{word} {score:.2f}" for word, score in moves)
        return {
            "word": self._target,
            "nearest": list(map(list, zip(near["word"], near["score"], strict=True))),
            "machine": f"The solver needs {len(machine.guesses)}: {told}.",
        }

    # --- a game played elsewhere ---

    @traitlets.validate("typed")
    def _readable(self, proposal):
        pairs, won = {}, ""
        for word, shown in proposal["value"]:
            spelt = self.embedding.index_to_key[find_word(self.embedding, word)]
            if read_score(shown, word)[0] >= 100 - HALF_STEP:
                if won not in ("", spelt):
                    raise ValueError(f"{won} got 100 already.")
                won = spelt
            pairs[spelt] = str(shown)
        return list(pairs.items())

    @traitlets.observe("typed")
    def _advise(self, _=None) -> None:
        self.advice = advise(self.helper, self.typed)

    @property
    def fitting_typed(self) -> list[str]:
        """Words that fit all typed scores, the most frequent first."""
        return fitting_typed(self.embedding, self.typed)

    def answer_add(self, word: str, shown: str) -> dict | None:
        """One more guess and score of a game elsewhere."""
        for field, check in (("guess", find_word), ("score", lambda *_: read_score(shown, word))):
            try:
                check(self.embedding, word)
            except (KeyError, ValueError) as error:
                return {"field": field, "problem": str(error.args[0])}
        try:
            self.typed = [*self.typed, (word, shown)]
        except ValueError as error:
            return {"field": "score", "problem": str(error)}
        return None

    def answer_remove(self, word: str) -> None:
        """Take a guess away again."""
        self.typed = [pair for pair in self.typed if pair[0] != word]

    def answer_forget(self) -> None:
        """Start again; a game that was won tells of the next one's scores."""
        self.helper.clear()
        self.typed = []
