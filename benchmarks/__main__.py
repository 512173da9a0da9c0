"""Run benchmarks: ``python -m benchmarks [topic ...] [--quick]``.

Each topic's rows go to benchmarks/results/<topic>.json, and the table between the markers in
README.md is written anew from all results. With --quick, smaller cases run and nothing is written.
"""

import argparse
import importlib
import json
import os
import platform
import sys
import traceback
from importlib.metadata import version
from pathlib import Path

from benchmarks.common import KEYS

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results"
README = HERE.parent / "README.md"
START, END = "<!-- benchmarks: start -->", "<!-- benchmarks: end -->"
HEADINGS = ("What", "Ours", "Compared with", "Ratio", "Wanted", "Note")


def topics() -> list[str]:
    """Names of the benchmarks that exist."""
    return sorted(path.stem.removeprefix("bench_") for path in HERE.glob("bench_*.py"))


def reached(row: dict) -> bool:
    """Whether the ratio is what was wanted; rows that want nothing always are."""
    kind, _, limit = row["wanted"].rpartition(" ")
    if not kind:
        return True
    if kind not in ("at most", "at least"):
        raise ValueError(f"wanted {row['wanted']!r}: write 'at most N' or 'at least N'")
    return row["ratio"] <= float(limit) if kind == "at most" else row["ratio"] >= float(limit)


def check(rows: list[dict]) -> list[dict]:
    """The rows, when each has the keys of the table and a wanted text that can be judged."""
    for row in rows:
        if set(row) != set(KEYS):
            raise ValueError(f"a row has the keys {sorted(row)}; it needs {sorted(KEYS)}")
        reached(row)
    return rows


def table(rows: list[dict]) -> str:
    """Rows as a Markdown table."""

    def cells(row):
        ratio = "" if row["ratio"] is None else f"{row['ratio']:,}".removesuffix(".0")
        shown = {**row, "ratio": ratio if reached(row) else f"{ratio} (not reached)"}
        return [str(shown[key]).replace("|", "\\|") for key in KEYS]

    lines = [HEADINGS, ["---"] * len(HEADINGS), *map(cells, rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def write(path: Path, text: str) -> None:
    """Write a whole file or nothing."""
    new = path.with_name(path.name + ".new")
    new.write_text(text, encoding="utf-8")
    new.replace(path)


def refresh_readme() -> None:
    """Put all results that exist into the README, between its markers."""
    parts = []
    for path in sorted(RESULTS.glob("*.json")):
        result = json.loads(path.read_text(encoding="utf-8"))
        parts.append(f"**{path.stem.replace('_', ' ')}**\n\n{table(result['rows'])}")
    text = README.read_text(encoding="utf-8")
    before, start, rest = text.partition(START)
    _, end, after = rest.partition(END)
    if not (start and end):
        raise ValueError(f"README.md needs the markers {START} and {END}, in this order")
    write(README, f"{before}{START}\n\n" + "\n\n".join(parts) + f"\n\n{END}{after}")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("topic", nargs="*", help=f"which to run (all): {', '.join(topics())}")
    parser.add_argument("--quick", action="store_true", help="small cases; writes nothing")
    options = parser.parse_args()
    unknown = sorted(set(options.topic) - set(topics()))
    if unknown:
        parser.error(f"no benchmark {', '.join(unknown)}; there are {', '.join(topics())}")
    machine = {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "processors": os.cpu_count(),
        **{name: version(name) for name in ("numpy", "numba")},
    }
    failed = []
    for topic in options.topic or topics():
        print(f"{topic} …", file=sys.stderr, flush=True)
        try:
            module = importlib.import_module(f"benchmarks.bench_{topic}")
            rows = check(module.rows(quick=options.quick))
            if options.quick:  # what is wanted holds for the full cases only
                rows = [{**row, "wanted": ""} for row in rows]
            print(f"\n{topic.replace('_', ' ')}\n\n{table(rows)}\n", flush=True)
            if not options.quick:
                RESULTS.mkdir(exist_ok=True)
                result = {**machine, "rows": rows}
                text = json.dumps(result, indent=1, ensure_ascii=False) + "\n"
                write(RESULTS / f"{topic}.json", text)
                refresh_readme()
        except Exception:  # one topic that fails must not lose the results of the others
            traceback.print_exc()
            failed.append(topic)
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
