"""A family calibrates on a phone: four presses, by hand too; the page follows the keyboard and the eye."""

import json
import re
import urllib.request
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import expect

from tests.e2e.examine import examine, examine_everywhere
from tests.e2e.helpers import PATIENCE_S, Open, Save, Screen, StationProcess

PRESSES = 4
"""Of steps 1 to 4, the last of which puts the profile to use."""


def ask(station: StationProcess, step: str) -> None:
    """One step over HTTP; it has to succeed."""
    request = urllib.request.Request(  # noqa: S310 - our own
        f"{station.url}/api/v1/calibration/{step}", b"{}", {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:  # noqa: S310 - our own
        assert answer.status == 200


class Finger:
    """Presses what is the next step, and counts."""

    def __init__(self, screen: Screen) -> None:
        self.screen, self.presses = screen, 0

    def press(self, name: str | re.Pattern[str]) -> None:
        self.screen.tap(name)
        self.presses += 1

    def done(self, *steps: int) -> None:
        """Wait until these steps are done."""
        for step in steps:
            done = self.screen.page.locator(f".cal-steps > .done:nth-child({step})")
            expect(done).to_be_visible()


def test_steps_one_to_four_take_four_presses(station: StationProcess, open_screen: Open, save: Save):
    screen = open_screen(station.url, path="/setup/calibrate")
    screen.see(".cal-picture img")
    finger = Finger(screen)
    finger.press("Find the tray")
    finger.done(1)
    finger.press("The tray is empty")
    finger.done(2, 3)
    finger.press("These are my dice")
    finger.done(4)
    finger.press("Use it")
    finger.done(5)
    assert finger.presses <= PRESSES
    profile = station.folder / "data" / "profile.json"
    assert '"outline"' in profile.read_text(encoding="utf-8")
    examine_everywhere(screen, save, "calibrate")
    screen.become("phone", "light")
    # The station reads with it, and a person nods.
    screen.tap("Roll and read")
    screen.see(".cal-dice .die")
    screen.tap(re.compile("^Die 1 shows"))
    expect(screen.page.get_by_role("button", name="Now it is right")).to_be_visible()
    for _ in range(6):  # the other faces, and "there is no die"
        screen.tap(re.compile("^Die 1"))
    screen.tap("A die was missed")
    expect(screen.page.get_by_role("button", name="Now it is right")).to_be_visible()
    for _ in range(6):
        screen.tap(re.compile("^Missed die 1 shows"))
    screen.tap("That is right")
    screen.see("#check .good")
    station.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
    station.do("throw", faces=[1, 2, 3, 4, 6])
    screen.page.goto(station.url)
    chip = screen.page.locator(".chip.is-ready")
    expect(chip).to_be_visible()
    assert station.state()["reading"]["faces"] == [1, 2, 3, 4, 6]


def test_a_phone_on_the_table_sees_and_says_what_to_move(
    station: StationProcess, open_screen: Open, save: Save
):
    screen = open_screen(station.url, path="/setup/mounting")
    screen.see(".mount-line")
    screen.page.evaluate("""() => {
        window.spoken = [];
        speechSynthesis.speak = ({ text, lang }) => window.spoken.push([text, lang]);
    }""")
    screen.tap("Say it aloud")
    screen.until("() => window.spoken[0]?.[0].startsWith('Put the four printed markers')")
    screen.tap("Lay the markers")
    screen.until("() => document.querySelectorAll('.mount-line.is-good').length === 5")
    screen.until("() => window.spoken.at(-1)[0] === 'All good: on to calibration.'")
    assert screen.page.evaluate("window.spoken.at(-1)[1]").startswith("en")
    expect(screen.page.locator(".cal-outline")).to_be_visible()
    for size in ("phone", "tablet"):
        screen.become(size, "light")
        save(screen, f"mounting-good-{size}-light")
        examine(screen)
    screen.tap("On to calibration", "link")
    screen.see("#calibrate .card")


def test_corners_are_dragged_by_finger_and_by_arrow_keys(
    station: StationProcess, open_screen: Open, save: Save
):
    screen = open_screen(station.url, path="/setup/calibrate")
    screen.see(".cal-picture img")
    screen.tap("No printer? Drag the corners")
    corner = screen.page.get_by_role("button", name=re.compile("^Top left corner"))
    box = corner.bounding_box()
    assert box is not None
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    screen.page.mouse.move(*middle)
    screen.page.mouse.down()
    screen.page.mouse.move(middle[0] + 10, middle[1] + 6, steps=3)
    screen.see(".loupe")
    save(screen, "calibrate-corners-phone-light")
    screen.page.mouse.up()
    moved = corner.bounding_box()
    assert moved is not None
    assert moved["x"] == pytest.approx(box["x"] + 10, abs=1.5)
    name = corner.get_attribute("aria-label") or ""
    across = int(re.findall(r"\d+", name)[0])
    corner.focus()
    screen.page.keyboard.press("ArrowRight")
    screen.page.keyboard.press("Shift+ArrowRight")
    expect(corner).to_have_attribute("aria-label", re.compile(rf"\b{across + 11}\b"))
    examine(screen)
    screen.page.get_by_label(re.compile("^Inner width")).fill("280")
    screen.tap("Use these corners")
    Finger(screen).done(1)
    screen.see(".cal-step.done p")

    # What is refused is said where it was pressed.
    german = open_screen(station.url, path="/setup/calibrate", locale="de")
    german.see(".cal-picture img")
    german.page.locator("summary").tap()
    german.tap("Nach der Tafel schauen")
    german.see(".cal-missing")
    german.tap("Ausrechnen")  # after a view or two, which is too early
    expect(german.page.locator("details .fault")).to_contain_text("verschieden genug: ")
    examine(german)


def test_the_lens_is_learnt_while_the_board_is_moved_about(
    station: StationProcess, open_screen: Open, save: Save
):
    screen = open_screen(station.url, path="/setup/calibrate")
    screen.see(".cal-picture img")
    screen.page.get_by_text("Lens, optional").click()
    screen.tap("Look for the board")
    missing = screen.page.locator(".cal-missing")
    expect(missing).not_to_have_count(12)
    expect(screen.page.locator(".fault")).to_have_count(0)  # nor an empty one
    save(screen, "calibrate-lens-phone-light")
    enough = screen.page.get_by_text("That is enough; the lens can be worked out.")
    expect(enough).to_be_visible()
    expect(missing).to_have_count(0)
    screen.tap("Work it out")
    expect(screen.page.get_by_text("The lens is known very well")).to_be_visible()
    examine(screen)
    finger = Finger(screen)
    finger.press("Find the tray")
    finger.done(1)


def test_a_bump_is_said_on_the_sheet_and_repaired_with_one_press(
    tmp_path: Path, open_screen: Open, save: Save
):
    before = StationProcess(tmp_path)
    try:
        for step in ("tray", "empty", "dice", "save"):
            ask(before, step)
    finally:
        before.stop()
    # The same as if the camera had been pushed the other way while the station was off.
    (reference,) = (tmp_path / "data").glob("*.empty.png")
    empty = cv2.imread(str(reference))
    pushed = cv2.warpAffine(
        empty, np.array([[1.0, 0, 9], [0, 1, -6]]), empty.shape[1::-1], borderMode=cv2.BORDER_REFLECT
    )
    cv2.imwrite(str(reference), pushed)
    station = StationProcess(tmp_path)
    try:
        screen = open_screen(station.url)
        problem = screen.page.locator("#problem")
        expect(problem).to_contain_text("bumped")
        save(screen, "sheet-bumped-phone-light")
        examine(screen)
        assert station.state()["camera"]["ok"]
        screen.tap("Repair it")
        expect(problem).to_be_empty()
        assert station.state()["camera"]["message"] == ""
    finally:
        station.stop()


def test_a_dice_keeper_is_drawn_on_the_picture_and_holds_what_lies_there(
    station: StationProcess, open_screen: Open, save: Save
):
    for step in ("tray", "empty", "dice", "save"):
        ask(station, step)
    setup = open_screen(station.url, path="/setup/calibrate")
    setup.see(".cal-picture img")
    setup.tap("Mark it on the picture")
    corner = setup.page.get_by_role("button", name=re.compile("^Top left"))
    corner.focus()
    for _ in range(3):
        setup.page.keyboard.press("Shift+ArrowLeft")
    examine(setup)
    setup.tap("This is the keep zone")
    expect(setup.page.locator(".cal-keeper")).to_have_count(1)
    setup.page.locator("#keeper").scroll_into_view_if_needed()
    save(setup, "keeper-phone-light")
    examine(setup)
    station.do("start_game", players=["Ana"], rules="scorecard")
    phone = open_screen(station.url)
    station.do("throw", faces=[6, 6, 1, 2, 3])
    thrown = ("ready", [1, 2, 3, 6, 6])  # what lay there before was ready too
    station.wait_for(lambda state: (state["reading"]["status"], state["reading"]["faces"]) == thrown)
    station.do("accept_roll", force=True)  # one may have rolled into the keeper
    kept = next(die["slot"] for die in station.state()["dice"] if not die["held"])
    held = sum(die["held"] for die in station.state()["dice"])
    station.do("lay_die", slot=kept)
    expect(phone.page.locator(".dice .held")).to_have_count(held + 1)
    setup.tap("No keep zone")
    expect(setup.page.locator(".cal-keeper")).to_have_count(0)


def test_the_page_stays_right_whatever_goes_wrong(station: StationProcess, open_screen: Open):
    # A profile whose day somebody wrote by hand leaves the page as it is.
    made = {"version": 2, "name": "kitchen", "made": "last Sunday"}
    (station.folder / "data" / "profiles").mkdir()
    (station.folder / "data" / "profiles" / "kitchen.json").write_text(json.dumps(made))
    screen = open_screen(station.url, path="/setup/calibrate")
    expect(screen.page.get_by_role("button", name="Find the tray")).to_be_visible()
    expect(screen.page.locator(".cal-profiles")).to_contain_text("kitchen")
    screen.see(".cal-picture img")

    # A camera that goes away is said, and that it is back: its last picture stays, as if it looked.
    why = "The USB camera 0 is gone. Check its cable or address."
    away = station.state() | {"camera": {"name": "USB camera 0", "ok": False, "message": why}}
    screen.page.route("**/api/v1/state", lambda route: route.fulfill(json=away))
    expect(screen.page.locator("#calibrate > .fault")).to_have_text(why)
    screen.page.unroute("**/api/v1/state")
    expect(screen.page.locator("#calibrate > .fault")).to_have_count(0)

    # A step that was done is not said to be undone where the look after it fails.
    screen.page.route("**/api/v1/state", lambda route: route.abort())
    finger = Finger(screen)
    finger.press("Find the tray")
    finger.done(1)
    expect(screen.page.locator("#calibrate .fault")).to_have_count(0)
