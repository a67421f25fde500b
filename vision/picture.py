"""Pictures in and out: loading a file, drawing a reading into a frame, making a JPEG."""

import math
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from messages.errors import BadInputError, cause
from vision.image_header import Size, cut_short, jpeg_size_wh, size_wh, with_longer_scan
from vision.reading import DieReading, Reading, Status

PIXELS_MAX = 150_000_000
"""More than a 12,000 x 12,000 picture holds: past that a file is refused, before it is decoded where
`vision.image_header` knows its kind."""

SIDE_MAX = 32_766
"""OpenCV turns and bends no picture with a longer side, whatever its pixels."""

SIDE_MIN = 8
"""Of a picture: half as many as a die needs, so none is read and nothing said of it would be true."""

HALVED_PIXELS = 36_000_000
"""A JPEG of more pixels than that is read at half its size or less: its dice are large enough, and decoding
it in full takes twice its 300 MB and more."""

RIM = 1.3
"""Width of a die that is cut out, floor round it included, in edges of its top face."""

_FILLING = 128
"""Of all channels, where a decoder of JPEG has nothing: coefficients of 0."""

_CORNER_PX = 2
"""The least that is sure to be filled up: of a block that is cut by the border, hardly more may be seen."""

_MORE = bytes(range(1, 97))
"""What no decoder takes for grey."""

_GREEN = (80, 200, 60)
_AMBER = (30, 170, 250)


def load(path: str | Path) -> NDArray[np.uint8]:
    """The picture in a file, (height, width, 3) uint8, BGR, 0-255.

    Raises BadInputError with a sentence for a missing, empty, truncated or non-image file.
    """
    return decode(_bytes_of(Path(path)), str(path))


def _bytes_of(path: Path) -> bytes:
    if path.is_dir():
        raise BadInputError("vision/picture/folder", name=str(path))
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise BadInputError("vision/picture/missing", name=str(path)) from None
    except OSError as error:
        raise BadInputError("vision/picture/unreadable", name=str(path), why=cause(error)) from None
    if not data:
        raise BadInputError("vision/picture/empty", name=str(path))
    return data


def decode(data: bytes, name: str = "the picture", *, shrink: int = 1) -> NDArray[np.uint8]:
    """The picture in the bytes of a JPEG, PNG or other image file, as `load` gives it.

    shrink: 1, 2, 4 or 8 times smaller. Raises BadInputError as `load` does; `name` is what the sentence calls
    the picture.
    """
    if cut_short(data):
        raise BadInputError("vision/picture/cut_short", name=name)
    _check_size(size_wh(data) or (0, 0), name)
    image = _decoded(data, shrink)
    if image is None or _is_filled_up(data, image, shrink):
        raise BadInputError("vision/picture/damaged", name=name)
    _check_size((image.shape[1], image.shape[0]), name)
    return image


def _decoded(data: bytes, shrink: int) -> NDArray[np.uint8] | None:
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), _SHRUNK[shrink])
    except cv2.error:
        return None
    return None if image is None else image.astype(np.uint8, copy=False)


def _is_filled_up(data: bytes, image_bgr: NDArray[np.uint8], shrink: int) -> bool:
    """Whether a JPEG has too little in it for its picture: a part of it is missing or was written over.

    The decoder fills up what is missing with grey, to the last corner, and only complains. A picture may be
    grey there, too: then more data change nothing.
    """
    size = jpeg_size_wh(data)
    if size is None or not any(map(_is_filling, _corners(image_bgr))):
        return False
    longer = _decoded(with_longer_scan(data, _MORE), shrink)
    return longer is None or not np.array_equal(longer, image_bgr)


def _corners(image_bgr: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], ...]:
    """All four: a picture may be turned by what its file says of the camera."""
    last = slice(-_CORNER_PX, None)
    first = slice(None, _CORNER_PX)
    return tuple(image_bgr[rows, columns] for rows in (first, last) for columns in (first, last))


def _is_filling(corner: NDArray[np.uint8]) -> bool:
    return bool(np.all(corner == _FILLING))


def _check_size(size: Size, name: str) -> None:
    if size[0] * size[1] > PIXELS_MAX or max(size) > SIDE_MAX:
        raise BadInputError("vision/picture/too_large", name=name)


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
    data = _bytes_of(Path(path))
    size = jpeg_size_wh(data)
    pixels = 0 if size is None else size[0] * size[1]
    if not HALVED_PIXELS < pixels <= PIXELS_MAX:
        return decode(data, str(path)), 1
    shrink = next((n for n in (2, 4) if pixels <= HALVED_PIXELS * n * n), 8)
    return decode(data, str(path), shrink=shrink), shrink


_SHRUNK = {
    1: cv2.IMREAD_COLOR,
    2: cv2.IMREAD_REDUCED_COLOR_2,
    4: cv2.IMREAD_REDUCED_COLOR_4,
    8: cv2.IMREAD_REDUCED_COLOR_8,
}


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
