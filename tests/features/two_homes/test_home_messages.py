"""Messages of another home that no station can live with: dropped, told in health, and the line goes on."""

import json
from pathlib import Path
from typing import Any

import pytest

from messages.catalogue import text
from messages.errors import BadInputError, FailedError
from messages.message import Message
from station.config import Mqtt
from station.contract.check import Level
from station.features.two_homes.homes import Home
from station.features.two_homes.line import home_messages
from station.features.two_homes.line.ends import GuestLine, HostLine
from station.features.two_homes.line.mirror import MirrorLog
from station.features.two_homes.line.other_home import OtherHome
from station.game.events import BoxScored, ChoosingBegun, DieCorrected, GameEnded, HeldSet, Undone
from station.integrations.oddities import Oddities
from station.store import Store
from station.store.event_log import MemoryLog
from station.table.table import Table
from tests.asking import do, shown
from tests.features.two_homes.pair import roll
from tests.game.begun import begun
from tests.table.helpers import reading

BEGUN = begun(1, 0, "yacht-1938", ("Ana", "Ben"), homes=("", "berlin"))


class Silent:
    """A broker that takes everything and says nothing."""

    is_open = True

    def __init__(self, *, fails: bool = False) -> None:
        self.said: list[Any] = []
        self._fails = fails

    def publish(self, posts: Any) -> None:
        if self._fails:
            raise FailedError(Message("mqtt/silent", broker="b"), code="mqtt/silent")
        self.said += posts


@pytest.fixture
def host() -> Any:
    table = Table(MemoryLog(), at_table=[Home(guests=("berlin",))])
    players = ["Ana", {"name": "Ben", "home": "berlin"}]
    do(table, {"command": "start_game", "players": players, "rules": "yacht-1938"})
    do(table, {"command": "enter_roll", "faces": [1, 2, 3, 4, 6]})
    do(table, {"command": "score_box", "category": "choice"})
    line = HostLine(Mqtt(host="b", station="kitchen"), table, ["berlin"])
    line._broker = Silent()  # type: ignore[assignment]
    line.trouble = None
    return line


@pytest.fixture
def guest(tmp_path: Path) -> Any:
    with_store = Store(tmp_path)
    mirror = MirrorLog(with_store)
    line = GuestLine(
        Mqtt(host="b", station="berlin"),
        Table(mirror, at_table=[Home(name="berlin")]),
        mirror,
        "kitchen",
        "en",
    )
    line._broker = Silent()  # type: ignore[assignment]
    line._there = True
    yield line
    with_store.close()


def hear(line: Any, what: Any, payload: bytes) -> None:
    """As the own thread takes what paho's thread put there."""
    line._hears(what)(payload)
    line._look(line._broker)


def log_of(*events: Any, **more: Any) -> bytes:
    told = {
        "session": "x",
        "number": 5,
        "events": [getattr(each, "to_json", lambda e=each: e)() for each in events],
    }
    return json.dumps(told | more).encode()


LOGS = {
    "a first player who is not there": log_of(BEGUN.to_json() | {"first": 5}),
    "a first player that is null": log_of(BEGUN.to_json() | {"first": None}),
    "a turn without a game": log_of(ChoosingBegun()),
    "a box without a game": log_of(BoxScored("choice")),
    "a box that is not on the sheet": log_of(BEGUN, roll(1, 2, 3, 4, 5), BoxScored("no-such-box")),
    "an undo": log_of(BEGUN, Undone()),
    "dice that are null": log_of(BEGUN, {"kind": "roll_accepted", "dice": [None]}),
    "more dice than are thrown": log_of(BEGUN, roll(*[6] * 9)),
    "a name with a lone surrogate": log_of(BEGUN.to_json() | {"players": ["Ana", "\ud800"]}),
    "a place that is no number": log_of(
        BEGUN, {"kind": "roll_kept", "left": [[1, float("nan"), 2, 3, "", 1]]}
    ),
    "a number past all": log_of(BEGUN, number=10**30),
    "a name of the log without end": log_of(BEGUN, session="x" * 1000),
    "more events than two games have": log_of(*[ChoosingBegun()] * (home_messages.EVENTS_MAX + 1)),
    "nesting without end": b'{"session": "x", "number": 5, "events": ' + b"[" * 200_000,
    "no JSON": b"\xff",
    "a list": b"[null]",
}


@pytest.mark.parametrize("what", LOGS)
def test_a_log_that_no_table_can_live_with_is_passed_over(guest: Any, what: str):
    hear(guest, guest._follow, log_of(BEGUN, number=1, session="a"))
    before = shown(guest._table)
    for _ in range(5):
        hear(guest, guest._follow, LOGS[what])
    assert shown(guest._table) == before
    guest._table.offer(reading(1, 2, 3, 4, 5))
    assert guest.odd.check("homes").status is Level.WARNING
    hear(guest, guest._follow, log_of(BEGUN, roll(1, 2, 3, 4, 5), number=2, session="a"))
    assert shown(guest._table)["throws_done"] == 1


ASKED = {
    "dice that are null": {"events": [{"kind": "roll_accepted", "dice": [None]}]},
    "a lone surrogate": {"events": [], "language": "\ud800"},
    "a language without end": {"events": [], "language": "x" * 1000},
    "a place that is no number": {
        "events": [{"kind": "roll_kept", "left": [[1, float("nan"), 2, 3, "", 1]]}]
    },
    "a place past all": {"events": [{"kind": "roll_kept", "left": [[1, 1e308, 2, 3, "", 1]]}]},
    "a list for an event": {"events": [[1]]},
    "a throw that is a text": {"throw": "x"},
    "a number past all": {"after": 10**30},
    "a truth for a number": {"after": "many"},
    "a secret that is none": {"throw": {"secret": "\ud800"}},
}


@pytest.mark.parametrize("what", ASKED)
def test_what_a_guest_cannot_ask_is_passed_over(host: Any, what: str):
    number, past = OtherHome(host._table).numbered()
    for count in range(5):
        told = {"id": str(count), "session": host.session, "after": number} | ASKED[what]
        hear(host, lambda said: host._on_request("berlin", said), json.dumps(told).encode())
    assert OtherHome(host._table).numbered() == (number, past)
    assert host.odd.check("homes").status is Level.WARNING
    told = {"id": "good", "session": host.session, "after": number, "events": [roll(1, 1, 1, 1, 1).to_json()]}
    hear(host, lambda said: host._on_request("berlin", said), json.dumps(told).encode())
    assert OtherHome(host._table).numbered()[0] == number + 1


@pytest.mark.parametrize(
    "events",
    [
        [GameEnded()],
        [BoxScored("choice")],
        [roll(6, 6, 6, 6)],
        [roll(1, 2, 3, 4, 5), HeldSet((1,)), roll(6, 6, 6, 6, 6)],
        [roll(1, 2, 3, 4, 5), BoxScored("choice"), roll(6, 6, 6, 6, 6)],
        [roll(1, 2, 3, 4, 5), BoxScored("choice"), HeldSet((1,))],
        [HeldSet((9,))],
        [roll(*[6] * 11)],
        [BoxScored("No such box!")],
        [roll(1, 2, 3, 4, 5), DieCorrected(0, 9)],
    ],
)
def test_a_guest_that_cheats_writes_nothing(host: Any, events: list[Any]):
    """What is not its turn, or against the rules, is refused as a whole."""
    number, past = OtherHome(host._table).numbered()
    request = {"id": "cheat", "session": host.session, "after": number}
    request |= {"events": [each.to_json() for each in events]}
    hear(host, lambda said: host._on_request("berlin", said), json.dumps(request).encode())
    (answer,) = (json.loads(post.payload) for post in host._broker.said if post.topic.endswith("/answer"))
    assert answer["error"]["code"] != "version/stale"
    assert OtherHome(host._table).numbered() == (number, past)


@pytest.mark.parametrize("newer", [{"kind": "dice_painted"}, {"rules": "yacht-2038"}])
def test_a_log_of_another_version_is_waited_for(guest: Any, newer: dict[str, str]):
    """The station that keeps the game was updated: nothing done here could count any more."""
    hear(guest, guest._follow, log_of(BEGUN, number=1, session="a"))
    hear(guest, guest._follow, log_of(BEGUN.to_json() | newer))
    assert "another version" in shown(guest._table)["waiting_for"]
    assert shown(guest._table)["commands"] == []
    guest.odd = Oddities()
    assert "another version" in text(guest.check().message), "for as long as it is so"
    hear(guest, guest._follow, log_of(BEGUN, number=2, session="a"))
    assert shown(guest._table)["commands"]


@pytest.mark.parametrize("newer", [{"kind": "dice_painted"}, {"dice": [[1, 9, None]]}])
def test_a_step_of_another_version_is_refused_and_not_left_without_an_answer(
    host: Any, newer: dict[str, Any]
):
    host._there["berlin"] = True
    number, past = OtherHome(host._table).numbered()
    request = {"id": "newer", "session": host.session, "after": number}
    request |= {"events": [roll(1, 2, 3, 4, 5).to_json() | newer]}
    hear(host, lambda said: host._on_request("berlin", said), json.dumps(request).encode())
    (answer,) = (json.loads(post.payload) for post in host._broker.said if post.topic.endswith("/answer"))
    assert answer["error"]["code"] == "homes/version"
    assert "another version" in answer["error"]["message"]
    assert "another version" in text(host.check().message)
    assert OtherHome(host._table).numbered() == (number, past)


QUESTION = {"home": "berlin", "throw": "1-1", "slot": 1, "face": 2, "stands": True}


@pytest.mark.parametrize(
    "odd",
    [
        {"slot": 10**9},
        {"face": 0},
        {"home": "\ud800"},
        {"throw": "a\nb"},
        {"stands": "yes"},
        {"home": "h" * 99},
    ],
)
def test_a_question_that_nobody_asks_is_passed_over(host: Any, odd: dict[str, Any]):
    hear(host, lambda said: host._on_question("berlin", said), json.dumps(QUESTION | odd).encode())
    assert host.odd.check("homes").status is Level.WARNING
    with pytest.raises(BadInputError):
        home_messages.read(home_messages.QUESTION, QUESTION | odd)
    assert home_messages.read(home_messages.QUESTION, QUESTION).model_dump() == QUESTION


def test_whatever_a_message_brings_about_ends_no_thread(host: Any):
    def broken(_said: Any) -> None:
        raise KeyError("unforeseen")

    hear(host, broken, b"{}")
    assert host.odd.check("homes").status is Level.WARNING


def test_a_broker_that_is_gone_is_no_odd_message(host: Any):
    host._broker = Silent(fails=True)
    told = {"id": "1", "session": host.session, "after": 0, "events": []}
    with pytest.raises(FailedError):
        hear(host, lambda said: host._on_request("berlin", said), json.dumps(told).encode())
    assert host.odd.check("homes") is None


def test_a_refusal_of_another_home_is_a_sentence_that_can_be_shown(guest: Any):
    guest._answers["1"] = None
    for why in ("\ud800", "a\x00b", "x" * 1000):
        guest._answer(json.dumps({"id": "1", "error": {"code": "x", "message": why}}).encode())
    assert guest._answers["1"] is None
    guest._answer(b'{"id": "1", "error": {"code": "x", "message": "No."}}')
    assert guest._answers["1"].error.message == "No."


def test_a_guest_has_an_answer_also_where_its_request_brings_about_a_fault(
    host: Any, monkeypatch: pytest.MonkeyPatch
):
    def broken(*_: Any) -> Any:
        raise KeyError("unforeseen")

    monkeypatch.setattr(host, "_done", broken)
    told = {"id": "1", "session": host.session, "after": 0, "events": []}
    hear(host, lambda said: host._on_request("berlin", said), json.dumps(told).encode())
    (answer,) = (post for post in host._broker.said if post.topic.endswith("/answer"))
    assert json.loads(answer.payload)["error"]["code"] == "homes/odd"
    assert host.odd.check("homes").status is Level.WARNING
