"""The games of the Yacht family: dice, scoring, rule sets, score sheets. Pure."""

from messages.errors import BadInputError
from station.rules.builtin import BUILTIN
from station.rules.filling import explain, explain_all, fill, potentials
from station.rules.house import parse_rules
from station.rules.jokers import legal_boxes
from station.rules.ruleset import Bonus, Box, FirstDie, Joker, Order, RuleSet, Section
from station.rules.sheet import Entry, Sheet, Totals, bonus_points, sheet_totals
from station.rules.splits import best_split

__all__ = [
    "Bonus",
    "Box",
    "Entry",
    "FirstDie",
    "Joker",
    "Order",
    "RuleSet",
    "Section",
    "Sheet",
    "Totals",
    "best_split",
    "bonus_points",
    "built_in",
    "built_in_ids",
    "explain",
    "explain_all",
    "fill",
    "legal_boxes",
    "parse_rules",
    "potentials",
    "sheet_totals",
]


def built_in_ids() -> tuple[str, ...]:
    """The ids of the rule sets that come with the station."""
    return tuple(rules.id for rules in BUILTIN)


def built_in(rules_id: str) -> RuleSet:
    """The rule set of that id; BadInputError, naming those there are, if there is none.

    >>> built_in("world-51").box("twos").label
    Message('label/deuce')
    """
    for rules in BUILTIN:
        if rules.id == rules_id:
            return rules
    raise BadInputError("rules/no-such-set", code="rules/unknown", rules=rules_id, known=built_in_ids())
