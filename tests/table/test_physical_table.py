"""The table beside a model of real dice, hands, lamps and people, driven at random.

`tests/table/physical.py` keeps a tray and a score book that know nothing of the station's game. People
throw, touch, tap, press and stumble over cables; after every step the station must agree with the book:

- written: a box holds dice that were confirmed for that player, and nothing newer lay there unless forced;
- potentials: every one shown is what `score_box` would write now;
- offered: what can be confirmed was thrown in this turn; on offer: what was thrown whole is offered;
- lamp: it burns when a yes is waited for, and only then;
- undo: it brings back exactly the state before;
- sheet: every sheet is what its fillings give, scored one after the other;
- book: turn, roll, held dice and end are the book's; stale: an old screen changes nothing it did not show.

`make soak` runs it for long (lab/soak).
"""

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import invariant

from messages.errors import RefusalError
from station.contract.commands import ScoreBox
from station.features.throw_off.feature import PlayerPart
from station.game.evolve import evolve
from station.rules import sheet_totals
from tests.game.deciding import decide
from tests.table.physical_evening import RESTING, must
from tests.table.physical_hands import Hands

pytestmark = pytest.mark.thorough


class PhysicalTable(Hands):
    """One evening, and what always holds at it."""

    @invariant()
    def the_book_agrees(self) -> None:
        book, view = self.book, self.view
        phase = view.phase if self.state.phase == book.phase else self.state.phase
        must(self.state.phase == book.phase, "book", "phase", phase, "instead of", book.phase)
        must([p.name for p in view.players] == [*book.names], "book", "names")
        must([p.gone for p in view.players] == [*book.gone], "book", "gone")
        must(
            [p.part(PlayerPart).for_start for p in view.players] == [*book.for_start],
            "book",
            "thrown for the start",
        )
        must(view.ended_by == book.ended_by, "book", "ended by", view.ended_by)
        must(
            not any(view.players[i].gone for i in view.winners) or view.ended_by == "big_general",
            "book",
            "winners",
        )
        if book.running:
            must((view.active_player, view.throws_done) == (book.active, book.throws), "book", "turn")
            must(tuple((die.slot, die.face) for die in view.dice) == book.dice, "book", "dice", book.dice)
            must(tuple(die.slot for die in view.dice if die.held) == book.held, "book", "held", book.held)

    @invariant()
    def every_sheet_is_possible(self) -> None:
        if self.book.rules is None:
            return
        for seat, player in enumerate(self.view.players):
            try:
                sheet = self.book.sheet(seat)
            except RefusalError as refusal:
                must(False, "sheet", "no such sheet:", refusal)  # noqa: FBT003
            boxes = {category: sheet.points(category) for category in self.played.categories}
            must(dict(player.boxes) == boxes, "sheet", dict(player.boxes), "instead of", boxes)
            must(player.total == sheet_totals(self.played, sheet).total, "sheet", "total of", player.name)

    @invariant()
    def potentials_are_what_would_be_written(self) -> None:
        view, state = self.view, self.state
        for seat, player in enumerate(view.players):
            if seat != view.active_player or not self.book.dice:
                must(not player.potentials, "potentials", "shown for nothing", dict(player.potentials))
        if not self.book.running or not self.book.dice:
            return
        player = view.players[self.book.active]
        if self.newer():
            must(not player.potentials, "potentials", "a newer throw lies there")
        for category, points in player.potentials.items():
            try:
                events = decide(state, ScoreBox(category=category), self.table.play.sight)
            except RefusalError as refusal:
                must(False, "potentials", category, points, "shown, but", refusal)  # noqa: FBT003
            after = evolve(state, events[0])
            written = after.players[self.book.active].sheet.points(category)
            must(written == points, "potentials", category, points, "shown,", written, "written")
        if not player.potentials:
            must(view.turn in {"rolling", "unconfirmed"}, "potentials", "none shown though", view.turn)

    @invariant()
    def what_is_offered_was_thrown_in_this_turn(self) -> None:
        view = self.view
        offered = "accept_roll" in view.commands
        # A confirmed die that is misread afterwards looks new, and cannot be confirmed.
        told = view.turn == "unconfirmed" and not (self.book.throws and self.tray.misread)
        if offered or told:
            must(self.book.running and self.book.may_be_thrown(self.tray), "offered", view.waiting_for)
            must(self.book.may_throw or not offered, "offered", "no throw is left")
        whole = self.unconfirmed_whole and self.book.may_throw and self.tray.status in RESTING
        if whole and len(self.tray.pieces) == self.book.count and self.book.thrown(self.tray):
            must(view.turn == "unconfirmed", "on offer", view.waiting_for, "though dice were thrown")

    @invariant()
    def the_lamp_waits_for_a_yes(self) -> None:
        self.clock.pass_s(1.0)  # a refusal has blinked long enough
        self.panel.show(self.clock())
        view = self.view
        finished = self.book.phase == "finished"  # then it comes and goes: a long press begins another game
        if not finished and (view.problem is None or not self.book.running):
            asked = {"accept_roll", "computer_move"} & {*view.commands}
            wanted = bool(asked) or self.book.phase == "choosing"
            must(("confirm" in self.lamps.lit) == wanted, "lamp", "lit" if not wanted else "dark")
        held = {f"hold-{slot}" for slot in self.book.held if slot <= 5}
        lit = self.lamps.lit - {"confirm"}
        if self.book.phase == "choosing":  # rows are counted out; from the sixth on the lamp comes and goes
            row = self.played.categories.index(view.choice) if view.choice else None
            held = set() if row is None else {f"hold-{row % 5 + 1}"}
            lit = lit if row is not None and row < 5 else lit | held
        must(lit == held, "lamp", lit, "instead of", held)

    def teardown(self) -> None:
        if hasattr(self, "table"):
            self.table.close()
            self.store.close()
            self.folder.cleanup()


def evenings(steps: int, *, each: int = 100, shrink: bool = True, fixed: bool = False) -> settings:
    """So many steps, each evening of a hundred.

    shrink: whether a failure is told in as few steps as can be; fixed: the same steps each time.
    """
    return settings(
        max_examples=max(steps // each, 1),
        stateful_step_count=each,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.generate, *((Phase.shrink,) if shrink else ())),
        report_multiple_bugs=False,
        derandomize=fixed,
        print_blob=False,
    )


class TestPhysicalTable(PhysicalTable.TestCase):  # type: ignore[misc, valid-type]
    settings = evenings(200, shrink=False, fixed=True)


@pytest.mark.slow
class TestPhysicalTableForLong(PhysicalTable.TestCase):  # type: ignore[misc, valid-type]
    settings = evenings(2000, shrink=False, fixed=True)
