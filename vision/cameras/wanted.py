"""What a person wants of a live camera beyond its name: the settings of its picture."""

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cameras.sensors import Size

_TURNS = {90: cv2.ROTATE_90_CLOCKWISE, 180: cv2.ROTATE_180, 270: cv2.ROTATE_90_COUNTERCLOCKWISE}


@dataclass(frozen=True, slots=True)
class CaptureSettings:
    """The settings of a picture; what is left as it is here is left to the camera.

    size_wh: pixels, before it is turned. fps: pictures a second. rotation: degrees clockwise, 0, 90, 180 or
    270. mirrored: left and right change places, after the rotation. flicker_hz: frequency of the mains whose
    lamps must not show as bands, 50 or 60; 0 leaves it alone. hdr: bright and dark parts both, from exposures
    the camera combines. short_exposure: less smear and more noise. exposure_ms: how long each picture is
    exposed, while the gain follows the light. number: which of several cameras of this kind, from 0.
    usual_wh: pixels where nobody has named any, instead of the camera's usual ones: what has more is made
    smaller, and nobody complains.
    """

    size_wh: Size | None = None
    fps: float | None = None
    rotation: int = 0
    mirrored: bool = False
    flicker_hz: int = 0
    hdr: bool = False
    short_exposure: bool = False
    exposure_ms: float | None = None
    number: int | None = None
    usual_wh: Size | None = None

    @property
    def taken_wh(self) -> Size | None:
        """The size to request from the device; None for its usual one."""
        return self.size_wh or self.usual_wh

    def exposed_otherwise(self, held_ms: float | None) -> bool:
        """Whether the requested exposure differs from the locked one.

        >>> settings = CaptureSettings(exposure_ms=5)
        >>> settings.exposed_otherwise(10), settings.exposed_otherwise(4.9)
        (True, False)
        """
        wanted_ms = self.exposure_ms
        return wanted_ms is not None and held_ms is not None and abs(held_ms - wanted_ms) > 0.1 * wanted_ms

    def shown(self, image: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The picture (h, w, 3) no larger than usual, and the right way round.

        The same array where nothing is to be done.
        """
        if self.size_wh is None and self.usual_wh is not None:
            image = _no_larger(image, self.usual_wh)
        if self.rotation:
            image = np.asarray(cv2.rotate(image, _TURNS[self.rotation]), np.uint8)
        return np.asarray(cv2.flip(image, 1), np.uint8) if self.mirrored else image

    @property
    def requested(self) -> tuple[str, ...]:
        """Names of the settings that only the device itself can see to, of those that are wanted."""
        wanted = {
            "size": self.size_wh is not None,
            "fps": self.fps is not None,
            "flicker": bool(self.flicker_hz),
            "hdr": self.hdr,
            "short_exposure": self.short_exposure,
            "exposure_ms": self.exposure_ms is not None,
        }
        return tuple(name for name, is_wanted in wanted.items() if is_wanted)


def _no_larger(image: NDArray[np.uint8], size_wh: Size) -> NDArray[np.uint8]:
    """The picture with about as many pixels as one of that size, if it has more; its shape stays."""
    share = math.sqrt(math.prod(size_wh) / math.prod(image.shape[:2]))
    if share >= 1:
        return image
    smaller_wh = (round(image.shape[1] * share), round(image.shape[0] * share))
    return np.asarray(cv2.resize(image, smaller_wh, interpolation=cv2.INTER_AREA), np.uint8)


AS_IT_COMES = CaptureSettings()
"""Nothing in particular."""
