"""Forms that the browser sends by itself, without a script: it says where they come from."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.e2e.helpers import Screen, StationProcess
from tests.e2e.test_hosting import become_host

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_a_game_is_deleted_by_its_button(station: StationProcess, open_screen: Callable[..., Screen]):
    game = station.do("start_game", players=["Ana"], rules="yacht-1938")["game"]
    station.do("end_game")
    phone = open_screen(station.url, path="/setup")
    become_host(phone, station)
    phone.page.goto(f"{station.url}/history/{game}")
    phone.see("details.danger summary").tap()
    phone.tap("Delete this game")
    expect(phone.page).to_have_url(re.compile("/history#aside$"))
    expect(phone.page.locator("#aside")).to_contain_text("They can be put back for 30 days.")
