"""What the places of faces tell about them: piled dice, dice cut off by the rim.

Two dice whose middles are nearer than an edge cannot both stand on the floor.
"""

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.columns import besides
from vision.inference import foot_network
from vision.inference.foot_network import Posture
from vision.inference.networks import on_fitting_level
from vision.judgement.evidence import Evidence
from vision.pips import Flags, Floats, Picture, Pips

PILED = 0.86
"""Middles nearer than this share of the smaller edge belong to dice that lie on each other."""
SIZES = (0.55, 1.8)
"""A body's edge, as a multiple of the edge that most dice of the picture have."""


def piled(x: Floats, y: Floats, edge: Floats) -> Flags:
    """(n,) which dice are nearer to another than two that stand side by side can be."""
    gap = np.hypot(x[:, None] - x[None], y[:, None] - y[None])
    near = gap < PILED * np.minimum(edge[:, None], edge[None])
    np.fill_diagonal(near, val=False)
    flags: Flags = near.any(1)
    return flags


def to_rim(x: Floats, y: Floats, size_wh: tuple[int, int]) -> Floats:
    """(n,) how far places are from the nearest side of the picture (width, height), px; negative beyond."""
    rim: Floats = np.minimum(np.minimum(x, size_wh[0] - 1 - x), np.minimum(y, size_wh[1] - 1 - y))
    return rim


def of_usual_size(edge: Floats, usual: float | np.float32) -> Flags:
    """(n,) which edges are those of dice whose usual edge is known, px."""
    flags: Flags = (edge > SIZES[0] * usual) & (edge < SIZES[1] * usual)
    return flags


def cut_off(x: Floats, y: Floats, edge: Floats, size_wh: tuple[int, int]) -> Flags:
    """(n,) which dice reach beyond the picture (width, height)."""
    flags: Flags = to_rim(x, y, size_wh) < 0.47 * edge
    return flags


def pips_at_rim(dice: Evidence, spots: Pips, size_wh: tuple[int, int]) -> bool:
    """Whether pips like those of the dice stand near the picture's rim without belonging to any of them."""
    known = dice.take(dice.r > 0)
    if len(known) == 0 or len(spots) == 0:
        return False
    edge, r = float(np.median(known.edge)), float(np.median(known.r))
    inside = to_rim(spots.x, spots.y, size_wh)
    gap = np.hypot(spots.x[:, None] - dice.x, spots.y[:, None] - dice.y)
    free = (inside < 0.9 * edge) & (gap > 0.9 * dice.edge).all(1) & (np.abs(np.log(spots.r / r)) < 0.35)
    norm = np.sqrt((spots.contrast**2).sum(1))[:, None]
    mine = np.sqrt((known.contrast**2).sum(1))[None]
    alike = (spots.contrast @ known.contrast.T > 0.85 * norm * mine) & (norm > 0.5 * mine)
    return bool((free & alike.any(1) & (spots.spread < ROUND)).any())


RIM_PX = 14.0
"""Edge of a die, px, in the picture in which something of its colour is looked for at the rim: enough."""
BESIDE = (1.15, 1.5)
"""How far from a die's middle its surroundings are looked at, edges."""
RIM_AREA, RIM_LONGEST = (0.1, 1.6), 1.7
"""Of what is left of a die that the rim cuts through: the area, in squares of its edge, and the length."""
STANDS_OUT = 30.0
"""Where a die differs less from what lies round it (Lab, 0-255), its colour tells nothing."""
ITS_COLOUR, OTHER_COLOUR = 0.4, 0.65
"""Shares of that difference within which a pixel has the die's colour, and beyond which it has another."""


def body_at_rim(image_bgr: Picture, x: Floats, y: Floats, edge: Floats) -> bool:
    """Whether something else of the colour and size of the dice is cut through by the picture's rim.

    x, y, edge: (n,) px, of the dice. Of a die of which so little is left nothing else tells.
    """
    usual = float(np.median(edge))
    scale = min(1.0, RIM_PX / usual)
    size_wh = tuple(max(1, round(side * scale)) for side in image_bgr.shape[1::-1])
    small = cv2.resize(image_bgr, size_wh, interpolation=cv2.INTER_AREA)
    lab = cv2.cvtColor(small, cv2.COLOR_BGR2LAB).astype(np.float32)
    clear, off = np.ones(lab.shape[:2], np.bool_), []
    for a, b, e in zip(x, y, edge, strict=True):
        # one die after the other: the gaps of all take much memory
        column, row = np.arange(lab.shape[1]) - a * scale, np.arange(lab.shape[0]) - b * scale
        gap = np.hypot(column, row[:, None]) / (e * scale)
        clear &= gap > 1.1
        body = _body(lab, gap)
        if body is not None:
            off.append(_colour_off(lab, *body))
    if not off:
        return False
    like = np.any([one < ITS_COLOUR for one in off], axis=0) & clear
    return any(_alone(part, off) for part in _cut_parts(like, usual * scale))


CUT_AT, CUT_SHARE = 0.5, 0.35
"""A place of the finder's is looked at for a die that the rim cuts through where it is nearer to the rim than
the first, edges; the second is how much of its colour must be in the picture, in squares of the edge, as of a
top without its pips: what lies mostly outside is ignored."""
CUT_REACH, BODY_REACH = 2.2, 0.75
"""How far round such a place its body is looked at, edges, farther than a piece of a die reaches; and how far
the body of a die that was read reaches."""
PIP_SIZES, PIP_CONTRAST, PIP_WITHIN, ROUND = 0.5, 0.5, 0.6, 0.3
"""A spot there is a pip where the logarithm of its size differs less from that of the pips that were read (a
die of another set has others), it stands out at least by this share as much, is so near to the place, edges,
and its spread is less than the last."""
NO_THING = 0.5
"""What is no die with less chance, as the leaning network says, and has a pip, is one."""


def cut_dice(levels: tuple[Picture, ...], places: tuple[Floats, Floats, Floats], proposed: Floats) -> bool:
    """Whether a die that was not read, most of its top in the picture, is cut through by the picture's rim.

    levels: the picture and its halvings; places: (n,) x, y, edge (px) of the dice that were read; proposed:
    (m, 4) what `vision.judgement.evidence.proposals` gives. It is recognised by its colour, which one of them
    has.
    """
    joined = _at_rim(levels[0], places, proposed)
    if not len(joined[0]):
        return False
    x, y, edge = (np.concatenate(pair) for pair in zip(places, joined, strict=True))
    image, *on_level = on_fitting_level(levels, (x, y, edge), RIM_PX)
    seen = np.stack(on_level, 1)
    dice, others = seen[: len(places[0])], seen[len(places[0]) :]
    bodies = [body for die in dice if (body := _body_at(image, die)) is not None]
    return bool(bodies) and any(_cut_at(image, place, dice, bodies) for place in others)


def pipped_at_rim(levels: tuple[Picture, ...], dice: Evidence, proposed: Floats, spots: Pips) -> bool:
    """Whether a die that was not read, of whatever colour, is cut through by the picture's rim.

    levels: the picture and its halvings; dice: those that were read; proposed: (m, 4) of
    `vision.judgement.evidence.proposals`; spots: all that were found. It is recognised by its pips: a key, a
    plug, the rim of a tray may be proposed there too, and even look like a body of that size, but show none.
    A lone one must be on something that stands out from the ground: else it is a blot, a screw.
    """
    known = dice.take(dice.r > 0)
    x, y, edge = _at_rim(levels[0], (dice.x, dice.y, dice.size), proposed)
    if not len(known) or not len(x):
        return False
    strong = np.sqrt((known.contrast**2).sum(1))
    pips = np.abs(np.log(spots.r / np.median(known.r))) < PIP_SIZES
    pips &= np.sqrt((spots.contrast**2).sum(1)) > PIP_CONTRAST * np.median(strong)
    pips &= (spots.spread < ROUND) & ~_within(spots, dice)
    gap = np.hypot(x[:, None] - spots.x[pips], y[:, None] - spots.y[pips])
    shown = (gap < PIP_WITHIN * edge[:, None]).sum(1)
    some = shown > 0
    image, *places = on_fitting_level(levels, (x[some], y[some], edge[some]), foot_network.FIT_PX)
    looks = foot_network.estimate_posture(image, *places, looks=foot_network.CLOSELY).posture
    die = looks[:, Posture.NOT] < NO_THING
    return any(
        count > 1 or _body_at(image, place) is not None
        for count, place in zip(shown[some][die], np.stack(places, 1)[die], strict=True)
    )


def _within(spots: Pips, dice: Evidence) -> Flags:
    """(n,) which spots lie on one of the dice."""
    gap = np.hypot(spots.x[:, None] - dice.x, spots.y[:, None] - dice.y)
    within: Flags = (gap < BODY_REACH * dice.size).any(1)
    return within


def _at_rim(
    image_bgr: Picture, places: tuple[Floats, Floats, Floats], proposed: Floats
) -> tuple[Floats, Floats, Floats]:
    """x, y and edge (px), the usual one, of what is proposed by the picture's rim, and is none of the dice.

    places: (n,) x, y, edge (px) of these; proposed: (m, 4), x, y, edge and score.
    """
    usual, (height, width) = float(np.median(places[2])), image_bgr.shape[:2]
    x, y, edge = proposed[:, :3].T
    at = (np.abs(to_rim(x, y, (width, height))) < CUT_AT * usual) & of_usual_size(edge, usual)
    at &= besides((x, y), places, PILED)
    return x[at], y[at], np.full(int(at.sum()), usual, np.float32)


def _cut_at(image_bgr: Picture, place: Floats, dice: Floats, bodies: Sequence[tuple[Floats, float]]) -> bool:
    """Whether most of a die of a colour of the dice is seen at a place by the picture's rim.

    place: x, y, edge (px) of it; dice: (n, 3) the same of those that were read; bodies: see `_body`.
    """
    scale = RIM_PX / float(place[2])
    lab, (column, row), rims = _lab_round(image_bgr, place, CUT_REACH)
    off = [_colour_off(lab, *body) for body in bodies]
    like = np.any([one < ITS_COLOUR for one in off], axis=0)
    for x, y, edge in ((dice - [place[0], place[1], 0]) * scale).tolist():
        like &= np.hypot(column - x, row - y) > BODY_REACH * edge
    near = np.hypot(column, row) < CUT_AT * RIM_PX
    parts = _cut_parts(like, RIM_PX, least=CUT_SHARE, rims=rims)
    return any(bool(near[part].any()) and _alone(part, off) for part in parts)


def _body_at(image_bgr: Picture, die: Floats) -> tuple[Floats, float] | None:
    """As `_body`, of a die whose x, y and edge (px) are given."""
    lab, (column, row), _ = _lab_round(image_bgr, die, BESIDE[1])
    return _body(lab, np.hypot(column, row) / RIM_PX)


def _lab_round(
    image_bgr: Picture, place: Floats, reach: float
) -> tuple[Floats, tuple[NDArray[np.float64], NDArray[np.float64]], tuple[bool, ...]]:
    """What is seen that many edges round a place (x, y, edge; px), as far as the picture goes.

    Lab (h, w, 3) in which an edge has RIM_PX, how far each column and row (h, 1) is from the place in pixels
    of that, and whether its left, upper, right and lower side are the picture's own.
    """
    (x, y, edge), (height, width) = place.tolist(), image_bgr.shape[:2]
    left, right = max(0, int(x - reach * edge)), min(width, int(x + reach * edge) + 1)
    top, low = max(0, int(y - reach * edge)), min(height, int(y + reach * edge) + 1)
    part, scale = image_bgr[top:low, left:right], RIM_PX / edge
    size_wh = tuple(max(1, round(side * scale)) for side in part.shape[1::-1])
    lab = cv2.cvtColor(cv2.resize(part, size_wh, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2LAB)
    gaps = np.arange(size_wh[0]) - (x - left) * scale, np.arange(size_wh[1])[:, None] - (y - top) * scale
    return lab.astype(np.float32), gaps, (left == 0, top == 0, right == width, low == height)


def _colour_off(lab: Floats, colour: Floats, contrast: float) -> Floats:
    """(h, w) how far each pixel's colour is from a die's, in shares of how much the die stands out."""
    off = np.zeros(lab.shape[:2], np.float32)
    for channel in range(3):
        away = lab[..., channel] - colour[channel]
        off += away * away
    return np.asarray(np.sqrt(off) / np.float32(contrast), np.float32)


def _body(lab: Floats, gap: NDArray[np.float64]) -> tuple[Floats, float] | None:
    """The colour of a die's top and how much it stands out; gap: (h, w) from its middle, in edges."""
    top, beside = lab[gap < 0.42], lab[(gap > BESIDE[0]) & (gap < BESIDE[1])]
    if len(top) == 0 or len(beside) == 0:
        return None
    colour: Floats = np.median(top, axis=0)
    contrast = float(np.sqrt(((colour - np.median(beside, axis=0)) ** 2).sum()))
    return (colour, contrast) if contrast > STANDS_OUT else None


def _cut_parts(
    like: Flags, edge: float, *, least: float = RIM_AREA[0], rims: tuple[bool, ...] = (True,) * 4
) -> Iterator[Flags]:
    """The parts of such a place and size that reach the rim, as pieces of a die would.

    like: (h, w) what has the colour of dice. least: a part's area at least, in squares of the edge. rims: see
    `_lab_round`; beyond another side it goes on.
    """
    _, label, stats, _ = cv2.connectedComponentsWithStats(like.astype(np.uint8))
    for number, (x, y, width, height, area) in enumerate(stats[1:].tolist(), start=1):
        reaches = (x == 0, y == 0, x + width == like.shape[1], y + height == like.shape[0])
        at_rim = {rim for reach, rim in zip(reaches, rims, strict=True) if reach} == {True}
        fits = least * edge**2 < area < RIM_AREA[1] * edge**2
        if at_rim and fits and max(width, height) < RIM_LONGEST * edge:
            yield label == number


def _alone(part: Flags, off: Sequence[Floats]) -> bool:
    """Whether what surrounds a part (h, w) has another colour: a knot of the wood fades into the wood.

    off: of each die, see `_colour_off`.
    """
    mine = part.astype(np.uint8)
    wide, narrow = (cv2.dilate(mine, np.ones((size, size), np.uint8)) > 0 for size in (7, 3))
    around = wide & ~narrow
    return bool(around.any() and min(np.median(one[around]) for one in off) > OTHER_COLOUR)
