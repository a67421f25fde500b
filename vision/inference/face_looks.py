"""The third witness: a small network that looks at one patch and says which face it shows, or none.

It knows nothing of pips found or outlines fitted, so it errs elsewhere than the classical reader does. It
also locates the face.
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.inference.networks import LEAST_SPREAD, MODELS, crop_patches, shared, softmax
from vision.pips import Floats, Picture

FACES = "faces"
PATCH_PX = 48
PATCH_EDGES = 1.6
"""How many face edges a patch is wide."""
NOT_A_FACE = 0
FAINT_MAX = np.float32(4.0)
SHIFT_MAX, GROWTH_MAX = 0.35, 0.6
"""How far from the given place the network's face may be: edges, and doublings of the edge."""
_INNER = slice(PATCH_PX // 4, PATCH_PX - PATCH_PX // 4)


def normalised(patches: Picture) -> Floats:
    """(n, 6, 48, 48) float32 of patches (n, 48, 48, 3) uint8 BGR: each patch twice, in two lights.

    First as a whole, with mean 0 and deviation 1. Then as its middle, a face's size, demands: every colour's
    mean 0 and their deviation 1 there, at most +-FAINT_MAX: so red pips on a black die that lies on white
    are as plain as any.
    """
    n, side = len(patches), PATCH_PX
    floats = np.empty((n, 2, 3, side * side), np.float32)
    whole, local = floats[:, 0], floats[:, 1]
    whole[:] = patches.reshape(n, -1, 3).transpose(0, 2, 1)
    whole -= whole.mean((1, 2), keepdims=True)
    inner = np.ascontiguousarray(whole.reshape(n, 3, side, side)[:, :, _INNER, _INNER]).reshape(n, 3, -1)
    tint = inner.mean(2, keepdims=True)
    inner -= tint
    np.subtract(whole, tint, out=local)
    local /= (_deviation(inner) + np.float32(LEAST_SPREAD))[:, None, None]
    np.minimum(np.maximum(local, -FAINT_MAX, out=local), FAINT_MAX, out=local)
    whole /= (_deviation(whole) + np.float32(LEAST_SPREAD))[:, None, None]
    return floats.reshape(n, 6, side, side)


def _deviation(values: Floats) -> Floats:
    """(n,) of values (n, channels, k) whose mean is 0."""
    squares = np.einsum("nci,nci->n", values, values)
    return np.asarray(np.sqrt(squares / np.float32(values.shape[1] * values.shape[2])), np.float32)


def face_patches(levels: tuple[Picture, ...], x: Floats, y: Floats, edge_px: Floats) -> Picture:
    """The patches (n, 48, 48, 3) round faces, as the network was taught to see them."""
    return crop_patches(levels, (x, y, np.maximum(edge_px, 1.0) * np.float32(PATCH_EDGES)), PATCH_PX)


def classify_faces(patches: Picture, *, models: Path = MODELS) -> tuple[Floats, Floats]:
    """How likely each patch shows each face, and where that face lies.

    patches: (n, 48, 48, 3) uint8 BGR, each centred on a candidate's top face and about 1.6 face edges
    wide, at any rotation (`face_patches` cuts them so). models: the folder of the network.

    Gives the probabilities (n, 7) float32, each row adding up to 1: index 0 is "no flat, readable face here"
    (a side, a leaning, stacked or half-covered die, clutter, bare floor, a cut that misses), 1-6 are the
    faces. And (n, 3) float32, of use where a face is likely: x and y of its middle against the patch's,
    in edges as assumed when the patch was cut, and log2 of its true edge over that one. Loads the model at
    the first call; raises ModelError when it cannot.
    """
    if patches.ndim != 4 or patches.shape[1:] != (PATCH_PX, PATCH_PX, 3) or patches.dtype != np.uint8:
        raise ValueError(
            f"patches must be (n, {PATCH_PX}, {PATCH_PX}, 3) uint8, not {patches.shape} {patches.dtype}"
        )
    answer = shared(FACES, models).of_patches(patches, normalised).reshape(-1, 10)
    return softmax(answer[:, :7]), answer[:, 7:]


class FaceAnswers(NamedTuple):
    """The network's output for the patch around each place (n, 7), and the place of the face (n, 3)."""

    says: Floats
    place: Floats


def ask(
    levels: tuple[Picture, ...],
    x: Floats,
    y: Floats,
    edge: Floats,
    *,
    mirrored: bool = False,
    turned: bool = False,
) -> FaceAnswers:
    """What the network says to the patch round each place.

    mirrored: it is shown the patch's other diagonal way round; turned: upside down. Neither changes a face.
    """
    patches = face_patches(levels, x, y, edge)
    patches = patches.transpose(0, 2, 1, 3) if mirrored else patches
    says, place = classify_faces(patches[:, ::-1, ::-1] if turned else patches)
    place = place * np.array([-1, -1, 1], np.float32) if turned else place
    return FaceAnswers(says, place[:, [1, 0, 2]] if mirrored else place)


def faces_at(levels: tuple[Picture, ...], x: Floats, y: Floats, edge: Floats) -> Floats:
    """(n, 7) what the network says to the patch round each place (px of level 0): none, or the face."""
    return ask(levels, x, y, edge).says


def moved(x: Floats, y: Floats, edge: Floats, place: Floats) -> tuple[Floats, Floats, Floats]:
    """The places where the network sees the faces; never far from the given ones."""
    shift = np.clip(place[:, :2], -SHIFT_MAX, SHIFT_MAX) * edge[:, None]
    grown = np.exp2(np.clip(place[:, 2], -GROWTH_MAX, GROWTH_MAX))
    return x + shift[:, 0], y + shift[:, 1], edge * grown


def seen_face(
    levels: tuple[Picture, ...], x: Floats, y: Floats, edge: Floats
) -> tuple[Floats, Floats, Floats, Floats]:
    """(n,) each: the most that the network gives any face, 0-1, and x, y, edge where it sees it."""
    says, place = ask(levels, x, y, edge)
    return (says[:, 1:].max(1, initial=0.0), *moved(x, y, edge, place))


WAYS = tuple((mirrored, turned) for mirrored in (False, True) for turned in (False, True))
"""A face is the same in a mirror and on its head; what the network says may not be."""
SCALES = (0.88, 1.0, 1.14)
"""Edges at which a face is looked at again, as multiples of what was measured."""


def centred(levels: tuple[Picture, ...], x: Floats, y: Floats, edge: Floats) -> tuple[Floats, Floats, Floats]:
    """The places where the network sees the faces on average of four looks, each the other way round.

    In hard light one look errs by up to an eighth of an edge; of 131 dice of renders nine in ten are within
    0.043 edges so, 0.063 without.
    """
    places = [ask(levels, x, y, edge, mirrored=mirrored, turned=turned).place for mirrored, turned in WAYS]
    return moved(x, y, edge, np.mean(places, 0))


def recheck_faces(
    levels: tuple[Picture, ...],
    x: Floats,
    y: Floats,
    edge: Floats,
    face: NDArray[np.intp],
    scales: tuple[float, ...] = SCALES,
) -> Floats:
    """(looks, n) what the network gives each face in several looks where it sees it, 0-1.

    Each look is another way round, or a little nearer or farther, four for each of the scales: what convinces
    only one way up, or at one size, is not taken for seen.
    """
    x, y, edge = moved(x, y, edge, ask(levels, x, y, edge).place)
    looks = [
        ask(levels, x, y, edge * np.float32(scale), mirrored=mirrored, turned=turned).says
        for scale in scales
        for mirrored, turned in WAYS
    ]
    return np.asarray(np.stack(looks)[:, np.arange(len(face)), face], np.float32)
