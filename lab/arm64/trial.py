"""What is tried on both processors, a JSON line each, into a file: `python -m lab.arm64.trial FILE [N]`.

The golden stills are read, hints are worked out, and what a station does all evening is done N times, each
between two system calls that count.c takes notice of.
"""

import ctypes
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from station.advice.advisor import Advisor
from station.camera.self_timing import Task, drawn, tasks
from station.rules import built_in
from station.strategy.model.position import position
from station.strategy.values.hints import hint
from vision.motion import detect_change, thumbnail
from vision.picture import load
from vision.reader import Reader
from vision.threads import use_threads

GOLDEN = Path(__file__).parent.parent.parent / "tests" / "golden"
MARK = 9999
"""As in count.c."""
RULES = ("yacht-1938", "dice-play-yahtzee", "yahtzee", "yatzy")
ROLLS = ((1, 2, 2, 4, 6), (3, 3, 3, 5, 5), (2, 3, 4, 5, 6))

Row = dict[str, Any]


def stills() -> Iterator[Row]:
    """What is read in each still: all that a reading says but its time."""
    for line in (GOLDEN / "stills" / "labels.jsonl").read_text(encoding="utf-8").splitlines():
        label = json.loads(line)
        reading = Reader(label["asked"]).read(load(GOLDEN / "stills" / label["file"])).to_json()
        del reading["ms"]
        yield {"still": label["case"], **reading}


def hints() -> Iterator[Row]:
    """The value of every hold and box of some throws."""
    for name in RULES:
        rules = built_in(name)
        values = Advisor().solution_now(rules)
        for roll in ROLLS:
            found = hint(values, position(rules), roll, 2)
            holds = [["".join(map(str, each.hold)), each.value] for each in found.holds]
            boxes = [[each.category, each.value] for each in found.boxes]
            yield {"hint": f"{name} {''.join(map(str, roll))}", "holds": holds, "boxes": boxes}


def evening() -> Iterator[Task]:
    """What a station does all evening: what it times itself by, whether something moves, and a hint."""
    task: Task
    for task in tasks(drawn()):
        yield task
    thumb = thumbnail(task.fresh())
    yield Task("settle_s", task.fresh, lambda picture: detect_change(thumb, thumbnail(picture)))
    rules = built_in("dice-play-yahtzee")
    values, where = Advisor().solution_now(rules), position(rules)
    yield Task("hint_s", task.fresh, lambda _: hint(values, where, ROLLS[0], 2))


def timed_tasks(times: int) -> Iterator[Row]:
    """Each of it so many times; s: seconds of the processor."""
    call = ctypes.CDLL(None).syscall
    for task in evening():
        task.work(task.fresh())
        for _ in range(times):
            given, before_s = task.fresh(), time.process_time()
            call(MARK)
            task.work(given)
            call(MARK)
            yield {"task": task.name, "s": time.process_time() - before_s}


def main(file: str, times: str = "3") -> None:
    """Do all of it, and say on the way what is done."""
    use_threads(1)
    with Path(file).open("w", encoding="utf-8") as out:
        for part in (stills(), hints(), timed_tasks(int(times))):
            for number, record in enumerate(part, 1):
                out.write(json.dumps(record) + "\n")
                out.flush()
                kind = next(iter(record))
                sys.stderr.write(f"\r  {kind} {number}   ")
        sys.stderr.write("\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
