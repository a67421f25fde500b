"""Which files of a folder are pictures, and what is in them."""

from pathlib import Path

from messages.errors import BadInputError, cause
from pictures.header import HEAD_BYTES, PictureKind, foreign_kind, kind_of

SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff"})
"""Of pictures that are decoded."""

RAW_SUFFIXES = frozenset({".dng", ".arw", ".cr2", ".cr3", ".nef", ".orf", ".pef", ".raf", ".rw2", ".srw"})
"""Of what a sensor saw, in each maker's way: many begin as a TIFF that holds a small preview."""

OTHER_SUFFIXES = RAW_SUFFIXES | {".heic", ".heif", ".avif", ".jxl", ".jp2", ".gif"}
"""Of pictures that are not decoded."""


def is_picture(path: Path) -> bool:
    """Whether a file in a folder is a picture, by its name or its first bytes, also one of other kinds."""
    if path.name.startswith(".") or not path.is_file():
        return False
    if path.suffix.lower() in SUFFIXES | OTHER_SUFFIXES:
        return True
    head = _head(path)
    # The two bytes of BMP may begin a text, and many other things are a TIFF.
    return (
        kind_of(head) in {PictureKind.JPEG, PictureKind.PNG, PictureKind.WEBP}
        or foreign_kind(head) is not None
    )


def is_foreign(path: Path) -> bool:
    """Whether a picture is of a kind that is not decoded."""
    head = _head(path)
    return foreign_kind(head) is not None or _is_raw(path, head)


def _is_raw(path: Path, data: bytes) -> bool:
    return path.suffix.lower() in RAW_SUFFIXES and kind_of(data) in {PictureKind.TIFF, None}


def _head(path: Path) -> bytes:
    """The first bytes of a file; empty for an unreadable one, whose error is raised when it is read whole."""
    try:
        with path.open("rb") as file:
            return file.read(HEAD_BYTES)
    except OSError:
        return b""


def bytes_of(path: Path) -> bytes:
    """What is in a picture's file. Raises BadInputError where it is missing, empty or not decoded."""
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
    if _is_raw(path, data):
        raise BadInputError("vision/picture/foreign", name=str(path), kind=path.suffix[1:].upper())
    return data
