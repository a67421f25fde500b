"""How things stand at the table between two steps, for all who read: one value, so that they need no lock."""

from dataclasses import dataclass

from station.contract.view import TableView
from station.game.dice import tray
from station.game.dice.sights import Sight, blank
from station.game.log.slots import Seen
from station.game.log.state import State
from station.game.two_homes.homes import Home


def seen_by(home: Home, state: State, sight: Sight, *, drawn_for: bool) -> Sight:
    """What the camera of this home says: nothing of dice that the station draws for a computer player."""
    seen = home.eyes(state, sight)
    return blank(seen) if drawn_for else seen


@dataclass(frozen=True, slots=True)
class Moment:
    """What screens are shown, and what it was made of. drawn_for: whose turn it is, has its dice drawn."""

    view: TableView
    state: State
    home: Home
    sight: Sight
    drawn_for: bool

    @property
    def dice_expected(self) -> int:
        """How many dice the tray should show."""
        return self.state.dice_count - (len(self.state.held) if self.sight.aside else 0)

    def lying(self, slot: int) -> Seen | None:
        """Where the camera saw the die of that slot; None for one it did not see."""
        if self.home.unseen(self.state):
            return None
        eyes = seen_by(self.home, self.state, self.sight, drawn_for=self.drawn_for)
        return tray.lying(self.state, eyes, slot)
