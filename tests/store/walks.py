"""Games at random, in which much is begun and taken back."""

import random

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
from station.game.evolve import evolve
from station.game.log.state import State
from station.store import Store
from tests.game.deciding import decide


def walk(store: Store, seed: int, steps: int) -> dict[int, State]:
    """Play at random, with many games begun and taken back; the state after each event that ended a step."""
    chance, state = random.Random(seed), State()
    found = {0: state}
    for _ in range(steps):
        events = _decided(state, _asked(state, chance), store.next_game())
        for event in events:
            state = evolve(state, event)
        if events:
            store.append(events, state)
            found[store.last_event()] = state
    return found


def _asked(state: State, chance: random.Random) -> Command:
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


def _decided(state: State, command: Command, game: int):
    try:
        return decide(state, command, game=game)
    except RefusalError:
        return ()
