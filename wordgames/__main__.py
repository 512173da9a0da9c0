"""The command line: ``python -m wordgames COMMAND``; ``--help`` at each level.

To add a command, write one function here. It declares the arguments on the parser that it is
given, and returns what runs them; that imports what it needs, so that ``--help`` stays quick::

    @command("count", "count the words of a list")
    def _count(parser):
        parser.add_argument("--words", default="wordle-2021", help="a name or the path of a file")

        def run(options):
            from wordgames.words import load_words

            print(len(load_words(options.words).answers))

        return run

`run` returns the exit status, None for 0. A ValueError, KeyError, FileNotFoundError or other
OSError that it raises is shown as one line on stderr, with exit status 2: raise one for bad input,
with a message that says what is wrong and how to mend it.
"""

import os
import sys

# With `python -m`, the current folder comes first: a file random.py there would take the place of
# Python's own. The package itself has been found by now.
if __name__ == "__main__" and sys.path[0] == os.getcwd():  # noqa: PTH109 - pathlib may not be loaded yet
    del sys.path[0]

import argparse
import os
import re
import signal
from functools import partial
from pathlib import Path

# nbformat imports jsonschema, which would build a grammar of web addresses in other alphabets. That
# takes three seconds, and no notebook has such an address to check.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]

_COMMANDS = {}

BAD_INPUT, FAILED, INTERRUPTED = 2, 1, 130


def command(name: str, summary: str):
    """Register a function as the command `name`; `summary` is its line in the list of commands."""

    def register(declare):
        _COMMANDS[name] = (summary, declare)
        return declare

    return register


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds < 1e9:
        raise argparse.ArgumentTypeError(f"{text} is no time limit: give seconds above 0")
    return seconds


def _whole(text: str, least: int = 0) -> int:
    if not re.fullmatch("[0-9]{1,18}", text) or int(text) < least:
        raise argparse.ArgumentTypeError(f"{text!r}: give a whole number from {least}")
    return int(text)


_count = partial(_whole, least=1)


def new_file(text: str) -> Path:
    """The path of a file to write; one that cannot be written is refused before any work."""
    from wordgames._files import check_file

    try:
        return check_file(text)
    except OSError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _add_new_file(parser, name: str, summary: str, **others) -> None:
    parser.add_argument(name, type=new_file, metavar="FILE", help=summary, **others)


def _add_run_options(parser) -> None:
    parser.add_argument(
        "-p",
        "--parameter",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="set a parameter of the notebook; may be repeated",
    )
    parser.add_argument(
        "-f", "--file", metavar="YAML", help="a file of parameters, such as params/quick.yml"
    )
    parser.add_argument(
        "--output-dir", default="reports", metavar="DIR", help="where the site goes (reports)"
    )
    _add_limits(parser)


def _add_limits(parser) -> None:
    parser.add_argument(
        "--cell-limit",
        type=_seconds,
        metavar="SECONDS",
        help="end a notebook whose cell takes longer",
    )
    parser.add_argument(
        "--run-limit", type=_seconds, metavar="SECONDS", help="end a notebook that takes longer"
    )


def _add_workers(parser) -> None:
    parser.add_argument(
        "--workers", type=_count, metavar="N", help="start N processes (needs the extra cluster)"
    )
    parser.add_argument(
        "--cluster", metavar="ADDRESS", help="use the workers of this Dask scheduler"
    )


@command("run", "run one notebook strictly and make its page")
def _run(parser):
    parser.add_argument("notebook", help="a number such as 03, or the path of a notebook")
    _add_run_options(parser)

    def run(options):
        from wordgames.reports import runner, settings

        notebook = settings.find_notebook(options.notebook)
        texts = settings.settings_for(notebook, options.parameter, options.file)
        values = settings.parse_parameters(notebook, texts)
        try:
            page = runner.run_report(
                notebook,
                values,
                options.output_dir,
                progress=True,
                limits=runner.Limits(options.cell_limit, options.run_limit),
            )
        except runner.ReportError as error:
            _say(f"{error}\nits page: {error.page}")
            return FAILED
        print(page)
        return 0

    return run


@command("reports", "run the notebooks and make the site")
def _reports(parser):
    parser.add_argument("notebooks", nargs="*", metavar="NN", help="numbers; all if none is given")
    _add_run_options(parser)

    def run(options):
        from wordgames.reports import runner
        from wordgames.reports.settings import read_settings

        texts = read_settings(options.parameter, options.file)
        limits = runner.Limits(options.cell_limit, options.run_limit)
        outcomes = runner.run_reports(
            options.notebooks, texts, options.output_dir, say=_say, limits=limits
        )
        print(Path(options.output_dir) / "index.html")
        return FAILED if any(isinstance(o, runner.ReportError) for o in outcomes.values()) else 0

    return run


@command("sweep", "run one notebook for every combination of parameters and compare the runs")
def _sweep(parser):
    """Run what is missing or has changed; a folder a run, index.html and results.csv."""
    parser.add_argument("notebook", help="a number such as 03, or the path of a notebook")
    parser.add_argument(
        "-p",
        "--parameter",
        action="append",
        default=[],
        metavar="NAME=A,B,C",
        help='values of a parameter; "@folder/*.txt" means each of these files, and a value with '
        "a comma stands in double quotes; may be repeated",
    )
    parser.add_argument("-f", "--file", metavar="YAML", help="a file of parameters or of sweeps")
    parser.add_argument(
        "--sweep", default="", metavar="NAME", help="one of the file (params/sweeps.yml)"
    )
    parser.add_argument("--output-dir", metavar="DIR", help="where it goes (reports/sweep-NN-…)")
    parser.add_argument("--yes", action="store_true", help="allow more than 100 runs")
    _add_limits(parser)
    _add_workers(parser)

    def run(options):
        from wordgames._cluster import workers
        from wordgames.reports import settings
        from wordgames.reports.sweep import DONE, sweep

        notebook = settings.find_notebook(options.notebook)
        texts = settings.read_sweep(notebook, options.parameter, options.file, options.sweep)
        output_dir = options.output_dir
        if output_dir is None:
            output_dir = Path("reports") / f"sweep-{notebook.stem}"
        limits = settings.Limits(options.cell_limit, options.run_limit)
        runs = sweep(
            notebook,
            texts,
            output_dir,
            many=options.yes,
            say=_say,
            limits=limits,
            workers=partial(workers, options.workers, options.cluster),
        )
        print(Path(output_dir) / "index.html")
        return 0 if all(run.state == DONE for run in runs) else FAILED

    return run


@command("proof", "prove that no first guess beats the optimal tree")
def _proof(parser):
    """Bound every first guess; an interrupted run goes on where it stopped."""
    parser.add_argument("--words", default="wordle-2021", help="a name or the path of a file")
    parser.add_argument(
        "--allowed", metavar="FILE", help="with a file of answers: a file of allowed guesses"
    )
    parser.add_argument(
        "--total",
        type=_count,
        help="guesses of a known tree; by default that of the best of a few good first guesses",
    )
    parser.add_argument("--hard", action="store_true", help="hard mode, within six guesses")
    _add_new_file(parser, "--output", "where the proof goes (data/)")
    _add_workers(parser)

    def run(options):
        from wordgames._cluster import workers
        from wordgames._files import check_file
        from wordgames.wordle import tree_search
        from wordgames.wordle.proofs import proof_path
        from wordgames.words import load_words

        words = load_words(options.words, options.allowed)
        output = check_file(options.output or proof_path(words, hard=options.hard))
        unfinished = output.with_name(f"unfinished-{output.name}")
        with workers(options.workers, options.cluster) as executor:
            total = options.total or tree_search.good_total(words, hard=options.hard)
            known = f" at {total:,} guesses" if total < tree_search.NEVER - 1 else ""
            _say(f"bounding {len(words.allowed):,} first guesses of {words.name}{known}")
            bounds = tree_search.prove_optimal(
                words, total, executor, resume=unfinished, hard=options.hard
            )
        unfinished.replace(output)
        for reason, count in bounds["reason"].value_counts().sort_index().items():
            print(f"{reason}: {count:,}")
        least = bounds["bound"].min()
        best = ", ".join(bounds["guess"][bounds["bound"] == least])
        relation = "is the least total, by" if least <= total else "or more are needed, by"
        if least < tree_search.NEVER:
            print(f"{least:,} {relation} {best}: {output}")
        else:
            print(f"no first guess wins every game within six guesses: {output}")

    return run


@command("openers", "the least total and the longest game of every first guess, exactly")
def _openers(parser):
    """Search first guesses; what is found is kept, and an interrupted run goes on from there."""
    parser.add_argument(
        "openers", nargs="*", metavar="WORD", help="first guesses; all if none is given"
    )
    parser.add_argument("--words", default="wordle-2021", help="a name or the path of a file")
    parser.add_argument(
        "--allowed", metavar="FILE", help="with a file of answers: a file of allowed guesses"
    )
    _add_new_file(parser, "--output", "where the result goes (data/computed/)")
    _add_workers(parser)

    def run(options):
        from wordgames._cluster import workers
        from wordgames.wordle.openers import openers_path, solve_openers
        from wordgames.words import load_words

        words = load_words(options.words, options.allowed)
        output = Path(options.output or openers_path(words))
        # Being told to end is like Ctrl-C: what has been found is written first.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        with workers(options.workers, options.cluster) as executor:
            found = solve_openers(words, options.openers or None, executor=executor, resume=output)
        print(found.nsmallest(20, "total").to_string())
        print(f"{output} holds all {len(found):,} of these first guesses, exactly")

    return run


@command("tournament", "let strategies play every answer of some lists")
def _tournament(parser):
    parser.add_argument("strategies", nargs="*", metavar="STRATEGY", help="names; all if none")
    parser.add_argument(
        "--words", nargs="+", default=["wordle-2021"], metavar="LIST", help="names or files"
    )
    parser.add_argument(
        "--candidates",
        choices=("answers", "allowed"),
        default="answers",
        help="the words that the strategies take for possible (answers)",
    )
    parser.add_argument("--hard", action="store_true", help="hard mode")
    _add_new_file(parser, "--output", "write the table to a CSV file")
    _add_workers(parser)

    def run(options):
        from wordgames._cluster import workers
        from wordgames._files import write_whole
        from wordgames.wordle.strategies import tournaments
        from wordgames.words import load_words

        lists = [load_words(name) for name in options.words]
        allowed = options.candidates == "allowed"
        with workers(options.workers, options.cluster) as executor:
            table = tournaments(
                options.strategies, lists, allowed=allowed, hard=options.hard, executor=executor
            )
        print(table.to_string(index=False))
        if options.output:
            write_whole(options.output, table.to_csv(index=False, lineterminator="\n").encode())

    return run


@command("index", "make the first page anew from the reports that are there")
def _index(parser):
    parser.add_argument("--output-dir", default="reports", metavar="DIR", help="folder of the site")

    def run(options):
        from wordgames._files import check_writable
        from wordgames.reports.settings import check_output
        from wordgames.reports.site import build_index

        check_writable(check_output(options.output_dir))
        print(build_index(options.output_dir))

    return run


@command("warm", "compile what is compiled, so that the first use is quick")
def _warm(_parser):
    def run(_options):
        from wordgames._warm import warm

        warm()

    return run


@command("evaluate", "judge the likelihood over grids on real grids whose answers are known")
def _evaluate(parser):
    parser.add_argument("grids", help="a CSV file: puzzle, score, hard (0 or 1), grid (rows, |)")
    parser.add_argument(
        "answers", help="a CSV file: puzzle, answer, and if known original_list_answer"
    )
    parser.add_argument("--words", default="wordle-2021", help="a list's name or a file of answers")
    parser.add_argument("--allowed", help="a file of further allowed guesses")
    parser.add_argument("--sizes", default="1,2,3,4,5", help="grids of a puzzle to judge by")
    parser.add_argument("--draws", type=_count, default=5, help="random splits into halves")
    parser.add_argument("--seed", type=_whole, default=0, help="of the splits and the grids drawn")
    _add_new_file(parser, "--output", "write the table to a CSV file")
    _add_new_file(parser, "--calibration", "how often what is stated is right")
    _add_workers(parser)

    def run(options):
        from wordgames._cluster import workers
        from wordgames._files import write_whole
        from wordgames.emojle.grid_tables import read_grids
        from wordgames.grids.evaluation import evaluate_grids, read_answers
        from wordgames.words import load_words

        if not re.fullmatch(r"[1-9]\d*(,[1-9]\d*)*", options.sizes):
            raise ValueError(f"--sizes {options.sizes}: give whole numbers such as 1,3,5")
        answers, originals = read_answers(options.answers)
        grids, words = read_grids(options.grids), load_words(options.words, options.allowed)
        with workers(options.workers, options.cluster) as executor:
            found = evaluate_grids(
                grids,
                answers,
                words,
                originals,
                sizes=sorted(set(map(int, options.sizes.split(",")))),
                draws=options.draws,
                seed=options.seed,
                executor=executor,
            )
        print(found.summary.to_string(index=False))
        for path, table in (
            (options.output, found.summary),
            (options.calibration, found.calibration),
        ):
            if path:
                write_whole(path, table.to_csv(index=False, lineterminator="\n").encode())

    return run


@command("name-words", "count the simulated grids it takes to name each allowed word")
def _name_words(parser):
    parser.add_argument("--words", default="wordle-2021", help="a list's name or a file of answers")
    parser.add_argument("--allowed", help="a file of further allowed guesses")
    parser.add_argument(
        "--most",
        type=_count,
        default=64,
        help="grids for each word, and 8 times as many for those left",
    )
    parser.add_argument("--seed", type=_whole, default=0, help="of the simulated players")
    _add_new_file(parser, "--output", "write the distribution to a CSV file")
    _add_new_file(parser, "--hardest", "write the 40 hardest words and rivals")
    _add_workers(parser)

    def run(options):
        from wordgames._cluster import workers
        from wordgames._files import write_whole
        from wordgames.grids.evaluation import naming_distribution, naming_of_all
        from wordgames.words import load_words

        words = load_words(options.words, options.allowed)
        with workers(options.workers, options.cluster) as executor:
            hardest = naming_of_all(words, options.most, seed=options.seed, executor=executor)
        counts = naming_distribution(hardest, hardest["answer"][hardest["never_by_sets"]])
        print(counts.to_string(index=False))
        for path, table in ((options.output, counts), (options.hardest, hardest.head(40))):
            if path:
                write_whole(path, table.to_csv(index=False, lineterminator="\n").encode())

    return run


@command("other-vectors", "play Semantle with vectors that are not the game's")
def _other_vectors(parser):
    """Play the games of report 11: each method, with models that agree more or less."""
    parser.add_argument("--embedding", default="glove-6b-50d", help="a name or a file: the game's")
    parser.add_argument("--games", type=_count, default=200, help="of each method and agreement")
    parser.add_argument(
        "--targets", type=_count, default=5000, help="frequent words to choose from"
    )
    parser.add_argument("--past", type=_whole, help="games played before, to learn from (30)")
    parser.add_argument("--agreement", type=float, nargs="+", help="correlations of the models")
    parser.add_argument("--seed", type=_whole, default=0, help="of the targets and the made models")
    _add_new_file(parser, "--output", "write a row a game to a CSV file")

    def run(options):
        import numpy as np

        from wordgames._files import write_whole
        from wordgames.semantle.experiments import (
            AGREEMENTS,
            PAST_GAMES,
            gain_experience,
            guesses_by_agreement,
            popular_words,
        )
        from wordgames.vectors.load import load_embedding

        whole = load_embedding(options.embedding)
        popular = popular_words(whole, options.targets)
        part = whole.select([whole.place(word) for word in popular])
        rng = np.random.default_rng(options.seed)
        before = PAST_GAMES if options.past is None else options.past
        if options.games + before > len(popular):
            raise ValueError(
                f"--games {options.games}, --past {before}: there are only "
                f"{len(popular):,} targets; ask for fewer games"
            )
        # Fewer games are the first of more, so that a table can grow; past ones are the last.
        drawn = [popular[place] for place in rng.permutation(len(popular))]
        aims, past = drawn[: options.games], drawn[len(drawn) - before :]
        agreements = [*dict.fromkeys(options.agreement or AGREEMENTS)]
        learnt = partial(gain_experience, part, past) if past else None
        games = guesses_by_agreement(part, aims, agreements, experience=learnt, seed=options.seed)
        print(games.groupby(["agreement", "method"])["guesses"].describe().round(1).to_string())
        if options.output:
            write_whole(options.output, games.to_csv(index=False, lineterminator="\n").encode())

    return run


@command("solve", "from files of posted grids to a ranked answer of each puzzle")
def _solve(parser):
    """Read posts from files, folders or zips, and rank the answers of each puzzle."""
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a file, a folder, a zip, or -")
    parser.add_argument("--puzzle", type=_whole, metavar="N", help="only this puzzle")
    parser.add_argument("--top", type=_count, default=5, help="words to show of each puzzle (5)")
    parser.add_argument("--json", action="store_true", help="print JSON and nothing else")
    parser.add_argument("--csv", action="store_true", help="print a table in CSV and nothing else")
    parser.add_argument("--refused", action="store_true", help="show every refused post")
    parser.add_argument("--model", metavar="FILE", help="how the group guesses, from `learn`")
    parser.add_argument(
        "--word-list", "--words", help="a name or the path of a file (by the puzzle's number)"
    )
    parser.add_argument("--allowed", metavar="FILE", help="a file of further allowed guesses")
    parser.add_argument(
        "--candidates", choices=("answers", "allowed"), default="answers", help="(answers)"
    )

    def run(options):
        from wordgames.emojle.share_files import read_shares
        from wordgames.grids.solving import print_solution

        print_solution(read_shares(*options.paths), **vars(options))

    return run


@command("learn", "learn how a group guesses from its posts and the answers")
def _learn(parser):
    """Read posts whose answers are known, and write a model for `solve --model`."""
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a file, a folder, a zip, or -")
    parser.add_argument("--answers", required=True, metavar="FILE", help="CSV: puzzle, answer")
    _add_new_file(parser, "--output", "where the model goes", required=True)
    parser.add_argument("--group", default="", metavar="NAME", help="the group's name")
    parser.add_argument("--word-list", "--words", default="wordle-nyt-2023", help="a list's name")

    def run(options):
        from wordgames.emojle.share_files import read_shares
        from wordgames.grids.solving import learn_from
        from wordgames.words import load_words

        posts = [post for _, report in read_shares(*options.paths) for post in report.posts]
        words = load_words(options.word_list)
        model = learn_from(posts, options.answers, words, options.group)
        model.to_file(options.output)
        openers = ", ".join(f"{word} {grids:.0f}" for word, grids in model.openers(8).items())
        print(f"{model.grids:,} grids of {model.group or 'a group'}: {options.output}")
        print(f"first guesses, by the grids that they explain: {openers}")

    return run


def build_parser() -> argparse.ArgumentParser:
    """The parser of the whole command line; each command's options hold its function as `run`."""
    parser = argparse.ArgumentParser(
        prog="python -m wordgames", description="Reports and solvers for three word games."
    )
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for name, (summary, declare) in _COMMANDS.items():
        subparser = commands.add_parser(name, help=summary, description=declare.__doc__ or summary)
        subparser.set_defaults(run=declare(subparser))
    return parser


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit status: 0, 1 failed, 2 bad input, 130 Ctrl-C."""
    for stream in (sys.stdout, sys.stderr):  # a terminal without UTF-8 shows escapes
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    options = build_parser().parse_args(arguments)
    try:
        status = options.run(options) or 0
        sys.stdout.flush()
        return status
    except BrokenPipeError:  # whoever read the output, such as `head`, has enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        _say("interrupted")
        return INTERRUPTED
    except (ValueError, KeyError, OSError, ModuleNotFoundError) as error:
        message = error.args[0] if isinstance(error, KeyError) and error.args else error
        _say(f"error: {message}")
        return BAD_INPUT


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # leaves as tidily as Ctrl-C
    sys.exit(main())
