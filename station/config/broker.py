"""The connection to a broker, and who plays over it."""

import re
import socket
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field, model_validator

from messages.errors import BadInputError
from station.config.group import Group, Name


def _topic(topic: str) -> str:
    """One or several words that can stand in a topic, divided by slashes."""
    if not re.fullmatch(r"[^+#/\x00-\x1f]+(/[^+#/\x00-\x1f]+)*", topic):
        raise BadInputError("config/no-topic", topic=topic)
    return topic


Topic = Annotated[str, AfterValidator(_topic)]


class Mqtt(Group):
    """The connection to a broker; none without a host."""

    host: Annotated[
        str | None,
        Field(
            min_length=1, title="Broker", description="Its name or address; left out: nothing is published."
        ),
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
        Name | None,
        Field(title="Station", description="Its name in topics; left out, the machine's."),
    ] = None

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
        """The prefix of the station's topics. The 1 is the version of their content."""
        return f"{self.topic}/1/{self.station_used}"
