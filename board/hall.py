"""The hall: the live tables and the competitions, behind one lock.

The organiser's steps and the stations' reports are stored before they are published. The live tables are in
memory only, since the broker retains the latest state of each.
"""

import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from board import drawing, steps
from board.competition import Competition, Result, Spot, competitions, follow
from board.next_games import next_games
from board.notices import Notices
from board.reports import Game, Report, by_players, left_over, merged, results, strangers, unclaimed
from board.store import BoardLog
from board.table_messages import TABLES_MAX, LiveTable, TableMessage, by_number, parse_message
from messages.errors import RefusalError, StoreError
from messages.message import Message
from station.contract.pairing import Pairing
from station.screens.publisher import Publisher, Subscription

Key = tuple[str, int]
"""A game: its station and its number there."""

RECENT_MAX = 1000
"""Number of the competition's latest games in memory; all others are in the store."""
LIGHT = (steps.Enter, steps.Attend, steps.MoveGame, steps.SetResult, steps.Drawn)
"""Steps after which games are not matched again."""
STAYING = (*LIGHT, steps.Clear, steps.TakeResult)
"""Steps after which every game and entrant still has its place."""
SAME_MAX = 500
"""Most games that may share a number: two tables with one name, or one that restarts each week."""
UNCLAIMED_MAX = 50
"""Most games shown that nobody has claimed, the latest first."""


@dataclass(frozen=True, slots=True)
class BoardEvening:
    """A competition as the pages show it, with its results and the reports of recent games.

    last_step: the number of the last step it follows from.
    """

    competition: Competition | None
    results: Mapping[Spot, Result]
    recent: tuple[Report, ...]
    past: tuple[Competition, ...] = ()
    last_step: int = 0

    @property
    def unclaimed(self) -> tuple[Report, ...]:
        """Games that nobody has claimed, the latest first."""
        now = self.competition
        return () if now is None else unclaimed(now, self.recent, self.results)[:UNCLAIMED_MAX]


@dataclass(frozen=True, slots=True)
class News:
    """Versions of the hall: a number that grows with every change of a table, and one of the evening."""

    tables: int
    evening: int


class Hall:
    """All of it. now: the time of day; base: what the topics begin with."""

    def __init__(
        self,
        store: BoardLog,
        base: str = "yacht",
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._store, self._base, self._now = store, base, now
        self._lock = threading.RLock()
        self._publisher: Publisher[News] = Publisher()
        self.notices = Notices()
        self._log: list[tuple[int, steps.Step]] = []
        self._mine: dict[frozenset[str], dict[Key, Report]] = {}
        self._games: dict[frozenset[str], list[Game]] = {}
        self._recent: dict[Key, Report] = {}
        self._tables: dict[str, LiveTable] = {}
        self._changed: dict[str, int] = {}
        self._news = News(0, 0)
        self._next: tuple[BoardEvening, int, str, Mapping[str, Pairing]] | None = None
        self._agrees = True
        """Whether all that is kept is known here."""
        self._evening = self._read_log()
        self._publisher.publish(self._news)

    # -- what is so ----------------------------------------------------------------------------------

    @property
    def evening(self) -> BoardEvening:
        """The competition now."""
        return self._evening

    @property
    def news(self) -> News:
        """The versions now."""
        return self._news

    def subscribe(self) -> Subscription[News]:
        """The versions now, then always the latest."""
        return self._publisher.subscribe()

    def close(self) -> None:
        """Wake everybody who listens, for the last time."""
        self._publisher.close()

    def tables(self, after: int = -1) -> tuple[LiveTable, ...]:
        """The tables that changed after that number, in the order of their names. Waits for no disk."""
        changed = [each for each, number in list(self._changed.items()) if number > after]
        return tuple(self._tables[each] for each in sorted(changed, key=by_number))

    def next_games(self, board: str) -> Mapping[str, Pairing]:
        """The next game of each table. board: the name of this board at the broker."""
        now, tables = self._evening, len(self._tables)
        if self._next is None or self._next[0] is not now or self._next[1:3] != (tables, board):
            found = next_games(now.competition, now.results, list(self._tables), board)
            self._next = now, tables, board, found
        return self._next[3]

    def past(self, number: int) -> BoardEvening | None:
        """A competition by its number. Raises StoreError."""
        with self._reading():
            now = self._evening
            every = (*now.past, *filter(None, (now.competition,)))
            for place, each in enumerate(every):
                if each.number == number:
                    reports = left_over(self._store.since(number), every[place + 1 :])
                    return BoardEvening(each, results(each, reports), reports)
        return None

    def _read_log(self) -> BoardEvening:
        """The competition from all that is kept. Raises StoreError."""
        self._log = [(number, steps.read(line)) for number, line in self._store.steps()]
        return self._from_log()

    def _from_log(self) -> BoardEvening:
        """The competition from its steps and what the store has of its games."""
        every = competitions(self._log)
        reports = list(self._store.since(every[-1].number)) if every else []
        self._mine, self._games, self._recent = {}, {}, {}
        if not every:
            return self._evening_of(None)
        now = every[-1]
        self._games = by_players(now.games())
        for each in reports:
            self._remember(each, now, first=True)
        return self._evening_of(now, every[:-1])

    def _evening_of(self, now: Competition | None, past: tuple[Competition, ...] = ()) -> BoardEvening:
        reports = (each for mine in self._mine.values() for each in mine.values())
        found = {} if now is None else results(now, reports)
        last_step = self._log[-1][0] if self._log else 0
        return BoardEvening(now, found, tuple(self._recent.values()), past, last_step)

    def _after(self, number: int, step: steps.Step) -> BoardEvening:
        """The competition after one more step.

        A report from before a round was drawn is none of its games, so that most steps need nothing of the
        store.
        """
        before = self._evening
        if before.competition is None or not isinstance(step, LIGHT):
            return self._from_log()
        now = follow(before.competition, number, step)
        self._games = by_players(now.games())
        return self._evening_of(now, before.past)

    def _remember(self, report: Report, competition: Competition, *, first: bool) -> None:
        """Keep a report of this competition's time at hand: exactly what `_from_log` would load.

        first: its game was not known before. An older game is updated only while it is among the latest.
        """
        if report.names in self._games or report.key in competition.taken.values():
            self._mine.setdefault(report.names, {})[report.key] = report
        if (first and report.after_step >= competition.number) or report.key in self._recent:
            self._recent[report.key] = report
        while len(self._recent) > RECENT_MAX:
            del self._recent[next(iter(self._recent))]

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Around reads of the store, one at a time.

        Where it did not answer, another board may have it until it does (`_agree`).
        """
        with self._lock:
            try:
                yield
            except StoreError:
                self._agrees = False
                raise

    @contextmanager
    def _storing(self) -> Iterator[None]:
        """Around writes: after it everything stored is known here, and subscribers are notified.

        If the store did not answer, the data may have been stored nevertheless (`_agree`).
        """
        self._agrees = False
        yield
        self._agrees = True
        self._publish(evening=True)

    def _agree(self) -> bool:
        """Read what is kept, if the store did not answer before; whether that was due. Raises StoreError."""
        if self._agrees:
            return False
        with self._storing():
            self._evening = self._read_log()
        return True

    # -- what the organiser does ---------------------------------------------------------------------

    @property
    def last_step(self) -> int:
        """The number of the last step."""
        return self._evening.last_step

    def take(self, *wanted: steps.Step, after: int | None = None) -> None:
        """Take steps, one after the other. Raises RefusalError, and none is taken, or StoreError.

        after: the last step that was shown to who asks; refused where games may have changed places since.
        """
        with self._reading():
            self._agree()
            since = self._check_shown(after, *wanted)
            self._check_all(wanted)
            if any(step in since for step in wanted):  # by who asks, and the answer was lost, or by others
                raise RefusalError("board/moved_on")
            with self._storing():
                now = self._now().isoformat(timespec="seconds")
                numbers = self._store.add([steps.written(step) for step in wanted], now)
                for number, step in zip(numbers, wanted, strict=True):
                    self._log.append((number, step))
                    self._evening = self._after(number, step)

    def draw(self, tables: Sequence[str] = (), *, after: int | None = None) -> None:
        """Draw the next round. tables: at which it is played; those that are there and nobody's guests.

        after: the last step that was shown to who asks; refused where it is not the last one any more.
        """
        with self._lock:
            self._agree()
            self._check_shown(after)
            evening = self._evening
            if evening.competition is None:
                raise RefusalError("board/none_open")
            there = tables or [each.table for each in self.tables() if each.there and not each.guest]
            self.take(drawing.next_round(evening.competition, evening.results, there))

    def _check_shown(self, after: int | None, *wanted: steps.Step) -> Sequence[steps.Step]:
        """The steps since."""
        since = [step for number, step in self._log if after is not None and number > after]
        beside = wanted and all(isinstance(step, STAYING) for step in (*wanted, *since))
        if after not in (None, self.last_step) and not beside:
            raise RefusalError("board/moved_on")
        return since

    def _check_all(self, wanted: Sequence[steps.Step]) -> None:
        """Whether they can be taken, each after those before it."""
        now = self._evening.competition
        log = list(self._log)
        for step in wanted:
            self._check(step, now)
            log.append((self.last_step + 1, step))
            if isinstance(step, LIGHT) and now is not None:
                now = follow(now, self.last_step + 1, step)
            elif step is not wanted[-1]:
                now = next(iter(competitions(log)[::-1]), None)

    def _check(self, step: steps.Step, now: Competition | None) -> None:
        """now: the competition before it."""
        drawing.allowed(now, step)
        if isinstance(step, steps.TakeResult) and now is not None:
            drawing.fits(now, step, self._store.known([(step.station, step.number)]))

    # -- what the tables say -------------------------------------------------------------------------

    def receive(self, messages: Iterable[tuple[str, bytes]]) -> None:
        """Take messages, topic and payload. Reports are in the store when it returns. Raises StoreError.

        Tables are updated first: that waits for no disk, and messages without a report never do.
        """
        received = tuple(messages)
        with self._reading():
            every = self._parsed(received)
            changed = [self._show(each) for each in every]
            if any(changed):
                self._publish(tables=True)
            if not any(each.report for each in every):
                return
            if self._agree():
                every = self._parsed(received)
            fresh, first, renamed = self._merged(every)
            if fresh:
                with self._storing():
                    self._store.keep(fresh.values())
                    self._learn(fresh, first, renamed=renamed)

    def _parsed(self, messages: Iterable[tuple[str, bytes]]) -> list[TableMessage]:
        """These messages parsed, as received after the last step."""
        return [parse_message(self._base, topic, payload, self.last_step) for topic, payload in messages]

    def _merged(self, every: Sequence[TableMessage]) -> tuple[dict[Key, Report], set[Key], bool]:
        """The reports to be kept, the keys of those whose game is new, and whether names changed."""
        news = [(message, message.report) for message in every if message.report is not None]
        games = self._known([report for _, report in news])
        ids = {each.game_id: each.key for each in games.values() if each.game_id}
        fresh: dict[Key, Report] = {}
        first: set[Key] = set()
        renamed = False
        for message, each in news:
            report, known = self._placed(each, games, ids)
            self._look_at(message, report, known)
            after = merged(known, report)
            if after != known:
                fresh[report.key] = games[report.key] = after
                if known is None:
                    first.add(report.key)
                renamed |= known is not None and known.names != after.names
                if after.game_id:
                    ids[after.game_id] = report.key
        return fresh, first, renamed

    def _known(self, news: Sequence[Report]) -> dict[Key, Report]:
        """The reports of these games, and of those with the same numbers."""
        games = {each.key: self._recent[each.key] for each in news if each.key in self._recent}
        strange = {each.key for each in news} - set(games)
        ids = {each.game_id for each in news} - {each.game_id for each in games.values()} - {""}
        found = self._store.known(strange, ids) if strange or ids else ()
        return games | {each.key: self._recent.get(each.key, each) for each in found}

    def _placed(
        self, report: Report, games: Mapping[Key, Report], ids: Mapping[str, Key]
    ) -> tuple[Report, Report | None]:
        """The report and what is known of its game already.

        A game that was first reported under another name of its table is the same game. Where another has
        its number, because two tables have one name or a copy was put back at one, it is kept beside that
        under a name of its own.
        """
        if report.game_id in ids:
            station, number = ids[report.game_id]
            return replace(report, station=station, number=number), games[station, number]
        placed, known = report, games.get(report.key)
        for number in range(2, SAME_MAX + 1):
            if known is None or not strangers(known, placed):
                break
            placed = replace(report, station=f"{report.station} ({number})")
            known = games.get(placed.key) or next(iter(self._store.known([placed.key])), None)
        if placed is not report:
            twice = Message("board/odd/twice", table=report.station, game=report.number, other=placed.station)
            self.notices.note(twice)
        return placed, known

    def _look_at(self, message: TableMessage, report: Report, known: Report | None) -> None:
        """Whether there is something odd about a report."""
        if known is not None and 0 < report.ended <= known.ended:
            self.notices.again += 1
            if report.ended < known.ended and report.at > known.at > "":
                self.notices.note(Message("board/odd/numbers", table=report.station, game=report.number))
        if message.at:
            self.notices.clocks(message.table, message.at, self._now(), late=message.late)

    def _learn(self, fresh: Mapping[Key, Report], first: Collection[Key], *, renamed: bool) -> None:
        """Follow what was just stored. first: the keys of new games; renamed: some have other players now."""
        before = self._evening
        competition = before.competition
        if renamed or (competition is not None and fresh.keys() & set(competition.taken.values())):
            self._evening = self._from_log()
            return
        if competition is None:
            return
        for report in fresh.values():
            self._remember(report, competition, first=report.key in first)
        names = {each.names for each in fresh.values()}
        games = [
            (spot, who)
            for each in names
            for spot, who in self._games.get(each, ())
            if spot not in competition.taken
        ]
        reports = (report for each in names for report in self._mine.get(each, {}).values())
        found = dict(before.results)
        for spot, _ in games:
            found.pop(spot, None)
        found |= results(competition, reports, games)
        self._evening = replace(before, results=found, recent=tuple(self._recent.values()))

    def _show(self, message: TableMessage) -> bool:
        """Whether a table looks different now."""
        if message.odd is not None:
            self.notices.note(message.odd)
        if message.live is None and message.there is None:
            return False
        known = self._tables.get(message.table)
        if known is None:
            if len(self._tables) >= TABLES_MAX:
                self.notices.note(Message("board/odd/tables", count=TABLES_MAX))
                return False
            known = LiveTable(message.table)
        if message.live is not None:
            after = replace(message.live, there=known.there)
        else:
            after = replace(known, there=message.there)
        if after == self._tables.get(message.table):
            return False
        self._tables[message.table] = after
        self._changed[message.table] = self._news.tables + 1
        return True

    def _publish(self, *, evening: bool = False, tables: bool = False) -> None:
        self._news = News(self._news.tables + tables, self._news.evening + evening)
        self._publisher.publish(self._news)
