"""Buttons and lamps that are only thought of: for tests, and where no real ones are wired."""

from messages.message import Message
from station.contract.command import HOLD_BUTTONS, Button
from station.devices.ports import Edge, Turn

NAMES = (*HOLD_BUTTONS, Button.CONFIRM)
"""Of the buttons, and of the lamps beside them."""


class SimulatedButtons:
    """Buttons pressed by calling `close` and `open`."""

    name = Message("buttons/page_only")

    def __init__(self, names: tuple[str, ...] = NAMES) -> None:
        self.names = names
        self._edge: Edge | None = None
        self._turn: Turn | None = None
        self._closed: set[str] = set()

    def start(self, edge: Edge, turn: Turn) -> None:
        """Report from now on."""
        self._edge, self._turn = edge, turn

    def pressed(self, name: str) -> bool:
        """Whether that contact is closed now."""
        return name in self._closed

    def stop(self) -> None:
        """Report no more."""
        self._edge = self._turn = None

    def close(self, name: str, *, lost: bool = False) -> None:
        """The contact closes. lost: without an edge, as it happens on real pins."""
        self._closed.add(name)
        if self._edge is not None and not lost:
            self._edge(name, True)  # noqa: FBT003 - an edge is a name and a level

    def open(self, name: str, *, lost: bool = False) -> None:
        """The contact opens."""
        self._closed.discard(name)
        if self._edge is not None and not lost:
            self._edge(name, False)  # noqa: FBT003 - an edge is a name and a level

    def turn(self, step: int) -> None:
        """The knob turns one step: 1 on, -1 back."""
        if self._turn is not None:
            self._turn(step)


class SimulatedLamps:
    """Lamps one can look at: `lit` names those that are on."""

    def __init__(self, names: tuple[str, ...] = NAMES) -> None:
        self.names = names
        self.lit: set[str] = set()
        self.switched: list[tuple[str, bool]] = []

    def start(self) -> None:
        """All dark."""
        self.lit.clear()

    def set(self, name: str, *, on: bool) -> None:
        """Switch one."""
        if name not in self.names:
            raise KeyError(name)
        self.switched.append((name, on))
        (self.lit.add if on else self.lit.discard)(name)

    def stop(self) -> None:
        """All dark."""
        self.lit.clear()
