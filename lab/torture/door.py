"""Trials of `make torture` with what is let in: messages of another home, restores that are cut, no files."""

import json
import os
import random
import shutil
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

from lab.torture.row import Row, times
from messages.errors import StoreError
from station.config import Mqtt
from station.data_folder import data_files
from station.features.two_homes.homes import Home
from station.features.two_homes.line.ends import GuestLine, HostLine
from station.features.two_homes.line.mirror import MirrorLog
from station.features.two_homes.line.other_home import OtherHome
from station.store import FILE_NAME, Store, backup
from station.store.event_log import MemoryLog
from station.table.table import Table
from tests.asking import do, shown
from tests.store import damage
from tests.store.test_no_files import PIPES, START, played
from tests.store.test_restore_cut import cut, essence, filled

MESSAGES, ENDS = 20_000, 500
BESIDE = tuple(f"{FILE_NAME}{ending}" for ending in ("", "-wal", "-shm"))
VALUES: tuple[Any, ...] = (
    None, True, -1, 0, 5, 10**9, 10**30, 1.5, float("nan"), float("inf"), "", "\ud800", "a\nb", "x" * 10_000,
    "1e30000000", [], [None], [[None]], {}, {"kind": "undone"}, {"kind": "choosing_begun"},
)  # fmt: skip


class _Silent:
    """A broker that takes everything and brings nothing."""

    is_open = True

    def publish(self, posts: Any) -> None:
        """Nothing comes of it."""


def hostile_messages(share: float) -> Row:
    """Messages of another home of which one value is another one, at both ends of a line; it has to go on."""
    rng, count, lost, wrong, note = random.Random(2026), times(MESSAGES, share), 0, 0, ""  # noqa: S311
    with damage.scratch() as folder, closing(Store(folder)) as store:
        host, guest = _host(), _guest(store)
        number, past = OtherHome(host._table).numbered()  # noqa: SLF001 - as the line does
        log = {"session": host.session, "number": number, "events": [each.to_json() for each in past]}
        ask = {"id": "1", "session": host.session, "after": number, "events": [past[-1].to_json()]}
        question = {"home": "berlin", "throw": "1-1", "slot": 1, "face": 2, "stands": True}
        ends: tuple[tuple[Any, Any, Any], ...] = (
            (guest, guest._follow, log),  # noqa: SLF001
            (host, lambda message: host._on_request("berlin", message), ask),  # noqa: SLF001
            (host, lambda message: host._on_question("berlin", message), question),  # noqa: SLF001
        )
        for turn in range(count):
            line, hear, message = rng.choice(ends)
            payload = json.dumps(_spoilt(message, rng)).encode()
            try:
                line._hears(hear)(payload)  # noqa: SLF001
                line._look(_Silent())  # noqa: SLF001
                json.dumps(shown(line._table), ensure_ascii=False, allow_nan=False).encode()  # noqa: SLF001
            except Exception as error:  # noqa: BLE001 - whatever it is, it would have ended the thread
                wrong, note = wrong + 1, note or f"; {payload[:80]!r}: {error!r}"
            if not turn % 100:  # both go on from there as if nothing had been
                log["number"] = number = number + 1
                line._hears(guest._follow)(json.dumps({**log, "session": f"s{turn}"}).encode())  # noqa: SLF001
                guest._hears(guest._follow)(json.dumps({**log, "session": f"s{turn}"}).encode())  # noqa: SLF001
                guest._look(_Silent())  # noqa: SLF001
                lost += shown(guest._table)["players"] != shown(host._table)["players"]  # noqa: SLF001
    return Row("hostile messages of a home", count, lost, wrong, f"each dropped or taken{note}")


def _spoilt(message: Any, rng: random.Random) -> Any:
    """The same with another value somewhere in it."""
    if isinstance(message, dict) and message and rng.random() < 0.9:
        key = rng.choice(list(message))
        return message | {key: _spoilt(message[key], rng)}
    if isinstance(message, list) and message and rng.random() < 0.9:
        place = rng.randrange(len(message))
        return [*message[:place], _spoilt(message[place], rng), *message[place + 1 :]]
    return rng.choice(VALUES)


def _host() -> Any:
    table = Table(MemoryLog(), at_table=[Home(guests=("berlin",))])
    players = ["Ana", {"name": "Ben", "home": "berlin"}]
    do(table, {"command": "start_game", "players": players, "rules": "yacht-1938"})
    do(table, {"command": "enter_roll", "faces": [1, 2, 3, 4, 6]})
    do(table, {"command": "score_box", "category": "choice"})
    return HostLine(Mqtt(host="b", station="kitchen"), table, ["berlin"])


def _guest(store: Store) -> Any:
    mirror = MirrorLog(store)
    return GuestLine(
        Mqtt(host="b", station="berlin"),
        Table(mirror, at_table=[Home(name="berlin")]),
        mirror,
        "kitchen",
        "en",
    )


def restore_cuts(share: float) -> Row:
    """A restore that ends before each of its steps; the next start has all of one state."""
    with damage.scratch() as folder:
        theirs, mine, copy = filled(folder / "theirs", "Ben"), filled(folder / "mine", "Ana"), folder / "copy"
        backup(theirs, copy, data_files())
        states = essence(mine), essence(theirs)
        steps = cut(shutil.copytree(mine, folder / "whole"), copy, -1)
        tried = range(0, steps, max(1, round(1 / share)))
        half = 0
        for after in tried:
            place = shutil.copytree(mine, folder / "cut")
            cut(place, copy, after)
            half += essence(place) not in states
            shutil.rmtree(place)
    return Row("restores that are cut", len(tried), half, 0, f"{steps} steps, all old or all new")


def lost_ends(share: float) -> Row:
    """The write-ahead log and the note of the last step are both damaged; the loss has to be reported."""
    rng, count, silent, reports = random.Random(2026), times(ENDS, share), 0, 0  # noqa: S311
    with damage.scratch() as folder:
        with closing(Store(folder / "data")) as store:
            do(Table(store), {"command": "start_game", "players": ["Ana"], "rules": "yacht-1938"})
            do(Table(store), {"command": "enter_roll", "faces": [1, 2, 3, 4, 5]})
            last, open_ = store.last_event(), shutil.copytree(folder / "data", folder / "open")
        for _ in range(count):
            place = shutil.copytree(open_, folder / "cut")
            wal, note = place / f"{FILE_NAME}-wal", place / "yacht.last"
            wal.write_bytes(wal.read_bytes()[: rng.randrange(wal.stat().st_size)])
            note.write_bytes(rng.randbytes(rng.choice((0, 100, 1024))))
            try:
                with closing(Store(place)) as store:
                    reported, whole = store.doubt is not None, store.last_event() == last
            except StoreError:
                reported, whole = True, False
            silent, reports = silent + (not whole and not reported), reports + reported
            shutil.rmtree(place)
    return Row("log and note both damaged", count, silent, 0, f"{reports} reported")


def pipes(share: float) -> Row:
    """A pipe in the place of each file of the data folder; the station starts, and says so of the games."""
    names = (*PIPES, *BESIDE)[:: max(1, round(1 / share))]
    wrong = 0
    with damage.scratch() as folder:
        for name in names:
            place = played(folder / "data")
            (place / name).parent.mkdir(exist_ok=True)
            (place / name).unlink(missing_ok=True)
            os.mkfifo(place / name)
            wrong += not _starts(place, "store/no-regular-file" if name in BESIDE else "None")
            shutil.rmtree(place)
    return Row("pipes for files", len(names), 0, wrong, "each start came to its end")


def _starts(place: Path, trouble: str) -> bool:
    command = [sys.executable, "-c", START, str(place)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    except subprocess.TimeoutExpired:
        return False
    return done.stdout.strip() == trouble


TRIALS = (hostile_messages, restore_cuts, lost_ends, pipes)
