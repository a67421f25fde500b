"""A small network for the foot of a die: where the die stands, relative to its top face.

The foot is given from the middle of the top face, in edges of that face, with its uncertainty. The network
also gives the posture of the die, for places where no face could be read. `vision.judgement.leaning`
interprets feet.
"""

from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from vision.inference.networks import crop_squares, on_fitting_level, shared, softmax, standardised
from vision.pips import Floats, Picture

LEANING = "leaning"
PATCH_PX = 64
PATCH_EDGES = 2.6
FIT_PX = 12.0
"""Dice are looked at where their edge has 5/4 to 5/2 of this, px: about as in the patch that the network
sees, so that nothing is left to shrink die by die."""


class Posture(IntEnum):
    """How a die lies, or that there is none."""

    FLAT = 0
    LEANING = 1
    STACKED = 2
    HIDDEN = 3
    NOT = 4


@dataclass(frozen=True, slots=True)
class PostureEstimate:
    """What the network says of n places.

    foot: (n, 2) float32, in edges from the middle of the top face. doubt: (n,) float32, the error to expect
    of it, in edges. posture: (n, len(Posture)) float32, probabilities.
    """

    foot: Floats
    doubt: Floats
    posture: Floats


@dataclass(frozen=True, slots=True)
class Augmentation:
    """A way to look at a patch: turned by so many quarters against the clock, then mirrored left to right."""

    quarters: int
    mirrored: bool

    def apply(self, patches: Picture) -> Picture:
        """Patches (n, h, w, 3) seen so."""
        turned = np.rot90(patches, self.quarters, (1, 2))
        return turned[:, :, ::-1] if self.mirrored else turned

    def undo(self, feet: Floats) -> Floats:
        """Feet (n, 2), x to the right and y down, of patches seen so, as they stand in the picture."""
        turn = np.linalg.matrix_power(np.array([[0.0, -1.0], [1.0, 0.0]]), self.quarters)
        mirror = np.diag([-1.0 if self.mirrored else 1.0, 1.0])
        return np.asarray(feet @ (turn @ mirror).T, np.float32)


AUGMENTATIONS = tuple(
    Augmentation(quarters, mirrored) for mirrored in (False, True) for quarters in (0, 2, 1, 3)
)
ONCE, TWICE, CLOSELY = 1, 2, len(AUGMENTATIONS)
"""How often a place is looked at: the mean of many looks errs less than one."""


def estimate_posture(
    image_bgr: Picture, x: Floats, y: Floats, edge: Floats, *, looks: int = TWICE
) -> PostureEstimate:
    """What the network says of places. image_bgr: (h, w, 3) uint8, 0-255; x, y, edge: of top faces, px.

    looks: in how many of AUGMENTATIONS it sees each place. Loads the model at the first call; raises
    ModelError when it cannot.
    """
    return posture_of(crop_squares(image_bgr, (x, y, edge), PATCH_EDGES, PATCH_PX), looks=looks)


def estimate_on_level(
    levels: tuple[Picture, ...], x: Floats, y: Floats, edge: Floats, *, looks: int = TWICE
) -> PostureEstimate:
    """The same, from the level that fits of a picture and its halvings; x, y, edge: px of the first."""
    return estimate_posture(*on_fitting_level(levels, (x, y, edge), FIT_PX), looks=looks)


def posture_of(patches: Picture, *, looks: int = TWICE) -> PostureEstimate:
    """The same of patches (n, PATCH_PX, PATCH_PX, 3) uint8 BGR."""
    shown = np.concatenate([way.apply(patches) for way in AUGMENTATIONS[:looks]])
    answer = shared(LEANING).of_patches(shown, standardised)
    outputs = answer.reshape(looks, len(patches), 3 + len(Posture))
    feet = np.stack([way.undo(one[:, :2]) for way, one in zip(AUGMENTATIONS, outputs, strict=False)])
    doubt = np.exp(np.clip(outputs[:, :, 2].mean(0), -4, 1))
    return PostureEstimate(feet.mean(0), doubt, softmax(outputs[:, :, 3:]).mean(0))
