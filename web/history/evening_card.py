"""The evening as one picture to keep or to share: podium, best throw, luck, best decision, chances to win.

Drawn locally in the typefaces of the pages, at twice the size and then scaled down, so that edges are smooth.
Its height follows its content.
"""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path
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
"""Pixels, at most: four to five, which phones show whole."""
FINE = 2
"""Times as large while it is drawn."""
MARGIN = 64
TYPEFACES = Path(__file__).parents[1] / "core" / "typefaces"
FELT, DEEP, LINE = (31, 92, 72), (23, 70, 55), (59, 122, 100)
BRASS, PAPER, SOFT = (240, 192, 96), (251, 244, 228), (207, 224, 211)
SEATS = (
    *((240, 192, 96), (108, 183, 230), (240, 138, 108), (183, 224, 138), (200, 162, 232), (245, 240, 224)),
    *((208, 137, 74), (78, 143, 208), (242, 169, 196), (127, 214, 194), (154, 127, 208), (169, 179, 166)),
)
"""Colours of the seats, as on the television (tv.css)."""
DIE_PX = 84
Ink = tuple[int, int, int]
EMOJI_FROM = 0x2600
"""Signs from here on are in a typeface of their own."""
LETTERS = frozenset(map(chr, (*range(0x20, 0x7F), *range(0xA0, 0x100), 0x152, 0x153, 0x178, 0x2026)))
LETTERS |= frozenset(map(chr, (*range(0x2010, 0x2015), *range(0x2018, 0x201F), 0x202F, 0x20AC, 0x2212)))
RARER = frozenset(map(chr, (*range(0x100, 0x152), *range(0x154, 0x178), *range(0x179, 0x180), 0x1E9E)))
"""Of the pages' typefaces, and of their files for rarer ones (web/core/typefaces/README.md)."""
UPRIGHT_PX = 130
"""On a narrower step a name is turned upright."""


@dataclass(frozen=True, slots=True)
class PodiumPlace:
    """A player of the evening. label: on the step; points: on a narrow one. place: from 1, may be shared."""

    name: str
    label: str
    points: str
    place: int


@dataclass(frozen=True, slots=True)
class Fact:
    """A heading and a sentence, perhaps with a JPEG of the tray, or else with drawn dice."""

    title: str
    words: str
    jpeg: bytes | None = None
    dice: Dice = ()


@dataclass(frozen=True, slots=True)
class EveningCard:
    """Its content. best: all who played, best first. curve: chances of `names`, turn by turn."""

    title: str
    day: str
    best: Sequence[PodiumPlace]
    facts: Sequence[Fact]
    names: Sequence[str] = ()
    curve: Sequence[Sequence[float]] = ()


def drawn(card: EveningCard) -> bytes:
    """The card as a PNG."""
    sheet = _Sheet()
    sheet.text(card.title, 76, PAPER, "serif")
    sheet.text(card.day, 40, SOFT)
    sheet.y += 22
    sheet.podium(card.best)
    room = HEIGHT - MARGIN - (300 if card.curve else 0)
    for fact in card.facts:
        sheet.fact(fact, room)
    if card.curve:
        sheet.curve(card.names, card.curve)
    out = io.BytesIO()
    sheet.finished().save(out, "PNG", optimize=True)
    return out.getvalue()


@cache
def _font(size: int, face: str) -> "ImageFont.FreeTypeFont":
    from PIL import ImageFont  # noqa: PLC0415 - Pillow takes memory, and a card is drawn once an evening

    return ImageFont.truetype(FONTS / face if face.endswith(".ttf") else TYPEFACES / face, size)


def _face(letter: str, style: str) -> str:
    """The file that has a letter. style: serif or sans."""
    name = "serif-600" if style == "serif" else "sans-400"
    if letter in LETTERS:
        return f"{name}.woff2"
    if letter in RARER:
        return f"{name}-more.woff2"
    if ord(letter) >= EMOJI_FROM and not letter.isalpha():
        return "NotoEmoji.ttf"
    return f"DejaVuSansCondensed{'-Bold' if style == 'serif' else ''}.ttf"


def _runs(text: str, style: str) -> list[tuple[str, str]]:
    """The text in pieces, each with the file of its typeface."""
    return [(face, "".join(run)) for face, run in groupby(text, lambda letter: _face(letter, style))]


def _picture(jpeg: bytes) -> "Image.Image | None":
    """A picture of the tray that was kept; None for a file that is none, as a copy may bring."""
    from PIL import Image  # noqa: PLC0415 - as above

    try:
        image_bgr = decode(jpeg, pixels_max=CAMERA_PIXELS_MAX)
    except BadInputError:
        return None
    return Image.fromarray(image_bgr[:, :, ::-1])


def _wide(text: str, size: int, style: str = "sans") -> float:
    return sum(_font(size, face).getlength(run) for face, run in _runs(text, style))


def _shortened(text: str, width: float, size: int, style: str = "sans") -> str:
    """The text, its end left out where it is too long."""
    if _wide(text, size, style) <= width:
        return text
    while text and _wide(f"{text}…", size, style) > width:
        text = text[:-1]
    return f"{text.rstrip()}…"


def _smaller(text: str, width: float, size: int, style: str = "sans") -> int:
    """The largest letters, from two thirds of `size` on, in which the text is no wider."""
    for each in range(size, 2 * size // 3, -2):
        if _wide(text, each, style) <= width:
            return each
    return 2 * size // 3


def _name_lines(name: str, width: float) -> list[str]:
    """A name in one line, or in two where it has two parts and is too long for one."""
    if _wide(name, 34, "serif") <= width:
        return [name]
    first, sign, rest = name.partition("-" if "-" in name else " ")
    return [f"{first}{sign}".rstrip(), rest] if rest else [name]


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

        self.image = Image.new("RGB", (FINE * WIDTH, FINE * HEIGHT), FELT)
        self.brush = ImageDraw.Draw(self.image)
        self.y = MARGIN
        self._block((0, 0, WIDTH, 14), BRASS)

    def finished(self) -> "Image.Image":
        """The picture, with no more below than a margin."""
        high = min(HEIGHT, round(self.y) + MARGIN - 26)
        return self.image.crop((0, 0, FINE * WIDTH, FINE * high)).resize((WIDTH, high), reducing_gap=2.0)

    def _block(self, box: Sequence[float], ink: Ink, radius: int = 0) -> None:
        self.brush.rounded_rectangle([FINE * each for each in box], FINE * radius, fill=ink)

    def _line(self, points: Sequence[tuple[float, float]], ink: Ink, width: int) -> None:
        fine = [(FINE * x, FINE * y) for x, y in points]
        self.brush.line(fine, fill=ink, width=FINE * width, joint="curve")

    def _put(self, at: tuple[float, float], text: str, size: int, ink: Ink, style: str = "sans") -> None:
        x, y = FINE * at[0], FINE * (at[1] + 0.8 * size)
        for face, run in _runs(text, style):
            font = _font(FINE * size, face)
            self.brush.text((x, y), run, font=font, fill=ink, anchor="ls")
            x += font.getlength(run)

    def text(self, text: str, size: int, ink: Ink, style: str = "sans") -> None:
        """A line of its own."""
        self._put((MARGIN, self.y), _shortened(text, WIDTH - 2 * MARGIN, size, style), size, ink, style)
        self.y += round(size * 1.25)

    def podium(self, best: Sequence[PodiumPlace]) -> None:
        """All who played on steps, the best in the middle; shared places are as high."""
        order = [best[each] for each in (1, 0, 2) if each < len(best)] + list(best[3:])
        steps, gap = {1: 190, 2: 150, 3: 116}, 18 if len(best) <= 3 else 10  # noqa: PLR2004 - as many as have steps
        wide = min(300, (WIDTH - 2 * MARGIN + gap) / max(1, len(order)) - gap)
        left = (WIDTH - len(order) * wide - (len(order) - 1) * gap) / 2
        foot = self.y + steps[1] + (90 if wide > UPRIGHT_PX else 230)
        for column, each in enumerate(order):
            x, high = left + column * (wide + gap), steps.get(each.place, 112)
            ink, ground = (DEEP, BRASS) if each.place == 1 else (PAPER, DEEP)
            self._block((x, foot - high, x + wide, foot), ground, 18)
            self._centred(x, wide, foot - high + 12, f"{each.place}.", 48, ink, "serif")
            self._centred(x, wide, foot - 48, each.label if wide > 240 else each.points, 36, ink)  # noqa: PLR2004 - px for both
            if wide > UPRIGHT_PX:
                lines = _name_lines(each.name, wide - 16)
                for number, line in enumerate(reversed(lines)):
                    y = foot - high - 62 - 42 * number
                    self._centred(x, wide, y, line, 50 if len(lines) == 1 else 36, PAPER, "serif")
            else:
                self._upright(x + wide / 2, foot - high - 10, each.name, 40)
        self.y = round(foot + 34)

    def _centred(
        self, x: float, wide: float, y: float, text: str, size: int, ink: Ink, style: str = "sans"
    ) -> None:
        fits = _smaller(text, wide - 16, size, style)
        text = _shortened(text, wide - 16, fits, style)
        self._put((x + (wide - _wide(text, fits, style)) / 2, y + size - fits), text, fits, ink, style)

    def _upright(self, x: float, foot: float, name: str, size: int) -> None:
        """A name that is read from below, its middle at x."""
        upright = _Sheet()
        upright.image.paste(FELT, (0, 0, *upright.image.size))
        size = _smaller(name, 220, size, "serif")
        name = _shortened(name, 220, size, "serif")
        upright._put((0, 0), name, size, PAPER, "serif")
        box = (0, 0, round(FINE * _wide(name, size, "serif")), round(FINE * 1.2 * size))
        turned = upright.image.crop(box).rotate(90, expand=True)
        self.image.paste(turned, (round(FINE * x - turned.width / 2), round(FINE * foot - turned.height)))

    def fact(self, fact: Fact, room: int) -> None:
        """A heading and its sentence, left of them the picture; left out where there is no room."""
        tray = None if fact.jpeg is None else _picture(fact.jpeg)
        picture = 300 if tray else 0
        left = MARGIN + (picture + 26 if picture else 0)
        lines = _lines(fact.words, WIDTH - MARGIN - left, 40)
        high = max(54 + 46 * len(lines) + (DIE_PX + 20 if fact.dice else 0), picture * 9 // 16)
        if self.y + high > room:
            return
        if tray:
            from PIL import ImageOps  # noqa: PLC0415 - as above

            fitted = ImageOps.fit(tray, (FINE * picture, FINE * picture * 9 // 16))
            self.image.paste(fitted, (FINE * MARGIN, FINE * self.y))
        self._put((left, self.y), fact.title, 40, BRASS, "serif")
        for number, line in enumerate(lines):
            self._put((left, self.y + 50 + 46 * number), line, 40, PAPER)
        for number, face in enumerate(fact.dice):
            self._die((MARGIN + number * (DIE_PX + 16), self.y + 66 + 46 * len(lines)), face)
        self.y += high + 26

    def _die(self, at: tuple[int, int], face: int) -> None:
        """A die as drawn everywhere: pips in a grid of three."""
        x, y = at
        self._block((x, y, x + DIE_PX, y + DIE_PX), PAPER, DIE_PX // 5)
        for column, row in PIPS[face]:
            middle = [FINE * (place + DIE_PX * (2 + step) / 4) for place, step in ((x, column), (y, row))]
            self.brush.circle(middle, FINE * DIE_PX / 11, fill=DEEP)

    def curve(self, names: Sequence[str], curve: Sequence[Sequence[float]]) -> None:
        """Chances to win of the last game, turn by turn, the names beside their ends."""
        top, high = self.y + 60, 200
        left, right = MARGIN, WIDTH - MARGIN - 210
        self._put((MARGIN, self.y), t("html/game/curve"), 40, BRASS, "serif")
        for share in (0.0, 0.5, 1.0):
            y = top + high * (1 - share)
            self._line([(left, y), (right, y)], LINE, 2)
        ends = []
        for seat, name in enumerate(names):
            points = [
                (left + (right - left) * turn / max(len(curve) - 1, 1), top + high * (1 - chances[seat]))
                for turn, chances in enumerate(curve)
            ]
            self._line(points, SEATS[seat % len(SEATS)], 6)
            ends.append((curve[-1][seat], -seat, name))
        size = 32 if len(names) <= 6 else 18  # noqa: PLR2004 - lines that fit beside it
        for row, (_, seat, name) in enumerate(sorted(ends, reverse=True)):
            fits = _smaller(name, 190, size)
            at = right + 18, top - 4 + row * size * 1.1 + (size - fits) / 2
            self._put(at, _shortened(name, 190, fits), fits, SEATS[-seat % len(SEATS)])
        self.y = top + high + 26
