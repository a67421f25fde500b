"""A rule set as the text of house rules, to begin one's own from (docs/house-rules.md has the format)."""

import json

from messages.message import Message
from station.rules import RuleSet
from station.rules.ruleset import Counts
from station.rules.scoring.base import Setting
from station.rules.toml_table import TEXT_MAX
from web.core.i18n import tell

DICE = 5
"""As many dice as a file need not speak of."""

OWN = "our-"
"""Put before the id of the rule set that one's own begin from: ids of the station are taken."""


def to_toml(rules: RuleSet) -> str:
    """The text, under an id of its own.

    >>> from station.rules import built_in, parse_rules
    >>> [box.scoring for box in parse_rules(to_toml(built_in("yatzy"))).boxes] == [
    ...     box.scoring for box in built_in("yatzy").boxes
    ... ]
    True
    """
    lines = _keys(
        id=OWN + rules.id,
        title=tell(Message("rules/ours", title=rules.title)),
        source=tell(rules.source)[:TEXT_MAX],
        starts=tell(rules.starts)[:TEXT_MAX],
        throws=rules.throws,
    )
    if rules.first_die is not None:
        lines += _keys(first_die=rules.first_die.value)
    flags = {"first_throw_wins": rules.first_throw_yacht_wins, "saved_throws": rules.saved_throws}
    for key, on in {**flags, "simultaneous": rules.simultaneous}.items():
        lines += _keys(**{key: True}) if on else []
    lines.append(f"players = [{rules.players[0]}, {rules.players[1]}]")
    if rules.dice != DICE:
        lines += _keys(dice=rules.group)
    for bonus in rules.bonuses:
        lines += ["", "[[bonus]]", *_keys(threshold=bonus.threshold, points=bonus.points)]
        lines += _keys(counts=bonus.counts.value) if bonus.counts is not Counts.REACHED else []
    if rules.extra_yacht or rules.joker.value != "none":
        lines += ["", "[further_yachts]", *_keys(points=rules.extra_yacht, joker=rules.joker.value)]
    for box in rules.boxes:
        lines += ["", "[[box]]", *_keys(category=box.category, label=tell(box.label))]
        if box.scoring.name != box.category:
            lines += _keys(pattern=box.scoring.name)
        lines += _keys(**box.scoring.settings())
    return "\n".join(lines) + "\n"


def _keys(**values: Setting) -> list[str]:
    # Texts, whole numbers, true and false are written in TOML as in JSON.
    return [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in values.items()]
