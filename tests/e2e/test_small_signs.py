"""Small things that a screen has to show as they are: what is off, what is missing, what is unsure."""

import json
from pathlib import Path

from playwright.sync_api import expect

from tests.e2e.helpers import Open, StationProcess

LOOK = """(name) => [...document.querySelectorAll(`body > button.${name}`)].map((each) => {
    const { borderStyle, opacity, textDecorationLine } = getComputedStyle(each);
    return [borderStyle, opacity, textDecorationLine].join(); })"""


def test_without_a_camera_a_button_is_off_and_a_page_says_why(tmp_path: Path, open_screen: Open):
    station = StationProcess(tmp_path, camera="http://127.0.0.1:9/video")
    try:
        station.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
        screen = open_screen(station.url)
        confirm = screen.page.get_by_role("button", name="Yes", exact=True)
        expect(confirm).to_be_disabled()
        screen.page.evaluate("""() => {
            for (const look of ["first", "second", "quiet"]) {
                const one = document.createElement("button");
                one.className = look;
                const off = one.cloneNode();
                off.disabled = true;
                document.body.append(one, off);
            } }""")
        for scheme in ("light", "dark"):
            screen.become("phone", scheme)
            expect(confirm).to_have_css("border-style", "dashed")
            for name in ("first", "second", "quiet"):
                alive, off = screen.page.evaluate(LOOK, name)
                assert alive != off, (name, scheme)
        screen.page.goto(f"{station.url}/setup/mounting")
        expect(screen.page.locator("#mounting .fault")).to_contain_text("does not answer")
        expect(screen.page.locator("#mounting")).not_to_contain_text("has not looked yet")
    finally:
        station.stop()


def test_throws_and_chances_differ_where_the_system_chooses_the_colours(
    game: StationProcess, open_screen: Open
):
    game.do("enter_roll", faces=[1, 2, 3, 4, 6])
    television = open_screen(game.url, "tv", path="/tv")
    television.see(".dot.done")
    television.page.emulate_media(forced_colors="active")
    grounds = television.page.evaluate("""() => {
        const bar = document.createElement("div");
        bar.className = "odds-bar";
        bar.innerHTML = '<i class="seat-0"></i><i class="seat-1"></i>';
        document.querySelector("#stage").append(bar);
        const signs = [".dot.done", ".dot:not(.done)", ".odds-bar .seat-0", ".odds-bar .seat-1"];
        return signs.map((sign) => getComputedStyle(document.querySelector(sign)).backgroundColor); }""")
    thrown, not_thrown, first, second = grounds
    assert thrown != not_thrown
    assert first != second


def test_the_die_that_is_unsure_is_marked_on_phone_and_television(game: StationProcess, open_screen: Open):
    dice = [
        {"slot": slot, "face": slot, "colour": None, "held": False, "corrected": False, "unsure": slot == 4}
        for slot in range(1, 6)
    ]
    reading = {
        "status": "unsure",
        "faces": [1, 2, 3, 4, 5],
        "reasons": ["glare"],
        "fresh": True,
        "dice": dice,
    }
    state = game.state() | {"reading": reading | {"dice": dice}, "turn": "unconfirmed"}
    event = f"event: state\ndata: {json.dumps(state)}\n\n"
    for path, die in (("/", "#roll .slot"), ("/tv", ".tv-die")):
        screen = open_screen(game.url, path="/manifest.webmanifest")
        screen.page.route(
            "**/api/v1/events", lambda route: route.fulfill(body=event, content_type="text/event-stream")
        )
        screen.page.goto(game.url + path)
        expect(screen.page.locator(f"{die}.unsure")).to_have_count(1)
        expect(screen.page.locator(die).nth(3)).to_contain_text("unsure")
        expect(screen.page.locator(die).nth(2)).not_to_contain_text("unsure")
