"""However much is asked and shown of a frame, what lies in the tray is worked out once."""

import pytest

from station.game.dice import tray
from station.game.dice.sights import Sight
from station.game.dice.tray import Offer
from station.game.log.state import State
from station.table.table import Table
from tests.asking import do
from tests.table.helpers import X, Y, reading
from vision.reading import Status


def test_the_offer_of_a_frame_is_worked_out_once(monkeypatch: pytest.MonkeyPatch):
    table = Table()
    do(table, {"command": "start_game", "players": ["Ana", "Ben"], "rules": "yahtzee"})
    table.offer(reading(*X))
    do(table, {"command": "accept_roll"})
    table.offer(reading(status=Status.MOVING))
    found: list[Offer] = []
    work_out = tray.offer

    def counted(state: State, sight: Sight) -> Offer:
        found.append(work_out(state, sight))
        return found[-1]

    monkeypatch.setattr(tray, "offer", counted)
    table.offer(reading(*Y, at=90.0))
    assert [offer.faces for offer in found] == [tuple(sorted(Y))]
    assert "accept_roll" in table.snapshot().commands
