"""A written game played again: each event as the command that brings it about, to ask the rules."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import assert_never

from pydantic import ValidationError

from messages.errors import BadInputError, RefusalError
from station.contract import commands
from station.contract.commands import GameCommand
from station.contract.new_game import Stakes
from station.game import notation
from station.game.decide import decide
from station.game.log import events
from station.game.log.events import Event
from station.game.log.evolve import evolve
from station.game.log.state import Phase, State

SHOWN = 80
"""Letters of a wrong event that its sentence repeats."""


def steps(game: Iterable[tuple[int, Event]]) -> Iterator[tuple[Event, GameCommand | None, State]]:
    """Each event of one game with its command and the state after it.

    game: events with the number of their line. The command is None where the text has nothing that could be
    asked (a roll that was kept). Raises BadInputError `notation/no_event` for what no command can say (a die
    that shows 9), `notation/impossible` for what the rules do not allow, `notation/nothing` for what changes
    nothing, and `notation/one_game` for what is not one game.
    """
    state = State()
    for line, event in game:
        begins = isinstance(event, events.GameStarted)
        if begins == (state.phase is not Phase.LOBBY):
            raise BadInputError("notation/one_game", line=line)
        try:
            command = command_of(event)
        except ValidationError as error:
            text = notation.write((event,)).strip()
            raise BadInputError("notation/no_event", line=line, text=text[:SHOWN]) from error
        try:
            if command is not None and not decide(state, command, house=getattr(event, "house", "")):
                raise BadInputError("notation/nothing", line=line)
            state = evolve(state, event)
        except RefusalError as refusal:
            raise BadInputError("notation/impossible", line=line, why=refusal.message) from refusal
        yield event, command, state


def command_of(event: Event) -> GameCommand | None:  # noqa: C901, PLR0911, PLR0912 - one line for each kind
    """What somebody would ask for this to happen; rolls are typed, for the dice have gone.

    >>> command_of(events.BoxScored("sixes")).category
    'sixes'
    >>> command_of(events.BoxAnnounced("twos")).category
    'twos'
    """
    match event:
        case events.GameStarted():
            return _start(event)
        case events.StarterThrown():
            return commands.EnterRoll(faces=(event.face,))
        case events.RollAccepted():
            return commands.EnterRoll(faces=tuple(die.face for die in event.dice))
        case events.DieCorrected():
            return commands.CorrectDie(slot=event.slot, face=event.face)
        case events.HeldSet():
            return commands.SetHeld(slots=event.slots)
        case events.CopyHeld():
            return commands.SetHeld(slots=event.slots, player=event.seat)
        case events.BoxAnnounced():
            return commands.AnnounceBox(category=event.category)
        case events.ChoosingBegun():
            return commands.Choose()
        case events.BoxChosen():
            return commands.ScoreBox(category=event.category, player=event.seat)
        case events.PlayerReady():
            return commands.Ready(player=event.seat)
        case events.PlayerUnready():
            return commands.Unready(player=event.seat)
        case events.BoxScored():
            return commands.ScoreBox(category=event.category, slots=event.slots or None)
        case events.BoxCorrected():
            corrected = commands.CorrectBox(
                player=event.seat, category=event.category, faces=event.faces, force=True
            )
            return corrected.model_copy(update={"to": event.to or None})
        case events.PlayerAdded():
            return commands.AddPlayer(name=event.name)
        case events.PlayerRenamed():
            return commands.RenamePlayer(player=event.seat, name=event.name)
        case events.PlayerRemoved():
            return commands.RemovePlayer(player=event.seat)
        case events.PlayerMoved():
            return commands.MovePlayer(player=event.seat, to=event.to)
        case events.GameEnded():
            return commands.EndGame()
        case events.Undone():
            return commands.Undo()
        case events.RollKept():
            return None
        case _:
            assert_never(event)


def _start(event: events.GameStarted) -> commands.StartGame:
    """The request for a game; who was drawn, due or last is asked for by the seat."""
    players = [
        {
            "name": each.name,
            "computer": int(each.computer) if each.computer.isdigit() else each.computer or None,
            "members": each.members or None,
            "home": each.home or None,
            "handicap": each.handicap,
            "without_tray": each.without_tray,
        }
        for each in event.seats
    ]
    stakes = None
    if event.stakes:
        point, general, sign = event.stakes
        stakes = Stakes(per_point=point, big_general=None if general == "0" else general, currency=sign)
    starter = "throw" if event.starter == "throw" else event.first or None
    asked = {"players": players, "rules": event.rules, "starter": starter, "stakes": stakes}
    return commands.StartGame.model_validate(asked)


def renumbered(log: Iterable[Event], game: int, previous: int) -> tuple[Event, ...]:
    """The events as those of a game of that number, after another."""
    return tuple(
        replace(event, game=game, previous=previous) if isinstance(event, events.GameStarted) else event
        for event in log
    )
