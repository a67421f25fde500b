"""The empty tray, learnt from a few frames: what shadows and printed cloths are compared with."""

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from messages.atomic_write import write_whole
from messages.errors import BadInputError
from messages.regular_file import read_regular
from pictures.decode import CAMERA_PIXELS_MAX, checked_size_wh, decode

FRAMES_LEAST = 3
RESTLESS = 9.0
"""Mean difference of frames (0-255, where they differ most) that noise does not make."""


def learn_empty(frames: Sequence[NDArray[np.uint8]], dice_seen: int) -> NDArray[np.uint8]:
    """The picture of the empty tray, (h, w, 3) uint8 BGR: noise and passers-by taken out (median).

    frames: of one size, one after the other. dice_seen: how many dice a reader finds in the last one.
    Raises BadInputError when there is still a die, when something moves, or when there is too little.
    """
    if len(frames) < FRAMES_LEAST:
        raise BadInputError("calibration/empty/few")
    if dice_seen:
        raise BadInputError("calibration/empty/dice", count=dice_seen)
    chosen = np.stack([frames[round(at)] for at in np.linspace(0, len(frames) - 1, min(len(frames), 9))])
    if _restless(chosen) > RESTLESS:
        raise BadInputError("calibration/empty/restless")
    return _median(chosen)


def _median(frames: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The middle of (n, h, w, 3) frames, (h, w, 3), rounded down where two are in the middle.

    Whole frames are put in order by comparing neighbours n times; numpy's own sorts pixel by pixel and takes
    ten times as long.
    """
    ordered = frames.copy()
    for turn in range(len(ordered)):
        for low, high in zip(ordered[turn % 2 :: 2], ordered[turn % 2 + 1 :: 2], strict=False):
            smaller = np.minimum(low, high)
            np.maximum(low, high, out=high)
            low[:] = smaller
    middle = ordered[(len(ordered) - 1) // 2 : len(ordered) // 2 + 1]
    return np.asarray(middle.mean(0) if len(middle) > 1 else middle[0], np.uint8)


def _restless(frames: NDArray[np.uint8]) -> float:
    """The largest difference between the frames anywhere in the picture, with noise averaged away."""
    small = [cv2.resize(frame, (64, 48), interpolation=cv2.INTER_AREA).astype(np.float32) for frame in frames]
    change = np.ptp(np.stack(small), axis=0).mean(2)
    return float(np.percentile(change, 99.5))


def save_picture(path: Path, image_bgr: NDArray[np.uint8]) -> None:
    """Write a picture without loss; what stood there stays whole until the new one is complete.

    Raises FailedError when it cannot be written.
    """
    _, data = cv2.imencode(".png", image_bgr)
    write_whole(path, data.tobytes(), "picture")


def load_picture(path: Path, size_wh: tuple[int, int] | None) -> NDArray[np.uint8]:
    """The picture of the empty tray that a profile names; raises BadInputError when it is gone or another."""
    try:
        data = read_regular(path)
    except OSError:
        raise BadInputError("calibration/empty/missing", path=str(path)) from None
    try:
        named = checked_size_wh(data, str(path), pixels_max=CAMERA_PIXELS_MAX)
        image = decode(data, str(path)) if size_wh in {None, named} else None
    except BadInputError as error:
        raise BadInputError("calibration/empty/damaged", path=str(path)) from error
    if image is None:
        raise BadInputError("calibration/empty/damaged", path=str(path))
    return image


def scaled(empty_bgr: NDArray[np.uint8], size_wh: tuple[int, int]) -> NDArray[np.uint8]:
    """The empty tray as pictures of that size and the same shape show it; itself where it has that size."""
    width = empty_bgr.shape[1]
    if (width, empty_bgr.shape[0]) == size_wh:
        return empty_bgr
    how = cv2.INTER_AREA if size_wh[0] < width else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(empty_bgr, size_wh, interpolation=how), np.uint8)
