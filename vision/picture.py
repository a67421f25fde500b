"""Pictures in and out: loading a file, drawing a reading into a frame, making a JPEG."""

import math
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from messages.errors import BadInputError
from pictures.decode import PIXELS_MAX, decode
from pictures.files import bytes_of
from pictures.header import jpeg_size_wh
from vision.reading import DieReading, Reading, Status

SIDE_MIN = 8
"""The shortest side of a picture: half of what a die needs, so that a reading would be meaningless."""

HALVED_PIXELS = 36_000_000
"""A JPEG of more pixels than that is read at half its size or less: its dice are large enough, and decoding
it in full takes twice its 300 MB and more."""

RIM = 1.3
"""Width of a die that is cut out, floor round it included, in edges of its top face."""

_GREEN = (80, 200, 60)
_AMBER = (30, 170, 250)


def load(path: str | Path) -> NDArray[np.uint8]:
    """The picture in a file, (height, width, 3) uint8, BGR, 0-255.

    Raises BadInputError with a sentence for a missing, empty, truncated or non-image file.
    """
    return decode(bytes_of(Path(path)), str(path))


def load_to_read(path: str | Path) -> tuple[NDArray[np.uint8], int]:
    """The picture in a file, as `load` gives it, and how many times smaller than the file's it is.

    Only very large JPEG files are made smaller: 2, 4 or 8 times. Raises BadInputError as `load` does, and for
    a picture in which no die has room.
    """
    image, shrink = _loaded(path)
    height, width = image.shape[:2]
    if min(width, height) < SIDE_MIN:
        raise BadInputError("vision/picture/too_small", name=str(path), width=width, height=height)
    return image, shrink


def _loaded(path: str | Path) -> tuple[NDArray[np.uint8], int]:
    data = bytes_of(Path(path))
    size = jpeg_size_wh(data)
    pixels = 0 if size is None else size[0] * size[1]
    if not HALVED_PIXELS < pixels <= PIXELS_MAX:
        return decode(data, str(path)), 1
    shrink = next((n for n in (2, 4) if pixels <= HALVED_PIXELS * n * n), 8)
    return decode(data, str(path), shrink=shrink), shrink


def annotate(image_bgr: NDArray[np.uint8], reading: Reading) -> NDArray[np.uint8]:
    """A copy of the picture with each die outlined and its face beside it.

    image_bgr: (height, width, 3) uint8, 0-255. Green when the reading is ready, amber otherwise.
    """
    drawn = image_bgr.copy()
    colour = _GREEN if reading.status is Status.READY else _AMBER
    thick = max(1, round(max(drawn.shape[:2]) / 500))
    for die in reading.dice:
        half = die.size * 0.5 * math.sqrt(2.0)
        turns = [math.radians(die.angle + 45.0 + 90.0 * k) for k in range(4)]
        corners = [(die.center[0] + half * math.cos(a), die.center[1] + half * math.sin(a)) for a in turns]
        cv2.polylines(
            drawn, [np.round(corners).astype(np.int32)], isClosed=True, color=colour, thickness=thick
        )
        place = (round(die.center[0] + 0.62 * die.size), round(die.center[1] - 0.45 * die.size))
        scale = max(0.5, die.size / 45.0)
        for line, ink in ((3 * thick, (0, 0, 0)), (thick + 1, colour)):
            cv2.putText(drawn, str(die.face), place, cv2.FONT_HERSHEY_SIMPLEX, scale, ink, line, cv2.LINE_AA)
    return drawn


def enlarged(image_bgr: NDArray[np.uint8], size_wh: tuple[int, int]) -> NDArray[np.uint8]:
    """The picture (h, w, 3) in a larger size, px."""
    return np.asarray(cv2.resize(image_bgr, size_wh, interpolation=cv2.INTER_CUBIC), np.uint8)


def straightened(image_bgr: NDArray[np.uint8], die: DieReading, edge_px: int) -> NDArray[np.uint8]:
    """One die cut out and turned upright, with a rim of floor: (edge_px, edge_px, 3) uint8, BGR.

    image_bgr: (height, width, 3) uint8, 0-255. What lies outside the picture repeats its border.
    """
    scale = edge_px / (die.size * RIM)
    turn = cv2.getRotationMatrix2D(die.center, die.angle if die.angle <= 45.0 else die.angle - 90.0, scale)
    moved = np.array([[0.0, 0.0, edge_px / 2 - die.center[0]], [0.0, 0.0, edge_px / 2 - die.center[1]]])
    return cv2.warpAffine(
        image_bgr, turn + moved, (edge_px, edge_px), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    ).astype(np.uint8, copy=False)


def encode_jpeg(
    image_bgr: NDArray[np.uint8], *, width_max: int = 1280, quality: int = 80, bytes_max: int | None = None
) -> bytes:
    """The picture as a JPEG file, at most `width_max` pixels wide.

    image_bgr: (height, width, 3) uint8, 0-255. quality: 1-100 as libjpeg counts; less where the file had more
    than `bytes_max` with it.
    """
    height, width = image_bgr.shape[:2]
    if width > width_max:
        size = (width_max, max(1, round(height * width_max / width)))
        image_bgr = cv2.resize(image_bgr, size, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)
    _, data = cv2.imencode(".jpg", image_bgr, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if bytes_max is not None and len(data) > bytes_max and quality > 1:
        return encode_jpeg(image_bgr, width_max=width_max, quality=max(1, quality - 15), bytes_max=bytes_max)
    return data.tobytes()
