"""The sets of patterns against the whole matrix, sets of Python, and what the essay states."""

import base64
import hashlib
import itertools
import random
import re
import stat

import numpy as np
import pytest
from conftest import obvious_pattern
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure

from wordgames import PatternSets, examples, format_pattern, load_words, parse_pattern, score_matrix
from wordgames.emojle.pattern_sets import count_contained, fewest_missing, pattern_counts
from wordgames.figures import draw_pattern_map
from wordgames.words import WordList


def slow_sets(words):
    return {answer: {obvious_pattern(guess, answer) for guess in words} for answer in words}


def word_list(*words):
    words = tuple(sorted(words))
    return WordList(words, words, "a test's list")


def random_list(length, letters, n, seed=0):
    rng = random.Random(seed)
    return word_list(*{"".join(rng.choices(letters, k=length)) for _ in range(n)})


def as_sets(sets):
    """The bits read one by one, as the contract says: pattern p is bit p % 64 of column p // 64."""
    return {
        word: {
            format_pattern(code, sets.length)
            for code in range(3**sets.length)
            if int(row[code // 64]) >> (code % 64) & 1
        }
        for word, row in zip(sets.words, sets.bits, strict=True)
    }


def words_of(length, alphabet="abc"):
    word = st.text(alphabet, min_size=length, max_size=length)
    return st.lists(word, min_size=1, max_size=12, unique=True).map(lambda ws: word_list(*ws))


any_words = st.integers(1, 6).flatmap(words_of)


@pytest.fixture(scope="module")
def words():
    return load_words("wordle-2021")


@pytest.fixture(scope="module")
def sets(words):
    return PatternSets.build(words)


@pytest.mark.parametrize(
    "some",
    [
        word_list("a", "b", "ä"),
        word_list("ab", "ba", "aa", "bb"),
        random_list(3, "abcde", 60),
        random_list(4, "aeirst", 150),
        random_list(5, "aabbcde", 300),  # two tiles and part of a third
        random_list(5, "añoöёщ", 129),  # one more than a tile
        random_list(6, "abcdef", 80),
        random_list(7, "abcd", 60),
        random_list(8, "abcde", 50),
    ],
    ids=lambda some: f"{len(some.allowed)}x{some.length}",
)
def test_sets_hold_what_the_slow_evaluator_finds(some):
    sets = PatternSets.build(some)
    assert sets.words == some.allowed
    assert sets.bits.dtype == np.uint64
    assert sets.bits.shape == (len(some.allowed), -(-(3**some.length) // 64))
    assert as_sets(sets) == slow_sets(some.allowed)


@settings(deadline=None, max_examples=60)
@given(any_words)
def test_sets_of_any_words(some):
    assert as_sets(PatternSets.build(some)) == slow_sets(some.allowed)


def test_all_allowed_words_are_guesses_and_answers():
    some = WordList(("crane",), ("caner", "crane", "nacre"), "three")
    sets = PatternSets.build(some)
    assert sets.words == ("caner", "crane", "nacre")
    assert as_sets(sets)["crane"] == {obvious_pattern(guess, "crane") for guess in some.allowed}


def test_sets_against_the_whole_matrix(words, sets):
    matrix = score_matrix(words.allowed, words.allowed[::97])
    for column, word in enumerate(words.allowed[::97]):
        code = np.unique(matrix[:, column])
        row = sets.bits[words.index[word]]
        found = [c for c in range(243) if int(row[c // 64]) >> (c % 64) & 1]
        assert found == code.tolist()


def test_bits_are_read_only(sets):
    with pytest.raises(ValueError, match="read-only"):
        sets.bits[0, 0] = 0


def test_build_holds_no_matrix():
    from benchmarks.common import peak_memory

    taken = peak_memory(
        run="PatternSets.build(words)",
        setup="from wordgames import PatternSets, load_words\n"
        "from wordgames.words import WordList\n"
        "PatternSets.build(WordList(('ab', 'ba'), ('ab', 'ba'), 'x'))\n"
        "PatternSets.build(WordList(('abide', 'speed'), ('abide', 'speed'), 'x'))\n"
        "words = load_words()",
    )
    matrix = len(load_words().allowed) ** 2
    assert taken < matrix / 2


@settings(deadline=None, max_examples=60)
@given(any_words)
def test_counts_are_those_of_python_sets(some):
    sets, slow = PatternSets.build(some), slow_sets(some.allowed)
    cardinality, popularity = sets.cardinality(), sets.popularity()
    assert cardinality.to_dict() == {word: len(patterns) for word, patterns in slow.items()}
    names = ["".join(cells) for cells in itertools.product(".YG", repeat=some.length)]
    assert popularity.index.tolist() == names
    assert popularity.tolist() == [sum(name in s for s in slow.values()) for name in names]
    assert cardinality.sum() == popularity.sum()


def assert_contained(sets, slow):
    supersets, subsets = sets.superset_counts(), sets.subset_counts()
    for word, mine in slow.items():
        above = [other for other, theirs in slow.items() if other != word and mine <= theirs]
        below = [other for other, theirs in slow.items() if other != word and theirs <= mine]
        assert sets.supersets(word) == sorted(above)
        assert sets.subsets(word) == sorted(below)
        assert (supersets[word], subsets[word]) == (len(above), len(below))


@settings(deadline=None, max_examples=60)
@given(any_words)
def test_supersets_and_subsets_are_those_of_python_sets(some):
    assert_contained(PatternSets.build(some), slow_sets(some.allowed))


@pytest.mark.parametrize("length", [5, 6, 8])
def test_supersets_and_subsets_of_longer_lists(length):
    # Words of letters that few others have give few patterns, which many others give too.
    rare = ["x" * length, "y" * length, "x" * (length - 1) + "a", "b" + "y" * (length - 1)]
    some = word_list(*random_list(length, "abc", 120, seed=length).allowed, *rare)
    slow = slow_sets(some.allowed)
    assert any(a < b for a, b in itertools.permutations(slow.values(), 2)), "the case must bite"
    assert_contained(PatternSets.build(some), slow)


def test_equal_sets_count_in_both_and_the_word_itself_never():
    sets = PatternSets.build(word_list("ab", "cd", "ef"))  # nothing shared: each gives .. and GG
    assert sets.superset_counts().tolist() == sets.subset_counts().tolist() == [2, 2, 2]
    assert sets.supersets("ab") == sets.subsets("ab") == ["cd", "ef"]
    alone = PatternSets.build(word_list("ab"))
    assert alone.superset_counts().tolist() == alone.subset_counts().tolist() == [0]


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 2**32), st.integers(1, 12), st.integers(1, 40), st.integers(1, 3))
def test_containment_of_any_bits(seed, columns, n, density):
    rng = np.random.default_rng(seed)
    # Few bits in all, so that sets do contain one another, in leading and in further columns.
    chosen = rng.integers(0, 64 * columns, 6)
    members = rng.random((n, 6)) < density / 4
    bits = np.zeros((n, columns), np.uint64)
    for row, some in zip(bits, members, strict=True):
        for bit in chosen[some]:
            row[bit // 64] |= np.uint64(1 << int(bit % 64))
    slow = [frozenset(chosen[some].tolist()) for some in members]
    supersets, subsets = count_contained(bits)
    assert supersets.tolist() == [sum(a <= b for b in slow) - 1 for a in slow]
    assert subsets.tolist() == [sum(b <= a for b in slow) - 1 for a in slow]


@settings(deadline=None, max_examples=40)
@given(any_words)
def test_fewest_missing_is_that_of_python_sets(some):
    slow = slow_sets(some.allowed)
    bits = PatternSets.build(some).bits
    if len(slow) == 1:
        with pytest.raises(ValueError, match="at least two"):
            fewest_missing(bits)
        return
    assert fewest_missing(bits).tolist() == [
        min(len(mine - theirs) for other, theirs in slow.items() if other != word)
        for word, mine in slow.items()
    ]


def test_fewest_missing_of_the_list(sets):
    fewest = fewest_missing(sets.bits)
    assert ((fewest == 0) == (sets.superset_counts() > 0)).all()
    fields = [int.from_bytes(row.tobytes(), "little") for row in sets.bits]
    for place in range(0, len(fields), 500):
        others = fields[:place] + fields[place + 1 :]
        assert fewest[place] == min((fields[place] & ~other).bit_count() for other in others)


def test_more_sets_than_a_block():
    rng = np.random.default_rng(1)
    members = rng.random((1300, 9)) < 0.4
    bits = (members * 2 ** np.arange(9)).sum(axis=1, dtype=np.uint64)[:, None]
    inside = ~(members[:, None] & ~members[None]).any(axis=2)
    supersets, subsets = count_contained(bits)
    assert supersets.tolist() == (inside.sum(axis=1) - 1).tolist()
    assert subsets.tolist() == (inside.sum(axis=0) - 1).tolist()


# What the essay states of the original lists (ids of data/published.csv).


def test_published_cardinality(sets):
    cardinality = sets.cardinality()
    assert (cardinality.idxmax(), cardinality.max()) == ("tares", 211)  # E12
    assert (cardinality.idxmin(), cardinality.min()) == ("qajaq", 47)  # E13


def test_published_popularity(sets):
    popularity = sets.popularity()
    assert popularity[".GGGG"] == 8385  # E07
    assert popularity["GYYGG"] == 458  # E08
    everywhere = set(popularity.index[popularity == 12972])
    assert everywhere == {".....", "GGGGG", "Y....", ".Y...", "..Y..", "...Y.", "....Y", "..YY."}
    never = set(popularity.index[popularity == 0])
    assert never == {"YGGGG", "GYGGG", "GGYGG", "GGGYG", "GGGGY"}  # E16
    assert popularity["Y.Y.."] == 12971  # E15
    assert set(sets.words) - set(sets.candidates(["Y.Y.."])) == {"ayaya"}  # E15a


@pytest.mark.parametrize("word, can", [("churn", False), ("frail", True), ("grail", True)])
def test_published_words_with_four_greens(sets, word, can):
    assert (word in sets.candidates([".GGGG"])) == can  # E07a to E07c


def test_published_containment(sets):
    supersets, subsets = sets.superset_counts(), sets.subset_counts()
    assert (subsets.idxmax(), subsets.max()) == ("tares", 1606)  # E17
    assert (supersets.idxmax(), supersets.max()) == ("qajaq", 3188)  # E18
    assert len({row.tobytes() for row in sets.bits}) == 12972  # E09
    assert len(sets.supersets("qajaq")) == 3188
    assert len(sets.subsets("tares")) == 1606


def test_words_that_are_a_subset_one_fewer_than_published(sets):
    # E10 states 4,465. Every 50th word is counted here with Python's own whole numbers.
    fields = [int.from_bytes(row.tobytes(), "little") for row in sets.bits]
    supersets = sets.superset_counts()
    for place in range(0, len(fields), 50):
        mine = fields[place]
        assert supersets.iloc[place] == sum(mine & field == mine for field in fields) - 1
    assert (supersets > 0).sum() == 4464


def test_published_candidates(words, sets):
    posted = ["YG..G", "YYYG.", "GYGYY", "GGGYY", ".G.YG"]
    assert sets.candidates(posted) == ["posse"]  # E19
    assert sets.candidates(posted[1:]) == ["alien", "posse"]  # E20
    assert sets.candidates(["GYGGY", "YGYGG"]) == ["grail"]  # E21
    for answer, guesses, patterns in [
        ("posse", "solve sposh pesos poses loupe", posted),
        ("alien", "lines anile aline sloan", posted[1:]),
        ("grail", "glair argil", ["GYGGY", "YGYGG"]),
    ]:
        for guess, pattern in zip(guesses.split(), patterns, strict=True):
            assert guess in examples(answer, pattern, words)


# Candidates and why there are none.


@settings(deadline=None, max_examples=60)
@given(any_words, st.data())
def test_one_mask_is_as_filtering_one_by_one(some, data):
    sets, slow = PatternSets.build(some), slow_sets(some.allowed)
    names = st.text(".YG", min_size=some.length, max_size=some.length)
    patterns = data.draw(st.lists(names, max_size=4))
    left = list(some.allowed)
    for pattern in patterns:
        left = [word for word in left if pattern in slow[word]]
    assert sets.candidates(patterns) == left
    assert sets.candidates(map(parse_pattern, patterns)) == left
    assert sets.mask(patterns).tolist() == [word in left for word in some.allowed]
    assert (sets.why_empty(patterns) == "") == bool(left)


def test_patterns_in_any_palette_or_as_codes(sets):
    texts = ["🟨🟩⬛⬛🟩", "🟦🟦🟦🟧⬜", "21211", "GGG YY", parse_pattern(".G.YG")]
    assert sets.codes(texts) == list(
        map(parse_pattern, ["YG..G", "YYYG.", "GYGYY", "GGGYY", ".G.YG"])
    )
    assert sets.candidates(texts) == ["posse"]
    assert sets.candidates(np.array([242, 0])) == list(sets.words)
    assert sets.candidates([]) == list(sets.words)


@pytest.mark.parametrize(
    "patterns, error, message",
    [
        (["YG..G", "YYY"], ValueError, "'YYY' has 3 cells: it needs 5"),
        (["YG..?"], ValueError, "'[?]' is no cell"),
        ([243], ValueError, "code 243: 5 cells have codes 0 to 242"),
        ([-1], ValueError, "code -1"),
        ([True], TypeError, "not True"),
        ([1.0], TypeError, "not 1.0"),
        ("YG..G", TypeError, "a list, such as .* not the one 'YG..G'"),
        (7, TypeError, "not the one 7"),
    ],
)
def test_bad_patterns_are_named(sets, patterns, error, message):
    for method in (sets.candidates, sets.mask, sets.why_empty):
        with pytest.raises(error, match=message):
            method(patterns)


def test_an_impossible_pattern_gives_no_candidate_and_a_reason(sets):
    assert sets.candidates(["GGGGY", "....."]) == []
    why = sets.why_empty(["GGGGY", "....."])
    assert why.startswith("'GGGGY' is impossible: with one yellow and all other squares green")
    assert sets.why_empty(["GGGGY", "GGYGG"]).startswith("'GGGGY' and 'GGYGG' are impossible")


def test_a_pattern_that_no_word_of_the_list_gives():
    sets = PatternSets.build(word_list("crane", "slate"))
    assert sets.candidates(["YYYYY"]) == []
    assert sets.why_empty(["GGGGG", "YYYYY"]) == (
        "No word of the list can show 'YYYYY', whatever is guessed."
    )


def test_patterns_at_odds_are_named_with_what_is_left_without_them(sets):
    patterns = ["YG..G", "YYYG.", "GYGYY", "GGGYY", ".G.YG", "GYYYY"]
    left = {p: len(sets.candidates([q for q in patterns if q != p])) for p in patterns}
    assert sets.why_empty(patterns) == (
        "One word can show 'YG..G', 'YYYG.', 'GYGYY', 'GGGYY' and '.G.YG' (posse), "
        "and none of them 'GYYYY'. "
        f"Without {max(left, key=left.get)!r} alone, the rest would leave {max(left.values())}."
    )


def test_word_that_is_not_there_is_named(sets):
    for method in (sets.supersets, sets.subsets):
        with pytest.raises(ValueError, match=r"'tarse' is not an allowed word of .*did you mean "):
            method("tarse")
        with pytest.raises(ValueError, match="'tare' has 4 letters"):
            method("tare")
    assert sets.subsets(" TARES ") == sets.subsets("tares")


# Counts of patterns and examples.


@settings(deadline=None, max_examples=40)
@given(any_words)
def test_pattern_counts_against_the_slow_evaluator(some):
    answers = some.allowed[::2]
    counts = pattern_counts(some.allowed, answers)
    assert counts.shape == (len(some.allowed), 3**some.length)
    for guess, row in zip(some.allowed, counts, strict=True):
        given_by = [parse_pattern(obvious_pattern(guess, answer)) for answer in answers]
        assert row.tolist() == [given_by.count(code) for code in range(3**some.length)]


def test_pattern_counts_of_the_list(words):
    counts = pattern_counts(words.allowed, words.answers)
    assert (counts.sum(axis=1) == len(words.answers)).all()
    tares = score_matrix(["tares"], words.answers)[0]
    assert counts[words.index["tares"]].tolist() == np.bincount(tares, minlength=243).tolist()


@settings(deadline=None, max_examples=40)
@given(any_words, st.data())
def test_examples_are_the_guesses_that_give_the_pattern(some, data):
    answer = data.draw(st.sampled_from(some.allowed))
    code = data.draw(st.integers(0, 3**some.length - 1))
    pattern = format_pattern(code, some.length)
    expected = [guess for guess in some.allowed if obvious_pattern(guess, answer) == pattern]
    assert examples(answer, pattern, some) == examples(answer, code, some) == expected


def test_examples_of_bad_input(words):
    with pytest.raises(ValueError, match="'pose' has 4 letters"):
        examples("pose", "GGGGG", words)
    with pytest.raises(ValueError, match="'pozze' is not an allowed word"):
        examples("pozze", "GGGGG", words)
    with pytest.raises(ValueError, match="has 4 cells: it needs 5"):
        examples("posse", "GGGG", words)
    with pytest.raises(ValueError, match="code 243"):
        examples("posse", 243, words)
    assert examples("posse", "GGGGY", words) == []


# The dictionary file.


def test_dictionary_file_of_the_essay(sets, tmp_path):
    path = tmp_path / "sets.txt"
    sets.to_file(path)
    lines = path.read_text(encoding="utf-8").split("\n")
    head = re.fullmatch(
        r"# pattern sets: 12972 words of 5 letters, sha256 ([0-9a-f]{64})", lines[0]
    )
    body = path.read_bytes().split(b"\n", 1)[1]
    assert head[1] == hashlib.sha256(body).hexdigest()
    assert 594_000 < path.stat().st_size < 726_000  # E05: 660 kB within 10 per cent
    word, field = lines[1 + sets.words.index("posse")].split(" ")
    patterns = base64.b64decode(field)
    assert (word, len(patterns)) == ("posse", 31)  # E04
    assert {c for c in range(243) if patterns[c // 8] >> c % 8 & 1} == {
        parse_pattern(obvious_pattern(guess, "posse")) for guess in sets.words
    }


@settings(deadline=None, max_examples=30)
@given(st.integers(1, 8).flatmap(lambda n: words_of(n, "abñё")))
def test_file_round_trip(tmp_path_factory, some):
    path = tmp_path_factory.mktemp("round") / "sets.txt"
    sets = PatternSets.build(some)
    sets.to_file(path)
    again = PatternSets.from_file(path)
    assert again.words == sets.words
    assert again.bits.dtype == np.uint64
    assert again.bits.tolist() == sets.bits.tolist()
    assert not again.bits.flags.writeable


@pytest.fixture
def small_file(tmp_path):
    path = tmp_path / "sets.txt"
    PatternSets.build(word_list("crane", "nacre", "slate", "stale")).to_file(path)
    return path


def with_checksum(body, n=4, length=5):
    head = f"# pattern sets: {n} words of {length} letters, sha256 "
    return f"{head}{hashlib.sha256(body).hexdigest()}\n".encode() + body


def swapped(data):
    lines = data.split(b"\n")
    lines[1], lines[2] = lines[2], lines[1]
    return b"\n".join(lines)


def swapped_with_checksum(data):
    return with_checksum(swapped(data).split(b"\n", 1)[1])


@pytest.mark.parametrize(
    "change, message",
    [
        (lambda data: data[:-20], "truncated: its first line says 4 words and 3 whole lines"),
        (lambda data: data[:-1], "truncated"),
        (lambda data: data[: data.index(b"\n") + 1], "truncated.* 0 whole lines"),
        (lambda data: data[:30], "no dictionary file.*its first line must be"),
        (lambda data: data[: data.index(b"\n")], "no dictionary file"),
        (lambda data: b"", "no dictionary file"),
        (lambda data: b"crane\nslate\n", "no dictionary file.*not b'crane'"),
        (lambda data: b"\xff\xfe\x00" + data, "no dictionary file"),
        (lambda data: data.replace(b"slate", b"skate"), "altered.*checksum"),
        (lambda data: data.replace(b"4 words", b"3 words"), "altered"),
        (lambda data: data + data.split(b"\n")[-2] + b"\n", "altered"),
        (swapped, "altered"),
        (swapped_with_checksum, "not sorted"),
        (lambda data: with_checksum(b"crane\n", 1), "a word, a space and a bit field"),
        (lambda data: with_checksum(b"crane !!!!\n", 1), "no dictionary file"),
        (lambda data: with_checksum(b"crane AAAA\n", 1), "has 31 bytes"),
        (lambda data: with_checksum(b"cr4ne " + b"A" * 43 + b"=\n", 1), "'4', which is no letter"),
        (
            lambda data: with_checksum(b"crane " + base64.b64encode(b"\xff" * 31) + b"\n", 1),
            "beyond the 243",
        ),
        (lambda data: data.replace(b"5 letters", b"4 letters"), "no dictionary file"),
        (lambda data: with_checksum(b"", 0), "no dictionary file"),
    ],
)
def test_spoilt_files_are_refused(small_file, change, message):
    small_file.write_bytes(change(small_file.read_bytes()))
    with pytest.raises(ValueError, match=f"(?s){re.escape(str(small_file))}.*{message}"):
        PatternSets.from_file(small_file)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"no dictionary file .*absent.txt.*build"):
        PatternSets.from_file(tmp_path / "absent.txt")


def test_a_failed_write_leaves_the_old_file(small_file, monkeypatch, sets):
    old = small_file.read_bytes()

    def full_disk(path, data):
        with path.open("wb") as file:
            file.write(data[:100])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.write_bytes", full_disk)
    with pytest.raises(OSError, match=r"No space left on device.*sets.txt"):
        sets.to_file(small_file)
    assert small_file.read_bytes() == old
    assert [path.name for path in small_file.parent.iterdir()] == ["sets.txt"]


def test_an_interrupted_write_leaves_the_old_file(small_file, monkeypatch, sets):
    old = small_file.read_bytes()

    def interrupt(path, target):
        raise KeyboardInterrupt

    monkeypatch.setattr("pathlib.Path.replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        sets.to_file(small_file)
    assert small_file.read_bytes() == old
    assert [path.name for path in small_file.parent.iterdir()] == ["sets.txt"]


def test_a_missing_folder_is_named(sets, tmp_path):
    with pytest.raises(FileNotFoundError, match=r"cannot write this file.*absent"):
        sets.to_file(tmp_path / "absent" / "sets.txt")


def test_a_written_file_can_be_read_by_others(small_file):
    mode = stat.S_IMODE(small_file.stat().st_mode)
    plain = small_file.with_name("plain")
    plain.touch()
    assert mode == stat.S_IMODE(plain.stat().st_mode)


# The picture of all patterns.


@pytest.mark.parametrize("length", [1, 2, 4, 5, 6, 8])
def test_pattern_map_puts_each_value_where_its_strips_say(length):
    figure = Figure()
    image, _ = draw_pattern_map(figure, np.arange(3**length), length)
    top, left, main = figure.axes[:3]
    n_first = length // 2
    above = top.images[0].get_array()
    beside = left.images[0].get_array() if n_first else np.zeros((1, 0))
    assert list(main.images) == [image]
    for (y, x), value in np.ndenumerate(image.get_array()):
        cells = [*beside[y], *above[:, x]]
        assert parse_pattern("".join(".YG"[int(cell)] for cell in cells)) == value
    assert image.get_array()[0, 0] == 0
    assert image.get_array()[-1, -1] == 3**length - 1


def test_pattern_map_marks_the_right_cell():
    figure = Figure()
    image, _ = draw_pattern_map(figure, np.arange(243.0), 5, {parse_pattern("GGGGY"): "x"})
    (sign,) = figure.axes[2].texts
    x, y = sign.get_position()
    assert (sign.get_text(), image.get_array()[y, x]) == ("x", parse_pattern("GGGGY"))
