"""The real process: what it says at the start, what it refuses to start with, how it stops."""

import contextlib
import http.client
import signal
import socket
import threading
import time
from pathlib import Path

import pytest

from station.cli import run
from tests.process.station import DEADLINE_S, RunningStation

pytestmark = pytest.mark.slow


class Viewer:
    """A screen: listens, and fetches the picture again and again, until the station has gone."""

    def __init__(self, host: str) -> None:
        self._host = host
        self._line = http.client.HTTPConnection(host, timeout=DEADLINE_S)
        self._line.request("GET", "/api/v1/events")
        self._events = self._line.getresponse()
        assert self._events.readline()
        self.pictures = 0
        self._threads = [threading.Thread(target=work) for work in (self._listen, self._look)]
        for thread in self._threads:
            thread.start()

    def _listen(self) -> None:
        with contextlib.suppress(OSError, http.client.HTTPException):
            while self._events.read1(4096):
                pass

    def _look(self) -> None:
        with contextlib.suppress(OSError, http.client.HTTPException):
            while True:
                with contextlib.closing(http.client.HTTPConnection(self._host, timeout=DEADLINE_S)) as line:
                    line.request("GET", "/api/v1/frame.jpg")
                    self.pictures += bool(line.getresponse().read())

    def close(self) -> None:
        for thread in self._threads:
            thread.join(DEADLINE_S)
        self._events.close()
        self._line.close()


def test_five_screens_that_listen_and_look_do_not_keep_it_from_ending(tmp_path: Path, capsys) -> None:
    """Nor does a second station on the same folder or port, which says so."""
    with RunningStation(tmp_path / "data", forked=False) as station:
        assert {"Camera:  simulated tray", "Buttons: buttons on the page only"} <= set(station.lines)
        host = station.url.removeprefix("http://")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(signal, "signal", lambda *_: None)
            common = ["run", "--camera", "simulated", "--buttons", "none", "--host", "127.0.0.1"]
            assert run([*common, "--port", "0", "--data", str(tmp_path / "data")]) == 1
            assert "Another Yacht Station is using" in capsys.readouterr().err
            port = host.rpartition(":")[2]
            assert run([*common, "--port", port, "--data", str(tmp_path / "other")]) == 1
            assert f"Port {port} is in use" in capsys.readouterr().err
        viewers = [Viewer(host) for _ in range(5)]
        deadline_s = time.monotonic() + DEADLINE_S
        while not all(viewer.pictures for viewer in viewers):
            assert time.monotonic() < deadline_s, "the screens see nothing"
            time.sleep(0.01)
        station.process.send_signal(signal.SIGTERM)
        assert station.process.stdout is not None
        assert station.process.stdout.read().splitlines()[-1] == "Stopping..."
        assert station.process.wait(DEADLINE_S) == 0
        for viewer in viewers:
            viewer.close()
        assert "Traceback" not in Path(station.log.name).read_text()


def test_systemd_is_told_when_it_is_ready_that_it_lives_and_when_it_stops(tmp_path: Path) -> None:
    address = tmp_path / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(address))
        systemd.settimeout(DEADLINE_S)
        environ = {"NOTIFY_SOCKET": str(address), "WATCHDOG_USEC": "200000"}
        with RunningStation(tmp_path / "data", environ=environ, forked=False) as station:
            assert systemd.recv(100) == b"READY=1"
            assert station.state()["phase"] == "lobby"
            assert systemd.recv(100) == b"WATCHDOG=1"
            station.process.send_signal(signal.SIGTERM)
            messages = {systemd.recv(100)}
            while b"STOPPING=1" not in messages:
                messages.add(systemd.recv(100))
            assert messages <= {b"WATCHDOG=1", b"STOPPING=1"}
            assert station.process.wait(DEADLINE_S) == 0


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--camera", "nonsense"], "no camera, folder or video called 'nonsense'"),
        (["--config", "missing.toml"], "There is no settings file"),
        (["--port", "70000"], "The setting 'port' is wrong"),
        (["--profile", "missing.json"], "There is no profile"),
        (["--buttons", "many"], "Invalid value for '--buttons'"),
    ],
)
def test_what_cannot_be_is_said_in_a_sentence(tmp_path, capsys, options, sentence) -> None:
    assert run(["run", "--data", str(tmp_path), "--host", "127.0.0.1", *options]) == 2
    errors = capsys.readouterr().err
    assert sentence in errors
    assert "Traceback" not in errors
