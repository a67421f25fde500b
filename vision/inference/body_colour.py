"""Names the colours of dice bodies as a person would, in the light that is there.

What a pixel says depends on lamp and camera: white dice look blue in one picture and yellow in the next. So a
small network (lab/training/train_colour.py) gets the body, what is round it, and the brightest parts and the
mean of the picture; and dice of one picture that look alike are named alike.
"""

from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.inference.networks import MODELS, crop_patches
from vision.pips import Floats, Picture, distance, shares_of
from vision.reading import Colour, DieReading, places_of

WEIGHTS = MODELS / "colour.npz"
NAMES = tuple(Colour)
PATCH_PX, PATCH_EDGES = 40, 1.3
"""How a die is looked at: its top face and a little of what is round it."""
THUMB_WIDTH = 160
REACH = 0.42
"""Radius within which all is top face at any turn, in edges."""
BRIGHTEST = 0.04
"""Share of a picture that may tell what white looks like: something pale is mostly in it."""
BY_RULE, STRONG = 1.0, 8.0
"""What a plain rule on hue and brightness says counts so much on top (natural log); the second for vivid pure
colours about which no lamp can deceive."""
VIVID, BLAZING = 0.55, 0.78
"""How much of a colour is no grey: more than some lamps make of white, and more than any lamp does."""
PURE = frozenset({Colour.RED, Colour.GREEN, Colour.BLUE, Colour.PURPLE})
LAMPS = (0.4, 0.6)
"""Of a light more coloured than this it is doubted that a lamp makes it, from the second on disbelieved."""
ALIKE = 0.12
"""Bodies whose channels differ by this part are mostly of one set."""

_ROW, _COLUMN = (np.indices((PATCH_PX, PATCH_PX)) - (PATCH_PX - 1) / 2) * PATCH_EDGES / PATCH_PX
_INSIDE = (np.hypot(_ROW, _COLUMN) < REACH) & (np.indices((PATCH_PX, PATCH_PX)).sum(0) % 2 == 0)
"""Every second pixel: as good as all."""
MOSTLY = int(0.6 * _INSIDE.sum())
"""How many of a face's pixels are certainly body."""
_OUTSIDE = np.maximum(abs(_ROW), abs(_COLUMN)) > PATCH_EDGES / 2 - 2.5 * PATCH_EDGES / PATCH_PX


@dataclass(frozen=True, slots=True)
class ColourSamples:
    """What is measured of each of n dice, all 0-255.

    body, floor: (n, 3) float32 BGR, of the face and round it; bright, mean: the same of the picture.
    varies: (n, 2), how far the body's pixels are from its colour (40 and 70 % of them). top: (n,) the
    brightness that the brightest of them reach.
    """

    body: Floats
    floor: Floats
    bright: Floats
    mean: Floats
    varies: Floats
    top: Floats


def measure_colours(levels: tuple[Picture, ...], x: Floats, y: Floats, edge: Floats) -> ColourSamples:
    """Measure dice. levels: a picture, (h, w, 3) uint8, and its halvings; x, y, edge: of top faces, px."""
    bright, mean = _light(levels)
    patches = crop_patches(levels, (x, y, edge * np.float32(PATCH_EDGES)), PATCH_PX)
    body, varies, top = _bodies(patches[:, _INSIDE])
    floor = _middle(patches[:, _OUTSIDE])
    n = len(patches)
    return ColourSamples(body, floor, np.tile(bright, (n, 1)), np.tile(mean, (n, 1)), varies, top)


def _light(levels: tuple[Picture, ...]) -> tuple[Floats, Floats]:
    """The colour (3,) of a picture's brightest parts and of the whole, BGR, 0-255."""
    height, width = levels[0].shape[:2]
    size = (min(width, THUMB_WIDTH), max(1, round(height * min(width, THUMB_WIDTH) / width)))
    smallest = next(one for one in reversed(levels) if one.shape[1] >= size[0])
    thumb = np.asarray(cv2.resize(smallest, size, interpolation=cv2.INTER_AREA), np.uint8)
    pixels = thumb.reshape(-1, 3)
    count = max(1, round(len(pixels) * BRIGHTEST))
    sums = np.add(pixels[:, 0], pixels[:, 1], dtype=np.float32) + pixels[:, 2]
    brightest = np.argpartition(sums, -count)[-count:]
    return _middle(pixels[None, brightest])[0], np.array(cv2.mean(thumb)[:3], np.float32)


def _middle(pixels: Picture) -> Floats:
    """(n, 3) float32 the median colours of pixels (n, k, 3) uint8; sorted as bytes, which is quickest."""
    ordered = np.sort(np.ascontiguousarray(pixels.transpose(0, 2, 1)), axis=2, kind="stable")
    k = ordered.shape[2]
    low, high = ordered[:, :, (k - 1) // 2], ordered[:, :, k // 2]
    return np.float32(0.5) * (low.astype(np.float32) + high)


def _bodies(pixels: Picture) -> tuple[Floats, Floats, Floats]:
    """The bodies' colours among the pixels (n, k, 3) of top faces, how they vary, their brightest.

    Pips take a fifth of a face at most, highlights less: the middle colour is the body's, and what is far
    from it is no body.
    """
    away = distance(pixels, _middle(pixels)[:, None])
    near = np.argpartition(away, MOSTLY, axis=1)[:, :MOSTLY]
    body = _middle(np.take_along_axis(pixels, near[..., None], 1))
    away = distance(pixels, body[:, None])
    bright = pixels.mean(2, dtype=np.float32)
    return body, shares_of(away, (0.4, 0.7)), shares_of(bright, (0.97,))[:, 0]


def illuminant(bright: Floats) -> Floats:
    """(n, 3) the light that a picture's brightest parts (n, 3) tell of: no lamp is as yellow as a yellow die.

    >>> illuminant(np.array([[40, 205, 240], [200, 220, 240]], np.float32)).tolist()
    [[240.0, 240.0, 240.0], [200.0, 220.0, 240.0]]
    """
    most, least = bright.max(1, keepdims=True), bright.min(1, keepdims=True)
    own = np.clip((1 - least / np.maximum(most, 1) - LAMPS[0]) / (LAMPS[1] - LAMPS[0]), 0, 1)
    limited: Floats = (bright + (most - bright) * own).astype(np.float32)
    return limited


def features(seen: ColourSamples) -> Floats:
    """(n, k) float32 for the network: brightness and tint, for themselves and against what is round."""
    light_bgr = illuminant(seen.bright)
    # body, floor, bright, mean: (4, n, 3)
    logs = np.log(np.maximum(np.stack([seen.body, seen.floor, light_bgr, seen.mean]), 0) + 8)
    body = logs[0]
    against = body - np.concatenate([np.zeros_like(logs[:1]), logs[[2, 3, 1]]])
    plain = _light_and_tint(logs)
    parts = [plain[0, :, :1] - 5]
    parts += list(_light_and_tint(against))
    parts += [plain[2, :, 1:], plain[3, :, 1:], seen.varies / np.float32(20)]
    parts.append(np.log(seen.top[:, None] + 8) - plain[0, :, :1])
    balance = light_bgr.max(1, keepdims=True) / np.maximum(light_bgr, 1)
    for colour in (seen.body / 255, np.minimum(seen.body * balance, 255) / 255):
        most, least = colour.max(1, keepdims=True), colour.min(1, keepdims=True)
        strength = np.minimum((most - least) / 0.1, 1)
        parts.append((most - least) / np.maximum(most, 0.05))
        parts.append((colour - least) / np.maximum(most - least, 0.03) * strength)
    joined: Floats = np.concatenate(parts, 1).astype(np.float32)
    return joined


def _light_and_tint(logs_bgr: Floats) -> Floats:
    """(k, n, 3) float32 brightness, and redness and yellowness, of logarithms of colours (k, n, 3)."""
    blue, green, red = logs_bgr[..., 0], logs_bgr[..., 1], logs_bgr[..., 2]
    channels: Floats = np.stack([(blue + green + red) / 3, red - green, green - blue], 2).astype(np.float32)
    return channels


@cache
def _weights() -> dict[str, NDArray[np.float32]]:
    with np.load(WEIGHTS) as stored:
        return {name: stored[name].astype(np.float32) for name in stored.files}


def log_probabilities(seen: ColourSamples) -> Floats:
    """(n, len(NAMES)) float32: log of how likely each name fits, for each die by itself."""
    known = _weights()
    inner = np.maximum(
        (features(seen) - known["mean"]) / known["scale"] @ known["first"] + known["first_bias"], 0
    )
    odds = inner @ known["second"] + known["second_bias"]
    light_bgr = illuminant(seen.bright)
    balance = light_bgr.max(1, keepdims=True) / np.maximum(light_bgr, 1)
    n = len(seen.body)
    names = _by_rules(np.concatenate([seen.body, seen.body * balance]))
    for k, (body, ruled, balanced) in enumerate(zip(seen.body, names[:n], names[n:], strict=True)):
        strength = 1.0 - float(body.min()) / max(float(body.max()), 1.0)
        agree = strength > VIVID and ruled is balanced and ruled in PURE
        beyond_doubt = strength > BLAZING and (ruled in PURE or ruled is Colour.YELLOW)
        odds[k, NAMES.index(ruled)] += STRONG if agree or beyond_doubt else BY_RULE
    odds -= odds.max(1, keepdims=True)
    logs: Floats = (odds - np.log(np.exp(odds).sum(1, keepdims=True))).astype(np.float32)
    return logs


def pooled_by_likeness(seen: ColourSamples, logs: Floats) -> Floats:
    """The same, where dice of one picture that look alike (`seen`) hear each other."""
    body = np.log(seen.body + 8)
    unlike = np.abs(body[:, None] - body[None]).max(2)
    weight = np.exp(-((unlike / ALIKE) ** 2))
    weighed: Floats = weight @ logs / weight.sum(1, keepdims=True)
    return weighed


def coloured(dice: tuple[DieReading, ...], levels: tuple[Picture, ...]) -> tuple[DieReading, ...]:
    """The dice of a picture with the names of their bodies' colours. levels: as for `name_colours`."""
    names = name_colours(levels, *places_of(dice))
    return tuple(replace(die, colour=name) for die, name in zip(dice, names, strict=True))


def name_colours(levels: tuple[Picture, ...], x: Floats, y: Floats, edge: Floats) -> list[Colour]:
    """The colours of dice whose top faces have their middles at x, y and such edges (px)."""
    if len(x) == 0:
        return []
    seen = measure_colours(levels, x, y, edge)
    return [NAMES[k] for k in pooled_by_likeness(seen, log_probabilities(seen)).argmax(1)]


_HUES = (
    (12.0, Colour.RED),
    (36.0, Colour.ORANGE),
    (68.0, Colour.YELLOW),
    (165.0, Colour.GREEN),
    (255.0, Colour.BLUE),
    (295.0, Colour.PURPLE),
    (352.0, Colour.PINK),
    (361.0, Colour.RED),
)
"""Upper end of each hue (degrees, HSV), going round."""


def _by_rules(bodies_bgr: Floats) -> list[Colour]:
    """The names of colours in white light. bodies_bgr: (n, 3) 0-255.

    >>> [name.value for name in _by_rules(np.array([[20, 20, 200], [235, 240, 240]], np.float32))]
    ['red', 'white']
    """
    pixels = np.clip(bodies_bgr[None] * np.float32(1 / 255), 0.0, 1.0).astype(np.float32)
    return [_named(*hsv) for hsv in cv2.cvtColor(pixels, cv2.COLOR_BGR2HSV)[0].tolist()]


def _named(hue: float, saturation: float, value: float) -> Colour:
    plain = 0.16 if 24.0 < hue < 75.0 else 0.12  # white dice look a little warm under most lamps
    if saturation < plain or value < 0.12 or (value < 0.26 and saturation < 0.42):
        return _neutral(value)
    if saturation < 0.42 and 24.0 < hue < 75.0:
        return Colour.IVORY if value > 0.5 else _neutral(value)
    return _chromatic(hue, saturation, value)


def _chromatic(hue: float, saturation: float, value: float) -> Colour:
    found = next(colour for end, colour in _HUES if hue < end)
    if found is Colour.PINK and hue > 330.0 and saturation > 0.62:
        return Colour.RED
    if found is Colour.RED and saturation < 0.27:
        return Colour.PINK if value > 0.6 else _neutral(value)
    if found in (Colour.ORANGE, Colour.YELLOW) and hue < 48.0:
        dull = value < 0.4 or (value < 0.56 and saturation < 0.65)
        return Colour.BROWN if dull else found
    return found


def _neutral(value: float) -> Colour:
    if value > 0.66:
        return Colour.WHITE
    return Colour.GREY if value > 0.37 else Colour.BLACK
