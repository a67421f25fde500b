"""The settings of the station itself, those that stand alone and the groups."""

import re
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, model_validator

from messages.catalogue import languages
from messages.errors import BadInputError
from station.config.board import BoardSettings
from station.config.broker import Mqtt
from station.config.group import Group
from station.config.machine import is_small, memory_mb
from station.config.picture import Picture, Simulated
from station.config.proxy_settings import ProxySettings
from station.config.wiring import Pins, PressTimes


def _with_catalogue(language: str) -> str:
    if language not in languages():
        raise BadInputError("config/no-language", language=language, known=languages())
    return language


def _host_name(name: str) -> str:
    """A host's name, or "*." and one."""
    if not re.fullmatch(r"(\*\.)?[A-Za-z0-9-]{1,63}(\.[A-Za-z0-9-]{1,63})*", name):
        raise BadInputError("config/no-name", name=name)
    return name


def _page(address: str) -> str:
    """Scheme, host and port as a browser compares them (RFC 6454): small letters, nothing behind."""
    found = re.fullmatch(r"https?://(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:]+\])(?::(\d{1,5}))?", address)
    if found is None or int(found[1] or 1) not in range(1, 65536):
        raise BadInputError("config/no-page", address=address)
    return address


class Limits(Group):
    """What the station may take of its machine."""

    memory: Annotated[
        Literal["auto", "normal", "small"],
        Field(
            title="Memory",
            description="small: for boards of 512 MB; chances to win are then mostly estimated, and pictures "
            "are of 960 by 540 where no size is named. auto: small on such a board.",
        ),
    ] = "auto"

    @property
    def scarce(self) -> bool:
        """Whether memory is."""
        return self.memory == "small" or (self.memory == "auto" and is_small(memory_mb()))


class Game(Group):
    """How a turn is played."""

    held: Annotated[
        Literal["unmoved", "marked"],
        Field(
            title="Held dice are",
            description="unmoved: those that stay where they lie while others are thrown, and those that are "
            "marked; marked: only those marked by a button or a tap.",
        ),
    ] = "unmoved"
    confirm: Annotated[
        Literal["each", "unsure"],
        Field(
            title="Throws are confirmed",
            description="each: every throw, by a button, a tap or its box; unsure: a sure throw that was "
            "shown for a second also counts when the next one begins.",
        ),
    ] = "each"


class Config(Group):
    """All settings but those of extras."""

    host: Annotated[
        str,
        Field(
            min_length=1,
            title="Address to listen on",
            description=":: is every network of this machine, by IPv6 and IPv4; 0.0.0.0 only by IPv4.",
        ),
    ] = "::"
    port: Annotated[
        int,
        Field(ge=0, le=65535, title="Port", description="Of the pages and the API; 0 takes any free one."),
    ] = 8080
    certificate: Annotated[
        Path | None,
        Field(title="Certificate", description="PEM file of the house's own; there is https then, too."),
    ] = None
    key: Annotated[
        Path | None,
        Field(title="Key", description="PEM file; left out, it stands in that of the certificate."),
    ] = None
    https_port: Annotated[
        int,
        Field(ge=0, le=65535, title="Port of https", description="In use with a certificate; 0: any."),
    ] = 8443
    names: Annotated[
        tuple[Annotated[str, AfterValidator(_host_name)], ...],
        Field(
            title="Names",
            description="Names of yours on the internet that lead here; those of the house need no mention.",
        ),
    ] = ()
    frames: Annotated[
        tuple[Annotated[str, AfterValidator(_page)], ...],
        Field(
            title="Frames",
            description="Addresses whose pages may show this station's in a frame: http://homeassistant.local:8123.",
        ),
    ] = ()
    proxy: Annotated[ProxySettings, Field(title="Proxy")] = ProxySettings()
    data: Annotated[
        Path, Field(title="Data folder", description="Where games and settings of the table are kept.")
    ] = Path("data")
    camera: Annotated[
        str,
        Field(
            min_length=1,
            title="Camera",
            description="auto, picamera or picamera:N, usb:N, phone, an address, a folder of frames, a "
            "video, or simulated.",
        ),
    ] = "auto"
    picture: Annotated[Picture, Field(title="Picture")] = Picture()
    buttons: Annotated[
        Literal["auto", "gpio", "page", "none"],
        Field(
            title="Buttons",
            description="auto: those of a Pi, where there is one; page: drawn on the page instead; none: "
            "taps on dice and boxes alone.",
        ),
    ] = "auto"
    profile: Annotated[
        Path | None, Field(title="Profile", description="What calibration found out about camera and tray.")
    ] = None
    held_dice: Annotated[
        Literal["tray", "aside"],
        Field(
            title="Held dice",
            description="tray: they stay in the tray and are checked; aside: they are laid beside it.",
        ),
    ] = "tray"
    keep_corrections: Annotated[
        bool,
        Field(
            title="Learn from corrections",
            description="Keep a small picture of each die a person had to set right, on this machine only.",
        ),
    ] = False
    keep_pictures: Annotated[
        bool,
        Field(
            title="Pictures of throws",
            description="Keep a picture of the tray for each confirmed throw of the last 40 games, on this "
            "machine only, to look back at; without it those of the last two games, in memory.",
        ),
    ] = False
    viewers_max: Annotated[
        int, Field(ge=1, le=500, title="Screens", description="How many may follow the table at once.")
    ] = 64
    language: Annotated[
        str,
        Field(title="Language", description="Of screens that ask for none we have."),
        AfterValidator(_with_catalogue),
    ] = "en"
    backups_kept: Annotated[
        int,
        Field(ge=1, le=365, title="Copies kept", description="'yacht backup' deletes older ones of its own."),
    ] = 14
    backups_second: Annotated[
        Path | None,
        Field(title="Second place for copies", description="A folder on a stick or of the network, say."),
    ] = None
    pins: Annotated[Pins, Field(title="Wiring")] = Pins()
    game: Annotated[Game, Field(title="The game")] = Game()
    ask_before_zero: Annotated[
        bool,
        Field(title="Ask before a 0", description="Whether a box that would get 0 needs a confirmation."),
    ] = True
    press: Annotated[PressTimes, Field(title="Presses")] = PressTimes()
    limits: Annotated[Limits, Field(title="Limits")] = Limits()
    simulated: Annotated[Simulated, Field(title="Simulated tray")] = Simulated()
    mqtt: Annotated[Mqtt, Field(title="Broker")] = Mqtt()
    board: Annotated[BoardSettings, Field(title="Board")] = BoardSettings()

    @model_validator(mode="after")
    def _no_key_alone(self) -> "Config":
        if self.key is not None and self.certificate is None:
            raise BadInputError("config/key-alone")
        return self
