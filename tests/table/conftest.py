"""A table at which a game has begun."""

import pytest

from station.table import Table
from tests.asking import do
from tests.wording import every_message_has_words

__all__ = ["every_message_has_words"]


@pytest.fixture
def table() -> Table:
    table = Table()
    do(table, {"command": "start_game", "players": ["Ana", "Ben"], "rules": "yacht-1938"})
    return table
