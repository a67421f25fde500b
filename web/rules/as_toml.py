"""A rule set as the text of house rules, to begin one's own from (docs/house-rules.md has the format)."""

from typing import Any

from station.rules import Box, RuleSet
from station.rules.scoring import FullHouse, OfAKind

OWN = "our-"
"""Put before the id of the rule set that one's own begin from: ids of the station are taken."""

CATEGORIES = {"one-pair": "pair", "five-of-a-kind": "yacht", "general": "yacht"}
"""Categories that the format calls otherwise."""


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def to_toml(rules: RuleSet) -> str:
    """The text, under an id of its own.

    >>> from station.rules import built_in, parse_rules
    >>> parse(to_toml(get("world-51"))).boxes == get("world-51").boxes
    True
    """
    lines = [
        f"id = {_quoted(OWN + rules.id)}",
        f"title = {_quoted('Our ' + rules.title)}",
        f"source = {_quoted(rules.source[:200])}",
        f"starts = {_quoted(rules.starts[:200])}",
        f"throws = {rules.throws}",
        f"players = [{rules.players[0]}, {rules.players[1]}]",
    ]
    if rules.bonus is not None:
        lines += ["", "[bonus]", f"threshold = {rules.bonus.threshold}", f"points = {rules.bonus.points}"]
    if rules.extra_yacht or rules.joker.value != "none":
        lines += ["", "[further_yachts]", f"points = {rules.extra_yacht}", f"joker = {_quoted(rules.joker)}"]
    for box in rules.boxes:
        lines += ["", "[[box]]", f"category = {_quoted(CATEGORIES.get(box.category, box.category))}"]
        lines += [f"label = {_quoted(box.label)}", *_points(box)]
    return "\n".join(lines) + "\n"


def _points(box: Box) -> list[str]:
    """The keys that say what a box pays; none where that follows from its category."""
    scoring: Any = box.scoring
    lines = []
    if isinstance(scoring, OfAKind) and scoring.points is None:
        lines.append(f'points = "{"matching" if scoring.matching_only else "sum"}"')
    elif isinstance(scoring, FullHouse) and scoring.points is None:
        lines.append('points = "sum"')
    elif hasattr(scoring, "points"):
        lines.append(f"points = {scoring.points}")
    first = getattr(scoring, "first_throw", None)
    if first is not None:
        lines.append(f"first_throw_points = {first}")
    if isinstance(scoring, FullHouse):
        lines.append(f"five_of_a_kind = {str(scoring.yacht_counts).lower()}")
    return lines
