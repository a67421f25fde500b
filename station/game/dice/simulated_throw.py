"""The input of a simulated hand: which dice stay, and the faces of the thrown ones."""

from collections.abc import Sequence

from messages.errors import RefusalError
from station.game.dice.tray import Offer
from station.game.log.state import State


def faces_to_throw(state: State, faces: Sequence[int]) -> tuple[int, ...] | None:
    """Faces of the dice that are thrown, in slot order; None leaves them to chance.

    faces: none, or those of the thrown dice, or those of all dice; then the held ones must agree.
    Raises RefusalError `throw/count` and `throw/held`.
    """
    count = state.dice_count
    free = [slot for slot in range(1, count + 1) if slot not in state.held]
    if not faces:
        return None
    if len(faces) == len(free):
        return tuple(faces)
    if len(faces) != count:
        raise RefusalError("throw/count", thrown=len(free), all=count)
    for die in state.held_dice:
        if faces[die.slot - 1] != die.face:
            raise RefusalError("throw/held", slot=die.slot, face=die.face)
    return tuple(faces[slot - 1] for slot in free)


def held_places(state: State, now: Offer) -> tuple[tuple[int, int], ...]:
    """The held dice as (place from the left, beginning with 0; face), as they lie now."""
    return tuple(place_of(state, now, slot) for slot in state.held)


def place_of(state: State, now: Offer, slot: int) -> tuple[int, int]:
    """A die of the confirmed roll as (place from the left, beginning with 0; face), as it lies now."""
    lying = now.dice or state.dice
    order = sorted(lying, key=lambda die: die.seen.x if die.seen else float(die.slot))
    face = next(die.face for die in state.dice if die.slot == slot)
    return next(i for i, die in enumerate(order) if die.slot == slot), face
