"""Dice that people own, by name, and sets of them."""

from functools import partial

from simulator.scene import DieStyle
from vision.reading import Colour

_PALE, _DARK = (244, 244, 238), (24, 24, 26)
_clear = partial(DieStyle, pips=_PALE, clearness=0.8, rounding=0.05, pip_depth=0.1, gloss=0.9)

STYLES: dict[str, DieStyle] = {
    "white": DieStyle(),
    "white round": DieStyle(body=(232, 232, 228), ball=1.42, rounding=0.24, pip_radius=0.18),
    "white red one": DieStyle(
        ball=1.44, one_pip=(204, 24, 30), four_pip=(204, 24, 30), big_one=1.75, pip_offset=0.5
    ),
    "white blue pips": DieStyle(pips=(28, 52, 160), pip_radius=0.17),
    "ivory": DieStyle(body=(232, 214, 172), pips=(46, 32, 24), colour=Colour.IVORY, ball=1.46, gloss=0.35),
    "black": DieStyle(body=(26, 26, 29), pips=_PALE, colour=Colour.BLACK, pip_depth=0.3),
    "black gold": DieStyle(
        body=(22, 22, 24), pips=(214, 172, 82), colour=Colour.BLACK, ball=1.45, marbled=0.3
    ),
    "grey": DieStyle(body=(128, 130, 134), pips=(20, 20, 22), colour=Colour.GREY, pip_radius=0.18),
    "red": DieStyle(body=(186, 26, 30), pips=_PALE, colour=Colour.RED, rounding=0.14),
    "red clear": _clear(body=(206, 18, 34), colour=Colour.RED),
    "orange": DieStyle(body=(236, 118, 26), pips=_PALE, colour=Colour.ORANGE, ball=1.46),
    "orange dark pips": DieStyle(body=(240, 128, 36), pips=_DARK, colour=Colour.ORANGE),
    "yellow": DieStyle(body=(244, 206, 40), pips=_DARK, colour=Colour.YELLOW, ball=1.45),
    "green": DieStyle(body=(28, 122, 60), pips=_PALE, colour=Colour.GREEN),
    "green clear": _clear(body=(36, 160, 78), colour=Colour.GREEN),
    "blue": DieStyle(body=(26, 66, 168), pips=_PALE, colour=Colour.BLUE, ball=1.47),
    "blue pearl": DieStyle(
        body=(58, 108, 196), pips=_PALE, colour=Colour.BLUE, marbled=0.7, ball=1.45, gloss=0.7
    ),
    "blue and green": DieStyle(
        body=(24, 74, 170), second=(28, 132, 96), pips=_PALE, colour=Colour.BLUE, ball=1.45, gloss=0.7
    ),
    "red and black": DieStyle(
        body=(176, 24, 30), second=(70, 12, 18), pips=_PALE, colour=Colour.RED, ball=1.45
    ),
    "purple": DieStyle(body=(96, 40, 142), pips=_PALE, colour=Colour.PURPLE),
    "pink": DieStyle(body=(238, 128, 172), pips=_DARK, colour=Colour.PINK, ball=1.45),
    "pink pale pips": DieStyle(body=(226, 92, 148), pips=_PALE, colour=Colour.PINK),
    "brown": DieStyle(body=(104, 66, 40), pips=_PALE, colour=Colour.BROWN, marbled=0.4, gloss=0.2),
    "wooden": DieStyle(
        body=(166, 118, 72), pips=(38, 24, 16), colour=Colour.BROWN, marbled=0.45, gloss=0.1, pip_depth=0.6
    ),
    "clear": DieStyle(
        body=(226, 232, 236),
        pips=_DARK,
        colour=Colour.CLEAR,
        clearness=0.75,
        rounding=0.06,
        pip_depth=0.1,
        gloss=1.0,
    ),
}
