"""A little model of the physical table: dice, hands, a camera over them, and a score book kept by hand.

It knows nothing of `station.game`. Every die knows when it was moved last, so that it can always be said
whose throw lies there, which is what the station has to find out from pictures.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from station.rules import RuleSet, Sheet, fill
from vision.reading import Colour, DieReading, Reading, Reason, Status

SIZE_PX = 60.0
PITCH_PX = 150.0
COLUMNS, ROWS = 12, 8
SPREAD_PX = 35.0
NUDGE_PX = 40.0
NUDGES = 1
"""So often a die is pushed between two throws: on, never back to where it lay."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A real die. turn: in which it was moved last (`Book.turn`); unseen: while nobody watched.

    first_seen: the turn in which the camera first saw it lie where it lies, or None.
    """

    face: int
    place: tuple[int, int]
    off: tuple[float, float] = (0.0, 0.0)
    nudged: int = 0
    turn: int = 0
    unseen: bool = False
    first_seen: int | None = None

    @property
    def center(self) -> tuple[float, float]:
        """Where it lies, in pixels."""
        x, y = self.place
        return 100.0 + PITCH_PX * x + NUDGE_PX * self.nudged + self.off[0], 100.0 + PITCH_PX * y + self.off[1]


@dataclass(slots=True)
class Tray:
    """The dice and what hides them.

    misread: the die that the reader is not sure of, with the face it takes it for. read: the dice as they
    lay when the camera saw them last.
    """

    random: Random
    pieces: tuple[Piece, ...] = ()
    hand: bool = False
    rolling: bool = False
    away: bool = False
    misread: tuple[int, int] | None = None
    read: tuple[Piece, ...] = ()

    def lay_out(self, count: int, turn: int) -> None:
        """Another number of dice is played with: some are put in or taken out, none is thrown."""
        self.pieces = self.pieces[:count]
        for _ in range(count - len(self.pieces)):
            self.pieces = (*self.pieces, self._fallen(set(), turn))
        self.misread = None

    def throw(self, which: Sequence[int], turn: int, *, crowded: bool = False) -> None:
        """Those dice leave a hand; they roll until `rest`.

        crowded: all but the first come to rest where others lay, or they themselves, with other faces.
        """
        self.hand, self.rolling, self.away, self.misread = False, True, False, None
        before, lay = {piece.place for piece in self.pieces}, [self.pieces[i] for i in which]
        for i in which:
            self._put(i, self._fallen(before, turn))
        if crowded:
            self.random.shuffle(lay)
            for i, old in zip(which[1:], lay, strict=False):
                face = self.random.choice([face for face in range(1, 7) if face != old.face])
                self._put(i, replace(old, face=face, turn=turn, unseen=False, first_seen=None))

    def seen(self, turn: int) -> None:
        """The camera took a picture of dice that lie still."""
        self.pieces = tuple(
            replace(one, first_seen=turn if one.first_seen is None else one.first_seen) for one in self.pieces
        )
        self.read = self.pieces

    def nudge(self, i: int, turn: int) -> None:
        """A sleeve pushes a die, its face stays."""
        one = self.pieces[i]
        if one.nudged < NUDGES:
            self._put(i, replace(one, nudged=one.nudged + 1, turn=turn, first_seen=None))

    def _put(self, i: int, piece: Piece) -> None:
        self.pieces = (*self.pieces[:i], piece, *self.pieces[i + 1 :])

    def _fallen(self, before: set[tuple[int, int]], turn: int) -> Piece:
        """A die that chance has thrown to where no die lies, or lay just now."""
        taken = before | {piece.place for piece in self.pieces}
        places = [(x, y) for x in range(COLUMNS) for y in range(ROWS) if (x, y) not in taken]
        off = self.random.uniform(-SPREAD_PX, SPREAD_PX), self.random.uniform(-SPREAD_PX, SPREAD_PX)
        return Piece(self.random.randint(1, 6), self.random.choice(places), off, turn=turn)

    @property
    def status(self) -> Status:
        """What the reader says of it."""
        if self.rolling:
            return Status.MOVING
        if self.hand:
            return Status.COVERED
        if self.away or not self.pieces:
            return Status.EMPTY
        return Status.UNSURE if self.misread else Status.READY

    def reading(self) -> Reading:
        """What the reader makes of the next picture; places jitter as in recordings."""
        status = self.status
        if status not in {Status.READY, Status.UNSURE}:
            return Reading(status, (), ())
        dice = []
        for i, piece in enumerate(self.pieces):
            face = self.misread[1] if self.misread and self.misread[0] == i else piece.face
            x, y = (value + self.random.uniform(-1.5, 1.5) for value in piece.center)
            dice.append(DieReading(face, 0.99, (x, y), SIZE_PX, 0.0, Colour.WHITE))
        reasons = (Reason.LOW_CONFIDENCE,) if self.misread else ()
        return Reading(status, tuple(sorted(dice, key=lambda die: die.center)), reasons)

    @property
    def faces(self) -> tuple[int, ...]:
        """What really lies there, or was read last."""
        return tuple(sorted(piece.face for piece in self.counted))

    @property
    def counted(self) -> tuple[Piece, ...]:
        """The dice that lie there, or that were read last."""
        return self.read if self.away else self.pieces


@dataclass(frozen=True, slots=True)
class Book:
    """The game as a careful scorer keeps it beside the table.

    turn: a number that nothing before had, given anew by whatever makes what was thrown before no throw any
    more (a roll is confirmed or kept, a box written, somebody goes, a game begins or ends): dice moved
    under it are the next throw. dice: the confirmed roll, slot and face.
    filled: for each player, the boxes with their dice and throw. typed: whether the roll was typed in, and
    nobody but people knows which die on the tray is which. lied: whether a die was said to show another face.
    for_start: for each player, the single dice thrown for who starts.
    """

    phase: str = "lobby"
    rules: RuleSet | None = None
    names: tuple[str, ...] = ()
    gone: tuple[bool, ...] = ()
    filled: tuple[tuple[tuple[str, tuple[int, ...], int], ...], ...] = ()
    active: int = 0
    turn: int = 0
    throws: int = 0
    dice: tuple[tuple[int, int], ...] = ()
    held: tuple[int, ...] = ()
    boxes: int = 0
    typed: bool = False
    lied: bool = False
    ended_by: str | None = None
    for_start: tuple[tuple[int, ...], ...] = ()

    @property
    def running(self) -> bool:
        """Whether somebody has the turn."""
        return self.phase in {"starting", "throwing", "holding", "choosing"}

    @property
    def count(self) -> int:
        """How many dice are thrown with."""
        assert self.rules is not None
        return 1 if self.phase == "starting" else self.rules.dice

    @property
    def may_throw(self) -> bool:
        """Whether another throw of this turn may count."""
        if self.phase not in {"starting", "throwing", "holding"}:
            return False
        return len(self.held) < self.count

    def sheet(self, seat: int) -> Sheet:
        """The sheet, scored from the dice as they were written. Raises RefusalError for an impossible one."""
        assert self.rules is not None
        sheet = Sheet()
        for category, faces, throw in self.filled[seat]:
            sheet = fill(self.rules, sheet, category, faces, throw)
        return sheet

    def moved(self, tray: Tray) -> list[int]:
        """Faces of the dice that this turn's player moved after what was confirmed or kept."""
        return [one.face for one in tray.counted if one.turn == self.turn]

    def thrown(self, tray: Tray) -> bool:
        """Whether the dice may be a throw of this turn that nobody confirmed, as far as eyes can tell.

        At the beginning of a turn most of them must have moved; after a confirmed roll one is enough, for
        nobody can see whether it was thrown or touched.
        """
        moved = len(self.moved(tray))
        return 2 * moved > len(tray.counted) if self.throws == 0 else moved > 0

    def may_be_thrown(self, tray: Tray) -> bool:
        """The same where eyes cannot have told of some of them when they were moved.

        They were never seen to lie still before their roll was typed in, or nobody watched and the turn was
        undone.
        """
        moved = [
            one
            for one in tray.counted
            if one.turn == self.turn
            or (one.unseen and one.turn > self.turn)
            or (self.typed and one.first_seen == self.turn)
        ]
        return 2 * len(moved) > len(tray.counted) if self.throws == 0 else bool(moved)

    def surely_thrown(self, tray: Tray) -> bool:
        """The same where it cannot be that only held dice were pushed aside."""
        moved = self.moved(tray)
        if any(one.unseen for one in tray.counted):
            return False
        if not self.thrown(tray) or len(moved) > len(self.held) or not self.held:
            return self.thrown(tray)
        held = Counter(face for slot, face in self.dice if slot in self.held)
        return not self.typed and bool(Counter(moved) - held)

    # -- what happens in it --------------------------------------------------------------------------

    def started(self, rules: RuleSet, names: Sequence[str], turn: int, starter: object = None) -> "Book":
        """A game begins. starter: a seat, or "throw"."""
        empty = tuple(() for _ in names)
        first = starter if isinstance(starter, int) else 0
        book = Book("throwing", rules, tuple(names), tuple(False for _ in names), empty, first, turn)
        if starter != "throw":
            return replace(book, for_start=empty)
        return replace(book, phase="starting", for_start=empty).due()

    def due(self) -> "Book":
        """Whose die is thrown for who starts, or who starts."""
        if self.phase != "starting":
            return self
        among = [seat for seat in range(len(self.names)) if not self.gone[seat]]
        lowest = self.rules is not None and self.rules.id == "treasurehouse"
        thrown = 0
        while len(among) > 1:
            waiting = [seat for seat in among if len(self.for_start[seat]) == thrown]
            if waiting:
                return replace(self, active=waiting[0])
            faces = [self.for_start[seat][thrown] for seat in among]
            wins = min(faces) if lowest else max(faces)
            among = [seat for seat, face in zip(among, faces, strict=True) if face == wins]
            thrown += 1
        return replace(self, phase="throwing", active=among[0])

    def threw_for_start(self, face: int, turn: int) -> "Book":
        """The die of the one whose turn it is to throw for the start."""
        mine = (*self.for_start[self.active], face)
        for_start = (*self.for_start[: self.active], mine, *self.for_start[self.active + 1 :])
        return replace(self, for_start=for_start, turn=turn).due()

    def confirmed(self, dice: Sequence[tuple[int, int]], turn: int, *, typed: bool = False) -> "Book":
        """A throw counts."""
        assert self.rules is not None
        throws = self.throws + 1
        last = throws >= self.rules.throws
        after = replace(
            self,
            throws=throws,
            dice=tuple(dice),
            turn=turn,
            typed=typed,
            phase="choosing" if last else "holding",
            held=() if last else self.held,
        )
        return after.general()

    def general(self) -> "Book":
        """Five of a kind in the first throw of General wins at once."""
        wins = self.rules is not None and self.rules.first_throw_yacht_wins
        if wins and self.throws == 1 and len({face for _, face in self.dice}) == 1:
            return replace(self, phase="finished", ended_by="big_general")
        return self

    def written(self, category: str, slots: Sequence[int], turn: int) -> "Book":
        """A box is filled with the dice of these slots."""
        assert self.rules is not None
        used = tuple(sorted(face for slot, face in self.dice if slot in slots))
        rest = tuple(die for die in self.dice if die[0] not in slots)
        mine = (*self.filled[self.active], (category, used, self.throws))
        filled = (*self.filled[: self.active], mine, *self.filled[self.active + 1 :])
        after = replace(self, filled=filled, boxes=self.boxes + 1, turn=turn)
        if rest and after.boxes < self.rules.boxes_per_turn and len(mine) < len(self.rules.categories):
            return replace(after, phase="choosing", dice=rest, held=())
        return after.next_turn(turn)

    def next_turn(self, turn: int) -> "Book":
        """Who sits next and has an open box."""
        assert self.rules is not None
        fresh = replace(self, throws=0, dice=(), held=(), boxes=0, lied=False, turn=turn)
        for seat in self._after(self.active):
            if not self.gone[seat] and len(self.filled[seat]) < len(self.rules.categories):
                return replace(fresh, phase="throwing", active=seat)
        return replace(fresh, phase="finished", ended_by="complete")

    def _after(self, seat: int) -> Iterator[int]:
        count = len(self.names)
        return ((seat + step) % count for step in range(1, count + 1))

    def left_by(self, seat: int, turn: int) -> "Book":
        """Somebody goes home."""
        if self.rules is None:
            left: dict[str, Any] = {name: _without(getattr(self, name), seat) for name in SEATS}
            return replace(self, **left)
        after = replace(self, gone=tuple(gone or i == seat for i, gone in enumerate(self.gone)))
        if self.phase == "starting":
            return replace(after, turn=turn if seat == self.active else self.turn).due()
        return after.next_turn(turn) if seat == self.active else after

    def reseated(self, seat: int, to: int) -> "Book":
        """Somebody changes place; whose turn it is stays theirs."""
        order = list(range(len(self.names)))
        order.insert(to, order.pop(seat))
        moved: dict[str, Any] = {name: tuple(getattr(self, name)[i] for i in order) for name in SEATS}
        return replace(self, **moved, active=order.index(self.active)).due()

    def joined(self, name: str) -> "Book":
        """Somebody sits down."""
        return replace(
            self,
            names=(*self.names, name),
            gone=(*self.gone, False),
            filled=(*self.filled, ()),
            for_start=(*self.for_start, ()),
        ).due()

    def ended(self, turn: int) -> "Book":
        """They stop."""
        return replace(
            self, phase="finished", ended_by="early", throws=0, dice=(), held=(), boxes=0, turn=turn
        )


SEATS = ("names", "gone", "filled", "for_start")


def _without(values: tuple[object, ...], seat: int) -> tuple[object, ...]:
    return (*values[:seat], *values[seat + 1 :])


@dataclass(slots=True)
class Counted:
    """How often each rule ran."""

    steps: int = 0
    rules: dict[str, int] = field(default_factory=dict)

    def note(self, name: str) -> None:
        """One more."""
        self.steps += 1
        self.rules[name] = self.rules.get(name, 0) + 1
