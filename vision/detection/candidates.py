"""Brings both witnesses together: every face read or lone pip, with what is measured about it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.columns import Columns
from vision.detection import die_outline, lattice
from vision.pips import Floats, Picture, Pips


@dataclass(frozen=True, slots=True)
class Candidates(Columns):
    """What could be the top face of a die, each array with n entries.

    face: 1-6. x, y: middle; edge: of the top face, px of level 0; angle: degrees in [0, 90).
    r: pip radius, px. contrast, body: (n, 3) float32 BGR. features: (n, 12) float32, margin, homogeneous,
    contrast, pip size, spread, ring, sides, step, edge, fit, pip sizes vary, squeeze; a lone pip has no
    lattice, its columns tell so.
    level: pyramid level on which the pips are 2 to 4 px across the radius.
    """

    face: NDArray[np.intp]
    x: Floats
    y: Floats
    edge: Floats
    angle: Floats
    r: Floats
    features: Floats
    contrast: Floats
    body: Floats
    level: NDArray[np.int32]


LONE_MAX = 60
"""Lone pips looked at as ones, roundest first."""


def gather(levels: tuple[Picture, ...], spots: Pips) -> Candidates:
    """Everything among the spots of a picture that deserves a judgement."""
    faces = lattice.compete(lattice.read(levels, spots))
    lone = np.ones(len(spots), np.bool_)
    clear = faces.pips[(faces.margin > 0.6) & (faces.homogeneous > 0.75) & (faces.face > 2)]
    lone[clear[clear >= 0]] = False
    return Candidates.joined((_from_faces(levels, spots, faces), _from_lone(levels, spots.take(lone))))


def _from_faces(levels: tuple[Picture, ...], spots: Pips, faces: lattice.Faces) -> Candidates:
    out = die_outline.outline(levels, faces)
    unit = np.sqrt(np.abs(np.linalg.det(faces.axes))) + 1e-3
    lengths = np.sqrt((faces.axes**2).sum(2))
    norm = np.sqrt((faces.contrast**2).sum(1)) + 1e-3
    have = faces.pips >= 0
    worst = {}
    for name in ("spread", "ring"):
        worst[name] = (
            np.where(have, getattr(spots, name)[faces.pips], 0.0).max(1, initial=0.0) if len(spots) else norm
        )
    radii = spots.r[faces.pips] if len(spots) else np.zeros(have.shape)
    largest = np.where(have, radii, 0.0).max(1, initial=0.0)
    smallest = np.where(have, radii, np.inf).min(1, initial=1e6)
    squeeze = lengths.min(1, initial=1e6) / (lengths.max(1, initial=0.0) + 1e-3)
    features = np.stack(
        [
            faces.margin,
            faces.homogeneous,
            np.log(norm),
            faces.r / unit,
            worst["spread"],
            worst["ring"],
            out.sides,
            np.minimum(out.step / norm, 1.5),
            out.edge / unit,
            out.fit,
            largest / np.maximum(smallest, 0.1),
            squeeze,
        ],
        1,
    ).astype(np.float32)
    edge = np.clip(out.edge, 3.5 * unit, 5.2 * unit)
    return Candidates(
        faces.face,
        faces.x,
        faces.y,
        edge.astype(np.float32),
        out.angle,
        faces.r,
        features,
        faces.contrast,
        faces.body,
        faces.level,
    )


def _from_lone(levels: tuple[Picture, ...], spots: Pips) -> Candidates:
    spots = spots.take((spots.spread < 0.45) & (spots.ring < 0.65))
    strength = np.minimum(np.sqrt((spots.contrast**2).sum(1)), 200.0) / 400.0
    spots = spots.take(np.argsort(spots.spread + spots.ring - strength, kind="stable")[:LONE_MAX])
    out = die_outline.lone(levels, spots)
    norm = np.sqrt((spots.contrast**2).sum(1)) + 1e-3
    none = np.zeros(len(spots), np.float32)
    relative = out.edge / spots.r
    features = np.stack(
        [
            none,
            none,
            np.log(norm),
            none,
            spots.spread,
            spots.ring,
            out.sides,
            np.minimum(out.step / norm, 1.5),
            np.minimum(relative, 30.0),
            out.fit,
            none,
            none,
        ],
        1,
    ).astype(np.float32)
    chosen = (out.fit > 0.2) & (relative > 4.0) & (relative < 22.0)
    return Candidates(
        np.ones(len(spots), np.intp),
        spots.x,
        spots.y,
        out.edge,
        out.angle,
        spots.r,
        features,
        spots.contrast,
        spots.body,
        spots.level,
    ).take(chosen)
