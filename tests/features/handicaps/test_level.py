"""Points with which each would begin to stand level, from past games, and what past games show of them."""

from dataclasses import replace

import pytest

from station.features.handicaps.level import handicaps
from station.store.archive import FinishedGame
from tests.asking import do
from tests.web.archived import Archived, archive, column
from tests.web.hosting import become_host

__all__ = ["archive"]

OPEN = {"sixes": 12, "choice": None}
NAMES = ("Ana", "Ben")


def game(number: int, *, rules: str = "yahtzee", boxes: dict[str, int | None] | None = None, **totals: int):
    players = tuple(column(name, total, boxes=boxes or {}) for name, total in totals.items())
    at = f"2026-01-01T19:{number:02d}:00+00:00"
    return FinishedGame(number, rules, at, at, ended_early=False, ended_by="complete", players=players)


def test_the_averages_of_the_latest_whole_games_tell():
    games = [game(4, Ana=250, Ben=250), game(3, Ana=200, Ben=260), game(2, Ana=240, Ben=200, Cleo=100)]
    assert handicaps(games, "yahtzee", NAMES) == {"Ana": 7, "Ben": 0}
    assert handicaps(games, "yahtzee", (*NAMES, "Cleo")) == {}, "she has played too few"
    assert handicaps(games, "yatzy", NAMES) == {}
    assert handicaps(games, "yahtzee", ["Ana"]) == {}


def test_boxes_that_may_stay_open_count_and_who_left_does_not():
    games = [game(number, boxes=OPEN, Ana=100 + number, Ben=90) for number in (4, 3, 2, 1)]
    assert handicaps(games, "yahtzee", NAMES) == {"Ana": 0, "Ben": 12}
    [ana, ben] = game(9, boxes=OPEN, Ana=1, Ben=300).players
    left = replace(games[0], players=(replace(ana, gone=True), replace(ben, gone=True)))
    assert handicaps([left, *games], "yahtzee", NAMES) == {"Ana": 0, "Ben": 12}


@pytest.mark.thorough
def test_all_begin_level_and_figures_stay_ones_own(archive: Archived):
    asked = {"rules": "yahtzee", "players": ["Ben", "Ana"]}
    proposed = lambda: archive.client.post("/api/v1/people/handicaps", json=asked).get_json()["handicaps"]  # noqa: E731
    for seed in range(3):
        assert proposed() == []
        archive.play("Ana", "Ben", rules="yahtzee", seed=seed)
    number = archive.play("Ana", "Ben", rules="yahtzee", seed=3)
    assert "With a handicap" in archive.client.get(f"/history/{number}").get_data(as_text=True)
    points = proposed()
    assert min(points) == 0 < max(points)
    ahead = [{"name": name, "handicap": each} for name, each in zip(asked["players"], points, strict=True)]
    do(archive.table, {"command": "start_game", "players": ahead, "rules": "yahtzee"})
    do(archive.table, {"command": "enter_roll", "faces": [1, 2, 3, 4, 6]})
    do(archive.table, {"command": "score_box", "category": "yacht"})
    do(archive.table, {"command": "end_game"})
    latest = archive.client.get("/api/v1/history").get_json()["games"][0]
    assert [(each["handicap"], each["total"]) for each in latest["players"]] == [
        (each, each) for each in points
    ]
    assert proposed() == points, "a handicap is no score of one's own"
    become_host(archive.client)
    renamed = archive.client.post("/api/v1/people/rename", json={"name": "Ana", "to": "Annabel"})
    assert (renamed.status_code, proposed()) == (200, points), "the table still calls her Ana"
    for path in ("", "/sheet.pdf", "/game.txt"):
        assert archive.client.get(f"/history/{latest['game']}{path}").status_code == 200
    assert "Handicap</th><td>" in archive.client.get(f"/history/{latest['game']}").get_data(as_text=True)
