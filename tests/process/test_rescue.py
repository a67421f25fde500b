"""Whatever is wrong with the games: the real process opens its page, says so, and one press helps."""

import contextlib
import os
import shutil
import sqlite3
import subprocess
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from station.store import FILE_NAME, Store
from station.table.table import Table
from tests.process.station import DEADLINE_S, RunningStation
from tests.store.helpers import chained, play

pytestmark = pytest.mark.slow

AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a disk")
COPY = "yacht-20260106-120000-event-4.sqlite3"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder with a copy of one game, and two games in its database."""
    return two_games(tmp_path / "data")


def two_games(folder: Path) -> Path:
    """Make such a folder."""
    with closing(Store(folder)) as store:
        table = Table(store)
        play(table)
        store.backup(folder / "backups" / COPY)
        play(table)
    return folder


def ways(station: RunningStation) -> list[dict[str, str]]:
    """What the station offers, once it has looked at what can be read."""
    for _ in range(int(DEADLINE_S * 20)):
        found = station.get("/api/v1/rescue")
        if not found["looking"]:
            return found["offers"]
        time.sleep(0.05)
    raise AssertionError(found)


def choose(station: RunningStation, choice: str, status: int = 200) -> dict[str, object]:
    answered, answer = station.post("/api/v1/rescue", {"choice": choice})
    assert answered == status, answer
    return answer


def score_choice(station: RunningStation) -> None:
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


def change(number: int, old: str, new: str, *, sealed: bool) -> Callable[[Path], None]:
    """Changes that event of a database; sealed: as if a station had written it so."""

    def changed(folder: Path) -> None:
        with closing(sqlite3.connect(folder / FILE_NAME)) as db:
            db.execute("UPDATE events SET body = replace(body, ?, ?) WHERE id = ?", (old, new, number))
            db.commit()
            if sealed:
                chained(db)
                (folder / "yacht.last").unlink()

    return changed


SPOILT = {
    "damaged": (spoil, "damaged", ["copy", "anew"], "1 finished game, the last on"),
    "removed": (lambda folder: (folder / FILE_NAME).unlink(), "missing or empty", ["copy", "anew"], ""),
    "empty": (lambda folder: (folder / FILE_NAME).write_bytes(b""), "missing or empty", ["copy", "anew"], ""),
    "a changed event": (
        change(6, "6", "5", sealed=False), "Event 6 in", ["salvage", "copy", "anew"],
        "1 finished game (events: 5). Events lost: 3.",
    ),
    "rules that nobody has": (
        change(5, "yacht-1938", "poker", sealed=True), "poker", ["salvage", "copy", "anew"],
        "1 finished game",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", SPOILT)
def test_whatever_is_wrong_one_choice_brings_games_back_and_loses_none_played_meanwhile(
    data: Path, what: str
):
    damage, trouble, choices, sentence = SPOILT[what]
    damage(data)
    before = (data / FILE_NAME).read_bytes() if (data / FILE_NAME).exists() else None
    with RunningStation(data, background=what == "damaged") as station:
        assert trouble in station.state()["storage"]
        offers = ways(station)
        assert [offer["choice"].partition("/")[0] for offer in offers] == choices
        assert sentence in offers[0]["told"]
        score_choice(station)
        kept = choose(station, offers[0]["choice"])["kept"]
        state = station.state()
        assert state["storage"] is None
        assert state["players"][0]["boxes"]["choice"] == 15, "the game goes on where it was"
        station.send("end_game")
        assert games(station) == [["Cleo"], ["Ana", "Ben"]]
        assert what != "damaged" or (data / kept).read_bytes() == before
    with RunningStation(data) as again:
        assert (again.state()["storage"], games(again)) == (None, [["Cleo"], ["Ana", "Ben"]])


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


def test_a_sound_station_offers_nothing_and_refuses_every_choice(data: Path):
    with RunningStation(data) as station:
        assert station.get("/api/v1/rescue") == {"trouble": None, "offers": [], "looking": False}
        for choice in ("anew", "salvage", "again", "copy/../../etc/passwd", f"copy/{COPY}"):
            choose(station, choice, 422)


def test_seats_nested_without_end_do_not_keep_it_from_starting(data: Path):
    (data / "room.json").write_text("[" * 200_000)
    with RunningStation(data) as station:
        assert station.state()["storage"] is None
        assert games(station) == [["Ana", "Ben"], ["Ana", "Ben"]]


def filled(disk: Path) -> Path:
    """Let a small disk be full; the file to delete for room."""
    filler = disk / "filler"
    with contextlib.suppress(OSError), filler.open("ab", buffering=0) as file:
        while True:
            file.write(bytes(1024))
    return filler


def remount(disk: Path, how: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{how}", disk], check=True)


@AS_ROOT
@pytest.mark.parametrize("full", [True, False])
def test_a_disk_that_cannot_be_written_at_the_start_and_can_afterwards(
    data: Path, small_disk: Path, *, full: bool
):
    folder = shutil.copytree(data, small_disk / "data")
    filler = filled(small_disk) if full else remount(small_disk, "ro")
    with RunningStation(data.parent / "elsewhere", "--data", str(folder)) as station:
        assert station.state()["storage"]
        assert not full or games(station) == []
        score_choice(station)
        assert choose(station, "again", 503)
        filler.unlink() if filler else remount(small_disk, "rw")
        choose(station, "again")
        assert station.state()["storage"] is None
        station.send("end_game")
        assert games(station) == [["Cleo"], ["Ana", "Ben"], ["Ana", "Ben"]]


@AS_ROOT
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
        checks = {check["id"]: check["status"] for check in station.get("/api/v1/health")["checks"]}
        assert checks["disk"] == "problem"
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


def test_a_data_folder_that_cannot_be_made(tmp_path: Path):
    (tmp_path / "file").write_text("no folder")
    with RunningStation(tmp_path / "elsewhere", "--data", str(tmp_path / "file" / "data")) as station:
        assert "cannot be written" in station.state()["storage"]
        score_choice(station)


def test_a_second_place_for_copies_that_is_gone_is_told_by_health(tmp_path: Path):
    settings = tmp_path / "stick.toml"
    settings.write_text(f'backups_second = "{tmp_path}/stick"\n')
    with RunningStation(tmp_path / "data", "--config", str(settings)) as station:
        score_choice(station)
        station.send("end_game")
        for _ in range(int(DEADLINE_S * 5)):
            checks = {check["id"]: check["message"] for check in station.get("/api/v1/health")["checks"]}
            if "copies" in checks:
                break
            time.sleep(0.2)
        assert "second place for copies" in checks["copies"]
        assert len(list((tmp_path / "data" / "backups").iterdir())) == 1
