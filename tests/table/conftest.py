"""A table at which a game has begun."""

import pytest

from station.table import Table


@pytest.fixture
def table() -> Table:
    table = Table()
    table.execute({"command": "start_game", "players": ["Ana", "Ben"], "rules": "yacht-1938"})
    return table
