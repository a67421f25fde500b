"""A score book of a game that all play together, and five real dice; neither knows of `station.game`."""

from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from station.rules import Sheet, built_in, fill
from vision.reading import Colour, DieReading, Reading, Status

RULES = built_in("shared-roll")
MOVING = Reading(Status.MOVING, (), ())


@dataclass(frozen=True)
class Seat:
    """One player as the book has it. own: die by die in slot order, none for who is not in this round."""

    name: str
    boxes: tuple[tuple[str, tuple[int, ...]], ...] = ()
    gone: bool = False
    own: tuple[int, ...] = ()
    held: frozenset[int] = frozenset()
    kept: frozenset[int] = frozenset()
    ready: bool = False
    picked: str | None = None

    @property
    def sheet(self) -> Sheet:
        sheet = Sheet()
        for category, faces in self.boxes:
            sheet = fill(RULES, sheet, category, faces, 3)
        return sheet

    @property
    def done(self) -> bool:
        return len(self.boxes) == len(RULES.categories)

    @property
    def there(self) -> bool:
        return bool(self.own) and not self.gone


@dataclass(frozen=True)
class Book:
    """The round as a careful friend keeps it."""

    seats: tuple[Seat, ...]
    throws: int = 0
    phase: str = "throwing"

    def waits_for(self) -> tuple[int, ...]:
        return tuple(i for i, seat in enumerate(self.seats) if seat.there and not seat.ready)

    def changed(self, i: int, **fields: Any) -> "Book":
        seats = tuple(replace(seat, **fields) if i == j else seat for j, seat in enumerate(self.seats))
        return replace(self, seats=seats).gone_on()

    def gone_on(self) -> "Book":
        """Nobody is waited for any more: all throw again, or the boxes are written."""
        if all(seat.gone or seat.done for seat in self.seats):
            return self.cleared("finished")
        there = any(seat.there for seat in self.seats)
        if self.throws == 0 or (there and self.waits_for()):
            return self
        if there and self.phase != "choosing":
            return replace(self, phase="throwing")
        seats = tuple(
            replace(seat, boxes=(*seat.boxes, (seat.picked, tuple(sorted(seat.own)))))
            if seat.there and seat.picked
            else seat
            for seat in self.seats
        )
        after = replace(self, seats=seats).cleared("throwing")
        return after.cleared("finished") if all(each.gone or each.done for each in after.seats) else after

    def cleared(self, phase: str) -> "Book":
        seats = tuple(Seat(seat.name, seat.boxes, seat.gone) for seat in self.seats)
        return Book(seats, 0, phase)

    def thrown(self, faces: tuple[int, ...]) -> "Book":
        def own(seat: Seat) -> Seat:
            if self.throws == 0:
                return seat if seat.gone or seat.done else Seat(seat.name, seat.boxes, own=faces)
            if not seat.own:
                return seat
            mixed = tuple(
                old if slot in seat.held else new
                for slot, (old, new) in enumerate(zip(seat.own, faces, strict=True), start=1)
            )
            held = seat.held if self.throws < 2 else frozenset[int]()
            return Seat(seat.name, seat.boxes, seat.gone, mixed, held, seat.held)

        seats = tuple(own(seat) for seat in self.seats)
        return Book(seats, self.throws + 1, "choosing" if self.throws == 2 else "holding")

    def corrected(self, slot: int, face: int) -> "Book":
        def own(seat: Seat) -> Seat:
            if not seat.own or slot in seat.kept:
                return seat
            return replace(seat, own=(*seat.own[: slot - 1], face, *seat.own[slot:]))

        return replace(self, seats=tuple(own(seat) for seat in self.seats))


@dataclass
class Dice:
    """Five real dice: place (x, y) in pixels, face; `order` is the colour that each slot was given.

    A cell of the tray is 120 pixels. Throws lie a little beside each other in it, as dice do: none comes to
    rest where one of the sixteen before it lay, which the station takes for a die that was not thrown.
    """

    colours: tuple[Colour, ...]
    random: Random
    places: list[tuple[int, int]] = field(default_factory=list)
    faces: list[int] = field(default_factory=list)
    order: list[int] = field(default_factory=list)
    throws: int = 0

    def throw(self, stays: int | None = None) -> None:
        self.throws += 1
        beside = (8 * (self.throws % 4), 8 * (self.throws // 4 % 4))
        taken = {(x // 120, y // 120) for x, y in self.places}
        cells = [(x, y) for x in range(9) for y in range(6) if (x, y) not in taken]
        free = [(120 * x + beside[0], 120 * y + beside[1]) for x, y in cells]
        places, faces = self.random.sample(free, 5), [self.random.randint(1, 6) for _ in range(5)]
        if stays is not None and self.places:
            places[stays], faces[stays] = self.places[stays], self.faces[stays]
        self.places, self.faces = places, faces

    def left_to_right(self) -> list[int]:
        return sorted(range(5), key=lambda i: self.places[i])

    def by_slot(self, *, first: bool) -> tuple[int, ...]:
        """The faces slot by slot: by colour as in the round's first throw, or all white, by place."""
        if first or len(set(self.colours)) == 1:
            self.order = self.left_to_right()
        return tuple(self.faces[i] for i in self.order)

    def reading(self) -> Reading:
        dice = tuple(
            DieReading(
                self.faces[i],
                0.99,
                (100.0 + self.places[i][0], 100.0 + self.places[i][1] + self.random.uniform(-1, 1)),
                60.0,
                0.0,
                self.colours[i],
            )
            for i in self.left_to_right()
        )
        return Reading(Status.READY, dice, ())
