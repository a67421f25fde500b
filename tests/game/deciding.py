"""What a command of the game brings about, without a table around it."""

from station.game.dice.sights import Sight
from station.game.log.event import Event
from station.game.log.state import State
from station.game.players.starting import Draw, first_of
from station.game.situation import GameCommand, Situation


def decide(
    state: State,
    command: GameCommand,
    sight: Sight | None = None,
    *,
    game: int = 1,
    house: str = "",
    draw: Draw = first_of,
) -> tuple[Event, ...]:
    """The events that a command brings about in that state."""
    now = Situation.of(state, sight, next_game=lambda: game, house_text=lambda _: house, draw=draw)
    return command.decide(now)
