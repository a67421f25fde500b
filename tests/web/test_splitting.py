"""Ten dice for two boxes: what the page is told, and that it is what the rules give."""

import pytest

from station.rules import Sheet, built_in, splits
from tests.web.helpers import Stage

FACES = (2, 2, 2, 2, 2, 2, 5, 5, 5, 5)


def thrown() -> Stage:
    """Ana has thrown ten dice."""
    stage = Stage()
    stage.do("start_game", players=["Ana"], rules="double-cameroon")
    stage.do("enter_roll", faces=list(FACES))
    return stage


@pytest.fixture(scope="module")
def double() -> Stage:
    """For those who only ask."""
    return thrown()


def ask(stage: Stage, query: str) -> tuple[int, dict]:
    answer = stage.client.get(f"/api/v1/split?{query}")
    return answer.status_code, answer.get_json()


def test_the_best_for_both_comes_first(double: Stage):
    status, told = ask(double, "category=five-of-a-kind")
    assert status == 200
    rules = built_in("double-cameroon")
    pairs = [way for way in splits(rules, Sheet(), FACES) if "five-of-a-kind" in way.categories]
    other = next(each for each in told["others"] if each["category"] == told["second"])
    assert told["points"] + other["points"] == max(sum(way.points) for way in pairs)
    assert len(told["slots"]) == 5
    assert "five-of-a-kind" not in [each["category"] for each in told["others"]]
    assert len(told["others"]) == len(rules.boxes) - 1


def test_what_it_says_is_what_is_scored():
    double = thrown()
    _, told = ask(double, "category=full-house&second=fives")
    double.do("score_box", category="full-house", slots=told["slots"])
    state = double.do("score_box", category="fives")
    boxes = state["players"][0]["boxes"]
    assert boxes["full-house"] == told["points"]
    assert boxes["fives"] == next(each["points"] for each in told["others"] if each["category"] == "fives")


def test_dice_chosen_by_hand_stay(double: Stage):
    _, told = ask(double, "category=twos&slots=1,7,8,9,10")
    assert (told["slots"], told["points"]) == ([1, 7, 8, 9, 10], 2)
    assert {"category": "five-of-a-kind", "points": 50} in told["others"]
    assert told["second"] == "five-of-a-kind"


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ("", 422, "box/unknown"),
        ("category=nothing", 422, "box/unknown"),
        ("category=twos&second=twos", 422, "box/filled"),
        ("category=twos&slots=1,2,3", 400, "box/five_dice"),
        ("category=twos&slots=1,1,2,3,4", 400, "box/five_dice"),
        ("category=twos&slots=7,8,9,10,11", 400, "box/five_dice"),
        ("category=twos&slots=all", 400, "request/slots"),
    ],
)
def test_nonsense_is_refused(double: Stage, query: str, status: int, code: str):
    found, told = ask(double, query)
    assert (found, told["error"]["code"]) == (status, code)


def test_there_have_to_be_ten_dice(game: Stage):
    game.do("enter_roll", faces=[1, 2, 3, 4, 5])
    assert ask(game, "category=ones")[1]["error"]["code"] == "split/none"
