"""`python -m bench [SECTION…] [OPTION…]`: runs the sections named, or all, and prints their tables.

A section is a module of this folder with `run() -> None`; it prints a Markdown table of its own. Options are
for the sections that take any (OPTIONED), whose `run` gets them: `reader --reader "CMD" --help`.
"""

import importlib
import platform
import sys
from datetime import UTC, datetime
from itertools import takewhile
from pathlib import Path

from station.environment import settle

SECTIONS = (
    "reader",
    "films",
    "simulated",
    "rest",
    "advice",
    "strengths",
    "page",
    "sweep",
    "memory",
    "calibration",
    "buttons",
    "board",
)


OPTIONED = {"reader": "whole", "simulated": "simulated", "rest": "rest", "board": "board"}
"""Which module runs a section that is given options."""


def machine() -> str:
    """One line that names the machine: processor, system, Python."""
    processor = platform.processor() or platform.machine()
    for line in Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else ():
        if line.startswith(("model name", "Model")):
            processor = line.split(":", 1)[1].strip()
            break
    return f"{processor}, {platform.system()} {platform.release()}, Python {platform.python_version()}"


def main() -> None:
    """Run the sections asked for that exist."""
    settle()
    asked = sys.argv[1:]
    named = list(takewhile(lambda one: not one.startswith("-"), asked))
    options = tuple(asked[len(named) :])
    wanted = named or [s for s in SECTIONS if (Path(__file__).parent / f"{s}.py").exists()]
    print(f"{datetime.now(UTC):%Y-%m-%d} on {machine()}\n")
    for section in wanted:
        if section not in SECTIONS:
            sys.exit(f"No section '{section}'; there are: {', '.join(SECTIONS)}.")
        if options and section not in OPTIONED:
            sys.exit(f"Section '{section}' takes no options; these do: {', '.join(OPTIONED)}.")
        print(f"## {section}\n", flush=True)
        if options:
            importlib.import_module(f"bench.{OPTIONED[section]}").run(options)
        else:
            importlib.import_module(f"bench.{section}").run()
        print(flush=True)


if __name__ == "__main__":
    main()
