"""Take the README's picture, and what it says, from a report that has been made.

    python scripts/readme_picture.py [REPORTS]

Reads the executed notebook that `make reports` keeps in REPORTS/notebooks (default: reports/),
writes its chosen figure to docs/ and puts picture and alt text into README.md between the markers.
"""

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOK, FIGURE = "02-pattern-popularity", 0  # which report, and which of its figures
START, END = "<!-- picture: start -->", "<!-- picture: end -->"


def figures(notebook: dict) -> list[tuple[str, dict]]:
    """The SVG and the texts (alt, title, subtitle) of each figure of an executed notebook."""
    kind = "image/svg+xml"
    return [
        ("".join(output["data"][kind]), output["metadata"][kind])
        for cell in notebook["cells"]
        for output in cell.get("outputs", [])
        if kind in output.get("data", {})
    ]


def main(reports: Path) -> None:
    executed = reports / "notebooks" / f"{NOTEBOOK}.ipynb"
    if not executed.exists():
        sys.exit(f"{executed} is missing: run make reports first")
    svg, texts = figures(json.loads(executed.read_text(encoding="utf-8")))[FIGURE]
    picture = ROOT / "docs" / f"{NOTEBOOK}.svg"
    picture.parent.mkdir(exist_ok=True)
    picture.write_text(svg, encoding="utf-8")
    readme = ROOT / "README.md"
    before, _, rest = readme.read_text(encoding="utf-8").partition(START)
    _, _, after = rest.partition(END)
    line = f"![{' '.join(texts['alt'].split())}](docs/{picture.name})"
    if about := ". ".join(filter(None, (texts.get("title"), texts.get("subtitle")))):
        line = f"**{about}**\n\n{line}"
    new = readme.with_name("README.md.new")
    new.write_text(f"{before}{START}\n{line}\n{END}{after}", encoding="utf-8")
    new.replace(readme)
    print(f"{picture.relative_to(ROOT)}: {picture.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "reports")
