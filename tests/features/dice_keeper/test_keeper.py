"""The dice keeper: a die laid there is held, one taken out is free; by a model of a table with hands."""

import random
import threading
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from messages.errors import RefusalError, StoreError, YachtError
from station.store.event_log import MemoryLog
from station.store.store import Store
from station.table.play import Habits
from station.table.sight_follower import AGAIN_S
from station.table.table import Table
from tests.asking import do, shown
from tests.slow_card import SlowCard, meanwhile
from tests.table.helpers import Clock, refused
from vision.reading import Colour, DieReading, Reading, Status

KEEPER = ((600.0, 0.0), (900.0, 0.0), (900.0, 9e4), (600.0, 9e4))


@dataclass(frozen=True)
class Lying:
    """A die in the tray, seen from above."""

    face: int
    x: float
    y: float


class Hands:
    """Dice of one colour in a tray with a keeper, and the table that is shown them."""

    def __init__(self, table: Table, seed: int = 1, *, aside: bool = False) -> None:
        self.table, self.rng, self.aside = table, random.Random(seed), aside
        self.dice = [Lying(1, 0.0, 0.0)] * 5
        self.keeper: tuple[tuple[float, float], ...] | None = KEEPER
        self.spots = 0

    def free_spot(self, *, kept: bool) -> tuple[float, float]:
        """A place nobody lies at; never one where a die has lain before, as it is on real tables."""
        self.spots += 1
        across, down = self.spots % 4, self.spots // 4
        return (630.0 if kept else 30.0) + 60 * across + self.rng.random() * 5, 30.0 + 37.0 * down

    def look(self, status: Status = Status.READY) -> None:
        seen = sorted(self.dice, key=lambda die: die.x)
        dice = tuple(DieReading(die.face, 0.99, (die.x, die.y), 50.0, 0.0, Colour.WHITE) for die in seen)
        self.table.offer(Reading(status, dice).with_keeper(self.keeper))

    def throw(self, *dice: int, faces: tuple[int, ...] | None = None) -> None:
        """Roll the dice of these places in the list."""
        self.look(Status.MOVING)
        shown = faces or tuple(self.rng.randint(1, 6) for _ in dice)
        for number, face in zip(dice, shown, strict=True):
            self.dice[number] = Lying(face, *self.free_spot(kept=False))
        self.look()

    def carry(self, number: int, *, kept: bool) -> None:
        """Lay one die into the keeper, or out of it."""
        x, y = self.free_spot(kept=kept)
        self.look(Status.COVERED)
        self.dice[number] = replace(self.dice[number], x=x, y=y)
        self.look()

    def in_keeper(self, number: int) -> bool:
        return self.dice[number].x > KEEPER[0][0]

    @property
    def held(self) -> list[int]:
        """Faces of the held dice, ascending."""
        return sorted(die.face for die in self.table.snapshot().dice if die.held)


@pytest.fixture
def hands(table: Table) -> Hands:
    hands = Hands(table)
    hands.throw(0, 1, 2, 3, 4, faces=(6, 2, 6, 3, 1))
    do(table, {"command": "accept_roll"})
    return hands


@pytest.mark.parametrize(("more", "held"), [(0, [4]), (1, [])])
def test_a_die_that_rolled_into_the_keeper_is_held_while_a_throw_is_left(
    hands: Hands, more: int, held: list[int]
):
    for _ in range(more):
        hands.throw(0, 1, 2, 3, 4)
        do(hands.table, {"command": "accept_roll"})
    hands.look(Status.MOVING)
    hands.dice = [Lying(4 + (each > 0), *hands.free_spot(kept=each == 0)) for each in range(5)]
    hands.look()
    do(hands.table, {"command": "accept_roll"})
    assert hands.held == held


def test_an_undone_hold_stays_undone_until_the_die_is_carried_again(hands: Hands):
    hands.carry(0, kept=True)
    assert hands.table.snapshot().undo is not None
    do(hands.table, {"command": "undo"})
    hands.look()
    assert hands.held == []
    hands.carry(0, kept=False)
    hands.carry(0, kept=True)
    assert hands.held == [6]


def test_a_button_releases_what_lies_in_the_keeper(hands: Hands):
    hands.carry(0, kept=True)
    slot = next(die.slot for die in hands.table.snapshot().dice if die.held)
    do(hands.table, {"command": "press", "button": f"hold-{slot}"})
    hands.look()
    assert hands.held == []


@pytest.mark.parametrize("gone", ["camera", "station"])
def test_what_lies_in_the_keeper_when_the_camera_is_back_is_no_news(gone: str):
    log = MemoryLog()
    table = Table(log)
    do(table, {"command": "start_game", "players": ["Ana", "Ben"], "rules": "yacht-1938"})
    hands = Hands(table)
    hands.throw(0, 1, 2, 3, 4, faces=(6, 2, 6, 3, 1))
    do(table, {"command": "accept_roll"})
    hands.carry(0, kept=True)
    do(table, {"command": "set_held", "slots": []})
    if gone == "station":
        hands.table = Table(log)
    else:
        table.camera(name="camera", ok=False)
        table.camera(name="camera", ok=True)
    hands.look(Status.MOVING)
    hands.look()
    assert hands.held == [], "nobody has touched it"
    hands.carry(0, kept=False)
    hands.carry(0, kept=True)
    assert hands.held == [6]


def test_a_keeper_that_is_marked_elsewhere_holds_and_releases_nothing(hands: Hands):
    """A picture the profile does not fit, a profile without a keeper: hands carried no die."""
    hands.carry(0, kept=True)
    hands.carry(2, kept=True)
    hands.keeper = None
    hands.look()
    assert hands.held == [6, 6]
    hands.throw(1, 3, 4, faces=(5, 5, 4))
    assert hands.held == [6, 6]
    do(hands.table, {"command": "accept_roll"})
    assert hands.held == [6, 6]
    hands.keeper = ((0.0, 0.0), (900.0, 0.0), (900.0, 9e4), (0.0, 9e4))
    hands.look()
    assert hands.held == [6, 6]
    hands.carry(1, kept=True)
    assert hands.held == [5, 6, 6]


def test_a_die_on_the_line_of_the_keeper_is_not_held_and_released_by_a_passing_hand(hands: Hands):
    hands.throw(0, 1, 2, 3, 4)
    hands.dice[0] = Lying(6, KEEPER[0][0] - 0.4, 300.0)
    hands.look()
    do(hands.table, {"command": "accept_roll"})
    for x in (0.4, -0.4, 0.6):
        hands.look(Status.COVERED)
        hands.dice[0] = replace(hands.dice[0], x=KEEPER[0][0] + x)
        hands.look()
        assert hands.held == []
    hands.look(Status.COVERED)
    hands.dice[0] = replace(hands.dice[0], x=KEEPER[0][0] + 15.0)
    hands.look()
    assert hands.held == [6], "it was pushed in"


def test_the_first_throw_of_a_turn_asks_about_a_die_left_in_the_keeper(hands: Hands):
    hands.carry(0, kept=True)
    do(hands.table, {"command": "score_box", "category": "sixes"})
    hands.throw(1, 2, 3, 4, faces=(1, 2, 3, 4))
    state = hands.table.snapshot()
    assert "accept_roll" not in state.commands
    assert str(state.problem).startswith("Ben: one die is in the keep zone")
    assert str(state.waiting_for) == "Ben: roll all five dice"
    refused(hands.table, "roll/in_keeper", command="accept_roll")
    do(hands.table, {"command": "accept_roll", "force": True})
    assert hands.held == [6], "a die laid there is held"


def test_a_die_laid_there_before_the_throw_is_confirmed_is_held_with_it(hands: Hands):
    hands.throw(0, 1, 2, 3, 4, faces=(5, 4, 4, 2, 1))
    hands.carry(0, kept=True)
    assert hands.held == [], "nothing is held of a roll that does not count"
    do(hands.table, {"command": "accept_roll"})
    assert hands.held == [5]


def test_what_the_camera_is_not_sure_of_holds_nothing(hands: Hands):
    hands.dice[0] = replace(hands.dice[0], x=700.0)
    hands.look(Status.UNSURE)
    assert hands.held == []
    hands.look()
    assert hands.held == [6]


def test_dice_that_a_person_is_sure_of_are_followed(table: Table):
    hands = Hands(table)
    hands.look(Status.MOVING)
    hands.dice = [Lying(4 + (each > 0), *hands.free_spot(kept=each == 0)) for each in range(5)]
    hands.look(Status.UNSURE)
    slot = next(die.slot for die in table.snapshot().reading.dice if die.face == 5)
    do(table, {"command": "correct_die", "slot": slot, "face": 3})
    do(table, {"command": "accept_roll", "force": True})
    assert hands.held == [4]
    do(table, {"command": "set_held", "slots": []})
    hands.look()
    assert hands.held == [], "it lay there before"


@pytest.mark.needs_feature("all_at_once")
@pytest.mark.parametrize("rules", ["shared-roll", "yacht-1938"])
def test_where_all_play_at_once_the_keeper_holds_nothing(rules: str):
    table = Table()
    do(table, {"command": "start_game", "players": ["Ana", "Ben"], "rules": rules})
    hands = Hands(table)
    hands.throw(0, 1, 2, 3, 4, faces=(6, 2, 6, 3, 1))
    do(table, {"command": "accept_roll"})
    hands.carry(0, kept=True)
    held = [die.held for die in table.snapshot().at_hand]
    assert any(held) is (rules == "yacht-1938")


def test_where_held_dice_lie_beside_the_tray_its_keeper_holds_nothing():
    table = Table(habits=Habits(held_aside=True))
    do(table, {"command": "start_game", "players": ["Ana", "Ben"], "rules": "yacht-1938"})
    hands = Hands(table)
    hands.throw(0, 1, 2, 3, 4, faces=(6, 2, 6, 3, 1))
    do(table, {"command": "accept_roll"})
    hands.carry(0, kept=True)
    assert hands.held == []


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(40))
def test_what_is_held_is_what_lies_in_the_keeper(table: Table, seed: int):
    hands = Hands(table, seed)
    for _ in range(6):  # turns
        hands.throw(*range(5))
        do(table, {"command": "accept_roll"})
        for _ in range(2):
            for _ in range(hands.rng.randint(0, 6)):
                number = hands.rng.randrange(5)
                hands.carry(number, kept=not hands.in_keeper(number))
                assert hands.held == sorted(hands.dice[i].face for i in range(5) if hands.in_keeper(i))
            free = [i for i in range(5) if not hands.in_keeper(i)]
            out = [i for i in range(5) if hands.in_keeper(i) and hands.rng.random() < 0.2]
            if not free or hands.rng.random() < 0.2:
                break
            hands.throw(*free, *out)
            do(table, {"command": "accept_roll"})
            shown = sorted(die.face for die in table.snapshot().dice)
            assert shown == sorted(die.face for die in hands.dice)
            if table.snapshot().phase == "holding":
                kept = sorted(hands.dice[i].face for i in range(5) if hands.in_keeper(i))
                assert hands.held == kept
        state = table.snapshot()
        boxes = state.players[state.active_player].boxes
        category = next(category for category, points in boxes.items() if points is None)
        do(table, {"command": "score_box", "category": category})


class Refusing(MemoryLog):
    """A log that fails as it is told to."""

    fails: YachtError | None = None

    def append(self, events, state):
        if self.fails is not None:
            raise self.fails
        super().append(events, state)


@pytest.mark.parametrize("fails", [RefusalError("version/stale"), StoreError("store/full")])
def test_a_hold_by_the_keeper_that_could_not_be_written_is_tried_again(fails):
    """The station that keeps the game refuses, or the disk is full; the camera is not to blame."""
    log, clock = Refusing(), Clock()
    table = Table(log, clock=clock)
    do(table, {"command": "start_game", "players": ["Ana", "Ben"], "rules": "yacht-1938"})
    hands = Hands(table)
    hands.throw(0, 1, 2, 3, 4, faces=(6, 4, 1, 1, 5))
    do(table, {"command": "accept_roll"})
    log.fails = fails
    hands.carry(0, kept=True)
    log.fails = None
    hands.look()
    assert [die["slot"] for die in shown(table)["dice"] if die["held"]] == [], "not at every picture"
    clock.pass_s(AGAIN_S)
    hands.look()
    assert [die["face"] for die in shown(table)["dice"] if die["held"]] == [6]


def test_nobody_waits_for_a_die_that_is_laid_into_the_keeper_on_a_slow_card(tmp_path: Path) -> None:
    with closing(Store(tmp_path)) as store:
        table = Table(store, apart=lambda step: threading.Thread(target=step, daemon=True).start())
        do(table, {"command": "start_game", "players": ["Ana", "Ben"], "rules": "yacht-1938"})
        hands = Hands(table)
        hands.throw(0, 1, 2, 3, 4)
        do(table, {"command": "accept_roll"})
        with SlowCard(store).writing(lambda: hands.carry(2, kept=True)):
            assert not meanwhile(lambda: any(die["held"] for die in shown(table)["dice"]))
            meanwhile(lambda: (hands.look(),))
        listener = table.subscribe()
        while not any(die["held"] for die in shown(table)["dice"]):
            assert listener.get(30.0) is not None, "it is held once that is written"
