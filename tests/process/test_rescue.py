"""Whatever is wrong with the games: the real process opens its page, says so, and one press helps."""

import contextlib
import json
import os
import shutil
import sqlite3
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request
from contextlib import closing
from pathlib import Path

import pytest

from station.store import FILE_NAME, Store
from station.store.chain import chain, put_seals
from station.table.table import Table
from tests.asking import do
from tests.process.station import DEADLINE_S, RunningStation

pytestmark = pytest.mark.slow


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder with a copy of one game, and two games in its database."""
    return two_games(tmp_path / "data")


def two_games(folder: Path) -> Path:
    """Make such a folder."""
    with closing(Store(folder)) as store:
        table = Table(store)
        for number in (1, 2):
            do(table, {"command": "start_game", "players": ["Ana", "Ben"], "rules": "yacht-1938"})
            do(table, {"command": "enter_roll", "faces": [6, 6, 6, 6, 6]})
            do(table, {"command": "score_box", "category": "yacht"})
            do(table, {"command": "end_game"})
            if number == 1:
                store.backup(folder / "backups" / "yacht-20260106-120000-event-4.sqlite3")
    return folder


def ways(station: RunningStation) -> dict[str, object]:
    """What the station offers, once it has looked at what can be read."""
    for _ in range(int(DEADLINE_S * 20)):
        found = station.get("/api/v1/rescue")
        if not found["looking"]:
            return found
        time.sleep(0.05)
    raise AssertionError(found)


def choose(station: RunningStation, choice: str) -> dict[str, object]:
    body = json.dumps({"choice": choice}).encode()
    request = urllib.request.Request(  # noqa: S310 - our own http
        f"{station.url}/api/v1/rescue", body, {"content-type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=DEADLINE_S) as answer:  # noqa: S310 - our own http
        return json.load(answer)


def page(station: RunningStation, path: str) -> str:
    with urllib.request.urlopen(station.url + path, timeout=DEADLINE_S) as answer:  # noqa: S310 - our own http
        return answer.read().decode()


def play(station: RunningStation) -> None:
    station.send("start_game", players=["Cleo"], rules="yacht-1938")
    station.send("enter_roll", faces=[1, 2, 3, 4, 5])
    station.send("score_box", category="choice")


def games(station: RunningStation) -> list[list[str]]:
    found = station.get("/api/v1/history")["games"]
    return [[player["name"] for player in game["players"]] for game in found]


def spoil(folder: Path) -> None:
    path = folder / FILE_NAME
    content = path.read_bytes()
    path.write_bytes(b"\xff" * 100 + content[100:])


def test_a_damaged_database_a_copy_and_a_game_played_meanwhile(data: Path):
    spoil(data)
    damaged = (data / FILE_NAME).read_bytes()
    with RunningStation(data) as station:
        assert "damaged" in station.state()["storage"]
        assert 'role="alert"><a href="/rescue">' in page(station, "/")
        assert "damaged" in page(station, "/rescue")
        found = ways(station)
        assert [offer["choice"].partition("/")[0] for offer in found["offers"]] == ["copy", "anew"]
        assert "1 finished game, the last on" in found["offers"][0]["told"]
        play(station)
        assert (data / FILE_NAME).read_bytes() == damaged
        kept = choose(station, found["offers"][0]["choice"])["kept"]
        state = station.state()
        assert state["storage"] is None
        assert state["players"][0]["boxes"]["choice"] == 15, "the game goes on where it was"
        station.send("end_game")
        assert games(station) == [["Cleo"], ["Ana", "Ben"]]
        assert (data / kept).read_bytes() == damaged
    with RunningStation(data) as again:
        assert again.state()["storage"] is None
        assert games(again) == [["Cleo"], ["Ana", "Ben"]]


def throw(station: RunningStation) -> None:
    """A throw that the camera sees, confirmed."""
    station.send("throw")
    station.wait_for(lambda state: state["turn"] == "unconfirmed" and state["reading"]["status"] == "ready")
    station.send("accept_roll")


def test_pictures_of_throws_are_kept_from_when_games_are_stored_again(data: Path):
    """Only a new start of the station had them kept, which nobody knew."""
    earlier = data / "pictures" / "1" / "0-1-1.jpg"
    earlier.parent.mkdir(parents=True)
    earlier.write_bytes(b"of the game that has this number")
    spoil(data)
    settings = data.with_name("pictures.toml")
    settings.write_text("keep_pictures = true\n[simulated]\npace = 8\nfps = 10\n")
    with RunningStation(data, "--config", str(settings)) as station:
        station.send("start_game", players=["Cleo"], rules="yacht-1938")
        throw(station)
        assert earlier.read_bytes() == b"of the game that has this number"
        assert [path.name for path in (data / "pictures").iterdir()] == ["1"]
        choose(station, "anew")
        throw(station)
        kept = data / "pictures" / str(station.state()["game"]) / "0-1-2.jpg"
        assert kept.read_bytes().startswith(b"\xff\xd8")


@pytest.mark.parametrize("content", [None, b""])
def test_a_database_that_went_missing_beside_its_copies(data: Path, content: bytes | None):
    (data / FILE_NAME).unlink()
    if content is not None:
        (data / FILE_NAME).write_bytes(content)
    with RunningStation(data) as station:
        assert "missing or empty" in station.state()["storage"]
        (copy, anew) = ways(station)["offers"]
        assert anew["choice"] == "anew"
        choose(station, copy["choice"])
        assert games(station) == [["Ana", "Ben"]]


def test_a_changed_event_and_every_whole_one_before_it(data: Path):
    with closing(sqlite3.connect(data / FILE_NAME)) as db:
        db.execute("UPDATE events SET body = replace(body, '6', '5') WHERE id = 6")
        db.commit()
    with RunningStation(data) as station:
        assert "Event 6 in" in station.state()["storage"]
        offers = ways(station)["offers"]
        assert [offer["choice"].partition("/")[0] for offer in offers] == ["salvage", "copy", "anew"]
        assert "1 finished game (events: 5). Events lost: 3." in offers[0]["told"]
        choose(station, "salvage")
        assert games(station) == [["Ana", "Ben"]]
        assert station.state()["players"][0]["boxes"]["yacht"] is None
        assert station.state()["phase"] == "throwing"


def test_a_game_by_rules_that_nobody_has(data: Path):
    with closing(sqlite3.connect(data / FILE_NAME)) as db:
        db.execute("UPDATE events SET body = replace(body, 'yacht-1938', 'poker') WHERE id = 5")
        chain(db)
        put_seals(db)
        db.commit()
    (data / "yacht.last").unlink()
    with RunningStation(data) as station:
        assert "cannot be continued" in station.state()["storage"]
        assert "poker" in station.state()["storage"]
        ways(station)
        choose(station, "salvage")
        assert games(station) == [["Ana", "Ben"]]
        play(station)


def test_what_is_not_offered_is_refused_and_a_well_station_offers_nothing(data: Path):
    with RunningStation(data) as station:
        assert station.get("/api/v1/rescue") == {"trouble": None, "offers": [], "looking": False}
        for choice in (
            "anew",
            "salvage",
            "again",
            "copy/../../etc/passwd",
            "copy/yacht-20260106-120000-event-4.sqlite3",
        ):
            with pytest.raises(urllib.error.HTTPError) as refused:
                choose(station, choice)
            assert refused.value.code == 422
            refused.value.close()
        assert "All is well" in page(station, "/rescue")


def test_a_button_of_the_page_does_it_too(data: Path):
    spoil(data)
    with RunningStation(data) as station:
        choice = ways(station)["offers"][0]["choice"]
        body = urllib.parse.urlencode({"choice": choice}).encode()
        with urllib.request.urlopen(f"{station.url}/rescue", body, timeout=DEADLINE_S) as answer:  # noqa: S310 - our own http
            assert "What was there before is in yacht-before-" in answer.read().decode()
        assert games(station) == [["Ana", "Ben"]]


def filled(disk: Path) -> Path:
    """Let a small disk be full; the file to delete for room."""
    filler = disk / "filler"
    with contextlib.suppress(OSError), filler.open("ab", buffering=0) as file:
        while True:
            file.write(bytes(1024))
    return filler


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a disk")
def test_a_full_disk_at_the_start_and_room_made_afterwards(data: Path, small_disk: Path):
    folder = shutil.copytree(data, small_disk / "data")
    filler = filled(small_disk)
    with RunningStation(data.parent / "elsewhere", "--data", str(folder)) as station:
        assert station.state()["storage"]
        assert games(station) == []
        play(station)
        with pytest.raises(urllib.error.HTTPError) as refused:
            choose(station, "again")
        refused.value.close()
        filler.unlink()
        choose(station, "again")
        assert station.state()["storage"] is None
        station.send("end_game")
        assert games(station) == [["Cleo"], ["Ana", "Ben"], ["Ana", "Ben"]]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a disk")
def test_a_disk_that_is_full_in_the_middle_of_a_game_and_room_made_afterwards(
    tmp_path: Path, small_disk: Path
):
    folder = ("--data", str(small_disk / "data"))
    with RunningStation(tmp_path / "elsewhere", *folder) as station:
        station.send("start_game", players=["Ana", "Ben"], rules="yacht-1938")
        station.send("enter_roll", faces=[6, 6, 6, 6, 6])
        station.send("score_box", category="yacht")
        status = 200
        while status == 200:  # what is left of the database's own pages takes a step or two
            filler = filled(small_disk)
            before = station.state()
            rolled = before["phase"] == "holding"
            status, answer = station.try_to("undo") if rolled else station.try_to("enter_roll", faces=[1] * 5)
        assert (status, answer["error"]["code"]) == (503, "store/full")
        assert "Make room and do it again." in answer["error"]["message"]
        assert station.try_to("end_game")[0] == 503
        assert station.state() == before
        told = {check["id"]: check["status"] for check in station.get("/api/v1/health")["checks"]}
        assert told["disk"] == "problem"
        filler.unlink()
        if before["phase"] == "throwing":
            station.send("enter_roll", faces=[1] * 5)
        last = station.send("score_box", category="choice")
        station.kill()
    with RunningStation(tmp_path / "elsewhere", *folder) as station:
        again = station.state()
        assert [each["boxes"] for each in again["players"]] == [each["boxes"] for each in last["players"]]
        found = [(each["boxes"]["yacht"], each["boxes"]["choice"]) for each in again["players"]]
        assert found == [(50, None), (None, 5)]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a disk")
def test_a_disk_that_cannot_be_written_at_the_start(data: Path, small_disk: Path):
    folder = shutil.copytree(data, small_disk / "data")
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    with RunningStation(data.parent / "elsewhere", "--data", str(folder)) as station:
        assert station.state()["storage"]
        play(station)
        subprocess.run(["mount", "-o", "remount,rw", small_disk], check=True)
        choose(station, "again")
        station.send("end_game")
        assert games(station) == [["Cleo"], ["Ana", "Ben"], ["Ana", "Ben"]]


def test_a_data_folder_that_cannot_be_made(tmp_path: Path):
    (tmp_path / "file").write_text("no folder")
    with RunningStation(tmp_path / "elsewhere", "--data", str(tmp_path / "file" / "data")) as station:
        assert "cannot be written" in station.state()["storage"]
        play(station)


def test_seats_nested_without_end_do_not_keep_it_from_starting(data: Path):
    (data / "room.json").write_text("[" * 200_000)
    with RunningStation(data) as station:
        assert station.state()["storage"] is None
        assert games(station) == [["Ana", "Ben"], ["Ana", "Ben"]]


def test_a_second_place_for_copies_that_is_gone_is_told_by_health(tmp_path: Path):
    settings = tmp_path / "stick.toml"
    settings.write_text(f'backups_second = "{tmp_path}/stick"\n')
    with RunningStation(tmp_path / "data", "--config", str(settings)) as station:
        play(station)
        station.send("end_game")
        for _ in range(int(DEADLINE_S * 5)):
            told = {check["id"]: check["message"] for check in station.get("/api/v1/health")["checks"]}
            if "copies" in told:
                break
            time.sleep(0.2)
        assert "second place for copies" in told["copies"]
        assert len(list((tmp_path / "data" / "backups").iterdir())) == 1
