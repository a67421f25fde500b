"""Text in the order in which a pen that goes from left to right draws it, for typefaces without ligatures.

Hebrew and Arabic run from right to left (Unicode's bidirectional algorithm, UAX #9), Arabic letters take the
form of their place in the word (Unicode's presentation forms). Vowel points of both, which names do without,
are left out.
"""

import unicodedata
from functools import cache

from fpdf.bidi import BidiParagraph
from fpdf.enums import TextDirection

POINTS = frozenset(map(chr, (*range(0x591, 0x5C8), *range(0x64B, 0x660), 0x670)))
PRESENTATION_FORMS = range(0xFB50, 0xFEFD)
MIRRORED = str.maketrans("()[]{}<>«»", ")(][}{><»«")


def in_visual_order(text: str, *, sentence: bool = False) -> str:
    """The text from left to right. sentence: of a language that runs so, with names in it that may not.

    >>> in_visual_order("דנה (2)"), in_visual_order("דנה owes Ben 5", sentence=True), in_visual_order("Ana")
    ('(2) הנד', 'הנד owes Ben 5', 'Ana')
    """
    if not any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in text):
        return text
    plain = "".join(letter for letter in text if letter not in POINTS)
    paragraph = BidiParagraph(_joined(plain), TextDirection.LTR if sentence else None)
    return "".join(
        each.character.translate(MIRRORED) if each.embedding_level % 2 else each.character
        for each in paragraph.get_reordered_characters()
    )


@cache
def _forms() -> dict[tuple[str, str], str]:
    """(letters, form) -> the one sign for them: forms are isolated, initial, medial and final."""
    found = {}
    for sign in map(chr, PRESENTATION_FORMS):
        form, *letters = unicodedata.decomposition(sign).split() or ("",)
        if form.startswith("<") and len(letters) in (1, 2):
            found["".join(chr(int(letter, 16)) for letter in letters), form.strip("<>")] = sign
    return found


def _joined(text: str) -> str:
    """Arabic letters in the form that joins them to their neighbours; lam and alef as one sign."""
    forms = _forms()
    parts: list[str] = []
    for letter in text:
        pair = parts[-1] + letter if parts else ""
        if pair.startswith("\N{ARABIC LETTER LAM}") and (pair, "isolated") in forms and pair[1] in "اأإآ":
            parts[-1] = pair
        else:
            parts.append(letter)
    joined = ""
    for before, part, after in zip(["", *parts], parts, [*parts[1:], ""], strict=False):
        joins_before = (before, "initial") in forms and (part, "final") in forms
        joins_after = (part, "initial") in forms and (after, "final") in forms
        form = ("isolated", "initial", "final", "medial")[joins_after + 2 * joins_before]
        joined += forms.get((part, form), part)
    return joined
