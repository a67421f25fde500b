"""Addresses that are told what happens: a real HTTP server that takes, refuses, hangs and is away."""

import base64
import hashlib
import hmac
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from messages.catalogue import text
from messages.errors import BadInputError
from station import config
from station.contract import commands
from station.contract.check import Level
from station.contract.happening import HappeningKind
from station.extras.webhooks import sender
from station.extras.webhooks.chat import sentence
from station.extras.webhooks.sender import Webhooks
from station.integrations.factory import open_integrations
from station.integrations.happenings import TableEvent
from tests.extras.parts import Kitchen
from tests.integrations.mosquitto import DEADLINE_S, free_port, until


class Server:
    """Takes requests; `status` is its answer, `hangs` keeps it from answering."""

    def __init__(self, port: int = 0) -> None:
        self.taken: list[tuple[str, dict[str, str], bytes]] = []
        self.status, self.hangs = 204, threading.Event()
        self.method = ""
        self.hangs.set()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                outer.hangs.wait(60)
                outer.method = self.command
                if 200 <= outer.status < 300:
                    outer.taken.append((self.path, dict(self.headers), body))
                self.send_response(outer.status)
                self.send_header("Location", "http://127.0.0.1:1/elsewhere")
                self.send_header("Content-Length", "0")
                self.end_headers()

            do_PUT = do_POST  # noqa: N815 - the name of the base class

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()

    def told(self) -> list[dict[str, Any]]:
        return [json.loads(body) for _, _, body in self.taken]

    def close(self) -> None:
        self.hangs.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()
    yield made
    made.close()


@pytest.fixture(autouse=True)
def tries_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sender.Sender, "retry_s", (0.1,))
    monkeypatch.setattr(sender, "ANSWER_S", DEADLINE_S)
    monkeypatch.setattr(sender, "LOOK_S", 0.05)  # or each end waits for a look


class Home(Kitchen):
    def __init__(self, folder: Path, wanted: dict[str, object]) -> None:
        super().__init__(folder)
        settings = config.parse({"mqtt": {"station": "kitchen"}, **wanted})
        (made,), _ = open_integrations(settings, self.store, self.table, lambda: None)
        assert isinstance(made, Webhooks)
        self.webhooks = made

    def trouble(self) -> str:
        check = self.webhooks.check()
        return text(check.message, "en") if check.status is Level.WARNING else ""


@contextmanager
def home(folder: Path, **wanted: object) -> Iterator[Home]:
    made = Home(folder, wanted)
    if made.table.snapshot().phase == "lobby":
        made.begin()
    made.webhooks.start()
    try:
        yield made
    finally:
        made.webhooks.stop(DEADLINE_S)
        made.close()


def hook(port: int, secret: Path, name: str = "club", **more: object) -> dict[str, object]:
    return {"name": name, "url": f"http://127.0.0.1:{port}/scores?of=1", "secret_file": str(secret), **more}


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    path = tmp_path / "secret"
    path.write_text("whsec_" + base64.b64encode(b"between us").decode() + "\n")
    return path


@pytest.mark.needs_feature("great_throws")
def test_what_happens_is_sent_and_signed(tmp_path, server, secret):
    with home(tmp_path / "data", webhooks=[hook(server.port, secret)]) as kitchen:
        kitchen.turn("yacht")
        until(lambda: [each["kind"] for each in server.told()][-2:] == ["box", "turn"])
        assert kitchen.webhooks.check().status is Level.OK
    assert [each["kind"] for each in server.told()] == ["turn", "roll", "great_throw", "box", "turn"]
    for path, headers, body in server.taken:
        assert path == "/scores?of=1"
        signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
        mac = hmac.new(b"between us", signed, hashlib.sha256).digest()
        assert headers["webhook-signature"] == "v1," + base64.b64encode(mac).decode()
        assert abs(int(headers["webhook-timestamp"]) - datetime.now(UTC).timestamp()) < 600
    assert len({headers["webhook-id"] for _, headers, _ in server.taken}) == len(server.taken)
    assert server.told()[3]["station"] == "kitchen"


def test_boxes_that_changed_places_are_sent_as_two(tmp_path, server, secret):
    """A receiver knows by the id what it has taken already, and passes it over."""
    with home(tmp_path / "data", webhooks=[hook(server.port, secret, events=["box"])]) as kitchen:
        kitchen.turn("choice")
        moved = commands.CorrectBox(player=0, category="choice", faces=(6,) * 5, to="sixes")
        kitchen.table.execute(moved)
        until(lambda: len(server.taken) == 3)
        told = [(each["category"], each["points"]) for each in server.told()]
    assert told == [("choice", 30), ("sixes", 30), ("choice", None)]
    assert len({headers["webhook-id"] for _, headers, _ in server.taken}) == 3


@pytest.mark.parametrize("status", [500, 404, 302])
def test_a_receiver_that_refuses_is_reported_and_tried_again(tmp_path, server, secret, status):
    server.status = status
    with home(tmp_path / "data", webhooks=[hook(server.port, secret)]) as kitchen:
        kitchen.turn("ones")
        assert str(status) in until(kitchen.trouble)
        kitchen.turn("ones")
        server.status = 200
        until(lambda: sum(each["kind"] == "box" for each in server.told()) == 2)
        until(lambda: not kitchen.trouble())
    numbers = [each["event"] for each in server.told()]
    assert numbers == sorted(numbers)


def test_a_clock_that_is_wrong_is_named_as_the_reason(tmp_path, server, secret, monkeypatch):
    """A receiver takes no signature of another time; its answer says what time it is there."""
    monkeypatch.setattr(sender, "now", lambda: datetime(1970, 1, 1, 0, 3, tzinfo=UTC))
    server.status = 401
    with home(tmp_path / "data", webhooks=[hook(server.port, secret)]) as kitchen:
        assert "1970-01-01 00:03 here" in until(kitchen.trouble)
        kitchen.turn("ones")  # and the table plays on


def test_a_receiver_that_is_away_misses_nothing_over_a_restart(tmp_path, secret):
    port = free_port()
    hooks = [hook(port, secret)]
    with home(tmp_path / "data", webhooks=hooks) as kitchen:
        kitchen.turn("ones")
        assert "cannot be reached" in until(kitchen.trouble)
    back = Server(port)
    try:
        with home(tmp_path / "data", webhooks=hooks):
            until(lambda: any(each["kind"] == "box" for each in back.told()))
    finally:
        back.close()
    assert next(each for each in back.told() if each["kind"] == "box")["late"] is True


def test_one_that_hangs_keeps_nobody_waiting(tmp_path, server, secret):
    other = Server()
    server.hangs.clear()
    hooks = [hook(server.port, secret), hook(other.port, secret, name="other")]
    try:
        with home(tmp_path / "data", webhooks=hooks) as kitchen:
            for _ in range(2):
                kitchen.turn("ones")
            until(lambda: sum(each["kind"] == "box" for each in other.told()) == 2)
            assert server.told() == []
            server.hangs.set()
    finally:
        other.close()


def test_a_secret_that_is_missing_sends_nothing(tmp_path, server):
    path = tmp_path / "none"
    with home(tmp_path / "data", webhooks=[hook(server.port, path)]) as kitchen:
        kitchen.turn("ones")
        assert "secret file" in until(kitchen.trouble)
        path.write_text("whsec_%%%")
        assert server.told() == []
        path.write_text("plain words")
        until(lambda: any(each["kind"] == "box" for each in server.told()))


@pytest.mark.needs_feature("great_throws")
def test_a_lamp_shows_what_happens_now(tmp_path, server):
    lamp = {"name": "shelf", "url": f"http://127.0.0.1:{server.port}/", "presets": {"great_throw": 3}}
    with home(tmp_path / "data", wled=[lamp]) as kitchen:
        until(lambda: not kitchen.webhooks._senders[0]._late)
        kitchen.turn("yacht")
        until(lambda: server.taken)
        kitchen.turn("ones", (1, 2, 3, 4, 6))
        server.status = 500
        kitchen.turn("twos")
        until(kitchen.trouble)
        server.status = 200
        until(lambda: not kitchen.trouble())  # a lamp is told nothing late
    assert [(path, json.loads(body)) for path, _, body in server.taken] == [
        ("/json/state", {"on": True, "ps": 3})
    ]


SAID = "kitchen: the game ended without a winner. *Ana* <3 @here 30, Ben 0."


@pytest.mark.parametrize(
    ("kind", "more", "asked", "body"),
    [
        (
            "discord", {}, "POST /in?of=1",
            {"content": SAID.replace("*", r"\*").replace("<", r"\<"), "allowed_mentions": {"parse": []}},
        ),
        ("slack", {}, "POST /in?of=1", {"text": SAID.replace("<", "&lt;"), "mrkdwn": False}),
        ("ntfy", {"token_file": "token"}, "POST /in?of=1", SAID),
        (
            "matrix", {"token_file": "token", "room": "!abc:example.org"},
            "PUT /in/_matrix/client/v3/rooms/%21abc%3Aexample.org/send/m.room.message/NUMBER?of=1",
            {"msgtype": "m.text", "body": SAID, "m.mentions": {}},
        ),
    ],
)  # fmt: skip
def test_a_chat_reads_the_result_as_a_sentence_and_only_once(tmp_path, server, kind, more, asked, body):
    """In the form that the service documents; no name is Markdown or calls people."""
    (tmp_path / "token").write_text("tk_1\n")
    more = more | ({"token_file": str(tmp_path / "token")} if "token_file" in more else {})
    room = {"name": "family", "kind": kind, "url": f"http://127.0.0.1:{server.port}/in?of=1", **more}
    with home(tmp_path / "data", chats=[room]) as kitchen:
        kitchen.table.execute(commands.RenamePlayer(player=0, name="*Ana* <3 @here"))
        kitchen.turn("choice")
        server.status = 500
        kitchen.table.execute(commands.EndGame())
        until(kitchen.trouble)
        server.status = 200
        until(lambda: server.taken)
        number = kitchen.store.last_event()
        until(lambda: not kitchen.trouble())
    ((path, headers, sent),) = server.taken
    assert f"{server.method} {path}" == asked.replace("NUMBER", f"kitchen-{number}-game_over-0")
    assert headers.get("Authorization") == ("Bearer tk_1" if "token_file" in more else None)
    if kind == "ntfy":
        assert (headers["Title"], headers["Tags"]) == ("Yacht Station kitchen", "game_die")
        assert sent.decode() == body
    else:
        assert headers["Content-Type"] == "application/json"
        assert json.loads(sent) == body


@pytest.mark.parametrize(
    ("winners", "said"), [(["Ana"], "Ana wins. "), (["Ana", "Ben"], "Ana and Ben share the win. ")]
)
def test_a_chat_reads_who_wins(winners, said):
    scores = [{"name": "Ana", "total": 210}, {"name": "Ben", "total": 180}]
    values = {"winners": winners, "scores": scores, "ended_by": "complete"}
    over = TableEvent(9, HappeningKind.GAME_OVER, "2026-01-06T19:30:00+00:00", 1, "id", values)
    assert text(sentence(over, "kitchen"), "en") == f"kitchen: {said}Ana 210, Ben 180."


@pytest.mark.needs_feature("great_throws")
def test_a_chat_gets_throws_and_boxes_only_where_its_settings_say_so_and_never_late(tmp_path, server):
    room = {"name": "family", "kind": "slack", "url": f"http://127.0.0.1:{server.port}/"}
    with home(tmp_path / "data", chats=[room | {"events": ["great_throw", "box"]}]) as kitchen:
        until(lambda: not kitchen.webhooks._senders[0]._late)
        kitchen.turn("yacht")
        until(lambda: len(server.taken) == 2)
        server.status = 500
        kitchen.turn("ones")
        until(kitchen.trouble)
        server.status = 200
        until(lambda: not kitchen.trouble())
    assert [each["text"] for each in server.told()] == [
        "kitchen: Ana has five alike! 6, 6, 6, 6, 6",
        "kitchen: Ana writes 50 in Yacht, 50 in all.",
    ]


@pytest.mark.parametrize(
    "told",
    [
        {"chats": [{"name": "a", "kind": "matrix", "url": "http://b/", "room": "!r:b"}]},
        {"chats": [{"name": "a", "kind": "matrix", "url": "http://b/", "room": "r", "token_file": "c"}]},
        {"chats": [{"name": "a", "kind": "discord", "url": "http://b/", "token_file": "c"}]},
        {"chats": [{"name": "a", "kind": "ntfy", "url": "http://b/", "room": "!r:b"}]},
        {"chats": [{"name": "a", "kind": "irc", "url": "http://b/"}]},
        {"chats": [{"name": "a", "kind": "slack", "url": "http://b/", "events": ["turn"]}]},
        {"chats": [{"name": "a", "kind": "slack", "url": "http://b/"}] * 2},
        {"webhooks": [{"name": "a", "url": "ftp://b/", "secret_file": "c"}]},
        {"webhooks": [{"name": "a", "url": "http://user:word@b/", "secret_file": "c"}]},
        {"webhooks": [{"name": "a", "url": "http://b:99999/", "secret_file": "c"}]},
        {"webhooks": [{"name": "a", "url": "http://b/\r\nX: y", "secret_file": "c"}]},
        {"webhooks": [{"name": "a", "url": "http://b/"}]},
        {"webhooks": [{"name": "a", "url": "http://b/", "secret_file": "c", "events": ["explosion"]}]},
        {"webhooks": [{"name": "a", "url": "http://b/", "secret_file": "c"}] * 2},
        {"wled": [{"name": "a", "url": "http://b/", "presets": {"roll": 0}}]},
        {"mqtt": {"host": "b", "topic": "a/#"}},
        {"mqtt": {"host": "b", "station": "a/b"}},
        {"mqtt": {"host": "b", "ca": "c"}},
        {"mqtt": {"host": "b", "password_file": "c"}},
    ],
)
def test_settings_that_cannot_be(told):
    with pytest.raises(BadInputError):
        config.parse(told)
