"""What a button means: the same five hold buttons and one confirm button do everything in a turn.

Holding: a hold button holds its slot or releases it; confirm accepts the roll; a long press on confirm
goes to choosing a box. Choosing: hold 1 and hold 5 move the mark, confirm takes the marked box, a long
press on confirm goes back to throwing where throws are left. Where a turn can be bound to one box, hold 3
binds it to the marked one, and goes back to throwing. A game is over: a long press on confirm begins another
one of the same people; in the lobby, the first one of those who joined.

Where there are more dice than hold buttons, the buttons act for five of them. A command defines what hold 1
and hold 5 pressed together mean while dice are held (`by_both`).

A way of playing may give the confirm button another meaning (`Way.confirm`).
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from pydantic import Field

from messages.errors import RefusalError
from station.contract.command import HOLD_BUTTONS, Button, Command, TableCommand, Whose
from station.game.boxes import bind, worth_now
from station.game.events import ChoosingBegun
from station.game.feature import buttons_from
from station.game.log.state import Phase, State
from station.game.situation import Situation
from station.game.steps.accept_roll import AcceptRoll
from station.game.steps.choose import Choose
from station.game.steps.hold import SetHeld
from station.game.steps.rematch import Rematch
from station.game.steps.score_box import ScoreBox
from station.game.steps.start_game import StartGame
from station.game.steps.undo import Undo
from station.game.way import WAY, own

if TYPE_CHECKING:
    from station.table.play import Play

BACK, ON = Button.HOLD_1, Button.HOLD_5
"""The hold buttons that move the mark."""
BIND = Button.HOLD_3
"""The one that binds the turn to the marked box."""


class Press(TableCommand):
    """A button of the table, pressed on a screen."""

    own_dice: ClassVar[bool] = True
    whose: ClassVar[Whose] = Whose.TABLE
    command: Literal["press"] = "press"
    button: Button
    long: Annotated[bool, Field(strict=True, description="A long press.")] = False

    @classmethod
    def available(cls, now: Situation) -> bool:
        """Always."""
        del now
        return True

    def carry_out(self, play: "Play") -> Callable[[], None] | None:
        """Carry out what the button means now."""
        confirmed = play.by_confirm() if self.button is Button.CONFIRM and not self.long else None
        return play.carry_out(confirmed or play.focus.meaning(play.state, self, buttons_from(play.shown)))


def meaning(state: State, mark: str | None, press: Press, first: int = 1) -> Command:
    """The command a press stands for. mark: the box marked now. first: the slot of the first hold button.

    Raises RefusalError where the button has no meaning.
    """
    button = press.button
    if button is Button.UNDO:
        return Undo()
    if button is Button.CONFIRM:
        return _confirm(state, mark, long=press.long)
    if state.phase is Phase.CHOOSING:
        return _move(state, mark, button)
    slot = HOLD_BUTTONS.index(button) + first
    return SetHeld(slots=tuple(sorted({*own(state).held} ^ {slot})))


def _confirm(state: State, mark: str | None, *, long: bool) -> Command:
    command = WAY.of(state).confirm(state, mark, long=long) if state.running else None
    if command is not None:
        return command
    choosing = state.phase is Phase.CHOOSING
    if state.phase is Phase.FINISHED:
        return Rematch() if long else AcceptRoll()
    if state.phase is Phase.LOBBY and state.players and long:
        return StartGame()
    if long:
        if state.past and isinstance(state.past[-1], ChoosingBegun):
            return Undo()
        if choosing and WAY.of(state).may_go_back(state):
            # What came since, a die that was corrected, say, has to be taken back first.
            raise RefusalError("roll/choosing", name=state.player.name)
        return Choose()
    return ScoreBox(category=mark) if choosing and mark is not None else AcceptRoll()


def _move(state: State, mark: str | None, button: Button) -> Command:
    boxes = tuple(worth_now(state))
    if button is BIND and mark is not None and (binds := bind(state, mark)) is not None:
        return binds
    if button not in (BACK, ON) or not boxes:
        raise RefusalError("box/mark")
    place = boxes.index(mark) if mark in boxes else 0
    return Choose(category=boxes[(place + (1 if button is ON else -1)) % len(boxes)])
