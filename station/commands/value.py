"""`yacht value`: what a rule set is worth when it is played best."""

import json
from pathlib import Path

import click

from station.commands.options import DATA_OPTION, JSON_OPTION, RULES_OPTION, solution
from station.rules import RuleSet


@click.command("value")
@RULES_OPTION
@DATA_OPTION
@JSON_OPTION
def command(*, rule_set: RuleSet, data_dir: Path | None, as_json: bool) -> None:
    """Print the expected final score of optimal play from the empty sheet."""
    value = solution(rule_set, data_dir).start
    click.echo(json.dumps({"value": value}) if as_json else f"{value:.6f}")
