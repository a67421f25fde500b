"""The printed page: what is printed is what is looked for."""

import xml.etree.ElementTree as ET

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.lens import view_of
from calibration.markers import find_markers
from calibration.target import BOARD, MARKER_MM, PAGE_MM, FilledRectangle, Text, ThinLine, page, pdf, svg
from messages.catalogue import languages, text
from messages.message import Message


def _raster(px_per_mm: float = 6.0) -> NDArray[np.uint8]:
    """The printed page as a picture."""
    image = np.full((round(297 * px_per_mm), round(210 * px_per_mm)), 255, np.uint8)
    for shape in page():
        if isinstance(shape, FilledRectangle):
            corner = (round(shape.x * px_per_mm), round(shape.y * px_per_mm))
            end = (round((shape.x + shape.width) * px_per_mm), round((shape.y + shape.height) * px_per_mm))
            image[corner[1] : end[1], corner[0] : end[0]] = 0
        elif isinstance(shape, ThinLine):
            ends = [
                (round(a * px_per_mm), round(b * px_per_mm))
                for a, b in ((shape.x0, shape.y0), (shape.x1, shape.y1))
            ]
            cv2.line(image, ends[0], ends[1], (90,), 1)
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_GRAY2BGR), np.uint8)


def test_the_board_on_the_page_is_the_board_that_is_looked_for() -> None:
    view = view_of(_raster())
    assert len(view.world) == (BOARD.squares[0] - 1) * (BOARD.squares[1] - 1)
    scale = np.linalg.norm(view.pixels[-1] - view.pixels[0]) / np.linalg.norm(view.world[-1] - view.world[0])
    assert abs(scale - 6) < 0.02


def test_the_markers_on_the_page_are_those_that_are_looked_for() -> None:
    image = _raster()
    # On the page they stand in a row; laid out, each goes to its corner.
    laid = np.full((1400, 1400, 3), 160, np.uint8)
    step = (PAGE_MM[0] - 28) / 4
    for number, (x, y) in enumerate(((60, 60), (1060, 60), (1060, 1060), (60, 1060))):
        left, top = round((14 + number * step + (step - MARKER_MM) / 2 - 5) * 6), ((76 - 5) * 6)
        laid[y : y + 240, x : x + 240] = image[top : top + 240, left : left + 240]
    found = find_markers(laid)
    assert found.outer.tolist() == [0, 1, 2, 3], "they stand upright, each with its own corner outside"
    sides = np.linalg.norm(found.corners - np.roll(found.corners, 1, axis=1), axis=2)
    assert np.abs(sides - 180).max() < 1.0, "30 mm at 6 pixels a mm"


@pytest.mark.parametrize("language", languages())
def test_everything_is_on_the_page_and_the_ruler_is_100_mm_long(language: str) -> None:
    def say(message: Message) -> str:
        return text(message, language)

    assert pdf(say).startswith(b"%PDF-")
    for shape in page(say):
        if isinstance(shape, FilledRectangle):
            xs, ys = (shape.x, shape.x + shape.width), (shape.y, shape.y + shape.height)
        elif isinstance(shape, ThinLine):
            xs, ys = (shape.x0, shape.x1), (shape.y0, shape.y1)
        else:
            xs, ys = (
                (shape.x, shape.x + len(shape.words) * shape.size * 0.52),
                (shape.y - shape.size, shape.y),
            )
        assert min(xs) >= 5, shape
        assert max(xs) <= PAGE_MM[0] - 5, shape
        assert min(ys) >= 5, shape
        assert max(ys) <= PAGE_MM[1] - 5, shape
    longest = max(
        (shape for shape in page() if isinstance(shape, ThinLine)), key=lambda line: line.x1 - line.x0
    )
    assert longest.x1 - longest.x0 == 100


def test_svg_and_pdf_hold_the_page_and_nothing_from_outside() -> None:
    drawn = svg()
    tree = ET.fromstring(drawn)  # noqa: S314 - our own SVG
    assert (tree.get("width"), tree.get("height")) == ("210mm", "297mm")
    words = [shape.words for shape in page() if isinstance(shape, Text)]
    assert [node.text for node in tree.iter("{http://www.w3.org/2000/svg}text")] == words
    assert drawn.count("http") == 1, "only the name of SVG itself"
    data = pdf()
    assert data.startswith(b"%PDF-")
    assert b"/Count 1" in data, "one page"
    assert len(data) < 40_000
