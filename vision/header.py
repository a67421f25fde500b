"""What the file of a picture says of itself before it is decoded: its size, and whether its end is there."""

from collections.abc import Iterator
from typing import Literal

Size = tuple[int, int]
"""Width and height in pixels."""

_JPEG = b"\xff\xd8"
_START_OF_SCAN = 0xDA
_NO_SIZE = (0xC4, 0xC8, 0xCC)
"""Segments among the SOF numbers that are none: Huffman tables, an extension, arithmetic coding."""


def is_jpeg(data: bytes) -> bool:
    """Whether these are the bytes of a JPEG file."""
    return data.startswith(_JPEG)


def jpeg_size_wh(data: bytes) -> Size | None:
    """Width and height that a JPEG file names; None when it is no JPEG or does not name them."""
    for kind, at, _ in _segments(data):
        if 0xC0 <= kind <= 0xCF and kind not in _NO_SIZE and at + 9 <= len(data):
            return _number(data, at + 7, 2), _number(data, at + 5, 2)
    return None


def jpeg_ends(data: bytes) -> bool:
    """Whether the mark that ends its picture is there, with whatever behind it: phones append a short film.

    Looked for behind the segments, which may hold a whole small picture with an end of its own.
    """
    behind = max((end for _, _, end in _segments(data)), default=len(_JPEG))
    return data.find(b"\xff\xd9", behind) >= 0


def _segments(data: bytes) -> Iterator[tuple[int, int, int]]:
    """Kind, place and end of each segment of a JPEG up to the first scan.

    Source: ITU-T T.81, B.1 and B.2: segments are FF (one or more), kind, length of two bytes.
    """
    at = len(_JPEG)
    kind = 0
    while is_jpeg(data) and kind != _START_OF_SCAN and at + 4 <= len(data) and data[at] == 0xFF:
        kind = data[at + 1]
        end = at + 1 if kind == 0xFF else at + 2 + _number(data, at + 2, 2)
        yield kind, at, end
        at = end


def _number(data: bytes, at: int, length: int, order: Literal["big", "little"] = "big") -> int:
    return int.from_bytes(data[at : at + length], order)
