"""Paints moments of a tray, frame after frame, and works out again only what has changed."""

import math

import cv2
import numpy as np

from simulator.backdrop import Backdrop, make_backdrop
from simulator.compose import Image, Layer, PixelBox, compose, expose, layer, smear_kernel
from simulator.die_drawing import Patch, Surroundings, shades_reach
from simulator.hand_drawing import lay_hand, prepare
from simulator.scene import Scene, SceneDie
from simulator.things import lay_thing
from simulator.throw_motion import Moment

EDGE_PX = 6
"""Worked out beyond a changed part at least, so that the lens's softness leaves no seam."""
STRIP_ROWS = 96
"""The whole picture is worked out in strips of so many rows: light takes twenty times a picture's memory."""


class Painter:
    """Keeps the picture of the dice that lie; not for several threads.

    Cost at 1280x720 on one core of a desktop: nothing changed 1 ms, a die in motion about 5 ms each.
    """

    def __init__(self, scene: Scene) -> None:
        view, light, sensor = scene.view, scene.light, scene.sensor
        self._view, self._light, self._sensor = view, light, sensor
        backdrop = make_backdrop(view, scene.tray, light, scene.seed)
        for thing in scene.things:
            lay_thing(backdrop, view, thing, light)
        self._backdrop: Backdrop = backdrop.compact()
        self._edge_px = max(EDGE_PX, math.ceil(4 * sensor.blur_px + sensor.shake_px[0] / 2) + 1)
        self._still: Image = np.empty((view.size_wh[1], view.size_wh[0], 3), np.uint8)
        self._layers: dict[SceneDie, Layer] = {}
        for top in range(0, view.size_wh[1], STRIP_ROWS):
            end = min(view.size_wh[1], top + STRIP_ROWS)
            self._repaint(self._still, [], PixelBox(0, top, view.size_wh[0], end))
        prepare(light)

    def paint(self, moment: Moment, shutter_s: float) -> Image:
        """The picture without noise, (h, w, 3) uint8 BGR, a new array. shutter_s: smears what moves."""
        self._settle(moment.lying)
        picture = self._still.copy()
        moving = [
            one
            for die, speed in moment.moving
            if (one := self._moving_layer(die, speed, shutter_s)) is not None
        ]
        every = [*self._layers.values(), *moving]
        for one in moving:
            self._repaint(picture, every, one.box)
        if moment.hand is not None:
            lay_hand(picture, self._view, moment.hand, self._light)
        return picture

    def _settle(self, lying: tuple[SceneDie, ...]) -> None:
        """Bring the kept picture up to date with the dice that lie."""
        gone = [die for die in self._layers if die not in lying]
        come = [die for die in lying if die not in self._layers]
        changed = [self._layers.pop(die).box for die in gone]
        # Neighbours take light from each other: they are drawn again with whoever has come or gone.
        news = (*gone, *come)
        shaded = [die for die in self._layers if any(shades_reach(die, other) for other in news)]
        changed += [self._layers.pop(die).box for die in shaded]
        come += shaded
        for die in come:
            others = tuple(other for other in lying if other is not die)
            one = layer(self._view, die, Surroundings(self._light, self._backdrop.floor, others))
            if one is not None:
                self._layers[die] = one
                changed.append(one.box)
        for box in changed:
            self._repaint(self._still, list(self._layers.values()), box)

    def _repaint(self, picture: Image, layers: list[Layer], box: PixelBox) -> None:
        wide = box.grown(self._edge_px, self._view.size_wh)
        light = compose(self._backdrop, self._light, layers, wide)
        seen = expose(light, self._sensor, self._view.size_wh, wide)
        top, left = box.y0 - wide.y0, box.x0 - wide.x0
        picture[box.slices] = seen[top : top + box.y1 - box.y0, left : left + box.x1 - box.x0]

    def _moving_layer(
        self, die: SceneDie, speed: tuple[float, float, float], shutter_s: float
    ) -> Layer | None:
        # Without neighbours: what rolls is too blurred to show their shadows.
        around = Surroundings(self._light, self._backdrop.floor)
        one = layer(self._view, die, around, samples=1, lamps=2, coarse=True)
        if one is None:
            return None
        here = np.array(die.position_mm)
        start, end = self._view.project(
            [here - np.array(speed) * shutter_s / 2, here + np.array(speed) * shutter_s / 2]
        )
        way = end - start
        length = float(np.hypot(*way))
        if length < 1.5:
            return one
        patch = _smeared(one.patch, length, float(np.degrees(np.arctan2(way[1], way[0]))), self._view.size_wh)
        height, width = patch.cover.shape
        box = PixelBox(
            min(one.box.x0, patch.x),
            min(one.box.y0, patch.y),
            max(one.box.x1, patch.x + width),
            max(one.box.y1, patch.y + height),
        )
        pad = ((one.box.y0 - box.y0, box.y1 - one.box.y1), (one.box.x0 - box.x0, box.x1 - one.box.x1))
        shadow = np.pad(one.shadow, pad, constant_values=1)
        closeness = np.pad(one.closeness, pad, constant_values=1)
        return Layer(die, patch, box, shadow, closeness, one.distance_mm)


def _smeared(patch: Patch, length: float, direction: float, size_wh: tuple[int, int]) -> Patch:
    """The patch as an open shutter sees it fly by, cut at the picture's edges."""
    pad = int(length / 2) + 2
    kernel = smear_kernel(length, direction)
    light = np.asarray(
        cv2.filter2D(np.pad(patch.light, ((pad, pad), (pad, pad), (0, 0))), -1, kernel), np.float32
    )
    cover = np.asarray(cv2.filter2D(np.pad(patch.cover, pad), -1, kernel), np.float32)
    x, y = patch.x - pad, patch.y - pad
    left, top = max(-x, 0), max(-y, 0)
    right = min(cover.shape[1], size_wh[0] - x)
    bottom = min(cover.shape[0], size_wh[1] - y)
    cut = (slice(top, bottom), slice(left, right))
    return Patch(x + left, y + top, light[cut], cover[cut], np.zeros(cover[cut].shape, np.bool_))
