"""`yacht hint`: the best holds and boxes of a position."""

import json
from pathlib import Path

import click

from messages.message import Message
from station.commands.language import words
from station.commands.options import DATA_OPTION, JSON_OPTION, RULES_OPTION, DiceType, solution
from station.contract import view
from station.rules import RuleSet

SHOWN = 5
"""Holds and boxes that are printed for people."""


@click.command("hint")
@RULES_OPTION
@click.option("--dice", type=DiceType(), required=True, metavar="1,2,2,4,6", help="The faces.")
@click.option("--rolls-left", type=int, required=True, help="Throws still allowed this turn, from 0.")
@click.option("--open", "open_", metavar="a,b,c", help="The open boxes. Default: all.")
@click.option("--upper", type=int, default=0, show_default=True, help="Points in the upper section so far.")
@click.option("--yachts", type=int, default=0, show_default=True, help="Yachts scored so far.")
@DATA_OPTION
@JSON_OPTION
def command(
    *,
    rule_set: RuleSet,
    dice: tuple[int, ...],
    rolls_left: int,
    open_: str | None,
    upper: int,
    yachts: int,
    data_dir: Path | None,
    as_json: bool,
) -> None:
    """Print what to hold and where to score, best first.

    The value of a decision is the number of points still to come on average, this turn included, when all
    later decisions are the best.
    """
    from station.strategy.hints import Hint, hint
    from station.strategy.position import extra_now, has_won, position, thrown
    from station.strategy.reasons import points_now, reason

    named = None if open_ is None else [each for each in open_.replace(",", " ").split() if each]
    where = position(rule_set, named, upper, yachts)
    thrown(rule_set, dice, rolls_left)
    values = solution(rule_set, data_dir)
    won = has_won(rule_set, dice, rolls_left)
    found = Hint((), ()) if won else hint(values, where, dice, rolls_left)
    if as_json:
        click.echo(json.dumps(view.as_json(found)))
        return
    if won:
        click.echo(words(Message("hint/won")))
    for hold in found.holds[:SHOWN]:
        click.echo(f"{hold.value:9.3f}  {words(reason(values, where, dice, rolls_left, hold.hold))}")
    if not found.holds:
        for box in found.boxes[:SHOWN]:
            told = points_now(rule_set, box, extra_now(rule_set, where, dice))
            click.echo(f"{box.value:9.3f}  {words(told)}")
