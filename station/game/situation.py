"""The situation in which a command of the game is decided, and the checks of a turn.

Each check raises the RefusalError that says why not. Nothing is changed here; the table writes the events
and then follows them.
"""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar

from pydantic import Field

from messages.errors import RefusalError
from station.contract.command import Command
from station.contract.fields import Seat
from station.game.at_table import AtTable, K
from station.game.dice import sights, tray
from station.game.dice.sights import Sight
from station.game.dice.tray import Offer
from station.game.feature import Feature, implementing
from station.game.log.event import Event
from station.game.log.slots import Seen
from station.game.log.state import Phase, State
from station.game.players.starting import Draw, first_of
from station.game.way import WAY
from station.rules import RuleSet
from station.rules.dice import dashed


@dataclass(frozen=True, slots=True)
class Situation:
    """The game and the tray at one moment, for every check and view.

    sight: what the camera shows. offer: the tray against this state. newer: dice were thrown after
    the confirmed roll, or may have been. expects_roll: the active player may throw. next_game: the number a
    new game gets. house_text: of the house rules of that id; "" for rules that come with the station. draw: a
    number from 0 to below the one given, by chance. simulated: a simulated hand throws. at_table: what
    features know here. unseen: the dice of this turn are none that the camera here sees.
    """

    state: State
    sight: Sight
    offer: Offer
    newer: bool
    expects_roll: bool
    next_game: Callable[[], int]
    house_text: Callable[[str | None], str]
    draw: Draw = first_of
    simulated: bool = False
    at_table: Sequence[AtTable] = ()
    unseen: bool = False

    @classmethod
    def of(
        cls,
        state: State,
        sight: Sight | None = None,
        *,
        next_game: Callable[[], int] = lambda: 1,
        house_text: Callable[[str | None], str] = lambda _: "",
        draw: Draw = first_of,
        simulated: bool = False,
        at_table: Sequence[AtTable] = (),
    ) -> "Situation":
        """Look at the game and the tray; at nothing, while the dice are none of this tray."""
        sight = sight or Sight()
        unseen = any(each.unseen(state) for each in at_table)
        if unseen:
            sight = sights.blank(sight)
        offer = tray.offer(state, sight)
        return cls(
            state,
            sight,
            offer,
            newer=tray.newer_throw(state, offer),
            expects_roll=granted(lambda: may_roll(state)),
            next_game=next_game,
            house_text=house_text,
            draw=draw,
            simulated=simulated,
            at_table=at_table,
            unseen=unseen,
        )

    def known(self, kind: type[K]) -> K:
        """The value of that kind, which its feature keeps at this table."""
        return known(self.at_table, kind)

    @property
    def left(self) -> tuple[tuple[Seen, ...], bool]:
        """The dice as they lie, and whether some are rolling or out of sight, for an event."""
        return sights.as_left(self.sight)

    def check_no_newer(self) -> None:
        """Raise RefusalError `roll/unconfirmed` while dice thrown after the confirmed roll are there."""
        if self.newer:
            confirmed = dashed(self.state.faces)
            raise RefusalError("roll/unconfirmed", name=self.state.player.name, confirmed=confirmed)

    def check_roll(self) -> None:
        """Raise RefusalError `box/no_roll` before a roll is confirmed, though dice may have been thrown."""
        state = self.state
        if not state.dice:
            thrown = state.phase is Phase.THROWING and tray.stage(state, self.offer) != "nothing_thrown"
            raise RefusalError("box/confirm_first" if thrown else "box/no_roll", code="box/no_roll")


def known(at_table: Sequence[AtTable], kind: type[K]) -> K:
    """The value of that kind; as usual where there is none."""
    return next((each for each in at_table if isinstance(each, kind)), None) or kind()


OptionalSeat = Annotated[
    Seat | None,
    Field(description="Where all play at once: whose copy; left out, that of the player at the table."),
]


class GameCommand(Command):
    """A command that the game decides; it becomes events."""

    @classmethod
    @abstractmethod
    def available(cls, now: Situation) -> bool:
        """Whether it is on offer: it would be carried out now, with valid fields."""

    @abstractmethod
    def decide(self, now: Situation) -> tuple[Event, ...]:
        """The events that it brings about; none when it changes nothing.

        Raises RefusalError with a stable code, BadInputError for rules there are not.
        """

    @property
    def mark(self) -> str | None:
        """The box that the buttons mark after it; None where the mark starts again."""
        return None


class SeatCommand(GameCommand):
    """A command of one player; `player` names the seat, and defaults to the active one."""

    own_dice: ClassVar[bool] = True
    if TYPE_CHECKING:
        player: int | None  # each has it as the last of its fields: `player: OptionalSeat = None`

    def check_turn(self, state: State) -> None:
        """Raise RefusalError unless it is the turn of its player."""
        if self.player not in (None, state.active):
            raise RefusalError("player/not_turn", name=state.player.name)


def granted(check: Callable[[], object]) -> bool:
    """Whether a check raises no RefusalError."""
    try:
        check()
    except RefusalError:
        return False
    return True


def must_run(state: State) -> RuleSet:
    """The rules of the game that is played. Raises RefusalError `game/none`, `game/finished`."""
    if state.phase is Phase.FINISHED:
        raise RefusalError("game/finished")
    if not state.running or state.rules is None:
        raise RefusalError("game/none")
    return state.rules


def may_roll(state: State) -> RuleSet:
    """The rules, when the active player may throw now; else the RefusalError that says why not."""
    rules = must_run(state)
    WAY.of(state).may_roll(state)
    for feature in implementing(Feature.check_roll):
        feature.check_roll(state)
    return rules


def check_seat(state: State, seat: int, *, gone: bool = False) -> None:
    """Raise RefusalError `player/unknown` unless somebody plays there (gone: or did)."""
    if not 0 <= seat < len(state.players) or (state.players[seat].gone and not gone):
        raise RefusalError("player/unknown", last=len(state.players) - 1)


def checked_slots(rules: RuleSet, wanted: tuple[int, ...]) -> tuple[int, ...]:
    """The requested slots of dice, ascending. Raises RefusalError `die/unknown`."""
    slots = tuple(sorted(set(wanted)))
    if any(not 1 <= slot <= rules.dice for slot in slots):
        raise RefusalError("die/numbers", code="die/unknown", count=rules.dice)
    return slots


def check_before_end(state: State, seat: int, *, gone: bool = False) -> None:
    """Raise RefusalError unless somebody plays there (gone: or did) and the game is not over."""
    if state.phase is Phase.FINISHED:
        raise RefusalError("game/finished")
    check_seat(state, seat, gone=gone)


def somebody_there(state: State) -> bool:
    """Whether somebody is there of whom something may be changed, before the game is over."""
    return state.phase is not Phase.FINISHED and any(not player.gone for player in state.players)


def can_set_right(now: Situation) -> bool:
    """Whether people may correct the camera's reading: there is an unconfirmed throw."""
    return now.expects_roll and now.offer.fresh and now.offer.status in sights.RESTING
