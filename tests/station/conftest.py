"""Waiting for work in the background."""

import threading

import pytest

DEADLINE_S = 300


def pytest_collection_modifyitems(items):
    """A test that waits for work in a process of low priority is slow."""
    for item in items:
        if "ready" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.slow)


class Ready:
    """A callback that can be waited for."""

    def __init__(self):
        self.called = threading.Semaphore(0)

    def __call__(self):
        self.called.release()

    def wait(self):
        assert self.called.acquire(timeout=DEADLINE_S), "nothing became ready"


@pytest.fixture
def ready():
    return Ready()
