"""Distortion of the lens: measured in views of a ChArUco board, and corrected."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray
from pydantic import AfterValidator, Field

from calibration.target import BOARD
from messages.errors import BadInputError
from messages.message import Message

VIEWS_LEAST = 6
VIEWS_GOOD = 12
CORNERS_LEAST = 8
"""Corners of the board that a view must show."""
SAME_POSE = 0.06
"""Two views whose boards differ by less than this share of the picture are one."""
GRID = (4, 3)
"""Fields of the picture, across and down, that the views should cover."""
OUTLIER = 3.0
"""A view with this many times the median error was held badly and is left out."""


Finite = Annotated[float, Field(strict=True, allow_inf_nan=False)]
Length = Annotated[Finite, Field(gt=0)]
Side = Annotated[int, Field(gt=0, lt=100_000)]


def _as_opencv_has_it(distortion: tuple[float, ...]) -> tuple[float, ...]:
    if len(distortion) not in (4, 5, 8):
        raise ValueError(distortion)
    return distortion


@dataclass(frozen=True, slots=True)
class Lens:
    """A pinhole with bent rays, as OpenCV has it.

    size_wh: pixels it holds for. focal: fx, fy. middle: cx, cy. distortion: k1, k2, p1, p2, k3.
    error_px: how far, on average (root mean square), the board's corners were from where they should be.
    """

    size_wh: tuple[Side, Side]
    focal: tuple[Length, Length]
    middle: tuple[Finite, Finite]
    distortion: Annotated[tuple[Finite, ...], AfterValidator(_as_opencv_has_it)]
    error_px: Finite = 0.0

    @property
    def matrix(self) -> NDArray[np.float64]:
        """The camera matrix K, (3, 3)."""
        return np.array(
            [[self.focal[0], 0, self.middle[0]], [0, self.focal[1], self.middle[1]], [0, 0, 1]], np.float64
        )

    def straightened(self, pixels: NDArray[np.float64]) -> NDArray[np.float64]:
        """The points (n, 2) of the picture as a lens without distortion would show them."""
        points = np.asarray(pixels, np.float64).reshape(-1, 1, 2)
        bends = np.array(self.distortion)
        stop = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 60, 1e-9)
        straight = cv2.undistortPointsIter(points, self.matrix, bends, np.eye(3), self.matrix, stop)
        return np.asarray(straight, np.float64).reshape(-1, 2)

    def bent(self, pixels: NDArray[np.float64]) -> NDArray[np.float64]:
        """The other way round: where ideal points (n, 2) appear in the picture."""
        ideal = np.column_stack([np.asarray(pixels, np.float64), np.ones(len(pixels))])
        rays = ideal @ np.linalg.inv(self.matrix).T
        still = np.zeros(3)
        seen, _ = cv2.projectPoints(rays, still, still, self.matrix, np.array(self.distortion))
        return np.asarray(seen, np.float64).reshape(-1, 2)

    def scaled(self, factor: float, size_wh: tuple[int, int]) -> "Lens":
        """The same lens for pictures larger by a factor. Pixel centres count from 0, hence the half."""
        return Lens(
            size_wh,
            (self.focal[0] * factor, self.focal[1] * factor),
            ((self.middle[0] + 0.5) * factor - 0.5, (self.middle[1] + 0.5) * factor - 0.5),
            self.distortion,
            self.error_px * factor,
        )

    def for_picture(self, size_wh: tuple[int, int]) -> "Lens":
        """The lens for pictures of that size: itself, or scaled where the shape is the same.

        Raises BadInputError for pictures of another shape.
        """
        if size_wh == self.size_wh:
            return self
        (width, height), (new_width, new_height) = self.size_wh, size_wh
        factor = new_width / width
        if abs(factor - new_height / height) > 0.002 * factor:
            raise BadInputError(
                "calibration/lens/other_shape",
                width=width,
                height=height,
                new_width=new_width,
                new_height=new_height,
            )
        return self.scaled(factor, size_wh)

    @property
    def message(self) -> Message:
        """The error as a person understands it."""
        how = "very_well" if self.error_px < 0.3 else "well_enough" if self.error_px < 0.8 else "not_well"
        return Message(f"calibration/lens/{how}", error=self.error_px)


class LensBoardView(NamedTuple):
    """The board as one picture shows it. world: (n, 2) mm on the board; pixels: (n, 2)."""

    world: NDArray[np.float64]
    pixels: NDArray[np.float64]


class LensProgress(NamedTuple):
    """Progress of the measurement. missing: fields of the picture (across, down) without a board so far."""

    views: int
    missing: tuple[tuple[int, int], ...]

    @property
    def enough(self) -> bool:
        """Whether solving is worth while."""
        return self.views >= VIEWS_GOOD and len(self.missing) <= 2

    @property
    def message(self) -> Message:
        """The next step, in words."""
        if self.enough:
            return Message("calibration/lens/enough")
        if self.missing:
            across, down = self.missing[0]
            where = Message(f"calibration/lens/across/{across}")
            height = Message(f"calibration/lens/down/{down}")
            return Message("calibration/lens/hold_board", count=self.views, where=where, height=height)
        return Message("calibration/lens/few_more", count=self.views)


def view_of(image_bgr: NDArray[np.uint8]) -> LensBoardView:
    """The board in a picture.

    Raises BadInputError when there is none, too little of it, or two of them.
    """
    grey = cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY)
    pattern = BOARD.opencv()
    corners, ids, _, marker_ids = cv2.aruco.CharucoDetector(pattern).detectBoard(grey)
    if marker_ids is not None and len({int(each) for each in np.ravel(marker_ids)}) < len(marker_ids):
        raise BadInputError("calibration/lens/two_boards")
    if ids is None or len(ids) < CORNERS_LEAST:
        raise BadInputError("calibration/lens/little_board")
    world, pixels = pattern.matchImagePoints(list(corners), ids)
    return LensBoardView(
        world.reshape(-1, 3)[:, :2].astype(np.float64), np.asarray(pixels, np.float64).reshape(-1, 2)
    )


def differs(view: LensBoardView, others: Sequence[LensBoardView], size_wh: tuple[int, int]) -> bool:
    """Whether a view tells something new: the board is elsewhere, or leans another way."""
    return all(_difference(view, other) > SAME_POSE * size_wh[0] for other in others)


def _difference(one: LensBoardView, other: LensBoardView) -> float:
    """The movement of the board's outline between two views, pixels."""
    spots = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * np.ptp(one.world, axis=0)
    first, second = (_carried(view, spots) for view in (one, other))
    return float(np.abs(first - second).max())


def _carried(view: LensBoardView, spots: NDArray[np.float64]) -> NDArray[np.float64]:
    change, _ = cv2.findHomography(view.world, view.pixels)
    if change is None:
        return np.full(spots.shape, np.inf)
    rays = np.column_stack([spots, np.ones(len(spots))]) @ change.T
    return np.asarray(rays[:, :2] / rays[:, 2:], np.float64)


def progress(views: Sequence[LensBoardView], size_wh: tuple[int, int]) -> LensProgress:
    """The progress with these views, and the parts of the picture that are missing."""
    covered = set()
    for view in views:
        fields = view.pixels / size_wh * GRID
        covered |= {(int(across), int(down)) for across, down in fields}
    every = [(across, down) for down in range(GRID[1]) for across in range(GRID[0])]
    return LensProgress(len(views), tuple(field for field in every if field not in covered))


def solve(views: Sequence[LensBoardView], size_wh: tuple[int, int]) -> Lens:
    """The lens that explains the views best; views that were held badly are left out.

    Raises BadInputError when there are too few, or too few that differ.
    """
    different: list[LensBoardView] = []
    for view in views:
        if differs(view, different, size_wh):
            different.append(view)
    if len(different) < VIEWS_LEAST:
        raise BadInputError(
            "calibration/lens/few_views",
            views=len(views),
            kept=len(different),
            least=VIEWS_LEAST,
            enough=VIEWS_GOOD,
        )
    lens, errors = _solved(different, size_wh)
    good = [
        view for view, error in zip(different, errors, strict=True) if error <= OUTLIER * np.median(errors)
    ]
    if VIEWS_LEAST <= len(good) < len(different):
        lens, _ = _solved(good, size_wh)
    return lens


def _solved(views: Sequence[LensBoardView], size_wh: tuple[int, int]) -> tuple[Lens, list[float]]:
    worlds = [np.column_stack([view.world, np.zeros(len(view.world))]).astype(np.float32) for view in views]
    pixels = [view.pixels.astype(np.float32).reshape(-1, 1, 2) for view in views]
    # Square pixels and no sideways bend: what a dozen hand-held views cannot tell is better not guessed.
    flags = cv2.CALIB_FIX_ASPECT_RATIO | cv2.CALIB_ZERO_TANGENT_DIST | cv2.CALIB_FIX_K3
    start = np.array(
        [[size_wh[0], 0, size_wh[0] / 2], [0, size_wh[0], size_wh[1] / 2], [0, 0, 1]], np.float64
    )
    flags |= cv2.CALIB_USE_INTRINSIC_GUESS
    error, matrix, bends, _, _, _, _, each = cv2.calibrateCameraExtended(
        worlds, pixels, size_wh, start, np.zeros(5), flags=flags
    )
    lens = Lens(
        size_wh,
        (float(matrix[0, 0]), float(matrix[1, 1])),
        (float(matrix[0, 2]), float(matrix[1, 2])),
        tuple(float(value) for value in np.ravel(bends)[:5]),
        float(error),
    )
    return lens, [float(value) for value in np.ravel(each)]
