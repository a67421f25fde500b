"""The dice that were really thrown in a game: those of each throw that counts, without the held ones."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from station.game.events import (
    BoxScored,
    DieCorrected,
    Event,
    GameStarted,
    HeldSet,
    PlayerRemoved,
    RollAccepted,
)
from station.game.log.slots import Die


class ThrownDie(NamedTuple):
    """One die of one throw. colour: its body's; dice: the colours of all dice on the table then, sorted.

    Both are empty where no camera read the throw.
    """

    face: int
    colour: str = ""
    dice: tuple[str, ...] = ()


def standing(log: Iterable[Event]) -> list[Event]:
    """The events of one game without those that were undone, and without the undoing."""
    left: list[Event] = []
    for event in log:
        if not event.takes_back:
            left.append(event)
        elif left:
            left.pop()
    return left


def thrown_dice(log: Iterable[Event]) -> Counter[ThrownDie]:
    """Count how often each die fell on each face in one game, with corrections.

    Dice that the station drew are none. Where somebody goes while dice are held, throws are left out until
    the held dice change or a box is filled: the events alone do not say whose dice they were.

    >>> from station.game.log.slots import Die
    >>> roll = RollAccepted((Die(1, 6), Die(2, 3)))
    >>> found = thrown_dice([roll, HeldSet((1,)), roll, DieCorrected(2, 5)])
    >>> sorted(die.face for die in found.elements())
    [3, 5, 6]
    """
    following = _Following()
    for event in standing(log):
        following.take(event)
    return Counter(following.found)


@dataclass(slots=True)
class _Following:
    """Follows one game. where: slot -> index into `found` of the throw that brought its face."""

    found: list[ThrownDie] = field(default_factory=list)
    where: dict[int, int] = field(default_factory=dict)
    held: tuple[int, ...] = ()
    unknown: bool = False

    def take(self, event: Event) -> None:
        match event:
            case GameStarted():
                self._turn_over()
            case HeldSet():
                self.held, self.unknown = event.slots, False
            case PlayerRemoved():
                self.unknown = bool(self.held)
            case BoxScored():
                # If it takes some of the dice, the others are still there for a second box.
                rest = {
                    slot: at for slot, at in self.where.items() if event.slots and slot not in event.slots
                }
                self._turn_over()
                self.where = rest
            case Event(single=Die(face=face, colour=lay)):
                self.found.append(ThrownDie(face, lay, (lay,) if lay else ()))
            case RollAccepted():
                self._rolled(event)
            case DieCorrected() if event.slot in self.where:
                place = self.where[event.slot]
                self.found[place] = self.found[place]._replace(face=event.face)
            case _:
                pass  # it says nothing of dice

    def _turn_over(self) -> None:
        self.held, self.where, self.unknown = (), {}, False

    def _rolled(self, event: RollAccepted) -> None:
        if self.unknown:
            self.where = {}
            return
        colours = tuple(sorted(die.colour for die in event.dice))
        table = colours if all(colours) and not event.typed else ()
        for die in event.dice:
            if die.slot in self.held:
                continue
            if event.drawn:
                self.where.pop(die.slot, None)
                continue
            self.where[die.slot] = len(self.found)
            self.found.append(ThrownDie(die.face, die.colour if table else "", table))
