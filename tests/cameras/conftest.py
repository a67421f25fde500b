"""A clock that a test moves, and a Pi camera."""

import sys

import pytest

from tests.cameras import fake_picamera2
from tests.cameras.worlds import Device
from tests.table.helpers import Clock


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def device(monkeypatch: pytest.MonkeyPatch) -> Device:
    """What picamera2 finds."""
    device = Device()
    monkeypatch.setitem(sys.modules, "picamera2", fake_picamera2.module(device))
    return device
