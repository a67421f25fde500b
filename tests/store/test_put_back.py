"""Backups are put back, also while the station runs; what is none is refused, and nothing changes."""

import sqlite3
from contextlib import closing

import pytest

from messages.catalogue import text
from messages.errors import BadInputError, RefusalError, StoreError
from station.contract.view import as_json
from station.store import FILE_NAME
from station.table.table import Table
from tests.asking import do, shown
from tests.store.helpers import chained, play, restore
from tests.store.stores import NOON, begin, folder, game_of, opened

__all__ = ["folder", "opened"]


def test_a_backup_is_put_back(opened, folder, tmp_path):
    store = opened(folder)
    table = Table(store)
    saved = begin(table, "Ana", "Ben")
    copy = tmp_path / "copies" / "yacht.sqlite3"
    store.backup(copy)
    do(table, {"command": "end_game"})
    with pytest.raises(StoreError, match="Another Yacht Station"):
        restore(copy, folder, now=NOON)
    store.close()
    with closing(opened(folder)) as store:
        seen = shown(Table(store))["version"]
    kept = restore(copy, folder, now=NOON)
    assert kept is not None
    assert kept.name == "yacht-before-20260106-120000.sqlite3"
    again = shown(Table(opened(folder)))
    assert game_of(again) == game_of(saved)
    assert again["version"] > seen, "a page left open would take it for old"
    assert list(copy.parent.iterdir()) == [copy]


def test_a_running_station_takes_a_backup_back(opened, folder, tmp_path):
    store = opened(folder)
    table = Table(store)
    play(table, ["Ana"])
    saved = shown(table)
    copy = tmp_path / "copy.sqlite3"
    store.backup(copy)
    began = do(table, {"command": "rematch"})
    with pytest.raises(RefusalError, match="end it first"):
        table.stored.restore(copy)
    do(table, {"command": "end_game"})
    news = table.subscribe()
    assert table.stored.restore(copy) is not None
    state = as_json(news.get(0.0))
    assert game_of(state) == game_of(saved)
    assert state["version"] > began["version"]
    assert [game.game for game in store.games()] == [1]
    version = begin(table, "Ben")["version"]
    store.close()
    assert shown(Table(opened(folder)))["version"] > version


def test_what_is_no_backup_leaves_a_station_as_it_is(opened, folder, tmp_path):
    store = opened(folder)
    table = Table(store)
    begin(table, "Ana")
    state = do(table, {"command": "end_game"})
    wrong = tmp_path / "wrong.sqlite3"
    wrong.write_bytes(b"Dear diary" * 100)
    (tmp_path / "empty").touch()
    for path in (wrong, tmp_path / "missing", tmp_path / "empty"):
        with pytest.raises(BadInputError):
            table.stored.restore(path)
    assert shown(table) == state
    begin(table, "Ben")
    with pytest.raises(RefusalError, match="keeps no games"):
        Table().stored.restore(wrong)
    store.close()
    for path in (wrong, tmp_path / "missing", tmp_path / "empty"):
        with pytest.raises(BadInputError):
            restore(path, folder, now=NOON)
    assert shown(Table(opened(folder)))["players"][0]["name"] == "Ben"


def test_why_a_game_cannot_be_gone_on_with_is_reported_once_and_in_one_language(opened, folder, tmp_path):
    store = opened(folder)
    table = Table(store)
    begin(table, "Ana")
    do(table, {"command": "end_game"})
    copy = tmp_path / "other" / FILE_NAME
    store.backup(copy)
    with closing(sqlite3.connect(copy)) as db:
        db.execute("INSERT INTO events VALUES (99, 1, '2026-01-06', 'x', '{\"kind\": \"eaten\"}', x'')")
        chained(db)
    why = "Das Protokoll enthält ein Ereignis „eaten“, das diese Version nicht kennt"
    with pytest.raises(BadInputError) as caught:
        table.stored.restore(copy)
    assert text(caught.value.message, "de") == (
        f"{FILE_NAME} enthält ein Spiel, das sich nicht fortsetzen lässt ({why})."
    )
    with pytest.raises(StoreError) as refused:
        opened(copy.parent)
    sentence = text(refused.value.message, "de")
    assert sentence.startswith(f"{copy} kann nicht gelesen werden: {why}. Nichts wurde geändert.")
    assert sentence.count("Nichts wurde geändert") == 1
