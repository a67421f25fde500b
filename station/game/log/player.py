"""One seat at the table: a name, a sheet, and, where all play at once, an own copy of the throw."""

from dataclasses import dataclass, field

from station.game.log.slots import Die
from station.rules import Sheet


@dataclass(frozen=True, slots=True)
class Filling:
    """How a box was filled: with which five dice, after which throw of the turn, from 1."""

    category: str
    faces: tuple[int, ...]
    throw: int


@dataclass(frozen=True, slots=True)
class Copy:
    """The dice of one player where all play at once; empty for who is not in this round.

    dice: by slot, those that were kept as they were kept. held: slots that the next throw leaves as they are.
    kept: slots that the last throw left as they were. chosen: the box that is written when all are ready.
    """

    dice: tuple[Die, ...] = ()
    held: tuple[int, ...] = ()
    kept: tuple[int, ...] = ()
    ready: bool = False
    chosen: str | None = None


@dataclass(frozen=True, slots=True)
class Player:
    """One seat: a name, a score sheet, and how each of its boxes was filled, in that order.

    gone: removed from the game; the sheet stays in the record. for_start: the faces of the single dice thrown
    for who starts, one a round; starts: whether it is this player. computer: what plays it ("perfect",
    "to-win", a strength), "" for people; members: of a team. home: the station before which they
    throw, "" for the one that keeps the game; without_tray: both stations draw their dice together. copy:
    where all play at once.
    """

    name: str
    sheet: Sheet = field(default_factory=Sheet)
    fillings: tuple[Filling, ...] = ()
    gone: bool = False
    for_start: tuple[int, ...] = ()
    starts: bool = False
    computer: str = ""
    members: tuple[str, ...] = ()
    home: str = ""
    without_tray: bool = False
    copy: Copy = field(default_factory=Copy)
