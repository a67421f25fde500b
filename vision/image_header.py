"""What the file of a picture says of itself before it is decoded: its size, and whether its end is there."""

import re
from collections.abc import Iterator
from typing import Literal

Size = tuple[int, int]
"""Width and height in pixels."""

_JPEG = b"\xff\xd8"
_PNG = b"\x89PNG\r\n\x1a\n"
_START_OF_SCAN = 0xDA
_MARKER = re.compile(rb"\xff(?![\x00\xff\xd0-\xd7])")
"""Source: ITU-T T.81, B.1: within a scan FF stands before 00, or before the number of a restart."""
_NO_SIZE = (0xC4, 0xC8, 0xCC)
"""Segments with SOF numbers that start no frame: Huffman tables, an extension, arithmetic coding."""


def size_wh(data: bytes) -> Size | None:
    """Width and height that a JPEG, PNG, WebP, TIFF or BMP file names; None for others."""
    if data.startswith(_JPEG):
        return jpeg_size_wh(data)
    if data.startswith(_PNG):
        return _number(data, 16, 4), _number(data, 20, 4)
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return _webp_size_wh(data)
    if data[:4] in (b"II*\0", b"MM\0*"):
        return _tiff_size_wh(data, "little" if data.startswith(b"II") else "big")
    if data.startswith(b"BM") and _number(data, 14, 4, "little") >= 40:  # below: a header of another shape
        width, height = (_number(data, at, 4, "little") for at in (18, 22))
        return width, min(height, 2**32 - height)  # negative when it is stored from the top
    return None


def jpeg_size_wh(data: bytes) -> Size | None:
    """Width and height that a JPEG file names; None when it is no JPEG or does not name them."""
    for kind, at, _ in _segments(data):
        if 0xC0 <= kind <= 0xCF and kind not in _NO_SIZE and at + 9 <= len(data):
            return _number(data, at + 7, 2), _number(data, at + 5, 2)
    return None


def with_longer_scan(data: bytes, more: bytes) -> bytes:
    """A JPEG file in whose first scan `more` follows what it holds; as it is where there is no scan.

    A decoder that had all it needed takes no notice of it.
    """
    behind = _behind_segments(data)
    end = _MARKER.search(data, behind)
    return data if end is None else data[: end.start()] + more + data[end.start() :]


def cut_short(data: bytes) -> bool:
    """Whether a JPEG or PNG file lacks the mark of its end. More may follow: phones append a film.

    A PNG whose chunk claims to be longer than the file is one: a decoder would take that much memory for it.
    """
    if data.startswith(_PNG):
        return _png_cut_short(data)
    if not data.startswith(_JPEG):
        return False
    return data.find(b"\xff\xd9", _behind_segments(data)) < 0


def _behind_segments(data: bytes) -> int:
    """Where the first scan of a JPEG is: segments may hold a whole small picture with an end of its own."""
    return max((end for _, _, end in _segments(data)), default=len(_JPEG))


def _png_cut_short(data: bytes) -> bool:
    """Source: PNG specification, 5.3: a chunk is its length (4 bytes), its kind, its data, a checksum."""
    at = len(_PNG)
    while at + 12 <= len(data):
        kind, at = data[at + 4 : at + 8], at + 12 + _number(data, at, 4)
        if kind == b"IEND":
            return at > len(data)
    return True


def _segments(data: bytes) -> Iterator[tuple[int, int, int]]:
    """Kind, place and end of each segment of a JPEG up to the first scan.

    Source: ITU-T T.81, B.1 and B.2: segments are FF (one or more), kind, length of two bytes.
    """
    at = len(_JPEG)
    kind = 0
    while data.startswith(_JPEG) and kind != _START_OF_SCAN and at + 4 <= len(data) and data[at] == 0xFF:
        kind = data[at + 1]
        end = at + 1 if kind == 0xFF else at + 2 + _number(data, at + 2, 2)
        yield kind, at, end
        at = end


def _webp_size_wh(data: bytes) -> Size | None:
    """Source: RFC 9649, 2.4 to 2.7: a key frame of VP8, a stream without loss, or the extended header."""
    match data[12:16]:
        case b"VP8 ":
            width, height = (_number(data, at, 2, "little") & 0x3FFF for at in (26, 28))
            return width, height
        case b"VP8L":
            both = _number(data, 21, 4, "little")
            return 1 + (both & 0x3FFF), 1 + (both >> 14 & 0x3FFF)
        case b"VP8X":
            return 1 + _number(data, 24, 3, "little"), 1 + _number(data, 27, 3, "little")
    return None


def _tiff_size_wh(data: bytes, order: Literal["big", "little"]) -> Size | None:
    """Source: TIFF 6.0, section 2: entries of 12 bytes: tag, type (3: two bytes), count, value."""
    directory = _number(data, 4, 4, order)
    named = {}
    for k in range(_number(data, directory, 2, order)):
        at = directory + 2 + 12 * k
        length = 2 if _number(data, at + 2, 2, order) == 3 else 4
        named[_number(data, at, 2, order)] = _number(data, at + 8, length, order)
    return (named[256], named[257]) if {256, 257} <= named.keys() else None


def _number(data: bytes, at: int, length: int, order: Literal["big", "little"] = "big") -> int:
    return int.from_bytes(data[at : at + length], order)
