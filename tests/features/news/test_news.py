"""What a change is told as: each thing once, and nothing anew after a step back."""

from typing import Any

import pytest

from messages.catalogue import text
from station import games
from station.features.news.feature import TablePart
from station.features.news.news import NewsView
from station.table.table import Table
from tests.asking import do
from tests.table.helpers import reading
from vision.reading import Status


def back(what: str) -> tuple[str, str]:
    return "back", f"Taken back: {what}."


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


def test_what_stands_after_a_step_back_is_not_told_again():
    table = begun("yacht-1938", "Ana", "Ben")
    told(table, "enter_roll", faces=[1, 2, 3, 4, 5])
    told(table, "score_box", category="choice")
    told(table, "enter_roll", faces=[1, 1, 3, 4, 5])
    told(table, "set_held", slots=[1, 2])
    told(table, "enter_roll", faces=[1, 1, 3, 4, 6])
    told(table, "end_game")
    told(table, "rematch")
    undone = [told(table, "undo") for _ in range(8)]
    assert undone == [
        back("game started with Ana and Ben"),
        back("game ended"),
        back("Ben rolled 1-1-3-4-6"),
        back("dice 1 and 2 kept"),
        back("Ben rolled 1-1-3-4-5"),
        back("Ana scored 15 points in Choice"),
        back("Ana rolled 1-2-3-4-5"),
        back("game started with Ana and Ben"),
    ]
    assert table.snapshot().phase == "lobby"


def test_after_a_step_back_the_lead_is_not_told_again():
    table = begun("yacht-1938", "Ana", "Ben")
    told(table, "enter_roll", faces=[5, 5, 5, 2, 2])
    told(table, "score_box", category="fives")
    told(table, "undo")
    assert told(table, "score_box", category="full-house") == ("score", "Ana: Full House, 19.")


@pytest.mark.parametrize(
    ("rules", "throws", "kind", "words"),
    [
        ("yahtzee", [[6, 6, 6, 6, 6]], "yacht", "Yahtzee! Ana: five 6s!"),
        ("balut", [[6, 6, 6, 6, 6]], "yacht", "Balut! Ana: five 6s!"),
        ("crag", [[6, 6, 6]], "roll", "Roll 1: 6 6 6."),
        ("maxi-yatzy", [[2, 2, 2, 2, 2, 3]], "yacht", "Five of a kind! Ana: five 2s!"),
        ("yahtzee", [[2, 3, 4, 5, 6]], "straight", "Large Straight! Ana: 2 to 6 in a row!"),
        ("yahtzee", [[1, 2, 3, 4, 6]], "roll", "Roll 1: 1 2 3 4 6."),
    ],
)
@pytest.mark.needs_feature("great_throws")
def test_a_great_throw_is_called_by_the_name_of_its_box(
    rules: str, throws: list[list[int]], kind: str, words: str
):
    table = begun(rules, "Ana")
    for faces in throws:
        assert told(table, "enter_roll", faces=faces) == (kind, words)


@pytest.mark.parametrize(
    ("held", "second", "third", "kind", "words"),
    [
        ([1, 2, 3, 4], [2, 2, 6, 6, 1], 6, "last_throw", "Full House! Ana gets it with the last throw!"),
        ([1, 2, 3, 4], [2, 2, 6, 6, 1], 5, "roll", "Roll 3: 2 2 6 6 5."),
        ([1, 2, 3], [2, 2, 6, 6, 1], 6, "roll", "Roll 3: 2 2 6 6 6."),  # two dice, and no more than was there
    ],
)
@pytest.mark.needs_feature("great_throws")
def test_what_the_last_throw_had_to_bring_is_called(
    held: list[int], second: list[int], third: int, kind: str, words: str
):
    table = begun("yacht-1938", "Ana")
    told(table, "enter_roll", faces=[2, 2, 6, 1, 1])
    told(table, "enter_roll", faces=second)
    told(table, "set_held", slots=held)
    faces = [*second[:4], third]
    assert told(table, "enter_roll", faces=faces) == (kind, words)


@pytest.mark.needs_feature("great_throws")
def test_a_box_tells_of_the_throw_it_confirms_and_a_zero_is_one():
    table = begun("yacht-1938", "Ana", "Ben")
    told(table, "enter_roll", faces=[6, 6, 6, 6, 6])
    assert told(table, "score_box", category="yacht") == ("score", "Ana: Yacht, 50. Ana leads by 50.")
    (box,) = news_of(table).boxes  # type: ignore[union-attr] - it is there now
    assert (box.player, box.category) == (0, "yacht")
    told(table, "enter_roll", faces=[6, 6, 6, 6, 5])
    late = {"player": 0, "category": "yacht", "faces": [5, 5, 5, 5, 5]}
    assert told(table, "correct_box", **late) == ("corrected", "Corrected. Ana: Yacht, 50."), "a turn later"
    assert told(table, "score_box", category="yacht") == ("zero", "Ben: Yacht, 0. Ana leads by 50.")
    table.offer(reading(status=Status.MOVING))
    table.offer(reading(4, 4, 4, 4, 4))
    asked = {"category": "fours", "roll": [4, 4, 4, 4, 4]}
    assert told(table, "score_box", **asked) == ("yacht", "Yacht! Ana: Fours, 20. Ana leads by 70.")


@pytest.mark.needs_feature("throw_off")
def test_who_starts_is_told():
    table = Table()
    do(table, {"command": "start_game", "players": ["Ana", "Ben"], "rules": "yacht-1938", "starter": "throw"})
    told(table, "enter_roll", faces=[2])
    assert told(table, "enter_roll", faces=[5]) == ("starts", "Ben starts.")
    assert told(table, "undo") == back("Ben rolled a 5 to start")


@pytest.mark.needs_feature("all_at_once")
def test_a_round_that_all_play_at_once_is_told_when_it_is_written():
    table = begun("shared-roll", "Ana", "Ben")
    faces = [1, 2, 2, 4, 5]
    for throw in (1, 2, 3):
        assert told(table, "enter_roll", faces=faces) == ("roll", f"Roll {throw}: 1 2 2 4 5.")
        for seat in (0, 1) if throw < 3 else ():
            assert told(table, "ready", player=seat) is None
    for seat, category in enumerate(("ones", "twos")):
        assert told(table, "score_box", player=seat, category=category) is None
    assert told(table, "ready", player=0) is None
    assert told(table, "undo") == back("Ana is ready")
    assert told(table, "ready", player=0) is None
    assert told(table, "ready", player=1) == ("score", "Ana: 1s, 1. Ben: 2s, 4.")
    assert told(table, "undo") == back("Ben is ready, and the boxes of this round")
