"""`yacht score`: what some dice are worth in every box."""

import click

from messages.errors import BadInputError
from messages.message import Message
from station.commands.language import say
from station.commands.options import JSON_OPTION, RULES_OPTION, DiceType
from station.rules import RuleSet, explain


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
    throw = rule_set.throws if roll is None else roll
    if not 1 <= throw <= rule_set.throws:
        raise BadInputError("yacht/score/roll", code="input/bad", roll=throw, throws=rule_set.throws)
    boxes = rule_set.categories if category is None else (rule_set.box(category).category,)
    found = {each: explain(rule_set, each, dice, throw) for each in boxes}
    if as_json:
        import json

        click.echo(json.dumps({"scores": {each: explained.points for each, explained in found.items()}}))
        return
    for explained in found.values():
        say(Message("yacht/score/line", points=f"{explained.points:>3}", sentence=explained.sentence))
