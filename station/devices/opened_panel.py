"""The buttons and lamps of a station, and what becomes of the game where they cannot be had."""

import logging
from collections.abc import Collection

from messages.errors import FailedError
from messages.message import Message
from station.advice.advisor import Advisor
from station.advice.lamp_hints import LampHints
from station.config import Config
from station.devices.factory import open_devices
from station.devices.panel import Panel
from station.devices.simulated import SimulatedButtons, SimulatedLamps
from station.screens.room import Room
from station.table.table import Table

log = logging.getLogger(__name__)


class OpenedPanel:
    """insisted: which settings were given at this start; without other hardware the game goes on."""

    def __init__(self, config: Config, insisted: Collection[str]) -> None:
        self._config, self._insisted = config, insisted
        self._devices = open_devices(config)
        self.name: Message | str = self._devices[0].name

    def join(self, table: Table, advisor: Advisor, room: Room) -> None:
        """They act on this table."""
        buttons, lamps = self._devices
        self._table, self._requests = table, room.requests
        self._hints = LampHints(advisor, lambda: table.moment()[1], room.wants_hints)
        room.requests.buttons = "confirm" in buttons.names and not isinstance(buttons, SimulatedButtons)
        press, hint = self._config.press, self._hints.slots
        self._panel = Panel(buttons, lamps, table, press=press, hint=hint, requests=room.requests)

    def start(self) -> None:
        """Raises FailedError where they cannot be had and somebody insisted on them."""
        try:
            self._panel.start()
        except FailedError as error:
            if self._config.buttons == "gpio" and "buttons" in self._insisted:
                raise
            log.warning("no buttons: %s", error)
            self._requests.buttons = False
            self._panel = Panel(SimulatedButtons(), SimulatedLamps(), self._table)
            self._panel.start()
            self._table.buttons(name=self.name, ok=False, message=error.message)
            self.name = Message("buttons/page_instead")

    def stop(self, timeout_s: float) -> None:
        """Let go of them."""
        self._hints.close()
        self._panel.stop(timeout_s)
