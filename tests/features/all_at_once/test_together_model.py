"""All together at a real table, driven at random beside a score book that knows nothing of `station.game`.

Five dice of five colours, or all white, lie in a tray; people throw all of them, or leave one there, or throw
too early; they keep dice, are ready or not after all, pick boxes, come late, go, undo and pull the plug.
"""

import tempfile
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from messages.errors import RefusalError
from station.features.all_at_once.feature import PlayerPart, TablePart
from station.rules import sheet_totals
from station.store.store import Store
from station.table.play import Habits
from station.table.table import Table
from tests.asking import parse
from tests.features.all_at_once.together_book import MOVING, RULES, Book, Dice, Seat
from vision.reading import Colour, Reading, Status

pytestmark = pytest.mark.thorough

NAMES = ("Ana", "Ben", "Cleo", "Dana", "Emil")
FIVE = (Colour.RED, Colour.GREEN, Colour.BLUE, Colour.WHITE, Colour.BLACK)


class AllTogether(RuleBasedStateMachine):
    """One evening with one throw for everybody."""

    @initialize(seed=st.integers(0, 2**32), count=st.integers(1, 4), white=st.booleans())
    def evening(self, seed: int, count: int, *, white: bool) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.store = Store(Path(self.folder.name))
        self.table = Table(self.store, habits=Habits(asks_before_zero=False))
        self.dice = Dice((Colour.WHITE,) * 5 if white else FIVE, Random(seed))
        self.book = Book(tuple(Seat(name) for name in NAMES[:count]))
        self.before: list[Book] = []
        self.lies = "old"  # what the dice in the tray are: old, a whole throw, or all but one; None: unknown
        self.look()
        self.do("start_game", players=NAMES[:count], rules="shared-roll")

    @property
    def view(self) -> Any:
        return self.table.snapshot()

    def do(self, command: str, **fields: Any) -> None:
        self.table.execute(parse({"command": command, **fields}))

    def look(self) -> None:
        """The camera takes a picture."""
        self.table.offer(self.dice.reading() if self.dice.places else Reading(Status.EMPTY, (), ()))

    def refused(self, code: str, command: str, **fields: Any) -> None:
        try:
            self.do(command, **fields)
        except RefusalError as refusal:
            said = refusal.code
        else:
            said = "nothing"
        assert said == code, (command, fields)

    def follow(self, book: Book) -> None:
        if (book.phase, book.throws) != (self.book.phase, self.book.throws):
            self.lies = "old" if self.lies is not None else None
        self.before.append(self.book)
        self.book = book

    @rule(stays=st.none() | st.none() | st.integers(0, 4))
    def throw(self, stays: int | None) -> None:
        """A hand throws the dice, as it may at any time; perhaps one is left lying."""
        self.throw_dice(stays)

    def throw_dice(self, stays: int | None) -> None:
        first = not self.dice.places
        self.dice.throw(stays)
        self.table.offer(MOVING)
        self.look()
        if stays is None or first or self.lies == "whole":
            self.lies = "whole"  # a die of a throw that nobody confirmed may stay
        else:
            self.lies = "one left" if self.lies == "old" and self.book.phase == "throwing" else None

    @precondition(lambda self: self.lies is not None)
    @rule()
    def confirm(self) -> None:
        """Somebody presses confirm."""
        self.confirm_throw()

    def confirm_throw(self) -> None:
        if self.book.phase == "holding":
            self.refused("roll/not_all_ready", "accept_roll")
        elif self.book.phase == "choosing":
            self.refused("roll/none_left", "accept_roll")
        elif self.book.phase == "throwing" and self.lies == "whole":
            self.do("accept_roll")
            self.follow(self.book.thrown(self.dice.by_slot(first=self.book.throws == 0)))
        elif self.book.phase == "throwing" and self.dice.places and self.lies == "old":
            self.refused("roll/not_thrown", "accept_roll")
        elif self.lies == "one left":
            self.refused("roll/all_are_thrown", "accept_roll")
            self.do("accept_roll", force=True)
            self.follow(self.book.thrown(self.dice.by_slot(first=self.book.throws == 0)))

    @precondition(lambda self: self.book.phase == "throwing")
    @rule(faces=st.lists(st.integers(1, 6), min_size=5, max_size=5))
    def type(self, faces: list[int]) -> None:
        if self.book.throws == 0:
            self.dice.order = self.dice.left_to_right() if self.dice.places else []
        if not self.dice.order:
            return
        self.do("enter_roll", faces=faces)
        self.follow(self.book.thrown(tuple(faces)))
        self.lies = None

    @rule(i=st.integers(0, 4), slots=st.frozensets(st.integers(1, 5)))
    def keep(self, i: int, slots: frozenset[int]) -> None:
        seat = self.book.seats[i % len(self.book.seats)]
        i %= len(self.book.seats)
        if self.book.phase != "holding" or not seat.there or (seat.ready and slots != seat.held):
            self.must_refuse("set_held", player=i, slots=sorted(slots))
        else:
            self.keep_these(i, slots)

    def keep_these(self, i: int, slots: frozenset[int]) -> None:
        before = self.book.seats[i].held
        self.do("set_held", player=i, slots=sorted(slots))
        if slots != before:
            self.follow(self.book.changed(i, held=slots))

    @rule(i=st.integers(0, 4), box=st.sampled_from(RULES.categories))
    def pick(self, i: int, box: str) -> None:
        i %= len(self.book.seats)
        seat = self.book.seats[i]
        taken = box in [category for category, _ in seat.boxes]
        fixed = seat.ready and box != seat.picked
        if self.book.phase != "choosing" or not seat.there or taken or fixed:
            self.must_refuse("score_box", player=i, category=box)
        else:
            self.do("score_box", player=i, category=box)
            if box != seat.picked:
                self.follow(self.book.changed(i, picked=box))

    @rule(i=st.integers(0, 4))
    def be_ready(self, i: int) -> None:
        i %= len(self.book.seats)
        seat = self.book.seats[i]
        may = self.book.phase in {"holding", "choosing"} and seat.there
        if not may or (self.book.phase == "choosing" and not seat.ready and seat.picked is None):
            self.must_refuse("ready", player=i)
        else:
            self.do("ready", player=i)
            if not seat.ready:
                self.follow(self.book.changed(i, ready=True))

    @rule(held=st.lists(st.frozensets(st.integers(1, 5)), min_size=5, max_size=5), one_left=st.booleans())
    def proper_throw(self, held: list[frozenset[int]], *, one_left: bool) -> None:
        """As it should be: everybody keeps dice and is ready, all are thrown, and the throw is confirmed."""
        if self.book.phase == "holding":
            for i in self.book.waits_for():
                self.keep_these(i, held[i])
                self.do("ready", player=i)
                self.follow(self.book.changed(i, ready=True))
        if self.book.phase == "throwing":
            self.throw_dice(None if not one_left else 2)
            if self.lies is not None:
                self.confirm_throw()

    @rule()
    def all_are_ready(self) -> None:
        """As it mostly goes."""
        if self.book.phase not in {"holding", "choosing"}:
            return
        for i in self.book.waits_for():
            seat = self.book.seats[i]
            if self.book.phase == "choosing" and seat.picked is None:
                filled = [category for category, _ in seat.boxes]
                box = next(each for each in RULES.categories if each not in filled)
                self.do("score_box", player=i, category=box)
                self.follow(self.book.changed(i, picked=box))
            self.do("ready", player=i)
            self.follow(self.book.changed(i, ready=True))

    @rule(i=st.integers(0, 4))
    def not_after_all(self, i: int) -> None:
        i %= len(self.book.seats)
        seat = self.book.seats[i]
        if self.book.phase not in {"holding", "choosing"} or not seat.there:
            self.must_refuse("unready", player=i)
        else:
            self.do("unready", player=i)
            if seat.ready:
                self.follow(self.book.changed(i, ready=False))

    @precondition(lambda self: self.book.phase in {"holding", "choosing"})
    @rule(slot=st.integers(1, 5), face=st.integers(1, 6))
    def set_a_die_right(self, slot: int, face: int) -> None:
        before = self.view.dice[slot - 1].face
        self.do("correct_die", slot=slot, face=face)
        if face != before:
            self.follow(self.book.corrected(slot, face))

    @precondition(lambda self: self.book.phase != "finished" and len(self.book.seats) < len(NAMES))
    @rule(really=st.integers(0, 3))
    def join(self, really: int) -> None:
        if really == 0:
            name = NAMES[len(self.book.seats)]
            self.do("add_player", name=name)
            self.follow(replace(self.book, seats=(*self.book.seats, Seat(name))))

    @precondition(lambda self: self.book.phase != "finished")
    @rule(i=st.integers(0, 4), really=st.integers(0, 5))
    def leave(self, i: int, really: int) -> None:
        i %= len(self.book.seats)
        there = [seat for seat in self.book.seats if not seat.gone]
        if really == 0 and not self.book.seats[i].gone and len(there) > 1:
            self.do("remove_player", player=i)
            self.follow(self.book.changed(i, gone=True))

    @precondition(lambda self: self.before)
    @rule()
    def undo(self) -> None:
        self.do("undo")
        self.book = self.before.pop()
        self.lies = None

    @rule(really=st.integers(0, 4))
    def pull_the_plug(self, really: int) -> None:
        if really:
            return
        self.table.close()
        self.store.close()
        self.store = Store(Path(self.folder.name))
        self.table = Table(self.store, habits=Habits(asks_before_zero=False))
        self.look()
        self.lies = None

    def must_refuse(self, command: str, **fields: Any) -> None:
        shown = self.view.version
        try:
            self.do(command, **fields)
        except RefusalError:
            assert self.view.version == shown
        else:
            raise AssertionError(f"{command} {fields} should have been refused")

    @invariant()
    def the_station_has_it_as_the_book(self) -> None:
        if not hasattr(self, "book"):
            return
        view, book = self.view, self.book
        assert (view.phase, view.throws_done) == (book.phase, book.throws)
        assert view.part(TablePart).waits_for == (book.waits_for() if book.throws else ())
        assert len(view.players) == len(book.seats)
        for player, seat in zip(view.players, book.seats, strict=True):
            copy = player.part(PlayerPart)
            assert tuple(die.face for die in copy.dice) == (() if not seat.own else seat.own)
            assert {die.slot for die in copy.dice if die.held} == seat.held
            assert (copy.ready, copy.chosen, player.gone) == (seat.ready, seat.picked, seat.gone)
            assert player.total == sheet_totals(RULES, seat.sheet, running=view.phase != "finished").total
            filled = {category for category, points in player.boxes.items() if points is not None}
            assert filled == {category for category, _ in seat.boxes}

    def teardown(self) -> None:
        if hasattr(self, "table"):
            self.table.close()
            self.store.close()
            self.folder.cleanup()


TestAllTogether = AllTogether.TestCase
TestAllTogether.settings = settings(
    max_examples=20,
    stateful_step_count=60,
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.generate,),
)
