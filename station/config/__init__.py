"""The settings of a station: what they are called, what they mean, in which unit and between which bounds.

One TOML file holds them (`yacht run --config FILE`); every one has a value that works. Options of the
command line stand above the file.
"""

from station.config.broker import Mqtt
from station.config.file import load_settings, parse, values
from station.config.picture import Picture
from station.config.settings import Config
from station.config.wiring import Pins, PressTimes

__all__ = [
    "Config",
    "Mqtt",
    "Picture",
    "Pins",
    "PressTimes",
    "load_settings",
    "parse",
    "values",
]
