"""The page to print: four corner markers to cut out, a ruler to check the size, and a board for the lens.

Both the PDF and the SVG are written from one list of drawn things, so they cannot differ.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from messages.message import Message

PAGE_MM = (210.0, 297.0)
MARKER_MM = 30.0
MARKER_QUIET_MM = 5.0
"""White round each marker that has to stay on when it is cut out."""
MARKERS = cv2.aruco.DICT_4X4_50
RULER_MM = 100.0


@dataclass(frozen=True, slots=True)
class LensBoard:
    """A ChArUco board: squares across and down, the edges of square and marker in mm, and the dictionary."""

    squares: tuple[int, int] = (7, 5)
    square_mm: float = 26.0
    marker_mm: float = 19.0
    dictionary: int = cv2.aruco.DICT_5X5_100

    def opencv(self) -> cv2.aruco.CharucoBoard:
        """The board as OpenCV has it; its lengths are mm."""
        known = cv2.aruco.getPredefinedDictionary(self.dictionary)
        return cv2.aruco.CharucoBoard(self.squares, self.square_mm, self.marker_mm, known)

    @property
    def size_mm(self) -> tuple[float, float]:
        """Width and height."""
        return self.squares[0] * self.square_mm, self.squares[1] * self.square_mm


BOARD = LensBoard()


class FilledRectangle(NamedTuple):
    """A filled black rectangle, mm from the page's top left."""

    x: float
    y: float
    width: float
    height: float


class ThinLine(NamedTuple):
    """A thin line, mm; dashed lines are to be cut along."""

    x0: float
    y0: float
    x1: float
    y1: float
    dashed: bool = False


class Text(NamedTuple):
    """Words with their baseline's left end at (x, y), mm; size: height of capitals and a half, mm."""

    x: float
    y: float
    size: float
    words: str


Shape = FilledRectangle | ThinLine | Text


Say = Callable[[Message], str]
"""Puts a message into words of the reader's language."""


def page(translate: Say = str) -> list[Shape]:
    """Everything on the page."""
    shapes: list[Shape] = [Text(14, 16, 6.5, translate(Message("calibration/page/title")))]
    for number, line in enumerate(("print", "cut", "lay", "lay_more", "press")):
        words = translate(Message(f"calibration/page/{line}"))
        shapes.append(Text(19 if line == "lay_more" else 14, 24 + 5.2 * number, 3.6, words))
    shapes += _ruler(14, 58, translate)
    step = (PAGE_MM[0] - 28) / 4
    for number in range(4):
        shapes += _marker(translate, number, 14 + number * step + (step - MARKER_MM) / 2, 76)
    shapes += _board((PAGE_MM[0] - BOARD.size_mm[0]) / 2, 138)
    shapes.append(Text(14, 282, 3.6, translate(Message("calibration/page/board"))))
    shapes.append(Text(14, 287, 3.6, translate(Message("calibration/page/board_more"))))
    return shapes


def _ruler(x: float, y: float, translate: Say) -> list[Shape]:
    shapes: list[Shape] = [ThinLine(x, y, x + RULER_MM, y)]
    for mm in range(int(RULER_MM) + 1):
        length = 5.0 if mm % 10 == 0 else 3.5 if mm % 5 == 0 else 2.0
        shapes.append(ThinLine(x + mm, y, x + mm, y - length))
    shapes += [Text(x + mm - 1.5, y + 5, 3.2, str(mm)) for mm in range(0, int(RULER_MM) + 1, 20)]
    return [*shapes, Text(x + RULER_MM + 6, y + 1, 3.6, translate(Message("calibration/page/ruler")))]


def _marker(translate: Say, number: int, x: float, y: float) -> list[Shape]:
    quiet = MARKER_QUIET_MM
    left, top, right, bottom = x - quiet, y - quiet, x + MARKER_MM + quiet, y + MARKER_MM + quiet
    cut: list[Shape] = [
        ThinLine(left, top, right, top, dashed=True),
        ThinLine(right, top, right, bottom, dashed=True),
        ThinLine(right, bottom, left, bottom, dashed=True),
        ThinLine(left, bottom, left, top, dashed=True),
    ]
    return [
        *_cells(marker_cells(number), x, y, MARKER_MM),
        *cut,
        Text(left, bottom + 5, 3.6, translate(Message(f"calibration/page/marker/{number}"))),
    ]


def marker_cells(number: int, dictionary: int = MARKERS, side: int = 6) -> NDArray[np.bool_]:
    """The black cells of a marker with its black border, (side, side) bool."""
    known = cv2.aruco.getPredefinedDictionary(dictionary)
    return np.asarray(cv2.aruco.generateImageMarker(known, number, side) < 128, np.bool_)


def _cells(black: NDArray[np.bool_], x: float, y: float, size: float) -> list[Shape]:
    """Black cells as rectangles, one for each run in a row, a hair taller so that no white line shows."""
    count = len(black)
    cell = size / count
    shapes: list[Shape] = []
    for row in range(count):
        start = None
        for column in range(count + 1):
            on = column < count and bool(black[row, column])
            if on and start is None:
                start = column
            elif not on and start is not None:
                hair = 0.08 if row + 1 < count else 0.0
                shapes.append(
                    FilledRectangle(x + start * cell, y + row * cell, (column - start) * cell, cell + hair)
                )
                start = None
    return shapes


def _board(x: float, y: float) -> list[Shape]:
    across, down = BOARD.squares
    inset = (BOARD.square_mm - BOARD.marker_mm) / 2
    shapes: list[Shape] = []
    number = 0
    for row in range(down):
        for column in range(across):
            left, top = x + column * BOARD.square_mm, y + row * BOARD.square_mm
            if (row + column) % 2 == 0:
                shapes.append(FilledRectangle(left, top, BOARD.square_mm, BOARD.square_mm))
            else:
                cells = marker_cells(number, BOARD.dictionary, 7)
                shapes += _cells(cells, left + inset, top + inset, BOARD.marker_mm)
                number += 1
    return shapes


def svg(translate: Say = str) -> str:
    """The page as SVG, in mm, with nothing from outside."""
    width, height = PAGE_MM
    size = f'width="{width:g}mm" height="{height:g}mm" viewBox="0 0 {width:g} {height:g}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}>',
        f'<rect width="{width:g}" height="{height:g}" fill="#fff"/>',
    ]
    for shape in page(translate):
        if isinstance(shape, FilledRectangle):
            size = f'width="{shape.width:.3f}" height="{shape.height:.3f}"'
            parts.append(f'<rect x="{shape.x:.3f}" y="{shape.y:.3f}" {size}/>')
        elif isinstance(shape, ThinLine):
            dashes = ' stroke-dasharray="2 1.5"' if shape.dashed else ""
            parts.append(
                f'<line x1="{shape.x0:.3f}" y1="{shape.y0:.3f}" x2="{shape.x1:.3f}" y2="{shape.y1:.3f}" '
                f'stroke="#000" stroke-width="0.2"{dashes}/>'
            )
        else:
            words = shape.words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
            parts.append(
                f'<text x="{shape.x:.2f}" y="{shape.y:.2f}" font-family="sans-serif" '
                f'font-size="{shape.size:g}" xml:space="preserve">{words}</text>'
            )
    return "\n".join([*parts, "</svg>\n"])


def pdf(translate: Say = str) -> bytes:
    """The page as PDF, A4."""
    from messages.paper import FONT, Paper  # noqa: PLC0415 - half a second only those who print should wait

    sheet = Paper(unit="mm", format="A4")
    sheet.set_auto_page_break(auto=False)
    sheet.set_title(translate(Message("calibration/page/title")))
    sheet.add_page()
    sheet.set_line_width(0.2)
    for shape in page(translate):
        if isinstance(shape, FilledRectangle):
            sheet.set_fill_color(0)
            sheet.rect(shape.x, shape.y, shape.width, shape.height, style="F")
        elif isinstance(shape, ThinLine):
            sheet.set_dash_pattern(*((2, 1.5) if shape.dashed else (0, 0)))
            sheet.line(shape.x0, shape.y0, shape.x1, shape.y1)
        else:
            sheet.set_font(FONT, size=shape.size / 0.3528)
            sheet.text(shape.x, shape.y, sheet.drawable(shape.words))
    return bytes(sheet.output())
