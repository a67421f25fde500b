"""The box that the buttons act on. It is no fact of the game, and is not logged."""

from messages.errors import RefusalError
from station.contract.command import Command
from station.game import boxes
from station.game.log.state import State
from station.game.steps.score_box import ScoreBox
from station.game.way import WAY
from station.table import buttons
from station.table.buttons import Press


class ButtonFocus:
    """The box marked by the buttons of one table.

    mark: the marked box; None where none can be filled. asks_before_zero: a box worth 0 is written at the
    second press only.
    """

    def __init__(self, state: State, *, asks_before_zero: bool) -> None:
        self.asks_before_zero = asks_before_zero
        self._zero: tuple[State, str] | None = None
        self.begin(state)

    def begin(self, state: State) -> None:
        """Stand where buttons begin in this state."""
        self.mark = boxes.first_mark(state)

    def follow(self, after: State) -> None:
        """The game went on: reset the mark."""
        self._zero = None
        self.mark = boxes.first_mark(after)

    def put(self, category: str) -> None:
        """Put the mark on a box."""
        self._zero = None
        self.mark = category

    def meaning(self, state: State, press: Press, first: int) -> Command:
        """The command that a press stands for. first: the slot of the first hold button.

        Raises RefusalError, `box/zero` at the first press for a 0.
        """
        command = buttons.meaning(state, self.mark, press, first)
        if self.asks_before_zero and isinstance(command, ScoreBox) and WAY.of(state).in_turns:
            zero = (state, command.category)
            if boxes.worth_now(state).get(command.category) == 0 and self._zero != zero:
                self._zero = zero
                box = state.rules.box(command.category).label if state.rules else command.category
                raise RefusalError("box/zero", box=box)
        return command
