"""What the reader makes of the golden frames.

`python -m tests.golden.verdicts` adds to right.txt the stills that are read rightly now. It takes none
away: that a picture which was right has turned wrong is what the test is there to tell.
"""

import json
from pathlib import Path
from typing import Any

import cv2

from simulator.cases import Expected
from vision.picture import load
from vision.reader import Reader
from vision.reading import Reading, Reason, Status

FOLDER = Path(__file__).parent
RIGHT = FOLDER / "right.txt"


def labels(folder: Path) -> list[dict[str, Any]]:
    """The lines of a recording's labels.jsonl."""
    return [json.loads(line) for line in (folder / "labels.jsonl").read_text().splitlines()]


def expected(label: dict[str, Any]) -> Expected:
    """What a reader may say of a still."""
    return Expected(
        frozenset(Status(name) for name in label["statuses"]),
        None if label["faces"] is None else tuple(label["faces"]),
        frozenset(Reason(name) for name in label["reasons"]),
    )


def read(label: dict[str, Any]) -> Reading:
    """What the reader says of a still."""
    cv2.setNumThreads(1)
    return Reader(label["asked"]).read(load(FOLDER / "stills" / label["file"]))


def read_rightly() -> set[str]:
    """Names of the cases whose still is read, or refused, as it should be."""
    return {label["case"] for label in labels(FOLDER / "stills") if expected(label).accepts(read(label))}


def known_right() -> set[str]:
    """Names of the cases that were read rightly once."""
    return set(RIGHT.read_text().splitlines()) if RIGHT.exists() else set()


if __name__ == "__main__":
    RIGHT.write_text("".join(f"{name}\n" for name in sorted(known_right() | read_rightly())))
