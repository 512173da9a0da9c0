"""Make the API pages from the docstrings: ``python scripts/api_pages.py [FOLDER]`` (reports/api).

The package's face first, then each public module. The pages open offline from disk.
"""

import pkgutil
import sys
from pathlib import Path

import pdoc

import wordgames


def modules() -> list[str]:
    """The package and its public modules."""
    found = pkgutil.walk_packages(wordgames.__path__, "wordgames.")
    names = [module.name for module in found if not module.ispkg and "._" not in module.name]
    return ["wordgames", *sorted(names)]


def main(folder: Path) -> None:
    """Write the pages into the folder."""
    for name in wordgames.__all__:  # they load on first use, and pdoc looks only at what is loaded
        setattr(wordgames, name, getattr(wordgames, name))
    pdoc.render.configure(
        docformat="numpy",
        show_source=False,
        footer_text=f"wordgames {wordgames.__version__}",
        template_directory=Path(__file__).parent / "api",
    )
    pdoc.pdoc(*modules(), output_directory=folder)
    print(folder / "index.html")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path("reports") / "api")
