"""From the table's edge: the picture as it would look from above, so that tops are squares again.

The feet of the dice give the camera's position (`vision.judgement.leaning`): all flat dice of a picture
share one rule. The picture is then turned under the table's plane, whatever the true lens: an error of ten
degrees only squeezes tops a little. What lies below a top within its body is a side of it, shown by its own
foot: those of tops point down in the picture, those of sides never do.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision import pips
from vision.inference import foot_network
from vision.inference.foot_network import Posture, PostureEstimate
from vision.inference.polyhedron_network import are_polyhedra
from vision.judgement import leaning
from vision.judgement.leaning import Stand
from vision.pips import Flags, Floats, Matrix, Picture
from vision.reading import DieReading, Reading, Reason, Status, places_of

FIRST = Stand(np.zeros(0), np.array([0.0, 0.83]), 0.8)
"""Where nothing is known, as from a camera tilted by 45 degrees: near enough to see tops from 25 to 62."""
FROM_BESIDE = 0.45
"""Feet farther below the tops than this (edges; a camera tilted by 25 degrees) ask for a look from above."""
TOO_STEEP = 1.3
"""And farther than this (66 degrees) nothing is read."""
FAR_SHARE = 0.3
"""At least this share of the bodies seen have a far foot, whichever of their faces was taken for the top."""
OTHER_DEG = 5.0
"""A tilt this many degrees beside the one that was looked from asks for another look."""
LOOKS = 3
"""At most this many are taken."""
PIXELS = 1_500_000
"""A view from above has at most this many, unless its dice are small."""
PIXELS_MOST = 4 * PIXELS
SLOPES = (0.2, 1.4)
"""What is believed of lengths of the longer side over focal lengths."""
EDGE_PX = 28.0
"""Dice should have this edge in it, if the picture has."""
NEAR, FAR = 0.5, 2.2
"""Nothing is shown that lies this many times nearer or farther than the picture's middle."""
TOWARDS = 0.3
"""A foot that goes less than this share of the way to where a top would have it is another's: a side's, or of
no die. Of 298 tops seen from beside 98 % go farther, of 294 sides 4 %."""
PRINTED_SHARE, PRINTED_DOUBT, ABOVE_IT = 0.35, 0.25, -0.12
"""What has no foot is printed where it has less than this share of a top's, told with less doubt than that
and no farther above the face: most of number tokens are such, and few of the corners of dice."""
BELOW = 0.3
"""A foot this many edges below, and nowhere farther aside, is that of a top seen from beside."""
SURELY_BODY = 0.1
"""What is no die with less chance is a body, whatever it shows: a top seen askew often shows no face. Of 35
places in prints and things that show the network a face 31 are no die with more chance, looked at closely; of
26 tops that were measured well, but whose foot was mistaken, none (drawn scenes)."""
LIKELY_BODY = 0.15
"""What is no die with less chance, looked at closely, may be one that no other witness speaks for. By it nine
readings of drawn scenes that pass a die over are still refused; ground that seems to have a foot mostly has
0.17 and more."""
BODY_FOOT = 0.3
"""From the middle of a body, as the finder proposes it, its top lies this share of the foot towards the
camera: of 212 tops seen from 28 to 60 degrees, drawn, 72 % are hit so and 72 % in the view from above, by the
one or the other 89 %."""
BODY = 0.75
"""What is nearer than this many edges to the line from a top to its foot is the same body."""


@dataclass(frozen=True, slots=True)
class ViewFromAbove:
    """A picture turned under the table's plane.

    levels: it and its halvings; picture: those of the picture as it came. matrix: (3, 3), px of `levels[0]`
    to px of `picture[0]`. stand: how dice stand in the picture.
    """

    levels: tuple[Picture, ...]
    picture: tuple[Picture, ...]
    matrix: Matrix
    stand: Stand

    def on_picture(self, x: Floats, y: Floats, edge: Floats) -> tuple[Floats, Floats, Floats]:
        """Middles and edges (n,) of faces as they are in the picture, px."""
        middle = np.stack([x, y], 1).astype(np.float64)
        right, down = (middle + 0.5 * edge[:, None] * np.array(step) for step in ((1, 0), (0, 1)))
        at, across, along = (_mapped(self.matrix, points) for points in (middle, right, down))
        wide = np.hypot(*(across - at).T) + np.hypot(*(along - at).T)
        return at[:, 0].astype(np.float32), at[:, 1].astype(np.float32), wide.astype(np.float32)

    def dice_on_picture(self, dice: Sequence[DieReading]) -> tuple[DieReading, ...]:
        """The dice as they are in the picture, from left to right."""
        moved = []
        for die in dice:
            turn = math.radians(die.angle)
            side = np.add(die.center, (die.size * math.cos(turn), die.size * math.sin(turn)))
            x, y, edge = self.on_picture(*(np.array([v], np.float32) for v in (*die.center, die.size)))
            across, down = _mapped(self.matrix, side[None])[0] - (x[0], y[0])
            angle = math.degrees(math.atan2(down, across)) % 90.0
            moved.append(replace(die, center=(float(x[0]), float(y[0])), size=float(edge[0]), angle=angle))
        return tuple(sorted(moved, key=lambda die: die.center))

    def in_view(self, points: Matrix | Floats) -> Matrix:
        """Points (n, 2) of the picture as it came, px, where they are in this view."""
        return _mapped(np.asarray(np.linalg.inv(self.matrix), np.float64), points.astype(np.float64))

    def tops_of(self, bodies: Floats) -> Floats:
        """(n, 4) px of this view: where the tops of bodies would be, and how large.

        bodies: (n, 4) of `vision.judgement.evidence.proposals`, of the picture as it came. There whole dice
        are seen, where this view shows only a square that sides run away from.
        """
        x, y, edge, score = bodies.T
        foot = self._expected(x, y)
        top = bodies[:, :2] - np.float32(BODY_FOOT) * foot * edge[:, None]
        side = top + np.stack([edge, np.zeros_like(edge)], 1)
        seen, beside = self.in_view(top), self.in_view(side)
        tops: Floats = np.column_stack([seen, np.hypot(*(beside - seen).T), score]).astype(np.float32)
        return tops

    def no_tops(self, x: Floats, y: Floats, edge: Floats, chance: Matrix, least: float) -> Flags:
        """(n,) which of the faces likelier than `least` are no tops.

        They are printed, or sides of dice that are among them, or no bodies and their feet are none of a top.
        """
        flags = np.zeros(len(x), np.bool_)
        rows = np.flatnonzero(chance > least)
        if len(rows):
            x, y, edge = self.on_picture(x[rows], y[rows], edge[rows])
            looks = self._looks(x, y, edge)
            tops = self._on_tops(looks, x, y)
            none = ~tops & self._in_bodies(x, y, x[tops], y[tops], edge[tops])
            open_ = ~tops & ~none
            none[open_] = self._no_bodies(x[open_], y[open_], edge[open_])
            flags[rows] = none | self._printed(looks, x, y)
        return flags

    def _no_bodies(self, x: Floats, y: Floats, edge: Floats) -> Flags:
        """(n,) at which places, looked at closely, there may be no body, and the foot is none of a top."""
        looks = self._looks(x, y, edge, foot_network.CLOSELY)
        none: Flags = (looks.posture[:, Posture.NOT] >= SURELY_BODY) & ~self._on_tops(looks, x, y)
        return none

    def other_dice(self, dice: Sequence[DieReading], x: Floats, y: Floats, edge: Floats) -> Flags:
        """(n,) which places (px of this view) are neither sides of the dice nor printed, but bodies."""
        tops = places_of(dice)
        x, y, edge = self.on_picture(x, y, edge)
        looks = self._looks(x, y, edge)
        on_top = self._on_tops(looks, x, y)
        no_die = looks.posture[:, Posture.NOT]
        on_side = (no_die < SURELY_BODY) & (np.hypot(*looks.foot.T) > leaning.FAR_FOOT)
        on_side &= ~self._in_bodies(x, y, *self.on_picture(*tops))
        others: Flags = (no_die < 1 - no_die) & (on_top | on_side) & ~self._printed(looks, x, y)
        closely = self._looks(x[others], y[others], edge[others], foot_network.CLOSELY)
        others[others] = closely.posture[:, Posture.NOT] < LIKELY_BODY
        return others

    def passed_over(self, dice: Sequence[DieReading], x: Floats, y: Floats, edge: Floats) -> Flags:
        """(n,) which places (px of the picture, as it came) hold a die for certain that is none of the dice.

        Those are of the picture too. It is a body, whatever faces it shows from here, and no part of theirs.
        """
        tops = places_of(dice)
        looks = self._looks(x, y, edge, foot_network.CLOSELY)
        stands = looks.posture[:, Posture.NOT] < SURELY_BODY
        passed: Flags = stands & ~self._in_bodies(x, y, *tops)
        return passed

    def with_feet_below(self, dice: Sequence[DieReading]) -> tuple[DieReading, ...]:
        """Those of the dice (px of the picture), no d20s, whose foot lies below: seen from beside."""
        x, y, edge = places_of(dice)
        foot = self._looks(x, y, edge).foot
        below = (foot[:, 1] > BELOW) & (foot[:, 1] > 2 * np.abs(foot[:, 0]))
        below[below] = ~are_polyhedra(self.picture[0], x[below], y[below], edge[below])
        return tuple(die for die, one in zip(dice, below, strict=True) if one)

    def _on_tops(self, looks: PostureEstimate, x: Floats, y: Floats) -> Flags:
        """(n,) whose feet are where tops have them."""
        expected = self._expected(x, y)
        on_tops: Flags = (looks.foot * expected).sum(1) > TOWARDS * (expected**2).sum(1)
        return on_tops

    def _printed(self, looks: PostureEstimate, x: Floats, y: Floats) -> Flags:
        """(n,) which faces have no foot: nothing stands there, where every die shows its sides."""
        none = np.hypot(*looks.foot.T) < np.minimum(
            leaning.NO_FOOT, PRINTED_SHARE * np.hypot(*self._expected(x, y).T)
        )
        printed: Flags = none & (looks.foot[:, 1] > ABOVE_IT) & (looks.doubt < PRINTED_DOUBT)
        return printed

    def _looks(self, x: Floats, y: Floats, edge: Floats, looks: int = foot_network.TWICE) -> PostureEstimate:
        """What the network says of places of the picture. looks: see `foot_network.estimate_posture`."""
        return foot_network.estimate_on_level(self.picture, x, y, edge, looks=looks)

    def _in_bodies(self, x: Floats, y: Floats, top_x: Floats, top_y: Floats, edge: Floats) -> Flags:
        """(n,) which places lie under one of the tops, and on none; all in px of the picture."""
        foot = self._expected(top_x, top_y) * edge[:, None]
        away = np.stack([x[:, None] - top_x, y[:, None] - top_y], 2)
        along = np.clip((away * foot).sum(2) / np.maximum((foot**2).sum(1), 1e-6), 0.0, 1.0)
        gap = np.hypot(*(away - along[..., None] * foot).transpose(2, 0, 1))
        under: Flags = ((gap < BODY * edge) & (along > 0.2)).any(1)
        return under

    def _expected(self, x: Floats, y: Floats) -> Floats:
        """(n, 2) where the foot of a flat die would be, in edges."""
        height, width = self.picture[0].shape[:2]
        place = np.stack([x - width / 2, y - height / 2], 1) / max(width, height)
        expected: Floats = (self.stand.start - self.stand.slope * place).astype(np.float32)
        return expected


def _mapped(matrix: Matrix, points: Matrix) -> Matrix:
    """Points (n, 2) taken by a homography (3, 3)."""
    whole = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    mapped: Matrix = whole[:, :2] / whole[:, 2:]
    return mapped


def feet_are_far(levels: tuple[Picture, ...], x: Floats, y: Floats, edge: Floats) -> bool:
    """Whether what stands at the places (middles and edges of faces, px) may be dice seen from beside."""
    looks = foot_network.estimate_on_level(levels, x, y, edge)
    bodies = looks.posture[:, Posture.NOT] < 1 - looks.posture[:, Posture.NOT]
    far = bodies & (np.hypot(*looks.foot.T) > FROM_BESIDE)
    return bool(far.any() and far.sum() >= FAR_SHARE * bodies.sum())


def tilt_deg(stand: Stand) -> float:
    """How far a camera is tilted from straight down, by where feet are.

    A foot is the sine of that against the mean of its cosine and 1: of edges that are squeezed and not.

    >>> round(tilt_deg(Stand(np.zeros(0), np.array([0.0, 2 * math.tan(math.radians(20))]))))
    40
    """
    return math.degrees(2 * math.atan(float(stand.start[1]) / 2))


def view_from_above(levels: tuple[Picture, ...], stand: Stand, edge_px: float | None) -> ViewFromAbove:
    """The picture turned as far as the stand of its dice tells. edge_px: of a die's top, where known."""
    height, width = levels[0].shape[:2]
    back, focal = _turned(stand, (width, height))
    cosine = math.cos(math.radians(tilt_deg(stand)))
    # how much nearer or farther than the middle a row of the picture lies
    reach = (1 / np.array([FAR, NEAR]) - 1) * focal * cosine / math.sqrt(1 - cosine**2)
    rows = np.clip(reach + (height - 1) / 2, 0, height - 1)
    corners = np.array([[(x, y) for y in rows for x in (0.0, width - 1.0)]])
    seen = cv2.perspectiveTransform(corners, np.linalg.inv(back))[0]
    low, high = seen.min(0), seen.max(0)
    # by the cosine rows of the middle keep their length
    area = float((high - low).prod())
    least = 0.0 if edge_px is None else cosine * EDGE_PX / edge_px
    scale = min(cosine, max(least, math.sqrt(PIXELS / area)), math.sqrt(PIXELS_MOST / area))
    matrix = back @ np.array([[1 / scale, 0, low[0]], [0, 1 / scale, low[1]], [0, 0, 1]])
    number = min(round(math.log2(cosine / scale)), len(levels) - 1)
    half, shift = 0.5**number, 0.5 ** (number + 1) - 0.5
    shown = cv2.warpPerspective(
        levels[number],
        np.array([[half, 0, shift], [0, half, shift], [0, 0, 1]]) @ matrix,
        np.ceil((high - low) * scale).astype(int).tolist(),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return ViewFromAbove(pips.pyramid(np.asarray(shown, np.uint8)), levels, matrix, stand)


def _turned(stand: Stand, size_wh: tuple[int, int]) -> tuple[Matrix, float]:
    """(3, 3) px of a camera that looks straight down to px of the picture; the focal length of both, px."""
    focal = max(size_wh) / min(max(stand.slope, SLOPES[0]), SLOPES[1])
    turn = math.radians(tilt_deg(stand))
    lens = np.array([[focal, 0, (size_wh[0] - 1) / 2], [0, focal, (size_wh[1] - 1) / 2], [0, 0, 1]])
    cosine, sine = math.cos(turn), math.sin(turn)
    down = np.array([[1, 0, 0], [0, cosine, sine], [0, -sine, cosine]])
    return lens @ down @ np.linalg.inv(lens), focal


def better_reading(first: Reading, other: Reading, stand: Stand, *, flat_first: bool = False) -> Reading:
    """Of the reading of a picture and that of its view from above the one to give.

    stand: of the dice of the other. What is ready in the one and denied by the other is not sure; where one
    shows dice the picture is not empty. Where neither is ready and the first may show fronts, it is given if
    it shows more dice. flat_first: those of the first lie flat for certain. Then they are no fronts though
    their feet lie above them: the picture stands on its head, and what the other sees are sides.
    """
    if first.status is Status.EMPTY and other.dice:
        first = replace(other, status=Status.UNSURE, reasons=other.reasons or (Reason.LOW_CONFIDENCE,))
    if flat_first and Reason.OBLIQUE in first.reasons and first.faces != other.faces:
        return first
    flat = bool(other.dice) and not (stand.leaning > leaning.LEANS).any()
    if not (flat and FROM_BESIDE <= stand.start[1] < TOO_STEEP):
        if first.status is Status.READY or (flat and stand.start[1] >= TOO_STEEP):
            reasons = tuple(reason for reason in first.reasons if reason is not Reason.COCKED)
            return replace(first, status=Status.UNSURE, reasons=(Reason.OBLIQUE, *reasons))
        return first
    if Status.READY not in (first.status, other.status):
        fronts = Reason.OBLIQUE in first.reasons and len(first.dice) > len(other.dice)
        return first if fronts else other
    if first.status is not Status.READY or first.faces == other.faces:
        return other
    return replace(first, status=Status.UNSURE, reasons=(Reason.LOW_CONFIDENCE,))
