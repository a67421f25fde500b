"""The four printed markers in a picture, to a fraction of a pixel."""

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.target import MARKERS
from messages.errors import BadInputError
from messages.message import Message

BLURRED = 0.085
"""An edge that takes more than this share of a marker's side to rise is out of focus."""


BLURRED_PX = 4.5
"""A sharp edge is a large share of a small marker: it must also be wider than a lens in focus makes it."""
GAMMA = 2.2
"""Blur mixes light before the camera codes it; edges found in coded values make black squares too small."""
SAMPLES = 24
"""Places along each side where its edge is measured."""


class Markers(NamedTuple):
    """corners: (4, 4, 2) pixels: of the markers 0-3 their corners, clockwise from the marker's own top left.

    outer: (4,) which of its corners points away from the tray's middle.
    """

    corners: NDArray[np.float64]
    outer: NDArray[np.int64]


def find_markers(image_bgr: NDArray[np.uint8]) -> Markers:
    """The markers 0-3, clockwise as they lie. image_bgr: (h, w, 3) uint8 BGR.

    Raises BadInputError that says which marker is missing, double, blurred or in the wrong corner, or that
    all are mirrored.
    """
    grey = np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), np.uint8)
    found = _detected(grey)
    for number in range(4):
        if len(found.get(number, ())) > 1:
            raise BadInputError("calibration/marker/twice", number=number)
    # Blur first: it also makes markers vanish, so it is reported first.
    for number, rings in sorted(found.items()):
        width = _edge_width(grey, rings[0])
        side_px = float(np.linalg.norm(rings[0] - np.roll(rings[0], 1, axis=0), axis=1).mean())
        if width > BLURRED and width * side_px > BLURRED_PX:
            raise BadInputError("calibration/marker/blurred", number=number)
    missing = [number for number in range(4) if number not in found]
    if len(missing) == 4:
        mirrored = _searched(np.asarray(cv2.flip(grey, 1), np.uint8), 1, thorough=False)
        if len(mirrored) > 1:
            raise BadInputError("calibration/marker/mirrored")
        raise BadInputError("calibration/marker/none")
    if missing:
        names = tuple(Message(f"calibration/corner/{number}") for number in missing)
        raise BadInputError("calibration/marker/missing", markers=names)
    corners = np.stack([found[number][0] for number in range(4)])
    light = np.asarray((grey / np.float32(255)) ** np.float32(GAMMA), np.float32)
    corners = np.stack([_sharpened(light, ring) for ring in corners])
    middles = corners.mean(1)
    turns = [_turn(middles[i], middles[(i + 1) % 4], middles[(i + 2) % 4]) for i in range(4)]
    if min(turns) <= 0:
        raise BadInputError("calibration/marker/wrong_corners")
    away = np.linalg.norm(corners - middles.mean(0), axis=2)
    return Markers(corners, away.argmax(1))


def left_lying(image_bgr: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Middles (n, 2) in pixels of all markers that a quick look finds, however they lie."""
    grey = np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), np.uint8)
    rings = [ring.mean(0) for several in _searched(grey, 1, thorough=False).values() for ring in several]
    return np.array(rings, np.float64).reshape(-1, 2)


def seen_markers(image_bgr: NDArray[np.uint8]) -> dict[int, NDArray[np.float64]]:
    """Corners (4, 2) in pixels, by number, of the markers that a quick look finds; of two alike the first."""
    grey = np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), np.uint8)
    return {number: rings[0] for number, rings in sorted(_searched(grey, 1, thorough=False).items())}


def _detected(grey: NDArray[np.uint8]) -> dict[int, list[NDArray[np.float64]]]:
    """Rings of corners (4, 2) by number. What the quick look misses is searched for more thoroughly."""
    found = _searched(grey, 1, thorough=False)
    for scale in (1, 2) if len(found) < 4 else ():
        for number, rings in _searched(grey, scale, thorough=True).items():
            found.setdefault(number, rings)
    return found


def _searched(grey: NDArray[np.uint8], scale: int, *, thorough: bool) -> dict[int, list[NDArray[np.float64]]]:
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    settings.cornerRefinementWinSize = 5
    settings.relativeCornerRefinmentWinSize = 0.25
    settings.cornerRefinementMaxIterations = 60
    settings.cornerRefinementMinAccuracy = 0.005
    settings.minMarkerPerimeterRate = 0.015
    if thorough:
        settings.adaptiveThreshWinSizeMax = 63
        settings.adaptiveThreshWinSizeStep = 6
        settings.adaptiveThreshConstant = 5
        settings.perspectiveRemovePixelPerCell = 8
        settings.polygonalApproxAccuracyRate = 0.05
    enlarged = grey
    if scale > 1:
        enlarged = np.asarray(
            cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC), np.uint8
        )
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(MARKERS), settings)
    every, ids, _ = detector.detectMarkers(enlarged)
    found: dict[int, list[NDArray[np.float64]]] = {}
    for ring, number in zip(every, [] if ids is None else ids.ravel().tolist(), strict=True):
        if number < 4:
            # The middle of pixel 0 lies half a pixel from the edge, at any scale.
            corners = (np.asarray(ring, np.float64).reshape(4, 2) + 0.5) / scale - 0.5
            found.setdefault(int(number), []).append(corners)
    return found


def _sharpened(light: NDArray[np.float32], corners: NDArray[np.float64]) -> NDArray[np.float64]:
    """The corners (4, 2) again, as the crossings of straight lines through the measured edges.

    light: (h, w) float32, linear. The place of an edge is the centroid of the rise across it, which no
    symmetric blur moves.
    """
    lines = [_edge(light, corners[side], corners[(side + 1) % 4]) for side in range(4)]
    crossings = [np.cross(lines[side - 1], lines[side]) for side in range(4)]
    fine = np.array([crossing[:2] / crossing[2] for crossing in crossings])
    side_px = float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean())
    moved = float(np.linalg.norm(fine - corners, axis=1).max())
    return fine if np.isfinite(moved) and moved < 0.08 * side_px + 1 else corners


def _edge(
    light: NDArray[np.float32], start: NDArray[np.float64], end: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The line (a, b, c: a x + b y + c = 0) of the marker's side from start to end."""
    length = float(np.linalg.norm(end - start))
    ahead = (end - start) / length
    out = np.array([ahead[1], -ahead[0]])  # corners run clockwise, so the white is to the left
    reach = min(max(2.5, 0.10 * length), 0.14 * length)  # a cell, black inside and white outside, is a sixth
    shares = np.linspace(0.1, 0.9, SAMPLES)
    offsets = np.linspace(-reach, reach, 33)
    places = start + shares[:, None, None] * (end - start) + offsets[None, :, None] * out
    grid = places.astype(np.float32)
    profile = cv2.remap(light, grid[..., 0], grid[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    rise = np.maximum(np.diff(profile, axis=1), 0)
    # Noise far from the edge must not pull: only what rises by a tenth of the steepest counts.
    rise[rise < 0.1 * rise.max(1, keepdims=True)] = 0
    between = (offsets[1:] + offsets[:-1]) / 2
    found = (rise * between).sum(1) / np.maximum(rise.sum(1), 1e-6)
    along = shares * length
    keep = np.ones(SAMPLES, np.bool_)
    slope, base = 0.0, 0.0
    for _ in range(3):
        slope, base = np.polyfit(along[keep], found[keep], 1)
        off = np.abs(found - (slope * along + base))
        keep = off <= max(2.5 * float(np.median(off)), 0.05)
    one = start + base * out
    other = end + (slope * length + base) * out
    return np.asarray(np.cross(np.append(one, 1.0), np.append(other, 1.0)), np.float64)


def _turn(one: NDArray[np.float64], two: NDArray[np.float64], three: NDArray[np.float64]) -> float:
    """Positive when the way over three points turns clockwise in the picture."""
    ahead, then = two - one, three - two
    return float(ahead[0] * then[1] - ahead[1] * then[0])


def _edge_width(grey: NDArray[np.uint8], corners: NDArray[np.float64]) -> float:
    """Width of the marker's sharpest edges, as a share of its side."""
    side = 96
    margin = 12
    goal = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32) + np.float32(margin)
    change = cv2.getPerspectiveTransform(corners.astype(np.float32), goal)
    flat = cv2.warpPerspective(grey, change, (side + 2 * margin, side + 2 * margin)).astype(np.float32)
    low, high = np.percentile(flat, (10, 90))
    across = np.abs(cv2.Sobel(flat, cv2.CV_32F, 1, 0, scale=1 / 8))
    steepest = float(np.percentile(across, 98))
    return float(high - low) / max(steepest, 1e-3) / side
