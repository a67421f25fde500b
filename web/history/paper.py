"""The score sheet on paper: a PDF of a finished game, or an empty one to write on, in four layouts. A4."""

from collections.abc import Callable, Sequence
from math import ceil
from typing import NamedTuple

from fpdf.enums import XPos, YPos

from messages.paper import FONT, MISSING, Paper
from station.contract.paper import Layout
from station.game.feature import ahead
from station.rules import RuleSet
from station.store.archive import FinishedPlayer
from web.core.i18n import sentence, t
from web.history.layouts import LAYOUTS

MARGIN_MM = 15.0
BELOW_MM = 24.0
"""For the notes under the table."""
SMALLEST_PT = 7.0
MM_OF_PT = 25.4 / 72
INK = (33, 48, 42)
FELT = (31, 92, 72)
LINE = (139, 132, 104)
WON = " \N{BLACK STAR}"


UPRIGHT_MAX = 7
"""Players whose columns fit a page in portrait."""


class SheetRow(NamedTuple):
    """One row of the table: its caption, a text for each column."""

    label: str
    cells: Sequence[str]
    bold: bool = False


def score_sheet(
    rules: RuleSet,
    players: Sequence[FinishedPlayer] = (),
    subtitle: str = "",
    below: Sequence[str] = (),
    layout: str = "",
) -> bytes:
    """The PDF, in the language of the screen. Without players an empty sheet.

    below: lines under the table. layout: one of LAYOUTS; "" for the one that fits the players.
    """
    chosen = LAYOUTS[layout or ("many" if len(players) > UPRIGHT_MAX else "normal")]
    pdf = Paper(format="A4", orientation="landscape" if chosen.landscape else "portrait")
    pdf.set_margin(MARGIN_MM)
    pdf.set_auto_page_break(auto=False)
    title = sentence(rules.title)
    pdf.set_title(f"{t('html/common/sheet')}: {title}")
    pdf.set_creator("Yacht Station")
    pdf.add_page()
    pdf.set_text_color(*FELT)
    pdf.set_font(FONT, "B", 20)
    pdf.cell(0, 10, pdf.drawable(t("html/common/sheet")), new_x=XPos.LMARGIN, new_y=YPos.NEXT)
    pdf.set_text_color(*INK)
    pdf.set_font(FONT, "", max(10, chosen.size_pt - 4))
    heading = title + (f" · {subtitle}" if subtitle else "")
    high, heading = pdf.font_size * 1.4, pdf.drawable(heading, sentence=True)
    pdf.multi_cell(0, high, heading, align="L", new_x=XPos.LMARGIN, new_y=YPos.NEXT)
    pdf.ln(4)
    split = len(rules.columns) or 1
    columns: Sequence[FinishedPlayer | None] = players or [None] * max(chosen.columns // split, 1)
    names = (*_names(chosen, players, len(columns)), *_split(rules, len(columns)))
    _Grid(pdf, chosen, len(columns), split).draw(names, _rows(rules, columns))
    pdf.set_font(FONT, "", 10)
    pdf.ln(3)
    notes = [t("html/paper/missing", sign=MISSING)] if pdf.missing else []
    for line in (*below, *notes):
        pdf.cell(0, 6, pdf.drawable(line, sentence=True), new_x=XPos.LMARGIN, new_y=YPos.NEXT)
    return bytes(pdf.output())


def _split(rules: RuleSet, players: int) -> tuple[SheetRow, ...]:
    """The titles of the columns of each player, where there are several."""
    return (
        (SheetRow("", [sentence(each.label) for each in rules.columns] * players),) if rules.columns else ()
    )


def _names(layout: Layout, players: Sequence[FinishedPlayer], columns: int) -> tuple[SheetRow, ...]:
    """The head above the boxes on every page."""
    if players:
        return (SheetRow("", [player.name for player in players], bold=True),)
    heads = [sentence(each) for each in layout.heads] or [""]
    return tuple(SheetRow(head, [""] * columns, bold=head == heads[0]) for head in heads)


def _rows(rules: RuleSet, players: Sequence[FinishedPlayer | None]) -> list[SheetRow]:
    """All rows below the names, in the order of the sheet."""

    def row(label: str, of: Callable[[FinishedPlayer], str | int], *, bold: bool = False) -> SheetRow:
        return SheetRow(label, ["" if player is None else str(of(player)) for player in players], bold)

    def boxes(section: str) -> list[SheetRow]:
        found, mine = [], [box for box in rules.boxes if box.section == section]
        high = len(mine) // (len(rules.columns) or 1)
        for number, box in enumerate(mine[:high]):
            points = [
                player and player.boxes.get(each.category)
                for player in players
                for each in mine[number::high]
            ]
            found.append(SheetRow(sentence(box.row), ["" if each is None else str(each) for each in points]))
        return found

    rows = boxes("upper")
    if rules.bonus is not None:
        bonus = f"{t('html/common/bonus')} ({rules.bonus.points} / {rules.bonus.threshold})"
        upper, earned = map(sentence, rules.sums or (t("html/game/upper"), bonus))
        rows.append(row(upper, lambda player: player.upper, bold=True))
        rows.append(row(earned, lambda player: player.bonus))
    rows += boxes("lower")
    if rules.bonuses and rules.bonus is None:
        rows.append(row(t("html/common/bonus"), lambda player: player.bonus))
    if rules.extra_yacht:
        rows.append(row(t("page/common/extra"), lambda player: player.extra))
    if any(player is not None and player.ahead for player in players):
        rows += [row(sentence(label), lambda player: player.ahead) for label in ahead()]
    total = t("page/common/total")
    rows.append(row(total, lambda player: f"{player.total}{WON if player.won else ''}", bold=True))
    return rows


class _Grid:
    """The table: captions at the left, a column for each player."""

    def __init__(self, pdf: Paper, layout: Layout, columns: int, split: int) -> None:
        """columns: players; split: into how many columns each is."""
        self.pdf, self.layout = pdf, layout
        self.wide = columns * min((pdf.epw - layout.label_mm) / columns, layout.column_mm * split)
        self.high = layout.row_mm

    def draw(self, names: Sequence[SheetRow], rows: Sequence[SheetRow]) -> None:
        """All rows, under the names on each page, on as few pages as they fit."""
        room = self.pdf.h - self.pdf.get_y() - MARGIN_MM - BELOW_MM
        most = int(room // self.layout.least_mm) - len(names) if self.layout.least_mm else len(rows)
        pages = ceil(len(rows) / most)
        each = ceil(len(rows) / pages)
        self.high = min(self.layout.row_mm, room / (each + len(names)))
        for page in range(pages):
            if page:
                self.pdf.add_page()
            for row in names:
                self._row(row, alike=True)
            for row in rows[page * each : (page + 1) * each]:
                self._row(row)

    def _row(self, row: SheetRow, *, alike: bool = False) -> None:
        """alike: heads in letters of one size, that of the longest."""
        self.pdf.set_draw_color(*LINE)
        size = max(min(self.layout.size_pt, 0.9 * self.high / MM_OF_PT), SMALLEST_PT)
        style = "B" if row.bold else ""
        if alike:
            self.pdf.set_font(FONT, style, size)
            for each in row.cells:
                self._fitted(each, self.wide / len(row.cells), size)
                size = min(size, self.pdf.font_size_pt)
        for wide, text, align in (
            (self.layout.label_mm, row.label, "L"),
            *((self.wide / len(row.cells), each, "C") for each in row.cells),
        ):
            self.pdf.set_font(FONT, style, size)
            self.pdf.cell(wide, self.high, self._fitted(text, wide, size), border=1, align=align)
        self.pdf.ln(self.high)

    def _fitted(self, text: str, wide: float, size: float) -> str:
        """The text in the largest letters that fit the column, and shortened where the smallest do not."""
        drawn = self.pdf.drawable(text)
        while self.pdf.get_string_width(drawn) > wide - 2 and size > SMALLEST_PT:
            size -= 0.5
            self.pdf.set_font_size(size)
        while text and self.pdf.get_string_width(drawn) > wide - 2:
            text = text[:-1]
            drawn = self.pdf.drawable(f"{text}\N{HORIZONTAL ELLIPSIS}")
        return drawn
