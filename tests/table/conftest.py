"""A table at which a game has begun, and one with a roll; a store that is opened anew."""

from contextlib import ExitStack

import pytest

from station.store.store import Store
from station.table.table import Table
from tests.asking import do
from tests.table.helpers import X, empty, reading
from tests.trials import copies_tried_here

__all__ = ["copies_tried_here"]


@pytest.fixture
def table() -> Table:
    table = Table()
    do(table, {"command": "start_game", "players": ["Ana", "Ben"], "rules": "yacht-1938"})
    return table


@pytest.fixture
def confirmed(table):
    """Ana has confirmed 6-4-1-1-5; the dice lie there."""
    table.offer(empty())
    table.offer(reading(*X))
    do(table, {"command": "accept_roll"})
    return table


@pytest.fixture
def open_store(tmp_path):
    """Opens the store of one folder, anew each time."""
    with ExitStack() as opened:

        def made() -> Store:
            store = Store(tmp_path)
            opened.callback(store.close)
            return store

        yield made
