"""Strangers, guests, seats and hosts press at the same moment; a small model knows what each of them may do.

What was written down tells the order in which things happened. Each step must have been one that its screen
might do as things stood just then; what was refused must have been barred at some moment meanwhile.
"""

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Condition, local
from typing import Any

import pytest

from messages.errors import NotAllowedError
from station.contract.commands import Command
from station.contract.view import TableView
from station.game.log.event import Event
from station.game.log.state import State
from station.store.event_log import MemoryLog
from station.table.table import Table, everybody
from tests.web.helpers import Stage
from tests.web.hosting import become_host
from tests.web.permission_model import House, Moment, Screen, at_any, may

pytestmark = pytest.mark.slow

May = Callable[[TableView, State], None]

SCREENS = (
    Screen("host", host=True),
    Screen("ana", "Ana"),
    Screen("ben", "Ben"),
    Screen("guest"),
    Screen("stranger"),
)
HOUSES = (
    House(),
    House(pin=True),
    House(pin=True, only_seated=True),
    House(roles=True),
    House(roles=True, pin=True),
    House(keeper="Ana"),
    House(pin=True, keeper="Ana"),
    House(roles=True, keeper="Ben"),
)
BATCHES, AT_ONCE = 30, 8


class WrongError(AssertionError):
    """A screen did what it may not, or was refused what it may."""


class Together:
    """Lets nobody on until all who are on their way are here, or have ended."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._coming = 0

    def start(self, count: int) -> None:
        self._coming = count

    def one_less(self) -> None:
        with self._changed:
            self._coming -= 1
            self._changed.notify_all()

    def wait(self) -> None:
        self.one_less()
        with self._changed:
            assert self._changed.wait_for(lambda: self._coming <= 0, 60.0)


class Written(MemoryLog):
    """What was written down in order, with who asked for it."""

    def __init__(self) -> None:
        super().__init__()
        self.asks = local()
        self.steps: list[tuple[int, Sequence[Event], State]] = []

    def append(self, events: Sequence[Event], state: State) -> None:
        self.steps.append((self.asks.number, events, state))
        super().append(events, state)


class TableOfMany(Table):
    """All who press at the same moment get as far as the table before the first of them is heard."""

    together = Together()

    def execute(self, command: Command, may: May = everybody) -> TableView:
        self.together.wait()
        return super().execute(command, may)


class TableThatAsksBefore(TableOfMany):
    """The mistake of before: who may do it is asked first, and the step is done later."""

    def execute(self, command: Command, may: May = everybody) -> TableView:
        try:
            may(*self.moment())
        except NotAllowedError:
            self.together.one_less()
            raise
        return super().execute(command)


class Evening:
    """A table, its screens, and the model of what they may do."""

    def __init__(self, seed: int, house: House, kind: type[TableOfMany] = TableOfMany) -> None:
        self.chance, self.house, self.log = random.Random(seed), house, Written()
        self.log.asks.number = -1
        self.table = kind(self.log)
        self.table.together = Together()
        self.stage = Stage(table=self.table)
        self.clients = {
            each.name: self.stage.app.test_client(use_cookies=each.name != "stranger") for each in SCREENS
        }
        self.count: Counter[str] = Counter()
        self.set_up()
        self.now = Moment(self.table.moment()[1])

    def set_up(self) -> None:
        host = self.clients["host"]
        become_host(host)
        for screen in SCREENS:
            self.clients[screen.name].get("/api/v1/room")
            if screen.seat:
                self.post(screen.name, "room/seat", name=screen.seat)
        if self.house.pin:
            self.post("host", "room/pin", pin="4711")
        if self.house.keeper:
            self.post("host", "room/scorekeeper", name=self.house.keeper)
        self.post("host", "room/roles", on=self.house.roles)
        self.post("host", "room/only-seated", on=self.house.only_seated)

    def post(self, screen: str, path: str, **body: object) -> None:
        assert self.clients[screen].post(f"/api/v1/{path}", json=body).status_code == 200

    def some_command(self) -> dict[str, Any]:
        chance, state = self.chance, self.now.state
        if not state.running and chance.random() < 0.6:
            return {"command": "start_game", "players": ["Ana", "Ben"], "rules": "yacht-1938"}
        faces = [chance.randint(1, 6) for _ in range(5)]
        category = chance.choice(state.played.categories if state.rules else ("ones",))
        likely: list[dict[str, Any]] = [
            {"command": "enter_roll", "faces": faces},
            {"command": "score_box", "category": category},
            {"command": "undo"},
            {"command": "press", "button": "undo"},
        ]
        rare: list[dict[str, Any]] = [
            {"command": "set_held", "slots": [1, 2]},
            {"command": "correct_die", "slot": 1, "face": chance.randint(1, 6)},
            {"command": "choose"},
            {"command": "press", "button": "confirm", "long": True},
            {"command": "correct_box", "player": 0, "category": category, "faces": faces, "force": True},
            {"command": "rename_player", "player": 0, "name": chance.choice(["Ana", "Ben"])},
            {"command": "move_player", "player": 0, "to": 1},
            {"command": "remove_player", "player": 1},
            {"command": "add_player", "name": chance.choice(["Ana", "Ben", "Dora"])},
            {"command": "end_game"},
            {"command": "rematch"},
        ]  # fmt: skip
        return chance.choice(likely if chance.random() < 0.8 else rare)

    def play(self) -> None:
        for _ in range(BATCHES):
            self.press_together()

    def press_together(self) -> None:
        """Several screens press at once; what came of it is held against the model."""
        asked = [(self.chance.choice(SCREENS), self.some_command()) for _ in range(AT_ONCE)]
        written = len(self.log.steps)
        self.table.together.start(len(asked))
        with ThreadPoolExecutor(len(asked)) as pool:
            found = list(pool.map(self.press, range(len(asked)), *zip(*asked, strict=True)))
        moments = [self.now]
        steps = self.log.steps[written:]
        for number, events, state in steps:
            screen, body = asked[number]
            if not may(screen, self.house, body, moments[-1]):
                raise WrongError(f"{screen} did {body} in {self.house}")
            moments.append(moments[-1].after(events, state))
        for (screen, body), answer in zip(asked, found, strict=True):
            wanted = answer != 403
            if wanted not in at_any(moments, screen, self.house, body):
                raise WrongError(f"{screen} was answered {answer} to {body} in {self.house}")
            self.count["heard" if wanted else "refused"] += 1
        self.now = moments[-1]
        assert self.now.state is self.table.moment()[1]

    def press(self, number: int, screen: Screen, body: Mapping[str, Any]) -> int:
        self.log.asks.number = number
        answer = self.clients[screen.name].post("/api/v1/commands", json=body)
        assert answer.status_code in {200, 403, 409, 422}, answer.get_json()
        return int(answer.status_code)


@pytest.mark.parametrize("house", HOUSES, ids=str)
@pytest.mark.parametrize("seed", [1, 2])
def test_nobody_does_what_they_may_not(house: House, seed: int) -> None:
    evening = Evening(seed, house)
    evening.play()
    heard, refused = evening.count["heard"], evening.count["refused"]
    assert heard + refused == BATCHES * AT_ONCE
    assert min(heard, refused) > 10 or house == House(), "both happen, and often enough"


def play_evenings(house: House) -> None:
    for seed in range(1, 7):
        Evening(seed, house, TableThatAsksBefore).play()


@pytest.mark.parametrize("house", [House(pin=True), House(roles=True)], ids=str)
def test_that_the_permission_was_asked_before_the_step_is_found(house: House) -> None:
    """The mistake is planted again: the model notices it, at the latest in one of several evenings."""
    with pytest.raises(WrongError, match="did"):
        play_evenings(house)
