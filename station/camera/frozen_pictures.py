"""Notices a driver that hands out one picture again and again. A sensor's noise makes no two alike."""

import numpy as np
from numpy.typing import NDArray

FROZEN_S = 5.0
"""Pictures that stay the same for this long are not live."""
EVERY = 8
"""Every so many rows and columns are compared: 14,400 values of a 1280 by 720 picture."""


class FrozenPictures:
    """Compares each picture with the one before."""

    def __init__(self) -> None:
        self._last: NDArray[np.uint8] | None = None
        self._since_s = 0.0

    def looks_frozen(self, image: NDArray[np.uint8], now_s: float) -> bool:
        """Whether all pictures of the last `FROZEN_S` seconds were this one. image: (h, w, 3) uint8.

        One that is all black or all white is none that noise could tell from another.
        """
        sample = image[::EVERY, ::EVERY]
        same = self._last is not None and np.array_equal(self._last, sample)
        if not same or sample.min() == sample.max():
            self._last, self._since_s = sample.copy(), now_s
            return False
        return now_s - self._since_s >= FROZEN_S
