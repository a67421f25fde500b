"""What may happen in a round in which all play at once: on the copies, with the throw, at the tray.

`verify` style, as `station.game.decide`: RefusalError says why not.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import assert_never

from messages.errors import RefusalError
from messages.message import Message
from station.contract.commands import CopyCommand, Ready, ScoreBox, SetHeld, Unready
from station.game.dice.sights import Sight, as_left
from station.game.dice.tray import Offer
from station.game.log import together
from station.game.log.player import Copy
from station.game.log.same_dice import follow, shared_colours
from station.game.log.slots import Die, Seen, unread
from station.game.log.state import Phase, State
from station.game.players import seats
from station.game.steps import BoxChosen, CopyHeld, Event, PlayerReady, PlayerUnready
from station.rules import RuleSet, fill

_BEFORE_THE_THROW: Mapping[type[CopyCommand], str] = MappingProxyType(
    {
        SetHeld: "held/no_roll",
        ScoreBox: "box/after_last_throw",
        Ready: "ready/no_roll",
        Unready: "ready/no_roll",
    }
)
"""Why a round that has no throw yet has nothing to be done in it."""


def decide(state: State, rules: RuleSet, command: CopyCommand, sight: Sight) -> tuple[Event, ...]:
    """The events of what one player does with the own copy; none when it changes nothing."""
    seat = state.active if command.player is None else command.player
    copy = copy_of(state, seat, command)
    match command:
        case SetHeld():
            return _hold(state, rules, seat, copy, command.slots)
        case ScoreBox():
            return _pick(state, rules, seat, copy, command.category)
        case Ready():
            return _ready(state, seat, copy, sight)
        case Unready():
            return (PlayerUnready(seat),) if copy.ready else ()
        case _:
            assert_never(command)


def chosen(state: State, seat: int) -> State:
    """The state with the buttons acting for another player. Raises RefusalError."""
    if not state.simultaneous or not state.running:
        raise RefusalError("ready/turns")
    seats.check(state, seat)
    return state.at_table(seat)


def copy_of(state: State, seat: int, command: CopyCommand) -> Copy:
    """The copy of a player who has something to do with it now. Raises RefusalError for the command."""
    seats.check(state, seat)
    if state.throws_done == 0:
        raise RefusalError(_BEFORE_THE_THROW[type(command)])
    if not state.players[seat].copy.dice:
        raise RefusalError("ready/next_round", name=state.players[seat].name)
    if state.phase is Phase.THROWING:
        raise RefusalError("ready/all_ready")
    return state.players[seat].copy


def _hold(state: State, rules: RuleSet, seat: int, copy: Copy, wanted: Sequence[int]) -> tuple[Event, ...]:
    if state.phase is Phase.CHOOSING:
        raise RefusalError("held/choosing")
    slots = slots_asked(rules, wanted)
    if slots == copy.held:
        return ()
    _not_ready(state, seat)
    return (CopyHeld(seat, slots),)


def slots_asked(rules: RuleSet, wanted: Sequence[int]) -> tuple[int, ...]:
    """The slots of dice somebody asks for, ascending. Raises RefusalError `die/unknown`."""
    slots = tuple(sorted(set(wanted)))
    if any(not 1 <= slot <= rules.dice for slot in slots):
        raise RefusalError("die/numbers", code="die/unknown", count=rules.dice)
    return slots


def _pick(state: State, rules: RuleSet, seat: int, copy: Copy, category: str) -> tuple[Event, ...]:
    if state.phase is not Phase.CHOOSING:
        raise RefusalError("box/after_last_throw")
    # Filling it for trial raises the refusal that says why a box cannot be filled.
    fill(rules, state.players[seat].sheet, category, [die.face for die in copy.dice])
    if category == copy.chosen:
        return ()
    _not_ready(state, seat)
    return (BoxChosen(seat, category),)


def _ready(state: State, seat: int, copy: Copy, sight: Sight) -> tuple[Event, ...]:
    if copy.ready:
        return ()
    if state.phase is Phase.CHOOSING and copy.chosen is None:
        raise RefusalError("ready/no_box", name=state.players[seat].name)
    # The dice that lie there are nobody's throw once the round goes on.
    left = as_left(sight) if together.waited_for(state.players) == (seat,) else ((), False)
    return (PlayerReady(seat, *left),)


def _not_ready(state: State, seat: int) -> None:
    if state.players[seat].copy.ready:
        raise RefusalError("ready/already", name=state.players[seat].name)


# -- the throw for everybody -------------------------------------------------------------------------


def may_roll(state: State) -> None:
    """Raise the RefusalError that says why no throw is expected."""
    if state.phase is Phase.CHOOSING:
        raise RefusalError("roll/all_choose", code="roll/none_left", names=names_waited_for(state))
    if state.phase is Phase.HOLDING:
        raise RefusalError("roll/not_all_ready", names=names_waited_for(state))


def names_waited_for(state: State) -> tuple[str, ...]:
    """Who is not ready yet."""
    return tuple(state.players[seat].name for seat in together.waited_for(state.players))


def wrong_on_tray(state: State, now: Offer) -> Message | None:
    """What is wrong with the dice that lie there, if anything."""
    if now.early:
        return Message("roll/early", names=names_waited_for(state))
    if now.vague and now.fresh:
        return Message("roll/other_colours", slots=now.vague)
    if now.untouched:
        faces = tuple(die.face for die in now.dice if die.slot in now.untouched)
        return Message("roll/all_are_thrown", count=len(faces), faces=faces)
    return None


def told_apart(state: State, now: Offer) -> Message | None:
    """How dice are followed that their colours do not tell apart; in the first round only."""
    if not state.running or any(player.sheet.entries for player in state.players) or state.rules is None:
        return None
    colours = state.colours or tuple(die.seen.colour for die in now.listed if die.seen)
    if len(colours) < state.rules.dice or not (shared := shared_colours(colours)):
        return None
    if len(set(colours)) == 1:
        return Message("together/one_colour")
    told = tuple(Message(f"page/colour/{each}") for each in shared)
    return Message("together/colour_twice", count=len(shared), colours=told)


def typed(state: State, faces: Sequence[int], lying: Sequence[Seen]) -> tuple[Die, ...]:
    """The typed dice, slot by slot; each with the place of the same die on the tray, where it is seen.

    What the camera makes of their faces is not said, so the places carry face 0.
    """
    places: dict[int, Seen] = {}
    if len(lying) == len(faces):
        places = {die.slot: die.seen for die in follow(state.colours, lying).dice if die.seen}
    return tuple(Die(slot, face, unread(places.get(slot))) for slot, face in enumerate(faces, start=1))
