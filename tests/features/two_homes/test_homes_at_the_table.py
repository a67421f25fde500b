"""One game in two homes with a tray of real dice in each, played at random over a line that loses things.

Both tables and both ends of the line are the real ones; between them messages pass as bytes, and may be
lost, come twice, late or in another order, and either station may start anew. Beside them a book is kept
that knows nothing of the station's game: which events stand, whose throw lies in which tray, and who threw
last in which home. After every step

- a throw is on offer only where somebody has the turn and threw these dice in it, and then surely;
- the guest shows the game as it stood at the number it knows;
- what a guest asked for is written once, or not at all;
- each home shows who threw last in either, by the name they have now, and questions about those dice alone.
"""

import json
from collections import Counter
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from messages.errors import RefusalError, StoreError
from station.features.two_homes.feature import PlayerPart, TablePart
from station.features.two_homes.homes import Home
from station.features.two_homes.last_throws import Question
from station.features.two_homes.line.home_line import of_json
from station.features.two_homes.line.other_home import OtherHome
from station.features.two_homes.option import HOME
from station.game import events as ev
from station.table.table import Table
from tests.asking import do, shown
from tests.features.two_homes.lossy_line import FATES, Stations
from tests.table.physical import Tray
from tests.table.physical_evening import plain

pytestmark = pytest.mark.thorough

RULES = ("yacht-1938", "yahtzee")
LEAVES = (ev.GameStarted, ev.RollKept, ev.BoxScored, ev.GameEnded, ev.RollAccepted)
"""Events from which on dice that move are the next throw; so is the going of whose turn it is."""
NOBODYS = -1
HOMES = ("", "berlin")
PLAYERS = [
    "Ana",
    {"name": "Ben", "home": "berlin"},
    {"name": "Cleo", "home": "berlin"},
    {"name": "Dora", "home": "berlin", "without_tray": True},
]
STEPS = {
    "throw": 12,
    "rest": 4,
    "confirm": 12,
    "draw": 6,
    "hold": 5,
    "score": 8,
    "correct": 2,
    "keep": 2,
    "undo": 3,
    "move": 1,
    "rename": 1,
    "remove": 0.2,
    "correct_box": 1,
    "end": 0.3,
    "question": 6,
    "stand": 8,
    "question_comes": 4,
    "questions_come": 4,
    "odd_question": 4,
    "log_comes": 8,
    "old_log_comes": 1,
    "late_ask_comes": 1,
    "guest_starts_anew": 0.7,
    "host_starts_anew": 0.7,
}
"""What happens, and how often."""


@dataclass(frozen=True)
class Written:
    """An event in the book: its number, the one who had the turn, and whether the turn ended with it."""

    number: int
    event: ev.Event
    by: int
    leaves: bool


class Homes(Stations):
    """An evening. seed: of all chance in it."""

    def __init__(self, seed: int) -> None:
        super().__init__(Random(seed))
        self.trace = list[str]()
        self.trays = {home: Tray(self.random) for home in HOMES}
        self.book: list[Written] = []
        self.kept: dict[int, tuple[list[Written], Any]] = {0: ([], None)}
        self.known: list[Written] = []  # at the guest
        self.watched, self.lay = dict.fromkeys(HOMES, True), {home: set[tuple[int, int]]() for home in HOMES}
        for home in HOMES:
            self.trays[home].lay_out(5, NOBODYS)
            self.look(home)
        self.at_host("start_game", players=PLAYERS, rules=self.random.choice(RULES))
        self.newest_log()

    # -- the book -------------------------------------------------------------------------------------

    def knows(self, number: int) -> None:
        """The guest has the game up to there; what it had before is the same to it."""
        book, _ = self.kept[number]
        same = 0
        for mine, theirs in zip(self.known, book, strict=False):
            if json.dumps(mine.event.to_json()) != json.dumps(theirs.event.to_json()):
                break
            same += 1
        self.known, self.number = [*self.known[:same], *book[same:]], number

    def noting(self, act: Any) -> Any:
        """Do it, and write into the book what the host has written."""
        view = self.host.snapshot()
        done = len(self.log.written)
        try:
            return act()
        finally:
            for number, event in enumerate(self.log.written[done:], start=done + 1):
                if isinstance(event, ev.Undone):
                    self.book = self.book[:-1]
                else:
                    active = view.active_player if view.active_player is not None else -1
                    goes = isinstance(event, ev.PlayerRemoved) and event.seat == active
                    leaves = isinstance(event, LEAVES) or goes
                    self.book = [*self.book, Written(number, event, active, leaves)]
            self.kept[len(self.log.written)] = (self.book, self.host.moment()[1])
            self.tell()

    def at_host(self, command: str, **fields: Any) -> None:
        self.noting(lambda: do(self.host, {"command": command, **fields}))

    def at_guest(self, command: str, **fields: Any) -> None:
        """Done there, or refused; the answer may be lost on the way."""
        before = len(self.log.written)
        self.fate = fate = self.random.choice(FATES)
        self.spared = command == "draw_roll" and self.random.randrange(2) > 0
        try:
            do(self.guest, {"command": command, **fields})
            if len(self.log.written) > before:
                self.knows(len(self.log.written))
        except (RefusalError, StoreError) as error:
            if fate not in {"ask lost", "answer lost"} and error.code != "version/stale":
                raise AssertionError(error) from error
        finally:
            self.fate, self.spared, self.guest_wire.is_open = "", False, True

    def turn_of(self, home: str) -> int:
        """The event since which dice that move there are the next throw, as that home knows it."""
        book = self.known if home else self.book
        return next((each.number for each in reversed(book) if each.leaves), 0)

    def table(self, home: str) -> Table:
        return self.guest if home else self.host

    def has_turn(self, home: str) -> bool:
        view = self.table(home).snapshot()
        seat = view.active_player
        return seat is not None and (view.players[seat].part(PlayerPart).home or "") == home

    def order(self, home: str, command: str, *, turn: bool = True, **fields: Any) -> None:
        """Somebody there taps, if the page offers it. turn: it is for whose turn it is."""
        if command not in self.table(home).snapshot().commands or (turn and not self.has_turn(home)):
            return
        if home:
            self.at_guest(command, **fields)
        else:
            self.at_host(command, **fields)

    # -- dice -----------------------------------------------------------------------------------------

    def look(self, home: str) -> None:
        self.table(home).offer(self.trays[home].reading())
        tray = self.trays[home]
        if not (tray.rolling or tray.hand):
            self.watched[home], self.lay[home] = True, {piece.place for piece in tray.pieces}

    def free(self, home: str) -> list[int]:
        """The dice in that tray that are not held."""
        view = self.table(home).snapshot()
        held = Counter(die.face for die in view.dice if die.held) if self.has_turn(home) else Counter()
        free = []
        for i, piece in enumerate(self.trays[home].pieces):
            if held[piece.face]:
                held[piece.face] -= 1
            else:
                free.append(i)
        return free

    def throw(self, home: str) -> None:
        """The free dice leave a hand, mostly of who has the turn."""
        tray = self.trays[home]
        if tray.rolling or not self.random.randrange(3):
            tray.hand, tray.rolling = True, False
            self.look(home)
        which, turn = self.free(home), self.turn_of(home) if self.watched[home] else NOBODYS
        tray.throw(which, turn)
        while {piece.place for i, piece in enumerate(tray.pieces) if i in which} & self.lay[home]:
            tray.throw(which, turn)  # no eye can tell a die that falls where one lay from that one
        self.look(home)
        if self.random.randrange(4):
            self.rest(home)

    def rest(self, home: str) -> None:
        self.trays[home].rolling = self.trays[home].hand = False
        self.look(home)

    # -- people ---------------------------------------------------------------------------------------

    def confirm(self, home: str) -> None:
        self.order(home, "accept_roll")

    def draw(self, home: str) -> None:
        self.order(home, "draw_roll")

    def hold(self, home: str) -> None:
        if self.table(home).snapshot().turn in {"confirmed", "held"}:
            self.order(home, "set_held", slots=self.random.sample(range(1, 6), self.random.randrange(4)))

    def score(self, home: str) -> None:
        view = self.table(home).snapshot()
        worth = view.players[view.active_player].potentials if view.active_player is not None else {}
        if worth:
            self.order(home, "score_box", category=self.random.choice(sorted(worth)))

    def correct(self, home: str) -> None:
        if self.table(home).snapshot().turn in {"confirmed", "held", "choosing"}:
            self.order(home, "correct_die", slot=self.random.randint(1, 5), face=self.random.randint(1, 6))

    def keep(self, home: str) -> None:
        self.order(home, "keep_roll")

    def undo(self, home: str) -> None:
        if len(self.book) > 1:
            self.order(home, "undo", turn=False)

    def move(self, _: str) -> None:
        self.of_people("move_player", to=self.random.randrange(4))

    def rename(self, _: str) -> None:
        self.of_people("rename_player", name=self.random.choice(["Ann", "Ina", "Ben", "Ole", "Cleo", "Ana"]))

    def remove(self, _: str) -> None:
        self.of_people("remove_player")

    def of_people(self, command: str, **fields: Any) -> None:
        with suppress(RefusalError):
            self.at_host(command, player=self.random.randrange(4), **fields)

    def correct_box(self, _: str) -> None:
        view = self.host.snapshot()
        seat = self.random.randrange(len(view.players))
        boxes = [box for box, points in view.players[seat].boxes.items() if points is not None]
        if boxes:
            fields = {"category": self.random.choice(boxes), "faces": self.random.choices(range(1, 7), k=5)}
            with suppress(RefusalError):
                self.at_host("correct_box", player=seat, force=True, **fields)

    def end(self, _: str) -> None:
        self.at_host("rematch" if self.host.snapshot().finished else "end_game")

    def question(self, home: str) -> None:
        """Somebody there asks about a die in the other tray."""
        command = {"command": "question_die"} | ({} if home else {"home": "berlin"})
        with suppress(RefusalError):
            slot, face = self.random.randint(1, 5), self.random.randint(1, 6)
            do(self.table(home), {**command, "slot": slot, "face": face})

    def stand(self, home: str) -> None:
        """Whoever threw has looked again."""
        may = "let_stand" in shown(self.table(home))["commands"]
        with nullcontext() if may else pytest.raises(RefusalError):
            do(self.table(home), {"command": "let_stand"})

    # -- the line -------------------------------------------------------------------------------------

    def question_comes(self, _: str) -> None:
        """Late, or twice."""
        self.tell()
        if self.questions:
            payload = self.random.choice(self.questions)
            if self.random.randrange(2):
                self.questions.remove(payload)
            self.host_line._on_question("berlin", of_json(payload))

    def questions_come(self, _: str) -> None:
        self.tell()
        self.guest_line._questions(of_json(self.all_questions))

    def odd_question(self, _: str) -> None:
        """Berlin says of its own throw what it likes: it asks itself nothing and answers no other."""
        last = self.host.play.known(Home).throws.throws.get("berlin")
        before = OtherHome(self.host).questions()
        slot, face = self.random.randint(0, 6), self.random.randint(0, 7)
        stands = bool(self.random.randrange(2))
        said = Question("berlin", last.name if last else "1-1", slot, face, stands)
        if OtherHome(self.host).take_question("berlin", said):
            known = next(each for each in before if each.home == "berlin")
            assert (slot, face, stands) == (known.slot, known.face, True)

    def log_comes(self, _: str) -> None:
        self.newest_log()

    def old_log_comes(self, _: str) -> None:
        self.follow(self.random.choice(self.logs[-12:]))

    def late_ask_comes(self, _: str) -> None:
        if not self.late:
            return
        payload = self.random.choice(self.late)
        if self.random.randrange(2):
            self.late.remove(payload)
        self.fate = "answer lost"  # nobody waits for it any more
        self.ask(payload)
        self.fate, self.guest_wire.is_open = "", True

    def guest_starts_anew(self, _: str) -> None:
        self.guest.close()
        self.nobodys("berlin")
        self.known, self.number, self.heard = [], 0, set()
        self.start_guest()
        if self.random.randrange(2):
            self.look("berlin")
        self.newest_log()
        self.look("berlin")

    def host_starts_anew(self, _: str) -> None:
        state = self.host.moment()[1]
        if state.running and any(HOME.of(each) and not each.gone for each in state.players):
            self.host.close()
            self.nobodys("")
            self.start_host()
            self.look("")
            self.tell()

    def nobodys(self, home: str) -> None:
        """Only the station that ran knew whose they are."""
        self.watched[home] = False
        tray = self.trays[home]
        tray.pieces = tuple(replace(one, turn=NOBODYS) for one in tray.pieces)

    # -- what always holds ----------------------------------------------------------------------------

    def a_throw_is_on_offer_to_whom_it_is(self) -> None:
        for home in HOMES:
            view, tray, turn = self.table(home).snapshot(), self.trays[home], self.turn_of(home)
            moved = [piece for piece in tray.pieces if piece.turn == turn]
            thrown = 2 * len(moved) > 5 if view.throws_done == 0 else bool(moved)
            if "accept_roll" in view.commands:
                assert self.has_turn(home), "offered in another's turn"
                assert thrown, f"offered, but not thrown in this turn: {view.waiting_for}"
            held = Counter(die.face for die in view.dice if die.held)  # which may have been pushed aside
            surely = thrown and Counter(piece.face for piece in moved) - held
            seat = view.active_player
            drawing = seat is not None and view.players[seat].part(PlayerPart).without_tray
            assert not (drawing and "accept_roll" in view.commands), "offered where both stations draw"
            waits = self.has_turn(home) and not drawing and view.rolls_left and view.turn != "choosing"
            if waits and surely and not (tray.rolling or tray.hand):
                assert view.turn == "unconfirmed", f"thrown, but not on offer: {view.waiting_for}"

    def the_guest_shows_what_it_knows(self) -> None:
        known = self.kept[self.number][1]
        if known is not None:
            assert plain(self.guest.moment()[1]) == plain(known)

    def the_last_throws_are_shown_by_name(self) -> None:
        if not self.host.snapshot().part(TablePart).trays:
            return  # nobody plays along any more
        for home, book in (("", self.book), ("berlin", self.known)):
            trays = shown(self.table(home))["trays"]
            assert [(t["home"] or "", t["player"], tuple(t["faces"])) for t in trays] == last_throws(book)

    def questions_at(self, table: Table) -> list[tuple[int, int, bool] | None]:
        found = [tray["question"] for tray in shown(table)["trays"]]
        return [each and (each["slot"], each["face"], each["stands"]) for each in found]

    def questions_are_about_what_is_shown(self) -> None:
        for home in HOMES:
            for tray in shown(self.table(home))["trays"]:
                question = tray["question"]
                assert tray["elsewhere"] == ((tray["home"] or "") != home)
                if question is not None:
                    assert 1 <= question["face"] <= 6
                    assert tray["faces"][question["slot"] - 1] != question["face"]
                    assert str(question["face"]) in question["told"] or question["stands"]

    # -- an evening -----------------------------------------------------------------------------------

    def play(self, steps: int) -> None:
        for _ in range(steps):
            what = self.random.choices(list(STEPS), list(STEPS.values()))[0]
            home = self.random.choice(HOMES)
            if self.random.randrange(4):
                home = next((each for each in HOMES if self.has_turn(each)), home)
            self.trace.append(f"{what} {home or 'kitchen'}")
            getattr(self, what)(home)
            self.a_throw_is_on_offer_to_whom_it_is()
            self.the_guest_shows_what_it_knows()
            self.the_last_throws_are_shown_by_name()
            self.questions_are_about_what_is_shown()
        self.newest_log()
        self.questions_come("")
        assert self.questions_at(self.guest) == self.questions_at(self.host)
        assert plain(self.guest.moment()[1]) == plain(self.host.moment()[1])
        for each in (self.host, self.guest):
            each.close()


def last_throws(book: list[Written]) -> list[tuple[str, str, tuple[int, ...]]]:
    """Who threw last in which home, and what."""
    people: list[SimpleNamespace] = []
    last: dict[str, tuple[SimpleNamespace, list[int]]] = {}
    for each in book:
        match each.event:
            case ev.GameStarted() as event:
                people, last = (
                    [SimpleNamespace(name=seat.name, home=HOME.of(seat)) for seat in event.seats],
                    {},
                )
            case ev.PlayerRenamed() as event:
                people[event.seat].name = event.name
            case ev.PlayerMoved() as event:
                people.insert(event.to, people.pop(event.seat))
            case ev.RollAccepted() as event:
                who = people[each.by]
                last[who.home] = who, [die.face for die in event.dice]
            case ev.DieCorrected() as event:
                last[people[each.by].home][1][event.slot - 1] = event.face
    return [(home, who.name, tuple(faces)) for home, (who, faces) in sorted(last.items())]


@pytest.mark.parametrize("seed", range(20))
def test_an_evening(seed: int) -> None:
    evening = Homes(seed)
    try:
        evening.play(120)
    except AssertionError as error:
        error.add_note("\n".join([*evening.trace[-25:], f"{len(evening.trace)} steps of seed {seed}"]))
        raise
