"""Keeps the identity of dice from frame to frame."""

from dataclasses import replace

from vision.reading import DieReading

SAME_PLACE = 0.3
"""Two dice whose middles are closer than this share of an edge are one die that did not move."""


def assign_tracks(
    before: tuple[DieReading, ...], now: tuple[DieReading, ...], unused: int
) -> tuple[DieReading, ...]:
    """The dice of `now` with the numbers (`track`) they had in `before`; new ones count from `unused`.

    A die that stayed keeps its number. A die that was thrown keeps it where its colour tells it apart:
    when it is the only one of its colour that vanished and only one of that colour came.
    """
    numbers: dict[int, int] = {}
    left = list(before)
    for k, die in enumerate(now):
        near = [old for old in left if same_place(old, die)]
        if near:
            old = min(near, key=lambda o: _gap(o, die))
            left.remove(old)
            if old.track is not None:
                numbers[k] = old.track
    for k, die in enumerate(now):
        if k in numbers:
            continue
        came = [d for j, d in enumerate(now) if j not in numbers and d.colour is die.colour]
        went = [old for old in left if old.colour is die.colour and old.track is not None]
        if len(came) == 1 and len(went) == 1 and went[0].track is not None:
            numbers[k] = went[0].track
            left.remove(went[0])
    dice = []
    for k, die in enumerate(now):
        if k not in numbers:
            numbers[k], unused = unused, unused + 1
        dice.append(replace(die, track=numbers[k]))
    return tuple(dice)


def same_place(a: DieReading, b: DieReading) -> bool:
    """Whether two readings are of one die that did not move."""
    return _gap(a, b) < SAME_PLACE * min(a.size, b.size)


def _gap(a: DieReading, b: DieReading) -> float:
    return float(((a.center[0] - b.center[0]) ** 2 + (a.center[1] - b.center[1]) ** 2) ** 0.5)
