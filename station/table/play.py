"""The game at the table: what a step changes, from the event to the screens, and in which order.

Not thread-safe: the caller holds the table's lock (`station.table.table`). Everything that follows from an
event, including the view for screens, is computed before the event is stored, and published after that: if a
step cannot be shown or stored, it fails without any change.
"""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, replace
from functools import partial
from itertools import accumulate

from messages.errors import YachtError
from station.contract.command import Command, TableCommand
from station.contract.commands import COMMANDS, on_offer
from station.contract.view import DeviceView, StatusName, TableView
from station.features.listed import FEATURES
from station.game.at_table import AtTable, K
from station.game.boxes import check_mark
from station.game.dice import sights, tray
from station.game.dice.owners import NOBODY
from station.game.evolve import evolve, last_roll, replay
from station.game.feature import PlayedStep
from station.game.log.event import Event
from station.game.log.slots import Seen
from station.game.log.state import State
from station.game.players.starting import Draw
from station.game.renames import Renamed, renames
from station.game.setting_right import SightCommand, followed, learnt
from station.game.situation import GameCommand, Situation, known
from station.game.snapshot import snapshot
from station.game.steps.accept_roll import AcceptRoll
from station.screens.publisher import Publisher
from station.store.event_log import EventLog
from station.table.button_focus import ButtonFocus
from station.table.hand import TableHand
from station.table.house_rule_sets import HouseRuleSets
from station.table.moment import TableMoment
from station.table.sight_follower import SightFollower
from station.table.step_lock import StepLock
from station.table.versions import Versions
from station.table.waiting_throw import WaitingThrow

log = logging.getLogger(__name__)

NOTHING_NOTED = tuple(feature.first_noted for feature in FEATURES)
"""What features have noted before the first step."""


@dataclass(frozen=True, slots=True)
class Habits:
    """The habits of this table.

    held_aside: held dice are put beside the tray. unmoved_held: a die that does not move during a throw is
    held, without a mark. next_confirms: whether a sure throw on screen counts when the next begins.
    asks_before_zero: a button needs a second press to score a 0.
    """

    held_aside: bool = False
    unmoved_held: bool = False
    next_confirms: Callable[[], bool] = lambda: False
    asks_before_zero: bool = True


@dataclass(slots=True)
class Listeners:
    """Callbacks for what happens, besides the screens.

    corrected: place x, y and face of each die that a person corrected, when the roll is confirmed.
    confirmed, unseen: the state after each throw, in this tray or not. renamed: called on each rename, in
    order and before any screen. taken_back: the views before and after each undo, before anybody can take
    another step back.
    """

    corrected: Callable[[float, float, int], None] = lambda _x, _y, _face: None
    confirmed: Callable[[State], None] = lambda _: None
    unseen: Callable[[State], None] = lambda _: None
    renamed: Callable[[Renamed], None] = lambda _: None
    taken_back: Callable[[TableView, TableView], None] = lambda _before, _after: None


def or_log(do: Callable[[], object]) -> None:
    """Run a callback after a step; its failure is logged and does not undo the step."""
    try:
        do()
    except Exception:
        log.exception("after a step something failed")


def _recalled(at_table: Sequence[AtTable], state: State) -> tuple[AtTable, ...]:
    return tuple(each.recalled(state) for each in at_table)


class Play:
    """The game at one table. Its parameters are the table's."""

    def __init__(
        self,
        lock: StepLock,
        log_: EventLog,
        hand: TableHand,
        *,
        house_rules: Callable[[], Mapping[str, str]],
        habits: Habits,
        listeners: Listeners,
        draw: Draw,
        at_table: Sequence[AtTable],
        apart: Callable[[Callable[[], None]], None],
        clock: Callable[[], float],
    ) -> None:
        self.lock, self.log, self.hand, self.listeners = lock, log_, hand, listeners
        self._house, self._habits, self._draw, self._apart = HouseRuleSets(house_rules), habits, draw, apart
        self._follower, self._waiting = SightFollower(clock), WaitingThrow(clock, habits.next_confirms)
        self.publisher: Publisher[TableView] = Publisher()
        self.logs = 1
        """Number of logs so far: the first, and each restored since."""
        self.state = replay(self.log.events())
        given = {type(each): each for each in at_table}
        kinds = (feature.at_table for feature in FEATURES if feature.at_table is not None)
        self.at_table = _recalled([given.get(kind) or kind() for kind in kinds], self.state)
        first = sights.first_sight(self.state, aside=habits.held_aside, keeps_unmoved=habits.unmoved_held)
        self.sight = self._of_log(first)
        self.focus = ButtonFocus(self.state, asks_before_zero=habits.asks_before_zero)
        self._noted: tuple[object | None, ...] = NOTHING_NOTED
        self.camera = self.buttons = DeviceView()
        self._looked_at: tuple[object, ...] = (None,) * 3
        self.versions = Versions(self.log.reserve_version)
        self._tray: tuple[object, ...] = ()
        self.shown = self._view()
        self._note()
        self.publisher.publish(self.shown)

    def carry_out(self, command: Command) -> Callable[[], None] | None:
        """Carry out a command; gives what is left to do once the lock is released. Raises RefusalError."""
        for each in self.at_table:
            each.check(self.state, command)
        if isinstance(command, TableCommand):
            return command.carry_out(self)
        if isinstance(command, SightCommand) and (sight := command.sight_after(self.situation)) is not None:
            self.sight = sight
            self.game_changed()
        elif isinstance(command, GameCommand) and command.mark is not None:
            check_mark(self.state, command.mark)
            self.decide(command)
            self.focus.put(command.mark)
            self.game_changed()
        elif isinstance(command, GameCommand):
            self.decide(command)
        return None

    def by_confirm(self) -> Command | None:
        """The command of the confirm button, where one on offer takes it."""
        kinds = (COMMANDS[name] for name in self.shown.commands)
        return next((kind() for kind in kinds if kind.by_confirm), None)

    def known(self, kind: type[K]) -> K:
        """The value of that kind, which its feature keeps at this table."""
        return known(self.at_table, kind)

    def know(self, value: AtTable) -> None:
        """Replace the value of that kind, which its feature keeps at this table."""
        self.at_table = tuple(value if type(each) is type(value) else each for each in self.at_table)
        self.publish()

    def recall(self) -> None:
        """Go on from the log as it is now; it also tells whose throw the dice in the tray are."""
        self.state, self._noted = replay(self.log.events()), NOTHING_NOTED
        self.at_table, self.logs = _recalled(self.at_table, self.state), self.logs + 1
        self.sight = self._of_log(sights.recalled(self.state, self.sight))
        self.versions.begin_block()
        self.all_changed()

    def _of_log(self, sight: sights.Sight) -> sights.Sight:
        """The sight to go on from a log with; the dice are nobody's where it does not say where they lay."""
        if not any(each.tray_unknown(self.state) for each in self.at_table):
            return sight
        return replace(sight, rested=(), owners={}, began=NOBODY, blind=True)

    def all_changed(self) -> None:
        """Another game stands there than the one that screens and buttons acted on."""
        self.focus.begin(self.state)
        self.versions.forget_roll()
        self.publish()
        self.versions.all_changed()

    def begin_anew(self) -> None:
        """The buttons act where they begin."""
        self.focus.begin(self.state)
        self.at_table = _recalled(self.at_table, self.state)

    def look(
        self, status: StatusName, reasons: Sequence[str], seen: Sequence[Seen], taken_s: float | None
    ) -> None:
        """The camera reads something now."""
        if self._waiting.later is not None:
            self._waiting.later.append((status, reasons, seen, taken_s))
            return
        before = self.hand.awaited(self.sight, taken_s)
        if before is None:
            return
        if status == "moving" and self._waiting.of(self.state) and not self.situation.unseen:
            self._waiting.later = [(status, reasons, seen, taken_s)]
            self._apart(self._confirm_waiting)
            return
        self.sight = sights.look(before, status, reasons, seen, self.state.since)
        self._follow_sight()
        now = self.situation
        self._waiting.note(now)
        offer = now.offer
        if offer.visible != self._tray:  # most frames show what the one before showed
            self.publish()
            self.versions.saw(offer)
        else:
            self._note()

    def _confirm_waiting(self) -> None:
        """Confirm the throw that was shown before dice began to move; then what was seen meanwhile counts."""
        with self.lock:
            try:
                self.confirm_shown()
            finally:
                looks, self._waiting.later = self._waiting.later or [], None
                for look in looks:
                    self.look(*look)

    def confirm_shown(self) -> None:
        """Confirm the throw that was shown, where the next one does so."""
        sight = self._waiting.take(self.state)
        if sight is None:
            return
        before, self.sight = self.sight, sight
        try:
            self.decide(AcceptRoll())
        except YachtError as error:
            self.sight = before
            log.warning("the throw that was shown is not confirmed: %s", error)

    def _follow_sight(self) -> None:
        """Do what features find due by what the camera sees: a step of its own."""
        due = self._due()
        if due is None:
            return
        if due[1] is None:
            self.sight = due[0]
        elif not self._follower.follows:
            self._follower.follows = True
            self._apart(self._do_as_seen)

    def _do_as_seen(self) -> None:
        with self.lock:
            self._follower.follows = False
            due = self._due()
            if due is None:
                return
            before, (self.sight, command) = self.sight, due
            try:
                if command is not None:
                    self.decide(command)
            except YachtError as error:
                self.sight = replace(self.sight, kept=before.kept)
                self._follower.failed(error)

    def _due(self) -> tuple[sights.Sight, GameCommand | None] | None:
        return None if self.situation.unseen else self._follower.due(self.state, self.sight)

    def go_on(self, state: State) -> None:
        """Go on from a state that was decided on elsewhere; renames in it are notified."""
        known = self.state.past
        new = state.past[len(known) :] if state.past[: len(known)] == known else ()
        self._note_step(new, (*accumulate(new[:-1], evolve, initial=self.state), state))
        before, self.state, self.at_table = self.state, state, _recalled(self.at_table, state)
        if last_roll(state.past) is not last_roll(before.past):
            or_log(partial(self.listeners.unseen, state))
        for renamed in renames(before.past, state.past):
            or_log(partial(self.listeners.renamed, renamed))
        self.sight = replace(self.sight, stirred=False, fixes_end=bool(self.sight.fixes))
        self.all_changed()

    def check_shown(self, state: State) -> None:
        """Raise what is raised where screens cannot be shown this state."""
        before = self.state, self.at_table
        try:
            self.state, self.at_table = state, _recalled(self.at_table, state)
            self._view()
        finally:
            self.state, self.at_table = before

    def decide(self, command: GameCommand) -> None:
        """Follow the game's rules, write down, then show."""
        events = command.decide(self.situation)
        if events:
            self.follow(events)

    def follow(self, events: Sequence[Event]) -> None:
        """Work out what follows, down to what is shown; write down; then show."""
        before, shown = self.state, self.shown
        with self._all_or_nothing():
            lines, states, rolled = [], [before], None
            for event in events:
                last, self.state = self.state, evolve(self.state, event)
                self.at_table = tuple(each.followed(event, last, self.state) for each in self.at_table)
                lines.append(event.log_line(self.state))
                states.append(self.state)
                rolled = self.state if event.is_roll else rolled
            after, at_table = self.state, self.at_table
            seen = not (after.drawn or any(each.away(before) for each in at_table))
            set_right = self._see(events)
            self.focus.follow(after)
            self._note_step(events, states)
            names = renames(before.past, after.past)
            view = self._view()
            self.log.append(events, after)
        # The events count from here on: what goes wrong now is written into the log, and the game goes on.
        for line in lines:
            log.info("%s", line)
        for renamed in names:
            or_log(partial(self.listeners.renamed, renamed))
        for die, face in set_right if seen else ():
            or_log(partial(self.listeners.corrected, die.x, die.y, face))
        if rolled is not None:
            or_log(partial(self.listeners.confirmed if seen else self.listeners.unseen, rolled))
        self.publish(view if self.at_table is at_table else None)  # else they have shown more of it
        if any(event.takes_back for event in events):
            or_log(partial(self.listeners.taken_back, shown, self.shown))
        or_log(self.log.note_last)  # screens need not wait for it: the events are on the disk
        self.versions.followed(events, before, after)

    @contextmanager
    def _all_or_nothing(self) -> Iterator[None]:
        """A block whose changes are undone if it fails."""
        before = self.state, self.at_table, self.sight, self._noted, copy(self.focus)
        try:
            yield
        except BaseException:
            self.state, self.at_table, self.sight, self._noted, self.focus = before
            raise

    def _note_step(self, events: Sequence[Event], states: Sequence[State]) -> None:
        """Let the features note what they show of this step."""
        step = PlayedStep(events, states, self.versions.now)
        both = zip(FEATURES, self._noted, strict=True)
        self._noted = tuple(feature.noted(step, last) for feature, last in both)

    def _see(self, events: Sequence[Event]) -> Sequence[tuple[Seen, int]]:
        """Update the sight after these events. Returns the dice that people corrected, with their faces."""
        found: list[tuple[Seen, int]] = []
        for event in events:
            if event.confirms:
                found.extend(learnt(self.sight))
            self.sight = followed(self.sight, event)
        for feature in FEATURES:
            self.sight = feature.settled(self.state, self.sight)
        return found

    def game_changed(self) -> None:
        """A command was carried out that is no event."""
        self.publish()
        self.versions.game_changed()

    @property
    def situation(self) -> Situation:
        """The current situation, computed once for each state of the game and each reading."""
        made_of = self.state, self.sight, self.at_table
        if any(one is not other for one, other in zip(made_of, self._looked_at, strict=True)):
            self._looked = Situation.of(
                self.state,
                self.sight,
                next_game=self.log.next_game,
                house_text=self._house.text,
                draw=self._draw,
                simulated=self.hand.simulated,
                at_table=self.at_table,
            )
            self._looked_at = made_of
        at_table = tuple(each.seeing(self.state, self._looked.offer) for each in self.at_table)
        if at_table != self._looked.at_table:
            self._looked = replace(self._looked, at_table=at_table)
        return self._looked

    def _view(self, now: Situation | None = None) -> TableView:
        now = now or self.situation
        game = snapshot(now, commands=on_offer(now), camera=self.camera)
        return replace(
            game,
            version=self.versions.now,
            rules_version=self._house.version(),
            choice=self.focus.mark,
            asks_before_zero=self.focus.asks_before_zero,
            storage=None if self.log.restorable is None else self.log.restorable.trouble,
            buttons=self.buttons,
            parts=(*game.parts, *filter(None, self._noted)),
        )

    def publish(self, view: TableView | None = None) -> None:
        """Give the state a new version and show it, if anything in it can be seen to have changed.

        view: of the state as it is, where that was made already.
        """
        now = self.situation
        view, offer = view or self._view(now), now.offer
        self._tray = offer.visible
        changed = view != self.shown
        if changed:
            self.shown = replace(view, version=self.versions.count())
            self.versions.numbered(offer.listed if tray.waits(self.state, offer) else ())
        self._note(now)
        if changed:
            self.publisher.publish(self.shown)
            if self.versions.run_low():
                self._apart(self._reserve_versions)

    def _reserve_versions(self) -> None:
        with self.lock:
            self.versions.reserve_ahead()

    def _note(self, now: Situation | None = None) -> None:
        """This is how things stand, for all who read."""
        self.now = TableMoment(self.shown, now or self.situation)
