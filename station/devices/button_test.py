"""A live trial of the buttons: each press is reported and lights its lamp, so that wiring can be checked."""

import threading
import time
from collections.abc import Callable
from queue import Empty, SimpleQueue

from messages.message import Message
from station.config import PressTimes
from station.config.wiring import called
from station.contract.command import HOLD_BUTTONS, Button
from station.devices.debounce import ButtonEvent, contacts
from station.devices.ports import Buttons, Lamps

LOOK_S = 0.02

MEANINGS: dict[str, Message] = {
    **{name: Message(f"buttons/does/{name}") for name in ("knob", *Button)},
    **{button: Message("buttons/does/hold", slot=i) for i, button in enumerate(HOLD_BUTTONS, start=1)},
}
"""The function of each button in a game."""


class Trial:
    """say: prints a line. clock: monotonic seconds."""

    def __init__(
        self,
        buttons: Buttons,
        lamps: Lamps,
        say: Callable[[Message], object],
        *,
        press: PressTimes | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._buttons, self._lamps, self._say, self._clock = buttons, lamps, say, clock
        self._contacts = contacts(buttons.names, press)
        self._edges: SimpleQueue[tuple[str, bool, float]] = SimpleQueue()
        self._bounces = dict.fromkeys(buttons.names, 0)

    def run(self, stop: threading.Event) -> None:
        """Say what happens until `stop` is set. Raises FailedError when pins cannot be had."""
        self._lamps.start()
        try:
            self._buttons.start(self._edge, self._turn)
            for name in self._buttons.names:
                if self._buttons.pressed(name):
                    self._say(Message("buttons/trial/down", name=called(name)))
            self._say(Message("buttons/trial/begin", names=tuple(map(called, self._buttons.names))))
            while not stop.is_set():
                self.step()
        finally:
            self._buttons.stop()
            self._lamps.stop()

    def _edge(self, name: str, level: bool) -> None:  # noqa: FBT001 - the port's callback: name and level
        self._edges.put((name, level, self._clock()))

    def _turn(self, step: int) -> None:
        self._say(Message("buttons/trial/onwards" if step > 0 else "buttons/trial/back"))

    def step(self) -> None:
        """Wait for an edge, at most LOOK_S, and say what has come about."""
        try:
            name, level, at_s = self._edges.get(timeout=LOOK_S)
        except Empty:
            pass
        else:
            self._bounces[name] += 1
            self._tell(name, self._contacts[name].feed(level, at_s))
        if self._edges.empty():
            for name, contact in self._contacts.items():
                self._tell(name, contact.tick(self._clock()))

    def _tell(self, name: str, happenings: list[ButtonEvent]) -> None:
        for happening in happenings:
            if name in self._lamps.names:
                self._lamps.set(name, on=happening not in {ButtonEvent.SHORT, ButtonEvent.FREED})
            match happening:
                case ButtonEvent.DOWN:
                    extra = self._bounces[name] - 1
                    key = "buttons/trial/bounced" if extra > 0 else "buttons/trial/pressed"
                    self._say(Message(key, name=called(name), meaning=MEANINGS[name], count=extra))
                case ButtonEvent.LONG:
                    self._say(Message("buttons/trial/long", name=called(name)))
                case ButtonEvent.STUCK:
                    self._say(Message("buttons/trial/stuck", name=called(name)))
                case _:
                    self._say(Message("buttons/trial/released", name=called(name)))
            if happening in {ButtonEvent.SHORT, ButtonEvent.FREED}:
                self._bounces[name] = 0
