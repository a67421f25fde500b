"""A real Mosquitto in a folder and on a port of its own, and a listener at it."""

import json
import os
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

import pytest
from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

DEADLINE_S = 180.0
"""A condition that has not come true by then never will; passing tests wait far less."""

PROGRAM = shutil.which("mosquitto", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
needed = pytest.mark.skipif(PROGRAM is None, reason="there is no mosquitto here (make test installs it)")


def until(what: Callable[[], Any]) -> Any:
    """The first true value of `what`."""
    deadline_s = time.monotonic() + DEADLINE_S
    while not (found := what()):
        assert time.monotonic() < deadline_s
        time.sleep(0.02)
    return found


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def certificate(folder: Path, name: str) -> tuple[Path, Path]:
    """A certificate of its own authority, for that name."""
    paths = folder / f"{name}.pem", folder / f"{name}.key"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
         "-days", "7", "-subj", f"/CN={name}", "-addext", f"subjectAltName=DNS:{name}",
         "-out", str(paths[0]), "-keyout", str(paths[1])],
        check=True, capture_output=True,
    )  # fmt: skip
    return paths


class Mosquitto:
    """The broker; `start` and `kill` as often as one likes. settings: further lines of its configuration."""

    def __init__(self, folder: Path, settings: str = "allow_anonymous true\n") -> None:
        folder.mkdir(exist_ok=True)
        folder.chmod(0o777)
        self.folder, self.port = folder, free_port()
        self._config = folder / "mosquitto.conf"
        kept = f"user root\npersistence true\npersistence_location {folder}/\n"
        kept += "autosave_interval 1\nautosave_on_changes true\n"
        self._config.write_text(f"listener {self.port} 127.0.0.1\n{kept}{settings}", encoding="utf-8")
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        assert PROGRAM is not None
        with (self.folder / "mosquitto.log").open("ab") as log:
            self.process = subprocess.Popen(
                [PROGRAM, "-c", str(self._config), "-v"], stdout=log, stderr=subprocess.STDOUT
            )
        until(self._answers)

    def _answers(self) -> bool:
        assert self.process is not None
        assert self.process.poll() is None, self.log
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    @property
    def log(self) -> str:
        return (self.folder / "mosquitto.log").read_text(errors="replace")

    def kill(self) -> None:
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """End it in order: it writes down first who is to hear what."""
        self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(how)
            self.process.wait()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self.kill()


class Listener:
    """Hears everything at a broker; comes back by itself when the broker does, which keeps what it missed."""

    def __init__(
        self, broker: Mosquitto, *, name: str = "listener", user: str = "", password: str = ""
    ) -> None:
        self._lock = threading.Lock()
        self._heard: list[tuple[str, bytes, bool]] = []
        self.ready = threading.Event()
        self._client = Client(CallbackAPIVersion.VERSION2, name, protocol=MQTTProtocolVersion.MQTTv5)
        if user:
            self._client.username_pw_set(user, password)
        self._client.reconnect_delay_set(1, 1)
        self._client.on_connect = lambda client, *_: client.subscribe("#", 1)
        self._client.on_subscribe = lambda *_: self.ready.set()
        self._client.on_message = self._hear
        self._port = broker.port

    def _hear(self, _client: Client, _data: Any, message: Any) -> None:
        with self._lock:
            self._heard.append((message.topic, message.payload, message.retain))

    def __enter__(self) -> Self:
        kept = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
        kept.SessionExpiryInterval = 3600
        self._client.connect("127.0.0.1", self._port, clean_start=False, properties=kept)
        self._client.loop_start()
        assert self.ready.wait(DEADLINE_S)
        return self

    def __exit__(self, *exc: object) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def publish(self, topic: str, payload: str, *, retain: bool = False) -> None:
        self._client.publish(topic, payload, 1, retain=retain).wait_for_publish(DEADLINE_S)

    @property
    def heard(self) -> list[tuple[str, bytes, bool]]:
        with self._lock:
            return list(self._heard)

    def last(self, ending: str) -> bytes | None:
        """The latest payload at a topic that ends so."""
        return next((payload for topic, payload, _ in reversed(self.heard) if topic.endswith(ending)), None)

    def state(self) -> dict[str, Any]:
        """The latest state; empty before the first."""
        found = self.last("/state")
        return json.loads(found) if found else {}

    def events(self) -> list[dict[str, Any]]:
        """Everything that happened, as it was heard."""
        return [json.loads(payload) for topic, payload, _ in self.heard if "/event/" in topic]

    def once(self) -> list[dict[str, Any]]:
        """The same without what was told again, in order: what a receiver keeps who looks at the numbers."""
        kept: dict[tuple[int, str, str], dict[str, Any]] = {}
        for event in self.events():
            kept.setdefault((event["event"], event["kind"], str(event.get("player"))), event)
        return list(kept.values())
