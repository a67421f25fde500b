"""A clock that moves only when somebody sleeps on it."""

import pytest


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
