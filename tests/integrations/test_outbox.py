"""What waits for a receiver when another database takes the place of the one that was told of."""

from contextlib import closing
from pathlib import Path

import pytest

from messages.errors import StoreError
from station.config import parse
from station.contract import commands
from station.integrations.factory import mirror_log, open_integrations
from station.integrations.outbox import Outbox
from station.store import Store
from station.store.delivery import Written
from station.table import Table


def boxes_told(box: Outbox) -> list[object]:
    return [
        each.values.get("label") for step in box.waiting() for each in step.happenings if each.kind == "box"
    ]


def played(table: Table, category: str) -> None:
    if not table.snapshot().players:
        asked = {"players": ["Ana"], "rules": "yacht-1938"}
        table.execute(commands.StartGame.model_validate(asked))
    table.execute(commands.EnterRoll(faces=(1, 2, 3, 4, 5)))
    table.execute(commands.ScoreBox(category=category))


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Of another station, where more was played than here: three boxes and the end of a game."""
    with closing(Store(tmp_path / "other")) as store:
        table = Table(store)
        for category in ("ones", "twos", "threes"):
            played(table, category)
        table.execute(commands.EndGame())
        store.backup(tmp_path / "copy.sqlite3")
    return tmp_path / "copy.sqlite3"


@pytest.mark.parametrize("before", [("ones",), ()])
def test_a_copy_that_is_put_back_is_old_news(tmp_path: Path, copy: Path, before: tuple[str, ...]):
    """Else a year of games is told to the house as if it happened now."""
    with closing(Store(tmp_path / "data")) as store:
        table = Table(store)
        box = Outbox(store, "mqtt", "en")
        for category in before:
            played(table, category)
            table.execute(commands.EndGame())
            box.keep()
        table.stored.restore(copy)
        box.keep()  # of the database that is no more
        assert boxes_told(box) == []
        table.execute(commands.Rematch())
        played(table, "fours")
        assert boxes_told(box) == ["Fours"]
        box.keep()
        assert boxes_told(Outbox(store, "mqtt", "en")) == ["Fours"]


def test_a_copy_that_cannot_be_put_back_leaves_what_waits(
    tmp_path: Path, copy: Path, monkeypatch: pytest.MonkeyPatch
):
    def fails(_: object) -> None:
        raise StoreError("store/failed", path="", why="")

    with closing(Store(tmp_path / "data")) as store:
        table = Table(store)
        played(table, "ones")
        box = Outbox(store, "mqtt", "en")
        box.keep()
        played(table, "twos")
        table.execute(commands.EndGame())
        monkeypatch.setattr(store, "take_in", fails)
        with pytest.raises(StoreError):
            table.stored.restore(copy)
        assert boxes_told(box) == ["Twos"]


def test_what_was_played_in_memory_is_told_once_it_is_stored_and_nothing_else(tmp_path: Path, copy: Path):
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "yacht.sqlite3").write_bytes(b"no database at all")
    with closing(Store(folder, rescue=True)) as store:
        table, box = Table(store), Outbox(store, "mqtt", "en")
        played(table, "sixes")
        assert boxes_told(box) == []
        table.execute(commands.EndGame())
        table.stored.restore(copy)
        assert boxes_told(box) == ["Sixes"]


def test_a_copy_that_is_put_back_while_a_receiver_asks_is_old_news(
    tmp_path: Path, copy: Path, monkeypatch: pytest.MonkeyPatch
):
    """The receiver's thread looked which database it is, and then waited for the other one."""
    with closing(Store(tmp_path / "data")) as store:
        table, box, written = Table(store), Outbox(store, "mqtt", "en"), store.written

        def waits(after: int, limit: int) -> tuple[Written, ...]:
            monkeypatch.setattr(store, "written", written)
            table.stored.restore(copy)
            return written(after, limit)

        monkeypatch.setattr(store, "written", waits)
        assert boxes_told(box) == []


@pytest.mark.parametrize("along", [False, True])
def test_a_game_that_another_home_keeps_has_not_the_id_of_one_here(tmp_path: Path, *, along: bool):
    """Its number is that of there; a board would take it for the game that had it here."""
    homes = {"homes": {"host": "kitchen"}} if along else {}
    config = parse({"mqtt": {"host": "broker"}, "data": tmp_path, **homes})
    with closing(Store(tmp_path)) as store:
        played(Table(store), "ones")
        mirror = mirror_log(config, store)
        publisher, *_ = open_integrations(config, store, Table(mirror or store), lambda: None, mirror)
        assert store.game_id(1, 100)
        assert publisher._outbox.game_id(1) == ("" if along else store.game_id(1, 100))
