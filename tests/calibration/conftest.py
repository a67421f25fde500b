"""One table for the tests of calibration: its empty tray, and the tray with the four markers."""

import pytest

from tests.calibration.scenes import HD, Image, Station, station


@pytest.fixture(scope="session")
def table() -> Station:
    return station(4, size_wh=HD)


@pytest.fixture(scope="session")
def empty(table: Station) -> Image:
    return table.picture()


@pytest.fixture(scope="session")
def marked(table: Station) -> Image:
    return table.picture(markers=True)
