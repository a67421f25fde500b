"""What a change is told as: each thing once, and nothing anew after a step back."""

from typing import Any

import pytest

from messages.catalogue import text
from station import games
from station.features.news.feature import TablePart
from station.features.news.news import NewsView
from station.table.play import TwoHomes
from station.table.table import Table
from tests.asking import do

BACK = ("back", "Taken back.")


def news_of(table: Table) -> NewsView | None:
    return table.snapshot().part(TablePart).news


def told(table: Table, command: str, **fields: Any) -> tuple[str, str] | None:
    """What that command is told as; None for nothing new."""
    before = news_of(table)
    do(table, {"command": command, **fields})
    news = news_of(table)
    if news is None or (before is not None and news.number == before.number):
        assert news == before
        return None
    return news.kind, text(news.text, "en")


def begun(rules: str, *players: str) -> Table:
    table = Table(house_rules=games.texts)
    assert (
        told(table, "start_game", players=list(players), rules=rules) is None
    )  # the headline says who begins
    return table


def test_throws_scores_and_corrections():
    table = begun("yacht-1938", "Ana", "Ben")
    assert told(table, "enter_roll", faces=[5, 5, 5, 2, 2]) == ("roll", "Throw 1: 5 5 5 2 2.")
    assert told(table, "set_held", slots=[1, 2, 3]) is None
    assert told(table, "enter_roll", faces=[5, 5, 5, 4, 4]) == ("roll", "Throw 2: 5 5 5 4 4.")
    assert told(table, "correct_die", slot=5, face=3) == ("corrected", "Corrected: 5 5 5 4 3.")
    assert told(table, "score_box", category="fives") == ("score", "Ana: Fives, 15. Ana leads by 15.")
    (box,) = news_of(table).boxes  # type: ignore[union-attr] - just told
    assert (box.player, box.category) == (0, "fives")
    assert told(table, "rename_player", player=0, name="Anna") is None
    assert told(table, "move_player", player=0, to=1) is None
    asked = {"player": 1, "category": "fives", "faces": [5, 5, 1, 2, 3]}
    assert told(table, "correct_box", **asked) == ("corrected", "Anna: Fives, 10.")
    assert told(table, "enter_roll", faces=[1, 1, 1, 2, 2]) == ("roll", "Throw 1: 1 1 1 2 2.")
    asked["faces"] = [5, 5, 5, 1, 2]
    assert told(table, "correct_box", **asked) == ("corrected", "Anna: Fives, 15.")  # of a turn before, too
    assert told(table, "end_game", winners=[1]) == ("end", "Anna wins with 15 points.")


def test_what_stands_after_a_step_back_is_not_told_again():
    table = begun("yacht-1938", "Ana", "Ben")
    told(table, "enter_roll", faces=[1, 2, 3, 4, 5])
    told(table, "score_box", category="choice")
    told(table, "enter_roll", faces=[1, 1, 3, 4, 5])
    told(table, "set_held", slots=[1, 2])
    told(table, "enter_roll", faces=[1, 1, 3, 4, 6])
    told(table, "end_game")
    told(table, "rematch")
    undone = [told(table, "undo") for _ in range(7)]
    assert undone == [BACK, BACK, BACK, None, BACK, BACK, BACK]  # that dice were held was not told
    assert told(table, "undo") == BACK  # the start of the game
    assert table.snapshot().phase == "lobby"


def test_after_a_step_back_the_lead_is_not_told_again():
    table = begun("yacht-1938", "Ana", "Ben")
    told(table, "enter_roll", faces=[5, 5, 5, 2, 2])
    told(table, "score_box", category="fives")
    told(table, "undo")
    assert told(table, "score_box", category="full-house") == ("score", "Ana: Full House, 19.")


@pytest.mark.parametrize(
    ("rules", "category", "kind"),
    [("yacht-1938", "yacht", "yacht"), ("balut", "balut", "yacht"), ("yacht-1938", "choice", "score")],
)
def test_a_yacht_is_told_as_one_whatever_its_box_is_called(rules: str, category: str, kind: str):
    table = begun(rules, "Ana")
    told(table, "enter_roll", faces=[6, 6, 6, 6, 6])
    news = told(table, "score_box", category=category)
    assert news is not None
    assert news[0] == kind


def test_who_starts_is_told():
    table = Table()
    do(table, {"command": "start_game", "players": ["Ana", "Ben"], "rules": "yacht-1938", "starter": "throw"})
    told(table, "enter_roll", faces=[2])
    assert told(table, "enter_roll", faces=[5]) == ("starts", "Ben starts.")
    assert told(table, "undo") == BACK


def test_a_round_that_all_play_at_once_is_told_when_it_is_written():
    table = begun("shared-roll", "Ana", "Ben")
    faces = [1, 2, 3, 4, 5]
    for throw in (1, 2, 3):
        assert told(table, "enter_roll", faces=faces) == ("roll", f"Throw {throw}: 1 2 3 4 5.")
        for seat in (0, 1) if throw < 3 else ():
            assert told(table, "ready", player=seat) is None
    for seat, category in enumerate(("ones", "twos")):
        assert told(table, "score_box", player=seat, category=category) is None
    assert told(table, "ready", player=0) is None
    assert told(table, "undo") is None
    assert told(table, "ready", player=0) is None
    assert told(table, "ready", player=1) == ("score", "Ana: 1s, 1. Ben: 2s, 2. Ben leads by 1.")
    assert told(table, "undo") == BACK


def test_a_guest_is_told_the_same():
    host = Table(two_homes=TwoHomes(guests=("attic",)))
    guest = Table(two_homes=TwoHomes(name="attic"))
    players = ["Ana", {"name": "Ben", "home": "attic"}]

    def followed() -> tuple[str, str] | None:
        guest.mirror(host.other_home.numbered()[1], lambda: True)
        news = news_of(guest)
        return news and (news.kind, text(news.text, "en"))

    assert told(host, "start_game", players=players, rules="yacht-1938") is None
    assert followed() is None
    for command, fields in (
        ("enter_roll", {"faces": [5, 5, 5, 2, 2]}),
        ("score_box", {"category": "fives"}),
        ("undo", {}),
        ("score_box", {"category": "full-house"}),
    ):
        assert told(host, command, **fields) == followed()
