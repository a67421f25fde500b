"""The big screen: read-only, for the sofa."""

import re

from flask import Blueprint, render_template, request

from station.table import Table
from web.core import i18n
from web.setup.setup_pages import House

LOOKS = frozenset({"bar", "paper"})
"""A line over a stream; black on white for e-ink."""
HOURS = re.compile(r"([01]?\d|2[0-3])-([01]?\d|2[0-3])")
"""From hour to hour, as in 22-7."""


def create(table: Table, about: House) -> Blueprint:
    """The blueprint."""
    pages = Blueprint("tv", __name__)

    @pages.get("/tv")
    def tv() -> str:
        waiting = i18n.tell(table.snapshot().waiting_for)
        look, night = request.args.get("look", ""), request.args.get("night", "")
        return render_template(
            "tv.html",
            waiting=waiting,
            addresses=about.addresses(),
            look=look if look in LOOKS else "",
            night=night if HOURS.fullmatch(night) else "",
        )

    return pages
