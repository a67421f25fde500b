"""What the buttons act on: the marked box, and five of ten dice. It is a finger, no fact of the game."""

from messages.errors import RefusalError
from station.contract.command import HOLD_BUTTONS, Command
from station.game import boxes
from station.game.log.state import State
from station.game.steps.score_box import ScoreBox
from station.game.way import WAY
from station.table import buttons
from station.table.buttons import Press


class ButtonFocus:
    """Where the buttons of one table stand.

    mark: the marked box; None where none can be filled. bank: for which five dice, 1 or 2, they act.
    asks_before_zero: a box worth 0 is written at the second press only.
    """

    def __init__(self, state: State, *, asks_before_zero: bool) -> None:
        self.asks_before_zero = asks_before_zero
        self._asked: tuple[State, str] | None = None
        self.begin(state)

    def begin(self, state: State) -> None:
        """Stand where buttons begin in this state."""
        self.mark = boxes.first_mark(state)
        self.bank = 1

    def follow(self, before: State, after: State) -> None:
        """The game went on: the mark begins anew, the bank with each throw."""
        self._asked = None
        self.mark = boxes.first_mark(after)
        if len(after.dice) <= len(HOLD_BUTTONS) or after.throws_done != before.throws_done:
            self.bank = 1

    def put(self, category: str) -> None:
        """Put the mark on a box."""
        self._asked = None
        self.mark = category

    def change_bank(self, state: State) -> None:
        """Act for the other five of ten dice. Raises RefusalError where there are no more than five."""
        if len(state.dice) <= len(HOLD_BUTTONS):
            raise RefusalError("bank/one")
        self.bank = 3 - self.bank

    def meaning(self, state: State, press: Press) -> Command:
        """The command that a press stands for. Raises RefusalError, `box/zero` at the first press for a 0."""
        meant = buttons.meaning(state, self.mark, press, self.bank)
        if self.asks_before_zero and isinstance(meant, ScoreBox) and WAY.of(state).in_turns:
            asked = (state, meant.category)
            if boxes.worth_now(state).get(meant.category) == 0 and self._asked != asked:
                self._asked = asked
                box = state.rules.box(meant.category).label if state.rules else meant.category
                raise RefusalError("box/zero", box=box)
        return meant
