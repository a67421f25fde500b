"""A phone that belongs to a seat: its own boxes, and advice that is one tap away."""

import re

from playwright.sync_api import Locator, expect

from tests.e2e.examine import examine
from tests.e2e.helpers import Open, Screen, StationProcess


def low(screen: Screen) -> Screen:
    screen.page.set_viewport_size({"width": 375, "height": 553})
    return screen


def press(where: Locator) -> None:
    """A long press, until the page has noticed it."""
    where.dispatch_event("pointerdown")
    expect(where).to_have_attribute("data-kept", "true")
    where.dispatch_event("pointerup")
    where.dispatch_event("click")


def test_at_somebody_elses_turn_a_tap_asks_for_whom(played: StationProcess, open_screen: Open):
    played.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
    phone, shared = low(open_screen(played.url)), low(open_screen(played.url))
    phone.see("#steps .first")
    assert phone.page.request.post(f"{played.url}/api/v1/room/seat", data={"name": "Ben"}).ok
    phone.page.reload()
    whose, dialog = phone.page.locator("#whose-boxes"), phone.page.get_by_role("dialog")
    expect(whose).to_contain_text("Ben")
    expect(shared.page.locator("#whose-boxes")).to_contain_text("Ana")
    played.do("enter_roll", faces=[5, 5, 2, 3, 4])
    phone.see("#roll .hold:enabled")
    examine(phone)
    for act in (phone.page.locator(".tile button").first.tap, lambda: phone.tap("Roll 5 dice")):
        act()
        expect(dialog).to_contain_text("For Ana?")
        examine(phone)
        phone.tap("Cancel")
    assert played.state()["throws_done"] == 1
    phone.page.locator("#roll .hold").first.tap()
    phone.tap("Play for Ana")
    expect(phone.page.locator("#roll .held")).to_have_count(1)  # what was tapped is done
    expect(whose).to_contain_text("Ana")
    phone.page.locator("#roll .hold").nth(1).tap()  # and for this turn it is not asked again
    expect(phone.page.locator("#roll .held")).to_have_count(2)
    phone.page.locator("button.potential[data-category=fives]").tap()
    phone.says("Ben: roll")
    expect(whose).to_contain_text("Ben")
    played.do("enter_roll", faces=[1, 2, 3, 4, 6])
    phone.page.locator("button.potential[data-category=ones]").tap()
    expect(whose).to_contain_text("Ben")  # also now that it is Ana's turn
    phone.says("Ana: roll")


def test_a_bulb_tells_what_is_best_and_what_the_rest_costs(played: StationProcess, open_screen: Open):
    played.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
    for _ in range(2):
        played.do("enter_roll", faces=[5, 5, 6, 6, 4])
    phone = low(open_screen(played.url))
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
    played.do("enter_roll", faces=[5, 5, 6, 6, 4])
    phone.see("button.best")
    expect(line).to_have_count(0)
    press(bulb)
    expect(line).to_be_visible()
    played.do("score_box", category="choice")
    played.do("enter_roll", faces=[1, 2, 3, 4, 6])
    phone.see("button.potential")
    expect(line).to_have_count(0)  # Ben did not ask
    played.do("score_box", category="ones")
    played.do("enter_roll", faces=[1, 2, 3, 4, 6])
    expect(line).to_be_visible()
    expect(phone.page.get_by_text(re.compile("[\N{MINUS SIGN}-][0-9.]+ ?$"))).to_have_count(0)


def test_while_advice_is_worked_out_no_per_cent_are_told(played: StationProcess, open_screen: Open):
    played.do("start_game", players=["Cleo", "Dora"], rules="yacht-1938")
    played.do("enter_roll", faces=[5, 5, 6, 6, 4])
    phone = low(open_screen(played.url))
    busy = {"error": {"code": "advice/preparing", "message": "Working out: 12%", "values": {}}}
    phone.page.route("**/api/v1/hint", lambda route: route.fulfill(status=503, json=busy))
    phone.tap("Advice")
    line = phone.page.locator("#dock .hint")
    expect(line).to_have_text("Working it out …")
    phone.page.unroute("**/api/v1/hint")
    expect(line).to_contain_text("keep 5-5-6-6")


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
