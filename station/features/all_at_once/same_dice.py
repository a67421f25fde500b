"""Tracking of dice from throw to throw: a slot is one physical die.

A die is known by the colour of its body. Dice of one colour are known by their position, from left to right.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot

from station.game.log.slots import UNTOUCHED_SHARE, Die, Seen, left_to_right


@dataclass(frozen=True, slots=True)
class Followed:
    """The dice in their slots. vague: slots of which the colours do not say which die is theirs."""

    dice: tuple[Die, ...]
    vague: tuple[int, ...] = ()


def follow(colours: Sequence[str], seen: Sequence[Seen]) -> Followed:
    """Give the dice to the slots by their colours; `colours` are those of the slots 1..n, empty if unknown.

    As many dice as slots. Position decides what colours leave open: within one colour that is as agreed,
    beyond it the slots are vague. A single die that is left over is the one that is missing.

    >>> red, green = Seen(3, 90.0, 0.0, 60.0, "red"), Seen(5, 10.0, 0.0, 60.0, "green")
    >>> [(die.slot, die.face) for die in follow(("red", "green"), (green, red)).dice]
    [(1, 3), (2, 5)]
    """
    order = left_to_right(seen)
    if len(set(colours)) <= 1:
        return Followed(tuple(Die(slot, die.face, die) for slot, die in enumerate(order, start=1)))
    wanted, there = Counter(colours), Counter(die.colour for die in order)
    sure = {colour for colour in wanted if colour and wanted[colour] == there[colour]}
    waiting = {colour: [die for die in order if die.colour == colour] for colour in sure}
    rest = [die for die in order if die.colour not in sure]
    open_slots = [slot for slot, colour in enumerate(colours, start=1) if colour not in sure]
    dice = []
    for slot, colour in enumerate(colours, start=1):
        die = (waiting[colour] if colour in sure else rest).pop(0)
        dice.append(Die(slot, die.face, die))
    return Followed(tuple(dice), tuple(open_slots) if len(open_slots) > 1 else ())


def colours_by_slot(before: Sequence[str], dice: Sequence[Die]) -> tuple[str, ...]:
    """The colour of each slot, as it was seen first in this round; empty where it never was."""
    return tuple(
        (before[i] if i < len(before) else "") or (die.seen.colour if die.seen else "")
        for i, die in enumerate(dice)
    )


def shared_colours(colours: Sequence[str]) -> tuple[str, ...]:
    """Colours that more than one die has, in the order of the slots."""
    return tuple(colour for colour, count in Counter(colours).items() if colour and count > 1)


def untouched(before: Sequence[Seen], now: Sequence[Die]) -> tuple[int, ...]:
    """Slots of `now` whose die lies exactly where one of its colour lay before, with the same face.

    A face of 0 in `before` is not known; then place and colour decide.
    """
    return tuple(die.slot for die in now if die.seen and any(_same_lie(was, die.seen) for was in before))


def _same_lie(was: Seen, now: Seen) -> bool:
    near = hypot(was.x - now.x, was.y - now.y) < UNTOUCHED_SHARE * max(was.size, now.size)
    return near and was.face in (0, now.face) and was.colour == now.colour
