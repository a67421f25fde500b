"""Sums of some faces, and points by a table of how many dice show them."""

from dataclasses import dataclass
from typing import ClassVar

from messages.message import Message
from station.rules.dice import Dice, dashed
from station.rules.scoring.base import BoxScore, Scoring, add_up, read_faces
from station.rules.toml_table import POINTS_MAX, TomlTable


@dataclass(frozen=True, slots=True)
class SumOf(Scoring):
    """The sum of the dice that show one of some `faces`; the others do not matter.

    >>> str(SumOf((4, 5, 6)).score((1, 4, 4, 6, 2), throw=3).why)
    '4-4-6 add up to 14'
    """

    variants: ClassVar = {"sum": ()}
    sample: ClassVar = {"faces": [4, 5, 6]}
    example = (1, 2, 4, 4, 6)
    keys: ClassVar = {"faces": read_faces}

    faces: Dice

    def score(self, dice: Dice, throw: int, *, wild: bool = False) -> BoxScore:
        """As Scoring.score. A wild yacht has its natural points here."""
        del throw, wild
        found = sorted(face for face in dice if face in self.faces)
        if not found:
            return BoxScore(0, Message("pattern/sum/none", faces=self.faces))
        return add_up(dashed(found), sum(found))

    def how(self) -> Message:
        """As Scoring.how."""
        return Message("pattern/sum/how", faces=self.faces)


@dataclass(frozen=True, slots=True)
class Counted(Scoring):
    """Points by a `table`: for none, one, two, … dice that show one of some `faces`.

    >>> str(Counted((6,), (0, 1, 4, 9)).score((6, 6, 1), throw=3).why)
    '2 dice of 6 bring 4'
    """

    variants: ClassVar = {"counted": ()}
    sample: ClassVar = {"faces": [6], "table": [0, 1, 4, 9, 16, 25]}
    example = (1, 3, 6, 6, 6)
    keys: ClassVar = {
        "faces": read_faces,
        "table": lambda table, key: TomlTable.numbers(table, key, -POINTS_MAX, POINTS_MAX, 11),
    }

    faces: Dice
    table: tuple[int, ...]

    def score(self, dice: Dice, throw: int, *, wild: bool = False) -> BoxScore:
        """As Scoring.score. More dice than the table knows bring what its last number says."""
        del throw, wild
        count = sum(face in self.faces for face in dice)
        points = self.table[min(count, len(self.table) - 1)]
        return BoxScore(points, Message("pattern/counted/why", count=count, faces=self.faces, points=points))

    def how(self) -> Message:
        """As Scoring.how."""
        return Message("pattern/counted/how", faces=self.faces, table=self.table)
