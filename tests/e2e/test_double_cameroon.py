"""Ten dice, two boxes a turn: both are chosen in one place, by touch and by keyboard."""

import re

from playwright.sync_api import Route, expect

from tests.e2e.examine import examine, examine_everywhere
from tests.e2e.helpers import Open, Save, StationProcess
from tests.e2e.late_answers import sent

FACES = [2, 2, 2, 2, 2, 2, 5, 5, 5, 5]
POINTS = re.compile(r"^Score \d+ and \d+$")


def written(station: StationProcess) -> dict[str, int]:
    """The filled boxes of the first player."""
    boxes = station.state()["players"][0]["boxes"]
    return {category: points for category, points in boxes.items() if points is not None}


def test_both_boxes_by_touch(played: StationProcess, open_screen: Open, save: Save):
    played.do("start_game", players=["Ana", "Ben"], rules="double-cameroon")
    played.do("enter_roll", faces=FACES)
    phone, german = open_screen(played.url), open_screen(played.url, locale="de")
    german.tap(re.compile("in Fünfer für Ana"))
    german.see("dialog .choice-row b")
    high = german.page.locator("dialog .choice-row b").evaluate_all("(all) => all.map((b) => b.offsetHeight)")
    assert len(set(high)) == 1, "points beside long boxes stay in one line"

    phone.tap(re.compile("in Five-of-a-kind for Ana"))
    # The best for both at once: five twos, and fives with a two.
    expect(phone.page.get_by_role("button", name="Score 50 and 20", exact=True)).to_be_enabled()
    examine_everywhere(phone, save, "two-boxes", ["phone"])
    # What is tapped in haste stays chosen: the answer to the first tap comes last.
    late: list[Route] = []
    phone.page.route("**/api/v1/split?*", lambda route: late.append(route))  # noqa: PLW0108 - as it wants it
    phone.page.locator("dialog .choice-row label", has_text="Twos").tap()
    expect(phone.page.get_by_role("button", name=POINTS)).to_have_count(0)
    phone.page.locator("dialog .hold[data-slot='1']").tap()
    phone.page.locator("dialog .hold[data-slot='7']").tap()
    expect(phone.page.get_by_role("radio", name="Twos")).to_be_checked()
    sent(phone, late, len(("Twos", "five dice again")))
    for route in reversed(late):
        route.continue_()
    expect(phone.page.get_by_role("button", name="Score 0 and 4", exact=True)).to_be_enabled()
    expect(phone.page.get_by_role("radio", name="Twos")).to_be_checked()
    phone.page.unroute("**/api/v1/split?*")
    # Both groups keep five dice, and the best for these two boxes is a tap away.
    phone.page.locator("dialog .hold[data-slot='7']").tap()
    expect(phone.page.get_by_role("button", name="Choose five dice: 4 now")).to_be_disabled()
    phone.tap("Best dice for both")
    phone.tap(re.compile("^Score 50 and 2$"))
    phone.says("Ben: roll all ten dice")
    assert written(played) == {"five-of-a-kind": 50, "twos": 2}
    phone.tap(re.compile("Undo"))
    phone.says("Ana: pick a box for the other five dice")
    phone.tap(re.compile("Score 20 in Fives for Ana"))
    phone.says("Ben: roll all ten dice")
    assert written(played) == {"five-of-a-kind": 50, "fives": 20}


def test_ten_dice_are_held_by_five_buttons_and_two_banks(
    buttoned: StationProcess, open_screen: Open, save: Save
):
    buttoned.do("start_game", players=["Ana", "Ben"], rules="double-cameroon")
    buttoned.do("enter_roll", faces=FACES)
    phone = open_screen(buttoned.url)
    phone.tap("Table button 1", nth=0)
    phone.tap("The keep buttons for the other dice")
    phone.tap("Table button 10")
    expect(phone.page.locator(".dice .held")).to_have_count(2)
    expect(phone.page.locator(".hold-button.lit")).to_have_text("10")
    save(phone, "ten-dice-phone-light")
    examine(phone)
    phone.tap("The keep buttons for the other dice")
    expect(phone.page.locator(".hold-button.lit")).to_have_text("1")
    assert [die["slot"] for die in buttoned.state()["dice"] if die["held"]] == [1, 10]
