"""A box is announced on a phone; the television shows it, and the turn goes there. A phone that announces."""

import re
import wave

from playwright.sync_api import expect

from tests.e2e.examine import examine
from tests.e2e.helpers import Open, Save, StationProcess
from tests.e2e.late_answers import held_back, knows_that_it_announces, sent

SPEAKS = """
window.spoken = [];
speechSynthesis.speak = ({ text }) => spoken.push(text);
window.played = 0;
AudioBufferSourceNode.prototype.start = () => { played += 1; };
let pressed = false;
addEventListener("keydown", () => { pressed = true; });
Object.defineProperty(navigator, "userActivation", { value: { get hasBeenActive() { return pressed; } } });
Object.defineProperty(AudioContext.prototype, "state", { get: () => pressed ? "running" : "suspended" });
"""
"""Notes what is said, and how many files of sound begin.

What a test evaluates counts as a tap for a browser; here only a key does.
"""


def test_a_box_is_announced_by_touch(station: StationProcess, open_screen: Open, save: Save):
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
    phone.says("Ben: roll")
    assert station.state()["players"][0]["boxes"]["announced-twos"] == 6


def test_what_is_said_comes_in_order_though_the_voice_is_still_on_its_way(
    station: StationProcess, open_screen: Open
):
    phone = open_screen(station.url)
    phone.context.add_init_script(
        "window.spoken = []; speechSynthesis.speak = ({ text }) => spoken.push(text);"
    )
    assert phone.page.request.post(f"{station.url}/api/v1/room/voice", data={"on": True}).ok
    station.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
    texts = []
    with held_back(phone, "**/voice.js*") as waiting:
        phone.page.reload()
        knows_that_it_announces(phone)
        for box in ("ones", "ones", "twos", "twos"):
            for command in (
                {"command": "enter_roll", "faces": [1, 2, 3, 4, 6]},
                {"command": "score_box", "category": box},
            ):
                state = station.do(**command)
                texts.append(state["news"]["text"])
                phone.until("(it) => document.body.dataset.version >= it", state["version"])
        sent(phone, waiting)
    phone.until("(times) => spoken.length === times", len(texts))
    assert phone.page.evaluate("spoken") == texts


def test_a_phone_switches_the_voice_of_the_television_on(
    station: StationProcess, open_screen: Open, save: Save
):
    """It says what is new, with sounds of one's own where they lie in the data folder."""
    television, phone = open_screen(station.url, "tv", path="/tv"), open_screen(station.url)
    television.page.add_init_script(SPEAKS)
    television.page.reload()
    station.do("start_game", players=["Ana", "Ben"], rules="yahtzee")
    television.says("Ana: roll")
    phone.tap("Menu")
    phone.page.get_by_label("Read out rolls and scores on the television").tap()
    phone.page.get_by_label("Also say what you need").tap()
    save(phone, "voice-phone")
    band = television.page.locator("#call")
    for _ in range(2):
        expect(band).to_contain_text("Press a key on the remote")
        save(television, "voice-tv")
        television.page.reload()
    expect(band).to_contain_text("Press a key on the remote")
    television.page.keyboard.press("Enter")
    expect(band).to_be_empty()
    with television.page.expect_response("**/sounds/yacht?player=Ana") as response:
        station.do("enter_roll", faces=[6, 6, 6, 6, 6])
    assert response.value.status == 204, "none of one's own: ours sounds"
    station.do("score_box", category="yacht")
    folder = station.folder / "data" / "sounds"
    folder.mkdir()
    with wave.open(str(folder / "yacht-Ben.wav"), "wb") as file:
        file.setparams((1, 1, 8000, 800, "NONE", ""))
        file.writeframes(bytes(800))
    with television.page.expect_response("**/sounds/yacht?player=Ben") as response:
        station.do("enter_roll", faces=[5, 5, 5, 5, 5])
    assert response.value.status == 200
    television.until("() => played === 1")
    station.do("correct_die", slot=5, face=2)
    station.do("set_held", slots=[1, 2, 3, 4])
    television.until("() => spoken.at(-1).startsWith('Ben needs a 5')")
    assert television.page.evaluate("spoken.slice(0, -1)") == [
        "Yahtzee! Ana: five 6s!",
        "Ana: Yahtzee, 50. Ana leads by 50.",
        "Yahtzee! Ben: five 5s!",
        "Corrected: 5 5 5 5 2.",
    ]
