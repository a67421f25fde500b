"""A throw again, cut from the pictures of a fixed camera: from where new dice appear to where they lie."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from pictures.decode import decode
from vision.reading import DieReading, Reading

LASTS_S = 4.0
"""On the screen, the result included."""
MOVES_S = 2.6
"""Of it, at most, until the last die lies."""
SLOWEST = 4.0
"""Times as long as it took, at most, while several dice roll; for the last one twice as long."""
LAST_S = 0.25
"""Before the last die lies the film is slow for at least so long."""
SMALLER = 4
"""Times, of the pictures in which dice are looked for."""
DIFFERENT = 32
"""Of a colour (0-255), beyond what noise and the packing of pictures explain."""
PLACE = 1.1
"""Radius about a die that lies, with its shadow, in edges."""
DIE_AREA = (0.25, 5.0)
"""Of what moves and is no hand, in squares of a die's edge: it may be smeared, or two dice."""
GAP_S = 0.2
"""So long no die may be seen, in the hand's shadow, within a throw."""
SETTLES_S = 0.5
"""So long a die may rock about its place, where none that rolls is looked for."""
REACH = 0.8
"""From the middle of a die to the border of the picture in the end, in edges."""

Box = tuple[float, float, float, float]
"""Left, top, width and height, as shares of the whole picture."""
WHOLE: Box = (0.0, 0.0, 1.0, 1.0)


@dataclass(frozen=True, slots=True)
class Still:
    """One picture of a throw: seconds from its beginning, and a JPEG."""

    at_s: float
    jpeg: bytes


@dataclass(frozen=True, slots=True)
class Take:
    """All pictures of a throw, the last one that of the dice at rest, which the camera read.

    lay: the dice as they lay before. width_px: of the picture that was read.
    """

    stills: tuple[Still, ...]
    lay: Reading
    rest: Reading
    width_px: int


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture of the film. shown_s: when it is shown, in slow motion. box: what of it is shown then."""

    at_s: float
    jpeg: bytes
    shown_s: float
    box: Box


def cut(take: Take) -> tuple[Shot, ...]:
    """The film of a throw; nothing where no die was seen to move."""
    if len(take.stills) < 3 or not take.rest.dice:
        return ()
    small = [decode(each.jpeg, shrink=SMALLER) for each in take.stills]
    scale = small[-1].shape[1] / take.width_px
    new = [die for die in take.rest.dice if not _stayed(die, take.lay)] or list(take.rest.dice)
    times = [each.at_s for each in take.stills]
    arrived = sorted(_arrival(die, small, scale) for die in new)
    last = arrived[-1]
    gone = [die for die in take.lay.dice if not _stayed(die, take.rest)]
    rolling = [_rolling(each, small[-1], new, gone, scale) for each in small[: arrived[0]]]
    first = _first(rolling, arrived[0], times)
    if first >= last:
        return ()
    slow_s = min(times[arrived[-2]] if len(arrived) > 1 else times[last], times[last] - LAST_S)
    shown = _shown([*times[first : last + 1]], max(slow_s, times[first]))
    height, width = small[-1].shape[:2]
    close = _close(new, scale, (width, height))
    shots = [
        Shot(
            round(still.at_s - times[first], 3), still.jpeg, round(at_s, 3), _between(close, at_s / shown[-1])
        )
        for still, at_s in zip(take.stills[first : last + 1], shown, strict=True)
    ]
    return (*shots[:-1], Shot(shots[-1].at_s, take.stills[-1].jpeg, shots[-1].shown_s, close))


def cropped(shot: Shot, size_wh: tuple[int, int]) -> NDArray[np.uint8]:
    """What is shown of a picture, in that size: (height, width, 3) uint8, BGR, 0-255."""
    image = decode(shot.jpeg)
    height, width = image.shape[:2]
    left, top, wide, high = shot.box
    part = image[
        round(top * height) : round((top + high) * height), round(left * width) : round((left + wide) * width)
    ]
    return cv2.resize(part, size_wh, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)


def _stayed(die: DieReading, other: Reading) -> bool:
    """Whether the other reading has this very die."""
    there = other.die_at(*die.center)
    return there is not None and there.face == die.face


def _differs(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Where two pictures are not alike, (h, w) uint8, 0 or 1."""
    return np.asarray(cv2.absdiff(one, other).max(axis=2) > DIFFERENT, np.uint8)


def _disc(die: DieReading, radius: float, scale: float, shape: tuple[int, ...]) -> NDArray[np.uint8]:
    """The place of a die. radius: in edges. scale: of this picture to the one that was read."""
    place = np.zeros(shape[:2], np.uint8)
    middle = (round(die.center[0] * scale), round(die.center[1] * scale))
    cv2.circle(place, middle, max(1, round(radius * die.size * scale)), (255,), -1)
    return place


def _arrival(die: DieReading, small: Sequence[NDArray[np.uint8]], scale: float) -> int:
    """From which picture on it lies there as it does in the last one."""
    place = _disc(die, 0.5, scale, small[-1].shape)
    area = cv2.countNonZero(place)
    for at in range(len(small) - 2, -1, -1):
        if cv2.countNonZero(cv2.bitwise_and(_differs(small[at], small[-1]), place)) > 0.2 * area:
            return at + 1
    return 0


def _rolling(
    picture: NDArray[np.uint8],
    rest: NDArray[np.uint8],
    new: Sequence[DieReading],
    gone: Sequence[DieReading],
    scale: float,
) -> bool:
    """Whether a die is to be seen that does not lie: of its size, neither a hand nor the dice of before."""
    moved = cv2.morphologyEx(_differs(picture, rest), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    for die in (*new, *gone):
        moved[_disc(die, PLACE, scale, picture.shape) > 0] = 0
    edge = scale * sum(die.size for die in new) / len(new)
    height, width = moved.shape
    count, _, found, _ = cv2.connectedComponentsWithStats(moved)
    return any(
        DIE_AREA[0] * edge**2 < area < DIE_AREA[1] * edge**2
        and left > 0
        and top > 0
        and left + wide < width
        and top + high < height
        for left, top, wide, high, area in found[1:count].tolist()
    )


def _first(rolling: Sequence[bool], lies: int, times: Sequence[float]) -> int:
    """The picture in which new dice appear. lies: the one from which on the first of them does."""
    first = lies
    for at in range(lies - 1, -1, -1):
        if rolling[at]:
            first = at
        elif times[first] - times[at] > (SETTLES_S if first == lies else GAP_S):
            break
    return first


def _shown(times: Sequence[float], slow_s: float) -> list[float]:
    """When the pictures are shown: from `slow_s` on, where the last die rolls alone, half as fast."""
    lengths = [(2 if after > slow_s else 1) * (after - before) for before, after in pairwise(times)]
    slower = min(SLOWEST, MOVES_S / max(sum(lengths), 1e-6))
    return [0.0, *(float(at) * slower for at in np.cumsum(lengths))]


def _close(dice: Sequence[DieReading], scale: float, size_wh: tuple[int, int]) -> Box:
    """As near to these dice as the shape of the picture allows, and within it."""
    size = np.array(size_wh, float)
    middles = np.array([die.center for die in dice]) * scale
    reach = REACH * scale * max(die.size for die in dice)
    low, high = middles.min(axis=0) - reach, middles.max(axis=0) + reach
    share = min(1.0, float(((high - low) / size).max()))
    at = np.clip((low + high) / 2 / size - share / 2, 0.0, 1.0 - share)
    return float(at[0]), float(at[1]), share, share


def _between(close: Box, share: float) -> Box:
    """What is shown while the picture goes nearer. share: of that way, 0-1."""
    eased = share * share * (3 - 2 * share)
    left, top, wide, high = (
        before + (after - before) * eased for before, after in zip(WHOLE, close, strict=True)
    )
    return left, top, wide, high
