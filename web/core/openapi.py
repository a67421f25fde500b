"""The description of the API, made from the very models that check the requests: it cannot lag behind."""

from functools import cache
from importlib.metadata import version
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from web.calibration import calibration_requests as calibrate
from web.core import request_models, state_model
from web.join import seats
from web.rules import rules_routes

REF = "#/components/schemas/{model}"
ERRORS = {
    400: "Not understood: not JSON, an unknown field, a value out of bounds.",
    403: "This screen may not do that.",
    404: "There is no such thing here.",
    409: "`version` was given and the game has moved on; fetch the state and decide again.",
    413: "Longer than any request of ours.",
    415: "Not declared as application/json.",
    422: "Understood and refused by the rules of the game; nothing changed.",
    503: "It could not be done now: the disk, the camera, too many viewers.",
}

EXAMPLES: dict[type[BaseModel], dict[str, Any]] = {
    request_models.ScoreRequest: {"rules": "yacht-1938", "dice": [1, 2, 2, 4, 6]},
    request_models.AdviceRequest: {"rules": "yacht-1938", "dice": [2, 2, 3, 5, 6], "rolls_left": 1},
    seats.Sit: {"name": "Ana"},
    seats.Pin: {"pin": "4711"},
    seats.Pass: {"to": "Ben"},
    seats.Hints: {"name": "Ana", "on": True},
    seats.Switch: {"on": True},
    rules_routes.RulesText: {"text": 'id = "ours"\ntitle = "As at the lake"\n…'},
    calibrate.FindTray: {},
    calibrate.EmptyTray: {},
    calibrate.Step: {},
    calibrate.SaveProfile: {"name": "kitchen"},
    calibrate.ThrowShows: {"faces": [1, 4, 4, 5, 6]},
    calibrate.ChooseProfile: {"key": None},
}


def _content(model: type[BaseModel]) -> dict[str, Any]:
    return {"application/json": {"schema": {"$ref": REF.format(model=model.__name__)}}}


def _answers(ok: dict[str, Any], *errors: int) -> dict[str, Any]:
    answers: dict[str, Any] = {"200": ok}
    for status in errors:
        answers[str(status)] = {"description": ERRORS[status], "content": _content(request_models.ErrorShape)}
    return answers


def _body(model: type[BaseModel], example: dict[str, Any]) -> dict[str, Any]:
    schema = {"$ref": REF.format(model=model.__name__)}
    return {"required": True, "content": {"application/json": {"schema": schema, "example": example}}}


def _commands() -> dict[str, Any]:
    mapping = {
        request_models.name_of(model): REF.format(model=model.__name__) for model in request_models.COMMANDS
    }
    schema = {
        "oneOf": [{"$ref": reference} for reference in mapping.values()],
        "discriminator": {"propertyName": "command", "mapping": mapping},
    }
    example = {"command": "start_game", "players": ["Ana", "Ben"], "rules": "yacht-1938"}
    return {"required": True, "content": {"application/json": {"schema": schema, "example": example}}}


def _get(summary: str, ok: dict[str, Any], *errors: int, **more: Any) -> dict[str, Any]:
    return {"get": {"summary": summary, "responses": _answers(ok, *errors), **more}}


def _post(summary: str, model: type[BaseModel], ok: dict[str, Any], *errors: int) -> dict[str, Any]:
    example = EXAMPLES[model]
    answers = _answers(ok, 400, 403, 413, 415, *errors)
    return {"post": {"summary": summary, "requestBody": _body(model, example), "responses": answers}}


def _file(description: str, kind: str) -> dict[str, Any]:
    return {"description": description, "content": {kind: {}}}


def _json(description: str) -> dict[str, Any]:
    return {"description": description, "content": {"application/json": {"schema": {"type": "object"}}}}


STREAM = (
    "Server-sent events: `state` (id: = version; the full state, at once and after every change, never a "
    "backlog), `room` (seats and hints), `beat` and a comment as signs of life."
)
NUMBER = {"name": "number", "in": "path", "required": True, "schema": {"type": "integer", "minimum": 0}}
NAME = {"name": "name", "in": "path", "required": True, "schema": {"type": "string"}}
CATEGORY = {"name": "category", "in": "query", "required": True, "schema": {"type": "string"}}
SPLIT = [
    CATEGORY,
    {"name": "second", "in": "query", "schema": {"type": "string"}},
    {"name": "slots", "in": "query", "schema": {"type": "string", "example": "1,2,5,6,9"}},
]


def _table_paths() -> dict[str, Any]:
    """The table itself."""
    state_ok = {"description": "The whole state.", "content": _content(state_model.TableView)}
    commands = _answers(state_ok, 400, 403, 409, 413, 415, 422, 503)
    jpeg = _file("What the camera sees, dice drawn in.", "image/jpeg")
    score = {"description": "Points of every category.", "content": _content(state_model.Scores)}
    advice = {"description": "Holds and boxes, best first.", "content": _content(state_model.Advice)}
    described = {"description": "OpenAPI 3.1.", "content": {"application/json": {}}}
    return {
        "/state": _get("The state of the table", state_ok),
        "/events": _get("Every change, live", _file(STREAM, "text/event-stream"), 503),
        "/commands": {
            "post": {
                "summary": "Do something at the table",
                "requestBody": _commands(),
                "responses": commands,
            }
        },
        "/score": _post("What dice would score", request_models.ScoreRequest, score, 422),
        "/advice": _post("The best thing to do", request_models.AdviceRequest, advice, 422, 503),
        "/hint": _get("What the active player had best do", _json("Dice to hold, best box."), 503),
        "/odds": _get("Who is likely to win", _json("`chances`, in the order of the players."), 503),
        "/why": _get("Why a box has its points", _json("In words."), 400, parameters=[CATEGORY]),
        "/split": _get("Ten dice for two boxes", _json("Points and slots."), 400, 422, parameters=SPLIT),
        "/frame.jpg": _get("The tray as the camera sees it", jpeg, 503),
        "/openapi.json": _get("This description", described),
    }


def _room_paths() -> dict[str, Any]:
    """Seats, host, hints."""
    room = _json("The room, and under `you` what concerns this screen.")
    return {
        "/room": _get("Who sits where", room),
        "/room/seat": _post("Take a seat, or leave it", seats.Sit, room, 503),
        "/room/host": _post("Become host by the PIN", seats.Pin, room, 503),
        "/room/pin": _post("Set or remove the host's PIN", seats.Pin, room, 503),
        "/room/pass": _post("Pass the host's role on", seats.Pass, room, 422, 503),
        "/room/hints": _post("Hints of a player", seats.Hints, room, 503),
        "/room/voice": _post("Let this screen speak", seats.Switch, room, 503),
        "/room/set-up": {
            "post": {"summary": "The first-run pages are through", "responses": _answers(room, 403, 503)}
        },
        "/room/only-seated": _post("Let others only look", seats.Switch, room, 503),
    }


def _rules_paths() -> dict[str, Any]:
    """Rule sets and house rules."""
    told = _json("Id, title, whether it is of this house, and its lines in words.")
    one = _get("One rule set with its text", told, 404, parameters=[NAME])
    gone = _answers(_json("The id."), 400, 403, 404, 503)
    return {
        "/rules": _get("All rule sets", _json("`rules`."))
        | _post("Keep house rules", rules_routes.RulesText, told, 503),
        "/rules/check": _post("Check house rules", rules_routes.RulesText, told),
        "/rules/{name}": one
        | {"delete": {"summary": "Forget house rules", "parameters": [NAME], "responses": gone}},
    }


def _archive_paths() -> dict[str, Any]:
    """Past games, health."""
    one = _get("One finished game with its events", _json("The game."), 404, 503, parameters=[NUMBER])
    gone = _answers(_json("The number of the game."), 403, 404, 503)
    copy = {"required": True, "content": {"application/vnd.sqlite3": {}}}
    put_back = _answers(_json("`kept`: where the games so far are."), 400, 403, 413, 415, 422, 503)
    return {
        "/history": _get("Finished games, the latest first", _json("`games`."), 503),
        "/history/{number}": one
        | {"delete": {"summary": "Forget a game", "parameters": [NUMBER], "responses": gone}},
        "/backup": _get(
            "A copy of all games", _file("For yacht restore.", "application/vnd.sqlite3"), 403, 503
        ),
        "/restore": {"post": {"summary": "Put a backup back", "requestBody": copy, "responses": put_back}},
        "/export.csv": _get("All games as CSV", _file("A line for each player and game.", "text/csv"), 503),
        "/export.json": _get("All games as JSON", _json("`games`."), 503),
        "/health": _get("How the station is", _json("`checks` and `versions`.")),
        "/problem.zip": _get("What helps to find a fault", _file("No names in it.", "application/zip"), 403),
    }


def _calibration_paths() -> dict[str, Any]:
    """Calibration step by step; each step answers with all of it."""
    told = _json("Profiles, the steps so far, light report, lens, check; pixels are of the picture.")
    steps: dict[str, tuple[str, type[BaseModel]]] = {
        "/tray": ("1. Find the tray: four markers, or corners by hand", calibrate.FindTray),
        "/empty": ("2. Learn the empty tray; 3. judge the light", calibrate.EmptyTray),
        "/dice": ("4. Know the dice that lie in the tray", calibrate.Step),
        "/save": ("Keep the profile and use it", calibrate.SaveProfile),
        "/view": ("5. One view of the lens board", calibrate.Step),
        "/lens": ("5. Work the lens out; find the tray after that", calibrate.Step),
        "/forget-views": ("5. Begin the views anew", calibrate.Step),
        "/throw": ("6. Read the throw that lies in the tray", calibrate.Step),
        "/check": ("6. Say what the dice of that throw show", calibrate.ThrowShows),
        "/repair": ("After a bump: let the profile follow", calibrate.Step),
        "/relearn": ("Under another light: learn the empty tray again, use it", calibrate.EmptyTray),
        "/choose": ("Use another profile; null: the one the picture shows", calibrate.ChooseProfile),
    }
    gone = _answers(told, 403, 422, 503)
    return {
        "/calibration": _get("What is known of camera and tray", told, 503),
        "/calibration/frame.jpg": _get("The picture, nothing drawn in", _file("Live.", "image/jpeg"), 503),
        "/calibration/page.pdf": _get("Markers and lens board to print", _file("A4.", "application/pdf")),
        "/calibration/page.svg": _get("The same as SVG", _file("A4.", "image/svg+xml")),
        "/calibration/profiles/{name}": {
            "delete": {"summary": "Delete a profile", "parameters": [NAME], "responses": gone}
        },
    } | {f"/calibration{path}": _post(words, body, told, 422, 503) for path, (words, body) in steps.items()}


@cache
def describe() -> dict[str, Any]:
    """The OpenAPI 3.1 document."""
    inputs: list[type[BaseModel]] = [*request_models.COMMANDS, *EXAMPLES]
    outputs: list[type[BaseModel]] = [
        request_models.ErrorShape,
        state_model.TableView,
        state_model.Scores,
        state_model.Advice,
    ]
    _, schemas = models_json_schema(
        [(model, "validation") for model in inputs] + [(model, "serialization") for model in outputs],
        ref_template=REF,
    )
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Yacht Station",
            "version": version("yacht-station"),
            "description": "Real dice on the table, one live score sheet for the whole room.",
        },
        "servers": [{"url": "/api/v1"}],
        "paths": _table_paths() | _room_paths() | _rules_paths() | _archive_paths() | _calibration_paths(),
        "components": {"schemas": schemas["$defs"]},
    }
