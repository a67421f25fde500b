"""Pictures of dice between two homes, and questions about them: two tables, a broker, hostile senders."""

import json
import socket
from base64 import b64decode, b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from messages.catalogue import text
from station.config import Mqtt
from station.contract.check import Level
from station.features.two_homes.homes import Home, shared
from station.features.two_homes.line.ends import GuestLine, HostLine
from station.features.two_homes.line.home_pictures import BYTES_MAX, CUT_PX, HomePictures
from station.features.two_homes.line.mirror import MirrorLog
from station.features.two_homes.line.other_home import OtherHome
from station.game.log.state import State
from station.integrations.broker import Broker, Post
from station.integrations.oddities import Oddities
from station.store import Store
from station.table.play import Listeners
from station.table.table import Table
from tests.asking import do, shown
from tests.features.two_homes.following import follows
from tests.integrations.mosquitto import Listener, Mosquitto, needed, until
from tests.table.helpers import reading
from vision.picture import decode, encode_jpeg
from vision.reading import Status

pytestmark = [needed, pytest.mark.slow]
BASE = "yacht/1/kitchen/homes"


def die(shade: int, side: int = CUT_PX) -> bytes:
    return encode_jpeg(np.full((side, side, 3), shade, np.uint8), bytes_max=BYTES_MAX)


class Side:
    """A table whose camera sees what a test says, and the pictures of its dice."""

    def __init__(self, log: Any, home: str, *, shows: bool, **more: Any) -> None:
        self.pictures = HomePictures(home, (lambda x, _y: die(int(x) % 200)) if shows else None)
        self._at = 0.0
        self.table = Table(
            log, at_table=[Home(name=home, **more)], listeners=Listeners(confirmed=self._confirmed)
        )
        self.table.offer(reading(status=Status.EMPTY))

    def _confirmed(self, state: State) -> None:
        made = self.pictures.thrown(state) if shared(state) else None
        if made is not None:
            picture = (made.home, made.throw, len(made.jpegs), made.name)
            OtherHome(self.table).pictured(*picture, lambda: self.pictures.keep(made))

    def throw(self, *faces: int) -> dict[str, Any]:
        self._at += 40.0
        self.table.offer(reading(status=Status.MOVING))
        self.table.offer(reading(*faces, at=self._at))
        return do(self.table, {"command": "accept_roll"})

    def tray(self, home: str | None) -> dict[str, Any]:
        none: dict[str, Any] = {"faces": [], "pictures": None, "question": None}
        return next((each for each in shown(self.table)["trays"] if each["home"] == home), none)


class Homes:
    """Ben throws in Berlin, Ana in the kitchen. shows: who lets the other home see the dice."""

    def __init__(self, folder: Path, broker: Mosquitto, *, shows: tuple[bool, bool] = (True, True)) -> None:
        lines = [Mqtt(host="127.0.0.1", port=broker.port, station=name) for name in ("kitchen", "berlin")]
        self.stores = Store(folder / "kitchen"), Store(folder / "berlin")
        self.mirror = MirrorLog(self.stores[1])
        self.kitchen = Side(self.stores[0], "", shows=shows[0], guests=["berlin"])
        self.berlin = Side(self.mirror, "berlin", shows=shows[1], tell=self.mirror.question)
        self.host = HostLine(lines[0], self.kitchen.table, ["berlin"], None, self.kitchen.pictures)
        self.guest = GuestLine(
            lines[1], self.berlin.table, self.mirror, "kitchen", "en", self.berlin.pictures
        )
        self.host.start()
        self.guest.start()
        until(lambda: all(each.check().status is Level.OK for each in (self.host, self.guest)))
        players = [{"name": "Ben", "home": "berlin"}, "Ana"]
        do(self.kitchen.table, {"command": "start_game", "players": players, "rules": "yacht-1938"})
        until(lambda: follows(self.host, self.mirror, self.kitchen.table, self.berlin.table))

    def close(self) -> None:
        for line in (self.host, self.guest):
            line.stop(20)
        for each in (self.kitchen.table, self.berlin.table, *self.stores):
            each.close()


@pytest.fixture
def homes(tmp_path: Path, broker: Mosquitto) -> Iterator[Homes]:
    made = Homes(tmp_path, broker)
    yield made
    made.close()


def test_each_home_sees_the_dice_of_the_other(homes: Homes):
    homes.berlin.throw(6, 6, 3, 2, 1)
    name = until(lambda: homes.kitchen.tray("berlin")["pictures"])
    assert homes.berlin.tray("berlin")["pictures"] == name
    for slot in range(1, 6):
        jpeg = homes.kitchen.pictures.find(name, slot)
        assert jpeg is not None
        assert decode(jpeg).shape == (CUT_PX, CUT_PX, 3)
        assert len(jpeg) <= BYTES_MAX
    assert homes.kitchen.pictures.find(name, 6) is homes.kitchen.pictures.find("x", 1) is None
    homes.berlin.throw(6, 6, 6, 2, 5)
    second = until(lambda: (now := homes.kitchen.tray("berlin")["pictures"]) != name and now)
    assert homes.kitchen.pictures.find(name, 1) is None  # one throw of each home is kept
    do(homes.berlin.table, {"command": "undo"})
    until(lambda: homes.kitchen.tray("berlin")["faces"] == [6, 6, 3, 2, 1])
    assert homes.kitchen.tray("berlin")["pictures"] is None
    do(homes.berlin.table, {"command": "enter_roll", "faces": [6, 6, 6, 2, 5]})
    until(lambda: homes.kitchen.tray("berlin")["faces"] == [6, 6, 6, 2, 5])
    assert homes.kitchen.tray("berlin")["pictures"] is None  # typed: nobody's camera saw it
    assert homes.kitchen.pictures.find(second, 1) is not None
    do(homes.berlin.table, {"command": "score_box", "category": "choice"})
    until(lambda: shown(homes.kitchen.table)["active_player"] == 1)
    homes.kitchen.throw(1, 1, 1, 2, 3)
    name = until(lambda: homes.berlin.tray(None)["pictures"])
    assert homes.berlin.pictures.find(name, 5) == homes.berlin.pictures.find(name, 5) is not None


def test_nothing_is_shown_that_its_home_does_not_allow(tmp_path: Path, broker: Mosquitto):
    homes = Homes(tmp_path, broker, shows=(True, False))
    try:
        with Listener(broker) as other:
            homes.berlin.throw(6, 6, 3, 2, 1)
            do(homes.berlin.table, {"command": "score_box", "category": "choice"})
            until(lambda: shown(homes.kitchen.table)["active_player"] == 1)
            homes.kitchen.throw(1, 1, 1, 2, 3)
            until(lambda: homes.berlin.tray(None)["pictures"])
            do(homes.berlin.table, {"command": "question_die", "slot": 1, "face": 2})
            until(lambda: homes.kitchen.tray(None)["question"])  # what was to come before it has come
            assert homes.kitchen.tray("berlin")["pictures"] is None
            assert [topic for topic, _, _ in other.heard if topic.endswith("/dice")] == [f"{BASE}/dice"]
            assert not any(retained for topic, _, retained in other.heard if topic.endswith("/dice"))
    finally:
        homes.close()


def test_what_a_line_that_breaks_has_swallowed_is_said_on_the_next_one(
    homes: Homes, monkeypatch: pytest.MonkeyPatch
):
    do(homes.berlin.table, {"command": "enter_roll", "faces": [6, 6, 3, 2, 1]})
    do(homes.berlin.table, {"command": "score_box", "category": "choice"})
    until(lambda: shown(homes.kitchen.table)["active_player"] == 1)
    homes.kitchen.throw(1, 1, 1, 2, 3)
    until(lambda: homes.berlin.tray(None)["faces"])
    publish = Broker.publish

    def publish_on_a_line_that_breaks(line: Broker, posts: list[Post]) -> None:
        if any(post.topic.endswith("/question") for post in posts):
            monkeypatch.setattr(Broker, "publish", publish)
            line._client.socket().shutdown(socket.SHUT_RDWR)
        publish(line, posts)

    monkeypatch.setattr(Broker, "publish", publish_on_a_line_that_breaks)
    do(homes.berlin.table, {"command": "question_die", "slot": 1, "face": 2})
    until(lambda: homes.kitchen.tray(None)["question"])


def bomb() -> bytes:
    """A JPEG of few bytes that says it is large."""
    small = bytearray(cv2.imencode(".jpg", np.zeros((16, 16, 3), np.uint8))[1].tobytes())
    at = small.index(b"\xff\xc0")
    small[at + 5 : at + 9] = (30_000).to_bytes(2) * 2
    return bytes(small)


HOSTILE = {
    "no JPEG": b"<svg onload=alert(1)>",
    "a PNG": cv2.imencode(".png", np.zeros((9, 9, 3), np.uint8))[1].tobytes(),
    "a bomb": bomb(),
    "cut off": die(100)[:-20],
    "large": cv2.imencode(".jpg", np.zeros((300, 300, 3), np.uint8))[1].tobytes(),
    "heavy": cv2.imencode(".jpg", np.random.default_rng(1).integers(0, 255, (200, 200, 3), np.uint8))[
        1
    ].tobytes(),
    "nothing": b"",
}


def test_hostile_pictures_are_passed_over_in_a_sentence(homes: Homes, broker: Mosquitto):
    homes.berlin.throw(6, 6, 3, 2, 1)
    name = until(lambda: homes.kitchen.tray("berlin")["pictures"])
    throw = homes.kitchen.table.play.known(Home).throws.throws["berlin"].name
    good = b64encode(die(50)).decode()

    def message(dice: Any, **more: Any) -> str:
        return json.dumps({"home": "berlin", "throw": throw, "dice": dice, **more})

    odd = [message([good] * 4 + [b64encode(each).decode()]) for each in HOSTILE.values()]
    odd += [message([good] * 4 + [7]), message("x"), message([good] * 11), message([]), message(["§§"] * 5)]
    odd += [message([good] * 5, throw=5), "[]", "{", message([good] * 5, more="x" * 60_000)]
    with Listener(broker) as other:
        for payload in odd:
            homes.host.odd = Oddities()
            other.publish(f"{BASE}/berlin/dice", payload)
            until(lambda: homes.host.check().status is Level.WARNING)
            assert "ignored" in text(homes.host.check().message)
            assert homes.kitchen.tray("berlin")["pictures"] == name
        homes.host.odd = Oddities()
        for late in (message([good] * 4), message([good] * 5, throw="1-99"), message([good] * 5, home="x")):
            other.publish(
                f"{BASE}/berlin/dice", late
            )  # none of its last throw; the last counts as berlin's own
        until(lambda: homes.kitchen.tray("berlin")["pictures"] != name)
        marked = die(60) + b"<script>"
        other.publish(f"{BASE}/berlin/dice", message([b64encode(marked).decode()] * 5))
        now = until(lambda: (found := homes.kitchen.tray("berlin")["pictures"]) != name and found)
        found = until(lambda: homes.kitchen.pictures.find(homes.kitchen.tray("berlin")["pictures"], 1))
        assert b"<script>" not in found  # made anew here
        assert now
        relayed = until(lambda: other.last(f"{BASE}/dice"))
        assert b"script" not in b64decode(json.loads(relayed)["dice"][0])
    do(homes.berlin.table, {"command": "score_box", "category": "choice"})
    until(lambda: shown(homes.kitchen.table)["active_player"] == 1)
