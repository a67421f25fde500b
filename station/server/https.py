"""The port of https beside that of http: waitress knows no TLS, so its loop gets sockets that decrypt.

The bounds are the same: who does not agree on a key has half sent a request.
"""

import copy
import errno
import socket
import ssl
import threading
from contextlib import suppress
from typing import Any

from waitress import wasyncore

from station.server.web_server import Connection, WebServer

RECORD_BYTES = 16_384
"""The longest record of TLS (RFC 8446, 5.1): a read of so many leaves none that poll() would not tell of."""


class TlsSocket:
    """The part of a socket's interface that waitress uses, over an accepted one; it never blocks.

    The key is agreed on as bytes come: there is no step of its own for it. `decrypt` before `recv`. OpenSSL
    is called by one thread at a time: the loop reads while a thread that answers writes.
    """

    def __init__(self, accepted: socket.socket, context: ssl.SSLContext) -> None:
        """Raises OSError where the other side has gone already."""
        accepted.settimeout(0)
        self._socket = context.wrap_socket(accepted, server_side=True, do_handshake_on_connect=False)
        self._guard = threading.Lock()
        self._decrypted: bytes | None = None
        self.wants_write = False
        """Whether the next read has to wait until something can be sent."""

    def decrypt(self) -> bool:
        """Whether there is something for `recv`: bytes of the other side, or its end."""
        if self._decrypted is None:
            self.wants_write = False
            try:
                with self._guard:
                    self._decrypted = self._socket.recv(RECORD_BYTES)
            except ssl.SSLWantReadError:
                pass
            except ssl.SSLWantWriteError:
                self.wants_write = True
            except OSError:  # no TLS, an unknown version, or a lost connection: no response is possible
                self._decrypted = b""
                with suppress(OSError):  # unread data would reset the connection before the TLS alert arrives
                    socket.socket.recv(self._socket, RECORD_BYTES)
        return self._decrypted is not None

    def recv(self, size: int, flags: int = 0) -> bytes:
        """All bytes that `decrypt` has found; with MSG_PEEK the next encrypted byte."""
        found = self._decrypted
        if flags & socket.MSG_PEEK:
            return socket.socket.recv(self._socket, size, flags) if found is None else found[:size]
        self._decrypted = None
        return found or b""

    def send(self, data: bytes) -> int:
        """Send some; how many bytes. 0 when none can be taken now. Raises OSError."""
        try:
            with self._guard:
                return self._socket.send(data)
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
            return 0
        except ssl.SSLError as error:
            raise ConnectionResetError(errno.ECONNRESET, str(error)) from error

    def shutdown(self, how: int) -> None:
        """Say that nothing more is sent; what still comes is not decrypted any more."""
        with self._guard:
            self._goodbye()
            self._socket.shutdown(how)

    def close(self) -> None:
        """Close the TLS connection, and the socket."""
        with self._guard:
            self._goodbye()
            self._socket.close()

    def _goodbye(self) -> None:
        with suppress(
            OSError, ValueError
        ):  # before the handshake, after the connection is lost, or sent already
            self._socket.unwrap()

    def fileno(self) -> int:
        """Its number, for poll()."""
        return self._socket.fileno()

    def setblocking(self, flag: bool) -> None:  # noqa: FBT001 - the name and the words of a socket
        """No change: the socket is non-blocking already."""
        assert not flag  # noqa: S101 - waitress never blocks

    def getsockopt(self, level: int, option: int) -> int:
        """An option of the line below."""
        return self._socket.getsockopt(level, option)


class SecureConnection(Connection):
    """One by https."""

    socket: TlsSocket

    def handle_read_event(self) -> None:
        """Bytes have come, perhaps not yet a whole record."""
        if self.socket.decrypt():
            super().handle_read_event()

    def handle_write_event(self) -> None:
        """Something can be sent."""
        if self.socket.wants_write:
            self.handle_read_event()
        else:
            super().handle_write_event()

    def writable(self) -> bool:
        """Whether there is something to send."""
        return self.socket.wants_write or super().writable()


class SecureDoor(wasyncore.dispatcher):  # type: ignore[misc]
    """The port of https, in the loop of a server, which closes it with its own."""

    def __init__(self, server: WebServer, listening: socket.socket, context: ssl.SSLContext) -> None:
        # Before it is in the loop, which may run already.
        self._server, self._context, self._adj = server, context, copy.copy(server.adj)
        self._adj.url_scheme = "https"
        super().__init__(listening, map=server._map)  # noqa: SLF001 - of the base class
        self.listen(server.adj.backlog)

    def readable(self) -> bool:
        """Whether another connection is taken: as of the port of http."""
        return bool(self._server.accepting and not self._server.in_connection_overflow)

    def writable(self) -> bool:
        """A port that listens sends nothing."""
        return False

    def handle_accept(self) -> None:
        """Take a new connection."""
        found: tuple[socket.socket, Any] | None = self.accept()
        if found is not None:
            with suppress(OSError):  # it has gone again
                self._server.set_socket_options(found[0])
                made = TlsSocket(found[0], self._context)
                SecureConnection(self._server, made, found[1], self._adj, map=self._map)
                self._server.make_room()
