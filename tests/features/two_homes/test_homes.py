"""Who throws in which home, as the table of each side has it; the line itself is in tests/integrations."""

import json
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Event as Flag
from typing import Any

import pytest

from messages.errors import BadInputError, RefusalError
from messages.message import Message
from station.features.two_homes import fair_throw
from station.features.two_homes.fair_throw import FairThrow, GuestSide, HostSide, Secrets, faces, rolled
from station.features.two_homes.homes import Home
from station.features.two_homes.line.other_home import OtherHome
from station.game import notation
from station.game.dice.sights import Sight
from station.game.events import Event, from_json
from station.game.situation import Situation
from station.store.event_log import MemoryLog
from station.table.play import Listeners
from station.table.table import Table
from tests.asking import do, shown
from tests.features.two_homes.homes import START, Pipe, both, code
from tests.table.helpers import empty, reading


def test_only_another_throw_of_the_other_home_ends_the_film_of_one():
    unseen: list[Any] = []
    host = Table(at_table=[Home(guests=("berlin",))])
    guest = Table(Pipe(host), at_table=[Home(name="berlin")], listeners=Listeners(unseen=unseen.append))
    do(host, START)
    told = []
    for command in (
        {"command": "enter_roll", "faces": [1, 2, 3, 4, 6]},
        {"command": "set_held", "slots": [1]},
        {"command": "rename_player", "player": 0, "name": "Ann"},
        {"command": "enter_roll", "faces": [1, 2, 2, 2, 2]},
    ):
        do(host, command)
        OtherHome(guest).mirror(OtherHome(host).numbered()[1], lambda: True)
        told.append(len(unseen))
    assert told == [1, 1, 1, 2]


def test_each_side_throws_in_its_own_turn_alone():
    host, guest = both()
    typed = {"command": "enter_roll", "faces": [1, 2, 3, 4, 6]}
    box = {"command": "score_box", "category": "choice"}
    assert code(guest, typed) == "homes/not_here"
    assert "Ana rolls in the other home" in shown(guest)["waiting_for"]
    do(host, typed)
    do(host, box)
    OtherHome(guest).mirror(OtherHome(host).numbered()[1], lambda: True)
    for command in (typed, box, {"command": "accept_roll"}, {"command": "throw"}):
        assert code(host, command) == "homes/not_here"
    do(guest, typed)
    do(guest, box)
    assert shown(host)["players"] == shown(guest)["players"]
    here, there = shown(host)["trays"], shown(guest)["trays"]
    assert [tray.pop("elsewhere") for tray in here] == [False, True]
    assert [tray.pop("elsewhere") for tray in there] == [True, False]
    assert here == there
    assert code(guest, {"command": "end_game"}) == "homes/host_only"
    assert shown(host)["active_player"] == 0


def test_dice_left_here_are_not_waited_for_while_another_home_throws():
    _, guest = both()
    left = Sight("ready", thrown_from=(), sure=(1,))
    seen = Situation.of(guest.moment()[1], left, at_table=guest.play.at_table).sight
    assert (seen.status, seen.sure, seen.thrown_from) == ("empty", (), None)


def test_a_broken_line_pauses_a_shared_game_and_no_other():
    host, _ = both()
    trouble = Message("homes/waits", why=Message("homes/away", home="berlin"))
    OtherHome(host).line(trouble)
    assert code(host, {"command": "enter_roll", "faces": [1, 2, 3, 4, 6]}) == "homes/line"
    assert shown(host)["waiting_for"].startswith("The game waits")
    do(host, {"command": "remove_player", "player": 1})
    do(host, {"command": "enter_roll", "faces": [1, 2, 3, 4, 6]})  # nobody is in the other home any more


def test_rules_for_one_tray_are_refused():
    assert (
        code(Table(at_table=[Home(guests=("berlin",))]), {**START, "rules": "shared-roll"})
        == "homes/together"
    )


@pytest.mark.needs_feature("computer_players")
def test_nobody_sits_in_a_home_that_does_not_play_along():
    host = Table(at_table=[Home(guests=("paris",))])
    assert code(host, START) == "homes/unknown"
    assert code(host, {**START, "players": ["Ana", {"name": "Ben", "home": "paris", "computer": 50}]}) == (
        "homes/computer"
    )
    assert shown(host)["homes"] == ["paris"]
    do(host, {**START, "players": ["Ana", {"name": "Ben", "home": "paris"}]})
    do(host, {"command": "end_game"})
    later = Table(MemoryLog(OtherHome(host).numbered()[1]))  # the settings name nobody any more
    assert code(later, {"command": "rematch"}) == "homes/unknown"


class FairPipe(Pipe):
    """The same with throws that both draw: the host writes them down itself."""

    def __init__(self, host: Table) -> None:
        super().__init__(host)
        self.ends = HostSide(b"h" * 32), GuestSide(b"g" * 32)
        self.drawn = False

    def draw(self, throw: FairThrow) -> Secrets:
        host, guest = self.ends
        after = OtherHome(self._host).numbered()[0]
        assert OtherHome(self._host).due(after, "berlin") == throw
        told = host.commit("berlin", throw, guest.commit(throw))
        both = host.reveal("berlin", throw, guest.reveal(throw, told))
        OtherHome(self._host).take_fair(after, "berlin", both)
        self.drawn = True
        return both

    def append(self, events: Sequence[Event], state: Any) -> None:
        if self.drawn:
            self.drawn = False
            MemoryLog.append(self, events, state)
        else:
            super().append(events, state)


TRAYLESS = {**START, "players": [{"name": "Ben", "home": "berlin", "without_tray": True}, "Ana"]}


def drawing(start: Mapping[str, Any] = TRAYLESS) -> tuple[Table, Table]:
    host = Table(at_table=[Home(guests=("berlin",))])
    pipe = FairPipe(host)
    guest = Table(pipe, at_table=[Home(name="berlin", fair=pipe.draw)])
    do(host, start)
    OtherHome(guest).mirror(OtherHome(host).numbered()[1], lambda: True)
    return host, guest


def test_a_turn_without_a_tray_is_drawn_by_both():
    host, guest = drawing()
    assert "draw_roll" in shown(guest)["commands"]
    assert "draw_roll" not in shown(host)["commands"]
    for kind, more in (("enter_roll", {"faces": [6] * 5}), ("accept_roll", {}), ("throw", {})):
        assert code(guest, {"command": kind, **more}) == "homes/drawn"
    first = do(guest, {"command": "draw_roll"})
    assert first["dice_drawn"]
    assert first["trays"][0]["drawn"]
    assert shown(host)["dice"] == first["dice"]
    assert not {"undo", "correct_die", "enter_roll"} & {*first["commands"], *shown(host)["commands"]}
    assert code(guest, {"command": "undo"}) == code(host, {"command": "undo"}) == "homes/stays"
    assert code(guest, {"command": "correct_die", "slot": 1, "face": 6}) == "homes/drawn"
    do(guest, {"command": "set_held", "slots": [1, 3]})
    do(guest, {"command": "undo"})  # what was held is no chance
    do(guest, {"command": "set_held", "slots": [1, 2]})
    second = do(guest, {"command": "draw_roll"})
    assert [die["face"] for die in second["dice"][:2]] == [die["face"] for die in first["dice"][:2]]
    do(guest, {"command": "score_box", "category": "choice"})
    assert shown(host)["players"] == shown(guest)["players"]
    assert len(fair_throw.drawn_throws(OtherHome(host).numbered()[1])) == 2


def test_nobody_waits_while_a_throw_is_drawn_and_nothing_else_is_done():
    host, guest = drawing()
    begun, may_end = Flag(), Flag()
    real = guest.play.known(Home).fair

    def slowly(throw: FairThrow) -> Secrets:
        begun.set()
        assert may_end.wait(60)
        return real(throw)

    guest.change(Home, lambda home: replace(home, fair=slowly))
    with ThreadPoolExecutor() as pool:
        thrown = pool.submit(do, guest, {"command": "draw_roll"})
        assert begun.wait(60)
        meanwhile = pool.submit(shown, guest).result(60)  # the table answers
        assert meanwhile["waiting_for"] == "The dice are being rolled"
        assert meanwhile["commands"] == []
        for command in ("draw_roll", "undo"):
            assert pool.submit(code, guest, {"command": command}).result(60) == "homes/throwing"
        may_end.set()
        assert thrown.result(60)["throws_done"] == 1
    assert shown(host)["dice"] == shown(guest)["dice"]
    assert "draw_roll" in shown(guest)["commands"]


def test_drawn_dice_are_changed_by_no_correction_of_a_box():
    host, guest = drawing()
    faces = [die["face"] for die in do(guest, {"command": "draw_roll"})["dice"]]
    do(guest, {"command": "score_box", "category": "choice"})
    fix = {"command": "correct_box", "player": 0, "category": "choice"}
    better = [6, 6, 6, 6, 5 if faces == [6] * 5 else 6]
    assert code(host, {**fix, "faces": better}) == "homes/drawn"
    do(host, {**fix, "faces": faces, "to": "sixes"})
    assert shown(host)["players"][0]["boxes"]["choice"] is None


def test_a_home_says_nothing_in_the_turn_of_the_other():
    host, _ = both()
    with pytest.raises(RefusalError, match="not up to it now"):
        OtherHome(host).take(OtherHome(host).numbered()[0], "berlin", notation.read("roll 1 2 3 4 6"))
    assert shown(host)["dice"] == []


def test_a_home_that_tells_nothing_is_refused():
    host, _ = both()
    with pytest.raises(BadInputError, match="does not belong to the game"):
        OtherHome(host).take(OtherHome(host).numbered()[0], "berlin", [])


def test_a_home_cannot_say_what_it_has_drawn():
    host, _ = drawing()
    throw = OtherHome(host).due(OtherHome(host).numbered()[0], "berlin")
    six = next(b for b in map(bytes, ([n] * 32 for n in range(256))) if 6 in faces(throw, (bytes(32), b)))
    told = rolled(host.moment()[1], throw, (bytes(32), six))
    plain = replace(told, drawn=False, secrets=())
    thrower = drawing({**START, "players": [{"name": "Ben", "home": "berlin"}]})[0]
    claims = [(host, each) for each in (told, replace(told, secrets=()), plain)]
    claims += [(thrower, told), (thrower, replace(told, secrets=()))]  # who has a tray draws nothing
    for table, each in claims:
        with pytest.raises(RefusalError, match="not up to it now"):
            OtherHome(table).take(OtherHome(table).numbered()[0], "berlin", [each])
    with pytest.raises(RefusalError, match="not what both had promised"):
        fair_throw.drawn_throws(
            (*OtherHome(host).numbered()[1], replace(told, dice=tuple(reversed(told.dice))))
        )


@pytest.mark.needs_feature("throw_off")
def test_what_takes_a_tray_is_refused_where_somebody_has_none():
    host = Table(at_table=[Home(guests=("berlin",))])
    assert code(host, {**TRAYLESS, "starter": "throw"}) == "homes/starter"
    assert code(host, {**TRAYLESS, "players": [{"name": "Ben", "without_tray": True}]}) == "homes/tray_here"
    do(host, {**START, "players": [{"name": "Ben", "home": "berlin"}]})
    with pytest.raises(RefusalError, match="rolls real dice"):
        OtherHome(host).due(OtherHome(host).numbered()[0], "berlin")


def test_drawn_throws_come_back_from_the_log_and_the_text():
    host, guest = drawing()
    do(guest, {"command": "draw_roll"})
    past = OtherHome(host).numbered()[1]
    assert [from_json(json.loads(json.dumps(each.to_json()))) for each in past] == list(past)
    assert notation.read(notation.write(past)) == tuple(past)
    assert shown(Table(MemoryLog(past)))["players"][0]["without_tray"]


def test_a_die_set_right_is_learnt_once_though_the_other_home_throws_next():
    learnt = []
    host = Table(
        at_table=[Home(guests=("berlin",))], listeners=Listeners(corrected=lambda *die: learnt.append(die))
    )
    guest = Table(Pipe(host), at_table=[Home(name="berlin")])
    do(host, START)
    host.offer(empty())
    host.offer(reading(6, 4, 1, 1, 5))
    do(host, {"command": "correct_die", "slot": 1, "face": 2})
    do(host, {"command": "accept_roll"})
    do(host, {"command": "score_box", "category": "choice"})
    OtherHome(guest).mirror(OtherHome(host).numbered()[1], lambda: True)
    do(guest, {"command": "enter_roll", "faces": [1, 2, 3, 4, 6]})
    assert learnt == [(100.0, 200.0, 2)]


def test_each_station_is_told_which_throws_are_its_own():
    told = []

    def telling(home: str) -> Listeners:
        return Listeners(
            confirmed=lambda _: told.append(f"{home} saw"), unseen=lambda _: told.append(f"{home} heard")
        )

    host = Table(listeners=telling("kitchen"), at_table=[Home(guests=("berlin",))])
    guest = Table(Pipe(host), listeners=telling("berlin"), at_table=[Home(name="berlin")])
    do(host, START)
    do(host, {"command": "enter_roll", "faces": [6, 6, 6, 6, 6]})
    OtherHome(guest).mirror(OtherHome(host).numbered()[1], lambda: True)
    assert told == ["kitchen saw", "berlin heard"]
    do(host, {"command": "score_box", "category": "yacht"})
    OtherHome(guest).mirror(OtherHome(host).numbered()[1], lambda: True)
    told.clear()
    do(guest, {"command": "enter_roll", "faces": [6, 6, 6, 6, 6]})
    assert sorted(told) == ["berlin saw", "kitchen heard"]
