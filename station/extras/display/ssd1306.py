"""A display with an SSD1306 on the I2C bus, through luma.oled, which is imported only when it is opened.

Wiring: VCC to 3.3 V (pin 1), GND to ground (pin 9), SDA to GPIO 2 (pin 3), SCL to GPIO 3 (pin 5).
"""

import importlib
from contextlib import suppress
from typing import Any

from PIL import Image

from messages.errors import FailedError
from station.extras.display import Display


class Ssd1306:
    """Takes the display when it is made. Raises FailedError where it is not there, or luma.oled is not."""

    def __init__(self, settings: Display) -> None:
        self._settings = settings
        try:
            serial = importlib.import_module("luma.core.interface.serial")
            devices = importlib.import_module("luma.oled.device")
        except ImportError as error:
            raise FailedError("display/missing", why=str(error)) from None
        self._line: Any = None
        self._device: Any = None
        try:
            self._line = serial.i2c(port=settings.bus, address=settings.address)
            turned = 2 if settings.turned else 0
            self._device = devices.ssd1306(self._line, width=128, height=64, rotate=turned)
        except Exception as error:  # noqa: BLE001 - luma and the kernel raise what they like
            self.close()
            raise self._gone(error) from None

    def show(self, image: Image.Image) -> None:
        """Show a picture of mode "1" and 128 by 64 points. Raises FailedError when the display is gone."""
        try:
            self._device.display(image)
        except Exception as error:  # noqa: BLE001 - as above
            raise self._gone(error) from None

    def close(self) -> None:
        """Switch off and release the bus; harmless when the display is gone."""
        # luma's own cleanup stops where the display does not answer, and keeps the bus.
        with suppress(Exception):
            self._device.hide()
            self._device.clear()
        with suppress(Exception):
            self._line.cleanup()

    def _gone(self, error: Exception) -> FailedError:
        address, bus = f"0x{self._settings.address:02X}", self._settings.bus
        return FailedError("display/gone", address=address, bus=bus, why=str(error))
