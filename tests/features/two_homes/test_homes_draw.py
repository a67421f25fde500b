"""Throws that two homes draw together at a real broker: broken off, put back, and not as promised."""

import json
from pathlib import Path
from typing import Any

import pytest

from messages.errors import RefusalError, StoreError
from station.contract.check import Level
from station.features.two_homes import fair_throw
from station.features.two_homes.fair_throw import faces
from station.features.two_homes.line.other_home import OtherHome
from tests.asking import do, shown
from tests.features.two_homes.pair import BASE, Pair
from tests.integrations.mosquitto import Listener, Mosquitto, needed, until

pytestmark = [needed, pytest.mark.slow]


def test_a_throw_that_breaks_off_shows_the_same_faces_when_it_is_tried_again(
    drawing: Pair, monkeypatch: pytest.MonkeyPatch
):
    """The host has heard the secret and dies before it writes: nothing counts, and nobody gains by it."""
    seen = []
    real = OtherHome(drawing.kitchen).take_fair

    def see_and_die(after: int, home: str, both: Any) -> int:
        seen.append(faces(OtherHome(drawing.kitchen).due(after, home), both))
        raise StoreError("homes/line", code="homes/line")

    monkeypatch.setattr(drawing.host._throws._home, "take_fair", see_and_die)
    for _ in range(2):
        with pytest.raises(RefusalError, match="broke"):
            do(drawing.berlin, {"command": "draw_roll"})
        assert shown(drawing.kitchen)["throws_done"] == shown(drawing.berlin)["throws_done"] == 0
    monkeypatch.setattr(drawing.host._throws._home, "take_fair", real)
    thrown = do(drawing.berlin, {"command": "draw_roll"})
    assert [tuple(die["face"] for die in thrown["dice"])] * 2 == seen
    until(drawing.alike)
    assert shown(drawing.kitchen)["dice"] == thrown["dice"]
    for number in (2, 3):
        assert do(drawing.berlin, {"command": "draw_roll"})["throws_done"] == number
    do(drawing.berlin, {"command": "score_box", "category": "choice"})
    until(drawing.alike)
    until(drawing.stands)


def test_a_copy_put_back_between_promise_and_throw_is_told_and_then_it_is_drawn_anew(
    drawing: Pair, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    """The host has heard the secret and dies; with a copy of its games it gets another key of its own.

    It could have chosen by that, so the guest is told, and tells nothing; who taps again wants to go on.
    """
    copy = tmp_path / "copy.db"
    drawing.store.backup(copy)
    seen = []
    real = OtherHome(drawing.kitchen).take_fair

    def see_and_die(*told: Any) -> int:
        seen.append(told[-1])
        raise StoreError("homes/line", code="homes/line")

    monkeypatch.setattr(drawing.host._throws._home, "take_fair", see_and_die)
    with pytest.raises(RefusalError, match="broke"):
        do(drawing.berlin, {"command": "draw_roll"})
    monkeypatch.setattr(drawing.host._throws._home, "take_fair", real)
    session = drawing.host.session
    do(drawing.kitchen, {"command": "end_game"})
    drawing.kitchen.stored.restore(copy)
    until(lambda: drawing.host.session != session and drawing.alike())
    with pytest.raises(RefusalError, match="promises something else") as told:
        do(drawing.berlin, {"command": "draw_roll"})
    assert (told.value.code, shown(drawing.kitchen)["throws_done"]) == ("homes/promise", 0)
    assert do(drawing.berlin, {"command": "draw_roll"})["throws_done"] == 1
    until(drawing.alike)
    ((_, before),) = seen
    _, now = fair_throw.secrets_of(OtherHome(drawing.kitchen).numbered()[1][-1])
    assert now != before, "the host knew that one"
    until(drawing.stands)


def test_a_host_that_shows_other_dice_than_promised_is_told(drawing: Pair, broker: Mosquitto):
    do(drawing.berlin, {"command": "draw_roll"})
    number, past = OtherHome(drawing.kitchen).numbered()
    forged = past[-1].to_json()
    forged["secrets"][0] = "00" * 32
    throw = fair_throw.FairThrow(shown(drawing.kitchen)["game"], 0, 5)
    both = bytes(32), bytes.fromhex(forged["secrets"][1])
    forged["dice"] = [[slot, face, None] for slot, face in enumerate(faces(throw, both), start=1)]
    events = [each.to_json() for each in past[:-1]] + [forged]
    told = {"session": drawing.host.session, "number": number + 1, "events": events}
    before = shown(drawing.berlin)["dice"]
    with Listener(broker) as other:
        other.publish(f"{BASE}/log", json.dumps(told))
        until(lambda: "not what both had promised" in shown(drawing.berlin)["waiting_for"])
        assert shown(drawing.berlin)["dice"] == before
        assert shown(drawing.berlin)["commands"] == []
        told["events"][-1] = past[-1].to_json()
        other.publish(f"{BASE}/log", json.dumps(told))
        until(lambda: drawing.guest.check().status is Level.OK)


def test_a_backup_put_back_at_the_host_reaches_the_guest(drawing: Pair, tmp_path: Path):
    """Its numbers are lower than those the guest knows already, and mean other events and throws."""
    copy = tmp_path / "copy.db"
    do(drawing.kitchen, {"command": "end_game"})
    drawing.store.backup(copy)
    for back in (True, False):
        do(drawing.kitchen, {"command": "rematch"})
        until(drawing.alike)
        assert do(drawing.berlin, {"command": "draw_roll"})["throws_done"] == 1
        if back:
            do(drawing.kitchen, {"command": "rename_player", "player": 1, "name": "Cleo"})
            do(drawing.kitchen, {"command": "end_game"})
            until(lambda: shown(drawing.berlin)["players"][1]["name"] == "Cleo")
            drawing.kitchen.stored.restore(copy)
            until(lambda: shown(drawing.berlin)["players"][1]["name"] == "Ana")
    assert shown(drawing.berlin)["game"] == 2
    until(drawing.stands)


def test_no_promise_of_before_stands_in_a_log_that_was_put_back(drawing: Pair, tmp_path: Path):
    """Whatever is asked first: what would be forgotten a moment later was no promise to give."""
    copy = tmp_path / "copy.db"
    drawing.store.backup(copy)
    drawing.host.stop(20)  # so that what is asked comes before all else that it looks at

    def promised(identity: str) -> str:
        told = {"after": drawing.store.last_event(), "throw": {"commitment": "22" * 32}}
        name = f"{drawing.host._started}-{drawing.kitchen.logs}"
        drawing.host._on_request("berlin", {"id": identity, "session": name, **told})
        return json.loads(drawing.host._answered["berlin"][1])["commitment"]

    before = promised("first")
    do(drawing.kitchen, {"command": "end_game"})
    drawing.kitchen.stored.restore(copy)
    assert promised("second") != before
