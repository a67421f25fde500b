"""How things stood after any event, as who is told of the log has to know it."""

import random
from contextlib import closing
from datetime import timedelta

import pytest

from messages.errors import RefusalError
from station.contract.commands import (
    AddPlayer,
    Command,
    EndGame,
    EnterRoll,
    Rematch,
    ScoreBox,
    StartGame,
    Undo,
)
from station.game.decide import decide
from station.game.log.evolve import evolve
from station.game.log.state import State
from station.store import Store
from station.table import Table
from tests.asking import do
from tests.store.stores import NOON, begin, folder, opened

__all__ = ["folder", "opened"]


def stood(store: Store, seed: int, steps: int) -> dict[int, State]:
    """Play at random, with many games begun and taken back; the state after each event that ended a step."""
    chance, state = random.Random(seed), State()
    found = {0: state}
    for _ in range(steps):
        events = decided(state, asked(state, chance), store.next_game())
        for event in events:
            state = evolve(state, event)
        if events:
            store.append(events, state)
            found[store.last_event()] = state
    return found


def asked(state: State, chance: random.Random) -> Command:
    """What leads to finished games soon, and back over the starts of the next ones."""
    if chance.random() < (0.5 if state.running and not state.throws_done else 0.2):
        return Undo()
    if not state.running:
        start = StartGame(players=("Ana", "Ben"), rules="yacht-1938")
        return chance.choice((start, Rematch(), Rematch(), AddPlayer(name="Cleo")))
    if state.throws_done:
        return ScoreBox(category=chance.choice(state.played.categories))
    if chance.random() < 0.7:
        return EndGame()
    return EnterRoll(faces=tuple(chance.choices(range(1, 7), k=5)))


def decided(state: State, command: Command, game: int):
    try:
        return decide(state, command, game=game)
    except RefusalError:
        return ()


@pytest.mark.parametrize("seed", range(8))
def test_the_state_after_any_event_is_that_of_playing_all_of_it(opened, folder, seed):
    """Undo reaches over starts that were taken back themselves: how far is no matter of numbers of games."""
    store = opened(folder)
    for number, state in stood(store, seed, steps=30).items():
        assert store.state_after(number) == state, number


def test_of_a_game_that_was_forgotten_nothing_stands(opened, folder):
    """Who was away for a month is told what came after it."""
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
    with closing(Store(folder, now=lambda: NOON + timedelta(days=31))) as later:
        assert later.state_after(within) == State()
        assert later.state_after(later.last_event()) == table.moment()[1]
