"""How well and how fast dice are read: our reader beside two baselines, one OpenCV thread.

Each picture is read once, for recent answers are remembered; ms are those of the processor, because
others may use the machine too.

A set is a source of photographs or a stratum of renders. Right: ready and every face true. Sure but wrong:
ready and not so, or, in a render, ready although a die is cocked, stacked or hidden. A picture whose dice
cannot all be read (renders say so) counts as right when it is refused. A baseline (bench/baselines.py) is
always sure.

The second table is the reliability of the confidence that each die is given, the third what the pictures that
taught nothing promise of others (bench/promise.py).
"""

import csv
import json
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np

from bench import promise
from bench.baselines import BASELINES
from bench.holdout import held_out
from vision.picture import load
from vision.reader import Reader
from vision.reading import Reading, Status

SHARED = Path(os.environ.get("YACHT_SHARED", Path(__file__).parent.parent.parent / "shared"))
DICE_MAX = 10
MAY_TEACH = frozenset({"MIT", "BSD-3-Clause", "Apache-2.0"})
"""Licences of photographs that the networks may have been taught with."""


@dataclass(frozen=True, slots=True)
class LabelledPicture:
    """A picture with its truth.

    readable: every die is flat and can be seen. legible: each has contrast enough; else refused is right.
    places: face, x, y and extent (px) of each die, if known. taught: it may have taught the networks.
    """

    path: Path
    name: str
    faces: tuple[int, ...]
    readable: bool
    places: tuple[tuple[int, float, float, float], ...] = ()
    taught: bool = False
    legible: bool = True

    def right(self, faces: tuple[int, ...], *, ready: bool, empty: bool) -> bool:
        """Whether it is read rightly: ready with every face true, or refused where that may be.

        >>> LabelledPicture(Path(), "", (1, 6), readable=True).right((1, 5), ready=True, empty=False)
        False
        """
        if ready:
            return self.readable and faces == self.faces
        return not (self.readable and self.legible) or (empty and not self.faces)


@dataclass(slots=True)
class BaselineCount:
    """What came out for one set and one baseline; ms: of each picture."""

    right: int = 0
    ms: list[float] = field(default_factory=list)


@dataclass(slots=True)
class ReaderCount:
    """What came out for one set."""

    pictures: int = 0
    right: int = 0
    wrong: int = 0
    unsure: int = 0
    certain: list[tuple[float, bool]] = field(default_factory=list)
    untaught: list[promise.Verdict] = field(default_factory=list)
    ms: list[float] = field(default_factory=list)
    baselines: dict[str, BaselineCount] = field(
        default_factory=lambda: {name: BaselineCount() for name in BASELINES}
    )


def photographs(folder: Path) -> Iterator[LabelledPicture]:
    """The photographs with up to ten dice that a manifest.csv in the folder lists, named by their source.

    Its columns: file, and faces as in 1-3-3-6; if known source_repo (else the folder's name), licence, and
    boxes, JSON [[face, x, y, w, h], ...] in px.
    """
    with (folder / "manifest.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            faces = tuple(sorted(int(f) for f in row["faces"].split("-") if f))
            if len(faces) <= DICE_MAX:
                name = row.get("source_repo", folder.name).split("/", 1)[-1]
                boxes = json.loads(row.get("boxes") or "[]")
                places = tuple((int(f), x + w / 2, y + h / 2, float(max(w, h))) for f, x, y, w, h in boxes)
                taught = row.get("licence") in MAY_TEACH and not held_out(row["file"])
                yield LabelledPicture(
                    folder / row["file"], name, faces, readable=True, places=places, taught=taught
                )


def renders(folder: Path) -> Iterator[LabelledPicture]:
    """The single renders, named by their stratum."""
    for labels in sorted(folder.glob("*/labels.jsonl")):
        for line in labels.read_text(encoding="utf-8").splitlines():
            label = json.loads(line)
            if "values" not in label or "sequence" in label:
                continue
            dice = label["dice"]
            readable = label["n_readable"] == label["n_dice"]
            legible = all(d.get("legible", True) for d in dice)
            faces = tuple(sorted(label["values"]))
            places = tuple((d["value"], *d["top_center"], d["edge_px"]) for d in dice if d["in_frame"])
            name = f"render {labels.parent.name}"
            taught = not held_out(f"{labels.parent.name}/{label['file']}")
            yield LabelledPicture(
                labels.parent / label["file"], name, faces, readable, places, taught, legible
            )


def judge(picture: LabelledPicture, reading: Reading, count: ReaderCount) -> None:
    """Add one reading to the count of its set."""
    count.pictures += 1
    ready = reading.status is Status.READY
    right = picture.right(reading.faces, ready=ready, empty=reading.status is Status.EMPTY)
    if not picture.taught:
        sure = min(die.confidence for die in reading.dice) if ready else 0.0
        count.untaught.append(promise.Verdict(sure, sure > 0.0 and not right))
    count.right += right
    count.wrong += ready and not right
    count.unsure += not ready and not right


BINS = (0.0, 0.75, 0.9, 0.97, 0.99, 1.001)


def certainty(picture: LabelledPicture, reading: Reading) -> Iterator[tuple[float, bool]]:
    """Confidence of each die read, and whether a die of that face is there; unplaced truth gives nothing."""
    if not picture.places:
        return
    for die in reading.dice:
        x, y = die.center
        right = any(
            face == die.face and np.hypot(x - at_x, y - at_y) < max(0.5 * extent, 0.5 * die.size)
            for face, at_x, at_y, extent in picture.places
        )
        yield die.confidence, right


def reliability(counts: dict[str, ReaderCount]) -> str:
    """How many of the dice read with that much confidence are right, for each set, as a Markdown table."""
    heads = [f"{low:.2f} to {high:.2f}" for low, high in pairwise(BINS)]
    heads[-1] = f"{BINS[-2]:.2f} and more"
    lines = ["| set | " + " | ".join(heads) + " |", "|---" * (len(heads) + 1) + "|"]
    for name, count in counts.items():
        cells = []
        for low, high in pairwise(BINS):
            there = [right for confidence, right in count.certain if low <= confidence < high]
            cells.append(f"{sum(there)} of {len(there)}" if there else "")
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def promised(counts: dict[str, ReaderCount]) -> str:
    """What the pictures that taught nothing promise, as a Markdown table."""
    verdicts = {"photographs": [], "renders": []}  # type: dict[str, list[promise.Verdict]]
    for name, count in counts.items():
        verdicts["renders" if name.startswith("render ") else "photographs"] += count.untaught
    return promise.table(verdicts.items())


def measure(pictures: Iterator[LabelledPicture]) -> dict[str, ReaderCount]:
    """Read every picture; one Count for each set."""
    counts: dict[str, ReaderCount] = {}
    for picture in pictures:
        count = counts.setdefault(picture.name, ReaderCount())
        image = load(picture.path)
        reading = Reader(max(1, len(picture.faces)), clock=time.thread_time).read(image)
        judge(picture, reading, count)
        count.certain.extend(certainty(picture, reading))
        count.ms.append(reading.ms)
        for name, plain in count.baselines.items():
            began = time.thread_time()
            plain.right += BASELINES[name](image) == picture.faces
            plain.ms.append((time.thread_time() - began) * 1000.0)
    return counts


def table(counts: dict[str, ReaderCount]) -> str:
    """The counts as a Markdown table."""
    heads = [f"{name} right | {name} ms" for name in BASELINES]
    lines = [
        f"| set | pictures | right | sure but wrong | unsure | ms | p99 ms | {' | '.join(heads)} |",
        "|---|---|---|---|---|---|---|" + "---|---|" * len(heads),
    ]
    for name, c in counts.items():
        n = c.pictures
        ours = f"{c.right} ({c.right / n:.1%}) | {c.wrong} | {c.unsure}"
        times = f"{np.median(c.ms):.1f} | {np.percentile(c.ms, 99):.1f}"
        theirs = [f"{b.right} ({b.right / n:.1%}) | {np.median(b.ms):.1f}" for b in c.baselines.values()]
        lines.append(f"| {name} | {n} | {ours} | {times} | {' | '.join(theirs)} |")
    return "\n".join(lines)


def sources() -> Iterator[tuple[str, Iterator[LabelledPicture]]]:
    """`photos` and `renders`, those that stand beside the project, and their pictures."""
    for name, source in (("photos", photographs), ("renders", renders)):
        if (SHARED / name).is_dir():
            yield name, source(SHARED / name)
        else:
            print(f"The folder {name}/ is not beside the project: nothing to read.")


def run() -> None:
    """Print the table for the photographs and renders beside the project."""
    cv2.setNumThreads(1)
    for _, pictures in sources():
        counts = measure(pictures)
        print(table(counts), flush=True)
        print("\nHow many of the dice read with so much confidence are right:\n")
        print(reliability(counts), flush=True)
        print("\nWhat the pictures that taught nothing promise:\n")
        print(promised(counts), flush=True)
        print()
