"""The part of `make torture` that comes from outside: the network, cameras, buttons, and what people send.

`trials(share)` gives the rows; by itself `python -m lab.torture.network [SHARE]` prints them.
"""

import http.client
import json
import multiprocessing
import random
import socket
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from multiprocessing.synchronize import Event
from pathlib import Path

from lab.torture import devices, inputs, route
from lab.torture.row import Row, times
from lab.torture.storage import GAMES, filled
from station.testing.station_process import StationProcess

HALF_SENT = 400
VIEWERS = 200
READERS = 32
"""Connections on which one address reads without a pause."""
LONG_PAGES = (
    "/history",
    "/api/v1/history",
    "/health",
    "/api/v1/export.csv",
    "/history/5",
    "/api/v1/history/5/review",
)
"""What takes a station longest to answer, of all that any guest may read."""
REQUESTS = 20_000
GUEST, OTHER = "127.0.0.66", "127.0.0.2"
"""Addresses of this machine: who does harm, and who only wants to play."""
PATIENCE_S = 60.0
MEASURED = 400
GO_ON = b"HTTP/1.1 100 Continue\r\n\r\n"


@contextmanager
def _station(settings: str = "", *, games: int = 0) -> Iterator[StationProcess]:
    with tempfile.TemporaryDirectory() as folder:
        if games:
            filled(Path(folder) / "data", games)
        station = StationProcess(Path(folder), settings=settings)
        try:
            yield station
        finally:
            station.stop()


def _where(station: StationProcess) -> tuple[str, int]:
    host, _, port = station.url.removeprefix("http://").partition(":")
    return host, int(port)


def _ask(station: StationProcess, method: str, path: str, body: object = None, *, source: str = OTHER) -> int:
    """The status of a request; 0 when there was no answer."""
    connection = http.client.HTTPConnection(*_where(station), timeout=PATIENCE_S, source_address=(source, 0))
    try:
        data = None if body is None else json.dumps(body)
        connection.request(method, path, data, {"Content-Type": "application/json"} if data else {})
        answer = connection.getresponse()
        answer.read()
    except (OSError, http.client.HTTPException):
        return 0
    else:
        return answer.status
    finally:
        connection.close()


def _play(station: StationProcess, count: int) -> tuple[int, list[float]]:
    """Play as others do, that many requests; how many got no good answer, and the seconds of each."""
    lost, seconds = 0, []
    for number in range(count):
        began_s = time.perf_counter()
        if number % 4:
            status = _ask(station, "GET", "/api/v1/state")
        else:
            status = _ask(station, "POST", "/api/v1/commands", {"command": "press", "button": "hold-1"})
        seconds.append(time.perf_counter() - began_s)
        lost += status != http.HTTPStatus.OK
    return lost, seconds


def _begin(station: StationProcess) -> None:
    station.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
    station.do("enter_roll", faces=[1, 2, 3, 4, 5])


def _ms(seconds: list[float]) -> str:
    """The time in which 99 of 100 were answered; 250 ms is the aim on a machine that does nothing else."""
    return f"{1000 * sorted(seconds)[min(len(seconds) - 1, int(len(seconds) * 0.99))]:.0f} ms"


def half_open(share: float) -> Row:
    """One address holds requests half sent; others play."""
    count = times(HALF_SENT, max(share, 0.25))
    with _station() as station, ExitStack() as stack:
        _begin(station)
        _, alone = _play(station, MEASURED // 4)
        for number in range(count):
            with suppress(OSError):
                one = stack.enter_context(
                    socket.create_connection(_where(station), PATIENCE_S, source_address=(GUEST, 0))
                )
                head = b"POST /api/v1/commands HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n"
                one.sendall(head[: number % len(head)] if number % 2 else head + b"\r\n{")
        lost, seconds = _play(station, times(MEASURED, max(share, 0.25)))
    return Row("half-open connections", count, lost, 0, f"p99 of others {_ms(seconds)}, alone {_ms(alone)}")


def reading(share: float) -> Row:
    """One address reads the longest pages of a station of many games on many connections; others play."""
    games = times(GAMES, max(share, 0.1))
    with _station(games=games) as station:
        _begin(station)
        _, alone = _play(station, MEASURED // 4)
        # In a process of its own: what it takes of Python must not be counted as the station's.
        context = multiprocessing.get_context("spawn")
        begun = context.Event()
        guest = context.Process(target=_read_on, args=(_where(station), begun), daemon=True)
        guest.start()
        try:
            if not begun.wait(PATIENCE_S):
                raise TimeoutError("the guest that reads on has not begun")
            lost, seconds = _play(station, times(MEASURED, max(share, 0.25)))
        finally:
            guest.kill()
            guest.join()
    note = f"of {games:,} games; p99 of others {_ms(seconds)}, alone {_ms(alone)}"
    return Row("long pages read without a pause", READERS, lost, 0, note)


def _read_on(where: tuple[str, int], begun: Event) -> None:
    """Read one page after the other on many connections, until this process is ended."""
    for number in range(READERS):
        page = LONG_PAGES[number % len(LONG_PAGES)]
        threading.Thread(target=_reads, args=(where, page, begun), daemon=True).start()
    threading.Event().wait()


def _reads(where: tuple[str, int], page: str, begun: Event) -> None:
    while True:
        connection = http.client.HTTPConnection(*where, timeout=PATIENCE_S, source_address=(GUEST, 0))
        with suppress(OSError, http.client.HTTPException):
            connection.request("GET", page, headers={"Accept-Encoding": "gzip"})
            connection.getresponse().read()
            begun.set()
        connection.close()


def viewers(share: float) -> Row:
    """Screens that listen and take nothing, and screens that reload all the time; others play."""
    count = times(VIEWERS, max(share, 0.25))
    refused, reloads, stop = [0], [0], threading.Event()
    with _station(f"viewers_max = {count}\n") as station, ExitStack() as stack:
        _begin(station)
        _, alone = _play(station, MEASURED // 4)
        for number in range(count // 2):
            stalled = socket.socket()
            stalled.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            stack.enter_context(stalled)
            stalled.bind((f"127.0.1.{1 + number}", 0))
            stalled.connect(_where(station))
            stalled.sendall(b"GET /api/v1/events HTTP/1.1\r\nHost: x\r\n\r\n")
        reloading = [
            threading.Thread(target=_reload, args=(station, f"127.0.2.{1 + number}", stop, reloads, refused))
            for number in range(count - count // 2)
        ]
        for thread in reloading:
            thread.start()
        lost, seconds = _play(station, times(MEASURED, max(share, 0.25)))
        stop.set()
        for thread in reloading:
            thread.join()
    times_text = f"p99 of others {_ms(seconds)}, alone {_ms(alone)}"
    note = f"{times_text}, {refused[0]} of {reloads[0]} reloads refused"
    return Row("stalled and reloading viewers", count, lost + refused[0], 0, note)


def _reload(
    station: StationProcess, source: str, stop: threading.Event, reloads: list[int], refused: list[int]
) -> None:
    """Open the event stream, read a line, close it, and again, like a browser that reloads its page."""
    while not stop.is_set():
        connection = http.client.HTTPConnection(
            *_where(station), timeout=PATIENCE_S, source_address=(source, 0)
        )
        try:
            connection.request("GET", "/api/v1/events")
            answer = connection.getresponse()
            refused[0] += answer.status != http.HTTPStatus.OK
            answer.readline()
            answer.close()
            reloads[0] += 1
        except (OSError, http.client.HTTPException):
            refused[0] += not stop.is_set()
        finally:
            connection.close()
        stop.wait(1.0)


def requests(share: float) -> Row:
    """Requests of nonsense: answered or hung up on, none changes the game, none is an error of ours."""
    rng, count = random.Random(6), times(REQUESTS, share)  # noqa: S311 - trials
    note, statuses = "", Counter[int]()
    with _station() as station:
        _begin(station)
        before = station.state()["players"]
        for _ in range(count):
            statuses[_send(station, _nonsense(rng))] += 1
        # 501 is the answer to a body that was packed in a way we do not know (RFC 9112, 6.1), and no error.
        wrong = sum(statuses[each] for each in statuses if each >= 500 and each != 501)
        lost, _ = _play(station, 8)
        lost += station.state()["players"] != before
        died = station.process.poll() is not None
        failed = [line for line in station.lines if "Traceback" in line or "uncaptured" in line]
        wrong, note = wrong + len(failed), "".join(failed[:1]).strip()
    counts = ", ".join(
        f"{number:,} hung up" if not status else f"{number:,} times {status}"
        for status, number in sorted(statuses.items())
    )
    return Row("hostile requests", count, lost + died, wrong, f"{counts} {note}".strip())


CHANGING = ("/api/v1/commands", "/api/v1/room/seat")
PATHS = (
    "/",
    "/tv",
    "/health",
    "/history",
    "/api/v1/history/1",
    "/api/v1/hint",
    "/api/v1/why",
    "/api/v1/rules/check",
    "/api/v1/score",
    *CHANGING,
)
BODIES = (
    b'{"command": "start_game"}',
    b'{"name": "Ana"}',
    b'{"rules": "yacht-1938", "dice": [1,2,3,4,5]}',
    b'{"text": "id = 1"}',
    b"[" * 3000,
    b'{"a":' * 3000,
    b"\xff\xfe\x00",
    b'{"command": "undo", "version": 1e400}',
    b"null",
    b'"',
    b"",
)
METHODS = (
    b"GET",
    b"GET",
    b"POST",
    b"POST",
    b"PUT",
    b"DELETE",
    b"HEAD",
    b"OPTIONS",
    b"TRACE",
    b"PATCH",
    b"\x00",
)
ODD_LINES = (
    b"Content-Type: application/json;x",
    b"Cookie: screen=" + b"x" * 70,
    b"Transfer-Encoding: chunked",
    b"Transfer-Encoding: gzip",
    b"Expect: 100-continue",
    b": z",
    b"Accept-Language: xx,\xff",
    b"Accept-Encoding: gzip;q=x",
    b"Range: bytes=9-1",
    b"If-None-Match: *",
    b"If-Modified-Since: yesterday",
    b"X-Forwarded-For: \xff",
)


def _nonsense(rng: random.Random) -> bytes:
    """A request with some things wrong in it, or none; never one that would change the game."""

    def seldom(good: bytes, *bad: bytes) -> bytes:
        return rng.choice(bad) if rng.random() < 0.15 else good

    path = rng.choice(PATHS)
    # From another site's page: whatever else is right about it, it may not play along.
    foreign = path in CHANGING or rng.random() < 0.2
    tail = bytes(rng.choices(b"/%.?#&=\x80\xff ;\\a0", k=rng.randint(0, 6))) if rng.random() < 0.5 else b""
    body = bytearray(rng.choice(BODIES))
    for _ in range(rng.randint(0, 3)):
        if body:
            body[rng.randrange(len(body))] = rng.randrange(256)
    length = seldom(b"%d" % len(body), b"-1", b"%d" % 10**12, b"%d" % (len(body) + 9), b"x", b"")
    lines = [
        b"Host: " + seldom(b"yacht.local", b"localhost", b"[", b"evil.example", b"\xff"),
        b"Connection: close",
        b"Content-Length: " + length,
        b"Content-Type: " + seldom(b"application/json", b"text/plain", b"multipart/form-data", b"\xff"),
        *rng.sample(ODD_LINES, k=rng.choice((0, 0, 1, 2))),
        *([b"Origin: http://evil.example"] if foreign else ()),
    ]
    rng.shuffle(lines)
    first = b" ".join(
        (rng.choice(METHODS), path.encode() + tail, seldom(b"HTTP/1.1", b"HTTP/1.0", b"HTTP/9", b""))
    )
    return b"\r\n".join([first, *lines, b"", b""]) + bytes(body)


def _send(station: StationProcess, data: bytes) -> int:
    """The status of the answer; 0 where it was hung up without one."""
    found = b""
    with (
        suppress(OSError),
        socket.create_connection(_where(station), PATIENCE_S, source_address=(GUEST, 0)) as one,
    ):
        one.sendall(data)
        with suppress(OSError):
            one.shutdown(socket.SHUT_WR)
        while piece := one.recv(65_536):
            found = (found + piece)[:200]
    words = found.removeprefix(GO_ON).split(b" ", 2)
    return int(words[1]) if len(words) > 1 and words[1].isdigit() else 0


TRIALS: tuple[Callable[[float], Row | list[Row]], ...] = (
    half_open,
    reading,
    viewers,
    requests,
    route.no_route,
    devices.cameras,
    devices.buttons,
    inputs.rules,
    inputs.names,
    inputs.pictures,
)


def trials(share: float = 1.0) -> Iterator[Row]:
    """Every trial, a share of all (0-1) of it; rows as they come."""
    for trial in TRIALS:
        found = trial(share)
        yield from found if isinstance(found, list) else [found]


def main() -> None:
    """Print the table."""
    share = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    print("| trial | tried | lost | wrongly accepted | |\n|---|---:|---:|---:|---|")
    for row in trials(share):
        print(f"| {row.name} | {row.count:,} | {row.lost} | {row.wrong} | {row.note} |", flush=True)


if __name__ == "__main__":
    main()
