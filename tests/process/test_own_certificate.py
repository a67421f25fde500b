"""A station without https makes a certificate, opens the port of https and closes it, while people play."""

import http.client
import json
import socket
import ssl
from contextlib import closing
from datetime import timedelta

import pytest

from messages.errors import FailedError
from station.app import Station
from station.config import parse
from station.server import own_certificate, tls
from station.server.entrances import Entrances
from station.server.listening import listen
from tests.process.station import DEADLINE_S
from tests.process.test_tls import openssl


@pytest.fixture
def port() -> int:
    """One that is free."""
    with listen("127.0.0.1", 0) as probe:
        return int(probe.getsockname()[1])


def plain(station: Station) -> http.client.HTTPConnection:
    return http.client.HTTPConnection(*station.entrances.inside, timeout=DEADLINE_S)


def secure(port: int) -> http.client.HTTPSConnection:
    """As a phone on which the warning was tapped away: it encrypts, and asks for no authority."""
    trust = ssl.create_default_context()
    trust.check_hostname, trust.verify_mode = False, ssl.CERT_NONE
    return http.client.HTTPSConnection("127.0.0.1", port, timeout=DEADLINE_S, context=trust)


def send(line: http.client.HTTPConnection, path: str, body: object = None) -> dict:
    headers = {} if body is None else {"content-type": "application/json"}
    line.request("GET" if body is None else "POST", path, body and json.dumps(body), headers)
    with closing(line):
        return json.loads(line.getresponse().read())


@pytest.mark.slow
def test_https_is_switched_on_and_off_while_a_screen_listens(build, port):
    station = build(https_port=port)
    live, line = plain(station), plain(station)
    live.request("GET", "/api/v1/events")
    events = live.getresponse()
    assert send(line, "/api/v1/https") == {"on": False, "switchable": True, "camera": None}
    for _ in range(2):  # the second time on the same port again
        answer = send(line, "/api/v1/https", {"on": True})
        assert answer == {"on": True, "switchable": True, "camera": f"https://127.0.0.1:{port}/camera"}
        assert send(secure(port), "/api/v1/state")["phase"] == "lobby"
        assert [each.status for each in station.checks() if str(each.name) == "Certificate"] == ["ok"]
        assert not send(line, "/api/v1/https", {"on": False})["on"]
        with pytest.raises(OSError, match="refused"):
            socket.create_connection(("127.0.0.1", port))
    send(line, "/api/v1/commands", {"command": "start_game", "players": ["Ana"], "rules": "yacht-1938"})
    assert any(b'"phase":"throwing"' in each for each in events), "the line that was there goes on"
    events.close()
    live.close()


@pytest.mark.slow
def test_the_certificate_is_used_again_at_the_next_start_and_is_nobody_elses_to_read(build, port, tmp_path):
    send(plain(build(https_port=port)), "/api/v1/https", {"on": True})
    kept = tmp_path / "data" / own_certificate.NAME
    assert kept.stat().st_mode & 0o777 == 0o600
    before = kept.read_bytes()
    certificate = tls.read(tls.context(kept), kept)
    assert "localhost" in certificate.names
    assert timedelta(days=798) < certificate.ends - certificate.begins < timedelta(days=825)
    build(https_port=port)
    assert send(secure(port), "/api/v1/https")["on"]
    assert kept.read_bytes() == before


@pytest.mark.slow
def test_one_that_will_not_do_or_a_port_that_is_taken_keeps_no_station_from_starting(build, port, tmp_path):
    kept = tmp_path / "data" / own_certificate.NAME
    kept.parent.mkdir()
    own_certificate.make(kept, ("localhost",))
    with listen("127.0.0.1", port):
        (check,) = [each for each in build(https_port=port).checks() if str(each.name) == "Certificate"]
        assert (check.status, "--https-port" in str(check.message)) == ("problem", True)
    kept.write_text("nonsense")
    station = build(https_port=port)
    (check,) = [each for each in station.checks() if str(each.name) == "Certificate"]
    assert "There is no certificate in" in str(check.message)
    assert send(plain(station), "/api/v1/https", {"on": True})["on"]


def test_one_that_soon_ends_is_made_anew(port, tmp_path, monkeypatch):
    kept = tmp_path / "own.pem"
    monkeypatch.setattr(own_certificate, "DAYS", tls.RENEW_DAYS)
    own_certificate.make(kept, ("localhost",))
    monkeypatch.undo()
    entrances = Entrances(parse({"host": "127.0.0.1", "port": 0, "https_port": port}), kept)
    entrances.close()
    assert (entrances.certificate.ends - entrances.certificate.begins).days == own_certificate.DAYS


def test_where_the_settings_name_one_it_is_used_and_nothing_is_switched(tmp_path):
    certificate, key = openssl(tmp_path, "house", "-nodes", "-addext", "subjectAltName=DNS:den.example.org")
    named = {"certificate": certificate, "key": key}
    entrances = Entrances(
        parse({"host": "127.0.0.1", "port": 0, "https_port": 0} | named), tmp_path / "own.pem"
    )
    with pytest.raises(FailedError, match="the settings name a certificate"):
        entrances.switch(on=True)
    assert entrances.best_secure.startswith("https://den.example.org:")
    entrances.close()


def test_without_openssl_it_is_said_and_what_was_there_stays(tmp_path, monkeypatch):
    kept = tmp_path / "own.pem"
    own_certificate.make(kept, ("localhost",))
    before = kept.read_bytes()
    with pytest.raises(FailedError, match="The certificate could not be made"):
        own_certificate.make(kept, ("not,a:name",))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(FailedError, match="sudo apt-get install openssl"):
        own_certificate.make(kept, ("localhost",))
    assert kept.read_bytes() == before
