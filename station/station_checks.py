"""The checks of a running station, for its page: those of `yacht doctor`, and the age of the last frame."""

from typing import TYPE_CHECKING

from station.config.machine import on_a_pi
from station.contract.check import Check, Level
from station.health import checks, diagnosis
from station.store import wall_clock

if TYPE_CHECKING:
    from messages.message import Message
    from station.app import Station
    from station.server.tls import Certificate


def of_station(station: "Station") -> tuple[Check, ...]:
    """All of them."""
    state, config, camera, store = station.table.snapshot(), station.config, station.camera, station.store
    opened = camera.opened
    return (
        diagnosis.watched(state.camera, camera.watcher.frame_age_s, opened.camera, opened.came),
        diagnosis.panel(state.buttons, config, on_a_pi=on_a_pi()),
        *checks.quickness(camera.offered_s),
        checks.writing(store.writes.going_on_s, store.writes.longest_s),
        station.watch.supervisor.check(),
        *checks.machine(config.data, opened.profiles.active, scarce=config.limits.scarce, games=store.count),
        *of_https(station.entrances.certificate),
        *(integration.check() for integration in station.integrations),
        *station.extras_failed,
        *(Check("copies", Level.WARNING, message) for message in station.kept.copier.failed[:1]),
        *(Check("log", Level.WARNING, message) for message in (store.doubt,) if message is not None),
    )


def of_https(certificate: "Certificate | Message | None") -> tuple[Check, ...]:
    """The check of the certificate that https uses, read at the start; nothing without https."""
    return checks.https(certificate, wall_clock())
