"""The event log and the finished games of one data folder.

An event is on the disk when `append` returns: write-ahead log with synchronous=FULL, which lost nothing
in real power cuts where nearly every other mode did (docs/how-it-is-built.md). One process writes; a lock
beside the file keeps a second one out.
"""

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from messages.errors import StoreError
from station.game.events import Event, GameStarted, Undone
from station.game.state import Phase, State, totals
from station.store import aside
from station.store.archive import FinishedGame, finished, of_game, standing
from station.store.backups import copy, exchange, put_back
from station.store.database_file import FILE_NAME, connect, damage, lock, prepare, sentences
from station.store.event_log import VERSION_BLOCK
from station.store.trial import tried


def wall_clock() -> datetime:
    """The time of day, UTC."""
    return datetime.now(UTC)


class Store:
    """The database of a data folder, open for writing; several threads may use it.

    folder: made when missing. now: time of day, for the dates of events. Raises StoreError with what is
    wrong and what to do: not writable, in use by another station, damaged, or from a newer version.
    """

    def __init__(self, folder: Path, *, now: Callable[[], datetime] = wall_clock) -> None:
        self.path = folder / FILE_NAME
        self._now = now
        self._guard = threading.RLock()
        self._lock = lock(folder)
        with ExitStack() as undo:
            undo.callback(self._lock.close)
            with sentences(self.path):
                self._db = connect(self.path)
                undo.callback(self._db.close)
                prepare(self._db, self.path)
            with suppress(StoreError):  # a full disk keeps nobody from playing
                self._forget_overdue()
            undo.pop_all()

    # -- the port of the table -----------------------------------------------------------------------

    def events(self) -> Sequence[Event]:
        """The events that still stand, of the last game and the one before."""
        with self._reading():
            return standing(self._db, self.path)

    def next_game(self) -> int:
        """A number no game has had."""
        with self._reading():
            (highest,) = self._db.execute(
                "SELECT coalesce(max(game), 0) FROM"
                " (SELECT game FROM events UNION ALL SELECT game FROM games)"
            ).fetchone()
        return int(highest) + 1

    def append(self, events: Sequence[Event], state: State) -> None:
        """Write events down for good; with them whether the game is finished, and its results."""
        at = self._now().isoformat(timespec="seconds")
        with self._writing():
            for event in events:
                game = self._game_taken_back() if isinstance(event, Undone) else state.game
                text = json.dumps(event.to_json(), separators=(",", ":"), ensure_ascii=False)
                row = self._db.execute(
                    "INSERT INTO events (game, at, kind, body) VALUES (?, ?, ?, ?)",
                    (game, at, event.kind, text),
                ).lastrowid
                self._stand(event, row)
                if game == state.game:  # else a start was undone: the game before is as it was
                    self._keep_result(state, at)

    def reserve_version(self) -> int:
        """The first of a block of versions nobody was ever given."""
        with self._writing():
            (first,) = self._db.execute("SELECT value FROM numbers WHERE name = 'next_version'").fetchone()
            self._db.execute(
                "UPDATE numbers SET value = ? WHERE name = 'next_version'", (first + VERSION_BLOCK,)
            )
        return int(first)

    # -- past games ----------------------------------------------------------------------------------

    def games(self, limit: int = 1000) -> list[FinishedGame]:
        """Finished games, the latest first, each with its players and their boxes."""
        with self._reading():
            return finished(self._db, limit)

    def games_aside(self) -> list[FinishedGame]:
        """Games that were deleted and can still be put back, the latest first."""
        with self._reading():
            return finished(self._db, limit=1_000_000, set_aside=True)

    def transcript(self, game: int) -> tuple[Event, ...]:
        """All events of one game in order, what was undone included."""
        with self._reading():
            return of_game(self._db, game, self.path)

    def delete_game(self, game: int) -> bool:
        """Set a finished game aside, to be forgotten in a month; False when there is none."""
        with self._writing():
            return aside.set_aside(self._db, game, self._now())

    def undelete_game(self, game: int) -> bool:
        """Put a game back that was set aside; False when it was not."""
        with self._writing():
            return aside.put_back(self._db, game)

    def _forget_overdue(self) -> None:
        """Forget the games for good that nobody has put back for a month."""
        with self._reading():
            overdue = aside.overdue(self._db, self._now())
        if overdue:
            with self._writing():
                for game in overdue:
                    aside.forget(self._db, game)

    def check(self) -> str | None:
        """What is wrong with the database, or None."""
        with self._reading():
            return damage(self._db)

    def backup(self, target: Path) -> None:
        """Write a whole copy to a file, while the game goes on."""
        with self._reading():
            copy(self._db, target)

    def tried(self, source: Path, scratch: Path) -> Path:
        """A copy of a copy in `scratch` that a station could live with; BadInputError for what is none."""
        return tried(source, scratch)

    def put_back(self, sound: Path, *, version: int) -> Path | None:
        """Put a copy that was tried (station.store.trial) in the place of everything, while the station runs.

        version: this and all below were given already, whatever the copy says. Gives the file in which the
        present games are kept. Raises StoreError when it cannot be done; then all is as it was.
        """
        folder = self.path.parent
        with self._guard, sentences(self.path):
            self._db.close()
            try:
                kept = exchange(sound, folder, now=self._now())
            except BaseException:
                self._db = connect(self.path)
                raise
            try:
                self._db = connect(self.path)
                prepare(self._db, self.path)
                self._db.execute(
                    "UPDATE numbers SET value = max(value, ?) WHERE name = 'next_version'", (version + 1,)
                )
            except BaseException:
                self._db.close()
                put_back(kept, folder)
                self._db = connect(self.path)
                raise
        return kept

    def close(self) -> None:
        """Let go of the file."""
        with self._guard:
            self._db.close()
            self._lock.close()

    # -- inside --------------------------------------------------------------------------------------

    def _game_taken_back(self) -> int:
        """The game of the event that an undo takes back: the undo is a part of that one."""
        (game,) = self._db.execute(
            "SELECT game FROM standing JOIN events ON id = event ORDER BY place DESC LIMIT 1"
        ).fetchone()
        return int(game)

    def _stand(self, event: Event, row: int | None) -> None:
        """Keep the list of standing events as `evolve` keeps a state's past."""
        if isinstance(event, Undone):
            self._db.execute("DELETE FROM standing WHERE place = (SELECT max(place) FROM standing)")
            return
        if isinstance(event, GameStarted):
            self._db.execute(
                "DELETE FROM standing WHERE place < (SELECT max(place) FROM standing"
                " JOIN events ON id = event WHERE kind = ?)",
                (GameStarted.kind,),
            )
        self._db.execute("INSERT INTO standing (event) VALUES (?)", (row,))

    def _keep_result(self, state: State, at: str) -> None:
        """A finished game has a row with its results; one that is not, or not any more, has none."""
        if state.phase is not Phase.FINISHED or state.rules is None:
            self._db.execute("DELETE FROM games WHERE game = ?", (state.game,))
            return
        (started,) = self._db.execute("SELECT min(at) FROM events WHERE game = ?", (state.game,)).fetchone()
        # A correction comes here again: the game finished when it finished.
        self._db.execute("DELETE FROM results WHERE game = ?", (state.game,))
        self._db.execute(
            "INSERT OR IGNORE INTO games VALUES (?, ?, ?, ?, ?, ?)",
            (state.game, state.rules.id, started, at, state.ended_by == "early", state.ended_by),
        )
        for seat, player in enumerate(state.players):
            total = totals(state, player)
            boxes = json.dumps({box: player.sheet.points(box) for box in state.rules.categories})
            self._db.execute(
                "INSERT INTO results VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    state.game,
                    seat,
                    player.name,
                    boxes,
                    total.upper,
                    total.bonus,
                    total.extra,
                    total.total,
                    seat in state.winners,
                ),
            )

    @contextmanager
    def _reading(self) -> Iterator[None]:
        with self._guard, sentences(self.path):
            yield

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """One transaction: all of it or nothing, and on the disk at the end."""
        with self._guard, sentences(self.path):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise
