"""Work that takes a while, each piece in a thread of its own, with its progress in words."""

import logging
import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum

from messages.errors import reason
from messages.message import Message
from station.advice.apart import OnProgress

_LOG = logging.getLogger(__name__)
_JOIN_S = 5.0
_NICE = 10
AT_ONCE = 2
"""Jobs that run at the same time; others wait."""
WAITING_MAX = 12
"""Jobs that may wait; further requests are refused for now."""
LONGEST_S = 3600.0
"""A piece that takes longer is given up; the slowest that ships for takes a few minutes on a Pi."""
REMEMBERED_MAX = 200
"""Pieces of which is remembered how they ended; each position of a game may be one."""


class JobStage(StrEnum):
    """The stages of a job."""

    READY = "ready"
    WORKING = "working"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Preparation:
    """Progress of a job: the `share` done, 0..1, and a sentence for people."""

    stage: JobStage
    share: float
    message: Message


def _fell_over(preparation: Preparation) -> bool:
    """Whether it failed, and not because it takes too long."""
    return preparation.stage is JobStage.FAILED and preparation.share < 1.0


def _working(doing: Message, share: float) -> Preparation:
    message = Message("advice/working", doing=doing, share=share)
    return Preparation(JobStage.WORKING, share, message)


class _StoppedError(Exception):
    """Raised from within a piece of work to end it."""


class _TooLongError(Exception):
    """Raised from within a piece of work that takes too long."""


class Jobs:
    """Pieces of work by name. One that goes on or has failed is not begun again.

    `on_done` is called, in the thread of the work, whenever one has ended. Safe to call from any thread.
    At most `AT_ONCE` pieces run and `WAITING_MAX` wait. clock: seconds, monotonic.
    """

    def __init__(
        self, on_done: Callable[[], None] | None = None, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._clock = clock
        self._turn = threading.BoundedSemaphore(AT_ONCE)
        self._lock = threading.Lock()
        self._preparations: dict[str, Preparation] = {}
        self._threads: list[threading.Thread] = []
        self._stopping = threading.Event()
        self._on_done = on_done

    def begin(self, name: str, doing: Message, work: Callable[[OnProgress], object]) -> Preparation:
        """Begin a piece of work unless it goes on or has failed, and say how far it is.

        `doing` says what is done, as in "Working out the best play for Yacht".
        """
        with self._lock:
            before = self._preparations.get(name)
            if (before is None or before.stage is JobStage.READY) and not self._stopping.is_set():
                self._threads = [each for each in self._threads if each.is_alive()]
                if len(self._threads) >= AT_ONCE + WAITING_MAX:
                    return Preparation(JobStage.WORKING, 0.0, Message("advice/busy"))
                self._remember(name, _working(doing, 0.0))
                thread = threading.Thread(
                    target=self._work, args=(name, doing, work), name=f"work-{name}", daemon=True
                )
                self._threads.append(thread)
                thread.start()
            stopped = Preparation(JobStage.FAILED, 0.0, Message("advice/stopping"))
            return self._preparations.get(name, stopped)

    @property
    def failure(self) -> Message | None:
        """Why a piece of work failed, where one did."""
        with self._lock:
            failed = (each for each in self._preparations.values() if _fell_over(each))
            return next((each.message for each in failed), None)

    def forget_failures(self) -> None:
        """Allow failed jobs to start again."""
        with self._lock:
            self._preparations = {
                name: each for name, each in self._preparations.items() if not _fell_over(each)
            }

    def close(self, timeout_s: float = _JOIN_S) -> None:
        """End all work, waiting for `timeout_s` seconds at most; what is unfinished is lost."""
        self._stopping.set()
        with self._lock:
            threads = tuple(self._threads)
        end_s = time.monotonic() + timeout_s
        for thread in threads:
            thread.join(max(end_s - time.monotonic(), 0.0))

    def _work(self, name: str, doing: Message, work: Callable[[OnProgress], object]) -> None:
        """Do a piece of work when its turn comes, and note how it ended."""
        with suppress(OSError, AttributeError):  # only Linux sets a thread back; the reader must not wait
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)
        while not self._turn.acquire(timeout=0.5):
            if self._stopping.is_set():
                return
        try:
            ended = self._attempt(name, doing, work)
        except _StoppedError:
            return
        finally:
            self._turn.release()
        self._note(name, ended)
        if self._on_done is not None:
            self._on_done()

    def _attempt(self, name: str, doing: Message, work: Callable[[OnProgress], object]) -> Preparation:
        """Do a piece of work; how it ended. Raises _StoppedError where it was ended."""
        begun_s = self._clock()

        def progress(share: float) -> None:
            if self._stopping.is_set():
                raise _StoppedError
            if self._clock() - begun_s > LONGEST_S:
                raise _TooLongError
            self._note(name, _working(doing, share))

        try:
            work(progress)
        except _StoppedError:
            raise
        except _TooLongError:
            _LOG.warning("%s takes too long and is given up", doing)
            return Preparation(JobStage.FAILED, 1.0, Message("advice/too_long", doing=doing))
        except Exception as error:  # noqa: BLE001 - shown to the players; the game goes on without
            _LOG.exception("%s failed", doing)
            return Preparation(JobStage.FAILED, 0.0, Message("advice/failed", doing=doing, why=reason(error)))
        return Preparation(JobStage.READY, 1.0, Message("advice/done", doing=doing))

    def _note(self, name: str, preparation: Preparation) -> None:
        """Keep how far a piece of work is."""
        with self._lock:
            self._remember(name, preparation)

    def _remember(self, name: str, preparation: Preparation) -> None:
        """The same, with the lock; what ended longest ago is forgotten."""
        self._preparations.pop(name, None)
        self._preparations[name] = preparation
        ended = [name for name, each in self._preparations.items() if each.stage is not JobStage.WORKING]
        for each in ended[: max(len(self._preparations) - REMEMBERED_MAX, 0)]:
            del self._preparations[each]
