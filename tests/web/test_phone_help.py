"""What is to be known before a phone is the camera: the switch of https, the warning, and the stand."""

from dataclasses import dataclass
from html import unescape
from typing import Any

import pytest

from messages.catalogue import languages, text
from messages.errors import FailedError
from messages.message import Message
from tests.web.helpers import Stage
from tests.web.hosting import become_host

CAMERA = "https://192.168.1.20:8443/camera"


@dataclass
class Port:
    """The port of https of a station whose settings name no certificate."""

    secure_address: str | None = None
    makes_own: bool = True

    def switch(self, *, on: bool) -> None:
        if not self.makes_own:
            raise FailedError("https/of-settings")
        self.secure_address = CAMERA.removesuffix("/camera") if on else None


def page(stage: Stage, path: str, language: str = "en") -> str:
    answer = stage.client.get(f"{path}?language={language}")
    assert answer.status_code == 200
    return unescape(answer.get_data(as_text=True))


def switch(stage: Stage, *, on: bool) -> Any:
    return stage.client.post("/api/v1/https", json={"on": on})


def test_the_host_switches_https_and_setup_shows_the_way():
    stage = Stage(https=Port())
    assert "Switch https on" in page(stage, "/setup")
    assert stage.client.get("/camera.svg").status_code == 404
    become_host(stage.app.test_client(), stage.app)
    assert switch(stage, on=True).get_json()["error"]["code"] == "room/host_only"
    become_host(stage.client, stage.app)
    assert switch(stage, on=True).get_json() == {"on": True, "switchable": True, "camera": CAMERA}
    assert "<svg" in stage.client.get("/camera.svg").get_data(as_text=True)
    assert CAMERA in page(stage, "/setup")
    assert "Switch https off" in page(stage, "/setup")
    switch(stage, on=False)
    assert CAMERA not in page(stage, "/setup")


def test_what_the_settings_say_of_https_stays():
    stage = Stage(https=Port("https://den.example.org", makes_own=False))
    assert stage.client.get("/api/v1/https").get_json()["switchable"] is False
    assert "Switch https" not in page(stage, "/setup")
    assert switch(stage, on=False).get_json()["error"]["code"] == "https/of-settings"
    assert "A phone that trusts it warns of nothing" in page(stage, "/phone")


@pytest.mark.parametrize("language", languages())
def test_the_warning_is_shown_as_phones_of_that_language_say_it(language: str):
    shown = page(Stage(https=Port(CAMERA.removesuffix("/camera"))), "/phone", language)
    assert f'href="{CAMERA}"' in shown
    captions = "".join(each.partition("</figcaption>")[0] for each in shown.split("<figcaption>")[1:])
    for name in ("ios_title", "ios_details", "ios_visit", "ios_allow", "android_advanced", "android_allow"):
        assert text(Message(f"html/phone/{name}"), language) in captions
    proceed = Message("html/phone/android_proceed", site="192.168.1.20:8443")
    assert text(proceed, language) in captions
    assert shown.count('class="shown"') == 6


def stand(stage: Stage, **asked: object) -> Any:
    return stage.client.get("/api/v1/mounting/stand", query_string=asked)


def test_a_card_a_die_and_a_ruler_tell_the_same_stand(shared_stage: Stage):
    """A phone that sees 39 cm from 30 cm above, and 16:9."""
    card = stand(shared_stage, known="card", share=85.6 / 390, at_mm=300).get_json()
    assert card["across_deg"] == pytest.approx(66.05, abs=0.01)
    assert (card["height_mm"], card["apart_mm"]) == (310, 230), "105 mm by 287, and a die"
    assert card["messages"][0].startswith("Two stacks of books 31 cm high and 23 cm apart")
    assert "A ruler of 30 cm is too short" not in str(card["messages"])
    ruler = stand(shared_stage, known="ruler", ruler_mm=390, at_mm=300).get_json()
    die = stand(shared_stage, known="die", die_mm=16, share=16 / 390, at_mm=316).get_json()
    assert ruler["across_deg"] == pytest.approx(card["across_deg"])
    assert die["across_deg"] == pytest.approx(card["across_deg"])
    wide = stand(shared_stage, known="ruler", ruler_mm=390, at_mm=300, long_mm=500, short_mm=400).get_json()
    assert "A ruler of 30 cm is too short" in wide["messages"][1]


@pytest.mark.parametrize(
    "asked", [{"share": 0}, {"share": "nan"}, {"known": "coin"}, {"known": "die", "at_mm": 10}, {"at_mm": 0}]
)
def test_what_cannot_be_measured_is_refused(shared_stage: Stage, asked: dict[str, object]):
    answer = stand(shared_stage, **asked)
    assert answer.status_code == 400
    assert answer.get_json()["error"]["message"]
