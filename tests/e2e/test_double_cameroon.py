"""Ten dice, two boxes a turn: both are chosen in one place, by touch and by keyboard."""

import re
import time

from playwright.sync_api import Route, expect

from tests.e2e.examine import examine, examine_everywhere
from tests.e2e.helpers import PATIENCE_S, Open, Save, Screen, StationProcess

FACES = [2, 2, 2, 2, 2, 2, 5, 5, 5, 5]
POINTS = re.compile(r"^Score \d+ and \d+$")


def points_now(screen: Screen) -> tuple[int, int]:
    """What the dialog promises for the first box and the second."""
    button = screen.page.get_by_role("button", name=POINTS)
    expect(button).to_be_enabled()
    first, second = re.findall(r"\d+", button.inner_text())
    return int(first), int(second)


def written(station: StationProcess) -> dict[str, int]:
    """The filled boxes of the first player."""
    boxes = station.state()["players"][0]["boxes"]
    return {category: points for category, points in boxes.items() if points is not None}


def test_both_boxes_by_touch(played: StationProcess, open_screen: Open, save: Save):
    played.do("start_game", players=["Ana", "Ben"], rules="double-cameroon")
    played.do("enter_roll", faces=FACES)
    phone = open_screen(played.url)
    phone.tap(re.compile("in Five-of-a-kind for Ana"))
    assert points_now(phone) == (50, 20), "the best for both at once: five twos, and fives with a two"
    examine_everywhere(phone, save, "two-boxes", ["phone"])
    phone.page.locator("dialog .choice-row label", has_text="Twos").tap()
    # The best for these two boxes; both groups keep five dice.
    expect(phone.page.get_by_role("button", name="Score 50 and 2", exact=True)).to_be_enabled()
    phone.page.locator("dialog .hold[data-slot='1']").tap()
    expect(phone.page.get_by_role("button", name="Choose five dice: 4 now")).to_be_disabled()
    phone.page.locator("dialog .hold[data-slot='7']").tap()
    expect(phone.page.get_by_role("button", name="Score 0 and 4", exact=True)).to_be_enabled()
    phone.tap("Best dice for both")
    expect(phone.page.get_by_role("button", name="Score 50 and 2", exact=True)).to_be_enabled()
    phone.tap(re.compile("^Score 50 and 2$"))
    phone.says("Ben: roll all ten dice")
    assert written(played) == {"five-of-a-kind": 50, "twos": 2}
    phone.tap(re.compile("Undo"))
    phone.says("Ana: pick a box for the other five dice")
    phone.tap(re.compile("Score 20 in Fives for Ana"))
    phone.says("Ben: roll all ten dice")
    assert written(played) == {"five-of-a-kind": 50, "fives": 20}


def test_points_beside_long_boxes_stay_in_one_line(played: StationProcess, open_screen: Open):
    played.do("start_game", players=["Ana", "Ben"], rules="double-cameroon")
    played.do("enter_roll", faces=[1, 2, 3, 4, 6, 6, 5, 5, 2, 1])
    phone = open_screen(played.url, locale="de")
    phone.tap(re.compile("12 in Sechser für Ana"))
    phone.see("dialog .choice-row b")
    high = phone.page.evaluate(
        "() => [...document.querySelectorAll('dialog .choice-row b')].map((points) => points.offsetHeight)"
    )
    assert len(set(high)) == 1, high


def test_what_is_tapped_in_haste_stays_chosen(played: StationProcess, open_screen: Open):
    played.do("start_game", players=["Ana", "Ben"], rules="double-cameroon")
    played.do("enter_roll", faces=FACES)
    phone = open_screen(played.url)
    phone.tap(re.compile("in Five-of-a-kind for Ana"))
    assert points_now(phone) == (50, 20)
    late: list[Route] = []
    phone.page.route("**/api/v1/split?*", lambda route: late.append(route))  # noqa: PLW0108 - as it wants it
    phone.page.locator("dialog .choice-row label", has_text="Twos").tap()
    expect(phone.page.get_by_role("button", name=POINTS)).to_have_count(0)
    phone.page.locator("dialog .hold[data-slot='1']").tap()
    phone.page.locator("dialog .hold[data-slot='7']").tap()
    expect(phone.page.get_by_role("radio", name="Twos")).to_be_checked()
    until_s = time.monotonic() + PATIENCE_S
    while len(late) < len(("Twos", "five dice again")):
        assert time.monotonic() < until_s, "nothing was asked"
        phone.page.wait_for_timeout(20)
    for route in reversed(late):  # the answer to the first tap comes last
        route.continue_()
    expect(phone.page.get_by_role("button", name="Score 0 and 4", exact=True)).to_be_enabled()
    expect(phone.page.get_by_role("radio", name="Twos")).to_be_checked()


def test_both_boxes_by_keyboard(played: StationProcess, open_screen: Open):
    played.do("start_game", players=["Ana", "Ben"], rules="double-cameroon")
    played.do("enter_roll", faces=FACES)
    screen = open_screen(played.url, "tablet")
    keys = screen.page.keyboard
    screen.see("button.potential[data-category='full-house']").focus()
    keys.press("Enter")
    first, second = points_now(screen)
    screen.see("dialog input[type=radio]:checked").focus()
    keys.press("ArrowRight")
    screen.until(
        "(before) => document.querySelector('dialog .first').innerText !== before",
        f"Score {first} and {second}",
    )
    wanted = points_now(screen)
    screen.page.get_by_role("button", name=POINTS).focus()
    keys.press("Enter")
    screen.says("Ben: roll all ten dice")
    boxes = written(played)
    assert boxes.pop("full-house") == wanted[0]
    assert list(boxes.values()) == [wanted[1]]


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
