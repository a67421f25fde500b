"""What a person wants of a live camera beyond its name: the settings of its picture."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cameras.sensors import Size

_TURNS = {90: cv2.ROTATE_90_CLOCKWISE, 180: cv2.ROTATE_180, 270: cv2.ROTATE_90_COUNTERCLOCKWISE}


@dataclass(frozen=True, slots=True)
class Wanted:
    """The settings of a picture; what is left as it is here is left to the camera.

    size_wh: pixels, before it is turned. fps: pictures a second. rotation: degrees clockwise, 0, 90, 180 or
    270. mirrored: left and right change places, after the rotation. flicker_hz: frequency of the mains whose
    lamps must not show as bands, 50 or 60; 0 leaves it alone. hdr: bright and dark parts both, from exposures
    the camera combines. short_exposure: less smear and more noise. exposure_ms: how long each picture is
    exposed, while the gain follows the light. number: which of several cameras of this kind, from 0.
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

    def turned(self, image: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The picture (h, w, 3) the right way round; the same array where nothing is to be done."""
        if self.rotation:
            image = np.asarray(cv2.rotate(image, _TURNS[self.rotation]), np.uint8)
        return np.asarray(cv2.flip(image, 1), np.uint8) if self.mirrored else image

    @property
    def asked(self) -> tuple[str, ...]:
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


AS_IT_COMES = Wanted()
"""Nothing in particular."""
