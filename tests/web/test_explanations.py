"""Why a box has its points: the sentence belongs to the very points that stand on the sheet."""

from typing import Any

import pytest

from station import games
from station.table.table import Table
from tests.web.helpers import Stage


def told(stage: Stage, category: str) -> dict[str, tuple[int | None, str | None]]:
    """Points and reason of that row, by the name of the player."""
    answer: dict[str, Any] = stage.client.get(f"/api/v1/why?category={category}").get_json()
    return {player["name"]: (player["points"], player["why"]) for player in answer["players"]}


def turn(stage: Stage, category: str, *faces: int) -> None:
    stage.do("enter_roll", faces=list(faces))
    stage.do("score_box", category=category)


def further_yacht() -> Stage:
    """Ana has a yacht and a second one as a full house, Ben 0 for a yacht."""
    stage = Stage()
    stage.do("start_game", players=["Ana", "Ben"], rules="game-rules-guru")
    turn(stage, "yacht", 5, 5, 5, 5, 5)
    turn(stage, "yacht", 1, 2, 3, 4, 6)
    turn(stage, "full-house", 5, 5, 5, 5, 5)
    return stage


def test_reasons_sit_where_their_players_sit():
    stage = further_yacht()
    before = told(stage, "yacht")
    stage.do("move_player", player=0, to=1)
    assert told(stage, "yacht") == before
    assert before["Ana"] == (50, "Yacht: 5-5-5-5-5 is worth 50.")


def test_a_filled_box_says_where_else_its_dice_may_stand():
    """Not in a box that is filled, nor, after the first throw, in one that had to be announced."""
    stage = further_yacht()
    players = stage.client.get("/api/v1/why?category=full-house").get_json()["players"]
    ana, ben = players
    assert ana["faces"] == [5, 5, 5, 5, 5]
    assert "yacht" not in ana["elsewhere"]
    assert ana["elsewhere"]["fives"] == 25
    assert (ben["faces"], ben["elsewhere"]) == ([], {})
    fives = stage.do("correct_box", player=0, category="full-house", faces=ana["faces"], to="fives")
    boxes = fives["players"][0]["boxes"]
    assert (boxes["full-house"], boxes["fives"]) == (None, 25)


def test_a_corrected_box_is_explained_by_the_sheet_it_stands_on():
    stage = further_yacht()
    stage.do("correct_box", player=0, category="full-house", faces=[6, 6, 6, 6, 6])
    points, why = told(stage, "full-house")["Ana"]
    assert points == 25
    assert why == (
        "Full house: a further yacht may stand for a full house, worth 25. A further yacht brings 100 on top."
    )


def test_what_a_correction_changes_later_is_explained_as_it_is_now():
    stage = further_yacht()
    stage.do("correct_box", player=0, category="yacht", faces=[5, 5, 5, 5, 1], force=True)
    assert told(stage, "full-house")["Ana"] == (
        25,
        "Full house: a further yacht may stand for a full house, worth 25.",
    )
    stage.do("undo")
    assert "100 on top" in str(told(stage, "full-house")["Ana"][1])


def test_it_needs_no_archive_and_follows_undo():
    stage = further_yacht()
    stage.do("undo")
    assert told(stage, "full-house")["Ana"][0] == 25  # what the dice on the table would bring
    stage.do("undo")
    assert told(stage, "full-house")["Ana"] == (None, None)


@pytest.mark.parametrize(
    ("rules", "category", "pays"),
    [
        ("generala", "straight", "five in a row: 20, 5 more in the first throw"),
        ("generala", "double-generala", "all alike: 100, only once Generala holds points"),
        ("triple-yahtzee", "thrice-yacht", "all alike: 50, times 3"),
        ("yacht-1938", "yacht", "all alike: 50"),
    ],
)
def test_what_a_box_pays_is_told_with_all_that_makes_it_pay_more(rules: str, category: str, pays: str):
    stage = Stage(table=Table(house_rules=games.texts))
    stage.do("start_game", players=["Ana"], rules=rules)
    assert stage.client.get(f"/api/v1/why?category={category}").get_json()["pays"] == pays
