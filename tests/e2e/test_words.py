"""Scripts put messages into words exactly as the rest of the station does."""

from collections.abc import Callable

import pytest

from messages.catalogue import languages, text
from messages.message import Message
from tests.e2e.helpers import Screen, StationProcess

pytestmark = [pytest.mark.browser, pytest.mark.slow]

MESSAGES = (
    Message("page/tray/throws_left", count=1),
    Message("page/tray/throws_left", count=0),
    Message("page/tray/throws_left", count=21),
    Message("page/hint/chance_about", share=0.4567, error=0.02),
    Message("page/tray/unsure", reasons=("a", "b", "c")),
    Message("page/tray/read", faces=("1", "2", "3")),
    Message("page/tray/undo"),
    Message("page/menu/belongs", name="Mum and Dad {name}"),
)


@pytest.mark.parametrize("language", languages())
def test_a_script_says_what_the_station_says(
    station: StationProcess, open_screen: Callable[..., Screen], language: str
):
    screen = open_screen(station.url, locale=language, path="/tv")
    screen.see(".tv-lobby")
    said = screen.page.evaluate(
        """async (messages) => {
            const there = document.querySelector('link[href$="/words.js"]').href;
            const { t } = await import(there);
            return messages.map(([key, values]) => t(key, values));
        }""",
        [[message.key, dict(message.values)] for message in MESSAGES],
    )
    assert said == [text(message, language) for message in MESSAGES]


def test_a_game_that_goes_on_again_says_no_throw_of_before(
    station: StationProcess, open_screen: Callable[..., Screen]
):
    """It ended early, and that was taken back: no box tells it."""
    station.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
    station.do("enter_roll", faces=[5, 5, 5, 2, 2])
    ended = station.do("end_game")
    again = station.do("undo")
    screen = open_screen(station.url, path="/tv")
    said = screen.page.evaluate(
        """async ([state, before]) => {
            const there = document.querySelector('link[href$="/words.js"]').href;
            const { change } = await import(there.replace("words.js", "announce.js"));
            return [change(state, before).kind, change(before, state).kind];
        }""",
        [again, ended],
    )
    assert said == ["back", "end"]
