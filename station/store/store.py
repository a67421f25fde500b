"""The event log and the finished games of one data folder.

An event is on the disk when `append` returns: write-ahead log with synchronous=FULL, which lost nothing
in real power cuts where nearly every other mode did (docs/decisions/sqlite.md). One process writes; a lock
beside the file keeps a second one out.
"""

import logging
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Self

from messages.errors import StoreError, YachtError
from messages.message import Message
from station.game.evolve import replay
from station.game.log.event import Event
from station.game.log.state import Phase, State
from station.store import aside, backups, chain, delivery, past_games, staged
from station.store.archive import FinishedGame, finished, of_game, standing
from station.store.chain import Log
from station.store.clock_of_run import ClockOfRun
from station.store.data_files import DataFiles
from station.store.database_file import (
    FILE_NAME,
    RESCUE,
    check_kind,
    compact,
    connect,
    lock,
    prepare,
    sentences,
    transaction,
)
from station.store.days import Days
from station.store.delivery import Written
from station.store.event_log import VERSION_BLOCK
from station.store.event_writer import EventWriter, Played, all_played
from station.store.last_event import LastEvent, Mark
from station.store.past_games import PastGame
from station.store.schema import MIGRATIONS
from station.store.trial import tried
from station.store.write_times import WriteTimes

log = logging.getLogger(__name__)


def wall_clock() -> datetime:
    """The time of day, UTC."""
    return datetime.now(UTC)


class Store:
    """The database of a data folder, open for writing; several threads may use it.

    folder: made when missing. files: what copies hold besides the games. now: time of day, for
    the dates of events. finished: called when a game is over and on the disk. Raises StoreError with what is
    wrong and what to do: not writable, in use by another station, missing though there were games, damaged,
    or from a newer version. rescue: then, unless it is in use, keep games in memory instead; `trouble` says
    why, and what was played comes along when the database can be used again (`put_back`, `reopen`).
    playable: raises whatever it likes where a table cannot go on from these events; then the database is as
    good as damaged. passed_s: seconds of a clock that nobody sets; without one nobody notices when `now` is.
    """

    def __init__(
        self,
        folder: Path,
        *,
        files: DataFiles | None = None,
        now: Callable[[], datetime] = wall_clock,
        finished: Callable[[], None] = lambda: None,
        rescue: bool = False,
        playable: Callable[[Sequence[Event]], object] = replay,
        passed_s: Callable[[], float] | None = None,
    ) -> None:
        self.path = folder / FILE_NAME
        self._files = files or DataFiles()
        self._now = now
        self._passed_s = datetime.timestamp if passed_s is None else lambda _: passed_s()
        self._finished, self._playable = finished, playable
        self._guard = threading.RLock()
        self._lock: IO[str] | None = None
        self._last = LastEvent(folder)
        self._days = Days(folder)
        self.trouble: Message | None = None
        self.opened = 0
        """Grows whenever another database comes into use."""
        self._delivered, self._begun = dict[str, int](), 0
        self.trouble_code = ""
        self.doubt: Message | None = None
        """A warning that the end of the log may be missing, since the last event is not recorded."""
        self._next_event, self._version = 1, 1
        self.writes = WriteTimes()
        """Times of the disk's writes."""
        self._finished_games: tuple[tuple[bytes, ...], list[FinishedGame]] = (), []
        try:
            self._lock = lock(folder)
            with sentences(folder):
                self._finish_restore()
            backups.sweep(folder)
            self._start()
        except StoreError as error:
            if not rescue or error.code == "store/in_use":
                self._let_go()
                raise
            self._begin_in_memory(error)

    def _start(self) -> None:
        """Take the database into use. Raises StoreError; then it is as it was."""
        with ExitStack() as undo, sentences(self.path):
            check_kind(self.path)
            self._missing()
            self._db = connect(self.path)
            undo.callback(self._db.close)
            self._open()
            self.opened += 1
            with self._writing():  # a disk that cannot be written is reported now, not at the first throw
                backups.count_on(self._db, version=self._version)
            undo.pop_all()
        with suppress(StoreError):  # a full disk keeps nobody from playing
            self._forget_overdue()

    def _begin_in_memory(self, error: StoreError) -> None:
        """Go on with an empty database in memory, until the other one can be used."""
        values = dict(error.message.values)
        if "rescue" in values:
            values["rescue"] = Message("rescue/choose")
        self.trouble, self.trouble_code = Message(error.message.key, **values), error.code
        self._db = connect(None)
        self._log = prepare(self._db, self.path)
        self._look_at_games()
        self._look_at_clock()
        self._version = max((mark.version for mark in self._last.read()), default=1)
        log.error("games are kept in memory only: %s", error)

    def _look_at_clock(self) -> None:
        """Write with this clock from now on, until the system's clock is set."""
        now = self._now()
        self._clock = ClockOfRun.of(self._next_event, now, self._passed_s(now))

    @property
    def restorable(self) -> Self:
        """All games that are stored here, to be replaced by those of a copy."""
        return self

    def _let_go(self) -> None:
        """Close what other processes wait for."""
        self._last.close()
        if self._lock is not None:
            self._lock.close()

    def _missing(self) -> None:
        """Raise StoreError when there is no database though there was one."""
        there = self.path.exists() and self.path.stat().st_size > 0
        marks = self._last.read()
        if not there and (
            backups.copies(self.path.parent / backups.FOLDER_NAME) or any(mark.event for mark in marks)
        ):
            event = max((mark.event for mark in marks), default=0)
            raise StoreError("store/missing", path=str(self.path), event=event, rescue=RESCUE)

    def _open(self) -> None:
        """Bring a database that was just opened into use: checked, of this version, its last event noted."""
        marks = self._last.read()
        fresh = self._db.execute("PRAGMA user_version").fetchone()[0] < len(MIGRATIONS)
        self._log = prepare(self._db, self.path, marks=marks, keep=self._keep_version)
        self._check_playable()
        compact(self._db)
        self._look_at_games()
        self.doubt = None
        if not marks and (not fresh or self._last.path.exists()):
            self.doubt = Message("store/no-note", path=str(self._last.path), event=self._log.last)
            log.warning("%s", self.doubt)
        event = max((mark.event for mark in marks), default=0)
        numbers = dict(self._db.execute("SELECT name, value FROM numbers"))
        self._next_event = max(numbers["next_event"], self._log.last + 1, event + 1)
        self._version = max(numbers["next_version"], *(mark.version for mark in marks), 1)
        self._look_at_clock()
        if marks[:1] != (self._mark(),):
            self._note_last()

    def _check_playable(self) -> None:
        """Raise StoreError when the game that stands cannot be gone on with."""
        events = standing(self._db, self._log, self.path)  # raises what says itself what to do
        try:
            self._playable(events)
        except Exception as error:
            why = error.message if isinstance(error, YachtError) else f"{type(error).__name__}."
            raise StoreError(
                "store/unplayable", code="store/damaged", path=str(self.path), why=why, rescue=RESCUE
            ) from error

    def _keep_version(self) -> None:
        """A copy as it is, before an older version is brought to this one."""
        (event,) = self._db.execute("SELECT coalesce(max(id), 0) FROM events").fetchone()
        backups.copy(
            self._db, backups.copy_path(self.path.parent / backups.FOLDER_NAME, event, self._now()), {}
        )

    # -- the port of the table -----------------------------------------------------------------------

    def events(self) -> Sequence[Event]:
        """The events that still stand, of the last game and the one before."""
        with self._reading():
            return standing(self._db, self._log, self.path)

    def next_game(self) -> int:
        """A number no game has had."""
        with self._reading():
            (highest,) = self._db.execute("SELECT coalesce(max(game), 0) FROM games").fetchone()
        return max(int(highest), *self._log.spans, 0) + 1

    def append(self, events: Sequence[Event], state: State) -> None:
        """Write events down for good; with them whether the game is finished, and its results.

        `note_last` is left to the caller: screens may be shown the events before it.
        """
        now, before = self._now(), self._clock
        at = now.isoformat(timespec="seconds")
        with self._writing(note=False) as log_:
            clock = before.at(now, self._passed_s(now), log_.last)
            writer = EventWriter(self._db, log_, self._next_event, clock)
            writer.set_times(before)
            writer.append(events, state, at)
        self._clock = clock
        if state.phase is Phase.FINISHED and self.trouble is None:
            self._finished()

    def note_last(self) -> None:
        """Note in the small file beside the database which event is the last."""
        with self._guard:
            self._note_last()

    def reserve_version(self) -> int:
        """The first of a block of versions nobody was ever given."""
        first = self._version
        with self._writing():
            backups.count_on(self._db, version=first + VERSION_BLOCK)
            self._version = first + VERSION_BLOCK
        return first

    # -- past games ----------------------------------------------------------------------------------

    def games(self, limit: int | None = None) -> list[FinishedGame]:
        """Finished games, the latest first, with players and boxes; never waits for what is being written."""
        return self._finished_games[1][:limit]

    def _look_at_games(self) -> None:
        """Read the finished games, where they are others than before."""
        seals = chain.seal(self._db, "games"), chain.seal(self._db, "aside")
        if self._finished_games[0] != seals:
            self._finished_games = seals, finished(self._db, limit=-1)

    def count(self) -> int:
        """Number of finished games. Raises StoreError while games are not stored."""
        if self.trouble is not None:
            raise StoreError(self.trouble, code="store/failed")
        return len(self.games())

    def games_aside(self) -> list[FinishedGame]:
        """Games that were deleted and can still be put back, the latest first."""
        with self._reading():
            return finished(self._db, limit=1_000_000, set_aside=True)

    def transcript(self, game: int) -> tuple[Event, ...]:
        """All events of one game in order, what was undone included."""
        with self._reading():
            return of_game(self._db, self._log, game, self.path)

    def delete_game(self, game: int) -> bool:
        """Set a finished game aside, to be forgotten in a month; False when there is none."""
        with self._writing():
            done = aside.set_aside(self._db, game, self._days.count(self._db, self._now()).now)
            chain.put_seal(self._db, "aside")
        return done

    def undelete_game(self, game: int) -> bool:
        """Put a game back that was set aside; False when it was not."""
        with self._writing():
            done = aside.put_back(self._db, game)
            chain.put_seal(self._db, "aside")
        return done

    def _forget_overdue(self) -> None:
        """Forget the games that nobody has put back for a month, unless the clock has just jumped."""
        with self._reading():
            count = self._days.count(self._db, self._now())
            overdue = aside.overdue(self._db, count.now)
        self._days.note(count)
        if overdue and count.settled:
            with self._writing() as log_:
                for game in overdue:
                    share = chain.of_game(self._db, game)
                    aside.forget(self._db, game, log_)
                    chain.mix_seal(self._db, share)
                chain.put_seal(self._db, "aside")

    # -- delivery to others --------------------------------------------------------------------------

    def written(self, after: int, limit: int) -> tuple[Written, ...]:
        """The events behind number `after`, at most `limit`; none while they are not stored."""
        with self._reading():
            if self.trouble is not None or after >= self._log.last:
                return ()
            return delivery.written(self._db, after, limit, self.path)

    def state_after(self, number: int) -> State:
        """The state after that event. Raises one of UNPLAYABLE if the events cannot be replayed."""
        with self._reading():
            log_ = self._log if number >= self._log.last else chain.until(self._db, number)
            events = delivery.stood(self._db, log_, self.path)
        return replay(events)

    def game_id(self, game: int, until: int) -> str:
        """The unique id of a game, after event `until`; "" for one that is not stored."""
        with self._reading():
            return delivery.game_id(self._db, game, until)

    def last_event(self) -> int:
        """The number of the last event; 0 before the first."""
        with self._reading():
            return self._log.last

    def delivered(self) -> dict[str, int]:
        """The last event delivered to each receiver, by its name."""
        with self._reading():
            return delivery.delivered(self._db)

    def delivered_until(self, name: str) -> int:
        """The last event that a receiver does not get again; after a restore, all of the copy are such."""
        with self._guard:
            return self._delivered.get(name, self._begun)

    def note_delivered(self, delivered_to: Mapping[str, int | None]) -> None:
        """Store the last event delivered to each receiver; one with None is removed."""
        if self.trouble is None:
            with self._writing():
                delivery.note(self._db, delivered_to)

    # -- copies --------------------------------------------------------------------------------------

    def backup(self, target: Path) -> None:
        """Write a whole copy of everything to a file, while the game goes on."""
        if self.trouble is not None:
            raise StoreError(self.trouble, code="store/failed")
        backups.backup(self.path.parent, target, self._files)

    def tried(self, source: Path, scratch: Path) -> Path:
        """A copy of a copy in `scratch` that a station could live with; BadInputError where it could not."""
        return tried(source, scratch)

    def put_back(self, sound: Path, *, version: int) -> Path | None:
        """Replace everything with a tried copy (station.store.trial), while the station runs.

        version: this and all below were given already, whatever the copy says. Gives the file in which what
        was there is kept. Raises StoreError when it cannot be done; then all is as it was.
        """
        folder, last = self.path.parent, self._last
        return self._go_over(
            lambda: backups.exchange(sound, folder, last, self._files, now=self._now()), version
        )

    def reopen(self, *, version: int) -> None:
        """Try the database again that could not be used: there may be room now. Raises StoreError."""
        self._go_over(self._finish_restore, version)

    def _finish_restore(self) -> None:
        """Finish a restore that was cut short: at the next start it would replace what is played since."""
        staged.finish(self.path.parent, self._last, self._files)

    def _go_over(self, exchanged: Callable[[], backups.Exchanged | None], version: int) -> Path | None:
        """Close what is in use, let the file be exchanged, and go on with that; what was played comes along.

        exchanged: gives what was there before; None when nothing is exchanged.
        """
        with self._guard, sentences(self.path):
            before, log_, numbers = self._db, self._log, (self._next_event, self._version)
            trouble, played = self.trouble, all_played(self._db, self.path) if self.trouble else []
            if trouble is None:
                before.close()
            done = None
            try:
                self._lock = self._lock or lock(self.path.parent)
                done = exchanged()
                self._start()
                self.trouble = None
                self._delivered, self._begun = {} if done else self.delivered(), self._log.last
                self.take_in(played)
            except BaseException:
                if self._db is not before:
                    self._db.close()
                if done is not None:
                    backups.put_back(done, self.path.parent, self._files)
                self._log, (self._next_event, self._version), self.trouble = log_, numbers, trouble
                self._db = before if trouble else connect(self.path)
                self._look_at_games()
                self._delivered, self._begun = self.delivered(), self._log.last
                self._note_last()
                raise
            before.close()
            self._version = max(self._version, version + 1)
        return None if done is None else done.kept

    def take_in(self, played: Iterable[Played]) -> None:
        """Write down games that were played elsewhere (`EventWriter.take_in`)."""
        with self._writing() as log_:
            EventWriter(self._db, log_, self._next_event).take_in(played, self.path)

    def add_past(self, games: Sequence[PastGame]) -> int:
        """Put games among the finished ones that were played before there was a station; how many are new.

        One that is there already, on the same day with the same totals, is passed over. Raises StoreError,
        also while games are kept in memory only: they could not come along.
        """
        if self.trouble is not None:
            raise StoreError(self.trouble, code="store/failed")
        there = {past_games.of_finished(game) for game in self.games()}
        new = [game for game in games if game.same not in there]
        number = self.next_game()
        with self._writing():
            for place, game in enumerate(sorted(new, key=lambda game: game.finished_at)):
                past_games.write(self._db, number + place, game)
        self._finished()
        return len(new)

    def close(self) -> None:
        """Close the file."""
        with self._guard:
            self._db.close()
            self._let_go()

    # -- inside --------------------------------------------------------------------------------------

    @contextmanager
    def _reading(self) -> Iterator[None]:
        with self._guard, sentences(self.path):
            yield

    @contextmanager
    def _writing(self, *, note: bool = True) -> Iterator[Log]:
        """One transaction: all of it or nothing, and on the disk at the end. Gives the log to go on with.

        note: note the last event too; else that is left to `note_last`.
        """
        with self._guard, sentences(self.path, full="store/step-lost"):
            log_, self._db = self._log.copy(), backups.in_place(self._db, self.path)
            with self.writes.one(), transaction(self._db):
                yield log_
            self._log = log_
            try:
                self._look_at_games()
            except Exception:  # what was written is written; they are read again at the next step
                log.exception("finished games cannot be read")
            if note:
                self._note_last()

    def _mark(self) -> Mark:
        """The last event, as it is noted."""
        return Mark(self._log.last, self._log.hash, self._version)

    def _note_last(self) -> None:
        """Note which event was written last. It is on the disk already, and counts without the note too."""
        try:
            if self.trouble is None:
                with self.writes.one():
                    self._last.write(self._mark())
        except OSError as error:
            log.warning("%s cannot be written: %s", self._last.path, error)
