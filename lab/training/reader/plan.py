"""How a course goes."""

from dataclasses import dataclass
from math import cos, pi

import numpy as np
from numpy.typing import NDArray

Batch = tuple[NDArray[np.generic], ...]
"""What a network is given, and what its loss is worked out from."""


LEAST_RATE = 0.01  # of the highest


@dataclass(frozen=True, slots=True)
class Plan:
    """steps: batches. rate: highest rate of learning. warm: share of the steps in which it rises.

    decay: of weights. newest: how much the running mean of the weights takes of the newest at least.
    longest: no gradient of all weights is longer.
    """

    steps: int
    batch: int
    rate: float
    seed: int = 1
    warm: float = 0.05
    decay: float = 0.02
    newest: float = 0.002
    longest: float = 5.0

    def rate_at(self, step: int) -> float:
        """How fast is learnt at a step: a short rise, then half a cosine (Loshchilov and Hutter, ICLR 2017).

        It depends on nothing else, so that a course may go on with more or fewer steps than it began with.
        """
        rising = self.steps * self.warm
        if step < rising:
            return self.rate * max(LEAST_RATE, step / rising)
        fallen = (step - rising) / (self.steps - rising)
        return self.rate * max(LEAST_RATE, (1 + cos(pi * fallen)) / 2)
