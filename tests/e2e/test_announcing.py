"""A box is announced on a phone; the television shows it, and the turn goes there. A phone that announces."""

import re
from collections.abc import Callable

import pytest

from tests.e2e.examine import examine
from tests.e2e.helpers import Screen, StationProcess
from tests.e2e.late_answers import held_back, knows_that_it_announces, sent

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


def test_what_is_said_comes_in_order_though_the_voice_is_still_on_its_way(
    station: StationProcess, open_screen: Callable[..., Screen]
):
    phone = open_screen(station.url)
    phone.context.add_init_script("window.said = []; speechSynthesis.speak = ({ text }) => said.push(text);")
    assert phone.page.request.post(f"{station.url}/api/v1/room/voice", data={"on": True}).ok
    station.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
    told = []
    with held_back(phone, "**/voice.js*") as waiting:
        phone.page.reload()
        knows_that_it_announces(phone)
        for box in ("ones", "ones", "twos", "twos"):
            for command in (
                {"command": "enter_roll", "faces": [1, 2, 3, 4, 6]},
                {"command": "score_box", "category": box},
            ):
                state = station.do(**command)
                told.append(state["news"]["text"])
                phone.until("(it) => document.body.dataset.version >= it", state["version"])
        sent(phone, waiting)
    phone.until("(times) => said.length === times", len(told))
    assert phone.page.evaluate("said") == told
