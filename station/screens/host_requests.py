"""Requests to become host, until somebody at the table accepts.

Two ways lead there, and both need a person beside the station: the confirm button held for `HOLD_S` seconds
while exactly one screen asks, or the number that the station itself shows (terminal, the screen plugged into
it). The number is one for all who ask, for it proves the place, not the screen.
"""

import secrets
from collections.abc import Callable
from threading import Lock

HOLD_S = 2.0
"""Seconds for which the confirm button is held."""
ASK_S = 90.0
"""Seconds for which a request is valid."""
WRONG_MAX = 10
"""Wrong numbers after which there is another one."""


def new_number() -> str:
    """Six digits."""
    return f"{secrets.randbelow(1_000_000):06}"


class HostRequests:
    """The screens that ask now; thread-safe.

    buttons: whether there is a confirm button to hold. show: called with each new number, for the terminal.
    clock: seconds, monotonic, the one of the buttons.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self.buttons = False
        self.show: Callable[[str], None] = lambda _: None
        self.granted: Callable[[str], None] = lambda _: None
        """Called with the mark of the screen whose request the button granted."""
        self._clock = clock
        self._lock = Lock()
        self._until_s: dict[str, float] = {}
        self._from: dict[str, str] = {}
        self._since_s = 0.0
        self._number = ""
        self._wrong = 0

    def ask(self, mark: str, address: str) -> None:
        """A screen asks from now on; an older request from the same address is over."""
        with self._lock:
            if not self._asking():
                self._number, self._wrong = "", 0
            for other in [each for each, where in self._from.items() if where == address]:
                self._forget(other)
            self._until_s[mark], self._from[mark] = self._clock() + ASK_S, address
            self._since_s = self._clock()
            fresh = not self._number
            self._number = self._number or new_number()
            number = self._number
        if fresh:
            self.show(number)

    def withdraw(self, mark: str) -> None:
        """A screen asks no longer."""
        with self._lock:
            self._forget(mark)

    def asks(self, mark: str) -> bool:
        """Whether this screen asks."""
        with self._lock:
            return mark in self._asking()

    @property
    def count(self) -> int:
        """Number of waiting requests."""
        with self._lock:
            return len(self._asking())

    @property
    def since_s(self) -> float | None:
        """Since when as many ask as now, on the clock; None: nobody does. A press counts from then on."""
        with self._lock:
            return self._since_s if self._asking() else None

    @property
    def number(self) -> str | None:
        """The number to type; None without a request."""
        with self._lock:
            return self._number if self._asking() else None

    def held(self) -> bool:
        """The confirm button was held long enough; whether that made a screen host: one must ask, not two."""
        with self._lock:
            asking = self._asking()
            if len(asking) != 1:
                return False
            (mark,) = asking
            self._end()
        self.granted(mark)
        return True

    def typed(self, mark: str, number: str) -> bool:
        """Whether a screen that asks has typed the right number; then all requests are over."""
        fresh = ""
        with self._lock:
            if mark not in self._asking():
                return False
            right = secrets.compare_digest(number.encode(), self._number.encode())
            if right:
                self._end()
            else:
                self._wrong += 1
                if self._wrong >= WRONG_MAX:
                    fresh = self._number = new_number()
                    self._wrong = 0
        if fresh:
            self.show(fresh)
        return right

    def _asking(self) -> list[str]:
        now_s = self._clock()
        for mark, until_s in list(self._until_s.items()):
            if until_s <= now_s:
                self._forget(mark, until_s)
        return list(self._until_s)

    def _forget(self, mark: str, at_s: float | None = None) -> None:
        """One asks no longer; a press meanwhile may have been for that one."""
        if self._until_s.pop(mark, None) is not None:
            self._since_s = max(self._since_s, self._clock() if at_s is None else at_s)
        self._from.pop(mark, None)

    def _end(self) -> None:
        self._until_s.clear()
        self._from.clear()
        self._number = ""
