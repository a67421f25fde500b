"""Each address of the API is described at its route; the API's description is derived from that.

    @api.post("/room/seat")
    @endpoint(errors=(403, 503))
    def sit(wanted: Sit) -> RoomShape:
        \"\"\"Take a seat, or leave it.\"\"\"

The docstring's first line is the summary, the return type the response. A parameter that is a model, or a
union of models with a discriminating field, is parsed from the request: `query` from its query string, any
other name from its JSON body. Parameters of the path are described from the route.
"""

import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, wraps
from typing import Annotated, Any, Final, Literal, get_origin

from flask import Flask, Response, jsonify, request
from pydantic import BaseModel, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

from station.contract.invalid import checked
from station.contract.view import as_json
from web.core.i18n import language
from web.core.json_body import json_body

JSON = "application/json"
Json = dict[str, Any]
"""What OpenAPI has, as JSON."""

PREFIX = "/api/v1"
VARIABLE = re.compile(r"<(\w+:)?(\w+)>")
"""Placeholders in a path, as werkzeug writes them; all converters of ours but the default are numbers."""

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
Model = Any
"""A pydantic model, a frozen dataclass, or an annotated union of models: all that TypeAdapter takes."""

CHECKED: Final = "validation"
TOLD: Final = "serialization"
Schemas = Mapping[tuple[Model, Literal["validation", "serialization"]], Json]
"""(model, whether it is an input or an output) -> its schema, a reference as a rule."""


@dataclass(frozen=True, slots=True)
class Deleted:
    """What is forgotten now."""

    deleted: int | str


@dataclass(frozen=True, slots=True)
class Endpoint:
    """What an address takes and gives.

    gives: the model of the answer, or words for what it is where it is no JSON of ours. kind, takes: media
    types of answer and body. errors: statuses besides those that every body may bring.
    """

    summary: str
    gives: Model
    kind: str
    takes: str
    body: Model
    query: Model
    errors: tuple[int, ...]

    def operation(self, path: Sequence[tuple[str, str]], schemas: Schemas, error: Model) -> Json:
        """As OpenAPI has it. path: names and types of its placeholders; error: shape of all errors."""
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
            content = {} if self.body is None else {"schema": schemas[self.body, CHECKED]}
            examples = {} if self.body is None else _adapter(self.body).json_schema()
            if "examples" in examples:
                content["example"] = examples["examples"][0]
            found["requestBody"] = {"required": True, "content": {self.takes: content}}
        description = self.gives if isinstance(self.gives, str) else inspect.getdoc(self.gives)
        schema = {} if isinstance(self.gives, str) else {"schema": schemas[self.gives, TOLD]}
        statuses = {*self.errors, *((400, 413, 415) if self.takes else ()), *((400,) if self.query else ())}
        found["responses"] = {
            "200": {"description": description or self.summary, "content": {self.kind: schema}},
            **{
                str(status): {
                    "description": ERRORS[status],
                    "content": {JSON: {"schema": schemas[error, TOLD]}},
                }
                for status in sorted(statuses)
            },
        }
        return found


def endpoint(
    *,
    gives: Model = None,
    errors: Iterable[int] = (),
    kind: str = JSON,
    takes: str = "",
    body: Model = None,
    summary: str = "",
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Say what a view takes and gives; it is handed its body and query as models, its answer becomes JSON.

    gives: where the view makes a response of its own. body, summary: where views are made in a row; their
    body is called `wanted`.
    """

    def describe(view: Callable[..., Any]) -> Callable[..., Any]:
        signature = inspect.signature(view)
        models = {
            name: each.annotation for name, each in signature.parameters.items() if _is_model(each.annotation)
        }
        query = models.pop("query", None)
        name, found = ("wanted", body) if body else next(iter(models.items()), ("", None))
        wanted: Any = found
        adapter = None if wanted is None else _adapter(wanted)
        of_query = None if query is None else _adapter(query)

        @wraps(view)
        def handler(**path: object) -> Any:
            if of_query is not None:
                path["query"] = checked(of_query, request.args.to_dict())
            if adapter is not None:
                path[name] = checked(adapter, json_body())
            return answer(view(**path))

        about = summary or (inspect.getdoc(view) or "").partition("\n")[0].removesuffix(".")
        given = signature.return_annotation if gives is None else gives
        media = takes or (JSON if wanted is not None else "")
        handler.endpoint = Endpoint(about, given, kind, media, wanted, query, tuple(errors))  # type: ignore[attr-defined]
        return handler

    return describe


@cache
def _adapter(model: Model) -> TypeAdapter[Any]:
    """The validator of such a body or query: slow to make."""
    return TypeAdapter(model)


def _is_model(annotation: Any) -> bool:
    return get_origin(annotation) is Annotated or (
        isinstance(annotation, type) and issubclass(annotation, BaseModel)
    )


def answer(value: Any) -> Response:
    """What a view gives, in the language of the screen."""
    if isinstance(value, Response):
        return value
    if isinstance(value, BaseModel):
        return Response(value.model_dump_json(), mimetype=JSON)
    return jsonify(as_json(value, language()))


def unless_known(response: Response) -> Response:
    """A response that a screen caches; 304 without a body if its copy is still current."""
    response.headers["Cache-Control"] = "no-cache"
    response.add_etag()
    response.make_conditional(request)
    return response


class _Schemas(GenerateJsonSchema):
    """Schemas in which every field of an answer comes: a dataclass is always sent whole."""

    def field_is_required(self, field: Any, total: bool) -> bool:  # noqa: FBT001 - as pydantic calls it
        return (field["type"] == "dataclass-field" and self.mode == TOLD) or super().field_is_required(
            field, total
        )


def describe(app: Flask, error: Model) -> tuple[Json, Json]:
    """`paths` and `schemas` of OpenAPI: every address of `app` below `PREFIX` that describes itself."""
    there = [each for name in app.view_functions if (each := _of(app, name)) is not None]
    bodies = dict.fromkeys(each.body for each in there if each.body is not None)
    answers = dict.fromkeys(each.gives for each in there if not isinstance(each.gives, str)) | {error: None}
    schemas, definitions = TypeAdapter.json_schemas(
        [(each, CHECKED, _adapter(each)) for each in bodies]
        + [(each, TOLD, _adapter(each)) for each in answers],
        ref_template=REF,
        schema_generator=_Schemas,
    )
    paths: dict[str, dict[str, Json]] = {}
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
            paths.setdefault(path, {})[method.lower()] = described.operation(kinds, schemas, error)
    return paths, definitions.get("$defs", {})


def _of(app: Flask, name: str) -> Endpoint | None:
    found = getattr(app.view_functions[name], "endpoint", None)
    return found if isinstance(found, Endpoint) else None
