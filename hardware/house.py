"""The house: which package stands on which. `make check` holds it to that (import-linter, pyproject.toml)."""

from hardware.svg import AMBER, BLUE, BOARD, GREEN, INK, PAPER, SOFT, WOOD, DrawingSheet, Point

_LEFT, _WIDE, _HIGH = 60.0, 620.0, 46.0
FLOORS = (
    ("web", "the pages and the API: what a person sees", PAPER),
    ("station", "", BOARD),
    ("simulator", "a drawn tray with hands and people, to try everything without a camera", PAPER),
    ("vision", "from pixels to dice, and the cameras", PAPER),
    ("calibration", "what is known of camera and tray", PAPER),
    ("pictures", "files of pictures, and the one way to decode them", PAPER),
    ("messages", "every sentence as a key with values; errors; files written whole", PAPER),
)
"""From the top: each knows those below it, none above."""
ROOMS = (
    ("app", "builds all and stops it", PAPER),
    ("features", "ways of playing", AMBER),
    ("extras", "who else is told", AMBER),
    ("table", "one lock, one game", PAPER),
    ("store", "SQLite", PAPER),
    ("camera, devices", "pictures, buttons", PAPER),
    ("game, rules", "pure", WOOD),
    ("strategy", "pure", WOOD),
    ("contract", "commands, view", WOOD),
)
"""Of the station, three in a row."""
SHEDS = (
    ("tests", "what holds it together"),
    ("bench", "figures for a reviewer"),
    ("release", "wheel, pins, site"),
    ("hardware", "drawings, the stand"),
    ("lab", "training, long trials"),
)
"""Beside the house: they use it, and nothing in it knows them."""


def draw() -> str:
    """The drawing."""
    sheet = DrawingSheet(940, 650, "The packages of Yacht Station, each above those it may import")
    top = 130.0
    sheet.line([(_LEFT - 24, top), (_LEFT + _WIDE / 2, 24), (_LEFT + _WIDE + 24, top)], fill=WOOD, close=True)
    _words(sheet, (_LEFT + _WIDE / 2, 84), "board", "a club's evening: a program of its own", "middle")
    for name, what, fill in FLOORS:
        high = _HIGH + 3 * 56 if name == "station" else _HIGH
        sheet.rect((_LEFT, top), (_WIDE, high), fill=fill)
        _words(sheet, (_LEFT + 14, top + 28), name, what)
        if name == "station":
            _rooms(sheet, top + 40)
        top += high
    for number, (name, what) in enumerate(SHEDS):
        corner = (736.0, 190.0 + 88 * number)
        sheet.rect(corner, (184, 66), fill=PAPER, stroke=GREEN if name != "lab" else BLUE, radius=6)
        sheet.text((corner[0] + 14, corner[1] + 28), name, bold=True)
        sheet.text((corner[0] + 14, corner[1] + 50), what, size=12, fill=SOFT)
    return sheet.svg()


def _rooms(sheet: DrawingSheet, top: float) -> None:
    wide = (_WIDE - 28) / 3
    for number, (name, what, fill) in enumerate(ROOMS):
        row, column = divmod(number, 3)
        corner = (_LEFT + 14 + column * wide, top + row * 56)
        sheet.rect(corner, (wide - 8, 50), fill=fill, radius=4)
        sheet.text((corner[0] + 10, corner[1] + 21), name, bold=True)
        sheet.text((corner[0] + 10, corner[1] + 40), what, size=12)


def _words(sheet: DrawingSheet, at: Point, name: str, what: str, anchor: str = "start") -> None:
    if anchor == "middle":
        sheet.text(at, name, bold=True, anchor=anchor)
        sheet.text((at[0], at[1] + 22), what, size=13, anchor=anchor, fill=INK)
        return
    sheet.text(at, name, bold=True)
    sheet.text((at[0] + 100, at[1]), what, size=13, fill=INK)
