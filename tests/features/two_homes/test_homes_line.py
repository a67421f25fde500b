"""The line between two homes at a real broker: what comes twice, late, from elsewhere or from a cheat."""

import json
from contextlib import suppress
from typing import Any

import pytest

from messages.catalogue import text
from messages.errors import RefusalError, StoreError
from station.features.two_homes.line import ends
from station.game.events import BoxScored, RollKept, Undone
from tests.asking import do, shown
from tests.features.two_homes.pair import BASE, Pair
from tests.integrations.mosquitto import Listener, Mosquitto, needed, until

pytestmark = [needed, pytest.mark.slow]


def asked(pair: Pair, identity: str, after: int, *events: Any) -> str:
    told = {"id": identity, "session": pair.host.session, "after": after}
    return json.dumps(told | {"events": [each.to_json() for each in events]})


def test_no_messages_of_ours_are_told_and_the_game_goes_on(
    pair: Pair, broker: Mosquitto, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(ends, "ANSWER_S", 2.0)  # what the flood pushes aside is never answered
    with Listener(broker) as other:
        for topic in ("log", "berlin/ask", "berlin/answer"):
            for odd in ("", "{", "[]", '{"id": 1}', "\x00" * 100, '{"number": "x", "events": 5}'):
                other.publish(f"{BASE}/{topic}", odd)
        until(lambda: "does not belong to the game" in text(pair.guest.check().message))
        until(lambda: "does not belong to the game" in text(pair.host.check().message))
        told = {"session": pair.host.session, "number": 99, "events": [BoxScored("choice").to_json()]}
        other.publish(f"{BASE}/log", json.dumps(told))  # in no game
        until(lambda: "does not belong to the game" in text(pair.guest.check().message))
        for count in range(1000):  # as fast as it can be sent
            payload = asked(pair, f"flood-{count}", 0, Undone(), RollKept())
            other._client.publish(f"{BASE}/berlin/ask", payload, 1)
        until(lambda: tried(pair, {"command": "enter_roll", "faces": [6, 6, 6, 6, 6]}, "throws_done", 1))
        until(lambda: tried(pair, {"command": "score_box", "category": "yacht"}, "active_player", 1))
    until(pair.alike)
    assert shown(pair.kitchen)["players"][0]["boxes"]["yacht"] == 50
    assert pair.store.last_event() == 3


def tried(pair: Pair, command: dict[str, Any], what: str, then: int) -> bool:
    """Whether it is done, which a field of the state tells; what the flood has pushed aside is done again.

    An answer may come too late for who asked: then the log brings what was done, and it is not done twice.
    """
    state = shown(pair.berlin)
    if state[what] != then:
        with suppress(StoreError, RefusalError):
            do(pair.berlin, {**command, "version": state["version"]})
    return bool(shown(pair.berlin)[what] == then)


def test_while_the_line_is_broken_only_the_host_can_end_it(pair: Pair, broker: Mosquitto):
    broker.kill()
    until(lambda: "waits for the other home" in shown(pair.kitchen)["waiting_for"])
    until(lambda: "waits for the other home" in shown(pair.berlin)["waiting_for"])
    assert shown(pair.berlin)["commands"] == []
    assert set(shown(pair.kitchen)["commands"]) <= {"end_game", "remove_player"}
    with pytest.raises(RefusalError, match="waits for the other home"):
        do(pair.berlin, {"command": "enter_roll", "faces": [6, 6, 6, 6, 6]})
    do(pair.kitchen, {"command": "end_game"})
    do(pair.kitchen, {"command": "start_game", "players": ["Ana"], "rules": "yacht-1938"})
    do(pair.kitchen, {"command": "enter_roll", "faces": [6, 6, 6, 6, 6]})  # alone one plays on
    broker.start()
    until(pair.stands)
    until(pair.alike)
