"""The description of the API and the API say the same."""

import re

import pytest

from station.contract.commands import READERS
from tests.web.helpers import Stage
from web.core import openapi, request_models
from web.core.state_model import TableView


def test_it_describes_every_address(stage: Stage):
    described = {f"/api/v1{path}" for path in openapi.describe()["paths"]}
    there = {
        re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", str(rule))
        for rule in stage.app.url_map.iter_rules()
        if str(rule).startswith("/api/v1/")
    }
    assert described == there


def test_every_command_of_the_table_has_a_model():
    assert {request_models.name_of(model) for model in request_models.COMMANDS} == set(READERS)


def test_every_reference_leads_somewhere(stage: Stage):
    document = stage.client.get("/api/v1/openapi.json").get_json()
    schemas = document["components"]["schemas"]

    def references(value: object) -> list[str]:
        if isinstance(value, dict):
            own = [value["$ref"]] if isinstance(value.get("$ref"), str) else []
            return own + [each for part in value.values() for each in references(part)]
        return [each for part in value for each in references(part)] if isinstance(value, list) else []

    found = references(document)
    assert found
    assert {each.removeprefix("#/components/schemas/") for each in found} <= set(schemas)


@pytest.mark.parametrize("phase", ["lobby", "throwing", "holding", "finished"])
def test_the_state_has_the_shape_described(stage: Stage, phase: str):
    steps = {
        "lobby": [],
        "throwing": [("start_game", {"players": ["Ana"], "rules": "world-51"})],
        "holding": [("enter_roll", {"faces": [1, 2, 3, 4, 5]})],
        "finished": [("end_game", {})],
    }
    for name in list(steps)[: list(steps).index(phase) + 1]:
        for command, fields in steps[name]:
            stage.do(command, **fields)
    state = TableView.model_validate(stage.table.snapshot())
    assert state.phase == phase
