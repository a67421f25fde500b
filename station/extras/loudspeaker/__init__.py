"""Says throws and scores by a loudspeaker at the station."""

from typing import Annotated

from pydantic import Field

from station.config.group import Group
from station.integrations.extra import Extra, Integration, Parts


class Loudspeaker(Group):
    """A loudspeaker at the station, for which espeak-ng speaks."""

    on: Annotated[bool, Field(title="On", description="Whether the station says throws and scores.")] = False
    volume: Annotated[int, Field(ge=1, le=100, title="Volume", description="In per cent.")] = 60
    needs: Annotated[
        bool, Field(title="What is needed", description="Also what the next throw has to bring: “two 1s”.")
    ] = False
    quiet_from: Annotated[
        int, Field(ge=0, le=23, title="Quiet from", description="The hour from which it says nothing.")
    ] = 22
    quiet_until: Annotated[
        int, Field(ge=0, le=23, title="Quiet until", description="The same as quiet_from: never quiet.")
    ] = 7


class Settings(Group):
    """The extra's group in the settings file."""

    loudspeaker: Annotated[Loudspeaker, Field(title="Loudspeaker")] = Loudspeaker()


def _open(settings: Settings, parts: Parts) -> Integration | None:
    if not settings.loudspeaker.on:
        return None
    from station.extras.loudspeaker.voice import LoudspeakerVoice

    return LoudspeakerVoice(settings.loudspeaker, parts)


EXTRA = Extra(Settings, _open, {"loudspeaker": ("on", "volume", "needs", "quiet_from", "quiet_until")})
