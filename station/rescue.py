"""Rescue mode: what to do when the games cannot be stored as they are; meanwhile they are played in memory.

Nothing is decided by itself and nothing is thrown away: what was there is kept under another name, and what
is played meanwhile comes along.
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
from station.store.backups import Copy, copies, copies_beside
from station.store.salvage import Salvaged, salvage
from station.table.table import Table

log = logging.getLogger(__name__)

COPIES_SHOWN = 5
PASSING = {"store/failed", "store/full"}
"""Faults of a disk, not of the games on it."""


@dataclass(frozen=True, slots=True)
class RescueOffer:
    """One way out. choice: what to choose it by; outcome: what it brings; button: what its button says."""

    choice: str
    outcome: Message
    button: Message


@dataclass(frozen=True, slots=True)
class RescueWays:
    """The ways out at one moment.

    trouble: why games are kept in memory only, None while they are stored; offers: the best first; looking:
    whether more may come, from what can be read of the damaged database.
    """

    trouble: Message | None = None
    offers: tuple[RescueOffer, ...] = ()
    looking: bool = False


class Rescue:
    """The ways out of trouble of one station; thread-safe."""

    def __init__(self, table: Table, store: Store, places: Places) -> None:
        self._table, self._store, self._places = table, store, places
        self._lock = threading.Lock()
        self._salvaged: Salvaged | None = None
        self._folder = Path()
        self._looked = threading.Event()

    @property
    def trouble(self) -> Message | None:
        """The reason why games are in memory only; None while they are stored."""
        return self._store.trouble

    def start(self) -> None:
        """Look in the background at what can be read."""
        if self.trouble is not None:
            threading.Thread(target=self._look, name="rescue", daemon=True).start()

    def _look(self) -> None:
        try:
            self._folder = Path(tempfile.mkdtemp())
            self._salvaged = salvage(self._places.data, self._folder)
        finally:
            self._looked.set()

    def ways(self) -> RescueWays:
        """The ways out now; nothing while all is well."""
        trouble = self.trouble
        if trouble is None:
            return RescueWays()
        looking = not self._looked.is_set()  # checked first: what is found from now on is not missed for good
        return RescueWays(trouble, self._offers(), looking)

    def _offers(self) -> tuple[RescueOffer, ...]:
        found = []
        if self._store.trouble_code in PASSING:
            found.append(RescueOffer("again", Message("rescue/again"), Message("rescue/button/again")))
        if self._salvaged is not None:
            made = self._salvaged
            outcome = Message("rescue/salvage", count=made.games, events=made.events, lost=made.lost)
            found.append(RescueOffer("salvage", outcome, Message("rescue/button/salvage")))
        button = Message("rescue/button/copy")
        found += [
            RescueOffer(f"copy/{name}", _copy_sentence(each), button) for name, each in self._copies().items()
        ]
        found.append(RescueOffer("anew", Message("rescue/anew"), Message("rescue/button/anew")))
        return tuple(found)

    def choose(self, choice: str) -> Path | None:
        """Take one of the ways that are offered; gives the file in which what was there is kept.

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

    def _copies(self) -> dict[str, Copy]:
        """The newest copies that can be read, of all places and beside the database, by name.

        Those of other stations, which may have the second place too, come after the own ones.
        """
        found = [*copies_beside(self._places.data)]
        for place in self._places.all:
            try:
                found += copies(place)
            except OSError as error:  # a stick or a network folder that has gone; there are other ways
                log.warning("no copies from %s: %s", place, error)
        own = {each.begun for each in found if each.path.is_relative_to(self._places.data)}
        good = [each for each in found if each.event >= 0]
        good.sort(key=lambda each: (each.begun in own, each.event), reverse=True)
        return {each.path.name: each for each in good[:COPIES_SHOWN]}


def _copy_sentence(copy: Copy) -> Message:
    """The content of a copy in a sentence."""
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
