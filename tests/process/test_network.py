"""Where the station listens and what it says when it cannot."""

import errno
import socket

import pytest

from station import network
from station.errors import FailedError


def test_a_station_for_all_is_found_by_name_and_by_ip(monkeypatch):
    monkeypatch.setattr(socket, "gethostname", lambda: "yacht.fritz.box")
    monkeypatch.setattr(network, "own_ip", lambda: "192.168.1.7")
    assert network.addresses("0.0.0.0", 8080) == ("http://yacht.local:8080", "http://192.168.1.7:8080")  # noqa: S104 - nothing is bound
    assert network.addresses("192.168.1.7", 80) == ("http://192.168.1.7:80",)
    assert network.addresses("::1", 8080) == ("http://[::1]:8080",)


def test_without_a_network_there_is_still_an_address(monkeypatch):
    def nowhere(*_):
        raise OSError(errno.ENETUNREACH, "Network is unreachable")

    monkeypatch.setattr(socket.socket, "connect", nowhere)
    assert network.own_ip() == "127.0.0.1"


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        (errno.EADDRINUSE, "Port 81 is in use"),
        (errno.EACCES, "Port 81 is reserved for the system"),
        (errno.EADDRNOTAVAIL, "cannot listen on 127.0.0.1"),
    ],
)
def test_a_port_that_cannot_be_had_is_said(monkeypatch, code, sentence):
    def refuse(*_):
        raise OSError(code, "no")

    monkeypatch.setattr(socket.socket, "bind", refuse)
    with pytest.raises(FailedError, match=sentence):
        network.listen("127.0.0.1", 81)
