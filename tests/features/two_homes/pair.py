"""Two tables that play together, with both ends of the line between them in this process."""

from pathlib import Path
from typing import Any

from station.config import Mqtt
from station.contract.check import Level
from station.features.two_homes.homes import Home
from station.features.two_homes.line.ends import GuestLine, HostLine
from station.features.two_homes.line.mirror import MirrorLog
from station.game.events import RollAccepted
from station.game.log.slots import Die
from station.store import Store
from station.table.table import Table
from tests.asking import do
from tests.features.two_homes.following import follows
from tests.integrations.mosquitto import Mosquitto, until

BASE = "yacht/1/kitchen/homes"


class Pair:
    """Both tables with their ends of the line, in this process."""

    def __init__(self, folder: Path, broker: Mosquitto, **more: Any) -> None:
        at = {"host": "127.0.0.1", "port": broker.port, **more}
        lines = [Mqtt.model_validate({**at, "station": name}) for name in ("kitchen", "berlin")]
        self.store, self.other = Store(folder / "kitchen"), Store(folder / "berlin")
        self.kitchen = Table(self.store, at_table=[Home(guests=("berlin",))])
        self.mirror = MirrorLog(self.other)
        self.berlin = Table(self.mirror, at_table=[Home(name="berlin", fair=self.mirror.draw)])
        self.host = HostLine(lines[0], self.kitchen, ["berlin"])
        self.guest = GuestLine(lines[1], self.berlin, self.mirror, "kitchen", "en")

    def begin(self, *, without_tray: bool = False) -> None:
        self.start()
        until(self.stands)
        self.play(without_tray=without_tray)

    def start(self) -> None:
        self.host.start()
        self.guest.start()

    def play(self, *, without_tray: bool = False) -> None:
        players = [{"name": "Ben", "home": "berlin", "without_tray": without_tray}, "Ana"]
        do(self.kitchen, {"command": "start_game", "players": players, "rules": "yacht-1938"})
        until(self.alike)

    def stands(self) -> bool:
        return all(each.check().status is Level.OK for each in (self.host, self.guest))

    def alike(self) -> bool:
        return follows(self.host, self.mirror, self.kitchen, self.berlin)

    def close(self) -> None:
        for line in (self.host, self.guest):
            line.stop(20)
        for each in (self.kitchen, self.berlin, self.store, self.other):
            each.close()


def roll(*faces: int) -> RollAccepted:
    return RollAccepted(tuple(Die(slot + 1, face, None) for slot, face in enumerate(faces)), typed=True)
