"""The live line of the board: server-sent events with changes, and a heartbeat.

A screen gets everything on connect, then the tables that changed since its last message, and the evening when
that changed. A sleeping phone costs nothing, and gets the latest state when it wakes.
"""

import time
from collections.abc import Callable, Generator
from functools import lru_cache
from threading import Event, Lock
from typing import Any

from board.hall import Hall, News
from board.pages.evening_view import evening_view
from messages.errors import FailedError
from station.contract.view import as_json
from web.core.live_line import LiveLine, event, opening

LIVE = "/api/v1/board/live"
PAUSE_S = 0.1
"""Between two messages to one screen: a hundred tables change more often than anybody looks."""
EVENING_EACH = 5
"""Pauses between two messages that contain the evening, which is long."""
BEAT_S = 4.0
"""A screen takes the line as cut when nothing has come for twelve (web/core/link.js)."""


class Lines:
    """All connected screens. viewers_max: the most at once. pages: the version that is served."""

    def __init__(self, hall: Hall, viewers_max: int, pages: str = "") -> None:
        self._hall, self._viewers_max, self._pages = hall, viewers_max, pages
        self._lock = Lock()
        self._count = 0
        self._closing = Event()
        self._cached = lru_cache(16)(self._between)
        self._tick, self._latest = -1, News(-1, -1)

    def close(self) -> None:
        """End all lines."""
        self._closing.set()
        self._hall.close()

    def listen(self, gone: Callable[[], bool] = bool) -> LiveLine:
        """The events for one more screen. Raises FailedError where there are too many, at once."""
        with self._lock:
            if self._count >= self._viewers_max:
                raise FailedError("events/too_many_viewers", count=self._count)
            self._count += 1
        return LiveLine(self._events(gone), self._leave)

    def _leave(self) -> None:
        with self._lock:
            self._count -= 1

    def _events(self, gone: Callable[[], bool]) -> Generator[bytes, None, None]:
        subscription = self._hall.subscribe()
        known, beat_s = News(-1, -1), time.monotonic()
        yield opening(self._pages)
        while not self._closing.is_set() and not gone() and subscription.open:
            if known == self._hall.news:
                subscription.get(1.0)
            if known.tables >= 0:
                self._closing.wait(PAUSE_S - time.monotonic() % PAUSE_S)
            news = self._now()
            if news != known:
                yield self._cached(known, news)
                known, beat_s = news, time.monotonic()
            elif time.monotonic() - beat_s > BEAT_S:
                beat_s = time.monotonic()
                yield event("beat", {})

    def _now(self) -> News:
        """The versions of the hall, the same for all screens of one moment: each update is built once."""
        with self._lock:
            tick = int(time.monotonic() / PAUSE_S)
            if tick != self._tick:
                news, before = self._hall.news, self._latest.evening
                same = tick // EVENING_EACH == self._tick // EVENING_EACH and before >= 0
                self._latest = News(news.tables, before if same else news.evening)
                self._tick = tick
            return self._latest

    def _between(self, known: News, news: News) -> bytes:
        """The changes between two versions, built once for all screens."""
        data: dict[str, Any] = {"tables": [as_json(each) for each in self._hall.tables(known.tables)]}
        if news.evening != known.evening:
            data["evening"] = as_json(evening_view(self._hall.evening, last=1))
        return event("board", data)
