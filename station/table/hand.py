"""The simulated hand at the table: its throws, and which frames are older than one."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, Protocol

from pydantic import Field

from messages.errors import RefusalError
from station.contract.command import TableCommand, Whose
from station.contract.fields import Face
from station.game.dice import sights
from station.game.dice.sights import Sight
from station.game.dice.simulated_throw import faces_to_throw, held_places
from station.game.situation import Situation, may_roll

if TYPE_CHECKING:
    from station.table.play import Play

THROW_TIMEOUT_S = 20.0
"""A simulated throw that brought nothing new after this many seconds is given up."""


class Thrower(Protocol):
    """A simulated hand; `simulator.thrower` is the real one."""

    def throw(
        self, count: int, *, held: Sequence[tuple[int, int]] = (), faces: Sequence[int] | None = None
    ) -> None:
        """Start a throw with `count` dice in play.

        held: those that stay, as (place from the left beginning with 0, face). faces: what the thrown
        ones shall show; without it chance decides.
        """

    def lay(self, place: int, face: int, *, kept: bool) -> None:
        """Carry the die at that place from the left to where dice are kept, or away from there.

        Raises RefusalError where no such part of the tray is marked, or there is no room.
        """


class Throw(TableCommand):
    """With the simulated tray: a hand throws the dice that are not held."""

    whose: ClassVar[Whose] = Whose.TRAY
    command: Literal["throw"] = "throw"
    faces: Annotated[
        tuple[Face, ...] | None,
        Field(min_length=1, max_length=10, description="Fixes what falls, for a test."),
    ] = None

    @classmethod
    def available(cls, now: Situation) -> bool:
        """On offer with a simulated hand, while a throw is expected."""
        return now.simulated and now.expects_roll

    def carry_out(self, play: "Play") -> None:
        """The hand throws; what falls the camera sees. A throw that waits may be confirmed by it."""
        play.confirm_shown()
        play.sight = play.hand.throw(play.situation, play.sight, self.faces or ())
        play.game_changed()


class TableHand:
    """The hand of one table. thrower: None where people throw. clock: monotonic seconds.

    seen: whether its tray is the one that is looked at; else people throw.
    """

    def __init__(self, thrower: Thrower | None, clock: Callable[[], float]) -> None:
        self._thrower = thrower
        self.seen: Callable[[], bool] = lambda: True
        self._clock = clock
        self._thrown_at_s = 0.0

    @property
    def simulated(self) -> bool:
        """Whether there is one."""
        return self._thrower is not None and self.seen()

    def throw(self, now: Situation, sight: Sight, faces: Sequence[int]) -> Sight:
        """Throw; from now on the old dice of the sight are no reading any more. Raises RefusalError."""
        thrower, state = self.thrower(), now.state
        may_roll(state)
        count = state.dice_count
        shown = faces_to_throw(state, faces)
        places = held_places(state, now.offer)
        if sight.aside:
            count, places = count - len(places), ()
        thrower.throw(count, held=places, faces=shown)
        # Taken after the call: every frame from now on shows the throw.
        self._thrown_at_s = self._clock()
        return sights.thrown(sight, state)

    def awaited(self, sight: Sight, taken_s: float | None) -> Sight | None:
        """The sight that a frame taken then is read on from; None when it is too old to count.

        taken_s: on the table's clock; None counts as new.
        """
        if sight.thrown_from is None:
            return sight
        if taken_s is not None and taken_s < self._thrown_at_s:
            return None
        return sights.gone(sight) if self._clock() - self._thrown_at_s > THROW_TIMEOUT_S else sight

    def thrower(self) -> Thrower:
        """The hand itself. Raises RefusalError `throw/not_simulated`."""
        if self._thrower is None or not self.seen():
            raise RefusalError("throw/not_simulated")
        return self._thrower
