"""What a drawn picture really shows."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulator.die_drawing import outline, pip_places
from simulator.geometry import AXIS_OF_FACE, CameraView, face_corners
from simulator.scene import SceneDie
from vision.reading import Colour

COCKED_DEG = 8.0
"""More than this from flat is cocked, as in the rendered trays that the reader is measured on."""
LEGIBLE_SHARE = 0.9
"""Of the top face that must be seen for the die to count as legible."""
LEGIBLE_CONTRAST = 15.0
"""Grey levels (of 255, in the best channel) by which every pip must differ from the body around it."""


@dataclass(frozen=True, slots=True, eq=False)
class DieTruth:
    """A die of the picture. Lengths are pixels, angles degrees.

    face: nearest to up. center: of its top face. size: edge of the top face. angle: of an edge against
    the x axis, in [0, 90). top: its four corners, (4, 2). hull: outline of the whole die, (n, 2).
    visible: the share of the top face that is seen, 0-1. inside: the whole die is within the picture.
    contrast: by how much the faintest pip of the top face differs from the body, 0-255.
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
    contrast: float
    top: NDArray[np.float64]
    hull: NDArray[np.float32]

    @property
    def cocked(self) -> bool:
        """Whether it does not lie flat."""
        return self.tilt_deg > COCKED_DEG

    @property
    def legible(self) -> bool:
        """Whether it lies flat on the floor with its top face in sight and its pips can be seen on it."""
        flat = not self.cocked and not self.stacked
        visible = self.inside and self.visible >= LEGIBLE_SHARE
        return flat and visible and self.contrast >= LEGIBLE_CONTRAST

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
            "contrast": round(self.contrast, 1),
            "top": np.round(self.top, 2).tolist(),
            "hull": np.round(self.hull, 1).tolist(),
        }


def die_truth(view: CameraView, die: SceneDie, visible: float = 1.0, contrast: float = 255.0) -> DieTruth:
    """The truth of one die. visible: share of its top face that is seen; contrast: see `pip_contrast`."""
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
        contrast=contrast,
        top=top,
        hull=hull,
    )


def pip_contrast(picture: NDArray[np.uint8], view: CameraView, die: SceneDie) -> float:
    """How well the faintest pip of the top face stands out in a picture, 0-255; 0 outside the picture."""
    axis, sign = AXIS_OF_FACE[die.face]
    half, style = die.edge_mm / 2, die.style
    worst = 255.0
    for u, v in pip_places(die.face, style).tolist():
        radius = style.pip_radius * (style.big_one if die.face == 1 else 1)
        ring = [(0.0, 0.0)] + [
            (math.cos(turn) * radius * 1.45, math.sin(turn) * radius * 1.45) for turn in _TURNS
        ]
        local = np.zeros((len(ring), 3))
        local[:, axis] = sign
        local[:, (axis + 1) % 3] = [u + du for du, _ in ring]
        local[:, (axis + 2) % 3] = [v + dv for _, dv in ring]
        spots = np.round(view.project(local * half @ die.rotation.T + np.array(die.position_mm))).astype(int)
        height, width = picture.shape[:2]
        if (spots < 1).any() or (spots[:, 0] > width - 2).any() or (spots[:, 1] > height - 2).any():
            return 0.0
        seen = [picture[y - 1 : y + 2, x - 1 : x + 2].reshape(-1, 3).mean(0) for x, y in spots.tolist()]
        worst = min(worst, float(np.abs(seen[0] - np.median(seen[1:], axis=0)).max()))
    return worst


_TURNS = tuple(number * math.pi / 4 for number in range(8))


def _up(die: SceneDie) -> NDArray[np.float64]:
    corners = face_corners(die.face, 1.0)
    return np.asarray(corners.mean(0), np.float64)
