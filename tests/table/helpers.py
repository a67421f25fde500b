"""Readings made by hand, commands that are refused, and a clock that a test moves."""

from typing import Any

import pytest

from messages.errors import RefusalError
from station.table.table import Table
from tests.asking import do, shown
from vision.reading import Colour, DieReading, Reading, Reason, Status

X, Y = (6, 4, 1, 1, 5), (1, 5, 1, 1, 6)
"""The confirmed roll, and the one thrown after it."""


def reading(
    *faces: int, at: float = 0.0, status: Status = Status.READY, reasons: tuple[Reason, ...] = ()
) -> Reading:
    """Dice in a row from left to right, 100 px apart; another `at` (px) is another lie of the dice."""
    dice = tuple(
        DieReading(face, 0.99, (100.0 + 100 * i, 200.0 + at), 60.0, 0.0, Colour.WHITE)
        for i, face in enumerate(faces)
    )
    return Reading(status, dice, reasons)


def refused(table: Table, code: str, **command: object) -> str:
    """The sentence with which a command is refused; its code must be this one."""
    with pytest.raises(RefusalError) as caught:
        do(table, command)
    assert caught.value.code == code
    return str(caught.value)


def empty() -> Reading:
    return reading(status=Status.EMPTY)


def ana(state: dict[str, Any]) -> Any:
    return state["players"][0]


def nobodys(table: Table) -> None:
    """Dice lie there that Ben may not confirm."""
    state = shown(table)
    assert (state["turn"], state["waiting_for"]) == ("nothing_thrown", "Ben: roll all five dice")
    assert "accept_roll" not in state["commands"]
    refused(table, "roll/not_thrown", command="accept_roll")


class Clock:
    """Seconds that pass only by `pass_s`, or when somebody sleeps on it."""

    def __init__(self, now_s: float = 1000.0) -> None:
        self.now_s = now_s

    def __call__(self) -> float:
        return self.now_s

    def pass_s(self, seconds: float) -> None:
        self.now_s += seconds

    sleep = pass_s
