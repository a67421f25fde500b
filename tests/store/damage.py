"""Files of a station that are not what was written: single bits, missing ends.

Each trial damages a copy of a played folder and opens it. Either the station says in a sentence what is
wrong, or everything is as it was; anything else is silent.
"""

import random
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from messages.errors import StoreError
from station.store import FILE_NAME, Store
from station.table.table import Table
from tests.asking import do, shown
from tests.table.helpers import reading


@dataclass(slots=True)
class Found:
    """What came of trials. said: a sentence; same: everything as it was; silent: neither; notes: of those."""

    said: int = 0
    same: int = 0
    silent: int = 0
    notes: tuple[str, ...] = ()

    @property
    def tried(self) -> int:
        """All of them."""
        return self.said + self.same + self.silent

    def note(self, what: str) -> None:
        """One that was silent."""
        self.silent += 1
        self.notes = (*self.notes, what)


@contextmanager
def scratch() -> Iterator[Path]:
    """A folder for trials that need no real disk, in memory where the system has such a place."""
    memory = Path("/dev/shm")  # noqa: S108 - a fresh folder in it
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        yield Path(folder)


@contextmanager
def on_disk() -> Iterator[Path]:
    """A folder for trials that need a real disk: beside the project, for /tmp may be in memory."""
    with tempfile.TemporaryDirectory(dir=Path(__file__).parents[2], prefix=".torture-") as folder:
        yield Path(folder)


def played(folder: Path, *, games: int = 2) -> Path:
    """The folder of a station that has played some games to their end and is in the middle of another."""
    rng = random.Random(7)
    with closing(Store(folder)) as store:
        table = Table(store)
        for _ in range(games):
            play(table, rng)
        do(table, {"command": "rematch"})
        table.offer(reading(6, 5, 4, 2, 2))
        do(table, {"command": "accept_roll"})
        do(table, {"command": "set_held", "slots": [4, 5]})
    return folder


def play(table: Table, rng: random.Random, *, boxes: int = 100, throws: int = 1) -> int:
    """A game of two from its start to its end, or for that many boxes; how many commands it took.

    throws: of each turn, with the first die held.
    """
    do(table, {"command": "start_game", "players": ["Ana", "Ben"], "rules": "yacht-1938"})
    count = 1
    for _ in range(boxes):
        state = shown(table)
        if state["finished"]:
            break
        first = rng.randint(1, 6)
        for _ in range(throws):
            faces = [first, *(rng.randint(1, 6) for _ in range(4))]
            do(table, {"command": "enter_roll", "faces": faces})
            if shown(table)["phase"] == "holding":
                do(table, {"command": "set_held", "slots": [1]})
            count += 2
        if rng.random() < 0.2:
            do(table, {"command": "undo"})
            count += 1
        state = shown(table)
        sheet = state["players"][state["active_player"]]["boxes"]
        do(table, {"command": "score_box", "category": next(box for box in sheet if sheet[box] is None)})
        count += 1
    return count


def everything(folder: Path) -> Any:
    """All that a station knows of its folder. Raises StoreError."""
    with closing(Store(folder)) as store:
        numbers = sorted(store._log.spans)
        state = shown(Table(store))
        state.pop("version")
        return store.games(), [store.transcript(game) for game in numbers], tuple(store.events()), state


def trials(place: Path, count: int, spoil: Callable[[Path], str], *, source: Path | None = None) -> Found:
    """Damage that many copies of a played folder, each by `spoil`, which says what it did."""
    source = source or played(place / "played")
    whole = everything(source)
    found = Found()
    for _ in range(count):
        copy = shutil.copytree(source, place / "copy")
        what = spoil(copy)
        try:
            if everything(copy) == whole:
                found.same += 1
            else:
                found.note(what)
        except StoreError as error:
            if str(error).endswith("."):
                found.said += 1
            else:
                found.note(f"{what}: {error}")
        except Exception as error:  # noqa: BLE001 - whatever it is, it is no sentence
            found.note(f"{what}: {error!r}")
        shutil.rmtree(copy)
    return found


def flips(place: Path, count: int, rng: random.Random) -> Found:
    """A single bit changed, anywhere in the database."""

    def flip(folder: Path) -> str:
        path = folder / FILE_NAME
        content = bytearray(path.read_bytes())
        place, bit = rng.randrange(len(content)), rng.randrange(8)
        content[place] ^= 1 << bit
        path.write_bytes(content)
        return f"bit {bit} of byte {place}"

    return trials(place, count, flip)


def cuts(place: Path, count: int, rng: random.Random) -> Found:
    """The database cut off somewhere, its first page kept more often than not."""

    def cut(folder: Path) -> str:
        path = folder / FILE_NAME
        size = path.stat().st_size
        left = rng.choice([rng.randrange(size), rng.randrange(size // 4096) * 4096])
        with path.open("r+b") as file:
            file.truncate(left)
        return f"{left} of {size} bytes left"

    return trials(place, count, cut)
