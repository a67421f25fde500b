"""Where a picture shows a hand: a small network looks at all of it, no larger than a thumbnail.

It knows hands and bare arms by their shape, where colour (`vision.reasons.hand`) cannot tell them from wood.
Drawn and rendered hands taught it: of real ones it sees fewer than their colour tells.
"""

import cv2
import numpy as np

from vision.inference.finder import blob, squeezed
from vision.inference.networks import shared
from vision.pips import Floats, Picture

HANDS = "hands"
PIXELS = 112 * 84
"""Of the thumbnail, whatever its shape."""
STRIDE = 4
_UNIT = 16
SHARE, LIKELY, SURELY = 0.02, 0.5, 0.97
"""A hand covers at least such a share of the picture, likely everywhere and surely somewhere."""
HARDLY = 0.1
"""Less than this everywhere, and what has a hand's colour is no hand: of 27 frames with a real hand that its
colour tells, none has less than 0.2; of wood and leather three of five have less than 0.07."""


def hand_probabilities(image_bgr: Picture) -> Floats:
    """(h / 4, w / 4) float32, 0-1: how likely each place of the picture's thumbnail shows a hand.

    image_bgr: (h, w, 3) uint8 of any size; the thumbnail has PIXELS pixels, or as many as a smaller picture.
    Loads the model at the first call; raises ModelError when it is missing or damaged.
    """
    small = squeezed(image_bgr, PIXELS)
    height, width = small.shape[:2]
    whole = cv2.copyMakeBorder(small, 0, -height % _UNIT, 0, -width % _UNIT, cv2.BORDER_REPLICATE)
    logits = shared(HANDS).of_picture(blob(np.asarray(whole, np.uint8)))[0]
    logits = logits[: -(-height // STRIDE), : -(-width // STRIDE)]
    return np.asarray(1 / (1 + np.exp(-logits)), np.float32)


def surely_shows_hand(image_bgr: Picture) -> bool:
    """Whether a hand or a bare arm is surely in a picture (h, w, 3) uint8 BGR."""
    odds = hand_probabilities(image_bgr)
    _, labels, stats, _ = cv2.connectedComponentsWithStats((odds > LIKELY).astype(np.uint8))
    large = [k for k in range(1, len(stats)) if stats[k, cv2.CC_STAT_AREA] >= SHARE * odds.size]
    return any(odds[labels == k].max() >= SURELY for k in large)


def surely_shows_none(image_bgr: Picture) -> bool:
    """Whether nothing in a picture (h, w, 3) uint8 BGR, which is in focus, looks like a hand or an arm."""
    return float(hand_probabilities(image_bgr).max()) < HARDLY
