"""Words on paper: a PDF whose typefaces come along, for any script a name may be written in.

Latin, Greek, Cyrillic, Hebrew, Arabic, Armenian and Georgian letters and emojis are there; for others a
typeface of this machine is looked up (fontconfig). What nobody has is drawn as an empty box, and
`Paper.missing` tells it.
"""

import copy
import shutil
import subprocess
import unicodedata
from functools import cache
from pathlib import Path
from typing import Any

from fontTools.ttLib import TTFont, TTLibError
from fpdf import FPDF
from fpdf.fonts import SubsetMap, TTFFont

from messages import FONTS
from messages.visual_order import in_visual_order

FONT = "dejavu"
EMOJI = "emoji"
MISSING = "\N{WHITE SQUARE}"
LOOKUP_S = 5.0
SKIN_TONES = range(0x1F3FB, 0x1F400)
"""They colour the sign before them; on paper of one colour they mean nothing."""


class Paper(FPDF):
    """A document with those typefaces; only the letters that are used go into the file.

    missing: letters of texts so far that no typeface has.
    """

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        for style in ("", "B"):
            self._take(FONT, style, FONTS / f"DejaVuSansCondensed{'-Bold' if style else ''}.ttf", 0)
        self.missing: set[str] = set()

    def drawable(self, text: str, *, sentence: bool = False) -> str:
        """The text as it can be drawn: in visual order, in letters that are there.

        sentence: of a language that is written from left to right, with names in it that may not be.
        """
        return "".join(map(self._drawable_letter, in_visual_order(text, sentence=sentence)))

    def _drawable_letter(self, letter: str) -> str:
        kind = unicodedata.category(letter)
        if kind == "Cf" or ord(letter) in SKIN_TONES:
            return ""  # joiners and tones, which say only how the signs beside them look
        if self._has(letter) or kind == "Mn":
            return letter if self._has(letter) else ""
        plain = unicodedata.normalize("NFKC", letter)
        if plain != letter and all(map(self._has, plain)):
            return plain
        if self._emoji_has(letter) or self._system_has(letter):
            return letter
        self.missing.add(letter)
        return MISSING

    def _has(self, letter: str) -> bool:
        return any(ord(letter) in font.cmap for font in self._ours())

    def _ours(self) -> list[TTFFont]:
        return [font for font in self.fonts.values() if isinstance(font, TTFFont)]

    def _emoji_has(self, letter: str) -> bool:
        if EMOJI in self.fonts:
            return False
        path = FONTS / "NotoEmoji.ttf"
        if ord(letter) not in _parsed(path, 0).cmap:
            return False
        self._fall_back_to(EMOJI, path, 0)
        return True

    def _system_has(self, letter: str) -> bool:
        found = _of_machine(ord(letter))
        if found is None:
            return False
        self._fall_back_to(f"system-{len(self.fonts)}", *found)
        return True

    def _fall_back_to(self, family: str, path: Path, face: int) -> None:
        self._take(family, "", path, face)
        others = [font.fontkey for font in self._ours() if not font.fontkey.startswith(FONT)]
        self.set_fallback_fonts(others, exact_match=False)

    def _take(self, family: str, style: str, path: Path, face: int) -> None:
        """Use a typeface. As `add_font`, but it is read once a process, not once a document."""
        font = copy.copy(_parsed(path, face))
        font.i, font.fontkey = len(self.fonts) + 1, family + style
        font.emphasis = type(font.emphasis).coerce(style)
        font.ttfont = TTFont(path, recalcTimestamp=False, fontNumber=face, lazy=True)
        font.missing_glyphs, font.subset = [], SubsetMap(font)
        self.fonts[font.fontkey] = font


@cache
def _parsed(path: Path, face: int) -> TTFFont:
    """What is known of a typeface: letters, widths, heights."""
    return TTFFont(FPDF(), path, path.stem, "", collection_font_number=face)


@cache
def _of_machine(letter: int) -> tuple[Path, int] | None:
    """A typeface of this machine that has the letter: its file and number in there; None without one."""
    program = shutil.which("fc-list")
    if program is None:
        return None
    query = [program, "--format=%{file}\t%{index}\n", f":charset={letter:x}:outline=true:variable=false"]
    try:
        found = subprocess.run(query, capture_output=True, text=True, check=True, timeout=LOOKUP_S)  # noqa: S603
    except (OSError, subprocess.SubprocessError):
        return None
    for line in sorted(found.stdout.splitlines()):
        name, _, index = line.partition("\t")
        face = int(index) & 0xFFFF
        if Path(name).suffix.lower() in (".ttf", ".otf", ".ttc") and _can_be_read(Path(name), face, letter):
            return Path(name), face
    return None


def _can_be_read(path: Path, face: int, letter: int) -> bool:
    try:
        return letter in _parsed(path, face).cmap
    except (TTLibError, NotImplementedError, TypeError, OSError):  # TypeError: one without a name
        return False
