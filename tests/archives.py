"""Zip files that several test files make."""

import io
import zipfile


def zipped(**files: bytes) -> bytes:
    """A zip file in memory; ``name__txt`` stands for ``name.txt``."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name.replace("__", "."), data)
    return buffer.getvalue()
