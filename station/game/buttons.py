"""What a button means: the same five hold buttons and one confirm button do everything in a turn.

Holding: a hold button holds its slot or releases it; confirm accepts the roll; a long press on confirm
goes to choosing a box. Choosing: hold 1 and hold 5 move the mark, confirm takes the marked box, a long
press on confirm goes back to throwing where throws are left. Where boxes are announced, hold 3 announces the
marked one after the first throw, and goes back to throwing. A game is over: a long press on confirm begins
another one of the same people; in the lobby, the first one of those who joined.

Where ten dice are thrown the hold buttons act for five of them, a bank; hold 1 and hold 5 pressed together
change it.

Where all play at once the buttons act for the player at the table: confirm says that this one is ready, or is
not after all; a long press goes on to the next player.
"""

from messages.errors import RefusalError
from station.contract import commands
from station.contract.command import HOLD_BUTTONS, Button
from station.game.announcing import announces, writable
from station.game.log import together
from station.game.log.state import Phase, State
from station.game.steps import ChoosingBegun
from station.rules import potentials

BACK, ON = Button.HOLD_1, Button.HOLD_5
"""The hold buttons that move the mark."""
ANNOUNCE = Button.HOLD_3
"""The one that announces the marked box."""


def meaning(state: State, mark: str | None, press: commands.Press, bank: int = 1) -> commands.Command:
    """The command a press stands for. mark: the box marked now. bank: for which five dice they act, 1 or 2.

    Raises RefusalError where the button has no meaning.
    """
    button = press.button
    if button is Button.UNDO:
        return commands.Undo()
    if button is Button.CONFIRM:
        return _confirm(state, mark, long=press.long)
    if state.phase is Phase.CHOOSING:
        return _move(state, mark, button)
    slot = HOLD_BUTTONS.index(button) + 1 + len(HOLD_BUTTONS) * (bank - 1)
    return commands.SetHeld(slots=tuple(sorted({*state.own.held} ^ {slot})))


def _confirm(state: State, mark: str | None, *, long: bool) -> commands.Command:
    if state.simultaneous and state.running:
        return _confirm_copy(state, mark, long=long)
    choosing = state.phase is Phase.CHOOSING
    if state.phase is Phase.FINISHED:
        return commands.Rematch() if long else commands.AcceptRoll()
    if state.phase is Phase.LOBBY and state.players and long:
        return commands.StartGame()
    if long:
        if state.past and isinstance(state.past[-1], ChoosingBegun):
            return commands.Undo()
        if choosing and state.rolls_left and not state.boxes_this_turn:
            # What came since, a die that was corrected, say, has to be taken back first.
            raise RefusalError("roll/choosing", name=state.player.name)
        return commands.Choose()
    return commands.ScoreBox(category=mark) if choosing and mark is not None else commands.AcceptRoll()


def _confirm_copy(state: State, mark: str | None, *, long: bool) -> commands.Command:
    """Where all play at once: the throw first, then for the player at the table."""
    if long:
        there = together.in_round(state.players) or (state.active,)
        return commands.ChoosePlayer(player=next((seat for seat in there if seat > state.active), there[0]))
    if state.phase is Phase.THROWING:
        return commands.AcceptRoll()
    copy = state.player.copy
    if copy.ready:
        return commands.Unready()
    to_pick = state.phase is Phase.CHOOSING and mark is not None and mark != copy.chosen
    return commands.ScoreBox(category=mark) if to_pick and mark is not None else commands.Ready()


def _move(state: State, mark: str | None, button: Button) -> commands.Command:
    boxes = tuple(worth_now(state))
    if button is ANNOUNCE and mark is not None and state.rules is not None and announces(state.rules):
        return commands.AnnounceBox(category=mark)
    if button not in (BACK, ON) or not boxes:
        raise RefusalError("box/mark")
    place = boxes.index(mark) if mark in boxes else 0
    return commands.Choose(category=boxes[(place + (1 if button is ON else -1)) % len(boxes)])


def worth_now(state: State) -> dict[str, int]:
    """What the boxes that may be filled now would score, in page order."""
    own = state.own
    if own.rules is None or not own.running or not own.dice:
        return {}
    worth = potentials(own.rules, own.player.sheet, own.faces, own.throws_done)
    return {category: worth[category] for category in writable(own, worth)}


def first_mark(state: State) -> str | None:
    """Where the mark starts: at the box that was picked, or scores most now, the first of equal ones."""
    if state.phase is not Phase.CHOOSING:
        return None
    if state.simultaneous and state.player.copy.chosen is not None:
        return state.player.copy.chosen
    worth = worth_now(state)
    return max(worth, key=lambda category: worth[category], default=None)


def check_mark(state: State, category: str) -> None:
    """Raise RefusalError `box/unknown` or `box/filled` unless the box may be marked."""
    if state.rules is not None and category not in state.rules.categories:
        raise RefusalError("box/no_such", code="box/unknown", category=category)
    if category not in worth_now(state):
        raise RefusalError("box/not_now", code="box/filled")
