"""How often the program goes from one file to another while a new roll is seen: a measure of how it is cut.

    python -m lab.bench moves

Two play; the second throw of the first turn comes to rest in the tray, and the table shows it. A move is a
call of a function of the project in another file than that of the call before. No time is measured, so a busy
machine counts the same. Printed: the moves, the calls, and what is gone and called most.
"""

import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path
from types import FrameType

from station.contract.commands import AcceptRoll, SetHeld, StartGame
from station.table.table import Table
from vision.reading import Colour, DieReading, Reading, Status

ROOT = str(Path(__file__).parents[2])
WAYS = 30


def reading(*faces: int, at: float = 0.0, status: Status = Status.READY) -> Reading:
    """Dice in a row."""
    dice = (DieReading(face, 0.99, (100.0 + 100 * i, 200.0 + at), 60.0, 0.0, Colour.WHITE)
            for i, face in enumerate(faces))  # fmt: skip
    return Reading(status, tuple(dice), ())


def calls(table: Table) -> list[str]:
    """The functions that were called, each as FILE:NAME, while the second throw of a turn is seen."""
    found: list[str] = []

    def note(frame: FrameType, event: str, _argument: object) -> None:
        name = frame.f_code.co_filename
        if event == "call" and name.startswith(ROOT) and "/lib/python" not in name:
            found.append(f"{name[len(ROOT) + 1 :]}:{frame.f_code.co_name}")

    table.execute(StartGame(players=("Ana", "Ben"), rules="yahtzee"))
    table.offer(reading(6, 4, 1, 1, 5))
    table.execute(AcceptRoll())
    table.execute(SetHeld(slots=(3, 4)))
    table.offer(reading(status=Status.MOVING))
    sys.setprofile(note)
    try:
        table.offer(reading(1, 5, 1, 1, 6, at=90.0))
    finally:
        sys.setprofile(None)
    return found


def run() -> None:
    """Print them."""
    calls(Table())  # what is looked up once is looked up
    found = calls(Table())
    files = [each.partition(":")[0] for each in found]
    steps = [(one, other) for one, other in pairwise(files) if one != other]
    print(f"{len(steps)} moves between {len(set(files))} files, {len(found)} calls")
    for (one, other), count in Counter(steps).most_common(WAYS):
        print(f"{count:4}  {one} -> {other}")
    for name, count in Counter(found).most_common(WAYS):
        print(f"{count:4}  {name}")
