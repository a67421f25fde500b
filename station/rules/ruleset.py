"""The rule set: a small value that describes how one game of the family is played."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import NamedTuple

from messages.errors import BadInputError
from messages.message import Message
from station.rules.dice import Dice
from station.rules.scoring import BoxScore, Scoring
from station.rules.scoring.number import Number
from station.rules.scoring.yacht import Yacht

AGREED = Message("starts/agreed")


class Section(StrEnum):
    """The half of the score sheet a box is in."""

    UPPER = "upper"
    LOWER = "lower"


class Joker(StrEnum):
    """The rights of a further yacht once the yacht box is filled, with 50 or with 0.

    none: nothing. wild: it may also stand for a full house or a straight (game-rules-guru). forced: the
    same, but the box of its face comes first, then any lower box, then any upper one (Yahtzee).
    """

    NONE = "none"
    WILD = "wild"
    FORCED = "forced"


class FirstDie(StrEnum):
    """The die that starts where each player throws one for it."""

    LOWEST = "lowest"
    HIGHEST = "highest"


class Order(StrEnum):
    """In which order the boxes of a column are filled: as one likes, from the top, or from the bottom."""

    FREE = "free"
    DOWN = "down"
    UP = "up"


class Counts(StrEnum):
    """From when on a bonus counts: when it is reached, once its boxes are filled, or at the game's end."""

    REACHED = "reached"
    FILLED = "filled"
    END = "end"


class Column(NamedTuple):
    """One column of a sheet that has several: the `id` in its boxes' categories, and what it is called.

    factor: by which its boxes, its bonuses and its further yachts count.
    """

    id: str
    label: Message | str
    order: Order = Order.FREE
    announced: bool = False
    factor: int = 1


@dataclass(frozen=True, slots=True)
class Bonus:
    """Points on top for a group of boxes: `boxes`, or where there are none those of the faces.

    steps: (sum, points) by rising sums; the points of the last one reached count. complete: the points of the
    only step, for boxes that all hold points. par: what each of the boxes should bring; every point above
    brings `each` more, every point below costs as much. each_box: points for every box that holds any.
    counts: from when on it is in the total; what it comes to at the end is the same.
    """

    steps: tuple[tuple[int, int], ...] = ()
    boxes: tuple[str, ...] = ()
    complete: bool = False
    par: tuple[int, ...] = ()
    each: int = 1
    each_box: int = 0
    counts: Counts = field(default=Counts.REACHED, repr=False)  # left out of a game's fingerprint

    @property
    def threshold(self) -> int:
        """The sum from which on the first points are paid."""
        return self.steps[0][0] if self.steps else 0

    @property
    def points(self) -> int:
        """The first points that are paid."""
        return self.steps[0][1] if self.steps else 0

    @property
    def most(self) -> int:
        """The most points that its steps pay.

        >>> Bonus(((10, 5), (20, 9))).most, Bonus().most
        (9, 0)
        """
        return max((points for _, points in self.steps), default=0)

    def paid(self, total: int) -> int:
        """The bonus for a sum.

        >>> [Bonus(((10, 5), (20, 9))).paid(total) for total in (9, 10, 19, 20)]
        [0, 5, 5, 9]
        """
        return next((points for least, points in reversed(self.steps) if total >= least), 0)


@dataclass(frozen=True, slots=True)
class Box:
    """One row of the score sheet: what it means, what its page (or the family) calls it, how it scores.

    column: the id of its column. plus: points on top of any it scores. served: further ones where that was
    in the first throw; several: in the first, the second, … factor: by which all of it counts. after: the
    category that has to hold points before this one can score. optional: a sheet is full without it.
    announced: it is written only where it was named before the second throw, and then nothing else is.
    """

    category: str
    label: Message | str
    scoring: Scoring
    column: str = ""
    factor: float = 1
    plus: int = 0
    served: int | tuple[int, ...] = 0
    after: str = ""
    optional: bool = False
    announced: bool = False

    @property
    def section(self) -> Section:
        """Upper for the six faces, lower for the rest."""
        return Section.UPPER if isinstance(self.scoring, Number) else Section.LOWER

    @property
    def row(self) -> Message | str:
        """The label of its row, in any column."""
        own = self.label.values["box"] if self.column and isinstance(self.label, Message) else self.label
        return own if isinstance(own, Message) else str(own)

    @property
    def worth(self) -> "Box":
        """The box without its name: what tells it from boxes that score otherwise."""
        return replace(self, category="", label="", column="", after="", optional=False)

    def counted(self, points: int, throw: int) -> int:
        """The points in this box for points of the pattern; 0 stays 0."""
        return (points + self.plus + self.on_top(throw)) * self.factor if points else 0  # type: ignore[return-value]  # a whole number in every game that is played

    def on_top(self, throw: int) -> int:
        """Points on top for scoring in that throw; 1 is a turn's first."""
        by_throw = self.served if isinstance(self.served, tuple) else (self.served,)
        return by_throw[throw - 1] if throw <= len(by_throw) else 0

    def throws_told_apart(self, throws: int) -> tuple[int, ...]:
        """The throws of a turn after which the same dice may bring different points than before."""
        every = isinstance(self.served, tuple) and throws > 2  # noqa: PLR2004 - the first and the last
        return tuple(range(1, throws + 1)) if every else (1, throws)

    def score(self, dice: Dice, throw: int, *, wild: bool = False) -> BoxScore:
        """Points of the dice after the given throw, as `Scoring.score`, with what the box adds to them."""
        found = self.scoring.score(dice, throw, wild=wild)
        if not (found.points and (self.plus or self.served or self.factor != 1)):
            return found
        points = self.counted(found.points, throw)
        if points == found.points:
            return found
        return BoxScore(points, Message("pattern/here", why=found.why, points=points))


@dataclass(frozen=True, slots=True)
class RuleSet:
    """A game of the family. `boxes` are in the order of its page; `players` is (fewest, most).

    Titles that come with the station are keys; those of house rules are the text that was written.
    """

    id: str
    title: Message | str
    boxes: tuple[Box, ...]
    source: Message | str
    bonuses: tuple[Bonus, ...] = ()
    columns: tuple[Column, ...] = ()
    sums: tuple[Message, ...] = ()
    """Labels of the rows of the upper sum and of its bonus, where the page prints them."""
    dice: int = 5
    throws: int = 3
    players: tuple[int, int] = (1, 12)
    boxes_per_turn: int = 1
    simultaneous: bool = False
    starts: Message | str = AGREED
    first_die: FirstDie | None = None
    """The die that starts, where the page says that players throw for it; else the players decide."""
    joker: Joker = Joker.NONE
    extra_yacht: int = 0
    """Points on top for each further yacht while the yacht box holds points; see `further_yacht_in`."""
    first_throw_yacht_wins: bool = False
    """All alike in a turn's first throw (General's big general) wins the game at once."""
    saved_throws: bool = False
    """Throws that a turn leaves unused are kept for later turns."""
    bonus_only: bool = False
    """The boxes count for the bonuses alone (Balut's points)."""

    @property
    def categories(self) -> tuple[str, ...]:
        """The category of every box, in page order."""
        return tuple(box.category for box in self.boxes)

    @property
    def yacht(self) -> Box | None:
        """The box for five of a kind, the first if there are several."""
        return next((box for box in self.boxes if isinstance(box.scoring, Yacht)), None)

    def yacht_of(self, column: str) -> Box | None:
        """The box for five of a kind in that column, if there is one."""
        mine = (box for box in self.boxes if box.column == column)
        return next((box for box in mine if isinstance(box.scoring, Yacht)), None)

    def further_yacht_in(self, column: str) -> int:
        """Points on top for a further yacht in that column, which count as the column does."""
        factor = next((each.factor for each in self.columns if each.id == column), 1)
        return self.extra_yacht * factor

    @property
    def group(self) -> int:
        """Number of dice that one box takes: all, or half of the ten of Double Cameroon."""
        return self.dice // self.boxes_per_turn

    def turns(self, boxes: int) -> int:
        """Number of turns needed to fill that many boxes."""
        return boxes // self.boxes_per_turn

    @property
    def bonus(self) -> Bonus | None:
        """The bonus at the foot of the faces, if there is one."""
        return next((bonus for bonus in self.bonuses if bonus.steps and not bonus.boxes), None)

    @property
    def upper(self) -> tuple[Box, ...]:
        """The boxes of the six faces."""
        return tuple(box for box in self.boxes if box.section is Section.UPPER)

    @property
    def rows(self) -> tuple[tuple[str, Message | str, Section, Message | str], ...]:
        """Category, label, section and row of every box, in page order."""
        return tuple((box.category, box.label, box.section, box.row) for box in self.boxes)

    def members(self, bonus: Bonus) -> tuple[Box, ...]:
        """The boxes that a bonus is for."""
        if not bonus.boxes:
            return self.upper
        return tuple(box for box in self.boxes if box.category in bonus.boxes)

    @property
    def dice_counts(self) -> tuple[int, ...]:
        """Numbers of dice that can be scored: those of a box, or the ten of Double Cameroon."""
        return tuple(sorted({self.group, self.dice}))

    def next_boxes(self, open_: Iterable[str]) -> tuple[str, ...]:
        """The open boxes that may be filled next in their columns, in page order."""
        still = set(open_)
        if not self.columns:
            return tuple(category for category in self.categories if category in still)
        first: dict[str, str] = {}
        orders = {column.id: column.order for column in self.columns}
        for box in self.boxes:
            if box.category in still and (box.column not in first or orders[box.column] is Order.UP):
                first[box.column] = box.category
        return tuple(
            box.category
            for box in self.boxes
            if box.category in still
            and (orders[box.column] is Order.FREE or first[box.column] == box.category)
        )

    def box(self, category: str) -> Box:
        """The box of that category; BadInputError, naming those there are, if there is none."""
        for box in self.boxes:
            if box.category == category:
                return box
        raise BadInputError(self.no_box(category), code="box/unknown")

    def no_box(self, category: str) -> Message:
        """The sentence that there is no box of that category, with those that exist."""
        return Message("rules/no-box", title=self.title, box=category, boxes=self.categories)
