"""A rule set as it is written: for programs, and as the text of house rules (docs/house-rules.md)."""

import json

from messages.catalogue import DEFAULT, text
from messages.message import Message
from station.rules.ruleset import Counts, RuleSet
from station.rules.scoring.base import Setting
from station.rules.toml_table import TEXT_MAX

DICE = 5
"""As many dice as a file need not speak of."""

OWN = "our-"
"""Put before the id of the rule set that one's own begin from: ids of the station are taken."""


def to_json(rules: RuleSet) -> dict[str, object]:
    """The rule set for programs."""
    bonus = rules.bonus
    return {
        "id": rules.id,
        "title": str(rules.title),
        "boxes": [
            {"category": box.category, "label": str(box.label), "section": box.section} for box in rules.boxes
        ],
        "bonus": None if bonus is None else {"threshold": bonus.threshold, "points": bonus.points},
        "dice": rules.dice,
        "throws": rules.throws,
        "saved_throws": rules.saved_throws,
        "players": list(rules.players),
        "boxes_per_turn": rules.boxes_per_turn,
        "simultaneous": rules.simultaneous,
        "starts": str(rules.starts),
        "source": str(rules.source),
    }


def to_toml(rules: RuleSet, language: str = DEFAULT) -> str:
    """The text of house rules like these, under an id of its own, to begin one's own from.

    >>> from station.rules import built_in, parse_rules
    >>> [box.scoring for box in parse_rules(to_toml(built_in("yatzy"))).boxes] == [
    ...     box.scoring for box in built_in("yatzy").boxes
    ... ]
    True
    """
    lines = _keys(
        id=OWN + rules.id,
        title=text(Message("rules/ours", title=rules.title), language),
        source=text(rules.source, language)[:TEXT_MAX],
        starts=text(rules.starts, language)[:TEXT_MAX],
        throws=rules.throws,
    )
    if rules.first_die is not None:
        lines += _keys(first_die=rules.first_die.value)
    flags = {
        "first_throw_wins": rules.first_throw_yacht_wins,
        "saved_throws": rules.saved_throws,
        "simultaneous": rules.simultaneous,
    }
    lines += _keys(**{key: True for key, on in flags.items() if on})
    lines.append(f"players = [{rules.players[0]}, {rules.players[1]}]")
    if rules.dice != DICE:
        lines += _keys(dice=rules.group)
    for bonus in rules.bonuses:
        lines += ["", "[[bonus]]", *_keys(threshold=bonus.threshold, points=bonus.points)]
        lines += _keys(counts=bonus.counts.value) if bonus.counts is not Counts.REACHED else []
    if rules.extra_yacht or rules.joker.value != "none":
        lines += ["", "[further_yachts]", *_keys(points=rules.extra_yacht, joker=rules.joker.value)]
    for box in rules.boxes:
        lines += ["", "[[box]]", *_keys(category=box.category, label=text(box.label, language))]
        if box.scoring.name != box.category:
            lines += _keys(pattern=box.scoring.name)
        lines += _keys(**box.scoring.settings())
    return "\n".join(lines) + "\n"


def _keys(**values: Setting) -> list[str]:
    # Texts, whole numbers, true and false are written in TOML as in JSON.
    return [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in values.items()]
