"""The panel: one worker that turns presses into commands and the state into lamps.

Callbacks of the pins put edges into its queue with their times and return at once. The worker judges
them, asks the table, and switches the lamps by the state that the table then shows, so that a lamp never
says what is not so. It also looks at the contacts themselves now and then: an edge the pin library lost
is found, and when edges fail to come at all (its thread has died) that is reported.
"""

import logging
import threading
import time
from collections.abc import Callable
from queue import Empty, SimpleQueue

from messages.errors import YachtError
from messages.message import Message
from station.config import PressTimes
from station.config.wiring import called
from station.contract.command import Button
from station.contract.commands import COMMANDS, Command, Press
from station.devices.debounce import ButtonEvent, contacts
from station.devices.lamp_patterns import Light, burns, lights
from station.devices.ports import Buttons, Lamps
from station.screens.host_requests import HOLD_S, HostRequests
from station.table.buttons import BACK, ON
from station.table.table import Table

log = logging.getLogger(__name__)

LOOK_S = 0.04
"""Between two looks at contacts and lamps when nothing happens."""
LOST_S = 0.15
"""An edge that did not come this long after its contact changed is lost."""
LOST_MANY = 3
"""This many lost edges in a row mean that the pin library has stopped reporting."""
TROUBLE_S = 0.72
"""Seconds for which the confirm lamp blinks after a refused press: three blinks."""
CLICK_S = 0.02
AGAIN_S = 0.2
"""A press that follows sooner acts on the same state as the one before: a worn contact chatters, and nobody
has seen the result of the first press yet."""
BOTH = {BACK, ON}
"""The hold buttons that may have their own action when pressed together."""
NO_TURN = {"lobby", "finished"}
"""Phases in which a long press begins a game."""
NEVER = 0
"""The version that a press means which began before anybody looked: it is stale."""
TEST_S = 0.8
"""All lamps burn this long at the start, so that a dead one is seen."""


class Panel:
    """Buttons and lamps of one table.

    hint: slots of the dice to recommend now; answers at once. requests: screens that ask to be host, whom
    the confirm button answers. clock: monotonic seconds.
    """

    def __init__(
        self,
        buttons: Buttons,
        lamps: Lamps,
        table: Table,
        *,
        press: PressTimes | None = None,
        hint: Callable[[], tuple[int, ...]] = tuple,
        requests: HostRequests | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._hint = hint
        self._buttons = buttons
        self._lamps = lamps
        self._table = table
        self._clock = clock
        self._requests = requests or HostRequests(clock)
        self._granting = False
        self._contacts = contacts(buttons.names, press)
        self._edges: SimpleQueue[tuple[str, int, float] | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="panel", daemon=True)
        self._lit: dict[str, bool] = {}
        self._differs_since_s: dict[str, float] = {}
        self._lost = 0
        self._stuck: set[str] = set()
        self._waiting: set[str] = set()
        self._meant: dict[str, int] = {}
        self._trouble_until_s = self._click_until_s = self._test_until_s = 0.0

    def start(self) -> None:
        """Take buttons and lamps, test the lamps, begin. Raises FailedError when pins cannot be had."""
        self._lamps.start()
        try:
            self._buttons.start(self.edge, self.turned)
        except BaseException:
            self._lamps.stop()
            raise
        for name, contact in self._contacts.items():
            if self._buttons.pressed(name):
                contact.found_down(self._clock())
                self._meant[name] = NEVER
        self._test_until_s = self._clock() + TEST_S
        self._say()
        self._thread.start()

    def stop(self, timeout_s: float = 1.0) -> None:
        """End, all lamps dark."""
        self._edges.put(None)
        if self._thread.is_alive():
            self._thread.join(timeout_s)
        self._buttons.stop()
        self._lamps.stop()

    # -- called from the threads of the pins: only put ------------------------------------------------

    def edge(self, name: str, level: bool) -> None:  # noqa: FBT001 - the port's callback: name and level
        """A contact closed or opened just now."""
        self._edges.put((name, int(level), self._clock()))

    def turned(self, step: int) -> None:
        """The knob turned just now."""
        self._edges.put(("turn", step, self._clock()))

    # -- the worker ----------------------------------------------------------------------------------

    def _run(self) -> None:
        while True:
            try:
                item = self._edges.get(timeout=self._wait_s())
            except Empty:
                item = ("", 0, 0.0)
            if item is None:
                return
            try:
                self.step(item)
            except Exception:
                log.exception("the panel failed at %s", item)

    def _wait_s(self) -> float:
        now_s = self._clock()
        due = [contact.due_s() for contact in self._contacts.values()]
        first_s = min([time_s for time_s in due if time_s is not None], default=now_s + LOOK_S)
        return min(max(first_s - now_s, 0.0005), LOOK_S)

    def step(self, item: tuple[str, int, float]) -> None:
        """Take one edge ("" for none), see what has come about, switch the lamps."""
        name, value, at_s = item
        if name == "turn":
            self._turn(value)
        elif name:
            self._reported()
            self._differs_since_s.pop(name, None)
            self._happened(name, self._contacts[name].feed(bool(value), at_s))
        now_s = self._clock()
        self._look(now_s)
        if self._edges.empty():
            # Only when every edge that is waiting has been fed: they carry earlier times than now.
            for button, contact in self._contacts.items():
                self._happened(button, contact.tick(now_s))
            self._answer_request(now_s)
        self.show(self._clock())

    def _reported(self) -> None:
        """An edge came by itself: the pin library lives, whatever was reported before."""
        before, self._lost = self._lost, 0
        if before >= LOST_MANY:
            log.info("the pins report edges again")
            self._say()

    def _look(self, now_s: float) -> None:
        """Find contacts whose edge got lost."""
        for name, contact in self._contacts.items():
            level = self._buttons.pressed(name)
            if level == contact.level:
                self._differs_since_s.pop(name, None)
                continue
            since_s = self._differs_since_s.setdefault(name, now_s)
            if now_s - since_s >= LOST_S:
                del self._differs_since_s[name]
                self._lost += 1
                self._happened(name, contact.feed(level, now_s))
                if self._lost == LOST_MANY:
                    log.warning("the pins report no edges any more")
                    self._say()

    def _happened(self, name: str, happenings: list[ButtonEvent]) -> None:
        for happening in happenings:
            if happening is ButtonEvent.DOWN:
                self._begin_press(name)
            match happening:
                case ButtonEvent.DOWN if name in BOTH and (command := self._by_both()) is not None:
                    self._down_with(name, command)
                case ButtonEvent.SHORT if name in self._waiting:
                    self._waiting.discard(name)
                    self._press(name)
                case ButtonEvent.DOWN if name != Button.CONFIRM:
                    self._press(name)
                case ButtonEvent.SHORT if name == Button.CONFIRM:
                    self._confirm(name)
                case ButtonEvent.LONG if not self._begun_while_asked(name):
                    self._confirm(name, long=True)  # else it answers a screen that asks to be host, or will
                case ButtonEvent.STUCK:
                    self._stuck.add(name)
                    self._say()
                case ButtonEvent.FREED:
                    self._stuck.discard(name)
                    self._waiting.discard(name)
                    self._say()
                case _:
                    pass

    def _begin_press(self, name: str) -> None:
        """Remember the state at the press, to which it applies."""
        contact = self._contacts[name]
        if contact.down_since_s - contact.up_since_s >= AGAIN_S:
            self._meant[name] = self._table.snapshot().version

    def _by_both(self) -> Command | None:
        """The command of both buttons together, while dice are held."""
        state = self._table.snapshot()
        kinds = (COMMANDS[name] for name in state.commands if state.phase == "holding")
        return next((kind() for kind in kinds if kind.by_both), None)

    def _down_with(self, name: str, command: Command) -> None:
        """One of the two that are pressed together: alone it acts at its release, when that is known."""
        self._waiting.add(name)
        if self._waiting == BOTH:
            self._waiting.clear()
            self._execute(command)

    def _begun_while_asked(self, name: str) -> bool:
        """Whether this press began while a screen asks to be host: a button that sticks answers nobody."""
        since_s = self._requests.since_s
        contact = self._contacts[name]
        return since_s is not None and contact.down and contact.down_since_s >= since_s

    def _answer_request(self, now_s: float) -> None:
        """Make the screen that asks host, once the confirm button was held long enough."""
        confirm = self._contacts.get(Button.CONFIRM)
        if confirm is None or not (confirm.down and confirm.level):
            self._granting = False
            return
        held = now_s - confirm.down_since_s >= HOLD_S
        if not held or self._granting or not self._begun_while_asked(Button.CONFIRM):
            return
        self._granting = True  # once a press
        self._click_until_s = now_s + CLICK_S
        try:
            granted = self._requests.held()
        except YachtError as error:
            log.warning("nobody is host now: %s", error)
            granted = False
        if not granted:
            self._trouble_until_s = now_s + TROUBLE_S

    def _press(self, name: str) -> None:
        if name == "knob":
            # The knob chooses boxes: its push goes to choosing, and there takes the marked one. Where nobody
            # plays it is a short press, which begins no game.
            self._confirm(name, long=self._table.snapshot().phase not in NO_TURN | {"choosing"})
        else:
            self._execute(Press(button=Button(name)))

    def _confirm(self, name: str, *, long: bool = False) -> None:
        """Confirm what stood there when the finger went down; others may have acted since."""
        self._execute(Press(button=Button.CONFIRM, long=long, version=self._meant.get(name)))

    def _execute(self, command: Command) -> None:
        """Ask the table; a click confirms the press, three blinks a refusal."""
        self._click_until_s = self._clock() + CLICK_S
        try:
            self._table.execute(command)
        except YachtError as error:
            log.info("%s refused: %s", command, error.code)
            self._trouble_until_s = self._clock() + TROUBLE_S

    def _turn(self, step: int) -> None:
        if self._table.snapshot().phase == "choosing":
            self._press(ON if step > 0 else BACK)

    def show(self, now_s: float) -> None:
        """Switch every lamp that does not burn as the state wants it."""
        state = self._table.snapshot()
        requested = self._requests.since_s is not None
        wanted = lights(state, hinted=self._hint(), troubled=requested or now_s < self._trouble_until_s)
        if now_s < self._click_until_s:
            wanted["buzzer"] = Light.ON
        for name in self._lamps.names:
            on = burns(wanted.get(name, Light.OFF), now_s)
            if now_s < self._test_until_s and name != "buzzer":
                on = True
            if self._lit.get(name) != on:
                self._lamps.set(name, on=on)
                self._lit[name] = on

    def _say(self) -> None:
        """Tell the table how the buttons are."""
        message: Message | str = ""
        if self._stuck:
            message = Message("buttons/stuck", names=tuple(map(called, sorted(self._stuck))))
        elif self._lost >= LOST_MANY:
            message = Message("buttons/lost")
        self._table.buttons(name=self._buttons.name, ok=not message, message=message)
