"""The parts of a running station that are watched over, each with how to see that it lives."""

import http.client
from collections.abc import Callable
from http import HTTPStatus

from messages.message import Message
from station.advice.advisor import Advisor
from station.camera.watcher import Watcher
from station.health.supervisor import Pulse
from station.table import Table

ANSWER_S = 10.0
"""So long a request of our own may take; a busy Pi takes one."""
OWN = "the station"
"""Whose requests those of the watchdog are: those of a screen on this machine wait for each other."""
PATH = "/manifest.webmanifest"
"""What is asked for: the smallest page that goes all the way."""
SILENT_S = 30.0
"""A part that has not answered for so long is taken for dead."""


class CameraPart:
    """The camera worker."""

    name = "camera"

    def __init__(self, watcher: Watcher) -> None:
        self._watcher = watcher

    def wrong(self) -> Message | None:
        """Whether its thread ended, or hangs."""
        if self._watcher.ended:
            return Message("health/watchdog/ended")
        silent_s = self._watcher.silent_s
        return Message("health/watchdog/silent", count=round(silent_s)) if silent_s > SILENT_S else None

    def restart(self) -> None:
        """In a new thread."""
        self._watcher.restart()


class WebPart:
    """The pages: asked for by a request of the station's own. start: serves them anew."""

    name = "web"

    def __init__(self, where: tuple[str, int], start: Callable[[], None], *, every_s: float = 2.0) -> None:
        self._where = where
        self._start = start
        self._port = 0
        self.pulse = Pulse("web", self._ask, every_s=every_s)

    def _ask(self) -> None:
        connection = http.client.HTTPConnection(*self._where, timeout=ANSWER_S)
        try:
            connection.connect()
            self._port = connection.sock.getsockname()[1]
            connection.request("GET", PATH, headers={"Host": "localhost", "Connection": "close"})
            answer = connection.getresponse()
            answer.read()
            if answer.status != HTTPStatus.OK:
                raise OSError(answer.status)
        finally:
            self._port = 0
            connection.close()

    def behind(self, port: int) -> str | None:
        """`OWN` for the connection from that local port, while it is ours; None for any other."""
        return OWN if port == self._port else None

    def wrong(self) -> Message | None:
        """Whether they have not answered for long."""
        silent_s = self.pulse.silent_s
        return Message("health/watchdog/silent", count=round(silent_s)) if silent_s > SILENT_S else None

    def restart(self) -> None:
        """With a new server on the same port."""
        self._start()
        self.pulse.reset()


class AdvisorPart:
    """What is worked out in the background."""

    name = "advisor"

    def __init__(self, advisor: Advisor) -> None:
        self._advisor = advisor

    def wrong(self) -> Message | None:
        """Whether a piece of work has failed."""
        return self._advisor.failure

    def restart(self) -> None:
        """Let it be begun again by whoever asks."""
        self._advisor.forget_failures()


def table_pulse(table: Table) -> Pulse:
    """Whether the table answers. It cannot be started again by itself: systemd starts the whole station."""
    return Pulse("table", table.snapshot)
