"""From the settings to those who are told of the table."""

import logging
from collections.abc import Callable

from messages.message import Message
from station.camera.home_pictures import HomePictures
from station.config import Config
from station.config.extras import installed
from station.contract.check import Check, Level
from station.data_folder import THROWS_KEY
from station.integrations.extra import Integration, Parts
from station.integrations.mirror import MirrorLog
from station.integrations.outbox import Outbox, forget
from station.store import Store
from station.table.table import Table

log = logging.getLogger(__name__)


def open_integrations(
    config: Config,
    store: Store,
    table: Table,
    picture: Callable[[], bytes | None],
    mirror: MirrorLog | None = None,
    pictures: HomePictures | None = None,
) -> tuple[tuple[Integration, ...], tuple[Check, ...]]:
    """Those the settings name, not started yet, and what health says of extras that are not to be had.

    Of what nobody wants not even the module is loaded. picture: the tray as a JPEG; None while there is none.
    mirror: the log of a station that plays along. pictures: of dice, for a game in two homes.
    """
    told: list[str] = []

    def outbox(name: str) -> Outbox:
        told.append(name)
        return Outbox(store, name, config.language, own=config.homes.host is None)

    parts = Parts(
        subscribe=table.subscribe,
        outbox=outbox,
        press=table.press,
        picture=picture,
        station=config.mqtt.station_used,
        language=config.language,
        data=config.data,
    )
    found = list(_homes(config, table, mirror, pictures))
    failed = dict(installed().failed)
    for name, extra in installed().extras.items():
        try:
            opened = extra.open(config, parts)
        except Exception as error:
            log.exception("the extra %s cannot be started", name)
            failed[name] = str(error) or type(error).__name__
        else:
            found += () if opened is None else (opened,)
    if not failed:  # who waits for one of them is told when it is back
        forget(store, told)
    return tuple(found), tuple(
        Check("extras", Level.WARNING, Message("health/extras/failed", extra=name, why=why))
        for name, why in failed.items()
    )


def mirror_log(config: Config, store: Store) -> MirrorLog | None:
    """The log of a table that plays along in another home's game; None where it keeps its own."""
    return None if config.homes.host is None else MirrorLog(store)


def _homes(
    config: Config, table: Table, mirror: MirrorLog | None, pictures: HomePictures | None
) -> tuple[Integration, ...]:
    if config.homes.host is None and not config.homes.guests:
        return ()
    from station.integrations.homes import GuestLine, HostLine  # noqa: PLC0415 - paho takes memory

    if config.homes.host is not None and mirror is not None:
        return (GuestLine(config.mqtt, table, mirror, config.homes.host, config.language, pictures),)
    return (HostLine(config.mqtt, table, config.homes.guests, config.data / THROWS_KEY, pictures),)
