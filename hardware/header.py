"""The 40-pin header of every Raspberry Pi since the B+: which pin is which.

Source: Raspberry Pi documentation, "GPIO and the 40-pin header". Pin 1 is at the end far from the USB
sockets; odd pins are in the inner row, even ones at the edge of the board.
"""

GPIO_AT: dict[int, int] = {
    3: 2, 5: 3, 7: 4, 8: 14, 10: 15, 11: 17, 12: 18, 13: 27, 15: 22, 16: 23, 18: 24, 19: 10, 21: 9, 22: 25,
    23: 11, 24: 8, 26: 7, 27: 0, 28: 1, 29: 5, 31: 6, 32: 12, 33: 13, 35: 19, 36: 16, 37: 26, 38: 20, 40: 21,
}  # fmt: skip
"""Header pin -> GPIO number (BCM)."""
GROUND = (6, 9, 14, 20, 25, 30, 34, 39)
FIVE_VOLTS = (2, 4)
PINS = 40


def header_pin(gpio: int) -> int:
    """The header pin of a GPIO number.

    >>> header_pin(26)
    37
    """
    return next(pin for pin, number in GPIO_AT.items() if number == gpio)


def label(pin: int) -> str:
    """What is printed beside a pin: its GPIO number, voltage or ground.

    >>> label(37), label(39), label(1)
    ('GPIO 26', 'ground', '3.3 V')
    """
    if pin in GPIO_AT:
        return f"GPIO {GPIO_AT[pin]}"
    return "ground" if pin in GROUND else "5 V" if pin in FIVE_VOLTS else "3.3 V"


def ground_beside(pins: tuple[int, ...]) -> int:
    """The ground pin of the same row whose wire crosses none of these pins' wires, if there is one.

    pins: header pins of one row (all odd or all even), at least one.

    >>> ground_beside((29, 37)), ground_beside((24, 40))
    (39, 20)
    """
    row = [pin for pin in GROUND if pin % 2 == pins[0] % 2]
    below = [pin for pin in row if pin > max(pins)]
    above = [pin for pin in row if pin < min(pins)]
    return below[0] if below else above[-1] if above else row[0]
