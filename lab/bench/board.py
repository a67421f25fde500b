"""The board with a hundred tables: how long from a box at a table to the screens, and what memory it takes.

A real Mosquitto and `yacht board` in its own process. One thread here publishes like a hundred stations
(a state for each box, and the end of each game), others listen like screens, so all times are from one
clock. Two players at each table play a round robin, which exercises results and standings; after some
rounds they play on for fun. `YACHT_TABLES`, `YACHT_GAME_S` and `YACHT_SECONDS` set the number of tables,
the length of a game and of the run; `--store postgresql` stores the evening on a server, like a league.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import urllib.request
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

from board.steps import ENTRANTS_MAX
from board.store import BoardLog, Database, SqliteFile
from station.testing.station_process import processor_s
from tests.board.postgresql import Postgresql
from tests.integrations.mosquitto import Mosquitto, free_port

TABLES = int(os.environ.get("YACHT_TABLES", "100"))
SECONDS = float(os.environ.get("YACHT_SECONDS", "60"))
BOXES = 12
GAME_S = float(os.environ.get("YACHT_GAME_S", "5"))
"""A game of twelve boxes takes this long at each table; people take a hundred times as long."""
ROUNDS = 5
"""Of the evening; a club of two hundred plays no more in one."""
QUARTERS = 4
"""How often the memory is measured."""
CLIENTS = 10
BROKER = "allow_anonymous true\nautosave_interval 60\nautosave_on_changes false\n"
"""As Debian's Mosquitto keeps what it has, but oftener."""
CATEGORIES = [f"box-{number}" for number in range(BOXES)]
ROWS = [f"row {number} of a sheet, as a station tells it with every state" for number in range(30)]
"""Pads a state to the size it has from a station."""


class Evening:
    """Rounds of a round robin for two from each table, by the pages of the board; all others play for fun."""

    def __init__(self, url: str) -> None:
        self._url = url
        seats = [f"hall-{table:03} {seat}" for table in range(TABLES) for seat in "AB"]
        self._fun = [(f"guest {seats[i]}", f"guest {seats[i + 1]}") for i in range(0, len(seats), 2)]
        self._pairs: list[tuple[str, str]] = []
        self._drawn = 0
        self._post("open", title="Club", system="round-robin")
        self._post("enter", names="\n".join(seats[:ENTRANTS_MAX]))

    def pair(self, game: int, table: int) -> tuple[str, str]:
        """Who sits at that table for that game, from 1; the round is drawn when it is asked for first."""
        if self._drawn < game <= ROUNDS:
            self._post("draw")
            self._drawn = game
            with urllib.request.urlopen(f"{self._url}/api/v1/board") as answer:  # noqa: S310 - our own http
                games = json.load(answer)["evening"]["rounds"][-1]["games"]
            self._pairs = [tuple(each["players"]) for each in games]
        return self._pairs[table] if game <= ROUNDS and table < len(self._pairs) else self._fun[table]

    def _post(self, what: str, **fields: object) -> None:
        data = urllib.parse.urlencode(fields).encode()
        urllib.request.urlopen(f"{self._url}/organise/{what}", data).close()  # noqa: S310 - our own http


class Tables:
    """A hundred stations in a few clients. sent: when each version of a table was published, seconds."""

    def __init__(self, port: int, evening: Evening) -> None:
        self._evening = evening
        self.clients = [
            Client(CallbackAPIVersion.VERSION2, f"tables-{each}", protocol=MQTTProtocolVersion.MQTTv5)
            for each in range(CLIENTS)
        ]
        for client in self.clients:
            client.connect("127.0.0.1", port)
            client.loop_start()
        self.sent: dict[tuple[str, int, int], float] = {}
        self.games = self.boxes = 0

    def play(self, until_s: float) -> None:
        """Box after box, at each table in its turn."""
        pause_s = GAME_S / BOXES / TABLES
        due_s = time.monotonic()
        while due_s < until_s:
            table, box = self.boxes % TABLES, self.boxes // TABLES
            pair = self._evening.pair(1 + box // BOXES, table)
            self._box(f"hall-{table:03}", 1 + box // BOXES, box % BOXES, 1 + box, pair)
            due_s += pause_s
            time.sleep(max(due_s - time.monotonic(), 0.0))

    def _box(self, name: str, game: int, box: int, total: int, pair: tuple[str, str]) -> None:
        over = box == BOXES - 1
        event = 2 * total
        self.boxes += 1
        self.games += over
        if over:
            scores = [{"name": pair[0], "total": total}, {"name": pair[1], "total": 0}]
            end = {"event": event, "kind": "game_over", "game": game, "game_id": f"{name}-{game}", "at": "",
                    "late": False, "ended_by": "complete", "winners": pair[:1], "scores": scores}  # fmt: skip
            self._publish(f"{name}/event/game_over", end)
        boxes = {each: (1 if place <= box else None) for place, each in enumerate(CATEGORIES)}
        players = [
            {"name": pair[0], "total": total, "boxes": boxes},
            {"name": pair[1], "total": 0, "boxes": boxes},
        ]
        ended: dict[str, object] = {"ended_by": "complete" if over else None, "winners": [0] if over else []}
        shown = {"version": total, "game": game, "game_id": f"{name}-{game}", "waiting_for": "",
                 "phase": "finished" if over else "throwing", "rules_title": "Yacht", "active_player": 0,
                 "players": players, "finished": over, "rows": ROWS, **ended}  # fmt: skip
        self.sent[(name, game, total)] = time.monotonic()
        self._publish(f"{name}/state", shown, retain=True)

    def _publish(self, topic: str, payload: dict[str, Any], *, retain: bool = False) -> None:
        client = self.clients[self.boxes % CLIENTS]
        client.publish(f"yacht/1/{topic}", json.dumps(payload), 1, retain=retain)

    def close(self) -> None:
        """Hang up."""
        for client in self.clients:
            client.disconnect()
            client.loop_stop()


class Screen(threading.Thread):
    """Listens as a screen does. seen: when each version of a table came, seconds."""

    def __init__(self, url: str) -> None:
        super().__init__(daemon=True)
        self.line = urllib.request.urlopen(f"{url}/api/v1/board/live")  # noqa: S310 - our own http
        self.seen: dict[tuple[str, int, int], float] = {}

    def run(self) -> None:
        """Until the line ends."""
        for line in self.line:
            if line.startswith(b'data: {"tables"'):
                now_s = time.monotonic()
                for table in json.loads(line[6:])["tables"]:
                    if table["players"]:
                        self.seen[(table["table"], table["game"], table["players"][0]["total"])] = now_s


def memory_mb(pid: int) -> float:
    """What a process keeps for itself (PSS)."""
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) / 1024
    return 0.0


def run(options: Sequence[str] = ()) -> None:
    """Play, and print the table."""
    parser = argparse.ArgumentParser(prog="bench board")
    parser.add_argument("--store", choices=("sqlite", "postgresql"), default="sqlite")
    store = parser.parse_args(options).store
    with ExitStack() as opened:
        name = opened.enter_context(tempfile.TemporaryDirectory())
        broker = opened.enter_context(Mosquitto(Path(name) / "broker", BROKER))
        server = opened.enter_context(Postgresql()) if store == "postgresql" else None
        folder = Path(name)
        settings = folder / "board.toml"
        settings_text = f'[mqtt]\nhost = "127.0.0.1"\nport = {broker.port}\n'
        if server is not None:
            settings_text += f'[board]\ndatabase = "{server.url}"\n'
            settings_text += f'database_password_file = "{server.password_file}"\n'
        settings.write_text(settings_text, encoding="utf-8")
        port = free_port()
        yacht = [sys.executable, "-c", "from station.cli import main; main()", "board"]
        options = ["--port", str(port), "--host", "127.0.0.1", "--data", name, "--config", str(settings)]
        with subprocess.Popen([*yacht, *options], stdout=subprocess.PIPE, text=True) as board:
            assert board.stdout is not None
            next(line for line in board.stdout if line.startswith("Open:"))
            games = _measure(f"http://127.0.0.1:{port}", broker, board.pid)
            board.terminate()
        kept = BoardLog(database(folder, server))
        over = sum(each.over for each in kept.since(0))
        kept.close()
        print(f"\nOf {games} games {over} are in the database, each once.")


def database(folder: Path, server: Postgresql | None) -> Database:
    """Where the evening was kept."""
    if server is None:
        return SqliteFile(folder / "board")
    from board.postgresql import PostgresqlServer  # noqa: PLC0415 - psycopg, only where it is asked for

    return PostgresqlServer(server.url, server.password_file)


def _measure(url: str, broker: Mosquitto, pid: int) -> int:
    """Print the figures; how many games were played."""
    time.sleep(2.0)
    screens = [Screen(url) for _ in range(3)]
    for screen in screens:
        screen.start()
    tables = Tables(broker.port, Evening(url))
    tables.play(time.monotonic() + SECONDS / QUARTERS)
    memory, used_s, began_s = [memory_mb(pid)], processor_s(pid), time.monotonic()
    for quarter in range(1, QUARTERS + 1):
        tables.play(began_s + SECONDS * quarter / QUARTERS)
        memory.append(memory_mb(pid))
    used_s = processor_s(pid) - used_s
    share = used_s / (time.monotonic() - began_s)
    time.sleep(3.0)
    tables.close()
    took = sorted(
        1000 * (screen.seen[key] - sent_s)
        for screen in screens
        for key, sent_s in tables.sent.items()
        if key in screen.seen
    )
    boxes, shown = len(tables.sent), len(took) / len(screens)
    print("| tables | boxes a second | games | boxes shown | median | p99 | longest | memory | processor |")
    print("|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
    print(
        f"| {TABLES} | {boxes / (1.25 * SECONDS):.0f} | {tables.games} | {shown / boxes:.1%} |"
        f" {took[len(took) // 2]:.0f} ms | {took[len(took) * 99 // 100]:.0f} ms | {took[-1]:.0f} ms |"
        f" {' → '.join(f'{each:.1f}' for each in memory)} MB | {share:.0%} of a core |"
    )
    return tables.games
