"""A throw for everybody, and when the round goes on."""

from dataclasses import replace

from station.features.all_at_once import copies
from station.features.all_at_once.copies import COLOURS, COPY
from station.features.all_at_once.same_dice import colours_by_slot
from station.game.log.ending import finished
from station.game.log.event import Leaves
from station.game.log.state import Phase, State, left, turn_over
from station.rules import RuleSet


def without_copies(state: State) -> State:
    """No round is being played."""
    return replace(state, players=copies.cleared(state.players))


def copied(state: State, rules: RuleSet) -> State:
    """A throw counts for everybody."""
    first = state.throws_done == 1
    players = copies.thrown(rules, state.players, state.dice, first=first)
    if state.phase is Phase.CHOOSING:
        players = copies.released(players)
    colours = colours_by_slot(() if first else COLOURS.of(state), state.dice)
    active = copies.at_table(rules, players, 0)
    return COLOURS.put(replace(state, players=players, active=active), colours)


def round_on(state: State, *, left_by: Leaves | None = None, ready: int | None = None) -> State:
    """The state in which the round goes on, once all are ready.

    left_by: the event by which the dice in the tray are nobody's roll then. ready: who became ready.
    """
    rules, players = state.played, state.players
    if not any(copies.plays(rules, player) for player in players):
        return finished(without_copies(state), "complete")
    ends_round = state.phase is Phase.CHOOSING or (state.throws_done > 0 and not copies.in_round(players))
    if copies.waited_for(players) or (state.phase is Phase.THROWING and not ends_round):
        if ready != state.active:
            return state
        return replace(state, active=copies.at_table(rules, players, state.active))
    after = _next_round(state, rules) if ends_round else replace(state, phase=Phase.THROWING)
    return after if left_by is None else left(after, left_by)


def _next_round(state: State, rules: RuleSet) -> State:
    """The boxes are written, and the next round begins, or the game is over."""
    players = copies.written(rules, state.players, state.throws_done)
    chosen = [COPY.of(player).chosen for player in state.players]
    written = tuple((seat, box) for seat, box in enumerate(chosen) if box)
    after = COLOURS.put(replace(turn_over(state), players=players, written=written), ())
    if not any(copies.plays(rules, player) for player in players):
        return finished(after, "complete")
    return replace(after, phase=Phase.THROWING, active=copies.at_table(rules, players, 0))
