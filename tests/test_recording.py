"""What notebooks record: verdicts by the ledger's own ways of comparing, tables, plain values."""

import re

import numpy as np
import pandas as pd
import pytest

from wordgames.reports import recording
from wordgames.reports.recording import (
    CONTRADICTED,
    GIVEN,
    NOT_CARRIED_OVER,
    NOT_COMPARABLE,
    NOT_TESTED,
    PUBLISHED,
    RECORD,
    REPRODUCED,
    TABLE,
    VERDICTS,
    WITH_CAVEAT,
    as_text,
    begin_report,
    check_published,
    compare,
    plain,
    published_html,
    published_text,
    record,
    say,
    show_answer,
    show_table,
    table_html,
    tolerance_text,
)


@pytest.fixture
def outputs(monkeypatch):
    """What a notebook would show, as (data, metadata)."""
    shown = []
    monkeypatch.setattr(recording, "_emit", lambda data, **meta: shown.append((data, meta)))
    monkeypatch.setattr(recording, "_results", {})
    monkeypatch.setattr(recording, "_published", {})
    monkeypatch.setattr(recording, "_using", [])
    return shown


def row(compare, published, tolerance="", counts_as="finding", needs=""):
    return {
        "id": "X",
        "compare": compare,
        "published": published,
        "tolerance": tolerance,
        "needs": needs,
        "counts_as": counts_as,
    }


@pytest.mark.parametrize(
    "how, published, tolerance, ours, expected",
    [
        ("exact", "2315", "", 2315, REPRODUCED),
        ("exact", "2315", "", 2316, CONTRADICTED),
        ("exact", "34.4", "0.05", 34.45, REPRODUCED),
        ("exact", "34.4", "0.05", 34.4501, CONTRADICTED),
        ("exact", "0.023168", "1e-06", 0.023169, REPRODUCED),
        ("exact", "0.023168", "1e-06", 0.0231691, CONTRADICTED),
        ("exact", "3296 3 1", "", [3296, 3, 1], REPRODUCED),
        ("exact", "3296 3 1", "", [3296, 3], CONTRADICTED),
        ("exact", "tares", "", "tares", REPRODUCED),
        ("exact", "tares", "", "lares", CONTRADICTED),
        ("exact", "alien posse", "", ["alien", "posse"], REPRODUCED),
        ("exact", "alien posse", "", ["posse", "alien"], CONTRADICTED),
        ("exact", "yes", "", True, REPRODUCED),
        ("exact", "no", "", True, CONTRADICTED),
        ("exact", "Y.Y..", "", "Y.Y..", REPRODUCED),
        ("approx", "660", "10", 720.0, REPRODUCED),
        ("approx", "660", "10", 730.0, CONTRADICTED),
        ("approx", "about 2300 of about 13000", "1", [2315, 12972], REPRODUCED),
        ("approx", "about 2300 of about 13000", "1", [2315], CONTRADICTED),
        ("approx", "about 2300 of about 13000", "1", [2400, 12972], CONTRADICTED),
        ("approx", "30-40", "", 35, REPRODUCED),
        ("approx", "30-40", "", [30, 40], REPRODUCED),
        ("approx", "30-40", "", 29, CONTRADICTED),
        ("approx", "30-40", "10", 28, REPRODUCED),
        ("approx", "12,972", "0", 12972, REPRODUCED),
        ("claim", "always", "", "true", REPRODUCED),
        ("claim", "always", "", "partly", WITH_CAVEAT),
        ("claim", "always", "", "false", CONTRADICTED),
        ("show", "52", "", 7, NOT_COMPARABLE),
        ("exact", "2315", "", None, NOT_TESTED),
    ],
)
def test_verdicts(how, published, tolerance, ours, expected):
    assert compare(row(how, published, tolerance), ours) == expected


@pytest.mark.parametrize("ours", [True, "yes", 1])
def test_a_claim_is_true_false_or_partly(ours):
    with pytest.raises(ValueError, match="true, partly, false"):
        compare(row("claim", "always"), ours)


def test_a_caveat_is_said_of_what_comes_out_only():
    assert compare(row("exact", "3"), 3, caveat="By another rule.") == WITH_CAVEAT
    assert compare(row("exact", "3"), 4, caveat="By another rule.") == CONTRADICTED


def test_a_figure_that_is_not_met_cannot_be_called_reproduced():
    for stated in VERDICTS:
        if stated in (REPRODUCED, WITH_CAVEAT, GIVEN):
            with pytest.raises(ValueError, match="cannot be stated"):
                compare(row("exact", "3"), 4, verdict=stated)
        else:
            assert compare(row("exact", "3"), 4, verdict=stated) == stated
            assert compare(row("exact", "3"), 3, verdict=stated) == REPRODUCED


def test_a_claim_can_have_any_words_with_its_verdict():
    assert compare(row("claim", "3-4"), "half", verdict=NOT_CARRIED_OVER) == NOT_CARRIED_OVER
    with pytest.raises(ValueError, match="cannot be stated"):
        compare(row("claim", "3-4"), "half", verdict="differs")


def test_an_input_is_given_unless_ours_is_another():
    assert compare(row("exact", "3", counts_as="given"), 3) == GIVEN
    assert compare(row("exact", "3", counts_as="given"), 4) == CONTRADICTED
    assert compare(row("exact", "3", counts_as="given", needs="a list"), 3, ["other"]) == GIVEN
    assert compare(row("show", "0.0001", counts_as="given"), 0.0001) == GIVEN


def test_tolerances_are_said():
    assert tolerance_text(row("exact", "3")) == "exactly"
    assert tolerance_text(row("exact", "3", "1e-06")) == "within 0.000001"
    assert tolerance_text(row("approx", "3", "15")) == "within 15%"
    assert tolerance_text(row("claim", "3")) == ""


def test_each_row_of_the_ledger_can_be_compared():
    samples = {"claim": "true", "exact": "text", "approx": 1.0, "show": 1}
    for entry in recording.published_rows().values():
        assert compare(entry, samples[entry["compare"]], [entry["needs"]]) in VERDICTS


def test_a_report_remembers_what_it_uses(outputs):
    begin_report("wordle-2021")
    assert check_published("E09", 12972) == REPRODUCED
    begin_report("wordle-nyt-2023", "glove-6b-50d")
    assert check_published("E09", 12972) == NOT_TESTED
    assert "wordle-nyt-2023, glove-6b-50d" in outputs[-1][0][PUBLISHED]["why"]


def test_part_of_a_claim_needs_its_condition(outputs):
    with pytest.raises(ValueError, match="caveat="):
        check_published("E17b", "partly", using="wordle-2021")
    assert check_published("E17b", "partly", caveat="So.", using="wordle-2021") == WITH_CAVEAT
    assert check_published("E17b", True, using="wordle-2021") == REPRODUCED
    assert outputs[-1][0][PUBLISHED]["ours"] == "true"


def test_a_published_figure_is_never_changed_to_match(outputs):
    assert check_published("E10", 4464, using="wordle-2021") == CONTRADICTED
    data = outputs[-1][0]
    assert data[PUBLISHED] == {
        "id": "E10",
        "published": "4465",
        "ours": 4464,
        "verdict": CONTRADICTED,
        "why": "",
    }
    assert "4,465" in data["text/html"] and "4,464" in data["text/html"]


def test_a_row_about_another_list_is_not_compared(outputs):
    assert check_published("E10", 4465, using="wordle-nyt-2023") == NOT_TESTED
    entry = outputs[-1][0][PUBLISHED]
    assert entry["ours"] is None and "wordle-2021" in entry["why"]
    assert check_published("E03", 243, using="wordle-nyt-2023") == GIVEN  # needs no list


def test_nothing_found_is_not_testable_with_its_reason(outputs):
    assert check_published("S10", None, why="Words of six letters.") == NOT_TESTED
    assert outputs[-1][0][PUBLISHED]["why"] == "Words of six letters."


def test_unknown_row(outputs):
    with pytest.raises(KeyError, match="E99"):
        check_published("E99", 1)


def test_text_in_a_comparison_is_escaped(outputs):
    check_published("E13", "<script>", why="<b>", using="wordle-2021")
    assert "<script>" not in outputs[-1][0]["text/html"]
    assert "&lt;b&gt;" in outputs[-1][0]["text/html"]


def test_a_verdict_shows_nothing_as_the_last_value_of_a_cell(outputs):
    assert check_published("E03", 243)._ipython_display_() is None


@pytest.mark.parametrize(
    "value, expected",
    [
        (np.int64(3), 3),
        (np.float32(0.5), 0.5),
        (np.array([1, 2]), [1, 2]),
        (pd.Series([1.5, float("nan")]), [1.5, None]),
        ((1, "a", None, True), [1, "a", None, True]),
        ({"b": np.int8(1), 2: "x"}, {"b": 1, "2": "x"}),
        ({3, 1, 2}, [1, 2, 3]),
        (float("inf"), None),
        (np.bool_(True), True),
    ],
)
def test_plain_values(value, expected):
    found = plain(value)
    assert found == expected and type(found) is type(expected)


def test_what_cannot_be_recorded(outputs):
    with pytest.raises(TypeError, match="cannot record"):
        record("figure", object())


def test_records(outputs):
    record("total", np.int64(7920))
    assert outputs[-1][0][RECORD] == {"name": "total", "value": 7920}
    show_answer("It is **7,920**.", assuming="each answer counts once")
    records = [data[RECORD] for data, _ in outputs[-2:]]
    assert records[0] == {"name": "answer", "value": "It is **7,920**."}
    assert records[1] == {"name": "assuming", "value": "each answer counts once"}
    assert outputs[-3][1] == {"answer": True}
    say("plain *prose*")
    assert outputs[-1][0]["text/markdown"] == "plain *prose*"


def test_tables_are_escaped_and_have_scopes():
    frame = pd.DataFrame({"<word>": ["a<b", "c"], "n": [1234, 5], "mixed": ["x", 2.5]})
    markup = table_html(frame, "Words & numbers")
    assert "<caption>Words &amp; numbers</caption>" in markup
    assert '<th scope="col">&lt;word&gt;</th><th scope="col" class="number">n</th>' in markup
    assert '<th scope="col">mixed</th>' in markup
    assert '<th scope="row">a&lt;b</th><td class="number">1,234</td>' in markup
    mixed = table_html(pd.DataFrame({"a": [1, 2], "b": [np.bool_(True), "x"]}), "Mixed")
    assert "<td>yes</td>" in mixed and "True" not in mixed


def test_like_numbers_of_a_column_have_like_decimals():
    columns = {
        "word": ["a", "b", "c"],
        "mean": [3.63, 3.424, 3.0],
        "score": [100.0, 44.17, -3.2],
        "tiny": [0.00007, 12.5, 0.000051],
        "kept": [3296.4, 71.3, np.nan],
        "whole": [1.0, 20.0, 300.0],
    }
    markup = table_html(pd.DataFrame(columns), "Numbers.")
    cells = re.findall(r'<td class="number">(.*?)</td>', markup)
    assert cells[::5] == ["3.630", "3.424", "3.000"]
    assert cells[1::5] == ["100.00", "44.17", "-3.20"]
    assert cells[2::5] == ["0.000070", "12.50", "0.000051"]
    assert cells[3::5] == ["3,296", "71.3", ""]
    assert cells[4::5] == ["1", "20", "300"]


def test_a_statement_names_what_it_is_about():
    entry = {"id": "E07a", "published": "no", "ours": "no", "verdict": "reproduced", "why": ""}
    assert "churn: whether the word can show .GGGG" in published_html(entry)
    assert published_text(entry).startswith("E07a: churn: whether")


def test_a_shown_table_keeps_all_rows_as_csv(outputs):
    frame = pd.DataFrame({"word": ["b", "a", "c"], "n": [1, 2, 3]})
    show_table(frame, "Words.", name="words", top=2)
    data = outputs[-1][0]
    assert data[TABLE] == {"name": "words", "csv": "word,n\nb,1\na,2\nc,3\n"}
    assert data["text/html"].count("<tr>") == 3
    assert "The first 2 of 3 rows" in data["text/html"]
    show_table(frame.set_index("word")["n"], "A series.")
    assert TABLE not in outputs[-1][0]
    assert '<th scope="row">b</th>' in outputs[-1][0]["text/html"]


@pytest.mark.parametrize("name", ["Words", "a b", "../up", "a.csv", "ä"])
def test_table_names_are_file_names_everywhere(outputs, name):
    with pytest.raises(ValueError, match="table name"):
        show_table(pd.DataFrame({"a": [1]}), "A table.", name=name)


@pytest.mark.parametrize(
    "value, text",
    [(5e-5, "0.00005"), (661.686, "661.686"), (2.0, "2"), (1e6, "1000000"), (1 / 3, "0.333333")],
)
def test_numbers_read_without_exponents(value, text):
    assert as_text(value) == text
