"""Computer players at the table: they decide in a thread of their own, and move unasked where wanted."""

import logging
import threading
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace

from messages.errors import StoreError, YachtError
from station.advice.advisor import Advisor
from station.features.computer_players.computer_move import ComputerMove
from station.features.computer_players.deciding import ComputersAtTable, Move
from station.features.computer_players.mind import decided
from station.game.log.state import State
from station.integrations.extra import Integration
from station.running import FeatureParts, Running
from station.table.table import Table

log = logging.getLogger(__name__)

AGAIN_S = 1.0
"""The delay before a move that could not be written is tried again."""


class ComputerPlayers(Running):
    """Thinks for the computer players of a table.

    by_itself_s: after that many seconds a decision is carried out unasked; None for never. draws: the station
    draws their dice.
    """

    _advisor: Advisor
    _table: Table

    def __init__(self, by_itself_s: float | None = None, *, draws: bool = False) -> None:
        self.at_table = ComputersAtTable(draws=draws)
        self._by_itself_s = by_itself_s
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="computer")
        self._lock = threading.Lock()
        self._request: tuple[State, Future[Move]] | None = None
        self._stop = threading.Event()
        self._hand = threading.Thread(target=self._move, name="computer-hand", daemon=True)

    def join(self, parts: FeatureParts) -> Sequence[Integration]:
        """Think from now on."""
        self._advisor, self._table = parts.advisor, parts.table
        self._table.change(ComputersAtTable, lambda known: replace(known, mind=self.move))
        return ()

    def start(self) -> None:
        """Start to carry out decisions automatically, if the settings say so."""
        if self._by_itself_s is not None:
            self._hand.start()

    def move(self, state: State) -> Move | None:
        """The command of the active computer player; None while it thinks. Never waits."""
        with self._lock:
            if self._stop.is_set():
                return None
            if self._request is None or self._request[0] is not state:
                self._request = (state, self._pool.submit(decided, self._advisor, state))
                self._pool.submit(self._decided, self._request[1])  # after it, for there is one thread
            answer = self._request[1]
        return answer.result() if answer.done() and answer.exception() is None else None

    def _decided(self, answer: Future[Move]) -> None:
        if self._stop.is_set():
            return
        if (error := answer.exception()) is not None:
            log.error("a computer player could not decide", exc_info=error)
            return
        self._table.refresh()

    def _move(self) -> None:
        """Carry decisions out one after the other, each after its pause."""
        assert self._by_itself_s is not None  # noqa: S101 - the thread runs only then
        subscription = self._table.subscribe()
        again = None
        while not self._stop.is_set() and subscription.open:
            view, again = subscription.get(AGAIN_S) or again, None
            if view is None or "computer_move" not in view.commands:
                continue
            if self._stop.wait(self._by_itself_s):
                return
            try:
                self._table.execute(ComputerMove(version=view.version))
            except StoreError as error:  # nothing has changed, so nobody would tell to try again
                log.warning("a computer player's move is not written yet: %s", error)
                again = view
            except YachtError as refusal:  # somebody did something meanwhile
                log.info("a computer player waits: %s", refusal)

    def close(self) -> None:
        """Let go of the threads."""
        self._stop.set()
        self._pool.shutdown(wait=False, cancel_futures=True)
