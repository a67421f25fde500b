"""The value of every hold and every box of one position, best first."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from messages.errors import BadInputError
from station.rules import Sheet, fill
from station.rules.dice import Dice
from station.strategy.model.model import IMPOSSIBLE, Action, Model
from station.strategy.model.position import Position, of_sheet, thrown
from station.strategy.values.decisions import Decision, Values
from station.strategy.values.turn import throws_back

TIE = 1e-6
"""Values this close are the same: as close as the tables promise to be."""


@dataclass(frozen=True, slots=True)
class HoldValue:
    """Dice to hold, and the points still to come when they are held and the others thrown.

    Holding all dice is to stop and fill the best box.
    """

    hold: Dice
    value: float

    @property
    def announce(self) -> str:
        """The category to announce first, if any."""
        return ""


@dataclass(frozen=True, slots=True)
class AnnouncedHold(HoldValue):
    """The same, where a box is announced first."""

    announce_: str

    @property
    def announce(self) -> str:
        """As HoldValue.announce."""
        return self.announce_


@dataclass(frozen=True, slots=True)
class BoxValue:
    """A box to fill now ("a+b" for two), its points, and the points still to come, these included."""

    category: str
    points: int
    value: float


@dataclass(frozen=True, slots=True)
class Hint:
    """All holds (none after the last throw) and all boxes, each best first.

    A value is the expected number of points still to come under optimal play, this turn included: points in
    boxes, bonus and further yachts not yet on the sheet.
    """

    holds: tuple[HoldValue, ...]
    boxes: tuple[BoxValue, ...]

    @property
    def value(self) -> float:
        """The value of the best decision."""
        return self.holds[0].value if self.holds else self.boxes[0].value

    @property
    def best_holds(self) -> tuple[Dice, ...]:
        """The holds that are as good as the best."""
        return tuple(each.hold for each in self.holds if each.value > self.value - TIE)

    @property
    def best_boxes(self) -> tuple[str, ...]:
        """The boxes that are as good as the best box."""
        return tuple(each.category for each in self.boxes if each.value > self.boxes[0].value - TIE)


def hint(solution: Values, where: Position, dice: Sequence[int], rolls_left: int) -> Hint:
    """The value of every hold and every box.

    Raises BadInputError for dice or throws that cannot be, and for a position that cannot be reached, or in
    which nothing can be written since nothing was announced.
    """
    model = solution.model
    faces = thrown(model.rules, dice, rolls_left, where.saved)
    end = solution.decision(where)
    found = Hint(_holds(model, end, faces, rolls_left), _boxes(model, end, model.place(faces), rolls_left))
    if not found.boxes and (not found.holds or found.value < IMPOSSIBLE / 2):
        raise BadInputError("position/not_announced")
    return found


def second_boxes(solution: Values, sheet: Sheet, dice: Sequence[int]) -> tuple[BoxValue, ...]:
    """Every box for the five dice that the first of two boxes has left, best first.

    Raises BadInputError for what are no five dice.
    """
    rules, found = solution.model.rules, []
    for category in sheet.open(rules):
        after = fill(rules, sheet, category, dice)
        points = after.entries[-1].points
        found.append(BoxValue(category, points, points + to_come(solution, after)))
    return tuple(sorted(found, key=lambda each: -each.value))


def to_come(solution: Values, sheet: Sheet, saved: int = 0) -> float:
    """The points still to come between two turns; BadInputError for a sheet that no dice lead to."""
    rules = solution.model.rules
    if sheet.is_full(rules):
        return 0.0
    return solution.to_come(of_sheet(rules, sheet, saved))


def values_of_holds(
    solution: Values, where: Position, dice: Dice, rolls_left: int, announce: str
) -> dict[Dice, float]:
    """The value of every hold that throws dice again, once that box is announced; none is with ""."""
    model, mode = solution.model, solution.decision(replace(where, called=announce))
    return {each.hold: each.value for each in _thrown_on(model, mode, tuple(sorted(dice)), rolls_left, "")}


def best_first_throw(solution: Values, where: Position) -> float:
    """The value of the best first throw of a turn."""
    model = solution.model
    end = solution.decision(where)

    def best(mode: Decision) -> float:
        first = mode.best(first=True) if model.throw_matters else None
        return float(throws_back(model, mode.stops(), first, mode.throws - 1).max())

    return max(best(mode) for mode in end.at_first(end.throws - 1).values())


def name_of(model: Model, action: Action) -> str:
    """The category an action fills; "a+b" in the order of the page for two."""
    names = [model.boxes[bit].category for bit in action.boxes]
    return names[0] if len(names) == 1 else "+".join(sorted(names, key=model.page.index))


def _boxes(model: Model, end: Decision, roll: int, left: int) -> tuple[BoxValue, ...]:
    """Every box that may be filled, best first; ties in the order of the page."""
    page = model.page
    values = end.at(left)[:, roll]
    found = []
    for action, value in zip(end.actions, values.tolist(), strict=True):
        points = float(action.scored(first=left == end.throws - 1, left=left)[0][roll])
        if points > IMPOSSIBLE:
            name = name_of(model, action)
            first_box = page.index(name.split("+")[0])
            found.append((-value, first_box, BoxValue(name, round(points), value)))
    return tuple(each for _, _, each in sorted(found, key=lambda row: row[:2]))


def _holds(model: Model, end: Decision, faces: Dice, rolls_left: int) -> tuple[HoldValue, ...]:
    """Every different hold, best first; of equal ones those that keep more dice, and announce nothing."""
    if rolls_left == 0:
        return ()
    found = [HoldValue(faces, float(end.at(rolls_left)[:, model.place(faces)].max()))]
    best: dict[Dice, HoldValue] = {}
    for called, mode in end.at_first(rolls_left).items():
        for hold in _thrown_on(model, mode, faces, rolls_left, called):
            if hold.hold not in best or hold.value > best[hold.hold].value + TIE:
                best[hold.hold] = hold
    return tuple(sorted([*found, *best.values()], key=lambda each: (-each.value, -len(each.hold), each.hold)))


def _thrown_on(model: Model, end: Decision, faces: Dice, rolls_left: int, called: str) -> Iterator[HoldValue]:
    """Every different hold that throws dice again."""
    first = end.best(first=True) if model.throw_matters else None
    levels = model.dice.expect(throws_back(model, end.stops(), first, rolls_left - 1))
    places = [model.place(faces)]
    for size in range(len(faces), 0, -1):
        places = sorted(set(model.dice.without[size][places].ravel().tolist()) - {-1})
        values = levels[size - 1][places, 0].tolist()
        held = model.dice.held[size - 1]
        for hold, value in zip(places, values, strict=True):
            yield AnnouncedHold(held[hold], value, called) if called else HoldValue(held[hold], value)
