"""The table: takes commands one at a time, writes events down, then tells everyone who listens.

One lock guards the game (`step_lock`). What follows from an event is worked out, down to what screens are
shown, before the event is in the store, and published after: what cannot be shown or stored fails, and
nothing has changed. Who only reads takes what was published last (`moment`), and never waits for a step that
is being written. `versions` says what a screen may still ask for, `button_focus` what the buttons act on,
`hand` throws where the tray is simulated.
"""

import logging
import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from functools import partial

from messages.errors import BadInputError, RefusalError, YachtError
from station.contract import commands
from station.contract.command import Button
from station.contract.view import DeviceView, GreatView, NewsView, StatusName, TableView, Text
from station.game import buttons
from station.game.decide import decided
from station.game.dice import keeper, sights, tray
from station.game.evolve import UNPLAYABLE, evolve, last_roll, replay
from station.game.great_throws import great
from station.game.log.slots import Seen
from station.game.log.state import Phase, State
from station.game.news import news
from station.game.players import computer
from station.game.renames import Renamed, renames
from station.game.setting_right import SightCommand, followed, learnt
from station.game.situation import GameCommand, Situation, check_seat
from station.game.snapshot import snapshot
from station.game.steps import Event
from station.game.two_homes import fair_throw, homes
from station.game.two_homes.last_throws import Question
from station.screens.publisher import Publisher, Subscription
from station.store.event_log import EventLog, MemoryLog
from station.table.button_focus import ButtonFocus
from station.table.hand import Hand, Thrower
from station.table.house_rule_sets import HouseRuleSets
from station.table.keeper_follower import KeeperFollower
from station.table.moment import Moment
from station.table.other_home import OtherHome
from station.table.step_lock import StepLock
from station.table.stored_games import StoredGames
from station.table.versions import Versions
from vision.reading import Reading

log = logging.getLogger(__name__)


def everybody(_view: TableView, _state: State) -> None:
    """Whoever stands at the table, or is a part of the station, may do all that the game allows."""


def at_once(step: Callable[[], None]) -> None:
    """Do a step in the thread that found it due."""
    step()


def or_log(do: Callable[[], object]) -> None:
    """Do what comes after a step; where it fails, the step has been done all the same."""
    try:
        do()
    except Exception:
        log.exception("after a step something failed")


class Table:
    """The one table of a station.

    log: where events go. thrower: the simulated hand, where there is one. house_rules: the texts of house
    rules by id, asked for whenever somebody may choose one. held_aside: held dice lie beside the tray.
    unmoved_held: a die that stays where it lies through a throw is held, without a mark.
    asks_before_zero: a box worth 0 is written by a button only at its second press. corrected: told of each
    die that a person set right, its place x, y and its face, when the roll is confirmed. confirmed,
    unseen: told of the state after each throw, in this tray or not. mind: of computer players;
    computer_dice_drawn: the station draws their dice, and nobody throws for them. draw: a number from 0 to
    below the one given, by chance. home: of a station that plays along in another's game, its name; guests:
    those that may play along here; fair: has the station that keeps the game draw a throw together with this
    one; tell: tells it what is asked here about a throw. apart: does what a camera finds due and
    must not wait for, as holding what lies in the dice keeper. clock: monotonic seconds.
    """

    def __init__(
        self,
        log_: EventLog | None = None,
        *,
        thrower: Thrower | None = None,
        house_rules: Callable[[], Mapping[str, str]] = dict,
        held_aside: bool = False,
        unmoved_held: bool = False,
        asks_before_zero: bool = True,
        corrected: Callable[[float, float, int], None] = lambda _x, _y, _face: None,
        confirmed: Callable[[State], None] = lambda _: None,
        unseen: Callable[[State], None] = lambda _: None,
        mind: computer.Mind | None = None,
        computer_dice_drawn: bool = False,
        draw: Callable[[int], int] = secrets.randbelow,
        home: str = "",
        guests: Sequence[str] = (),
        fair: Callable[[fair_throw.Throw], fair_throw.Secrets] = fair_throw.alone,
        tell: Callable[[Question], object] | None = None,
        apart: Callable[[Callable[[], None]], None] = at_once,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._corrected, self._confirmed, self._unseen = corrected, confirmed, unseen
        self._log: EventLog = MemoryLog() if log_ is None else log_
        self._hand, self._keeper = Hand(thrower, clock), KeeperFollower(clock)
        self._draw, self._draws, self._fair = draw, computer_dice_drawn, fair
        self.renamed: Callable[[Renamed], None] = lambda _: None
        """Told who is called otherwise, in order and before any screen."""
        self.taken_back: Callable[[TableView, TableView], None] = lambda _before, _after: None
        """Told of each step back, whoever took it, before anybody can take another: how it was and is."""
        self.from_outside: Callable[[commands.Command, TableView], None] = lambda _command, _view: None
        """Raises where another program or another home may not ask for that, as things stand."""
        self.logs = 1
        """How many logs there have been: one, and each that was put back since."""
        self._mind = mind
        self._house = HouseRuleSets(house_rules)
        self._lock, self._apart = StepLock(), apart
        self.other_home = OtherHome(
            self._lock,
            self._log,
            lambda: self._state,
            self._follow,
            lambda: self._home,
            self._show_home,
            lambda: self.from_outside(commands.Undo(), self._shown),
        )
        self._tell = tell or (lambda said: self.other_home.heard(home, said))
        self._publisher: Publisher[TableView] = Publisher()
        self._state = replay(self._log.events())
        self._home = homes.Home(home, tuple(guests)).recalling(self._state.past)
        self._sight = self._home.from_log(
            self._state, sights.first_sight(self._state, aside=held_aside, keeps_unmoved=unmoved_held)
        )
        self._focus = ButtonFocus(self._state, asks_before_zero=asks_before_zero)
        self._told: tuple[GreatView | None, NewsView | None] = None, None
        self._camera = self._buttons = DeviceView()
        self._looked_at: tuple[object, object, object] = None, None, None
        self._versions = Versions(self._log.reserve_version)
        self.stored = StoredGames(self._lock, self._log, lambda: self._state, self._versions, self._recall)
        self._tray: tuple[object, ...] = ()
        self._shown = self._view()
        self._note()
        self._publisher.publish(self._shown)

    # -- what screens use ----------------------------------------------------------------------------

    def snapshot(self) -> TableView:
        """The whole state now, as every screen is told it."""
        return self._now.view

    def moment(self) -> tuple[TableView, State]:
        """The same with the game behind it, for those who work something out."""
        now = self._now
        return now.view, now.state

    def lying(self, slot: int) -> Seen | None:
        """Where the camera saw the die of that slot, as screens are shown it; None for one it did not see."""
        return self._now.lying(slot)

    def answers(self) -> None:
        """Return once no step is being done."""
        with self._lock:
            pass

    def subscribe(self) -> Subscription[TableView]:
        """Listen: the state now, then always the latest one."""
        return self._publisher.subscribe()

    def execute(
        self, command: commands.Command, may: Callable[[TableView, State], None] = everybody
    ) -> TableView:
        """Carry out one command; gives the new state.

        may: raises where whoever asks may not do so as things stand; asked when it is the command's turn, so
        that nothing happens between the permission and the step. Raises RefusalError (`version/stale` when it
        was meant for a state that is no more), StoreError (`store/slow` when it is not its turn in time).
        """
        with self._lock.turn():
            may(self._shown, self._state)
            active = self._shown.active_player
            self._versions.check(command, simultaneous=self._state.simultaneous, active=active)
            self._carry_out(command)
            if not isinstance(command, commands.DrawRoll):
                return self._shown
            state = self._state
        self.other_home.draw(state, self._fair)
        return self.snapshot()

    def press(self, button: Button) -> None:
        """Another program presses a button of the table. Raises as `execute`."""
        asked = commands.Press(button=button)
        self.execute(asked, lambda view, _: self.from_outside(asked, view))

    def _show_home(self, home: homes.Home) -> None:
        self._home = home
        self._publish()

    def _recall(self) -> None:
        """Go on from what the log says now; whose throw the dice are that lie there is told by it, too."""
        self._state, self._told = replay(self._log.events()), (None, None)
        self._home, self.logs = self._home.recalling(self._state.past), self.logs + 1
        self._sight = self._home.from_log(self._state, sights.recalled(self._state, self._sight))
        self._versions.begin_block()
        self._all_changed()

    def _all_changed(self) -> None:
        """Another game stands there than the one that screens, buttons and copies acted on."""
        self._focus.begin(self._state)
        self._versions.forget_roll()
        self._publish()
        self._versions.all_changed()

    # -- what the camera uses ------------------------------------------------------------------------

    @property
    def dice_expected(self) -> int:
        """How many dice the tray should show."""
        return self._now.dice_expected

    def offer(self, reading: Reading, *, taken_s: float | None = None) -> None:
        """Say what the camera reads now. taken_s: when the frame was taken, on the table's clock.

        A frame taken before a simulated throw began is too old to count. Never waits for a step: what comes
        while one is written counts after it.
        """
        seen = tuple(
            Seen(
                die.face, *die.center, die.size, die.colour.value, die.track, die.kept, die in reading.doubted
            )
            for die in reading.dice
        )
        reasons = tuple(reason.value for reason in reading.reasons)
        look = partial(self._look, reading.status.value, reasons, seen, taken_s)
        self._lock.soon(look, like=(reading.status, reasons))

    def _look(
        self, status: StatusName, reasons: Sequence[str], seen: Sequence[Seen], taken_s: float | None
    ) -> None:
        before = self._hand.awaited(self._sight, taken_s)
        if before is None:
            return
        self._sight = sights.look(before, status, reasons, seen, self._state.since)
        self._follow_keeper()
        offer = self._situation.offer
        if offer.visible != self._tray:  # most frames show what the one before showed
            self._publish()
            self._versions.saw(offer)
        else:
            self._note()

    def _follow_keeper(self) -> None:
        """Hold what was laid into the dice keeper, and release what was taken out: a step of its own."""
        due = self._laid()
        if due is None:
            return
        if self._is_held(due[1]):
            self._sight = due[0]
        elif not self._keeper.follows:
            self._keeper.follows = True
            self._apart(self._hold_as_laid)

    def _hold_as_laid(self) -> None:
        with self._lock:
            self._keeper.follows = False
            due = self._laid()
            if due is None:
                return
            before, (self._sight, held) = self._sight, due
            if self._is_held(held):
                return
            try:
                self._decide(commands.SetHeld(slots=held))
            except YachtError as error:
                self._sight = replace(self._sight, laid=before.laid)
                self._keeper.failed(error)

    def _laid(self) -> tuple[sights.Sight, tuple[int, ...]] | None:
        return None if self._home.unseen(self._state) else self._keeper.due(self._state, self._sight)

    def _is_held(self, slots: tuple[int, ...]) -> bool:
        """Whether there is nothing to write down for these to be held."""
        return slots == self._state.held or self._state.phase is not Phase.HOLDING

    def camera(self, *, name: Text, ok: bool, message: Text = "", reframed: bool = False) -> None:
        """Say how the camera is: its name, whether it works, and if not, what to do.

        What a lost camera saw last may not be so any more: there is nothing to confirm until it is back.
        reframed: its picture is another one from now on, turned or mirrored for instance.
        """

        def told() -> None:
            if not ok or reframed:
                self._sight = sights.lost(self._sight, self._state.since, reframed=reframed)
                self._versions.forget_roll()
            self._camera = DeviceView(name, ok, message)
            self._publish()

        self._lock.soon(told)

    def buttons(self, *, name: Text, ok: bool, message: Text = "") -> None:
        """Say how the buttons are, in the same way."""

        def told() -> None:
            self._buttons = DeviceView(name, ok, message)
            self._publish()

        self._lock.soon(told)

    # -- what another home uses ----------------------------------------------------------------------

    def mirror(self, past: Sequence[Event], newer: Callable[[], bool]) -> None:
        """Go on from the events that stand at the station that keeps the game.

        newer: whether that is so, asked while nobody else changes anything. Raises BadInputError for events
        that are no game; then nothing has changed.
        """
        with self._lock:
            state = homes.mirrored(self._state.past, past)
            if state is not None:
                self._check_shown(state)
            if newer() and state is not None:
                self._told = None, news(self._state, state, self._told[1], self._versions.now)
                if last_roll(state.past) is not last_roll(self._state.past):
                    or_log(partial(self._unseen, state))
                self._go_on(state, self._home.recalling(state.past))
                self._sight = replace(self._sight, stirred=False, said=bool(self._sight.fixes))
                self._all_changed()

    def _check_shown(self, state: State) -> None:
        """Raise BadInputError where screens could not be shown this state."""
        before = self._state, self._home
        try:
            self._state, self._home = state, self._home.recalling(state.past)
            self._view()
        except UNPLAYABLE as error:
            raise BadInputError("homes/odd") from error
        finally:
            self._state, self._home = before

    def close(self) -> None:
        """Let go of everyone who listens."""
        self._publisher.close()

    # -- inside --------------------------------------------------------------------------------------

    def _carry_out(self, asked: commands.Command) -> None:  # noqa: C901 - one line for each
        self._home.check(self._state, asked)
        match asked:
            case commands.Throw():
                self._sight = self._hand.throw(self._state, self._sight, asked)
                self._game_changed()
            case commands.QuestionDie() | commands.LetStand():
                self._tell(self._home.throws.asked(asked, self._home.name))
            case commands.DrawRoll():  # the lock is let go for it
                self._show_home(replace(self._home, throwing=True))
            case commands.LayDie():
                self._hand.lay(self._state, self._sight, asked)
            case commands.Press(button=Button.CONFIRM, long=False) if "computer_move" in self._shown.commands:
                roll = "accept_roll" in self._shown.commands
                self._carry_out(commands.AcceptRoll() if roll else commands.ComputerMove())
            case commands.Press():
                self._carry_out(self._focus.meaning(self._state, asked))
            case commands.Choose(category=str() as category):
                buttons.check_mark(self._state, category)
                self._decide(commands.Choose())
                self._focus.put(category)
                self._game_changed()
            case commands.ChangeBank():
                self._focus.change_bank(self._state)
                self._game_changed()
            case commands.ChoosePlayer():
                if not self._state.simultaneous or not self._state.running:
                    raise RefusalError("ready/turns")
                check_seat(self._state, asked.player)
                self._state = self._state.at_table(asked.player)
                self._focus.begin(self._state)
                self._game_changed()
            case SightCommand() if (sight := asked.seen(self._situation)) is not None:
                self._sight = sight
                self._game_changed()
            case GameCommand() | commands.StartGame() | commands.Rematch():
                self._decide(asked)

    def _decide(self, asked: GameCommand | commands.StartGame | commands.Rematch) -> None:
        """Follow the game's rules, write down, then show."""
        events = decided(self._situation, asked)
        if events:
            self._follow(events)

    def _follow(self, events: Sequence[Event]) -> None:
        """Work out what follows, down to what is shown; write down; then show."""
        before, shown = self._state, self._shown
        with self._all_or_nothing():
            lines, cheered, rolled = [], None, None
            for event in events:
                last, self._state = self._state, evolve(self._state, event)
                self._home = self._home.noting(event, last, self._state)
                lines.append(event.log_line(self._state))
                cheered = great(event, last, self._state) or cheered
                rolled = self._state if event.is_roll else rolled
            after, home = self._state, self._home
            seen = not (home.unseen(before) or after.drawn)
            set_right = self._see(events)
            self._focus.follow(before, after)
            number = self._versions.now
            self._told = cheered, news(before, after, self._told[1], number)
            names = renames(before.past, after.past)
            view = self._view()
            self._log.append(events, after)
        # The events count from here on: what goes wrong now is written into the log, and the game goes on.
        for line in lines:
            log.info("%s", line)
        for renamed in names:
            or_log(partial(self.renamed, renamed))
        for die, face in set_right if seen else ():
            or_log(partial(self._corrected, die.x, die.y, face))
        if rolled is not None:
            or_log(partial(self._confirmed if seen else self._unseen, rolled))
        self._publish(view if self._home is home else None)  # else they have shown more of it
        if any(event.takes_back for event in events):
            or_log(partial(self.taken_back, shown, self._shown))
        or_log(self._log.note_last)  # screens need not wait for it: the events are on the disk
        self._versions.followed(events, before, after)

    @contextmanager
    def _all_or_nothing(self) -> Iterator[None]:
        """What is changed here counts when nothing fails; else all is as it was."""
        before = self._state, self._home, self._sight, self._told, copy(self._focus)
        try:
            yield
        except BaseException:
            self._state, self._home, self._sight, self._told, self._focus = before
            raise

    def _see(self, events: Sequence[Event]) -> Sequence[tuple[Seen, int]]:
        """What the camera sees, once this has happened; the dice that people set right, and their faces."""
        found: list[tuple[Seen, int]] = []
        for event in events:
            if event.confirms:
                found.extend(learnt(self._sight))
            self._sight = followed(self._sight, event)
        self._sight = keeper.known(self._state, self._sight)
        return found

    def _go_on(self, state: State, home: homes.Home) -> None:
        """Go on from there; who is called otherwise now, is told of."""
        before, self._state, self._home = self._state, state, home
        for renamed in renames(before.past, state.past):
            or_log(partial(self.renamed, renamed))

    def think(self, mind: computer.Mind) -> None:
        """From now on computer players have this mind; it calls `refresh` when it has decided."""
        self._mind = mind
        self.refresh()

    def refresh(self) -> None:
        """Something that is shown may be otherwise: a computer player decided, other rules can be chosen."""
        with self._lock:
            self._publish()

    def _game_changed(self) -> None:
        self._publish()
        self._versions.game_changed()

    @property
    def _situation(self) -> Situation:
        """How things stand: looked at once for each state of the game and each reading."""
        made_of = self._state, self._sight, self._home
        if any(one is not other for one, other in zip(made_of, self._looked_at, strict=True)):
            drawn_for = self._draws and computer.plays(self._state)
            self._looked = Situation.of(
                self._state,
                sights.blank(self._sight) if drawn_for else self._home.eyes(self._state, self._sight),
                next_game=self._log.next_game,
                house_text=self._house.text,
                draw=self._draw,
                draws=self._draws,
                simulated=self._hand.simulated,
            )
            self._looked_at = made_of
        decides = self._mind and computer.decides(self._state, self._looked.offer)
        move = self._mind(self._state) if self._mind and decides else None
        if move is not self._looked.move:
            self._looked = replace(self._looked, move=move)
        return self._looked

    def _view(self) -> TableView:
        game = snapshot(self._situation, house_rules=self._house.sets(), camera=self._camera)
        view = replace(
            game,
            version=self._versions.now,
            choice=self._focus.mark,
            bank=self._focus.bank,
            asks_before_zero=self._focus.asks_before_zero,
            great=self._told[0],
            news=self._told[1],
            storage=None if self._log.restorable is None else self._log.restorable.trouble,
            buttons=self._buttons,
        )
        return self._home.shown(view, self._state)

    def _publish(self, view: TableView | None = None) -> None:
        """Give the state a new version and show it, if anything in it can be seen to have changed.

        view: of the state as it is, where that was made already.
        """
        view = view or self._view()
        offer = self._situation.offer
        self._tray = offer.visible
        changed = view != self._shown
        if changed:
            self._shown = replace(view, version=self._versions.count())
            self._versions.numbered(offer.listed if tray.waits(self._state, offer) else ())
        self._note()
        if changed:
            self._publisher.publish(self._shown)
            if self._versions.run_low():
                self._apart(self._reserve_versions)

    def _reserve_versions(self) -> None:
        with self._lock:
            self._versions.reserve_ahead()

    def _note(self) -> None:
        """This is how things stand, for all who read."""
        self._now = Moment(self._shown, self._situation, self._home)
