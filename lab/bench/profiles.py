"""What a profile is worth: the same pictures read without one, and with one and its empty tray.

Drawn trays from fresh seeds, with the truth's outline and scale and a picture of the empty tray taken in
another moment; and the rendered stations, whose empty trays are beside their pictures. Right, wrong and
unsure are those of `bench.reader` and `lab.bench.simulated`: ready and every face true; ready and not so; not
ready though all could be read.
"""

import dataclasses
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.profile import CalibrationProfile, KnownDice
from simulator import readable
from simulator.arrange import random_styles
from simulator.cases import CASES, Case, example
from simulator.scene import Scene, Thing, lying
from simulator.styles import STYLES
from simulator.things import kinds
from tests.vision.samples import FIRST_SEED, Sample, dotted, drawn_sample, of_maker
from vision.reader import Reader
from vision.reading import Reading, Status

Image = NDArray[np.uint8]
PICTURES = 40
"""Of each drawn set; of the hard cases by name, all together, ten times as many."""


@dataclass(slots=True)
class Count:
    """What came out of one way of reading."""

    right: int = 0
    wrong: int = 0
    unsure: int = 0
    ms: list[float] = field(default_factory=list)

    def add(self, sample: Sample, reading: Reading) -> None:
        """Judge one reading."""
        self.ms.append(reading.ms)
        if reading.status is Status.READY:
            right = reading.faces == sample.faces
            self.right += right
            self.wrong += not right
        elif sample.faces is None:
            self.right += 1
        else:
            self.unsure += 1


def of_case(name: str, count: int) -> Iterator[Sample]:
    """Pictures of a hard case by name."""
    for seed in range(FIRST_SEED, FIRST_SEED + count):
        made = example(name, seed)
        yield drawn_sample(made.scene, made.expected_dice, made.expected.faces, made.image)


def beside(rng: random.Random) -> Scene | None:
    """Dice of the last turn and other things on the table beside the tray."""
    on = readable.stage(rng, die_px=(36.0, 60.0))
    half = (on.tray.half_mm[0] * 0.72, on.tray.half_mm[1] * 0.85)
    on = dataclasses.replace(on, tray=dataclasses.replace(on.tray, half_mm=half, corner_mm=8.0))
    dice = readable.spread(rng, on, random_styles(rng, 5, mixed=rng.random() < 0.3))
    if dice is None:
        return None
    out = half[0] + on.tray.rim_mm[0] + on.edge_mm
    strays = []
    for side in (-1, 1):
        at = (side * (out + rng.uniform(0, 8)), rng.uniform(-0.6, 0.6) * half[1])
        strays.append(lying(STYLES["white"], rng.randint(1, 6), at, rng.uniform(0, 3), on.edge_mm))
    kind = rng.choice(list(kinds()))
    spot = (rng.choice((-1, 1)) * (out + 45), rng.uniform(-0.5, 0.5) * half[1])
    thing = Thing(kind, spot, rng.uniform(0, 6), readable.THING_MM[kind], rng.randrange(99))
    return on.scene(rng, (*dice, *strays[: rng.randint(1, 2)]), things=(thing,))


DRAWN: dict[str, Callable[[int], Iterator[Sample]]] = {
    "plain": lambda n: of_case("one set", n),
    "printed cloth": lambda n: of_case("patterned cloth", n),
    "dotted felt": lambda n: of_maker(dotted, n),
    "a shadow across": lambda n: of_case("in shadow", n),
    "dice and things beside the tray": lambda n: of_maker(beside, n),
    "little light": lambda n: of_case("evening light", n),
}


def hard_cases(count: int) -> Iterator[Sample]:
    """Every case by name in turn, those to be refused too."""
    for seed in range(FIRST_SEED + 500, FIRST_SEED + 500 + -(-count // len(CASES))):
        for name, case in CASES.items():
            if _fits(case):
                made = example(name, seed)
                yield drawn_sample(made.scene, made.expected_dice, made.expected.faces, made.image)


def _fits(case: Case) -> bool:
    """Not the large pictures, which take minutes."""
    return case.name != "12 megapixels"


def rendered(folder: Path) -> dict[str, list[Sample]]:
    """The renders by stratum; of the sequences the frames at rest."""
    found: dict[str, list[Sample]] = {}
    for labels in sorted(folder.glob("*/labels.jsonl")):
        stations = {
            label["id"]: label
            for label in map(json.loads, labels.with_name("stations.jsonl").read_text().splitlines())
        }
        for line in labels.read_text(encoding="utf-8").splitlines():
            sample = _rendered(labels.parent, json.loads(line), stations)
            if sample is not None:
                found.setdefault(f"render {labels.parent.name}", []).append(sample)
    return found


def _rendered(
    folder: Path, label: dict[str, object], stations: dict[str, dict[str, object]]
) -> Sample | None:
    known = stations[str(label["station"])]
    if label.get("state", "settled") != "settled" or not label.get("values"):
        return None
    image = cv2.imread(str(folder / str(label["file"])))
    empty = cv2.imread(str(folder / f"{known['id']}_ref.jpg"))
    if image is None or empty is None or image.shape != empty.shape:
        return None
    dice: list[dict[str, float]] = label["dice"]  # type: ignore[assignment]
    edges = tuple(10 * die["edge_mm"] if die["edge_mm"] < 4 else die["edge_mm"] for die in dice)
    profile = CalibrationProfile(
        outline=tuple((x, y) for x, y in known["tray_poly_px"]),  # type: ignore[attr-defined]
        mm_per_px=float(np.median([edge / die["edge_px"] for edge, die in zip(edges, dice, strict=True)])),
        die_mm=float(np.median(edges)),
        dice=KnownDice(edges),
        size_wh=(image.shape[1], image.shape[0]),
    )
    readable_all = label.get("n_readable", label["n_dice"]) == label["n_dice"] and all(
        die.get("legible", True) for die in dice
    )
    faces = tuple(sorted(label["values"])) if readable_all else None  # type: ignore[call-overload]
    return Sample(np.asarray(image, np.uint8), np.asarray(empty, np.uint8), profile, max(1, len(dice)), faces)


def measure(samples: Iterator[Sample] | list[Sample]) -> tuple[Count, Count]:
    """Without a profile, and with one."""
    without, known = Count(), Count()
    for sample in samples:
        without.add(sample, Reader(sample.expected_dice).read(sample.image))
        known.add(sample, Reader(sample.expected_dice, sample.profile, empty=sample.empty).read(sample.image))
    return without, known


def run(share: float, renders: Path) -> None:
    """Print the table."""
    print(
        "| read without / with a profile | pictures | right | sure but wrong | unsure | ms |\n"
        "|---|---|---|---|---|---|"
    )
    for name, make in DRAWN.items():
        _row(name, *measure(make(max(4, round(PICTURES * share)))))
    _row("every hard case by name", *measure(hard_cases(max(len(CASES), round(10 * PICTURES * share)))))
    for name, samples in rendered(renders).items():
        _row(name, *measure(samples))


def _row(name: str, without: Count, known: Count) -> None:
    cells = [f"{getattr(without, what)} / {getattr(known, what)}" for what in ("right", "wrong", "unsure")]
    ms = " / ".join(f"{np.median(each.ms):.0f}" for each in (without, known))
    print(f"| {name} | {len(without.ms)} | {' | '.join(cells)} | {ms} |", flush=True)
