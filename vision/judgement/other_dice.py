"""Whether a picture shows a die besides those that were read: the count is a promise.

Something that shows a face and stands up like a die is one, expected or not.
"""

import numpy as np
from numpy.typing import NDArray

from vision.inference.face_looks import ask, faces_at, moved
from vision.inference.polyhedron_network import are_polyhedra
from vision.judgement import evidence, leaning, posture, standing
from vision.judgement.oblique import ViewFromAbove
from vision.pips import Floats, Picture, Pips
from vision.reading import DieReading

BODY = (0.3, 0.75)
"""Radius of a spot that may be a die, as a share of the usual edge of the dice."""
ROOM = (1.7, 2.4)
"""Between two dice whose middles are this many edges apart another may stand in the row."""
WITHIN = 0.4
"""What has less than this share of a die's edge is no side of it: another die, taken for one of its pips."""
CLEAR = 0.9
"""At least this likely the network sees a face where no other witness speaks for a die: a coin, a speck
or a knot in the wood looks a little like a 1."""
BESIDE = 0.75
"""What lies farther than this many edges from the middle of a die is no part of it."""
UNDER = 1.1
"""Within this many edges of a die another that is half hidden lies under it."""
FAINT_ONE, NO_OTHER = 0.35, 0.03
"""A 1 that the network sees with this chance counts as well, where it sees no other face as a d20 shows
several, and a die lies flat for certain whose foot is seen: a pip on a body of the colour of the ground. Dirt
on white paper has no foot."""
SOME_FACE = 0.8
"""Where the finder proposes a die that shows some face with this chance, though a highlight leaves open
which, and a far foot is seen, one stands. Of 558 photographs and renders that are read
rightly none has such a place."""
ASKEW = 0.55
"""What the finder is so sure of, and whose foot is far, is a die seen from beside, whatever its top shows. Of
560 photographs and renders that are read rightly none has such a place; dirt on a table has one of 0.51."""
MAYBE_SCORE = 0.5
"""Where the finder is so sure a die may stand, whatever is seen of it: another look is worth it."""
HINT = 0.01
"""Where the network gives a face so much at a place of the finder's, the face may be all there, but aside: of
four dice that no place hit, two were 0.013 and 0.03 likely there, and all 0.9 and more where it saw them."""
AT_ONCE = 8
"""Places looked at together: one that holds a die will do, and of a rough ground hundreds show a face."""


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


def shows_another(
    levels: tuple[Picture, ...],
    dice: tuple[DieReading, ...],
    found: Floats,
    bare: Floats = evidence.NOWHERE,
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
        again[:, 3] *= posture.of_usual_size(again[:, 2], usual)
        again[:, 2] = usual
        x, y, edge, score = np.concatenate([found, again]).T
    proposed, finders = np.arange(len(x)) < len(found), np.arange(len(x)) < len(x) - len(bare)
    free, beside = _free_of(dice, x, y, edge)
    x, y, edge, score = (values[free] for values in (x, y, edge, score))
    beside, proposed, finders = (values[free] for values in (beside, proposed, finders))
    says, seen_at = ask(levels, x, y, edge)
    faces = says[:, 1:]
    one = faces.argmax(1) == 0
    least = np.where(proposed, standing.CALLED, np.where(one, CLEAR, evidence.CONVINCED)) if dice else CLEAR
    shows = faces.max(1, initial=0.0) > least
    if dice and view is None:
        faint = ~shows & (faces[:, 0] > FAINT_ONE) & (faces[:, 1:] < NO_OTHER).all(1)
        shows |= standing.stand_with_foot(
            levels[0], (x, y, edge), faint, foot=leaning.NO_FOOT, flat=standing.CALLED
        )
        some = ~shows & finders & (faces.sum(1) > SOME_FACE)
        shows |= standing.stand_with_foot(levels[0], (x, y, edge), some, foot=leaning.FAR_FOOT, flat=0.0)
        shows |= standing.seen_from_beside(levels, (x, y, edge), ~shows & (score >= ASKEW))
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
    return any(standing.any_stands_up(levels[0], (x[k], y[k], edge[k]), beside[k]) for k in parts)


def shows_larger(levels: tuple[Picture, ...], dice: tuple[DieReading, ...], found: Floats) -> bool:
    """Whether only 1s were read, which may be spots of a card, and a die stands there that is much larger.

    levels, found: see `shows_another`.
    """
    if any(die.face != 1 for die in dice):
        return False
    large = found[:, 2] >= posture.SIZES[1] * usual_edge(dice)
    x, y, edge = found[large, :3].T
    some = faces_at(levels, x, y, edge)[:, 1:].sum(1) > SOME_FACE
    stands = standing.stand_with_foot(levels[0], (x, y, edge), some, foot=leaning.FAR_FOOT, flat=0.0)
    return not are_polyhedra(levels[0], *(values[stands] for values in (x, y, edge))).all()


def _free_of(
    dice: tuple[DieReading, ...], x: Floats, y: Floats, edge: Floats
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """(n,) which places (px) can hold another die than those that were read, and which are beside one."""
    free, beside = edge >= smallest_edge(dice), np.zeros(len(x), np.bool_)
    if len(dice) > 1:
        free &= posture.of_usual_size(edge, usual_edge(dice))
    for die in dice:
        gap = np.hypot(x - die.center[0], y - die.center[1])
        within = edge < WITHIN * die.size
        free &= (gap > posture.PILED * die.size) | within
        beside |= (gap < UNDER * die.size) & ~within
    return free, beside


def _shows_one_near(
    levels: tuple[Picture, ...], dice: tuple[DieReading, ...], x: Floats, y: Floats, edge: Floats
) -> bool:
    """Whether there is a die near a place (px) where the network has found a hint of a face.

    Not beside dice that were read, whose sides show faces: for those see `vision.judgement.neighbours`.
    """
    free, beside = _free_of(dice, x, y, edge)
    x, y, edge = (values[free & ~beside] for values in (x, y, edge))
    faces = faces_at(levels, x, y, edge)[:, 1:]
    shows, one = faces.max(1, initial=0.0) > evidence.CONVINCED, faces.argmax(1) == 0
    # a speck is a 1 where it is looked for
    shows &= ~one | standing.stand_with_foot(
        levels[0], (x, y, edge), shows & one, foot=leaning.NO_FOOT, flat=standing.CALLED
    )
    x, y, edge = (values[shows] for values in (x, y, edge))
    return standing.any_stands_up(levels[0], (x, y, edge), np.zeros(len(x), np.bool_))
