"""Names the colour of a die's body as a person would."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading import Colour

_HUES = (
    (12.0, Colour.RED),
    (36.0, Colour.ORANGE),
    (68.0, Colour.YELLOW),
    (165.0, Colour.GREEN),
    (255.0, Colour.BLUE),
    (295.0, Colour.PURPLE),
    (345.0, Colour.PINK),
    (361.0, Colour.RED),
)
"""Upper end of each hue (degrees, HSV), going round."""


def name(body_bgr: NDArray[np.float32], white_bgr: NDArray[np.float32] | None = None) -> Colour:
    """The name of a colour. body_bgr: (3,) 0-255; white_bgr: (3,) what white looks like in this light.

    >>> name(np.array([20, 20, 200], np.float32)).value
    'red'
    >>> name(np.array([235, 240, 240], np.float32)).value
    'white'
    """
    body = body_bgr.astype(np.float32)
    if white_bgr is not None:
        body = np.clip(body * (white_bgr.max() / np.maximum(white_bgr, 1.0)), 0, 255)
    pixel = np.clip(body / 255.0, 0.0, 1.0).reshape(1, 1, 3).astype(np.float32)
    hue, saturation, value = (float(v) for v in cv2.cvtColor(pixel, cv2.COLOR_BGR2HSV)[0, 0])
    if value < 0.22 or saturation < 0.2:
        return _neutral(value)
    if saturation < 0.42 and value > 0.5 and 25.0 < hue < 75.0:
        return Colour.IVORY
    if saturation < 0.3:
        return _neutral(value)
    return _chromatic(hue, saturation, value)


def _chromatic(hue: float, saturation: float, value: float) -> Colour:
    found = next(colour for end, colour in _HUES if hue < end)
    if found in (Colour.ORANGE, Colour.RED, Colour.YELLOW) and 10.0 < hue < 45.0 and value < 0.55:
        return Colour.BROWN
    if found is Colour.RED and saturation < 0.55 and value > 0.75:
        return Colour.PINK
    return found


def _neutral(value: float) -> Colour:
    if value > 0.6:
        return Colour.WHITE
    return Colour.GREY if value > 0.3 else Colour.BLACK
