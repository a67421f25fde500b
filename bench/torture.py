"""`make torture`: what can happen to a station, done to it; prints a table and writes it into docs/trust.md.

ARGS="--share 0.1" does a tenth of it; ARGS="--only storage" leaves out what comes from the network.
"""

import argparse
import importlib
import logging
import sys
from datetime import UTC, datetime
from pathlib import Path

from bench.__main__ import machine
from bench.torture_row import Row

PARTS = {"storage": "bench.torture_storage", "network": "bench.torture_network"}
PAGE = Path(__file__).parent.parent / "docs" / "trust.md"
HEAD = "| trial | tried | lost | wrongly accepted | |\n|---|---:|---:|---:|---|"


def main() -> int:
    """Run as asked; exit code 0 when nothing was lost and nothing wrongly accepted."""
    parser = argparse.ArgumentParser(prog="make torture", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--share", type=float, default=1.0, help="of all trials, above 0 to 1")
    parser.add_argument("--only", choices=tuple(PARTS), help="one part of it")
    asked = parser.parse_args()
    logging.disable(logging.ERROR)  # what is done to it is told by the station thousands of times
    print(HEAD, flush=True)
    bad = 0
    for part in [asked.only] if asked.only else PARTS:
        lines = []
        for trial in importlib.import_module(PARTS[part]).TRIALS:
            found = trial(asked.share)
            for row in found if isinstance(found, list) else [found]:
                lines.append(line(row))
                print(lines[-1], flush=True)
                bad += row.lost + row.wrong
        keep(part, lines)
    return int(bad > 0)


def line(row: Row) -> str:
    """A row of the table."""
    return f"| {row.name} | {row.count:,} | {row.lost} | {row.wrong} | {row.note} |"


def keep(part: str, lines: list[str]) -> None:
    """Put the figures of a part into the page, in the place of those before."""
    text = PAGE.read_text(encoding="utf-8")
    begin, end = f"<!-- figures: {part} -->\n", "<!-- end -->"
    before, found, after = text.partition(begin)
    if not found:
        sys.exit(f"{PAGE} has no place for the figures of {part}")
    rest = after[after.index(end) :]
    told = f"{datetime.now(UTC):%Y-%m-%d} on {machine()}\n\n{HEAD}\n" + "\n".join(lines) + "\n\n"
    PAGE.write_text(before + found + "\n" + told + rest, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
