"""Faults of light and picture, and their remedies."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.outline import Points, area
from calibration.profile import LightFigures
from messages.errors import BadInputError
from messages.message import Message

DARK = 60.0
"""Mean of the brightest quarter of the tray below which it is too dark."""
BURNT = 250
BURNT_SHARE = 0.01
GLARE_SHARE = 0.002
"""Share of the tray: a larger overexposed spot, on a tray that is not white, is the reflection of a lamp."""
UNEVEN = 2.2
"""Brightest against darkest part of the tray."""
SHADOW_STEP = 0.35
"""A step of brightness across the tray, as a share of its mean, that is a strong shadow."""
FLICKER = 0.02
"""Change of mean brightness from frame to frame, as a share, that is the mains."""
DIE_PX_LEAST = 26.0
SOFT = 3.3
"""Rise of the sharpest edges in pixels, beyond which the picture is out of focus (in focus: 1.8 to 2.7)."""


class Complaint(StrEnum):
    """The faults of light and picture."""

    DARK = "dark"
    BURNT = "burnt"
    GLARE = "glare"
    FLICKER = "flicker"
    SHADOW = "shadow"
    UNEVEN = "uneven"
    UNSHARP = "unsharp"
    SMALL = "small"

    @property
    def messages(self) -> tuple[Message, Message]:
        """The fault and its remedy, in words."""
        return Message(f"calibration/complaint/{self}"), Message(f"calibration/remedy/{self}")


@dataclass(frozen=True, slots=True)
class LightReport:
    """The faults found. complaints: the worst first. spots: centres of overexposed spots, pixels.

    dim: outlines in pixels of the darker parts, where the light is uneven or a shadow lies.
    """

    complaints: tuple[Complaint, ...]
    figures: LightFigures
    spots: tuple[tuple[float, float], ...] = ()
    dim: tuple[Points, ...] = ()

    @property
    def good(self) -> bool:
        """Whether there are no complaints."""
        return not self.complaints

    @property
    def messages(self) -> tuple[Message, ...]:
        """Two sentences for each complaint; one of praise when there is none."""
        if self.good:
            return (Message("calibration/light/good"),)
        return tuple(message for each in self.complaints for message in each.messages)


def inspect(
    frames: Sequence[NDArray[np.uint8]],
    outline: Sequence[tuple[float, float]] | None = None,
    die_px: float | None = None,
) -> LightReport:
    """Judge some frames of the empty tray that follow each other. frames: (h, w, 3) uint8 BGR, at least one.

    outline: of the tray, pixels; without it the whole picture counts. die_px: edge of a die.
    Raises BadInputError when nothing of the tray is in the picture.
    """
    image = frames[-1]
    mask = _inside(image, outline)
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    seen = grey[mask > 0]
    bright = float(np.percentile(seen, 87))
    burnt = (grey >= BURNT) & (mask > 0)
    share = float(burnt.sum()) / max(len(seen), 1)
    spots = _spots(burnt)
    # A burnt spot has its own complaint; it must not pass for the edge of a shadow as well.
    near_spots = cv2.dilate(burnt.astype(np.uint8), np.ones((33, 33), np.uint8))
    smooth, weight = _blurred(grey, np.where(near_spots > 0, 0, mask).astype(np.uint8))
    usual = float(np.median(seen))
    complaints = []
    if bright < DARK:
        complaints.append(Complaint.DARK)
    # A white tray may come close to white; what is burnt in a darker one mirrors a lamp.
    if share > GLARE_SHARE and spots and usual < 190:
        complaints.append(Complaint.GLARE)
    elif share > BURNT_SHARE:
        complaints.append(Complaint.BURNT)
    if len(frames) >= 4 and _flicker(frames) > FLICKER:
        complaints.append(Complaint.FLICKER)
    inner = smooth[weight > 0.6]
    if inner.size and bright >= DARK:
        low, high = np.percentile(inner, (3, 97))
        light_low, light_high = ((max(float(value), 1.0) / 255) ** 2.2 for value in (low, high))
        if _step(smooth, weight) > SHADOW_STEP:
            complaints.append(Complaint.SHADOW)
        elif light_high / light_low > UNEVEN:
            complaints.append(Complaint.UNEVEN)
    if bright >= DARK and rise_px(grey) > SOFT:
        complaints.append(Complaint.UNSHARP)
    if die_px is not None and die_px < DIE_PX_LEAST:
        complaints.append(Complaint.SMALL)
    shaded = bool({Complaint.SHADOW, Complaint.UNEVEN} & set(complaints))
    size_wh = (image.shape[1], image.shape[0])
    return LightReport(
        tuple(complaints), figures(image, mask), spots, _dim_parts(smooth, weight, size_wh) if shaded else ()
    )


def figures(image_bgr: NDArray[np.uint8], mask: NDArray[np.uint8] | None = None) -> LightFigures:
    """The light in three numbers."""
    chosen = image_bgr if mask is None else image_bgr[mask > 0]
    blue, green, red = (float(value) for value in chosen.reshape(-1, 3).mean(0))
    grey = cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY).astype(np.float32)
    # The second difference along x of pure noise has six times its variance (Immerkaer's idea, 1996);
    # the median leaves edges out.
    fine = np.abs(grey[:, 2:] - 2 * grey[:, 1:-1] + grey[:, :-2])
    noise = float(np.median(fine)) / 0.6745 / 6**0.5
    return LightFigures(
        round(0.114 * blue + 0.587 * green + 0.299 * red, 1), round(red / max(blue, 1.0), 3), round(noise, 2)
    )


def changed(made_in: LightFigures, now: LightFigures) -> Message | None:
    """The change of the light since the profile was made, in words; None if it is small."""
    if now.brightness < 0.55 * made_in.brightness:
        return Message("calibration/light/darker")
    if now.brightness > 1.6 * made_in.brightness + 10:
        return Message("calibration/light/brighter")
    if not 0.7 < now.warmth / max(made_in.warmth, 1e-3) < 1.43:
        return Message("calibration/light/colour")
    return None


def rise_px(grey: NDArray[np.uint8]) -> float:
    """Width of the sharpest edges, pixels; 0 if there are no edges."""
    light = grey.astype(np.float32)
    near = np.abs(light[:, 2:] - light[:, :-2]) / 2
    far = np.abs(light[:, 8:] - light[:, :-8])
    contrast = np.asarray(cv2.dilate(far, np.ones((1, 5), np.uint8)), np.float32)
    steep = cv2.dilate(near[:, 3:-3], np.ones((1, 9), np.uint8))
    edges = contrast > max(40.0, float(np.percentile(contrast, 99)) * 0.5)
    if int(edges.sum()) < 50:
        return 0.0
    # A step of height h, blurred to width w, is nowhere steeper than about h / w.
    return float(np.percentile(contrast[edges] / np.maximum(steep[edges], 1e-3), 15))


def _inside(image: NDArray[np.uint8], outline: Sequence[tuple[float, float]] | None) -> NDArray[np.uint8]:
    mask = np.full(image.shape[:2], 255, np.uint8) if outline is None else area(outline, image.shape)
    if not mask.any():
        raise BadInputError("calibration/movement/lost")
    return mask


def _blurred(
    grey: NDArray[np.uint8], mask: NDArray[np.uint8]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The tray's light without its grain, an eighth of the size, and how far each place is inside."""
    size = (max(grey.shape[1] // 8, 8), max(grey.shape[0] // 8, 8))
    inside = cv2.resize(mask, size, interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    small = cv2.resize(grey, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    sigma = size[0] / 40
    weight = cv2.GaussianBlur(inside, (0, 0), sigma)
    smooth = cv2.GaussianBlur(small * inside, (0, 0), sigma) / np.maximum(weight, 1e-3)
    return np.asarray(smooth, np.float32), np.asarray(weight * (inside > 0.99), np.float32)


def _step(smooth: NDArray[np.float32], weight: NDArray[np.float32]) -> float:
    """The largest change of light over a tenth of the picture, as a share of the mean."""
    reach = max(2, smooth.shape[1] // 12)
    inside = weight > 0.6
    if not inside.any():
        return 0.0
    light = (smooth / 255) ** 2.2
    mean = float(light[inside].mean())
    steps = [0.0]
    for axis, kernel in ((1, (1, reach)), (0, (reach, 1))):
        both = inside & np.roll(inside, reach, axis=axis)
        whole = cv2.erode(both.astype(np.uint8), np.ones(kernel, np.uint8)) > 0
        change = np.abs(light - np.roll(light, reach, axis=axis))
        if whole.any():
            steps.append(float(np.percentile(change[whole], 97)) / max(mean, 1e-4))
    return max(steps)


def _dim_parts(
    smooth: NDArray[np.float32], weight: NDArray[np.float32], size_wh: tuple[int, int]
) -> tuple[Points, ...]:
    """Outlines of the darker parts of the tray, pixels, the largest first, at most three.

    The dark parts are below the level that divides the tray's light best in two (Otsu 1979).
    """
    inside = (weight > 0.6).astype(np.uint8)
    levels = np.clip(smooth[inside > 0], 0, 255).astype(np.uint8)
    if not levels.size:
        return ()
    level, _ = cv2.threshold(levels.reshape(-1, 1), 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    dim = ((smooth <= level) & (inside > 0)).astype(np.uint8)
    whole = cv2.morphologyEx(dim, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    rings, _ = cv2.findContours(whole, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    large = sorted(
        (ring for ring in rings if cv2.contourArea(ring) > 0.02 * inside.sum()), key=cv2.contourArea
    )
    scale = np.array(size_wh) / smooth.shape[::-1]
    outlines = []
    for ring in large[::-1][:3]:
        few = cv2.approxPolyDP(ring, 1.5, closed=True).reshape(-1, 2)
        if len(few) > 2:
            outlines.append(tuple((float(x), float(y)) for x, y in (few + 0.5) * scale))
    return tuple(outlines)


def _flicker(frames: Sequence[NDArray[np.uint8]]) -> float:
    """The larger of: change of the whole from frame to frame, and of bands that wander down the picture."""
    rows = np.stack(
        [cv2.resize(frame, (8, 64), interpolation=cv2.INTER_AREA).mean((1, 2)) for frame in frames]
    )
    mean = max(float(rows.mean()), 1.0)
    bands = (rows - rows.mean(0)) / mean
    return float(np.abs(np.diff(bands, axis=0)).mean())


def _spots(burnt: NDArray[np.bool_]) -> tuple[tuple[float, float], ...]:
    """Centres of the largest burnt areas, at most five."""
    count, _, stats, middles = cv2.connectedComponentsWithStats(burnt.astype(np.uint8))
    least = 0.0004 * burnt.size
    large = [number for number in range(1, count) if stats[number, cv2.CC_STAT_AREA] > least]
    large.sort(key=lambda number: -int(stats[number, cv2.CC_STAT_AREA]))
    return tuple((float(middles[number][0]), float(middles[number][1])) for number in large[:5])
