"""The boards of the play notebooks: Emojle, Wordle and Semantle."""

import anywidget
import numpy as np
import pandas as pd
import traitlets

from wordgames._playable import script, style
from wordgames.boards.pages import list_state
from wordgames.emojle.pattern_sets import PatternSets
from wordgames.grids.likelihood import chances_of_lines
from wordgames.patterns import format_pattern, parse_pattern
from wordgames.semantle.experiments import popular_words
from wordgames.semantle.game import Semantle, fitting_places
from wordgames.semantle.play_along import SemantleHelper, advise, fitting_typed, read_typed
from wordgames.semantle.solvers import solve_semantle
from wordgames.wordle.helper import Helper
from wordgames.words import WordList


class Board(anywidget.AnyWidget):
    """A board in JupyterLab; its script is the one of the pages, or asks the kernel.

    A question of the script names a method, ``_on_<question>``; what that returns is sent back. A
    ValueError or KeyError becomes a sentence beside the field.
    """

    _css = style()

    def __init__(self, **traits):
        super().__init__(**traits)
        self.on_msg(self._receive)

    def _receive(self, _, content, buffers) -> None:
        try:
            answer = getattr(self, f"_on_{content['question']}")(**content["details"]) or {}
        except (KeyError, ValueError) as error:
            text = str(error.args[0])
            text = f"{text[:1].upper()}{text[1:]}{'' if text[-1:] in '.?' else '.'}"
            answer = {"problem": text, "unknown": isinstance(error, KeyError)}
        self.send({"id": content["id"], "answer": answer})

    def __repr__(self) -> str:
        return f"{type(self).__name__} (to play, open it in JupyterLab)"


class EmojleBoard(Board):
    """Find the day's word from patterns alone, by the script of report 04.

    Parameters
    ----------
    words : WordList
    pool : str
        ``answers`` or ``allowed``: which words may be the answer; it can be set.
    """

    _esm = script("emojle")
    data = traitlets.Dict(help="What the script starts from.").tag(sync=True)
    patterns = traitlets.List(
        traitlets.Unicode(),
        help="The lines that count, as ``.YG`` text. Set them as any text of `parse_pattern`.",
    ).tag(sync=True)
    pool = traitlets.Enum(("answers", "allowed"), help="Which may be the answer.").tag(sync=True)

    def __init__(self, words: WordList, *, pool: str = "answers"):
        self.words = words
        self.sets = PatternSets.build(words)
        super().__init__(data=list_state(words), pool=pool)

    @traitlets.validate("patterns")
    def _as_letters(self, proposal):
        length = self.words.length
        codes = dict.fromkeys(parse_pattern(text, length) for text in proposal["value"])
        return [format_pattern(code, length) for code in codes]

    @property
    def candidates(self) -> list[str]:
        """Words that can give every line, sorted."""
        left = self.sets.candidates(self.patterns)
        return left if self.pool == "allowed" else sorted(set(left) & set(self.words.answers))

    @property
    def probabilities(self) -> pd.Series:
        """How likely each candidate is, the likeliest first, as `chances_of_lines`."""
        return chances_of_lines(self.words, self.candidates, self.patterns)


class WordleBoard(Board):
    """Play along with a game: enter a guess and what it showed, get the next guess and why.

    Parameters
    ----------
    words : WordList
    strategy : str
        One of `WordleBoard.STRATEGIES`; it can be changed while playing.
    pool : str
        ``answers`` or ``allowed``: which words may be the answer.
    hard : bool
    """

    _esm = script("wordle")
    STRATEGIES = ("entropy", "expected-size", "most-parts", "minimax", "letter-score-rescored")
    data = traitlets.Dict(help="What the script starts from.").tag(sync=True)
    state = traitlets.Dict(help="What the script shows.").tag(sync=True)
    helper = traitlets.Instance(Helper, help="The game so far; it can be set.")

    def __init__(self, words: WordList, *, strategy="entropy", pool="answers", hard=False):
        self.words, self._pools = words, {"answers": words.answers, "allowed": words.allowed}
        sizes = {pool: len(candidates) for pool, candidates in self._pools.items()}
        data = sizes | {"length": words.length, "strategies": list(self.STRATEGIES)}
        super().__init__(data=data)
        self._play(strategy=strategy, pool=pool, hard=hard)

    def _play(self, entries=(), **settings) -> None:
        candidates = self._pools[settings["pool"]]
        helper = Helper(self.words, settings["strategy"], candidates, settings["hard"])
        for guess, pattern in entries:
            helper = helper.enter(guess, pattern)
        self._settings, self.helper = settings, helper

    @property
    def candidates(self) -> list[str]:
        """Words that may be the answer, sorted."""
        return list(self.helper.remaining)

    @traitlets.observe("helper")
    def _show(self, _) -> None:
        helper, length = self.helper, self.words.length
        best = [] if helper.solved else helper.suggest(5).itertuples()
        self.state = self._settings | {
            "entries": [[word, format_pattern(code, length)] for word, code in helper.entries],
            "remaining": len(helper.remaining),
            "words": list(helper.remaining[:24]),
            "table": [[row.Index, row.words_left, row.win_now, row.parts] for row in best],
        }

    def _on_enter(self, guess: str, pattern: str) -> None:
        self.helper = self.helper.enter(guess, pattern)

    def _on_undo(self) -> None:
        self.helper = self.helper.undo()

    def _on_restart(self) -> None:
        self._play(**self._settings)

    def _on_change(self, **setting) -> None:
        try:
            self._play(self.helper.entries, **self._settings | setting)
        except ValueError as error:
            raise ValueError(f"the guesses so far do not allow this setting: {error}") from None


class SemantleBoard(Board):
    """Guess a hidden word by its similarity with your guesses, or get advice on a game elsewhere.

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
    helper : SemantleHelper
        What can be said of a game elsewhere, with other vectors than these.
    """

    _esm = script("semantle-board")
    advice = traitlets.Dict(help="What `advise` says of a game elsewhere.").tag(sync=True)
    typed = traitlets.List(help="Guesses and scores of a game elsewhere; they can be set.")

    def __init__(self, embedding, *, seed: int = 0, method: str = "soft", targets: int = 5000):
        self.embedding, self.method = embedding, method
        self._targets = popular_words(embedding, targets)
        self.helper = SemantleHelper(embedding)
        self._hide(seed)
        super().__init__(advice=advise(self.helper, []))

    def _hide(self, seed: int) -> None:
        self.seed, rng = seed, np.random.default_rng(seed)
        self._target = self._targets[rng.integers(len(self._targets))]
        self.game = Semantle(self.embedding, self._target)
        self._places, self._rows, self._over = np.arange(len(self.embedding)), [], False

    @property
    def candidates(self) -> list[str]:
        """Words that fit all scores of the game, the most frequent first."""
        return [self.embedding.index_to_key[place] for place in self._places]

    def _on_start(self, fresh: bool = False) -> dict:
        if fresh:
            self._hide(self.seed + 1)
        return {"words": len(self.embedding), "rows": self._rows, "over": self._over}

    def _on_guess(self, word: str) -> dict:
        if self._over:  # perhaps ended in another view of the board
            raise ValueError("the game is over: take a new word")
        score, place = self.game.guess(word), self.game.find(word)
        spelt = self.embedding.index_to_key[place]
        for row in self._rows:
            if row["word"] == spelt:
                return row | {"again": True, "remaining": len(self._places)}
        self._places = fitting_places(self.embedding, place, score, self._places)
        self._places = self._places[(self._places != place) | self.game.solved]
        row = {"word": spelt, "score": score, "remaining": len(self._places)}
        rank = self.game.rank(spelt)
        self._rows.append(row | {"rank": rank and 1001 - rank, "solved": self.game.solved})
        self._over = self.game.solved
        return self._rows[-1]

    def _on_hint(self) -> dict:
        if not self.game.guesses:
            return {}
        word = self.embedding.index_to_key[self._places[0]]
        return {"word": word, "remaining": len(self._places)}

    def _on_reveal(self) -> dict:
        self._over = True
        game = Semantle(self.embedding, self._target)
        machine = solve_semantle(game, self.method, seed=self.seed)
        game.guess(self._target)
        return {
            "word": self._target,
            "nearest": game.nearest(10).to_numpy().tolist(),
            "machine": list(zip(machine.guesses, machine.scores, strict=True)),
        }

    @traitlets.validate("typed")
    def _readable(self, proposal):
        return read_typed(self.embedding, proposal["value"])

    @traitlets.observe("typed")
    def _advise(self, _) -> None:
        self.advice = advise(self.helper, self.typed)

    @property
    def fitting_typed(self) -> list[str]:
        """Words that fit all typed scores exactly, which needs the game's own vectors."""
        return fitting_typed(self.embedding, self.typed)

    def _on_add(self, word: str, shown: str) -> None:
        self.typed = [*self.typed, (word, shown)]

    def _on_remove(self, word: str) -> None:
        self.typed = [pair for pair in self.typed if pair[0] != word]

    def _on_forget(self) -> None:
        self.helper.clear()  # a game that was won tells of the next one's scores
        self.typed = []
