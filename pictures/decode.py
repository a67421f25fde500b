"""The one function through which every picture goes that comes from a file, a screen, a copy or another home.

Only five kinds are decoded, known by their first bytes, and none whose header names more pixels than may be:
OpenCV decodes many more, some of them with holes, and takes gigabytes for a file of a few kB.
"""

import re

import cv2
import numpy as np
from numpy.typing import NDArray

from messages.errors import BadInputError
from pictures.c_messages import captured
from pictures.header import Size, cut_short, foreign_kind, kind_of, size_wh

PIXELS_MAX = 150_000_000
"""More than a 12,000 x 12,000 picture holds: past that a file is refused."""

CAMERA_PIXELS_MAX = 4608 * 4608
"""More than any camera delivers: the limit for pictures that a station decodes by itself."""

SIDE_MAX = 32_766
"""OpenCV rotates and warps no picture with a longer side."""

DAMAGE = re.compile(
    r"premature end|bad (Huffman|arithmetic) code|instead of RST|Inconsistent progression|libpng error",
    re.IGNORECASE,
)
"""Messages of libjpeg (jerror.h) for a missing or overwritten part of the picture, which it fills with grey
or garbage. Extra bytes, or an odd entry in the header, give other messages and do no harm."""

_SHRUNK = {
    1: cv2.IMREAD_COLOR,
    2: cv2.IMREAD_REDUCED_COLOR_2,
    4: cv2.IMREAD_REDUCED_COLOR_4,
    8: cv2.IMREAD_REDUCED_COLOR_8,
}


def decode(
    data: bytes, name: str = "the picture", *, shrink: int = 1, pixels_max: int = PIXELS_MAX
) -> NDArray[np.uint8]:
    """The picture in the bytes of a JPEG, PNG, WebP, TIFF or BMP file, (height, width, 3) uint8, BGR, 0-255.

    shrink: 1, or for a JPEG 2, 4 or 8 times smaller. pixels_max: in the file. Raises BadInputError with a
    sentence for every other file and for a damaged one; `name` is what the sentence calls the picture.
    """
    size = checked_size_wh(data, name, pixels_max=pixels_max)
    if cut_short(data):
        raise BadInputError("vision/picture/cut_short", name=name)
    image, messages = captured(lambda: _decoded(data, shrink))
    if image is None or DAMAGE.search(messages) or image.shape[0] * image.shape[1] > size[0] * size[1]:
        raise BadInputError("vision/picture/damaged", name=name)
    return image


def checked_size_wh(data: bytes, name: str, *, pixels_max: int = PIXELS_MAX) -> Size:
    """Width and height of a picture that may be decoded, from its header. Raises as `decode` does."""
    kind = kind_of(data)
    if kind is None:
        other = foreign_kind(data)
        if other is not None:
            raise BadInputError("vision/picture/foreign", name=name, kind=other)
        raise BadInputError("vision/picture/damaged", name=name)
    size = size_wh(data)
    if size is None:
        raise BadInputError(
            "vision/picture/cut_short" if cut_short(data) else "vision/picture/damaged", name=name
        )
    if size[0] * size[1] > pixels_max or max(size) > SIDE_MAX:
        raise BadInputError("vision/picture/too_large", name=name)
    return size


def _decoded(data: bytes, shrink: int) -> NDArray[np.uint8] | None:
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), _SHRUNK[shrink])  # noqa: TID251 - here
    except cv2.error:
        return None
    return None if image is None else image.astype(np.uint8, copy=False)
