"""`make torture`: what can happen to a station, done to it; prints a table and writes it into docs/trust.md.

ARGS="--share 0.1" does a tenth of it; ARGS="--only storage" leaves out what comes from the network, and
ARGS="--only hostile_copies" is one trial, whose row takes the place of the one before.
"""

import argparse
import importlib
import logging
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from bench.__main__ import machine
from lab.torture.row import Row

PARTS = {"storage": "lab.torture.storage", "network": "lab.torture.network"}
PAGE = Path(__file__).parents[2] / "docs" / "trust.md"
HEAD = "| trial | tried | lost | wrongly accepted | |\n|---|---:|---:|---:|---|"


def main() -> int:
    """Run the chosen trials; exit code 0 when nothing was lost and nothing wrongly accepted."""
    every = {part: importlib.import_module(name).TRIALS for part, name in PARTS.items()}
    names = [trial.__name__ for trials in every.values() for trial in trials]
    parser = argparse.ArgumentParser(prog="make torture", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--share", type=float, default=1.0, help="of all trials, above 0 to 1")
    parser.add_argument("--only", choices=(*PARTS, *names), help="one part of it, or one trial")
    options = parser.parse_args()
    logging.disable(logging.ERROR)  # the station logs thousands of errors
    print(HEAD, flush=True)
    bad = 0
    for part, trials in every.items():
        for trial in trials:
            if options.only not in {None, part, trial.__name__}:
                continue
            found = trial(options.share)
            rows = found if isinstance(found, list) else [found]
            print("\n".join(map(line, rows)), flush=True)
            bad += sum(row.lost + row.wrong for row in rows)
            keep(part, rows)
    return int(bad > 0)


def line(row: Row) -> str:
    """A row of the table."""
    return f"| {row.name} | {row.count:,} | {row.lost} | {row.wrong} | {row.note} |"


def keep(part: str, rows: Sequence[Row]) -> None:
    """Put the figures of trials into the page, replacing the old ones."""
    text = PAGE.read_text(encoding="utf-8")
    begin, end = f"<!-- figures: {part} -->\n", "\n<!-- end -->"
    before, found, after = text.partition(begin)
    if not found:
        sys.exit(f"{PAGE} has no section for the figures of {part}")
    old, end, rest = after.partition(end)
    lines = [each for each in old.splitlines() if each.startswith("| ") and not each.startswith("| trial")]
    kept = {each.split("|")[1].strip(): each for each in lines} | {row.name: line(row) for row in rows}
    table = "\n".join((HEAD, *kept.values()))
    new = f"\n{datetime.now(UTC):%Y-%m-%d} on {machine()}\n\n{table}\n"
    PAGE.write_text(before + found + new + end + rest, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
