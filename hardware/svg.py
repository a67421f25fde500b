"""A sheet to draw on: just enough SVG for the pictures of the documents."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape

INK = "#22303c"
SOFT = "#8a97a3"
PAPER = "#ffffff"
WOOD = "#e3c89b"
BOARD = "#d7ebdd"
RED = "#c0392b"
BLUE = "#2563a8"
GREEN = "#2e7d4f"
AMBER = "#e0a21b"

Point = tuple[float, float]


@dataclass(slots=True)
class DrawingSheet:
    """A drawing of some size; each method adds one shape above those before it."""

    width: float
    height: float
    title: str
    _shapes: list[str] = field(default_factory=list)

    def rect(
        self, corner: Point, size_wh: Point, *, fill: str = "none", stroke: str = INK, radius: float = 0,
        line: float = 1.5,
    ) -> None:  # fmt: skip
        """Draw a rectangle from its upper left corner."""
        self._add(
            f'<rect x="{corner[0]:.1f}" y="{corner[1]:.1f}" width="{size_wh[0]:.1f}" '
            f'height="{size_wh[1]:.1f}" rx="{radius:g}" fill="{fill}" stroke="{stroke}" '
            f'stroke-width="{line:g}"/>'
        )

    def circle(
        self, middle: Point, radius: float, *, fill: str = "none", stroke: str = INK, line: float = 1.5
    ) -> None:
        """Draw a circle."""
        self._add(
            f'<circle cx="{middle[0]:.1f}" cy="{middle[1]:.1f}" r="{radius:g}" fill="{fill}" '
            f'stroke="{stroke}" stroke-width="{line:g}"/>'
        )

    def line(
        self, points: Iterable[Point], *, stroke: str = INK, line: float = 1.5, dash: str = "",
        fill: str = "none", close: bool = False,
    ) -> None:  # fmt: skip
        """Draw straight lines from point to point; closed and filled if wished."""
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self._add(
            f'<poly{"gon" if close else "line"} points="{path}" fill="{fill}" stroke="{stroke}" '
            f'stroke-width="{line:g}" stroke-linejoin="round" stroke-linecap="round"'
            + (f' stroke-dasharray="{dash}"' if dash else "")
            + "/>"
        )

    def wire(self, start: Point, end: Point, stroke: str, *, line: float = 3) -> None:
        """Draw a wire that leaves and arrives level."""
        middle = (start[0] + end[0]) / 2
        self._add(
            f'<path d="M{start[0]:.1f},{start[1]:.1f} C{middle:.1f},{start[1]:.1f} {middle:.1f},{end[1]:.1f} '
            f'{end[0]:.1f},{end[1]:.1f}" fill="none" stroke="{stroke}" stroke-width="{line:g}" '
            'stroke-linecap="round"/>'
        )

    def text(
        self, at: Point, words: str, *, size: float = 14, anchor: str = "start", fill: str = INK,
        bold: bool = False,
    ) -> None:  # fmt: skip
        """Write one line; `at` is the left end, middle or right end (anchor) of its baseline."""
        weight = ' font-weight="600"' if bold else ""
        self._add(
            f'<text x="{at[0]:.1f}" y="{at[1]:.1f}" font-size="{size:g}" text-anchor="{anchor}" '
            f'fill="{fill}"{weight}>{escape(words, quote=False)}</text>'
        )

    def measure(self, start: Point, end: Point, words: str, *, beside: float = 8) -> None:
        """Draw a dimension line with end marks; upright or level."""
        self.line([start, end], stroke=BLUE, line=1.2)
        level = abs(end[0] - start[0]) > abs(end[1] - start[1])
        for x, y in (start, end):
            mark = [(x, y - 5), (x, y + 5)] if level else [(x - 5, y), (x + 5, y)]
            self.line(mark, stroke=BLUE, line=1.2)
        middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
        if level:
            self.text((middle[0], middle[1] - beside), words, anchor="middle", fill=BLUE)
        else:
            self.text((middle[0] + beside, middle[1] + 5), words, fill=BLUE)

    def svg(self) -> str:
        """The whole drawing as a file."""
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width:g} {self.height:g}" '
            f'width="{self.width:g}" height="{self.height:g}" role="img" '
            'font-family="system-ui, -apple-system, Segoe UI, sans-serif">'
        )
        paper = f'<rect width="100%" height="100%" rx="12" fill="{PAPER}"/>'
        title = f"<title>{escape(self.title, quote=False)}</title>"
        return "\n".join([head, title, paper, *self._shapes, "</svg>", ""])

    def _add(self, shape: str) -> None:
        self._shapes.append(shape)
