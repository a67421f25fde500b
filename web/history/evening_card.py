"""The evening as one picture to keep or to share: podium, best throw, luck, best decision, chances to win.

Drawn here, with typefaces of ours: nothing is asked of anybody outside.
"""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from messages import FONTS
from messages.errors import BadInputError
from pictures.decode import CAMERA_PIXELS_MAX, decode
from station.rules.dice import Dice
from web.core.i18n import t
from web.history.charts import PIPS

if TYPE_CHECKING:
    from PIL import Image, ImageFont

WIDTH, HEIGHT = 1080, 1350
"""Pixels: four to five, which phones show whole."""
MARGIN = 64
FELT, DEEP, LINE = (31, 92, 72), (23, 70, 55), (59, 122, 100)
BRASS, PAPER, SOFT = (240, 192, 96), (251, 244, 228), (207, 224, 211)
SEATS = (
    *((240, 192, 96), (108, 183, 230), (240, 138, 108), (183, 224, 138), (200, 162, 232), (245, 240, 224)),
    *((208, 137, 74), (78, 143, 208), (242, 169, 196), (127, 214, 194), (154, 127, 208), (169, 179, 166)),
)
"""Colours of the seats, as on the television (tv.css)."""
DIE_PX = 84
EMOJI_FROM = 0x2600
"""Signs from here on are in a typeface of their own."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A player of the evening and what is told below the name. place: from 1; several may share one."""

    name: str
    told: str
    place: int


@dataclass(frozen=True, slots=True)
class Fact:
    """A heading and a sentence, perhaps with a JPEG of the tray, or else with drawn dice."""

    title: str
    words: str
    jpeg: bytes | None = None
    dice: Dice = ()


@dataclass(frozen=True, slots=True)
class Card:
    """What stands on it. best: the first three, best first. curve: chances of `names`, turn by turn."""

    title: str
    day: str
    best: Sequence[Standing]
    facts: Sequence[Fact]
    names: Sequence[str] = ()
    curve: Sequence[Sequence[float]] = ()


def drawn(card: Card) -> bytes:
    """The card as a PNG."""
    sheet = _Sheet()
    sheet.text(card.title, 62, PAPER, bold=True)
    sheet.text(card.day, 34, SOFT)
    sheet.y += 26
    sheet.podium(card.best)
    room = HEIGHT - MARGIN - (300 if card.curve else 0)
    for fact in card.facts:
        sheet.fact(fact, room)
    if card.curve:
        sheet.curve(card.names, card.curve)
    out = io.BytesIO()
    sheet.image.save(out, "PNG", optimize=True)
    return out.getvalue()


@cache
def _font(size: int, *, bold: bool = False, signs: bool = False) -> "ImageFont.FreeTypeFont":
    from PIL import ImageFont  # noqa: PLC0415 - Pillow takes memory, and a card is drawn once an evening

    name = "NotoEmoji.ttf" if signs else f"DejaVuSansCondensed{'-Bold' if bold else ''}.ttf"
    return ImageFont.truetype(FONTS / name, size)


def _runs(text: str) -> list[tuple[bool, str]]:
    """The text in pieces, each with whether it is signs."""
    found: list[tuple[bool, str]] = []
    for letter in text:
        signs = ord(letter) >= EMOJI_FROM and not letter.isalpha()
        if found and found[-1][0] == signs:
            found[-1] = (signs, found[-1][1] + letter)
        else:
            found.append((signs, letter))
    return found


def _picture(jpeg: bytes) -> "Image.Image | None":
    """A picture of the tray that was kept; None for a file that is none, as a copy may bring."""
    from PIL import Image  # noqa: PLC0415 - as above

    try:
        image_bgr = decode(jpeg, pixels_max=CAMERA_PIXELS_MAX)
    except BadInputError:
        return None
    return Image.fromarray(image_bgr[:, :, ::-1])


def _wide(text: str, size: int, *, bold: bool = False) -> float:
    return sum(_font(size, bold=bold, signs=signs).getlength(run) for signs, run in _runs(text))


def _shortened(text: str, width: float, size: int, *, bold: bool = False) -> str:
    """The text, its end left out where it is too long."""
    if _wide(text, size, bold=bold) <= width:
        return text
    while text and _wide(f"{text}…", size, bold=bold) > width:
        text = text[:-1]
    return f"{text.rstrip()}…"


def _smaller(text: str, width: float, size: int, *, bold: bool = False) -> int:
    """The largest letters, from two thirds of `size` on, in which the text is no wider."""
    for each in range(size, 2 * size // 3, -2):
        if _wide(text, each, bold=bold) <= width:
            return each
    return 2 * size // 3


def _lines(text: str, width: float, size: int) -> list[str]:
    """The text in lines that are no wider."""
    found = [""]
    for word in text.split():
        longer = f"{found[-1]} {word}".strip()
        if found[-1] and _wide(longer, size) > width:
            found.append(word)
        else:
            found[-1] = longer
    return [_shortened(line, width, size) for line in found]


class _Sheet:
    """The picture while it is drawn, from top to bottom. y: where the next thing begins."""

    def __init__(self) -> None:
        from PIL import Image, ImageDraw  # noqa: PLC0415 - as above

        self.image = Image.new("RGB", (WIDTH, HEIGHT), FELT)
        self.brush = ImageDraw.Draw(self.image)
        self.brush.rectangle((0, 0, WIDTH, 14), fill=BRASS)
        self.y = MARGIN

    def _put(
        self, at: tuple[float, float], text: str, size: int, ink: tuple[int, int, int], *, bold: bool = False
    ) -> None:
        x, y = at
        for signs, run in _runs(text):
            font = _font(size, bold=bold, signs=signs)
            self.brush.text((x, y), run, font=font, fill=ink)
            x += font.getlength(run)

    def text(self, text: str, size: int, ink: tuple[int, int, int], *, bold: bool = False) -> None:
        """A line of its own."""
        wide = WIDTH - 2 * MARGIN
        self._put((MARGIN, self.y), _shortened(text, wide, size, bold=bold), size, ink, bold=bold)
        self.y += round(size * 1.3)

    def podium(self, best: Sequence[Standing]) -> None:
        """The first three on steps, the best in the middle; who shares a place stands as high."""
        order = [best[each] for each in (1, 0, 2) if each < len(best)]
        steps, wide, gap = {1: 200, 2: 150, 3: 116}, 300, 18
        left = (WIDTH - len(order) * wide - (len(order) - 1) * gap) / 2
        foot = self.y + steps[1] + 90
        for column, each in enumerate(order):
            x, high = left + column * (wide + gap), steps[each.place]
            ink, ground = (DEEP, BRASS) if each.place == 1 else (PAPER, DEEP)
            self.brush.rounded_rectangle((x, foot - high, x + wide, foot), 18, fill=ground)
            self._centred(x, wide, foot - high + 14, f"{each.place}.", 44, ink, bold=True)
            self._centred(x, wide, foot - 46, each.told, 28, ink)
            self._centred(x, wide, foot - high - 60, each.name, 42, PAPER, bold=True)
        self.y = round(foot + 34)

    def _centred(
        self,
        x: float,
        wide: float,
        y: float,
        text: str,
        size: int,
        ink: tuple[int, int, int],
        *,
        bold: bool = False,
    ) -> None:
        fits = _smaller(text, wide - 16, size, bold=bold)
        text = _shortened(text, wide - 16, fits, bold=bold)
        at = x + (wide - _wide(text, fits, bold=bold)) / 2, y + size - fits
        self._put(at, text, fits, ink, bold=bold)

    def fact(self, fact: Fact, room: int) -> None:
        """A heading and its sentence, left of them the picture; left out where there is no room."""
        tray = None if fact.jpeg is None else _picture(fact.jpeg)
        picture = 260 if tray else 0
        left = MARGIN + (picture + 26 if picture else 0)
        lines = _lines(fact.words, WIDTH - MARGIN - left, 32)
        high = max(48 + 42 * len(lines) + (DIE_PX + 20 if fact.dice else 0), picture * 9 // 16)
        if self.y + high > room:
            return
        if tray:
            from PIL import ImageOps  # noqa: PLC0415 - as above

            self.image.paste(ImageOps.fit(tray, (picture, picture * 9 // 16)), (MARGIN, self.y))
        self._put((left, self.y), fact.title, 30, BRASS, bold=True)
        for number, line in enumerate(lines):
            self._put((left, self.y + 44 + 42 * number), line, 32, PAPER)
        for number, face in enumerate(fact.dice):
            self._die((MARGIN + number * (DIE_PX + 16), self.y + 62 + 42 * len(lines)), face)
        self.y += high + 26

    def _die(self, at: tuple[int, int], face: int) -> None:
        """A die as drawn everywhere: pips in a grid of three."""
        x, y = at
        self.brush.rounded_rectangle((x, y, x + DIE_PX, y + DIE_PX), DIE_PX // 5, fill=PAPER)
        for column, row in PIPS[face]:
            middle = [place + DIE_PX * (2 + step) / 4 for place, step in ((x, column), (y, row))]
            self.brush.circle(middle, DIE_PX / 11, fill=DEEP)

    def curve(self, names: Sequence[str], curve: Sequence[Sequence[float]]) -> None:
        """Chances to win of the last game, turn by turn, the names beside their ends."""
        top, high = HEIGHT - MARGIN - 210, 200
        left, right = MARGIN, WIDTH - MARGIN - 210
        self._put((MARGIN, top - 54), t("html/game/curve"), 30, BRASS, bold=True)
        for share in (0.0, 0.5, 1.0):
            y = top + high * (1 - share)
            self.brush.line((left, y, right, y), fill=LINE, width=2)
        ends = []
        for seat, name in enumerate(names):
            points = [
                (left + (right - left) * turn / max(len(curve) - 1, 1), top + high * (1 - chances[seat]))
                for turn, chances in enumerate(curve)
            ]
            self.brush.line(points, fill=SEATS[seat % len(SEATS)], width=6, joint="curve")
            ends.append((curve[-1][seat], -seat, name))
        size = 28 if len(names) <= 6 else 16  # noqa: PLR2004 - lines that fit beside it
        for row, (_, seat, name) in enumerate(sorted(ends, reverse=True)):
            fits = _smaller(name, 190, size)
            at = right + 18, top - 4 + row * size * 1.2 + (size - fits) / 2
            self._put(at, _shortened(name, 190, fits), fits, SEATS[-seat % len(SEATS)])
