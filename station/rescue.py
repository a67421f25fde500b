"""Rescue mode: what to do when the games cannot be stored as they are; meanwhile they are played in memory.

Nothing is decided automatically and nothing is thrown away: the previous files are kept under another name,
and games played meanwhile are kept too.
"""

import logging
import shutil
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path

from messages.errors import RefusalError
from messages.message import Message
from station.store import Places, Store
from station.store.backups import BackupCopy, copies, copies_beside
from station.store.salvage import Salvaged, salvage
from station.table.table import Table

log = logging.getLogger(__name__)

COPIES_SHOWN = 5
DISK_TROUBLE = {"store/failed", "store/full"}
"""Codes of a failing disk, not of damaged games."""


@dataclass(frozen=True, slots=True)
class RescueOption:
    """One way out. choice: its name; description: what it brings; button: the text of its button."""

    choice: str
    description: Message
    button: Message


@dataclass(frozen=True, slots=True)
class RescueOptions:
    """The ways out at one moment.

    trouble: why games are kept in memory only, None while they are stored; offers: the best first; looking:
    whether more may come, from what can be read of the damaged database.
    """

    trouble: Message | None = None
    offers: tuple[RescueOption, ...] = ()
    looking: bool = False


class Rescue:
    """The ways out of trouble of one station; thread-safe."""

    def __init__(self, table: Table, store: Store, places: Places) -> None:
        self._table, self._store, self._places = table, store, places
        self._lock = threading.Lock()
        self._salvaged: Salvaged | None = None
        self._folder = Path()
        self._search_done = threading.Event()

    @property
    def trouble(self) -> Message | None:
        """Why games are kept in memory only; None while they are stored."""
        return self._store.trouble

    def start(self) -> None:
        """Search in the background for what can be read."""
        if self.trouble is not None:
            threading.Thread(target=self._search, name="rescue", daemon=True).start()

    def _search(self) -> None:
        try:
            self._folder = Path(tempfile.mkdtemp())
            self._salvaged = salvage(self._places.data, self._folder)
        finally:
            self._search_done.set()

    def ways(self) -> RescueOptions:
        """The ways out now; nothing while all is well."""
        trouble = self.trouble
        if trouble is None:
            return RescueOptions()
        looking = not self._search_done.is_set()  # read first: what is found from now on is not missed
        return RescueOptions(trouble, self._offers(), looking)

    def _offers(self) -> tuple[RescueOption, ...]:
        found = []
        if self._store.trouble_code in DISK_TROUBLE:
            found.append(RescueOption("again", Message("rescue/again"), Message("rescue/button/again")))
        if self._salvaged is not None:
            made = self._salvaged
            description = Message("rescue/salvage", count=made.games, events=made.events, lost=made.lost)
            found.append(RescueOption("salvage", description, Message("rescue/button/salvage")))
        button = Message("rescue/button/copy")
        found += [
            RescueOption(f"copy/{name}", _description(each), button) for name, each in self._copies().items()
        ]
        found.append(RescueOption("anew", Message("rescue/anew"), Message("rescue/button/anew")))
        return tuple(found)

    def choose(self, choice: str) -> Path | None:
        """Carry out one of the options; the file in which the previous content is kept.

        Raises RefusalError for what is not offered, StoreError, BadInputError; then nothing has changed.
        """
        with self._lock:
            if choice not in {offer.choice for offer in self.ways().offers}:
                raise RefusalError("rescue/not-offered")
            kept = self._take(choice)
            if self._salvaged is not None:
                shutil.rmtree(self._folder, ignore_errors=True)
                self._salvaged = None
        return kept

    def _take(self, choice: str) -> Path | None:
        if choice == "again":
            self._table.stored.reopen()
            return None
        if choice == "anew":
            return self._table.stored.put_back(_empty)
        made = self._salvaged
        if choice == "salvage" and made is not None:
            return self._table.stored.put_back(lambda _: made.path)
        return self._table.stored.restore(self._copies()[choice.removeprefix("copy/")].path)

    def _copies(self) -> dict[str, BackupCopy]:
        """The newest copies that can be read, of all places and beside the database, by name.

        Those of other stations, which may have the second place too, come after the own ones.
        """
        found = [*copies_beside(self._places.data)]
        for place in self._places.all:
            try:
                found += copies(place)
            except OSError as error:  # a stick or a network folder that is missing; there are other options
                log.warning("no copies from %s: %s", place, error)
        own = {each.first_hash for each in found if each.path.is_relative_to(self._places.data)}
        good = [each for each in found if each.event >= 0]
        good.sort(key=lambda each: (each.first_hash in own, each.event), reverse=True)
        return {each.path.name: each for each in good[:COPIES_SHOWN]}


def _description(copy: BackupCopy) -> Message:
    """What a copy holds."""
    if not copy.games:
        return Message("rescue/copy-without-games", file=copy.path.name, event=copy.event)
    names = dict.fromkeys(player.name for game in copy.games for player in game.players)
    return Message(
        "rescue/copy",
        file=copy.path.name,
        event=copy.event,
        count=len(copy.games),
        day=copy.games[0].when.date(),
        players=tuple(names)[:8],
    )


def _empty(scratch: Path) -> Path:
    """A database without games."""
    store = Store(scratch / "empty")
    store.close()
    return store.path
