"""The table: takes commands one at a time, writes events down, then tells everyone who listens.

One lock guards the game (`step_lock`), and `play` is the game behind it. Who only reads takes what was
published last (`moment`), and never waits for a step that is being written. `versions` says what a screen
may still ask for, `button_focus` what the buttons act on, `hand` throws where the tray is simulated.
"""

import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from station.contract.command import Button, Command
from station.contract.view import DeviceView, TableView, Text
from station.game.at_table import AtTable, K
from station.game.dice import sights
from station.game.log.slots import Seen
from station.game.log.state import State
from station.game.players.starting import Draw
from station.game.way import WAY
from station.screens.publisher import Subscription
from station.store.event_log import EventLog, MemoryLog
from station.table.buttons import Press
from station.table.hand import TableHand, Thrower
from station.table.play import Habits, Listeners, Play
from station.table.step_lock import StepLock
from station.table.stored_games import StoredGames
from vision.reading import Reading


def everybody(_view: TableView, _state: State) -> None:
    """Whoever stands at the table, or is a part of the station, may do all that the game allows."""


def at_once(step: Callable[[], None]) -> None:
    """Do a step in the thread that found it due."""
    step()


class Table:
    """The one table of a station.

    log: where events go. thrower: the simulated hand, where there is one. house_rules: the texts of house
    rules by id, called whenever somebody may choose one. draw: a number from 0 to below the one given, by
    chance. at_table: what features know here, where that is not as usual. apart: does what a camera finds due
    and must not wait for, as what features ask for by what it sees. clock: monotonic seconds.
    """

    def __init__(
        self,
        log: EventLog | None = None,
        *,
        thrower: Thrower | None = None,
        house_rules: Callable[[], Mapping[str, str]] = dict,
        habits: Habits = Habits(),  # noqa: B008 - a value
        listeners: Listeners | None = None,
        draw: Draw = secrets.randbelow,
        at_table: Sequence[AtTable] = (),
        apart: Callable[[Callable[[], None]], None] = at_once,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.listeners = Listeners() if listeners is None else listeners
        self.from_outside: Callable[[Command, TableView], None] = lambda _command, _view: None
        """Raises where another program or another home may not ask for that, as things stand."""
        self._lock = StepLock()
        self.play = Play(
            self._lock,
            MemoryLog() if log is None else log,
            TableHand(thrower, clock),
            house_rules=house_rules,
            habits=habits,
            listeners=self.listeners,
            draw=draw,
            at_table=at_table,
            apart=apart,
            clock=clock,
        )
        self.stored = StoredGames(self.play)

    # -- what screens use ----------------------------------------------------------------------------

    def snapshot(self) -> TableView:
        """The view of the whole state now, the same for every screen."""
        return self.play.now.view

    def moment(self) -> tuple[TableView, State]:
        """The same with the game behind it, for those who work something out."""
        now = self.play.now
        return now.view, now.state

    def lying(self, slot: int) -> Seen | None:
        """The die of that slot as the camera saw it, and as screens show it; None if it did not."""
        return self.play.now.lying(slot)

    @property
    def logs(self) -> int:
        """Number of logs so far: the first, and each restored since."""
        return self.play.logs

    def answers(self) -> None:
        """Return once no step is being done."""
        with self._lock:
            pass

    def subscribe(self) -> Subscription[TableView]:
        """Listen: the state now, then always the latest one."""
        return self.play.publisher.subscribe()

    def execute(self, command: Command, may: Callable[[TableView, State], None] = everybody) -> TableView:
        """Carry out one command; gives the new state.

        may: raises where the sender may not do so now; called when it is the command's turn, so
        that nothing happens between the permission and the step. Raises RefusalError (`version/stale` when it
        is for a state of the past), StoreError (`store/slow` when it is not its turn in time).
        """
        with self._lock.turn():
            may(self.play.shown, self.play.state)
            active = self.play.shown.active_player
            self.play.versions.check(command, in_turns=WAY.of(self.play.state).in_turns, active=active)
            rest = self.play.carry_out(command)
            if rest is None:
                return self.play.shown
        rest()
        return self.snapshot()

    def press(self, button: Button) -> None:
        """Another program presses a button of the table. Raises as `execute`."""
        command = Press(button=button)
        self.execute(command, lambda view, _: self.from_outside(command, view))

    # -- what the camera uses ------------------------------------------------------------------------

    @property
    def dice_expected(self) -> int:
        """Number of dice that the tray should show."""
        return self.play.now.dice_expected

    def offer(self, reading: Reading, *, taken_s: float | None = None) -> None:
        """Say what the camera reads now. taken_s: when the frame was taken, on the table's clock.

        A frame taken before a simulated throw began is too old to count. Never waits for a step: what comes
        while one is written counts after it.
        """
        doubted = reading.doubted
        seen = tuple(
            Seen(die.face, *die.center, die.size, die.colour.value, die.track, die.kept, die in doubted)
            for die in reading.dice
        )
        reasons = tuple(reason.value for reason in reading.reasons)
        look = partial(self.play.look, reading.status.value, reasons, seen, taken_s)
        self._lock.soon(look, like=(reading.status, reasons))

    def camera(self, *, name: Text, ok: bool, message: Text = "", reframed: bool = False) -> None:
        """Say how the camera is: its name, whether it works, and if not, what to do.

        What a lost camera saw last may not be so any more: there is nothing to confirm until it is back.
        reframed: its picture is another one from now on, turned or mirrored for instance.
        """

        def update() -> None:
            if not ok or reframed:
                self.play.sight = sights.lost(self.play.sight, self.play.state.since, reframed=reframed)
                self.play.versions.forget_roll()
            self.play.camera = DeviceView(name, ok, message)
            self.play.publish()

        self._lock.soon(update)

    def buttons(self, *, name: Text, ok: bool, message: Text = "") -> None:
        """Say how the buttons are, in the same way."""

        def update() -> None:
            self.play.buttons = DeviceView(name, ok, message)
            self.play.publish()

        self._lock.soon(update)

    def close(self) -> None:
        """Release all subscribers."""
        self.play.publisher.close()

    # -- what features and rules use -----------------------------------------------------------------

    def change(self, kind: type[K], change: Callable[[K], K]) -> None:
        """Change what the feature with that kind of value knows here."""
        with self._lock:
            self.play.know(change(self.play.known(kind)))

    def refresh(self) -> None:
        """Publish the view again: something was worked out, other rules can be chosen."""
        with self._lock:
            self.play.publish()
