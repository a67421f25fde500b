"""Dice of a turn: which die on the tray is which slot, whether they moved, whether held ones are there.

Positions are pixels of the picture. Nothing here knows vision: `Seen` is what the table makes of one die of a
reading.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import hypot
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from station.contract.fields import Face, Flag, Number, Place, Slot, Text
from station.contract.view import DieView

SeenFace = Annotated[int, Field(strict=True, ge=0, le=6)]
Colour = Annotated[Text, Field(max_length=20)]
UNTOUCHED_SHARE = 0.1
"""A die lies exactly where it lay while its middle moved less than this share of its edge.

Resting dice jitter by 1-2 % of an edge in recordings. A thrown one that comes to rest there, in the same
colour and with the same face, is rarer than one throw in 1,000.
"""

STILL_SHARE = 0.4
"""A die counts as lying where it lay while its middle moved less than this share of its edge.

Resting dice jitter by 1-2 % of an edge in recordings; a die that was thrown hardly ever comes to rest
within half its own width, and then another of the thrown dice will have moved.
"""


@dataclass(frozen=True, slots=True)
class Seen:
    """One die as the camera saw it: face 1-6, middle (x, y) and edge `size` in pixels, colour, track.

    face 0: it was there, but a person had to say what it shows. kept: it lies where dice are kept.
    unsure: the camera is not sure of its face. Both are looked at now, and are not in the log.
    """

    face: SeenFace
    x: Place
    y: Place
    size: Place
    colour: Colour = ""
    track: Number | None = None
    kept: Flag = False
    unsure: Flag = field(default=False, compare=False)

    def to_json(self) -> list[Any]:
        """The die as a short list, for the event log; `station.game.steps` reads it back."""
        return [self.face, round(self.x, 1), round(self.y, 1), round(self.size, 1), self.colour, self.track]


def by_field(names: Sequence[str], value: Any) -> Any:
    """The named fields of a value that the log has as a short list."""
    return dict(zip(names, value, strict=False)) if isinstance(value, list | tuple) else value


SeenDie = Annotated[Seen, BeforeValidator(partial(by_field, ("face", "x", "y", "size", "colour", "track")))]


@dataclass(frozen=True, slots=True)
class Die:
    """A die of the accepted roll: slot 1..n, face 1-6, and how the camera saw it (None when typed in)."""

    slot: Slot
    face: Face
    seen: SeenDie | None = None

    @property
    def read(self) -> Seen | None:
        """The die on the tray that is surely this one; None for a typed one."""
        return self.seen if self.seen and self.seen.face else None

    @property
    def colour(self) -> str:
        """The colour of its body; empty where the camera did not read it.

        >>> Die(1, 6, Seen(6, 90.0, 50.0, 60.0, "red")).colour
        'red'
        >>> Die(1, 6, unread(Seen(2, 90.0, 50.0, 60.0, "red"))).colour  # typed: it may be another die
        ''
        """
        return self.read.colour if self.read else ""


def die_views(dice: Iterable[Die], held: Collection[int]) -> tuple[DieView, ...]:
    """The dice as screens see them. held: by slot."""
    return tuple(DieView(die.slot, die.face, die.colour or None, held=die.slot in held) for die in dice)


def left_to_right(dice: Iterable[Seen]) -> tuple[Seen, ...]:
    """The dice by their middle's x, then y."""
    return tuple(sorted(dice, key=lambda die: (die.x, die.y)))


def _still(before: Seen, now: Seen) -> bool:
    reach = STILL_SHARE * max(before.size, now.size)
    return hypot(before.x - now.x, before.y - now.y) < reach


def pairs(before: Sequence[Seen], now: Sequence[Seen]) -> dict[int, int]:
    """Index in `before` -> index in `now` of the dice that lie where one lay, nearest pairs first."""
    distances = sorted(
        (hypot(a.x - b.x, a.y - b.y), i, j)
        for i, a in enumerate(before)
        for j, b in enumerate(now)
        if _still(a, b)
    )
    found: dict[int, int] = {}
    for _, i, j in distances:
        if i not in found and j not in found.values():
            found[i] = j
    return found


def unmoved(before: Sequence[Seen], now: Sequence[Seen]) -> bool:
    """Whether every die of `before` still lies where it lay, with the face the camera saw.

    A face of 0 in `before` means that the camera could not tell it; then the place decides alone.

    >>> one = Seen(4, 100, 100, 60)
    >>> unmoved([one], [Seen(4, 103, 99, 60)]), unmoved([one], [Seen(4, 160, 99, 60)])
    (True, False)
    >>> unmoved([], [])
    False
    """
    found = pairs(before, now)
    same = all(before[i].face in (0, now[j].face) for i, j in found.items())
    return bool(before) and len(found) == len(before) and same


@dataclass(frozen=True, slots=True)
class Match:
    """Dice on the tray given to slots. missing: held faces that no die on the tray shows."""

    dice: tuple[Die, ...]
    missing: tuple[int, ...] = ()


def assign(held: Sequence[Die], seen: Sequence[Seen], count: int) -> Match:
    """Give the dice on the tray to the slots 1..count.

    held: dice that keep slot and face. A held die is looked for where it lay, then by its track, then
    anywhere by its face (people push the dice they hold aside). What is left over takes the free slots
    from left to right. `missing` names held faces not found; their slot then takes the leftmost die
    nobody claims, with the face it was held with.

    >>> held = [Die(2, 6, Seen(6, 300, 0, 50))]
    >>> [(d.slot, d.face) for d in assign(held, [Seen(6, 10, 0, 50), Seen(1, 90, 0, 50)], 2).dice]
    [(1, 1), (2, 6)]
    """
    found = found_again(held, seen)
    free = [one for one in left_to_right(seen) if one not in found.values()]
    missing = tuple(die.face for die in held if die.slot not in found)
    given = {die.slot: die for die in held}
    dice = []
    for slot in range(1, count + 1):
        if slot in found:
            dice.append(Die(slot, given[slot].face, found[slot]))
        elif slot in given:
            dice.append(Die(slot, given[slot].face, free.pop(0) if free else None))
        elif free:
            first = free.pop(0)
            dice.append(Die(slot, first.face, first))
    return Match(tuple(dice), missing)


def unclaimed(held: Sequence[Die], seen: Sequence[Seen]) -> tuple[Seen, ...]:
    """The dice on the tray that are none of the held ones."""
    found = found_again(held, seen)
    return tuple(one for one in seen if one not in found.values())


def unread(seen: Seen | None) -> Seen | None:
    """The place of a die whose face a person gave."""
    return seen and replace(seen, face=0)


def found_again(held: Sequence[Die], seen: Sequence[Seen]) -> dict[int, Seen]:
    """The held dice among those on the tray, by slot."""
    free = list(left_to_right(seen))
    found: dict[int, Seen] = {}
    for same in (_same_place, _same_track, _same_kept, _same_face, _unread_place):
        for die in held:
            if die.slot in found:
                continue
            candidates = [one for one in free if same(die, one)]
            if candidates:
                best = min(candidates, key=lambda one, die=die: _distance(die, one))  # type: ignore[misc]
                found[die.slot] = best
                free.remove(best)
    return found


def _same_place(die: Die, one: Seen) -> bool:
    return die.seen is not None and _still(die.seen, one) and _may_be(die, one)


def _same_track(die: Die, one: Seen) -> bool:
    tracked = die.seen is not None and die.seen.track is not None and die.seen.track == one.track
    return tracked and _may_be(die, one)


def _may_be(die: Die, one: Seen) -> bool:
    """Whether the camera reads it as before, or as people corrected it."""
    return die.seen is not None and one.face in (die.face, die.seen.face)


def _unread_place(die: Die, one: Seen) -> bool:
    """Whether `one` is in the place of an unreadable die."""
    return die.seen is not None and die.seen.face == 0 and _still(die.seen, one)


def _same_kept(die: Die, one: Seen) -> bool:
    return one.kept and _same_face(die, one)


def _same_face(die: Die, one: Seen) -> bool:
    return die.face == one.face


def _distance(die: Die, one: Seen) -> float:
    return hypot(die.seen.x - one.x, die.seen.y - one.y) if die.seen else one.x


def slots_of(hold: Iterable[int], dice: Iterable[Die], held: Iterable[int] = ()) -> tuple[int, ...]:
    """Slots that keep these faces, dice already held first.

    >>> slots_of((4,), [Die(1, 4), Die(2, 4)], held=(2,))
    (2,)
    """
    wanted = list(hold)
    slots = []
    for die in sorted(dice, key=lambda die: die.slot not in held):
        if die.face in wanted:
            wanted.remove(die.face)
            slots.append(die.slot)
    return tuple(sorted(slots))
