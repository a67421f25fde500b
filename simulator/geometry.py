"""Where things are: the pinhole camera over the tray, and the pose of a die.

World: mm, z up, the tray's floor is z = 0, the origin its middle. Camera: x right, y down, z forward
(OpenCV). Pixel (0, 0) is the middle of the top left pixel.
"""

import math
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]

# Opposite faces add up to 7, and 1-2-3 run counter-clockwise round their corner (a right-handed die,
# the western way; www.dicecollector.com, "the dice faq"): 1, 2, 3 look along +x, +y, +z of the die.
AXIS_OF_FACE: dict[int, tuple[int, int]] = {
    1: (0, 1),
    2: (1, 1),
    3: (2, 1),
    4: (2, -1),
    5: (1, -1),
    6: (0, -1),
}


@dataclass(frozen=True, slots=True)
class CameraView:
    """A camera looking down on the tray.

    size_wh: pixels. focal_px: focal length in pixels. height_mm: of the lens above the floor.
    tilt_deg: 0 looks straight down; more leans back towards the player's side (-y). roll_deg: turn of
    the picture. aim_mm: the point of the floor in the middle of the picture. k1: radial lens
    distortion as in OpenCV (negative: barrel).
    """

    size_wh: tuple[int, int] = (1280, 720)
    focal_px: float = 1150.0
    height_mm: float = 420.0
    tilt_deg: float = 8.0
    roll_deg: float = 0.0
    aim_mm: tuple[float, float] = (0.0, 0.0)
    k1: float = 0.0

    def in_size(self, size_wh: tuple[int, int]) -> "CameraView":
        """The same view in pictures of another size: what is seen across stays."""
        return replace(self, size_wh=size_wh, focal_px=self.focal_px * size_wh[0] / self.size_wh[0])

    @property
    def matrix(self) -> Doubles:
        """The camera matrix K, (3, 3)."""
        width, height = self.size_wh
        return np.array(
            [[self.focal_px, 0, (width - 1) / 2], [0, self.focal_px, (height - 1) / 2], [0, 0, 1]], np.float64
        )

    @property
    def distortion(self) -> Doubles:
        """[k1, 0, 0, 0, 0] as OpenCV takes it."""
        return np.array([self.k1, 0, 0, 0, 0], np.float64)

    @property
    def rotation(self) -> Doubles:
        """World to camera, (3, 3); not to be written into."""
        return _attitude(self.tilt_deg, self.roll_deg)

    @property
    def eye(self) -> Doubles:
        """Where the lens is in the world, (3,) mm."""
        back = math.tan(math.radians(self.tilt_deg)) * self.height_mm
        return np.array([self.aim_mm[0], self.aim_mm[1] - back, self.height_mm], np.float64)

    @property
    def translation(self) -> Doubles:
        """T of X_cam = R X + t, (3,) mm."""
        return -self.rotation @ self.eye

    @property
    def halved(self) -> "CameraView":
        """The same camera with a quarter of the pixels; both sides of the picture must be even."""
        width, height = self.size_wh
        return replace(self, size_wh=(width // 2, height // 2), focal_px=self.focal_px / 2)

    def px_per_mm(self, point_mm: ArrayLike = (0.0, 0.0, 0.0)) -> float:
        """Picture pixels to a millimetre that faces the camera at that point."""
        depth = float((self.rotation @ np.asarray(point_mm, np.float64) + self.translation)[2])
        return self.focal_px / depth

    def project(self, points_mm: ArrayLike) -> Doubles:
        """World points (n, 3) mm -> pixels (n, 2)."""
        points = np.asarray(points_mm, np.float64).reshape(-1, 3)
        turn, _ = cv2.Rodrigues(self.rotation)
        pixels, _ = cv2.projectPoints(points, turn, self.translation, self.matrix, self.distortion)
        return np.asarray(pixels, np.float64).reshape(-1, 2)

    def rays(self, x_px: ArrayLike, y_px: ArrayLike) -> Floats:
        """Unit directions in the world, (..., 3) float32, of the rays through those pixels."""
        x = np.asarray(x_px, np.float32)
        y = np.asarray(y_px, np.float32)
        width, height = self.size_wh
        across = (x - np.float32((width - 1) / 2)) / np.float32(self.focal_px)
        down = (y - np.float32((height - 1) / 2)) / np.float32(self.focal_px)
        if self.k1:
            across, down = self._undistorted(across, down)
        length = np.sqrt(across * across + down * down + 1)
        camera = np.stack([across / length, down / length, 1 / length], axis=-1)
        return np.asarray(camera @ self.rotation.astype(np.float32), np.float32)

    def _undistorted(self, across: Floats, down: Floats) -> tuple[Floats, Floats]:
        """Ideal coordinates of distorted ones, by the fixed-point iteration OpenCV uses too."""
        x, y = across, down
        for _ in range(12):
            scale = 1 + (x * x + y * y) * np.float32(self.k1)
            x, y = across / scale, down / scale
        return x, y


@lru_cache(maxsize=16)
def _attitude(tilt_deg: float, roll_deg: float) -> Doubles:
    """See `CameraView.rotation`, which is called some twenty times for each die of each frame."""
    down = np.array([[1, 0, 0], [0, -1, 0], [0, 0, -1]], np.float64)
    turn = about_z(math.radians(roll_deg)) @ about_x(-math.radians(tilt_deg)) @ down
    turn.setflags(write=False)
    return turn


def dot(one: Floats, other: Floats) -> Floats:
    """Dot products of rows, (n, 3) and (n, 3) -> (n,); numpy's own sum over three numbers is slow."""
    return np.asarray(np.einsum("ij,ij->i", one, other), np.float32)


def largest(rows: Floats) -> Floats:
    """The largest of each row, (n, 3) -> (n,)."""
    return np.asarray(np.maximum(np.maximum(rows[:, 0], rows[:, 1]), rows[:, 2]), np.float32)


def about_x(angle: float) -> Doubles:
    """Turn about the x axis by radians, (3, 3)."""
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[1, 0, 0], [0, c, -s], [0, s, c]], np.float64)


def about_z(angle: float) -> Doubles:
    """Turn about the z axis by radians, (3, 3)."""
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]], np.float64)


def about(axis: ArrayLike, angle: float) -> Doubles:
    """Turn about any unit axis by radians, (3, 3)."""
    matrix, _ = cv2.Rodrigues(np.asarray(axis, np.float64) * angle)
    return np.asarray(matrix, np.float64)


def face_up(face: int, yaw: float) -> Doubles:
    """Die to world of a die that lies flat with `face` up, turned by `yaw` radians, (3, 3).

    >>> [upper_face(face_up(face, 0.3)) for face in (1, 2, 3, 4, 5, 6)]
    [1, 2, 3, 4, 5, 6]
    """
    axis, sign = AXIS_OF_FACE[face]
    up = np.zeros(3)
    up[axis] = sign
    side = np.zeros(3)
    side[(axis + 1) % 3] = 1.0
    rows = np.stack([side, np.cross(up, side), up])
    return np.asarray(about_z(yaw) @ rows, np.float64)


def upper_face(rotation: Doubles) -> int:
    """The face whose normal is nearest to up, 1-6."""
    return max(
        AXIS_OF_FACE, key=lambda face: AXIS_OF_FACE[face][1] * float(rotation[2, AXIS_OF_FACE[face][0]])
    )


def tilt_deg(rotation: Doubles) -> float:
    """Angle of the upper face's normal against up, degrees, 0-54.7."""
    return math.degrees(math.acos(min(1.0, float(np.abs(rotation[2]).max()))))


def face_corners(face: int, half_mm: float) -> Doubles:
    """The four corners of a face in the die's own coordinates, (4, 3) mm, in ring order."""
    axis, sign = AXIS_OF_FACE[face]
    corners = np.zeros((4, 3))
    corners[:, axis] = sign
    corners[:, (axis + 1) % 3] = [-1, 1, 1, -1]
    corners[:, (axis + 2) % 3] = [-1, -1, 1, 1]
    return corners * half_mm


def cube_corners(half_mm: float) -> Doubles:
    """The eight corners of a die in its own coordinates, (8, 3) mm."""
    return np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float64) * half_mm


def resting_height(rotation: Doubles, edge_mm: float) -> float:
    """Height of the middle of a sharp-edged die that touches the floor in that attitude, mm."""
    return edge_mm / 2 * float(np.abs(rotation[2]).sum())


def footprints_overlap(first: Doubles, second: Doubles) -> bool:
    """Whether two convex polygons (n, 2) overlap (separating axes)."""
    for polygon in (first, second):
        edges = np.roll(polygon, -1, axis=0) - polygon
        normals = np.stack([-edges[:, 1], edges[:, 0]], axis=1)
        one, other = first @ normals.T, second @ normals.T
        if bool(((one.max(0) <= other.min(0)) | (other.max(0) <= one.min(0))).any()):
            return False
    return True


def hull(points: Doubles) -> Doubles:
    """The convex hull of points (n, 2), a ring."""
    return np.asarray(cv2.convexHull(points.astype(np.float32)).reshape(-1, 2), np.float64)
