"""Pages about the station: joining, setup, health, the problem bundle, house rules, the manifest."""

import io
import json
import re
import time
import zipfile
from pathlib import Path

import pytest
from werkzeug.wrappers import Response

from messages.catalogue import languages
from station import games
from station.contract.check import Check, Level
from station.rules import built_in, built_in_ids
from station.rules.written import to_toml
from station.store.house_rules import HouseRules
from station.table.table import Table
from tests.rules.house_files import GOOD
from tests.web.helpers import Stage
from tests.web.hosting import become_host
from web.core.config import WebConfig

MINE = to_toml(built_in("world-51")).replace('"our-world-51"', '"lake"')


@pytest.mark.parametrize("path", [
    "/", "/tv", "/join", "/setup", "/setup/rules", "/setup/calibrate", "/setup/mounting",
    "/history", "/phone", "/health",
])  # fmt: skip
@pytest.mark.parametrize("language", languages())
def test_every_page_is_whole_and_has_nothing_inline(shared_stage: Stage, path: str, language: str):
    client = shared_stage.app.test_client()
    client.set_cookie("language", language)
    answer = client.get(path)
    page = answer.get_data(as_text=True)
    assert answer.status_code == 200
    assert f'<html lang="{language}"' in page
    assert not re.search(r"<script(?![^>]*\bsrc=)", page)
    assert "<style" not in page
    assert not re.search(r"\s(style|on\w+)=", page)
    assert not re.search(r'(?:src|href)="(?:https?:)?//', page)
    for address in re.findall(r'(?:src|href)="(/[^"#]*)"', page):
        with client.get(address) as linked:
            assert linked.status_code == 200, address


def test_rules_nested_too_deep_are_refused_in_a_sentence(shared_stage: Stage):
    answer = shared_stage.client.post("/api/v1/rules/check", json={"text": "x = " + "[" * 20_000})
    assert answer.status_code == 400
    assert "nested deeper" in answer.get_json()["error"]["message"]


def test_a_theme_is_painted_by_the_server(stage: Stage):
    stage.client.set_cookie("theme", "dark")
    assert 'data-theme="dark"' in stage.client.get("/").get_data(as_text=True)
    stage.client.set_cookie("theme", '"><script>')
    assert "data-theme" not in stage.client.get("/").get_data(as_text=True)


def test_the_code_leads_to_the_address_by_number():
    here = ["http://yacht.local:8080", "http://127.0.0.1:8080"]
    stage = Stage(WebConfig(addresses=lambda: tuple(here)))
    before = stage.client.get("/join.svg").data
    here[1] = "http://192.168.1.20:8080"  # the network came after the station
    answer = stage.client.get("/join.svg")
    assert answer.mimetype == "image/svg+xml"
    assert b"<svg" in answer.data
    assert answer.data != before
    page = stage.client.get("/tv").get_data(as_text=True)
    assert "http://192.168.1.20:8080" in page
    assert "http://yacht.local:8080" in page


def test_the_manifest_names_icons_that_are_there(shared_stage: Stage):
    manifest = json.loads(shared_stage.client.get("/manifest.webmanifest").data)
    for icon in manifest["icons"]:
        with shared_stage.client.get(icon["src"]) as answer:
            assert answer.mimetype == icon["type"]
            width = int.from_bytes(answer.data[16:20], "big")
        assert icon["sizes"] == f"{width}x{width}"


def test_health_has_the_stations_checks_the_worst_first():
    checks = [
        Check("disk", Level.OK, "12 GB left"),
        Check("temperature", Level.PROBLEM, "83 °C: give it air"),
    ]
    stage = Stage(checks=lambda: checks)
    found = stage.client.get("/api/v1/health").get_json()["checks"]
    assert found[0]["name"] == "Temperature"
    assert {check["name"] for check in found} == {"Temperature", "Disk", "Screens"}
    assert "83 °C" in stage.client.get("/health").get_data(as_text=True)


def test_a_sentence_begins_with_a_capital_and_a_path_as_it_is():
    """Of `/data/yacht.sqlite3` browsers would write the first letter large, too."""
    told = (
        "simulated tray, last picture 0.1 s ago.",
        "/data/yacht.sqlite3 is sound.",
        "http://camera.local is gone.",
    )
    stage = Stage(checks=lambda: [Check("disk", Level.OK, each) for each in told])
    page = stage.client.get("/health").get_data(as_text=True)
    looks = {said: look for look, said in re.findall(r'class="check-said([^"]*)">(.*?)<', page)}
    assert [looks[each] for each in told] == [" begins", "", ""]


@pytest.mark.needs_feature("teams")
def test_the_bundle_holds_what_helps_and_no_names():
    stage = Stage(log_tail=lambda: "INFO station: ready")
    team = {"name": "Reds", "members": ["Hortensia", "Ottokar"]}
    stage.do("start_game", players=["Annabelle", "Ben-Joel", team], rules="yacht-1938")
    for player in range(3):
        stage.do("enter_roll", faces=[2, 3, 4, 5, 6])
        stage.do("score_box", category="choice")
        if player:
            stage.do("enter_roll", faces=[1, 1, 1, 1, 1])
    answer = stage.client.get("/api/v1/problem.zip")
    with zipfile.ZipFile(io.BytesIO(answer.data)) as bundle:
        assert set(bundle.namelist()) == {"tray.jpg", "state.json", "health.json", "versions.json", "log.txt"}
        text = b"".join(bundle.read(name) for name in bundle.namelist())
    assert not [
        name for name in (b"Annabelle", b"Ben-Joel", b"Hortensia", b"Ottokar", b"Reds") if name in text
    ]
    assert b"player 3" in text
    assert b"INFO station: ready" in text


@pytest.mark.parametrize("year", [1970, 2200])
def test_the_bundle_is_made_whatever_the_clock_says(stage: Stage, monkeypatch: pytest.MonkeyPatch, year: int):
    """A Pi without network begins in 1970; a zip knows 1980 to 2107."""
    monkeypatch.setattr("time.localtime", lambda *_: time.struct_time((year, 1, 1, 12, 0, 0, 3, 1, 0)))
    answer = stage.client.get("/api/v1/problem.zip")
    assert answer.status_code == 200
    with zipfile.ZipFile(io.BytesIO(answer.data)) as bundle:
        assert bundle.testzip() is None
        assert {each.date_time[0] for each in bundle.infolist()} <= {1980, 2107}


def test_text_is_compressed_for_who_can_read_it(shared_stage: Stage):
    plain = shared_stage.client.get("/assets/x/words/de.js")
    small = shared_stage.client.get("/assets/x/words/de.js", headers={"Accept-Encoding": "gzip"})
    assert small.headers["Content-Encoding"] == "gzip"
    assert len(small.data) < len(plain.data) / 2
    assert "Accept-Encoding" in small.headers["Vary"]
    assert "Content-Encoding" not in shared_stage.client.get("/api/v1/frame.jpg").headers


@pytest.fixture
def home(tmp_path: Path) -> Stage:
    return Stage(house_rules=HouseRules(tmp_path))


def test_every_rule_set_may_be_chosen(home: Stage):
    many = GOOD.replace("[2, 6]", "[3, 20]")
    assert home.client.post("/api/v1/rules", json={"text": many}).status_code == 200
    house, *listed = home.client.get("/api/v1/rules").get_json()["rules"]
    assert (house["id"], house["house"]) == ("grandma", True)
    assert (house["players_min"], house["players_max"]) == (3, 12)
    assert [each["id"] for each in listed] == [*built_in_ids(), *games.texts()]
    for each in listed:
        rules = games.rules_of(each["id"])
        assert (each["players_min"], each["players_max"]) == rules.players
        assert each["house"] is False
        assert (each["together"], each["big_general"], each["throws_for_start"]) == (
            each["id"] == "shared-roll",
            each["id"] in {"general", "general-chance", "generala"},
            each["id"] in {"treasurehouse", "game-rules-guru", "yahtzee"},
        )


def test_the_list_of_rule_sets_is_sent_again_only_when_it_has_changed(tmp_path: Path):
    house = HouseRules(tmp_path)
    stage = Stage(table=Table(house_rules=house.texts), house_rules=house)
    house.changed = stage.table.refresh

    def listed(etag: str = "", language: str = "en") -> Response:
        answer = stage.client.get(
            "/api/v1/rules", headers={"If-None-Match": etag, "Accept-Language": language}
        )
        assert answer.headers["Cache-Control"] == "no-cache"
        return answer

    def version() -> str:
        return str(stage.table.snapshot().rules_version)

    first = listed()
    etag, before = first.headers["ETag"], version()
    assert first.get_json()["version"] == before
    stage.do("start_game", players=["Ana"], rules="yacht-1938")
    again = listed(etag)
    assert (again.status_code, again.data) == (304, b"")
    assert listed(etag, "de").get_json()["version"] == before
    assert stage.client.post("/api/v1/rules", json={"text": MINE}).status_code == 200
    changed = listed(etag)
    assert changed.status_code == 200
    assert changed.get_json()["version"] == version() != before


def test_house_rules_are_checked_kept_and_forgotten(home: Stage):
    checked = home.client.post("/api/v1/rules/check", json={"text": MINE})
    assert checked.get_json()["id"] == "lake"
    assert any("Full House" in line for line in checked.get_json()["lines"])
    assert home.client.post("/api/v1/rules", json={"text": MINE}).status_code == 200
    listed = home.client.get("/api/v1/rules").get_json()["rules"]
    assert (listed[0]["id"], listed[0]["house"]) == ("lake", True)
    assert home.client.get("/api/v1/rules/lake").get_json()["text"] == MINE
    assert home.client.delete("/api/v1/rules/lake").status_code == 403
    become_host(home.client)
    assert home.client.delete("/api/v1/rules/lake").get_json() == {"deleted": "lake"}
    assert home.client.get("/api/v1/rules/lake").status_code == 404


def test_a_mistake_in_house_rules_is_said_with_its_line(home: Stage):
    answer = home.client.post(
        "/api/v1/rules/check", json={"text": MINE.replace("threshold = 63", "threshold = 999")}
    )
    assert answer.status_code == 400
    assert re.search(r"line \d+", answer.get_json()["error"]["message"])


def test_rules_of_the_station_stay(home: Stage):
    become_host(home.client)
    assert home.client.delete("/api/v1/rules/yacht-1938").status_code == 400


@pytest.mark.parametrize("path", ["/setup", "/setup/rules", "/setup/mounting", "/setup/calibrate"])
def test_the_pages_below_setup_are_marked_as_setup(shared_stage: Stage, path: str):
    page = shared_stage.client.get(path).get_data(as_text=True)
    assert page.count('aria-current="page"') == 1
    assert '<a href="/setup" aria-current="page">' in page
