"""A box of an earlier turn is set right, and what was filled after it is scored anew."""

from dataclasses import replace

from messages.errors import RefusalError
from station.game.log import events, together
from station.game.log.ending import finished
from station.game.log.player import Filling, Player
from station.game.log.state import Phase, State
from station.rules import RuleSet, Sheet, fill
from station.rules.dice import dashed


def corrected(rules: RuleSet, player: Player, event: events.BoxCorrected) -> Player:
    """The player with one box set right, and all boxes filled after it scored anew.

    Raises RefusalError when the box is not filled, the dice cannot go to the other one, or a later box could
    not have been filled as it was.
    """
    places = [filling.category for filling in player.fillings]
    if event.category not in places:
        raise RefusalError("box/open")
    place = places.index(event.category)
    if event.to and event.to != event.category and event.to in places:
        raise RefusalError("box/filled_before", code="box/filled", box=rules.box(event.to).label)
    right = Filling(event.to or event.category, event.faces, event.throw)
    fillings = (*player.fillings[:place], right, *player.fillings[place + 1 :])
    sheet = replace(player.sheet, entries=())
    for number, filling in enumerate(fillings):
        try:
            sheet = fill(rules, sheet, filling.category, filling.faces, filling.throw)
        except RefusalError:
            if number == place:
                raise
            label, dice = rules.box(filling.category).label, dashed(filling.faces)
            raise RefusalError("box/impossible_after", box=label, faces=dice) from None
    return replace(player, sheet=sheet, fillings=fillings)


def throw_of(player: Player, category: str, default: int) -> int:
    """After which throw, from 1, that box was filled; `default` where it is not filled.

    A box filled after the first throw may be worth more in General, also once it is set right.
    """
    throws = (filling.throw for filling in player.fillings if filling.category == category)
    return next(throws, default)


def with_corrected_box(state: State, event: events.BoxCorrected) -> State:
    """An earlier box is set right; of a finished game the winner may be another one then."""
    rules = state.played
    player = state.players[event.seat]
    try:
        player = corrected(rules, player, event)
    except RefusalError:
        player = _corrected_alone(rules, player, event)
    player = together.without_lost_choice(rules, player)
    players = (*state.players[: event.seat], player, *state.players[event.seat + 1 :])
    after = replace(state, players=players)
    if after.called and after.called not in rules.next_boxes(after.player.sheet.open(rules)):
        # The box this turn was to go to has its points now, or is not due: the turn is free again.
        after = replace(after, called="")
    if state.phase is Phase.FINISHED and state.ended_by is not None and state.ended_by != "big_general":
        return finished(after, state.ended_by)
    return after


def _corrected_alone(rules: RuleSet, player: Player, event: events.BoxCorrected) -> Player:
    """The box set right, later ones as they were: so logs of version 0.1 are read, which allowed it."""
    place = [filling.category for filling in player.fillings].index(event.category)
    entries, fillings = player.sheet.entries, player.fillings
    right = Filling(event.to or event.category, event.faces, event.throw)
    sheet = fill(rules, Sheet(entries[:place]), right.category, right.faces, right.throw)
    return replace(
        player,
        sheet=replace(player.sheet, entries=(*sheet.entries, *entries[place + 1 :])),
        fillings=(*fillings[:place], right, *fillings[place + 1 :]),
    )
