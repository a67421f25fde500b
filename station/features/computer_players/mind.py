"""Decisions of computer players: for points, to win, or with the errors of their strength."""

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from messages.message import Message
from station.advice.advisor import Advisor
from station.advice.situation import AdviceSituation
from station.features.computer_players.deciding import Move
from station.features.computer_players.option import COMPUTER
from station.game.boxes import bound, unadvised, worth_now
from station.game.log.slots import slots_of
from station.game.log.state import Phase, State, saved_throws
from station.game.way import WAY
from station.rules import RuleSet, best_split
from station.strategy.forward.simulation import Err
from station.strategy.forward.strength import STRONGEST, erring
from station.strategy.model.position import extra_in, of_sheet
from station.strategy.reasons import points_now, reason
from station.strategy.values.decisions import Values
from station.strategy.values.hints import BoxValue, HoldValue, hint, second_boxes

Choice = TypeVar("Choice", HoldValue, BoxValue)


def decided(advisor: Advisor, state: State) -> Move:
    """The decision of the active player, a computer, for the current dice.

    The same position of the same game always brings the same decision, errors included, so that a restart
    changes no mind. Works out the values of the rule set where nobody has; that takes a while. Of a game that
    is too large for that, and where there is no advice, it writes what brings most at once.
    """
    if not advisor.plan(state.played).can_be_done or unadvised(state):
        worth = worth_now(state)
        return Move((), max(worth, key=lambda box: worth[box]), Message("computer/without_advice"))
    solution = advisor.solution_now(state.played)
    if COMPUTER.of(state.player) == "to-win":
        return _to_win(advisor, solution, state)
    return _for_points(solution, state, _errors(state))


def _errors(state: State) -> Err | None:
    """The errors of the active player in this position."""
    kind = COMPUTER.of(state.player)
    strength = int(kind) if kind.isdigit() else STRONGEST
    where = (state.game, state.active, len(state.player.fillings), state.throws_done, state.faces)
    seed = hashlib.blake2b(repr(where).encode(), digest_size=8).digest()
    return erring(strength, np.random.default_rng(int.from_bytes(seed)).random)


def _for_points(solution: Values, state: State, err: Err | None) -> Move:
    rules = solution.model.rules
    where = of_sheet(rules, state.player.sheet, state.saved, bound(state))
    if WAY.of(state).filled_in_turn(state):
        return _written(rules, state, _best(second_boxes(solution, state.player.sheet, state.faces), err))
    found = hint(solution, where, state.faces, state.rolls_left)
    if found.holds and state.phase is not Phase.CHOOSING:
        best = _best(found.holds, err)
        if len(best.hold) < len(state.dice):
            why = reason(solution, where, state.faces, state.rolls_left, best)
            return Move(slots_of(best.hold, state.dice, state.held), None, why, binds=best.announce)
    return _written(rules, state, _best(found.boxes, err))


def _best(choices: Sequence[Choice], err: Err | None) -> Choice:
    """The choice that seems best to a player with such errors."""
    if err is None:
        return choices[0]
    seems = np.array([each.value for each in choices]) + err((len(choices),))
    return choices[int(seems.argmax())]


def _written(rules: RuleSet, state: State, box: BoxValue) -> Move:
    """Filling a box, or the first of two."""
    extra = extra_in(rules, state.player.sheet, box.category, state.faces)
    why = points_now(rules, box, extra)
    category, _, second = box.category.partition("+")
    if not second:
        return Move((), category, why)
    split = best_split(rules, state.player.sheet, (category, second), state.faces, state.throws_done)
    slots = slots_of(split.groups[0], state.dice)
    return Move((), category, why, slots if len(state.dice) > rules.group else ())


def _to_win(advisor: Advisor, solution: Values, state: State) -> Move:
    """The choice by the chance to win; by points between two boxes, and while the chances are unknown."""
    plain = _for_points(solution, state, None)
    others = [seat for seat, player in enumerate(state.players) if not player.gone]
    if len(others) < 2 or WAY.of(state).filled_in_turn(state):  # noqa: PLR2004 - alone nobody wins
        return plain
    rules = solution.model.rules
    now = AdviceSituation(
        [state.players[seat].sheet for seat in others],
        others.index(state.active),
        state.faces,
        state.rolls_left,
        saved=[saved_throws(rules, state.players[seat]) for seat in others],
        called=bound(state),
    )
    found = advisor.odds(rules, now)
    if not found.boxes:
        return replace(plain, why=Message("computer/for_points", why=plain.why))
    if found.holds and state.phase is not Phase.CHOOSING:
        best = found.holds[0]
        if len(best.hold) < len(state.dice):
            why = Message("computer/to_win", chance=best.chance)
            return Move(slots_of(best.hold, state.dice, state.held), None, why)
    box = found.boxes[0]
    move = _written(rules, state, BoxValue(box.category, 0, 0.0))
    return Move((), move.box, Message("computer/to_win", chance=box.chance), move.slots)
