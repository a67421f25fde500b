"""How things stood after any event, as who is told of the log has to know it."""

from contextlib import closing

import pytest

from station.game.log.state import State
from station.table.table import Table
from tests.asking import do
from tests.store.helpers import a_month_later
from tests.store.stores import NOON, begin, folder, opened
from tests.store.walks import walk

__all__ = ["folder", "opened"]


@pytest.mark.parametrize("seed", range(8))
def test_the_state_after_any_event_is_that_of_playing_all_of_it(opened, folder, seed):
    """Undo reaches over starts that were taken back themselves: how far is no matter of numbers of games."""
    store = opened(folder)
    for number, state in walk(store, seed, steps=30).items():
        assert store.state_after(number) == state, number


def test_of_a_game_that_was_forgotten_nothing_stands(opened, folder):
    store = opened(folder)
    table = Table(store)
    begin(table, "Ana")
    do(table, {"command": "enter_roll", "faces": [1, 2, 3, 4, 4]})
    within = store.last_event()
    for _ in range(2):
        do(table, {"command": "end_game"})
        do(table, {"command": "rematch"})
    assert store.delete_game(1)
    store.close()
    with closing(a_month_later(folder, NOON)) as later:
        assert later.state_after(within) == State()
        assert later.state_after(later.last_event()) == table.moment()[1]
