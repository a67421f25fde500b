"""The picture of the small display: the active player, the dice, and what the station waits for. Pure.

128 by 64 points that are on or off, read from across a table: one name, one row of dice, two lines.
"""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

from messages import FONTS
from messages.catalogue import text
from station.contract.view import DieView, TableView

SIZE = (128, 64)
NAME_PX, LINE_PX, FACE_PX = 14, 11, 10
DIE_TOP, DIE_MOST, GAP = 19, 18, 3
LINES_TOP, LINES = 39, 2
PIPS_FROM = 13
"""Dice of fewer points across have a numeral: pips would run together."""
PLACES = {1: (4,), 2: (0, 8), 3: (0, 4, 8), 4: (0, 2, 6, 8), 5: (0, 2, 4, 6, 8), 6: (0, 2, 3, 5, 6, 8)}
"""Face -> which of nine places have a pip, row by row."""


class Shown(NamedTuple):
    """A die on the display."""

    face: int
    held: bool


def picture(state: TableView, language: str) -> Image.Image:
    """The state as a picture of mode "1" and SIZE."""
    image = Image.new("1", SIZE, 0)
    pen = ImageDraw.Draw(image)
    pen.fontmode = "1"
    _head(pen, state, language)
    _dice(pen, _dice_at_hand(state))
    for number, line in enumerate(_wrapped(_bottom_line(state, language))):
        pen.text((0, LINES_TOP + number * (LINE_PX + 1)), line, fill=1, font=_font(LINE_PX))
    return image


@cache
def _font(size: int, *, bold: bool = False) -> ImageFont.FreeTypeFont:
    name = f"DejaVuSansCondensed{'-Bold' if bold else ''}.ttf"
    return ImageFont.truetype(str(FONTS / name), size, layout_engine=ImageFont.Layout.BASIC)


def _wide(words: str, font: ImageFont.FreeTypeFont) -> float:
    """Points that the words take; letters of whole points are wider than those of grey ones."""
    return max(font.getlength(words, mode="1"), font.getbbox(words, mode="1")[2])


def _head(pen: ImageDraw.ImageDraw, state: TableView, language: str) -> None:
    """The active player and the points; between games the name of the rules."""
    font, total = _font(NAME_PX, bold=True), ""
    if state.active_player is None or not state.players:
        words = text(state.rules_title or "Yacht Station", language)
    else:
        player = state.players[state.active_player]
        words, total = player.name, str(player.total)
    wide = _wide(total, font)
    pen.text((0, 0), _shortened(words, font, SIZE[0] - wide - 4), fill=1, font=font)
    pen.text((SIZE[0] - wide, 0), total, fill=1, font=font)


def _dice_at_hand(state: TableView) -> tuple[Shown, ...]:
    """The dice of the roll; before its confirmation, those that the camera reads."""
    dice: Sequence[DieView] = state.at_hand
    if not dice and state.reading.status == "ready" and state.reading.fresh:
        dice = state.reading.dice
    return tuple(Shown(die.face, die.held) for die in dice)


def _dice(pen: ImageDraw.ImageDraw, dice: Sequence[Shown]) -> None:
    """In one row; held ones are filled."""
    if not dice:
        return
    edge = min(DIE_MOST, (SIZE[0] + GAP) // len(dice) - GAP)
    for number, die in enumerate(dice):
        left = number * (edge + GAP)
        pen.rectangle((left, DIE_TOP, left + edge - 1, DIE_TOP + edge - 1), fill=int(die.held), outline=1)
        ink = int(not die.held)
        if edge < PIPS_FROM:
            numeral = str(die.face)
            inset = (edge - _wide(numeral, _font(FACE_PX))) / 2
            pen.text((left + inset, DIE_TOP + edge / 2), numeral, fill=ink, font=_font(FACE_PX), anchor="lm")
            continue
        step = (edge - 4) / 3
        for place in PLACES[die.face]:
            x, y = left + 2 + (place % 3 + 0.5) * step, DIE_TOP + 2 + (place // 3 + 0.5) * step
            pen.rectangle((round(x) - 1, round(y) - 1, round(x) + 1, round(y) + 1), fill=ink)


def _bottom_line(state: TableView, language: str) -> str:
    """The marked box with its points, or the problem, or what the table waits for."""
    if state.choice is not None and state.active_player is not None:
        label = next((row.label for row in state.categories if row.category == state.choice), state.choice)
        points = state.players[state.active_player].potentials.get(state.choice)
        return text(label, language) if points is None else f"{text(label, language)}: {points}"
    return text(state.problem or state.waiting_for, language)


def _shortened(words: str, font: ImageFont.FreeTypeFont, wide: float) -> str:
    """The words, shortened to fit."""
    if _wide(words, font) <= wide:
        return words
    while words and _wide(words + "…", font) > wide:
        words = words[:-1]
    return words.rstrip() + "…"


def _wrapped(words: str) -> tuple[str, ...]:
    """The words in at most LINES lines; what does not fit is cut with a sign for it."""
    font, lines = _font(LINE_PX), [""]
    for word in words.split():
        longer = f"{lines[-1]} {word}".strip()
        if _wide(longer, font) <= SIZE[0] or not lines[-1] or len(lines) == LINES:
            lines[-1] = longer
        else:
            lines.append(word)
    return tuple(_shortened(line, font, SIZE[0]) for line in lines)
