"""The strict runner: what it leaves of good notebooks, of failing ones, and of interrupted runs."""

import errno
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import papermill
import pytest

from wordgames.__main__ import BAD_INPUT, FAILED, INTERRUPTED, main
from wordgames._files import (
    _PLAN,
    _PLAN_TITLE,
    OutputError,
    Staging,
    compose,
    locked,
    write_whole,
)
from wordgames.reports import run_report, runner
from wordgames.reports.nursery import Nursery
from wordgames.reports.parameters import ParameterError
from wordgames.reports.runner import ReportError, run_reports
from wordgames.reports.settings import (
    declared_parameters,
    find_notebook,
    notebook_paths,
    settings_for,
)
from wordgames.reports.site import look

pytestmark = pytest.mark.slow

PARAMETERS = """# The parameters of this report
word_list = "wordle-2021"  # a name, or the path of a file of answers
top = 2  # 1 to 10: rows of each table
text = "a=b"  # a text to show
fail = False  # whether the last cell fails
"""
SETUP = """import os, sys
import pandas as pd
from wordgames import load_words
from wordgames.reports import check_parameters, check_published, record, say
from wordgames.reports import show_answer, show_table
check_parameters()
words = load_words(word_list)"""
TABLE = """frame = pd.DataFrame({"word": words.answers[:5], "n": range(5)})
show_table(frame, "Some words.", name="words", top=top)"""
PICTURE = """from matplotlib import pyplot as plt
from wordgames.figures import show_figure, use_style
use_style()
figure, axes = plt.subplots()
axes.bar([1, 2], [len(words.answers), top])
axes.set(title="Two bars", xlabel="bar", ylabel="height")
show_figure(figure, alt="Two bars, the first higher.", caption="The bars.")"""
LEDGER = """check_published("E02", len(words.answers), using=words.name)
check_published("E22", "false", why="The places differ.", using=words.name);"""
REST = """print("printed", end=" ")
print("noise", file=sys.stderr)
print("text")
record("folder", os.path.basename(os.getcwd()))
record("words", len(words.answers))
if fail:
    raise ValueError("asked to <fail>")"""


def write(path: Path, *cells: str, title: str = "# How many words are there?\n\nIt is asked."):
    """A notebook of a title, a parameters cell and code cells."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(title)])
    for place, source in enumerate(cells):
        cell = nbformat.v4.new_code_cell(source)
        if place == 0:
            cell.metadata["tags"] = ["parameters"]
        notebook.cells.append(cell)
    for place, cell in enumerate(notebook.cells):
        cell.id = f"cell-{place}"
    notebook.metadata["kernelspec"] = {"display_name": "other", "language": "R", "name": "ir"}
    nbformat.write(notebook, path)
    return path


ANSWER = 'show_answer(f"There are {len(words.answers):,} words.", assuming="a list")'


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """A notebook with everything that a report has."""
    folder = tmp_path_factory.mktemp("notebooks")
    cells = (PARAMETERS, SETUP, ANSWER, "say(text)", TABLE, PICTURE, LEDGER, REST)
    return write(folder / "70-demo.ipynb", *cells)


def files(folder: Path) -> dict[str, bytes]:
    """All files of a folder but the lock, by their paths in it."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != ".lock"
    }


@pytest.fixture(scope="module")
def good(demo, tmp_path_factory):
    """The output folder of one good run."""
    out = tmp_path_factory.mktemp("good")
    page = run_report(demo, {"text": "k=v nan", "top": 3}, out)
    assert page == out / "70-demo.html"
    return out


def test_what_a_run_leaves(good):
    assert list(files(good)) == [
        "70-demo.html",
        "index.html",
        "ledger.csv",
        "ledger.json",
        "notebooks/70-demo.ipynb",
        "results/70-demo.json",
        "tables/70-demo/words.csv",
    ]


def test_results(good):
    results = json.loads((good / "results/70-demo.json").read_text())
    assert results["parameters"] == {
        "word_list": "wordle-2021",
        "top": 3,
        "text": "k=v nan",
        "fail": False,
    }
    assert results["results"]["answer"] == "There are 2,315 words."
    assert results["results"]["words"] == 2315
    assert [(row["id"], row["verdict"]) for row in results["published"]] == [
        ("E02", "given"),
        ("E22", "contradicted"),
    ]
    assert set(results["published"][0]) == {"id", "published", "ours", "verdict", "why"}


def test_whole_tables_lie_beside_the_page(good):
    table = (good / "tables/70-demo/words.csv").read_text()
    assert table == "word,n\naback,0\nabase,1\nabate,2\nabbey,3\nabbot,4\n"


def test_the_executed_copy_is_a_notebook_without_noise(good):
    text = (good / "notebooks/70-demo.ipynb").read_text()
    notebook = nbformat.reads(text, as_version=4)
    nbformat.validate(notebook)
    assert "papermill" not in text and "start_time" not in text
    printed = [o.text for c in notebook.cells for o in c.get("outputs", []) if "text" in o]
    assert printed == ["printed text\n"]
    assert [c.id for c in notebook.cells if "injected-parameters" in c.metadata.get("tags", [])]


@pytest.fixture(scope="module")
def history(demo, tmp_path_factory):
    """What lies in one folder after a good run, a failing one, and a good one again."""
    out = tmp_path_factory.mktemp("history")
    given = {"text": "k=v nan", "top": 3}
    run_report(demo, given, out)
    states = [files(out)]
    with pytest.raises(ReportError) as error:
        run_report(demo, {**given, "fail": True}, out)
    states.append(files(out))
    run_report(demo, given, out)
    states.append(files(out))
    return states, error.value


def test_two_runs_are_the_same_bytes(good, history):
    states, _ = history
    assert files(good) == states[0] == states[2]


def test_a_failing_run_leaves_what_was_good(history):
    (before, failed, _), error = history
    assert set(failed) - set(before) == {"70-demo.FAILED.html"}
    changed = {name for name in before if before[name] != failed[name]}
    assert changed == {"index.html"}
    assert b"70-demo.FAILED.html" in failed["index.html"]
    assert error.page.name == "70-demo.FAILED.html"
    assert "ValueError: asked to <fail>" in str(error)
    page = failed["70-demo.FAILED.html"].decode()
    assert "asked to &lt;fail&gt;" in page and "This run failed." in page
    assert "There are 2,315 words." in page  # what it showed until then


BROKEN = {
    "71-raise": ("1 / 0", "ZeroDivisionError: division by zero, in the cell that begins '1 / 0'"),
    "72-exit": ("sys.exit(0)", "SystemExit: 0"),
    "73-exit-in-the-kernel": ("os._exit(0)", "its kernel died"),
    "74-killed": ("import signal; os.kill(os.getpid(), signal.SIGKILL)", "its kernel died"),
    "75-interrupt": ("raise KeyboardInterrupt", "KeyboardInterrupt"),
    "76-no-alt": (
        "from matplotlib import pyplot as plt; plt.plot([1]); plt.show()",
        "a picture without alt text",
    ),
    "77-clash": (
        'for n in (1, 2): show_table(pd.DataFrame({"n": [n]}), "A table.", name="same")',
        "two different tables are named 'same'",
    ),
    "78-value": ("top = 99\ncheck_parameters()", "parameter top = 99"),
}


@pytest.fixture(scope="module")
def broken(tmp_path_factory):
    """The outcomes of notebooks that fail in all ways, and one that does not, run together."""
    folder, out = tmp_path_factory.mktemp("broken"), tmp_path_factory.mktemp("broken-out")
    for name, (source, _) in BROKEN.items():
        write(folder / f"{name}.ipynb", PARAMETERS, SETUP, source, "print('after')")
    write(folder / "79-sound.ipynb", PARAMETERS, SETUP, ANSWER)
    lines = []
    outcomes = run_reports(sorted(folder.glob("*.ipynb")), {"top": "3"}, out, say=lines.append)
    return outcomes, out, lines


@pytest.mark.parametrize("name", BROKEN)
def test_every_way_to_fail_is_a_failure(broken, name):
    outcomes, out, _ = broken
    assert isinstance(outcomes[name], ReportError)
    assert BROKEN[name][1] in str(outcomes[name])
    assert (out / f"{name}.FAILED.html").exists()
    assert not (out / f"{name}.html").exists()
    assert not (out / "results" / f"{name}.json").exists()


def test_one_failure_does_not_stop_the_others(broken):
    outcomes, out, lines = broken
    assert outcomes["79-sound"] == out / "79-sound.html"
    assert (out / "79-sound.html").exists()
    assert sum("FAILED" in line for line in lines) == len(BROKEN)
    assert any(line.startswith(f"{len(BROKEN) + 1} of {len(BROKEN) + 1}: ") for line in lines)
    index = (out / "index.html").read_text()
    assert index.count("The last run failed.") == len(BROKEN)


def test_a_forked_kernel_leaves_the_same_bytes(broken, tmp_path):
    """Of several runs each has a kernel that a nursery forked; one run alone starts its own."""
    _, out, _ = broken
    path = write(tmp_path / "79-sound.ipynb", PARAMETERS, SETUP, ANSWER)
    run_report(path, {"top": 3}, tmp_path / "out")
    for name in ("results/79-sound.json", "notebooks/79-sound.ipynb"):
        assert (out / name).read_bytes() == (tmp_path / "out" / name).read_bytes()


def test_a_nursery_that_cannot_start_is_said(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "executable", "/bin/false")
    kernels = Nursery()
    for _ in range(2):
        with pytest.raises(OSError, match=r"nursery of kernels has ended|Broken pipe"):
            kernels.start([], {}, tmp_path / "said")
    kernels.close()


def test_the_command_line_says_which_notebook_failed(tmp_path, capsys):
    notebook = write(tmp_path / "71-raise.ipynb", PARAMETERS, "1 / 0")
    assert main(["run", str(notebook), "--output-dir", str(tmp_path / "out")]) == FAILED
    error = capsys.readouterr().err
    assert "71-raise failed: ZeroDivisionError" in error
    assert str(tmp_path / "out" / "71-raise.FAILED.html") in error
    assert main(["reports", str(notebook), "--output-dir", str(tmp_path / "out")]) == FAILED
    assert "1 of 1: 71-raise: FAILED" in capsys.readouterr().err
    assert (tmp_path / "out" / "index.html").exists()


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["-p", "topp=3"], "; did you mean 'top'?"),
        (["-p", "zzz=3"], "the parameters are word_list, top, text, fail"),
        (["-p", "top=11"], "parameter top = 11: it takes a whole number from 1 to 10"),
        (["-p", "top=many"], "parameter top = 'many'"),
        (["-p", "fail=maybe"], "it takes true or false"),
        (["-p", "word_list=wordle-2012"], "did you mean 'wordle-2021'?"),
        (["-p", "top"], "write name=value"),
        (["-f", "missing.yml"], "missing.yml"),
    ],
)
def test_a_wrong_parameter_is_one_clear_message(demo, tmp_path, capsys, arguments, message):
    out = tmp_path / "out"
    assert main(["run", str(demo), *arguments, "--output-dir", str(out)]) == BAD_INPUT
    error = capsys.readouterr().err
    assert message in error and error.startswith("error: ") and error.count("\n") == 1
    assert not out.exists()  # before any work
    assert main(["reports", str(demo), *arguments, "--output-dir", str(out)]) == BAD_INPUT
    assert not out.exists()


def test_wrong_parameters_of_the_function(demo, tmp_path):
    for wrong in ({"topp": 3}, {"top": "3"}, {"top": 0}, {"text": None}):
        with pytest.raises(ParameterError):
            run_report(demo, wrong, tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", ["99", "no-such", "missing.ipynb", ""])
def test_a_notebook_that_does_not_exist(name, tmp_path, capsys):
    assert main(["run", name, "--output-dir", str(tmp_path / "out")]) == BAD_INPUT
    assert repr(name) in capsys.readouterr().err


def test_a_file_that_is_no_notebook(tmp_path, capsys):
    path = tmp_path / "x.ipynb"
    path.write_text("{]")
    assert main(["run", str(path)]) == BAD_INPUT
    assert "is not a notebook" in capsys.readouterr().err


def test_a_number_finds_its_notebook_from_any_folder(tmp_path, monkeypatch, root):
    monkeypatch.chdir(tmp_path)
    for name in ("01", 1, "1", "01-pat", "01-pattern-cardinality"):
        assert find_notebook(name) == root / "notebooks" / "01-pattern-cardinality.ipynb"
    paths = [Path("01-a.ipynb"), Path("01-b.ipynb")]
    monkeypatch.setattr("wordgames.reports.settings.notebook_paths", lambda: paths)
    with pytest.raises(FileNotFoundError, match=r"several notebooks.* 01-a, 01-b"):
        find_notebook("01")


def test_a_file_of_settings_serves_all_notebooks(demo, tmp_path):
    settings = tmp_path / "quick.yml"
    # One of ours, one that only another notebook declares.
    settings.write_text("top: 1\nword_list: nan\n")
    found = settings_for(demo, ["text=x"], str(settings))
    assert found == {"top": "1", "text": "x", "word_list": "nan"}
    others = {n for path in notebook_paths() for n in declared_parameters(path)}
    foreign = sorted(others - set(found))
    if foreign:
        settings.write_text(f"{foreign[0]}: 1\n")
        assert settings_for(demo, [], str(settings)) == {}
        # On the command line itself it is a mistake.
        assert settings_for(demo, [f"{foreign[0]}=1"], None) == {foreign[0]: "1"}
    settings.write_text("nobody_has_this: 1\n")
    assert settings_for(demo, [], str(settings)) == {"nobody_has_this": "1"}


def test_both_ways_to_run_work_from_any_folder(demo, tmp_path, monkeypatch):
    folder = tmp_path / "a folder"
    folder.mkdir()
    (folder / "mine.txt").write_text("crane\nslate\ntrace\nabbey\nerase\n")
    monkeypatch.chdir(folder)
    odd = "a \"quoted\" 'b' \\n {x} = $y$ ärger 🟩 nan"
    run_report(demo, {"word_list": "mine.txt", "text": odd}, "out")
    ours = json.loads(Path("out/results/70-demo.json").read_text())
    assert ours["results"]["folder"] == "a folder"
    assert ours["results"]["words"] == 5
    assert ours["parameters"]["text"] == odd
    papermill.execute_notebook(
        demo,
        folder / "plain.ipynb",
        {"word_list": "mine.txt", "text": odd},
        kernel_name="python3",
        language="python",
        progress_bar=False,
    )
    notebook = nbformat.read("plain.ipynb", as_version=4)
    records = {
        record["name"]: record["value"] for record in runner._outputs(notebook, runner.RECORD)
    }
    assert records == ours["results"]
    shown = [
        o.data.get("text/markdown")
        for c in notebook.cells
        for o in c.get("outputs", [])
        if "data" in o
    ]
    assert odd in shown


def test_plain_papermill_stops_at_a_parameter_that_does_not_exist(demo, tmp_path):
    """It only warns itself, and would answer a question that nobody asked."""
    with pytest.raises(
        papermill.PapermillExecutionError, match=r"no parameter 'tpo': .* did you mean"
    ):
        papermill.execute_notebook(
            demo,
            tmp_path / "out.ipynb",
            {"top": 3, "tpo": 5},
            kernel_name="python3",
            language="python",
            progress_bar=False,
        )


def test_the_executed_copy_can_be_run_again(good, tmp_path):
    """A notebook with parameters already in it is a notebook like any other."""
    page = run_report(good / "notebooks/70-demo.ipynb", {"text": "k=v nan"}, tmp_path)
    results = json.loads((tmp_path / "results/70-demo.json").read_text())
    assert page.exists() and results["results"]["words"] == 2315


@pytest.fixture
def read_only(tmp_path):
    """A folder that even root cannot write into."""
    folder = tmp_path / "read only"
    folder.mkdir()
    if os.geteuid() != 0:
        folder.chmod(0o555)
        yield folder
        folder.chmod(0o755)
        return
    mount = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "ro", "tmpfs", folder],
        capture_output=True,
        text=True,
        check=False,
    )
    if mount.returncode:
        if os.environ.get("CI") == "true":
            pytest.fail(f"CI needs to mount a folder read-only: {mount.stderr}")
        pytest.skip(f"mounting is not permitted here: {mount.stderr}")
    yield folder
    subprocess.run(["umount", folder], check=True)


def test_a_folder_that_cannot_be_written(demo, read_only, capsys, monkeypatch):
    monkeypatch.setattr(runner, "_run_cells", lambda *_: pytest.fail("work was begun"))
    for out in (read_only, read_only / "deeper"):
        for command in ("run", "reports"):
            assert main([command, str(demo), "--output-dir", str(out)]) == BAD_INPUT
            error = capsys.readouterr().err
            assert "cannot write into" in error and str(read_only) in error
            assert "--output-dir" in error
    with pytest.raises(OutputError):
        run_report(demo, output_dir=read_only)


def test_no_file_can_be_written_on_a_read_only_disk(read_only):
    for path in (read_only / "sets.txt", read_only / "deeper" / "sets.txt"):
        with pytest.raises(OSError, match=r"cannot write this file.*sets\.txt'$"):
            write_whole(path, b"x")
    with pytest.raises(IsADirectoryError, match="this is a folder"):
        write_whole(read_only, b"x")


def test_an_output_folder_that_is_a_file(demo, tmp_path, capsys):
    (tmp_path / "file").write_text("mine")
    assert main(["run", str(demo), "--output-dir", str(tmp_path / "file")]) == BAD_INPUT
    assert "cannot write into" in capsys.readouterr().err
    assert (tmp_path / "file").read_text() == "mine"


def test_a_write_that_fails_leaves_the_old_files(tmp_path):
    (tmp_path / "a.txt").write_text("old")
    with pytest.raises(UnicodeEncodeError), Staging(tmp_path) as staging:  # noqa: PT012 - in one block
        staging.write(tmp_path / "a.txt", "new")
        staging.write(tmp_path / "b.txt", "half \udc00 written")
    assert files(tmp_path) == {"a.txt": b"old"}
    with Staging(tmp_path) as staging:
        staging.write(tmp_path / "a.txt", "new\n")
        assert (tmp_path / "a.txt").read_text() == "old"
    assert files(tmp_path) == {"a.txt": b"new\n"}


def test_tables_of_an_earlier_run_do_not_stay(tmp_path):
    path = tmp_path / "80-tables.ipynb"
    source = 'show_table(pd.DataFrame({"n": [1]}), "A table.", name="NAME")'
    for name in ("first", "second"):
        write(path, PARAMETERS, SETUP, source.replace("NAME", name))
        run_report(path, output_dir=tmp_path / "out")
        assert [p.stem for p in (tmp_path / "out/tables/80-tables").iterdir()] == [name]


def _gone(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        return state == "Z"
    except FileNotFoundError:
        return True


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads /proc")
@pytest.mark.parametrize(
    "command, sent", [("run", signal.SIGINT), ("reports", signal.SIGINT), ("run", signal.SIGTERM)]
)
def test_an_end_from_outside_ends_the_kernels_and_leaves_nothing(tmp_path, command, sent):
    out = tmp_path / "out"
    (tmp_path / "temporary").mkdir()
    # Files that would take the place of Python's own.
    (tmp_path / "random.py").write_text("raise SystemExit('the wrong random')")
    slow = write(
        tmp_path / "81-slow.ipynb",
        PARAMETERS,
        "import os, time\nfrom pathlib import Path",
        'Path("pid").write_text(f"{os.getpid()}\\n")\ntime.sleep(600)',
    )
    notebooks = [slow]
    if command == "reports":  # two of them, which a nursery forks
        notebooks.append(tmp_path / "82-slow-too.ipynb")
        notebooks[1].write_text(slow.read_text().replace('pid\\"', 'other\\"'))
    process = subprocess.Popen(
        [sys.executable, "-m", "wordgames", command, *notebooks, "--output-dir", out],
        cwd=tmp_path,
        env={**os.environ, "TMPDIR": str(tmp_path / "temporary")},
        stderr=subprocess.PIPE,
        text=True,
        # A shell that starts a command in the background lets it ignore Ctrl-C.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # noqa: PLW1509 - the tests start no threads here
    )
    pids = [tmp_path / name for name in ("pid", "other")[: len(notebooks)]]
    deadline = time.monotonic() + 120
    while not all(pid.exists() and pid.read_text().endswith("\n") for pid in pids):
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(sent)
    _, error = process.communicate(timeout=60)
    assert process.returncode == INTERRUPTED
    assert error.rstrip().endswith("interrupted") and "Traceback" not in error
    assert not [name for name in files(out) if "-slow" in name]
    assert list((tmp_path / "temporary").iterdir()) == []
    while not all(_gone(int(pid.read_text())) for pid in pids):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_a_good_run_says_nothing_but_its_progress(tmp_path):
    """The kernel's own messages about being ended would frighten."""
    path = write(tmp_path / "82-good.ipynb", PARAMETERS, "import random\nrandom.Random(1).random()")
    (tmp_path / "random.py").write_text("raise SystemExit('the wrong random')")
    run = subprocess.run(
        [sys.executable, "-m", "wordgames", "run", path, "--output-dir", tmp_path / "out"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout == f"{tmp_path / 'out' / '82-good.html'}\n"
    assert all("82-good" in line for line in re.split(r"[\r\n]+", run.stderr) if line.strip())


@pytest.mark.parametrize("kind", ["cell", "run"])
def test_a_notebook_that_never_ends_can_be_given_a_limit(tmp_path, capsys, kind):
    path = write(tmp_path / "83-endless.ipynb", PARAMETERS, "import time\ntime.sleep(600)")
    arguments = [f"--{kind}-limit", "4", "--output-dir", str(tmp_path / "out")]
    assert main(["run", str(path), *arguments]) == FAILED
    error = capsys.readouterr().err
    assert f"longer than --{kind}-limit 4 seconds" in error
    # A whole run's limit may be up before the first cell begins.
    assert kind == "run" or "begins 'import time'" in error
    assert (tmp_path / "out" / "83-endless.FAILED.html").exists()


@pytest.mark.parametrize("limit", ["0", "-1", "soon", "nan"])
def test_a_limit_that_is_no_number_of_seconds(limit, capsys):
    with pytest.raises(SystemExit) as end:
        main(["run", "03", "--run-limit", limit])
    assert end.value.code == BAD_INPUT
    assert "--run-limit" in capsys.readouterr().err


@pytest.mark.parametrize("where", ["", ".", "../here"])
def test_an_output_folder_that_would_overwrite_sources(tmp_path, monkeypatch, capsys, where):
    (tmp_path / "here" / "notebooks").mkdir(parents=True)
    path = write(tmp_path / "here" / "notebooks" / "84-mine.ipynb", PARAMETERS, "1 + 1")
    before = path.read_bytes()
    monkeypatch.chdir(tmp_path / "here")
    assert main(["run", str(path), "--output-dir", where]) == BAD_INPUT
    error = capsys.readouterr().err
    assert "--output-dir" in error
    assert "such as reports" in error
    assert files(tmp_path) == {"here/notebooks/84-mine.ipynb": before}


@pytest.mark.parametrize("moves, left", [(0, b"old"), (1, b"new"), (2, b"new"), (3, b"new")])
def test_a_move_that_was_killed_is_finished_or_undone(tmp_path, monkeypatch, moves, left):
    """After any number of moves, the plan's own first, files that belong together stay together."""
    names = ["page.html", "results/page.json", "tables/page/t.csv"]

    def write_all(text):
        with Staging(tmp_path) as staging:
            for name in names:
                staging.write(tmp_path / name, text)

    class Killed(BaseException):
        pass

    replace, moved = Path.replace, []

    def killed(self, target):
        if len(moved) == moves:
            raise Killed
        moved.append(target)
        return replace(self, target)

    write_all("old")
    monkeypatch.setattr(Path, "replace", killed)
    # A killed process removes nothing on its way out.
    monkeypatch.setattr(Path, "unlink", lambda self, missing_ok=False: None)
    with pytest.raises(Killed):
        write_all("new")
    monkeypatch.undo()
    assert len(files(tmp_path)) > len(names)
    with locked(tmp_path):
        assert files(tmp_path) == dict.fromkeys(names, left)


@pytest.mark.parametrize(
    "harmed, left", [(b"page", b"new"), (b"pige", b"old"), (b"\xff", b"old"), (None, b"old")]
)
def test_a_damaged_plan_of_a_move_is_dropped(tmp_path, harmed, left):
    """Half of a move would be worse than none, and the next run must not stop at it."""
    staged = ".page.html.1-1.tmp"
    plan = compose(_PLAN_TITLE, {}, json.dumps([[staged, "page.html"]]) + "\n").encode()
    (tmp_path / staged).write_text("new")
    (tmp_path / "page.html").write_text("old")
    (tmp_path / _PLAN).write_bytes(plan.replace(b"page", harmed) if harmed else b"")
    with locked(tmp_path):
        assert files(tmp_path) == {"page.html": left}


def test_a_full_disk_names_the_file_and_leaves_the_old_ones(tmp_path, monkeypatch):
    with Staging(tmp_path) as staging:
        staging.write(tmp_path / "a.txt", "old")

    def full(self, *_, **__):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(OutputError, match=r"No space left.*b\.txt"), Staging(tmp_path) as staging:
        staging.write(tmp_path / "b.txt", "new")
    monkeypatch.undo()
    assert files(tmp_path) == {"a.txt": b"old"}


def test_a_full_temporary_folder_is_named(tmp_path, monkeypatch, capsys):
    path = write(tmp_path / "85-mine.ipynb", PARAMETERS, "1 + 1")

    def full(*_, **__):
        raise OSError(errno.ENOSPC, "No space left on device", "connection.json")

    monkeypatch.setattr(runner.papermill, "execute_notebook", full)
    assert main(["run", str(path), "--output-dir", str(tmp_path / "out")]) == FAILED
    error = capsys.readouterr().err
    assert "No space left on device: connection.json" in error
    assert "temporary folder" in error
    assert "TMPDIR" in error


def test_sockets_have_a_short_path_where_the_temporary_folder_is_deep(tmp_path, monkeypatch):
    deep = tmp_path / ("deep" * 20) / ("er" * 40)
    deep.mkdir(parents=True)
    monkeypatch.setattr(runner.tempfile, "tempdir", str(deep))
    folders = []
    for _ in range(2):
        with runner._short_folder() as folder:
            folders.append(folder)
            assert len(os.fsencode(folder / "k-5")) < 104 and folder.is_dir()
    assert folders[0] != folders[1] and not folders[0].exists()


def test_the_index_can_be_made_again(good, tmp_path, capsys):
    before = files(good)
    (good / "index.html").unlink()
    assert main(["index", "--output-dir", str(good)]) == 0
    assert capsys.readouterr().out == f"{good / 'index.html'}\n"
    assert set(files(good)) == set(before)


def test_a_damaged_page_does_not_stop_the_others(good, tmp_path):
    folder = shutil.copytree(good, tmp_path / "site")
    page = next(folder.glob("[0-9]*.html"))
    page.write_bytes(page.read_bytes().replace(b"<title>", b"<title>\xff", 1))
    assert main(["index", "--output-dir", str(folder)]) == 0
    (found,) = (report for report in look(folder) if f"{report.name}.html" == page.name)
    assert found.problem == "Its page cannot be read: run it again."


def test_an_index_needs_the_name_of_a_folder(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["index", "--output-dir", ""]) == BAD_INPUT
    assert "--output-dir is empty" in capsys.readouterr().err
    assert not files(tmp_path)


def test_help_at_each_level(capsys):
    for arguments in ([], ["run"], ["reports"], ["index"], ["warm"]):
        with pytest.raises(SystemExit) as end:
            main([*arguments, "--help"])
        assert end.value.code == 0
        assert "usage: python -m wordgames" in capsys.readouterr().out


def test_altered_results_are_not_shown(tmp_path):
    says = "from wordgames.reports.recording import record\nrecord('n', 7)"
    path = write(tmp_path / "84-altered.ipynb", PARAMETERS, says)
    run_report(path, {}, tmp_path / "out")
    results = tmp_path / "out" / "results" / "84-altered.json"
    (found,) = (report for report in look(tmp_path / "out") if report.name == "84-altered")
    assert found.results["results"]["n"] == 7 and not found.problem
    results.write_text(results.read_text().replace("7", "8"))
    (found,) = (report for report in look(tmp_path / "out") if report.name == "84-altered")
    assert found.results is None and "were altered: run it again" in found.problem
