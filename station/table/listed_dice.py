"""The dice that the numbers on the screens mean at each version, for corrections by number."""

from collections import deque
from collections.abc import Mapping, Sequence

from station.contract import commands
from station.game.log.slots import Die, Seen, pairs

OfADie = commands.CorrectDie | commands.NotADie | commands.MissedDie
LISTS_KEPT = 200
"""Number of lists stored, one for each change; commands from before them are stale."""


class ListedDice:
    """Not thread-safe: the table's lock is held.

    While a throw waits to be confirmed numbers stand for its dice, else, a hand over the tray included, for
    those of the confirmed roll. Of an unsure reading they count from the left, and shift when one is found.
    """

    def __init__(self) -> None:
        self._shown: deque[tuple[int, Mapping[int, Seen | None]]] = deque([(0, {})], maxlen=LISTS_KEPT)

    def show(self, dice: Sequence[Die], version: int) -> None:
        """Let the numbers stand for these unconfirmed dice, if any, from that version on."""
        self._shown.append((version, {die.slot: die.seen for die in dice}))

    def matches(self, command: OfADie, version: int) -> bool:
        """Whether a command of that version is about the die that it would change now."""
        now = self._shown[-1][1]
        then = next((each for since, each in reversed(self._shown) if since <= version), None)
        if then is None or bool(then) is not bool(now):
            return False
        if isinstance(command, commands.MissedDie):
            return then.keys() == now.keys() and all(_same(then[slot], now[slot]) for slot in now)
        return command.slot not in now or (
            command.slot in then and _same(then[command.slot], now[command.slot])
        )


def _same(before: Seen | None, now: Seen | None) -> bool:
    """Whether the die lies where it lay; true for one that the camera did not see."""
    return before is now or (before is not None and now is not None and bool(pairs((before,), (now,))))
