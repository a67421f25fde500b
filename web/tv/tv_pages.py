"""The big screen: read-only, for the sofa.

`/tv?plain` is for browsers that are too old for it: no script, CSS of 2013, and it reloads itself.
"""

import re

from flask import Blueprint, render_template, request

from station.contract.view import RowView, TableView
from station.table.table import Table
from web.core import i18n
from web.setup.setup_pages import House

LOOKS = frozenset({"bar", "paper"})
"""A line over a stream; black on white for e-ink."""
HOURS = re.compile(r"([01]?\d|2[0-3])-([01]?\d|2[0-3])")
"""From hour to hour, as in 22-7."""
AGAIN_S = 4
"""After this the plain page reloads itself."""
UPRIGHT = 6
"""With more columns in half a sheet the names stand upright."""
ROW_COUNTS = (9, 13, 18, 30)
"""Of half a sheet, with heads and sums: for each plain.css has letters."""


def rows(view: TableView, section: str) -> list[tuple[RowView, ...]]:
    """The rows of half a sheet, each with its boxes: one for each column of a player."""
    boxes = [row for row in view.categories if row.section == section]
    high = len(boxes) // (len(view.columns) or 1)
    return [tuple(boxes[number::high]) for number in range(high)]


def plain(view: TableView, addresses: tuple[str, ...]) -> str:
    """The whole page as it is now."""
    halves = [(section, rows(view, section)) for section in ("upper", "lower")]
    high = max(len(each) for _, each in halves) + (3 if view.columns else 2)
    sized = next((count for count in ROW_COUNTS if high <= count), ROW_COUNTS[-1])
    across = len(view.players) * (len(view.columns) or 1)
    return render_template(
        "plain.html",
        view=view,
        halves=halves,
        addresses=addresses,
        active=None if view.finished else view.active_player,
        bonus=any(
            player.bonus or player.missing_for_bonus or player.bonus_to_come for player in view.players
        ),
        looks=f"rows-{sized}{' upright' if across > UPRIGHT else ''}",
        again_s=AGAIN_S,
        sentence=i18n.sentence,
    )


def create(table: Table, about: House) -> Blueprint:
    """The blueprint."""
    pages = Blueprint("tv", __name__)

    @pages.get("/tv")
    def tv() -> str:
        view = table.snapshot()
        if "plain" in request.args:
            return plain(view, tuple(about.addresses()))
        waiting = i18n.sentence(view.waiting_for)
        look, night = request.args.get("look", ""), request.args.get("night", "")
        return render_template(
            "tv.html",
            waiting=waiting,
            addresses=about.addresses(),
            look=look if look in LOOKS else "",
            night=night if HOURS.fullmatch(night) else "",
        )

    return pages
