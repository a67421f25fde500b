"""What the big screen does beside showing the game: it invites and announces, and shows a throw again."""

import io
import time
from base64 import b64encode

from PIL import Image
from playwright.sync_api import Route, expect

from tests.e2e.helpers import PATIENCE_MS, PATIENCE_S, Open, Save, StationProcess

TOLD_APART = """
window.mixed = [];
const [frame, noFrame, noTimer] = [requestAnimationFrame, cancelAnimationFrame, clearTimeout];
window.requestAnimationFrame = (act) => 1e6 + frame(act);
window.cancelAnimationFrame = (id) => id && (id > 1e6 ? noFrame(id - 1e6) : mixed.push(id));
window.clearTimeout = (id) => id > 1e6 ? mixed.push(id) : noTimer(id);
"""
"""Frames have other numbers than timers, which a browser counts apart; `mixed` has those that were taken for
the other."""


def test_the_end_of_a_throw_that_is_shown_again_stops_nothing_else(
    station: StationProcess, open_screen: Open
):
    television = open_screen(station.url, "tv", path="/tv", motion="reduce")
    television.page.add_init_script(TOLD_APART)
    television.page.reload()
    station.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
    television.says("Ana: roll")
    station.do("enter_roll", faces=[6, 6, 6, 6, 6])
    again = television.page.locator("#again p")
    expect(again).to_be_visible()
    television.page.keyboard.press("a")
    expect(again).to_have_count(0)
    assert television.page.evaluate("mixed") == []


def drawn(ground: str) -> str:
    """A picture of a red tray on that ground, in base64."""
    image, jpeg = Image.new("RGB", (320, 180), ground), io.BytesIO()
    image.paste("red", (128, 72, 192, 108))
    image.save(jpeg, "JPEG", quality=95)
    return b64encode(jpeg.getvalue()).decode()


CORNER = """() => [...document.querySelector("#again canvas").getContext("2d").getImageData(4, 4, 1, 1).data]
    .map((each) => Math.round(each / 255)).slice(0, 3)"""


def test_a_throw_again_goes_nearer_stays_on_the_result_and_covers_nothing_to_tap(
    station: StationProcess, open_screen: Open
):
    first = {"at_s": 0.0, "shown_s": 0.0, "jpeg": drawn("blue"), "box": [0, 0, 1, 1]}
    last = {"at_s": 0.5, "shown_s": 2.6, "jpeg": drawn("lime"), "box": [0.42, 0.42, 0.16, 0.16]}
    station.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
    television = open_screen(station.url, "tv", path="/tv")
    television.page.route(
        "**/api/v1/film", lambda route: route.fulfill(json={"lasts_s": 4.0, "pictures": [first, last]})
    )
    television.stop_clock("Ana: ")
    station.do("enter_roll", faces=[6, 6, 6, 6, 6])
    canvas = television.page.locator("#again canvas")
    expect(canvas).to_be_visible()
    box, head = canvas.bounding_box(), television.page.locator(".tv-top").bounding_box()
    assert box
    assert head
    assert box["height"] > 1080 / 3
    assert box["y"] >= head["y"] + head["height"]
    middle = [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]
    assert television.page.evaluate("(at) => !document.elementFromPoint(...at).closest('#again')", middle)
    television.page.clock.run_for(50)
    assert television.page.evaluate(CORNER) == [0, 0, 1]
    television.page.clock.run_for(2700)
    assert television.page.evaluate(CORNER) == [1, 0, 0], "so near that nothing else is to be seen"
    television.page.clock.run_for(1000)
    assert television.page.evaluate(CORNER) == [1, 0, 0]
    television.page.clock.run_for(400)
    expect(canvas).to_have_count(0)


FLOWN = """() => {
    window.flown = 0;
    new MutationObserver((all) => {
        const added = all.flatMap(({ addedNodes }) => [...addedNodes]);
        flown += added.filter((each) => each.classList?.contains("flying")).length;
    }).observe(document.body, { childList: true }); }"""
"""Counts dice that fly into a box."""


def test_only_dice_of_a_throw_that_the_television_saw_fly_into_the_box(
    game: StationProcess, open_screen: Open
):
    """Over a poor line it misses a throw: what it still shows is nothing of what was written."""
    television = open_screen(game.url, "tv", path="/tv")
    television.says("Ana: roll")
    television.page.evaluate(FLOWN)
    for name in ("Ben", "Ana"):
        if name == "Ben":
            game.do("enter_roll", faces=[1, 2, 3, 4, 6])
            television.says("Ana: tap what you keep")
        television.context.set_offline(True)
        television.see("#line")
        game.do("enter_roll", faces=[5, 5, 5, 2, 2])
        game.do("score_box", category="full-house")
        television.context.set_offline(False)
        television.says(f"{name}: roll")
        assert television.page.evaluate("flown") == 0
    game.do("enter_roll", faces=[6, 6, 6, 2, 2])
    television.says("Ana: tap what you keep")
    game.do("score_box", category="choice")
    television.until("() => flown === 5")


def test_a_picture_comes_though_it_takes_longer_than_until_the_next_one(
    station: StationProcess, open_screen: Open
):
    television = open_screen(station.url, "tv", path="/tv")
    television.slow_line(1500)
    station.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
    station.do("enter_roll", faces=[1, 2, 3, 4, 6])
    television.until("() => document.querySelector('.tv-picture')?.naturalWidth > 0")


def test_after_a_box_the_next_name_is_large_and_the_old_dice_are_gone(
    game: StationProcess, open_screen: Open
):
    television = open_screen(game.url, "tv", path="/tv")
    game.do("throw", faces=[1, 3, 4, 5, 5])
    game.wait_for(lambda state: "accept_roll" in state["commands"])
    game.do("accept_roll")
    expect(television.page.locator(".tv-die .there")).to_have_count(5)
    expect(television.page.locator(".potential")).to_have_text(["1", "3", "4", "10", "18"])  # and no zeros
    game.do("score_box", category="choice")
    name = television.page.locator(".tv-next")
    expect(name).to_have_text("Ben")
    assert name.evaluate("(name) => parseFloat(getComputedStyle(name).fontSize)") > 108
    expect(television.page.locator(".tv-die, .tv-picture, .chip")).to_have_count(0)
    assert game.state()["reading"]["faces"]  # they lie in the tray still
    game.do("throw", faces=[6, 6, 6, 6, 6])
    expect(television.page.locator(".tv-die, .tv-picture")).to_have_count(6)


def test_a_television_before_a_game_says_why_it_may_not_announce_and_where_the_station_is(
    station: StationProcess, open_screen: Open
):
    television = open_screen(station.url, "tv", path="/tv")
    announce = television.page.locator(".tv-lobby button")
    television.page.route("**/api/v1/room/voice", lambda route: route.abort(), times=1)
    announce.click()
    expect(television.page.locator(".tv-lobby .fault")).to_contain_text("not done")
    announce.click()
    expect(announce).to_have_attribute("aria-pressed", "true")
    expect(television.page.locator(".fault")).to_have_count(0)

    screen = open_screen(station.url)
    # One that was on before the network was leads to where the station is by now.
    screen.page.clock.install()

    def without_network(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace(station.url, "http://127.0.0.1:1"))

    screen.page.route("**/tv", without_network)
    screen.page.goto(f"{station.url}/tv")
    places = screen.page.locator(".tv-invite ul").first
    expect(places).to_contain_text("http://127.0.0.1:1")
    screen.page.unroute("**/tv")
    screen.page.clock.run_for(61_000)
    expect(places).to_contain_text(station.url)


def test_a_great_throw_is_called_and_what_is_put_right_or_taken_back_is_seen_on_every_screen(
    played: StationProcess, open_screen: Open, save: Save
):
    """Clocks of the pages stand, so that nothing ends by its age before it is looked at."""
    played.do("start_game", players=["Ana", "Ben"], rules="yahtzee")
    television, phone = open_screen(played.url, "tv", path="/tv", motion="reduce"), open_screen(played.url)
    for screen in (television, phone):
        screen.stop_clock("Ana: roll")
    band, toast = television.page.locator("#call"), phone.page.locator("#toast")
    played.do("enter_roll", faces=[6, 6, 6, 6, 6])
    expect(band.locator("b")).to_have_text("Yahtzee!")
    expect(toast).to_have_text("Yahtzee! Ana: five 6s!")
    assert band.evaluate("(it) => it.offsetWidth === innerWidth"), "across the whole television"
    save(television, "called")
    for command, fields, words in (
        ("correct_die", {"slot": 5, "face": 5}, "Corrected: 6 6 6 6 5."),
        ("undo", {}, "Taken back: die 5 set to 5."),
    ):
        played.do(command, **fields)
        expect(band).to_have_text(words)
        expect(toast).to_have_text(words)
        save(television, f"{command}-tv")
        save(phone, f"{command}-phone")
    for screen in (television, phone):
        screen.page.clock.run_for(6000)
    expect(band).to_be_empty()
    expect(toast).to_be_hidden()


HIGH = "(steps) => steps.map((step) => step.offsetHeight)"


def test_the_end_is_a_podium_the_best_throw_and_the_evenings_card(played: StationProcess, open_screen: Open):
    names = ["Ana", "Ben", "Cleo", "Elisabeth-Charlotte", "Jo"]
    television = open_screen(played.url, "tv", path="/tv")
    played.do("start_game", players=names[:3], rules="yacht-1938")
    for faces in ([5, 5, 5, 2, 2], [6, 6, 6, 2, 2]):
        played.do("enter_roll", faces=faces)
        played.do("score_box", category="full-house")
    television.says("Cleo: roll")
    played.do("end_game")
    steps = television.page.locator("[data-scene=podium] li")
    expect(steps.locator(".podium-name")).to_have_text(["Ana", "Ben", "Cleo"])
    expect(steps.locator(".place"), "nobody has won").to_have_text(["", "", ""])
    assert len(set(steps.locator("b").evaluate_all(HIGH))) == 1
    played.do("start_game", players=names, rules="yacht-1938")
    played.do("throw", faces=[6, 6, 6, 2, 2])
    played.wait_for(lambda state: "accept_roll" in state["commands"])
    played.do("accept_roll")
    played.do("score_box", category="full-house")
    for faces in ([5, 5, 5, 2, 1], [6, 6, 6, 2, 1], [1, 2, 3, 4, 6], [5, 5, 5, 2, 1]):
        played.do("enter_roll", faces=faces)
        played.do("score_box", category="choice")
    until_s = time.monotonic() + PATIENCE_S
    while played.get("/api/v1/luck", 503) is None:  # until values are there
        assert time.monotonic() < until_s
    television.stop_clock("Ana: ")
    reviewed = television.page.expect_response("**/history/*/0-1-1.jpg", timeout=PATIENCE_MS)
    with reviewed, television.page.expect_response("**/evening.png*", timeout=PATIENCE_MS) as card:
        played.do("end_game", winners=[0, 2])
    assert card.value.ok
    scene = television.page.locator("[data-scene]")
    expect(scene).to_have_attribute("data-scene", "podium")
    steps = scene.locator("li")
    expect(steps.locator(".podium-name")).to_have_text(["Ana", "Cleo", "Ben", "Jo", "Elisabeth-Charlotte"])
    expect(steps.locator(".place")).to_have_text(["★", "★", "3.", "3.", "5."])
    high = steps.locator("b").evaluate_all(HIGH)
    assert high[0] == high[1] > high[2] == high[3] > high[4], "who shares a place stands as high"
    television.page.clock.run_for(3100)
    expect(scene).to_have_attribute("data-scene", "throw")
    television.until("() => document.querySelector('.best-photo img')?.naturalWidth > 0")
    expect(scene.locator(".best-text p").first).to_have_text("Best throw: Ana, 2\u20112\u20116\u20116\u20116")
    expect(scene).to_contain_text("points more than average")
    television.page.clock.run_for(5100)
    expect(scene).to_have_attribute("data-scene", "card")
    television.page.clock.run_for(7100)
    expect(television.page.locator(".tv-sheets")).to_be_visible()
    expect(scene).to_have_count(0)
    television.page.clock.run_for(7100)
    expect(scene, "nothing stands for eight seconds").to_have_attribute("data-scene", "card")
