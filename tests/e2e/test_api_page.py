"""Every example of docs/api.md, run as it stands against a real station."""

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

from tests.e2e.helpers import ROOT, StationProcess

PAGE = ROOT / "docs" / "api.md"
ANY = "\N{HORIZONTAL ELLIPSIS}"


def examples() -> list[tuple[str, str]]:
    """(command, what it prints) in the order of the page."""
    found = []
    for block in re.findall(r"```console\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            lines = part.splitlines()
            end = next(number for number, line in enumerate(lines) if not line.endswith("\\"))
            found.append(("\n".join(lines[: end + 1]), "\n".join(lines[end + 1 :])))
    return found


def holds(wanted: Any, got: Any) -> bool:
    """Whether an answer has all that the page shows; an ellipsis stands for anything."""
    if wanted == ANY:
        return True
    if isinstance(wanted, dict):
        return isinstance(got, dict) and all(
            key in got and holds(each, got[key]) for key, each in wanted.items()
        )
    if isinstance(wanted, list):
        more = bool(wanted) and wanted[-1] == ANY
        expected = wanted[:-1] if more else wanted
        fits = isinstance(got, list) and (len(got) >= len(expected) if more else len(got) == len(expected))
        return fits and all(holds(each, other) for each, other in zip(expected, got, strict=False))
    return bool(wanted == got)


def test_the_examples_say_what_happens(tmp_path: Path):
    found = examples()
    assert len(found) > 10
    station = StationProcess(tmp_path)
    try:
        for command, expected in found:
            result = subprocess.run(
                ["bash", "-c", command],
                env={**os.environ, "YACHT": station.url},
                capture_output=True,
                text=True,
                check=False,
            )
            if expected.startswith("{"):
                got = json.loads(result.stdout)
                assert holds(json.loads(expected), got), f"{command}\n{result.stdout[:600]}"
            else:
                assert result.stdout.strip().replace("\r", "") == expected.strip(), command
    finally:
        station.stop()
