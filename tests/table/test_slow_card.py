"""While a step is being written nobody who reads waits, and no camera; and nobody is shown it yet."""

import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from messages.atomic_write import replace_file
from messages.errors import StoreError
from station.store.house_rules import HouseRules
from station.store.store import Store
from station.table import step_lock
from station.table.step_lock import WAITING_MAX, StepLock
from station.table.table import Table
from tests.asking import do, parse, shown
from tests.rules.house_files import GOOD
from tests.slow_card import SlowCard, meanwhile
from tests.table.helpers import X, Y, empty, reading
from vision.reading import Status


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with ExitStack() as stack:
        store = Store(tmp_path)
        stack.callback(store.close)
        yield store


def begun(store: Store) -> Table:
    """A game, in which Ana has thrown; the dice lie there unconfirmed."""
    table = Table(store, apart=lambda step: threading.Thread(target=step, daemon=True).start())
    do(table, {"command": "start_game", "players": ["Ana", "Ben"], "rules": "yacht-1938"})
    table.offer(empty())
    table.offer(reading(*X))
    return table


@pytest.mark.parametrize("at", ["commit", "note"])
def test_who_reads_does_not_wait(store, at):
    table, card = begun(store), SlowCard(store, at)
    listener, before = table.subscribe(), shown(table)
    with card.writing(lambda: do(table, {"command": "accept_roll"})):
        state = meanwhile(lambda: shown(table))
        assert (state["throws_done"], meanwhile(lambda: table.moment()[1].throws_done)) == (
            (0, 0) if at == "commit" else (1, 1)
        ), "shown once it is stored, and not before"
        assert state["version"] >= before["version"]
        assert meanwhile(lambda: table.dice_expected) == 5
        assert meanwhile(lambda: table.lying(1)) is not None
        assert meanwhile(store.games) == []
        assert meanwhile(lambda: listener.get(0.0)) is not None
        assert store.writes.going_on_s > 0
    assert shown(table)["throws_done"] == 1
    assert store.writes.going_on_s == 0
    assert store.writes.longest_s > 0


def test_nobody_waits_for_house_rules_that_are_being_written(tmp_path, monkeypatch):
    rules = HouseRules(tmp_path)
    table = Table(house_rules=rules.texts)
    found = []

    def written(path: Path, data: bytes) -> None:
        meanwhile(lambda: table.offer(reading(*X)))
        found.append(meanwhile(rules.texts))
        replace_file(path, data)

    monkeypatch.setattr("station.store.house_rules.replace_file", written)
    saved = rules.save(GOOD)
    assert found == [{}]
    assert list(rules.texts()) == [saved.id]


def test_a_camera_does_not_wait_and_what_it_says_meanwhile_counts_after_the_step(store):
    table, card = begun(store), SlowCard(store)
    with card.writing(lambda: do(table, {"command": "accept_roll"})):
        for said in (reading(status=Status.MOVING), reading(*Y, at=90), reading(*Y, at=90)):
            meanwhile(lambda said=said: (table.offer(said),))
        meanwhile(lambda: (table.camera(name="Pi camera 0", ok=True),))
        meanwhile(lambda: (table.buttons(name="GPIO", ok=True),))
        assert shown(table)["turn"] == "unconfirmed"
        assert shown(table)["throws_done"] == 0
    state = shown(table)
    assert (state["throws_done"], state["turn"]) == (1, "unconfirmed"), (
        "a second throw, seen during the write"
    )
    assert (state["camera"]["name"], state["buttons"]["name"]) == ("Pi camera 0", "GPIO")
    assert do(table, {"command": "accept_roll"})["throws_done"] == 2


def test_a_second_step_is_refused_while_the_card_is_slow(store, monkeypatch):
    monkeypatch.setattr(step_lock, "TURN_S", 0.0)
    table, card = begun(store), SlowCard(store)

    def second() -> str:
        with pytest.raises(StoreError) as caught:
            table.execute(parse({"command": "undo"}))
        return caught.value.code

    with card.writing(lambda: do(table, {"command": "accept_roll"})):
        assert meanwhile(second) == "store/slow"
    assert shown(table)["throws_done"] == 1, "the one before it stands"


# -- the lock alone ---------------------------------------------------------------------------------------


def test_calls_queued_in_a_step_are_done_at_its_end_in_order():
    lock, done = StepLock(), list[str]()
    with lock:
        with lock:
            lock.soon(lambda: done.append("one"), like="reading")
            lock.soon(lambda: done.append("two"), like="reading")
            lock.soon(lambda: done.append("camera"))
            lock.soon(lambda: done.append("three"), like="reading")
        assert not done, "an inner step is part of the outer one"
    assert done == ["two", "camera", "three"], "of what is alike in a row, the last"
    lock.soon(lambda: done.append("at once"))
    assert done[-1] == "at once"


def test_a_call_made_by_a_queued_call_comes_after_it():
    lock, done = StepLock(), list[str]()

    def first() -> None:
        lock.soon(lambda: done.append("second"))
        done.append("first")

    lock.soon(first)
    assert done == ["first", "second"]


def test_a_card_that_hangs_for_long_fills_no_memory_and_loses_no_word_of_a_device():
    lock, done = StepLock(), list[object]()
    with lock:
        lock.soon(lambda: done.append("camera"))
        for number in range(3 * WAITING_MAX):
            lock.soon(lambda number=number: done.append(number), like=number)
    assert len(done) == WAITING_MAX
    assert (done[0], done[-1]) == ("camera", 3 * WAITING_MAX - 1)


def test_a_device_that_says_what_cannot_be_taken_in_spoils_no_step(caplog):
    lock, done = StepLock(), list[str]()

    def wrong() -> None:
        raise ValueError("wrong")

    with lock:
        lock.soon(wrong)
        lock.soon(lambda: done.append("right"))
    assert done == ["right"]
    assert "cannot be taken in" in caplog.text
    with pytest.raises(ValueError, match="wrong"):
        lock.soon(wrong)
