"""Coins, buttons and counters: round and flat, and no dice, whatever their dots and holes look like."""

import numpy as np
from numpy.typing import NDArray

from vision.detection import die_outline
from vision.inference import foot_network
from vision.inference.face_looks import faces_at
from vision.judgement import leaning
from vision.pips import Floats, Picture
from vision.reading import DieReading
from vision.reasons import quality
from vision.reasons.refusal import APART, NO_BODIES, UnreadBodies, all_places

FAINT_DIE = 0.9
"""What is read with more confidence is a die, however round: one with very round corners right below the
camera ends in an ellipse, and shows no foot. Number tokens have 0.5 to 0.7."""
NO_FACE = 0.95
"""At least this likely the network sees no face on what may be a coin, a button, a counter."""


def without_counters(levels: tuple[Picture, ...], bodies: UnreadBodies) -> UnreadBodies:
    """Those of the places that are not proved to hold a coin, a button, a counter."""
    return bodies.take(~_faceless_counters(levels, bodies))


def _faceless_counters(levels: tuple[Picture, ...], bodies: UnreadBodies) -> NDArray[np.bool_]:
    """(n,) which of the places are proved to hold a coin, a button, a counter.

    levels: the picture and its halvings. Proved is what shows no face, has no foot and ends in an ellipse,
    and that sharply: what is blurred is round as well.
    """
    faceless = faces_at(levels, bodies.x, bodies.y, bodies.edge)[:, 0] > NO_FACE
    faceless[faceless] = _round_and_flat(levels, *(v[faceless] for v in (bodies.x, bodies.y, bodies.edge)))
    return np.asarray(faceless, np.bool_)


def _round_and_flat(levels: tuple[Picture, ...], x: Floats, y: Floats, edge: Floats) -> NDArray[np.bool_]:
    """(n,) at which places (middle x, y; edge; px) something ends sharply in an ellipse and has no foot."""
    round_ = np.ones(len(x), np.bool_)
    for proof in (without_foot, die_outline.round_bodies, quality.in_focus, _not_burnt_out):
        seen = np.flatnonzero(round_)
        round_[seen] = proof(levels, x[seen], y[seen], edge[seen])
    return round_


def without_foot(levels: tuple[Picture, ...], x: Floats, y: Floats, edge: Floats) -> NDArray[np.bool_]:
    """(n,) which faces (middle x, y; edge; px) have no foot beside them: nothing stands up there."""
    foot = foot_network.estimate_posture(levels[0], x, y, edge).foot
    without: NDArray[np.bool_] = np.hypot(foot[:, 0], foot[:, 1]) < leaning.NO_FOOT
    return without


def _not_burnt_out(levels: tuple[Picture, ...], x: Floats, y: Floats, edge: Floats) -> NDArray[np.bool_]:
    """(n,) which places (middle x, y; edge; px) show what is there: a lamp mirrored in a die is round too."""
    shown: NDArray[np.bool_] = ~quality.glare(levels[0], x, y, edge)
    return shown


def are_counters(levels: tuple[Picture, ...], dice: tuple[DieReading, ...], proposed: UnreadBodies) -> bool:
    """Whether all that reads as dice, and seems none for sure, are dots on something round and flat.

    Or in it, as the holes of a button are: proposed, all places that may hold a body.
    """
    if not dice or any(die.confidence > FAINT_DIE for die in dice):
        return False
    x, y, edge = all_places(dice, NO_BODIES)
    counters = _round_and_flat(levels, x, y, edge)
    round_ = proposed.take(_faceless_counters(levels, proposed))
    gap = np.hypot(x[:, None] - round_.x, y[:, None] - round_.y)
    counters |= ((gap < APART * round_.edge) & (edge[:, None] < round_.edge)).any(1)
    return bool(counters.all())
