"""Answers of the station that come late."""

import json
import time
from collections.abc import Iterator, Sized
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Route

from tests.e2e.helpers import PATIENCE_S, Screen


@contextmanager
def held_back(screen: Screen, path: str) -> Iterator[list[Route]]:
    """Requests to that address reach the station only when the block ends, one after the other."""
    waiting: list[Route] = []
    screen.page.route(path, lambda route: waiting.append(route))  # noqa: PLW0108 - a method of a list will not do
    yield waiting
    screen.page.route(path, lambda route: route.continue_())
    for each in waiting:
        each.continue_()


def sent(screen: Screen, waiting: Sized, count: int = 1) -> None:
    """Wait until so many requests are on their way."""
    until = time.monotonic() + PATIENCE_S
    while len(waiting) < count:
        assert time.monotonic() < until, "nothing was requested"
        screen.page.wait_for_timeout(20)


def announces(screen: Screen, *, on: bool) -> None:
    """Wait until the station has it that this screen announces, or does not."""
    until = time.monotonic() + PATIENCE_S
    voice = "() => fetch('/api/v1/room').then((answer) => answer.json()).then(({ you }) => you.voice)"
    while bool(screen.page.evaluate(voice)) is not on:
        assert time.monotonic() < until
        screen.page.wait_for_timeout(20)


def knows_that_it_announces(screen: Screen) -> None:
    """Wait until a page that was just loaded knows it."""
    screen.until(
        "() => performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/api/v1/room'))"
    )
    announces(screen, on=True)  # what it was answered before that has been taken by then


def sent_alone(screen: Screen, state: dict[str, Any]) -> None:
    """Send a page that is open this state, and nothing after it.

    A state that does not last may be over before a page on a busy machine has it.
    """
    line = f"retry: 500\n\nevent: state\nid: {state['version']}\ndata: {json.dumps(state)}\n\n"
    screen.page.route(
        "**/api/v1/events", lambda route: route.fulfill(body=line, content_type="text/event-stream")
    )
    screen.page.evaluate("dispatchEvent(new Event('online'))")  # it opens its line anew
