"""Stations with and without a calibration."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from station.camera.calibration_report import CalibrationReport
from station.camera.watcher import Watcher
from tests.camera.scripted_camera import DEADLINE_S, Blind
from tests.camera.stand import Table
from tests.cameras.conftest import device

__all__ = ["device"]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """Never calibrated."""
    table = Table(tmp_path)
    with table.tray:
        yield table


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Table, CalibrationReport]]:
    """A folder with the outcome of one calibration, which nobody changes, and what the last press told."""
    folder = tmp_path_factory.mktemp("made")
    table = Table(folder)
    with table.tray:
        yield folder, table, table.through()


@pytest.fixture
def settled(made: tuple[Path, Table, CalibrationReport], tmp_path: Path) -> Table:
    """The same tray, calibrated before the station was started anew; its frames begin anew, too."""
    shutil.copytree(made[0], tmp_path, dirs_exist_ok=True)
    table = Table(tmp_path, like=made[1])
    table.tray.start()
    table.frames.next_frames(1, 1.0)
    return table


@pytest.fixture
def retries_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Watchers wait for no new try."""
    monkeypatch.setattr(Watcher, "retry_s", (0.0,))


@pytest.fixture
def watched(retries_at_once):  # noqa: ARG001 - or a test waits as long as a station
    """Starts watchers that read nothing, where no other reader is named, and stops them."""
    started = []

    def start(camera, table, *, new_stream=Blind, **settings):
        watcher = Watcher(camera, table, new_stream=new_stream, **settings)
        watcher.start()
        started.append(watcher)
        return watcher

    yield start
    assert all(watcher.stop(DEADLINE_S) for watcher in started)
