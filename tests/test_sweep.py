"""Sweeps: every combination checked and run, what is kept, and the page that compares the runs."""

import csv
import json
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from browsing import SIZES, faults_of

from wordgames.__main__ import BAD_INPUT, FAILED, main
from wordgames._files import claimed
from wordgames.reports import sweep
from wordgames.reports.parameters import ParameterError, read_parameters
from wordgames.reports.settings import (
    SWEEPS,
    declared_parameters,
    notebook_paths,
    read_sweep,
)
from wordgames.reports.sweep import combinations

PARAMETERS = """# The parameters of this report
word_list = "wordle-2021"  # a name, or the path of a file of answers
top = 2  # 1 to 300: rows of each table
text = "a"  # a text to show
fail = False  # whether the last cell fails
"""
DECLARED = read_parameters(PARAMETERS)
# What a notebook of ours records, written out so that a run needs no import of numpy.
RECORDING = """from IPython.display import display
def record(name, value):
    data = {"application/vnd.wordgames.record+json": {"name": name, "value": value}}
    display({**data, "text/plain": name}, raw=True)
record("square", top**2)
record("best", {"half": top / 2, "word": text * top})
record("same", 7)
record("top", word_list)"""
FAILING = "if fail:\n    raise ValueError('asked to <fail>')"


@pytest.fixture(scope="module")
def demo(tmp_path_factory) -> Path:
    """A notebook that is quick to run."""
    cells = [nbformat.v4.new_markdown_cell("# How *large* is a square?\n\nIt is asked.")]
    cells += [nbformat.v4.new_code_cell(source) for source in (PARAMETERS, RECORDING, FAILING)]
    cells[1].metadata["tags"] = ["parameters"]
    for place, cell in enumerate(cells):
        cell.id = f"cell-{place}"
    path = tmp_path_factory.mktemp("notebooks") / "70-demo.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    return path


def rows_of(folder: Path) -> list[dict]:
    with (folder / "results.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


# What a command line gives


@pytest.mark.parametrize(
    "pair, values",
    [
        ("top=1,2,3", ["1", "2", "3"]),
        ("top=7", ["7"]),
        ("text=", [""]),
        ("text=,b", ["", "b"]),
        ('text="a,b",c', ["a,b", "c"]),
        ('text=a, "b, ""c"""', ["a", 'b, "c"']),
        ("text=k=v,nan", ["k=v", "nan"]),
        ("text=@@x,@@", ["@x", "@"]),
    ],
)
def test_values_stand_between_commas(demo, pair, values):
    assert read_sweep(demo, [pair]) == {pair.partition("=")[0]: values}


def test_a_pattern_means_each_of_its_files(demo, tmp_path, monkeypatch):
    (tmp_path / "lists" / "folder.txt").mkdir(parents=True)
    for name in ("b.txt", "a.txt", "c.csv"):
        (tmp_path / "lists" / name).write_text("crane\n")
    monkeypatch.chdir(tmp_path)
    found = read_sweep(demo, ["word_list=wordle-2021,@lists/*.txt"])["word_list"]
    assert found == ["wordle-2021", str(Path("lists/a.txt")), str(Path("lists/b.txt"))]
    whole = read_sweep(demo, [f"word_list=@{tmp_path}/lists/*.txt"])["word_list"]
    assert whole == [str(tmp_path / "lists" / name) for name in ("a.txt", "b.txt")]


def test_a_file_holds_one_sweep_or_several(demo, tmp_path):
    file = tmp_path / "mine.yml"
    file.write_text('few:\n  top: [1, 2]\n  text: ["a,b", no]\nmany:\n  top: 9\n')
    assert read_sweep(demo, [], file, "few") == {"top": ["1", "2"], "text": ["a,b", "no"]}
    assert read_sweep(demo, ["top=5"], file, "few")["top"] == ["5"]
    with pytest.raises(ParameterError, match="name one with --sweep: the sweeps are few, many"):
        read_sweep(demo, [], file)
    with pytest.raises(ParameterError, match="no sweep 'fwe': the sweeps are few, many"):
        read_sweep(demo, [], file, "fwe")
    file.write_text("top: [1, 2]\ndays: 3\n")  # days is another notebook's
    assert read_sweep(demo, [], file) == {"top": ["1", "2"]}
    file.write_text("top: {a: 1}\ntext: x\n")
    with pytest.raises(ParameterError, match="top takes a value, or a list of values"):
        read_sweep(demo, [], file)


def test_the_ready_sweeps_fit_the_notebooks_that_they_name():
    lines = re.findall(r"^(\w+): *# ([^:]*):", SWEEPS.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(lines) == 4
    for name, which in lines:
        numbers = re.findall(r"\d\d", which) or ["01", "02", "03", "04", "05", "06", "07", "08"]
        for path in notebook_paths():
            if path.stem[:2] in numbers:
                texts = read_sweep(path, [], None, name)
                assert len(combinations(declared_parameters(path), texts)) > 1, (name, path)


def test_every_combination_in_the_order_of_counting():
    found = combinations(DECLARED, {"top": ["1", "2"], "text": ["x", "y"]})
    assert [(values["top"], values["text"]) for values in found] == [
        *((1, "x"), (1, "y")),
        *((2, "x"), (2, "y")),
    ]
    assert combinations(DECLARED, {}) == [{}]


def test_folders_are_named_by_what_is_not_at_its_default():
    def name(**values):
        parameters = {n: p.default for n, p in DECLARED.items()} | values
        return sweep._folder_name(parameters, DECLARED)

    assert name() == name(top=2) == "defaults"
    assert name(top=5, word_list="mine") == "word_list=mine,top=5"
    odd = ["A", "a", "a/b", "a-b", "a b", "ä", "ö", "x" * 300, "x" * 301, "../..", "a,top=5", "🟩"]
    names = [name(text=text) for text in odd] + [name(text="a", top=5)]
    assert len({n.lower() for n in names}) == len(names)  # on disks that do not tell A from a too
    assert all(re.fullmatch(r"[\w.,=+-]{1,100}", n, re.ASCII) for n in names)


# What is refused, before anything has started


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["-p", "top=1,2", "-p", "topp=3,4"], "no parameter 'topp'"),
        (["-p", "top=1,2,x,4"], "parameter top = 'x': it takes a whole number from 1 to 300"),
        (["-p", "top=1,2,301"], "parameter top = 301"),
        (["-p", "fail=true,maybe"], "it takes true or false"),
        (["-p", "top=1,2,01"], "parameter top is 1 twice: keep one"),
        (["-p", "word_list=wordle-2021,wordle-2012"], "did you mean 'wordle-2021'?"),
        (["-p", "word_list=@nowhere/*.txt"], "no file is called so"),
        (["-p", 'text="a,b'], "a value that holds a comma"),
        (["-p", "top"], "write name=value"),
        (["-p", "top=1", "-p", "top=2"], "-p top is given twice"),
        (["-p", "top=" + ",".join(map(str, range(1, 102)))], "make 101 runs, and more than 100"),
        (["--sweep", "no-such"], "no sweep 'no-such': the sweeps are lists"),
        (["-f", "missing.yml"], "missing.yml"),
        (["--output-dir", ""], "--output-dir is empty"),
    ],
)
def test_bad_input_is_one_clear_message(demo, tmp_path, capsys, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    assert main(["sweep", str(demo), "--output-dir", "out", *arguments]) == BAD_INPUT
    error = capsys.readouterr().err
    assert message in error and error.startswith("error: ") and error.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_more_than_a_hundred_need_a_yes():
    texts = {"top": [str(n) for n in range(1, 102)]}
    with pytest.raises(ParameterError, match="--yes"):
        combinations(DECLARED, texts)
    assert len(combinations(DECLARED, texts, many=True)) == 101


def test_a_folder_that_another_sweep_uses(demo, tmp_path, capsys):
    with claimed(tmp_path):
        assert main(["sweep", str(demo), "-p", "top=1", "--output-dir", str(tmp_path)]) == BAD_INPUT
    error = capsys.readouterr().err
    assert "is in use by another run: wait for it, or give another folder" in error
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_holds_a_site(demo, tmp_path, capsys):
    (tmp_path / "ledger.csv").write_text("id\n")
    assert main(["sweep", str(demo), "-p", "top=1", "--output-dir", str(tmp_path)]) == BAD_INPUT
    assert "holds a site" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["ledger.csv"]


# What is run a second time, with runs that take no time


@pytest.fixture
def quick(demo, tmp_path, monkeypatch):
    """Sweep a copy of the notebook, with a stand-in for its runs; which folders were run."""
    from wordgames.reports import runner

    notebook = tmp_path / demo.name
    notebook.write_bytes(demo.read_bytes())
    ran = []

    def run_all(jobs, finished):
        for job in jobs:
            ran.append(job.output_dir.name)
            if job.values.get("text") == "stop":
                raise KeyboardInterrupt
            if job.values.get("text") == "bad":
                job.failed_page.write_text("failed")
                finished(job, runner.ReportError("it failed", job.failed_page))
                continue
            results = {"results": {"n": job.parameters["top"]}}
            (job.output_dir / "results" / f"{job.name}.json").write_text(json.dumps(results))
            (job.output_dir / sweep.MADE_FROM).write_text(job.made_from)
            job.page.write_text("a page")
            finished(job, job.page)

    monkeypatch.setattr(runner, "run_all", run_all)

    def again(**texts):
        ran.clear()
        runs = sweep.sweep(notebook, texts, tmp_path / "out")
        return list(ran), [run.state for run in runs]

    again.notebook, again.out = notebook, tmp_path / "out"
    return again


def test_a_second_call_runs_what_is_missing_or_changed(quick, word_file, monkeypatch):
    mine = word_file("crane", "slate")
    texts = {"word_list": ["wordle-2021", str(mine)], "top": ["1", "2"]}
    ran, states = quick(**texts)
    assert len(ran) == 4 and states == ["done"] * 4
    before = {path: path.stat().st_mtime_ns for path in quick.out.rglob("*") if path.is_file()}
    assert quick(**texts) == ([], ["done"] * 4)
    assert before == {p: p.stat().st_mtime_ns for p in quick.out.rglob("*") if p.is_file()}
    # Another value, and another parameter at its default, leave the others as they are.
    more, _ = quick(**{**texts, "top": ["1", "2", "3"], "text": ["a"]})
    assert len(more) == 2 and all("top=3" in name for name in more)
    # The words of a list that a parameter names.
    mine.write_text("crane\ntrace\n")
    ran, _ = quick(**texts)
    assert len(ran) == 2 and all(name.startswith("word_list=") for name in ran)
    # The notebook.
    quick.notebook.write_text(quick.notebook.read_text().replace("same", "alike"))
    ran, _ = quick(**texts)
    assert len(ran) == 4
    # What a run left.
    pages = [quick.out / name / "70-demo.html" for name in sorted(ran)]
    pages[0].unlink()
    (pages[1].parent / "results" / "70-demo.json").write_text("{half")
    (pages[2].parent / sweep.MADE_FROM).unlink()
    pages[3].write_text('<meta name="results" content="00">')  # of other results
    assert sorted(quick(**texts)[0]) == sorted(ran)
    # The package, and the data.
    for name in ("_PACKAGE", "DATA"):
        monkeypatch.setattr(sweep, name, mine.parent / mine.name)
        assert len(quick(**texts)[0]) == 4
        assert quick(**texts)[0] == []


def test_a_run_that_failed_is_run_again_and_the_others_stand(quick):
    assert quick(text=["a", "bad", "c"])[1] == ["done", "failed", "done"]
    index = (quick.out / "index.html").read_text()
    assert "1 of 3 failed" in index and "it failed" in index
    assert [row["state"] for row in rows_of(quick.out)] == ["done", "failed", "done"]
    assert [row["n"] for row in rows_of(quick.out)] == ["2", "", "2"]
    assert quick(text=["a", "bad", "c"])[0] == ["text=bad"]


def test_an_interrupted_sweep_shows_what_there_is_and_goes_on(quick):
    with pytest.raises(KeyboardInterrupt):
        quick(text=["a", "stop", "c"])
    index = (quick.out / "index.html").read_text()
    assert "2 of 3 have not been run" in index
    assert [row["state"] for row in rows_of(quick.out)] == ["done", "not run", "not run"]
    assert quick(text=["a", "c"]) == (["text=c"], ["done", "done"])
    assert not (quick.out / ".claim").exists()


def test_a_list_that_is_wrong_stops_all_before_any_run(quick, word_file):
    good, bad = word_file("crane", name="good.txt"), word_file("crane", "tiny", name="bad.txt")
    with pytest.raises(ParameterError, match=r"word_list: .*bad\.txt: 'tiny'"):
        quick(word_list=[str(good), str(bad)])
    assert not quick.out.exists()


# Real runs, and the page in a real browser


@pytest.fixture(scope="module")
def done(demo, tmp_path_factory):
    """A sweep of which one run fails, by the command line."""
    out = tmp_path_factory.mktemp("sweep") / "out"
    arguments = ["sweep", str(demo), "-p", "top=10,9", "-p", "fail=false,true"]
    status = main([*arguments, "-p", 'text="a,b"', "--output-dir", str(out)])
    return out, status, arguments


@pytest.mark.slow
def test_a_sweep_by_the_command_line(done):
    out, status, _ = done
    assert status == FAILED
    folders = sorted(path.name for path in out.iterdir() if path.is_dir())
    assert len(folders) == 4
    for row in rows_of(out):
        folder = out / row["run"]
        assert row["state"] == ("failed" if row["fail"] == "True" else "done")
        assert (folder / "70-demo.html").exists() == (row["state"] == "done")
        if row["state"] == "done":
            results = json.loads((folder / "results/70-demo.json").read_text())
            assert results["parameters"]["text"] == "a,b"
            assert (folder / "notebooks/70-demo.ipynb").exists()
            top = results["parameters"]["top"]
            assert row["square"] == str(top**2) and row["best.word"] == "a,b" * top
            # A result that is called as a parameter leaves the parameter its column.
            assert row["top"] == str(top) and row["result.top"] == "wordle-2021"
        else:
            assert "asked to &lt;fail&gt;" in (folder / "70-demo.FAILED.html").read_text()


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
def test_the_page_is_sound_in_a_browser(done, open_page, size):
    out, *_ = done
    for scheme in ("light", "dark"):
        page = open_page(out / "index.html", size, scheme)
        assert faults_of(page) == []


@pytest.mark.slow
def test_the_page_compares_sorts_and_leads_to_the_runs(done, open_page):
    out, *_ = done
    page = open_page(out / "index.html")
    assert page.locator("h1").inner_text() == "How large is a square?"

    def column(name):
        heads = page.locator("#runs thead th").all_inner_texts()
        place = next(i for i, head in enumerate(heads) if head.split()[0] == name)
        cells = page.locator(f"#runs tbody tr > :nth-child({place + 1})").all_inner_texts()
        return [cell.split("\n")[0].strip() for cell in cells]

    assert column("square") == ["100", "", "81", ""]
    page.get_by_role("button", name="square").click()
    assert column("square") == ["81", "100", "", ""]  # as numbers, and what is missing last
    assert page.locator("#runs th[aria-sort=ascending]").inner_text().startswith("square")
    page.get_by_role("button", name="square").press("Enter")
    assert column("square") == ["100", "81", "", ""]
    differing = page.locator("#runs td.differs").all_inner_texts()
    assert any("\u221219" in text for text in differing)  # 81 is 19 less than 100
    alts = page.eval_on_selector_all(
        ".pictures img", "all => all.map(i => [i.alt, i.naturalWidth])"
    )
    assert [a for a, _ in alts if a.startswith("square")] == ["square by top. 10: 100, 9: 81."]
    assert all(width > 0 for _, width in alts) and len(alts) == 3  # square, best.half, same
    assert "asked to <fail>" in page.locator("section.failure").inner_text()
    hrefs = page.eval_on_selector_all("main a[href]", "all => all.map(a => a.href)")
    assert len(hrefs) == 7
    for href in hrefs:
        page.goto(href) if href.endswith(".html") else None
    page.goto(next(href for href in hrefs if href.endswith("/70-demo.html")))
    page.get_by_role("link", name="All runs of this sweep").click()
    assert page.url == (out / "index.html").as_uri()
    assert page.errors == page.outside == []


@pytest.mark.slow
def test_two_runs_leave_the_same_bytes(done, demo, tmp_path):
    out, *_ = done
    main(["sweep", str(demo), "-p", "top=10", "-p", 'text="a,b"', "--output-dir", str(tmp_path)])
    (folder,) = (path for path in tmp_path.iterdir() if path.is_dir())
    files = [path.relative_to(tmp_path) for path in folder.rglob("*") if path.is_file()]
    assert len(files) == 5  # page, results, notebook, what it was made from, the lock
    for path in files:
        assert (out / path).read_bytes() == (tmp_path / path).read_bytes(), path


def test_the_page_is_made_again_as_it_was(quick):
    quick(text=["a", "b"], top=["1", "2"])
    before = (quick.out / "index.html").read_bytes()
    (quick.out / "index.html").unlink()
    assert quick(text=["a", "b"], top=["1", "2"])[0] == []
    assert (quick.out / "index.html").read_bytes() == before


def test_a_second_call_imports_nothing_heavy(demo, tmp_path):
    """So that it answers at once."""
    code = (
        "import sys; import wordgames.reports.sweep, wordgames.reports.settings; "
        "print([m for m in ('nbformat', 'papermill', 'pandas', 'numba', 'matplotlib.pyplot') "
        "if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"
