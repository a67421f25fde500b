"""Past games: pages, export, backups, paper, and forgetting them."""

import codecs
import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

from station.rules import built_in
from tests.asking import do
from tests.web.archived import Archived, archive
from tests.web.hosting import become_host
from tests.web.pdf import written
from web.history import rivals, statistics

__all__ = ["archive"]


def test_an_empty_archive_says_so(archive: Archived):
    assert "No game has been finished here yet" in archive.client.get("/history").get_data(as_text=True)
    assert archive.client.get("/api/v1/history").get_json() == {"games": []}
    assert archive.client.get("/history/1").status_code == 404


def test_a_game_whose_end_was_taken_back_goes_on_and_leads_to_the_table(archive: Archived):
    number = archive.play("Ana", "Ben", turns=2)
    assert archive.client.get(f"/history/{number}").status_code == 200
    do(archive.table, {"command": "undo"})
    page = archive.client.get(f"/history/{number}")
    assert page.status_code == 404
    assert "This game is still being played" in page.text
    assert 'href="/"' in page.text
    for path in ("", "/review"):
        answer = archive.client.get(f"/api/v1/history/{number}{path}")
        assert (answer.status_code, answer.get_json()["error"]["code"]) == (404, "history/goes_on")
    assert "nothing at this address" in archive.client.get(f"/history/{number + 1}").text
    do(archive.table, {"command": "end_game"})
    assert archive.client.get(f"/history/{number}").status_code == 200


def test_every_screen_is_told_that_past_games_are_others(archive: Archived):
    """By the number of the room: with it come the names that are known, and pages ask for the evening."""
    viewers = archive.app.extensions["viewers"]

    def known() -> tuple[object, list[str]]:
        line = viewers.listen("en")
        chunk = next(each for each in line if b"event: room" in each)
        line.close()
        data = json.loads(chunk.partition(b"event: room\ndata: ")[2].partition(b"\n")[0])
        return viewers._room()[0], sorted(data["known"])

    become_host(archive.client)
    before, names = known()
    assert names == []
    number = archive.play("Ana", "Ben", turns=1)
    played, names = known()
    assert names == ["Ana", "Ben"]
    assert archive.client.get("/api/v1/room").get_json()["played"] == ["world-51"]
    archive.client.delete(f"/api/v1/history/{number}")
    deleted, names = known()
    assert names == []
    archive.client.post(f"/api/v1/history/{number}/undelete")
    back, names = known()
    assert names == ["Ana", "Ben"]
    assert len({before, played, deleted, back}) == 4


def test_a_screen_that_comes_in_the_next_game_is_told_who_played_the_last(archive: Archived):
    viewers = archive.app.extensions["viewers"]

    def known() -> tuple[str, ...]:
        return viewers._room()[1].known

    do(archive.table, {"command": "start_game", "players": ["Ana", "Ben"], "rules": "yacht-1938"})
    assert known() == ()
    do(archive.table, {"command": "enter_roll", "faces": [6, 6, 6, 6, 6]})
    do(archive.table, {"command": "score_box", "category": "yacht"})
    do(archive.table, {"command": "end_game"})  # while no screen is there
    do(archive.table, {"command": "start_game", "players": ["Cleo"], "rules": "yacht-1938"})
    assert set(known()) == {"Ana", "Ben"}


@pytest.mark.thorough
def test_pages_and_api_have_the_games(archive: Archived):
    number = archive.play("Ana", "Ben & <Söhne>")
    archive.play("Ana", "Ben & <Söhne>", seed=2)
    page = archive.client.get("/history").get_data(as_text=True)
    assert "Ben &amp; &lt;Söhne&gt;" in page
    assert "<Söhne>" not in page
    assert 'class="chart"' in page
    one = archive.client.get(f"/history/{number}").get_data(as_text=True)
    assert "Luck and skill" in one
    past = archive.client.get(f"/api/v1/history/{number}").get_json()
    assert past["events"][0]["kind"] == "game_started"
    assert sum(player["won"] for player in past["players"]) >= 1


@pytest.mark.thorough
def test_the_sheet_of_a_game_adds_up_with_further_yachts(archive: Archived):
    number = do(archive.table, {"command": "start_game", "players": ["Ana", "Ben"], "rules": "yahtzee"})[
        "game"
    ]
    for faces, box in (([6] * 5, "yacht"), ([1] * 5, "choice"), ([6] * 5, "sixes")):
        do(archive.table, {"command": "enter_roll", "faces": faces})
        do(archive.table, {"command": "score_box", "category": box})
    do(archive.table, {"command": "end_game"})
    page = archive.client.get(f"/history/{number}").get_data(as_text=True)
    lines = [re.findall(r">([^<>\s][^<>]*)</t[hd]>", line) for line in page.splitlines()]
    rows = {name: figures for name, *figures in filter(None, lines)}
    assert rows["Extra"] == ["100", "0"]
    (total,) = re.findall(r"<strong>(\d+)</strong>", page)[:1]
    assert int(total) == 50 + 30 + 100
    assert rows["Upper total"] == ["30", "0"]
    plain = archive.play("Ana", rules="yacht-1938", turns=1)
    page = archive.client.get(f"/history/{plain}").get_data(as_text=True)
    assert [each for each in ("Extra", "Upper total", "Bonus") if each in page] == []


@pytest.mark.parametrize("number", ["9" * 18, "9" * 19, "9" * 23, "9" * 5000])
def test_a_game_of_a_number_that_cannot_be_is_not_there(archive: Archived, number: str):
    assert archive.client.get(f"/history/{number}").status_code == 404
    become_host(archive.client)
    assert archive.client.post(f"/history/{number}/delete").status_code == 404
    assert archive.client.get(f"/api/v1/history/{number}").status_code == 404
    assert archive.client.delete(f"/api/v1/history/{number}").status_code == 404


def test_the_picture_of_a_throw_is_asked_for_as_people_sat_at_the_end(archive: Archived):
    number = archive.play("Ana", "Ben", turns=2)
    for asked in (
        {"command": "undo"},
        {"command": "move_player", "player": 0, "to": 1},
        {"command": "end_game"},
    ):
        do(archive.table, asked)
    assert archive.client.get(f"/history/{number}/0-1-1.jpg").status_code == 404
    assert archive.sit == ["Ben", "Ana"]


@pytest.mark.parametrize(("language", "parted"), [("en", ","), ("de", ";"), ("fr", ";")])
def test_a_spreadsheet_program_takes_the_file_of_the_page_as_it_is(
    archive: Archived, language: str, parted: str
):
    """Without the mark at its beginning they read umlauts as two signs each, and all of it as one column."""
    archive.play("Jürgen", "Zoë")
    archive.client.set_cookie("language", language)
    page = archive.client.get("/history").get_data(as_text=True)
    (address,) = re.findall(r'href="([^"]+csv)"', page)
    answer = archive.client.get(address)
    assert answer.mimetype == "text/csv"
    assert answer.data.startswith(codecs.BOM_UTF8)
    lines = list(csv.DictReader(io.StringIO(answer.data.decode("utf-8-sig")), delimiter=parted))
    assert [line["player"] for line in lines] == ["Jürgen", "Zoë"]
    assert lines[0]["game"] == "1"


def test_the_export_has_a_line_for_each_player(archive: Archived):
    archive.play("=cmd()", "Ben")
    archive.play("Ana", rules="yacht-1938", turns=3)
    answer = archive.client.get("/api/v1/export.csv")
    assert answer.mimetype == "text/csv"
    lines = list(csv.DictReader(io.StringIO(answer.get_data(as_text=True))))
    assert [line["player"] for line in lines] == ["'=cmd()", "Ben", "Ana"]
    assert lines[2]["ended_early"] == "True"
    assert lines[2]["yacht"] in {"", "0"}
    assert sum(int(lines[0][box] or 0) for box in built_in("world-51").categories) + int(
        lines[0]["bonus"]
    ) == int(lines[0]["total"])
    assert len(archive.client.get("/api/v1/export.json").get_json()["games"]) == 2


@pytest.mark.needs_feature("handicaps")
def test_the_sums_of_a_line_of_the_export_add_up_where_one_began_with_points(archive: Archived):
    players = [{"name": "Ana", "handicap": 30}, "Ben"]
    do(archive.table, {"command": "start_game", "players": players, "rules": "yahtzee"})
    do(archive.table, {"command": "enter_roll", "faces": [5, 5, 5, 2, 2]})
    do(archive.table, {"command": "score_box", "category": "full-house"})
    do(archive.table, {"command": "end_game"})
    rows = csv.DictReader(io.StringIO(archive.client.get("/api/v1/export.csv").get_data(as_text=True)))
    sums = [(row["full-house"], row["handicap"], row["total"]) for row in rows]
    assert sums == [("25", "30", "55"), ("", "0", "0")]


def test_a_backup_is_put_back_while_the_station_runs(archive: Archived):
    kind = {"Content-Type": "application/vnd.sqlite3"}
    archive.play("Ana")
    become_host(archive.client)
    data = archive.client.get("/api/v1/backup").data
    archive.play("Ben")
    assert len(archive.client.get("/api/v1/history").get_json()["games"]) == 2
    answer = archive.client.post("/api/v1/restore", data=data, headers=kind)
    assert answer.get_json()["kept"]
    names = [game["players"][0]["name"] for game in archive.client.get("/api/v1/history").get_json()["games"]]
    assert names == ["Ana"]


def test_a_copy_for_which_there_is_no_room_is_told_so(archive: Archived, monkeypatch: pytest.MonkeyPatch):
    archive.play("Ana")
    become_host(archive.client)
    opened = Path.open
    monkeypatch.setattr(Path, "open", lambda _, mode="r": opened(Path("/dev/full"), mode))
    kind = {"Content-Type": "application/vnd.sqlite3"}
    answer = archive.client.post("/api/v1/restore", data=bytes(100), headers=kind)
    monkeypatch.undo()
    assert answer.status_code == 503
    assert "No space left on device" in answer.get_json()["error"]["message"]


def test_what_is_no_backup_changes_nothing(archive: Archived):
    kind = {"Content-Type": "application/vnd.sqlite3"}
    archive.play("Ana")
    become_host(archive.client)
    for data in (b"", b"no database", b'{"tables": 1}', b"SQLite format 3" + bytes(300_000)):
        answer = archive.client.post("/api/v1/restore", data=data, headers=kind)
        assert answer.status_code == 400
        assert answer.get_json()["error"]["message"].startswith("yacht-backup.sqlite3 ")
    other = archive.client.post("/api/v1/restore", json={})
    assert (other.status_code, other.get_json()["error"]["code"]) == (415, "request/not_copy")
    assert other.get_json()["error"]["message"].endswith("content-type: application/vnd.sqlite3.")
    do(archive.table, {"command": "start_game", "players": ["Ana"], "rules": "yacht-1938"})
    good = archive.client.get("/api/v1/backup").data
    assert archive.client.post("/api/v1/restore", data=good, headers=kind).status_code == 422
    assert len(archive.client.get("/api/v1/history").get_json()["games"]) == 1


def cut_short(archive: Archived, *commands: dict[str, Any], rules: str = "general") -> int:
    state = do(archive.table, {"command": "start_game", "players": ["Ana", "Ben"], "rules": rules})
    for command in commands:
        do(archive.table, command)
    return int(state["game"])


def test_the_thrower_of_a_big_general_has_won_everywhere(archive: Archived):
    number = cut_short(
        archive,
        {"command": "enter_roll", "faces": [5, 5, 5, 2, 2]},
        {"command": "score_box", "category": "fives"},
        {"command": "enter_roll", "faces": [4, 4, 4, 4, 4]},
    )
    (past,) = archive.client.get("/api/v1/history").get_json()["games"]
    assert past["ended_by"] == "big_general"
    assert [(player["name"], player["won"]) for player in past["players"]] == [("Ana", False), ("Ben", True)]
    page = archive.client.get(f"/history/{number}").get_data(as_text=True)
    assert "won at once by the big general" in page
    assert re.findall(r"<strong>(\d+)</strong>(?: <span aria-hidden=\"true\">(★))?", page) == [
        ("15", ""),
        ("0", "★"),
    ]
    paper_told = written(archive.client.get(f"/history/{number}/sheet.pdf").data)
    assert {"15", "0 ★"} <= set(paper_told.splitlines())
    assert "big general" in paper_told
    rows = csv.DictReader(io.StringIO(archive.client.get("/api/v1/export.csv").get_data(as_text=True)))
    assert [(row["won"], row["ended_by"]) for row in rows] == [("0", "big_general"), ("1", "big_general")]


def test_a_game_ended_early_is_won_by_nobody(archive: Archived):
    number = archive.play("Ana", "Ben", rules="yacht-1938", turns=3)
    assert "★" not in archive.client.get(f"/history/{number}").get_data(as_text=True)
    assert "★" not in written(archive.client.get(f"/history/{number}/sheet.pdf").data)
    ana, ben = statistics.players(archive.store.games(), "yacht-1938")
    won = next(each for each in statistics.STATISTICS if each.key == "statistic/wins")
    assert [won.figure(ana), won.figure(ben)] == [0, 0]
    assert rivals.rivals(archive.store.games(), "Ana") == ()
    assert rivals.ratings(archive.store.games()) == {}


@pytest.mark.needs_feature("stakes")
def test_who_owes_whom_is_told_by_the_names_shown_now(archive: Archived):
    game = archive.play("Tom", "Ben", stakes={"per_point": "0.05"})
    asked = {"name": "Tom", "to": "Thomas"}
    assert archive.client.post("/api/v1/people/rename", json=asked).status_code == 200
    (payment,) = archive.client.get(f"/api/v1/history/{game}").get_json()["settlement"]
    assert "Thomas" in payment["told"]
    assert "Tom " not in payment["told"]
