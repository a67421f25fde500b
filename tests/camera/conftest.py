"""Stations with and without a calibration."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from station.camera.calibration_report import CalibrationReport
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
