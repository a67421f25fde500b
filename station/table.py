"""The table: takes commands one at a time, writes events down, then tells everyone who listens.

One lock guards the game. An event is in the store before the state that follows from it is published;
if it cannot be stored, the command fails and nothing has changed.

Versions. `version` grows with every change a person can see, readings of the camera included. A command
that carries a version is stale when the game, the mark of the buttons or a correction changed after it;
readings that come in between do not make it stale, but a confirmation (`accept_roll`, `correct_die`) is
also stale when the roll on the tray has become another one than the screen showed. Where all play at once,
what one player does with a copy makes nothing stale that another does with theirs.
"""

import logging
import secrets
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from typing import Protocol

from messages.errors import RefusalError, StoreError
from messages.message import Message
from station.contract import commands
from station.contract.commands import HOLD_BUTTONS, Button, GameCommand
from station.contract.view import DeviceView, GreatView, TableView
from station.game import buttons, computer, homes, keeper, together, tray
from station.game.computer import Mind, Move
from station.game.decide import decide, may_roll, told
from station.game.events import (
    BoxScored,
    Event,
    GameEnded,
    GameStarted,
    PlayerReady,
    PlayerRemoved,
    RollAccepted,
    RollKept,
    StarterThrown,
    Undone,
)
from station.game.great_throws import great
from station.game.simulated_throw import faces_to_throw, held_places, place_of
from station.game.slots import Die, Seen
from station.game.snapshot import snapshot
from station.game.state import Phase, State, evolve, replay, rule_set
from station.game.tray import Offer, Sight
from station.game.tray_corrections import NO_DIE
from station.rules import RuleSet
from station.screens.publisher import Publisher, Subscription
from station.store.event_log import VERSION_BLOCK, EventLog, MemoryLog, Restorable
from vision.reading import Reading

log = logging.getLogger(__name__)

THROW_TIMEOUT_S = 20.0
"""A simulated throw that brought nothing new after this many seconds is given up."""


class Thrower(Protocol):
    """A simulated hand; `simulator.thrower` is the real one."""

    def throw(
        self, count: int, *, held: Sequence[tuple[int, int]] = (), faces: Sequence[int] | None = None
    ) -> None:
        """Start a throw with `count` dice in play.

        held: those that stay, as (place from the left beginning with 0, face). faces: what the thrown
        ones shall show; without it chance decides.
        """

    def lay(self, place: int, face: int, *, kept: bool) -> None:
        """Carry the die at that place from the left into the dice keeper, or out of it.

        Raises RefusalError where no keeper is marked, or there is no room.
        """


class Table:
    """The one table of a station.

    log: where events go. thrower: the simulated hand, where there is one. house_rules: the texts of house
    rules by id, asked for whenever somebody may choose one. held_aside: held dice lie beside the tray.
    asks_before_zero: a box worth 0 is written by a button only at its second press.
    corrected: told of each die that a person set right, its place x, y in pixels and its face, when the roll
    is confirmed. confirmed: told of the state after each throw that the camera read. mind: of computer
    players; computer_dice_drawn: the station draws their dice, and nobody throws for them. draw: a number
    from 0 to below the one given, by chance. home: of a station that plays along in another's
    game, its name (station.game.homes); guests: the stations that may play along here. clock: monotonic
    seconds.
    """

    def __init__(
        self,
        log_: EventLog | None = None,
        *,
        thrower: Thrower | None = None,
        house_rules: Callable[[], Mapping[str, str]] = dict,
        held_aside: bool = False,
        asks_before_zero: bool = True,
        corrected: Callable[[float, float, int], None] | None = None,
        confirmed: Callable[[State], None] | None = None,
        mind: Mind | None = None,
        computer_dice_drawn: bool = False,
        draw: Callable[[int], int] = secrets.randbelow,
        home: str = "",
        guests: Sequence[str] = (),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._corrected, self._confirmed = corrected, confirmed
        self._home, self._guests = home, tuple(guests)
        self._line: Message | None = None
        self._log: EventLog = MemoryLog() if log_ is None else log_
        self._thrower = thrower
        self._draw = draw
        self._draws = computer_dice_drawn
        self._mind = mind
        self._house_rules = house_rules
        self._house: tuple[Mapping[str, str], tuple[RuleSet, ...]] = ({}, ())
        self._clock = clock
        self._lock = threading.RLock()
        self._publisher: Publisher[TableView] = Publisher()
        self._state = replay(self._log.events())
        self._last_throws = homes.last_throws(self._state.past)
        self._sight = homes.after_restart(self._state, tray.first_sight(self._state, aside=held_aside))
        self._asks_before_zero = asks_before_zero
        self._bank = 1
        self._zero_asked: tuple[State, str] | None = None
        self._choice = buttons.first_mark(self._state)
        self._great: GreatView | None = None
        self._camera = self._buttons = DeviceView()
        self._thrown_at_s: float | None = None
        self._version = self._log.reserve_version()
        self._reserved = self._version + VERSION_BLOCK - 1
        self._game_version = self._version
        self._roll_version = self._version
        self._round_version = self._version
        self._copy_versions: dict[int, int] = {}
        self._roll: tuple[tuple[int, int], ...] = ()
        self._tray: tuple[object, ...] = ()
        self._shown = self._view()
        self._publisher.publish(self._shown)

    # -- what screens use ----------------------------------------------------------------------------

    def snapshot(self) -> TableView:
        """The whole state now, as every screen is told it."""
        with self._lock:
            return self._shown

    def moment(self) -> tuple[TableView, State]:
        """The same with the game behind it, for those who work something out."""
        with self._lock:
            return self._shown, self._state

    def lying(self, slot: int) -> Seen | None:
        """Where the camera saw the die of that slot, as screens are shown it; None for one it did not see."""
        with self._lock:
            state, now = self._state, tray.offer(self._state, self._eyes)
            if homes.elsewhere(state, self._home):
                return None
            shown = now.listed if tray.stage(state, now) == "unconfirmed" or not state.dice else state.dice
            return next((die.seen for die in shown if die.slot == slot), None)

    def subscribe(self) -> Subscription[TableView]:
        """Listen: the state now, then always the latest one."""
        return self._publisher.subscribe()

    def execute(self, command: commands.AnyCommand) -> TableView:
        """Carry out one command; gives the new state.

        Raises RefusalError (`version/stale` when it was meant for a state that is no more), StoreError.
        """
        with self._lock:
            if command.version is not None:
                self._check_version(command.version, command)
            self._carry_out(command)
            return self._shown

    def restore(self, copy: Path) -> Path | None:
        """Put a backup in the place of all games, and go on from there; for the setup page.

        Gives the file in which the games so far are kept. Raises RefusalError while a game is being played,
        BadInputError for what is no sound backup, StoreError; then nothing has changed.
        """
        return self.put_back(lambda scratch: self._restorable().tried(copy, scratch))

    def put_back(self, make: Callable[[Path], Path]) -> Path | None:
        """The same with a sound database that `make` writes into a folder it is given."""
        with self._lock:
            self._restorable()
        with tempfile.TemporaryDirectory() as scratch:
            sound = make(Path(scratch))  # takes a while, and nobody has to wait for it
            with self._lock:
                kept = self._restorable().put_back(sound, version=self._reserved)
                self._begin_anew()
                return kept

    def reopen(self) -> None:
        """Try again to store games, where that was in trouble. Raises StoreError while it still is."""
        with self._lock:
            self._restorable().reopen(version=self._reserved)
            self._begin_anew()

    def _begin_anew(self) -> None:
        """Go on from what the log says now; whose throw the dice are that lie there is told by it, too."""
        self._state, self._great = replay(self._log.events()), None
        self._sight, self._roll = tray.recalled(self._state, self._sight), ()
        self._choice = buttons.first_mark(self._state)
        self._version = self._log.reserve_version() - 1
        self._reserved = self._version + VERSION_BLOCK
        self._game_changed()
        self._round_version = self._version

    def _restorable(self) -> Restorable:
        """The log, where everything in it may be put back now. Raises RefusalError.

        What is played while nothing can be stored comes along; any other game has to end first.
        """
        if not isinstance(self._log, Restorable):
            if self._state.running:
                raise RefusalError("game/running_restore", code="game/running")
            raise RefusalError("store/none")
        if self._state.running and self._log.trouble is None:
            raise RefusalError("game/running_restore", code="game/running")
        return self._log

    # -- what the camera uses ------------------------------------------------------------------------

    @property
    def dice_expected(self) -> int:
        """How many dice the tray should show."""
        with self._lock:
            return self._state.dice_count - (len(self._state.held) if self._sight.aside else 0)

    def offer(self, reading: Reading, *, taken_s: float | None = None) -> None:
        """Say what the camera reads now. taken_s: when the frame was taken, on the table's clock.

        A frame taken before a simulated throw began is too old to count.
        """
        seen = tuple(
            Seen(die.face, *die.center, die.size, die.colour.value, die.track, die.kept)
            for die in reading.dice
        )
        with self._lock:
            if self._thrown_at_s is not None:
                if taken_s is not None and taken_s < self._thrown_at_s:
                    return
                if self._clock() - self._thrown_at_s > THROW_TIMEOUT_S:
                    self._sight = tray.gone(self._sight)
            reasons = tuple(reason.value for reason in reading.reasons)
            self._sight = tray.look(self._sight, reading.status.value, reasons, seen, self._state.since)
            if self._sight.thrown_from is None:
                self._thrown_at_s = None
            self._follow_keeper()
            shown = tray.offer(self._state, self._eyes).visible
            if shown != self._tray:  # most frames show what the one before showed
                self._publish()
                self._note_roll()

    def _follow_keeper(self) -> None:
        """Hold what was laid into the dice keeper, and release what was taken out."""
        now = keeper.laid(self._state, self._sight)
        if homes.elsewhere(self._state, self._home) or now is None or now.slots == self._sight.laid:
            return
        self._sight, held = keeper.followed(self._state, self._sight, now)
        if held != self._state.held and self._state.phase is Phase.HOLDING:
            try:
                self._decide(commands.SetHeld(slots=held))
            except StoreError as error:
                log.warning("the dice keeper is not followed: %s", error)

    def camera(self, *, name: str, ok: bool, message: Message | str = "") -> None:
        """Say how the camera is: its name, whether it works, and if not, what to do.

        What a lost camera saw last may not be so any more: there is nothing to confirm until it is back.
        """
        with self._lock:
            if not ok:
                self._sight = tray.lost(self._sight, self._state.since)
                self._roll = ()
            self._camera = DeviceView(name, ok, message)
            self._publish()

    def buttons(self, *, name: Message | str, ok: bool, message: Message | str = "") -> None:
        """Say how the buttons are, in the same way."""
        with self._lock:
            self._buttons = DeviceView(name, ok, message)
            self._publish()

    # -- what another home uses ----------------------------------------------------------------------

    def line(self, trouble: Message | None) -> None:
        """Say how the line to the other home is: None while it stands."""
        with self._lock:
            self._line = trouble
            self._publish()

    def numbered(self) -> tuple[int, Sequence[Event]]:
        """The number of the last event, and the events that stand."""
        with self._lock:
            return self._log.last_event(), self._state.past

    def take(self, after: int, home: str, told: Sequence[Event]) -> int:
        """Write down what was decided in another home after that event; the number of the last event then.

        Raises RefusalError where the game went on meanwhile, or for what is not theirs to say; StoreError.
        """
        with self._lock:
            if self._log.last_event() != after:
                raise RefusalError("version/stale")
            homes.checked(self._state, home, told)
            self._follow(told)
            return self._log.last_event()

    def mirror(self, past: Sequence[Event], newer: Callable[[], bool]) -> None:
        """Go on from the events that stand at the station that keeps the game.

        newer: whether that is so, asked while nobody else changes anything.
        """
        with self._lock:
            if not newer():
                return
            known = self._state.past
            same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(known, past, strict=False)))
            if same == len(known) == len(past):
                return
            # Dice know their event by identity: those that are known already stay.
            self._state = replay((*known[:same], *past[same:]))
            self._last_throws = homes.last_throws(self._state.past)
            self._sight, self._roll = replace(self._sight, stirred=False, said=bool(self._sight.fixes)), ()
            self._choice = buttons.first_mark(self._state)
            self._bank = 1
            self._game_changed()
            self._round_version = self._version

    def close(self) -> None:
        """Let go of everyone who listens."""
        self._publisher.close()

    # -- inside --------------------------------------------------------------------------------------

    def _note_roll(self) -> None:
        """Remember since which version the tray shows this roll; a hand passing over it changes nothing."""
        now = tray.offer(self._state, self._eyes)
        roll = tuple((die.slot, die.face) for die in now.dice)
        if now.ready and roll != self._roll:
            self._roll, self._roll_version = roll, self._version

    def _check_version(self, version: int, asked: commands.AnyCommand) -> None:
        limit = self._game_version
        if self._state.simultaneous and isinstance(asked, commands.ChoosePlayer):
            limit = self._round_version
        elif (
            self._state.simultaneous and isinstance(asked, commands.CopyCommand) and asked.player is not None
        ):
            limit = max(self._round_version, self._copy_versions.get(asked.player, 0))
        confirms = isinstance(asked, commands.Press) and asked.button is Button.CONFIRM
        if confirms or isinstance(
            asked, commands.AcceptRoll | commands.CorrectDie | commands.NotADie | commands.MissedDie
        ):
            limit = max(limit, self._roll_version)
        if not limit <= version <= self._version:
            raise RefusalError("version/stale")

    def _carry_out(self, asked: commands.AnyCommand) -> None:  # noqa: C901, PLR0912 - one line for each
        homes.check(self._state, self._home, self._line, asked)
        homes.check_seats(self._state, self._guests, asked)
        match asked:
            case commands.Throw():
                self._throw(asked)
            case commands.LayDie():
                self._lay(asked)
            case commands.ComputerMove():
                self._move_computer()
            case commands.Press(button=Button.CONFIRM, long=False) if "computer_move" in self._shown.commands:
                self._carry_out(
                    commands.AcceptRoll()
                    if "accept_roll" in self._shown.commands
                    else commands.ComputerMove()
                )
            case commands.Press():
                self._carry_out(
                    self._asked_twice(buttons.meaning(self._state, self._choice, asked, self._bank))
                )
            case commands.Choose(category=str() as category):
                self._mark(category)
            case commands.ChangeBank():
                self._change_bank()
            case commands.ChoosePlayer():
                self._choose_player(asked.player)
            case commands.CorrectDie() if (pending := self._pending(asked.slot)) is not None:
                self._fix(tray.corrected(self._sight, pending, asked.face))
            case commands.NotADie():
                self._fix(tray.corrected(self._sight, self._offered(asked.slot), NO_DIE))
            case commands.MissedDie():
                self._add_missed(asked)
            case commands.ReadAgain():
                self._fix(tray.as_read(self._sight))
            case _:
                self._decide(asked)

    def _decide(self, asked: GameCommand) -> None:
        """Follow the game's rules, write down, then show."""
        game = self._log.next_game() if isinstance(asked, commands.StartGame | commands.Rematch) else 0
        house = ""
        if isinstance(asked, commands.StartGame) and asked.rules is not None:
            house = self._house_rules().get(asked.rules, "")
        events = decide(self._state, asked, self._eyes, game=game, house=house, draw=self._draw)
        if events:
            self._follow(events)

    def _follow(self, events: Sequence[Event]) -> None:
        """Write down, then show."""
        before = after = self._state
        throws = self._last_throws
        for event in events:
            throws, after = homes.noted(throws, event, after), evolve(after, event)
        self._log.append(events, after)
        self._last_throws, self._state = throws, after
        for event in events:
            match event:
                case RollAccepted() | StarterThrown():
                    self._tell_corrected()
                    self._sight, self._roll = tray.settled(self._sight), ()
                case GameStarted() | BoxScored() | RollKept() | GameEnded() | PlayerRemoved() | PlayerReady():
                    self._sight, self._roll = replace(self._sight, said=bool(self._sight.fixes)), ()
                case Undone():
                    self._sight = replace(self._sight, stirred=False)
        self._sight = keeper.known(after, self._sight)
        if len(after.dice) <= len(HOLD_BUTTONS) or after.throws_done != before.throws_done:
            self._bank = 1
        self._choice = buttons.first_mark(after)
        self._great = great(events[-1], before, after)
        seen = any(isinstance(e, RollAccepted) and not e.typed for e in events)
        if self._confirmed is not None and seen and not homes.elsewhere(before, self._home):
            self._confirmed(after)
        for event in events:
            log.info("%s", told(event, after))
        self._game_changed()
        self._note_copies(events, before)

    def _note_copies(self, events: Sequence[Event], before: State) -> None:
        """Remember since which version each copy, and the round of all, are as they are."""
        mine = all(isinstance(event, together.CopyEvent) for event in events)
        if mine and (before.phase, before.throws_done) == (self._state.phase, self._state.throws_done):
            for event in events:
                if isinstance(event, together.CopyEvent):
                    self._copy_versions[event.seat] = self._version
        else:
            self._round_version = self._version

    def _change_bank(self) -> None:
        """Let the hold buttons act for the other five of ten dice; that is no fact of the game either."""
        if len(self._state.dice) <= len(HOLD_BUTTONS):
            raise RefusalError("bank/one")
        self._bank = 3 - self._bank
        self._game_changed()

    def _choose_player(self, seat: int) -> None:
        """Let the buttons act for another player; that is no fact of the game, as the mark is none."""
        state = self._state
        if not state.simultaneous or not state.running:
            raise RefusalError("ready/turns")
        if seat >= len(state.players) or state.players[seat].gone:
            raise RefusalError("player/unknown", last=len(state.players) - 1)
        self._state = state.at_table(seat)
        self._choice = buttons.first_mark(self._state)
        self._game_changed()

    def _move_computer(self) -> None:
        """Carry out what the computer player has decided, or draw its dice. Raises RefusalError."""
        state, move = self._state, self._computer_move()
        if not state.running or not state.player.computer:
            raise RefusalError("computer/none")
        if self._draws and computer.may_draw(state, move):
            self._follow((computer.drawn(state, self._draw),))
            return
        if move is None:
            raise RefusalError("computer/not_yet", name=state.player.name)
        meant = computer.carried_out(state, move)
        if meant is None:
            raise RefusalError("computer/throws", name=state.player.name)
        self._decide(meant)

    def _computer_move(self) -> Move | None:
        """What the computer player has decided whose turn it is."""
        now = tray.offer(self._state, self._sight)
        decides = self._mind is not None and computer.decides(self._state, now)
        return self._mind(self._state) if self._mind and decides else None

    def think(self, mind: Mind) -> None:
        """From now on computer players have this mind; it calls `thought` when it has decided."""
        with self._lock:
            self._mind = mind
            self._publish()

    def thought(self) -> None:
        """A computer player may have decided."""
        with self._lock:
            self._publish()

    def _tell_corrected(self) -> None:
        """Hand on what people set right on the tray, before it is forgotten."""
        if self._corrected is not None:
            for die, face in self._sight.fixes.faces:
                if face != NO_DIE:
                    self._corrected(die.x, die.y, face)

    def _asked_twice(self, meant: commands.AnyCommand) -> commands.AnyCommand:
        """What a button means; a box worth nothing is taken by the second press only.

        Raises RefusalError `box/zero` at the first.
        """
        if self._asks_before_zero and isinstance(meant, commands.ScoreBox) and not self._state.simultaneous:
            asked = (self._state, meant.category)
            if buttons.worth_now(self._state).get(meant.category) == 0 and self._zero_asked != asked:
                self._zero_asked = asked
                box = self._state.rules.box(meant.category).label if self._state.rules else meant.category
                raise RefusalError("box/zero", box=box)
        return meant

    def _mark(self, category: str) -> None:
        """Go to choosing, if that is not where we are, and put the mark on a box."""
        buttons.check_mark(self._state, category)
        self._decide(commands.Choose())
        self._zero_asked = None
        self._choice = category
        self._game_changed()

    def _pending(self, slot: int) -> Die | None:
        """The die of this slot that the camera offers; None when the slot is one of the accepted roll."""
        state = self._state
        now = tray.offer(state, self._sight)
        may = state.phase in {Phase.STARTING, Phase.THROWING, Phase.HOLDING} and now.fresh
        held = bool(now.dice) and slot in state.held
        return next((die for die in now.listed if may and not held and die.slot == slot), None)

    def _offered(self, slot: int) -> Die:
        """The die of this slot among those on offer. Raises RefusalError when there is none."""
        self._on_offer()
        die = self._pending(slot)
        if die is None:
            raise RefusalError("die/none_to_set_right", code="die/unknown", slot=slot)
        return die

    def _on_offer(self) -> Offer:
        """What lies on the tray to be set right. Raises RefusalError when nothing does."""
        may_roll(self._state)
        now = tray.offer(self._state, self._sight)
        if not now.fresh or now.status not in tray.RESTING:
            raise RefusalError("roll/none_to_set_right", code="roll/none")
        return now

    def _add_missed(self, asked: commands.MissedDie) -> None:
        """A die that the camera missed; refused when all are there."""
        now = self._on_offer()
        if now.dice or len(now.listed) >= now.wanted:
            raise RefusalError("roll/all_there", code="roll/count")
        self._fix(tray.missed(self._sight, asked.face))

    def _fix(self, sight: Sight) -> None:
        """People said something about the dice on the tray."""
        self._sight = sight
        self._game_changed()

    def _throw(self, asked: commands.Throw) -> None:
        """Let the simulated hand throw; from this moment on the old dice are no reading any more."""
        if self._thrower is None:
            raise RefusalError("throw/not_simulated")
        may_roll(self._state)
        count = self._state.dice_count
        faces = faces_to_throw(self._state, asked.faces or ())
        places = held_places(self._state, tray.offer(self._state, self._sight))
        if self._sight.aside:
            count, places = count - len(places), ()
        self._thrower.throw(count, held=places, faces=faces)
        # Taken after the call: every frame from now on shows the throw.
        self._thrown_at_s = self._clock()
        self._sight = tray.thrown(self._sight, self._state)
        self._game_changed()

    def _lay(self, asked: commands.LayDie) -> None:
        """Let the simulated hand carry one die; what follows from it the camera sees."""
        if self._thrower is None:
            raise RefusalError("throw/not_simulated")
        if self._state.phase is not Phase.HOLDING:
            raise RefusalError("held/no_roll")
        if not 1 <= asked.slot <= self._state.dice_count:
            raise RefusalError("die/unknown", slot=asked.slot)
        place, face = place_of(self._state, tray.offer(self._state, self._sight), asked.slot)
        self._thrower.lay(place, face, kept=asked.kept)

    def _game_changed(self) -> None:
        self._publish()
        self._game_version = self._version

    @property
    def _eyes(self) -> Sight:
        """What the camera has to say to the game now."""
        return homes.eyes(self._state, self._home, self._sight)

    def _view(self) -> TableView:
        view = replace(self._view_here(), homes=self._guests)
        return homes.shown(view, self._state, self._home, self._line, self._last_throws)

    def _view_here(self) -> TableView:
        return snapshot(
            self._state,
            self._eyes,
            version=self._version,
            choice=self._choice,
            great=self._great,
            bank=self._bank,
            simulated=self._thrower is not None,
            move=self._computer_move(),
            draws=self._draws,
            asks_before_zero=self._asks_before_zero,
            storage=self._log.trouble if isinstance(self._log, Restorable) else None,
            house_rules=self._house_rule_sets(),
            camera=self._camera,
            buttons=self._buttons,
        )

    def _house_rule_sets(self) -> tuple[RuleSet, ...]:
        """The house rules there are; read anew only when their texts have changed."""
        texts = self._house_rules()
        if texts != self._house[0]:
            self._house = (texts, tuple(rule_set(rules_id, text) for rules_id, text in texts.items()))
        return self._house[1]

    def _reserve(self) -> None:
        """Take the next block of versions. Without one it counts on: what is stored must still be told."""
        try:
            self._version = self._log.reserve_version() - 1
        except StoreError as error:
            log.warning("versions go on without a new block: %s", error)
        self._reserved = self._version + VERSION_BLOCK

    def _publish(self) -> None:
        """Give the state a new version and show it, if anything in it can be seen to have changed."""
        view = self._view()
        self._tray = tray.offer(self._state, self._eyes).visible
        if view == self._shown:
            return
        if self._version >= self._reserved:
            self._reserve()
        self._version += 1
        self._shown = replace(view, version=self._version)
        self._publisher.publish(self._shown)


__all__ = ["MemoryLog", "Subscription", "Table", "Thrower"]
