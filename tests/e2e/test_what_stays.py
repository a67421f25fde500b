"""What a game, a page or a choice leaves behind for the next one: nothing that is not meant for it."""

import json
import re
import time
from itertools import count

import pytest
from playwright.sync_api import Route, expect

from messages.catalogue import languages
from tests.e2e.helpers import PATIENCE_S, Open, StationProcess, another_game, choose_rules, more

SHARED = """
window.shared = [];
navigator.canShare = () => true;
navigator.share = async ({ files: [file] }) => shared.push(await file.text());
"""
"""A share sheet that keeps what it was given."""

SPOKEN = """window.spoken = [];
{ const again = document.querySelector("#again");
const spoken = () => again.textContent && window.spoken.push(again.textContent);
new MutationObserver(spoken).observe(again, { childList: true }); }"""
"""Keeps what the television says of throws."""

WIDE_TABLES = """() => [...document.querySelectorAll(".scroller")].filter(
    (one) => one.checkVisibility() && one.scrollWidth > one.clientWidth).map((one) => one.textContent)"""


def test_who_plays_alone_begins_without_the_handicap_of_others(played: StationProcess, open_screen: Open):
    phone = open_screen(played.url)
    answer = json.dumps({"handicaps": [12, 0]})
    phone.page.route(
        "**/handicaps", lambda route: route.fulfill(body=answer, content_type="application/json")
    )
    if played.state()["finished"]:
        another_game(phone)
    for seat, name in enumerate(("Ana", "Ben")):
        phone.see(f"#player-{seat}").fill(name)
    while phone.page.locator(".names li").count() > 2:
        phone.tap("Remove player 3")
    more(phone)
    phone.page.locator("#level").check()
    expect(phone.page.locator(".lobby")).to_contain_text("Ana 12")
    phone.tap("Remove player 1")
    phone.tap("Start the game")
    phone.says("Ben: roll")
    assert [player["handicap"] for player in played.state()["players"]] == [0]


def test_a_computer_without_a_name_leaves_its_strength_to_nobody(station: StationProcess, open_screen: Open):
    phone = open_screen(station.url)
    more(phone)
    phone.tap("A computer player")
    phone.see("#player-2").fill("")
    expect(phone.page.locator(".names .way")).to_have_count(1)
    phone.page.locator("#player-0").fill("Ana")
    phone.page.locator("#player-2").fill("Robo")
    expect(phone.page.locator(".names .way")).to_have_count(1)
    phone.tap("Start the game")
    phone.says("Ana: roll")
    players = station.state()["players"]
    assert [(each["name"], each["computer"]) for each in players] == [("Ana", None), ("Robo", "75")]


def test_the_card_that_is_shared_is_that_of_now(played: StationProcess, open_screen: Open):
    played.finish_game("Ana", "Ben")
    phone = open_screen(played.url)
    phone.context.add_init_script(SHARED)
    phone.page.goto(f"{played.url}/history")
    cards = count(1)

    def answer(route: Route) -> None:
        if route.request.resource_type == "image":  # on the page, as soon as it comes into sight
            route.continue_()
        else:
            route.fulfill(body=f"card {next(cards)}", content_type="image/png")

    phone.page.route("**/evening.png", answer)
    for number in (1, 2):
        phone.tap("Share")
        phone.until(f"() => shared.length === {number}")
    assert phone.page.evaluate("shared") == ["card 1", "card 2"]
    # A new evening has begun meanwhile: why there is no card is shown, not sent to friends as a picture.
    phone.page.route("**/evening.png", lambda route: route.fulfill(status=404, body="No game yet."))
    phone.tap("Share")
    phone.page.wait_for_url("**/evening.png")


def test_a_television_that_comes_late_calls_no_lesser_throw_the_luckiest(
    game: StationProcess, open_screen: Open
):
    """It is switched on, or shown in another language, after Ana's five 6s."""
    game.do("enter_roll", faces=[6, 6, 6, 6, 6])
    game.do("score_box", category="choice")
    television = open_screen(game.url, "tv", path="/tv", motion="reduce")
    television.says("Ben: roll")
    until_s = time.monotonic() + PATIENCE_S
    while game.get("/api/v1/luck", 503) is None:  # until values are there
        assert time.monotonic() < until_s
    television.page.evaluate(SPOKEN)
    with television.page.expect_response("**/api/v1/luck") as answer:
        game.do("enter_roll", faces=[5, 5, 5, 5, 1])
    assert answer.value.json()["luck"] > 8
    for _ in range(2):
        game.do("undo")
    television.says("Ana: tap what you keep")  # nobody has thrown: nothing is said again
    television.context.set_offline(
        True
    )  # so that all it learns of is the roll that took the place of another
    television.see("#line")
    game.do("undo")  # Ana's five 6s were none
    game.do("enter_roll", faces=[6, 6, 6, 6, 1])
    television.context.set_offline(False)
    television.until("() => spoken.length")
    assert television.page.evaluate("spoken") == ["The luckiest roll of the game so far: Ana, 6-6-6-6-1"]


def test_no_mark_of_a_broken_picture_stands_on_the_television(played: StationProcess, open_screen: Open):
    """A camera gives its first picture some time after the start."""
    television = open_screen(played.url, "tv", path="/tv")
    television.page.route("**/frame.jpg*", lambda route: route.fulfill(status=503))
    played.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
    played.do("enter_roll", faces=[1, 2, 3, 4, 6])
    picture = television.page.locator(".tv-picture")
    expect(picture).to_be_hidden()
    television.page.unroute("**/frame.jpg*")
    expect(picture).to_be_visible()
    television.until("() => document.querySelector('.tv-picture').naturalWidth > 0")


def test_the_text_of_house_rules_stays_open_while_there_is_a_mistake_in_it(
    played: StationProcess, open_screen: Open
):
    phone = open_screen(played.url, path="/setup/rules")
    phone.page.locator("#from").select_option("yahtzee")
    expect(phone.page.locator("#verdict .good")).to_be_visible()
    phone.see("details.more summary").tap()
    text = phone.page.locator("#text")
    text.press("Control+Home")
    phone.page.keyboard.type("#[")
    expect(phone.page.locator("#verdict .good")).to_be_visible()
    text.press("Home")
    text.press("Delete")
    expect(phone.page.locator("#verdict .fault")).to_contain_text("line 1")
    expect(text).to_be_focused()
    text.press("Delete")
    expect(phone.page.locator("#verdict .good")).to_be_visible()
    expect(text).to_be_focused()


@pytest.mark.parametrize("language", languages())
def test_a_phone_shows_all_figures_of_past_games_at_once(
    played: StationProcess, open_screen: Open, language: str
):
    names = ["Großmutter", "Elisabeth-Charlotte", "Opa Heinrich", "Jo"]
    played.do("start_game", players=names, rules="yacht-1938")
    for name in names:
        state = played.do("enter_roll", faces=[5, 5, 5, 5, 5])
        assert state["waiting_for"].startswith(name)
        played.do("score_box", category="yacht")
    game = played.do("end_game")["game"]
    phone = open_screen(played.url, locale=language)
    for path in ("/history", f"/history/{game}"):
        phone.page.goto(played.url + path)
        phone.see(".figures")
        for width in (390, 360):
            phone.page.set_viewport_size({"width": width, "height": 740})
            assert not phone.page.evaluate(WIDE_TABLES)


def test_a_name_that_is_typed_stays_while_others_take_their_seats(station: StationProcess, open_screen: Open):
    """The first one at the table, and the last one of those who played before."""
    phone = open_screen(station.url, path="/join")
    name = phone.page.locator("#new-name")
    name.press_sequentially("Cl")
    station.do("add_player", name="Ana")
    expect(phone.page.get_by_role("button", name="Ana")).to_be_visible()
    name.press_sequentially("e")
    expect(name).to_have_value("Cle")

    station.finish_game("Ana", "Ben")
    station.do("start_game", players=["Ana"], rules="yacht-1938")
    phone.page.reload()
    expect(phone.page.get_by_role("button", name="Ben")).to_be_visible()
    name.press_sequentially("Cle")
    station.do("add_player", name="Ben")
    expect(phone.page.locator(".pick")).to_have_count(1)
    expect(name).to_have_value("Cle")
    expect(name).to_be_focused()


def test_settings_that_are_chosen_stay_when_the_camera_takes_the_last_ones_after_all(
    played: StationProcess, open_screen: Open
):
    picture = {"size": None, "fps": None, "rotation": 0, "mirrored": False, "flicker_hz": 0, "hdr": False}
    picture |= {"exposure": "normal", "exposure_ms": None, "number": None}
    picture |= {"available": True, "chosen": True, "refused": ["hdr"]}
    phone = open_screen(played.url)
    phone.page.route("**/api/v1/picture", lambda route: route.fulfill(json=picture))
    phone.page.goto(f"{played.url}/setup")
    phone.page.get_by_text("Picture settings").tap()
    rate = phone.page.locator("#picture-fps")
    expect(phone.page.locator("details .fault")).to_be_visible()
    rate.select_option("15")
    picture["refused"] = []
    phone.tap("Look again")
    expect(phone.page.locator("details .fault")).to_have_count(0)
    expect(rate).to_have_value("15")


def test_who_types_in_the_form_for_a_game_is_not_disturbed_by_other_screens(
    station: StationProcess, open_screen: Open
):
    phone = open_screen(station.url)
    first, second = phone.page.locator("#player-0"), phone.page.locator("#player-1")
    expect(phone.page.locator(".first-time")).to_be_visible()
    first.tap()
    station.do("add_player", name="Ben")  # by a phone, while the field is empty
    expect(second).to_have_value("Ben")
    station.do("rename_player", player=0, name="Benno")
    expect(second).to_have_value("Benno")
    phone.page.keyboard.type("A")
    assert phone.page.request.post(f"{station.url}/api/v1/room/set-up", data={}).ok
    expect(phone.page.locator(".first-time")).to_have_count(0)
    phone.page.keyboard.type("na")
    expect(first).to_have_value("Ana")

    station.do("remove_player", player=0)
    expect(second).to_have_value("")
    choose_rules(phone, "general")
    more(phone)
    phone.page.locator("#stakes-per_point").press_sequentially("0.")
    station.do("add_player", name="Ben")
    expect(phone.page.locator("#level")).to_have_count(1)
    phone.page.keyboard.type("05")
    expect(phone.page.locator("#stakes-per_point")).to_have_value("0.05")


def test_stakes_of_a_game_before_the_last_one_are_not_played_for_again(
    played: StationProcess, open_screen: Open
):
    phone = open_screen(played.url)
    points = phone.page.locator("#stakes-per_point")
    for rules, stakes, shown in (
        ("general", {"per_point": "0.50", "currency": "€"}, "0.50"),
        ("yacht-1938", None, "0.50"),  # knows no stakes: those of the general before are as good as ever
        ("general", None, ""),
    ):
        played.do("start_game", players=["Ana", "Ben"], rules=rules, stakes=stakes)
        phone.says("Ana: roll")
        played.do("end_game")
        another_game(phone)
        choose_rules(phone, "general")
        expect(points).to_have_value(shown)
    phone.tap("Start the game")
    phone.says("Ana: roll")
    assert played.state()["stakes"] is None


def test_who_is_in_a_team_moves_with_it(station: StationProcess, open_screen: Open):
    phone = open_screen(station.url)
    for _ in range(2):
        more(phone)
        phone.tap("A team")
    members = phone.page.locator(".way")
    members.nth(0).fill("Opa, Oma")
    phone.tap("Move player 4 up")
    expect(members.nth(0)).to_have_value("")
    expect(members.nth(1)).to_have_value("Opa, Oma")


def test_what_a_press_was_answered_stays_while_views_of_the_lens_are_gathered(
    played: StationProcess, open_screen: Open
):
    phone = open_screen(played.url, path="/setup/calibrate")
    phone.page.locator("details.card summary").tap()
    phone.page.route("**/api/v1/calibration/tray", lambda route: route.abort())
    phone.page.locator("details.card button[aria-pressed]").tap()
    phone.tap(re.compile("Find the tray"))
    fault = phone.page.locator(".cal-step .fault")
    expect(fault).to_be_visible()
    for _ in range(2):
        phone.page.wait_for_event("response", lambda answer: answer.url.endswith("/calibration/view"))
    phone.page.wait_for_timeout(300)  # only so that the page would have drawn it by now
    expect(fault).to_be_visible()
