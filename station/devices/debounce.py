"""From a bouncing contact to presses: debounced, latched, a long press distinct from a short one. Pure.

A level counts once the contact has kept it for `settle_s`; shorter spikes are noise. Times are those of
the edges themselves, so that a press is judged right also when the worker gets to it late.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from math import inf

from station.config import PressTimes
from station.contract.command import Button


class ButtonEvent(StrEnum):
    """Events of a contact."""

    DOWN = "down"
    SHORT = "short"
    LONG = "long"
    STUCK = "stuck"
    FREED = "freed"


@dataclass(slots=True)
class Contact:
    """One button. Times in seconds on one monotonic clock.

    long_s: held that long it is a LONG press at once, and then no SHORT one at its release; None: it has no
    long press. DOWN comes at every press, SHORT at the release. STUCK comes after `stuck_s`, FREED at the
    release after that. up_since_s: when the press before ended.
    """

    settle_s: float = 0.008
    long_s: float | None = None
    stuck_s: float = 20.0
    level: bool = False
    level_since_s: float = 0.0
    down: bool = False
    down_since_s: float = 0.0
    up_since_s: float = -inf
    told_long: bool = False
    told_stuck: bool = False

    def found_down(self, at_s: float) -> None:
        """The contact was closed before anybody looked at it: nothing comes of that, unless it sticks."""
        self.level = self.down = self.told_long = True
        self.level_since_s = self.down_since_s = at_s

    def feed(self, level: bool, at_s: float) -> list[ButtonEvent]:  # noqa: FBT001 - a level is a truth value
        """The contact closed (True) or opened at that time; what came about until then."""
        happened = self.tick(at_s)
        if level != self.level:
            self.level, self.level_since_s = level, at_s
        return happened

    def tick(self, now_s: float) -> list[ButtonEvent]:
        """The changes that are settled by now."""
        happened: list[ButtonEvent] = []
        if self.level != self.down and now_s - self.level_since_s >= self.settle_s:
            happened += self._closed() if self.level else self._opened()
        if self.down:
            # A contact that has just opened is still down until it settles, but its press ended then.
            until_s = now_s if self.level else self.level_since_s
            happened += self._held(until_s)
        return happened

    def due_s(self) -> float | None:
        """The next time something may come about by itself; None when nothing can."""
        times = []
        if self.level != self.down:
            times.append(self.level_since_s + self.settle_s)
        if self.down and self.level and self.long_s is not None and not self.told_long:
            times.append(self.down_since_s + self.long_s)
        if self.down and self.level and not self.told_stuck:
            times.append(self.down_since_s + self.stuck_s)
        return min(times, default=None)

    def _closed(self) -> list[ButtonEvent]:
        self.down, self.down_since_s = True, self.level_since_s
        self.told_long = self.told_stuck = False
        return [ButtonEvent.DOWN]

    def _opened(self) -> list[ButtonEvent]:
        happened = self._held(self.level_since_s)
        self.down, self.up_since_s = False, self.level_since_s
        if self.told_stuck:
            return [*happened, ButtonEvent.FREED]
        return happened if self.told_long else [*happened, ButtonEvent.SHORT]

    def _held(self, until_s: float) -> list[ButtonEvent]:
        happened = []
        held_s = until_s - self.down_since_s
        if self.long_s is not None and not self.told_long and held_s >= self.long_s:
            self.told_long = True
            happened.append(ButtonEvent.LONG)
        if not self.told_stuck and held_s >= self.stuck_s:
            self.told_stuck = True
            happened.append(ButtonEvent.STUCK)
        return happened


def contacts(names: Iterable[str], press: PressTimes | None) -> dict[str, Contact]:
    """The contacts of buttons by name: only confirm has a long press. press: None takes the usual times."""
    times = press or PressTimes()
    return {
        name: Contact(times.settle_s, times.long_s if name == Button.CONFIRM else None, times.stuck_s)
        for name in names
    }
