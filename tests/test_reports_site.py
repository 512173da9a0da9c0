"""The site: pages that ask for nothing and run nothing that was pasted; the index; the ledger."""

import csv
import json
import re
from itertools import pairwise
from urllib.parse import unquote

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from pages import Page, asks_or_runs

from wordgames.patterns import parse_pattern, score
from wordgames.reports import fragments, site
from wordgames.reports.parameters import read_parameters
from wordgames.reports.recording import PUBLISHED, RECORD, TABLE, essays, published_rows

pytestmark = pytest.mark.slow

NASTY = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "![x](http://evil.example/x.png)",
    "![x][1]\n\n[1]: http://evil.example/x.png",
    "[click](javascript:alert(1))",
    "<a href='javascript:alert(1)'>x</a>",
    "<style>body{background:url(http://evil.example)}</style>",
    "<svg onload=alert(1)><image href='http://evil.example/x.png'/></svg>",
    "</div></main><iframe src=http://evil.example></iframe>",
    "<link rel=stylesheet href=http://evil.example/x.css>",
    "<!-- --><object data=http://evil.example></object>",
    "Wordle 224 4/6\n\n⬛⬛⬛⬛⬛<script src=//evil.example/x.js></script>\n🟩🟩🟩🟩🟩",
    "<table><tr><td onclick=alert(1) style='background:url(//evil.example)'>x</td></tr></table>",
    "$\\text{<mi onclick=alert(1)>x</mi>}$ $\\text{<mtext href='javascript:x'>x</mtext>}$",
    "$\\text{<script>alert(1)</script>}$ and $$<img src=x onerror=alert(1)>$$",
    "<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
    "```html\n<script>alert(1)</script>\n```",
    "# <script>alert(1)</script>",
    "&lt;script&gt; &#60;script&#62;",
]


@pytest.mark.parametrize("text", NASTY)
def test_pasted_text_stays_text(text):
    outputs = [
        new_output("display_data", {"text/markdown": text}),
        new_output("display_data", {"text/html": text}),
        new_output("display_data", {"text/html": f"<table><caption>{text}</caption></table>"}),
        new_output("display_data", {"text/plain": text}),
        new_output("stream", text=text),
        new_output("error", ename="E", evalue=text, traceback=[text]),
        new_output(
            "display_data",
            {"image/svg+xml": "<svg></svg>"},
            metadata={"image/svg+xml": {"alt": text, "caption": text}},
        ),
    ]
    for output in outputs:
        page = Page(fragments.with_squares(fragments.output_html(output, "tables/x")))
        assert asks_or_runs(page) == []
        assert not {tag for tag, _ in page.tags} & {"script", "style", "svg", "form", "h1"}
        assert all(set(a) <= {"class", "tabindex", "role", "aria-label"} for a in page.all("div"))
    assert not Page(fragments.shown_inline(text)).all("script")


def test_script_tags_are_shown():
    shown = Page(fragments.shown("Pasted: <script>alert(1)</script>"))
    assert "<script>alert(1)</script>" in shown.text


def test_an_authors_own_html_stays():
    assert "<kbd>Tab</kbd>" in fragments.prose("Press <kbd>Tab</kbd>.", fragments.Contents())


def test_headings_get_ids_of_their_own():
    contents = fragments.Contents()
    markup = fragments.prose(
        "# Title\n\n## Ärger & `code`\n\n## Ärger & code\n\n### 🟩\n\n## Main\n\n# Again", contents
    )
    assert contents.title == "Title"
    assert [(level, anchor) for level, anchor, _ in contents.entries] == [
        (2, "arger-code"),
        (2, "arger-code-2"),
        (3, "section"),
        (2, "main-2"),
        (2, "again"),
    ]
    assert markup.count("<h1>") == 1
    assert all(f'id="{anchor}"' in markup for _, anchor, _ in contents.entries)


def test_formulas_become_mathml():
    markup = fragments.prose(
        r"So $x^2$ and" "\n\n" r"$$\displaystyle \sum_p \frac{n_p}{N}$$", fragments.Contents()
    )
    page = Page(markup)
    assert [a["display"] for a in page.all("math")] == ["inline", "block"]
    assert page.all("mfrac") and page.all("msup") and "$" not in page.text


def test_prices_are_no_formulas():
    assert fragments.shown("It costs $5 or $6.") == "<p>It costs $5 or $6.</p>\n"


def test_squares_are_drawn_and_stay_text():
    markup = fragments.with_squares('<td title="🟩">🟩⬛ and 🟨️⬜</td>')
    assert markup.startswith('<td title="🟩">')
    assert markup.count('<span class="q">') == 2
    assert re.findall(r'class="q(\d)"', markup) == ["2", "0", "1", "0"]
    assert Page(markup).text == "🟩⬛ and 🟨️⬜"


def test_code_is_highlighted_and_whole():
    source = "x = 'a<b'  # why\ndef f(n: int):\n    return n ** 2 + 1.5\n"
    markup = fragments.code_html(source)
    assert Page(markup).text.strip() == source.strip()
    assert 'class="s1"' in markup and 'class="c1"' in markup and 'class="n"' not in markup


SVG = (
    '<svg width="540pt" height="302.4pt" xmlns="http://www.w3.org/2000/svg">'
    '<path d="M0 0L9 9"\n style="fill: #24292f"/></svg>'
)
PARAMETERS = """# The parameters of this report
top = 3  # 1 to 9: rows
text = "a"  # a text
"""


def report(name="70-demo", failure="", changed=(), cells=(), title="# A <b>title</b> & more"):
    """The page of a notebook with all kinds of outputs."""
    published = {
        "id": "E09",
        "published": "12972",
        "ours": 12972,
        "verdict": "reproduced",
        "why": "",
    }
    outputs = [
        new_output("display_data", {"text/markdown": "**Found.**"}, metadata={"answer": True}),
        new_output(
            "display_data",
            {RECORD: {"name": "answer", "value": "Found."}, "text/plain": "record-text"},
        ),
        new_output(
            "display_data",
            {"image/svg+xml": SVG, "text/plain": "x"},
            metadata={"image/svg+xml": {"alt": 'Bars, "high" & <low>', "caption": "A caption."}},
        ),
        new_output(
            "display_data", {"image/png": "aGk=\n"}, metadata={"image/png": {"alt": "A dot."}}
        ),
        new_output(
            "display_data",
            {
                TABLE: {"name": "words", "csv": "word\nsecret-row\n"},
                "text/html": "<table><caption>Words.</caption><thead><tr>"
                "<th scope='col'>w</th></tr></thead><tbody>"
                "<tr><th scope='row'>a</th></tr></tbody></table>",
            },
        ),
        new_output(
            "display_data",
            {PUBLISHED: published, "text/html": '<p class="published reproduced"><b>E09</b> x</p>'},
        ),
        new_output("stream", text="printed\n"),
    ]
    notebook = new_notebook(
        cells=[
            new_markdown_cell(f"{title}\n\nThe question?"),
            new_code_cell(PARAMETERS),
            new_code_cell("setup = 1"),
            new_code_cell("show()", outputs=outputs, execution_count=1),
            new_markdown_cell("## Section\n\nText.\n\n### Deeper\n\n## Section"),
            *cells,
        ]
    )
    declared = read_parameters(PARAMETERS)
    values = {"top": 3, "text": "a", **dict(changed)}
    return site.page_html(notebook, site.About(name, values, declared), failure)


def test_a_page_asks_for_nothing():
    text = report()
    page = Page(text)
    assert asks_or_runs(page) == []
    assert [a for a in page.all("script") if "src" in a] == []
    style = re.search(r"<style>(.*?)</style>", text, re.DOTALL)[1]
    assert "url(" not in style and "@import" not in style and "http" not in style


def test_a_page_is_accessible_by_structure():
    page = Page(report())
    assert page.all("html") == [{"lang": "en"}]
    assert len(page.all("h1")) == 1 and len(page.all("main")) == 1
    levels = [int(tag[1]) for tag, _ in page.tags if re.fullmatch(r"h[1-6]", tag)]
    assert levels[0] == 1 and all(b <= a + 1 for a, b in pairwise(levels))
    ids = [a["id"] for _, a in page.tags if "id" in a]
    assert len(ids) == len(set(ids))
    for link in page.all("a"):
        if link["href"].startswith("#"):
            assert link["href"][1:] in ids
    assert [image["alt"] for image in page.all("img")] == ['Bars, "high" & <low>', "A dot."]
    assert page.tags[[tag for tag, _ in page.tags].index("a")][1]["class"] == "skip"
    assert {"name": "viewport", "content": "width=device-width, initial-scale=1"} in page.all(
        "meta"
    )


def test_a_page_holds_its_figure_and_the_figure_is_whole():
    page = Page(report())
    figure = page.all("img")[0]
    assert figure["src"].startswith("data:image/svg+xml,")
    svg = unquote(figure["src"].removeprefix("data:image/svg+xml,"))
    assert svg.replace("'", '"') == " ".join(SVG.split())
    assert (figure["width"], figure["height"]) == ("720", "403")


def test_private_outputs_do_not_reach_a_page():
    text = report()
    assert "record-text" not in text and "secret-row" not in text and "vnd.wordgames" not in text
    assert 'href="tables/70-demo/words.csv"' in text
    assert 'href="index.html#E09"' in text


def test_plain_comparisons_fold_and_the_others_stand():
    def entry(row_id, ours, verdict, why=""):
        published = published_rows()[row_id]["published"]
        found = {"id": row_id, "published": published, "ours": ours, "verdict": verdict, "why": why}
        return new_output("display_data", {PUBLISHED: found, "text/html": "<p>x</p>"})

    lacking = "It needs vectors; this report uses others."
    outputs = [
        entry("E09", 12972, "reproduced"),
        entry("E10", 4464, "contradicted", "One fewer."),
        entry("E08", 458, "reproduced"),
        entry("E03", 243, "given"),
        entry("S03", None, "not tested here", lacking),
        entry("S04", None, "not tested here", lacking),
    ]
    text = report(cells=[new_code_cell("check()", outputs=outputs)])
    page = Page(text)
    # Of two essays; what is given is no statement.
    assert "checks 3 statements of Emojle" in page.text and "(2 of them plainly" in page.text
    assert "and 2 statements of A Solver for Semantle" in page.text
    assert "(none of them plainly reproduced, 2 not tested for want of data)" in page.text
    folds = re.findall(r'<details class="fold"><summary>(.*?)</summary>(.*?)</details>', text)
    assert [summary for summary, _ in folds[1:]] == [
        "2 statements reproduced and 1 taken as given",
        "2 statements not tested here. They need vectors; this report uses others.",
    ]
    text = report(cells=[new_code_cell("check()", outputs=[entry("E03", 243, "given")] * 2)])
    assert "<summary>2 statements taken as given</summary>" in text
    assert [inside.count('class="published') for _, inside in folds] == [1, 3, 2]
    assert not any("E10" in inside for _, inside in folds)
    assert "published 4,465, ours 4,464" in page.text


def test_code_that_shows_nothing_folds_into_the_next():
    page = Page(report())
    assert len([a for a in page.all("details") if a.get("class") == "code"]) == 1
    assert all("open" not in a for a in page.all("details") if a.get("class") == "code")


def test_the_foot_says_how_to_run_it_again():
    text = report(name="01-pattern-cardinality", changed={"top": 5, "text": "it's <b>"})
    page = Page(text)
    assert "python -m wordgames run 01 -p top=5 -p 'text=it'\"'\"'s <b>'" in page.text
    assert page.text.count("(changed)") == 2
    assert "python -m wordgames run 70-demo.ipynb\n" in Page(report()).text + "\n"


def test_a_failed_page_says_so_and_links_to_no_files():
    text = report(failure="ValueError: <b>bad</b>")
    page = Page(text)
    assert "This run failed." in page.text and "ValueError: <b>bad</b>" in page.text
    assert "(failed)" in text and 'href="results/' not in text


def test_a_notebook_without_a_title_gets_its_name():
    page = Page(report(title="No heading"))
    assert len(page.all("h1")) == 1 and "70-demo" in page.text


@pytest.mark.parametrize(
    "source, title, question",
    [
        ("# How many?\n\nSome text. Is it so?", "How many?", ""),
        ("# Patterns\n\nText first. Which tell most? More.", "Patterns", "Which tell most?"),
        ("# Patterns\n\nOnly text. And more.", "Patterns", "Only text."),
        ("# Patterns", "Patterns", ""),
        ("No heading", "", ""),
    ],
)
def test_title_and_question(source, title, question):
    notebook = new_notebook(cells=[new_markdown_cell(source)])
    assert site._title_and_question(notebook) == (title, question)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An output folder with the traces of three runs, beside a repository of four notebooks."""
    notebooks = tmp_path / "notebooks"
    notebooks.mkdir()
    out = tmp_path / "out"
    for number in ("01", "02", "03", "04"):
        notebook = new_notebook(
            cells=[new_markdown_cell(f"# Title {number}\n\nWhich one?"), new_code_cell(PARAMETERS)]
        )
        notebook.cells[1].metadata["tags"] = ["parameters"]
        nbformat.write(notebook, notebooks / f"{number}-demo.ipynb")
    monkeypatch.setattr(site, "NOTEBOOKS", notebooks)
    monkeypatch.setattr("wordgames.reports.settings.NOTEBOOKS", notebooks)
    for path in ("results", "notebooks"):
        (out / path).mkdir(parents=True)

    def row(row_id, ours, verdict, why=""):
        published = published_rows()[row_id]["published"]
        return {"id": row_id, "published": published, "ours": ours, "verdict": verdict, "why": why}

    rows = {
        "01": [row("E09", 12972, "reproduced"), row("E10", None, "not tested here", "other list")],
        "02": [
            row("E10", 4464, "contradicted", "<script>x</script>"),
            row("E10a", 34.4, "reproduced"),
            row("E03", 243, "given", "🟩⬛ <b>"),
        ],
        "03": [row("E10", 4465, "reproduced"), row("W08", 0.177, "with a caveat", "On average.")],
    }
    for number, published in rows.items():
        results = {
            "parameters": {"top": 4 if number == "02" else 3, "text": "a"},
            "results": {"answer": f"Answer {number} <b>", "assuming": f"assumption {number}"},
            "published": published,
        }
        (out / f"results/{number}-demo.json").write_text(json.dumps(results))
        (out / f"{number}-demo.html").write_text(report(f"{number}-demo"))
    return out


def test_the_index_shows_answers_and_the_whole_ledger(folder):
    text = site.build_index(folder).read_text()
    page = Page(text)
    assert asks_or_runs(page) == []
    assert "Answer 01 <b>" in page.text and "Title 04" in page.text
    assert "Which one?" in page.text and "With top = 4." in page.text
    ids = [a["id"] for a in page.all("tr") if "id" in a]
    assert sorted(ids) == sorted(published_rows())
    plain = text[text.index('<details id="plain">') :]
    folded = {a["id"] for a in Page(plain).all("tr") if "id" in a}
    assert folded == {"E03", "E09", "E10a"}
    assert (
        text.count('<span class="q"><i class="q2">🟩</i><i class="q0">⬛</i></span> &lt;b&gt;') == 1
    )
    assert "<script>x" in page.text and "<script>x" not in text
    assert len(text) < 200_000


def test_a_row_shows_the_first_verdict_that_compares(folder):
    rows = {row["id"]: row for row in site.ledger(site.look(folder))}
    assert (rows["E10"]["verdict"], rows["E10"]["ours"]) == ("contradicted", "4464")
    assert rows["E10"]["reports"] == ["01-demo", "02-demo", "03-demo"]
    assert rows["E03"]["verdict"] == "given"
    assert (rows["W01"]["verdict"], rows["W01"]["ours"]) == ("not yet run", None)


def test_totals_count_claims(folder):
    text = site.build_index(folder).read_text()
    tally = {name: int(n) for n, name in re.findall(r"<b>(\d+)</b> ([a-z ]+)</a>", text)}
    claims = [row for row in published_rows().values() if row["counts_as"] == "finding"]
    # E10 counts once, with the verdict of its gravest row; what is given does not count.
    assert tally == {
        "reproduced": 1,
        "with a caveat": 1,
        "contradicted": 1,
        "not yet run": len(claims) - 3,
    }
    assert f"make {len(claims)} claims. We put 3 of them to the test" in text


def test_figures_have_commas_and_their_tolerance(folder):
    page = Page(site.build_index(folder).read_text())
    text = " ".join(page.text.split())
    assert "4,464" in text and "4,465" in text and "12,972" in text
    assert "within 0.05" in text and "within 15%" in text


def test_the_essays_are_credited(folder):
    for path in (site.build_index(folder), folder / "01-demo.html"):
        page = Page(path.read_text())
        links = {a["href"] for a in page.all("a")}
        for essay in essays().values():
            assert essay["link"] in links
            assert essay["title"] in page.text and essay["author"] in page.text
    assert "This report checks 1 statement of Emojle: Solving Wordle" in " ".join(page.text.split())


def test_the_foot_links_to_the_api_pages_where_there_are_some(folder):
    assert "api/index.html" not in site.build_index(folder).read_text()
    (folder / "api").mkdir()
    (folder / "api" / "index.html").write_text("functions")
    links = [a["href"] for a in Page(site.build_index(folder).read_text()).all("a")]
    assert "api/index.html" in links


def test_cards_stand_by_essay_with_their_assumptions(folder):
    text = site.build_index(folder).read_text()
    page = Page(text)
    assert "Assuming assumption 02." in page.text
    emojle = text[text.index('id="group-1"') : text.index('id="ledger-heading"')]
    assert [emojle.count(f'id="report-0{n}"') for n in (1, 2, 3, 4)] == [1] * 4


def test_other_languages_have_a_group_of_their_own(tmp_path):
    text = site.build_index(tmp_path).read_text()
    beyond = text[text.index("Beyond the essays") : text.index('id="ledger-heading"')]
    assert 'id="report-12"' in beyond and 'id="report-11"' not in beyond


def test_the_first_screen_tells_findings(folder):
    path = folder / "results/03-demo.json"
    results = json.loads(path.read_text())
    results["results"]["finding"] = "Swap *guess* and <i>answer</i>."
    path.write_text(json.dumps(results))
    text = site.build_index(folder).read_text()
    found = text[text.index('class="findings"') : text.index('class="tally"')]
    assert Page(found).text.count("Swap guess and <i>answer</i>.") == 1
    assert '<a href="03-demo.html">' in found
    cells = re.findall(r'<i class="q(\d)">([A-Z])</i>', found)
    assert "".join(letter for _, letter in cells) == "CHAIRREACH"
    assert "".join(cell for cell, _ in cells) == "1120110211"


def test_the_sketches_show_what_the_evaluator_gives():
    games = [(game, site.SKETCHES["answer"]) for game in site.SKETCHES["grids"]]
    games += [({guess: pattern}, answer) for guess, pattern, answer in site.SKETCHES["swap"]]
    for game, answer in games:
        for guess, pattern in game.items():
            assert score(guess, answer) == parse_pattern(pattern), (guess, answer)
    (_, one, _), (_, other, _) = site.SKETCHES["swap"]
    assert one != other


def test_the_ledger_can_be_taken_along(folder):
    site.build_index(folder)
    rows = json.loads((folder / "ledger.json").read_text())
    with (folder / "ledger.csv").open(newline="") as file:
        table = list(csv.DictReader(file))
    assert [row["id"] for row in rows] == [row["id"] for row in table] == list(published_rows())
    by_id = {row["id"]: row for row in table}
    assert by_id["E10"]["why"] == "<script>x</script>"
    assert (by_id["E10"]["tolerance"], by_id["W08"]["tolerance"]) == ("exactly", "within 15%")
    assert set(rows[0]) == {
        *("id", "essay", "counts_as", "quantity", "subject", "published", "tolerance", "ours"),
        *("verdict", "why", "reports"),
    }


def test_pages_link_to_those_before_and_after_that_exist(folder):
    site.build_index(folder)

    def around(number):
        links = Page((folder / f"{number}-demo.html").read_text()).all("a")
        return [(a.get("rel"), a["href"]) for a in links if a.get("rel")]

    assert around("01") == [("next", "02-demo.html")] * 2
    assert around("02") == [("prev", "01-demo.html"), ("next", "03-demo.html")] * 2
    assert around("03") == [("prev", "02-demo.html")] * 2
    (folder / "02-demo.html").unlink()
    site.build_index(folder)
    assert around("01") == [("next", "03-demo.html")] * 2
    assert "Its page is missing" in (folder / "index.html").read_text()


def test_the_index_is_the_same_bytes_each_time(folder):
    first = site.build_index(folder).read_bytes()
    assert site.build_index(folder).read_bytes() == first


@pytest.mark.parametrize(
    "damage",
    [
        "",
        '{"parameters": {"top": 3}, "resu',
        "[]",
        "null",
        '{"parameters": {}, "results": [], "published": []}',
        '{"parameters": {}, "results": {}, "published": [{"id": "E01"}]}',
        '{"parameters": {}, "results": {}, "published": [{"id": "E01", "ours": 1, "why": "", '
        '"verdict": "odd"}]}',
        b"\xff\xfe\x00",
    ],
)
def test_damaged_results_are_said_to_be_so(folder, damage):
    path = folder / "results/01-demo.json"
    path.write_bytes(damage if isinstance(damage, bytes) else damage.encode())
    page = Page(site.build_index(folder).read_text())
    assert "results/01-demo.json) cannot be read: run it again" in page.text
    assert "python -m wordgames run 01" in page.text
    assert "Answer 02 <b>" in page.text


def test_missing_results_are_said_to_be_so(folder):
    (folder / "results/01-demo.json").unlink()
    (folder / "notebooks/02-demo.ipynb").write_text('{"cells": [')
    page = Page(site.build_index(folder).read_text())
    assert "Not run yet." in page.text and "Title 01" in page.text and "Title 02" in page.text


def test_an_empty_folder_has_an_index(tmp_path):
    page = Page(site.build_index(tmp_path).read_text())
    claims = sum(row["counts_as"] == "finding" for row in published_rows().values())
    assert f"{claims} not yet run" in " ".join(page.text.split())


def test_a_failed_run_is_on_the_index(folder):
    (folder / "04-demo.FAILED.html").write_text(report("04-demo", failure="bad"))
    (folder / "01-demo.FAILED.html").write_text(report("01-demo", failure="bad"))
    page = Page(site.build_index(folder).read_text())
    links = [a["href"] for a in page.all("a")]
    assert "04-demo.FAILED.html" in links and "01-demo.FAILED.html" in links
    assert page.text.count("The last run failed.") == 2
    assert page.text.count("of the last good run") == 1
