"""One seat at the table: a name and a sheet."""

from collections.abc import Hashable
from dataclasses import dataclass, field

from station.game.log.options import USUAL, Options
from station.rules import Sheet


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat of a game to come: a name, and what it is begun with."""

    name: str
    options: Options = USUAL


@dataclass(frozen=True, slots=True)
class Filling:
    """The filling of one box: its five dice, and the throw of the turn after which it was filled, from 1."""

    category: str
    faces: tuple[int, ...]
    throw: int


@dataclass(frozen=True, slots=True)
class Player:
    """One seat: a name, a score sheet, and how each of its boxes was filled, in that order.

    gone: removed from the game; the sheet stays in the record. starts: whether the game begins with this
    player. options: what the seat was begun with.
    kept: what is kept for features (`FeatureValue`).
    """

    name: str
    sheet: Sheet = field(default_factory=Sheet)
    fillings: tuple[Filling, ...] = ()
    gone: bool = False
    starts: bool = False
    options: Options = USUAL
    kept: tuple[tuple[str, Hashable], ...] = ()
