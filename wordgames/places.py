"""Where the data and other files lie: beside the package in a clone, inside it once installed."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def _place(name: str) -> Path:
    inside = _PACKAGE / name
    return inside if inside.is_dir() else _PACKAGE.parent / name


DATA = _place("data")
COMPUTED = DATA / "computed"  # what a command here made, and can make again
TEMPLATES = _place("templates")
NOTEBOOKS = _place("notebooks")
