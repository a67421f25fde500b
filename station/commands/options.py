"""Options that several commands share, and how they are read."""

from __future__ import annotations

import re
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from messages.errors import BadInputError
from messages.message import Message, Value
from station.commands import rule_sets
from station.commands.language import seen_by_a_person, words
from station.rules import RuleSet

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from station.advice.advisor import Advisor
    from station.strategy.values.decisions import Values


class RuleSetType(click.ParamType[RuleSet]):
    """A rule set by its id, or by a house-rules file."""

    name = "rules"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> RuleSet:
        """The rule set; BadInputError says what is wrong."""
        del param, ctx
        return value if isinstance(value, RuleSet) else rule_sets.find(str(value))


class DiceType(click.ParamType[tuple[int, ...]]):
    """Faces, as in 1,2,2,4,6."""

    name = "dice"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        """The faces in the order given; whether they are faces is for the rules to check."""
        del param, ctx
        if isinstance(value, tuple):
            return value
        if not re.fullmatch(r"\s*[0-9]{1,9}(\s*[-,\s]\s*[0-9]{1,9})*\s*", str(value)):
            raise BadInputError("yacht/no-dice", code="input/bad", dice=str(value))
        return tuple(int(word) for word in re.findall("[0-9]+", str(value)))


RULES_OPTION = click.option(
    "--rules", "rule_set", type=RuleSetType(), required=True, metavar="ID|FILE.toml",
    help="The rule set: an id ('yacht rules' lists them) or a house-rules file.",
)  # fmt: skip
JSON_OPTION = click.option("--json", "as_json", is_flag=True, help="Print JSON and nothing else.")
DATA_OPTION = click.option(
    "--data", "data_dir", type=click.Path(file_okay=False, path_type=Path), metavar="DIR",
    help="Where what is worked out for house rules is kept.",
)  # fmt: skip


def solution(rule_set: RuleSet, data_dir: Path | None) -> Values:
    """The values of a rule set; while they are worked out, a person at a terminal sees how far it is."""
    with telling("yacht/working-out", title=rule_set.title) as tell:
        return advisor(data_dir).solution_now(rule_set, tell)


def planned(rule_set: RuleSet) -> Message:
    """The size of a game, the cost of solving it, and whether that is exact, without computing anything."""
    from station.strategy.values.parts import plan

    found = plan(rule_set)
    how = "exact" if found.exact else "parts"
    return Message(
        f"advice/plan/{how if found.can_be_done else 'none'}",
        sheets=found.sheets, parts=len(found.parts), seconds=found.seconds, megabytes=found.megabytes,
    )  # fmt: skip


@contextmanager
def telling(key: str, **values: Value) -> Iterator[Callable[[float], None]]:
    """A progress callback for the share done, 0..1: shows a line on a terminal, removed in the end."""
    shown = seen_by_a_person()

    def tell(share: float) -> None:
        if shown:
            click.echo(f"\r{words(Message(key, **values, share=share))}", nl=False, err=True)

    yield tell
    if shown:
        click.echo("\r\033[K", nl=False, err=True)


def advisor(data_dir: Path | None) -> Advisor:
    """The advisor, for the values of every rule set."""
    from station.advice.advisor import Advisor

    return Advisor(data_dir)
