"""Sentences of the game: what the station waits for, why something is refused, what undo would take back."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import reduce

from messages.message import Message
from station.game.boxes import writable
from station.game.dice.sights import RESTING
from station.game.dice.to_throw import to_throw
from station.game.dice.tray import Offer
from station.game.evolve import replay
from station.game.feature import Feature, first_result, implementing
from station.game.log.player import Player
from station.game.log.state import Phase, State, totals
from station.game.players.seats import thrower
from station.game.way import WAY
from station.rules import Box, Entry, RuleSet, Section, Sheet, bonus_points
from station.rules.dice import Dice, dashed
from station.rules.needs import need


def points(count: int) -> Message:
    """A number of points, in words.

    >>> str(points(1)), str(points(24))
    ('1 point', '24 points')
    """
    return Message("points/count", count=count)


# -- what the station waits for ----------------------------------------------------------------------


def waiting_for(state: State, now: Offer) -> Message:
    """The sentence for what the station waits for; takes the dice in the tray into account."""
    if state.phase is Phase.LOBBY:
        return Message("waiting/lobby")
    if state.phase is Phase.FINISHED:
        return Message("waiting/finished", result=result(state))
    what = _wanted(state, now)
    for feature in implementing(Feature.waits):
        what = feature.waits(state, what)
    return Message("waiting/player", name=thrower(state), what=what)


def _wanted(state: State, now: Offer) -> Message:
    choose = WAY.of(state).to_choose(state)
    if state.phase is Phase.CHOOSING:
        return choose
    if len(state.held) >= state.dice_count:
        return Message("waiting/all_held", choose=choose)
    if (messages := on_the_tray(now)) is not None:
        return messages
    if state.phase is not Phase.HOLDING:
        return to_throw(state)
    if state.held or state.dice_count == 1:  # of one die there are no others
        return Message("waiting/or_choose", what=to_throw(state), choose=choose)
    return Message("waiting/hold", choose=choose)


def on_the_tray(now: Offer) -> Message | None:
    """What to do about the dice on the tray, in words; None when nothing has changed."""
    if now.status in {"moving", "covered"}:
        return Message("waiting/still" if now.status == "moving" else "waiting/hand")
    if now.status not in RESTING or not now.fresh:
        return None
    if now.status == "unsure":
        return Message("waiting/unsure", why=_why(now)) if now.reasons else Message("waiting/unsure_somehow")
    if now.missing:
        return Message("waiting/put_back")
    if now.untouched:
        return None  # all have to be thrown, and `problem_on_tray` says why
    return Message("waiting/confirm", faces=dashed([die.face for die in now.dice]))


def _why(now: Offer) -> tuple[Message, ...]:
    return tuple(Message(f"reason/{reason}") for reason in now.reasons)


def result(state: State) -> Message:
    """The sentence that names the winners."""
    names = tuple(state.players[i].name for i in state.winners)
    if state.ended_by == "big_general":
        return Message("result/big_general", name=names[0])
    if len(state.players) == 1 and state.players[0].sheet.entries:
        alone = state.players[0]
        return Message("result/alone", name=alone.name, points=points(totals(state, alone).total))
    if not names:
        return Message("result/over")
    sums = {totals(state, state.players[i]).total for i in state.winners}
    if len(sums) > 1:
        return Message("result/shared_unequal", names=names)
    best = points(max(sums))
    if len(names) > 1:
        return Message("result/shared", names=names, points=best)
    return Message("result/won", name=names[0], points=best)


# -- what is wrong on the tray -----------------------------------------------------------------------


def not_ready(now: Offer, *, blind: bool) -> Message:
    """The reason why the reading cannot be confirmed. blind: no camera was working."""
    match now.status:
        case "moving" | "covered":
            return Message(f"roll/{now.status}")
        case "unsure":
            return Message("roll/unsure", why=_why(now)) if now.reasons else Message("roll/unsure_somehow")
        case _:
            return Message("roll/unseen" if blind else "roll/empty")


def held_changed(state: State, now: Offer) -> Message:
    """The problem with the dice that should have stayed."""
    held = tuple(die.face for die in state.held_dice)
    return Message("roll/held_changed", name=state.player.name, held=held, missing=now.missing)


def wrong(state: State, now: Offer) -> Message | None:
    """Why a throw does not count yet, from a feature."""
    return first_result(Feature.wrong, state, now)


def problem_on_tray(state: State, now: Offer) -> Message | None:
    """The problem in the tray, if any."""
    if now.wrong:
        return now.wrong
    if state.phase is Phase.HOLDING and now.fresh and now.missing and now.status in RESTING:
        return held_changed(state, now)
    return wrong(state, now)


# -- what was written ---------------------------------------------------------------------------------


def awaited(state: State) -> tuple[RuleSet, Sheet, Dice] | None:
    """Rules with the boxes that may be written, the sheet, and the held faces; None where nothing is held."""
    if state.rules is None or state.phase is not Phase.HOLDING or not state.held:
        return None
    held = tuple(sorted(die.face for die in state.held_dice))
    sheet = state.player.sheet
    boxes = writable(state, state.rules.next_boxes(sheet.open(state.rules)))
    rules = replace(state.rules, boxes=tuple(box for box in state.rules.boxes if box.category in boxes))
    return rules, sheet, held


def needed(state: State) -> Message | None:
    """The faces needed beside the held dice; None for no particular face."""
    waited = awaited(state)
    found = need(*waited, state.rolls_left) if waited else None
    if found is None:
        return None
    count = Counter(found.faces)
    faces = tuple(Message("needs/face", face=face, count=count[face]) for face in sorted(count))
    how = "needs/all" if found.together else "needs/any"
    return Message(how, name=thrower(state), faces=faces, chance=found.chance)


def box_written(state: State, seat: int, category: str) -> Message:
    """The sentence for a filled box: player, box and points, with the bonus of a further yacht."""
    player, box = state.players[seat], state.played.box(category)
    entry = next((each for each in player.sheet.entries if each.category == category), Entry(category, 0))
    on_top = {"extra": entry.extra} if entry.extra else {}
    key = "announced/extra" if on_top else "announced/box"
    return Message(key, name=player.name, box=box.label, points=entry.points, **on_top)


def announced(state: State) -> Message | None:
    """The sentence that a scorekeeper announces: boxes filled since the last roll, and an earned upper bonus.

    None if none was filled.
    """
    rules = state.rules
    if rules is None:
        return None
    messages: list[Message] = []
    for seat, category in state.written:
        player, box = state.players[seat], rules.box(category)
        if player.sheet.points(category) is None:  # a correction has taken it away
            continue
        messages.append(box_written(state, seat, category))
        messages.extend(_upper_full(rules, player, box))
    return (
        reduce(lambda before, one: Message("announced/more", said=before, more=one), messages)
        if messages
        else None
    )


def _upper_full(rules: RuleSet, player: Player, box: Box) -> Iterator[Message]:
    """The bonus that a box has earned by completing the faces of its column, in words."""
    faces = {row.category for row in rules.boxes if row.section is Section.UPPER and row.column == box.column}
    points = {entry.category: entry.points for entry in player.sheet.entries}
    if box.category not in faces or not faces <= points.keys():
        return
    for bonus in rules.bonuses:
        if bonus.steps and {row.category for row in rules.members(bonus)} == faces:
            upper, paid = sum(points[face] for face in faces), bonus_points(rules, bonus, points)
            earned = "bonus" if paid else "no_bonus"
            yield Message(f"announced/{earned}", name=player.name, upper=upper, bonus=paid)


# -- what undo would take back -----------------------------------------------------------------------


def undo_text(state: State) -> Message | None:
    """The step that undo would take back, in words after "Undo: "; None when there is none."""
    return state.past[-1].undo_words(state, lambda: replay(state.past[:-1])) if state.past else None
