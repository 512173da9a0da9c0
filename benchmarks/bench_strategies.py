"""A tournament of the field's four strategies, against playing each game on its own in numpy."""

from functools import partial

import numpy as np

from benchmarks.common import (
    compare,
    compile_seconds,
    in_megabytes,
    in_seconds,
    peak_memory,
    row,
)
from wordgames import games, load_words, score_matrix, tournament

FIELD = ("entropy", "expected-size", "most-parts", "minimax")


def keys_of(strategy: str, counts: np.ndarray, n_words: int) -> np.ndarray:
    """What a strategy wants small, from counts (n_guesses, n_patterns)."""
    if strategy == "entropy":
        shares = counts / n_words
        bits = -np.log2(shares, out=np.zeros_like(shares), where=counts > 0)
        return -(shares * bits).sum(axis=1).round(9)
    if strategy == "expected-size":
        return (counts.astype(np.int64) ** 2).sum(axis=1)
    return -(counts > 0).sum(axis=1) if strategy == "most-parts" else counts.max(axis=1)


def plain_game(strategy: str, opener: int, answer: int, matrix, place) -> int:
    """Guesses of one game by the same strategy; `place` is each guess's answer column, or -1."""
    n_guesses = len(matrix)
    left, guess, made = np.arange(matrix.shape[1]), opener, 1
    while place[guess] != answer:
        left = left[matrix[guess, left] == matrix[guess, answer]]
        cells = matrix[:, left] + 243 * np.arange(n_guesses)[:, None]
        counts = np.bincount(cells.ravel(), minlength=243 * n_guesses).reshape(n_guesses, 243)
        keys = keys_of(strategy, counts, len(left))
        # Ties: a candidate first, then the alphabet, which is the order of the guesses.
        guess = np.lexsort((~np.isin(place, left), keys))[0]
        made += 1
    return made


def plain_tournament(openers: dict, answers, matrix, place) -> dict:
    """Every strategy plays some answers (columns of the matrix), each game on its own."""
    return {
        strategy: [plain_game(strategy, opener, answer, matrix, place) for answer in answers]
        for strategy, opener in openers.items()
    }


def rows(quick: bool = False) -> list[dict]:
    words = load_words()
    matrix = score_matrix(words.allowed, words.answers)
    column = {word: place for place, word in enumerate(words.answers)}
    place = np.array([column.get(word, -1) for word in words.allowed])
    played = {strategy: games(strategy, words) for strategy in FIELD}
    openers = {name: words.index[all_games[0].guesses[0]] for name, all_games in played.items()}
    # Plain numpy would need minutes for all answers: it plays a slice.
    answers = range(0, len(words.answers), 1000 if quick else 200)
    theirs = plain_tournament(openers, answers, matrix, place)
    for name, lengths in theirs.items():
        if lengths != [len(played[name][answer].guesses) for answer in answers]:
            raise AssertionError(f"{name}: plain numpy plays other games")
    compiling = compile_seconds(
        "play('entropy', 'speed', words)",
        "from wordgames import play\n"
        "from wordgames.words import WordList\n"
        "words = WordList(('abide', 'speed'), ('abide', 'speed'), 'two')",
    )
    memory = peak_memory(
        f"tournament({FIELD!r}, words)",
        "from wordgames import load_words, play, tournament\n"
        "from wordgames.words import WordList\n"
        "play('entropy', 'speed', WordList(('abide', 'speed'), ('abide', 'speed'), 'two'))\n"
        "words = load_words()",
    )
    n_answers, n_guesses = len(words.answers), len(words.allowed)
    return [
        compare(
            f"tournament of {len(FIELD)} strategies, {n_answers:,} answers, {n_guesses:,} guesses, "
            "against plain numpy game by game",
            partial(tournament, FIELD, words),
            partial(plain_tournament, openers, answers, matrix, place),
            wanted="at least 50",
            note=f"opener given to both; numpy played {len(answers)} answers",
            repeats=1 if quick else 3,
            scale=n_answers / len(answers),
        ),
        row(
            "peak memory of that tournament, in MB",
            in_megabytes(memory),
            ratio=memory / 1e6,
            wanted="at most 500",
        ),
        row("compiling the partition kernels, once after each update", in_seconds(compiling)),
    ]
