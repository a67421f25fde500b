"""A station behind a real nginx and a real Caddy, as docs/proxy.md sets them up."""

import http.client
import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from station.server.listening import own_ip
from tests.process.proxy_servers import ProxyServer
from tests.process.station import DEADLINE_S, RunningStation

pytestmark = pytest.mark.slow

NAME = "yacht.example.org"
SETTINGS = f'names = ["{NAME}"]\n[proxy]\naddresses = ["127.0.0.1"]\n'


@pytest.fixture(scope="module")
def station(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningStation]:
    folder = tmp_path_factory.mktemp("behind")
    settings = folder / "proxy.toml"
    settings.write_text(SETTINGS, encoding="utf-8")
    with RunningStation(folder / "data", "--config", str(settings)) as running:
        yield running


class Browser:
    """A screen that asks at a port, keeps its cookie, and says from which page it asks."""

    def __init__(self, port: int, *, at: str = "127.0.0.1", name: str = NAME) -> None:
        self._where, self.host, self._cookie = (at, port), f"{name}:{port}", ""
        self.ask("GET", "/")

    def ask(self, method: str, path: str, fields: Any = None, **headers: str) -> tuple[int, Any]:
        connection = self.begin(method, path, fields, **headers)
        try:
            answer = connection.getresponse()
            self._cookie = (answer.headers["Set-Cookie"] or self._cookie).partition(";")[0]
            body = answer.read()
            is_json = answer.headers["Content-Type"] == "application/json"
            return answer.status, json.loads(body) if is_json else body
        finally:
            connection.close()

    def begin(self, method: str, path: str, fields: Any = None, **headers: str) -> http.client.HTTPConnection:
        connection = http.client.HTTPConnection(
            *self._where, timeout=DEADLINE_S, source_address=(self._where[0], 0)
        )
        sent = {"Host": self.host, "Cookie": self._cookie}
        if method == "POST":
            sent |= {"Origin": f"http://{self.host}", "Content-Type": "application/json"}
        more = {name.replace("_", "-"): value for name, value in headers.items()}
        body = json.dumps(fields or {}) if method == "POST" else None
        connection.request(method, path, body, sent | more)
        return connection

    def post(self, path: str, **fields: Any) -> tuple[int, Any]:
        return self.ask("POST", f"/api/v1/room/{path}", fields)

    def command(self, command: str, **fields: Any) -> int:
        return self.ask("POST", "/api/v1/commands", {"command": command, **fields})[0]

    def number(self, **headers: str) -> str | None:
        """The number by which a screen becomes host, where this one is shown it."""
        found: str | None = self.ask("GET", "/api/v1/room", **headers)[1]["you"]["number"]
        return found


def port_of(station: RunningStation) -> int:
    return int(station.url.rpartition(":")[2])


@pytest.mark.parametrize("name", ["nginx", "caddy"])
def test_a_station_behind_a_proxy(name: str, station: RunningStation, tmp_path: Path) -> None:
    with ProxyServer(name, tmp_path, port_of(station)) as proxy:
        phone = Browser(proxy.port, at="127.0.0.9")
        assert phone.command("add_player", name=f"Ana by {name}") == 200
        with closing(phone.begin("GET", "/api/v1/events")) as line, line.getresponse() as events:
            states = (row for row in iter(events.readline, b"") if row == b"event: state\n")
            assert next(states, None)
            assert phone.command("add_player", name=f"Ben by {name}") == 200
            assert next(states, None), ("while the line stays open", Path(station.log.name).read_text())

        # Who is at this machine itself is told through the proxy, and nobody else is taken for it.
        assert phone.post("ask", on=True)[0] == 200
        assert Browser(proxy.port, name="localhost").number()
        assert phone.number() is None, "it asked by another name"
        if own_ip() != "127.0.0.1":  # where this machine has a network
            house = Browser(proxy.port, at=own_ip(), name="localhost")
            assert house.number() is None
            assert house.number(X_Forwarded_For="127.0.0.1") is None, "a browser may say what it likes"
        assert Browser(port_of(station), name="localhost").number() is None, "it may be the proxy that asks"
        assert phone.post("ask", on=False)[0] == 200


def test_wrong_tries_through_a_proxy_count_for_their_address_alone(
    station: RunningStation, tmp_path: Path
) -> None:
    with ProxyServer("nginx", tmp_path, port_of(station)) as proxy:
        here = Browser(proxy.port, name="localhost")
        assert here.post("ask", on=True)[0] == 200
        here.post("number", number=here.number())
        assert here.post("pin", pin="4711")[0] == 200
        guest, other = Browser(proxy.port, at="127.0.0.5"), Browser(proxy.port, at="127.0.0.6")
        while guest.post("host", pin="0000")[1]["error"]["code"] != "room/wait":
            pass
        assert other.post("host", pin="4711")[0] == 200


@pytest.mark.parametrize(
    ("lost", "header"),
    [("proxy_set_header Host", "Host"), ("proxy_set_header X-Forwarded-For", "X-Forwarded-For")],
)
def test_a_proxy_that_loses_a_header_is_told_which(
    lost: str, header: str, station: RunningStation, tmp_path: Path
) -> None:
    with ProxyServer("nginx", tmp_path, port_of(station), lost) as proxy:
        phone = Browser(proxy.port)
        assert phone.ask("GET", "/api/v1/state")[0] == 200
        status, answer = phone.post("seat", name="Ana")
        assert (status, answer["error"]["code"]) == (403, "request/forbidden")
        assert answer["error"]["values"]["header"] == header
        assert f"the header {header}" in answer["error"]["message"]
        assert Browser(proxy.port, name="localhost").number() is None
