"""The server of the pages: waitress, so that no address keeps others from being answered.

Who sends slowly loses against who sends at once: head and body of a request have a deadline, and an address
may have only so many half sent. Bodies that are too long are refused by what their head declares.
"""

import copy
import json
import resource
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from types import SimpleNamespace
from typing import Any

from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.server import TcpWSGIServer
from waitress.task import ErrorTask, ThreadedTaskDispatcher

from messages.catalogue import DEFAULT, languages, text
from messages.errors import BadInputError, NotAllowedError, YachtError
from station.config.proxy_settings import ProxySettings
from station.server.proxy import Proxies

HEAD_S = 10.0  # for a request's head, and for a connection's first byte
BODY_S, BODY_BYTES_EACH_S = 15.0, 20_000  # a long body has longer, at less than any Wi-Fi that works
LINGER_S = 2.0  # what comes after a refusal is thrown away, so that the sender gets to read it
STARVED_S = 2.5  # after such a pause of the whole process nobody is late: what came is not read yet
HALF_SENT_MAX = 24  # of one address; a browser has six
SPARE_THREADS = 16  # beyond those that live lines keep
EACH_ADDRESS = 2  # requests of one address that run at the same time: Python computes one at a time
CONNECTIONS_EACH, SPARE_FILES = 6, 200  # what a browser opens; files that are no connections
BAD, CODES = "request/bad", {413: "request/too_large", 431: "request/head_too_large", 500: "station/error"}


@dataclass(frozen=True, slots=True)
class Bound:
    """The longest body of a request, and the refusal of a longer one."""

    bytes: int
    refusal: YachtError


Bounds = Callable[[str, Mapping[str, str]], Bound]
"""(path, headers as waitress has them, such as "COOKIE") -> what is the bound of its body."""


def connections_max(viewers_max: int) -> int:
    """Number of connections that are open at once."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return min(CONNECTIONS_EACH * viewers_max + SPARE_THREADS, max(files - SPARE_FILES, CONNECTIONS_EACH))


class _Request(HTTPRequestParser):  # type: ignore[misc]  # waitress has no types
    """A request as it comes in; one whose declared body is too long is over with its head."""

    path = ""  # of a request whose first line cannot be read
    refusal: YachtError | None = None
    error: Any
    adj: Any

    def __init__(self, adj: Any) -> None:
        super().__init__(adj)
        self.due_s = time.monotonic() + HEAD_S

    def parse_header(self, header_plus: bytes) -> None:
        """Read the head; it sets bound and deadline of the body."""
        super().parse_header(header_plus)
        bound = self.adj.bounds(self.path, self.headers)
        self.refusal, self.adj = bound.refusal, copy.copy(self.adj)
        self.adj.max_request_body_size = bound.bytes + 1  # refused from here on, in chunks too
        self.due_s += BODY_S + float(self.content_length) / BODY_BYTES_EACH_S

    def received(self, data: bytes) -> int:
        """Take some bytes; how many of them."""
        taken = int(super().received(data))
        if self.error is None:
            return taken
        self.expect_continue = False  # the body is not wanted
        return len(data)  # what follows is its body, and no other request


class _Refused(ErrorTask):  # type: ignore[misc]
    """Answers in the one shape (web.core.errors), in the sender's language."""

    def execute(self) -> None:
        """Write the answer."""
        status = HTTPStatus(self.request.error.code)
        error: YachtError = BadInputError(CODES.get(status, BAD))
        if status is HTTPStatus.REQUEST_ENTITY_TOO_LARGE and self.request.refusal is not None:
            error = self.request.refusal
            status = HTTPStatus.FORBIDDEN if isinstance(error, NotAllowedError) else status
        wanted = str(self.request.headers.get("ACCEPT_LANGUAGE", "")).lower().split(",")
        language = next((each.strip()[:2] for each in wanted if each.strip()[:2] in languages()), DEFAULT)
        body = {"error": {"code": error.code, "message": text(error.message, language)}}
        self.request.error = SimpleNamespace(
            to_response=lambda _: (
                f"{status.value} {status.phrase}",
                [("Content-Type", "application/json"), ("Cache-Control", "no-store")],
                json.dumps(body, ensure_ascii=False).encode(),
            )
        )
        super().execute()


class Connection(HTTPChannel):  # type: ignore[misc]
    """One connection of a screen."""

    parser_class, error_task_class = _Request, _Refused
    close_when_flushed: bool
    used = refused = False

    def __init__(self, *args: Any, **kw: Any) -> None:
        self.due_s = time.monotonic() + HEAD_S
        super().__init__(*args, **kw)

    @property
    def turn(self) -> str:
        """The address under which its request is counted; "" for a live line, which lasts."""
        path = self.requests[0].path if self.requests else ""
        if path == self.server.live:
            return ""
        headers = self.requests[0].headers if self.requests else {}
        proxies: Proxies = self.server.proxies
        address: str = self.server.own(self.addr[1]) or proxies.screen(str(self.addr[0]), headers)
        return f"{address} {path}" if path in self.server.apart else address

    @property
    def half_sent(self) -> bool:
        """Whether it is waited for: its first request, or the rest of one, or of one that was refused."""
        return not self.requests and (self.request is not None or not self.used or self.refused)

    def is_late(self, now_s: float) -> bool:
        """Whether its time is up."""
        return self.half_sent and now_s >= (self.due_s if self.request is None else self.request.due_s)

    def readable(self) -> bool:
        """Whether more may come; while it is answered no end is looked for, but of a live line."""
        return (not self.requests or not self.turn) and bool(super().readable())

    def received(self, data: bytes) -> bool:
        """Take some bytes; those after a refused request are thrown away."""
        self.refused = self.refused or any(each.error is not None for each in self.requests)
        return self.refused or bool(super().received(data))

    def handle_write(self) -> None:
        """Send what waits to be sent."""
        if self.refused and self.close_when_flushed and not self.total_outbufs_len:
            # The body may still be on its way. Closing now would make the sender's system throw away
            # our answer; so the connection is closed for sending only, and read empty for a while.
            self.close_when_flushed, self.due_s = False, time.monotonic() + LINGER_S
            with suppress(OSError):
                self.socket.shutdown(socket.SHUT_WR)
        else:
            super().handle_write()

    def service(self) -> None:
        """Answer one request."""
        self.used, self.due_s, turn = True, time.monotonic() + LINGER_S, self.turn
        self.refused = self.refused or self.requests[0].error is not None
        try:
            super().service()
        finally:
            self.server.turns.done(turn)


class Turns:
    """Requests that wait for a thread: each address in turn, so that one that asks much delays nobody else.

    changed: the condition of the threads, held by who calls anything but `done`.
    """

    def __init__(self, changed: threading.Condition) -> None:
        self._changed, self._running = changed, Counter[str]()
        self._waiting: list[Connection] = []
        self.append = self._waiting.append

    def _may_run(self) -> list[Connection]:
        running = self._running
        return [each for each in self._waiting if not each.turn or running[each.turn] < EACH_ADDRESS]

    def __len__(self) -> int:
        return len(self._may_run())

    def popleft(self) -> Connection:
        """The next request: the oldest of the address that has the fewest running."""
        found = min(self._may_run(), key=lambda each: self._running[each.turn] if each.turn else 0)
        self._waiting.remove(found)
        self._running[found.turn] += 1
        return found

    def done(self, turn: str) -> None:
        """A request of that address is answered."""
        with self._changed:
            self._running[turn] -= 1
            self._running += Counter()  # drops those that are 0
            self._changed.notify()


class WebServer(TcpWSGIServer):  # type: ignore[misc]
    """Serves an application on a socket that listens.

    live: the path of the live line, whose requests have a limit of their own. viewers_max: how many of them.
    apart: paths counted by themselves: others of the same address may wait for what is sent there.
    own: port that a connection comes from -> whose it is where the station itself asks; None for a screen's.
    proxies: who asks for others.
    """

    channel_class = Connection

    def __init__(
        self, application: Any, listening: socket.socket, *, viewers_max: int, bounds: Bounds, live: str,
        own: Callable[[int], str | None] = lambda _: None, proxies: Proxies | None = None,
        apart: frozenset[str] = frozenset(),
    ) -> None:  # fmt: skip
        adj = Adjustments(
            sockets=[listening],
            connection_limit=connections_max(viewers_max),
            asyncore_use_poll=True,  # select() ends at 1,024 files
            outbuf_high_watermark=65_536,
            ident=None,
            clear_untrusted_proxy_headers=False,  # who has them is behind a proxy
            channel_request_lookahead=1,  # so that it is noticed when a listening screen has gone
            channel_timeout=60,  # a browser may keep a connection that it does not use
            cleanup_interval=1,
            max_request_header_size=32 * 1024,
        )
        adj.bounds = bounds
        self.own, self.live, self.apart, self._looked_s = own, live, apart, 0.0
        self.proxies = proxies or Proxies(ProxySettings())
        self._waking, self._over = threading.Lock(), False
        dispatcher = ThreadedTaskDispatcher()
        dispatcher.queue = self.turns = Turns(dispatcher.queue_cv)
        dispatcher.set_thread_count(viewers_max + SPARE_THREADS)
        info = (listening.family, listening.type, listening.proto, listening.getsockname())
        super().__init__(
            self.proxies.before(application),
            _sock=listening,
            dispatcher=dispatcher,
            adj=adj,
            sockinfo=info,
            bind_socket=False,
        )

    def start(self) -> None:
        """Run in a thread of its own."""
        threading.Thread(target=self.run, name="web", daemon=True).start()

    def abandon(self) -> None:
        """Let go of every connection and of the ports: another server takes over."""
        self.task_dispatcher.set_thread_count(0)
        self.close()
        for channel in list(self._map.values()):
            with suppress(OSError):
                channel.close()

    def close(self) -> None:
        """Let go of the ports; connections are left as they are."""
        with self._waking:
            self._over = True
            for door in [each for each in list(self._map.values()) if each.accepting]:
                wasyncore.dispatcher.close(door)
            self.trigger.close()

    def pull_trigger(self) -> None:
        """Wake the loop; not after the end, when the number of its pipe may be that of a file."""
        with self._waking:
            if not self._over:
                super().pull_trigger()

    def handle_accept(self) -> None:
        """Take a new connection."""
        super().handle_accept()
        if self.active_channels:
            self.make_room()

    def make_room(self) -> None:
        """Close a connection for the newest, if there are too many.

        The oldest half sent request of its address; at the limit one of the address with the most, idle if
        that can be, but no live line.
        """
        *others, newest = list(self.active_channels.values())
        late = [each for each in others if each.half_sent and each.turn == newest.turn]
        if len(late) >= HALF_SENT_MAX:
            late[0].handle_close()
        elif len(self._map) >= self.adj.connection_limit:
            count = Counter(each.turn for each in others)
            free = [each for each in others if each.turn] or others
            free.sort(key=lambda each: (bool(each.requests), -count[each.turn], each.last_activity))
            free[0].handle_close()

    def maintenance(self, now: float) -> None:
        """Close what takes too long."""
        super().maintenance(now)
        before_s, self._looked_s = self._looked_s, time.monotonic()
        if self._looked_s - before_s < STARVED_S:
            for channel in self.active_channels.values():
                channel.will_close = channel.will_close or channel.is_late(self._looked_s)
