"""The built wheel, installed outside the clone: the data travels inside it, and it plays."""

import os
import shutil
import subprocess
import sys
import sysconfig

import pytest

pytestmark = pytest.mark.slow

GAME = """
import sys
import wordgames
from wordgames.places import NOTEBOOKS, TEMPLATES

assert wordgames.__file__.startswith(sys.prefix), wordgames.__file__
words = wordgames.load_words()
print(len(words.answers), len(words.allowed), len(wordgames.load_words("wordle-nyt-2023").allowed))
print(*wordgames.play("letter-score", "could", words).guesses)
print(len(list(NOTEBOOKS.glob("[0-9]*.ipynb"))) > 9, (TEMPLATES / "report" / "style.css").is_file())
"""


@pytest.fixture(scope="module")
def installed(root, tmp_path_factory):
    """The Python of a fresh environment that has the wheel, and the packages that it needs."""
    folder = tmp_path_factory.mktemp("outside the clone")
    ignored = shutil.ignore_patterns(".*", "reports", "build", "dist", "*.egg-info", "__pycache__")
    source = folder / "source"
    shutil.copytree(root, source, ignore=lambda path, names: ignored(path, names) - _kept(path))
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    offline = ["--no-index", "--no-deps"]
    subprocess.run(
        [*pip, "wheel", *offline, "--no-build-isolation", "-w", folder, source], check=True
    )
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "env"], check=True)
    python = folder / "env" / "bin" / "python"
    (wheel,) = folder.glob("*.whl")
    subprocess.run(
        [*pip, "--python", python, "install", *offline, wheel],
        env={**os.environ, "PYTHONPATH": ""},
        check=True,
    )
    # The packages that it needs are lent by this environment. A path file lends no editable
    # install: those are named in path files of their own, which only their own folder reads.
    (site,) = (folder / "env").glob("lib/python*/site-packages")
    (site / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return python


def _kept(path) -> set[str]:
    """The package's own folder of this name is no output."""
    return {"reports"} if str(path).endswith("wordgames") else set()


def test_a_wheel_plays_outside_the_clone(installed, tmp_path):
    run = subprocess.run(
        [installed, "-c", GAME],
        cwd=tmp_path,
        env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    lists, guesses, files = run.stdout.splitlines()
    assert lists == "2315 12972 14855"
    assert guesses.split()[-1] == "could"
    assert files == "True True"


def test_every_folder_of_the_package_is_in_the_wheel(root, installed):
    (package,) = installed.parent.parent.glob("lib/python*/site-packages/wordgames")
    ours = {
        path.relative_to(root / "wordgames").as_posix()
        for path in (root / "wordgames").rglob("*.py")
        if "__pycache__" not in path.parts
    }
    theirs = {path.relative_to(package).as_posix() for path in package.rglob("*.py")}
    assert ours == theirs
    for folder in ("data", "notebooks", "templates"):
        there = {
            path.relative_to(root / folder).as_posix()
            for path in (root / folder).rglob("*")
            if path.is_file() and not any(part.startswith(".") for part in path.parts[-3:])
        }
        inside = {
            path.relative_to(package / folder).as_posix()
            for path in (package / folder).rglob("*")
            if path.is_file()
        }
        assert there == inside, folder
