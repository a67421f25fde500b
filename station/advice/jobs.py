"""Work that takes a while, each piece in a thread of its own, with its progress in words."""

import logging
import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum

from messages.message import Message

_LOG = logging.getLogger(__name__)
_JOIN_S = 5.0
_NICE = 10

Tell = Callable[[float], None]
"""Called by a piece of work with the share that is done, 0..1."""


class JobStage(StrEnum):
    """How far a piece of work is."""

    READY = "ready"
    WORKING = "working"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Preparation:
    """How far a piece of work is: `share` 0..1 is done, and a sentence for people."""

    stage: JobStage
    share: float
    message: Message


def _working(doing: Message, share: float) -> Preparation:
    message = Message("advice/working", doing=doing, percent=round(100 * share))
    return Preparation(JobStage.WORKING, share, message)


class _StoppedError(Exception):
    """Raised from within a piece of work to end it."""


class Jobs:
    """Pieces of work by name. One that goes on or has failed is not begun again.

    `on_done` is called, in the thread of the work, whenever one has ended. Safe to call from any thread.
    """

    def __init__(self, on_done: Callable[[], None] | None = None) -> None:
        self._lock = threading.Lock()
        self._preparations: dict[str, Preparation] = {}
        self._threads: list[threading.Thread] = []
        self._stopping = threading.Event()
        self._on_done = on_done

    def begin(self, name: str, doing: Message, work: Callable[[Tell], object]) -> Preparation:
        """Begin a piece of work unless it goes on or has failed, and say how far it is.

        `doing` says what is done, as in "Working out the best play for Yacht".
        """
        with self._lock:
            before = self._preparations.get(name)
            if (before is None or before.stage is JobStage.READY) and not self._stopping.is_set():
                self._preparations[name] = _working(doing, 0.0)
                thread = threading.Thread(
                    target=self._work, args=(name, doing, work), name=f"work-{name}", daemon=True
                )
                self._threads = [each for each in self._threads if each.is_alive()]
                self._threads.append(thread)
                thread.start()
            stopped = Preparation(JobStage.FAILED, 0.0, Message("advice/stopping"))
            return self._preparations.get(name, stopped)

    @property
    def failure(self) -> Message | None:
        """Why a piece of work failed, where one did."""
        with self._lock:
            failed = (each for each in self._preparations.values() if each.stage is JobStage.FAILED)
            return next((each.message for each in failed), None)

    def forget_failures(self) -> None:
        """Let what failed be begun again."""
        with self._lock:
            self._preparations = {
                name: each for name, each in self._preparations.items() if each.stage is not JobStage.FAILED
            }

    def close(self, timeout_s: float = _JOIN_S) -> None:
        """End all work, waiting for `timeout_s` seconds at most; what is unfinished is lost."""
        self._stopping.set()
        with self._lock:
            threads = tuple(self._threads)
        end_s = time.monotonic() + timeout_s
        for thread in threads:
            thread.join(max(end_s - time.monotonic(), 0.0))

    def _work(self, name: str, doing: Message, work: Callable[[Tell], object]) -> None:
        """Do a piece of work, and note how it ended."""
        with suppress(OSError, AttributeError):  # only Linux sets a thread back; the reader must not wait
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)

        def tell(share: float) -> None:
            if self._stopping.is_set():
                raise _StoppedError
            self._note(name, _working(doing, share))

        try:
            work(tell)
        except _StoppedError:
            return
        except Exception as error:  # noqa: BLE001 - told to the players; the game goes on without
            _LOG.exception("%s failed", doing)
            message = Message("advice/failed", doing=doing, why=str(error))
            self._note(name, Preparation(JobStage.FAILED, 0.0, message))
        else:
            self._note(name, Preparation(JobStage.READY, 1.0, Message("advice/done", doing=doing)))
        if self._on_done is not None:
            self._on_done()

    def _note(self, name: str, preparation: Preparation) -> None:
        """Keep how far a piece of work is."""
        with self._lock:
            self._preparations[name] = preparation
