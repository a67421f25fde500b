"""Asking a table as a program would: commands as the bodies of requests, the state as JSON in English."""

from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter

from station.contract.commands import CommandBody
from station.contract.invalid import checked
from station.contract.view import as_json
from station.table.table import Table

COMMAND: TypeAdapter[Any] = TypeAdapter(CommandBody)


def parse(body: Mapping[str, Any]) -> Any:
    """The command of a request."""
    return checked(COMMAND, dict(body))


def do(table: Table, command: Mapping[str, Any]) -> dict[str, Any]:
    """Carry out a command; gives the new state."""
    state: dict[str, Any] = as_json(table.execute(parse(command)))
    return state


def shown(table: Table) -> dict[str, Any]:
    """The state now."""
    state: dict[str, Any] = as_json(table.snapshot())
    return state
