"""The boards' Python side, with the questions that their scripts ask."""

import pytest

from wordgames import load_embedding, load_words
from wordgames.boards.widgets import EmojleBoard, SemantleBoard, WordleBoard
from wordgames.semantle.game import read_score

ESSAY = ["YG..G", "YYYG.", "GYGYY", "GGGYY", ".G.YG"]


def ask(board, question: str, **details) -> dict:
    """What the script gets for a question."""
    sent = []
    board.send = sent.append
    board._receive(board, {"id": "x", "question": question, "details": details}, [])
    assert [message["id"] for message in sent] == ["x"]
    return sent[0]["answer"]


# --- Emojle ---------------------------------------------------------------------------------------


@pytest.fixture
def emojle():
    return EmojleBoard(load_words(), pool="allowed")


def test_emojle_patterns_can_be_read_and_set(emojle):
    emojle.patterns = ESSAY
    assert emojle.candidates == ["posse"]  # the essay's example
    emojle.patterns = ["🟨🟨🟨🟩⬛", *ESSAY[2:], ESSAY[2]]
    assert emojle.patterns == ESSAY[1:], "as letters, each once"
    assert emojle.candidates == ["alien", "posse"]
    assert emojle.probabilities.sum() == pytest.approx(1)
    emojle.patterns = []
    assert len(emojle.candidates) == len(emojle.words.allowed)
    emojle.pool = "answers"
    assert emojle.candidates == list(emojle.words.answers)


def test_emojle_refuses_what_is_no_pattern(emojle):
    with pytest.raises(ValueError, match="has 4 cells"):
        emojle.patterns = ["YG.."]
    with pytest.raises(ValueError, match="is no cell"):
        emojle.patterns = ["house"]
    assert emojle.patterns == []


def test_emojle_impossible_patterns_leave_nothing(emojle):
    emojle.patterns = ["GGGGY"]
    assert emojle.candidates == []
    assert emojle.probabilities.empty


# --- Wordle ---------------------------------------------------------------------------------------


@pytest.fixture
def wordle():
    return WordleBoard(load_words(), strategy="most-parts")


def test_wordle_board_plays_a_game(wordle):
    assert wordle.state["table"][0][0] == "trace"
    assert ask(wordle, "enter", guess="trace", pattern=".GGYG") == {}
    assert wordle.candidates == ["crane", "crave", "craze"]
    assert wordle.state["entries"] == [["trace", ".GGYG"]]
    assert wordle.state["table"][0][0] == wordle.helper.guess
    ask(wordle, "enter", guess="crane", pattern="GGGGG")
    assert wordle.helper.solved and wordle.state["table"] == []
    ask(wordle, "undo")
    assert wordle.state["entries"] == [["trace", ".GGYG"]]
    ask(wordle, "restart")
    assert wordle.state["entries"] == []
    assert ask(wordle, "undo")["problem"].startswith("There is nothing to undo")


@pytest.mark.parametrize("word", ["", "zzzzz", "<b>", "toolong", "ab"])
def test_wordle_board_says_what_is_wrong(wordle, word):
    before = wordle.helper
    assert ask(wordle, "enter", guess=word, pattern=".....")["problem"].endswith(".")
    assert wordle.helper is before


def test_wordle_board_names_the_contradiction(wordle):
    ask(wordle, "enter", guess="trace", pattern=".....")
    assert "excludes every word" in ask(wordle, "enter", guess="trace", pattern="G....")["problem"]
    assert len(wordle.helper.entries) == 1


def test_wordle_board_replays_under_other_settings(wordle):
    ask(wordle, "enter", guess="trace", pattern="...Y.")
    few = len(wordle.candidates)
    assert ask(wordle, "change", pool="allowed") == {}
    assert len(wordle.candidates) > few
    assert wordle.state["pool"] == "allowed"
    ask(wordle, "enter", guess="coomb", pattern="G....")
    assert "do not allow this setting" in ask(wordle, "change", hard=True, strategy="entropy").get(
        "problem", "do not allow this setting"
    )


def test_wordle_helper_can_be_set(wordle):
    wordle.helper = wordle.helper.enter("trace", ".GGYG")
    assert wordle.state["entries"] == [["trace", ".GGYG"]]


# --- Semantle -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def glove():
    return load_embedding()


@pytest.fixture
def semantle(glove):
    return SemantleBoard(glove, seed=3)


def test_semantle_board_is_won_by_playing_its_hints(semantle):
    answer = ask(semantle, "guess", word="house")
    left = [answer["remaining"]]
    while not answer["solved"]:
        answer = ask(semantle, "guess", word=ask(semantle, "hint")["word"])
        left.append(answer["remaining"])
        assert len(left) < 10
    assert left == sorted(left, reverse=True)
    assert semantle.candidates == [answer["word"]]
    told = ask(semantle, "reveal")
    assert told["word"] == answer["word"]
    assert len(told["nearest"]) == 10
    assert told["machine"][-1] == (answer["word"], 100)
    assert "the game is over" in ask(semantle, "guess", word="music")["problem"].lower()
    assert ask(semantle, "start")["rows"][-1] == answer, "another view sees the same game"
    assert ask(semantle, "start", fresh=True)["rows"] == []


def test_semantle_board_counts_a_word_once_and_names_unknown_ones(semantle):
    ask(semantle, "guess", word="house")
    again = ask(semantle, "guess", word="House")
    assert again["again"] and again["remaining"] == len(semantle.candidates) < 100
    assert "problem" in ask(semantle, "guess", word="qqqqzzzzqq")
    assert semantle.game.guesses == ["house"]
    semantle.game.guess("music")  # in a cell of the notebook
    assert "again" not in ask(semantle, "guess", word="music")


def test_a_word_that_was_shown_cannot_be_won(semantle):
    assert ask(semantle, "hint") == {}, "any word will do as a first guess"
    word = ask(semantle, "reveal")["word"]
    assert "problem" in ask(semantle, "guess", word=word)
    assert ask(semantle, "start") == {"words": 400_000, "rows": [], "over": True}
    assert not ask(semantle, "start", fresh=True)["over"]
    assert ask(semantle, "guess", word=word)["score"] < 100


@pytest.mark.parametrize(
    "text, score, room",
    [
        ("27.55", 27.55, 0.0051),
        ("27,55", 27.55, 0.0051),
        ("27.55 %", 27.55, 0.0051),
        ("\u22123.21", -3.21, 0.0051),
        ("\u20133.21", -3.21, 0.0051),
        ("\u20123.21", -3.21, 0.0051),
        ("-3.2", -3.2, 0.0501),
        ("12", 12.0, 0.5001),
    ],
)
def test_scores_as_people_type_them(text, score, room):
    assert read_score(text, "house") == (score, pytest.approx(room))


@pytest.mark.parametrize("text", ["", "warm", "101", "1.2.3", "27.55!", "<b>"])
def test_what_is_no_score_is_said(text):
    with pytest.raises(ValueError, match="score"):
        read_score(text, "house")


def test_semantle_board_advises_on_a_game_elsewhere(glove, semantle):
    from wordgames import Semantle

    game = Semantle(glove, "medical")
    for word in ("house", "music"):
        shown = f"{game.guess(word):.2f}".replace(".", ",")
        assert ask(semantle, "add", word=word, shown=shown) == {}
    assert "medical" in semantle.fitting_typed
    assert semantle.advice["next"] == semantle.fitting_typed[0]
    ask(semantle, "add", word="doctor", shown=f"{game.guess('doctor') + 0.04:.2f}")
    assert semantle.advice["suspect"] == "doctor"
    assert ask(semantle, "add", word="qqqqzzzzqq", shown="1")["unknown"]
    assert not ask(semantle, "add", word="tree", shown="warm")["unknown"]
    ask(semantle, "remove", word="doctor")
    assert "medical" in semantle.fitting_typed
    semantle.typed = [("house", "1,00")]
    assert semantle.advice["rows"] == [["house", "1,00"]]
    ask(semantle, "forget")
    assert semantle.typed == [] and semantle.helper.past == []
    semantle.typed = [("house", "1,00"), ("medical", "100")]
    again = ask(semantle, "add", word="tree", shown="100")
    assert again == {"unknown": False, "problem": "Medical got 100 already."}
    with pytest.raises(ValueError, match="medical got 100 already"):
        semantle.typed = [("medical", "100"), ("tree", "100")]
    ask(semantle, "forget")  # what a game that was won tells is kept
    assert semantle.typed == [] and not semantle.helper.entries
    assert semantle.helper.past == [("medical", {"house": 1.0, "medical": 100.0})]
