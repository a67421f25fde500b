"""On a slow line: switches and settings stay as they were turned, and hold what others have chosen."""

import re
from typing import Any

from playwright.sync_api import Route, expect

from station.config import Picture
from tests.e2e.helpers import Open, Screen, StationProcess
from tests.e2e.late_answers import held_back, sent


def test_switches_of_house_rules_build_on_each_other(played: StationProcess, open_screen: Open):
    phone = open_screen(played.url, path="/setup/rules")
    page = phone.page
    page.locator("#from").select_option("yahtzee")
    page.locator("details.more summary").tap()
    options = page.locator(".switched input:not(:checked)")
    expect(options.first).to_be_attached()
    values = options.evaluate_all("(all) => all.map((each) => [each.name, each.value])")
    first, second = values[0], next(each for each in values if each[0] != values[0][0])
    with held_back(phone, "**/api/v1/rules/switches") as waiting:
        for key, value in (first, second):
            page.locator(f"input[name='{key}'][value='{value}']").tap()
        sent(phone, waiting)
    for key, value in (first, second):
        expect(page.locator(f"input[name='{key}'][value='{value}']")).to_be_checked()
    with held_back(phone, "**/api/v1/rules/switches") as waiting:
        page.locator("#title").fill("Ours")
        page.locator("#title").blur()
        sent(phone, waiting)
        text = page.locator("#text").input_value() + "\n# ours, typed early"
        page.locator("#text").fill(text)
    expect(page.locator("#text")).to_have_value(re.compile('title = "Ours".*# ours, typed early', re.DOTALL))


def test_a_switch_stays_as_it_was_turned_until_the_station_has_answered(
    game: StationProcess, open_screen: Open
):
    phone = open_screen(game.url)
    phone.tap("Menu")
    phone.tap("Hints")
    hints = phone.page.get_by_role("group", name="Ana").get_by_label("Hints on my turn")
    with held_back(phone, "**/api/v1/room/hints") as waiting:
        hints.tap()
        sent(phone, waiting)
        version = game.do("rename_player", player=1, name="Benno")["version"]  # draws the dialog anew
        phone.until("(version) => Number(document.body.dataset.version) >= version", version)
        expect(hints).to_be_checked()
    expect(hints).to_be_checked()
    refused = {"error": {"code": "room/not_yours", "message": "That is for Ana to say."}}
    phone.page.route("**/api/v1/room/hints", lambda route: route.fulfill(status=403, json=refused))
    hints.tap()
    expect(phone.page.locator("dialog .fault")).to_have_text("That is for Ana to say.")
    expect(hints).to_be_checked()


def _settings_of_a_camera(phone: Screen, station: StationProcess) -> dict[str, Any]:
    """The form of a camera that has settings, which the simulated tray has not; gives what the camera has."""
    picture: dict[str, Any] = {
        "size": None,
        "fps": None,
        "rotation": 0,
        "mirrored": False,
        "flicker_hz": 0,
        "hdr": False,
    }
    picture |= {"exposure": "normal", "exposure_ms": None, "number": None}
    beside = {"available": True, "chosen": True, "refused": []}

    def camera(route: Route) -> None:
        if route.request.method == "POST":
            picture.update(route.request.post_data_json)
        route.fulfill(json=picture | beside)

    phone.page.route("**/api/v1/picture", camera)
    phone.page.goto(f"{station.url}/setup")
    phone.page.get_by_text("Picture settings").tap()
    return picture


def test_a_setting_of_the_picture_leaves_alone_what_another_screen_chose(
    played: StationProcess, open_screen: Open
):
    phone = open_screen(played.url)
    picture = _settings_of_a_camera(phone, played)
    picture["rotation"] = 180  # on another screen
    phone.page.locator("#picture-fps").select_option("15")
    phone.tap("Use these settings")
    expect(phone.page.locator(".good")).to_be_visible()
    assert (picture["fps"], picture["rotation"]) == (15, 180)
    # Whatever is offered can be set.
    chosen = {
        field: field.locator("option").all() for field in phone.page.locator("select[id^=picture]").all()
    }
    assert len(chosen) == len(Picture.model_fields)
    for place in range(max(map(len, chosen.values()))):
        for field, options in chosen.items():
            field.select_option(index=min(place, len(options) - 1))
        with phone.page.expect_request(lambda request: request.method == "POST") as sent_:
            phone.tap("Use these settings")
        Picture.model_validate_json(sent_.value.post_data)


def test_a_switch_shows_what_the_station_has_when_the_first_of_two_requests_fails(
    played: StationProcess, open_screen: Open
):
    played.finish_game("Cleo", "Dora")
    phone = open_screen(played.url, path="/history/player?name=Cleo")
    box = phone.page.get_by_label("Hints on my turn")
    requests: list[Route] = []
    phone.page.route("**/api/v1/room/hints", lambda route: requests.append(route))  # noqa: PLW0108 - as above
    box.tap()
    sent(phone, requests)
    box.tap()
    requests.pop().abort()
    sent(phone, requests)
    with phone.page.expect_response("**/api/v1/room/hints"):
        requests[0].continue_()
    expect(phone.page.locator("#fault")).to_be_hidden()
    expect(box).not_to_be_checked()
