"""The games of the Yacht family: dice, scoring, rule sets, score sheets. Pure."""

from messages.errors import BadInputError
from station.rules.builtin import BUILTIN
from station.rules.house import parse
from station.rules.jokers import legal
from station.rules.ruleset import Bonus, Box, Joker, RuleSet, Section
from station.rules.sheet import Entry, Sheet, Totals, explain, fill, potentials, totals
from station.rules.splits import Split, best_split, fill_two, splits

__all__ = [
    "Bonus",
    "Box",
    "Entry",
    "Joker",
    "RuleSet",
    "Section",
    "Sheet",
    "Split",
    "Totals",
    "best_split",
    "explain",
    "fill",
    "fill_two",
    "get",
    "ids",
    "legal",
    "parse",
    "potentials",
    "splits",
    "totals",
]


def ids() -> tuple[str, ...]:
    """The ids of the rule sets that come with the station."""
    return tuple(rules.id for rules in BUILTIN)


def get(rules_id: str) -> RuleSet:
    """The rule set of that id; BadInputError, naming those there are, if there is none.

    >>> get("world-51").box("twos").label
    'Deuce'
    """
    for rules in BUILTIN:
        if rules.id == rules_id:
            return rules
    raise BadInputError(
        f"There is no rule set {rules_id!r}; there are {', '.join(ids())}.", code="rules/unknown"
    )
