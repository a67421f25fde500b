"""Waiting for what is worked out in the background."""

import threading

import pytest

DEADLINE_S = 300


def pytest_collection_modifyitems(items):
    """Whoever waits for work of low priority, in a process of its own, is none of the quick tests."""
    for item in items:
        if "ready" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.slow)


class Ready:
    """Counts the calls that say something is ready, and waits for them."""

    def __init__(self):
        self.called = threading.Semaphore(0)

    def __call__(self):
        self.called.release()

    def wait(self):
        assert self.called.acquire(timeout=DEADLINE_S), "nothing became ready"


@pytest.fixture
def ready():
    return Ready()
