"""Past games: pages with statistics and charts, export, deletion, and paper."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any, ClassVar

from flask import Blueprint, Response, abort, jsonify, redirect, render_template, request
from werkzeug.routing import IntegerConverter
from werkzeug.wrappers import Response as Answer

from messages.errors import RefusalError
from station.camera.throw_pictures import ThrowPictures
from station.contract.reviewed import GameReview
from station.contract.view import Parts, TableView, WithParts, as_json
from station.features.listed import FEATURES
from station.game.evolve import replay
from station.game.feature import ahead
from station.game.log.state import State
from station.game.past import PastTable
from station.rules import RuleSet
from station.screens.room import Room
from station.store.archive import FinishedGame, end_of, rules_of
from station.store.bg_stats import play_text
from station.store.export import csv_text, page_text
from web.advice.answers import Advice, PreparingError
from web.core import i18n
from web.core.application import named
from web.core.collaborators import GameArchive
from web.core.endpoints import Deleted, answer, endpoint
from web.core.i18n import t
from web.history import charts, score_files, statistics
from web.history.evening import Evening, duration, evening
from web.history.paper_routes import pdf_answer
from web.join.seats import token

BYTE_ORDER_MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"

REVIEWS_KEPT = 200
"""Games whose review is kept, more than an evening has: to work one out takes up to two seconds on a Pi."""


def labels(rules: RuleSet | None) -> dict[str, str]:
    """Box -> label in the reader's language."""
    return {} if rules is None else {box.category: i18n.sentence(box.label) for box in rules.boxes}


def average_boxes(played: statistics.PlayerGames, names: dict[str, str]) -> str:
    """The chart of what each box brought somebody on average. names: box -> label, in their order."""
    averages = played.boxes
    in_order = {label: averages[box] for box, label in names.items() if box in averages}
    return charts.bars(t("html/history/average_boxes", name=played.name), in_order, i18n.figure)


@dataclass(frozen=True, slots=True)
class FinishedGames:
    """Finished games, the latest first."""

    games: tuple[FinishedGame, ...]


@dataclass(frozen=True, slots=True)
class GameWithEvents(FinishedGame, WithParts):
    """A finished game, and all that happened in it, as the database has it."""

    events: tuple[dict[str, Any], ...]
    added: ClassVar[str] = "past_view"
    parts: Parts = ()


class GameNumber(IntegerConverter):
    """The number of a game in an address; one that SQLite could not hold (2**63 and more) is no address."""

    regex = r"\d{1,18}"


class Games:
    """The archive, as pages and API ask it."""

    def __init__(
        self,
        archive: GameArchive,
        room: Room,
        advice: Advice,
        pictures: ThrowPictures,
        now: Callable[[], TableView],
    ) -> None:
        """now: how the table is."""
        self.archive, self.room, self.advice, self.pictures = archive, room, advice, pictures
        self._now = now
        self._reviews: dict[int, tuple[int, GameReview]] = {}

    def all(self) -> list[FinishedGame]:
        """Every finished game, the latest first."""
        return self.archive.games()

    def rules(self, game: FinishedGame) -> RuleSet | None:
        """The rules a game was played by, house rules included; None when nobody knows them any more."""
        return rules_of(game.rules, self.archive.transcript(game.game))

    def end(self, game: FinishedGame) -> State:
        """How it ended, by the names that are shown now."""
        end = end_of(self.archive.transcript(game.game))
        players = zip(end.players, game.players, strict=False)
        return replace(end, players=tuple(replace(each, name=now.name) for each, now in players))

    def more(self, game: FinishedGame) -> dict[str, Any]:
        """What features add to the game as JSON."""
        end = self.end(game)
        found: dict[str, Any] = {}
        for feature in FEATURES:
            found |= as_json(feature.of_past(end), i18n.language()) or {}
        return found

    def at_end(self, game: FinishedGame) -> list[str]:
        """Lines about its end, such as who owes whom, in the language of the reader."""
        end = self.end(game)
        return [i18n.sentence(each) for feature in FEATURES for each in feature.at_end(end)]

    def beside(self, game: FinishedGame) -> list[PastTable]:
        """What features show below it."""
        everything = self.all()
        before = everything[[each.game for each in everything].index(game.game) + 1 :]
        return [found for feature in FEATURES if (found := feature.beside(game, before))]

    def title(self, game: FinishedGame) -> str:
        """The title of its rules."""
        rules = self.rules(game)
        return game.rules if rules is None else i18n.sentence(rules.title)

    def review(self, number: int) -> GameReview:
        """Luck and skill of a finished game, with the chances to win after every turn.

        Raises PreparingError while its values are worked out; aborts with 404 where its rules are not known,
        or nothing but its totals is.
        """
        game = self.find(number)
        found = self.luck(game)
        if len(game.players) < 2:  # noqa: PLR2004 - nobody to win against
            return found
        curve, message = self.advice.curve(self.archive.transcript(number))
        return replace(found, curve=curve, curve_message=message)

    def luck(self, game: FinishedGame) -> GameReview:
        """The same without the chances to win. Raises as `review` does."""
        from station.advice.reviews import game_review  # noqa: PLC0415 - only this needs the strategy's numpy

        rules = (game.players[0].boxes and self.rules(game)) or abort(404)
        names = tuple(player.name for player in game.players)
        events = self.archive.transcript(game.game)
        offsets = self.advice.offsets(rules)
        known, basis = self._reviews.get(game.game), hash((names, events, offsets))
        if known is not None and known[0] == basis:  # a copy put back may bring another game of that number
            return known[1]
        found = game_review(self.advice.solution(rules), game.game, names, events, offsets)
        self._reviews[game.game] = (basis, found)
        while len(self._reviews) > REVIEWS_KEPT:
            self._reviews.pop(next(iter(self._reviews)), None)
        return found

    def picture(self, number: int, seat: int, turn: int, throw: int) -> bytes | None:
        """The picture of a throw, by the seats at the end of its game; None where there is none."""
        names = [player.name for player in replay(self.archive.transcript(number)).players]
        return self.pictures.find(number, seat, turn, throw, names)

    def find(self, number: int) -> FinishedGame:
        """One finished game; aborts with 404 when there is none.

        Raises RefusalError, 404 as well, for the one that is played: its end may have been taken back.
        """
        found = next((game for game in self.all() if game.game == number), None)
        now = self._now()
        if found is None and now.game == number and not now.finished:
            raise RefusalError("history/goes_on")
        return found or abort(404)

    def delete(self, number: int) -> None:
        """Set a game aside, as far as this screen may."""
        self.room.check_host(token())
        if not self.archive.delete_game(number):
            abort(404)
        self.pictures.drop(number)
        self.room.past_changed()

    def bring(self, content: bytes, rules_id: str) -> Sequence[str]:
        """Add the games of an old score file, as far as this screen may; else what is wrong with it."""
        self.room.check_host(token())
        faults = score_files.bring(self.archive, content, rules_id)
        if not faults:
            self.room.past_changed()
        return faults

    def undelete(self, number: int) -> None:
        """Put a game back that was set aside, as far as this screen may."""
        self.room.check_host(token())
        if not self.archive.undelete_game(number):
            abort(404)
        self.room.past_changed()

    def aside(self) -> list[FinishedGame]:
        """What this screen may put back."""
        return self.archive.games_aside() if self.room.of(token()).host else []


def _overview(games: Games, wanted: str | None, faults: Sequence[str] = ()) -> str:
    """The page of all games, its figures for one rule set. faults: of a score file that was brought."""
    every = games.all()
    titles = {
        each: games.title(next(game for game in every if game.rules == each))
        for each in statistics.rule_sets(every)
    }
    chosen = wanted or next(iter(titles), "")
    latest = next((game for game in every if game.rules == chosen), None)
    rules = games.rules(latest) if latest else None
    names = labels(rules)
    players = statistics.players(every, chosen)
    return render_template(
        "history.html",
        tonight=evening(every, datetime.now(UTC)).games,
        games=every,
        aside=games.aside(),
        titles=titles,
        chosen=chosen,
        players=players,
        statistics=statistics.of_rules(rules),
        trend=charts.lines(t("html/history/trend_title"), {each.name: each.totals for each in players}),
        boxes=[(each.name, average_boxes(each, names)) for each in players],
        known=score_files.known(),
        faults=faults,
    )


def _curve(game: FinishedGame, review: GameReview | None) -> str:
    """The chances to win of a game, turn by turn; "" where they are not known."""
    if review is None:
        return ""
    series = {
        player.name: [round(100 * chances[seat]) for chances in review.curve]
        for seat, player in enumerate(game.players)
    }
    return charts.lines(t("html/game/curve"), series, last=len(review.curve))


def _pictures(games: Games, review: GameReview | None) -> dict[tuple[int, int, int], str]:
    """Addresses of the pictures there are of what the review names."""
    named = () if review is None else (review.luckiest, review.best, *review.dearest)
    found = {(each.seat, each.turn, each.throw) for each in named if each is not None}
    return {
        (seat, turn, throw): f"/history/{review.game}/{seat}-{turn}-{throw}.jpg"
        for seat, turn, throw in found
        if review is not None and games.picture(review.game, seat, turn, throw) is not None
    }


def create(games: Games) -> Blueprint:
    """The pages."""
    history = Blueprint("history", __name__)

    @history.get("/history")
    def overview() -> str:
        return _overview(games, request.args.get("rules"))

    @history.get("/history/<game:number>")
    def one(number: int) -> str:
        game = games.find(number)
        rules = games.rules(game)
        review = None
        if rules is not None and game.players[0].boxes:
            with suppress(PreparingError):
                review = games.review(number)
        return render_template(
            "game.html",
            game=game,
            title=games.title(game),
            rules=rules,
            names=game.players[0].boxes and (labels(rules) or {box: box for box in game.players[0].boxes}),
            review=review,
            at_end=games.at_end(game),
            ahead=ahead(),
            tables=games.beside(game),
            curve=_curve(game, review),
            pictures=_pictures(games, review),
            took=duration(game.played_s) if game.played_s else None,
            sentence=i18n.sentence,
        )

    @history.get("/history/<game:number>/sheet.pdf")
    def filled(number: int) -> Response:
        game = games.find(number)
        rules = games.rules(game) or abort(404)
        ended = "" if game.ended_by == "complete" else f" · {t(f'html/history/{game.ended_by}')}"
        subtitle = i18n.day(game.when) + ended
        return pdf_answer(rules, f"yacht-{number}", game.players, subtitle=subtitle, below=games.at_end(game))

    @history.get("/history/<game:number>/<int:seat>-<int:turn>-<int:throw>.jpg")
    def picture(number: int, seat: int, turn: int, throw: int) -> Response:
        jpeg = games.picture(number, seat, turn, throw) or abort(404)
        response = Response(jpeg, mimetype="image/jpeg")
        response.headers["Cache-Control"] = "no-cache"
        return response

    @history.get("/history/<game:number>/game.txt")
    def page_of_text(number: int) -> Response:
        text = page_text(games.find(number), games.archive.transcript(number))
        return Response(text, mimetype="text/plain")

    _whole(history, games)
    _changes(history, games)
    return history


def _changes(history: Blueprint, games: Games) -> None:
    """What the host changes of the past."""

    @history.post("/history/import")
    def bring() -> Answer:
        file, rules = request.files.get("file"), request.form.get("rules", "")
        faults = games.bring(b"" if file is None else file.read(), rules)
        if faults:
            return Response(_overview(games, rules, faults), HTTPStatus.BAD_REQUEST)
        return redirect(f"/history?rules={rules}", code=303)

    @history.post("/history/<game:number>/delete")
    def delete(number: int) -> Answer:
        games.delete(number)
        return redirect("/history#aside", code=303)

    @history.post("/history/<game:number>/undelete")
    def undelete(number: int) -> Answer:
        games.undelete(number)
        return redirect(f"/history/{number}", code=303)


def _whole(history: Blueprint, games: Games) -> None:
    """All games as a file."""

    @history.get("/history/games.csv")
    def for_spreadsheets() -> Response:
        """As `/api/v1/export.csv`, as a spreadsheet program of this language takes it when it is opened.

        The mark at the beginning says that it is UTF-8; where decimals have a comma, columns part at
        semicolons.
        """
        parted = ";" if i18n.figure(0.5) != "0.5" else ","
        text = csv_text(games.archive.games(), parted)
        marked = Response(f"{BYTE_ORDER_MARK}{text}", mimetype="text/csv")
        return named(marked, "yacht-games.csv", "attachment")

    @history.get("/history/games.bgsplay")
    def for_bg_stats() -> Response:
        """What the app BG Stats opens, which knows it by its ending."""
        plays = Response(play_text(games.archive.games(), games.title), mimetype="application/json")
        return named(plays, "yacht-games.bgsplay", "attachment")


def create_api(games: Games) -> Blueprint:
    """The archive's part of the API."""
    api = Blueprint("history_api", __name__, url_prefix="/api/v1")

    @api.get("/history")
    @endpoint(errors=(503,))
    def every() -> FinishedGames:
        """Finished games, the latest first."""
        return FinishedGames(tuple(games.all()))

    @api.get("/history/<game:number>")
    @endpoint(gives=GameWithEvents, errors=(404, 503))
    def one(number: int) -> Response:
        """One finished game with its events."""
        events = [event.to_json() for event in games.archive.transcript(number)]
        game = games.find(number)
        return jsonify(as_json(game) | {"events": events} | games.more(game))

    @api.get("/evening")
    @endpoint(errors=(503,))
    def running_table() -> Evening:
        """How everybody stands over the games of the evening."""
        return evening(games.all(), datetime.now(UTC))

    @api.get("/history/<game:number>/review")
    @endpoint(errors=(404, 503))
    def review(number: int) -> GameReview:
        """Luck and skill of a finished game, by throw and by decision."""
        return games.review(number)

    @api.delete("/history/<game:number>")
    @endpoint(errors=(403, 404, 503))
    def delete(number: int) -> Deleted:
        """Set a game aside for 30 days."""
        games.delete(number)
        return Deleted(number)

    @api.post("/history/<game:number>/undelete")
    @endpoint(errors=(403, 404, 503))
    def undelete(number: int) -> FinishedGame:
        """Put a deleted game back."""
        games.undelete(number)
        return games.find(number)

    @api.get("/history/aside")
    @endpoint(errors=(403, 503))
    def aside() -> FinishedGames:
        """Deleted games that can be put back."""
        games.room.check_host(token())
        return FinishedGames(tuple(games.archive.games_aside()))

    @api.get("/export.csv")
    @endpoint(gives="A line for each player and game.", kind="text/csv", errors=(503,))
    def export_csv() -> Response:
        """All games as CSV."""
        response = Response(csv_text(games.archive.games()), mimetype="text/csv")
        return named(response, "yacht-games.csv", "attachment")

    @api.get("/export.json")
    @endpoint(gives=FinishedGames, errors=(503,))
    def export_json() -> Response:
        """All games as JSON."""
        return named(answer(FinishedGames(tuple(games.all()))), "yacht-games.json", "attachment")

    return api
