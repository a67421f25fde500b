"""The server, by http and https: nobody keeps others from an answer. Real sockets, a small application."""

import json
import resource
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace

import pytest

from messages.errors import BadInputError, NotAllowedError
from station.config.proxy_settings import ProxySettings
from station.server import tls, web_server
from station.server.https import SecureDoor
from station.server.listening import listen
from station.server.proxy import Proxies
from station.server.web_server import EACH_ADDRESS, HALF_SENT_MAX, Bound, Connection, Turns, WebServer
from tests.process.test_tls import openssl

PATIENCE_S = 60.0
PROXY = "127.0.0.7"
"""The address of one that is known."""


class Served:
    """A server that says how many bytes of body it was given, and waits at /slow until it is let go."""

    def __init__(self, context: ssl.SSLContext) -> None:
        self.socket, self.secure = listen("127.0.0.1", 0), listen("127.0.0.1", 0)
        self.where = {"http": self.socket.getsockname(), "https": self.secure.getsockname()}
        self.open = threading.Event()
        self.asked = 0
        self.server = WebServer(
            self.answer,
            self.socket,
            viewers_max=4,
            bounds=self.bound,
            live="/live",
            apart=frozenset({"/sent"}),
            proxies=Proxies(ProxySettings(addresses=(PROXY,))),
        )
        SecureDoor(self.server, self.secure, context)
        self.server.start()

    @staticmethod
    def bound(path: str, _: dict) -> Bound:
        if path == "/restore":
            return Bound(1000, NotAllowedError("room/no_host", code="room/host_only"))
        return Bound(5_000_000 if path == "/long" else 1000, BadInputError("request/too_large"))

    def answer(self, environ, start_response):
        self.asked += 1
        if environ["PATH_INFO"] in {"/slow", "/live"}:
            self.open.wait(PATIENCE_S)
        body = str(len(environ["wsgi.input"].read())).encode()
        if environ["PATH_INFO"] == "/who":
            through = environ.get("HTTP_X_FORWARDED_FOR", "")
            body = f"{environ['wsgi.url_scheme']} {environ['REMOTE_ADDR']} {through}".encode()
        start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", str(len(body)))])
        return [body]

    def close(self) -> None:
        self.open.set()
        self.server.task_dispatcher.shutdown(timeout=5)
        self.server.close()
        self.socket.close()
        self.secure.close()


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate and its key."""
    return openssl(tmp_path_factory.mktemp("certificate"), "own")


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch, pair: tuple[Path, Path]) -> Iterator[Served]:
    """One for which nobody is late on a slow machine."""
    for name in ("HEAD_S", "BODY_S", "LINGER_S"):
        monkeypatch.setattr(web_server, name, PATIENCE_S)
    one = Served(tls.context(*pair))
    yield one
    one.close()


@pytest.fixture(params=["http", "https"])
def how(request: pytest.FixtureRequest) -> str:
    """By which port a screen comes."""
    return str(request.param)


ONLY_HTTP = pytest.mark.parametrize("how", ["http"], indirect=True)
"""What TLS does not know, or what has nothing to do with it."""


@pytest.fixture
def connect(served: Served, how: str, pair: tuple[Path, Path]):
    """Opens connections from an address of this machine, and closes them."""
    trust = ssl.create_default_context(cafile=pair[0])
    with ExitStack() as stack:

        def one(sends: bytes = b"", source: str = "127.0.0.1", *, silent: bool = False) -> socket.socket:
            """silent: nothing is sent but the connection made, not even what TLS begins with."""
            made = socket.create_connection(served.where[how], PATIENCE_S, source_address=(source, 0))
            if how == "https" and not silent:
                made = trust.wrap_socket(made, server_hostname="yacht.local")
            stack.enter_context(made)
            made.sendall(sends)
            return made

        yield one


def read(connection: socket.socket) -> bytes:
    """All that comes until the other side hangs up; b"" too when it does so at once."""
    found = b""
    while True:
        try:
            data = connection.recv(65_536)
        except (ConnectionResetError, ssl.SSLError):
            return found
        if not data:
            return found
        found += data


def request(path: str = "/", *, length: int = 0, more: str = "") -> bytes:
    head = f"POST {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
    return f"{head}Content-Length: {length}\r\n{more}\r\n".encode()


def test_the_application_knows_by_which_port_from_where_and_through_whom_a_screen_comes(connect, how):
    answer = read(connect(request("/who", more="X-Forwarded-For: 192.0.2.7\r\n"), source="127.0.0.3"))
    assert answer.endswith(f"\r\n{how} 127.0.0.3 192.0.2.7".encode())


def test_screens_behind_a_known_proxy_take_turns_as_any_others(served, connect, how):
    def ask(path: str, screen: str) -> socket.socket:
        return connect(request(path, more=f"X-Forwarded-For: {screen}\r\n"), source=PROXY)

    slow = [ask("/slow", "192.0.2.1") for _ in range(EACH_ADDRESS + 2)]
    for said, screen in (("192.0.2.2", "192.0.2.2"), ("10.9.9.9, 192.0.2.3", "192.0.2.3")):
        assert f"\r\n{how} {screen} " in read(ask("/who", said)).decode()
    served.open.set()
    assert all(b"200 OK" in read(each) for each in slow)


@pytest.mark.parametrize("half", [b"", b"GET / HTTP/1.1\r\nHost:"])
def test_four_hundred_that_send_nothing_or_half_keep_nobody_from_an_answer(connect, half):
    """Nothing: by https not even what a key is agreed on with."""
    first, *_ = [connect(half, silent=not half) for _ in range(401)]
    assert b"200 OK" in read(connect(request()))
    assert b"200 OK" in read(connect(request(), source="127.0.0.2"))
    assert read(first) == b"", "it has given its place up"


def test_no_more_connections_are_kept_than_the_system_lets_open(monkeypatch):
    """Else the next one that comes, or the store, finds no file left."""
    monkeypatch.setattr(resource, "getrlimit", lambda _: (1024, 4096))
    kept = [web_server.connections_max(viewers) for viewers in (1, 64, 500, 1000)]
    assert kept == [22, 400, 824, 824]


def test_an_address_keeps_so_many_half_sent_and_the_oldest_goes(connect):
    first = connect(b"GET / HTTP/1.1\r\n")
    other = connect(b"GET / HTTP/1.1\r\n", source="127.0.0.2")
    for _ in range(HALF_SENT_MAX):
        connect(b"GET / HTTP/1.1\r\n")
    assert read(first) == b""
    other.sendall(b"Host: x\r\nConnection: close\r\n\r\n")
    assert b"200 OK" in read(other), "another address keeps its own"


def test_a_head_and_a_body_have_a_deadline(served, connect, monkeypatch):
    for name in ("HEAD_S", "BODY_S"):
        monkeypatch.setattr(web_server, name, 0.2)
    begun = [connect(sends) for sends in (b"", b"GET / HTTP/1.1\r\n", request(length=500) + b"some")]
    assert [read(each) for each in begun] == [b"", b"", b""]
    assert served.asked == 0


def test_who_sent_while_the_station_could_not_run_is_not_late(monkeypatch):
    now_s = [1000.0]
    monkeypatch.setattr(web_server, "time", SimpleNamespace(monotonic=lambda: now_s[0], time=time.time))
    listening, (screen, ours) = listen("127.0.0.1", 0), socket.socketpair()
    server = WebServer(None, listening, viewers_max=1, bounds=Served.bound, live="/live")
    server.task_dispatcher.shutdown(timeout=PATIENCE_S)
    one = Connection(server, ours, ("127.0.0.1", 1), server.adj, server._map)
    with screen:
        server.maintenance(time.time())
        now_s[0] += 2 * web_server.HEAD_S
        server.maintenance(time.time())
        assert not one.will_close, "the loop has not read for long: it does so now"
        now_s[0] += 1
        server.maintenance(time.time())
        assert one.will_close
        one.close()
    server.close()


CHUNKED = (
    b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1000\r\n" + bytes(0x1000) + b"\r\n"
)


@pytest.mark.parametrize(
    ("sends", "status", "code"),
    [
        (request(length=300_000_000), b"413", "request/too_large"),
        (request("/restore", length=300_000_000), b"403", "room/host_only"),
        (request(length=300_000_000, more="Expect: 100-continue\r\n"), b"413", "request/too_large"),
        (request(length=2_000_000) + bytes(2_000_000), b"413", "request/too_large"),
        (CHUNKED, b"413", "request/too_large"),
        (
            b"GET / HTTP/1.1\r\nHost: x\r\nCookie: " + b"x" * 40_000 + b"\r\n\r\n",
            b"431",
            "request/head_too_large",
        ),
        (b"get / HTTP/1.1\r\n: x\r\n\r\n", b"400", "request/bad"),
        (b"\x00\r\n\r\n", b"400", "request/bad"),
        (b"x\r\n\r\n", b"400", "request/bad"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_will_not_do_is_refused_by_its_head_in_the_one_shape(served, connect, sends, status, code):
    head, _, body = read(connect(sends)).partition(b"\r\n\r\n")
    assert head.split()[1] == status, head
    assert json.loads(body)["error"]["code"] == code
    assert served.asked == 0


@ONLY_HTTP
def test_a_refusal_is_in_the_language_of_the_screen(connect):
    german = read(connect(request(length=5000, more="Accept-Language: de-AT,en\r\n")))
    assert "größer" in german.decode()


def test_a_long_body_that_is_allowed_comes_whole(connect):
    one = connect(request("/long", length=3_000_000))
    one.sendall(bytes(3_000_000))
    assert read(one).endswith(b"3000000")


def test_one_address_that_asks_much_leaves_threads_to_others(connect):
    for _ in range(60):
        connect(request("/slow"))
    assert b"200 OK" in read(connect(request(), source="127.0.0.2"))
    assert b"200 OK" in read(connect(request("/sent"))), "what those may wait for"


@ONLY_HTTP
def test_an_answer_after_the_end_is_written_into_no_file(served, connect, tmp_path):
    connect(request("/slow"))
    deadline_s = time.monotonic() + PATIENCE_S
    while not served.asked and time.monotonic() < deadline_s:
        time.sleep(0.001)
    (channel,) = served.server.active_channels.values()
    number = served.server.trigger.trigger
    served.server.close()
    with ExitStack() as stack:
        files = [stack.enter_context((tmp_path / str(n)).open("wb")) for n in range(8)]
        assert number in {file.fileno() for file in files}
        served.open.set()
        while channel.requests and time.monotonic() < deadline_s:
            time.sleep(0.001)
        served.server.pull_trigger()  # as a thread does that was held up here
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b""] * 8


@ONLY_HTTP
def test_who_has_sent_all_and_says_so_still_gets_the_answer(served, connect):
    one = connect(request("/slow"))
    one.shutdown(socket.SHUT_WR)
    served.open.set()
    assert b"200 OK" in read(one)


def test_addresses_take_turns():
    queue = Turns(threading.Condition())
    for address in "aaaaab":
        queue.append(SimpleNamespace(turn=address))
    taken = [queue.popleft().turn for _ in range(3)]
    assert taken == ["a", "b", "a"]
    assert not queue
    queue.done("a")
    assert queue.popleft().turn == "a"
    for _ in range(5):
        queue.append(SimpleNamespace(turn=""))
    assert [queue.popleft().turn for _ in range(5)] == [""] * 5, "live lines have a limit of their own"


def test_a_screen_that_hangs_up_is_noticed_while_it_is_answered(served, connect):
    one = connect(request("/live"))
    until_s = time.monotonic() + PATIENCE_S
    while not served.asked:
        assert time.monotonic() < until_s
    (channel,) = list(served.server.active_channels.values())
    one.close()
    while not channel.check_client_disconnected():
        assert time.monotonic() < until_s
