"""How many taps a turn takes."""

from playwright.sync_api import expect

from station.table.waiting_throw import SHOWN_S
from tests.e2e.helpers import Open, Save, StationProcess

THROWS = ((6, 6, 1, 2, 4), (6, 6, 3, 3, 1), (6, 6, 6, 2, 5))


def test_a_turn_of_three_throws_takes_three_taps(station: StationProcess, open_screen: Open, save: Save):
    station.do("start_game", players=["Ana", "Ben"], rules="yahtzee")
    phone = open_screen(station.url)
    taps = 0
    for number, faces in enumerate(THROWS, start=1):
        station.do("throw", faces=list(faces))
        phone.until("() => document.querySelector('.chip.is-ready')")
        if number < len(THROWS):
            phone.tap("Yes")
            taps += 1
            expect(phone.page.locator(".dot.done")).to_have_count(number)
    save(phone, "phone-offer")
    phone.tap("Score 18 in Sixes for Ana")
    taps += 1
    phone.says("Ben: roll all five dice")
    assert taps == 3
    state = station.state()
    assert state["players"][0]["boxes"]["sixes"] == 18
    phone.tap("Undo")
    phone.says("right?")
    assert station.state()["offer"]["potentials"]["sixes"] == 18, "the throw and its box are one step"


def test_a_turn_takes_one_tap_where_the_next_throw_confirms(station: StationProcess, open_screen: Open):
    phone = open_screen(station.url, path="/setup/first")
    phone.page.get_by_role("button", name="How a roll counts").tap()
    phone.tap("as soon as you roll again", role="radio")
    phone.page.get_by_role("button", name="How a roll counts, done").wait_for()
    station.do("start_game", players=["Ana", "Ben"], rules="yahtzee")
    phone.page.goto(station.url)
    for done, faces in enumerate(THROWS):
        station.do("throw", faces=list(faces))
        phone.until("() => document.querySelector('.chip.is-ready')")
        expect(phone.page.locator(".dot.done")).to_have_count(done)
        seen_ms = phone.page.evaluate("() => performance.now()")
        phone.until("(until) => performance.now() > until", seen_ms + 1000 * SHOWN_S)  # somebody looks at it
    phone.tap("Score 18 in Sixes for Ana")
    phone.says("Ben: roll all five dice")
