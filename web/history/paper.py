"""The score sheet on paper: a PDF of a finished game, or an empty one to write on.

A4, upright. A letter that `messages.paper` does not have (an emoji) is written as "?"; the print style of
the page prints any name.
"""

from collections.abc import Callable, Sequence

from fpdf.enums import XPos, YPos

from messages.paper import FONT, Paper
from station.rules import RuleSet
from station.store.archive import FinishedPlayer
from web.core.i18n import t, tell

MARGIN_MM = 15.0
ROW_MM = 9.0
"""Of a row, lower where a sheet with columns would not fit the page."""
FURTHER_ROWS = 6
"""Names, sums and bonuses beside the boxes, at most."""
BELOW_MM = 24.0
"""For what is told under the table."""
LABEL_MM = 52.0
COLUMN_MM = 32.0
EMPTY_COLUMNS = 6
SMALLEST_PT = 7.0
INK = (33, 48, 42)
FELT = (31, 92, 72)
LINE = (139, 132, 104)
WON = " \N{BLACK STAR}"


def score_sheet(
    rules: RuleSet,
    players: Sequence[FinishedPlayer] = (),
    subtitle: str = "",
    below: Sequence[str] = (),
) -> bytes:
    """The PDF, in the language of the screen that asks. Without players an empty sheet with six columns.

    below: lines under the table.
    """
    pdf = Paper(format="A4")
    pdf.set_margin(MARGIN_MM)
    pdf.set_auto_page_break(auto=False)
    title = tell(rules.title)
    pdf.set_title(f"{t('html/common/sheet')}: {title}")
    pdf.set_creator("Yacht Station")
    pdf.add_page()
    pdf.set_text_color(*FELT)
    pdf.set_font(FONT, "B", 20)
    pdf.cell(0, 10, pdf.known(t("html/common/sheet")), new_x=XPos.LMARGIN, new_y=YPos.NEXT)
    pdf.set_text_color(*INK)
    pdf.set_font(FONT, "", 10)
    pdf.multi_cell(0, 5, pdf.known(title + (f" · {subtitle}" if subtitle else "")))
    pdf.ln(4)
    _Grid(pdf, rules, players).draw()
    pdf.set_font(FONT, "", 10)
    pdf.ln(3)
    for line in below:
        pdf.cell(0, 6, pdf.known(line), new_x=XPos.LMARGIN, new_y=YPos.NEXT)
    return bytes(pdf.output())


class _Grid:
    """The table: captions at the left, a column for each player."""

    def __init__(self, pdf: Paper, rules: RuleSet, players: Sequence[FinishedPlayer]) -> None:
        self.pdf, self.rules = pdf, rules
        self.columns: Sequence[FinishedPlayer | None] = players or [None] * EMPTY_COLUMNS
        rows = len(rules.boxes) + FURTHER_ROWS
        self.high = min(ROW_MM, (pdf.h - pdf.get_y() - MARGIN_MM - BELOW_MM) / rows)
        self.wide = min((pdf.epw - LABEL_MM) / len(self.columns), COLUMN_MM)

    def draw(self) -> None:
        """All rows, in the order of the sheet."""
        self._row("", self._cells(lambda player: player.name), bold=True)
        self._boxes("upper")
        if self.rules.bonus is not None:
            bonus = f"{t('html/common/bonus')} ({self.rules.bonus.points} / {self.rules.bonus.threshold})"
            upper, earned = map(tell, self.rules.sums or (t("html/game/upper"), bonus))
            self._row(upper, self._cells(lambda player: player.upper), bold=True)
            self._row(earned, self._cells(lambda player: player.bonus))
        self._boxes("lower")
        if self.rules.bonuses and self.rules.bonus is None:
            self._row(t("html/common/bonus"), self._cells(lambda player: player.bonus))
        if self.rules.extra_yacht:
            self._row(t("page/common/extra"), self._cells(lambda player: player.extra))
        totals = self._cells(lambda player: f"{player.total}{WON if player.won else ''}")
        self._row(t("page/common/total"), totals, bold=True)

    def _boxes(self, section: str) -> None:
        for box in self.rules.boxes:
            if box.section == section:
                points = [player and player.boxes.get(box.category) for player in self.columns]
                self._row(tell(box.label), ["" if each is None else str(each) for each in points])

    def _cells(self, of: Callable[[FinishedPlayer], str | int]) -> list[str]:
        """What each column has; nothing where it is to be written by hand."""
        return ["" if player is None else str(of(player)) for player in self.columns]

    def _row(self, label: str, cells: Sequence[str], *, bold: bool = False) -> None:
        self.pdf.set_draw_color(*LINE)
        style = "B" if bold else ""
        self.pdf.set_font(FONT, style, 11)
        self.pdf.cell(LABEL_MM, self.high, self._fitted(label, LABEL_MM, 11), border=1)
        self.pdf.set_font_size(11)
        for text in cells:
            fitted = self._fitted(text, self.wide, 11)
            self.pdf.cell(self.wide, self.high, fitted, border=1, align="C")
            self.pdf.set_font_size(11)
        self.pdf.ln(self.high)

    def _fitted(self, text: str, wide: float, size: float) -> str:
        """The text in the largest letters that fit the column, and shortened where the smallest do not."""
        text = self.pdf.known(text)
        while self.pdf.get_string_width(text) > wide - 2 and size > SMALLEST_PT:
            size -= 0.5
            self.pdf.set_font_size(size)
        whole = text
        while text and self.pdf.get_string_width(text) > wide - 2:
            whole = whole[:-1]
            text = f"{whole}\N{HORIZONTAL ELLIPSIS}"
        return text
