"""Answers of /score and /advice: the same as `yacht score --json` and `yacht hint --json` give."""

from typing import Any

from station import rules as rulebook
from station.rules import Sheet


def score(asked: dict[str, Any]) -> dict[str, Any]:
    """Points of these dice in every category of a rule set, or in one.

    Raises BadInputError for an unknown rule set or category and for a wrong number of dice.

    >>> score({"rules": "yacht-1938", "dice": [1, 2, 2, 4, 6], "category": "twos", "roll": 3})
    {'scores': {'twos': 4}}
    """
    rules = rulebook.get(asked["rules"])
    points = rulebook.potentials(rules, Sheet(), asked["dice"], asked["roll"])
    if asked.get("category") is not None:
        category = rules.box(asked["category"]).category
        points = {category: points[category]}
    return {"scores": points}


def advise(asked: dict[str, Any]) -> dict[str, Any]:
    """The best holds and boxes with exact values, best first."""
    from station.advice import Advisor  # noqa: PLC0415 - strategy tables are only read when somebody asks

    answer: dict[str, Any] = Advisor().hint(**asked)
    return answer
