"""The HTTP API of the table: state, live line, commands, score, advice, frame (docs/contract.md)."""

import hashlib
from collections.abc import Callable, Sequence

from flask import Blueprint, Flask, Response, jsonify, request

from messages.errors import FailedError
from station.contract.commands import AnyCommand, parse
from station.contract.questions import AdviceRequest, ScoreRequest
from station.contract.view import TableView, as_json
from station.game.events import Event
from station.table import Table
from web.advice import answers, explanations, splits
from web.core import openapi
from web.core.i18n import language
from web.core.json_body import json_body
from web.table.viewers import Viewers

BODY_MAX_BYTES = 64 * 1024
"""The longest command is a game of eight long names: under 1 kB. A backup has its own address and limit."""


def create(
    table: Table,
    viewers: Viewers,
    *,
    frame_jpeg: Callable[[], bytes | None],
    may: Callable[[AnyCommand], None],
    done: Callable[[AnyCommand, TableView, TableView], None],
) -> Blueprint:
    """The blueprint of the table: state, live line, commands, picture.

    may: raises when this screen may not give this command; done: is told of one that was carried out,
    with the states before and after it.
    """
    api = Blueprint("api", __name__, url_prefix="/api/v1")

    @api.get("/state")
    def state() -> Response:
        return jsonify(as_json(table.snapshot(), language()))

    @api.get("/events")
    def live() -> Response:
        response = Response(viewers.listen(language()), mimetype="text/event-stream")
        response.headers["X-Accel-Buffering"] = "no"
        return response

    @api.post("/commands")
    def commands() -> Response:
        command = parse(json_body())
        may(command)
        before = table.snapshot()
        after = table.execute(command)
        done(command, before, after)
        return jsonify(as_json(after, language()))

    @api.get("/frame.jpg")
    def frame() -> Response:
        jpeg = frame_jpeg()
        if jpeg is None:
            raise FailedError("camera/no_frame")
        response = Response(jpeg, mimetype="image/jpeg")
        response.set_etag(hashlib.blake2b(jpeg, digest_size=12).hexdigest())
        response.headers["Cache-Control"] = "no-cache"
        response.make_conditional(request)
        return response

    @api.get("/openapi.json")
    def description() -> Response:
        return jsonify(openapi.describe())

    return api


def create_questions(
    table: Table, *, advice: answers.Advice, events: Callable[[int], Sequence[Event]]
) -> Blueprint:
    """The part that only answers: points, advice, reasons. events: the events of a game."""
    api = Blueprint("questions", __name__, url_prefix="/api/v1")

    @api.post("/score")
    def scores() -> Response:
        return jsonify({"scores": answers.score(ScoreRequest.model_validate(json_body()))})

    @api.post("/advice")
    def advise() -> Response:
        return jsonify(advice.answer(AdviceRequest.model_validate(json_body())))

    @api.get("/hint")
    def hint() -> Response:
        view, state = table.moment()
        found = advice.of_table(state)
        told = {} if found is None else as_json(found, language())
        return jsonify({"version": view.version, **told})

    @api.get("/odds")
    def odds() -> Response:
        view, state = table.moment()
        return jsonify({"version": view.version, **as_json(advice.odds(state), language())})

    @api.get("/why")
    def why() -> Response:
        view, state = table.moment()
        found = explanations.why(state, view, request.args.get("category", ""), events(state.game))
        return jsonify(as_json(found, language()))

    @api.get("/split")
    def divide() -> Response:
        view, state = table.moment()
        asked = request.args
        slots = splits.numbers(asked.get("slots"))
        found = splits.split(
            state, advice.best_second, asked.get("category", ""), asked.get("second") or None, slots
        )
        return jsonify({"version": view.version, **as_json(found)})

    return api


def limit(app: Flask) -> None:
    """Let `app` turn away what is longer than any request of ours."""
    app.config["MAX_CONTENT_LENGTH"] = BODY_MAX_BYTES
