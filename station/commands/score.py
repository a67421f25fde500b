"""`yacht score`: what some dice are worth in every box."""

import click

from messages.message import Message
from station.commands.language import say
from station.commands.options import JSON_OPTION, RULES_OPTION, DiceType
from station.rules import RuleSet, explain_all


@click.command("score")
@RULES_OPTION
@click.option("--dice", type=DiceType(), required=True, metavar="1,2,2,4,6", help="The faces.")
@click.option("--category", help="Only this box.")
@click.option("--roll", type=int, help="The throw of the turn they were made in, from 1. Default: the last.")
@JSON_OPTION
def command(
    *, rule_set: RuleSet, dice: tuple[int, ...], category: str | None, roll: int | None, as_json: bool
) -> None:
    """Print the points of every box for some dice, and how they come about."""
    found = explain_all(rule_set, dice, roll, category)
    if as_json:
        import json

        click.echo(json.dumps({"scores": {each: explained.points for each, explained in found.items()}}))
        return
    for explained in found.values():
        say(Message("yacht/score/line", points=f"{explained.points:>3}", sentence=explained.sentence))
