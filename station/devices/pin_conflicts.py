"""Pins of the header that the board itself may have for something else, and whether it does so now."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from messages.message import Message
from station.config import Pins


@dataclass(frozen=True, slots=True)
class Bus:
    """What takes pins for itself when it is switched on.

    key: of its name under `pin/bus/`. pins: GPIO numbers, as the firmware's default overlays have them
    (README of /boot/firmware/overlays). sign: the path there is while it is on.
    """

    key: str
    pins: frozenset[int]
    sign: str

    @property
    def name(self) -> Message:
        """What people call it."""
        return Message(f"pin/bus/{self.key}")


BUSES = (
    Bus("i2c", frozenset({2, 3}), "dev/i2c-1"),
    Bus("one-wire", frozenset({4}), "sys/bus/w1/devices/w1_bus_master1"),
    Bus("spi0", frozenset({7, 8, 9, 10, 11}), "dev/spidev0.0"),
    Bus("uart", frozenset({14, 15}), "dev/ttyS0"),
    Bus("spi1", frozenset({16, 17, 18, 19, 20, 21}), "dev/spidev1.0"),
)
FAN = Bus("fan", frozenset(), "proc/device-tree/fan0/gpios")
"""A fan that raspi-config switches by a pin; which one stands in the device tree."""


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
    yield from (bus for bus in BUSES if (root / bus.sign).exists())
    try:
        cells = (root / FAN.sign).read_bytes()
    except OSError:
        return
    yield Bus(FAN.key, frozenset({int.from_bytes(cells[4:8])}), FAN.sign)  # controller, pin, flags
