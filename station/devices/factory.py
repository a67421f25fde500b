"""From the words after --buttons to buttons and lamps."""

from station.config import Config
from station.devices.ports import Buttons, Lamps
from station.devices.simulated import SimulatedButtons, SimulatedLamps


def open_devices(config: Config) -> tuple[Buttons, Lamps]:
    """Buttons and lamps, not started yet: `auto` takes a Pi's header, and elsewhere those of the page."""
    if config.buttons == "none":
        return SimulatedButtons(), SimulatedLamps()
    from station.devices import gpio  # noqa: PLC0415 - gpiozero is looked at only where pins may be wanted

    if config.buttons == "auto" and not gpio.on_a_pi():
        return SimulatedButtons(), SimulatedLamps()
    return gpio.GpioButtons(config.pins), gpio.GpioLamps(config.pins)
