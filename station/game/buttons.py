"""What a button means: the same five hold buttons and one confirm button do everything in a turn.

Holding: a hold button holds its slot or releases it; confirm accepts the roll; a long press on confirm
goes to choosing a box. Choosing: hold 1 and hold 5 move the mark, confirm takes the marked box, a long
press on confirm goes back to throwing where throws are left.
"""

from messages.errors import RefusalError
from station.contract.commands import (
    HOLD_BUTTONS,
    AcceptRoll,
    Button,
    Choose,
    GameCommand,
    Press,
    ScoreBox,
    SetHeld,
    Undo,
)
from station.game.events import ChoosingBegun
from station.game.state import Phase, State
from station.rules import potentials

BACK, ON = Button.HOLD_1, Button.HOLD_5
"""The hold buttons that move the mark."""


def meaning(state: State, mark: str | None, press: Press) -> GameCommand:
    """The command a press stands for. mark: the box marked now.

    Raises RefusalError where the button has no meaning.
    """
    match press.button:
        case Button.UNDO:
            return Undo()
        case Button.CONFIRM:
            return _confirm(state, mark, long=press.long)
        case button:
            if state.phase is Phase.CHOOSING:
                return _move(state, mark, button)
            return SetHeld(slots=tuple(sorted({*state.held} ^ {HOLD_BUTTONS.index(button) + 1})))


def _confirm(state: State, mark: str | None, *, long: bool) -> GameCommand:
    choosing = state.phase is Phase.CHOOSING
    if long:
        begun = choosing and bool(state.past) and isinstance(state.past[-1], ChoosingBegun)
        return Undo() if begun else Choose()
    return ScoreBox(category=mark) if choosing and mark is not None else AcceptRoll()


def _move(state: State, mark: str | None, button: Button) -> GameCommand:
    boxes = tuple(worth_now(state))
    if button not in (BACK, ON) or not boxes:
        raise RefusalError("box/mark")
    place = boxes.index(mark) if mark in boxes else 0
    return Choose(category=boxes[(place + (1 if button is ON else -1)) % len(boxes)])


def worth_now(state: State) -> dict[str, int]:
    """What the boxes that may be filled now would score, in page order."""
    if state.rules is None or not state.running or not state.dice:
        return {}
    return potentials(state.rules, state.player.sheet, state.faces, state.throws_done)


def first_mark(state: State) -> str | None:
    """Where the mark starts: the box that scores most now, the first of equal ones."""
    if state.phase is not Phase.CHOOSING:
        return None
    worth = worth_now(state)
    return max(worth, key=lambda category: worth[category], default=None)


def check_mark(state: State, category: str) -> None:
    """Raise RefusalError `box/unknown` or `box/filled` unless the box may be marked."""
    if state.rules is not None and category not in state.rules.categories:
        raise RefusalError("box/no_such", code="box/unknown", category=category)
    if category not in worth_now(state):
        raise RefusalError("box/not_now", code="box/filled")
