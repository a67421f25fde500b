"""What may happen: a command in a state becomes events, or is refused with a code and a sentence."""

from collections.abc import Callable

from station.game.dice.sights import Sight
from station.game.log.state import State
from station.game.players import people
from station.game.players.starting import first_of
from station.game.situation import GameCommand, Situation
from station.game.steps import Event
from station.game.steps.start_game import Rematch, StartGame


def decided(now: Situation, command: GameCommand | StartGame | Rematch) -> tuple[Event, ...]:
    """The events that a command brings about; none when it changes nothing.

    Raises RefusalError with a stable code, BadInputError for rules there are not.
    """
    match command:
        case StartGame():
            house = now.house_text(command.rules)
            return people.start(now.state, command, now.sight, now.next_game(), house, now.draw)
        case Rematch():
            return people.rematch(now.state, command, now.sight, now.next_game(), now.draw)
        case _:
            return command.decide(now)


def decide(
    state: State,
    command: GameCommand | StartGame | Rematch,
    sight: Sight | None = None,
    *,
    game: int = 1,
    house: str = "",
    draw: Callable[[int], int] = first_of,
) -> tuple[Event, ...]:
    """The same in a state. sight: what the camera shows. game: the number a new game would get.

    house: the text of the house rules that `start_game` names, if they are such. draw: a number from 0 to
    below the one given, by chance.
    """
    now = Situation.of(state, sight, next_game=lambda: game, house_text=lambda _: house, draw=draw)
    return decided(now, command)
