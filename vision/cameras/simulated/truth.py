"""What a drawn picture really shows."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.cameras.simulated.dice import outline
from vision.cameras.simulated.geometry import View, face_corners
from vision.cameras.simulated.scene import Die
from vision.reading import Colour

COCKED_DEG = 8.0
"""More than this from flat is cocked, as in the rendered trays that the reader is measured on."""
LEGIBLE_SHARE = 0.9
"""Of the top face that must be seen for the die to count as legible."""


@dataclass(frozen=True, slots=True, eq=False)
class DieTruth:
    """A die of the picture. Lengths are pixels, angles degrees.

    face: nearest to up. center: of its top face. size: edge of the top face. angle: of an edge against
    the x axis, in [0, 90). top: its four corners, (4, 2). hull: outline of the whole die, (n, 2).
    visible: the share of the top face that is seen, 0-1. inside: the whole die is within the picture.
    """

    face: int
    center: tuple[float, float]
    size: float
    angle: float
    colour: Colour
    tilt_deg: float
    stacked: bool
    visible: float
    inside: bool
    top: NDArray[np.float64]
    hull: NDArray[np.float32]

    @property
    def cocked(self) -> bool:
        """Whether it does not lie flat."""
        return self.tilt_deg > COCKED_DEG

    @property
    def legible(self) -> bool:
        """Whether it lies flat on the floor with its top face in sight."""
        return not self.cocked and not self.stacked and self.inside and self.visible >= LEGIBLE_SHARE

    def to_json(self) -> dict[str, Any]:
        """For labels.jsonl."""
        return {
            "face": self.face,
            "center": [round(value, 2) for value in self.center],
            "size": round(self.size, 2),
            "angle": round(self.angle, 2),
            "colour": self.colour.value,
            "tilt_deg": round(self.tilt_deg, 2),
            "cocked": self.cocked,
            "stacked": self.stacked,
            "visible": round(self.visible, 3),
            "inside": self.inside,
            "top": np.round(self.top, 2).tolist(),
            "hull": np.round(self.hull, 1).tolist(),
        }


def die_truth(view: View, die: Die, visible: float = 1.0) -> DieTruth:
    """The truth of one die. visible: share of its top face that is seen."""
    top = view.project(face_corners(die.face, die.edge_mm / 2) @ die.rotation.T + np.array(die.position_mm))
    edges = np.roll(top, -1, axis=0) - top
    hull = outline(view, die)
    width, height = view.size_wh
    inside = bool((hull >= 0).all() and (hull[:, 0] <= width - 1).all() and (hull[:, 1] <= height - 1).all())
    middle = np.asarray(die.position_mm) + die.rotation @ _up(die) * (die.edge_mm / 2)
    center = view.project(middle)[0]
    # The mean direction of the four edges, which repeat every 90 degrees.
    directions = np.arctan2(edges[:, 1], edges[:, 0]) * 4
    angle = (
        math.degrees(math.atan2(float(np.sin(directions).sum()), float(np.cos(directions).sum())) / 4) % 90
    )
    return DieTruth(
        face=die.face,
        center=(float(center[0]), float(center[1])),
        size=float(np.hypot(edges[:, 0], edges[:, 1]).mean()),
        angle=angle,
        colour=die.style.colour,
        tilt_deg=die.tilt_deg,
        stacked=die.stacked,
        visible=visible,
        inside=inside,
        top=top,
        hull=hull,
    )


def _up(die: Die) -> NDArray[np.float64]:
    corners = face_corners(die.face, 1.0)
    return np.asarray(corners.mean(0), np.float64)
