"""Where the next throw confirms the one before: what counts, and what still waits for people."""

import pytest

from messages.errors import StoreError
from station.store.event_log import MemoryLog
from station.table.play import Habits
from station.table.table import Table
from station.table.waiting_throw import SHOWN_S
from tests.asking import do, shown
from tests.table.helpers import Clock, X, Y, reading
from vision.reading import Reason, Status

OTHER = (2, 2, 3, 4, 4)


class Evening:
    """A table at which the next throw confirms; dice are thrown by hand."""

    def __init__(self, *, next_confirms: bool = True, apart=None) -> None:
        self.clock, self.log, self.at = Clock(), MemoryLog(), 0.0
        self.next_confirms = next_confirms
        more = {} if apart is None else {"apart": apart}
        habits = Habits(next_confirms=lambda: self.next_confirms)
        self.table = Table(self.log, habits=habits, clock=self.clock, **more)
        do(self.table, {"command": "start_game", "players": ["Ana", "Ben"], "rules": "yahtzee"})

    def moves(self) -> None:
        self.table.offer(reading(status=Status.MOVING))

    def throw(self, *faces: int, shown_s: float = SHOWN_S + 0.1, status: Status = Status.READY) -> None:
        """Dice roll, come to rest elsewhere, and are looked at for a while."""
        self.moves()
        self.at += 100.0
        reasons = () if status is Status.READY else (Reason.LOW_CONFIDENCE,)
        self.table.offer(reading(*faces, at=self.at, status=status, reasons=reasons))
        self.clock.pass_s(shown_s)

    @property
    def dice(self) -> list[int]:
        """The confirmed roll."""
        return [die["face"] for die in shown(self.table)["dice"]]

    @property
    def throws(self) -> int:
        return shown(self.table)["throws_done"]


@pytest.fixture
def evening() -> Evening:
    return Evening()


def test_one_tap_ends_a_turn_of_three_throws(evening):
    for faces in (X, Y, OTHER):
        evening.throw(*faces)
    offer = shown(evening.table)["offer"]
    do(evening.table, {"command": "score_box", "category": "choice", "roll": offer["faces"]})
    state = shown(evening.table)
    assert state["players"][0]["boxes"]["choice"] == sum(OTHER)
    assert state["active_player"] == 1


@pytest.mark.parametrize("seen", [{"shown_s": SHOWN_S / 2}, {"status": Status.UNSURE}])
def test_a_throw_that_was_hardly_shown_or_is_unsure_waits_for_people(evening, seen):
    evening.throw(*X, **seen)
    evening.throw(*Y)
    assert evening.throws == 0


def test_a_hand_over_the_dice_confirms_nothing(evening):
    evening.throw(*X)
    evening.table.offer(reading(status=Status.COVERED))
    evening.table.offer(reading(*X, at=evening.at))
    assert evening.throws == 0


def test_what_somebody_confirmed_is_not_confirmed_again(evening):
    evening.throw(*X)
    do(evening.table, {"command": "accept_roll"})
    evening.throw(*Y)
    assert (evening.throws, evening.dice) == (1, list(X))


def test_dice_that_were_taken_back_wait_again(evening):
    evening.throw(*X)
    evening.throw(*Y)
    do(evening.table, {"command": "undo"})
    assert evening.throws == 0


@pytest.mark.parametrize("on", [False, True])
def test_how_throws_count_may_be_chosen_while_one_waits(on):
    evening = Evening(next_confirms=not on)
    evening.throw(*X)
    evening.next_confirms = on
    evening.throw(*Y)
    assert evening.throws == int(on)


def test_what_the_camera_sees_meanwhile_counts_afterwards():
    steps = []
    evening = Evening(apart=steps.append)
    evening.throw(*X)
    evening.throw(*Y)
    assert evening.throws == 0, "it is still being written down"
    steps.pop()()
    assert (evening.throws, evening.dice) == (1, list(X))
    assert shown(evening.table)["offer"]["faces"] == list(Y)


def test_a_disk_that_is_full_leaves_the_throw_to_people(evening, monkeypatch):
    evening.throw(*X)

    def full(*_: object) -> None:
        raise StoreError("store/slow")

    with monkeypatch.context() as broken:
        broken.setattr(evening.log, "append", full)
        evening.moves()
    assert evening.throws == 0
    evening.throw(*Y)
    assert shown(evening.table)["offer"]["faces"] == list(Y)
