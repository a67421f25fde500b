"""One handle for every kind of buttons and lamps, so that all pass the same contract."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from gpiozero.pins.mock import MockFactory, MockPWMPin

from station.config import Pins
from station.devices.gpio import GpioButtons, GpioLamps
from station.devices.ports import Buttons, Lamps
from station.devices.simulated import SimulatedButtons, SimulatedLamps

ALL_PARTS = Pins(undo_button=14, encoder=(15, 18, 23), buzzer=24)


class Rig(Protocol):
    """Adapters and the hands and eyes of a test: `close` and `open` move a contact, `lit` looks."""

    buttons: Buttons
    lamps: Lamps

    def close(self, name: str, *, lost: bool = False) -> None: ...

    def open(self, name: str, *, lost: bool = False) -> None: ...

    def turn(self, step: int) -> None: ...

    def lit(self) -> set[str]: ...


class SimulatedRig:
    def __init__(self) -> None:
        names = ("hold-1", "hold-2", "hold-3", "hold-4", "hold-5", "confirm", "undo", "knob")
        self.buttons = SimulatedButtons(names)
        self.lamps = SimulatedLamps((*names[:6], "buzzer"))

    def close(self, name: str, *, lost: bool = False) -> None:
        self.buttons.close(name, lost=lost)

    def open(self, name: str, *, lost: bool = False) -> None:
        self.buttons.open(name, lost=lost)

    def turn(self, step: int) -> None:
        self.buttons.turn(step)

    def lit(self) -> set[str]:
        return set(self.lamps.lit)


class GpioRig:
    """gpiozero on its mock pins: they call back at once and know no bounce but the one a test makes."""

    def __init__(self, pins: Pins = ALL_PARTS) -> None:
        self.factory = MockFactory(pin_class=MockPWMPin)
        self.pins = pins
        self.buttons = GpioButtons(pins, self.factory)
        self.lamps = GpioLamps(pins, self.factory)
        encoder = pins.encoder or (0, 0, 0)
        self._button_pins = {
            **{f"hold-{i}": pin for i, pin in enumerate(pins.hold_buttons, start=1)},
            "confirm": pins.confirm_button,
            "undo": pins.undo_button,
            "knob": encoder[2],
        }
        self._lamp_pins = {
            **{f"hold-{i}": pin for i, pin in enumerate(pins.hold_lamps, start=1)},
            "confirm": pins.confirm_lamp,
            "buzzer": pins.buzzer,
        }

    def _drive(self, name: str, level: str, *, lost: bool) -> None:
        pin = self.factory.pin(self._button_pins[name])
        if lost:
            pin._state = level == "high"
            return
        getattr(pin, f"drive_{level}")()

    def close(self, name: str, *, lost: bool = False) -> None:
        self._drive(name, "low", lost=lost)

    def open(self, name: str, *, lost: bool = False) -> None:
        self._drive(name, "high", lost=lost)

    def turn(self, step: int) -> None:
        a, b, _ = self.pins.encoder or (0, 0, 0)
        first, second = (a, b) if step > 0 else (b, a)
        for pin, level in ((first, "low"), (second, "low"), (first, "high"), (second, "high")):
            getattr(self.factory.pin(pin), f"drive_{level}")()

    def lit(self) -> set[str]:
        pins = {name: self.factory.pin(pin) for name, pin in self._lamp_pins.items()}
        return {name for name, pin in pins.items() if pin.function == "output" and pin.state}


RIGS: dict[str, Any] = {"simulated": SimulatedRig, "gpiozero": GpioRig}


@contextmanager
def rig(kind: str) -> Iterator[Rig]:
    made = RIGS[kind]()
    try:
        yield made
    finally:
        made.buttons.stop()
        made.lamps.stop()
        if isinstance(made, GpioRig):
            made.factory.reset()
            made.factory.close()
