"""`python -m bench [SECTION…] [OPTION…]`: runs the sections named, or all, and prints their tables.

A section is a module with `run() -> None`; it prints a Markdown table of its own. Options are for the
sections that take any (OPTIONED), whose `run` gets them: `reader --reader "CMD" --help`.
"""

import importlib
import platform
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from itertools import takewhile
from pathlib import Path

from station.environment import settle

SECTIONS = {name: f"bench.{name}" for name in ("reader", "films", "rest", "advice", "page", "memory")}
"""Each with its module."""
OPTIONED = {"reader": "bench.whole", "rest": "bench.rest"}
"""Which module runs a section that is given options."""


def machine() -> str:
    """One line that names the machine: processor, system, Python."""
    processor = platform.processor() or platform.machine()
    for line in Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else ():
        if line.startswith(("model name", "Model")):
            processor = line.split(":", 1)[1].strip()
            break
    return f"{processor}, {platform.system()} {platform.release()}, Python {platform.python_version()}"


def main(sections: Mapping[str, str] = SECTIONS, optioned: Mapping[str, str] = OPTIONED) -> None:
    """Run the sections that the command line names."""
    settle()
    arguments = sys.argv[1:]
    named = list(takewhile(lambda one: not one.startswith("-"), arguments))
    options = tuple(arguments[len(named) :])
    print(f"{datetime.now(UTC):%Y-%m-%d} on {machine()}\n")
    for section in named or sections:
        if section not in sections:
            sys.exit(f"No section '{section}'; there are: {', '.join(sections)}.")
        if options and section not in optioned:
            sys.exit(f"Section '{section}' takes no options; these do: {', '.join(optioned)}.")
        print(f"## {section}\n", flush=True)
        if options:
            importlib.import_module(optioned[section]).run(options)
        else:
            importlib.import_module(sections[section]).run()
        print(flush=True)


if __name__ == "__main__":
    main()
