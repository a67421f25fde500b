"""Scripts put messages into words exactly as the rest of the station does, and sounds wait for a tap."""

import pytest

from messages.catalogue import languages, text
from messages.message import Message
from station.contract.view import as_json
from station.table.table import Table
from tests.asking import do
from tests.e2e.helpers import Open, StationProcess

MESSAGES = (
    Message("page/tray/throws_left", count=1),
    Message("page/tray/throws_left", count=0),
    Message("page/tray/throws_left", count=21),
    Message("page/hint/chance_about", share=0.4567, error=0.02),
    Message("page/tray/unsure", reasons=("a", "b", "c")),
    Message("page/tray/read", faces=("1", "2", "3")),
    Message("page/tray/undo"),
    Message("page/sheet/in_all", count=1280),
    Message("page/evening/player", name="Ana", won=3, points=12800),
    Message("page/menu/belongs", name="Mum and Dad {name}"),
)


@pytest.mark.parametrize("language", languages())
def test_a_script_says_what_the_station_says(standing: StationProcess, open_screen: Open, language: str):
    screen = open_screen(standing.url, locale=language, path="/tv")
    screen.see(".tv-lobby")
    texts = screen.page.evaluate(
        """async (messages) => {
            const there = document.querySelector('link[href$="/words.js"]').href;
            const { t } = await import(there);
            return messages.map(([key, values]) => t(key, values));
        }""",
        [[message.key, dict(message.values)] for message in MESSAGES],
    )
    assert texts == [text(message, language) for message in MESSAGES]


def test_an_error_of_less_than_half_a_per_cent_is_not_told_as_none(
    standing: StationProcess, open_screen: Open
):
    screen = open_screen(standing.url, path="/tv")
    screen.see(".tv-lobby")
    texts = screen.page.evaluate("""async () => {
        const { sentence } = await import(document.querySelector('link[href$="/hints.js"]').href);
        return [0.02, 0.0025].map((error) =>
            JSON.stringify(sentence({ reason: "", chance: 0.9975, error }))); }""")
    assert "chance to win 100%, give or take 2%" in texts[0]
    assert "chance to win 100%" in texts[1]
    assert "give or take" not in texts[1]


def test_a_page_says_what_the_station_decided_that_is_new(standing: StationProcess, open_screen: Open):
    """As the loudspeaker does; beside that it says what the table waits for."""
    table = Table()
    views = [table.snapshot()]

    def play(command: str, **fields: object) -> None:
        do(table, {"command": command, **fields})
        views.append(table.snapshot())

    play("start_game", players=["Ana", "Ben"], rules="yacht-1938")
    play("enter_roll", faces=[5, 5, 5, 2, 2])
    play("set_held", slots=[1, 2, 3])
    play("score_box", category="fives")
    play("move_player", player=0, to=1)
    play("undo")
    play("undo")
    play("end_game")
    play("undo")
    page = open_screen(standing.url, path="/tv").page.evaluate(
        """async (states) => {
            const there = document.querySelector('link[href$="/words.js"]').href;
            const { change } = await import(there.replace("words.js", "changes.js"));
            return states.slice(1).map((state, i) => change(state, states[i]));
        }""",
        [as_json(view, "en") for view in views],
    )
    assert [each and (each["kind"], each["text"]) for each in page] == [
        None,  # the headline says it
        ("roll", "Roll 1: 5 5 5 2 2."),
        ("turn", "Ana: roll the two dice you are not keeping – or pick a box"),
        ("score", "Ana: Fives, 15. Ana leads by 15."),
        None,
        ("back", "Taken back: Ana changed seats."),
        ("back", "Taken back: Ana scored 15 points in Fives."),
        ("end", "The game is over."),
        ("back", "Taken back: game ended."),
    ]
    assert page[3]["keys"] == ["fives/0"]
    assert page[3]["next"] == "Ben: roll all five dice"


PLAY = """async (name) => {
  const script = [...document.scripts].find((each) => each.src.includes("/assets/"));
  const sounds = await import(new URL("sounds.js", script.src).href);
  const made = AudioContext.prototype.createOscillator;
  let notes = 0;
  AudioContext.prototype.createOscillator = function () { notes += 1; return made.call(this); };
  sounds.play(name);
  AudioContext.prototype.createOscillator = made;
  return notes;
}"""

UNTOUCHED = """() => {  // what is evaluated here counts as a tap for the browser
  Object.defineProperty(navigator, "userActivation", { value: { hasBeenActive: false } });
  Object.defineProperty(AudioContext.prototype, "state", { get: () => "suspended" });
}"""


def test_sounds_wait_for_a_tap_and_keep_the_quiet_hours(standing: StationProcess, open_screen: Open):
    phone = open_screen(standing.url)
    phone.see("#lobby form")
    phone.page.evaluate(UNTOUCHED)
    assert phone.page.evaluate(PLAY, "fanfare") == 0
    phone.page.reload()
    phone.see("#lobby form")
    assert phone.page.evaluate(PLAY, "fanfare") == 4
    assert phone.page.evaluate(PLAY, "nothing") == 0
    phone.page.evaluate("document.cookie = 'quiet=0-24;path=/'")
    assert phone.page.evaluate(PLAY, "fanfare") == 0
    phone.page.evaluate("document.cookie = 'quiet=;path=/'; document.cookie = 'volume=off;path=/'")
    assert phone.page.evaluate(PLAY, "fanfare") == 0
