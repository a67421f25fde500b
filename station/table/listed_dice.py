"""Which die a number stands for on the screens, and since when: what is said of a die is meant for that."""

from collections import deque
from collections.abc import Sequence

from station.contract import commands
from station.game.log.slots import Die, Seen, pairs

OfADie = commands.CorrectDie | commands.NotADie | commands.MissedDie
CHANGES_KEPT = 200
"""So many changes between a roll on offer and the confirmed one are remembered; what is older is stale."""


class ListedDice:
    """Not thread-safe: the table's lock is held.

    While a throw waits to be confirmed numbers stand for its dice, else, a hand over the tray included, for
    those of the confirmed roll. Of an unsure reading they count from the left, and shift when one is found.
    """

    def __init__(self) -> None:
        self._changes: deque[tuple[int, bool]] = deque([(0, False)], maxlen=CHANGES_KEPT)
        self._since: dict[int, tuple[Seen | None, int]] = {}
        self._count, self._counted = 0, 0

    def show(self, dice: Sequence[Die], version: int) -> None:
        """From that version on numbers stand for these dice, which wait to be confirmed; if any."""
        if bool(dice) is not self._changes[-1][1]:
            self._changes.append((version, bool(dice)))
        if not dice:
            return
        if len(dice) != self._count:
            self._count, self._counted = len(dice), version
        for die in dice:
            before, since = self._since.get(die.slot, (None, version))
            self._since[die.slot] = (die.seen, since if _same(before, die.seen) else version)

    def meant(self, asked: OfADie, version: int) -> bool:
        """Whether that was asked, at that version, of the die that it would change now."""
        waits = self._changes[-1][1]
        then = next((each for since, each in reversed(self._changes) if since <= version), None)
        if then is not waits:
            return False
        if not waits:
            return True
        if isinstance(asked, commands.MissedDie):
            changed = (since for slot, (_, since) in self._since.items() if slot <= self._count)
            return max((self._counted, *changed)) <= version
        return self._since.get(asked.slot, (None, 0))[1] <= version


def _same(before: Seen | None, now: Seen | None) -> bool:
    """Whether the die lies where it lay; of one that the camera did not see nothing tells otherwise."""
    return before is now or (before is not None and now is not None and bool(pairs((before,), (now,))))
