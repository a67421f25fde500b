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
    (352.0, Colour.PINK),
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
    plain = 0.16 if 24.0 < hue < 75.0 else 0.12  # white dice look a little warm under most lamps
    if saturation < plain or value < 0.12 or (value < 0.26 and saturation < 0.42):
        return _neutral(value)
    if saturation < 0.42 and 24.0 < hue < 75.0:
        return Colour.IVORY if value > 0.5 else _neutral(value)
    return _chromatic(hue, saturation, value)


def _chromatic(hue: float, saturation: float, value: float) -> Colour:
    found = next(colour for end, colour in _HUES if hue < end)
    if found is Colour.PINK and hue > 330.0 and saturation > 0.62:
        return Colour.RED
    if found is Colour.RED and saturation < 0.27:
        return Colour.PINK if value > 0.6 else _neutral(value)
    if found in (Colour.ORANGE, Colour.YELLOW) and hue < 48.0:
        dull = value < 0.4 or (value < 0.56 and saturation < 0.65)
        return Colour.BROWN if dull else found
    return found


def _neutral(value: float) -> Colour:
    if value > 0.66:
        return Colour.WHITE
    return Colour.GREY if value > 0.37 else Colour.BLACK
