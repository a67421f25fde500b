"""Luck and skill: what every throw brought, and what every decision gave away.

The value of a position goes up and down through a game. A throw changes it by luck: the value of the dice
that fell, less the value before. A decision can only lower it: what it gives away is the value of the best
one less that of the one made. So luck less what was given away is, to the last point, the score and what is
still to come, less the expected score. Still to come is what the best play would have brought on average to a
sheet that was not filled, because the game ended early or another player's big general ended it.

A big general (five alike in General's first throw) wins at once, so no first throw is better: it counts as
the best there is, for points that then are still to come. Values in General are those of games in which
nobody wins so.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from messages.errors import BadInputError
from station.contract.reviewed import Choice, DecisionReview, ThrowReview, TurnReview
from station.rules import Entry, RuleSet, Sheet, best_split, sheet_totals
from station.rules.dice import Dice, dashed, is_yacht
from station.strategy.forward.trials import Offset
from station.strategy.model.position import of_sheet
from station.strategy.values.decisions import Values
from station.strategy.values.hints import Hint, best_first_throw, hint, second_boxes, to_come, values_of_holds

EVEN = 0.005
"""A decision that gives away less is as good as the best."""


@dataclass(frozen=True, slots=True)
class ReviewedThrow:
    """One throw of a turn: the dice in the tray afterwards, and which of them were held for the next.

    `held` is None where no throw followed.
    """

    dice: Dice
    held: Dice | None = None


@dataclass(frozen=True, slots=True)
class Filled:
    """A box as it is on the sheet, and the five dice it got."""

    entry: Entry
    dice: Dice


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn as it was played: its throws, and the boxes it filled.

    There are two boxes in Double Cameroon, and fewer where the game ended within the turn.
    """

    throws: tuple[ReviewedThrow, ...]
    filled: tuple[Filled, ...] = ()


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
        return sum(throw.luck for turn in self.turns for throw in turn.throws)

    @property
    def given_away(self) -> float:
        """What all decisions of the game gave away."""
        return sum(each.cost for turn in self.turns for each in turn.decisions)


def announced(rules: RuleSet, turn: Turn) -> str:
    """The category that was announced for a turn, as the box it went to says; "" for none."""
    boxes = [each.entry.category for each in turn.filled] if len(turn.throws) > 1 else []
    return next((each for each in boxes if rules.box(each).announced), "")


def review(solution: Values, turns: Sequence[Turn], offsets: Sequence[Offset] = ()) -> Review:
    """Look back at the turns of one player, from the empty sheet on; the game need not be finished.

    offsets: by turns played, how far off values are that are not exact, as measured in games. Raises
    BadInputError where turns cannot have been played so.
    """
    looking = _Looking(solution, offsets)
    expected = solution.start + looking.off
    reviewed = tuple(looking.back_at(turn, number) for number, turn in enumerate(turns, start=1))
    return Review(expected, looking.total, looking.value + looking.off, reviewed)


class _Looking:
    """A game followed turn by turn: the sheet so far, its total, and the points still to come."""

    def __init__(self, solution: Values, offsets: Sequence[Offset]) -> None:
        self.solution, self.offsets = solution, offsets
        self.rules: RuleSet = solution.model.rules
        self.sheet = Sheet()
        self.saved = 0
        self.total = sheet_totals(self.rules, self.sheet).total
        self.value = solution.start - self.total

    @property
    def off(self) -> float:
        """What the best play brings on average beyond the value of the sheet."""
        done = self.rules.turns(len(self.sheet.entries))
        full = self.sheet.is_full(self.rules)
        return self.offsets[done].mean if done < len(self.offsets) and not full else 0.0

    def back_at(self, turn: Turn, number: int) -> TurnReview:
        """One turn; `number` is for the message that it is impossible."""
        rules = self.rules
        allowed = rules.throws + self.saved
        if not 1 <= len(turn.throws) <= allowed:
            raise BadInputError("review/throws", turn=number, thrown=len(turn.throws), most=allowed)
        if len(turn.filled) > rules.boxes_per_turn:
            raise BadInputError("review/boxes", title=rules.title, boxes=rules.boxes_per_turn)
        throws, decisions, off = [], [], self.off
        called = announced(rules, turn)
        for throw, thrown in enumerate(turn.throws, start=1):
            where = of_sheet(rules, self.sheet, self.saved, called if throw > 1 else "")
            found = hint(self.solution, where, thrown.dice, allowed - throw)
            value = found.value
            if rules.first_throw_yacht_wins and is_yacht(thrown.dice) and turn == Turn((thrown,)):
                value = best_first_throw(self.solution, where)
            throws.append(ThrowReview(thrown.dice, value - self.value))
            self.value = value
            if thrown.held is not None:
                values = {each.hold: each.value for each in found.holds}
                if throw == 1 and self.solution.model.announces:
                    values = values_of_holds(self.solution, where, thrown.dice, allowed - throw, called)
                held = tuple(sorted(thrown.held))
                if held not in values or len(held) == len(thrown.dice):
                    raise BadInputError(
                        "review/held", turn=number, held=dashed(held), dice=dashed(thrown.dice)
                    )
                best = self._best(found, thrown.dice)
                cost = value - values[held]
                done = Choice(held, announced=called if throw == 1 else "")
                decisions.append(DecisionReview(throw, thrown.dice, cost, done, best))
                self.value = values[held]
        filled = self._fill(turn, best_of=found)
        throws[0] = replace(throws[0], luck=throws[0].luck - (off - self.off))  # that much was to be expected
        return TurnReview(tuple(throws), (*decisions, *filled))

    def _fill(self, turn: Turn, best_of: Hint) -> list[DecisionReview]:
        """The boxes that were filled at the end of a turn."""
        rules, left, decisions = self.rules, turn.throws[-1].dice, []
        if rules.saved_throws and turn.filled:
            self.saved += rules.throws - len(turn.throws)
        best = self._best(best_of, left)
        # In a game in parts saved throws are worth something else between two turns: a decision costs what
        # advice says.
        advised = {each.category: each.value for each in best_of.boxes} if rules.saved_throws else {}
        for filled in turn.filled:
            rest = tuple(sorted((Counter(left) - Counter(filled.dice)).elements()))
            self.sheet = Sheet((*self.sheet.entries, filled.entry))
            total, before = sheet_totals(rules, self.sheet).total, self.value
            boxes = second_boxes(self.solution, self.sheet, rest) if rest else ()
            self.value = boxes[0].value if boxes else to_come(self.solution, self.sheet, self.saved)
            if filled.entry.category in advised and not self.sheet.is_full(rules):
                self.value = advised[filled.entry.category] - (total - self.total)
            cost = before - (total - self.total) - self.value
            groups = (filled.dice,) if rules.boxes_per_turn > 1 else ()
            done = Choice(None, (filled.entry.category,), groups)
            saved = _better_than_obvious(best_of) if cost < EVEN and not groups else 0.0
            decisions.append(DecisionReview(len(turn.throws), left, cost, done, best, saved))
            self.total, left = total, rest
            if boxes:
                best = Choice(None, (boxes[0].category,), (rest,))
        return decisions

    def _best(self, found: Hint, dice: Dice) -> Choice:
        """The best decision after a throw; to stop, where that is as good as throwing again."""
        if found.holds and dice not in found.best_holds:
            return Choice(found.holds[0].hold, announced=found.holds[0].announce)
        boxes = tuple(found.best_boxes[0].split("+"))
        if len(boxes) == 1:
            return Choice(None, boxes)
        return Choice(None, boxes, best_split(self.rules, self.sheet, (boxes[0], boxes[1]), dice).groups)


def _better_than_obvious(found: Hint) -> float:
    """What the best box is better by than the one with the most points now."""
    obvious = max(found.boxes, key=lambda each: (each.points, each.value))
    return max(0.0, found.boxes[0].value - obvious.value)
