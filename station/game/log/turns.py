"""A turn: throws, boxes, and whose turn is next."""

from dataclasses import replace

from station.game.log import events
from station.game.log.ending import finished, with_big_general
from station.game.log.player import Filling
from station.game.log.rounds import copied
from station.game.log.state import Phase, State, turn_over, with_player
from station.rules import RuleSet, fill


def rolled(state: State, event: events.RollAccepted) -> State:
    """A throw counts."""
    dice = event.dice
    rules = state.played
    done = state.throws_done + 1
    phase = Phase.HOLDING if done < state.throws_allowed else Phase.CHOOSING
    # After the last throw nothing can be held any more.
    held = state.held if phase is Phase.HOLDING else ()
    now = replace(state, phase=phase, throws_done=done, dice=dice, held=held, lying=dice)
    now = replace(now, rolling=False, since=event, drawn=event.drawn, written=())
    return copied(now, rules) if state.simultaneous else with_big_general(now)


def scored(state: State, event: events.BoxScored) -> State:
    """A box is filled; the turn goes on where the rule set fills two, or the next player's begins."""
    rules = state.played
    used = tuple(die for die in state.dice if not event.slots or die.slot in event.slots)
    rest = tuple(die for die in state.dice if die not in used)
    faces = tuple(sorted(die.face for die in used))
    filling = Filling(event.category, faces, state.throws_done)
    sheet = fill(rules, state.player.sheet, event.category, faces, state.throws_done)
    filled = with_player(state, state.active, sheet=sheet, fillings=(*state.player.fillings, filling))
    written = (*state.written, (state.active, event.category))
    after = replace(filled, boxes_this_turn=state.boxes_this_turn + 1, written=written)
    if after.boxes_this_turn < rules.boxes_per_turn and not sheet.is_full(rules) and rest:
        return replace(after, phase=Phase.CHOOSING, dice=rest, held=())
    return next_turn(after, rules)


def next_turn(state: State, rules: RuleSet) -> State:
    """The next seat with an open box throws; who joined late plays the missing turns at the end."""
    count = len(state.players)
    for step in range(1, count + 1):
        seat = (state.active + step) % count
        player = state.players[seat]
        if not player.gone and not player.sheet.is_full(rules):
            return replace(turn_over(state), drawn=False, phase=Phase.THROWING, active=seat)
    return finished(state, "complete")
