"""`yacht hint`: the best holds and boxes of a position."""

import errno
import json
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from messages.errors import BadInputError, YachtError, cause
from messages.message import Message
from station.commands.language import say, words
from station.commands.options import (
    DATA_OPTION,
    JSON_OPTION,
    RULES_OPTION,
    DiceType,
    advisor,
    planned,
    solution,
)
from station.contract import view
from station.rules import RuleSet

if TYPE_CHECKING:
    from collections.abc import Iterator

    from station.strategy.model.position import Position
    from station.strategy.values.decisions import Values
    from station.strategy.values.hints import Hint

SHOWN = 5
"""Holds and boxes that are printed for people."""


@click.command("hint")
@RULES_OPTION
@click.option("--dice", type=DiceType(), metavar="1,2,2,4,6", help="The faces.")
@click.option("--rolls-left", type=int, help="Throws still allowed this turn, from 0.")
@click.option("--open", "open_", metavar="a,b,c", help="The open boxes. Default: all.")
@click.option("--upper", type=int, default=0, show_default=True, help="Points in the upper section so far.")
@click.option("--yachts", type=int, default=0, show_default=True, help="Yachts scored so far.")
@click.option("--saved", type=int, default=0, help="Throws saved from earlier turns, where they are kept.")
@click.option("--announced", default="", metavar="CATEGORY", help="The box announced for this turn, if any.")
@click.option(
    "--batch",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Positions as JSON lines; - reads them from standard input.",
)
@DATA_OPTION
@JSON_OPTION
def command(
    *,
    rule_set: RuleSet,
    dice: tuple[int, ...] | None,
    rolls_left: int | None,
    open_: str | None,
    upper: int,
    yachts: int,
    saved: int,
    announced: str,
    batch: Path | None,
    data_dir: Path | None,
    as_json: bool,
) -> int:
    """Print what to hold and where to score, best first.

    The value of a decision is the number of points still to come on average, this turn included, when all
    later decisions are the best.

    With --batch every line of FILE is a position, such as {"dice": [1, 2, 2, 4, 6], "rolls_left": 1,
    "boxes": {"ones": 3}, "saved": 0, "announced": ""} or with "open", "upper" and "yachts", and every line
    printed is what --json prints.
    """
    if batch is not None:
        return _batch(rule_set, batch, data_dir)
    if dice is None or rolls_left is None:
        raise BadInputError("yacht/hint/no_dice", code="input/bad")
    from station.strategy.measured import AboutHint
    from station.strategy.model.position import extra_now, has_won, position, thrown
    from station.strategy.reasons import points_now, reason

    named = None if open_ is None else [each for each in open_.replace(",", " ").split() if each]
    where = replace(position(rule_set, named, upper, yachts, announced), saved=saved)
    thrown(rule_set, dice, rolls_left, saved)
    values = solution(rule_set, data_dir)
    found = _hint(rule_set, values, where, dice, rolls_left, data_dir)
    if as_json:
        click.echo(json.dumps(view.as_json(found)))
        return 0
    if isinstance(found, AboutHint):
        say(planned(rule_set), err=True)
        off = "yacht/hint/off" if found.error is None else "yacht/hint/error"
        say(Message(off, error=found.error or 0.0), err=True)
    if has_won(rule_set, dice, rolls_left, saved):
        click.echo(words(Message("hint/won")))
    for hold in found.holds[:SHOWN]:
        why = reason(values, where, dice, rolls_left, hold)
        click.echo(f"{hold.value:9.3f}  {words(why)}")
    if not found.holds:
        for box in found.boxes[:SHOWN]:
            points = points_now(rule_set, box, extra_now(rule_set, where, box.category, dice))
            click.echo(f"{box.value:9.3f}  {words(points)}")
    return 0


def _hint(
    rule_set: RuleSet,
    values: "Values",
    where: "Position",
    dice: tuple[int, ...],
    left: int,
    data_dir: Path | None,
) -> "Hint":
    """The hint, set right by games that were played before, if any were."""
    from station.strategy.measured import hint_of

    return hint_of(values, where, dice, left, lambda: advisor(data_dir).kept_offsets(rule_set))


def _batch(rule_set: RuleSet, file: Path, data_dir: Path | None) -> int:
    """Answer every line; the exit code is 2 where one was no position."""
    code = 0
    values = solution(rule_set, data_dir)
    for number, line in enumerate(_lines(file), start=1):
        if not line.strip():
            continue
        try:
            answer = _answer(rule_set, values, line, data_dir)
        except YachtError as error:
            answer = {"line": number, "error": {"code": error.code, "message": words(error.message)}}
            code = 2
        click.echo(json.dumps(answer))
    return code


def _lines(file: Path) -> "Iterator[str]":
    """The lines of a file, or of standard input for `-`. Raises BadInputError where they cannot be read."""
    if str(file) == "-" and sys.stdin is None:  # closed by who started this
        why = os.strerror(errno.EBADF)
        raise BadInputError("notation/unreadable", code="input/bad", path=str(file), why=why)
    try:
        with click.open_file(str(file), encoding="utf-8-sig") as lines:
            yield from lines
    except (OSError, UnicodeDecodeError) as error:
        raise BadInputError(
            "notation/unreadable", code="input/bad", path=str(file), why=cause(error)
        ) from error


def _answer(rule_set: RuleSet, values: "Values", line: str, data_dir: Path | None) -> dict[str, object]:
    """The JSON for the position of one line. Raises BadInputError for an invalid one."""
    from station.contract.invalid import checked
    from station.contract.questions import POSITION_LINE
    from station.rules import Entry, Sheet
    from station.strategy.model.position import of_sheet, position

    try:
        data = json.loads(line)
    except (json.JSONDecodeError, RecursionError) as error:
        raise BadInputError("yacht/hint/line", code="input/bad", why=str(error)) from error
    if not isinstance(data, dict):
        raise BadInputError("request/no_object", code="request/bad")
    request = checked(POSITION_LINE, data)
    if request.boxes:
        for name in request.boxes:
            rule_set.box(name)
        where = of_sheet(
            rule_set, Sheet(tuple(Entry(*each) for each in request.boxes.items())), request.saved
        )
        where = replace(where, called=position(rule_set, where.open, called=request.announced).called)
    else:
        where = position(rule_set, request.open, request.upper, request.yachts, request.announced)
        where = replace(where, saved=request.saved)
    return dict(view.as_json(_hint(rule_set, values, where, request.dice, request.rolls_left, data_dir)))
