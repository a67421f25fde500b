"""The pose of a profile's camera over the tray, and so where the foot of every flat die must be."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.lens import Lens
from calibration.profile import CalibrationProfile
from calibration.tray_geometry import carried, scale_mm
from calibration.usual import USUAL_DIE_MM

Array = NDArray[np.float64]
FOCAL = (0.3, 4.0)
"""Focal lengths that are believed, in lengths of the picture's longer side: 120 degrees to a long lens."""


@dataclass(frozen=True, slots=True, eq=False)
class CameraPose:
    """A camera over the floor of a tray.

    to_mm: (3, 3) from straight pixels to mm on the floor, and to_px back. eye_mm: (2,) where on the floor the
    point below the lens is; height_mm: of the lens above it. top_mm: how high the tops of the dice are.
    width_px: of the pictures it holds for.
    """

    to_mm: Array
    to_px: Array
    eye_mm: Array
    height_mm: float
    top_mm: float
    width_px: int
    lens: Lens | None

    def feet(self, x: Array, y: Array, width_px: int) -> Array:
        """(n, 2) px from the middle of a flat die's top face to that of its bottom.

        x, y: (n,) px, middles of top faces in a picture so wide.

        >>> to_mm = (0.5, 0.0, -200.0, 0.0, 0.5, -150.0, 0.0, 0.0, 1.0)
        >>> known = CalibrationProfile(mm_per_px=0.48, die_mm=20.0, to_mm=to_mm, size_wh=(801, 601))
        >>> x, y = np.array([400.0, 600.0]), np.array([300.0, 300.0])
        >>> pose_of(known).feet(x, y, 801).round(3).tolist()
        [[0.0, 0.0], [-8.0, 0.0]]
        """
        scale = self.width_px / width_px
        full_size = (np.column_stack([x, y]) + 0.5) * scale - 0.5
        floor = carried(self.to_mm, full_size if self.lens is None else self.lens.straightened(full_size))
        below = self.eye_mm + (floor - self.eye_mm) * (1 - self.top_mm / self.height_mm)
        foot = carried(self.to_px, below)
        return np.asarray(
            ((foot if self.lens is None else self.lens.bent(foot)) - full_size) / scale, np.float64
        )


def pose_of(profile: CalibrationProfile) -> CameraPose | None:
    """The pose of a profile's camera; None where the profile does not tell it.

    The height follows from the two scales of the profile: that of the floor and that of the dice's tops.
    """
    if profile.to_mm is None or profile.mm_per_px is None or profile.size_wh is None:
        return None
    to_mm = np.reshape(np.array(profile.to_mm, np.float64), (3, 3))
    if abs(float(np.linalg.det(to_mm))) < 1e-12:
        return None
    to_px, edge_mm = np.asarray(np.linalg.inv(to_mm), np.float64), top_mm(profile)
    floor = scale_mm(to_px)
    nearer = 1 - profile.mm_per_px / floor
    if not 0 < nearer < 1:
        return None
    focal, longer = edge_mm / nearer / floor, max(profile.size_wh)
    if not FOCAL[0] < focal / longer < FOCAL[1]:
        return None
    lens_measured = profile.lens is not None and profile.lens.error_px > 0
    lens = profile.lens if lens_measured else None
    middle = ((profile.size_wh[0] - 1) / 2, (profile.size_wh[1] - 1) / 2) if lens is None else lens.middle
    rays = np.linalg.inv(np.array([[focal, 0, middle[0]], [0, focal, middle[1]], [0, 0, 1.0]])) @ to_px
    rays /= np.sqrt(np.linalg.norm(rays[:, 0]) * np.linalg.norm(rays[:, 1]))
    down = np.cross(rays[:, 0], rays[:, 1])
    axes = np.column_stack([rays[:, 0], rays[:, 1], down / np.linalg.norm(down)])
    eye = np.asarray(-np.linalg.solve(axes, rays[:, 2]), np.float64)
    if abs(eye[2]) < 2 * edge_mm:
        return None
    return CameraPose(to_mm, to_px, eye[:2], float(abs(eye[2])), edge_mm, profile.size_wh[0], profile.lens)


def top_mm(profile: CalibrationProfile) -> float:
    """The height above the floor at which the profile's scale holds: the top of its or of usual dice."""
    if profile.die_mm is not None:
        return profile.die_mm
    edges = () if profile.dice is None else profile.dice.edge_mm
    return float(np.mean(edges)) if edges else USUAL_DIE_MM
