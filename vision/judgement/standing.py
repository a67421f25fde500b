"""Whether an object with a face, or a proposed place, is a standing die, by the leaning network.

All feet together decide whether the dice that were read lean (`vision.judgement.leaning`).
"""

import numpy as np
from numpy.typing import NDArray

from vision.inference import foot_network
from vision.inference.foot_network import Posture
from vision.inference.polyhedron_network import are_polyhedra
from vision.judgement import leaning
from vision.pips import Floats, Picture

THING = 0.3
"""At least so likely no die, what reads as a face makes a reading doubtful; it proves nothing. Of the dice of
561 photographs and renders that are read rightly none is 0.1 likely."""
CALLED = 0.5
"""At least this likely the network calls a body so."""
SIDE_LEANS = 0.5
"""A face beside a die that was read is one of its sides where it leans this many times as likely as it lies
flat: the corner of one was called flat with 0.52 and leaning with 0.31."""
NO_SPECK = 0.1
"""Where a die stands for certain, there is none with less chance than this."""


def lying_flat(levels: tuple[Picture, ...], x: Floats, y: Floats, edge: Floats) -> NDArray[np.bool_]:
    """(n,) at which places (middle x, y; edge; px) a die lies flat for certain: no side of one."""
    flat = np.ones(len(x), np.bool_)
    for looks in (foot_network.TWICE, foot_network.CLOSELY):
        seen = foot_network.estimate_on_level(levels, x[flat], y[flat], edge[flat], looks=looks)
        flat[flat] = seen.posture[:, Posture.FLAT] > CALLED
    return flat


def surely_stand(levels: tuple[Picture, ...], x: Floats, y: Floats, edge: Floats) -> NDArray[np.bool_]:
    """(n,) at which places (middle x, y; edge; px) a die lies flat for certain, or has a far foot."""
    flat = lying_flat(levels, x, y, edge)
    return flat | stand_with_foot(levels[0], (x, y, edge), ~flat, foot=leaning.FAR_FOOT, flat=0.0)


def without_dice(levels: tuple[Picture, ...], x: Floats, y: Floats, edge: Floats) -> NDArray[np.bool_]:
    """(n,) which places that read as faces (middle x, y; edge; px) seem to hold no body: prints, coins.

    One look does, which tells whether they lean as well.
    """
    looks = foot_network.estimate_on_level(levels, x, y, edge, looks=foot_network.ONCE)
    things: NDArray[np.bool_] = looks.posture[:, Posture.NOT] > THING
    return things


def stand_with_foot(
    image_bgr: Picture,
    places: tuple[Floats, Floats, Floats],
    chosen: NDArray[np.bool_],
    *,
    foot: float,
    flat: float,
) -> NDArray[np.bool_]:
    """(n,) at which of the chosen places (x, y, edge; px) there is certainly a die.

    Its foot is farther off than `foot`, edges, and it lies flat with more chance than `flat`.
    """
    looks = foot_network.estimate_posture(image_bgr, *(values[chosen] for values in places))
    stands = chosen.copy()
    stands[chosen] = (looks.posture[:, Posture.FLAT] > flat) & (looks.posture[:, Posture.NOT] < NO_SPECK)
    stands[chosen] &= np.hypot(*looks.foot.T) > foot
    return stands


def seen_from_beside(
    levels: tuple[Picture, ...], places: tuple[Floats, Floats, Floats], chosen: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """(n,) at which of the chosen places (x, y, edge; px) there is a die seen from the side.

    It need show no face, for its top is askew.
    """
    if not chosen.any():
        return chosen
    x, y, edge = (values[chosen] for values in places)
    looks = foot_network.estimate_on_level(levels, x, y, edge, looks=foot_network.CLOSELY)
    stands = chosen.copy()
    stands[chosen] = (looks.posture[:, Posture.NOT] < NO_SPECK) & (looks.posture[:, Posture.HIDDEN] < CALLED)
    stands[chosen] &= np.hypot(*looks.foot.T) > leaning.FAR_FOOT
    return stands


def any_stands_up(
    image_bgr: Picture, places: tuple[Floats, Floats, Floats], beside: NDArray[np.bool_]
) -> bool:
    """Whether at one of the places (x, y, edge; px) that show faces a die stands: no side of one, no d20.

    beside: (n,) which are so near to a die that was read that they may be its side.
    """
    looks = foot_network.estimate_posture(image_bgr, *places).posture
    side = beside & (looks[:, Posture.LEANING] > SIDE_LEANS * looks[:, Posture.FLAT])
    stands = ~side & (looks[:, Posture.NOT] < CALLED)
    return not are_polyhedra(image_bgr, *(values[stands] for values in places)).all()
