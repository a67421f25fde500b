"""Runs the face network on places of a picture; it also locates the face."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.inference import networks
from vision.pips import Floats, Picture

SHIFT_MAX, GROWTH_MAX = 0.35, 0.6
"""How far from the given place the network's face may be: edges, and doublings of the edge."""


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
    patches = networks.face_patches(levels, x, y, edge)
    patches = patches.transpose(0, 2, 1, 3) if mirrored else patches
    says, place = networks.classify_faces(patches[:, ::-1, ::-1] if turned else patches)
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
