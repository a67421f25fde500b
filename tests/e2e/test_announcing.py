"""A box is announced on a phone; the television shows it, and the turn goes there."""

import re
from collections.abc import Callable

import pytest

from tests.e2e.examine import examine
from tests.e2e.helpers import Screen, StationProcess

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_a_box_is_announced_by_touch(
    station: StationProcess, open_screen: Callable[..., Screen], save: Callable[[Screen, str], None]
):
    station.do("start_game", players=["Ana", "Ben"], rules="yamb")
    station.do("enter_roll", faces=[2, 2, 2, 5, 6])
    phone, television = open_screen(station.url), open_screen(station.url, "tv", path="/tv")
    phone.tap("Announce a box")
    save(phone, "announce-phone")
    examine(phone)
    phone.page.locator("dialog [data-category='announced-twos']").tap()
    phone.says("(for Twos, announced)")
    television.says("(for Twos, announced)")
    television.see(".box.announced")
    save(phone, "announced-phone")
    save(television, "announced-tv")
    examine(phone)
    phone.tap(re.compile("Score 6 in Twos, announced for Ana"))
    phone.says("Ben: throw")
    assert station.state()["players"][0]["boxes"]["announced-twos"] == 6
