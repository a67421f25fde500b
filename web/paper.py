"""The score sheet on paper: a PDF of a finished game, or an empty one to write on.

A4, upright; built-in fonts where the names allow it, so that the file is small and nothing has to be
installed. Helvetica knows Western European letters only; what it does not know is written as "?", and
the print style of the page (web/static/css/print.css) prints any name.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from fpdf import FPDF
from fpdf.enums import XPos, YPos

from station.rules import RuleSet

MARGIN_MM = 15.0
ROW_MM = 9.0
LABEL_MM = 52.0
EMPTY_COLUMNS = 6
INK = (33, 48, 42)
FELT = (31, 92, 72)
LINE = (139, 132, 104)


def _latin(text: str) -> str:
    """The text in the letters a built-in font has.

    >>> _latin("Zoë"), _latin("Łucja")
    ('Zoë', '?ucja')
    """
    return text.encode("latin-1", "replace").decode("latin-1")


def score_sheet(
    rules: RuleSet, words: Mapping[str, str], players: Sequence[Mapping[str, Any]] = (), subtitle: str = ""
) -> bytes:
    """The PDF.

    words: the captions "title", "upper", "bonus", "extra" and "total". players: as in the archive; none
    gives an empty sheet with six columns.
    """
    pdf = FPDF(format="A4")
    pdf.set_margin(MARGIN_MM)
    pdf.set_auto_page_break(auto=False)
    pdf.set_title(_latin(f"{words['title']}: {rules.title}"))
    pdf.set_creator("Yacht Station")
    pdf.add_page()
    pdf.set_text_color(*FELT)
    pdf.set_font("Times", "B", 22)
    pdf.cell(0, 10, _latin(words["title"]), new_x=XPos.LMARGIN, new_y=YPos.NEXT)
    pdf.set_text_color(*INK)
    pdf.set_font("Helvetica", "", 10)
    pdf.multi_cell(0, 5, _latin(rules.title + (f" · {subtitle}" if subtitle else "")))
    pdf.ln(4)
    _Grid(pdf, rules, words, players).draw()
    return bytes(pdf.output())


class _Grid:
    """The table: captions at the left, a column for each player."""

    def __init__(
        self, pdf: FPDF, rules: RuleSet, words: Mapping[str, str], players: Sequence[Mapping[str, Any]]
    ) -> None:
        self.pdf, self.rules, self.words, self.players = pdf, rules, words, players
        columns = len(players) or EMPTY_COLUMNS
        self.wide = (pdf.epw - LABEL_MM) / max(columns, EMPTY_COLUMNS)
        self.columns = columns

    def draw(self) -> None:
        """All rows, in the order of the sheet."""
        names = [str(player["name"]) for player in self.players] or [""] * self.columns
        self._row("", names, bold=True)
        for box in self.rules.boxes:
            if box.section == "upper":
                self._row(box.label, [self._points(player, box.category) for player in self._all()])
        if self.rules.bonus is not None:
            self._row(self.words["upper"], self._sums("upper"), bold=True)
            bonus = f"{self.words['bonus']} ({self.rules.bonus.points} / {self.rules.bonus.threshold})"
            self._row(bonus, self._sums("bonus"))
        for box in self.rules.boxes:
            if box.section == "lower":
                self._row(box.label, [self._points(player, box.category) for player in self._all()])
        if self.rules.extra_yacht:
            self._row(self.words["extra"], self._sums("extra"))
        self._row(self.words["total"], self._sums("total"), bold=True)

    def _all(self) -> Sequence[Mapping[str, Any]]:
        return self.players or [{}] * self.columns

    def _points(self, player: Mapping[str, Any], category: str) -> str:
        points = player.get("boxes", {}).get(category)
        return "" if points is None else str(points)

    def _sums(self, name: str) -> list[str]:
        return [str(player[name]) if name in player else "" for player in self._all()]

    def _row(self, label: str, cells: Sequence[str], *, bold: bool = False) -> None:
        self.pdf.set_draw_color(*LINE)
        self.pdf.set_font("Times", "B" if bold else "", 12)
        self.pdf.cell(LABEL_MM, ROW_MM, _latin(label), border=1)
        self.pdf.set_font("Helvetica", "B" if bold else "", 11)
        for text in cells:
            self.pdf.cell(self.wide, ROW_MM, self._fitted(_latin(text)), border=1, align="C")
        self.pdf.ln(ROW_MM)

    def _fitted(self, text: str) -> str:
        """The text, shortened until it fits its column."""
        while text and self.pdf.get_string_width(text) > self.wide - 2:
            text = text[:-1]
        return text
