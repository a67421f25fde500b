"""The dice in use, learnt from one picture of them lying in the tray."""

import dataclasses
from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.profile import CalibrationProfile, KnownDice
from calibration.tray_geometry import TrayFound, carried
from messages.errors import BadInputError

SIZES_DIFFER = 1.22
"""Largest against smallest die of a set that is still believed."""
LEAST_MM, MOST_MM = 6.0, 120.0


class SeenDie(NamedTuple):
    """A die as a reader sees it: middle and edge of its top face in pixels, its turn, its colour."""

    center: tuple[float, float]
    size: float
    angle: float
    colour: str


def learn_dice(image_bgr: NDArray[np.uint8], dice: Sequence[SeenDie], tray: TrayFound) -> KnownDice:
    """Size in mm, colour and pip colour of each die, in the order given.

    Raises BadInputError when there are none, or when their sizes cannot be those of dice.
    """
    if not dice:
        raise BadInputError("calibration/dice/none")
    edges = tuple(round(edge_mm(tray, die), 2) for die in dice)
    if min(edges) < LEAST_MM or max(edges) > MOST_MM:
        raise BadInputError("calibration/dice/size", least=min(edges), most=max(edges))
    return KnownDice(
        edges, tuple(die.colour for die in dice), tuple(_pip_colour(image_bgr, die) for die in dice)
    )


def usual_edge_mm(dice: KnownDice) -> float | None:
    """The edge of all dice, where they are one set; None where their sizes differ too much."""
    if not dice.edge_mm or max(dice.edge_mm) > SIZES_DIFFER * min(dice.edge_mm):
        return None
    return float(np.median(dice.edge_mm))


def edge_mm(tray: TrayFound, die: SeenDie) -> float:
    """The edge of a die. Its top face is nearer to the lens by that edge, so it looks larger than it is."""
    x, y = die.center
    around = np.array([[x - 0.5, y - 0.5], [x + 0.5, y - 0.5], [x + 0.5, y + 0.5], [x - 0.5, y + 0.5]])
    straight = around if tray.lens is None else tray.lens.straightened(around)
    pixel_mm = float(np.sqrt(cv2.contourArea(carried(tray.to_mm, straight).astype(np.float32))))
    on_floor = die.size * pixel_mm
    return on_floor / (1 + on_floor / tray.height_mm)


def with_dice(profile: CalibrationProfile, tray: TrayFound, dice: KnownDice) -> CalibrationProfile:
    """The profile that knows the dice too, its scale that of their top faces."""
    edge = usual_edge_mm(dice)
    height = edge if edge is not None else float(np.mean(dice.edge_mm))
    return dataclasses.replace(profile, dice=dice, die_mm=edge, mm_per_px=tray.mm_per_px_at(height))


def _pip_colour(image_bgr: NDArray[np.uint8], die: SeenDie) -> str:
    """The name of the pips' colour: what differs most from the body within the top face."""
    half = die.size * 0.36
    turn = np.array(cv2.getRotationMatrix2D(die.center, die.angle, 1.0), np.float64)
    turn[:, 2] += half - np.array(die.center)
    side = max(8, round(2 * half))
    face = (
        cv2.warpAffine(image_bgr, turn, (side, side), flags=cv2.INTER_LINEAR)
        .reshape(-1, 3)
        .astype(np.float32)
    )
    body = np.median(face, axis=0)
    away = np.abs(face - body).max(1)
    pips = face[away >= max(30.0, float(np.percentile(away, 99)) * 0.7)]
    return colour_name(np.median(pips, axis=0)) if len(pips) else "unknown"


def colour_name(bgr: NDArray[np.float32]) -> str:
    """A plain word for a colour, BGR 0-255.

    >>> [colour_name(np.array(bgr)) for bgr in ([20, 20, 20], [240, 240, 240], [30, 30, 200], [170, 60, 30])]
    ['black', 'white', 'red', 'blue']
    """
    pixel = np.asarray(bgr, np.float32).reshape(1, 1, 3) / 255
    hue, saturation, value = (float(each) for each in cv2.cvtColor(pixel, cv2.COLOR_BGR2HSV).ravel())
    if saturation < 0.28 or value < 0.16:
        return "black" if value < 0.36 else "white" if value > 0.66 else "grey"
    for limit, name in (
        (15, "red"),
        (42, "orange"),
        (70, "yellow"),
        (165, "green"),
        (260, "blue"),
        (320, "purple"),
    ):
        if hue < limit:
            return name
    return "red"
