"""A clock that moves only when somebody sleeps on it, and a Pi camera."""

import sys

import pytest

from tests.cameras import fake_picamera2
from tests.cameras.worlds import Device


class FakeClock:
    """Monotonic seconds; `sleep` moves it."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        self.now_s += seconds


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def device(monkeypatch: pytest.MonkeyPatch) -> Device:
    """What picamera2 finds."""
    device = Device()
    monkeypatch.setitem(sys.modules, "picamera2", fake_picamera2.module(device))
    return device
