"""The way from a clone to an environment: what can be checked without installing anything."""

import os
import re
import shutil
import subprocess
import sys
import threading
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

pytestmark = pytest.mark.slow

# conda-forge's `playwright` is the package for Node.
CONDA_NAMES = {"playwright-python": "playwright"}
COMMANDS = [
    "help",
    "setup",
    "reports",
    "test",
    "test-quick",
    "faults",
    "lint",
    "lab",
    "bench",
    "proof",
    "lock",
    "clean",
]


@pytest.fixture(scope="module")
def project(root):
    with (root / "pyproject.toml").open("rb") as file:
        return tomllib.load(file)


@pytest.fixture(scope="module")
def wanted(project):
    """What pyproject.toml asks for: name to versions."""
    texts = [
        *project["project"]["dependencies"],
        *(text for extra in project["project"]["optional-dependencies"].values() for text in extra),
        *project["dependency-groups"]["dev"],
    ]
    return {canonicalize_name(r.name): r.specifier for r in map(Requirement, texts)}


@pytest.fixture(scope="module")
def locked(root):
    """What requirements.lock holds: name to list of (version, marker)."""
    text = (root / "requirements.lock").read_text(encoding="utf-8")
    found = {}
    for entry in re.findall(r"^([a-z0-9][^\\\n]*==[^\\\n]*) \\$", text, re.MULTILINE):
        requirement = Requirement(entry)
        (version,) = requirement.specifier
        found.setdefault(requirement.name, []).append((version.version, requirement.marker))
    return found


@pytest.fixture(scope="module")
def tracked(root):
    """The files that git knows, as paths; a copy without git skips what needs them."""
    result = subprocess.run(
        ["git", "ls-files", "-z"], cwd=root, capture_output=True, text=True, check=False
    )
    if result.returncode:
        pytest.skip("not a git repository")
    paths = [root / name for name in result.stdout.split("\0") if name]
    return [path for path in paths if path.is_file()]


def make(*arguments: str, folder: Path) -> str:
    # As from a terminal: inside `make test`, a nested make would tell of its folders too.
    ours = ("PYTHON", "MAKEFLAGS", "MAKELEVEL", "MFLAGS")
    result = subprocess.run(
        ["make", *arguments],
        cwd=folder,
        env={name: value for name, value in os.environ.items() if name not in ours},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_make_alone_prints_the_help(root):
    assert make(folder=root) == make("help", folder=root)
    shown = re.findall(r"^  ([a-z-]+)  +\S", make("help", folder=root), re.MULTILINE)
    assert shown == COMMANDS


def test_the_makefile_is_plain_enough_for_an_old_make(root):
    text = (root / "Makefile").read_text()
    (phony,) = re.findall(r"^\.PHONY: (.*)$", text, re.MULTILINE)
    assert phony.split() == COMMANDS
    newer = [".ONESHELL", "$(file", "&:", "!=", "::=", ".RECIPEPREFIX", "undefine", "$(guile"]
    assert [word for word in newer if word in text] == []
    # A folder with a space breaks these, whatever the quotes.
    assert [
        word for word in ("CURDIR", "MAKEFILE_LIST", "abspath", "realpath") if word in text
    ] == []


@pytest.fixture
def clone(root, tmp_path):
    """The set-up files in a folder whose path holds a space and an umlaut."""
    folder = tmp_path / "a föld er"
    (folder / "scripts").mkdir(parents=True)
    for name in ("Makefile", "requirements.lock", "pyproject.toml", "scripts/setup.sh"):
        shutil.copy(root / name, folder / name)
    (folder / "wordgames").mkdir()
    (folder / "wordgames" / "words.py").touch()
    return folder


def fake_python(folder: Path, name: str, version: str, venv: bool = True) -> Path:
    """An interpreter that knows its version, whether it has venv, and nothing else."""
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(
        "#!/bin/sh\n"
        'case "$*" in\n'
        f"*version_info*) echo {version} ;;\n"
        f"*ensurepip*) exit {0 if venv else 1} ;;\n"
        "*compileall*) ;;\n"
        '*"wordgames warm"*) echo warm ;;\n'
        '*) echo "fake $0 $*" >&2; exit 9 ;;\n'
        "esac\n"
    )
    path.chmod(0o755)
    return path


def set_up(clone: Path, python: str = "", **settings: str) -> subprocess.CompletedProcess:
    """Run `make setup` with no interpreter on the path but those of clone/bin."""
    tools = clone / "bin"
    tools.mkdir(exist_ok=True)
    for tool in ("make", "sh", "cksum", "cat", "dirname", "rm", "mkdir", "sleep", "find", "sort"):
        if not (tools / tool).exists():
            (tools / tool).symlink_to(shutil.which(tool))
    return subprocess.run(
        ["make", "setup", *([f"PYTHON={python}"] if python else [])],
        cwd=clone,
        env={"PATH": str(tools), "LC_ALL": "C", **settings},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_settings_of_pip_do_not_move_the_packages(clone):
    """PIP_USER=1 and the like install elsewhere or refuse to; the index that was named stays."""
    for tool in ("env", "cp"):
        (clone / "bin").mkdir(exist_ok=True)
        (clone / "bin" / tool).symlink_to(shutil.which(tool))
    python = clone / "bin" / "python3"
    python.write_text(
        "#!/bin/sh\n"
        'case "$*" in\n'
        "*version_info*) echo 3.12 ;;\n"
        '*"-m venv"*) mkdir -p .venv/bin; cp "$0" .venv/bin/python ;;\n'
        '*"pip "*install*) env >pip-environment ;;\n'
        "esac\n"
    )
    python.chmod(0o755)
    settings = {
        "PIP_USER": "1",
        "PIP_TARGET": "elsewhere",
        "PIP_REQUIRE_HASHES": "1",
        "PIP_CONSTRAINT": "old.txt",
        "PYTHONPATH": "mine",
        "PIP_INDEX_URL": "file:///mine",
    }
    result = set_up(clone, **settings)
    assert result.returncode == 0, result.stderr
    seen = dict(line.split("=", 1) for line in (clone / "pip-environment").read_text().splitlines())
    assert {name: seen.get(name) for name in settings} == {
        **dict.fromkeys(settings),
        "PIP_USER": "0",
        "PIP_REQUIRE_HASHES": "0",
        "PIP_INDEX_URL": "file:///mine",
    }


def test_a_clone_that_asks_for_windows_line_ends_sets_up(root, tmp_path, tracked):
    """Git for Windows sets core.autocrlf: a shell script with CRs fails at its first `set`."""
    subprocess.run(
        ["git", "clone", "--quiet", "--config", "core.autocrlf=true", root, tmp_path / "clone"],
        check=True,
    )
    for name in ("scripts/setup.sh", ".ci/run", "Makefile", "requirements.lock"):
        assert b"\r" not in (tmp_path / "clone" / name).read_bytes(), name


@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13"])
def test_a_fitting_python_is_found(clone, version):
    fake_python(clone / "bin", "python3", version)
    result = set_up(clone)
    assert f"making .venv with Python {version} (python3)" in result.stdout
    assert "python3 -m venv .venv" in result.stderr  # as far as the fake goes
    assert (clone / ".venv" / "wordgames-setup").read_text() == "unfinished\n"


def test_the_newest_fitting_python_is_taken(clone):
    for name, version in {
        "python3": "3.14",
        "python3.13": "3.13",
        "python3.12": "3.12",
        "python3.11": "3.11",
    }.items():
        fake_python(clone / "bin", name, version)
    assert "Python 3.13 (python3.13)" in set_up(clone).stdout
    assert "Python 3.12 (python3.12)" in set_up(clone, "python3.12").stdout


def test_a_python_without_venv_is_passed_over(clone):
    fake_python(clone / "bin", "python3.13", "3.13", venv=False)
    fake_python(clone / "bin", "python3.11", "3.11")
    assert "Python 3.11 (python3.11)" in set_up(clone).stdout


def test_a_named_python_may_stand_in_a_folder_with_a_space(clone):
    named = fake_python(clone / "my bin", "python", "3.12")
    assert f"Python 3.12 ({named})" in set_up(clone, str(named)).stdout


@pytest.mark.parametrize(
    "on_path, named, messages",
    [
        ({}, "", ["needs Python 3.11, 3.12 or 3.13; found: no Python at all", "PYTHON="]),
        ({"python3": "3.10"}, "", ["found: python3 (3.10)", "make setup PYTHON="]),
        ({"python3": "3.14"}, "", ["found: python3 (3.14)"]),
        ({"python": "2.7"}, "", ["found: python (2.7)"]),
        (
            {"python3": "3.12", "old": "3.9"},
            "old",
            ["PYTHON=old is Python 3.9: this project needs"],
        ),
        ({"new": "3.15", "python3": "3.12"}, "new", ["PYTHON=new is Python 3.15"]),
        ({"python3": "3.12"}, "nowhere", ["PYTHON=nowhere is no Python that runs"]),
    ],
)
def test_what_is_said_without_a_fitting_python(clone, on_path, named, messages):
    for name, version in on_path.items():
        fake_python(clone / "bin", name, version)
    result = set_up(clone, named)
    assert result.returncode != 0
    for message in messages:
        assert message in result.stderr
    assert not (clone / ".venv").exists()


@pytest.mark.parametrize("named", ["", "python3"])
def test_what_is_said_without_venv(clone, named):
    fake_python(clone / "bin", "python3", "3.11", venv=False)
    result = set_up(clone, named)
    assert result.returncode != 0
    assert "python3 is Python 3.11 but cannot make virtual environments" in result.stderr
    assert "sudo apt install python3.11-venv" in result.stderr
    assert not (clone / ".venv").exists()


def test_an_incomplete_copy_is_named(clone):
    (clone / "requirements.lock").unlink()
    fake_python(clone / "bin", "python3", "3.11")
    result = set_up(clone)
    assert result.returncode != 0 and "requirements.lock is missing" in result.stderr


def finished(clone: Path, version: str = "3.12") -> Path:
    """An environment as a finished set-up leaves it, with a fake interpreter."""
    fake_python(clone / "bin", "python3", version)
    (clone / ".venv" / "bin").mkdir(parents=True)
    fake_python(clone / ".venv" / "bin", "python", version)
    sums = [
        subprocess.run(
            ["cksum"], stdin=(clone / name).open("rb"), capture_output=True, text=True, check=True
        )
        for name in ("requirements.lock", "pyproject.toml")
    ]
    stamp = clone / ".venv" / "wordgames-setup"
    parts = [done.stdout.strip() for done in sums]
    stamp.write_text(" ".join([*parts, str(clone.resolve())]) + "\n")
    assert "warm" in set_up(clone).stdout
    return stamp


def test_a_finished_environment_is_left_alone(clone):
    finished(clone)
    result = set_up(clone)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    assert set_up(clone, "python3").returncode == 0


def test_changed_sources_are_compiled_once(clone):
    finished(clone)
    for change in ("changed", "another"):
        with (clone / "wordgames" / "words.py").open("a") as file:
            file.write(f"# {change}\n")
        result = set_up(clone)
        assert result.returncode == 0, result.stderr
        assert result.stdout.splitlines()[-1] == "warm" and "making" not in result.stdout
        assert set_up(clone).stdout == ""
    (clone / "wordgames" / "new.py").touch()
    assert "warm" in set_up(clone).stdout
    assert not (clone / ".setup-running").exists()


def test_a_second_set_up_waits_for_the_first(clone):
    stamp = finished(clone)
    text = stamp.read_text()
    stamp.write_text("unfinished\n")
    first = subprocess.Popen(["sleep", "60"])  # stands for the other set-up
    (clone / ".setup-running").write_text(f"{first.pid}\n")
    timer = threading.Timer(2, lambda: (stamp.write_text(text), first.kill(), first.wait()))
    timer.start()
    result = set_up(clone)
    assert result.stdout.startswith("setup: waiting for another set-up to end")
    assert "making" not in result.stdout
    assert (result.returncode, stamp.read_text()) == (0, text)
    assert not (clone / ".setup-running").exists()


def test_what_a_killed_set_up_leaves_does_not_stop_the_next(clone):
    fake_python(clone / "bin", "python3", "3.12")
    gone = subprocess.Popen(["sleep", "0"])
    gone.wait()
    (clone / ".setup-running").write_text(f"{gone.pid}\n")
    assert "making .venv" in set_up(clone).stdout
    assert not (clone / ".setup-running").exists()


@pytest.mark.parametrize(
    "change", ["lock", "project", "moved", "unfinished", "python gone", "named"]
)
def test_an_environment_that_no_longer_fits_is_made_anew(clone, change):
    stamp = finished(clone)
    named = ""
    if change in ("lock", "project"):
        name = {"lock": "requirements.lock", "project": "pyproject.toml"}[change]
        with (clone / name).open("a") as file:
            file.write("# changed\n")
    elif change == "moved":
        clone = clone.rename(clone.with_name("else where"))
        stamp = clone / ".venv" / "wordgames-setup"
    elif change == "unfinished":
        stamp.write_text("unfinished\n")
    elif change == "python gone":
        (clone / ".venv" / "bin" / "python").unlink()
    else:
        named = str(fake_python(clone / "bin", "python3.13", "3.13"))
    result = set_up(clone, named)
    assert "making .venv" in result.stdout
    assert stamp.read_text() == "unfinished\n"
    assert not (clone / ".venv" / "bin").exists()


def test_nothing_is_set_up_that_a_command_does_not_need(root):
    for command in ("help", "lock", "clean"):
        assert "scripts/setup.sh" not in make("-n", command, folder=root)
    for command in ("reports", "test", "lint", "lab", "bench", "proof"):
        first, *_ = make("-n", command, folder=root).splitlines()
        assert first == "PYTHON='' sh scripts/setup.sh"


def test_the_scripts_are_plain_sh(root):
    for path in [*sorted((root / "scripts").glob("*.sh")), root / ".ci" / "run"]:
        shell = "bash" if path.name == "run" else "sh"
        assert subprocess.run([shell, "-n", path], check=False).returncode == 0
    assert os.access(root / ".ci" / "run", os.X_OK)


def test_a_clone_of_the_repository_has_what_the_commands_need(root, tmp_path, tracked):
    clone = tmp_path / "clone with space"
    subprocess.run(["git", "clone", "--quiet", root, clone], check=True, timeout=60)
    for name in ("Makefile", "requirements.lock", "scripts/setup.sh", "scripts/lock.sh", ".ci/run"):
        assert (clone / name).is_file(), name
    assert "make COMMAND" in make(folder=clone)
    for command in COMMANDS:
        make("-n", command, folder=clone)
    shown = subprocess.run(
        [sys.executable, "-m", "wordgames", "--help"],
        cwd=clone,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "reports" in shown.stdout
    imported = subprocess.run(
        [
            sys.executable,
            "-c",
            "import wordgames, wordgames.words as w; print(w.__file__); print(w.load_words())",
        ],
        cwd=clone,
        capture_output=True,
        text=True,
        check=True,
    )
    assert str(clone) in imported.stdout and "12,972 allowed" in imported.stdout


def test_the_lock_holds_what_the_project_asks_for(wanted, locked):
    for name, versions in wanted.items():
        assert name in locked, f"{name} is not in requirements.lock: run make lock"
        for version, _ in locked[name]:
            assert version in versions, f"{name} {version} does not fit: run make lock"


@pytest.mark.parametrize("python", ["3.11", "3.12", "3.13"])
def test_the_lock_has_one_version_of_each_package_for_each_python(wanted, locked, python):
    for system, platform in (("Linux", "linux"), ("Darwin", "darwin"), ("Windows", "win32")):
        here = {
            "python_version": python,
            "python_full_version": f"{python}.5",
            "platform_system": system,
            "sys_platform": platform,
            "os_name": "nt" if platform == "win32" else "posix",
            "implementation_name": "cpython",
            "platform_python_implementation": "CPython",
            "platform_machine": "x86_64",
        }
        chosen = {
            name: [version for version, marker in entries if not marker or marker.evaluate(here)]
            for name, entries in locked.items()
        }
        assert [name for name, versions in chosen.items() if len(versions) > 1] == []
        assert [name for name in wanted if not chosen[name]] == []


def test_every_locked_package_has_checksums_and_no_address(root):
    text = (root / "requirements.lock").read_text(encoding="utf-8")
    assert "://" not in text
    entries = re.split(r"^(?=[a-z0-9])", text, flags=re.MULTILINE)[1:]
    assert len(entries) > 100
    assert [entry for entry in entries if "--hash=sha256:" not in entry] == []


@pytest.fixture(scope="module")
def conda(root):
    return yaml.safe_load((root / "environment.yml").read_text(encoding="utf-8"))


def test_the_conda_file_asks_for_what_the_project_asks_for(project, wanted, conda):
    *plain, pip, by_pip = conda["dependencies"]
    assert pip == "pip" and by_pip["pip"][-1] == "-e ."
    asked = {}
    for text in [*plain, *by_pip["pip"][:-1]]:
        name, _, versions = text.partition(" ")
        name = CONDA_NAMES.get(name, canonicalize_name(name))
        assert name not in asked
        asked[name] = SpecifierSet(versions)
    assert asked.pop("python") == SpecifierSet(project["project"]["requires-python"])
    assert asked == wanted


def test_each_line_of_the_conda_file_says_what_needs_it(root, conda):
    assert conda["channels"] == ["conda-forge"]
    _, lines = (root / "environment.yml").read_text(encoding="utf-8").split("dependencies:\n")
    for line in lines.splitlines():
        assert line.strip() == "- pip:" or re.search(r"\S +# \S", line), line


def test_the_supported_pythons_are_the_same_everywhere(root, project):
    needs = SpecifierSet(project["project"]["requires-python"])
    fitting = [f"3.{minor}" for minor in range(20) if needs.contains(f"3.{minor}.1")]
    assert fitting == ["3.11", "3.12", "3.13"]
    setup = (root / "scripts" / "setup.sh").read_text()
    (case,) = re.findall(r"in ([0-9. |]+)\) true", setup)
    assert case.split(" | ") == fitting
    for version in fitting:
        assert f"python{version}" in setup
    assert project["tool"]["ruff"]["target-version"] == "py311"
    assert "Python 3.11 to 3.13" in (root / "README.md").read_text(encoding="utf-8")


def test_no_tracked_file_names_this_machine_or_an_index(root, tracked):
    # Written in parts, so that this file does not find itself.
    home = str(Path.home())
    unwanted = ["/" + "work/", "/" + "root/", "/" + "home/", "py" + "pi.org", "python" + "hosted"]
    if len(home) > 5:
        unwanted.append(home + "/")
    for path in tracked:
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        found = [word for word in unwanted if word in text]
        assert not found, f"{path.relative_to(root)} holds {found}"


def test_notebooks_and_packages_are_listed_where_they_must_be(root, project):
    folders = {
        ".".join(path.parent.relative_to(root).parts)
        for path in (root / "wordgames").rglob("__init__.py")
    }
    packages = set(project["tool"]["setuptools"]["packages"])
    lent = ("wordgames.data", "wordgames.notebooks", "wordgames.templates")  # see test_wheel
    assert {name for name in packages if not name.startswith(lent)} == folders
