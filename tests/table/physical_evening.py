"""An evening at the physical table, and the book that is kept of it beside the station.

The rules that move it stand in `physical_screens` and `physical_hands`, the laws in `test_physical_table`.
"""

import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from pathlib import Path
from random import Random
from typing import Any, ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from messages.errors import RefusalError, YachtError
from station.advice.advisor import Advisor
from station.config import PressTimes
from station.contract.view import TableView
from station.devices.panel import Panel
from station.devices.simulated import SimulatedButtons, SimulatedLamps
from station.features.computer_players.deciding import ComputersAtTable, Move
from station.features.computer_players.mind import decided
from station.game.log.state import State
from station.rules import RuleSet, built_in
from station.store.store import Store
from station.table.play import Habits
from station.table.table import Table
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


Rule = Callable[..., None]
"""What happens at the table: a method, with what is drawn for it."""


def must(holds: object, law: str, *details: object) -> None:
    """Fail with the name of the law that is broken."""
    if not holds:
        Evening.broken_at = Evening.broken_at or Evening.counted.steps
        raise AssertionError(f"[{law}] {' '.join(map(str, details))}")


def happens(**given: Any) -> Callable[[Rule], Rule]:
    """A rule whose runs are counted. given: the strategies that its arguments are drawn from."""

    as_rule: Any = rule(**given)

    def made(function: Rule) -> Rule:
        @wraps(function)
        def noted(self: "Evening", **drawn: Any) -> None:
            self.counted.note(function.__name__)
            self.trace.append((function.__name__, drawn))
            function(self, **drawn)

        counted: Rule = as_rule(noted)
        return counted

    return made


class Evening(RuleBasedStateMachine):
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
        self.lies = False  # whether it is known what lies in the tray, under a hand or not
        self.blind = False  # whether nothing was seen since nobody watched that tells what lies there
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
        habits, computers = Habits(asks_before_zero=False), ComputersAtTable(self.mind)
        self.table = Table(self.store, clock=self.clock, habits=habits, at_table=[computers])
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
        return self.table.play.state

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
        if self.blind:  # whether these were thrown, or lay under the hand, nobody has seen
            self.tray.pieces = tuple(
                replace(one, unseen=one.unseen or one.first_seen is None) for one in self.tray.pieces
            )
        if not self.watched:
            self.back_in_sight()
            self.blind = True
        self.read_screen()
        if self.tray.status in RESTING:
            self.tray.seen(self.book.turn)
        self.watched = True
        if self.tray.status is Status.MOVING:
            return
        if self.tray.status is not Status.COVERED:
            self.lies, self.blind = self.tray.status in RESTING, False
        self.blind = self.blind and not self.lies
        self.lay_seen = self.lay_seen or not self.blind

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
            self.clock.pass_s(0.3)
            self.panel.step(("", 0, 0.0))
            if self.panel._trouble_until_s != refused:
                raise RefusalError("roll/none_to_correct", code="roll/none")

        self.regret = None
        return self._tried(pushed, f"push {button}", law, expected)

    def glance(self) -> None:
        """Somebody looks at another screen, and will tap later."""
        view = self.view
        self.read_screen()
        self.old = (view.version, self.happened, self.on_screen)

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
            self.unconfirmed_whole = False
            self.look()

    @property
    def played(self) -> RuleSet:
        assert self.book.rules is not None
        return self.book.rules

    def newer(self) -> bool | None:
        """Whether the station has to know that another throw is on its way or lies there; None: it may."""
        if self.book.phase != "holding" or not self.book.may_throw:
            return False
        if not self.camera_ok or not self.watched or self.blind:
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
