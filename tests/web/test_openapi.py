"""The description of the API and the API say the same."""

import re
from importlib.metadata import version
from pathlib import Path

import pytest

from station.contract.commands import COMMANDS
from tests.recorded import assert_recorded
from tests.web.helpers import Stage
from web.core import openapi


def test_it_describes_every_address(shared_stage: Stage):
    described = {f"/api/v1{path}" for path in openapi.describe(shared_stage.app)["paths"]}
    there = {
        re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", str(rule))
        for rule in shared_stage.app.url_map.iter_rules()
        if str(rule).startswith("/api/v1/")
    }
    assert described == there


@pytest.mark.needs_feature
def test_the_description_is_the_recorded_one(shared_stage: Stage):
    document = shared_stage.client.get("/api/v1/openapi.json").get_json()
    assert document["info"].pop("version") == version("yacht-station")
    assert_recorded(Path(__file__).parent / "golden" / "openapi.json", document)


def test_every_command_is_described(shared_stage: Stage):
    mapping = openapi.describe(shared_stage.app)["paths"]["/commands"]["post"]["requestBody"]["content"][
        "application/json"
    ]
    assert set(mapping["schema"]["discriminator"]["mapping"]) == set(COMMANDS)


def test_every_reference_leads_somewhere(shared_stage: Stage):
    document = shared_stage.client.get("/api/v1/openapi.json").get_json()
    schemas = document["components"]["schemas"]

    def references(value: object) -> list[str]:
        if isinstance(value, dict):
            own = [value["$ref"]] if isinstance(value.get("$ref"), str) else []
            return own + [each for part in value.values() for each in references(part)]
        return [each for part in value for each in references(part)] if isinstance(value, list) else []

    found = references(document)
    assert found
    assert {each.removeprefix("#/components/schemas/") for each in found} <= set(schemas)
