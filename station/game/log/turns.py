"""The order of turns."""

from dataclasses import replace

from station.game.log.ending import finished
from station.game.log.state import Phase, State, turn_over
from station.rules import RuleSet


def next_turn(state: State, rules: RuleSet) -> State:
    """The next seat with an open box throws; who joined late plays the missing turns at the end."""
    count = len(state.players)
    for step in range(1, count + 1):
        seat = (state.active + step) % count
        player = state.players[seat]
        if not player.gone and not player.sheet.is_full(rules):
            return replace(turn_over(state), drawn=False, phase=Phase.THROWING, active=seat)
    return finished(state, "complete")
