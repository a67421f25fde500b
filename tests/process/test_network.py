"""Where the station listens and what it says when it cannot."""

import errno
import shutil
import socket
import subprocess
import sys

import pytest

from messages.errors import FailedError
from station.server import listening
from tests.conftest import ROOT

IP = shutil.which("ip", path="/usr/sbin:/sbin:/usr/bin:/bin")
ASK = "from station.server.listening import own_ip; print(own_ip())"


def test_a_station_for_all_is_found_by_name_and_by_ip(monkeypatch):
    monkeypatch.setattr(socket, "gethostname", lambda: "yacht.fritz.box")
    monkeypatch.setattr(listening, "own_ip", lambda: "192.168.1.7")
    assert listening.addresses("0.0.0.0", 8080) == ("http://yacht.local:8080", "http://192.168.1.7:8080")  # noqa: S104 - nothing is bound
    assert listening.addresses("::", 8443, "https") == (
        "https://yacht.local:8443",
        "https://192.168.1.7:8443",
    )
    assert listening.addresses("192.168.1.7", 80) == ("http://192.168.1.7:80",)
    assert listening.addresses("::1", 8080) == ("http://[::1]:8080",)


def test_by_default_it_listens_on_both_internets():
    opened = listening.listen("::", 0)
    with opened:
        host, port = listening.within(opened)
        assert host == "127.0.0.1"
        for address in ("127.0.0.1", *(["::1"] if socket.has_dualstack_ipv6() else [])):
            socket.create_connection((address, port), 10).close()


def test_where_there_is_no_ipv6_it_listens_on_the_other(monkeypatch):
    monkeypatch.setattr(socket, "has_dualstack_ipv6", lambda: False)
    with listening.listen("::", 0) as opened:
        assert opened.family == socket.AF_INET
        assert listening.within(opened)[0] == "127.0.0.1"


def test_without_a_network_there_is_still_an_address(monkeypatch):
    def nowhere(*_):
        raise OSError(errno.ENETUNREACH, "Network is unreachable")

    monkeypatch.setattr(socket.socket, "connect", nowhere)
    monkeypatch.setattr(socket, "if_nameindex", nowhere)
    assert listening.own_ip() == "127.0.0.1"


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("unshare") or not IP, reason="unshare or ip is missing")
def test_a_network_that_leads_nowhere_else_has_an_address_too():
    """A Pi that is the access point itself, at a camp: its code led every phone to the phone."""
    made = (
        "link add v0 type veth peer name v1",
        "link set v0 up",
        "link set v1 up",
        "addr add 10.42.0.1/24 dev v0",
    )
    script = " && ".join([*(f"{IP} {each}" for each in made), f"exec {sys.executable} -c '{ASK}'"])
    alone = ["unshare", "--map-root-user", "--net", "sh", "-c", script]
    done = subprocess.run(alone, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode and "unshare" in done.stderr:
        pytest.skip(done.stderr)
    assert done.stdout == "10.42.0.1\n", done.stderr


@pytest.mark.parametrize(
    ("step", "code", "sentence"),
    [
        ("bind", errno.EADDRINUSE, "Port 81 is in use"),
        ("bind", errno.EACCES, "Port 81 is reserved for the system"),
        ("bind", errno.EADDRNOTAVAIL, "cannot listen on 127.0.0.1"),
        ("__init__", errno.EAFNOSUPPORT, "cannot listen on 127.0.0.1"),
    ],
)
def test_a_port_or_kind_of_address_that_cannot_be_had_is_said(monkeypatch, step, code, sentence):
    def refuse(*_, **__):
        raise OSError(code, "no")

    monkeypatch.setattr(socket.socket, step, refuse)
    with pytest.raises(FailedError, match=sentence):
        listening.listen("127.0.0.1", 81)
