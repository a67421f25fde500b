"""Shows the table on a small display beside the tray."""

from typing import Annotated, Literal

from pydantic import Field

from station.config.group import Group
from station.integrations.extra import Extra, Integration, Parts


class Display(Group):
    """A small display beside the tray."""

    kind: Annotated[
        Literal["none", "ssd1306"],
        Field(title="Display", description="ssd1306: 128 by 64 points, on the I2C bus of the header."),
    ] = "none"
    address: Annotated[
        Literal[0x3C, 0x3D],
        Field(title="Address", description="0x3C, or 0x3D where its back is bridged for that."),
    ] = 0x3C
    bus: Annotated[int, Field(ge=0, le=20, title="Bus", description="Number of the I2C bus.")] = 1
    turned: Annotated[bool, Field(title="Turned", description="Upside down.")] = False


class Settings(Group):
    """The extra's group in the settings file."""

    display: Annotated[Display, Field(title="Display")] = Display()


def _open(settings: Settings, parts: Parts) -> Integration | None:
    if settings.display.kind == "none":
        return None
    from station.extras.display.ssd1306 import Ssd1306
    from station.extras.display.table_display import TableDisplay

    return TableDisplay(lambda: Ssd1306(settings.display), parts)


EXTRA = Extra(Settings, _open)
