"""The table between two steps, as one value that is read without a lock."""

from dataclasses import dataclass

from station.contract.view import TableView
from station.game.dice import tray
from station.game.log.slots import Seen
from station.game.log.state import State
from station.game.situation import Situation


@dataclass(frozen=True, slots=True)
class TableMoment:
    """The view sent to screens, and the values it was made from."""

    view: TableView
    now: Situation

    @property
    def state(self) -> State:
        """The game behind it."""
        return self.now.state

    @property
    def dice_expected(self) -> int:
        """Number of dice that the tray should show."""
        return self.state.dice_count - (len(self.state.held) if self.now.sight.aside else 0)

    def lying(self, slot: int) -> Seen | None:
        """The die of that slot as the camera saw it; None if it did not."""
        return None if self.now.unseen else tray.lying(self.state, self.now.offer, slot)
