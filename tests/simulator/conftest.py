"""The clock of the simulated tray, which moves only when somebody sleeps on it."""

import pytest

from tests.table.helpers import Clock


@pytest.fixture
def clock() -> Clock:
    return Clock()
