"""A table at which a game has begun."""

import pytest

from station.table import Table
from tests.asking import do


@pytest.fixture
def table() -> Table:
    table = Table()
    do(table, {"command": "start_game", "players": ["Ana", "Ben"], "rules": "yacht-1938"})
    return table
