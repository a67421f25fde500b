"""Places for further dice beside those that were read: the finder overlooks dice that touch.

Touching dice are an edge apart, so the places are few: all around each die. A place without any structure is
bare ground, and does not need the face network.
"""

import numpy as np

from vision.columns import besides
from vision.inference import face_looks
from vision.inference.networks import crop_patches
from vision.judgement import evidence, posture
from vision.pips import Floats, Picture

APART = 1.05
"""Middles of dice that touch are this many edges apart: a little more where they stand askew."""
PLACES = 16
"""How many places round each die: the network sees a face that is off by half the distance between them."""
TWICE = 0.3
"""Places nearer to each other than this share of an edge mean one die."""
DRAWN = 0.4
"""Bare ground differs from its mean less than this share of what the faces of the dice do."""
LOOKED_PX, LOOKED_SHARE = 12, 0.6
"""How a place is looked at for that: this much of it that no corner of the die beside reaches in."""
SCORE = 0.65
"""What the finder says of most dice that it sees; of dice that touch it says nothing."""
_TURN = np.linspace(0, 2 * np.pi, PLACES, endpoint=False)
_ROUND = np.stack([np.cos(_TURN), np.sin(_TURN)], 1).astype(np.float32) * APART


def places_beside(levels: tuple[Picture, ...], x: Floats, y: Floats, edge: Floats) -> Floats:
    """(n, 4) float32 x, y, edge (px) and score, as `evidence.proposals` gives them, likeliest first.

    levels: the picture and its halvings; x, y, edge: (m,) of the top faces that were read, px.
    """
    dice = np.stack([x, y, edge], 1)
    ring = np.repeat(dice[:, None], PLACES, 1)
    ring[..., :2] += edge[:, None, None] * _ROUND
    places = ring.reshape(-1, 3)
    height, width = levels[0].shape[:2]
    free = besides(places.T, (x, y, edge), posture.PILED, np.minimum)
    free &= (places[:, :2] > 0).all(1) & (places[:, 0] < width) & (places[:, 1] < height)
    free &= places[:, 2] >= evidence.SMALLEST_BODY
    places = places[free]
    places = places[_drawn(levels, places) > DRAWN * float(np.median(_drawn(levels, dice)))]
    return _promising(levels, places)


def _drawn(levels: tuple[Picture, ...], places: Floats) -> Floats:
    """(n,) how much is drawn at places (x, y, edge; px): the deviation of values, 0-128."""
    patches = crop_patches(levels, (places[:, 0], places[:, 1], LOOKED_SHARE * places[:, 2]), LOOKED_PX)
    # channels first: numpy is quick along the last axis
    values = patches.reshape(len(patches), LOOKED_PX**2, 3).transpose(0, 2, 1).astype(np.float32, order="C")
    drawn: Floats = values.std(2).max(1, initial=0.0)
    return drawn


def _promising(levels: tuple[Picture, ...], places: Floats) -> Floats:
    """Those of the places (n, 3) that show any promise, moved to where the face is seen, each once."""
    promise, x, y, edge = face_looks.seen_face(levels, *places.T)
    kept: list[int] = []
    for k in np.argsort(-promise, kind="stable").tolist():
        if promise[k] < evidence.PROMISE:
            break
        if all(np.hypot(x[k] - x[i], y[k] - y[i]) > TWICE * edge[k] for i in kept):
            kept.append(k)
    found: Floats = np.stack([x, y, edge, np.full(len(x), SCORE, np.float32)], 1)[kept]
    return found.astype(np.float32)
