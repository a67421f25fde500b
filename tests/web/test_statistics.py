"""Figures and records of past games."""

from dataclasses import replace

from station.contract.view import EndedBy
from station.rules import built_in
from station.store.archive import FinishedGame
from tests.asking import do
from tests.web.archived import Archived, archive, column
from web.core.i18n import DASH
from web.history import records, statistics

__all__ = ["archive"]


def game(number: int, rules: str, *totals: int, ended_by: EndedBy = "complete") -> FinishedGame:
    names = ("Ana", "Ben", "Cleo")
    players = [
        column(names[n], total, boxes={"ones": total % 6}, bonus=35 * (n == 0),
               won=total == max(totals))
        for n, total in enumerate(totals)
    ]  # fmt: skip
    day = "2026-01-02T19:30:00+00:00"
    return FinishedGame(
        game=number,
        rules=rules,
        started_at=day,
        finished_at=day,
        ended_early=ended_by == "early",
        ended_by=ended_by,
        players=tuple(players),
    )


def test_the_figures_of_a_player():
    games = [
        game(3, "a", 150, 90),
        game(2, "a", 10, 20, ended_by="early"),
        game(1, "a", 100),
        game(0, "b", 5),
    ]
    ana, ben = statistics.players(games, "a")
    figures = {each.key: each.figure(ana) for each in statistics.STATISTICS}
    known = {"games": 3, "wins": 1, "average": 125.0, "best": 150, "bonus": 1.0}
    assert figures | {f"statistic/{name}": figure for name, figure in known.items()} == figures
    written = {each.key: each.written(each.figure(ana)) for each in statistics.STATISTICS}
    assert (written["statistic/average"], written["statistic/bonus"]) == ("125.0", "100%")
    assert ana.totals == (100, 150)
    assert ana.boxes == {"ones": 2.0}
    assert [each.figure(ben) for each in statistics.STATISTICS][:3] == [2, 1, 90.0]
    assert statistics.rule_sets(games) == ("a", "b")
    assert statistics.players([], "a") == ()


def test_a_game_cut_short_by_a_big_general_is_no_average():
    (ana,) = statistics.players([game(2, "a", 7, ended_by="big_general"), game(1, "a", 100)], "a")
    assert ana.totals == (100,)
    assert len(ana.games) == 2


def test_who_leaves_lowers_no_average_and_who_leaves_before_a_box_has_not_played(archive: Archived):
    """Nor does a rating fall, or a rival win, by somebody who was on the list and not at the table."""
    for played in (
        {"command": "start_game", "players": ["Ana", "Ben", "Cleo"], "rules": "yacht-1938"},
        {"command": "remove_player", "player": 2},
        *(
            {"command": "enter_roll", "faces": [1, 2, 3, 4, 5]},
            {"command": "score_box", "category": "choice"},
        ) * 2,
        {"command": "remove_player", "player": 1},
    ):  # fmt: skip
        do(archive.table, played)
    while not (state := archive.table.snapshot()).finished:
        do(archive.table, {"command": "enter_roll", "faces": [1, 2, 3, 4, 5]})
        box = next(name for name, points in state.players[0].boxes.items() if points is None)
        do(archive.table, {"command": "score_box", "category": box})
    (game,) = archive.store.games()
    assert [(each.name, each.gone, each.played, each.whole) for each in game.players] == [
        ("Ana", False, True, True),
        ("Ben", True, True, False),
        ("Cleo", True, False, False),
    ]
    ana, ben = statistics.players([game], "yacht-1938")
    assert (len(ana.whole), len(ben.games), ben.totals) == (1, 1, ())
    people = archive.client.get("/api/v1/people").get_json()["people"]
    assert [each["name"] for each in people] == ["Ana", "Ben"]
    assert sum(each["rating"] for each in people) == 3000
    assert [each["name"] for each in people[0]["against"]] == ["Ben"]
    evening = archive.client.get("/api/v1/evening").get_json()
    assert [each["name"] for each in evening["players"]] == ["Ana", "Ben"]
    assert ">Cleo<" in archive.client.get(f"/history/{game.game}").text


def test_records_are_taken_from_whole_sheets():
    def cut(number: int) -> FinishedGame:
        boxes = {"ones": 1, "twos": None}
        return replace(
            game(number, "a", 100), players=(column("Ana", 1, boxes=boxes, gone=True), column("Ben", 90))
        )

    left = replace(
        cut(7), players=(column("Ana", 300, boxes={"ones": 1, "twos": None}, gone=True), column("Ben", 95))
    )
    fallen = records.records([left, *(game(n, "a", 100, 90) for n in (6, 5, 4))])
    assert [(each.kind, each.name, each.points) for each in fallen] == [("own", "Ben", 95)]


def test_a_figure_that_cannot_be_told_is_a_dash():
    [ana] = statistics.players([game(1, "a", 10, ended_by="early")], "a")
    written = [each.written(each.figure(ana)) for each in statistics.STATISTICS]
    assert written[:2] == ["1", "0"]
    assert set(written[2:]) == {DASH}


def test_rules_without_a_bonus_tell_of_none(archive: Archived):
    """Of rules that nobody knows any more it is told what was earned."""
    told = [len(statistics.of_rules(rules)) for rules in (built_in("yacht-1938"), built_in("yahtzee"), None)]
    assert told == [len(statistics.STATISTICS) - 1, len(statistics.STATISTICS), len(statistics.STATISTICS)]
    do(archive.table, {"command": "start_game", "players": ["Ana"], "rules": "yacht-1938"})
    do(archive.table, {"command": "enter_roll", "faces": [1, 2, 3, 4, 5]})
    do(archive.table, {"command": "score_box", "category": "choice"})
    do(archive.table, {"command": "end_game"})
    for page in ("/history", "/history/player?name=Ana"):
        told = archive.client.get(page).text
        assert "Games" in told
        assert "Bonus" not in told
