"""How things stand at the table between two steps, for all who read: one value, so that they need no lock."""

from dataclasses import dataclass

from station.contract.view import TableView
from station.game.dice import tray
from station.game.log.slots import Seen
from station.game.log.state import State
from station.game.situation import Situation


@dataclass(frozen=True, slots=True)
class TableMoment:
    """What screens are shown, and what it was made of."""

    view: TableView
    now: Situation

    @property
    def state(self) -> State:
        """The game behind it."""
        return self.now.state

    @property
    def dice_expected(self) -> int:
        """How many dice the tray should show."""
        return self.state.dice_count - (len(self.state.held) if self.now.sight.aside else 0)

    def lying(self, slot: int) -> Seen | None:
        """Where the camera saw the die of that slot; None for one it did not see."""
        return None if self.now.unseen else tray.lying(self.state, self.now.offer, slot)
