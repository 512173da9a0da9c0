"""The parts of the pages that a reader can play with, in a real browser, with the network cut.

Each is played by mouse and by keyboard, on a desktop's window and on a phone's; what should come
out is computed by the package.
"""

import base64
import itertools
import json
import random

import numpy as np
import pytest
from browsing import SCREENSHOTS, faults_of

from wordgames import (
    PatternSets,
    format_pattern,
    load_embedding,
    load_words,
    optimal_tree,
    score,
    score_matrix,
)
from wordgames._playable import script, section, style
from wordgames.boards import pages
from wordgames.boards.widgets import EmojleBoard
from wordgames.semantle.experiments import popular_words
from wordgames.wordle.openers import openers_of
from wordgames.words import letters, normalise

pytestmark = pytest.mark.slow

ESSAY = "YG..G YYYG. GYGYY GGGYY .G.YG"
POST = "Wordle 224 4/6\n\n⬛⬛⬛⬛⬛\n⬛🟩⬛🟩⬛\n⬛🟩🟩🟩🟩\n🟩🟩🟩🟩🟩"
WAYS = [*itertools.product(("desktop", "phone"), ("mouse", "keyboard"))]


@pytest.fixture(scope="module")
def words():
    return load_words()


@pytest.fixture(scope="module")
def tree(words):
    return optimal_tree(words, first="salet")


@pytest.fixture(scope="module")
def costs(words):
    return openers_of(words)


@pytest.fixture(scope="module")
def parts(words, tree, costs, tmp_path_factory):
    """A page for each part; the path by its name."""
    folder = tmp_path_factory.mktemp("parts")
    vectors = load_embedding()
    made = [
        pages.word_map(words, ["tares", "qajaq"]),
        pages.pair(words, "speed", "abide"),
        pages.emojle(words, ESSAY.split(), [("two lines", "GYGGY YGYGG")]),
        pages.tree(tree),
        pages.opener(words, costs, ["salet", "crane", "adieu"]),
        pages.semantle(vectors, popular_words(vectors, 2000), "medical", ["house", "music"]),
    ]
    paths = {}
    for part in made:
        paths[part["name"]] = folder / f"{part['name']}.html"
        paths[part["name"]].write_text(
            "<!DOCTYPE html><html lang='en'><meta charset='utf-8'><title>part</title>"
            "<meta name='viewport' content='width=device-width'>"
            f"<meta name='color-scheme' content='light dark'><style>{style()}</style>"
            f"<main><h1>part</h1>{section(**part)}</main></html>",
            encoding="utf-8",
        )
    return paths


class Player:
    """Presses buttons and types, by mouse or by keyboard alone."""

    def __init__(self, page, way: str):
        self.page, self.way = page, way

    def press(self, locator, times: int = 1) -> None:
        for _ in range(times):
            if self.way == "mouse":
                locator.click()
            else:
                locator.focus()
                self.page.keyboard.press("Enter")

    def button(self, name, times: int = 1) -> None:
        self.press(self.page.get_by_role("button", name=name, exact=True).first, times)

    def type(self, name: str, text: str) -> None:
        field = self.page.locator(f"[data-try-input={name}]")
        if self.way == "mouse":
            field.fill(text)
        else:
            field.focus()
            self.page.keyboard.press("Control+A")
            self.page.keyboard.press("Delete")
            self.page.keyboard.insert_text(text)

    def output(self, name: str) -> str:
        return self.page.locator(f"[data-try-output={name}]").get_attribute("data-value")

    def wait(self, name: str, value) -> None:
        """Until an output has a value."""
        self.page.locator(f"[data-try-output={name}][data-value='{value}']").wait_for(
            state="attached", timeout=60_000
        )

    def problem(self) -> str:
        shown = self.page.locator(".try-problem:not(:empty)")
        shown.first.wait_for(timeout=60_000)
        return shown.first.inner_text()


@pytest.fixture
def play(parts, open_page):
    opened = []

    def open_(name: str, size: str = "desktop", way: str = "mouse") -> Player:
        page = open_page(parts[name], size)
        page.set_default_timeout(60_000)
        opened.append(page)
        return Player(page, way)

    yield open_
    for page in opened:
        assert page.errors + page.outside == []


# --- the evaluator and the sets -------------------------------------------------------------------


@pytest.fixture(scope="module")
def run(browser):
    """Run a function of JavaScript where the scripts of the Emojle board are."""
    page = browser.new_context(offline=True).new_page()
    # A module: its names are made global by hand.
    text = script("emojle").replace("export default { render };", "")
    page.add_script_tag(
        content=text + "\nObject.assign(globalThis, { score, Lexicon, Lines, readLines });"
    )
    yield page.evaluate
    page.context.close()


def _shapes(length: int):
    """Every way in which ``length`` letters can be equal or not, each as a word."""

    def grow(word: str, used: int):
        if len(word) == length:
            yield word
            return
        for letter in range(used + 1):
            yield from grow(word + "abcdefghij"[letter], max(used, letter + 1))

    return grow("a", 1)


def test_evaluator_equals_score_on_all_shapes_and_random_pairs(run, words):
    both = list(_shapes(10))  # guess and answer side by side: 115,975 shapes of repeated letters
    rng = random.Random(1)
    both += ["".join(rng.choices(words.allowed, k=2)) for _ in range(200_000)]
    codes = run("(all) => all.map((w) => score(w.slice(0, 5), w.slice(5)))", both)
    assert len(codes) == 315_975
    expected = [score(text[:5], text[5:]) for text in both]
    assert codes == expected
    answers = rng.sample(words.allowed, 20)
    rows = run(
        "([list, answers]) => { const lexicon = new Lexicon(list);"
        " return answers.map((answer) => [...lexicon.patterns(answer)]); }",
        [words.allowed, answers],
    )
    assert np.array_equal(np.array(rows).T, score_matrix(words.allowed, answers))


@pytest.mark.parametrize(
    "length, list_",
    [
        (3, "नमस्ते क्षत्रिय नमक कमल नमन"),  # letters of up to five characters
        (4, "தமிழ்க மழலைக் பழமொழி மொழிமொழி"),
        (5, "größe grüße grösz ñandú dzień"),
        (3, "שָׁלוֹ שָׁשׁוֹ לוֹשָׁ"),
    ],
)
def test_letters_with_marks_are_one_letter_in_the_scripts_too(run, length, list_):
    some = [normalise(word) for word in list_.split()]
    assert {len(letters(word)) for word in some} == {length}
    codes, rows = run(
        """(list) => { const lexicon = new Lexicon(list); return [
          list.map((answer) => list.map((guess) => score(guess, answer))),
          list.map((answer) => [...lexicon.patterns(answer)])]; }""",
        some,
    )
    assert codes == rows == [[score(guess, answer) for guess in some] for answer in some]


def test_candidates_and_probabilities_equal_the_package(run, words):
    sets, board = PatternSets.build(words), EmojleBoard(words, pool="allowed")
    state = json.loads(json.dumps(board.data))
    rng = random.Random(2)
    cases = [[], [0], [241], [0, 1, 3, 9, 27, 81]]
    for many in (1, 3, 8, 100):
        answer = rng.choice(words.answers)
        given = sorted(set(score_matrix(words.allowed, [answer])[:, 0].tolist()))
        cases.append(rng.sample(given, min(many, len(given))))
    found = run(
        """([list, weights, cases]) => {
          const lines = new Lines(new Lexicon(list), weights);
          return cases.map((codes) => lines.candidates(codes));
        }""",
        [words.allowed, _weights(words, state), cases],
    )
    for codes, ours in zip(cases, found, strict=True):
        named = [words.allowed[place] for place in ours["places"]]
        assert named == sets.candidates(codes)
        if named and codes:
            board.patterns = [format_pattern(code) for code in codes]
            logs = np.array(ours["logs"])
            chances = np.exp(logs - logs.max())
            expected = board.probabilities[named].to_numpy()
            assert np.abs(chances / chances.sum() - expected).max() < 1e-6


def _weights(words, state) -> list[float]:
    """What the script makes of the ranks that travel, done again by hand."""
    ranks = np.frombuffer(base64.b64decode(state["ranks"]), np.uint8).reshape(-1, 3)
    ranks = ranks @ np.array([1, 256, 65536])
    weights = (state["offset"] + ranks) ** -state["power"]
    weights[np.isin(words.allowed, words.answers)] *= state["factor"]
    return (weights / weights.sum()).tolist()


# --- each part ------------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_parts_are_sound(parts, open_page, size, scheme):
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    faults = []
    for name, path in parts.items():
        page = open_page(path, size, scheme)
        page.wait_for_function("document.querySelector('[data-try-output][data-value]')")
        faults += [f"{name}: {fault}" for fault in faults_of(page)]
        page.screenshot(path=SCREENSHOTS / f"part-{name}-{size}-{scheme}.png", full_page=True)
        page.close()
    assert not faults, "\n".join(faults)


def test_without_scripts_each_part_says_what_it_does(parts, browser):
    context = browser.new_context(java_script_enabled=False)
    for name, path in parts.items():
        page = context.new_page()
        page.goto(path.as_uri())
        text = page.locator(f"section[data-try={name}]").inner_text()
        assert "With scripts, this part" in text
        assert "example" in text
    context.close()


@pytest.mark.parametrize("size, way", WAYS)
def test_word_map(play, words, size, way):
    count = PatternSets.build(words).cardinality()
    player = play("word-map", size, way)
    assert player.output("count") == str(count["tares"])
    for word in ("crane", "mamma", " QAJAQ "):
        player.type("word", word)
        player.wait("count", count[word.strip().lower()])
    assert player.page.locator(".try-lit").count() == count["qajaq"]
    player.button("TARES")
    player.wait("count", count["tares"])
    chosen = player.page.locator("[role=option][data-code='0']")
    if way == "mouse":
        chosen.click()
    else:
        player.page.locator("[role=listbox]").focus()
        player.page.keyboard.press("Home")
    grey = int((score_matrix(words.allowed, ["tares"]) == 0).sum())
    about = player.page.locator(".try-about")
    assert f"{grey:,} guesses give this" in about.inner_text()
    player.page.locator("[role=option][data-code='130']").hover()
    player.page.locator("[data-try-input=word]").hover()
    assert f"{grey:,} guesses give this" in about.inner_text(), "what was clicked holds"
    player.type("word", "banana")
    assert "6 letters" in player.problem()
    assert player.output("count") is None
    player.type("word", "zzzzz")
    assert "not an allowed word" in player.problem()


@pytest.mark.parametrize("size, way", WAYS)
def test_pair(play, words, size, way):
    player = play("pair", size, way)
    for guess, answer in [("speed", "abide"), ("abbey", "kebab"), ("steal", "least")]:
        player.type("guess", guess)
        player.type("answer", answer)
        assert player.output("pattern") == format_pattern(score(guess, answer))
        assert player.output("reverse") == format_pattern(score(answer, guess))
    player.button("Swap")
    assert player.output("pattern") == format_pattern(score("least", "steal"))
    player.type("answer", "jazzy")
    covers = PatternSets.build(words).supersets("jazzy")
    text = player.page.locator("[data-try-output=covers]")
    assert f"{len(covers):,} words" in text.inner_text()
    assert set(text.get_attribute("data-value").split()) <= set(covers)
    player.type("answer", "aabbc")  # no word, but two words of one length have a pattern
    assert player.output("pattern") == format_pattern(score("least", "aabbc"))
    player.type("answer", "sixsix")
    assert "6 letters" in player.problem()
    assert player.output("pattern") is None


@pytest.mark.parametrize("size, way", WAYS)
def test_emojle(play, words, size, way):
    sets = PatternSets.build(words)
    player = play("emojle", size, way)
    player.wait("candidates", "posse")  # something to see before it is touched
    remove = player.page.get_by_role("button", name="remove the line yellow green grey grey green")
    player.press(remove)
    player.wait("candidates", "alien posse")
    if way == "keyboard":  # the focus stays where the line can be put back
        assert player.page.evaluate("document.activeElement.textContent") == "Put back"
        player.page.keyboard.press("Enter")
        player.wait("candidates", "posse")
    player.button("two lines")
    player.wait("candidates", " ".join(sets.candidates(["GYGGY", "YGYGG"])))
    player.button("Clear")
    player.wait("count", len(words.allowed))
    player.type("lines", POST)
    rows = [".....", ".G.G.", ".GGGG", "GGGGG"]
    left = sets.candidates(rows)
    player.wait("candidates", " ".join(left))
    radio = player.page.get_by_label("possible answers")
    player.press(radio) if way == "mouse" else (
        player.page.get_by_label("allowed words").focus(),
        player.page.keyboard.press("ArrowDown"),
    )
    player.wait("candidates", " ".join(sorted(set(left) & set(words.answers))))
    player.button("Clear")
    for place, turns in enumerate([1, 2, 0, 0, 2]):
        player.press(player.page.locator(f"[data-try-input=cell-{place + 1}]"), turns)
    player.type("lines", "Worldle #244 3/6\n🟩🟩🟩🟨⬛")  # a line below would be one of this post's
    player.button("Add this line")
    count = len(set(sets.candidates(["YG..G"])) & set(words.answers))
    player.wait("count", count)
    # Other lines, and the other list before the worker answers: the count stays with its lines.
    said = player.page.evaluate(
        """() => {
          const all = [...document.querySelectorAll("button")];
          all.find((one) => one.textContent === "two lines").click();
          document.querySelector("[value=allowed]").click();
          return document.querySelector(".try-result").textContent;
        }"""
    )
    assert said.startswith(f"{count:,} words can show this line")
    player.wait("candidates", " ".join(sets.candidates(["GYGGY", "YGYGG"])))
    assert "can show both lines" in player.page.locator(".try-result").inner_text()


def test_emojle_shows_the_likeliest_first(play, words):
    board = EmojleBoard(words, pool="allowed")
    board.patterns = ["YG..G", "YYYG."]
    expected = board.probabilities
    player = play("emojle")
    player.type("lines", "YG..G YYYG.")
    player.wait("count", len(expected))
    shown = player.page.locator("[data-word]").evaluate_all(
        "all => all.map((one) => [one.dataset.word, +one.dataset.chance])"
    )
    assert [word for word, _ in shown] == list(expected.index[: len(shown)])
    assert np.allclose([chance for _, chance in shown], expected[: len(shown)], atol=1e-6)


@pytest.mark.parametrize(
    "typed, sentence",
    [
        ("GGGGY", "impossible"),
        ("YG.. .....", "has 4 signs; a line has 5"),
        ("hello there", "is not a line"),
        ("Worldle #244 3/6\n🟩🟩🟩🟨⬛\n🟩🟩🟩🟩🟨\n🟩🟩🟩🟩🟩", "another game"),
        ("Spotle #700\n⬛🟨⬛⬛⬛", "“Spotle #700” is a post of another game"),
        ("<script>document.title='x'</script>", "is not a line"),
        ("🔴⚫🟢⚫⚫", "not a square that Wordle uses"),
        ("🟩⬛🟦⬛⬛", "mixes two sets of colours"),
        ("🟨🟨🟨🟨🟨🟨", "A row has 6 squares"),
        ("Wordle 400 3/6\n\n⬛⬛⬛⬛⬛\n⬛🟩🟩⬛🟩", "has 2 rows"),
        ("Wordle 1 2/6\n⬛⬛⬛⬛⬛\n🟩🟩🟩🟩🟩\nWordle 2 1/6\n🟩🟩🟩🟩🟩", "different puzzles"),
    ],
)
def test_emojle_says_what_is_wrong_and_keeps_it(play, typed, sentence):
    player = play("emojle")
    player.type("lines", typed)
    player.page.locator(".try-problem", has_text=sentence).wait_for()
    assert player.page.locator("[data-try-input=lines]").input_value() == typed
    assert player.page.title() == "part"


def test_emojle_reads_the_shares_that_the_package_reads(run, root):
    """Plain posts come out alike, and none that the package refuses passes."""
    lines = (root / "tests/data/share_cases.jsonl").read_text(encoding="utf-8").splitlines()
    cases = [json.loads(line) for line in lines]
    found = run("(texts) => texts.map((text) => readLines(text, 5))", [c["text"] for c in cases])
    wrong, unread = [], []
    for case, ours in zip(cases, found, strict=True):
        expected = case["expected"]
        if expected.get("reject") == "no_puzzle_number":
            continue  # lines alone are what this board takes
        shares = expected.get("multi", [expected] if "rows" in expected else [])
        rows = list(dict.fromkeys(itertools.chain(*(share["rows"] for share in shares))))
        if ours["patterns"] != rows:
            (unread if not ours["patterns"] and ours["problems"] else wrong).append(case["id"])
    assert wrong == ["stats_bot"]  # its bars are read as lines, which say nothing
    # What is said to be unread: descriptions in words, HTML, JSON.
    assert len(unread) < len(cases) / 4, unread


def test_emojle_says_only_what_is_true_of_a_post(run):
    texts = ["Wordle 400 2/6\n⬛🟨⬛⬛\n🟩🟩🟩🟩", "Wordle 400 2/6", "Bob: Spotle #700\n⬛🟨⬛⬛⬛"]
    short, empty, other = run("(texts) => texts.map((text) => readLines(text, 5))", texts)
    assert set(short["problems"]) == {"A row has 4 squares; it needs 5."}
    assert empty["problems"] == ["“Wordle 400 2/6” has no squares."]
    assert other["problems"] == ["“Spotle #700” is a post of another game: it is left out."]
    assert other["patterns"] == []


def test_emojle_takes_a_line_below_a_whole_post(run):
    post = "Wordle 400 2/6\n⬛🟨⬛⬛⬛\n🟩🟩🟩🟩🟩\n"
    unfinished = "Wordle 400 3/6\n⬛🟨⬛⬛⬛\n"
    texts = [
        f"{post}YG..G",
        f"{post}well played\nYG..G GG...",
        f"{post}{post}YG..G",
        f"{unfinished}YG..G",
    ]
    found = run("(texts) => texts.map((text) => readLines(text, 5))", texts)
    own = [".Y...", "GGGGG", "YG..G"]
    assert [ours["patterns"] for ours in found] == [own, [*own, "GG..."], own, []]
    assert [ours["posts"] for ours in found] == [1, 1, 2, 0]
    assert "has 1 row where its score says 3" in found[3]["problems"][0]


# Paste; `then` is done at once, before the worker can answer. Ends when it has answered.
PASTE = """async (field, [text, start, end, then]) => {
  const data = new DataTransfer(), send = Worker.prototype.postMessage;
  data.setData("text/plain", text);
  field.focus();
  field.setSelectionRange(start, end);
  const answered = new Promise((resolve) => {
    Worker.prototype.postMessage = function (request) {
      this.addEventListener("message", () => setTimeout(resolve), { once: true });
      send.call(this, request);
    };
  });
  const paste = { clipboardData: data, bubbles: true, cancelable: true };
  field.dispatchEvent(new ClipboardEvent("paste", paste));
  Worker.prototype.postMessage = send;
  [...document.querySelectorAll("button")].find((one) => one.textContent === then)?.click();
  await answered;
}"""


def test_emojle_takes_a_megabyte(play, words):
    player = play("emojle")
    text = (POST + "\nwhat a day\n") * 10_000
    assert len(text.encode()) > 1_000_000
    field = player.page.locator("[data-try-input=lines]")
    rows = [".....", ".G.G.", ".GGGG", "GGGGG"]
    player.type("lines", "YG..G YYYG.")
    field.evaluate(PASTE, [text, 0, 11, ""])  # over everything
    player.page.get_by_text("all 4 lines of 10,000 posts").wait_for()
    assert field.input_value().split() == rows
    player.type("lines", "YG..G YYYG. GYGYY")
    field.evaluate(PASTE, [text, 6, 11, ""])  # over the line in the middle
    assert field.input_value().split() == ["YG..G", *rows, "GYGYY"]
    field.evaluate(PASTE, [text, 0, 0, "Clear"])
    assert field.input_value() == ""
    player.wait("count", len(words.allowed))


@pytest.mark.parametrize("size, way", WAYS)
def test_tree(play, tree, size, way):
    player = play("tree", size, way)
    assert player.output("guess") == "salet"
    assert player.output("remaining") == "2315"
    answer = max(tree.games, key=lambda word: (len(tree.games[word]), word))
    guesses, left = tree.games[answer], set(tree.games)
    for guess in guesses:
        assert player.output("guess") == guess
        assert player.output("remaining") == str(len(left))
        pattern = format_pattern(score(guess, answer))
        for place, cell in enumerate(pattern):
            cell_button = player.page.locator(f"[data-try-input=cell-{place + 1}]")
            player.press(cell_button, ".YG".index(cell))
        player.press(player.page.locator("[data-try-input=next]"))
        left = {word for word in left if format_pattern(score(guess, word)) == pattern}
    assert f"Solved in {len(guesses)} guesses" in player.page.get_by_role("status").inner_text()
    for guess in reversed(guesses):
        player.press(player.page.locator("[data-try-input=back]"))
        assert player.output("guess") == guess
    assert player.output("remaining") == "2315"
    for place in range(5):  # GGGGY
        player.press(
            player.page.locator(f"[data-try-input=cell-{place + 1}]"), 2 if place < 4 else 1
        )
    player.press(player.page.locator("[data-try-input=next]"))
    assert "impossible" in player.problem()
    assert player.output("guess") == "salet"


@pytest.mark.parametrize("size, way", WAYS)
def test_opener(play, costs, size, way):
    player = play("opener", size, way)
    for word in ("salet", "crane", "adieu", "zzzzz", "fuzzy", "banana"):
        player.type("word", word)
        if word not in costs.index:
            assert word in player.problem()
            assert player.output("total") is None
            continue
        total = costs["total"][word]
        assert player.output("total") == str(total)
        # A bound says nothing of the words whose bounds are lower: they may need more in truth.
        exact = costs["exact"][word]
        before = (costs["total"] < total) & (exact | costs["exact"])
        assert player.output("rank") == str(before.sum() + 1)
        said = player.page.get_by_role("status").inner_text()
        assert said.count("at least") == (0 if exact else 3)
        assert ("or worse" in said) == (not exact)


@pytest.mark.parametrize("size, way", WAYS)
def test_semantle(play, size, way):
    player = play("semantle", size, way)
    vectors = load_embedding()
    names = popular_words(vectors, 2000)
    small = vectors.vectors(np.array([vectors.place(name) for name in names])).astype(float)
    small = np.rint(127 * small / np.abs(small).max(axis=1, keepdims=True))
    unit = small / np.linalg.norm(small, axis=1, keepdims=True)
    table = np.round(100 * unit @ unit.T, 2)
    target, guessed = names.index("medical"), []
    fits = np.ones(len(names), bool)
    for word in ("house", "music", "doctor", "medical"):
        if word != "house":  # the first guess is made already
            player.type("guess", word)
            player.page.keyboard.press("Enter")
        place = names.index(word)
        fits &= np.abs(table[place] - table[place, target]) < 0.005
        guessed.append(word)
        if word != "medical":
            fits[place] = False
        player.wait("remaining", fits.sum())
        assert abs(float(player.output("score")) - table[place, target]) < 0.011
        # Close to the game on the whole vectors: these are rounded.
        assert abs(table[place, target] - 100 * vectors.similarity(word, "medical")) < 1
    player.page.get_by_label("text to share").wait_for()
    text = player.page.get_by_label("text to share").input_value()
    assert "4 guesses" in text
    assert not any(word in text for word in guessed)
    player.type("guess", "house")
    player.page.keyboard.press("Enter")
    player.page.get_by_text("The game is over").wait_for()
    player.button("New word")
    player.wait("remaining", 2000)
    player.type("guess", "<b>bold</b>")
    player.page.keyboard.press("Enter")
    assert "is not one of the 2,000 words" in player.problem()
    assert player.page.locator("[data-try-input=guess]").input_value() == "<b>bold</b>"


def test_semantle_keeps_up_with_quick_fingers(play):
    player = play("semantle")
    player.page.get_by_role("rowheader", name="1. house").wait_for()
    field = player.page.locator("[data-try-input=guess]")
    field.focus()
    for word in ("music", "doctor", "table"):
        player.page.keyboard.type(word, delay=5)
        player.page.keyboard.press("Enter")
    player.type("guess", "river")
    player.page.get_by_role("button", name="Guess", exact=True).dblclick()
    player.page.get_by_role("rowheader", name="5. river").wait_for()
    rows = player.page.locator("tbody th").all_inner_texts()
    assert sorted(rows) == ["1. house", "2. music", "3. doctor", "4. table", "5. river"]
    assert player.page.locator(".try-problem:not(:empty)").count() == 0
