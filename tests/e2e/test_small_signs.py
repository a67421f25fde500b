"""Small things that a screen has to show as they are: what is off, what is missing, who is fifth."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.e2e.helpers import Open, StationProcess, another_game

SIX = ["Ana", "Ben", "Cleo", "Dora", "Emil", "Frieda"]


@pytest.fixture(scope="module")
def no_camera(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StationProcess]:
    """A station whose camera does not answer."""
    folder = tmp_path_factory.mktemp("no-camera")
    process = StationProcess(folder, camera="http://127.0.0.1:9/video")
    yield process
    process.stop()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_button_that_is_off_does_not_look_alive(no_camera: StationProcess, open_screen: Open, scheme: str):
    if "start_game" in no_camera.state()["commands"]:
        no_camera.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
    screen = open_screen(no_camera.url, scheme=scheme)
    confirm = screen.page.get_by_role("button", name="Yes", exact=True)
    expect(confirm).to_be_disabled()
    expect(confirm).to_have_css("border-style", "dashed")
    screen.page.evaluate("""() => {
        for (const look of ["first", "second", "quiet"]) {
            const one = document.createElement("button");
            one.className = look;
            const off = one.cloneNode();
            off.disabled = true;
            document.body.append(one, off);
        } }""")
    look = """(name) => [...document.querySelectorAll(`body > button.${name}`)].map((each) => {
        const { borderStyle, opacity, textDecorationLine } = getComputedStyle(each);
        return [borderStyle, opacity, textDecorationLine].join(); })"""
    for name in ("first", "second", "quiet"):
        alive, off = screen.page.evaluate(look, name)
        assert alive != off, name


def test_a_page_says_that_the_camera_is_missing_instead_of_that_it_is_about_to_look(
    no_camera: StationProcess, open_screen: Open
):
    screen = open_screen(no_camera.url, path="/setup/mounting")
    expect(screen.page.locator("#mounting .fault")).to_contain_text("does not answer")
    expect(screen.page.locator("#mounting")).not_to_contain_text("has not looked yet")


def test_who_starts_without_a_name_is_told_what_is_missing(played: StationProcess, open_screen: Open):
    played.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
    played.do("end_game")
    screen = open_screen(played.url)
    another_game(screen)
    for field in screen.page.locator(".names input").all():
        field.fill("")
    screen.tap("Start the game")
    expect(screen.page.locator(".lobby .fault")).to_have_text("Enter at least one name: who plays?")
    expect(screen.page.locator("#player-0")).to_be_focused()
    screen.page.locator("#player-0").fill("Ana")
    expect(screen.page.locator(".lobby .fault")).to_have_count(0)


def test_six_finish_and_all_stand_on_the_podium_with_no_stray_button_on_the_sheet(
    buttoned: StationProcess, open_screen: Open
):
    buttoned.do("start_game", players=SIX, rules="yacht-1938")
    sheet, television = open_screen(buttoned.url, "tablet"), open_screen(buttoned.url, "tv", path="/tv")
    expect(sheet.page.locator(".confirm-button")).to_have_count(1)
    buttoned.do("enter_roll", faces=[6, 6, 6, 6, 6])
    buttoned.do("score_box", category="yacht")
    buttoned.do("end_game")
    expect(television.page.locator(".podium li")).to_have_count(len(SIX))
    for name in SIX:
        expect(television.page.locator(".podium")).to_contain_text(name)
    expect(sheet.page.get_by_role("button", name="Rematch").first).to_be_visible()
    expect(sheet.page.locator(".confirm-button")).to_have_count(0)
    below = television.page.evaluate(
        "() => innerHeight - document.querySelector('.tv-sheets').getBoundingClientRect().bottom"
    )
    assert below >= 0, "the sheets still fit below it"


def test_whose_screen_it_is_is_offered_the_own_hints_alone(played: StationProcess, open_screen: Open):
    played.do("start_game", players=["Ana", "Ben", "Cleo"], rules="yacht-1938")
    tablet = open_screen(played.url, "tablet")
    whose = tablet.page.locator("dialog legend")
    for seat, offered in ((None, ["Ana", "Ben", "Cleo"]), ("Ben", ["Ben"])):
        if seat:
            tablet.page.request.post(f"{played.url}/api/v1/room/seat", data={"name": seat})
            tablet.page.reload()
        tablet.tap("Menu")
        tablet.tap("Hints")
        expect(whose).to_have_text(offered)


def test_throws_and_chances_are_told_where_the_system_chooses_the_colours(
    played: StationProcess, open_screen: Open
):
    played.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
    played.do("enter_roll", faces=[1, 2, 3, 4, 6])
    television = open_screen(played.url, "tv", path="/tv")
    television.see(".dot.done")
    television.page.emulate_media(forced_colors="active")
    ground = "(what) => getComputedStyle(document.querySelector(what)).backgroundColor"
    done, open_ = (television.page.evaluate(ground, what) for what in (".dot.done", ".dot:not(.done)"))
    assert done != open_
    television.page.evaluate("""() => {
        const bar = document.createElement("div");
        bar.className = "odds-bar";
        bar.innerHTML = '<i class="seat-0"></i><i class="seat-1"></i>';
        document.querySelector("#stage").append(bar); }""")
    first, second = (television.page.evaluate(ground, f".odds-bar .seat-{seat}") for seat in (0, 1))
    assert first != second


def test_the_die_that_is_unsure_is_marked_on_phone_and_television(played: StationProcess, open_screen: Open):
    played.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
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
    state = played.state() | {"reading": reading, "turn": "unconfirmed"}
    told = f"event: state\ndata: {json.dumps(state)}\n\n"
    for path, die in (("/", "#roll .slot"), ("/tv", ".tv-die")):
        screen = open_screen(played.url, path="/manifest.webmanifest")
        screen.page.route(
            "**/api/v1/events", lambda route: route.fulfill(body=told, content_type="text/event-stream")
        )
        screen.page.goto(played.url + path)
        expect(screen.page.locator(f"{die}.unsure")).to_have_count(1)
        expect(screen.page.locator(die).nth(3)).to_contain_text("unsure")
        expect(screen.page.locator(die).nth(2)).not_to_contain_text("unsure")
