"""Boxes that are announced: named after the first throw and before the second, for the whole turn."""

from collections.abc import Iterable

from messages.errors import RefusalError
from station.game.log.state import Phase, State
from station.rules import RuleSet

DECIDING = (Phase.HOLDING, Phase.CHOOSING)
"""A box is announced while dice are held, or from among the boxes: that goes back to throwing."""


def writable(state: State, categories: Iterable[str]) -> tuple[str, ...]:
    """Those of the categories that this turn may go to."""
    if state.rules is None:
        return ()
    return tuple(each for each in categories if not refusal(state, state.rules, each))


def refusal(state: State, rules: RuleSet, category: str) -> RefusalError | None:
    """Why this turn cannot go to that box, as far as announcing is concerned; None where it can."""
    box = rules.box(category)
    if state.called and category != state.called:
        return RefusalError("announce/elsewhere", box=rules.box(state.called).label, name=state.player.name)
    if box.announced and state.throws_done > 1 and not state.called and not lost(state):
        return RefusalError("announce/not_announced", box=box.label)
    return None


def lost(state: State) -> bool:
    """Whether a correction has filled the box that this turn was announced for, and no other may be written.

    Such a turn may go to any box; there is no advice for it.
    """
    rules = state.rules
    return rules is not None and state.throws_done > 1 and not state.called and _only_announced(state, rules)


def _only_announced(state: State, rules: RuleSet) -> bool:
    """Whether the active player has nothing but announced boxes left."""
    return all(rules.box(each).announced for each in rules.next_boxes(state.player.sheet.open(rules)))


def announces(rules: RuleSet) -> bool:
    """Whether boxes are announced in that game."""
    return any(box.announced for box in rules.boxes)


def announceable(state: State) -> tuple[str, ...]:
    """The boxes that may be announced now, in page order."""
    rules = state.rules
    if rules is None or state.phase not in DECIDING or state.throws_done != 1 or state.simultaneous:
        return ()
    following = rules.next_boxes(state.player.sheet.open(rules))
    return tuple(each for each in following if rules.box(each).announced)


def before_second_throw(state: State) -> None:
    """Raise RefusalError where nothing but announced boxes are left, and none was announced."""
    rules = state.rules
    if announceable(state) and not state.called and rules is not None and _only_announced(state, rules):
        raise RefusalError("announce/first", name=state.player.name)
