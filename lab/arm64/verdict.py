"""What two runs of the trial say: where they differ, and how long each Raspberry Pi would take."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from station.camera.self_timing import offered_s

VALUE_OFF = 1e-6
"""Points by which the value of a hold may differ: as close as the tables promise to be."""
EXACT = ("status", "faces", "reasons")
"""What has to be the same in each reading."""


@dataclass(frozen=True, slots=True)
class Board:
    """A Raspberry Pi. rating: of one core by 7-zip 16.02, as published; source: of sbc-bench's results."""

    title: str
    rating: int
    source: str


BOARDS = (
    Board("Raspberry Pi Zero 2 W", 838, "3E85"),
    Board("Raspberry Pi 3 B", 977, "4hOP"),
    Board("Raspberry Pi 4 B (1.8 GHz)", 1769, "3OBF"),
    Board("Raspberry Pi 5", 3196, "Au3jaA"),
)
PER_RATED = 1.0e6
"""Instructions of arm64 a second for each point of that rating: counted in 7-zip itself, 0.97 to 1.07."""


@dataclass(frozen=True, slots=True)
class Difference:
    """How often two processors say the same.

    readings, hints: compared. other: names of those that differ in what has to be the same. slightly: how
    many readings differ only in the last digits of a place, an angle or a confidence.
    """

    readings: int
    hints: int
    other: tuple[str, ...]
    slightly: int


def load(file: Path) -> list[dict[str, Any]]:
    """The lines of a run."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def compare(here: Sequence[Mapping[str, Any]], there: Sequence[Mapping[str, Any]]) -> Difference:
    """What the runs say of the same pictures and throws. Raises ValueError where they tried other things."""
    mine, others = (
        {str(one[kind]): one for one in run for kind in ("still", "hint") if kind in one}
        for run in (here, there)
    )
    if not mine or mine.keys() != others.keys():
        raise ValueError("the two runs did not try the same")
    hints = [name for name, one in mine.items() if "holds" in one]
    readings = [name for name in mine if name not in set(hints)]
    other = [name for name in readings if any(mine[name][key] != others[name][key] for key in EXACT)]
    other += [name for name in hints if not _same_values(mine[name], others[name])]
    slightly = sum(mine[name] != others[name] for name in readings if name not in set(other))
    return Difference(len(readings), len(hints), tuple(other), slightly)


def _same_values(mine: Mapping[str, Any], others: Mapping[str, Any]) -> bool:
    """Whether each hold and each box has the same value; equal ones may change places."""
    for key in ("holds", "boxes"):
        one, two = dict(mine[key]), dict(others[key])
        if one.keys() != two.keys() or any(abs(one[name] - two[name]) > VALUE_OFF for name in one):
            return False
    return True


def counted(there: Sequence[Mapping[str, Any]], marks: Sequence[int]) -> dict[str, float]:
    """Instructions of each task, in the median: between the marks before and after each.

    Raises ValueError where there are not two marks for each that was done, and one for the end.
    """
    done = [str(one["task"]) for one in there if "task" in one]
    if not done or len(marks) != 2 * len(done) + 1:
        raise ValueError("the marks do not fit what was done")
    counts: dict[str, list[int]] = {}
    for number, name in enumerate(done):
        counts.setdefault(name, []).append(marks[2 * number + 1] - marks[2 * number])
    return {name: float(median(each)) for name, each in counts.items()}


def estimates(counts: Mapping[str, float]) -> str:
    """How long each board takes for what was counted, as a table in Markdown."""
    lines = [
        "| | instructions | " + " | ".join(board.title for board in BOARDS) + " |",
        "|---|---:|" + "---:|" * len(BOARDS),
        "| 7-zip's rating of one core | | " + " | ".join(str(board.rating) for board in BOARDS) + " |",
    ]
    rows = {
        "a close look at a picture": "read_s",
        "another look": "again_s",
        "whether something moves": "settle_s",
        "a hint": "hint_s",
    }
    for title, name in rows.items():
        times = " | ".join(f"{counts[name] / (board.rating * PER_RATED) * 1e3:,.3g} ms" for board in BOARDS)
        lines.append(f"| {title} | {counts[name] / 1e6:.3g} million | {times} |")
    rests = (
        offered_s(*(counts[name] / (board.rating * PER_RATED) for name in ("read_s", "again_s")))
        for board in BOARDS
    )
    lines.append(
        "| from rest to offer, 20 pictures a second | | " + " | ".join(f"{s:.1f} s" for s in rests) + " |"
    )
    return "\n".join(lines)
