"""The proxy in front of the station."""

import ipaddress
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from messages.errors import BadInputError
from station.config.group import Group

Header = Literal["X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host"]


def _network(address: str) -> str:
    try:
        ipaddress.ip_network(address)
    except ValueError:
        raise BadInputError("config/no-network", address=address) from None
    return address


class ProxySettings(Group):
    """Who passes requests on to the station, and what is believed of what it says."""

    addresses: Annotated[
        tuple[Annotated[str, AfterValidator(_network)], ...],
        Field(title="Addresses", description="From which it asks: 127.0.0.1, or a network: 172.17.0.0/16."),
    ] = ()
    headers: Annotated[
        tuple[Header, ...],
        Field(
            title="Headers", description="Those that it sets itself in each request; no others are believed."
        ),
    ] = ("X-Forwarded-For", "X-Forwarded-Proto")
