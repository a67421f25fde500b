"""Trials of `make torture` with what is kept: kills, damage, bad disks, wrong clocks, bad copies, wear."""

import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import time
from collections import Counter
from contextlib import closing, suppress
from datetime import UTC, datetime
from itertools import repeat
from pathlib import Path
from typing import Any, TextIO

from lab.torture import door
from lab.torture.power import power_cuts
from lab.torture.row import Row, times
from messages.errors import BadInputError, StoreError
from station.copy_trial import try_copy
from station.store import FILE_NAME, DataFiles, Places, Store, chain
from station.store.backups import copies
from station.store.event_log import MemoryLog
from station.store.event_writer import Played
from station.table.table import Table
from tests.asking import do, shown
from tests.store import damage

KILLS, FLIPS, CUTS, COPIES, JUMPS, GAMES = 500, 750, 250, 20_000, 100, 1000
FAILING = ("pwrite64", "fdatasync", "fsync", "ftruncate")
"""The system calls by which SQLite and the note of the last event reach a disk."""

WROTE_BEFORE = 2_040_000
"""Bytes that a game of two wrote before each event was one page and a note (write_bytes of /proc/self/io)."""


def _rng() -> random.Random:
    return random.Random(2026)  # noqa: S311 - dice and trials


def flips(share: float) -> Row:
    """Single changed bits."""
    with damage.scratch() as folder:
        found = damage.flips(folder, times(FLIPS, share), _rng())
    return Row("changed bits", found.tried, found.silent, 0, _note(found))


def cuts(share: float) -> Row:
    """Files without their end."""
    with damage.scratch() as folder:
        found = damage.cuts(folder, times(CUTS, share), _rng())
    return Row("files cut off", found.tried, found.silent, 0, _note(found))


def _note(found: damage.Found) -> str:
    return "; ".join((f"{found.said} reported, {found.same} changed nothing", *found.notes[:1]))


# -- kills -------------------------------------------------------------------------------------------------


def kills(share: float) -> Row:
    """The process is killed while it plays, at any moment; what it had acknowledged has to be there."""
    rng, count, lost, more, acknowledged = _rng(), times(KILLS, share), 0, 0, 0
    with damage.scratch() as folder:
        Store(folder / "data").close()
        for _ in range(count):
            numbers = _played_until_killed(folder / "data", rng.random() * 0.05)
            acknowledged += len(numbers)
            with closing(Store(folder / "data")) as store:
                last = store._log.last  # noqa: SLF001 - the number of the last event
            lost += bool(numbers) and last < numbers[-1]
            more += bool(numbers) and last > numbers[-1] + 1
    return Row("kills while playing", count, lost, more, f"{acknowledged:,} acknowledged commands")


def _played_until_killed(folder: Path, after_s: float) -> list[int]:
    """The numbers of the events that a process of its own acknowledged before it was killed."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        with suppress(BaseException):
            os.close(reader)
            store = Store(folder)
            for _ in _play(Table(store), _rng()):
                os.write(writer, f"{store._log.last}\n".encode())  # noqa: SLF001 - as above
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as output:
        first = output.readline()
        time.sleep(after_s)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        return [int(line) for line in (first, *output) if line.endswith("\n")]


def _play(table: Table, rng: random.Random, rounds: int = 10_000) -> Any:
    """Play on for that many rounds, wherever the table is; yields after every command."""
    for _ in range(rounds):
        state = shown(table)
        if not state["players"] or state["finished"]:
            yield do(table, {"command": "start_game", "players": ["Ana", "Ben"], "rules": "yacht-1938"})
        elif state["phase"] == "throwing":
            yield do(table, {"command": "enter_roll", "faces": [rng.randint(1, 6) for _ in range(5)]})
        else:
            sheet = state["players"][state["active_player"]]["boxes"]
            box = next(box for box in sheet if sheet[box] is None)
            yield do(table, {"command": "score_box", "category": box})


# -- disks that fail -----------------------------------------------------------------------------------------


def failing_writes(share: float) -> list[Row]:
    """Every call that reaches the disk in a short game fails, one after the other.

    The calls fail for real: strace lets the system answer them with an error. EIO: this one call. ENOSPC and
    EROFS: this one and all after it, as a disk does that is full, or that the system has made read-only. The
    game is then looked at on a disk that works.
    """
    strace = shutil.which("strace")
    if strace is None:
        return [Row("failing writes", 0, 0, 0, "not tried: strace is missing")]
    rows = []
    with damage.scratch() as folder:
        damage.played(folder / "played", games=1)
        calls = _calls(strace, folder)
        for error, which in (("EIO", ""), ("ENOSPC", "+"), ("EROFS", "+")):
            every = [(call, number) for call in FAILING for number in range(1, calls[call] + 1)]
            chosen = every[:: max(1, round(1 / share))]
            found = [
                _with_failure(strace, folder, call, f"error={error}:when={n}{which}") for call, n in chosen
            ]
            note = f"{len(every)} calls in a game, {sum(refused for _, refused in found)} steps refused"
            rows.append(Row(f"{error} at a write", len(chosen), sum(lost for lost, _ in found), 0, note))
    return rows


def _calls(strace: str, folder: Path) -> Counter[str]:
    """How often a short game makes each call, by a run in which none fails."""
    trace = folder / "trace"
    _run(folder, [strace, "-o", str(trace), "-e", f"trace={','.join(FAILING)}"])
    return Counter(line.partition("(")[0] for line in trace.read_text().splitlines())


def _with_failure(strace: str, folder: Path, call: str, how: str) -> tuple[bool, int]:
    """Whether something acknowledged was lost, and how many steps were refused."""
    quiet = [strace, "-o", "/dev/null", "-e", f"trace={call}", "-e", f"inject={call}:{how}"]
    output = _run(folder, quiet)
    acknowledged = [json.loads(line) for line in output if line.startswith("{")]
    try:
        with closing(Store(folder / "data")) as store:
            there = _essence(shown(Table(store)))
    except StoreError:
        return True, output.count("refused")
    # A refused step may be stored all the same, if the disk wrote it and reported an error.
    fits = not acknowledged or any(there == each for each in acknowledged[-1:]) or "refused" in output[-1:]
    return not fits, output.count("refused")


def _run(folder: Path, tracer: list[str]) -> list[str]:
    """The output of the player, a separate process under a tracer, in a fresh copy of the folder."""
    shutil.rmtree(folder / "data", ignore_errors=True)
    shutil.copytree(folder / "played", folder / "data")
    (reader, writer), (waits, go) = os.pipe(), os.pipe()
    child = os.fork()
    if child == 0:
        with suppress(BaseException), os.fdopen(writer, "w") as out:
            os.read(waits, 1)
            player(folder / "data", out)
        os._exit(0)
    os.close(writer)
    with (
        subprocess.Popen([*tracer, "-p", str(child)], stderr=subprocess.PIPE, text=True) as traced,
        os.fdopen(reader) as output,
    ):
        assert traced.stderr is not None
        attached = traced.stderr.readline()
        assert "attached" in attached, attached
        os.write(go, b"!")
        lines = output.read().splitlines()
        os.waitpid(child, 0)
    for each in (waits, go):
        os.close(each)
    return lines


def _essence(state: dict[str, Any]) -> dict[str, Any]:
    return {name: state[name] for name in ("players", "dice", "throws_done", "phase", "game")}


def player(folder: Path, out: TextIO) -> None:
    """Play a few turns and print what was acknowledged; a refused step is tried again, as people do."""
    try:
        table = Table(Store(folder))
    except StoreError:
        print("trouble", file=out, flush=True)
        return
    for faces in ([1, 2, 3, 4, 5], [2, 2, 3, 4, 6], [6, 6, 6, 1, 2]):
        state = shown(table)
        held = {"command": "set_held", "slots": [1]}
        steps = [{"command": "enter_roll", "faces": faces}, held] if state["phase"] == "throwing" else []
        sheet = state["players"][state["active_player"]]["boxes"]
        steps.append({"command": "score_box", "category": next(box for box in sheet if sheet[box] is None)})
        if not all(_tried_thrice(table, step, out) for step in steps):
            return


def _tried_thrice(table: Table, step: dict[str, Any], out: TextIO) -> bool:
    for _ in range(3):
        try:
            state = json.dumps(_essence(do(table, step)))
        except StoreError:
            print("refused", file=out, flush=True)
        else:
            print(state, file=out, flush=True)
            return True
    return False


# -- clocks, copies, wear ------------------------------------------------------------------------------------


def clocks(share: float) -> Row:
    """The clock stands anywhere between 1970 and 2099 at every copy; the newest has to be the newest game."""
    rng, count, lost = _rng(), times(JUMPS, share), 0
    with damage.scratch() as folder:
        places = Places(folder / "data", DataFiles(), 5)
        for _ in range(count):
            now = datetime(rng.choice((1970, 1999, 2026, 2099)), 1, rng.randint(1, 28), tzinfo=UTC)
            with closing(Store(folder / "data", now=repeat(now).__next__)) as store:
                damage.play(Table(store), rng, boxes=2)
                do(Table(store), {"command": "end_game"})
            path, _ = places.copy_to(places.all[0], now)
            kept = copies(places.all[0])
            lost += not path.exists() or kept[0].path != path or len(kept) > 5
    return Row("clock jumps", count, lost, 0, "copies kept by event number")


SPOILT = 0.8
"""Of the events that are changed, this share stay events but for one field."""
HOSTILE = (
    None,
    "",
    "x",
    -1,
    0,
    2**53,
    2**63 - 1,
    b"\xff\x00",
    "[" * 1000,
    '{"kind":"undone"}',
    1e300,
    "2026",
    "\x00",
    "a" * 100_000,
    10**9,
)
WITHIN: tuple[Any, ...] = (
    "\ud800",
    "A\nB",
    "a" * 500,
    10**9,
    -1,
    float("nan"),
    None,
    [],
    {},
    ["1e30000000", "0", ""],
    "9" * 4000,
)
"""Of an event: what a station cannot live with."""


def hostile_copies(share: float) -> Row:
    """Copies with values that no station writes, hashed and sealed as if one had written them."""
    rng, count, refused, wrong, note = _rng(), times(COPIES, share), 0, 0, ""
    with damage.scratch() as folder:
        damage.played(folder / "played", games=1)
        for number in range(count):
            copy, scratch = folder / "copy.sqlite3", folder / f"tried-{number}"
            shutil.copy(folder / "played" / FILE_NAME, copy)
            scratch.mkdir()
            what = _made_hostile(copy, rng)
            try:
                sound = try_copy(copy, scratch)  # as the process does it that is begun for each
                (scratch / "data").mkdir()
                sound.replace(scratch / "data" / FILE_NAME)
                damage.everything(scratch / "data")
            except BadInputError:
                refused += 1
            except Exception as error:  # noqa: BLE001 - whatever it is, the copy was accepted and should not be
                wrong, note = wrong + 1, note or f"; {what}: {error!r}"
            shutil.rmtree(scratch)
    return Row("hostile copies", count, 0, wrong, f"{refused} refused, the others can be played on{note}")


def _made_hostile(copy: Path, rng: random.Random) -> str:
    with closing(sqlite3.connect(copy)) as db:
        table = rng.choice(("events", "events", "games", "results", "numbers", "aside", "files", "seals"))
        columns = [name for (name,) in db.execute("SELECT name FROM pragma_table_info(?)", (table,))]
        column, value = rng.choice(columns), rng.choice(HOSTILE)
        if column == "body" and rng.random() < SPOILT:
            column, value = _spoil_event(db, rng)
        with suppress(sqlite3.Error):  # the tables themselves refuse much
            query = f"UPDATE {table} SET {column} = ? WHERE rowid = (SELECT rowid FROM {table} ORDER BY random() LIMIT 1)"  # noqa: E501, S608 - names of ours
            db.execute(query, (value,))
        if table != "seals":
            with suppress(sqlite3.Error, TypeError, ValueError, OverflowError):
                chain.chain(db)
                chain.put_seals(db)
        db.commit()
    return f"{table}.{column} = {value!r:.60}"


def _spoil_event(db: sqlite3.Connection, rng: random.Random) -> tuple[str, str]:
    """An event of which one field says something else."""
    (body,) = db.execute("SELECT body FROM events ORDER BY random() LIMIT 1").fetchone()
    event = json.loads(body)
    event[rng.choice(list(event))] = rng.choice(WITHIN)
    return "body", json.dumps(event)


def thousand_games(share: float) -> Row:
    """How long a database of a thousand finished games takes to be opened and checked."""
    count = times(GAMES, share)
    with damage.scratch() as folder:
        filled(folder, count)
        began_s = time.process_time()
        with closing(Store(folder)) as store:
            took_s = time.process_time() - began_s
            there, events = len(store.games()), store._log.last  # noqa: SLF001 - how many
        megabytes = (folder / FILE_NAME).stat().st_size / 1e6
    note = f"opened and checked in {took_s:.2f} s of a core, {events:,} events, {megabytes:.1f} MB"
    return Row("finished games", count, count - there, 0, note)


def filled(folder: Path, count: int) -> None:
    """Make the database of a station that has finished that many games."""
    games = [_whole_game(number) for number in range(5)]
    with closing(Store(folder)) as store:
        numbered = ((i + 1, event) for i in range(count) for event in games[i % 5])
        store.take_in(Played(game, "2026-01-06T12:00:00+00:00", event) for game, event in numbered)


def _whole_game(seed: int) -> list[Any]:
    log = MemoryLog()
    damage.play(Table(log), random.Random(seed))  # noqa: S311 - dice
    return log.written


def wear(share: float) -> Row:
    """What a game of two writes to a disk, three throws a turn, and what an idle station writes."""
    del share
    with damage.on_disk() as folder, closing(Store(folder)) as store:
        table = Table(store)
        before = _written()
        count = damage.play(table, _rng(), throws=3)
        wrote = _written() - before
        before = _written()
        time.sleep(2.0)
        idle = _written() - before
    share_left = wrote / WROTE_BEFORE
    note = f"{wrote / 1e6:.2f} MB in {count} commands ({share_left:.0%} of before), {idle} bytes while idle"
    return Row("wear of a game", 1, 0, int(idle > 0 or share_left > 0.5), note)


def _written() -> int:
    """Bytes that this process has let the system write to disks."""
    lines = Path("/proc/self/io").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("write_bytes"))


TRIALS = (
    kills,
    flips,
    cuts,
    failing_writes,
    wear,
    thousand_games,
    clocks,
    hostile_copies,
    power_cuts,
    *door.TRIALS,
)
