"""Whether a die that reads as a face also lies flat: each die's lean against that of its neighbours.

A small network looks at a die and says where its foot stands: how far, in edges of the top face, and in
which direction the picture goes from the middle of that face straight down into the die; and how much it
doubts that. Of flat dice all feet point away from each other towards the point under the camera, so across a
picture they follow one simple rule; a die that leans breaks it. No threshold on one die alone could do this:
a flat die at the rim looks like a leaning one in the middle.

The network also names how the die lies, for places where no face could be read.
"""

import threading
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from vision.networks import LEAST_SPREAD, crop_square, load_model, run_network
from vision.pips import Floats, Picture

LEANING = "leaning"
PATCH_PX = 64
PATCH_EDGES = 2.6


class Posture(IntEnum):
    """How a die lies, or that there is none."""

    FLAT = 0
    LEANING = 1
    STACKED = 2
    HIDDEN = 3
    NOT = 4


@dataclass(frozen=True, slots=True)
class PostureEstimate:
    """What the network says of n places.

    foot: (n, 2) float32, in edges from the middle of the top face. doubt: (n,) float32, the error to expect
    of it, in edges. posture: (n, len(Posture)) float32, probabilities.
    """

    foot: Floats
    doubt: Floats
    posture: Floats


@dataclass(frozen=True, slots=True)
class Augmentation:
    """A way to look at a patch: turned by so many quarters against the clock, then mirrored left to right."""

    quarters: int
    mirrored: bool

    def apply(self, patches: Floats) -> Floats:
        """Patches (n, 3, h, w) seen so."""
        turned = np.rot90(patches, self.quarters, (2, 3))
        return np.ascontiguousarray(turned[..., ::-1] if self.mirrored else turned)

    def undo(self, feet: Floats) -> Floats:
        """Feet (n, 2), x to the right and y down, of patches seen so, as they stand in the picture."""
        turn = np.linalg.matrix_power(np.array([[0.0, -1.0], [1.0, 0.0]]), self.quarters)
        mirror = np.diag([-1.0 if self.mirrored else 1.0, 1.0])
        return np.asarray(feet @ (turn @ mirror).T, np.float32)


AUGMENTATIONS = tuple(
    Augmentation(quarters, mirrored) for mirrored in (False, True) for quarters in (0, 2, 1, 3)
)
ONCE, TWICE, CLOSELY = 1, 2, len(AUGMENTATIONS)
"""How often a place is looked at: the mean of many looks errs less than one."""


class FootNetwork:
    """The loaded network; may be shared by threads, which take turns."""

    def __init__(self) -> None:
        self._network = load_model(LEANING)
        self._turn = threading.Lock()

    def estimate(self, patches: NDArray[np.uint8], *, looks: int = TWICE) -> PostureEstimate:
        """What it says of patches (n, PATCH_PX, PATCH_PX, 3) uint8 BGR, each seen in so many of WAYS."""
        n = len(patches)
        if not n:
            none = np.zeros((0, 2), np.float32)
            return PostureEstimate(none, none[:, 0], np.zeros((0, len(Posture)), np.float32))
        floats = patches.astype(np.float32).transpose(0, 3, 1, 2)
        rows = floats.reshape(n, -1)
        middle, spread = rows.mean(1), rows.std(1) + np.float32(LEAST_SPREAD)
        ready = (floats - middle[:, None, None, None]) / spread[:, None, None, None]
        shown = np.concatenate([way.apply(ready) for way in AUGMENTATIONS[:looks]])
        with self._turn:
            told = run_network(self._network, shown).reshape(looks, n, -1)
        feet = np.stack([way.undo(one[:, :2]) for way, one in zip(AUGMENTATIONS, told, strict=False)])
        doubt = np.exp(np.clip(told[:, :, 2].mean(0), -4, 1))
        odds = np.exp(told[:, :, 3:] - told[:, :, 3:].max(2, keepdims=True))
        return PostureEstimate(feet.mean(0), doubt, (odds / odds.sum(2, keepdims=True)).mean(0))


@lru_cache(maxsize=1)
def _shared() -> FootNetwork:
    return FootNetwork()


def estimate_posture(
    image_bgr: Picture, x: Floats, y: Floats, edge: Floats, *, looks: int = TWICE
) -> PostureEstimate:
    """What the network says of places. image_bgr: (h, w, 3) uint8, 0-255; x, y, edge: of top faces, px.

    looks: in how many of WAYS it sees each place.
    """
    patches = [
        crop_square(image_bgr, (float(a), float(b)), float(e) * PATCH_EDGES, PATCH_PX)
        for a, b, e in zip(x, y, edge, strict=True)
    ]
    return _shared().estimate(np.array(patches, np.uint8).reshape(-1, PATCH_PX, PATCH_PX, 3), looks=looks)


USUAL = np.array([0.0, 0.0, 1.0])
"""The rule of flat dice, foot = start - slope * place, before a picture is seen: start x, start y, slope. A
place counts from the picture's middle in lengths of its longer side; the slope is that length over the focal
length: 0.8 to 1.3 for cameras that see 45 to 65 degrees, less for a picture that was cropped."""
VARIES = np.array([0.2, 0.2, 0.2])
"""How much each of these varies from camera to camera; a start of 0.2 is a camera tilted by 11 degrees. Of
photographs nine in ten start within 0.16."""
DOUBTED, LEAST = 0.55, 0.03
"""Errors of feet, in edges: so many times the doubt, and never less than this (lenses bend, tops are measured
askew). The doubt was learnt from drawn dice, many of them small; those of cameras are seen better."""
LEANS_BY = 0.3
"""How far, in edges, the foot of a leaning die is usually from where it should be."""
CALLED = 0.3
"""How much it counts, beside the foot, whether the network calls a die leaning rather than flat: little, for
mostly it says so of a far foot."""
CALLED_LEAST = 1e-3
"""No smaller chance that the network gives is believed."""
LEANS_RARELY = 0.03
"""How likely a die leans before it is looked at."""
LEANS = 0.5
"""A die that leans at least this likely is not counted. These figures were fitted to readings, without
leaning, of 498 photographs and renders and 280 simulated trays whose dice lie flat, of which 3 are refused,
and 158 in which a die leans by 12 degrees and more, of which 149 are."""
CLEARLY_FLAT = 0.04
"""Where no die leans more likely than this at first sight, the closer look is spared; three in four times."""
LEANING_MAX = 3
"""At most so many dice of one picture are thought to lean at once; a picture of more is refused anyway."""


def leaning_probability(
    x: Floats, y: Floats, looks: PostureEstimate, size_wh: tuple[int, int]
) -> NDArray[np.float64]:
    """(n,) 0-1: how likely each die leans, by the places (px) of all and what the network says of them.

    Every way to tell the leaning from the flat is weighed: how well the feet of the flat ones follow one
    rule (a Gaussian model with an unknown rule, which is averaged over), against how far the others are off.

    >>> x, y = np.array([100.0, 300.0, 500.0], np.float32), np.array([200.0, 200.0, 200.0], np.float32)
    >>> doubt, posture = np.full(3, 0.1, np.float32), np.full((3, 5), 0.2, np.float32)
    >>> flat = np.array([[0.3, 0.0], [0.0, 0.0], [-0.3, 0.0]], np.float32)
    >>> (leaning_probability(x, y, PostureEstimate(flat, doubt, posture), (600, 400)) < 0.1).tolist()
    [True, True, True]
    >>> tipped = flat + np.array([[0.0, 0.0], [0.0, 0.7], [0.0, 0.0]], np.float32)
    >>> (leaning_probability(x, y, PostureEstimate(tipped, doubt, posture), (600, 400)) > 0.5).tolist()
    [False, True, False]
    """
    n = len(x)
    if n == 0:
        return np.zeros(0)
    flat = _splits(n)
    place = np.stack([x - size_wh[0] / 2, y - size_wh[1] / 2], 1).astype(np.float64) / max(size_wh)
    foot = looks.foot.astype(np.float64)
    noise = (DOUBTED * looks.doubt.astype(np.float64)) ** 2 + LEAST**2
    rule = np.zeros((n, 2, 3))
    rule[:, 0, 0] = rule[:, 1, 1] = 1.0
    rule[:, :, 2] = -place
    inner = np.einsum("nij,nik->njk", rule, rule) / noise[:, None, None]
    outer = np.einsum("nij,ni->nj", rule, foot) / noise[:, None]
    alone = -0.5 * (foot**2).sum(1) / noise - np.log(2 * np.pi * noise)
    before = np.diag(VARIES**-2.0)
    precision = before + np.einsum("sn,njk->sjk", flat, inner)
    eta = before @ USUAL + flat @ outer
    mean = np.linalg.solve(precision, eta[..., None])[..., 0]
    fits = flat @ alone + 0.5 * (eta * mean).sum(1) - 0.5 * np.linalg.slogdet(precision)[1]
    # a leaning die's foot: anywhere round where the rule of the others would have it
    expected = np.einsum("nij,sj->sni", rule, mean)
    spread = noise + LEANS_BY**2
    off = ((foot[None] - expected) ** 2).sum(2)
    astray = -0.5 * off / spread - np.log(2 * np.pi * spread)
    called = np.log(
        (looks.posture[:, Posture.LEANING] + CALLED_LEAST) / (looks.posture[:, Posture.FLAT] + CALLED_LEAST)
    )
    prior = np.log(LEANS_RARELY / (1 - LEANS_RARELY)) + CALLED * called.astype(np.float64)
    total = fits + ((1 - flat) * (astray + prior)).sum(1)
    weight = np.exp(total - total.max())
    leaning: NDArray[np.float64] = ((1 - flat) * weight[:, None]).sum(0) / weight.sum()
    return leaning


def leaning_dice(x: Floats, y: Floats, looks: PostureEstimate, size_wh: tuple[int, int]) -> NDArray[np.bool_]:
    """(n,) which of the dice lean, see `leaning_probability`."""
    return leaning_probability(x, y, looks, size_wh) > LEANS


def any_leans(image_bgr: Picture, x: Floats, y: Floats, edge: Floats) -> bool:
    """Whether one of the dice leans; a closer look is taken only where the first leaves room for it."""
    size_wh = (image_bgr.shape[1], image_bgr.shape[0])
    first = leaning_probability(x, y, estimate_posture(image_bgr, x, y, edge, looks=ONCE), size_wh)
    if not (first > CLEARLY_FLAT).any():
        return False
    return bool(leaning_dice(x, y, estimate_posture(image_bgr, x, y, edge, looks=CLOSELY), size_wh).any())


@lru_cache(maxsize=16)
def _splits(n: int) -> NDArray[np.float64]:
    """(s, n) 1 where a die is thought flat: every choice of up to LEANING_MAX that lean."""
    rows = [
        np.isin(np.arange(n), leaning, invert=True)
        for count in range(min(LEANING_MAX, n) + 1)
        for leaning in combinations(range(n), count)
    ]
    return np.array(rows, np.float64)
