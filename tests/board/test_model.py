"""An evening by random steps at several tables, against a small model of its own (`book`).

Competitions follow each other; tables report at once, late, twice and in any order, get other names, are
forgotten, count their games anew, and set names right; the hall is closed and opened anew, and the store
goes away in the middle of whatever is done, before it has kept it or just after.
"""

import copy
import random
import shutil
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from board import steps
from board.competition import Spot
from board.hall import UNCLAIMED_MAX, Hall
from board.standings import standings
from board.steps import System
from board.store import BoardLog, Database, SqliteFile
from messages.errors import RefusalError, StoreError
from tests.board.book import Book, Pair, Station, Told
from tests.board.telling import game_over, state, undo
from tests.board.wavering import Wavering

pytestmark = pytest.mark.thorough

NAMES = ("Ana", "Ben", "Cleo", "Dora", "Emil", "Frida", "Gustav")
OTHERS = ("Xenia", "Yann")
SYSTEMS = st.sampled_from([System.SWISS, System.ROUND_ROBIN])
ANY = st.integers(0, 99)
POINTS = st.tuples(st.integers(0, 9), st.integers(0, 9))
DONE = ("board/moved_on", "board/name_taken", "board/already_taken")
"""Why what was done though nobody was told of it is not done again."""
Messages = list[tuple[str, bytes]]


def as_people_count(name: str) -> list[str | int]:
    return [int(part) if part.isdecimal() else part for part in name.split("-")]


class Evening(RuleBasedStateMachine):
    @initialize(system=SYSTEMS, count=st.integers(3, 7), seed=st.integers(0, 999))
    def begin(self, system: System, count: int, seed: int) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.begun()
        self.random = random.Random(seed)
        self.books: list[Book] = []
        self.before: list[list[Book]] = []
        self.told: list[Told] = []
        self.stations = [Station("kitchen"), Station("hall-10"), Station("hall-9")]
        self.retained: dict[str, Messages] = {}
        self.again: int | None = None
        self.open()
        self.opens(system, count)

    def begun(self) -> None:
        """Nothing is kept yet."""

    def database(self) -> Database:
        """Where it is kept."""
        return SqliteFile(self.folder)

    def open(self) -> None:
        self.line = Wavering(self.database())
        self.hall, self.live = Hall(BoardLog(self.line)), {}

    def teardown(self) -> None:
        self.line.close()
        shutil.rmtree(self.folder)

    @property
    def book(self) -> Book:
        """Of the competition now."""
        return self.books[-1]

    # -- what may go wrong meanwhile -------------------------------------------------------------------

    def carried_out(self, act: Callable[[int], None], *, meanwhile: bool = True) -> int:
        """Do something to the hall; where its store goes away, once more, until that is back.

        act: is given the last step that is shown. Nothing may be shown that is not so, and nothing may count
        twice; a table with nothing to be kept is shown all the same. meanwhile: now and then a game is told
        of before it is done once more. Gives how many had been told of when it was kept.
        """
        last, shown, failed = self.hall.last_step, self.hall.evening, False
        for away_in in (self.line.away_in, self.again, None, None):  # a real line may have broken besides
            self.line.away_in = away_in
            try:
                act(last)
            except StoreError:
                failed = True
                assert (self.hall.last_step, self.hall.evening) == (last, shown)
                self.hall.hear([self.shows("attic", len(self.told) + self.random.randrange(99), {})])
                if meanwhile and self.random.random() < 0.5 and self.told_meanwhile() != last:
                    self.again = None
                    return len(self.told) - 1
                shown = self.hall.evening
            except RefusalError as refusal:
                if refusal.code not in DONE or not failed:
                    raise
                break
            else:
                break
        else:
            raise AssertionError("The store never came back.")
        self.again = None
        return len(self.told)

    def told_meanwhile(self) -> int:
        """A game of others; the last step there is then."""
        self.line.away_in = None
        station = self.stations[0]
        station.number, station.event = station.number + 1, station.event + 1
        self.told.append(Told(0, station.number, OTHERS, (1, 2)))
        over = self.over(len(self.told) - 1, dict(zip(OTHERS, (1, 2), strict=True)), station.event)
        with suppress(StoreError):  # a real line may have broken besides
            self.hall.hear([over])
        self.hall.hear([over])
        return self.hall.last_step

    def take(self, step: steps.Step) -> int:
        return self.carried_out(lambda last: self.hall.take(step, after=last))

    def hear(self, messages: Messages, *, fresh: bool = False) -> None:
        """fresh: of games that nobody was told of before; none may come before them, they are in order."""
        self.carried_out(lambda _: self.hall.hear(messages), meanwhile=not fresh)

    @rule(away_in=st.integers(0, 4), again=st.none() | st.integers(0, 3), late=st.booleans())
    def store_goes_away(self, away_in: int, again: int | None, *, late: bool) -> None:
        self.line.away_in, self.again, self.line.late = away_in, again, late

    @rule()
    def killed(self) -> None:
        """The broker brings again how the tables look."""
        self.line.close()
        self.open()
        messages = [each for mine in self.retained.values() for each in mine]
        self.random.shuffle(messages)
        self.hear(messages)
        self.live = dict.fromkeys(self.retained, True)

    # -- what the organiser does -----------------------------------------------------------------------

    def stepped(self) -> None:
        self.before.append(copy.deepcopy(self.books))

    def opens(self, system: System, count: int) -> None:
        self.stepped()
        self.books.append(Book(system, (), len(self.told)))
        self.book.begun = self.take(steps.Open(title="Club", system=system, meetings=2, rounds=9))
        for name in NAMES[:count]:
            self.stepped()
            self.book.names += (name,)
            self.take(steps.Enter(name=name))

    @precondition(lambda self: self.book.games)
    @rule(system=SYSTEMS, count=st.integers(2, 4), lost=st.booleans())
    def next_competition(self, system: System, count: int, *, lost: bool) -> None:
        if lost:
            self.store_goes_away(0, None, late=True)
        self.opens(system, count)
        self.draw()

    @rule(entrant=ANY)
    def comes_or_goes(self, entrant: int) -> None:
        self.stepped()
        entrant %= len(self.book.names)
        self.book.absent ^= {entrant}
        self.take(steps.Attend(entrant=entrant, absent=entrant in self.book.absent))

    @rule()
    def draw(self) -> None:
        book, results = self.book, self.book.results(self.told)
        before = max((spot.round for spot, *_ in book.games), default=-1) + 1
        try:
            told = self.carried_out(lambda last: self.hall.draw(after=last))
        except RefusalError as refusal:
            expected = {
                "board/too_few": len(book.names) - len(book.absent) < 2,
                "board/round_open": len(results) < len(book.games) and book.system is System.SWISS,
                "board/all_drawn": True,
            }
            if not expected[refusal.code]:
                raise
            return
        self.stepped()
        if book.system is System.SWISS:  # what nobody played stays so
            self.book.by_hand |= {spot: each for spot, each in results.items() if isinstance(each, int)}
        drawn = self.hall.evening.competition.rounds[before]
        free = iter(sorted((name for name, there in self.live.items() if there), key=as_people_count))
        for place, seating in enumerate(drawn.seatings):
            self.book.games.append((Spot(before, place), seating.entrants, told))
            assert seating.tables == (next(free, ""),)
        self.book.resting += drawn.resting
        there = [each for seating in drawn.seatings for each in seating.entrants] + list(drawn.resting)
        absent = self.book.absent if book.system is System.SWISS else set()
        assert sorted(there) == sorted(set(range(len(book.names))) - absent)

    @precondition(lambda self: self.book.games)
    @rule(which=ANY, points=POINTS)
    def typed(self, which: int, points: tuple[int, int]) -> None:
        spot = self.book.games[which % len(self.book.games)][0]
        self.stepped()
        self.book.by_hand[spot] = points
        self.take(steps.Score(round=spot.round, seating=spot.seating, points=points))

    @precondition(lambda self: self.book.by_hand or self.book.given)
    @rule(which=ANY)
    def cleared(self, which: int) -> None:
        spots = sorted({*self.book.by_hand, *self.book.given}, key=str)
        spot = spots[which % len(spots)]
        self.stepped()
        self.book.by_hand.pop(spot, None)
        self.book.given.pop(spot, None)
        self.take(steps.Clear(round=spot.round, seating=spot.seating))

    @precondition(lambda self: self.book.games and self.book.nobodys(self.told))
    @rule(which=ANY, where=ANY, right=st.booleans())
    def given(self, which: int, where: int, *, right: bool) -> None:
        """A game of others is this one after all; now and then it is set right then."""
        waiting = sorted(self.hall.evening.unclaimed, key=lambda each: each.game_id)
        report = waiting[which % len(waiting)]
        spot = self.book.games[where % len(self.book.games)][0]
        self.stepped()
        self.book.given[spot] = int(report.game_id.removeprefix("game-"))
        at = {"round": spot.round, "seating": spot.seating}
        self.take(steps.Take(**at, station=report.station, number=report.number))
        if right:
            self.set_right(which=self.book.given[spot], points=(3, 4), named=1, again=True)

    @precondition(lambda self: len(self.before) > 2)
    @rule()
    def taken_back(self) -> None:
        if len(self.before[-1]) and self.before[-1][-1].names:
            self.books = self.before.pop()
            self.take(steps.Undo())

    # -- what the tables say ---------------------------------------------------------------------------

    def shows(self, name: str, version: int, players: dict[str, int], **more: object) -> tuple[str, bytes]:
        """How a table looks; the broker keeps it."""
        message = state(name, version, players, **more)
        self.retained[name] = [message, (f"yacht/1/{name}/availability", b"online")]
        self.live.setdefault(name, False)
        return message

    def over(self, which: int, points: dict[str, int], event: int) -> tuple[str, bytes]:
        told, name = self.told[which], self.stations[self.told[which].table].name
        return game_over(name, event, told.number, points, game_id=f"game-{which}")

    @rule(
        games=st.lists(st.tuples(st.integers(0, 2), ANY, POINTS), min_size=1, max_size=4), twice=st.booleans()
    )
    def played(self, games: Sequence[tuple[int, int, tuple[int, int]]], *, twice: bool) -> None:
        """Several tables tell at once what was played, some of it not by players of the board."""
        meetings = [*(self.book.players(each) for _, each, _ in self.book.games), OTHERS]
        self.tell(
            [(table, meetings[which % len(meetings)], points) for table, which, points in games], twice=twice
        )

    @precondition(lambda self: self.book.games)
    @rule(points=st.lists(POINTS, min_size=1, max_size=5), twice=st.booleans())
    def open_games_are_played(self, points: Sequence[tuple[int, int]], *, twice: bool) -> None:
        """At all tables at once, or most."""
        found = self.book.results(self.told)
        waiting = [self.book.players(each) for spot, each, _ in self.book.games if spot not in found]
        played = zip(waiting, points, strict=False)
        self.tell([(i % 3, players, each) for i, (players, each) in enumerate(played)], twice=twice)

    def tell(self, games: Sequence[tuple[int, Pair, tuple[int, int]]], *, twice: bool) -> None:
        """games: table, players and their points."""
        messages: Messages = []
        for table, players, points in games:
            station = self.stations[table]
            station.number, station.event, station.last = (
                station.number + 1,
                station.event + 1,
                len(self.told),
            )
            self.told.append(Told(table, station.number, players, points))
            named = {players[0].upper(): points[0], players[1]: points[1]}
            messages.append(self.over(station.last, named, station.event))
        again = self.random.sample(messages, len(messages)) if twice else []
        self.hear([*messages, *again], fresh=True)

    @rule(table=st.integers(0, 2), version=ANY)
    def plays(self, table: int, version: int) -> None:
        """A game that goes on is no result."""
        name = self.stations[table].name
        self.hear(
            [self.shows(name, version, {"Ana": 5, "Ben": 6}), (f"yacht/1/{name}/availability", b"online")]
        )
        self.live[name] = True

    @rule(table=st.integers(0, 2), other_name=st.none() | ANY, anew=st.booleans())
    def table_is_called_otherwise(self, table: int, other_name: int | None, *, anew: bool) -> None:
        """It tells the end of its last game, which it still shows; its games may be numbered anew."""
        station = self.stations[table]
        station.name = station.name if other_name is None else f"table-{table}-{other_name}"
        station.number = 0 if anew else station.number
        told = None if station.last is None else self.told[station.last]
        if told is not None and told.over:
            more = {"finished": True, "ended_by": "complete", "winners": [], "game": told.number}
            points = dict(zip(told.players, told.points, strict=True))
            self.hear([self.shows(station.name, 1, points, **more, game_id=f"game-{station.last}")])

    @precondition(lambda self: self.retained)
    @rule(which=ANY)
    def table_is_forgotten(self, which: int) -> None:
        name = sorted(self.retained)[which % len(self.retained)]
        del self.retained[name]
        self.hear([(f"yacht/1/{name}/{what}", b"") for what in ("state", "availability")])
        self.live[name] = False

    @precondition(lambda self: self.told)
    @rule(which=ANY, points=POINTS, named=ANY, again=st.booleans() | st.just(value=True))
    def set_right(self, which: int, points: tuple[int, int], named: int, *, again: bool) -> None:
        """The table takes the end back, and ends the game anew or not; told in any order, with old things.

        named: now and then the players are called as those of another game.
        """
        which %= len(self.told)
        told, game_id = self.told[which], f"game-{which}"
        station = self.stations[told.table]
        old: Pair = told.players
        station.event += 2
        messages = [undo(station.name, station.event - 1, told.number, game_id=game_id)]
        told.over = again
        if again:
            if named % 2 == 0 and self.book.games:
                told.players = self.book.players(self.book.games[named % len(self.book.games)][1])
            told.players, told.points = told.players[::-1], points
            messages.append(self.over(which, dict(zip(told.players, points, strict=True)), station.event))
        messages += [
            undo(station.name, 0, told.number, game_id=game_id),
            self.over(which, {old[0]: 999, old[1]: 998}, 0),
        ]
        self.random.shuffle(messages)
        self.hear(messages)

    # -- what has to be so -----------------------------------------------------------------------------

    @invariant()
    def it_is_what_the_store_tells(self) -> None:
        if hasattr(self, "hall"):
            assert Hall(BoardLog(self.line.database)).evening == self.hall.evening

    @invariant()
    def results_are_as_the_model_says(self) -> None:
        if not hasattr(self, "hall"):
            return
        now, hall = self.hall.evening, Hall(BoardLog(self.line.database))
        evenings = [*(hall.past(each.number) for each in now.past), now]
        assert len(evenings) == len(self.books)
        for i, (evening, book) in enumerate(zip(evenings, self.books, strict=True)):
            seats = {spot: entrants for spot, entrants, _ in book.games}
            assert {
                spot: seats[spot][each.winners[0]]
                if each.winners and each.points is None
                else each.points or -1
                for spot, each in evening.results.items()
            } == book.results(self.told, self.books[i + 1 :])
        waiting = sorted(self.book.nobodys(self.told))[-UNCLAIMED_MAX:]
        assert {each.game_id for each in now.unclaimed} == {f"game-{i}" for i in waiting}

    @invariant()
    def everybody_stands_as_the_model_says(self) -> None:
        if hasattr(self, "hall"):
            rows = standings(self.hall.evening.competition, self.hall.evening.results)
            found = {row.entrant: (row.score, row.breaks[-1], row.played) for row in rows}
            assert found == self.book.rows(self.told)
            assert [row.score for row in rows] == sorted((row.score for row in rows), reverse=True)

    @invariant()
    def tables_are_shown(self) -> None:
        if hasattr(self, "hall"):
            shown = {each.table: bool(each.there) for each in self.hall.tables()}
            assert {each for each, there in shown.items() if there} == {
                each for each, there in self.live.items() if there
            }


def test_a_next_competition_holds_what_its_log_says():
    """Found by chance: games of the competition before were kept at hand, until the store was read anew."""
    evening = Evening()
    evening.begin(System.SWISS, 3, 0)
    evening.played([(0, 99, (1, 2))], twice=False)
    evening.draw()
    evening.open_games_are_played([(3, 4)], twice=False)
    evening.opens(System.SWISS, 2)
    evening.it_is_what_the_store_tells()
    evening.store_goes_away(0, None, late=False)
    evening.played([(1, 99, (5, 6))], twice=False)
    evening.it_is_what_the_store_tells()
    evening.teardown()


TestEvening = Evening.TestCase
TestEvening.settings = settings(max_examples=40, stateful_step_count=30, deadline=None)
