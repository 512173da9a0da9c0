"""Which notebook is to run and with which parameters: found, read and checked before any work.

Nothing here needs papermill or nbformat, which take seconds to import.
"""

import csv
import hashlib
import json
import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from wordgames._files import OutputError
from wordgames.places import NOTEBOOKS
from wordgames.reports.parameters import (
    Parameter,
    ParameterError,
    check_names,
    read_parameters,
)
from wordgames.words import load_words

MADE_FROM = "made-from.json"  # in the folder of one of many runs: what it depends on
SWEEPS = NOTEBOOKS.parent / "params" / "sweeps.yml"

_NAME = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True)
class Limits:
    """How many seconds one cell, and one whole run, may take; None: any number."""

    cell: float | None = None
    run: float | None = None


NO_LIMITS = Limits()


def notebook_paths() -> list[Path]:
    """The repository's notebooks, in reading order."""
    return sorted(NOTEBOOKS.glob("[0-9][0-9]-*.ipynb"))


def find_notebook(notebook: str | int | Path) -> Path:
    """The notebook of a path, or of a number or the beginning of a name such as ``03``.

    FileNotFoundError lists the notebooks that there are.
    """
    text = str(notebook)
    path = Path(text)
    if path.suffix == ".ipynb" and path.is_file():
        return path.resolve()
    prefix = text.zfill(2) if text.isdecimal() else text.removesuffix(".ipynb")
    found = [path for path in notebook_paths() if path.stem.startswith(prefix)] if prefix else []
    if len(found) != 1:
        names = ", ".join(path.stem for path in found or notebook_paths()) or "none"
        problem = "is the beginning of several notebooks" if found else "is no notebook"
        raise FileNotFoundError(
            f"{text!r} {problem}: give a number or the path of an .ipynb file; there are {names}"
        )
    return found[0]


def _parameters_cells(path: Path) -> list[str]:
    """The source of each cell that is tagged ``parameters``; ValueError for no notebook."""
    try:
        return [
            "".join(cell["source"])
            for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]
            if cell["cell_type"] == "code" and "parameters" in cell["metadata"].get("tags", [])
        ]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"{path} is not a notebook of format 4: {error!r}") from None


def declared_parameters(notebook: Path) -> dict[str, Parameter]:
    """What the notebook's parameters cell declares; none when it has no such cell."""
    cells = _parameters_cells(notebook)
    if len(cells) > 1:
        raise ValueError(f"{notebook.name} has {len(cells)} parameters cells: keep one")
    return read_parameters(cells[0]) if cells else {}


def parse_parameters(notebook: Path, texts: dict[str, str]) -> dict:
    """Values in the types that the notebook declares, of the texts of a command line."""
    declared = declared_parameters(notebook)
    check_names(texts, declared)
    return {name: declared[name].parse(text) for name, text in texts.items()}


def check_values(declared: dict[str, Parameter], given: dict) -> dict:
    """The given values, checked; ParameterError for the first that is wrong."""
    check_names(given, declared)
    values = {name: declared[name].check(value) for name, value in given.items()}
    if "word_list" in values:
        try:
            load_words(values["word_list"])
        except (OSError, ValueError, ModuleNotFoundError) as error:
            raise ParameterError(f"parameter word_list: {error}") from None
    return values


def _read_yaml(file: str | Path) -> dict:
    """A file of ``name: value`` lines, with every value as text, or lists or dicts of text."""
    import yaml

    try:
        content = yaml.load(Path(file).read_text(encoding="utf-8"), Loader=yaml.BaseLoader)
    except OSError as error:
        raise ParameterError(f"no file of parameters {str(file)!r} ({error.strerror})") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ParameterError(f"{file} is not YAML: {' '.join(str(error).split())}") from None
    if content and not isinstance(content, dict):
        raise ParameterError(f"{file}: it needs lines of the form name: value")
    return content or {}


def _read_pairs(pairs: Iterable[str]) -> dict[str, str]:
    settings: dict[str, str] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not _NAME.fullmatch(name):
            raise ParameterError(f"-p {pair!r}: write name=value, such as -p top=30")
        if name in settings:
            raise ParameterError(f"-p {name} is given twice: keep one")
        settings[name] = value
    return settings


def read_settings(pairs: Iterable[str], file: str | None = None) -> dict[str, str]:
    """Parameters as text, of ``name=value`` pairs and of a YAML file; pairs come before the file.

    A value keeps every character, and no word turns into something else: ``nan``, ``none`` and
    ``no`` stay text. ValueError names what cannot be read.
    """
    settings = {} if file is None else _read_yaml(file)
    for name, value in settings.items():
        if not isinstance(value, str):
            raise ParameterError(f"{file}: {name} takes one value, not a list of them")
    return {**settings, **_read_pairs(pairs)}


def settings_for(notebook: Path, pairs: Iterable[str], file: str | None) -> dict[str, str]:
    """The settings for one notebook. A file serves all: what only others declare is left out."""
    settings, from_pairs = read_settings(pairs, file), read_settings(pairs)
    declared = declared_parameters(notebook)
    elsewhere = {name for path in notebook_paths() for name in declared_parameters(path)}
    return {
        name: text
        for name, text in settings.items()
        if name in declared or name in from_pairs or name not in elsewhere
    }


def read_sweep(
    notebook: Path, pairs: Iterable[str], file: str | Path | None = None, name: str = ""
) -> dict[str, list[str]]:
    """The values of each parameter of a sweep as text, in the order in which they are to vary.

    Parameters
    ----------
    notebook : Path
    pairs : iterable of str
        ``name=a,b,c``, as a line of CSV: a value that holds a comma stands in double quotes. A
        value ``@folder/*.txt`` means each file of that pattern, ``@@…`` a value that begins so.
    file : str or path, optional
        YAML: lines of ``name: value`` or ``name: [value, value]``, or several such sweeps, each
        below its name. What only other notebooks declare is left out if it has one value.
    name : str
        Which sweep of the file; without a file, of params/sweeps.yml.

    Raises
    ------
    ParameterError
        What cannot be read, no such sweep, a pattern that no file has.
    """
    if name and file is None:
        file = SWEEPS
    content = {} if file is None else _read_yaml(file)
    if name or (content and all(isinstance(value, dict) for value in content.values())):
        names = ", ".join(content) or "none"
        if not isinstance(content.get(name), dict):
            asked = f"no sweep {name!r}" if name else "name one with --sweep"
            raise ParameterError(f"{file}: {asked}: the sweeps are {names}")
        content = content[name]
    declared = declared_parameters(notebook)
    elsewhere = {name for path in notebook_paths() for name in declared_parameters(path)}
    sweep = {}
    for key, value in content.items():
        values = value if isinstance(value, list) else [value]
        if not values or not all(isinstance(text, str) for text in values):
            raise ParameterError(f"{file}: {key} takes a value, or a list of values")
        if key in declared or key not in elsewhere or len(values) > 1:
            sweep[key] = values
    for key, text in _read_pairs(pairs).items():
        try:
            rows = list(csv.reader([text], skipinitialspace=True, strict=True))
        except csv.Error as error:
            raise ParameterError(
                f"-p {key}={text}: {error}: separate values by commas; a value that holds a comma "
                "or begins with a quotation mark stands in double quotes"
            ) from None
        sweep[key] = rows[0] or [""]
    return {
        key: [v for text in texts for v in _expanded(key, text)] for key, texts in sweep.items()
    }


def _expanded(name: str, text: str) -> list[str]:
    """The files that ``@pattern`` names; any other text itself."""
    if not text.startswith("@"):
        return [text]
    if text.startswith("@@"):
        return [text[1:]]
    pattern = Path(text[1:]).expanduser()
    try:
        files = Path(pattern.anchor).glob(str(pattern.relative_to(pattern.anchor)))
        found = sorted(str(path) for path in files if path.is_file())
    except (ValueError, NotImplementedError) as error:
        raise ParameterError(f"parameter {name} = {text!r}: {error}") from None
    if not found:
        raise ParameterError(
            f"parameter {name} = {text!r}: no file is called so; @ begins a pattern of files, "
            "@@ a value that itself begins with @"
        )
    return found


def check_output(output_dir: str | Path, notebook: Path | None = None) -> Path:
    """The folder of the output; OutputError for one whose pages would replace sources."""
    if not str(output_dir):
        raise OutputError("--output-dir is empty: name a folder, such as reports")
    output_dir = Path(output_dir)
    executed = (output_dir / "notebooks").resolve()
    if notebook is not None and executed in (notebook.parent.resolve(), NOTEBOOKS):
        raise OutputError(
            f"--output-dir {str(output_dir)!r} would replace {notebook.name} itself by its "
            "executed copy: name another folder, such as reports"
        )
    return output_dir


_RESULTS = re.compile(rb'<meta name="results" content="(\w*)">')


def altered(results: Path, page: Path) -> bool:
    """Whether the page of some results names another checksum than theirs."""
    with suppress(OSError), page.open("rb") as file:
        if named := _RESULTS.search(file.read(4000)):
            return named[1].decode() != hashlib.sha256(results.read_bytes()).hexdigest()
    return False
