"""People: profiles, other names, ratings, rivals, records; and how names are taken back."""

import re
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import pytest

from messages.catalogue import languages
from station.screens.people import Sign
from station.screens.room import Room
from station.screens.room_file import ROOM_NAME
from station.store.archive import FinishedGame
from tests.web.archived import Archived, archive, column
from web.history.evening import evening, evenings
from web.history.records import records
from web.history.rivals import START, ratings, rivals
from web.history.statistics import players

__all__ = ["archive"]


def game(number: int, day: int = 1, rules: str = "yahtzee", **totals: int) -> FinishedGame:
    best = max(totals.values())
    players = tuple(column(name, total, won=total == best) for name, total in totals.items())
    at = f"2026-01-{day:02d}T19:{number % 60:02d}:00+00:00"
    return FinishedGame(number, rules, at, at, ended_early=False, ended_by="complete", players=players)


def test_a_rating_moves_by_what_was_not_expected():
    [first] = [ratings([game(1, Ana=300, Ben=200)])]
    assert first == {"Ana": (START + 16,), "Ben": (START - 16,)}
    games = [game(n, day=n, Ana=300, Ben=200) for n in range(9, 0, -1)]
    told = ratings(games)["Ana"]
    steps = [after - before for before, after in pairwise((START, *told))]
    assert len(told) == 9
    assert all(0 < later < earlier for earlier, later in pairwise(steps))
    assert sum(each[-1] for each in ratings(games).values()) == pytest.approx(2 * START)
    assert ratings([game(1, Ana=300)]) == {}
    assert ratings([game(1, Ana=300, Ben=300, Cleo=300)]) == dict.fromkeys(("Ana", "Ben", "Cleo"), (START,))


def test_an_evening_counts_once_however_many_games_it_had():
    games = [game(3, day=2, Ana=1, Ben=2), game(2, Ana=1, Ben=2), game(1, Ana=3, Ben=2)]
    assert [[each.game for each in one] for one in evenings(games)] == [[1, 2], [3]]
    assert len(ratings(games)["Ana"]) == 2


def test_rivals():
    games = [game(4, Ana=250, Ben=250), game(3, Ana=200, Ben=260), game(2, Ana=240, Ben=200, Cleo=100)]
    [ben, cleo] = rivals(games, "Ana")
    assert (ben.name, ben.games, ben.won, ben.lost) == ("Ben", 3, 1, 1)
    assert (cleo.name, cleo.games, cleo.won, cleo.lost) == ("Cleo", 1, 1, 0)


def test_a_game_is_whole_whose_open_boxes_may_stay_open():
    """House rules may have such boxes; only who left with boxes open has no sheet that counts."""

    def left_open(one: FinishedGame) -> FinishedGame:
        boxes = {"sixes": 12, "choice": None}
        return replace(one, players=tuple(replace(each, boxes=boxes) for each in one.players))

    games = [left_open(game(number, Ana=100 + number, Ben=90)) for number in (4, 3, 2, 1)]
    assert [(each.kind, each.name, each.points) for each in records(games)] == [("house", "Ana", 104)]
    assert [each.totals for each in players(games, "yahtzee")] == [(101, 102, 103, 104), (90,) * 4]
    ana, ben = games[0].players
    gone = replace(games[0], players=(ana, replace(ben, gone=True)))
    assert [each.name for each in gone.whole] == ["Ana"]
    assert replace(gone, ended_by="early").whole == ()


@pytest.mark.parametrize(
    ("latest", "told"),
    [
        ({"Ana": 301, "Ben": 200}, [("house", "Ana", 301, 300)]),
        ({"Ana": 300, "Ben": 200}, []),
        ({"Ana": 200, "Ben": 260}, [("own", "Ben", 260, 250)]),
        ({"Ana": 310, "Ben": 260}, [("house", "Ana", 310, 300), ("own", "Ben", 260, 250)]),
        ({"Ana": 310, "Ben": 310}, [("house", "Ana", 310, 300), ("house", "Ben", 310, 300)]),
        ({"Ana": 200, "Cleo": 260}, []),
    ],
)
def test_records(latest: dict[str, int], told: list[tuple[str, str, int, int]]):
    before = [game(3, Ana=300, Ben=200), game(2, Ana=200, Ben=250), game(1, Ana=100, Ben=200)]
    found = records([game(4, **latest), *before])
    assert [(each.kind, each.name, each.points, each.before) for each in found] == told
    assert records([game(4, **latest), *before[:2]]) == ()
    assert records([game(4, rules="yatzy", **latest), *before]) == ()
    assert evening([game(4, **latest), *before], datetime.now(UTC)).records == found


def test_a_player_is_renamed_and_put_together_and_taken_apart(archive: Archived):
    archive.play("Tom", "Ana")
    archive.play("Thomas", "Ana", seed=2)
    post = archive.client.post

    def names() -> dict[str, int]:
        return {
            each["name"]: each["games"] for each in archive.client.get("/api/v1/people").get_json()["people"]
        }

    refused = post("/api/v1/people/rename", json={"name": "Tom", "to": "thomas"})
    assert (refused.status_code, refused.get_json()["error"]["code"]) == (422, "people/known")
    refused = post("/api/v1/people/merge", json={"name": "Tom", "to": "Ana"})
    assert refused.get_json()["error"]["code"] == "people/together"
    assert post("/api/v1/people/merge", json={"name": "Nobody", "to": "Ana"}).status_code == 422
    assert names() == {"Ana": 2, "Tom": 1, "Thomas": 1}
    assert post("/api/v1/people/merge", json={"name": "Tom", "to": "Thomas"}).status_code == 200
    assert names() == {"Ana": 2, "Thomas": 2}
    assert "Tom," not in archive.client.get("/api/v1/export.csv").get_data(as_text=True)
    assert "Tom" not in archive.client.get("/api/v1/room").get_json()["known"]
    assert post("/api/v1/people/rename", json={"name": "Thomas", "to": "Tommy"}).status_code == 200
    assert names() == {"Ana": 2, "Tommy": 2}
    for old in ("Tom", "Thomas"):
        assert ">Tommy</h1>" in archive.client.get(f"/history/player?name={old}").text, "of a page left open"
        assert post("/api/v1/people/apart", json={"name": old}).status_code == 200
    assert names() == {"Ana": 2, "Tom": 1, "Thomas": 1}
    assert post("/api/v1/people/apart", json={"name": "Tom"}).status_code == 422


def test_a_name_that_was_typed_with_a_space_leads_to_the_page(archive: Archived):
    """Keyboards of phones add one; the name is kept without it."""
    archive.play("Tom", "Ana")
    asked = {"name": "Tom", "to": "Big  Tom "}
    assert archive.client.post("/api/v1/people/rename", json=asked).status_code == 200
    assert ">Big Tom</h1>" in archive.client.get("/history/player?name=Big++Tom+").text


def test_who_is_renamed_keeps_the_looks_in_the_game_that_goes_on_and_when_it_is_taken_back(archive: Archived):
    archive.play("Tom", "Ana")
    post = archive.client.post

    def colours() -> dict[str, str]:
        profiles = archive.client.get("/api/v1/room").get_json()["profiles"]
        return {each["name"]: each["colour"] for each in profiles}

    wanted = {"name": "Tom", "colour": "red", "sign": "star", "jingle": "bells"}
    assert post("/api/v1/people/profile", json=wanted).status_code == 200
    assert post("/api/v1/people/rename", json={"name": "Tom", "to": "Tommy"}).status_code == 200
    assert colours() == {"Tom": "red", "Tommy": "red"}
    assert post("/api/v1/people/apart", json={"name": "Tom"}).status_code == 200
    assert colours()["Tom"] == "red"


@pytest.mark.thorough
def test_the_page_of_a_player(archive: Archived):
    for seed in range(4):
        archive.play("Ana", "Ben & Co", rules="yahtzee", seed=seed)
    wanted = {"name": "Ana", "colour": "red", "sign": "star", "jingle": "bells"}
    assert archive.client.post("/api/v1/people/profile", json=wanted).status_code == 200
    assert archive.client.get("/api/v1/room").get_json()["profiles"] == [wanted]
    assert archive.client.post("/api/v1/people/profile", json=wanted | {"sign": "skull"}).status_code == 400
    for language in languages():
        page = archive.client.get(f"/history/player?name=Ana&language={language}").get_data(as_text=True)
        assert "own-red" in page
        (signs,) = set(re.findall(r'<use href="(/assets/[^"#]*)#', page))
        assert set(re.findall('id="([^"]*)"', archive.client.get(signs).text)) == set(Sign)
        assert re.findall(r'<use href="[^"#]*#([^"]*)"', page) == ["star", *Sign]
        assert "Ben &amp; Co" in page
        assert page.count('<svg class="chart"') == 1
        assert "html/" not in page
        assert "style=" not in page
    assert 'data-post="/api/v1/people/merge"' not in page, "those who played each other are two people"
    archive.play("Anna", rules="yahtzee", seed=4)
    page = archive.client.get("/history/player?name=Ana").text
    assert re.findall("<option>([^<]*)</option>", page) == ["Anna"]
    assert archive.client.get("/history/player?name=Nobody").status_code == 404
    assert archive.client.get("/history/player?name=Ben+%26+Co").status_code == 200


def test_a_room_of_before_opens_and_people_outlast_a_restart(tmp_path: Path):
    (tmp_path / ROOM_NAME).write_text('{"seats": {}, "hints": {"Ana": true}, "set_up": true}')
    room = Room(tmp_path)
    assert room.people.profiles() == ()
    known = {"Ana": {1}, "Anna": {2}}
    room.people.merge("Anna", "Ana", known)
    again = Room(tmp_path)
    assert again.people.display_name("Anna") == "Ana"
    assert again.wants_hints("Ana")


@pytest.mark.thorough
def test_a_merged_name_that_plays_its_own_keeps_apart(archive: Archived):
    archive.play("Tom", "Ana")
    archive.play("Thomas", "Ana", seed=2)
    archive.client.post("/api/v1/people/merge", json={"name": "Tom", "to": "Thomas"})
    archive.play("Tom", "Thomas", seed=3)
    latest = archive.client.get("/api/v1/history").get_json()["games"][0]
    assert [player["name"] for player in latest["players"]] == ["Tom", "Thomas"]
