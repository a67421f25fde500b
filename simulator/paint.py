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
from simulator.throw_motion import TrayMoment

_Place = tuple[SceneDie, frozenset[SceneDie]]
"""A die that lies, and those near it."""
EDGE_PX = 6
"""Worked out beyond a changed part at least, so that the lens's softness leaves no seam."""
STRIP_ROWS = 96
"""The whole picture is worked out in strips of so many rows: light takes twenty times a picture's memory."""


class Painter:
    """Keeps the picture of the dice that lie; not for several threads.

    Cost at 1280x720 on one core of a desktop: nothing changed 1 ms, a die in motion about 4 ms each, one that
    comes to rest 7 ms: they all do about the same time, so they are drawn one by one while the hand is there.
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
        self._drawn: dict[_Place, Layer | None] = {}
        for top in range(0, view.size_wh[1], STRIP_ROWS):
            end = min(view.size_wh[1], top + STRIP_ROWS)
            self._repaint(self._still, [], PixelBox(0, top, view.size_wh[0], end))
        prepare(light)

    def paint(self, moment: TrayMoment, shutter_s: float) -> Image:
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
        self._draw_ahead(moment.coming)
        return picture

    def _draw_ahead(self, coming: tuple[SceneDie, ...]) -> None:
        """Draw one die that is to come and is not drawn yet."""
        now = tuple(self._layers)
        places = [
            place for die in coming if (place := _place(die, coming)) != _place(die, now) or die not in now
        ]
        self._drawn = {place: one for place, one in self._drawn.items() if not coming or place in places}
        for place in places:
            if place not in self._drawn:
                self._drawn[place] = self._layer(place)
                return

    def _layer(self, place: _Place) -> Layer | None:
        die, others = place
        return layer(self._view, die, Surroundings(self._light, self._backdrop.floor, tuple(others)))

    def _settle(self, lying: tuple[SceneDie, ...]) -> None:
        """Bring the kept picture up to date with the dice that lie."""
        gone = [die for die in self._layers if die not in lying]
        come = [die for die in lying if die not in self._layers]
        changed = [self._layers.pop(die).box for die in gone]
        # Neighbours take light from each other: they are drawn again with a die that has come or gone.
        news = (*gone, *come)
        shaded = [die for die in self._layers if any(shades_reach(die, other) for other in news)]
        changed += [self._layers.pop(die).box for die in shaded]
        come += shaded
        for die in come:
            place = _place(die, lying)
            one = self._drawn.pop(place) if place in self._drawn else self._layer(place)
            if one is not None:
                self._layers[die] = one
                changed.append(one.box)
        for box in changed:
            self._repaint(self._still, list(self._layers.values()), box)

    def _repaint(self, picture: Image, layers: list[Layer], box: PixelBox) -> None:
        wide = box.grown(self._edge_px, self._view.size_wh)
        light = compose(self._backdrop, self._light, layers, wide)
        exposed = expose(light, self._sensor, self._view.size_wh, wide)
        top, left = box.y0 - wide.y0, box.x0 - wide.x0
        picture[box.slices] = exposed[top : top + box.y1 - box.y0, left : left + box.x1 - box.x0]

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


def _place(die: SceneDie, lying: tuple[SceneDie, ...]) -> _Place:
    """What the look of a die hangs on: those that lie so near that they take light from it."""
    return die, frozenset(other for other in lying if other is not die and shades_reach(die, other))


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
