"""A phone that belongs to a seat, and advice: what is best, what the rest costs, the chance to win."""

import re
from itertools import count

from playwright.sync_api import Locator, Route, expect

from tests.e2e.examine import examine
from tests.e2e.helpers import Open, Save, Screen, StationProcess
from tests.e2e.late_answers import sent


def low(screen: Screen) -> Screen:
    screen.page.set_viewport_size({"width": 375, "height": 553})
    return screen


def press(where: Locator) -> None:
    """A long press, until the page has noticed it."""
    where.dispatch_event("pointerdown")
    expect(where).to_have_attribute("data-kept", "true")
    where.dispatch_event("pointerup")
    where.dispatch_event("click")


def test_at_somebody_elses_turn_a_tap_asks_for_whom(game: StationProcess, open_screen: Open):
    phone, shared = low(open_screen(game.url)), low(open_screen(game.url))
    phone.see("#steps .first")
    assert phone.page.request.post(f"{game.url}/api/v1/room/seat", data={"name": "Ben"}).ok
    phone.page.reload()
    whose, dialog = phone.page.locator("#whose-boxes"), phone.page.get_by_role("dialog")
    expect(whose).to_contain_text("Ben")
    expect(shared.page.locator("#whose-boxes")).to_contain_text("Ana")
    game.do("enter_roll", faces=[5, 5, 2, 3, 4])
    phone.see("#roll .hold:enabled")
    examine(phone)
    for act in (phone.page.locator(".tile button").first.tap, lambda: phone.tap("Roll 5 dice")):
        act()
        expect(dialog).to_contain_text("For Ana?")
        examine(phone)
        phone.tap("Cancel")
    assert game.state()["throws_done"] == 1
    phone.page.locator("#roll .hold").first.tap()
    phone.tap("Play for Ana")
    expect(phone.page.locator("#roll .held")).to_have_count(1)  # what was tapped is done
    expect(whose).to_contain_text("Ana")
    phone.page.locator("#roll .hold").nth(1).tap()  # and for this turn it is not asked again
    expect(phone.page.locator("#roll .held")).to_have_count(2)
    phone.page.locator("button.potential[data-category=fives]").tap()
    phone.says("Ben: roll")
    expect(whose).to_contain_text("Ben")
    game.do("enter_roll", faces=[1, 2, 3, 4, 6])
    phone.page.locator("button.potential[data-category=ones]").tap()
    expect(whose).to_contain_text("Ben")  # also now that it is Ana's turn
    phone.says("Ana: roll")
    for screen, offered in ((shared, ["Ana", "Ben"]), (phone, ["Ben"])):
        screen.tap("Menu")
        screen.tap("Hints")
        expect(screen.page.locator("dialog legend")).to_have_text(offered)


def test_a_bulb_says_what_is_best_and_what_the_rest_costs(game: StationProcess, open_screen: Open):
    for _ in range(2):
        game.do("enter_roll", faces=[5, 5, 6, 6, 4])
    phone = low(open_screen(game.url))
    bulb = phone.page.get_by_role("button", name="Advice")
    expect(phone.page.locator(".hint")).to_have_count(0)
    bulb.tap()
    line = phone.page.locator("#dock .hint")
    expect(line).to_contain_text("keep 5-5-6-6; most likely Choice 67%, Full House 33%")
    expect(line).to_contain_text("Choice now: 2.8 points less")
    expect(phone.page.locator(".hinted")).to_have_count(4)
    assert line.evaluate("(line) => line.getBoundingClientRect().bottom") <= phone.page.locator(
        "#roll .die"
    ).first.evaluate("(die) => die.getBoundingClientRect().top")
    examine(phone)
    bulb.tap()
    rows = phone.page.locator(".choices-odds tbody tr")
    expect(rows.first).to_contain_text(re.compile("keep 5-5-6-6 ?best", re.IGNORECASE))
    expect(rows.filter(has_text="Choice")).to_contain_text("2.8 less")
    examine(phone)
    phone.tap("Close")
    # For one throw only, but where a long press keeps it on for this player.
    game.do("enter_roll", faces=[5, 5, 6, 6, 4])
    phone.see("button.best")
    expect(line).to_have_count(0)
    press(bulb)
    expect(line).to_be_visible()
    game.do("score_box", category="choice")
    game.do("enter_roll", faces=[1, 2, 3, 4, 6])
    phone.see("button.potential")
    expect(line).to_have_count(0)  # Ben did not ask
    game.do("score_box", category="ones")
    game.do("enter_roll", faces=[1, 2, 3, 4, 6])
    expect(line).to_be_visible()
    expect(phone.page.get_by_text(re.compile("[\N{MINUS SIGN}-][0-9.]+ ?$"))).to_have_count(0)


def test_a_hint_comes_though_its_roll_was_undone_and_made_again(game: StationProcess, open_screen: Open):
    """The answer to the first request, that nobody has rolled, arrives when the same roll is back."""
    tablet = open_screen(game.url, "tablet")
    tablet.see("#steps .first")
    nobody_rolled = {"version": game.state()["version"]}
    assert tablet.page.request.post(f"{game.url}/api/v1/room/hints", data={"name": "Ana", "on": True}).ok
    requests: list[Route] = []

    def hold_back(route: Route) -> None:
        requests.append(route)

    tablet.page.route("**/api/v1/hint", hold_back, times=1)
    with tablet.page.expect_request("**/api/v1/hint"):
        game.do("enter_roll", faces=[5, 5, 6, 6, 4])
    game.do("undo")
    tablet.says("Ana: roll all five dice")
    game.do("enter_roll", faces=[5, 5, 6, 6, 4])
    tablet.see("button.potential")
    requests[0].fulfill(json=nobody_rolled)
    expect(tablet.page.locator(".slot.hinted")).to_have_count(4)


CHANCES = {"errors": [], "message": "", "holds": [], "boxes": [], "expected": []}


def test_a_hint_with_the_chance_to_win(station: StationProcess, open_screen: Open, save: Save):
    """It comes though the line breaks, and follows the sheets of the others."""
    station.do("start_game", players=["Ana", "Ben", "Cleo"], rules="yacht-1938")
    for faces, category in (((6, 6, 6, 6, 1), "choice"), ((5, 5, 5, 5, 1), "fives"), ((4,) * 5, "yacht")):
        station.do("enter_roll", faces=faces)
        station.do("score_box", category=category)
    tablet = open_screen(station.url, "tablet")
    requests = count(1)

    def odds(route: Route) -> None:
        """Worked out, then lost, then each time a tenth more: to work them out takes minutes."""
        number = next(requests)
        if number == 2:
            route.abort()
            return
        chances = [number / 10, 1 - number / 10, 0] if number > 2 else []
        route.fulfill(json={**CHANCES, "chances": chances, "message": "" if chances else "Working it out."})

    tablet.page.route("**/api/v1/odds", odds)
    tablet.tap("Menu")
    tablet.tap("Hints")
    tablet.page.get_by_role("group", name="Ana").get_by_label("Hints on my turn").check()
    tablet.page.keyboard.press("Escape")
    station.do("enter_roll", faces=[6, 2, 6, 6, 1])
    expect(tablet.page.locator(".slot.hinted")).to_have_count(3)
    expect(tablet.page.locator(".star"), "to roll again is better than every box").to_have_count(0)
    hint = tablet.page.locator(".hint")
    expect(hint).to_contain_text(re.compile("chance to win [3-9]0%"))
    save(tablet, "hint-tablet-light")
    examine(tablet)
    for change in (
        {"command": "correct_box", "player": 2, "category": "yacht", "faces": [1, 2, 3, 4, 6]},
        {"command": "remove_player", "player": 1},
    ):
        before = hint.inner_text()
        station.do(**change)
        expect(hint).not_to_have_text(before)
        expect(hint).to_contain_text("chance to win")
    for _ in range(2):
        station.do("enter_roll", faces=[6, 2, 6, 6, 1])
    tablet.see("button.potential.best .star")
    station.do("score_box", category="sixes")
    station.do("enter_roll", faces=[6, 2, 6, 6, 1])
    tablet.see("button.potential")
    expect(hint, "Cleo did not ask for hints").to_have_count(0)

    # While advice is worked out, no per cent is named.
    busy = {"error": {"code": "advice/preparing", "message": "Working out: 12%", "values": {}}}
    answer = "**/api/v1/hint"
    tablet.page.route(answer, lambda route: route.fulfill(status=503, json=busy))
    tablet.tap("Advice")
    expect(hint).to_have_text("Working it out …")
    tablet.page.unroute(answer)
    expect(hint).to_contain_text("keep 6-6-6")


def test_the_television_says_why_where_all_agree(played: StationProcess, open_screen: Open):
    played.do("start_game", players=["Eve", "Finn"], rules="yacht-1938")
    played.do("enter_roll", faces=[5, 5, 6, 6, 4])
    tv = open_screen(played.url, "tv", path="/tv")
    wishes = f"{played.url}/api/v1/room/hints"
    for name in ("Eve", "Finn"):
        tv.see(".tv-die")
        expect(tv.page.locator(".hint")).to_have_count(0)
        assert tv.page.request.post(wishes, data={"name": name, "on": True, "tv": True}).ok
    expect(tv.page.locator(".hint")).to_contain_text("keep 5-5-6-6; most likely Full House 56%, Choice 44%")
    examine(tv)


def test_the_chances_come_though_the_game_was_over_when_they_were_requested(
    game: StationProcess, open_screen: Open
):
    """Its end was undone meanwhile: the position is as before, and nothing else requests them again."""
    television = open_screen(game.url, "tv", path="/health")
    answers = [[0.5, 0.5], [], [0.4, 0.6]]
    television.page.route(
        "**/api/v1/odds", lambda route: route.fulfill(json=CHANCES | {"chances": answers.pop(0)})
    )
    television.page.clock.install()
    television.page.goto(f"{game.url}/tv")
    chances = television.page.locator(".tv-odds")
    expect(chances).to_contain_text("50%")
    game.do("enter_roll", faces=[5, 5, 6, 6, 4])
    expect(chances).to_be_empty()
    television.page.clock.fast_forward(10_000)
    expect(chances).to_contain_text("60%")


def test_the_chances_come_when_the_line_is_back(played: StationProcess, open_screen: Open):
    """Without waiting for the next roll, and without the words of a command that was not sent."""
    television = open_screen(played.url, "tv", path="/tv")
    requests, late = count(), list[Route]()
    television.page.route(
        "**/api/v1/odds", lambda route: late.append(route) if next(requests) else route.abort()
    )
    played.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
    expect(television.page.locator(".tv-odds")).to_be_empty()
    sent(television, late)
    late[0].fulfill(json=CHANCES | {"chances": [0.4, 0.6]})
    expect(television.page.locator(".tv-odds")).to_contain_text("60%")
