"""What each screen may do, in few words of its own: read from docs/screens.md and docs/api.md alone."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from station.game.events import (
    BoxScored,
    ChoosingBegun,
    DieCorrected,
    Event,
    GameStarted,
    HeldSet,
    RollAccepted,
    RollKept,
    Undone,
)
from station.game.log.state import State

OF_A_TURN = (RollAccepted, RollKept, DieCorrected, HeldSet, ChoosingBegun, BoxScored)
ANNOUNCED = "box_announced"
ABOUT_THE_GAME = {"end_game", "correct_box", "remove_player", "move_player"}
"""With roles nobody's who plays; with a PIN the host's."""


@dataclass(frozen=True)
class Screen:
    """Who asks. seat: "" for none."""

    name: str
    seat: str = ""
    host: bool = False


@dataclass(frozen=True)
class House:
    """What the host has set. keeper: whose screens alone have the controls, "" for nobody's."""

    pin: bool = False
    roles: bool = False
    only_seated: bool = False
    keeper: str = ""


@dataclass(frozen=True)
class Moment:
    """How things stand between two steps.

    movers: of each event that stands, whose turn it was part of, "" for no turn. ahead: boxes filled since a
    turn was last taken back, None where none was in this game.
    """

    state: State
    movers: tuple[str, ...] = ()
    ahead: int | None = None

    @property
    def active(self) -> str:
        return self.state.player.name if self.state.running else ""

    def after(self, events: Sequence[Event], state: State) -> "Moment":
        """The next one, by what was written down."""
        now = self
        for event in events:
            now = now._followed(event)
        return replace(now, state=state)

    def _followed(self, event: Event) -> "Moment":
        if isinstance(event, Undone):
            back = not self.state.throws_done or self.state.phase == "finished"
            return replace(self, movers=self.movers[:-1], ahead=0 if back else self.ahead)
        mover = self.active if isinstance(event, OF_A_TURN) or event.kind == ANNOUNCED else ""
        ahead = None if isinstance(event, GameStarted) else self.ahead
        if isinstance(event, BoxScored) and ahead is not None:
            ahead += 1
        return replace(self, movers=(*self.movers, mover), ahead=ahead)


def goes_back(asked: Mapping[str, Any]) -> bool:
    return asked["command"] == "undo" or (asked["command"], asked.get("button")) == ("press", "undo")


def may(screen: Screen, house: House, asked: Mapping[str, Any], now: Moment) -> bool:
    """Whether that screen may ask for that, as things stand."""
    keeps = bool(screen.seat) and screen.seat == house.keeper
    if screen.host:
        return True
    if house.keeper and not keeps:
        return False
    if house.roles:
        return keeps or (bool(screen.seat) and _own(screen.seat, asked, now))
    if house.only_seated and not screen.seat:
        return False
    return not (house.pin and _protected(asked, now))


def _own(seat: str, asked: Mapping[str, Any], now: Moment) -> bool:
    """Where each plays the own seat."""
    command, state = asked["command"], now.state
    if command in ABOUT_THE_GAME:
        return False
    if command in {"start_game", "rematch"}:
        return not state.running
    if command == "add_player":
        return bool(asked["name"] == seat)
    if command == "rename_player":
        names = [player.name for player in state.players]
        return asked["player"] < len(names) and names[asked["player"]] == seat
    if goes_back(asked):
        return bool(now.movers) and now.movers[-1] == seat
    return now.active == seat


def _protected(asked: Mapping[str, Any], now: Moment) -> bool:
    """What a PIN keeps for the host."""
    if asked["command"] in {*ABOUT_THE_GAME, "rename_player"}:
        return True
    between_turns = not now.state.throws_done or not now.state.running
    return goes_back(asked) and between_turns and now.ahead is not None and now.ahead <= 0


def at_any(moments: Iterable[Moment], screen: Screen, house: House, asked: Mapping[str, Any]) -> set[bool]:
    """Whether it may at some of these moments, and whether it may not."""
    return {may(screen, house, asked, now) for now in moments}
