"""Words on paper: a PDF in a font that comes along and has the letters of Latin, Greek and Cyrillic."""

import unicodedata
from pathlib import Path
from typing import Any

from fpdf import FPDF
from fpdf.fonts import TTFFont

FONT = "dejavu"
FONTS = Path(__file__).parent / "fonts"


class Paper(FPDF):
    """A document that has that font, regular and bold; only the letters that are used go into the file."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        for style in ("", "B"):
            self.add_font(FONT, style, FONTS / f"DejaVuSansCondensed{'-Bold' if style else ''}.ttf")
        font = self.fonts[FONT]
        self._letters = frozenset(font.cmap if isinstance(font, TTFFont) else ())

    def known(self, text: str) -> str:
        """The text in the letters the font has: a narrow space becomes a space, an emoji "?"."""
        return "".join(self._known(letter) for letter in text)

    def _known(self, letter: str) -> str:
        if ord(letter) in self._letters:
            return letter
        plain = unicodedata.normalize("NFKC", letter)
        return plain if all(ord(each) in self._letters for each in plain) else "?"
