"""A damaged database, as somebody at the table meets it: the page says what is wrong, and one press helps."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e.examine import examine, examine_everywhere
from tests.e2e.helpers import PATIENCE_MS, PATIENCE_S, Open, Save, StationProcess, start_by_tapping, type_roll
from tests.process.test_rescue import spoil, two_games


@pytest.fixture
def damaged(tmp_path: Path) -> Iterator[StationProcess]:
    """A station whose database is damaged, with a copy of one game of Ana and Ben beside it."""
    spoil(two_games(tmp_path / "data"))
    process = StationProcess(tmp_path)
    yield process
    process.stop()


def test_a_game_goes_on_and_one_button_brings_the_others_back(
    damaged: StationProcess, open_screen: Open, save: Save
):
    television = open_screen(damaged.url, "tv", path="/tv")
    phone = open_screen(damaged.url)
    television.see("#storage a")
    phone.see("#storage a")
    examine(phone)
    start_by_tapping(phone, ["Cleo"])
    type_roll(phone, (1, 2, 3, 4, 5))
    phone.tap("Score 15 in Choice for Cleo")
    phone.says("Cleo: roll all five dice")
    save(phone, "rescue-sheet-phone-light")
    examine(phone)
    save(television, "rescue-tv-tv-light")
    examine(television)
    assert television.page.evaluate(
        "Math.max(...[...document.querySelectorAll('.tv-sheets tr')]"
        ".map((row) => row.getBoundingClientRect().bottom)) <= innerHeight"
    ), "the whole sheet is to be seen below the banner"

    until_s = time.monotonic() + PATIENCE_S
    while damaged.get("/api/v1/rescue")["looking"]:
        assert time.monotonic() < until_s
    phone.see("#storage a").tap()
    phone.see("#main form")
    main = phone.page.locator("#main")
    expect(main.locator(".lead")).to_contain_text("is damaged")
    expect(main).to_contain_text("Ana and Ben")
    examine_everywhere(phone, save, "rescue")
    phone.become("phone", "light")
    phone.page.locator("form").filter(has_text="Ana and Ben").locator("button").first.tap()
    expect(main.locator(".good")).to_contain_text("in yacht-before-", timeout=PATIENCE_MS)
    expect(main.locator("form")).to_have_count(0)
    save(phone, "rescue-done-phone-light")
    examine(phone)

    # Of the game that was played meanwhile nothing is lost, and the others are back.
    expect(television.page.locator("#storage")).to_be_hidden()
    phone.page.goto(damaged.url)
    phone.says("Cleo: roll all five dice")
    expect(phone.page.locator("#storage")).to_be_hidden()
    assert damaged.state()["players"][0]["boxes"]["choice"] == 15
    damaged.do("end_game")
    phone.page.goto(f"{damaged.url}/history")
    phone.see(".who")
    assert phone.page.locator(".who [translate=no]").all_inner_texts() == ["Cleo", "Ana", "Ben"]
