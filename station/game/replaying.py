"""A written game played again: each event as the command that brings it about, to ask the rules."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from pydantic import ValidationError

from messages.errors import BadInputError, RefusalError
from station.game import notation
from station.game.events import Event, GameStarted
from station.game.evolve import evolve
from station.game.log.state import Phase, State
from station.game.situation import GameCommand, Situation
from station.game.steps.end_game import EndGame, GameEnded


def steps(game: Iterable[tuple[int, Event]]) -> Iterator[tuple[Event, GameCommand | None, State]]:
    """Each event of one game with its command and the state after it.

    game: events with the number of their line. The command is None for an event without one (a roll that was
    kept). Raises BadInputError `notation/no_event` for an event that no command gives (a die that shows 9),
    `notation/impossible` for one against the rules, `notation/nothing` for one that changes nothing, and
    `notation/one_game` for events of none or several games.
    """
    state = State()
    for line, event in game:
        begins = isinstance(event, GameStarted)
        if begins == (state.phase is not Phase.LOBBY):
            raise BadInputError("notation/one_game", line=line)
        try:
            command = event.command()
        except ValidationError as error:
            text = notation.write((event,)).strip()
            raise BadInputError("notation/no_event", line=line, text=text[: notation.SHOWN]) from error
        try:
            if command is not None and not command.decide(_at(state, event)):
                raise BadInputError("notation/nothing", line=line)
            state = evolve(state, event)
            if isinstance(event, GameEnded):  # an older text leaves it to the points who has won
                command = EndGame(winners=state.winners)
        except RefusalError as refusal:
            raise BadInputError("notation/impossible", line=line, why=refusal.message) from refusal
        yield event, command, state


def _at(state: State, event: Event) -> Situation:
    """The situation for this event's command: an empty tray, and the event's own house rules."""
    return Situation.of(state, house_text=lambda _: getattr(event, "house", ""))


def renumbered(log: Iterable[Event], game: int, previous: int) -> tuple[Event, ...]:
    """The events as those of a game of that number, after another."""
    return tuple(
        replace(event, game=game, previous=previous) if isinstance(event, GameStarted) else event
        for event in log
    )
