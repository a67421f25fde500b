"""Which dice the lamps recommend to hold, for players who want hints. Never keeps a button waiting."""

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

from station.advice.advisor import Advisor
from station.advice.table_hint import table_hint
from station.game.log.state import Phase, State


class LampHints:
    """Works out the best hold of a position once, in a thread of its own.

    state: the game now. wants: whether a player of that name wants hints.
    """

    def __init__(self, advisor: Advisor, state: Callable[[], State], wants: Callable[[str], bool]) -> None:
        self._advisor = advisor
        self._state = state
        self._wants = wants
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="hints")
        self._lock = threading.Lock()
        self._asked: tuple[State, Future[tuple[int, ...]]] | None = None

    def slots(self) -> tuple[int, ...]:
        """Slots of the dice to hold now; none while that is not known or not wanted."""
        state = self._state()
        if state.phase is not Phase.HOLDING or not self._wants(state.player.name):
            return ()
        if state.simultaneous and state.player.copy.ready:
            return ()
        with self._lock:
            if self._asked is None or self._asked[0] is not state:
                self._asked = (state, self._pool.submit(self._work_out, state))
            answer = self._asked[1]
        return answer.result() if answer.done() and answer.exception() is None else ()

    def close(self) -> None:
        """Let go of the thread."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _work_out(self, state: State) -> tuple[int, ...]:
        solution = self._advisor.solution(state.played)
        found = None if solution is None else table_hint(solution, state.own)
        return () if found is None or found.slots is None else found.slots
