"""The HTTP API of the table: state, live line, commands, score, advice, frame (docs/contract.md)."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Literal

from flask import Blueprint, Response, current_app, jsonify
from pydantic import BaseModel, ConfigDict, Field

from messages.errors import BadInputError, FailedError
from station.contract.answers import (
    Decisions,
    LastLuck,
    NoHint,
    Points,
    RowWhy,
    TableHint,
    TableOdds,
    TwoBoxes,
)
from station.contract.commands import Command, CommandBody
from station.contract.questions import AdviceRequest, ScoreRequest
from station.contract.view import TableView
from station.game.log.state import State
from station.game.way import WAY
from station.rules.dice import DICE_MAX
from station.table.table import Table
from web.advice import answers, explanations
from web.core import openapi
from web.core.endpoints import endpoint, unless_known
from web.core.i18n import language
from web.table.viewers import Viewer, Viewers

if TYPE_CHECKING:
    from station.strategy.values.hints import Hint

DIGITS = re.compile(r"[0-9]{1,2}")

STREAM = (
    "Server-sent events: `state` (id: = version; the full state, at once and after every change, never a "
    "backlog), `room` (seats and hints), `refused` (the commands of the state that are not for this screen), "
    "`pages` (the version of the pages, at the beginning), `beat` and a comment as signs of life."
)


def create(
    table: Table,
    viewers: Viewers,
    *,
    frame_jpeg: Callable[[int], bytes | None],
    viewer: Callable[[], Viewer],
    may: Callable[[Command], Callable[[TableView, State], None]],
) -> Blueprint:
    """The blueprint of the table: state, live line, commands, picture.

    viewer: the screen that wants to listen. may: for a command of the requesting screen, the check that
    raises if it may not send it (`Table.execute`).
    """
    api = Blueprint("api", __name__, url_prefix="/api/v1")

    @api.get("/state")
    @endpoint()
    def state() -> TableView:
        """The state of the table."""
        return table.snapshot()

    @api.get("/events")
    @endpoint(gives=STREAM, kind="text/event-stream", errors=(503,))
    def live() -> Response:
        """Every change, live."""
        response = Response(viewers.listen(language(), viewer()), mimetype="text/event-stream")
        response.headers["X-Accel-Buffering"] = "no"
        return response

    @api.post("/commands")
    @endpoint(errors=(403, 409, 422, 503))
    def commands(command: CommandBody) -> TableView:
        """Do something at the table."""
        return table.execute(command, may(command))

    @api.get("/frame.jpg")
    @endpoint(gives="What the camera sees, dice drawn in.", kind="image/jpeg", errors=(503,))
    def frame(query: FrameAsked) -> Response:
        """The tray as the camera sees it."""
        jpeg = frame_jpeg(int(query.width))
        if jpeg is None:
            raise FailedError("camera/no_frame")
        return unless_known(Response(jpeg, mimetype="image/jpeg"))

    @api.get("/openapi.json")
    @endpoint(gives="OpenAPI 3.1.")
    def description() -> Response:
        """This description."""
        return jsonify(openapi.describe(current_app))

    return api


class FrameAsked(BaseModel):
    """How wide the picture may be."""

    width: Annotated[Literal["320", "640", "1280"], Field(description="Pixels, at most.")] = "1280"


class RowAsked(BaseModel):
    """Which row of the sheet; none is one that there is not."""

    model_config = ConfigDict(json_schema_extra={"required": ["category"]})
    category: str = ""


class PlayerQuery(BaseModel):
    """Whose decision it is, where all play at once; left out, that of the player at the table."""

    player: Annotated[int | None, Field(ge=0, le=99, examples=[1])] = None

    def of(self, state: State) -> State:
        """The game as this player has it."""
        seat = state.active if self.player is None else self.player
        there = seat < len(state.players) and not state.players[seat].gone
        return WAY.of(state).own(state, seat) if there else state


class SplitAsked(RowAsked):
    """Two boxes for ten dice: the second one and the five dice of the first, if they are wished for."""

    second: str | None = None
    slots: Annotated[str | None, Field(examples=["1,2,5,6,9"])] = None


def _numbers(text: str | None) -> tuple[int, ...] | None:
    """Slots as an address has them; None for none.

    Raises BadInputError for anything else.
    """
    if not text:
        return None
    parts = text.split(",")
    if len(parts) > DICE_MAX or not all(DIGITS.fullmatch(part) for part in parts):
        raise BadInputError("split/slots", code="request/slots")
    return tuple(int(part) for part in parts)


def create_questions(
    table: Table, *, advice: answers.Advice, house_rules: Callable[[], Mapping[str, str]]
) -> Blueprint:
    """The part that only answers: points, advice, reasons. house_rules: texts of the station's own, by id."""
    api = Blueprint("questions", __name__, url_prefix="/api/v1")

    @api.post("/score")
    @endpoint(errors=(422,))
    def scores(request: ScoreRequest) -> Points:
        """What dice would score."""
        return Points(answers.score(request, house_rules()))

    @api.post("/advice")
    @endpoint(gives=Decisions, errors=(422, 503))
    def advise(request: AdviceRequest) -> "Hint":
        """The best thing to do."""
        return advice.answer(request, house_rules())

    @api.get("/hint")
    @endpoint(errors=(503,))
    def hint(query: PlayerQuery) -> TableHint | NoHint:
        """What the active player had best do, or where all play at once, any player."""
        view, state = table.moment()
        found = advice.of_table(query.of(state))
        return NoHint(view.version) if found is None else replace(found, version=view.version)

    @api.get("/odds")
    @endpoint(errors=(503,))
    def odds(query: PlayerQuery) -> TableOdds:
        """Who is likely to win."""
        view, state = table.moment()
        return replace(advice.odds(query.of(state)), version=view.version)

    @api.get("/luck")
    @endpoint(errors=(503,))
    def luck() -> LastLuck:
        """How lucky the last throw was."""
        view, state = table.moment()
        return replace(advice.last_luck(state), version=view.version)

    @api.get("/why")
    @endpoint()
    def why(query: RowAsked) -> RowWhy:
        """Why a box has its points."""
        view, state = table.moment()
        return explanations.why(state, view, query.category)

    @api.get("/split")
    @endpoint(errors=(422, 503))
    def divide(query: SplitAsked) -> TwoBoxes:
        """Ten dice for two boxes."""
        view, state = table.moment()
        slots = _numbers(query.slots)
        found = WAY.of(state).divided(state, advice.best_second, query.category, query.second or None, slots)
        return replace(found, version=view.version)

    return api
