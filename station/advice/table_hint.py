"""What the active player had best do now, in the slots and boxes of the table."""

from station.contract.answers import TableHint
from station.game.slots import slots_of
from station.game.state import State
from station.strategy.hints import hint
from station.strategy.position import of_sheet
from station.strategy.reasons import reason
from station.strategy.solver import Solution

GIVEN_MIN = 0.05
"""Points given away that are worth showing; less is rounded to nothing anyway."""


def table_hint(solution: Solution, state: State) -> TableHint | None:
    """The best thing to do with the dice that lie there; None when there is nothing to decide."""
    rules = solution.model.rules
    if not state.running or not state.dice or len(state.dice) != rules.dice:
        return None
    where, left, faces = of_sheet(rules, state.player.sheet), state.rolls_left, state.faces
    found = hint(solution, where, faces, left)
    given = {box.category: found.value - box.value for box in found.boxes}
    best = found.holds[0].hold if found.holds else None
    return TableHint(
        slots=None if best is None else slots_of(best, state.dice, state.held),
        box=found.boxes[0].category if found.boxes else None,
        given={category: round(lost, 2) for category, lost in given.items() if lost >= GIVEN_MIN},
        value=round(found.value, 2),
        reason="" if best is None else reason(solution, where, faces, left, best),
    )
