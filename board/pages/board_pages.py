"""The board's public pages: the live page, the competitions, health, paper, and the same as JSON."""

from collections.abc import Callable
from dataclasses import dataclass

from flask import Blueprint, Response, abort, jsonify, render_template, request

from board.hall import BoardEvening, Hall
from board.pages.evening_view import EveningView, evening_view
from board.pages.live import LIVE, Lines
from board.table_messages import LiveTable
from station.contract.check import Check
from web.core import i18n
from web.core.application import named
from web.core.endpoints import answer

NOTHING = BoardEvening(None, {}, ())


@dataclass(frozen=True, slots=True)
class BoardState:
    """All of it, for programs."""

    tables: tuple[LiveTable, ...]
    evening: EveningView | None


def create(hall: Hall) -> Blueprint:
    """The pages that change nothing."""
    pages = Blueprint("board", __name__)

    def competition(number: int) -> EveningView:
        return evening_view(hall.past(number) or NOTHING) or abort(404)

    @pages.get("/")
    def board() -> str:
        return render_template("board.html")

    @pages.get("/evening")
    def latest() -> str:
        found = hall.evening
        return render_template("evening.html", evening=evening_view(found), past=found.past[::-1])

    @pages.get("/evening/<int(max=999999999):number>")
    def one(number: int) -> str:
        return render_template("evening.html", evening=competition(number), past=())

    @pages.get("/evening/<int(max=999999999):number>/standings.pdf")
    def standings(number: int) -> Response:
        from board.pages import board_paper  # noqa: PLC0415 - 20 MB only those who print should need

        return _pdf(board_paper.standings(competition(number)), "standings")

    @pages.get("/evening/<int(max=999999999):number>/round-<int(max=999999):which>.pdf")
    def pairings(number: int, which: int) -> Response:
        from board.pages import board_paper  # noqa: PLC0415 - as above

        found = competition(number)
        drawn = next((each for each in found.rounds if each.number == which), None) or abort(404)
        return _pdf(board_paper.pairings(found, drawn), f"round-{which}")

    return pages


def create_api(hall: Hall, lines: Lines, checks: Callable[[], tuple[Check, ...]]) -> Blueprint:
    """Health, and everything for programs."""
    pages = Blueprint("board_api", __name__)

    @pages.get("/health")
    def health() -> str:
        found = [each.to_json(i18n.language()) for each in checks()]
        return render_template("board_health.html", checks=found)

    @pages.get("/api/v1/health")
    def health_json() -> Response:
        return jsonify({"checks": [each.to_json(i18n.language()) for each in checks()]})

    @pages.get("/api/v1/board")
    def everything() -> Response:
        return answer(BoardState(hall.tables(), evening_view(hall.evening)))

    @pages.get(LIVE)
    def live() -> Response:
        gone = request.environ.get("waitress.client_disconnected", bool)
        response = Response(lines.listen(gone), mimetype="text/event-stream")
        response.headers["Cache-Control"] = "no-store"
        response.headers["X-Accel-Buffering"] = "no"
        return response

    return pages


def _pdf(content: bytes, name: str) -> Response:
    return named(Response(content, mimetype="application/pdf"), f"{name}.pdf")
