"""The server of the pages, by http and https: waitress, so that no address keeps others from being answered.

Who sends slowly loses against who sends at once: there is a deadline for the head of a request and one for
its body, and an address may have only so many requests half sent; a further one takes the oldest one's place.
Bodies that are too long are refused by what their head declares, before anything of them is kept.
"""

import copy
import json
import os
import resource
import socket
import ssl
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.server import TcpWSGIServer
from waitress.task import ThreadedTaskDispatcher

from messages.catalogue import DEFAULT, languages, text
from messages.errors import NotAllowedError, YachtError
from messages.message import Message
from station.server.fair_queue import FairQueue, Task
from station.server.newest_first import NewestFirst
from station.server.tls_socket import TlsSocket

HEAD_S = 10.0
"""How long a request's head may take, and a connection's first byte."""
BODY_S = 15.0
BODY_BYTES_EACH_S = 20_000
"""A body may take `BODY_S`, and longer by its length at this rate: slower than any Wi-Fi that works."""
IDLE_S = 60.0
"""How long a browser may keep a connection that it does not use."""
HALF_SENT_MAX = 24
"""Requests that one address may have half sent; a browser has six."""
HEAD_MAX_BYTES = 32 * 1024
LINGER_S = 2.0
LINGER_BYTES = 4 * 1024 * 1024
"""How long what still comes after a refusal is thrown away, so that the sender gets to read it."""
SPARE_THREADS = 16
"""Threads beyond those that live lines keep."""
EACH_ADDRESS = 2
"""Requests of one address that run at the same time: a long one never keeps its other screens waiting. Python
computes one at a time, so that more of them would only delay others."""
CONNECTIONS_EACH = 6
"""Connections a browser opens at most."""


SPARE_FILES = 200
"""Of those this process may have open, so many are for what is not a connection."""


def connections_max(viewers_max: int) -> int:
    """How many connections are kept at once."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return min(CONNECTIONS_EACH * viewers_max + SPARE_THREADS, max(files - SPARE_FILES, CONNECTIONS_EACH))


@dataclass(frozen=True, slots=True)
class Bound:
    """How long the body of a request may be, and what is said to a longer one."""

    bytes: int
    refusal: YachtError


Bounds = Callable[[str, Mapping[str, str]], Bound]
"""(path, headers as waitress has them, such as "COOKIE") -> what is the bound of its body."""
Own = Callable[[int], str | None]
"""Port that a connection comes from -> whose it is where the station itself asks; None for a screen's."""

CODES = {
    400: "request/bad",
    413: "request/too_large",
    431: "request/head_too_large",
    501: "request/bad",
}
"""Status of what waitress itself refuses -> our code and sentence."""


class _Refusal:
    """An error of the parser that answers in the one shape (web.core.errors) and the sender's language."""

    def __init__(self, status: int, code: str, message: Message, accepts: str) -> None:
        self._status = HTTPStatus(status)
        self._error = {"code": code, "message": text(message, _language(accepts))}

    def to_response(self, _: str | None = None) -> tuple[str, list[tuple[str, str]], bytes]:
        """Status, headers and body."""
        body = json.dumps({"error": self._error}, ensure_ascii=False).encode()
        headers = [("Content-Type", "application/json"), ("Cache-Control", "no-store")]
        return f"{self._status.value} {self._status.phrase}", headers, body


def _language(accepts: str) -> str:
    """The first of the languages a browser asks for that we have.

    >>> _language("fr-CH, de;q=0.5"), _language("")
    ('fr', 'en')
    """
    wanted = (each.strip()[:2].lower() for each in accepts.split(","))
    return next((each for each in wanted if each in languages()), DEFAULT)


class _Request(HTTPRequestParser):  # type: ignore[misc]  # waitress has no types
    """A request as it comes in; one whose declared body is too long is over with its head."""

    path = ""  # of a request whose first line cannot be read
    adj: Any
    error: Any

    def __init__(self, adj: Any) -> None:
        super().__init__(adj)
        self.begun_s = time.monotonic()
        self._bound: Bound | None = None

    def parse_header(self, header_plus: bytes) -> None:
        """Read the head, and set the bound of the body by it."""
        super().parse_header(header_plus)
        self._bound = self.adj.bounds(self.path, self.headers)
        self.adj = copy.copy(self.adj)
        # waitress refuses from this length on, and counts what comes in chunks by it as well.
        self.adj.max_request_body_size = self._bound.bytes + 1

    def received(self, data: bytes) -> int:
        """Take some bytes; how many of them."""
        taken = int(super().received(data))
        if self.error is not None and not isinstance(self.error, _Refusal):
            self.expect_continue = False  # the body is not wanted
            self.error = self._refusal(self.error.code)
        return taken if self.error is None else len(data)  # what follows is its body, and no other request

    def _refusal(self, status: int) -> _Refusal:
        accepts = str(self.headers.get("ACCEPT_LANGUAGE", ""))
        if status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE and self._bound is not None:
            refusal = self._bound.refusal
            forbidden = isinstance(refusal, NotAllowedError)
            status = HTTPStatus.FORBIDDEN if forbidden else HTTPStatus.REQUEST_ENTITY_TOO_LARGE
            return _Refusal(status, refusal.code, refusal.message, accepts)
        return _Refusal(status, CODES[status], Message(CODES[status]), accepts)

    @property
    def due_s(self) -> float:
        """When it has to be here whole, monotonic seconds."""
        if not self.headers_finished:
            return self.begun_s + HEAD_S
        return self.begun_s + HEAD_S + BODY_S + float(self.content_length) / BODY_BYTES_EACH_S


class _Connection(HTTPChannel):  # type: ignore[misc]
    """One connection of a screen."""

    parser_class = _Request
    close_when_flushed: bool

    def __init__(self, *args: Any, **kw: Any) -> None:
        self.opened_s = time.monotonic()
        self.used = False
        self.refused = False
        self.all_sent = False
        self.lingers_until_s: float | None = None
        self._thrown_away = 0
        super().__init__(*args, **kw)

    @property
    def address(self) -> str:
        """Of the screen."""
        host, port = self.addr[:2]
        return self.server.own(port) or str(host)

    @property
    def half_sent(self) -> bool:
        """Whether it is waited for: its first request, or the rest of one."""
        return not self.requests and (self.request is not None or not self.used)

    @property
    def idle(self) -> bool:
        """Whether closing it would cut nothing that is whole."""
        return not self.requests and not self.total_outbufs_len

    @property
    def has_unread(self) -> bool:
        """Whether a request has begun that a busy station has not looked at yet: who sent it is not late."""
        return self.request is None and bool(self._next_byte())

    def is_over(self, now_s: float) -> bool:
        """Whether its time is up."""
        if self.lingers_until_s is not None:
            return now_s >= self.lingers_until_s
        if self.requests or self.has_unread:
            return False
        if self.all_sent:
            return self.idle
        request = self.request
        if request is not None:
            return bool(now_s >= request.due_s)
        return now_s >= self.opened_s + HEAD_S if not self.used else False

    def received(self, data: bytes) -> bool:
        """Take some bytes; those after a refused request are thrown away."""
        if self.refused or any(each.error is not None for each in self.requests):
            return True
        return bool(super().received(data))

    # A body that was refused by its head is on its way all the same. Closing now would make the sender's
    # system throw away our answer; so the connection is closed for sending, and read empty for a while.

    def handle_write(self) -> None:
        """Send what waits to be sent."""
        ends = self.close_when_flushed and not self.total_outbufs_len and self.lingers_until_s is None
        if ends and self.refused:
            self.close_when_flushed = False
            self.lingers_until_s = time.monotonic() + LINGER_S
            try:
                self.socket.shutdown(socket.SHUT_WR)
            except OSError:
                self.handle_close()
            return
        super().handle_write()

    def writable(self) -> bool:
        """Whether there is something to send."""
        return bool(self.will_close if self.lingers_until_s is not None else super().writable())

    def readable(self) -> bool:
        """Whether more may come."""
        return self.lingers_until_s is not None or (not self.all_sent and bool(super().readable()))

    def handle_read(self) -> None:
        """Bytes have come, or the end."""
        if self.lingers_until_s is None:
            answered = self.requests or self.total_outbufs_len or self.close_when_flushed
            if answered and not self.server.is_live(self) and self._ends():
                self.all_sent = True  # it may still want to read the answer
            else:
                super().handle_read()
            return
        try:
            data = self.recv(self.adj.recv_bytes)
        except OSError:
            data = b""
        self._thrown_away += len(data)
        if not data or self._thrown_away > LINGER_BYTES:
            self.handle_close()

    def _ends(self) -> bool:
        """Whether what comes next is the end."""
        return self._next_byte() == b""

    def _next_byte(self) -> bytes | None:
        """The next byte, which stays unread; b"" at the end, None where nothing has come."""
        try:
            return bytes(self.socket.recv(1, socket.MSG_PEEK))
        except OSError:
            return None

    def service(self) -> None:
        """Answer one request; noted where it is refused, for its body may still come."""
        self.used = True
        self.refused = self.refused or bool(self.requests and self.requests[0].error is not None)
        super().service()


class _SecureConnection(_Connection):
    """One by https. Its bounds are the same: who does not agree on a key has half sent a request."""

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


class _SecureDoor(wasyncore.dispatcher):  # type: ignore[misc]
    """The port of https, in the loop of the server."""

    def __init__(self, server: "WebServer", listening: socket.socket, context: ssl.SSLContext) -> None:
        super().__init__(listening, map=server._map)  # noqa: SLF001 - of the base class
        self.listen(server.adj.backlog)
        self._server, self._context = server, context
        self._adj = copy.copy(server.adj)
        self._adj.url_scheme = "https"

    def readable(self) -> bool:
        """Whether another connection is taken: as of the port of http."""
        return bool(self._server.accepting and not self._server.in_connection_overflow)

    def writable(self) -> bool:
        """A port that listens sends nothing."""
        return False

    def handle_accept(self) -> None:
        """Take a new connection."""
        found = self.accept()
        if found is None:
            return
        accepted, address = found
        with suppress(OSError):  # it has gone again
            self._server.set_socket_options(accepted)
            made = TlsSocket(accepted, self._context)
            self._server.make_room(_SecureConnection(self._server, made, address, self._adj, map=self._map))


class WebServer(TcpWSGIServer):  # type: ignore[misc]
    """Serves an application on a socket that listens. `run` until `stop`.

    secure: a socket that listens for https, and its certificate. live: the path of the live line, whose
    requests have a limit of their own. viewers_max: how many of them.
    """

    channel_class = _Connection

    def __init__(
        self,
        application: Any,
        listening: socket.socket,
        *,
        viewers_max: int,
        bounds: Bounds,
        live: str,
        secure: tuple[socket.socket, ssl.SSLContext] | None = None,
        own: Own = lambda _: None,
    ) -> None:
        adj = Adjustments(
            sockets=[listening],
            threads=viewers_max + SPARE_THREADS,
            connection_limit=connections_max(viewers_max),
            asyncore_use_poll=True,  # select() ends at 1,024 files
            outbuf_high_watermark=65_536,
            ident=None,
            clear_untrusted_proxy_headers=False,  # nothing trusts them; who has them is behind a proxy
            channel_request_lookahead=1,  # so that it is noticed when a listening screen has gone
            channel_timeout=int(IDLE_S),
            cleanup_interval=1,
            max_request_header_size=HEAD_MAX_BYTES,
        )
        adj.bounds = bounds
        self.own = own
        self._live = live
        self._waking, self._over = threading.RLock(), False
        dispatcher = ThreadedTaskDispatcher()
        dispatcher.queue_cv = NewestFirst(dispatcher.lock)
        dispatcher.queue = FairQueue(dispatcher.queue_cv, EACH_ADDRESS, self._counted)
        dispatcher.set_thread_count(adj.threads)
        info = (listening.family, listening.type, listening.proto, listening.getsockname())
        super().__init__(
            application, _sock=listening, dispatcher=dispatcher, adj=adj, sockinfo=info, bind_socket=False
        )
        os.set_blocking(self.trigger.trigger, False)  # a full pipe wakes the loop as well
        self._secure = None if secure is None else _SecureDoor(self, *secure)

    def start(self) -> None:
        """Run in a thread of its own."""
        threading.Thread(target=self.run, name="web", daemon=True).start()

    def abandon(self) -> None:
        """Let go of every connection and of the port; another server takes over.

        Threads that are busy end when they are done.
        """
        self.task_dispatcher.set_thread_count(0)
        self.accepting = False
        with self._waking:
            self._over = True
            for channel in list(self._map.values()):
                with suppress(OSError):
                    channel.close()

    def close(self) -> None:
        """Let go of the ports; connections are left as they are."""
        with self._waking:
            self._over = True
            if self._secure is not None:
                self._secure.close()
            super().close()

    def pull_trigger(self) -> None:
        """Wake the loop: a thread has written an answer.

        After the end there is none to wake, and the number of its pipe may be that of a file by now.
        """
        with self._waking, suppress(BlockingIOError):
            if not self._over:
                super().pull_trigger()

    def _counted(self, task: Task) -> str:
        """The address under which a request is counted; "" for the live line."""
        assert isinstance(task, _Connection)  # noqa: S101 - nothing else is put there
        return "" if self.is_live(task) else task.address

    def is_live(self, connection: "_Connection") -> bool:
        """Whether it is a live line, which lasts as long as its screen listens."""
        return bool(connection.requests) and connection.requests[0].path == self._live

    def handle_accept(self) -> None:
        """Take a new connection, and let go of one for it where there are too many."""
        super().handle_accept()
        newest = next(reversed(self.active_channels.values()), None)
        if newest is not None:
            self.make_room(newest)

    def make_room(self, newest: "_Connection") -> None:
        """Close the oldest half sent request of an address with too many.

        At the limit the idlest connection of the address with the most goes, and where none is idle the
        newest of those that are no live line.
        """
        address = newest.address
        half_sent = [each for each in self._others(newest) if each.half_sent and each.address == address]
        if len(half_sent) >= HALF_SENT_MAX:
            late = [each for each in half_sent if not each.has_unread]
            if late:
                min(late, key=lambda each: each.opened_s).handle_close()
        if len(self._map) >= self.adj.connection_limit:
            count = Counter(each.address for each in self.active_channels.values())
            others = self._others(newest)
            idle = [each for each in others if each.idle]
            busy = [each for each in others if not self.is_live(each)]
            if idle:
                max(idle, key=lambda each: (count[each.address], -each.last_activity)).handle_close()
            elif busy:
                max(busy, key=lambda each: (count[each.address], each.opened_s)).handle_close()

    def _others(self, newest: "_Connection") -> list["_Connection"]:
        return [each for each in self.active_channels.values() if each is not newest]

    def maintenance(self, now: float) -> None:
        """Close what takes too long."""
        super().maintenance(now)
        now_s = time.monotonic()
        for channel in list(self.active_channels.values()):
            if channel.is_over(now_s):
                channel.will_close = True
