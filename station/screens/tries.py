"""Wrong tries slow down the screen that makes them, and its address.

Those of a PIN are counted for the house, too: else two hundred addresses try as often as each of them may.
Whoever was let in before, or stands at the table, has a way that the house's count does not close.
"""

from collections.abc import Callable

FREE = 3
"""Number of wrong tries without a wait: people mistype."""
FIRST_WAIT_S = 2.0
LONGEST_WAIT_S = 900.0
"""Each further one doubles the wait, up to this: 10,000 PINs take three months."""
FORGET_S = 3600.0
"""Seconds after the last wait at which the tries are forgotten."""
REMEMBERED_MAX = 200
"""A house has fewer addresses; when more try, the further ones wait together."""

HOUSE = "house"
"""The key of all strangers together."""
FREE_OF_HOUSE = 20
FORGET_HOUSE_S = 86_400.0
"""With these, and the longest wait, a house is tried 20 to 110 times a day: 10,000 PINs take three months."""

OF_THEIR_OWN = frozenset({HOUSE, "127.0.0.1", "::1"})
"""Keys that never wait together with others: of the house, and of the screen of the machine itself."""
OTHERS = ""


class Tries:
    """Counts wrong tries by key. clock: seconds, monotonic. Not thread-safe by itself.

    >>> tries = Tries(clock=lambda: 0.0)
    >>> for _ in range(FREE + 1):
    ...     tries.wrong("192.0.2.7")
    >>> tries.wait_s("192.0.2.7"), tries.wait_s("192.0.2.8")
    (2.0, 0.0)
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._wrong: dict[str, tuple[int, float]] = {}

    def wait_s(self, *keys: str) -> float:
        """Seconds until one of these may try again; 0.0 when now."""
        now_s = self._clock()
        self._wrong = {
            key: each
            for key, each in self._wrong.items()
            if now_s < each[1] + (FORGET_HOUSE_S if key == HOUSE else FORGET_S)
        }
        return max(
            (self._wrong[each][1] - now_s for each in map(self._key, keys) if each in self._wrong),
            default=0.0,
        )

    def wrong(self, *keys: str) -> None:
        """These have tried, and were wrong."""
        for key in {self._key(each) for each in keys}:
            count = self._wrong.get(key, (0, 0.0))[0] + 1
            over = count - (FREE_OF_HOUSE if key == HOUSE else FREE)
            wait_s = min(FIRST_WAIT_S * 2.0 ** min(over - 1, 30), LONGEST_WAIT_S) if over > 0 else 0.0
            self._wrong[key] = (count, self._clock() + wait_s)

    def right(self, *keys: str) -> None:
        """These were right: what went before is forgotten."""
        for key in keys:
            self._wrong.pop(key, None)

    def _key(self, key: str) -> str:
        known = key in OF_THEIR_OWN or key in self._wrong
        return key if known or len(self._wrong) < REMEMBERED_MAX else OTHERS
