"""The state that is sent is the one that the API describes."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from station import games
from station.advice.advisor import Advisor
from station.features.computer_players.deciding import ComputersAtTable
from station.features.computer_players.mind import decided
from station.features.two_homes.homes import Home
from station.features.two_homes.line.other_home import OtherHome
from station.game.events import RollAccepted
from station.game.log.slots import Die
from station.store import Store
from station.table.table import Table
from tests.web.helpers import Stage, reading
from vision.reading import Colour, Reading, Reason, Status
from web.core import openapi


def fields(schemas: Any, schema: Any, value: Any, at: str, seen: dict[str, set[str]]) -> None:
    """Note which described fields come; fail at one that is not described."""
    ways = schema.get("anyOf", [schema])
    schema = next((each for each in ways if "$ref" in each or each.get("type") != "null"), schema)
    if "$ref" in schema:
        schema = schemas[schema["$ref"].rpartition("/")[2]]
    if isinstance(value, list):
        for each in value:
            fields(schemas, schema["items"], each, f"{at}[]", seen)
    elif isinstance(value, dict) and "properties" in schema:
        assert set(value) == set(schema["properties"]), at
        for name, each in value.items():
            seen.setdefault(f"{at}.{name}", set()).add(type(each).__name__)
            fields(schemas, schema["properties"][name], each, f"{at}.{name}", seen)


def play_against_the_computer(stage: Stage) -> None:
    """A computer player has decided about ten dice, and a team comes next."""
    advisor = Advisor(None)
    stage.table.change(ComputersAtTable, lambda _: ComputersAtTable(lambda state: decided(advisor, state)))
    robo, team = {"name": "Robo", "computer": "perfect"}, {"name": "Reds", "members": ["Eva", "Ida"]}
    stage.do("start_game", players=[robo, team], rules="double-cameroon")
    stage.do("enter_roll", faces=[1, 2, 3, 4, 5, 6, 6, 6, 6, 6])
    stage.do("choose")


def announcing() -> Stage:
    """A box has been announced."""
    stage = Stage(table=Table(house_rules=games.texts))
    stage.do("start_game", players=["Ana"], rules="yamb")
    stage.do("enter_roll", faces=[1, 2, 3, 4, 5])
    stage.do("announce_box", category="announced-twos")
    return stage


@pytest.fixture
def nowhere(tmp_path: Path) -> Iterator[Stage]:
    """The web room round a table whose games cannot be stored."""
    (tmp_path / "file").touch()
    with closing(Store(tmp_path / "file" / "data", rescue=True)) as store:
        yield Stage(table=Table(store))


def play_two_throws(stage: Stage) -> None:
    """Of a round in which all play at once."""
    for _ in range(2):
        for player in (0, 1):
            stage.do("ready", player=player)
        stage.do("enter_roll", faces=[1, 2, 3, 4, 5])


def play_in_two_homes(stage: Stage) -> None:
    """Both have thrown, here and there."""
    stage.do("start_game", players=["Ana", {"name": "Ben", "home": "berlin"}], rules="yacht-1938")
    stage.do("enter_roll", faces=[1, 2, 3, 4, 6])
    stage.do("score_box", category="choice")
    there = RollAccepted(tuple(Die(slot, 6) for slot in range(1, 6)))
    home = OtherHome(stage.table)
    home.take(home.numbered()[0], "berlin", [there])
    assert home.pictured("berlin", shown_throw(stage), 5, "pictures", lambda: None)
    stage.do("question_die", home="berlin", slot=1, face=5)


def shown_throw(stage: Stage) -> str:
    """What the last throw of the other home is called."""
    return f"{stage.table.snapshot().game}-3"


@pytest.mark.thorough
def test_the_state_is_what_is_described_in_every_phase(nowhere: Stage):
    """Nothing is sent that is not described, and nothing described that never comes."""
    stage = Stage(table=Table(at_table=[Home(guests=("berlin",))]))
    seen: dict[str, set[str]] = {}
    phases = set()
    schemas = openapi.describe(stage.app)["components"]["schemas"]

    def look(at: Stage = stage) -> None:
        state = at.client.get("/api/v1/state").get_json()
        phases.add(state["phase"])
        fields(schemas, {"$ref": "/TableView"}, state, "state", seen)

    look()
    stage.do("start_game", players=["Ana", "Ben"], rules="world-51")
    look()
    stage.table.offer(reading((1, 2), status=Status.UNSURE, reasons=(Reason.TOO_FEW,)))
    look()
    stage.throw(1, 4, 4, 4, 4)
    look()
    stage.do("accept_roll")
    stage.do("set_held", slots=[3, 4, 5])
    look()
    stage.do("choose", category="fours")
    look()
    stage.table.camera(name="drawn", ok=False, message="It is gone.")
    look()
    stage.do("score_box", category="fours")
    stage.do("end_game")
    look()
    stage.do("start_game", players=["Ana", "Ben"], rules="treasurehouse", starter="throw")
    stage.do("enter_roll", faces=[4])
    look()
    stage.do("end_game")
    stage.do("start_game", players=["Ana", "Ben"], rules="general", stakes={"per_point": "0.05"})
    stage.do("enter_roll", faces=[4, 4, 4, 4, 4])
    look()
    for play in (play_against_the_computer, play_in_two_homes):
        play(stage)
        look()
        stage.do("end_game")
    stage.do("start_game", players=["Ana", "Ben"], rules="shared-roll")
    white = tuple(replace(die, colour=Colour.WHITE) for die in reading((1, 2, 3, 4, 5), shift=300).dice)
    stage.table.offer(Reading(Status.READY, white, ()))
    stage.do("accept_roll", force=True)
    look()
    play_two_throws(stage)
    stage.do("score_box", player=0, category="choice")
    look()
    for other in (announcing(), nowhere):
        look(other)
    assert phases == {"lobby", "starting", "throwing", "holding", "choosing", "finished"}
    only_none = {name for name, kinds in seen.items() if kinds == {"NoneType"}}
    assert only_none == set()
    described = schemas["TableView"]["properties"]
    assert {name.split(".")[1] for name in seen if name.count(".") == 1} == set(described)
