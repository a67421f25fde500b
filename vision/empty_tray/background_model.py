"""What has come into the tray since it was seen empty: prints, grain and shadows of the tray are background.

A picture is compared with that of the empty tray, after the light of the whole has been made the same. Where
nothing has changed there is no die; and painted over in one even colour, the background no longer hides dice.
"""

from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pips import Floats, Picture

WIDTH_PX = 640
"""Pictures are compared at this width at most."""
LEAST = 9.0
"""Levels (0-255) a place must differ by at least, whatever the noise."""
NOISES = 4.5
"""And this many times what places differ by everywhere."""
NOISE_MOST = 9.0
"""Where most places differ by more than this many levels it is not noise: the ground is another one."""
RESTLESS = 0.55
"""Where more of the tray than this has changed, the picture of the empty tray is of no use."""
BARE = 0.015
"""A place of which less than this share has changed is bare ground."""
SHADE = (0.3, 0.99)
"""A shadow leaves between so much and so much of the light."""
COLOURED = 0.16
"""And no channel much more of it than another."""
UNLIKE = 0.07
"""And the same to neighbours: the deviation of what it leaves."""
USUAL_SHARE = 0.05
"""Edge of a die as a share of the picture's width, where it is not known."""


class BackgroundModel:
    """The empty tray, prepared for many comparisons.

    empty_bgr: (h, w, 3) uint8 BGR. inside: (h, w) uint8, zero where it does not matter. die_px: of an edge.
    """

    def __init__(
        self, empty_bgr: Picture, inside: Picture | None = None, die_px: float | None = None
    ) -> None:
        self.size_wh = (empty_bgr.shape[1], empty_bgr.shape[0])
        self.scale = min(1.0, WIDTH_PX / self.size_wh[0])
        self.die = (die_px or USUAL_SHARE * self.size_wh[0]) * self.scale
        self._small = _shrunk(empty_bgr, self.scale)
        self._counts = None if inside is None else _shrunk(inside, self.scale)
        self._some = self._sample(self._small) + np.float32(4)

    def foreground(self, image_bgr: Picture) -> "Foreground | None":
        """What has come in; None when the picture is another one altogether."""
        if image_bgr.shape[1::-1] != self.size_wh:
            return None
        now = _shrunk(image_bgr, self.scale)
        light = np.median((self._sample(now) + np.float32(4)) / self._some, axis=0)
        expected = cv2.multiply(self._small, _factors(light), dtype=cv2.CV_8U)
        blue, green, red = cv2.split(cv2.absdiff(now, expected))
        apart = np.asarray(cv2.max(cv2.max(blue, green), red), np.uint8)
        if self._counts is not None:
            apart = np.asarray(cv2.bitwise_and(apart, self._counts), np.uint8)
        usual = self._usual(apart)
        if usual > NOISE_MOST:
            return None
        _, changed = cv2.threshold(apart, max(LEAST, NOISES * usual), 1, cv2.THRESH_BINARY)
        changed = cv2.morphologyEx(changed, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
        if float(changed.sum()) > RESTLESS * self._area:
            return None
        shaded = _shaded(now, np.asarray(expected, np.uint8))
        return Foreground(self, np.asarray(changed, np.uint8), np.asarray(light, np.float64), shaded)

    @cached_property
    def even(self) -> Picture:
        """(h, w, 3) uint8 at full size: the tray in one colour, brighter and darker as it is lit."""
        reach = 2 * int(1.5 * self.die) + 1
        smooth = cv2.blur(self._small, (reach, reach))
        return np.asarray(cv2.resize(smooth, self.size_wh, interpolation=cv2.INTER_LINEAR), np.uint8)

    @cached_property
    def _area(self) -> int:
        """How many places matter."""
        return self._small.shape[0] * self._small.shape[1] if self._counts is None else int(
            np.count_nonzero(self._counts)
        )  # fmt: skip

    def _sample(self, small: Picture) -> Floats:
        """(n, 3) float32: some of the ground, evenly spread."""
        some = small[::4, ::4]
        if self._counts is None:
            return some.reshape(-1, 3).astype(np.float32)
        return some[self._counts[::4, ::4] > 0].astype(np.float32)

    def _usual(self, apart: Picture) -> float:
        """What most places differ by."""
        running = np.cumsum(np.bincount(apart.ravel(), minlength=256))
        outside = apart.size - self._area
        return float(np.searchsorted(running, outside + self._area / 2))


class Foreground:
    """What has come into the tray. changed: (h, w) uint8 0/1 at `background.scale` of the picture's size.

    light: (3,) how much brighter each channel is than when the tray was empty. shaded: (h, w) uint8 0/1,
    where the ground itself is seen, only darker.
    """

    def __init__(
        self, background: BackgroundModel, changed: Picture, light: NDArray[np.float64], shaded: Picture
    ) -> None:
        self.background, self.changed, self.light, self.shaded = background, changed, light, shaded

    def is_background(self, x: Floats, y: Floats, edge: Floats) -> NDArray[np.bool_]:
        """(n,) whether nothing has changed where a face with its middle at x, y would lie; px."""
        sums = cv2.integral(self.changed)
        limit = np.array(self.changed.shape)[::-1]
        middle = np.stack([x, y], 1) * self.background.scale
        reach = np.maximum(0.5 * edge * self.background.scale, 2.0)[:, None]
        low = np.clip(middle - reach, 0, limit).astype(int)
        high = np.clip(middle + reach + 1, 0, limit).astype(int)
        inside = sums[high[:, 1], high[:, 0]] - sums[low[:, 1], high[:, 0]]
        inside = inside - sums[high[:, 1], low[:, 0]] + sums[low[:, 1], low[:, 0]]
        area = (high - low).prod(1)
        return np.asarray((area > 0) & (inside < BARE * area), np.bool_)

    def without_background(self, image_bgr: Picture) -> Picture:
        """The picture, its bare ground in one even colour under the same light; a new array."""
        cover = cv2.GaussianBlur(self.objects().astype(np.float32), (0, 0), 1.5)
        cover = cv2.resize(cover, self.background.size_wh, interpolation=cv2.INTER_LINEAR)
        even = cv2.multiply(self.background.even, _factors(self.light), dtype=cv2.CV_8U)
        return np.asarray(cv2.blendLinear(image_bgr, even, cover, np.float32(1) - cover), np.uint8)

    def any_object(self) -> bool:
        """Whether something may have come in, specks apart; dull dice on dull ground may pass for shadow."""
        return bool(self._whole(self.changed).any())

    def objects(self) -> Picture:
        """(h, w) uint8 0/1: whole things and a little round them; holes filled, specks and shadows gone."""
        lit = cv2.bitwise_and(self.changed, np.uint8(1) - self.shaded)
        return self._whole(
            np.asarray(cv2.morphologyEx(lit, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)), np.uint8)
        )

    def _whole(self, changed: Picture) -> Picture:
        die = self.background.die
        close = max(3, int(0.3 * die) | 1)
        disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (close, close))
        joined = cv2.morphologyEx(changed, cv2.MORPH_CLOSE, disc)
        rings, _ = cv2.findContours(joined, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        things = np.zeros_like(self.changed)
        large = [ring for ring in rings if cv2.contourArea(ring) > 0.08 * die * die]
        cv2.drawContours(things, large, -1, (1,), cv2.FILLED)
        rim = max(3, int(0.1 * die) | 1)
        around = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (rim, rim))
        return np.asarray(cv2.dilate(things, around), np.uint8)


def _shrunk(image: Picture, scale: float) -> Picture:
    if scale == 1.0:
        return image
    return np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)


def _shaded(now: Picture, expected: Picture) -> Picture:
    """(h, w) uint8 0/1: where all that was expected is there, darker by one factor: a shadow lies on it.

    A die that hides a print leaves no place round which the factor is the same for all of the print.
    """
    one, other = (cv2.blur(each, (3, 3)).astype(np.float32) + np.float32(4) for each in (now, expected))
    blue, green, red = cv2.split(one / other)
    most, least = cv2.max(cv2.max(blue, green), red), cv2.min(cv2.min(blue, green), red)
    factor = np.asarray((blue + green + red) / np.float32(3), np.float32)
    usual = cv2.blur(factor, (7, 7))
    spread = cv2.blur(factor * factor, (7, 7)) - usual * usual
    good = (usual > SHADE[0]) & (usual < SHADE[1]) & (most - least < COLOURED) & (spread < UNLIKE**2)
    return good.astype(np.uint8)


def _factors(light: NDArray[np.float64]) -> NDArray[np.float64]:
    """Three factors as OpenCV multiplies the channels of a picture by: (4,)."""
    return np.append(light, 1.0)
