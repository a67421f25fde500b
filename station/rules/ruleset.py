"""What a rule set is: a small value that says how one game of the family is played."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from messages.errors import BadInputError
from messages.message import Message
from station.rules.dice import GROUP
from station.rules.scoring import Scoring
from station.rules.scoring.number import Number
from station.rules.scoring.yacht import Yacht

AGREED = Message("starts/agreed")


class Section(StrEnum):
    """The half of the score sheet a box stands in."""

    UPPER = "upper"
    LOWER = "lower"


class Joker(StrEnum):
    """What a further yacht may do once the yacht box is filled, with 50 or with 0.

    none: nothing. wild: it may also stand for a full house or a straight (game-rules-guru). forced: the
    same, but the box of its face comes first, then any lower box, then any upper one (Yahtzee).
    """

    NONE = "none"
    WILD = "wild"
    FORCED = "forced"


class FirstDie(StrEnum):
    """Which die starts where each player throws one for it."""

    LOWEST = "lowest"
    HIGHEST = "highest"


class Bonus(NamedTuple):
    """Points on top for `threshold` or more in the upper section."""

    threshold: int
    points: int


@dataclass(frozen=True, slots=True)
class Box:
    """One row of the score sheet: what it means, what its page (or the family) calls it, how it scores."""

    category: str
    label: Message | str
    scoring: Scoring

    @property
    def section(self) -> Section:
        """Upper for the six faces, lower for the rest."""
        return Section.UPPER if isinstance(self.scoring, Number) else Section.LOWER


@dataclass(frozen=True, slots=True)
class RuleSet:
    """A game of the family. `boxes` are in the order of its page; `players` is (fewest, most).

    What comes with the station is told by key; what a family wrote in its house rules is told as it stands.
    """

    id: str
    title: Message | str
    boxes: tuple[Box, ...]
    source: Message | str
    bonus: Bonus | None = None
    sums: tuple[Message, ...] = ()
    """What the page calls the rows of the upper sum and of its bonus, where it prints them."""
    dice: int = 5
    throws: int = 3
    players: tuple[int, int] = (1, 12)
    boxes_per_turn: int = 1
    simultaneous: bool = False
    starts: Message | str = AGREED
    first_die: FirstDie | None = None
    """Which die starts, where the page says that it is thrown for; else that is for the players to say."""
    joker: Joker = Joker.NONE
    extra_yacht: int = 0
    """Points on top for each further yacht while the yacht box holds points."""
    first_throw_yacht_wins: bool = False
    """Five of a kind in a turn's first throw (General's big general) wins the game at once."""

    @property
    def categories(self) -> tuple[str, ...]:
        """The category of every box, in page order."""
        return tuple(box.category for box in self.boxes)

    @property
    def yacht(self) -> Box | None:
        """The box for five of a kind, if there is one."""
        return next((box for box in self.boxes if isinstance(box.scoring, Yacht)), None)

    @property
    def dice_counts(self) -> tuple[int, ...]:
        """Numbers of dice that can be scored: a group of five, or the ten of Double Cameroon."""
        return (GROUP,) if self.dice == GROUP else (GROUP, self.dice)

    def box(self, category: str) -> Box:
        """The box of that category; BadInputError, naming those there are, if there is none."""
        for box in self.boxes:
            if box.category == category:
                return box
        raise BadInputError(self.no_box(category), code="box/unknown")

    def no_box(self, category: str) -> Message:
        """That there is no box of that category, naming those there are."""
        return Message("rules/no-box", title=self.title, box=category, boxes=self.categories)
