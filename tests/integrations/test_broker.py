"""One connection to a real broker."""

import gc
import weakref
from collections.abc import Iterator

import pytest
from paho.mqtt.client import Client

from station.config import Mqtt
from station.integrations.broker import Broker, Post
from tests.integrations.mosquitto import Mosquitto, needed

pytestmark = [needed, pytest.mark.slow]


@pytest.fixture
def without_collector() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def used(port: int) -> weakref.ref[Client]:
    """A connection with everything that is called back, closed again; its client, if there still is one."""
    connection = Broker(Mqtt.model_validate({"host": "127.0.0.1", "port": port}), "yacht-test")
    connection.follow({"a/b": 1}, lambda _: connection.allowed())
    connection.open()
    connection.ask_for()
    connection.subscribe("c/d", lambda _: connection.allowed())
    connection.close([Post("c/d", b"bye")])
    return weakref.ref(connection._client)


@pytest.mark.usefixtures("without_collector")
def test_a_closed_connection_is_not_left_to_the_collector(broker: Mosquitto) -> None:
    """It may find the sockets before the client that would close them, and Python tells of it."""
    assert used(broker.port)() is None
