"""The board at a real broker: what it is not allowed, a flood, and a broker that has forgotten it."""

import json
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

from board import listener, steps
from board.hall import Hall
from board.listener import Listener
from messages.catalogue import text
from messages.errors import StoreError
from station.config import Mqtt
from station.contract.check import Level
from station.integrations import broker as line
from tests.board.telling import game_over, open_hall, state
from tests.integrations.mosquitto import DEADLINE_S, Mosquitto, needed, until

pytestmark = [needed, pytest.mark.slow]


@pytest.fixture(autouse=True)
def tries_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """And waits for any answer, however slow the machine is."""
    monkeypatch.setattr(listener.Listener, "retry_s", (0.1,))
    monkeypatch.setattr(line, "ANSWER_S", DEADLINE_S)


@contextmanager
def listening(
    hall: Hall, broker: Mosquitto, *, clock: Callable[[], float] = time.monotonic, **settings: object
) -> Iterator[Listener]:
    mqtt = Mqtt.model_validate({"host": "127.0.0.1", "port": broker.port, "station": "club", **settings})
    made = Listener(mqtt, hall.receive, hall.notices.note, hall.next_games, clock)
    made.start()
    yield made
    made.stop(DEADLINE_S)
    assert not made._thread.is_alive()


def health(made: Listener, hall: Hall) -> str:
    return " ".join(text(each.message, "en") for each in (*made.checks(), *hall.notices.checks()))


def publisher(broker: Mosquitto, **user: str) -> Client:
    client = Client(CallbackAPIVersion.VERSION2, "tables", protocol=MQTTProtocolVersion.MQTTv5)
    if user:
        client.username_pw_set(**user)
    client.connect("127.0.0.1", broker.port)
    client.loop_start()
    return client


def test_a_flood_loses_nothing_counts_nothing_twice_and_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(listener, "BUSY_EACH_S", 50.0)
    hall, kept = open_hall(tmp_path / "club")
    receive, fails = hall.receive, iter([False, True] * 3)

    def sometimes(messages: object) -> None:
        if next(fails, False):  # the database is away for a moment: everything comes again
            raise StoreError("board/store/unreachable", where="there", why="away")
        receive(messages)

    monkeypatch.setattr(hall, "receive", sometimes)
    # The clock stands: a flood is one as well where the machine takes long for it.
    with Mosquitto(tmp_path / "broker") as broker, listening(hall, broker, clock=lambda: 0.0) as made:
        until(lambda: "Nothing from" in health(made, hall))
        tables = publisher(broker)
        for event in range(1, 601):
            game = 1 + event % 40
            tables.publish(*game_over("attic", event, game, {"Ana": event, "Ben": 0}), 1)
            tables.publish(*state("attic", event, {"Ana": event, "Ben": 0}), 1, retain=True)
        best = {1 + event % 40: event for event in range(1, 601)}
        until(lambda: {each.number: each.ended for each in kept.since(0)} == best)
        until(lambda: hall.tables() and hall.tables()[0].version == 600)
        assert "messages a second" in health(made, hall)
        assert not fails.__length_hint__()
        tables.disconnect()
        tables.loop_stop()
    kept.close()


def test_a_wrong_password_no_rights_and_a_forgotten_session_are_told(tmp_path: Path):
    hall, kept = open_hall(tmp_path / "club")
    folder = tmp_path / "broker"
    folder.mkdir()
    for user in ("club", "table"):
        more = ["-c"] if user == "club" else []
        subprocess.run(["mosquitto_passwd", *more, "-b", str(folder / "users"), user, "secret"], check=True)
    (folder / "rights").write_text("user club\nuser table\ntopic #\n")
    for each in folder.iterdir():
        each.chmod(0o700)
    password = tmp_path / "password"
    password.write_text("guess\n")
    settings = f"allow_anonymous false\npassword_file {folder}/users\nacl_file {folder}/rights\n"
    with (
        Mosquitto(folder, settings) as broker,
        listening(hall, broker, user="club", password_file=password) as made,
    ):
        until(lambda: made.checks()[0].status is Level.WARNING)
        assert "the user club" in health(made, hall)
        password.write_text("secret\n")
        until(lambda: "may not read yacht/+/+/#" in health(made, hall))
        tables = publisher(broker, username="table", password="secret")  # noqa: S106 - of a test
        tables.publish(*state("attic", 1, {"Ana": 1}), 1, retain=True).wait_for_publish(30)
        tables.disconnect()
        tables.loop_stop()
        assert hall.tables() == ()
        broker.kill()
        (folder / "rights").write_text("user club\ntopic read yacht/#\nuser table\ntopic #\n")
        (folder / "mosquitto.db").unlink(missing_ok=True)
        broker.start()
        until(lambda: "had forgotten this board" in health(made, hall))
        tables = publisher(broker, username="table", password="secret")  # noqa: S106 - of a test
        tables.publish("yacht/7/attic/state", json.dumps({}), 1, retain=True).wait_for_publish(30)
        until(lambda: "speaks version 7" in health(made, hall))
        assert made.checks()[0].status is Level.OK
        tables.publish(*state("attic", 2, {"Ana": 1}), 1, retain=True).wait_for_publish(30)
        until(hall.tables)
        hall.take(
            steps.Open(title="Cup", system="swiss"), *(steps.Enter(name=each) for each in ("Ana", "Ben"))
        )
        hall.draw(["attic"])
        until(lambda: "the broker refuses yacht/1/attic/pairing" in health(made, hall))
        assert made.checks()[0].status is Level.OK, "and the evening goes on"
        tables.disconnect()
        tables.loop_stop()
    kept.close()
