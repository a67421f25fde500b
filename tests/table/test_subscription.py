"""News reach listeners as the latest state, never as a backlog."""

import threading

from station.store.last_event import LastEvent
from station.store.store import Store
from station.table.table import Table
from tests.asking import do, shown
from tests.table.helpers import reading

DEADLINE_S = 60.0


def test_the_state_as_of_now_comes_first_then_only_the_latest():
    table = Table()
    subscription = table.subscribe()
    assert subscription.get(0.0) is table.snapshot()
    assert subscription.get(0.0) is None
    for name in ("Ana", "Ben", "Cleo"):
        do(table, {"command": "add_player", "name": name})
    assert subscription.get(0.0) is table.snapshot()
    assert subscription.get(0.0) is None


def test_a_waiting_listener_is_woken_by_news_and_by_the_end():
    table = Table()
    subscription = table.subscribe()
    subscription.get(0.0)
    got = []

    def listen():
        while (state := subscription.get(DEADLINE_S)) is not None:
            got.append(state.version)

    listener = threading.Thread(target=listen)
    listener.start()
    do(table, {"command": "start_game", "players": ["Ana"], "rules": "yacht-1938"})
    table.offer(reading(1, 2, 3, 4, 5))
    last = shown(table)["version"]
    while not got or got[-1] < last:
        listener.join(0.01)
        assert listener.is_alive()
    table.close()
    listener.join(DEADLINE_S)
    assert not listener.is_alive()
    assert got == sorted(set(got))


def test_a_closed_subscription_gives_nothing():
    table = Table()
    subscription = table.subscribe()
    subscription.close()
    assert subscription.get(0.0) is None
    assert not subscription.open


def test_listeners_are_notified_once_it_is_stored_and_before_the_note(tmp_path):
    store = Store(tmp_path)
    table = Table(store)
    listener = table.subscribe()
    listener.get(0.0)
    heard = []

    def note_last() -> None:
        state = listener.get(0.0)
        assert state is not None, "told before the note"
        heard.append((state.phase, store.last_event()))
        Store.note_last(store)

    store.note_last = note_last  # type: ignore[method-assign]
    do(table, {"command": "start_game", "players": ["Ana"], "rules": "yacht-1938"})
    assert heard == [("throwing", 1)], "stored before it is told"
    assert LastEvent(tmp_path).read()[0].event == 1, "noted before it is answered"
    store.close()
