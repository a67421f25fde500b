"""A rule set told in plain words."""

from station.rules.ruleset import Joker, RuleSet
from station.rules.scoring import (
    AceStraight,
    Choice,
    Exactly,
    FullHouse,
    Number,
    OfAKind,
    Run,
    Scoring,
    TwoPairs,
    Yacht,
)

_COUNTS = {2: "two", 3: "three", 4: "four", 5: "five"}


def describe(rules: RuleSet) -> tuple[str, ...]:
    """The lines that tell a rule set, each a sentence or a row of its sheet."""
    fewest, most = rules.players
    boxes = "one box is" if rules.boxes_per_turn == 1 else "two boxes are"
    lines = [
        f"{rules.title} ({rules.id})",
        f"{rules.dice} dice, up to {rules.throws} throws a turn; {boxes} filled each turn.",
        f"{fewest} to {most} players; {rules.starts}.",
    ]
    if rules.simultaneous:
        lines.append(
            "All players use the same throws at the same time; each holds dice on a copy of their own."
        )
    lines += [f"  {box.label}: {how(box.scoring)}" for box in rules.boxes]
    if rules.bonus is not None:
        lines.append(
            f"  Bonus: {rules.bonus.points} for {rules.bonus.threshold} or more in the boxes of the faces"
        )
    lines += _yachts(rules)
    lines.append(f"Source: {rules.source}.")
    return tuple(lines)


def _yachts(rules: RuleSet) -> list[str]:
    """What is special about yachts."""
    lines = []
    if rules.first_throw_yacht_wins:
        lines.append("Five of a kind in a turn's first throw wins the game at once.")
    if rules.extra_yacht:
        lines.append(
            f"Each further yacht brings {rules.extra_yacht} on top while the yacht box holds points."
        )
    if rules.joker is Joker.WILD:
        lines.append("A further yacht may also stand for a full house or a straight.")
    if rules.joker is Joker.FORCED:
        lines.append(
            "A further yacht goes to the box of its face, or else to any open lower box, where it may "
            "stand for a full house or a straight, or else to any upper box."
        )
    return lines


def how(scoring: Scoring) -> str:
    """How a box is scored, in words.

    >>> how(OfAKind(4, matching_only=True))
    'at least four alike: the sum of these four'
    """
    first = getattr(scoring, "first_throw", None)
    return _what(scoring) + ("" if first is None else f", {first} in the first throw")


def _what(scoring: Scoring) -> str:
    """As `how`, without the first throw."""
    match scoring:
        case Run():
            return f"{_COUNTS[scoring.length]} in a row: {scoring.points}"
        case Exactly():
            return f"{'-'.join(map(str, scoring.faces))}: {scoring.points}"
        case AceStraight():
            return f"1-2-3-4-5 or 2-3-4-5-6, where 1s may stand for 2 and 6: {scoring.points}"
        case Yacht():
            return f"five alike: {scoring.points}"
        case OfAKind(points=int()):
            return f"at least {_COUNTS[scoring.count]} alike: {scoring.points}"
        case _:
            return _sum(scoring)


def _sum(scoring: Scoring) -> str:
    """The ways to score that add up dice."""
    match scoring:
        case Number():
            return f"the sum of the {scoring.face}s"
        case OfAKind():
            counted = f"these {_COUNTS[scoring.count]}" if scoring.matching_only else "all dice"
            return f"at least {_COUNTS[scoring.count]} alike: the sum of {counted}"
        case TwoPairs():
            return "two of one face and two of another: the sum of these four"
        case FullHouse():
            also = "counts" if scoring.yacht_counts else "does not count"
            points = "the sum of all dice" if scoring.points is None else scoring.points
            return f"three of one face and two of another (five of a kind {also}): {points}"
        case Choice():
            return "the sum of all dice"
        case _:
            raise TypeError(f"no words for {scoring!r}")
