"""Tells an MQTT broker of the table, and Home Assistant what the station offers."""

from typing import Annotated

from pydantic import Field

from station.config.broker import Mqtt, Topic
from station.config.group import Group
from station.integrations.extra import Extra, Integration, Parts


class MqttSettings(Mqtt):
    """Settings of the broker; nothing is published without a host."""

    home_assistant: Annotated[
        Topic | None,
        Field(
            title="Home Assistant",
            description="Its discovery prefix, by default homeassistant; left out: no discovery.",
        ),
    ] = None
    control: Annotated[
        bool, Field(title="Control", description="Whether confirm and undo may be pressed from there.")
    ] = False
    picture: Annotated[
        bool, Field(title="Picture", description="Whether the tray's picture is published with every roll.")
    ] = False
    averages: Annotated[
        bool,
        Field(title="Averages", description="Whether every player's games, wins and average are published."),
    ] = False


class Settings(Group):
    """The extra's group in the settings file."""

    mqtt: Annotated[MqttSettings, Field(title="Broker")] = MqttSettings()


def _open(settings: Settings, parts: Parts) -> Integration | None:
    if settings.mqtt.host is None:
        return None
    from station.extras.mqtt.publisher import MqttPublisher

    return MqttPublisher(settings.mqtt, parts)


EXTRA = Extra(Settings, _open)
