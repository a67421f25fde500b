"""From the settings to those who are told of the table."""

from collections.abc import Callable
from datetime import datetime
from typing import Protocol

from station.camera.home_pictures import HomePictures
from station.config import Config
from station.data_folder import THROWS_KEY
from station.health.checks import Check
from station.health.supervisor import Part
from station.integrations.mirror import MirrorLog
from station.integrations.outbox import Outbox, forget
from station.integrations.retained import FILE_NAME, RetainedTopics
from station.store import Store, wall_clock
from station.table import Table


class Integration(Part, Protocol):
    """Tells others of the table, in a thread of its own; nobody waits for it."""

    def start(self) -> None:
        """Begin."""

    def ask_to_stop(self) -> None:
        """Come to an end."""

    def stop(self, timeout_s: float) -> None:
        """Wait for it, at most that long."""

    def check(self) -> Check:
        """How it is, for health."""


def open_integrations(
    config: Config,
    store: Store,
    table: Table,
    picture: Callable[[], bytes | None],
    mirror: MirrorLog | None = None,
    pictures: HomePictures | None = None,
) -> tuple[Integration, ...]:
    """Those the settings name, not started yet; of what nobody wants not even the module is loaded.

    picture: the tray as a JPEG; None while there is none. mirror: the log of a station that plays along.
    pictures: of dice, for a game in two homes.
    """
    brokers = (*_broker(config, store, table, picture), *_homes(config, table, mirror, pictures))
    hooks = _webhooks(config, store, table)
    wanted = {"mqtt" for _ in brokers}
    wanted |= {f"webhook:{each.name}" for each in config.webhooks} | {
        f"wled:{each.name}" for each in config.wled
    }
    forget(store, wanted)
    return (*brokers, *hooks, *_display(config, table), *_loudspeaker(config, table))


def _display(config: Config, table: Table) -> tuple[Integration, ...]:
    if config.display.kind == "none":
        return ()
    from station.devices.ssd1306 import Ssd1306  # noqa: PLC0415 - Pillow takes memory
    from station.integrations.display import TableDisplay  # noqa: PLC0415 - as above

    return (TableDisplay(lambda: Ssd1306(config.display), table.subscribe, config.language),)


def _broker(
    config: Config, store: Store, table: Table, picture: Callable[[], bytes | None]
) -> tuple[Integration, ...]:
    if config.mqtt.host is None:
        return ()
    from station.integrations.mqtt import MqttPublisher  # noqa: PLC0415 - paho takes memory

    publisher = MqttPublisher(
        config.mqtt,
        subscribe=table.subscribe,
        outbox=Outbox(store, "mqtt", config.language, own=config.homes.host is None),
        retained=RetainedTopics(config.data / FILE_NAME),
        language=config.language,
        press=table.press,
        picture=picture,
    )
    return (publisher,)


def _loudspeaker(config: Config, table: Table) -> tuple[Integration, ...]:
    if not config.loudspeaker.on:
        return ()
    from station.integrations.loudspeaker import LoudspeakerVoice  # noqa: PLC0415 - as above

    voice = LoudspeakerVoice(
        config.loudspeaker,
        language=config.language,
        subscribe=table.subscribe,
        now=lambda: datetime.now().astimezone(),
    )
    return (voice,)


def mirror_log(config: Config, store: Store) -> MirrorLog | None:
    """The log of a table that plays along in another home's game; None where it keeps its own."""
    return None if config.homes.host is None else MirrorLog(store)


def _homes(
    config: Config, table: Table, mirror: MirrorLog | None, pictures: HomePictures | None
) -> tuple[Integration, ...]:
    if config.homes.host is None and not config.homes.guests:
        return ()
    from station.integrations.homes import GuestLine, HostLine  # noqa: PLC0415 - as above

    if config.homes.host is not None and mirror is not None:
        return (GuestLine(config.mqtt, table, mirror, config.homes.host, config.language, pictures),)
    return (HostLine(config.mqtt, table, config.homes.guests, config.data / THROWS_KEY, pictures),)


def _webhooks(config: Config, store: Store, table: Table) -> tuple[Integration, ...]:
    if not config.webhooks and not config.wled:
        return ()
    from station.integrations import webhooks  # noqa: PLC0415 - as above

    station = config.mqtt.station_used
    named = [
        (f"webhook:{each.name}", webhooks.webhook(each, station, wall_clock)) for each in config.webhooks
    ]
    named += [(f"wled:{each.name}", webhooks.wled(each)) for each in config.wled]
    senders = [
        webhooks.Sender(receiver, Outbox(store, name, config.language), table.subscribe)
        for name, receiver in named
    ]
    return (webhooks.Webhooks(senders),)
