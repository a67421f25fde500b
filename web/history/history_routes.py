"""Past games: pages with statistics and charts, export, deletion, and paper."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from flask import Blueprint, Response, abort, jsonify, redirect, render_template, request
from flask_babel import format_date, gettext
from werkzeug.routing import IntegerConverter
from werkzeug.wrappers import Response as Answer

from messages.errors import BadInputError
from station.game.events import GameStarted
from station.game.state import rule_set
from station.rules import RuleSet, built_in, built_in_ids
from station.screens.room import Room
from station.store.archive import PastGame, PastPlayer
from station.store.export import csv_text
from web.advice.answers import Advice, PreparingError
from web.core import i18n
from web.core.collaborators import Archive
from web.core.timestamps import moment
from web.history import charts, paper, statistics
from web.join.seats import token

if TYPE_CHECKING:
    from station.strategy.review import Review


def labels(rules: RuleSet | None) -> dict[str, str]:
    """Box -> label in the reader's language."""
    return {} if rules is None else {box.category: i18n.tell(box.label) for box in rules.boxes}


def pdf_answer(rules: RuleSet, players: Sequence[PastPlayer], subtitle: str, name: str) -> Response:
    """A score sheet as a file to open."""
    captions = {
        "title": gettext("Score sheet"),
        "upper": gettext("Upper total"),
        "bonus": gettext("Bonus"),
        "extra": gettext("Extra"),
        "total": gettext("Total"),
    }
    pdf = paper.score_sheet(rules, captions, players, subtitle, i18n.tell)
    response = Response(pdf, mimetype="application/pdf")
    response.headers["Content-Disposition"] = f'inline; filename="{name}.pdf"'
    return response


class GameNumber(IntegerConverter):
    """The number of a game in an address; one that SQLite could not hold (2**63 and more) is no address."""

    regex = r"\d{1,18}"


class Games:
    """The archive, as pages and API ask it."""

    def __init__(self, archive: Archive, room: Room, advice: Advice) -> None:
        self.archive, self.room, self.advice = archive, room, advice

    def rules(self, game: PastGame) -> RuleSet | None:
        """The rules a game was played by, house rules included; None when nobody knows them any more."""
        house = next(
            (
                event.house
                for event in self.archive.transcript(game["game"])
                if isinstance(event, GameStarted)
            ),
            "",
        )
        try:
            return rule_set(game["rules"], house)
        except BadInputError:
            return None

    def reviews(self, number: int, rules: RuleSet | None) -> "tuple[Review | None, ...]":
        """Luck and skill of every seat; empty while they cannot be told."""
        from web.history.reviews import reviews  # noqa: PLC0415 - only this page needs the strategy's numpy

        if rules is None:
            return ()
        try:
            return reviews(self.advice.solution(rules), self.archive.transcript(number))
        except PreparingError:
            return ()

    def find(self, number: int) -> PastGame:
        """One finished game; aborts with 404 when there is none."""
        game = next((game for game in self.archive.games() if game["game"] == number), None)
        if game is None:
            abort(404)
        return game

    def delete(self, number: int) -> None:
        """Forget a game, as far as this screen may."""
        self.room.check_host(token())
        if not self.archive.delete_game(number):
            abort(404)

    def overview(self, wanted: str | None) -> dict[str, Any]:
        """What the page of all games shows, for one rule set."""
        games = self.archive.games()
        played = statistics.rule_sets(games)
        chosen = wanted or (played[0] if played else "")
        records = statistics.records(games, chosen)
        latest = next((game for game in games if game["rules"] == chosen), None)
        rules = self.rules(latest) if latest else None
        names = labels(rules)
        titles = {each: self._title(each, games) for each in played}
        boxes = []
        for record in records:
            averages = {names.get(box, box): record.boxes[box] for box in names if box in record.boxes}
            caption = gettext("Average points per box: %(name)s", name=record.name)
            boxes.append((record, charts.bars(caption, averages)))
        trend = {record.name: record.totals for record in records}
        return {
            "games": [
                game | {"title": titles[game["rules"]], "when": moment(game["finished_at"])} for game in games
            ],
            "played": list(titles.items()),
            "chosen": chosen,
            "title": titles.get(chosen, ""),
            "records": records,
            "trend": charts.lines(gettext("Final scores, game by game"), trend),
            "boxes": boxes,
        }

    def _title(self, rules_id: str, games: Sequence[PastGame]) -> str:
        rules = self.rules(next(game for game in games if game["rules"] == rules_id))
        return rules_id if rules is None else i18n.tell(rules.title)


def create(games: Games) -> Blueprint:
    """The pages."""
    history = Blueprint("history", __name__)

    @history.get("/history")
    def overview() -> str:
        return render_template("history.html", **games.overview(request.args.get("rules")))

    @history.get("/history/<game:number>")
    def one(number: int) -> str:
        game = games.find(number)
        rules = games.rules(game)
        names = labels(rules)
        return render_template(
            "game.html",
            game=game,
            title=game["rules"] if rules is None else i18n.tell(rules.title),
            names=names,
            categories=list(names) or list(game["players"][0]["boxes"]),
            reviews=games.reviews(number, rules),
            when=moment(game["finished_at"]),
        )

    @history.post("/history/<game:number>/delete")
    def delete(number: int) -> Answer:
        games.delete(number)
        return redirect("/history", code=303)

    @history.get("/history/<game:number>/sheet.pdf")
    def filled(number: int) -> Response:
        game = games.find(number)
        when = format_date(moment(game["finished_at"]), "long")
        return pdf_answer(games.rules(game) or abort(404), game["players"], when, f"yacht-{number}")

    @history.get("/sheet.pdf")
    def empty() -> Response:
        rules = built_in(request.args.get("rules", built_in_ids()[0]))
        return pdf_answer(rules, [], "", f"yacht-{rules.id}")

    return history


def create_api(games: Games) -> Blueprint:
    """The archive's part of the API."""
    api = Blueprint("history_api", __name__, url_prefix="/api/v1")

    @api.get("/history")
    def all_games() -> Response:
        return jsonify({"games": games.archive.games()})

    @api.get("/history/<game:number>")
    def one(number: int) -> Response:
        events = [event.to_json() for event in games.archive.transcript(number)]
        return jsonify(games.find(number) | {"events": events})

    @api.delete("/history/<game:number>")
    def delete(number: int) -> Response:
        games.delete(number)
        return jsonify({"deleted": number})

    @api.get("/export.csv")
    def export_csv() -> Response:
        return _attached(Response(csv_text(games.archive.games()), mimetype="text/csv"), "yacht-games.csv")

    @api.get("/export.json")
    def export_json() -> Response:
        return _attached(jsonify({"games": games.archive.games()}), "yacht-games.json")

    return api


def _attached(response: Response, name: str) -> Response:
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
