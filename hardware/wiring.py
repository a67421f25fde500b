"""The wiring drawing and table, made from the pins the station really uses."""

from hardware import svg
from hardware.header import PINS, ground_beside, header_pin, label
from station.config import Pins

_PITCH = 23.0
_TOP = 135.0
_MIDDLE = 480.0
_PART_STEP = 62.0
_COLOURS = ("#c0392b", "#d9822b", "#b59a00", "#2e7d4f", "#2563a8", "#7b4bb3", "#b0457b", "#4a6572", "#8c5a2b")


def rows(pins: Pins) -> list[tuple[str, int, int]]:
    """Every part with its GPIO number and its header pin, in the order of the header."""
    return sorted(((str(name), gpio, header_pin(gpio)) for name, gpio in pins.used()), key=lambda row: row[2])


def table(pins: Pins) -> str:
    """The wiring as a table in Markdown."""
    lines = ["| header pin | is called | goes to | and from there |", "|---:|---|---|---|"]
    for name, _, pin in rows(pins):
        lines.append(f"| {pin} | {label(pin)} | {name} | {_onward(name)} |")
    for side in _sides(pins):
        if side:
            ground = ground_beside(tuple(pin for _, pin in side))
            lines.append(f"| {ground} | ground | the ground wire on that side | all its parts |")
    return "\n".join(lines)


def draw(pins: Pins) -> str:
    """The wiring as an SVG: the header in the middle, each part beside the row its pin is in."""
    left, right = _sides(pins)
    ends = [max(_upright(side)) for side in (left, right) if side]
    height = max(_TOP + PINS / 2 * _PITCH + 70, *(end + 40 for end in ends))
    sheet = svg.DrawingSheet(
        960 if right else 690, height, "Which button and lamp goes to which pin of the Raspberry Pi"
    )
    sheet.text((30, 42), "Wiring", size=24, bold=True)
    for y, words in ((66, "Hold the Pi with its pins at the right edge and the USB sockets down:"),
                     (84, "pin 1 is at the top.")):  # fmt: skip
        sheet.text((30, y), words, fill=svg.SOFT)
    _draw_header(sheet, {pin: i for i, (_, _, pin) in enumerate(rows(pins))})
    for side, towards in ((left, -1), (right, 1)):
        if side:
            _draw_side(sheet, side, towards, {pin: i for i, (_, _, pin) in enumerate(rows(pins))})
    return sheet.svg()


def _sides(pins: Pins) -> tuple[list[tuple[str, int]], list[tuple[str, int]]]:
    """Parts at the inner row (odd pins) and at the edge (even pins), each from top to bottom."""
    parts = [(name, pin) for name, _, pin in rows(pins)]
    return [p for p in parts if p[1] % 2 == 1], [p for p in parts if p[1] % 2 == 0]


def _upright(side: list[tuple[str, int]]) -> tuple[float, float, float]:
    """Where the first part, the last part and the ground wire of a side are, from the top of the sheet."""
    under = ground_beside(tuple(pin for _, pin in side)) > side[-1][1]
    span = (len(side) - 1) * _PART_STEP
    centre = sum(_pin_at(pin)[1] for _, pin in side) / len(side)
    start = max(_TOP + (10 if under else 40), centre - span / 2)
    return start, start + span, start + span + 44 if under else start - 44


def _onward(name: str) -> str:
    if "lamp" in name:
        return "long leg of the LED; its short leg through 330 Ω to ground"
    return "its other leg to ground"


def _pin_at(pin: int) -> svg.Point:
    return _MIDDLE + (12 if pin % 2 == 0 else -12), _TOP + 20 + (pin - 1) // 2 * _PITCH


def _draw_header(sheet: svg.DrawingSheet, used: dict[int, int]) -> None:
    bottom = _TOP + PINS / 2 * _PITCH + 16
    sheet.rect(
        (_MIDDLE - 116, _TOP - 24), (216, bottom - _TOP + 60), fill=svg.BOARD, stroke="none", radius=14
    )
    sheet.rect((_MIDDLE - 27, _TOP + 4), (54, PINS / 2 * _PITCH + 8), fill=svg.INK, stroke="none", radius=4)
    sheet.text((_MIDDLE - 8, bottom + 24), "USB sockets this way ↓", size=12, anchor="middle", fill=svg.SOFT)
    for pin in range(1, PINS + 1):
        x, y = _pin_at(pin)
        colour = _COLOURS[used[pin] % len(_COLOURS)] if pin in used else "#6d7a86"
        if label(pin) == "ground":
            colour = "#000000"
        sheet.rect((x - 7, y - 7), (14, 14), fill=colour, stroke="#ffffff", line=1)
        away = 1 if pin % 2 == 0 else -1
        sheet.text(
            (x + away * 22, y + 4), f"{pin}", size=10, anchor="start" if away > 0 else "end",
            fill=svg.INK if pin in used else svg.SOFT, bold=pin in used,
        )  # fmt: skip


def _draw_side(
    sheet: svg.DrawingSheet, side: list[tuple[str, int]], towards: int, colours: dict[int, int]
) -> None:
    """Parts of one row, a wire to each, and the ground wire they share."""
    ground = ground_beside(tuple(pin for _, pin in side))
    start, last, end = _upright(side)
    rail = _MIDDLE + towards * 430
    corner = (_MIDDLE + towards * 210, end)
    x, pin_y = _pin_at(ground)
    sheet.line([(rail, start if end > last else last), (rail, end), corner], stroke="#000000", line=3)
    sheet.wire((x + towards * 40, pin_y), corner, "#000000")
    sheet.text(
        (corner[0] + towards * 200, end - 8), f"ground wire, pin {ground}", size=12.5, bold=True,
        anchor="end" if towards > 0 else "start",
    )  # fmt: skip
    for i, (name, pin) in enumerate(side):
        near = (_MIDDLE + towards * 210, start + i * _PART_STEP)
        x, pin_y = _pin_at(pin)
        sheet.wire((x + towards * 40, pin_y), near, _COLOURS[colours[pin] % len(_COLOURS)])
        _draw_part(sheet, name, pin, near, towards, rail)


def _draw_part(
    sheet: svg.DrawingSheet, name: str, pin: int, near: svg.Point, towards: int, rail: float
) -> None:
    x, y = near
    far = (rail, y)
    if "lamp" in name:
        a, b = x + towards * 34, x + towards * 56
        sheet.line([near, (a, y)], line=2)
        sheet.line([(a, y - 11), (a, y + 11), (b, y)], fill="#ffe08a", close=True)
        sheet.line([(b, y - 11), (b, y + 11)], line=2)
        sheet.line([(b, y), (x + towards * 84, y)], line=2)
        left = min(x + towards * 84, x + towards * 126)
        sheet.rect((left, y - 7), (42, 14), fill="#f3e6d0")
        sheet.text((left + 21, y + 4), "330 Ω", size=10, anchor="middle")
        sheet.line([(x + towards * 126, y), far], stroke="#000000", line=2)
    elif "buzzer" in name:
        sheet.line([near, (x + towards * 40, y)], line=2)
        sheet.circle((x + towards * 56, y), 16, fill="#eef2f5")
        sheet.line([(x + towards * 72, y), far], stroke="#000000", line=2)
    else:
        a, b = x + towards * 40, x + towards * 76
        sheet.line([near, (a, y)], line=2)
        sheet.circle((a, y), 4, fill=svg.PAPER)
        sheet.circle((b, y), 4, fill=svg.PAPER)
        sheet.line([(a, y - 9), (b, y - 9)], line=2.5)
        sheet.line([((a + b) / 2, y - 9), ((a + b) / 2, y - 18)], line=2.5)
        sheet.line([(b + towards * 4, y), far], stroke="#000000", line=2)
    words = f"{name} · {label(pin)}, pin {pin}"
    sheet.text(
        (x + towards * 200, y - 22), words, size=12.5, anchor="end" if towards > 0 else "start", bold=True
    )
