"""What systemd hears, and what it asks for."""

import socket

import pytest

from station.server.systemd import OPENING_S, Watchdog, notify, watchdog_interval_s


@pytest.fixture
def listener(tmp_path):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as receiver:
        receiver.bind(str(tmp_path / "notify"))
        receiver.settimeout(5)
        yield receiver


def test_abstract_sockets_are_understood_and_one_that_has_gone_stops_nothing(tmp_path):
    name = f"yacht-{tmp_path.name}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as receiver:
        receiver.bind("\0" + name)
        receiver.settimeout(5)
        notify("READY=1\nSTATUS=waiting for Ana", {"NOTIFY_SOCKET": "@" + name})
        assert receiver.recv(200) == b"READY=1\nSTATUS=waiting for Ana"
    notify("READY=1", {"NOTIFY_SOCKET": "@" + name})


def test_a_full_socket_does_not_hold_the_station_up(listener, tmp_path):
    for _ in range(5_000):  # far more than the kernel queues for one that does not read
        notify("WATCHDOG=1", {"NOTIFY_SOCKET": str(tmp_path / "notify")})
    assert listener.recv(200) == b"WATCHDOG=1"


@pytest.mark.parametrize(
    ("environ", "interval_s"),
    [
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "77"}, 7.5),
        ({"WATCHDOG_USEC": "30000000"}, 7.5),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "78"}, None),
        ({"WATCHDOG_USEC": "soon", "WATCHDOG_PID": "77"}, None),
        ({"WATCHDOG_USEC": "0", "WATCHDOG_PID": "77"}, None),
        ({}, None),
    ],
)
def test_the_beat_is_a_quarter_of_what_systemd_waits(environ, interval_s):
    assert watchdog_interval_s(environ, pid=77) == interval_s


def test_while_a_camera_is_opened_the_watchdog_waits_longer(listener, tmp_path):
    environ = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "30000000"}
    watchdog = Watchdog(environ)
    for patient in (False, True, True, False, False):
        watchdog.be_patient(lambda patient=patient: patient)
    notify("WATCHDOG=1", environ)
    messages = [listener.recv(200) for _ in range(3)]
    assert messages == [b"WATCHDOG_USEC=%d" % (OPENING_S * 1e6), b"WATCHDOG_USEC=30000000", b"WATCHDOG=1"]
    Watchdog({"NOTIFY_SOCKET": environ["NOTIFY_SOCKET"]}).be_patient(lambda: True)  # of a unit without one
    listener.settimeout(0.05)
    with pytest.raises(TimeoutError):
        listener.recv(200)
