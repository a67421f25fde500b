"""Playing a game by commands, without a table around it."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from messages.errors import RefusalError
from station.contract.commands import AcceptRoll, Command, EnterRoll, ScoreBox, StartGame, on_offer
from station.contract.view import DeviceView, TableView
from station.game import snapshot as snapshots
from station.game.at_table import AtTable
from station.game.dice.sights import Sight, look, settled
from station.game.evolve import evolve
from station.game.log.slots import Seen
from station.game.log.state import State
from station.game.players.starting import Draw, first_of
from station.game.situation import Situation
from station.game.steps.start_game import PlayerAsked
from tests.game.deciding import decide
from tests.wording import in_words


def play(state: State, *commands: Command, sight: Sight | None = None, draw: Draw = first_of) -> State:
    for command in commands:
        for event in decide(state, command, sight, draw=draw):
            state = evolve(state, event)
    return state


def started(rules: str, *names: str | PlayerAsked) -> State:
    return play(State(), StartGame(players=names, rules=rules))


def turn(category: str, *faces: int) -> tuple[Command, Command]:
    return EnterRoll(faces=faces or (1, 2, 3, 4, 4)), ScoreBox(category=category)


def refused(state: State, command: Command, sight: Sight | None = None) -> tuple[str, str]:
    """Code and sentence with which a command is refused."""
    with pytest.raises(RefusalError) as caught:
        decide(state, command, sight)
    return caught.value.code, in_words(caught.value.message)


def refusal(state: State, command: Command, sight: Sight | None = None) -> str:
    return refused(state, command, sight)[0]


def row(*faces: int, at: float = 0.0) -> tuple[Seen, ...]:
    """Dice in a row, 100 px apart and 60 px wide; another `at` (px) is another lie of the dice."""
    return tuple(Seen(face, 100.0 + 100 * i, 200.0 + at, 60.0, "white") for i, face in enumerate(faces))


def seeing(
    state: State, *faces: int, at: float = 0.0, status: str = "ready", before: Sight | None = None
) -> Sight:
    """What the camera shows after one more reading of a row of dice."""
    return look(before or Sight(), status, (), row(*faces, at=at), state.since)


def moved(dice: tuple[Seen, ...], *places: int, by: float = 90.0) -> tuple[Seen, ...]:
    """The dice with those at these places (from 0) lying elsewhere."""
    return tuple(replace(die, y=die.y + by) if i in places else die for i, die in enumerate(dice))


def then(sight: Sight, state: State, dice: tuple[Seen, ...], status: str = "ready") -> Sight:
    return look(sight, status, (), dice, state.since)


TWO = started("yacht-1938", "Ana", "Ben")
READY = seeing(TWO, 1, 2, 3, 4, 5)
CONFIRMED = play(TWO, AcceptRoll(), sight=READY)
STILL = settled(READY)
ROLLING = seeing(CONFIRMED, status="moving", before=STILL)
"""A game of two: a roll on the tray, confirmed, seen on the tray since, and then dice that roll."""


def may(state: State, command: Command, sight: Sight | None = None) -> bool:
    """Whether the command would be carried out now."""
    try:
        decide(state, command, sight)
    except RefusalError:
        return False
    return True


def snapshot(
    state: State,
    sight: Sight | None = None,
    *,
    simulated: bool = False,
    at_table: Sequence[AtTable] = (),
    camera: DeviceView = snapshots.NO_DEVICE,
) -> TableView:
    """What screens show in this state."""
    now = Situation.of(state, sight, simulated=simulated, at_table=at_table)
    return snapshots.snapshot(now, commands=on_offer(now), camera=camera)
