"""The pages: a shell in the reader's language and light, which the scripts fill from the live line."""

from flask import Blueprint, Response, jsonify, render_template, request

from station.table import Table
from web.core import i18n
from web.setup.setup_pages import House

THEMES = ("light", "dark")


def theme() -> str | None:
    """Light or dark where this screen chose one, else None: as the device has it."""
    chosen = request.cookies.get("theme")
    return chosen if chosen in THEMES else None


def create(table: Table, about: House) -> Blueprint:
    """The blueprint of the sheet and the big screen."""
    pages = Blueprint("pages", __name__)

    @pages.app_context_processor
    def look() -> dict[str, str | None]:
        return {"theme": theme(), "language": i18n.language()}

    @pages.get("/")
    def sheet() -> str:
        return render_template("sheet.html", waiting=i18n.tell(table.snapshot().waiting_for))

    @pages.get("/tv")
    def tv() -> str:
        return render_template(
            "tv.html", waiting=i18n.tell(table.snapshot().waiting_for), addresses=about.addresses()
        )

    @pages.get("/words/<language>.json")
    def catalogue(language: str) -> Response:
        return jsonify(i18n.catalogue(language))

    return pages
