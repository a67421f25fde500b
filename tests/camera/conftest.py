"""Stations with and without a calibration."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from station.camera.calibration_report import CalibrationReport
from station.camera.watcher import Watcher
from tests.camera.scripted_camera import DEADLINE_S, Blind
from tests.camera.stand import Table


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
    """The same tray, calibrated before the station was started anew."""
    shutil.copytree(made[0], tmp_path, dirs_exist_ok=True)
    table = Table(tmp_path, like=made[1])
    table.frames.next_frames(1, 1.0)
    return table


@pytest.fixture
def watched(monkeypatch):
    """Starts watchers whose waits for a new try are short, and stops them."""
    monkeypatch.setattr("station.camera.watcher.RETRY_S", (0.0,))
    monkeypatch.setattr("station.camera.watcher.StreamReader", Blind)
    started = []

    def start(camera, table, **settings):
        watcher = Watcher(camera, table, **settings)
        watcher.start()
        started.append(watcher)
        return watcher

    yield start
    assert all(watcher.stop(DEADLINE_S) for watcher in started)
