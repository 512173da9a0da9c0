"""The sequel's way to solve Semantle with vectors that are not the game's.

"Solving Semantle With the Wrong Embeddings" by Victoria Ritvo,
https://victoriaritvo.com/blog/robust-semantle-solver/. It is the baseline of `other_vectors`.
"""

import numpy as np

from wordgames._compiled import compiled, in_ranges
from wordgames.semantle.solver import Solver, chances_of, holding, target_log_prior

SOFTNESS = 0.1  # of a cosine


@compiled
def _weigh(start, stop, cosines, earlier, signs, softness, log):
    """Add what the sides say of each word: how far it is beyond the middle of each pair."""
    for word in range(start, stop):
        total, product = 0.0, 1.0  # one logarithm for many pairs, short of an overflow
        for guess in range(len(signs)):
            if signs[guess]:
                beyond = signs[guess] * (cosines[word] - earlier[guess, word])
                product *= 1 + np.exp(min(-beyond / softness, 200.0))
                if product > 1e200:
                    total -= np.log(product)
                    product = 1.0
        log[word] += total - np.log(product)


class HalfSpaces(Solver):
    """Solver that asks only which of two guesses is warmer.

    A word that is as near to one guess as to another lies on the plane between them. If the first
    guess is the warmer one, the target lies on its side, and every word is weighed by how far it is
    on that side: by the logistic function of the difference of its two cosines. The next guess is
    the word with the greatest weight.

    Parameters
    ----------
    embedding, rng, opener
        As for `Solver`; the embedding is the solver's own. There is no random choice.
    softness : float
        The difference of cosines at which a word on the wrong side has 0.27 times the weight of one
        on the plane's other side.
    """

    def __init__(self, embedding, rng, opener=None, *, softness=SOFTNESS):
        if not softness > 0:
            raise ValueError(f"softness={softness!r}: a difference of cosines above 0")
        super().__init__(embedding, rng, opener)
        self.softness = softness
        self.log = target_log_prior(len(embedding)).astype(float)
        self.guessed: list[int] = []
        self._scores: list[float] = []
        self._cosines = np.empty((0, len(embedding)), np.float32)

    def choose(self) -> int | None:
        """The opener, then the word with the greatest weight."""
        if not self.guessed and self.log[self.opener] > -np.inf:
            return self.opener
        best = int(np.argmax(self.log))
        return best if self.log[best] > -np.inf else None

    def learn(self, guess: int, score: float, cosines=None) -> int:
        """Compare the guess with every earlier one."""
        own = self.embedding.cosines(guess) if cosines is None else cosines
        count = len(self.guessed)
        if count:
            signs = np.sign(score - np.array(self._scores))
            in_ranges(
                _weigh,
                len(self.log),
                own,
                self._cosines[:count],
                signs,
                self.softness,
                self.log,
                step=1 << 12,
            )
        self.guessed.append(guess)
        self._scores.append(score)
        if count == len(self._cosines):
            more = np.empty((count + 16, len(own)), np.float32)
            self._cosines = np.concatenate([self._cosines, more])
        self._cosines[count] = own
        self.log[guess] = -np.inf
        return holding(self.probabilities())

    def refuse(self, place: int) -> bool:
        """Take note that the game does not know a word: it is not guessed again."""
        self.log[place] = -np.inf
        return True

    def probabilities(self) -> np.ndarray:
        """The weight of each word as a share of all: float64 (n). The pairs are not independent."""
        return chances_of(self.log)
