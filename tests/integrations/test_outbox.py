"""What waits for a receiver when another database takes the place of the one that was told of."""

from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from messages.catalogue import text
from messages.errors import StoreError
from station.config import parse
from station.contract import commands
from station.contract.check import Level
from station.game.events import BoxScored, Undone
from station.integrations.factory import open_integrations
from station.integrations.outbox import SKIPPED_S, Outbox
from station.store import Store
from station.store.delivery import Written
from station.table.table import Table


def boxes_waiting(box: Outbox) -> list[object]:
    return [each.values.get("label") for step in box.waiting() for each in step.events if each.kind == "box"]


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
        assert boxes_waiting(box) == []
        table.execute(commands.Rematch())
        played(table, "fours")
        assert boxes_waiting(box) == ["Fours"]
        box.keep()
        assert boxes_waiting(Outbox(store, "mqtt", "en")) == ["Fours"]


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
        assert boxes_waiting(box) == ["Twos"]


def test_what_was_played_in_memory_is_told_once_it_is_stored_and_nothing_else(tmp_path: Path, copy: Path):
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "yacht.sqlite3").write_bytes(b"no database at all")
    with closing(Store(folder, rescue=True)) as store:
        table, box = Table(store), Outbox(store, "mqtt", "en")
        played(table, "sixes")
        assert boxes_waiting(box) == []
        table.execute(commands.EndGame())
        table.stored.restore(copy)
        assert boxes_waiting(box) == ["Sixes"]


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
        assert boxes_waiting(box) == []


def test_after_a_restart_a_receiver_is_told_what_it_would_be_told_without_one(tmp_path: Path):
    """A rematch is taken back, another begun, and with that the last box of the game before, too."""

    def waiting_events(folder: Path, *, restart: bool) -> list[object]:
        with ExitStack() as stack:
            store = stack.enter_context(closing(Store(folder)))
            table, box = Table(store), Outbox(store, "mqtt", "en")
            for category in ("ones", "twos"):
                played(table, category)
            table.execute(commands.EndGame())
            for again in (commands.Rematch(), commands.Undo(), commands.Rematch()):
                table.execute(again)
            for step in box.waiting():
                box.delivered(step)
            box.keep()
            if restart:
                store.close()
                store = stack.enter_context(closing(Store(folder)))
                table, box = Table(store), Outbox(store, "mqtt", "en")
            for _ in range(3):  # the rematch, the end, the box
                table.execute(commands.Undo())
            table.execute(commands.ScoreBox(category="sixes"))
            return [(each.event, each.kind, each.game, each.values) for step in box.waiting()
                    for each in step.events]  # fmt: skip

    without = waiting_events(tmp_path / "without", restart=False)
    assert [kind for _, kind, _, _ in without] == ["undo", "undo", "turn", "undo", "turn", "box", "turn"]
    assert waiting_events(tmp_path / "with", restart=True) == without


def test_what_cannot_be_played_keeps_a_receiver_from_nothing_that_comes_after(tmp_path: Path):
    now_s = [0.0]
    with closing(Store(tmp_path)) as store:
        table, box = Table(store), Outbox(store, "mqtt", "en", lambda: now_s[0])
        played(table, "ones")
        store.append((BoxScored("no-such-box"), Undone()), table.moment()[1])
        assert (boxes_waiting(box), box.skipped) == (["Ones"], None)
        for step in box.waiting():
            box.delivered(step)
        assert (boxes_waiting(box), boxes_waiting(box)) == ([], [])
        played(table, "twos")
        assert boxes_waiting(box) == ["Twos"]
        lamp = {"name": "shelf", "url": "http://shelf.local", "presets": {"box": 1}}
        config = parse({"mqtt": {"host": "broker"}, "wled": [lamp], "data": tmp_path})
        (publisher, hooks), _ = open_integrations(config, store, table, lambda: None)
        publisher._outbox = hooks._senders[0]._outbox = box
        publisher.trouble = None  # it is connected
        for each in (publisher, hooks):
            assert "events 4 to 5 were not told" in text(each.check().message, "en")
        now_s[0] += SKIPPED_S
        assert [each.check().status for each in (publisher, hooks)] == [Level.OK, Level.OK]
