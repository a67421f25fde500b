"""The whole way from pixels to dice: `Reader` for a picture, `StreamReader` for the frames of a camera."""

from vision.still import Reader
from vision.stream import StreamReader

__all__ = ["Reader", "StreamReader"]
