"""The board with a hundred tables: how long from a box at a table to the screens, and what memory it takes.

A real Mosquitto and `yacht board` in a process of its own; here a thread publishes as a hundred stations do
(a state for each box, and the end of each game), and others listen as screens. The clock is that of this
process alone. `YACHT_TABLES`, `YACHT_GAME_S` and `YACHT_SECONDS` say how many tables, how long a game takes
at each, and for how long.
"""

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path
from typing import Any

from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

from station.store.board_log import BoardLog, SqliteFile
from tests.integrations.mosquitto import Mosquitto, free_port

TABLES = int(os.environ.get("YACHT_TABLES", "100"))
SECONDS = float(os.environ.get("YACHT_SECONDS", "60"))
BOXES = 12
GAME_S = float(os.environ.get("YACHT_GAME_S", "5"))
"""A game of twelve boxes takes so long at each table; people take a hundred times as long."""
CLIENTS = 10
BROKER = "allow_anonymous true\nautosave_interval 60\nautosave_on_changes false\n"
"""As Debian's Mosquitto keeps what it has, but oftener."""
CATEGORIES = [f"box-{number}" for number in range(BOXES)]
ROWS = [f"row {number} of a sheet, as a station tells it with every state" for number in range(30)]
"""Pads a state to the size it has from a station."""


class Tables:
    """A hundred stations in a few clients. sent: when each version of a table was published, seconds."""

    def __init__(self, port: int) -> None:
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
            self._box(f"hall-{table:03}", 1 + box // BOXES, box % BOXES, 1 + box)
            due_s += pause_s
            time.sleep(max(due_s - time.monotonic(), 0.0))

    def _box(self, name: str, game: int, box: int, total: int) -> None:
        over = box == BOXES - 1
        event = 2 * total
        self.boxes += 1
        self.games += over
        if over:
            scores = [{"name": f"{name} A", "total": total}, {"name": f"{name} B", "total": 0}]
            told = {"event": event, "kind": "game_over", "game": game, "at": "", "late": False,
                    "ended_by": "complete", "winners": [f"{name} A"], "scores": scores}  # fmt: skip
            self._publish(f"{name}/event/game_over", told)
        boxes = {each: (1 if place <= box else None) for place, each in enumerate(CATEGORIES)}
        players = [
            {"name": f"{name} A", "total": total, "boxes": boxes},
            {"name": f"{name} B", "total": 0, "boxes": boxes},
        ]
        ended: dict[str, object] = {"ended_by": "complete" if over else None, "winners": [0] if over else []}
        shown = {"version": total, "game": game, "phase": "finished" if over else "throwing",
                 "waiting_for": "", "rules_title": "Yacht", "active_player": 0, "players": players,
                 "finished": over, "rows": ROWS, **ended}  # fmt: skip
        self.sent[(name, game, total)] = time.monotonic()
        self._publish(f"{name}/state", shown, retain=True)

    def _publish(self, topic: str, told: dict[str, Any], *, retain: bool = False) -> None:
        client = self.clients[self.boxes % CLIENTS]
        client.publish(f"yacht/1/{topic}", json.dumps(told), 1, retain=retain)

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


def processor_s(pid: int) -> float:
    """Processor seconds a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def run() -> None:
    """Play, and print the table."""
    with tempfile.TemporaryDirectory() as name, Mosquitto(Path(name) / "broker", BROKER) as broker:
        folder = Path(name)
        settings = folder / "board.toml"
        settings.write_text(f'[mqtt]\nhost = "127.0.0.1"\nport = {broker.port}\n', encoding="utf-8")
        port = free_port()
        yacht = [sys.executable, "-c", "from station.cli import main; main()", "board"]
        options = ["--port", str(port), "--host", "127.0.0.1", "--data", name, "--config", str(settings)]
        with subprocess.Popen([*yacht, *options], stdout=subprocess.PIPE, text=True) as board:
            assert board.stdout is not None
            next(line for line in board.stdout if line.startswith("Open:"))
            games = _measure(f"http://127.0.0.1:{port}", broker, board.pid)
            board.terminate()
        kept = BoardLog(SqliteFile(folder / "board"))
        over = sum(each.over for each in kept.since(0))
        kept.close()
        print(f"\nOf {games} games {over} are in the database, each once.")


def _measure(url: str, broker: Mosquitto, pid: int) -> int:
    """Print the figures; how many games were played."""
    time.sleep(2.0)
    screens = [Screen(url) for _ in range(3)]
    for screen in screens:
        screen.start()
    tables = Tables(broker.port)
    warm_s = time.monotonic() + SECONDS / 4
    tables.play(warm_s)
    before_mb, used_s, began_s = memory_mb(pid), processor_s(pid), time.monotonic()
    tables.play(began_s + SECONDS)
    after_mb, used_s = memory_mb(pid), processor_s(pid) - used_s
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
        f" {before_mb:.1f} → {after_mb:.1f} MB | {share:.0%} of a core |"
    )
    return tables.games
