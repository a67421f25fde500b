"""The tops of things: coins, cards, dominoes and others as pictures, by a generator's chance."""

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.target import BOARD, MARKER_MM, MARKER_QUIET_MM, marker_cells
from simulator.laying import Slab

TEXTURE_PX = 360
Bgr = tuple[int, int, int]


def _sheet(width_over_height: float, colour: Bgr) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    height = round(TEXTURE_PX / width_over_height)
    return np.full((height, TEXTURE_PX, 3), colour, np.uint8), np.full((height, TEXTURE_PX), 255, np.uint8)


def _round(cover: NDArray[np.uint8], radius: int) -> None:
    height, width = cover.shape
    cover[:] = 0
    cv2.rectangle(cover, (radius, 0), (width - radius - 1, height - 1), (255,), -1)
    cv2.rectangle(cover, (0, radius), (width - 1, height - radius - 1), (255,), -1)
    for x in (radius, width - radius - 1):
        for y in (radius, height - radius - 1):
            cv2.circle(cover, (x, y), radius, (255,), -1, cv2.LINE_AA)


def _coin(rng: np.random.Generator) -> Slab:
    metals: tuple[Bgr, ...] = ((60, 110, 170), (70, 165, 200), (165, 170, 172))
    metal = metals[int(rng.integers(3))]
    top, cover = _sheet(1.0, metal)
    middle, radius = TEXTURE_PX // 2, TEXTURE_PX // 2 - 2
    cover[:] = 0
    cv2.circle(cover, (middle, middle), radius, (255,), -1, cv2.LINE_AA)
    dark = tuple(int(value * 0.7) for value in metal)
    light = tuple(min(255, int(value * 1.25)) for value in metal)
    cv2.circle(top, (middle, middle), radius - 12, dark, 5, cv2.LINE_AA)
    cv2.circle(top, (middle, middle), radius - 7, light, 4, cv2.LINE_AA)
    text = str(rng.choice(["1", "2", "5", "10", "20", "50"]))
    scale = 5.5 if len(text) == 1 else 4.2
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, scale, 14)
    at = (middle - width // 2, middle + height // 2)
    cv2.putText(top, text, (at[0] + 4, at[1] + 4), cv2.FONT_HERSHEY_DUPLEX, scale, dark, 14, cv2.LINE_AA)
    cv2.putText(top, text, at, cv2.FONT_HERSHEY_DUPLEX, scale, light, 12, cv2.LINE_AA)
    return Slab(top, cover, 2.0, (150, 130, 90))


def _pencil(rng: np.random.Generator) -> Slab:
    paints: tuple[Bgr, ...] = ((40, 170, 240), (40, 40, 190), (60, 130, 40), (40, 40, 44))
    paint = paints[int(rng.integers(4))]
    top, cover = _sheet(16.0, paint)
    height, width = cover.shape
    top[: height // 3] = np.clip(np.array(paint) * 1.25, 0, 255)
    top[2 * height // 3 :] = np.array(paint) * 0.7
    tip = int(width * 0.9)
    cover[:, tip:] = 0
    cone = np.array([[tip, 0], [width - 1, height // 2], [tip, height - 1]])
    cv2.fillConvexPoly(cover, cone, (255,))
    cv2.fillConvexPoly(top, cone, (140, 190, 225))
    cv2.circle(top, (width - 4, height // 2), 7, (40, 40, 44), -1)
    top[:, : width // 22] = (150, 150, 235)
    return Slab(top, cover, 6.5, (120, 100, 40))


def _card(rng: np.random.Generator) -> Slab:
    """A playing card with its suit's signs, round spots or a patterned back."""
    top, cover = _sheet(0.69, (246, 247, 248))
    height, width = cover.shape
    _round(cover, 22)
    ink: Bgr = (30, 30, 200) if rng.random() < 0.5 else (30, 28, 26)
    if rng.random() < 0.35:
        for y in range(24, height - 24, 22):
            for x in range(24, width - 24, 22):
                cv2.circle(top, (x, y), 7, (150, 60, 40), -1, cv2.LINE_AA)
        return Slab(top, cover, 0.4, (240, 240, 236))
    places = {
        2: [(0.5, 0.2), (0.5, 0.8)],
        3: [(0.5, 0.2), (0.5, 0.5), (0.5, 0.8)],
        4: [(0.3, 0.2), (0.7, 0.2), (0.3, 0.8), (0.7, 0.8)],
        5: [(0.3, 0.2), (0.7, 0.2), (0.5, 0.5), (0.3, 0.8), (0.7, 0.8)],
        6: [(0.3, 0.2), (0.7, 0.2), (0.3, 0.5), (0.7, 0.5), (0.3, 0.8), (0.7, 0.8)],
    }
    value = int(rng.integers(2, 7))
    for across, down in places[value]:
        spot = np.array([across * width, down * height])
        diamond = np.array([[0, -38], [28, 0], [0, 38], [-28, 0]]) + spot
        cv2.fillConvexPoly(top, diamond.astype(np.int32), ink, cv2.LINE_AA)
    cv2.putText(top, str(value), (16, 66), cv2.FONT_HERSHEY_SIMPLEX, 1.9, ink, 5, cv2.LINE_AA)
    return Slab(top, cover, 0.4, (240, 240, 236))


def _domino(rng: np.random.Generator) -> Slab:
    dark = rng.random() < 0.4
    body: Bgr = (30, 30, 32) if dark else (214, 232, 240)
    ink: Bgr = (238, 240, 240) if dark else (28, 28, 28)
    top, cover = _sheet(2.0, body)
    height, width = cover.shape
    _round(cover, 16)
    cv2.line(top, (width // 2, 14), (width // 2, height - 14), ink, 4, cv2.LINE_AA)
    grid = {
        1: [(0, 0)], 2: [(-1, -1), (1, 1)], 3: [(-1, -1), (0, 0), (1, 1)],
        4: [(-1, -1), (1, 1), (-1, 1), (1, -1)],
        5: [(-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)],
        6: [(-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)],
    }  # fmt: skip
    for side in (0.25, 0.75):
        for dx, dy in grid[int(rng.integers(1, 7))]:
            cv2.circle(top, (round(side * width + dx * 48), height // 2 + dy * 48), 17, ink, -1, cv2.LINE_AA)
    return Slab(top, cover, 8.0, (30, 30, 32) if dark else (222, 214, 196))


def _score_pad(rng: np.random.Generator) -> Slab:
    """Ruled paper with numbers and rows of dots, such as are printed beside the boxes."""
    top, cover = _sheet(0.7, (238, 244, 246))
    height, width = cover.shape
    rows = 13
    for row in range(rows + 1):
        y = round(16 + row * (height - 32) / rows)
        cv2.line(top, (14, y), (width - 14, y), (140, 120, 110), 2, cv2.LINE_AA)
    for column in (14, width // 3, 2 * width // 3, width - 14):
        cv2.line(top, (column, 16), (column, height - 16), (140, 120, 110), 2, cv2.LINE_AA)
    step = (height - 32) / rows
    for row in range(6):
        for dot in range(row + 1):
            cv2.circle(top, (28 + dot * 15, round(16 + (row + 0.5) * step)), 5, (40, 40, 40), -1, cv2.LINE_AA)
    for row in range(rows):
        if rng.random() < 0.6:
            at = (width // 3 + 16, round(16 + (row + 0.8) * step))
            cv2.putText(
                top,
                str(rng.integers(0, 50)),
                at,
                cv2.FONT_HERSHEY_SCRIPT_SIMPLEX,
                0.9,
                (130, 60, 30),
                2,
                cv2.LINE_AA,
            )
    return Slab(top, cover, 2.5, (230, 230, 224))


def _token(rng: np.random.Generator) -> Slab:
    """A plain counter or button, with two or four holes."""
    paints: tuple[Bgr, ...] = ((40, 40, 200), (200, 90, 30), (60, 160, 60), (60, 200, 240), (235, 235, 235))
    top, cover = _sheet(1.0, paints[int(rng.integers(5))])
    middle = TEXTURE_PX // 2
    cover[:] = 0
    cv2.circle(cover, (middle, middle), middle - 2, (255,), -1, cv2.LINE_AA)
    cv2.circle(top, (middle, middle), middle - 40, tuple(int(v * 0.85) for v in top[0, 0]), 10, cv2.LINE_AA)
    for dx, dy in ((-1, -1), (1, 1), (-1, 1), (1, -1))[: 2 if rng.random() < 0.5 else 4]:
        cv2.circle(top, (middle + dx * 42, middle + dy * 42), 20, (30, 30, 30), -1, cv2.LINE_AA)
    return Slab(top, cover, 2.5, (120, 120, 120))


def _number_token(rng: np.random.Generator) -> Slab:
    """A game board's round number token: a number over as many dots as it is likely, or one dot only."""
    ink: Bgr = (30, 30, 190) if rng.random() < 0.3 else (30, 28, 28)
    top, cover = _sheet(1.0, (190, 222, 238))
    middle = TEXTURE_PX // 2
    cover[:] = 0
    cv2.circle(cover, (middle, middle), middle - 2, (255,), -1, cv2.LINE_AA)
    dots = int(rng.integers(6))
    if not dots:
        cv2.circle(top, (middle, middle), int(rng.integers(28, 60)), ink, -1, cv2.LINE_AA)
        return Slab(top, cover, 2.0, (150, 190, 215))
    text = str(rng.choice([1 + dots, 13 - dots]))
    scale = 4.5 if len(text) == 1 else 3.4
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, scale, 14)
    at = (middle - width // 2, middle + height // 2 - 20)
    cv2.putText(top, text, at, cv2.FONT_HERSHEY_DUPLEX, scale, ink, 14, cv2.LINE_AA)
    for k in range(dots):
        spot = (round(middle + (k - (dots - 1) / 2) * 34), middle + 100)
        cv2.circle(top, spot, 13, ink, -1, cv2.LINE_AA)
    return Slab(top, cover, 2.0, (150, 190, 215))


def _marker(number: int) -> Callable[[np.random.Generator], Slab]:
    """A printed corner marker (calibration.target) on its piece of paper: white round it on all sides."""

    def make(_: np.random.Generator) -> Slab:
        top, cover = _sheet(1.0, (244, 246, 246))
        side = round(TEXTURE_PX * MARKER_MM / (MARKER_MM + 2 * MARKER_QUIET_MM))
        black = cv2.resize(
            marker_cells(number).astype(np.uint8), (side, side), interpolation=cv2.INTER_NEAREST
        )
        start = (TEXTURE_PX - side) // 2
        top[start : start + side, start : start + side][black > 0] = (30, 30, 30)
        return Slab(top, cover, 0.2, (240, 240, 240))

    return make


BOARD_QUIET_MM = 8.0
BOARD_PX = 5
"""To a millimetre of the board: its squares must stay sharp in a large picture."""


def _board(_: np.random.Generator) -> Slab:
    """The board for the lens (calibration.target) on its half of the page."""
    width, height = (round(side * BOARD_PX) for side in BOARD.size_mm)
    quiet = round(BOARD_QUIET_MM * BOARD_PX)
    cells = BOARD.opencv().generateImage((width, height))
    # Ink is not quite black, and paper not quite white.
    print_ = (30 + cells.astype(np.float32) * (214 / 255)).astype(np.uint8)
    page = cv2.copyMakeBorder(print_, quiet, quiet, quiet, quiet, cv2.BORDER_CONSTANT, value=(244,))
    cover = np.full(page.shape, 255, np.uint8)
    return Slab(np.asarray(cv2.merge((page, page, page)), np.uint8), cover, 0.2, (240, 240, 240))


HELD: dict[str, Callable[[np.random.Generator], Slab]] = {"board": _board}
"""What a hand holds into the picture."""
MARKERS = {f"marker {number}": _marker(number) for number in range(4)}
MAKERS: dict[str, Callable[[np.random.Generator], Slab]] = {
    "coin": _coin,
    "pencil": _pencil,
    "card": _card,
    "domino": _domino,
    "score pad": _score_pad,
    "button": _token,
    "number token": _number_token,
}
