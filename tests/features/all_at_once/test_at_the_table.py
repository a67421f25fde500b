"""All together: one throw for everybody, a copy for each player, and nobody is overtaken."""

from itertools import count
from typing import Any

import pytest

from messages.errors import RefusalError
from station.features.all_at_once.feature import PlayerPart, TablePart
from station.game.events import GameStarted
from station.store.event_log import MemoryLog
from station.table.table import Table
from tests.asking import do
from tests.table.helpers import refused
from vision.reading import Colour, DieReading, Reading, Status

THROWS = count(1)
FIVE = (Colour.RED, Colour.GREEN, Colour.BLUE, Colour.WHITE, Colour.BLACK)


def thrown(
    *faces: int, colours: tuple[Colour, ...] = FIVE, at: float = 0.0, order: tuple[int, ...] = (0, 1, 2, 3, 4)
) -> Reading:
    """Dice with these faces and colours; `order` says which of them lies where from left to right."""
    dice = tuple(
        DieReading(faces[i], 0.99, (100.0 + 100 * place, 200.0 + at), 60.0, 0.0, colours[i])
        for place, i in enumerate(order)
    )
    return Reading(Status.READY, dice, ())


def roll(table: Table, *faces: int, **how: Any) -> None:
    """A throw that is seen and confirmed."""
    table.offer(Reading(Status.MOVING, (), ()))
    how.setdefault("at", 70.0 * (next(THROWS) % 7))
    table.offer(thrown(*faces, **how))
    do(table, {"command": "accept_roll"})


def act(table: Table, command: str, player: int, **fields: Any) -> Any:
    return do(table, {"command": command, "player": player, **fields})


@pytest.fixture
def shared() -> Table:
    table = Table()
    do(table, {"command": "start_game", "players": ["Ana", "Ben", "Cleo"], "rules": "shared-roll"})
    return table


def test_a_die_left_of_a_throw_that_came_too_early_is_told_wherever_it_lies(shared: Table):
    roll(shared, 3, 1, 6, 6, 2, at=0.0)
    shared.offer(Reading(Status.MOVING, (), ()))
    near, early = thrown(3, 1, 6, 4, 2, at=10.0).dice, thrown(1, 2, 3, 4, 5, at=80.0).dice
    early = (*early[:3], near[3], early[4])  # close to where it lay before
    shared.offer(Reading(Status.READY, early, ()))
    for seat in (0, 1, 2):
        act(shared, "ready", seat)
    shared.offer(Reading(Status.MOVING, (), ()))
    after = thrown(5, 5, 5, 4, 5, at=160.0).dice
    shared.offer(Reading(Status.READY, (*after[:3], early[3], after[4]), ()))
    assert "the 4 has not moved" in refused(shared, "roll/all_are_thrown", command="accept_roll")


def play_round_out(table: Table, boxes: tuple[str, ...] = ("choice", "choice", "choice")) -> None:
    """Everybody keeps throwing what they throw, and fills these boxes."""
    while table.snapshot().phase != "choosing":
        if table.snapshot().phase == "throwing":
            do(table, {"command": "enter_roll", "faces": [1, 2, 3, 4, 6]})
        else:
            for seat in table.snapshot().part(TablePart).waits_for:
                act(table, "ready", seat)
    for seat in table.snapshot().part(TablePart).waits_for:
        act(table, "score_box", seat, category=boxes[seat])
        act(table, "ready", seat)


@pytest.mark.thorough
def test_a_late_guest_plays_from_the_next_round_on_and_the_missing_ones_at_the_end(shared: Table):
    roll(shared, 3, 1, 6, 6, 2)
    do(shared, {"command": "add_player", "name": "Dana"})
    assert shared.snapshot().part(TablePart).waits_for == (0, 1, 2)
    refused(shared, "ready/next_round", command="ready", player=3)
    boxes = [row.category for row in shared.snapshot().categories]
    for box in boxes:
        play_round_out(shared, (box,) * 4)
    view = shared.snapshot()
    assert not view.finished
    assert [len([x for x in player.boxes.values() if x is None]) for player in view.players] == [0, 0, 0, 1]
    do(shared, {"command": "enter_roll", "faces": [1, 1, 1, 1, 1]})
    assert shared.snapshot().part(TablePart).waits_for == (3,)
    play_round_out(shared, ("",) * 3 + (boxes[0],))
    assert shared.snapshot().finished


def test_what_others_do_makes_nothing_stale(shared: Table):
    roll(shared, 3, 1, 6, 6, 2)
    shown = shared.snapshot().version
    act(shared, "set_held", 0, slots=[1], version=shown)
    act(shared, "set_held", 1, slots=[1], version=shown)
    act(shared, "ready", 2, version=shown)
    with pytest.raises(RefusalError) as caught:
        act(shared, "set_held", 1, slots=[2], version=shown)
    assert caught.value.code == "version/stale"
    shown = shared.snapshot().version
    act(shared, "ready", 0, version=shown)
    act(shared, "ready", 1, version=shown)
    with pytest.raises(RefusalError):
        act(shared, "unready", 2, version=shown)


def test_the_buttons_act_for_the_player_at_the_table(shared: Table):
    roll(shared, 3, 1, 6, 6, 2)
    press = {"command": "press"}
    do(shared, press | {"button": "hold-3"})
    do(shared, press | {"button": "confirm"})
    view = shared.snapshot()
    assert [die.slot for die in view.players[0].part(PlayerPart).dice if die.held] == [3]
    assert (view.active_player, view.part(TablePart).waits_for) == (1, (1, 2))
    do(shared, press | {"button": "confirm", "long": True})
    assert shared.snapshot().active_player == 2
    do(shared, {"command": "choose_player", "player": 0})
    do(shared, press | {"button": "confirm"})
    assert shared.snapshot().part(TablePart).waits_for == (0, 1, 2)
    for _ in range(3):
        do(shared, press | {"button": "confirm"})
    roll(shared, 1, 1, 1, 1, 1)
    for _ in range(3):
        do(shared, press | {"button": "confirm"})
    roll(shared, 6, 6, 6, 6, 6)
    assert shared.snapshot().choice == "yacht"
    for _ in range(3):
        do(shared, press | {"button": "confirm"})
        do(shared, press | {"button": "confirm"})
    assert [player.total for player in shared.snapshot().players] == [50, 50, 50]


def test_a_game_begun_before_this_was_there_goes_on_in_turns():
    log = MemoryLog([GameStarted(1, 0, "shared-roll", ("Ana", "Ben"))])
    table = Table(log)
    assert not table.snapshot().part(TablePart).simultaneous
    do(table, {"command": "enter_roll", "faces": [1, 2, 3, 4, 6]})
    refused(table, "ready/turns", command="ready")
    refused(table, "player/not_turn", command="set_held", player=1, slots=[1])
    do(table, {"command": "score_box", "category": "choice"})
    assert table.snapshot().active_player == 1
