"""Places of dice as the table has them: as if every picture were 1280 px wide, whatever size it really has.

The table knows the dice of a turn by where they lay; another size of the picture must not make them move.
"""

from vision.frame import Frame
from vision.reading import Reading

LONGER_PX = 1280
"""The longer side of a picture at the table."""


def at_table(frame: Frame, reading: Reading) -> Reading:
    """The reading of a frame with its places as the table has them."""
    return reading.enlarged(_share(frame))


def in_picture(frame: Frame, x: float, y: float) -> tuple[float, float]:
    """Where a place of the table is in a frame, px."""
    share = _share(frame)
    return (x + 0.5) / share - 0.5, (y + 0.5) / share - 0.5


def _share(frame: Frame) -> float:
    return LONGER_PX / max(frame.image.shape[:2])
