"""Who may choose a way out of trouble: whoever protected the station, and on an open one anybody."""

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest

from messages.errors import FailedError
from station.data_folder import data_files
from station.rescue import Rescue
from station.screens.room import Room
from station.screens.room_file import KeptPin, KeptRoom, RoomFile
from station.store import FILE_NAME, Places, Store
from station.table.table import Table
from tests.web.helpers import Stage
from tests.web.hosting import become_host


@pytest.fixture
def damaged(tmp_path: Path):
    """Opens a station whose games cannot be read; its room is as a test has left it."""
    with ExitStack() as stack:

        def opened() -> Stage:
            (tmp_path / FILE_NAME).write_bytes(b"no database" * 1000)
            store = Store(tmp_path, files=data_files(), rescue=True)
            stack.callback(store.close)
            table = Table(store)
            rescue = Rescue(table, store, Places(tmp_path, data_files(), 5))
            return Stage(table=table, archive=store, rescue=rescue, room=Room(tmp_path))

        yield opened


def begin_anew(stage: Stage, path: str = "/api/v1/rescue"):
    asked = {"json": {"choice": "anew"}} if "api" in path else {"data": {"choice": "anew"}}
    return stage.client.post(path, **asked)


@pytest.mark.parametrize("path", ["/rescue", "/api/v1/rescue"])
def test_where_a_pin_is_set_and_no_host_is_known_a_stranger_chooses_nothing(
    tmp_path: Path, damaged: Callable[[], Stage], path: str
):
    RoomFile(tmp_path).save(KeptRoom(pin=KeptPin.of("4711")))
    stage = damaged()
    assert begin_anew(stage, path).status_code == 403
    assert stage.client.post("/api/v1/room/host", json={"pin": "4711"}).status_code == 200
    assert begin_anew(stage, path).status_code == 200


def test_where_the_room_cannot_be_read_a_stranger_chooses_nothing(
    tmp_path: Path, damaged: Callable[[], Stage]
):
    (tmp_path / "room.json").write_text("{ half")
    stage = damaged()
    refused = begin_anew(stage)
    assert (refused.status_code, "room.damaged" in refused.text) == (403, True)
    become_host(stage.client)
    assert begin_anew(stage).status_code == 200


def test_on_a_station_that_nobody_protected_anybody_chooses(damaged: Callable[[], Stage]):
    assert begin_anew(damaged()).status_code == 200


def test_where_nothing_can_be_written_somebody_at_the_table_becomes_host_all_the_same(
    tmp_path: Path, damaged: Callable[[], Stage], monkeypatch: pytest.MonkeyPatch
):
    """Else nobody could choose a way out that makes room."""
    (tmp_path / "room.json").write_text("{ half")
    stage = damaged()

    def full(*_: object) -> None:
        raise FailedError("room/not_kept", path="room.json", why="No space left on device")

    monkeypatch.setattr(RoomFile, "save", full)
    become_host(stage.client)
    assert begin_anew(stage).status_code == 200
