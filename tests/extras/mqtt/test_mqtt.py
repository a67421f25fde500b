"""The table at a real broker: what it is told, and that nothing it does or does not do delays a game."""

import itertools
import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from messages.catalogue import text
from station.contract import commands
from station.contract.check import Level
from station.contract.pairing import Pairing
from station.extras.mqtt import MqttSettings, publisher
from station.extras.mqtt.publisher import MqttPublisher
from station.extras.mqtt.retained import FILE_NAME, RetainedTopics
from station.integrations.outbox import Outbox, forget
from station.store import Store
from station.table.table import Table
from tests.extras.parts import Kitchen, parts
from tests.integrations.mosquitto import DEADLINE_S, Listener, Mosquitto, certificate, needed, until
from web.history.statistics import averages

pytestmark = [needed, pytest.mark.slow]


class Home(Kitchen):
    """A table, and the publisher that sends it to a broker."""

    def __init__(self, folder: Path, **settings: object) -> None:
        super().__init__(folder)
        self.settings = MqttSettings.model_validate({"host": "127.0.0.1", "station": "kitchen", **settings})
        self.paired: list[Pairing | None] = []
        self.publisher = MqttPublisher(
            self.settings,
            parts(
                self.table,
                outbox=lambda name: Outbox(self.store, name, "en"),
                press=lambda button: self.table.execute(commands.Press(button=button)),
                picture=lambda: b"a picture",
                data=folder,
                pair=self.paired.append,
                averages=lambda: averages(self.store.games()),
            ),
        )

    def close(self) -> None:
        self.publisher.stop(DEADLINE_S)
        assert not self.publisher._thread.is_alive()
        super().close()

    def connected(self) -> bool:
        return self.publisher.check().status is Level.OK

    def trouble(self) -> str:
        """The sentence of health, once there is one."""
        return until(
            lambda: (
                text(self.publisher.check().message, "en")
                if self.publisher.check().status is Level.WARNING
                else ""
            )
        )


@contextmanager
def home(folder: Path, **settings: object) -> Iterator[Home]:
    made = Home(folder, **settings)
    made.publisher.start()
    try:
        yield made
    finally:
        made.close()


@pytest.fixture(autouse=True)
def tries_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publisher.MqttPublisher, "retry_s", (0.1,))
    monkeypatch.setattr(publisher, "LOOK_S", 0.05)  # or each end waits for a look


def whole_game(table: Table) -> None:
    """Both fill every box, in the order of the sheet."""
    view = table.snapshot()
    for row, _ in itertools.product(view.categories, view.players):
        table.execute(commands.EnterRoll(faces=(1, 2, 3, 4, 6)))
        table.execute(commands.ScoreBox(category=row.category))


def test_a_game_is_published_as_it_is_played(tmp_path):
    with Mosquitto(tmp_path / "broker") as broker, Listener(broker) as listener:
        with home(tmp_path / "data", port=broker.port) as kitchen:
            until(kitchen.connected)
            kitchen.begin()
            kitchen.turn("yacht")
            until(lambda: listener.state().get("active_player") == 1)
            kitchen.table.execute(commands.Undo())
            kitchen.table.execute(commands.ScoreBox(category="yacht"))
            kitchen.table.execute(commands.EndGame())
            until(lambda: any(event["kind"] == "game_over" for event in listener.events()))
            until(lambda: listener.state().get("phase") == "finished")  # the last state is retained
            assert listener.state()["players"][0]["name"] == "Ana"
        kinds = [event["kind"] for event in listener.events()]
        again = ["undo", "turn", "box", "turn"]
        assert kinds == ["turn", "roll", "great_throw", "box", "turn", *again, "game_over"]
        box = listener.events()[3]
        assert (box["name"], box["label"], box["points"], box["total"]) == ("Ana", "Yacht", 50, 50)
        assert {event["late"] for event in listener.events()} == {False}
        until(lambda: listener.last("kitchen/availability") == b"offline")
        assert {topic.split("/event/")[0] for topic, _, _ in listener.heard if "/event/" in topic} == {
            "yacht/1/kitchen"
        }
        with Listener(broker, name="later") as later:  # gets state and availability, and no events
            until(lambda: later.state().get("phase") == "finished")
            assert later.last("/availability") == b"offline"
            assert later.events() == []


def boxes_received(listener: Listener) -> int:
    return sum(event["kind"] == "box" for event in listener.once())


def test_kills_of_the_broker_and_of_the_station_lose_no_event(tmp_path):
    """The broker dies between any two steps, and so does what the station knew of being told."""
    broker = Mosquitto(tmp_path / "broker")
    with broker, Listener(broker) as listener:
        first = Home(tmp_path / "data", port=broker.port)
        first.publisher.start()
        until(first.connected)
        first.begin()
        boxes = 0
        for with_it, without_it in (("ones", "twos"), ("threes", "fours")):
            for category in (with_it, with_it):
                first.turn(category)
            boxes += 4
            until(
                lambda count=boxes - 2: boxes_received(listener) == count
            )  # what it took it may lose itself
            broker.kill()
            until(lambda: "cannot be reached" in first.trouble())
            for category in (without_it, without_it):
                first.turn(category)
            written = len(first.store.written(0, 1000))
            broker.start()
            until(lambda count=boxes: boxes_received(listener) == count)
            assert len(first.store.written(0, 1000)) == written, "the outbox itself is no event"
        first.publisher._outbox.keep = lambda: None  # the plug is pulled: nothing is kept any more
        first.turn("fives")
        until(lambda: boxes_received(listener) == 9)
        first.close()
        with home(tmp_path / "data", port=broker.port) as again:
            again.turn("fives")
            until(lambda: boxes_received(listener) == 10)
        boxes = [(each["name"], each["category"]) for each in listener.once() if each["kind"] == "box"]
    order = ("ones", "twos", "threes", "fours", "fives")
    expected = [(name, box) for box in order for name in ("Ana", "Ben")]
    assert boxes == expected


def test_only_what_happens_from_now_on_is_sent(tmp_path):
    store = Store(tmp_path / "data")
    table = Table(store)
    table.execute(commands.StartGame.model_validate({"players": ["Ana"], "rules": "yacht-1938"}))
    box = Outbox(store, "mqtt", "en")
    assert box.waiting() == []
    table.execute(commands.EnterRoll(faces=(1, 1, 2, 3, 4)))
    (step,) = box.waiting()
    box.delivered(step)
    box.keep()
    table.execute(commands.ScoreBox(category="ones"))
    assert [each.kind for step in Outbox(store, "mqtt", "en").waiting() for each in step.events] == [
        "box",
        "turn",
    ]
    forget(store, ())  # it was switched off, and on again
    assert Outbox(store, "mqtt", "en").waiting() == []
    store.close()


def test_a_wrong_password_and_topic_rights_are_reported_and_mended(tmp_path):
    folder = tmp_path / "broker"
    folder.mkdir()
    subprocess.run(["mosquitto_passwd", "-c", "-b", str(folder / "users"), "table", "secret"], check=True)
    rights = folder / "rights"
    rights.write_text("user table\ntopic write yacht/1/kitchen/availability\ntopic read #\n")
    for each in folder.iterdir():
        each.chmod(0o700)
    password = tmp_path / "password"
    password.write_text("guess\n")
    settings = f"allow_anonymous false\npassword_file {folder}/users\nacl_file {rights}\n"
    with (
        Mosquitto(folder, settings) as broker,
        home(tmp_path / "data", port=broker.port, user="table", password_file=password) as kitchen,
    ):
        assert "does not let the user table in" in kitchen.trouble() or "password" in kitchen.trouble()
        kitchen.begin()
        password.write_text("secret\n")
        until(lambda: "publish at yacht/1/kitchen" in kitchen.trouble())
        kitchen.turn("ones")
        rights.write_text("user table\ntopic write yacht/1/kitchen/#\ntopic read #\n")
        assert broker.process is not None
        broker.process.send_signal(1)  # SIGHUP: read the rights again
        until(kitchen.connected)
        with Listener(broker, user="table", password="secret") as listener:  # noqa: S106
            until(lambda: listener.state().get("active_player") == 1)


def test_tls_and_a_wrong_certificate(tmp_path):
    good, key = certificate(tmp_path, "localhost")
    other, _ = certificate(tmp_path, "elsewhere")
    settings = f"allow_anonymous true\ncertfile {good}\nkeyfile {key}\n"
    with Mosquitto(tmp_path / "broker", settings) as broker:
        for ca in (other, None):
            with home(tmp_path / "data", host="localhost", port=broker.port, tls=True, ca=ca) as kitchen:
                assert "certificate that is not valid" in kitchen.trouble()
                kitchen.begin()  # and the table plays on
                kitchen.table.execute(commands.EndGame())
        with home(tmp_path / "data", host="localhost", port=broker.port, tls=True, ca=good) as kitchen:
            until(kitchen.connected)
        with home(tmp_path / "data", host="localhost", port=broker.port) as kitchen:  # TLS is not asked for
            assert kitchen.trouble()


CA = """
[ca]
default_ca = own
[own]
database = {folder}/index
new_certs_dir = {folder}
serial = {folder}/serial
default_md = sha256
policy = any
x509_extensions = more
[any]
commonName = supplied
[more]
subjectAltName = DNS:localhost
basicConstraints = critical, CA:TRUE
"""


def certificate_of(folder: Path, start: str, end: str) -> tuple[Path, Path]:
    """A certificate for localhost that is good from and until then (YYYYMMDD)."""
    folder.mkdir()
    (folder / "ca.conf").write_text(CA.format(folder=folder))
    (folder / "index").touch()
    (folder / "serial").write_text("01")
    good, key, request = folder / "good.pem", folder / "key.pem", folder / "request.pem"
    asked = ["openssl", "req", "-new", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost"]
    signed = ["openssl", "ca", "-batch", "-selfsign", "-notext", "-config", folder / "ca.conf"]
    dates = ["-startdate", f"{start}000000Z", "-enddate", f"{end}000000Z"]
    for call in (
        [*asked, "-keyout", key, "-out", request],
        [*signed, *dates, "-keyfile", key, "-in", request, "-out", good],
    ):
        subprocess.run(list(map(str, call)), check=True, capture_output=True)
    return good, key


@pytest.mark.parametrize("dates", [("20770101", "20780101"), ("20200101", "20210101")])
def test_a_certificate_of_another_time_asks_for_a_look_at_the_clock(tmp_path, dates):
    good, key = certificate_of(tmp_path / "ca", *dates)
    settings = f"allow_anonymous true\ncertfile {good}\nkeyfile {key}\n"
    with (
        Mosquitto(tmp_path / "broker", settings) as broker,
        home(tmp_path / "data", host="localhost", port=broker.port, tls=True, ca=good) as kitchen,
    ):
        assert "Check the clock first" in kitchen.trouble()
        kitchen.begin()
        kitchen.turn("ones")  # and the table plays on


def test_a_clock_that_jumps_loses_and_repeats_nothing(tmp_path):
    times = itertools.cycle(datetime(year, 1, 1, tzinfo=UTC) for year in (2026, 1970, 2099, 2000))
    store = Store(tmp_path / "data", now=lambda: next(times))
    table = Table(store)
    table.execute(commands.StartGame.model_validate({"players": ["Ana", "Ben"], "rules": "yacht-1938"}))
    box = Outbox(store, "mqtt", "en")
    whole_game(table)
    delivered = []
    while steps := box.waiting():
        delivered += [each for step in steps for each in step.events]
        box.delivered(steps[-1])
    numbers = [each.event for each in delivered]
    assert numbers == sorted(numbers)
    assert sum(each.kind == "box" for each in delivered) == 24
    assert len({each.at[:4] for each in delivered}) == 4  # as the clock said; the number counts
    store.close()


def test_files_that_are_missing(tmp_path):
    with home(tmp_path / "data", user="table", password_file=tmp_path / "none") as kitchen:
        assert "password file" in kitchen.trouble()
    with home(tmp_path / "data", tls=True, ca=tmp_path / "none") as kitchen:
        assert "authority" in kitchen.trouble()


def test_buttons_are_pressed_from_outside_where_that_is_allowed(tmp_path):
    with Mosquitto(tmp_path / "broker") as broker, Listener(broker) as listener:
        with home(tmp_path / "closed", port=broker.port) as kitchen:
            until(kitchen.connected)
            kitchen.begin()
            kitchen.table.execute(commands.EnterRoll(faces=(1, 2, 3, 4, 6)))
            listener.publish("yacht/1/kitchen/press", "undo")
            until(lambda: listener.last("/press"))
            kitchen.table.execute(commands.ScoreBox(category="choice"))
            until(lambda: [each["kind"] for each in listener.events()][-2:] == ["box", "turn"])
            assert listener.last("/picture") is None
        listener.publish("yacht/1/kitchen/press", "undo", retain=True)  # meant for whoever came before
        with home(tmp_path / "open", port=broker.port, control=True, picture=True) as kitchen:
            until(kitchen.connected)
            kitchen.begin()
            kitchen.table.execute(commands.EnterRoll(faces=(1, 2, 3, 4, 6)))
            until(lambda: listener.last("/picture") == b"a picture")
            listener.publish("yacht/1/kitchen/press", "undo")
            until(lambda: any(each["kind"] == "undo" for each in listener.events()))
            assert kitchen.table.snapshot().throws_done == 0
            for odd in ("explode", "", "confirm" * 9999, "\x00"):
                listener.publish("yacht/1/kitchen/press", odd)
            assert "no button" in kitchen.trouble()
            for _ in range(1000):  # as fast as it can be sent; there is nothing to confirm
                listener.publish("yacht/1/kitchen/press", "confirm")
            kitchen.turn("ones")  # and the table plays on
            until(lambda: listener.state().get("active_player") == 1)


def kept_by(broker: Mosquitto, name: str) -> set[str]:
    """Topics of which the broker keeps something, as somebody finds them who comes now."""
    with Listener(broker, name=name) as listener:
        listener.publish("the/end", "of what is kept")
        until(lambda: listener.last("the/end"))
        return {topic for topic, payload, kept in listener.heard if kept and payload}


@pytest.mark.parametrize(
    ("then", "stays"),
    [
        ({"station": "living-room"}, {"homeassistant/device/yacht_living-room/config"}),
        ({"topic": "games"}, {"homeassistant/device/yacht_kitchen/config"}),
        ({"home_assistant": "hass"}, {"hass/device/yacht_kitchen/config"}),
        ({"home_assistant": None, "picture": False}, set()),
    ],
)
def test_a_station_takes_away_what_it_left_under_another_name(tmp_path, then, stays):
    before: dict[str, object] = {"home_assistant": "homeassistant", "picture": True}
    with Mosquitto(tmp_path / "broker") as broker:
        with home(tmp_path / "data", port=broker.port, **before) as kitchen:
            until(kitchen.connected)
            kitchen.begin()
            kitchen.turn("yacht")
            with Listener(broker, name="waiting") as listener:
                until(lambda: listener.last("/picture"))
        after = {"station": "kitchen", "topic": "yacht", **before, **then}
        with home(tmp_path / "data", port=broker.port, **after) as renamed:
            until(renamed.connected)
            base = f"{after['topic']}/1/{after['station']}"
            found = until(lambda: (found := kept_by(broker, "late")) >= {f"{base}/state"} and found)
            may = {f"{base}/{what}" for what in ("state", "availability", "picture")}
            assert found - may == stays
            if not after["picture"]:
                assert f"{base}/picture" not in found
            assert json.loads((tmp_path / "data" / FILE_NAME).read_text()) == sorted(
                renamed.publisher._topics()
            )


def test_averages_are_sensors_that_go_with_who_plays_and_with_the_name(tmp_path):
    asked: dict[str, object] = {"home_assistant": "homeassistant", "averages": True}
    with Mosquitto(tmp_path / "broker") as broker, Listener(broker) as listener:

        def told() -> dict[str, dict[str, object]]:
            found = json.loads(listener.last("kitchen/averages") or b'{"players": {}}')
            return {each["name"]: each for each in found["players"].values()}

        def sensors() -> list[str]:
            return [topic for topic in kept_by(broker, "late") if "/sensor/" in topic]

        with home(tmp_path / "data", port=broker.port, **asked) as kitchen:
            until(lambda: listener.last("kitchen/averages"))
            assert told() == {}
            kitchen.begin()
            whole_game(kitchen.table)
            ana = until(lambda: told().get("Ana"))
            total = kitchen.table.snapshot().players[0].total
            assert (ana["games"], ana["average"], ana["best"]) == (1, total, total)
            until(lambda: len(sensors()) == 2)
            kitchen.store.delete_game(1)
            kitchen.begin()
            kitchen.turn("yacht")
            kitchen.table.execute(commands.EndGame(winners=(0,)))
            until(lambda: told()["Ana"]["average"] is None)
            assert told()["Ana"]["wins"] == 1
        with home(tmp_path / "data", port=broker.port, **asked, station="parlour") as renamed:
            until(renamed.connected)
            until(lambda: len(sensors()) == 2 and all("yacht_parlour_" in topic for topic in sensors()))
        with home(
            tmp_path / "data", port=broker.port, home_assistant="homeassistant", station="parlour"
        ) as off:
            until(off.connected)
            until(lambda: not sensors())


def test_what_a_broker_does_not_let_it_take_away_is_tried_again(tmp_path):
    rights = tmp_path / "rights"
    rights.write_text("user kitchen\ntopic readwrite #\nuser parlour\ntopic readwrite yacht/1/parlour/#\n")
    rights.chmod(0o644)
    settings = f"allow_anonymous true\nacl_file {rights}\n"
    with Mosquitto(tmp_path / "broker", settings) as broker:
        with home(tmp_path / "data", port=broker.port, user="kitchen") as kitchen:
            until(kitchen.connected)
        with home(tmp_path / "data", port=broker.port, user="parlour", station="parlour") as parlour:
            until(parlour.connected)
            assert "yacht/1/kitchen/state" in json.loads((tmp_path / "data" / FILE_NAME).read_text())
        with home(tmp_path / "data", port=broker.port, user="kitchen", station="parlour") as parlour:
            until(parlour.connected)
            assert json.loads((tmp_path / "data" / FILE_NAME).read_text()) == [
                "yacht/1/parlour/availability",
                "yacht/1/parlour/state",
            ]


@pytest.mark.parametrize("content", [b"", b"{}", b'["a/#"]', b"[1]", b"[" * 100_000, b'["a"]' * 2, b"\xff"])
def test_a_file_that_holds_anything_else_takes_nothing_away(tmp_path, content):
    (tmp_path / FILE_NAME).write_bytes(content)
    assert RetainedTopics(tmp_path / FILE_NAME).others(()) == ()


def test_two_stations_of_the_same_name_are_reported(tmp_path, monkeypatch):
    # As it is: who is connected has the time to hear of it.
    monkeypatch.setattr(publisher.MqttPublisher, "retry_s", (2.0,))
    with (
        Mosquitto(tmp_path / "broker") as broker,
        home(tmp_path / "one", port=broker.port) as one,
        home(tmp_path / "two", port=broker.port) as two,
    ):
        until(lambda: any("same name" in text(each.publisher.check().message, "en") for each in (one, two)))


def test_a_pairing_is_shown_until_there_is_none_and_nonsense_is_reported(tmp_path):
    ana = {"title": "Cup", "round": 2, "players": ["Ana", "Ben"], "board": "club", "of_tomorrow": 1}
    topic = "yacht/1/kitchen/pairing"
    with Mosquitto(tmp_path / "broker") as broker, Listener(broker) as listener:
        listener.publish(topic, json.dumps(ana), retain=True)  # before the table is there
        with home(tmp_path / "data", port=broker.port) as kitchen:
            until(lambda: kitchen.paired == [Pairing("Cup", 2, ("Ana", "Ben"), "club")])
            listener.publish(topic, "", retain=True)
            until(lambda: kitchen.paired[1:] == [None])
            for odd in (
                "{}",
                "Ana",
                json.dumps({**ana, "players": []}),
                json.dumps({**ana, "title": "x" * 99}),
            ):
                listener.publish(topic, odd)
            assert "no pairing" in kitchen.trouble()
            assert len(kitchen.paired) == 2
