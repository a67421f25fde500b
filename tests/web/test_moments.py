"""The dice as pictures and the last throw again, over HTTP."""

from base64 import b64decode
from dataclasses import dataclass
from io import BytesIO
from types import SimpleNamespace

import pytest
from PIL import Image

from tests.web.helpers import JPEG, Stage
from vision.slow_motion import WHOLE, Shot


@dataclass
class Kept:
    """One die at each place that was read, and a throw of two pictures."""

    asked: list[tuple[float, float]]

    def die_jpeg(self, x: float, y: float) -> bytes | None:
        self.asked.append((x, y))
        return JPEG if x < 400 else None

    def film(self) -> tuple[Shot, ...]:
        return (Shot(0.0, b"one", 0.0, WHOLE), Shot(0.5, b"two", 1.5, (0.5, 0.25, 0.25, 0.25)))


@pytest.fixture
def kept() -> Kept:
    return Kept([])


def test_a_die_is_shown_as_it_lies(kept: Kept):
    stage = Stage(moments=kept)
    stage.do("start_game", players=["Ana"], rules="yacht-1938")
    assert stage.client.get("/api/v1/die.jpg?slot=1").status_code == 404
    stage.throw(6, 6, 2, 3, 1)
    offered = stage.client.get("/api/v1/die.jpg?slot=2&roll=7")
    assert (offered.status_code, offered.mimetype, offered.data) == (200, "image/jpeg", JPEG)
    assert "max-age" in offered.headers["Cache-Control"]
    assert kept.asked == [(230.0, 160.0)]
    stage.do("accept_roll")
    assert stage.client.get("/api/v1/die.jpg?slot=2").headers["Cache-Control"] == "no-store"
    assert stage.client.get("/api/v1/die.jpg?slot=5").status_code == 404  # nothing kept of that place
    assert stage.client.get("/api/v1/die.jpg?slot=6").status_code == 404
    assert stage.client.get("/api/v1/die.jpg?slot=x").status_code == 400


def test_a_typed_die_has_no_picture(kept: Kept):
    stage = Stage(moments=kept)
    stage.do("start_game", players=["Ana"], rules="yacht-1938")
    stage.do("enter_roll", faces=[1, 2, 3, 4, 5])
    assert stage.client.get("/api/v1/die.jpg?slot=1").status_code == 404
    assert kept.asked == []


def test_a_typed_die_shows_none_of_the_dice_that_lie_there(kept: Kept):
    stage = Stage(moments=kept)
    stage.do("start_game", players=["Ana"], rules="yacht-1938")
    stage.throw(6, 6, 2, 3, 1)
    stage.do("accept_roll")
    stage.do("set_held", slots=[1])
    dice = stage.do("enter_roll", faces=[6, 1, 2, 3, 4])["dice"]
    assert [die["colour"] is None for die in dice] == [False, True, True, True, True]
    found = [stage.client.get(f"/api/v1/die.jpg?slot={slot}").status_code for slot in (1, 2, 3)]
    assert found == [200, 404, 404], "the held one is known, which of the others was typed where is not"


def test_the_last_throw_again(kept: Kept):
    told = Stage(moments=kept).client.get("/api/v1/film").get_json()
    assert [b64decode(each.pop("jpeg")) for each in told["pictures"]] == [b"one", b"two"]
    assert told["pictures"][1] == {"at_s": 0.5, "shown_s": 1.5, "box": [0.5, 0.25, 0.25, 0.25]}
    assert Stage().client.get("/api/v1/film").get_json() == {"lasts_s": 4.0, "pictures": []}


def test_the_last_throw_can_be_kept():
    film = []
    for at_s, grey in ((0.0, 20), (0.4, 120), (0.6, 220)):
        jpeg = BytesIO()
        Image.new("RGB", (64, 36), (grey, grey, grey)).save(jpeg, "JPEG")
        film.append(Shot(at_s, jpeg.getvalue(), 2.5 * at_s, WHOLE))
    moments = SimpleNamespace(film=lambda: film, die_jpeg=lambda *_: None)
    kept = Stage(moments=moments).client.get("/api/v1/film.webp")
    with Image.open(BytesIO(kept.data)) as found:
        assert (kept.mimetype, found.n_frames, found.size) == ("image/webp", 3, (640, 360))
        shown = [(found.seek(number), found.load(), found.info["duration"])[2] for number in range(3)]
    assert shown == [1000, 500, 2500]
    assert Stage().client.get("/api/v1/film.webp").status_code == 404


def test_what_is_needed_is_said():
    stage = Stage()
    stage.do("start_game", players=["Ben"], rules="yacht-1938")
    stage.do("enter_roll", faces=[5, 5, 5, 5, 2])
    assert stage.do("set_held", slots=[1, 2, 3, 4])["needs"] == "Ben needs a 5: 31%"
    assert stage.do("set_held", slots=[1, 2])["needs"] is None


def test_other_looks_of_the_big_screen_by_its_address():
    client = Stage().client
    assert 'class="tv look-bar"' in client.get("/tv?look=bar").get_data(as_text=True)
    paper = client.get("/tv?look=paper&night=22-7").get_data(as_text=True)
    assert 'class="tv look-paper"' in paper
    assert 'data-night="22-7"' in paper
    nonsense = client.get("/tv?look=%22onload&night=25-99").get_data(as_text=True)
    assert 'class="tv"' in nonsense
    assert "data-night" not in nonsense


def test_what_an_app_needs():
    client = Stage().client
    worker = client.get("/service-worker.js")
    assert worker.mimetype == "text/javascript"
    script = worker.get_data(as_text=True).split('"')[1]
    assert client.get(script).status_code == 200
    assert "does not answer" in client.get("/offline").get_data(as_text=True)
