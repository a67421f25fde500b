"""`yacht rules`: the rule sets, or one of them in words."""

import json

import click

from station import games
from station.commands.language import say, words
from station.commands.options import JSON_OPTION, RuleSetType
from station.commands.rule_sets import find
from station.rules import RuleSet, built_in_ids
from station.rules.sentences import describe


@click.command("rules")
@click.argument("rule_set", type=RuleSetType(), required=False, metavar="[ID|FILE.toml]")
@JSON_OPTION
def command(*, rule_set: RuleSet | None, as_json: bool) -> None:
    """List the rule sets, or tell one in words, with its source."""
    if rule_set is None:
        known = [find(rules_id) for rules_id in (*built_in_ids(), *games.texts())]
        if as_json:
            click.echo(json.dumps([{"id": each.id, "title": str(each.title)} for each in known]))
            return
        for each in known:
            click.echo(f"{each.id:<18} {words(each.title)}")
        return
    if as_json:
        click.echo(json.dumps(_as_json(rule_set)))
        return
    for line in describe(rule_set):
        say(line)


def _as_json(rule_set: RuleSet) -> dict[str, object]:
    """The rule set for programs."""
    bonus = rule_set.bonus
    return {
        "id": rule_set.id,
        "title": str(rule_set.title),
        "boxes": [
            {"category": box.category, "label": str(box.label), "section": box.section}
            for box in rule_set.boxes
        ],
        "bonus": None if bonus is None else {"threshold": bonus.threshold, "points": bonus.points},
        "dice": rule_set.dice,
        "throws": rule_set.throws,
        "players": list(rule_set.players),
        "boxes_per_turn": rule_set.boxes_per_turn,
        "simultaneous": rule_set.simultaneous,
        "starts": str(rule_set.starts),
        "source": str(rule_set.source),
    }
