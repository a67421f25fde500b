"""How soon throws are offered once they lie still."""

from collections import deque

OFFERS_KEPT = 20
"""For how many throws it is remembered how long they took to be offered."""


class OfferTimes:
    """Of the last throws. Noted by the thread that reads, read by the pages."""

    def __init__(self) -> None:
        self._took_s: deque[float] = deque(maxlen=OFFERS_KEPT)
        self._moved = False

    def begin(self) -> None:
        """What lies there now was not seen to fall."""
        self._moved = False

    def note(self, still_since_s: float | None, now_s: float, *, ready: bool) -> None:
        """A frame was read: since when everything lies still, None while it moves; whether it is a roll."""
        if still_since_s is None:
            self._moved = True
        elif self._moved and ready:
            self._moved = False
            self._took_s.append(now_s - still_since_s)

    @property
    def median_s(self) -> float | None:
        """Median seconds from rest to offer; None before the first throw."""
        found = sorted(self._took_s)
        return found[len(found) // 2] if found else None
