"""A pinhole camera over a table: where a point of the table lands in a drawn picture.

World: z up, table at z = 0, the unit is the edge of an ordinary die.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
ROLL_DEG = 4.0
"""How much a camera that somebody set up by eye is usually turned about the line of sight."""


@dataclass(frozen=True, slots=True)
class View:
    """One camera.

    focal_px: focal length in pixels. center: x, y of the principal point in pixels.
    rotation: (3, 3) float64, world to camera (x right, y down, z forward). position: (3,) of the lens.
    """

    focal_px: float
    center: tuple[float, float]
    rotation: NDArray[np.float64]
    position: NDArray[np.float64]

    def project(self, points: NDArray[np.floating]) -> NDArray[np.float64]:
        """Pixels (n, 2) of world points (n, 3)."""
        seen = (np.asarray(points, np.float64) - self.position) @ self.rotation.T
        return self.focal_px * seen[:, :2] / seen[:, 2:] + np.array(self.center)

    def rays(self, x: NDArray[np.floating], y: NDArray[np.floating]) -> Floats:
        """Unit directions (n, 3) in the world, of the light that falls into pixels x, y."""
        ahead = np.stack([(x - self.center[0]) / self.focal_px, (y - self.center[1]) / self.focal_px], -1)
        rays = np.concatenate([ahead, np.ones((len(ahead), 1))], 1) @ self.rotation
        return (rays / np.linalg.norm(rays, axis=1, keepdims=True)).astype(np.float32)

    def floor_homography(self) -> NDArray[np.float64]:
        """(3, 3) that takes table points (x, y, 1) to pixels."""
        lens = np.array([[self.focal_px, 0, self.center[0]], [0, self.focal_px, self.center[1]], [0, 0, 1]])
        return np.asarray(
            lens @ np.column_stack([self.rotation[:, 0], self.rotation[:, 1], -self.rotation @ self.position])
        )


def looking_down(
    rng: np.random.Generator, size_wh: tuple[int, int], edge_px: float, tilt_deg: float, fov_deg: float
) -> View:
    """A camera that looks at the table's origin, any side up, where a die is about `edge_px` wide."""
    back = _back(rng, tilt_deg)
    roll = rng.uniform(0, 2 * np.pi)
    any_side = np.array([np.cos(roll), np.sin(roll), 0.0])
    right = any_side - back * (any_side @ back)
    return _view(back, right / np.linalg.norm(right), size_wh, edge_px, fov_deg)


def looking_over(
    rng: np.random.Generator, size_wh: tuple[int, int], edge_px: float, tilt_deg: float, fov_deg: float
) -> View:
    """A camera at the table's edge, upright but for a few degrees; else like `looking_down`."""
    back, roll = _back(rng, tilt_deg), np.radians(rng.normal(0, ROLL_DEG))
    level = np.array([-back[1], back[0], 0.0])
    level /= np.linalg.norm(level)
    right = np.cos(roll) * level - np.sin(roll) * np.cross(level, back)
    return _view(back, right, size_wh, edge_px, fov_deg)


def _back(rng: np.random.Generator, tilt_deg: float) -> NDArray[np.float64]:
    """Where a camera is, as seen from what it looks at: a unit direction, from any side."""
    tilt, azimuth = np.radians(tilt_deg), rng.uniform(0, 2 * np.pi)
    return np.array([np.sin(tilt) * np.cos(azimuth), np.sin(tilt) * np.sin(azimuth), np.cos(tilt)])


def _view(
    back: NDArray[np.float64],
    right: NDArray[np.float64],
    size_wh: tuple[int, int],
    edge_px: float,
    fov_deg: float,
) -> View:
    focal = size_wh[0] / 2 / np.tan(np.radians(fov_deg) / 2)
    rotation = np.stack([right, np.cross(-back, right), -back])
    center = (size_wh[0] / 2 - 0.5, size_wh[1] / 2 - 0.5)
    return View(focal, center, rotation, back * (focal / edge_px))
