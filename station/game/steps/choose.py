"""The active player throws no more and chooses a box."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from messages.errors import RefusalError
from messages.message import Message
from station.contract.command import Whose
from station.contract.fields import Word
from station.game.log.event import Event
from station.game.log.state import Phase, State
from station.game.situation import GameCommand, Situation, granted, must_run
from station.game.way import WAY


class Choose(GameCommand):
    """Throw no more and choose a box; `category` puts the mark of the table's buttons there."""

    whose: ClassVar[Whose] = Whose.TURN
    own_dice: ClassVar[bool] = True
    command: Literal["choose"] = "choose"
    category: Word | None = None

    @classmethod
    def available(cls, now: Situation) -> bool:
        """On offer with a confirmed roll in the tray, and no newer throw."""
        return not now.newer and granted(lambda: cls._check(now))

    def decide(self, now: Situation) -> tuple["ChoosingBegun", ...]:
        """No more throws; none of it changes where a box is chosen already."""
        self._check(now)
        return () if now.state.phase is Phase.CHOOSING else (ChoosingBegun(),)

    @property
    def mark(self) -> str | None:
        """The box it names."""
        return self.category

    @staticmethod
    def _check(now: Situation) -> None:
        must_run(now.state)
        now.check_roll()
        if now.state.phase not in WAY.of(now.state).scores_in:
            raise RefusalError("box/after_last_throw")
        now.check_no_newer()


@dataclass(frozen=True, slots=True)
class ChoosingBegun(Event):
    """The active player throws no more and chooses a box, though throws are left."""

    kind: ClassVar[str] = "choosing_begun"
    word: ClassVar[str] = "choose"
    in_turn: ClassVar[bool] = True

    def apply(self, state: State) -> State:
        """A box must be chosen."""
        return replace(state, phase=Phase.CHOOSING)

    def undo_words(self, after: State, before: Callable[[], State]) -> Message:
        """The player who chooses, in words."""
        return Message("undo/choosing", name=after.player.name)

    def command(self) -> Choose:
        """The same."""
        return Choose()
