"""Photographs with their truth, and drawn dice, for the tests of the reader."""

import csv
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

PIPS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, -1), (-1, 1), (1, 1)],
    5: [(-1, -1), (1, -1), (-1, 1), (1, 1), (0, 0)],
    6: [(-1, -1), (1, -1), (-1, 1), (1, 1), (-1, 0), (1, 0)],
}

PLACES = ((100, 120), (250, 110), (420, 140), (180, 330), (430, 340))


def photographs(folder: Path, source: str) -> list[tuple[Path, tuple[int, ...]]]:
    """(file, faces sorted) of every photograph whose source's name holds `source`."""
    with (folder / "manifest.csv").open(encoding="utf-8", newline="") as file:
        return [
            (folder / row["file"], tuple(sorted(int(f) for f in row["faces"].split("-") if f)))
            for row in csv.DictReader(file)
            if source in row["source_repo"]
        ]


def empty_tray(
    size: tuple[int, int] = (480, 640), colour: tuple[int, int, int] = (60, 90, 50)
) -> NDArray[np.uint8]:
    """A plain tray (h, w, 3) with a little noise that is always the same; to be drawn in."""
    return _empty_tray(size, colour).copy()


@lru_cache(maxsize=4)
def _empty_tray(size: tuple[int, int], colour: tuple[int, int, int]) -> NDArray[np.uint8]:
    noise = np.random.default_rng(1).normal(0, 2, (*size, 3))
    return np.clip(np.array(colour) + noise, 0, 255).astype(np.uint8)


def draw(
    image: NDArray[np.uint8],
    face: int,
    center: tuple[float, float],
    edge: float = 60.0,
    turn: float = 0.3,
    body: tuple[int, int, int] = (235, 240, 240),
    pip: tuple[int, int, int] = (25, 25, 25),
) -> None:
    """Draw a die seen straight from above into the picture; turn: radians."""
    axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) @ axes * edge / 2 + center
    shift = 4
    cv2.fillPoly(image, [np.round(corners * 2**shift).astype(np.int32)], body, cv2.LINE_AA, shift)
    for place in PIPS[face]:
        at = np.array(place) @ axes * edge * 0.27 + center
        cv2.circle(
            image,
            np.round(at * 2**shift).astype(int).tolist(),
            round(edge * 0.095 * 2**shift),
            pip,
            -1,
            cv2.LINE_AA,
            shift,
        )


def thrown(
    faces: Sequence[int] = (2, 3, 4, 5, 4),
    places: Sequence[tuple[float, float]] = PLACES,
    turns: tuple[float, float] = (0.0, 0.4),
    **how: Any,
) -> NDArray[np.uint8]:
    """A tray with dice at these places; turns: of the first die, and from each to the next."""
    image = empty_tray()
    for k, (face, place) in enumerate(zip(faces, places, strict=False)):
        draw(image, face, place, turn=turns[0] + turns[1] * k, **how)
    return image
