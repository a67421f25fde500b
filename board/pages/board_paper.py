"""The evening on paper: who meets whom at which table, to hang up, and the standings."""

from collections.abc import Sequence

from fpdf.enums import TableBordersLayout, TextEmphasis, XPos, YPos
from fpdf.fonts import FontFace

from board.pages.evening_view import EveningView, GameView, RoundView
from board.pages.figures import DASH, halves
from messages.paper import FONT, Paper
from web.core.i18n import t

MARGIN_MM = 15.0
TEXT_PT = 11.0
SMALLEST_PT = 6.0
PAD_MM = 4.0
INK = (33, 48, 42)
FELT = (31, 92, 72)
WON = " \N{BLACK STAR}"


def standings(evening: EveningView) -> bytes:
    """The standings as a PDF, A4, in the language of the screen."""
    pdf = _paper(evening.title, t("page/board/standings"))
    head = [
        t("html/board/place"), t("page/common/name"), t("html/board/played"), t("page/board/score"),
        *(t(f"html/board/break/{each}") for each in evening.breaks),
    ]  # fmt: skip
    rows = [
        [str(row.place), row.name, str(row.played), halves(row.score), *map(halves, row.breaks)]
        for row in evening.rows
    ]
    _table(pdf, head, rows, 1)
    return bytes(pdf.output())


def pairings(evening: EveningView, drawn: RoundView) -> bytes:
    """A round as a PDF: tables, players, and the points, or room to write them."""
    pdf = _paper(evening.title, t("html/board/round_title", number=drawn.number))
    head = [t("html/board/table"), t("page/common/name"), t("html/board/points")]
    rows = [_game(each) for each in drawn.games]
    _table(pdf, head, rows, 1)
    if drawn.resting:
        pdf.ln(4)
        pdf.multi_cell(0, 6, pdf.drawable(t("page/board/resting", names=drawn.resting)))
    return bytes(pdf.output())


def _game(game: GameView) -> list[str]:
    names = [name + (WON if i in game.won else "") for i, name in enumerate(game.players)]
    points = " : ".join(map(str, game.points)) if game.points else ""
    if not points and game.how is not None:
        points = t(f"page/board/how/{game.how}")
    match = f"{DASH.join(game.match)}\n" if game.match else ""
    return [game.table, match + DASH.join(names), points]


def _paper(title: str, what: str) -> Paper:
    pdf = Paper(format="A4")
    pdf.set_margin(MARGIN_MM)
    pdf.set_auto_page_break(auto=True, margin=MARGIN_MM)
    pdf.set_title(pdf.drawable(f"{title}: {what}"))
    pdf.set_creator("Yacht Station")
    pdf.add_page()
    pdf.set_text_color(*FELT)
    pdf.set_font(FONT, "B", 20)
    pdf.multi_cell(0, 9, pdf.drawable(title), new_x=XPos.LMARGIN, new_y=YPos.NEXT)
    pdf.set_text_color(*INK)
    pdf.set_font(FONT, "B", 13)
    pdf.cell(0, 8, pdf.drawable(what), new_x=XPos.LMARGIN, new_y=YPos.NEXT)
    pdf.set_font(FONT, "", TEXT_PT)
    pdf.ln(2)
    return pdf


def _table(pdf: Paper, head: Sequence[str], rows: Sequence[Sequence[str]], wide: int) -> None:
    """A table whose words stand whole, smaller where need be. wide: the column that takes the rest."""
    lines = [[pdf.drawable(cell) for cell in cells] for cells in (head, *rows)]
    size = TEXT_PT
    while sum(needed := _needed(pdf, lines, size)) > pdf.epw and size > SMALLEST_PT:
        size -= 0.5
    needed[wide] += max(pdf.epw - sum(needed), 0.0)
    pdf.set_font(FONT, "", size)
    heads = FontFace(emphasis=TextEmphasis.B)
    with pdf.table(
        col_widths=tuple(needed), headings_style=heads, borders_layout=TableBordersLayout.HORIZONTAL_LINES,
        line_height=7.0, text_align="LEFT",
    ) as table:  # fmt: skip
        for cells in lines:
            table.row(cells)
    pdf.set_font(FONT, "", TEXT_PT)


def _needed(pdf: Paper, lines: Sequence[Sequence[str]], size: float) -> list[float]:
    """The width of each column's longest word, mm."""
    pdf.set_font(FONT, "B", size)
    words = [[word for line in lines for word in line[column].split()] for column in range(len(lines[0]))]
    return [max(map(pdf.get_string_width, each), default=0.0) + PAD_MM for each in words]
