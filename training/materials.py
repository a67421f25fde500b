"""What drawn dice are made of: body colour, pips, shine, grain; drawn at random, all kinds of shop dice."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Rgb = tuple[float, float, float]
Places = tuple[tuple[float, float], ...]

# Places of the pips in units of the spacing, on faces 1-6.
PLACES: tuple[Places, ...] = (
    ((0, 0),),
    ((-1, -1), (1, 1)),
    ((-1, -1), (0, 0), (1, 1)),
    ((-1, -1), (1, 1), (-1, 1), (1, -1)),
    ((-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)),
    ((-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)),
)

# Bodies as shops sell them, linear-ish 0-1 RGB; every draw is jittered.
BODIES: tuple[Rgb, ...] = (
    (0.93, 0.93, 0.92), (0.92, 0.92, 0.95), (0.9, 0.86, 0.74), (0.86, 0.78, 0.58), (0.04, 0.04, 0.05),
    (0.1, 0.1, 0.11), (0.5, 0.5, 0.52), (0.7, 0.06, 0.08), (0.5, 0.03, 0.06), (0.9, 0.4, 0.06),
    (0.93, 0.78, 0.12), (0.1, 0.45, 0.16), (0.03, 0.28, 0.12), (0.1, 0.55, 0.5), (0.07, 0.14, 0.55),
    (0.04, 0.06, 0.25), (0.35, 0.65, 0.88), (0.3, 0.1, 0.5), (0.2, 0.05, 0.3), (0.92, 0.45, 0.6),
    (0.4, 0.22, 0.1), (0.65, 0.45, 0.25),
)  # fmt: skip
PIPS: tuple[Rgb, ...] = (
    (0.95, 0.95, 0.95), (0.03, 0.03, 0.03), (0.85, 0.68, 0.25), (0.75, 0.75, 0.78), (0.75, 0.05, 0.07),
    (0.08, 0.12, 0.6), (0.95, 0.85, 0.2), (0.05, 0.35, 0.12), (0.35, 0.1, 0.4), (0.3, 0.18, 0.08),
)  # fmt: skip
MARBLED = 0.5
"""Of swirled dice this share mix in any other colour, as marble does; the rest one like their own."""
GRAINS = ("plain", "swirl", "speckle", "split", "wood")


@dataclass(frozen=True, slots=True)
class Material:
    """One kind of die.

    body, second, pip, special: RGB 0-1; `second` is what the grain mixes in, `special` the pip colour of
    the faces in `special_faces` (the red ones and fours of East Asian dice).
    clear: 0 opaque … 1 glass. places: the pips of faces 1-6, in edges from the middle.
    pip_radius, one_radius: in edges. bowl: how deep the pips are cut.
    logo: strokes of a mark round the middle, 0 for none. rounding: radius of the edges, in edges.
    ball: radius of the sphere that cuts the corners, in edges.
    """

    body: Rgb
    second: Rgb
    pip: Rgb
    special: Rgb
    special_faces: tuple[int, ...]
    grain: str
    grain_scale: float
    clear: float
    places: tuple[Places, ...]
    pip_radius: float
    one_radius: float
    bowl: float
    ring: bool
    rounding: float
    ball: float
    shine: float
    gloss: float
    logo: int


def _jitter(rng: np.random.Generator, colour: Rgb, amount: float) -> Rgb:
    red, green, blue = np.clip(np.array(colour) + rng.normal(0, amount, 3), 0.01, 0.99)
    return float(red), float(green), float(blue)


def _pick(rng: np.random.Generator, colours: tuple[Rgb, ...], amount: float = 0.05) -> Rgb:
    if rng.random() < 0.12:
        red, green, blue = rng.uniform(0.02, 0.98, 3)
        return float(red), float(green), float(blue)
    return _jitter(rng, colours[rng.integers(len(colours))], amount)


def contrast(one: Rgb, other: Rgb) -> float:
    """How far apart two colours look, 0-1: brightness counts most, hue a little (square-root encoded).

    >>> contrast((1.0, 1.0, 1.0), (0.0, 0.0, 0.0)) > 0.9
    True
    >>> contrast((0.5, 0.1, 0.1), (0.5, 0.1, 0.1))
    0.0
    """
    a, b = np.sqrt(np.array(one)), np.sqrt(np.array(other))
    light = np.array([0.3, 0.59, 0.11])
    return float(max(abs((a - b) @ light), 0.45 * np.linalg.norm(a - b)))


def legible_pip(rng: np.random.Generator, body: Rgb, least: float) -> Rgb:
    """A pip colour that can be told from the body."""
    for _ in range(30):
        pip = _pick(rng, PIPS[:2] if rng.random() < 0.5 else PIPS, 0.03)
        if contrast(body, pip) >= least:
            return pip
    return (0.95, 0.95, 0.95) if np.mean(body) < 0.4 else (0.03, 0.03, 0.03)


def _scaled(places: Places, across: float, along: float) -> Places:
    return tuple((x * across, y * along) for x, y in places)


def random_places(rng: np.random.Generator, radius: float, rounding: float) -> tuple[Places, ...]:
    """Where a maker puts the pips: some with a tight two or three, a straight two, a narrow six."""
    closest, furthest = 2.15 * radius, 0.46 - 0.6 * rounding - radius
    step = float(np.clip(rng.normal(0.255, 0.03), closest, max(closest, furthest)))
    faces = [_scaled(places, step, step) for places in PLACES]
    if rng.random() < 0.2:
        tight = max(float(rng.uniform(0.5, 0.95)), 0.8 * radius / step)
        faces[1] = _scaled(faces[1], tight, tight)
        if rng.random() < 0.5:
            tight = max(tight, 1.5 * radius / step)
            faces[2] = _scaled(faces[2], tight, tight)
    if rng.random() < 0.08:
        faces[1] = ((-step * 0.75, 0.0), (step * 0.75, 0.0))
    if rng.random() < 0.3:
        faces[5] = _scaled(faces[5], max(float(rng.uniform(0.6, 1.1)), 1.1 * radius / step), 1.0)
    if rng.random() < 0.1:
        tight = max(float(rng.uniform(0.7, 1.0)), 1.1 * radius / step)
        faces[3] = _scaled(faces[3], tight, tight)
    return tuple(faces)


def random_material(rng: np.random.Generator) -> Material:
    """Any die of any shop."""
    body = _jitter(rng, BODIES[rng.integers(3)], 0.03) if rng.random() < 0.25 else _pick(rng, BODIES)
    clear = float(rng.uniform(0.35, 0.9)) if rng.random() < 0.18 else 0.0
    pip = legible_pip(rng, body, float(rng.uniform(0.14, 0.4)))
    special, special_faces = pip, ()
    if rng.random() < 0.12:
        special = legible_pip(rng, body, 0.18)
        special_faces = ((1,), (1, 4), (4,), (1, 4))[rng.integers(4)]
    rounding = float(rng.choice([0.02, 0.06, 0.1, 0.16, 0.24])) * float(rng.uniform(0.7, 1.3))
    radius = float(np.clip(rng.normal(0.1, 0.018), 0.06, 0.145))
    grain = "plain" if rng.random() < 0.55 else str(rng.choice(GRAINS[1:]))
    second = _jitter(rng, body, 0.12)
    if grain == "split" or (grain == "swirl" and rng.random() < MARBLED):
        second = _pick(rng, BODIES)
    if contrast(second, pip) < 0.14:
        second = body
    return Material(
        body=body,
        second=second,
        pip=pip,
        special=special,
        special_faces=special_faces,
        grain=grain,
        grain_scale=float(rng.uniform(2, 9)),
        clear=clear,
        places=random_places(rng, radius, rounding),
        pip_radius=radius,
        one_radius=radius * float(rng.uniform(1.3, 2.1)) if rng.random() < 0.15 else radius,
        bowl=float(rng.uniform(0.2, 1.2)) if rng.random() < 0.6 else 0.0,
        ring=bool(rng.random() < 0.04),
        rounding=rounding,
        ball=float(rng.uniform(0.62, 0.76)) if rng.random() < 0.3 else 9.0,
        shine=float(rng.uniform(0, 0.7)) * float(rng.random() < 0.8),
        gloss=float(rng.uniform(0.02, 0.3)),
        logo=int(rng.integers(3, 20)) if rng.random() < (0.4 if clear else 0.04) else 0,
    )


def grain_of(material: Material, points: NDArray[np.float32], seed: int) -> NDArray[np.float32]:
    """Share (n,) 0-1 of the second colour at body points (n, 3) in edges."""
    rng = np.random.default_rng(seed)
    axes = rng.normal(0, 1, (3, 3)).astype(np.float32) * material.grain_scale
    if material.grain == "swirl":
        waves = points @ axes
        return 0.5 + 0.5 * np.sin(waves[:, 0] + 2.5 * np.sin(waves[:, 1] + 1.5 * np.sin(waves[:, 2])))
    if material.grain == "wood":
        waves = points @ axes[:, :2]
        return 0.5 + 0.5 * np.sin(4 * waves[:, 0] + np.sin(waves[:, 1]))
    if material.grain == "speckle":
        cells = np.floor((points + 0.5) * (8 + 2 * material.grain_scale)).astype(np.int64)
        mixed = (cells @ np.array([73856093, 19349663, 83492791]) + seed) * 2654435761 % 1000
        return (mixed < 220).astype(np.float32)
    if material.grain == "split":
        return np.clip(points @ axes[:, 0] * 4 + 0.5, 0, 1)
    return np.zeros(len(points), np.float32)
