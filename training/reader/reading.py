"""What the two networks make of a picture: the detector at several sizes, then faces of full-size patches.

No geometry, no pips: what these two alone are worth. Needs ONNX Runtime, not PyTorch.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from training.reader.crops import STRIDE, UNIT_PX
from training.reader.looks import normalised
from training.reader.patches import SIDE, cut_square

MULTIPLE = 16
LONG_SIDES = (640, 320, 480, 960)
ENOUGH = 0.9  # from here on a picture is not looked at in a further size
LEAST_HEAT = 0.1
MOST_PLACES = 60
APART = 0.5  # middles nearer than this part of the smaller size are one die
WINDOWS = (1.25, 1.45, 1.65)
HEAT_OF_A_DIE = 0.3  # from here on the detector does not doubt that something is a die


@dataclass(frozen=True, slots=True)
class Place:
    """Where the detector sees a die: middle and size in pixels of the picture, and its heat (0 to 1)."""

    x: float
    y: float
    size: float
    heat: float


@dataclass(frozen=True, slots=True)
class Seen:
    """A place and what the face network says of it: chances of no die and of the six faces."""

    place: Place
    odds: tuple[float, ...]

    @property
    def face(self) -> int:
        """The likeliest face, 1 to 6."""
        return 1 + int(np.argmax(self.odds[1:]))

    @property
    def die(self) -> float:
        """How likely a die is there, 0 to 1."""
        return (1 - self.odds[0]) * min(1.0, self.place.heat / HEAT_OF_A_DIE)

    @property
    def sure(self) -> float:
        """How likely a die is there that shows this face."""
        return max(self.odds[1:]) * min(1.0, self.place.heat / HEAT_OF_A_DIE)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Faces, sorted, and the one number that says how sure they, and their count, are."""

    faces: tuple[int, ...]
    sure: float


class Networks:
    """The detector and the face network of a folder."""

    def __init__(self, folder: Path) -> None:
        import onnxruntime  # noqa: PLC0415 - a tool of measuring; what is beside needs none

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self._detector, self._faces = (
            onnxruntime.InferenceSession(str(folder / f"{name}.onnx"), options, ["CPUExecutionProvider"])
            for name in ("detector", "faces")
        )

    def places(self, image: NDArray[np.uint8], long_side: int) -> tuple[Place, ...]:
        """Where dice are in a picture (h, w, 3) BGR made so large."""
        scale = long_side / max(image.shape[:2])
        how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        seen = cv2.resize(image, None, fx=scale, fy=scale, interpolation=how)
        rims = [-side % MULTIPLE for side in seen.shape[:2]]
        seen = cv2.copyMakeBorder(seen, 0, rims[0], 0, rims[1], cv2.BORDER_CONSTANT, value=(127, 127, 127))
        (maps,) = self._detector.run(None, {"seen": normalised(np.asarray(seen, np.uint8)[None])})
        return apart(peaks(maps[0]), scale)

    def faces(self, image: NDArray[np.uint8], places: Sequence[Place]) -> tuple[Seen, ...]:
        """What shows at these places: four turns, several cuts, averaged."""
        if not places:
            return ()
        patches = np.array([one for place in places for one in _ways(image, place)], np.uint8)
        (said,) = self._faces.run(None, {"seen": normalised(patches)})
        odds = np.exp(said - said.max(1, keepdims=True))
        odds = (odds / odds.sum(1, keepdims=True)).reshape(len(places), -1, said.shape[1]).mean(1)
        return tuple(
            Seen(place, tuple(float(v) for v in row)) for place, row in zip(places, odds, strict=True)
        )


def _ways(image: NDArray[np.uint8], place: Place) -> Iterator[NDArray[np.uint8]]:
    for window in WINDOWS:
        patch = cut_square(image, (place.x, place.y), window * place.size, SIDE)
        for turns in range(4):
            yield np.rot90(patch, turns)


def peaks(maps: NDArray[np.float32]) -> list[Place]:
    """The hottest cells of the detector's maps (4, h, w), in pixels of what it was shown, hottest first."""
    heat = 1 / (1 + np.exp(-maps[0]))
    highest = cv2.dilate(heat, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((heat >= highest) & (heat >= LEAST_HEAT))
    found = []
    for row, column in zip(rows, columns, strict=True):
        size, x, y = maps[1:4, row, column]
        found.append(
            Place(
                float((column + 0.5 + x) * STRIDE),
                float((row + 0.5 + y) * STRIDE),
                float(UNIT_PX * 2**size),
                float(heat[row, column]),
            )
        )
    return sorted(found, key=lambda one: -one.heat)


def apart(found: Sequence[Place], scale: float = 1.0) -> tuple[Place, ...]:
    """The hottest of places that are one, in pixels of the picture that was made larger by `scale`."""
    kept: list[Place] = []
    for one in found:
        if all(np.hypot(one.x - k.x, one.y - k.y) > APART * min(one.size, k.size) for k in kept):
            kept.append(one)
    return tuple(
        Place((k.x + 0.5) / scale - 0.5, (k.y + 0.5) / scale - 0.5, k.size / scale, k.heat)
        for k in kept[:MOST_PLACES]
    )


def verdict(seen: Sequence[Seen], expected: int) -> Verdict:
    """The likeliest dice, as many as expected; not surer than that there is no other one."""
    ranked = sorted(seen, key=lambda one: -one.die)
    taken, others = ranked[:expected], ranked[expected:]
    faces = tuple(sorted(one.face for one in taken))
    if len(taken) < expected:
        return Verdict(faces, 0.0)
    alone = 1 - max((one.die for one in others), default=0.0)
    return Verdict(faces, min([alone, *(one.sure for one in taken)]))


def surest(verdicts: Sequence[Verdict]) -> Verdict:
    """Of readings of one picture at several sizes the surest."""
    return max(verdicts, key=lambda one: (one.sure, len(one.faces)))


def as_json(seen: Sequence[Seen]) -> list[dict[str, Any]]:
    """For a file in which readings are kept."""
    return [
        {
            "x": round(one.place.x, 1),
            "y": round(one.place.y, 1),
            "size": round(one.place.size, 1),
            "heat": round(one.place.heat, 4),
            "odds": [round(v, 5) for v in one.odds],
        }
        for one in seen
    ]


def from_json(kept: Sequence[dict[str, Any]]) -> tuple[Seen, ...]:
    """As it was kept."""
    return tuple(Seen(Place(k["x"], k["y"], k["size"], k["heat"]), tuple(k["odds"])) for k in kept)
