"""The boards, played through their buttons and fields as a person would."""

import pytest

from wordgames import load_embedding, load_words, parse_pattern
from wordgames.boards.emojle import EmojleBoard
from wordgames.boards.semantle import SemantleBoard
from wordgames.boards.wordle import WordleBoard

SHARE = "Wordle 224 4/6\n\n⬛⬛⬛⬛⬛\n⬛🟩⬛🟩⬛\n⬛🟩🟩🟩🟩\n🟩🟩🟩🟩🟩"


@pytest.fixture
def emojle():
    return EmojleBoard(load_words(), candidates="allowed")


def test_emojle_patterns_come_and_go(emojle):
    for pattern in ["YG..G", "YYYG.", "GYGYY", "GGGYY", ".G.YG"]:
        emojle.cells.set(parse_pattern(pattern))
        emojle.add_button.click()
    assert emojle.candidates == ["posse"]  # the essay's example
    assert "1 candidate<" in emojle.count.value
    assert all(guess in emojle.examples.value for guess in ("solve", "sposh"))
    emojle.rows.children[0].click()
    assert emojle.candidates == ["alien", "posse"]
    emojle.clear_button.click()
    assert len(emojle.candidates) == len(emojle.words.allowed)


def test_cells_turn_grey_yellow_green(emojle):
    first = emojle.cells.children[0]
    shown = [first.description]
    for _ in range(3):
        first.click()
        shown.append(first.description)
    assert [text.split()[1] for text in shown] == ["grey", "yellow", "green", "grey"]
    emojle.cells.children[4].click()
    assert emojle.cells.code == parse_pattern("....Y")


def test_emojle_reads_patterns_and_posts(emojle):
    emojle.text.value = "YYYG. GYGYY\nGGGYY .G.YG"
    emojle.read_button.click()
    assert emojle.candidates == ["alien", "posse"]
    emojle.clear_button.click()
    emojle.text.value = SHARE
    emojle.read_button.click()
    assert emojle.patterns == [parse_pattern(row) for row in [".....", ".G.G.", ".GGGG", "GGGGG"]]
    assert "could" in emojle.candidates
    before = list(emojle.patterns)
    emojle.read_button.click()
    assert emojle.patterns == before, "the same lines again tell nothing new"


def test_emojle_says_why_a_pattern_cannot_be(emojle):
    emojle.read("GGGGY")
    assert emojle.candidates == []
    assert "cannot be" in emojle.message.value


@pytest.mark.parametrize(
    "nonsense",
    ["", "   ", "<script>alert(1)</script>", "YG..", "🟨" * 999, "\ud800", "Wordle 1 9/6"],
)
def test_emojle_survives_nonsense(emojle, nonsense):
    emojle.read(nonsense)
    assert emojle.patterns == []
    assert 'role="alert"' in emojle.message.value
    assert "<script" not in emojle.message.value


def test_script_tags_in_a_post_are_text(emojle):
    emojle.read(f"{SHARE}\n\nWordle 225 3/6 <script>alert(1)</script>\n⬛⬛⬛⬛⬛")
    assert len(emojle.patterns) == 4
    assert "<script" not in emojle.message.value
    assert "&lt;script" in emojle.message.value or "225" in emojle.message.value


def test_wordle_helper_plays_a_game():
    board = WordleBoard(load_words(), strategy="most-parts")
    assert board.guess.value == "trace"
    board.cells.set(parse_pattern(".GGYG"))
    board.enter_button.click()
    assert board.helper.remaining == ("crane", "crave", "craze")
    board.guess.value = "crane"
    board.cells.set(parse_pattern("GGGGG"))
    board.enter_button.click()
    assert board.helper.solved
    board.undo_button.click()
    assert board.guess.value == "crane"
    assert board.cells.code == parse_pattern("GGGGG")


@pytest.mark.parametrize("word", ["", "zzzzz", "<b>", "toolong", "ab"])
def test_wordle_helper_survives_nonsense(word):
    board = WordleBoard(load_words())
    before = board.helper
    board.guess.value = word
    board.enter_button.click()
    assert board.helper is before
    assert 'role="alert"' in board.message.value
    assert "<b>" not in board.message.value


def test_wordle_helper_names_the_contradiction():
    board = WordleBoard(load_words(), strategy="most-parts")
    board.guess.value = "trace"
    board.cells.set(parse_pattern("GGGGG"))
    board.enter_button.click()
    board.guess.value = "trace"
    board.cells.set(0)
    board.enter_button.click()
    assert "excludes every word" in board.message.value
    assert len(board.helper.entries) == 1


def test_wordle_helper_replays_under_other_settings():
    board = WordleBoard(load_words(), strategy="most-parts")
    board.guess.value = "trace"
    board.cells.set(parse_pattern("...Y."))
    board.enter_button.click()
    few = len(board.helper.remaining)
    board.pool.value = "allowed"
    assert len(board.helper.remaining) > few
    assert board.helper.entries == (("trace", parse_pattern("...Y.")),)


@pytest.fixture(scope="module")
def glove():
    return load_embedding()


def test_semantle_board_is_won_by_playing_its_hints(glove):
    board = SemantleBoard(glove, seed=3)
    board.guess.value = "house"
    board.guess_button.click()
    for _ in range(9):
        if board.over:
            break
        board.hint_button.click()
        board.guess.value = board.message.value.split("<b>")[1].split("</b>")[0]
        board.guess_button.click()
    assert board.game.solved
    assert board.left == sorted(board.left, reverse=True), "candidates only fall"
    assert board._target in board.message.value


def test_semantle_board_hides_the_machine_until_the_end(glove):
    board = SemantleBoard(glove, seed=3)
    for word in ("house", "tree", "music"):
        board.guess.value = word
        board.guess_button.click()
    assert f">{board._target}<" not in board.state.value
    assert "a hidden word" in board.state.value
    board.give_up_button.click()
    assert board._target in board.state.value


@pytest.mark.parametrize("word", ["", "<b>x", "qqqqzzzzqq", "\ud800"])
def test_semantle_board_survives_nonsense(glove, word):
    board = SemantleBoard(glove, seed=3)
    board.guess.value = word
    board.guess_button.click()
    assert 'role="alert"' in board.message.value
    assert board.game.guesses == []
    assert "<b>x" not in board.message.value
