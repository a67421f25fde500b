"""The table beside a model of real dice, hands, lamps and people, driven at random.

`tests/table/physical.py` keeps a tray and a score book that know nothing of the station's game. Here people
throw, touch, tap, press and stumble over cables; after every step the station must agree with the book:

- written: a box holds dice that were confirmed for that player, and nothing newer lay there unless forced;
- potentials: every one shown is what `score_box` would write now;
- offered: what can be confirmed was thrown in this turn; on offer: what was thrown whole is offered;
- lamp: it burns when a yes is waited for, and only then;
- undo: it brings back exactly the state before;
- sheet: every sheet is what its fillings give, scored one after the other;
- book: turn, roll, held dice and end are the book's; stale: an old screen changes nothing it did not show.

`make soak` runs it for long (bench/soak.py).
"""

import tempfile
from collections import Counter
from dataclasses import replace
from functools import wraps
from pathlib import Path
from random import Random
from typing import Any, ClassVar

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from messages.errors import RefusalError, YachtError
from station.advice.advisor import Advisor
from station.advice.computer_mind import decided
from station.config import PressTimes
from station.contract.commands import ScoreBox
from station.contract.view import TableView
from station.devices.panel import Panel
from station.devices.simulated import SimulatedButtons, SimulatedLamps
from station.game.computer import Move
from station.game.decide import decide
from station.game.events import StarterThrown
from station.game.evolve import evolve
from station.game.state import State
from station.rules import RuleSet, built_in, sheet_totals
from station.store.store import Store
from station.table import Table
from tests.asking import parse
from tests.table.helpers import Clock
from tests.table.physical import Book, Counted, Tray
from vision.reading import Status

RULES = (
    "yacht-1938",
    "world-51",
    "yahtzee",
    "yahtzee",
    "game-rules-guru",
    "treasurehouse",
    "general",
    "general",
    "double-cameroon",
)
ADVISOR = Advisor(None)
NAMES = ("Ana", "Ben", "Cleo", "Dana", "Emil", "Fritzi", "Gül", "Hugo")
RESTING = (Status.READY, Status.UNSURE)


def must(holds: object, law: str, *details: object) -> None:
    """Fail with the name of the law that is broken."""
    if not holds:
        PhysicalTable.broken_at = PhysicalTable.broken_at or PhysicalTable.counted.steps
        raise AssertionError(f"[{law}] {' '.join(map(str, details))}")


def happens(**given: st.SearchStrategy[Any]) -> Any:
    """A rule whose runs are counted."""

    def made(function: Any) -> Any:
        @wraps(function)
        def noted(self: "PhysicalTable", **drawn: Any) -> None:
            self.counted.note(function.__name__)
            self.trace.append((function.__name__, drawn))
            function(self, **drawn)

        return rule(**given)(noted)

    return made


class PhysicalTable(RuleBasedStateMachine):
    """One evening. counted: of all evenings; broken_at: the step at which a law was first broken, or 0."""

    counted: ClassVar[Counted] = Counted()
    broken_at: ClassVar[int] = 0

    @initialize(seed=st.integers(0, 2**32), names=st.integers(1, 3), rules=st.sampled_from(RULES))
    def evening(self, seed: int, names: int, rules: str) -> None:
        self.random = Random(seed)
        self.trace: list[tuple[str, dict[str, Any]]] = [
            ("evening", {"seed": seed, "names": names, "rules": rules})
        ]
        names = max(names, built_in(rules).players[0])
        self.folder = tempfile.TemporaryDirectory()
        self.clock = Clock()
        self.store = Store(Path(self.folder.name))
        self.tray = Tray(self.random)
        self.book = Book()
        self.before: list[tuple[str, Book, State]] = []
        self.turns = 0
        self.camera_ok = True
        self.watched = False  # whether a picture was taken since the process began or the camera came back
        self.lay_seen = False  # whether dice at rest, or a hand, were seen in this turn
        self.old: tuple[int, int, tuple[int, ...]] | None = None
        self.happened = 0  # what people did that changes what screens show of the game
        self.regret: dict[str, Any] | None = None
        self.unconfirmed_whole = False
        self.busy = 0  # the turn in which what moves or hides the tray now was seen to begin; -1: unknown
        self.began = 0  # the turn in which it began, seen or not
        self.unwatched = 0  # the turn in which people were last watched
        self.vanished: set[int] = set()  # turns that were undone
        self.thought: tuple[State, Move] | None = None
        self.plug_in()
        self.look()
        self.do("start_game", players=NAMES[:names], rules=rules)
        self.begin(names, rules, None)

    # -- helpers -------------------------------------------------------------------------------------

    def plug_in(self) -> None:
        """The process starts."""
        self.buttons, self.lamps = SimulatedButtons(), SimulatedLamps()
        self.on_screen: tuple[int, ...] = ()  # the roll last offered, also while a hand hides it
        self.table = Table(self.store, clock=self.clock, asks_before_zero=False, mind=self.mind)
        self.panel = Panel(self.buttons, self.lamps, self.table, press=PressTimes(), clock=self.clock)
        self.lamps.start()
        self.buttons.start(lambda *_: None, lambda *_: None)
        if not self.camera_ok:
            self.table.camera(name="camera", ok=False, message="gone")

    def mind(self, state: State) -> Move:
        """What the computer player does; worked out once for each position."""
        if self.thought is None or self.thought[0] is not state:
            self.thought = (state, decided(ADVISOR, state))
        return self.thought[1]

    @property
    def view(self) -> TableView:
        return self.table.snapshot()

    @property
    def state(self) -> State:
        return self.table._state

    def turn(self) -> int:
        self.turns += 1
        return self.turns

    def look(self) -> None:
        """The camera takes a picture, or two."""
        self.regret = None
        if not self.camera_ok:
            return
        for _ in range(self.random.randint(1, 2)):
            self.table.offer(self.tray.reading())
        if not self.watched:
            self.back_in_sight()
        self.read_screen()
        if self.tray.status in RESTING:
            self.tray.seen(self.book.turn)
        self.watched = True
        if self.tray.status is not Status.MOVING:
            self.lay_seen = True

    def read_screen(self) -> None:
        """Remember the roll on offer; a hand that passes over it changes nothing."""
        if self.view.reading.status != "covered":
            offered = "accept_roll" in self.view.commands
            self.on_screen = tuple(sorted(die.face for die in self.view.reading.dice)) if offered else ()

    def back_in_sight(self) -> None:
        """What was thrown while nobody watched may be nobody's, unless it is still the same turn.

        A turn that came and was undone meanwhile leaves no trace: what moved in it moved in this one.
        """
        if self.unwatched != self.book.turn:
            self.busy = -1
            self.tray.pieces = tuple(
                replace(one, unseen=one.unseen or one.turn == self.book.turn or one.first_seen is None)
                for one in self.tray.pieces
            )
            return
        if self.busy in self.vanished:
            self.busy = self.began = self.book.turn
        self.tray.pieces = tuple(
            replace(one, turn=self.book.turn) if one.first_seen is None and one.turn in self.vanished else one
            for one in self.tray.pieces
        )

    def do(self, command: str, *, law: str = "book", expected: bool | None = None, **fields: Any) -> bool:
        """A touch of a screen. expected: whether the station has to do it."""
        return self._tried(
            lambda: self.table.execute(parse({"command": command, **fields})), command, law, expected
        )

    def push(
        self, button: str, *, long: bool = False, law: str = "book", expected: bool | None = None
    ) -> bool:
        """A push of a button, with all its edges."""

        def pushed() -> None:
            refused = self.panel._trouble_until_s
            self.panel.step((button, 1, self.clock()))
            self.clock.pass_s(0.9 if long else 0.2)
            self.panel.step(("", 0, 0.0))
            self.panel.step((button, 0, self.clock()))
            self.clock.pass_s(0.2)
            self.panel.step(("", 0, 0.0))
            if self.panel._trouble_until_s != refused:
                raise RefusalError("roll/none_to_correct", code="roll/none")

        self.regret = None
        return self._tried(pushed, f"push {button}", law, expected)

    def _tried(self, act: Any, what: str, law: str, expected: Any) -> bool:
        state, view = self.state, self.view
        if self.random.random() < 0.1:
            self.glance()
        try:
            act()
        except RefusalError as refusal:
            must(not expected, law, what, "was refused:", refusal)
            must(self.state == state, law, what, "was refused and changed the game")
            return False
        except YachtError as error:
            must(False, law, what, "failed:", error)  # noqa: FBT003 - the law is broken, whatever it says
        must(expected is not False, law, what, "should have been refused")
        if self.state is not state:
            self.happened += self.view.version != view.version  # a correction may change nothing to be seen
            self.was = (state, view)
        return self.state is not state

    def follow(self, kind: str, book: Book) -> None:
        """The book follows an event; it can be taken back."""
        state, view = self.was
        if kind == "start":
            starts = [i for i, (was, *_) in enumerate(self.before) if was == "start"]
            if starts and starts[-1]:  # undo reaches one game back, and from there to an empty table
                self.before = [("start", Book(), State()), *self.before[starts[-1] + 1 :]]
        self.before.append((kind, self.book, state))
        if book.turn != self.book.turn or kind == "start":
            self.lay_seen = False
        self.book = book
        self.regret = None if self.tray.misread else shown_of(view)

    def begin(self, names: int, rules: str, starter: object) -> None:
        """A game has begun."""
        self.follow("start", self.book.started(built_in(rules), NAMES[:names], self.turn(), starter))
        self.lay_out()

    def lay_out(self) -> None:
        """As many dice are put into the tray as are thrown now."""
        if self.book.running and len(self.tray.pieces) != self.book.count:
            self.tray.lay_out(self.book.count, self.book.turn)
            self.look()

    @property
    def played(self) -> RuleSet:
        assert self.book.rules is not None
        return self.book.rules

    def newer(self) -> bool | None:
        """Whether the station has to know that another throw is on its way or lies there; None: it may."""
        if self.book.phase != "holding" or not self.book.may_throw:
            return False
        if not self.camera_ok or not self.watched:
            return None
        if self.tray.rolling or self.tray.hand:
            unknown = self.busy == -1 and self.began in {self.book.turn, *self.vanished}
            return None if unknown else self.busy == self.book.turn
        if not self.book.thrown(self.tray):
            return None if self.book.typed or self.tray.misread else False
        # Where each die lay when a roll was typed may be unknown, and held dice may be pushed aside.
        vague = self.tray.away or (self.book.typed and not self.unconfirmed_whole)
        return True if not vague and self.book.surely_thrown(self.tray) else None

    def free(self) -> list[int]:
        """Indexes of the dice that are not held: of equal faces any."""
        held = Counter(face for slot, face in self.book.dice if slot in self.book.held)
        free = []
        for i, piece in enumerate(self.tray.pieces):
            if held[piece.face]:
                held[piece.face] -= 1
            else:
                free.append(i)
        return free

    # -- hands and dice ------------------------------------------------------------------------------

    @happens(data=st.data(), hand=st.booleans(), whole=st.sampled_from((True, True, True, False)))
    def throw(self, data: st.DataObject, hand, whole) -> None:
        """The free dice, or by mistake some of them, leave a hand."""
        if not self.tray.pieces:
            return
        if hand or self.tray.rolling:  # rolling dice are caught first
            self.hand_over_the_tray()
        which = list(range(len(self.tray.pieces))) if self.tray.away else self.free()
        whole = whole or self.tray.away or self.tray.read != self.tray.pieces
        if not whole:
            which = data.draw(
                st.lists(st.sampled_from(range(len(self.tray.pieces))), min_size=1, unique=True)
            )
        self.tray.throw(which, self.book.turn)
        self.busy = self.began = self.book.turn
        self.unconfirmed_whole = whole and self.lay_seen and self.camera_ok and bool(which)
        self.look()

    @precondition(lambda self: self.tray.rolling or self.tray.hand)
    @happens(sure=st.sampled_from((True, True, True, False)))
    def dice_rest(self, sure) -> None:
        self.tray.rolling = self.tray.hand = False
        if not sure and self.tray.pieces and not self.tray.away:
            i = self.random.randrange(len(self.tray.pieces))
            self.tray.misread = (i, self.tray.pieces[i].face % 6 + 1)
        self.look()

    @happens()
    def hand_over_the_tray(self) -> None:
        if not self.tray.hand and not self.tray.rolling:
            self.busy = self.began = self.book.turn
        self.tray.hand, self.tray.rolling = True, False
        self.look()

    @precondition(
        lambda self: self.tray.pieces and not (self.tray.rolling or self.tray.away or self.tray.hand)
    )
    @happens(i=st.integers(0, 9))
    def nudge(self, i: int) -> None:
        self.tray.nudge(i % len(self.tray.pieces), self.book.turn)
        self.look()

    @precondition(lambda self: self.tray.pieces and not self.tray.rolling and not self.tray.away)
    @happens()
    def take_dice_away(self) -> None:
        self.tray.away, self.tray.hand = True, False
        self.look()

    @happens(really=st.integers(0, 3))
    def camera_gone_or_back(self, really: int) -> None:
        if really and self.camera_ok:
            return
        if self.camera_ok:
            self.table.camera(name="camera", ok=False, message="gone")
        else:
            self.table.camera(name="camera", ok=True)
        if self.watched:
            self.unwatched = self.busy if self.tray.rolling or self.tray.hand else self.book.turn
        self.camera_ok, self.watched, self.lay_seen = not self.camera_ok, False, False
        self.unconfirmed_whole = False
        self.look()

    @happens(seen=st.booleans(), really=st.integers(0, 2))
    def pull_the_plug(self, seen, really: int) -> None:
        """The process is killed and starts anew."""
        forgotten = any(one.turn in self.vanished for one in self.tray.pieces)
        if really or forgotten or (self.tray.rolling and self.busy != self.book.turn):
            return  # only the running process knows what was thrown in a turn that was undone
        before = self.state
        self.table.close()
        self.store.close()
        self.store = Store(Path(self.folder.name))
        self.plug_in()
        must(plain(self.state) == plain(before), "undo", "a restart lost something")
        if self.watched or self.book.running:
            self.unwatched = self.busy = -1 if self.state.rolling else self.book.turn
        self.watched = self.unconfirmed_whole = self.lay_seen = False
        self.regret = None
        if seen:
            self.look()

    @precondition(lambda self: self.book.may_throw and self.camera_ok and self.watched)
    @happens(again=st.integers(0, 2), held=st.lists(st.integers(1, 5), unique=True, max_size=3))
    def proper_throw(self, again: int, held: list[int]) -> None:
        """As it should be: the dice are taken, thrown, come to rest and are confirmed, and some are held."""
        for _ in range(again + 1):
            self.hand_over_the_tray()
            which = list(range(len(self.tray.pieces))) if self.tray.away else self.free()
            self.tray.throw(which, self.book.turn)
            self.busy = self.began = self.book.turn
            self.look()
            self.tray.rolling = False
            self.look()
            if "accept_roll" not in self.view.commands:
                return  # held dice were thrown by mistake
            self.confirm(button=bool(again))
            if self.book.phase != "holding":
                return
            self.hold(slots=held, button=False)

    @precondition(lambda self: self.book.phase in {"holding", "choosing"} and self.view.turn != "unconfirmed")
    @happens(i=st.integers(0, 20))
    def proper_box(self, i: int) -> None:
        """A box that the sheet offers is written."""
        potentials = self.view.players[self.book.active].potentials
        if potentials:
            category = sorted(potentials)[i % len(potentials)]
            if self.do("score_box", category=category, law="written", expected=True):
                self.boxed(category, potentials[category])

    # -- people at the screens and buttons -----------------------------------------------------------

    @precondition(lambda self: self.book.running)
    @happens(button=st.booleans())
    def confirm(self, button) -> None:
        if self.book.phase == "choosing" and button:
            return
        view = self.view
        offered = "accept_roll" in view.commands
        if button and not offered and "computer_move" in view.commands:
            return
        faces = tuple(sorted(die.face for die in view.reading.dice))
        law = "offered"
        done = (
            self.push("confirm", law=law, expected=offered)
            if button
            else self.do("accept_roll", law=law, expected=offered)
        )
        if done:
            must(
                self.book.may_be_thrown(self.tray), "written", "a roll was confirmed that nobody threw", faces
            )
            must(
                self.book.lied or faces == self.tray.faces,
                "written",
                "confirmed",
                faces,
                "but",
                self.tray.faces,
                "lay there",
            )
            self.confirmed(faces)

    def confirmed(self, faces: tuple[int, ...], *, typed: bool = False) -> None:
        """The station took a roll of these faces."""
        self.unconfirmed_whole = False
        if self.book.phase == "starting":
            self.follow("for start", self.book.threw_for_start(faces[0], self.turn()))
            self.lay_out()
            return
        dice = tuple((die.slot, die.face) for die in self.view.dice)
        if not self.view.finished:
            must(tuple(sorted(face for _, face in dice)) == faces, "written", dice, "are not", faces)
            held = dict(self.book.dice)
            kept = all(dict(dice)[slot] == held[slot] for slot in self.book.held)
            must(kept, "written", "held dice changed", dice, self.book)
        else:
            dice = tuple((die.slot, die.face) for die in self.state.dice)
        self.follow("roll", self.book.confirmed(dice, self.turn(), typed=typed))

    @precondition(lambda self: self.book.may_throw)
    @happens()
    def confirm_by_force(self) -> None:
        if self.do("accept_roll", force=True):
            thrown = self.state.past[-1]
            faces = (thrown.face,) if isinstance(thrown, StarterThrown) else (die.face for die in thrown.dice)  # type: ignore[attr-defined]
            self.confirmed(tuple(sorted(faces)))

    @precondition(lambda self: self.book.may_throw)
    @happens(seed=st.integers(0, 999))
    def type_the_roll(self, seed: int) -> None:
        held = {slot: face for slot, face in self.book.dice if slot in self.book.held}
        rest = Counter(piece.face for piece in self.tray.pieces) - Counter(held.values())
        free = list(rest.elements())
        Random(seed).shuffle(free)
        if self.tray.rolling and not self.book.thrown(self.tray):
            return
        if len(free) != self.book.count - len(held):
            return  # held dice were thrown by mistake; people have to clear that up first
        faces = [held.get(slot) or free.pop() for slot in range(1, self.book.count + 1)]
        if self.do("enter_roll", faces=faces, expected=True):
            self.confirmed(tuple(sorted(faces)), typed=True)
            self.unconfirmed_whole = False

    @precondition(lambda self: self.book.phase == "holding")
    @happens(slots=st.lists(st.integers(1, 5), unique=True, max_size=5), button=st.booleans())
    def hold(self, slots: list[int], button) -> None:
        if button and slots:
            done = self.push(f"hold-{slots[0]}", expected=True)
            slots = sorted({*self.book.held} ^ {slots[0]})
        else:
            done = self.do("set_held", slots=slots, expected=True)
        if done:
            self.follow("hold", replace(self.book, held=tuple(sorted(slots))))

    @precondition(lambda self: self.book.phase in {"holding", "choosing"})
    @happens(how=st.sampled_from(("touch", "press", "mark")), data=st.data())
    def choose(self, how: str, data: st.DataObject) -> None:
        newer = self.newer()
        expected = None if newer is None else not newer
        if how == "press" and self.book.phase == "choosing":
            return
        if how == "mark":
            done = self.do(
                "choose",
                category=data.draw(st.sampled_from(self.played.categories)),
                law="written",
                expected=False if newer else None,
            )
        elif how == "press":
            done = self.push("confirm", long=True, law="written", expected=expected)
        else:
            done = self.do("choose", law="written", expected=expected)
        if done and self.book.phase == "holding":
            self.follow("choose", replace(self.book, phase="choosing"))

    @precondition(lambda self: self.book.phase == "choosing" and self.before[-1][0] == "choose")
    @happens()
    def choose_no_more(self) -> None:
        if self.push("confirm", long=True, expected=True):
            self.taken_back()

    @precondition(lambda self: self.book.phase in {"holding", "choosing"})
    @happens(data=st.data(), force=st.sampled_from((False, False, True)))
    def box(self, data: st.DataObject, force) -> None:
        category = data.draw(st.sampled_from(self.played.categories))
        shown = self.view.players[self.book.active].potentials.get(category)
        newer = self.newer()
        expected = False if newer and not force else (True if shown is not None else None)
        if self.do("score_box", category=category, force=force, law="written", expected=expected):
            self.boxed(category, shown)

    @precondition(lambda self: self.book.running)
    @happens(button=st.booleans())
    def computer_move(self, button) -> None:
        """The computer player's decision is carried out, by touch or by the confirm button."""
        move, may = self.view.computer, "computer_move" in self.view.commands
        if button and (not may or "accept_roll" in self.view.commands):
            return
        if move is not None:
            must(self.book.phase in {"holding", "choosing"}, "computer", "decides on nothing")
            must(self.view.players[self.book.active].computer, "computer", "decides for a person")
            must(self.newer() is not True, "computer", "decides though a newer throw lies there")
        done = self.push("confirm", expected=True) if button else self.do("computer_move", expected=may)
        if done and move is not None and move.box is not None:
            self.boxed(move.box, self.was[1].players[self.book.active].potentials.get(move.box))
        elif done and move is not None:
            self.follow("hold", replace(self.book, held=move.keeps))

    @precondition(lambda self: self.book.phase == "choosing" and self.view.computer is None)
    @happens(step=st.sampled_from(("hold-1", "hold-5", None)))
    def box_by_button(self, step: str | None) -> None:
        if step is not None:
            self.push(step, expected=True)
        mark = self.view.choice
        assert mark is not None
        shown = self.view.players[self.book.active].potentials.get(mark)
        if self.push("confirm", law="written", expected=True):
            self.boxed(mark, shown)

    def boxed(self, category: str, shown: int | None) -> None:
        """The station wrote a box."""
        seat = self.book.active
        filling = self.state.players[seat].fillings[-1]
        event = self.state.past[-1]
        slots = getattr(event, "slots", ()) or tuple(slot for slot, _ in self.book.dice)
        self.follow("box", self.book.written(category, slots, self.turn()))
        must(
            self.book.filled[seat][-1] == (filling.category, filling.faces, filling.throw),
            "written",
            filling,
            "of",
            self.book,
        )
        points = self.view.players[seat].boxes[category]
        must(shown in (None, points), "potentials", category, "showed", shown, "and got", points)

    @precondition(lambda self: self.book.running)
    @happens()
    def keep_roll(self) -> None:
        expected = self.newer()
        if self.do("keep_roll", law="offered", expected=expected):
            self.follow("keep", replace(self.book, turn=self.turn()))
            self.unconfirmed_whole = False

    @precondition(lambda self: self.book.running)
    @happens(data=st.data())
    def correct_die(self, data: st.DataObject) -> None:
        """The misread die of the roll on offer is set right, or one of the confirmed roll is changed."""
        reading = self.view.reading
        if reading.fresh and reading.dice and self.book.may_throw:
            if self.tray.misread and self.tray.status in RESTING and self.book.thrown(self.tray):
                i, wrong = self.tray.misread
                for die in reading.dice:
                    if die.face == wrong and not die.held and not die.corrected:
                        self.do("correct_die", slot=die.slot, face=self.tray.pieces[i].face, expected=True)
                        self.regret = None
                        break
            return
        if self.book.dice and not self.book.typed:
            slot, _ = data.draw(st.sampled_from(self.book.dice))
            face = data.draw(st.integers(1, 6))
            if self.do("correct_die", slot=slot, face=face, expected=True):
                dice = tuple((s, face if s == slot else f) for s, f in self.book.dice)
                self.follow("die", replace(self.book, dice=dice, lied=True).general())

    @precondition(lambda self: any(self.book.filled))
    @happens(data=st.data(), face=st.integers(1, 6), force=st.booleans())
    def correct_box(self, data: st.DataObject, face: int, force) -> None:
        seat = data.draw(st.sampled_from([i for i, filled in enumerate(self.book.filled) if filled]))
        mine = self.book.filled[seat]
        place = data.draw(st.integers(0, len(mine) - 1))
        category, faces, throw = mine[place]
        faces = data.draw(st.sampled_from(((face,) * 5, tuple(sorted((*faces[1:], face))))))
        to = data.draw(st.none() | st.sampled_from(self.played.categories))
        after = (*mine[:place], (to or category, faces, throw), *mine[place + 1 :])
        book = replace(self.book, filled=(*self.book.filled[:seat], after, *self.book.filled[seat + 1 :]))
        changes = False
        possible = to in (None, category) or to not in [filled[0] for filled in mine]
        if possible:
            try:
                old, new = self.book.sheet(seat), book.sheet(seat)
            except RefusalError:
                possible = False
            else:
                pairs = [i for i in range(len(mine)) if i != place and old.entries[i] != new.entries[i]]
                changes = bool(pairs)
        expected = possible and (force or not changes)
        fields = {"player": seat, "category": category, "faces": faces, "to": to, "force": force}
        if self.do("correct_box", law="sheet", expected=expected, **fields):
            self.follow("correct", book)

    @precondition(lambda self: bool(self.before))
    @happens(button=st.booleans(), times=st.sampled_from((1, 1, 1, 2, 4)))
    def undo(self, button, times: int) -> None:
        del button
        for _ in range(times):
            if self.before:
                regret, kind = self.regret, self.before[-1][0]
                self.do("undo", law="undo", expected=True)
                self.taken_back()
                if regret is not None:
                    now = shown_of(self.view)
                    differ = [(name, regret[name], now[name]) for name in regret if regret[name] != now[name]]
                    must(not differ, "undo", kind, "was undone at once, but", differ)
                self.regret = None

    def taken_back(self) -> None:
        """The last event was undone: everything is as it was."""
        _, book, state = self.before.pop()
        turn = self.book.turn
        self.book = book
        if turn != book.turn:
            self.unconfirmed_whole = False
            self.vanished.add(turn)
        must(plain(self.state) == plain(state), "undo", "came to", plain(self.state), "not", plain(state))

    @precondition(lambda self: self.book.running)
    @happens(really=st.integers(0, 5))
    def end_game(self, really: int) -> None:
        if really == 0 and self.do("end_game", expected=True):
            self.follow("end", self.book.ended(self.turn()))

    @precondition(lambda self: not self.book.running and (self.watched or not self.camera_ok))
    @happens(
        again=st.booleans(),
        rules=st.sampled_from(RULES),
        names=st.integers(1, 3),
        starter=st.sampled_from((None, "throw", "throw", 1)),
        computer=st.booleans(),
    )
    def start_game(self, again, rules: str, names: int, starter: object, computer) -> None:
        names = max(names, built_in(rules).players[0])
        if again and self.book.phase == "finished":
            there = [name for name, gone in zip(self.book.names, self.book.gone, strict=True) if not gone]
            if self.do("rematch", starter="throw", expected=True):
                self.follow("start", Book().started(self.played, there, self.turn(), "throw"))
                self.lay_out()
        elif starter == 1 and names == 1:
            self.do("start_game", players=NAMES[:names], rules=rules, starter=starter, expected=False)
        else:
            players: list[object] = [*NAMES[:names]]
            if computer and rules != "double-cameroon":  # ten dice take it a while
                players[0] = {"name": NAMES[0], "computer": 30}
            if self.do("start_game", players=players, rules=rules, starter=starter, expected=True):
                self.begin(names, rules, starter)

    @precondition(lambda self: self.book.phase != "finished" and self.book.names)
    @happens(
        data=st.data(), what=st.sampled_from(("rename", "remove", "move", "add")), really=st.integers(0, 3)
    )
    def people(self, data: st.DataObject, what: str, really: int) -> None:
        seat = data.draw(st.integers(0, len(self.book.names) - 1))
        book = self.book
        here = not book.gone[seat]
        if what == "rename":
            name = next(name for name in (f"{book.names[seat]}2", "Ida", "Jo") if name not in book.names)
            if self.do("rename_player", player=seat, name=name, expected=here):
                names = (*book.names[:seat], name, *book.names[seat + 1 :])
                self.follow("rename", replace(book, names=names))
        elif what == "move":
            to = data.draw(st.integers(0, len(book.names) - 1))
            if self.do("move_player", player=seat, to=to, expected=here):
                self.follow("move", book.reseated(seat, to))
        elif what == "remove" and really == 0:
            last = book.rules is not None and sum(not gone for gone in book.gone) == 1
            if self.do("remove_player", player=seat, expected=here and not last):
                self.follow("remove", book.left_by(seat, self.turn()))
        elif what == "add" and really == 0 and len(book.names) < 4:
            name = next(name for name in NAMES if name not in book.names)
            if self.do("add_player", name=name):
                self.follow("add", book.joined(name))

    def glance(self) -> None:
        """Somebody looks at another screen, and will tap later."""
        view = self.view
        self.read_screen()
        self.old = (view.version, self.happened, self.on_screen)

    @precondition(lambda self: self.old is not None and self.book.may_throw)
    @happens()
    def stale_confirmation(self) -> None:
        assert self.old is not None
        version, happened, shown = self.old
        faces = tuple(sorted(die.face for die in self.view.reading.dice))
        if self.do("accept_roll", version=version, law="stale"):
            must(happened == self.happened - 1, "stale", "an old screen confirmed in another state")
            must(faces == shown, "stale", "an old screen showed", shown, "and confirmed", faces)
            must(
                self.book.may_be_thrown(self.tray), "written", "a roll was confirmed that nobody threw", faces
            )
            self.confirmed(faces)

    @precondition(lambda self: self.old is not None and self.book.phase in {"holding", "choosing"})
    @happens(data=st.data())
    def stale_box(self, data: st.DataObject) -> None:
        assert self.old is not None
        version, happened, _ = self.old
        category = data.draw(st.sampled_from(self.played.categories))
        newer = self.newer()
        if self.do("score_box", category=category, version=version, law="stale"):
            must(happened == self.happened - 1, "stale", "an old screen wrote a box in another state")
            must(not newer, "written", "a newer throw lay there")
            self.boxed(category, None)

    # -- what always holds ---------------------------------------------------------------------------

    @invariant()
    def the_book_agrees(self) -> None:
        book, view = self.book, self.view
        phase = view.phase if self.state.phase == book.phase else self.state.phase
        must(self.state.phase == book.phase, "book", "phase", phase, "instead of", book.phase)
        must([p.name for p in view.players] == [*book.names], "book", "names")
        must([p.gone for p in view.players] == [*book.gone], "book", "gone")
        must([p.for_start for p in view.players] == [*book.for_start], "book", "thrown for the start")
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
                events = decide(state, ScoreBox(category=category), self.table._sight)
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


def plain(state: State) -> State:
    """The state without how it came about, and without places, which the log rounds."""
    dice = tuple(replace(die, seen=None) for die in state.dice)
    return replace(state, past=(), lying=(), since=None, dice=dice)


def shown_of(view: TableView) -> dict[str, Any]:
    """All that a screen shows of the game, that can be compared."""
    kept = (
        "phase",
        "turn",
        "waiting_for",
        "active_player",
        "throws_done",
        "dice",
        "reading",
        "players",
        "winners",
    )
    return {name: getattr(view, name) for name in (*kept, "ended_by", "undo", "commands")}


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


class TestPhysicalTable(PhysicalTable.TestCase):
    settings = evenings(200, shrink=False, fixed=True)


@pytest.mark.slow
class TestPhysicalTableForLong(PhysicalTable.TestCase):
    settings = evenings(2000, shrink=False, fixed=True)
