"""Open the notebooks in JupyterLab, so that playing leaves the clone clean.

Playing changes a notebook: it then holds outputs. So JupyterLab opens the folder ``lab``, which git
ignores. It links to the reports' notebooks and holds copies of those of ``play``. When a notebook
of ``play`` is newer than its copy, the copy is renewed, and the old one stays as ``…-old.ipynb``.
Arguments are passed on to JupyterLab.
"""

import os
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def prepare(root: Path) -> Path:
    """Make or renew the folder ``lab``."""
    lab, notebooks = root / "lab", root / "notebooks"
    (lab / "play").mkdir(parents=True, exist_ok=True)
    for link in lab.glob("*.ipynb"):
        if link.is_symlink():
            link.unlink()
    for notebook in notebooks.glob("*.ipynb"):
        (lab / notebook.name).symlink_to(Path("..") / "notebooks" / notebook.name)
    for notebook in (notebooks / "play").glob("*.ipynb"):
        copy = lab / "play" / notebook.name
        if copy.exists() and copy.stat().st_mtime >= notebook.stat().st_mtime:
            continue
        if copy.exists():
            copy.replace(copy.with_name(f"{copy.stem}-old.ipynb"))
        shutil.copyfile(notebook, copy)
    return lab


if __name__ == "__main__":
    os.chdir(prepare(ROOT))
    os.execv(sys.executable, [sys.executable, "-m", "jupyterlab", *sys.argv[1:]])
