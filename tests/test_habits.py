"""What holds the form: the linters' rules bite, and the files of other tools are valid."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    "schema, name",
    [
        ("vendor.github-workflows", ".github/workflows/ci.yml"),
        ("vendor.citation-file-format", "CITATION.cff"),
    ],
)
def test_files_of_other_tools_fit_their_schema(root, schema, name):
    checker = Path(sys.executable).with_name("check-jsonschema")
    subprocess.run([checker, "--builtin-schema", schema, root / name], check=True)


@pytest.mark.parametrize(
    "module, line, rule",
    [
        ("emojle/shares.py", "import wordgames.wordle.partitions", "Floors"),
        ("reports/site.py", "import wordgames.patterns", "The reports know no game"),
        ("patterns.py", "import wordgames.vectors.store", "Floors"),
        ("grids/model.py", "import wordgames.wordle.strategies", "Probability over grids"),
    ],
)
def test_an_import_against_the_rules_is_found(root, tmp_path, module, line, rule):
    for path in (root / "wordgames").rglob("*.py"):
        copy = tmp_path / path.relative_to(root)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())
    (tmp_path / "pyproject.toml").write_bytes((root / "pyproject.toml").read_bytes())
    broken = tmp_path / "wordgames" / module
    broken.write_text(broken.read_text(encoding="utf-8") + f"\n{line}\n", encoding="utf-8")
    linter = Path(sys.executable).with_name("lint-imports")
    run = subprocess.run(
        [linter, "--no-cache"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert run.returncode == 1
    assert any(rule in row and "BROKEN" in row for row in run.stdout.splitlines()), run.stdout


def test_the_api_pages_show_every_public_name_and_need_no_network(root, tmp_path):
    import wordgames

    script = root / "scripts" / "api_pages.py"
    subprocess.run([sys.executable, "-W", "error", script, tmp_path], cwd=root, check=True)
    face = (tmp_path / "wordgames.html").read_text(encoding="utf-8")
    for name in wordgames.__all__:
        assert f'id="{name}"' in face, name
    pages = {page: page.read_text(encoding="utf-8") for page in tmp_path.rglob("*.html")}
    reached, waiting = set(), [tmp_path / "wordgames.html"]
    while waiting:
        page = waiting.pop()
        reached.add(page)
        assert 'src="http' not in pages[page]
        assert "@import" not in pages[page]
        markup = re.sub(r"(?s)<script.*?</script>", "", pages[page])
        for path, anchor in re.findall(r'href="([^":#]*)(?:#([^"]*))?"', markup):
            other = (page.parent / path).resolve() if path else page
            assert other in pages, path
            assert not anchor or f'id="{anchor}"' in pages[other], f"{path}#{anchor}"
            waiting += {other} - reached
    assert reached == set(pages) - {tmp_path / "index.html"}
