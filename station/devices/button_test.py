"""A live trial of the buttons: each press is said and lights its lamp, so that wiring can be checked."""

import threading
import time
from collections.abc import Callable
from queue import Empty, SimpleQueue

from station.config import Press
from station.devices.debounce import Contact, Happening
from station.devices.ports import Buttons, Lamps

LOOK_S = 0.02

MEANINGS = {
    "confirm": "confirms the roll; in choosing, takes the marked box",
    "undo": "takes the last step back",
    "knob": "goes to choosing; there, takes the marked box",
    **{f"hold-{i}": f"holds die {i} or releases it" for i in range(1, 6)},
}
"""What each button does in a game."""


class Trial:
    """say: prints a line. clock: monotonic seconds."""

    def __init__(
        self,
        buttons: Buttons,
        lamps: Lamps,
        say: Callable[[str], object],
        *,
        press: Press | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._buttons, self._lamps, self._say, self._clock = buttons, lamps, say, clock
        times = press or Press()
        self._contacts = {
            name: Contact(times.settle_s, times.long_s if name == "confirm" else None, times.stuck_s)
            for name in buttons.names
        }
        self._edges: SimpleQueue[tuple[str, bool, float]] = SimpleQueue()
        self._bounces = dict.fromkeys(buttons.names, 0)

    def run(self, stop: threading.Event) -> None:
        """Say what happens until `stop` is set. Raises FailedError when pins cannot be had."""
        self._lamps.start()
        try:
            self._buttons.start(self._edge, self._turn)
            for name in self._buttons.names:
                if self._buttons.pressed(name):
                    self._say(f"{name}: is down now; if nobody presses it, look at its wires")
            self._say(f"Press the buttons: {', '.join(self._buttons.names)}. End with Ctrl-C.")
            while not stop.is_set():
                self.step()
        finally:
            self._buttons.stop()
            self._lamps.stop()

    def _edge(self, name: str, level: bool) -> None:  # noqa: FBT001 - the port's callback: name and level
        self._edges.put((name, level, self._clock()))

    def _turn(self, step: int) -> None:
        self._say(f"knob: {'onwards' if step > 0 else 'back'}")

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

    def _tell(self, name: str, happenings: list[Happening]) -> None:
        for happening in happenings:
            if name in self._lamps.names:
                self._lamps.set(name, on=happening not in {Happening.SHORT, Happening.FREED})
            match happening:
                case Happening.DOWN:
                    extra = self._bounces[name] - 1
                    self._say(
                        f"{name}: pressed ({MEANINGS[name]})" + (f", {extra} bounces" if extra > 0 else "")
                    )
                case Happening.LONG:
                    self._say(f"{name}: long press (goes to choosing a box)")
                case Happening.STUCK:
                    self._say(f"{name}: still down; stuck?")
                case _:
                    self._say(f"{name}: released")
            if happening in {Happening.SHORT, Happening.FREED}:
                self._bounces[name] = 0
