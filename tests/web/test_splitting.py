"""Ten dice for two boxes: what the page is told, and that it is what the rules give."""

import threading

import pytest

from station.advice.advisor import Advisor
from station.rules import built_in
from tests.web.helpers import Stage

pytestmark = pytest.mark.needs_feature("two_boxes")

PATIENCE_S = 300.0
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


def test_the_second_box_is_the_one_the_hint_has(double: Stage):
    hinted = double.client.get("/api/v1/hint").get_json()
    boxes = built_in("double-cameroon").categories
    cost = {each: hinted["given"].get(each, 0) for each in boxes}
    first = min(boxes, key=lambda each: cost[each])
    status, told = ask(double, f"category={first}")
    assert status == 200
    assert told["second"] == min((each for each in boxes if each != first), key=lambda each: cost[each])
    assert len(told["slots"]) == 5
    assert first not in [each["category"] for each in told["others"]]
    assert len(told["others"]) == len(boxes) - 1


def test_of_both_boxes_the_dice_bring_the_most(double: Stage):
    _, told = ask(double, "category=five-of-a-kind&second=fives")
    other = next(each for each in told["others"] if each["category"] == "fives")
    assert (told["points"], other["points"]) == (50, 20)


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


@pytest.mark.slow
def test_the_chances_after_the_first_box_are_those_with_the_best_second_one():
    """The table of chances has no sheets in the midst of a turn, and was worked out again and again."""
    ready = threading.Event()
    advisor = Advisor(on_ready=ready.set)
    stage = Stage(advisor=advisor)
    stage.do("start_game", players=["Ana", "Ben"], rules="double-cameroon")
    stage.do("enter_roll", faces=list(FACES))
    stage.do("score_box", category="five-of-a-kind", slots=[1, 2, 3, 4, 5])
    assert not stage.client.get("/api/v1/odds").get_json()["chances"]
    assert ready.wait(PATIENCE_S)
    odds = stage.client.get("/api/v1/odds").get_json()
    assert odds["chances"][0] > 0.5
    assert odds["message"] == ""
    hinted = stage.client.get("/api/v1/hint").get_json()
    assert hinted["slots"] is None
    stage.do("score_box", category=hinted["box"])
    assert stage.client.get("/api/v1/odds").get_json()["chances"] == odds["chances"]
    advisor.close()
