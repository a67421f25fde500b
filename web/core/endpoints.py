"""An address of the API describes itself where its route is; the API's description is derived from that.

    @api.post("/room/seat")
    @endpoint(gives=RoomShape, errors=(503,))
    def sit(wanted: Sit) -> Response:
        \"\"\"Take a seat, or leave it.\"\"\"

The docstring's first line is the summary. Parameters annotated with a pydantic model bring what the
request has: `query` its query string, any other name its JSON body. What stands in the path is described
from the route.
"""

import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any

from flask import Flask, Response, request
from pydantic import BaseModel

from web.core.json_body import json_body

JSON = "application/json"
Json = dict[str, Any]
"""What OpenAPI has, as JSON."""

PREFIX = "/api/v1"
VARIABLE = re.compile(r"<(\w+:)?(\w+)>")
"""What stands in a path, as werkzeug writes it; all converters of ours but the default are numbers."""

REF = "#/components/schemas/{model}"
ERRORS = {
    400: "Not understood: not JSON, an unknown field, a value out of bounds.",
    403: "This screen may not do that.",
    404: "There is no such thing here.",
    409: "`version` was given and the game has moved on; fetch the state and decide again.",
    413: "Longer than any request of ours.",
    415: "Not declared as the kind of content that is wanted.",
    422: "Understood and refused by the rules of the game; nothing changed.",
    503: "It could not be done now: the disk, the camera, too many viewers.",
}
Gives = type[BaseModel] | str
Model = type[BaseModel]


@dataclass(frozen=True, slots=True)
class Endpoint:
    """What an address takes and gives.

    gives: the model of the answer, or words for what it is where it is no JSON of ours. kind, takes: media
    types of answer and body. errors: statuses besides those that every body may bring.
    """

    summary: str
    gives: Gives
    kind: str
    takes: str
    body: Model | None
    query: Model | None
    errors: tuple[int, ...]

    def operation(self, path: Sequence[tuple[str, str]], error: Model) -> Json:
        """As OpenAPI has it. path: names and types of what stands in the path; error: shape of all errors."""
        found: Json = {"summary": self.summary}
        parameters = [
            {"name": name, "in": "path", "required": True, "schema": {"type": kind}} for name, kind in path
        ]
        if self.query is not None:
            schema = self.query.model_json_schema()
            parameters += [
                {"name": name, "in": "query", "required": name in schema.get("required", ()), "schema": each}
                for name, each in schema["properties"].items()
            ]
        if parameters:
            found["parameters"] = parameters
        if self.takes:
            content = {} if self.body is None else {"schema": _reference(self.body), **_example(self.body)}
            found["requestBody"] = {"required": True, "content": {self.takes: content}}
        told = self.gives if isinstance(self.gives, str) else inspect.getdoc(self.gives) or ""
        schema = {} if isinstance(self.gives, str) else {"schema": _reference(self.gives)}
        statuses = {*self.errors, *((400, 413, 415) if self.takes else ()), *((400,) if self.query else ())}
        found["responses"] = {
            "200": {"description": told, "content": {self.kind: schema}},
            **{
                str(status): {"description": ERRORS[status], "content": {JSON: {"schema": _reference(error)}}}
                for status in sorted(statuses)
            },
        }
        return found


def endpoint(
    *, gives: Gives, errors: Iterable[int] = (), kind: str = JSON, takes: str = ""
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Say what a view takes and gives; it is handed its body and query as models."""

    def describe(view: Callable[..., Any]) -> Callable[..., Any]:
        models = {
            name: each.annotation
            for name, each in inspect.signature(view).parameters.items()
            if isinstance(each.annotation, type) and issubclass(each.annotation, BaseModel)
        }
        query = models.pop("query", None)
        name, body = next(iter(models.items()), ("", None))

        @wraps(view)
        def asked(**path: object) -> Any:
            if query is not None:
                path["query"] = query.model_validate(request.args.to_dict())
            if body is not None:
                path[name] = body.model_validate(json_body())
            return view(**path)

        summary = (inspect.getdoc(view) or "").partition("\n")[0].removesuffix(".")
        asked.endpoint = Endpoint(  # type: ignore[attr-defined]
            summary, gives, kind, takes or (JSON if body is not None else ""), body, query, tuple(errors)
        )
        return asked

    return describe


def answer(model: BaseModel) -> Response:
    """A model as the answer."""
    return Response(model.model_dump_json(), mimetype=JSON)


def paths(app: Flask, error: Model) -> dict[str, dict[str, Json]]:
    """The `paths` of OpenAPI: every address of `app` below `PREFIX` that describes itself."""
    found: dict[str, dict[str, Json]] = {}
    for rule in app.url_map.iter_rules():
        described = _of(app, rule.endpoint)
        if described is None or not rule.rule.startswith(PREFIX):
            continue
        kinds = [
            (name, "string" if converter in {"", "string:"} else "integer")
            for converter, name in VARIABLE.findall(rule.rule)
        ]
        path = VARIABLE.sub(r"{\2}", rule.rule.removeprefix(PREFIX))
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
            found.setdefault(path, {})[method.lower()] = described.operation(kinds, error)
    return found


def models(app: Flask) -> tuple[tuple[Model, ...], tuple[Model, ...]]:
    """The models of all bodies, and those of all answers."""
    there = [each for name in app.view_functions if (each := _of(app, name)) is not None]
    bodies = dict.fromkeys(each.body for each in there if each.body is not None)
    answers = dict.fromkeys(each.gives for each in there if not isinstance(each.gives, str))
    return tuple(bodies), tuple(answers)


def _of(app: Flask, name: str) -> Endpoint | None:
    found = getattr(app.view_functions[name], "endpoint", None)
    return found if isinstance(found, Endpoint) else None


def _reference(model: Model) -> Mapping[str, str]:
    return {"$ref": REF.format(model=model.__name__)}


def _example(model: Model) -> Json:
    """The example that a model gives of itself in its `json_schema_extra`."""
    extra = model.model_config.get("json_schema_extra")
    examples = extra.get("examples") if isinstance(extra, dict) else None
    return {"example": examples[0]} if isinstance(examples, list) else {}
