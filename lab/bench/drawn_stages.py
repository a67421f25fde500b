"""What the reader sees at each step, drawn: spots, lattices, witnesses, the reading."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import pips
from vision.detection import candidates, lattice, pip_search
from vision.judgement import evidence, fusion
from vision.picture import annotate
from vision.reader import Reader

Picture = NDArray[np.uint8]
_FOUND, _LIKELY, _ASKED = (80, 220, 60), (40, 170, 250), (230, 60, 200)


def draw_stages(image_bgr: Picture, dice: int) -> dict[str, Picture]:
    """Name of each step -> a copy of the picture (h, w, 3) uint8 BGR with what that step found.

    dice: how many are expected.
    """
    levels = pips.pyramid(image_bgr)
    spots = pip_search.Search(levels).find()
    drawn = {"spots": _spots(image_bgr, spots)}
    faces = lattice.compete(lattice.read(levels, spots))
    drawn["lattices"] = _lattices(image_bgr, faces)
    classical = candidates.gather(levels, spots)
    gathered = evidence.gather_evidence(
        levels, classical, fusion.classical_log_odds(classical), evidence.proposals(levels)
    )
    drawn["witnesses"] = _witnesses(image_bgr, gathered, fusion.fused_probability(gathered))
    drawn["reading"] = annotate(image_bgr, Reader(dice).read(image_bgr))
    return drawn


def _spots(image_bgr: Picture, spots: pips.Pips) -> Picture:
    drawn = image_bgr.copy()
    for x, y, r, spread in zip(spots.x, spots.y, spots.r, spots.spread, strict=True):
        ink = _FOUND if spread < 0.25 else _LIKELY
        cv2.circle(drawn, (round(float(x)), round(float(y))), max(2, round(float(r) * 1.25)), ink, 2)
    return drawn


def _lattices(image_bgr: Picture, faces: lattice.Faces) -> Picture:
    drawn = image_bgr.copy()
    for k in range(len(faces)):
        middle = np.array([faces.x[k], faces.y[k]])
        for place, member in zip(lattice.PLACES, faces.pips[k], strict=True):
            at = np.round(middle + place @ faces.axes[k]).astype(int).tolist()
            cv2.circle(drawn, at, 4, _FOUND if member >= 0 else _LIKELY, -1 if member >= 0 else 1)
        _write(drawn, f"{faces.face[k]} {faces.margin[k]:.2f}", middle + 1.6 * faces.axes[k].max(0))
    return drawn


def _witnesses(image_bgr: Picture, gathered: evidence.Evidence, chance: NDArray[np.float64]) -> Picture:
    drawn = image_bgr.copy()
    for k in np.argsort(chance).tolist():
        if chance[k] < 0.2:
            continue
        middle = np.array([gathered.x[k], gathered.y[k]])
        half = float(gathered.edge[k]) / 2
        low, high = np.round(middle - half).astype(int).tolist(), np.round(middle + half).astype(int).tolist()
        cv2.rectangle(drawn, low, high, _ASKED, 1)
        word = evidence.EvidenceKind(int(gathered.kind[k])).name.lower()
        _write(drawn, f"{gathered.face[k]} {word} {chance[k]:.2f}", middle + np.array([half, -half]))
    return drawn


def _write(drawn: Picture, text: str, at: NDArray[np.float64]) -> None:
    place = np.round(at).astype(int).tolist()
    for ink, thick in (((0, 0, 0), 3), ((255, 255, 255), 1)):
        cv2.putText(drawn, text, place, cv2.FONT_HERSHEY_SIMPLEX, 0.5, ink, thick, cv2.LINE_AA)
