"""Forms that the browser sends by itself, without a script: it says where they come from."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.e2e.helpers import Screen, StationProcess

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_a_game_is_deleted_by_its_button(station: StationProcess, open_screen: Callable[..., Screen]):
    game = station.do("start_game", players=["Ana"], rules="yacht-1938")["game"]
    station.do("end_game")
    phone = open_screen(station.url, path=f"/history/{game}")
    phone.see("details.danger summary").tap()
    phone.tap("Delete for good")
    expect(phone.page).to_have_url(re.compile("/history$"))
    expect(phone.page.locator("main")).to_contain_text("No game has been finished here yet")
