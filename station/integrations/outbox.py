"""The undelivered events of one receiver. The store's log is the outbox; this is the position in it."""

import logging
import math
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial

from messages.errors import StoreError
from messages.message import Message
from station.game.evolve import UNPLAYABLE, evolve
from station.game.log.state import State
from station.integrations.happenings import TableEvent, table_events
from station.store import Store
from station.store.delivery import Written

log = logging.getLogger(__name__)

KEEP_S = 10.0
"""Seconds between two writes of the last delivered event's number, while all goes well."""
SKIPPED_S = 3600.0
"""Seconds for which health reports that a receiver missed something."""
BATCH = 20
"""Number of events read at a time."""
LAST = 2**63 - 1
"""No event has a higher number."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """An event of the log with what it came to, which may be nothing that is published."""

    number: int
    events: tuple[TableEvent, ...]
    after: State


class Outbox:
    """The queue of one receiver, in order; used by one thread.

    A new receiver gets what happens from now on. The number of the last delivered event is written only now
    and then (`keep`): after a power cut it may get again what it has already, by the same numbers, and misses
    nothing. language: of labels. own: whether the games of the table are kept in this store.
    """

    def __init__(
        self,
        store: Store,
        name: str,
        language: str,
        clock: Callable[[], float] = time.monotonic,
        *,
        own: bool = True,
    ) -> None:
        self._store, self._name, self._language, self._own = store, name, language, own
        written = store.delivered().get(name)
        self._delivered = store.last_event() if written is None else written
        self._written = written
        self._state: State | None = None
        self._opened = store.opened
        self._clock, self._written_s = clock, clock()
        self._skipped, self._skipped_s = Message("outbox/skipped", first=0, last=0), -math.inf

    def waiting(self) -> Sequence[Delivery]:
        """The next events, a batch of them; none when all are delivered. Raises StoreError.

        Where they cannot be played the receiver gets what happens from now on (`skipped`): another try
        would fail alike, and no later game would be delivered.
        """
        try:
            return self._steps()
        except StoreError:
            raise
        except UNPLAYABLE:
            first, self._delivered, self._state = self._delivered + 1, self._store.last_event(), None
            log.exception("%s does not get the events %d to %d", self._name, first, self._delivered)
            self._skipped = Message("outbox/skipped", first=first, last=self._delivered)
            self._skipped_s = self._clock()
            return ()

    @property
    def skipped(self) -> Message | None:
        """The events that could not be delivered lately."""
        return self._skipped if self._clock() - self._skipped_s < SKIPPED_S else None

    def _steps(self) -> Sequence[Delivery]:
        """The next events with what they came to. Raises StoreError, or one of UNPLAYABLE at the first."""
        state, written = self._read()
        while self._opened != self._store.opened:  # another database, it may be
            self._opened = self._store.opened
            self._delivered, self._written, self._state = self._store.delivered_until(self._name), None, None
            state, written = self._read()
        steps: list[Delivery] = []
        for each in written:
            try:
                steps.append(self._step(state, each))
            except UNPLAYABLE:
                if not steps:
                    raise
                break  # those before it are delivered first
            state = steps[-1].after
        return steps

    def _step(self, state: State, each: Written) -> Delivery:
        """The happenings of one event in that state."""
        after = evolve(state, each.event)
        game_id = partial(self._store.game_id, until=each.number)
        events = table_events(each.number, each.at, each.event, state, after, game_id, self._language)
        return Delivery(each.number, events, after)

    def _read(self) -> tuple[State, Sequence[Written]]:
        """The state after the last delivered event, and what was written after it."""
        if self._state is None:
            self._state = self._store.state_after(self._delivered)
        return self._state, self._store.written(self._delivered, BATCH)

    def game_id(self, game: int) -> str:
        """The unique id of the table's current game; "" for one that is kept elsewhere.

        Also for one that is not stored: once it is it may have another number, and so another id.
        """
        return self._store.game_id(game, LAST) if self._own and self._store.trouble is None else ""

    def delivered(self, step: Delivery) -> None:
        """The receiver has it."""
        self._delivered, self._state = step.number, step.after

    def keep_sometimes(self) -> None:
        """The same as `keep`, where that was not done lately."""
        if self._clock() - self._written_s > KEEP_S:
            self.keep()

    def keep(self) -> None:
        """Write the number of the last delivered event, if that is not written yet."""
        self._written_s = self._clock()
        if self._written == self._delivered or self._opened != self._store.opened:
            return
        try:
            self._store.note_delivered({self._name: self._delivered})
        except StoreError as error:  # it would come twice, by the same number: no harm
            log.warning("the last event delivered to %s is not written: %s", self._name, error)
        else:
            self._written = self._delivered


def forget(store: Store, wanted: Collection[str]) -> None:
    """Forget all receivers but these: no event waits for anybody else."""
    try:
        gone = {name: None for name in store.delivered() if name not in wanted}
        if gone:
            store.note_delivered(gone)
    except StoreError as error:
        log.warning("a receiver that is gone is not forgotten: %s", error)
