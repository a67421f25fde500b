"""`yacht rules`: the rule sets, one of them in words, or what a file of rules says and where it is wrong."""

import json
from pathlib import Path

import click

from messages.errors import BadInputError
from messages.message import Message
from station import games
from station.commands.language import say, words
from station.commands.options import JSON_OPTION, planned
from station.commands.rule_sets import find, load
from station.rules import RuleSet, built_in_ids
from station.rules.sentences import describe
from station.rules.written import to_json

LABEL_WIDE, CELL_WIDE = 34, 8


@click.command("rules")
@click.argument("rule_set", required=False, metavar="[ID|FILE.toml|check]")
@click.argument("file", required=False, type=click.Path(path_type=Path), metavar="[FILE]")
@JSON_OPTION
def command(*, rule_set: str | None, file: Path | None, as_json: bool) -> int:
    """List the rule sets, or tell one in words, with its source.

    'yacht rules check FILE' says what a file of rules was understood to mean, with its sheet, its size and
    what exact advice takes; or every mistake in it, with line and column.
    """
    if rule_set == "check":
        if file is None:
            raise BadInputError("yacht/rules/no_file", code="input/bad")
        return _check(file, as_json=as_json)
    if file is not None:
        raise BadInputError("yacht/rules/two", code="input/bad", file=str(file))
    if rule_set is None:
        known = [find(rules_id) for rules_id in (*built_in_ids(), *games.texts())]
        if as_json:
            click.echo(json.dumps([{"id": each.id, "title": str(each.title)} for each in known]))
        else:
            for each in known:
                click.echo(f"{each.id:<18} {words(each.title)}")
        return 0
    found = find(rule_set)
    if as_json:
        click.echo(json.dumps(to_json(found)))
    else:
        for line in describe(found):
            say(line)
    return 0


def _check(file: Path, *, as_json: bool) -> int:
    """Print the parsed rules, or all mistakes; returns the exit code."""
    mistakes: list[BadInputError] = []
    try:
        found = load(file, mistakes)
    except BadInputError as error:
        mistakes = mistakes or [error]
    if mistakes:
        if as_json:
            click.echo(json.dumps({"mistakes": [_mistake(each) for each in sorted(mistakes, key=_line)]}))
        for each in () if as_json else sorted(mistakes, key=_line):
            say(each.message, err=True)
        return 2
    if as_json:
        click.echo(json.dumps({**to_json(found), "mistakes": []}))
        return 0
    for line in describe(found):
        say(line)
    say(planned(found))
    for row in _sheet(found):
        click.echo(row)
    return 0


def _mistake(error: BadInputError) -> dict[str, object]:
    """A mistake for programs; without line and column where it is the file as a whole."""
    values = error.message.values if isinstance(error.message, Message) else {}
    place = {key: values[key] for key in ("line", "column") if key in values}
    return {**place, "code": error.code, "message": words(error.message)}


def _line(error: BadInputError) -> int:
    """The line of a mistake; 0 where it is the file as a whole."""
    line = error.message.values.get("line", 0) if isinstance(error.message, Message) else 0
    return line if isinstance(line, int) else 0


def _sheet(rules: RuleSet) -> list[str]:
    """The empty sheet, drawn: a row for each box, a cell for each column."""
    heads = [words(column.label) for column in rules.columns] or [""]
    rows = rules.boxes[: len(rules.boxes) // len(heads)]
    line = f"+{'-' * LABEL_WIDE}+" + f"{'-' * CELL_WIDE}+" * len(heads)
    cells = "|" + "".join(f"{head[:CELL_WIDE]:^{CELL_WIDE}}|" for head in heads)
    drawn = [line, f"|{'':{LABEL_WIDE}}{cells}", line]
    for box in rows:
        label = words(box.row)
        drawn.append(f"|{label[:LABEL_WIDE]:{LABEL_WIDE}}|" + f"{'':{CELL_WIDE}}|" * len(heads))
    return [*drawn, line]
