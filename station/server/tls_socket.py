"""A connection by https as the HTTP server wants one: it never blocks, and several threads may use it."""

import errno
import socket
import ssl
import threading
from contextlib import suppress

RECORD_BYTES = 16_384
"""The longest record of TLS (RFC 8446, 5.1): a read of so many leaves none that poll() would not tell of."""


class TlsSocket:
    """As much of a socket as waitress uses, over one that has been accepted and does not block.

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
            except OSError:  # no TLS, none that is known here, or a line that has gone: nothing can be said
                self._decrypted = b""
                with suppress(OSError):  # what is left unread would cut off what the other side is told
                    socket.socket.recv(self._socket, RECORD_BYTES)
        return self._decrypted is not None

    def recv(self, size: int, flags: int = 0) -> bytes:
        """What `decrypt` has found, however much; with MSG_PEEK the next byte, as it comes by the line."""
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
        """Say so, and let go."""
        with self._guard:
            self._goodbye()
            self._socket.close()

    def _goodbye(self) -> None:
        with suppress(OSError, ValueError):  # not agreed on a key yet, has gone, or was said already
            self._socket.unwrap()

    def fileno(self) -> int:
        """Its number, for poll()."""
        return self._socket.fileno()

    def setblocking(self, flag: bool) -> None:  # noqa: FBT001 - the name and the words of a socket
        """As it is already."""
        assert not flag  # noqa: S101 - waitress never blocks

    def getsockopt(self, level: int, option: int) -> int:
        """An option of the line below."""
        return self._socket.getsockopt(level, option)
