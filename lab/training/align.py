"""Move the cuts of photographs onto the faces: boxes hold whole dice, sides and all, or pips only.

A network taught without photographs looks round each box; where it finds the labelled face most clearly
is the middle of the face. Labels are never changed by it; a die that it cannot find anywhere keeps its
box's middle.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np
import torch
from numpy.typing import NDArray

from lab.training.augment import STRAIGHT, Pose, cut
from lab.training.pools import EDGES as POOL_EDGES
from lab.training.pools import SIDE, Cut, Labelled
from lab.training.train_faces import logits
from vision.inference.face_looks import PATCH_EDGES as EDGES
from vision.inference.face_looks import PATCH_PX as PIXELS
from vision.inference.networks import crop_square

SHIFTS = (-0.28, -0.14, 0.0, 0.14, 0.28)
SCALES = (0.8, 1.0, 1.25)
POSES: tuple[Pose, ...] = tuple(
    replace(STRAIGHT, shift=(x, y), edges=EDGES * scale) for scale in SCALES for y in SHIFTS for x in SHIFTS
)
WEIGHT_POWER = 4.0
FOUND = 0.5


def _odds(network: torch.nn.Module, patch: NDArray[np.uint8]) -> NDArray[np.float64]:
    """(poses, 7) probabilities of one pool patch cut in every pose of POSES."""
    seen = logits(network, np.array([cut(patch, pose) for pose in POSES]).reshape(-1, PIXELS, PIXELS, 3))
    seen = seen[:, :7]
    odds = np.exp(seen.astype(np.float64) - seen.max(1, keepdims=True))
    return np.asarray(odds / odds.sum(1, keepdims=True))


def aligned(network: torch.nn.Module, image: NDArray[np.uint8], place: Cut) -> Cut:
    """The cut moved onto the face it is labelled with."""
    patch = crop_square(image, (place.x, place.y), place.edge_px * POOL_EDGES, SIDE)
    likely = _odds(network, patch)[:, place.label]
    if likely.max() < FOUND:
        return place
    weight = likely**WEIGHT_POWER
    weight /= weight.sum()
    x = sum(w * p.shift[0] for w, p in zip(weight, POSES, strict=True))
    y = sum(w * p.shift[1] for w, p in zip(weight, POSES, strict=True))
    scale = float(np.exp(sum(w * np.log(p.edges / EDGES) for w, p in zip(weight, POSES, strict=True))))
    return replace(
        place, x=place.x + x * place.edge_px, y=place.y + y * place.edge_px, edge_px=place.edge_px * scale
    )


def align_all(network: torch.nn.Module, pictures: Iterable[Labelled]) -> Iterator[Labelled]:
    """The same pictures with every die's cut moved onto its face."""
    for picture in pictures:
        cuts = tuple(aligned(network, picture.image, c) if c.label else c for c in picture.cuts)
        yield replace(picture, cuts=cuts)
