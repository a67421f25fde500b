"""Geometry of the tray: outline, perspective and millimetres, from four markers or from four corners.

The markers' places are unknown, but each is a square of known size on one plane. Homography, places and
a first estimate of the lens's bend are found together by least squares (Levenberg-Marquardt); no other
measure of the tray is needed.
"""

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import Lens
from calibration.markers import Markers, find_markers
from calibration.target import MARKER_MM, MARKER_QUIET_MM
from messages.errors import BadInputError

Array = NDArray[np.float64]
USUAL_FOCAL = 0.85
"""Focal length in picture widths of a usual webcam (about 61 degrees), where it cannot be known."""
FOCAL_DOUBT = 0.008
"""Error of the two equations that tell the focal length against the spread of focal lengths there are."""
NOISE_PX = 0.15
"""Error of a marker's corner."""
BEND_SPREAD = 0.12
"""Usual distortion of lenses: displacement at the picture's corner as a share of its distance."""
BEYOND = 0.02
"""Share of the picture's width by which a corner may be dragged beyond its edge."""
MISFIT_PX = 2.0
"""Markers that fit worse than this are not flat, or not of the size that was printed."""


@dataclass(frozen=True, slots=True, eq=False)
class TrayFound:
    """The tray in a picture.

    outline: four corners of its floor, pixels, clockwise from the top left one. size_mm: width and depth.
    to_mm: (3, 3) from straight pixels to mm on the floor (origin in the middle, x right, y down).
    mm_per_px: on the floor, in the middle. focal_px: of the camera, perhaps only a guess. lens: what
    was known or could be measured of the bend.
    """

    outline: Array
    size_mm: tuple[float, float]
    to_mm: Array
    mm_per_px: float
    focal_px: float
    lens: Lens | None

    @property
    def height_mm(self) -> float:
        """Approximate height of the lens above the floor."""
        return self.focal_px * self.mm_per_px

    def mm_per_px_at(self, height_mm: float) -> float:
        """Scale so high above the floor, such as on top of a die."""
        return self.mm_per_px * (1 - height_mm / self.height_mm)


def find_tray(
    image_bgr: NDArray[np.uint8], *, lens: Lens | None = None, marker_mm: float = MARKER_MM
) -> TrayFound:
    """The tray whose corners hold the four markers.

    lens: where it is known; else its bend is estimated along. marker_mm: edge of the printed markers.
    Raises BadInputError, as `find_markers` does, and when the markers do not fit together.
    """
    height, width = image_bgr.shape[:2]
    return from_markers(find_markers(image_bgr), (width, height), lens=lens, marker_mm=marker_mm)


def from_markers(
    markers: Markers,
    size_wh: tuple[int, int],
    *,
    lens: Lens | None = None,
    marker_mm: float = MARKER_MM,
    quiet_mm: float = MARKER_QUIET_MM,
) -> TrayFound:
    """Find the tray as `find_tray` does, from markers already detected.

    quiet_mm: of the white round them (the paper's corner lies in the tray's corner).
    """
    at_px = markers.corners.reshape(-1, 2)
    straight = at_px if lens is None else lens.straightened(at_px)
    fit = _Fit(straight.reshape(4, 4, 2), size_wh, marker_mm, bend=lens is None)
    unknown, misfit = fit.solve()
    if misfit > MISFIT_PX:
        raise BadInputError("calibration/marker/misfit", misfit=misfit)
    bend = lens if lens is not None else _bend_lens(float(unknown[-1]), size_wh)
    places = fit.places(unknown)
    # The paper's corner is as far beyond the black corner as its white is wide, along both edges.
    grown = places.mean(1, keepdims=True) + (places - places.mean(1, keepdims=True)) * (
        1 + 2 * quiet_mm / marker_mm
    )
    floor = grown[np.arange(4), markers.outer]
    return _centred(floor, fit.homography(unknown), size_wh, bend)


def from_corners(
    corners_px: Array, width_mm: float, size_wh: tuple[int, int], lens: Lens | None = None
) -> TrayFound:
    """The tray whose four corners were dragged on the picture, clockwise from the top left, and its width.

    Raises BadInputError when the corners are not those of a tray or the width cannot be.
    """
    corners = np.asarray(corners_px, np.float64)
    ring = corners.astype(np.float32)
    if corners.shape != (4, 2) or not cv2.isContourConvex(ring):
        raise BadInputError("calibration/not_corners")
    margin = BEYOND * size_wh[0]
    if not ((corners >= -margin) & (corners <= np.array(size_wh) + margin)).all():
        raise BadInputError("calibration/corner_outside")
    area = cv2.contourArea(ring, oriented=True)
    if area < 0:  # the width would be taken for the depth
        raise BadInputError("calibration/corners_turned")
    if area < 0.01 * size_wh[0] * size_wh[1]:
        raise BadInputError("calibration/corners_close")
    if not 30 <= width_mm <= 5000:
        raise BadInputError("calibration/width", width=f"{width_mm:g}")
    straight = corners if lens is None else lens.straightened(corners)
    unit = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
    square = cv2.getPerspectiveTransform(unit.astype(np.float32), straight.astype(np.float32)).astype(
        np.float64
    )
    middle, focal = _camera(square, size_wh, lens, metric=False)
    camera = np.array([[focal, 0, middle[0]], [0, focal, middle[1]], [0, 0, 1]])
    rays = np.linalg.inv(camera) @ square
    depth_mm = width_mm * float(np.linalg.norm(rays[:, 1]) / np.linalg.norm(rays[:, 0]))
    floor = unit * [width_mm, depth_mm]
    to_px, _ = cv2.findHomography(floor, straight)
    return _centred(floor, np.asarray(to_px, np.float64), size_wh, lens)


def _centred(floor: Array, to_px: Array, size_wh: tuple[int, int], lens: Lens | None) -> TrayFound:
    """Put the origin in the middle of the four floor points, x along their upper edge."""
    across = floor[1] - floor[0] + floor[2] - floor[3]
    angle = math.atan2(across[1], across[0])
    c, s = math.cos(angle), math.sin(angle)
    middle = floor.mean(0)
    back = np.array([[c, -s, middle[0]], [s, c, middle[1]], [0, 0, 1]])
    to_px = to_px @ back
    own = (floor - middle) @ np.array([[c, -s], [s, c]])
    width = (np.linalg.norm(own[1] - own[0]) + np.linalg.norm(own[2] - own[3])) / 2
    depth = (np.linalg.norm(own[3] - own[0]) + np.linalg.norm(own[2] - own[1])) / 2
    straight = carried(to_px, own)
    outline = straight if lens is None else lens.bent(straight)
    _, focal = _camera(to_px, size_wh, lens)
    return TrayFound(
        outline=outline,
        size_mm=(float(width), float(depth)),
        to_mm=np.linalg.inv(to_px) / np.linalg.inv(to_px)[2, 2],
        mm_per_px=scale_mm(to_px),
        focal_px=focal,
        lens=lens,
    )


def carried(matrix: Array, points: Array) -> Array:
    """Points (n, 2) through a homography (3, 3)."""
    rays = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    return np.asarray(rays[:, :2] / rays[:, 2:], np.float64)


def scale_mm(to_px: Array) -> float:
    """Millimetres to a pixel at the origin of a plane (mm to pixels): the root of the area's scale."""
    step = 0.5
    corners = carried(to_px, np.array([[-step, -step], [step, -step], [step, step], [-step, step]]))
    return float(1 / math.sqrt(cv2.contourArea(corners.astype(np.float32))))


def _camera(
    to_px: Array, size_wh: tuple[int, int], lens: Lens | None, *, metric: bool = True
) -> tuple[tuple[float, float], float]:
    """Principal point and focal length: the lens's, else what the perspective tells, else the usual.

    metric: whether the plane's two axes are known to have one scale.
    """
    if lens is not None and lens.error_px > 0:
        return lens.middle, lens.focal[0]
    middle = ((size_wh[0] - 1) / 2, (size_wh[1] - 1) / 2)
    usual = USUAL_FOCAL * size_wh[0]
    rays = np.array([[1, 0, -middle[0]], [0, 1, -middle[1]], [0, 0, usual]]) @ to_px
    one, two = rays[:, 0], rays[:, 1]
    # The columns of K^-1 H are at right angles and of one length (Zhang, "A flexible new technique for
    # camera calibration", 2000). With w = (usual focal / focal)^2 these are two equations u w + l = 0.
    # Seen from straight above they say nothing, so the usual focal length, w = 1, stands beside them.
    upper = np.array([one[:2] @ two[:2], one[:2] @ one[:2] - two[:2] @ two[:2]])
    lower = np.array([one[2] * two[2], one[2] ** 2 - two[2] ** 2])
    if not metric:  # only the right angle is known, and by hand it is known less exactly
        upper[1] = lower[1] = 0.0
    doubt = FOCAL_DOUBT if metric else 8 * FOCAL_DOUBT
    prior = (doubt * float(one[:2] @ one[:2])) ** 2
    share = (prior - upper @ lower) / (prior + upper @ upper)
    return middle, usual / math.sqrt(min(max(float(share), 0.3), 3.0))


def _bend_lens(bend: float, size_wh: tuple[int, int]) -> Lens | None:
    """The estimated bend as a lens; None where it moves no point by a third of a pixel."""
    radius = math.hypot(*size_wh) / 2
    if abs(bend) * radius < 0.3:
        return None
    focal = USUAL_FOCAL * size_wh[0]
    middle = ((size_wh[0] - 1) / 2, (size_wh[1] - 1) / 2)
    return Lens(size_wh, (focal, focal), middle, (bend * (focal / radius) ** 2, 0.0, 0.0, 0.0, 0.0))


class _Fit:
    """The least-squares problem.

    Unknown: eight numbers of the homography from the plane of marker 0 (mm) to straight pixels, x, y and
    turn of the markers 1-3 in that plane, and the bend.
    """

    def __init__(self, at_px: Array, size_wh: tuple[int, int], marker_mm: float, *, bend: bool) -> None:
        self._radius = math.hypot(*size_wh) / 2
        self._middle = np.array([(size_wh[0] - 1) / 2, (size_wh[1] - 1) / 2])
        self._corners = (at_px - self._middle) / self._radius  # of order 1, so that all unknowns weigh alike
        half = marker_mm / 2
        self._unit = half * 6
        self._square = np.array([[-half, -half], [half, -half], [half, half], [-half, half]]) / self._unit
        self._bend = bend

    def solve(self) -> tuple[Array, float]:
        """The unknowns, and the root mean square misfit in pixels."""
        return min((self._refined(start) for start in self._starts()), key=lambda pair: pair[1])

    def places(self, unknown: Array) -> Array:
        """Corners of the four markers in the plane, (4, 4, 2) mm."""
        return self._places(unknown) * self._unit

    def homography(self, unknown: Array) -> Array:
        """The homography from the plane (mm) to undistorted pixels, (3, 3)."""
        inner = np.append(unknown[:8], 1.0).reshape(3, 3)
        shrink = np.diag([1 / self._unit, 1 / self._unit, 1.0])
        grow = np.array([[self._radius, 0, self._middle[0]], [0, self._radius, self._middle[1]], [0, 0, 1]])
        return np.asarray(grow @ inner @ shrink, np.float64)

    def _places(self, unknown: Array) -> Array:
        squares = [self._square]
        for number in range(3):
            x, y, turn = unknown[8 + 3 * number : 11 + 3 * number]
            c, s = math.cos(turn), math.sin(turn)
            squares.append(self._square @ np.array([[c, s], [-s, c]]) + [x, y])
        return np.stack(squares)

    def _residuals(self, unknown: Array) -> Array:
        ideal = carried(np.append(unknown[:8], 1.0).reshape(3, 3), self._places(unknown).reshape(-1, 2))
        bend = unknown[-1] if self._bend else 0.0
        at_px = ideal * (1 + bend * (ideal * ideal).sum(1, keepdims=True))
        misfit = (at_px - self._corners.reshape(-1, 2)).ravel()
        prior = unknown[-1] / BEND_SPREAD * (NOISE_PX / self._radius)
        return np.append(misfit, prior)

    def _starts(self) -> list[Array]:
        """A plane seen straight from above, and the one that marker 0 alone tells."""
        starts: list[Array] = []
        sides = np.linalg.norm(self._corners - np.roll(self._corners, 1, axis=1), axis=2).mean()
        scale = float(sides) / (2 * abs(self._square[0, 0]))
        first = self._corners[0]
        ahead = first[1] - first[0]
        turn = math.atan2(ahead[1], ahead[0])
        c, s = math.cos(turn) * scale, math.sin(turn) * scale
        above = np.array([[c, -s, first.mean(0)[0]], [s, c, first.mean(0)[1]], [0, 0, 1]])
        alone = cv2.getPerspectiveTransform(self._square.astype(np.float32), first.astype(np.float32))
        for plane in (above, np.asarray(alone, np.float64)):
            unknown = np.zeros(18)
            unknown[:8] = (plane / plane[2, 2]).ravel()[:8]
            back = np.linalg.inv(plane)
            for number in range(3):
                ring = carried(back, self._corners[number + 1])
                edge = ring[1] - ring[0]
                unknown[8 + 3 * number : 11 + 3 * number] = [*ring.mean(0), math.atan2(edge[1], edge[0])]
            starts.append(unknown)
        return starts

    def _refined(self, unknown: Array) -> tuple[Array, float]:
        damping = 1e-3
        residuals = self._residuals(unknown)
        for _ in range(80):
            slope = np.empty((len(residuals), len(unknown)))
            for index in range(len(unknown)):
                step = np.zeros(len(unknown))
                step[index] = 1e-6
                slope[:, index] = (self._residuals(unknown + step) - self._residuals(unknown - step)) / 2e-6
            normal = slope.T @ slope
            change = np.linalg.solve(
                normal + damping * np.diag(np.diag(normal) + 1e-12), -slope.T @ residuals
            )
            tried = self._residuals(unknown + change)
            if np.isfinite(tried).all() and tried @ tried < residuals @ residuals:
                gain = residuals @ residuals - tried @ tried
                unknown, residuals, damping = unknown + change, tried, damping / 4
                if gain < 1e-14:
                    break
            else:
                damping *= 6
                if damping > 1e8:
                    break
        misfit = residuals[:-1]
        return unknown, float(np.sqrt((misfit @ misfit) / len(misfit) * 2)) * self._radius
