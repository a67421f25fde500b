"""Why a picture could not be read: what lies where no face was read, and what is wrong with those that were.

A die that leans, is hidden or burnt out often shows no face at all. The finder still proposes its place, and
the leaning network says how it lies there.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.columns import Columns, besides
from vision.inference import foot_network, witness_network
from vision.inference.foot_network import Posture, PostureEstimate
from vision.inference.polyhedron_network import are_polyhedra
from vision.judgement import leaning, posture, standing
from vision.judgement.other_dice import BESIDE, MAYBE_SCORE, UNDER
from vision.pips import Floats, Picture
from vision.reading import DieReading, Reason, places_of
from vision.reasons import quality

APART = 0.62
"""Nearer than this share of the larger edge to a die that was read, a proposal means that die."""
UNREAD_MAX = 12
MAY_BE = 0.4
"""Where the finder's score times the chance of a die, by the witness network, is so high, a picture is not
empty. Of 64 pictures of dice in which no face is read 3 stay below; of 102 without dice 16 do not."""
SMEARED, SURELY_NOT = 5, 0.4
"""This many places like dice that are out of focus are dice; two photographs of blurred things have 3. A
place is like a die where the foot network gives it less chance than the second not to be one."""
CUT_OFF = 0.5
"""A body whose middle is nearer to the picture's rim than this share of an edge is not wholly in it."""


@dataclass(frozen=True, slots=True)
class UnreadBodies(Columns):
    """Places that may hold a die which was not read. x, y, edge: (n,) px; score: (n,) 0-1, the finder's."""

    x: Floats
    y: Floats
    edge: Floats
    score: Floats

    def first(self, count: int) -> "UnreadBodies":
        """That many of them, the finder's favourites."""
        return self.take(slice(count))


NO_BODIES = UnreadBodies(*np.zeros((4, 0), np.float32))


def likely_bodies(found: Floats) -> UnreadBodies:
    """The likelier of what the finder proposes. found: (n, 4) of `vision.judgement.evidence.proposals`."""
    return UnreadBodies(*found[:UNREAD_MAX].T)


def unread_bodies(proposed: UnreadBodies, dice: tuple[DieReading, ...]) -> UnreadBodies:
    """Those of the proposals that mean none of the dice that were read, and could be one."""
    free = besides((proposed.x, proposed.y, proposed.edge), places_of(dice), APART, np.maximum)
    if len(dice) > 1:
        usual = float(np.median([die.size for die in dice]))
        free &= posture.of_usual_size(proposed.edge, usual)
    return proposed.take(free)


def without_polyhedra(image_bgr: Picture, bodies: UnreadBodies) -> UnreadBodies:
    """Those of the places that are not proved to hold a d20 or another die that has not six sides."""
    return bodies.take(~are_polyhedra(image_bgr, bodies.x, bodies.y, bodies.edge))


def may_hold_die(levels: tuple[Picture, ...], unread: UnreadBodies) -> bool:
    """Whether one of the places may hold a die, though no face was read anywhere.

    The finder's score counts as much as what the witness network says. levels: the picture and its halvings.
    """
    unread = unread.take(unread.score >= MAY_BE)
    none = witness_network.faces_at(levels, unread.x, unread.y, unread.edge)[:, 0]
    return bool((unread.score * (1 - none) >= MAY_BE).any())


def may_leave_out(levels: tuple[Picture, ...], dice: tuple[DieReading, ...], found: Floats) -> bool:
    """Whether these dice may not be all.

    The finder proposes a place besides them at which the witness network does not surely see none; where
    nothing is in focus it does not know. levels: the picture and its halvings; found: (n, 4) of
    `evidence.proposals`.
    """
    read = np.array([(*die.center, die.size) for die in dice]).T
    x, y, edge, score = found[besides(found.T, read, BESIDE)].T
    likely = score >= MAYBE_SCORE
    if not quality.in_focus(levels, x[likely], y[likely], edge[likely]).all():
        return True
    return not witness_network.sees_none(levels, x, y, edge).all()


def smeared_dice(image_bgr: Picture, unread: UnreadBodies) -> bool:
    """Whether what lies at the places seems to be dice, so out of focus or shaken that nobody can tell."""
    looks = foot_network.estimate_posture(image_bgr, unread.x, unread.y, unread.edge)
    die = looks.posture[:, Posture.NOT] < SURELY_NOT
    if die.sum() < SMEARED:
        return False
    sharp = quality.sharpness(image_bgr, unread.x[die], unread.y[die], unread.edge[die])
    return sharp is not None and sharp < quality.SOFT


def refusal_reasons(
    image_bgr: Picture, dice: tuple[DieReading, ...], unread: UnreadBodies, *, faint: float, few: bool
) -> tuple[Reason, ...]:
    """What is wrong with dice, read or not, for which a reading is refused.

    faint: a die read with less confidence than this is looked at for glare too. few: not all dice were read.
    """
    x, y, edge = all_places(dice, unread)
    if len(x) == 0:
        return ()
    looks = foot_network.estimate_posture(image_bgr, x, y, edge)
    size_wh = (image_bgr.shape[1], image_bgr.shape[0])
    leans = leaning.stand_of(x, y, looks, size_wh).leaning
    fresh = np.arange(len(x)) >= len(dice)
    found = []
    if _leaning(looks, leans, fresh).any():
        found.append(Reason.COCKED)
    under = fresh & (looks.posture.argmax(1) == Posture.HIDDEN) & _beside(dice, x, y)
    if under.any() or (looks.posture[fresh, Posture.STACKED] > standing.CALLED).any():
        found.append(Reason.STACKED)
    at_rim = posture.to_rim(x, y, size_wh) < CUT_OFF * edge
    cut_off = (fresh & at_rim & (looks.posture[:, Posture.NOT] < standing.CALLED)).any()
    if cut_off or (few and len(dice) and posture.body_at_rim(image_bgr, *(v[~fresh] for v in (x, y, edge)))):
        found.append(Reason.CUT_OFF)
    doubted = fresh | np.array([die.confidence < faint for die in dice] + [True] * int(fresh.sum()))
    if quality.glare(image_bgr, x[doubted], y[doubted], edge[doubted]).any():
        found.append(Reason.GLARE)
    return tuple(found)


def _beside(dice: tuple[DieReading, ...], x: Floats, y: Floats) -> NDArray[np.bool_]:
    """(n,) which places are so near to a die that was read that what is hidden there is hidden by it."""
    near = np.zeros(len(x), np.bool_)
    for die in dice:
        near |= np.hypot(x - die.center[0], y - die.center[1]) < UNDER * die.size
    return near


def _leaning(
    looks: PostureEstimate, leans: NDArray[np.float64], fresh: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Which places hold a die that leans: read ones by their feet, unread ones also by their look."""
    called = looks.posture[:, Posture.LEANING] > standing.CALLED
    die = looks.posture[:, Posture.NOT] < standing.CALLED
    return np.where(fresh, die & (called | (leans > leaning.LEANS)), leans > leaning.LEANS)


def all_places(dice: tuple[DieReading, ...], unread: UnreadBodies) -> tuple[Floats, Floats, Floats]:
    """x, y and edge (px) of what was read and what was not, in this order."""
    x, y, edge = places_of(dice)
    return np.concatenate([x, unread.x]), np.concatenate([y, unread.y]), np.concatenate([edge, unread.edge])
