"""The API under nonsense: no 500, and no answer that its description does not know.

What schemathesis does, made from our own description: every operation, with bodies that are nearly right,
wrong in one place, or any JSON at all; and long sequences of commands at one table.
"""

import re
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, given, settings

from tests.asking import do
from tests.web.helpers import Stage
from web.core import openapi

DOCUMENT = openapi.describe(Stage().app)
SCHEMAS = DOCUMENT["components"]["schemas"]
STREAMS = ("/events",)
OPERATIONS = [
    (path, method) for path, methods in DOCUMENT["paths"].items() for method in methods if path not in STREAMS
]
LOOSE = settings(
    max_examples=12,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=8,
)
WORDS = st.sampled_from(
    ["yacht-1938", "world-51", "general", "double-cameroon", "ones", "choice", "yacht", "full-house", "nope"]
)


def of_schema(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Values that fit a schema of ours."""
    if "$ref" in schema:
        return of_schema(SCHEMAS[schema["$ref"].rsplit("/", 1)[1]])
    if "const" in schema or "enum" in schema:
        return st.sampled_from(schema.get("enum", [schema.get("const")]))
    if "anyOf" in schema or "oneOf" in schema:
        return st.one_of([of_schema(each) for each in schema.get("anyOf", schema.get("oneOf"))])
    simple = {
        "integer": st.integers(schema.get("minimum", -5), schema.get("maximum", 12)),
        "boolean": st.booleans(),
        "null": st.none(),
    }
    kind = schema.get("type")
    return simple[kind] if kind in simple else of_container(schema)


def of_container(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """The same for what holds other values, and for text."""
    if "prefixItems" in schema:
        return st.tuples(*(of_schema(each) for each in schema["prefixItems"])).map(list)
    if schema.get("type") == "array":
        low, high = schema.get("minItems", 0), min(schema.get("maxItems", 6), 6)
        return st.lists(of_schema(schema["items"]), min_size=low, max_size=max(low, high))
    if schema.get("type") == "object":
        wanted = schema.get("required", [])
        known = {key: of_schema(value) for key, value in schema.get("properties", {}).items()}
        must = {key: value for key, value in known.items() if key in wanted}
        may = {key: value for key, value in known.items() if key not in wanted}
        return st.fixed_dictionaries(must, optional=may)
    return WORDS | st.text(max_size=20)


def body_of(path: str, method: str) -> dict[str, Any] | None:
    content = DOCUMENT["paths"][path][method].get("requestBody")
    json_kind = content["content"].get("application/json") if content else None
    return json_kind["schema"] if json_kind else None


@st.composite
def broken(draw: st.DrawFn, schema: dict[str, Any]) -> Any:
    """A value that fits, with one thing in it changed, added or left out."""
    value = draw(of_schema(schema))
    if not isinstance(value, dict) or not value:
        return draw(ANY_JSON)
    key = draw(st.sampled_from([*value, "extra"]))
    if draw(st.booleans()):
        return {**value, key: draw(ANY_JSON)}
    return {name: each for name, each in value.items() if name != key}


def check(stage: Stage, path: str, method: str, **request: Any) -> None:
    """Ask, and hold the answer against the description."""
    address = "/api/v1" + path
    with stage.client.open(address, method=method.upper(), **request) as answer:
        described = DOCUMENT["paths"][_template(path)][method]["responses"]
        assert answer.status_code != 500, (path, request, answer.get_data(as_text=True))
        assert str(answer.status_code) in described, (
            path,
            request,
            answer.status_code,
            answer.get_data(as_text=True),
        )
        kinds = described[str(answer.status_code)].get("content", {})
        assert not kinds or answer.mimetype in kinds
        if answer.status_code >= 400:
            error = answer.get_json()["error"]
            assert set(error) - {"values"} == {"code", "message"}
            assert error["message"][-1:] in {".", "!", "?"}, error


def _template(path: str) -> str:
    plain = path.split("?", 1)[0]
    if plain in DOCUMENT["paths"]:
        return plain
    patterns = {re.sub(r"\{\w+\}", "[^/]+", known): known for known in DOCUMENT["paths"] if "{" in known}
    return next((known for pattern, known in patterns.items() if re.fullmatch(pattern, plain)), plain)


@pytest.mark.slow
@pytest.mark.parametrize(("path", "method"), OPERATIONS)
@given(data=st.data())
@LOOSE
def test_every_operation(stage: Stage, path: str, method: str, data: st.DataObject):
    """At one station, on which a game may be on. Little is left to chance where nothing is sent."""
    if data.draw(st.booleans(), "a game is on"):
        if not stage.table.moment()[1].running:
            do(stage.table, {"command": "start_game", "players": ["Ana", "Ben"], "rules": "yacht-1938"})
        stage.throw(*data.draw(st.lists(st.integers(1, 6), min_size=4, max_size=6), "dice on the tray"))
    schema = body_of(path, method)
    filled = path.replace("{number}", str(data.draw(st.integers(0, 3)))).replace("{name}", data.draw(WORDS))
    if path == "/why":
        filled += "?category=" + data.draw(WORDS)
    if schema is None:
        check(stage, filled, method)
        return
    body = data.draw(st.one_of(of_schema(schema), broken(schema), ANY_JSON), "body")
    check(stage, filled, method, json=body)


@pytest.mark.slow
@given(data=st.data())
@settings(LOOSE, max_examples=8)
def test_long_sequences_of_commands(data: st.DataObject):
    stage = Stage()
    schema = body_of("/commands", "post")
    assert schema is not None
    stage.do(
        "start_game", players=["Ana", "Ben"], rules=data.draw(st.sampled_from(["yacht-1938", "general"]))
    )
    for _ in range(data.draw(st.integers(5, 25))):
        stage.throw(*data.draw(st.lists(st.integers(1, 6), min_size=5, max_size=5)))
        command = {**data.draw(of_schema(schema)), "version": None}
        check(stage, "/commands", "post", json=command)
        check(stage, "/state", "get")


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b'"x"', b"\x00", b"{" * 1000, b'{"a":' * 2000, b"NaN", b"1e999"]
)
@pytest.mark.parametrize("path", ["/commands", "/score", "/advice", "/room/seat", "/rules/check"])
def test_what_is_hardly_json(shared_stage: Stage, path: str, body: bytes):
    check(shared_stage, path, "post", data=body, content_type="application/json")
