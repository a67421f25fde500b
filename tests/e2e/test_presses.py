"""The page's confirm button: one press is one, however often the page is drawn anew under the finger."""

import json
from pathlib import Path

from playwright.sync_api import Page

from tests.e2e.helpers import Open, Screen, StationProcess
from tests.e2e.late_answers import sent as on_its_way

BUTTON = ".confirm-button"


def of_a_roll(station: StationProcess, open_screen: Open) -> Screen:
    """Ana's roll is confirmed. The clock of the page stands: a press lasts as long as a test says."""
    station.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
    station.do("enter_roll", faces=[3, 3, 3, 3, 1])
    screen = open_screen(station.url, "tablet")
    screen.stop_clock("Ana: tap what you keep")
    screen.page.locator(BUTTON).scroll_into_view_if_needed()
    return screen


def presses(page: Page) -> list[bool]:
    """Of each press that is sent from now on, whether it is a long one."""
    sent: list[bool] = []

    def note(request):
        body = json.loads(request.post_data or "{}") if request.method == "POST" else {}
        if body.get("command") == "press":
            sent.append(body["long"])

    page.on("request", note)
    return sent


def test_a_press_is_short_or_long_and_never_both(buttoned: StationProcess, open_screen: Open):
    tablet = of_a_roll(buttoned, open_screen)
    page, sent = tablet.page, presses(tablet.page)
    # A short one is no long one when something changes meanwhile.
    page.locator(BUTTON).hover()
    page.mouse.down()
    buttoned.do("set_held", slots=[1, 2])
    tablet.until("() => document.querySelectorAll('.hold-button.lit').length === 2")
    with page.expect_response("**/api/v1/commands"):
        page.mouse.up()
    page.wait_for_timeout(300)  # only so that the page would have taken it by now
    page.clock.fast_forward(1200)
    page.wait_for_timeout(300)  # only so that another one would be on its way by now
    assert sent == [False]
    state = buttoned.state()
    assert (state["phase"], state["active_player"]) == ("holding", 0)
    assert all(points is None for points in state["players"][0]["boxes"].values())
    # A long one is no short one at its release.
    page.locator(BUTTON).hover()
    page.mouse.down()
    page.clock.fast_forward(800)
    tablet.says("Ana: pick a box")
    page.mouse.up()
    page.wait_for_timeout(300)  # as above
    assert sent == [False, True]
    state = buttoned.state()
    assert (state["phase"], state["active_player"]) == ("choosing", 0)


def test_a_press_is_long_when_the_settings_say_so(tmp_path: Path, open_screen: Open):
    station = StationProcess(tmp_path, settings="[press]\nlong_s = 3.0\n", buttons="page")
    try:
        tablet = of_a_roll(station, open_screen)
        page, sent = tablet.page, presses(tablet.page)
        page.locator(BUTTON).hover()
        page.mouse.down()
        page.clock.fast_forward(2900)
        page.wait_for_timeout(300)  # as above
        assert sent == []
        page.mouse.up()
        on_its_way(tablet, sent)
        page.wait_for_timeout(300)  # as above
        assert sent == [False]
    finally:
        station.stop()
