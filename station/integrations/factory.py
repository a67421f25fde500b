"""From the settings to the parts that publish the table."""

import logging
from collections.abc import Callable, Sequence

from messages.message import Message
from station.config import Config
from station.config.extras import installed
from station.contract.averages import Average
from station.contract.check import Check, Level
from station.contract.pairing import Pairing
from station.integrations.extra import Integration, Parts
from station.integrations.outbox import Outbox, forget
from station.store import Store
from station.table.table import Table

log = logging.getLogger(__name__)


def open_integrations(
    config: Config,
    store: Store,
    table: Table,
    picture: Callable[[], bytes | None],
    *,
    own: bool = True,
    pair: Callable[[Pairing | None], object] = lambda _: None,
    averages: Callable[[], Sequence[Average]] = tuple,
) -> tuple[tuple[Integration, ...], tuple[Check, ...]]:
    """Those the settings name, not started yet, and what health says of extras that are not to be had.

    Of what nobody wants not even the module is loaded. picture: the tray as a JPEG; None while there is none.
    own: the games on the table are this station's own. pair: shows who meets here next. averages: of all who
    played here.
    """
    receivers: list[str] = []

    def outbox(name: str) -> Outbox:
        receivers.append(name)
        return Outbox(store, name, config.language, own=own)

    parts = Parts(
        subscribe=table.subscribe,
        outbox=outbox,
        press=table.press,
        picture=picture,
        station=config.mqtt.station_used,
        language=config.language,
        data=config.data,
        pair=pair,
        averages=averages,
    )
    found: list[Integration] = []
    failed = dict(installed().failed)
    for name, extra in installed().extras.items():
        try:
            opened = extra.open(config, parts)
        except Exception as error:
            log.exception("the extra %s cannot be started", name)
            failed[name] = str(error) or type(error).__name__
        else:
            found += () if opened is None else (opened,)
    if not failed:  # what waits for one of them is delivered when it is back
        forget(store, receivers)
    return tuple(found), tuple(
        Check("extras", Level.WARNING, Message("health/extras/failed", extra=name, why=why))
        for name, why in failed.items()
    )
