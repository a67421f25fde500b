"""The ports: what a set of buttons and a set of lamps must do, of whatever kind they are."""

from collections.abc import Callable
from typing import Protocol

from messages.message import Message

Edge = Callable[[str, bool], None]
"""Told of a contact: name of the button, whether it closed. May come from any thread and may bounce."""

Turn = Callable[[int], None]
"""Told of a step of the knob: 1 onwards (clockwise), -1 back."""


class Buttons(Protocol):
    """Contacts that open and close. What they mean is decided by `station.devices.panel`.

    `pressed` may be called at any time between `start` and `stop`, so that a lost edge is found.
    """

    @property
    def name(self) -> Message:
        """The name for people: "buttons on the header"."""

    @property
    def names(self) -> tuple[str, ...]:
        """The buttons there are: "hold-1" … "hold-5", "confirm", perhaps "undo" and "knob"."""

    def start(self, edge: Edge, turn: Turn) -> None:
        """Report from now on. The callbacks only put into a queue.

        Raises FailedError with what is wrong and what to do when the pins cannot be had.
        """

    def pressed(self, name: str) -> bool:
        """Whether that contact is closed now."""

    def stop(self) -> None:
        """Stop reporting and release the pins; harmless when not started."""


class Lamps(Protocol):
    """Lamps that are on or off; a buzzer counts as one. `lamp_patterns` makes the patterns."""

    @property
    def names(self) -> tuple[str, ...]:
        """The lamps there are: "hold-1" … "hold-5", "confirm", perhaps "buzzer"."""

    def start(self) -> None:
        """Take the pins, all dark. Raises FailedError when they cannot be had."""

    def set(self, name: str, *, on: bool) -> None:
        """Switch one."""

    def stop(self) -> None:
        """Switch all lamps off and release the pins; harmless when not started."""
