"""A line to the station that goes silent, as Wi-Fi does: nothing comes through, and neither end knows."""

import socket
import threading
from contextlib import suppress
from urllib.parse import urlsplit


class SilentLine:
    """Forwards all connections to a station, but holds back what is sent while it is silent."""

    def __init__(self, station: str) -> None:
        """station: its address, "http://127.0.0.1:8080"."""
        where = urlsplit(station)
        self._to = (where.hostname or "", where.port or 0)
        self._open = threading.Event()
        self._open.set()
        self._ends: list[socket.socket] = []
        self._server = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._server.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def go_silent(self) -> None:
        """Hold everything back from now on."""
        self._open.clear()

    def come_back(self) -> None:
        """Deliver what was held back, and all that follows."""
        self._open.set()

    def close(self) -> None:
        """End all connections."""
        self._open.set()
        for each in (self._server, *self._ends):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._server.accept()
                far = socket.create_connection(self._to)
                self._ends += (near, far)
                for ends in ((near, far), (far, near)):
                    threading.Thread(target=self._forward, args=ends, daemon=True).start()

    def _forward(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                self._open.wait()
                target.sendall(data)
        self._open.wait()
        with suppress(OSError):
            target.shutdown(socket.SHUT_WR)
