"""The sheet: a shell in the reader's language and light, which the scripts fill from the live line."""

from flask import Blueprint, render_template, request

from station.contract.fields import NAME_MAX
from station.table.table import Table
from web.core import i18n
from web.core.config import WebConfig

THEMES = ("light", "dark")


def theme() -> str | None:
    """Light or dark where this screen chose one, else None: as the device has it."""
    chosen = request.cookies.get("theme")
    return chosen if chosen in THEMES else None


def create(table: Table, settings: WebConfig) -> Blueprint:
    """The blueprint."""
    long_press_ms = round(1000 * settings.long_press_s) if settings.buttons else None
    pages = Blueprint("pages", __name__)

    @pages.app_context_processor
    def look() -> dict[str, str | int | None]:
        return {
            "theme": theme(),
            "name_max": NAME_MAX,
        }

    @pages.get("/")
    def sheet() -> str:
        view = table.snapshot()
        return render_template(
            "table.html",
            waiting=i18n.sentence(view.waiting_for),
            begins="start_game" in view.commands,
            long_press_ms=long_press_ms,
        )

    return pages
