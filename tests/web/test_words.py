"""English and German are complete, and say what the station composes too."""

import random
import re
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po

from messages.catalogue import languages, text
from messages.message import Message
from station.health.checks import Check, Level, machine
from station.rules import built_in, built_in_ids
from tests.asking import shown
from tests.conftest import ROOT
from tests.web.helpers import Stage, reading
from vision.reading import Reason, Status
from web.core import i18n

PO = ROOT / "web" / "translations" / "de" / "LC_MESSAGES" / "messages.po"
KEYWORDS = {"N_": None}
METHODS = [("**.py", "python")]
ENGLISH = re.compile(r"\b(the|throw|choose|dice(?!-play)|points|of|with|and|worth|camera|hold|keep)\b")


def used() -> set[str]:
    """Every text that code marks for translation; of plurals the first form."""
    found = extract_from_dir(str(ROOT / "web"), METHODS, keywords=KEYWORDS)
    return {text[0] if isinstance(text, tuple) else text for _, _, text, _, _ in found}


def test_the_german_catalogue_has_every_text():
    with PO.open("rb") as file:
        catalogue = read_po(file, locale="de")
    entries = {
        message.id[0] if message.pluralizable else message.id: message for message in catalogue if message.id
    }
    assert used() <= set(entries)
    for message in entries.values():
        assert all(message.string if message.pluralizable else [message.string]), message.id
        assert not message.fuzzy


def test_placeholders_are_the_same_in_german():
    with PO.open("rb") as file:
        for message in read_po(file, locale="de"):
            if message.id:
                source = message.id[1] if message.pluralizable else message.id
                forms = message.string if message.pluralizable else [message.string]
                for form in forms:
                    assert set(re.findall(r"[{(]\w+[})]", form)) == set(re.findall(r"[{(]\w+[})]", source)), (
                        source
                    )


def strings(catalogue: Catalog) -> dict[str, object]:
    """Text, of plurals the first form -> translation."""
    return {
        message.id if isinstance(message.id, str) else message.id[0]: message.string
        if isinstance(message.string, str)
        else list(message.string)
        for message in catalogue
        if message.id
    }


def test_the_compiled_catalogue_is_that_of_the_text():
    with PO.open("rb") as file:
        text = strings(read_po(file, locale="de"))
    with PO.with_suffix(".mo").open("rb") as file:
        compiled = strings(read_mo(file))
    assert compiled == text, "pybabel compile -d web/translations"


def german(sentence: str) -> str:
    """The German for it, which has to have no English left."""
    told = i18n.said(sentence, "de")
    assert not ENGLISH.search(told), f"{sentence!r} became {told!r}"
    return told


def check(state: dict) -> None:
    for sentence in (state["waiting_for"], state["undo"], state["problem"]):
        if sentence:
            german(sentence)


QUICK = ("yacht-1938", "general", "double-cameroon", "yahtzee")
"""Between them these say everything the others do; the rest is played in the slow run."""


@pytest.mark.parametrize(
    "rules", [pytest.param(each, marks=() if each in QUICK else pytest.mark.slow) for each in built_in_ids()]
)
def test_a_whole_game_is_told_in_german(rules: str):
    rng = random.Random(rules)
    stage = Stage()
    table = built_in(rules)
    check(stage.table.snapshot())
    names = ["Ana", "Ben"] if table.players[1] > 1 else ["Ana"]
    check(stage.do("start_game", players=names, rules=rules))
    while not (state := shown(stage.table))["finished"]:
        if state["phase"] == "throwing":
            stage.throw(*(rng.randint(1, 6) for _ in range(table.dice)))
            check(shown(stage.table))
            check(stage.do("accept_roll"))
        elif state["rolls_left"] and state["phase"] == "holding" and rng.random() < 0.6:
            check(
                stage.do("set_held", slots=rng.sample(range(1, table.dice + 1), rng.randint(0, table.dice)))
            )
            faces = [die["face"] if die["held"] else rng.randint(1, 6) for die in shown(stage.table)["dice"]]
            if all(die["held"] for die in shown(stage.table)["dice"]):
                check(stage.do("set_held", slots=[]))
            check(stage.do("enter_roll", faces=faces))
        else:
            potentials = state["players"][state["active_player"]]["potentials"]
            category = rng.choice(list(potentials))
            told = stage.client.get(f"/api/v1/why?category={category}").get_json()
            german(told["pays"])
            for player in told["players"]:
                if player["why"]:
                    german(player["why"])
            check(stage.do("score_box", category=category))
    assert "Spielt noch einmal" in german(shown(stage.table)["waiting_for"])


def test_what_the_camera_does_not_know_is_told_in_german(game: Stage):
    for reason in Reason:
        game.table.offer(reading())
        game.table.offer(reading((1, 2, 3, 4, 5), Status.UNSURE, (reason,), shift=7.0))
        check(shown(game.table))
    for status in (Status.MOVING, Status.COVERED):
        game.table.offer(reading((1, 2), status))
        check(shown(game.table))
    game.do("enter_roll", faces=[1, 2, 3, 4, 5])
    game.do("set_held", slots=[5])
    game.throw(1, 1, 1, 1, 1)
    check(shown(game.table))
    assert shown(game.table)["problem"]


def test_boxes_titles_and_what_they_pay_have_german_words():
    for rules in map(built_in, built_in_ids()):
        assert not ENGLISH.search(text(rules.title, "de"))
        for box in rules.boxes:
            assert not ENGLISH.search(text(box.label, "de"))
            assert not ENGLISH.search(text(box.scoring.how(), "de"))


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ("Ben: throw the three dice you are not holding, or choose a box",
         "Ben: wirf die drei Würfel, die du nicht hältst, oder wähle ein Feld"),
        ("Ana wins with 212 points. Play again with the same people, or start another game",
         "Ana gewinnt: 212 Punkte. Spielt noch einmal mit denselben Leuten oder beginnt ein anderes Spiel"),
        ("One: choose a box", "One: wähle ein Feld"),
        ("Yacht: choose a box", "Yacht: wähle ein Feld"),
        ("Nobody ever said this", "Nobody ever said this"),
    ],
)  # fmt: skip
def test_sentences(sentence: str, told: str):
    assert i18n.said(sentence, "de") == told


def test_the_language_is_the_screens_choice_then_its_browsers(stage: Stage):
    client = stage.client
    assert '<html lang="en"' in client.get("/").get_data(as_text=True)
    german_browser = {"Accept-Language": "de-AT,de;q=0.8"}
    assert '<html lang="de"' in client.get("/", headers=german_browser).get_data(as_text=True)
    client.set_cookie("language", "en")
    assert '<html lang="en"' in client.get("/", headers=german_browser).get_data(as_text=True)


def test_the_scripts_get_their_words_to_keep(stage: Stage):
    page = stage.client.get("/", headers={"Accept-Language": "de"}).get_data(as_text=True)
    [address] = re.findall(r'href="(/assets/\w+/words/de.json)"', page)
    answer = stage.client.get(address)
    assert "immutable" in answer.headers["Cache-Control"]
    words = answer.get_json()
    assert words["page/tray/undo"] == "Zurücknehmen:"
    assert words["page/tray/throws_left"] == {"one": "noch {count} Wurf", "other": "noch {count} Würfe"}
    assert not [key for key in words if key.startswith("html/")]
    assert stage.client.get(address.replace("de.json", "xx.json")).status_code == 404


def test_the_menu_offers_every_language_there_is(stage: Stage):
    page = stage.client.get("/").get_data(as_text=True)
    assert f'data-languages="{" ".join(languages())}"' in page


def test_a_page_asks_at_once_for_all_its_scripts(stage: Stage):
    page = stage.client.get("/tv").get_data(as_text=True)
    loaded = set(re.findall(r'/assets/\w+/([\w.]+\.js)"', page))
    assert {"tv.js", "dom.js", "words.js", "hints.js"} <= loaded
    for name in loaded:
        address = re.search(rf"/assets/\w+/{name}", page)[0]
        for each in re.findall(r'from "\./([\w.]+)"', stage.client.get(address).get_data(as_text=True)):
            assert each in loaded
    for hidden in ("tv.html", "factory.py", "py.typed"):
        assert stage.client.get(f"/assets/x/{hidden}").status_code == 404


def test_the_health_page_is_told_in_german(tmp_path: Path):
    def checks() -> tuple[Check, ...]:
        return (
            Check(
                Message("health/camera/name"),
                Level.OK,
                Message("health/camera/fresh", camera="USB 0", age=0.1),
            ),
            Check(Message("health/power/name"), Level.WARNING, Message("health/power/was-low")),
            *machine(tmp_path, tmp_path / "profile.json"),
        )

    stage = Stage(checks=checks)
    stage.client.set_cookie("language", "de")
    page = stage.client.get("/health").get_data(as_text=True)
    told = re.findall(r"<b>(.*?)</b>|check-said\">(.*?)<", page)
    assert "Kamera" in [name for name, _ in told]
    assert len([name for name, _ in told if name == "Kamera"]) == 1
    for name, sentence in told:
        assert not ENGLISH.search(name + sentence.replace(str(tmp_path), "")), (name, sentence)
    english = stage.client.get("/api/v1/health").get_json()["checks"]
    assert {"Camera", "Disk", "Screens"} <= {check["name"] for check in english}
