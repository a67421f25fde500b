"""What vision saw: the value type that leaves the room, and its JSON (docs/contract.md)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.outline import Points, inside
from messages.message import Message

DOUBTED = 0.8
"""In an unsure reading a face that is less likely is pointed out. Of drawn pictures that are refused, faces
in glare, under dice or in the dark have 0.5 to 0.77, the others 0.84 and more."""


class Status(StrEnum):
    """What a reading says as a whole."""

    EMPTY = "empty"
    MOVING = "moving"
    COVERED = "covered"
    UNSURE = "unsure"
    READY = "ready"


class Reason(StrEnum):
    """Why a reading is not ready."""

    TOO_FEW = "too_few"
    TOO_MANY = "too_many"
    COCKED = "cocked"
    STACKED = "stacked"
    GLARE = "glare"
    BLURRED = "blurred"
    DARK = "dark"
    OVEREXPOSED = "overexposed"
    CUT_OFF = "cut_off"
    OBLIQUE = "oblique"
    LOW_CONFIDENCE = "low_confidence"
    CAMERA_MOVED = "camera_moved"

    @property
    def message(self) -> Message:
        """What that means to people."""
        return Message(f"reason/{self.value}")


class Colour(StrEnum):
    """The body of a die, as a person would name it."""

    WHITE = "white"
    IVORY = "ivory"
    BLACK = "black"
    GREY = "grey"
    RED = "red"
    ORANGE = "orange"
    YELLOW = "yellow"
    GREEN = "green"
    BLUE = "blue"
    PURPLE = "purple"
    PINK = "pink"
    BROWN = "brown"
    CLEAR = "clear"


@dataclass(frozen=True, slots=True)
class DieReading:
    """One die as seen.

    face: 1-6. confidence: 0-1, the estimated chance that `face` is right.
    center: x, y of the middle of the top face, pixels of the input picture.
    size: edge of the top face in pixels. angle: of an edge against the x axis, degrees in [0, 90).
    track: number that stays with a die from frame to frame in a stream; None in a still.
    kept: whether it lies in the dice keeper.
    """

    face: int
    confidence: float
    center: tuple[float, float]
    size: float
    angle: float
    colour: Colour
    track: int | None = None
    kept: bool = False

    def to_json(self) -> dict[str, Any]:
        """The die as docs/contract.md prints it."""
        return {
            "face": self.face,
            "confidence": round(self.confidence, 4),
            "center": [round(self.center[0], 1), round(self.center[1], 1)],
            "size": round(self.size, 1),
            "angle": round(self.angle, 1),
            "colour": self.colour.value,
        }


def places_of(
    dice: Sequence[DieReading],
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    """x, y and edge (n,) of dice, px."""
    x, y, edge = np.array([(*die.center, die.size) for die in dice], np.float32).reshape(-1, 3).T
    return x, y, edge


@dataclass(frozen=True, slots=True)
class Reading:
    """What vision says about one frame.

    `ready` is a promise: the expected number of dice, all lying flat, every face sure. In every other
    status `reasons` says why (it may be empty for `empty` and `moving`). dice: left to right.
    ms: milliseconds from decoded pixels to this reading.
    """

    status: Status
    dice: tuple[DieReading, ...] = ()
    reasons: tuple[Reason, ...] = ()
    ms: float = 0.0

    @property
    def faces(self) -> tuple[int, ...]:
        """Every die believed seen, sorted ascending."""
        return tuple(sorted(die.face for die in self.dice))

    @property
    def doubted(self) -> tuple[DieReading, ...]:
        """The dice of an unsure reading whose own faces are not sure, whatever else it is unsure of."""
        return tuple(die for die in self.dice if self.status is Status.UNSURE and die.confidence < DOUBTED)

    def die_at(self, x: float, y: float) -> DieReading | None:
        """The die whose middle lies there (px), to half an edge; None where none does."""
        for die in self.dice:
            if abs(die.center[0] - x) < die.size / 2 and abs(die.center[1] - y) < die.size / 2:
                return die
        return None

    def enlarged(self, times: float) -> "Reading":
        """The same reading of a picture that many times as large, `center` and `size` with it."""
        if times == 1:
            return self
        dice = tuple(
            replace(die, center=_enlarged(die.center, times), size=die.size * times) for die in self.dice
        )
        return replace(self, dice=dice)

    def with_keeper(self, keeper: Points | None) -> "Reading":
        """The same reading, the dice marked that lie in a dice keeper. keeper: its corners in pixels."""
        if keeper is None:
            return self
        dice = tuple(replace(die, kept=inside(keeper, *die.center)) for die in self.dice)
        return replace(self, dice=dice)

    def to_json(self) -> dict[str, Any]:
        """The reading as docs/contract.md prints it, without `file`."""
        return {
            "status": self.status.value,
            "faces": list(self.faces),
            "reasons": [reason.value for reason in self.reasons],
            "ms": round(self.ms, 2),
            "dice": [die.to_json() for die in self.dice],
        }


def _enlarged(center: tuple[float, float], times: float) -> tuple[float, float]:
    """Where the middle of a place is in a picture so many times as large (pixels are squares, not points)."""
    x, y = ((value + 0.5) * times - 0.5 for value in center)
    return x, y
