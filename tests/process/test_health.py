"""Health checks on folders made for it, and `yacht doctor`."""

import json
import os
import re
import socket
import threading
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from calibration.profile import CalibrationProfile
from messages.errors import CameraError
from station.cli import run
from station.config import parse
from station.contract.check import Check, Level
from station.health import checks, diagnosis
from station.server.tls import Certificate
from station.store import FILE_NAME, Store
from vision.frame import EndOfRecording
from vision.picture import encode_jpeg

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


def pi(root, *, temp="45000", throttled="0"):
    """Files as a Raspberry Pi has them."""
    for path, text in (
        ("proc/device-tree/model", "Raspberry Pi 5 Model B Rev 1.0\0"),
        ("sys/class/thermal/thermal_zone0/temp", f"{temp}\n"),
        ("sys/devices/platform/soc/soc:firmware/get_throttled", f"{throttled}\n"),
    ):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root


def test_a_database_that_is_sound_missing_or_damaged(tmp_path):
    assert checks.database(tmp_path).status is Level.INFO
    Store(tmp_path).close()
    assert checks.database(tmp_path).status is Level.OK
    (tmp_path / FILE_NAME).write_bytes(b"spoilt" * 1000)
    check = checks.attempted("database", lambda: checks.database(tmp_path))
    assert check.status is Level.PROBLEM
    assert "yacht restore" in str(check.message)


def test_a_station_that_runs_says_itself_how_its_database_is(tmp_path):
    store = Store(tmp_path)
    assert checks.database(tmp_path, store.count).status is Level.OK
    store.close()
    (tmp_path / FILE_NAME).write_bytes(b"spoilt" * 1000)
    store = Store(tmp_path, rescue=True)
    check = checks.attempted("database", lambda: checks.database(tmp_path, store.count))
    store.close()
    assert (check.status, check.message) == (Level.PROBLEM, store.trouble)


@pytest.mark.parametrize(
    ("free", "level"), [(10_000_000, Level.PROBLEM), (100_000_000, Level.WARNING), (10**10, Level.OK)]
)
def test_the_disk(tmp_path, monkeypatch, free, level):
    monkeypatch.setattr("shutil.disk_usage", lambda _: type("Usage", (), {"free": free})())
    assert checks.disk(tmp_path / "not" / "there" / "yet").status is level


def test_the_profile(tmp_path):
    path = tmp_path / "profile.json"
    assert checks.calibrated(path, NOW).status is Level.INFO
    CalibrationProfile().save(path)
    os.utime(path, (NOW.timestamp(), NOW.timestamp()))
    assert str(checks.calibrated(path, NOW + timedelta(days=3)).message) == "Calibrated 3 days ago."
    assert checks.calibrated(path, NOW + timedelta(days=400)).status is Level.WARNING
    path.write_text('{"version": 99}')
    assert checks.calibrated(path, NOW).status is Level.PROBLEM


@pytest.mark.parametrize(
    ("left_days", "level", "sentence"),
    [
        (200, Level.OK, "Valid until .*, 20.*"),
        (31, Level.OK, "Valid until .*, 20.*"),
        (29, Level.WARNING, "Valid only until .* Make a new one"),
        (-1, Level.PROBLEM, "Expired on .*, so screens refuse https. Make a new one"),
        (500, Level.PROBLEM, "Not valid before .* Check this machine"),
    ],
)
def test_the_certificate(left_days, level, sentence):
    certificate = Certificate((), begins=NOW - timedelta(days=30), ends=NOW + timedelta(days=365))
    check = checks.certified(certificate, certificate.ends - timedelta(days=left_days))
    assert check.status is level
    assert re.match(sentence, str(check.message))


def test_the_doctor_looks_at_the_certificate_of_the_settings(tmp_path):
    assert diagnosis.https(parse({}), NOW) == ()
    (check,) = diagnosis.https(parse({"certificate": str(tmp_path / "none.pem")}), NOW)
    assert (str(check.name), check.status) == ("Certificate", Level.PROBLEM)
    assert "There is no certificate" in str(check.message)


def test_the_clock():
    assert checks.clock(NOW).status is Level.OK
    assert checks.clock(datetime(1970, 1, 1, tzinfo=UTC)).status is Level.WARNING


@pytest.mark.parametrize(
    ("temp", "level"),
    [("45000", Level.OK), ("77000", Level.WARNING), ("85000", Level.PROBLEM), ("", Level.INFO)],
)
def test_the_temperature_of_a_pi(tmp_path, temp, level):
    assert checks.temperature(pi(tmp_path, temp=temp)).status is level


@pytest.mark.parametrize(
    ("bits", "level"),
    [
        ("0", Level.OK),
        ("1", Level.PROBLEM),
        ("4", Level.PROBLEM),
        ("50000", Level.WARNING),
        ("10000", Level.WARNING),
        ("40000", Level.WARNING),
        ("", Level.INFO),
    ],
)
def test_the_power_of_a_pi(tmp_path, bits, level):
    assert checks.power(pi(tmp_path, throttled=bits)).status is level


def test_other_machines_are_not_asked_what_only_a_pi_knows(tmp_path):
    assert checks.raspberry(tmp_path) == ()
    assert len(checks.raspberry(pi(tmp_path))) == 2


class OneFrame:
    name = "camera of a test"

    def __init__(self, answer):
        self.answer = answer

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        pass

    def read(self, timeout_s=1.0):
        assert timeout_s > 0
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (None, "No picture from the camera of a test. Check its cable."),
        (CameraError("It is in use by another program."), "It is in use by another program."),
        (EndOfRecording(), "camera of a test: there are no pictures in it."),
    ],
)
def test_a_camera_that_gives_nothing(answer, message):
    check = diagnosis.camera(OneFrame(answer), simulated=False)
    assert (check.status, str(check.message)) == (Level.PROBLEM, message)


def test_buttons_on_and_off_a_pi(tmp_path):
    auto = parse({})
    assert diagnosis.buttons(auto, on_a_pi=False).status is Level.INFO
    assert diagnosis.buttons(parse({"buttons": "none"}), on_a_pi=True).status is Level.INFO
    assert "is missing" in str(diagnosis.buttons(auto, on_a_pi=True, header=tmp_path / "none").message)
    header = tmp_path / "gpiochip0"
    header.touch()
    assert "hold button 1 17" in str(diagnosis.buttons(auto, on_a_pi=True, header=header).message)


def test_a_port_that_is_free_or_taken_by_others():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        config = parse({"host": "127.0.0.1", "port": taken.getsockname()[1]})
        assert diagnosis.port(config, answers=False).status is Level.PROBLEM
    assert diagnosis.port(config, answers=False).status is Level.INFO
    assert diagnosis.port(config, answers=True).status is Level.OK


@pytest.mark.parametrize("answer", [b"220 mail.example ESMTP\r\n", b"HTTP/1.1 200 OK\r\n\r\n[1]", b""])
def test_another_service_on_the_port_is_no_station(answer):
    with socket.create_server(("127.0.0.1", 0)) as other:

        def serve():
            caller, _ = other.accept()
            with caller:
                caller.recv(4096)
                caller.sendall(answer)

        threading.Thread(target=serve, daemon=True).start()
        config = parse({"host": "127.0.0.1", "port": other.getsockname()[1]})
        assert diagnosis.running(config, "en") is None


def test_a_running_station_is_asked_for_what_only_it_can_say():
    """Its camera works, and shows a part of the tray: whoever asked the camera itself would find it taken."""
    config = parse({})
    results = [
        {"id": "camera", "name": "Kamera", "status": "warning", "message": "Nur ein Teil ist zu sehen."},
        {"id": "speed", "name": "Tempo", "status": "ok", "message": "Nach 0,9 s."},
        {"id": "disk", "name": "Platte", "status": "ok", "message": "8 GB frei."},
    ]
    requests = []

    def fetch(url, language):
        requests.append((url.rpartition("/")[2], language))
        return {"checks": results, "versions": []}

    assert diagnosis.running(config, "de", fetch) == (
        Check("camera", Level.WARNING, "Nur ein Teil ist zu sehen."),
        Check("speed", Level.OK, "Nach 0,9 s."),
    )
    assert requests == [("health", "de")]
    board = [{"id": "board-store", "name": "Memory", "status": "ok", "message": "All is kept."}]
    for other in ({"something": "else"}, {"checks": [{"id": "camera"}]}, {"checks": 3}, {"checks": board}):
        assert diagnosis.running(config, "en", lambda *_, other=other: other) is None


def test_doctor_prints_a_page_and_json_and_its_exit_code_is_the_worst(tmp_path, capsys):
    picture = tmp_path / "tray.jpg"
    picture.write_bytes(encode_jpeg(np.full((90, 120, 3), 100, np.uint8)))
    common = ["doctor", "--data", str(tmp_path), "--camera", str(picture), "--port", "1"]
    assert run([*common, "--json"]) in (0, 1)  # port 1 is reserved, but not for root
    found = json.loads(capsys.readouterr().out)
    names = [check["name"] for check in found["checks"]]
    assert names[:3] == ["Camera", "Buttons", "Database"]
    (tmp_path / FILE_NAME).write_bytes(b"spoilt" * 1000)
    assert run(common) == 1
    assert "PROBLEM  Database:" in capsys.readouterr().out
    assert run([*common, "--config", str(tmp_path / "none.toml")]) == 2
