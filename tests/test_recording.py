"""What notebooks record: verdicts by the ledger's own ways of comparing, tables, plain values."""

import numpy as np
import pandas as pd
import pytest

from wordgames.reports import recording
from wordgames.reports.recording import (
    DIFFERS,
    NOT_TESTABLE,
    PUBLISHED,
    RECORD,
    SAME,
    TABLE,
    as_text,
    check_published,
    plain,
    record,
    say,
    show_answer,
    show_table,
    table_html,
    verdict,
)


@pytest.fixture
def outputs(monkeypatch):
    """What a notebook would show, as (data, metadata)."""
    shown = []
    monkeypatch.setattr(recording, "_emit", lambda data, **meta: shown.append((data, meta)))
    monkeypatch.setattr(recording, "_results", {})
    monkeypatch.setattr(recording, "_published", {})
    return shown


def row(compare, published, tolerance=""):
    return {"id": "X", "compare": compare, "published": published, "tolerance": tolerance}


@pytest.mark.parametrize(
    "compare, published, tolerance, ours, expected",
    [
        ("exact", "2315", "", 2315, SAME),
        ("exact", "2315", "", 2316, DIFFERS),
        ("exact", "34.4", "0.05", 34.45, SAME),
        ("exact", "34.4", "0.05", 34.4501, DIFFERS),
        ("exact", "0.023168", "1e-06", 0.023169, SAME),
        ("exact", "0.023168", "1e-06", 0.0231691, DIFFERS),
        ("exact", "3296 3 1", "", [3296, 3, 1], SAME),
        ("exact", "3296 3 1", "", [3296, 3], DIFFERS),
        ("exact", "tares", "", "tares", SAME),
        ("exact", "tares", "", "lares", DIFFERS),
        ("exact", "alien posse", "", ["alien", "posse"], SAME),
        ("exact", "alien posse", "", ["posse", "alien"], DIFFERS),
        ("exact", "yes", "", True, SAME),
        ("exact", "no", "", True, DIFFERS),
        ("exact", "Y.Y..", "", "Y.Y..", SAME),
        ("approx", "660", "10", 720.0, SAME),
        ("approx", "660", "10", 730.0, DIFFERS),
        ("approx", "about 2300 of about 13000", "1", [2315, 12972], SAME),
        ("approx", "about 2300 of about 13000", "1", [2315], DIFFERS),
        ("approx", "about 2300 of about 13000", "1", [2400, 12972], DIFFERS),
        ("approx", "30-40", "", 35, SAME),
        ("approx", "30-40", "", [30, 40], SAME),
        ("approx", "30-40", "", 29, DIFFERS),
        ("approx", "30-40", "10", 28, SAME),
        ("approx", "12,972", "0", 12972, SAME),
        ("claim", "always", "", "true", SAME),
        ("claim", "always", "", "false", DIFFERS),
        ("claim", "always", "", "partly", DIFFERS),
        ("faster", "120", "", 0.2, SAME),
        ("faster", "120", "", 121, DIFFERS),
        ("show", "52", "", 7, NOT_TESTABLE),
    ],
)
def test_verdicts(compare, published, tolerance, ours, expected):
    assert verdict(row(compare, published, tolerance), ours) == expected


@pytest.mark.parametrize("ours", [True, "yes", 1])
def test_a_claim_is_true_false_or_partly(ours):
    with pytest.raises(ValueError, match="true, false, partly"):
        verdict(row("claim", "always"), ours)


def test_each_row_of_the_ledger_can_be_compared():
    samples = {"claim": "true", "exact": "text", "approx": 1.0, "faster": 1.0, "show": 1}
    for entry in recording.published_rows().values():
        assert verdict(entry, samples[entry["compare"]]) in (SAME, DIFFERS, NOT_TESTABLE)


def test_a_published_figure_is_never_changed_to_match(outputs):
    assert check_published("E10", 4464, using="wordle-2021") == DIFFERS
    data = outputs[-1][0]
    assert data[PUBLISHED] == {
        "id": "E10",
        "published": "4465",
        "ours": 4464,
        "verdict": DIFFERS,
        "why": "",
    }
    assert "4465" in data["text/html"] and "4464" in data["text/html"]


def test_a_row_about_another_list_is_not_compared(outputs):
    assert check_published("E10", 4465, using="wordle-nyt-2023") == NOT_TESTABLE
    entry = outputs[-1][0][PUBLISHED]
    assert entry["ours"] is None and "wordle-2021" in entry["why"]
    assert check_published("E03", 243, using="wordle-nyt-2023") == SAME  # needs no list


def test_nothing_found_is_not_testable_with_its_reason(outputs):
    assert check_published("E03", None, why="Words of six letters.") == NOT_TESTABLE
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
    assert outputs[-1][0][RECORD] == {"name": "answer", "value": "It is **7,920**."}
    assert outputs[-2][1] == {"answer": True}
    say("plain *prose*")
    assert outputs[-1][0]["text/markdown"] == "plain *prose*"


def test_tables_are_escaped_and_have_scopes():
    frame = pd.DataFrame({"<word>": ["a<b", "c"], "n": [1234, 5], "mixed": ["x", 2.5]})
    markup = table_html(frame, "Words & numbers")
    assert "<caption>Words &amp; numbers</caption>" in markup
    assert '<th scope="col">&lt;word&gt;</th><th scope="col" class="number">n</th>' in markup
    assert '<th scope="col">mixed</th>' in markup
    assert '<th scope="row">a&lt;b</th><td class="number">1,234</td>' in markup


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
