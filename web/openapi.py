"""The description of the API, made from the very models that check the requests: it cannot lag behind."""

from functools import cache
from importlib.metadata import version
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from web import models, state

REF = "#/components/schemas/{model}"
ERRORS = {
    400: "Not understood: not JSON, an unknown field, a value out of bounds.",
    403: "This screen may not do that.",
    409: "`version` was given and the game has moved on; fetch the state and decide again.",
    413: "Longer than any request of ours.",
    415: "Not declared as application/json.",
    422: "Understood and refused by the rules of the game; nothing changed.",
    503: "It could not be done now: the disk, the camera, too many viewers.",
}


def _content(model: type[BaseModel]) -> dict[str, Any]:
    return {"application/json": {"schema": {"$ref": REF.format(model=model.__name__)}}}


def _answers(ok: dict[str, Any], *errors: int) -> dict[str, Any]:
    answers: dict[str, Any] = {"200": ok}
    for status in errors:
        answers[str(status)] = {"description": ERRORS[status], "content": _content(models.ErrorShape)}
    return answers


def _body(model: type[BaseModel], example: dict[str, Any]) -> dict[str, Any]:
    schema = {"$ref": REF.format(model=model.__name__)}
    return {"required": True, "content": {"application/json": {"schema": schema, "example": example}}}


def _commands() -> dict[str, Any]:
    mapping = {models.name_of(model): REF.format(model=model.__name__) for model in models.COMMANDS}
    schema = {
        "oneOf": [{"$ref": reference} for reference in mapping.values()],
        "discriminator": {"propertyName": "command", "mapping": mapping},
    }
    example = {"command": "start_game", "players": ["Ana", "Ben"], "rules": "yacht-1938"}
    return {"required": True, "content": {"application/json": {"schema": schema, "example": example}}}


@cache
def describe() -> dict[str, Any]:
    """The OpenAPI 3.1 document."""
    inputs: list[type[BaseModel]] = [*models.COMMANDS, models.ScoreRequest, models.AdviceRequest]
    outputs: list[type[BaseModel]] = [models.ErrorShape, state.State, state.Scores, state.Advice]
    _, schemas = models_json_schema(
        [(model, "validation") for model in inputs] + [(model, "serialization") for model in outputs],
        ref_template=REF,
    )
    state_ok = {"description": "The whole state.", "content": _content(state.State)}
    jpeg = {"description": "What the camera sees, dice drawn in.", "content": {"image/jpeg": {}}}
    stream = {
        "description": "Server-sent events: `state` (id: = version; the full state, at once and after every "
        "change, never a backlog), `room` (seats and hints), `beat` and a comment as signs of life.",
        "content": {"text/event-stream": {"schema": {"type": "string"}}},
    }
    score = {"description": "Points of every category.", "content": _content(state.Scores)}
    advice = {"description": "Holds and boxes, best first.", "content": _content(state.Advice)}
    paths = {
        "/state": {"get": {"summary": "The state of the table", "responses": _answers(state_ok)}},
        "/events": {"get": {"summary": "Every change, live", "responses": _answers(stream, 503)}},
        "/commands": {
            "post": {
                "summary": "Do something at the table",
                "requestBody": _commands(),
                "responses": _answers(state_ok, 400, 403, 409, 413, 415, 422, 503),
            }
        },
        "/score": {
            "post": {
                "summary": "What dice would score",
                "requestBody": _body(models.ScoreRequest, models.ScoreRequest.example),
                "responses": _answers(score, 400, 403, 413, 415, 422),
            }
        },
        "/advice": {
            "post": {
                "summary": "The best thing to do",
                "requestBody": _body(models.AdviceRequest, models.AdviceRequest.example),
                "responses": _answers(advice, 400, 403, 413, 415, 422, 503),
            }
        },
        "/frame.jpg": {
            "get": {"summary": "The tray as the camera sees it", "responses": _answers(jpeg, 503)}
        },
        "/openapi.json": {
            "get": {"summary": "This description", "responses": {"200": {"description": "OpenAPI 3.1."}}}
        },
    }
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Yacht Station",
            "version": version("yacht-station"),
            "description": "Real dice on the table, one live score sheet for the whole room.",
        },
        "servers": [{"url": "/api/v1"}],
        "paths": paths,
        "components": {"schemas": schemas["$defs"]},
    }
