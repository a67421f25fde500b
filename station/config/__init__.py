"""The settings of a station: what they are called, what they mean, in which unit and between which bounds.

One TOML file holds them (`yacht run --config FILE`); every one has a value that works. Options of the
command line stand above the file.
"""

from station.config.file import load_settings, parse, values
from station.config.picture import Picture
from station.config.receivers import Mqtt, Webhook, Wled
from station.config.settings import Config, Loudspeaker
from station.config.wiring import Display, Pins, PressTimes

__all__ = [
    "Config",
    "Display",
    "Loudspeaker",
    "Mqtt",
    "Picture",
    "Pins",
    "PressTimes",
    "Webhook",
    "Wled",
    "load_settings",
    "parse",
    "values",
]
