"""From the words after --buttons to buttons and lamps."""

from station.config import Config
from station.config.machine import on_a_pi
from station.devices.ports import Buttons, Lamps
from station.devices.simulated import SimulatedButtons, SimulatedLamps


def on_pins(config: Config, *, on_a_pi: bool) -> bool:
    """Whether buttons and lamps are wired."""
    return config.buttons == "gpio" or (config.buttons == "auto" and on_a_pi)


def on_page(config: Config, *, on_a_pi: bool) -> bool:
    """Whether the sheet draws them: as they are on the table, or instead of them."""
    return config.buttons == "page" or on_pins(config, on_a_pi=on_a_pi)


def open_devices(config: Config) -> tuple[Buttons, Lamps]:
    """Buttons and lamps, not started yet: `auto` takes a Pi's header, and elsewhere those of the page."""
    if not on_pins(config, on_a_pi=on_a_pi()):
        return SimulatedButtons(), SimulatedLamps()
    from station.devices import gpio  # noqa: PLC0415 - gpiozero is loaded only where pins are wanted

    return gpio.GpioButtons(config.pins), gpio.GpioLamps(config.pins)
