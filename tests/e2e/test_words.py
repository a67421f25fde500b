"""Scripts put messages into words exactly as the rest of the station does."""

from collections.abc import Callable

import pytest

from messages.catalogue import languages, text
from messages.message import Message
from station.contract.view import as_json
from station.integrations.loudspeaker import news
from station.table import Table
from tests.asking import do
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


def test_a_page_that_speaks_says_what_the_loudspeaker_says(
    station: StationProcess, open_screen: Callable[..., Screen]
):
    """Each decides what is new; the page adds who leads."""
    table = Table()
    views = [table.snapshot()]

    def play(command: str, **fields: object) -> None:
        do(table, {"command": command, **fields})
        views.append(table.snapshot())

    play("start_game", players=["Ana", "Ben"], rules="yacht-1938")
    play("enter_roll", faces=[5, 5, 5, 2, 2])
    play("set_held", slots=[1, 2, 3])
    play("enter_roll", faces=[5, 5, 5, 4, 4])
    play("undo")
    play("enter_roll", faces=[5, 5, 5, 3, 3])
    play("correct_die", slot=5, face=2)
    play("score_box", category="fives")
    play("rename_player", player=0, name="Anna")
    play("correct_box", player=0, category="fives", faces=[5, 5, 1, 2, 3])
    play("move_player", player=0, to=1)
    play("undo")
    play("undo")
    play("undo")
    play("undo")
    play("score_box", category="full-house")
    play("enter_roll", faces=[1, 1, 1, 2, 2])
    play("undo")
    play("end_game")
    play("undo")
    play("end_game")
    page = open_screen(station.url, path="/tv").page.evaluate(
        """async (states) => {
            const there = document.querySelector('link[href$="/words.js"]').href;
            const { change } = await import(there.replace("words.js", "announce.js"));
            return states.slice(1).map((state, i) => change(state, states[i]));
        }""",
        [as_json(view, "en") for view in views],
    )
    heard = [
        said and {"back": "", "turn": None}.get(said["kind"], said.get("short") or said["text"])
        for said in page
    ]
    loud = [said and text(said, "en") for said in map(news, views, views[1:])]
    assert heard == loud
    assert [each for each in loud if each]
