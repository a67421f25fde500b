"""The running part of a game in two homes: the line, the log that follows it, pictures of dice."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from station.camera.moments import Moments
from station.config import Config
from station.features.two_homes.fair_throw import THROWS_KEY, alone
from station.features.two_homes.homes import Home, shared
from station.features.two_homes.line.home_pictures import BYTES_MAX, CUT_PX, HomePictures
from station.features.two_homes.line.mirror import MirrorLog
from station.features.two_homes.line.other_home import OtherHome
from station.game.log.state import State
from station.integrations.extra import Integration
from station.running import FeatureParts, Running
from station.store.event_log import EventLog

if TYPE_CHECKING:
    from station.features.two_homes.settings import HomesSettings


class OneHome(Running):
    """One of the homes; alone, where the settings name no other."""

    _moments: Moments
    _home: OtherHome

    def __init__(self, config: Config, store: EventLog) -> None:
        self._config, self._settings = config, cast("HomesSettings", config).homes
        settings = self._settings
        self.log = self._mirror = mirror = None if settings.host is None else MirrorLog(store)
        name = "" if mirror is None else config.mqtt.station_used
        drawn, tell = (alone, None) if mirror is None else (mirror.draw, mirror.question)
        self.at_table = Home(name, settings.guests, drawn, tell)
        self._pictures = HomePictures(name, self._cut_out if settings.pictures else None)

    def join(self, parts: FeatureParts) -> Sequence[Integration]:
        """The end of the line that is here."""
        self._moments, self._home = parts.moments, OtherHome(parts.table)
        config, settings = self._config, self._settings
        if settings.host is None and not settings.guests:
            return ()
        from station.features.two_homes.line.ends import GuestLine, HostLine  # noqa: PLC0415 - paho takes memory

        if settings.host is not None and self._mirror is not None:
            return (
                GuestLine(
                    config.mqtt, parts.table, self._mirror, settings.host, config.language, self._pictures
                ),
            )
        return (
            HostLine(config.mqtt, parts.table, settings.guests, config.data / THROWS_KEY, self._pictures),
        )

    def thrown(self, state: State) -> None:
        """Show pictures of the dice to the other home."""
        made = self._pictures.thrown(state) if shared(state) else None
        if made is not None:
            tell = (made.home, made.throw, len(made.jpegs), made.name)
            self._home.pictured(*tell, lambda: self._pictures.keep(made))

    def picture(self, name: str, slot: int) -> bytes | None:
        """The picture of a die of a last throw."""
        return self._pictures.find(name, slot)

    def _cut_out(self, x: float, y: float) -> bytes | None:
        """The die that lay at x, y (px)."""
        return self._moments.die_jpeg(x, y, edge_px=CUT_PX, bytes_max=BYTES_MAX)
