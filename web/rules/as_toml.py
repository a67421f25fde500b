"""A rule set as the text of house rules, to begin one's own from (docs/house-rules.md has the format)."""

import json

from messages.message import Message
from station.rules import RuleSet
from station.rules.toml_table import TEXT_MAX
from web.core.i18n import tell

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
    lines.append(f"players = [{rules.players[0]}, {rules.players[1]}]")
    if rules.bonus is not None:
        lines += ["", "[bonus]", *_keys(**rules.bonus._asdict())]
    if rules.extra_yacht or rules.joker.value != "none":
        lines += ["", "[further_yachts]", *_keys(points=rules.extra_yacht, joker=rules.joker.value)]
    for box in rules.boxes:
        lines += ["", "[[box]]", *_keys(label=tell(box.label), **box.scoring.settings())]
    return "\n".join(lines) + "\n"


def _keys(**values: str | int | bool) -> list[str]:
    # Texts, whole numbers, true and false are written in TOML as in JSON.
    return [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in values.items()]
