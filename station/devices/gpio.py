"""Buttons, knob, lamps and buzzer on the pins of a Raspberry Pi, through gpiozero.

Wiring: each button between its pin and ground (the pull-up is inside), each lamp with its resistor
between its pin and ground, the encoder's common to ground. Pins are in `station.config.wiring.Pins`.

A callback runs in the pin library's only thread: whatever is raised there ends that thread and with it
all buttons (seen with lgpio). So callbacks do nothing but hand on an edge. Debouncing is ours, gpiozero's
`bounce_time` stays off: it loses edges (gpiozero issues 697, 1039, 1090). A plain input device does: each
`Button` would run a thread for a hold time that we measure ourselves.
"""

import logging
import os
import tempfile
import time
import warnings
from collections.abc import Callable, MutableMapping
from contextlib import ExitStack
from functools import partial
from typing import Any

import gpiozero

from messages.errors import FailedError
from messages.message import Message
from station.config import Pins
from station.config.wiring import called
from station.contract.command import HOLD_BUTTONS, Button
from station.devices.ports import Edge, Turn

log = logging.getLogger(__name__)

CLOSINGS = 3
"""Attempts to release a part: of a knob one of two pins each time."""
AGAIN_S = 0.05
"""Seconds between two attempts."""


def lgpio_folder(environ: MutableMapping[str, str] = os.environ) -> str:
    """The folder for the small file that lgpio writes on import; set in the environment unless set already.

    It gives up where the working directory cannot be written (gpiozero issue 1106).
    """
    folder = environ.get("RUNTIME_DIRECTORY", "").split(":")[0] or tempfile.gettempdir()
    return environ.setdefault("LG_WD", folder)


def _taken(make: Callable[[], Any], part: Message) -> Any:
    """A device of gpiozero, or a sentence why not."""
    try:
        with warnings.catch_warnings():
            # gpiozero tells of every pin library it does not find; the sentence below says what matters.
            warnings.simplefilter("ignore", gpiozero.PinFactoryFallback)
            return make()
    except Exception as error:  # lgpio's is of no narrower kind: 'GPIO busy' where a bus has the pin
        raise FailedError("buttons/pins", part=part, why=str(error)) from error


def _let_go(device: Any) -> None:
    """Close a device of gpiozero; where that fails, its pin is free once this process ends.

    lgpio waits 2 ms for its thread to leave a watched pin and then takes the pin anew: on a busy board 'GPIO
    busy'.
    """
    for left in reversed(range(CLOSINGS)):
        try:
            device.close()
        except Exception as error:  # noqa: BLE001 - lgpio's is of no narrower kind
            if left:
                time.sleep(AGAIN_S)
            else:
                log.warning("a pin was not let go: %s", error)
        else:
            return


class _Wired:
    """The devices wired to pins. factory: a pin factory of gpiozero; None takes the machine's own."""

    def __init__(self, pins: dict[str, int], factory: Any) -> None:
        self._pins, self._factory = pins, factory
        self._parts: dict[str, Any] = {}
        self._open = ExitStack()

    @property
    def names(self) -> tuple[str, ...]:
        """The parts that are wired."""
        return tuple(self._pins)

    def stop(self) -> None:
        """Let go of the pins."""
        self._open.close()
        self._parts.clear()


class GpioButtons(_Wired):
    """factory: a pin factory of gpiozero; None takes the machine's own."""

    name = Message("buttons/header")

    def __init__(self, pins: Pins, factory: Any = None) -> None:
        lgpio_folder()
        knob = {} if pins.encoder is None else {"knob": pins.encoder[2]}
        super().__init__(pins.of_buttons() | knob, factory)
        self._encoder = pins.encoder

    def start(self, edge: Edge, turn: Turn) -> None:
        """Take the pins, all or none, and report. Raises FailedError when one cannot be had."""
        self.stop()
        buttons = {}
        with ExitStack() as taken:
            for name, pin in self._pins.items():
                make = partial(gpiozero.DigitalInputDevice, pin, pull_up=True, pin_factory=self._factory)
                button = _taken(make, Message("buttons/part/wired", name=called(name), pin=pin))
                taken.callback(_let_go, button)
                button.when_activated = partial(edge, name, True)  # noqa: FBT003 - an edge: name and level
                button.when_deactivated = partial(edge, name, False)  # noqa: FBT003 - an edge: name and level
                buttons[name] = button
            if self._encoder is not None:
                a, b, _ = self._encoder
                turning = partial(gpiozero.RotaryEncoder, a, b, max_steps=0, pin_factory=self._factory)
                knob = _taken(turning, Message("buttons/part/knob", pins=(a, b)))
                taken.callback(_let_go, knob)
                knob.when_rotated_clockwise = partial(turn, 1)
                knob.when_rotated_counter_clockwise = partial(turn, -1)
            self._parts, self._open = buttons, taken.pop_all()

    def pressed(self, name: str) -> bool:
        """Whether that contact is closed now."""
        button = self._parts.get(name)
        return bool(button is not None and button.is_active)


class GpioLamps(_Wired):
    """factory: a pin factory of gpiozero; None takes the machine's own."""

    def __init__(self, pins: Pins, factory: Any = None) -> None:
        lamps = dict[str, int](zip(HOLD_BUTTONS, pins.hold_lamps, strict=True))
        buzzer = {} if pins.buzzer is None else {"buzzer": pins.buzzer}
        super().__init__(lamps | {Button.CONFIRM: pins.confirm_lamp} | buzzer, factory)

    def start(self) -> None:
        """Take the pins, all or none, and dark. Raises FailedError when one cannot be had."""
        self.stop()
        lamps = {}
        with ExitStack() as taken:
            for name, pin in self._pins.items():
                make = partial(gpiozero.DigitalOutputDevice, pin, pin_factory=self._factory)
                lamp = _taken(make, Message("buttons/part/wired", name=called(name, "lamp"), pin=pin))
                taken.callback(_let_go, lamp)
                lamps[name] = lamp
            self._parts, self._open = lamps, taken.pop_all()

    def set(self, name: str, *, on: bool) -> None:
        """Switch one."""
        lamp = self._parts[name]
        (lamp.on if on else lamp.off)()

    def stop(self) -> None:
        """Switch all lamps off and release the pins."""
        for lamp in self._parts.values():
            lamp.off()
        super().stop()
