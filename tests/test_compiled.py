"""Compiled kernels: never old, whatever file changed; and no file of the cache can do harm."""

import os
import shutil
import subprocess
import sys

import pytest

LOW = """from wordgames._compiled import compiled

STEP = 1


@compiled
def low(x):
    return x + STEP
"""
TOP = "\n\n\n@compiled\ndef top(x):\n    return 10 * {low}(x)\n"
COMPILED_TOP = (
    "from wordgames._compiled import compiled\nfrom wordgames.wing.low import low"
    + TOP.format(low="low")
)
IMPORTS = {
    "from wordgames.wing.low import low": "low",
    "from wordgames.wing import low": "low.low",
    "from wordgames.wing import (\n    low,\n)": "low.low",
    "import wordgames.wing.low as other": "other.low",
    "from wordgames.middle import low": "low",
}


@pytest.fixture
def package(root, tmp_path):
    """A copy of the package with nothing in it but how it compiles, and two kernels."""
    folder = tmp_path / "wordgames"
    (folder / "wing").mkdir(parents=True)
    for name in ("_compiled.py", "_files.py"):
        shutil.copy(root / "wordgames" / name, folder)
    (folder / "__init__.py").touch()
    (folder / "wing" / "__init__.py").touch()
    (folder / "middle.py").write_text("from wordgames.wing.low import low\n\n__all__ = ['low']\n")
    (folder / "wing" / "low.py").write_text(LOW)
    (folder / "top.py").write_text(COMPILED_TOP)
    return folder


# A step forgets the package and imports it again, as a new process would; numba stays.
STEPS = """
import os, sys
for line in sys.stdin:
    sys.path[0], os.environ["WORDGAMES_CACHE"] = line.split()
    for name in [name for name in sys.modules if name.startswith("wordgames")]:
        del sys.modules[name]
    from wordgames.top import top
    print(top(4), sum(top.stats.cache_misses.values()), flush=True)
"""


@pytest.fixture(scope="module")
def run():
    """A function: what top(4) gives in a copy of the package, and how often it was compiled."""
    environment = {name: os.environ[name] for name in os.environ if not name.startswith("NUMBA")}
    process = subprocess.Popen(
        [sys.executable, "-B", "-c", STEPS],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )

    def step(package, cache=None):
        process.stdin.write(f"{package.parent} {cache or package.parent / 'cache'}\n")
        process.stdin.flush()
        return tuple(map(int, process.stdout.readline().split()))

    with process:
        yield step
        process.stdin.close()


@pytest.mark.parametrize("line", IMPORTS)
def test_a_kernel_is_compiled_again_when_what_it_takes_in_changes(run, package, line):
    top = f"from wordgames._compiled import compiled\n{line}{TOP.format(low=IMPORTS[line])}"
    (package / "top.py").write_text(top)
    assert run(package) == (50, 1)
    assert run(package) == (50, 0)
    # A constant of another file, which numba takes in when it compiles.
    (package / "wing" / "low.py").write_text(LOW.replace("STEP = 1", "STEP = 2"))
    assert run(package) == (60, 1)
    # The function itself.
    (package / "wing" / "low.py").write_text(LOW.replace("x + STEP", "x - STEP"))
    assert run(package) == (30, 1)
    (package / "other.py").write_text("no source of these kernels\n")
    assert run(package) == (30, 0)


def spoil(path, how):
    data = path.read_bytes()
    middle = len(data) // 2
    path.write_bytes(
        {
            "emptied": b"",
            "cut": data[:middle],
            "zeros": bytes(len(data)),
            "one byte": data[:middle] + bytes([data[middle] ^ 64]) + data[middle + 1 :],
        }[how]
    )


def test_a_damaged_note_does_no_harm(run, package):
    note = package.parent / "cache" / "another" / "made-for"
    note.parent.mkdir(parents=True)
    note.write_bytes(b"\xff\0")
    assert run(package) == (50, 1)
    assert note.exists()


@pytest.mark.parametrize("ending", ["nbi", "nbc"])
@pytest.mark.parametrize("how", ["emptied", "cut", "zeros", "one byte"])
def test_a_damaged_file_is_made_again(run, package, how, ending):
    assert run(package) == (50, 1)
    files = list((package.parent / "cache").rglob(f"*.{ending}"))
    assert files
    for file in files:
        spoil(file, how)
    assert run(package)[0] == 50
    assert run(package) == (50, 0)


def test_what_is_compiled_can_be_read_where_nothing_can_be_written(run, package):
    assert run(package) == (50, 1)
    cache = package.parent / "cache"
    for folder in [cache, *cache.rglob("*"), package]:
        folder.chmod(0o555 if folder.is_dir() else 0o444)
    try:
        assert run(package) == (50, 0)
    finally:
        for folder in [cache, *cache.rglob("*"), package]:
            folder.chmod(0o755)


def test_each_copy_has_kernels_of_its_own_and_those_of_lost_copies_go(run, package, tmp_path):
    cache = tmp_path / "shared"
    other = tmp_path / "elsewhere" / "wordgames"
    shutil.copytree(package, other)
    (other / "wing" / "low.py").write_text(LOW.replace("STEP = 1", "STEP = 3"))
    assert run(package, cache) == (50, 1)
    assert run(other, cache) == (70, 1)
    assert run(package, cache) == (50, 0)
    assert run(other, cache) == (70, 0)
    shutil.rmtree(other.parent)
    third = tmp_path / "third" / "wordgames"
    shutil.copytree(package, third)
    assert run(third, cache) == (50, 1)
    made_for = {note.read_text() for note in cache.rglob("made-for")}
    assert made_for == {str(package), str(third)}
