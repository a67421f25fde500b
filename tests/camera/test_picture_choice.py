"""What is made of the camera's picture: chosen on the page, kept, taken by a camera that runs."""

import threading

import numpy as np
import pytest

from messages.errors import FailedError
from station.app import Station
from station.camera.picture_choice import PICTURE_NAME, PictureChoice
from station.config import Picture, parse
from station.copy_trial import open_files
from station.data_folder import data_files
from tests.cameras.worlds import HEIGHT, WIDTH
from tests.web.helpers import Stage
from tests.web.hosting import become_host

DEADLINE_S = 180.0
UPSIDE_DOWN = Picture(rotation=180, fps=15)
GIVEN = Picture(mirrored=True)


@pytest.fixture
def choice(tmp_path):
    """Of a camera that has settings: what it has to use is in `used`."""
    choice = PictureChoice(tmp_path, GIVEN)
    choice.used = []
    choice.use = choice.used.append
    return choice


def test_what_is_chosen_is_taken_and_kept_and_without_a_choice_the_settings_file_counts(choice, tmp_path):
    assert (choice.now, choice.chosen) == (GIVEN, False)
    choice.choose(UPSIDE_DOWN)
    again = PictureChoice(tmp_path, GIVEN)
    assert (again.now, again.chosen) == (UPSIDE_DOWN, True)
    assert PICTURE_NAME in data_files().gather(tmp_path), "it belongs to a copy"
    choice.forget()
    assert choice.used == [UPSIDE_DOWN, GIVEN]
    assert not (tmp_path / PICTURE_NAME).exists()


def test_of_two_screens_that_choose_at_once_the_camera_follows_the_one_that_is_kept(choice, tmp_path):
    sharper = Picture(fps=30)
    other = threading.Thread(target=choice.choose, args=(sharper,))

    def use(picture):
        if picture == UPSIDE_DOWN:
            other.start()
            other.join(0.5)  # the other may come in between, or waits
        choice.used.append(picture)

    choice.use = use
    choice.choose(UPSIDE_DOWN)
    other.join(DEADLINE_S)
    assert choice.used[-1] == choice.now == PictureChoice(tmp_path, GIVEN).now == sharper


@pytest.mark.parametrize("text", ["", "[]", '{"rotation": 45}', '{"zoom": 2}'])
def test_a_file_that_cannot_be_read_changes_nothing(tmp_path, text):
    (tmp_path / PICTURE_NAME).write_text(text)
    open_files(tmp_path)  # of a copy, which a station passes over
    assert PictureChoice(tmp_path, GIVEN).now == GIVEN


def test_a_camera_without_settings_refuses(tmp_path):
    choice = PictureChoice(tmp_path, GIVEN)
    for act in (choice.forget, lambda: choice.choose(UPSIDE_DOWN)):
        with pytest.raises(FailedError) as refused:
            act()
        assert refused.value.code == "camera/no_settings"
    assert not (tmp_path / PICTURE_NAME).exists()


def test_where_it_cannot_be_kept_nothing_changes(tmp_path):
    choice = PictureChoice(tmp_path / "file" / "data", GIVEN)
    (tmp_path / "file").write_bytes(b"")
    choice.use = lambda _: None
    with pytest.raises(FailedError, match="cannot be written"):
        choice.choose(UPSIDE_DOWN)
    assert choice.now == GIVEN


def test_it_is_chosen_over_http(choice):
    stage = Stage(picture=choice)
    before = stage.client.get("/api/v1/picture").get_json()
    assert before | {"mirrored": True, "available": True, "chosen": False} == before
    choice.refused = lambda: ("hdr",)
    after = stage.client.post("/api/v1/picture", json={"rotation": 180, "size": [960, 540], "hdr": True})
    found = after.get_json()
    assert found | {"chosen": True, "size": [960, 540], "mirrored": False, "refused": ["HDR"]} == found
    assert choice.used == [Picture(rotation=180, size=(960, 540), hdr=True)]
    assert stage.client.delete("/api/v1/picture").get_json()["chosen"] is False


def test_with_a_host_it_is_the_hosts(choice):
    stage = Stage(picture=choice)
    become_host(stage.client)
    guest = stage.app.test_client()
    assert guest.get("/api/v1/picture").status_code == 200
    assert guest.post("/api/v1/picture", json={}).status_code == 403
    assert guest.delete("/api/v1/picture").status_code == 403
    assert choice.used == []


def test_without_a_camera_that_has_settings_the_page_says_so():
    client = Stage().client
    assert client.get("/api/v1/picture").get_json()["available"] is False
    assert client.post("/api/v1/picture", json={}).get_json()["error"]["code"] == "camera/no_settings"


@pytest.mark.slow
@pytest.mark.usefixtures("device", "retries_at_once")
def test_a_camera_that_runs_is_opened_anew(tmp_path):
    settings = {"host": "127.0.0.1", "port": 0, "data": tmp_path, "camera": "picamera", "buttons": "none"}
    station = Station(parse(settings))
    station.start()
    try:
        _wait_for_shape(station, (HEIGHT, WIDTH))
        client = station.app.test_client()
        assert client.post("/api/v1/picture", json={"rotation": 90}).status_code == 200
        _wait_for_shape(station, (WIDTH, HEIGHT))
    finally:
        assert station.stop()


def _wait_for_shape(station: Station, shape: tuple[int, int]) -> None:
    waiting = threading.Event()
    for _ in range(int(DEADLINE_S / 0.05)):
        frame = station.camera.watcher.frame()
        if frame is not None and np.shape(frame.image)[:2] == shape:
            return
        waiting.wait(0.05)
    raise AssertionError("the picture is of another shape")
