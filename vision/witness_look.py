"""A last look at a picture that no other look could read: the witness network and the face network together.

Both look at the dice that were read and at all other places that the finder proposes. A die that was read
must keep its face, every other place must be a die as well or surely none, and the count must be right.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.columns import Columns, besides
from vision.detection import lattice
from vision.inference import face_looks, finder, witness_network
from vision.judgement import evidence, posture, standing
from vision.judgement.selection import odd_size
from vision.pips import Floats, Picture
from vision.reading import Colour, DieReading, Reading, Reason, Status, places_of
from vision.ready_check import ReadyCheck
from vision.search_area import SearchArea

UNANSWERED = frozenset({Reason.COCKED, Reason.STACKED, Reason.BLURRED, Reason.TOO_MANY})
"""Reasons that a closer look at single places does not answer."""
LIKELY, LIKELY_TO_WITNESS = 0.65, 0.75
"""Both networks on average, and the witness network alone, must be so sure of each face. Of 76 pictures
that only this look reads, all of them right, 73 have 0.65 on average and 71 have 0.75 of the witness."""
LEAST_SCORE = 0.2
"""The finder's proposals from here on are looked at."""
ONE_DIE, BESIDE = 0.6, 0.45
"""Nearer than the first share of the smaller edge two faces are one die; nearer than the second share of the
larger edge two places are one."""
MOST = 40
"""With more places besides the dice that were read a picture is left as it is."""


@dataclass(frozen=True, slots=True)
class _Seen(Columns):
    """Places as both networks see them.

    x, y, edge: (n,) px. face: (n,) 1-6, the likeliest. chance: (n,) 0-1 of it, on average of both networks.
    die: (n,) whether that and what each of them says is enough. none: (n,) whether the witness network surely
    sees no die.
    """

    x: Floats
    y: Floats
    edge: Floats
    face: NDArray[np.intp]
    chance: Floats
    die: NDArray[np.bool_]
    none: NDArray[np.bool_]


def read_with_witness(reading: Reading, area: SearchArea, check: ReadyCheck, expected: int) -> Reading:
    """The reading, or a ready one where the two networks together see the expected dice and nothing else.

    area, check: of the picture as it came. expected: how many dice.
    """
    if reading.status is not Status.UNSURE or UNANSWERED & set(reading.reasons) or check.odd_pips:
        return reading
    dice = _dice(area, reading.dice, expected)
    if len(dice) != expected:
        return reading
    places = places_of(dice)
    if odd_size(places[2]) or posture.piled(*places).any() or posture.cut_off(*places, area.size_wh).any():
        return reading
    if not standing.surely_stand(area.levels, *places).all():
        return reading
    ready = check.with_posture(Reading(Status.READY, dice))
    return ready if ready.status is Status.READY else reading


def _dice(area: SearchArea, read: tuple[DieReading, ...], expected: int) -> tuple[DieReading, ...]:
    """The dice that both networks see, left to right; none where they are fewer or one place is open."""
    levels = area.levels
    dice = _seen(levels, *places_of(read))
    if not dice.die.all() or dice.face.tolist() != [die.face for die in read]:
        return ()
    places = _proposed_besides(area, read)
    says, face_at = face_looks.ask(levels, *places)
    promising = says[:, 1:].max(1, initial=0.0) >= evidence.PROMISE
    if len(promising) > MOST or len(dice) + promising.sum() < expected:
        return ()
    moved = face_looks.moved(*places, face_at)
    other = _seen(levels, *(np.where(promising, *two) for two in zip(moved, places, strict=True)))
    for k in np.argsort(-other.chance, kind="stable"):
        one = other.take(slice(k, k + 1))
        gap = np.hypot(one.x - dice.x, one.y - dice.y)
        if one.die[0] and not (gap < ONE_DIE * np.minimum(one.edge, dice.edge)).any():
            dice = _Seen.joined((dice, one))
    smaller = other.x, other.y, ONE_DIE * other.edge
    rest = besides(smaller, (dice.x, dice.y, dice.edge), ONE_DIE, np.maximum)
    again = (values[rest & promising] for values in places)
    if not other.none[rest].all() or not witness_network.sees_none(levels, *again).all():
        return ()
    dice = dice.take(np.lexsort((dice.y, dice.x)))
    on_body, _ = lattice.sought(levels, dice.x, dice.y, dice.edge)
    columns = (dice.face, dice.chance, dice.x, dice.y, dice.edge, lattice.edge_angles(on_body))
    return tuple(
        DieReading(face, chance, (x, y), edge, angle, Colour.WHITE)
        for face, chance, x, y, edge, angle in zip(*(values.tolist() for values in columns), strict=True)
    )


def _seen(levels: tuple[Picture, ...], x: Floats, y: Floats, edge: Floats) -> _Seen:
    """What both networks see at the places."""
    ways = [face_looks.ask(levels, x, y, edge, mirrored=mirrored).says for mirrored in (False, True)]
    own, witness = (ways[0] + ways[1]) / 2, witness_network.faces_at(levels, x, y, edge)
    face, rows = (own + witness)[:, 1:].argmax(1) + 1, np.arange(len(x))
    own_chance, witness_chance = own[rows, face], witness[rows, face]
    chance = (own_chance + witness_chance) / 2
    die = (chance >= LIKELY) & (witness_chance >= LIKELY_TO_WITNESS) & (own_chance >= evidence.PROMISE)
    return _Seen(x, y, edge, face, chance, die, witness[:, 0] >= witness_network.NO_DIE)


def _proposed_besides(area: SearchArea, read: tuple[DieReading, ...]) -> tuple[Floats, Floats, Floats]:
    """x, y and edge (n,) px of what the finder proposes besides the dice that were read, best first."""
    proposed = area.all_proposals()
    proposed = proposed[proposed[:, 3] >= LEAST_SCORE]
    free = proposed[besides(proposed.T, places_of(read), BESIDE, np.maximum)]
    x, y, edge, _ = finder.merged(free, BESIDE).T
    return x, y, edge
