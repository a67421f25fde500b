"""On a slow line: what is tapped before the station has answered is neither lost nor done twice."""

import re
import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import APIResponse, Locator, Route, expect

from tests.e2e.helpers import PATIENCE_S, ROOT, Open, Screen, StationProcess, choose_rules, chosen_rules
from tests.e2e.late_answers import announces, held_back, sent


def newer_version(screen: Screen, station: StationProcess) -> None:
    """A new state for every screen that changes nothing in the game, as a reading does."""
    text = (ROOT / "examples" / "quick-yacht.toml").read_text(encoding="utf-8")
    before = station.state()["version"]
    assert screen.page.context.request.post(f"{station.url}/api/v1/rules", data={"text": text}).ok
    assert station.state()["version"] > before
    screen.until("(version) => Number(document.body.dataset.version) > version", before)


def test_nothing_is_lost_on_a_slow_line(station: StationProcess, open_screen: Open):
    phone = open_screen(station.url, path="/setup/first")
    page = phone.page

    page.locator(".step-marks button").nth(6).tap()
    name = page.locator("#new-name")
    with held_back(phone, "**/api/v1/commands") as waiting:
        name.fill("Ana")
        name.press("Enter")
        sent(phone, waiting)
        name.fill("Be")
    expect(page.locator(".own-rules li")).to_have_text(["Ana"])
    expect(name).to_have_value("Be")

    page.goto(station.url + "/join")
    page.locator("#new-name").fill("Ben")
    with held_back(phone, "**/api/v1/room/seat") as waiting:
        page.locator("#new-name").press("Enter")
        sent(phone, waiting)
        page.locator("#new-name").press("Enter")
    page.wait_for_url(station.url + "/")
    phone.until("() => document.body.dataset.version")
    assert [player["name"] for player in station.state()["players"]] == ["Ana", "Ben"]
    mine = "() => fetch('/api/v1/room').then((answer) => answer.json()).then((room) => room.you.seat)"
    assert page.evaluate(mine) == "Ben"

    station.do("start_game", players=["Ben", "Ana"], rules="yacht-1938")
    phone.says("Ben: roll")
    with held_back(phone, "**/api/v1/commands") as waiting:
        phone.tap(re.compile("^Roll"))
        sent(phone, waiting)
        phone.tap("Menu")
        phone.tap("Add a player")
        page.locator("#ask-text").fill("Cleo")
        phone.tap(re.compile("^Add$"))
        expect(page.locator("dialog[open]")).to_be_visible()
    expect(page.locator("dialog[open]")).to_have_count(0)
    assert [player["name"] for player in station.state()["players"]] == ["Ben", "Ana", "Cleo"]


def test_a_page_begins_though_its_first_request_fails(standing: StationProcess, open_screen: Open):
    pages = {
        "/join": "#new-name",
        "/setup": ".card",
        "/setup/first": ".step-marks",
        "/setup/rules": "#from",
        "/setup/calibrate": ".cal-side",
    }
    screens = [open_screen(standing.url, path="/health") for _ in pages]
    failed: list[str] = []

    def fail(route: Route) -> None:
        failed.append(route.request.url)
        route.abort()

    for screen, path in zip(screens, pages, strict=True):
        screen.page.route(re.compile("/api/v1/(state|rules)$"), fail, times=1)
        screen.page.goto(standing.url + path)
    for screen, begun in zip(screens, pages.values(), strict=True):
        screen.see(begun)
    assert len(failed) == len(pages)


def test_what_the_camera_sees_meanwhile_loses_nothing(game: StationProcess, open_screen: Open):
    game.do("enter_roll", faces=[1, 2, 3, 4, 6])
    phone = open_screen(game.url)
    dice = phone.page.locator("#roll .hold")
    expect(dice).to_have_count(5)
    with held_back(phone, "**/api/v1/commands") as waiting:
        dice.nth(0).tap()
        sent(phone, waiting)
        newer_version(phone, game)
        dice.nth(1).tap()
        phone.tap("Menu")
        phone.tap("Add a player")
        phone.page.locator("#ask-text").fill("Cleo")
        phone.tap(re.compile("^Add$"))
    expect(phone.page.locator("dialog[open]")).to_have_count(0)
    state = game.wait_for(lambda state: len(state["players"]) == 3)
    assert [die["held"] for die in state["dice"]] == [True, True, False, False, False]


def test_the_menu_opens_however_early_it_was_tapped(game: StationProcess, open_screen: Open):
    phone = open_screen(game.url, path="/join")
    page = phone.page
    menu = page.get_by_role("button", name="Menu")
    with held_back(phone, "**/table.js*") as scripts, held_back(phone, "**/api/v1/events") as line:
        page.goto(game.url, wait_until="commit")
        sent(phone, scripts)
        expect(menu).to_be_disabled()
        scripts.pop().continue_()
        sent(phone, line)
        menu.tap()
    expect(page.get_by_label("Read out rolls and scores here")).to_be_visible()


def test_answers_that_come_in_another_order_change_nothing(station: StationProcess, open_screen: Open):
    phone = open_screen(station.url, path="/setup/first")
    page = phone.page
    page.locator(".step-marks button").nth(6).tap()
    names = page.locator(".own-rules li")
    for count, name in enumerate(("Ana", "Ben"), start=1):
        station.do("add_player", name=name)  # by another phone
        expect(names).to_have_count(count)

    station.do("start_game", rules="yacht-1938")
    page.goto(station.url)
    phone.says("Ana: roll")
    speaks = page.get_by_label("Read out rolls and scores here")

    # What is switched on and off again: the first request is slower than the second.
    first: list[Route] = []
    page.route("**/api/v1/room/voice", lambda route: first.append(route), times=1)  # noqa: PLW0108 - as above
    answered: list[str] = []
    page.on("response", lambda answer: answered.append(answer.url) if answer.url.endswith("/voice") else None)
    phone.tap("Menu")
    speaks.tap()
    sent(phone, first)
    speaks.tap()
    page.wait_for_timeout(300)  # only so that a second request would be on its way by now
    first[0].continue_()
    until = time.monotonic() + PATIENCE_S
    while len(answered) < len(("on", "off")):
        assert time.monotonic() < until, answered
        page.wait_for_timeout(20)
    announces(phone, on=False)
    expect(speaks).not_to_be_checked()
    page.keyboard.press("Escape")

    # The screen looks twice what concerns it: the first answer, which is older, comes last.
    kept: list[tuple[Route, APIResponse]] = []
    page.route("**/api/v1/room", lambda route: kept.append((route, route.fetch())), times=1)
    change = """([path, body]) => fetch(`/api/v1/room/${path}`, {
        method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" },
    })"""
    page.evaluate(change, ["hints", {"name": "Ben", "on": True}])
    sent(phone, kept)
    with page.expect_response("**/api/v1/room"):
        page.evaluate(change, ["voice", {"on": True}])
    route, answer = kept[0]
    route.fulfill(response=answer)
    page.wait_for_timeout(300)  # only so that the page would have taken it by now
    phone.tap("Menu")
    expect(speaks).to_be_checked()


def test_a_late_answer_neither_closes_nor_draws_the_next_dialog(game: StationProcess, open_screen: Open):
    phone = open_screen(game.url)
    title, name = phone.page.locator("#dialog-title"), phone.page.locator("#ask-text")
    speaks = phone.page.get_by_label("Read out rolls and scores here")

    phone.tap("Menu")
    with held_back(phone, "**/api/v1/room/voice") as waiting:
        speaks.tap()
        sent(phone, waiting)
        phone.tap("Add a player")
        name.fill("Cleo")
    announces(phone, on=True)
    phone.page.wait_for_timeout(300)  # only so that the page would have taken it by now
    expect(title).to_have_text("Add a player")
    expect(name).to_have_value("Cleo")

    with held_back(phone, "**/api/v1/commands") as waiting:
        phone.tap(re.compile("^Add$"))
        sent(phone, waiting)
        phone.page.keyboard.press("Escape")
        phone.tap("Enter dice by hand")
        phone.page.keyboard.type("123")
    game.wait_for(lambda state: len(state["players"]) == 3)
    phone.page.wait_for_timeout(300)  # as above
    expect(title).to_have_text("Enter dice by hand")
    expect(phone.page.get_by_role("button", name="Die 3: 3; change it")).to_be_visible()
    phone.page.keyboard.press("Escape")

    phone.tap("Menu")
    with held_back(phone, "**/api/v1/room/voice") as waiting:
        speaks.tap()
        sent(phone, waiting)
        phone.page.keyboard.press("Escape")
        phone.tap("Menu")
    expect(speaks).not_to_be_checked()


def test_why_not_is_said_though_its_dialog_was_closed_meanwhile(game: StationProcess, open_screen: Open):
    phone = open_screen(game.url)
    name = phone.page.locator("#ask-text")
    page, refusal = phone.page, phone.page.locator("#refusal")

    def fails(path: str, act: Callable[[], object]) -> None:
        """What is done is not answered before the dialog was closed, and then not as hoped for."""
        held: list[Route] = []
        page.route(path, lambda route: held.append(route), times=1)  # noqa: PLW0108 - as above
        act()
        sent(phone, held)
        page.keyboard.press("Escape")
        expect(page.locator("dialog[open]")).to_have_count(0)
        expect(refusal).to_be_hidden()
        held[0].fulfill(status=422, json={"error": {"code": "no", "message": f"Not {path}."}})
        expect(refusal).to_be_visible()
        expect(refusal).to_have_text(f"Not {path}.")
        page.evaluate("document.querySelector('#refusal').hidden = true")

    def opened(*names: str) -> None:
        for name in ("Menu", *names):
            phone.tap(name)

    commands = "**/api/v1/commands"
    opened("Add a player")
    name.fill("Ana")
    fails(commands, lambda: name.press("Enter"))
    opened("Players")
    fails(commands, lambda: phone.tap("Move Ben up"))
    opened("Hints")
    fails("**/room/hints", page.get_by_label("Hints on my turn").first.tap)
    opened("Who keeps the score")
    mine = page.get_by_label("Name")
    mine.fill("Ana")
    fails("**/room/seat", lambda: mine.press("Enter"))
    opened()
    fails("**/room/voice", page.get_by_label("Read out rolls and scores here").tap)


def test_taps_on_one_copy_stay_there_when_another_is_looked_up(played: StationProcess, open_screen: Open):
    played.do("start_game", players=["Ana", "Ben"], rules="shared-roll")
    played.do("enter_roll", faces=[1, 2, 3, 4, 6])
    phone = open_screen(played.url, path="/join")
    phone.tap("Ana")
    phone.page.wait_for_url(played.url + "/")

    def taps(first: Locator, second: Locator) -> None:
        """The second one waits for the first, and meanwhile Ben's copy is looked up."""
        expect(second).to_be_enabled()
        with held_back(phone, "**/api/v1/commands") as waiting:
            first.tap()
            sent(phone, waiting)
            second.tap()
            phone.tap(re.compile("^Ben: "))
        expect(phone.page.locator(".whose")).to_have_text("Ben's dice")

    def players(now: Callable[[dict[str, Any]], Any], *wanted: Any) -> None:
        """Wait until this is so of Ana and Ben, and go back to Ana's copy."""
        deadline = time.monotonic() + PATIENCE_S
        while (found := tuple(map(now, played.state()["players"]))) != wanted and time.monotonic() < deadline:
            phone.page.wait_for_timeout(50)
        assert found == wanted
        phone.tap(re.compile("^Ana: "))

    dice = phone.page.locator("#roll .hold[data-slot]")
    taps(dice.nth(0), dice.nth(1))
    players(lambda player: [die["slot"] for die in player["dice"] if die["held"]], [1, 2], [])
    for _ in range(2):
        for seat in range(2):
            played.do("ready", player=seat)
        played.do("enter_roll", faces=[1, 2, 3, 4, 6])
    boxes = phone.page.locator(".mine-boxes button.potential")
    taps(boxes.nth(0), boxes.nth(1))
    players(lambda player: player["chosen"], "twos", None)


def test_a_throw_tapped_before_the_answer_to_a_hold_is_thrown_once(game: StationProcess, open_screen: Open):
    game.do("enter_roll", faces=[1, 2, 3, 4, 6])
    before = len(game.lines)
    phone = open_screen(game.url)
    first = phone.see("#roll .hold[data-slot='1']")
    with held_back(phone, "**/api/v1/commands") as waiting:
        first.tap()
        sent(phone, waiting)
        for _ in range(2):
            phone.tap(re.compile("^Roll"))
    phone.says("– right?")
    assert [die["held"] for die in game.state()["dice"]] == [True, False, False, False, False]
    assert "".join(game.lines[before:]).count("the dice will lie still") == 1


def test_a_second_press_on_share_leaves_the_page_where_it_is(played: StationProcess, open_screen: Open):
    played.finish_game("Ana", "Ben")
    phone = open_screen(played.url)
    phone.context.add_init_script("""
        window.shared = 0;
        navigator.canShare = () => true;
        navigator.share = () => {
            shared += 1;
            if (shared > 1) throw new DOMException("", "InvalidStateError");
            return new Promise(() => {});
        };
    """)  # the first one is still open
    phone.page.goto(f"{played.url}/history")
    cards: list[Route] = []
    phone.page.route("**/evening.png", lambda route: cards.append(route))  # noqa: PLW0108 - as above
    phone.tap("Share")
    sent(phone, cards)
    phone.tap("Share")
    phone.page.wait_for_timeout(300)  # only so that a second request would be on its way by now
    for each in cards:
        each.fulfill(body="card", content_type="image/png")
    phone.until("() => shared")
    phone.page.wait_for_timeout(300)  # as above
    assert phone.page.url == f"{played.url}/history"


def test_of_two_rows_tapped_the_later_one_opens(game: StationProcess, open_screen: Open):
    tablet = open_screen(game.url, "tablet")
    with held_back(tablet, "**/api/v1/why?**") as waiting:
        tablet.tap("Ones: what it pays")
        sent(tablet, waiting)
        with tablet.page.expect_request("**/api/v1/why?*sixes"):
            tablet.tap("Sixes: what it pays")
        with tablet.page.expect_event("requestfinished", lambda done: done.url.endswith("ones")):
            waiting.pop(0).continue_()
        tablet.page.wait_for_timeout(300)  # only so that the page would have opened it by now
    expect(tablet.page.locator("#dialog-title")).to_have_text("Sixes")


def test_one_picture_at_a_time_is_asked_for(game: StationProcess, open_screen: Open):
    """Over a poor line others would be in the way of taps; what has been seen meanwhile is shown later."""
    phone = open_screen(game.url)
    phone.stop_clock("Ana: roll")
    with held_back(phone, "**/api/v1/frame.jpg**") as waiting:
        phone.page.clock.run_for(5000)
        sent(phone, waiting)
        phone.page.clock.run_for(4000)
        assert len(waiting) == 1
        at = int(waiting[0].request.url.split("at=")[1])
    phone.until("(at) => Number(document.querySelector('#picture').src.split('at=')[1]) > at", at)


def test_the_rule_sets_may_come_late(station: StationProcess, open_screen: Open):
    """What was typed before a reload is there again with them; lost on the way, they are requested again."""
    phone = open_screen(station.url)
    phone.page.locator("#player-0").fill("Ana")
    choose_rules(phone, "yatzy")
    requests: list[Route] = []

    def lost_once(route: Route) -> None:
        requests.append(route)
        route.abort() if len(requests) == 1 else route.continue_()

    phone.page.route("**/api/v1/rules", lost_once)
    phone.page.reload()
    phone.says("Pick the players and the rules")
    expect(phone.page.locator("#player-0")).to_have_value("Ana")
    assert chosen_rules(phone) == "yatzy"
    assert len(requests) == 2
