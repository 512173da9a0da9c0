"""Progress of what takes more than two seconds, on a terminal only."""

from collections.abc import Iterable

from tqdm import tqdm


def progress(steps: Iterable | None = None, what: str = "", **options) -> tqdm:
    """The steps, with a bar that a person at a terminal sees while they take long.

    Elsewhere, as in a pipe, a log or a notebook, there is none, so that two runs print the same.
    Without steps, give ``total=`` and call `update`; options are those of tqdm.
    """
    return tqdm(steps, what, delay=2, leave=False, disable=None, **options)
