"""Two homes, one game: who throws where, and what may be done on which side.

Pure. One station keeps the game; it is the host, and its home is "". The other has the same events, and so
the same state; it decides what happens before its own camera, and the host writes that down.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from messages.errors import RefusalError
from messages.message import Message
from station.contract import commands
from station.contract.commands import AnyCommand, PlayerAsked
from station.contract.view import TableView, TrayView
from station.game import events
from station.game.decide import decide
from station.game.events import Event, RollAccepted
from station.game.owners import NOBODY
from station.game.replaying import command_of
from station.game.state import Phase, State, evolve
from station.game.tray import NOTHING_FIXED, Sight

TURN = (
    commands.AcceptRoll,
    commands.EnterRoll,
    commands.CorrectDie,
    commands.NotADie,
    commands.MissedDie,
    commands.ReadAgain,
    commands.SetHeld,
    commands.KeepRoll,
    commands.ScoreBox,
    commands.AnnounceBox,
    commands.Choose,
    commands.Throw,
    commands.LayDie,
)
"""What is done where the active player throws, and nowhere else."""
GUEST = (*TURN, commands.Undo, commands.Press, commands.ChangeBank)
"""All that can be done at a station that plays along."""
ALONE = (commands.EndGame, commands.RemovePlayer)
"""What the host can do while the line is broken: nobody has to wait for ever."""
Throws = Mapping[str, TrayView]
"""The last throw before the camera of each home."""
FROM_GUEST = (
    events.StarterThrown,
    events.RollAccepted,
    events.RollKept,
    events.DieCorrected,
    events.HeldSet,
    events.BoxAnnounced,
    events.ChoosingBegun,
    events.BoxScored,
    events.Undone,
)


def shared(state: State) -> bool:
    """Whether somebody plays along in another home."""
    return state.running and any(player.home and not player.gone for player in state.players)


def elsewhere(state: State, home: str) -> bool:
    """Whether the dice of this turn are thrown in another home than this."""
    return state.running and not state.simultaneous and state.player.home != home


def eyes(state: State, home: str, sight: Sight) -> Sight:
    """What the camera here has to say to the game: nothing, while the dice are thrown elsewhere."""
    if not elsewhere(state, home):
        return sight
    return replace(sight, status="empty", reasons=(), seen=(), kept=(), fixes=NOTHING_FIXED, thrown_from=None)


def after_restart(state: State, sight: Sight) -> Sight:
    """The sight a station starts with: the log does not say on which tray dice lay, so these are nobody's."""
    return replace(sight, rested=(), owners={}, began=NOBODY) if shared(state) else sight


def check_seats(state: State, guests: Sequence[str], asked: AnyCommand) -> None:
    """Raise RefusalError for a game with somebody in a home that does not play along here."""
    wanted: set[str] = set()
    if isinstance(asked, commands.StartGame) and asked.players is not None:
        wanted = {each.home for each in asked.players if isinstance(each, PlayerAsked) and each.home}
    elif isinstance(asked, commands.StartGame | commands.Rematch):
        wanted = {player.home for player in state.players if player.home and not player.gone}
    for home in sorted(wanted.difference(guests)):
        raise RefusalError("homes/unknown", home=home)


def check(state: State, home: str, line: Message | None, asked: AnyCommand) -> None:
    """Raise RefusalError for what cannot be done in this home, or while the line is broken."""
    if home and not isinstance(asked, GUEST):
        raise RefusalError("homes/host_only")
    if line is not None and (home or shared(state)) and not isinstance(asked, ALONE):
        raise RefusalError(line, code="homes/line")
    if isinstance(asked, TURN) and elsewhere(state, home):
        raise RefusalError("homes/not_here", name=state.player.name)


def shown(view: TableView, state: State, home: str, line: Message | None, last: Throws) -> TableView:
    """What the screens of this home show: what is waited for, what can be done here, both last throws."""
    if not home and not any(player.home for player in state.players):
        return view
    able = {name for name in view.commands if _may(state, home, line, name)}
    waiting = view.waiting_for
    if line is not None and (home or shared(state)):
        waiting = line
    elif home and state.phase is Phase.LOBBY:
        waiting = Message("homes/lobby")
    elif elsewhere(state, home):
        waiting = Message("homes/throws_there", name=state.player.name)
    return replace(
        view,
        waiting_for=waiting,
        commands=tuple(name for name in view.commands if name in able),
        trays=tuple(last[key] for key in sorted(last)),
    )


def _may(state: State, home: str, line: Message | None, name: str) -> bool:
    asked: Any = commands.COMMANDS[name].model_construct()
    try:
        check(state, home, line, asked)
    except RefusalError:
        return False
    return True


def noted(known: Throws, event: Event, before: State) -> Throws:
    """The last throw of each home after one more event. before: the state then."""
    if isinstance(event, events.GameStarted):
        return {}
    if not isinstance(event, RollAccepted):
        return known
    player = before.player
    told = TrayView(player.home or None, player.name, tuple(die.face for die in event.dice), event.drawn)
    return {**known, player.home: told}


def last_throws(past: Sequence[Event]) -> Throws:
    """The same of all events that stand; nothing where nobody plays in another home."""
    found: Throws = {}
    if any(isinstance(event, events.GameStarted) and event.homes for event in past):
        state = State()
        for event in past:
            found, state = noted(found, event, state), evolve(state, event)
    return found


def checked(state: State, home: str, told: Sequence[Event]) -> State:
    """The state after events that another home has decided on, by the same rules as here.

    Raises RefusalError for what is not theirs to say, or what the rules do not allow.
    """
    for event in told:
        if not isinstance(event, FROM_GUEST) or (
            not isinstance(event, events.Undone) and (not shared(state) or state.player.home != home)
        ):
            raise RefusalError("homes/not_theirs", kind=event.kind)
        asked = command_of(event)
        found = () if asked is None else decide(state, asked)
        if asked is not None and not found:
            raise RefusalError("homes/not_theirs", kind=event.kind)
        if isinstance(event, RollAccepted):
            _same_dice(event, found)
        state = evolve(state, event)
    return state


def _same_dice(told: RollAccepted, found: Sequence[Event]) -> None:
    """Raise RefusalError unless the rules make the same dice of the faces that are told."""
    dice = [(die.slot, die.face) for each in found if isinstance(each, RollAccepted) for die in each.dice]
    if dice != [(die.slot, die.face) for die in told.dice]:
        raise RefusalError("homes/not_theirs", kind=told.kind)
