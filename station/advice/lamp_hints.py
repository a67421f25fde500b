"""Lamps that recommend which dice to hold, for players who want hints. Never keeps a button waiting."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

from station.advice.advisor import Advisor
from station.advice.table_hint import table_hint
from station.game.log.state import Phase, State
from station.game.way import WAY, own

AGAIN_S = 1.0
"""Seconds between two requests for values that are still being computed."""


class LampHints:
    """Works out the best hold of a position once, in a thread of its own.

    state: the game now. wants: whether a player of that name wants hints. clock: monotonic seconds.
    """

    def __init__(
        self,
        advisor: Advisor,
        state: Callable[[], State],
        wants: Callable[[str], bool],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._advisor = advisor
        self._state = state
        self._wants = wants
        self._clock, self._requested_s = clock, 0.0
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="hints")
        self._lock = threading.Lock()
        self._request: tuple[State, Future[tuple[int, ...] | None]] | None = None

    def slots(self) -> tuple[int, ...]:
        """Slots of the dice to hold now; none while that is not known or not wanted."""
        state = self._state()
        if state.phase is not Phase.HOLDING or not self._wants(state.player.name):
            return ()
        if WAY.of(state).awaits_player(state) is False:
            return ()
        with self._lock:
            if self._request is None or self._request[0] is not state or self._may_be_there(self._request[1]):
                self._request = (state, self._pool.submit(self._work_out, state))
                self._requested_s = self._clock()
            answer = self._request[1]
        return (answer.result() or ()) if answer.done() and answer.exception() is None else ()

    def _may_be_there(self, answer: Future[tuple[int, ...] | None]) -> bool:
        """Whether values that were being computed at the last request may be there by now."""
        waited = self._clock() - self._requested_s >= AGAIN_S
        return waited and answer.done() and answer.exception() is None and answer.result() is None

    def close(self) -> None:
        """Stop the thread."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _work_out(self, state: State) -> tuple[int, ...] | None:
        """The slots; None while the values are being worked out."""
        solution = self._advisor.solution(state.played)
        if solution is None:
            return None
        found = table_hint(solution, own(state))
        return () if found is None or found.slots is None else found.slots
