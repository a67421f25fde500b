"""The luck of the last throw of a game that is being played, in points; whether it is the luckiest so far."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from station.advice.reviews import reviews
from station.game.boxes import bound, unadvised
from station.game.events import BoxCorrected, DieCorrected, Event, GameStarted, RollAccepted
from station.game.evolve import replay
from station.game.log.state import State
from station.game.way import WAY
from station.strategy.model.position import of_sheet
from station.strategy.values.decisions import Values
from station.strategy.values.hints import hint, to_come, values_of_holds

LUCKY_MIN = 8.0
"""Points beyond what could be expected, above which a throw is a lucky one."""
TOUCHED = (GameStarted, RollAccepted, DieCorrected, BoxCorrected)
"""Events by which the throws of a game become others."""


@dataclass(frozen=True, slots=True)
class _LastThrow:
    """The last throw that was examined: the events with it, the best luck before it, and its own."""

    past: tuple[Event, ...]
    before: float
    luck: float


class Luckiest:
    """Whether the last throw of a game is the luckiest so far, by the events in its log.

    So a screen that joins late gets the same answer as all others, and a throw that was taken back or put
    right counts no longer. The throws before are followed again where they differ from the last call's.
    """

    def __init__(self) -> None:
        self._last: _LastThrow | None = None

    def is_it(self, solution: Values, past: tuple[Event, ...], luck: float) -> bool:
        """luck: of the throw that these events end with."""
        luck, before = round(luck, 2), self._before(past)
        if before is None and luck > LUCKY_MIN:
            before = _best(solution, past[:-1])
        self._last = None if before is None else _LastThrow(past, before, luck)
        return before is not None and luck > max(before, LUCKY_MIN)

    def _before(self, past: tuple[Event, ...]) -> float | None:
        """The best luck before the last throw, where the last answer says it."""
        last = self._last
        if last is None or past[: len(last.past)] != last.past:
            return None
        if len(past) == len(last.past):
            return last.before
        between = past[len(last.past) : -1]
        counted = not any(isinstance(event, TOUCHED) for event in between)
        return max(last.before, last.luck) if counted else None


def _best(solution: Values, past: Sequence[Event]) -> float:
    """The luck of the luckiest throw of a game so far; 0 where none was lucky."""
    played = [each for each in reviews(solution, past) if each is not None]
    lucks = (throw.luck for each in played for turn in each.turns for throw in turn.throws)
    return max((round(luck, 2) for luck in lucks), default=0.0)


def last_luck(solution: Values, state: State) -> float | None:
    """The value of the last throw above its expectation, in points; None if nobody has just thrown.

    As station.strategy.review counts it, for one throw.
    """
    if not state.running or WAY.of(state).filled_in_turn(state) or not state.past or unadvised(state):
        return None
    if not isinstance(state.past[-1], RollAccepted) or not WAY.of(state).in_turns:
        return None
    if len(state.dice) < state.dice_count:
        return None
    before = replay(state.past[:-1])
    if before.rules is None:
        return None
    where = of_sheet(before.rules, before.player.sheet, before.saved, bound(before))
    now = hint(solution, where, state.faces, state.rolls_left).value
    if before.throws_done == 0:
        return now - to_come(solution, before.player.sheet, before.saved)
    held = tuple(sorted(die.face for die in before.dice if die.slot in before.held))
    if before.throws_done == 1 and solution.model.announces:
        free = replace(where, called="")
        values = values_of_holds(solution, free, before.faces, before.rolls_left, bound(before))
    else:
        found = hint(solution, where, before.faces, before.rolls_left)
        values = {each.hold: each.value for each in found.holds}
    return now - values[held] if held in values else None
