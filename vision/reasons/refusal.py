"""Why a picture could not be read: what lies where no face was read, and what is wrong with those that were.

A die that leans, is hidden or burnt out often shows no face at all. The finder still proposes its place, and
the leaning network says how it lies there.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.columns import Columns, besides
from vision.inference import foot_network, witness_network
from vision.inference.face_looks import ask, faces_at, moved
from vision.inference.foot_network import Posture, PostureEstimate
from vision.inference.networks import crop_square
from vision.inference.polyhedron_network import are_polyhedra
from vision.judgement import evidence, leaning, posture, standing
from vision.judgement.other_dice import BESIDE, MAYBE_SCORE, SOME_FACE, UNDER
from vision.pips import Floats, Picture, pyramid
from vision.reading import DieReading, Reason, places_of
from vision.reasons import quality

APART = 0.62
"""Nearer than this share of the larger edge to a die that was read, a proposal means that die."""
UNREAD_MAX = 12
SURELY, SURELY_SCORE = 0.6, 0.65
"""How sure network and finder must be of a die where no face is read."""
LIKELY_SCORE = 0.45
"""From here on the finder's proposals are shown to the witness network before a picture is empty."""
NEAR = 1.5
"""A body is looked at by itself up to so many edges from its middle."""
PARTS, GROUP = (1 / 3, 0.9), 3
"""Dice of a group have edges of these shares of what was taken for one body, and are so many at least: a
domino shows two."""
SMEARED = 5
"""This many places like dice that are out of focus are dice; two photographs of blurred things have 3."""
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


def surely_a_die(levels: tuple[Picture, ...], unread: UnreadBodies) -> bool:
    """Whether one of the places holds a die for certain, though no face was read anywhere.

    levels: the picture and its halvings.
    """
    return bool(_sure_dice(levels, unread.take(unread.score >= SURELY_SCORE)))


def witness_sees_face(levels: tuple[Picture, ...], unread: UnreadBodies) -> bool:
    """Whether the witness network is sure of a face at one of the places. levels: as above."""
    x, y, edge, score = unread.x, unread.y, unread.edge, unread.score
    says = witness_network.faces_at(levels, *(values[score >= LIKELY_SCORE] for values in (x, y, edge)))
    return bool((says[:, 1:] >= witness_network.SURE).any())


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


def several_dice(levels: tuple[Picture, ...], unread: UnreadBodies) -> bool:
    """Whether one of the places holds dice that lie so close that from afar they are one body.

    Looked at by itself, it is several that are smaller, and dice for certain. levels: as above.
    """
    for x, y, edge in zip(unread.x, unread.y, unread.edge, strict=True):
        wide = 2 * NEAR * float(edge)
        near = pyramid(crop_square(levels[0], (float(x), float(y)), wide, round(wide)))
        found = likely_bodies(evidence.proposals(near))
        part = found.edge / edge
        if _sure_dice(near, found.take((part > PARTS[0]) & (part < PARTS[1]))) >= GROUP:
            return True
    return False


def _sure_dice(levels: tuple[Picture, ...], unread: UnreadBodies) -> int:
    """How many of the places hold a die for certain."""
    unread = unread.take(_no_die(levels[0], unread) < 1 - SURELY)
    return int((~_plainly_faceless(levels, unread)).sum()) if len(unread.x) else 0


def _plainly_faceless(levels: tuple[Picture, ...], bodies: UnreadBodies) -> NDArray[np.bool_]:
    """(n,) which bodies show no face though nothing hides one: they are in focus and not burnt out.

    Dice that lean show the network a face as well: of 231 in drawn trays that are to be refused all did, but
    two that were half hidden. A card, a d20, a button shows none that convinces.
    """
    places = bodies.x, bodies.y, bodies.edge
    says, seen_at = ask(levels, *places)
    again = faces_at(levels, *moved(*places, seen_at))
    hidden = foot_network.estimate_posture(levels[0], *places).posture[:, Posture.HIDDEN] > standing.CALLED
    faceless: NDArray[np.bool_] = (np.maximum(says, again)[:, 1:].max(1) < SOME_FACE) & ~hidden
    x, y, edge = (values[faceless] for values in places)
    faceless[faceless] = quality.in_focus(levels, x, y, edge) & ~quality.glare(levels[0], x, y, edge)
    return faceless


def _no_die(image_bgr: Picture, unread: UnreadBodies) -> Floats:
    """(n,) 0-1, how likely each place holds no die."""
    looks = foot_network.estimate_posture(image_bgr, unread.x, unread.y, unread.edge)
    return np.asarray(looks.posture[:, Posture.NOT], np.float32)


def smeared_dice(image_bgr: Picture, unread: UnreadBodies) -> bool:
    """Whether what lies at the places seems to be dice, so out of focus or shaken that nobody can tell."""
    die = _no_die(image_bgr, unread) < 1 - SURELY
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
