"""English and German are complete, and say what the station composes too."""

import json
import random
import re
from html import unescape
from typing import Any

import pytest

from messages.camera_names import camera_label
from messages.catalogue import languages, text
from messages.errors import CameraError
from station.rules import built_in
from tests.web.helpers import Stage, reading
from vision.reading import Reason, Status

ENGLISH = re.compile(r"\b(the|throw|choose|dice(?!-play)|points|of|with|and|worth|camera|hold|keep)\b")


def german(sentence: str) -> str:
    """A sentence that has to have no English left."""
    assert not ENGLISH.search(sentence), sentence
    return sentence


def check(stage: Stage) -> dict[str, Any]:
    """The state as a German screen is told it."""
    state: dict[str, Any] = stage.client.get("/api/v1/state").get_json()
    for sentence in (state["waiting_for"], state["undo"], state["problem"], state["rules_title"]):
        german(sentence or "")
    return state


@pytest.mark.thorough
@pytest.mark.parametrize("rules", ["yacht-1938", "general", "double-cameroon", "yahtzee", "shared-roll"])
def test_a_whole_game_is_in_german(rules: str):
    """Between them these have every sentence of a game."""
    rng = random.Random(rules)
    stage = Stage()
    stage.client.set_cookie("language", "de")
    table = built_in(rules)
    check(stage)
    names = ["Ana", "Ben"] if table.players[1] > 1 else ["Ana"]
    stage.do("start_game", players=names, rules=rules)
    while not (state := check(stage))["finished"]:
        if state["phase"] == "throwing":
            stage.throw(*(rng.randint(1, 6) for _ in range(table.dice)))
            check(stage)
            stage.do("accept_roll")
        elif state["simultaneous"]:
            for seat in state["waits_for"]:
                if state["phase"] == "choosing":
                    category = rng.choice(list(state["players"][seat]["potentials"]))
                    german(
                        stage.client.get(f"/api/v1/why?category={category}").get_json()["players"][seat][
                            "why"
                        ]
                    )
                    stage.do("score_box", player=seat, category=category)
                check(stage)
                stage.do("ready", player=seat)
        elif state["rolls_left"] and state["phase"] == "holding" and rng.random() < 0.6:
            stage.do("set_held", slots=rng.sample(range(1, table.dice + 1), rng.randint(0, table.dice)))
            dice = check(stage)["dice"]
            faces = [die["face"] if die["held"] else rng.randint(1, 6) for die in dice]
            if all(die["held"] for die in dice):
                stage.do("set_held", slots=[])
            stage.do("enter_roll", faces=faces)
        else:
            potentials = state["players"][state["active_player"]]["potentials"]
            category = rng.choice(list(potentials))
            told = stage.client.get(f"/api/v1/why?category={category}").get_json()
            german(told["pays"])
            for player in told["players"]:
                german(player["why"] or "")
            stage.do("score_box", category=category)
    assert "Noch eine Runde" in state["waiting_for"]


def test_what_the_camera_does_not_know_is_told_in_german(game: Stage):
    game.client.set_cookie("language", "de")
    for reason in Reason:
        game.table.offer(reading())
        game.table.offer(reading((1, 2, 3, 4, 5), Status.UNSURE, (reason,), shift=7.0))
        check(game)
    for status in (Status.MOVING, Status.COVERED):
        game.table.offer(reading((1, 2), status))
        check(game)
    game.do("enter_roll", faces=[1, 2, 3, 4, 5])
    game.do("set_held", slots=[5])
    game.throw(1, 1, 1, 1, 1)
    assert check(game)["problem"]


def test_the_language_is_the_screens_choice_then_its_browsers(stage: Stage):
    client = stage.client
    assert '<html lang="en"' in client.get("/").get_data(as_text=True)
    german_browser = {"Accept-Language": "de-AT,de;q=0.8"}
    assert '<html lang="de"' in client.get("/", headers=german_browser).get_data(as_text=True)
    client.set_cookie("language", "en")
    assert '<html lang="en"' in client.get("/", headers=german_browser).get_data(as_text=True)


def test_the_scripts_get_their_words_to_keep(stage: Stage):
    page = stage.client.get("/", headers={"Accept-Language": "de"}).get_data(as_text=True)
    [address] = re.findall(r'src="(/assets/\w+/words/de.js)"', page)
    answer = stage.client.get(address)
    assert "immutable" in answer.headers["Cache-Control"]
    words = json.loads(answer.get_data(as_text=True).removeprefix("const WORDS = ").removesuffix(";\n"))
    assert words["page/tray/undo"] == "Rückgängig:"
    assert words["page/tray/throws_left"] == {"one": "Noch {count} Wurf", "other": "Noch {count} Würfe"}
    assert not [key for key in words if key.startswith("html/")]
    assert stage.client.get(address.replace("de.js", "xx.js")).status_code == 404


def test_the_menu_offers_every_language_there_is(shared_stage: Stage):
    page = shared_stage.client.get("/").get_data(as_text=True)
    [offered] = re.findall(r'data-languages="([^"]+)"', page)
    assert json.loads(unescape(offered)) == {"de": "Deutsch", "en": "English", "fr": "Français"}
    assert set(languages()) == {"de", "en", "fr"}


def test_a_page_asks_at_once_for_all_its_scripts(shared_stage: Stage):
    page = shared_stage.client.get("/tv").get_data(as_text=True)
    loaded = set(re.findall(r'/assets/\w+/([\w.]+\.js)"', page))
    assert {"tv.js", "dom.js", "words.js", "hints.js"} <= loaded
    for name in loaded:
        address = re.search(rf"/assets/\w+/{name}", page)[0]
        for each in re.findall(
            r'from "\./([\w.]+)"', shared_stage.client.get(address).get_data(as_text=True)
        ):
            assert each in loaded
    for hidden in ("tv.html", "factory.py", "py.typed"):
        assert shared_stage.client.get(f"/assets/x/{hidden}").status_code == 404


@pytest.mark.parametrize(
    ("name", "german", "french"),
    [
        ("simulated tray", "simulierte Schale", "plateau simulé"),
        ("USB camera 2", "USB-Kamera 2", "caméra USB 2"),
        ("Pi camera 1", "Pi-Kamera 1", "caméra Pi 1"),
        ("camera at yard.local:8080", "Kamera unter yard.local:8080", "adresse yard.local:8080"),
        ("folder evening", "Ordner evening", "dossier evening"),
        ("picture 1.png", "Bild 1.png", "image 1.png"),
        ("video evening.mp4", "Video evening.mp4", "vidéo evening.mp4"),
        ("http://yard.local/video", "http://yard.local/video", "http://yard.local/video"),
    ],
)
def test_a_camera_is_called_as_people_call_it(name: str, german: str, french: str):
    why = CameraError("camera/hangs_for_good", camera=camera_label(name)).message
    assert german in text(why, "de")
    assert french in text(why, "fr")
    assert name in str(why)
