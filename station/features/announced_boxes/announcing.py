"""Boxes that are announced: named after the first throw and before the second, for the whole turn."""

from messages.errors import RefusalError
from station.game.log.feature_values import TurnValue
from station.game.log.state import Phase, State
from station.rules import RuleSet

CALLED: TurnValue[str] = TurnValue("called", "")
"""The category that is announced for this turn."""
DECIDING = (Phase.HOLDING, Phase.CHOOSING)
"""A box is announced while dice are held, or from among the boxes: that goes back to throwing."""


def refusal(state: State, rules: RuleSet, category: str) -> RefusalError | None:
    """Why this turn cannot go to that box, as far as announcing is concerned; None where it can."""
    box, called = rules.box(category), CALLED.of(state)
    if called and category != called:
        return RefusalError("announce/elsewhere", box=rules.box(called).label, name=state.player.name)
    if box.announced and state.throws_done > 1 and not called and not lost(state):
        return RefusalError("announce/not_announced", box=box.label)
    return None


def lost(state: State) -> bool:
    """Whether a correction has filled the box that this turn was announced for, and no other may be written.

    Such a turn may go to any box; there is no advice for it.
    """
    rules = state.rules
    if rules is None or state.throws_done <= 1 or CALLED.of(state):
        return False
    return _only_announced(state, rules)


def _only_announced(state: State, rules: RuleSet) -> bool:
    """Whether the active player has nothing but announced boxes left."""
    return all(rules.box(each).announced for each in rules.next_boxes(state.player.sheet.open(rules)))


def announces(rules: RuleSet) -> bool:
    """Whether the game's rules have announced boxes."""
    return any(box.announced for box in rules.boxes)


def announceable(state: State) -> tuple[str, ...]:
    """The boxes that may be announced now, in page order."""
    rules = state.rules
    if rules is None or state.phase not in DECIDING or state.throws_done != 1:
        return ()
    following = rules.next_boxes(state.player.sheet.open(rules))
    return tuple(each for each in following if rules.box(each).announced)


def before_second_throw(state: State) -> None:
    """Raise RefusalError where nothing but announced boxes are left, and none was announced."""
    rules = state.rules
    if announceable(state) and not CALLED.of(state) and rules is not None and _only_announced(state, rules):
        raise RefusalError("announce/first", name=state.player.name)
