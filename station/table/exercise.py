"""A few steps on a table, to check that a station can work with its log."""

import json
from collections.abc import Iterator
from contextlib import suppress

from messages.errors import RefusalError
from station.contract import commands
from station.contract.view import as_json
from station.table.table import Table
from vision.reading import Colour, DieReading, Reading, Status


def exercise(table: Table) -> None:
    """See the view as the bytes that are sent, read dice, do one thing more, and take it back.

    Raises whatever comes of a log that a station cannot live with. The table is then not what it was.
    """
    see(table)
    for reading in (_reading(0), _reading(table.dice_expected), _reading(1)):
        table.offer(reading)
        see(table)
    for command in _commands(table):
        with suppress(RefusalError):
            table.execute(command)
        see(table)


def see(table: Table) -> None:
    """Write what the table shows as screens are sent it. Raises whatever goes wrong in that."""
    json.dumps(as_json(table.snapshot()), ensure_ascii=False, allow_nan=False).encode()


def _reading(count: int) -> Reading:
    """A reading of that many dice in a row."""
    dice = tuple(
        DieReading(1 + i % 6, 0.99, (100.0 + 100 * i, 200.0), 60.0, 0.0, Colour.WHITE) for i in range(count)
    )
    return Reading(Status.READY if dice else Status.EMPTY, dice, ())


def _commands(table: Table) -> Iterator[commands.Command]:
    """A throw, a box and a game, whichever can be now, each with what it takes to go back."""
    view, state = table.moment()
    yield commands.EnterRoll(faces=(1,) * max(state.dice_count, 1))
    if state.running and state.rules is not None:
        sheet = state.player.sheet
        open_ = [each for each in state.rules.categories if sheet.points(each) is None]
        yield from (commands.ScoreBox(category=each, force=True) for each in open_[:1])
    yield commands.Rematch() if view.finished else commands.StartGame(players=("Ana", "Ben"))
    yield commands.Undo()
    yield commands.Undo()
