"""A rule set told in plain words."""

from messages.message import Message
from station.rules.ruleset import Joker, RuleSet


def describe(rules: RuleSet) -> tuple[Message, ...]:
    """The lines that tell a rule set, each a sentence or a row of its sheet."""
    fewest, most = rules.players
    lines = [
        Message("rules/told/name", title=rules.title, id=rules.id),
        Message("rules/told/turn", count=rules.boxes_per_turn, dice=rules.dice, throws=rules.throws),
        Message("rules/told/players", fewest=fewest, most=most, starts=rules.starts),
    ]
    if rules.simultaneous:
        lines.append(Message("rules/told/simultaneous"))
    lines += [Message("rules/told/box", box=box.label, what=box.scoring.how()) for box in rules.boxes]
    if rules.bonus is not None:
        threshold, points = rules.bonus
        lines.append(Message("rules/told/bonus", points=points, threshold=threshold))
    if rules.first_throw_yacht_wins:
        lines.append(Message("rules/told/big-general"))
    if rules.extra_yacht:
        lines.append(Message("rules/told/extra", extra=rules.extra_yacht))
    if rules.joker is not Joker.NONE:
        lines.append(Message(f"rules/told/joker/{rules.joker}"))
    lines.append(Message("rules/told/source", source=rules.source))
    return tuple(lines)
