"""Pins of the header that the board itself may have for something else, and whether it does so now."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from messages.message import Message
from station.config import Pins
from station.config.machine import board_model


@dataclass(frozen=True, slots=True)
class Bus:
    """Interfaces that occupy pins when they are switched on.

    key: of its name under `pin/bus/`. pins: GPIO numbers, as the firmware's default overlays have them
    (README of /boot/firmware/overlays). signs: paths of which there is one while it is on.
    """

    key: str
    pins: frozenset[int]
    signs: tuple[str, ...]

    @property
    def name(self) -> Message:
        """The name for people."""
        return Message(f"pin/bus/{self.key}")


BUSES = (
    Bus("i2c", frozenset({2, 3}), ("dev/i2c-1",)),
    Bus("one-wire", frozenset({4}), ("sys/bus/w1/devices/w1_bus_master1",)),
    Bus("spi0", frozenset({7, 8, 9, 10, 11}), ("dev/spidev0.0", "dev/spidev0.1")),
    Bus("uart", frozenset({14, 15}), ("dev/serial0", "dev/ttyS0")),
    Bus("spi1", frozenset({16, 17, 18, 19, 20, 21}), ("dev/spidev1.0",)),
)
UART_PI_5 = ("dev/ttyAMA0",)
"""Signs of a Pi 5's serial port at these pins: its serial0 is the three-pin debug connector, where on others
ttyAMA0 may be Bluetooth's (Raspberry Pi's documentation, "UARTs and device tree")."""
PI_5 = ("Raspberry Pi 5", "Raspberry Pi Compute Module 5")
"""Beginnings of the names of models with the connector; also the 500."""
FANS = "proc/device-tree/gpio-fan@*/gpios"
"""A fan that raspi-config switches by a pin; which one stands in the device tree (gpio-fan-overlay.dts)."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """A part that is wired to a pin the board has for something else now."""

    part: Message
    pin: int
    bus: Bus


def conflicts(pins: Pins, root: Path = Path("/")) -> tuple[Conflict, ...]:
    """Parts whose pins this machine uses itself; `root` is that of its file system."""
    taken = {pin: bus for bus in _switched_on(root) for pin in bus.pins}
    return tuple(Conflict(part, pin, taken[pin]) for part, pin in pins.used() if pin in taken)


def _switched_on(root: Path) -> Iterator[Bus]:
    for bus in BUSES:
        signs = UART_PI_5 if bus.key == "uart" and board_model(root).startswith(PI_5) else bus.signs
        # a sign may be a link to a device: the link does
        if any(os.path.lexists(root / sign) for sign in signs):
            yield bus
    for path in root.glob(FANS):
        try:
            cells = path.read_bytes()
        except OSError:
            continue
        yield Bus("fan", frozenset({int.from_bytes(cells[4:8])}), (str(path),))  # controller, pin, flags
