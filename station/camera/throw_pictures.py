"""Pictures of the tray as confirmed throws lay in it, for looking back at a game.

Those of the last games are kept in memory; on the disk only where the settings allow it, and then of so many
games that they fill no card.
"""

import json
import logging
import shutil
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from messages.atomic_write import replace_file
from messages.regular_file import read_regular
from station.game.log.slots import Seen, unmoved
from station.game.log.state import State
from station.game.way import WAY

log = logging.getLogger(__name__)

FOLDER_NAME = "pictures"
"""Folder of the pictures, in the data folder."""
NAMES_NAME = "names.json"
"""File with the names of the seats when the pictures beside it were taken, needed after a restart."""
IN_MEMORY = 2
"""Games kept in memory: 130 throws of some 25 kB each."""
ON_DISK = 40
"""Games kept on the disk, some 150 MB."""


class PlaceOfThrow(NamedTuple):
    """The place of a throw: the player, the player's turn and the throw in it (both from 1)."""

    seat: int
    turn: int
    throw: int

    @property
    def file(self) -> str:
        """The name of its picture."""
        return f"{self.seat}-{self.turn}-{self.throw}.jpg"


class ThrowPictures:
    """Notified of each throw that is confirmed. Safe to call from several threads.

    picture: of the throw that is confirmed, its dice at rest; None where the camera saw none. folder: made
    when it is needed; None keeps nothing on the disk.
    """

    def __init__(self, picture: Callable[[], bytes | None], folder: Path | None = None) -> None:
        self._picture, self._folder = picture, folder
        self._lock = Lock()
        self._games: dict[int, dict[PlaceOfThrow, bytes]] = {}
        self._names: dict[int, tuple[str, ...]] = {}  # who sat where in those games
        self._game = 0
        self._lay: dict[PlaceOfThrow, tuple[Seen, ...]] = {}  # in the pictures of this game

    def __call__(self, state: State) -> None:
        """A throw was confirmed; the state after it. A full disk is logged and costs the game nothing."""
        picture = self._picture()
        names = tuple(player.name for player in state.players)
        if self._game != state.game:
            self._lay.clear()
            self._game = state.game
        if _moved(self._names.get(state.game) or self._kept_names(state.game), names):
            self.drop(state.game)  # somebody sits elsewhere now: no picture may pass for another's
        known = {game: sat for game, sat in self._names.items() if game in self._games}
        self._names = {**known, state.game: names}
        if state.rules is None:
            return
        lie = tuple(die.seen for die in state.lying if die.seen)
        for moment in _moments(state):
            if picture is not None:
                self._keep(state.game, moment, picture)
                self._lay[moment] = lie
            elif not unmoved(self._lay.get(moment, ()), lie):  # of a throw that was taken back since
                self._forget(state.game, moment)

    def _keep(self, game: int, moment: PlaceOfThrow, jpeg: bytes) -> None:
        with self._lock:
            self._games.setdefault(game, {})[moment] = jpeg
            while len(self._games) > IN_MEMORY:
                del self._games[min(self._games)]
        if self._folder is None:
            return
        file = self._folder / str(game) / moment.file
        try:
            if not file.parent.is_dir():
                file.parent.mkdir(parents=True)
                self._forget_oldest()
            if self._kept_names(game) != self._names[game]:
                replace_file(file.with_name(NAMES_NAME), json.dumps(self._names[game]).encode())
            file.write_bytes(jpeg)
        except OSError as error:
            log.warning("no picture of the throw is kept: %s", error)
            with suppress(OSError):  # half a picture on a full disk
                file.unlink(missing_ok=True)

    def _kept_names(self, game: int) -> tuple[str, ...]:
        """The names of the seats in the pictures of a game on the disk; none without pictures."""
        if self._folder is None:
            return ()
        try:
            return tuple(json.loads(read_regular(self._folder / str(game) / NAMES_NAME)))
        except (OSError, ValueError, TypeError):  # it is missing, or somebody wrote something else there
            return ()

    def _forget(self, game: int, moment: PlaceOfThrow) -> None:
        with self._lock:
            self._games.get(game, {}).pop(moment, None)
        if self._folder is None:
            return
        try:
            (self._folder / str(game) / moment.file).unlink(missing_ok=True)
        except OSError as error:
            log.warning("a picture of another throw stays: %s", error)

    def _forget_oldest(self) -> None:
        assert self._folder is not None  # noqa: S101 - only called where there is one
        games = sorted(
            (path for path in self._folder.iterdir() if path.name.isdigit()), key=lambda p: int(p.name)
        )
        for path in games[:-ON_DISK]:
            shutil.rmtree(path, ignore_errors=True)

    def find(
        self, game: int, seat: int, turn: int, throw: int, names: Sequence[str] | None = None
    ) -> bytes | None:
        """The picture of one throw; None where none was kept.

        names: who sits where by now; where people changed places since the last throw, it is another's.
        """
        if names is not None and _moved(self._names.get(game) or self._kept_names(game), names):
            return None
        moment = PlaceOfThrow(seat, turn, throw)
        with self._lock:
            found = self._games.get(game, {}).get(moment)
        if found is None and self._folder is not None:
            with suppress(OSError):  # none was kept, or it was removed, or cannot be read
                found = read_regular(self._folder / str(game) / moment.file)
        return found or None  # what a power cut left is empty

    def keep_in(self, folder: Path | None) -> None:
        """Keep those of further throws in this folder, with those that are there."""
        self._folder = folder

    def clear(self) -> None:
        """Forget all: the numbers of games are those of other games from now on."""
        with self._lock:
            self._games.clear()
        self._names.clear()
        self._game = 0
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def drop(self, game: int) -> None:
        """Forget the pictures of a game."""
        with self._lock:
            self._games.pop(game, None)
        if self._folder is not None:
            shutil.rmtree(self._folder / str(game), ignore_errors=True)


def _moved(before: Sequence[str], now: Sequence[str]) -> bool:
    """Whether somebody sits where another sat; who only changed the name has not moved."""
    pairs = [(was, name) for was, name in zip(before, now, strict=False) if was != name]
    return len(now) < len(before) or any(was in now or name in before for was, name in pairs)


def _moments(state: State) -> tuple[PlaceOfThrow, ...]:
    """The places of the last throw: of one player, or of all where they play at once."""
    way = WAY.of(state)
    seats = (state.active,) if way.in_turns else range(len(state.players))
    return tuple(
        PlaceOfThrow(seat, state.played.turns(len(state.players[seat].fillings)) + 1, state.throws_done)
        for seat in seats
        if way.own(state, seat).dice
    )
