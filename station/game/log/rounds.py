"""A round in which all play at once: a throw for everybody, and when the round goes on."""

from dataclasses import replace

from station.game.log import together
from station.game.log.ending import finished
from station.game.log.event import Leaves
from station.game.log.same_dice import colours_by_slot
from station.game.log.state import Phase, State, left, turn_over
from station.rules import RuleSet


def copied(state: State, rules: RuleSet) -> State:
    """A throw counts for everybody, where all play at once."""
    first = state.throws_done == 1
    players = together.thrown(rules, state.players, state.dice, first=first)
    if state.phase is Phase.CHOOSING:
        players = together.released(players)
    colours = colours_by_slot(() if first else state.colours, state.dice)
    active = together.at_table(rules, players, 0)
    return replace(state, players=players, colours=colours, active=active)


def round_on(state: State, *, left_by: Leaves | None = None, ready: int | None = None) -> State:
    """Where all play at once: when nobody is waited for any more, the round goes on.

    left_by: the event by which the dice in the tray are nobody's roll then. ready: who became ready.
    """
    rules, players = state.played, state.players
    if not any(together.plays(rules, player) for player in players):
        return finished(state, "complete")
    ends_round = state.phase is Phase.CHOOSING or (state.throws_done > 0 and not together.in_round(players))
    if together.waited_for(players) or (state.phase is Phase.THROWING and not ends_round):
        if ready != state.active:
            return state
        return replace(state, active=together.at_table(rules, players, state.active))
    after = _next_round(state, rules) if ends_round else replace(state, phase=Phase.THROWING)
    return after if left_by is None else left(after, left_by)


def _next_round(state: State, rules: RuleSet) -> State:
    """The boxes are written, and the next round begins, or the game is over."""
    players = together.written(rules, state.players, state.throws_done)
    written = tuple((i, player.copy.chosen) for i, player in enumerate(state.players) if player.copy.chosen)
    after = replace(turn_over(state), players=players, colours=(), written=written)
    if not any(together.plays(rules, player) for player in players):
        return finished(after, "complete")
    return replace(after, phase=Phase.THROWING, active=together.at_table(rules, players, 0))
