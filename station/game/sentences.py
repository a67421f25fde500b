"""Sentences a family understands: what the station waits for, what undo would take back."""

from collections.abc import Iterable, Sequence

from station.game.events import (
    BoxCorrected,
    BoxScored,
    ChoosingBegun,
    DieCorrected,
    Event,
    GameEnded,
    GameStarted,
    HeldSet,
    PlayerAdded,
    RollAccepted,
)
from station.game.slots import faces_text
from station.game.state import Phase, State, replay
from station.rules import sheet_totals

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def number(count: int) -> str:
    """A small number in words."""
    return NUMBERS[count] if 0 <= count < len(NUMBERS) else str(count)


def dice(count: int) -> str:
    """So many dice.

    >>> dice(1), dice(3)
    ('one die', 'three dice')
    """
    return "one die" if count == 1 else f"{number(count)} dice"


def listed(items: Iterable[object], last: str = "and") -> str:
    """Items as people say them.

    >>> listed(["Ana", "Ben", "Cleo"])
    'Ana, Ben and Cleo'
    """
    words = [str(item) for item in items]
    return f" {last} ".join((", ".join(words[:-1]), words[-1])) if len(words) > 1 else "".join(words)


def to_throw(state: State) -> str:
    """Which dice go into the tray next: "throw the three dice you are not holding"."""
    total = state.rules.dice if state.rules else 0
    if not state.held:
        return f"throw all {dice(total)}" if state.throws_done == 0 else f"throw {_all_again(total)}"
    free = total - len(state.held)
    return f"throw the {'die' if free == 1 else dice(free)} you are not holding"


def _all_again(total: int) -> str:
    return f"all {dice(total)} again"


def throw_name(state: State) -> str:
    """Which throw of the turn was the last: "the first throw"."""
    names = ("no throw", "the first throw", "the second throw", "the third throw")
    return names[state.throws_done] if state.throws_done < len(names) else f"throw {state.throws_done}"


def waiting_for(state: State) -> str:
    """What the station waits for when nothing happens on the tray."""
    if state.phase is Phase.LOBBY:
        return "Choose the players and the rules, then start the game"
    if state.phase is Phase.FINISHED:
        return f"{result(state)} Play again with the same people, or start another game"
    name = state.player.name
    if state.phase is Phase.THROWING:
        return f"{name}: {to_throw(state)}"
    if state.phase is Phase.CHOOSING:
        rest = f" for the other {dice(len(state.dice))}" if state.boxes_this_turn else ""
        return f"{name}: choose a box{rest}"
    return f"{name}: {_while_holding(state)}"


def _while_holding(state: State) -> str:
    if state.rules and len(state.held) == state.rules.dice:
        return "you are holding all the dice; choose a box, or release one"
    if not state.held:
        return "hold the dice you keep and throw the others, or choose a box"
    return f"{to_throw(state)}, or choose a box"


def result(state: State) -> str:
    """Who won, in a sentence."""
    names = [state.players[i].name for i in state.winners]
    if state.big_general:
        return f"{names[0]} threw the big general and wins at once."
    if not names:
        return "The game is over."
    if len(state.players) == 1:
        return f"{names[0]} has {points(_best(state))}."
    if len(names) > 1:
        return f"{listed(names)} share the win with {points(_best(state))}."
    return f"{names[0]} wins with {points(_best(state))}."


def _best(state: State) -> int:
    if state.rules is None:
        return 0
    rules = state.rules
    return max(sheet_totals(rules, player.sheet).total for player in state.players)


def points(count: int) -> str:
    """So many points.

    >>> points(1), points(24)
    ('1 point', '24 points')
    """
    return "1 point" if count == 1 else f"{count} points"


def slots_text(slots: Sequence[int]) -> str:
    """Dice named by their slots."""
    return f"{'die' if len(slots) == 1 else 'dice'} {listed(slots)}"


def undo_text(state: State) -> str | None:
    """What undo would take back, after "Undo: "; None when there is nothing."""
    if not state.past:
        return None
    return _told(state, state.past[-1])


def _told(state: State, event: Event) -> str:  # noqa: PLR0911 - one line for each kind of event
    match event:
        case GameStarted():
            return f"the start of the game with {listed(event.players)}"
        case PlayerAdded():
            return f"{event.name} joining"
        case RollAccepted():
            return f"{state.player.name}'s roll {faces_text(die.face for die in event.dice)}"
        case DieCorrected():
            return f"the correction of die {event.slot} to {event.face}"
        case HeldSet():
            return f"holding {slots_text(event.slots)}" if event.slots else "releasing all dice"
        case ChoosingBegun():
            return f"{state.player.name} going to choose a box"
        case BoxScored():
            return _told_box(state, event)
        case BoxCorrected():
            assert state.rules is not None  # noqa: S101 - a box is only corrected in a game
            label = state.rules.box(event.category).label
            return f"the correction of {state.players[event.seat].name}'s {label}"
        case GameEnded():
            return "the end of the game"
        case _:
            raise AssertionError(event)


def _told_box(state: State, event: BoxScored) -> str:
    before = replay(state.past[:-1])
    assert state.rules is not None  # noqa: S101 - a box is only scored in a game
    got = state.players[before.active].sheet.points(event.category) or 0
    label = state.rules.box(event.category).label
    return f"{before.player.name}'s {points(got)} in {label}"
