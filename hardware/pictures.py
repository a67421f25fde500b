"""The drawings for those who build: how high the camera hangs, the two stands, the light."""

import math

from hardware import svg
from hardware.stand import CAMERA_HOLES_MM, HEAD_MM, CameraStand
from station.camera import mounting

_TRAY_MM = (240.0, 180.0)


def draw_height() -> str:
    """The camera above the tray, with what it sees, to scale."""
    camera = mounting.lens("pi3")
    height = mounting.height_mm(camera, _TRAY_MM)
    seen = mounting.place(camera, _TRAY_MM, height)
    sheet = svg.DrawingSheet(760, 520, "How high the camera hangs above the tray")
    sheet.text((30, 42), "How high the camera hangs", size=24, bold=True)
    sheet.text((30, 66), f"{camera.title}, tray of 240 x 180 mm, seen from the front", fill=svg.SOFT)
    scale, floor, middle = 1.15, 470.0, 400.0
    lens = (middle, floor - height * scale)
    half = seen.seen_mm[0] / 2 * scale
    sheet.line([lens, (middle - half, floor), (middle + half, floor)], fill="#eaf2fb", stroke=svg.BLUE,
               close=True, dash="6 5")  # fmt: skip
    _tray(sheet, middle, floor, _TRAY_MM[0] * scale)
    for x in (-100, -30, 45, 104):
        _die(sheet, (middle + x * scale, floor), 16 * scale)
    _camera(sheet, lens)
    sheet.measure((middle - 250, lens[1]), (middle - 250, floor), f"{height:.0f} mm")
    sheet.line([(middle - 250, lens[1]), (lens[0] - 20, lens[1])], stroke=svg.SOFT, line=1, dash="3 4")
    sheet.measure(
        (middle - half, floor + 24), (middle + half, floor + 24), f"sees {seen.seen_mm[0]:.0f} mm", beside=-16
    )
    sheet.text((middle + 150, lens[1] + 60), f"{camera.across_deg:g}° across", fill=svg.BLUE)
    return sheet.svg()


def draw_shelf_stand() -> str:
    """The stand from a board, a batten and a shelf bracket, from the side."""
    sheet = svg.DrawingSheet(760, 560, "A stand from a shelf bracket")
    sheet.text((30, 42), "Stand from a shelf bracket", size=24, bold=True)
    sheet.text((30, 66), "seen from the side; the players sit on the right", fill=svg.SOFT)
    height, scale, floor = mounting.height_mm(mounting.lens("pi3"), _TRAY_MM), 1.1, 480.0
    post = 170.0
    middle = post + 22 + 130 * scale
    top = floor - height * scale - 30
    sheet.rect((post - 60, floor + 6), (430, 20), fill=svg.WOOD)
    sheet.text((post + 380, floor + 22), "board, 18 mm")
    sheet.rect((post, top - 26), (22, floor + 6 - top + 26), fill=svg.WOOD)
    sheet.text((post - 12, (top + floor) / 2), "batten", anchor="end")
    sheet.text((post - 12, (top + floor) / 2 + 18), "40 x 20 mm", anchor="end")
    _bracket(sheet, (post + 22, top), 190, 130, 1)
    sheet.text((post + 90, top - 14), "shelf bracket, 200 x 150 mm")
    _bracket(sheet, (post, floor + 6), 55, 80, -1, up=True)
    sheet.text((post - 62, floor - 20), "small bracket", anchor="end", size=12)
    lens = (middle, floor - height * scale)
    sheet.rect((middle - 22, top + 8), (44, 6), fill="#cfd8e0")
    sheet.line([(middle, top + 14), (middle, lens[1] - 14)], line=4)
    _camera(sheet, lens)
    sheet.line([(middle - 120, floor), lens, (middle + 120, floor)], stroke=svg.BLUE, dash="6 5")
    _tray(sheet, middle, floor, _TRAY_MM[1] * scale)
    for x in (-50, 10, 62):
        _die(sheet, (middle + x * scale, floor), 16 * scale)
    sheet.measure((middle + 190, lens[1]), (middle + 190, floor), f"{height:.0f} mm")
    sheet.measure((post + 22, floor + 46), (middle, floor + 46), "130 mm", beside=-16)
    return sheet.svg()


def draw_printed_stand() -> str:
    """The printed stand put together, from the side, with its measures."""
    stand = CameraStand()
    sheet = svg.DrawingSheet(760, 600, "A stand to print")
    sheet.text((30, 42), "Stand to print", size=24, bold=True)
    sheet.text((30, 66), "foot, elbow and head from the printer; two square tubes 20 x 20 mm", fill=svg.SOFT)
    scale, board, post = 1.25, 540.0, 230.0
    tube = stand.tube * scale
    axis = board - (stand.plate + stand.post_mm + stand.tube / 2) * scale
    middle = post + stand.reach * scale
    sheet.rect((post - 90, board), (480, 18), fill=svg.WOOD)
    sheet.text((post + 402, board + 14), "board")
    foot = (stand.tube + 50) * scale
    sheet.rect((post - foot / 2, board - stand.plate * scale), (foot, stand.plate * scale), fill="#9cc3e6")
    sheet.text((post - foot / 2 - 8, board - 6), "foot", anchor="end", bold=True)
    sheet.rect((post - tube / 2, axis + tube / 2), (tube, stand.post_mm * scale), fill="#e6eaee")
    sheet.rect((post - tube / 2, axis - tube / 2), (tube, tube), fill="#9cc3e6")
    sheet.text((post - tube / 2 - 8, axis), "elbow", anchor="end", bold=True)
    end = middle - HEAD_MM[0] / 2 * scale
    sheet.rect((post + tube / 2, axis - tube / 2), (end - post - tube / 2, tube), fill="#e6eaee")
    bottom = axis + stand.inner / 2 * scale
    sheet.rect((end, bottom - 3 * scale), (HEAD_MM[0] * scale, 3 * scale), fill="#9cc3e6")
    sheet.rect((end, axis - stand.inner / 2 * scale), (6 * scale, stand.inner * scale), fill="#9cc3e6")
    sheet.text((end + HEAD_MM[0] * scale + 8, bottom), "head", bold=True)
    sheet.rect((middle - 14, bottom - 3 * scale - 10), (30, 4), fill="#3c8c5a")
    sheet.rect((middle - 8, bottom - 3 * scale - 6), (14, 3 * scale + 6), fill=svg.INK)
    floor = board - stand.floor * scale
    sheet.line([(middle - 130, floor), (middle, bottom), (middle + 130, floor)], stroke=svg.BLUE, dash="6 5")
    _tray(sheet, middle, floor, _TRAY_MM[1] * scale)
    sheet.measure((middle + 180, bottom), (middle + 180, floor), f"{stand.height:.0f} mm")
    sheet.measure((post, board + 40), (middle, board + 40), f"reach {stand.reach:.0f} mm", beside=-16)
    sheet.measure((post - 116, axis + tube / 2), (post - 116, board - stand.plate * scale), "")
    sheet.text((post - 124, (axis + board) / 2), f"tube {stand.post_mm:.0f} mm", anchor="end", fill=svg.BLUE)
    sheet.measure((post + tube / 2, axis - 34), (end, axis - 34), f"tube {stand.arm_mm:.0f} mm")
    return sheet.svg()


def draw_head() -> str:
    """The head from above: where the camera's screws and lens go."""
    sheet = svg.DrawingSheet(560, 430, "Where the camera goes on the head")
    sheet.text((30, 42), "The head from above", size=24, bold=True)
    sheet.text((30, 66), "lens down through the opening, ribbon away from the arm", fill=svg.SOFT)
    scale, middle = 6.0, (300.0, 250.0)

    def at(x: float, y: float) -> svg.Point:
        return middle[0] + x * scale, middle[1] + y * scale

    inner = CameraStand().inner
    sheet.rect(at(-20 - 30, -inner / 2), (36 * scale, inner * scale), fill="#c9dff1")
    sheet.text((at(-35, 0)[0], at(0, 1)[1]), "into the tube", anchor="middle")
    sheet.rect(at(-HEAD_MM[0] / 2, -HEAD_MM[1] / 2), (HEAD_MM[0] * scale, HEAD_MM[1] * scale), fill="#9cc3e6")
    sheet.rect(at(-20, -inner / 2), (6 * scale, inner * scale), fill="#c9dff1")
    sheet.rect(at(-8.5, -7.5), (19 * scale, 15 * scale), fill=svg.PAPER)
    sheet.text(at(1, 0.8), "lens", anchor="middle", fill=svg.SOFT)
    sheet.rect(at(-8.25, -12.5), (24 * scale, 25 * scale), stroke="#3c8c5a", radius=8, line=2)
    sheet.text(at(-8, -13.5), "camera board", fill="#3c8c5a")
    for x, y in CAMERA_HOLES_MM:
        sheet.circle(at(x, y), 1.15 * scale, fill=svg.PAPER)
    sheet.measure(at(12.5, -10.5), at(12.5, 10.5), "", beside=8)
    sheet.text((at(20.8, 0)[0], at(0, 0)[1]), "21 mm, screws M2", fill=svg.BLUE)
    sheet.measure(at(-6.25, 17), at(6.25, 17), "12.5 mm", beside=-16)
    return sheet.svg()


def draw_light() -> str:
    """Light that works, and light that does not."""
    sheet = svg.DrawingSheet(760, 400, "Light that works")
    sheet.text((30, 42), "Light", size=24, bold=True)
    for left, good in ((40, True), (410, False)):
        middle, floor = left + 155.0, 330.0
        sheet.rect((left, 70), (310, 300), stroke=svg.GREEN if good else svg.RED, radius=10, line=2)
        sheet.text((left + 14, 98), "like this" if good else "not like this",
                   fill=svg.GREEN if good else svg.RED, bold=True, size=16)  # fmt: skip
        _tray(sheet, middle, floor, 170)
        for x in (-50, 5, 55):
            _die(sheet, (middle + x, floor), 20)
        _camera(sheet, (middle, 190))
        if good:
            for side in (-1, 1):
                _lamp(sheet, (middle + side * 118, 205), side)
            sheet.text((middle, floor + 26), "two soft lamps, one on each side", anchor="middle", size=13)
        else:
            sheet.circle((middle + 60, 122), 13, fill="#ffd84d")
            for turn in range(0, 360, 45):
                along = math.cos(math.radians(turn)), math.sin(math.radians(turn))
                ray = [(middle + 60 + r * along[0], 122 + r * along[1]) for r in (17, 25)]
                sheet.line(ray, stroke=svg.AMBER)
            sheet.line(
                [(middle + 60, 138), (middle + 5, floor - 20), (middle, 204)], stroke=svg.AMBER, dash="4 4"
            )
            sheet.circle((middle + 5, floor - 20), 5, fill="#fff6cf", stroke=svg.AMBER)
            sheet.text(
                (middle, floor + 26), "a bare bulb shines back from every die", anchor="middle", size=13
            )
    return sheet.svg()


def _tray(sheet: svg.DrawingSheet, middle: float, floor: float, inside: float) -> None:
    sheet.line([(middle - inside / 2 - 5, floor - 32), (middle - inside / 2 - 5, floor + 3),
                (middle + inside / 2 + 5, floor + 3), (middle + inside / 2 + 5, floor - 32)],
               stroke="#6b4a2b", line=7)  # fmt: skip


def _die(sheet: svg.DrawingSheet, at: svg.Point, edge: float) -> None:
    sheet.rect((at[0] - edge / 2, at[1] - edge), (edge, edge), fill=svg.PAPER, radius=3)
    sheet.circle((at[0], at[1] - edge / 2), edge / 9, fill=svg.INK, stroke="none")


def draw_card() -> str:
    """The four steps from a card to the first game."""
    sheet = svg.DrawingSheet(760, 290, "From a card to the first game")
    names = ("Write the card", "Add the station", "Plug it in", "Set it up and play")
    for step, name in enumerate(names):
        left = 14 + step * 186
        sheet.rect((left, 14), (174, 262), fill="#f4f7f9", stroke=svg.SOFT, radius=10)
        sheet.circle((left + 22, 38), 13, fill=svg.BLUE, stroke=svg.BLUE)
        sheet.text((left + 22, 43), str(step + 1), anchor="middle", fill=svg.PAPER, bold=True)
        sheet.text((left + 42, 43), name, size=12, bold=True)
    _laptop(sheet, (101, 160), ("Raspberry Pi", "Imager"))
    _sd_card(sheet, (101, 222))
    sheet.text((101, 262), "with your Wi-Fi", size=12, anchor="middle", fill=svg.SOFT)
    _laptop(sheet, (287, 160), ("make card", "BOOT=bootfs"))
    _sd_card(sheet, (287, 222), "yacht")
    sheet.text((287, 262), "one line", size=12, anchor="middle", fill=svg.SOFT)
    sheet.rect((404, 206), (66, 42), fill="#3c8c5a", radius=4)
    sheet.rect((412, 216), (18, 18), fill=svg.INK)
    sheet.line([(470, 238), (500, 238), (500, 226)], line=3)
    sheet.text((500, 220), "⚡", size=18, anchor="middle", fill=svg.AMBER)
    _telephone(sheet, (473, 132), ("yacht.local", "4 of 7:", "installing", "packages"), 92)
    sheet.rect((439, 176), (68, 6), fill=svg.PAPER, stroke=svg.BLUE, radius=3)
    sheet.rect((439, 176), (34, 6), fill=svg.BLUE, stroke=svg.BLUE, radius=3)
    sheet.text((473, 266), "it goes on by itself", size=12, anchor="middle", fill=svg.SOFT)
    lens = (636.0, 112.0)
    sheet.line([(600, 246), lens, (672, 246)], stroke=svg.BLUE, dash="5 5")
    _camera(sheet, lens)
    _tray(sheet, 636, 246, 92)
    for x in (-28, 0, 30):
        _die(sheet, (636 + x, 246), 14)
    _telephone(sheet, (709, 134), ("Ana", "23", "✓"), 58)
    return sheet.svg()


def _laptop(sheet: svg.DrawingSheet, middle: svg.Point, words: tuple[str, ...]) -> None:
    x, y = middle
    sheet.rect((x - 62, y - 88), (124, 82), fill=svg.PAPER, radius=5)
    sheet.line(
        [(x - 62, y - 6), (x + 62, y - 6), (x + 74, y + 8), (x - 74, y + 8)], fill="#cfd8e0", close=True
    )
    for line, each in enumerate(words):
        sheet.text((x, y - 52 + 20 * line), each, anchor="middle")


def _sd_card(sheet: svg.DrawingSheet, middle: svg.Point, word: str = "") -> None:
    x, y = middle
    outline = [(x - 22, y - 20), (x + 12, y - 20), (x + 22, y - 10), (x + 22, y + 22), (x - 22, y + 22)]
    sheet.line(outline, fill=svg.INK, close=True)
    for pin in range(4):
        sheet.rect((x - 18 + 8 * pin, y - 16), (4, 9), fill=svg.AMBER, stroke=svg.AMBER)
    sheet.text((x, y + 12), word, size=12, anchor="middle", fill=svg.PAPER, bold=True)


def _telephone(sheet: svg.DrawingSheet, middle: svg.Point, words: tuple[str, ...], width: float) -> None:
    x, y = middle
    sheet.rect((x - width / 2, y - 64), (width, 122), fill=svg.PAPER, radius=9, line=2.5)
    for line, each in enumerate(words):
        sheet.text((x, y - 38 + 24 * line), each, size=12, anchor="middle", bold=line == 0)


def _camera(sheet: svg.DrawingSheet, lens: svg.Point) -> None:
    sheet.rect((lens[0] - 18, lens[1] - 14), (36, 5), fill="#3c8c5a")
    sheet.rect((lens[0] - 8, lens[1] - 9), (16, 9), fill=svg.INK)


def _bracket(
    sheet: svg.DrawingSheet, corner: svg.Point, long: float, short: float, towards: int, *, up: bool = False
) -> None:
    """A shelf bracket with its corner there: one leg along, one up or down, and the strut."""
    x, y = corner
    down = -1 if up else 1
    sheet.line([(x, y + down * short), (x, y), (x + towards * long, y)], stroke="#7a8792", line=6)
    sheet.line([(x, y + down * short * 0.7), (x + towards * long * 0.6, y)], stroke="#7a8792", line=4)


def _lamp(sheet: svg.DrawingSheet, at: svg.Point, side: int) -> None:
    x, y = at
    sheet.line([(x, y - 26), (x - side * 20, y + 14)], stroke="#f2d98b", line=12)
    sheet.line([(x + side * 6, y - 24), (x - side * 14, y + 18)], stroke=svg.SOFT, line=3)
    for i in (-1, 0, 1):
        start = (x - side * 18 + 9 * i, y + 2 + side * 7 * i)
        sheet.line([start, (start[0] - side * 50, start[1] + 62)], stroke=svg.AMBER, dash="4 4")
