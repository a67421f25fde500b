"""A proxy that the environment names: nothing in the house is asked through it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cameras.network_camera import Answer, NetworkCamera, camera_that_answers, jpeg, streamed
from tests.integrations.mosquitto import free_port
from tests.process.station import DEADLINE_S

GAME = 'start 7 6 yacht-1938 "Ana" "Ben" first 1\nroll 5 5 5 2 2; box full-house\nend\n'


def yacht(proxy: NetworkCamera, *arguments: str) -> str:
    """What `yacht` prints where every proxy there is leads to that one."""
    named = {f"{kind}_proxy": f"http://{proxy.place}" for kind in ("http", "https", "all", "mqtt")}
    environ = {**os.environ, **named, **{name.upper(): place for name, place in named.items()}}
    environ.pop("no_proxy")
    call = [sys.executable, "-c", "from station.cli import main; main()", *arguments]
    done = subprocess.run(call, env=environ, capture_output=True, text=True, timeout=DEADLINE_S, check=False)
    return done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    "answer",
    [Answer(body=jpeg()), streamed(jpeg(), jpeg()), Answer(kind="video/mp4", body=bytes(100))],
    ids=["a picture", "a stream", "a film, which FFmpeg asks for"],
)
def test_a_camera_is_asked_directly(answer: Answer, tmp_path: Path) -> None:
    with camera_that_answers(Answer(404)) as proxy, camera_that_answers(answer) as camera:
        settings = tmp_path / "station.toml"
        settings.write_text(f'camera = "http://{camera.place}/video"\nport = {free_port()}\n')
        output = yacht(proxy, "doctor", "--config", str(settings), "--data", str(tmp_path / "data"))
        assert proxy.asked == 0, output
        assert camera.asked >= (2 if answer.kind == "video/mp4" else 1), output


@pytest.mark.slow
def test_a_station_is_asked_directly(tmp_path: Path) -> None:
    (tmp_path / "game.txt").write_text(GAME)
    with camera_that_answers(Answer(404)) as proxy, camera_that_answers(Answer(404)) as station:
        settings = tmp_path / "station.toml"
        port = station.place.partition(":")[2]
        settings.write_text(f'camera = "simulated"\nhost = "127.0.0.1"\nport = {port}\n')
        yacht(proxy, "doctor", "--config", str(settings), "--data", str(tmp_path / "data"))
        assert (station.asked, proxy.asked) == (1, 0)
        yacht(proxy, "replay", str(tmp_path / "game.txt"), "--play", f"http://{station.place}")
        assert (station.asked, proxy.asked) == (2, 0)
