"""The same points wherever somebody asks: `yacht score`, `/api/v1/score`, the page, and what is written."""

import json
import random

import pytest

from station import games
from station.advice.advisor import Advisor
from station.cli import run
from station.rules import built_in_ids, parse_rules
from station.table.table import Table
from tests.web.helpers import Nothing, Stage

ALL = (*built_in_ids(), *games.texts())


@pytest.mark.parametrize("rules_id", ALL)
def test_the_api_scores_as_the_command_does(shared_stage: Stage, capsys, rules_id: str):
    rules = games.rules_of(rules_id)
    rng = random.Random(rules_id)
    for roll in (None, 1, rules.throws):
        dice = [rng.choice((2, 2, 3, 4, 5, 6)) for _ in range(rules.dice)]
        call = ["score", "--rules", rules_id, "--dice", ",".join(map(str, dice)), "--json"]
        assert run(call + (["--roll", str(roll)] if roll else [])) == 0
        told = json.loads(capsys.readouterr().out)
        asked = {"rules": rules_id, "dice": dice, **({"roll": roll} if roll else {})}
        assert shared_stage.client.post("/api/v1/score", json=asked).get_json() == told
        assert set(told["scores"]) == set(rules.categories)
        last = rules.categories[-1]
        answer = shared_stage.client.post("/api/v1/score", json={**asked, "category": last}).get_json()
        assert answer == {"scores": {last: told["scores"][last]}}


@pytest.mark.parametrize("roll", [4, 10])
def test_a_throw_that_a_turn_does_not_have_is_refused(shared_stage: Stage, capsys, roll: int):
    asked = {"rules": "general", "dice": [1, 2, 3, 4, 5], "roll": roll}
    answer = shared_stage.client.post("/api/v1/score", json=asked)
    assert answer.status_code == 400
    assert run(["score", "--rules", "general", "--dice", "1,2,3,4,5", "--roll", str(roll)]) == 2
    assert answer.get_json()["error"]["message"] in capsys.readouterr().err


@pytest.mark.thorough
@pytest.mark.parametrize("rules_id", [each for each in ALL if each not in ("yamb", "triple-yahtzee", "yams")])
def test_what_the_page_promises_is_what_is_written(rules_id: str):
    """Through a whole game, with many yachts: promise, reason, box and sums agree."""
    rules = games.rules_of(rules_id)
    rng = random.Random(rules_id)
    stage = Stage()
    seats = range(max(rules.players[0], 1))
    kept = games.texts().get(rules_id)
    if kept:
        stage = Stage(table=Table(house_rules=lambda: {rules_id: kept}))
    state = stage.do("start_game", players=["Ana", "Ben"][: len(seats)], rules=rules_id)
    while not state["finished"]:
        if state["phase"] == "throwing":
            few = rng.sample(range(1, 7), rng.choice((1, 1, 2, 3, 6)))
            state = stage.do("enter_roll", faces=[rng.choice(few) for _ in range(rules.dice)])
            if state["finished"]:
                break  # a big general
        for seat in seats if state["simultaneous"] else (state["active_player"],):
            if state["simultaneous"] and state["phase"] != "choosing":
                state = stage.do("ready", player=seat)
                continue
            promised = state["players"][seat]["potentials"]
            assert promised
            category = rng.choice(list(promised))
            why = stage.client.get(f"/api/v1/why?category={category}").get_json()["players"][seat]
            assert why["points"] == promised[category]
            before = state["players"][seat]
            fields = {"player": seat} if state["simultaneous"] else {}
            state = stage.do("score_box", category=category, **fields)
            if state["simultaneous"]:
                state = stage.do("ready", player=seat)
                if seat != seats[-1]:
                    continue
            after = state["players"][seat]
            assert after["boxes"][category] == promised[category]
            assert (
                stage.client.get(f"/api/v1/why?category={category}").get_json()["players"][seat]["why"]
                == why["why"]
            )
            gained = after["total"] - before["total"]
            sums = sum(after[each] - before[each] for each in ("bonus", "extra"))
            assert rules.bonus_only or gained == promised[category] + sums
            if not rules.bonus_only:
                assert (
                    after["total"]
                    == sum(x or 0 for x in after["boxes"].values()) + after["bonus"] + after["extra"]
                )
    assert state["finished"]


OWN = 'id = "ours"\ntitle = "Ours"\nthrows = 2\n[[box]]\ncategory = "choice"\nlabel = "All"\nserved = 7\n'


class Kept(Nothing):
    """House rules that are kept at the station."""

    def texts(self) -> dict[str, str]:
        return {"ours": OWN}


def test_house_rules_that_can_be_played_can_be_asked_about(stage: Stage):
    advisor = Advisor(None)
    advisor.solution_now(parse_rules(OWN, "ours"))
    mine = Stage(table=Table(house_rules=Kept().texts), house_rules=Kept(), advisor=advisor)
    asked = {"rules": "ours", "dice": [1, 2, 3, 4, 6]}
    assert mine.do("start_game", players=["Ana"], rules="ours")["rules"] == "ours"
    for roll, points in ((None, 16), (1, 23), (2, 16)):
        answer = mine.client.post("/api/v1/score", json={**asked, **({"roll": roll} if roll else {})})
        assert answer.get_json() == {"scores": {"choice": points}}
    answer = mine.client.post("/api/v1/advice", json={**asked, "rolls_left": 0})
    assert [each["points"] for each in answer.get_json()["boxes"]] == [16]
    assert stage.client.post("/api/v1/score", json=asked).status_code == 400
    advisor.close()
