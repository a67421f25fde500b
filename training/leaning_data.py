"""Rendered dice with the place of each foot, for the network of `vision/leaning.py`."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from training.holdout import held_out
from vision.network import square

CUT_PX, CUT_EDGES = 112, 3.4
SEEN_MIN = 0.9


@dataclass(frozen=True, slots=True)
class Sample:
    """A die.

    cut: (CUT_PX, CUT_PX, 3) uint8 BGR round its top face. foot: (2,), in edges. held: not to learn from.
    """

    cut: NDArray[np.uint8]
    foot: NDArray[np.float64]
    tilt_deg: float
    held: bool


def _project(camera: dict[str, Any], point: NDArray[np.float64]) -> NDArray[np.float64]:
    """Pixel of a point in cm, by the renders' own camera model (their README)."""
    x, y, z = np.array(camera["R"]) @ point + np.array(camera["t"]).ravel()
    radial = 1.0 + camera["dist"][0] * ((x / z) ** 2 + (y / z) ** 2)
    k = camera["K"]
    return np.array([k[0][0] * x / z * radial + k[0][2], k[1][1] * y / z * radial + k[1][2]])


def foot_of(camera: dict[str, Any], die: dict[str, Any]) -> NDArray[np.float64]:
    """(2,) where the picture goes from the middle of the top face down the die, in edges of that face."""
    turned = np.array(die["R"])
    up = max((turned[:, k] * sign for k in range(3) for sign in (1, -1)), key=lambda axis: axis[2])
    edge_cm = die["edge_mm"] / 10
    top = np.array(die["pos_cm"]) + up * edge_cm / 2
    step = 0.05 * edge_cm
    down: NDArray[np.float64] = (_project(camera, top - up * step) - _project(camera, top)) / 0.05
    return down / die["edge_px"]


def samples(renders: Path) -> Iterator[Sample]:
    """Every die of the single renders whose top face is seen."""
    for labels in sorted(renders.glob("*/labels.jsonl")):
        stations = {}
        for line in (labels.parent / "stations.jsonl").read_text(encoding="utf-8").splitlines():
            told = json.loads(line)
            stations[told.get("station", told.get("name", told.get("id")))] = told
        for line in labels.read_text(encoding="utf-8").splitlines():
            picture = json.loads(line)
            if "sequence" in picture or not picture.get("dice"):
                continue
            image = np.asarray(cv2.imread(str(labels.parent / picture["file"])), np.uint8)
            held = held_out(f"{labels.parent.name}/{picture['file']}")
            for die in picture["dice"]:
                if not die["in_frame"] or die["top_visible"] < SEEN_MIN:
                    continue
                x, y = die["top_center"]
                cut = square(image, (x, y), die["edge_px"] * CUT_EDGES, CUT_PX)
                foot = foot_of(stations[picture["station"]]["cam"], die)
                yield Sample(cut, foot, float(die["tilt_deg"]), held)
