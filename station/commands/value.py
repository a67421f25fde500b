"""`yacht value`: what a rule set is worth when it is played best."""

import json
from pathlib import Path

import click

from messages.message import Message
from station.commands.language import say, seen_by_a_person
from station.commands.options import DATA_OPTION, JSON_OPTION, RULES_OPTION, advisor, planned, solution
from station.rules import RuleSet

SEED = 1938


@click.command("value")
@RULES_OPTION
@click.option(
    "--games", type=click.IntRange(2, 100_000), default=1000, show_default=True,
    help="Games to play where the value is not exact.",
)  # fmt: skip
@DATA_OPTION
@JSON_OPTION
def command(*, rule_set: RuleSet, games: int, data_dir: Path | None, as_json: bool) -> None:
    """Print the expected final score of optimal play from the empty sheet.

    Of a game that is too large to solve as a whole it is what the station's own play comes to, in simulated
    games, with the 95 % confidence interval of that.
    """
    from station.strategy.forward.trials import Trials, mean_of
    from station.strategy.values.parts import InParts

    if seen_by_a_person():
        say(planned(rule_set), err=True)
    values = solution(rule_set, data_dir)
    if not isinstance(values, InParts):
        click.echo(json.dumps({"value": values.start}) if as_json else f"{values.start:.6f}")
        return
    trials = Trials(values, games, SEED)
    found = mean_of(trials.play())
    advisor(data_dir).keep_offsets(rule_set, trials.offsets())
    if as_json:
        result = {"value": found.mean, "exact": False, "error": found.error, "games": found.games}
        click.echo(json.dumps(result))
    else:
        say(Message("yacht/value/about", mean=found.mean, error=found.error, games=found.games))
