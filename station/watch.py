"""Watches over the parts of a station while it runs, and says to systemd that it lives."""

import time
from collections.abc import Callable, Sequence

from station import resources
from station.health.supervisor import SILENT_S, Part, Pulse, Supervisor
from station.server import systemd
from station.server.web_part import WebPart
from station.stop_request import StopRequest
from station.store import Store
from station.table.table import Table

LOOK_S = 1.0
"""Between two looks at the parts."""

STARVED_S = 5.0
"""A longer time between two looks means that a driver has blocked this process."""

WRITE_MAX_S = 600.0
"""A card that has taken so long for one step may be found again at a new start."""


def answers(silent_s: float, writes_s: float) -> bool:
    """Whether the table lives: it answers, or waits for a slow card, for which a new start would wait, too.

    silent_s: seconds since it last answered. writes_s: seconds since the write began that goes on now.
    """
    return silent_s < SILENT_S / 2 or 0 < writes_s < WRITE_MAX_S


class Watch:
    """parts: what can be started again by itself, the pages among it. opens: whether a camera is opened.

    answered: called once table and pages have answered for the first time.
    """

    def __init__(
        self,
        table: Table,
        store: Store,
        web: WebPart,
        parts: Sequence[Part],
        *,
        opens: Callable[[], bool],
        answered: Callable[[], None] | None = None,
    ) -> None:
        self._store, self._opens, self._answered = store, opens, answered
        # The table cannot be started again by itself: systemd starts the whole station.
        self._table = Pulse("table", table.answers)
        self.web = web
        self._stop, self._watchdog = StopRequest(), systemd.Watchdog()
        self.supervisor = Supervisor(parts)

    @property
    def _pulses(self) -> tuple[Pulse, Pulse]:
        return self._table, self.web.pulse

    def start(self) -> None:
        """Everything runs by now."""
        for pulse in self._pulses:
            pulse.reset()
            pulse.start()
        resources.settle()
        systemd.notify("READY=1")

    def wait(self) -> None:
        """Until `ask_to_stop` is called; meanwhile the parts are watched over.

        systemd's watchdog is fed as long as the table answers and there are pages: without either, nothing
        less than a new start of the whole station helps.
        """
        look_s = min(LOOK_S, self._watchdog.interval_s or LOOK_S)
        looked_s = time.monotonic()
        while not self._stop.wait(look_s):
            starved, looked_s = time.monotonic() - looked_s > STARVED_S, time.monotonic()
            if starved:  # nor could any part run, or who asks it
                for pulse in self._pulses:
                    pulse.reset()
            else:
                self.supervisor.look()
            if self._answered is not None and all(pulse.succeeded for pulse in self._pulses):
                self._answered()
                self._answered = None
            time.tzset()  # else another time zone of the machine counts from the next start on only
            self.be_patient()
            table = answers(self._table.silent_s, self._store.writes.going_on_s)
            if table and not self.supervisor.is_off("web"):
                systemd.notify("WATCHDOG=1")

    def be_patient(self) -> None:
        """Have systemd wait longer while a camera is opened."""
        self._watchdog.be_patient(self._opens)

    def ask_to_stop(self) -> None:
        """Let `wait` return; may be called from a signal handler."""
        self._stop.ask()

    def stopping(self) -> None:
        """Everything is being stopped."""
        systemd.notify("STOPPING=1")

    def stop(self) -> None:
        """No part is checked any more."""
        for pulse in self._pulses:
            pulse.ask_to_stop()
