"""Charts as SVG text: lines of scores over games, bars of points per box. Looks come from the style sheet.

Each chart has a title for those who do not see it, and different dashes and marks for each line, so that
colour is never the only signal. All numbers in the SVG are user units, not pixels.
"""

from collections.abc import Callable, Mapping, Sequence
from html import escape

WIDTH, HEIGHT = 360, 236
"""Wide enough that letters of 14 can be read on a phone, where a chart has about 300 px."""
LEFT, RIGHT, TOP, BOTTOM = 44, 12, 12, 28
KEYS, KEY_HEIGHT = 2, 22
"""Names in a row below the lines, and how high it is: a name of twenty letters has no room beside them."""
KINDS = 12
"""Kinds of line (css: .line-0 … .line-11): as many as players at a table."""

MARKED = 40
"""With more values in a row only the last one has a mark."""

MARKS = (
    "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0",
    "M-5-5h10v10h-10z",
    "M0-6l6 10h-12z",
    "M0-6l6 6l-6 6l-6-6z",
)
"""Shapes of the points of a line, around (0, 0)."""


def _ticks(low: float, high: float) -> list[int]:
    """Three to six round numbers that span a range."""
    for step in (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000):
        first, last = int(low // step) * step, -int(-high // step) * step
        if (last - first) / step <= 5:  # noqa: PLR2004 - as the docstring says
            return list(range(first, max(last, first + step) + 1, step))
    return [int(low), int(high)]


def lines(title: str, series: Mapping[str, Sequence[int]], *, last: int = 30) -> str:
    """Values in a row, a line for each player; "" when nobody has two.

    series: name -> values (final scores by game, chances in percent by turn), oldest first; of each the last
    ones are drawn, aligned at the right. With many of them they get no marks.
    """
    drawn = {name: list(scores)[-last:] for name, scores in series.items() if len(scores) > 1}
    drawn = dict(list(drawn.items())[:KINDS])
    if not drawn:
        return ""
    ticks = _ticks(min(map(min, drawn.values())), max(map(max, drawn.values())))
    longest = max(map(len, drawn.values()))
    wide, high = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def y(value: float) -> float:
        return TOP + high * (1 - (value - ticks[0]) / (ticks[-1] - ticks[0]))

    parts = [_open(title, HEIGHT + KEY_HEIGHT * -(-len(drawn) // KEYS))]
    for tick in ticks:
        parts.append(
            f'<line class="grid" x1="{LEFT}" x2="{LEFT + wide}" y1="{y(tick):.1f}" y2="{y(tick):.1f}"/>'
        )
        parts.append(
            f'<text class="tick" x="{LEFT - 8}" y="{y(tick) + 5:.1f}" text-anchor="end">{tick}</text>'
        )
    for kind, (name, scores) in enumerate(drawn.items()):
        start = longest - len(scores)
        points = [
            (LEFT + wide * (start + i) / max(longest - 1, 1), y(score)) for i, score in enumerate(scores)
        ]
        path = " ".join(f"{x:.1f},{at:.1f}" for x, at in points)
        parts.append(f'<polyline class="line line-{kind}" points="{path}"/>')
        if longest > MARKED:
            points = points[-1:]
        row, column = divmod(kind, KEYS)
        x, at = 8 + column * WIDTH // KEYS, HEIGHT + KEY_HEIGHT * row
        parts.append(f'<path class="line line-{kind}" d="M{x} {at}h24"/>')
        mark = f'<path class="mark line-{kind}" d="{MARKS[kind % len(MARKS)]}"'
        parts += [f'{mark} transform="translate({x:.1f} {at:.1f})"/>' for x, at in (*points, (x + 12, at))]
        parts.append(f'<text class="name" x="{x + 32}" y="{at + 5}">{escape(name)}</text>')
    return "".join(parts) + "</svg>"


def bars(title: str, values: Mapping[str, float], written: Callable[[float], str] = str) -> str:
    """A lying bar for each label, longest value to the right edge; "" when there is nothing to show.

    written: a value in the language of the page.
    """
    if not values or max(values.values()) <= 0:
        return ""
    row, left, right = 30, 160, 52
    high = row * len(values) + 8
    wide = WIDTH - left - right
    top = max(values.values())
    parts = [_open(title, high)]
    for number, (label, value) in enumerate(values.items()):
        at = 4 + row * number
        long = wide * value / top
        parts.append(
            f'<text class="name" x="{left - 10}" y="{at + 20}" text-anchor="end">{escape(label)}</text>'
        )
        parts.append(
            f'<rect class="bar" x="{left}" y="{at + 4}" width="{long:.1f}" height="{row - 8}" rx="4"/>'
        )
        parts.append(f'<text class="tick" x="{left + long + 8:.1f}" y="{at + 20}">{written(value)}</text>')
    return "".join(parts) + "</svg>"


FACE_WIDTH, FACE_HEIGHT, FACE_FOOT = 360, 190, 52
PIPS = {
    1: ((0, 0),),
    2: ((-1, 1), (1, -1)),
    3: ((-1, 1), (0, 0), (1, -1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
"""Places of a face's pips, from -1 to 1."""


def faces(title: str, counts: Sequence[int], intervals: Sequence[tuple[float, float]]) -> str:
    """A standing bar for each face of a die, a line where all would be equal, a thin one for each interval.

    counts: of the faces 1 to 6, not all 0. intervals: least and most, in the same unit.
    """
    step, high = FACE_WIDTH / len(counts), FACE_HEIGHT - FACE_FOOT - 22
    top = max(*counts, *(most for _, most in intervals))
    parts = [_open(title, FACE_HEIGHT, FACE_WIDTH)]

    def y(count: float) -> float:
        return 22 + high * (1 - count / top)

    for face, (count, (least, most)) in enumerate(zip(counts, intervals, strict=True), start=1):
        at = step * (face - 0.5)
        tall = y(0) - y(count)
        parts.append(
            f'<rect class="bar" x="{at - 19:.1f}" y="{y(count):.1f}" width="38" height="{tall:.1f}" rx="4"/>'
            f'<path class="range" d="M{at:.1f} {y(most):.1f}V{y(least):.1f}m-5 0h10"/>'
            f'<path class="range" d="M{at - 5:.1f} {y(most):.1f}h10"/>'
            f'<text class="tick" x="{at:.1f}" y="{FACE_HEIGHT - 4}" text-anchor="middle">{count}</text>'
            f'<g transform="translate({at:.1f} {FACE_HEIGHT - 34})">{_die(face)}</g>'
        )
    fair = y(sum(counts) / len(counts))
    parts.append(f'<line class="fair" x1="0" x2="{FACE_WIDTH}" y1="{fair:.1f}" y2="{fair:.1f}"/>')
    return "".join(parts) + "</svg>"


def _die(face: int) -> str:
    pips = "".join(f'<circle class="pip" cx="{7 * x}" cy="{7 * y}" r="2.6"/>' for x, y in PIPS[face])
    return f'<rect class="die-body" x="-13" y="-13" width="26" height="26" rx="6"/>{pips}'


def _open(title: str, height: int, width: int = WIDTH) -> str:
    return (
        f'<svg class="chart" viewBox="0 0 {width} {height}" role="img" aria-label="{escape(title)}">'
        f"<title>{escape(title)}</title>"
    )
