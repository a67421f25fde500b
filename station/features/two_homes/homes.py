"""Two homes, one game: who throws where, and what may be done on which side.

Pure. One station keeps the game; it is the host, and its home is "". The other has the same events, and so
the same state; it decides what happens before its own camera, and the host writes that down.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import takewhile
from typing import Self

from messages.errors import BadInputError, RefusalError
from messages.message import Message
from station.contract.command import Command, Whose
from station.features.two_homes import fair_throw
from station.features.two_homes.last_throws import LastThrows, Question
from station.features.two_homes.option import HOME, WITHOUT_TRAY
from station.game.at_table import AtTable
from station.game.evolve import UNPLAYABLE, evolve, replay
from station.game.log.event import Event, SeatEvent
from station.game.log.state import Phase, State
from station.game.situation import Situation, granted
from station.game.steps.accept_roll import RollAccepted
from station.game.steps.correct_box import CorrectBox
from station.game.steps.end_game import EndGame
from station.game.steps.remove_player import RemovePlayer
from station.game.steps.undo import Undo
from station.game.way import WAY

THROWS = (Whose.TRAY, Whose.TURN)
"""Commands for the home where the active player throws, and nowhere else."""

WITHOUT_LINE = (EndGame, RemovePlayer)
"""Commands of the host while the line is broken, so that nobody has to wait for ever."""


def shared(state: State) -> bool:
    """Whether somebody plays along in another home."""
    return state.running and any(HOME.of(player) and not player.gone for player in state.players)


def plays(state: State, home: str) -> bool:
    """Whether somebody plays in that home in the game that stands there, which may be over."""
    return any(HOME.of(player) == home and not player.gone for player in state.players)


def drawing(state: State) -> bool:
    """Whether the active player has no tray, and both stations draw the dice together."""
    return state.running and WAY.of(state).in_turns and WITHOUT_TRAY.of(state.player)


@dataclass(frozen=True, slots=True)
class Home(AtTable):
    """One of the homes: what may be done in it, and what its screens show.

    name: "" where the game is kept. guests: the stations that may play along here. fair: has the station that
    keeps the game draw a throw together with this one; tell: sends it a question about a throw; None
    where this one keeps the game. line: what is wrong with the line to the other; None while it stands.
    throwing: both stations draw a throw just now. throws: the last throw of each home.
    """

    name: str = ""
    guests: tuple[str, ...] = ()
    fair: Callable[[fair_throw.FairThrow], fair_throw.Secrets] = fair_throw.alone
    tell: Callable[[Question], object] | None = None
    line: Message | None = None
    throwing: bool = False
    throws: LastThrows = field(default_factory=LastThrows)

    def elsewhere(self, state: State) -> bool:
        """Whether the dice of this turn are thrown in another home than this."""
        return state.running and WAY.of(state).in_turns and HOME.of(state.player) != self.name

    def away(self, state: State) -> bool:
        """While they lie in another home, or are drawn."""
        return self.elsewhere(state) or drawing(state)

    def tray_unknown(self, state: State) -> bool:
        """Whether the tray's owner is unknown: a guest's log may arrive before the first picture."""
        return bool(self.name) or shared(state)

    def followed(self, event: Event, before: State, after: State) -> Self:
        """The value after that event, which may be a throw."""
        return replace(self, throws=self.throws.followed(event, before, after))

    def recalled(self, state: State) -> Self:
        """The value with the last throws of that game."""
        return replace(self, throws=self.throws.recalled(state))

    def check(self, state: State, command: Command) -> None:
        """Raise RefusalError for what cannot be done here, with these players or without the line."""
        self._check_here(state, command)
        for home in sorted(_homes_wanted(state, command).difference(self.guests)):
            raise RefusalError("homes/unknown", home=home)

    def _check_here(self, state: State, command: Command) -> None:
        if self.name and not command.whose.everywhere:
            raise RefusalError("homes/host_only")
        if self.throwing:
            raise RefusalError("homes/throwing")
        if (waiting := self._waiting(state)) is not None and not isinstance(command, WITHOUT_LINE):
            raise RefusalError(waiting, code="homes/line")
        if command.whose in THROWS and self.elsewhere(state):
            raise RefusalError("homes/not_here", name=state.player.name)
        if command.whose is Whose.TRAY and drawing(state):
            raise RefusalError("homes/drawn", name=state.player.name)
        if isinstance(command, Undo):
            self._check_undo(state)
        if isinstance(command, CorrectBox):
            _check_faces(state, command)

    def _check_undo(self, state: State) -> None:
        if self.name and not plays(state, self.name):
            raise RefusalError("homes/host_only")
        if _stays(state):
            raise RefusalError("homes/stays")

    def offered(self, state: State, kinds: Sequence[type[Command]]) -> Sequence[type[Command]]:
        """Commands that do not depend on the home, and those possible in it."""
        if self.alone(state):
            return kinds
        return [kind for kind in kinds if granted(partial(self._check_here, state, kind.model_construct()))]

    def waits_for(self, state: State) -> Message | None:
        """The sentence for what the station waits for; None for the usual one."""
        if self.alone(state):
            return None
        if (waiting := self._waiting(state)) is not None:
            return waiting
        if self.name and state.phase is Phase.LOBBY:
            return Message("homes/lobby")
        if self.throwing:
            return Message("homes/throwing")
        if self.elsewhere(state):
            return Message("homes/throws_there", name=state.player.name)
        return None

    def alone(self, state: State) -> bool:
        """Whether nobody plays in another home, so that nothing follows from where one plays."""
        here = not self.name and not self.throwing
        return here and not any(HOME.of(player) for player in state.players)

    def _waiting(self, state: State) -> Message | None:
        """The problem of the connection, if the game waits for it."""
        return self.line if self.name or shared(state) else None


def _stays(state: State) -> bool:
    """Whether the last step is a throw that both stations drew: who could take it back could choose."""
    return bool(state.past) and fair_throw.is_fair(state.past[-1])


def _check_faces(state: State, command: CorrectBox) -> None:
    """Raise RefusalError where drawn dice were to show something else; into another box they may go."""
    wanted = vars(command).get("player")  # of a command that is only looked at, there are no fields
    for seat, player in enumerate(state.players):
        for filling in player.fillings if seat == wanted and WITHOUT_TRAY.of(player) else ():
            if filling.category == command.category and sorted(filling.faces) != sorted(command.faces):
                raise RefusalError("homes/drawn", name=player.name)


def _homes_wanted(state: State, command: Command) -> set[str]:
    """The other homes that somebody plays in, in the game that is to begin."""
    if command.whose is not Whose.ANYBODY:
        return set()
    named = vars(command).get("players")  # who begins another game of the same people names nobody
    if named is not None:
        return {home for each in named if not isinstance(each, str) and (home := HOME.value_in(each))}
    return {HOME.of(player) for player in state.players if HOME.of(player) and not player.gone}


def mirrored(known: Sequence[Event], past: Sequence[Event]) -> State | None:
    """The state after the events that stand in the other home; None where these are known already.

    Dice know their event by identity: those that are known stay the same, also where the log has rounded the
    places of dice. Raises BadInputError for events that are no game, or one whose rules nobody knows here.
    """
    same = sum(1 for _ in takewhile(_alike, zip(known, past, strict=False)))
    if same == len(known) == len(past):
        return None
    try:
        return replay((*known[:same], *past[same:]))
    except BadInputError as error:
        raise BadInputError("homes/version") from error
    except UNPLAYABLE as error:
        raise BadInputError("homes/odd") from error


def _alike(pair: tuple[Event, Event]) -> bool:
    one, other = pair
    return one == other or one.to_json() == other.to_json()


def checked(state: State, home: str, events: Sequence[Event]) -> State:
    """The state after events that another home has decided on, by the same rules as here.

    Raises RefusalError for what is not theirs to say, or what the rules do not allow; BadInputError where
    there are none.
    """
    if not events:
        raise BadInputError("homes/odd")
    for event in events:
        if not _may_say(state, home, event):
            raise RefusalError("homes/not_theirs", kind=event.kind)
        state = evolve(state, event)
    return state


def _may_say(state: State, home: str, event: Event) -> bool:
    """Whether the home may send this event now, and a command gives it. Raises RefusalError."""
    undoes = event.takes_back
    theirs = plays(state, home) if undoes else shared(state) and HOME.of(state.player) == home
    drawn = isinstance(event, RollAccepted) and (event.drawn or event.secrets)
    try:
        command = event.command()
    except ValueError:  # no command brings that about
        return False
    whose = Whose.TRAY if command is None else command.whose
    chosen = whose is Whose.TRAY and drawing(state)
    if not whose.everywhere or isinstance(event, SeatEvent) or not theirs or drawn or chosen:
        return False
    if undoes and _stays(state):
        raise RefusalError("homes/stays")
    found = () if command is None else command.decide(Situation.of(state))
    return _dice(found) == _dice([event]) and (command is None or bool(found))


def _dice(events: Sequence[Event]) -> list[tuple[int, int]]:
    """Slot and face of all dice that are rolled."""
    return [(die.slot, die.face) for each in events if isinstance(each, RollAccepted) for die in each.dice]
