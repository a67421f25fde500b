"""A watchdog for the parts of a running station: it restarts a part that has died, and reports why.

A part that dies three times within a minute stays off, and the rest goes on without it.
"""

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from messages.errors import YachtError
from messages.message import Message
from station.contract.check import Check, Level

log = logging.getLogger(__name__)

TIMES_MAX = 3
WITHIN_S = 60.0
"""Limit of restarts of a part: number, and seconds within which they count."""
TOLD_S = 3600.0
"""Seconds for which health reports a restart."""
SILENT_S = 30.0
"""A part that has not answered for this long is taken for dead."""


class Part(Protocol):
    """Something that has to be alive. name: as in `health/part/NAME`."""

    name: str

    def wrong(self) -> Message | None:
        """Its current problem; None while it is alive. Returns at once."""

    def restart(self) -> None:
        """Start it again. Raises YachtError where that cannot be."""


def silent(seconds: float) -> Message | None:
    """The problem of a part that has been silent for that long; None while that is normal."""
    return Message("health/watchdog/silent", count=round(seconds)) if seconds > SILENT_S else None


class Pulse:
    """Tries something again and again in a thread of its own, and knows since when it did not succeed.

    act: raises what it likes when it fails; may hang. clock: seconds, monotonic.
    """

    def __init__(
        self,
        name: str,
        act: Callable[[], object],
        *,
        every_s: float = 2.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._name = name
        self._act = act
        self._every_s = every_s
        self._clock = clock
        self._stop = threading.Event()
        self._good_s = clock()
        self.succeeded = False
        """Whether it ever did."""

    def start(self) -> None:
        """Begin."""
        threading.Thread(target=self._run, name=f"pulse-{self._name}", daemon=True).start()

    def ask_to_stop(self) -> None:
        """End after the try that goes on."""
        self._stop.set()

    def reset(self) -> None:
        """Reset the count: the part has just been restarted."""
        self._good_s = self._clock()

    @property
    def silent_s(self) -> float:
        """Seconds since it last succeeded, or began."""
        return self._clock() - self._good_s

    def _run(self) -> None:
        while not self._stop.wait(self._every_s):
            try:
                self._act()
            except Exception as error:  # noqa: BLE001 - whatever it is, it did not succeed
                log.debug("%s did not answer: %s", self._name, error)
            else:
                self._good_s, self.succeeded = self._clock(), True


@dataclass(slots=True)
class _Record:
    """The record of a part. starts: times of its restarts, monotonic seconds."""

    starts: list[float] = field(default_factory=list)
    reason: Message | str = ""
    off: bool = False


class Supervisor:
    """Looks after parts whenever `look` is called. clock: seconds, monotonic."""

    def __init__(self, parts: Sequence[Part], *, clock: Callable[[], float] = time.monotonic) -> None:
        self._parts = tuple(parts)
        self._clock = clock
        self._records = {part.name: _Record() for part in self._parts}

    def look(self) -> None:
        """Start again what died."""
        for part in self._parts:
            record = self._records[part.name]
            reason = None if record.off else part.wrong()
            if reason is not None:
                self._again(part, record, reason)

    def is_off(self, name: str) -> bool:
        """Whether a part was given up."""
        return self._records[name].off

    def check(self) -> Check:
        """The check of the parts, for health: the one that is off, else the one restarted last."""
        found = [(name, record) for name, record in self._records.items() if record.starts or record.off]
        off = [each for each in found if each[1].off]
        if off:
            name, record = off[0]
            return Check("watchdog", Level.PROBLEM, _sentence("off", name, record))
        now_s = self._clock()
        lately = [each for each in found if now_s - each[1].starts[-1] < TOLD_S]
        if lately:
            name, record = max(lately, key=lambda each: each[1].starts[-1])
            return Check("watchdog", Level.WARNING, _sentence("again", name, record))
        return Check("watchdog", Level.OK, Message("health/watchdog/good"))

    def _again(self, part: Part, record: _Record, reason: Message) -> None:
        now_s = self._clock()
        record.reason = reason
        if len([at_s for at_s in record.starts if now_s - at_s < WITHIN_S]) >= TIMES_MAX:
            record.off = True
            log.error("%s is off: %s", part.name, reason)
            return
        record.starts = [*record.starts[-TIMES_MAX:], now_s]
        log.warning("%s is started again: %s", part.name, reason)
        try:
            part.restart()
        except YachtError as error:
            record.off, record.reason = True, error.message
            log.error("%s could not be started again: %s", part.name, error)  # noqa: TRY400 - the sentence is enough


def _sentence(how: str, name: str, record: _Record) -> Message:
    return Message(f"health/watchdog/{how}", part=Message(f"health/part/{name}"), reason=record.reason)
