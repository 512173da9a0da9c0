"""Writing a file whole or not at all: a run that stops half-way never spoils the last good file."""

import contextlib
import errno
import os
from pathlib import Path


def write_whole(path: str | Path, data: bytes) -> None:
    """Write a file under a temporary name beside it, then let it take the place of the old one.

    OSError names the path when its folder is missing or cannot be written.
    """
    path = Path(path)
    if path.is_dir():
        raise IsADirectoryError(
            errno.EISDIR, "this is a folder, give the path of a file in it", str(path)
        )
    temporary = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        temporary.write_bytes(data)
        temporary.replace(path)
    except OSError as error:
        # On a read-only disk even removing what is not there is an error.
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise type(error)(
            error.errno, f"{error.strerror}: cannot write this file, choose another", str(path)
        ) from error
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
