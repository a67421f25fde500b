"""What the file of a picture says of itself before it is decoded: its kind, its size, whether it is whole."""

from collections.abc import Iterator
from enum import StrEnum
from typing import Literal, assert_never

Size = tuple[int, int]
"""Width and height in pixels."""

_JPEG = b"\xff\xd8"
_PNG = b"\x89PNG\r\n\x1a\n"
_START_OF_SCAN = 0xDA
_NO_SIZE = (0xC4, 0xC8, 0xCC)
"""Segments with SOF numbers that start no frame: Huffman tables, an extension, arithmetic coding."""
_WIDTH, _HEIGHT, _BITS, _SAMPLES, _TILE_WIDTH, _TILE_HEIGHT = 256, 257, 258, 277, 322, 323
"""Tags of TIFF 6.0."""
_TILE_ROUND = 256
"""Tiles are of full size also where the picture is smaller: usually 256 px."""


_HEIF_BRANDS = frozenset({b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"})
_AVIF_BRANDS = frozenset({b"avif", b"avis"})
_FOREIGN = (
    (b"\0\0\0\x0cjP  \r\n\x87\n", "JPEG 2000"),
    (b"\xff\x4f\xff\x51", "JPEG 2000"),
    (b"\0\0\0\x0cJXL \r\n\x87\n", "JPEG XL"),
    (b"\xff\x0a", "JPEG XL"),
    (b"GIF87a", "GIF"),
    (b"GIF89a", "GIF"),
)
HEAD_BYTES = 64
"""So much of a file tells its kind."""


class PictureKind(StrEnum):
    """Kinds of picture that are decoded."""

    JPEG = "JPEG"
    PNG = "PNG"
    WEBP = "WebP"
    TIFF = "TIFF"
    BMP = "BMP"


def kind_of(data: bytes) -> PictureKind | None:
    """The kind of picture a file begins as, whatever its name; None for what is not decoded."""
    if data.startswith(b"\xff\xd8\xff"):
        return PictureKind.JPEG
    if data.startswith(_PNG):
        return PictureKind.PNG
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return PictureKind.WEBP
    if data[:4] in (b"II*\0", b"MM\0*"):
        return PictureKind.TIFF
    return PictureKind.BMP if data.startswith(b"BM") else None


def foreign_kind(data: bytes) -> str | None:
    r"""What a person calls a picture that is not decoded, by its first bytes; None for no picture.

    >>> foreign_kind(b"\0\0\0\x18ftypheic\0\0\0\0mif1heic")
    'HEIC'
    """
    if data[4:8] == b"ftyp":  # ISO/IEC 23008-12: the brand, a version, brands it is compatible with
        brands = {
            data[8:12],
            *(data[at : at + 4] for at in range(16, min(_number(data, 0, 4), HEAD_BYTES), 4)),
        }
        if brands & _AVIF_BRANDS:
            return "AVIF"
        return "HEIC" if brands & _HEIF_BRANDS else None
    return next((name for head, name in _FOREIGN if data.startswith(head)), None)


def size_wh(data: bytes) -> Size | None:
    """Width and height that a JPEG, PNG, WebP, TIFF or BMP file names; None where it names none."""
    match kind_of(data):
        case PictureKind.JPEG:
            size = jpeg_size_wh(data)
        case PictureKind.PNG:
            size = (_number(data, 16, 4), _number(data, 20, 4)) if data[12:16] == b"IHDR" else None
        case PictureKind.WEBP:
            size = _webp_size_wh(data)
        case PictureKind.TIFF:
            size = _tiff_size_wh(data, "little" if data.startswith(b"II") else "big")
        case PictureKind.BMP:
            size = _bmp_size_wh(data)
        case None:
            size = None
        case other:
            assert_never(other)
    return None if size is None or min(size) < 1 else size


def jpeg_size_wh(data: bytes) -> Size | None:
    """Width and height that a JPEG file names; None when it is no JPEG or does not name them."""
    for kind, at, _ in _segments(data):
        if 0xC0 <= kind <= 0xCF and kind not in _NO_SIZE and at + 9 <= len(data):
            return _number(data, at + 7, 2), _number(data, at + 5, 2)
    return None


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


def _bmp_size_wh(data: bytes) -> Size | None:
    """Source: BITMAPCOREHEADER (12 bytes, of OS/2) and BITMAPINFOHEADER (40 and more)."""
    header = _number(data, 14, 4, "little")
    if header == 12:
        return _number(data, 18, 2, "little"), _number(data, 20, 2, "little")
    if header < 40:
        return None
    width, height = (_number(data, at, 4, "little") for at in (18, 22))
    return width, min(height, 2**32 - height)  # negative when it is stored from the top


def _tiff_size_wh(data: bytes, order: Literal["big", "little"]) -> Size | None:
    """Source: TIFF 6.0, section 2: entries of 12 bytes: tag, type (3: two bytes, 4: four), count, value.

    None also for more than four samples of 16 bits, and for tiles larger than the picture: a decoder makes
    room for a whole one. Of an entry that is there twice the larger counts.
    """
    directory = _number(data, 4, 4, order)
    named: dict[int, int] = {}
    for k in range(_number(data, directory, 2, order)):
        at = directory + 2 + 12 * k
        tag, kind, count = (
            _number(data, at, 2, order),
            _number(data, at + 2, 2, order),
            _number(data, at + 4, 4, order),
        )
        if tag == _BITS and count * 2 > 4:
            at = _number(data, at + 8, 4, order) - 8  # it stands elsewhere
        if kind in (3, 4):
            value = _number(data, at + 8, 2 if kind == 3 else 4, order)
            named[tag] = max(value, named.get(tag, 0))
    size = named.get(_WIDTH, 0), named.get(_HEIGHT, 0)
    tile = named.get(_TILE_WIDTH, 0), named.get(_TILE_HEIGHT, 0)
    deep = named.get(_SAMPLES, 1) > 4 or named.get(_BITS, 1) > 16
    too_large = any(side > whole + _TILE_ROUND for side, whole in zip(tile, size, strict=True))
    return None if deep or too_large else size


def _number(data: bytes, at: int, length: int, order: Literal["big", "little"] = "big") -> int:
    return int.from_bytes(data[at : at + length], order)
