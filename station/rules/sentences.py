"""A rule set described in plain words."""

from messages.message import Message
from station.rules.ruleset import Bonus, Box, Counts, Joker, Order, RuleSet


def describe(rules: RuleSet) -> tuple[Message, ...]:
    """The lines that tell a rule set, each a sentence or a row of its sheet."""
    fewest, most = rules.players
    lines = [
        Message("rules/told/name", title=rules.title, id=rules.id),
        Message(
            "rules/told/turn",
            count=rules.boxes_per_turn,
            dice=Message("rules/told/dice", count=rules.dice),
            throws=Message("rules/told/throws", count=rules.throws),
        ),
        Message("rules/told/players-exactly", count=most, starts=rules.starts)
        if fewest == most
        else Message("rules/told/players", fewest=fewest, most=most, starts=rules.starts),
    ]
    if rules.simultaneous:
        lines.append(Message("rules/told/simultaneous"))
    if rules.saved_throws:
        lines.append(Message("rules/told/saved"))
    lines += [Message("rules/told/box", box=box.label, what=pays(rules, box)) for box in rules.boxes]
    lines += [
        Message(f"rules/told/counts/{bonus.counts}", bonus=_bonus(rules, bonus))
        if bonus.counts is not Counts.REACHED
        else _bonus(rules, bonus)
        for bonus in rules.bonuses
    ]
    if rules.bonus_only:
        lines.append(Message("rules/told/bonus-only"))
    lines += [
        Message(f"rules/told/order/{column.order}", column=column.label)
        for column in rules.columns
        if column.order is not Order.FREE
    ]
    if rules.first_throw_yacht_wins:
        lines.append(Message("rules/told/big-general"))
    if rules.extra_yacht and rules.yacht is not None:
        how = "extra-in-columns" if rules.columns else "extra"
        lines.append(Message(f"rules/told/{how}", extra=rules.extra_yacht, box=rules.yacht.row))
    if rules.joker is not Joker.NONE:
        lines.append(Message(f"rules/told/joker/{rules.joker}"))
    lines.append(Message("rules/told/source", source=rules.source))
    return tuple(lines)


def pays(rules: RuleSet, box: Box) -> Message:
    """What a box is for, with all that makes it pay more, less or later."""
    notes = [Message("rules/told/factor", factor=int(box.factor))] if box.factor != 1 else []
    if box.plus:
        notes.append(Message("rules/told/plus", points=box.plus))
    if isinstance(box.served, tuple):
        notes.append(Message("rules/told/served-by-throw", points=tuple(map(str, box.served))))
    elif box.served:
        notes.append(Message("rules/told/served", points=box.served))
    if box.after:
        notes.append(Message("rules/told/after", box=rules.box(box.after).label))
    if box.announced:
        notes.append(Message("rules/told/announced"))
    if box.optional:
        notes.append(Message("rules/told/optional"))
    what: Message = box.scoring.how()
    return Message("rules/told/pays", what=(what, *notes)) if notes else what


def _bonus(rules: RuleSet, bonus: Bonus) -> Message:
    """One bonus, and for which boxes."""
    if bonus is rules.bonus and len(bonus.steps) == 1:
        return Message("rules/told/bonus", points=bonus.points, threshold=bonus.threshold)
    labels = tuple(box.label for box in rules.members(bonus))
    boxes: Message | tuple[Message | str, ...] = labels
    if len(labels) == len(rules.boxes):
        boxes = Message("rules/told/all-boxes")
    if bonus.par:
        return Message("rules/told/bonus-par", par=sum(bonus.par), each=bonus.each, boxes=boxes)
    if bonus.each_box:
        return Message("rules/told/bonus-each", points=bonus.each_box, boxes=boxes)
    if bonus.complete:
        return Message("rules/told/bonus-complete", points=bonus.points, boxes=boxes)
    steps = tuple(Message("rules/told/step", least=least, points=points) for least, points in bonus.steps)
    return Message("rules/told/bonus-steps", steps=steps, boxes=boxes)
