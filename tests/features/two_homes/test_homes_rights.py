"""Two homes at a broker that does not let them in, or that they do not trust: each is told in a sentence."""

import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from messages.catalogue import text
from station.features.two_homes.line import home_line
from tests.asking import do, shown
from tests.features.two_homes.pair import Pair
from tests.integrations.mosquitto import Mosquitto, certificate, needed, until

pytestmark = [needed, pytest.mark.slow]
BOTH = "topic yacht/1/kitchen/homes/#\n"


@pytest.fixture(autouse=True)
def tries_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(home_line.HomeLine, "retry_s", (0.1,))


@contextmanager
def waiting(folder: Path, broker: Mosquitto, **more: Any) -> Iterator[Pair]:
    """Both lines begin, and cannot be at once."""
    pair = Pair(folder, broker, **more)
    pair.start()
    yield pair
    pair.close()


def told(pair: Pair) -> str:
    return " ".join(text(each.check().message) for each in (pair.host, pair.guest))


def play(pair: Pair) -> None:
    """A throw of the guest reaches the host."""
    until(pair.stands)
    pair.play()
    do(pair.berlin, {"command": "enter_roll", "faces": [6, 6, 6, 6, 6]})
    until(lambda: shown(pair.kitchen)["throws_done"] == 1)


def test_a_wrong_password_and_missing_rights_are_told_and_mended(tmp_path: Path):
    folder = tmp_path / "broker"
    folder.mkdir()
    subprocess.run(["mosquitto_passwd", "-c", "-b", str(folder / "users"), "table", "secret"], check=True)
    rights, password = folder / "rights", tmp_path / "password"
    rights.write_text("user table\ntopic read #\n")
    password.write_text("guess\n")
    for each in folder.iterdir():
        each.chmod(0o700)
    settings = f"allow_anonymous false\npassword_file {folder}/users\nacl_file {rights}\n"
    with (
        Mosquitto(folder, settings) as broker,
        waiting(tmp_path, broker, user="table", password_file=password) as pair,
    ):
        until(lambda: told(pair).count("the user table") == 2)
        password.write_text("secret\n")
        until(lambda: told(pair).count("publish at yacht/1/kitchen/homes") == 2)
        rights.write_text(f"user table\n{BOTH.replace('topic', 'topic write')}")
        broker.process.send_signal(signal.SIGHUP)  # read the rights again
        until(lambda: "the user table may not read yacht/1/kitchen/homes/#" in told(pair))
        rights.write_text(f"user table\n{BOTH}")
        broker.process.send_signal(signal.SIGHUP)
        broker.stop()  # what it brought to nobody it does not bring again
        broker.start()
        play(pair)


def test_a_certificate_of_somebody_else_is_told(tmp_path: Path):
    good, key = certificate(tmp_path, "localhost")
    other, _ = certificate(tmp_path, "elsewhere")
    ca = tmp_path / "ca.pem"
    ca.write_bytes(other.read_bytes())
    settings = f"allow_anonymous true\ncertfile {good}\nkeyfile {key}\n"
    with (
        Mosquitto(tmp_path / "broker", settings) as broker,
        waiting(tmp_path, broker, host="localhost", tls=True, ca=ca) as pair,
    ):
        until(lambda: told(pair).count("certificate that is not valid") == 2)
        ca.write_bytes(good.read_bytes())  # what was mended counts without a restart
        play(pair)
