"""The clock of the simulated tray, which moves only when somebody sleeps on it."""

import pytest

from tests.cameras.conftest import FakeClock


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()
