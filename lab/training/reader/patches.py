"""Patches of dice and of what is none, cut from the full pictures, kept outside the project.

A kept patch shows a square of 2.4 sizes of a die (the longer side of its box) round its middle in 144 pixels,
so that each time it is shown it can be turned, shifted and scaled anew.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from lab.training.reader.looks import coarser, marbled, relit, rougher, stored
from lab.training.reader.plan import Batch, Plan
from lab.training.reader.sources import Die, Picture
from lab.two_networks.engine import normalised
from lab.two_networks.faces import SIDE, cut_square
from lab.two_networks.places import Place

KEPT_PX = 144
KEPT_SIZES = 2.4
WINDOW = (1.15, 1.75)  # a shown patch is so many sizes wide
NO_DIE = 0
NONE_A_PICTURE, NONE_A_DIE = 4, 0.7
MOST_MISTAKEN = 8
SHARE_NO_DIE = 0.35
MARBLED, COARSE = 0.1, 0.6


@dataclass(frozen=True, slots=True)
class Cut:
    """Where to cut: middle and size in pixels of the picture; label 0 (no die) to 6."""

    x: float
    y: float
    size: float
    label: int


def cuts(rng: np.random.Generator, picture: Picture, size_wh: tuple[int, int]) -> Iterator[Cut]:
    """Its dice; and, where all dice are known, places beside them, parts of them, and bare ground."""
    width, height = size_wh
    yield from (Cut(die.x, die.y, die.size, die.face) for die in picture.dice if die.face is not None)
    if not picture.boxed:
        return
    known = (*picture.dice, *picture.doubtful)
    clear = (thing for thing in picture.things if not any(_hides(thing, die) for die in known))
    yield from (Cut(thing.x, thing.y, thing.size, NO_DIE) for thing in clear)
    usual = float(np.median([die.size for die in known])) if known else width / 10
    for _ in range(NONE_A_PICTURE):
        x, y = rng.uniform(0, width), rng.uniform(0, height)
        size = usual * float(np.exp(rng.uniform(-0.9, 0.7)))
        if not _is_die(known, x, y, size):
            yield Cut(x, y, size, NO_DIE)
    for die in picture.dice:
        if rng.random() > NONE_A_DIE:
            continue
        angle, way = rng.uniform(0, 2 * np.pi), rng.uniform(0.0, 1.1) * die.size
        x, y = die.x + way * np.cos(angle), die.y + way * np.sin(angle)
        size = die.size * float(np.exp(rng.choice((-1, 1)) * rng.uniform(0.0, 1.3)))
        if not _is_die(known, x, y, size):
            yield Cut(x, y, size, NO_DIE)


def mistaken(picture: Picture, size_wh: tuple[int, int], places: Iterable[Place]) -> Iterator[Cut]:
    """The places of a picture, likeliest first, that the detector takes for dice and that are none.

    Those at the rim are left out: dice that lie there are not all told.
    """
    known = (*picture.dice, *picture.doubtful)
    cuts = (Cut(place.x, place.y, place.size, NO_DIE) for place in places)
    wrong = (
        one
        for one in cuts
        if not _is_die(known, one.x, one.y, one.size)
        and one.size < one.x < size_wh[0] - one.size
        and one.size < one.y < size_wh[1] - one.size
    )
    return islice(wrong, MOST_MISTAKEN)


def _hides(thing: Die, die: Die) -> bool:
    """Whether a die is so near a thing that who sees one may mean the other."""
    return float(np.hypot(thing.x - die.x, thing.y - die.y)) < max(thing.size, die.size) / 2


def _is_die(known: Iterable[Die], x: float, y: float, size: float) -> bool:
    """Whether a place may pass for one of the dice, or hides nothing but one."""
    for die in known:
        off = float(np.hypot(x - die.x, y - die.y)) / die.size
        if off < 0.5 and abs(np.log(size / die.size)) < 0.75:
            return True
    return False


@dataclass(frozen=True, slots=True, eq=False)
class Patches:
    """pixels: (n, 144, 144, 3) uint8 BGR; labels: (n,) uint8; groups: (n,) str."""

    pixels: NDArray[np.uint8]
    labels: NDArray[np.uint8]
    groups: NDArray[np.str_]

    def save(self, path: Path) -> None:
        """Write two files: PATH.pixels.npy and PATH.labels.npz."""
        np.save(path.with_suffix(".pixels.npy"), self.pixels)
        np.savez(path.with_suffix(".labels.npz"), labels=self.labels, groups=self.groups)


def load(path: Path) -> Patches:
    """As saved; the pixels stay on the disk until they are shown."""
    with np.load(path.with_suffix(".labels.npz")) as held:
        labels, groups = held["labels"], held["groups"]
    return Patches(np.load(path.with_suffix(".pixels.npy"), mmap_mode="r"), labels, groups)


def collect(
    pictures: Iterable[Picture],
    seed: int,
    find: Callable[[NDArray[np.uint8]], Iterable[Place]] = lambda _: (),
) -> Patches:
    """The cuts of all pictures. A picture without any box, of one die alone, is a cut itself.

    find: where a detector sees dice in a picture; what of it is none is a group of its own.
    """
    rng = np.random.default_rng(seed)
    pixels, labels, groups = [], [], []
    for picture in pictures:
        image = np.asarray(cv2.imread(str(picture.path)), np.uint8)
        height, width = image.shape[:2]
        dice_cuts = list(cuts(rng, picture, (width, height)))
        if not picture.boxed and len(picture.faces) == 1:
            dice_cuts = [Cut(width / 2, height / 2, float(max(width, height)), picture.faces[0])]
        wrong = list(mistaken(picture, (width, height), find(image))) if picture.boxed else []
        pixels += [cut_square(image, (c.x, c.y), KEPT_SIZES * c.size, KEPT_PX) for c in (*dice_cuts, *wrong)]
        labels += [c.label for c in (*dice_cuts, *wrong)]
        groups += [picture.group] * len(dice_cuts) + [f"{picture.group}, mistaken"] * len(wrong)
    return Patches(np.array(pixels, np.uint8), np.array(labels, np.uint8), np.array(groups))


def shown(rng: np.random.Generator, kept: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A patch (80, 80, 3) from a kept one: turned, mirrored, squeezed, seen askew, in other light."""
    wide = rng.uniform(*WINDOW) * KEPT_PX / KEPT_SIZES
    scale = SIDE / wide
    angle = rng.uniform(0, 2 * np.pi)
    stretch = np.exp(rng.normal(0, 0.08))
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    other = np.array([[1, rng.normal(0, 0.06)], [0, 1]])
    main = scale * turn @ other @ np.diag([stretch * rng.choice((-1, 1)), 1 / stretch])
    shift = (
        SIDE / 2 + rng.normal(0, 0.05, 2) * scale * KEPT_PX / KEPT_SIZES - main @ (KEPT_PX / 2, KEPT_PX / 2)
    )
    whole = np.eye(3)
    whole[:2, :2], whole[:2, 2] = main, shift
    askew = np.eye(3)
    askew[2, :2] = rng.normal(0, 0.0012, 2)
    middle = np.array([[1, 0, -SIDE / 2], [0, 1, -SIDE / 2], [0, 0, 1]])
    whole = np.linalg.inv(middle) @ askew @ middle @ whole
    seen = np.asarray(
        cv2.warpPerspective(
            kept, whole, (SIDE, SIDE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        ),
        np.uint8,
    )
    if rng.random() < MARBLED:
        seen = marbled(rng, seen)
    seen = relit(rng, seen)
    if rng.random() < COARSE:
        seen = coarser(rng, seen, float(np.exp(rng.uniform(np.log(0.2), 0.0))))
    return stored(rng, seen)


class PatchMaker:
    """Makes batches of patches by their number: a third are no die, all faces come equally often."""

    def __init__(self, patches: Patches, plan: Plan, *, rough: bool = False) -> None:
        """rough: patches are made rougher, so that the network errs elsewhere than one taught without."""
        self.patches, self.plan, self.rough = patches, plan, rough
        self.shelves: dict[int, list[NDArray[np.intp]]] = {}
        for label in sorted(set(patches.labels.tolist())):
            groups = sorted(set(patches.groups[patches.labels == label].tolist()))
            self.shelves[label] = [
                np.flatnonzero((patches.labels == label) & (patches.groups == group)) for group in groups
            ]
        self.faces = sorted(set(self.shelves) - {NO_DIE})

    def _one(self, rng: np.random.Generator) -> int:
        """The number of a patch; a group is drawn by the root of how many it has."""
        label = NO_DIE if rng.random() < SHARE_NO_DIE else self.faces[int(rng.integers(len(self.faces)))]
        shelves = self.shelves[label]
        share = np.sqrt([len(shelf) for shelf in shelves])
        shelf = shelves[rng.choice(len(shelves), p=share / share.sum())]
        return int(shelf[rng.integers(len(shelf))])

    def batch(self, number: int) -> Batch:
        """Patches (n, 3, 80, 80) as the network takes them, and labels (n,) int64."""
        rng = np.random.default_rng([self.plan.seed, number])
        chosen = [self._one(rng) for _ in range(self.plan.batch)]
        seen = np.array([shown(rng, np.asarray(self.patches.pixels[one])) for one in chosen])
        if self.rough:
            seen = np.array([rougher(rng, one) for one in seen])
        return normalised(seen), self.patches.labels[chosen].astype(np.int64)
