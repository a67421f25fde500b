"""The HTTP API of docs/api.md: state, events, commands, score, advice, frame, description."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from flask import Blueprint, Flask, Response, jsonify, request
from pydantic import TypeAdapter

from messages.errors import FailedError
from station.game.events import Event
from web.advice import answers, explanations, splits
from web.core import openapi, request_models
from web.core.collaborators import Table
from web.core.json_body import json_body
from web.table.viewers import Viewers

BODY_MAX_BYTES = 64 * 1024
"""The longest command is a game of eight long names: under 1 kB. A backup has its own address and limit."""

COMMAND: TypeAdapter[request_models.Command] = TypeAdapter(request_models.AnyCommand)


class NoFrameError(FailedError):
    """The camera has not given a picture yet."""

    code = "camera/no_frame"


def create(
    table: Table,
    viewers: Viewers,
    *,
    frame_jpeg: Callable[[], bytes | None],
    may: Callable[[Mapping[str, Any]], None],
    done: Callable[[Mapping[str, Any], Mapping[str, Any], Mapping[str, Any]], None],
) -> Blueprint:
    """The blueprint of the table: state, live line, commands, picture.

    may: raises when this screen may not give this command; done: is told of one that was carried out,
    with the states before and after it.
    """
    api = Blueprint("api", __name__, url_prefix="/api/v1")

    @api.get("/state")
    def state() -> Response:
        return jsonify(table.snapshot())

    @api.get("/events")
    def live() -> Response:
        response = Response(viewers.listen(), mimetype="text/event-stream")
        response.headers["X-Accel-Buffering"] = "no"
        return response

    @api.post("/commands")
    def commands() -> Response:
        command = COMMAND.validate_python(json_body()).for_table()
        may(command)
        before = table.snapshot()
        after = table.execute(command)
        done(command, before, after)
        return jsonify(after)

    @api.get("/frame.jpg")
    def frame() -> Response:
        jpeg = frame_jpeg()
        if jpeg is None:
            raise NoFrameError("The camera has not given a picture yet.")
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
        return jsonify(answers.score(request_models.ScoreRequest.model_validate(json_body()).model_dump()))

    @api.post("/advice")
    def advise() -> Response:
        return jsonify(advice.answer(request_models.AdviceRequest.model_validate(json_body()).model_dump()))

    @api.get("/hint")
    def hint() -> Response:
        state = table.snapshot()
        return jsonify({"version": state["version"], **advice.of_table(state)})

    @api.get("/odds")
    def odds() -> Response:
        state = table.snapshot()
        return jsonify({"version": state["version"], **advice.odds(state)})

    @api.get("/why")
    def why() -> Response:
        state = table.snapshot()
        return jsonify(
            explanations.why(state, request.args.get("category", ""), events(state.get("game", 0)))
        )

    @api.get("/split")
    def divide() -> Response:
        state, asked = table.snapshot(), request.args
        found = splits.split(
            state,
            asked.get("category", ""),
            asked.get("second") or None,
            splits.numbers(asked.get("slots")),
        )
        return jsonify({"version": state["version"], **found})

    return api


def limit(app: Flask) -> None:
    """Let `app` turn away what is longer than any request of ours."""
    app.config["MAX_CONTENT_LENGTH"] = BODY_MAX_BYTES
