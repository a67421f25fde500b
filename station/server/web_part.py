"""The pages as a part of the station that is watched over."""

import http.client
from collections.abc import Callable
from http import HTTPStatus

from messages.message import Message
from station.health.supervisor import Pulse, silent

ANSWER_S = 10.0
"""Timeout of our own request, seconds; a busy Pi takes one."""
OWN = "the station"
"""The sender of the watchdog's requests: they do not queue behind those of a screen on this machine."""
PATH = "/manifest.webmanifest"
"""The requested page: the smallest one that passes all layers."""


class WebPart:
    """The web server, checked with a request of the station's own. start: restarts it."""

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

    def own(self, port: int) -> str | None:
        """`OWN` for the connection from that local port, while it is ours; None for any other."""
        return OWN if port == self._port else None

    def wrong(self) -> Message | None:
        """Whether they have not answered for long."""
        return silent(self.pulse.silent_s)

    def restart(self) -> None:
        """Start a new server on the same port."""
        self._start()
        self.pulse.reset()
