"""One game in two homes: two real stations, a real broker with TLS, and what can break between them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

import pytest

from tests.integrations.mosquitto import Mosquitto, certificate, needed, until
from tests.process.station import RunningStation

pytestmark = [needed, pytest.mark.slow]


class Home:
    """A station that can be killed and started again."""

    def __init__(self, folder: Path, name: str, settings: str, seed: int) -> None:
        self.folder, self.name, self._settings, self._seed = folder / name, name, settings, seed
        self.station: RunningStation | None = None

    def start(self) -> None:
        self.station = RunningStation(self.folder, settings=self._settings, seed=self._seed)

    def kill(self) -> None:
        assert self.station is not None
        self.station.kill()
        self.station.close()

    @property
    def at(self) -> RunningStation:
        assert self.station is not None
        return self.station

    def send(self, command: str, **fields: object) -> dict[str, Any]:
        """Carry out a command that must succeed, once the line stands: a loaded machine may lose it."""

        def answered() -> dict[str, Any] | None:
            status, answer = self.at.try_to(command, **fields)
            if status == 422 and answer["error"]["code"] == "homes/line":  # before anything was done
                return None
            assert status == 200, answer
            return answer

        found: dict[str, Any] = until(answered)
        return found

    def health(self) -> dict[str, str]:
        checks = self.at.get("/api/v1/health")["checks"]
        return next(check for check in checks if check["id"] == "homes")


class TwoHomes:
    """The kitchen keeps the game, Berlin plays along."""

    def __init__(self, folder: Path, broker: Mosquitto, ca: Path) -> None:
        line = f'host = "localhost"\nport = {broker.port}\ntls = true\nca = "{ca}"\n'
        self.broker = broker
        self.kitchen = Home(
            folder, "kitchen", f'[mqtt]\nstation = "kitchen"\n{line}[homes]\nguests = ["berlin"]\n', 1
        )
        self.berlin = Home(
            folder, "berlin", f'[mqtt]\nstation = "berlin"\n{line}[homes]\nhost = "kitchen"\n', 2
        )

    def __enter__(self) -> Self:
        self.kitchen.start()
        self.berlin.start()
        return self

    def __exit__(self, *exc: object) -> None:
        for home in (self.kitchen, self.berlin):
            if home.station is not None and home.station.process.poll() is None:
                home.kill()

    def begin(self) -> None:
        self.berlin.at.wait_for(lambda state: state["waiting_for"] == "The other home begins the game")
        players = ["Ana", {"name": "Ben", "home": "berlin"}]
        self.kitchen.send("start_game", players=players, rules="yacht-1938")

    def together(self) -> dict[str, Any]:
        """The state, once both show the same game and the line stands."""

        def same() -> dict[str, Any] | None:
            here, there = self.kitchen.at.state(), self.berlin.at.state()
            waits = [
                each["waiting_for"] for each in (here, there) if "waits for the other" in each["waiting_for"]
            ]
            for tray in (*here["trays"], *there["trays"]):
                del tray["elsewhere"]
            alike = all(here[key] == there[key] for key in ("game", "players", "dice", "phase", "trays"))
            return here if alike and not waits else None

        found: dict[str, Any] = until(same)
        return found

    def sides(self) -> tuple[Home, Home]:
        """Where the active player throws, and the other one."""
        state = self.together()
        away = state["players"][state["active_player"]]["home"] == "berlin"
        return (self.berlin, self.kitchen) if away else (self.kitchen, self.berlin)

    def waits(self, home: Home) -> None:
        home.at.wait_for(lambda state: "waits for the other home" in state["waiting_for"])


def play_through(homes: TwoHomes, between: dict[int, Callable[[], None]]) -> list[int]:
    """Play every box, by typed rolls and thrown ones; what happens between turns, by their number."""
    turn = 0
    points = []
    while not homes.together()["finished"]:
        between.get(turn, lambda: None)()
        here, there = homes.sides()
        state = here.at.state()
        seat = state["active_player"]
        status, answer = there.at.try_to("enter_roll", faces=[6, 6, 6, 6, 6])
        assert (status, answer["error"]["code"]) == (422, "homes/not_here")
        if turn in {2, 3}:  # before the camera
            here.send("throw")
            here.at.wait_for(lambda state: "accept_roll" in state["commands"])
            assert there.at.state()["reading"]["status"] == "empty"
            here.send("accept_roll")
        else:
            here.send("enter_roll", faces=[1 + (turn + i) % 6 for i in range(5)])
        homes.together()
        box = next(box for box, filled in state["players"][seat]["boxes"].items() if filled is None)
        after = here.send("score_box", category=box, force=True)
        points.append(after["players"][seat]["boxes"][box])
        turn += 1
    assert turn == 24
    return points


def test_a_game_in_two_homes_to_the_final_sheet_with_kills_of_each(tmp_path: Path):
    good, key = certificate(tmp_path, "localhost")
    settings = f"allow_anonymous true\ncertfile {good}\nkeyfile {key}\n"
    with Mosquitto(tmp_path / "broker", settings) as broker, TwoHomes(tmp_path, broker, good) as homes:
        homes.begin()
        homes.together()
        homes.berlin.at.post("/api/v1/room/seat", {"name": "Ben"})
        homes.kitchen.send("rename_player", player=1, name="Bert")
        until(lambda: homes.berlin.at.get("/api/v1/room")["seats"] == ["Bert"])
        homes.kitchen.send("undo")
        until(lambda: homes.berlin.at.get("/api/v1/room")["seats"] == ["Ben"])

        def guest_dies() -> None:
            homes.berlin.kill()
            homes.waits(homes.kitchen)
            status, answer = homes.kitchen.at.try_to("enter_roll", faces=[6, 6, 6, 6, 6])
            assert (status, answer["error"]["code"]) == (422, "homes/line")
            homes.berlin.start()

        def host_dies() -> None:
            homes.kitchen.kill()
            homes.waits(homes.berlin)
            assert homes.berlin.at.try_to("undo")[1]["error"]["code"] == "homes/line"
            homes.kitchen.start()

        def broker_dies() -> None:
            homes.broker.kill()
            homes.waits(homes.kitchen)
            homes.waits(homes.berlin)
            assert homes.kitchen.health()["status"] == "warning"
            homes.broker.start()

        def undone() -> None:  # by the guest, of its own box
            homes.berlin.send("undo")
            again = homes.together()["players"][1]["boxes"]
            box = next(box for box, filled in again.items() if filled is None)
            homes.berlin.send("score_box", category=box, force=True)

        points = play_through(homes, {4: undone, 7: guest_dies, 10: host_dies, 15: broker_dies})
        state = homes.together()
        assert sum(player["total"] for player in state["players"]) == sum(points)
        assert [(each["home"], each["player"]) for each in state["trays"]] == [
            (None, "Ana"),
            ("berlin", "Ben"),
        ]
        exported = homes.kitchen.at.get("/api/v1/history")["games"]
        assert len(exported) == 1
        assert homes.berlin.at.get("/api/v1/history")["games"] == []
        assert homes.kitchen.health()["status"] == homes.berlin.health()["status"] == "ok"
