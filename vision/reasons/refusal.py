"""Why a picture could not be read: what lies where no face was read, and what is wrong with those that were.

A die that leans, is hidden or burnt out often shows no face at all. The finder still proposes its place, and
the leaning network says how it lies there.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.columns import Columns
from vision.inference import foot_network
from vision.inference.face_looks import ask, faces_at, moved
from vision.inference.foot_network import Posture, PostureEstimate
from vision.inference.networks import on_fitting_level
from vision.inference.polyhedron_network import are_polyhedra
from vision.judgement import evidence, leaning, posture
from vision.judgement.oblique import ViewFromAbove
from vision.pips import Floats, Picture, Pips
from vision.reading import DieReading, Reason, places_of
from vision.reasons import quality

APART = 0.62
"""Nearer than this share of the larger edge to a die that was read, a proposal means that die."""
SIZES = (0.55, 1.8)
"""A body's edge, as a multiple of the edge that most dice of the picture have."""
UNREAD_MAX = 12
THING = 0.3
"""At least so likely no die, what reads as a face makes a reading doubtful; it proves nothing. Of the dice of
561 photographs and renders that are read rightly none is 0.1 likely."""
BODY = (0.3, 0.75)
"""Radius of a spot that may be a die, as a share of the usual edge of the dice."""
ROOM = (1.7, 2.4)
"""Between two dice whose middles are this many edges apart another may stand in the row."""
WITHIN = 0.4
"""What has less than this share of a die's edge is no side of it: another die, taken for one of its pips."""
SURELY, SURELY_SCORE, MAYBE_SCORE = 0.6, 0.65, 0.5
"""How sure network and finder must be of a die where no face is read; the last asks for another look."""
SMEARED = 5
"""This many places like dice that are out of focus are dice; two photographs of blurred things have 3."""
CLEAR = 0.9
"""At least this likely the network sees a face where no other witness speaks for a die: a coin, a speck
or a knot in the wood looks a little like a 1."""
CUT_OFF = 0.5
"""A body whose middle is nearer to the picture's rim than this share of an edge is not wholly in it."""
UNDER = 1.1
"""Within this many edges of a die another that is half hidden lies under it."""
CALLED = 0.5
"""At least this likely the network calls a body so."""
SIDE_LEANS = 0.5
"""A face beside a die that was read is one of its sides where it leans this many times as likely as it lies
flat: the corner of one was called flat with 0.52 and leaning with 0.31."""
FAINT_ONE, NO_OTHER, NO_SPECK = 0.35, 0.03, 0.1
"""A 1 that the network sees with this chance counts as well, where it sees no other face as a d20 shows
several, a die lies flat for certain whose foot is seen, and what lies there is no die with less chance than
the last: a pip on a body of the colour of the ground. Dirt on white paper has no foot."""

SOME_FACE = 0.8
"""Where the finder proposes a die that shows some face with this chance, though a highlight leaves open
which, and a far foot is seen, one stands. Of 558 photographs and renders that are read
rightly none has such a place."""
ASKEW = 0.55
"""What the finder is so sure of, and whose foot is far, is a die seen from beside, whatever its top shows. Of
560 photographs and renders that are read rightly none has such a place; dirt on a table has one of 0.51."""


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
    free = np.ones(len(proposed.x), np.bool_)
    for die in dice:
        gap = np.hypot(proposed.x - die.center[0], proposed.y - die.center[1])
        free &= gap > APART * np.maximum(proposed.edge, die.size)
    if len(dice) > 1:
        usual = float(np.median([die.size for die in dice]))
        free &= (proposed.edge > SIZES[0] * usual) & (proposed.edge < SIZES[1] * usual)
    return proposed.take(free)


def without_polyhedra(image_bgr: Picture, bodies: UnreadBodies) -> UnreadBodies:
    """Those of the places that are not proved to hold a d20 or another die that has not six sides."""
    return bodies.take(~are_polyhedra(image_bgr, bodies.x, bodies.y, bodies.edge))


def likely_middles(spots: Pips, dice: tuple[DieReading, ...]) -> Floats:
    """(n, 2) px, where another die may lie: spots as large as one, and room for one in a row of dice."""
    usual = usual_edge(dice)
    share = spots.r / usual
    bodies = np.stack([spots.x, spots.y], 1)[(share > BODY[0]) & (share < BODY[1])]
    middles = np.array([die.center for die in dice], np.float32)
    gap = np.hypot(*(middles[:, None] - middles).T) / usual
    one, other = np.nonzero(np.triu((gap > ROOM[0]) & (gap < ROOM[1])))
    return np.concatenate([bodies, (middles[one] + middles[other]) / 2])


def usual_edge(dice: tuple[DieReading, ...]) -> np.float32:
    """The edge that most of the dice have, px."""
    return np.float32(np.median([die.size for die in dice]))


def smallest_edge(dice: tuple[DieReading, ...]) -> float:
    """Edge (px) of the smallest other die that is believed: where those that were read are small, theirs."""
    return min(evidence.SMALLEST_BODY, float(usual_edge(dice))) if dice else evidence.SMALLEST_BODY


HINT = 0.01
"""Where the network gives a face so much at a place of the finder's, the face may be all there, but aside: of
four dice that no place hit, two were 0.013 and 0.03 likely there, and all 0.9 and more where it saw them."""
NOWHERE = np.zeros((0, 4), np.float32)
AT_ONCE = 8
"""Places looked at together: one that holds a die will do, and of a rough ground hundreds show a face."""


def shows_another(
    levels: tuple[Picture, ...],
    dice: tuple[DieReading, ...],
    found: Floats,
    bare: Floats = NOWHERE,
    view: ViewFromAbove | None = None,
) -> bool:
    """Whether there is a die where none was read: something that shows a face and stands up like a die.

    levels: the picture and its halvings; found: (n, 4) of `vision.judgement.evidence.proposals`, or with a
    score of 0 from elsewhere; bare: (m, 4) such places of whose edge nothing is believed. Where dice were
    read, another may have their usual edge, but then a speck must not pass for a 1, and a score counts only
    if it was given to about that edge; where none was, a face must be clear. view: of which the levels are,
    if any.
    """
    x, y, edge, score = found.T
    if dice:
        usual = usual_edge(dice)
        again = np.concatenate([found[score > 0], bare])
        again[:, 3] *= (again[:, 2] > SIZES[0] * usual) & (again[:, 2] < SIZES[1] * usual)
        again[:, 2] = usual
        x, y, edge, score = np.concatenate([found, again]).T
    proposed, finders = np.arange(len(x)) < len(found), np.arange(len(x)) < len(x) - len(bare)
    free, beside = _free_of(dice, x, y, edge)
    x, y, edge, score = (values[free] for values in (x, y, edge, score))
    beside, proposed, finders = (values[free] for values in (beside, proposed, finders))
    says, seen_at = ask(levels, x, y, edge)
    faces = says[:, 1:]
    one = faces.argmax(1) == 0
    least = np.where(proposed, CALLED, np.where(one, CLEAR, evidence.CONVINCED)) if dice else CLEAR
    shows = faces.max(1, initial=0.0) > least
    if dice and view is None:
        faint = ~shows & (faces[:, 0] > FAINT_ONE) & (faces[:, 1:] < NO_OTHER).all(1)
        shows |= _standing(levels[0], (x, y, edge), faint, foot=leaning.NO_FOOT, flat=CALLED)
        some = ~shows & finders & (faces.sum(1) > SOME_FACE)
        shows |= _standing(levels[0], (x, y, edge), some, foot=leaning.FAR_FOOT, flat=0.0)
        shows |= _seen_from_beside(levels, (x, y, edge), ~shows & (score >= ASKEW))
        hint = ~shows & finders & (faces.max(1, initial=0.0) > HINT)
        if hint.any() and _shows_one_near(levels, dice, *moved(x[hint], y[hint], edge[hint], seen_at[hint])):
            return True
    if view is not None:
        # a die may stand there unread, when tops are seen so askew; they show some face, or are plain to see
        some = faces.sum(1) > evidence.PROMISE
        shows |= proposed & (score > 0) & (some | (score >= MAYBE_SCORE))
        return bool(view.other_dice(dice, x[shows], y[shows], edge[shows]).any())
    rows = np.flatnonzero(shows)
    parts = (rows[start : start + AT_ONCE] for start in range(0, len(rows), AT_ONCE))
    return any(_stands_up(levels[0], (x[k], y[k], edge[k]), beside[k]) for k in parts)


def _free_of(
    dice: tuple[DieReading, ...], x: Floats, y: Floats, edge: Floats
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """(n,) which places (px) can hold another die than those that were read, and which are beside one."""
    free, beside = edge >= smallest_edge(dice), np.zeros(len(x), np.bool_)
    if len(dice) > 1:
        free &= (edge > SIZES[0] * usual_edge(dice)) & (edge < SIZES[1] * usual_edge(dice))
    for die in dice:
        gap = np.hypot(x - die.center[0], y - die.center[1])
        within = edge < WITHIN * die.size
        free &= (gap > posture.PILED * die.size) | within
        beside |= (gap < UNDER * die.size) & ~within
    return free, beside


def shows_larger(levels: tuple[Picture, ...], dice: tuple[DieReading, ...], found: Floats) -> bool:
    """Whether only 1s were read, which may be spots of a card, and a die stands there that is much larger.

    levels, found: see `shows_another`.
    """
    if any(die.face != 1 for die in dice):
        return False
    large = found[:, 2] >= SIZES[1] * usual_edge(dice)
    x, y, edge = found[large, :3].T
    some = faces_at(levels, x, y, edge)[:, 1:].sum(1) > SOME_FACE
    stands = _standing(levels[0], (x, y, edge), some, foot=leaning.FAR_FOOT, flat=0.0)
    return not are_polyhedra(levels[0], *(values[stands] for values in (x, y, edge))).all()


def _shows_one_near(
    levels: tuple[Picture, ...], dice: tuple[DieReading, ...], x: Floats, y: Floats, edge: Floats
) -> bool:
    """Whether a die stands where the network, asked beside it, saw a hint of a face (px).

    Not beside dice that were read, whose sides show faces: for those see `vision.judgement.neighbours`.
    """
    free, beside = _free_of(dice, x, y, edge)
    x, y, edge = (values[free & ~beside] for values in (x, y, edge))
    faces = faces_at(levels, x, y, edge)[:, 1:]
    shows, one = faces.max(1, initial=0.0) > evidence.CONVINCED, faces.argmax(1) == 0
    # a speck is a 1 where it is looked for
    shows &= ~one | _standing(levels[0], (x, y, edge), shows & one, foot=leaning.NO_FOOT, flat=CALLED)
    x, y, edge = (values[shows] for values in (x, y, edge))
    return _stands_up(levels[0], (x, y, edge), np.zeros(len(x), np.bool_))


def _standing(
    image_bgr: Picture,
    places: tuple[Floats, Floats, Floats],
    asked: NDArray[np.bool_],
    *,
    foot: float,
    flat: float,
) -> NDArray[np.bool_]:
    """(n,) at which of the places (x, y, edge; px) that are asked a die stands for certain.

    Its foot is farther off than `foot`, edges, and it lies flat with more chance than `flat`.
    """
    looks = foot_network.estimate_posture(image_bgr, *(values[asked] for values in places))
    stands = asked.copy()
    stands[asked] = (looks.posture[:, Posture.FLAT] > flat) & (looks.posture[:, Posture.NOT] < NO_SPECK)
    stands[asked] &= np.hypot(*looks.foot.T) > foot
    return stands


def _seen_from_beside(
    levels: tuple[Picture, ...], places: tuple[Floats, Floats, Floats], asked: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """(n,) at which of the places (x, y, edge; px) that are asked a die stands, seen from beside.

    It need show no face, for its top is askew.
    """
    if not asked.any():
        return asked
    x, y, edge = (values[asked] for values in places)
    on_level = on_fitting_level(levels, (x, y, edge), foot_network.FIT_PX)
    looks = foot_network.estimate_posture(*on_level, looks=foot_network.CLOSELY)
    stands = asked.copy()
    stands[asked] = (looks.posture[:, Posture.NOT] < NO_SPECK) & (looks.posture[:, Posture.HIDDEN] < CALLED)
    stands[asked] &= np.hypot(*looks.foot.T) > leaning.FAR_FOOT
    return stands


def _stands_up(image_bgr: Picture, places: tuple[Floats, Floats, Floats], beside: NDArray[np.bool_]) -> bool:
    """Whether at one of the places (x, y, edge; px) that show faces a die stands: no side of one, no d20.

    beside: (n,) which are so near to a die that was read that they may be its side.
    """
    looks = foot_network.estimate_posture(image_bgr, *places).posture
    side = beside & (looks[:, Posture.LEANING] > SIDE_LEANS * looks[:, Posture.FLAT])
    stands = ~side & (looks[:, Posture.NOT] < CALLED)
    return not are_polyhedra(image_bgr, *(values[stands] for values in places)).all()


def lying_flat(levels: tuple[Picture, ...], x: Floats, y: Floats, edge: Floats) -> NDArray[np.bool_]:
    """(n,) at which places (middle x, y; edge; px) a die lies flat for certain: no side of one."""
    flat = np.ones(len(x), np.bool_)
    for looks in (foot_network.TWICE, foot_network.CLOSELY):
        places = on_fitting_level(levels, (x[flat], y[flat], edge[flat]), foot_network.FIT_PX)
        flat[flat] = foot_network.estimate_posture(*places, looks=looks).posture[:, Posture.FLAT] > CALLED
    return flat


def surely_stand(levels: tuple[Picture, ...], x: Floats, y: Floats, edge: Floats) -> NDArray[np.bool_]:
    """(n,) at which places (middle x, y; edge; px) a die lies flat for certain, or has a far foot."""
    flat = lying_flat(levels, x, y, edge)
    return flat | _standing(levels[0], (x, y, edge), ~flat, foot=leaning.FAR_FOOT, flat=0.0)


def without_dice(levels: tuple[Picture, ...], x: Floats, y: Floats, edge: Floats) -> NDArray[np.bool_]:
    """(n,) which places that read as faces (middle x, y; edge; px) seem to hold no body: prints, coins.

    One look does, which tells whether they lean as well.
    """
    places = on_fitting_level(levels, (x, y, edge), foot_network.FIT_PX)
    looks = foot_network.estimate_posture(*places, looks=foot_network.ONCE)
    told: NDArray[np.bool_] = looks.posture[:, Posture.NOT] > THING
    return told


def surely_a_die(levels: tuple[Picture, ...], unread: UnreadBodies, score: float = SURELY_SCORE) -> bool:
    """Whether one of the places holds a die for certain, though no face was read anywhere.

    levels: the picture and its halvings; score: at least so sure the finder must be.
    """
    unread = unread.take(unread.score >= score)
    unread = unread.take(_no_die(levels[0], unread) < 1 - SURELY)
    return bool(len(unread.x)) and not _plainly_faceless(levels, unread).all()


def _plainly_faceless(levels: tuple[Picture, ...], bodies: UnreadBodies) -> NDArray[np.bool_]:
    """(n,) which bodies show no face though nothing hides one: they are in focus and not burnt out.

    Dice that lean show the network a face as well: of 231 in drawn trays that are to be refused all did, but
    two that were half hidden. A card, a d20, a button shows none that convinces.
    """
    places = bodies.x, bodies.y, bodies.edge
    says, seen_at = ask(levels, *places)
    again = faces_at(levels, *moved(*places, seen_at))
    hidden = foot_network.estimate_posture(levels[0], *places).posture[:, Posture.HIDDEN] > CALLED
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
    if under.any() or (looks.posture[fresh, Posture.STACKED] > CALLED).any():
        found.append(Reason.STACKED)
    rim = np.minimum(np.minimum(x, size_wh[0] - 1 - x), np.minimum(y, size_wh[1] - 1 - y))
    cut_off = (fresh & (rim < CUT_OFF * edge) & (looks.posture[:, Posture.NOT] < CALLED)).any()
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
    called = looks.posture[:, Posture.LEANING] > CALLED
    die = looks.posture[:, Posture.NOT] < CALLED
    return np.where(fresh, die & (called | (leans > leaning.LEANS)), leans > leaning.LEANS)


def all_places(dice: tuple[DieReading, ...], unread: UnreadBodies) -> tuple[Floats, Floats, Floats]:
    """x, y and edge (px) of what was read and what was not, in this order."""
    x, y, edge = places_of(dice)
    return np.concatenate([x, unread.x]), np.concatenate([y, unread.y]), np.concatenate([edge, unread.edge])
