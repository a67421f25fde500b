"""Competitions of every system by random steps, with teams and tables of many, against a model (`ledger`).

Lots, late entries, the winners of a game's rules, games that were ended early, requests of a screen that
shows an older evening, and steps taken back as deep as one likes. Messages of tables wait in the post, and
come in any order, late, or twice. `Gaps` does the same with a store that goes away in the middle of whatever
is done, before it has kept it or just after.
"""

import copy
import random
import shutil
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from board import steps
from board.competition import Spot
from board.hall import UNCLAIMED_MAX, Hall
from board.next_games import PAIRING, news
from board.reports import folded
from board.standings import standings
from board.steps import System
from board.store import BoardLog, Database, SqliteFile
from messages.errors import RefusalError, StoreError
from station.contract.pairing import Pairing
from tests.board.ledger import Drawn, Ledger
from tests.board.post import TABLES, Messages, Post
from tests.board.telling import state
from tests.board.wavering import Wavering

pytestmark = pytest.mark.thorough

NAMES = ("Ana", "Ben", "Cleo", "Dora", "Emil", "Frida", "Gustav", "Hedi", "Ida")
OTHERS = ("Xenia", "Yann", "Zita")
ANY = st.integers(0, 99)
OF_ANOTHER_BOARD = PAIRING.dump_json(Pairing("League", 1, ("Zoe",), "league"))
REST = (steps.Open, steps.Shuffle, steps.UndoStep)
"""Steps after which games or entrants may have other places."""
DONE = ("board/moved_on", "board/name_taken", "board/already_taken")
"""Why what was done though its answer was lost is not done again."""
Act = Callable[[int | None], object]
"""Something done to the hall, given the last step that is shown to who does it."""


class Systems(RuleBasedStateMachine):
    @initialize(system=st.sampled_from(System), seed=st.integers(0, 999), rounds=st.integers(0, 4))
    def begin(self, system: System, seed: int, rounds: int) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.begun()
        self.random = random.Random(seed)
        self.kept = self.database()
        self.hall = Hall(BoardLog(self.kept))
        self.books: list[Ledger] = []
        self.before: list[list[Ledger]] = []
        self.taken: list[tuple[int, steps.Step]] = []
        self.post = Post(self.random)
        self.broker = {"attic": OF_ANOTHER_BOARD, "cellar": OF_ANOTHER_BOARD, "kitchen": b"nonsense"}
        self.opens(system, rounds)

    def begun(self) -> None:
        """Nothing is kept yet."""

    def database(self) -> Database:
        """Where it is kept."""
        return SqliteFile(self.folder)

    @property
    def stored(self) -> Hall:
        """The hall as its store alone has it."""
        return Hall(BoardLog(self.kept))

    def carried_out(self, act: Act, after: int | None, **_: bool) -> int:
        """Gives how many games had been heard of then."""
        act(after)
        return len(self.post.heard)

    def refused(self, act: Act, after: int | None, code: str) -> None:
        with pytest.raises(RefusalError) as refused:
            act(after)
        assert refused.value.code == code

    def receive(self, messages: Messages) -> None:
        self.carried_out(lambda _: self.hall.receive(messages), None, meanwhile=False)

    def teardown(self) -> None:
        self.kept.close()
        shutil.rmtree(self.folder)

    @property
    def book(self) -> Ledger:
        """Of the competition now."""
        return self.books[-1]

    @rule()
    def board_begins_anew(self) -> None:
        self.kept.close()
        self.kept = self.database()
        self.hall = Hall(BoardLog(self.kept))

    # -- what the organisers do ------------------------------------------------------------------------

    def shown(self) -> tuple[int | None, Sequence[steps.Step]]:
        """The last step that is shown to who asks, now and then an older one, and what was done since."""
        ago = self.random.choice((*[0] * 12, 1, 2, 3, self.random.randrange(9)))
        since = self.taken[len(self.taken) - ago :] if ago < len(self.taken) else []
        last = self.taken[-1 - len(since)][0] if self.taken else None
        return (None, ()) if self.random.random() < 0.2 else (last, [step for _, step in since])

    def take(self, *wanted: steps.Step, why_not: str = "") -> bool:
        """Whether it was done: not where there is a reason, or what is shown is too old."""
        after, since = self.shown()
        late = bool(since) and any(isinstance(step, REST) for step in (*wanted, *since))
        again = any(step in since for step in wanted)
        why_not = "board/moved_on" if late or (again and not why_not) else why_not
        if why_not:
            self.refused(lambda last: self.hall.take(*wanted, after=last), after, why_not)
            return False
        self.heard = self.carried_out(lambda last: self.hall.take(*wanted, after=last), after)
        self.taken = self.stored._log
        assert self.hall.last_step == self.taken[-1][0]
        return True

    def remember(self) -> None:
        """As it is, for who takes the next step back."""
        self.before.append(copy.deepcopy(self.books))

    def opens(self, system: System, rounds: int) -> None:
        chance = self.random
        more = {"size": chance.choice((2, 3, 4)), "meetings": chance.choice((1, 2))}
        while not self.take(steps.Open(title="Club", system=system, rounds=6, **more)):
            pass
        self.remember()
        size = more["size"] if system is System.SEATINGS else 2
        self.books.append(Ledger(system, self.heard, size, more["meetings"], 6))
        teams = system is not System.SEATINGS and chance.random() < 0.4
        self.enters([self.somebody(i, teams=teams) for i in range(chance.randrange(2, 9))])
        if self.book.teams and chance.random() < 0.5:
            self.comes_or_goes(entrant=chance.randrange(9), absent=True)
            self.lots(wrong=False)
        for _ in range(rounds):
            self.round_is_played()

    def somebody(self, number: int, *, teams: bool) -> tuple[str, tuple[str, ...]]:
        name = NAMES[number]
        return (name, (f"{name} 1", f"{name} 2")) if teams else (name, ())

    def enters(self, every: Sequence[tuple[str, tuple[str, ...]]]) -> None:
        """All of them, or nobody."""
        book = copy.deepcopy(self.book)
        states, why = [], ""
        for name, members in every:
            states.append([*self.books[:-1], copy.deepcopy(book)])
            why = why or book.why_not_in(name, members)
            book.teams.append((name, members))
        if self.take(*(steps.Enter(name=name, members=members) for name, members in every), why_not=why):
            self.before += copy.deepcopy(states)
            self.books[-1] = book

    @precondition(lambda self: not self.books or len(self.book.rounds) > 1)
    @rule(system=st.sampled_from(System), rounds=st.integers(0, 3))
    def next_competition(self, system: System, rounds: int) -> None:
        self.opens(system, rounds)

    @precondition(lambda self: self.books and len(self.book.teams) < len(NAMES))
    @rule(again=st.booleans(), teams=st.booleans())
    def somebody_comes_late(self, *, again: bool, teams: bool) -> None:
        """By a name that somebody has, or as a team where there are none, at times."""
        late = self.somebody(len(self.book.teams), teams=teams)
        self.enters([late, (late[0].upper(), late[1])] if again else [late])

    @precondition(lambda self: self.books)
    @rule(wrong=st.just(value=False) | st.booleans())
    def lots(self, *, wrong: bool) -> None:
        count = len(self.book.teams)
        order = self.random.sample(range(count), count)
        places = [*order, count] if wrong else order
        why = "board/begun" if self.book.rounds else "board/unknown_entrant" if wrong else ""
        if self.take(steps.Shuffle(order=tuple(places)), why_not=why):
            self.remember()
            self.book.teams = [self.book.teams[old] for old in order]
            self.book.absent = {new for new, old in enumerate(order) if old in self.book.absent}

    @precondition(lambda self: self.books and self.book.teams)
    @rule(entrant=ANY, absent=st.booleans())
    def comes_or_goes(self, entrant: int, *, absent: bool) -> None:
        entrant %= len(self.book.teams)
        if self.take(steps.Attend(entrant=entrant, absent=absent)):
            self.remember()
            self.book.absent = self.book.absent - {entrant} | ({entrant} if absent else set())

    @precondition(lambda self: self.books)
    @rule()
    def draw(self) -> None:
        tables = self.random.sample(TABLES, self.random.randrange(1, 4))
        results = self.book.results(self.post.told)
        after, since = self.shown()
        why_not = "board/moved_on" if since else self.book.why_no_round(results)
        if why_not:
            self.refused(lambda last: self.hall.draw(tables, after=last), after, why_not)
            return
        heard = self.carried_out(lambda last: self.hall.draw(tables, after=last), after)
        now = self.hall.evening.competition
        assert now is not None
        drawn = now.rounds[-1]
        self.remember()
        self.taken = self.stored._log
        assert drawn.drawn == self.hall.last_step
        games = len(self.book.teams[0][1]) or 1
        free = iter(tables)
        seatings = [each.entrants for each in drawn.seatings]
        given = [[next(free, "") for _ in range(games)] for _ in seatings]
        self.book.draws(Drawn(heard, seatings, given, drawn.resting), results)

    def spot(self, which: int) -> tuple[Spot, tuple[int, ...]]:
        """One that is drawn, most often of the last rounds, with who sits there."""
        games = list(self.book.games())
        spot, met, *_ = games[-1 - which % len(games)]
        return spot, met

    @precondition(lambda self: self.books and self.book.rounds and any(self.book.games()))
    @rule(which=ANY, how=st.sampled_from(["points", "won", "forfeit", "wrong", "nowhere"]))
    def typed(self, which: int, how: str) -> None:
        chance = self.random
        spot, met = self.spot(which)
        count = len(met) + (how == "wrong")
        points = None if how == "forfeit" else tuple(chance.randrange(9) for _ in range(count))
        some = tuple(i for i in range(len(met)) if chance.random() < 0.5)
        won = () if how in {"points", "wrong"} else some
        at = asdict(spot) | ({"game": 12} if how == "nowhere" else {})
        why = {"wrong": "board/wrong_count", "nowhere": "board/no_such_game"}.get(how, "")
        if self.take(steps.SetResult(**at, points=points, winners=won, size=len(met)), why_not=why):
            self.remember()
            self.book.by_hand[spot] = (points, won)

    @precondition(lambda self: self.books and any(self.book.games()))
    @rule(which=ANY)
    def cleared(self, which: int) -> None:
        said = sorted({*self.book.by_hand, *self.book.given}, key=str)
        spot = said[which % len(said)] if said else self.spot(which)[0]
        if self.take(steps.Clear(**asdict(spot))):
            self.remember()
            self.book.by_hand.pop(spot, None)
            self.book.given.pop(spot, None)

    @precondition(lambda self: self.books and any(self.book.games()))
    @rule(which=ANY, table=st.sampled_from(["", "ATTIC", "nowhere", *TABLES]))
    def moved(self, which: int, table: str) -> None:
        spot, _ = self.spot(which)
        if self.take(steps.MoveGame(**asdict(spot), table=table)):
            self.remember()
            self.book.rounds[spot.round].tables[spot.seating][spot.game] = table

    @precondition(lambda self: self.books and any(self.book.games()))
    @rule(
        which=ANY,
        where=ANY,
        new=st.sampled_from(["", "misspelt", "early"]),
        then=st.sampled_from(["", "again", "right"]),
    )
    def given(self, which: int, where: int, new: str, then: str) -> None:
        """A game that waits is this one after all; it is none of two, and may be set right then."""
        spot, met = self.spot(where)
        players = self.random.sample(self.names_at(spot), len(met)) if new else self.players()
        called = tuple(f"{each}?" if new == "misspelt" else each for each in players)
        self.post.played(called, early=new == "early")
        self.receive(self.post.last())
        waiting = self.hall.evening.unclaimed
        if not waiting:
            return
        report = waiting[which % len(waiting)]
        game = int(report.game_id.removeprefix("game-"))
        wanted = steps.TakeResult(**asdict(spot), station=report.station, number=report.number)
        if self.take(wanted, why_not="" if len(report.scores) == len(met) else "board/wrong_count"):
            self.remember()
            self.book.given[spot] = self.post.place(game)
            if then == "again":
                self.take(wanted, why_not="board/already_taken")
            elif then:
                self.post.ended(game, self.post.names[game])
                self.receive(self.post.last())

    @rule(deep=st.booleans())
    def taken_back(self, *, deep: bool) -> None:
        for _ in range(self.random.randrange(1, 12) if deep else 1):
            if not self.take(steps.UndoStep(), why_not="" if self.books else "board/nothing_to_undo"):
                return
            self.books = self.before.pop()

    # -- what the tables tell --------------------------------------------------------------------------

    def players(self) -> tuple[str, ...]:
        """Of a game of any competition, most often an open one; now and then others."""
        chance = self.random
        if not self.books or chance.random() < 0.2:
            return OTHERS[: chance.choice((2, 3))]
        book = chance.choice((self.book, self.book, self.books[0]))
        found = book.results(self.post.told)
        games = [names for spot, _, names, _ in book.games() if spot not in found or chance.random() < 0.1]
        names = chance.choice(games or [OTHERS])
        return tuple(chance.sample(names, len(names)))

    @rule(count=st.integers(1, 4), shown=st.booleans(), at_once=st.booleans())
    def games_end(self, count: int, *, shown: bool, at_once: bool) -> None:
        """At several tables; it is in the post, and comes some day."""
        for _ in range(count):
            self.post.played(self.players(), shown=shown)
        if at_once:
            self.receive(self.post.some())

    @precondition(lambda self: self.post.names)
    @rule(which=ANY, again=st.booleans(), renamed=st.booleans())
    def set_right(self, which: int, *, again: bool, renamed: bool) -> None:
        """A table takes an end back, and tells another one or not; by other names, at times."""
        game = sorted(self.post.names)[-1 - which % len(self.post.names)]
        self.post.takes_back(game)
        if again:
            self.post.ended(game, self.players() if renamed else self.post.names[game])

    @precondition(lambda self: self.post.waiting)
    @rule(every=st.booleans(), twice=st.booleans())
    def post_comes(self, *, every: bool, twice: bool) -> None:
        self.receive(self.post.some(every=every, twice=twice))

    @precondition(lambda self: self.books)
    @rule()
    def round_is_played(self) -> None:
        """All that is open, at the tables or by hand; then the next round is drawn."""
        if self.random.random() < 0.6:
            waiting = self.open_games()
            for spot, names in self.random.sample(waiting, len(waiting)):
                if spot not in self.book.given and self.random.random() < 0.6:
                    self.post.played(names)
                    self.receive(self.post.last())
        for spot, names in self.open_games():
            points = tuple(self.random.sample(range(20), len(names)))
            if self.take(steps.SetResult(**asdict(spot), points=points)):
                self.remember()
                self.book.by_hand[spot] = (points, ())
        self.draw()

    def names_at(self, spot: Spot) -> tuple[str, ...]:
        return next(names for each, _, names, _ in self.book.games() if each == spot)

    def open_games(self) -> list[tuple[Spot, tuple[str, ...]]]:
        found = self.book.results(self.post.told)
        return [(spot, names) for spot, _, names, _ in self.book.games() if spot not in found]

    @rule(table=st.integers(0, 2), number=ANY)
    def table_is_called_otherwise(self, table: int, number: int) -> None:
        self.post.tables[table] = f"table-{table}-{number}"

    @rule()
    def broker_forgets(self) -> None:
        self.broker = {}

    # -- what has to be so -----------------------------------------------------------------------------

    @invariant()
    def each_table_is_sent_its_first_open_game(self) -> None:
        if not hasattr(self, "hall"):
            return
        wanted = self.hall.next_games("club")
        for table, pairing in news(wanted, self.broker, "club").items():
            self.broker[table] = b"" if pairing is None else PAIRING.dump_json(pairing)
        assert not news(wanted, self.broker, "club"), "sent once"
        open_games = self.open_games() if self.books else []
        known = {folded(each.table): each.table for each in self.hall.tables()}
        first: dict[str, bytes] = {}
        for spot, names in open_games:
            table = known.get(folded(self.book.rounds[spot.round].tables[spot.seating][spot.game]))
            if table is not None:
                first.setdefault(table, PAIRING.dump_json(Pairing("Club", spot.round + 1, names, "club")))
        sent = {table: payload for table, payload in self.broker.items() if payload and b"club" in payload}
        assert sent == first
        assert self.broker.get("cellar", OF_ANOTHER_BOARD) == OF_ANOTHER_BOARD

    @invariant()
    def it_is_what_the_store_tells(self) -> None:
        if hasattr(self, "hall"):
            kept, now = self.stored.evening, self.hall.evening
            assert (kept.competition, kept.results, kept.past, kept.last_step) == (
                now.competition, now.results, now.past, now.last_step
            )  # fmt: skip
            assert set(kept.unclaimed) == set(now.unclaimed)

    @invariant()
    def it_is_as_the_model_says(self) -> None:
        if not hasattr(self, "hall"):
            return
        now, told, kept = self.hall.evening, self.post.told, self.stored
        every = [*(kept.past(each.number) for each in now.past), *([now] if now.competition else [])]
        assert len(every) == len(self.books)
        for i, (evening, book) in enumerate(zip(every, self.books, strict=True)):
            found = {spot: (each.points, each.winners) for spot, each in evening.results.items()}
            assert found == book.results(told, self.books[i + 1 :])
            competition = evening.competition
            assert [(each.name, each.members) for each in competition.entrants] == book.teams
            assert {each.id for each in competition.entrants if each.absent} == book.absent
            assert [[[*each.tables] for each in drawn.seatings] for drawn in competition.rounds] == [
                drawn.tables for drawn in book.rounds
            ]
        waiting = sorted(self.book.nobodys(told))[-UNCLAIMED_MAX:] if self.books else []
        ids = list(self.post.heard)
        assert {each.game_id for each in now.unclaimed} == {f"game-{ids[i]}" for i in waiting}

    @invariant()
    def everybody_stands_as_the_model_says(self) -> None:
        if hasattr(self, "hall") and self.books:
            rows = standings(self.hall.evening.competition, self.hall.evening.results)
            found = {row.entrant: (row.score, row.breaks[-1], row.played) for row in rows}
            assert found == self.book.rows(self.post.told)
            order = [(row.score, *row.breaks) for row in rows]
            assert order == sorted(order, reverse=True)


class Gaps(Systems):
    """The same while the store goes away: whoever does something then does it once more."""

    kept: Wavering
    again: int | None = None

    def database(self) -> Wavering:
        return Wavering(super().database())

    @property
    def stored(self) -> Hall:
        return Hall(BoardLog(self.kept.database))

    def shown(self) -> tuple[int | None, Sequence[steps.Step]]:
        return self.hall.last_step, ()

    def refused(self, act: Act, after: int | None, code: str) -> None:
        self.kept.away_in = None
        super().refused(act, after, code)

    def carried_out(self, act: Act, after: int | None, *, meanwhile: bool = True) -> int:
        """Nothing may be shown that is not so, nor count twice; what is only shown waits for no store.

        after: that of the first try, and of any other. meanwhile: another game may be heard of between two.
        """
        last, shown, failed = self.hall.last_step, self.hall.evening, False
        last = last if after is None else after
        for away_in in (self.kept.away_in, self.again, None, None):  # a real line may have broken besides
            self.kept.away_in = away_in
            try:
                act(last)
            except StoreError:
                failed = True
                assert (self.hall.last_step, self.hall.evening) == (last, shown)
                self.hall.receive([state("attic", self.random.randrange(99), {})])
                if meanwhile and self.random.random() < 0.5 and self.heard_meanwhile() != last:
                    break  # it was kept before that game came
                shown = self.hall.evening
            except RefusalError as refusal:
                if refusal.code not in DONE or not failed:
                    raise
                meanwhile = False
                break
            else:
                meanwhile = False
                break
        else:
            raise AssertionError("The store never came back.")
        self.again = None
        return len(self.post.heard) - meanwhile

    def heard_meanwhile(self) -> int:
        """A game of others; the last step there is then."""
        self.kept.away_in = None
        self.post.played(OTHERS)
        messages = self.post.last()
        with suppress(StoreError):  # a real line may have broken besides
            self.hall.receive(messages)
        self.hall.receive(messages)
        return self.hall.last_step

    @rule(away_in=st.integers(0, 4), again=st.none() | st.integers(0, 3), late=st.booleans())
    def store_goes_away(self, away_in: int, again: int | None, *, late: bool) -> None:
        self.kept.away_in, self.again, self.kept.late = away_in, again, late


TestGaps = Gaps.TestCase
TestGaps.settings = settings(max_examples=40, stateful_step_count=30, deadline=None)
TestSystems = Systems.TestCase
TestSystems.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)
