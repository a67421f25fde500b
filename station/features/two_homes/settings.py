"""The settings of the other home with which this station plays one game."""

from typing import TYPE_CHECKING, Annotated, Self, cast

from pydantic import Field, model_validator

from messages.errors import BadInputError
from station.config.group import Group, Name

if TYPE_CHECKING:
    from station.config.settings import Config


class Homes(Group):
    """One game in two homes, over the broker; off by default."""

    host: Annotated[
        Name | None,
        Field(title="Plays along at", description="The station that keeps the game this one plays along in."),
    ] = None
    guests: Annotated[
        tuple[Name, ...],
        Field(max_length=8, title="Play along here", description="The stations that may, by their names."),
    ] = ()
    pictures: Annotated[
        bool,
        Field(
            title="Pictures of dice",
            description="Whether the other home sees small pictures of the dice thrown here.",
        ),
    ] = False


class HomesSettings(Group):
    """Their group of the settings file."""

    homes: Annotated[Homes, Field(title="Two homes")] = Homes()

    @model_validator(mode="after")
    def _homes_over_a_broker(self) -> Self:
        homes, mqtt = self.homes, cast("Config", self).mqtt
        if (homes.host or homes.guests) and mqtt.host is None:
            raise BadInputError("config/homes-alone")
        if homes.host and (homes.guests or homes.host == mqtt.station_used):
            raise BadInputError("config/homes-both")
        return self
