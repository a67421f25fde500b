"""Two homes at a broker that does not let them in: health says what is missing, until it is there."""

import signal
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from messages.catalogue import text
from station.features.two_homes.line import home_line
from tests.asking import do, shown
from tests.features.two_homes.pair import Pair
from tests.integrations.mosquitto import Mosquitto, needed, until

pytestmark = [needed, pytest.mark.slow]


def test_a_wrong_password_and_missing_rights_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(home_line.HomeLine, "retry_s", (0.1,))
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
        closing(Pair(tmp_path, broker, user="table", password_file=password)) as pair,
    ):
        pair.start()

        def trouble() -> str:
            return " ".join(text(each.check().message) for each in (pair.host, pair.guest))

        until(lambda: trouble().count("the user table") == 2)
        password.write_text("secret\n")
        until(lambda: trouble().count("publish at yacht/1/kitchen/homes") == 2)
        rights.write_text("user table\ntopic write yacht/1/kitchen/homes/#\n")
        broker.process.send_signal(signal.SIGHUP)  # read the rights again
        until(lambda: "the user table may not read yacht/1/kitchen/homes/#" in trouble())
        rights.write_text("user table\ntopic yacht/1/kitchen/homes/#\n")
        broker.process.send_signal(signal.SIGHUP)
        broker.stop()  # what it brought to nobody it does not bring again
        broker.start()
        until(pair.stands)
        pair.play()
        do(pair.berlin, {"command": "enter_roll", "faces": [6, 6, 6, 6, 6]})
        until(lambda: shown(pair.kitchen)["throws_done"] == 1)
