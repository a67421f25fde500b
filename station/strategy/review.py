"""Luck and skill: what every throw brought, and what every decision gave away.

The value of a position goes up and down through a game. A throw changes it by luck: the value of the dice
that fell, less the value before. A decision can only lower it: what it gives away is the value of the best
one less that of the one made. So luck less what was given away is, to the last point, the score less the
expected score.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from messages.errors import BadInputError
from station.rules import RuleSet, Sheet, fill, fill_two, sheet_totals
from station.rules.dice import Dice, dashed
from station.strategy.hints import hint
from station.strategy.position import of_sheet, place
from station.strategy.solver import Solution


@dataclass(frozen=True, slots=True)
class Thrown:
    """One throw of a turn: the dice that lay there afterwards, and which of them were then held.

    `held` is None for the last throw of the turn, after which a box was filled.
    """

    dice: Dice
    held: Dice | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn as it was played: its throws, and the box it filled.

    There are two boxes in Double Cameroon, and none where five alike in the first throw ended the game.
    """

    throws: tuple[Thrown, ...]
    categories: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ThrowReview:
    """The luck of one throw, and what the decision after it gave away (0 or more), in points.

    `best` is what would have been best: dice to hold, or boxes ("a", or "a+b"); the first of several.
    """

    luck: float
    given_away: float
    best: Dice | str


@dataclass(frozen=True, slots=True)
class TurnReview:
    """One turn looked back at."""

    throws: tuple[ThrowReview, ...]

    @property
    def luck(self) -> float:
        """The luck of all throws of the turn."""
        return sum(each.luck for each in self.throws)

    @property
    def given_away(self) -> float:
        """What all decisions of the turn gave away."""
        return sum(each.given_away for each in self.throws)


@dataclass(frozen=True, slots=True)
class Review:
    """One player's game looked back at.

    `luck - given_away == score + still_to_come - expected`; after the last turn nothing is still to come.
    """

    expected: float
    score: int
    still_to_come: float
    turns: tuple[TurnReview, ...]

    @property
    def luck(self) -> float:
        """The luck of the whole game."""
        return sum(turn.luck for turn in self.turns)

    @property
    def given_away(self) -> float:
        """What all decisions of the game gave away."""
        return sum(turn.given_away for turn in self.turns)


def review(solution: Solution, turns: Sequence[Turn]) -> Review:
    """Look back at the turns of one player, from the empty sheet on; the game need not be finished.

    Raises BadInputError where turns cannot have been played so, RefusalError where a box could not be filled.
    """
    rules, sheet = solution.model.rules, Sheet()
    value, reviews = solution.start, []
    for number, turn in enumerate(turns, start=1):
        reviewed, value, sheet = _turn(solution, sheet, turn, value, number)
        reviews.append(reviewed)
    total = sheet_totals(rules, sheet).total
    return Review(solution.start, total, value if turns else solution.start, tuple(reviews))


def _turn(
    solution: Solution, sheet: Sheet, turn: Turn, value: float, number: int
) -> tuple[TurnReview, float, Sheet]:
    """One turn: its review, the value afterwards, and the sheet afterwards."""
    rules = solution.model.rules
    if not 1 <= len(turn.throws) <= rules.throws:
        raise BadInputError("review/throws", turn=number, thrown=len(turn.throws), most=rules.throws)
    reviews = []
    for throw, thrown in enumerate(turn.throws, start=1):
        is_last = throw == len(turn.throws)
        if is_last and not turn.categories:
            reviews.append(ThrowReview(-value, 0.0, ""))  # the game was won at once: nothing more to come
            return TurnReview(tuple(reviews)), 0.0, sheet
        found = hint(solution, of_sheet(rules, sheet), thrown.dice, rules.throws - throw)
        luck = found.value - value
        if is_last:
            sheet, value, points = _filled(solution, sheet, turn, thrown, throw)
            best: Dice | str = found.best_boxes[0] if not found.holds else found.best_holds[0]
            reviews.append(ThrowReview(luck, found.value - value - points, best))
        else:
            values = {each.hold: each.value for each in found.holds}
            held = tuple(sorted(thrown.held or ()))
            if held not in values or len(held) == len(thrown.dice):
                raise BadInputError("review/held", turn=number, held=dashed(held), dice=dashed(thrown.dice))
            value = values[held]
            reviews.append(ThrowReview(luck, found.value - value, found.best_holds[0]))
    return TurnReview(tuple(reviews)), value, sheet


def _filled(
    solution: Solution, sheet: Sheet, turn: Turn, thrown: Thrown, throw: int
) -> tuple[Sheet, float, int]:
    """The sheet after a turn, its value, and the points gained."""
    rules: RuleSet = solution.model.rules
    if len(turn.categories) != rules.boxes_per_turn:
        raise BadInputError("review/boxes", title=rules.title, boxes=rules.boxes_per_turn)
    if rules.boxes_per_turn == 1:
        after = fill(rules, sheet, turn.categories[0], thrown.dice, throw)
    else:
        after = fill_two(rules, sheet, (turn.categories[0], turn.categories[1]), thrown.dice, throw)
    value = 0.0
    if not after.is_full(rules):
        mask, column = place(solution.model, of_sheet(rules, after))
        value = float(solution.values[solution.model.layout.offset[mask] + column])
    return after, value, sheet_totals(rules, after).total - sheet_totals(rules, sheet).total
