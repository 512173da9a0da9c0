"""All patterns of the original list, against filling memory, a compiled loop and plain Python."""

from functools import partial

import numba
import numpy as np

from benchmarks.common import compare, compile_seconds, in_seconds, row
from wordgames import load_words, score_matrix
from wordgames.patterns import encode


@numba.njit(nogil=True)
def scalar_loop(guesses, answers, out):
    """The evaluator as most programs write it: greens, then yellows from left to right."""
    n_letters = guesses.shape[1]
    left = np.zeros(128, np.int8)
    for i in range(len(guesses)):
        for j in range(len(answers)):
            for k in range(n_letters):
                if guesses[i, k] != answers[j, k]:
                    left[answers[j, k]] += 1
            code = 0
            for k in range(n_letters):
                code *= 3
                letter = guesses[i, k]
                if letter == answers[j, k]:
                    code += 2
                elif left[letter]:
                    left[letter] -= 1
                    code += 1
            out[i, j] = code
            for k in range(n_letters):
                left[answers[j, k]] = 0


def plain_python(guesses, answers):
    """The same in plain Python, over lists of text."""
    matrix = []
    for guess in guesses:
        line = []
        for answer in answers:
            left = [a for g, a in zip(guess, answer, strict=True) if g != a]
            code = 0
            for g, a in zip(guess, answer, strict=True):
                code *= 3
                if g == a:
                    code += 2
                elif g in left:
                    left.remove(g)
                    code += 1
            line.append(code)
        matrix.append(line)
    return matrix


def rows(quick: bool = False) -> list[dict]:
    words = load_words().allowed[:: 20 if quick else 1]
    repeats = 3 if quick else 7
    out = np.empty((len(words), len(words)), np.uint8)
    ours = partial(score_matrix, words, words, out=out)
    pairs = f"{len(words) ** 2:,} pairs"

    # Peers that need minutes for all pairs get every tenth or hundredth guess.
    some, few = words[::10], words[::100]
    letters, some_letters = encode(words), encode(some)
    some_out = np.empty((len(some), len(words)), np.uint8)
    loop = partial(scalar_loop, some_letters, letters, some_out)
    loop()
    ours()
    if not np.array_equal(some_out, out[::10]):
        raise AssertionError("the compiled loop and score_matrix differ")
    if plain_python(few[:3], words) != out[: 3 * 100 : 100].tolist():
        raise AssertionError("plain Python and score_matrix differ")

    compiling = compile_seconds(
        "score_matrix(words, words)",
        "from wordgames import score_matrix; words = ('speed', 'abide')",
    )
    return [
        compare(
            f"patterns of {pairs} into one buffer, against filling it",
            ours,
            partial(out.fill, 1),
            wanted="at most 5",
            note="filling runs on one processor, ours on all",
            repeats=repeats,
        ),
        compare(
            "the same, against a plain loop compiled with numba",
            ours,
            loop,
            wanted="at least 50",
            note="the loop did every tenth guess",
            repeats=repeats,
            scale=len(words) / len(some),
        ),
        compare(
            "the same, against plain Python",
            ours,
            partial(plain_python, few, words),
            note="Python did every hundredth guess",
            repeats=1,
            scale=len(words) / len(few),
        ),
        row("compiling the evaluator, once after each update", in_seconds(compiling)),
    ]
