"""https with a certificate of the house's own, made by the very commands of docs/https.md."""

import http.client
import json
import re
import signal
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.helpers import PATIENCE_S, ROOT, StationProcess

NAME = "yacht.local"


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with house.pem, certificate.pem and key.pem."""
    folder = tmp_path_factory.mktemp("certificates")
    page = (ROOT / "docs" / "https.md").read_text(encoding="utf-8")
    (block,) = [text for text in re.findall(r"```console\n(.*?)```", page, re.DOTALL) if "openssl" in text]
    script = re.sub(r"^\$ ", "", block, flags=re.MULTILINE)
    subprocess.run(["sh", "-e", "-c", script], cwd=folder, check=True, capture_output=True)
    return folder


@pytest.fixture
def station(certificates: Path, tmp_path: Path) -> Iterator[StationProcess]:
    files = f'certificate = "{certificates}/certificate.pem"\nkey = "{certificates}/key.pem"\n'
    process = StationProcess(tmp_path, settings=f"{files}https_port = 0\n")
    yield process
    process.stop()


def secure_port(station: StationProcess) -> int:
    """Printed after the plain address, before anything is waited for."""
    deadline_s = time.monotonic() + PATIENCE_S
    while not (found := re.search(r"https://[^/\s]+:(\d+)", "".join(station.lines))):
        assert time.monotonic() < deadline_s, station.lines
        time.sleep(0.02)
    return int(found[1])


class House(http.client.HTTPSConnection):
    """Knows the house's name without asking anybody."""

    def __init__(self, port: int, authority: Path) -> None:
        trust = ssl.create_default_context(cafile=authority)
        trust.verify_flags |= ssl.VERIFY_X509_STRICT  # the default of Python 3.13
        super().__init__(NAME, port, timeout=PATIENCE_S, context=trust)
        self.trust = trust

    def connect(self) -> None:
        plain = socket.create_connection(("127.0.0.1", self.port), self.timeout)
        self.sock = self.trust.wrap_socket(plain, server_hostname=NAME)


def test_state_commands_and_events_come_by_https_and_by_http_alike(
    station: StationProcess, certificates: Path
):
    port = secure_port(station)
    # Nonsense on the secure port, and who connects and says nothing, disturb nobody.
    with socket.create_connection(("127.0.0.1", port), 30) as rude:
        rude.sendall(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")
        assert b"200" not in rude.recv(1000)
    silent = socket.create_connection(("127.0.0.1", port), 30)
    line = House(port, certificates / "house.pem")
    line.request("GET", "/api/v1/events")
    events = line.getresponse()
    assert events.headers["content-type"].startswith("text/event-stream")

    asking = House(port, certificates / "house.pem")
    body = json.dumps({"command": "start_game", "players": ["Ana"], "rules": "yacht-1938"})
    asking.request("POST", "/api/v1/commands", body, {"content-type": "application/json",
                                                      "origin": f"https://{NAME}:{port}"})  # fmt: skip
    started = json.loads(asking.getresponse().read())
    asking.request("GET", "/api/v1/state")
    assert json.loads(asking.getresponse().read())["players"] == started["players"]
    assert station.state()["players"] == started["players"]
    assert "certificate: Valid until " in "".join(station.lines)
    asking.request("GET", "/api/v1/health")
    assert "Certificate" in [check["name"] for check in json.loads(asking.getresponse().read())["checks"]]
    for raw in events:
        if raw.startswith(b"data: ") and b'"phase":"throwing"' in raw:
            break
    else:
        pytest.fail("the live line ended")

    station.process.send_signal(signal.SIGTERM)
    station.process.wait(PATIENCE_S)
    assert station.process.returncode == 0
    assert "Traceback" not in "".join(station.lines)
    events.close()
    silent.close()
    line.close()
    asking.close()
