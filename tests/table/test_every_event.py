"""Every kind of event at a real table with a real store: written, shown, and opened by the next station."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from messages.catalogue import languages
from messages.errors import StoreError
from station import games
from station.contract.view import as_json
from station.game import events, notation, snapshot
from station.rescue import Rescue
from station.store import DataFiles, Places, Store
from station.table.play import Listeners
from station.table.table import Table
from station.table.trial import try_to_open
from tests.asking import do, shown
from tests.table.helpers import X, Y, reading
from vision.reading import Reading, Status

Step = Mapping[str, Any] | Reading
"""A command, or what the camera sees."""


def asks(command: str, **fields: object) -> Step:
    return {"command": command, **fields}


START = asks("start_game", players=["Ana", "Ben"], rules="yacht-1938")
ANNOUNCED = asks("start_game", players=["Ana", "Ben"], rules="yamb")
TOGETHER = asks("start_game", players=["Ana", "Ben"], rules="shared-roll")
ROLL = asks("enter_roll", faces=[6, 4, 1, 1, 5])
ROUND = (ROLL, asks("ready", player=0), asks("ready", player=1))
MOVING = reading(status=Status.MOVING)

PLAYED: Mapping[str, Sequence[Step]] = {
    "game_started": (START,),
    "starter_thrown": (
        asks("start_game", players=["Ana", "Ben"], rules="yacht-1938", starter="throw"),
        asks("enter_roll", faces=[3]),
    ),
    "player_added": (asks("add_player", name="Ana"),),
    "player_renamed": (START, asks("rename_player", player=1, name="Bea")),
    "player_removed": (START, asks("remove_player", player=1)),
    "player_moved": (START, asks("move_player", player=1, to=0)),
    "roll_kept": (START, ROLL, MOVING, reading(*Y, at=90.0), asks("keep_roll")),
    "roll_accepted": (START, MOVING, reading(*X), asks("accept_roll")),
    "die_corrected": (START, ROLL, asks("correct_die", slot=2, face=6)),
    "held_set": (START, ROLL, asks("set_held", slots=[3, 4])),
    "box_announced": (ANNOUNCED, ROLL, asks("announce_box", category="announced-ones")),
    "choosing_begun": (START, ROLL, asks("choose")),
    "box_scored": (START, ROLL, asks("score_box", category="choice")),
    "box_corrected": (
        START,
        ROLL,
        asks("score_box", category="choice"),
        asks("correct_box", player=0, category="choice", faces=[6, 6, 6, 6, 6]),
    ),
    "copy_held": (TOGETHER, ROLL, asks("set_held", slots=[3, 4], player=1)),
    "box_chosen": (TOGETHER, *ROUND, *ROUND, ROLL, asks("score_box", category="choice", player=1)),
    "player_ready": (TOGETHER, ROLL, asks("ready", player=0)),
    "player_unready": (TOGETHER, ROLL, asks("ready", player=0), asks("unready", player=0)),
    "game_ended": (START, asks("end_game")),
    "undone": (START, ROLL, asks("undo")),
}  # fmt: skip
"""What is played until the last step brings each kind about. A new kind has to be played here, too."""


def test_every_kind_is_played():
    assert set(PLAYED) >= set(events.KINDS)


def play(table: Table, asked: Sequence[Step]) -> None:
    for step in asked:
        if isinstance(step, Reading):
            table.offer(step)
        else:
            do(table, step)


def without_versions(table: Table) -> list[dict[str, Any]]:
    """What screens are shown, in every language; versions and what was just told are not kept."""
    gone = {"version", "news", "great", "reading", "camera", "turn", "waiting_for", "commands"}
    told = [as_json(table.snapshot(), language) for language in languages()]
    return [{key: value for key, value in each.items() if key not in gone} for each in told]


@pytest.mark.parametrize("kind", events.KINDS)
def test_each_is_stored_shown_and_gone_on_with(tmp_path, kind):
    store = Store(tmp_path, playable=try_to_open)
    table = Table(store, house_rules=games.texts)
    play(table, PLAYED[kind])
    written = [each.event for each in store.written(0, 1000)]
    assert written[-1].kind == kind
    before, past = without_versions(table), table.moment()[1].past
    store.close()
    again = Store(tmp_path, playable=try_to_open)
    table = Table(again, house_rules=games.texts)
    assert table.moment()[1].past == past
    assert without_versions(table) == before
    text = notation.write(written)
    assert notation.write(notation.read(text)) == text
    do(table, {"command": "undo"})
    assert len(table.moment()[1].past) == len(past) - 1
    again.close()


# -- what cannot be shown ---------------------------------------------------------------------------------


@pytest.fixture
def forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """A list of kinds of events has forgotten one: no screen can be shown what undo would take back."""
    whole = snapshot.undo_text

    def undo_text(state):  # type: ignore[no-untyped-def]
        if state.past and isinstance(state.past[-1], events.HeldSet):
            raise AssertionError(state.past[-1])
        return whole(state)

    monkeypatch.setattr(snapshot, "undo_text", undo_text)


@pytest.mark.usefixtures("forgotten")
def test_what_cannot_be_shown_is_not_written(tmp_path):
    store = Store(tmp_path, playable=try_to_open)
    table = Table(store)
    play(table, (START, ROLL))
    listener, before, last = table.subscribe(), shown(table), store.last_event()
    listener.get(0.0)
    with pytest.raises(AssertionError):
        do(table, {"command": "set_held", "slots": [3, 4]})
    assert (shown(table), store.last_event(), listener.get(0.0)) == (before, last, None)
    do(table, {"command": "score_box", "category": "choice"})
    store.close()
    again = Store(tmp_path, playable=try_to_open)
    assert shown(Table(again))["players"][0]["boxes"]["choice"] == 17
    again.close()


def test_a_log_that_cannot_be_shown_opens_in_rescue_mode(tmp_path, request):
    store = Store(tmp_path)
    play(Table(store), (START, ROLL, asks("set_held", slots=[3, 4])))
    store.close()
    request.getfixturevalue("forgotten")
    with pytest.raises(StoreError) as caught:
        Store(tmp_path, playable=try_to_open)
    assert caught.value.code == "store/damaged"
    store = Store(tmp_path, playable=try_to_open, rescue=True)
    table = Table(store)
    assert shown(table)["phase"] == "lobby"
    offers = Rescue(table, store, Places(tmp_path, DataFiles(), 5)).ways().offers
    assert "anew" in [offer.choice for offer in offers]
    store.close()


def test_what_goes_wrong_after_a_step_was_written_spoils_nothing(tmp_path, caplog):
    def fails(*_: object) -> None:
        raise OSError("no room")

    store = Store(tmp_path)
    table = Table(store, listeners=Listeners(confirmed=fails, corrected=fails))
    table.listeners.renamed = table.listeners.taken_back = fails
    listener = table.subscribe()
    play(table, (START, MOVING, reading(*X)))
    listener.get(0.0)
    assert do(table, {"command": "accept_roll"})["throws_done"] == 1
    assert listener.get(0.0) is table.snapshot()
    do(table, {"command": "undo"})
    do(table, {"command": "rename_player", "player": 0, "name": "Anna"})
    assert caplog.text.count("after a step something failed") == 3
    assert shown(table)["players"][0]["name"] == "Anna"
    store.close()
