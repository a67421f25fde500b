"""Whether the camera still looks at the tray as it did: shift and turn against the empty-tray reference.

Points of strong structure are chosen in the empty tray (so no die is among them) and followed into the
current picture; dice and hands only hide some. A similarity is fitted to what the rest agrees on.
"""

import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.outline import inside
from messages.message import Message

Grey = NDArray[np.uint8]
POINTS_MOST = 160
POINTS_LEAST = 10
"""Fewer points than this that agree are no evidence."""
WIDTH_PX = 960
"""Pictures are compared at this width at most: sub-pixel matching loses nothing and is fast."""
BACK_AND_FORTH_PX = 0.35
"""A point that does not come back to where it started was not followed but lost."""
AGREE_PX = 0.8
BUMPED_PX = 1.0
"""Movement (at the reference's full size) that counts as a bump, anywhere in the picture's inner half."""
BUMPED_DEG = 0.2
"""Turn that counts as one; in a small picture it moves less than BUMPED_PX."""
DARK = 40.0
"""Grey (0-255) that nearly all of a picture without light stays below; what differs there is noise."""
FOLLOW_PX = 25.0
"""Up to this movement the profile follows by itself."""
IN_A_ROW = 3
"""Comparisons that have to agree."""


class MovementKind(StrEnum):
    """The results of a comparison."""

    SAME = "same"
    BUMPED = "bumped"
    TRAY_MOVED = "tray_moved"
    LOST = "lost"
    HIDDEN = "hidden"


@dataclass(frozen=True, slots=True, eq=False)
class Movement:
    """The movement of the picture against the reference.

    change: (2, 3), takes pixels of the reference to those of the picture. shift_px: of the picture's
    middle. turn_deg: clockwise as seen. most_px: largest movement within the inner half of the picture.
    points: how many agree; tried: how many could have.
    """

    kind: MovementKind
    change: NDArray[np.float64]
    shift_px: float
    turn_deg: float
    most_px: float
    points: int
    tried: int

    @property
    def small(self) -> bool:
        """Whether the profile may follow by itself."""
        return self.kind in {MovementKind.BUMPED, MovementKind.TRAY_MOVED} and self.most_px <= FOLLOW_PX

    @property
    def message(self) -> Message:
        """The movement in words, and what to do."""
        turned = self.kind is MovementKind.BUMPED and abs(self.turn_deg) >= 0.1
        key = f"calibration/movement/{'turned' if turned else self.kind.value}"
        return Message(key, pixels=self.most_px, degrees=abs(self.turn_deg))


class Reference:
    """The picture of the empty tray that others are compared with.

    image_bgr: (h, w, 3) uint8 BGR. outline: corners of the tray's floor in pixels; with it, a tray that was
    moved is distinguished from a camera that was bumped.
    """

    def __init__(
        self, image_bgr: NDArray[np.uint8], outline: Sequence[tuple[float, float]] | None = None
    ) -> None:
        self.size_wh = (image_bgr.shape[1], image_bgr.shape[0])
        self._scale = min(1.0, WIDTH_PX / image_bgr.shape[1])
        self._grey = _prepared(image_bgr, self._scale)
        self._points = _chosen(self._grey)
        self._outline = None if outline is None else _widened(np.array(outline) * self._scale)

    @property
    def points(self) -> int:
        """Number of points that can be followed; below POINTS_LEAST bumps cannot be detected."""
        return len(self._points)

    def compare(self, image_bgr: NDArray[np.uint8]) -> Movement:
        """Compare a picture of the same size with the reference (about 10 ms)."""
        now = _prepared(image_bgr, self._scale)
        still = np.array([[1.0, 0, 0], [0, 1, 0]])
        if len(self._points) < POINTS_LEAST or image_bgr.shape[1::-1] != self.size_wh:
            return Movement(MovementKind.HIDDEN, still, 0.0, 0.0, 0.0, 0, len(self._points))
        start, end = _followed(self._grey, now, self._points)
        apart = self._tray_apart(start, end)
        if apart is not None:
            return apart
        fit = _fitted(start, end)
        if fit is not None:
            return self._judged(*fit)
        points = len(start) if len(start) < POINTS_LEAST else 0
        return self._without(now, points, dark=_dark(image_bgr))

    def _tray_apart(self, start: NDArray[np.float32], end: NDArray[np.float32]) -> Movement | None:
        """The movement of the tray, when it differs from that of its surroundings; else None."""
        if self._outline is None:
            return None
        floor = np.array([inside(self._outline, x, y) for x, y in start], np.bool_)
        tray, table = (_fitted(start[part], end[part]) for part in (floor, ~floor))
        if tray is None or table is None:
            return None
        middle = np.append(self._outline.reshape(-1, 2).mean(0), 1.0)
        if float(np.linalg.norm((tray[0] - table[0]) @ middle)) / self._scale < 2 * BUMPED_PX:
            return None
        found = self._judged(*tray)
        return replace(found, kind=MovementKind.TRAY_MOVED)

    def _judged(self, change: NDArray[np.float64], points: int) -> Movement:
        change = change.copy()
        change[:, 2] /= self._scale
        width, height = self.size_wh
        inner = np.array(
            [[x, y, 1.0] for x in (0.25 * width, 0.75 * width) for y in (0.25 * height, 0.75 * height)]
        )
        moved = np.linalg.norm(inner @ change.T - inner[:, :2], axis=1)
        middle = np.array([width / 2, height / 2, 1.0])
        shift = float(np.linalg.norm(change @ middle - middle[:2]))
        turn = math.degrees(math.atan2(change[1, 0], change[0, 0]))
        most = float(moved.max())
        bumped = most > BUMPED_PX or abs(turn) > BUMPED_DEG
        standing = MovementKind.BUMPED if bumped else MovementKind.SAME
        return Movement(standing, change, shift, turn, most, points, len(self._points))

    def _without(self, now: Grey, points: int, *, dark: bool) -> Movement:
        """Too few points agree: either something hides them, or the picture is another one."""
        still = np.array([[1.0, 0, 0], [0, 1, 0]])
        before, after = (grey[::8, ::8].astype(np.float64) for grey in (self._grey, now))
        spread = float(before.std() * after.std())
        # A picture without any structure (lights out, lens covered) tells nothing about the camera.
        alike = (
            float(((before - before.mean()) * (after - after.mean())).mean()) / spread if spread > 1 else 1.0
        )
        standing = MovementKind.HIDDEN if dark or alike > 0.35 else MovementKind.LOST
        return Movement(standing, still, 0.0, 0.0, 0.0, points, len(self._points))


class MovementDetector:
    """Several comparisons together: one odd picture is no bump. Feed it a few pictures a second."""

    def __init__(self, reference: Reference) -> None:
        self._reference = reference
        self._recent: deque[Movement] = deque(maxlen=IN_A_ROW)

    def feed(self, image_bgr: NDArray[np.uint8]) -> Movement | None:
        """The result that the last pictures agree on: moved, tray lost, no change; None if they disagree."""
        now = self._reference.compare(image_bgr)
        if now.kind is MovementKind.HIDDEN:
            return None
        self._recent.append(now)
        if len(self._recent) < IN_A_ROW:
            return None
        if len({each.kind for each in self._recent}) != 1:
            return None
        spread = max(each.most_px for each in self._recent) - min(each.most_px for each in self._recent)
        return now if spread < 0.5 + 0.1 * now.most_px else None


def _prepared(image_bgr: NDArray[np.uint8], scale: float) -> Grey:
    """Grey, at the comparing size, its light evened out: a lamp that is switched on moves nothing."""
    grey = cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY)
    if scale < 1:
        grey = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    light = grey.astype(np.float32)
    mean = cv2.blur(light, (41, 41))
    # The running sums of blur may end a hair below 0 where all is dark.
    spread = np.sqrt(np.maximum(cv2.blur(np.square(light - mean), (41, 41)), 0)) + np.float32(6)
    return np.asarray(np.clip(128 + 42 * (light - mean) / spread, 0, 255), np.uint8)


def _dark(image_bgr: NDArray[np.uint8]) -> bool:
    """Whether there is no light; single pixels are averaged, for a sensor makes noise of its own then."""
    height, width = image_bgr.shape[:2]
    small_wh = (max(width // 16, 1), max(height // 16, 1))
    small = cv2.resize(image_bgr, small_wh, interpolation=cv2.INTER_AREA)
    grey = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)
    return float(np.percentile(grey, 99)) < DARK


def _chosen(grey: Grey) -> NDArray[np.float32]:
    """Corners spread over the picture, (n, 2): some in every field, so that none decides alone.

    Rim and table serve as well as the floor: they move with it unless the tray itself is moved.
    """
    height, width = grey.shape
    found = []
    for row in range(4):
        for column in range(5):
            y, x = row * height // 4, column * width // 5
            part = grey[y : y + height // 4, x : x + width // 5]
            spots = cv2.goodFeaturesToTrack(part, POINTS_MOST // 20, 0.05, 9, blockSize=7)
            if spots is not None:
                found.append(spots.reshape(-1, 2) + np.array([x, y]))
    points = np.concatenate(found) if found else np.empty((0, 2))
    margin = 12
    inside = (
        ((points >= margin) & (points <= [width - margin, height - margin])).all(1) if len(points) else []
    )
    return np.asarray(points[inside], np.float32)


def _fitted(start: NDArray[np.float32], end: NDArray[np.float32]) -> tuple[NDArray[np.float64], int] | None:
    """The similarity that most points agree on, and how many do; None when too few agree."""
    if len(start) < POINTS_LEAST:
        return None
    change, agree = cv2.estimateAffinePartial2D(
        start, end, method=cv2.RANSAC, ransacReprojThreshold=AGREE_PX, maxIters=800, confidence=0.995
    )
    points = 0 if agree is None else int(agree.sum())
    if change is None or points < max(POINTS_LEAST, 0.3 * len(start)):
        return None
    return _similarity(start[agree.ravel() > 0], end[agree.ravel() > 0]), points


def _widened(outline: NDArray[np.float64]) -> NDArray[np.float32]:
    """The outline with the tray's rim, (n, 1, 2)."""
    middle = outline.mean(0)
    return np.asarray(middle + (outline - middle) * 1.14, np.float32).reshape(-1, 1, 2)


def _followed(
    before: Grey, now: Grey, points: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Points and where they are now, those only that were surely followed."""
    there, good = _flow(before, now, points)
    back, good_back = _flow(now, before, there)
    sure = good & good_back & (np.abs(back - points).max(1) < BACK_AND_FORTH_PX)
    return points[sure], there[sure]


def _flow(
    before: Grey, now: Grey, points: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """The new positions of points (n, 2) (Lucas and Kanade, in a pyramid), and which points were found."""
    stop = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 30, 0.005)
    start = points.reshape(-1, 1, 2)
    there, good, _ = cv2.calcOpticalFlowPyrLK(
        before, now, start, start.copy(), winSize=(21, 21), maxLevel=3, criteria=stop
    )
    return np.asarray(there, np.float32).reshape(-1, 2), np.asarray(good).ravel() > 0


def _similarity(start: NDArray[np.float32], end: NDArray[np.float32]) -> NDArray[np.float64]:
    """The shift, turn and scale that fit best, (2, 3) (least squares; Umeyama 1991)."""
    one, other = start.astype(np.float64), end.astype(np.float64)
    a, b = one - one.mean(0), other - other.mean(0)
    norm = float((a * a).sum())
    c = float((a * b).sum()) / norm
    s = float((a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum()) / norm
    turn = np.array([[c, -s], [s, c]])
    return np.hstack([turn, (other.mean(0) - turn @ one.mean(0))[:, None]])
