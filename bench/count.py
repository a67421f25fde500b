"""Is the count a promise? Every picture read with one die fewer and one more expected than lie there.

`make bench ARGS=count` reads all; `python -m bench.count --half tuned` (or `kept`) only the sources of one
half. A change of the reader is looked at with the first; the second is measured when the change is done.
Which source is in which half is told by its name alone.

Right, wrong: as in bench/reader.py, so many expected as lie there. Ready, one fewer or one more expected: a
die was struck out or invented, and nobody was told. Of pictures whose dice cannot all be read only the
reading at their own number counts. Empty: called so at their number though dice lie there. ms: of the
processor.
"""

import argparse
import hashlib
import time
from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from bench.reader import DICE_MAX, SHARED, Picture, photographs, renders
from vision.picture import load
from vision.reader import Reader
from vision.reading import Reading, Status

HALVES = ("tuned", "kept")
READ = {"photos": photographs, "renders": renders, "renders2": renders}


@dataclass(slots=True)
class Count:
    """What came out for one set."""

    pictures: int = 0
    right: int = 0
    wrong: int = 0
    empty: int = 0
    fewer: int = 0
    fewer_ready: int = 0
    more: int = 0
    more_ready: int = 0
    ms: float = 0.0

    def add(self, other: "Count") -> None:
        """Count the other's pictures too."""
        for name in self.__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))


def half_of(name: str) -> str:
    """To which half the set `name` belongs.

    >>> half_of("Auto-Yahtzee"), half_of("DiceDetection")
    ('kept', 'tuned')
    """
    return HALVES[hashlib.sha1(name.encode(), usedforsecurity=False).digest()[0] % 2]


def pictures(halves: Iterable[str] = HALVES) -> Iterator[Picture]:
    """The photographs and renders beside the project, those of the halves."""
    for folder, source in READ.items():
        if (SHARED / folder).is_dir():
            yield from (one for one in source(SHARED / folder) if half_of(one.name) in halves)
        else:
            print(f"The folder {folder}/ is not beside the project: nothing to read.")


def read(image: NDArray[np.uint8], dice: int) -> Reading:
    """What the reader says when so many are expected."""
    return Reader(dice, clock=time.process_time).read(image)


def judge(picture: Picture) -> tuple[Count, list[str]]:
    """What came out for one picture, and each mistake in words."""
    image, there = load(picture.path), len(picture.faces)
    reading = read(image, max(there, 1))
    ready = reading.status is Status.READY
    right = picture.right(reading.faces, ready=ready, empty=reading.status is Status.EMPTY)
    count = Count(1, ms=reading.ms, right=int(right))
    count.wrong = int(ready and not right)
    count.empty = int(there > 0 and reading.status is Status.EMPTY)
    told = [(there, reading)] if count.wrong or count.empty else []
    seen = picture.readable and picture.legible
    if seen and there > 1:
        reading, count.fewer = read(image, there - 1), 1
        count.fewer_ready = int(reading.status is Status.READY)
        told += [(there - 1, reading)] * count.fewer_ready
    if seen and there < DICE_MAX:
        reading, count.more = read(image, there + 1), 1
        count.more_ready = int(reading.status is Status.READY)
        told += [(there + 1, reading)] * count.more_ready
    return count, [f"{picture.path}: {_said(picture.faces, *one)}" for one in told]


def _said(faces: tuple[int, ...], expected: int, reading: Reading) -> str:
    shown, seen = ("-".join(map(str, one)) for one in (faces, reading.faces))
    return f"{shown or 'none'} there, {expected} expected: {reading.status.value} {seen}"


def measure(some: Iterable[Picture]) -> tuple[dict[str, Count], list[str]]:
    """Read every picture; one Count for each set, and the mistakes in words."""
    counts: dict[str, Count] = {}
    mistakes = []
    for picture in some:
        count, told = judge(picture)
        counts.setdefault(picture.name, Count()).add(count)
        mistakes += told
    return counts, mistakes


def table(counts: dict[str, Count]) -> str:
    """The counts as a Markdown table, with the sum of each half."""
    lines = [
        "| set | half | pictures | right | wrong | empty | one fewer: ready | one more: ready | ms |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    sums = {half: Count() for half in HALVES}
    for name, count in sorted(counts.items()):
        sums[half_of(name)].add(count)
        lines.append(_line(name, half_of(name), count))
    lines += [_line("**all**", half, count) for half, count in sums.items() if count.pictures]
    return "\n".join(lines)


def _line(name: str, half: str, count: Count) -> str:
    n, right, wrong, empty, fewer, fewer_ready, more, more_ready, ms = astuple(count)
    silent = f"{fewer_ready} of {fewer} | {more_ready} of {more}"
    return f"| {name} | {half} | {n} | {right} | {wrong} | {empty} | {silent} | {ms / n:.1f} |"


def run(arguments: tuple[str, ...] = ()) -> None:
    """Print the table, and the mistakes."""
    parser = argparse.ArgumentParser(prog="python -m bench.count", description=__doc__)
    parser.add_argument("--half", choices=HALVES, help="only the sources of this half")
    asked = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    counts, mistakes = measure(pictures((asked.half,) if asked.half else HALVES))
    print(table(counts))
    print(*("", *mistakes), sep="\n")


if __name__ == "__main__":
    import sys

    run(tuple(sys.argv[1:]))
