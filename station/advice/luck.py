"""The luck of the last throw of a game that is being played, in points."""

from dataclasses import replace

from station.game.announcing import lost
from station.game.log.events import RollAccepted
from station.game.log.evolve import replay
from station.game.log.state import State
from station.strategy.model.position import of_sheet
from station.strategy.values.decisions import Values
from station.strategy.values.hints import hint, to_come, values_of_holds


def last_luck(solution: Values, state: State) -> float | None:
    """What the last throw is worth beyond what could be expected of it; None where nobody has just thrown.

    As station.strategy.review counts it, for one throw.
    """
    if not state.running or state.simultaneous or state.boxes_this_turn or not state.past or lost(state):
        return None
    if not isinstance(state.past[-1], RollAccepted) or len(state.dice) < state.dice_count:
        return None
    before = replay(state.past[:-1])
    if before.rules is None:
        return None
    where = of_sheet(before.rules, before.player.sheet, before.saved, before.called)
    now = hint(solution, where, state.faces, state.rolls_left).value
    if before.throws_done == 0:
        return now - to_come(solution, before.player.sheet, before.saved)
    held = tuple(sorted(die.face for die in before.dice if die.slot in before.held))
    if before.throws_done == 1 and solution.model.announces:
        free = replace(where, called="")
        values = values_of_holds(solution, free, before.faces, before.rolls_left, before.called)
    else:
        found = hint(solution, where, before.faces, before.rolls_left)
        values = {each.hold: each.value for each in found.holds}
    return now - values[held] if held in values else None
