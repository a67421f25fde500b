"""The real process: what it says at the start, what it refuses to start with, how it stops."""

import http.client
import signal
import socket
from pathlib import Path

import pytest

from station.cli import run
from tests.process.station import DEADLINE_S, RunningStation

pytestmark = pytest.mark.slow


def test_it_stops_cleanly_while_screens_are_listening(tmp_path: Path) -> None:
    with RunningStation(tmp_path / "data") as station:
        assert "Camera:  simulated tray" in station.lines
        assert "Buttons: buttons on the page only" in station.lines
        host = station.url.removeprefix("http://")
        listeners = [http.client.HTTPConnection(host, timeout=DEADLINE_S) for _ in range(10)]
        streams = []
        for listener in listeners:
            listener.request("GET", "/api/v1/events")
            streams.append(listener.getresponse())
        assert all(stream.readline() for stream in streams)
        station.process.send_signal(signal.SIGTERM)
        assert station.process.wait(DEADLINE_S) == 0
        for stream, listener in zip(streams, listeners, strict=True):
            stream.close()
            listener.close()


def test_systemd_is_told_when_it_is_ready_that_it_lives_and_when_it_stops(tmp_path: Path) -> None:
    address = tmp_path / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(address))
        systemd.settimeout(DEADLINE_S)
        environ = {"NOTIFY_SOCKET": str(address), "WATCHDOG_USEC": "200000"}
        with RunningStation(tmp_path / "data", environ=environ) as station:
            assert systemd.recv(100) == b"READY=1"
            assert station.state()["phase"] == "lobby"
            assert systemd.recv(100) == b"WATCHDOG=1"
            station.process.send_signal(signal.SIGTERM)
            told = {systemd.recv(100)}
            while b"STOPPING=1" not in told:
                told.add(systemd.recv(100))
            assert told <= {b"WATCHDOG=1", b"STOPPING=1"}
            assert station.process.wait(DEADLINE_S) == 0


def test_a_second_station_on_the_same_folder_or_port_says_so(tmp_path: Path, capsys) -> None:
    with RunningStation(tmp_path / "data") as station:
        port = station.url.rsplit(":", 1)[1]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(signal, "signal", lambda *_: None)
            common = ["run", "--camera", "simulated", "--buttons", "none", "--host", "127.0.0.1"]
            assert run([*common, "--port", "0", "--data", str(tmp_path / "data")]) == 1
            assert "Another Yacht Station is using" in capsys.readouterr().err
            assert run([*common, "--port", port, "--data", str(tmp_path / "other")]) == 1
            assert f"Port {port} is in use" in capsys.readouterr().err


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
    said = capsys.readouterr().err
    assert sentence in said
    assert "Traceback" not in said


def test_a_damaged_database_keeps_it_from_starting_and_is_not_changed(tmp_path, capsys) -> None:
    path = tmp_path / "yacht.sqlite3"
    path.write_bytes(b"spoilt" * 1000)
    options = ["--camera", "simulated", "--buttons", "none", "--host", "127.0.0.1", "--port", "0"]
    assert run(["run", "--data", str(tmp_path), *options]) == 1
    assert "Put back a copy with 'yacht restore'" in capsys.readouterr().err
    assert path.read_bytes() == b"spoilt" * 1000


def test_a_setting_nobody_knows_is_named(tmp_path, capsys) -> None:
    settings = tmp_path / "station.toml"
    settings.write_text("prot = 80\n")
    assert run(["run", "--config", str(settings)]) == 2
    assert "There is no setting 'prot' (there are host, port, " in capsys.readouterr().err


def test_the_address_is_its_own(tmp_path) -> None:
    with RunningStation(tmp_path / "data") as station:
        port = int(station.url.rsplit(":", 1)[1])
        with socket.create_connection(("127.0.0.1", port), timeout=DEADLINE_S):
            assert station.state()["phase"] == "lobby"
