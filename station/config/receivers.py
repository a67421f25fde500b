"""Who else is told of the table: a broker and who plays over it, webhooks, lamps."""

import re
import socket
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, model_validator

from messages.errors import BadInputError
from station.config.group import Group
from station.contract.happening import Kind


def _topic(topic: str) -> str:
    """One or several words that can stand in a topic, divided by slashes."""
    if not re.fullmatch(r"[^+#/\x00-\x1f]+(/[^+#/\x00-\x1f]+)*", topic):
        raise BadInputError("config/no-topic", topic=topic)
    return topic


def _station(name: str) -> str:
    """A name that can stand in topics, and in names of Home Assistant."""
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", name):
        raise BadInputError("config/no-station", name=name)
    return name


class Mqtt(Group):
    """The broker that is told of the table; none without a host."""

    host: Annotated[
        str | None,
        Field(min_length=1, title="Broker", description="Its name or address; left out: nobody is told."),
    ] = None
    port: Annotated[
        int | None,
        Field(ge=1, le=65535, title="Port", description="Left out: 1883, or 8883 with TLS."),
    ] = None
    tls: Annotated[bool, Field(title="TLS", description="Encrypted, and the broker proves who it is.")] = (
        False
    )
    ca: Annotated[
        Path | None,
        Field(title="Authority", description="PEM file of who signed for a broker of your own."),
    ] = None
    user: Annotated[str | None, Field(min_length=1, title="User", description="As the broker knows it.")] = (
        None
    )
    password_file: Annotated[
        Path | None, Field(title="Password file", description="Holds the user's password and nothing else.")
    ] = None
    topic: Annotated[
        str,
        Field(max_length=200, title="Topic", description="All topics begin with it."),
        AfterValidator(_topic),
    ] = "yacht"
    station: Annotated[
        Annotated[str, AfterValidator(_station)] | None,
        Field(title="Station", description="Its name in topics; left out, the machine's."),
    ] = None
    home_assistant: Annotated[
        Annotated[str, AfterValidator(_topic)] | None,
        Field(
            title="Home Assistant",
            description="Its prefix of discovery, homeassistant where nobody changed it; left out: not told.",
        ),
    ] = None
    control: Annotated[
        bool, Field(title="Control", description="Whether confirm and undo may be pressed from there.")
    ] = False
    picture: Annotated[
        bool, Field(title="Picture", description="Whether the tray's picture is told with every roll.")
    ] = False

    @model_validator(mode="after")
    def _nothing_alone(self) -> "Mqtt":
        if self.ca is not None and not self.tls:
            raise BadInputError("config/ca-alone")
        if self.password_file is not None and self.user is None:
            raise BadInputError("config/password-alone")
        return self

    @property
    def port_used(self) -> int:
        """The port, or the usual one."""
        return self.port or (8883 if self.tls else 1883)

    @property
    def address(self) -> str:
        """Host and port."""
        return f"{self.host}:{self.port_used}"

    @property
    def station_used(self) -> str:
        """The station's name in topics."""
        return self.station or re.sub(r"[^A-Za-z0-9_-]", "-", socket.gethostname())[:64] or "station"

    @property
    def base(self) -> str:
        """What the station's topics begin with. The 1 is the version of what stands in them."""
        return f"{self.topic}/1/{self.station_used}"


class Homes(Group):
    """One game in two homes, over the broker; off by default."""

    host: Annotated[
        Annotated[str, AfterValidator(_station)] | None,
        Field(title="Plays along at", description="The station that keeps the game this one plays along in."),
    ] = None
    guests: Annotated[
        tuple[Annotated[str, AfterValidator(_station)], ...],
        Field(max_length=8, title="Play along here", description="The stations that may, by their names."),
    ] = ()
    pictures: Annotated[
        bool,
        Field(
            title="Pictures of dice",
            description="Whether the other home sees small pictures of the dice thrown here.",
        ),
    ] = False


def _address(url: str) -> str:
    """Of a page: http or https, a host, and no name and password in it."""
    try:
        parts = urlsplit(url)
        good = parts.scheme in {"http", "https"} and parts.hostname and "@" not in parts.netloc
        _ = parts.port
    except ValueError:
        good = False
    if not good or not url.isascii() or not url.isprintable() or " " in url:
        raise BadInputError("config/no-address", url=url)
    return url


class Receiver(Group):
    """Somebody who is told what happens, and by this name remembered how far."""

    name: Annotated[str, Field(title="Name", description="A word of yours."), AfterValidator(_station)]
    url: Annotated[
        str, Field(title="Address", description="It begins with http or https."), AfterValidator(_address)
    ]


class Webhook(Receiver):
    """A program that is told by a signed request."""

    secret_file: Annotated[
        Path, Field(title="Secret file", description="Holds what it knows the station's signature by.")
    ]
    events: Annotated[
        tuple[Kind, ...], Field(min_length=1, title="Events", description="Left out: everything.")
    ] = tuple(Kind)


class Wled(Receiver):
    """A lamp that shows a preset when something happens."""

    presets: Annotated[
        dict[Kind, Annotated[int, Field(ge=1, le=250)]],
        Field(min_length=1, title="Presets", description="Event -> number of the preset."),
    ]
