"""A round in which all play at once: whether a throw is expected, and what is wrong with it."""

from collections.abc import Sequence

from messages.errors import RefusalError
from messages.message import Message
from station.game.dice.tray import Offer
from station.game.log import together
from station.game.log.same_dice import follow, shared_colours
from station.game.log.slots import Die, Seen, unread
from station.game.log.state import Phase, State


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
