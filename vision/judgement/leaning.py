"""Whether a die that reads as a face also lies flat: each die's lean against that of its neighbours.

A small network says where the foot of each die stands (`vision.inference.foot_network`). Of flat dice all
feet point away from each other towards the point under the camera, so across a picture they follow one simple
rule; a die that leans breaks it. No threshold on one die alone could do this: a flat die at the rim looks
like a leaning one in the middle.
"""

from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from vision.inference.foot_network import CLOSELY, ONCE, Posture, PostureEstimate, estimate_posture
from vision.pips import Floats, Picture


@dataclass(frozen=True, slots=True)
class CameraKind:
    """A kind of camera position, and so the prior rule for the feet of flat dice.

    The rule is foot = start - slope * place; a place counts from the picture's middle in lengths of its
    longer side, the slope is that length over the focal length. usual: start x, start y, slope; varies: how
    much each of these varies from camera to camera. share: of all pictures. least: the smallest
    error of a foot, in edges (lens distortion, skewed tops; far feet are hidden by other dice).
    """

    usual: tuple[float, float, float]
    varies: tuple[float, float, float]
    share: float
    least: float


ABOVE = CameraKind((0.0, 0.0, 1.0), (0.2, 0.2, 0.2), 1.0, 0.03)
"""The slope is 0.8 to 1.3 for cameras that see 45 to 65 degrees, less for a picture that was cropped. A start
of 0.2 is a camera tilted by 11 degrees; of photographs nine in ten start within 0.16."""
BESIDE = tuple(
    CameraKind((0.0, start, 0.8), (0.15, 0.15, 0.35), 0.01, 0.1) for start in (0.5, 0.7, 0.9, 1.15)
)
"""Cameras at the table's edge, tilted by 28, 38, 48 and 60 degrees: below each top its sides are seen."""
BELOW = 0.25
"""Where no foot is so far below its top (edges), no camera stands beside."""
DOUBTED = 0.55
"""Errors of feet are so many times the doubt, which was learnt from drawn dice, many of them small; those of
cameras are seen better."""
LEANS_BY = 0.3
"""How far, in edges, the foot of a leaning die is usually from where it should be."""
CALLED = 0.3
"""How much it counts, beside the foot, whether the network calls a die leaning rather than flat: little, for
mostly it says so of a far foot."""
CALLED_LEAST = 1e-3
"""No smaller chance that the network gives is believed."""
LEANS_RARELY = 0.03
"""How likely a die leans before it is looked at."""
LEANS = 0.2
"""A die that leans at least this likely is not counted. By this alone 5 of 603 photographs and renders whose
faces are read rightly are refused; of 156 drawn trays in which a die leans by 12 to 21 degrees 4 pass, where
0.5 lets 7 pass, and with `FITTED` 3."""
CLEARLY_FLAT = 0.04
"""Where no die leans more likely than this at first sight, the closer look is spared; three in four times."""
CLEARLY_THERE = 0.6
"""The same for how far astray a foot is at first sight."""
LEANING_MAX = 3
"""At most this many dice of one picture are thought to lean at once; a picture of more is refused anyway."""


@dataclass(frozen=True, slots=True)
class FootRule:
    """How exactly it is known where the foot of a die must stand, by the feet of all the others.

    usual, varies: of the rule, as in CameraKind. noise: error of one foot, in edges. far: no foot nearer than
    so (edges) to where it should be tells a lean; of what the rule leaves open, `open_` deviations. least:
    fewer dice tell too little.
    """

    usual: tuple[float, float, float]
    varies: tuple[float, float, float]
    far: float
    open_: float
    least: int
    called: float
    noise: float = 0.04


FITTED = FootRule(ABOVE.usual, (0.3, 0.3, 0.35), 0.14, 2.0, 4, 0.15)
"""Where nothing is known of the camera. By this 2 of 400 photographs whose faces are read rightly are refused
and 7 of 203 renders, without the network's word 4 and 9; of 320 flat throws none, and of 156 drawn trays with
a leaning die 3 pass all the same, 2 of them `ready`."""
FITTED_BESIDE = FootRule((0.0, 0.8, 0.8), (0.15, 0.5, 0.5), 0.18, 2.0, 4, 0.15)
"""The same from the table's edge, where feet are far and many are hidden by other dice."""
KNOWN = FootRule((0.0, 0.0, 0.0), (0.06, 0.06, 0.3), 0.105, 0.0, 1, 0.0)
"""Where its pose is known, and with it where the feet of flat dice are: what may be left of the rule then. It
stands between 200 flat throws, whose feet are at most 0.091 astray, and 120 drawn trays in which a die leans
by 12 to 21 degrees, of whose feet the farthest is at least 0.119. Of 320 other throws 2 are refused, of 156
other trays none passes; where the camera is thought 20 per cent too high 2 and 1, 30 too low 3 and none:
mostly the lens's angle is only guessed."""
DOUBTS = 2.0
"""And no foot is astray that is less far off than this many times the network's doubt."""


@dataclass(frozen=True, slots=True)
class Stand:
    """How the dice of a picture stand.

    leaning: (n,) 0-1, how likely each leans. astray: (n,) how far its foot is from where those of the others
    would have it, as a multiple of what noise explains. start: (2,), where the foot of a flat die in the
    middle of the picture would be, x and y, in edges, if none leans; slope: how much less for every length of
    the picture's longer side to the right or down.
    """

    leaning: NDArray[np.float64]
    start: NDArray[np.float64]
    slope: float = ABOVE.usual[2]
    astray: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))

    def any_leans(self, likely: float = LEANS, far: float = 1.0) -> bool:
        """Whether a die leans at least so likely, or has a foot so far astray."""
        return bool((self.leaning > likely).any() or (self.astray > far).any())


def stand_of(
    x: Floats, y: Floats, looks: PostureEstimate, size_wh: tuple[int, int], feet: Floats | None = None
) -> Stand:
    """How dice stand, by the places (px) of all and what the network says of them.

    feet: (n, 2), in edges, where those of flat dice would be, if the camera's pose is known.

    Every way to tell the leaning from the flat, under every kind of camera, is weighed: how well the feet of
    the flat ones follow one rule (a Gaussian model with an unknown rule, which is averaged over), against how
    far the others are off.

    >>> x, y = np.array([100.0, 300.0, 500.0], np.float32), np.array([200.0, 200.0, 200.0], np.float32)
    >>> doubt, posture = np.full(3, 0.1, np.float32), np.full((3, 5), 0.2, np.float32)
    >>> flat = np.array([[0.3, 0.0], [0.0, 0.0], [-0.3, 0.0]], np.float32)
    >>> (stand_of(x, y, PostureEstimate(flat, doubt, posture), (600, 400)).leaning < 0.1).tolist()
    [True, True, True]
    >>> tipped = flat + np.array([[0.0, 0.0], [0.0, 0.7], [0.0, 0.0]], np.float32)
    >>> (stand_of(x, y, PostureEstimate(tipped, doubt, posture), (600, 400)).leaning > 0.5).tolist()
    [False, True, False]
    """
    n = len(x)
    if n == 0:
        return Stand(np.zeros(0), np.zeros(2))
    flat = _splits(n)
    feet_evidence = _FeetEvidence.of(x, y, looks, size_wh)
    kinds = (ABOVE, *BESIDE) if float(looks.foot[:, 1].max()) > BELOW else (ABOVE,)
    totals, rules = zip(*(feet_evidence.weighed(flat, kind) for kind in kinds), strict=True)
    total = np.stack(totals)
    weight = np.exp(total - total.max())
    leaning = np.einsum("ks,sn->n", weight, 1 - flat) / weight.sum()
    best = int(total[:, 0].argmax())
    rule, fitted = rules[best], FITTED if kinds[best] is ABOVE else FITTED_BESIDE
    feet_evidence = feet_evidence if feet is None else replace(feet_evidence, foot=feet_evidence.foot - feet)
    astray = feet_evidence.astray(fitted if feet is None else KNOWN)
    return Stand(leaning, rule[:2], float(rule[2]), astray)


@dataclass(frozen=True, slots=True)
class _FeetEvidence:
    """The network's output for n dice, as input of the Gaussian model.

    called: (n,) 0-1, how likely it calls each leaning. place: (n, 2), from the middle of the picture. rule:
    (n, 2, 3), foot = rule @ camera. prior: (n,) log-odds that it leans, without the foot.
    """

    foot: NDArray[np.float64]
    doubt: NDArray[np.float64]
    called: NDArray[np.float64]
    place: NDArray[np.float64]
    rule: NDArray[np.float64]
    prior: NDArray[np.float64]

    @classmethod
    def of(cls, x: Floats, y: Floats, looks: PostureEstimate, size_wh: tuple[int, int]) -> "_FeetEvidence":
        place = np.stack([x - size_wh[0] / 2, y - size_wh[1] / 2], 1).astype(np.float64) / max(size_wh)
        rule = np.zeros((len(x), 2, 3))
        rule[:, 0, 0] = rule[:, 1, 1] = 1.0
        rule[:, :, 2] = -place
        called = np.log(
            (looks.posture[:, Posture.LEANING] + CALLED_LEAST)
            / (looks.posture[:, Posture.FLAT] + CALLED_LEAST)
        )
        prior = np.log(LEANS_RARELY / (1 - LEANS_RARELY)) + CALLED * called.astype(np.float64)
        foot, doubt = looks.foot.astype(np.float64), looks.doubt.astype(np.float64)
        return cls(foot, doubt, looks.posture[:, Posture.LEANING].astype(np.float64), place, rule, prior)

    def weighed(
        self, flat: NDArray[np.float64], kind: CameraKind
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """(s,) log-weight of each split (s, n) under a kind of camera, and (3,) the rule if none leans."""
        usual, varies = np.array(kind.usual), np.array(kind.varies)
        noise = (DOUBTED * self.doubt) ** 2 + kind.least**2
        inner = np.einsum("nij,nik->njk", self.rule, self.rule) / noise[:, None, None]
        outer = np.einsum("nij,ni->nj", self.rule, self.foot) / noise[:, None]
        alone = -0.5 * (self.foot**2).sum(1) / noise - np.log(2 * np.pi * noise)
        before = np.diag(varies**-2.0)
        precision = before + (flat @ inner.reshape(len(inner), 9)).reshape(-1, 3, 3)
        eta = before @ usual + flat @ outer
        mean = np.linalg.solve(precision, eta[..., None])[..., 0]
        fits = flat @ alone + 0.5 * (eta * mean).sum(1) - 0.5 * np.linalg.slogdet(precision)[1]
        fits += 0.5 * np.linalg.slogdet(before)[1] - 0.5 * float(usual @ before @ usual)
        # a leaning die's foot: anywhere round where the rule of the others would have it
        spread = noise + LEANS_BY**2
        off = np.zeros_like(flat)
        for axis in range(2):
            expected = mean[:, axis, None] - mean[:, 2:] * self.place[:, axis]
            off += (self.foot[:, axis] - expected) ** 2
        astray = -0.5 * off / spread - np.log(2 * np.pi * spread)
        # from beside every foot is far: only how it lies beside the others tells
        prior = self.prior if kind is ABOVE else np.full(len(self.foot), np.log(LEANS_RARELY))
        total = np.log(kind.share) + fits + ((1 - flat) * (astray + prior)).sum(1)
        return total, mean[0]

    def astray(self, known: FootRule) -> NDArray[np.float64]:
        """(n,) how far each foot is from where all the others would have it, see Stand."""
        n = len(self.foot)
        if n < known.least:
            return np.zeros(n)
        usual, before = np.array(known.usual), np.diag(np.array(known.varies) ** -2.0)
        inner = np.einsum("nij,nik->njk", self.rule, self.rule) / known.noise**2
        outer = np.einsum("nij,ni->nj", self.rule, self.foot) / known.noise**2
        spread = np.linalg.inv(before + inner.sum(0) - inner)  # (n, 3, 3), the die itself left out
        rule = np.einsum("njk,nk->nj", spread, before @ usual + outer.sum(0) - outer)
        off = np.linalg.norm(self.foot - np.einsum("nij,nj->ni", self.rule, rule), axis=1)
        left = np.einsum("nij,njk,nik->n", self.rule, spread, self.rule) / 2
        far = np.maximum(known.far, DOUBTS * self.doubt)
        astray: NDArray[np.float64] = off / np.sqrt(far**2 + known.open_**2 * left)
        return np.where(self.called < known.called, 0.0, astray)


def closest_stand(
    image_bgr: Picture,
    places: tuple[Floats, Floats, Floats],
    angle_deg: NDArray[np.float64],
    feet: Floats | None = None,
) -> Stand:
    """How the dice of a picture stand.

    A closer look is taken only where the first leaves room for a lean, or for fronts. places: x, y and edge
    of each, px; angle_deg: see `may_be_fronts`; feet: as in `stand_of`.
    """
    x, y, edge = places
    size_wh = (image_bgr.shape[1], image_bgr.shape[0])
    first = stand_of(x, y, estimate_posture(image_bgr, x, y, edge, looks=ONCE), size_wh, feet)
    above = replace(first, start=first.start - (0.0, FIRST_OFF))
    if not first.any_leans(CLEARLY_FLAT, CLEARLY_THERE) and not may_be_fronts(above, angle_deg):
        return first
    return stand_of(x, y, estimate_posture(image_bgr, x, y, edge, looks=CLOSELY), size_wh, feet)


NO_FOOT = 0.2
"""A foot nearer to the middle of a face (edges) may be none: most number tokens get such a foot."""
FAR_FOOT = 0.3
"""A foot so far from a face (edges) is seen, so something stands there; d20s have feet up to 0.28."""
FRONTS, UPRIGHT_DEG, UPRIGHT_SHARE = -0.1, 10.0, 0.75
"""Where the feet of faces are so far above them (edges), and the edges of this many of them within this many
degrees of upright, they may be the fronts of dice: whatever its turn, a die's upright edges are upright in
the picture. Of four angles one may be mistaken."""
SURELY_FRONTS = -0.3
"""Feet farther above than this are those of fronts, whatever their edges."""
FIRST_OFF = 0.1
"""By so much the first look may put all feet of a picture too far below their faces (edges): of a row of
fronts, drawn, it had them 0.09 above, the closer look 0.23."""
ASIDE = 0.45
"""Where feet are so far aside of the faces (edges; a camera tilted sideways by 25 degrees), sides may have
been read as tops: nothing tells them apart. Of 244 pictures of up to four dice that are read rightly none is
beyond 0.32."""


def may_be_fronts(stand: Stand, angle_deg: NDArray[np.float64]) -> bool:
    """Whether what reads as tops may be the fronts or sides of dice seen from the side.

    angle_deg: (n,) of an edge of each against the picture's x axis.

    >>> beside = Stand(np.zeros(2), np.array([0.0, -0.3]))
    >>> may_be_fronts(beside, np.array([3.0, 88.0])), may_be_fronts(beside, np.array([33.0, 40.0]))
    (True, False)
    >>> may_be_fronts(Stand(np.zeros(1), np.array([-0.5, 0.1])), np.array([33.0]))
    True
    """
    turned = np.minimum(angle_deg % 90.0, 90.0 - angle_deg % 90.0)
    upright = float((turned < UPRIGHT_DEG).mean()) >= UPRIGHT_SHARE
    above = stand.start[1] < (FRONTS if upright else SURELY_FRONTS)
    return bool(above or abs(stand.start[0]) > ASIDE)


@lru_cache(maxsize=16)
def _splits(n: int) -> NDArray[np.float64]:
    """(s, n) 1 where a die is thought flat: every choice of up to LEANING_MAX that lean."""
    rows = [
        np.isin(np.arange(n), leaning, invert=True)
        for count in range(min(LEANING_MAX, n) + 1)
        for leaning in combinations(range(n), count)
    ]
    return np.array(rows, np.float64)
