"""The big screen: read-only, for the sofa."""

from flask import Blueprint, render_template

from web.core import i18n
from web.core.collaborators import Table
from web.setup.setup_pages import House


def create(table: Table, about: House) -> Blueprint:
    """The blueprint."""
    pages = Blueprint("tv", __name__)

    @pages.get("/tv")
    def tv() -> str:
        waiting = i18n.tell(table.snapshot()["waiting_for"])
        return render_template("tv.html", waiting=waiting, addresses=about.addresses())

    return pages
