"""Starts the program of an installed station: of `make install`, or a newer release beside it.

`start.py run …` is what systemd calls; any other command is the program's own. Setup lays releases into
folders below `program/` in the station's data folder, beside these files:

- `chosen`: the release that runs; without it the program of `make install` does;
- `trial`: a release on trial, and how many starts it has left. One that answers writes itself into `chosen`
  and takes `trial` away. One that has no start left is not started again: games whose form it changed are put
  back as they were before, what it left is kept in a folder, and what ran before runs again;
- `failed`: the release that did not answer.

This file stays as `make install` wrote it, whatever a release is like, and needs Python alone. It runs as the
station, which owns all of this: no release comes to run with more rights than the station has.
"""

import os
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from importlib.metadata import distribution
from itertools import count
from pathlib import Path

STARTS = 2
"""How often a release may be started until it answers. Not once only: a power cut is not its fault."""
GAMES = "yacht.sqlite3"
SETTINGS_WRONG = 2
"""Code with which systemd does not start the station again."""


def to_disk(path: Path) -> None:
    """Have a file, or the names in a folder, on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def words(path: Path) -> list[str]:
    """What stands in one of the small files; nothing where there is none."""
    try:
        return path.read_text(encoding="ascii").split()
    except (OSError, ValueError):
        return []


def write(path: Path, *what: str) -> None:
    """Write one of them: whatever happens, the old one or the new one is there whole."""
    fresh = path.with_name(path.name + ".new")
    fresh.write_text(" ".join(what) + "\n", encoding="ascii")
    to_disk(fresh)
    fresh.replace(path)
    to_disk(path.parent)


def files(folder: Path) -> Iterator[Path]:
    """Files of the data folder itself; what lies in its folders is only added to."""
    return (each for each in sorted(folder.iterdir()) if each.is_file() and not each.is_symlink())


def form(folder: Path) -> int | None:
    """The form of the games there; None where there are none that can be read."""
    games = folder / GAMES
    if not games.is_file():
        return None
    with suppress(sqlite3.Error), closing(sqlite3.connect(games)) as db:
        return int(db.execute("PRAGMA user_version").fetchone()[0])
    return None


def keep(data: Path, before: Path) -> None:
    """Copy what a release on trial might change, as it is before its first start."""
    part = before.with_name(f"{before.name}.part")
    for old in (before, part):
        shutil.rmtree(old, ignore_errors=True)
    part.mkdir()
    for each in files(data):
        if each.name == GAMES and form(data) is not None:
            with closing(sqlite3.connect(each)) as games, closing(sqlite3.connect(part / GAMES)) as copy:
                games.backup(copy)
        elif not each.name.startswith(GAMES):
            shutil.copyfile(each, part / each.name)
    for each in files(part):
        to_disk(each)
    to_disk(part)
    part.replace(before)
    to_disk(before.parent)


def put_back(data: Path, before: Path, trial: Path, name: str, step: str) -> None:
    """Put back what was copied before, and keep what was left. Where it is interrupted it goes on."""
    aside = trial.with_name(f"left-{name}")
    if step == "move":
        aside.mkdir(exist_ok=True)
        for each in files(data):
            there = (aside / (each.name + (f"-{i}" if i else "")) for i in count())
            each.replace(next(path for path in there if not path.exists()))
        to_disk(aside)
        to_disk(data)
        write(trial, name, "copy")
    for each in files(before):
        fresh = data / f"{each.name}.new"
        shutil.copyfile(each, fresh)
        to_disk(fresh)
        fresh.replace(data / each.name)
    to_disk(data)


def pick(data: Path) -> tuple[str, bool]:
    """The release to start now, "" for the program of `make install`, and whether it is on trial."""
    program = data / "program"
    trial = program / "trial"
    chosen = "".join(words(program / "chosen")[:1])
    name, left = (*words(trial), "", "")[:2]
    before = program / f"before-{name}"
    if name in ("", chosen):  # it answered, and the plug was pulled before all was tidy
        return chosen, False
    if left.isdigit() and int(left) > 0 and (program / name).is_dir():
        if int(left) == STARTS:
            keep(data, before)
        write(trial, name, str(int(left) - 1))
        return name, True
    if left not in ("move", "copy"):
        changed = left != str(STARTS) and form(before) not in (None, form(data))
        left = "move" if changed else ""
        if changed:
            write(trial, name, left)
    if left:
        put_back(data, before, trial, name, left)
    write(program / "failed", name)
    trial.unlink()
    to_disk(program)
    return chosen, False


def main(arguments: list[str], environ: "os._Environ[str]" = os.environ) -> int | str | None:
    """Start it in this process; what it ends with."""
    data = Path(environ.get("STATE_DIRECTORY", "/var/lib/yacht-station"))
    program = data / "program"
    try:
        name, on_trial = (
            pick(data) if arguments[:1] == ["run"] else ("".join(words(program / "chosen")[:1]), False)
        )
    except (OSError, sqlite3.Error, ValueError) as error:
        sys.stderr.write(f"The update cannot be tried: {error}\n")
        name, on_trial = "".join(words(program / "chosen")[:1]), False
    environ["YACHT_RELEASES"] = str(program)
    if name and (program / name).is_dir():
        environ["PYTHONPATH"] = str(program / name)  # for the processes that it starts itself
        sys.path.insert(0, str(program / name))
    if on_trial:
        environ["YACHT_ON_TRIAL"] = name
    sys.argv = ["yacht", *arguments]
    try:
        return started()
    except SystemExit as end:
        # Settings that a newer release does not take are a reason to go back, not to stay off.
        return 1 if on_trial and end.code == SETTINGS_WRONG else end.code


def started() -> int | str | None:
    """The command `yacht` of what comes first in the path."""
    (entry,) = distribution("yacht-station").entry_points.select(group="console_scripts", name="yacht")
    command: Callable[[], int | str | None] = entry.load()
    return command()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
