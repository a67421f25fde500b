"""How far back everybody may go where there is a PIN: the last turn, whoever and whatever has played it."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest

from messages.errors import NotAllowedError, RefusalError
from station.contract import commands
from station.contract.command import Button
from station.features.two_homes.homes import Home
from station.features.two_homes.line.other_home import OtherHome
from station.features.two_homes.option import HOME
from station.game.events import BoxScored, RollAccepted, Undone
from station.game.log.slots import Die
from station.table.table import Table
from tests.web.helpers import Stage
from tests.web.hosting import become_host

ROLL = (1, 2, 3, 4, 5)


@pytest.fixture
def stage() -> Stage:
    made = Stage(table=Table(at_table=[Home(guests=("berlin",))]))
    become_host(made.client)
    assert made.client.post("/api/v1/room/pin", json={"pin": "4711"}).status_code == 200
    made.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
    return made


def turn(stage: Stage, box: str) -> None:
    """By real buttons, by a computer or in another home: no screen says it."""
    stage.table.execute(commands.EnterRoll(faces=ROLL))
    stage.table.execute(commands.ScoreBox(category=box))


def turn_of_homes(stage: Stage, box: str) -> None:
    """The next turn, wherever it is thrown."""
    if not HOME.of(stage.table.moment()[1].player):
        turn(stage, box)
        return
    home = OtherHome(stage.table)
    rolled = RollAccepted(tuple(Die(slot, face) for slot, face in enumerate(ROLL, start=1)))
    for event in (rolled, BoxScored(box)):
        home.take(home.numbered()[0], "berlin", (event,))


def undone(phone) -> str:
    answer = phone.post("/api/v1/commands", json={"command": "undo"})
    return "ok" if answer.status_code == 200 else answer.get_json()["error"]["code"]


def test_a_turn_that_no_screen_has_played_is_one_to_take_back(stage: Stage):
    phone = stage.app.test_client(use_cookies=False)
    for box in ("choice", "choice", "ones"):
        turn(stage, box)
    for _ in range(2):
        assert [undone(phone) for _ in range(3)] == ["ok", "ok", "room/host_only"], "the box, and its throw"
        turn(stage, "ones")


def test_a_game_that_no_screen_has_begun_is_one_to_take_back(stage: Stage):
    phone = stage.app.test_client(use_cookies=False)
    turn(stage, "choice")
    assert [undone(phone) for _ in range(3)] == ["ok", "ok", "room/host_only"]
    stage.table.execute(commands.EndGame())
    stage.table.execute(commands.Rematch())
    assert [undone(phone) for _ in range(2)] == ["ok", "room/host_only"]


def test_steps_back_that_are_asked_for_at_the_same_moment_are_asked_one_after_the_other(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
):
    """Twelve phones press, and all of them are at the table before the first step is done."""
    for box in ("ones", "twos", "threes", "fours", "fives", "sixes"):
        for _ in range(2):
            turn(stage, box)
    before, execute = len(stage.table.moment()[1].past), stage.table.execute
    together = Barrier(12, timeout=60.0)

    def execute_together(*asked: Any) -> Any:
        together.wait()
        return execute(*asked)

    monkeypatch.setattr(stage.table, "execute", execute_together)
    with ThreadPoolExecutor(12) as phones:
        asked = [phones.submit(undone, stage.app.test_client(use_cookies=False)) for _ in range(12)]
    assert Counter(each.result() for each in asked) == {"ok": 2, "room/host_only": 10}
    assert len(stage.table.moment()[1].past) == before - 2, "the last box and its throw"


def test_a_step_back_by_the_real_button_counts_as_one(stage: Stage):
    phone = stage.app.test_client(use_cookies=False)
    turn(stage, "choice")
    turn(stage, "choice")
    for _ in range(2):
        stage.table.execute(commands.Press(button=Button.UNDO))
    assert undone(phone) == "room/host_only"


def test_a_button_that_another_program_presses_goes_back_no_further(stage: Stage):
    for _ in range(2):
        turn(stage, "choice")
    for _ in range(2):
        stage.table.press(Button.UNDO)
    with pytest.raises(NotAllowedError, match="host"):
        stage.table.press(Button.UNDO)
    turn(stage, "choice")
    stage.table.press(Button.UNDO)


def test_nor_does_another_home_and_not_several_steps_in_one_message(stage: Stage):
    stage.do("end_game")
    stage.do("start_game", players=[{"name": "Ana"}, {"name": "Ben", "home": "berlin"}], rules="yacht-1938")
    for box in ("choice", "choice", "ones", "ones"):
        turn_of_homes(stage, box)
    home, last = OtherHome(stage.table), OtherHome(stage.table).numbered

    def take(*told: Any) -> str:
        try:
            home.take(last()[0], "berlin", told)
        except RefusalError as refusal:
            return refusal.code
        return "ok"

    assert take(Undone(), Undone()) == "homes/not_theirs"
    assert [take(Undone()) for _ in range(3)] == ["ok", "ok", "room/host_only"]
