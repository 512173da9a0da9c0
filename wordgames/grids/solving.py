"""From the posts of many puzzles to a ranked answer for each, and how sure it is.

Each puzzle is judged with the list that has its answer. The newspaper's game went on with the
original list of answers until its puzzle 646 (27 March 2023), the first whose answer was another
word; from there on the answers are those of its list of 2023.
"""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path

import pandas as pd
from tqdm import tqdm

from wordgames.emojle.pattern_sets import PatternSets
from wordgames.emojle.shares import REASONS, Post, Share, ShareReport
from wordgames.grids.evaluation import read_answers
from wordgames.grids.learning import KNOWN_GROUP, fit_guess_model
from wordgames.grids.likelihood import deciding_patterns, posterior
from wordgames.grids.model import GuessModel
from wordgames.patterns import parse_pattern
from wordgames.words import WordList, load_words

FIRST_DAY = date(2021, 6, 19)  # of puzzle 0
FIRST_LATE = 646
EARLY_LIST, LATE_LIST = "wordle-2021", "wordle-nyt-2023"

# How sure a leading word of at least this probability is.
SURE = ((0.95, "sure"), (0.75, "fairly sure"), (0.5, "likely"), (0.2, "a guess"), (0, "open"))


def day_of(puzzle: int) -> date:
    """The day of a puzzle's number."""
    return FIRST_DAY + timedelta(puzzle)


def list_for(puzzle: int) -> WordList:
    """The word list that a puzzle's answer is taken from, as far as its number tells."""
    return load_words(EARLY_LIST if puzzle < FIRST_LATE else LATE_LIST)


@dataclass(frozen=True)
class Ranking:
    """The ranked answers of one puzzle.

    Attributes
    ----------
    puzzle : int
    words : WordList
        The list that it was judged with.
    shares : tuple of Share
    probabilities : Series
        By answer, descending, as `posterior` gives it.
    left : tuple of str
        The candidates that can give every row of every grid: what elimination leaves.
    disbelieved : tuple of Share
        The grids with a row that the leading word cannot give.
    deciding : str
        A first row that would decide best between the two leading words, and for which, in words.
    """

    puzzle: int
    words: WordList
    shares: tuple[Share, ...]
    probabilities: pd.Series
    left: tuple[str, ...]
    disbelieved: tuple[Share, ...]
    deciding: str

    @property
    def sure(self) -> str:
        """How sure the leading word is, in words."""
        return next(word for least, word in SURE if self.probabilities.iloc[0] >= least)


def rank_puzzles(
    shares: Iterable[Share],
    words: WordList | None = None,
    among: str = "answers",
    model: GuessModel | None = None,
) -> list[Ranking]:
    """Rank the candidates of each puzzle by the grids posted of it.

    Parameters
    ----------
    shares : iterable of Share
        Of any number of puzzles.
    words : WordList, optional
        For all puzzles; None: for each the list that has its answer (`list_for`).
    among : str
        ``answers`` or ``allowed``: which words can be the answer.
    model : GuessModel, optional
        How the group guesses; None: by word frequency. It is taken to be the group's own.

    Returns
    -------
    list of Ranking
        By puzzle number, rising.

    Raises
    ------
    ValueError
        For another `among`, or words that are not of the length of the grids.
    """
    if among not in ("answers", "allowed"):
        raise ValueError(f"candidates {among!r}: it takes answers or allowed")
    by_puzzle: dict[int, list[Share]] = {}
    for share in shares:
        by_puzzle.setdefault(share.puzzle, []).append(share)
    judges: dict[str, _Judge] = {}
    rankings = []
    steps = tqdm(
        sorted(by_puzzle.items()), "ranking", unit=" puzzles", disable=None, delay=1, leave=False
    )
    for puzzle, some in steps:
        own = words or list_for(puzzle)
        if own.name not in judges:
            judges[own.name] = _Judge(own, among, model)
        rankings.append(judges[own.name].rank(puzzle, some))
    return rankings


class _Judge:
    """What ranking needs of one word list, made once."""

    def __init__(self, words: WordList, among: str, model: GuessModel | None):
        self.words = words
        self.candidates = words.answers if among == "answers" else words.allowed
        self.among = set(self.candidates)
        self.sets = PatternSets.build(words)
        self.model = GuessModel.of(words)
        if model is not None:
            self.model = replace(model.on(words), own_group=KNOWN_GROUP)

    def rank(self, puzzle: int, shares: Sequence[Share]) -> Ranking:
        length = self.words.length
        odd = next((share for share in shares if len(share.rows[0]) != length), None)
        if odd:
            raise ValueError(
                f"the words of {self.words.name} have {length} letters and the grids have "
                f"{len(odd.rows[0])} cells in a row: choose a word list of that length"
            )
        found = posterior(shares, self.words, self.candidates, self.model)
        rows = {row for share in shares for row in share.rows} - {"G" * length}
        left = tuple(word for word in self.sets.candidates(sorted(rows)) if word in self.among)
        return Ranking(
            puzzle,
            self.words,
            tuple(shares),
            found,
            left,
            tuple(self._disbelieved(found.index[0], shares)),
            self._deciding(found),
        )

    def _disbelieved(self, word: str, shares: Sequence[Share]) -> list[Share]:
        bits = self.sets.bits[self.words.index[word]].tolist()
        length = self.words.length

        def can_give(row: str) -> bool:
            code = parse_pattern(row, length)
            return bool(bits[code // 64] >> code % 64 & 1)

        return [share for share in shares if not all(map(can_give, share.rows))]

    def _deciding(self, found: pd.Series) -> str:
        if len(found) < 2 or found.iloc[0] >= SURE[0][0]:
            return ""
        leader, rival = found.index[:2]
        best = deciding_patterns(leader, rival, self.words, self.model, candidates=self.candidates)
        row, factor = best["pattern"][0], best["factor"][0]
        if best["information"][0] < 1e-6:
            return f"no first row tells {leader} from {rival}"
        word, odds = (leader, factor) if factor >= 1 else (rival, 1 / factor if factor else factor)
        weight = f"{odds:,.0f} to 1" if 0 < odds <= 100 else "over 100 to 1"
        return f"a first row {row} would speak for {word}, {weight} ({leader} or {rival})"


def learn_from(
    posts: Iterable[Post], answers: str | Path, words: WordList | None = None, group: str = ""
) -> GuessModel:
    """Learn how a group guesses from its posts, where the answers are known.

    Parameters
    ----------
    posts : iterable of Post
        Those of puzzles without a known answer are left out.
    answers : str or path
        A CSV file with the columns puzzle and answer.
    words : WordList, optional
        None: the newspaper's list of 2023, which allows every word of the original too.
    group : str
        The group's name, for the model's file.

    Raises
    ------
    FileNotFoundError, ValueError
        For a bad file of answers, or no post of a puzzle in it.
    """
    known, _ = read_answers(answers)
    pairs = [(p.share, known[p.share.puzzle]) for p in posts if p.share.puzzle in known]
    if not pairs:
        raise ValueError(
            f"no grid is of a puzzle whose answer {answers} tells: "
            "its lines are the number of a puzzle and the answer, such as 224,could"
        )
    shares, its_answers = zip(*pairs, strict=True)
    return fit_guess_model(shares, its_answers, words or load_words(LATE_LIST), group=group)


def print_solution(
    found: Sequence[tuple[str, ShareReport]],
    *,
    puzzle: int | None = None,
    top: int = 5,
    model: str | Path | None = None,
    word_list: str | None = None,
    allowed: str | None = None,
    candidates: str = "answers",
    **shown: bool,
) -> None:
    """Print what the posts of some files say of each puzzle; the command `solve`.

    `shown`: `json` or `csv` in place of text, and `refused`, every refused post.

    Raises
    ------
    FileNotFoundError, ValueError
        For a bad model, list or number, and when there is no grid (of the puzzle).
    """
    if top < 1:
        raise ValueError(f"--top {top}: it takes 1 or more")
    if allowed is not None and word_list is None:
        raise ValueError("--allowed goes with --word-list: name the file of answers too")
    words = load_words(word_list, allowed) if word_list is not None else None
    learnt = GuessModel.from_file(model) if model is not None else None
    shares = [share for _, report in found for share in report.shares]
    there = sorted({share.puzzle for share in shares})
    if puzzle is not None:
        shares = [share for share in shares if share.puzzle == puzzle]
    rankings = rank_puzzles(shares, words, candidates, learnt)
    rejected = Counter(reason for _, report in found for _, reason in report.rejected)
    if shown.get("json"):
        print(as_json(rankings, dict(rejected), top))
    elif shown.get("csv"):
        print(as_table(rankings, top).to_csv(index=False, lineterminator="\n"), end="")
    else:
        for one in rankings:
            print(as_text(one, top))
        for line in reading_text(found, bool(shown.get("refused"))):
            print(line)
    if not there:
        raise ValueError(
            "no grid could be read: a post needs a line such as 'Wordle 243 4/6' and the squares "
            "below it"
        )
    if not shares:
        raise ValueError(
            f"no grid of puzzle {puzzle}: there are {len(there):,} puzzles, from {there[0]} to "
            f"{there[-1]}"
        )


# --- What is shown --------------------------------------------------------------------------------


def as_json(rankings: Sequence[Ranking], rejected: dict[str, int], top: int) -> str:
    """Rankings as JSON, the `top` first candidates of each."""
    puzzles = [
        {
            "puzzle": one.puzzle,
            "list": one.words.name,
            "grids": len(one.shares),
            "candidates": [
                {"word": word, "probability": probability}
                for word, probability in one.probabilities.iloc[:top].items()
            ],
            "eliminated_to": len(one.left),
        }
        for one in rankings
    ]
    return json.dumps({"puzzles": puzzles, "rejected": rejected})


def as_table(rankings: Sequence[Ranking], top: int) -> pd.DataFrame:
    """Rankings as a table: a row per puzzle and one of its `top` first candidates."""
    rows = [
        (
            one.puzzle, day_of(one.puzzle).isoformat(), one.words.name, len(one.shares), place,
            word, round(probability, 6), len(one.left), len(one.disbelieved),
        )
        for one in rankings
        for place, (word, probability) in enumerate(one.probabilities.iloc[:top].items(), 1)
    ]  # fmt: skip
    names = "puzzle day list grids rank word probability eliminated_to grids_disbelieved"
    return pd.DataFrame(rows, columns=names.split())


def as_text(one: Ranking, top: int) -> str:
    """One puzzle's ranking for a person: the leading words, how sure, what elimination says."""
    day = day_of(one.puzzle)
    grids = _count(len(one.shares), "grid")
    shown = one.probabilities.iloc[: max(top, 1)]
    words = "  ".join(f"{word} {_per_cent(chance)}" for word, chance in shown.items())
    lines = [
        f"Wordle {one.puzzle:,} ({day.day} {day:%B %Y}): {shown.index[0]}, {one.sure}. "
        f"{grids}, list {one.words.name}.",
        f"    {words}",
    ]
    if one.deciding:
        lines.append(f"    What would decide: {one.deciding}.")
    elimination = f"    Elimination leaves {_count(len(one.left), 'word')}"
    if one.disbelieved:
        first = one.disbelieved[0]
        more = len(one.disbelieved) - 1
        elimination += f"; {shown.index[0]} means to disbelieve the grid {'|'.join(first.rows)}" + (
            f" and {more:,} more" if more else ""
        )
    return "\n".join([*lines, elimination + "."])


def _count(number: int, thing: str) -> str:
    return f"{number:,} {thing}{'s' * (number != 1)}"


def _per_cent(chance: float) -> str:
    return "over 99%" if chance > 0.995 else f"{chance:.0%}" if chance >= 0.005 else "under 1%"


def reading_text(found: Sequence[tuple[str, ShareReport]], examples: bool) -> list[str]:
    """What was not read of some files, as lines: refused posts, copies, files passed over.

    With `examples`, every refused post; else one of each reason.
    """
    refused: dict[str, list[str]] = {}
    passed: dict[str, list[str]] = {}
    for name, report in found:
        if report.problem:
            passed.setdefault(report.problem, []).append(name)
        for excerpt, reason in report.rejected:
            refused.setdefault(reason, []).append(f"{name}: {' '.join(excerpt.split())[:60]}")
    lines = []
    if refused:
        lines.append(f"Refused: {_count(sum(map(len, refused.values())), 'post')}.")
    for reason, cases in sorted(refused.items(), key=lambda pair: (-len(pair[1]), pair[0])):
        lines.append(f"    {len(cases):,}  {reason}: {REASONS[reason]}")
        lines += [f"           {case}" for case in (cases if examples else cases[:1])]
    if copies := sum(report.copies for _, report in found):
        lines.append(f"Left out: {_count(copies, 'post')} that the files hold once more.")
    if passed:
        lines.append(f"Passed over: {_count(sum(map(len, passed.values())), 'file')}.")
    for problem, names in sorted(passed.items(), key=lambda pair: (-len(pair[1]), pair[0])):
        more = f" and {len(names) - 1:,} more" if len(names) > 1 else ""
        lines.append(f"    {names[0]}{more}: {problem}")
    return lines
