"""Check of camera, tray and lamp before calibration: line by line what is right, or what to move.

The four printed markers tell where the tray is and how large a millimetre looks; three are enough to work out
the fourth corner, which may lie outside the picture. Left, right, top and bottom are those of the picture.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera_movement import BUMPED_PX
from calibration.light import DARK, DIE_PX_LEAST, SOFT, Complaint, inspect, rise_px
from calibration.outline import Points
from calibration.target import MARKER_MM, MARKER_QUIET_MM
from calibration.usual import MARGIN_MM, USUAL_DIE_MM
from messages.message import Message

Array = NDArray[np.float64]
Image = NDArray[np.uint8]

IN_FOCUS_PX = 1.8
"""Rise of the sharpest edges of a picture in focus: a sharpness of 100."""
SHARP_LEAST = round(100 * IN_FOCUS_PX / SOFT)
SMALL_WH = (640, 360)
"""Pictures are compared at this size for their shake."""
AGREEING = 0.05
"""Two pictures that agree less than this (phase correlation) say nothing of a shake."""
ANYWHERE = {Complaint.DARK, Complaint.BURNT, Complaint.GLARE, Complaint.FLICKER}
"""The faults of the light that can be detected before the tray is found."""


class Item(StrEnum):
    """The things checked, in the order in which they are corrected."""

    TRAY = "tray"
    DICE = "dice"
    SHARP = "sharp"
    LIGHT = "light"
    STILL = "still"


class CheckState(StrEnum):
    """The result of a check: waiting where nothing can be judged yet."""

    GOOD = "good"
    WRONG = "wrong"
    WAITING = "waiting"


@dataclass(frozen=True, slots=True)
class MountingLine:
    """The result for one item. messages: the first describes it, further ones say what to do."""

    item: Item
    standing: CheckState
    messages: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class Mounting:
    """The results. outline: the tray's, px; None while it is unknown. spots: overexposed ones, px."""

    lines: tuple[MountingLine, ...]
    outline: Points | None = None
    spots: Points = ()

    @property
    def good(self) -> bool:
        """Whether all is well."""
        return all(line.standing is CheckState.GOOD for line in self.lines)

    @property
    def next(self) -> tuple[Message, ...]:
        """The first thing to do, in words: faults come before unknowns."""
        for standing in (CheckState.WRONG, CheckState.WAITING):
            for line in self.lines:
                if line.standing is standing:
                    return line.messages
        return (Message("calibration/mounting/all_well"),)


@dataclass(frozen=True, slots=True, eq=False)
class TrayInView:
    """A tray by its markers. outline: (4, 2) px, clockwise from the top left. px_per_mm: on the floor."""

    outline: Array
    px_per_mm: float

    @classmethod
    def of(cls, markers: Mapping[int, Array]) -> "TrayInView | None":
        """The tray, from at least three of four markers (number to corners, (4, 2) px); None from fewer."""
        if len(markers) < 3:
            return None
        middles = {number: ring.mean(0) for number, ring in markers.items()}
        across = next(each for each in (0, 1) if each in middles and each + 2 in middles)
        middle = (middles[across] + middles[across + 2]) / 2
        grown = 1 + 2 * MARKER_QUIET_MM / MARKER_MM
        corners = {}
        for number, ring in markers.items():
            paper = middles[number] + (ring - middles[number]) * grown
            corners[number] = paper[np.linalg.norm(paper - middle, axis=1).argmax()]
        for number in set(range(4)) - corners.keys():
            beside = corners[(number + 1) % 4] + corners[(number + 3) % 4]
            corners[number] = beside - corners[(number + 2) % 4]
        sides = [math.sqrt(cv2.contourArea(ring.astype(np.float32))) for ring in markers.values()]
        return cls(np.stack([corners[number] for number in range(4)]), float(np.mean(sides)) / MARKER_MM)

    @property
    def size_mm(self) -> tuple[float, float]:
        """Width and depth, roughly."""
        a, b, c, d = self.outline
        across = np.linalg.norm(b - a) + np.linalg.norm(c - d)
        down = np.linalg.norm(d - a) + np.linalg.norm(c - b)
        return float(across / 2 / self.px_per_mm), float(down / 2 / self.px_per_mm)

    @property
    def points(self) -> Points:
        """The outline, rounded."""
        return tuple((round(float(x), 1), round(float(y), 1)) for x, y in self.outline)

    def floor(self) -> Array:
        """The part of the floor that no marker covers, (n, 2) px."""
        width, depth = self.size_mm
        cut = MARKER_MM + 3 * MARKER_QUIET_MM
        if min(width, depth) < 2.4 * cut:
            return self.outline
        whole = np.array([[0, 0], [width, 0], [width, depth], [0, depth]], np.float32)
        change = cv2.getPerspectiveTransform(whole, self.outline.astype(np.float32))
        x, y = width - cut, depth - cut
        ring = [(cut, 0), (x, 0), (x, cut), (width, cut), (width, y), (x, y),
                (x, depth), (cut, depth), (cut, y), (0, y), (0, cut), (cut, cut)]  # fmt: skip
        return np.asarray(cv2.perspectiveTransform(np.array([ring], np.float32), change)[0], np.float64)


def judge(
    frames: Sequence[Image],
    markers: Mapping[int, Array],
    *,
    focal_px: float,
    die_mm: float = USUAL_DIE_MM,
    dice_px: Sequence[float] = (),
    focuses: bool = False,
) -> Mounting:
    """Judge frames that follow each other. frames: (h, w, 3) uint8 BGR, at least one; the last one counts.

    markers: number to corners (4, 2) px in the last frame. focal_px: of the lens, heights are as exact as it
    is. die_mm: edge of the dice. dice_px: edges of dice that lie there, where there are no markers.
    focuses: the lens has a motor.
    """
    image = frames[-1]
    tray = TrayInView.of(markers)
    view = _View((image.shape[1], image.shape[0]), focal_px, die_mm)
    light, spots = _light(frames, tray)
    sharp = _sharp(image, focuses=focuses)
    lines = (
        _tray(view, tray, markers, blurred=sharp.standing is CheckState.WRONG),
        _dice(view, tray, dice_px),
        sharp,
        light,
        _still(frames),
    )
    return Mounting(lines, None if tray is None else tray.points, spots)


@dataclass(frozen=True, slots=True)
class _View:
    size_wh: tuple[int, int]
    focal_px: float
    die_mm: float

    def height_mm(self, tray: TrayInView) -> float:
        return self.focal_px / tray.px_per_mm

    def nearer(self, tray: TrayInView) -> float:
        """The ratio of the scale on top of a die to that on the floor."""
        return 1 / max(1 - self.die_mm / self.height_mm(tray), 0.2)

    def box(self, tray: TrayInView) -> tuple[Array, Array]:
        """Least and largest x, y of the tray at the height of a die's top, px."""
        middle = np.array(self.size_wh) / 2
        top = middle + (tray.outline - middle) * self.nearer(tray)
        return top.min(0), top.max(0)

    def reach(self, tray: TrayInView) -> float:
        """The factor by which to raise the camera to see the whole tray, if that were in the middle."""
        low, high = self.box(tray)
        wanted = high - low + 2 * MARGIN_MM * tray.px_per_mm
        return float((wanted / self.size_wh).max())


def _line(item: Item, standing: CheckState, *messages: Message) -> MountingLine:
    return MountingLine(item, standing, messages)


def _cm(length_mm: float) -> int:
    return max(1, math.ceil(length_mm / 10))


def _tray(
    view: _View, tray: TrayInView | None, markers: Mapping[int, Array], *, blurred: bool
) -> MountingLine:
    missing = tuple(Message(f"calibration/corner/{number}") for number in range(4) if number not in markers)
    if tray is None:
        if not markers:
            return _line(Item.TRAY, CheckState.WAITING, Message("calibration/mounting/no_markers"))
        # Blur makes markers vanish too, so it is reported first.
        standing = CheckState.WAITING if blurred else CheckState.WRONG
        return _line(Item.TRAY, standing, Message("calibration/mounting/few_markers", markers=missing))
    if cv2.contourArea(tray.outline.astype(np.float32), oriented=True) <= 0:
        return _line(Item.TRAY, CheckState.WRONG, Message("calibration/marker/wrong_corners"))
    wrong = _out_of_view(view, tray)
    if wrong is not None:
        return _line(Item.TRAY, CheckState.WRONG, wrong)
    if missing:
        return _line(Item.TRAY, CheckState.WRONG, Message("calibration/marker/missing", markers=missing))
    height_cm = view.height_mm(tray) / 10
    return _line(Item.TRAY, CheckState.GOOD, Message("calibration/mounting/whole", height=height_cm))


def _out_of_view(view: _View, tray: TrayInView) -> Message | None:
    """What to move so that the whole tray is in view, in words; None if it is."""
    low, high = view.box(tray)
    margin = MARGIN_MM * tray.px_per_mm
    if (low >= margin / 3).all() and (high <= np.array(view.size_wh) - margin / 3).all():
        return None
    reach = view.reach(tray)
    if reach > 1:
        wide, tall = high - low + 2 * margin
        turned = max(tall / view.size_wh[0], wide / view.size_wh[1])
        if turned < 0.9 * reach:
            return Message("calibration/mounting/turn")
        return Message("calibration/mounting/raise", cm=_cm(view.height_mm(tray) * (reach - 1)))
    # Positive: so far to the right, or down.
    over = np.maximum(margin - low, 0) - np.maximum(high + margin - view.size_wh, 0)
    axis = int(np.abs(over).argmax())
    way = (("left", "right"), ("up", "down"))[axis][int(over[axis] > 0)]
    return Message(
        "calibration/mounting/push",
        cm=_cm(abs(float(over[axis])) / tray.px_per_mm),
        way=Message(f"calibration/mounting/way/{way}"),
    )


def _dice(view: _View, tray: TrayInView | None, dice_px: Sequence[float]) -> MountingLine:
    if tray is None and not dice_px:
        return _line(Item.DICE, CheckState.WAITING, Message("calibration/mounting/no_scale"))
    pixels = float(np.median(dice_px)) if tray is None else view.die_mm * tray.px_per_mm * view.nearer(tray)
    if pixels >= DIE_PX_LEAST:
        return _line(Item.DICE, CheckState.GOOD, Message("calibration/mounting/dice", pixels=pixels))
    small = Message("calibration/mounting/small", pixels=pixels, least=DIE_PX_LEAST)
    if tray is not None:
        height_mm = view.height_mm(tray)
        lower_mm = height_mm * (1 - max(view.reach(tray), pixels / DIE_PX_LEAST))
        if lower_mm >= 10:
            return _line(
                Item.DICE, CheckState.WRONG, small, Message("calibration/mounting/lower", cm=_cm(lower_mm))
            )
    return _line(Item.DICE, CheckState.WRONG, small, Complaint.SMALL.messages[1])


def _sharp(image: Image, *, focuses: bool) -> MountingLine:
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    rise = 0.0 if np.percentile(grey, 87) < DARK else rise_px(grey)
    if not rise:
        return _line(Item.SHARP, CheckState.WAITING, Message("calibration/mounting/no_edges"))
    sharpness = min(100, round(100 * IN_FOCUS_PX / rise))
    if rise > SOFT:
        way = "soft-motor" if focuses else "soft"
        message = Message(f"calibration/mounting/{way}", sharpness=sharpness, least=SHARP_LEAST)
        return _line(Item.SHARP, CheckState.WRONG, message)
    return _line(Item.SHARP, CheckState.GOOD, Message("calibration/mounting/sharp", sharpness=sharpness))


def _light(frames: Sequence[Image], tray: TrayInView | None) -> tuple[MountingLine, Points]:
    """The worst fault of the light as a line, and the overexposed spots."""
    floor = None if tray is None else tuple((float(x), float(y)) for x, y in tray.floor())
    found = inspect(frames, floor)
    complaints = [
        each
        for each in found.complaints
        if each not in {Complaint.UNSHARP, Complaint.SMALL} and (tray is not None or each in ANYWHERE)
    ]
    if not complaints:
        well = CheckState.GOOD if tray is not None else CheckState.WAITING
        key = "calibration/light/good" if tray is not None else "calibration/mounting/no_tray_light"
        return _line(Item.LIGHT, well, Message(key)), ()
    first = complaints[0]
    what, advice = first.messages
    if first is Complaint.GLARE:
        what = Message("calibration/mounting/highlight", place=_place(found.spots[0], tray, frames[-1]))
    elif first in {Complaint.SHADOW, Complaint.UNEVEN} and found.dim:
        dim = np.mean(found.dim[0], axis=0)
        what = Message(
            "calibration/mounting/dim", place=_place((float(dim[0]), float(dim[1])), tray, frames[-1])
        )
    return _line(Item.LIGHT, CheckState.WRONG, what, advice), found.spots if first is Complaint.GLARE else ()


def _place(spot: tuple[float, float], tray: TrayInView | None, image: Image) -> Message:
    """The place of the spot in the tray, or else in the picture, in words."""
    size = np.array([image.shape[1], image.shape[0]], np.float64)
    ring = np.array([[0.0, 0.0], size]) if tray is None else tray.outline
    away = (np.array(spot) - (ring.min(0) + ring.max(0)) / 2) / (ring.max(0) - ring.min(0))
    axis = int(np.abs(away).argmax())
    side = (("left", "right"), ("top", "bottom"))[axis][int(away[axis] > 0)]
    return Message(f"calibration/mounting/place/{side if abs(away[axis]) > 0.15 else 'middle'}")


def shake_px(frames: Sequence[Image]) -> float:
    """The movement of the picture from frame to frame, pixels; 0.0 if it cannot be measured."""
    small = [
        cv2.resize(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), SMALL_WH, interpolation=cv2.INTER_AREA).astype(
            np.float32
        )
        for frame in frames
    ]
    window = cv2.createHanningWindow(SMALL_WH, cv2.CV_32F)
    scale = np.array([frames[-1].shape[1] / SMALL_WH[0], frames[-1].shape[0] / SMALL_WH[1]])
    most = 0.0
    for before, after in pairwise(small):
        shift, agrees = cv2.phaseCorrelate(before, after, window)
        if agrees >= AGREEING:
            most = max(most, float(np.linalg.norm(np.array(shift) * scale)))
    return most


def _still(frames: Sequence[Image]) -> MountingLine:
    shake = shake_px(frames)
    if shake > BUMPED_PX:
        return _line(Item.STILL, CheckState.WRONG, Message("calibration/mounting/shakes", pixels=shake))
    return _line(Item.STILL, CheckState.GOOD, Message("calibration/mounting/still"))
