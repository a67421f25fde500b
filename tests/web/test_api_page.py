"""docs/api.md names every command with its fields, and every address; and none that is not there."""

import re

import pytest

from station.contract.commands import COMMANDS, Command
from tests.conftest import ROOT
from tests.web.helpers import Stage
from web.core.openapi import describe

PAGE = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")


@pytest.mark.needs_feature
def test_commands():
    documented: dict[str, set[str]] = {}
    for line in PAGE.partition("| command | fields | effect |")[2].partition("\n\n")[0].splitlines()[2:]:
        names, fields, _ = line.strip("|").split("|")[:3]
        for name in re.findall(r"`(\w+)`", names):
            documented[name] = set(re.findall(r"`(\w+)`", fields))
    defined = {
        name: set(model.model_fields) - set(Command.model_fields) - {"command"}
        for name, model in COMMANDS.items()
    }
    assert documented == defined


def test_addresses():
    page = re.sub(r"/(N|ID|KEY|\d+)\b", "", PAGE)
    paths = {re.sub(r"/\{\w+\}", "", path) for path in describe(Stage().app)["paths"]}
    assert [path for path in paths if path not in page] == []
    assert set(re.findall(r"/api/v1(/[a-z./-]+)", page)) <= paths
