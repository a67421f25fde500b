"""What the hand network learns from: pictures without a hand, over which hands, things and rims are laid.

Trays of the simulated camera in every case (never its own hand), renders and the permitted photographs.
"""

import csv
import json
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from bench.holdout import held_out
from lab.training.hand_drawing import PX_PER_MM, SKINS, Hand, draw_hand, lay_hand
from lab.training.pools import MAY_TRAIN
from simulator.cases import CASES
from simulator.draw import draw
from simulator.hand_drawing import REACH_MM, SLEEVE_MM, SPRITE_PX_PER_MM, hand_sprite
from simulator.prints import MAKERS
from simulator.scene import Scene

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

SIZE_WH = (112, 80)
WIDE = 160
"""Pixels that a background is wide."""
TRAYS, GRAIN_TRAYS = 528, 44
HANDS, SPRITES, THINGS, THING_PX = 500, 120, 120, 64
KIND_SHARES = (0.4, 0.25, 0.35)
"""Of hands drawn here, hands of the simulator, and hands cut out of renders."""
HAND_SHARE, SECOND_HAND, THING_SHARE, RIM_SHARE = 0.6, 0.12, 0.4, 0.25
RECOLOURED, LIKE_SKIN, SHADOW_SHARE = 0.35, 0.2, 0.25


class Background(NamedTuple):
    """image: (h, WIDE, 3) uint8 BGR without a hand; group: where it is from."""

    image: Image
    group: str


class Thing(NamedTuple):
    """A thing from above: (h, w, 3) float32 BGR 0-255, and how much of it covers, (h, w) 0-1."""

    light: Floats
    cover: Floats


def _small(scene: Scene, grain: int) -> Scene:
    """The scene as a small picture; the grain of its materials is worked out once for many of them."""
    view, sensor = scene.view, scene.sensor
    share = 2 * WIDE / view.size_wh[0]
    size = (2 * WIDE, 2 * round(view.size_wh[1] * share / 2))
    length, way = sensor.shake_px
    return replace(
        scene,
        view=replace(view, size_wh=size, focal_px=view.focal_px * share),
        sensor=replace(sensor, blur_px=sensor.blur_px * share, shake_px=(length * share, way)),
        hand=None,
        seed=grain,
    )


def _shelved(image: Image, group: str) -> Background:
    size = (WIDE, max(1, round(image.shape[0] * WIDE / image.shape[1])))
    return Background(np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8), group)


def of_trays(seed: int, count: int) -> Iterator[Background]:
    """Simulated trays, every case in turn, each by its number."""
    names = tuple(CASES)
    for number in range(count):
        rng = random.Random(f"hands/{seed}/{number}")  # noqa: S311 - pictures, no secrets
        scene = None
        while scene is None:
            scene = CASES[names[number % len(names)]].make(rng)
        yield _shelved(draw(_small(scene, number // GRAIN_TRAYS)).image, "drawn/tray")


def of_renders(folder: Path) -> Iterator[Background]:
    """Renders at rest without a hand, and their empty trays."""
    for labels in sorted(folder.glob("*/labels.jsonl")):
        stills = [json.loads(line) for line in labels.read_text().splitlines()]
        if labels.parent.name in {"hand", "sequence", "charuco"}:
            stills = []
        names = [label["file"] for label in stills if not label.get("hand")]
        for path in [*(labels.parent / name for name in names), *sorted(labels.parent.glob("*_ref.jpg"))]:
            yield _shelved(cv2.imread(str(path)), "render/" + labels.parent.name)


def of_photographs(folder: Path) -> Iterator[Background]:
    """The permitted photographs; none of them shows a hand."""
    with (folder / "manifest.csv").open(newline="") as rows:
        for row in csv.DictReader(rows):
            if row["licence"] in MAY_TRAIN and not held_out(row["file"]):
                yield _shelved(cv2.imread(str(folder / row["file"])), "photo/" + row["file"].split("/")[0])


def _simulated_hand(rng: np.random.Generator) -> Hand:
    """The simulator's own hand, in any skin and light, its arm made longer."""
    skin = np.array(SKINS[rng.integers(len(SKINS))]) * rng.uniform(0.9, 1.1) + rng.normal(0, 5, 3)
    red, green, blue = (int(value) for value in np.clip(skin, 5, 250))
    drawn = hand_sprite(rng.random() < 0.6, (red, green, blue), rng.uniform(0, 0.5), rng.uniform(0.7, 1.3))
    share, arm_px = PX_PER_MM / SPRITE_PX_PER_MM, 400
    light, cover = (
        cv2.copyMakeBorder(
            cv2.resize(one.astype(np.float32), None, fx=share, fy=share, interpolation=cv2.INTER_AREA),
            0, 0, arm_px, 0, cv2.BORDER_REPLICATE,
        )
        for one in (drawn.picture, drawn.cover)
    )  # fmt: skip
    return Hand(
        light,
        cover / 255,
        (arm_px - REACH_MM[0] * PX_PER_MM, cover.shape[0] / 2),
        arm_px + (SLEEVE_MM - REACH_MM[0]) * PX_PER_MM,
    )


def _things(seed: int) -> list[Thing]:
    """Things to be laid over pictures."""
    rng, things = np.random.default_rng([seed, 3]), []
    for _ in range(THINGS):
        slab = tuple(MAKERS.values())[rng.integers(len(MAKERS))](rng)
        light, cover = slab.top.astype(np.float32), slab.cover.astype(np.float32) / 255
        share = THING_PX / max(cover.shape)
        size = (max(1, round(cover.shape[1] * share)), max(1, round(cover.shape[0] * share)))
        things.append(Thing(*(cv2.resize(one, size, interpolation=cv2.INTER_AREA) for one in (light, cover))))
    return things


class Overlays(NamedTuple):
    """What is laid over pictures. hands: by kind, as KIND_SHARES names them."""

    hands: tuple[list[Hand], ...]
    things: list[Thing]

    def hand(self, rng: np.random.Generator) -> Hand:
        """One of the hands."""
        there = np.array(KIND_SHARES) * [bool(kind) for kind in self.hands]
        kind = self.hands[rng.choice(len(self.hands), p=there / there.sum())]
        return kind[rng.integers(len(kind))]


def overlays(seed: int, cut_out: list[Hand]) -> Overlays:
    """Hands and things to be laid over pictures. cut_out: hands of renders."""
    rng = np.random.default_rng([seed, 5])
    drawn = [draw_hand(rng) for _ in range(HANDS)]
    return Overlays((drawn, [_simulated_hand(rng) for _ in range(SPRITES)], cut_out), _things(seed))


def _lay_thing(rng: np.random.Generator, picture: Floats, thing: Thing) -> None:
    """Lay a thing and its shadow over a picture (h, w, 3), in place."""
    high, wide = picture.shape[:2]
    scale = float(np.exp(rng.uniform(np.log(4), np.log(50)))) / THING_PX
    angle, goal = rng.uniform(0, 2 * np.pi), rng.uniform(0, 1, 2) * (wide, high)
    turn = scale * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    place = np.column_stack([turn, goal - turn @ (np.array(thing.cover.shape[::-1]) / 2)])
    shade = place + np.array([[0, 0, rng.normal(0, 1)], [0, 0, rng.normal(0, 1)]])
    soft = cv2.GaussianBlur(cv2.warpAffine(thing.cover, shade, (wide, high)), (0, 0), rng.uniform(0.5, 1.5))
    picture *= 1 - np.float32(rng.uniform(0, 0.5)) * soft[..., None]
    bright = np.float32(np.clip(picture.max() / 230 * rng.uniform(0.5, 1.1), 0.2, 1.2))
    cover = cv2.warpAffine(thing.cover, place, (wide, high))[..., None]
    picture += (cv2.warpAffine(thing.light, place, (wide, high)) * bright - picture) * cover


def _lay_shadow(rng: np.random.Generator, picture: Floats, over: "Overlays") -> None:
    """The shadow of somebody beside the picture, or of a hand that is not in it, in place."""
    high, wide = picture.shape[:2]
    if rng.random() < 0.4:
        cover = over.hand(rng).cover
        scale, angle = rng.uniform(0.3, 1.5) * wide / 90, rng.uniform(0, 2 * np.pi)
        turn = scale * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        middle = np.array(cover.shape[::-1]) / 2
        goal = rng.uniform(0, 1, 2) * (wide, high)
        dark = cv2.warpAffine(cover, np.column_stack([turn, goal - turn @ middle]), (wide, high))
    else:
        dark = np.zeros((high, wide), np.float32)
        for _ in range(int(rng.integers(1, 3))):
            centre = rng.choice([-0.1, 0.2, 0.8, 1.1], 2) * (wide, high) + rng.normal(0, 8, 2)
            size = rng.uniform(0.2, 0.9, 2) * (wide, high)
            box = (
                tuple(map(float, centre)),
                tuple(map(float, size)),
                float(rng.choice([0, 90]) + rng.normal(0, 15)),
            )
            if rng.random() < 0.5:
                cv2.fillPoly(dark, [cv2.boxPoints(box).astype(np.int32)], rng.uniform(0.4, 1))
            else:
                cv2.ellipse(dark, box, rng.uniform(0.4, 1), -1)
    dark = cv2.GaussianBlur(dark, (0, 0), float(np.exp(rng.uniform(np.log(0.5), np.log(7)))))
    tint = np.clip(rng.uniform(0.25, 0.75) + rng.normal(0, 0.05, 3), 0, 1).astype(np.float32)
    picture *= 1 - dark[..., None] * tint


def _lay_rim(rng: np.random.Generator, picture: Floats) -> None:
    """Straight and round bars, such as the rims of trays, of wood, leather or cloth, mostly skin-coloured."""
    high, wide = picture.shape[:2]
    mask = np.zeros((high, wide), np.uint8)
    broad = int(rng.integers(2, 14))
    if rng.random() < 0.4:
        axes = (int(wide * rng.uniform(0.3, 0.9)), int(high * rng.uniform(0.3, 0.9)))
        middle = tuple(int(v) for v in rng.uniform(0.2, 0.8, 2) * (wide, high))
        cv2.ellipse(mask, middle, axes, rng.uniform(0, 180), 0, 360, 1, broad)
    for _ in range(int(rng.integers(1, 4))):
        ends = [tuple(int(v) for v in rng.uniform(-0.3, 1.3, 2) * (wide, high)) for _ in range(2)]
        cv2.line(mask, ends[0], ends[1], 1, broad)
    hue = np.array([70, 105, 150]) * rng.uniform(0.3, 1.6) + rng.normal(0, 14, 3)
    if rng.random() < 0.4:
        hue = rng.uniform(0, 255, 3)
    depth = cv2.distanceTransform(mask, cv2.DIST_L2, 3)
    tone = rng.uniform(0.5, 1) + rng.uniform(-0.3, 0.5) * np.clip(2 * depth / broad, 0, 1)
    grain = rng.normal(0, 1, (high, wide)).astype(np.float32)
    grain = cv2.GaussianBlur(grain, (0, 0), rng.uniform(0.4, 4), sigmaY=rng.uniform(0.4, 4))
    shown = np.clip(hue, 4, 250) * (tone * (1 + rng.uniform(0, 0.5) * grain))[..., None]
    picture[mask > 0] = shown[mask > 0]


def seen_anew(
    rng: np.random.Generator, image: Image, over: Overlays, hard: float = 1.0
) -> tuple[Image, Image]:
    """A varied piece (80, 112, 3) of a picture with what is laid over it, and what it shows, (80, 112).

    That is HAND, SLEEVE or 0. hard: 0-1, how often things and rims of the colour of skin are laid over it.
    """
    high, wide = image.shape[:2]
    angle = rng.uniform(0, 2 * np.pi) if rng.random() < 0.3 else rng.integers(4) * np.pi / 2
    scale = SIZE_WH[0] / wide * np.exp(rng.uniform(np.log(0.85), np.log(1.5)))
    turn = scale * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    aim = np.array([wide, high]) * rng.uniform(0.35, 0.65, 2)
    place = np.column_stack([turn, np.array(SIZE_WH) / 2 - turn @ aim])
    seen = cv2.warpAffine(image, place, SIZE_WH, borderMode=cv2.BORDER_REFLECT).astype(np.float32)
    _recolour(rng, seen)
    shows = np.zeros(SIZE_WH[::-1], np.uint8)
    if rng.random() < SHADOW_SHARE:
        _lay_shadow(rng, seen, over)
    if rng.random() < RIM_SHARE * hard:
        _lay_rim(rng, seen)
    if rng.random() < THING_SHARE * hard:
        for _ in range(int(rng.integers(1, 4))):
            _lay_thing(rng, seen, over.things[rng.integers(len(over.things))])
    if rng.random() < HAND_SHARE:
        for _ in range(1 + int(rng.random() < SECOND_HAND)):
            lay_hand(rng, seen, shows, over.hand(rng))
    return _taken(rng, seen), shows


def _recolour(rng: np.random.Generator, seen: Floats) -> None:
    """Give a picture (h, w, 3) other colours now and then, in place: any, or those of skin."""
    chance = rng.random()
    if chance < RECOLOURED:
        seen *= np.exp(rng.normal(0, 0.3) + rng.normal(0, 0.2, 3)).astype(np.float32)
    elif chance < RECOLOURED + LIKE_SKIN:
        skin = np.array(SKINS[rng.integers(len(SKINS))][::-1]) * np.exp(rng.normal(0, 0.12, 3))
        seen *= (skin / np.maximum(np.median(seen, (0, 1)), 8)).astype(np.float32)
    np.clip(seen, 0, 255, out=seen)


def _taken(rng: np.random.Generator, seen: Floats) -> Image:
    """A thumbnail as cameras give it: in another light, soft or sharp, with what noise is left."""
    if rng.random() < 0.7:
        seen = seen * (np.exp(rng.normal(0, 0.25)) * np.exp(rng.normal(0, 0.08, 3))).astype(np.float32)
    chance = rng.random()
    if chance < 0.2:
        seen = cv2.GaussianBlur(seen, (0, 0), rng.uniform(0.4, 1.2))
    elif chance < 0.35:
        seen = seen + 0.7 * (seen - cv2.GaussianBlur(seen, (0, 0), 1.0))
    if rng.random() < 0.15:
        middle = float(seen.mean())
        seen = middle + (seen - middle) * np.float32(rng.uniform(0.4, 1))
    if rng.random() < 0.4:
        seen = seen + rng.standard_normal(seen.shape, np.float32) * np.float32(rng.uniform(0, 5))
    return np.clip(seen, 0, 255).astype(np.uint8)
