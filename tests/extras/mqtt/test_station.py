"""A whole station in a process of its own, with a broker and without."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.integrations.mosquitto import Listener, Mosquitto, needed, until
from tests.process.station import RunningStation


def health(station: RunningStation) -> dict[str, str]:
    """The line of health about the broker; empty without one."""
    checks = station.get("/api/v1/health")["checks"]
    return next((check for check in checks if check["id"] == "mqtt"), {})


@needed
@pytest.mark.slow
def test_a_station_tells_a_broker_and_says_good_bye(tmp_path: Path):
    with Mosquitto(tmp_path / "broker") as broker, Listener(broker) as listener:
        settings = f'[mqtt]\nhost = "127.0.0.1"\nport = {broker.port}\nstation = "kitchen"\n'
        with RunningStation(tmp_path / "data", settings=settings) as station:
            until(lambda: health(station).get("status") == "ok")
            station.send("start_game", players=["Ana", "Ben"], rules="yacht-1938")
            station.send("enter_roll", faces=[6, 6, 6, 6, 6])
            station.send("score_box", category="yacht")
            shown = until(lambda: (state := listener.state()).get("active_player") == 1 and state)
            assert shown["players"] == station.state()["players"]
            until(lambda: [each["kind"] for each in listener.events()][-2:] == ["box", "turn"])
            broker.kill()
            until(lambda: health(station)["status"] == "warning")
            station.send("enter_roll", faces=[1, 1, 2, 3, 4])
            station.send("score_box", category="ones")
            broker.start()
            until(lambda: [each.get("name") for each in listener.once() if each["kind"] == "box"][1:])
            assert [each["late"] for each in listener.once() if each["kind"] == "box"] == [False, True]
            station.kill()
            until(lambda: listener.last("/availability") == b"offline")  # the last will
        with RunningStation(tmp_path / "data", settings=settings) as station:
            until(lambda: listener.last("/availability") == b"online")
            station.process.terminate()
            assert station.process.wait(60) == 0
            until(lambda: listener.last("/availability") == b"offline")
        assert [each["name"] for each in listener.once() if each["kind"] == "box"] == ["Ana", "Ben"]


@pytest.mark.slow
def test_without_a_broker_nothing_of_it_is_loaded():
    code = (
        "import sys; from station.app import Station; from station.integrations import factory;"
        "print([name for name in sys.modules if name.startswith('paho')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
