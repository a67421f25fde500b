"""The hooks by which a way of playing or an aid extends the game (`station/features/`)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Concatenate, Literal, ParamSpec, TypeVar

from messages.errors import RefusalError
from messages.message import Message
from station.contract.area import Area
from station.contract.command import Command
from station.contract.new_game import StarterWord
from station.contract.paper import Layout
from station.contract.view import TableView, Text
from station.game.dice.sights import Sight
from station.game.dice.tray import Offer
from station.game.log.event import Event
from station.game.log.options import GameOption, Option, SeatOption
from station.game.log.player import Player, Seat
from station.game.log.state import State
from station.game.past import PastQuestion, PastTable
from station.rules import RuleSet

if TYPE_CHECKING:
    from station.config import Config
    from station.config.group import Group
    from station.game.at_table import AtTable
    from station.game.situation import GameCommand, Situation
    from station.running import Running
    from station.store.archive import FinishedGame
    from station.store.event_log import EventLog
    from station.strategy.values.hints import HoldValue

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Start:
    """A requested game: its rules, who sits where, and how the starter is chosen."""

    rules: RuleSet
    seats: tuple[Seat, ...]
    starter: StarterWord | int | None = None

    def anybody(self, option: Option[Any]) -> bool:
        """Whether a seat has something else than usual there."""
        return any(option.of(seat) != option.usual for seat in self.seats)


@dataclass(frozen=True, slots=True)
class PlayedStep:
    """A step at this table, or from the station that keeps the game.

    states: before, and after each event. events: empty where only the states are known. number: another one
    for each step.
    """

    events: Sequence[Event]
    states: Sequence[State]
    number: int


@cache
def implementing(hook: Callable[..., Any]) -> "tuple[Feature, ...]":
    """The features that implement a hook. hook: of `Feature`, such as `Feature.names`."""
    return tuple(each for each in features() if getattr(type(each), hook.__name__) is not hook)


def first_result(
    hook: Callable[Concatenate["Feature", P], T | None], *args: P.args, **kwargs: P.kwargs
) -> T | None:
    """The first result of a feature that is not None."""
    for feature in implementing(hook):
        result: T | None = getattr(feature, hook.__name__)(*args, **kwargs)
        if result is not None:
            return result
    return None


def areas() -> tuple[Area, ...]:
    """Parts of the tray that people mark."""
    return tuple(each.area for each in features() if each.area)


def ahead() -> tuple[Message, ...]:
    """The labels of the sheet's rows of points that players began with."""
    return tuple(each.ahead for each in features() if each.ahead)


def buttons_from(view: TableView) -> int:
    """The slot of the die for which the first hold button acts."""
    return max((feature.buttons_from(view) for feature in implementing(Feature.buttons_from)), default=1)


@dataclass(frozen=True, slots=True)
class Call:
    """The call of a great throw. words: as a sentence; name: its name, if it has one."""

    kind: Literal["yacht", "straight", "last_throw"]
    words: Text
    name: Text | None = None


@cache
def features() -> "tuple[Feature, ...]":
    """All listed features; imported late, since they build on the game."""
    from station.features.listed import FEATURES  # noqa: PLC0415

    return FEATURES


class Feature:
    """A feature of the game; every method has a default, which changes nothing.

    events, commands: those it adds. phases: what the table
    can be at besides. kinds: of the happenings it publishes.
    table_view, player_view, past_view, column_view, hint_view, calibration_view: the fields it adds to the
    views of the table, of each player, of a past game, of a player in it, of a hint and of a calibration
    (`WithParts.part`). area: of the tray, which people mark. ahead: what the row of points is called with
    which a player began. questions: about past games. layouts: of empty sheets on paper, by their names.
    starter: the word by which people ask it to find out who starts. at_table: what it knows at a table, where
    it knows something there.
    rules_fields: the fields it adds to the view of a rule set, each with the function that gives its value.
    settings: a model whose fields are its groups of the settings file; taken: by group, those that another
    machine's file may bring. files: those of the data folder that belong to one log: no copy has them, and
    they go where another log comes.
    first_noted: what it shows of the last step before there was one; a `table_view`, or None where it notes
    nothing of steps.
    """

    events: ClassVar[Sequence[type[Event]]] = ()
    commands: ClassVar[Sequence[type[Command]]] = ()
    phases: ClassVar[Sequence[StrEnum]] = ()
    kinds: ClassVar[Sequence[StrEnum]] = ()
    game_options: ClassVar[Sequence[GameOption[Any]]] = ()
    seat_options: ClassVar[Sequence[SeatOption[Any]]] = ()
    starter: ClassVar[str] = ""
    table_view: ClassVar[type | None] = None
    player_view: ClassVar[type | None] = None
    past_view: ClassVar[type | None] = None
    column_view: ClassVar[type | None] = None
    hint_view: ClassVar[type | None] = None
    calibration_view: ClassVar[type | None] = None
    area: ClassVar[Area | None] = None
    ahead: ClassVar[Message | None] = None
    layouts: ClassVar[Mapping[str, Layout]] = MappingProxyType({})
    questions: ClassVar[Sequence[PastQuestion[Any, Any]]] = ()
    rules_fields: ClassVar[Mapping[str, tuple[Any, Callable[[RuleSet], object]]]] = MappingProxyType({})
    at_table: ClassVar["type[AtTable] | None"] = None
    settings: ClassVar["type[Group] | None"] = None
    taken: ClassVar[Mapping[str, Sequence[str]]] = MappingProxyType({})
    files: ClassVar[Sequence[str]] = ()
    first_noted: ClassVar[object | None] = None

    def check(self, start: Start) -> None:
        """Raise RefusalError where such a game cannot be begun."""

    def run(self, config: "Config", store: "EventLog") -> "Running | None":
        """Start its part of a station with these settings, if any. store: of the station's own games."""
        del config, store
        return None

    def begun(self, state: State) -> State:
        """The game at its start."""
        return state

    def seated(self, player: Player) -> Player:
        """The player at the start of the game."""
        return player

    def nobody(self, seat: Seat | Player) -> bool:
        """Whether no person plays there."""
        del seat
        return False

    def names(self, player: Player) -> tuple[str, ...]:
        """People who share the seat."""
        del player
        return ()

    def thrower(self, state: State) -> Message | None:
        """The thrower of this turn, in words; None where that is the active player."""
        del state
        return None

    def waits_for(self, now: "Situation") -> Message | None:
        """The sentence for what the station waits for, where the feature has its own; else None."""
        del now
        return None

    def check_roll(self, state: State) -> None:
        """Raise RefusalError where the active player cannot throw yet."""

    def refusals(self, state: State, categories: Sequence[str]) -> Mapping[str, RefusalError]:
        """The boxes among these that this turn cannot fill, each with the reason."""
        del state, categories
        return {}

    def check_moved(self, rules: RuleSet, category: str, throw: int) -> None:
        """Raise RefusalError where what was thrown by that throw cannot have gone to that box."""

    def corrected(self, state: State) -> State:
        """The state after a box was set right."""
        return state

    def bound(self, state: State) -> str:
        """The one box to which the turn is bound; empty for none."""
        del state
        return ""

    def bind(self, state: State, category: str, *, force: bool) -> "GameCommand | None":
        """The command that binds the turn to that box, if there is one. force: whatever is in the tray."""
        del state, category, force
        return None

    def unadvised(self, state: State) -> bool:
        """Whether the turn differs from the rules, so that there is no advice for it."""
        del state
        return False

    def waits(self, state: State, what: Message) -> Message:
        """The sentence for what the active player should do, with what the feature adds to it."""
        del state
        return what

    def buttons_from(self, view: TableView) -> int:
        """The slot of the die for which the first hold button acts; the others act for those that follow."""
        del view
        return 1

    def pulses(self, view: TableView) -> bool:
        """Whether the lamp of Confirm says that more than Confirm is possible."""
        del view
        return False

    def follow_sight(self, state: State, sight: Sight) -> "tuple[Sight, GameCommand | None] | None":
        """The consequences of a sight: the sight to go on with, and a command to carry out."""
        del state, sight
        return None

    def settled(self, state: State, sight: Sight) -> Sight:
        """The sight after a step."""
        del state
        return sight

    def held_with(self, offer: Offer) -> tuple[int, ...]:
        """Slots of dice that are held as soon as that throw counts."""
        del offer
        return ()

    def wrong(self, state: State, offer: Offer) -> Message | None:
        """A problem in the tray that keeps the throw from counting."""
        del state, offer
        return None

    def of_table(self, now: "Situation") -> object | None:
        """Its part of the screens' view, a `table_view`; None if it has none."""
        del now
        return None

    def noted(self, step: PlayedStep, last: Any) -> Any:
        """Its part of the screens' view of the last step. last: its part for the step before."""
        del step
        return last

    def call(self, step: PlayedStep) -> Call | None:
        """The call of a throw in that step."""
        del step
        return None

    def of_roll(self, before: State, after: State) -> Iterable[tuple[StrEnum, Mapping[str, Any]]]:
        """Further happenings to publish after a counted or corrected roll: kinds and values."""
        del before, after
        return ()

    def of_player(self, state: State, player: Player) -> object | None:
        """Its part of the view of a player; a `player_view`."""
        del state, player
        return None

    def of_hint(self, best: "HoldValue | None") -> object:
        """Its part of the view of a hint; a `hint_view`. best: the dice to hold, if there are any."""
        del best
        return None

    def of_past(self, end: State) -> object | None:
        """Its part of the view of a past game; a `past_view`. end: how the game ended."""
        del end
        return None

    def of_column(self, ahead: int) -> object:
        """Its part of the view of a player in a past game; a `column_view`. ahead: points at the start."""
        del ahead
        return None

    def beside(self, game: "FinishedGame", before: "Sequence[FinishedGame]") -> PastTable | None:
        """A table below a past game. before: the games before it, the latest first."""
        del game, before
        return None

    def at_end(self, end: State) -> tuple[Message, ...]:
        """The same in sentences."""
        del end
        return ()
